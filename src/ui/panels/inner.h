/* Shared by the panels. */
#ifndef UI_PANELS_INNER_H
#define UI_PANELS_INNER_H

#include "ui/panels/panel.h"
#include "ui/view/value.h"

enum { LINE_ITEMS = 64, LINE_RANKS = 48, LINE_KEY_GAP = 2 };

/* Items appear in the order added; a rank is shown completely or not at all. */
struct line_item {
	char text[48];
	const char *name; /* after a key; NULL */
	enum role role, name_role;
	int code;
	int rank; /* 0: never dropped */
	int w;
	int gap;
	bool right, shown;
};

struct line {
	struct line_item item[LINE_ITEMS];
	unsigned len;
};

void line_add(struct line *l, bool right, int rank, int gap, enum role role,
	      const char *text);
/* A key and its word, highlighted if on. */
void line_key(struct line *l, int rank, int code, const char *keys,
	      const char *name, bool on);
void line_fit(struct line *l, int w);
void line_draw(const struct line *l, struct canvas *c, const struct view *v,
	       int left, int y);

enum { HEADS_TEXT_SIZE = 48 };

/* Headings above titles: group or unit. */
struct head {
	int x, w;
	unsigned first, n;          /* columns of v->lay.table */
	char text[HEADS_TEXT_SIZE]; /* same text, common to all columns; or ""
				     */
};

struct heads {
	unsigned n;
	struct head at[LAYOUT_COLUMNS + 1];
};

/* The first heading is for the first number, even without columns. */
void heads_make(const struct view *v, struct heads *out);

/* Draws headings on a line of dashes, up to `end`. */
void heads_draw(struct canvas *c, const struct view *v, int x, int y, int end);

/* A line of dashes over the window, with heads. */
void heads_rule(struct canvas *c, const struct view *v, int x, int y);

/* Titles of clusters and cores. taken: cells of the trend in use for power. */
void panel_titles_draw(struct canvas *c, const struct view *v, int x, int y,
		       bool sorted, int taken);

/* A line of dashes replaces the titles of cores. */
bool cores_have_rule(const struct view *v);

void panel_ages_draw(struct canvas *c, const struct view *v, int x, int y);

const char *panel_modes(enum domain domain);

/* For a list's title: "s sort: IPC↓", "   / filter: clang". */
void panel_note_order(const struct view *v, const struct rows *r, bool ascii,
		      struct buf *b);
void panel_note_filter(const struct view *v, const struct rows *r,
		       struct buf *b);

/* The bottleneck, with ! if flagged. */
void panel_bottleneck_draw(struct canvas *c, const struct view *v, int x, int y,
			   unsigned scope);
void panel_row_draw(struct canvas *c, const struct view *v, int x, int y,
		    unsigned scope, enum role role, int taken);

/* The value of a metric, or of the first number. */
void panel_value(const struct view *v, unsigned scope, int metric, int w,
		 struct value_shown *out);
void panel_main_value(const struct view *v, unsigned scope,
		      struct value_shown *out);

/* States that no row passes the filter, and the key that clears it. */
void panel_no_match(struct canvas *c, const struct view *v, int x, int y,
		    const char *what);

enum process_column_kind {
	COLUMN_PID,
	COLUMN_USER,
	COLUMN_NAME,
	COLUMN_CPU,
	COLUMN_P_TIME,
	COLUMN_P_WORK,
	COLUMN_CYCLES,
	COLUMN_WORD, /* bottleneck from the process's own events */
	COLUMN_IPC,
	COLUMN_IPC_0,
	COLUMN_IPC_1,
	COLUMN_GIPS,
	COLUMN_GHZ,
	COLUMN_TRACED, /* events of the preset, while traced */
	COLUMN_TRACED_LAST = COLUMN_TRACED + PROCESS_TRACED_COLUMNS - 1,
	COLUMN_MORE, /* and later: further metrics */
	COLUMN_SPARK = COLUMN_MORE + PROCESS_METRICS,
	COLUMN_KINDS
};

struct process_column {
	int x, w; /* w with the gap before; 0: absent */
	int sorts;
};

struct process_columns {
	struct process_column at[COLUMN_KINDS];
	int end;
};

void process_columns_make(const struct view *v, int w,
			  struct process_columns *out);

/* The largest changes since the reference, in two lines. */
void change_headline_draw(struct canvas *c, const struct view *v);
/* The change of lost slots in place of the bar, and its title. words: also the
 * old bottleneck, if it changed. */
void change_bar_draw(struct canvas *c, const struct view *v, struct rect r,
		     unsigned scope, bool words);
