/* Shows a canvas, delivers keys, never blocks, and restores the terminal. */
#ifndef UI_TERM_TTY_H
#define UI_TERM_TTY_H

#include "base/err.h"
#include "ui/draw/canvas.h"
#include "ui/theme/theme.h"
#include "ui/draw/choices.h"

#include <stdbool.h>
#include <stdint.h>

struct tty;

/*
 * Uses standard input and output. NULL and *e if they are no terminal or TERM
 * is unknown. `mouse`: ask for reports. Only one at a time: the crash handler
 * restores that one (process/crash.h).
 */
struct tty *tty_open(enum ui_color color, enum ui_glyphs glyphs, bool mouse,
		     struct err *e);
void tty_close(struct tty *t); /* NULL is fine */

void tty_suspend(struct tty *t);
void tty_resume(struct tty *t);

/* False: the terminal's own terminfo entry is used. */
bool tty_stands_in(const struct tty *t, char *out, size_t size);

/*
 * Asks for the background colour once, before anything is drawn; waits at most
 * 0.1 s. False: not asked, no answer in time, or no colours.
 */
bool tty_ground(struct tty *t, uint32_t *rgb);

struct tty_state {
	int w, h;
	enum canvas_glyphs glyphs;
	bool colors;
	int input_fd;
	int output_fd;    /* -1: nothing waits */
	uint64_t skipped; /* refreshes skipped for lack of room */
	bool owes;        /* the last one was, and there is room now */
	bool waits; /* keys are buffered: input_fd may have nothing to read */
};
struct tty_state tty_state(const struct tty *t);

/*
 * Asks for the size again; 80 x 24 if unknown. False: no memory, the size is
 * unchanged.
 */
bool tty_resized(struct tty *t);

/*
 * Sends the changes in one write that does not block. Skipped, and counted,
 * while earlier bytes wait. False: the terminal is gone.
 */
bool tty_show(struct tty *t, const struct canvas *c, const struct theme *theme);

/* The next tty_show sends everything. */
void tty_forget(struct tty *t);

/* OSC 52, which not all terminals obey. False: it may not be asked. */
bool tty_copy(struct tty *t, const char *text);

/* Sends waiting bytes; false: the terminal is gone. */
bool tty_flush(struct tty *t);

/* A code of ui/draw/keycode.h; KEY_NONE: none. */
int tty_key(struct tty *t);

#endif
