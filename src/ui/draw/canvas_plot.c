#include "ui/draw/canvas.h"

#include <math.h>
#include <string.h>

static const char eighth_across[9][4] = { " ", "▏", "▎", "▍", "▌",
					  "▋", "▊", "▉", "█" };
static const char *const quadrant[16] = { " ", "▘", "▝", "▀", "▖", "▌",
					  "▞", "▛", "▗", "▚", "▐", "▜",
					  "▄", "▙", "▟", "█" };

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

void
canvas_bar(struct canvas *c, int x, int y, int w, double share, enum role role,
	   unsigned step)
{
	if (!(share > 0))
		share = 0;
	if (share > 1)
		share = 1;
	long eighths = lround(share * w * 8);

	if (eighths == 0 && share > 0)
		eighths = 1;
	int used = (int)((eighths + 7) / 8);

	canvas_fill(c, (struct rect){ x + used, y, w - used, 1 }, ROLE_FAINT,
		    "·");
	for (int i = 0; i < used; i++) {
		struct cell *cell = canvas_at(c, x + i, y);
		long part = eighths - 8L * i < 8 ? eighths - 8L * i : 8;

		if (cell == NULL)
			continue;
		*cell = bar_look(c, role, step);
		if (c->glyphs == CANVAS_ASCII)
			cell->glyph[0] = part >= 4 ? '#' : '-';
		else
			memcpy(cell->glyph, eighth_across[part],
			       sizeof cell->glyph);
	}
}

static const char eighth_up[2][9][4] = {
	{ " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" },
	{ " ", ".", ":", "-", "=", "+", "*", "#", "@" },
};

void
canvas_level(struct canvas *c, int x, int y, double share, enum role role,
	     unsigned step)
{
	struct cell *cell = canvas_at(c, x, y);
	int eighths = share >= 1      ? 8
		      : share > 0.125 ? (int)(share * 8 + 0.5)
				      : 1;

	if (cell == NULL)
		return;
	*cell = bar_look(c, role, step);
	memcpy(cell->glyph, eighth_up[c->glyphs == CANVAS_ASCII][eighths],
	       sizeof cell->glyph);
}

/* All cells of a trend have one colour. With a gradient, every cell would
 * change at every interval. */
void
canvas_spark(struct canvas *c, int x, int y, int w, const float *v, unsigned n,
	     double max, enum role role)
{
	for (int i = 0; i < w && (unsigned)i < n && max > 0; i++) {
		double value = (double)v[n - 1 - (unsigned)i];

		if (!isnan(value))
			canvas_level(c, x + w - 1 - i, y, value / max, role,
				     ROLE_STEPS - 1);
	}
}

void
canvas_stack(struct canvas *c, int x, int y, int w, const double *share,
	     const enum role *role, unsigned n)
{
	static const char *const ascii[4] = { "R", "S", "F", "B" };
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
		const char *pct = FIXED(100 * part / sum, 0);
		int room = to - from - canvas_width(pct);

		if (room > 0)
			canvas_text(c, x + from + (room + 1) / 2, y, role[i],
				    pct);
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

/* Dots by column and row: bits of U+2800 + n (Unicode, "Braille Patterns"). */
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

static void
dot_braille(struct cell *cell, unsigned px, unsigned py)
{
	static const char none[4] = "\xe2\xa0\x80";
	int bits = braille_bit[px][py];

	if (cell->glyph[0] != none[0] ||
	    ((unsigned char)cell->glyph[1] & 0xfc) != 0xa0)
		memcpy(cell->glyph, none, sizeof none);
	cell->glyph[1] = (char)(cell->glyph[1] | bits >> 6);
	cell->glyph[2] = (char)(cell->glyph[2] | (bits & 0x3f));
}

void
canvas_stroke(struct canvas *c, int sx, int from, int to, enum role role,
	      char letter)
{
	int per_x, per_y;

	canvas_dots(c, &per_x, &per_y);
	if (sx < 0)
		return;
	for (int y = from > 0 ? from : 0; y <= to; y++) {
		struct cell *cell = canvas_at(c, sx / per_x, y / per_y);
		unsigned px = (unsigned)(sx % per_x);
		unsigned py = (unsigned)(y % per_y);

		if (cell == NULL)
			return;
		if (c->glyphs == CANVAS_BRAILLE)
			dot_braille(cell, px, py);
		else if (c->glyphs == CANVAS_BLOCK)
			dot_quadrant(cell, px, py);
		else
			memcpy(cell->glyph, (const char[4]){ letter }, 4);
		cell->role = (uint8_t)role;
		cell->step = ROLE_STEPS - 1;
		cell->plain = 1;
	}
}
