#include "ui/view/view.h"

#include <limits.h>

#include "monitor/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct view *
view_new(struct err *e)
{
	struct view *v = calloc(1, sizeof *v);

	if (v != NULL) {
		v->scratch = calloc(VIEW_SPARK_MAX, sizeof *v->scratch);
		v->spread = calloc(VIEW_SPARK_MAX, sizeof *v->spread);
		v->hits = calloc(1, sizeof *v->hits);
		v->procs = calloc(1, sizeof *v->procs);
	}
	if (v == NULL || v->scratch == NULL || v->spread == NULL ||
	    v->hits == NULL || v->procs == NULL) {
		view_free(v);
		return err_null(e, ERR_FAIL, "screen: out of memory");
	}
	v->procs->list.sort = COLUMN_PROCESS + PROCESS_CPU;
	v->procs->open.pid = -1;
	static const char *const share[4] = { "retiring_pct", "bad_spec_pct",
					      "frontend_pct", "backend_pct" };

	v->metric.ipc = metric_find("ipc");
	v->metric.user_pct = metric_find("user_pct");
	v->metric.lost = metric_find("lost_pct");
	for (unsigned m = 0; m < MEASURE_COUNT; m++)
		v->metric.measure[m] =
			metric_find(bottleneck_measure_metric[m]);
	for (unsigned i = 0; i < 4; i++)
		v->metric.topdown[i] = metric_find(share[i]);
	v->metric.ghz = metric_find("ghz");
	v->metric.gips = metric_find("gips");
	v->cols.preset_known = -1;
	v->chart.metric = v->metric.main = v->metric.ipc;
	v->list.sort = SORT_NUMBER;
	v->metric.ipc_max = 6;
	return v;
}

void
view_free(struct view *v)
{
	if (v == NULL)
		return;
	free(v->cores.order);
	free(v->cores.key);
	free(v->scratch);
	free(v->procs);
	free(v->spread);
	free(v->hits);
	free(v);
}

enum role
view_kind_role(unsigned kind)
{
	static const enum role role[3] = { ROLE_KIND0, ROLE_KIND1, ROLE_KIND2 };

	return role[kind % 3];
}

enum role
view_cluster_role(const struct topology *t, unsigned cluster)
{
	unsigned kind = t->cluster[cluster].kind, before = 0;

	for (unsigned i = 0; i < cluster; i++)
		before += t->cluster[i].kind == kind;
	return (enum role)(view_kind_role(kind) + before % 2);
}

enum role
view_scope_role(const struct view *v, unsigned scope)
{
	const struct topology *t = v->f->topology;
	const struct scope *s = &v->f->scope[scope];

	switch (s->level) {
	case SCOPE_CORE:
		return view_cluster_role(t, t->cpu[s->index].cluster);
	case SCOPE_CLUSTER:
		return view_cluster_role(t, s->index);
	case SCOPE_KIND:
		return view_kind_role(s->index);
	case SCOPE_ALL:
		break;
	}
	return ROLE_STRONG;
}

unsigned
view_presets(const struct view *v)
{
	return preset_count + v->user.npresets;
}

const struct preset *
view_preset(const struct view *v, int i)
{
	return i < (int)preset_count ? &preset_table[i]
				     : &v->user.preset[i - (int)preset_count];
}

void
view_use_user_presets(struct view *v, const struct ui_status *s)
{
	v->user.preset = s->user_preset;
	v->user.npresets = s->nuser_presets;
	v->user.metric = s->user_metric;
	v->user.nmetrics = s->nuser_metrics;
	v->catalog = s->catalog;
}

char
view_preset_key(const struct view *v, int i)
{
	char key = view_preset(v, i)->key;

	for (unsigned k = 0; k < v->user.npresets; k++)
		if (i < (int)preset_count && v->user.preset[k].key == key)
			return 0;
	return key;
}

int
view_preset_for_bottleneck(const struct view *v, const struct bottleneck *one)
{
	bool counts =
		v->s->replay != NULL ||
		(one->see >= 0 && (v->s->preset_possible >> one->see & 1) != 0);

	bool here = one->see == v->s->preset && v->s->replay == NULL &&
		    !v->s->rotating;

	return counts && !here ? one->see : -1;
}

static const struct metric busy = {
	.name = "busy",
	.label = "busy%",
	.text = "Share of time that CPUs were not idle; as the system counts it: what they did in it only counters tell",
	.unit = UNIT_PCT,
	.scale = 100,
	.num = { { METRIC_BUSY_NS, 1 } },
	.den = { { METRIC_WALL_NS, 1 } },
};

