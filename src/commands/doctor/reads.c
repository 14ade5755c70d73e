/* Whose rows come and move, and what a hundred readings cost. */
#include "commands/doctor/doctor.h"

#include <stdlib.h>

enum { COST_READS = 100, LINES_MAX = 16 };

static void
rows(struct doctor *d)
{
	struct examine_found *f = &d->x.found;

	if (!doctor_read_twice(d))
		return;
	for (unsigned i = 0; i < d->sample[0]->ncpus; i++) {
		const struct cpu_sample *a = &d->sample[0]->cpu[i];
		const struct cpu_sample *b = &d->sample[1]->cpu[i];
		const struct reading *from = &a->fixed[FIXED_CYCLES];
		const struct reading *to = &b->fixed[FIXED_CYCLES];
		bool came = b->state == CPU_DELIVERED && to->supported;

		f->rows++;
		f->delivered += came;
		f->moved += came && a->state == CPU_DELIVERED &&
			    to->count > from->count;
	}
}

static int
by_time(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int64_t
cost_line(const struct doctor *d, const char *key, int64_t *ns, unsigned n,
	  bool shown)
{
	qsort(ns, n, sizeof *ns, by_time);
	if (shown)
		report_line(d->x.out, key,
			    "min %.1f median %.1f max %.1f us of %u%s",
			    (double)ns[0] / 1e3, (double)ns[n / 2] / 1e3,
			    (double)ns[n - 1] / 1e3, n,
			    d->x.s->info.simulated ? " (of the simulation)"
						   : "");
	return ns[n / 2];
}

/* The n-th thing that is read at one go, again and again. */
static enum source_status
cost_of(struct doctor *d, unsigned n, char *key, size_t size, int64_t *ns)
{
	for (unsigned i = 0; i < COST_READS; i++) {
		int64_t from = doctor_now_ns();
		enum source_status got = d->ask->read(&d->x, n, key, size);

		ns[i] = doctor_now_ns() - from;
		if (got != SOURCE_OK)
			return got;
		if (doctor_interrupted(d))
			return SOURCE_END;
	}
	return SOURCE_OK;
}

static void
cost(struct doctor *d)
{
	int64_t ns[COST_READS];
	int64_t *median = calloc(d->sample[0]->ncpus + 1, sizeof *median);
	enum source_status got = SOURCE_OK;
	unsigned n = 0;
	char key[32];

	for (unsigned i = 0; median != NULL && got != SOURCE_END; i++) {
		got = cost_of(d, i, key, sizeof key, ns);
		if (got != SOURCE_OK)
			continue;
		median[n] = cost_line(d, key, ns, COST_READS, n < LINES_MAX);
		n++;
	}
	if (n > 1)
		(void)cost_line(d, "medians of the CPUs", median, n, true);
	else if (n == 0)
		report_line(d->x.out, "cost", "no counters are open");
	if (n > 0 && d->ask->interrupts != NULL)
		report_line(d->x.out, "interrupts", "%s", d->ask->interrupts);
	free(median);
}

/* The set that is read when nobody says another, where one can be set. */
static void
count_first(struct doctor *d)
{
	struct source *s = d->x.s;
	struct eventset set;

	if (d->x.found.programmed == 0 && d->ask->take != NULL)
		return;
	if ((s->info.catalog == NULL || !doctor_derive(d, 0, &set, NULL) ||
	     !s->ops->program(s, &set, NULL)) &&
	    d->ask->take == NULL)
		(void)s->ops->program(s, NULL, NULL);
}

void
doctor_reads(struct doctor *d)
{
	if (!d->x.live) {
		report_line(d->x.out, "reads",
			    "not tried: --root is another machine");
		return;
	}
	count_first(d);
	doctor_own(d);
	rows(d);
	cost(d);
}
