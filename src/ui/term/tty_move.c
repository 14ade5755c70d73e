#include "ui/term/tty_move.h"

#include <stdlib.h>

/* How: absolute, nothing, by single bytes, by a count, to a number, again. */
enum {
	ABSOLUTE = 'a',
	STAY = 0,
	SINGLE = '1',
	COUNT = 'n',
	TO = 't',
	COVER = 'c'
};

enum { FAR = 1 << 20, COVER_MOST = 6 };

static int
digits(int v)
{
	return v < 10 ? 1 : v < 100 ? 2 : v < 1000 ? 3 : 4;
}

/* "ESC [ n X", where 1 is left out. */
static int
count_cost(int n)
{
	return n == 1 ? 3 : 3 + digits(n);
}

static int
absolute_cost(int x, int y)
{
	return 4 + digits(y + 1) + (x > 0 ? digits(x + 1) : -1);
}

bool
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

static int
glyph_bytes(const struct cell *cell)
{
	int n = 1;

	while (n < 4 && cell->glyph[n] != 0)
		n++;
	return n;
}

/* Bytes to write the cells from x0 up to x1 again. */
static int
cover_cost(const struct tty_grid *g, int y, int x0, int x1, int look)
{
	int cost = 0;

	if (look < 0 || x1 - x0 > COVER_MOST)
		return FAR;
	for (int at = y * g->w + x0; x0 < x1; x0++, at++) {
		if (!tty_move_may_write(g, at, look))
			return FAR;
		cost += glyph_bytes(&g->shown[at]);
	}
	return cost;
}

static void
take(int cost, char how, int *best, char *which)
{
	if (cost < *best) {
		*best = cost;
		*which = how;
	}
}

static int
plan_down(const struct tty_grid *g, int y0, int y1, char *how)
{
	int n = y1 - y0, best = FAR;

	*how = STAY;
	if (n == 0)
		return 0;
	if (n > 0 && g->ways.line_feed)
		take(n, SINGLE, &best, how);
	if (n > 0 ? g->ways.down : g->ways.up)
		take(count_cost(abs(n)), COUNT, &best, how);
	if (g->ways.row)
		take(3 + digits(y1 + 1), TO, &best, how);
	return best;
}

static int
plan_across(const struct tty_grid *g, int y, int x0, int x1, int look,
	    char *how)
{
	int n = x1 - x0, best = FAR;

	*how = STAY;
	if (n == 0)
		return 0;
	if (n > 0) {
		take(cover_cost(g, y, x0, x1, look), COVER, &best, how);
		take(count_cost(n), COUNT, &best, how);
	} else {
		if (g->ways.backspace)
			take(-n, SINGLE, &best, how);
		if (g->ways.back)
			take(count_cost(-n), COUNT, &best, how);
	}
	if (g->ways.column)
		take(3 + digits(x1 + 1), TO, &best, how);
	return best;
}

struct tty_way
tty_move_plan(const struct tty_grid *g, int x0, int y0, int x1, int y1,
	      int look)
{
	struct tty_way way = { .cost = absolute_cost(x1, y1), .v = ABSOLUTE };
	char v, h;

	if (y0 < 0)
		return way;
	int cost = plan_down(g, y0, y1, &v);

	if (cost >= way.cost)
		return way;
	cost += plan_across(g, y1, x0, x1, look, &h);
	return cost < way.cost ? (struct tty_way){ cost, v, h } : way;
}

static void
sequence(struct buf *b, int n, char end)
{
	buf_str(b, "\033[");
	if (n != 1)
		buf_u64(b, (uint64_t)n);
	buf_char(b, end);
}

static void
singles(struct buf *b, int n, char c)
{
	while (n-- > 0)
		buf_char(b, c);
}

static void
add_absolute(struct buf *b, int x, int y)
{
	buf_str(b, "\033[");
	buf_u64(b, (uint64_t)y + 1);
	if (x > 0) {
		buf_char(b, ';');
		buf_u64(b, (uint64_t)x + 1);
	}
	buf_char(b, 'H');
}

void
tty_move_glyph(struct buf *b, const struct cell *cell)
{
	buf_bytes(b, cell->glyph, (size_t)glyph_bytes(cell));
}

void
tty_move_add(struct buf *b, const struct tty_grid *g, struct tty_way way,
	     int x0, int y0, int x1, int y1)
{
	if (way.v == ABSOLUTE) {
		add_absolute(b, x1, y1);
		return;
	}
	if (way.v == SINGLE)
		singles(b, y1 - y0, '\n');
	else if (way.v == COUNT)
		sequence(b, abs(y1 - y0), y1 > y0 ? 'B' : 'A');
	else if (way.v == TO)
		sequence(b, y1 + 1, 'd');
	if (way.h == SINGLE)
		singles(b, x0 - x1, '\b');
	else if (way.h == COUNT)
		sequence(b, abs(x1 - x0), x1 > x0 ? 'C' : 'D');
	else if (way.h == TO)
		sequence(b, x1 + 1, 'G');
	else if (way.h == COVER)
		for (int x = x0; x < x1; x++)
			tty_move_glyph(b, &g->shown[y1 * g->w + x]);
}
