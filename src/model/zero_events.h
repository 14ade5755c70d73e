/* Events that the system takes and that count nothing. */
#ifndef MODEL_ZERO_EVENTS_H
#define MODEL_ZERO_EVENTS_H

#include "base/err.h"
#include "model/span.h"
#include "model/event.h"
#include "model/topology.h"

/*
 * A count of 0 is a true number of most events: a rare one, or a load in a loop
 * that loads nothing. Those that no program runs without are another matter:
 * instructions, cycles, branches, taken branches, micro-ops (the list is in
 * zero_events.c). Where one of them stood at 0 on all CPUs of a kind since it
 * counted last, while those CPUs ran in the modes that it counts, it is
 *
 *   doubted after ZERO_SUSPECT: its 0 is no count, and nothing is made of it;
 *   dead    after ZERO_CERTAIN: it is said, once.
 *
 * That they ran shows in what else was counted on each of them in the same
 * time: the most of another slot's count and, where the slots count all modes,
 * the fixed cycles. 10^9 cycles are about a third of a second of one busy CPU,
 * and no code of 10^6 goes without a branch. A count of one brings it back.
 *
 * Rates that divide by one of the fixed pair's likes (INST_ALL and
 * CORE_ACTIVE_CYCLE) are divided by the fixed counter meanwhile, with a mark
 * where that counts more modes: may_stand_in in bound.h.
 *
 * Events of an L2 that belongs to one core (PL2_...) count on some kinds of an
 * M5 only: a 0 of theirs is doubted in the same way, and never called dead.
 *
 * A set may have nothing else that counts in its modes. The reader runs in all
 * of them, on some CPU: where all CPUs say that none counted it, a part of the
 * fixed cycles stands for what ran. Where the slots count different modes,
 * nothing is known.
 */
#define ZERO_SUSPECT 1000000u
#define ZERO_CERTAIN 1000000000u
#define ZERO_MODE_PART \
	16 /* fixed cycles for one that surely was of the modes */

extern const char
	zero_events_reason[]; /* every reason of a dead event begins so */

struct zero_slot {
	uint64_t ran; /* since it last counted */
	bool counted; /* ever, in this set */
};

struct zero_events {
	unsigned nkinds;
	uint32_t must;          /* 1 << slot of those no program goes without */
	uint32_t local;         /* those of them that are never dead */
	uint32_t sure;          /* 1 << slot: dead on some kind */
	struct zero_slot *slot; /* [kind * EVENTSET_MAX + slot] */
};

bool zero_events_init(struct zero_events *x, unsigned nkinds);
void zero_events_free(struct zero_events *x);

/* Another set is in force: nothing is known of its slots. */
void zero_events_reset(struct zero_events *x, const struct eventset *set);

/*
 * Takes what was counted; what is doubted or dead is then neither had nor to
 * be had. True when `sure` is another than before.
 */
bool zero_events_apply(struct zero_events *x, const struct topology *t,
		       enum domain domain, struct span *cpu);

/* Tells the set of those that are dead now: dropped, and why. */
void zero_events_drop(const struct zero_events *x, const struct topology *t,
		      struct eventset *set);

#endif
