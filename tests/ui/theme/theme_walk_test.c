/* The list of themes: what is on it, trying, keeping, going back. */
#include "../says.h"
#include "ui/draw/keycode.h"
#include "ui/theme/theme.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char home[] = "/tmp/ktop-themes-XXXXXX";

static void
file_put(const char *name, const char *text)
{
	char path[256];

	snprintf(path, sizeof path, "%s/ktop/themes/%s", home, name);
	FILE *fp = fopen(path, "w");

	assert_non_null(fp);
	assert_true(fputs(text, fp) >= 0);
	assert_int_equal(fclose(fp), 0);
}

/* Two themes of one's own (one is broken), and what is no theme. */
static int
home_make(void **state)
{
	char path[256];

	assert_non_null(mkdtemp(home));
	snprintf(path, sizeof path, "%s/ktop", home);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof path, "%s/ktop/themes", home);
	assert_int_equal(mkdir(path, 0700), 0);
	file_put("zebra.theme", "name = Zebra\nversion = 1\n[colors]\n"
				"a = #123456\n[style]\ntext = a\n");
	file_put("amber.theme", "name = Amber\n\nmode = dim\n");
	file_put("notes.txt", "x");
	file_put(".hidden.theme", "x");
	assert_int_equal(setenv("XDG_CONFIG_HOME", home, 1), 0);
	assert_int_equal(unsetenv("KTOP_THEME"), 0);
	assert_int_equal(unsetenv("COLORFGBG"), 0);
	return 0;
}

static int
home_remove(void **state)
{
	static const char *const name[] = { "zebra.theme", "amber.theme",
					    "notes.txt", ".hidden.theme" };
	char path[256];

	for (unsigned i = 0; i < sizeof name / sizeof *name; i++) {
		snprintf(path, sizeof path, "%s/ktop/themes/%s", home, name[i]);
		assert_int_equal(unlink(path), 0);
	}
	snprintf(path, sizeof path, "%s/ktop/themes", home);
	assert_int_equal(rmdir(path), 0);
	*strrchr(path, '/') = 0;
	assert_int_equal(rmdir(path), 0);
	return rmdir(home);
}

UNIT(test_the_list_has_shipped_ones_then_ones_own)
{
	struct theme_list l;
	unsigned n = 0;

	theme_list_make(&l);
	for (; theme_names[n] != NULL; n++)
		assert_string_equal(l.name[n], theme_names[n]);
	for (; n + 2 < l.n; n++) {
		char path[128];

		snprintf(path, sizeof path, "themes/%s.theme", l.name[n]);
		assert_int_equal(access(path, R_OK), 0);
	}
	assert_string_equal(l.name[n], "amber");
	assert_string_equal(l.name[n + 1], "zebra");
}

UNIT(test_each_is_shown_at_once_and_esc_goes_back)
{
	struct theme_walk w = { .at = 0 };

	assert_true(theme_walk_start(&w, "nord", NULL));
	assert_string_equal(w.spec, "nord");
	theme_walk_open(&w); /* the next one is there already */
	assert_string_equal(w.spec, "gruvbox");
	assert_string_equal(w.theme.name, "Gruvbox");
	assert_int_equal(theme_walk_key(&w, 'T'), THEME_WALK_STAYS);
	assert_string_equal(w.spec, "solarized-dark");
	assert_int_equal(theme_walk_key(&w, KEY_UP_ARROW), THEME_WALK_STAYS);
	assert_string_equal(w.theme.name, "Gruvbox");
	assert_int_equal(theme_walk_key(&w, KEY_ESCAPE), THEME_WALK_CLOSES);
	assert_string_equal(w.spec, "nord");
	assert_string_equal(w.theme.name, "Nord");
	theme_walk_open(&w);
	assert_int_equal(theme_walk_key(&w, KEY_RETURN), THEME_WALK_CLOSES);
	assert_string_equal(w.theme.name, "Gruvbox");
	/* leaving and saving are not the list's */
	theme_walk_open(&w);
	assert_int_equal(theme_walk_key(&w, 'q'), THEME_WALK_OTHERS);
	assert_int_equal(theme_walk_key(&w, 'w'), THEME_WALK_OTHERS);
	assert_int_equal(theme_walk_key(&w, '1'), THEME_WALK_STAYS);
}

UNIT(test_it_goes_round_and_stops_at_ends)
{
	struct theme_walk w = { .at = 0 };

	assert_true(theme_walk_start(&w, "zebra", NULL));
	theme_walk_open(&w);
	assert_string_equal(w.spec, theme_names[0]);
	(void)theme_walk_key(&w, KEY_UP_ARROW);
	assert_string_equal(w.spec, theme_names[0]);
	(void)theme_walk_key(&w, KEY_TO_END);
	assert_string_equal(w.spec, "zebra");
	assert_int_equal(w.theme.style[ROLE_TEXT].fg.rgb, 0x123456);
	(void)theme_walk_key(&w, KEY_DOWN_ARROW);
	assert_string_equal(w.spec, "zebra");
	(void)theme_walk_key(&w, KEY_MOUSE_UP);
	assert_string_equal(w.list.name[w.at], "amber");
	(void)theme_walk_key(&w, 'g');
	assert_int_equal(w.at, 0);
	(void)theme_walk_key(&w, KEY_PAGE_DOWN);
	assert_int_equal(w.at, 8);
}

