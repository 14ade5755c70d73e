#include "ui/panels/inner.h"

#include <math.h>
#include <string.h>

enum { GAP_COLUMNS = 3, GAP_PERIODS = 3 /* shortest gap, in intervals */ };

/* Each gap is GAP_COLUMNS columns wide, whatever its length. */
void
chart_gaps_find(const struct view *v, struct chart *k)
{
	double period_s = (double)v->s->period_ns / 1e9;
	unsigned n = k->frames + v->when.back, found;

	k->ngaps = 0;
	k->gap_room =
		(unsigned)lround((double)GAP_COLUMNS * k->frames / k->plot.w);
	k->gap_room -= k->gap_room > 0;
	if (k->whole || v->past.gaps == NULL || v->past.self == NULL)
		return;
	found = v->past.gaps(v->past.self, n, (double)GAP_PERIODS * period_s,
			     k->gap, CHART_GAPS);
	for (unsigned i = 0; i < found; i++) {
		struct history_gap g = k->gap[i];

		if (g.back < v->when.back)
			continue;
		g.back -= v->when.back;
		k->gap[k->ngaps++] = g;
	}
}

static unsigned
gap_frames_newer(const struct chart *k, unsigned i)
{
	return k->gap[i].back + i * k->gap_room;
}

unsigned
chart_spread(const struct view *v, const struct chart *k, unsigned n,
	     unsigned most, bool of_times)
{
	unsigned to = 0, gap = 0;

	if (k->ngaps == 0 || k->gap_room == 0)
		return n;
	for (unsigned back = 0; back < n && to < most; back++) {
		float value = v->scratch[n - 1 - back];
		bool here = gap < k->ngaps && k->gap[gap].back == back;
		float older = back + 1 < n ? v->scratch[n - 2 - back] : value;

		v->spread[to++] = value;
		for (unsigned i = 1; here && i <= k->gap_room && to < most; i++)
			v->spread[to++] =
				of_times ? value + (older - value) * (float)i /
							   (float)(k->gap_room +
								   1)
					 : NAN;
		gap += here;
	}
	for (unsigned i = 0; i < to; i++)
		v->scratch[i] = v->spread[to - 1 - i];
	return to;
}

void
chart_ago(double s, double step, char text[CHART_AGO_SIZE])
{
	struct buf b = buf_over(text, CHART_AGO_SIZE);
	long n = lround(s);

	long unit = n < 3600 ? 60 : 3600, small = n % unit * 60 / unit;

	if (step < 1)
		buf_printf(&b, "%ss", FIXED(s, 1));
	else if (n < 60 || (n < 120 && step < 60))
		buf_printf(&b, "%lds", n);
	else
		buf_printf(&b, "%ld%c%s", n / unit, unit == 60 ? 'm' : 'h',
			   small != 0 ? PRINTED("%02ld", small) : "");
	buf_cstr(&b);
}

struct ages {
	const float *at; /* elapsed times, s, oldest first; NULL: unknown */
	unsigned n;
	double period_s;
};

static struct ages
frame_ages(const struct view *v, const struct chart *k)
{
	struct ages a = { .period_s = (double)v->s->period_ns / 1e9 };
	unsigned want = k->frames + v->when.back;

	if (k->whole)
		a.period_s = k->plan.dot_s;
	if (k->whole || v->past.times == NULL || v->past.self == NULL)
		return a;
	if (want > VIEW_SPARK_MAX)
		want = VIEW_SPARK_MAX;
	unsigned n = v->past.times(v->past.self, want, v->scratch);

	if (n > v->when.back + 1) {
		a.at = v->scratch;
		a.n = chart_spread(v, k, n - v->when.back, k->frames, true);
	}
	return a;
}

/* Returns the number of frames from the newest to the age `ago`, s. *from: the
 * start of the search, which is updated. */
static double
age_frames_back(const struct ages *a, double ago, unsigned *from)
{
	if (a->at == NULL)
		return ago / a->period_s;
	unsigned last = a->n - 1, i = last - *from;
	double newest = (double)a->at[last];

	while (i > 0 && newest - (double)a->at[i] < ago)
		i--;
	*from = last - i;
	/* Before the first frame, the axis has one frame per interval. */
	double more = ago - (newest - (double)a->at[i]);

	return last - i + (i == 0 && more > 0 ? more / a->period_s : 0);
}

