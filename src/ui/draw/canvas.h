/* A grid of cells to draw on: glyphs and roles, without a terminal. */
#ifndef UI_DRAW_CANVAS_H
#define UI_DRAW_CANVAS_H

#include "base/buf.h"
#include "base/err.h"
#include "ui/draw/role.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum canvas_glyphs { CANVAS_ASCII, CANVAS_BLOCK, CANVAS_BRAILLE };

enum { CANVAS_MAX_SIDE = 1000 }; /* cells; larger screens are cut */

struct rect {
	int x, y, w, h;
};

/* A wide character takes two cells: its glyph, then NUL and CELL_REST, which
 * are not sent. */
enum { CELL_REST = 1 };

struct cell {
	char glyph[4]; /* UTF-8, with a combining character; NUL padded */
	uint8_t role;
	uint8_t under; /* its background is used if `role` has none */
	uint8_t step;  /* step of a gradient, 0 to ROLE_STEPS - 1 */
	uint8_t plain; /* 1: never bold, in bars and charts */
};

/* A cell as one integer, for fast comparison and copying: compilers handle the
 * struct byte by byte. */
static inline uint64_t
cell_word(const struct cell *c)
{
	uint64_t word;

	_Static_assert(sizeof *c == sizeof word, "a cell is a word");
	memcpy(&word, c, sizeof word);
	return word;
}

static inline bool
cell_is_rest(const struct cell *c)
{
	return c->glyph[0] == 0 && c->glyph[1] == CELL_REST;
}

static inline void
cell_set_word(struct cell *c, uint64_t word)
{
	memcpy(c, &word, sizeof word);
}

/* Coordinates are relative to `window`; cells outside it are not drawn. Each
 * drawn cell gets the background `under`. */
struct canvas {
	int w, h;
	enum canvas_glyphs glyphs;
	bool letters; /* no colours: letters mark the parts of a stack */
	bool wide;
	struct rect window;
	enum role under;
	struct cell *cell; /* [y * w + x] */
	unsigned room;
};

/* A new canvas has no cells: call canvas_resize. NULL and *e: out of memory. */
struct canvas *canvas_new(enum canvas_glyphs glyphs, struct err *e);
void canvas_free(struct canvas *c);

/* Resizes and clears; allocates only to grow. False and *e: out of memory. */
bool canvas_resize(struct canvas *c, int w, int h, struct err *e);

void canvas_clear(struct canvas *c);

/* Sets the window, limited to the canvas, and resets `under`. */
void canvas_window(struct canvas *c, struct rect r);

static inline struct cell *
canvas_at(struct canvas *c, int x, int y)
{
	if (x < 0 || y < 0 || x >= c->window.w || y >= c->window.h)
		return NULL;
	return &c->cell[(c->window.y + y) * c->w + c->window.x + x];
}

/* Call after all drawing: replaces a wide character of which one half was
 * overwritten with a blank. */
void canvas_mend(struct canvas *c);

/* Draws one cell; g is one UTF-8 character. */
void canvas_put(struct canvas *c, int x, int y, enum role role, const char *g);
void canvas_step(struct canvas *c, int x, int y, enum role role, unsigned step,
		 const char *g);

/* Draws text from x on; returns its cells. Control bytes, and characters whose
 * width differs between terminals (base/cells.h), become '?'. Half of a wide
 * character becomes a blank. Combining characters (U+0300 to U+036F) take no
 * cell. Without CANVAS_BRAILLE, combining characters are omitted and a wide
 * character is
 * "??". With CANVAS_ASCII, ktop's symbols become ASCII. */
int canvas_text(struct canvas *c, int x, int y, enum role role, const char *s);

int canvas_textn(struct canvas *c, int x, int y, int w, enum role role,
		 const char *s);

/* Wraps text at words to lines of r.w cells; draws at most r.h of them (c may
 * be NULL if r.h is 0). Returns the number of lines, at least 1. */
int canvas_wrap(struct canvas *c, struct rect r, enum role role, const char *s);

/* Bytes of s in its first line, wrapped to w cells. */
size_t canvas_wrap_cut(const char *s, int w);

/* Draws text right-aligned in w cells at x; cuts longer text on the right. */
void canvas_right(struct canvas *c, int x, int y, int w, enum role role,
		  const char *s);

int canvas_width(const char *s);

void canvas_fill(struct canvas *c, struct rect r, enum role role,
		 const char *g);

void canvas_shade(struct canvas *c, struct rect r, enum role under);

/* Draws a bar over `share` (0 to 1) of w cells, in steps of 1/8; then dots. */
void canvas_bar(struct canvas *c, int x, int y, int w, double share,
		enum role role, unsigned step);

/* Draws a cell filled to `share` (0 to 1) in steps of 1/8, at least 1/8. */
void canvas_level(struct canvas *c, int x, int y, double share, enum role role,
		  unsigned step);

/* Draws the last w values as columns, in steps of 1/8, the newest at the right.
 * NAN: no column. */
void canvas_spark(struct canvas *c, int x, int y, int w, const float *v,
		  unsigned n, double max, enum role role);

void canvas_box(struct canvas *c, struct rect r, const char *title,
		const char *note);

/* Draws shares side by side in w cells, with percentages where they fit. */
void canvas_stack(struct canvas *c, int x, int y, int w, const double *share,
		  const enum role *role, unsigned n);

/* Draws a vertical line of a chart at column sx, rows `from` to `to`, counted
 * in dots (canvas_dots() per cell). Lines share a cell if the glyphs allow; the
 * last line sets the colour. letter: used in ASCII. */
void canvas_stroke(struct canvas *c, int sx, int from, int to, enum role role,
		   char letter);
void canvas_dots(const struct canvas *c, int *per_x, int *per_y);

/* The canvas as lines of text without colours and trailing blanks. */
void canvas_print(const struct canvas *c, struct buf *out);

#endif
