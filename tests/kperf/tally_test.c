/* Records of a trace, written by hand, and the counts that they make. */
#include "kperf/tally.h"

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { N = 10, START = 1, END = 2 }; /* an M1's two and eight */
enum { MS = 24000 };                 /* ticks */

static struct kperf_tally *tally;
static uint64_t now;
static struct kperf_tally_options options;

static int
setup(void **state)
{
	options = (struct kperf_tally_options){ .counters = N,
						.most = 64,
						.pid = -1,
						.cycles = 0,
						.most_hz = 3e9,
						.tick_hz = 24e6,
						.period_ns = 10000000 };
	tally = kperf_tally_new(&options);
	now = 1000 * MS;
	return tally != NULL ? 0 : -1;
}

static int
teardown(void **state)
{
	kperf_tally_free(tally);
	return 0;
}

static void
record(uint32_t cpu, uint64_t thread, uint32_t debugid, uint64_t a, uint64_t b,
       uint64_t c, uint64_t d)
{
	struct kperf_record r = { .timestamp = now,
				  .arg = { a, b, c, d },
				  .thread = thread,
				  .debugid = debugid,
				  .cpu = cpu };

	kperf_tally_add(tally, &r, 1);
}

/* who: first of three records, 0 to 2; each counter has base + its place. */
static void
part(uint32_t cpu, uint64_t thread, unsigned which, uint64_t base)
{
	static const uint32_t flag[] = { START, 0, END };

	record(cpu, thread, KPERF_REC_KPC_THREAD | flag[which],
	       base + which * 4, base + which * 4 + 1, base + which * 4 + 2,
	       base + which * 4 + 3);
}

static void
info(uint32_t cpu, int pid, uint64_t thread)
{
	record(cpu, thread, KPERF_REC_TI_DATA, (uint64_t)pid, thread, 0, 1);
}

static void
sample(uint32_t cpu, int pid, uint64_t thread, uint64_t base)
{
	info(cpu, pid, thread);
	for (unsigned i = 0; i < 3; i++)
		part(cpu, thread, i, base);
}

static void
newthread(uint64_t maker, uint64_t thread, int pid, bool exec, uint64_t unique)
{
	record(0, maker, KPERF_REC_NEWTHREAD, thread, (uint64_t)pid, exec,
	       unique);
}

static void
terminated(uint64_t thread, int pid, uint64_t unique)
{
	record(0, thread, KPERF_REC_TERMINATED, (uint64_t)pid, unique, 0, 0);
}

static void
zeros(uint32_t cpu, int pid, uint64_t thread)
{
	info(cpu, pid, thread);
	record(cpu, thread, KPERF_REC_KPC_THREAD | START, 0, 0, 0, 0);
	record(cpu, thread, KPERF_REC_KPC_THREAD, 0, 0, 0, 0);
	record(cpu, thread, KPERF_REC_KPC_THREAD | END, 0, 0, 0, 0);
}

static bool
row_of(int pid, uint64_t unique, struct kperf_tallied *out)
{
	for (unsigned i = 0; kperf_tally_process(tally, i, out); i++)
		if (out->pid == pid && out->unique == unique)
			return true;
	return false;
}

static uint64_t
delta_of(uint64_t thread, unsigned counter)
{
	struct kperf_tallied row;

	for (unsigned i = 0; kperf_tally_thread(tally, i, &row); i++)
		if (row.thread == thread)
			return row.delta[counter];
	return UINT64_MAX;
}

static const struct kperf_tally_quality *
quality(void)
{
	return kperf_tally_quality(tally);
}

/* A1 B1 A2 A3 B2 B3: two CPUs sample at one tick. */
UNIT_IN(joined_by_cpu, setup, teardown)
{
	kperf_tally_begin(tally);
	sample(0, 7, 70, 100);
	sample(1, 8, 80, 200);
	now += 10 * MS;
	info(0, 7, 70);
	info(1, 8, 80);
	part(0, 70, 0, 150);
	part(1, 80, 0, 270);
	part(0, 70, 1, 150);
	part(0, 70, 2, 150);
	part(1, 80, 1, 270);
	part(1, 80, 2, 270);
	for (unsigned i = 0; i < N; i++) {
		assert_int_equal(delta_of(70, i), 50);
		assert_int_equal(delta_of(80, i), 70);
		assert_int_equal(kperf_tally_sum(tally)[i], 120);
	}
	assert_int_equal(quality()->samples, 4);
	assert_int_equal(quality()->first, 2);
	assert_int_equal(quality()->torn, 0);
	kperf_tally_begin(tally);
	assert_int_equal(delta_of(70, 0), UINT64_MAX);
	assert_int_equal(kperf_tally_sum(tally)[0], 120);
}

