#include "ui/panels/power.h"

/* Returns the evidence of the largest loss if it is flagged; -1: none. */
static int
chart_evidence_metric(const struct view *v)
{
	const struct bottleneck *worst =
		v->lost.n > 0 ? &v->f->bottleneck[v->lost.at[0].scope] : NULL;

	return worst != NULL && worst->flagged ? worst->evidence : -1;
}

/* Draws the main metric if the first chart shows another. Else draws memory
 * traffic if this chart is beside the tables, or a column: flagged evidence,
 * MPKI or any. */
void
panel_chart2_draw(struct canvas *c, const struct view *v)
{
	int metric = v->metric.main, rank = 0,
	    evidence = chart_evidence_metric(v);

	if (v->chart.metric == v->metric.main && v->lay.tables_w < c->w &&
	    power_traffic_draw(c, v))
		return;
	for (unsigned i = 0; v->chart.metric == v->metric.main && i < v->cols.n;
	     i++) {
		int column = v->cols.column[i].metric;
		int its = evidence >= 0 && column == evidence         ? 4
			  : view_metric(v, column)->unit == UNIT_MPKI ? 3
			  : view_column_group(v, column) != VIEW_COLUMNS_FIXED
				  ? 2
				  : 1;

		if (its > rank) {
			metric = column;
			rank = its;
		}
	}
	chart_metric_draw(c, v, metric);
}
