/* A frame as a recording tells it: differences already, and how they fared. */
#ifndef MODEL_RECORDED_H
#define MODEL_RECORDED_H

#include "model/sample.h"
#include "model/span.h"

#include <stdbool.h>
#include <stdint.h>

/* What a sample of a recording carries in the place of totals. */
struct recorded {
	uint64_t seq;        /* the frame's number in its run */
	int64_t interval_ns; /* awake, since the frame before */
	bool swapped;        /* other events than that frame's */
	/*
	 * [ncpus of the topology] as they were written: ncpus 0: the frame has
	 * no row of this CPU; have_any, counts and times; not judged.
	 */
	const struct span *cpu;
};

/* Those of the words of a row that concern its whole frame. */
uint32_t recorded_frame_quality(const struct recorded *r, unsigned ncpus);

/*
 * out[ncpus] as delta_take once made it, so that sums and metrics come out
 * the same, and how many rows were stale. Multiplexed slots have one time in a
 * recording, their mean.
 */
unsigned recorded_take(const struct recorded *r, unsigned ncpus,
		       unsigned nslots, uint32_t own, struct span *out);

/*
 * The share that a busy_pct of nine digits was written for. Systems count busy
 * time in ticks, a hundred a second, so it is a ratio of small numbers: the
 * simplest one that rounds to these digits.
 */
double recorded_share(double busy_pct);

#endif
