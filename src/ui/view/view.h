/* What panels draw: a frame, history, and the user's choices. */
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

struct monitor; /* tests cast their own */

struct past {
	const struct monitor *self; /* NULL: none */
	/* monitor_history (also HISTORY_BUSY), monitor_last. */
	unsigned (*values)(const struct monitor *self, unsigned scope,
			   unsigned metric, unsigned n, float *out);
	double (*last)(const struct monitor *self, unsigned back,
		       unsigned scope, unsigned metric, double *age_s);
	/* monitor_history_times; NULL: equidistant frames. */
	unsigned (*times)(const struct monitor *self, unsigned n, float *out);
	/* history_gaps; NULL: none. */
	unsigned (*gaps)(const struct monitor *self, unsigned n, double least_s,
			 struct history_gap *out, unsigned most);
	/* history_words; NULL: none. */
	unsigned (*words)(const struct monitor *self, unsigned scope,
			  unsigned n, uint8_t *out);
};

/*
 * ROW(CONSTANT, name, place): overlays. ui/panels has panel_NAME_draw; the last
 * line shows the keys of the place (KEY_PLACES: those of the screen). A key
 * opens it (`overlay_open` in ui/keys.c).
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
	VIEW_SPARK_MAX = 4096 /* of history, at least 2 * CANVAS_MAX_SIDE */
};

/*
 * Rows are scopes; a die's row is this with its number (-1 as VIEW_DIE_MASK).
 */
enum { VIEW_DIE = 1 << 30, VIEW_DIE_MASK = 0xffff };

/* The row of folded cores: with their bottleneck. */
enum { VIEW_FOLD = VIEW_DIE | 1 << 29 };

struct view_hit { /* cells that act as a key */
	int x, y, w, key;
};

struct view_hits {
	unsigned n;
	struct view_hit at[VIEW_HITS];
};

struct view_metrics {
	int ipc, ghz, gips, user_pct, lost;
	int measure[MEASURE_COUNT]; /* of enum bottleneck_measure */
	int topdown[4]; /* retiring, bad speculation, front end, back end */
	int main;       /* main column of rows: IPC; COLUMN_BUSY without
			   counters */
	double ipc_max; /* end of the IPC scale; never shrinks */
};

struct view_user {
	const struct preset *preset;
	const struct metric *metric;
	unsigned npresets, nmetrics;
};

struct view_columns {
	struct layout_column column[LAYOUT_COLUMNS];
	unsigned n;
	int preset_metric[PRESET_METRICS]; /* of the last preset looked up */
	int preset_known;                  /* its index; -1: none */
	const struct catalog *possible_of;
	bool possible[METRIC_MAX];
};

struct view_over {
	enum overlay which;
	struct help help;
	int choice;
	int sort_at;
	int marker; /* row of markers, newest first */
	struct picker picker;
	struct theme_walk *themes; /* NULL: none */
};

struct view_when {
	bool paused;
	unsigned back;  /* newest frames hidden */
	unsigned scrub; /* of these, by the user */
	bool oldest;    /* as far as possible */
	double ago_s;
	double period_s;
};

/* then NULL: no comparison. */
struct view_reference {
	const struct frame *then, *now;           /* 10 s each, as one frame */
	const double *deviation;                  /* see history_window */
	bool sorted;                              /* by lost%, the default */
	const struct process_window *of, *of_now; /* of processes */
};

enum view_change { CHANGE_UNKNOWN, CHANGE_NOISE, CHANGE_REAL };

struct view_chart {
	int metric; /* or COLUMN_BUSY */
	bool own;
	unsigned steps;  /* done by the next draw */
	unsigned cell_s; /* of a cell; 0: one interval; VIEW_CELL_ALL */
};

struct view_line {
	bool typing;
	char filter_before[VIEW_FILTER_SIZE]; /* restored by Esc */
	const char *message;                  /* NULL: keys */
	const char *terminal;                 /* what is unusual; "" */
	bool asking;                          /* message has typed text */
};