/* Lengths of 10, 8, 4 and 2 counters, and none at all: 1,0,2; 1,2; 1; 1. */
UNIT_IN(lengths, setup, teardown)
{
	static const unsigned counters[] = { 8, 4, 2 };

	for (unsigned i = 0; i < 3; i++) {
		kperf_tally_free(tally);
		options.counters = counters[i];
		tally = kperf_tally_new(&options);
		kperf_tally_begin(tally);
		for (unsigned j = 0; j < 3; j++) {
			info(0, 7, 70);
			part(0, 70, 0, 100 + 10 * j);
			if (counters[i] == 8)
				record(0, 70, KPERF_REC_KPC_THREAD | END,
				       104 + 10 * j, 1, 2, 3);
			/* eleven zeros are three records anyhow */
			zeros(0, 8, 80);
		}
		assert_int_equal(delta_of(70, 0), 20);
		assert_int_equal(delta_of(70, 1), 20);
		assert_int_equal(quality()->torn, 0);
		assert_int_equal(quality()->unbuffered, 3);
		assert_int_equal(delta_of(80, 0), 0);
	}
}

/* Any record may be the one that is lost: the next sample covers it all. */
UNIT_IN(torn, setup, teardown)
{
	for (unsigned lost = 0; lost < 3; lost++) {
		kperf_tally_begin(tally);
		sample(0, 7, 70 + lost, 100);
		now += 10 * MS;
		info(0, 7, 70 + lost);
		for (unsigned i = 0; i < 3; i++)
			if (i != lost)
				part(0, 70 + lost, i, 200);
		assert_int_equal(delta_of(70 + lost, 0), 0);
		now += 10 * MS;
		sample(0, 7, 70 + lost, 300);
		assert_int_equal(delta_of(70 + lost, 0), 200);
		assert_int_equal(delta_of(70 + lost, 9), 200);
	}
	/* Without its beginning nobody knows that it was one. */
	assert_int_equal(quality()->torn, 2);
	/* After a gap what was begun is not gone on with. */
	info(0, 7, 70);
	part(0, 70, 0, 400);
	record(0, 0, KPERF_REC_LOST, 0, 0, 0, 0);
	part(0, 70, 1, 400);
	part(0, 70, 2, 400);
	assert_int_equal(quality()->samples, 6);
	/* The pid of one thread is not another's. */
	info(0, 9, 90);
	for (unsigned i = 0; i < 3; i++)
		part(0, 91, i, 500);
	assert_int_equal(delta_of(91, 0), UINT64_MAX);
}

/* Counts that fell, or that no CPU can have counted in that time. */
UNIT_IN(rejected, setup, teardown)
{
	kperf_tally_begin(tally);
	sample(0, 7, 70, 1000);
	now += 10 * MS;
	sample(0, 7, 70, 900);
	assert_int_equal(quality()->rejected, 1);
	assert_int_equal(delta_of(70, 0), 0);
	now += 10 * MS; /* 20 ms with a period more at 3 GHz: 63 million */
	sample(0, 7, 70, 900 + 62000000);
	assert_int_equal(quality()->rejected, 1);
	assert_int_equal(delta_of(70, 0), 62000000);
	now += 10 * MS;
	sample(0, 7, 70, 900 + 62000000 + 64000000);
	assert_int_equal(quality()->rejected, 2);
	assert_int_equal(delta_of(70, 0), 62000000);
	now += 10 * MS;
	sample(0, 7, 70, 900 + 62000000 + 64000000 + 5);
	assert_int_equal(delta_of(70, 0), 62000005);
	/* A set that changes: totals of before mean nothing. */
	kperf_tally_restart(tally);
	sample(0, 7, 70, 10);
	assert_int_equal(quality()->rejected, 2);
	now += 10 * MS;
	sample(0, 7, 70, 17);
	assert_int_equal(delta_of(70, 0), 62000012);
}

/* Its counters began with it; the dying one's last sample may come late. */
UNIT_IN(births_and_deaths, setup, teardown)
{
	struct kperf_tallied row;

	kperf_tally_begin(tally);
	newthread(5, 70, 7, false, 1234);
	now += 10 * MS;
	sample(0, 7, 70, 500);
	assert_int_equal(delta_of(70, 0), 500);
	assert_true(row_of(7, 1234, &row));
	assert_int_equal(row.threads, 1);
	terminated(70, 7, 1234);
	kperf_tally_begin(tally);
	sample(0, 7, 70, 800);
	assert_int_equal(delta_of(70, 0), 300);
	assert_true(kperf_tally_thread(tally, 0, &row));
	assert_true(row.ended);
	kperf_tally_begin(tally);
	assert_false(kperf_tally_thread(tally, 0, &row));
	kperf_tally_begin(tally);
	/* Nothing is left of it. */
	now += 10 * MS;
	sample(0, 7, 70, 900);
	assert_int_equal(delta_of(70, 0), 0);
	assert_true(row_of(7, 0, &row));
}

UNIT_IN(pid_comes_back, setup, teardown)
{
	struct kperf_tallied row;

	kperf_tally_begin(tally);
	sample(0, 7, 70, 100);
	terminated(70, 7, 1111);
	newthread(5, 71, 7, false, 2222);
	now += 5 * MS;
	sample(0, 7, 70, 150);
	sample(1, 7, 71, 30);
	assert_true(row_of(7, 1111, &row));
	assert_int_equal(row.delta[0], 50);
	assert_true(row_of(7, 2222, &row));
	assert_int_equal(row.delta[0], 30);
	/* One whose birth nobody saw is of the newer one. */
	sample(1, 7, 72, 30);
	now += 5 * MS;
	sample(1, 7, 72, 40);
	assert_true(row_of(7, 2222, &row));
	assert_int_equal(row.delta[0], 40);
	assert_int_equal(row.threads, 2);
}

