#include "ui/draw/canvas.h"

#include <math.h>
#include <string.h>

#include <cmocka.h>

static struct canvas *
open_canvas(enum canvas_glyphs glyphs, int w, int h)
{
	struct canvas *c = canvas_new(glyphs, NULL);

	assert_non_null(c);
	assert_true(canvas_resize(c, w, h, NULL));
	return c;
}

static void
assert_shows(const struct canvas *c, const char *want)
{
	char text[4096];
	struct buf b = buf_over(text, sizeof text);

	canvas_print(c, &b);
	assert_false(b.full);
	assert_string_equal(buf_cstr(&b), want);
}

UNIT(test_text_is_cut_at_every_edge)
{
	struct canvas *c = open_canvas(CANVAS_BLOCK, 6, 2);

	canvas_text(c, -2, 0, ROLE_TEXT, "abcdefghijkl");
	canvas_text(c, 0, 2, ROLE_TEXT, "below");
	canvas_text(c, 0, -1, ROLE_TEXT, "above");
	canvas_text(c, 6, 1, ROLE_TEXT, "right");
	assert_shows(c, "cdefgh\n\n");
	canvas_free(c);
}

/* As a Mac's files have them: a letter, then what stands on it. */
UNIT(test_signs_on_letters_take_no_cell)
{
	struct canvas *c = open_canvas(CANVAS_BRAILLE, 12, 2);
	const char *cafe = "cafe\xcc\x81";

	assert_int_equal(canvas_width(cafe), 4);
	assert_int_equal(canvas_width("\xcc\x81x\xcc\x81\xcd\xaf"), 1);
	assert_int_equal(canvas_text(c, 0, 0, ROLE_TEXT, cafe), 4);
	assert_int_equal(canvas_textn(c, 5, 0, 4, ROLE_TEXT, cafe), 4);
	canvas_text(c, 9, 0, ROLE_TEXT, "|");
	/* One of two, and none on a letter that fills its cells. */
	assert_int_equal(canvas_text(c, 0, 1, ROLE_TEXT,
				     "\xcc\x81\xc3\xa9\xcc\x81\xcc\x82"
				     "\xe6\x97\xa5\xcc\x81 x"),
			 5);
	assert_shows(c, "cafe\xcc\x81 cafe\xcc\x81|\n"
			"\xc3\xa9\xcc\x81\xe6\x97\xa5 x\n");
	canvas_clear(c);
	c->glyphs = CANVAS_BLOCK;
	canvas_text(c, 0, 0, ROLE_TEXT, cafe);
	assert_int_equal(
		canvas_wrap(c, (struct rect){ 0, 1, 4, 1 }, ROLE_TEXT, cafe),
		1);
	assert_shows(c, "cafe\ncafe\n");
	canvas_free(c);
}

UNIT(test_window_clips_and_moves_the_origin)
{
	struct canvas *c = open_canvas(CANVAS_BLOCK, 6, 3);

	canvas_window(c, (struct rect){ 2, 1, 3, 1 });
	canvas_fill(c, (struct rect){ -9, -9, 50, 50 }, ROLE_TEXT, "o");
	assert_shows(c, "\n  ooo\n\n");
	canvas_window(c, (struct rect){ -3, -3, 100, 100 });
	assert_int_equal(c->window.w, 6);
	assert_int_equal(c->window.h, 3);
	canvas_free(c);
}

UNIT(test_bytes_that_are_no_cell_become_question_marks)
{
	struct canvas *c = open_canvas(CANVAS_BLOCK, 12, 1);

	/* ESC, a wide character, a broken one, a sign on Cyrillic ones */
	canvas_text(c, 0, 0, ROLE_TEXT, "a\033b\xe4\xb8\xad\xff\xd2\x83z");
	assert_shows(c, "a?b????z\n");
	assert_int_equal(canvas_width("a\033b\xe4\xb8\xad\xff\xd2\x83z"), 8);
	/* "A" in more bytes than it needs, U+202E, U+200B, half of a flag */
	c->glyphs = CANVAS_BRAILLE;
	canvas_clear(c);
	canvas_text(c, 0, 0, ROLE_TEXT,
		    "a\xc1\x81\xe0\x81\x81\xe2\x80\xae\xe2\x80\x8b"
		    "\xf0\x9f\x87\xaaz");
	assert_shows(c, "a?\?\?\?\?\?\?\?z\n");
	assert_int_equal(canvas_width("a\xc1\x81\xe0\x81\x81z"), 7);
	canvas_free(c);
}

