/* What roles come to on this terminal, and which cells look different. */
#include "ui/term/term_tty.h"

#include <curses.h>
#include <string.h>

/* The pair of these colours; when all are used, one with that background. */
static short
pair_of(struct tty *t, int fg, int bg)
{
	int same = 0;

	if (fg < 0 && bg < 0)
		return 0;
	for (int i = 1; i <= t->npairs; i++) {
		if (t->pair[i].fg == fg && t->pair[i].bg == bg)
			return (short)i;
		if (t->pair[i].bg == bg && same == 0)
			same = i;
	}
	if (t->npairs >= t->pairs_max)
		return (short)same;
	if (init_pair((short)(t->npairs + 1), (short)fg, (short)bg) == ERR)
		return (short)same;
	t->pair[++t->npairs] = (struct pair){ fg, bg };
	return (short)t->npairs;
}

/* Eight colours and bold stand for sixteen. */
static int
color_index(struct tty *t, int color, attr_t *attrs)
{
	if (color < 0)
		return -1;
	if (t->depth == THEME_TRUE)
		return tty_line_slot(&t->line, (uint32_t)color);
	if (t->depth == THEME_16 && COLORS < 16 && color > 7) {
		if (attrs != NULL)
			*attrs |= A_BOLD;
		return color - 8;
	}
	return color;
}

/*
 * None of eight colours is grey: bold black is black on many terminals. What
 * is grey is half bright then, and a grey ground is blue.
 */
static void
without_grey(struct theme_paint *p, attr_t *attrs)
{
	enum { BLUE = 4, GREY = 8 };

	if (p->bg == GREY)
		p->bg = BLUE;
	if (p->fg != GREY || p->bg >= 0)
		return;
	p->fg = -1;
	*attrs |= A_DIM;
}

const char *
term_capability(const char *name)
{
	const char *s = tigetstr((char *)(uintptr_t)name);

	return s == (const char *)-1 ? NULL : s;
}

static void
color_params(const struct tty *t, const char *name, int color, char *out)
{
	const char *s = term_capability(name);
	struct buf b = buf_over(out, TTY_COLOR_SIZE);

	out[0] = 0;
	if (color < 0 || s == NULL)
		return;
	if (t->depth != THEME_TRUE) {
		(void)tty_pen_params(tparm((char *)(uintptr_t)s, (long)color,
					   0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L),
				     out, TTY_COLOR_SIZE);
		return;
	}
	uint32_t rgb = t->line.slot[color - TTY_SLOT_FIRST];

	buf_str(&b, strcmp(name, "setaf") == 0 ? "38;2;" : "48;2;");
	for (int shift = 16; shift >= 0; shift -= 8) {
		buf_u64(&b, rgb >> shift & 255);
		if (shift > 0)
			buf_char(&b, ';');
	}
	buf_cstr(&b);
}

/* clang-format off */
static const struct {
	attr_t bit;
	int ncv; /* its bit in "no colour video" */
	const char *name;
} attr_row[] = {
	{ A_UNDERLINE, 2, "smul" },
	{ A_REVERSE, 4, "rev" },
	{ A_DIM, 16, "dim" },
	{ A_BOLD, 32, "bold" },
};
/* clang-format on */

enum { ATTRS = sizeof attr_row / sizeof *attr_row };

static void
attr_params(const struct tty_look *l, char *out)
{
	static const char ncv_name[] = "ncv";
	int ncv = tigetnum((char *)(uintptr_t)ncv_name);
	struct buf b = buf_over(out, TTY_ATTR_SIZE);
	char one[TTY_ATTR_SIZE];

	for (unsigned i = 0; i < ATTRS; i++) {
		const char *s = term_capability(attr_row[i].name);

		if ((l->attrs & attr_row[i].bit) == 0 ||
		    (l->pair > 0 && ncv > 0 && (ncv & attr_row[i].ncv) != 0) ||
		    !tty_pen_params(s, one, sizeof one))
			continue;
		if (b.len > 0)
			buf_char(&b, ';');
		buf_str(&b, one);
	}
	buf_cstr(&b);
}

/* Blanks show a background, and what is under or over a character. */
static int
look_ground(const struct tty *t, const struct tty_look *l)
{
	const unsigned shows = A_UNDERLINE | A_REVERSE;

	if ((l->attrs & shows) != 0)
		return -1;
	for (int i = 0; i < t->nlooks; i++)
		if (t->look[i].ground >= 0 && strcmp(t->look[i].bg, l->bg) == 0)
			return i;
	return t->nlooks;
}

