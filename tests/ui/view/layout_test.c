#include "ui/view/layout.h"

#include <stdlib.h>

#include <cmocka.h>

static const struct layout_column column[] = {
	{ -1, 6, 0, -1, 0 }, { 1, 6, 0, -1, 0 }, { 2, 6, 0, -1, 0 },
	{ 5, 6, 0, 4, 0 },   { 6, 7, 0, 4, 0 },  { 7, 6, 0, 4, 0 },
	{ 8, 6, 0, 3, 0 },   { 9, 7, 0, 3, 0 },  { 10, 5, 0, 3, 0 },
	{ 11, 6, 0, 4, 0 },  { 12, 6, 0, 0, 0 }
};
enum { NCOLUMNS = sizeof column / sizeof *column };

static const struct {
	unsigned ncpus, nclusters, largest;
	int label_w;
} machine[] = { { 1, 1, 1, 3 },      { 2, 1, 2, 3 },      { 8, 2, 4, 1 },
		{ 10, 2, 8, 1 },     { 12, 3, 4, 2 },     { 18, 3, 6, 2 },
		{ 32, 6, 6, 2 },     { 128, 16, 8, 5 },   { 128, 1, 128, 3 },
		{ 1024, 128, 8, 6 }, { 1024, 1, 1024, 3 } };
enum { NMACHINES = sizeof machine / sizeof *machine };

static struct layout_input
input(int m, int w, int h, int notice, enum layout_view view)
{
	return (struct layout_input){ .w = w,
				      .h = h,
				      .ncpus = machine[m].ncpus,
				      .nclusters = machine[m].nclusters,
				      .largest = machine[m].largest,
				      .label_w = machine[m].label_w,
				      .rows[PANEL_NOTICE] = notice,
				      .view = view,
				      .column = column,
				      .ncolumns = NCOLUMNS };
}

static bool
overlap(const struct rect *a, const struct rect *b)
{
	return a->x < b->x + b->w && b->x < a->x + a->w && a->y < b->y + b->h &&
	       b->y < a->y + a->h;
}

/* One cell may belong to one panel only, and to the screen. */
static const char *
panels_wrong(const struct layout *l, int w, int h)
{
	for (int i = 0; i < PANEL_PLACES; i++) {
		const struct rect *r = &l->panel[i];

		if (r->w == 0)
			continue;
		if (r->x < 0 || r->y < 0 || r->w < 0 || r->h < 1 ||
		    r->x + r->w > w || r->y + r->h > h)
			return "a panel leaves the screen";
		for (int j = 0; j < i; j++)
			if (l->panel[j].w > 0 && overlap(r, &l->panel[j]))
				return "panels overlap";
	}
	if (l->panel[PANEL_HEADER].w != w || l->panel[PANEL_HEADER].y != 0)
		return "the header is gone";
	if (l->panel[PANEL_KEYS].w != w ||
	    l->panel[PANEL_KEYS].y + l->panel[PANEL_KEYS].h != h)
		return "the keys are gone";
	return NULL;
}

/* The most important ones, each once. */
static bool
columns_are_first(const struct layout_table *t)
{
	for (unsigned i = 0; i < t->ncols; i++) {
		unsigned n = 0;

		for (unsigned k = 0; k < t->ncols; k++)
			n += t->col[k].metric == column[i].metric;
		if (n != 1)
			return false;
	}
	return true;
}

/* Those of a group side by side, in their order. */
static bool
groups_are_whole(const struct layout_table *t)
{
	for (unsigned i = 0; i < t->ncols; i++)
		for (unsigned k = i + 1; k < t->ncols; k++) {
			bool same = t->col[i].group == t->col[k].group;

			if (same && (t->col[k - 1].group != t->col[k].group ||
				     t->col[i].metric > t->col[k].metric))
				return false;
		}
	return true;
}

static const char *
table_wrong(const struct layout *l, int w)
{
	const struct layout_table *t = &l->table;
	const struct rect *r = &l->panel[PANEL_CLUSTERS];
	int inner = (r->w > 0 ? r->w : w) - (l->boxed ? 4 : 2),
	    x = t->bar_x + t->bar_w;

	if (t->ipc_x + 5 > inner)
		return "no room for IPC";
	if (t->bar_x < t->ipc_x + 6 || t->bar_w < 0)
		return "the bar lies on IPC";
	for (unsigned i = 0; i < t->ncols; i++) {
		if (t->col[i].x != x)
			return "columns are not side by side";
		x += t->col[i].w;
	}
	if (!columns_are_first(t) || !groups_are_whole(t))
		return "not the first columns, group by group";
	if (x > inner || t->end_x != x)
		return "columns leave the table";
	if (t->cells_w > 0 &&
	    (t->cells_x < x || t->cells_x + t->cells_w > inner))
		return "cells leave the table";
	if (t->spark_w > 0 &&
	    (t->spark_x < x || t->spark_x + t->spark_w > inner ||
	     (t->cells_w > 0 && t->spark_x < t->cells_x + t->cells_w)))
		return "the trend leaves the table";
	return NULL;
}

