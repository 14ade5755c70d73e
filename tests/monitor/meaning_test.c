/* Metrics that were of something else than they said. */
#include "model/near.h"

#include "model/bound.h"

UNIT(test_kernel_ipc)
{
	struct rig r;
	unsigned metric = (unsigned)metric_find("kernel_ipc");

	rig_open(&r, "a14", "sync", true);
	rig_work(&r); /* 2e9 cycles, 3e9 instructions in all modes */
	for (unsigned i = 0; i < RIG_CPUS; i++) {
		rig_count(&r, i, "CORE_ACTIVE_CYCLE", 1500000000);
		rig_count(&r, i, "INST_ALL", 2900000000);
	}
	const struct frame *f = rig_feed(&r);

	assert_value(f, 0, "kernel_ipc", 0.2);
	assert_value(f, RIG_ALL, "kernel_ipc", 0.2);
	assert_value(f, 0, "user_pct", 75);
	assert_int_equal(frame_marks(f, 0, metric), 0);
	/* All of it in user mode, but for what two reads differ. */
	rig_work(&r);
	for (unsigned i = 0; i < RIG_CPUS; i++) {
		rig_count(&r, i, "CORE_ACTIVE_CYCLE", 1999999000);
		rig_count(&r, i, "INST_ALL", 3000000100);
	}
	f = rig_feed(&r);
	assert_true(isnan(rig_value(f, 0, "kernel_ipc")));
	assert_int_equal(rig_state(f, 0, "kernel_ipc"), VALUE_FEW);
	/* A difference of counts of different times would be anything. */
	rig_pass(&r, 500, 0);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		rig_run(&r, i, 1000000000, 500000000);
	rig_set(&r, "dtlb");
	r.s->flags = SAMPLE_BASELINE;
	assert_null(rig_feed(&r));
	r.s->flags = 0;
	rig_pass(&r, 500, 0);
	for (unsigned i = 0; i < RIG_CPUS; i++) {
		rig_run(&r, i, 1000000000, 2500000000);
		rig_count(&r, i, "INST_ALL", 2400000000);
		rig_count(&r, i, "CORE_ACTIVE_CYCLE", 900000000);
	}
	f = rig_feed(&r);
	assert_true(isnan(rig_value(f, 0, "kernel_ipc")));
	assert_int_equal(frame_marks(f, 0, (unsigned)metric_find("user_pct")),
			 VALUE_SCALED);
	rig_close(&r);
}

/* SM_ENABLE counts entries: per second, and no share of cycles. */
UNIT(test_sme_entries)
{
	struct rig r;

	rig_open(&r, "as4", "sme", true);
	rig_work(&r);
	for (unsigned i = 0; i < RIG_CPUS; i++) {
		rig_count(&r, i, "CORE_ACTIVE_CYCLE", 2000000000);
		rig_count(&r, i, "SME_ENGINE_SM_ENABLE", 7000);
	}
	const struct frame *f = rig_feed(&r);

	assert_value(f, 0, "sme_entries_per_s", 7000);
	assert_value(f, RIG_ALL, "sme_entries_per_s", 28000);
	rig_close(&r);
}

static const struct event conditional[] = {
	{ .name = "BRANCH_COND_MISPRED_NONSPEC", .counters = 1 },
	{ .name = "INST_BRANCH_COND", .counters = 2, .narrow = true },
};

/* B.cond alone is no denominator for CBZ and TBZ that were mispredicted. */
UNIT(test_no_share_of_some_branches)
{
	static const struct catalog catalog = { "a14", conditional, 2, 3 };
	const struct metric *m =
		&metric_table[metric_find("branch_cond_miss_pct")];
	const struct metric own = { .name = "own",
				    .scale = 1,
				    .num = { { "INST_BRANCH_COND", 1 } },
				    .den = { { METRIC_WALL_NS, 1 } } };
	struct eventset set = { .len = 2,
				.slot = { { &conditional[0], 0 },
					  { &conditional[1], 1 } } };
	enum value_state why = VALUE_OK;
	struct bound b;

	assert_false(bound_make(&b, m, 0, &set, &catalog, DOMAIN_ALL, &why));
	assert_int_equal(why, VALUE_UNSUPPORTED);
	assert_false(metric_possible(m, &catalog, NULL));
	/* Named by a person it is what it is. */
	assert_true(bound_make(&b, &own, 0, &set, &catalog, DOMAIN_ALL, &why));
}

/* The machine's row adds up events that differ by kind: not unmarked. */
UNIT(test_kinds_that_count_unlike_events)
{
	static const struct event events[] = {
		{ .name = "INST_ALL", .fixed = true },
		{ .name = "L2_MISS", .counters = 1, .unlike = true },
	};
	static const struct catalog catalog = { "perf", events, 2, 1 };
	unsigned metric = (unsigned)metric_find("l2_mpki");
	struct rig r;
	struct err e;

	rig_open(&r, "a14", NULL, false);
	monitor_free(r.m);
	r.m = monitor_new(r.t, &(struct monitor_options){ .catalog = &catalog },
			  &e);
	r.set = (struct eventset){ .len = 1, .slot = { { &events[1], 0 } } };
	r.s->domain = DOMAIN_ALL;
	for (unsigned i = 0; i < RIG_CPUS; i++)
		r.s->cpu[i].slot[0].supported = true;
	assert_null(rig_feed(&r));
	rig_work(&r);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		r.s->cpu[i].slot[0].count += 3000000;
	const struct frame *f = rig_feed(&r);

	assert_value(f, RIG_ALL, "l2_mpki", 1);
	assert_int_equal(frame_marks(f, RIG_ALL, metric), VALUE_UNLIKE);
	assert_int_equal(frame_marks(f, RIG_KIND_P, metric), 0);
	assert_int_equal(frame_marks(f, 0, metric), 0);
	rig_close(&r);
}

/* Few cycles, but context switches all the same. */
UNIT(test_idle_rows_have_rates_of_the_kernel)
{
	static const struct event events[] = {
		{ .name = "INST_ALL", .fixed = true },
		{ .name = "INST_BRANCH", .counters = 1 },
		{ .name = "SW_CONTEXT_SWITCHES", .counters = 1u << 16 },
	};
	static const struct catalog catalog = { "perf", events, 3, 0x10001 };
	struct rig r;
	struct err e;

	rig_open(&r, "a14", NULL, false);
	monitor_free(r.m);
	r.m = monitor_new(r.t, &(struct monitor_options){ .catalog = &catalog },
			  &e);
	r.set = (struct eventset){
		.len = 2, .slot = { { &events[1], 0 }, { &events[2], 16 } }
	};
	r.s->domain = DOMAIN_ALL;
	for (unsigned i = 0; i < RIG_CPUS; i++)
		r.s->cpu[i].slot[0].supported = r.s->cpu[i].slot[1].supported =
			true;
	assert_null(rig_feed(&r));
	rig_pass(&r, 1000, 0);
	for (unsigned i = 0; i < RIG_CPUS; i++) {
		rig_run(&r, i, 90000, 40000);
		r.s->cpu[i].slot[0].count += 7000;
		r.s->cpu[i].slot[1].count += 12;
	}
	const struct frame *f = rig_feed(&r);

	assert_int_equal(rig_state(f, 0, "ipc"), VALUE_IDLE);
	assert_int_equal(rig_state(f, 0, "branch_pct"), VALUE_IDLE);
	assert_int_equal(rig_state(f, 0, "ctx_per_s"), VALUE_OK);
	assert_value(f, 0, "ctx_per_s", 12);
	assert_value(f, RIG_ALL, "ctx_per_s", 48);
	rig_close(&r);
}
