#include "ui/draw/canvas.h"

#include "base/cells.h"
#include "base/utf8.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ASCII replacements for terminals without UTF-8. */
static const struct {
	const char *sign;
	char ascii;
} twin[] = {
	{ "─", '-' }, { "│", '|' }, { "┌", '+' }, { "┐", '+' }, { "└", '+' },
	{ "┘", '+' }, { "╶", '-' }, { "╴", '-' }, { "·", '.' }, { "■", '#' },
	{ "━", '=' }, { "Σ", 'S' }, { "←", '<' }, { "→", '>' }, { "↑", '^' },
	{ "↓", 'v' }, { "▸", '>' }, { "×", 'x' },
};

struct canvas *
canvas_new(enum canvas_glyphs glyphs, struct err *e)
{
	struct canvas *c = calloc(1, sizeof *c);

	if (c == NULL) {
		err_set(e, ERR_FAIL, "screen: out of memory");
		return NULL;
	}
	c->glyphs = glyphs;
	return c;
}

void
canvas_free(struct canvas *c)
{
	if (c == NULL)
		return;
	free(c->cell);
	free(c);
}

static int
clamp_int(int v, int low, int high)
{
	return v < low ? low : v > high ? high : v;
}

static struct rect
cut_to(struct rect r, int w, int h)
{
	int x = clamp_int(r.x, 0, w), y = clamp_int(r.y, 0, h);

	return (struct rect){ x, y, clamp_int(r.x + r.w, x, w) - x,
			      clamp_int(r.y + r.h, y, h) - y };
}

bool
canvas_resize(struct canvas *c, int w, int h, struct err *e)
{
	w = clamp_int(w, 1, CANVAS_MAX_SIDE);
	h = clamp_int(h, 1, CANVAS_MAX_SIDE);
	unsigned need = (unsigned)w * (unsigned)h;

	if (need > c->room) {
		struct cell *grown = realloc(c->cell, need * sizeof *grown);

		if (grown == NULL)
			return err_set(
				e, ERR_FAIL,
				"screen: out of memory for %d x %d cells", w,
				h);
		c->cell = grown;
		c->room = need;
	}
	c->w = w;
	c->h = h;
	canvas_clear(c);
	return true;
}

void
canvas_clear(struct canvas *c)
{
	static const struct cell blank = { .glyph = " " };

	for (int i = 0; i < c->w; i++)
		c->cell[i] = blank;
	/* Copy rows as blocks: every draw clears the canvas. */
	for (int y = 1; y < c->h; y++)
		memcpy(&c->cell[y * c->w], c->cell,
		       (size_t)c->w * sizeof *c->cell);
	c->wide = false;
	canvas_window(c, (struct rect){ 0, 0, c->w, c->h });
}

void
canvas_window(struct canvas *c, struct rect r)
{
	c->window = cut_to(r, c->w, c->h);
	c->under = ROLE_NONE;
}

static unsigned
char_code(const char *s, uint32_t *of)
{
	size_t n = utf8_length(s, strnlen(s, 4));

	*of = n > 0 ? utf8_code(s, n) : 0;
	return n > 0 ? (unsigned)n : *s != 0;
}

static bool
is_plain(char c)
{
	return (unsigned char)(c - ' ') < 0x7f - ' ';
}

/* Bytes of the character at s, 0 at the end. *cells 0: draw "?". */
static unsigned
char_next(const char *s, int *cells)
{
	uint32_t code;

	*cells = 1;
	if (is_plain(*s))
		return 1;
	unsigned n = char_code(s, &code);

	*cells = code == 0xb7 ? 1 : cells_of(code);
	return n;
}

static unsigned
mark_length(const char *s)
{
	const unsigned char *p = (const unsigned char *)s;
	uint32_t code;

	if (p[0] < 0xcc || (p[0] == 0xe2 && p[1] != 0x80))
		return 0;
	unsigned n = char_code(s, &code);

	return (code >= 0x300 && code <= 0x36f) || cells_is_modifier(code) ? n
									   : 0;
}

