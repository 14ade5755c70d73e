/* An event that is taken and counts nothing is no 0; a rare one is. */
#include "model/zero_events.h"
#include "model/near.h"

/* inst 0: INST_ALL does not count. */
static void
work(struct rig *r, unsigned cpu, uint64_t cycles, uint64_t inst)
{
	rig_count(r, cpu, "CORE_ACTIVE_CYCLE", cycles);
	rig_count(r, cpu, "INST_ALL", inst);
}

static const struct frame *
second(struct rig *r, uint64_t cycles, uint64_t inst_e, uint64_t inst_p)
{
	rig_work(r);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		work(r, i, cycles, i < 2 ? inst_e : inst_p);
	rig_count(r, 2, "BRANCH_MISPRED_NONSPEC", 77);
	return rig_feed(r);
}

UNIT(test_dead)
{
	struct rig r;

	rig_open(&r, "a14", "basic", true);
	const unsigned at = rig_slot(&r, "INST_ALL");
	const unsigned br = rig_slot(&r, "BRANCH_MISPRED_NONSPEC");
	const struct frame *f = second(&r, 900000000, 0, 0);

	assert_int_equal(f->set->ndropped, 1);
	assert_string_equal(f->set->dropped[0].event, "INST_ALL");
	assert_string_equal(f->set->dropped[0].why, "counts nothing here");
	for (unsigned s = 0; s <= RIG_ALL; s++) {
		assert_false(span_has_slot(&f->span[s], at));
		assert_true(span_has_slot(&f->span[s], br));
		assert_int_equal(f->span[s].zero, 1u << at);
		assert_int_equal(rig_state(f, s, "user_ipc"),
				 VALUE_UNSUPPORTED);
		assert_true(isnan(rig_value(f, s, "user_ipc")));
		assert_true(isnan(rig_value(f, s, "kernel_ipc")));
	}
	assert_int_equal(f->span[RIG_ALL].slot[br], 77);
	assert_value(f, RIG_ALL, "user_pct", 45);
	assert_value(f, RIG_ALL, "ipc", 1.5);
	rig_close(&r);
}

static unsigned
marks(const struct frame *f, unsigned scope, const char *metric)
{
	return frame_marks(f, scope, (unsigned)metric_find(metric));
}

/* The newest frame, out of the past. */
static struct frame
past_of(const struct rig *r, const struct frame *now)
{
	static struct span span[RIG_ALL + 1];
	static double value[(RIG_ALL + 1) * METRIC_MAX];
	static uint8_t state[(RIG_ALL + 1) * METRIC_MAX];
	const struct history_rows rows = { .span = span,
					   .value = value,
					   .state = state };
	struct frame f = *now;

	assert_true(history_then(monitor_past(r->m), 0, &f, &rows));
	return f;
}

/* By the fixed pair: of all modes with a mark, of the same modes without. */
UNIT(test_stand_ins)
{
	static const enum domain domains[] = { DOMAIN_USER, DOMAIN_ALL };

	for (unsigned i = 0; i < 2; i++) {
		const unsigned want = i == 0 ? VALUE_MODES : 0;
		struct rig r;

		rig_open(&r, "a14", "basic", true);
		r.s->domain = domains[i];
		r.s->flags = SAMPLE_BASELINE;
		rig_work(&r);
		assert_null(rig_feed(&r));
		r.s->flags = 0;
		const struct frame *f = second(&r, 900000000, 0, 0);

		/* 77 of the 3 * 10^9 instructions that a CPU had. */
		assert_value(f, 2, "branch_mpki", 77 / 3e6);
		assert_int_equal(marks(f, 2, "branch_mpki"), want);
		assert_value(f, RIG_ALL, "branch_mpki", 77 / 12e6);
		assert_int_equal(marks(f, RIG_ALL, "branch_mpki"), want);
		assert_int_equal(marks(f, 2, "stall_pct"), 0);
		/* The past has the mark too, and the value with it. */
		const struct frame then = past_of(&r, f);

		assert_true(fabs(rig_value(&then, RIG_ALL, "branch_mpki") -
				 77 / 12e6) < 1e-5 * 77 / 12e6);
		assert_int_equal(marks(&then, RIG_ALL, "branch_mpki"), want);
		assert_int_equal(marks(&then, RIG_ALL, "ipc"), 0);
		/* Now it is the cycles that are not counted. */
		rig_work(&r);
		for (unsigned c = 0; c < RIG_CPUS; c++) {
			work(&r, c, 0, 1500000000);
			rig_count(&r, c, "MAP_STALL", 500000000);
		}
		f = rig_feed(&r);
		assert_value(f, 0, "stall_pct", 25);
		assert_int_equal(marks(f, 0, "stall_pct"), want);
		assert_int_equal(marks(f, 2, "branch_mpki"), 0);
		if (i == 0) /* of two modes it would be a riddle */
			assert_int_equal(rig_state(f, 0, "user_ipc"),
					 VALUE_UNSUPPORTED);
		rig_close(&r);
	}
}

