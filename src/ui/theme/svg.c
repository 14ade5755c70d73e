#include "ui/theme/svg.h"

/* A cell; eighths of it are whole numbers, and letters fit 13.3 high. */
enum { CELL_W = 8, CELL_H = 16, BASELINE = 12, SHOWN_W = 9, SHOWN_H = 18 };

/* What all rows are drawn with. */
struct picture {
	const struct svg_look *look;
	struct theme_table table; /* paints in time */
	uint32_t ground;          /* of the whole */
};

struct look {
	uint32_t fg, bg;
	unsigned attrs;
};

static struct look
look_of(const struct picture *p, const struct cell *cell)
{
	enum role role =
		cell->role == ROLE_NONE ? ROLE_TEXT : (enum role)cell->role;
	struct theme_paint paint =
		theme_table_paint(p->look->theme, &p->table, role,
				  (enum role)cell->under, cell->step);
	struct look l = { paint.fg < 0 ? p->look->ink : (uint32_t)paint.fg,
			  paint.bg < 0 ? p->look->ground : (uint32_t)paint.bg,
			  paint.attrs };

	if (cell->plain)
		l.attrs &= ~(unsigned)THEME_BOLD;
	if ((l.attrs & THEME_REVERSE) != 0) {
		uint32_t fg = l.fg;

		l.fg = l.bg;
		l.bg = fg;
	}
	return l;
}

/* ---- shapes instead of letters ---- */

static uint32_t
code_of(const struct cell *cell)
{
	const unsigned char *g = (const unsigned char *)cell->glyph;

	if (g[0] < 0x80)
		return g[0];
	if ((g[0] & 0xe0) == 0xc0)
		return (g[0] & 0x1fu) << 6 | (g[1] & 0x3fu);
	if ((g[0] & 0xf0) == 0xe0)
		return (g[0] & 0xfu) << 12 | (g[1] & 0x3fu) << 6 |
		       (g[2] & 0x3fu);
	return (g[0] & 7u) << 18 | (g[1] & 0x3fu) << 12 | (g[2] & 0x3fu) << 6 |
	       (g[3] & 0x3fu);
}

enum { ARM_LEFT = 1, ARM_RIGHT = 2, ARM_UP = 4, ARM_DOWN = 8, ARM_HEAVY = 16 };

static unsigned
arms_of(uint32_t code)
{
	static const struct {
		uint16_t code;
		uint8_t arms;
	} line[] = {
		{ 0x2500, ARM_LEFT | ARM_RIGHT },
		{ 0x2501, ARM_LEFT | ARM_RIGHT | ARM_HEAVY },
		{ 0x2502, ARM_UP | ARM_DOWN },
		{ 0x250c, ARM_RIGHT | ARM_DOWN },
		{ 0x2510, ARM_LEFT | ARM_DOWN },
		{ 0x2514, ARM_RIGHT | ARM_UP },
		{ 0x2518, ARM_LEFT | ARM_UP },
		{ 0x251c, ARM_RIGHT | ARM_UP | ARM_DOWN },
		{ 0x2524, ARM_LEFT | ARM_UP | ARM_DOWN },
		{ 0x252c, ARM_LEFT | ARM_RIGHT | ARM_DOWN },
		{ 0x2534, ARM_LEFT | ARM_RIGHT | ARM_UP },
		{ 0x253c, ARM_LEFT | ARM_RIGHT | ARM_UP | ARM_DOWN },
		{ 0x2574, ARM_LEFT },
		{ 0x2575, ARM_UP },
		{ 0x2576, ARM_RIGHT },
		{ 0x2577, ARM_DOWN },
	};

	for (unsigned i = 0; i < sizeof line / sizeof *line; i++)
		if (line[i].code == code)
			return line[i].arms;
	return 0;
}

/* Bits of its quarters: 1 and 2 above, 4 and 8 below. */
static unsigned
quarters_of(uint32_t code)
{
	static const uint8_t of[] = { 4, 8, 1, 13, 9, 7, 11, 2, 6, 14 };

	return code >= 0x2596 && code <= 0x259f ? of[code - 0x2596]
	       : code == 0x2580                 ? 3
	       : code == 0x2590                 ? 10
						: 0;
}

