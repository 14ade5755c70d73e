/* Positions of panels, calculated from the sizes of screen and machine. */
#ifndef UI_VIEW_LAYOUT_H
#define UI_VIEW_LAYOUT_H

#include "ui/draw/canvas.h"
#include "ui/draw/choices.h"

#include <stdbool.h>

enum {
	LAYOUT_MIN_W = 20,
	LAYOUT_MIN_H = 5,
	LAYOUT_COLUMNS = 20,
	LAYOUT_CELL_W = 4, /* cell of a core in its cluster's row: "2.7 " */
	LAYOUT_BOTTLENECK_W = 10, /* "bad-spec !" */
	LAYOUT_LOST_W = 5         /* "lost%" */
};

enum panel_id {
	PANEL_HEADER,
	PANEL_VIEWS,
	PANEL_PRESETS,
	PANEL_HEADLINE,
	PANEL_NOTICE,
	PANEL_CLUSTERS,
	PANEL_CORES,
	PANEL_OUTLIERS,
	PANEL_TREND,
	PANEL_CHART,
	PANEL_CHART2,
	PANEL_POWER,
	PANEL_BOTTLENECKS,
	PANEL_STRIPS, /* bottlenecks over time */
	PANEL_EXPLAIN,
	PANEL_DETAIL,
	PANEL_EVENTS,
	PANEL_PROCESSES,
	PANEL_PROCESS_CHART,
	PANEL_PROCESS_KINDS,
	PANEL_LEGEND,
	PANEL_QUALITY,
	PANEL_KEYS,
	PANEL_BUSIEST,
	/* Panels from PANEL_BELOW on are at the bottom of the overview. */
	PANEL_BELOW,
	PANEL_PLACES = PANEL_BELOW + 8
};

enum { COLUMN_BUSY = -1 }; /* busy% of the OS, not in the metric table */

struct layout_column {
	int metric; /* index in the metric table, or COLUMN_BUSY */
	int w;      /* width in cells, with the gap before it */
	int x;      /* set by the layout: cells from the table's left edge */
	int group;
	int order;
};

struct layout_input {
	int w, h;
	unsigned ncpus, nclusters, largest; /* largest cluster, in CPUs */
	int label_w;            /* width of the longest cluster label */
	int numbers_w;          /* width of the longest CPU range, "10-15" */
	unsigned core_rows;     /* rows of the list of cores; 0: ncpus */
	int rows[PANEL_PLACES]; /* requested rows; 0: the layout decides */
	enum layout_view view;
	bool ages;   /* a line shows the age of columns */
	bool traced; /* processes have event columns */
	bool bottlenecks;
	bool all;                           /* there is a row for the machine */
	const struct layout_column *column; /* most important first */
	unsigned ncolumns;
};

/* Columns of the tables of clusters and cores; x counts from the left edge. */
struct layout_table {
	int id_w, label_w, n_w; /* n_w 0: no column for the number of CPUs */
	int bottleneck_x, bottleneck_w; /* bottleneck_w 0: none */
	int lost_x, lost_w;             /* lost slots; lost_w 0: none */
	int ipc_x;                      /* IPC: five cells, its title six */
	int bar_x, bar_w;               /* bar_w 0: none */
	unsigned ncols;
	struct layout_column col[LAYOUT_COLUMNS];
	int end_x;
	int cells_x, cells_w; /* cells_w 0: no cells of cores */
	int spark_x, spark_w; /* trend; spark_w 0: none */
};

/* A panel with w = 0 is not shown. The rectangle of a panel includes its
 * border. *_titles: lines of titles above a table's rows; *_heads: the first of
 * these lines has headings of groups of columns. */
struct layout {
	bool too_small;
	bool boxed;
	bool cells; /* cores are cells in cluster rows */
	bool all;   /* the last row of clusters is the machine */
	int tables_w;
	int cluster_titles, core_titles, process_titles;
	bool cluster_heads, core_heads;
	struct rect panel[PANEL_PLACES];
	struct layout_table table;
};

void layout_make(const struct layout_input *in, struct layout *out);

/* Rows of the panel's table without titles and the machine's row. */
int layout_rows(const struct layout *l, enum panel_id panel);

/* layout_inside: the panel without border and margin. */
bool layout_framed(const struct layout *l, enum panel_id panel);
struct rect layout_inside(const struct layout *l, enum panel_id panel);

#endif
