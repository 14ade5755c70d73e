/* Assigns events to counters, for any shape of masks; pure. */
#ifndef BASE_PLACE_H
#define BASE_PLACE_H

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

enum { PLACE_MAX = 32 };

/* These events can use only these counters, which are too few. */
struct place_conflict {
	uint32_t events;   /* bits of event indices */
	uint32_t counters; /* bits of counters */
	unsigned last;     /* the event without a counter */
};

/*
 * Gives each of n events (at most PLACE_MAX) a counter: events with the fewest
 * possible counters first (ties in input order), each on its lowest free one,
 * as Apple's framework does. If that fails, earlier events move. False and
 * *why: there is no assignment.
 */
bool place_events(const uint32_t *mask, unsigned n, unsigned *counter,
		  struct place_conflict *why);

void place_put_counters(struct buf *b, uint32_t mask);

#endif
