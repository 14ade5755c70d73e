/* Assigns events to the counters that they can use. */
#ifndef BASE_PLACE_H
#define BASE_PLACE_H

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

enum { PLACE_MAX = 32 };

/* Why place_events failed: these events can use only these counters, which are
 * too few. */
struct place_conflict {
	uint32_t events;   /* bit i: event i */
	uint32_t counters; /* bit i: counter i */
	unsigned last;
};

/* Sets counter[i] for each of n events (at most PLACE_MAX). mask[i]: counters
 * that event i can use. Events with the fewest possible counters come first
 * (ties in input order), each on its lowest free counter. If no counter is
 * free, earlier events move. False and *why: no solution. */
bool place_events(const uint32_t *mask, unsigned n, unsigned *counter,
		  struct place_conflict *why);

void place_put_counters(struct buf *b, uint32_t mask);

#endif
