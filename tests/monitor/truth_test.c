/* Group rows: nothing that was not measured, nothing that cannot be true. */

#include <cmocka.h>

#include "monitor/history.h"
#include "model/near.h"
#include "model/rig.h"

static const char branch[] = "BRANCH_MISPRED_NONSPEC";

static void
busy(struct rig *r, unsigned cpu, unsigned percent)
{
	r->s->cpu[cpu].busy_known = true;
	r->s->cpu[cpu].busy += percent;
	r->s->cpu[cpu].total += 100;
}

/* CPU 3 sleeps and is read every third time only; the others work. */
static const struct frame *
lazy_frame(struct rig *r, unsigned n)
{
	for (unsigned i = 0; i < RIG_CPUS; i++) {
		r->s->cpu[i].state = CPU_DELIVERED;
		busy(r, i, i == 3 ? 0 : 100);
	}
	rig_work(r);
	rig_run(r, 3, -UINT64_C(1996000000), -UINT64_C(2994000000));
	if (n % 3 != 2)
		r->s->cpu[3].state = CPU_SKIPPED;
	return rig_feed(r);
}

/* All that a group's row says is of one time, the mean of its CPUs' own. */
UNIT(test_a_group_s_numbers_are_of_its_interval)
{
	struct rig r;
	const struct frame *f = NULL;

	rig_open(&r, "a14", NULL, false);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		r.s->cpu[i].busy_known = true;
	monitor_free(r.m);
	r.m = monitor_new(r.t, &(struct monitor_options){ 0 }, NULL);
	assert_null(rig_feed(&r));
	for (unsigned n = 0; n < 9; n++) {
		bool caught_up = n % 3 == 2;

		f = lazy_frame(&r, n);

		const struct span *t = &f->span[RIG_ALL];
		double gips = rig_value(f, RIG_ALL, "gips");

		assert_int_equal(t->n_ok, caught_up ? 4 : 3);
		assert_float_equal(span_interval_s(t), (caught_up ? 6 / 4. : 1),
				   1e-9);
		assert_true(near(gips * span_interval_s(t),
				 (double)t->instructions * 1e-9));
		assert_true(near(gips, caught_up ? 9.018 / 1.5 : 9));
		assert_float_equal(span_busy_pct(t), (caught_up ? 50 : 75),
				   1e-9);
	}
	/* A ratio is the sums' own, and no mean of ratios. */
	assert_float_equal(rig_value(f, RIG_ALL, "ipc"), 1.5, 1e-9);

	float dot[64];
	struct history_plan plan;

	assert_true(
		history_run_plan(monitor_past(r.m), f->elapsed_s, 0, 1, &plan));
	history_run_read(monitor_past(r.m), &plan,
			 &metric_table[metric_find("gips")], RIG_ALL, dot);
	assert_float_equal(dot[0], 9.006, 1e-5);
	rig_close(&r);
}

/* It came on line 18 us ago: what it did then says nothing of a second. */
UNIT(test_a_cpu_that_hardly_counted)
{
	struct rig r;

	rig_open(&r, "a14", NULL, false);
	rig_work(&r);
	(void)rig_feed(&r);
	r.s->cpu[3].state = CPU_OFF;
	rig_work(&r);
	const struct frame *f = rig_feed(&r);

	assert_float_equal(rig_value(f, RIG_ALL, "gips"), 9, 1e-9);
	assert_float_equal(rig_value(f, RIG_KIND_P, "gips"), 3, 1e-9);
	assert_int_equal(f->span[RIG_ALL].n_ok, 3);
	assert_int_equal(rig_state(f, 3, "gips"), VALUE_OFF);
	rig_close(&r);
}

UNIT(test_skipped_is_idle)
{
	struct rig r;

	rig_open(&r, "a14", "basic", false);
	rig_work(&r);
	r.s->cpu[1].state = CPU_SKIPPED;
	r.s->cpu[2].state = CPU_DENIED;
	const struct frame *f = rig_feed(&r);

	assert_int_equal(rig_state(f, 1, "ipc"), VALUE_IDLE);
	assert_int_equal(f->span[1].quality, QUALITY_IDLE);
	assert_int_equal(rig_state(f, 2, "ipc"), VALUE_DENIED);
	assert_int_equal(f->span[2].quality, QUALITY_DENIED);
	assert_int_equal(f->health.stale_rows, 0);
	assert_int_equal(f->span[RIG_ALL].n_ok, 2);
	rig_close(&r);
}

