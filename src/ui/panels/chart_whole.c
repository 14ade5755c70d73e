/* Charts that go further back than single frames are kept. */
#include "ui/panels/chart.h"

#include <math.h>

/* Of the span, this much may be missing before sums do better than frames. */
static const double missing_share = 0.05;

/* Elapsed seconds when the oldest frame that is still there began. */
static double
oldest_s(const struct view *v, double period_s)
{
	unsigned n = v->past.times(v->past.self, VIEW_SPARK_MAX, v->scratch);

	return (n > 0 ? (double)v->scratch[0] : v->f->elapsed_s) -
	       1.5 * period_s;
}

bool
chart_whole(const struct view *v, struct chart *k)
{
	double begin_s, bucket_s, until_s = v->f->elapsed_s, span_s = v->span_s;
	double period_s = (double)v->s->period_ns / 1e9;

	/* Sums have busy times of rows that delivered counts only. */
	if (k->metric == COLUMN_BUSY)
		return false;
	if (v->run == NULL || v->past.times == NULL || v->span_s == 0 ||
	    !longrun_begin(v->run, &begin_s, &bucket_s))
		return false;
	double oldest = oldest_s(v, fmax(period_s, bucket_s));

	if (v->span_s == VIEW_SPAN_ALL)
		span_s = 0;
	if (begin_s > oldest || (span_s > 0 && oldest - (until_s - span_s) <
						       missing_share * span_s))
		return false;
	return longrun_plan(v->run, until_s, span_s,
			    (unsigned)(k->plot.w * k->per_x), &k->plan);
}

static unsigned
read_run(const struct view *v, const struct chart *k, unsigned scope)
{
	unsigned n = k->plan.n * k->plan.repeat;

	longrun_read(v->run, &k->plan, view_metric(v, k->metric), scope,
		     v->scratch);
	/* From the end, so that none is overwritten before it is read. */
	for (unsigned i = n; k->plan.repeat > 1 && i-- > 0;)
		v->scratch[i] = v->scratch[i / k->plan.repeat];
	return n;
}

unsigned
chart_values(const struct view *v, const struct chart *k, unsigned scope,
	     unsigned n)
{
	return k->whole ? read_run(v, k, scope)
			: view_past(v, scope, k->metric, n);
}
