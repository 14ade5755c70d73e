#include "ui/view/view.h"

#include "monitor/history.h"
#include "ui/view/value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct view *
view_new(struct err *e)
{
	struct view *v = calloc(1, sizeof *v);

	if (v != NULL) {
		v->scratch = calloc(VIEW_SPARK_MAX, sizeof *v->scratch);
		v->hits = calloc(1, sizeof *v->hits);
	}
	if (v == NULL || v->scratch == NULL || v->hits == NULL) {
		view_free(v);
		err_set(e, ERR_FAIL, "screen: out of memory");
		return NULL;
	}
	v->ipc = metric_find("ipc");
	v->user_pct = metric_find("user_pct");
	v->topdown[0] = metric_find("td_useful_pct");
	v->topdown[1] = metric_find("td_discarded_pct");
	v->topdown[2] = metric_find("td_delivery_pct");
	v->topdown[3] = metric_find("td_processing_pct");
	v->ghz = metric_find("ghz");
	v->gips = metric_find("gips");
	v->preset_known = -1;
	v->chart = v->main = v->ipc;
	v->sort = SORT_CPU;
	v->ipc_max = 6;
	return v;
}

void
view_free(struct view *v)
{
	if (v == NULL)
		return;
	free(v->order);
	free(v->scratch);
	free(v->hits);
	free(v);
}

enum role
view_kind_role(unsigned kind)
{
	static const enum role role[3] = { ROLE_KIND0, ROLE_KIND1, ROLE_KIND2 };

	return role[kind % 3];
}

enum role
view_cluster_role(const struct topology *t, unsigned cluster)
{
	unsigned kind = t->cluster[cluster].kind, before = 0;

	for (unsigned i = 0; i < cluster; i++)
		before += t->cluster[i].kind == kind;
	return (enum role)(view_kind_role(kind) + before % 2);
}

/* columns */

unsigned
view_presets(const struct view *v)
{
	return preset_count + v->nuser_presets;
}

const struct preset *
view_preset(const struct view *v, int i)
{
	return i < (int)preset_count ? &preset_table[i]
				     : &v->user_preset[i - (int)preset_count];
}

static void
users_take(struct view *v, const struct ui_status *s)
{
	v->user_preset = s->user_preset;
	v->nuser_presets = s->nuser_presets;
	v->user_metric = s->user_metric;
	v->nuser_metrics = s->nuser_metrics;
	v->catalog = s->catalog;
}

void
view_sort_by(struct view *v, const struct ui_status *s, const char *name)
{
	users_take(v, s);
	int metric = strcmp(name, "cpu") == 0    ? SORT_CPU
		     : strcmp(name, "busy") == 0 ? COLUMN_BUSY
						 : view_metric_find(v, name);

	if (metric >= 0 || strcmp(name, "cpu") == 0 ||
	    strcmp(name, "busy") == 0)
		v->sort = metric;
}

char
view_key(const struct view *v, int i)
{
	char key = view_preset(v, i)->key;

	for (unsigned k = 0; k < v->nuser_presets; k++)
		if (i < (int)preset_count && v->user_preset[k].key == key)
			return 0;
	return key;
}

/* The OS's busy share, as a row that panels can name and explain. */
static const struct metric busy = {
	.name = "busy",
	.label = "busy%",
	.text = "Share of time that CPUs were not idle; as the system counts "
		"it: what they did in it only counters tell",
	.unit = UNIT_PCT,
	.scale = 100,
	.num = { { METRIC_BUSY_NS, 1 } },
	.den = { { METRIC_WALL_NS, 1 } },
};

const struct metric *
view_metric(const struct view *v, int i)
{
	if (i == COLUMN_BUSY)
		return &busy;
	return i < (int)metric_count ? &metric_table[i]
				     : &v->user_metric[i - (int)metric_count];
}

int
view_metric_find(const struct view *v, const char *name)
{
	int found = metric_find(name);

	for (unsigned i = 0; i < v->nuser_metrics && found < 0; i++)
		if (strcmp(v->user_metric[i].name, name) == 0)
			found = (int)(metric_count + i);
	return found;
}

const char *
view_sort_label(const struct view *v)
{
	return v->sort == SORT_CPU ? "cpu" : value_label(v, v->sort);
}

/* the scale of IPC */

static void
scale_grow(struct view *v)
{
	for (unsigned i = 0; i < v->f->topology->ncpus; i++) {
		double ipc = frame_value(v->f, i, (unsigned)v->ipc);

		while (ipc > v->ipc_max && v->ipc_max < 20)
			v->ipc_max += 2;
	}
}

/* layout */

static void
layout_update(struct view *v, const int rows[PANEL_PLACES], int w, int h)
{
	struct layout_input in = { .w = w,
				   .h = h,
				   .ncpus = 1,
				   .nclusters = 1,
				   .largest = 1,
				   .label_w = 2,
				   .core_rows = view_headings(v),
				   .view = v->kind,
				   .dense = v->dense,
				   .column = v->column,
				   .ncolumns = v->ncolumns };

	memcpy(in.rows, rows, sizeof in.rows);
	if (v->f != NULL) {
		const struct topology *t = v->f->topology;

		in.ncpus = t->ncpus;
		in.core_rows += t->ncpus;
		in.nclusters = t->nclusters;
		for (unsigned i = 0; i < t->nclusters; i++) {
			int label = (int)strlen(t->cluster[i].label);

			if (t->cluster[i].ncpus > in.largest)
				in.largest = t->cluster[i].ncpus;
			if (label > in.label_w)
				in.label_w = label;
		}
	}
	layout_make(&in, &v->lay);
}

