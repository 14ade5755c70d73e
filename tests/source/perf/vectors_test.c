/* What counts of one CPU mean: the vectors 1 to 22 and 48, by their numbers. */
#include "source/fake_perf.h"

enum { P_TYPE = 4 };

#define GIGA UINT64_C(1000000000)

/* An i9-12900K counting cycles and instructions; CPU 0 is looked at. */
static void
start(struct rig *r)
{
	rig_start(r, "alderlake-12900k", NULL);
	assert_int_equal(r->s->info.mode, SOURCE_IPC);
	fake_second(r->f, GIGA);
	assert_null(rig_read(r)); /* the first reading is a baseline */
}

/* One interval of CPU 0: the clock by en, busy ticks of 100. */
static void
interval(struct rig *r, uint64_t en, uint64_t run, uint64_t cycles,
	 uint64_t work, unsigned busy)
{
	r->f->now_ns += (int64_t)GIGA;
	for (int cpu = 1; cpu < 24; cpu++)
		if (!fake_leader(r->f, cpu)->torn)
			fake_times(r->f, cpu, GIGA, GIGA);
	fake_times(r->f, 0, en, run);
	fake_find(r->f, 0, P_TYPE, 0x3c)->value += cycles;
	fake_find(r->f, 0, P_TYPE, 0xc0)->value += work;
	r->ticks[0][0] += busy;
	r->ticks[0][1] += 100 - busy;
	rig_stat(r);
	rig_read(r);
}

static uint32_t
quality(const struct rig *r)
{
	return r->frame->span[0].quality;
}

UNIT(v1_full_coverage)
{
	struct rig r;

	start(&r);
	interval(&r, GIGA, GIGA, 3 * GIGA, 6 * GIGA, 100);
	assert_true(near(rig_value(&r, 0, "ipc"), 2));
	assert_true(near(rig_value(&r, 0, "ghz"), 3));
	assert_int_equal(quality(&r) & (QUALITY_MUX | QUALITY_APPROX), 0);
	rig_close(&r);
}

UNIT(v2_half_of_the_time)
{
	struct rig r;

	start(&r);
	interval(&r, GIGA, GIGA / 2, 3 * GIGA / 2, 3 * GIGA, 100);
	assert_true(near(rig_value(&r, 0, "ipc"), 2)); /* no scaling */
	assert_true(near(rig_value(&r, 0, "ghz"), 3)); /* scaled */
	assert_true(quality(&r) & QUALITY_MUX);
	rig_close(&r);
}

UNIT(v3_v4_starved)
{
	struct rig r;

	start(&r);
	for (int i = 0; i < 3; i++) {
		assert_null(strstr(r.s->info.notice, "profiler"));
		interval(&r, GIGA, 0, 0, 0, 100);
		assert_true(isnan(rig_value(&r, 0, "ipc")));
		assert_int_equal(rig_state(&r, 0, "ipc"), VALUE_IN_USE);
	}
	assert_non_null(strstr(r.s->info.notice, "profiler"));
	interval(&r, GIGA, GIGA, GIGA, GIGA, 100);
	assert_string_equal(r.s->info.notice, ""); /* over, so gone */
	rig_close(&r);
}

UNIT(v5_too_little_to_guess_from)
{
	struct rig r;

	start(&r);
	interval(&r, GIGA, GIGA / 100 * 9, GIGA / 10, GIGA / 5, 100);
	assert_true(near(rig_value(&r, 0, "ipc"), 2));
	assert_true(quality(&r) & QUALITY_MUX);
	assert_true(isnan(rig_value(&r, 0, "gips")));
	assert_int_equal(rig_state(&r, 0, "gips"), VALUE_NOT_COUNTED);
	rig_close(&r);
}

UNIT(v6_v8_time_stands_still)
{
	struct rig r;
	unsigned opens;

	start(&r);
	opens = r.f->opens;
	interval(&r, 0, 0, 0, 0, 50);
	assert_true(isnan(rig_value(&r, 0, "ipc")));
	assert_int_equal(rig_state(&r, 0, "ipc"), VALUE_STALE);
	assert_true(r.f->opens > opens); /* opened again at once */
	/* The new group counts from 0; the row shows no jump. */
	interval(&r, GIGA, GIGA, 3 * GIGA, 6 * GIGA, 100);
	assert_true(near(rig_value(&r, 0, "ipc"), 2));
	assert_true(near(rig_value(&r, 0, "gips"), 6)); /* by enabled time */
	assert_true(
		near(span_interval_s(&r.frame->span[0]), 1)); /* and no more */
	assert_true(quality(&r) & QUALITY_CATCHUP);
	rig_close(&r);
}

