/* A loop with known counts, on a fast and on a slow core: do they agree? */
#include "commands/doctor/doctor.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <string.h>

#include "commands/doctor/loop.h"
#include "model/slots.h"

enum {
	ITERATIONS = 1 << 20,
	TRIES = 12,
	WARM_NS = 30 * 1000 * 1000, /* the scheduler moves it meanwhile */
	PROBES = 3
};

/* An event and what an iteration of the loop makes of it. */
static const struct probe {
	const char *names; /* "A|B": the first that the chip has */
	unsigned expected;
} probes[PROBES] = {
	{ "INST_ALL", DOCTOR_LOOP_INSTRUCTIONS },
	{ "INST_BRANCH", DOCTOR_LOOP_BRANCHES },
	{ "INST_INT_LD|INST_LDST", DOCTOR_LOOP_LOADS },
};

/* Everything that one thread measures. */
struct run {
	const struct doctor *d;
	bool fast;
	uint32_t classes, stride;
	const char *asked;
	bool worked;
	int error, cpu;
	uint64_t count[KPC_MAX_COUNTERS]; /* of the quietest try */
};

static int
read_here(const struct run *r, int *cpu, uint64_t *count)
{
	int rc;

	errno = 0;
	rc = r->d->kpc->kpc_get_cpu_counters(false, r->classes, cpu, count);
	return rc == 0 ? 0 : kperf_errno(rc);
}

/* Only a try that began and ended on one CPU says anything about it. */
static void
try_once(struct run *r)
{
	uint64_t from[KPC_MAX_COUNTERS + 32] = { 0 };
	uint64_t to[KPC_MAX_COUNTERS + 32] = { 0 };
	int before = -1, after = -2;
	uint64_t least = r->worked ? r->count[0] + r->count[1] : UINT64_MAX;

	r->error = read_here(r, &before, from);
	if (r->error != 0)
		return;
	(void)doctor_loop(ITERATIONS);
	r->error = read_here(r, &after, to);
	if (r->error != 0 || before != after)
		return;
	if (to[0] - from[0] + (to[1] - from[1]) >= least)
		return;
	for (uint32_t i = 0; i < r->stride; i++)
		r->count[i] = to[i] - from[i];
	r->cpu = after;
	r->worked = true;
}

static void *
run_thread(void *arg)
{
	struct run *r = arg;
	int64_t until = doctor_now_ns() + WARM_NS;

	r->asked = doctor_core(r->fast);
	while (doctor_now_ns() < until)
		(void)doctor_loop(10000);
	for (unsigned i = 0; i < TRIES && !doctor_interrupted(r->d); i++)
		try_once(r);
	return NULL;
}

static const char *
cluster_of(const struct doctor *d, int cpu)
{
	const struct topology *t = d->x.s->info.topology;
	int at = topology_cpu_find(t, cpu);

	return at < 0 ? "?" : t->cluster[t->cpu[at].cluster].label;
}

static bool
near(uint64_t got, uint64_t expected)
{
	uint64_t off = got > expected ? got - expected : expected - got;

	return off * 20 <= expected; /* 5 %: a system call is in it */
}

static void
fixed_lines(const struct run *r, FILE *out)
{
	const uint64_t expected =
		(uint64_t)ITERATIONS * DOCTOR_LOOP_INSTRUCTIONS;
	bool zero = near(r->count[0], expected);
	bool one = near(r->count[1], expected);
	unsigned place = r->d->k->fixed[FIXED_INSTRUCTIONS];

	(void)fprintf(out,
		      "  fixed 0 got %" PRIu64 ", fixed 1 got %" PRIu64
		      ", instructions expected %" PRIu64 "\n",
		      r->count[0], r->count[1], expected);
	report_line(out, "  fixed order",
		    zero == one                ? "unclear"
		    : (one ? 1u : 0u) == place ? "as ktop reads them"
					       : "not as ktop reads them");
}

static void
slot_lines(const struct run *r, FILE *out, const struct eventset *set,
	   const unsigned *column)
{
	const struct catalog *c = &r->d->k->events.catalog;

	for (unsigned p = 0; p < PROBES; p++)
		for (unsigned i = 0; i < set->len; i++) {
			uint64_t expected =
				(uint64_t)ITERATIONS * probes[p].expected;
			uint64_t got = r->count[column[i]];

			if (set->slot[i].event !=
			    catalog_find_any(c, probes[p].names))
				continue;
			(void)fprintf(out,
				      "  %s: expected %" PRIu64 " got %" PRIu64
				      " %s\n",
				      set->slot[i].event->name, expected, got,
				      near(got, expected) ? "ok"
				      : got == 0 ? "counts nothing here"
						 : "differs");
		}
}

static void
measure(const struct doctor *d, FILE *out, bool fast,
	const struct eventset *set, const unsigned *column)
{
	struct run r = { .d = d, .fast = fast, .asked = "" };
	pthread_t thread;
	char number[24];

	r.classes = set->len > 0 ? KPERF_BOTH : KPC_CLASS_FIXED_MASK;
	r.stride = kperf_counters(d->k, r.classes);
	if (pthread_create(&thread, NULL, run_thread, &r) != 0)
		return;
	(void)pthread_join(thread, NULL);
	if (!r.worked) {
		report_line(out, "loop", "%s: no try stayed on one cpu%s%s",
			    r.asked, r.error != 0 ? ", " : "",
			    r.error != 0 ? report_errno(r.error, number) : "");
		return;
	}
	report_line(out, "loop", "%s: cpu %d of cluster %s, %d iterations",
		    r.asked, r.cpu, cluster_of(d, r.cpu), ITERATIONS);
	fixed_lines(&r, out);
	slot_lines(&r, out, set, column);
}

/* The probes' events, where the counters are taken and can have them. */
static void
program(struct doctor *d, FILE *out, struct eventset *set, unsigned *column)
{
	const struct catalog *c = &d->k->events.catalog;
	const struct event *want[PROBES];
	struct err e = { ERR_NONE, "" };
	struct kperf_words w;
	unsigned n = 0;

	set->len = 0;
	if (!d->found.forced || d->k->events.db == NULL)
		return;
	for (unsigned p = 0; p < PROBES; p++) {
		want[n] = catalog_find_any(c, probes[p].names);
		n += want[n] != NULL;
	}
	if (n > 0 && slots_place(c, want, n, set, &e) &&
	    kperf_words_build(d->k, set, &w, column, &e) &&
	    kperf_engage(d->k, &w, &e))
		return;
	report_line(out, "events", "%s", e.text);
	set->len = 0;
}

void
doctor_loops(struct doctor *d)
{
	FILE *out = d->x.out;
	unsigned column[EVENTSET_MAX] = { 0 };
	struct eventset set = { .len = 0 };

	if (d->host->simulated) {
		report_line(out, "loops", "not applicable: simulated");
		return;
	}
	if (!doctor_loop(1)) {
		report_line(out, "loops", "none for this processor");
		return;
	}
	if (doctor_interrupted(d))
		return;
	program(d, out, &set, column);
	measure(d, out, true, &set, column);
	measure(d, out, false, &set, column);
}
