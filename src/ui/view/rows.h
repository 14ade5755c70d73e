/* Lists of CPUs, clusters and processes: values, order, filter, cursor. */
#ifndef UI_VIEW_ROWS_H
#define UI_VIEW_ROWS_H

#include "base/buf.h"
#include "model/metric.h"
#include "model/process.h"
#include "ui/view/layout.h"

#include <stdbool.h>

/* A column for sorting or filtering: a metric (view_metric), COLUMN_BUSY,
 * COLUMN_PROCESS + enum process_metric, or a constant below. */
enum {
	SORT_NUMBER = -2, /* CPU number or pid */
	SORT_WORST = -3,  /* busy rows by IPC, lowest first */
	SORT_NAME = -4,
	COLUMN_NONE = -5,
	COLUMN_PROCESS = METRIC_MAX,
	COLUMNS_OF_ROWS = COLUMN_PROCESS + PROCESS_METRICS
};

enum { VIEW_FILTER_SIZE = 48, FILTER_WORDS = VIEW_FILTER_SIZE / 2 };

struct filter_word { /* condition: a name, or "column op number" */
	char text[VIEW_FILTER_SIZE];
	bool either;       /* alternative to the previous condition */
	char op;           /* < > =; 0: no comparison */
	bool equal, whole; /* equal: <= or >=; whole: the number is complete */
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
	unsigned nmatch;
	unsigned npinned; /* pinned lines, which do not scroll */
	unsigned cursor;
	unsigned top; /* number of rows scrolled off at the top */
	unsigned page;
	bool cursor_on;
	bool cursor_moved; /* false: the cursor follows its row */
	bool pin_key;      /* the next draw pins or unpins the selected row */
};

struct view;
struct process_row;

/* A process or thread; process NULL: a scope. */
struct view_row {
	const struct process_row *process;
	unsigned scope;
};

#define OF_PROCESS(row) ((struct view_row){ .process = (row) })
#define OF_SCOPE(row) ((struct view_row){ .scope = (row) })

/* The list of the current view: of processes, or of cores or clusters. */
struct rows *view_rows(struct view *v);
const struct rows *view_rows_now(const struct view *v);

/* Limits the scroll position to a list of n lines; the last `folds` lines do
 * not scroll. follow: scrolls to the cursor. */
void view_rows_scroll(struct rows *r, unsigned n, unsigned folds, bool follow);

/* NAN: the value is unknown. */
double view_row_value(const struct view *v, struct view_row row, int column);

/* Parses r->filter. A comma (OR) binds tighter than a blank (AND). */
void view_filter_read(const struct view *v, const struct rows *r,
		      struct filter *out);

bool view_filter_passes(const struct view *v, const struct filter *f,
			struct view_row row);

/* Error in r->filter; NULL: r->filter is valid. */
const char *view_filter_wrong(const struct view *v, const struct rows *r);

/* Writes why no row has a value in the column, and the keys to press, if any:
 * "not counted: press 3". False: some row may have a value. */
bool view_column_missing(const struct view *v, const struct rows *r, int column,
			 struct buf *why);

/* As view_column_missing, for the filter's columns: "br is not counted". */
bool view_filter_missing(const struct view *v, const struct rows *r,
			 struct buf *why);

struct sorting {
	const struct view *v;
	const struct process_row *process;
	bool reverse, named; /* named: equal keys are sorted by name */
	double *key;
	unsigned *at, n;
};

/* Key of a row for an ascending sort; unknown values come last. */
double view_sort_key(const struct view *v, const struct rows *r,
		     struct view_row row);
void view_sort_rows(const struct sorting *s);

/* True if the row is busy enough for a meaningful IPC, and its IPC is known. */
bool view_row_at_work(const struct view *v, struct view_row row);

/* Sorts by the column. If it is the sort column already, reverses the order,
 * except that of SORT_WORST. */
void view_sort_set(struct view *v, int column);

struct ui_status;
void view_sort_by(struct view *v, const struct ui_status *s, const char *name);

/* The column named `name` in --sort; COLUMN_NONE: unknown. v has the user's
 * metrics; v NULL: only the built-in metrics are known. */
int view_sort_find(const struct view *v, bool processes, const char *name);
const char *view_sort_name(const struct view *v);

unsigned view_sort_choices(const struct view *v, int column[COLUMNS_OF_ROWS]);

void view_sort_open(struct view *v, int arg);
/* Selects the next column that begins with the letter (same case first). */
void view_sort_jump(struct view *v, int letter);
void view_sort_choose(struct view *v, int i);

/* Sorts by worst IPC; if already chosen, by number (processes: by CPU%). */
void view_sort_worst(struct view *v);
void view_reverse(struct view *v, int arg);

const char *view_sort_arrow(const struct rows *r, bool ascii);

void view_column_label(const struct view *v, int column, struct buf *out);

#endif
