#include "ui/view/layout_inner.h"

#include "model/bottleneck.h"

#include <string.h>

enum {
	BOXED_H = 29, /* least height for borders, without the line of views */
	OUTLIERS_FROM = 17, /* least number of CPUs for a list of outliers */
	OUTLIERS_H = 3,
	CHART_H = 7,
	LOSSES_H = 10,
	EVENTS_H = 6,
	KEYS_FROM = 12,
	FRAMED_LEAST = 4, /* a border, titles and one row */
	VIEWS_FROM = 20,  /* least height with a line for the views */
	ALONE_HEADLINE_H = 16,
	LIST_LEAST = 14,
	BELOW_FROM = 45,   /* least rows above panels of PANEL_BELOW */
	BUSIEST_H = 6,     /* titles and three rows with a border */
	BUSIEST_LEAST = 2, /* titles and a row */
	GROUP_W = 48
};

static int
cores_listed(const struct layout_input *in)
{
	return (int)(in->core_rows > 0 ? in->core_rows : in->ncpus);
}

static int
notice_rows(const struct layout_input *in)
{
	return min_int(in->rows[PANEL_NOTICE], in->h >= 16  ? 3
					       : in->h >= 8 ? 1
							    : 0);
}

/* On low screens a notice replaces the headline. */
static int
headline_rows(const struct layout_input *in)
{
	if (notice_rows(in) > 0 && in->h < BOXED_H)
		return 0;
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

struct stack {
	int left, rows[PANEL_PLACES];
	bool heads;
	int titles, gap[2];
};

static int
stack_take_rows(struct stack *s, int want)
{
	int got = min_int(want, s->left);

	s->left -= got;
	return got;
}

static void
stack_cores(struct stack *s, struct layout *l, const struct layout_input *in)
{
	int need = cores_listed(in) + 1;

	if (s->left >= need)
		s->rows[PANEL_CORES] = stack_take_rows(s, need);
	else if (layout_cells_fit(in, false))
		l->cells = true;
	else if (s->left >= 3)
		s->rows[PANEL_CORES] = stack_take_rows(s, s->left);
}

static int
losses_rows(const struct layout_input *in)
{
	return LOSSES_H + (int)in->nclusters;
}

static void
stack_rest_rows(struct stack *s, const struct layout_input *in)
{
	int nclusters = (int)in->nclusters, ncpus = cores_listed(in);
	int *rows = s->rows;

	rows[PANEL_QUALITY] = stack_take_rows(s, 1);
	if (in->rows[PANEL_BUSIEST] > 0 && s->left >= BUSIEST_LEAST)
		rows[PANEL_BUSIEST] = stack_take_rows(s, BUSIEST_H - 2);
	rows[PANEL_LEGEND] = stack_take_rows(s, 1);
	if (s->left >= 2 && ncpus >= OUTLIERS_FROM &&
	    rows[PANEL_CORES] - 1 < ncpus)
		rows[PANEL_OUTLIERS] = stack_take_rows(s, 2);
	if (in->w >= GROUP_W && s->titles > 0 && stack_take_rows(s, 1) > 0) {
		s->heads = true;
		s->titles += 1 + stack_take_rows(s, in->ages);
	}
	if (s->left >= CHART_H + LOSSES_H) {
		rows[PANEL_BOTTLENECKS] = stack_take_rows(
			s, min_int(losses_rows(in), s->left - CHART_H));
		if (s->left >= CHART_H + EVENTS_H + 8)
			rows[PANEL_EVENTS] = stack_take_rows(s, EVENTS_H + 4);
	}
	if (rows[PANEL_BOTTLENECKS] > 0 || s->left >= CHART_H + 2) {
		rows[PANEL_CHART] = stack_take_rows(s, s->left);
		return;
	}
	rows[PANEL_TREND] =
		s->left > nclusters ? stack_take_rows(s, 1 + nclusters) : 0;
	s->gap[0] = rows[PANEL_TREND] > 0 ? stack_take_rows(s, 1) : 0;
	s->gap[1] = stack_take_rows(s, 1);
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
		PANEL_QUALITY
	};
	const int *rows = s->rows;
	int y = 1;

	l->cluster_titles = s->titles;
	l->cluster_heads = s->heads;
	l->core_titles = 1;
	for (unsigned i = 0; i < sizeof from_above / sizeof *from_above; i++) {
		enum panel_id id = from_above[i];

		if (id == PANEL_TREND)
			y += s->gap[0];
		else if (id == PANEL_BUSIEST)
			y = in->h - 1 - rows[PANEL_QUALITY] -
			    rows[PANEL_LEGEND] - rows[PANEL_BUSIEST];
		place_panel(l, id, &y, in->w,
			    rows[id] + (id == PANEL_CLUSTERS ? s->titles : 0));
	}
}

