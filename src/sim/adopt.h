/*
 * A real child of the caller, taken for a process of the simulated machine, so
 * that a command that ktop starts has counts there. It computes on one core
 * all the time: what it has is a function of how long it was there.
 */
#ifndef SIM_ADOPT_H
#define SIM_ADOPT_H

#include "sim/kernel.h"

#include <stdbool.h>

/* NULL: no child of ours, or it has been waited for. Begins when first asked.
 */
const struct sim_adopted *sim_adopt(struct sim_kernel *k, int32_t pid);

/* One the caller asked for before, and which is still there. */
bool sim_adopt_known(const struct sim_kernel *k, int32_t pid);

/* On each kind of core, from its beginning to now or to its end. */
void sim_adopt_counts(const struct sim_kernel *k, const struct sim_adopted *a,
		      struct sim_count out[SIM_MAX_KINDS]);

#endif
