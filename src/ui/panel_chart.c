#include "ui/panel.h"
#include "ui/value.h"

#include <math.h>
#include <string.h>

enum { LABEL_W = 5, SERIES_MAX = 6 };

struct chart {
	int metric;
	bool by_kind; /* too many clusters for a line each */
	unsigned nseries;
	struct rect plot; /* in cells of the window */
	double max;
	int per_x, per_y;
};

static unsigned
series_scope(const struct view *v, const struct chart *k, unsigned i)
{
	return k->by_kind ? frame_scope_kind(v->f, i)
			  : frame_scope_cluster(v->f, i);
}

static enum role
series_role(const struct view *v, const struct chart *k, unsigned i)
{
	return k->by_kind ? view_kind_role(i)
			  : view_cluster_role(v->f->topology, i);
}

static const char *
series_label(const struct view *v, const struct chart *k, unsigned i)
{
	const struct topology *t = v->f->topology;

	if (!k->by_kind)
		return t->cluster[i].label;
	return t->kind[i].letter[0] != 0 ? t->kind[i].letter : "all";
}

/* The end of the scale: 1, 2 or 5 times a power of ten, not below v. */
static double
nice_above(double v)
{
	double power = pow(10, floor(log10(v > 1e-9 ? v : 1e-9)));

	for (unsigned i = 0; i < 3; i++) {
		static const double step[3] = { 1, 2, 5 };

		if (v <= step[i] * power)
			return step[i] * power;
	}
	return 10 * power;
}

static double
scale_max(const struct view *v, const struct chart *k)
{
	double max = 0;

	if (k->metric == v->ipc)
		return v->ipc_max;
	for (unsigned i = 0; i < k->nseries; i++) {
		unsigned n = view_past(v, series_scope(v, k, i), k->metric,
				       (unsigned)(k->plot.w * k->per_x));

		for (unsigned j = 0; j < n; j++)
			if ((double)v->scratch[j] > max)
				max = (double)v->scratch[j];
	}
	return nice_above(max > 0 ? max : 1);
}

static int
dot_row(const struct chart *k, double value)
{
	int rows = k->plot.h * k->per_y;
	long up = lround(value / k->max * (rows - 1));

	up = up < 0 ? 0 : up > rows - 1 ? rows - 1 : up;
	return rows - 1 - (int)up;
}

/* How many points it drew. */
static unsigned
draw_series(struct canvas *c, const struct view *v, const struct chart *k,
	    unsigned i)
{
	unsigned width = (unsigned)(k->plot.w * k->per_x);
	unsigned n = view_past(v, series_scope(v, k, i), k->metric, width);
	enum role role = series_role(v, k, i);
	char letter = series_label(v, k, i)[0];
	int before = -1;
	unsigned drawn = 0;

	if (!k->by_kind && k->nseries > 2)
		letter = (char)('a' + (int)i);
	for (unsigned j = 0; j < n; j++) {
		double value = (double)v->scratch[j];
		int x = (int)(width - n + j) + k->plot.x * k->per_x;

		if (isnan(value)) {
			before = -1;
			continue;
		}
		int y = dot_row(k, value), from = before < 0 ? y : before;

		/* Join what lies more than a dot apart. */
		for (int at = from; at != y; at += at < y ? 1 : -1)
			if (at != from)
				canvas_dot(c, x, at + k->plot.y * k->per_y,
					   role, letter);
		canvas_dot(c, x, y + k->plot.y * k->per_y, role, letter);
		before = y;
		drawn++;
	}
	return drawn;
}

static void
draw_scale(struct canvas *c, const struct chart *k)
{
	int lines = k->plot.h >= 9 ? 4 : k->plot.h >= 4 ? 2 : 1;
	int decimals = k->max <= 1 ? 2 : k->max <= 10 ? 1 : 0;

	/* Even steps, and at least two rows apart. */
	if (fabs(k->max - 6) < 0.01)
		lines = k->plot.h >= 7 ? 3 : 2;
	for (int i = 0; i <= lines; i++) {
		char text[VALUE_TEXT_SIZE];
		double value = k->max * i / lines;
		int y = dot_row(k, value) / k->per_y;

		if (i == 0 && k->plot.h < 5)
			continue;
		value_number(value, decimals, LABEL_W - 1, text);
		canvas_right(c, k->plot.x - LABEL_W, k->plot.y + y, LABEL_W - 1,
			     ROLE_DIM, text);
		for (int x = 0; x < k->plot.w; x++)
			canvas_put(c, k->plot.x + x, k->plot.y + y, ROLE_FAINT,
				   "·");
	}
}