/* The list of cores (or clusters), besides struct rows. */
struct view_cores {
	enum view_group group;
	unsigned pin[VIEW_PINS]; /* scopes, in pinning order */
	unsigned npins;
	char pin_text[96];
	unsigned *order; /* rows: pinned, then others */
	unsigned norder, order_room;
	unsigned *spare;  /* same size, for sorting */
	double *key;      /* sort keys by row */
	unsigned nfolds;  /* last of order: rows of several cores */
	unsigned nfolded; /* those cores, after norder */
	bool unfolded;
	bool cursor_away;
	bool listed; /* the selection was under the cursor */
	unsigned selected;
};

struct view_lost {
	struct bottleneck_loss at[BOTTLENECK_LOSSES];
	unsigned n;
	unsigned whose; /* draws that still request processes */
	unsigned opens; /* scope that Enter opens; VIEW_DIE: none */
	int tells;      /* preset for the zoomed row */
};

struct view {
	const struct frame *f; /* NULL: none yet */
	const struct ui_status *s;
	struct past past;
	const struct history *run; /* sums of the run; NULL: none */
	const struct topology *topology;
	const struct catalog *catalog; /* of the last draw */
	unsigned machines;
	struct view_user user;
	struct view_metrics metric;
	struct view_columns cols;
	struct layout lay;
	enum layout_view kind, before; /* before: for Esc */
	struct view_when when;
	struct view_reference reference;
	struct view_chart chart;
	struct rows list; /* cores or clusters */
	struct view_cores cores;
	struct view_lost lost;
	struct process_list *procs; /* never NULL */
	struct view_over over;
	struct view_line line;
	const struct key *keys; /* ends with an empty row */
	float *scratch;         /* [VIEW_SPARK_MAX] */
	float *spread;          /* same size, resampled */
	struct view_hits *hits; /* of the last draw */
};

/* NULL and *e: no memory. v may be NULL in view_free. */
struct view *view_new(struct err *e);
void view_free(struct view *v);

void view_use_user_presets(struct view *v, const struct ui_status *s);
void view_use_frame(struct view *v, const struct frame *f,
		    const struct ui_status *s);

/*
 * rows: wanted by panels. Makes the layout, sorts, filters. Allocates only for
 * more CPUs than ever before.
 */
bool view_arrange(struct view *v, const int rows[PANEL_PLACES], int w, int h,
		  struct err *e);

/* Built-in ones first. */
unsigned view_presets(const struct view *v);
const struct preset *view_preset(const struct view *v, int i);
const struct metric *view_metric(const struct view *v, int i);
double view_value(const struct view *v, unsigned scope, int metric);
/* Digit of the preset; 0: none, or taken over. */
char view_preset_key(const struct view *v, int i);
/* Preset with more evidence for it; -1: none here. */
int view_preset_for_bottleneck(const struct view *v,
			       const struct bottleneck *one);
/*
 * Against the reference. Noise: less than two deviations of the reference, or 3
 * % of it.
 */
enum view_change view_change(const struct view *v, unsigned scope, int metric,
			     double *change);
enum view_change view_process_change(const struct view *v,
				     const struct process_row *row,
				     enum process_metric metric,
				     double *change);
int view_metric_find(const struct view *v, const char *name); /* or -1 */
const char *view_label(const struct view *v, int metric);
/* Can its events be counted per process? */
bool view_of_process(const struct view *v, int metric);

/* Under the cursor, also in earlier views; else the machine. */
unsigned view_selected(const struct view *v);

/* ---- the list of cores or clusters */

/* Filters, groups and sorts v->order. False and *e: no memory. */
bool view_order(struct view *v, struct err *e);
bool view_lists_cores(const struct view *v); /* else clusters */
/* Kinds in topology order; others by number. */
long view_group_of(const struct view *v, unsigned scope);
unsigned view_headings(const struct view *v); /* extra rows */

/*
 * If rows exceed a page: cores from `first` on that were idle or off for some
 * frames become one fixed row each. Never the selected one.
 */
