/* The table of processes: its columns, and what its cells say. */
#ifndef UI_PANELS_PROCESS_TABLE_H
#define UI_PANELS_PROCESS_TABLE_H

#include "ui/view/view.h"

/* In the order they stand. */
enum process_column_kind {
	COLUMN_PID,
	COLUMN_USER,
	COLUMN_NAME,
	COLUMN_CPU,
	COLUMN_P_TIME,
	COLUMN_P_WORK, /* where it sorts */
	COLUMN_CYCLES,
	COLUMN_BAR,
	COLUMN_IPC,
	COLUMN_IPC_0,
	COLUMN_IPC_1,
	COLUMN_GIPS,
	COLUMN_GHZ,
	COLUMN_WATTS,
	COLUMN_NJ,
	COLUMN_TRACED, /* of the preset, while the kernel is traced */
	COLUMN_TRACED_LAST = COLUMN_TRACED + PROCESS_TRACED_COLUMNS - 1,
	COLUMN_WORD, /* what that says its cycles go to */
	COLUMN_MORE, /* and on: metrics that have no place of their own */
	COLUMN_SPARK = COLUMN_MORE + PROCESS_METRICS,
	COLUMN_KINDS
};

struct process_column {
	int x, w; /* w 0: no room, or nobody has it; with the gap before it */
};

struct process_columns {
	struct process_column at[COLUMN_KINDS];
	int end; /* behind the last */
};

/* The column of rows that its title sorts by; COLUMN_NONE: it does not. */
int process_column_sorts(const struct view *v, unsigned kind);

/* For a table w cells wide: the most important ones that fit. */
void process_columns_make(const struct view *v, int w,
			  struct process_columns *out);

/* "13:41:07"; false: the system does not know it. */
bool process_clock(struct buf *out, int64_t wall_ns);

/* What a process is called: "kvstored (4411)". */
void process_name(const struct process_row *row, struct buf *out);

/* The number in at most w cells, "" or "-" where there is none. */
void process_number(const struct process_row *row, enum process_metric metric,
		    int w, char *text);

/* One row without its marks and its name; dim: it is over, or does nothing. */
void process_values_draw(struct canvas *c, const struct view *v,
			 const struct process_columns *k,
			 const struct process_row *row, int x, int y, bool dim);

#endif
