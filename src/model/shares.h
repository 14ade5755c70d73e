/*
 * Where a row's issue slots go, as intervals: what the events in force say of
 * the four shares, and the bottleneck that follows. The same from every event
 * set, as long as the intervals hold the true shares.
 */
#ifndef MODEL_SHARES_H
#define MODEL_SHARES_H

#include "model/bottleneck.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Of one row, summed over its CPUs, which are of one kind. */
struct share_counts {
	float m[MEASURE_COUNT]; /* NAN: not counted */
	unsigned width;         /* issue slots a cycle; 0: unknown */
	bool small;     /* an efficiency core: its pipeline is shorter */
	bool all_modes; /* the events count user and kernel */
	/*
	 * Arm on Linux: stalls are of cycles in which nothing at all went on, a
	 * bound, and empty slots hold those after a misprediction.
	 */
	bool whole_stalls;
	/* The slots are a core's, of which another thread has some: AMD. */
	bool shares_core;
	/* MEASURE_USEFUL and the next are of Arm's slot events on a Mac. */
	bool arm_slots;
};

/* False: these events say nothing of the back end, so nothing is judged. */
bool shares_of(const struct share_counts *c, struct shares *out);

/* Sums of slots: judged like those of one interval. */
void shares_add(struct shares *sum, const struct shares *s, double slots);
void shares_divide(struct shares *sum, double slots);

/*
 * BOTTLENECK_NONE, _BACKEND, _FRONTEND, _BAD_SPEC or _MIXED if that is the word
 * of every point of the box; else BOTTLENECK_UNKNOWN.
 */
enum bottleneck_word shares_word(const struct shares *s);

/* The word at the middle; BOTTLENECK_UNKNOWN where there is none. */
enum bottleneck_word shares_estimate(const struct shares *s);

/* Has a point of the box this word? */
bool shares_admit(const struct shares *s, enum bottleneck_word word);

static inline float
share_middle(const struct share_range *r)
{
	return isnan(r->middle) ? (r->low + r->high) / 2 : r->middle;
}

/* Of a cause its share; else SHARE_COUNT. */
enum slot_share share_of_word(enum bottleneck_word word);

/*
 * The measure that explains a back end that waits with loads, or that goes with
 * another cause; -1: none does.
 */
int share_evidence(const struct share_counts *c, const struct shares *s,
		   enum bottleneck_word word);

/* Every number of the model; docs/DOCTOR.md says what would measure it. */
enum share_constant {
	CONSTANT_UOPS,          /* micro-operations of an instruction */
	CONSTANT_MISS,          /* cycles that a misprediction costs */
	CONSTANT_MISS_SMALL,    /* the same of an efficiency core */
	CONSTANT_REWIND,        /* bad speculation, of the cycles that rewind */
	CONSTANT_ARM_DISCARDED, /* of micro-operations mapped and not retired */
	CONSTANT_ARM_DELIVERY,  /* part of them that the front end's hold */
	/* Cycles after a misprediction that either end's slots hold (Arm). */
	CONSTANT_RECOVERY_FRONT,
	CONSTANT_RECOVERY_BACK,
	CONSTANT_WIDTH, /* where nobody has published it */
	CONSTANT_WIDTH_SMALL,
	/* Marks; the middle is used. */
	CONSTANT_NONE, /* retiring from which on nothing is wrong */
	CONSTANT_BAD_SPEC,
	CONSTANT_FRONTEND,
	CONSTANT_BACKEND,
	CONSTANT_LEAD,
	CONSTANT_L1D_LOAD,
	CONSTANT_L1D_FILL,
	CONSTANT_L1I,
	CONSTANT_BEYOND, /* misses of the last caches */
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
	const char *measured_by; /* "": by nobody yet */
};
extern const struct share_constant_row share_constants[CONSTANT_COUNT];

#endif
