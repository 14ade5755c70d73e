#include "ui/panels/inner.h"

#include "base/buf.h"
#include "ui/view/value.h"

#include <math.h>
#include <string.h>

enum {
	STRIP_H = 3,     /* rows of one strip: letters, times, meanings */
	TABLE_W = 52,    /* least width of the column of evidence */
	TABLE_LEAST = 6, /* least rows of the evidence, with its titles */
	BARS_W = 76,     /* least width for bars */
	MEMBERS_MOST = 16,
	NAME_W = 8,
	NUMBER_W = 7
};

static unsigned
find_members(const struct view *v, unsigned scope, unsigned out[],
	     unsigned most)
{
	const struct topology *t = v->f->topology;
	const struct scope *s = &v->f->scope[scope];
	unsigned n = 0;

	if (s->level == SCOPE_CLUSTER)
		for (unsigned i = 0; i < t->ncpus && n < most; i++)
			if (t->cpu[i].cluster == s->index)
				out[n++] = i;
	for (unsigned k = 0; s->level > SCOPE_CLUSTER && k < t->nclusters; k++)
		if (n < most &&
		    (s->level == SCOPE_ALL || t->cluster[k].kind == s->index))
			out[n++] = frame_scope_cluster(v->f, k);
	return n;
}

static void
keep_worst_members(const struct view *v, unsigned scope[], unsigned n,
		   unsigned most)
{
	for (unsigned i = 0; v->f->bottleneck != NULL && i < most && i < n; i++)
		for (unsigned k = i + 1; n > most && k < n; k++) {
			unsigned one = scope[i], other = scope[k];

			if (!(v->f->bottleneck[other].lost_pct >
			      v->f->bottleneck[one].lost_pct))
				continue;
			scope[i] = other;
			scope[k] = one;
		}
}

/* Returns the row to compare `scope` with. For a core: its cluster; for a
 * cluster: the first other cluster of its kind; else the machine. */
static unsigned
find_compared_row(const struct view *v, unsigned scope)
{
	const struct topology *t = v->f->topology;
	const struct scope *s = &v->f->scope[scope];

	if (s->level == SCOPE_CORE)
		return frame_scope_cluster(v->f, t->cpu[s->index].cluster);
	for (unsigned k = 0; s->level == SCOPE_CLUSTER && k < t->nclusters; k++)
		if (k != s->index &&
		    t->cluster[k].kind == t->cluster[s->index].kind)
			return frame_scope_cluster(v->f, k);
	return frame_scope_all(v->f);
}

static const char *
scope_name(const struct view *v, unsigned scope, char to[PRINTED_SIZE])
{
	const struct topology *t = v->f->topology;
	const struct scope *s = &v->f->scope[scope];

	return s->level == SCOPE_CORE
		       ? buf_printed(to, "cpu %d", t->cpu[s->index].id)
	       : s->level == SCOPE_CLUSTER ? t->cluster[s->index].label
	       : s->level == SCOPE_KIND    ? t->kind[s->index].letter
					   : "all";
}

/* Returns the median of the BEFORE_S s before the bottleneck; NAN: unknown. */
static double
value_before(const struct view *v, unsigned scope, int metric)
{
	enum { BEFORE_S = 10, MOST = 100 };
	double period_s = (double)v->s->period_ns / 1e9;
	unsigned run = count_strip_run(v, scope), known = 0;
	unsigned want = period_s > 0
				? (unsigned)lround((double)BEFORE_S / period_s)
				: 0;
	float value[MOST];

	want = want < 1 ? 1 : want > MOST ? MOST : want;
	if (run == 0 || run + want > VIEW_SPARK_MAX)
		return NAN;
	unsigned n = view_read_past(v, OF_SCOPE(scope), metric, run + want);

	for (unsigned i = 0; i + run < n; i++)
		if (!isnan(v->scratch[i]))
			value[known++] = v->scratch[i];
	return known > 0 ? (double)chart_nth(value, known, (known - 1) / 2)
			 : NAN;
}

