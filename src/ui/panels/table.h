/* What the tables of clusters and of cores have in common. */
#ifndef UI_PANELS_TABLE_H
#define UI_PANELS_TABLE_H

#include "ui/view/view.h"

enum { HEADS_TEXT_SIZE = 48 };

/* The line above the titles: what is counted, and in which unit. */
struct head {              /* over columns of one group, side by side */
	int x, w;          /* from the left of the table */
	unsigned first, n; /* columns of v->lay.table */
	char text[HEADS_TEXT_SIZE]; /* what fits and is so of all; may be "" */
};

struct heads {
	unsigned n;
	struct head at[LAYOUT_COLUMNS + 1];
};

/* The first is that of the number that rows begin with, also without columns.
 */
void heads_make(const struct view *v, struct heads *out);

/*
 * Shared by the tables of clusters and cores: one line of titles; two: heads
 * above them; three: ages below them, too. Returns the titles' line.
 */
int panel_titles(struct canvas *c, const struct view *v, int x, int y,
		 int lines, bool sorted);

/* Of the title of a list: "s sort: IPC↓", "   / filter: clang". */
void panel_note_order(const struct view *v, const struct rows *r, bool ascii,
		      struct buf *b);
void panel_note_filter(const struct view *v, const struct rows *r,
		       struct buf *b);

void panel_row(struct canvas *c, const struct view *v, int x, int y,
	       unsigned scope, enum role role);

/* Where the filter leaves no row of the list: that, and the way out. */
void panel_no_match(struct canvas *c, int x, int y, const char *what,
		    const char *filter);

#endif
