/* The columns of tables, and the bar, cells and trend beside them. */
#include "ui/view/layout_inner.h"

/* The number of columns depends on the screen's width, not on its height; a
 * wider screen never has fewer. Cells of cores, the bar and the trend share the
 * remaining width. */
enum {
	BAR_LEAST = 8,
	BAR_MAX = 12,
	BAR_MAX_WIDE = 16,
	CELLS_MOST = 16, /* cells of larger clusters get only spare width */
	SPARK_MIN = 14,
	COLUMNS_BARE = 9, /* more columns are shown only with a trend */
	SPARK_LEAST = 10, /* least width of a trend beside cells */
	SPARK_MAX = 240,
	BAR_LESS = 4,    /* least width of a bar beside cells */
	SIDE_LEAST = 46, /* least width of boxes beside the tables */
	SIDE_MOST = 68,
	AIR = 3 /* gap before IPC inside a border */
};

static int
digits_count(unsigned v)
{
	return v < 10 ? 1 : 1 + digits_count(v / 10);
}

static int
frame_inner_w(int w, bool boxed)
{
	return w - (boxed ? 4 : 2);
}

static void
table_names(struct layout_table *t, const struct layout_input *in, int inner)
{
	int n = digits_count(in->largest);

	t->label_w = max_int(in->label_w, 2);
	t->id_w = max_int(3, digits_count(in->ncpus - 1));
	t->n_w = max_int(2 * n + 1, in->numbers_w);
	t->bottleneck_w = 0;
	t->ipc_x = max_int(t->id_w + 1 + t->label_w + 1,
			   t->label_w + 1 + t->n_w + 1);
	if (t->ipc_x + 6 > inner) {
		t->n_w = 0;
		t->ipc_x = min_int(t->id_w + 1 + t->label_w + 1, inner - 6);
	}
	t->bottleneck_x = t->ipc_x;
	if (in->bottlenecks &&
	    t->ipc_x + LAYOUT_BOTTLENECK_W + 1 + 6 <= inner) {
		t->bottleneck_w = LAYOUT_BOTTLENECK_W;
		t->ipc_x += LAYOUT_BOTTLENECK_W + 1;
	}
	t->lost_x = t->ipc_x;
	t->lost_w = 0;
	if (t->bottleneck_w > 0 && t->ipc_x + LAYOUT_LOST_W + 2 + 6 <= inner) {
		t->lost_w = LAYOUT_LOST_W;
		t->ipc_x += LAYOUT_LOST_W + 2;
	}
	t->bar_x = t->ipc_x + 6;
}

static int
columns_room(const struct layout_input *in, int w, bool boxed)
{
	struct layout_table t;
	int inner = frame_inner_w(w, boxed), rest = BAR_LEAST;

	table_names(&t, in, inner);
	if (in->nclusters >= 2 && in->largest <= CELLS_MOST)
		rest = max_int(rest, (int)in->largest + 2);
	rest = min_int(rest, max_int(0, (inner - 20) / 6));
	return inner - t.bar_x - rest;
}

/* Width for columns: equal with and without borders, so that the choice does
 * not depend on the screen's height. */
static int
columns_room_always(const struct layout_input *in)
{
	int boxed = columns_room(in, max_int(in->w, LAYOUT_BOXED_W), true);

	return in->w >= LAYOUT_BOXED_W
		       ? boxed
		       : min_int(columns_room(in, in->w, false), boxed);
}

static int
columns_choose(const struct layout_input *in, unsigned *n)
{
	int room = columns_room_always(in), used = 0;

	for (*n = 0; *n < in->ncolumns && *n < LAYOUT_COLUMNS; ++*n) {
		if (*n == COLUMNS_BARE)
			room -= SPARK_MIN + 2 + AIR;
		if (used + in->column[*n].w > room)
			break;
		used += in->column[*n].w;
	}
	return used;
}

/* Puts columns of a group together, at the place of its first column. */
static void
columns_place(struct layout_table *t, const struct layout_input *in, unsigned n)
{
	const struct layout_column *at = in->column;
	bool placed[LAYOUT_COLUMNS] = { false };

	t->end_x = t->bar_x + t->bar_w;
	for (unsigned i = 0; i < n;) {
		unsigned next = n;

		for (unsigned k = i; k < n; k++)
			if (at[k].group == at[i].group && !placed[k] &&
			    (next == n || at[k].order < at[next].order))
				next = k;
		if (next == n) {
			i++;
			continue;
		}
		placed[next] = true;
		t->col[t->ncols] = at[next];
		t->col[t->ncols++].x = t->end_x;
		t->end_x += at[next].w;
	}
}

static int
bar_most(const struct layout_input *in)
{
	return in->w >= 200 ? BAR_MAX_WIDE : BAR_MAX;
}

static void
rest_place_cells(struct layout_table *t, const struct layout_input *in,
		 int room)
{
	int wide = (int)in->largest * LAYOUT_CELL_W;

	t->cells_w = room - 2 >= wide ? wide : (int)in->largest;
	room -= t->cells_w + 2;
	if (room - 2 >= SPARK_LEAST)
		t->spark_w = min_int(room - 2, SPARK_MAX);
	else
		t->bar_w = room < BAR_LESS ? 0 : min_int(room, bar_most(in));
}

static void
rest_place_bar(struct layout_table *t, const struct layout_input *in, int room)
{
	if (room < BAR_LEAST + 2 + SPARK_MIN) {
		t->bar_w = max_int(min_int(room, bar_most(in)), 0);
		return;
	}
	t->bar_w = min_int(room - SPARK_MIN - 2, bar_most(in));
	t->spark_w = min_int(room - t->bar_w - 2, SPARK_MAX);
}

void
layout_table_make(struct layout *l, const struct layout_input *in)
{
	struct layout_table *t = &l->table;
	int inner = frame_inner_w(l->tables_w, l->boxed);
	unsigned n;
	int used = columns_choose(in, &n);

	table_names(t, in, inner);
	int room = inner - t->bar_x - used;
	int least = l->cells ? (int)in->largest + 2 : BAR_LEAST;

	if (l->boxed) {
		int air = min_int(AIR, max_int(0, room - least));

		t->bottleneck_x += air;
		t->lost_x += air;
		t->ipc_x += air;
		t->bar_x += air;
		room -= air;
	}
	if (l->cells)
		rest_place_cells(t, in, room);
	else
		rest_place_bar(t, in, room);
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
	int inner = frame_inner_w(in->w, boxed);

	if (in->nclusters < 2)
		return false;
	table_names(&t, in, inner);
	return inner - t.bar_x - columns_choose(in, &n) >= (int)in->largest + 2;
}

int
layout_side_width(const struct layout_input *in)
{
	enum { TREND = SPARK_MIN + 2, FROM_W = 170 };
	struct layout_table t;
	unsigned n;
	int rest = frame_inner_w(in->w, true) - BAR_LEAST - AIR -
		   columns_choose(in, &n);

	table_names(&t, in, frame_inner_w(in->w, true));
	rest -= t.bar_x + TREND;
	return in->w < FROM_W || rest < SIDE_LEAST ? 0
						   : min_int(rest, SIDE_MOST);
}
