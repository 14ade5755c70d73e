#include "ui/panel.h"
#include "ui/value.h"

#include <math.h>
#include <string.h>

enum { LABEL_W = 5, SERIES_MAX = 6 };

struct chart {
	int metric;
	bool by_kind; /* too many clusters for a line each */
	unsigned nseries;
	unsigned frames;  /* of the past that it shows */
	int core;         /* scope of a core with a line of its own, or -1 */
	struct rect plot; /* in cells of the window */
	double max;
	int per_x, per_y;
};

static unsigned
series_scope(const struct view *v, const struct chart *k, unsigned i)
{
	if (k->core >= 0 && i + 1 == k->nseries)
		return (unsigned)k->core;
	return k->by_kind ? frame_scope_kind(v->f, i)
			  : frame_scope_cluster(v->f, i);
}

static enum role
series_role(const struct view *v, const struct chart *k, unsigned i)
{
	if (k->core >= 0 && i + 1 == k->nseries)
		return ROLE_STRONG;
	return k->by_kind ? view_kind_role(i)
			  : view_cluster_role(v->f->topology, i);
}

static const char *
series_label(const struct view *v, const struct chart *k, unsigned i)
{
	const struct topology *t = v->f->topology;

	if (k->core >= 0 && i + 1 == k->nseries)
		return "selected";
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
				       k->frames);

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

/*
 * The least and most of the frames behind dot d of `width`, out of n at the
 * end of k->frames; false where there was none: a gap stays a gap.
 */
static bool
dot_range(const struct view *v, const struct chart *k, unsigned n,
	  unsigned width, unsigned d, double *low, double *high)
{
	uint64_t from = (uint64_t)d * k->frames / width;
	uint64_t to = (uint64_t)(d + 1) * k->frames / width;
	unsigned before = k->frames - n;
	bool any = false;

	for (uint64_t j = from; j < (to > from ? to : from + 1); j++) {
		double value =
			j >= before ? (double)v->scratch[j - before] : NAN;

		if (isnan(value))
			continue;
		*low = any && *low < value ? *low : value;
		*high = any && *high > value ? *high : value;
		any = true;
	}
	return any;
}

static char
series_letter(const struct view *v, const struct chart *k, unsigned i)
{
	if (k->core >= 0 && i + 1 == k->nseries)
		return '*';
	if (!k->by_kind && k->nseries - (k->core >= 0) > 2)
		return (char)('a' + (int)i);
	return series_label(v, k, i)[0];
}

/* How many points it drew. */
static unsigned
draw_series(struct canvas *c, const struct view *v, const struct chart *k,
	    unsigned i)
{
	unsigned width = (unsigned)(k->plot.w * k->per_x), drawn = 0;
	unsigned n = view_past(v, series_scope(v, k, i), k->metric, k->frames);
	enum role role = series_role(v, k, i);
	char letter = series_letter(v, k, i);
	int before = -1, top = k->plot.y * k->per_y;

	for (unsigned d = 0; d < width; d++) {
		int x = (int)d + k->plot.x * k->per_x;
		double low = 0, high = 0;

		if (!dot_range(v, k, n, width, d, &low, &high)) {
			before = -1;
			continue;
		}
		int upper = dot_row(k, high), lower = dot_row(k, low);

		/* Join what lies more than a dot apart. */
		if (before >= 0 && before < upper - 1)
			upper = before + 1;
		if (before > lower + 1)
			lower = before - 1;
		for (int y = upper; y <= lower; y++)
			canvas_dot(c, x, y + top, role, letter);
		before = dot_row(k, (low + high) / 2);
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
		canvas_fill(
			c,
			(struct rect){ k->plot.x, k->plot.y + y, k->plot.w, 1 },
			ROLE_FAINT, "·");
	}
}

/* Seconds that the frames of the chart cover. */
static double
span_of(const struct view *v, const struct chart *k)
{
	double nominal = k->frames * (double)v->s->period_ns / 1e9;
	unsigned want = k->frames + v->back;

	if (v->past.times == NULL || v->past.self == NULL)
		return nominal;
	if (want > VIEW_SPARK_MAX)
		want = VIEW_SPARK_MAX;
	unsigned n = v->past.times(v->past.self, want, v->scratch);

	if (n < k->frames || n < v->back + 2)
		return nominal; /* most of it is still empty */
	return (double)(v->scratch[n - 1 - v->back] - v->scratch[0]);
}

/* "-60 s   -45   -30   -15   now" */
static void
draw_times(struct canvas *c, const struct view *v, const struct chart *k)
{
	double span = span_of(v, k);
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
		char sign[2] = { series_letter(v, k, i), 0 };

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

	buf_str(&t, view_metric(v, metric)->label);
	buf_str(&t, " by cluster");
	buf_str(&n, "M metric   z time");
	if (v->paused) {
		buf_str(&n, "   ← → ");
		buf_u64(&n, v->scrub);
		buf_str(&n, " frames back");
	}
	canvas_box(c, (struct rect){ 0, 0, c->window.w, c->window.h },
		   buf_cstr(&t), buf_cstr(&n));
}

static unsigned
frames_of(const struct view *v, const struct chart *k)
{
	enum { LEAST = 10 };
	double n = v->span_s * 1e9 /
		   (double)(v->s->period_ns > 0 ? v->s->period_ns : 1000000000);

	if (v->span_s == 0)
		return (unsigned)(k->plot.w * k->per_x);
	if (v->span_s == VIEW_SPAN_ALL && v->past.self != NULL)
		n = v->past.values(v->past.self, frame_scope_all(v->f),
				   (unsigned)k->metric, VIEW_SPARK_MAX,
				   v->scratch);
	if (n > (double)VIEW_SPARK_MAX)
		return VIEW_SPARK_MAX;
	return n < (double)LEAST ? LEAST : (unsigned)n;
}

static void
draw_metric(struct canvas *c, const struct view *v, int metric)
{
	const struct topology *t = v->f->topology;
	struct chart k = { .metric = metric,
			   .core = -1,
			   .by_kind = t->nclusters > SERIES_MAX };

	if (metric < 0)
		return;
	draw_frame(c, v, metric);
	k.nseries = k.by_kind ? t->nkinds : t->nclusters;
	if (v->listed && v->selected < t->ncpus) {
		k.core = (int)v->selected;
		k.nseries++;
	}
	k.plot = (struct rect){ 2 + LABEL_W, 2, c->window.w - LABEL_W - 4,
				c->window.h - 4 };
	if (k.plot.w < 8 || k.plot.h < 2)
		return;
	canvas_dots(c, &k.per_x, &k.per_y);
	k.frames = frames_of(v, &k);
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
		    (view_metric(v, v->column[i].metric)->unit == UNIT_MPKI ||
		     metric == v->ipc))
			metric = v->column[i].metric;
	draw_metric(c, v, metric);
}
