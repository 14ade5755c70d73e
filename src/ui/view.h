/* What the panels see: a frame, the past, and what the person chose. */
#ifndef UI_VIEW_H
#define UI_VIEW_H

#include "model/frame.h"
#include "ui/keys.h"
#include "ui/layout.h"
#include "ui/picker.h"
#include "ui/ui.h"

#include <stdbool.h>

/* The monitor's history, as two calls: tests bring a past of their own. */
struct past {
	const void *self; /* NULL: there is none */
	/* As monitor_history and monitor_last. */
	unsigned (*values)(const void *self, unsigned scope, unsigned metric,
			   unsigned n, float *out);
	double (*last)(const void *self, unsigned scope, unsigned metric,
		       double *age_s);
	/* As monitor_history_times; NULL: frames are a period apart. */
	unsigned (*times)(const void *self, unsigned n, float *out);
};

enum { /* what cores are sorted by, beside a metric and COLUMN_BUSY */
       SORT_CPU = -2
};

enum overlay { OVERLAY_NONE, OVERLAY_HELP, OVERLAY_PRESETS, OVERLAY_PICKER };
enum { VIEW_SPAN_ALL = 1 << 30 };
enum {
	VIEW_FILTER_SIZE = 24,
	VIEW_SPARK_MAX = 4096 /* of the past, at least 2 * CANVAS_MAX_SIDE */
};

struct view {
	const struct frame *f;            /* NULL before the first */
	const struct preset *user_preset; /* as in struct ui_status */
	const struct metric *user_metric;
	unsigned nuser_presets, nuser_metrics;
	const struct ui_status *s;
	struct past past;
	struct layout lay;
	struct layout_column column[LAYOUT_COLUMNS];
	unsigned ncolumns;
	int ipc, ghz, gips; /* metric indices */
	int topdown[4]; /* metrics useful, discarded, delivery, processing */
	int preset_metric[PRESET_METRICS]; /* of the preset that was looked up
					      last */
	int preset_known;                  /* its index, or -1 */
	double ipc_max; /* end of the IPC scale; only ever grows */

	enum layout_view kind;
	enum overlay overlay;
	int help_top, help_lines; /* first line shown; lines there are */
	int choice;               /* row of the list of presets */
	struct picker picker;
	const struct catalog *catalog; /* of the last draw */
	bool paused;
	unsigned back;  /* newest frames of the past that are not shown */
	unsigned scrub; /* of these, how many the person went back */
	int chart;      /* metric in the chart */
	int sort;
	bool reverse;
	bool typing; /* the filter is being typed */
	char filter[VIEW_FILTER_SIZE];
	const char *message; /* shown in the last line; NULL: keys */

	unsigned *order; /* cores shown, as indices of the topology's cpu */
	unsigned norder, order_room;
	unsigned cursor, top; /* row of order under the cursor, first shown */
	bool cursor_on;
	bool listed;       /* what is selected was under the cursor */
	unsigned selected; /* its scope */
	unsigned span_s;   /* of the chart; 0: a frame a dot */
	int page;          /* rows of that list on the screen */
	int worst_preset;  /* what Enter goes to, or -1 */
	float *scratch;    /* [VIEW_SPARK_MAX] */
};

/* NULL and *e when memory is short. view_free(NULL) is fine. */
struct view *view_new(struct err *e);
void view_free(struct view *v);

/*
 * Takes the frame and status of this draw, chooses columns, lays the screen
 * out, sorts and filters. Allocates only when the machine has more CPUs than
 * ever before.
 */
bool view_update(struct view *v, const struct frame *f,
		 const struct ui_status *s, int w, int h, struct err *e);

/* Draws everything: the panels, then the overlay. */
void view_draw(struct view *v, struct canvas *c);

/* All presets and metrics, built-in ones first. */
unsigned view_presets(const struct view *v);
const struct preset *view_preset(const struct view *v, int i);
const struct metric *view_metric(const struct view *v, int i);
/* The digit that chooses it, 0: none, or an own preset took it over. */
char view_key(const struct view *v, int i);
int view_metric_find(const struct view *v, const char *name); /* or -1 */

/* The scope under the cursor, also of views before; else the machine's. */
unsigned view_selected(const struct view *v);

/* Filters and sorts v->order; false and *e when memory is short. */
bool view_order(struct view *v, struct err *e);

/* Puts the cursor at row n, cut to what is there, and scrolls to it. */
void view_select(struct view *v, long n);

/* Rows the list of cores (or clusters, where they scroll) shows at a time. */
int view_page(const struct view *v);

/* The role that colours a cluster. */
enum role view_cluster_role(const struct topology *t, unsigned cluster);
enum role view_kind_role(unsigned kind);

/* The next metric for the chart: IPC, then the columns. */
void view_chart_next(struct view *v);

/*
 * Does what changes the view alone: cursor, overlay, sorting ...; false if the
 * action is another. preset: the one in force, where the list starts.
 */
bool view_act(struct view *v, enum action a, int preset);

/* A click or a turn of the wheel (KEY_MOUSE_*). */
void view_mouse(struct view *v, int key);

/* A key while the filter is typed: Enter keeps the text, Esc drops it. */
void view_type(struct view *v, int key);

/* Sorts by "cpu", "busy" or a metric's name; others change nothing. */
void view_sort_by(struct view *v, const struct ui_status *s, const char *name);

/* What the list is sorted by, for titles: "cpu", "IPC", a column's label. */
const char *view_sort_label(const struct view *v);

/* The height of a row's trend: what its kind of core reaches at work. */
double view_spark_max(const struct view *v, unsigned scope);

/* The past of one row, newest last, at most n values, into v->scratch. */
unsigned view_past(const struct view *v, unsigned scope, int metric,
		   unsigned n);

#endif
