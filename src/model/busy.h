/* The share of its time that a CPU was busy, by the OS's ticks. */
#ifndef MODEL_BUSY_H
#define MODEL_BUSY_H

#include "model/delta.h"

/*
 * Sets busy_share and busy_ns of d, whose verdict and interval stand, and what
 * the next reading begins from. `old` is what t was before the counters of this
 * reading were taken, apart_ns how far from them the ticks were read.
 *
 * Ticks of another stretch of time than the counters' are not used: cycles
 * over busy time would be no frequency, and a doubt about them no doubt.
 */
void busy_take(struct track_ticks *t, const struct track_ticks *old,
	       const struct cpu_sample *c, int64_t apart_ns, struct delta *d);

#endif
