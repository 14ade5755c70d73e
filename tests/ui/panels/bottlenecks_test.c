/* Where cycles are lost: which lines, in which order, and what Enter opens. */
#include "ui/screen.h"

#include "ui/view/value.h"

enum { P1 = 14 }; /* scopes of an m2max: 12 CPUs, E, P0, P1 */

/* Something is lost there. */
static void
loses(struct screen *s, unsigned row, enum bottleneck_word word, double lost)
{
	s->fake.bottlenecks.bottleneck[row] = (struct bottleneck){
		.word = (uint8_t)word,
		.basis = BOTTLENECK_OF_SLOTS,
		.flagged = bottleneck_is_cause(word) && lost > 1,
		.see = (int8_t)preset_find(bottleneck_words[word].see),
		.evidence = -1,
		.share = 0.5f,
		.evidence_value = NAN,
		.impact = lost,
		.shared = lost,
		.lost_pct = lost
	};
}

/* P1 is memory bound with two cores; others do each their own. */
static void
some_lose(struct screen *s)
{
	for (unsigned i = 0; i < s->fake.f.nscopes; i++)
		s->fake.bottlenecks.bottleneck[i] =
			(struct bottleneck){ .word = BOTTLENECK_NONE,
					     .see = -1,
					     .lost_pct = 0.1,
					     .evidence = -1,
					     .share = NAN };
	loses(s, P1, BOTTLENECK_MEMORY, 3.7);
	loses(s, 8, BOTTLENECK_MEMORY, 2.1);
	loses(s, 9, BOTTLENECK_MEMORY, 1.6);
	loses(s, 6, BOTTLENECK_MIXED, 1.9);
	loses(s, 7, BOTTLENECK_BAD_SPEC, 1.5);
	loses(s, 2, BOTTLENECK_KERNEL, 1.4);
	loses(s, 1, BOTTLENECK_FRONTEND, 1.1);
	s->fake.bottlenecks.bottleneck[s->fake.f.nscopes - 1].lost_pct = 11.5;
}

/* What the screen says, blanks in a row being one; each behind the last. */
static void
lists(struct screen *s, const char *const want[])
{
	const char *text = screen_draw(s);
	char *flat = malloc(SCREEN_SIZE), *to = flat;

	assert_non_null(flat);
	for (const char *p = text; *p != 0; p++)
		if (*p != ' ' || p[1] != ' ')
			*to++ = *p;
	*to = 0;
	const char *at = flat;

	for (unsigned i = 0; want[i] != NULL; i++) {
		const char *found = strstr(at, want[i]);

		if (found == NULL)
			fail_msg("\"%s\" is not there, or too early:\n%s",
				 want[i], text);
		at = found + 1;
	}
	free(flat);
}

#define LISTS(s, ...) lists(s, (const char *const[]){ __VA_ARGS__, NULL })

UNIT(test_worst_first_and_each_once)
{
	SCREEN(s, screen_open, "m2max", 120, 40, CANVAS_ASCII);
	some_lose(&s);
	s.fake.status.preset_possible |= 1u << preset_find("os");
	LISTS(&s, "! P1 is memory bound: 50% of its slots", "lost issue slots",
	      "total 11.5", "> P1 memory ! 3.7", "4 l1d", "cpu 6 mixed ! 1.9",
	      "2 topdown", "cpu 7 bad-spec ! 1.5", "3 branch",
	      "cpu 2 kernel 1.4", "0 os", "cpu 1 frontend ! 1.1", "6 frontend",
	      "(other) 1.9", "--- % of slots");
	assert_silent(s.text, "cpu 8 ");
	assert_int_equal(s.view->lost.n, 5);
}

/* Under 1 % is with the others, but for the first: the lines add up. */
UNIT(test_little_has_no_line_of_its_own)
{
	SCREEN(s, screen_open, "m2max", 120, 40, CANVAS_ASCII);
	some_lose(&s);
	loses(&s, 2, BOTTLENECK_KERNEL, 0.9);
	loses(&s, 1, BOTTLENECK_FRONTEND, 0.99);
	LISTS(&s, "total 11.5", "> P1 memory ! 3.7", "cpu 6 mixed ! 1.9",
	      "cpu 7 bad-spec ! 1.5", "(other) 4.4");
	assert_silent(s.text, "cpu 1 ");
	assert_int_equal(s.view->lost.n, 3);
	loses(&s, P1, BOTTLENECK_MEMORY, 0.6);
	loses(&s, 8, BOTTLENECK_MEMORY, 0.4);
	loses(&s, 9, BOTTLENECK_MEMORY, 0.2);
	loses(&s, 6, BOTTLENECK_MIXED, 0.2);
	loses(&s, 7, BOTTLENECK_BAD_SPEC, 0.2);
	screen_draw(&s);
	assert_int_equal(s.view->lost.n, 1);
}

