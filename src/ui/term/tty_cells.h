/* Changed cells as bytes for a terminal that speaks ECMA-48; no curses. */
#ifndef UI_TERM_TTY_CELLS_H
#define UI_TERM_TTY_CELLS_H

#include "base/buf.h"
#include "ui/draw/canvas.h"
#include "ui/term/tty_line.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/*
 * Changes from one look to another as they were made before: empty where all is
 * 0, and to be emptied when a look becomes another one.
 */
enum { TTY_PENS = 64 }; /* a power of two */
struct tty_pens {
	struct tty_pen {
		int16_t from, to; /* of the looks; equal: nothing */
		uint8_t len;
		char text[TTY_PEN_MOST];
	} at[TTY_PENS];
};

/* What the terminal's description allows apart from CUP, CUF and SGR. */
struct tty_ways {
	bool line_feed; /* LF goes down and keeps the column */
	bool backspace;
	bool back, up, down; /* CUB, CUU, CUD */
	bool column, row;    /* HPA as CHA, VPA */
	bool slide;          /* DCH and ICH */
	bool default_colors; /* SGR 39 and 49 */
};

/*
 * What moves of the cursor cost there: looked up, since many are weighed for
 * each that is sent. Ways by n rows or columns stand at TTY_STEPS + n.
 */
enum { TTY_STEPS = CANVAS_MAX_SIDE };
struct tty_steps {
	uint8_t down[2 * TTY_STEPS], across[2 * TTY_STEPS];
	uint8_t across_least[2 * TTY_STEPS]; /* where cells may be rewritten */
	uint8_t row, column; /* to one by its number, but for the digits */
	uint8_t digits[TTY_STEPS]; /* of what is counted from 0 here */
	uint8_t home[TTY_STEPS]; /* to a column of a row, but for its digits */
};

void tty_steps_make(struct tty_steps *s, const struct tty_ways *ways);

/* What the terminal shows (or will, once all of it is sent). */
struct tty_grid {
	const struct cell *shown;
	const uint8_t *look_at; /* of each cell, an index of look */
	int w, h;
	const struct tty_look *look;
	struct tty_ways ways;
	const struct tty_steps *steps; /* of these ways */
	struct tty_pens *pens;         /* of these looks */
};

/*
 * Cells of a row to send, at least one: all of one look, which is an index of
 * the looks, and either all of them blank or none.
 */
struct tty_change {
	int16_t y, x;
	int16_t look;
	int16_t cells;
	int16_t next; /* for tty_cells_add */
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
 * Adds the slides, then the n changes (in rising order, no cell of them blank
 * on a blank of the same ground) to out, look by look, because going
 * along the rows would switch colours back and forth, and within a look from
 * neighbour to neighbour, which is mostly down a column of numbers. Starts
 * and ends with a plain pen. `change` is used up. False when memory is short.
 */
bool tty_cells_add(struct tty_bytes *out, const struct tty_grid *g,
		   const struct tty_slide *slide, int nslides,
		   struct tty_change *change, int n,
		   const struct tty_ends *ends);

#endif