UNIT(test_wide_letters_take_two_cells)
{
	struct canvas *c = open_canvas(CANVAS_BRAILLE, 8, 3);

	assert_int_equal(canvas_width("計数器"), 6);
	assert_int_equal(canvas_text(c, 0, 0, ROLE_BAD, "計数器|"), 7);
	assert_true(cell_is_rest(&c->cell[1]));
	assert_int_equal(c->cell[1].role, ROLE_BAD);
	assert_false(cell_is_rest(&c->cell[6]));
	/* A blank is left of one that is cut: by its room, by the edges. */
	assert_int_equal(canvas_textn(c, 0, 1, 3, ROLE_TEXT, "計数"), 3);
	canvas_text(c, 4, 1, ROLE_TEXT, "a計数");
	canvas_text(c, -1, 2, ROLE_TEXT, "器b");
	canvas_right(c, 2, 2, 5, ROLE_TEXT, "器b");
	canvas_text(c, 7, 2, ROLE_TEXT, "器");
	assert_shows(c, "計数器|\n計  a計\n b  器b\n");
	canvas_mend(c);
	assert_shows(c, "計数器|\n計  a計\n b  器b\n");
	canvas_free(c);
}

UNIT(test_what_is_left_of_a_wide_letter_is_blank)
{
	struct canvas *c = open_canvas(CANVAS_BRAILLE, 9, 3);

	for (int y = 0; y < 3; y++)
		canvas_text(c, 0, y, ROLE_TEXT, "計数器計");
	canvas_put(c, 1, 0, ROLE_TEXT, "x");
	canvas_put(c, 4, 0, ROLE_TEXT, "│");
	canvas_text(c, 1, 1, ROLE_TEXT, "日本");
	canvas_fill(c, (struct rect){ 3, 2, 2, 1 }, ROLE_TEXT, "─");
	/* Its two cells look as the first one does. */
	canvas_shade(c, (struct rect){ 7, 2, 1, 1 }, ROLE_SELECTED);
	canvas_mend(c);
	assert_shows(c, " x数│ 計\n 日本 計\n計 ── 計\n");
	assert_int_equal(c->cell[2 * 9 + 7].under, ROLE_NONE);
	canvas_free(c);
}

UNIT(test_wide_letters_are_wrapped_by_their_cells)
{
	struct canvas *c = open_canvas(CANVAS_BRAILLE, 6, 3);
	struct rect r = { 0, 0, 5, 3 };

	assert_int_equal(canvas_wrap(c, r, ROLE_TEXT, "計数 器計数"), 3);
	assert_shows(c, "計数\n器計\n数\n");
	assert_int_equal(canvas_wrap_cut("計", 1), strlen("計"));
	canvas_free(c);
}

UNIT(test_few_glyphs_have_a_sign_for_each_column)
{
	struct canvas *c = open_canvas(CANVAS_ASCII, 8, 1);

	assert_int_equal(canvas_text(c, 0, 0, ROLE_TEXT, "計a\xcc\x81器b"), 6);
	assert_shows(c, "?\?a?\?b\n");
	assert_false(c->wide);
	canvas_free(c);
}

/* Joiners, shades of skin and forms of signs are in no cell. */
UNIT(test_dressed_emoji_are_as_wide_as_bare_ones)
{
	struct canvas *c = open_canvas(CANVAS_BRAILLE, 12, 1);
	const char *text = "\xf0\x9f\x91\xa9\xf0\x9f\x8f\xbd\xe2\x80\x8d"
			   "\xf0\x9f\x92\xbb\xef\xb8\x8f|";

	assert_int_equal(canvas_width(text), 5);
	assert_int_equal(canvas_text(c, 0, 0, ROLE_TEXT, text), 5);
	assert_shows(c, "\xf0\x9f\x91\xa9\xf0\x9f\x92\xbb|\n");
	canvas_free(c);
}

UNIT(test_ascii_twins)
{
	struct canvas *c = open_canvas(CANVAS_ASCII, 12, 3);

	canvas_box(c, (struct rect){ 0, 0, 12, 3 }, "Σ", NULL);
	canvas_text(c, 1, 1, ROLE_TEXT, "·é→");
	assert_shows(c, "+- S ------+\n|.?>       |\n+----------+\n");
	canvas_free(c);
}

