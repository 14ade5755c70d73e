/* Themes: the parser and its errors, and what the shipped files promise. */
#include "../says.h"
#include "ui/theme/theme.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool
parse(const char *text, struct theme *t, struct err *e)
{
	return theme_parse(text, strlen(text), "x.theme", NULL, t, e);
}

/* A colour begins with #, as a comment does. */
UNIT(test_tells_colours_from_comments)
{
	static const char *const line[] = {
		"x = #101010",        "x =   #101010", "x =  #101010  # why",
		"x = #101010  # why", "x =  #101010 ", "x = #101010  #",
	};

	for (unsigned i = 0; i < sizeof line / sizeof *line; i++) {
		struct theme t;
		struct err e = { .code = ERR_NONE };
		char text[100];

		snprintf(text, sizeof text, "[colors]\n%s\n[style]\ntext = x\n",
			 line[i]);
		if (!parse(text, &t, &e))
			fail_msg("'%s': %s", line[i], e.text);
		assert_int_equal(t.style[ROLE_TEXT].fg.rgb, 0x101010);
	}
}

UNIT(test_reads_all_sections)
{
	static const char text[] = "name = A b\nmode = light\nversion = 1\n"
				   "background = #fefefe\r\n"
				   "\n# a comment\n[colors]\n"
				   "fg = #010203\n"
				   " sky = #56b4e9 : 74 : cyan  # behind\n"
				   "sun = #ffcc00 : 220 : default\n"
				   "[style]\ntext = fg\n"
				   "value.bad = sky on fg bold reverse\n"
				   "dim = default dim\nkind.1 = sun\n"
				   "[gradient]\nfade = fg\nheat = fg sky fg\n"
				   "[mono]\nvalue.bad = underline bold\n";
	struct theme t;
	struct err e = { .code = ERR_NONE };

	if (!parse(text, &t, &e))
		fail_msg("%s", e.text);
	assert_string_equal(t.name, "A b");
	assert_true(t.light);
	assert_int_equal(t.background.rgb, 0xfefefe);
	const struct theme_style *bad = &t.style[ROLE_BAD];

	assert_int_equal(bad->fg.rgb, 0x56b4e9);
	assert_int_equal(bad->fg.x256, 74);
	assert_int_equal(bad->fg.x16, 6);
	assert_int_equal(bad->bg.rgb, 0x010203);
	assert_int_equal(bad->attrs, THEME_BOLD | THEME_REVERSE);
	assert_int_equal(bad->mono, THEME_BOLD | THEME_UNDERLINE);
	assert_false(t.style[ROLE_DIM].fg.set);
	assert_int_equal(t.style[ROLE_KIND1].fg.x16, -1);
	assert_int_equal(theme_paint(&t, THEME_16, ROLE_KIND1, ROLE_NONE, 3).fg,
			 -1);
	assert_int_equal(t.style[ROLE_TEXT].fg.x256, 16); /* nearest */
	assert_int_equal(t.style[ROLE_TEXT].fg.x16, 0);
	assert_int_equal(t.heat[1].rgb, 0x56b4e9);
}

UNIT(test_what_is_left_out_stays)
{
	struct theme base, t;
	static const char text[] = "[colors]\nc = #ff0000\n[style]\n"
				   "dim = c\n";

	theme_default(&base);
	assert_true(theme_parse(text, strlen(text), "x", &base, &t, NULL));
	assert_int_equal(t.style[ROLE_DIM].fg.rgb, 0xff0000);
	assert_int_equal(t.style[ROLE_TEXT].fg.rgb,
			 base.style[ROLE_TEXT].fg.rgb);
}

UNIT(test_errors_name_file_and_line)
{
	static const struct {
		const char *text, *where, *what;
	} row[] = {
		{ "colour = red\n", "x.theme:1:", "colour" },
		{ "\n\nmode = dim\n", "x.theme:3:", "dim" },
		{ "version = 2\n", "x.theme:1:", "version 1" },
		{ "[colors\n", "x.theme:1:", "]" },
		{ "[colours]\n", "x.theme:1:", "colours" },
		{ "[colors]\na = red\n", "x.theme:2:", "red" },
		{ "[colors]\na = #12345\n", "x.theme:2:", "#12345" },
		{ "[colors]\na = #12345g\n", "x.theme:2:", "#12345g" },
		{ "[colors]\na = #123456 : 256\n", "x.theme:2:", "256" },
		{ "[colors]\na = #123456 : -1\n", "x.theme:2:", "-1" },
		{ "[colors]\na = #123456 : 1 : defaults\n",
		  "x.theme:2:", "defaults" },
		{ "[colors]\na = #123456 : 1 : pink\n", "x.theme:2:", "pink" },
		{ "[style]\ntext = fg\n", "x.theme:2:", "fg" },
		{ "[style]\ntext =\n", "x.theme:2:", "text" },
		{ "[style]\ntxt = default\n", "x.theme:2:", "txt" },
		{ "[style]\ntext = default on\n", "x.theme:2:", "on" },
		{ "[style]\ntext = default blink\n", "x.theme:2:", "blink" },
		{ "[gradient]\nheat = default default\n",
		  "x.theme:2:", "heat" },
		{ "[gradient]\nfade = default default\n",
		  "x.theme:2:", "default" },
		{ "[gradient]\ncold = default\n", "x.theme:2:", "cold" },
		{ "[mono]\ntext = red\n", "x.theme:2:", "red" },
		{ "just words\n", "x.theme:1:", "just words" },
	};

	for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
		struct theme t;
		struct err e = { .code = ERR_NONE };

		theme_default(&t);
		t.fade.rgb = 0xabcdef;
		if (parse(row[i].text, &t, &e))
			fail_msg("taken: %s", row[i].text);
		assert_int_equal(e.code, ERR_USAGE);
		if (strstr(e.text, row[i].where) == NULL ||
		    strstr(e.text, row[i].what) == NULL)
			fail_msg("\"%s\" for: %s", e.text, row[i].text);
		assert_int_equal(t.fade.rgb, 0xabcdef); /* untouched */
	}
}

