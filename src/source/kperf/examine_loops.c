/* A loop with known counts, on a fast and on a slow core: do they agree? */
#include "source/kperf/examine.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>

#include "base/report.h"
#include "model/slots.h"
#include "source/kperf/known_loop.h"

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
	{ "INST_ALL", KNOWN_LOOP_INSTRUCTIONS },
	{ "INST_BRANCH", KNOWN_LOOP_BRANCHES },
	{ "INST_INT_LD|INST_LDST", KNOWN_LOOP_LOADS },
};

/* Everything that one thread measures. */
struct run {
	const struct examine *x;
	const struct kperf_source *s;
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
	rc = r->s->kpc->kpc_get_cpu_counters(false, r->classes, cpu, count);
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
	(void)known_loop(ITERATIONS);
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

/* The system's: a stepped clock would never come to the end of it. */
static int64_t
now_ns(void)
{
	struct stamp now;

	clock_now(clock_system(), &now);
	return now.awake_ns;
}

static void *
run_thread(void *arg)
{
	struct run *r = arg;
	int64_t until = now_ns() + WARM_NS;

	r->asked = kperf_core(r->fast);
	while (now_ns() < until)
		(void)known_loop(10000);
	for (unsigned i = 0; i < TRIES && !r->x->leave_off(r->x); i++)
		try_once(r);
	return NULL;
}

static const char *
cluster_of(const struct kperf_source *s, int cpu)
{
	const struct topology *t = s->topology;
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
fixed_lines(const struct run *r)
{
	const uint64_t expected =
		(uint64_t)ITERATIONS * KNOWN_LOOP_INSTRUCTIONS;
	bool zero = near(r->count[0], expected);
	bool one = near(r->count[1], expected);
	unsigned place = r->s->fixed[FIXED_INSTRUCTIONS];

	fprintf(r->x->out,
		"  fixed 0 got %" PRIu64 ", fixed 1 got %" PRIu64
		", instructions expected %" PRIu64 "\n",
		r->count[0], r->count[1], expected);
	report_line(r->x->out, "  fixed order",
		    zero == one                ? "unclear"
		    : (one ? 1u : 0u) == place ? "as ktop reads them"
					       : "not as ktop reads them");
}

static void
slot_lines(const struct run *r, const struct eventset *set,
	   const unsigned *column)
{
	const struct catalog *c = &r->s->events.catalog;

	for (unsigned p = 0; p < PROBES; p++)
		for (unsigned i = 0; i < set->len; i++) {
			uint64_t expected =
				(uint64_t)ITERATIONS * probes[p].expected;
			uint64_t got = r->count[column[i]];

			if (set->slot[i].event !=
			    catalog_find_any(c, probes[p].names))
				continue;
			fprintf(r->x->out,
				"  %s: expected %" PRIu64 " got %" PRIu64
				" %s\n",
				set->slot[i].event->name, expected, got,
				near(got, expected) ? "ok"
				: got == 0          ? "counts nothing here"
						    : "differs");
		}
}

static void
measure(const struct examine *x, bool fast, const struct eventset *set,
	const unsigned *column)
{
	const struct kperf_source *s = kperf_of(x->s);
	struct run r = { .x = x, .s = s, .fast = fast, .asked = "" };
	pthread_t thread;
	char number[24];

	r.classes = set->len > 0 ? KPERF_BOTH : KPC_CLASS_FIXED_MASK;
	r.stride = kperf_counters(s, r.classes);
	if (pthread_create(&thread, NULL, run_thread, &r) != 0)
		return;
	(void)pthread_join(thread, NULL);
	if (!r.worked) {
		report_line(x->out, "loop", "%s: no try stayed on one cpu%s%s",
			    r.asked, r.error != 0 ? ", " : "",
			    r.error != 0 ? report_errno(r.error, number) : "");
		return;
	}
	report_line(x->out, "loop", "%s: cpu %d of cluster %s, %d iterations",
		    r.asked, r.cpu, cluster_of(s, r.cpu), ITERATIONS);
	fixed_lines(&r);
	slot_lines(&r, set, column);
}

/* The probes' events, where the counters are taken and can have them. */
static void
program(struct examine *x, struct eventset *set, unsigned *column)
{
	struct kperf_source *s = kperf_of(x->s);
	const struct catalog *c = &s->events.catalog;
	const struct event *want[PROBES];
	struct err e = { ERR_NONE, "" };
	struct kperf_words w;
	unsigned n = 0;

	set->len = 0;
	if (!s->examined || s->events.db == NULL)
		return;
	for (unsigned p = 0; p < PROBES; p++) {
		want[n] = catalog_find_any(c, probes[p].names);
		n += want[n] != NULL;
	}
	if (n > 0 && slots_place(c, want, n, set, &e) &&
	    kperf_words_build(s, set, &w, column, &e) &&
	    kperf_engage(s, &w, &e))
		return;
	report_line(x->out, "events", "%s", e.text);
	set->len = 0;
}

void
kperf_examine_loops(struct examine *x)
{
	unsigned column[EVENTSET_MAX] = { 0 };
	struct eventset set = { .len = 0 };

	if (kperf_of(x->s)->host->simulated) {
		report_line(x->out, "loops", "not applicable: simulated");
	} else if (!known_loop(1)) {
		report_line(x->out, "loops", "none for this processor");
	} else {
		program(x, &set, column);
		measure(x, true, &set, column);
		measure(x, false, &set, column);
	}
}