/* An exec keeps the process, and so do threads that its own threads make. */
UNIT_IN(exec_and_children, setup, teardown)
{
	static const struct kperf_mapped map[] = { { 70, 7, "a" },
						   { 71, 7, "a" },
						   { 1, 1, "launchd" } };
	struct kperf_tallied row;

	kperf_tally_map(tally, map, 3);
	kperf_tally_begin(tally);
	newthread(70, 72, 7, false, 1111); /* by its own thread */
	newthread(70, 80, 8, false, 2222); /* a child */
	newthread(71, 73, 7, true, 1111);  /* it execs */
	terminated(70, 7, 1111);
	terminated(71, 7, 1111);
	now += 10 * MS;
	sample(0, 7, 72, 10);
	sample(0, 7, 73, 20);
	sample(0, 8, 80, 40);
	assert_true(row_of(7, 1111, &row));
	assert_int_equal(row.delta[0], 30);
	assert_true(row_of(8, 2222, &row));
	assert_int_equal(row.delta[0], 40);
	assert_false(row_of(7, 0, &row));
	/* From the map, and born all the same: it counted from zero. */
	kperf_tally_map(tally, (struct kperf_mapped[]){ { 74, 7, "a" } }, 1);
	newthread(72, 74, 7, false, 1111);
	now += 10 * MS;
	sample(0, 7, 74, 60);
	assert_int_equal(delta_of(74, 0), 60);
}

/* Each lives a moment: they are many times what there is room for. */
UNIT_IN(storm, setup, teardown)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < 10000; i++) {
		if (i % 16 == 0)
			kperf_tally_begin(tally);
		now += MS;
		newthread(5, 1000 + i, (int)(2 + i % 40), false, i + 1);
		sample(0, (int)(2 + i % 40), 1000 + i, i);
		terminated(1000 + i, (int)(2 + i % 40), i + 1);
		sample(0, (int)(2 + i % 40), 1000 + i, i + 3);
		sum += i + 3;
	}
	assert_int_equal(quality()->forgotten, 0);
	assert_int_equal(quality()->rejected, 0);
	assert_int_equal(kperf_tally_sum(tally)[0], sum);
}

/* Who sleeps for the longest goes first, and is new when it comes back. */
UNIT_IN(no_room, setup, teardown)
{
	kperf_tally_begin(tally);
	sample(0, 2, 1, 10);
	for (uint64_t i = 2; i <= 65; i++) { /* room for 64 */
		kperf_tally_begin(tally);
		now += MS;
		sample(0, 2, i, 10);
	}
	assert_int_equal(quality()->forgotten, 1);
	kperf_tally_begin(tally);
	now += MS;
	sample(0, 2, 65, 20);
	sample(0, 2, 3, 20);
	sample(0, 2, 1, 20);
	assert_int_equal(delta_of(65, 0), 10);
	assert_int_equal(delta_of(3, 0), 10);
	assert_int_equal(delta_of(1, 0), 0);
	/* More in one reading than there is room for: not counted, and said. */
	kperf_tally_begin(tally);
	for (uint64_t i = 0; i < 200; i++)
		sample(0, (int)(3 + i), 1000 + i, 10);
	assert_int_equal(quality()->forgotten, 2 + 200);
}

/* Whatever comes, in whatever order: no crash, and sums that agree. */
UNIT_IN(any_order, setup, teardown)
{
	static const uint32_t ids[] = {
		KPERF_REC_TI_DATA,    KPERF_REC_KPC_THREAD | START,
		KPERF_REC_KPC_THREAD, KPERF_REC_KPC_THREAD | END,
		KPERF_REC_NEWTHREAD,  KPERF_REC_TERMINATED,
		KPERF_REC_LOST,       0x25000001
	};
	uint64_t x = 88172645463325252u, sums[N] = { 0 };
	struct kperf_tallied row;

	for (unsigned round = 0; round < 400; round++) {
		kperf_tally_begin(tally);
		for (unsigned i = 0; i < 500; i++) {
			x ^= x << 13, x ^= x >> 7, x ^= x << 17;
			now += x % 100;
			record((uint32_t)(x >> 8 & 3) * (x >> 60 == 0 ? 99 : 1),
			       x >> 12 & 3, ids[x >> 20 & 7],
			       (x >> 24 & 3) + round / 100, x >> 32 & 127,
			       x >> 40 & 127, x >> 45 & 127);
		}
		for (unsigned i = 0; kperf_tally_process(tally, i, &row); i++)
			for (unsigned j = 0; j < N; j++)
				sums[j] += row.delta[j];
		assert_memory_equal(sums, kperf_tally_sum(tally), sizeof(sums));
	}
	assert_true(quality()->samples > 20 && quality()->torn > 100);
}
