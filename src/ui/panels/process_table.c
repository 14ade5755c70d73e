#include "ui/panels/inner.h"

#include "ui/view/value.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum {
	NAME_MOST = 40,
	FEW_INSTRUCTIONS = 1000000 /* fewer: IPC and GIPS are dim */
};

struct wanted {
	enum process_column_kind kind;
	int sorts;
	int w; /* least width, with the gap on the left; 0: not shown */
};

/* The most important column first. */
#define OF(metric) COLUMN_PROCESS + PROCESS_##metric
static const struct wanted column_table[] = {
	{ COLUMN_NAME, SORT_NAME, 13 },
	{ COLUMN_CPU, OF(CPU), 7 },
	{ COLUMN_IPC, OF(IPC), 7 },
	{ COLUMN_WORD, COLUMN_NONE, 12 },
	{ COLUMN_PID, SORT_NUMBER, 7 },
	{ COLUMN_TRACED, COLUMN_NONE, 8 },
	{ COLUMN_TRACED + 1, COLUMN_NONE, 8 },
	{ COLUMN_TRACED + 2, COLUMN_NONE, 8 },
	{ COLUMN_TRACED + 3, COLUMN_NONE, 8 },
	{ COLUMN_GIPS, OF(GIPS), 6 },
	{ COLUMN_P_TIME, OF(P_TIME), 6 },
	{ COLUMN_USER, COLUMN_NONE, 9 },
	{ COLUMN_CYCLES, OF(CYCLES_PCT), 6 },
	{ COLUMN_IPC_0, OF(IPC_0), 6 },
	{ COLUMN_IPC_1, OF(IPC_1), 6 },
	{ COLUMN_GHZ, OF(GHZ), 6 },
	{ COLUMN_SPARK, COLUMN_NONE, 12 },
	{ COLUMN_P_WORK, OF(P_WORK), 6 },
};
#undef OF
enum {
	PLACED = sizeof column_table / sizeof *column_table,
	COLUMNS = PLACED + PROCESS_METRICS,
	PLAIN_W = 6
};

/* After the columns of column_table comes one for each metric; w is 0 if the
 * table has the metric. */
static struct wanted
get_wanted_column(const struct process_list *l, unsigned i)
{
	unsigned metric = i - PLACED, k = 0;
	struct wanted column = { COLUMN_MORE, COLUMN_NONE, PLAIN_W };

	if (i < PLACED)
		column = column_table[i];
	if (column.kind == COLUMN_WORD && l->tracer.n == 0)
		column.w = 0;
	if (column.kind >= COLUMN_TRACED && column.kind <= COLUMN_TRACED_LAST) {
		k = column.kind - COLUMN_TRACED;
		if (k < l->tracer.n)
			column.sorts = l->tracer.column[k].metric;
		else
			column.w = 0;
	}
	if (i < PLACED)
		return column;
	column.kind = (enum process_column_kind)(COLUMN_MORE + metric);
	column.sorts = COLUMN_PROCESS + (int)metric;
	while (k < PLACED && column_table[k].sorts != column.sorts)
		k++;
	column.w = k < PLACED ? 0 : PLAIN_W;
	return column;
}

static int
digits(uint64_t n)
{
	int d = 1;

	for (; n >= 10; n /= 10)
		d++;
	return d;
}

static int
pid_width(const struct process_list *l)
{
	int most = 6;

	for (unsigned i = 0; l->t != NULL && i < l->t->nthreads; i++)
		if (digits(l->t->thread[i].thread) > most)
			most = digits(l->t->thread[i].thread);
	if (l->t != NULL && l->t->n > 0 &&
	    digits((uint64_t)l->t->row[l->t->n - 1].pid) > most)
		most = digits((uint64_t)l->t->row[l->t->n - 1].pid);
	return most + 1;
}

static int
column_least_width(const struct view *v, const struct wanted *column, int width)
{
	enum { WIDE = 116, NAME_WIDE = 21, MIDDLE = 72, NAME_MIDDLE = 17 };
	const struct process_list *l = v->procs;
	int metric = column->sorts - COLUMN_PROCESS, w = column->w;
	char text[32];
	struct buf b = buf_over(text, sizeof text);

	if (column->kind == COLUMN_PID)
		return pid_width(l);
	if (column->kind == COLUMN_NAME && width >= MIDDLE)
		return width >= WIDE ? NAME_WIDE : NAME_MIDDLE;
	if ((column->kind == COLUMN_SPARK && l->past.self == NULL) ||
	    (column->kind == COLUMN_P_WORK && l->list.sort != column->sorts))
		return 0;
	/* With a reference, shares of all cycles are not compared. */
	if (column->kind == COLUMN_CYCLES && v->reference.then != NULL)
		return 0;
	if (metric < 0 || w == 0)
		return w;
	if (!processes_has_metric(l, (enum process_metric)metric))
		return metric == PROCESS_CPU ? w : 0;
	view_column_label(v, column->sorts, &b);
	return (int)b.len + 1 > w ? (int)b.len + 1 : w;
}