static void
overview_plain(struct layout *l, const struct layout_input *in)
{
	struct stack s = { .left = in->h - 2 };
	int n = (int)in->nclusters;

	int room = s.left - 4;

	if (n > room && in->ncpus >= OUTLIERS_FROM && in->h >= 16)
		room -= OUTLIERS_H;
	s.rows[PANEL_CLUSTERS] =
		stack_take_rows(&s, in->h >= 10 ? min_int(n, room) : n);
	s.rows[PANEL_HEADLINE] = stack_take_rows(&s, headline_rows(in));
	s.rows[PANEL_PRESETS] = stack_take_rows(&s, 1);
	s.titles = stack_take_rows(&s, 1);
	s.rows[PANEL_NOTICE] = stack_take_rows(&s, notice_rows(in));
	stack_cores(&s, l, in);
	l->all = in->all && s.rows[PANEL_CLUSTERS] == n &&
		 stack_take_rows(&s, 1) > 0;
	s.rows[PANEL_CLUSTERS] += l->all;
	stack_rest_rows(&s, in);
	stack_place(&s, l, in);
}

static void
charts_row_place(struct layout *l, const struct layout_input *in, int y, int h)
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

	if (h - bars < CHART_H)
		bars = h;
	l->panel[PANEL_BOTTLENECKS] = (struct rect){ x, y, w - x, bars };
	l->panel[PANEL_EXPLAIN] = (struct rect){ x, y + bars, w - x, h - bars };
}

