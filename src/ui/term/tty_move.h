/* The shortest way for the cursor; no curses. */
#ifndef UI_TERM_TTY_MOVE_H
#define UI_TERM_TTY_MOVE_H

#include "base/buf.h"
#include "ui/draw/canvas.h"
#include "ui/term/tty_pen.h"

#include <stdbool.h>
#include <stdint.h>

/* What the terminal's description allows beside CUP, CUF and SGR. */
struct tty_ways {
	bool line_feed; /* LF goes down and keeps the column */
	bool backspace;
	bool back, up, down; /* CUB, CUU, CUD */
	bool column, row;    /* HPA as CHA, VPA */
	bool slide;          /* DCH and ICH */
	bool default_colors; /* SGR 39 and 49 */
};

/* What the terminal shows (or will, once all of it is sent). */
struct tty_grid {
	const struct cell *shown;
	const uint8_t *look_at; /* of each cell, an index of look */
	int w, h;
	const struct tty_look *look;
	struct tty_ways ways;
};

/* Cell (x, y) shows the same when written with that look. */
bool tty_move_may_write(const struct tty_grid *g, int at, int look);

struct tty_way {
	int cost;  /* bytes */
	char v, h; /* how, for tty_move_add */
};

/*
 * From (x0, y0) to (x1, y1), y0 < 0: from anywhere. With the look in force
 * cells between may be written once more, -1: not.
 */
struct tty_way tty_move_plan(const struct tty_grid *g, int x0, int y0, int x1,
			     int y1, int look);
void tty_move_add(struct buf *b, const struct tty_grid *g, struct tty_way way,
		  int x0, int y0, int x1, int y1);

void tty_move_glyph(struct buf *b, const struct cell *cell);

#endif