static void
column_widen(struct process_columns *k, enum process_column_kind kind, int to,
	     int *rest)
{
	int more = to - k->at[kind].w;

	if (k->at[kind].w == 0 || more <= 0)
		return;
	more = more < *rest ? more : *rest;
	k->at[kind].w += more;
	*rest -= more;
}

static void
widen_columns(struct process_columns *k, int rest)
{
	column_widen(k, COLUMN_NAME, 17, &rest);
	column_widen(k, COLUMN_USER, 11, &rest);
	column_widen(k, COLUMN_SPARK, 32, &rest);
	column_widen(k, COLUMN_NAME, NAME_MOST, &rest);
	column_widen(k, COLUMN_USER, 14, &rest);
	column_widen(k, COLUMN_SPARK, k->at[COLUMN_SPARK].w + rest, &rest);
}

void
process_columns_make(const struct view *v, int w, struct process_columns *out)
{
	const struct wanted name = get_wanted_column(v->procs, 0);
	int rest = w, x = 0;

	memset(out, 0, sizeof *out);
	/* The sort column gets space before all other columns but the name. */
	for (unsigned i = 0; i < COLUMNS; i++) {
		const struct wanted column = get_wanted_column(v->procs, i);
		int need = column_least_width(v, &column, w);

		out->at[column.kind].sorts = column.sorts;
		if (i == 0 || column.sorts == COLUMN_NONE ||
		    column.sorts != v->procs->list.sort ||
		    need + column_least_width(v, &name, w) > rest)
			continue;
		out->at[column.kind].w = need;
		rest -= need;
	}
	for (unsigned i = 0; i < COLUMNS; i++) {
		const struct wanted column = get_wanted_column(v->procs, i);
		int need = column_least_width(v, &column, w);

		if (out->at[column.kind].w > 0)
			continue;
		if (need > rest)
			break;
		out->at[column.kind].w = need;
		rest -= need;
	}
	widen_columns(out, rest);
	for (unsigned i = 0; i < COLUMN_KINDS; i++) {
		out->at[i].x = x;
		x += out->at[i].w;
	}
	out->end = x;
}

const char *
process_clock(char text[PROCESS_CLOCK_SIZE], int64_t wall_ns)
{
	time_t when = (time_t)(wall_ns / 1000000000);
	struct tm tm;

	if (wall_ns <= 0 || localtime_r(&when, &tm) == NULL ||
	    strftime(text, PROCESS_CLOCK_SIZE, "%H:%M:%S", &tm) == 0)
		text[0] = 0;
	return text;
}

void
process_number(const struct process_row *row, enum process_metric metric, int w,
	       char *text)
{
	double value = row->value[metric];

	if (isnan(value)) {
		/* draw_access_reason draws the reason over these columns. */
		bool blank = row->access != PROCESS_COUNTED;

		memcpy(text, blank ? "" : "-", blank ? 1 : 2);
		return;
	}
	value_number(value, process_metrics[metric].decimals, w, text);
}

static enum role
process_part_role(const struct view *v, unsigned part)
{
	const struct process_parts *parts = &v->procs->t->parts;

	return part < parts->n && parts->kind[part] >= 0
		       ? view_kind_role((unsigned)parts->kind[part])
		       : ROLE_TEXT;
}

static enum role
metric_role(const struct view *v, const struct process_row *row,
	    enum process_metric metric, bool dim)
{
	bool few = row->d.instructions < FEW_INSTRUCTIONS;

	if (dim || isnan(row->value[metric]))
		return ROLE_DIM;
	switch (metric) {
	case PROCESS_IPC:
		return few ? ROLE_DIM : row->flagged ? ROLE_BAD : ROLE_STRONG;
	case PROCESS_IPC_0:
		return process_part_role(v, 0);
	case PROCESS_IPC_1:
		return process_part_role(v, 1);
	case PROCESS_GIPS:
		return few ? ROLE_DIM : ROLE_TEXT;
	default:
		return ROLE_TEXT;
	}
}

static const char *
process_mark(const struct process_row *row)
{
	return (row->flags & PROCESS_SCALED) != 0    ? "~"
	       : (row->flags & PROCESS_PARTIAL) != 0 ? "'"
						     : "";
}

