/* Shares of issue slots as intervals, and the bottleneck that they prove. If
 * the intervals are right, event sets cannot lead to different causes. */
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
	bool all_modes;         /* user and kernel */
	/* Arm on Linux: stalls are only cycles without any work, a lower bound,
	 * and empty slots include recovery. */
	bool whole_stalls;
	/* With SMT the slots are the core's, shared with another thread. */
	bool shares_core;
	/* Slot events as Arm defines them, on a Mac. */
	bool arm_slots;
};

/* False: nothing is known of the back end, so there is no bottleneck. */
bool shares_of(const struct share_counts *c, struct shares *out);

/* Sums weighted by slots. */
void shares_add(struct shares *sum, const struct shares *s, double slots);
void shares_divide(struct shares *sum, double slots);

/* BOTTLENECK_NONE, _BACKEND, _FRONTEND, _BAD_SPEC or _MIXED if it holds at
 * every point of the box, else BOTTLENECK_UNKNOWN. */
enum bottleneck_word shares_word(const struct shares *s);

/* The bottleneck at the middle of the box; BOTTLENECK_UNKNOWN: no middle. */
enum bottleneck_word shares_estimate(const struct shares *s);

/* Is this the bottleneck at some point of the box? */
bool shares_admit(const struct shares *s, enum bottleneck_word word);

static inline float
share_middle(const struct share_range *r)
{
	return isnan(r->middle) ? (r->low + r->high) / 2 : r->middle;
}

/* The share of slots lost to that cause; SHARE_COUNT: not a cause. */
enum slot_share share_of_word(enum bottleneck_word word);

/* The measure that is evidence of memory bound, or of another cause; -1: none.
 */
int share_evidence(const struct share_counts *c, const struct shares *s,
		   enum bottleneck_word word);

/* All constants of the model; docs/DOCTOR.md says how to measure them. */
enum share_constant {
	CONSTANT_UOPS,          /* micro-operations per instruction */
	CONSTANT_MISS,          /* cycles per misprediction */
	CONSTANT_MISS_SMALL,    /* on an efficiency core */
	CONSTANT_REWIND,        /* bad speculation per rewind cycle */
	CONSTANT_ARM_DISCARDED, /* per slot discarded (Arm) */
	CONSTANT_ARM_DELIVERY,  /* front-end slots per slot discarded */
	/* Recovery cycles in empty slots of the front and back end (Arm). */
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
	CONSTANT_BEYOND, /* last-level cache misses */
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