static int
look_of(struct tty *t, short pair, attr_t attrs)
{
	for (int i = 0; i < t->nlooks; i++)
		if (t->look[i].pair == pair && t->look[i].attrs == attrs)
			return i;
	if (t->nlooks == TTY_LOOKS)
		return 0; /* more than any theme has roles */
	struct tty_look *l = &t->look[t->nlooks];

	*l = (struct tty_look){ .pair = pair, .attrs = (unsigned)attrs };
	if (pair > 0) {
		color_params(t, "setaf", t->pair[pair].fg, l->fg);
		color_params(t, "setab", t->pair[pair].bg, l->bg);
	}
	attr_params(l, l->attr);
	l->ground = look_ground(t, l);
	return t->nlooks++;
}

void
term_looks_reset(struct tty *t)
{
	t->look[0] = (struct tty_look){ .pair = 0 };
	t->nlooks = 1;
	t->npairs = 0;
	t->line.nslots = 0;
	for (unsigned i = 0; i < LOOK_MEMO; i++)
		t->memo[i].look = -1;
	t->pens = (struct tty_pens){ .at = { { 0 } } };
}

static bool
is_exactly(const char *name, const char *text)
{
	const char *s = term_capability(name);

	return s != NULL && strcmp(s, text) == 0;
}

/* Besides resetting attributes it may leave the alternate characters. */
static bool
resets_plainly(const char *s)
{
	if (s != NULL && strncmp(s, "\033(B", 3) == 0)
		s += 3;
	return s != NULL &&
	       (strcmp(s, "\033[m") == 0 || strcmp(s, "\033[0m") == 0 ||
		strcmp(s, "\033[m\017") == 0 || strcmp(s, "\033[m\033(B") == 0);
}

static bool
colors_plainly(const char *name)
{
	const char *s = term_capability(name);
	char params[TTY_COLOR_SIZE];

	return s == NULL || tty_pen_params(tparm((char *)(uintptr_t)s, 1L, 0L,
						 0L, 0L, 0L, 0L, 0L, 0L, 0L),
					   params, sizeof params);
}

bool
term_speaks_plainly(struct tty *t)
{
	static const char wraps[] = "am", waits[] = "xenl";
	struct tty_ways *w = &t->ways;
	char params[TTY_ATTR_SIZE];

	if (!is_exactly("cup", "\033[%i%p1%d;%p2%dH") ||
	    !is_exactly("cuf", "\033[%p1%dC") ||
	    !resets_plainly(term_capability("sgr0")) ||
	    !colors_plainly("setaf") || !colors_plainly("setab") ||
	    (tigetflag((char *)(uintptr_t)wraps) == 1 &&
	     tigetflag((char *)(uintptr_t)waits) != 1))
		return false;
	for (unsigned i = 0; i < ATTRS; i++) {
		const char *s = term_capability(attr_row[i].name);

		if (s != NULL && !tty_pen_params(s, params, sizeof params))
			return false;
	}
	w->line_feed = is_exactly("cud1", "\n");
	w->backspace = is_exactly("cub1", "\b");
	w->back = is_exactly("cub", "\033[%p1%dD");
	w->up = is_exactly("cuu", "\033[%p1%dA");
	w->down = is_exactly("cud", "\033[%p1%dB");
	w->column = is_exactly("hpa", "\033[%i%p1%dG");
	w->row = is_exactly("vpa", "\033[%i%p1%dd");
	w->slide = is_exactly("dch1", "\033[P") &&
		   is_exactly("ich", "\033[%p1%d@");
	w->default_colors = is_exactly("op", "\033[39;49m");
	tty_steps_make(&t->steps, w);
	return true;
}

/* As an index of t->look, which grows. */
static int
look_made(struct tty *t, const struct theme *theme, const struct cell *cell)
{
	/* Blanks between numbers keep their look: colours do not switch back
	 * and forth. */
	enum role role =
		cell->role == ROLE_NONE ? ROLE_TEXT : (enum role)cell->role;
	struct theme_paint p = theme_table_paint(
		theme, &t->table, role, (enum role)cell->under, cell->step);
	attr_t attrs = A_NORMAL;

	attrs |= (p.attrs & THEME_BOLD) != 0 && cell->plain == 0 ? A_BOLD : 0;
	attrs |= (p.attrs & THEME_DIM) != 0 ? A_DIM : 0;
	attrs |= (p.attrs & THEME_UNDERLINE) != 0 ? A_UNDERLINE : 0;
	attrs |= (p.attrs & THEME_REVERSE) != 0 ? A_REVERSE : 0;
	if (t->depth == THEME_16 && COLORS < 16)
		without_grey(&p, &attrs);
	int fg = color_index(t, p.fg, &attrs), bg = color_index(t, p.bg, NULL);

	return look_of(t, t->depth == THEME_MONO ? 0 : pair_of(t, fg, bg),
		       attrs);
}

