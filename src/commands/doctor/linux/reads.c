/* Clocks, and what it costs to read the counters of each CPU. */
#include "commands/doctor/linux/doctor.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "source/perf/sysfs.h"

enum { COST_READS = 50, LINES_MAX = 16 };

void
doctor_clocks(struct doctor_linux *d)
{
	struct timespec fine = { 0, 0 };
	struct stamp now;
	char name[64];
	int64_t mux;

	report_section(d->out, "clocks");
	if (sysfs_text(d->root,
		       "/sys/devices/system/clocksource/clocksource0/"
		       "current_clocksource",
		       name, sizeof(name)))
		report_line(d->out, "clocksource", "%s", name);
	if (sysfs_number(d->root,
			 "/sys/bus/event_source/devices/cpu/"
			 "perf_event_mux_interval_ms",
			 &mux))
		report_line(d->out, "turns",
			    "every %" PRId64 " ms, where more is counted than "
			    "fits (ktop's sets fit)",
			    mux);
	if (!d->live)
		return;
	clock_now(clock_system(), &now);
	(void)clock_getres(CLOCK_MONOTONIC, &fine);
	report_line(d->out, "awake clock",
		    "%.3f s since start-up, in steps of %ld ns",
		    (double)now.awake_ns * 1e-9, fine.tv_nsec);
	report_line(d->out, "asleep since start-up", "%.3f s",
		    (double)(now.elapsed_ns - now.awake_ns) * 1e-9);
}

static int
by_time(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void
cost_line(const struct doctor_linux *d, const char *key, int64_t *ns,
	  unsigned n)
{
	qsort(ns, n, sizeof(*ns), by_time);
	report_line(d->out, key, "min %.1f median %.1f max %.1f us of %u",
		    (double)ns[0] / 1000, (double)ns[n / 2] / 1000,
		    (double)ns[n - 1] / 1000, n);
}

/* The group of one CPU, again and again; false: it could not be read. */
static bool
cost_of(struct doctor_linux *d, unsigned cpu, int64_t ns[COST_READS])
{
	struct group *g = &d->s->cpu[cpu].group;

	for (unsigned i = 0; i < COST_READS; i++) {
		int64_t from = doctor_now_ns();

		if (!g->open || group_read(g, &d->s->port) != GROUP_READ)
			return false;
		ns[i] = doctor_now_ns() - from;
	}
	return true;
}

static void
cost(struct doctor_linux *d)
{
	const struct topology *t = d->s->topology;
	int64_t ns[COST_READS], *median;
	unsigned n = 0;

	median = calloc(t->ncpus, sizeof(*median));
	for (unsigned i = 0; median != NULL && i < t->ncpus; i++) {
		char key[32];

		if (!cost_of(d, i, ns))
			continue;
		(void)snprintf(key, sizeof(key), "read cpu %d", t->cpu[i].id);
		qsort(ns, COST_READS, sizeof(ns[0]), by_time);
		median[n++] = ns[COST_READS / 2];
		if (n <= LINES_MAX)
			cost_line(d, key, ns, COST_READS);
	}
	if (n > 0)
		cost_line(d, "medians of the CPUs", median, n);
	else
		report_line(d->out, "cost", "no counters are open");
	free(median);
	if (n > 0)
		report_line(d->out, "interrupts",
			    "one for each CPU but the reader's own, a reading");
}

/* Two readings: whose rows come, and do they move? */
static void
rows(struct doctor_linux *d)
{
	const struct topology *t = d->s->topology;
	uint64_t *first = calloc(t->ncpus, sizeof(*first));
	struct err e;

	if (first == NULL ||
	    perf_read(&d->s->source, d->sample, &e) != SOURCE_OK) {
		free(first);
		return;
	}
	for (unsigned i = 0; i < t->ncpus; i++)
		first[i] = d->sample->cpu[i].fixed[FIXED_CYCLES].count;
	doctor_nap(DOCTOR_TRIAL_NS);
	if (perf_read(&d->s->source, d->sample, &e) == SOURCE_OK)
		for (unsigned i = 0; i < t->ncpus; i++) {
			const struct cpu_sample *c = &d->sample->cpu[i];
			const struct reading *r = &c->fixed[FIXED_CYCLES];
			bool came = c->state == CPU_DELIVERED && r->supported;

			d->found.read++;
			d->found.delivered += came;
			d->found.moved += came && r->count > first[i];
		}
	free(first);
}

/* The set that is read when nobody says another. */
static void
count_first(struct doctor_linux *d)
{
	struct eventset set;

	if (d->s->source.info.catalog == NULL ||
	    !user_derive(&d->o->user, 0, &d->s->catalog.catalog, DOMAIN_ALL,
			 &set, NULL) ||
	    !perf_program(&d->s->source, &set, NULL))
		(void)perf_program(&d->s->source, NULL, NULL);
}

void
doctor_linux_reads(struct doctor_linux *d)
{
	report_section(d->out, "reads");
	if (!d->live || d->s == NULL) {
		report_line(d->out, "reads", "%s",
			    d->live ? d->why.text
				    : "not tried: --root is another machine");
		return;
	}
	count_first(d);
	rows(d);
	cost(d);
}
