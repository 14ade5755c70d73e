/* What is known of terminals by their names, where their entries say nothing.
 */
#ifndef UI_TERM_TERM_KNOWN_H
#define UI_TERM_TERM_KNOWN_H

#include "ui/draw/canvas.h"
#include "ui/draw/choices.h"

#include <stdbool.h>

/* What the environment says of the terminal; any may be NULL. */
struct term_env {
	const char *term, *colorterm;
	const char *program, *version; /* TERM_PROGRAM, TERM_PROGRAM_VERSION */
	const char *xterm;             /* XTERM_VERSION: xterm itself */
	bool inside;                   /* tmux or screen stand between */
};
void term_env(struct term_env *out);

/*
 * Entries that describe that terminal well enough where the system does not
 * know it, best first: sudo drops TERMINFO, and with it the entries that some
 * terminals bring along. NULL ends; a name nobody knows has none.
 */
const char *const *term_stand_ins(const char *term);

/* Draws 24-bit colours, though its entry may not say so. */
bool term_draws_all_colors(const struct term_env *env);

/* May be asked for its colours: others print the question. */
bool term_may_be_asked(const struct term_env *env);

/* What it draws well in a UTF-8 locale. */
enum canvas_glyphs term_draws(const struct term_env *env);

/*
 * Signs it can show, by its name and the locale where `wanted` is AUTO: ASCII
 * where that is not UTF-8 or the terminal has few glyphs (linux, vt100), else
 * blocks, and braille in charts.
 */
enum canvas_glyphs term_glyphs(enum ui_glyphs wanted);

#endif
