/* Zoom on a row: its bottlenecks over time, its parts, evidence. */
#include "../screen.h"

#include "model/bottleneck.h"

#include <math.h>
#include <string.h>

/* The past: 50 frames, of which the oldest ten had no bottleneck. */
static unsigned
words(const struct monitor *self, unsigned scope, unsigned n, uint8_t *out)
{
	unsigned got = n < 50 ? n : 50;

	for (unsigned i = 0; i < got; i++) {
		unsigned frame = 50 - got + i;

		out[i] = frame < 10   ? BOTTLENECK_COUNT
			 : frame < 30 ? BOTTLENECK_NONE
			 : frame < 44 ? BOTTLENECK_MEMORY
				      : BOTTLENECK_IDLE;
	}
	return got;
}

static void
zoomed(struct screen *s, int w, int h, enum canvas_glyphs glyphs)
{
	screen_open(s, "m1", w, h, glyphs);
	s->view->past.words = words;
	s->view->kind = VIEW_DETAIL;
	screen_draw(s);
}

UNIT(a_run_begins_with_its_letter)
{
	SCREEN(s, zoomed, 120, 40, CANVAS_BRAILLE);
	s.view->list.cursor_on = true;
	s.view->list.cursor = 5; /* a core, which has no parts */
	screen_draw(&s);
	assert_says(line_with(s.text, "M────"), "│ cpu 5 ",
		    "  ····················M─────────────i─────");
	/* How long it had each, the longest first. */
	assert_says(s.text, "· none 20 s   M memory 14 s   i idle 6.0 s",
		    "-20s");
}

/* Where there is no room for clusters. */
UNIT(the_strip_of_the_machine_is_named_all)
{
	SCREEN(s, zoomed, 62, 24, CANVAS_BRAILLE);
	assert_non_null(strstr(line_with(s.text, "M─"), "all"));
}

/* A cluster's cores have bars and strips of their own. */
UNIT(a_cluster_is_shown_with_its_cores)
{
	SCREEN(s, zoomed, 120, 40, CANVAS_BRAILLE);
	s.view->cores.listed = true;
	s.view->list.cursor_on = true;
	s.view->cores.selected = frame_scope_cluster(&s.fake.f, 1);
	screen_draw(&s);
	assert_says(s.text, "cluster P ", "BOTTLENECK", " P  ", " cpu 4 ",
		    " cpu 7 ", "bottleneck, second by second", " P  ",
		    " cpu 4 ", "P: idle 6.0 s", "evidence", "metric", "before");
	/* The machine has no bar to compare with; the cluster of a core has. */
	assert_silent(s.text, "for comparison");
	s.view->cores.selected = 4;
	screen_draw(&s);
	assert_says(s.text, "cpu 4 of P ", "for comparison", " P  ");
}

UNIT(a_past_without_words)
{
	SCREEN(s, screen_open, "m1", 120, 40, CANVAS_BRAILLE);
	s.view->kind = VIEW_DETAIL;
	screen_draw(&s);
	assert_says(s.text, "no bottleneck yet");
}

/* The role of the strip's cell so far from the right, of the first strip. */
static const struct cell *
strip_cell(const struct screen *s, int back)
{
	const struct rect r = s->view->lay.panel[PANEL_DETAIL];

	for (int y = r.y; y < r.y + r.h; y++) {
		const struct cell *row = &s->canvas->cell[y * s->canvas->w];

		/* The run of idle cells ends at the right edge. */
		if (row[r.w - 3 - 5].glyph[0] == 'i')
			return &row[r.w - 3 - back];
	}
	fail_msg("no strip in\n%s", s->text);
	return NULL;
}

