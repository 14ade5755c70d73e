#include "ui/view/view.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

struct rows *
view_rows(struct view *v)
{
	return v->kind == VIEW_PROCESSES ? &v->procs->list : &v->list;
}

const struct rows *
view_rows_now(const struct view *v)
{
	return v->kind == VIEW_PROCESSES ? &v->procs->list : &v->list;
}

double
view_row_value(const struct view *v, struct view_row row, int column)
{
	const struct process_row *p = row.process;
	bool few;

	if (column == SORT_NUMBER)
		return p != NULL ? (double)p->pid : (double)row.scope;
	if (p == NULL)
		return view_value(v, row.scope, column);
	return column >= COLUMN_PROCESS
		       ? p->value[column - COLUMN_PROCESS]
		       : processes_event_rate(v->procs, p, column, &few);
}

bool
view_row_at_work(const struct view *v, struct view_row row)
{
	enum { AT_WORK_PCT = 5 };

	if (row.process != NULL)
		return row.process->value[PROCESS_CPU] >
			       (double)PROCESS_BUSY_PCT &&
		       !isnan(row.process->value[PROCESS_IPC]);
	return !(span_busy_pct(&v->f->span[row.scope]) < (double)AT_WORK_PCT) &&
	       !isnan(view_value(v, row.scope, v->metric.ipc));
}

double
view_sort_key(const struct view *v, const struct rows *r, struct view_row row)
{
	static const double below_rule = 1e6;
	double key;

	if (r->sort == SORT_NAME)
		return 0;
	if (r->sort == SORT_NUMBER)
		key = view_row_value(v, row, SORT_NUMBER);
	else if (r->sort != SORT_WORST && row.process == NULL &&
		 v->reference.then != NULL) {
		(void)view_change(v, row.scope, r->sort, &key);
		key = -key; /* largest growth first */
	} else if (r->sort >= COLUMN_PROCESS && v->reference.then != NULL) {
		(void)view_process_change(
			v, row.process,
			(enum process_metric)(r->sort - COLUMN_PROCESS), &key);
		key = -key;
	} else if (r->sort != SORT_WORST)
		key = -view_row_value(v, row, r->sort);
	else if (view_row_at_work(v, row))
		key = row.process != NULL
			      ? row.process->value[PROCESS_IPC]
			      : view_value(v, row.scope, v->metric.ipc);
	else
		key = row.process != NULL
			      ? below_rule - row.process->value[PROCESS_CPU]
			      : NAN;
	return isnan(key) ? INFINITY : r->reverse ? -key : key;
}

long
view_group_of(const struct view *v, unsigned scope)
{
	const struct topology *t = v->f->topology;
	const struct scope *s = &v->f->scope[scope];

	if (s->level != SCOPE_CORE)
		return 0;
	switch (v->cores.group) {
	case GROUP_CLUSTER:
		return (long)t->cpu[s->index].cluster;
	case GROUP_KIND:
		return (long)t->cpu[s->index].kind;
	case GROUP_DIE:
		return t->cpu[s->index].die;
	case GROUP_NONE:
		break;
	}
	return 0;
}

static bool
sorts_after(const struct sorting *s, unsigned a, unsigned b)
{
	double ka = s->key[a], kb = s->key[b];

	if (s->process == NULL) {
		long ga = view_group_of(s->v, a), gb = view_group_of(s->v, b);

		if (ga != gb)
			return ga > gb;
	}
	if (ka < kb || ka > kb)
		return ka > kb;
	if (s->named) {
		int order = strcmp(s->process[a].name, s->process[b].name);

		if (order != 0)
			return s->reverse ? order < 0 : order > 0;
	}
	return a > b;
}

