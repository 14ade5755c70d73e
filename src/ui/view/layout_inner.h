/* Shared by the files of the layout. */
#ifndef UI_VIEW_LAYOUT_INNER_H
#define UI_VIEW_LAYOUT_INNER_H

#include "ui/view/layout.h"

enum { LAYOUT_BOXED_W = 100 /* least width of the screen for borders */ };

static inline int
min_int(int a, int b)
{
	return a < b ? a : b;
}

static inline int
max_int(int a, int b)
{
	return a > b ? a : b;
}

void layout_table_make(struct layout *l, const struct layout_input *in);

/* True if there are two or more clusters, and cells for all cores of the
 * largest cluster fit beside the columns. */
bool layout_cells_fit(const struct layout_input *in, bool boxed);

/* Width of boxes beside bordered tables with bar and trend; 0: too narrow. */
int layout_side_width(const struct layout_input *in);

#endif