static double
chart_span_s(const struct ages *a, const struct chart *k)
{
	double frames = k->frames - 1;

	if (a->at == NULL || a->n < 2)
		return frames * a->period_s;
	double known = (double)(a->at[a->n - 1] - a->at[0]);

	if (a->n < k->frames)
		known += (k->frames - a->n) * a->period_s;
	for (unsigned i = 0; i < k->ngaps; i++)
		known -= k->gap[i].end_s - k->gap[i].begin_s;
	return known > 0 ? known : frames * a->period_s;
}

static double
times_step(double span, int w)
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

static int
frame_column(const struct chart *k, double back)
{
	double frames = k->whole ? k->frames - 1 : k->frames;
	int cells = k->whole ? k->plot.w - 1 : k->plot.w;

	back = (back + k->ahead) * cells / (frames > 1 ? frames : 1);
	return k->plot.x + k->plot.w - 1 -
	       (int)(k->whole ? round(back) : floor(back + 1e-6));
}

static int
gap_find_at(const struct chart *k, double back)
{
	for (unsigned i = 0; i < k->ngaps; i++)
		if (back > gap_frames_newer(k, i) - 0.5 &&
		    back < gap_frames_newer(k, i) + k->gap_room + 1)
			return (int)i;
	return -1;
}

static void
time_word_draw(struct canvas *c, const struct chart *k, int x, const char *ago,
	       int *free)
{
	char text[CHART_AGO_SIZE + 1] = "-";

	memcpy(text + 1, ago, CHART_AGO_SIZE);
	int w = canvas_width(text), from = x - w / 2;

	if (from < k->plot.x)
		from = k->plot.x;
	if (from + w >= *free)
		return;
	canvas_text(c, from, k->plot.y + k->plot.h, ROLE_DIM, text);
	*free = from;
}

void
chart_times_draw(struct canvas *c, const struct view *v, const struct chart *k)
{
	enum { MOST = 200 };
	struct ages a = frame_ages(v, k);
	double step = times_step(chart_span_s(&a, k), k->plot.w), ago = 0;
	int y = k->plot.y + k->plot.h, right = k->plot.x + k->plot.w - 1;
	const char *end = v->when.scrub > 0 ? "then" : "now";
	int free = right - canvas_width(end);
	char last[CHART_AGO_SIZE] = "";
	unsigned from = 0;

	canvas_right(c, k->plot.x, y, k->plot.w, ROLE_DIM, end);
	for (int i = 0; i < MOST; i++) {
		char text[CHART_AGO_SIZE];

		ago += step;
		double back = age_frames_back(&a, ago, &from);
		int gap = gap_find_at(k, back), x = frame_column(k, back);

		if (gap >= 0 && a.at != NULL) {
			double was =
				(double)a.at[a.n - 1] - k->gap[gap].begin_s;

			ago = fmax(ceil(was / step) * step, ago + step) - step;
			continue;
		}
		if (x < k->plot.x)
			break;
		chart_ago(ago, step, text);
		if (strcmp(text, last) != 0)
			time_word_draw(c, k, x, text, &free);
		memcpy(last, text, sizeof last);
	}
}

static void
gap_length_add(struct buf *b, double s)
{
	long n = lround(s);

	if (n < 120)
		buf_printf(b, "%ld s", n);
	else if (n < 120 * 60)
		buf_printf(b, "%ld min", (n + 30) / 60);
	else
		buf_printf(b, "%ld h %02ld", n / 3600, n % 3600 / 60);
}

