/* A grid of cells to draw on: glyphs and roles, no terminal, nothing global. */
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

/*
 * A wide letter is in two cells: its glyph in the first, and in the second one
 * NUL and CELL_REST, of which nothing is sent.
 */
enum { CELL_REST = 1 };

struct cell {
	char glyph[4]; /* UTF-8, perhaps with a sign that stands on it (U+0301);
			  NUL behind a shorter one */
	uint8_t role;
	uint8_t under; /* role whose background shows where `role` has none */
	uint8_t step;  /* of a gradient, 0 to ROLE_STEPS - 1 */
	uint8_t plain; /* 1: never bold (bars), which saves the terminal bytes
			*/
};

/*
 * All of a cell in one piece: equal words show the same. Compilers put struct
 * copies together byte by byte.
 */
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

/*
 * Coordinates are relative to `window`; whatever falls outside it is dropped.
 * `under` is given to each cell drawn.
 */
struct canvas {
	int w, h;
	enum canvas_glyphs glyphs;
	bool letters; /* no colours to tell parts apart by: letters do */
	bool wide;    /* letters of two cells are on it */
	struct rect window;
	enum role under;
	struct cell *cell; /* [y * w + x] */
	unsigned room;     /* cells allocated */
};

/* Zeroed canvas for canvas_resize. canvas_free(NULL) is fine. */
struct canvas *canvas_new(enum canvas_glyphs glyphs, struct err *e);
void canvas_free(struct canvas *c);

/* Only a growing canvas allocates; the cells are cleared. */
bool canvas_resize(struct canvas *c, int w, int h, struct err *e);

/* Blanks everything; the window becomes the whole. */
void canvas_clear(struct canvas *c);

/* Sets the window, cut to the canvas, and resets `under`. */
void canvas_window(struct canvas *c, struct rect r);

/* The cell at x, y of the window; NULL outside of it. */
static inline struct cell *
canvas_at(struct canvas *c, int x, int y)
{
	if (x < 0 || y < 0 || x >= c->window.w || y >= c->window.h)
		return NULL;
	return &c->cell[(c->window.y + y) * c->w + c->window.x + x];
}

/*
 * To be called when all is drawn: of a wide letter whose other half something
 * stands on now, a blank is left.
 */
void canvas_mend(struct canvas *c);

/* One cell; g is one UTF-8 character. */
void canvas_put(struct canvas *c, int x, int y, enum role role, const char *g);
void canvas_step(struct canvas *c, int x, int y, enum role role, unsigned step,
		 const char *g);

/*
 * Text from x on; returns the cells it takes. Control bytes, and what not all
 * terminals show alike (base/cells.h), show as '?'. Of a wide letter that is
 * cut in its middle a blank is left. Signs on a letter (U+0300 to U+036F) are
 * in its cell, and take none. Where glyphs are few, signs are left out and a
 * wide letter is "??". Without UTF-8 our own signs have ASCII twins.
 */
int canvas_text(struct canvas *c, int x, int y, enum role role, const char *s);

/* At most w cells of it. */
int canvas_textn(struct canvas *c, int x, int y, int w, enum role role,
		 const char *s);

/*
 * Text over lines of r.w cells, broken between words; at most r.h of them are
 * drawn (c may be NULL where r.h is 0). Returns the lines it needs, at least 1.
 */
int canvas_wrap(struct canvas *c, struct rect r, enum role role, const char *s);

/* Bytes of s that its first line of w cells has. */
size_t canvas_wrap_cut(const char *s, int w);

/* Its last cell at x + w - 1; longer text is cut on the right. */
void canvas_right(struct canvas *c, int x, int y, int w, enum role role,
		  const char *s);

/* Cells that s takes. */
int canvas_width(const char *s);

void canvas_fill(struct canvas *c, struct rect r, enum role role,
		 const char *g);

/* Gives the cells of r that background without touching what they show. */
void canvas_shade(struct canvas *c, struct rect r, enum role under);

/* share (0 to 1) of w cells as a bar with eighths, dots behind it. */
void canvas_bar(struct canvas *c, int x, int y, int w, double share,
		enum role role, unsigned step);

/* One cell, share (0 to 1) of it high in eighths, never empty. */
void canvas_level(struct canvas *c, int x, int y, double share, enum role role,
		  unsigned step);

/* Values as eighths high, the newest (last) in the right cell; NAN blank. */
void canvas_spark(struct canvas *c, int x, int y, int w, const float *v,
		  unsigned n, double max, enum role role);

/* A box along the edge of r, title on the left, note on the right of it. */
void canvas_box(struct canvas *c, struct rect r, const char *title,
		const char *note);

/* Shares (of their sum) side by side, each with its percent where it fits. */
void canvas_stack(struct canvas *c, int x, int y, int w, const double *share,
		  const enum role *role, unsigned n);

/*
 * Points of a line chart from row `from` to row `to` of a column, in sub-cells
 * of canvas_dots() per cell; several points share a cell where the glyphs
 * allow, the last one gives the colour. letter stands for them in ASCII.
 */
void canvas_stroke(struct canvas *c, int sx, int from, int to, enum role role,
		   char letter);
void canvas_dots(const struct canvas *c, int *per_x, int *per_y);

/* The canvas as lines of text without colours, blanks at line ends cut. */
void canvas_print(const struct canvas *c, struct buf *out);

#endif
