#include "ui/panels/inner.h"

#include "base/buf.h"
#include "ui/view/value.h"

#include <string.h>

enum {
	STRIP_H = 3,     /* letters, times, what they mean */
	CHART_W = 36,    /* a small chart takes at least */
	CHART_H = 4,     /* with its title; */
	CHART_LEAST = 3, /* where rows are few */
	NUMBER_W = 9,
	STRIP_MAX = CANVAS_MAX_SIDE
};

/* ---- small charts ---- */

/* The row to compare with, of which this one is a part; itself: none. */
static unsigned
group_of(const struct view *v, unsigned scope, int metric)
{
	const struct topology *t = v->f->topology;
	const struct scope *s = &v->f->scope[scope];
	enum metric_unit unit = view_metric(v, metric)->unit;

	/* Sums of a group say nothing of one of its parts. */
	if (metric != COLUMN_BUSY && (unit == UNIT_GIPS || unit == UNIT_PER_S))
		return scope;
	if (s->level == SCOPE_CORE)
		return frame_scope_cluster(v->f, t->cpu[s->index].cluster);
	if (s->level == SCOPE_CLUSTER && t->nclusters > t->nkinds)
		return frame_scope_kind(v->f, t->cluster[s->index].kind);
	return frame_scope_all(v->f);
}

/* "all 1.73": whose the dotted line is, where there is room for it. */
static void
draw_other(struct canvas *c, const struct view *v, unsigned group, int metric,
	   int x, int y, int w)
{
	const struct topology *t = v->f->topology;
	const struct scope *s = &v->f->scope[group];
	const char *name = s->level == SCOPE_ALL ? "all"
			   : s->level == SCOPE_KIND
				   ? t->kind[s->index].letter
				   : t->cluster[s->index].label;
	struct value_shown other;

	value_show(v, group, metric, w, &other);
	const char *text = PRINTED("%s %s", name, other.text);

	canvas_right(c, x, y, w, ROLE_DIM,
		     canvas_width(text) <= w ? text : other.text);
}

/* Now, its group's, and the end of the scale, right of the lines. */
static void
draw_numbers(struct canvas *c, const struct view *v, unsigned scope, int metric,
	     const struct chart *k, struct rect r)
{
	unsigned group = group_of(v, scope, metric);
	struct value_shown now;
	char text[VALUE_TEXT_SIZE + 4] = "of ";
	int x = r.x + r.w - NUMBER_W, w = NUMBER_W - 1;
	int decimals = view_metric(v, metric)->decimals;

	value_show(v, scope, metric, w, &now);
	canvas_right(c, x, r.y + 1, w, ROLE_STRONG, now.text);
	if (r.h > 2 && group != scope)
		draw_other(c, v, group, metric, x, r.y + 2, w);
	if (r.h > 3) {
		value_number(k->max, k->max < 10 ? decimals : 0, w - 3,
			     text + 3);
		canvas_right(c, x, r.y + 3, w, ROLE_DIM, text);
	}
}

static const char *
unit_of(const struct view *v, int metric)
{
	enum metric_unit unit = view_metric(v, metric)->unit;

	if (metric == COLUMN_BUSY)
		return "% of the time";
	return unit == UNIT_RATIO ? "" : metric_unit_name[unit];
}

static void
draw_small(struct canvas *c, const struct view *v, unsigned scope, int metric,
	   struct rect r)
{
	struct chart k = { .plot = { r.x, r.y + 1, r.w - NUMBER_W - 1,
				     r.h - 1 } };
	static const struct chart_name others = { "", ROLE_DIM, '.', 0 };
	struct chart_name own = { "", view_scope_role(v, scope), '*', 0 };
	unsigned group = group_of(v, scope, metric);
	int x = canvas_textn(c, r.x, r.y, r.w - 2, ROLE_STRONG,
			     view_label(v, metric));

	canvas_textn(c, r.x + x + 2, r.y, r.w - x - 4, ROLE_DIM,
		     unit_of(v, metric));
	canvas_dots(c, &k.per_x, &k.per_y);
	unsigned dots = (unsigned)(k.plot.w * k.per_x);

	if (k.plot.w < 4 || dots > STRIP_MAX)
		return;
	k.frames = dots;
	double most =
		chart_most(v, view_past(v, OF_SCOPE(scope), metric, dots), 0);
	unsigned n = group != scope
			     ? view_past(v, OF_SCOPE(group), metric, dots)
			     : 0;