void change_bar_title(struct canvas *c, struct rect r);
/* "was none", if the bottleneck changed; else false. */
bool change_word_draw(struct canvas *c, const struct view *v, struct rect r,
		      unsigned scope);

enum { PROCESS_CLOCK_SIZE = 16 };
/* "13:41:07"; "": unknown. Returns text. */
const char *process_clock(char text[PROCESS_CLOCK_SIZE], int64_t wall_ns);

/* At most w cells; "" or "-" if unknown. */
void process_number(const struct process_row *row, enum process_metric metric,
		    int w, char *text);

/* Draws values without quality letters and name; dim: ended or idle. */
void process_values_draw(struct canvas *c, const struct view *v,
			 const struct process_columns *k,
			 const struct process_row *row, int x, int y, bool dim);

int process_headline_rows(const struct view *v);
bool power_line_there(const struct view *v);

/* Power columns in place of trends, for clusters and the frame's power row.
 * Returns their cells (0: unknown or too narrow). y: titles; heads: headings
 * (negative: none). */
int power_columns(const struct canvas *c, const struct view *v);
void power_columns_titles(struct canvas *c, const struct view *v, int x, int y,
			  int heads);
void power_columns_draw(struct canvas *c, const struct view *v, int x, int y,
			unsigned cluster);

void power_line_draw(struct canvas *c, const struct view *v, int y);
void process_headline_draw(struct canvas *c, const struct view *v);

/* Below the overview's headline: the probable cause, if any. */
void process_culprit_draw(struct canvas *c, const struct view *v, int y,
			  unsigned scope);

/* The source's notice, or the reason for missing IPC. */
void process_notice(const struct view *v, struct buf *b);

void process_trust_draw(struct canvas *c, const struct view *v,
			const char *cost);

/* Lines with the power of a cluster or the machine. */
enum { POWER_DETAILS = 6 };
struct power_detail {
	const char *label, *unit;
	double value;
	int decimals;
	bool bad;
};
unsigned power_details(const struct view *v, unsigned scope,
		       struct power_detail out[POWER_DETAILS]);

enum {
	CHART_LABEL_W = 5,
	CHART_SERIES_MAX = 6,
	CHART_NAME_SIZE = 24,
	CHART_DOT_FRAMES = 512, /* most frames in a dot */
	CHART_MEDIAN_FROM = 4,  /* frames in a dot that show a median */
	CHART_GAPS = 8          /* most gaps shown */
};

struct chart_name {
	char text[CHART_NAME_SIZE];
	enum role role;
	char letter;  /* for the line in ASCII */
	unsigned nth; /* cluster of its kind */
};

struct chart {
	int metric;
	bool by_kind; /* a line per kind: too many clusters */
	unsigned nseries;
	struct chart_name name[CHART_SERIES_MAX + 1];
	unsigned frames;  /* in the whole plot */
	unsigned ahead;   /* missing in the newest cell */
	int core;         /* scope of the selected core, or -1 */
	struct rect plot; /* the plot, in cells of the window */
	bool ends;        /* names are at the lines' ends */
	double max, step; /* end and step of the scale */
	int per_x, per_y;
	unsigned ngaps;    /* newest first */
	unsigned gap_room; /* extra frames for the width of gaps */
	struct history_gap gap[CHART_GAPS];
	bool whole; /* sums of the run: a dot is a frame of `plan` */
	struct history_plan plan;
};

/* Draws the metric of each cluster over time. */
void chart_metric_draw(struct canvas *c, const struct view *v, int metric);

/* Sets plot and ends, after the series have names. */
void chart_place(const struct canvas *c, struct chart *k);

/* Frames in the plot at the current zoom, the same number for each cell. */
unsigned chart_frames(const struct view *v, const struct chart *k);

/* The frames that the newest cell lacks: k->ahead. */
unsigned chart_frames_ahead(const struct view *v, const struct chart *k);

/* Sets the scale; a step is whole rows where possible. */
void chart_fit(struct chart *k, double max);

/* Names and last values (NAN: unknown) at the lines' ends. */
void chart_ends_draw(struct canvas *c, const struct chart *k,
		     const double *last, int decimals);

/* The value's row of dots, from the top. */
int chart_row(const struct chart *k, double value);

/* Draws the n values of v->scratch as a line; returns its dots. */
unsigned chart_line_draw(struct canvas *c, const struct view *v,
			 const struct chart *k, unsigned n,
			 const struct chart_name *name);

/* The largest of `most` and v->scratch. */
double chart_most(const struct view *v, unsigned n, double most);

