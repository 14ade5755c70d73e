#include "ui/panels/inner.h"

#include "base/buf.h"
#include "ui/view/value.h"

#include <math.h>
#include <string.h>

/* The chart shows the run's sums if the history lacks more than this share of
 * the chart's time span. */
static const double missing_share = 0.05;

static double
chart_oldest_frame_s(const struct view *v, double period_s)
{
	unsigned n = v->past.times(v->past.self, VIEW_SPARK_MAX, v->scratch);

	return (n > 0 ? (double)v->scratch[0] : v->f->elapsed_s) -
	       1.5 * period_s;
}

/* True: the chart shows sums of the run, by k->plan. False: it shows frames. */
static bool
chart_plan_run(const struct view *v, struct chart *k)
{
	double begin_s, bucket_s, until_s = v->f->elapsed_s;
	double span_s = (double)v->chart.cell_s * k->plot.w;
	double period_s = (double)v->s->period_ns / 1e9;

	/* The run's sums have no busy time of rows without counts. */
	if (k->metric == COLUMN_BUSY)
		return false;
	if (v->run == NULL || v->past.times == NULL || v->chart.cell_s <= 1 ||
	    !history_run_begin(v->run, &begin_s, &bucket_s))
		return false;
	double oldest = chart_oldest_frame_s(v, fmax(period_s, bucket_s));

	if (v->chart.cell_s == VIEW_CELL_ALL)
		span_s = 0;
	if (begin_s > oldest || (span_s > 0 && oldest - (until_s - span_s) <
						       missing_share * span_s))
		return false;
	return history_run_plan(v->run, until_s, span_s,
				(unsigned)(k->plot.w * k->per_x), &k->plan);
}

static unsigned
chart_read_run(const struct view *v, const struct chart *k, unsigned scope)
{
	unsigned n = k->plan.n * k->plan.repeat;

	history_run_read(v->run, &k->plan, view_metric(v, k->metric), scope,
			 v->scratch);
	for (unsigned i = n; k->plan.repeat > 1 && i-- > 0;)
		v->scratch[i] = v->scratch[i / k->plan.repeat];
	return n;
}

static unsigned
chart_series_values(const struct view *v, const struct chart *k, unsigned scope,
		    unsigned n)
{
	if (k->whole)
		return chart_read_run(v, k, scope);
	return chart_spread(v, k,
			    view_read_past(v, OF_SCOPE(scope), k->metric, n), n,
			    false);
}

static void
chart_series_name(const struct view *v, const struct chart *k, unsigned i,
		  struct chart_name *out)
{
	const struct topology *t = v->f->topology;
	struct buf b = buf_over(out->text, sizeof out->text);
	const char *label = "all";
	unsigned groups = k->nseries - (k->core >= 0);

	*out = (struct chart_name){ "", ROLE_STRONG, '*', 0 };
	if (i >= groups) {
		buf_printf(&b, "cpu%d", t->cpu[k->core].id);
		buf_cstr(&b);
		return;
	}
	for (unsigned j = 0; !k->by_kind && j < i; j++)
		out->nth += t->cluster[j].kind == t->cluster[i].kind;
	if (!k->by_kind)
		label = t->cluster[i].label;
	else if (t->kind[i].letter[0] != 0)
		label = t->kind[i].letter;
	buf_str(&b, label);
	buf_cstr(&b);
	out->role = k->by_kind ? view_kind_role(i) : view_cluster_role(t, i);
	out->letter =
		!k->by_kind && groups > 2 ? (char)('a' + (int)i) : label[0];
}

int
chart_row(const struct chart *k, double value)
{
	/* The ends of the scale are in the middle of a cell. */
	int rows = (k->plot.h - 1) * k->per_y, middle = k->per_y / 2;
	double at = fmin(fmax(value / k->max * rows, -middle), rows);

	return rows - (int)lround(at) + (k->per_y > 1 ? middle - 1 : 0);
}

double
chart_most(const struct view *v, unsigned n, double most)
{
	for (unsigned i = 0; i < n; i++)
		if ((double)v->scratch[i] > most)
			most = (double)v->scratch[i];
	return most;
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
chart_scale_draw(struct canvas *c, const struct chart *k)
{
	int decimals = k->step < 0.1 ? 2 : k->step < 1 ? 1 : 0;
	long lines = lround(k->max / k->step);

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
	}
}