/* E cannot count branches: so it is with one of its CPUs off, or asleep. */
UNIT(test_never_is_not_stale)
{
	static const enum cpu_state lost[] = { CPU_OFF, CPU_SKIPPED,
					       CPU_MISSING, CPU_DENIED };
	struct rig r;

	rig_open(&r, "a14", "basic", false);
	unsigned slot = rig_slot(&r, branch);

	r.s->cpu[0].slot[slot].supported = false;
	r.s->cpu[1].slot[slot].supported = false;
	for (unsigned i = 0; i < sizeof lost / sizeof *lost; i++) {
		r.s->cpu[0].state = CPU_DELIVERED;
		rig_work(&r);
		(void)rig_feed(&r);
		r.s->cpu[0].state = lost[i];
		rig_work(&r);
		const struct frame *f = rig_feed(&r);

		assert_int_equal(rig_state(f, RIG_E, "branch_mpki"),
				 VALUE_UNSUPPORTED);
		assert_int_equal(rig_state(f, RIG_KIND_E, "branch_mpki"),
				 VALUE_UNSUPPORTED);
		assert_int_equal(rig_state(f, 0, "branch_mpki"),
				 lost[i] == CPU_OFF ? VALUE_OFF
						    : VALUE_UNSUPPORTED);
	}
	rig_close(&r);
}

UNIT(test_no_pmu_is_never_stale)
{
	struct rig r;

	rig_open(&r, "a14", NULL, false);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		for (unsigned k = 0; k < FIXED_COUNT; k++)
			r.s->cpu[i].fixed[k].supported = false;
	rig_work(&r);
	(void)rig_feed(&r);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		r.s->cpu[i].state = CPU_SKIPPED;
	rig_work(&r);
	const struct frame *f = rig_feed(&r);

	assert_int_equal(rig_state(f, 0, "ipc"), VALUE_UNSUPPORTED);
	assert_int_equal(rig_state(f, RIG_ALL, "gips"), VALUE_UNSUPPORTED);
	rig_close(&r);
}

UNIT(test_part_of_a_group)
{
	const unsigned metric = (unsigned)metric_find("branch_mpki");
	struct rig r;

	rig_open(&r, "a14", "basic", false);
	r.s->cpu[0].slot[rig_slot(&r, branch)].supported = false;
	r.s->cpu[1].slot[rig_slot(&r, branch)].supported = false;
	rig_work(&r);
	for (unsigned i = 0; i < RIG_CPUS; i++) {
		rig_count(&r, i, "INST_ALL", 3000000000);
		rig_count(&r, i, branch, i < 2 ? 0 : 6000000);
	}
	const struct frame *f = rig_feed(&r);

	assert_float_equal(rig_value(f, RIG_ALL, "branch_mpki"), 2, 1e-9);
	assert_int_equal(frame_marks(f, RIG_ALL, metric), VALUE_PART);
	assert_int_equal(frame_marks(f, RIG_KIND_P, metric), 0);
	assert_int_equal(frame_marks(f, RIG_ALL, (unsigned)metric_find("ipc")),
			 0);
	/* The paused screen has the mark, too. */
	assert_int_equal(rig_state(f, RIG_ALL, "branch_mpki"), VALUE_OK);
	rig_close(&r);
}

static void
cover(struct rig *r, double share)
{
	for (unsigned i = 0; i < RIG_CPUS; i++)
		for (unsigned k = 0; k < FIXED_COUNT; k++) {
			struct reading *x = &r->s->cpu[i].fixed[k];

			x->enabled_ns += 1000000000;
			x->running_ns += (uint64_t)(1e9 * share);
		}
}