struct bar_places {
	int ipc, busy, bar, bar_w, word;
};

static struct bar_places
bar_places_make(struct rect r)
{
	struct bar_places p = { .ipc = r.x + NAME_W + 2 };

	p.busy = p.ipc + 7;
	p.bar = p.busy + 7;
	p.word = r.x + r.w - LAYOUT_BOTTLENECK_W;
	p.bar_w = p.word - 2 - p.bar;
	return p;
}

static void
bar_row_draw(struct canvas *c, const struct view *v, struct rect r, int y,
	     unsigned scope, struct slots_seen *seen)
{
	struct bar_places p = bar_places_make(r);
	struct value_shown ipc, busy;
	char name[PRINTED_SIZE];

	canvas_textn(c, r.x, y, NAME_W, view_scope_role(v, scope),
		     scope_name(v, scope, name));
	value_show(v, scope, v->metric.ipc, 5, &ipc);
	canvas_right(c, p.ipc, y, 5, ipc.role, ipc.text);
	value_show(v, scope, COLUMN_BUSY, 5, &busy);
	canvas_right(c, p.busy, y, 5, busy.role, busy.text);
	(void)slots_bar_draw(c, v, (struct rect){ p.bar, y, p.bar_w, 1 }, scope,
			     seen);
	if (v->f->bottleneck != NULL)
		panel_bottleneck_draw(c, v, p.word, y, scope);
}

static int
bars_draw(struct canvas *c, const struct view *v, unsigned scope, struct rect r,
	  const unsigned part[], unsigned parts)
{
	struct bar_places p = bar_places_make(r);
	struct slots_seen seen = { 0 };
	unsigned other = find_compared_row(v, scope);
	int y = r.y;

	canvas_right(c, p.ipc, y, 5, ROLE_DIM, "IPC");
	canvas_right(c, p.busy, y, 5, ROLE_DIM, "busy%");
	slots_legend_draw(c, p.bar, y, p.bar_w);
	canvas_text(c, p.word, y++, ROLE_DIM, "BOTTLENECK");
	bar_row_draw(c, v, r, y++, scope, &seen);
	for (unsigned i = 0; i < parts; i++)
		bar_row_draw(c, v, r, y++, part[i], &seen);
	if (other != frame_scope_all(v->f)) {
		panel_rule_draw(c, y++, "for comparison");
		bar_row_draw(c, v, r, y++, other, &seen);
	}
	return y - r.y;
}

static bool
zoom_metric_counted(const struct view *v, int metric)
{
	unsigned all = frame_scope_all(v->f);
	enum value_state state = frame_state(v->f, all, (unsigned)metric);

	return state != VALUE_NOT_COUNTED && state != VALUE_UNSUPPORTED &&
	       !view_metric(v, metric)->event;
}

static unsigned
metrics_add(int metric[], unsigned n, unsigned room, int which)
{
	for (unsigned i = 0; i < n; i++)
		if (metric[i] == which)
			return n;
	if (n < room)
		metric[n++] = which;
	return n;
}

/* Finds IPC, busy%, the bottleneck's evidence, then other counted metrics. */
static unsigned
find_shown_metrics(const struct view *v, unsigned scope, int metric[],
		   unsigned room)
{
	const struct bottleneck *one =
		v->f->bottleneck != NULL ? &v->f->bottleneck[scope] : NULL;
	enum bottleneck_measure share =
		one == NULL ? MEASURE_COUNT
		: one->word == BOTTLENECK_MEMORY ||
				one->word == BOTTLENECK_BACKEND
			? MEASURE_STALL
		: one->word == BOTTLENECK_FRONTEND ? MEASURE_STARVE
		: one->word == BOTTLENECK_BAD_SPEC ? MEASURE_BRANCH
						   : MEASURE_COUNT;
	unsigned n = 0;

	if (zoom_metric_counted(v, v->metric.ipc))
		n = metrics_add(metric, n, room, v->metric.ipc);
	n = metrics_add(metric, n, room, COLUMN_BUSY);
	if (one != NULL && one->evidence >= 0 &&
	    zoom_metric_counted(v, one->evidence))
		n = metrics_add(metric, n, room, one->evidence);
	if (share != MEASURE_COUNT &&
	    zoom_metric_counted(v, v->metric.measure[share]))
		n = metrics_add(metric, n, room, v->metric.measure[share]);
	for (int i = 0; i < (int)v->f->nmetrics; i++)
		if (zoom_metric_counted(v, i))
			n = metrics_add(metric, n, room, i);
	return n;
}

