/* What names of terminals tell: entries that stand in, colours, signs. */
#include "ui/term/tty_inner.h"

#include <stdlib.h>

#include <cmocka.h>

UNIT(test_stand_ins)
{
	static const struct {
		const char *term, *first;
	} row[] = {
		{ "xterm-kitty", "xterm-256color" },
		{ "xterm-ghostty", "xterm-256color" },
		{ "wezterm", "xterm-256color" },
		{ "alacritty", "xterm-256color" },
		{ "alacritty-direct", "xterm-256color" },
		{ "foot", "xterm-256color" },
		{ "foot-extra", "xterm-256color" },
		{ "vte-256color", "xterm-256color" },
		{ "xterm-16color", "xterm" },
		{ "tmux-256color", "screen-256color" },
		{ "nonsense", NULL },
		{ "vt420", NULL },
		{ "", NULL },
	};

	for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
		const char *first = term_stand_ins(row[i].term)[0];

		if (row[i].first == NULL)
			assert_null(first);
		else
			assert_string_equal(first, row[i].first);
	}
	assert_null(term_stand_ins(NULL)[0]);
}

UNIT(test_colors_of_24_bits)
{
	static const struct {
		struct term_env env;
		bool all;
	} row[] = {
		{ { .term = "xterm-256color" }, false },
		{ { .term = "xterm-256color", .colorterm = "truecolor" },
		  true },
		{ { .term = "xterm-256color", .colorterm = "24bit" }, true },
		{ { .term = "xterm-256color", .colorterm = "yes" }, false },
		{ { .term = "xterm-kitty" }, true },
		{ { .term = "alacritty" }, true },
		{ { .term = "xterm-256color",
		    .program = "Apple_Terminal",
		    .version = "455.1" },
		  false },
		{ { .term = "xterm-256color",
		    .program = "Apple_Terminal",
		    .version = "465" },
		  true },
		{ { .term = "xterm-256color",
		    .program = "Apple_Terminal",
		    .version = "470.2" },
		  true },
		{ { .term = "xterm-256color", .program = "Apple_Terminal" },
		  false },
		{ { .term = "xterm-256color",
		    .program = "Apple_Terminal",
		    .version = "" },
		  false },
		{ { .term = "xterm-256color",
		    .program = "iTerm.app",
		    .version = "3600" },
		  false },
		{ { .term = "screen-256color",
		    .program = "Apple_Terminal",
		    .version = "466",
		    .inside = true },
		  false },
		{ { .term = NULL }, false },
	};

	for (unsigned i = 0; i < sizeof row / sizeof *row; i++)
		assert_int_equal(term_draws_all_colors(&row[i].env),
				 row[i].all);
}

UNIT(test_who_may_be_asked_and_what_they_draw)
{
	static const struct {
		struct term_env env;
		bool asked;
		enum canvas_glyphs draws;
	} row[] = {
		{ { .term = "xterm-256color" }, true, CANVAS_BRAILLE },
		{ { .term = "xterm-kitty" }, true, CANVAS_BRAILLE },
		{ { .term = "vte-256color" }, true, CANVAS_BRAILLE },
		{ { .term = "xterm-256color", .xterm = "XTerm(379)" },
		  true,
		  CANVAS_BLOCK },
		{ { .term = "tmux-256color",
		    .xterm = "XTerm(379)",
		    .inside = true },
		  true,
		  CANVAS_BRAILLE },
		{ { .term = "rxvt-unicode-256color" }, true, CANVAS_BLOCK },
		{ { .term = "st-256color" }, true, CANVAS_BLOCK },
		{ { .term = "putty-256color" }, true, CANVAS_BLOCK },
		{ { .term = "alacritty" }, true, CANVAS_BLOCK },
		{ { .term = "linux" }, false, CANVAS_ASCII },
		{ { .term = "linux-16color" }, false, CANVAS_ASCII },
		{ { .term = "vt100" }, false, CANVAS_ASCII },
		{ { .term = "dumb" }, false, CANVAS_ASCII },
		{ { .term = "cons25" }, false, CANVAS_BLOCK },
		{ { .term = "eterm-color" }, false, CANVAS_BLOCK },
		{ { .term = "" }, false, CANVAS_ASCII },
	};

	for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
		assert_int_equal(term_may_be_asked(&row[i].env), row[i].asked);
		assert_int_equal(term_glyphs(UI_GLYPHS_AUTO, true, &row[i].env),
				 row[i].draws);
	}
}

UNIT(test_the_environment)
{
	struct term_env env;

	assert_int_equal(setenv("TERM", "xterm-256color", 1), 0);
	assert_int_equal(setenv("TERM_PROGRAM", "Apple_Terminal", 1), 0);
	assert_int_equal(setenv("TERM_PROGRAM_VERSION", "466", 1), 0);
	assert_int_equal(unsetenv("COLORTERM"), 0);
	assert_int_equal(unsetenv("TMUX"), 0);
	assert_int_equal(unsetenv("STY"), 0);
	term_env(&env);
	assert_false(env.inside);
	assert_true(term_draws_all_colors(&env));
	/* what stands between draws for itself */
	assert_int_equal(setenv("TMUX", "/tmp/x,1,0", 1), 0);
	term_env(&env);
	assert_true(env.inside);
	assert_false(term_draws_all_colors(&env));
	assert_int_equal(unsetenv("TMUX"), 0);
	assert_int_equal(setenv("TERM", "screen", 1), 0);
	term_env(&env);
	assert_true(env.inside);
}
