/* What the cells of the tables say, and of which moment. */
#include "ui/screen.h"

#include "ui/view/value.h"

/* Slots another tool took are stolen, rows that did not come are stale. */
UNIT(test_stolen_is_not_stale)
{
	unsigned metric = (unsigned)metric_find("l1d_ld_mpki");
	struct value_shown out;

	SCREEN(s, screen_open, "m1", 120, 40, CANVAS_ASCII);
	screen_draw(&s);
	s.view->f = &s.fake.f;
	s.fake.state[4 * metric_count + metric] = VALUE_STALE;
	s.fake.span[4].quality = QUALITY_TAKEN_OVER;
	value_show(s.view, 4, (int)metric, 6, &out);
	assert_string_equal(out.text, "taken");
	value_show(s.view, 4, (int)metric, 4, &out);
	assert_string_equal(out.text, "!");
	s.fake.span[4].quality = QUALITY_STALE;
	value_show(s.view, 4, (int)metric, 6, &out);
	assert_string_equal(out.text, "stale");
	value_show(s.view, 4, (int)metric, 4, &out);
	assert_string_equal(out.text, "s");
}

/* A column that one kind cannot have says n/a there, and stays elsewhere. */
UNIT(test_a_kind_without_it_says_so)
{
	unsigned metric = (unsigned)metric_find("frontend_stall_pct");

	SCREEN(s, screen_open, "m1", 120, 40, CANVAS_ASCII);
	for (unsigned i = 0; i < s.fake.f.nscopes; i++) {
		bool slow = (i < 8 && s.fake.t->cpu[i].kind == 1) || i == 8 ||
			    i == 11 || i == s.fake.f.nscopes - 1;

		if (!slow)
			continue;
		s.fake.state[i * metric_count + metric] = VALUE_UNSUPPORTED;
		s.fake.value[i * metric_count + metric] = NAN;
	}
	assert_says(screen_draw(&s), "fstall");
	assert_says(s.text, "    54      - "); /* and no reason */
	assert_silent(s.text, "n/a");
}

/* Row 4 with that bottleneck; what its cell of a metric looks like. */
static enum role
role_with(struct screen *s, struct bottleneck v, const char *metric)
{
	unsigned m = (unsigned)metric_find(metric);
	struct value_shown out;

	s->fake.bottlenecks.bottleneck[4] = v;
	s->fake.value[4 * metric_count + m] = 88;
	s->fake.state[4 * metric_count + m] = VALUE_OK;
	value_show(s->view, 4, (int)m, 8, &out);
	return out.role;
}

/* No number is coloured for its size: 88 is much of everything. */
UNIT(test_only_evidence_is_coloured)
{
	static const struct {
		enum bottleneck_word word;
		const char *evidence, *share, *other;
	} row[] = {
		{ BOTTLENECK_MEMORY, "l1d_ld_mpki", "stall_pct",
		  "branch_mpki" },
		{ BOTTLENECK_BAD_SPEC, "branch_mpki", "bad_spec_pct",
		  "stall_pct" },
		{ BOTTLENECK_FRONTEND, "l1i_mpki", "frontend_stall_pct",
		  "l1d_ld_mpki" },
	};

	SCREEN(s, screen_open, "m1", 120, 40, CANVAS_ASCII);
	screen_draw(&s);
	s.view->f = &s.fake.f;
	s.view->s = &s.fake.status;
	s.fake.f.domain = DOMAIN_ALL;
	for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
		struct bottleneck v = { .word = (uint8_t)row[i].word,
					.flagged = true,
					.evidence = (int16_t)metric_find(
						row[i].evidence) };

		assert_int_equal(role_with(&s, v, row[i].evidence), ROLE_BAD);
		assert_int_equal(role_with(&s, v, row[i].share), ROLE_BAD);
		assert_int_equal(role_with(&s, v, row[i].other), ROLE_TEXT);
		assert_int_equal(role_with(&s, v, "lost_pct"), ROLE_STRONG);
		v.flagged = false;
		assert_int_equal(role_with(&s, v, row[i].evidence), ROLE_TEXT);
		assert_int_equal(role_with(&s, v, "lost_pct"), ROLE_TEXT);
		v.word = BOTTLENECK_NONE;
		assert_int_equal(role_with(&s, v, "lost_pct"), ROLE_DIM);
		assert_int_equal(role_with(&s, v, row[i].evidence), ROLE_TEXT);
	}
	struct bottleneck kernel = { .word = BOTTLENECK_KERNEL,
				     .evidence = -1 };

	assert_int_equal(role_with(&s, kernel, "user_pct"), ROLE_TEXT);
	assert_int_equal(role_with(&s, kernel, "stall_pct"), ROLE_TEXT);
	s.fake.f.bottleneck = NULL;
	assert_int_equal(role_with(&s, kernel, "user_pct"), ROLE_TEXT);
}