static void
check(int m, int w, int h, int notice, enum layout_view view)
{
	struct layout_input in = input(m, w, h, notice, view);
	struct layout l;

	layout_make(&in, &l);
	const char *wrong = l.too_small ? "too small" : panels_wrong(&l, w, h);

	if (wrong == NULL)
		wrong = table_wrong(&l, w);
	if (wrong == NULL && view == VIEW_OVERVIEW &&
	    layout_rows(&l, PANEL_CLUSTERS) < 1)
		wrong = "no cluster is shown";
	if (wrong == NULL && l.cells && l.panel[PANEL_CORES].w > 0)
		wrong = "cores are shown twice";
	if (wrong != NULL)
		fail_msg("%s: %d x %d, %u cpus in %u clusters, view %d", wrong,
			 w, h, in.ncpus, in.nclusters, (int)view);
}

/* All sizes with KTOP_LONG=1, else every third, of each machine others. */
static int
step(void)
{
	return getenv("KTOP_LONG") != NULL ? 1 : 3;
}

UNIT(test_every_size_of_every_machine)
{
	for (int m = 0; m < NMACHINES; m++)
		for (int w = LAYOUT_MIN_W + m % step(); w <= 300; w += step())
			for (int h = LAYOUT_MIN_H; h <= 100; h++) {
				check(m, w, h, 0, VIEW_OVERVIEW);
				check(m, w, h, 2, VIEW_OVERVIEW);
			}
}

/*
 * The screen's width alone says how many columns there are, whatever else of it
 * changes with its height, and a wider one has no fewer.
 */
UNIT(test_a_larger_screen_has_no_fewer_columns)
{
	for (int m = 0; m < NMACHINES; m++) {
		unsigned before = 0;

		for (int w = LAYOUT_MIN_W; w <= 300; w++) {
			struct layout l;
			struct layout_input in =
				input(m, w, LAYOUT_MIN_H, 0, VIEW_OVERVIEW);

			layout_make(&in, &l);
			unsigned n = l.table.ncols;

			if (n < before)
				fail_msg("%u cpus: %u columns at %d, %u at %d",
					 in.ncpus, before, w - 1, n, w);
			before = n;
			for (int h = LAYOUT_MIN_H + w % step(); h <= 100;
			     h += step())
				for (int v = 0; v < VIEW_COUNT; v++) {
					in = input(m, w, h, v & 1,
						   (enum layout_view)v);
					in.ages = (w & 1) != 0;
					layout_make(&in, &l);
					assert_int_equal(l.table.ncols, n);
				}
		}
		assert_int_equal(before, NCOLUMNS);
	}
}

UNIT(test_every_view)
{
	for (int m = 0; m < NMACHINES; m++)
		for (int w = LAYOUT_MIN_W; w <= 300; w += 7)
			for (int h = LAYOUT_MIN_H; h <= 100; h += 3)
				for (int v = 0; v < VIEW_COUNT; v++)
					check(m, w, h, w & 3,
					      (enum layout_view)v);
}

UNIT(test_too_small)
{
	struct layout l;

	for (int w = 1; w <= 25; w++)
		for (int h = 1; h <= 9; h++) {
			struct layout_input in =
				input(2, w, h, 0, VIEW_OVERVIEW);

			layout_make(&in, &l);
			assert_int_equal(l.too_small, w < 20 || h < 5);
		}
}

