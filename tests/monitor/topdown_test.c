/* Top-down shares: Apple's formulas for M1, the proposal for M4, kinds. */
#include "model/rig.h"
#include "model/topdown.h"

#include <cmocka.h>

static bool
near(double a, double b)
{
	return fabs(a - b) <= 1e-9;
}

static double
four(const double share[TOPDOWN_SHARES])
{
	return share[TOPDOWN_USEFUL] + share[TOPDOWN_DISCARDED] +
	       share[TOPDOWN_DELIVERY] + share[TOPDOWN_PROCESSING];
}

/* 1000 cycles x 8: 4000 retired, 300 stalled, 25 rewound, 4200 mapped, 100
 * bubbles. discarded = (25 x 8 + 4200 - 4000) / 8000. */
UNIT(test_m1_with_room)
{
	double share[TOPDOWN_SHARES];
	struct topdown_counts c = { .cycles = 1000,
				    .retired = 4000,
				    .stall = 200,
				    .rewind = 25,
				    .mapped = 4200,
				    .bubble = 100,
				    .latency = 100,
				    .width = 8 };

	assert_true(near(topdown_shares(&c, share), 8000));
	assert_true(near(share[TOPDOWN_USEFUL], 0.5));
	assert_true(near(share[TOPDOWN_PROCESSING], 0.2));
	assert_true(near(share[TOPDOWN_DISCARDED], 0.05));
	assert_true(near(share[TOPDOWN_DELIVERY], 0.25));
	assert_true(near(share[TOPDOWN_BANDWIDTH], 0.15));
	assert_true(near(four(share), 1));
}

/* useful .5, processing .4, discarded .1, latency .1: 0.1 too much. */
UNIT(test_m1_correction)
{
	double share[TOPDOWN_SHARES];
	struct topdown_counts c = { .cycles = 1000,
				    .retired = 4000,
				    .stall = 400,
				    .rewind = 100,
				    .mapped = 4000,
				    .bubble = 100,
				    .latency = 100,
				    .width = 8 };

	(void)topdown_shares(&c, share);
	assert_true(near(share[TOPDOWN_USEFUL], 0.5));
	assert_true(near(share[TOPDOWN_DELIVERY], 0.1));
	assert_true(near(share[TOPDOWN_PROCESSING], 0.32));
	assert_true(near(share[TOPDOWN_DISCARDED], 0.08));
	assert_true(near(share[TOPDOWN_BANDWIDTH], 0));
	/* More retired than mapped is not negative waste. */
	c.mapped = 0;
	c.rewind = 0;
	(void)topdown_shares(&c, share);
	assert_true(near(share[TOPDOWN_DISCARDED], 0));
	assert_true(near(four(share), 1));
	/* Skewed reads: useful over 1. */
	c.retired = 9000;
	(void)topdown_shares(&c, share);
	assert_true(near(share[TOPDOWN_USEFUL], 1));
	assert_true(near(four(share), 1));
}

UNIT(test_m4)
{
	double share[TOPDOWN_SHARES];
	/* 10000 slots: 4000 useful, .3 of cycles stalled, (20 x 10 + 800) of
	 * discarded slots, 2000 bubbles: in all 1.0 */
	struct topdown_counts c = { .cycles = 1000,
				    .retired = 4000,
				    .stall = 300,
				    .rewind = 20,
				    .mapped = 4800,
				    .bubble = 2000,
				    .bubble_slots = true,
				    .latency = 50,
				    .width = 10 };

	assert_true(near(topdown_shares(&c, share), 10000));
	assert_true(near(share[TOPDOWN_USEFUL], 0.4));
	assert_true(near(share[TOPDOWN_PROCESSING], 0.3));
	assert_true(near(share[TOPDOWN_DISCARDED], 0.1));
	assert_true(near(share[TOPDOWN_DELIVERY], 0.2));
	assert_true(near(share[TOPDOWN_BANDWIDTH], 0.15));
	c.stall = 800; /* 1.5 in all: brought to 1 */
	(void)topdown_shares(&c, share);
	assert_true(near(share[TOPDOWN_USEFUL], 0.4 / 1.5));
	assert_true(near(share[TOPDOWN_PROCESSING], 0.8 / 1.5));
	assert_true(near(four(share), 1));
}