/* All of a cell but the glyph. */
static uint32_t
cell_paint(const struct cell *c)
{
	return (uint32_t)c->role | (uint32_t)c->under << 8 |
	       (uint32_t)c->step << 16 | (uint32_t)c->plain << 24;
}

/* One that is new, or whose place was taken by another. */
static int
look_remember(struct tty *t, const struct theme *theme, const struct cell *cell,
	      struct look_memo *memo)
{
	memo->look = (int16_t)look_made(t, theme, cell);
	memo->of = cell_paint(cell);
	return memo->look;
}

/*
 * What the cell looks like, as an index of t->look; most are like one of a few
 * others.
 */
static inline int
term_look(struct tty *t, const struct theme *theme, const struct cell *cell)
{
	uint32_t of = cell_paint(cell);
	struct look_memo *memo =
		&t->memo[(of * 0x9e3779b1u) >> 26 & (LOOK_MEMO - 1)];

	if (memo->look >= 0 && memo->of == of)
		return memo->look;
	return look_remember(t, theme, cell, memo);
}

bool
tty_colors(const struct tty *t)
{
	return t->depth != THEME_MONO;
}

/* what differs between the canvas and what the terminal shows */

/* Bytes, about: to get to a cell, and to move part of a row. */
enum { COST_MOVE = 4, COST_SLIDE = 20 };

static inline bool
same_cell(const struct cell *a, const struct cell *b)
{
	return cell_word(a) == cell_word(b);
}

/* The first cell from x on that is another one; w where there is none. */
static inline int
next_change(const struct cell *now, const struct cell *old, int x, int w)
{
	ptrdiff_t i = x;

	/* Four in one turn: all cells of the screen are looked at. */
	for (const ptrdiff_t four = (ptrdiff_t)w - 4; i <= four; i += 4) {
		if (!same_cell(&now[i], &old[i]))
			return (int)i;
		if (!same_cell(&now[i + 1], &old[i + 1]))
			return (int)i + 1;
		if (!same_cell(&now[i + 2], &old[i + 2]))
			return (int)i + 2;
		if (!same_cell(&now[i + 3], &old[i + 3]))
			return (int)i + 3;
	}
	while (i < w && same_cell(&now[i], &old[i]))
		i++;
	return (int)i;
}

static bool
is_blank(const struct cell *c)
{
	return c->glyph[0] == ' ';
}

/* A cell that is another one now: does it show the same in this look? */
static inline bool
shows_same(const struct tty *t, const struct cell *now, int look,
	   const struct cell *old, int old_look)
{
	const struct tty_look *of = t->look;

	/* Most are of another glyph: that is asked first. */
	if (memcmp(now->glyph, old->glyph, sizeof now->glyph) != 0)
		return false;
	if (look == old_look)
		return true;
	return is_blank(now) && of[look].ground >= 0 &&
	       of[look].ground == of[old_look].ground;
}

static int
glyph_cost(const struct cell *c)
{
	return (unsigned char)c->glyph[0] < 0x80 ? 1 : 3;
}

/*
 * To make the w cells at `at` show `now` when they show what is `by` further;
 * beyond `most` it is not counted on.
 */
static int
row_cost(struct tty *t, const struct theme *theme, const struct cell *now,
	 int at, int w, int by, int most)
{
	const struct cell *old = &t->shown[at + by];
	int cost = 0, last = -2;

	w -= by;
	for (int i = 0; cost <= most && (i = next_change(now, old, i, w)) < w;
	     i++) {
		/* Roles may differ where the colours do not. */
		if (shows_same(t, &now[i], term_look(t, theme, &now[i]),
			       &old[i], t->look_at[at + i + by]))
			continue;
		cost += glyph_cost(&now[i]) + (last == i - 1 ? 0 : COST_MOVE);
		last = i;
	}
	return cost;
}

