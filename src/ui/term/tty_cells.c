#include "ui/term/tty_cells.h"

#include "base/buf.h"

#include <string.h>

enum {
	RUN_MOST = 24 + TTY_PEN_MOST, /* a move and a look */
	SLIDE_MOST = RUN_MOST + 24,
	NONE = -1,
	/* More runs than this go row by row: a whole screen, mostly. */
	TOUR_MOST = 2000,
	WINDOW = 48 /* runs looked at for the next one */
};

/* Where the terminal's cursor and pen are while bytes are added. */
struct pen {
	const struct tty_grid *g;
	struct buf b;
	int x, y; /* y < 0: anywhere */
	int look;
};

static void
pen_look(struct pen *p, int look)
{
	if (look == p->look)
		return;
	tty_pen_change(&p->b, &p->g->look[p->look], &p->g->look[look],
		       p->g->ways.default_colors);
	p->look = look;
}

static void
pen_move(struct pen *p, int x, int y, bool cover)
{
	struct tty_way way =
		tty_move_plan(p->g, p->x, p->y, x, y, cover ? p->look : NONE);

	tty_move_add(&p->b, p->g, way, p->x, p->y, x, y);
	p->x = x;
	p->y = y;
}

static void
pen_write(struct pen *p, int cells)
{
	for (int i = 0; i < cells; i++)
		tty_move_glyph(&p->b, &p->g->shown[p->y * p->g->w + p->x + i]);
	p->x += cells;
	/* Behind the last column the cursor may wait: nobody knows where. */
	if (p->x >= p->g->w)
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
	int runs = 0, solid = NONE;
	bool blank = false;

	for (int i = 0; i < n; i++) {
		struct tty_change next = change[i];
		struct tty_change *run = &change[runs - (runs > 0)];

		if (runs > 0 && next.y == run->y &&
		    (next.x == run->x + run->cells ||
		     (!blank && bridge(g, run, &next))) &&
		    join_look(g, run, &blank, &next)) {
			run->cells++;
			continue;
		}
		solid = runs == 0 ? NONE : solid_look(g, run, blank, solid);
		blank = is_blank(g, &next);
		next.cells = 1;
		change[runs++] = next;
	}
	if (runs > 0)
		(void)solid_look(g, &change[runs - 1], blank, solid);
	return runs;
}

static void
add_run(struct pen *p, const struct tty_change *run)
{
	pen_move(p, run->x, run->y, true);
	pen_write(p, run->cells);
}

/* Runs by look, in rising order; those of the look in hand as columns. */
struct tour {
	struct tty_change *run;
	int head[TTY_LOOKS], tail[TTY_LOOKS];
	int looks[TTY_LOOKS], nlooks;    /* in the order they come */
	int first;                       /* head of the first column left */
	int16_t end_at[CANVAS_MAX_SIDE]; /* the column that ends before x */
};

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
 * The run above this one from whose end it is a few bytes down and back; NONE
 * when there is none.
 */
static int
run_above(const struct tour *t, const struct tty_change *run, int w)
{
	enum { BACK = 4, MOST = 5 };
	int best = NONE, least = MOST + 1;

	for (int back = 0; back <= BACK && run->x + back < w; back++) {
		int above = t->end_at[run->x + back];
		int down = above != NONE ? run->y - t->run[above].y : 0;
		int cost = back + (down < 4 ? down : 4);

		if (down > 0 && cost < least) {
			least = cost;
			best = above;
		}
	}
	return best;
}

/* Links the runs of a look to columns, which are then told by their heads. */
static void
make_columns(struct tour *t, int look, int w)
{
	int16_t *link = NULL;

	memset(t->end_at, 0xff, (size_t)w * sizeof *t->end_at);
	t->first = NONE;
	for (int i = t->head[look], next; i != NONE; i = next) {
		struct tty_change *run = &t->run[i];
		int above = run_above(t, run, w), end = run->x + run->cells;

		next = run->next;
		run->next = run->link = NONE;
		run->head = (int16_t)i;
		if (above != NONE) {
			t->end_at[t->run[above].x + t->run[above].cells] = NONE;
			t->run[above].next = (int16_t)i;
			run->head = t->run[above].head;
		} else if (link == NULL) {
			t->first = i;
			link = &run->link;
		} else {
			*link = (int16_t)i;
			link = &run->link;
		}
		if (end < w)
			t->end_at[end] = (int16_t)i;
	}
}

/* No way from the pen to there takes fewer bytes: most runs are far away. */
static int
at_least(const struct pen *p, const struct tty_change *run)
{
	int down = run->y - p->y, right = run->x - p->x;
	int cost = down < 0 ? 3 : down < 4 ? down : 4;

	return cost + (right == 0   ? 0
		       : right > 0  ? 1
		       : right > -4 ? -right
				    : 4);
}

/* The column before the one nearest to the pen; NONE: before the first. */
static int
nearest(const struct tour *t, const struct pen *p)
{
	int before = NONE, best = NONE, least = 1 << 20;

	if (p->y < 0)
		return NONE; /* none is nearer than another */
	for (int i = t->first, k = 0; i != NONE && k < WINDOW && least > 2;
	     before = i, i = t->run[i].link, k++) {
		const struct tty_change *run = &t->run[i];

		if (at_least(p, run) >= least)
			continue;
		int cost =
			tty_move_plan(p->g, p->x, p->y, run->x, run->y, p->look)
				.cost;

		if (cost < least) {
			least = cost;
			best = before;
		}
	}
	return best;
}

static void
tour_look(struct tour *t, struct pen *p, int look)
{
	pen_look(p, look);
	make_columns(t, look, p->g->w);
	while (t->first != NONE) {
		int before = nearest(t, p);
		int now = before == NONE ? t->first : t->run[before].link;

		if (before == NONE)
			t->first = t->run[now].link;
		else
			t->run[before].link = t->run[now].link;
		for (; now != NONE; now = t->run[now].next)
			add_run(p, &t->run[now]);
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
	size_t most = (size_t)n * 4 + (size_t)runs * RUN_MOST +
		      (size_t)nslides * SLIDE_MOST + TTY_PEN_MOST +
		      sizeof *ends;
	struct tour t;

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