/* What the parts do not claim is nobody's, and they are not scaled up to it. */
UNIT(test_m4_that_leaves_a_rest)
{
	double share[TOPDOWN_SHARES];
	/* .2 + .2 + .15 + .2 of 10000 slots, .15 of the cycles without any */
	struct topdown_counts c = { .cycles = 1000,
				    .retired = 2000,
				    .stall = 200,
				    .rewind = 50,
				    .mapped = 3000,
				    .bubble = 2000,
				    .bubble_slots = true,
				    .latency = 150,
				    .width = 10 };

	(void)topdown_shares(&c, share);
	assert_true(near(share[TOPDOWN_USEFUL], 0.2));
	assert_true(near(share[TOPDOWN_PROCESSING], 0.2));
	assert_true(near(share[TOPDOWN_DISCARDED], 0.15));
	assert_true(near(share[TOPDOWN_DELIVERY], 0.2));
	assert_true(near(share[TOPDOWN_UNACCOUNTED], 0.25));
	assert_true(near(share[TOPDOWN_BANDWIDTH], 0.05));
	c.stall = 800; /* 1.35 in all: bandwidth is cut as delivery is */
	(void)topdown_shares(&c, share);
	assert_true(near(share[TOPDOWN_UNACCOUNTED], 0));
	assert_true(near(share[TOPDOWN_DELIVERY], 0.2 / 1.35));
	assert_true(near(share[TOPDOWN_BANDWIDTH], 0.05 / 1.35));
}

/* Truth 40/5/15/40, with 1.2 operations a slot: kernel, arm64/sbsa.json. */
UNIT(test_arm)
{
	double share[TOPDOWN_SHARES];
	struct topdown_slots c = { .slots = 10000,
				   .useful = 4800,
				   .discarded = 5400,
				   .delivery = 1500,
				   .processing = 4000,
				   .latency = NAN,
				   .discards = TOPDOWN_SPECULATED,
				   .corrects = TOPDOWN_RIGHT };

	assert_true(near(topdown_slot_shares(&c, share), 10000));
	assert_true(near(share[TOPDOWN_USEFUL], 0.4));
	assert_true(near(share[TOPDOWN_DISCARDED], 0.05));
	assert_true(near(share[TOPDOWN_DELIVERY], 0.15));
	assert_true(near(share[TOPDOWN_PROCESSING], 0.4));
	assert_true(near(share[TOPDOWN_UNACCOUNTED], 0));
	/* Neoverse N2: a slot of the front end a cycle too many, of five. */
	c.miscounted = 2000;
	c.delivery = 3500;
	(void)topdown_slot_shares(&c, share);
	assert_true(near(share[TOPDOWN_USEFUL], 0.4));
	assert_true(near(share[TOPDOWN_DELIVERY], 0.15));
	c.miscounted = 0;
	/* Neoverse V1: what follows a wrong guess is no want of delivery. */
	c.corrects = TOPDOWN_RECOVERY;
	c.correction = 500;
	c.delivery = 1500;
	(void)topdown_slot_shares(&c, share);
	assert_true(near(share[TOPDOWN_USEFUL], 0.4));
	assert_true(near(share[TOPDOWN_DISCARDED], 0.1));
	assert_true(near(share[TOPDOWN_DELIVERY], 0.1));
	/* Nothing was executed: nothing was useful. */
	c.discarded = 0;
	c.useful = 0;
	(void)topdown_slot_shares(&c, share);
	assert_true(near(share[TOPDOWN_USEFUL], 0));
}

/* Zen with SMT: 25/5/15/25, and 30 went to the core's other thread. */
UNIT(test_other_thread)
{
	double share[TOPDOWN_SHARES];
	struct topdown_slots c = { .slots = 10000,
				   .useful = 2500,
				   .discarded = 3000,
				   .delivery = 1500,
				   .processing = 2500,
				   .latency = NAN,
				   .discards = TOPDOWN_DISPATCHED,
				   .corrects = TOPDOWN_RIGHT,
				   .other_thread = true };

	(void)topdown_slot_shares(&c, share);
	assert_true(near(share[TOPDOWN_DISCARDED], 0.05));
	assert_true(near(share[TOPDOWN_OTHER_THREAD], 0.3));
	assert_true(isnan(share[TOPDOWN_UNACCOUNTED]));
	c.other_thread = false;
	(void)topdown_slot_shares(&c, share);
	assert_true(isnan(share[TOPDOWN_OTHER_THREAD]));
	assert_true(near(share[TOPDOWN_UNACCOUNTED], 0.3));
}

