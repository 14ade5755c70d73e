/*
 * The calls that change a Mac, one by one: the source makes them, and they are
 * seen on their way through the tape's functions.
 */
#include "commands/doctor/doctor.h"

#include <string.h>

#include "kperf/tape/tape.h"

static bool
changes(unsigned id)
{
	return id == TAPE_KPERF_ID(kpc_force_all_ctrs_set) ||
	       id == TAPE_KPERF_ID(kpc_set_counting) ||
	       id == TAPE_KPERF_ID(kpc_set_thread_counting) ||
	       id == TAPE_KPERF_ID(kpc_set_config);
}

static bool
before(void *self, struct tape_call *c)
{
	struct doctor *d = self;

	(void)c;
	d->watch.from_ns = doctor_now_ns();
	return true;
}

static void
after(void *self, struct tape_call *c)
{
	struct doctor *d = self;
	struct doctor_watch *w = &d->watch;
	int64_t ns = doctor_now_ns() - w->from_ns;

	if (w->phase == NULL || !changes(c->id) ||
	    w->ncalls == DOCTOR_CHANGES_MAX)
		return;
	w->call[w->ncalls++] = (struct doctor_change){
		.phase = w->phase,
		.id = c->id,
		.arg = c->arg[0],
		.result = c->result,
		.error = c->result != 0 ? c->error : 0,
		.ns = ns,
	};
	/* The first set is complete when counting is on. */
	if (c->id == TAPE_KPERF_ID(kpc_set_counting) && c->arg[0] != 0 &&
	    strcmp(w->phase, "set") == 0)
		w->phase = NULL;
}

void
doctor_watch_begin(struct doctor *d)
{
	struct doctor_watch *w = &d->watch;

	w->engine = (struct tape_engine){
		.self = d, .before = before, .after = after, .kperf = d->kpc
	};
	tape_engine_set(&w->engine);
}

void
doctor_watch_phase(struct doctor *d, const char *phase)
{
	d->watch.phase = phase;
}

void
doctor_watch_end(void)
{
	tape_engine_set(NULL);
}

void
doctor_watch_print(const struct doctor *d)
{
	const struct doctor_watch *w = &d->watch;

	if (w->ncalls == 0)
		return;
	(void)fprintf(
		d->x.out,
		"# those that change it, in order: taking, the first set, giving back\n");
	for (unsigned i = 0; i < w->ncalls; i++) {
		const struct doctor_change *c = &w->call[i];
		char number[24];

		(void)fprintf(
			d->x.out, "%s %s(%llu): %lld%s%s %lldus\n", c->phase,
			tape_name(c->id), (unsigned long long)c->arg,
			(long long)c->result, c->error != 0 ? " " : "",
			c->error != 0 ? report_errno(c->error, number) : "",
			(long long)(c->ns + 500) / 1000);
	}
}
