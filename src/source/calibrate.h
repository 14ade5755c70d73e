/* ktop doctor's loops of known behaviour, for each kind of core; they calibrate
 * the bottleneck model (docs/DOCTOR.md). */
#ifndef SOURCE_CALIBRATE_H
#define SOURCE_CALIBRATE_H

#include "source/examine.h"

#include <stdbool.h>
#include <stdint.h>

enum calibrate_loop {
	CALIBRATE_ADDS,     /* independent additions and multiplications */
	CALIBRATE_STEADY,   /* as CALIBRATE_BRANCHES, branch never taken */
	CALIBRATE_BRANCHES, /* branches on a shift register's bit */
	CALIBRATE_LOADS,    /* dependent loads from 64 MB */
	CALIBRATE_LOOPS
};

/* Moves a thread between kinds of core; called in it. */
struct calibrate_cores {
	/* False: the system has no such request. */
	bool (*ask)(struct source *s, unsigned kind);
	/* Returns this thread's CPU; -1: unknown. */
	int (*cpu)(struct source *s);
	/* Lets the simulator run the loop, on *cpu; returns iterations, 0:
	 * impossible now. NULL: run natively. */
	uint64_t (*run)(struct source *s, unsigned kind,
			enum calibrate_loop loop, int *cpu);
};

/* Prints three lines per kind, or the reason for none. Leaves its own events
 * programmed in x->s. */
void calibrate(struct examine *x, const struct calibrate_cores *c);

#endif