enum { CUT_W = 40, CUT_H = 16 };
static const struct rect cut_window = { 6, 4, 18, 7 };

static void
draw_box_and_bar(struct canvas *c, struct rect r)
{
	c->under = ROLE_SELECTED;
	canvas_box(c, r, "a title", "note");
	canvas_bar(c, r.x + 1, r.y + 1, r.w - 2, 0.4, ROLE_KIND1, 2);
}

/* All cells of `cut` in its window as those of `whole`, the rest blank. */
static void
assert_cut_of(const struct canvas *cut, const struct canvas *whole)
{
	const struct cell blank = { .glyph = " " };

	for (int y = 0; y < CUT_H; y++)
		for (int x = 0; x < CUT_W; x++) {
			const struct rect *r = &cut_window;
			int at = y * CUT_W + x;
			bool in = x >= r->x && x < r->x + r->w && y >= r->y &&
				  y < r->y + r->h;

			assert_memory_equal(&cut->cell[at],
					    in ? &whole->cell[at] : &blank,
					    sizeof blank);
		}
}

/* Boxes and bars in the window are put at once, others part by part. */
UNIT(test_what_is_cut_is_a_part_of_the_whole)
{
	for (unsigned glyphs = CANVAS_ASCII; glyphs <= CANVAS_BRAILLE; glyphs++)
		for (int x = -5; x <= 12; x++)
			for (int y = -4; y <= 5; y++) {
				struct canvas *whole =
					open_canvas((enum canvas_glyphs)glyphs,
						    CUT_W, CUT_H);
				struct canvas *cut =
					open_canvas((enum canvas_glyphs)glyphs,
						    CUT_W, CUT_H);
				struct rect r = { x, y, 22 - y, 5 };

				canvas_window(cut, cut_window);
				draw_box_and_bar(cut, r);
				r.x += cut_window.x;
				r.y += cut_window.y;
				draw_box_and_bar(whole, r);
				assert_cut_of(cut, whole);
				canvas_free(whole);
				canvas_free(cut);
			}
}

/* A note only where it leaves some of the line. */
UNIT(test_a_box_of_any_size)
{
	struct canvas *c = open_canvas(CANVAS_BLOCK, 30, 12);

	canvas_box(c, (struct rect){ 0, 0, 3, 2 }, "t", NULL);
	canvas_box(c, (struct rect){ 4, 0, 2, 2 }, "t", NULL);
	canvas_box(c, (struct rect){ 7, 0, 16, 3 }, "title", "x");
	canvas_box(c, (struct rect){ 0, 4, 30, 2 }, "a longer title", "note");
	assert_shows(c, "┌─┐ ┌┐ ┌─ title ──────┐\n"
			"└─┘ └┘ │              │\n"
			"       └──────────────┘\n"
			"\n"
			"┌─ a longer title ──── note ─┐\n"
			"└────────────────────────────┘\n"
			"\n\n\n\n\n\n");
	canvas_free(c);
}

UNIT(test_a_note_highlights_its_keys)
{
	static const char note[] = "s sort: a b   / filter   8 of 8   z 1 s";
	struct canvas *c = open_canvas(CANVAS_BLOCK, 70, 3);
	char keys[sizeof note] = "";

	canvas_box(c, (struct rect){ 0, 0, 70, 3 }, "title", note);
	for (size_t i = 0; i + 1 < sizeof note; i++) {
		const struct cell *cell = &c->cell[69 - sizeof note - 1 + i];

		assert_int_equal(cell->glyph[0], note[i]);
		if (cell->role == ROLE_KEY)
			strcat(keys, cell->glyph);
	}
	assert_string_equal(keys, "s/z");
	canvas_free(c);
}

UNIT(test_bar_has_eighths_and_is_never_empty_for_something)
{
	static const struct {
		double share;
		const char *want;
	} row[] = {
		{ 0, "····\n" },     { 0.0001, "▏···\n" }, { 0.25, "█···\n" },
		{ 0.375, "█▌··\n" }, { 1, "████\n" },      { 7, "████\n" },
		{ -1, "····\n" },    { NAN, "····\n" },
	};

	for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
		struct canvas *c = open_canvas(CANVAS_BLOCK, 4, 1);

		canvas_bar(c, 0, 0, 4, row[i].share, ROLE_KIND0, 3);
		assert_shows(c, row[i].want);
		canvas_free(c);
	}
}