/* Where nothing counts, a 0 of what may be rare is no number either. */
UNIT(test_none_where_nothing_counts)
{
	struct rig r;

	rig_open(&r, "a14", "basic", true);
	rig_work(&r);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		work(&r, i, 0, 0);
	rig_count(&r, 2, "BRANCH_MISPRED_NONSPEC", 77);
	const struct frame *f = rig_feed(&r);

	assert_int_equal(rig_state(f, 0, "branch_mpki"), VALUE_UNSUPPORTED);
	assert_true(isnan(rig_value(f, 0, "stall_pct")));
	assert_value(f, 2, "branch_mpki", 77 / 3e6);
	rig_close(&r);
}

/* Shares that must add up are of one mode, or not at all. */
UNIT(test_shares_of_slots)
{
	static const enum domain domains[] = { DOMAIN_USER, DOMAIN_ALL };

	for (unsigned i = 0; i < 2; i++) {
		struct rig r;

		rig_open(&r, "a14", "topdown", true);
		r.s->domain = domains[i];
		r.s->flags = SAMPLE_BASELINE;
		rig_work(&r);
		assert_null(rig_feed(&r));
		r.s->flags = 0;
		rig_work(&r);
		for (unsigned c = 0; c < RIG_CPUS; c++)
			rig_count(&r, c, "RETIRE_UOP", 4000000000);
		const struct frame *f = rig_feed(&r);

		assert_value(f, 2, "uops_per_cycle", 2);
		if (i == 0)
			assert_int_equal(rig_state(f, 2, "retiring_pct"),
					 VALUE_UNSUPPORTED);
		else /* 4 of 2 * 8 slots on P, of 2 * 4 on E */
			assert_value(f, 2, "retiring_pct", 25);
		rig_close(&r);
	}
}

/* For what has no place for a mark. */
UNIT(test_none_where_asked)
{
	struct rig r;
	struct err e;

	rig_open(&r, "a14", "basic", true);
	monitor_free(r.m);
	r.m = monitor_new(
		r.t,
		&(struct monitor_options){ .catalog = &r.events->catalog,
					   .no_stand_in = true },
		&e);
	assert_null(rig_feed(&r));
	const struct frame *f = second(&r, 900000000, 0, 0);

	assert_int_equal(rig_state(f, 2, "branch_mpki"), VALUE_UNSUPPORTED);
	rig_close(&r);
}

/* Nothing is said yet, and nothing made of it either. */
UNIT(test_doubted_before_it_is_said)
{
	struct rig r;

	rig_open(&r, "a14", "basic", true);
	const struct frame *f = second(&r, 4000000, 0, 0);

	assert_false(span_has_slot(&f->span[0], rig_slot(&r, "INST_ALL")));
	assert_int_equal(f->set->ndropped, 0);
	for (unsigned i = 0; i < 200 && f->set->ndropped == 0; i++) {
		assert_true(isnan(rig_value(f, RIG_ALL, "user_ipc")));
		f = second(&r, 4000000, 0, 0);
	}
	assert_int_equal(f->set->ndropped, 1);
	/* One count brings it back. */
	f = second(&r, 4000000, 1000000, 1000000);
	assert_int_equal(f->set->ndropped, 0);
	assert_value(f, RIG_ALL, "user_ipc", 0.25);
	rig_close(&r);
}

UNIT(test_dead_on_one_kind)
{
	struct rig r;

	rig_open(&r, "a14", "basic", true);
	const struct frame *f = second(&r, 900000000, 0, 450000000);

	assert_int_equal(f->set->ndropped, 1);
	assert_string_equal(f->set->dropped[0].why,
			    "counts nothing on E cores");
	assert_int_equal(rig_state(f, RIG_KIND_E, "user_ipc"),
			 VALUE_UNSUPPORTED);
	assert_value(f, RIG_KIND_P, "user_ipc", 0.5);
	assert_value(f, RIG_ALL, "user_ipc", 0.5);
	assert_int_equal(
		frame_marks(f, RIG_ALL, (unsigned)metric_find("user_ipc")),
		VALUE_PART);
	/* The machine's is of those that count it, its mark says so. */
	assert_int_equal(marks(f, RIG_KIND_E, "branch_mpki"), VALUE_MODES);
	assert_int_equal(marks(f, RIG_KIND_P, "branch_mpki"), 0);
	assert_value(f, RIG_ALL, "branch_mpki", 77 / 900e3);
	assert_int_equal(marks(f, RIG_ALL, "branch_mpki"), VALUE_PART);
	rig_close(&r);
}

