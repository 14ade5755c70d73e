/* From samples to frames: sums, domains, times, history. */
#include "model/near.h"

/* The first second: P works hard, E crawls. */
static void
uneven(struct rig *r)
{
	rig_pass(r, 1000, 0);
	rig_run(r, 0, 1000000000, 100000000);
	rig_run(r, 1, 100000000, 300000000);
	rig_run(r, 2, 3000000000, 12000000000);
	rig_run(r, 3, 3000000000, 3000000000);
}

/* Instructions over cycles of the sums; never the mean of the ratios. */
UNIT(test_sums_not_averages)
{
	struct rig r;

	rig_open(&r, "a14", NULL, true);
	uneven(&r);
	const struct frame *f = rig_feed(&r);

	assert_int_equal(f->nscopes, 9);
	assert_value(f, 0, "ipc", 0.1);
	assert_value(f, 1, "ipc", 3);
	assert_value(f, RIG_E, "ipc", 400000000.0 / 1100000000.0);
	assert_value(f, RIG_P, "ipc", 2.5);
	assert_value(f, RIG_KIND_P, "ipc", 2.5);
	assert_value(f, RIG_KIND_E, "ipc", 400000000.0 / 1100000000.0);
	assert_value(f, RIG_ALL, "ipc", 15400000000.0 / 7100000000.0);
	assert_value(f, RIG_ALL, "gips", 15.4);
	assert_int_equal(f->span[RIG_ALL].cycles, 7100000000);
	assert_int_equal(f->span[RIG_ALL].n_ok, 4);
	assert_int_equal(f->domain, DOMAIN_NONE);
	/* Nothing counted in the slots: not the same as 0. */
	assert_int_equal(rig_state(f, 0, "branch_mpki"), VALUE_NOT_COUNTED);
	assert_int_equal(rig_state(f, 0, "ldsrc_pl2_mpki"), VALUE_UNSUPPORTED);
	assert_true(isnan(span_coverage(&f->span[0])));
	rig_close(&r);
}

UNIT(test_frame_times)
{
	struct rig r;

	rig_open(&r, "a14", "basic", true);
	rig_work(&r);
	const struct frame *f = rig_feed(&r);

	assert_int_equal(f->seq, 0);
	assert_true(near(f->elapsed_s, 1));
	rig_pass(&r, 350, 0);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		rig_run(&r, i, 700000000, 700000000);
	monitor_late(r.m, 3, true);
	f = rig_feed(&r);
	/* The measured interval, whatever was asked for. */
	assert_int_equal(f->seq, 1);
	assert_true(near(f->interval_s, 0.35));
	assert_value(f, 0, "gips", 2);
	assert_int_equal(f->quality, QUALITY_LATE);
	assert_int_equal(f->span[2].quality, QUALITY_LATE);
	assert_int_equal(f->health.late_ticks, 1);
	assert_int_equal(f->health.missed_ticks, 3);
	rig_work(&r);
	f = rig_feed(&r);
	assert_int_equal(f->quality, 0);
	rig_close(&r);
}

UNIT(test_busy_and_ghz)
{
	struct rig r;
	const struct frame *f;

	rig_open(&r, "a14", NULL, true);
	monitor_free(r.m);
	r.m = monitor_new(r.t, &(struct monitor_options){ 0 }, NULL);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		r.s->cpu[i].busy_known = true;
	assert_null(rig_feed(&r));
	uneven(&r);
	static const uint64_t busy[] = { 80, 9, 100, 90 };

	for (unsigned i = 0; i < RIG_CPUS; i++) {
		r.s->cpu[i].busy += busy[i];
		r.s->cpu[i].total += 100;
	}
	f = rig_feed(&r);
	assert_true(near(span_busy_pct(&f->span[0]), 80));
	assert_true(near(span_busy_pct(&f->span[RIG_P]), 95));
	assert_true(near(span_busy_pct(&f->span[RIG_ALL]), 69.75));
	assert_value(f, 0, "ghz", 1.25);
	assert_int_equal(rig_state(f, 0, "ghz"), VALUE_OK);
	/* Nine ticks of 10 ms: the clock may be a tenth off. */
	assert_int_equal(rig_state(f, 1, "ghz"), VALUE_FEW);
	assert_int_equal(rig_state(f, 1, "ipc"), VALUE_OK);
	assert_value(f, RIG_P, "ghz", 6 / 1.9);
	/* Ticks that stand still, then step back by one: never negative. */
	uneven(&r);
	f = rig_feed(&r);
	assert_true(isnan(span_busy_pct(&f->span[0])));
	assert_true(isnan(rig_value(f, 0, "ghz")));
	uneven(&r);
	r.s->cpu[0].busy--;
	for (unsigned i = 0; i < RIG_CPUS; i++)
		r.s->cpu[i].total += 200;
	f = rig_feed(&r);
	assert_true(near(span_busy_pct(&f->span[0]), 0));
	rig_close(&r);
}

