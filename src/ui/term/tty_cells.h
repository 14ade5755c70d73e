/* Changed cells as bytes for a terminal that speaks ECMA-48; no curses. */
#ifndef UI_TERM_TTY_CELLS_H
#define UI_TERM_TTY_CELLS_H

#include "ui/draw/canvas.h"
#include "ui/term/tty_line.h"
#include "ui/term/tty_move.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A cell to send, and an index of the looks. */
struct tty_change {
	int16_t y, x;
	int16_t look;
	/* The rest is for tty_cells_add. */
	int16_t cells;
	int16_t next, head, link;
};

/*
 * Cells x to last of row y moved one to the left. What the last one shows now
 * comes in; it must not be the last of the row.
 */
struct tty_slide {
	int y, x, last;
};

/* Bytes behind everything, where the pen and the cursor are to rest. */
struct tty_ends {
	char after[16];
};

/*
 * Adds the slides, then the n changed cells (in rising order, none of them
 * blank on a blank of the same ground) to out, look by look, because going
 * along the rows would switch colours to and fro, and within a look from
 * neighbour to neighbour, which is mostly down a column of numbers. Starts
 * and ends with a plain pen. `change` is used up. False when memory is short.
 */
bool tty_cells_add(struct tty_bytes *out, const struct tty_grid *g,
		   const struct tty_slide *slide, int nslides,
		   struct tty_change *change, int n,
		   const struct tty_ends *ends);

#endif