static bool
is_shape(uint32_t code)
{
	return (code >= 0x2581 && code <= 0x258f) ||
	       (code >= 0x2800 && code <= 0x28ff) || quarters_of(code) != 0 ||
	       arms_of(code) != 0;
}

static void
box(FILE *out, int x, int y, int w, int h)
{
	fprintf(out, "M%d %dh%dv%dh-%dz", x, y, w, h, w);
}

static void
draw_arms(FILE *out, int x, int y, unsigned arms)
{
	enum { MIDDLE_X = CELL_W / 2, MIDDLE_Y = CELL_H / 2 };
	int thick = (arms & ARM_HEAVY) != 0 ? 2 : 1;

	if ((arms & ARM_LEFT) != 0)
		box(out, x, y + MIDDLE_Y, MIDDLE_X + 1, thick);
	if ((arms & ARM_RIGHT) != 0)
		box(out, x + MIDDLE_X, y + MIDDLE_Y, CELL_W - MIDDLE_X, thick);
	if ((arms & ARM_UP) != 0)
		box(out, x + MIDDLE_X, y, thick, MIDDLE_Y + 1);
	if ((arms & ARM_DOWN) != 0)
		box(out, x + MIDDLE_X, y + MIDDLE_Y, thick, CELL_H - MIDDLE_Y);
}

/* Unicode 15, "Braille Patterns": bits 0 to 2 and 6 are the left column. */
static void
draw_braille(FILE *out, int x, int y, uint32_t bits)
{
	static const uint8_t bit[2][4] = { { 0x01, 0x02, 0x04, 0x40 },
					   { 0x08, 0x10, 0x20, 0x80 } };

	for (int column = 0; column < 2; column++)
		for (int row = 0; row < 4; row++)
			if ((bits & bit[column][row]) != 0)
				box(out, x + 1 + 4 * column, y + 1 + 4 * row, 2,
				    2);
}

static void
draw_shape(FILE *out, int x, int y, uint32_t code)
{
	unsigned quarters = quarters_of(code), arms = arms_of(code);
	int n;

	if (code >= 0x2800) {
		draw_braille(out, x, y, code & 0xff);
	} else if (arms != 0) {
		draw_arms(out, x, y, arms);
	} else if (quarters != 0) {
		for (int i = 0; i < 4; i++)
			if ((quarters >> i & 1) != 0)
				box(out, x + i % 2 * CELL_W / 2,
				    y + i / 2 * CELL_H / 2, CELL_W / 2,
				    CELL_H / 2);
	} else if (code <= 0x2588) { /* eighths from below */
		n = (int)(code - 0x2580) * CELL_H / 8;
		box(out, x, y + CELL_H - n, CELL_W, n);
	} else { /* and from the left */
		box(out, x, y, (int)(0x2590 - code), CELL_H);
	}
}

/* ---- runs of cells that look alike ---- */

static bool
same_look(const struct look *a, const struct look *b)
{
	return a->fg == b->fg && a->bg == b->bg && a->attrs == b->attrs;
}

static bool
is_blank(const struct cell *cell)
{
	return cell->glyph[0] == ' ' ||
	       (cell->glyph[0] == 0 && !cell_is_rest(cell));
}

/* What XML has words for, and what it cannot have at all. */
static void
put_glyph(FILE *out, const struct cell *cell)
{
	uint32_t code = code_of(cell);

	if (cell_is_rest(cell))
		return;
	if (is_blank(cell))
		fputc(' ', out);
	else if (code == '&')
		fputs("&amp;", out);
	else if (code == '<')
		fputs("&lt;", out);
	else if (code == '>')
		fputs("&gt;", out);
	else if (code < ' ' || code == 0xfffe || code == 0xffff)
		fputc('?', out);
	else
		for (unsigned i = 0; i < sizeof cell->glyph && cell->glyph[i];
		     i++)
			fputc(cell->glyph[i], out);
}

static void
put_attrs(FILE *out, unsigned attrs)
{
	if ((attrs & THEME_BOLD) != 0)
		fputs(" font-weight=\"bold\"", out);
	if ((attrs & THEME_DIM) != 0)
		fputs(" opacity=\"0.6\"", out);
	if ((attrs & THEME_UNDERLINE) != 0)
		fputs(" text-decoration=\"underline\"", out);
}

