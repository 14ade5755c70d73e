/* The state of the one terminal, shared by the files that know curses. */
#ifndef UI_TERM_TERM_TTY_H
#define UI_TERM_TERM_TTY_H

#include "ui/term/tty.h"
#include "ui/term/tty_cells.h"
#include "ui/term/tty_line.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
	PAIR_MAX = 255, /* without init_extended_pair, which macOS lacks */
	RESCUE_SIZE = 128,
	SLIDES_MAX = 256, /* rows that move to the left at once */
	LOOK_MEMO = 64    /* a power of two */
};

struct pair {
	int fg, bg;
};

struct look_memo {
	uint32_t of;  /* what a cell looks like but for its glyph */
	int16_t look; /* -1: none */
};

struct tty {
	struct screen *screen; /* curses' SCREEN */
	FILE *file;            /* what curses takes for the terminal */
	const char *as;        /* the entry that stands in; NULL: its own */
	struct tty_line line;
	bool up;     /* the screen is ours at the moment */
	bool mouse;  /* reports are asked for */
	bool pastes; /* the same of where pasted text begins and ends */
	enum theme_depth depth;
	enum canvas_glyphs glyphs;
	int w, h;

	struct cell *shown;        /* [h * w]; glyph[0] = 0: not known */
	uint8_t *look_at;          /* [h * w]; of shown, an index of look */
	struct tty_change *change; /* [h * w] */
	unsigned shown_room;       /* of all three */
	int shown_w, shown_h;
	uint64_t skipped;
	bool owes; /* the last screen was skipped */
	bool wide; /* letters of two cells are shown */

	struct pair pair[PAIR_MAX + 1]; /* of curses' pair numbers */
	int npairs, pairs_max;

	struct tty_bytes raw; /* as curses wrote it */
	struct theme_table table;
	bool table_made;
	struct look_memo memo[LOOK_MEMO];
	struct tty_look look[TTY_LOOKS];
	int nlooks;
	bool direct; /* changes go without curses */
	bool whole;  /* the next screen is a new one */
	struct tty_ways ways;
	struct tty_steps steps;
	struct tty_pens pens;
	struct tty_slide slide[SLIDES_MAX];
	struct tty_ends ends;

	char rescue[RESCUE_SIZE]; /* ends attributes and the other screen */
	size_t rescue_len;
};

/* A string of the terminal's description; NULL: it has none. */
const char *term_capability(const char *name);

/*
 * Does it place the cursor, wrap and colour as nearly all do, without delays?
 * Then t->ways says what else it can, and changes go without curses.
 */
bool term_speaks_plainly(struct tty *t);

/* All looks but the plain one are forgotten. */
void term_looks_reset(struct tty *t);

/* Rows that are cheaper to move than to write: t->slide; how many. */
int term_slides(struct tty *t, const struct canvas *c,
		const struct theme *theme);

/* Cells to send, most of which differ from what is shown: t->change; how many.
 */
int term_changes(struct tty *t, const struct canvas *c,
		 const struct theme *theme);

#endif
