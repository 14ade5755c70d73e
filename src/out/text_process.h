/* The busiest processes of a frame as a table, below that of the cores. */
#ifndef OUT_TEXT_PROCESS_H
#define OUT_TEXT_PROCESS_H

#include "base/buf.h"
#include "model/frame.h"
#include "out/process_pick.h"
#include "out/sink.h"

#include <stdbool.h>
#include <stddef.h>

enum { TEXT_RATES = 16 };

struct text_process {
	struct process_pick pick;
	uint32_t shown; /* 1 << enum process_metric that any frame had */
	/* Of columns, each as wide as its widest cell so far. */
	size_t pid_width, user_width, width[PROCESS_METRICS];
	size_t rate_width[METRIC_MAX];
	/* Of the frame: metrics of the cores' columns that a row has of its own
	   events. */
	unsigned nrates, rate[TEXT_RATES];
	struct process_events others;
};

/* The columns of the cores' table, as indices in a->metric. */
struct text_process_columns {
	const struct sink_about *about;
	unsigned n;
	const unsigned *metric;
};

/* n: rows at most; 0: no table. False: memory is short. */
bool text_process_init(struct text_process *t, unsigned n);
void text_process_done(struct text_process *t);

/* Bytes of the longest table. */
size_t text_process_size(unsigned n);

/* Nothing where processes were not read. */
void text_process_put(struct buf *b, struct text_process *t,
		      const struct frame *f,
		      const struct text_process_columns *c);

#endif
