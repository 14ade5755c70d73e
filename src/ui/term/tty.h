/* The terminal: shows a canvas, delivers keys, never blocks, gives itself back.
 */
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
 * Takes standard input and output. NULL and *e when they are no terminal or
 * its TERM is unknown. `mouse` asks for its reports. Only one can be open:
 * a crash puts that one's screen and line discipline back (process/crash.h).
 */
struct tty *tty_open(enum ui_color color, enum ui_glyphs glyphs, bool mouse,
		     struct err *e);
void tty_close(struct tty *t); /* NULL is fine */

void tty_suspend(struct tty *t);
void tty_resume(struct tty *t);

/* Where another's description stands in for the terminal's own, says so. */
bool tty_stands_in(const struct tty *t, char *out, size_t size);

/*
 * Asks the terminal for its ground, once, before anything is drawn: it waits a
 * tenth of a second at most. False where it may not be asked, does not answer
 * in time, or shows no colours.
 */
bool tty_ground(struct tty *t, uint32_t *rgb);

struct tty_state {
	int w, h;
	enum canvas_glyphs glyphs;
	bool colors; /* there are some */
	int input_fd;
	int output_fd;    /* -1: nothing is held back */
	uint64_t skipped; /* refreshes that found no room */
	bool owes;        /* the last did not, and now there is room for it */
	bool waits; /* keys were read and not yet taken: the input may have
		       nothing more to read */
};
struct tty_state tty_state(const struct tty *t);

/*
 * Asks for the size again; 80 x 24 where the terminal does not say. False when
 * memory is short: the old one stays.
 */
bool tty_resized(struct tty *t);

/*
 * Sends what differs from what is shown, in one write that does not block. A
 * terminal that still has bytes to take is left alone; that is counted. False
 * when the terminal is gone.
 */
bool tty_show(struct tty *t, const struct canvas *c, const struct theme *theme);

/* Forgets what is shown: the next tty_show sends everything. */
void tty_forget(struct tty *t);

/*
 * Asks the terminal to take the text to the clipboard (OSC 52), which not all
 * do. False: it may not be asked.
 */
bool tty_copy(struct tty *t, const char *text);

/* Sends what is held back; false when the terminal is gone. */
bool tty_flush(struct tty *t);

/* The next key (ui/draw/keycode.h), KEY_NONE when there is none. */
int tty_key(struct tty *t);

#endif
