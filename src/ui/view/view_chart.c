/*
 * Which metric the chart shows: what rows begin with, the columns, then all
 * with a past.
 */
#include "monitor/longrun.h"
#include "ui/view/view.h"

#include <math.h>

static bool
is_column(const struct view *v, int metric)
{
	for (unsigned i = 0; i < v->ncolumns; i++)
		if (v->column[i].metric == metric)
			return true;
	return metric == v->main;
}

/* What another set counted is still there, be it in the sums of the run. */
static bool
has_past(const struct view *v, int metric)
{
	return !isnan(view_age(v, metric)) ||
	       (v->run != NULL &&
		longrun_has(v->run, v->f->elapsed_s, view_metric(v, metric)));
}

enum { NOTHING = -100 };

/* Place k of the order; NOTHING: nothing to be drawn there. */
static int
at_place(const struct view *v, unsigned k)
{
	if (k == 0)
		return v->main;
	if (--k < v->ncolumns)
		return v->column[k].metric;
	int metric = (int)(k - v->ncolumns);

	return is_column(v, metric) || !has_past(v, metric) ? NOTHING : metric;
}

static void
step(struct view *v)
{
	unsigned n = 1 + v->ncolumns + metric_count + v->nuser_metrics, at = 0;

	for (unsigned i = 0; i < v->ncolumns; i++)
		if (v->column[i].metric == v->chart)
			at = i + 1;
	if (!is_column(v, v->chart))
		at = 1 + v->ncolumns + (unsigned)v->chart;
	for (unsigned i = 1; i <= n; i++) {
		int metric = at_place(v, (at + i) % n);

		if (metric == NOTHING)
			continue;
		v->chart = metric;
		v->chart_own = true;
		return;
	}
}

void
view_chart_next(struct view *v)
{
	v->chart_steps++;
}

void
view_chart_update(struct view *v)
{
	if (!v->chart_own)
		v->chart = v->main;
	if (v->f == NULL)
		return;
	for (; v->chart_steps > 0; v->chart_steps--)
		step(v);
}
