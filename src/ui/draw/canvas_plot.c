/* Bars, trends, stacks and charts out of cells. */
#include "ui/draw/canvas.h"

#include <math.h>
#include <string.h>

static const char eighth_across[9][4] = { " ", "▏", "▎", "▍", "▌",
					  "▋", "▊", "▉", "█" };
static const char *const quadrant[16] = { " ", "▘", "▝", "▀", "▖", "▌",
					  "▞", "▛", "▗", "▚", "▐", "▜",
					  "▄", "▙", "▟", "█" };

/* Bars of one role look alike: never bold. */
static struct cell
bar_look(const struct canvas *c, enum role role, unsigned step)
{
	return (struct cell){
		.role = (uint8_t)role,
		.under = (uint8_t)c->under,
		.step = (uint8_t)(step < ROLE_STEPS ? step : ROLE_STEPS - 1),
		.plain = 1
	};
}

static struct cell
bar_part(const struct canvas *c, struct cell look, long eighths)
{
	if (c->glyphs == CANVAS_ASCII)
		look.glyph[0] = eighths >= 4 ? '#' : '-';
	else
		memcpy(look.glyph, eighth_across[eighths], sizeof look.glyph);
	return look;
}

void
canvas_bar(struct canvas *c, int x, int y, int w, double share, enum role role,
	   unsigned step)
{
	if (!(share > 0))
		share = 0;
	if (share > 1)
		share = 1;
	long eighths = lround(share * w * 8);

	/* Something is not nothing: the thinnest bar is one eighth. */
	if (eighths == 0 && share > 0)
		eighths = 1;
	int used = (int)((eighths + 7) / 8);

	canvas_fill(c, (struct rect){ x + used, y, w - used, 1 }, ROLE_FAINT,
		    "·");
	const struct cell look = bar_look(c, role, step);
	const struct cell full = bar_part(c, look, 8);
	uint64_t word = cell_word(&full);

	for (int i = 0; i < used; i++) {
		struct cell *cell = canvas_at(c, x + i, y);
		long part = eighths - 8L * i;

		if (cell == NULL)
			continue;
		if (part >= 8)
			cell_set_word(cell, word);
		else
			*cell = bar_part(c, look, part);
	}
}

/* The eighths that stand for it; never none. */
static inline unsigned
eighths_of(double share)
{
	if (share >= 1)
		return 8;
	/* Below 0 as well. */
	return share >= 0.1875 ? (unsigned)(int)(share * 8 + 0.5) : 1;
}

/* The eighths up as cells that have no look yet. */
static const struct cell level_cell[2][9] = {
	{ { .glyph = " " },
	  { .glyph = "▁" },
	  { .glyph = "▂" },
	  { .glyph = "▃" },
	  { .glyph = "▄" },
	  { .glyph = "▅" },
	  { .glyph = "▆" },
	  { .glyph = "▇" },
	  { .glyph = "█" } },
	{ { .glyph = " " },
	  { .glyph = "." },
	  { .glyph = ":" },
	  { .glyph = "-" },
	  { .glyph = "=" },
	  { .glyph = "+" },
	  { .glyph = "*" },
	  { .glyph = "#" },
	  { .glyph = "@" } },
};

void
canvas_level(struct canvas *c, int x, int y, double share, enum role role,
	     unsigned step)
{
	struct cell *cell = canvas_at(c, x, y);
	const struct cell *up = level_cell[c->glyphs == CANVAS_ASCII];

	if (cell == NULL)
		return;
	*cell = bar_look(c, role, step);
	memcpy(cell->glyph, up[eighths_of(share)].glyph, sizeof cell->glyph);
}

/*
 * All cells of a trend have one look: shades would change in every row on
 * every tick, while a row that only moves costs the terminal 20 bytes.
 */
static void
level_words(const struct canvas *c, enum role role, uint64_t word[9])
{
	const struct cell look = bar_look(c, role, ROLE_STEPS - 1);
	const struct cell *cell = level_cell[c->glyphs == CANVAS_ASCII];
	const uint64_t all = cell_word(&look);

	for (unsigned i = 0; i < 9; i++)
		word[i] = all | cell_word(&cell[i]);
}

/*
 * The first cell of a trend's n newest values that is in the window, and how
 * many are, of which the first `skip` are not. NULL: none.
 */
static struct cell *
spark_cells(struct canvas *c, int x, int y, int w, unsigned *n, unsigned *skip)
{
	struct cell *row = canvas_at(c, 0, y);

	if (w <= 0 || x + w <= 0 || row == NULL)
		return NULL;
	*skip = *n > (unsigned)w ? *n - (unsigned)w : 0;
	int at = x + w - (int)(*n - *skip), end = x + w;

	if (at < 0) {
		*skip += (unsigned)-at;
		at = 0;
	}
	if (end > c->window.w)
		end = c->window.w;
	*n = end > at ? (unsigned)(end - at) : 0;
	return row + at;
}

void
canvas_spark(struct canvas *c, int x, int y, int w, const float *v, unsigned n,
	     double max, enum role role)
{
	unsigned skip;
	struct cell *cell = max > 0 ? spark_cells(c, x, y, w, &n, &skip) : NULL;
	uint64_t word[9];

	if (cell == NULL)
		return;
	level_words(c, role, word);
	v += skip;
	for (const float *end = v + n; v < end; v++, cell++)
		if (!isnan(*v))
			cell_set_word(cell, word[eighths_of((double)*v / max)]);
}