/* Bytes of the combining characters at s, which take no cell. File names
 * on Macs contain combining characters, since macOS decomposes letters. */
static unsigned
marks_next(const char *s)
{
	unsigned n = 0, more;

	while ((more = mark_length(s + n)) > 0)
		n += more;
	return n;
}

static void
cell_mark(struct canvas *c, int x, int y, const char *s)
{
	struct cell *cell = canvas_at(c, x, y);
	unsigned at = 0;

	/* Some consoles draw combining characters in another cell. */
	if (cell == NULL || c->glyphs != CANVAS_BRAILLE ||
	    cell->glyph[0] == '?' || cell->glyph[0] == 0 ||
	    ((unsigned char)s[0] != 0xcc && (unsigned char)s[0] != 0xcd))
		return;
	while (at < sizeof cell->glyph && cell->glyph[at] != 0)
		at++;
	if (at + 2 <= sizeof cell->glyph)
		memcpy(cell->glyph + at, s, 2);
}

static char
ascii_twin(const char *g, unsigned n)
{
	if (n == 1)
		return g[0];
	for (unsigned i = 0; i < sizeof twin / sizeof *twin; i++)
		if (strlen(twin[i].sign) == n &&
		    memcmp(twin[i].sign, g, n) == 0)
			return twin[i].ascii;
	return '?';
}

static void
cell_set(struct canvas *c, int x, int y, enum role role, unsigned step,
	 const char *g, unsigned n, bool ok)
{
	struct cell *cell = canvas_at(c, x, y);

	if (cell == NULL)
		return;
	*cell = (struct cell){ .role = (uint8_t)role,
			       .under = (uint8_t)c->under,
			       .step = (uint8_t)step };
	if (!ok || n == 0)
		cell->glyph[0] = '?';
	else if (c->glyphs == CANVAS_ASCII)
		cell->glyph[0] = ascii_twin(g, n);
	else
		memcpy(cell->glyph, g, n);
}

void
canvas_step(struct canvas *c, int x, int y, enum role role, unsigned step,
	    const char *g)
{
	int cells;
	unsigned n = char_next(g, &cells);

	if (step >= ROLE_STEPS)
		step = ROLE_STEPS - 1;
	cell_set(c, x, y, role, step, g, n, cells == 1);
}

static void
cell_one(struct canvas *c, int x, int y, enum role role, const char *g)
{
	cell_set(c, x, y, role, ROLE_STEPS - 1, g, 1, true);
}

static void
cell_wide(struct canvas *c, int x, int y, enum role role, const char *g,
	  unsigned n)
{
	struct cell *first = canvas_at(c, x, y), *rest = canvas_at(c, x + 1, y);
	const char *instead = c->glyphs != CANVAS_BRAILLE ? "?" : " ";

	if (c->glyphs != CANVAS_BRAILLE || first == NULL || rest == NULL) {
		cell_one(c, x, y, role, instead);
		cell_one(c, x + 1, y, role, instead);
		return;
	}
	cell_set(c, x, y, role, ROLE_STEPS - 1, g, n, true);
	*rest = *first;
	memcpy(rest->glyph, (const char[4]){ 0, CELL_REST }, 4);
	c->wide = true;
}

static int
char_set(struct canvas *c, int x, int y, int w, enum role role, const char *s,
	 unsigned *n)
{
	int cells;

	*n = char_next(s, &cells);
	if (cells < 2)
		cell_set(c, x, y, role, ROLE_STEPS - 1, s, *n, cells == 1);
	else if (w < 2)
		cell_one(c, x, y, role, " ");
	else
		cell_wide(c, x, y, role, s, *n);
	return cells < 2 || w < 2 ? 1 : 2;
}

