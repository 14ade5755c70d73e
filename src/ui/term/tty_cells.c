#include "ui/term/tty_cells.h"

#include "base/buf.h"
#include "ui/term/tty_move.h"

#include <stdlib.h>
#include <string.h>

static void
param(struct buf *b, bool *any, const char *text)
{
	if (text[0] == 0)
		return;
	if (*any)
		buf_char(b, ';');
	buf_str(b, text);
	*any = true;
}

/* A colour that is to be `to`; false when that takes a reset. */
static bool
recolor(struct buf *b, bool *any, const char *from, const char *to,
	const char *own)
{
	if (strcmp(from, to) == 0)
		return true;
	if (to[0] == 0 && own == NULL)
		return false;
	param(b, any, to[0] != 0 ? to : own);
	return true;
}

/* Without a reset: only when nothing has to be switched off. */
static bool
change_kept(struct buf *b, const struct tty_look *from,
	    const struct tty_look *to, bool defaults)
{
	bool any = false;

	if (strcmp(from->attr, to->attr) != 0) {
		if (from->attr[0] != 0)
			return false;
		param(b, &any, to->attr);
	}
	return recolor(b, &any, from->fg, to->fg, defaults ? "39" : NULL) &&
	       recolor(b, &any, from->bg, to->bg, defaults ? "49" : NULL);
}

void
tty_pen_change(struct buf *b, const struct tty_look *from,
	       const struct tty_look *to, bool defaults)
{
	char kept_text[TTY_PEN_MOST], reset_text[TTY_PEN_MOST];
	struct buf kept = buf_over(kept_text, sizeof kept_text);
	struct buf reset = buf_over(reset_text, sizeof reset_text);
	bool can = change_kept(&kept, from, to, defaults), any = true;

	if (can && kept.len == 0)
		return;
	/* Nothing at all means 0 as well. */
	if (to->attr[0] != 0 || to->fg[0] != 0 || to->bg[0] != 0)
		buf_char(&reset, '0');
	param(&reset, &any, to->attr);
	param(&reset, &any, to->fg);
	param(&reset, &any, to->bg);
	buf_str(b, "\033[");
	if (can && kept.len <= reset.len)
		buf_bytes(b, kept.at, kept.len);
	else
		buf_bytes(b, reset.at, reset.len);
	buf_char(b, 'm');
}

bool
tty_pen_params(const char *sequence, char *out, unsigned size)
{
	size_t n = sequence != NULL ? strlen(sequence) : 0;

	out[0] = 0;
	if (n < 4 || n - 3 >= size || strncmp(sequence, "\033[", 2) != 0 ||
	    sequence[n - 1] != 'm' ||
	    strspn(sequence + 2, "0123456789;:") != n - 3)
		return false;
	memcpy(out, sequence + 2, n - 3);
	out[n - 3] = 0;
	return true;
}

enum {
	RUN_MOST = TTY_MOVE_MOST + TTY_PEN_MOST, /* a move and a look */
	SLIDE_MOST = RUN_MOST + TTY_MOVE_MOST,
	NONE = TTY_NO_LOOK, /* no look, no run */
	/* More runs than this go row by row: a whole screen, mostly. */
	TOUR_MOST = 2000,
	WINDOW = 24 /* runs looked at for the next one */
};

/* Where the terminal's cursor and pen are while bytes are added. */
struct pen {
	const struct tty_grid *g;
	struct buf b;
	int x, y; /* y < 0: anywhere */
	int look;
};

/* From a look to another; most changes were made on the frame before. */
static const struct tty_pen *
pen_change(const struct tty_grid *g, int from, int to)
{
	struct tty_pen *pen =
		&g->pens->at[(unsigned)(from * 37 + to) & (TTY_PENS - 1)];

	if (pen->from == from && pen->to == to)
		return pen;
	struct buf b = buf_over(pen->text, sizeof pen->text);

	tty_pen_change(&b, &g->look[from], &g->look[to],
		       g->ways.default_colors);
	pen->from = (int16_t)from;
	pen->to = (int16_t)to;
	pen->len = (uint8_t)b.len;
	return pen;
}

static void
pen_look(struct pen *p, int look)
{
	if (look == p->look)
		return;
	const struct tty_pen *pen = pen_change(p->g, p->look, look);

	buf_bytes(&p->b, pen->text, pen->len);
	p->look = look;
}

static void
pen_go(struct pen *p, struct tty_way way, int x, int y)
{
	tty_move_add(&p->b, p->g, way, p->x, p->y, x, y);
	p->x = x;
	p->y = y;
}

