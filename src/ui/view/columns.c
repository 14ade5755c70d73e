#include "ui/view/value.h"

#include <math.h>
#include <string.h>

int
view_column_order(const struct view *v, int metric)
{
	return metric == COLUMN_BUSY          ? 0
	       : metric == v->metric.user_pct ? 1
	       : metric == v->metric.ghz      ? 2
	       : metric == v->metric.gips     ? 3
	       : metric == v->metric.measure[MEASURE_BRANCH] ||
			       metric == v->metric.measure[MEASURE_BRANCH_ANY]
		       ? 1
		       : 0;
}

static void
column_add(struct view *v, int metric)
{
	if (v->cols.n == LAYOUT_COLUMNS || metric == v->metric.main)
		return;
	for (unsigned i = 0; i < v->cols.n; i++)
		if (v->cols.column[i].metric == metric)
			return;
	v->cols.column[v->cols.n++] =
		(struct layout_column){ .metric = metric,
					.w = value_column_width(v, metric),
					.group = view_column_group(v, metric),
					.order = view_column_order(v, metric) };
}

static bool
is_counted_now(const struct view *v, unsigned metric)
{
	for (unsigned i = frame_scope_kind(v->f, 0); i < v->f->nscopes; i++) {
		enum value_state state = frame_state(v->f, i, metric);

		if (state != VALUE_NOT_COUNTED && state != VALUE_UNSUPPORTED)
			return true;
	}
	return false;
}

double
view_age(const struct view *v, int metric)
{
	double least = NAN;

	if (metric == COLUMN_BUSY || is_counted_now(v, (unsigned)metric))
		return 0;
	for (unsigned i = frame_scope_kind(v->f, 0); i < v->f->nscopes; i++) {
		double age, value = view_last_value(v, i, metric, &age);

		if (!isnan(value) && !(age >= least))
			least = age;
	}
	return least;
}

static char
key_that_counts(const struct view *v, int metric)
{
	for (int i = 0; i < (int)view_presets(v); i++) {
		const char *const *name = view_preset(v, i)->metrics;
		unsigned k = 0;

		while (k < PRESET_METRICS && name[k] != NULL &&
		       strcmp(name[k], view_metric(v, metric)->name) != 0)
			k++;
		if (i != v->s->preset && k < PRESET_METRICS &&
		    name[k] != NULL && view_preset_key(v, i) != 0)
			return view_preset_key(v, i);
	}
	return 0;
}

bool
view_column_missing(const struct view *v, const struct rows *r, int column,
		    struct buf *why)
{
	const struct process_list *l = v->procs;
	bool events = r == &l->list && column >= 0 && column < COLUMN_PROCESS;
	bool off = events && l->tracer.state != PROCESS_TRACING_ON;

	if (column >= COLUMN_PROCESS) {
		if (l->known == 0 ||
		    processes_has_metric(
			    l, (enum process_metric)(column - COLUMN_PROCESS)))
			return false;
		buf_str(why, "not measured here");
		return true;
	}
	if (column < 0 || v->f == NULL || column >= (int)v->f->nmetrics ||
	    (events && !l->tracer.known))
		return false;
	bool counted = is_counted_now(v, (unsigned)column);
	/* The user cannot choose a preset in a recording or a rotation. */
	char key = counted || v->s->rotating || v->s->replay != NULL
			   ? 0
			   : key_that_counts(v, column);

	if (events && l->t != NULL && l->t->traced == NULL)
		buf_str(why, "not kept of the past");
	else if (off && l->tracer.state == PROCESS_TRACING_NONE)
		buf_str(why, "not measured here");
	else if (off)
		buf_printf(why, "not counted: press %sv",
			   key != 0 ? PRINTED("%c, then ", key) : "");
	else if (key != 0)
		buf_printf(why, "not counted: press %c", key);
	else if (!counted)
		buf_str(why, "not counted");
	else
		return false;
	return true;
}

static void
possible_metrics_find(struct view *v)
{
	if (v->cols.possible_of == v->s->catalog)
		return;
	v->cols.possible_of = v->s->catalog;
	for (unsigned i = 0; i < metric_count && i < METRIC_MAX; i++)
		v->cols.possible[i] =
			metric_possible(&metric_table[i], v->s->catalog, NULL);
}