static int
letter_mend(struct cell *row, int x, int w)
{
	int cells = 1;

	if ((unsigned char)row[x].glyph[0] >= 0xe2)
		(void)char_next(row[x].glyph, &cells);
	if (cells == 2 && x + 1 < w && cell_is_rest(&row[x + 1])) {
		row[x + 1] = row[x];
		memcpy(row[x + 1].glyph, (const char[4]){ 0, CELL_REST }, 4);
		return 2;
	}
	if (cells == 2 || cell_is_rest(&row[x]))
		memcpy(row[x].glyph, (const char[4]){ ' ' }, 4);
	return 1;
}

void
canvas_mend(struct canvas *c)
{
	if (!c->wide)
		return;
	for (int y = 0; y < c->h; y++)
		for (int x = 0; x < c->w;)
			x += letter_mend(&c->cell[y * c->w], x, c->w);
}

void
canvas_put(struct canvas *c, int x, int y, enum role role, const char *g)
{
	canvas_step(c, x, y, role, ROLE_STEPS - 1, g);
}

static int
plain_length(const char *s)
{
	int n = 0;

	while (is_plain(s[n]))
		n++;
	return n;
}

/* A fast path: most text is ASCII. */
static int
text_plain(struct canvas *c, int x, int y, int w, enum role role, const char *s)
{
	const struct cell look = { .role = (uint8_t)role,
				   .under = (uint8_t)c->under,
				   .step = ROLE_STEPS - 1 };
	struct cell *row = canvas_at(c, x, y);
	int room = c->window.w - x < w ? c->window.w - x : w, n = 0;

	for (; row != NULL && n < room && is_plain(s[n]); n++) {
		cell_set_word(&row[n], cell_word(&look));
		row[n].glyph[0] = s[n];
	}
	return n;
}

static int
text_rest(struct canvas *c, int x, int y, int w, int used, enum role role,
	  const char *s)
{
	while (*s != '\0') {
		unsigned n = marks_next(s);

		if (n > 0 && used > 0)
			cell_mark(c, x + used - 1, y, s);
		else if (n == 0 && used < w)
			used += char_set(c, x + used, y, w - used, role, s, &n);
		else if (n == 0)
			break;
		s += n;
		int more = text_plain(c, x + used, y, w - used, role, s);

		used += more;
		s += more;
	}
	return used;
}

int
canvas_textn(struct canvas *c, int x, int y, int w, enum role role,
	     const char *s)
{
	int used = text_plain(c, x, y, w, role, s);

	return s[used] == '\0' ? used
			       : text_rest(c, x, y, w, used, role, s + used);
}

int
canvas_text(struct canvas *c, int x, int y, enum role role, const char *s)
{
	return canvas_textn(c, x, y, CANVAS_MAX_SIDE, role, s);
}

static size_t
wrap_cut(const char *s, int w, int *cells)
{
	unsigned room = (unsigned)w, used;
	size_t at = cells_fit(s, room, &used), cut = at;

	while (s[at] != '\0' && cut > 0 && s[cut] != ' ')
		cut--;
	if (cut == 0)
		cut = at > 0 ? at : char_code(s, &(uint32_t){ 0 });
	while (cells_fit(s, room, &used) > cut)
		room--;
	*cells = (int)used;
	return cut;
}

size_t
canvas_wrap_cut(const char *s, int w)
{
	int cells;

	return wrap_cut(s, w, &cells);
}

int
canvas_wrap(struct canvas *c, struct rect r, enum role role, const char *s)
{
	int row = 0, cells;

	if (r.w < 1)
		return 1;
	do {
		size_t cut = wrap_cut(s, r.w, &cells);

		if (row < r.h)
			canvas_textn(c, r.x, r.y + row, cells, role, s);
		s += cut;
		s += strspn(s, " ");
		row++;
	} while (*s != 0);
	return row;
}

int
canvas_width(const char *s)
{
	return (int)cells_wide(s);
}