UNIT(test_spark_is_aligned_to_the_newest_and_leaves_gaps)
{
	const float v[] = { 9, 0, 4, NAN, 8 };
	struct canvas *c = open_canvas(CANVAS_BLOCK, 6, 1);

	canvas_spark(c, 0, 0, 4, v, 5, 8, ROLE_KIND0);
	assert_shows(c, "▁▄ █\n");
	canvas_clear(c);
	canvas_spark(c, 0, 0, 6, v, 5, 8, ROLE_KIND0);
	assert_shows(c, " █▁▄ █\n");
	assert_int_equal(c->cell[1].step, c->cell[5].step);
	canvas_free(c);
}

UNIT(test_stack_fills_its_width_whatever_the_shares)
{
	static const enum role role[4] = { ROLE_TD_USEFUL, ROLE_TD_DISCARDED,
					   ROLE_TD_DELIVERY,
					   ROLE_TD_PROCESSING };

	for (int a = 0; a <= 10; a++)
		for (int b = 0; a + b <= 10; b++) {
			double share[4] = { a * 10, b * 10, 0,
					    100 - 10 * (a + b) };
			struct canvas *c = open_canvas(CANVAS_BLOCK, 12, 1);
			int cells[ROLE_COUNT] = { 0 };

			canvas_stack(c, 1, 0, 10, share, role, 4);
			for (int x = 0; x < 12; x++)
				cells[c->cell[x].role]++;
			assert_int_equal(cells[ROLE_NONE], 2);
			assert_int_equal(cells[ROLE_TD_USEFUL], a);
			assert_int_equal(cells[ROLE_TD_DISCARDED], b);
			assert_int_equal(cells[ROLE_TD_DELIVERY], 0);
			canvas_free(c);
		}
}

UNIT(test_wrap_breaks_between_words)
{
	struct canvas *c = open_canvas(CANVAS_BLOCK, 8, 4);
	struct rect r = { 1, 0, 6, 3 };

	assert_int_equal(canvas_wrap(c, r, ROLE_TEXT, "one two threesome x"),
			 4);
	assert_shows(c, " one\n two\n threes\n\n");
	assert_int_equal(canvas_wrap(c, r, ROLE_TEXT, ""), 1);
	canvas_free(c);
}

UNIT(test_dots_share_cells)
{
	struct canvas *c = open_canvas(CANVAS_BRAILLE, 2, 1);

	canvas_stroke(c, 0, 0, 0, ROLE_KIND0, 'a');
	canvas_stroke(c, 1, 3, 3, ROLE_KIND0, 'a');
	canvas_stroke(c, 3, 1, 1, ROLE_KIND1, 'b');
	canvas_stroke(c, 99, 99, 99, ROLE_KIND1, 'b');
	canvas_stroke(c, -1, 0, 0, ROLE_KIND1, 'b');
	assert_shows(c, "⢁⠐\n");
	canvas_free(c);
	c = open_canvas(CANVAS_BLOCK, 2, 1);
	canvas_stroke(c, 0, 0, 0, ROLE_KIND0, 'a');
	canvas_stroke(c, 1, 1, 1, ROLE_KIND0, 'a');
	assert_shows(c, "▚\n");
	canvas_free(c);
	c = open_canvas(CANVAS_ASCII, 2, 1);
	canvas_stroke(c, 1, 0, 0, ROLE_KIND0, 'a');
	assert_shows(c, " a\n");
	canvas_free(c);
}

UNIT(test_shade_keeps_what_is_shown)
{
	struct canvas *c = open_canvas(CANVAS_BLOCK, 3, 1);

	canvas_text(c, 0, 0, ROLE_BAD, "9.8");
	canvas_shade(c, (struct rect){ 0, 0, 9, 9 }, ROLE_SELECTED);
	assert_shows(c, "9.8\n");
	assert_int_equal(c->cell[1].role, ROLE_BAD);
	assert_int_equal(c->cell[1].under, ROLE_SELECTED);
	canvas_free(c);
}

UNIT(test_sizes_are_bounded)
{
	struct canvas *c = open_canvas(CANVAS_BLOCK, 0, -4);

	assert_int_equal(c->w, 1);
	assert_int_equal(c->h, 1);
	assert_true(canvas_resize(c, 1 << 30, 2, NULL));
	assert_int_equal(c->w, CANVAS_MAX_SIDE);
	canvas_free(c);
	canvas_free(NULL);
}
