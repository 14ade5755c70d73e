/* What screens must say, whatever their size and state. */
#include "ui/screen.h"

#include "ui/view/keys.h"

/* Whatever the size: name, trust, the simulation's mark, a way out. */
UNIT(test_every_size_says_what_it_must)
{
	static const char *const machine[] = { "m1", "m2max", "m3ultra", "epyc",
					       "vm" };

	for (unsigned m = 0; m < 5; m++) {
		SCREEN(s, screen_open, machine[m], 20, 5, CANVAS_BRAILLE);
		simulated(&s);
		for (int w = 20; w <= 200; w += w < 90 ? 1 : 13)
			for (int h = 5; h <= 60; h += h < 26 ? 3 : 11) {
				assert_true(
					canvas_resize(s.canvas, w, h, NULL));
				const char *text = screen_draw(&s);

				if (!says(text, "ktop") || !says(text, "SIM") ||
				    !says(text, "q quit") ||
				    says(text, "NO PMU") !=
					    s.fake.machine->busy_only)
					fail_msg("%d x %d lacks something:\n%s",
						 w, h, text);
			}
	}
}

UNIT(test_too_small_says_so)
{
	SCREEN(s, screen_open, "m1", 19, 4, CANVAS_BRAILLE);
	assert_true(canvas_resize(s.canvas, 60, 4, NULL));
	assert_string_equal(screen_draw(&s),
			    "ktop: 60x4 is too small (need 20x5)\n\n\n\n");
}

/* Scrolls through the help and gathers what it says. */
static char *
help_text(struct screen *s)
{
	enum { SCREENS = 80 };
	char *all = calloc(SCREENS, SCREEN_SIZE / 10);
	size_t len = 0;

	help(s);
	screen_draw(s);
	for (int top = 0; top < s->view->over.help.lines; top += 10) {
		s->view->over.help.top = top;
		const char *text = screen_draw(s);
		size_t n = strlen(text);

		if (len + n + 1 > (size_t)SCREENS * (SCREEN_SIZE / 10))
			break;
		memcpy(all + len, text, n);
		len += n;
	}
	return all;
}

UNIT(test_help_explains_every_key_and_column)
{
	SCREEN(s, screen_open, "m2max", 200, 30, CANVAS_BRAILLE);
	char *text = help_text(&s);

	assert_says(text, "Performance, the fastest kind: 8 CPUs",
		    "Efficiency: 4 CPUs");
	for (const struct key *k = ui_keys; k->code[0] != 0; k++) {
		assert_true(says(text, k->keys));
		assert_true(says(text, k->text));
	}
	assert_true(s.view->cols.n >= 10);
	for (unsigned i = 0; i < s.view->cols.n; i++) {
		int m = s.view->cols.column[i].metric;
		char formula[300], head[60];

		if (m == COLUMN_BUSY)
			continue;
		assert_true(says(text, metric_table[m].label));
		metric_formula(&metric_table[m], &fake_catalog, formula,
			       sizeof formula);
		assert_true(says(text, formula));
		/* the first words of the sentence: it wraps */
		snprintf(head, sizeof head, "%.30s", metric_table[m].text);
		assert_true(says(text, head));
	}
	for (unsigned i = 0; i < QUALITY_BITS; i++)
		assert_true(says(text, quality_table[i].word));
	free(text);
}

UNIT(test_unknown_is_never_zero)
{
	SCREEN(s, screen_open, "m1", 80, 24, CANVAS_BRAILLE);
	troubled(&s);
	const char *text = screen_draw(&s);

	assert_says(text, " off ", " idle ", "    - ·", "TAKEN OVER 6/8", "3/4",
		    "REC", "reprogrammed");
}

/*
 * The column of a text, and its row, as cells: all before it is one cell each
 * only in ASCII.
 */
static int
find(const struct screen *s, const char *what, int *y)
{
	const char *at = strstr(s->text, what), *line = at;

	assert_non_null(at);
	while (line > s->text && line[-1] != '\n')
		line--;
	*y = 0;
	for (const char *p = s->text; p < line; p++)
		*y += *p == '\n';
	return (int)(at - line);
}

static enum role
role_at(const struct screen *s, const char *what)
{
	int y, x = find(s, what, &y);

	return (enum role)s->canvas->cell[y * s->canvas->w + x].role;
}

UNIT(test_roles_follow_state)
{
	unsigned m = (unsigned)metric_find("branch_mpki");

	SCREEN(s, screen_open, "m1", 80, 24, CANVAS_ASCII);
	struct fake *k = &s.fake;

	k->value[0 * metric_count + m] = 77.1;
	k->value[1 * metric_count + m] = 66.1;
	k->state[1 * metric_count + m] = VALUE_FEW;
	k->value[2 * metric_count + m] = 0.1;
	k->bottlenecks.bottleneck[0] =
		(struct bottleneck){ .word = BOTTLENECK_BAD_SPEC,
				     .flagged = true,
				     .evidence = (int16_t)m };
	k->bottlenecks.bottleneck[1] = k->bottlenecks.bottleneck[0];
	screen_draw(&s);
	assert_int_equal(role_at(&s, "bad-spec !"), ROLE_BAD);
	assert_int_equal(role_at(&s, "77.1"), ROLE_BAD);
	assert_int_equal(role_at(&s, "66.1"), ROLE_DIM);
	assert_int_equal(role_at(&s, "0.1 "), ROLE_TEXT);
	assert_int_equal(role_at(&s, "idle"), ROLE_DIM);
	assert_silent(line_of(s.text, 0), "OK");
	s.fake.f.quality = QUALITY_GAP;
	screen_draw(&s);
	assert_int_equal(role_at(&s, " GAP"), ROLE_BADGE_WARN);
}

