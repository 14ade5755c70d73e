/* Types and functions that several panels share. */
#ifndef UI_PANELS_INNER_H
#define UI_PANELS_INNER_H

#include "ui/panels/panel.h"
#include "ui/view/value.h"

enum { LINE_ITEMS = 64, LINE_RANKS = 48, LINE_KEY_GAP = 2 };

/* Items keep their order. All items of a rank are shown, or none. */
struct line_item {
	char text[48];
	const char *name; /* word after the key; NULL: none */
	enum role role, name_role;
	int code;
	int rank; /* low ranks get space first; 0: never dropped */
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
/* on: the word is highlighted. */
void line_key(struct line *l, int rank, int code, const char *keys,
	      const char *name, bool on);
void line_fit(struct line *l, int w);
void line_draw(const struct line *l, struct canvas *c, const struct view *v,
	       int left, int y);

enum { HEADS_TEXT_SIZE = 48 };

/* A heading above column titles: event modes or unit of the columns. */
struct head {
	int x, w;
	unsigned first, n;          /* columns of v->lay.table */
	char text[HEADS_TEXT_SIZE]; /* "": no common text, or no space */
};

struct heads {
	unsigned n;
	struct head at[LAYOUT_COLUMNS + 1];
};

/* The first heading, of the fixed columns, always exists. */
void heads_make(const struct view *v, struct heads *out);

/* Draws on a line of dashes those headings that end before `end`. */
void heads_draw(struct canvas *c, const struct view *v, int x, int y, int end);

void heads_rule(struct canvas *c, const struct view *v, int x, int y);

/* Draws column titles. taken: cells of the trend column that the power columns
 * occupy. */
void panel_titles_draw(struct canvas *c, const struct view *v, int x, int y,
		       bool sorted, int taken);

bool cores_have_rule(const struct view *v);

void panel_ages_draw(struct canvas *c, const struct view *v, int x, int y);

const char *panel_modes(enum domain domain);

void panel_note_order(const struct view *v, const struct rows *r, bool ascii,
		      struct buf *b);
void panel_note_filter(const struct view *v, const struct rows *r,
		       struct buf *b);

void panel_bottleneck_draw(struct canvas *c, const struct view *v, int x, int y,
			   unsigned scope);
void panel_row_draw(struct canvas *c, const struct view *v, int x, int y,
		    unsigned scope, enum role role, int taken);

/* Write the value of a metric, or of the main metric; "-": none. */
void panel_value(const struct view *v, unsigned scope, int metric, int w,
		 struct value_shown *out);
void panel_main_value(const struct view *v, unsigned scope,
		      struct value_shown *out);

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
	COLUMN_WORD, /* bottleneck, from the process's events */
	COLUMN_IPC,
	COLUMN_IPC_0,
	COLUMN_IPC_1,
	COLUMN_GIPS,
	COLUMN_GHZ,
	COLUMN_TRACED, /* events of the preset, if counted per process */
	COLUMN_TRACED_LAST = COLUMN_TRACED + PROCESS_TRACED_COLUMNS - 1,
	COLUMN_MORE, /* first column of the other metrics */
	COLUMN_SPARK = COLUMN_MORE + PROCESS_METRICS,
	COLUMN_KINDS
};

struct process_column {
	int x, w; /* w includes the gap on the left; 0: not shown */
	int sorts;
};

struct process_columns {
	struct process_column at[COLUMN_KINDS];
	int end;
};

void process_columns_make(const struct view *v, int w,
			  struct process_columns *out);

void change_headline_draw(struct canvas *c, const struct view *v);
/* Draw the change of lost slots, and its title, in the bar's column. words: if
 * the bottleneck has changed, the old bottleneck is drawn instead. */
void change_bar_draw(struct canvas *c, const struct view *v, struct rect r,
		     unsigned scope, bool words);
void change_bar_title(struct canvas *c, struct rect r);
/* Draws the old bottleneck, "was none". False: not changed, or unknown. */
bool change_word_draw(struct canvas *c, const struct view *v, struct rect r,
		      unsigned scope);

