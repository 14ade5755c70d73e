/* What the panels see: a frame, the past, and what the person chose. */
#ifndef UI_VIEW_VIEW_H
#define UI_VIEW_VIEW_H

#include "model/frame.h"
#include "model/bottleneck.h"
#include "monitor/history.h"
#include "monitor/processes.h"
#include "ui/view/help.h"
#include "ui/view/keys.h"
#include "ui/view/layout.h"
#include "ui/view/picker.h"
#include "ui/view/processes.h"
#include "ui/view/rows.h"
#include "ui/view/status.h"

#include <stdbool.h>

struct monitor; /* tests cast a past of their own */

/* The monitor's history. */
struct past {
	const struct monitor *self; /* NULL: there is none */
	/* As monitor_history (HISTORY_BUSY too) and monitor_last. */
	unsigned (*values)(const struct monitor *self, unsigned scope,
			   unsigned metric, unsigned n, float *out);
	double (*last)(const struct monitor *self, unsigned back,
		       unsigned scope, unsigned metric, double *age_s);
	/* As monitor_history_times; NULL: frames are a period apart. */
	unsigned (*times)(const struct monitor *self, unsigned n, float *out);
	/* As history_gaps; NULL: there are none. */
	unsigned (*gaps)(const struct monitor *self, unsigned n, double least_s,
			 struct history_gap *out, unsigned most);
	/* As history_words; NULL: there are none. */
	unsigned (*words)(const struct monitor *self, unsigned scope,
			  unsigned n, uint8_t *out);
};

/*
 * ROW(CONSTANT, name, place): what lies over the screen. panel_name_draw of
 * ui/panels draws it; the last line has the keys of that place, and KEY_PLACES
 * leaves it those of the screen. A key opens it (`key_overlay` in ui/keys.c).
 */
/* clang-format off */
#define OVERLAYS(ROW) \
	ROW(OVERLAY_HELP, help, KEY_PLACE_HELP) \
	ROW(OVERLAY_PRESETS, list, KEY_PLACE_PRESETS) \
	ROW(OVERLAY_SORT, sort, KEY_PLACE_SORT) \
	ROW(OVERLAY_PICKER, picker, KEY_PLACE_PICKER) \
	ROW(OVERLAY_THEMES, themes, KEY_PLACE_THEMES) \
	ROW(OVERLAY_MARKERS, markers, KEY_PLACE_MARKERS)
#define OVERLAY_CONSTANT(constant, ...) , constant
enum overlay { OVERLAY_NONE OVERLAYS(OVERLAY_CONSTANT) };
#undef OVERLAY_CONSTANT
/* clang-format on */
enum { VIEW_CELL_ALL = 1 << 30, VIEW_FAR = 100000 /* to either end */ };
enum {
	VIEW_PINS = 16,
	VIEW_HITS = 64,
	VIEW_SPARK_MAX = 4096 /* of the past, at least 2 * CANVAS_MAX_SIDE */
};

/*
 * Rows of the list are scopes; a die is none, so its row is this with its
 * number (-1 as VIEW_DIE_MASK).
 */
enum { VIEW_DIE = 1 << 30, VIEW_DIE_MASK = 0xffff };

/* Nor are the cores that one row stands for: this with their bottleneck. */
enum { VIEW_FOLD = VIEW_DIE | 1 << 29 };

struct view_hit { /* cells of the screen that stand for a key */
	int x, y, w, key;
};

struct view_hits {
	unsigned n;
	struct view_hit at[VIEW_HITS];
};

/* Metric indices, and what is known of their values. */
struct view_metrics {
	int ipc, ghz, gips, user_pct, lost;
	int measure[MEASURE_COUNT]; /* of what bottlenecks go by */
	int topdown[4]; /* retiring, bad speculation, front end, back end */
	int main;       /* rows begin with its number and bar: IPC, or without
			   counters COLUMN_BUSY */
	double ipc_max; /* end of the IPC scale; only ever grows */
};