static void
stack_label(struct canvas *c, int x, int y, int w, enum role role, double pct)
{
	char text[16];
	struct buf b = buf_over(text, sizeof text);

	buf_fixed(&b, pct, 0);
	buf_cstr(&b);
	int need = canvas_width(text);

	if (need < w)
		canvas_text(c, x + (w - need) / 2, y, role, text);
}

void
canvas_stack(struct canvas *c, int x, int y, int w, const double *share,
	     const enum role *role, unsigned n)
{
	static const char *const ascii[4] = { "U", "X", "D", "P" };
	double sum = 0, before = 0;

	for (unsigned i = 0; i < n; i++)
		if (share[i] > 0)
			sum += share[i];
	if (!(sum > 0))
		return;
	for (unsigned i = 0; i < n; i++) {
		double part = share[i] > 0 ? share[i] : 0;
		int from = (int)lround(before / sum * w);

		before += part;
		int to = (int)lround(before / sum * w);

		for (int at = from; at < to; at++)
			canvas_put(c, x + at, y, role[i],
				   c->letters || c->glyphs == CANVAS_ASCII
					   ? ascii[i & 3]
					   : " ");
		stack_label(c, x + from, y, to - from, role[i],
			    100 * part / sum);
	}
}

void
canvas_dots(const struct canvas *c, int *per_x, int *per_y)
{
	*per_x = c->glyphs == CANVAS_ASCII ? 1 : 2;
	*per_y = c->glyphs == CANVAS_ASCII   ? 1
		 : c->glyphs == CANVAS_BLOCK ? 2
					     : 4;
}

/* Bits of U+2800 + n by column and row; Unicode 15, "Braille Patterns". */
static const uint8_t braille_bit[2][4] = { { 0x01, 0x02, 0x04, 0x40 },
					   { 0x08, 0x10, 0x20, 0x80 } };

static void
dot_quadrant(struct cell *cell, unsigned px, unsigned py)
{
	unsigned bits = 0;

	for (unsigned i = 1; i < 16; i++)
		if (strncmp(quadrant[i], cell->glyph, sizeof cell->glyph) == 0)
			bits = i;
	bits |= 1u << (py * 2 + px);
	memset(cell->glyph, 0, sizeof cell->glyph);
	memcpy(cell->glyph, quadrant[bits], strlen(quadrant[bits]));
}

static struct cell *
dot_cell(struct canvas *c, int x, int y, enum role role)
{
	struct cell *cell = canvas_at(c, x, y);

	if (cell == NULL)
		return NULL;
	cell->role = (uint8_t)role;
	cell->step = ROLE_STEPS - 1;
	cell->plain = 1; /* of one look with the bars of that role */
	return cell;
}

/* The dots of a cell; `under` stays as it is. */
static inline void
braille_add(struct cell *cell, int bits, enum role role)
{
	static const char none[4] = "\xe2\xa0\x80";

	if (cell->glyph[0] != none[0] ||
	    ((unsigned char)cell->glyph[1] & 0xfc) != 0xa0)
		memcpy(cell->glyph, none, sizeof none);
	cell->glyph[1] = (char)(cell->glyph[1] | bits >> 6);
	cell->glyph[2] = (char)(cell->glyph[2] | (bits & 0x3f));
	cell->role = (uint8_t)role;
	cell->step = ROLE_STEPS - 1;
	cell->plain = 1; /* of one look with the bars of that role */
}

/* A cell at a time: most of a chart is this. */
static void
stroke_braille(struct canvas *c, int sx, int from, int to, enum role role)
{
	enum { ROWS = 4 };
	int last = c->window.h * ROWS - 1;
	const uint8_t *bit = braille_bit[sx & 1];
	unsigned y = from > 0 ? (unsigned)from : 0;
	unsigned end = (unsigned)((to < last ? to : last) + 1);
	struct cell *cell = canvas_at(c, sx / 2, (int)(y / ROWS));

	for (; cell != NULL && y < end; cell += c->w) {
		int bits = bit[y % ROWS];

		while (++y < end && y % ROWS != 0)
			bits |= bit[y % ROWS];
		braille_add(cell, bits, role);
	}
}

/* Apart, so that the other, which is most, need not save registers. */
static void __attribute__((noinline))
stroke_few(struct canvas *c, int sx, int from, int to, enum role role,
	   char letter)
{
	unsigned x = (unsigned)sx, y = (unsigned)(from < 0 ? 0 : from);
	struct cell *cell;

	for (; (int)y <= to; y++)
		if (c->glyphs == CANVAS_BLOCK) {
			cell = dot_cell(c, (int)(x / 2), (int)(y / 2), role);
			if (cell != NULL)
				dot_quadrant(cell, x % 2, y % 2);
		} else {
			cell = dot_cell(c, sx, (int)y, role);
			if (cell != NULL)
				memcpy(cell->glyph, (const char[4]){ letter },
				       4);
		}
}

void
canvas_stroke(struct canvas *c, int sx, int from, int to, enum role role,
	      char letter)
{
	if (sx < 0 || to < 0)
		return;
	if (c->glyphs == CANVAS_BRAILLE)
		stroke_braille(c, sx, from, to, role);
	else
		stroke_few(c, sx, from, to, role, letter);
}
