/* State of the view: the frame, the history, and the user's choices. */
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

struct monitor;

struct past {
	const struct monitor *self; /* NULL: no history */
	/* As monitor_history and history_last. */
	unsigned (*values)(const struct monitor *self, unsigned scope,
			   unsigned metric, unsigned n, float *out);
	double (*last)(const struct monitor *self, unsigned back,
		       unsigned scope, unsigned metric, double *age_s);
	/* See monitor_history_times; NULL: all intervals are equal. */
	unsigned (*times)(const struct monitor *self, unsigned n, float *out);
	/* See history_gaps; NULL: there are no gaps. */
	unsigned (*gaps)(const struct monitor *self, unsigned n, double least_s,
			 struct history_gap *out, unsigned most);
	/* See history_words; NULL: there is no history of bottlenecks. */
	unsigned (*words)(const struct monitor *self, unsigned scope,
			  unsigned n, uint8_t *out);
};

/* Overlays: ROW(CONSTANT, name, place). panel_NAME_draw in ui/panels draws the
 * overlay; the last line shows the keys of its place. `overlay_open` in
 * ui/keys.c opens it. */
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
enum { VIEW_CELL_ALL = 1 << 30, VIEW_FAR = 100000 };
enum {
	VIEW_PINS = 16,
	VIEW_HITS = 64,
	VIEW_SPARK_MAX =
		4096 /* values of a trend at most; >= 2 * CANVAS_MAX_SIDE */
};

/* A row is the index of a scope. The row of the heading of die n is VIEW_DIE |
 * (n & VIEW_DIE_MASK). */
enum { VIEW_DIE = 1 << 30, VIEW_DIE_MASK = 0xffff };

/* Row of folded cores: VIEW_FOLD | (BOTTLENECK_IDLE or BOTTLENECK_OFF). */
enum { VIEW_FOLD = VIEW_DIE | 1 << 29 };

struct view_hit { /* w cells from x, y; a click acts as the key `key` */
	int x, y, w, key;
};

struct view_hits {
	unsigned n;
	struct view_hit at[VIEW_HITS];
};

struct view_metrics {
	int ipc, ghz, gips, user_pct, lost;
	int measure[MEASURE_COUNT]; /* index: enum bottleneck_measure */
	int topdown[4];             /* retiring, bad-spec, frontend, backend */
	int main;       /* index of IPC; without counters COLUMN_BUSY */
	double ipc_max; /* end of the IPC scale; it only grows */
};

struct view_user {
	const struct preset *preset;
	const struct metric *metric;
	unsigned npresets, nmetrics;
};

struct view_columns {
	struct layout_column column[LAYOUT_COLUMNS];
	unsigned n;
	int preset_metric[PRESET_METRICS]; /* index of a metric; -1: none */
	int preset_known;                  /* index of a preset; -1: none */
	const struct catalog *possible_of;
	bool possible[METRIC_MAX];
};

struct view_over {
	enum overlay which;
	struct help help;
	int choice;
	int sort_at;
	int marker; /* index of the selected marker; 0: the newest marker */
	struct picker picker;
	struct theme_walk *themes;
};

struct view_when {
	bool paused;
	unsigned back;  /* frames newer than the shown one */
	unsigned scrub; /* frames between the pause and the shown one */
	bool oldest;    /* the shown frame is the oldest of the history */
	double ago_s;
	double period_s;
};

/* Values are compared with this reference. then NULL: there is no reference. */
struct view_reference {
	const struct frame *then, *now; /* sums of 10 s, as one frame each */
	const double *deviation;        /* [scope * (nmetrics + 1) + metric] */
	bool sorted; /* the comparison set the sort column to lost% */
	const struct process_window *of, *of_now; /* sums of the processes */
};

enum view_change { CHANGE_UNKNOWN, CHANGE_NOISE, CHANGE_REAL };

struct view_chart {
	int metric;
	bool own;
	unsigned steps;
	unsigned cell_s; /* s per cell, or VIEW_CELL_ALL; 0: interval */
};

struct view_line {
	bool typing;
	char filter_before[VIEW_FILTER_SIZE]; /* filter that Esc restores */
	const char *message;
	const char *terminal;
	bool asking;
};