static void
pen_move(struct pen *p, int x, int y, bool cover)
{
	pen_go(p, tty_move_plan(p->g, p->x, p->y, x, y, cover ? p->look : NONE),
	       x, y);
}

/*
 * From a number to one below it: what tty_move_plan comes to there, most of all
 * moves. False: any other.
 */
static inline bool
pen_below(struct pen *p, int x, int y)
{
	enum { MOST = 4 }; /* as long as "ESC [ 4 B" and "ESC [ 4 D" */
	const struct tty_steps *steps = p->g->steps;
	int back = p->x - x, down = y - p->y;

	if (p->y < 0 || down < 1 || down > MOST || back < 0 || back > MOST ||
	    !p->g->ways.line_feed || !p->g->ways.backspace ||
	    down + back >= steps->home[x] + steps->digits[y] ||
	    p->b.size - p->b.len < 2 * MOST)
		return false;
	char *to = p->b.at + p->b.len;

	/* As many as may be, of which what follows takes its place again. */
	memcpy(to, "\n\n\n\n", MOST);
	memcpy(to + down, "\b\b\b\b", MOST);
	p->b.len += (size_t)(down + back);
	p->x = x;
	p->y = y;
	return true;
}

/* The bytes of a cell's glyph, the first one lowest. */
static inline uint32_t
glyph_word(const struct cell *cell)
{
	const unsigned char *g = (const unsigned char *)cell->glyph;

	return (uint32_t)g[0] | (uint32_t)g[1] << 8 | (uint32_t)g[2] << 16 |
	       (uint32_t)g[3] << 24;
}

/* The cells' glyphs, for which there is room; was there a wide letter's rest?
 */
static inline bool
put_glyphs(struct buf *b, const struct cell *cell, int cells)
{
	enum { BYTE = 8, TOP = 31 };
	char *to = b->at + b->len;
	bool wide = false;

	for (const struct cell *end = cell + cells; cell < end; cell++) {
		uint32_t glyph = glyph_word(cell);

		/* All of it, of which what follows takes its place again. */
		memcpy(to, cell->glyph, sizeof cell->glyph);
		if (glyph < 1u << BYTE) /* most are */
			to++;
		else if ((unsigned char)glyph != 0)
			to += 1 + (TOP - __builtin_clz(glyph)) / BYTE;
		else /* none is of the rest of a wide letter */
			wide = true;
	}
	b->len = (size_t)(to - b->at);
	return wide;
}

static inline void
pen_write(struct pen *p, int cells)
{
	const struct cell *cell = &p->g->shown[p->y * p->g->w + p->x];

	if (p->b.size - p->b.len < (size_t)cells * sizeof cell->glyph) {
		p->b.full = true;
		return;
	}
	bool wide = put_glyphs(&p->b, cell, cells);

	p->x += cells;
	/*
	 * Behind the last column the cursor may wait: nobody knows where. Nor
	 * how wide an odd terminal takes a wide letter for.
	 */
	if (p->x >= p->g->w || wide)
		p->y = -1;
}

static void
add_slides(struct pen *p, const struct tty_slide *slide, int n)
{
	/* The looks of the new cells, each once. */
	for (int i = 0; i < n; i++) {
		int look = p->g->look_at[slide[i].y * p->g->w + slide[i].last];
		bool before = false;

		for (int j = 0; j < i && !before; j++)
			before = p->g->look_at[slide[j].y * p->g->w +
					       slide[j].last] == look;
		if (before)
			continue;
		pen_look(p, look);
		for (int j = i; j < n; j++) {
			const struct tty_slide *s = &slide[j];

			if (p->g->look_at[s->y * p->g->w + s->last] != look)
				continue;
			pen_move(p, s->x, s->y, false);
			buf_str(&p->b, "\033[P");
			pen_move(p, s->last, s->y, false);
			buf_str(&p->b, "\033[@");
			pen_write(p, 1);
		}
	}
}

static bool
is_blank(const struct tty_grid *g, const struct tty_change *c)
{
	return g->shown[c->y * g->w + c->x].glyph[0] == ' ' &&
	       g->look[c->look].ground >= 0;
}

/* Do cells of both go with one pen? Which is then that of the other one. */
static bool
join_look(const struct tty_grid *g, struct tty_change *run, bool *blank,
	  const struct tty_change *next)
{
	bool next_blank = is_blank(g, next);
	int a = g->look[run->look].ground, b = g->look[next->look].ground;

	if (run->look != next->look &&
	    !((*blank || next_blank) && a >= 0 && a == b))
		return false;
	if (*blank && !next_blank)
		run->look = next->look;
	*blank = *blank && next_blank;
	return true;
}

