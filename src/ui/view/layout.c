#include "ui/view/layout.h"

#include <string.h>

/*
 * The columns that tables share. How many there are goes by the screen's width
 * alone, and a wider one never has fewer: they come before everything that may
 * stand next to them, which shares what they leave: the cores as cells of their
 * cluster's row, a bar, the trend.
 */
enum {
	BAR_LEAST = 8,
	BAR_MAX = 12,
	BAR_MAX_WIDE = 16, /* from 200 columns on */
	CELLS_MOST = 16,   /* a larger cluster's cores take what is left only */
	SPARK_MIN = 14,
	COLUMNS_BARE = 9, /* more come only where a trend fits as well */
	SPARK_LEAST = 10, /* next to cells */
	SPARK_MAX = 240,
	BAR_LESS = 4,    /* what is shorter tells nothing */
	SIDE_LEAST = 46, /* of boxes beside the tables */
	SIDE_MOST = 68,
	AIR = 3, /* before IPC, in a frame */
	BOXED_W = 100
};

static int
min_int(int a, int b)
{
	return a < b ? a : b;
}

static int
max_int(int a, int b)
{
	return a > b ? a : b;
}

static int
digits(unsigned v)
{
	return v < 10 ? 1 : 1 + digits(v / 10);
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

/* Cells for columns on a screen that wide; a bar, or cells, keep a few. */
static int
columns_room(const struct layout_input *in, int w, bool boxed)
{
	struct layout_table t;
	int inner = inner_of(w, boxed), rest = BAR_LEAST;

	table_names(&t, in, inner);
	if (in->nclusters >= 2 && in->largest <= CELLS_MOST)
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
	int boxed = columns_room(in, max_int(in->w, BOXED_W), true);

	return in->w >= BOXED_W
		       ? boxed
		       : min_int(columns_room(in, in->w, false), boxed);
}

/* As many as fit, the most important first; the cells they take. */
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

/* Side by side those of one group, where the first of it would stand. */
static void
columns_place(struct layout_table *t, const struct layout_input *in, unsigned n)
{
	const struct layout_column *at = in->column;
	bool placed[LAYOUT_COLUMNS] = { false };

	t->end_x = t->bar_x + t->bar_w;
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = i; k < n; k++) {
			if (at[k].group != at[i].group || placed[k])
				continue;
			placed[k] = true;
			t->col[t->ncols] = at[k];
			t->col[t->ncols++].x = t->end_x;
			t->end_x += at[k].w;
		}
}

static int
bar_most(const struct layout_input *in)
{
	return in->w >= 200 ? BAR_MAX_WIDE : BAR_MAX;
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
		t->bar_w = room < BAR_LESS ? 0 : min_int(room, bar_most(in));
}

static void
rest_bar(struct layout_table *t, const struct layout_input *in, int room)
{
	if (room < BAR_LEAST + 2 + SPARK_MIN) {
		t->bar_w = max_int(min_int(room, bar_most(in)), 0);
		return;
	}
	t->bar_w = min_int(room - SPARK_MIN - 2, bar_most(in));
	t->spark_w = min_int(room - t->bar_w - 2, SPARK_MAX);
}

static void
table_make(struct layout *l, const struct layout_input *in)
{
	struct layout_table *t = &l->table;
	int inner = inner_of(l->tables_w, l->boxed);
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
		rest_cells(t, in, room);
	else
		rest_bar(t, in, room);
	columns_place(t, in, n);
	t->cells_x = t->end_x + 2;
	t->spark_x =
		t->cells_w > 0 ? t->cells_x + t->cells_w + 2 : t->end_x + 2;
}

/* Do the largest cluster's cores fit next to the columns, a cell each? */
static bool
cells_fit(const struct layout_input *in, bool boxed)
{
	struct layout_table t;
	unsigned n;
	int inner = inner_of(in->w, boxed);

	if (in->nclusters < 2)
		return false;
	table_names(&t, in, inner);
	return inner - t.bar_x - columns_choose(in, &n) >= (int)in->largest + 2;
}

/*
 * Cells that tables with frames leave for boxes beside them, without giving up
 * a column, and no trend where the boxes do without; 0: too few.
 */