/* The mock-up of eight cores at 80x24: all of it, nothing to spare. */
UNIT(test_eight_cores_at_80x24)
{
	struct layout_input in = input(2, 80, 24, 0, VIEW_OVERVIEW);
	struct layout l;

	layout_make(&in, &l);
	assert_false(l.boxed);
	assert_false(l.cells);
	assert_int_equal(l.panel[PANEL_CLUSTERS].y, 3);
	assert_int_equal(l.cluster_titles, 2);
	assert_int_equal(layout_rows(&l, PANEL_CLUSTERS), 2);
	assert_int_equal(layout_rows(&l, PANEL_CORES), 8);
	assert_int_equal(l.panel[PANEL_TREND].h, 3);
	assert_int_equal(l.panel[PANEL_LEGEND].y, 21);
	assert_int_equal(l.panel[PANEL_QUALITY].y, 22);
	assert_int_equal(l.table.ncols, 9); /* up to usr% */
	assert_true(l.table.bar_w >= 8);
}

/* The mock-up of twelve cores at 120x40. */
UNIT(test_twelve_cores_at_120x40)
{
	struct layout_input in = input(4, 120, 40, 0, VIEW_OVERVIEW);
	struct layout l;

	layout_make(&in, &l);
	assert_true(l.boxed);
	assert_int_equal(layout_rows(&l, PANEL_CORES), 12);
	assert_true(l.table.spark_w >= 14);
	assert_int_equal(l.table.ncols, NCOLUMNS);
	assert_true(l.table.bar_w >= 8);
	assert_int_equal(l.panel[PANEL_CHART].h, 14);
	assert_int_equal(l.panel[PANEL_BOTTLENECKS].h, 14);
	assert_int_equal(l.panel[PANEL_EVENTS].h, 0);
	assert_int_equal(l.panel[PANEL_QUALITY].h, 1);
}

/* Rows go in the order trend, cores; columns from the right. */
UNIT(test_what_goes_first)
{
	struct layout l;
	bool trend = true, cores = true;

	for (int h = 24; h >= 5; h--) {
		struct layout_input in = input(2, 80, h, 0, VIEW_OVERVIEW);

		layout_make(&in, &l);
		bool has_trend = l.panel[PANEL_TREND].w > 0;
		bool has_cores = layout_rows(&l, PANEL_CORES) == 8;

		/* Without rows they are cells, and the trend has room again. */
		assert_true(has_cores || l.cells);
		assert_true(cores || !has_cores);
		assert_true(trend || !has_trend || !has_cores);
		trend = has_trend;
		cores = has_cores;
	}
	unsigned before = NCOLUMNS;

	for (int w = 80; w >= 20; w--) {
		struct layout_input in = input(2, w, 24, 0, VIEW_OVERVIEW);

		layout_make(&in, &l);
		assert_true(l.table.ncols <= before);
		before = l.table.ncols;
	}
}

UNIT(test_many_cores_become_cells_or_scroll)
{
	struct layout l;
	struct layout_input in = input(6, 80, 24, 0, VIEW_OVERVIEW);

	layout_make(&in, &l);
	assert_true(l.cells);
	/* Columns come before numbers in the cells. */
	assert_int_equal(l.table.cells_w, 6);
	in = input(6, 130, 24, 0, VIEW_OVERVIEW);
	layout_make(&in, &l);
	assert_true(l.cells);
	assert_int_equal(l.table.cells_w, 6 * LAYOUT_CELL_W);
	in = input(10, 80, 24, 0, VIEW_OVERVIEW);
	layout_make(&in, &l);
	assert_false(l.cells);
	assert_true(layout_rows(&l, PANEL_CORES) >= 10);
	in = input(9, 80, 24, 0, VIEW_OVERVIEW);
	layout_make(&in, &l);
	assert_true(layout_rows(&l, PANEL_CLUSTERS) >= 10);
}

/* Panels that the layout does not know by name. */
UNIT(test_other_panels_come_below)
{
	struct layout_input in = input(4, 120, 60, 0, VIEW_OVERVIEW);
	struct layout l;

	in.rows[PANEL_BELOW] = 5;
	in.rows[PANEL_BELOW + 1] = 3;
	layout_make(&in, &l);
	assert_null(panels_wrong(&l, 120, 60));
	assert_int_equal(l.panel[PANEL_BELOW].y, 51);
	assert_int_equal(l.panel[PANEL_BELOW].h, 5);
	assert_int_equal(l.panel[PANEL_BELOW + 1].y, 56);
	assert_int_equal(l.panel[PANEL_BELOW + 1].w, 120);
	in.h = 50; /* there is room for the last only */
	layout_make(&in, &l);
	assert_null(panels_wrong(&l, 120, 50));
	assert_int_equal(l.panel[PANEL_BELOW].w, 0);
	assert_int_equal(l.panel[PANEL_BELOW + 1].y, 46);
	in.h = 45; /* most screens: the others are not to lose a row */
	layout_make(&in, &l);
	assert_int_equal(l.panel[PANEL_BELOW + 1].w, 0);
	in.view = VIEW_CORES;
	layout_make(&in, &l);
	assert_int_equal(l.panel[PANEL_BELOW + 1].w, 0);
}

