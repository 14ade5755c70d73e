/* The shortest way of the cursor from one cell to another. */
#ifndef UI_TERM_TTY_MOVE_H
#define UI_TERM_TTY_MOVE_H

#include "ui/term/tty_cells.h"

enum { TTY_MOVE_MOST = 32 /* bytes of one */, TTY_NO_LOOK = -1 };

struct tty_way {
	int cost;  /* bytes */
	char v, h; /* how, for tty_move_add */
};

/* What moves from one cell cost, looked up by the rows and columns to go to. */
struct tty_from {
	const struct tty_steps *steps;
	const uint8_t *down, *across;
	/* Of the row in hand: there, and the digits of its number. */
	int to_row, row_digits;
};

static inline void
tty_move_from(struct tty_from *f, const struct tty_steps *s, int x, int y)
{
	f->steps = s;
	f->down = s->down + TTY_STEPS - y;
	f->across = s->across_least + TTY_STEPS - x;
}

static inline void
tty_move_row(struct tty_from *f, int y)
{
	int digits = f->steps->digits[y], to = f->steps->row + digits;

	f->row_digits = digits;
	f->to_row = f->down[y] < to ? f->down[y] : to;
}

/*
 * May there be a way to column x of that row that takes less than `cost` bytes?
 * What is exact only where no cell between may be written once more.
 */
static inline bool
tty_move_below(const struct tty_from *f, int x, int cost)
{
	const struct tty_steps *s = f->steps;
	int across = cost - f->to_row;

	return f->across[x] < across || s->column + s->digits[x] < across ||
	       s->home[x] < cost - f->row_digits;
}

/*
 * From (x0, y0) to (x1, y1), y0 < 0: from anywhere. With the look in force
 * cells between may be written once more, TTY_NO_LOOK: not.
 */
struct tty_way tty_move_plan(const struct tty_grid *g, int x0, int y0, int x1,
			     int y1, int look);

void tty_move_add(struct buf *b, const struct tty_grid *g, struct tty_way way,
		  int x0, int y0, int x1, int y1);

/* Cell `at` of the grid shows the same when written with that look. */
static inline bool
tty_move_may_write(const struct tty_grid *g, int at, int look)
{
	const struct cell *cell = &g->shown[at];
	int own = g->look_at[at];

	if (cell->glyph[0] == 0)
		return false;
	return own == look ||
	       (cell->glyph[0] == ' ' && g->look[own].ground >= 0 &&
		g->look[own].ground == g->look[look].ground);
}

static inline void
tty_move_glyph(struct buf *b, const struct cell *cell)
{
	/* None is of the rest of a wide letter. */
	unsigned n = cell->glyph[0] != 0;

	while (n > 0 && n < sizeof cell->glyph && cell->glyph[n] != 0)
		n++;
	if (b->size - b->len < sizeof cell->glyph) {
		buf_bytes(b, cell->glyph, n);
		return;
	}
	/* All of it, of which what follows takes its place again. */
	memcpy(b->at + b->len, cell->glyph, sizeof cell->glyph);
	b->len += n;
}

#endif
