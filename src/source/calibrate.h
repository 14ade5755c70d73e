/* Loops of known behaviour, which ktop doctor runs on each kind of core to
 * calibrate the bottleneck model (docs/DOCTOR.md). */
#ifndef SOURCE_CALIBRATE_H
#define SOURCE_CALIBRATE_H

#include "source/examine.h"

#include <stdbool.h>
#include <stdint.h>

enum calibrate_loop {
	CALIBRATE_ADDS,     /* independent additions and multiplications */
	CALIBRATE_STEADY,   /* as CALIBRATE_BRANCHES, but predictable */
	CALIBRATE_BRANCHES, /* branches on pseudo-random bits */
	CALIBRATE_LOADS,    /* dependent loads from 64 MB */
	CALIBRATE_LOOPS
};

/* How a source runs a loop on one kind of core. */
struct calibrate_cores {
	/* Requests a core of this kind; false: refused. May be NULL. */
	bool (*ask)(struct source *s, unsigned kind);
	int (*cpu)(struct source *s);
	/* Runs the loop in the simulator, on *cpu. Returns the iterations, 0 if
	 * it cannot run now. NULL: the loop runs natively. */
	uint64_t (*run)(struct source *s, unsigned kind,
			enum calibrate_loop loop, int *cpu);
};

/* Prints three lines per kind, or why there are none. The loops' events stay
 * programmed in x->s. */
void calibrate(struct examine *x, const struct calibrate_cores *c);

#endif