/* Without hardware counters there is busy time, and nothing pretends more. */
UNIT(test_busy_only)
{
	struct rig r;

	rig_open(&r, "a14", NULL, false);
	monitor_free(r.m);
	r.m = monitor_new(r.t, &(struct monitor_options){ 0 }, NULL);
	for (unsigned i = 0; i < RIG_CPUS; i++) {
		r.s->cpu[i].busy_known = true;
		r.s->cpu[i].fixed[0].supported = false;
		r.s->cpu[i].fixed[1].supported = false;
	}
	assert_null(rig_feed(&r));
	for (unsigned k = 0; k < 3; k++) {
		rig_pass(&r, 1000, 0);
		for (unsigned i = 0; i < RIG_CPUS; i++) {
			r.s->cpu[i].busy += 25 * k;
			r.s->cpu[i].total += 100;
		}
		const struct frame *f = rig_feed(&r);

		assert_int_equal(f->span[RIG_ALL].quality, 0);
		assert_int_equal(f->span[RIG_ALL].n_ok, 0);
		assert_false(span_has_fixed(&f->span[RIG_ALL]));
		assert_true(near(span_busy_pct(&f->span[RIG_ALL]), 25 * k));
		assert_int_equal(rig_state(f, 0, "ipc"), VALUE_UNSUPPORTED);
		assert_int_equal(rig_state(f, RIG_ALL, "ipc"),
				 VALUE_UNSUPPORTED);
	}
	rig_close(&r);
}

UNIT(test_idle_counts_in_sums)
{
	struct rig r;

	rig_open(&r, "a14", "basic", true);
	rig_pass(&r, 1000, 0);
	rig_run(&r, 0, 1000, 900);
	rig_run(&r, 1, 999999, 999999);
	rig_run(&r, 2, 1000000, 2000000);
	rig_run(&r, 3, 3000000000, 3000000000);
	const struct frame *f = rig_feed(&r);

	assert_int_equal(f->span[0].quality, QUALITY_IDLE);
	assert_int_equal(f->span[1].quality, QUALITY_IDLE);
	assert_int_equal(f->span[2].quality, 0);
	assert_true(isnan(rig_value(f, 0, "ipc")));
	assert_int_equal(rig_state(f, 0, "ipc"), VALUE_IDLE);
	assert_int_equal(rig_state(f, 0, "stall_pct"), VALUE_IDLE);
	assert_int_equal(rig_state(f, RIG_E, "ipc"), VALUE_IDLE);
	assert_int_equal(f->span[RIG_E].quality, QUALITY_IDLE);
	assert_int_equal(f->span[RIG_E].cycles, 1000999);
	assert_int_equal(f->span[RIG_P].quality, 0);
	assert_int_equal(f->span[RIG_ALL].quality, 0);
	assert_int_equal(f->span[RIG_ALL].cycles, 3002000999);
	assert_int_equal(f->span[RIG_ALL].n_ok, 4);
	assert_value(f, RIG_ALL, "ipc", 3003000899.0 / 3002000999.0);
	rig_close(&r);
}

