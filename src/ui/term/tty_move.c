#include "ui/term/tty_move.h"

/* How: absolute, nothing, by single bytes, by a count, to a number, again. */
enum {
	ABSOLUTE = 'a',
	STAY = 0,
	SINGLE = '1',
	COUNT = 'n',
	TO = 't',
	COVER = 'c'
};

enum { FAR = 100 /* no way: more than any absolute move */ };

static int
digits(int v)
{
	return v < 10 ? 1 : v < 100 ? 2 : v < 1000 ? 3 : 4;
}

/* n at once: by single bytes, or as "ESC [ n X", where 1 is left out. */
static uint8_t
step_cost(int n, bool singly, bool counted)
{
	int cost = n == 0 ? 0 : counted ? 3 + (n > 1) * digits(n) : FAR;

	return (uint8_t)(singly && n < cost ? n : cost);
}

void
tty_steps_make(struct tty_steps *s, const struct tty_ways *w)
{
	s->row = w->row ? 3 : FAR;
	s->column = w->column ? 3 : FAR;
	for (int n = 0; n < TTY_STEPS; n++) {
		int there = TTY_STEPS + n, back = TTY_STEPS - n;

		s->digits[n] = (uint8_t)digits(n + 1);
		/* "ESC [ y ; x H" but for y; the first column is left out. */
		s->home[n] = (uint8_t)(n > 0 ? 4 + digits(n + 1) : 3);
		s->down[back] = step_cost(n, false, w->up);
		s->down[there] = step_cost(n, w->line_feed, w->down);
		s->across[back] = step_cost(n, w->backspace, w->back);
		s->across[there] = step_cost(n, false, true);
		s->across_least[back] = s->across[back];
		s->across_least[there] = step_cost(n, true, true);
	}
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

	for (int at = y * g->w + x0; x0 < x1; x0++, at++) {
		if (!tty_move_may_write(g, at, look))
			return FAR;
		cost += glyph_bytes(&g->shown[at]);
	}
	return cost;
}

static int
plan_down(const struct tty_grid *g, int y0, int y1, char *how)
{
	const struct tty_steps *s = g->steps;
	int n = y1 - y0, by = s->down[n + TTY_STEPS];
	int to = s->row + s->digits[y1];

	if (n == 0)
		*how = STAY;
	else if (to < by)
		*how = TO;
	else
		*how = n == by && g->ways.line_feed ? SINGLE : COUNT;
	return to < by ? to : by;
}

static int
plan_across(const struct tty_grid *g, int y, int x0, int x1, int look,
	    char *how)
{
	const struct tty_steps *s = g->steps;
	int n = x1 - x0, by = s->across[n + TTY_STEPS];
	int to = s->column + s->digits[x1], best = to < by ? to : by;

	if (n == 0)
		*how = STAY;
	else if (to < by)
		*how = TO;
	else
		*how = -n == by && g->ways.backspace ? SINGLE : COUNT;
	/* A cell takes a byte at least. */
	if (n <= 0 || n > best || look < 0)
		return best;
	int cover = cover_cost(g, y, x0, x1, look);

	if (cover > best)
		return best;
	*how = COVER;
	return cover;
}

struct tty_way
tty_move_plan(const struct tty_grid *g, int x0, int y0, int x1, int y1,
	      int look)
{
	const struct tty_steps *s = g->steps;
	struct tty_way way = { .cost = s->home[x1] + s->digits[y1],
			       .v = ABSOLUTE };
	char v, h;

	if (y0 < 0)
		return way;
	int cost = plan_down(g, y0, y1, &v);

	if (cost >= way.cost)
		return way;
	cost += plan_across(g, y1, x0, x1, look, &h);
	return cost < way.cost ? (struct tty_way){ cost, v, h } : way;
}

static char *
put_number(char *to, int n)
{
	if (n >= 1000)
		*to++ = (char)('0' + n / 1000 % 10);
	if (n >= 100)
		*to++ = (char)('0' + n / 100 % 10);
	if (n >= 10)
		*to++ = (char)('0' + n / 10 % 10);
	*to++ = (char)('0' + n % 10);
	return to;
}

/* "ESC [ n X", where 1 is left out. */
static char *
put_sequence(char *to, int n, char end)
{
	*to++ = '\033';
	*to++ = '[';
	if (n != 1)
		to = put_number(to, n);
	*to++ = end;
	return to;
}

static char *
put_singles(char *to, int n, char c)
{
	while (n-- > 0)
		*to++ = c;
	return to;
}

static char *
put_absolute(char *to, int x, int y)
{
	*to++ = '\033';
	*to++ = '[';
	to = put_number(to, y + 1);
	if (x > 0) {
		*to++ = ';';
		to = put_number(to, x + 1);
	}
	*to++ = 'H';
	return to;
}

static char *
put_down(char *to, char how, int y0, int y1)
{
	if (how == SINGLE)
		return put_singles(to, y1 - y0, '\n');
	if (how == TO)
		return put_sequence(to, y1 + 1, 'd');
	return y1 > y0 ? put_sequence(to, y1 - y0, 'B')
		       : put_sequence(to, y0 - y1, 'A');
}

static char *
put_across(char *to, char how, int x0, int x1)
{
	if (how == SINGLE)
		return put_singles(to, x0 - x1, '\b');
	if (how == TO)
		return put_sequence(to, x1 + 1, 'G');
	return x1 > x0 ? put_sequence(to, x1 - x0, 'C')
		       : put_sequence(to, x0 - x1, 'D');
}

void
tty_move_add(struct buf *b, const struct tty_grid *g, struct tty_way way,
	     int x0, int y0, int x1, int y1)
{
	char *to = b->at + b->len;

	if (b->size - b->len < TTY_MOVE_MOST) {
		b->full = true;
		return;
	}
	if (way.v == ABSOLUTE)
		to = put_absolute(to, x1, y1);
	else if (way.v != STAY)
		to = put_down(to, way.v, y0, y1);
	if (way.v != ABSOLUTE && way.h != STAY && way.h != COVER)
		to = put_across(to, way.h, x0, x1);
	b->len = (size_t)(to - b->at);
	for (int x = x0; way.v != ABSOLUTE && way.h == COVER && x < x1; x++)
		tty_move_glyph(b, &g->shown[y1 * g->w + x]);
}
