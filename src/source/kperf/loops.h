/* A loop with known counts, on a fast and on a slow core. */
#ifndef SOURCE_KPERF_LOOPS_H
#define SOURCE_KPERF_LOOPS_H

#include "source/examine.h"

/* A line for each core, with the loop's events where x->s counts a set. */
void kperf_loops(struct examine *x);

/*
 * Asks the scheduler for a fast or a slow core; what it asked, in words. File
 * mac/core.c or linux/core.c.
 */
const char *kperf_core(bool fast);

#endif
