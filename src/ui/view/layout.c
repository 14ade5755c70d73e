#include "ui/view/layout_table.h"

#include <string.h>

const char *const layout_view_name[VIEW_COUNT] = {
	[VIEW_OVERVIEW] = "overview", [VIEW_CORES] = "cores",
	[VIEW_CHART] = "history",     [VIEW_BOTTLENECKS] = "bottlenecks",
	[VIEW_EVENTS] = "events",     [VIEW_DETAIL] = "detail",
};

const char *const view_group_name[VIEW_GROUPS] = {
	[GROUP_NONE] = "none",
	[GROUP_CLUSTER] = "cluster",
	[GROUP_KIND] = "kind",
	[GROUP_DIE] = "die",
};

enum {
	BOXED_H = 30,
	OUTLIERS_FROM = 17, /* CPUs: with fewer each is looked at anyway */
	OUTLIERS_H = 3,
	CHART_H = 7, /* least height that says something */
	EVENTS_H = 6,
	BELOW_FROM = 24, /* rows that the others keep */
	GROUP_W = 48     /* with less, no title over columns fits */
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

static void
place(struct layout *l, enum panel_id id, int *y, int w, int h)
{
	l->panel[id] = (struct rect){ 0, *y, w, h };
	*y += h;
}

struct stack { /* rows given to each part of a screen without boxes */
	int left;
	int presets, notice, group, title, clusters, cores, outliers, trend,
		chart, bottlenecks, events, legend, trust, gap[3];
};

static int
take(struct stack *s, int want)
{
	int got = min_int(want, s->left);

	s->left -= got;
	return got;
}

/* All of it or nothing. */
static int
take_whole(struct stack *s, int want)
{
	return s->left >= want ? take(s, want) : 0;
}

static void
stack_cores(struct stack *s, struct layout *l, const struct layout_input *in)
{
	int need = core_rows(in) + 1;

	if (s->left >= need)
		s->cores = take(s, need);
	else if (layout_cells_fit(in, false))
		l->cells = true;
	else if (s->left >= 3)
		s->cores = take(s, s->left);
}

/* Tall and narrow: boxes below the tables, else the trend as single lines. */
static void
stack_rest(struct stack *s, int nclusters, int ncpus)
{
	s->trust = take(s, 1);
	s->legend = take(s, 1);
	if (s->left >= 2 && ncpus >= OUTLIERS_FROM && s->cores - 1 < ncpus)
		s->outliers = take(s, 2);
	s->gap[0] = s->cores > 0 ? take(s, 1) : 0;
	if (s->left >= CHART_H + 6 + nclusters) {
		s->bottlenecks = take(s, max_int(nclusters, 1) + 5);
		if (s->left >= CHART_H + EVENTS_H + 8)
			s->events = take(s, EVENTS_H + 4);
		s->chart = take(s, s->left);
		return;
	}
	if (s->left >= CHART_H + 2) {
		s->chart = take(s, s->left);
		return;
	}
	s->trend = take_whole(s, 1 + nclusters);
	s->gap[1] = s->trend > 0 ? take(s, 1) : 0;
	s->gap[2] = take(s, 1);
}

static void
stack_place(const struct stack *s, struct layout *l,
	    const struct layout_input *in)
{
	int y = 1, w = in->w;

	place(l, PANEL_PRESETS, &y, w, s->presets);
	place(l, PANEL_NOTICE, &y, w, s->notice);
	l->cluster_titles = s->group + s->title;
	place(l, PANEL_CLUSTERS, &y, w, l->cluster_titles + s->clusters);
	y += s->gap[0];
	l->core_titles = 1;
	place(l, PANEL_CORES, &y, w, s->cores);
	place(l, PANEL_OUTLIERS, &y, w, s->outliers);
	y += s->gap[1];
	place(l, PANEL_TREND, &y, w, s->trend);
	place(l, PANEL_CHART, &y, w, s->chart);
	place(l, PANEL_BOTTLENECKS, &y, w, s->bottlenecks);
	place(l, PANEL_EVENTS, &y, w, s->events);
	y = in->h - 1 - s->trust - s->legend;
	place(l, PANEL_LEGEND, &y, w, s->legend);
	place(l, PANEL_TRUST, &y, w, s->trust);
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
	s.clusters = take(&s, in->h >= 10 ? min_int(n, room) : n);
	s.presets = take(&s, 1);
	s.title = take(&s, 1);
	s.notice = take(&s, notice_rows(in));
	stack_cores(&s, l, in);
	s.group = take(&s, in->w >= GROUP_W);
	stack_rest(&s, n, core_rows(in));
	stack_place(&s, l, in);
}

/* The row of charts, h high: one or two, and the bottlenecks. */
static void
charts_place(struct layout *l, const struct layout_input *in, int y, int h)
{
	int w = in->w, first = w * 3 / 5, second = 0;

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
	int x = first + second, bars = min_int(h, (int)in->nclusters + 6);

	/* What is left below the bars explains the columns. */
	if (h - bars < CHART_H)
		bars = h;
	l->panel[PANEL_BOTTLENECKS] = (struct rect){ x, y, w - x, bars };
	l->panel[PANEL_EXPLAIN] = (struct rect){ x, y + bars, w - x, h - bars };
}

static void
overview_boxed(struct layout *l, const struct layout_input *in)
{
	int y = 1, notice = notice_rows(in), left = in->h - 3 - notice;
	int rows = min_int((int)in->nclusters, max_int(1, left - 4 - EVENTS_H));
	bool many = in->ncpus >= OUTLIERS_FROM, scroll = false;
	int cores = core_rows(in) + 3, all = cores;

	/* Clusters that scroll leave room for the cores that stand out. */
	if (many && rows < (int)in->nclusters && rows > 2 * OUTLIERS_H) {
		rows -= OUTLIERS_H;
		scroll = true;
	}
	place(l, PANEL_PRESETS, &y, in->w, 1);
	place(l, PANEL_NOTICE, &y, in->w, notice);
	l->cluster_titles = 2;
	l->core_titles = 1;
	place(l, PANEL_CLUSTERS, &y, in->w, 4 + rows);
	left -= 4 + rows;
	if (left < cores && layout_cells_fit(in, true)) {
		l->cells = true;
		cores = 0;
	} else if (left < cores) {
		cores = left >= 6 ? left : 0;
	}
	place(l, PANEL_CORES, &y, in->w, cores);
	left -= cores;
	if (many && cores < all &&
	    (scroll || left >= CHART_H + EVENTS_H + OUTLIERS_H)) {
		place(l, PANEL_OUTLIERS, &y, in->w, OUTLIERS_H);
		left -= OUTLIERS_H;
	}
	int events =
		left == EVENTS_H || left >= CHART_H + EVENTS_H ? EVENTS_H : 0;

	if (left - events >= CHART_H) {
		charts_place(l, in, y, left - events);
		y += left - events;
	}
	place(l, PANEL_EVENTS, &y, in->w, events);
}

/* A short list leaves room for a chart below it; the rows of the list. */
static int
cores_and_chart(struct layout *l, const struct layout_input *in, int y,
		int left)
{
	int list = core_rows(in) + l->core_titles + (l->boxed ? 2 : 1);

	if (left - list < CHART_H)
		return left;
	l->panel[PANEL_CHART] =
		(struct rect){ 0, y + list, in->w, left - list };
	return list;
}

/* One panel alone below the presets. */
static void
view_alone(struct layout *l, const struct layout_input *in, enum panel_id id)
{
	int y = 1, notice = notice_rows(in);

	place(l, PANEL_PRESETS, &y, in->w, 1);
	place(l, PANEL_NOTICE, &y, in->w, notice);
	l->core_titles = in->h >= 12 ? 2 : 1;
	int left = in->h - 1 - y;

	if (id == PANEL_CHART && left >= 24) {
		place(l, PANEL_CHART2, &y, in->w, left / 2);
		left -= left / 2;
		/* the metric's chart above, IPC's below */
		l->panel[PANEL_CHART] = l->panel[PANEL_CHART2];
		l->panel[PANEL_CHART2] = (struct rect){ 0, y, in->w, left };
		return;
	}
	if (id == PANEL_DETAIL && left >= 18) {
		/* The list to select in stays below. */
		int list = min_int(left / 2, core_rows(in) + 4);
		int detail = min_int(max_int(in->rows[PANEL_DETAIL], 8),
				     left - list);

		place(l, id, &y, in->w, detail);
		left -= detail;
		id = PANEL_CORES;
	}
	if (id == PANEL_CORES)
		left = cores_and_chart(l, in, y, left);
	place(l, id, &y, in->w, left);
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
	rest.h -= below_place(out, input);
	in = &rest;
	out->boxed = in->w >= LAYOUT_BOXED_W && in->h >= BOXED_H &&
		     !(in->dense && in->view == VIEW_OVERVIEW);
	out->panel[PANEL_HEADER] = (struct rect){ 0, 0, in->w, 1 };
	out->panel[PANEL_KEYS] = (struct rect){ 0, input->h - 1, in->w, 1 };
	if (in->view != VIEW_OVERVIEW)
		view_alone(out, in, alone[in->view]);
	else if (out->boxed)
		overview_boxed(out, in);
	else
		overview_plain(out, in);
	for (int i = 0; i < PANEL_PLACES; i++)
		if (out->panel[i].h <= 0)
			out->panel[i] = (struct rect){ 0, 0, 0, 0 };
	layout_table_make(out, in);
}

bool
layout_framed(const struct layout *l, enum panel_id panel)
{
	switch (panel) {
	case PANEL_CLUSTERS:
	case PANEL_CORES:
		return l->boxed;
	case PANEL_CHART:
	case PANEL_CHART2:
	case PANEL_BOTTLENECKS:
	case PANEL_EXPLAIN:
	case PANEL_DETAIL:
	case PANEL_EVENTS:
		return l->panel[panel].h >= 4;
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
	int titles = panel == PANEL_CLUSTERS ? l->cluster_titles
		     : panel == PANEL_CORES  ? l->core_titles
					     : 0;

	return max_int(0, layout_inside(l, panel).h - titles);
}
