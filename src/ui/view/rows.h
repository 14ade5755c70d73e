/*
 * Shared by lists of CPUs, clusters and processes: values, order, filter,
 * cursor.
 */
#ifndef UI_VIEW_ROWS_H
#define UI_VIEW_ROWS_H

#include "base/buf.h"
#include "model/metric.h"
#include "model/process.h"
#include "ui/view/layout.h"

#include <stdbool.h>

/* A sort or filter column: a metric (view_metric), COLUMN_BUSY, COLUMN_PROCESS
 * + enum process_metric, or one of these. */
enum {
	SORT_NUMBER = -2, /* CPU number or pid */
	SORT_WORST = -3,  /* lowest IPC of busy rows first */
	SORT_NAME = -4,
	COLUMN_NONE = -5,
	COLUMN_PROCESS = METRIC_MAX,
	COLUMNS_OF_ROWS = COLUMN_PROCESS + PROCESS_METRICS
};

enum { VIEW_FILTER_SIZE = 48, FILTER_WORDS = VIEW_FILTER_SIZE / 2 };

struct filter_word { /* "clang", or "name op number" */
	char text[VIEW_FILTER_SIZE];
	bool either;       /* OR with the condition before */
	char op;           /* < > =; 0: no comparison */
	bool equal, whole; /* the number is complete */
	int column;
	double number;
};

struct filter {
	unsigned n;
	struct filter_word word[FILTER_WORDS];
};

struct rows {
	int sort;
	bool reverse;
	char filter[VIEW_FILTER_SIZE];
	unsigned nmatch;  /* rows that pass the filter */
	unsigned npinned; /* lines that do not scroll */
	unsigned cursor;
	unsigned top; /* first scrolling line shown */
	unsigned page;
	bool cursor_on;
	bool cursor_moved; /* false: the cursor follows its row */
	bool pin_key;      /* pressed; handled by the next draw */
};

struct view;
struct process_row;

/* A row of any list: process, thread or scope. */
struct view_row {
	const struct process_row *process;
	unsigned scope;
};

#define OF_PROCESS(row) ((struct view_row){ .process = (row) })
#define OF_SCOPE(row) ((struct view_row){ .scope = (row) })

/* The rows of the visible list: processes, or cores (or clusters). */
struct rows *view_rows(struct view *v);
const struct rows *view_rows_now(const struct view *v);

/* Scrolls n lines, except the last `folds`; follow: scrolls to the cursor. */
void view_rows_scroll(struct rows *r, unsigned n, unsigned folds, bool follow);

/* NAN: unknown value. */
double view_row_value(const struct view *v, struct view_row row, int column);

/* Parses the filter, once per draw. */
void view_filter_read(const struct view *v, const struct rows *r,
		      struct filter *out);

bool view_filter_passes(const struct view *v, const struct filter *f,
			struct view_row row);

/* A short error text; NULL: valid. */
const char *view_filter_wrong(const struct view *v, const struct rows *r);

/* Writes why all rows lack a value, and the keys that help: "not counted: press
 * 3". False: some row may have one. */
bool view_column_missing(const struct view *v, const struct rows *r, int column,
			 struct buf *why);

/* As above for columns in the filter: "br is not counted". */
bool view_filter_missing(const struct view *v, const struct rows *r,
			 struct buf *why);

struct sorting {
	const struct view *v;
	const struct process_row *process;
	bool reverse, named; /* named: equal keys are sorted by name */
	double *key;
	unsigned *at, n;
};

/* Unknown values come last. */
double view_sort_key(const struct view *v, const struct rows *r,
		     struct view_row row);
void view_sort_rows(const struct sorting *s);

/* Is the row busy enough for a meaningful IPC? */
bool view_row_at_work(const struct view *v, struct view_row row);

/* Choosing the same column again reverses the order. */
void view_sort_set(struct view *v, int column);

struct ui_status;
void view_sort_by(struct view *v, const struct ui_status *s, const char *name);

/*
 * Column of a --sort name, or COLUMN_NONE. v: for the user's metrics, or NULL.
 */
int view_sort_find(const struct view *v, bool processes, const char *name);
const char *view_sort_name(const struct view *v);

/* Sort columns of the visible list; returns the number. */
unsigned view_sort_choices(const struct view *v, int column[COLUMNS_OF_ROWS]);

/* Opens or closes the list of sort columns; view_sort_choose also chooses. */
void view_sort_open(struct view *v, int arg);
/* Moves to the next column that begins with that letter. */
void view_sort_jump(struct view *v, int letter);
void view_sort_choose(struct view *v, int i);

void view_sort_worst(struct view *v); /* if already chosen: by number (CPU%) */
void view_reverse(struct view *v, int arg);

const char *view_sort_arrow(const struct rows *r, bool ascii);

/* The column's name in titles: "cpu", "IPC", "worst IPC". */
void view_column_label(const struct view *v, int column, struct buf *out);

#endif
