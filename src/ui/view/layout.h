/* Where things go: a pure function from the screen's and machine's sizes. */
#ifndef UI_VIEW_LAYOUT_H
#define UI_VIEW_LAYOUT_H

#include "ui/draw/canvas.h"
#include "ui/draw/choices.h"

#include <stdbool.h>

enum {
	LAYOUT_MIN_W = 20,
	LAYOUT_MIN_H = 5,
	LAYOUT_COLUMNS = 20,
	LAYOUT_CELL_W = 4,        /* of a core in its cluster's row: "2.7 " */
	LAYOUT_BOTTLENECK_W = 10, /* "bad-spec !" */
	LAYOUT_LOST_W = 5         /* "lost%" */
};

enum panel_id {
	PANEL_HEADER,
	PANEL_VIEWS, /* by letter; on low screens PANEL_PRESETS has them, too */
	PANEL_PRESETS,
	PANEL_HEADLINE,
	PANEL_NOTICE,
	PANEL_CLUSTERS,
	PANEL_CORES,
	PANEL_OUTLIERS,
	PANEL_TREND,
	PANEL_CHART,
	PANEL_CHART2,
	PANEL_POWER, /* its own boxes */
	PANEL_BOTTLENECKS,
	PANEL_STRIPS, /* bottlenecks, second by second */
	PANEL_EXPLAIN,
	PANEL_DETAIL,
	PANEL_EVENTS,
	PANEL_PROCESSES,
	PANEL_PROCESS_CHART, /* of the one that is open */
	PANEL_PROCESS_KINDS,
	PANEL_LEGEND,
	PANEL_TRUST,
	PANEL_KEYS,
	PANEL_BUSIEST, /* processes, in the overview */
	/* Panels without a place of their own are below the others. */
	PANEL_BELOW,
	PANEL_PLACES = PANEL_BELOW + 8
};

enum { COLUMN_BUSY = -1 }; /* not of the metric table: the OS's busy% */

struct layout_column {
	int metric; /* index in the metric table, or COLUMN_BUSY */
	int w;      /* cells with the gap before it */
	int x;      /* set by the layout, from the left of the table */
	int group;  /* of columns under one heading */
	int order;  /* the least to the left; equal ones as given */
};

struct layout_input {
	int w, h;
	unsigned ncpus, nclusters, largest; /* CPUs of the largest cluster */
	int label_w;                        /* of the longest cluster label */
	int numbers_w;      /* of the longest "10-15": the CPUs of a cluster */
	unsigned core_rows; /* 0: ncpus */
	int rows[PANEL_PLACES]; /* that a panel wants; 0: as the layout decides
				 */
	enum layout_view view;
	bool ages;        /* sets take turns: a line for how old columns are */
	bool bottlenecks; /* rows have one */
	bool all;         /* the machine is more than one cluster */
	const struct layout_column *column; /* in order of importance */
	unsigned ncolumns;
};

/* The columns that clusters and cores share; x from the table's left edge. */
struct layout_table {
	int id_w, label_w, n_w;         /* n_w 0: no room for how many CPUs */
	int bottleneck_x, bottleneck_w; /* bottleneck_w 0: none */
	int lost_x, lost_w;             /* lost slots; lost_w 0: none */
	int ipc_x; /* of five cells; the quality letter stands before it */
	int bar_x, bar_w; /* bar_w 0: none */
	unsigned ncols;
	struct layout_column col[LAYOUT_COLUMNS];
	int end_x;            /* behind the last column */
	int cells_x, cells_w; /* cores as cells in cluster rows; 0: none */
	int spark_x, spark_w; /* 0: none */
};

/*
 * Panels that are not there have w = 0. Boxed panels include their frame.
 * cluster_titles and core_titles are the lines above a table's rows: names, in
 * front of them groups where cluster_heads or core_heads, behind them ages.
 * With a frame the groups of clusters stand in that.
 */
struct layout {
	bool too_small; /* nothing but one line */
	bool boxed;     /* tables have frames */
	bool cells;     /* cores are cells in cluster rows */
	bool all;       /* the last row of clusters is the machine's */
	int tables_w;   /* of clusters and cores: boxes may stand beside them */
	int cluster_titles, core_titles, process_titles;
	bool cluster_heads, core_heads;
	struct rect panel[PANEL_PLACES];
	struct layout_table table;
};

void layout_make(const struct layout_input *in, struct layout *out);

/* Rows of the panel's table below its titles. */
int layout_rows(const struct layout *l, enum panel_id panel);

/* Whether the panel has a frame, and what is inside it. */
bool layout_framed(const struct layout *l, enum panel_id panel);
struct rect layout_inside(const struct layout *l, enum panel_id panel);

#endif
