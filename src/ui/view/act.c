/* What keys do to the view alone. */
#include "ui/view/view.h"

#include <string.h>

static void
move(struct view *v, long by)
{
	if (v->overlay == OVERLAY_HELP) {
		v->help_top += (int)by;
		if (v->help_top < 0)
			v->help_top = 0;
	} else if (v->overlay == OVERLAY_PRESETS) {
		v->choice += (int)by;
		if (v->choice < 0)
			v->choice = 0;
		if (v->choice >= (int)view_presets(v))
			v->choice = (int)view_presets(v) - 1;
	} else if (v->overlay == OVERLAY_PICKER) {
		while (by != 0) {
			(void)picker_key(&v->picker,
					 by < 0 ? KEY_UP_ARROW : KEY_DOWN_ARROW,
					 NULL);
			by += by < 0 ? 1 : -1;
		}
	} else {
		bool first = (!v->cursor_on || v->cursor_away) &&
			     (by == 1 || by == -1);

		v->cursor_on = v->cursor_moved = true;
		/* The first arrow only shows where the cursor is. */
		v->cursor = first ? v->top
			    : by < -(long)v->cursor
				    ? 0
				    : (unsigned)((long)v->cursor + by);
	}
}

static void
close_overlay(struct view *v)
{
	if (v->overlay != OVERLAY_NONE)
		v->overlay = OVERLAY_NONE;
	else if (v->filter[0] != 0)
		v->filter[0] = 0;
	else
		v->cursor_on = false;
}

void
view_type(struct view *v, int key)
{
	size_t n = strlen(v->filter);

	if (key == KEY_RETURN) {
		v->typing = false;
	} else if (key == KEY_ESCAPE || key == KEY_CTRL_C) {
		v->typing = false;
		v->filter[0] = 0;
	} else if (key == KEY_ERASE) {
		if (n > 0)
			v->filter[n - 1] = 0;
	} else if (key >= ' ' && key < 127 && n + 1 < sizeof v->filter) {
		v->filter[n] = (char)key;
		v->filter[n + 1] = 0;
	}
	v->cursor = v->top = 0;
	v->cursor_moved = true;
}

/* cpu, IPC, then the columns on the screen from left to right; or back. */
static void
sort_step(struct view *v, int step)
{
	const struct layout_table *t = &v->lay.table;
	int n = (int)t->ncols + 2, at = v->sort == v->main ? 1 : 0;

	for (unsigned i = 0; i < t->ncols; i++)
		if (t->col[i].metric == v->sort)
			at = (int)i + 2;
	at = (at + n + step) % n;
	v->sort = at == 0   ? SORT_CPU
		  : at == 1 ? v->main
			    : t->col[at - 2].metric;
	v->reverse = false;
}

static bool
inside(struct rect r, int x, int y)
{
	return x >= r.x && x < r.x + r.w && y >= r.y && y < r.y + r.h;
}

/* The column title at x of the table: sorts by it, a second time reversed. */
static void
click_title(struct view *v, int x)
{
	const struct layout_table *t = &v->lay.table;
	int sort = x < t->ipc_x ? SORT_CPU : x < t->bar_x ? v->main : -3;

	for (unsigned i = 0; i < t->ncols; i++)
		if (x > t->col[i].x && x <= t->col[i].x + t->col[i].w)
			sort = t->col[i].metric;
	if (sort == -3)
		return;
	v->reverse = sort == v->sort ? !v->reverse : false;
	v->sort = sort;
}

static void
click(struct view *v, int x, int y)
{
	bool cores = v->lay.panel[PANEL_CORES].h > 0;
	enum panel_id list = cores ? PANEL_CORES : PANEL_CLUSTERS;
	struct rect r = layout_inside(&v->lay, list);
	int titles = cores ? v->lay.core_titles : v->lay.cluster_titles;

	if (!inside(v->lay.panel[list], x, y) || y < r.y)
		return;
	if (y - r.y < titles) {
		if (y - r.y == titles - 1)
			click_title(v, x - r.x);
		return;
	}
	unsigned row = view_line(v, (unsigned)(y - r.y - titles));

	if (row >= v->norder)
		return;
	v->cursor_on = v->cursor_moved = true;
	v->cursor = row;
}

/* The key drawn there; the last one drawn lies on top. */
static int
hit(const struct view *v, int x, int y)
{
	for (unsigned i = v->hits->n; i-- > 0;) {
		const struct view_hit *h = &v->hits->at[i];

		if (y == h->y && x >= h->x && x < h->x + h->w)
			return h->key;
	}
	return KEY_NONE;
}

