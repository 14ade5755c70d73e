#include "ui/view/view.h"

#include <stdlib.h>
#include <string.h>

static void
cursor_move(struct view *v, int by)
{
	struct rows *r = view_rows(v);
	bool away = v->cores.cursor_away && v->kind != VIEW_PROCESSES;
	bool first = (!r->cursor_on || away) && (by == 1 || by == -1);
	bool here = away && v->kind == VIEW_DETAIL;

	r->cursor_on = r->cursor_moved = true;
	v->procs->cursor_step = by;
	/* The first press of an arrow key only shows the cursor. */
	r->cursor = first                   ? (here ? r->cursor : r->top)
		    : by < -(long)r->cursor ? 0
					    : (unsigned)((long)r->cursor + by);
	if (v->kind == VIEW_PROCESSES || v->cores.norder == 0)
		return;
	/* Enter may arrive before the next draw, which also sets lost.opens. */
	unsigned last = v->cores.norder - 1,
		 scope = v->cores.order[r->cursor < last ? r->cursor : last];

	if ((scope & VIEW_DIE) == 0)
		v->lost.opens = scope;
}

static int
list_step(int at, int by, int n)
{
	return at + by < 0 ? 0 : at + by >= n ? n - 1 : at + by;
}

void
view_move(struct view *v, int by)
{
	if (v->over.which == OVERLAY_HELP) {
		help_scroll(&v->over.help, by);
	} else if (v->over.which == OVERLAY_PRESETS) {
		v->over.choice =
			list_step(v->over.choice, by, (int)view_presets(v));
	} else if (v->over.which == OVERLAY_MARKERS) {
		v->over.marker = list_step(v->over.marker, by, VIEW_FAR);
	} else if (v->over.which == OVERLAY_SORT) {
		int column[COLUMNS_OF_ROWS];

		v->over.sort_at = list_step(v->over.sort_at, by,
					    (int)view_sort_choices(v, column));
	} else if (v->over.which == OVERLAY_PICKER) {
		while (by != 0) {
			(void)picker_key(&v->over.picker,
					 by < 0 ? KEY_UP_ARROW : KEY_DOWN_ARROW,
					 NULL);
			by += by < 0 ? 1 : -1;
		}
	} else {
		cursor_move(v, by);
	}
}

static void
view_go_back(struct view *v)
{
	v->kind = v->before != v->kind ? v->before : VIEW_OVERVIEW;
	v->before = VIEW_OVERVIEW;
	v->cores.unfolded = false;
	v->list.cursor = v->list.top = 0;
}

static void
comparison_end(struct view *v)
{
	v->reference.then = NULL;
	if (v->reference.sorted && v->list.sort == v->metric.lost)
		v->list.sort = SORT_NUMBER;
	v->reference.sorted = false;
}

void
view_close(struct view *v, int arg)
{
	(void)arg;
	if (v->over.which != OVERLAY_NONE)
		v->over.which = OVERLAY_NONE;
	else if (v->reference.then != NULL)
		comparison_end(v);
	else if (v->kind == VIEW_PROCESSES && processes_close(v->procs))
		return;
	else if (v->list.filter[0] != 0 && v->kind != VIEW_PROCESSES)
		v->list.filter[0] = 0;
	else if (v->cores.unfolded && v->kind != VIEW_PROCESSES)
		v->cores.unfolded = false;
	else if (v->kind != VIEW_OVERVIEW)
		view_go_back(v);
	else
		v->list.cursor_on = false;
}

void
view_type(struct view *v, int key)
{
	char *text = view_rows(v)->filter;

	if (key == KEY_RETURN) {
		/* The prompt stays and shows the filter's error. */
		if (view_filter_wrong(v, view_rows(v)) != NULL)
			return;
		v->line.typing = false;
	} else if (key == KEY_ESCAPE || key == KEY_CTRL_C) {
		v->line.typing = false;
		memcpy(text, v->line.filter_before, VIEW_FILTER_SIZE);
	} else {
		key_type(text, VIEW_FILTER_SIZE, key);
	}
	if (v->kind == VIEW_PROCESSES)
		return;
	v->list.cursor = v->list.top = 0;
	v->list.cursor_moved = true;
}

static bool
rect_has(struct rect r, int x, int y)
{
	return x >= r.x && x < r.x + r.w && y >= r.y && y < r.y + r.h;
}

static void
list_click_title(struct view *v, int x)
{
	const struct layout_table *t = &v->lay.table;
	int sort = x < t->bottleneck_x ? SORT_NUMBER
		   : x < t->ipc_x      ? v->metric.lost
		   : x < t->bar_x      ? v->metric.main
				       : COLUMN_NONE;

	for (unsigned i = 0; i < t->ncols; i++)
		if (x > t->col[i].x && x <= t->col[i].x + t->col[i].w)
			sort = t->col[i].metric;
	if (sort != COLUMN_NONE)
		view_sort_set(v, sort);
}

static void
list_click_process(struct view *v, int x, int y)
{
	struct rect r = layout_inside(&v->lay, PANEL_PROCESSES);
	int row = y - r.y - v->lay.process_titles;

	if (rect_has(v->lay.panel[PANEL_PROCESSES], x, y) && row >= 0)
		processes_move_cursor(v->procs,
				      processes_line(v->procs, (unsigned)row));
}

