/* The terminal's entry, or one that stands in for it, and what it can do. */
#include "ui/term/term_tty.h"

#include "ui/term/scratch.h"
#include "ui/term/term_known.h"

#include <curses.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* curses catches signals that nobody catches; they are the application's. */
static SCREEN *
quiet_newterm(const char *name, FILE *file)
{
	static const int caught[] = { SIGINT, SIGTERM, SIGTSTP, SIGWINCH };
	enum { N = sizeof caught / sizeof *caught };
	struct sigaction before[N];

	for (int i = 0; i < N; i++)
		sigaction(caught[i], NULL, &before[i]);
	SCREEN *s = newterm((char *)(uintptr_t)name, file, stdin);

	for (int i = 0; i < N; i++)
		sigaction(caught[i], &before[i], NULL);
	return s;
}

static enum theme_depth
find_depth(enum ui_color color, const struct term_env *env)
{
	const char *none = getenv("NO_COLOR");

	if (color == UI_COLOR_NEVER ||
	    (color == UI_COLOR_AUTO && none != NULL && none[0] != 0) ||
	    !has_colors())
		return THEME_MONO;
	/* COLORS and COLOR_PAIRS are 0 before this. */
	if (start_color() == ERR || COLORS < 8)
		return THEME_MONO;
	use_default_colors();
	if (COLORS < 256)
		return THEME_16;
	if (term_draws_all_colors(env))
		return THEME_TRUE;
	/* tigetflag: 1 if the terminfo entry has ncurses' RGB. */
	static const char rgb[] = "RGB";

	return tigetflag((char *)(uintptr_t)rgb) == 1 ? THEME_TRUE : THEME_256;
}

/*
 * curses cannot ask its file for the size, and sets the scrolling region by
 * what it believes: one of 24 rows would outlive us in a larger terminal.
 */
static void
tell_size(const struct tty *t)
{
	char text[16];
	int w, h;

	tty_line_size(&t->line, &w, &h);
	(void)snprintf(text, sizeof text, "%d", h);
	(void)setenv("LINES", text, 1);
	(void)snprintf(text, sizeof text, "%d", w);
	(void)setenv("COLUMNS", text, 1);
}

/* By its own entry, else by one that describes it well enough. */
static bool
open_entry(struct tty *t, const char *term)
{
	const char *const *as = term_stand_ins(term);

	t->screen = quiet_newterm(term, t->file);
	for (; t->screen == NULL && *as != NULL; as++) {
		t->screen = quiet_newterm(*as, t->file);
		t->as = *as;
	}
	return t->screen != NULL;
}

bool
term_start(struct tty *t, enum ui_color color, struct err *e)
{
	struct term_env env;

	term_env(&env);
	t->file = scratch_open();
	if (t->file == NULL)
		return err_set(
			e, ERR_FAIL,
			"terminal: no temporary file: %s; is TMPDIR full?",
			strerror(errno));
	if (env.term == NULL || env.term[0] == 0 ||
	    strcmp(env.term, "dumb") == 0)
		return err_set(e, ERR_USAGE,
			       "TERM=%s cannot place text; set TERM, or use -b",
			       env.term != NULL ? env.term : "");
	tell_size(t);
	if (!open_entry(t, env.term))
		return err_set(e, ERR_USAGE,
			       "the terminal \"%s\" is not known here; set "
			       "TERM (xterm-256color often does), or use -b",
			       env.term);
	t->depth = find_depth(color, &env);
	return true;
}

bool
tty_stands_in(const struct tty *t, char *out, size_t size)
{
	const char *term = getenv("TERM");
	struct buf b = buf_over(out, size);

	if (t->as == NULL)
		return false;
	buf_printf(&b,
		   "the terminal \"%s\" is not known here; it is drawn as %s",
		   term != NULL ? term : "", t->as);
	(void)buf_cstr(&b);
	return true;
}

bool
tty_ground(struct tty *t, uint32_t *rgb)
{
	struct term_env env;

	term_env(&env);
	if (t->depth == THEME_MONO || !term_may_be_asked(&env))
		return false;
	tty_line_ask(&t->line);
	*rgb = t->line.ground;
	return t->line.ground_known;
}