/* Blanks take part in the look before them where it shows them alike. */
static int
solid_look(const struct tty_grid *g, struct tty_change *run, bool blank,
	   int solid)
{
	if (!blank)
		return run->look;
	if (solid != NONE && g->look[solid].ground == g->look[run->look].ground)
		run->look = (int16_t)solid;
	return solid;
}

/* May the cells between them be written once more, for less than a move? */
static bool
bridge(const struct tty_grid *g, struct tty_change *run,
       const struct tty_change *next)
{
	enum { BRIDGE = 2 };
	int from = run->x + run->cells;

	if (next->look != run->look || next->x > from + BRIDGE)
		return false;
	for (int x = from; x < next->x; x++)
		if ((unsigned char)g->shown[run->y * g->w + x].glyph[0] >=
			    0x80 ||
		    !tty_move_may_write(g, run->y * g->w + x, run->look))
			return false;
	run->cells = (int16_t)(next->x - run->x);
	return true;
}

/* Neighbours of one look become one; returns how many runs there are. */
static int
make_runs(const struct tty_grid *g, struct tty_change *change, int n)
{
	int runs = 0, solid = NONE, end = 0; /* of the run, behind it */
	struct tty_change *run = change;
	bool blank = false;

	for (int i = 0; i < n; i++) {
		const struct tty_change *next = &change[i];
		bool row = runs > 0 && next->y == run->y;
		bool touches = row && next->x == end;
		int16_t cells = next->cells;

		end = next->x + cells;
		if (touches && next->look == run->look) {
			blank = blank && is_blank(g, next);
			run->cells = (int16_t)(run->cells + cells);
			continue;
		}
		if (row && (touches || (!blank && bridge(g, run, next))) &&
		    join_look(g, run, &blank, next)) {
			run->cells = (int16_t)(run->cells + cells);
			continue;
		}
		solid = runs == 0 ? NONE : solid_look(g, run, blank, solid);
		blank = is_blank(g, next);
		run = &change[runs++];
		*run = *next;
	}
	if (runs > 0)
		(void)solid_look(g, run, blank, solid);
	return runs;
}

static void
add_run(struct pen *p, const struct tty_change *run)
{
	if (!pen_below(p, run->x, run->y))
		pen_move(p, run->x, run->y, true);
	pen_write(p, run->cells);
}

/* Runs by look, in rising order; those of the look in hand as columns. */
struct tour {
	struct tty_change *run;
	int head[TTY_LOOKS], tail[TTY_LOOKS];
	int looks[TTY_LOOKS], nlooks; /* in the order they come */
	/* The run that ends before x, below its row (END_ROW); NONE. */
	int32_t end_at[CANVAS_MAX_SIDE];
	struct column {
		int16_t x, y, run; /* its first */
	} column[TOUR_MOST];
};

enum { END_ROW = 16, END_RUN = (1 << END_ROW) - 1 };

static void
tour_make(struct tour *t, struct tty_change *run, int n)
{
	memset(t->head, 0xff, sizeof t->head); /* NONE */
	t->run = run;
	t->nlooks = 0;
	for (int i = 0; i < n; i++) {
		int look = run[i].look;

		run[i].next = NONE;
		if (t->head[look] == NONE) {
			t->head[look] = i;
			t->looks[t->nlooks++] = look;
		} else {
			run[t->tail[look]].next = (int16_t)i;
		}
		t->tail[look] = i;
	}
}

/*
 * Where in end_at the run above this one is from whose end it is a few bytes
 * down and back; NONE when there is none.
 */
static inline int
end_above(const struct tour *t, int x, int y, int w)
{
	enum { BACK = 4, MOST = 5 };
	int best = NONE, least = MOST + 1;
	int stop = x + BACK < w ? x + BACK : w - 1;

	for (int at = x; at <= stop && at - x + 1 < least; at++) {
		int32_t above = t->end_at[at];

		if (above < 0 || above >> END_ROW >= y)
			continue;
		int down = y - (above >> END_ROW);
		int cost = at - x + (down < 4 ? down : 4);

		if (cost < least) {
			least = cost;
			best = at;
		}
	}
	return best;
}

