/* Events that the system accepts, but that count nothing. */
#ifndef MODEL_ZERO_EVENTS_H
#define MODEL_ZERO_EVENTS_H

#include "base/err.h"
#include "model/span.h"
#include "model/event.h"
#include "model/topology.h"

/* A count of 0 is valid for most events, but not for instructions, cycles,
 * branches, taken branches and micro-ops (list in zero_events.c). If the count
 * of such an event is 0 on all CPUs of a kind, the event is suspect after
 * ZERO_SUSPECT work (its 0 is not used) and certain after ZERO_CERTAIN (it is
 * dropped with a reason). Any other count clears it. Work is the largest count
 * of another event in the same time or, if events count all modes, of the fixed
 * cycles. 10^9 cycles are a third of a second of a busy CPU; no code runs 10^6
 * cycles without a branch. If the event is 0 on all CPUs, at least 1 /
 * ZERO_MODE_PART of the fixed cycles are taken as work in its modes. Events of
 * mixed modes are not checked. Rates that divide by a suspect INST_ALL or
 * CORE_ACTIVE_CYCLE use the fixed counter (may_stand_in in bound.h). Two L2
 * events count only on some kinds of the M5's cores: they become suspect, but
 * not certain. */
#define ZERO_SUSPECT 1000000u
#define ZERO_CERTAIN 1000000000u
#define ZERO_MODE_PART 16

extern const char zero_events_reason[];

struct zero_slot {
	uint64_t ran; /* work since the last nonzero count */
	bool counted;
};

struct zero_events {
	unsigned nkinds;
	uint32_t must;  /* bits of events whose count should not be 0 */
	uint32_t local; /* bits of events that only some kinds of core count */
	uint32_t sure;  /* bits of events that are certain on some kind */
	struct zero_slot *slot; /* [kind * EVENTSET_MAX + slot] */
};

bool zero_events_init(struct zero_events *x, unsigned nkinds);
void zero_events_free(struct zero_events *x);

void zero_events_reset(struct zero_events *x, const struct eventset *set);

/* Updates x from a frame's counts, and marks suspect and certain events as not
 * counted there. True: `sure` changed. */
bool zero_events_apply(struct zero_events *x, const struct topology *t,
		       enum domain domain, struct span *cpu);

/* Lists the events of x->sure as dropped, with reasons, instead of those that
 * earlier calls listed. */
void zero_events_drop(const struct zero_events *x, const struct topology *t,
		      struct eventset *set);

#endif