void
chart_gaps_draw(struct canvas *c, const struct view *v, const struct chart *k)
{
	const char *edge = c->glyphs == CANVAS_ASCII ? ":" : "┊";
	int foot = k->plot.y + k->plot.h - 1, end = k->plot.x + k->plot.w;

	(void)v;
	for (unsigned i = 0; i < k->ngaps; i++) {
		const struct history_gap *g = &k->gap[i];
		int to = frame_column(k, gap_frames_newer(k, i));
		int from =
			frame_column(k, gap_frames_newer(k, i) + k->gap_room);
		char text[40];
		struct buf b = buf_over(text, sizeof text);

		if (to < k->plot.x)
			break;
		from = from < k->plot.x ? k->plot.x : from;
		canvas_fill(c,
			    (struct rect){ from, k->plot.y, to - from + 1,
					   k->plot.h },
			    ROLE_TEXT, " ");
		for (int x = from; x <= to; x += to > from ? to - from : 1)
			canvas_fill(c,
				    (struct rect){ x, k->plot.y, 1, k->plot.h },
				    ROLE_DIM, edge);
		buf_str(&b, g->slept ? "slept " : "no data for ");
		gap_length_add(&b, g->end_s - g->begin_s);
		int w = canvas_width(buf_cstr(&b));

		if (from - w - 1 >= k->plot.x)
			canvas_text(c, from - w - 1, foot, ROLE_DIM, text);
		else if (to + 2 + w <= end)
			canvas_text(c, to + 2, foot, ROLE_DIM, text);
	}
}

static void
make_marker_text(const struct ui_mark *m, struct buf *b)
{
	bool plain = strcmp(m->name, PRINTED("mark %u", m->number)) == 0;

	buf_printf(b, "%u%s%s", m->number, plain ? "" : " ",
		   plain ? "" : m->name);
}

/* column[i]: column of marker i; -1: outside the chart. */
static void
find_marker_columns(const struct view *v, const struct chart *k,
		    int column[UI_MARKS])
{
	struct ages a = frame_ages(v, k);
	double newest = a.at != NULL ? (double)a.at[a.n - 1] : v->f->elapsed_s;

	for (unsigned i = 0; i < v->s->nmarks; i++) {
		double ago = newest - v->s->mark[i].at_s;
		unsigned from = 0;
		int x = frame_column(
			k, age_frames_back(&a, ago > 0 ? ago : 0, &from));
		bool later = ago <
			     (v->when.back > 0 ? -a.period_s / 4 : -a.period_s);

		column[i] = later || x < k->plot.x ? -1 : x;
	}
}

static int
marker_room_left(const struct chart *k, const int column[UI_MARKS], unsigned i)
{
	int x = column[i], from = k->plot.x;

	while (i-- > 0)
		if (column[i] >= from && column[i] < x)
			from = column[i] + 1;
	return x - from;
}

/* Draws the name to the right of its line, or to the left if only that side has
 * space, or cut. Returns where older names must end. */
static int
marker_name_draw(struct canvas *c, const struct chart *k, int x, int left,
		 int free, const struct ui_mark *m)
{
	char text[UI_NAME_SIZE + 16];
	struct buf b = buf_over(text, sizeof text);
	int room = free - x - 1;

	make_marker_text(m, &b);
	int w = canvas_width(buf_cstr(&b));
	int least = (int)strcspn(text, " ");

	if (w > room && w <= left && x <= free) {
		canvas_text(c, x - w, k->plot.y, ROLE_STRONG, text);
		return x - w - 1;
	}
	if (room >= least)
		canvas_textn(c, x + 1, k->plot.y, room, ROLE_STRONG, text);
	return x < free ? x : free;
}

void
chart_markers_draw(struct canvas *c, const struct view *v,
		   const struct chart *k, bool names)
{
	const char *line = c->glyphs == CANVAS_ASCII ? "|" : "│";
	int column[UI_MARKS], free = k->plot.x + k->plot.w;

	if (v->s->nmarks == 0)
		return;
	find_marker_columns(v, k, column);
	for (unsigned i = v->s->nmarks; i-- > 0;) {
		int x = column[i];

		if (x >= 0 && !names)
			canvas_fill(c,
				    (struct rect){ x, k->plot.y, 1, k->plot.h },
				    ROLE_STRONG, line);
		else if (x >= 0)
			free = marker_name_draw(c, k, x,
						marker_room_left(k, column, i),
						free, &v->s->mark[i]);
	}
}
