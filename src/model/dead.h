/* Events that the system takes and that count nothing. */
#ifndef MODEL_DEAD_H
#define MODEL_DEAD_H

#include "base/err.h"
#include "model/span.h"
#include "model/event.h"
#include "model/topology.h"

/*
 * A count of 0 is a true number of most events: a rare one, or a load in a loop
 * that loads nothing. Those that no program runs without are another matter:
 * instructions, cycles, branches, taken branches, micro-ops (the list is in
 * dead.c). Where one of them stood at 0 on all CPUs of a kind since it counted
 * last, while those CPUs ran in the modes that it counts, it is
 *
 *   doubted after DEAD_DOUBT: its 0 is no count, and nothing is made of it;
 *   dead    after DEAD_SURE: it is said, once.
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
#define DEAD_DOUBT 1000000u
#define DEAD_SURE 1000000000u
#define DEAD_PART 16 /* fixed cycles for one that surely was of the modes */

extern const char dead_head[]; /* every reason of a dead event begins so */

struct dead_slot {
	uint64_t ran; /* since it last counted */
	bool counted; /* ever, in this set */
};

struct dead {
	unsigned nkinds;
	uint32_t must;          /* 1 << slot of those no program goes without */
	uint32_t local;         /* those of them that are never dead */
	uint32_t sure;          /* 1 << slot: dead on some kind */
	struct dead_slot *slot; /* [kind * EVENTSET_MAX + slot] */
};

bool dead_init(struct dead *x, unsigned nkinds);
void dead_done(struct dead *x);

/* Another set is in force: nothing is known of its slots. */
void dead_begin(struct dead *x, const struct eventset *set);

/*
 * Takes what was counted; what is doubted or dead is then neither had nor to
 * be had. True when `sure` is another than before.
 */
bool dead_take(struct dead *x, const struct topology *t, enum domain domain,
	       struct span *cpu);

/* Tells the set of those that are dead now: dropped, and why. */
void dead_note(const struct dead *x, const struct topology *t,
	       struct eventset *set);

#endif
