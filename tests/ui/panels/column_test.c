/* What the cells of the tables say, and of which moment. */
#include "ui/screen.h"

#include "ui/view/value.h"

/* Slots another tool took are stolen, rows that did not come are stale. */
static void
test_stolen_is_not_stale(void **state)
{
	unsigned metric = (unsigned)metric_find("l1d_ld_mpki");
	struct value_shown out;
	struct screen s;

	(void)state;
	screen_open(&s, "m1", 120, 40, CANVAS_ASCII);
	screen_draw(&s);
	s.view->f = &s.fake.f;
	s.fake.state[4 * metric_count + metric] = VALUE_STALE;
	s.fake.tally[4].quality = QUALITY_STOLEN;
	value_show(s.view, 4, (int)metric, 6, &out);
	assert_string_equal(out.text, "stolen");
	value_show(s.view, 4, (int)metric, 5, &out);
	assert_string_equal(out.text, "!");
	s.fake.tally[4].quality = QUALITY_STALE;
	value_show(s.view, 4, (int)metric, 6, &out);
	assert_string_equal(out.text, "stale");
	value_show(s.view, 4, (int)metric, 4, &out);
	assert_string_equal(out.text, "s");
	screen_close(&s);
}

/* A column that one kind cannot have says n/a there, and stays elsewhere. */
static void
test_a_kind_without_it_says_so(void **state)
{
	unsigned metric = (unsigned)metric_find("starve_pct");
	struct screen s;

	(void)state;
	screen_open(&s, "m1", 120, 40, CANVAS_ASCII);
	for (unsigned i = 0; i < s.fake.f.nscopes; i++) {
		bool slow = (i < 8 && s.fake.t->cpu[i].kind == 1) || i == 8 ||
			    i == 11 || i == s.fake.f.nscopes - 1;

		if (!slow)
			continue;
		s.fake.state[i * metric_count + metric] = VALUE_UNSUPPORTED;
		s.fake.value[i * metric_count + metric] = NAN;
	}
	assert_true(says(screen_draw(&s), "starve"));
	assert_true(says(s.text, "n/a"));
	screen_close(&s);
}

/* Worse is redder, whichever way up the metric goes. */
static void
test_colours_mean_good_and_bad(void **state)
{
	struct value_shown out;
	struct screen s;
	unsigned up = 0, down = 0;

	(void)state;
	screen_open(&s, "m1", 120, 40, CANVAS_ASCII);
	screen_draw(&s);
	s.view->f = &s.fake.f;
	s.view->s = &s.fake.status;
	for (unsigned m = 0; m < metric_count; m++) {
		const struct metric *metric = &metric_table[m];
		double *value = &s.fake.value[4 * metric_count + m];
		double step = (metric->bad - metric->good) / 10;

		if (!(metric->bad > metric->good || metric->bad < metric->good))
			continue;
		up += step > 0;
		down += step < 0;
		s.fake.state[4 * metric_count + m] = VALUE_OK;
		*value = metric->good;
		value_show(s.view, 4, (int)m, 8, &out);
		assert_int_equal(out.role, ROLE_TEXT);
		*value = metric->bad - step;
		value_show(s.view, 4, (int)m, 8, &out);
		assert_int_equal(out.role, ROLE_WARN);
		*value = metric->bad + step;
		value_show(s.view, 4, (int)m, 8, &out);
		assert_int_equal(out.role, ROLE_BAD);
		s.fake.state[4 * metric_count + m] = VALUE_NOT_COUNTED;
	}
	assert_true(up > 5 && down > 2);
	screen_close(&s);
}

/* Sets that take turns: their columns stay, those not counted now dim. */
static void
test_rotation_shows_ages(void **state)
{
	static const int sets[] = { 0, 1 };
	struct screen s;

	(void)state;
	screen_open(&s, "m2max", 120, 40, CANVAS_ASCII);
	s.fake.status.rotating = true;
	s.fake.status.rotation = "overview, topdown";
	s.fake.status.rotate = sets;
	s.fake.status.nrotate = 2;
	screen_draw(&s);
	assert_true(says(s.text, "useful"));
	assert_true(says(s.text, "now"));
	assert_true(says(s.text, " 7s"));
	unsigned metric = (unsigned)metric_find("td_useful_pct");

	for (unsigned i = 0; i < s.view->lay.table.ncols; i++) {
		const struct layout_table *t = &s.view->lay.table;
		struct rect r = layout_inside(&s.view->lay, PANEL_CORES);

		if (t->col[i].metric != (int)metric)
			continue;
		const struct cell *cell =
			&s.canvas->cell[(r.y + 1) * s.canvas->w + r.x +
					t->col[i].x + t->col[i].w - 1];

		assert_true(cell->glyph[0] >= '0' && cell->glyph[0] <= '9');
		assert_int_equal(cell->role, ROLE_DIM);
		screen_close(&s);
		return;
	}
	fail_msg("useful has no column");
}

/* What is of user mode only says little of a row that is in the kernel. */
static void
test_user_counts_of_the_kernel_are_dim(void **state)
{
	struct value_shown out;
	struct screen s;
	unsigned user = (unsigned)metric_find("user_pct");
	unsigned stall = (unsigned)metric_find("stall_pct");

	(void)state;
	screen_open(&s, "m1", 120, 40, CANVAS_ASCII);
	screen_draw(&s);
	s.view->f = &s.fake.f;
	s.view->s = &s.fake.status;
	s.fake.f.domain = DOMAIN_USER;
	s.fake.state[4 * metric_count + user] = VALUE_OK;
	s.fake.state[4 * metric_count + stall] = VALUE_OK;
	s.fake.value[4 * metric_count + stall] = 90;
	s.fake.value[4 * metric_count + user] = 60;
	value_show(s.view, 4, (int)stall, 8, &out);
	assert_int_equal(out.role, ROLE_BAD);
	s.fake.value[4 * metric_count + user] = 20;
	value_show(s.view, 4, (int)stall, 8, &out);
	assert_int_equal(out.role, ROLE_DIM);
	value_show(s.view, 4, (int)user, 8, &out);
	assert_int_equal(out.role, ROLE_BAD);
	screen_close(&s);
}

int
main(void)
{
	const struct CMUnitTest test[] = {
		cmocka_unit_test(test_stolen_is_not_stale),
		cmocka_unit_test(test_a_kind_without_it_says_so),
		cmocka_unit_test(test_colours_mean_good_and_bad),
		cmocka_unit_test(test_user_counts_of_the_kernel_are_dim),
		cmocka_unit_test(test_rotation_shows_ages),
	};

	return cmocka_run_group_tests(test, NULL, NULL);
}