/* The key of the preset in force tells nothing; that of another does. */
UNIT(test_no_key_leads_where_one_is)
{
	SCREEN(s, screen_open, "m2max", 120, 40, CANVAS_ASCII);
	some_lose(&s);
	s.fake.status.preset = preset_find("l1d");
	LISTS(&s, "> P1 memory ! 3.7", "2 topdown", "3 branch");
	assert_silent(strstr(s.text, "lost issue slots"), "4 l1d");
	s.fake.status.rotating = true; /* not all the time, that is */
	LISTS(&s, "> P1 memory ! 3.7", "4 l1d", "2 topdown");
}

/* A Mac has no events of the kernel: nothing sends there. */
UNIT(test_only_what_counts_here_tells_more)
{
	SCREEN(s, screen_open, "m2max", 120, 40, CANVAS_ASCII);
	some_lose(&s);
	s.fake.status.preset_possible &= ~(1u << preset_find("os"));
	LISTS(&s, "4 l1d", "cpu 2 kernel 1.4", "6 frontend");
	assert_silent(s.text, "0 os");
	s.view->lost.opens = 2;
	assert_true(view_open(s.view));
	screen_draw(&s);
	assert_int_equal(s.view->lost.more, -1);
}

UNIT(test_nothing_lost_is_said)
{
	struct screen s;

	screen_open(&s, "m2max", 120, 40, CANVAS_ASCII);
	some_lose(&s);
	for (unsigned i = 0; i < s.fake.f.nscopes; i++)
		s.fake.bottlenecks.bottleneck[i].word = BOTTLENECK_NONE;
	LISTS(&s, "No bottleneck", "lost issue slots", "No bottleneck.");
	screen_draw(&s);
	assert_false(view_open(s.view));
	assert_int_equal(s.view->kind, VIEW_OVERVIEW);
	/* What is only known of before is not known to be nothing. */
	loses(&s, 8, BOTTLENECK_MEMORY, NAN);
	s.fake.bottlenecks.bottleneck[8].word = BOTTLENECK_UNKNOWN;
	LISTS(&s, "No bottleneck flagged; cores busy: 12.",
	      "These events cannot show the cause.");
	s.fake.f.bottleneck = NULL;
	LISTS(&s, "This sample was not judged.");
	assert_silent(s.text, "No bottleneck");
	screen_close(&s);
	screen_open(&s, "vm", 80, 24, CANVAS_ASCII);
	s.view->kind = VIEW_BOTTLENECKS;
	LISTS(&s, "Without counters bottlenecks are unknown.",
	      "Issue slots: no counters");
	screen_close(&s);
}

/* Enter: the worst, or the row under the cursor, or the line chosen in B. */
UNIT(test_what_enter_opens)
{
	SCREEN(s, screen_open, "m2max", 120, 40, CANVAS_ASCII);
	some_lose(&s);
	screen_draw(&s);
	assert_true(view_open(s.view));
	screen_draw(&s);
	assert_int_equal(s.view->kind, VIEW_DETAIL);
	s.view->f = &s.fake.f;
	assert_int_equal(view_selected(s.view), P1);
	/* There it counts what tells more. */
	assert_int_equal(s.view->lost.more, preset_find("l1d"));
	view_close(s.view, 0);
	screen_draw(&s);
	assert_int_equal(s.view->kind, VIEW_OVERVIEW);
	view_go(s.view, VIEW_BOTTLENECKS);
	s.view->list.cursor_on = false;
	screen_draw(&s);
	view_move(s.view, 1);
	screen_draw(&s);
	view_move(s.view, 1);
	LISTS(&s, "P1 memory !", "> cpu 6 mixed");
	assert_true(view_open(s.view));
	screen_draw(&s);
	s.view->f = &s.fake.f;
	assert_int_equal(view_selected(s.view), 6);
	assert_int_equal(s.view->lost.more, preset_find("topdown"));
	/* What is counted already tells no more. */
	memcpy(s.fake.set.name, "topdown", 8);
	screen_draw(&s);
	assert_int_equal(s.view->lost.more, -1);
}

/* In the table the cursor's row is what it opens, also a core without a
 * bottleneck. */
UNIT(test_enter_opens_the_row_under_the_cursor)
{
	SCREEN(s, screen_open, "m2max", 120, 40, CANVAS_ASCII);
	some_lose(&s);
	screen_draw(&s);
	view_move(s.view, 1);
	screen_draw(&s);
	assert_true(view_open(s.view));
	screen_draw(&s);
	s.view->f = &s.fake.f;
	assert_int_equal(view_selected(s.view), 0);
}