static const char *
unit_brief(const struct view *v, int metric)
{
	enum metric_unit unit = view_metric(v, metric)->unit;
	const char *text = unit == UNIT_MPKI ? "MPKI" : metric_unit_name[unit];

	return metric == COLUMN_BUSY || unit == UNIT_RATIO ||
			       strstr(view_label(v, metric), text) != NULL
		       ? ""
		       : text;
}

/* Rates of different numbers of CPUs cannot be compared. */
static bool
is_comparable(const struct view *v, unsigned scope, unsigned other, int metric)
{
	enum metric_unit unit = view_metric(v, metric)->unit;

	return metric == COLUMN_BUSY ||
	       (unit != UNIT_GIPS && unit != UNIT_PER_S) ||
	       v->f->scope[scope].ncpus == v->f->scope[other].ncpus;
}

struct evidence_places {
	int before, now, other, trend, trend_w;
};

static struct evidence_places
evidence_places_make(int x, int w)
{
	enum { LABEL_W = 14 };
	struct evidence_places p = { .before = x + LABEL_W };

	p.now = p.before + NUMBER_W;
	p.other = p.now + NUMBER_W;
	p.trend = p.other + NUMBER_W + 2;
	p.trend_w = x + w - 2 - p.trend;
	return p;
}

static void
evidence_titles_draw(struct canvas *c, const struct view *v, unsigned scope,
		     int x, int y, int w)
{
	struct evidence_places p = evidence_places_make(x, w);
	unsigned other = find_compared_row(v, scope);
	char name[PRINTED_SIZE], text[48];
	struct buf b = buf_over(text, sizeof text);

	canvas_text(c, x, y, ROLE_DIM, "metric");
	canvas_right(c, p.before, y, NUMBER_W, ROLE_DIM, "before");
	canvas_right(c, p.now, y, NUMBER_W, view_scope_role(v, scope),
		     scope_name(v, scope, name));
	if (other != scope)
		canvas_right(c, p.other, y, NUMBER_W, view_scope_role(v, other),
			     scope_name(v, other, name));
	spark_title(v, "trend", p.trend_w, &b);
	canvas_right(c, p.trend, y, p.trend_w, ROLE_DIM, buf_cstr(&b));
}

static void
evidence_row_draw(struct canvas *c, const struct view *v, unsigned scope,
		  int metric, int x, int y, int w)
{
	struct evidence_places p = evidence_places_make(x, w);
	unsigned other = find_compared_row(v, scope), n;
	struct value_shown now;
	char text[VALUE_TEXT_SIZE];
	int decimals =
		metric == COLUMN_BUSY ? 0 : view_metric(v, metric)->decimals;
	int at = x +
		 canvas_textn(c, x, y, 8, ROLE_STRONG, view_label(v, metric));

	canvas_textn(c, at + 1, y, p.before - at - 1, ROLE_DIM,
		     unit_brief(v, metric));
	value_number(value_before(v, scope, metric), decimals, NUMBER_W - 1,
		     text);
	canvas_right(c, p.before, y, NUMBER_W, ROLE_DIM, text);
	value_show(v, scope, metric, NUMBER_W - 1, &now);
	canvas_right(c, p.now, y, NUMBER_W, now.role, now.text);
	if (other != scope && is_comparable(v, scope, other, metric)) {
		value_show(v, other, metric, NUMBER_W - 1, &now);
		canvas_right(c, p.other, y, NUMBER_W, ROLE_DIM, now.text);
	}
	if (p.trend_w < 4)
		return;
	n = spark_values(v, OF_SCOPE(scope), metric, p.trend_w);
	canvas_spark(c, p.trend, y, p.trend_w, v->scratch, n,
		     chart_most(v, n, 0), ROLE_DIM);
}