struct view_cores {
	enum view_group group;
	unsigned pin[VIEW_PINS];
	unsigned npins;
	char pin_text[96];
	unsigned *order; /* rows in list order, pinned ones first */
	unsigned norder, order_room;
	unsigned *spare; /* for view_fold; as long as `order` */
	double *key;
	unsigned nfolds;  /* rows of folded cores, at the end of `order` */
	unsigned nfolded; /* folded cores, after the norder rows */
	bool unfolded;
	bool cursor_away;
	bool listed; /* `selected` is valid */
	unsigned selected;
};

struct view_lost {
	struct bottleneck_loss at[BOTTLENECK_LOSSES];
	unsigned n;
	unsigned whose; /* draws that still need processes */
	unsigned opens; /* scope that Enter opens; VIEW_DIE: none */
	int more; /* preset with more evidence for the bottleneck; -1: none */
};

struct view {
	const struct frame *f; /* NULL before the first frame */
	const struct ui_status *s;
	struct past past;
	const struct history *run; /* sums since the start; NULL: none */
	const struct topology *topology;
	const struct catalog *catalog;
	unsigned machines;
	struct view_user user;
	struct view_metrics metric;
	struct view_columns cols;
	struct layout lay;
	enum layout_view kind, before; /* Esc returns to `before` */
	struct view_when when;
	struct view_reference reference;
	struct view_chart chart;
	struct rows list;
	struct view_cores cores;
	struct view_lost lost;
	struct process_list *procs; /* never NULL */
	struct view_over over;
	struct view_line line;
	const struct key *keys;
	float *scratch; /* [VIEW_SPARK_MAX] */
	float *spread;  /* [VIEW_SPARK_MAX], for resampling */
	struct view_hits *hits;
};

/* NULL and *e: out of memory. */
struct view *view_new(struct err *e);
void view_free(struct view *v);

void view_use_user_presets(struct view *v, const struct ui_status *s);
void view_use_frame(struct view *v, const struct frame *f,
		    const struct ui_status *s);

/* Makes the layout for w x h cells, and the lists. rows: rows that each panel
 * requests; 0: the layout decides. False and *e: out of memory. */
bool view_arrange(struct view *v, const int rows[PANEL_PLACES], int w, int h,
		  struct err *e);

unsigned view_presets(const struct view *v);
const struct preset *view_preset(const struct view *v, int i);
const struct metric *view_metric(const struct view *v, int i);
double view_value(const struct view *v, unsigned scope, int metric);
/* The preset's digit; 0: none, or a preset of the user has the same digit. */
char view_preset_key(const struct view *v, int i);
/* Preset with more evidence for the bottleneck. -1: there is none, this machine
 * cannot count the preset, or the preset is counted now. */
int view_preset_for_bottleneck(const struct view *v,
			       const struct bottleneck *one);
/* CHANGE_NOISE: *change is below two standard deviations, or below 3 % of the
 * reference's value. *change NAN: unknown. */
enum view_change view_change(const struct view *v, unsigned scope, int metric,
			     double *change);
enum view_change view_process_change(const struct view *v,
				     const struct process_row *row,
				     enum process_metric metric,
				     double *change);
int view_metric_find(const struct view *v, const char *name); /* -1: none */
const char *view_label(const struct view *v, int metric);
/* True if the metric can be an event column of processes. */
bool view_of_process(const struct view *v, int metric);

/* The selected scope; the scope of the whole machine if none is selected. */
unsigned view_selected(const struct view *v);

/* Fills v->cores.order with the rows to list. False and *e: out of memory. */
bool view_order(struct view *v, struct err *e);
bool view_lists_cores(const struct view *v);
/* Index of the core's cluster or kind, or number of its die; 0: no group. */
long view_group_of(const struct view *v, unsigned scope);
unsigned view_headings(const struct view *v);

/* Replaces the idle cores from row `first` on with one row, and offline cores
 * with another. Does nothing if the list fits on the page, has groups, or was
 * unfolded by the user. A single core and the selected core keep their rows. */
void view_fold(struct view *v, unsigned first, unsigned page);
bool view_is_fold(unsigned scope);
unsigned view_folded(const struct view *v, unsigned row, const unsigned **cpu);
/* False: no row of folded cores is selected. */
bool view_unfold(struct view *v);

/* Index in v->cores.order of line i of the list; >= norder: no row. */
unsigned view_line(const struct view *v, unsigned i);
/* Index in v->cores.order after the last row shown in a list of `lines` lines,
 * without rows of folded cores. */