/* Shapes have their letters too, unseen, for those who copy or search. */
static void
put_run(FILE *out, const struct cell *row, int x, int n, int y,
	const struct look *l, bool shapes)
{
	if (shapes) {
		fprintf(out, "<path fill=\"#%06x\"%s d=\"", l->fg,
			(l->attrs & THEME_DIM) != 0 ? " opacity=\"0.6\"" : "");
		for (int i = x; i < x + n; i++)
			if (!is_blank(&row[i]))
				draw_shape(out, i * CELL_W, y * CELL_H,
					   code_of(&row[i]));
		fputs("\"/>", out);
	}
	fprintf(out, "<text x=\"%d\" y=\"%d\" textLength=\"%d\"", x * CELL_W,
		y * CELL_H + BASELINE, n * CELL_W);
	if (shapes)
		fputs(" fill=\"none\"", out);
	else
		fprintf(out, " fill=\"#%06x\"", l->fg);
	put_attrs(out, l->attrs);
	fputs(">", out);
	for (int i = x; i < x + n; i++)
		put_glyph(out, &row[i]);
	fputs("</text>\n", out);
}

/* A wide letter is a run of its own, since few letters are as wide as it. */
static int
run_end(const struct cell *row, int x, int to)
{
	bool shapes = is_shape(code_of(&row[x]));
	int end = x;

	if (x + 1 < to && cell_is_rest(&row[x + 1]))
		return x + 2;
	while (end < to &&
	       (is_blank(&row[end]) ||
		is_shape(code_of(&row[end])) == shapes) &&
	       !(end + 1 < to && cell_is_rest(&row[end + 1])))
		end++;
	return end;
}

/* Letters that are underlined keep their blanks; others begin and end them. */
static void
put_text(FILE *out, const struct cell *row, int from, int to, int y,
	 const struct look *l)
{
	bool lined = (l->attrs & THEME_UNDERLINE) != 0;

	for (int x = from; x < to;) {
		bool shapes = is_shape(code_of(&row[x]));
		int end, last;

		if (is_blank(&row[x]) && !lined) {
			x++;
			continue;
		}
		end = run_end(row, x, to);
		for (last = end; !lined && is_blank(&row[last - 1]);)
			last--;
		put_run(out, row, x, last - x, y, l, shapes);
		x = end;
	}
}

/* One for all cells of a colour side by side: no seams between them. */
static void
put_grounds(FILE *out, const struct canvas *c, const struct picture *p, int y)
{
	const struct cell *row = &c->cell[y * c->w];

	for (int x = 0, end; x < c->w; x = end) {
		uint32_t bg = look_of(p, &row[x]).bg;

		for (end = x + 1; end < c->w; end++)
			if (look_of(p, &row[end]).bg != bg)
				break;
		if (bg != p->ground)
			fprintf(out,
				"<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n",
				x * CELL_W, y * CELL_H, (end - x) * CELL_W,
				CELL_H, bg);
	}
}

static void
put_row(FILE *out, const struct canvas *c, const struct picture *p, int y)
{
	const struct cell *row = &c->cell[y * c->w];

	for (int x = 0, end; x < c->w; x = end) {
		struct look l = look_of(p, &row[x]);

		for (end = x + 1; end < c->w; end++) {
			struct look next = look_of(p, &row[end]);

			if (!same_look(&l, &next))
				break;
		}
		put_text(out, row, x, end, y, &l);
	}
}

void
svg_write(const struct canvas *c, const struct svg_look *look, FILE *out)
{
	const struct theme_color *own = &look->theme->style[ROLE_NONE].bg;
	bool paints = own->set && look->depth != THEME_MONO;
	struct picture p = { .look = look,
			     .ground = paints ? own->rgb : look->ground };

	theme_table_make(look->theme, look->depth, &p.table);

	fprintf(out,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" font-size=\"13.3\" xml:space=\"preserve\">\n"
		"<title>ktop</title>\n"
		"<rect width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n",
		c->w * SHOWN_W, c->h * SHOWN_H, c->w * CELL_W, c->h * CELL_H,
		c->w * CELL_W, c->h * CELL_H, p.ground);
	for (int y = 0; y < c->h; y++) {
		put_grounds(out, c, &p, y);
		put_row(out, c, &p, y);
	}
	fputs("</svg>\n", out);
}