void
canvas_right(struct canvas *c, int x, int y, int w, enum role role,
	     const char *s)
{
	int n = plain_length(s);

	if (s[n] != '\0')
		n = canvas_width(s);
	canvas_textn(c, n < w ? x + w - n : x, y, w, role, s);
}

void
canvas_fill(struct canvas *c, struct rect r, enum role role, const char *g)
{
	r = cut_to(r, c->window.w, c->window.h);
	if (r.w <= 0 || r.h <= 0)
		return;
	struct cell *first = canvas_at(c, r.x, r.y);

	canvas_put(c, r.x, r.y, role, g);
	const uint64_t made = cell_word(first);

	for (int y = 0; y < r.h; y++, first += c->w)
		for (int x = 0; x < r.w; x++)
			cell_set_word(&first[x], made);
}

void
canvas_shade(struct canvas *c, struct rect r, enum role under)
{
	r = cut_to(r, c->window.w, c->window.h);
	for (int y = r.y; y < r.y + r.h; y++)
		for (int x = r.x; x < r.x + r.w; x++)
			canvas_at(c, x, y)->under = (uint8_t)under;
}

static void
box_edges(struct canvas *c, struct rect r)
{
	int right = r.x + r.w - 1, below = r.y + r.h - 1;
	static const char *const corner[4] = { "┌", "┐", "└", "┘" };

	for (int i = 0; i < 2; i++) {
		struct rect across = { r.x, i == 0 ? r.y : below, r.w, 1 };
		struct rect down = { i == 0 ? r.x : right, r.y, 1, r.h };

		canvas_fill(c, down, ROLE_FRAME, "│");
		canvas_fill(c, across, ROLE_FRAME, "─");
	}
	for (int i = 0; i < 4; i++)
		canvas_put(c, i % 2 == 0 ? r.x : right, i < 2 ? r.y : below,
			   ROLE_FRAME, corner[i]);
}

/* Highlights the key of each part of a note: s, / in "s sort   / filter". */
static void
box_note_keys(struct canvas *c, int end, int y, const char *part)
{
	for (; part != NULL; part = strstr(part, "   ")) {
		part += strspn(part, " ");
		char key[2] = { part[0], 0 };

		if ((isalpha((unsigned char)key[0]) || key[0] == '/') &&
		    part[1] == ' ')
			canvas_text(c, end - canvas_width(part), y, ROLE_KEY,
				    key);
	}
}

void
canvas_box(struct canvas *c, struct rect r, const char *title, const char *note)
{
	int right = r.x + r.w - 1;

	box_edges(c, r);
	int room = r.w - 6, w = canvas_width(title);

	if (w > room)
		w = room;
	if (w <= 0)
		return;
	cell_one(c, r.x + 2, r.y, ROLE_FRAME, " ");
	canvas_textn(c, r.x + 3, r.y, w, ROLE_TITLE, title);
	cell_one(c, r.x + 3 + w, r.y, ROLE_FRAME, " ");
	int note_w = note != NULL ? canvas_width(note) : 0;

	if (note_w == 0 || note_w + w + 5 > room)
		return;
	cell_one(c, right - note_w - 3, r.y, ROLE_FRAME, " ");
	canvas_text(c, right - note_w - 2, r.y, ROLE_DIM, note);
	box_note_keys(c, right - 2, r.y, note);
	cell_one(c, right - 2, r.y, ROLE_FRAME, " ");
}

void
canvas_print(const struct canvas *c, struct buf *out)
{
	for (int y = 0; y < c->h; y++) {
		const struct cell *row = &c->cell[y * c->w];
		int w = c->w;

		while (w > 0 && row[w - 1].glyph[0] == ' ')
			w--;
		for (int x = 0; x < w; x++)
			for (unsigned i = 0; i < 4 && row[x].glyph[i] != 0; i++)
				buf_char(out, row[x].glyph[i]);
		buf_char(out, '\n');
	}
}
