/* The list of themes on screens of every size. */
#include "ui/screen.h"

#include "ui/theme/theme.h"

static const char *
draw_list(struct screen *s, struct theme_walk *w, const char *machine, int x,
	  int y, enum canvas_glyphs glyphs)
{
	assert_int_equal(setenv("XDG_CONFIG_HOME", "/nonexistent", 1), 0);
	screen_open(s, machine, x, y, glyphs);
	simulated(s);
	assert_true(theme_walk_start(w, "default", NULL));
	s->view->over.themes = w;
	panel_themes_open(s->view);
	assert_int_equal(s->view->over.which, OVERLAY_THEMES);
	return screen_draw(s);
}

UNIT(test_names_and_a_sample_of_every_role)
{
	static const int size[][2] = {
		{ 80, 24 }, { 100, 30 }, { 120, 40 }, { 200, 60 }
	};

	for (unsigned i = 0; i < sizeof size / sizeof *size; i++) {
		struct screen s;
		struct theme_walk w = { .at = 0 };
		const char *text = draw_list(&s, &w, "m1", size[i][0],
					     size[i][1], CANVAS_BRAILLE);

		for (unsigned k = 0; theme_names[k] != NULL; k++)
			assert_true(says(text, theme_names[k]));
		for (int role = 0; role < ROLE_COUNT; role++)
			assert_true(says(text, role_table[role].name));
		assert_says(text, "Light, for light terminals", "* default");
		screen_close(&s);
	}
}

/* Small ones have names alone; what is simulated is said on all of them. */
UNIT(test_any_size)
{
	for (int h = 5; h <= 45; h++)
		for (int w = 20; w <= 130; w += 11) {
			struct screen s;
			struct theme_walk walk = { .at = 0 };
			const char *text =
				draw_list(&s, &walk, "m1", w, h,
					  h % 2 ? CANVAS_ASCII : CANVAS_BLOCK);

			assert_says(text, "light");
			if (h >= 8 && w >= 60)
				assert_true(strstr(text, "SIM") <
					    strchr(text, '\n'));
			screen_close(&s);
		}
}

UNIT(test_the_cursor_stays_in_sight_and_mistakes_are_said)
{
	struct screen s;
	struct theme_walk w = { .at = 0 };

	(void)draw_list(&s, &w, "m1", 40, 10, CANVAS_BLOCK);
	assert_true(panel_themes_key(s.view, KEY_TO_END));
	assert_true(says(screen_draw(&s), w.list.name[w.list.n - 1]));
	assert_silent(screen_draw(&s), "* default");
	assert_true(panel_themes_key(s.view, KEY_TO_HOME));
	assert_says(screen_draw(&s), "* default");
	snprintf(w.wrong, sizeof w.wrong, "x.theme:3: not a colour");
	assert_says(screen_draw(&s), "! default");
	assert_true(panel_themes_key(s.view, KEY_ESCAPE));
	assert_int_equal(s.view->over.which, OVERLAY_NONE);
	assert_false(panel_themes_key(s.view, KEY_ESCAPE));
	screen_close(&s);
}
