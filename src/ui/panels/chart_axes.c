/* Scale, times and names of a chart. */
#include "ui/panels/chart.h"

#include "base/buf.h"
#include "ui/view/value.h"

#include <math.h>
#include <string.h>

/* names */

static void
core_name(const struct view *v, unsigned cpu, struct chart_name *out)
{
	const struct topology *t = v->f->topology;
	struct buf b = buf_over(out->text, sizeof out->text);

	buf_str(&b, "cpu");
	buf_i64(&b, t->cpu[cpu].id);
	(void)buf_cstr(&b);
	out->role = ROLE_STRONG;
	out->letter = '*';
}

void
chart_name(const struct view *v, const struct chart *k, unsigned i,
	   struct chart_name *out)
{
	const struct topology *t = v->f->topology;
	struct buf b = buf_over(out->text, sizeof out->text);
	const char *label = "all";
	unsigned groups = k->nseries - (k->core >= 0);

	if (i >= groups) {
		core_name(v, (unsigned)k->core, out);
		return;
	}
	if (!k->by_kind)
		label = t->cluster[i].label;
	else if (t->kind[i].letter[0] != 0)
		label = t->kind[i].letter;
	buf_str(&b, label);
	(void)buf_cstr(&b);
	out->role = k->by_kind ? view_kind_role(i) : view_cluster_role(t, i);
	out->letter =
		!k->by_kind && groups > 2 ? (char)('a' + (int)i) : label[0];
}

/* the scale */

int
chart_row(const struct chart *k, double value)
{
	/* The ends of the scale are the middles of the first and last cell. */
	int rows = (k->plot.h - 1) * k->per_y, middle = k->per_y / 2;
	long up = lround(value / k->max * rows);

	up = up < -middle ? -middle : up > rows ? rows : up;
	return rows - (int)up + (k->per_y > 1 ? middle - 1 : 0);
}

void
chart_scale(struct chart *k, double max, int lines)
{
	if (!(max > 1e-9))
		max = 1;
	double power = pow(10, floor(log10(max)) - 1);
	static const double step[] = { 1, 2, 5, 10, 20, 50, 100 };

	for (unsigned i = 0; i < sizeof step / sizeof *step; i++) {
		double n = ceil(max / (step[i] * power) - 1e-9);

		k->step = step[i] * power;
		k->max = n * k->step;
		if (n <= lines)
			return;
	}
}

void
chart_draw_scale(struct canvas *c, const struct chart *k)
{
	int decimals = k->step < 0.1 ? 2 : k->step < 1 ? 1 : 0;
	long lines = lround(k->max / k->step);

	/* Of a scale of whole numbers up to 9 one sees that it is exact. */
	if (decimals == 0 && k->max < 10)
		decimals = 1;
	for (long i = 0; i <= lines; i++) {
		char text[VALUE_TEXT_SIZE];
		double value = k->step * (double)i;
		int y = k->plot.y + chart_row(k, value) / k->per_y;

		if (i == 0 && k->plot.h < 5)
			continue;
		value_number(value, decimals, CHART_LABEL_W - 1, text);
		canvas_right(c, k->plot.x - CHART_LABEL_W, y, CHART_LABEL_W - 1,
			     ROLE_DIM, text);
		canvas_fill(c, (struct rect){ k->plot.x, y, k->plot.w, 1 },
			    ROLE_FAINT, "·");
	}
}

/* times */

void
chart_ago(double s, double step, char text[CHART_AGO_SIZE])
{
	struct buf b = buf_over(text, CHART_AGO_SIZE);
	long n = lround(s);

	if (step < 1) {
		buf_fixed(&b, s, 1);
		buf_char(&b, 's');
	} else if (n < 60 || (n < 120 && step < 60)) {
		buf_i64(&b, n);
		buf_char(&b, 's');
	} else if (n < 3600) {
		buf_i64(&b, n / 60);
		buf_char(&b, 'm');
		if (n % 60 != 0)
			buf_printf(&b, "%02ld", n % 60);
	} else {
		buf_i64(&b, n / 3600);
		buf_char(&b, 'h');
		if (n % 3600 >= 60)
			buf_printf(&b, "%02ld", n % 3600 / 60);
	}
	(void)buf_cstr(&b);
}

/* Frames before the chart's last one, by when they were. */
struct ages {
	const float *at; /* elapsed seconds, oldest first; NULL: none known */
	unsigned n;
	double period_s;
};

static struct ages
ages_of(const struct view *v, const struct chart *k)
{
	struct ages a = { .period_s = (double)v->s->period_ns / 1e9 };
	unsigned want = k->frames + v->back;

	if (k->whole)
		a.period_s = k->plan.dot_s;
	if (k->whole || v->past.times == NULL || v->past.self == NULL)
		return a;
	if (want > VIEW_SPARK_MAX)
		want = VIEW_SPARK_MAX;
	unsigned n = v->past.times(v->past.self, want, v->scratch);

	if (n > v->back + 1) {
		a.at = v->scratch;
		a.n = n - v->back;
	}
	return a;
}

/* How many frames back it is to that age: 0 is the last one. */
static double
frames_back(const struct ages *a, double ago)
{
	if (a->at == NULL)
		return ago / a->period_s;
	unsigned last = a->n - 1, i = last;
	double newest = (double)a->at[last];

	while (i > 0 && newest - (double)a->at[i] < ago)
		i--;
	/* Before the first frame the axis goes on as it would have been. */
	double more = ago - (newest - (double)a->at[i]);

	return last - i + (i == 0 && more > 0 ? more / a->period_s : 0);
}

