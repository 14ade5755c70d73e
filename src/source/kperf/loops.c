
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>

#include "base/report.h"
#include "model/metric.h"
#include "source/calibrate.h"
#include "source/kperf/kperf.h"
#include "source/kperf/state.h"

enum {
	ITERATIONS = 1 << 20,
	TRIES = 12,
	WARM_NS =
		30 * 1000 * 1000, /* the scheduler moves the thread meanwhile */
	PROBES = 3
};

enum { INSTRUCTIONS = 8, BRANCHES = 1, LOADS = 2 };

static const struct probe {
	const char *names; /* "A|B": the first of these that the chip has */
	unsigned expected;
} probes[PROBES] = {
	{ "INST_ALL", INSTRUCTIONS },
	{ "INST_BRANCH", BRANCHES },
	{ "INST_INT_LD|INST_LDST", LOADS },
};

struct run {
	const struct examine *x;
	const struct kperf_source *s;
	bool fast;
	uint32_t classes, stride;
	const char *asked;
	bool worked;
	int error, cpu;
	uint64_t count[KPC_MAX_COUNTERS];
};

/* Runs n (at least 1) iterations; false: no loop for this processor. Assembly
 * fixes an iteration's instructions: two loads, four additions, a subtraction,
 * a branch. */
#if defined(__aarch64__)

static bool
run_known_loop(uint64_t n)
{
	uint64_t cell = 0;

	__asm__ volatile(
		"1:\n\tldr x9, [%1]\n\tldr x10, [%1]\n\tadd x11, x11, #1\n\tadd x12, x12, #1\n\tadd x13, x13, #1\n\tadd x14, x14, #1\n\tsubs %0, %0, #1\n\tb.ne 1b"
		: "+r"(n)
		: "r"(&cell)
		: "x9", "x10", "x11", "x12", "x13", "x14", "cc", "memory");
	return true;
}

#elif defined(__x86_64__)

static bool
run_known_loop(uint64_t n)
{
	uint64_t cell = 0;

	__asm__ volatile(
		"1:\n\tmovq (%1), %%r8\n\tmovq (%1), %%r9\n\taddq $1, %%r10\n\taddq $1, %%r11\n\taddq $1, %%r12\n\taddq $1, %%r13\n\tsubq $1, %0\n\tjne 1b"
		: "+r"(n)
		: "r"(&cell)
		: "r8", "r9", "r10", "r11", "r12", "r13", "cc", "memory");
	return true;
}

#else

static bool
run_known_loop(uint64_t n)
{
	(void)n;
	return false;
}

#endif

static int
read_this_cpu(const struct run *r, int *cpu, uint64_t *count)
{
	errno = 0;
	int rc = r->s->kpc->kpc_get_cpu_counters(false, r->classes, cpu, count);
	return rc == 0 ? 0 : kperf_result_errno(rc);
}

/* A try counts only if it starts and ends on the same CPU. */
static void
try_loop(struct run *r)
{
	uint64_t from[KPC_MAX_COUNTERS + 32] = { 0 };
	uint64_t to[KPC_MAX_COUNTERS + 32] = { 0 };
	int before = -1, after = -2;
	uint64_t least = r->worked ? r->count[0] + r->count[1] : UINT64_MAX;

	r->error = read_this_cpu(r, &before, from);
	if (r->error != 0)
		return;
	(void)run_known_loop(ITERATIONS);
	r->error = read_this_cpu(r, &after, to);
	if (r->error != 0 || before != after)
		return;
	if (to[0] - from[0] + (to[1] - from[1]) >= least)
		return;
	for (uint32_t i = 0; i < r->stride; i++)
		r->count[i] = to[i] - from[i];
	r->cpu = after;
	r->worked = true;
}

static int64_t
system_clock_ns(void)
{
	struct stamp now;

	clock_now(clock_system(), &now);
	return now.awake_ns;
}

static void *
run_thread(void *arg)
{
	struct run *r = arg;
	int64_t until = system_clock_ns() + WARM_NS;

	r->asked = kperf_request_core(r->fast);
	while (system_clock_ns() < until)
		(void)run_known_loop(10000);
	for (unsigned i = 0; i < TRIES && !r->x->leave_off(r->x); i++)
		try_loop(r);
	return NULL;
}

static const char *
cluster_name(const struct kperf_source *s, int cpu)
{
	const struct topology *t = s->topology;
	int at = topology_cpu_find(t, cpu);

	return at < 0 ? "?" : t->cluster[t->cpu[at].cluster].label;
}

static bool
is_near(uint64_t got, uint64_t expected)
{
	uint64_t off = got > expected ? got - expected : expected - got;

	return off * 20 <= expected; /* 5 %: the count includes instructions of
					the reading itself */
}