enum { PROCESS_CLOCK_SIZE = 16 };
/* Writes the local time, "13:41:07", or "" if unknown. Returns text. */
const char *process_clock(char text[PROCESS_CLOCK_SIZE], int64_t wall_ns);

/* Writes a value in at most w cells; "-": unknown, "": no counts. */
void process_number(const struct process_row *row, enum process_metric metric,
		    int w, char *text);

/* Draws a row's columns except pid, user and name. dim: grey numbers. */
void process_values_draw(struct canvas *c, const struct view *v,
			 const struct process_columns *k,
			 const struct process_row *row, int x, int y, bool dim);

int process_headline_rows(const struct view *v);
bool power_line_there(const struct view *v);

/* Columns of power take a part of the trends. power_columns returns their width
 * in cells; 0: the clusters have no values, or no space. y: line of the titles;
 * heads: line of the headings, < 0: none. */
int power_columns(const struct canvas *c, const struct view *v);
void power_columns_titles(struct canvas *c, const struct view *v, int x, int y,
			  int heads);
void power_columns_draw(struct canvas *c, const struct view *v, int x, int y,
			unsigned cluster);

void power_line_draw(struct canvas *c, const struct view *v, int y);
void process_headline_draw(struct canvas *c, const struct view *v);

/* Draws the probable cause, if any, and the headline's age on line y. */
void process_culprit_draw(struct canvas *c, const struct view *v, int y,
			  unsigned scope);

/* Adds why IPC is missing or tracing is refused, and the source's notice. */
void process_notice(const struct view *v, struct buf *b);

void process_quality_draw(struct canvas *c, const struct view *v,
			  const char *cost);

/* power_details returns the number of values; 0 for a core or a kind. */
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
	CHART_DOT_FRAMES = 512, /* most frames that a dot shows */
	CHART_MEDIAN_FROM = 4,  /* a dot of more frames shows their median */
	CHART_GAPS = 8
};

struct chart_name {
	char text[CHART_NAME_SIZE];
	enum role role;
	char letter;  /* character of the line in ASCII */
	unsigned nth; /* index of the cluster within its kind */
};

struct chart {
	int metric;
	bool by_kind; /* a line for each kind, not for each cluster */
	unsigned nseries;
	struct chart_name name[CHART_SERIES_MAX + 1];
	unsigned frames;
	unsigned ahead;   /* frames that the newest cell still lacks */
	int core;         /* scope of the selected core; -1: none */
	struct rect plot; /* in cells of the window */
	bool ends;        /* names are at the ends of the lines */
	double max, step;
	int per_x, per_y;
	unsigned ngaps;    /* number of gap[], whose first is the newest */
	unsigned gap_room; /* frames that are inserted for each gap */
	struct history_gap gap[CHART_GAPS];
	bool whole; /* shows sums of the run, by `plan`, instead of frames */
	struct history_plan plan;
};

void chart_metric_draw(struct canvas *c, const struct view *v, int metric);

/* Sets plot, ends, per_x and per_y; the names must be set. */
void chart_place(const struct canvas *c, struct chart *k);

/* Returns the plot's frames at the current zoom, a multiple of its cells. */
unsigned chart_frames(const struct view *v, const struct chart *k);

unsigned chart_frames_ahead(const struct view *v, const struct chart *k);

/* Sets the scale; cuts plot rows so that a step is whole rows, if possible. */
void chart_fit(struct chart *k, double max);

/* Draws names and last values (NAN: unknown) at the ends of the lines. */
void chart_ends_draw(struct canvas *c, const struct chart *k,
		     const double *last, int decimals);

/* Returns the value's row of dots, counted from the top. */
int chart_row(const struct chart *k, double value);

/* Draws n values of v->scratch as a line; returns the number of dots drawn. */
unsigned chart_line_draw(struct canvas *c, const struct view *v,
			 const struct chart *k, unsigned n,
			 const struct chart_name *name);

/* Returns the largest of `most` and n values of v->scratch. */
double chart_most(const struct view *v, unsigned n, double most);

