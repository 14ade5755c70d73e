/* A canvas as a picture: what XML needs, shapes, looks. */
#include "ui/theme/svg.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PICTURE = 1 << 16 };

struct bench {
	struct theme theme;
	struct canvas *canvas;
	struct svg_look look;
	char text[PICTURE];
};

static void
bench_open(struct bench *b, int w, int h)
{
	theme_default(&b->theme);
	b->canvas = canvas_new(CANVAS_BRAILLE, NULL);
	assert_true(canvas_resize(b->canvas, w, h, NULL));
	canvas_clear(b->canvas);
	b->look = (struct svg_look){ .theme = &b->theme,
				     .depth = THEME_TRUE,
				     .ground = 0x101112,
				     .ink = 0xd0d1d2 };
}

static const char *
drawn(struct bench *b)
{
	FILE *f = tmpfile();

	assert_non_null(f);
	svg_write(b->canvas, &b->look, f);
	assert_false(ferror(f));
	rewind(f);
	b->text[fread(b->text, 1, PICTURE - 1, f)] = '\0';
	(void)fclose(f);
	return b->text;
}

static void
has(struct bench *b, const char *part)
{
	if (strstr(drawn(b), part) == NULL)
		fail_msg("no %s in\n%s", part, b->text);
}

static void
signs_of_xml_are_words(void **state)
{
	static struct bench b;

	(void)state;
	bench_open(&b, 20, 1);
	canvas_text(b.canvas, 2, 0, ROLE_TEXT, "a<b && \"c\">d");
	has(&b, "<text x=\"16\" y=\"12\" textLength=\"96\"");
	has(&b, ">a&lt;b &amp;&amp; \"c\"&gt;d</text>");
	canvas_free(b.canvas);
}

static void
the_terminals_own_colours_are_given(void **state)
{
	static struct bench b;

	(void)state;
	bench_open(&b, 4, 1);
	canvas_text(b.canvas, 0, 0, ROLE_TEXT, "word");
	has(&b, "<rect width=\"32\" height=\"16\" fill=\"#101112\"/>");
	has(&b, "fill=\"#d0d1d2\"");
	/* Without colours attributes are all there is. */
	b.look.depth = THEME_MONO;
	canvas_text(b.canvas, 0, 0, ROLE_BAR, "word");
	has(&b,
	    "<rect x=\"0\" y=\"0\" width=\"32\" height=\"16\" fill=\"#d0d1d2\"/>");
	has(&b, "fill=\"#101112\"");
	canvas_free(b.canvas);
}

/* Blocks fill their cells to the eighth, whatever the font has. */
static void
blocks_and_lines_are_shapes(void **state)
{
	static const struct {
		const char *glyph, *shape;
	} row[] = {
		{ "█", "d=\"M0 0h8v16h-8z\"" },
		{ "▂", "d=\"M0 12h8v4h-8z\"" },
		{ "▍", "d=\"M0 0h3v16h-3z\"" },
		{ "▐", "d=\"M4 0h4v8h-4zM4 8h4v8h-4z\"" },
		{ "▞", "d=\"M4 0h4v8h-4zM0 8h4v8h-4z\"" },
		{ "⠁", "d=\"M1 1h2v2h-2z\"" },
		{ "⢀", "d=\"M5 13h2v2h-2z\"" },
		{ "─", "d=\"M0 8h5v1h-5zM4 8h4v1h-4z\"" },
		{ "└", "d=\"M4 8h4v1h-4zM4 0h1v9h-1z\"" },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
		static struct bench b;

		bench_open(&b, 2, 1);
		canvas_put(b.canvas, 0, 0, ROLE_TEXT, row[i].glyph);
		has(&b, row[i].shape);
		/* It can be read, too. */
		has(&b, "textLength=\"8\" fill=\"none\"");
		has(&b, row[i].glyph);
		canvas_free(b.canvas);
	}
}

static void
grounds_have_no_seams(void **state)
{
	static struct bench b;

	(void)state;
	bench_open(&b, 6, 2);
	canvas_window(b.canvas, (struct rect){ 0, 1, 6, 1 });
	b.canvas->under = ROLE_BAR;
	canvas_fill(b.canvas, (struct rect){ 0, 0, 6, 1 }, ROLE_BAR, " ");
	canvas_text(b.canvas, 1, 0, ROLE_STRONG, "ab");
	canvas_text(b.canvas, 3, 0, ROLE_BAR_DIM, "cd");
	has(&b, "<rect x=\"0\" y=\"16\" width=\"48\" height=\"16\"");
	has(&b, "font-weight=\"bold\">ab</text>");
	canvas_free(b.canvas);
}

static void
wide_letters_have_the_room_of_two(void **state)
{
	static struct bench b;

	(void)state;
	bench_open(&b, 8, 1);
	canvas_text(b.canvas, 0, 0, ROLE_TEXT, "a計数b");
	has(&b, "<text x=\"8\" y=\"12\" textLength=\"16\"");
	has(&b, ">計</text>");
	has(&b, "<text x=\"40\" y=\"12\" textLength=\"8\"");
	canvas_free(b.canvas);
}

int
main(void)
{
	const struct CMUnitTest test[] = {
		cmocka_unit_test(signs_of_xml_are_words),
		cmocka_unit_test(the_terminals_own_colours_are_given),
		cmocka_unit_test(blocks_and_lines_are_shapes),
		cmocka_unit_test(grounds_have_no_seams),
		cmocka_unit_test(wide_letters_have_the_room_of_two),
	};

	return cmocka_run_group_tests(test, NULL, NULL);
}
