/* Data of the panels: a frame, history, and the user's choices. */
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

struct monitor; /* opaque: tests pass another type */

struct past {
	const struct monitor *self; /* NULL: none */
	/* As monitor_history (also HISTORY_BUSY), monitor_last. */
	unsigned (*values)(const struct monitor *self, unsigned scope,
			   unsigned metric, unsigned n, float *out);
	double (*last)(const struct monitor *self, unsigned back,
		       unsigned scope, unsigned metric, double *age_s);
	/* As monitor_history_times; NULL: equidistant frames. */
	unsigned (*times)(const struct monitor *self, unsigned n, float *out);
	/* As history_gaps; NULL: none. */
	unsigned (*gaps)(const struct monitor *self, unsigned n, double least_s,
			 struct history_gap *out, unsigned most);
	/* As history_words; NULL: none. */
	unsigned (*words)(const struct monitor *self, unsigned scope,
			  unsigned n, uint8_t *out);
};

/* ROW(CONSTANT, name, place): overlays. ui/panels has panel_NAME_draw; the last
 * line shows the place's keys (KEY_PLACES: the screen's). Keys open overlays by
 * `overlay_open` in ui/keys.c. */
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
enum { VIEW_CELL_ALL = 1 << 30, VIEW_FAR = 100000 /* jumps to either end */ };
enum {
	VIEW_PINS = 16,
	VIEW_HITS = 64,
	VIEW_SPARK_MAX =
		4096 /* values of history, at least 2 * CANVAS_MAX_SIDE */
};

/* Rows are scopes; a die's row is VIEW_DIE with its number (-1 as
 * VIEW_DIE_MASK). */
enum { VIEW_DIE = 1 << 30, VIEW_DIE_MASK = 0xffff };

/* A row of folded cores: VIEW_FOLD with their bottleneck (idle, off). */
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
	int measure[MEASURE_COUNT]; /* metric for each enum bottleneck_measure
				     */
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
	int preset_metric[PRESET_METRICS]; /* metrics of the last preset looked
					      up */
	int preset_known;                  /* its index; -1: none */
	const struct catalog *possible_of;
	bool possible[METRIC_MAX];
};

struct view_over {
	enum overlay which;
	struct help help;
	int choice;
	int sort_at;
	int marker; /* cursor in the list of markers, newest first */
	struct picker picker;
	struct theme_walk *themes; /* NULL: none */
};

struct view_when {
	bool paused;
	unsigned back;  /* number of newest frames hidden */
	unsigned scrub; /* frames that the user went back while paused */
	bool oldest;    /* go back as far as possible */
	double ago_s;
	double period_s;
};

/* then NULL: no reference is set. */
struct view_reference {
	const struct frame *then, *now; /* 10 s each, as one frame */
	const double *deviation;        /* see history_window */
	bool sorted;                    /* sorted by lost%, the default */
	const struct process_window *of, *of_now; /* sums of processes */
};

enum view_change { CHANGE_UNKNOWN, CHANGE_NOISE, CHANGE_REAL };

struct view_chart {
	int metric; /* metric or COLUMN_BUSY */
	bool own;
	unsigned steps;  /* zoom steps that the next draw makes */
	unsigned cell_s; /* seconds a cell; 0: one interval; VIEW_CELL_ALL */
};

struct view_line {
	bool typing;
	char filter_before[VIEW_FILTER_SIZE]; /* filter that Esc restores */
	const char *message;                  /* NULL: shows keys */
	const char *terminal;                 /* unusual properties, or "" */
	bool asking;                          /* message contains typed text */
};

/* The list of cores (or clusters), in addition to struct rows. */
struct view_cores {
	enum view_group group;
	unsigned pin[VIEW_PINS]; /* scopes, in pinning order */
	unsigned npins;
	char pin_text[96];
	unsigned *order; /* rows: pinned ones first */
	unsigned norder, order_room;
	unsigned *spare;  /* same size, for sorting */
	double *key;      /* sort keys by row */
	unsigned nfolds;  /* number of last rows that show folded cores */
	unsigned nfolded; /* folded cores, stored after norder */
	bool unfolded;
	bool cursor_away;
	bool listed; /* the list contained the cursor's row */
	unsigned selected;
};