static int
side_width(const struct layout_input *in)
{
	enum { TREND = SPARK_MIN + 2 };
	struct layout_table t;
	unsigned n;
	int rest = inner_of(in->w, true) - BAR_LEAST - AIR -
		   columns_choose(in, &n);

	table_names(&t, in, inner_of(in->w, true));
	rest -= t.bar_x;
	if (rest - TREND >= SIDE_LEAST)
		rest -= TREND;
	return rest < SIDE_LEAST ? 0 : min_int(rest, SIDE_MOST);
}

enum {
	BOXED_H = 29,       /* without the line for the views */
	OUTLIERS_FROM = 17, /* CPUs: with fewer each is looked at anyway */
	OUTLIERS_H = 3,
	CHART_H = 7,   /* least height that says something */
	LOSSES_H = 10, /* of lost slots, without the bars */
	EVENTS_H = 6,
	KEYS_FROM = 12,
	VIEWS_FROM = 20, /* with a line for the views */
	ALONE_HEADLINE_H = 16,
	LIST_LEAST = 14,   /* of a view that leaves the rest to a chart */
	BELOW_FROM = 45,   /* rows that the others keep */
	BUSIEST_H = 6,     /* titles and three rows in a frame */
	BUSIEST_LEAST = 2, /* titles and a row */
	GROUP_W = 48       /* with less, no title over columns fits */
};

static int
core_rows(const struct layout_input *in)
{
	return (int)(in->core_rows > 0 ? in->core_rows : in->ncpus);
}

/* stacking */

/* Low screens show the head of the text only, or none. */
static int
notice_rows(const struct layout_input *in)
{
	return min_int(in->rows[PANEL_NOTICE], in->h >= 16  ? 3
					       : in->h >= 8 ? 1
							    : 0);
}

/* What is wrong with the numbers comes before what they say. */
static int
headline_rows(const struct layout_input *in)
{
	if (notice_rows(in) > 0 && in->h < BOXED_H)
		return 0;
	/* Whose it is and the energy: lines that go before the cores. */
	return min_int(in->rows[PANEL_HEADLINE], in->view != VIEW_OVERVIEW ? 1
						 : in->h >= BOXED_H        ? 3
						 : in->h >= 22             ? 2
									   : 1);
}

static void
place_panel(struct layout *l, enum panel_id id, int *y, int w, int h)
{
	l->panel[id] = (struct rect){ 0, *y, w, h };
	*y += h;
}

struct stack { /* rows given to each part of a screen without boxes */
	int left, rows[PANEL_PLACES];
	int titles, gap[3];
};

static int
take_rows(struct stack *s, int want)
{
	int got = min_int(want, s->left);

	s->left -= got;
	return got;
}

static void
stack_cores(struct stack *s, struct layout *l, const struct layout_input *in)
{
	int need = core_rows(in) + 1;

	if (s->left >= need)
		s->rows[PANEL_CORES] = take_rows(s, need);
	else if (cells_fit(in, false))
		l->cells = true;
	else if (s->left >= 3)
		s->rows[PANEL_CORES] = take_rows(s, s->left);
}

/* Five lines, one between, a bar for each cluster and their words. */
static int
losses_rows(const struct layout_input *in)
{
	return LOSSES_H + (int)in->nclusters;
}

/* Tall and narrow: boxes below the tables, else the trend as single lines. */
static void
stack_rest(struct stack *s, const struct layout_input *in)
{
	int nclusters = (int)in->nclusters, ncpus = core_rows(in);
	int *rows = s->rows;

	rows[PANEL_TRUST] = take_rows(s, 1);
	if (in->rows[PANEL_BUSIEST] > 0 && s->left >= BUSIEST_LEAST)
		rows[PANEL_BUSIEST] = take_rows(s, BUSIEST_H - 2);
	rows[PANEL_LEGEND] = take_rows(s, 1);
	if (s->left >= 2 && ncpus >= OUTLIERS_FROM &&
	    rows[PANEL_CORES] - 1 < ncpus)
		rows[PANEL_OUTLIERS] = take_rows(s, 2);
	s->gap[0] = rows[PANEL_CORES] > 0 ? take_rows(s, 1) : 0;
	/* Groups above the titles, and ages below them. */
	if (in->w >= GROUP_W && s->titles > 0 && take_rows(s, 1) > 0)
		s->titles += 1 + take_rows(s, in->ages);
	if (s->left >= CHART_H + LOSSES_H) {
		rows[PANEL_BOTTLENECKS] = take_rows(
			s, min_int(losses_rows(in), s->left - CHART_H));
		if (s->left >= CHART_H + EVENTS_H + 8)
			rows[PANEL_EVENTS] = take_rows(s, EVENTS_H + 4);
	}
	if (rows[PANEL_BOTTLENECKS] > 0 || s->left >= CHART_H + 2) {
		rows[PANEL_CHART] = take_rows(s, s->left);
		return;
	}
	rows[PANEL_TREND] =
		s->left > nclusters ? take_rows(s, 1 + nclusters) : 0;
	s->gap[1] = rows[PANEL_TREND] > 0 ? take_rows(s, 1) : 0;
	s->gap[2] = take_rows(s, 1);
}