const struct metric *
view_metric(const struct view *v, int i)
{
	if (i == COLUMN_BUSY)
		return &busy;
	return i < (int)metric_count ? &metric_table[i]
				     : &v->user.metric[i - (int)metric_count];
}

const char *
view_label(const struct view *v, int metric)
{
	return view_metric(v, metric)->label;
}

int
view_metric_find(const struct view *v, const char *name)
{
	int found = metric_find(name);

	for (unsigned i = 0; i < v->user.nmetrics && found < 0; i++)
		if (strcmp(v->user.metric[i].name, name) == 0)
			found = (int)(metric_count + i);
	return found;
}

unsigned
view_selected(const struct view *v)
{
	return v->cores.listed && v->cores.selected < v->f->nscopes
		       ? v->cores.selected
		       : frame_scope_all(v->f);
}

static double
frame_value_or_busy(const struct frame *f, unsigned scope, int metric)
{
	return metric == COLUMN_BUSY ? span_busy_pct(&f->span[scope])
				     : frame_value(f, scope, (unsigned)metric);
}

static enum view_change
change_kind(double change, double then, double deviation)
{
	if (isnan(change))
		return CHANGE_UNKNOWN;
	return fabs(change) < 2 * deviation || fabs(change) < 0.03 * fabs(then)
		       ? CHANGE_NOISE
		       : CHANGE_REAL;
}

static unsigned
window_find_row(const struct process_window *w, const struct process_row *row)
{
	unsigned i = 0;

	while (i < w->n &&
	       (w->row[i].pid != row->pid || w->row[i].start != row->start))
		i++;
	return i;
}

enum view_change
view_process_change(const struct view *v, const struct process_row *row,
		    enum process_metric metric, double *change)
{
	const struct view_reference *r = &v->reference;
	unsigned then = window_find_row(r->of, row),
		 now = window_find_row(r->of_now, row);

	*change = NAN;
	if (then == r->of->n || now == r->of_now->n || row->thread != 0)
		return CHANGE_UNKNOWN;
	*change = r->of_now->row[now].value[metric] -
		  r->of->row[then].value[metric];
	return change_kind(*change, r->of->row[then].value[metric],
			   r->of->deviation[then][metric]);
}

enum view_change
view_change(const struct view *v, unsigned scope, int metric, double *change)
{
	const struct view_reference *r = &v->reference;
	unsigned n = r->then->nmetrics,
		 m = metric == COLUMN_BUSY ? n : (unsigned)metric;

	*change = NAN;
	if (m > n || scope >= r->then->nscopes || scope >= r->now->nscopes)
		return CHANGE_UNKNOWN;
	double then = frame_value_or_busy(r->then, scope, metric);

	*change = frame_value_or_busy(r->now, scope, metric) - then;
	return change_kind(*change, then,
			   r->deviation[(size_t)scope * (n + 1) + m]);
}

double
view_value(const struct view *v, unsigned scope, int metric)
{
	return metric == COLUMN_BUSY
		       ? span_busy_pct(&v->f->span[scope])
		       : frame_value(v->f, scope, (unsigned)metric);
}

/* A metric with only these terms needs no configurable counter. */
enum { FIXED_EVENTS = 4, TIMES_FROM = 2 };
static const char *const fixed_event[FIXED_EVENTS] = {
	METRIC_FIXED_CYCLES, METRIC_FIXED_INSTRUCTIONS, METRIC_BUSY_NS,
	METRIC_WALL_NS
};

static bool
term_fixed(const char *event)
{
	for (unsigned i = 0; event != NULL && i < FIXED_EVENTS; i++)
		if (strcmp(event, fixed_event[i]) == 0)
			return true;
	return event == NULL;
}

static bool
metric_fixed(const struct metric *m)
{
	for (unsigned i = 0; i < METRIC_TERMS; i++)
		if (!term_fixed(m->num[i].event) ||
		    !term_fixed(m->den[i].event))
			return false;
	return true;
}

int
view_column_group(const struct view *v, int metric)
{
	const struct metric *m = view_metric(v, metric);

	if (m->judged)
		return (int)m->unit;
	/* usr% needs no heading with a mode: its label names the mode. */
	if (metric == v->metric.user_pct)
		return VIEW_COLUMNS_FIXED;
	return metric_fixed(m) ? VIEW_COLUMNS_FIXED : (int)m->unit;
}