/* The user's own, as in struct ui_status. */
struct view_user {
	const struct preset *preset;
	const struct metric *metric;
	unsigned npresets, nmetrics;
};

struct view_columns {
	struct layout_column column[LAYOUT_COLUMNS];
	unsigned n;
	int preset_metric[PRESET_METRICS]; /* of the preset that was looked up
					      last */
	int preset_known;                  /* its index, or -1 */
	const struct catalog *possible_of; /* whose metrics `possible` has */
	bool possible[METRIC_MAX];
};

/* What lies over the screen. */
struct view_over {
	enum overlay which;
	struct help help;
	int choice;  /* row of the list of presets */
	int sort_at; /* row of the list of what sorts */
	int marker;  /* row of the list of markers, the newest first */
	struct picker picker;
	struct theme_walk *themes; /* of ui/theme/theme.h; NULL: none */
};

/* The frame that is shown. */
struct view_when {
	bool paused;
	unsigned back;   /* newest frames of the past that are not shown */
	unsigned scrub;  /* of these, how many the user went back */
	bool oldest;     /* ... which is as far as there is */
	double ago_s;    /* age of the frame that was gone back to */
	double period_s; /* between frames, as asked for */
};

/* What columns are compared to; then NULL: they are not. */
struct view_reference {
	const struct frame *then, *now; /* the 10 s of each, as one frame */
	const double *deviation;        /* as history_window has it */
	bool sorted; /* by lost%, where nobody chose an order */
	const struct process_window *of, *of_now; /* the same of processes */
};

enum view_change { CHANGE_UNKNOWN, CHANGE_NOISE, CHANGE_REAL };

struct view_chart {
	int metric;      /* or COLUMN_BUSY */
	bool own;        /* the user chose it */
	unsigned steps;  /* to be taken with the next draw */
	unsigned cell_s; /* of a cell; 0: one; VIEW_CELL_ALL */
};

/* The last lines, and what is typed there. */
struct view_line {
	bool typing;                          /* the filter */
	char filter_before[VIEW_FILTER_SIZE]; /* that Esc goes back to */
	const char *message;                  /* NULL: keys */
	const char *terminal; /* what is unusual about it, in the header; "" */
	bool asking;          /* the message is what is being typed */
};

/* Rows of the list of cores (or clusters), besides struct rows. */
struct view_cores {
	enum view_group group;
	unsigned pin[VIEW_PINS]; /* scopes that stay on top, as pinned */
	unsigned npins;
	char pin_text[96]; /* the same as text */
	unsigned *order;   /* rows: pinned ones, then the rest */
	unsigned norder, order_room;
	unsigned *spare; /* as much again, while it is ordered */
	double *key;     /* that rows are sorted by */
	unsigned nfolds; /* of order, the last: each stands for several cores */
	unsigned nfolded;  /* behind norder: those cores */
	bool unfolded;     /* each has its own, as asked for */
	bool cursor_away;  /* what is selected is not in this list */
	bool listed;       /* what is selected was under the cursor */
	unsigned selected; /* its scope */
};

/* Where cycles are lost in the frame of the last draw. */
struct view_lost {
	struct bottleneck_loss at[BOTTLENECK_LOSSES]; /* worst first */
	unsigned n;
	unsigned whose; /* draws for which it is still asked whose they are */
	unsigned opens; /* the scope that Enter opens; VIEW_DIE: none */
	int tells;      /* preset that tells more of the row in the zoom */
};

