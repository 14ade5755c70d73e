/* What a frame says when something was not as usual. */
#include "model/near.h"

UNIT(test_swap)
{
	struct rig r;
	double age;
	unsigned br = (unsigned)metric_find("branch_mpki");

	rig_open(&r, "a14", "basic", true);
	rig_work(&r);
	rig_count(&r, 0, "INST_ALL", 2000000000);
	rig_count(&r, 0, "BRANCH_MISPRED_NONSPEC", 4000000);
	const struct frame *f = rig_feed(&r);

	assert_value(f, 0, "branch_mpki", 2);
	/* 100 ms into the next second the set changes; totals go on. */
	rig_pass(&r, 100, 0);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		rig_run(&r, i, 200000000, 300000000);
	rig_set(&r, "dtlb");
	r.s->flags = SAMPLE_BASELINE;
	r.s->cpu[0].slot[rig_slot(&r, "INST_ALL")].count += 123456789;
	assert_null(rig_feed(&r));
	r.s->flags = 0;
	rig_pass(&r, 900, 0);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		rig_run(&r, i, 1800000000, 2700000000);
	rig_count(&r, 0, "INST_ALL", 1800000000);
	rig_count(&r, 0, "L1D_TLB_MISS_NONSPEC", 9000000);
	rig_count(&r, 0, "MMU_TABLE_WALK_DATA", 4500);
	f = rig_feed(&r);
	assert_int_equal(f->seq, 1);
	assert_int_equal(f->quality, QUALITY_SWAP);
	assert_int_equal(f->span[1].quality, QUALITY_SWAP);
	assert_string_equal(f->set->name, "dtlb");
	assert_true(near(f->interval_s, 1));
	assert_int_equal(f->span[0].cycles, 2000000000);
	assert_true(near(span_interval_s(&f->span[0]), 1));
	assert_true(near(span_event_s(&f->span[0]), 0.9));
	assert_true(near(span_coverage(&f->span[0]), 0.9));
	assert_int_equal(f->span[0].slot[rig_slot(&r, "INST_ALL")], 1800000000);
	assert_value(f, 0, "l1dtlb_mpki", 5);
	/* A rate divides by the time the event was counted. */
	assert_value(f, 0, "walk_d_per_s", 5000);
	assert_int_equal(rig_state(f, 0, "branch_mpki"), VALUE_NOT_COUNTED);
	assert_true(near(monitor_last(r.m, 0, br, &age), 2));
	assert_true(near(age, 1));
	(void)monitor_last(r.m, 0, (unsigned)metric_find("stall_pct"), &age);
	rig_work(&r);
	f = rig_feed(&r);
	assert_int_equal(f->quality, 0);
	assert_true(near(span_coverage(&f->span[0]), 1));
	rig_close(&r);
}

/* Sets that take turns lose some milliseconds: no row is in trouble by that. */
UNIT(test_short_swap)
{
	struct rig r;

	rig_open(&r, "a14", "basic", true);
	rig_work(&r);
	assert_non_null(rig_feed(&r));
	for (int lost = 40; lost <= 60; lost += 20) {
		rig_pass(&r, lost, 0);
		for (unsigned i = 0; i < RIG_CPUS; i++)
			rig_run(&r, i, 100000000, 150000000);
		rig_set(&r, lost == 40 ? "l1d" : "basic");
		r.s->flags = SAMPLE_BASELINE;
		assert_null(rig_feed(&r));
		r.s->flags = 0;
		rig_pass(&r, 1000 - lost, 0);
		for (unsigned i = 0; i < RIG_CPUS; i++)
			rig_run(&r, i, 2000000000, 3000000000);

		const struct frame *f = rig_feed(&r);

		assert_int_equal(f->quality, QUALITY_SWAP);
		for (unsigned i = 0; i < f->nscopes; i++)
			assert_int_equal(f->span[i].quality,
					 lost == 40 ? 0 : QUALITY_SWAP);
	}
	rig_close(&r);
}

/* A core that was silent at the swap has its slots a frame later. */
UNIT(test_swap_while_silent)
{
	struct rig r;

	rig_open(&r, "a14", "basic", true);
	rig_work(&r);
	assert_non_null(rig_feed(&r));
	rig_pass(&r, 1, 0);
	for (unsigned i = 0; i < 3; i++) /* CPU 3 is off */
		rig_run(&r, i, 2000000, 2000000);
	rig_set(&r, "l1d");
	r.s->flags = SAMPLE_BASELINE;
	assert_null(rig_feed(&r));
	r.s->flags = 0;
	rig_work(&r);
	rig_count(&r, 3, "INST_ALL", 1000);
	const struct frame *f = rig_feed(&r);
	unsigned slot = rig_slot(&r, "INST_ALL");

	assert_true(span_has_fixed(&f->span[3]));
	assert_false(span_has_slot(&f->span[3], slot));
	assert_true(span_has_slot(&f->span[2], slot));
	assert_false(span_has_slot(&f->span[RIG_P], slot));
	assert_int_equal(rig_state(f, 3, "l1d_ld_mpki"), VALUE_STALE);
	rig_work(&r);
	rig_count(&r, 3, "INST_ALL", 1000);
	f = rig_feed(&r);
	assert_true(span_has_slot(&f->span[3], slot));
	assert_int_equal(f->span[3].slot[slot], 1000);
	rig_close(&r);
}