static void
stack_place(const struct stack *s, struct layout *l,
	    const struct layout_input *in)
{
	static const enum panel_id from_above[] = {
		PANEL_PRESETS,  PANEL_HEADLINE, PANEL_NOTICE,
		PANEL_CLUSTERS, PANEL_CORES,    PANEL_OUTLIERS,
		PANEL_TREND,    PANEL_CHART,    PANEL_BOTTLENECKS,
		PANEL_EVENTS,   PANEL_BUSIEST,  PANEL_LEGEND,
		PANEL_TRUST
	};
	const int *rows = s->rows;
	int y = 1;

	l->cluster_titles = s->titles;
	l->core_titles = 1;
	for (unsigned i = 0; i < sizeof from_above / sizeof *from_above; i++) {
		enum panel_id id = from_above[i];

		if (id == PANEL_CORES)
			y += s->gap[0];
		else if (id == PANEL_TREND)
			y += s->gap[1];
		else if (id == PANEL_BUSIEST)
			y = in->h - 1 - rows[PANEL_TRUST] - rows[PANEL_LEGEND] -
			    rows[PANEL_BUSIEST];
		place_panel(l, id, &y, in->w,
			    rows[id] + (id == PANEL_CLUSTERS ? s->titles : 0));
	}
}

static void
overview_plain(struct layout *l, const struct layout_input *in)
{
	struct stack s = { .left = in->h - 2 };
	int n = (int)in->nclusters;

	/* Many clusters scroll: the lines that explain them come first. */
	int room = s.left - 4;

	if (n > room && in->ncpus >= OUTLIERS_FROM && in->h >= 16)
		room -= OUTLIERS_H;
	s.rows[PANEL_CLUSTERS] =
		take_rows(&s, in->h >= 10 ? min_int(n, room) : n);
	s.rows[PANEL_HEADLINE] = take_rows(&s, headline_rows(in));
	s.rows[PANEL_PRESETS] = take_rows(&s, 1);
	s.titles = take_rows(&s, 1);
	s.rows[PANEL_NOTICE] = take_rows(&s, notice_rows(in));
	stack_cores(&s, l, in);
	stack_rest(&s, in);
	stack_place(&s, l, in);
}

/* The row of charts, h high: one or two, and the bottlenecks. */
static void
charts_place(struct layout *l, const struct layout_input *in, int y, int h)
{
	int w = in->w, first = w * 11 / 20, second = 0;

	if (w >= 150) {
		first = w * 2 / 5;
		second = w * 3 / 10;
	}
	l->panel[PANEL_CHART] = (struct rect){ 0, y, first, h };
	if (second > 0) {
		l->panel[PANEL_CHART2] = (struct rect){ first, y, second, h };
	} else if (h >= 24) {
		int below = h / 2;

		l->panel[PANEL_CHART].h = h - below;
		l->panel[PANEL_CHART2] =
			(struct rect){ 0, y + h - below, first, below };
	}
	int x = first + second, bars = min_int(h, losses_rows(in));

	/* What is left below the bars explains the columns. */
	if (h - bars < CHART_H)
		bars = h;
	l->panel[PANEL_BOTTLENECKS] = (struct rect){ x, y, w - x, bars };
	l->panel[PANEL_EXPLAIN] = (struct rect){ x, y + bars, w - x, h - bars };
}

/*
 * Beside tables from row y on that leave no room below them for charts: these
 * and the lost slots, one above the other.
 */
