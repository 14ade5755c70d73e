/*
 * Loops of known behaviour on each kind of core, for the report of ktop doctor:
 * what they count settles constants of the bottleneck model (docs/DOCTOR.md).
 */
#ifndef SOURCE_CALIBRATE_H
#define SOURCE_CALIBRATE_H

#include "source/examine.h"

#include <stdbool.h>
#include <stdint.h>

enum calibrate_loop {
	CALIBRATE_ADDS,     /* independent additions and multiplications */
	CALIBRATE_STEADY,   /* as the next one, with a branch never taken */
	CALIBRATE_BRANCHES, /* a branch by a bit of a shift register */
	CALIBRATE_LOADS,    /* a chain of loads from all over 64 MB */
	CALIBRATE_LOOPS
};

/* How the system moves a thread between cores; called in the loop's thread. */
struct calibrate_cores {
	/* Asks for a core of the kind. false: the system has no such request.
	 */
	bool (*ask)(struct source *s, unsigned kind);
	/* The CPU that the calling thread is on; -1: unknown. */
	int (*cpu)(struct source *s);
	/*
	 * A simulated machine runs the loop itself, on *cpu: how many
	 * iterations, 0: not now. NULL: the processor runs it.
	 */
	uint64_t (*run)(struct source *s, unsigned kind,
			enum calibrate_loop loop, int *cpu);
};

/*
 * Three lines for each kind of core, or why there are none. Programs events of
 * its own into x->s, and leaves them there.
 */
void calibrate(struct examine *x, const struct calibrate_cores *c);

#endif
