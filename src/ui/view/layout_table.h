/* What layout.c and layout_table.c share. */
#ifndef UI_VIEW_LAYOUT_TABLE_H
#define UI_VIEW_LAYOUT_TABLE_H

#include "ui/view/layout.h"

enum { LAYOUT_BOXED_W = 100 };

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

/* Do the largest cluster's cores fit beside the columns, a cell each? */
bool layout_cells_fit(const struct layout_input *in, bool boxed);

/* l->table, of a layout whose `boxed` and `cells` are settled. */
void layout_table_make(struct layout *l, const struct layout_input *in);

#endif
