#include "ui/term/term_known.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>

enum {
	LIKE_XTERM = 1 << 0,  /* xterm's entry describes it */
	LIKE_SCREEN = 1 << 1, /* screen's does */
	ALL_COLORS = 1 << 2,  /* of 24 bits, in every version about */
	PRINTS = 1 << 3,      /* what it does not understand */
	FEW_GLYPHS = 1 << 4,  /* not even lines and blocks */
	NO_BRAILLE = 1 << 5   /* often none in its font, or hollow circles */
};

/* By the beginning of the name; the first that fits counts. */
/* clang-format off */
static const struct {
	const char *name;
	unsigned is;
} known[] = {
	{ "xterm-kitty", LIKE_XTERM | ALL_COLORS },
	{ "kitty", LIKE_XTERM | ALL_COLORS },
	{ "xterm-ghostty", LIKE_XTERM | ALL_COLORS },
	{ "ghostty", LIKE_XTERM | ALL_COLORS },
	{ "wezterm", LIKE_XTERM | ALL_COLORS },
	{ "foot", LIKE_XTERM | ALL_COLORS },
	{ "alacritty", LIKE_XTERM | ALL_COLORS | NO_BRAILLE },
	{ "contour", LIKE_XTERM | ALL_COLORS },
	{ "rio", LIKE_XTERM | ALL_COLORS },
	{ "xterm-", LIKE_XTERM },
	{ "nsterm", LIKE_XTERM },
	{ "iterm", LIKE_XTERM },
	{ "konsole", LIKE_XTERM },
	{ "vte", LIKE_XTERM },
	{ "gnome", LIKE_XTERM },
	{ "mintty", LIKE_XTERM },
	{ "st-", LIKE_XTERM | NO_BRAILLE },
	{ "tmux", LIKE_SCREEN },
	{ "screen", LIKE_SCREEN },
	{ "rxvt", NO_BRAILLE },
	{ "mrxvt", NO_BRAILLE },
	{ "putty", NO_BRAILLE },
	{ "cygwin", NO_BRAILLE },
	{ "linux", PRINTS | FEW_GLYPHS },
	{ "vt", PRINTS | FEW_GLYPHS },
	{ "dumb", PRINTS | FEW_GLYPHS },
	{ "ansi", PRINTS | NO_BRAILLE },
	{ "pcansi", PRINTS | NO_BRAILLE },
	{ "cons", PRINTS | NO_BRAILLE }, /* the BSDs' consoles */
	{ "pccon", PRINTS | NO_BRAILLE },
	{ "wsvt", PRINTS | NO_BRAILLE },
	{ "sun", PRINTS | NO_BRAILLE },
	{ "hurd", PRINTS | NO_BRAILLE },
	{ "mach", PRINTS | NO_BRAILLE },
	{ "minix", PRINTS | NO_BRAILLE },
	{ "eterm", PRINTS | NO_BRAILLE }, /* Emacs */
};
/* clang-format on */

static bool
begins(const char *s, const char *with)
{
	return strncmp(s, with, strlen(with)) == 0;
}

static unsigned
what_is(const char *term)
{
	if (term == NULL || term[0] == 0)
		return PRINTS | FEW_GLYPHS;
	for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
		if (begins(term, known[i].name))
			return known[i].is;
	return 0;
}

void
term_env(struct term_env *out)
{
	const char *tmux = getenv("TMUX"), *screen = getenv("STY");

	*out = (struct term_env){
		.term = getenv("TERM"),
		.colorterm = getenv("COLORTERM"),
		.program = getenv("TERM_PROGRAM"),
		.version = getenv("TERM_PROGRAM_VERSION"),
		.xterm = getenv("XTERM_VERSION"),
		.inside = tmux != NULL || screen != NULL,
	};
	if (out->term != NULL && (what_is(out->term) & LIKE_SCREEN) != 0)
		out->inside = true;
}

const char *const *
term_stand_ins(const char *term)
{
	static const char *const none[] = { NULL };
	static const char *const xterm[] = { "xterm-256color", "xterm", NULL };
	static const char *const few[] = { "xterm", NULL };
	static const char *const screen[] = { "screen-256color", "screen",
					      NULL };
	unsigned is = what_is(term);

	if ((is & LIKE_SCREEN) != 0)
		return screen;
	if ((is & LIKE_XTERM) == 0)
		return none;
	/* A name that says it has fewer colours is believed. */
	return strstr(term, "-16color") != NULL ||
			       strstr(term, "-88color") != NULL
		       ? few
		       : xterm;
}

/*
 * Terminal.app draws them since macOS 26, where its version is 465; that of
 * macOS 15 is 455.
 */
static bool
is_new_terminal_app(const struct term_env *env)
{
	enum { MACOS_26 = 465 };

	return !env->inside && env->program != NULL && env->version != NULL &&
	       strcmp(env->program, "Apple_Terminal") == 0 &&
	       strtol(env->version, NULL, 10) >= MACOS_26;
}

bool
term_draws_all_colors(const struct term_env *env)
{
	const char *how = env->colorterm;

	if (how != NULL &&
	    (strcmp(how, "truecolor") == 0 || strcmp(how, "24bit") == 0))
		return true;
	return (what_is(env->term) & ALL_COLORS) != 0 ||
	       is_new_terminal_app(env);
}

bool
term_may_be_asked(const struct term_env *env)
{
	return (what_is(env->term) & PRINTS) == 0;
}

enum canvas_glyphs
term_draws(const struct term_env *env)
{
	unsigned is = what_is(env->term);

	if ((is & FEW_GLYPHS) != 0)
		return CANVAS_ASCII;
	/* xterm's fonts are of the X server's making. */
	if ((is & NO_BRAILLE) != 0 || (env->xterm != NULL && !env->inside))
		return CANVAS_BLOCK;
	return CANVAS_BRAILLE;
}

enum canvas_glyphs
term_glyphs(enum ui_glyphs wanted)
{
	struct term_env env;

	switch (wanted) {
	case UI_GLYPHS_ASCII:
		return CANVAS_ASCII;
	case UI_GLYPHS_BLOCK:
		return CANVAS_BLOCK;
	case UI_GLYPHS_BRAILLE:
		return CANVAS_BRAILLE;
	case UI_GLYPHS_AUTO:
		break;
	}
	if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
		return CANVAS_ASCII;
	term_env(&env);
	return term_draws(&env);
}