void view_fold(struct view *v, unsigned first, unsigned page);
bool view_is_fold(unsigned scope);
unsigned view_folded(const struct view *v, unsigned row, const unsigned **cpu);
/* At such a row: unfolds the cores. */
bool view_unfold(struct view *v);

/* Row of order on line i; norder or more: none. */
unsigned view_line(const struct view *v, unsigned i);
/* After the last scrolled row in that many lines. */
unsigned view_line_end(const struct view *v, int lines);

/*
 * Pinned rows: toggles the selected one if the key was pressed; parses and
 * prints "4,P0".
 */
bool view_pin_toggle(struct view *v);
bool view_pins_parse(struct view *v,
		     const char *text); /* false: some are unknown */
void view_pins_restore(struct view *v); /* after a change of machine */
void view_pins_text(const struct view *v, struct buf *b);
bool view_pinned(const struct view *v, unsigned scope);

/*
 * The cursor's row: follows its scope, also if this list lacks it (a cluster in
 * a list of cores).
 */
long view_row_selected(struct view *v);
/* Clamps n, and scrolls to it. */
void view_select(struct view *v, long n);

/* Cells in the window of c that act as `key` when clicked. */
void view_hit(const struct view *v, const struct canvas *c, int x, int y, int w,
	      int key);
/* Click or wheel. Returns the key drawn there, or KEY_NONE. */
int view_mouse(struct view *v, int key);
/* False: no row to zoom. */
bool view_open(struct view *v);
void view_move(struct view *v, int rows);
void view_page_move(struct view *v, int pages);
void view_go(struct view *v, int kind);
void view_go_by(struct view *v, int step);
void view_close(struct view *v, int arg);
/* Toggles. preset: first row of its list, or -1. */
void view_overlay(struct view *v, enum overlay which, int preset);
void view_filter(struct view *v, int arg); /* starts typing */
/* While typing: Enter keeps a valid filter, Esc the old one. */
void view_type(struct view *v, int key);
void view_zoom_next(struct view *v, int arg);
/* IPC, columns, then all with history. */
void view_chart_next(struct view *v, int arg);
void view_chart_update(struct view *v);
/* Skips groupings with a single part. */
void view_group_next(struct view *v);
/* Paused: seconds, negative: back; +-1: a frame. */
void view_scrub(struct view *v, int seconds);
/* To the oldest frame, or to that of the pause. */
void view_scrub_end(struct view *v, bool oldest);

enum role view_cluster_role(const struct topology *t, unsigned cluster);
enum role view_kind_role(unsigned kind);
enum role view_scope_role(const struct view *v, unsigned scope);

/* Shared unit of columns, or this. */
enum { VIEW_COLUMNS_FIXED = -1 /* no configurable counter */ };
int view_column_group(const struct view *v, int metric);

void view_columns(struct view *v);
bool view_is_column(const struct view *v, int metric); /* or the first number */
/* Seconds since last counted; NAN: never; 0: counted now. */
double view_age(const struct view *v, int metric);

/*
 * Is most of the row's work in the kernel, where the metric's events do not
 * count? view_row_kernel false: no metric is affected.
 */
bool view_mostly_kernel(const struct view *v, unsigned scope, int metric);
bool view_row_kernel(const struct view *v, unsigned scope);

/* "0-3"; returns its cells. 0: the numbers have gaps. */
int view_cluster_numbers(const struct topology *t, unsigned cluster,
			 struct buf *out);

/* Per cycle; 0: unknown or mixed. */
unsigned view_slots(const struct view *v, unsigned scope);

/* Slots per cycle of its kind, or 100 %. */
double view_spark_max(const struct view *v, unsigned scope);

/* At most n, newest last, in v->scratch. */
unsigned view_read_past(const struct view *v, struct view_row row, int column,
			unsigned n);

/* Before this frame, with its age; NAN: none. */
double view_last_value(const struct view *v, unsigned scope, int metric,
		       double *age_s);

#endif
