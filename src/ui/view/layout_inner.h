/* Shared by the layout's files. */
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

/* Chooses the table's columns for l->tables_w, l->boxed and l->cells. */
void layout_table_make(struct layout *l, const struct layout_input *in);

/* True if cells for all cores of the largest cluster fit beside the columns. */
bool layout_cells_fit(const struct layout_input *in, bool boxed);

/* Width left for boxes beside bordered tables with all columns (and the trend,
 * unless the boxes have one); 0: too narrow. */
int layout_side_width(const struct layout_input *in);

#endif
