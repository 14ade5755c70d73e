/*
 * The columns that tables share. How many there are goes by the screen's width
 * alone, and a wider one never has fewer: they come before everything that may
 * stand beside them, which shares what they leave: the cores as cells of their
 * cluster's row, a bar, the trend.
 */
#include "ui/view/layout_table.h"

enum {
	BAR_LEAST = 8,
	BAR_MAX = 24,
	CELLS_MOST = 16, /* a larger cluster's cores take what is left only */
	SPARK_MIN = 18,
	SPARK_LEAST = 10, /* beside cells */
	SPARK_MAX = 240,
	BAR_LESS = 4, /* what is shorter tells nothing */
	AIR = 3       /* before IPC, in a frame */
};

static int
digits(unsigned v)
{
	int n = 1;

	while (v >= 10) {
		v /= 10;
		n++;
	}
	return n;
}

static int
inner_of(int w, bool boxed)
{
	return w - (boxed ? 4 : 2);
}

/* Names, the count of CPUs where there is room for it, and IPC. */
static void
table_names(struct layout_table *t, const struct layout_input *in, int inner)
{
	int n = digits(in->largest);

	t->label_w = max_int(in->label_w, 2);
	t->id_w = max_int(3, digits(in->ncpus - 1));
	t->n_w = 2 * n + 1;
	t->ipc_x = max_int(t->id_w + 1 + t->label_w + 1,
			   t->label_w + 1 + t->n_w + 1);
	if (t->ipc_x + 6 > inner) {
		t->n_w = 0;
		t->ipc_x = min_int(t->id_w + 1 + t->label_w + 1, inner - 6);
	}
	t->bar_x = t->ipc_x + 6;
}

static bool
cells_wanted(const struct layout_input *in)
{
	return in->nclusters >= 2 && in->largest <= CELLS_MOST;
}

/* Cells for columns on a screen that wide; a bar, or cells, keep a few. */
static int
columns_room(const struct layout_input *in, int w, bool boxed)
{
	struct layout_table t;
	int inner = inner_of(w, boxed), rest = BAR_LEAST;

	table_names(&t, in, inner);
	if (cells_wanted(in))
		rest = max_int(rest, (int)in->largest + 2);
	/* Narrow screens give up the bar bit by bit. */
	rest = min_int(rest, max_int(0, (inner - 20) / 6));
	return inner - t.bar_x - rest;
}

/*
 * The same with and without frames, which come and go with the screen's height,
 * and not more than in the narrowest frame on a screen too narrow for it.
 */
static int
columns_room_always(const struct layout_input *in)
{
	int boxed = columns_room(in, max_int(in->w, LAYOUT_BOXED_W), true);

	return in->w >= LAYOUT_BOXED_W
		       ? boxed
		       : min_int(columns_room(in, in->w, false), boxed);
}

/* As many as fit, the most important first; the cells they take. */
static int
columns_choose(const struct layout_input *in, unsigned *n)
{
	int room = columns_room_always(in), used = 0;

	for (*n = 0; *n < in->ncolumns && *n < LAYOUT_COLUMNS; ++*n) {
		if (used + in->column[*n].w > room)
			break;
		used += in->column[*n].w;
	}
	return used;
}

/* Side by side those of one group, where the first of it would stand. */
static void
columns_place(struct layout_table *t, const struct layout_input *in, unsigned n)
{
	int x = t->bar_x + t->bar_w;
	bool done[LAYOUT_COLUMNS] = { false };

	for (unsigned i = 0; i < n; i++)
		for (unsigned k = i; k < n && !done[i]; k++) {
			if (done[k] ||
			    in->column[k].group != in->column[i].group)
				continue;
			t->col[t->ncols] = in->column[k];
			t->col[t->ncols++].x = x;
			x += in->column[k].w;
			done[k] = k != i;
		}
	t->end_x = x;
}

/* Cells as wide as numbers, or else one a core; then the trend, or a bar. */
static void
rest_cells(struct layout_table *t, const struct layout_input *in, int room)
{
	int wide = (int)in->largest * LAYOUT_CELL_W;

	t->cells_w = room - 2 >= wide ? wide : (int)in->largest;
	room -= t->cells_w + 2;
	if (room - 2 >= SPARK_LEAST)
		t->spark_w = min_int(room - 2, SPARK_MAX);
	else
		t->bar_w = room < BAR_LESS ? 0 : min_int(room, BAR_MAX);
}

static void
rest_bar(struct layout_table *t, int room)
{
	if (room < BAR_LEAST + 2 + SPARK_MIN) {
		t->bar_w = max_int(min_int(room, BAR_MAX), 0);
		return;
	}
	t->bar_w = min_int(room - SPARK_MIN - 2, BAR_MAX);
	if (room > 100)
		t->bar_w += (room - 100) / 4;
	t->spark_w = min_int(room - t->bar_w - 2, SPARK_MAX);
}

void
layout_table_make(struct layout *l, const struct layout_input *in)
{
	struct layout_table *t = &l->table;
	int inner = inner_of(in->w, l->boxed);
	unsigned n;
	int used = columns_choose(in, &n);

	table_names(t, in, inner);
	int room = inner - t->bar_x - used;
	int least = l->cells ? (int)in->largest + 2 : BAR_LEAST;

	if (l->boxed) {
		int air = min_int(AIR, max_int(0, room - least));

		t->ipc_x += air;
		t->bar_x += air;
		room -= air;
	}
	if (l->cells)
		rest_cells(t, in, room);
	else
		rest_bar(t, room);
	columns_place(t, in, n);
	t->cells_x = t->end_x + 2;
	t->spark_x =
		t->cells_w > 0 ? t->cells_x + t->cells_w + 2 : t->end_x + 2;
}

bool
layout_cells_fit(const struct layout_input *in, bool boxed)
{
	struct layout_table t;
	unsigned n;
	int inner = inner_of(in->w, boxed);

	if (in->nclusters < 2)
		return false;
	table_names(&t, in, inner);
	return inner - t.bar_x - columns_choose(in, &n) >= (int)in->largest + 2;
}