static void
draw_ipc(struct canvas *c, const struct view *v, const struct process_row *row,
	 int x, int y, int w, bool dim)
{
	char text[VALUE_TEXT_SIZE];

	process_number(row, PROCESS_IPC, w - 2, text);
	canvas_right(c, x, y, w - 1, metric_role(v, row, PROCESS_IPC, dim),
		     text);
	if (row->flagged &&
	    (v->procs->tracer.n == 0 ||
	     processes_bottleneck(v->procs, row) == BOTTLENECK_UNKNOWN))
		canvas_put(c, x + w - 1, y, ROLE_ALARM, "!");
	else
		canvas_text(c, x + w - 1, y, ROLE_FLAG,
			    isnan(row->value[PROCESS_IPC]) ? ""
							   : process_mark(row));
}

static void
draw_spark(struct canvas *c, const struct view *v,
	   const struct process_row *row, int x, int y, int w)
{
	unsigned n = spark_values(
		v, OF_PROCESS(row),
		COLUMN_PROCESS + (int)processes_trend(v->procs), w);
	double most = 0;

	for (unsigned i = 0; i < n; i++)
		if ((double)v->scratch[i] > most)
			most = (double)v->scratch[i];
	canvas_spark(c, x, y, w, v->scratch, n, most > 0 ? most * 1.25 : 1,
		     ROLE_DIM);
}

static void
draw_traced(struct canvas *c, const struct view *v,
	    const struct process_row *row, unsigned i, int x, int y, int w,
	    bool dim)
{
	const struct process_list *l = v->procs;
	char text[VALUE_TEXT_SIZE] = "-";
	bool few = true;

	if (row->access != PROCESS_COUNTED || i >= l->tracer.n)
		return;
	double value =
		processes_events(row) == NULL
			? NAN
			: processes_event_rate(
				  l, row, l->tracer.column[i].metric, &few);

	if (!isnan(value))
		value_number(value, l->tracer.column[i].decimals, w, text);
	canvas_right(c, x, y, w, few || dim ? ROLE_DIM : ROLE_TEXT, text);
}

static void
draw_bottleneck(struct canvas *c, const struct view *v,
		const struct process_row *row, int x, int y, int w, bool dim)
{
	enum bottleneck_word word = processes_bottleneck(v->procs, row);

	if (row->access != PROCESS_COUNTED)
		return;
	if (word == BOTTLENECK_UNKNOWN) {
		canvas_textn(c, x, y, w, ROLE_DIM,
			     processes_events(row) == NULL
				     ? "-"
				     : bottleneck_words[word].word);
		return;
	}
	x += canvas_textn(c, x, y, w,
			  dim || !bottleneck_is_cause(word) ? ROLE_DIM
			  : row->flagged                    ? ROLE_BAD
							    : ROLE_TEXT,
			  bottleneck_words[word].word);
	if (row->flagged)
		canvas_put(c, x + 1, y, ROLE_ALARM, "!");
}

static void
draw_change(struct canvas *c, const struct view *v,
	    const struct process_row *row, enum process_metric metric, int x,
	    int y, int w)
{
	char text[VALUE_TEXT_SIZE];
	double change;
	enum view_change kind = view_process_change(v, row, metric, &change);

	value_change(change, process_metrics[metric].decimals, w, text);
	canvas_right(c, x, y, w,
		     kind == CHANGE_REAL && strcmp(text, "0") != 0 ? ROLE_STRONG
								   : ROLE_DIM,
		     text);
}

void
process_values_draw(struct canvas *c, const struct view *v,
		    const struct process_columns *k,
		    const struct process_row *row, int x, int y, bool dim)
{
	bool compares = v->reference.then != NULL && row->thread == 0;

	for (unsigned i = 0; i < COLUMN_KINDS; i++) {
		int at = x + k->at[i].x, w = k->at[i].w;
		char text[VALUE_TEXT_SIZE];

		if (w == 0)
			continue;
		int metric = k->at[i].sorts - COLUMN_PROCESS;

		if (compares && metric >= 0 && i != COLUMN_PID) {
			int gap = i == COLUMN_IPC;

			draw_change(c, v, row, (enum process_metric)metric,
				    at + 1 - gap, y, w - 1);
		} else if (i >= COLUMN_TRACED && i <= COLUMN_TRACED_LAST) {
			draw_traced(c, v, row, i - COLUMN_TRACED, at + 1, y,
				    w - 1, dim);
		} else if (i == COLUMN_WORD) {
			draw_bottleneck(c, v, row, at + 2, y, w - 2, dim);
		} else if (i == COLUMN_IPC) {
			draw_ipc(c, v, row, at, y, w, dim);
		} else if (i == COLUMN_SPARK) {
			draw_spark(c, v, row, at + 2, y, w - 2);
		} else if (metric >= 0) {
			process_number(row, (enum process_metric)metric, w - 1,
				       text);
			canvas_right(c, at + 1, y, w - 1,
				     metric_role(v, row,
						 (enum process_metric)metric,
						 dim),
				     text);
		}
	}
}