struct view_lost {
	struct bottleneck_loss at[BOTTLENECK_LOSSES];
	unsigned n;
	unsigned whose; /* draws left that request processes */
	unsigned opens; /* scope opened by Enter; VIEW_DIE: none */
	int more;       /* preset that shows more of the opened row */
};

struct view {
	const struct frame *f; /* NULL before the first */
	const struct ui_status *s;
	struct past past;
	const struct history *run; /* sums of the run; NULL: none */
	const struct topology *topology;
	const struct catalog *catalog; /* catalog at the last draw */
	unsigned machines;
	struct view_user user;
	struct view_metrics metric;
	struct view_columns cols;
	struct layout lay;
	enum layout_view kind, before; /* before: the view that Esc restores */
	struct view_when when;
	struct view_reference reference;
	struct view_chart chart;
	struct rows list; /* rows of cores or clusters */
	struct view_cores cores;
	struct view_lost lost;
	struct process_list *procs; /* never NULL */
	struct view_over over;
	struct view_line line;
	const struct key *keys; /* the last row is empty */
	float *scratch;         /* [VIEW_SPARK_MAX] */
	float *spread;          /* same size, resampled */
	struct view_hits *hits; /* clickable cells of the last draw */
};

/* NULL and *e: out of memory. view_free(NULL) is valid. */
struct view *view_new(struct err *e);
void view_free(struct view *v);

void view_use_user_presets(struct view *v, const struct ui_status *s);
void view_use_frame(struct view *v, const struct frame *f,
		    const struct ui_status *s);

/* Makes the layout, sorts and filters. rows: rows that panels want. Allocates
 * only if the number of CPUs grows. */
bool view_arrange(struct view *v, const int rows[PANEL_PLACES], int w, int h,
		  struct err *e);

/* Number of presets, built-in ones first. */
unsigned view_presets(const struct view *v);
const struct preset *view_preset(const struct view *v, int i);
const struct metric *view_metric(const struct view *v, int i);
double view_value(const struct view *v, unsigned scope, int metric);
/* Digit of the preset; 0: none, or used by another preset. */
char view_preset_key(const struct view *v, int i);
/* Preset with more evidence for the bottleneck; -1: none here. */
int view_preset_for_bottleneck(const struct view *v,
			       const struct bottleneck *one);
/* Compares with the reference. Noise: a change below two deviations of the
 * reference, or below 3 %. */
enum view_change view_change(const struct view *v, unsigned scope, int metric,
			     double *change);
enum view_change view_process_change(const struct view *v,
				     const struct process_row *row,
				     enum process_metric metric,
				     double *change);
int view_metric_find(const struct view *v, const char *name); /* metric or -1 */
const char *view_label(const struct view *v, int metric);
/* Can its events be counted per process? */
bool view_of_process(const struct view *v, int metric);

/* The scope last under the cursor, also in another view; else the machine. */
unsigned view_selected(const struct view *v);

/* ---- the list of cores or clusters */

/* Filters, groups and sorts v->order. False and *e: no memory. */
bool view_order(struct view *v, struct err *e);
bool view_lists_cores(const struct view *v); /* false: clusters */
/* Number of the scope's group: kinds in topology order, others by number. */
long view_group_of(const struct view *v, unsigned scope);
unsigned view_headings(const struct view *v); /* number of heading rows */

/* If rows exceed a page, cores from `first` on that were idle (or off) for some
 * frames share one row at the end. The selected core is never folded. */
void view_fold(struct view *v, unsigned first, unsigned page);
bool view_is_fold(unsigned scope);
unsigned view_folded(const struct view *v, unsigned row, const unsigned **cpu);
/* Unfolds the cores if the cursor is on their row. */
bool view_unfold(struct view *v);

