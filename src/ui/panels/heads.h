/* The line above the titles of columns: what is counted, and in which unit. */
#ifndef UI_PANELS_HEADS_H
#define UI_PANELS_HEADS_H

#include "ui/view/view.h"

enum { HEADS_TEXT_SIZE = 48 };

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

/* The same, or while sets take turns how old each column is. */
void heads_draw(struct canvas *c, const struct view *v, int x, int y);

#endif
