/*
 * What lists of CPUs, clusters and processes have in common: rows with values,
 * an order, a filter, a cursor.
 */
#ifndef UI_VIEW_ROWS_H
#define UI_VIEW_ROWS_H

#include "base/buf.h"
#include "model/metric.h"
#include "model/process.h"
#include "ui/view/layout.h"

#include <stdbool.h>

/*
 * A column that sorts or is compared by a filter: a metric of view_metric,
 * COLUMN_BUSY, COLUMN_PROCESS + enum process_metric, or one of these.
 */
enum {
	SORT_NUMBER = -2, /* of the CPU, or the pid */
	SORT_WORST = -3,  /* the lowest IPC of those at work first */
	SORT_NAME = -4,
	COLUMN_NONE = -5,
	COLUMN_PROCESS = METRIC_MAX,
	COLUMNS_OF_ROWS = COLUMN_PROCESS + PROCESS_METRICS
};

enum { VIEW_FILTER_SIZE = 48, FILTER_WORDS = VIEW_FILTER_SIZE / 2 };

struct filter_word { /* "clang", or "name op number" */
	char text[VIEW_FILTER_SIZE];
	bool either;       /* it or the one before will do */
	char op;           /* < > =; 0: the word compares nothing */
	bool equal, whole; /* the number is there */
	int column;        /* that it compares */
	double number;
};

struct filter {
	unsigned n;
	struct filter_word word[FILTER_WORDS];
};

/* What was chosen of a list, and where it stands. */
struct rows {
	int sort;
	bool reverse;
	char filter[VIEW_FILTER_SIZE]; /* as typed */
	unsigned nmatch;               /* rows that it leaves */
	unsigned npinned;              /* lines that do not scroll */
	unsigned cursor;               /* the line under the cursor */
	unsigned top;  /* of those that scroll, the first shown */
	unsigned page; /* lines on the screen */
	bool cursor_on;
	bool cursor_moved; /* else it stays with its row when that moves */
	bool pin_key;      /* pressed; the next draw knows what is selected */
};

struct view;
struct process_row;

/* A row of any list: a process or thread, or a scope of the frame. */
struct view_row {
	const struct process_row *process; /* NULL: a scope */
	unsigned scope;
};

#define OF_PROCESS(row) ((struct view_row){ .process = (row) })
#define OF_SCOPE(row) ((struct view_row){ .scope = (row) })

/* The list in front: of processes, or of cores (or clusters). */
struct rows *view_rows(struct view *v);
const struct rows *view_rows_now(const struct view *v);

/*
 * Scrolls to the cursor (follow: if it is there) in n lines, of which the last
 * `folds` do not scroll.
 */
void view_rows_scroll(struct rows *r, unsigned n, unsigned folds, bool follow);

/* A row's value in a column; NAN: unknown. */
double view_row_value(const struct view *v, struct view_row row, int column);

/* Words and numbers of a filter, looked up once a draw. */
void view_filter_read(const struct view *v, const struct rows *r,
		      struct filter *out);

/* Does the row pass it? */
bool view_filter_passes(const struct view *v, const struct filter *f,
			struct view_row row);

/* What is wrong with the filter, in a few words; NULL: nothing. */
const char *view_filter_wrong(const struct view *v, const struct rows *r);

/*
 * Why the column has no value in any row of the list, and which keys change
 * that: "not counted: press 3"; false: some row may have one.
 */
bool view_column_missing(const struct view *v, const struct rows *r, int column,
			 struct buf *why);

/* The same of the columns that the filter compares: "br is not counted". */
bool view_filter_missing(const struct view *v, const struct rows *r,
			 struct buf *why);

/* Rows to be put in order: key by row, the least first. */
struct sorting {
	const struct view *v;
	const struct process_row *process; /* [] NULL: rows are scopes */
	bool reverse, named;               /* named: equal keys go by name */
	double *key;
	unsigned *at, n;
};

/* What a row sorts by; unknown values come last. */
double view_sort_key(const struct view *v, const struct rows *r,
		     struct view_row row);
void view_sort_rows(const struct sorting *s);

/* Is it at work, so that its IPC says something? */
bool view_row_at_work(const struct view *v, struct view_row row);

/* Sorts the list in front by that column; the same again turns it round. */
void view_sort_set(struct view *v, int column);

/* The same by a name; an unknown one changes nothing. */
struct ui_status;
void view_sort_by(struct view *v, const struct ui_status *s, const char *name);

/*
 * The column that --sort calls so, or COLUMN_NONE. v brings the user's own
 * metrics; NULL: without them.
 */
int view_sort_find(const struct view *v, bool processes, const char *name);
const char *view_sort_name(const struct view *v); /* of the list in front */

/* What the list in front can be sorted by: how many. */
unsigned view_sort_choices(const struct view *v, int column[COLUMNS_OF_ROWS]);

/* The list of these: opens it, or closes it; takes one, and closes it. */
void view_sort_open(struct view *v, int arg);
/* In that list: to the next column that begins with the letter. */
void view_sort_jump(struct view *v, int letter);
void view_sort_take(struct view *v, int i);

void view_sort_worst(struct view *v); /* or by number (CPU%) again */
void view_reverse(struct view *v, int arg);

/* The least first, as an arrow up? */
const char *view_sort_arrow(const struct rows *r, bool ascii);

/* What a column is called in titles: "cpu", "IPC", "worst IPC". */
void view_column_label(const struct view *v, int column, struct buf *out);

#endif