UNIT(test_unknown)
{
	double share[TOPDOWN_SHARES];
	struct topdown_counts c = { .cycles = 1000, .retired = 4000 };

	assert_true(near(topdown_shares(&c, share), 0));
	assert_true(isnan(share[TOPDOWN_USEFUL]));
	c.width = 8;
	c.cycles = 0;
	assert_true(near(topdown_shares(&c, share), 0));
	assert_true(isnan(share[TOPDOWN_DELIVERY]));
}

static void
count_kind(struct rig *r, unsigned first, uint64_t cycles, uint64_t retired,
	   uint64_t stall)
{
	for (unsigned i = first; i < first + 2; i++) {
		rig_count(r, i, "CORE_ACTIVE_CYCLE", cycles);
		rig_count(r, i, "RETIRE_UOP", retired);
		rig_count(r, i, "MAP_INT_UOP", retired / 2);
		rig_count(r, i, "MAP_LDST_UOP", retired / 4);
		rig_count(r, i, "MAP_SIMD_UOP", retired / 4);
		rig_count(r, i, "MAP_STALL", stall);
	}
}

static double
frame_four(const struct frame *f, unsigned scope)
{
	return rig_value(f, scope, "retiring_pct") +
	       rig_value(f, scope, "bad_spec_pct") +
	       rig_value(f, scope, "frontend_pct") +
	       rig_value(f, scope, "backend_pct");
}

/* Each kind by its own width; the machine weighs kinds by slots. */
UNIT(test_kinds_by_slots)
{
	struct rig r;

	rig_open(&r, "a14", "topdown", true);
	rig_work(&r);
	count_kind(&r, 2, 1000000000, 4000000000, 250000000); /* P: 8 wide */
	count_kind(&r, 0, 1000000000, 1000000000, 500000000); /* E: 4 wide */
	const struct frame *f = rig_feed(&r);

	assert_true(near(rig_value(f, 2, "retiring_pct"), 50));
	assert_true(near(rig_value(f, 0, "retiring_pct"), 25));
	assert_true(near(rig_value(f, RIG_P, "retiring_pct"), 50));
	assert_true(near(rig_value(f, RIG_KIND_E, "backend_pct"), 50));
	/* (50 x 16 + 25 x 8) / 24 */
	assert_true(near(rig_value(f, RIG_ALL, "retiring_pct"), 1000.0 / 24));
	assert_true(near(rig_value(f, RIG_ALL, "backend_pct"),
			 (25.0 * 16 + 50.0 * 8) / 24));
	for (unsigned s = 0; s < f->nscopes; s++)
		assert_true(near(frame_four(f, s), 100));
	assert_true(near(rig_value(f, 0, "uops_per_cycle"), 1));
	rig_close(&r);
}

UNIT(test_width_unknown)
{
	struct rig r;

	rig_open(&r, "a14", "topdown", true);
	r.t->kind[1].width = 0;
	rig_work(&r);
	count_kind(&r, 2, 1000000000, 4000000000, 250000000);
	count_kind(&r, 0, 1000000000, 1000000000, 500000000);
	const struct frame *f = rig_feed(&r);

	assert_true(near(rig_value(f, RIG_P, "retiring_pct"), 50));
	assert_true(isnan(rig_value(f, RIG_E, "retiring_pct")));
	assert_int_equal(rig_state(f, RIG_E, "retiring_pct"),
			 VALUE_UNSUPPORTED);
	assert_true(isnan(rig_value(f, RIG_ALL, "retiring_pct")));
	/* What needs no width is there. */
	assert_true(near(rig_value(f, RIG_E, "stall_pct"), 50));
	assert_true(near(rig_value(f, RIG_ALL, "stall_pct"), 37.5));
	rig_close(&r);
}

/* No slot went by: no share, and that is said. */
UNIT(test_no_slots)
{
	struct rig r;

	rig_open(&r, "a14", "topdown", true);
	rig_work(&r);
	count_kind(&r, 0, 1000000000, 1000000000, 500000000);
	const struct frame *f = rig_feed(&r);

	assert_true(isnan(rig_value(f, 2, "retiring_pct")));
	assert_int_equal(rig_state(f, 2, "retiring_pct"), VALUE_FEW);
	assert_int_equal(rig_state(f, RIG_P, "retiring_pct"), VALUE_FEW);
	assert_true(near(rig_value(f, RIG_ALL, "retiring_pct"), 25));
	rig_close(&r);
}

