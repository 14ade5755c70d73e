/* The whole run in buckets: no count is lost or twice, ratios are of sums. */
#include "model/longrun_kit.h"

#include <math.h>
#include <stdlib.h>

#include "monitor/history.h"
#include "monitor/monitor.h"

UNIT(test_no_count_is_lost_in_a_long_run)
{
	unsigned frames = getenv("KTOP_LONG") != NULL ? 100000 : 20000;
	struct rig r;
	uint64_t seed = 1, cycles[RIG_CPUS] = { 0 }, misses = 0;
	uint64_t all_cycles = 0, all_work = 0;
	struct history_plan plan;
	struct span got;

	rig_open(&r, "a14", "branch", false);
	unsigned slot = rig_slot(&r, "BRANCH_MISPRED_NONSPEC");
	const struct history *l = run_of(&r);

	for (unsigned n = 0; n < frames; n++) {
		rig_pass(&r, 900 + (int64_t)(next(&seed) % 200), 0);
		for (unsigned i = 0; i < RIG_CPUS; i++) {
			uint64_t c = 1000000 + next(&seed) % 2000000000;
			uint64_t w = c + next(&seed) % c;

			rig_run(&r, i, c, w);
			rig_count(&r, i, "BRANCH_MISPRED_NONSPEC", c / 1000);
			cycles[i] += c;
			all_cycles += c;
			all_work += w;
			misses += c / 1000;
		}
		assert_non_null(rig_feed(&r));
	}
	got = sums_of(&r, "ipc", RIG_ALL);
	assert_true(got.count[TERM_CYCLES] == all_cycles);
	assert_true(got.count[TERM_INSTRUCTIONS] == all_work);
	got = sums_of(&r, "branch_mpki", RIG_ALL);
	assert_true(got.slot[slot] == misses);
	for (unsigned i = 0; i < RIG_CPUS; i++) {
		got = sums_of(&r, "ipc", i);
		assert_true(got.count[TERM_CYCLES] == cycles[i]);
	}
	near(one(&r, "ipc", RIG_ALL), (double)all_work / (double)all_cycles);
	/* the run is told apart as finely as there is room */
	assert_true(history_run_plan(l, 1e12, 0, 5000, &plan));
	assert_true(plan.n > HISTORY_BUCKETS / 2 && plan.n <= HISTORY_BUCKETS);
	rig_close(&r);
}

/* Work that is the same in every frame is the same in every dot. */
UNIT(test_dots_say_what_frames_say)
{
	static const char *const preset[] = { "basic", "topdown", "l1d",
					      "stalls" };
	struct rig r;

	for (unsigned p = 0; p < sizeof preset / sizeof *preset; p++) {
		const struct frame *f = NULL;
		unsigned compared = 0;

		rig_open(&r, "a14", preset[p], false);
		for (unsigned i = 0; i < RIG_CPUS; i++)
			r.s->cpu[i].busy_known = true;
		for (unsigned n = 0; n < 3000; n++) {
			rig_work(&r);
			for (unsigned i = 0; i < RIG_CPUS; i++) {
				r.s->cpu[i].busy += 60 + i;
				r.s->cpu[i].total += 100;
				for (unsigned k = 0; k < r.set.len; k++)
					r.s->cpu[i].slot[k].count +=
						(k + 2) * 100000000 *
						(i / 2 + 1);
			}
			f = rig_feed(&r);
		}
		for (unsigned m = 0; m < metric_count; m++)
			for (unsigned s = 0;
			     s < f->nscopes && /* sums have none */
			     !metric_table[m].judged;
			     s++) {
				float out[DOTS];
				double v = frame_value(f, s, m);
				unsigned n = read_dots(&r, 1e12,
						       metric_table[m].name, s,
						       DOTS, out);

				assert_true(n > DOTS / 2 && n <= DOTS);
				/* the very first frame has no busy time */
				for (unsigned i = 1; i < n; i++)
					if (isnan(v))
						assert_true(isnan(out[i]));
					else
						near((double)out[i], v);
				compared += isnan(v) ? 0 : 1;
			}
		assert_true(compared > 5 * f->nscopes);
		rig_close(&r);
	}
}

UNIT(test_a_ratio_is_of_sums)
{
	struct rig r;

	rig_open(&r, "a14", NULL, false);
	rig_pass(&r, 1000, 0);
	rig_run(&r, 2, 3000000000, 9000000000); /* IPC 3 */
	assert_non_null(rig_feed(&r));
	rig_pass(&r, 1000, 0);
	rig_run(&r, 2, 1000000000, 1000000000); /* IPC 1 */
	assert_non_null(rig_feed(&r));
	near(one(&r, "ipc", 2), 2.5); /* their mean is 2 */
	near(one(&r, "gips", 2), 5);
	near(one(&r, "ipc", RIG_ALL), 2.5);
	rig_close(&r);
}

