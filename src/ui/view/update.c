#include "ui/view/view.h"

#include <string.h>

static void
ipc_scale_grow(struct view *v)
{
	for (unsigned i = 0; i < v->f->topology->ncpus; i++) {
		double ipc = frame_value(v->f, i, (unsigned)v->metric.ipc);
		double width = view_slots(v, i);

		while ((ipc > v->metric.ipc_max || width > v->metric.ipc_max) &&
		       v->metric.ipc_max < 20)
			v->metric.ipc_max += 2;
	}
}

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
				   .ages = v->s->rotating,
				   .traced = v->procs->tracer.n > 0,
				   .column = v->cols.column,
				   .ncolumns = v->cols.n };

	memcpy(in.rows, rows, sizeof in.rows);
	if (v->f != NULL) {
		const struct topology *t = v->f->topology;

		in.all = v->f->topology->nclusters > 1;
		in.bottlenecks = v->f->bottleneck != NULL &&
				 v->metric.main == v->metric.ipc;
		in.ncpus = t->ncpus;
		in.core_rows += t->ncpus;
		in.nclusters = t->nclusters;
		for (unsigned i = 0; i < t->nclusters; i++) {
			int label = (int)strlen(t->cluster[i].label);
			char text[24];
			struct buf b = buf_over(text, sizeof text);
			int numbers = view_cluster_numbers(t, i, &b);

			if (numbers > in.numbers_w)
				in.numbers_w = numbers;

			if (t->cluster[i].ncpus > in.largest)
				in.largest = t->cluster[i].ncpus;
			if (label > in.label_w)
				in.label_w = label;
		}
	}
	layout_make(&in, &v->lay);
}

static void
forget_machine(struct view *v, unsigned machines)
{
	v->machines = machines;
	v->topology = NULL;
	v->catalog = v->cols.possible_of = NULL;
	v->cores.npins = 0;
	v->cores.listed = false;
	v->procs->known = 0;
	v->procs->parts.n = 0;
	v->procs->npins = 0;
	v->procs->open.pid = -1;
	if (v->over.which == OVERLAY_PICKER)
		v->over.which = OVERLAY_NONE;
}

static void
processes_update(struct view *v)
{
	const struct process_past *past = &v->procs->past;
	const struct process_table *t = NULL;
	struct process_when when = { .live = false };

	if (v->f != NULL && !v->when.paused)
		t = v->f->processes;
	else if (v->f != NULL && past->at != NULL)
		t = past->at(past->self, v->f->seq);
	if (v->f != NULL)
		when = (struct process_when){ v->f->seq, v->f->stamp.wall_ns,
					      !v->when.paused };
	processes_use_table(v->procs, t, &when);
}

static void
traced_add(const struct view *v, int metric)
{
	struct process_list *l = v->procs;
	struct process_tracer *t = &l->tracer;

	for (unsigned i = 0; i < t->n; i++)
		if (t->column[i].metric == metric)
			return;
	if (metric < 0 || metric >= COLUMN_PROCESS || l->past.traces == NULL ||
	    !l->past.traces(l->past.self, (unsigned)metric))
		return;
	t->n = t->n < PROCESS_TRACED_COLUMNS ? t->n + 1 : t->n;
	t->column[t->n - 1].decimals = view_metric(v, metric)->decimals;
	t->column[t->n - 1].metric = metric;
}

/* Event columns of processes: those of the cores, then the sort column. */
static void
traced_choose(struct view *v)
{
	struct process_list *l = v->procs;
	struct traced_column *at = l->tracer.column;
	const struct process_traced *t = l->t != NULL ? l->t->traced : NULL;

	l->tracer.n = 0;
	if (t == NULL || t->state != PROCESS_TRACING_ON)
		return;
	for (unsigned i = 0; i < v->cols.n; i++)
		if (l->tracer.n < PROCESS_TRACED_COLUMNS)
			traced_add(v, v->cols.column[i].metric);
	traced_add(v, l->list.sort);
	for (unsigned i = 1; i < l->tracer.n; i++) {
		struct traced_column left = at[i - 1];

		if (view_column_group(v, left.metric) !=
			    view_column_group(v, at[i].metric) ||
		    view_column_order(v, left.metric) <=
			    view_column_order(v, at[i].metric))
			continue;
		at[i - 1] = at[i];
		at[i] = left;
	}
}