/* Sets max and step: at most `lines` steps of 1, 2 or 5 times 10^n. */
void chart_scale(struct chart *k, double max, int lines);
void chart_scale_draw(struct canvas *c, const struct chart *k);

/* Sorts v in ascending order and returns v[nth]. */
float chart_nth(float *v, unsigned n, unsigned nth);

/* chart_ago writes "4.5s", "45s", "2m30" or "1h05". step: of the axis, s. */
enum { CHART_AGO_SIZE = 16 };
void chart_ago(double s, double step, char text[CHART_AGO_SIZE]);

void chart_gaps_find(const struct view *v, struct chart *k);

/* Inserts gaps into n values of v->scratch and keeps the newest `most`.
 * of_times: interpolates in gaps, else NAN. Returns the new number. */
unsigned chart_spread(const struct view *v, const struct chart *k, unsigned n,
		      unsigned most, bool of_times);

void chart_times_draw(struct canvas *c, const struct view *v,
		      const struct chart *k);

void chart_gaps_draw(struct canvas *c, const struct view *v,
		     const struct chart *k);

/* Draws markers' lines; names: draws their names, which cover the curves. */
void chart_markers_draw(struct canvas *c, const struct view *v,
			const struct chart *k, bool names);

struct slots_seen {
	double age_s; /* largest age of the shares of a bar, s */
	bool about;
};

/* Draws the row's shares of slots. False: draws why they are unknown. */
bool slots_bar_draw(struct canvas *c, const struct view *v, struct rect r,
		    unsigned scope, struct slots_seen *seen);

void slots_note(const struct view *v, const struct slots_seen *seen,
		struct buf *b);

void slots_legend_draw(struct canvas *c, int x, int y, int w);

/* Returns why all clusters lack shares; NULL: not all, or reasons differ. */
const char *shares_missing_in_all(const struct view *v);

/* Draws `why`, or a key that measures the shares. Returns the next line. */
int slots_missing_draw(struct canvas *c, const struct view *v, int y,
		       const char *why);

void panel_rule_draw(struct canvas *c, int y, const char *text);

/* Draws a row's name, "cpu 5", "P1" or "all". Returns the name's cells. */
int panel_scope_draw(struct canvas *c, const struct view *v, int x, int y,
		     unsigned scope);

/* nlosses rows with the largest losses, nclusters clusters, then CPUs. */
enum { BOTTLENECK_ROWS = 160 };
struct bottleneck_rows {
	unsigned nlosses, nclusters, n;
	unsigned scope[BOTTLENECK_ROWS];
};
void bottleneck_meanings_draw(struct canvas *c, int y, int below);
void bottleneck_rows_make(const struct view *v, struct bottleneck_rows *out);

void strips_draw(struct canvas *c, const struct view *v, const unsigned *scope,
		 unsigned n, struct rect r);
const char *strips_cell(const struct view *v, char to[PRINTED_SIZE]);
/* Returns the number of newest intervals with one bottleneck; 0: unknown. */
unsigned count_strip_run(const struct view *v, unsigned scope);
/* Least time that the row has had its bottleneck, s; NAN: unknown. */
double strip_since(const struct view *v, unsigned scope);

/* Frames in a cell of a trend: about a second's, 1 to SPARK_FRAMES_MOST. */
enum { SPARK_FRAMES_MOST = 10 };
unsigned spark_frames(const struct view *v);

/* Writes at most w cells to v->scratch, the newest last; NAN: unknown. A cell
 * is the lower median of its frames. Returns the number of cells. */
unsigned spark_values(const struct view *v, struct view_row row, int column,
		      int w);

void spark_draw(struct canvas *c, const struct view *v, unsigned scope,
		struct rect r);

/* Adds a trend's title, such as "IPC, last 19 s", as short as w needs. */
void spark_title(const struct view *v, const char *label, int w,
		 struct buf *out);

/* Draws the detail of a row; bars only if they fit. Returns the rows used. */
int zoom_draw(struct canvas *c, const struct view *v, unsigned scope,
	      struct rect r);

int zoom_rows(const struct view *v, int w);

#endif
