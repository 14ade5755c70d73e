/* Changed cells as bytes for a terminal that speaks ECMA-48; no curses. */
#ifndef UI_TTY_CELLS_H
#define UI_TTY_CELLS_H

#include "ui/canvas.h"
#include "ui/tty_line.h"

#include <stdbool.h>
#include <stddef.h>

enum { TTY_LOOKS = 256, TTY_LOOK_SIZE = 64 };

/* Attributes and colours, and the bytes that set them from any other. */
struct tty_look {
	short pair;
	unsigned attrs;
	unsigned len;
	char on[TTY_LOOK_SIZE];
};

struct tty_change { /* a cell to send: its place, row * w + column */
	int at;
	int look;
};

/* Bytes before and after everything: cursor kept, attributes off. */
struct tty_ends {
	char before[16], after[32];
};

/*
 * Adds the n changed cells of `shown` (w wide) to out: look by look, because
 * going along the rows would switch colours to and fro, which is a third of
 * all bytes. The list is used up. False when memory is short.
 */
bool tty_cells_add(struct tty_bytes *out, const struct cell *shown, int w,
		   const struct tty_look *look, struct tty_change *change,
		   int n, const struct tty_ends *ends);

#endif
