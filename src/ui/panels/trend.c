/* Trends: those in the tables, and a panel of them. */
#include "ui/panels/panel.h"
#include "ui/panels/trend.h"
#include "ui/view/value.h"

#include <math.h>
#include <string.h>

/* The middle one of the n known values in v, the lower of two. */
static float
middle(float *v, unsigned n)
{
	for (unsigned i = 1; i < n; i++) {
		float x = v[i];
		unsigned j = i;

		for (; j > 0 && v[j - 1] > x; j--)
			v[j] = v[j - 1];
		v[j] = x;
	}
	return n > 0 ? v[(n - 1) / 2] : NAN;
}

/*
 * Cells of the n frames in v->scratch, of which the newest has `head`: the last
 * is at scratch[n - 1]. Each is written where a frame was read before. Returns
 * how many, at most w.
 */
static unsigned
make_cells(const struct view *v, unsigned n, unsigned head, unsigned w)
{
	unsigned cells = 0, i = 0;

	while (i < n && cells < w) {
		unsigned stop = head + cells * SPARK_FRAMES, known = 0;
		float frame[SPARK_FRAMES];

		for (; i < n && i < stop; i++)
			if (!isnan(v->scratch[n - 1 - i]))
				frame[known++] = v->scratch[n - 1 - i];
		v->scratch[n - 1 - cells++] = middle(frame, known);
	}
	memmove(v->scratch, v->scratch + n - cells, cells * sizeof *v->scratch);
	return cells;
}

/* Whole cells that were made before; those of another past are forgotten. */
static struct trend *
trend_of(const struct view *v, unsigned scope)
{
	struct trends *all = v->trends;
	struct trend *t = &all->slot[scope % TRENDS];

	if (all->epoch != v->past.epoch || all->self != v->past.self ||
	    all->metric != v->main || all->topology != v->f->topology) {
		for (unsigned i = 0; i < TRENDS; i++)
			all->slot[i].n = 0;
		all->epoch = v->past.epoch;
		all->self = v->past.self;
		all->metric = v->main;
		all->topology = v->f->topology;
	}
	if (t->scope != scope)
		*t = (struct trend){ .scope = scope };
	return t;
}

/* Of a process; NULL: it is not to be kept. One that has no slot takes
 * another's.
 */
static struct trend *
trend_of_process(const struct view *v, const struct process_row *row,
		 enum process_metric metric)
{
	enum { NEAR = 8 };
	const struct process_past *past = &v->procs->past;
	struct trends *all = v->trends;
	struct process_trend *take = NULL;

	if (past->epoch == 0 || row->thread != 0 || row->pid < 0)
		return NULL;
	if (all->process_epoch != past->epoch ||
	    all->process_self != past->self ||
	    all->process_metric != (int)metric) {
		for (unsigned i = 0; i < TRENDS; i++)
			all->process[i] = (struct process_trend){ .pid = -1 };
		all->process_epoch = past->epoch;
		all->process_self = past->self;
		all->process_metric = (int)metric;
	}
	for (unsigned i = 0; i < NEAR; i++) {
		struct process_trend *one =
			&all->process[((unsigned)row->pid + i) % TRENDS];

		if (one->pid == row->pid && one->start == row->start)
			return &one->t;
		if (take == NULL || one->t.last < take->t.last)
			take = one;
	}
	*take = (struct process_trend){ row->pid, row->start, { .n = 0 } };
	return &take->t;
}

/* Whole cells before number `last` that have to be made. */
static unsigned
missing(const struct trend *t, uint64_t last, unsigned want)
{
	if (t->n == 0 || t->last > last || last - t->last > want)
		return want;
	if (t->n + (last - t->last) < want && !t->all)
		return want;
	return (unsigned)(last - t->last);
}

/* What a trend is of: a row, or a process. */
struct subject {
	const struct process_row *row; /* NULL: a scope */
	unsigned scope;
	int metric;
};

static unsigned
past_of(const struct view *v, const struct subject *of, unsigned n)
{
	return of->row != NULL
		       ? view_process_past(v, of->row,
					   (enum process_metric)of->metric, n)
		       : view_past(v, of->scope, of->metric, n);
}

/*
 * Brings the kept cells up to date. Returns how many of the newest, of w, there
 * are, with the one that grows, which is *now.
 */
static unsigned
cells_update(const struct view *v, struct trend *t, const struct subject *of,
	     unsigned w, unsigned head, float *now)
{
	uint64_t last = v->f->seq / SPARK_FRAMES; /* whole ones up to it */
	unsigned make = missing(t, last, w - 1);
	unsigned asked = make * SPARK_FRAMES + head;
	unsigned n = past_of(v, of, asked);
	unsigned cells = make_cells(v, n, head, make + 1);
	unsigned fresh = cells > 0 ? cells - 1 : 0;

	*now = cells > 0 ? v->scratch[cells - 1] : NAN;
	if (make == w - 1 || fresh < make) {
		t->n = t->fresh = 0;
		t->all = n < asked;
	}
	for (unsigned i = 0; i < fresh; i++)
		t->cell[(last - fresh + i) % TREND_CELLS] = v->scratch[i];
	t->n = t->n + fresh < TREND_CELLS ? t->n + fresh : TREND_CELLS;
	t->fresh = t->fresh + fresh < t->n ? t->fresh + fresh : t->n;
	t->last = last;
	if (cells == 0)
		return 0;
	return 1 + (t->n < w - 1 ? t->n : w - 1);
}