/* A core that is powered down is no trouble; one that did not answer is. */
UNIT(test_a_powered_down_core_is_no_warning)
{
	SCREEN(s, screen_open, "m1", 80, 24, CANVAS_ASCII);
	troubled(&s);
	fake_row(&s.fake, 5, 0); /* core 2, of E, is off; that is all */
	s.fake.span[s.fake.t->ncpus + 1].n_ok = 4;
	screen_draw(&s);
	assert_int_equal(role_at(&s, "3/4"), ROLE_DIM);
	fake_row(&s.fake, 1, QUALITY_STALE);
	s.fake.span[s.fake.t->ncpus].n_ok = 2;
	screen_draw(&s);
	assert_int_equal(role_at(&s, "2/4"), ROLE_WARN);
}

UNIT(test_sort_puts_the_unknown_last)
{
	SCREEN(s, screen_open, "m2max", 120, 40, CANVAS_BRAILLE);
	s.view->list.sort = s.view->metric.ipc;
	for (int reverse = 0; reverse < 2; reverse++) {
		s.view->list.reverse = reverse == 1;
		screen_draw(&s);
		const struct view *v = s.view;

		assert_int_equal(v->cores.norder, 12);
		assert_int_equal(v->cores.order[11], 3); /* idle */
		for (unsigned i = 1; i < 11; i++) {
			double a = frame_value(&s.fake.f, v->cores.order[i - 1],
					       (unsigned)v->metric.ipc),
			       b = frame_value(&s.fake.f, v->cores.order[i],
					       (unsigned)v->metric.ipc);

			assert_true(reverse ? a <= b : a >= b);
		}
	}
}

UNIT(test_filter)
{
	static const struct {
		const char *text;
		unsigned n;
	} row[] = { { "", 12 }, { "P", 8 },    { "p1", 4 }, { "E", 4 },
		    { "7", 1 }, { "effi", 4 }, { "zz", 0 } };

	SCREEN(s, screen_open, "m2max", 120, 40, CANVAS_BRAILLE);
	for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
		memcpy(s.view->list.filter, row[i].text,
		       strlen(row[i].text) + 1);
		screen_draw(&s);
		assert_int_equal(s.view->cores.norder, row[i].n);
	}
}

static int
mouse_at(const struct screen *s, const char *what)
{
	int y, x = find(s, what, &y);

	return x << 12 | y;
}

UNIT(test_the_mouse_selects_sorts_and_scrolls)
{
	SCREEN(s, screen_open, "m2max", 120, 40, CANVAS_ASCII);
	screen_draw(&s);
	view_mouse(s.view, KEY_MOUSE_CLICK | mouse_at(&s, " 5 P0"));
	screen_draw(&s);
	assert_true(s.view->list.cursor_on);
	assert_int_equal(s.view->cores.order[s.view->list.cursor], 5);
	view_mouse(s.view, KEY_MOUSE_DOWN);
	screen_draw(&s);
	assert_int_equal(s.view->list.cursor, 8);
	view_mouse(s.view, KEY_MOUSE_UP);
	view_mouse(s.view, KEY_MOUSE_UP);
	view_mouse(s.view, KEY_MOUSE_UP);
	screen_draw(&s);
	assert_int_equal(s.view->list.cursor, 0);
	/* a title sorts, and a second time turns the order round */
	int title = layout_inside(&s.view->lay, PANEL_CORES).y;
	int x = layout_inside(&s.view->lay, PANEL_CORES).x +
		s.view->lay.table.ipc_x + 3;

	view_mouse(s.view, KEY_MOUSE_CLICK | x << 12 | title);
	assert_int_equal(s.view->list.sort, s.view->metric.ipc);
	assert_false(s.view->list.reverse);
	view_mouse(s.view, KEY_MOUSE_CLICK | x << 12 | title);
	assert_true(s.view->list.reverse);
	/* outside of any list nothing happens */
	s.view->list.cursor_on = false;
	view_mouse(s.view, KEY_MOUSE_CLICK);
	view_mouse(s.view, KEY_MOUSE_CLICK | 4095 << 12 | 4095);
	assert_false(s.view->list.cursor_on);
}

UNIT(test_before_the_first_frame)
{
	struct buf b;

	SCREEN(s, screen_open, "m1", 80, 24, CANVAS_BRAILLE);
	for (int kind = 0; kind < VIEW_COUNT; kind++) {
		s.view->kind = (enum layout_view)kind;
		b = buf_over(s.text, SCREEN_SIZE);
		assert_true(picture_arrange(s.view, NULL, &s.fake.status, 80,
					    24, NULL));
		picture_draw(s.view, s.canvas);
		canvas_print(s.canvas, &b);
		assert_says(buf_cstr(&b), "waiting");
		assert_says(s.text, "WAIT");
		assert_says(s.text, "q quit");
	}
}

/* Of those without a place the layout asks how high they are. */
#define HAS_ROWS(name, place, frame) { place, true },
#define HAS_NONE(name, place, frame) { place, false },

UNIT(test_every_place_has_one_panel)
{
	static const struct {
		enum panel_id place;
		bool rows;
	} row[] = { PANELS(HAS_NONE, HAS_ROWS) };
	unsigned there[PANEL_PLACES] = { 0 };

	for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
		assert_true(row[i].place != PANEL_BELOW || row[i].rows);
		there[row[i].place]++;
	}
	for (unsigned i = 0; i < PANEL_BELOW; i++)
		assert_int_equal(there[i], 1);
	assert_true(there[PANEL_BELOW] <= PANEL_PLACES - PANEL_BELOW);
}