/* Shell sort: in place, and fast for nearly sorted rows. */
void
view_sort_rows(const struct sorting *s)
{
	static const unsigned gap[] = { 1750, 701, 301, 132, 57, 23, 10, 4, 1 };

	for (unsigned g = 0; g < sizeof gap / sizeof *gap; g++)
		for (unsigned i = gap[g]; i < s->n; i++) {
			unsigned held = s->at[i], to = i;

			while (to >= gap[g] &&
			       sorts_after(s, s->at[to - gap[g]], held)) {
				s->at[to] = s->at[to - gap[g]];
				to -= gap[g];
			}
			s->at[to] = held;
		}
}

void
view_column_label(const struct view *v, int column, struct buf *out)
{
	bool processes = v->kind == VIEW_PROCESSES;

	if (column >= COLUMN_PROCESS)
		processes_label(v->procs,
				(enum process_metric)(column - COLUMN_PROCESS),
				out);
	else
		buf_str(out, column == SORT_NUMBER ? (processes ? "pid" : "cpu")
			     : column == SORT_NAME ? "name"
			     : column == SORT_WORST ? "worst IPC"
						    : view_label(v, column));
}

const char *
view_sort_arrow(const struct rows *r, bool ascii)
{
	/* These columns ascend unless reversed. */
	bool low = r->sort == SORT_NUMBER || r->sort == SORT_WORST ||
		   r->sort == SORT_NAME;
	bool up = low != r->reverse;

	return ascii ? (up ? "^" : "v") : up ? "↑" : "↓";
}

/* Names for --sort. The first name of a column is the saved one. */
static const struct {
	const char *name;
	int of_cpus, of_processes;
} sort_table[] = {
	{ "cpu", SORT_NUMBER, COLUMN_PROCESS + PROCESS_CPU },
	{ "busy", COLUMN_BUSY, COLUMN_PROCESS + PROCESS_CPU },
	{ "worst", SORT_WORST, SORT_WORST },
	{ "pid", COLUMN_NONE, SORT_NUMBER },
	{ "name", COLUMN_NONE, SORT_NAME },
};
enum { NAMED = sizeof sort_table / sizeof *sort_table };

static int
find_named_column(unsigned i, bool processes)
{
	return processes ? sort_table[i].of_processes : sort_table[i].of_cpus;
}

int
view_sort_find(const struct view *v, bool processes, const char *name)
{
	for (unsigned i = 0; i < NAMED; i++)
		if (strcmp(sort_table[i].name, name) == 0)
			return find_named_column(i, processes);
	int metric = processes ? process_metric_find(name) : -1;

	if (metric >= 0)
		return COLUMN_PROCESS + metric;
	metric = v != NULL ? view_metric_find(v, name) : metric_find(name);
	return metric >= 0 && (!processes || view_of_process(v, metric))
		       ? metric
		       : COLUMN_NONE;
}

const char *
view_sort_name(const struct view *v)
{
	int sort = view_rows_now(v)->sort;

	for (unsigned i = 0; i < NAMED; i++)
		if (find_named_column(i, v->kind == VIEW_PROCESSES) == sort)
			return sort_table[i].name;
	return sort >= COLUMN_PROCESS
		       ? process_metrics[sort - COLUMN_PROCESS].name
		       : view_metric(v, sort)->name;
}

void
view_sort_by(struct view *v, const struct ui_status *s, const char *name)
{
	view_use_user_presets(v, s);
	int column = view_sort_find(v, v->kind == VIEW_PROCESSES, name);

	if (column != COLUMN_NONE)
		view_rows(v)->sort = column;
}

static unsigned
event_choices(const struct view *v, int *out)
{
	const struct process_past *past = &v->procs->past;
	bool on = v->procs->tracer.state == PROCESS_TRACING_ON;
	unsigned n = 0;

	if (past->traces == NULL)
		return 0;
	for (int m = 0; m < (int)(metric_count + v->user.nmetrics); m++)
		if (past->traces(past->self, (unsigned)m) &&
		    (on || view_is_column(v, m)))
			out[n++] = m;
	return n;
}