static void
list_click(struct view *v, int x, int y)
{
	if (v->kind == VIEW_PROCESSES) {
		list_click_process(v, x, y);
		return;
	}
	bool cores = v->lay.panel[PANEL_CORES].h > 0;
	enum panel_id list = cores ? PANEL_CORES : PANEL_CLUSTERS;
	struct rect r = layout_inside(&v->lay, list);
	int titles = cores ? v->lay.core_titles : v->lay.cluster_titles;

	if (!rect_has(v->lay.panel[list], x, y) || y < r.y)
		return;
	if (y - r.y < titles) {
		if (y - r.y ==
		    (cores ? v->lay.core_heads : v->lay.cluster_heads))
			list_click_title(v, x - r.x);
		return;
	}
	if (y - r.y - titles >= layout_rows(&v->lay, list))
		return;
	unsigned row = view_line(v, (unsigned)(y - r.y - titles));

	if (row >= v->cores.norder)
		return;
	v->cores.unfolded |= view_is_fold(v->cores.order[row]);
	v->list.cursor_on = v->list.cursor_moved = true;
	v->list.cursor = row;
}

int
view_mouse(struct view *v, int key)
{
	enum { WHEEL_ROWS = 3 };
	int kind = key & KEY_MOUSE_MASK;
	int x = key >> 12 & KEY_MOUSE_SIDE, y = key & KEY_MOUSE_SIDE;

	/* Search backwards: the area drawn last is on top. */
	for (unsigned i = v->hits->n; kind == KEY_MOUSE_CLICK && i-- > 0;) {
		const struct view_hit *h = &v->hits->at[i];

		if (y == h->y && x >= h->x && x < h->x + h->w)
			return h->key;
	}
	if (kind == KEY_MOUSE_CLICK) {
		if (v->over.which == OVERLAY_NONE)
			list_click(v, x, y);
		return KEY_NONE;
	}
	if (v->over.which == OVERLAY_NONE)
		view_rows(v)->cursor_on = true;
	view_move(v, kind == KEY_MOUSE_UP ? -WHEEL_ROWS : WHEEL_ROWS);
	return KEY_NONE;
}

void
view_go(struct view *v, int kind)
{
	if (v->kind != (enum layout_view)kind)
		v->before = v->kind;
	v->kind = (enum layout_view)kind;
	v->cores.unfolded = false;
	v->list.cursor = v->list.top = 0;
}

bool
view_open(struct view *v)
{
	if (v->lost.opens == VIEW_DIE)
		return false;
	view_go(v, VIEW_DETAIL);
	v->list.cursor_on = v->cores.listed = true;
	v->list.cursor_moved = false;
	v->cores.selected = v->lost.opens;
	return true;
}

void
view_go_by(struct view *v, int step)
{
	view_go(v, ((int)v->kind + step + VIEW_COUNT) % VIEW_COUNT);
}

void
view_group_next(struct view *v)
{
	do
		v->cores.group =
			(enum view_group)((v->cores.group + 1) % VIEW_GROUPS);
	while (v->cores.group != GROUP_NONE && view_headings(v) < 2);
}

void
view_scrub(struct view *v, int seconds)
{
	double period = v->when.period_s > 0 ? v->when.period_s : 1;
	double frames = abs(seconds) / period;
	unsigned n = abs(seconds) > 1 && frames > 1 ? (unsigned)frames : 1;

	if (!v->when.paused)
		return;
	if (seconds < 0)
		v->when.scrub += n; /* limited by the next draw */
	else
		v->when.scrub -= n < v->when.scrub ? n : v->when.scrub;
}

void
view_scrub_end(struct view *v, bool oldest)
{
	v->when.scrub = oldest ? VIEW_FAR : 0;
}

void
view_overlay(struct view *v, enum overlay which, int preset)
{
	v->over.which = v->over.which == which ? OVERLAY_NONE : which;
	help_open(&v->over.help);
	if (preset >= 0)
		v->over.choice = preset;
}

void
view_zoom_next(struct view *v, int arg)
{
	static const unsigned cell[] = { 1, 5, 15, 60, VIEW_CELL_ALL };
	unsigned i = 1, n = sizeof cell / sizeof *cell;

	(void)arg;
	/* Skip cells of at most one interval: they look like no zoom. */
	while (cell[i] <= v->chart.cell_s ||
	       (v->s != NULL &&
		(uint64_t)cell[i] * 1000000000 <= (uint64_t)v->s->period_ns))
		if (++i == n) {
			i = 0;
			break;
		}
	v->chart.cell_s = cell[i];
}

void
view_page_move(struct view *v, int pages)
{
	int page = v->over.which == OVERLAY_HELP ? v->over.help.rows
						 : (int)view_rows(v)->page;

	view_move(v, pages * page);
}

void
view_filter(struct view *v, int arg)
{
	(void)arg;
	v->line.typing = true;
	memcpy(v->line.filter_before, view_rows(v)->filter, VIEW_FILTER_SIZE);
}