static void
series_key_draw(struct canvas *c, int x, int y, const struct chart_name *name)
{
	char sign[2] = { name->letter, 0 };

	canvas_put(c, x, y, name->role, c->glyphs == CANVAS_ASCII ? sign : "━");
	canvas_text(c, x + 2, y, name->role, name->text);
}

static void
series_names_draw(struct canvas *c, const struct chart *k)
{
	int x = k->plot.x + k->plot.w;

	for (unsigned i = 0; i < k->nseries; i++)
		x -= canvas_width(k->name[i].text) + 4;
	for (unsigned i = 0; i < k->nseries && x > k->plot.x; i++) {
		series_key_draw(c, x + 1, k->plot.y - 1, &k->name[i]);
		x += canvas_width(k->name[i].text) + 4;
	}
}

static void
end_rows_spread(int *y, const unsigned *order, unsigned n, int rows)
{
	for (unsigned i = 1; i < n; i++)
		if (y[order[i]] <= y[order[i - 1]])
			y[order[i]] = y[order[i - 1]] + 1;
	int floor = rows - 1;

	for (unsigned i = n; i-- > 0; floor = y[order[i]] - 1)
		if (y[order[i]] > floor)
			y[order[i]] = floor;
}

static bool
end_is_lower(const double *last, const int *y, unsigned a, unsigned b)
{
	return y[a] != y[b] ? y[a] > y[b] : !(last[a] > last[b]);
}

void
chart_ends_draw(struct canvas *c, const struct chart *k, const double *last,
		int decimals)
{
	int y[CHART_SERIES_MAX + 1], x = k->plot.x + k->plot.w + 1;
	unsigned order[CHART_SERIES_MAX + 1], n = 0;

	for (unsigned i = 0; i < k->nseries; i++) {
		unsigned at = n;

		y[i] = isnan(last[i]) ? k->plot.h - 1
				      : chart_row(k, last[i]) / k->per_y;
		while (at > 0 && !(end_is_lower(last, y, i, order[at - 1]))) {
			order[at] = order[at - 1];
			at--;
		}
		order[at] = i;
		n++;
	}
	end_rows_spread(y, order, n, k->plot.h);
	for (unsigned i = 0; i < k->nseries; i++) {
		const struct chart_name *name = &k->name[i];
		char text[VALUE_TEXT_SIZE];
		int row = k->plot.y + y[i];

		if (c->glyphs == CANVAS_ASCII)
			series_key_draw(c, x, row, name);
		else
			canvas_text(c, x, row, name->role, name->text);
		value_number(last[i], decimals, 5, text);
		canvas_right(c, c->window.w - 7, row, 5,
			     isnan(last[i]) ? ROLE_DIM : ROLE_STRONG, text);
	}
}

static unsigned
series_scope(const struct view *v, const struct chart *k, unsigned i)
{
	if (k->core >= 0 && i + 1 == k->nseries)
		return (unsigned)k->core;
	return k->by_kind ? frame_scope_kind(v->f, i)
			  : frame_scope_cluster(v->f, i);
}

static double
chart_highest(const struct view *v, const struct chart *k)
{
	double max = 0;

	if (k->metric == COLUMN_BUSY)
		return 100;
	for (unsigned i = 0; i < k->nseries; i++)
		max = chart_most(v,
				 chart_series_values(v, k,
						     series_scope(v, k, i),
						     k->frames),
				 max);
	return max > 0 ? max : 1;
}

/* Cells begin at fixed frame numbers, so that a moving line keeps its shape. */
unsigned
chart_frames_ahead(const struct view *v, const struct chart *k)
{
	unsigned cell = k->frames / (unsigned)k->plot.w;

	if (k->whole || cell < 2)
		return 0;
	return cell - 1 - (unsigned)(v->f->seq % cell);
}

/* This is a Shell sort, because qsort may allocate memory. */
float
chart_nth(float *v, unsigned n, unsigned nth)
{
	static const unsigned gap[] = { 57, 23, 10, 4, 1 };

	for (unsigned g = n > 10 ? 0 : 4; g < sizeof gap / sizeof *gap; g++)
		for (unsigned i = gap[g]; i < n; i++) {
			float x = v[i];
			unsigned k = i;

			for (; k >= gap[g] && v[k - gap[g]] > x; k -= gap[g])
				v[k] = v[k - gap[g]];
			v[k] = x;
		}
	return v[nth];
}

