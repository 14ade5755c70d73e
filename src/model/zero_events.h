/* Events that the system accepts but that count nothing. */
#ifndef MODEL_ZERO_EVENTS_H
#define MODEL_ZERO_EVENTS_H

#include "base/err.h"
#include "model/span.h"
#include "model/event.h"
#include "model/topology.h"

/*
 * A count of 0 is valid for most events, but not for instructions, cycles,
 * branches, taken branches and micro-ops (list in zero_events.c). If such an
 * event is 0 on all CPUs of a kind while they ran in its modes, it is suspect
 * after ZERO_SUSPECT (its 0 is not used) and certain after ZERO_CERTAIN
 * (reported once). Any other count clears it.
 *
 * Their work is the largest count of another event in the same time or, if
 * events count all modes, of the fixed cycles. 10^9 cycles are a third of a
 * second of a busy CPU; no code runs 10^6 cycles without a branch. If the event
 * is 0 on all CPUs, at least 1 / ZERO_MODE_PART of the fixed cycles are taken
 * as work in its modes. Events of mixed modes are not checked.
 *
 * Rates that divide by a suspect INST_ALL or CORE_ACTIVE_CYCLE use the fixed
 * counter, marked if it counts more modes (may_stand_in in bound.h). Two L2
 * events count on some kinds of the M5 only: they become suspect, not certain.
 */
#define ZERO_SUSPECT 1000000u
#define ZERO_CERTAIN 1000000000u
#define ZERO_MODE_PART 16 /* fixed cycles per cycle in these modes */

extern const char zero_events_reason[]; /* start of a reason */

struct zero_slot {
	uint64_t ran; /* work since the last nonzero count */
	bool counted; /* counted at least once in this set */
};

struct zero_events {
	unsigned nkinds;
	uint32_t must;          /* bits of events that must count */
	uint32_t local;         /* bits that only some kinds count */
	uint32_t sure;          /* bits that are certain on some kind */
	struct zero_slot *slot; /* [kind * EVENTSET_MAX + slot] */
};

bool zero_events_init(struct zero_events *x, unsigned nkinds);
void zero_events_free(struct zero_events *x);

/* Starts over for a new set. */
void zero_events_reset(struct zero_events *x, const struct eventset *set);

/* Updates from counts, and marks suspect and certain events as not counted.
 * True: `sure` changed. */
bool zero_events_apply(struct zero_events *x, const struct topology *t,
		       enum domain domain, struct span *cpu);

/* Drops the events in x->sure from the set, with reasons. */
void zero_events_drop(const struct zero_events *x, const struct topology *t,
		      struct eventset *set);

#endif
