/* Where cores have no rows: which of them stand out. */
#include "ui/panel.h"
#include "ui/value.h"

#include <math.h>

enum { OUTLIERS = 8 };

/* The cores furthest out, worst first; how many. */
static unsigned
furthest(const struct view *v, int metric, bool lowest, unsigned out[OUTLIERS])
{
	unsigned n = 0;

	for (unsigned i = 0; i < v->f->topology->ncpus; i++) {
		double value = frame_value(v->f, i, (unsigned)metric);
		unsigned at = n;

		if (isnan(value) ||
		    frame_state(v->f, i, (unsigned)metric) != VALUE_OK)
			continue;
		while (at > 0) {
			double other = frame_value(v->f, out[at - 1],
						   (unsigned)metric);

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

static void
draw_line(struct canvas *c, const struct view *v, int y, int metric,
	  bool lowest)
{
	const struct topology *t = v->f->topology;
	const struct metric *m = view_metric(v, metric);
	unsigned core[OUTLIERS], n = furthest(v, metric, lowest, core);
	int x = 1;

	x += canvas_text(c, x, y, ROLE_DIM, lowest ? "lowest " : "most ");
	x += canvas_text(c, x, y, ROLE_DIM, m->label);
	for (unsigned i = 0; i < n; i++) {
		char text[64], number[VALUE_TEXT_SIZE];
		struct buf b = buf_over(text, sizeof text);

		value_number(frame_value(v->f, core[i], (unsigned)metric),
			     m->decimals, 6, number);
		buf_str(&b, "cpu");
		buf_i64(&b, t->cpu[core[i]].id);
		buf_char(&b, ' ');
		buf_cstr(&b);
		if (x + 2 + (int)b.len + canvas_width(number) > c->window.w - 1)
			break;
		x += 2;
		x += canvas_text(c, x, y,
				 view_cluster_role(t, t->cpu[core[i]].cluster),
				 text);
		x += canvas_text(c, x, y, ROLE_TEXT, number);
	}
}

/* The lowest IPC, then the most of the set's first two miss rates. */
void
panel_outliers_draw(struct canvas *c, const struct view *v)
{
	int y = 0;

	draw_line(c, v, y++, v->ipc, true);
	for (unsigned i = 0; i < v->ncolumns && y < c->window.h; i++) {
		int metric = v->column[i].metric;

		if (metric != COLUMN_BUSY &&
		    view_metric(v, metric)->bad > view_metric(v, metric)->good)
			draw_line(c, v, y++, metric, false);
	}
}
