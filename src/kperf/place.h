/* Which event goes on which counter: pure, for any shape of masks. */
#ifndef KPERF_PLACE_H
#define KPERF_PLACE_H

#include <stdbool.h>
#include <stdint.h>

enum { KPERF_PLACE_MAX = 32 };

/* Why not: these events have no more than these counters between them. */
struct kperf_squeeze {
	uint32_t events;   /* bits of indices, one more than counters has */
	uint32_t counters; /* bits of counters that may be used */
};

/*
 * Gives each of n events (at most KPERF_PLACE_MAX) with mask[i] a counter of
 * its own in counter[i]: fewest possible counters first (ties: as given), on
 * the lowest that is free, as the framework does it. Where that order leads
 * nowhere, earlier events move. False and *why only when no placement exists.
 */
bool kperf_place(const uint32_t *mask, unsigned n, unsigned *counter,
		 struct kperf_squeeze *why);

#endif