static bool
side_place(struct layout *l, const struct layout_input *in, int y, int h)
{
	enum { TWO_CHARTS_H = 20 };
	static const enum panel_id tables[] = { PANEL_CLUSTERS, PANEL_CORES,
						PANEL_OUTLIERS };
	int w = side_width(in), x = in->w - w;
	int losses = min_int(losses_rows(in), h - CHART_H);
	int charts = h - losses;
	int second = charts >= TWO_CHARTS_H ? charts / 2 : 0;

	if (w == 0 || losses < LOSSES_H)
		return false;
	for (unsigned i = 0; i < sizeof tables / sizeof *tables; i++)
		l->panel[tables[i]].w = x;
	l->tables_w = x;
	l->panel[PANEL_CHART] = (struct rect){ x, y, w, charts - second };
	l->panel[PANEL_CHART2] =
		(struct rect){ x, y + charts - second, w, second };
	l->panel[PANEL_BOTTLENECKS] = (struct rect){ x, y + charts, w, losses };
	return true;
}

/*
 * Whose work it is comes behind the cores, and before charts and events: as
 * much as leaves all of the losses, but three rows at least.
 */
static int
busiest_rows(const struct layout_input *in, int left)
{
	int want = in->rows[PANEL_BUSIEST], room = left - 1; /* trust */

	if (want <= 0 || room < BUSIEST_LEAST)
		return 0;
	if (room - BUSIEST_H < CHART_H)
		return min_int(room, want);
	return min_int(want, max_int(BUSIEST_H, room - losses_rows(in)));
}

/* The list of cores, or as much of it as there is room for; 0: none. */
static int
cores_rows_boxed(struct layout *l, const struct layout_input *in, int left)
{
	int all = core_rows(in) + 3;
	bool who = in->rows[PANEL_BUSIEST] > 0;

	if (left >= all + (who ? BUSIEST_LEAST + 1 : 0))
		return all;
	l->cells = cells_fit(in, true);
	if (l->cells || left < 6)
		return 0;
	return min_int(all, who && left >= 2 * BUSIEST_H + 1
				    ? left - BUSIEST_H - 1
				    : left);
}

static void
overview_boxed(struct layout *l, const struct layout_input *in)
{
	int y = 1, notice = notice_rows(in), headline = headline_rows(in);
	int ages = in->ages, left = in->h - 3 - notice - headline - ages;
	int rows = min_int((int)in->nclusters, max_int(1, left - 4 - EVENTS_H));
	bool many = in->ncpus >= OUTLIERS_FROM, scroll = false;

	/* Clusters that scroll leave room for the outliers. */
	if (many && rows < (int)in->nclusters && rows > 2 * OUTLIERS_H) {
		rows -= OUTLIERS_H;
		scroll = true;
	}
	place_panel(l, PANEL_PRESETS, &y, in->w, 1);
	place_panel(l, PANEL_HEADLINE, &y, in->w, headline);
	place_panel(l, PANEL_NOTICE, &y, in->w, notice);
	l->cluster_titles = 2 + ages;
	l->core_titles = 1;
	int tables_y = y;

	place_panel(l, PANEL_CLUSTERS, &y, in->w, 4 + ages + rows);
	left -= 4 + rows;
	int cores = cores_rows_boxed(l, in, left);

	place_panel(l, PANEL_CORES, &y, in->w, cores);
	left -= cores;
	if (many && cores < core_rows(in) + 3 &&
	    (scroll || left >= CHART_H + EVENTS_H + OUTLIERS_H)) {
		place_panel(l, PANEL_OUTLIERS, &y, in->w, OUTLIERS_H);
		left -= OUTLIERS_H;
	}
	int busiest = busiest_rows(in, left), want = in->rows[PANEL_BUSIEST];

	left -= busiest;
	int more = max_int(0, min_int(want - busiest, left - 1));

	if (cores > 0 && left - more < CHART_H && (busiest > 0 || want <= 0) &&
	    side_place(l, in, tables_y, y - tables_y)) {
		busiest += more;
		left -= more;
	}
	/* Events come where nothing else would be cut for them. */
	int events = left == EVENTS_H || left >= losses_rows(in) + EVENTS_H
			     ? EVENTS_H
			     : 0;
	int trust = events == 0 && left > 0 && left != CHART_H;

	left -= events + trust;
	if (left >= CHART_H && l->tables_w == in->w) {
		charts_place(l, in, y, left);
		y += left;
	}
	place_panel(l, PANEL_BUSIEST, &y, in->w, busiest);
	place_panel(l, PANEL_EVENTS, &y, in->w, events);
	y = in->h - 1 - trust;
	place_panel(l, PANEL_TRUST, &y, in->w, trust);
}

