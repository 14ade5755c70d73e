#include "ui/term/tty_inner.h"

#include <stdlib.h>
#include <string.h>

enum {
	LIKE_XTERM = 1 << 0,  /* xterm's terminfo entry fits */
	LIKE_SCREEN = 1 << 1, /* screen's terminfo entry fits */
	ALL_COLORS = 1 << 2,  /* 24-bit colours in every version in use */
	PRINTS = 1 << 3,      /* prints unknown sequences as text */
	FEW_GLYPHS = 1 << 4,  /* the font lacks lines and blocks */
	NO_BRAILLE = 1 << 5 /* the font may lack braille, or draw empty dots */
};

/* Properties by prefixes of the terminal's name; the first match counts. */
static const struct {
	unsigned is;
	const char *names; /* each ends in a blank */
} known[] = {
	{ LIKE_XTERM | ALL_COLORS,
	  "xterm-kitty kitty xterm-ghostty ghostty wezterm foot contour rio " },
	{ LIKE_XTERM | ALL_COLORS | NO_BRAILLE, "alacritty " },
	{ LIKE_XTERM | NO_BRAILLE, "st- " },
	{ LIKE_XTERM, "xterm- nsterm iterm konsole vte gnome mintty " },
	{ LIKE_SCREEN, "tmux screen " },
	{ NO_BRAILLE, "rxvt mrxvt putty cygwin " },
	{ PRINTS | FEW_GLYPHS, "linux vt dumb " },
	/* eterm is Emacs; cons, pccon and wsvt are BSD consoles. */
	{ PRINTS | NO_BRAILLE,
	  "ansi pcansi cons pccon wsvt sun hurd mach minix eterm " },
};

static unsigned
term_abilities(const char *term)
{
	if (term == NULL || term[0] == 0)
		return PRINTS | FEW_GLYPHS;
	for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
		for (const char *at = known[i].names; *at != 0;
		     at = strchr(at, ' ') + 1)
			if (strncmp(term, at, strcspn(at, " ")) == 0)
				return known[i].is;
	return 0;
}

void
term_env(struct term_env *out)
{
	const char *term = getenv("TERM");

	*out = (struct term_env){
		.term = term,
		.colorterm = getenv("COLORTERM"),
		.program = getenv("TERM_PROGRAM"),
		.version = getenv("TERM_PROGRAM_VERSION"),
		.xterm = getenv("XTERM_VERSION"),
		.inside = getenv("TMUX") != NULL || getenv("STY") != NULL ||
			  (term_abilities(term) & LIKE_SCREEN) != 0,
	};
}

const char *const *
term_stand_ins(const char *term)
{
	static const char *const xterm[] = { "xterm-256color", "xterm", NULL };
	static const char *const screen[] = { "screen-256color", "screen",
					      NULL };
	unsigned is = term_abilities(term);

	if ((is & LIKE_SCREEN) != 0)
		return screen;
	if ((is & LIKE_XTERM) == 0)
		return &xterm[2];
	/* Terminals of 16 or 88 colours get xterm, not xterm-256color. */
	return &xterm[strstr(term, "-16color") != NULL ||
		      strstr(term, "-88color") != NULL];
}

bool
term_draws_all_colors(const struct term_env *env)
{
	/* Version of Terminal.app in macOS 26; in macOS 15 it is 455. */
	enum { MACOS_26 = 465 };
	const char *how = env->colorterm;

	return (how != NULL &&
		(strcmp(how, "truecolor") == 0 || strcmp(how, "24bit") == 0)) ||
	       (term_abilities(env->term) & ALL_COLORS) != 0 ||
	       (!env->inside && env->program != NULL && env->version != NULL &&
		strcmp(env->program, "Apple_Terminal") == 0 &&
		strtol(env->version, NULL, 10) >= MACOS_26);
}

bool
term_may_be_asked(const struct term_env *env)
{
	return (term_abilities(env->term) & PRINTS) == 0;
}

enum canvas_glyphs
term_glyphs(enum ui_glyphs wanted, bool utf8, const struct term_env *env)
{
	unsigned is = term_abilities(env->term);

	if (wanted != UI_GLYPHS_AUTO)
		return wanted == UI_GLYPHS_ASCII   ? CANVAS_ASCII
		       : wanted == UI_GLYPHS_BLOCK ? CANVAS_BLOCK
						   : CANVAS_BRAILLE;
	if (!utf8 || (is & FEW_GLYPHS) != 0)
		return CANVAS_ASCII;
	/* xterm uses the X server's fonts, which may lack braille. */
	return (is & NO_BRAILLE) != 0 || (env->xterm != NULL && !env->inside)
		       ? CANVAS_BLOCK
		       : CANVAS_BRAILLE;
}
