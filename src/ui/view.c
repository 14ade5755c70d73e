#include "ui/view.h"

#include "ui/panel.h"
#include "ui/value.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct view *
view_new(struct err *e)
{
	struct view *v = calloc(1, sizeof *v);

	if (v != NULL)
		v->scratch = calloc(VIEW_SPARK_MAX, sizeof *v->scratch);
	if (v == NULL || v->scratch == NULL) {
		free(v);
		err_set(e, ERR_FAIL, "screen: out of memory");
		return NULL;
	}
	v->ipc = metric_find("ipc");
	v->topdown[0] = metric_find("td_useful_pct");
	v->topdown[1] = metric_find("td_discarded_pct");
	v->topdown[2] = metric_find("td_delivery_pct");
	v->topdown[3] = metric_find("td_processing_pct");
	v->ghz = metric_find("ghz");
	v->gips = metric_find("gips");
	v->preset_known = -1;
	v->chart = v->ipc;
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

static void
column_add(struct view *v, int metric)
{
	if (v->ncolumns == LAYOUT_COLUMNS || metric == v->ipc)
		return;
	for (unsigned i = 0; i < v->ncolumns; i++)
		if (v->column[i].metric == metric)
			return;
	v->column[v->ncolumns++] =
		(struct layout_column){ .metric = metric,
					.w = value_column_width(metric) };
}

/* Not what this machine cannot count, or the set in force left out. */
static bool
column_useful(const struct view *v, int metric)
{
	if (v->s->catalog != NULL &&
	    !metric_possible(&metric_table[metric], v->s->catalog, NULL))
		return false;
	if (v->f == NULL || v->s->preset < 0 ||
	    strcmp(v->f->set->name, preset_table[v->s->preset].name) != 0)
		return true;
	enum value_state state =
		frame_state(v->f, frame_scope_all(v->f), (unsigned)metric);

	return state != VALUE_NOT_COUNTED && state != VALUE_UNSUPPORTED;
}

/* Names are looked up once a preset, not on every draw. */
static void
preset_learn(struct view *v)
{
	const struct preset *p = &preset_table[v->s->preset];

	if (v->preset_known == v->s->preset)
		return;
	for (unsigned i = 0; i < 16; i++)
		v->preset_metric[i] =
			p->metrics[i] != NULL ? metric_find(p->metrics[i]) : -1;
	v->preset_known = v->s->preset;
}

static void
columns_choose(struct view *v)
{
	v->ncolumns = 0;
	column_add(v, COLUMN_BUSY);
	column_add(v, v->ghz);
	column_add(v, v->gips);
	if (v->s->mode != UI_MODE_FULL || v->s->preset < 0)
		return;
	preset_learn(v);
	for (unsigned i = 0; i < 16; i++)
		if (v->preset_metric[i] >= 0 &&
		    column_useful(v, v->preset_metric[i]))
			column_add(v, v->preset_metric[i]);
}

/* order of the cores */

static bool
contains(const char *text, const char *part)
{
	size_t n = strlen(part);

	for (; *text != 0; text++) {
		size_t i = 0;

		while (i < n && text[i] != 0 &&
		       tolower((unsigned char)text[i]) ==
			       tolower((unsigned char)part[i]))
			i++;
		if (i == n)
			return true;
	}
	return n == 0;
}

/* "P" matches clusters P0 and P1, "7" the CPU 7, "perf" the kind's name. */
static bool
filter_matches(const struct view *v, unsigned cpu)
{
	const struct topology *t = v->f->topology;
	const struct topology_cpu *at = &t->cpu[cpu];
	char id[24];
	struct buf b = buf_over(id, sizeof id);

	if (v->filter[0] == 0)
		return true;
	buf_i64(&b, at->id);
	return strcmp(buf_cstr(&b), v->filter) == 0 ||
	       contains(t->cluster[at->cluster].label, v->filter) ||
	       (strlen(v->filter) > 2 &&
		contains(t->kind[at->kind].name, v->filter));
}

/* What row `cpu` sorts by; unknown values come last. */
static double
sort_key(const struct view *v, unsigned cpu)
{
	double value;

	if (v->sort == SORT_CPU)
		return (double)cpu;
	if (v->sort == SORT_IPC)
		value = frame_value(v->f, cpu, (unsigned)v->ipc);
	else if (v->column[v->sort].metric == COLUMN_BUSY)
		value = v->f->tally[cpu].busy_pct;
	else
		value = frame_value(v->f, cpu,
				    (unsigned)v->column[v->sort].metric);
	return isnan(value) ? INFINITY : -value;
}

static bool
comes_after(const struct view *v, unsigned a, unsigned b)
{
	double ka = sort_key(v, a), kb = sort_key(v, b);

	if (isinf(ka) || isinf(kb) || ka < kb || ka > kb) {
		if (isinf(ka) != isinf(kb))
			return isinf(ka) != 0;
		if (!isinf(ka))
			return v->reverse ? ka < kb : ka > kb;
	}
	return a > b;
}

/* Shell's sort: in place, and near linear from one tick to the next. */
static void
order_sort(struct view *v)
{
	static const unsigned gap[] = { 301, 132, 57, 23, 10, 4, 1 };

	for (unsigned g = 0; g < sizeof gap / sizeof *gap; g++)
		for (unsigned i = gap[g]; i < v->norder; i++) {
			unsigned held = v->order[i], at = i;

			while (at >= gap[g] &&
			       comes_after(v, v->order[at - gap[g]], held)) {
				v->order[at] = v->order[at - gap[g]];
				at -= gap[g];
			}
			v->order[at] = held;
		}
}

static bool
order_make(struct view *v, struct err *e)
{
	unsigned n = v->f != NULL ? v->f->topology->ncpus : 0;

	if (n > v->order_room) {
		unsigned *grown = realloc(v->order, n * sizeof *grown);

		if (grown == NULL)
			return err_set(e, ERR_FAIL, "screen: out of memory");
		v->order = grown;
		v->order_room = n;
	}
	v->norder = 0;
	for (unsigned i = 0; i < n; i++)
		if (filter_matches(v, i))
			v->order[v->norder++] = i;
	if (v->sort >= (int)v->ncolumns)
		v->sort = SORT_CPU;
	if (v->norder > 1 && (v->sort != SORT_CPU || v->reverse))
		order_sort(v);
	return true;
}

const char *
view_sort_label(const struct view *v)
{
	return v->sort == SORT_CPU   ? "cpu"
	       : v->sort == SORT_IPC ? "IPC"
				     : value_label(v->column[v->sort].metric);
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
layout_update(struct view *v, int w, int h)
{
	struct layout_input in = { .w = w,
				   .h = h,
				   .ncpus = 1,
				   .nclusters = 1,
				   .largest = 1,
				   .label_w = 2,
				   .view = v->kind,
				   .notice = panel_notice_rows(v, w),
				   .column = v->column,
				   .ncolumns = v->ncolumns };

	if (v->f != NULL) {
		const struct topology *t = v->f->topology;

		in.ncpus = t->ncpus;
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

bool
view_update(struct view *v, const struct frame *f, const struct ui_status *s,
	    int w, int h, struct err *e)
{
	v->f = f;
	v->s = s;
	columns_choose(v);
	if (!order_make(v, e))
		return false;
	if (f != NULL)
		scale_grow(v);
	if (v->chart < 0)
		v->chart = v->ipc;
	layout_update(v, w, h);
	view_select(v, (long)v->cursor);
	v->page = view_page(v);
	v->worst_preset = panel_bottlenecks_preset(v);
	return true;
}

/* The list the arrows move in: cores, or clusters where there are no cores. */
static bool
moves_cores(const struct view *v)
{
	return v->lay.panel[PANEL_CORES].h > 0;
}

int
view_page(const struct view *v)
{
	int rows = layout_rows(&v->lay,
			       moves_cores(v) ? PANEL_CORES : PANEL_CLUSTERS);

	return rows > 0 ? rows : 1;
}

void
view_select(struct view *v, long n)
{
	unsigned page = (unsigned)view_page(v);
	unsigned len = moves_cores(v) ? v->norder
		       : v->f != NULL ? v->f->topology->nclusters
				      : 0;

	if (n >= (long)len)
		n = (long)len - 1;
	v->cursor = n > 0 ? (unsigned)n : 0;
	if (v->cursor < v->top)
		v->top = v->cursor;
	if (v->cursor >= v->top + page)
		v->top = v->cursor - page + 1;
	if (v->top + page > len)
		v->top = len > page ? len - page : 0;
}

void
view_chart_next(struct view *v)
{
	unsigned at = 0; /* index in columns + 1; 0 is IPC */

	for (unsigned i = 0; i < v->ncolumns; i++)
		if (v->column[i].metric == v->chart)
			at = i + 1;
	do
		at = (at + 1) % (v->ncolumns + 1);
	while (at > 0 && v->column[at - 1].metric == COLUMN_BUSY);
	v->chart = at == 0 ? v->ipc : v->column[at - 1].metric;
}

double
view_spark_max(const struct view *v, unsigned scope)
{
	const struct topology *t = v->f->topology;
	const struct scope *s = &v->f->scope[scope];
	unsigned width = 0;

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
	if (v->past.self == NULL || metric < 0)
		return 0;
	if (n + v->back > VIEW_SPARK_MAX)
		n = VIEW_SPARK_MAX > v->back ? VIEW_SPARK_MAX - v->back : 0;
	unsigned got = v->past.values(v->past.self, scope, (unsigned)metric,
				      n + v->back, v->scratch);

	return got > v->back ? got - v->back : 0;
}

void
view_draw(struct view *v, struct canvas *c)
{
	canvas_clear(c);
	if (v->lay.too_small) {
		panel_too_small(c);
		return;
	}
	for (unsigned i = 0; i < PANEL_COUNT; i++) {
		const struct panel *p = &panel_table[i];
		struct rect r = v->lay.panel[i];

		if (r.w <= 0 || (p->needs_frame && v->f == NULL))
			continue;
		canvas_window(c, r);
		p->draw(c, v);
	}
	if (v->f == NULL)
		panel_waiting(c);
	if (v->overlay == OVERLAY_HELP)
		panel_help_draw(c, v);
	else if (v->overlay == OVERLAY_PRESETS)
		panel_list_draw(c, v);
}