static bool
column_possible(const struct view *v, int metric)
{
	if (v->s->catalog == NULL)
		return true;
	if (metric >= 0 && metric < (int)metric_count)
		return v->cols.possible[metric];
	return metric_possible(view_metric(v, metric), v->s->catalog, NULL);
}

static bool
column_useful(const struct view *v, int metric)
{
	if (!column_possible(v, metric))
		return false;
	if (v->f == NULL || v->s->preset < 0 ||
	    strcmp(v->f->set->name, view_preset(v, v->s->preset)->name) != 0)
		return true;
	return is_counted_now(v, (unsigned)metric) ||
	       (frame_state(v->f, frame_scope_all(v->f), (unsigned)metric) ==
			VALUE_UNSUPPORTED &&
		metric_refused(view_metric(v, metric), v->f->set));
}

static void
preset_metrics_find(struct view *v)
{
	const struct preset *p = view_preset(v, v->s->preset);

	if (v->cols.preset_known == v->s->preset)
		return;
	for (unsigned i = 0; i < PRESET_METRICS; i++)
		v->cols.preset_metric[i] =
			p->metrics[i] != NULL
				? view_metric_find(v, p->metrics[i])
				: -1;
	v->cols.preset_known = v->s->preset;
}

static bool
names_events(const struct view *v, int preset)
{
	return preset < 0 || view_preset(v, preset)->metrics[0] == NULL;
}

static bool
is_rate_wanted(const struct view *v, int metric)
{
	bool turns = false;

	if (!v->s->rotating)
		return names_events(v, v->s->preset);
	for (unsigned i = 0; i < v->s->nrotate; i++)
		turns |= names_events(v, v->s->rotate[i]);
	return turns && view_age(v, metric) <=
				3 * v->when.period_s * (double)v->s->nrotate;
}

/* Adds columns for the rates of the user's events, counted or not. In a
 * rotation, adds events of all sets, so that columns keep their places. */
static void
columns_rates(struct view *v, unsigned n)
{
	for (unsigned i = metric_count; i < n; i++) {
		const struct metric *m = view_metric(v, (int)i);

		if (m->event && is_rate_wanted(v, (int)i) &&
		    (v->s->rotating || metric_of_set(m, v->f->set)))
			column_add(v, (int)i);
	}
}

static void
columns_counted(struct view *v)
{
	unsigned n = metric_count + v->user.nmetrics;

	n = n < v->f->nmetrics ? n : v->f->nmetrics;
	for (unsigned i = metric_count; i < n; i++)
		if (!view_metric(v, (int)i)->event && is_counted_now(v, i))
			column_add(v, (int)i);
	columns_rates(v, n);
	for (unsigned i = 0; names_events(v, v->s->preset) && i < metric_count;
	     i++)
		if (is_counted_now(v, i) && !view_metric(v, (int)i)->judged)
			column_add(v, (int)i);
}

/* In a rotation, adds the first metric of each preset, then the second of each,
 * so that columns keep their places. Omits metrics never counted. */
static void
columns_rotating(struct view *v)
{
	for (unsigned k = 0; k < PRESET_METRICS; k++)
		for (unsigned i = 0; i < v->s->nrotate; i++) {
			const struct preset *p =
				view_preset(v, v->s->rotate[i]);
			int metric =
				p->metrics[k] != NULL
					? view_metric_find(v, p->metrics[k])
					: -1;

			if (metric >= 0 && view_age(v, metric) >= 0)
				column_add(v, metric);
		}
}

static bool
is_evidence(const struct view *v, int metric)
{
	for (unsigned m = 0; m < MEASURE_L1I; m++)
		if (v->metric.measure[m] == metric && metric >= 0)
			return true;
	return false;
}

/* Class of a column. 0: placed by columns_order; 1: evidence; 2: other. */
static unsigned
column_class(const struct view *v, int metric)
{
	if (metric == COLUMN_BUSY || metric == v->metric.ghz ||
	    metric == v->metric.gips || metric == v->metric.user_pct)
		return 0;
	return is_evidence(v, metric) && !names_events(v, v->s->preset) ? 1 : 2;
}

static void
column_move(struct view *v, int metric, struct layout_column *to, unsigned *n)
{
	for (unsigned i = 0; i < v->cols.n; i++)
		if (v->cols.column[i].metric == metric)
			to[(*n)++] = v->cols.column[i];
}