UNIT(test_one_with_a_mistake_says_where_and_changes_nothing)
{
	struct theme_walk w = { .at = 0 };

	theme_list_make(&w.list);
	const char *last = w.list.name[w.list.n - 3]; /* of those shipped */
	char spec[THEME_NAME_SIZE], name[64];

	snprintf(spec, sizeof spec, "%s", last);
	assert_true(theme_walk_start(&w, spec, NULL));
	snprintf(name, sizeof name, "%s", w.theme.name);
	theme_walk_open(&w); /* amber is next */
	assert_string_equal(w.list.name[w.at], "amber");
	assert_says(w.wrong, "amber.theme:3:", "dim");
	assert_string_equal(w.spec, spec);
	assert_string_equal(w.theme.name, name);
	(void)theme_walk_key(&w, KEY_DOWN_ARROW);
	assert_string_equal(w.wrong, "");
	assert_string_equal(w.spec, "zebra");
}

UNIT(test_the_first_theme)
{
	struct theme_walk w = { .at = 0 };
	struct err e = { .code = ERR_NONE };

	assert_false(theme_walk_start(&w, "amber", &e));
	assert_says(e.text, "amber.theme:3:");
	assert_int_equal(setenv("KTOP_THEME", "zebra", 1), 0);
	assert_true(theme_walk_start(&w, NULL, NULL));
	assert_string_equal(w.spec, "zebra");
	assert_true(theme_walk_start(&w, "./themes/nord.theme", NULL));
	assert_string_equal(w.spec, "./themes/nord.theme");
	/* a path is not on the list: T begins at its top, Esc finds it again */
	theme_walk_open(&w);
	assert_string_equal(w.spec, theme_names[0]);
	(void)theme_walk_key(&w, KEY_ESCAPE);
	assert_string_equal(w.spec, "./themes/nord.theme");
	assert_int_equal(unsetenv("KTOP_THEME"), 0);
}

static const char *
guess(struct theme_walk *w, const char *name, const char *colorfgbg,
      const uint32_t *ground)
{
	assert_int_equal(colorfgbg != NULL ? setenv("COLORFGBG", colorfgbg, 1)
					   : unsetenv("COLORFGBG"),
			 0);
	assert_true(theme_walk_start(w, name, NULL));
	theme_walk_guess(w, ground);
	return w->spec;
}

/* What the terminal answers goes before what the environment says. */
UNIT(test_without_a_choice_the_ground_decides)
{
	static const uint32_t white = 0xffffff, cream = 0xfdf6e3,
			      black = 0x000000, slate = 0x2e3440,
			      middling = 0x808080;
	struct theme_walk w = { .at = 0 };

	assert_string_equal(guess(&w, NULL, NULL, NULL), "default");
	assert_true(w.guessed);
	assert_string_equal(guess(&w, NULL, NULL, &white), "light");
	assert_string_equal(guess(&w, NULL, NULL, &cream), "light");
	assert_string_equal(guess(&w, NULL, NULL, &middling), "light");
	assert_string_equal(guess(&w, NULL, NULL, &black), "dark");
	assert_string_equal(guess(&w, NULL, NULL, &slate), "dark");
	assert_string_equal(guess(&w, "auto", NULL, &white), "light");
	assert_string_equal(guess(&w, NULL, "15;0", &white), "light");
	assert_string_equal(guess(&w, NULL, "0;15", NULL), "light");
	assert_string_equal(guess(&w, NULL, "0;default;7", NULL), "light");
	assert_string_equal(guess(&w, NULL, "15;0", NULL), "dark");
	assert_string_equal(guess(&w, NULL, "15;default", NULL), "default");
	assert_string_equal(guess(&w, NULL, "0;77", NULL), "default");
	assert_string_equal(guess(&w, NULL, "0;", NULL), "default");
	/* a choice is one */
	assert_string_equal(guess(&w, "nord", "0;15", &white), "nord");
	assert_false(w.guessed);
	assert_int_equal(setenv("KTOP_THEME", "mono", 1), 0);
	assert_string_equal(guess(&w, NULL, "0;15", &white), "mono");
	assert_int_equal(unsetenv("KTOP_THEME"), 0);
	assert_int_equal(unsetenv("COLORFGBG"), 0);
}

/* What is kept by a key is chosen; what Esc goes back to may be a guess. */
UNIT(test_a_guess_stays_one_until_somebody_chooses)
{
	static const uint32_t white = 0xffffff;
	struct theme_walk w = { .at = 0 };

	assert_string_equal(guess(&w, NULL, NULL, &white), "light");
	theme_walk_open(&w);
	assert_false(w.guessed);
	(void)theme_walk_key(&w, KEY_ESCAPE);
	assert_string_equal(w.spec, "light");
	assert_true(w.guessed);
	theme_walk_open(&w);
	(void)theme_walk_key(&w, KEY_RETURN);
	assert_false(w.guessed);
}

UNITS_IN(home_make, home_remove)
