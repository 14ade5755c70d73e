/*
 * A process of the simulated machine counted in three ways at once: the
 * system's account of it, its threads' own counters, and samples of them by
 * tracing the kernel. The truth is the table of threads, and the ways to it
 * share nothing but that.
 */
#include "source/kperf/kperf.h"

#include "kperf/host.h"
#include "source/all/sources.h"
#include "source/kperf/state.h"
#include "source/mac.h"

enum { THREADS = 64, LOOKS = 20 };

/* Nobody is on a CPU for longer without a sample: a period and two slices. */
#define TAIL_S 0.07
#define MOST_HZ 4e9

/* What a way has counted up to a moment, or between two. */
struct counts {
	uint64_t cycles, instructions;
	uint64_t slot[EVENTSET_MAX]; /* samples and own counters alone */
};

static struct process_reading reading;
static struct process_request wish;

static void
look(void)
{
	struct err e;

	read_now();
	wish.trace = true;
	if (!source->ops->processes(source, &wish, &reading, &e))
		fail_msg("%s", e.text);
	assert_int_equal(reading.traced.state, PROCESS_TRACING_ON);
}

static void
account(int32_t pid, struct counts *out)
{
	struct host_usage u;

	OK(sim_host()->proc_usage(pid, &u));
	*out = (struct counts){ .cycles = u.cycles,
				.instructions = u.instructions };
}

/* A thread's row now, read as by itself. Its first calls may be refused. */
static void
read_own(uint64_t id, uint64_t row[KPC_MAX_COUNTERS])
{
	unsigned tries = 0;
	int rc;

	sim_set_thread(id);
	do
		rc = sim_kperf()->kpc_get_thread_counters(0, KPC_MAX_COUNTERS,
							  row);
	while (rc != 0 && tries++ < 8);
	sim_set_thread(0);
	assert_int_equal(rc, 0);
}

static uint64_t first[THREADS][KPC_MAX_COUNTERS];

static void
own_begins(const uint64_t *id, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		read_own(id[i], first[i]);
}

static void
own_ends(const uint64_t *id, unsigned n, struct counts *out)
{
	const struct kperf_source *s = kperf_of(source);
	uint64_t sum[KPC_MAX_COUNTERS] = { 0 }, row[KPC_MAX_COUNTERS];

	for (unsigned i = 0; i < n; i++) {
		read_own(id[i], row);
		for (unsigned j = 0; j < s->stride; j++)
			sum[j] += row[j] - first[i][j];
	}
	memset(out, 0, sizeof *out);
	out->cycles = sum[s->fixed[FIXED_CYCLES]];
	out->instructions = sum[s->fixed[FIXED_INSTRUCTIONS]];
	for (unsigned j = 0; j < s->set.len; j++)
		out->slot[j] = sum[s->column[j]];
}

static void
add_samples(int32_t pid, struct counts *to)
{
	const struct process_counts *c =
		process_traced_find(&reading.traced, pid, 0);

	if (c == NULL)
		return;
	to->cycles += c->cycles;
	to->instructions += c->instructions;
	for (unsigned j = 0; j < kperf_of(source)->set.len; j++)
		to->slot[j] += c->slot[j];
}

static unsigned
threads_of(int32_t pid, uint64_t *id)
{
	int n = sim_host()->thread_list(pid, id, THREADS);

	assert_in_range(n, 1, THREADS);
	return (unsigned)n;
}

struct three {
	unsigned threads;
	struct counts account, own, samples; /* all of the same interval */
};

/* The same threads from its begin to its end. */
static void
count(int32_t pid, struct three *t)
{
	uint64_t id[THREADS], last[THREADS];
	struct counts before;

	memset(t, 0, sizeof *t);
	t->threads = threads_of(pid, id);
	account(pid, &before);
	own_begins(id, t->threads);
	for (unsigned i = 0; i < LOOKS; i++) {
		step_ms(503);
		look();
		add_samples(pid, &t->samples);
	}
	account(pid, &t->account);
	own_ends(id, t->threads, &t->own);
	assert_int_equal(threads_of(pid, last), t->threads);
	assert_memory_equal(id, last, t->threads * sizeof *id);
	t->account.cycles -= before.cycles;
	t->account.instructions -= before.instructions;
}

