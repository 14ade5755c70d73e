/* Lists over the screen that go on say which part of them is seen. */
#include "ui/screen.h"

#include "ui/theme/theme.h"

static const struct {
	int w, h;
} size[] = { { 40, 12 }, { 60, 15 }, { 80, 24 }, { 120, 40 } };

enum { SIZES = sizeof size / sizeof *size };

/* "1-8 of 14" where n are not all seen in the rows there are, else nothing. */
static void
expect_part(struct screen *s, int top, int rows, int n)
{
	char text[32];

	snprintf(text, sizeof text, "%d-%d of %d", top + 1,
		 top + rows < n ? top + rows : n, n);
	if (says(s->text, text) != (n > rows))
		fail_msg("%s is%s said:\n%s", text, n > rows ? " not" : "",
			 s->text);
}

UNIT(test_of_what_sorts)
{
	for (unsigned i = 0; i < SIZES; i++) {
		int rows = size[i].h - 4;

		SCREEN(s, screen_open, "m2max", size[i].w, size[i].h,
		       CANVAS_BRAILLE);
		screen_draw(&s);
		s.view->over.which = OVERLAY_SORT;
		int n = (int)sort_choices(&s);

		screen_draw(&s);
		assert_says(s.text, " sort by ");
		expect_part(&s, 0, rows, n);
		s.view->over.sort_at = n - 1;
		s.view->list.reverse = true;
		screen_draw(&s);
		expect_part(&s, n - rows, rows, n);
		assert_int_equal(says(s.text, "the other way round"),
				 size[i].w >= 60);
	}
}

UNIT(test_of_presets)
{
	for (unsigned i = 0; i < SIZES; i++) {
		int rows = size[i].h - 4;

		SCREEN(s, screen_open, "m2max", size[i].w, size[i].h,
		       CANVAS_BRAILLE);
		s.view->over.which = OVERLAY_PRESETS;
		int n = (int)view_presets(s.view);

		screen_draw(&s);
		assert_says(s.text, " presets");
		expect_part(&s, 0, rows, n);
		s.view->over.choice = n - 1;
		screen_draw(&s);
		expect_part(&s, n - rows, rows, n);
	}
}

UNIT(test_of_themes)
{
	assert_int_equal(setenv("XDG_CONFIG_HOME", "/nonexistent", 1), 0);
	for (unsigned i = 0; i < SIZES; i++) {
		struct theme_walk w = { .at = 0 };

		SCREEN(s, screen_open, "m2max", size[i].w, size[i].h,
		       CANVAS_BRAILLE);
		assert_true(theme_walk_start(&w, "default", NULL));
		s.view->over.themes = &w;
		panel_themes_open(s.view);
		screen_draw(&s);
		int n = (int)w.list.n, seen = 0;

		for (int k = 0; k < n; k++)
			seen += says(s.text, w.list.name[k]);
		assert_true(seen > 0 && says(s.text, " themes"));
		expect_part(&s, (int)w.top, seen, n);
		/* Its foot leaves the line of keys as it is. */
		assert_null(strstr(line_of(s.text, size[i].h - 1), "─"));
	}
}