UNIT(test_lines_too_long_and_bytes_that_are_no_text)
{
	char text[400];
	struct theme t;

	memset(text, 'a', sizeof text);
	assert_false(theme_parse(text, sizeof text, "x", NULL, &t, NULL));
	assert_false(theme_parse("name\0= x\n", 9, "x", NULL, &t, NULL));
	assert_true(theme_parse("", 0, "x", NULL, &t, NULL));
}

UNIT(test_the_built_in_theme_is_the_file)
{
	struct theme built_in, file;
	struct err e = { .code = ERR_NONE };

	theme_default(&built_in);
	if (!theme_load("./themes/default.theme", &file, &e))
		fail_msg("%s", e.text);
	assert_string_equal(built_in.name, file.name);
	assert_string_equal(built_in.path, "");
	assert_memory_equal(built_in.style, file.style, sizeof file.style);
	assert_memory_equal(built_in.heat, file.heat, sizeof file.heat);
}

UNIT(test_load_by_path_and_by_name)
{
	struct theme t;
	struct err e = { .code = ERR_NONE };

	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	assert_true(theme_load("okabe-ito", &t, NULL));
	assert_string_equal(t.name, "Okabe-Ito");
	assert_true(theme_load("default", &t, NULL));
	assert_false(theme_load("no-such", &t, &e));
	assert_says(e.text, "no-such", "./themes");
	assert_false(theme_load("./no-such.theme", &t, &e));
	assert_string_equal(t.name, "Default");
}

UNIT(test_paint_by_depth)
{
	struct theme t;
	static const char text[] = "[colors]\na = #ff0000 : 9 : bright-red\nb "
				   "= #000000 : 16 : black\n"
				   "[style]\nkind.0 = a bold\nbar = b on a\n"
				   "[gradient]\nfade = b\n[mono]\nbar = "
				   "reverse\nbadge.ok = reverse\n";

	assert_true(parse(text, &t, NULL));
	/* red cannot be read on red: the ink of that ground */
	struct theme_paint p = theme_paint(&t, THEME_TRUE, ROLE_KIND0, ROLE_BAR,
					   ROLE_STEPS - 1);

	assert_int_equal(p.fg, 0x000000);
	assert_int_equal(p.bg, 0xff0000);
	assert_int_equal(p.attrs, THEME_BOLD);
	p = theme_paint(&t, THEME_256, ROLE_KIND0, ROLE_NONE, ROLE_STEPS - 1);
	assert_int_equal(p.fg, 9);
	assert_int_equal(p.bg, -1);
	p = theme_paint(&t, THEME_16, ROLE_KIND0, ROLE_NONE, 0);
	assert_int_equal(p.fg, 9);
	/* the faintest step keeps 3/8 of the colour */
	p = theme_paint(&t, THEME_TRUE, ROLE_KIND0, ROLE_NONE, 0);
	assert_int_equal(p.fg, 0x600000);
	/* the terminal's own colour may be any */
	p = theme_paint(&t, THEME_256, ROLE_TEXT, ROLE_BAR, 0);
	assert_int_equal(p.fg, 16);
	assert_int_equal(p.bg, 9);
	p = theme_paint(&t, THEME_256, ROLE_TEXT, ROLE_NONE, 0);
	assert_int_equal(p.fg, -1);
	/* on a painted ground 16 colours take that ground's ink */
	p = theme_paint(&t, THEME_16, ROLE_KIND0, ROLE_BAR, 0);
	assert_int_equal(p.fg, 0);
	assert_int_equal(p.bg, 9);
	p = theme_paint(&t, THEME_MONO, ROLE_BAR, ROLE_BAR, 0);
	assert_int_equal(p.fg, -1);
	assert_int_equal(p.attrs, THEME_REVERSE);
	/* reversed on reversed stands out by not being so */
	p = theme_paint(&t, THEME_MONO, ROLE_BADGE_OK, ROLE_BAR, 0);
	assert_int_equal(p.attrs, 0);
}

UNIT(test_nearest_of_256)
{
	assert_int_equal(theme_nearest_256(0x000000), 16);
	assert_int_equal(theme_nearest_256(0xffffff), 231);
	assert_int_equal(theme_nearest_256(0x87afd7), 110);
	assert_int_equal(theme_nearest_256(0x080808), 232);
	for (int i = 16; i < 256; i++)
		assert_int_equal(theme_rgb_of_256(theme_nearest_256(
					 theme_rgb_of_256(i))),
				 theme_rgb_of_256(i));
	assert_true(fabs(theme_contrast(0, 0xffffff) - 21) < 0.01);
}

UNIT(test_roles_have_names_and_words)
{
	for (int i = 0; i < ROLE_COUNT; i++) {
		assert_non_null(role_table[i].name);
		assert_true(strlen(role_table[i].text) > 5);
		assert_int_equal(role_find(role_table[i].name), i);
	}
	assert_int_equal(role_find("nothing"), -1);
}
