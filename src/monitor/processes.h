/*
 * From readings of processes to what a frame says of them: differences by
 * identity, what began and ended, what nobody had, and the last minutes of the
 * busiest.
 */
#ifndef MONITOR_PROCESSES_H
#define MONITOR_PROCESSES_H

#include "model/frame.h"

#include <stdbool.h>
#include <stdint.h>

struct processes;

enum {
	PROCESSES_PAST = 600, /* frames that are kept */
	PROCESSES_KEPT = 32   /* rows of each, by CPU time, and the pinned */
};

/* The topology is borrowed. NULL and *e when memory is short. */
struct processes *processes_new(const struct topology *t, struct err *e);
void processes_free(struct processes *p);

/*
 * What processes did since the reading before; f: the frame of the cores in the
 * same tick, for shares and (rest). NULL: this is only a baseline. The table
 * is p's own and holds until the next call. Allocates only where there are more
 * processes than ever before.
 */
const struct process_table *processes_feed(struct processes *p,
					   const struct process_reading *r,
					   const struct frame *f);

/* Nothing was read for a while, or cannot be: the next reading is a baseline.
 */
void processes_gap(struct processes *p);

/*
 * Up to n values of a process, oldest first, NAN where it was not among the
 * kept or not read; the newest is the last frame's. Returns how many.
 */
unsigned processes_past(const struct processes *p, int32_t pid, uint64_t start,
			enum process_metric metric, unsigned n, float *out);

/*
 * The table of the frame with this number (frame.seq), of its kept rows and
 * (rest); NULL: not kept. Valid until the next call of anything here.
 */
const struct process_table *processes_at(const struct processes *p,
					 uint64_t seq);

#endif