struct view {
	const struct frame *f; /* NULL before the first */
	const struct ui_status *s;
	struct past past;
	const struct history *run;       /* the whole run in sums; NULL: none */
	const struct topology *topology; /* of the last frame */
	const struct catalog *catalog;   /* of the last draw */
	unsigned machines;               /* as in struct ui_status */
	struct view_user user;
	struct view_metrics metric;
	struct view_columns cols;
	struct layout lay;
	enum layout_view kind, before; /* before: that Esc goes back to */
	struct view_when when;
	struct view_reference reference;
	struct view_chart chart;
	struct rows list; /* of cores, or clusters */
	struct view_cores cores;
	struct view_lost lost;
	struct process_list *procs; /* never NULL */
	struct view_over over;
	struct view_line line;
	const struct key *keys; /* of the screen, ended by a row without */
	float *scratch;         /* [VIEW_SPARK_MAX] */
	float *spread;          /* the same, of what is spread out */
	struct view_hits *hits; /* of the last draw */
};

/* NULL and *e when memory is short. view_free(NULL) is fine. */
struct view *view_new(struct err *e);
void view_free(struct view *v);

/* The person's own presets and metrics, of the status. */
void view_users(struct view *v, const struct ui_status *s);
/* Takes the frame and status of this draw, and chooses columns. */
void view_take(struct view *v, const struct frame *f,
	       const struct ui_status *s);

/*
 * Lays the screen out, with the rows that panels want, sorts and filters.
 * Allocates only when the machine has more CPUs than ever before.
 */
bool view_arrange(struct view *v, const int rows[PANEL_PLACES], int w, int h,
		  struct err *e);

/* All presets and metrics, built-in ones first. */
unsigned view_presets(const struct view *v);
const struct preset *view_preset(const struct view *v, int i);
const struct metric *view_metric(const struct view *v, int i);
/* A row's value of a metric or of COLUMN_BUSY. */
double view_value(const struct view *v, unsigned scope, int metric);
/* The digit that chooses it, 0: none, or an own preset took it over. */
char view_key(const struct view *v, int i);
/* The preset that tells more of a row so judged; -1: none that counts here. */
int view_tells(const struct view *v, const struct bottleneck *one);
/*
 * The row's change from the reference in a metric or COLUMN_BUSY. Noise: under
 * two deviations of the reference's values, or under 3 % of its own.
 */
enum view_change view_change(const struct view *v, unsigned scope, int metric,
			     double *change);
/* The same of a process, not of its threads. */
enum view_change view_process_change(const struct view *v,
				     const struct process_row *row,
				     enum process_metric metric,
				     double *change);
int view_metric_find(const struct view *v, const char *name); /* or -1 */
const char *view_label(const struct view *v, int metric);     /* of a column */
/* Is it of events that a process can have by itself? */
bool view_of_process(const struct view *v, int metric);

/* The scope under the cursor, also of views before; else the machine's. */
unsigned view_selected(const struct view *v);

/* ---- the list of cores, or clusters */

/* Filters, groups and sorts v->order; false and *e when memory is short. */
bool view_order(struct view *v, struct err *e);
bool view_lists_cores(const struct view *v); /* else clusters */
/* The place of a row's group: kinds as they are counted up, others' number. */
long view_group_of(const struct view *v, unsigned scope);
unsigned view_headings(const struct view *v); /* rows of groups, besides */

/*
 * Where more rows of cores are than fit on a page: of those from `first` on the
 * ones that are idle, or off, for some frames become one row, which does not
 * scroll. Never the selected one.
 */
void view_fold(struct view *v, unsigned first, unsigned page);
bool view_is_fold(unsigned scope);
/* The cores of such a row. */
unsigned view_folded(const struct view *v, unsigned row, const unsigned **cpu);
/* Gives each its own row, if the cursor is at such a row. */
bool view_unfold(struct view *v);

/* The row of order on line i of the list; norder or more: none. */
unsigned view_line(const struct view *v, unsigned i);
/* One behind the last that scrolls and shows, of so many lines. */
unsigned view_line_end(const struct view *v, int lines);

/*
 * Pinned rows stay on top: toggles the selected one if the key was pressed;
 * takes "4,P0"; writes it.
 */