/* Finds the range of a dot's values; of many, only the median. False: none. */
static bool
dot_values_range(const struct view *v, const struct chart *k, unsigned n,
		 unsigned width, unsigned d, double *low, double *high)
{
	if (k->frames == width) {
		unsigned skip = k->frames - k->ahead - n;
		float value =
			d >= skip && d - skip < n ? v->scratch[d - skip] : NAN;

		*low = *high = (double)value;
		return !isnan(value);
	}
	uint64_t from = (uint64_t)d * k->frames / width;
	uint64_t to = (uint64_t)(d + 1) * k->frames / width;
	unsigned before = k->frames - k->ahead - n, have = 0;
	float seen[CHART_DOT_FRAMES];

	if (to <= from)
		to = from + 1;
	for (uint64_t j = from; j < to && have < CHART_DOT_FRAMES; j++) {
		float value = j >= before && j - before < n
				      ? v->scratch[j - before]
				      : NAN;

		if (isnan(value))
			continue;
		seen[have++] = value;
		*low = have > 1 && *low < (double)value ? *low : (double)value;
		*high = have > 1 && *high > (double)value ? *high
							  : (double)value;
	}
	if (to - from > CHART_MEDIAN_FROM && have > 0)
		*low = *high = (double)chart_nth(seen, have, have / 2);
	return have > 0;
}

/* Returns a number of the dot's cell that stays as the chart moves. */
static uint64_t
dot_cell_number(const struct view *v, const struct chart *k, unsigned dot)
{
	unsigned cells = (unsigned)k->plot.w, per_x = (unsigned)k->per_x;
	uint64_t each = k->whole ? per_x : k->frames / cells;

	return (v->f->seq + k->ahead) / each + 1000000 -
	       (cells - 1 - dot / per_x);
}

static void
line_letter_draw(struct canvas *c, const struct chart *k,
		 const struct chart_name *name, uint64_t cell, int x, int y)
{
	enum { EVERY = 16 };
	size_t at = cell % EVERY;

	if (at >= strlen(name->text) || x % k->per_x != k->per_x - 1)
		return;
	char sign[2] = { name->text[at], 0 };

	canvas_put(c, x / k->per_x, y / k->per_y, name->role, sign);
}

unsigned
chart_line_draw(struct canvas *c, const struct view *v, const struct chart *k,
		unsigned n, const struct chart_name *name)
{
	unsigned width = (unsigned)(k->plot.w * k->per_x), drawn = 0;
	int before = -1, top = k->plot.y * k->per_y;
	/* Without colours, a line shows its name; ASCII lines are letters. */
	bool labelled =
		c->glyphs != CANVAS_ASCII && c->letters && k->nseries > 1;

	for (unsigned d = 0; d < width; d++) {
		int x = (int)d + k->plot.x * k->per_x;
		double low = 0, high = 0;

		if (!dot_values_range(v, k, n, width, d, &low, &high)) {
			before = -1;
			continue;
		}
		bool flat = !(low < high);
		int upper = chart_row(k, high), middle = upper;
		int end_is_lower = flat ? upper : chart_row(k, low);

		if (!flat)
			middle = chart_row(k, (low + high) / 2);

		if (before >= 0 && before < upper - 1)
			upper = before + 1;
		if (before > end_is_lower + 1)
			end_is_lower = before - 1;
		canvas_stroke(c, x, upper + top, end_is_lower + top, name->role,
			      name->letter);
		if (labelled)
			line_letter_draw(c, k, name, dot_cell_number(v, k, d),
					 x, end_is_lower + top);
		before = middle;
		drawn++;
	}
	return drawn;
}

/* The advice in a metric's text begins with ";" or "(". */
static size_t
metric_meaning_len(const char *text)
{
	size_t n = strcspn(text, ";(");

	while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == ','))
		n--;
	return n;
}