/* What stands in the column of bottlenecks. */
UNIT(test_a_bottleneck_is_one_word)
{
	static const struct {
		enum bottleneck_word word;
		const char *see, *text;
		enum role role;
	} row[] = {
		{ BOTTLENECK_NONE, "", "none", ROLE_DIM },
		{ BOTTLENECK_KERNEL, "os", "kernel", ROLE_TEXT },
		{ BOTTLENECK_IDLE, "", "idle", ROLE_DIM },
		{ BOTTLENECK_OFF, "", "off", ROLE_DIM },
		{ BOTTLENECK_FRONTEND, "frontend", "frontend", ROLE_TEXT },
		{ BOTTLENECK_BACKEND, "l1d", "backend", ROLE_TEXT },
		{ BOTTLENECK_UNKNOWN, "topdown", "unknown", ROLE_DIM },
	};
	struct value_shown out;

	SCREEN(s, screen_open, "m1", 80, 24, CANVAS_ASCII);
	screen_draw(&s);
	s.view->f = &s.fake.f;
	s.view->s = &s.fake.status;
	for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
		s.fake.bottlenecks.bottleneck[4] = (struct bottleneck){
			.word = (uint8_t)row[i].word,
			.see = (int8_t)(row[i].see[0] != 0
						? preset_find(row[i].see)
						: -1)
		};
		value_show_bottleneck(s.view, 4, &out);
		assert_string_equal(out.text, row[i].text);
		assert_int_equal(out.role, row[i].role);
	}
	s.fake.bottlenecks.bottleneck[4] =
		(struct bottleneck){ .word = BOTTLENECK_MEMORY,
				     .flagged = true };
	value_show_bottleneck(s.view, 4, &out);
	assert_int_equal(out.role, ROLE_BAD);
	/* Estimated, and what the events in force cannot judge. */
	s.fake.bottlenecks.bottleneck[4] =
		(struct bottleneck){ .estimate = BOTTLENECK_BAD_SPEC };
	value_show_bottleneck(s.view, 4, &out);
	assert_string_equal(out.text, "~bad-spec");
	assert_int_equal(out.role, ROLE_DIM);
	s.fake.bottlenecks.bottleneck[4] =
		(struct bottleneck){ .cannot = true };
	value_show_bottleneck(s.view, 4, &out);
	assert_string_equal(out.text, "-");
}

UNIT(test_an_estimated_loss_is_marked_in_the_head)
{
	SCREEN(s, screen_open, "m1", 80, 24, CANVAS_ASCII);
	for (unsigned i = 0; i < s.fake.f.nscopes; i++)
		s.fake.bottlenecks.bottleneck[i].lost_about = false;
	assert_says(screen_draw(&s), "BOTTLENECK lost%  ");
	s.fake.bottlenecks.bottleneck[4].lost_about = true;
	assert_says(screen_draw(&s), "BOTTLENECK lost%~ ");
}

/* Nothing is lost, or nothing by those of its cores that are judged. */
UNIT(test_no_loss_of_some_is_marked)
{
	unsigned impact = (unsigned)metric_find("lost_pct");
	struct value_shown out;

	SCREEN(s, screen_open, "m1", 120, 40, CANVAS_ASCII);
	screen_draw(&s);
	s.view->f = &s.fake.f;
	s.fake.value[9 * metric_count + impact] = 0;
	s.fake.state[9 * metric_count + impact] = VALUE_OK;
	value_show(s.view, 9, (int)impact, 6, &out);
	assert_string_equal(out.text, "0.0");
	s.fake.state[9 * metric_count + impact] = VALUE_OK | VALUE_PART;
	value_show(s.view, 9, (int)impact, 6, &out);
	assert_string_equal(out.text, "0.0'");
}

/* Sets that take turns: their columns stay, those not counted now dim. */
UNIT(test_rotation_shows_ages)
{
	static const int sets[] = { 0, 1 };
	struct screen s;

	screen_open(&s, "m2max", 120, 40, CANVAS_ASCII);
	s.fake.status.rotating = true;
	s.fake.status.rotation = "basic, topdown";
	s.fake.status.rotate = sets;
	s.fake.status.nrotate = 2;
	screen_draw(&s);
	assert_says(s.text, "retire", "now", " 7s");
	unsigned metric = (unsigned)metric_find("retiring_pct");

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
	fail_msg("retire has no column");
}

/* What is of user mode only says little of a row that is in the kernel. */
UNIT(test_user_counts_of_the_kernel_are_dim)
{
	struct value_shown out;
	unsigned user = (unsigned)metric_find("user_pct");
	unsigned stall = (unsigned)metric_find("stall_pct");

	SCREEN(s, screen_open, "m1", 120, 40, CANVAS_ASCII);
	screen_draw(&s);
	s.view->f = &s.fake.f;
	s.view->s = &s.fake.status;
	s.fake.f.domain = DOMAIN_USER;
	s.fake.f.bottleneck = NULL;
	s.fake.state[4 * metric_count + user] = VALUE_OK;
	s.fake.state[4 * metric_count + stall] = VALUE_OK;
	s.fake.value[4 * metric_count + stall] = 90;
	s.fake.value[4 * metric_count + user] = 60;
	value_show(s.view, 4, (int)stall, 8, &out);
	assert_int_equal(out.role, ROLE_TEXT);
	s.fake.value[4 * metric_count + user] = 20;
	value_show(s.view, 4, (int)stall, 8, &out);
	assert_int_equal(out.role, ROLE_DIM);
	value_show(s.view, 4, (int)user, 8, &out);
	assert_int_equal(out.role, ROLE_TEXT);
}