static unsigned
process_choices(const struct view *v, int *out)
{
	const struct process_list *l = v->procs;
	static const int first[] = { COLUMN_PROCESS + PROCESS_CPU, SORT_WORST,
				     SORT_NAME, SORT_NUMBER };
	unsigned n = sizeof first / sizeof *first;

	memcpy(out, first, sizeof first);
	for (int m = 0; m < PROCESS_METRICS; m++)
		if (m != PROCESS_CPU &&
		    processes_has_metric(l, (enum process_metric)m))
			out[n++] = COLUMN_PROCESS + m;
	return n + event_choices(v, out + n);
}

static unsigned
cpu_choices(const struct view *v, int *out)
{
	unsigned n = 3;

	out[0] = SORT_NUMBER;
	out[1] = v->metric.main;
	out[2] = SORT_WORST;
	if (v->metric.main == v->metric.ipc && v->metric.lost >= 0)
		out[n++] = v->metric.lost;
	for (unsigned i = 0; i < v->cols.n; i++)
		out[n++] = v->cols.column[i].metric;
	return n;
}

static unsigned
find_choice(const int *column, unsigned n, int wanted)
{
	unsigned i = 0;

	while (i < n && column[i] != wanted)
		i++;
	return i;
}

unsigned
view_sort_choices(const struct view *v, int column[COLUMNS_OF_ROWS])
{
	int now = view_rows_now(v)->sort;
	unsigned n = v->kind == VIEW_PROCESSES ? process_choices(v, column)
					       : cpu_choices(v, column);

	if (find_choice(column, n, now) == n)
		column[n++] = now;
	return n;
}

void
view_sort_open(struct view *v, int arg)
{
	int column[COLUMNS_OF_ROWS];
	unsigned n = view_sort_choices(v, column);

	(void)arg;
	v->over.which =
		v->over.which == OVERLAY_SORT ? OVERLAY_NONE : OVERLAY_SORT;
	v->over.sort_at = (int)find_choice(column, n, view_rows(v)->sort);
}

void
view_sort_jump(struct view *v, int letter)
{
	int column[COLUMNS_OF_ROWS];
	unsigned n = view_sort_choices(v, column),
		 at = (unsigned)v->over.sort_at;

	for (unsigned i = 1; i <= 2 * n; i++) {
		char text[64];
		struct buf b = buf_over(text, sizeof text);
		unsigned to = (at + i) % n;
		int first;

		view_column_label(v, column[to], &b);
		first = (unsigned char)buf_cstr(&b)[0];
		if (first == letter ||
		    (i > n && tolower(first) == tolower(letter))) {
			v->over.sort_at = (int)to;
			return;
		}
	}
}

void
view_sort_set(struct view *v, int column)
{
	struct rows *r = view_rows(v);

	r->reverse = column == r->sort && column != SORT_WORST && !r->reverse;
	r->sort = column;
	v->procs->resort |= v->kind == VIEW_PROCESSES;
}

void
view_sort_choose(struct view *v, int i)
{
	bool listed = v->over.which == OVERLAY_SORT;
	int column[COLUMNS_OF_ROWS];

	v->over.which = OVERLAY_NONE;
	if (i < 0 || i >= (int)view_sort_choices(v, column))
		return;
	/* Choosing the sort column again in the list keeps the order. */
	if (!listed || column[i] != view_rows(v)->sort)
		view_sort_set(v, column[i]);
}

void
view_sort_worst(struct view *v)
{
	int else_by = v->kind == VIEW_PROCESSES ? COLUMN_PROCESS + PROCESS_CPU
						: SORT_NUMBER;

	view_sort_set(v,
		      view_rows(v)->sort == SORT_WORST ? else_by : SORT_WORST);
}

void
view_reverse(struct view *v, int arg)
{
	struct rows *r = view_rows(v);

	(void)arg;
	/* Worst IPC of processes is never reversed: idle processes stay below.
	 */
	r->reverse = !r->reverse &&
		     (v->kind != VIEW_PROCESSES || r->sort != SORT_WORST);
	v->procs->resort |= v->kind == VIEW_PROCESSES;
}
