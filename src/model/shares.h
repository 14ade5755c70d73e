/* Shares of issue slots as intervals, and the bottleneck that holds for all
 * values in them. If the intervals are right, no two event sets show different
 * causes. */
#ifndef MODEL_SHARES_H
#define MODEL_SHARES_H

#include "model/bottleneck.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Measured values of a row, whose CPUs are of one kind. */
struct share_counts {
	float m[MEASURE_COUNT]; /* NAN: not counted */
	unsigned width;         /* slots per cycle; 0: unknown */
	bool small;             /* efficiency core: shorter pipeline */
	bool all_modes;         /* events count user and kernel mode */
	/* Arm on Linux: stalls are cycles without any work, so they are a lower
	 * bound, and empty slots include recovery. */
	bool whole_stalls;
	/* With SMT, slots are those of the core, which threads share. */
	bool shares_core;
	/* A Mac with slot events as Arm defines them. */
	bool arm_slots;
};

/* False: no count concerns the back end, so the bottleneck is unknown. */
bool shares_of(const struct share_counts *c, struct shares *out);

/* Adds s, weighted by slots. shares_divide then makes the mean. */
void shares_add(struct shares *sum, const struct shares *s, double slots);
void shares_divide(struct shares *sum, double slots);

/* BOTTLENECK_NONE, _BACKEND, _FRONTEND, _BAD_SPEC or _MIXED if it holds for all
 * values in the intervals, else BOTTLENECK_UNKNOWN. */
enum bottleneck_word shares_word(const struct shares *s);

/* The bottleneck if all shares have their middle values; BOTTLENECK_UNKNOWN: a
 * middle is unknown. */
enum bottleneck_word shares_estimate(const struct shares *s);

/* Is this the bottleneck for some values in the intervals? */
bool shares_admit(const struct shares *s, enum bottleneck_word word);

static inline float
share_middle(const struct share_range *r)
{
	return isnan(r->middle) ? (r->low + r->high) / 2 : r->middle;
}

/* The share of slots lost to this cause; SHARE_COUNT: not a cause. */
enum slot_share share_of_word(enum bottleneck_word word);

/* The measure that is evidence of the cause (back-end bound: of memory bound);
 * -1: none. */
int share_evidence(const struct share_counts *c, const struct shares *s,
		   enum bottleneck_word word);

/* All constants of the model; docs/DOCTOR.md explains their measurement. */
enum share_constant {
	CONSTANT_UOPS,          /* micro-operations per instruction */
	CONSTANT_MISS,          /* cycles per misprediction */
	CONSTANT_MISS_SMALL,    /* on an efficiency core */
	CONSTANT_REWIND,        /* bad speculation per rewind cycle */
	CONSTANT_ARM_DISCARDED, /* bad speculation per discarded slot (Arm) */
	CONSTANT_ARM_DELIVERY,  /* front-end slots per discarded slot (Arm) */
	/* Recovery cycles per misprediction, as empty slots (Arm). */
	CONSTANT_RECOVERY_FRONT,
	CONSTANT_RECOVERY_BACK,
	CONSTANT_WIDTH, /* slots per cycle, if unpublished */
	CONSTANT_WIDTH_SMALL,
	/* Thresholds; only their middle is used. */
	CONSTANT_NONE, /* share of retiring slots above which there is no
			  bottleneck */
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
	const char *measured_by; /* "": not measured */
};
extern const struct share_constant_row share_constants[CONSTANT_COUNT];

#endif
