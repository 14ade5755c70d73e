/* Bars, trends, stacks and charts out of cells. */
#include "ui/draw/canvas.h"

#include <math.h>
#include <string.h>

static const char *const eighth_across[9] = { " ", "▏", "▎", "▍", "▌",
					      "▋", "▊", "▉", "█" };
static const char eighth_up[9][4] = { " ", "▁", "▂", "▃", "▄",
				      "▅", "▆", "▇", "█" };
static const char ascii_up[] = " .:-=+*#@";
static const char *const quadrant[16] = { " ", "▘", "▝", "▀", "▖", "▌",
					  "▞", "▛", "▗", "▚", "▐", "▜",
					  "▄", "▙", "▟", "█" };

static void
plain_step(struct canvas *c, int x, int y, enum role role, unsigned step,
	   const char *g)
{
	struct cell *cell = canvas_at(c, x, y);

	canvas_step(c, x, y, role, step, g);
	if (cell != NULL)
		cell->plain = 1;
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
	for (int i = 0; i < used; i++) {
		long part = eighths - 8L * i;

		struct cell *cell = canvas_at(c, x + i, y);

		if (part > 8 && i > 0 && x + i > 0 && cell != NULL)
			*cell = cell[-1]; /* as full as the one before */
		else if (c->glyphs == CANVAS_ASCII)
			plain_step(c, x + i, y, role, step,
				   part >= 4 ? "#" : "-");
		else
			plain_step(c, x + i, y, role, step,
				   eighth_across[part > 8 ? 8 : part]);
	}
}

void
canvas_level(struct canvas *c, int x, int y, double share, enum role role,
	     unsigned step)
{
	int up = share >= 1 ? 8 : share > 0 ? (int)(share * 8 + 0.5) : 1;
	struct cell *cell = canvas_at(c, x, y);

	if (cell == NULL)
		return;
	if (up < 1)
		up = 1;
	*cell = (struct cell){
		.role = (uint8_t)role,
		.under = (uint8_t)c->under,
		.step = (uint8_t)(step < ROLE_STEPS ? step : ROLE_STEPS - 1),
		.plain = 1
	};
	if (c->glyphs == CANVAS_ASCII)
		cell->glyph[0] = ascii_up[up];
	else
		memcpy(cell->glyph, eighth_up[up], sizeof cell->glyph);
}

/*
 * All cells of a trend have one look: shades would change in every row on
 * every tick, while a row that only moves costs the terminal 20 bytes.
 */
void
canvas_spark(struct canvas *c, int x, int y, int w, const float *v, unsigned n,
	     double max, enum role role)
{
	if (w <= 0 || !(max > 0))
		return;
	unsigned skip = n > (unsigned)w ? n - (unsigned)w : 0;

	canvas_slides(c, (struct rect){ x, y, w, 1 });
	for (unsigned i = skip; i < n; i++) {
		double value = (double)v[i];

		if (!isnan(value))
			canvas_level(c, x + w - (int)(n - i), y, value / max,
				     role, ROLE_STEPS - 1);
	}
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
dot_braille(struct cell *cell, int px, int py)
{
	unsigned bits = 0;

	if ((unsigned char)cell->glyph[0] == 0xe2 &&
	    ((unsigned char)cell->glyph[1] & 0xfc) == 0xa0)
		bits = ((unsigned char)cell->glyph[1] & 3u) << 6 |
		       ((unsigned char)cell->glyph[2] & 0x3fu);
	bits |= braille_bit[px][py];
	cell->glyph[0] = (char)0xe2;
	cell->glyph[1] = (char)(0xa0 | bits >> 6);
	cell->glyph[2] = (char)(0x80 | (bits & 0x3f));
	cell->glyph[3] = 0;
}

static void
dot_quadrant(struct cell *cell, int px, int py)
{
	unsigned bits = 0;

	for (unsigned i = 1; i < 16; i++)
		if (strncmp(quadrant[i], cell->glyph, sizeof cell->glyph) == 0)
			bits = i;
	bits |= 1u << (py * 2 + px);
	memset(cell->glyph, 0, sizeof cell->glyph);
	memcpy(cell->glyph, quadrant[bits], strlen(quadrant[bits]));
}

void
canvas_dot(struct canvas *c, int sx, int sy, enum role role, char letter)
{
	int per_x, per_y;

	canvas_dots(c, &per_x, &per_y);
	if (sx < 0 || sy < 0)
		return;
	struct cell *cell = canvas_at(c, sx / per_x, sy / per_y);

	if (cell == NULL)
		return;
	cell->role = (uint8_t)role;
	cell->step = ROLE_STEPS - 1;
	cell->plain = 1; /* of one look with the bars of that role */
	if (c->glyphs == CANVAS_ASCII) {
		memset(cell->glyph, 0, sizeof cell->glyph);
		cell->glyph[0] = letter;
	} else if (c->glyphs == CANVAS_BLOCK) {
		dot_quadrant(cell, sx % 2, sy % 2);
	} else {
		dot_braille(cell, sx % 2, sy % 4);
	}
}
