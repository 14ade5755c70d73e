/* Which event goes on which counter: pure, for any shape of masks. */
#ifndef BASE_PLACE_H
#define BASE_PLACE_H

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

enum { PLACE_MAX = 32 };

/* Why not: these events have no more than these counters between them. */
struct place_conflict {
	uint32_t events;   /* bits of indices, one more than counters has */
	uint32_t counters; /* bits of counters that may be used */
	unsigned last;     /* the event that found none */
};

/*
 * Gives each of n events (at most PLACE_MAX) with mask[i] a counter of its own
 * in counter[i]: fewest possible counters first (ties: as given), on the lowest
 * that is free, as the framework does it. Where that order leads nowhere,
 * earlier events move. False and *why only when no placement exists.
 */
bool place_events(const uint32_t *mask, unsigned n, unsigned *counter,
		  struct place_conflict *why);

/* "counter 5", "counters 5,6,7" */
void place_put_counters(struct buf *b, uint32_t mask);

#endif
