/* What keys do to the view alone. */
#include "ui/view.h"

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
		if (v->choice >= (int)preset_count)
			v->choice = (int)preset_count - 1;
	} else {
		bool first = !v->cursor_on && (by == 1 || by == -1);

		v->cursor_on = true;
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
}

static void
change_view(struct view *v, int step)
{
	v->kind = (enum layout_view)(((int)v->kind + VIEW_COUNT + step) %
				     VIEW_COUNT);
	v->cursor = v->top = 0;
}

static void
open_overlay(struct view *v, enum overlay which, int preset)
{
	v->overlay = v->overlay == which ? OVERLAY_NONE : which;
	v->help_top = 0;
	if (preset >= 0)
		v->choice = preset;
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
	case ACTION_CLOSE:
		close_overlay(v);
		return true;
	case ACTION_VIEW_NEXT:
		change_view(v, 1);
		return true;
	case ACTION_VIEW_PREVIOUS:
		change_view(v, -1);
		return true;
	case ACTION_SORT:
		v->sort =
			v->sort + 1 < (int)v->ncolumns ? v->sort + 1 : SORT_CPU;
		return true;
	case ACTION_REVERSE:
		v->reverse = !v->reverse;
		return true;
	case ACTION_FILTER:
		v->typing = true;
		v->filter[0] = 0;
		return true;
	case ACTION_CHART:
		view_chart_next(v);
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
	case ACTION_BACK:
		v->scrub += v->paused ? 1 : 0;
		return true;
	case ACTION_FORTH:
		v->scrub -= v->paused && v->scrub > 0 ? 1 : 0;
		return true;
	default:
		return false;
	}
}