static bool
one_member(struct fake *f, struct fake_event *e, void *buf, ssize_t *n)
{
	uint64_t *w = buf;

	if (e->cpu != 0 || e->member[0] != f->failures)
		return false;
	w[0] = 1;
	w[1] = e->en;
	w[2] = e->run;
	memset(w + 3, 0, 4 * sizeof(*w));
	*n = f->arg != NULL ? 56 : 40;
	return true;
}

UNIT(v7_torn_group)
{
	for (int full = 0; full < 2; full++) { /* 6.1 gives the full length */
		struct rig r;
		unsigned opens;

		start(&r);
		opens = r.f->opens;
		r.f->failures = fake_leader(r.f, 0)->member[0];
		r.f->arg = full ? &r : NULL;
		r.f->on_read = one_member;
		interval(&r, GIGA, GIGA, GIGA, GIGA, 100);
		assert_int_equal(rig_state(&r, 0, "ipc"), VALUE_STALE);
		assert_int_equal(r.f->opens, opens + 2);
		interval(&r, GIGA, GIGA, GIGA, 2 * GIGA, 100);
		assert_true(near(rig_value(&r, 0, "ipc"), 2));
		rig_close(&r);
	}
}

static bool
failing(struct fake *f, struct fake_event *e, void *buf, ssize_t *n)
{
	if (e->cpu != 0 || f->failures == 0)
		return false;
	f->failures--;
	errno = *(int *)f->arg;
	*n = errno == 0 ? 0 : -1;
	return true;
}

UNIT(v9_v10_v11_readings_that_fail)
{
	static int codes[] = { 0, ENOSPC }, interrupted = EINTR;
	struct rig r;

	start(&r);
	r.f->on_read = failing;
	for (int i = 0; i < 2; i++) {
		unsigned reads = r.f->reads;

		r.f->failures = 1;
		r.f->arg = &codes[i];
		interval(&r, GIGA, GIGA, GIGA, GIGA, 100);
		assert_int_equal(rig_state(&r, 0, "ipc"), VALUE_STALE);
		assert_int_equal(r.f->reads, reads + 24); /* once each */
	}
	r.f->failures = 2;
	r.f->arg = &interrupted;
	interval(&r, GIGA, GIGA, GIGA, 2 * GIGA, 100);
	/* Three seconds of 4e9 over 3e9: all is in. */
	assert_true(near(rig_value(&r, 0, "ipc"), 4.0 / 3));
	rig_close(&r);
}

UNIT(v12_v13_v15_no_cycles)
{
	struct rig r;

	start(&r);
	interval(&r, GIGA, GIGA, 0, 0, 0);
	assert_int_equal(rig_state(&r, 0, "ipc"), VALUE_IDLE);
	assert_true(quality(&r) & QUALITY_IDLE);
	interval(&r, GIGA, GIGA, 0, 0, 100);
	assert_true(quality(&r) & QUALITY_APPROX); /* busy without a cycle */
	assert_true(isnan(rig_value(&r, 0, "ipc")));
	interval(&r, GIGA, GIGA, 1000, 900, 0);
	assert_int_equal(rig_state(&r, 0, "ipc"), VALUE_IDLE);
	/* ... and its sums have them all the same. */
	assert_int_equal(r.frame->span[frame_scope_all(r.frame)].cycles, 1000);
	rig_close(&r);
}

UNIT(v14_v16_implausible)
{
	struct rig r;

	start(&r);
	interval(&r, GIGA, GIGA, 2 * GIGA, 0, 100);
	assert_true(isnan(rig_value(&r, 0, "ipc"))); /* never 0.00 */
	assert_true(quality(&r) & QUALITY_APPROX);
	interval(&r, GIGA, GIGA, GIGA / 100, GIGA / 100 * 40, 100);
	assert_true(quality(&r) & QUALITY_APPROX);
	rig_close(&r);
}