UNIT(test_stolen)
{
	struct rig r;

	rig_open(&r, "a14", "basic", true);
	unsigned slot = rig_slot(&r, "INST_ALL");

	for (int i = 0; i < 5; i++) {
		r.s->flags = i == 1 || i == 2 ? SAMPLE_TAKEN_OVER : 0;
		rig_work(&r);
		for (unsigned c = 0; c < RIG_CPUS; c++)
			rig_count(&r, c, "INST_ALL", 1000 + (unsigned)i);
		const struct frame *f = rig_feed(&r);
		bool bad = i >= 1 && i <= 3; /* and the first after it */

		assert_int_equal(f->quality, bad ? QUALITY_TAKEN_OVER : 0);
		assert_int_equal(f->span[0].quality, f->quality);
		assert_int_equal(span_has_slot(&f->span[0], slot), !bad);
		assert_value(f, 0, "ipc", 1.5);
		assert_int_equal(isnan(rig_value(f, 0, "user_ipc")) != 0,
				 bad || i == 0 ||
					 i == 4); /* no cycles in this rig */
		if (bad)
			assert_int_equal(rig_state(f, 0, "branch_mpki"),
					 VALUE_STALE);
		if (i == 4) {
			assert_int_equal(f->span[0].slot[slot], 1004);
			assert_int_equal(f->health.stolen_frames, 2);
		}
	}
	rig_close(&r);
}

/* A core silent during the theft does not bring the thief's counts home. */
UNIT(test_stolen_while_silent)
{
	struct rig r;

	rig_open(&r, "a14", "basic", true);
	unsigned slot = rig_slot(&r, "INST_ALL");

	r.s->flags = SAMPLE_TAKEN_OVER;
	r.s->cpu[3].state = CPU_MISSING;
	rig_work(&r);
	(void)rig_feed(&r);
	r.s->flags = 0;
	for (int i = 0; i < 3; i++) {
		rig_work(&r);
		rig_count(&r, 3, "INST_ALL", 1000);
		if (i == 1)
			r.s->cpu[3].state = CPU_DELIVERED;
		const struct frame *f = rig_feed(&r);

		assert_int_equal(span_has_slot(&f->span[3], slot), i == 2);
		assert_int_equal(f->span[3].slot[slot], i == 2 ? 1000 : 0);
	}
	rig_close(&r);
}

/* What was taken back by programming again is clean at once. */
UNIT(test_stolen_then_swapped)
{
	struct rig r;

	rig_open(&r, "a14", "basic", true);
	r.s->flags = SAMPLE_TAKEN_OVER;
	rig_work(&r);
	assert_int_equal(rig_feed(&r)->quality, QUALITY_TAKEN_OVER);
	r.s->flags = SAMPLE_BASELINE;
	rig_pass(&r, 1, 0);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		rig_run(&r, i, 2000000, 2000000);
	assert_null(rig_feed(&r));
	r.s->flags = 0;
	rig_work(&r);
	rig_count(&r, 0, r.set.slot[0].event->name, 1000);
	const struct frame *f = rig_feed(&r);

	assert_int_equal(f->quality, QUALITY_SWAP);
	assert_true(span_has_slot(&f->span[0], 0));
	rig_close(&r);
}

static void
mux(struct rig *r, unsigned cpu, uint64_t enabled_ms, uint64_t running_ms)
{
	struct cpu_sample *c = &r->s->cpu[cpu];

	for (unsigned k = 0; k < FIXED_COUNT; k++) {
		c->fixed[k].enabled_ns += enabled_ms * 1000000;
		c->fixed[k].running_ns += running_ms * 1000000;
	}
	for (unsigned k = 0; k < r->set.len; k++) {
		c->slot[k].enabled_ns += enabled_ms * 1000000;
		c->slot[k].running_ns += running_ms * 1000000;
	}
}

/* A rig whose counters have clocks of their own, one second on. */
static void
muxed_open(struct rig *r)
{
	rig_open(r, "a14", "basic", false);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		mux(r, i, 1000, 1000);
	monitor_free(r->m);
	r->m = monitor_new(
		r->t,
		&(struct monitor_options){ .catalog = &r->events->catalog },
		NULL);
	assert_null(rig_feed(r));
	rig_pass(r, 1000, 0);
}