static int
table_columns(int w)
{
	return w / TABLE_W > 0 ? w / TABLE_W : 1;
}

static int
evidence_draw(struct canvas *c, const struct view *v, unsigned scope,
	      struct rect r)
{
	int metric[METRIC_MAX], columns = table_columns(r.w);
	int w = r.w / columns;
	int n = (int)find_shown_metrics(v, scope, metric, METRIC_MAX);
	int rows = (n + columns - 1) / columns;

	rows = rows < r.h - 1 ? rows : r.h - 1;
	if (rows < 1)
		return 0;
	for (int i = 0; i < n && i < rows * columns; i++) {
		int x = r.x + i / rows * w;

		if (i % rows == 0)
			evidence_titles_draw(c, v, scope, x, r.y, w);
		evidence_row_draw(c, v, scope, metric[i], x, r.y + 1 + i % rows,
				  w);
	}
	return rows + 1;
}

static int
evidence_rows(const struct view *v, unsigned scope, int w)
{
	int metric[METRIC_MAX], columns = table_columns(w);
	int n = (int)find_shown_metrics(v, scope, metric, METRIC_MAX);

	return 1 + (n + columns - 1) / columns;
}

static int
bars_rows(const struct view *v, unsigned scope)
{
	enum { TITLES = 1, OWN = 1, RULES = 2, COMPARED = 2 };
	unsigned all = frame_scope_all(v->f);

	/* There is no strip of the machine. */
	return TITLES + OWN + RULES + STRIP_H - (scope == all) +
	       (find_compared_row(v, scope) == all ? 0 : COMPARED);
}

int
zoom_rows(const struct view *v, int w)
{
	unsigned scope = view_selected(v), part[MEMBERS_MOST];
	int parts = (int)find_members(v, scope, part, MEMBERS_MOST);

	return evidence_rows(v, scope, w) +
	       (w < BARS_W ? STRIP_H : bars_rows(v, scope) + 2 * parts);
}

int
zoom_draw(struct canvas *c, const struct view *v, unsigned scope, struct rect r)
{
	unsigned part[1 + MEMBERS_MOST] = { scope }, parts = 0;
	int y = r.y, table = evidence_rows(v, scope, r.w);
	int room = r.h - bars_rows(v, scope) -
		   (table < TABLE_LEAST ? table : TABLE_LEAST);
	bool bars = r.w >= BARS_W && room >= 0;

	if (r.h < STRIP_H)
		return 0;
	if (bars) {
		unsigned most = (unsigned)room / 2;

		parts = find_members(v, scope, part + 1, MEMBERS_MOST);
		keep_worst_members(v, part + 1, parts, most);
		parts = parts < most ? parts : most;
		y += bars_draw(c, v, scope, r, part + 1, parts);
		panel_rule_draw(c, y++, "bottleneck, second by second");
	}
	unsigned own = v->f->scope[scope].level == SCOPE_ALL && parts > 0;
	int strips = (int)(parts - own) + STRIP_H;

	strips_draw(c, v, part + own, 1 + parts - own,
		    (struct rect){ r.x, y, r.w, strips });
	y += strips;
	if (bars)
		panel_rule_draw(c, y++, "evidence");
	y += evidence_draw(c, v, scope,
			   (struct rect){ r.x, y, r.w, r.y + r.h - y });
	return y - r.y;
}