/* Requests processes while a scope is flagged, and for 30 more draws. */
static void
culprit_ask(struct view *v)
{
	enum { LONGER = 30 };
	struct bottleneck_loss worst;

	if (!v->s->processes || v->f == NULL)
		v->lost.whose = 0;
	else if (bottleneck_losses(v->f, true, &worst, 1) > 0)
		v->lost.whose = LONGER;
	else if (v->lost.whose > 0)
		v->lost.whose--;
}

/* The first scope, and others that lose 1 % or more, sorted by lost%. */
static void
losses_take(struct view *v)
{
	struct bottleneck_loss at[BOTTLENECK_LOSSES];
	unsigned n = v->f == NULL ? 0
				  : bottleneck_losses(v->f, false, at,
						      BOTTLENECK_LOSSES);

	v->lost.n = 0;
	for (unsigned i = 0; i < n; i++) {
		double lost = v->f->bottleneck[at[i].scope].lost_pct;
		unsigned to = v->lost.n;

		if (i > 0 && lost < 1)
			continue;
		for (; to > 0 && v->lost.at[to - 1].lost < lost; to--)
			v->lost.at[to] = v->lost.at[to - 1];
		v->lost.at[to] = (struct bottleneck_loss){ at[i].scope, lost };
		v->lost.n++;
	}
}

void
view_use_frame(struct view *v, const struct frame *f, const struct ui_status *s)
{
	v->f = f;
	v->s = s;
	if (v->machines != s->machines)
		forget_machine(v, s->machines);
	if (f != NULL && v->topology == NULL)
		view_pins_restore(v);
	if (f != NULL)
		v->topology = f->topology;
	v->when.period_s = (double)s->period_ns / 1e9;
	view_use_user_presets(v, s);
	v->metric.main = s->mode == UI_MODE_BUSY ? COLUMN_BUSY : v->metric.ipc;
	view_columns(v);
	losses_take(v);
	if (f != NULL)
		ipc_scale_grow(v);
	view_chart_update(v);
	processes_update(v);
	traced_choose(v);
	culprit_ask(v);
}

static unsigned
row_to_zoom(const struct view *v)
{
	if (v->f != NULL && v->list.cursor_on && v->cores.listed &&
	    (v->cores.selected & VIEW_DIE) == 0 &&
	    v->cores.selected < v->f->nscopes)
		return v->cores.selected;
	unsigned worst = v->f != NULL ? bottleneck_worst(v->f) : 0;

	if (v->f != NULL && worst < v->f->nscopes)
		return worst;
	return v->lost.n > 0 ? v->lost.at[0].scope : VIEW_DIE;
}

static int
preset_showing_more(const struct view *v)
{
	if (v->f == NULL || v->f->bottleneck == NULL)
		return -1;
	int more = view_preset_for_bottleneck(
		v, &v->f->bottleneck[view_selected(v)]);

	return more >= 0 && strcmp(preset_table[more].name, v->f->set->name) !=
				       0
		       ? more
		       : -1;
}

bool
view_arrange(struct view *v, const int rows[PANEL_PLACES], int w, int h,
	     struct err *e)
{
	layout_update(v, rows, w, h);
	do {
		if (!view_order(v, e))
			return false;
		view_select(v, view_row_selected(v));
	} while (view_pin_toggle(v));
	if (v->kind == VIEW_PROCESSES) {
		/* The row (unattributed) does not scroll. */
		bool rest = v->procs->t != NULL && v->procs->t->has_rest;
		int page = layout_rows(&v->lay, PANEL_PROCESSES) - rest;

		processes_arrange(v, page > 0 ? (unsigned)page : 1);
	}
	v->lost.opens = row_to_zoom(v);
	v->lost.more = preset_showing_more(v);
	return true;
}