/* What is rare, what idles, what the kernel does: all these 0 are true. */
UNIT(test_true_zeros)
{
	struct rig r;
	const struct frame *f;

	rig_open(&r, "a14", "basic", true);
	for (unsigned i = 0; i < 60; i++) { /* no misses at all */
		f = second(&r, 900000000, 450000000, 450000000);
		assert_int_equal(f->set->ndropped, 0);
		assert_true(span_has_slot(
			&f->span[0], rig_slot(&r, "L1I_CACHE_MISS_DEMAND")));
	}
	for (unsigned i = 0; i < 60; i++) { /* only the kernel runs on E */
		rig_work(&r);
		work(&r, 2, 30000, 20000);
		f = rig_feed(&r);
		assert_int_equal(f->set->ndropped, 0);
		assert_true(
			span_has_slot(&f->span[0], rig_slot(&r, "INST_ALL")));
	}
	rig_close(&r);
	rig_open(&r, "a14", "basic", true);
	rig_pass(&r, 1000, 0); /* an idle machine's first moment */
	for (unsigned i = 0; i < RIG_CPUS; i++) {
		rig_run(&r, i, 2000000, 700000);
		work(&r, i, 4000, 0);
	}
	f = rig_feed(&r);
	assert_int_equal(f->set->ndropped, 0);
	assert_true(span_has_slot(&f->span[0], rig_slot(&r, "INST_ALL")));
	rig_close(&r);
}

static bool
says(const struct frame *f, const char *event)
{
	for (unsigned i = 0; i < f->set->ndropped; i++)
		if (strcmp(f->set->dropped[i].event, event) == 0)
			return true;
	return false;
}

/* Slots of all modes run with the fixed pair; of different modes, unknown. */
UNIT(test_modes)
{
	static const struct {
		enum domain domain;
		unsigned after; /* seconds; 0: never */
	} row[] = { { DOMAIN_ALL, 1 },
		    { DOMAIN_USER, 4 }, /* of a machine that has a reader */
		    { DOMAIN_MIXED, 0 } };

	for (unsigned i = 0; i < sizeof row / sizeof row[0]; i++) {
		struct rig r;

		rig_open(&r, "a14", "basic", true);
		r.s->domain = row[i].domain;
		r.s->flags = SAMPLE_BASELINE;
		rig_work(&r);
		assert_null(rig_feed(&r));
		r.s->flags = 0;
		unsigned after = 0;

		for (unsigned n = 1; n < 20 && after == 0; n++) {
			rig_work(&r);
			if (says(rig_feed(&r), "INST_ALL"))
				after = n;
		}
		assert_int_equal(after, row[i].after);
		rig_close(&r);
	}
}

/* Another set begins without a bottleneck. */
UNIT(test_another_set)
{
	struct rig r;

	rig_open(&r, "a14", "basic", true);
	const struct frame *f = second(&r, 900000000, 0, 0);

	assert_int_equal(f->set->ndropped, 1);
	rig_set(&r, "l1d");
	r.s->flags = SAMPLE_BASELINE;
	assert_null(rig_feed(&r));
	r.s->flags = 0;
	rig_work(&r);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		rig_count(&r, i, "INST_ALL", 1000000000);
	f = rig_feed(&r);
	for (unsigned k = 0; k < f->set->ndropped; k++)
		assert_true(strncmp(f->set->dropped[k].why, zero_events_reason,
				    strlen(zero_events_reason)) != 0 ||
			    strcmp(f->set->dropped[k].event, "INST_ALL") != 0);
	rig_close(&r);
}

/* A private L2 that some kinds lack is no cache that is never asked. */
UNIT(test_private_l2)
{
	struct rig r;

	rig_open(&r, "as5", "ldsrc", true);
	const unsigned at = rig_slot(&r, "LD_SRC_PL2_CACHE_NONSPEC");
	const struct frame *f;

	for (int n = 0; n < 3; n++) {
		rig_work(&r);
		for (unsigned i = 0; i < RIG_CPUS; i++) {
			rig_count(&r, i, "INST_ALL", 900000000);
			rig_count(&r, i, "LD_SRC_PL2_CACHE_NONSPEC",
				  i < 2 ? 0 : 5000000);
		}
		f = rig_feed(&r);
	}
	for (unsigned i = 0; i < f->set->ndropped; i++) /* no warning */
		assert_true(strncmp(f->set->dropped[i].why, zero_events_reason,
				    strlen(zero_events_reason)) != 0);
	assert_int_equal(rig_state(f, 0, "ldsrc_pl2_mpki"), VALUE_UNSUPPORTED);
	assert_true(f->span[0].zero >> at & 1);
	assert_int_equal(rig_state(f, 2, "ldsrc_pl2_mpki"), VALUE_OK);
	rig_close(&r);
}