/* The perf sheet's vectors on one group per CPU. */
UNIT(test_mux)
{
	struct rig r;
	const struct frame *f;

	muxed_open(&r);
	rig_run(&r, 0, 3000000000, 6000000000); /* full */
	mux(&r, 0, 1000, 1000);
	rig_run(&r, 1, 1500000000, 3000000000); /* half the time */
	rig_count(&r, 1, "CORE_ACTIVE_CYCLE", 750000000);
	mux(&r, 1, 1000, 500);
	mux(&r, 2, 1000, 0);                 /* not for a moment */
	rig_run(&r, 3, 90000000, 180000000); /* 9 % */
	mux(&r, 3, 1000, 90);
	f = rig_feed(&r);

	assert_value(f, 0, "ipc", 2);
	assert_int_equal(f->span[0].quality, 0);
	assert_true(near(span_coverage(&f->span[0]), 1));

	assert_value(f, 1, "ipc", 2);
	assert_int_equal(f->span[1].quality, QUALITY_MUX);
	assert_true(near(span_coverage(&f->span[1]), 0.5));
	assert_int_equal(f->span[1].cycles, 1500000000); /* as counted */
	assert_value(f, 1, "gips", 6);
	assert_value(f, 1, "user_pct", 50);

	assert_int_equal(f->span[2].quality, QUALITY_MUX);
	assert_int_equal(f->span[2].n_ok, 0);
	assert_int_equal(rig_state(f, 2, "ipc"), VALUE_IN_USE);
	assert_true(isnan(rig_value(f, 2, "ipc")));

	assert_value(f, 3, "ipc", 2);
	assert_true(isnan(rig_value(f, 3, "gips")));
	assert_int_equal(rig_state(f, 3, "gips"), VALUE_NOT_COUNTED);
	assert_value(f, RIG_ALL, "ipc", 2);
	assert_int_equal(f->span[RIG_ALL].n_ok, 3);

	/* A dead counter: enabled time stands still. */
	rig_pass(&r, 1000, 0);
	mux(&r, 1, 1000, 1000);
	rig_run(&r, 1, 1000000000, 1000000000);
	f = rig_feed(&r);
	assert_int_equal(f->span[0].quality, QUALITY_STALE);
	assert_int_equal(rig_state(f, 0, "ipc"), VALUE_STALE);
	assert_int_equal(f->span[1].quality, 0);
	/* Enabled time that goes back is a reset, first seen as a bad row. */
	rig_pass(&r, 1000, 0);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		mux(&r, i, 1000, 1000);
	r.s->cpu[1].fixed[0].enabled_ns = 5;
	f = rig_feed(&r);
	assert_int_equal(f->span[1].quality, QUALITY_STALE);
	rig_close(&r);
}

/*
 * A CPU that answers late has counted for longer than the frame, and for less
 * in the next: its rates are over the time its counters themselves give.
 */
UNIT(test_answered_late)
{
	struct rig r;
	const struct frame *f;

	muxed_open(&r);
	rig_run(&r, 0, 2400000000, 4800000000);
	mux(&r, 0, 1200, 1200);
	f = rig_feed(&r);
	assert_value(f, 0, "gips", 4);
	assert_true(near(span_coverage(&f->span[0]), 1));

	rig_pass(&r, 1000, 0);
	rig_run(&r, 0, 1600000000, 3200000000);
	mux(&r, 0, 800, 800);
	f = rig_feed(&r);
	assert_value(f, 0, "gips", 4);
	assert_true(near(span_coverage(&f->span[0]), 1));
	assert_true(near(span_interval_s(&f->span[0]), 0.8));
	assert_true(span_has_pair(&f->span[0]));
	assert_int_equal(f->span[0].pair_cycles, 1600000000);
	rig_close(&r);
}

UNIT(test_implausible)
{
	struct rig r;

	rig_open(&r, "a14", NULL, false);
	monitor_free(r.m);
	r.m = monitor_new(r.t, &(struct monitor_options){ 0 }, NULL);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		r.s->cpu[i].busy_known = true;
	assert_null(rig_feed(&r));
	rig_pass(&r, 1000, 0);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		r.s->cpu[i].total += 100;
	r.s->cpu[1].busy += 100;
	rig_run(&r, 2, 2000000000, 0);
	rig_run(&r, 3, 1000000, 40000000);
	const struct frame *f = rig_feed(&r);

	assert_int_equal(f->span[0].quality, QUALITY_IDLE);
	assert_int_equal(f->span[1].quality, QUALITY_APPROX);
	assert_true(isnan(rig_value(f, 1, "ipc")));
	assert_int_equal(f->span[2].quality, QUALITY_APPROX);
	assert_true(isnan(rig_value(f, 2, "ipc"))); /* never 0.00 */
	assert_int_equal(f->span[3].quality, QUALITY_APPROX);
	rig_pass(&r, 1000, 0);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		r.s->cpu[i].total += 100;
	rig_run(&r, 0, UINT64_C(12500000000), 6000000000);
	f = rig_feed(&r);
	assert_int_equal(f->span[0].quality, QUALITY_APPROX);
	rig_close(&r);
}