/* M4: slots of bubbles, recovery, and stalls without it. */
UNIT(test_m4_events)
{
	struct rig r;

	rig_open(&r, "as4", "topdown", true);
	r.t->kind[0].width = 10;
	rig_work(&r);
	rig_count(&r, 2, "CORE_ACTIVE_CYCLE", 1000000000);
	rig_count(&r, 2, "RETIRE_UOP", 4000000000);
	rig_count(&r, 2, "MAP_STALL_NONRECOVERY", 300000000);
	rig_count(&r, 2, "MAP_RECOVERY", 20000000);
	rig_count(&r, 2, "MAP_UOP", 4800000000);
	rig_count(&r, 2, "MAP_DISPATCH_BUBBLE_SLOT", 2000000000);
	rig_count(&r, 2, "MAP_DISPATCH_BUBBLE", 50000000);
	const struct frame *f = rig_feed(&r);

	assert_true(near(rig_value(f, 2, "retiring_pct"), 40));
	assert_true(near(rig_value(f, 2, "bad_spec_pct"), 10));
	assert_true(near(rig_value(f, 2, "frontend_pct"), 20));
	assert_true(near(rig_value(f, 2, "backend_pct"), 30));
	assert_true(near(rig_value(f, 2, "frontend_bandwidth_pct"), 15));
	assert_true(near(rig_value(f, 2, "frontend_stall_pct"), 5));
	assert_true(near(rig_value(f, 2, "stall_pct"), 30));
	assert_true(near(rig_value(f, 2, "recovery_pct"), 2));
	assert_int_equal(rig_state(f, 2, "rewind_pct"), VALUE_NOT_COUNTED);
	rig_close(&r);
}

/* M5: Arm's events count slots, so that a kind of unknown width has shares. */
UNIT(test_m5_events)
{
	/* As src/pmu/m5.c has it. */
	static const char *const as[5][2] = {
		{ "ARM_STALL_SLOT", "SLOT_STALLED" },
		{ "ARM_STALL_SLOT_BACKEND", "SLOT_PROCESSING" },
		{ "ARM_STALL_SLOT_FRONTEND", "SLOT_DELIVERY" },
		{ "MAP_UOP", "SLOT_SPECULATED" },
		{ "RETIRE_UOP", "SLOT_USEFUL" },
	};
	struct rig r;

	rig_open(&r, "as5", NULL, true);
	for (unsigned i = 0; i < 5; i++)
		for (unsigned k = 0; k < r.events->catalog.len; k++)
			if (strcmp(r.events->event[k].name, as[i][0]) == 0)
				r.events->event[k].alias = as[i][1];
	r.t->kind[1].width = 0;
	rig_set(&r, "topdown");
	r.s->domain = DOMAIN_USER;
	r.s->flags = SAMPLE_BASELINE;
	assert_null(rig_feed(&r));
	r.s->flags = 0;
	rig_work(&r);
	rig_count(&r, 0, "CORE_ACTIVE_CYCLE", 1000000000);
	rig_count(&r, 0, "RETIRE_UOP", 2000000000);
	rig_count(&r, 0, "MAP_UOP", 2500000000);
	rig_count(&r, 0, "ARM_STALL_SLOT", 2500000000);
	rig_count(&r, 0, "ARM_STALL_SLOT_FRONTEND", 1000000000);
	rig_count(&r, 0, "ARM_STALL_SLOT_BACKEND", 1500000000);
	rig_count(&r, 0, "MAP_DISPATCH_BUBBLE", 50000000);
	const struct frame *f = rig_feed(&r);

	assert_true(near(rig_value(f, 0, "retiring_pct"), 40));
	assert_true(near(rig_value(f, 0, "bad_spec_pct"), 10));
	assert_true(near(rig_value(f, 0, "frontend_pct"), 20));
	assert_true(near(rig_value(f, 0, "backend_pct"), 30));
	assert_true(near(rig_value(f, 0, "frontend_bandwidth_pct"), 15));
	assert_true(near(rig_value(f, 0, "unaccounted_pct"), 0));
	assert_true(near(rig_value(f, RIG_E, "retiring_pct"), 40));
	rig_close(&r);
}