UNIT(test_few)
{
	struct rig r;

	rig_open(&r, "a14", "basic", true);
	rig_work(&r);
	for (unsigned i = 0; i < RIG_CPUS; i++) {
		rig_count(&r, i, "INST_ALL", 2000000000);
		rig_count(&r, i, "CORE_ACTIVE_CYCLE", 1000000000);
	}
	rig_count(&r, 0, "BRANCH_MISPRED_NONSPEC", 99);
	rig_count(&r, 1, "BRANCH_MISPRED_NONSPEC", 100);
	const struct frame *f = rig_feed(&r);

	assert_int_equal(rig_state(f, 0, "branch_mpki"), VALUE_FEW);
	assert_value(f, 0, "branch_mpki", 1000 * 99 / 2e9);
	assert_int_equal(rig_state(f, 1, "branch_mpki"), VALUE_OK);
	assert_int_equal(rig_state(f, RIG_E, "branch_mpki"), VALUE_OK);
	assert_value(f, RIG_E, "branch_mpki", 1000 * 199 / 4e9);
	assert_int_equal(rig_state(f, 0, "user_ipc"), VALUE_OK);
	assert_value(f, 0, "user_ipc", 2);
	assert_value(f, 0, "user_pct", 50);
	rig_pass(&r, 1000, 0);
	rig_run(&r, 0, 2000000, 999999);
	f = rig_feed(&r);
	assert_int_equal(rig_state(f, 0, "ipc"), VALUE_FEW);
	rig_close(&r);
}

/* Seven a second is seven a second: there is nothing to lean on. */
UNIT(test_a_rate_is_never_few)
{
	struct rig r;

	rig_open(&r, "a14", "dtlb", true);
	rig_work(&r);
	rig_count(&r, 0, "MMU_TABLE_WALK_DATA", 7);
	const struct frame *f = rig_feed(&r);

	assert_int_equal(rig_state(f, 0, "walk_d_per_s"), VALUE_OK);
	assert_value(f, 0, "walk_d_per_s", 7);
	rig_close(&r);
}

/* User share is more than all of it only because two reads differ. */
UNIT(test_clamp_and_domain)
{
	struct rig r;

	rig_open(&r, "a14", "sync", true);
	rig_work(&r);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		rig_count(&r, i, "CORE_ACTIVE_CYCLE", 2000100000);
	const struct frame *f = rig_feed(&r);

	assert_value(f, 0, "user_pct", 100);
	assert_int_equal(rig_state(f, 0, "irq_pending_pct"), VALUE_UNSUPPORTED);
	r.s->domain = DOMAIN_ALL;
	rig_work(&r);
	f = rig_feed(&r);
	assert_int_equal(f->domain, DOMAIN_ALL);
	assert_int_equal(rig_state(f, 0, "user_pct"), VALUE_UNSUPPORTED);
	assert_int_equal(rig_state(f, 0, "user_ipc"), VALUE_UNSUPPORTED);
	assert_int_not_equal(rig_state(f, 0, "irq_pending_pct"),
			     VALUE_UNSUPPORTED);
	rig_close(&r);
}

UNIT(test_sleep_gap)
{
	struct rig r;
	float past[8];

	rig_open(&r, "a14", NULL, true);
	rig_work(&r);
	rig_pass(&r, 0, 90);
	const struct frame *f = rig_feed(&r);

	assert_int_equal(f->quality, 0); /* clocks differ a little */
	rig_work(&r);
	rig_pass(&r, 0, 3600 * 1000);
	f = rig_feed(&r);
	assert_int_equal(f->quality, QUALITY_GAP);
	assert_int_equal(f->span[0].quality, QUALITY_GAP);
	assert_true(near(f->interval_s, 1));
	assert_true(near(f->elapsed_s, 3602.09));
	assert_value(f, 0, "ipc", 1.5); /* no spike */
	rig_work(&r);
	monitor_gap(r.m);
	f = rig_feed(&r);
	assert_int_equal(f->quality, QUALITY_GAP);
	rig_work(&r);
	f = rig_feed(&r);
	assert_int_equal(f->quality, 0);
	assert_int_equal(monitor_history(r.m, 0, 0, 8, past), 4);
	assert_true(near(past[0], 1.5));
	assert_true(isnan(past[1]) && isnan(past[2]));
	assert_true(near(past[3], 1.5));
	rig_close(&r);
}