UNIT(test_sleep_is_a_gap)
{
	struct rig r;
	float out[DOTS];
	unsigned known = 0, holes = 0;
	struct span sums;

	rig_open(&r, "a14", "basic", false);
	for (unsigned n = 0; n < 4000; n++) {
		rig_work(&r);
		if (n == 2000)
			rig_pass(&r, 0, 4000000);
		assert_non_null(rig_feed(&r));
	}
	unsigned n = read_dots(&r, 1e12, "ipc", RIG_P, DOTS, out);

	/* half of the time asleep */
	for (unsigned i = 0; i < n; i++) {
		known += isnan(out[i]) ? 0 : 1;
		holes += isnan(out[i]) ? 1 : 0;
		if (!isnan(out[i]))
			near((double)out[i], 1.5);
		/* one hole, not many */
		if (i > 0 && isnan(out[i]) && !isnan(out[i - 1]))
			assert_true(i > n * 2 / 10 && i < n * 3 / 10);
	}
	/* of the frame that slept nothing is kept: it is the gap */
	sums = sums_of(&r, "ipc", RIG_ALL);
	assert_true(sums.count[TERM_CYCLES] ==
		    (uint64_t)3999 * RIG_CPUS * 2000000000);
	/* the dots at its ends have frames too */
	assert_true(abs((int)known - (int)holes) <= 3);
	rig_close(&r);
}

UNIT(test_up_to_a_moment_and_not_twice)
{
	struct rig r;
	float out[DOTS];
	struct span got;
	struct stamp at = { 0, 0, 0 };

	rig_open(&r, "a14", NULL, false);
	for (unsigned n = 0; n < 4000; n++) {
		rig_work(&r);
		if (n < 2000) /* IPC 1 before, 1.5 after */
			for (unsigned i = 0; i < RIG_CPUS; i++)
				rig_run(&r, i, 1000000000, 0);
		if (n == 3000)
			at = r.s->stamp;
		assert_non_null(rig_feed(&r));
	}
	unsigned n = read_dots(&r, 1990, "ipc", RIG_P, DOTS, out);

	assert_true(n > DOTS / 3);
	for (unsigned i = 0; i < n; i++)
		near((double)out[i], 1);
	n = read_dots(&r, 4000, "ipc", RIG_P, DOTS, out);
	near((double)out[n - 1], 1.5);

	/* Back to 3000, and the same time again: it is known. */
	struct history *l = (struct history *)(uintptr_t)run_of(&r);
	struct frame f = { .topology = r.t,
			   .set = &(struct eventset){ .len = 0 },
			   .interval_s = 1,
			   .elapsed_s = (double)at.elapsed_ns * 1e-9 };
	struct span *twice = calloc(RIG_ALL + 1, sizeof *twice);

	for (unsigned s = 0; s <= RIG_ALL; s++) {
		span_clear(&twice[s]);
		twice[s].n = twice[s].ncpus = 1;
		twice[s].cycles = 1000;
	}
	f.span = twice;
	history_push(l, &f);
	got = sums_of(&r, "ipc", RIG_ALL);
	assert_true(got.count[TERM_CYCLES] ==
		    (uint64_t)1000000000 * RIG_CPUS * (2000 * 3 + 2000 * 2));
	f.elapsed_s = 5000;
	history_push(l, &f);
	got = sums_of(&r, "ipc", RIG_ALL);
	assert_true(got.count[TERM_CYCLES] ==
		    (uint64_t)1000000000 * RIG_CPUS * (2000 * 3 + 2000 * 2) +
			    1000);
	free(twice);
	rig_close(&r);
}

UNIT(test_long_frames_are_no_gaps)
{
	struct rig r;
	float out[4 * DOTS];

	rig_open(&r, "a14", NULL, false);
	for (unsigned n = 0; n < 400; n++) {
		rig_pass(&r, n < 200 ? 1000 : 3000, 0);
		for (unsigned i = 0; i < RIG_CPUS; i++)
			rig_run(&r, i, 2000000000, 3000000000);
		assert_non_null(rig_feed(&r));
	}
	unsigned n = read_dots(&r, 1e12, "ipc", RIG_ALL, 4 * DOTS, out);

	assert_true(n > 2 * DOTS);
	for (unsigned i = 0; i < n; i++)
		near((double)out[i], 1.5);
	rig_close(&r);
}

UNIT(test_a_span_ends_at_the_moment)
{
	struct rig r;
	struct history_plan plan;
	double begin_s, bucket_s;

	rig_open(&r, "a14", NULL, false);
	assert_false(history_run_plan(run_of(&r), 1e12, 0, DOTS, &plan));
	for (unsigned n = 0; n < 7200; n++) {
		rig_work(&r);
		assert_non_null(rig_feed(&r));
	}
	assert_true(history_run_begin(run_of(&r), &begin_s, &bucket_s));
	near(bucket_s, 7.5);
	assert_true(fabs(begin_s) < 1e-6);
	assert_true(history_run_plan(run_of(&r), 7200, 3600, 240, &plan));
	near(plan.dot_s, 15);
	assert_int_equal(plan.n, 240);
	assert_int_equal(plan.room, 240);
	assert_int_equal(plan.first + plan.n * plan.per, 960);
	/* of 600 s there are but 80 buckets: each is three dots */
	assert_true(history_run_plan(run_of(&r), 7200, 600, 250, &plan));
	assert_int_equal(plan.n, 80);
	assert_int_equal(plan.repeat, 3);
	near(plan.dot_s, 2.5);
	rig_close(&r);
}