bool view_pin_toggle(struct view *v);
bool view_pins_take(struct view *v, const char *text); /* false: some not */
void view_pins_again(struct view *v);                  /* on another machine */
void view_pins_text(const struct view *v, struct buf *b);
bool view_pinned(const struct view *v, unsigned scope);

/*
 * The cursor's row: it stays with what it selected when the order changes, also
 * where this list does not have it: a cluster, seen from the list of cores.
 */
long view_row_selected(struct view *v);
/* Puts the cursor at row n, cut to what is there, and scrolls to it. */
void view_select(struct view *v, long n);

/* ---- what keys and the mouse do to the view alone; some ignore arg */

/* Cells of the window of c that do what `key` does when they are clicked. */
void view_hit(const struct view *v, const struct canvas *c, int x, int y, int w,
	      int key);
/* A click or the wheel. The key that stands where was clicked, or KEY_NONE. */
int view_mouse(struct view *v, int key);
/* The zoom of the row that Enter opens; false: there is none. */
bool view_open(struct view *v);
void view_move(struct view *v, int rows);
void view_page_move(struct view *v, int pages);
void view_go(struct view *v, int kind); /* enum layout_view */
void view_go_by(struct view *v, int step);
void view_close(struct view *v, int arg); /* overlay, filter, view or cursor */
/* Opens or closes an overlay. preset: where the list of them starts, or -1. */
void view_overlay(struct view *v, enum overlay which, int preset);
void view_filter(struct view *v, int arg); /* begins to type it */
/* A key of it: Enter keeps the text, unless it is wrong; Esc the one before. */
void view_type(struct view *v, int key);
void view_zoom_next(struct view *v, int arg); /* of the chart */
/* The chart's next metric: IPC, the columns, then all counted before. */
void view_chart_next(struct view *v, int arg);
void view_chart_update(struct view *v); /* to it, with a draw */
/* The next grouping that has more than one part on this machine. */
void view_group_next(struct view *v);
/* Paused: forth or (below 0) back by so many seconds; 1 is a frame. */
void view_scrub(struct view *v, int seconds);
/* The same to the oldest frame there is, or to that of the pause. */
void view_scrub_end(struct view *v, bool oldest);

/* ---- colours, columns, values */

enum role view_cluster_role(const struct topology *t, unsigned cluster);
enum role view_kind_role(unsigned kind);
enum role view_scope_role(const struct view *v, unsigned scope);

/* What a heading can say of several columns: their unit, or this. */
enum { VIEW_COLUMNS_FIXED = -1 /* of the fixed pair and times: no slot */ };
int view_column_group(const struct view *v, int metric);

void view_columns(struct view *v);                     /* chooses v->cols */
bool view_is_column(const struct view *v, int metric); /* or the first number */
/* Seconds since the metric was last counted; NAN: never, 0: it is now. */
double view_age(const struct view *v, int metric);

/*
 * Is the row's work in the kernel, which the metric's events do not count? Of
 * no metric of a row for which the second says no.
 */
bool view_mostly_kernel(const struct view *v, unsigned scope, int metric);
bool view_row_kernel(const struct view *v, unsigned scope);

/* "0-3" in its cells; 0: the numbers of the cluster's CPUs have gaps. */
int view_cluster_numbers(const struct topology *t, unsigned cluster,
			 struct buf *out);

/* Slots a cycle of the row's kind of core; 0: unknown, or of several kinds. */
unsigned view_slots(const struct view *v, unsigned scope);

/* The height of a row's trend: its kind's slots a cycle, or 100%. */
double view_spark_max(const struct view *v, unsigned scope);

/* At most n values of the past, newest last, into v->scratch. */
unsigned view_past(const struct view *v, struct view_row row, int column,
		   unsigned n);

/* The last value before this frame, and its age; NAN: there is none. */
double view_last(const struct view *v, unsigned scope, int metric,
		 double *age_s);

#endif