static bool
lists_rows(const struct view *v)
{
	return v->lay.panel[PANEL_CORES].h > 0 ||
	       v->lay.panel[PANEL_CLUSTERS].h > 0 ||
	       v->kind == VIEW_BOTTLENECKS || v->kind == VIEW_DETAIL;
}

int
view_page(const struct view *v)
{
	if (v->kind == VIEW_BOTTLENECKS && v->f != NULL)
		return (int)v->f->topology->nclusters;
	int rows = layout_rows(&v->lay, v->lay.panel[PANEL_CORES].h > 0
						? PANEL_CORES
						: PANEL_CLUSTERS);

	return rows > 0 ? rows : 1;
}

/*
 * The cursor stays with what it selected when the order changes, also where
 * this list does not have it: a cluster, seen from the list of cores.
 */
static long
row_selected(struct view *v)
{
	v->cursor_away = false;
	if (!v->cursor_on || !v->listed || v->cursor_moved)
		return (long)v->cursor;
	for (unsigned i = 0; i < v->norder; i++)
		if (v->order[i] == v->selected)
			return (long)i;
	v->cursor_away = v->selected < v->f->nscopes;
	return (long)v->cursor;
}

void
view_select(struct view *v, long n)
{
	unsigned page = (unsigned)view_page(v), len = v->norder;

	if (n >= (long)len)
		n = (long)len - 1;
	v->cursor = n > 0 ? (unsigned)n : 0;
	if (v->cursor >= v->npinned) {
		if (v->cursor < v->top + v->npinned)
			v->top = v->cursor - v->npinned;
		if (v->cursor >= v->top + page)
			v->top = v->cursor - page + 1;
	}
	if (v->top + page > len)
		v->top = len > page ? len - page : 0;
	v->cursor_moved = false;
	if (v->cursor_on && len > 0 && !v->cursor_away && lists_rows(v)) {
		v->listed = true;
		v->selected = v->order[v->cursor];
	} else if (!v->cursor_on) {
		v->listed = false;
	}
}

/* Of the machine before nothing may be kept but names and numbers. */
static void
forget_machine(struct view *v, unsigned machines)
{
	v->machines = machines;
	v->topology = NULL;
	v->catalog = NULL;
	v->npins = 0;
	v->listed = false;
	if (v->overlay == OVERLAY_PICKER)
		v->overlay = OVERLAY_NONE;
}

void
view_take(struct view *v, const struct frame *f, const struct ui_status *s)
{
	v->f = f;
	v->s = s;
	if (v->machines != s->machines)
		forget_machine(v, s->machines);
	if (f != NULL && v->topology == NULL)
		view_pins_again(v);
	if (f != NULL)
		v->topology = f->topology;
	v->period_s = (double)s->period_ns / 1e9;
	users_take(v, s);
	v->main = s->mode == UI_MODE_BUSY ? COLUMN_BUSY : v->ipc;
	view_columns(v);
	if (f != NULL)
		scale_grow(v);
	view_chart_update(v);
}

bool
view_arrange(struct view *v, const int rows[PANEL_PLACES], int w, int h,
	     struct err *e)
{
	layout_update(v, rows, w, h);
	if (!view_order(v, e))
		return false;
	view_select(v, row_selected(v));
	if (view_pin_toggle(v)) {
		if (!view_order(v, e))
			return false;
		view_select(v, row_selected(v));
	}
	v->page = view_page(v);
	v->slots_known =
		v->f != NULL &&
		!isnan(view_value(v, frame_scope_all(v->f), v->topdown[0]));
	return true;
}

unsigned
view_selected(const struct view *v)
{
	return v->listed && v->selected < v->f->nscopes ? v->selected
							: frame_scope_all(v->f);
}

double
view_value(const struct view *v, unsigned scope, int metric)
{
	return metric == COLUMN_BUSY
		       ? v->f->tally[scope].busy_pct
		       : frame_value(v->f, scope, (unsigned)metric);
}

/* User mode's share of the cycles from which on its counts tell little. */
static const double user_little_pct = 30;

bool
view_mostly_kernel(const struct view *v, unsigned scope, int metric)
{
	const struct metric *m = view_metric(v, metric);

	if (v->f->domain != DOMAIN_USER || v->user_pct < 0 ||
	    view_column_group(v, metric) == VIEW_COLUMNS_FIXED ||
	    strcmp(m->den[0].event, METRIC_FIXED_CYCLES) == 0 ||
	    strncmp(m->num[0].event, "SW_", 3) == 0)
		return false;
	return frame_state(v->f, scope, (unsigned)v->user_pct) == VALUE_OK &&
	       frame_value(v->f, scope, (unsigned)v->user_pct) <
		       user_little_pct;
}

double
view_spark_max(const struct view *v, unsigned scope)
{
	const struct topology *t = v->f->topology;
	const struct scope *s = &v->f->scope[scope];
	unsigned width = 0;

	if (v->main == COLUMN_BUSY)
		return 100;
	if (s->level == SCOPE_CORE)
		width = t->kind[t->cpu[s->index].kind].width;
	else if (s->level == SCOPE_CLUSTER)
		width = t->kind[t->cluster[s->index].kind].width;
	/* Good code keeps about three fifths of the slots busy. */
	return width > 0 ? width * 0.6 : v->ipc_max * 0.75;
}

unsigned
view_past(const struct view *v, unsigned scope, int metric, unsigned n)
{
	unsigned what = metric == COLUMN_BUSY ? HISTORY_BUSY : (unsigned)metric;

	if (v->past.self == NULL)
		return 0;
	if (n + v->back > VIEW_SPARK_MAX)
		n = VIEW_SPARK_MAX > v->back ? VIEW_SPARK_MAX - v->back : 0;
	unsigned got = v->past.values(v->past.self, scope, what, n + v->back,
				      v->scratch);

	return got > v->back ? got - v->back : 0;
}
