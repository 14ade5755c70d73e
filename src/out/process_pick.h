/* The busiest processes of a frame, and all others as one row. */
#ifndef OUT_PROCESS_PICK_H
#define OUT_PROCESS_PICK_H

#include "model/process.h"
#include "out/top.h"

#include <stdbool.h>

struct process_pick {
	struct top top;   /* indices of the table's rows, by CPU time */
	unsigned nothers; /* how many processes `others` are */
	struct process_row others; /* their sums: of a count where any has it */
};

/* False: memory is short. process_pick_free is needed also then. */
bool process_pick_init(struct process_pick *p, unsigned room);
void process_pick_free(struct process_pick *p);

/* For a frame as long as interval_s. */
void process_pick_take(struct process_pick *p, const struct process_table *t,
		       double interval_s);

/* User and system time; -1: unknown. */
double process_cpu_ns(const struct process_row *r);

#endif