int
view_mouse(struct view *v, int key)
{
	enum { WHEEL_ROWS = 3 };
	int kind = key & KEY_MOUSE_MASK;
	int x = key_mouse_x(key), y = key_mouse_y(key);

	if (kind == KEY_MOUSE_CLICK) {
		int what = hit(v, x, y);

		if (what == KEY_NONE && v->overlay == OVERLAY_NONE)
			click(v, x, y);
		return what;
	}
	if (v->overlay == OVERLAY_NONE)
		v->cursor_on = v->cursor_moved = true;
	move(v, kind == KEY_MOUSE_UP ? -WHEEL_ROWS : WHEEL_ROWS);
	return KEY_NONE;
}

void
view_go(struct view *v, int kind)
{
	v->kind = (enum layout_view)((kind + VIEW_COUNT) % VIEW_COUNT);
	v->cursor = v->top = 0;
}

/* The next that has more than one part on this machine. */
static void
group_next(struct view *v)
{
	do
		v->group = (enum view_group)((v->group + 1) % VIEW_GROUPS);
	while (v->group != GROUP_NONE && view_headings(v) < 2);
}

/* Back (or forth) by that many seconds, at least one frame. */
static void
scrub(struct view *v, double seconds, bool back)
{
	double period = v->period_s > 0 ? v->period_s : 1;
	unsigned n = seconds > period ? (unsigned)(seconds / period) : 1;

	if (!v->paused)
		return;
	if (back)
		v->scrub += n; /* the next draw knows how far there is */
	else
		v->scrub -= n < v->scrub ? n : v->scrub;
}

static void
open_overlay(struct view *v, enum overlay which, int preset)
{
	v->overlay = v->overlay == which ? OVERLAY_NONE : which;
	v->help_top = 0;
	if (preset >= 0)
		v->choice = preset;
}

static unsigned
span_after(unsigned span_s)
{
	static const unsigned span[] = { 0, 60, 300, 900, 3600, VIEW_SPAN_ALL };
	unsigned i = 0, n = sizeof span / sizeof *span;

	while (i < n && span[i] != span_s)
		i++;
	return span[(i + 1) % n];
}

/* Back and forth while paused; false if the action is another. */
static bool
moves_time(struct view *v, enum action a)
{
	switch (a) {
	case ACTION_BACK:
	case ACTION_MINUTE_BACK:
		scrub(v, a == ACTION_BACK ? 0 : 60, true);
		return true;
	case ACTION_FORTH:
	case ACTION_MINUTE_FORTH:
		scrub(v, a == ACTION_FORTH ? 0 : 60, false);
		return true;
	default:
		return false;
	}
}

bool
view_act(struct view *v, enum action a, int preset)
{
	int page = v->page;

	switch (a) {
	case ACTION_HELP:
		open_overlay(v, OVERLAY_HELP, preset);
		return true;
	case ACTION_PRESETS:
		open_overlay(v, OVERLAY_PRESETS, preset);
		return true;
	case ACTION_PICK:
		open_overlay(v, OVERLAY_PICKER, preset);
		picker_open(&v->picker, v->catalog);
		return true;
	case ACTION_CLOSE:
		close_overlay(v);
		return true;
	case ACTION_VIEW_NEXT:
		view_go(v, (int)v->kind + 1);
		return true;
	case ACTION_VIEW_PREVIOUS:
		view_go(v, (int)v->kind - 1);
		return true;
	case ACTION_SORT:
		sort_step(v, 1);
		return true;
	case ACTION_SORT_PREVIOUS:
		sort_step(v, -1);
		return true;
	case ACTION_GROUP:
		group_next(v);
		return true;
	case ACTION_PIN:
		v->pin_key = v->cursor_on;
		return true;
	case ACTION_REVERSE:
		v->reverse = !v->reverse;
		return true;
	case ACTION_FILTER:
		v->typing = true;
		v->filter[0] = 0;
		return true;
	case ACTION_DENSE:
		v->dense = !v->dense;
		return true;
	case ACTION_CHART:
		view_chart_next(v);
		return true;
	case ACTION_SPAN:
		v->span_s = span_after(v->span_s);
		return true;
	case ACTION_UP:
		move(v, -1);
		return true;
	case ACTION_DOWN:
		move(v, 1);
		return true;
	case ACTION_PAGE_UP:
		move(v, -page);
		return true;
	case ACTION_PAGE_DOWN:
		move(v, page);
		return true;
	case ACTION_HOME:
		move(v, -100000);
		return true;
	case ACTION_END:
		move(v, 100000);
		return true;
	default:
		return moves_time(v, a);
	}
}