/* A past of the test's own: ten intervals of none, then five of memory. */
static unsigned
ten_and_five(const struct monitor *self, unsigned scope, unsigned n,
	     uint8_t *out)
{
	unsigned have = n < 15 ? n : 15;

	for (unsigned i = 0; i < have; i++)
		out[i] = have - i > 5 ? BOTTLENECK_NONE : BOTTLENECK_MEMORY;
	return have;
}

/* Where, what, how much, where its slots go, why, since when, what next. */
UNIT(test_the_view_says_it_all_in_a_row)
{
	SCREEN(s, screen_open, "m2max", 120, 40, CANVAS_ASCII);
	s.view->kind = VIEW_BOTTLENECKS;
	s.view->past.words = ten_and_five;
	some_lose(&s);
	for (unsigned i = 0; i < SHARE_COUNT; i++)
		s.fake.bottlenecks.bottleneck[P1].slots.of[i] =
			(struct share_range){ .25F, .25F, .25F };
	s.fake.bottlenecks.bottleneck[P1].evidence =
		(int16_t)metric_find("l1d_ld_mpki");
	s.fake.bottlenecks.bottleneck[P1].evidence_value = 21.7F;
	LISTS(&s, "total 11.5", "BOTTLENECK lost% IPC busy%",
	      "evidence for press", "> P1 memory ! 3.7", "25", "25", "25", "25",
	      "21.7 L1D-ld MPKI 5.0 s 4 l1d", "(other) 1.9", "clusters",
	      "bottleneck, second by second", "P1 ..........MMMMM", "now",
	      "red: flagged", "IPC by cluster");
}

/* P1 replaces cpu 8 and cpu 9 among the losses; the headline names cpu 9. */
UNIT(test_the_view_lists_the_headlines_cpu)
{
	const struct headline headline = { .scope = 9, .by = -1 };

	SCREEN(s, screen_open, "m2max", 120, 50, CANVAS_ASCII);
	s.view->kind = VIEW_BOTTLENECKS;
	some_lose(&s);
	s.fake.f.headline = &headline;
	LISTS(&s, "P1 memory ! 3.7", "other CPUs, flagged first",
	      "cpu 9 memory ! 1.6", "cpu 8 memory ! 2.1", "cpu 0 none 0.1");
}

/* The second chart shows what the flagged bottleneck is judged by. */
UNIT(test_the_second_chart_shows_the_evidence)
{
	SCREEN(s, screen_open, "m2max", 200, 60, CANVAS_ASCII);
	some_lose(&s);
	s.fake.bottlenecks.bottleneck[P1].evidence =
		(int16_t)metric_find("l1d_ld_mpki");
	assert_says(screen_draw(&s), "L1D-ld: ");
	s.fake.bottlenecks.bottleneck[P1].flagged = false;
	assert_silent(screen_draw(&s), "L1D-ld: ");
}

/* No part of the view is left empty, on whatever screen. */
UNIT(test_no_empty_block_in_the_view)
{
	static const int size[][2] = { { 60, 15 },  { 80, 24 },  { 120, 40 },
				       { 160, 45 }, { 200, 60 }, { 300, 100 } };

	for (unsigned i = 0; i < sizeof size / sizeof *size; i++) {
		SCREEN(s, screen_open, "m3ultra", size[i][0], size[i][1],
		       CANVAS_ASCII);
		s.view->kind = VIEW_BOTTLENECKS;
		s.view->past.words = ten_and_five;
		some_lose(&s);
		screen_draw(&s);
		struct rect r = s.view->lay.panel[PANEL_BOTTLENECKS];

		for (int y = r.y + 1; y < r.y + r.h - 1; y++) {
			unsigned blank = 0;

			for (int x = 1; x < r.w - 1; x++)
				blank += s.canvas->cell[y * s.canvas->w + x]
						 .glyph[0] == ' ';
			if ((int)blank == r.w - 2)
				fail_msg("line %d is empty:\n%s", y, s.text);
		}
		/* All rows below the headline belong to a part. */
		int end = 4;

		for (int p = 0; p < PANEL_PLACES; p++)
			if (p != PANEL_KEYS &&
			    s.view->lay.panel[p].y + s.view->lay.panel[p].h >
				    end)
				end = s.view->lay.panel[p].y +
				      s.view->lay.panel[p].h;
		assert_int_equal(end, s.view->lay.panel[PANEL_KEYS].y);
	}
}

/* No line is cut in its midst, and none leaves the box. */
UNIT(test_fits_every_width)
{
	for (int w = 40; w <= 240; w += 20)
		for (int h = 12; h <= 60; h += 8) {
			SCREEN(s, screen_open, "m3ultra", w, h, CANVAS_ASCII);
			s.view->kind = VIEW_BOTTLENECKS;
			some_lose(&s);
			screen_draw(&s);
			assert_says(s.text, "lost issue");
			assert_true(w < 60 || says(s.text, "4 l1d"));
		}
}
