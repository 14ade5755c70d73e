/* Chooses the busiest processes; the others are summed in one row. */
#ifndef OUT_BUSIEST_H
#define OUT_BUSIEST_H

#include "base/top.h"
#include "model/frame.h"

#include <stdbool.h>
#include <stdint.h>

struct process_pick {
	struct top top; /* indices of process_table.row, by CPU time */
	bool picked[PROCESS_ROWS_MAX];
	unsigned nothers;
	struct process_row others;
	struct span events;
};

/* False: out of memory; call process_pick_free after a failure, too. */
bool process_pick_init(struct process_pick *p, unsigned room);
void process_pick_free(struct process_pick *p);

void process_pick_choose(struct process_pick *p, const struct process_table *t,
			 double interval_s);

enum { PROCESS_SUMS_MAX = 2 * PROCESS_ROWS_MAX };

struct process_sum {
	int32_t pid;
	uint64_t start;
	uint64_t seen;  /* number of the last frame that had the process */
	unsigned row;   /* index in that frame's rows */
	uint32_t known; /* PROCESS_HAS_ bits that any frame had */
	double weight;  /* CPU time in ns, decaying with a half-life of 30 s */
	struct process_totals d;
};

/* Sums since the output was opened; they never decrease. */
struct process_sums {
	uint64_t frames;
	unsigned n;
	struct process_sum *sum; /* sorted by pid, then start */
	struct process_sum all;
	unsigned now;
	struct top top; /* indices of `sum`: the busiest in the last frame */
};

/* False: out of memory; call process_sums_free after a failure, too. */
bool process_sums_init(struct process_sums *s, unsigned top);
void process_sums_free(struct process_sums *s);

/* seconds: for the decay. Drops ended processes only if `sum` is full. */
void process_sums_add(struct process_sums *s, const struct process_table *t,
		      double seconds);

#endif