/* Exact, whoever asks: every cycle is in a thread, and none is in two. */
static void
own_is_the_account(const struct three *t)
{
	assert_true(t->own.cycles > 0 && t->own.instructions > 0);
	assert_int_equal(t->own.cycles, t->account.cycles);
	assert_int_equal(t->own.instructions, t->account.instructions);
}

/* What was on a CPU behind the last sample is not in it yet. */
static uint64_t
tails(const struct three *t)
{
	return (uint64_t)(t->threads * TAIL_S * MOST_HZ);
}

static void
not_far(uint64_t a, uint64_t b, uint64_t by)
{
	assert_in_range(a > b ? a - b : b - a, 0, by);
}

static void
samples_are_most_of_it(const struct three *t)
{
	uint64_t most = tails(t);

	not_far(t->samples.cycles, t->own.cycles, most);
	/* No core ends more than 8 instructions in a cycle. */
	not_far(t->samples.instructions, t->own.instructions, 8 * most);
	for (unsigned j = 0; j < kperf_of(source)->set.len; j++)
		not_far(t->samples.slot[j], t->own.slot[j], 8 * most);
}

static void
start_counting(const char *spec)
{
	process_reading_free(&reading);
	assert_true(process_reading_init(&reading, 0));
	wish = (struct process_request){ .top = 24, .opened = -1 };
	start(spec);
	program_ok("INST_ALL INST_BRANCH BRANCH_MISPRED_NONSPEC");
	/* All have had a CPU, so that their counters are theirs. */
	for (unsigned i = 0; i < 20; i++) {
		step_ms(503);
		look();
	}
}

/* Pid of slot 96 + n, a program's, and a job's process that does not end. */
enum { COMPUTE = 9800, MEMORY = 9900, JOB = 200 };

static int
close_all(void **state)
{
	process_reading_free(&reading);
	return stop(state);
}

UNIT_IN(one_thread_on_each_core, NULL, close_all)
{
	struct three t;

	start_counting("m1,clock=step,work=P:compute,work=E:memory");
	count(COMPUTE, &t);
	assert_int_equal(t.threads, 4);
	own_is_the_account(&t);
	samples_are_most_of_it(&t);
	/* 10 s on four cores: the tails are a fiftieth at most. */
	assert_true(t.samples.cycles > 50 * tails(&t));
	count(MEMORY, &t);
	own_is_the_account(&t);
	samples_are_most_of_it(&t);
	assert_int_equal(reading.traced.gaps, 0);
}

/* Threads that share cores, and move from kind to kind. */
UNIT_IN(threads_that_move, NULL, close_all)
{
	struct three t;

	start_counting("m2max,clock=step,seed=3");
	count(JOB, &t);
	assert_true(t.threads > 1);
	own_is_the_account(&t);
	samples_are_most_of_it(&t);
}

/* Records of some samples are missing: the next ones have the counts. */
UNIT_IN(torn_samples, NULL, close_all)
{
	struct three t;

	start_counting("m1,clock=step,work=P:compute,fault=drop:7@0s");
	count(COMPUTE, &t);
	own_is_the_account(&t);
	not_far(t.samples.cycles, t.own.cycles, 2 * tails(&t));
}

/* Lost records, which is said: counters go on, the next samples have it all. */
UNIT_IN(lost_samples, NULL, close_all)
{
	struct three t;

	start_counting("m1,clock=step,work=P:compute,fault=ring@12s-17s");
	count(COMPUTE, &t);
	own_is_the_account(&t);
	assert_true(reading.traced.gaps > 0);
	samples_are_most_of_it(&t);
}

/* Whoever has no buffer is refused, as by the kernel. */
UNIT_IN(nobody_there, NULL, close_all)
{
	uint64_t row[KPC_MAX_COUNTERS], id[THREADS];

	start_counting("m1,clock=step,work=P:compute");
	unsigned n = threads_of(COMPUTE, id);
	sim_set_thread(id[n - 1] + 63);
	assert_int_not_equal(
		sim_kperf()->kpc_get_thread_counters(0, KPC_MAX_COUNTERS, row),
		0);
	sim_set_thread(8193); /* idle */
	assert_int_not_equal(
		sim_kperf()->kpc_get_thread_counters(0, KPC_MAX_COUNTERS, row),
		0);
	sim_set_thread(id[0]);
	OK(sim_kperf()->kpc_get_thread_counters(0, KPC_MAX_COUNTERS, row));
	sim_set_thread(0);
}