static void
put_probes(struct buf *b, const struct run *r)
{
	const struct catalog *c = &r->s->events.catalog;
	const struct eventset *set = &r->s->set;

	for (unsigned p = 0; p < PROBES; p++)
		for (unsigned i = 0; i < set->len; i++) {
			uint64_t expected =
				(uint64_t)ITERATIONS * probes[p].expected;
			uint64_t got = r->count[r->s->column[i]];

			if (set->slot[i].event ==
			    catalog_find_any(c, probes[p].names))
				buf_printf(
					b, "; %s %" PRIu64 " of %" PRIu64 " %s",
					set->slot[i].event->name, got, expected,
					is_near(got, expected) ? "ok"
					: got == 0 ? "counts nothing here"
						   : "differs");
		}
}

static void
loop_line(const struct run *r)
{
	const uint64_t expected = (uint64_t)ITERATIONS * INSTRUCTIONS;
	bool zero = is_near(r->count[0], expected);
	bool one = is_near(r->count[1], expected);
	char key[48], text[512], number[24];
	struct buf b = buf_over(text, sizeof text);

	snprintf(key, sizeof key, "loop (%s)", r->asked);
	if (!r->worked) {
		report_line(r->x->out, key, "no try stayed on one CPU%s%s",
			    r->error != 0 ? ", " : "",
			    r->error != 0 ? report_errno(r->error, number)
					  : "");
		return;
	}
	buf_printf(&b,
		   "cpu %d of cluster %s, instructions %" PRIu64
		   ": fixed 0 %" PRIu64 ", fixed 1 %" PRIu64 ", order %s",
		   r->cpu, cluster_name(r->s, r->cpu), expected, r->count[0],
		   r->count[1],
		   zero == one ? "unclear"
		   : (one ? 1u : 0u) == r->s->fixed[FIXED_INSTRUCTIONS]
			   ? "as ktop reads it"
			   : "not as ktop reads it");
	if (r->classes == KPERF_BOTH)
		put_probes(&b, r);
	report_line(r->x->out, key, "%s", buf_cstr(&b));
}

static void
measure_core(const struct examine *x, bool fast)
{
	const struct kperf_source *s = kperf_of(x->s);
	struct run r = { .x = x, .s = s, .fast = fast, .asked = "" };
	pthread_t thread;

	r.classes = s->set.len > 0 ? KPERF_BOTH : KPC_CLASS_FIXED_MASK;
	r.stride = kperf_counters_per_row(s->kpc, r.classes);
	if (pthread_create(&thread, NULL, run_thread, &r) != 0)
		return;
	(void)pthread_join(thread, NULL);
	loop_line(&r);
}

void
kperf_loops(struct examine *x)
{
	const struct kperf_source *s = kperf_of(x->s);
	const struct catalog *c = &s->events.catalog;
	const struct event *want[PROBES];
	struct eventset set = { .len = 0 };
	struct err e = { ERR_NONE, "" };
	unsigned n = 0;

	if (s->host->simulated || !run_known_loop(1)) {
		report_line(x->out, "loop", "not applicable: %s",
			    s->host->simulated
				    ? "simulated"
				    : "not known for this processor");
		return;
	}
	for (unsigned p = 0; s->set.len > 0 && p < PROBES; p++) {
		want[n] = catalog_find_any(c, probes[p].names);
		n += want[n] != NULL;
	}
	if (n > 0 && (!slots_place(c, want, n, &set, &e) ||
		      !kperf_program(x->s, &set, &e)))
		report_line(x->out, "loop's events", "%s", e.text);
	measure_core(x, true);
	measure_core(x, false);
}

/* A QoS class can request only the first or the last kind of core. */
static bool
ask_kind(struct source *s, unsigned kind)
{
	unsigned n = s->info.topology->nkinds;

	if (kind > 0 && kind + 1 < n)
		return false;
	(void)kperf_request_core(kind == 0);
	return true;
}

static int
cpu_here(struct source *s)
{
	uint64_t row[KPC_MAX_COUNTERS + 32];
	int cpu = -1;

	return kperf_of(s)->kpc->kpc_get_cpu_counters(
		       false, KPC_CLASS_FIXED_MASK, &cpu, row) == 0
		       ? cpu
		       : -1;
}

static uint64_t
run_simulated(struct source *s, unsigned kind, enum calibrate_loop loop,
	      int *cpu)
{
	return kperf_of(s)->host->loop(kind, loop, cpu);
}

void
kperf_calibrate(struct examine *x)
{
	struct calibrate_cores cores = { .ask = ask_kind, .cpu = cpu_here };

	if (kperf_of(x->s)->host->loop != NULL) {
		cores.ask = NULL;
		cores.run = run_simulated;
	}
	calibrate(x, &cores);
}
