/* What the parts of the layout share. */
#ifndef UI_VIEW_LAYOUT_INNER_H
#define UI_VIEW_LAYOUT_INNER_H

#include "ui/view/layout.h"

enum { LAYOUT_BOXED_W = 100 /* tables have frames from this width on */ };

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

/* The table's columns by l->tables_w, l->boxed and l->cells. */
void layout_table_make(struct layout *l, const struct layout_input *in);

/* Do the largest cluster's cores fit next to the columns, a cell each? */
bool layout_cells_fit(const struct layout_input *in, bool boxed);

/*
 * Cells that tables with frames leave for boxes beside them, without giving up
 * a column, and no trend where the boxes do without; 0: too few.
 */
int layout_side_width(const struct layout_input *in);

#endif
