/* Where cores have no rows: which of them stand out. */
#include "ui/panels/panel.h"
#include "ui/view/value.h"

#include <math.h>

enum { OUTLIERS = 16 };

/* The cores furthest out, worst first; how many. */
static unsigned
furthest(const struct view *v, int metric, bool lowest, unsigned out[OUTLIERS])
{
	unsigned n = 0;

	for (unsigned i = 0; i < v->f->topology->ncpus; i++) {
		double value = view_value(v, i, metric);
		unsigned at = n;

		if (isnan(value) ||
		    (metric != COLUMN_BUSY &&
		     frame_state(v->f, i, (unsigned)metric) != VALUE_OK))
			continue;
		while (at > 0) {
			double other = view_value(v, out[at - 1], metric);

			if (lowest ? other <= value : other >= value)
				break;
			if (at < OUTLIERS)
				out[at] = out[at - 1];
			at--;
		}
		if (at < OUTLIERS)
			out[at] = i;
		n += n < OUTLIERS;
	}
	return n;
}

/* "cpu18 0.41" in columns, so that the lines are read downwards too. */
static void
draw_line(struct canvas *c, const struct view *v, int y, int metric,
	  bool lowest)
{
	enum { HEAD_W = 15, NUMBER_W = 5 };
	const struct topology *t = v->f->topology;
	const struct metric *m = view_metric(v, metric);
	unsigned core[OUTLIERS], n = furthest(v, metric, lowest, core);
	int name_w = 3 + v->lay.table.id_w, x = 1;

	x += canvas_text(c, x, y, ROLE_DIM, lowest ? "lowest " : "most ");
	canvas_text(c, x, y, ROLE_DIM, view_label(v, metric));
	x = HEAD_W;
	for (unsigned i = 0; i < n; i++) {
		char text[64], number[VALUE_TEXT_SIZE];
		struct buf b = buf_over(text, sizeof text);

		if (x + name_w + 1 + NUMBER_W > c->window.w - 1)
			break;
		buf_str(&b, "cpu");
		buf_i64(&b, t->cpu[core[i]].id);
		value_number(view_value(v, core[i], metric), m->decimals,
			     NUMBER_W, number);
		canvas_text(c, x, y,
			    view_cluster_role(t, t->cpu[core[i]].cluster),
			    buf_cstr(&b));
		canvas_right(c, x + name_w + 1, y, NUMBER_W, ROLE_TEXT, number);
		x += name_w + 1 + NUMBER_W + 2;
	}
}

/*
 * The lowest IPC, then the most of the set's first two miss rates; without
 * counters the busiest first.
 */
static void
panel_outliers_draw(struct canvas *c, const struct view *v)
{
	int y = 0;

	draw_line(c, v, y++, v->main, v->main == v->ipc);
	for (unsigned i = 0; i < v->ncolumns && y < c->window.h; i++) {
		int metric = v->column[i].metric;

		if (metric != COLUMN_BUSY &&
		    view_metric(v, metric)->bad > view_metric(v, metric)->good)
			draw_line(c, v, y++, metric, false);
	}
}

const struct panel panel_outliers = {
	.place = PANEL_OUTLIERS,
	.draw = panel_outliers_draw,
	.needs_frame = true,
};