/* "-60 s   -45   -30   -15   now" */
static void
draw_times(struct canvas *c, const struct view *v, const struct chart *k)
{
	double span = k->plot.w * k->per_x * (double)v->s->period_ns / 1e9;
	int y = k->plot.y + k->plot.h;
	int marks = k->plot.w >= 60 ? 4 : 2;

	for (int i = 0; i < marks; i++) {
		char text[VALUE_TEXT_SIZE];
		double ago = span * (marks - i) / marks +
			     v->scrub * (double)v->s->period_ns / 1e9;

		value_number(-ago, span < 10 ? 1 : 0, 8, text);
		int x = k->plot.x + k->plot.w * i / marks;

		x += canvas_text(c, x, y, ROLE_DIM, text);
		if (i == 0)
			canvas_text(c, x, y, ROLE_DIM, " s");
	}
	canvas_right(c, k->plot.x, y, k->plot.w, ROLE_DIM,
		     v->scrub > 0 ? "then" : "now");
}

static void
draw_names(struct canvas *c, const struct view *v, const struct chart *k)
{
	int x = k->plot.x + k->plot.w;

	for (unsigned i = 0; i < k->nseries; i++)
		x -= canvas_width(series_label(v, k, i)) + 4;
	for (unsigned i = 0; i < k->nseries && x > k->plot.x; i++) {
		char sign[2] = { series_label(v, k, i)[0], 0 };

		if (!k->by_kind && k->nseries > 2)
			sign[0] = (char)('a' + (int)i);
		x += 1;
		canvas_put(c, x, k->plot.y - 1, series_role(v, k, i),
			   c->glyphs == CANVAS_ASCII ? sign : "━");
		x += 2;
		x += canvas_text(c, x, k->plot.y - 1, series_role(v, k, i),
				 series_label(v, k, i));
		x += 1;
	}
}

static void
draw_frame(struct canvas *c, const struct view *v, int metric)
{
	char title[48], note[64];
	struct buf t = buf_over(title, sizeof title);
	struct buf n = buf_over(note, sizeof note);

	buf_str(&t, metric_table[metric].label);
	buf_str(&t, " by cluster");
	buf_str(&n, "M metric");
	if (v->paused) {
		buf_str(&n, "   ← → ");
		buf_u64(&n, v->scrub);
		buf_str(&n, " frames back");
	}
	canvas_box(c, (struct rect){ 0, 0, c->window.w, c->window.h },
		   buf_cstr(&t), buf_cstr(&n));
}

static void
draw_metric(struct canvas *c, const struct view *v, int metric)
{
	const struct topology *t = v->f->topology;
	struct chart k = { .metric = metric,
			   .by_kind = t->nclusters > SERIES_MAX };

	if (metric < 0)
		return;
	draw_frame(c, v, metric);
	k.nseries = k.by_kind ? t->nkinds : t->nclusters;
	k.plot = (struct rect){ 2 + LABEL_W, 2, c->window.w - LABEL_W - 4,
				c->window.h - 4 };
	if (k.plot.w < 8 || k.plot.h < 2)
		return;
	canvas_dots(c, &k.per_x, &k.per_y);
	k.max = scale_max(v, &k);
	draw_scale(c, &k);
	draw_times(c, v, &k);
	draw_names(c, v, &k);
	/* The first (fastest) last, so that it lies on top. */
	unsigned drawn = 0;

	for (unsigned i = k.nseries; i-- > 0;)
		drawn += draw_series(c, v, &k, i);
	if (drawn == 0)
		canvas_text(c, k.plot.x + k.plot.w / 2 - 6,
			    k.plot.y + k.plot.h / 2, ROLE_DIM, "not counted");
}

void
panel_chart_draw(struct canvas *c, const struct view *v)
{
	draw_metric(c, v, v->chart);
}

/* IPC when the first shows something else, else the set's first metric. */
void
panel_chart2_draw(struct canvas *c, const struct view *v)
{
	int metric = v->ipc;

	for (unsigned i = v->ncolumns; v->chart == v->ipc && i-- > 0;)
		if (v->column[i].metric != COLUMN_BUSY &&
		    (metric_table[v->column[i].metric].unit == UNIT_MPKI ||
		     metric == v->ipc))
			metric = v->column[i].metric;
	draw_metric(c, v, metric);
}