/* Rows of a panel alone that leaves room for a chart below it; else all. */
static int
alone_and_chart(struct layout *l, const struct layout_input *in, int y,
		int left, int want)
{
	if (left - want < CHART_H)
		return left;
	l->panel[PANEL_CHART] =
		(struct rect){ 0, y + want, in->w, left - want };
	return want;
}

/*
 * What is slow, above a panel that does not say it itself; on low screens not
 * at the cost of a core's row.
 */
static int
alone_headline(const struct layout *l, const struct layout_input *in,
	       enum panel_id id)
{
	int others = 3 + notice_rows(in) + l->core_titles;

	if (id == PANEL_DETAIL || in->h < ALONE_HEADLINE_H ||
	    (id == PANEL_CORES && in->h < BOXED_H &&
	     others + core_rows(in) >= in->h))
		return 0;
	return headline_rows(in);
}

/* One panel alone below the presets. */
static void
view_alone(struct layout *l, const struct layout_input *in, enum panel_id id)
{
	int y = 1, notice = notice_rows(in);

	l->core_titles = in->h >= 12 ? 2 + in->ages : 1;
	place_panel(l, PANEL_PRESETS, &y, in->w, 1);
	place_panel(l, PANEL_HEADLINE, &y, in->w, alone_headline(l, in, id));
	place_panel(l, PANEL_NOTICE, &y, in->w, notice);
	int left = in->h - 1 - y;

	if (id == PANEL_CHART && left >= 24) {
		place_panel(l, PANEL_CHART2, &y, in->w, left / 2);
		left -= left / 2;
		/* the metric's chart above, IPC's below */
		l->panel[PANEL_CHART] = l->panel[PANEL_CHART2];
		l->panel[PANEL_CHART2] = (struct rect){ 0, y, in->w, left };
		return;
	}
	if (id == PANEL_DETAIL && left >= 18) {
		/* The list to select in stays below. */
		int list = min_int(max_int(left / 3, 7), core_rows(in) + 4);
		int detail = min_int(max_int(in->rows[PANEL_DETAIL], 8),
				     left - list);

		place_panel(l, id, &y, in->w, detail);
		left -= detail;
		id = PANEL_CORES;
	}
	if (id == PANEL_CORES)
		left = alone_and_chart(l, in, y, left,
				       core_rows(in) + l->core_titles +
					       (l->boxed ? 2 : 1));
	if (id == PANEL_BOTTLENECKS || id == PANEL_EVENTS)
		left = alone_and_chart(l, in, y, left,
				       max_int(in->rows[id], LIST_LEAST));
	place_panel(l, id, &y, in->w, left);
}

/* The list; below it two panels of the process that is open. */
static void
view_processes(struct layout *l, const struct layout_input *in)
{
	int y = 1, notice = notice_rows(in), w = in->w;
	int headline = min_int(in->rows[PANEL_HEADLINE],
			       in->h >= 20 ? 2 : in->h >= LIST_LEAST);
	int trust = in->h >= LIST_LEAST;
	int below = in->rows[PANEL_PROCESS_CHART];

	place_panel(l, PANEL_PRESETS, &y, w, 1);
	place_panel(l, PANEL_HEADLINE, &y, w, headline);
	place_panel(l, PANEL_NOTICE, &y, w, notice);
	l->process_titles = l->boxed ? 2 : 1;
	int left = in->h - 1 - trust - y;

	if (!l->boxed || left - below < LIST_LEAST)
		below = 0;
	place_panel(l, PANEL_PROCESSES, &y, w, left - below);
	l->panel[PANEL_PROCESS_CHART] =
		(struct rect){ 0, y, w * 11 / 20, below };
	l->panel[PANEL_PROCESS_KINDS] =
		(struct rect){ w * 11 / 20, y, w - w * 11 / 20, below };
	y += below;
	place_panel(l, PANEL_TRUST, &y, w, trust);
}

