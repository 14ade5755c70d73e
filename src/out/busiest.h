/* Which processes are written: the busiest; and all others as one row. */
#ifndef OUT_BUSIEST_H
#define OUT_BUSIEST_H

#include "base/top.h"
#include "model/frame.h"

#include <stdbool.h>
#include <stdint.h>

struct process_pick {
	struct top top; /* indices of the table's rows, by CPU time */
	bool picked[PROCESS_ROWS_MAX];
	unsigned nothers;          /* how many processes `others` are */
	struct process_row others; /* their sums: of a count where any has it */
	struct span events;        /* of the others */
};

/* False: memory is short. process_pick_free is needed also then. */
bool process_pick_init(struct process_pick *p, unsigned room);
void process_pick_free(struct process_pick *p);

/* For a frame as long as interval_s. */
void process_pick_choose(struct process_pick *p, const struct process_table *t,
			 double interval_s);

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

/* What each process did since the output was opened: sums that never fall. */
struct process_sums {
	uint64_t frames;
	unsigned n;
	struct process_sum *sum; /* [PROCESS_SUMS_MAX], by pid, then start */
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
 * late, a pid but once.
 */
void process_sums_add(struct process_sums *s, const struct process_table *t,
		      double seconds);

#endif
