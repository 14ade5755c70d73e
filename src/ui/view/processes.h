/* The list of processes: rows, order, cursor. pid and start time identify a
 * row, since its index in the table changes. */
#ifndef UI_VIEW_PROCESSES_H
#define UI_VIEW_PROCESSES_H

#include "base/buf.h"
#include "model/process.h"
#include "model/bottleneck.h"
#include "ui/view/rows.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	PROCESS_BUSY_PCT = 5, /* % CPU, above which IPC is meaningful */
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
	LINE_RULE, /* separates rows over and under 5 % CPU */
	LINE_OVER,
	LINE_IDLE
};

struct process_line {
	uint8_t kind;
	uint16_t at;
};

/* Order of the last draw, kept while a row is selected. */
struct process_order {
	unsigned n, above;
	struct process_id id[PROCESS_ROWS_MAX];
};

struct monitor;
struct process_past {
	const struct monitor *self;
	unsigned (*values)(const struct monitor *self, int32_t pid,
			   uint64_t start, enum process_metric metric,
			   unsigned n, float *out);
	/* Table of frame number seq; NULL: the history lacks it. */
	const struct process_table *(*at)(const struct monitor *self,
					  uint64_t seq);
	/* As monitor_traces, monitor_traced and monitor_traced_word. */
	bool (*traces)(const struct monitor *self, unsigned metric);
	double (*traced)(const struct monitor *self, const struct span *s,
			 unsigned metric, bool *few);
	enum bottleneck_word (*word)(const struct monitor *self,
				     const struct span *s, unsigned kind);
};

enum { PROCESS_TRACED_COLUMNS = 4 };

struct process_tracer {
	bool wanted;
	bool known;
	uint8_t state; /* enum process_tracing, from the last table */
	bool own;
	int32_t owner;
	unsigned n;
	struct traced_column {
		int metric, decimals;
	} column[PROCESS_TRACED_COLUMNS];
};

struct ended_process {
	bool is;
	bool say; /* the end was not yet reported */
	uint64_t seq;
	int64_t wall_ns;
	struct process_row row;
	char name[PROCESS_NAME_SIZE], user[PROCESS_USER_SIZE];
	struct process_command command;
};

struct process_when {
	uint64_t seq;
	int64_t wall_ns;
	bool live;
};

struct process_list {
	/* Valid only during a draw. NULL: processes were not read. */
	const struct process_table *t;
	struct process_parts parts;
	bool cores_known;
	struct process_past past;
	uint32_t known;

	struct process_tracer tracer;
	struct rows list;
	struct process_id pin[PROCESS_PINS];
	int32_t pin_pid[PROCESS_PINS];
	unsigned npins;
	struct process_id open; /* pid -1: no process is open */
	bool open_key;
	bool all; /* idle processes have a line each */
	unsigned nidle;
	struct ended_process over;
	struct process_when when;

	struct process_line line[PROCESS_LINES];
	unsigned n;
	int cursor_step; /* rows of the last cursor move, < 0: up */
	struct process_id selected;

	bool frozen; /* a row is selected, so rows keep their order */
	bool resort;
	struct process_order order, threads;
	double key[PROCESS_ROWS_MAX];
	unsigned row[PROCESS_ROWS_MAX];
};

/* t NULL: processes were not read, and `when` is unused. */
void processes_use_table(struct process_list *l, const struct process_table *t,
			 const struct process_when *when);

/* Filters, sorts and pins rows. The cursor stays on its row, and the list
 * scrolls to the cursor. page: number of visible lines. */
void processes_arrange(struct view *v, unsigned page);

unsigned processes_line(const struct process_list *l, unsigned i);

/* NULL: the line has no row. */
const struct process_row *processes_row(const struct process_list *l,
					unsigned line);

struct process_id processes_id(const struct process_row *row);
bool processes_same(struct process_id a, struct process_id b);
bool processes_pinned(const struct process_list *l,
		      const struct process_row *row);

/* Writes, once, that the open process ended. False: no new end. */
bool processes_describe_ended(struct process_list *l, struct buf *out);

/* Row of the open process, even after its end; NULL: none or unknown. */
const struct process_row *processes_opened(const struct process_list *l);

const struct ended_process *processes_find_ended(const struct process_list *l);

/* Command line of the open process; "": unknown, or no process is open. */
const char *processes_command(const struct process_list *l);

const struct process_row *processes_selected(const struct process_list *l);

bool processes_idle(const struct process_row *row);

/* The flagged row with the most cycles; NULL: none is flagged. */
const struct process_row *processes_flagged(const struct process_list *l);

/* Writes the label, such as "IPC E"; nothing if the machine has no such kind.
 */
void processes_label(const struct process_list *l, enum process_metric metric,
		     struct buf *out);

bool processes_has_metric(const struct process_list *l,
			  enum process_metric metric);

enum process_metric processes_trend(const struct process_list *l);

const struct span *processes_events(const struct process_row *row);

/* Value of a metric from the process's events; NAN: unknown. *few: the events
 * are too few for a reliable value. */
double processes_event_rate(const struct process_list *l,
			    const struct process_row *row, int metric,
			    bool *few);

/* BOTTLENECK_UNKNOWN: no events, or no kind of core with 90 % of the cycles. */
enum bottleneck_word processes_bottleneck(const struct process_list *l,
					  const struct process_row *row);
/* Handles key v: writes a message, or returns true. True: ask the user first,
 * since counting events per process takes over kernel tracing. */
bool processes_trace_key(struct process_list *l, bool replay, struct buf *say);
void processes_trace_question(const struct process_list *l, struct buf *say);
void processes_trace_answer(struct process_list *l, bool yes, struct buf *say);

void processes_move_cursor(struct process_list *l, unsigned line);
void processes_open_key(struct process_list *l);
void processes_list_idle(struct process_list *l);
bool processes_close(struct process_list *l); /* false: nothing to close */
#endif