	chart_scale(&k, chart_most(v, n, most), 1);
	canvas_fill(
		c,
		(struct rect){ k.plot.x, k.plot.y + k.plot.h - 1, k.plot.w, 1 },
		ROLE_FAINT, "·");
	(void)chart_line(c, v, &k, n, &others);
	(void)chart_line(c, v, &k, view_past(v, OF_SCOPE(scope), metric, dots),
			 &own);
	draw_numbers(c, v, scope, metric, &k, r);
}

static bool
is_shown(const struct view *v, int metric)
{
	unsigned all = frame_scope_all(v->f);
	enum value_state state = frame_state(v->f, all, (unsigned)metric);

	return state != VALUE_NOT_COUNTED && state != VALUE_UNSUPPORTED &&
	       !view_metric(v, metric)->event;
}

static unsigned
add_chart(int metric[], unsigned n, unsigned room, int which)
{
	for (unsigned i = 0; i < n; i++)
		if (metric[i] == which)
			return n;
	if (n < room)
		metric[n++] = which;
	return n;
}

/*
 * Metrics that the machine has now, in the order of their table; before them
 * what the row's bottleneck goes by, which is seen also where few have room.
 */
static unsigned
charts_of(const struct view *v, unsigned scope, int metric[], unsigned room)
{
	const struct bottleneck *one =
		v->f->bottleneck != NULL ? &v->f->bottleneck[scope] : NULL;
	/* The share that says how much the cause takes. */
	enum bottleneck_measure share =
		one == NULL ? MEASURE_COUNT
		: one->word == BOTTLENECK_MEMORY ||
				one->word == BOTTLENECK_BACKEND
			? MEASURE_STALL
		: one->word == BOTTLENECK_FRONTEND ? MEASURE_STARVE
		: one->word == BOTTLENECK_BAD_SPEC ? MEASURE_BRANCH
						   : MEASURE_COUNT;
	unsigned n = 0;

	if (is_shown(v, v->metric.ipc))
		n = add_chart(metric, n, room, v->metric.ipc);
	n = add_chart(metric, n, room, COLUMN_BUSY);
	if (one != NULL && one->evidence >= 0 && is_shown(v, one->evidence))
		n = add_chart(metric, n, room, one->evidence);
	if (share != MEASURE_COUNT && is_shown(v, v->metric.measure[share]))
		n = add_chart(metric, n, room, v->metric.measure[share]);
	for (int i = 0; i < (int)v->f->nmetrics; i++)
		if (is_shown(v, i))
			n = add_chart(metric, n, room, i);
	return n;
}

static int
per_row(int w)
{
	return w / CHART_W > 0 ? w / CHART_W : 1;
}

int
zoom_rows(const struct view *v, int w)
{
	int metric[METRIC_MAX];
	int n = (int)charts_of(v, frame_scope_all(v->f), metric, METRIC_MAX);

	return STRIP_H + (n + per_row(w) - 1) / per_row(w) * CHART_H;
}

int
zoom_draw(struct canvas *c, const struct view *v, unsigned scope, struct rect r)
{
	int metric[METRIC_MAX], columns = per_row(r.w), w = r.w / columns;
	unsigned n = charts_of(v, scope, metric, METRIC_MAX);
	int rows = ((int)n + columns - 1) / columns, left = r.h - STRIP_H;
	int h = left / CHART_H >= rows ? CHART_H : CHART_LEAST, used;

	if (left < 0)
		return 0;
	strips_draw(c, v, &scope, 1, (struct rect){ r.x, r.y, r.w, STRIP_H });
	used = STRIP_H + (left > rows * h); /* a blank row between the two */
	int top = used, fit = (r.h - top) / h;
	int more = r.h - top - (rows < fit ? rows : fit) * h;

	for (unsigned i = 0; i < n; i++) {
		int row = (int)i / columns;
		/* What is left over is the first ones', which matter most. */
		int extra = more > row ? row : more > 0 ? more : 0;
		int y = top + row * h + extra, high = h + (more > row);

		if (y + high > r.h)
			break;
		draw_small(c, v, scope, metric[i],
			   (struct rect){ r.x + (int)i % columns * w, r.y + y,
					  w - 1, high });
		used = y + high;
	}
	return used;
}