/*
 * Panels without a place of their own: above the last line of the overview,
 * all the width, where enough is left for the others. The rows they take.
 */
static int
below_place(struct layout *l, const struct layout_input *in)
{
	int left = in->h;

	if (in->view != VIEW_OVERVIEW)
		return 0;
	for (int i = PANEL_PLACES - 1; i >= PANEL_BELOW; i--) {
		int h = in->rows[i];

		if (h <= 0 || left - h < BELOW_FROM)
			continue;
		left -= h;
		l->panel[i] = (struct rect){ 0, left - 1, in->w, h };
	}
	return in->h - left;
}

void
layout_make(const struct layout_input *input, struct layout *out)
{
	static const enum panel_id alone[VIEW_COUNT] = {
		[VIEW_CORES] = PANEL_CORES,
		[VIEW_CHART] = PANEL_CHART,
		[VIEW_POWER] = PANEL_POWER,
		[VIEW_BOTTLENECKS] = PANEL_BOTTLENECKS,
		[VIEW_EVENTS] = PANEL_EVENTS,
		[VIEW_DETAIL] = PANEL_DETAIL,
	};

	const struct layout_input *in = input;
	struct layout_input rest = *input;

	memset(out, 0, sizeof *out);
	if (in->w < LAYOUT_MIN_W || in->h < LAYOUT_MIN_H) {
		out->too_small = true;
		return;
	}
	/* A recording has a line for where one is in it. */
	int keys = in->h >= KEYS_FROM && in->rows[PANEL_KEYS] > 1 ? 2 : 1;

	int views = in->h >= VIEWS_FROM;

	rest.h -= keys - 1 + views;
	rest.h -= below_place(out, &rest);
	in = &rest;
	out->boxed = in->w >= BOXED_W && in->h >= BOXED_H;
	out->tables_w = in->w;
	out->panel[PANEL_HEADER] = (struct rect){ 0, 0, in->w, 1 };
	out->panel[PANEL_KEYS] =
		(struct rect){ 0, input->h - keys, in->w, keys };
	if (in->view == VIEW_PROCESSES)
		view_processes(out, in);
	else if (in->view != VIEW_OVERVIEW)
		view_alone(out, in, alone[in->view]);
	else if (out->boxed)
		overview_boxed(out, in);
	else
		overview_plain(out, in);
	for (int i = 0; i < PANEL_PLACES; i++)
		if (out->panel[i].h <= 0)
			out->panel[i] = (struct rect){ 0, 0, 0, 0 };
		else if (i != PANEL_HEADER && i != PANEL_KEYS)
			out->panel[i].y += views;
	if (views > 0)
		out->panel[PANEL_VIEWS] = (struct rect){ 0, 1, in->w, 1 };
	table_make(out, in);
}

bool
layout_framed(const struct layout *l, enum panel_id panel)
{
	switch (panel) {
	case PANEL_CLUSTERS:
	case PANEL_CORES:
	case PANEL_PROCESSES:
		return l->boxed;
	case PANEL_PROCESS_CHART:
	case PANEL_PROCESS_KINDS:
	case PANEL_CHART:
	case PANEL_CHART2:
	case PANEL_BOTTLENECKS:
	case PANEL_EXPLAIN:
	case PANEL_DETAIL:
	case PANEL_EVENTS:
		return l->panel[panel].h >= 4;
	case PANEL_BUSIEST:
		return l->panel[panel].h >= BUSIEST_H;
	default:
		return false;
	}
}

struct rect
layout_inside(const struct layout *l, enum panel_id panel)
{
	struct rect r = l->panel[panel];

	if (layout_framed(l, panel)) {
		r.x += 2;
		r.w -= 4;
		r.y += 1;
		r.h -= 2;
	} else if (r.w > 2) {
		r.x += 1;
		r.w -= 2;
	}
	return r;
}

int
layout_rows(const struct layout *l, enum panel_id panel)
{
	int titles = panel == PANEL_CLUSTERS    ? l->cluster_titles
		     : panel == PANEL_CORES     ? l->core_titles
		     : panel == PANEL_PROCESSES ? l->process_titles
						: 0;

	return max_int(0, layout_inside(l, panel).h - titles);
}