/* Places charts and lost slots beside the tables. False: there is no space. */
static bool
side_place(struct layout *l, const struct layout_input *in, int y, int h)
{
	enum { TWO_CHARTS_H = 20 };
	static const enum panel_id tables[] = { PANEL_CLUSTERS, PANEL_CORES,
						PANEL_OUTLIERS };
	int w = layout_side_width(in), x = in->w - w;
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

static int
busiest_rows(const struct layout_input *in, int left)
{
	int want = in->rows[PANEL_BUSIEST], room = left - 1;

	if (want <= 0 || room < BUSIEST_LEAST)
		return 0;
	if (room - BUSIEST_H < CHART_H)
		return min_int(room, want);
	return min_int(want, max_int(BUSIEST_H, room - losses_rows(in)));
}

static int
cores_rows_boxed(struct layout *l, const struct layout_input *in, int left)
{
	int all = cores_listed(in) + 3;
	bool who = in->rows[PANEL_BUSIEST] > 0;

	if (left >= all + (who ? BUSIEST_LEAST + 1 : 0))
		return all;
	l->cells = layout_cells_fit(in, true);
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
	int ages = in->ages, all = in->all;
	int left = in->h - 3 - notice - headline - ages - all;
	int rows = min_int((int)in->nclusters, max_int(1, left - 3 - EVENTS_H));
	bool many = in->ncpus >= OUTLIERS_FROM, scroll = false;

	if (many && rows < (int)in->nclusters && rows > 2 * OUTLIERS_H) {
		rows -= OUTLIERS_H;
		scroll = true;
	}
	l->all = all;
	place_panel(l, PANEL_PRESETS, &y, in->w, 1);
	place_panel(l, PANEL_HEADLINE, &y, in->w, headline);
	place_panel(l, PANEL_NOTICE, &y, in->w, notice);
	l->cluster_titles = 1 + ages;
	l->core_titles = 1;
	int tables_y = y;

	place_panel(l, PANEL_CLUSTERS, &y, in->w, 3 + ages + rows + all);
	left -= 3 + rows;
	int cores = cores_rows_boxed(l, in, left);

	place_panel(l, PANEL_CORES, &y, in->w, cores);
	left -= cores;
	if (many && cores < cores_listed(in) + 3 &&
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
	int events = left == EVENTS_H || left >= losses_rows(in) + EVENTS_H
			     ? EVENTS_H
			     : 0;
	int quality = events == 0 && left > 0 && left != CHART_H;

	left -= events + quality;
	if (left >= CHART_H && l->tables_w == in->w) {
		charts_row_place(l, in, y, left);
		y += left;
	}
	place_panel(l, PANEL_BUSIEST, &y, in->w, busiest);
	place_panel(l, PANEL_EVENTS, &y, in->w, events);
	/* The remaining rows are too few for a chart. */
	if (left >= FRAMED_LEAST && left < CHART_H &&
	    l->panel[PANEL_BOTTLENECKS].h == 0)
		place_panel(l, PANEL_BOTTLENECKS, &y, in->w, left);
	y = in->h - 1 - quality;
	place_panel(l, PANEL_QUALITY, &y, in->w, quality);
}

static int
list_and_chart_place(struct layout *l, const struct layout_input *in, int y,
		     int left, int want)
{
	if (left - want < CHART_H)
		return left;
	l->panel[PANEL_CHART] =
		(struct rect){ 0, y + want, in->w, left - want };
	return want;
}

static int
alone_headline_rows(const struct layout *l, const struct layout_input *in,
		    enum panel_id id)
{
	int others = 3 + notice_rows(in) + l->core_titles;

	if (in->h < (id == PANEL_DETAIL ? BOXED_H : ALONE_HEADLINE_H) ||
	    (id == PANEL_CORES && in->h < BOXED_H &&
	     others + cores_listed(in) >= in->h))
		return 0;
	return headline_rows(in);
}

static void
bottlenecks_view_place(struct layout *l, const struct layout_input *in, int y,
		       int left)
{
	enum { STRIPS_LEAST = 6, AROUND = 4, CHART_ROWS = 16 };
	int rows = BOTTLENECK_LOSSES + (int)in->nclusters;
	int all = rows + (int)in->ncpus, table = min_int(rows + 5, left);
	int strips = min_int(rows + AROUND, left - table), more;

	if (strips < STRIPS_LEAST) {
		table += strips;
		strips = 0;
	}
	left -= table + strips;
	more = min_int(max_int(left - CHART_ROWS, 0), (int)in->ncpus + 1);
	if (left < CHART_H)
		more = min_int(left, (int)in->ncpus + 1);
	table += more;
	left -= more;
	more = left < CHART_H ? left
			      : min_int(max_int(left - 2 * CHART_ROWS, 0),
					all + AROUND - strips);
	strips += strips > 0 ? more : 0;
	left -= strips > 0 ? more : 0;
	place_panel(l, PANEL_BOTTLENECKS, &y, in->w,
		    table + (left < CHART_H ? left : 0));
	place_panel(l, PANEL_STRIPS, &y, in->w, strips);
	place_panel(l, PANEL_CHART, &y, in->w, left < CHART_H ? 0 : left);
}

static void
view_alone_place(struct layout *l, const struct layout_input *in,
		 enum panel_id id)
{
	int y = 1, notice = notice_rows(in);

	l->core_heads = in->h >= 12;
	l->core_titles = l->core_heads ? 2 + in->ages : 1;
	place_panel(l, PANEL_PRESETS, &y, in->w, 1);
	place_panel(l, PANEL_HEADLINE, &y, in->w,
		    alone_headline_rows(l, in, id));
	place_panel(l, PANEL_NOTICE, &y, in->w, notice);
	int left = in->h - 1 - y;

	if (id == PANEL_CHART && left >= 24) {
		place_panel(l, PANEL_CHART2, &y, in->w, left / 2);
		left -= left / 2;
		l->panel[PANEL_CHART] = l->panel[PANEL_CHART2];
		l->panel[PANEL_CHART2] = (struct rect){ 0, y, in->w, left };
		return;
	}
	if (id == PANEL_DETAIL && left >= 18) {
		/* The list stays below the detail, for selecting rows. */
		enum { LEAST = 18 };
		int all = cores_listed(in) + 4, list = max_int(left / 4, 7);

		if (in->ncpus >= OUTLIERS_FROM && left - all >= LEAST)
			list = all;
		list = min_int(list, all);
		int detail = min_int(max_int(in->rows[PANEL_DETAIL], 8),
				     left - list);

		place_panel(l, id, &y, in->w, detail);
		left -= detail;
		id = PANEL_CORES;
	}
	if (id == PANEL_CORES)
		left = list_and_chart_place(l, in, y, left,
					    cores_listed(in) + l->core_titles +
						    (l->boxed ? 2 : 1));
	if (id == PANEL_BOTTLENECKS) {
		bottlenecks_view_place(l, in, y, left);
		return;
	}
	if (id == PANEL_EVENTS)
		left = list_and_chart_place(l, in, y, left,
					    max_int(in->rows[id], LIST_LEAST));
	place_panel(l, id, &y, in->w, left);
}

static void
view_processes_place(struct layout *l, const struct layout_input *in)
{
	int y = 1, notice = notice_rows(in), w = in->w;
	int headline = min_int(in->rows[PANEL_HEADLINE],
			       in->h >= 20 ? 2 : in->h >= LIST_LEAST);
	int quality = in->h >= LIST_LEAST;
	int below = in->rows[PANEL_PROCESS_CHART];

	place_panel(l, PANEL_PRESETS, &y, w, 1);
	place_panel(l, PANEL_HEADLINE, &y, w, headline);
	place_panel(l, PANEL_NOTICE, &y, w, notice);
	/* Without a border an extra line names the units of events. */
	l->process_titles =
		1 + (in->traced && !l->boxed && in->w >= 60 && in->h >= 20);
	int left = in->h - 1 - quality - y;

	if (!l->boxed || left - below < LIST_LEAST)
		below = 0;
	place_panel(l, PANEL_PROCESSES, &y, w, left - below);
	l->panel[PANEL_PROCESS_CHART] =
		(struct rect){ 0, y, w * 11 / 20, below };
	l->panel[PANEL_PROCESS_KINDS] =
		(struct rect){ w * 11 / 20, y, w - w * 11 / 20, below };
	y += below;
	place_panel(l, PANEL_QUALITY, &y, w, quality);
}

/* Places panels of PANEL_BELOW at the bottom of the overview. Returns the
 * number of their rows. */
static int
extra_panels_place(struct layout *l, const struct layout_input *in)
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
	/* In a replay PANEL_KEYS has a second line for the timeline. */
	int keys = in->h >= KEYS_FROM && in->rows[PANEL_KEYS] > 1 ? 2 : 1;

	int views = in->h >= VIEWS_FROM;

	rest.h -= keys - 1 + views;
	rest.h -= extra_panels_place(out, &rest);
	in = &rest;
	out->boxed = in->w >= LAYOUT_BOXED_W && in->h >= BOXED_H;
	out->tables_w = in->w;
	out->panel[PANEL_HEADER] = (struct rect){ 0, 0, in->w, 1 };
	out->panel[PANEL_KEYS] =
		(struct rect){ 0, input->h - keys, in->w, keys };
	if (in->view == VIEW_PROCESSES)
		view_processes_place(out, in);
	else if (in->view != VIEW_OVERVIEW)
		view_alone_place(out, in, alone[in->view]);
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
	layout_table_make(out, in);
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
	case PANEL_STRIPS:
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

	titles += panel == PANEL_CLUSTERS && l->all;
	return max_int(0, layout_inside(l, panel).h - titles);
}
