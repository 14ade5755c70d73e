/* Which cause of lost issue slots is named first. */
#include "ui/screen.h"

#include "ui/panels/panel.h"

static void
put(struct screen *s, unsigned scope, const char *metric, double value)
{
	size_t at = scope * (size_t)s->fake.f.nmetrics +
		    (size_t)metric_find(metric);

	s->fake.value[at] = value;
	s->fake.state[at] = VALUE_OK;
}

/* One scale: 17% where 10% is the mark is worse than 28% where 20% is. */
static void
test_the_worst_cause_is_furthest_over_its_mark(void **state)
{
	static const char *const share[] = { "td_useful_pct",
					     "td_discarded_pct",
					     "td_delivery_pct",
					     "td_processing_pct" };
	static const double pct[4] = { 45, 17, 28, 10 };
	struct screen s;

	(void)state;
	screen_open(&s, "m2max", 120, 40, CANVAS_ASCII);
	s.view->kind = VIEW_BOTTLENECKS;
	s.fake.status.preset = preset_find("topdown");
	memcpy(s.fake.set.name, "topdown", 8);
	s.fake.status.catalog = NULL;
	for (unsigned k = 0; k < s.fake.f.nscopes; k++)
		for (unsigned i = 0; i < 4; i++)
			put(&s, k, share[i], pct[i]);
	const char *text = screen_draw(&s);

	assert_true(says(text, "1st Discarded 17% (over 10%): see 3 branch"));
	assert_true(says(text, "2nd Delivery 28% (over 20%): see 6 frontend"));
	assert_int_equal(panel_bottlenecks_preset(s.view),
			 preset_find("branch"));
	screen_close(&s);
}

int
main(void)
{
	const struct CMUnitTest test[] = {
		cmocka_unit_test(
			test_the_worst_cause_is_furthest_over_its_mark),
	};

	return cmocka_run_group_tests(test, NULL, NULL);
}