bool
view_of_process(const struct view *v, int metric)
{
	const struct metric *m = view_metric(v, metric);

	for (unsigned i = 0; i < 2 * METRIC_TERMS; i++) {
		const char *event = i < METRIC_TERMS
					    ? m->num[i].event
					    : m->den[i - METRIC_TERMS].event;

		for (unsigned k = TIMES_FROM; k < FIXED_EVENTS; k++)
			if (event != NULL && strcmp(event, fixed_event[k]) == 0)
				return false;
	}
	return m->share == 0 && !m->core && !m->event && !m->judged &&
	       !metric_fixed(m);
}

/* User share of cycles, in %, below which user-mode counts mean little. */
static const double user_little_pct = 30;

bool
view_row_kernel(const struct view *v, unsigned scope)
{
	return v->f->domain == DOMAIN_USER && v->metric.user_pct >= 0 &&
	       frame_state(v->f, scope, (unsigned)v->metric.user_pct) ==
		       VALUE_OK &&
	       frame_value(v->f, scope, (unsigned)v->metric.user_pct) <
		       user_little_pct;
}

bool
view_mostly_kernel(const struct view *v, unsigned scope, int metric)
{
	const struct metric *m = view_metric(v, metric);

	return view_row_kernel(v, scope) && !m->judged &&
	       view_column_group(v, metric) != VIEW_COLUMNS_FIXED &&
	       strcmp(m->den[0].event, METRIC_FIXED_CYCLES) != 0 &&
	       strncmp(m->num[0].event, "SW_", 3) != 0;
}

int
view_cluster_numbers(const struct topology *t, unsigned cluster,
		     struct buf *out)
{
	int least = INT_MAX, most = -1;

	for (unsigned i = 0; i < t->ncpus; i++) {
		if (t->cpu[i].cluster != cluster)
			continue;
		least = t->cpu[i].id < least ? t->cpu[i].id : least;
		most = t->cpu[i].id > most ? t->cpu[i].id : most;
	}
	if (most - least + 1 != (int)t->cluster[cluster].ncpus)
		return 0;
	buf_i64(out, least);
	if (most > least)
		buf_printf(out, "-%d", most);
	return (int)out->len;
}

unsigned
view_slots(const struct view *v, unsigned scope)
{
	const struct topology *t = v->f->topology;
	const struct scope *s = &v->f->scope[scope];

	return s->level == SCOPE_CORE ? t->kind[t->cpu[s->index].kind].width
	       : s->level == SCOPE_CLUSTER
		       ? t->kind[t->cluster[s->index].kind].width
	       : s->level == SCOPE_KIND ? t->kind[s->index].width
					: 0;
}

double
view_spark_max(const struct view *v, unsigned scope)
{
	unsigned width = view_slots(v, scope);

	if (v->metric.main == COLUMN_BUSY)
		return 100;
	return width > 0 ? width : v->metric.ipc_max;
}

unsigned
view_read_past(const struct view *v, struct view_row row, int column,
	       unsigned n)
{
	const struct process_past *processes = &v->procs->past;
	const struct process_row *p = row.process;
	unsigned got = 0;

	if (v->when.back >= VIEW_SPARK_MAX)
		return 0;
	if (n > VIEW_SPARK_MAX - v->when.back)
		n = VIEW_SPARK_MAX - v->when.back;
	n += v->when.back;
	if (p == NULL && v->past.self != NULL)
		got = v->past.values(v->past.self, row.scope,
				     column == COLUMN_BUSY ? HISTORY_BUSY
							   : (unsigned)column,
				     n, v->scratch);
	else if (p != NULL && processes->self != NULL && p->thread == 0)
		got = processes->values(
			processes->self, p->pid, p->start,
			(enum process_metric)(column - COLUMN_PROCESS), n,
			v->scratch);
	return got > v->when.back ? got - v->when.back : 0;
}

double
view_last_value(const struct view *v, unsigned scope, int metric, double *age_s)
{
	return v->past.self != NULL
		       ? v->past.last(v->past.self, v->when.back, scope,
				      (unsigned)metric, age_s)
		       : NAN;
}

void
view_hit(const struct view *v, const struct canvas *c, int x, int y, int w,
	 int key)
{
	struct view_hits *h = v->hits;

	if (w > c->window.w - x)
		w = c->window.w - x;
	if (h->n == VIEW_HITS || w <= 0)
		return;
	h->at[h->n++] =
		(struct view_hit){ c->window.x + x, c->window.y + y, w, key };
}