/* The scale that holds max in at most `lines` even steps of 1, 2 or 5. */
void chart_scale(struct chart *k, double max, int lines);
void chart_scale_draw(struct canvas *c, const struct chart *k);

/* The nth smallest of n values; partly sorts them. */
float chart_nth(float *v, unsigned n, unsigned nth);

/* "45s", "2m30", "1h05", as exact as the step needs. */
enum { CHART_AGO_SIZE = 16 };
void chart_ago(double s, double step, char text[CHART_AGO_SIZE]);

/* Writes the gaps in the chart's frames to *k. */
void chart_gaps_find(const struct view *v, struct chart *k);

/* Inserts gaps into the n values of v->scratch and keeps the `most` newest.
 * of_times: interpolates in gaps, else NAN. Returns the number of values. */
unsigned chart_spread(const struct view *v, const struct chart *k, unsigned n,
		      unsigned most, bool of_times);

/* "-90s   -1m   -30s   now" */
void chart_times_draw(struct canvas *c, const struct view *v,
		      const struct chart *k);

/* Two lines and the length of each gap. */
void chart_gaps_draw(struct canvas *c, const struct view *v,
		     const struct chart *k);

/* Lines of markers, or the names, which cover the curves. */
void chart_markers_draw(struct canvas *c, const struct view *v,
			const struct chart *k, bool names);

/* Properties of all bars drawn so far. */
struct slots_seen {
	double age_s; /* age of the oldest share */
	bool about;   /* some shares are estimated */
};

/* A row's bar of shares in r; false: the reason for missing shares is drawn. */
bool slots_bar_draw(struct canvas *c, const struct view *v, struct rect r,
		    unsigned scope, struct slots_seen *seen);

/* "% of slots~, 8 s ago" */
void slots_note(const struct view *v, const struct slots_seen *seen,
		struct buf *b);

/* "retiring bad-spec frontend backend" in w cells. */
void slots_legend_draw(struct canvas *c, int x, int y, int w);

/* Why no cluster has shares; NULL: one has, or reasons differ. */
const char *shares_missing_in_all(const struct view *v);

/* Draws the reason and the key to press; returns the next line. */
int slots_missing_draw(struct canvas *c, const struct view *v, int y,
		       const char *why);

/* A line through a box with a title. */
void panel_rule_draw(struct canvas *c, int y, const char *text);

/* "cpu 5", "P1", "all"; returns its cells. */
int panel_scope_draw(struct canvas *c, const struct view *v, int x, int y,
		     unsigned scope);

/* Rows that lose most, then the other clusters, then the other CPUs. */
enum { BOTTLENECK_ROWS = 160 };
struct bottleneck_rows {
	unsigned nlosses, nclusters, n;
	unsigned scope[BOTTLENECK_ROWS];
};
/* Fills spare lines with the meanings of bottlenecks. */
void bottleneck_meanings_draw(struct canvas *c, int y, int below);
void bottleneck_rows_make(const struct view *v, struct bottleneck_rows *out);

/* A cell is an interval; two more lines have times and meanings. */
void strips_draw(struct canvas *c, const struct view *v, const unsigned *scope,
		 unsigned n, struct rect r);
/* "1 s a cell" */
const char *strips_cell(const struct view *v, char to[PRINTED_SIZE]);
/* Intervals since the row's bottleneck changed; 0: unknown. */
unsigned count_strip_run(const struct view *v, unsigned scope);
/* Least duration of the row's bottleneck, in seconds; NAN: unknown. */
double strip_since(const struct view *v, unsigned scope);

/* Frames in a cell of a trend: those of a second, at least one. */
enum { SPARK_FRAMES_MOST = 10 };
unsigned spark_frames(const struct view *v);

/* Writes at most w cells to v->scratch, the newest last, NAN for unknown; a
 * cell is the lower median of its frames, since ratios have no mean. Returns
 * the number of cells. */
unsigned spark_values(const struct view *v, struct view_row row, int column,
		      int w);

/* Draws a grey trend of r.w cells. */
void spark_draw(struct canvas *c, const struct view *v, unsigned scope,
		struct rect r);

/* "IPC, last 19 s" in w cells. */
void spark_title(const struct view *v, const char *label, int w,
		 struct buf *out);

/* Draws bars and CPUs only if they fit. Returns the rows used. */
int zoom_draw(struct canvas *c, const struct view *v, unsigned scope,
	      struct rect r);

/* Rows wanted at width w. */
int zoom_rows(const struct view *v, int w);

#endif