/* Seconds from the chart's left end to its right one. */
static double
span_of(const struct ages *a, const struct chart *k)
{
	double frames = k->frames - 1;

	if (a->at == NULL || a->n < 2)
		return frames * a->period_s;
	double known = (double)(a->at[a->n - 1] - a->at[0]);

	if (a->n < k->frames)
		known += (k->frames - a->n) * a->period_s;
	return known;
}

/* The least of these between two marks that leaves room for their words. */
static double
time_step(double span, int w)
{
	static const double step[] = { 0.1,  0.2,  0.5,   1,     2,
				       5,    10,   15,    30,    60,
				       120,  300,  600,   900,   1800,
				       3600, 7200, 14400, 43200, 86400 };
	enum { CELLS = 12, N = sizeof step / sizeof *step };

	for (unsigned i = 0; i < N; i++)
		if (span / step[i] * (double)CELLS <= w)
			return step[i];
	return 7 * 86400;
}

/* "-90s   -1m   -30s   now": each above where it was. */
void
chart_draw_times(struct canvas *c, const struct view *v, const struct chart *k)
{
	struct ages a = ages_of(v, k);
	double step = time_step(span_of(&a, k), k->plot.w);
	int y = k->plot.y + k->plot.h, right = k->plot.x + k->plot.w - 1;
	const char *end = v->scrub > 0 ? "then" : "now";
	int free = right - canvas_width(end); /* of marks so far */

	canvas_right(c, k->plot.x, y, k->plot.w, ROLE_DIM, end);
	for (int i = 1; i < 100; i++) {
		char ago[CHART_AGO_SIZE], text[CHART_AGO_SIZE + 1] = "-";
		double back = frames_back(&a, step * i) + k->ahead;
		int x = right -
			(int)lround(back * (k->plot.w - 1) /
				    (k->frames > 1 ? k->frames - 1 : 1));

		if (x < k->plot.x)
			break;
		chart_ago(step * i, step, ago);
		memcpy(text + 1, ago, sizeof ago);
		int w = canvas_width(text), from = x - w / 2;

		if (from < k->plot.x)
			from = k->plot.x;
		if (from + w >= free)
			continue;
		canvas_text(c, from, y, ROLE_DIM, text);
		free = from;
	}
}

/* names */

static void
draw_key(struct canvas *c, int x, int y, const struct chart_name *name)
{
	char sign[2] = { name->letter, 0 };

	canvas_put(c, x, y, name->role, c->glyphs == CANVAS_ASCII ? sign : "━");
	canvas_text(c, x + 2, y, name->role, name->text);
}

void
chart_draw_names(struct canvas *c, const struct view *v, const struct chart *k)
{
	struct chart_name name;
	int x = k->plot.x + k->plot.w;

	for (unsigned i = 0; i < k->nseries; i++) {
		chart_name(v, k, i, &name);
		x -= canvas_width(name.text) + 4;
	}
	for (unsigned i = 0; i < k->nseries && x > k->plot.x; i++) {
		chart_name(v, k, i, &name);
		draw_key(c, x + 1, k->plot.y - 1, &name);
		x += canvas_width(name.text) + 4;
	}
}

/* Rows for the names, each as near to its line's end as the others allow. */
static void
spread(int *y, const unsigned *order, unsigned n, int rows)
{
	for (unsigned i = 1; i < n; i++)
		if (y[order[i]] <= y[order[i - 1]])
			y[order[i]] = y[order[i - 1]] + 1;
	int floor = rows - 1;

	for (unsigned i = n; i-- > 0; floor = y[order[i]] - 1)
		if (y[order[i]] > floor)
			y[order[i]] = floor;
}

/* Belongs line a's name below b's? Names in a row go by the values. */
static bool
lower(const double *last, const int *y, unsigned a, unsigned b)
{
	return y[a] != y[b] ? y[a] > y[b] : !(last[a] > last[b]);
}

void
chart_draw_ends(struct canvas *c, const struct view *v, const struct chart *k,
		const double *last)
{
	int y[CHART_SERIES_MAX + 1], x = k->plot.x + k->plot.w + 1;
	unsigned order[CHART_SERIES_MAX + 1], n = 0;

	for (unsigned i = 0; i < k->nseries; i++) {
		unsigned at = n;

		/* One without a value has its name at the foot. */
		y[i] = isnan(last[i]) ? k->plot.h - 1
				      : chart_row(k, last[i]) / k->per_y;
		while (at > 0 && !(lower(last, y, i, order[at - 1]))) {
			order[at] = order[at - 1];
			at--;
		}
		order[at] = i;
		n++;
	}
	spread(y, order, n, k->plot.h);
	for (unsigned i = 0; i < k->nseries; i++) {
		struct chart_name name;
		char text[VALUE_TEXT_SIZE];
		const struct metric *m = view_metric(v, k->metric);
		int row = k->plot.y + y[i];

		chart_name(v, k, i, &name);
		if (c->glyphs == CANVAS_ASCII)
			draw_key(c, x, row, &name);
		else
			canvas_text(c, x, row, name.role, name.text);
		value_number(last[i], m->decimals, 5, text);
		canvas_right(c, c->window.w - 7, row, 5,
			     isnan(last[i]) ? ROLE_DIM : ROLE_STRONG, text);
	}
}