/* A wide screen has charts and lost slots also where cores take its height. */
UNIT(test_charts_stand_beside_tables_that_leave_none_below)
{
	static const struct {
		int m, w, h;
	} size[] = { { 5, 180, 45 }, { 6, 200, 60 } };
	struct layout l;

	for (unsigned i = 0; i < sizeof size / sizeof *size; i++) {
		struct layout_input in = input(size[i].m, size[i].w, size[i].h,
					       0, VIEW_OVERVIEW);

		in.rows[PANEL_BUSIEST] = 8;
		in.rows[PANEL_HEADLINE] = 3;
		layout_make(&in, &l);
		assert_null(panels_wrong(&l, in.w, in.h));
		assert_null(table_wrong(&l, in.w));
		assert_int_equal(l.panel[PANEL_CORES].w, l.tables_w);
		assert_int_equal(l.panel[PANEL_BOTTLENECKS].x, l.tables_w);
		assert_int_equal(l.panel[PANEL_BUSIEST].w, in.w);
		assert_true(l.panel[PANEL_BUSIEST].h >= 7);
		assert_true(l.panel[PANEL_CHART].w >= 46);
		assert_true(l.panel[PANEL_CHART].h >= 7);
		assert_int_equal(l.panel[PANEL_CHART2].h > 0, in.h == 60);
		in.w = 169; /* the tables have all of it */
		layout_make(&in, &l);
		assert_int_equal(l.panel[PANEL_CLUSTERS].w, 169);
	}
}

/* Whose work it is: wherever there is room behind the cores. */
UNIT(test_the_busiest_come_before_charts_and_events)
{
	struct layout l;

	for (int m = 0; m < NMACHINES; m++)
		for (int w = 160; w <= 300; w += 20)
			for (int h = LAYOUT_MIN_H; h <= 100; h++) {
				struct layout_input in =
					input(m, w, h, h & 1, VIEW_OVERVIEW);

				in.rows[PANEL_BUSIEST] = 8;
				layout_make(&in, &l);
				assert_null(panels_wrong(&l, w, h));
				assert_null(table_wrong(&l, w));
				int rows = l.panel[PANEL_BUSIEST].h;
				bool must = l.panel[PANEL_CHART].h > 0 ||
					    l.panel[PANEL_EVENTS].h > 0 ||
					    (h >= 45 && in.nclusters <= 16);

				if ((must && rows < 2) || rows > 8)
					fail_msg("%d x %d, %u cpus: %d rows", w,
						 h, in.ncpus, rows);
			}
}

/* Rows of the sentence in a view of a machine's row in the table above. */
static int
sentence(int m, int w, int h, int notice, enum layout_view view)
{
	struct layout_input in = input(m, w, h, notice, view);
	struct layout l;

	in.rows[PANEL_HEADLINE] = 1;
	layout_make(&in, &l);
	assert_null(panels_wrong(&l, w, h));
	return l.panel[PANEL_HEADLINE].h;
}

UNIT(test_the_sentence_stands_above_every_view)
{
	enum { TWELVE = 4, THIRTY_TWO = 6 };
	static const enum layout_view view[] = { VIEW_CORES, VIEW_CHART,
						 VIEW_BOTTLENECKS,
						 VIEW_EVENTS };

	for (unsigned i = 0; i < sizeof view / sizeof *view; i++) {
		assert_int_equal(sentence(TWELVE, 80, 24, 0, view[i]), 1);
		assert_int_equal(sentence(THIRTY_TWO, 120, 40, 0, view[i]), 1);
		/* What is wrong with the numbers comes first, where it is low.
		 */
		assert_int_equal(sentence(TWELVE, 80, 24, 1, view[i]), 0);
		assert_int_equal(sentence(TWELVE, 60, 12, 0, view[i]), 0);
	}
	/* It takes no row from cores that are too many already. */
	assert_int_equal(sentence(THIRTY_TWO, 80, 24, 0, VIEW_CORES), 0);
	/* The zoom begins with a row's own. */
	assert_int_equal(sentence(TWELVE, 120, 40, 0, VIEW_DETAIL), 1);
	assert_int_equal(sentence(TWELVE, 80, 24, 0, VIEW_DETAIL), 0);
}