UNIT(v17_v18_v19_totals)
{
	struct fake_event *cycles, *work;
	struct rig r;

	rig_start(&r, "alderlake-12900k", NULL);
	cycles = fake_find(r.f, 0, P_TYPE, 0x3c);
	work = fake_find(r.f, 0, P_TYPE, 0xc0);
	fake_second(r.f, 0);
	cycles->value = work->value = UINT64_MAX - 4;
	rig_read(&r);
	interval(&r, GIGA, GIGA, 15, 15, 0);
	assert_int_equal(r.frame->span[0].cycles, 15);
	interval(&r, GIGA, GIGA, GIGA, GIGA, 100);
	cycles->value -= 600; /* backwards: dropped */
	r.f->now_ns += (int64_t)GIGA;
	fake_times(r.f, 0, GIGA, GIGA);
	rig_read(&r);
	assert_int_equal(rig_state(&r, 0, "ipc"), VALUE_STALE);
	interval(&r, GIGA, GIGA, 2 * GIGA, 4 * GIGA, 100);
	interval(&r, GIGA, GIGA, 2 * GIGA, 4 * GIGA, 100);
	assert_true(near(rig_value(&r, 0, "ipc"), 2));
	fake_leader(r.f, 0)->en -= 100; /* time goes back: the same */
	r.f->now_ns += (int64_t)GIGA;
	rig_read(&r);
	assert_int_equal(rig_state(&r, 0, "ipc"), VALUE_STALE);
	rig_close(&r);
}

UNIT(v21_late_tick)
{
	struct rig r;

	start(&r);
	r.f->now_ns -= (int64_t)GIGA / 100 * 55;
	interval(&r, GIGA / 100 * 45, GIGA / 100 * 45, GIGA / 100 * 90, GIGA,
		 100);
	assert_true(near(r.frame->interval_s, 0.45));
	assert_true(near(rig_value(&r, 0, "gips"), 1 / 0.45));
	assert_true(near(rig_value(&r, 0, "ghz"), 2));
	rig_close(&r);
}

UNIT(v22_suspend)
{
	struct rig r;

	start(&r);
	for (int cpu = 1; cpu < 24; cpu++)
		fake_leader(r.f, cpu)->torn = true;
	r.f->slept_ns += 3600 * (int64_t)GIGA;
	unsigned opens = r.f->opens;

	interval(&r, GIGA, GIGA, GIGA, GIGA, 100);
	assert_true(r.frame->quality & QUALITY_GAP);
	assert_int_equal(r.f->opens, opens + 2 * 23); /* CPU 0's is kept */
	assert_true(near(rig_value(&r, 0, "gips"), 1));
	rig_second(&r, GIGA);
	for (unsigned cpu = 0; cpu < 24; cpu++)
		assert_true(near(rig_value(&r, cpu, "gips"), 1)); /* no spike */
	rig_close(&r);
}

UNIT(v48_lazy)
{
	struct rig r;
	unsigned before;

	rig_prepare(&r, "rk3588");
	r.o.lazy = true;
	rig_open(&r);
	rig_second(&r, GIGA);
	before = r.f->reads;
	for (int i = 0; i < 10; i++) {
		for (int cpu = 0; cpu < 8; cpu++)
			r.ticks[cpu][1] += 100;
		rig_stat(&r);
		rig_second(&r, 1000);
	}
	assert_int_equal(r.f->reads - before, 8); /* of each CPU 1 in 10 */
	for (int i = 0; i < 5; i++) {
		for (int cpu = 0; cpu < 8; cpu++)
			r.ticks[cpu][1] += 100;
		rig_stat(&r);
		rig_second(&r, 1000);
	}
	for (int cpu = 0; cpu < 8; cpu++)
		r.ticks[cpu][0] += 100;
	rig_stat(&r);
	rig_second(&r, 10 * GIGA);
	assert_true(near(span_interval_s(&r.frame->span[0]), 6));
	assert_true(r.frame->span[0].quality & QUALITY_CATCHUP);
	assert_true(near(rig_value(&r, 0, "gips"), (10 + 5e-6) / 6));
	/* While a recording is made every row is read. */
	r.s->recording = true;
	before = r.f->reads;
	for (int i = 0; i < 4; i++) {
		for (int cpu = 0; cpu < 8; cpu++)
			r.ticks[cpu][1] += 100;
		rig_stat(&r);
		rig_second(&r, 1000);
	}
	assert_int_equal(r.f->reads - before, 32);
	rig_close(&r);
}