/* The same out of what was made before, with the new ones. */
static unsigned
cells_kept(const struct view *v, struct trend *t, const struct subject *of,
	   unsigned w, unsigned head)
{
	float now;
	unsigned cells = cells_update(v, t, of, w, head, &now);

	if (cells == 0)
		return 0;
	unsigned have = cells - 1;
	unsigned from = (unsigned)((t->last - have) % TREND_CELLS);
	unsigned first = have < TREND_CELLS - from ? have : TREND_CELLS - from;

	memcpy(v->scratch, t->cell + from, first * sizeof now);
	memcpy(v->scratch + first, t->cell, (have - first) * sizeof now);
	v->scratch[have] = now;
	return cells;
}

/* Frames of the newest cell: cells begin where seq says, not at now. */
static unsigned
newest_cell(const struct view *v)
{
	uint64_t newest = v->f->seq - (v->scrub < v->f->seq ? v->scrub : 0);

	return (unsigned)(newest % SPARK_FRAMES) + 1;
}

/* What is shown is the newest, of so many cells. */
static bool
may_keep(const struct view *v, int w)
{
	return v->back == 0 && v->scrub == 0 && w > 0 && w <= TREND_CELLS;
}

/* t: where its cells are kept; NULL: they are made. */
static unsigned
values_of(const struct view *v, struct trend *t, const struct subject *of,
	  int w)
{
	unsigned head = newest_cell(v);

	if (w <= 0)
		return 0;
	if (t != NULL && may_keep(v, w))
		return cells_kept(v, t, of, (unsigned)w, head);
	unsigned n = past_of(v, of, ((unsigned)w - 1) * SPARK_FRAMES + head);

	return make_cells(v, n, head, (unsigned)w);
}

unsigned
spark_values(const struct view *v, unsigned scope, int w)
{
	const struct subject of = { .scope = scope, .metric = v->main };

	return values_of(v, trend_of(v, scope), &of, w);
}

static void
level_set(struct trend_levels *l, uint64_t number, float value)
{
	uint8_t level = canvas_eighths((double)value / l->max);

	l->level[number % TREND_CELLS] = level;
	l->level[number % TREND_CELLS + TREND_CELLS] = level;
}

void
spark_draw(struct canvas *c, const struct view *v, unsigned scope,
	   struct rect r, enum role role)
{
	const struct subject of = { .scope = scope, .metric = v->main };
	double max = view_spark_max(v, scope);
	float now;

	if (!may_keep(v, r.w) || !(max > 0)) {
		unsigned n = spark_values(v, scope, r.w);

		canvas_spark(c, r.x, r.y, r.w, v->scratch, n, max, role);
		return;
	}
	struct trend *t = trend_of(v, scope);
	struct trend_levels *l = &v->trends->levels[scope % TRENDS];
	unsigned n =
		cells_update(v, t, &of, (unsigned)r.w, newest_cell(v), &now);
	bool same = l->max >= max && l->max <= max;

	l->max = max;
	for (unsigned i = same ? t->fresh : t->n; i > 0; i--)
		level_set(l, t->last - i, t->cell[(t->last - i) % TREND_CELLS]);
	t->fresh = 0;
	/* Where the one before all that are shown was. */
	level_set(l, t->last, now);
	canvas_levels(c, r.x, r.y, r.w,
		      &l->level[(t->last + 1 - n) % TREND_CELLS], n, role);
}

unsigned
process_spark(const struct view *v, const struct process_row *row,
	      enum process_metric metric, int w)
{
	const struct subject of = { .row = row, .metric = (int)metric };

	return values_of(v, trend_of_process(v, row, metric), &of, w);
}

/* "IPC, last 76 s", as far as there are frames. */
static void
title_put(const struct view *v, const char *label, int w, struct buf *out)
{
	static const char *const sign[] = { ", last ", ", ", " " };
	unsigned room = w > 0 ? SPARK_FRAMES * (unsigned)w : 0;
	unsigned n = view_past(v, frame_scope_all(v->f), v->main, room);
	double s =
		(double)(n < room ? n : room) * (double)v->s->period_ns / 1e9;
	size_t from = out->len;

	for (unsigned i = 0; i < sizeof sign / sizeof *sign; i++) {
		out->len = from;
		buf_str(out, label);
		if (n == 0)
			return;
		buf_str(out, sign[i]);
		buf_fixed(out, s < 600 ? s : s / 60, s < 2 ? 1 : 0);
		buf_str(out, s < 600 ? " s" : " min");
		if ((int)(out->len - from) <= w)
			return;
	}
}

void
spark_title(const struct view *v, int w, struct buf *out)
{
	title_put(v, view_label(v, v->main), w, out);
}

void
process_spark_title(const struct view *v, enum process_metric metric, int w,
		    struct buf *out)
{
	title_put(v, process_metrics[metric].label, w, out);
}

static void
panel_trend_draw(struct canvas *c, const struct view *v)
{
	const struct topology *t = v->f->topology;
	int label = v->lay.table.label_w, from = label + 2;
	int w = c->window.w - from - 7;
	char text[48];
	struct buf b = buf_over(text, sizeof text);

	spark_title(v, w, &b);
	canvas_text(c, 1, 0, ROLE_DIM, buf_cstr(&b));
	for (unsigned i = 0; i < t->nclusters; i++) {
		unsigned scope = frame_scope_cluster(v->f, i);
		enum role role = view_cluster_role(t, i);
		int y = 1 + (int)i;
		struct value_shown shown;

		if (y >= c->window.h)
			break;
		canvas_text(c, 1, y, role, t->cluster[i].label);
		spark_draw(c, v, scope, (struct rect){ from, y, w, 1 }, role);
		value_show_main(v, scope, &shown);
		canvas_right(c, from + w + 1, y, 5, shown.role, shown.text);
	}
}

const struct panel panel_trend = {
	.place = PANEL_TREND,
	.draw = panel_trend_draw,
	.needs_frame = true,
};