/* Red is the ground of what is flagged now, and of nothing before. */
UNIT(only_a_flagged_run_is_red)
{
	SCREEN(s, zoomed, 120, 40, CANVAS_BRAILLE);
	s.view->list.cursor_on = true;
	s.view->list.cursor = 5;
	for (unsigned flagged = 0; flagged < 2; flagged++) {
		for (unsigned i = 0; i < s.fake.f.nscopes; i++)
			s.fake.bottlenecks.bottleneck[i].flagged = flagged;
		screen_draw(&s);
		for (int back = 0; back < 30; back++) {
			bool red = strip_cell(&s, back)->role == ROLE_ALARM;

			assert_int_equal(red, flagged && back < 6);
		}
		assert_int_equal(says(s.text, "red: flagged"), flagged);
	}
}

UNIT(without_colours_each_cell_has_its_letter)
{
	SCREEN(s, zoomed, 120, 40, CANVAS_BRAILLE);
	s.view->list.cursor_on = true;
	s.view->list.cursor = 5;
	s.canvas->letters = true;
	screen_draw(&s);
	assert_says(s.text, "  ····················MMMMMMMMMMMMMMiiiiii");
}

UNIT(every_metric_has_a_line)
{
	static const char *const label[] = { "IPC", "busy%",  "GHz~", "usr%",
					     "br ", "L1D-ld", "stall" };
	struct screen s;

	zoomed(&s, 120, 40, CANVAS_BRAILLE);
	for (unsigned i = 0; i < sizeof label / sizeof *label; i++)
		assert_non_null(strstr(s.text, label[i]));
	screen_close(&s);
	/* At 80x24, too, with the list to choose from. */
	zoomed(&s, 80, 24, CANVAS_ASCII);
	assert_says(s.text, "GHz~");
	assert_true(layout_rows(&s.view->lay, PANEL_CORES) >= 4);
	screen_close(&s);
}

/* Lines of the zoom with nothing in them. */
static unsigned
blank_lines(const struct screen *s)
{
	struct rect r = s->view->lay.panel[PANEL_DETAIL];
	unsigned n = 0;

	for (int y = r.y + 1; y < r.y + r.h - 1; y++) {
		bool blank = true;

		for (int x = r.x + 1; x < r.x + r.w - 1; x++)
			blank &= s->canvas->cell[y * s->canvas->w + x]
					 .glyph[0] == ' ';
		n += blank;
	}
	return n;
}

UNIT(charts_take_the_rows_that_are_left)
{
	static const int size[][2] = { { 80, 24 },  { 100, 30 }, { 120, 40 },
				       { 160, 45 }, { 200, 60 }, { 300, 100 } };

	for (unsigned i = 0; i < sizeof size / sizeof *size; i++) {
		SCREEN(s, zoomed, size[i][0], size[i][1], CANVAS_BRAILLE);
		/* one is between the words and the charts */
		if (blank_lines(&s) > 1)
			fail_msg("%u blank lines:\n%s", blank_lines(&s),
				 s.text);
	}
}

/* Below a cluster stand its cores, and an arrow goes to the first. */
UNIT(a_cluster_is_above_its_cores)
{
	SCREEN(s, screen_open, "m2max", 80, 24, CANVAS_ASCII);
	screen_draw(&s);
	s.view->lost.opens = frame_scope_cluster(&s.fake.f, 2);
	assert_true(view_open(s.view));
	screen_draw(&s);
	assert_says(s.text, " cluster P1 ");
	for (unsigned i = 8; i < 12; i++) {
		char row[16];

		(void)snprintf(row, sizeof row, " %2u P1 ", i);
		assert_true(says(s.text, row));
	}
	view_move(s.view, 1);
	screen_draw(&s);
	assert_int_equal(view_selected(s.view), 8);
	assert_says(s.text, " cpu 8 of P1 ");
	/* An order of its own stays as it is. */
	s.view->list.sort = s.view->metric.ipc;
	s.view->lost.opens = frame_scope_cluster(&s.fake.f, 2);
	assert_true(view_open(s.view));
	screen_draw(&s);
	assert_int_equal(s.view->list.top, 0);
}