/* Order: busy%, evidence, other metrics. Gi/s, GHz and usr% follow the first
 * four metrics after busy%, or all metrics if the preset lists none. */
static void
columns_order(struct view *v)
{
	bool named = names_events(v, v->s->preset);
	const struct {
		unsigned after;
		int metric;
	} place[] = {
		{ 0, COLUMN_BUSY },
		{ named ? LAYOUT_COLUMNS : 4, v->metric.gips },
		{ named ? LAYOUT_COLUMNS : 4, v->metric.ghz },
		{ named ? LAYOUT_COLUMNS : 4, v->metric.user_pct },
	};
	enum { PLACES = sizeof place / sizeof *place };
	struct layout_column sorted[LAYOUT_COLUMNS];
	unsigned n = 0, own = 0, next = 0;

	for (unsigned class = 1; class <= 2; class ++)
		for (unsigned i = 0; i < v->cols.n; i++) {
			if (column_class(v, v->cols.column[i].metric) != class)
				continue;
			for (; next < PLACES && place[next].after <= own;
			     next++)
				column_move(v, place[next].metric, sorted, &n);
			sorted[n++] = v->cols.column[i];
			own++;
		}
	for (; next < PLACES; next++)
		column_move(v, place[next].metric, sorted, &n);
	memcpy(v->cols.column, sorted, n * sizeof *sorted);
}

static void
columns_make(struct view *v)
{
	v->cols.n = 0;
	if (v->s->catalog != NULL)
		possible_metrics_find(v);
	if (v->s->mode != UI_MODE_BUSY) {
		column_add(v, COLUMN_BUSY);
		column_add(v, v->metric.ghz);
		column_add(v, v->metric.gips);
	}
	/* Without a PMU, the kernel's software events can still be counted. */
	if (v->s->mode != UI_MODE_FULL && (v->f == NULL || v->f->set->len == 0))
		return;
	if (v->s->rotating && v->f != NULL)
		columns_rotating(v);
	else if (v->s->preset >= 0) {
		preset_metrics_find(v);
		for (unsigned i = 0; i < PRESET_METRICS; i++)
			if (v->cols.preset_metric[i] >= 0 &&
			    column_useful(v, v->cols.preset_metric[i]))
				column_add(v, v->cols.preset_metric[i]);
	}
	if (v->f != NULL)
		columns_counted(v);
}

void
view_columns(struct view *v)
{
	columns_make(v);
	columns_order(v);
}

bool
view_is_column(const struct view *v, int metric)
{
	for (unsigned i = 0; i < v->cols.n; i++)
		if (v->cols.column[i].metric == metric)
			return true;
	return metric == v->metric.main;
}

static bool
metric_has_past(const struct view *v, int metric)
{
	return !isnan(view_age(v, metric)) ||
	       (v->run != NULL && history_run_has(v->run, v->f->elapsed_s,
						  view_metric(v, metric)));
}

enum { NOTHING = -100 };

/* Metric k of the chart: the main value, the columns, then other metrics.
 * NOTHING: metric k is a column already or was never counted. */
static int
chart_metric_at(const struct view *v, unsigned k)
{
	if (k == 0)
		return v->metric.main;
	if (--k < v->cols.n)
		return v->cols.column[k].metric;
	int metric = (int)(k - v->cols.n);

	return view_is_column(v, metric) || !metric_has_past(v, metric)
		       ? NOTHING
		       : metric;
}

static void
chart_step(struct view *v)
{
	unsigned n = 1 + v->cols.n + metric_count + v->user.nmetrics, at = 0;

	for (unsigned i = 0; i < v->cols.n; i++)
		if (v->cols.column[i].metric == v->chart.metric)
			at = i + 1;
	if (!view_is_column(v, v->chart.metric))
		at = 1 + v->cols.n + (unsigned)v->chart.metric;
	for (unsigned i = 1; i <= n; i++) {
		int metric = chart_metric_at(v, (at + i) % n);

		if (metric == NOTHING)
			continue;
		v->chart.metric = metric;
		v->chart.own = true;
		return;
	}
}

void
view_chart_next(struct view *v, int arg)
{
	(void)arg;
	v->chart.steps++;
}

void
view_chart_update(struct view *v)
{
	if (!v->chart.own)
		v->chart.metric = v->metric.main;
	if (v->f == NULL)
		return;
	for (; v->chart.steps > 0; v->chart.steps--)
		chart_step(v);
}