unsigned view_line_end(const struct view *v, int lines);

/* If the pin key was pressed, pins or unpins the selected core or cluster.
 * False: the key was not pressed, or no core or cluster is selected. */
bool view_pin_toggle(struct view *v);
bool view_pins_parse(struct view *v,
		     const char *text); /* false: some names are unknown */
void view_pins_restore(struct view *v); /* call after the machine changed */
void view_pins_text(const struct view *v, struct buf *b);
bool view_pinned(const struct view *v, unsigned scope);

/* Index of the cursor's row, not yet clamped. The cursor follows the selected
 * scope. If the list lacks this scope (a cluster in a list of cores), sets
 * cursor_away. */
long view_row_selected(struct view *v);
/* Moves the cursor to row n (clamped) and scrolls to it. */
void view_select(struct view *v, long n);

/* Makes w cells at x, y of c's window clickable; a click acts as key `key`. */
void view_hit(const struct view *v, const struct canvas *c, int x, int y, int w,
	      int key);
/* Returns the key that a click stands for, or KEY_NONE. */
int view_mouse(struct view *v, int key);
/* False: v->lost.opens is no scope. */
bool view_open(struct view *v);
void view_move(struct view *v, int rows);
void view_page_move(struct view *v, int pages);
void view_go(struct view *v, int kind);
void view_go_by(struct view *v, int step);
void view_close(struct view *v, int arg);
/* Opens or closes the overlay. preset: preset to select, or -1. */
void view_overlay(struct view *v, enum overlay which, int preset);
void view_filter(struct view *v, int arg);
/* Handles a key of the filter prompt: Enter keeps a valid filter, Esc restores
 * the previous filter. */
void view_type(struct view *v, int key);
void view_zoom_next(struct view *v, int arg);
/* Order of metrics: main value, columns, others with past values. */
void view_chart_next(struct view *v, int arg);
void view_chart_update(struct view *v);
/* Chooses the next grouping; skips groupings with fewer than two groups. */
void view_group_next(struct view *v);
/* While paused, moves by seconds (< 0: back); +-1 moves by one frame. */
void view_scrub(struct view *v, int seconds);
void view_scrub_end(struct view *v, bool oldest);

enum role view_cluster_role(const struct topology *t, unsigned cluster);
enum role view_kind_role(unsigned kind);
enum role view_scope_role(const struct view *v, unsigned scope);

/* Columns of a group have a common heading. The group is the metric's unit, or
 * VIEW_COLUMNS_FIXED (no configurable counter). */
enum { VIEW_COLUMNS_FIXED = -1 };
int view_column_group(const struct view *v, int metric);
/* busy%, usr%, GHz, Gi/s: 0 to 3; branch mispredictions: 1; others: 0. */
int view_column_order(const struct view *v, int metric);

void view_columns(struct view *v);
bool view_is_column(const struct view *v,
		    int metric); /* a column, or the main value */
/* Seconds since the metric was last counted; 0: counted now; NAN: never. */
double view_age(const struct view *v, int metric);

/* True if the scope ran mostly in the kernel while ktop counts only user mode,
 * so that the metric is unreliable. view_row_kernel ignores the metric. */
bool view_mostly_kernel(const struct view *v, unsigned scope, int metric);
bool view_row_kernel(const struct view *v, unsigned scope);

/* Appends the cluster's CPU numbers ("0-3") to `out`, which must be empty.
 * Returns the width in cells; 0: the numbers have gaps, nothing is written. */
int view_cluster_numbers(const struct topology *t, unsigned cluster,
			 struct buf *out);

/* Issue slots per cycle of the scope's cores; 0: unknown, or the machine. */
unsigned view_slots(const struct view *v, unsigned scope);

/* Maximum of a trend's scale: an IPC, or 100 (%) without counters. */
double view_spark_max(const struct view *v, unsigned scope);

/* Writes the row's values up to the shown frame to v->scratch, at most n,
 * oldest first. Returns their number. */
unsigned view_read_past(const struct view *v, struct view_row row, int column,
			unsigned n);

/* Last known value of a metric that the shown frame does not count, and its age
 * in seconds. NAN: the metric was never counted. */
double view_last_value(const struct view *v, unsigned scope, int metric,
		       double *age_s);

#endif