/* Links the runs of a look to columns; returns how many. */
static int
make_columns(struct tour *t, int look, int w)
{
	struct tty_change *const all = t->run;
	struct column *column = t->column;

	/* A canvas ends there, however wide the terminal is. */
	if (w > CANVAS_MAX_SIDE)
		w = CANVAS_MAX_SIDE;
	memset(t->end_at, 0xff, (size_t)w * sizeof *t->end_at);
	for (int i = t->head[look], next; i != NONE; i = next) {
		struct tty_change *run = &all[i];
		int x = run->x, y = run->y, end = x + run->cells;
		int above = end_above(t, x, y, w);

		next = run->next;
		run->next = NONE;
		if (above != NONE) {
			all[t->end_at[above] & END_RUN].next = (int16_t)i;
			t->end_at[above] = NONE;
		} else {
			*column++ =
				(struct column){ run->x, run->y, (int16_t)i };
		}
		if (end < w)
			t->end_at[end] = y << END_ROW | i;
	}
	return (int)(column - t->column);
}

/* Of n columns the one nearest to the pen, and the way there. */
static int
nearest(const struct column *column, int n, const struct pen *p,
	struct tty_way *way)
{
	const int x = p->x, y = p->y, look = p->look;
	int best = 0, row = column->y;
	struct tty_way least = tty_move_plan(p->g, x, y, column->x, row, look);
	struct tty_from from;

	*way = least;
	if (y < 0) /* none is nearer than another */
		return 0;
	if (n > WINDOW)
		n = WINDOW;
	tty_move_from(&from, p->g->steps, x, y);
	tty_move_row(&from, row);
	for (int i = 1; i < n && least.cost > 2; i++) {
		if (column[i].y != row)
			tty_move_row(&from, row = column[i].y);
		if (!tty_move_below(&from, column[i].x, least.cost))
			continue;
		struct tty_way its =
			tty_move_plan(p->g, x, y, column[i].x, row, look);

		if (its.cost < least.cost) {
			best = i;
			least = its;
		}
	}
	*way = least;
	return best;
}

/* A column from its first run on. */
static void
tour_column(const struct tour *t, struct pen *p, int now, struct tty_way way)
{
	pen_go(p, way, t->run[now].x, t->run[now].y);
	pen_write(p, t->run[now].cells);
	while ((now = t->run[now].next) != NONE)
		add_run(p, &t->run[now]);
}

static void
tour_look(struct tour *t, struct pen *p, int look)
{
	pen_look(p, look);
	struct column *column = t->column;

	for (int n = make_columns(t, look, p->g->w); n > 0; n--, column++) {
		struct tty_way way;
		int pick = nearest(column, n, p, &way);
		int now = column[pick].run;

		/* Those before it are the first of the rest. */
		memmove(column + 1, column, (size_t)pick * sizeof *column);
		tour_column(t, p, now, way);
	}
}

/* On to a look that needs no reset, or at least keeps the background. */
static int
next_look(const struct tour *t, const struct pen *p, int done)
{
	const struct tty_look *from = &p->g->look[p->look];
	int pick = done, least = 4;

	for (int i = done; i < t->nlooks; i++) {
		const struct tty_look *to = &p->g->look[t->looks[i]];
		int cost = (from->attrs != to->attrs ? 2 : 0) +
			   (from->ground != to->ground ? 1 : 0);

		if (cost < least) {
			least = cost;
			pick = i;
		}
	}
	return pick;
}

static void
tour_go(struct tour *t, struct pen *p)
{
	for (int done = 0; done < t->nlooks; done++) {
		int pick = next_look(t, p, done), look = t->looks[pick];

		memmove(&t->looks[done + 1], &t->looks[done],
			(size_t)(pick - done) * sizeof *t->looks);
		t->looks[done] = look;
		tour_look(t, p, look);
	}
}

bool
tty_cells_add(struct tty_bytes *out, const struct tty_grid *g,
	      const struct tty_slide *slide, int nslides,
	      struct tty_change *change, int n, const struct tty_ends *ends)
{
	int runs = make_runs(g, change, n);
	size_t most =
		(size_t)nslides * SLIDE_MOST + TTY_PEN_MOST + sizeof *ends;
	struct tour t;

	for (int i = 0; i < runs; i++)
		most += (size_t)change[i].cells * sizeof g->shown->glyph +
			RUN_MOST;

	if (n == 0 && nslides == 0)
		return true;
	if (!tty_bytes_reserve(out, most))
		return false;
	struct pen p = { .g = g,
			 .b = buf_over(out->at + out->len,
				       out->size - out->len),
			 .y = -1 };

	add_slides(&p, slide, nslides);
	if (runs <= TOUR_MOST) {
		tour_make(&t, change, runs);
		tour_go(&t, &p);
	} else {
		for (int i = 0; i < runs; i++) {
			pen_look(&p, change[i].look);
			add_run(&p, &change[i]);
		}
	}
	pen_look(&p, 0);
	buf_str(&p.b, ends->after);
	out->len += p.b.len;
	return !p.b.full;
}
