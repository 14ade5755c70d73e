/* Cores that rest become a row for all of them, where not all rows fit. */
#include "ui/screen.h"

static void
rest(struct screen *s, uint32_t quality, unsigned from, unsigned to)
{
	for (unsigned i = from; i <= to; i++)
		fake_row(&s->fake, i, quality);
}

/* An M3 Ultra: cores 3-5 and 20 idle, 7 and 8 off, of 32. */
static void
fold_open(struct screen *s, int w, int h)
{
	screen_open(s, "m3ultra", w, h, CANVAS_ASCII);
	s->view->kind = VIEW_CORES;
	rest(s, QUALITY_IDLE, 3, 5);
	rest(s, QUALITY_IDLE, 20, 20);
	rest(s, QUALITY_OFF, 7, 8);
	fake_judge(&s->fake);
}

static void
selects(struct screen *s, unsigned scope)
{
	s->view->list.cursor_on = s->view->cores.listed = true;
	s->view->list.cursor_moved = false;
	s->view->cores.selected = scope;
	screen_draw(s);
}

/* Every core has one row, or is one of those that a row stands for. */
static void
check_all_are_there(const struct view *v)
{
	unsigned seen[32] = { 0 }, folded = 0;

	for (unsigned i = 0; i < v->cores.norder + v->cores.nfolded; i++)
		if (view_is_fold(v->cores.order[i])) {
			const unsigned *cpu;

			folded += view_folded(v, v->cores.order[i], &cpu);
		} else {
			seen[v->cores.order[i]]++;
		}
	for (unsigned i = 0; i < 32; i++)
		assert_int_equal(seen[i], 1);
	assert_int_equal(folded, v->cores.nfolded);
}

UNIT(test_what_rests_is_a_row_each)
{
	SCREEN(s, fold_open, 80, 24);
	const char *text = screen_draw(&s);

	assert_int_equal(s.view->cores.norder, 32 - 6 + 2);
	assert_true(says(line_of(text, 21), " 4 more cores idle: 3-5 20"));
	assert_true(says(line_of(text, 22), " 2 more cores powered down: 7 8"));
	assert_true(says(text, "1-16/26") || says(text, " 1-16 "));
	check_all_are_there(s.view);
	/* They stay where they are when the others scroll. */
	s.view->list.cursor_on = true;
	view_move(s.view, 20);
	text = screen_draw(&s);
	assert_int_equal(view_selected(s.view), 26);
	assert_says(text, " 26 P");
	assert_true(says(line_of(text, 21), " 4 more cores idle: 3-5 20"));
	view_move(s.view, VIEW_FAR);
	text = screen_draw(&s);
	assert_says(text, " 31 P3");
	assert_true(says(line_of(text, 22), "Enter lists them"));
	/* Worst first, upside down, and what a filter leaves. */
	s.view->list.sort = s.view->metric.ipc;
	s.view->list.reverse = true;
	screen_draw(&s);
	check_all_are_there(s.view);
}

UNIT(test_enter_lists_them_and_escape_folds_them)
{
	SCREEN(s, fold_open, 80, 24);
	s.view->list.cursor_on = true;
	screen_draw(&s);
	assert_false(view_unfold(s.view)); /* a core opens its zoom */
	view_move(s.view, VIEW_FAR);
	screen_draw(&s);
	assert_true(view_unfold(s.view));
	assert_silent(screen_draw(&s), "more cores");
	assert_int_equal(s.view->cores.norder, 32);
	assert_int_equal(s.view->cores.nfolded, 0);
	check_all_are_there(s.view);
	view_close(s.view, 0);
	assert_int_equal(s.view->kind, VIEW_CORES);
	assert_says(screen_draw(&s), "4 more cores idle");
}

/* Nobody loses sight of what was chosen, or of what is at work. */
UNIT(test_what_keeps_its_row)
{
	struct screen s;

	fold_open(&s, 80, 24);
	screen_draw(&s);
	selects(&s, 20);
	assert_says(s.text, " 3 more cores idle: 3-5");
	assert_int_equal(view_selected(s.view), 20);
	assert_says(s.text, " 20 P2");
	s.view->list.cursor_on = false;
	s.view->f = &s.fake.f;
	assert_true(view_pins_parse(s.view, "4,7"));
	screen_draw(&s);
	assert_says(s.text, "p  4 ", "p  7 ", " 3 more cores idle: 3 5 20");
	/* One row for one core is none won. */
	assert_silent(s.text, "powered down");
	assert_says(s.text, "  8 ");
	/* A heading has the idle of its group below it. */
	s.view->cores.group = GROUP_CLUSTER;
	assert_silent(screen_draw(&s), "more cores");
	screen_close(&s);
	/* All rows fit, or no bottleneck says which ones rest. */
	fold_open(&s, 120, 60);
	assert_silent(screen_draw(&s), "more cores");
	assert_true(canvas_resize(s.canvas, 80, 24, NULL));
	assert_says(screen_draw(&s), "more cores");
	s.fake.f.bottleneck = NULL;
	assert_silent(screen_draw(&s), "more cores");
	screen_close(&s);
}

/* Core 3 had a moment's work four frames ago. */
static unsigned
worked_lately(const struct monitor *self, unsigned scope, unsigned n,
	      uint8_t *out)
{
	for (unsigned i = 0; i < n; i++)
		out[i] = scope == 3 && i + 4 == n ? BOTTLENECK_NONE
						  : BOTTLENECK_IDLE;
	return n;
}

UNIT(test_a_moments_rest_folds_nothing)
{
	SCREEN(s, fold_open, 80, 24);
	s.view->past.words = worked_lately;
	assert_says(screen_draw(&s), " 3 more cores idle: 4 5 20");
}
