/* What the sections share: questions to the source, and signals that wait. */
#include "commands/doctor/doctor.h"

#include <string.h>

void
doctor_own(struct doctor *d)
{
	const struct examine_section *own = d->ask->own;

	while (own->name != NULL && strcmp(own->name, d->section) != 0)
		own++;
	if (own->name != NULL)
		own->run(&d->x);
}

const struct catalog *
doctor_catalog(const struct doctor *d)
{
	return d->ask->catalog != NULL ? d->ask->catalog(d->x.s)
				       : d->x.s->info.catalog;
}

bool
doctor_derive(const struct doctor *d, unsigned i, struct eventset *set,
	      struct err *e)
{
	enum domain domain = d->x.found.domain;

	return user_derive(&d->o->user, (int)i, doctor_catalog(d),
			   domain != DOMAIN_NONE ? domain : DOMAIN_ALL, set, e);
}

bool
doctor_read_twice(struct doctor *d)
{
	struct source *s = d->x.s;

	if (s->ops->read(s, d->sample[0], NULL) != SOURCE_OK)
		return false;
	clock_pause(s->info.clock, DOCTOR_TRIAL_NS);
	return s->ops->read(s, d->sample[1], NULL) == SOURCE_OK;
}

bool
doctor_interrupted(const struct doctor *d)
{
	sigset_t pending;

	if (sigpending(&pending) != 0)
		return false;
	for (int s = 1; s < 32; s++)
		if (sigismember(&d->stop, s) == 1 &&
		    sigismember(&pending, s) == 1)
			return true;
	return false;
}

/* ^Z as well: a stopped doctor would go on holding the counters. */
void
doctor_block(const struct doctor *d, sigset_t *old)
{
	sigset_t block = d->stop;

	(void)sigaddset(&block, SIGTSTP);
	(void)sigprocmask(SIG_BLOCK, &block, old);
}

int
doctor_take_signal(const struct doctor *d)
{
	int number = 0;

	if (!doctor_interrupted(d) || sigwait(&d->stop, &number) != 0)
		return 0;
	return number;
}
