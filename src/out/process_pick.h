/* The busiest processes of a frame, and all others as one row. */
#ifndef OUT_PROCESS_PICK_H
#define OUT_PROCESS_PICK_H

#include "model/frame.h"
#include "model/process.h"
#include "out/top.h"

#include <stdbool.h>

struct process_pick {
	struct top top;   /* indices of the table's rows, by CPU time */
	unsigned nothers; /* how many processes `others` are */
	struct process_row others; /* their sums: of a count where any has it */
};

/* Events of one of the rows; slots 0: none were counted of it. */
struct process_events {
	bool known;                   /* the cycles and instructions are */
	uint32_t slots;               /* 1 << slot that is known */
	struct process_counts counts; /* cycles: those seen with the events */
};

/* Of a row of the frame's processes. */
void process_events_of(const struct process_table *t,
		       const struct process_row *row,
		       struct process_events *out);

/*
 * After process_pick_take of the same frame: those of the others, and what the
 * cores counted less all rows. Of the latter a count that would be negative,
 * since some came late, is not known.
 */
void process_pick_events(const struct process_pick *p, const struct frame *f,
			 struct process_events *others,
			 struct process_events *rest);

/* False: memory is short. process_pick_free is needed also then. */
bool process_pick_init(struct process_pick *p, unsigned room);
void process_pick_free(struct process_pick *p);

/* For a frame as long as interval_s. */
void process_pick_take(struct process_pick *p, const struct process_table *t,
		       double interval_s);

/* User and system time; -1: unknown. */
double process_cpu_ns(const struct process_row *r);

#endif
