/* Bars, trends, stacks and charts out of cells. */
#include "ui/canvas.h"

#include <math.h>
#include <string.h>

static const char *const eighth_across[9] = { " ", "▏", "▎", "▍", "▌",
					      "▋", "▊", "▉", "█" };
static const char *const eighth_up[9] = { " ", "▁", "▂", "▃", "▄",
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
	for (int i = 0; i < w; i++) {
		long part = eighths - 8L * i;

		if (part <= 0)
			canvas_put(c, x + i, y, ROLE_FAINT, "·");
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
	long up = lround(share * 8);

	if (up < 1)
		up = 1;
	if (up > 8)
		up = 8;
	if (c->glyphs == CANVAS_ASCII) {
		char g[2] = { ascii_up[up], 0 };

		plain_step(c, x, y, role, step, g);
	} else {
		plain_step(c, x, y, role, step, eighth_up[up]);
	}
}

/*
 * Cells of a trend share few shades: each change of colour within a row costs
 * some 20 bytes to the terminal, on every tick.
 */
enum { SPARK_SHADES = 4 };

void
canvas_spark(struct canvas *c, int x, int y, int w, const float *v, unsigned n,
	     double max, enum role role)
{
	if (w <= 0 || !(max > 0))
		return;
	unsigned skip = n > (unsigned)w ? n - (unsigned)w : 0;

	for (unsigned i = skip; i < n; i++) {
		int at = w - (int)(n - i); /* cell, and its age as a shade */
		int shade = at * SPARK_SHADES / w;
		double value = (double)v[i];

		if (isnan(value))
			continue;
		canvas_level(c, x + at, y, value / max, role,
			     (unsigned)(shade * (ROLE_STEPS - 1) /
					(SPARK_SHADES - 1)));
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
				   c->glyphs == CANVAS_ASCII ? ascii[i & 3]
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
	if (c->glyphs == CANVAS_ASCII) {
		memset(cell->glyph, 0, sizeof cell->glyph);
		cell->glyph[0] = letter;
	} else if (c->glyphs == CANVAS_BLOCK) {
		dot_quadrant(cell, sx % 2, sy % 2);
	} else {
		dot_braille(cell, sx % 2, sy % 4);
	}
}
