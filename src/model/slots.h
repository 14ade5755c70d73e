/* Which event goes on which counter: pure placement, no machine touched. */
#ifndef MODEL_SLOTS_H
#define MODEL_SLOTS_H

#include "model/event.h"

/*
 * Places the n events on distinct counters of c->config_counters, the most
 * constrained first (ties: as given), each on its lowest free counter: the
 * rule of kpep_config_add_event, so that the framework places them alike
 * (docs/ARCHITECTURE.md, "Placement"). Writes out->slot ordered by counter.
 * Fixed events are skipped: they need no slot. False when they do not fit;
 * the sentence names the events and the counters they compete for.
 */
bool slots_place(const struct catalog *c, const struct event *const *event,
		 unsigned n, struct eventset *out, struct err *e);

/* As above without an error text: does the set fit? */
bool slots_fit(const struct catalog *c, const struct event *const *event,
	       unsigned n);

#endif
