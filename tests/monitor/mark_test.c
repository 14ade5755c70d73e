/* Marks: relative to the kind, never on sums of rates, one scale for all. */
#include "model/mark.h"

#include "model/near.h"

static bool
warns(const struct frame *f, unsigned scope, const char *metric, double v)
{
	struct mark mark;

	return mark_of(&metric_table[metric_find(metric)], f, scope, &mark) &&
	       mark_nearly(&mark, v);
}

static double
over(const struct frame *f, unsigned scope, const char *metric, double v)
{
	struct mark mark;

	return mark_of(&metric_table[metric_find(metric)], f, scope, &mark)
		       ? mark_over(&mark, v)
		       : -1;
}

/* CPUs 0 and 1 are E cores, four wide: what is little for P is much for them.
 */
static void
test_work_per_cycle_goes_by_the_kind(void **state)
{
	struct rig r;

	(void)state;
	rig_open(&r, "a14", NULL, true);
	rig_pass(&r, 1000, 0);
	rig_run(&r, 0, 1000000000, 1450000000);
	rig_run(&r, 1, 1000000000, 720000000);
	rig_run(&r, 2, 1000000000, 4000000000);
	rig_run(&r, 3, 1000000000, 720000000);
	const struct frame *f = rig_feed(&r);

	assert_false(warns(f, 1, "ipc", rig_value(f, 1, "ipc")));
	assert_true(warns(f, 3, "ipc", rig_value(f, 3, "ipc")));
	assert_true(warns(f, RIG_KIND_P, "ipc", 0.72));
	assert_false(warns(f, RIG_KIND_E, "ipc", 0.72));
	assert_true(near(over(f, 3, "ipc", 0.5), 1));
	assert_true(near(over(f, 3, "ipc", 0.25), 2));
	assert_true(over(f, 1, "ipc", 0.25) < 1.1);
	/* The machine's row has kinds of different widths. */
	assert_true(near(over(f, RIG_ALL, "ipc", 0.1), -1));
	rig_close(&r);
}

/* A kind that never does more than half of that is judged by what it does. */
static void
test_what_a_kind_reaches_counts(void **state)
{
	double reached[2] = { 1.8, 0 };
	struct rig r;

	(void)state;
	rig_open(&r, "a14", NULL, true);
	rig_work(&r);
	struct frame f = *rig_feed(&r);

	f.reached = NULL;
	assert_true(near(over(&f, 2, "ipc", 0.5), 1));
	f.reached = reached;
	assert_true(near(over(&f, 2, "ipc", 0.3), 1)); /* 1.8 of 3 */
	reached[0] = 0.1; /* it has not begun yet: half is asked for */
	assert_true(near(over(&f, 2, "ipc", 0.25), 1));
	reached[0] = 5;
	assert_true(near(over(&f, 2, "ipc", 0.5), 1));
	rig_close(&r);
}

static void
test_rates_have_no_mark_on_sums(void **state)
{
	struct rig r;

	(void)state;
	rig_open(&r, "a14", NULL, true);
	rig_work(&r);
	const struct frame *f = rig_feed(&r);

	assert_true(near(over(f, 0, "walk_d_per_s", 6e7), 2));
	assert_true(near(over(f, RIG_E, "walk_d_per_s", 6e7), -1));
	assert_true(near(over(f, RIG_ALL, "l1d_wb_per_s", 1e9), -1));
	assert_true(over(f, RIG_ALL, "branch_mpki", 16) > 1.9);
	/* Neither end is better. */
	assert_true(near(over(f, 0, "branch_pct", 90), -1));
	assert_true(near(over(f, 0, "td_discarded_pct", 17), 1.7));
	assert_true(near(over(f, 0, "td_delivery_pct", 28), 1.4));
	assert_true(near(over(f, 0, "branch_mpki", NAN), 0));
	rig_close(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_work_per_cycle_goes_by_the_kind),
		cmocka_unit_test(test_what_a_kind_reaches_counts),
		cmocka_unit_test(test_rates_have_no_mark_on_sums),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
