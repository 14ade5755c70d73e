/* What each process did since the output was opened: sums that never fall. */
#ifndef OUT_PROCESS_SUMS_H
#define OUT_PROCESS_SUMS_H

#include "model/process.h"
#include "out/top.h"

#include <stdbool.h>
#include <stdint.h>

enum { PROCESS_SUMS_MAX = 2 * PROCESS_ROWS_MAX };

struct process_sum {
	int32_t pid;
	uint64_t start;
	uint64_t seen;  /* the last frame with it */
	unsigned row;   /* there */
	uint32_t known; /* in any frame */
	double weight;  /* CPU time, halved every half minute */
	struct process_totals d;
};

struct process_sums {
	uint64_t frames;
	unsigned n;
	struct process_sum *sum; /* [PROCESS_SUMS_MAX] */
	uint16_t *slot;          /* hash: index + 1; 0 is free */
	struct process_sum all;  /* all processes together */
	unsigned now;            /* processes in the last frame */
	struct top top;          /* of `sum`, of the last frame's */
};

/* top: of how many. False: memory is short; free it then, too. */
bool process_sums_init(struct process_sums *s, unsigned top);
void process_sums_free(struct process_sums *s);

/*
 * One frame's, seconds long. Processes that are gone are forgotten only where
 * there is no room for those that are there. top has those that were busiest of
 * late, the busiest first, a pid but once.
 */
void process_sums_add(struct process_sums *s, const struct process_table *t,
		      double seconds);

#endif