/* Counts that are beyond 2^53 stay exact. */
UNIT(test_exact)
{
	struct rig r;

	rig_open(&r, "a14", NULL, false);
	rig_pass(&r, 3600 * 1000 * 24, 0);
	rig_run(&r, 0, (UINT64_C(1) << 53) + 1, 1);
	const struct frame *f = rig_feed(&r);

	assert_int_equal(f->span[0].cycles, (UINT64_C(1) << 53) + 1);
	assert_int_equal(f->span[RIG_ALL].cycles, (UINT64_C(1) << 53) + 1);
	rig_close(&r);
}

/* An event that only one kind can count: sums cover those that can. */
UNIT(test_unsupported_on_a_kind)
{
	struct rig r;

	rig_open(&r, "a14", "basic", false);
	unsigned miss = rig_slot(&r, "L1D_CACHE_MISS_LD_NONSPEC");

	for (unsigned i = 0; i < 2; i++)
		r.s->cpu[i].slot[miss].supported = false;
	rig_work(&r);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		rig_count(&r, i, "INST_ALL", 1000000000);
	rig_count(&r, 2, "L1D_CACHE_MISS_LD_NONSPEC", 10000000);
	rig_count(&r, 3, "L1D_CACHE_MISS_LD_NONSPEC", 20000000);
	rig_count(&r, 0, "BRANCH_MISPRED_NONSPEC", 4000000);
	const struct frame *f = rig_feed(&r);

	assert_int_equal(rig_state(f, 0, "l1d_ld_mpki"), VALUE_UNSUPPORTED);
	assert_int_equal(rig_state(f, RIG_E, "l1d_ld_mpki"), VALUE_UNSUPPORTED);
	assert_value(f, 2, "l1d_ld_mpki", 10);
	assert_value(f, RIG_P, "l1d_ld_mpki", 15);
	assert_value(f, RIG_ALL, "l1d_ld_mpki", 15); /* over P's own work */
	assert_value(f, RIG_ALL, "branch_mpki", 1);  /* over all work */
	assert_false(span_has_slot(&f->span[RIG_ALL], miss));
	assert_true(span_has_slot(&f->span[RIG_P], miss));
	rig_close(&r);
}

/* A screen drawn between a swap and its first frame shows the frame before. */
UNIT(test_a_swap_leaves_the_last_frame)
{
	struct rig r;
	unsigned stall = (unsigned)metric_find("stall_pct");

	rig_open(&r, "a14", "basic", true);
	rig_work(&r);
	for (unsigned i = 0; i < RIG_CPUS; i++) {
		rig_count(&r, i, "CORE_ACTIVE_CYCLE", 2000000000);
		rig_count(&r, i, "MAP_STALL", 500000000);
	}
	const struct frame *f = rig_feed(&r);

	assert_non_null(f);
	assert_true(fabs(frame_value(f, 0, stall) - 25) < 1e-9);
	rig_set(&r, "branch");
	r.s->flags = SAMPLE_BASELINE;
	assert_null(rig_feed(&r));
	r.s->flags = 0;
	assert_string_equal(f->set->name, "basic");
	assert_true(fabs(frame_value(f, 0, stall) - 25) < 1e-9);
	assert_true(fabs(frame_value(f, 0, 0) - 1.5) < 1e-9);
	rig_work(&r);
	f = rig_feed(&r);
	assert_string_equal(f->set->name, "branch");
	assert_int_equal(frame_state(f, 0, stall), VALUE_NOT_COUNTED);
	rig_close(&r);
}

UNIT(test_own_metrics)
{
	static const struct metric own = {
		.name = "cpi",
		.label = "CPI",
		.text = "Cycles per instruction",
		.scale = 1,
		.num = { { METRIC_FIXED_CYCLES, 1 } },
		.den = { { METRIC_FIXED_INSTRUCTIONS, 1 } }
	};
	struct rig r;

	rig_open(&r, "a14", NULL, true);
	monitor_free(r.m);
	r.m = monitor_new(
		r.t,
		&(struct monitor_options){ .extra_metrics = &own, .nextra = 1 },
		NULL);
	assert_null(rig_feed(&r));
	rig_work(&r);
	const struct frame *f = rig_feed(&r);

	assert_int_equal(f->nmetrics, metric_count + 1);
	assert_ptr_equal(monitor_metric(r.m, metric_count), &own);
	assert_true(near(frame_value(f, 0, metric_count), 2.0 / 3));
	rig_close(&r);
}
