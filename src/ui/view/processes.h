/*
 * The list of processes: which rows, in which order, where its cursor is. A row
 * is known by pid and start; its place in the table changes with every frame.
 */
#ifndef UI_VIEW_PROCESSES_H
#define UI_VIEW_PROCESSES_H

#include "base/buf.h"
#include "model/process.h"
#include "model/bottleneck.h"
#include "ui/view/rows.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	PROCESS_BUSY_PCT = 5, /* from where on an IPC says something */
	PROCESS_PINS = 16,
	PROCESS_LINES = PROCESS_ROWS_MAX + PROCESS_THREADS_MAX + 4
};

struct process_id {
	int32_t pid;
	uint64_t start, thread; /* thread 0: the process */
};

enum process_line_kind {
	LINE_PROCESS,
	LINE_THREAD,
	LINE_RULE, /* below it: under 5% CPU */
	LINE_OVER, /* what is open, and has ended */
	LINE_IDLE  /* stands for all idle processes */
};

struct process_line {
	uint8_t kind;
	uint16_t at; /* row or thread of the table */
};

/* The order at the last look, while a row is selected. */
struct process_order {
	unsigned n, above; /* of them, above the rule */
	struct process_id id[PROCESS_ROWS_MAX];
};

/* The monitor's past, as calls: tests bring a past of their own. */
struct monitor;
struct process_past {
	const struct monitor *self; /* NULL: there is none */
	unsigned (*values)(const struct monitor *self, int32_t pid,
			   uint64_t start, enum process_metric metric,
			   unsigned n, float *out);
	/* The table of that frame; NULL: not kept. */
	const struct process_table *(*at)(const struct monitor *self,
					  uint64_t seq);
	/* Metrics of what a trace counts; see monitor_traces, _traced. */
	bool (*traces)(const struct monitor *self, unsigned metric);
	double (*traced)(const struct monitor *self, const struct span *s,
			 unsigned metric, bool *few);
	enum bottleneck_word (*word)(const struct monitor *self,
				     const struct span *s, unsigned kind);
};

enum { PROCESS_TRACED_COLUMNS = 4 };

/* What a trace tells, and what the person wants of it. */
struct process_tracer {
	bool wanted;
	bool told;     /* a table came, so that state is known */
	uint8_t state; /* enum process_tracing, of the last table */
	bool own;      /* by counters of their own */
	int32_t owner;
	unsigned n; /* metrics that have a column, of the preset's */
	struct {
		int metric, decimals;
	} column[PROCESS_TRACED_COLUMNS];
};

/* What is open as it was last: it stays when it has ended. */
struct process_over {
	bool is;                /* it has */
	bool say;               /* just now, which is to be said */
	uint64_t seq;           /* in that frame, */
	int64_t wall_ns;        /* and when that was */
	struct process_row row; /* without numbers */
	char name[PROCESS_NAME_SIZE], user[PROCESS_USER_SIZE];
	struct process_command command;
};

/* The frame that a table is of. */
struct process_when {
	uint64_t seq;
	int64_t wall_ns;
	bool live; /* else it is one of the past */
};

struct process_list {
	/* Of this draw alone: keys find none. NULL: none was read. */
	const struct process_table *t;
	struct process_parts parts; /* of the last table */
	bool cores_known;           /* it had the cores' cycles */
	struct process_past past;
	uint32_t known; /* PROCESS_HAS_... that any row had so far */
	double bar_max; /* end of the bars' scale, in percent */

	struct process_tracer tracer;
	struct rows list;
	struct process_id pin[PROCESS_PINS];
	int32_t pin_pid[PROCESS_PINS]; /* the same, for the source */
	unsigned npins;
	struct process_id open; /* whose threads show; pid -1: none */
	bool open_key;
	bool all;       /* idle ones have rows of their own */
	unsigned nidle; /* that one line stands for */
	struct process_over over;
	struct process_when when; /* of the table */

	struct process_line line[PROCESS_LINES];
	unsigned n;
	int cursor_step; /* the way it went */
	struct process_id selected;

	bool frozen; /* the order stays as it is now */
	bool resort; /* the person wants another order */
	struct process_order order, threads;
	double key[PROCESS_ROWS_MAX]; /* that rows are sorted by */
	unsigned row[PROCESS_ROWS_MAX];
};

/* The table of this draw; NULL: none was read, and `when` is not asked. */
void processes_take(struct process_list *l, const struct process_table *t,
		    const struct process_when *when);

/*
 * Filters, sorts and pins; then the cursor stays with its row, and `page` lines
 * show from list.top on. Allocates nothing.
 */
void processes_arrange(struct view *v, unsigned page);

/* The line that is the i-th on the screen; l->n or more: none. */
unsigned processes_line(const struct process_list *l, unsigned i);

/* The row of a line; NULL: it is none. */
const struct process_row *processes_row(const struct process_list *l,
					unsigned line);

struct process_id processes_id(const struct process_row *row);
bool processes_same(struct process_id a, struct process_id b);
bool processes_pinned(const struct process_list *l,
		      const struct process_row *row);

/* "clang (5120) ended": once, of what is open; false: nothing is to be said. */
bool processes_say_over(struct process_list *l, struct buf *out);

/*
 * The row of the process that is open, or what is left of it; NULL: none is, or
 * it is not in this table.
 */
const struct process_row *processes_opened(const struct process_list *l);

/* Has it ended, by the time of the table? NULL: no. */
const struct process_over *processes_over(const struct process_list *l);

/* What it was started as; "": unknown. */
const char *processes_command(const struct process_list *l);

/* The row under the cursor; NULL: none is. */
const struct process_row *processes_selected(const struct process_list *l);

/* Did it do nothing in this interval, as far as tables show it? */
bool processes_idle(const struct process_row *row);

/* The worst of those that are flagged; NULL: none is. */
const struct process_row *processes_flagged(const struct process_list *l);

/* "IPC E", "S t%": what a metric is called on this machine; "" without it. */
void processes_label(const struct process_list *l, enum process_metric metric,
		     struct buf *out);

/* Has any row a value of it here? */
bool processes_has(const struct process_list *l, enum process_metric metric);

/* What a trend shows: without counters the time it had. */
enum process_metric processes_trend(const struct process_list *l);

/* The row's events of this interval; NULL: none. */
const struct span *processes_counts(const struct process_row *row);

/*
 * The same by a metric of the cores' table, NAN: unknown; few: of so few events
 * that it says little.
 */
double processes_event(const struct process_list *l,
		       const struct process_row *row, int metric, bool *few);

/*
 * What its cycles go to, where nearly all of them were on one kind of core;
 * else BOTTLENECK_UNKNOWN.
 */
enum bottleneck_word processes_word(const struct process_list *l,
				    const struct process_row *row);
/*
 * Key v switches events per process. True: first ask the question, since
 * counting them keeps other programs from tracing the kernel.
 */
bool processes_trace_key(struct process_list *l, bool replay, struct buf *say);
void processes_trace_question(const struct process_list *l, struct buf *say);
void processes_trace_answer(struct process_list *l, bool yes, struct buf *say);

/* What keys do. */
void processes_point(struct process_list *l, unsigned line);
void processes_open_key(struct process_list *l);
void processes_list_idle(struct process_list *l); /* or folds them again */
bool processes_close(struct process_list *l);     /* false: nothing to close */
#endif