/* Index in `order` of line i; norder or more: none. */
unsigned view_line(const struct view *v, unsigned i);
/* Index after the last scrolled row that fits that many lines. */
unsigned view_line_end(const struct view *v, int lines);

/* view_pin_toggle: if the key was pressed, pins or unpins the selected row. The
 * others read and write pins as text, "4,P0". */
bool view_pin_toggle(struct view *v);
bool view_pins_parse(struct view *v,
		     const char *text); /* false: some names are unknown */
void view_pins_restore(struct view *v); /* after a change of machine */
void view_pins_text(const struct view *v, struct buf *b);
bool view_pinned(const struct view *v, unsigned scope);

/* The cursor's row. The cursor stays on its scope, even if the list lacks it (a
 * cluster in a list of cores). */
long view_row_selected(struct view *v);
/* Moves the cursor to row n (clamped) and scrolls to it. */
void view_select(struct view *v, long n);

/* Makes cells in the window of c clickable; a click acts as `key`. */
void view_hit(const struct view *v, const struct canvas *c, int x, int y, int w,
	      int key);
/* Handles a click or the wheel. Returns the key drawn there, or KEY_NONE. */
int view_mouse(struct view *v, int key);
/* Opens the row's detail. False: no row. */
bool view_open(struct view *v);
void view_move(struct view *v, int rows);
void view_page_move(struct view *v, int pages);
void view_go(struct view *v, int kind);
void view_go_by(struct view *v, int step);
void view_close(struct view *v, int arg);
/* Opens or closes an overlay. preset: row selected in its list, or -1. */
void view_overlay(struct view *v, enum overlay which, int preset);
void view_filter(struct view *v, int arg); /* starts typing a filter */
/* While a filter is typed: Enter keeps it if valid, Esc restores the old. */
void view_type(struct view *v, int key);
void view_zoom_next(struct view *v, int arg);
/* Next metric: IPC, columns, then all metrics with history. */
void view_chart_next(struct view *v, int arg);
void view_chart_update(struct view *v);
/* Next grouping; skips those with a single group. */
void view_group_next(struct view *v);
/* While paused: moves by seconds, negative: back; +-1: by a frame. */
void view_scrub(struct view *v, int seconds);
/* Moves to the oldest frame, or to the paused one. */
void view_scrub_end(struct view *v, bool oldest);

enum role view_cluster_role(const struct topology *t, unsigned cluster);
enum role view_kind_role(unsigned kind);
enum role view_scope_role(const struct view *v, unsigned scope);

/* Common unit of the columns, or VIEW_COLUMNS_FIXED. */
enum { VIEW_COLUMNS_FIXED = -1 /* no configurable counter */ };
int view_column_group(const struct view *v, int metric);
/* Order in a group: busy%, usr%, GHz, Gi/s; misses before mispredictions. */
int view_column_order(const struct view *v, int metric);

void view_columns(struct view *v);
bool view_is_column(const struct view *v,
		    int metric); /* a column, or the main value */
/* Seconds since the metric was last counted; NAN: never; 0: now. */
double view_age(const struct view *v, int metric);

/* Is most of the row's work in the kernel, where the metric's events do not
 * count? view_row_kernel: for any metric. */
bool view_mostly_kernel(const struct view *v, unsigned scope, int metric);
bool view_row_kernel(const struct view *v, unsigned scope);

/* Writes "0-3"; returns the width; 0: the numbers have gaps. */
int view_cluster_numbers(const struct topology *t, unsigned cluster,
			 struct buf *out);

/* Issue slots per cycle; 0: unknown or mixed. */
unsigned view_slots(const struct view *v, unsigned scope);

/* Largest value of a trend: slots per cycle, or 100 %. */
double view_spark_max(const struct view *v, unsigned scope);

/* Writes at most n values, newest last, to v->scratch. */
unsigned view_read_past(const struct view *v, struct view_row row, int column,
			unsigned n);

/* The last value before this frame, with its age; NAN: none. */
double view_last_value(const struct view *v, unsigned scope, int metric,
		       double *age_s);

#endif
