/* Attributes and colours as parameters of SGR (ECMA-48 8.3.117); no curses. */
#ifndef UI_TERM_TTY_PEN_H
#define UI_TERM_TTY_PEN_H

#include "base/buf.h"

#include <stdbool.h>

enum {
	TTY_LOOKS = 256,
	TTY_ATTR_SIZE = 8,
	TTY_COLOR_SIZE = 20, /* "38;2;255;255;255" */
	TTY_PEN_MOST = 16 + TTY_ATTR_SIZE + 2 * TTY_COLOR_SIZE
};

/* The first look of a terminal is the plain one: all texts empty. */
struct tty_look {
	short pair;     /* of curses */
	unsigned attrs; /* of curses */
	int ground;     /* blanks of equal grounds look alike; -1: of none do */
	char attr[TTY_ATTR_SIZE]; /* "1;4" */
	char fg[TTY_COLOR_SIZE], bg[TTY_COLOR_SIZE];
};

/*
 * Appends the shortest sequence that leads from one look to another. With
 * `defaults` the terminal knows 39 and 49, its own colours.
 */
void tty_pen_change(struct buf *b, const struct tty_look *from,
		    const struct tty_look *to, bool defaults);

/*
 * The parameters of a sequence of the terminal's description, as "1" of
 * "ESC [ 1 m", into out; false when it is anything else, or too long.
 */
bool tty_pen_params(const char *sequence, char *out, unsigned size);

#endif