/* Adds a title of at most `room` cells. True: draw keys beside the title. */
static bool
chart_title_add(struct buf *b, const struct view *v, const struct chart *k,
		int beside, int room)
{
	static const char rate[] = " per 1000 instructions";
	const struct metric *m = view_metric(v, k->metric);
	const char *unit = metric_unit_name[m->unit];
	size_t n = metric_meaning_len(m->text), cut = n - (sizeof rate - 1);
	bool is_rate =
		n >= sizeof rate && memcmp(m->text + cut, rate, n - cut) == 0;

	if (is_rate)
		cut -= m->text[cut - 1] == ',';
	struct {
		const char *text;
		size_t n;
		const char *end;
		bool keys;
	} form[] = {
		{ m->text, n, "", true },
		{ m->text, is_rate ? cut : 0, " /1000 instr", false },
		{ unit, strncmp(unit, "per ", 4) == 0 ? strlen(unit) : 0, "",
		  true },
	};

	if (k->metric == v->metric.ipc) {
		buf_printf(b, "%s by %s", m->label,
			   k->by_kind ? "kind of core" : "cluster");
		return (int)b->len + 4 <= beside;
	}
	for (unsigned i = 0; i < sizeof form / sizeof *form; i++) {
		size_t w = strlen(m->label) + 2 + form[i].n +
			   strlen(form[i].end) + 4;

		if (form[i].n == 0 || (int)w > room)
			continue;
		buf_printf(b, "%s: %.*s%s", m->label, (int)form[i].n,
			   form[i].text, form[i].end);
		return form[i].keys && (int)w <= beside;
	}
	buf_str(b, m->label);
	return true;
}

static const char *
chart_cell_length(const struct view *v, const struct chart *k,
		  char text[PRINTED_SIZE])
{
	bool all = v->chart.cell_s == VIEW_CELL_ALL;
	double s = k->whole && !all ? v->chart.cell_s
		   : k->whole       ? k->plan.dot_s * k->per_x
			      : (double)v->s->period_ns / 1e9 * k->frames /
					k->plot.w;
	double per = s < 119.95 ? 1 : s < 7170 ? 60 : 3600;
	double tenths = 10 * s / per;
	bool round = fabs(tenths - 10 * (double)lround(s / per)) < 0.5;

	return buf_printed(text, "%s %s", FIXED(s / per, round ? 0 : 1),
			   per < 2    ? "s"
			   : per < 61 ? "min"
				      : "h");
}

static const char *
chart_keys_text(const struct view *v, const struct chart *k,
		char to[PRINTED_SIZE])
{
	unsigned dots = (unsigned)(k->plot.w * k->per_x);
	bool all = v->chart.cell_s == VIEW_CELL_ALL;
	char cell[PRINTED_SIZE];

	if (k->frames == 0)
		return "M metric   z time";
	return buf_printed(to, "M metric   z %s%s%s a cell",
			   all ? "whole run, " : "",
			   !k->whole && k->frames / dots > CHART_MEDIAN_FROM
				   ? "medians of "
				   : "",
			   chart_cell_length(v, k, cell));
}

static void
chart_frame_draw(struct canvas *c, const struct view *v, const struct chart *k)
{
	char title[160], note[96], ago[CHART_AGO_SIZE], text[PRINTED_SIZE];
	struct buf t = buf_over(title, sizeof title);
	struct buf n = buf_over(note, sizeof note);
	const char *keys = chart_keys_text(v, k, text);

	if (v->when.paused && v->when.scrub > 0) {
		chart_ago(v->when.ago_s, 1, ago);
		buf_printf(&n, "%s%s%s", v->when.oldest ? "→ " : "← → ", ago,
			   v->when.oldest ? " back, the oldest   "
					  : " back   ");
	}
	int room = c->window.w - canvas_width(buf_cstr(&n)) - 4;

	if (chart_title_add(&t, v, k, room - (int)strlen(keys), room))
		buf_str(&n, keys);
	while (n.len > 0 && note[n.len - 1] == ' ')
		n.len--;
	panel_box(c, buf_cstr(&t), buf_cstr(&n));
}

unsigned
chart_frames(const struct view *v, const struct chart *k)
{
	double period_s = (double)v->s->period_ns / 1e9;
	unsigned cells = (unsigned)k->plot.w, most = VIEW_SPARK_MAX / cells;
	unsigned cell_s = v->chart.cell_s > 0 ? v->chart.cell_s : 1, each = 1;

	if (cell_s == VIEW_CELL_ALL && v->past.self != NULL)
		each = (view_read_past(v, OF_SCOPE(frame_scope_all(v->f)),
				       k->metric, VIEW_SPARK_MAX) +
			cells - 1) /
		       cells;
	else if (cell_s != VIEW_CELL_ALL && period_s > 0)
		each = (unsigned)lround(fmin(cell_s / period_s, most));
	each = each > most ? most : each;
	return cells * (each > 0 ? each : 1);
}

