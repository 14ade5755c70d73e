/* Shares of issue slots as intervals, and the bottleneck that holds for all
 * values in the intervals. */
#ifndef MODEL_SHARES_H
#define MODEL_SHARES_H

#include "model/bottleneck.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Measured values of a row whose CPUs are of one kind. */
struct share_counts {
	float m[MEASURE_COUNT]; /* NAN: not counted */
	unsigned width;         /* slots per cycle; 0: unknown */
	bool small;             /* efficiency core: shorter pipeline */
	bool all_modes;         /* the events count user and kernel mode */
	/* Arm on Linux: stalls are cycles without any work, which is a lower
	 * limit of the back end's share, and empty slots include recovery. */
	bool whole_stalls;
	/* SMT: slots are those of the core, which its threads share. */
	bool shares_core;
	/* A Mac with slot events as Arm defines them. */
	bool arm_slots;
};

/* False: no count tells the back end's share, so the bottleneck is unknown. */
bool shares_of(const struct share_counts *c, struct shares *out);

void shares_add(struct shares *sum, const struct shares *s, double slots);
void shares_divide(struct shares *sum, double slots);

/* BOTTLENECK_NONE, _BACKEND, _FRONTEND, _BAD_SPEC or _MIXED if it holds for all
 * values in the intervals, else BOTTLENECK_UNKNOWN. */
enum bottleneck_word shares_word(const struct shares *s);

/* The bottleneck for the middle values of all shares; BOTTLENECK_UNKNOWN: a
 * middle is unknown. */
enum bottleneck_word shares_estimate(const struct shares *s);

/* False: the word is the bottleneck for no values in the intervals. */
bool shares_admit(const struct shares *s, enum bottleneck_word word);

static inline float
share_middle(const struct share_range *r)
{
	return isnan(r->middle) ? (r->low + r->high) / 2 : r->middle;
}

/* Share of the slots lost to this cause; SHARE_COUNT: not a cause. */
enum slot_share share_of_word(enum bottleneck_word word);

/* Measure that is evidence of the cause; -1: none. For BOTTLENECK_BACKEND,
 * evidence makes the row memory bound. */
int share_evidence(const struct share_counts *c, const struct shares *s,
		   enum bottleneck_word word);

/* docs/DOCTOR.md explains how the constants are measured. */
enum share_constant {
	CONSTANT_UOPS,
	CONSTANT_MISS, /* cycles per misprediction */
	CONSTANT_MISS_SMALL,
	CONSTANT_REWIND,        /* bad speculation per rewind cycle */
	CONSTANT_ARM_DISCARDED, /* bad speculation per discarded slot (Arm) */
	CONSTANT_ARM_DELIVERY,  /* front-end slots per discarded slot (Arm) */
	/* Recovery cycles per misprediction, as empty slots (Arm). */
	CONSTANT_RECOVERY_FRONT,
	CONSTANT_RECOVERY_BACK,
	CONSTANT_WIDTH, /* slots per cycle, if unpublished */
	CONSTANT_WIDTH_SMALL,
	/* Thresholds: only `middle` is used. */
	CONSTANT_NONE, /* no bottleneck if more slots retire */
	CONSTANT_BAD_SPEC,
	CONSTANT_FRONTEND,
	CONSTANT_BACKEND,
	CONSTANT_LEAD,
	CONSTANT_L1D_LOAD,
	CONSTANT_L1D_FILL,
	CONSTANT_L1I,
	CONSTANT_BEYOND, /* misses of the last-level cache */
	CONSTANT_LOAD_WAIT,
	CONSTANT_IDLE,
	CONSTANT_KERNEL,
	CONSTANT_FLAG,
	CONSTANT_FLAG_CORE,
	CONSTANT_COUNT
};

struct share_constant_row {
	const char *name;
	double low, middle, high;
	const char *unit, *source;
	const char *measured_by;
};
extern const struct share_constant_row share_constants[CONSTANT_COUNT];

#endif
