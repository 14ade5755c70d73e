/* Counts that cover less, or another, time than the frame. */

#include <cmocka.h>

#include "model/rig.h"

#include "model/track.h"

/* As on Linux: the denominators are the fixed pair, and take no slot. */
static const struct event events[] = {
	{ .name = "CORE_ACTIVE_CYCLE", .fixed = true },
	{ .name = "INST_ALL", .fixed = true },
	{ .name = "INST_BRANCH", .counters = 1 },
	{ .name = "MMU_TABLE_WALK_DATA", .counters = 2 },
};
static const struct catalog catalog = { "perf", events, 4, 3 };

static void
open_perf(struct rig *r)
{
	struct err e;

	rig_open(r, "a14", NULL, false);
	monitor_free(r->m);
	r->m = monitor_new(r->t,
			   &(struct monitor_options){ .period_ns = 1000000000,
						      .catalog = &catalog },
			   &e);
	assert_non_null(r->m);
	r->s->domain = DOMAIN_ALL;
	assert_null(rig_feed(r));
}

static void
count_branches(struct rig *r)
{
	r->set = (struct eventset){ .name = "branch", .len = 2 };
	r->set.slot[0] = (struct slot){ &events[2], 0 };
	r->set.slot[1] = (struct slot){ &events[3], 1 };
	for (unsigned i = 0; i < RIG_CPUS; i++)
		r->s->cpu[i].slot[0].supported =
			r->s->cpu[i].slot[1].supported = true;
	r->s->flags = SAMPLE_BASELINE;
	assert_null(rig_feed(r));
	r->s->flags = 0;
}

/* Nine tenths of the second had other work, of which no slot was counted. */
static const struct frame *
uneven_swap(struct rig *r, unsigned before_ms)
{
	rig_pass(r, before_ms, 0);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		rig_run(r, i, 1800000000, 200000000);
	count_branches(r);
	rig_pass(r, 1000 - before_ms, 0);
	for (unsigned i = 0; i < RIG_CPUS; i++) {
		rig_run(r, i, 200000000, 400000000);
		r->s->cpu[i].slot[0].count += 80000000;
		r->s->cpu[i].slot[1].count += 1000;
	}
	return rig_feed(r);
}

UNIT(test_a_swap_divides_by_its_own_time)
{
	struct rig r;
	unsigned walks = (unsigned)metric_find("walk_d_per_s");

	open_perf(&r);
	const struct frame *f = uneven_swap(&r, 750);

	assert_float_equal(rig_value(f, 0, "branch_pct"), 20, 1e-9);
	assert_float_equal(rig_value(f, RIG_ALL, "branch_pct"), 20, 1e-9);
	assert_int_equal(frame_marks(f, 0, (unsigned)metric_find("branch_pct")),
			 0);
	/* The fixed pair has gone on all the time. */
	assert_float_equal(rig_value(f, 0, "ipc"), 0.3, 1e-9);
	assert_int_equal(f->span[0].cycles, 2000000000);
	assert_true(span_has_pair(&f->span[0]));
	assert_int_equal(f->span[0].pair_cycles, 200000000);
	assert_int_equal(f->span[RIG_ALL].pair_instructions, 1600000000);
	/* A rate is that of a quarter of the second, and says so. */
	assert_float_equal(rig_value(f, 0, "walk_d_per_s"), 4000, 1e-6);
	assert_int_equal(frame_marks(f, 0, walks), VALUE_SCALED);
	assert_int_equal(frame_marks(f, RIG_ALL, walks), VALUE_SCALED);
	rig_close(&r);
}

UNIT(test_a_rate_of_a_moment_is_none)
{
	struct rig r;

	open_perf(&r);
	const struct frame *f = uneven_swap(&r, 950);

	assert_int_equal(rig_state(f, 0, "walk_d_per_s"), VALUE_NOT_COUNTED);
	assert_float_equal(rig_value(f, 0, "branch_pct"), 20, 1e-9);
	rig_close(&r);
}

/* The same from a recording, which has the pair of the slots' time. */
UNIT(test_a_recorded_swap)
{
	struct rig r;
	const uint32_t fixed = 1u << TERM_CYCLES | 1u << TERM_INSTRUCTIONS;
	const uint32_t pair =
		1u << TERM_SLOT_CYCLES | 1u << TERM_SLOT_INSTRUCTIONS;
	struct span cpu[RIG_CPUS];
	struct recorded recorded = { .interval_ns = 1000000000, .cpu = cpu };

	open_perf(&r);
	count_branches(&r);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		cpu[i] = (struct span){
			.ncpus = 1,
			.quality = QUALITY_SWAP,
			.cpu_ns = 1000000000,
			.event_ns = 250000000,
			.have_any = 3 | fixed | pair,
			.cycles = 2000000000,
			.instructions = 600000000,
			.pair_cycles = 200000000,
			.pair_instructions = 400000000,
			.slot = { 80000000, 1000 },
		};
	r.s->recorded = &recorded;
	const struct frame *f = rig_feed(&r);

	assert_float_equal(rig_value(f, 0, "branch_pct"), 20, 1e-9);
	assert_float_equal(rig_value(f, 0, "ipc"), 0.3, 1e-9);
	/* One that does not have it is scaled, and says so. */
	for (unsigned i = 0; i < RIG_CPUS; i++)
		cpu[i].have_any &= ~pair;
	rig_pass(&r, 1000, 0);
	f = rig_feed(&r);
	assert_int_equal(frame_marks(f, 0, (unsigned)metric_find("branch_pct")),
			 VALUE_SCALED);
	rig_close(&r);
}

static void
clocks(struct rig *r, unsigned cpu, uint64_t ns)
{
	for (unsigned k = 0; k < FIXED_COUNT; k++) {
		r->s->cpu[cpu].fixed[k].enabled_ns += ns;
		r->s->cpu[cpu].fixed[k].running_ns += ns;
	}
}

/* Its counters were opened 12 us before the reading: no rate of that. */
UNIT(test_back_on_line_is_a_baseline)
{
	struct rig r;
	const struct frame *f = NULL;

	rig_open(&r, "a14", NULL, false);
	for (int n = 0; n < 5; n++) {
		bool off = n == 1 || n == 2;

		rig_pass(&r, 1000, 0);
		for (unsigned i = 0; i < RIG_CPUS; i++) {
			bool on = i > 0 || n == 0 || n == 4;
			uint64_t ns = on ? 1000000000 : off ? 0 : 12000;

			clocks(&r, i, ns);
			/* Short work, at far more than the usual pace. */
			rig_run(&r, i, on ? 1000000000 : 10 * ns,
				on ? 100000000 : 25 * ns);
		}
		r.s->cpu[0].state = off ? CPU_OFF : CPU_DELIVERED;
		f = rig_feed(&r);
		assert_true(rig_value(f, RIG_ALL, "gips") < 0.41);
		assert_true(rig_value(f, RIG_E, "gips") < 0.21);
		if (n == 3)
			assert_int_equal(rig_state(f, 0, "gips"), VALUE_STALE);
	}
	assert_float_equal(rig_value(f, 0, "gips"), 0.1, 1e-9);
	assert_float_equal(rig_value(f, RIG_ALL, "gips"), 0.4, 1e-9);
	rig_close(&r);
}