void
chart_place(const struct canvas *c, struct chart *k)
{
	enum { ENDS_FROM_W = 44, VALUE_W = 9 };
	int w = c->window.w, h = c->window.h, widest = 0;

	for (unsigned i = 0; i < k->nseries; i++)
		if (canvas_width(k->name[i].text) > widest)
			widest = canvas_width(k->name[i].text);
	if (c->glyphs == CANVAS_ASCII)
		widest += 2;
	k->ends = w >= ENDS_FROM_W && h - 3 >= (int)k->nseries;
	int right = k->ends ? widest + VALUE_W : 2;

	k->plot = (struct rect){ 2 + CHART_LABEL_W, k->ends ? 1 : 2,
				 w - CHART_LABEL_W - 2 - right,
				 h - (k->ends ? 3 : 4) };
	canvas_dots(c, &k->per_x, &k->per_y);
}

/* Cuts up to SPARE rows so that a scale step is whole rows. False: cannot. */
static bool
chart_scale_even(struct chart *k, double max, int lines)
{
	enum { SPARE = 3 };
	int h = k->plot.h;

	chart_scale(k, max, lines);
	lines = (int)lround(k->max / k->step);
	for (int less = 0; less <= SPARE && h - less > lines; less++)
		if ((h - less - 1) % lines == 0) {
			k->plot.y += less;
			k->plot.h -= less;
			return true;
		}
	return false;
}

void
chart_fit(struct chart *k, double max)
{
	enum { LINE_ROWS = 3 };
	int most = k->plot.h >= 9 ? k->plot.h / LINE_ROWS : 2;

	for (int lines = most; lines > 0; lines--)
		if (chart_scale_even(k, max, lines))
			return;
	chart_scale(k, max, most);
}

static void
chart_lines_draw(struct canvas *c, const struct view *v, struct chart *k)
{
	double last[CHART_SERIES_MAX + 1] = { 0 };
	unsigned drawn = 0;

	/* Flagged lines are drawn last, on top of the others. */
	for (unsigned turn = 2 * k->nseries; turn-- > 0;) {
		unsigned i = turn % k->nseries;

		unsigned scope = series_scope(v, k, i);
		bool flagged = v->f->bottleneck != NULL &&
			       v->f->bottleneck[scope].flagged;

		if (flagged != (turn < k->nseries))
			continue;
		unsigned n =
			chart_series_values(v, k, scope, k->frames - k->ahead);

		last[i] = n > 0 ? (double)v->scratch[n - 1] : NAN;
		drawn += chart_line_draw(c, v, k, n, &k->name[i]);
	}
	if (k->ends)
		chart_ends_draw(c, k, last,
				view_metric(v, k->metric)->decimals);
	if (drawn == 0)
		canvas_text(c, k->plot.x + k->plot.w / 2 - 6,
			    k->plot.y + k->plot.h / 2, ROLE_DIM, "not counted");
}

void
chart_metric_draw(struct canvas *c, const struct view *v, int metric)
{
	const struct topology *t = v->f->topology;
	struct chart k = { .metric = metric,
			   .core = -1,
			   .by_kind = t->nclusters > CHART_SERIES_MAX };

	k.nseries = k.by_kind ? t->nkinds : t->nclusters;
	if (k.nseries > CHART_SERIES_MAX)
		k.nseries = CHART_SERIES_MAX;
	if (v->cores.listed && v->cores.selected < t->ncpus) {
		k.core = (int)v->cores.selected;
		k.nseries++;
	}
	for (unsigned i = 0; i < k.nseries; i++)
		chart_series_name(v, &k, i, &k.name[i]);
	chart_place(c, &k);
	bool fits = k.plot.w >= 8 && k.plot.h >= 2;

	k.whole = fits && chart_plan_run(v, &k);
	if (k.whole)
		k.frames = v->chart.cell_s == VIEW_CELL_ALL
				   ? (unsigned)(k.plot.w * k.per_x)
				   : k.plan.room * k.plan.repeat;
	else if (fits)
		k.frames = chart_frames(v, &k);
	chart_frame_draw(c, v, &k);
	if (!fits)
		return;
	k.ahead = chart_frames_ahead(v, &k);
	chart_gaps_find(v, &k);
	chart_fit(&k, chart_highest(v, &k));
	chart_scale_draw(c, &k);
	chart_times_draw(c, v, &k);
	chart_gaps_draw(c, v, &k);
	chart_markers_draw(c, v, &k, false);
	if (!k.ends)
		series_names_draw(c, &k);
	chart_lines_draw(c, v, &k);
	chart_markers_draw(c, v, &k, true);
}

void
panel_chart_draw(struct canvas *c, const struct view *v)
{
	chart_metric_draw(c, v, v->chart.metric);
}