UNIT(test_scaled_is_marked_and_too_little_is_not_shown)
{
	static const char *const name[] = { "ipc", "ghz", "gips" };
	struct rig r;
	const struct frame *f;

	rig_open(&r, "a14", NULL, false);
	cover(&r, 1);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		busy(&r, i, 100);
	rig_work(&r);
	(void)rig_feed(&r);
	rig_work(&r);
	cover(&r, 0.5);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		busy(&r, i, 100);
	f = rig_feed(&r);
	for (unsigned i = 0; i < 3; i++)
		for (unsigned row = 0; row <= RIG_ALL; row += RIG_ALL)
			assert_int_equal(
				frame_marks(f, row,
					    (unsigned)metric_find(name[i])),
				VALUE_SCALED);
	assert_float_equal(rig_value(f, 0, "ghz"), 4, 1e-6);
	assert_float_equal(rig_value(f, RIG_ALL, "gips"), 24, 1e-6);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		busy(&r, i, 100);
	rig_pass(&r, 1000, 0);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		rig_run(&r, i, 180000000, 270000000);
	cover(&r, 0.09);
	f = rig_feed(&r);
	for (unsigned row = 0; row <= RIG_ALL; row += RIG_ALL) {
		assert_int_equal(rig_state(f, row, "ghz"), VALUE_NOT_COUNTED);
		assert_int_equal(rig_state(f, row, "gips"), VALUE_NOT_COUNTED);
		assert_float_equal(rig_value(f, row, "ipc"), 1.5, 1e-9);
	}
	rig_close(&r);
}

/* What is made of counts that cannot be: no number, on the row or above. */
UNIT(test_doubtful)
{
	static const char *const name[] = { "ipc", "ghz", "gips" };
	struct rig r;

	rig_open(&r, "a14", NULL, false);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		busy(&r, i, 100);
	rig_work(&r);
	(void)rig_feed(&r);
	rig_pass(&r, 1000, 0);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		busy(&r, i, 100);
	/* 0 stands still, 1 has no work, 2 too much of it; 3 is well. */
	rig_run(&r, 1, 2000000000, 0);
	rig_run(&r, 2, 1000000000, UINT64_C(34480000000));
	rig_run(&r, 3, 2000000000, 3000000000);
	const struct frame *f = rig_feed(&r);

	for (unsigned i = 0; i < 3; i++) {
		for (unsigned cpu = 0; cpu < 3; cpu++) {
			assert_int_equal(rig_state(f, cpu, name[i]),
					 VALUE_IMPOSSIBLE);
			assert_true(isnan(rig_value(f, cpu, name[i])));
		}
		assert_int_equal(rig_state(f, RIG_E, name[i]),
				 VALUE_IMPOSSIBLE);
	}
	assert_float_equal(rig_value(f, RIG_ALL, "ipc"), 1.5, 1e-9);
	assert_float_equal(rig_value(f, RIG_ALL, "gips"), 3, 1e-9);
	assert_float_equal(rig_value(f, RIG_ALL, "ghz"), 2, 1e-9);
	assert_int_equal(f->span[RIG_ALL].quality, QUALITY_APPROX);
	rig_close(&r);
}

/* Half busy at a clock of 20 GHz: either may be wrong, so is only the clock. */
UNIT(test_doubtful_clock)
{
	struct rig r;

	rig_open(&r, "a14", NULL, false);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		busy(&r, i, 50);
	rig_work(&r);
	(void)rig_feed(&r);
	rig_work(&r);
	rig_run(&r, 0, UINT64_C(8000000000), UINT64_C(8000000000));
	for (unsigned i = 0; i < RIG_CPUS; i++)
		busy(&r, i, 50);
	const struct frame *f = rig_feed(&r);

	assert_int_equal(rig_state(f, 0, "ghz"), VALUE_IMPOSSIBLE);
	assert_float_equal(rig_value(f, 0, "ipc"), 1.1, 1e-9);
	assert_float_equal(rig_value(f, RIG_ALL, "ghz"), 4, 1e-9);
	assert_int_equal(f->span[0].quality, QUALITY_APPROX);
	rig_close(&r);
}
