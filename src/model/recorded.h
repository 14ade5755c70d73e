/* A frame as a recording tells it: differences already, and how they fared. */
#ifndef MODEL_RECORDED_H
#define MODEL_RECORDED_H

#include "model/sample.h"
#include "model/span.h"

#include <stdbool.h>
#include <stdint.h>

/* One CPU's row. */
struct recorded_cpu {
	bool there;          /* false: the frame has no row of this CPU */
	uint32_t quality;    /* QUALITY_* of the row */
	int64_t interval_ns; /* awake time that the fixed counts cover */
	int64_t event_ns;    /* time that the slots counted; 0: they did not */
	double busy_share;   /* 0 to 1; NAN: unknown */
	bool fixed_known;
	uint64_t fixed[FIXED_COUNT];
	bool pair_known; /* pair[] is fixed[] over the time of the slots */
	uint64_t pair[FIXED_COUNT];
	bool slot_known[EVENTSET_MAX];
	uint64_t slot[EVENTSET_MAX];
	uint32_t dead; /* 1 << slot whose event counts nothing */
};

/* What a sample of a recording carries in the place of totals. */
struct recorded {
	uint64_t seq;                   /* the frame's number in its run */
	int64_t interval_ns;            /* awake, since the frame before */
	bool swapped;                   /* other events than that frame's */
	const struct recorded_cpu *cpu; /* [ncpus of the topology] */
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