/* Is it cheaper to move the w cells of a row than to send what differs? */
static bool
row_slides(struct tty *t, const struct theme *theme, const struct cell *now,
	   int at, int w)
{
	enum { ANY = 1 << 30 };
	const size_t most = (size_t)(w - 1) * sizeof *now;

	/* A new cell alone at the end, as in most: that is sent. */
	if (memcmp(now, &t->shown[at], most) == 0)
		return false;
	/* Moved, it shows all but that one: does the rest cost more? */
	if (memcmp(now, &t->shown[at + 1], most) == 0)
		return row_cost(t, theme, now, at, w, 0, COST_SLIDE) >
		       COST_SLIDE;
	int spare = row_cost(t, theme, now, at, w, 0, ANY) - COST_SLIDE;

	return spare > 0 &&
	       row_cost(t, theme, now, at, w, 1, spare - 1) < spare;
}

static void
slide_row(struct tty *t, const struct theme *theme, const struct cell *now,
	  int at, int w)
{
	size_t n = (size_t)w - 1;

	memmove(&t->shown[at], &t->shown[at + 1], n * sizeof *t->shown);
	memmove(&t->look_at[at], &t->look_at[at + 1], n);
	t->shown[at + w - 1] = now[w - 1];
	t->look_at[at + w - 1] = (uint8_t)term_look(t, theme, &now[w - 1]);
}

/*
 * May a part of that row be moved? Terminals differ in what they make of wide
 * letters then, and half of one is none.
 */
static bool
row_may_slide(const struct tty *t, const struct canvas *c, int y)
{
	const struct cell *now = &c->cell[y * c->w];
	const struct cell *old = &t->shown[y * t->shown_w];

	if (!c->wide && !t->wide)
		return true;
	for (int x = 0; x < t->shown_w && x < c->w; x++)
		if (cell_is_rest(&now[x]) || cell_is_rest(&old[x]))
			return false;
	return true;
}

int
term_slides(struct tty *t, const struct canvas *c, const struct theme *theme)
{
	int n = 0;

	for (unsigned i = 0; i < c->nslides; i++) {
		const struct rect *r = &c->slide[i];

		/* Behind the last column the cursor would wait. */
		if (r->x + r->w >= t->shown_w)
			continue;
		for (int y = r->y; y < r->y + r->h && y < t->shown_h; y++) {
			const struct cell *now = &c->cell[y * c->w + r->x];
			int at = y * t->shown_w + r->x;

			if (n == SLIDES_MAX ||
			    !row_slides(t, theme, now, at, r->w) ||
			    !row_may_slide(t, c, y))
				continue;
			slide_row(t, theme, now, at, r->w);
			t->slide[n++] = (struct tty_slide){
				.y = y, .x = r->x, .last = r->x + r->w - 1
			};
		}
	}
	return n;
}

/*
 * The changes of a row behind those that are there; returns their end. Both
 * cells of a wide letter are sent, or none (`wide`: there may be some). Cells
 * of a change look alike, and all are blank or none.
 */
static struct tty_change *
row_changes(struct tty *t, const struct theme *theme, const struct cell *row,
	    int y, int w, bool wide, struct tty_change *to)
{
	struct cell *const old = &t->shown[y * t->shown_w];
	uint8_t *const look_at = &t->look_at[y * t->shown_w];
	int end = -1, look = -1; /* behind the last change, and of it */
	bool blank = false;

	for (int x = 0; (x = next_change(row, old, x, w)) < w; x++) {
		int its = term_look(t, theme, &row[x]);
		bool same = shows_same(t, &row[x], its, &old[x], look_at[x]);

		cell_set_word(&old[x], cell_word(&row[x]));
		look_at[x] = (uint8_t)its;
		if (same)
			continue;
		if (x == end && its == look && is_blank(&row[x]) == blank) {
			to[-1].cells++;
		} else {
			look = its;
			blank = is_blank(&row[x]);
			*to++ = (struct tty_change){ .y = (int16_t)y,
						     .x = (int16_t)x,
						     .look = (int16_t)its,
						     .cells = 1 };
		}
		if (wide && x + 1 < w && cell_is_rest(&row[x + 1])) {
			x++;
			old[x] = row[x];
			look_at[x] = (uint8_t)its;
			to[-1].cells++;
		}
		end = x + 1;
	}
	return to;
}

int
term_changes(struct tty *t, const struct canvas *c, const struct theme *theme)
{
	int w = c->w < t->shown_w ? c->w : t->shown_w;
	int h = c->h < t->shown_h ? c->h : t->shown_h;
	struct tty_change *to = t->change;

	for (int y = 0; y < h; y++) {
		const struct cell *row = &c->cell[y * c->w];

		if (memcmp(row, &t->shown[y * t->shown_w],
			   (size_t)w * sizeof *row) != 0)
			to = row_changes(t, theme, row, y, w, c->wide, to);
	}
	t->wide = c->wide;
	return (int)(to - t->change);
}
