/* Where a core's issue slots go, in Apple's four words. */
#ifndef MODEL_TOPDOWN_H
#define MODEL_TOPDOWN_H

#include <stdbool.h>

/* struct metric.share is one of these + 1. */
enum topdown_share {
	TOPDOWN_USEFUL,       /* micro-ops that retired */
	TOPDOWN_DISCARDED,    /* thrown away, and the time to recover */
	TOPDOWN_DELIVERY,     /* the front end brought nothing */
	TOPDOWN_PROCESSING,   /* the back end took nothing */
	TOPDOWN_BANDWIDTH,    /* the part of delivery that is not a whole cycle
				 without micro-ops */
	TOPDOWN_UNACCOUNTED,  /* what the four parts leave, where each of them
				 is measured */
	TOPDOWN_OTHER_THREAD, /* the same where the core's other thread had it
			       */
	TOPDOWN_SHARES
};

/* What the "discarded" term of a machine that counts slots is. */
enum topdown_discards {
	TOPDOWN_COUNTED,    /* slots lost to bad speculation */
	TOPDOWN_DISPATCHED, /* micro-ops dispatched: less those that retired */
	TOPDOWN_SPECULATED, /* Arm: micro-ops executed, of which some retired */
	TOPDOWN_REST        /* not counted: what the other three leave */
};

/* Whose empty slots contain those of the recovery from mispredictions. */
enum topdown_corrects {
	TOPDOWN_RECOVERY,        /* the front end's, all of them */
	TOPDOWN_RECOVERY_SHARED, /* the front end's a quarter, else the back's
				  */
	TOPDOWN_RECOVERY_BACK,   /* the back end's */
	TOPDOWN_RIGHT            /* nobody's */
};

/* Machines whose events count issue slots themselves, as x86 and newer ARM. */
struct topdown_slots {
	double slots, useful, discarded, delivery, processing, correction;
	double miscounted; /* of `delivery`: slots that are not empty */
	double latency;    /* cycles without a micro-op, of all cycles; NAN */
	enum topdown_discards discards;
	enum topdown_corrects corrects;
	/* Not counted: what the others leave. At most one of the two. */
	bool delivery_rest, processing_rest;
	bool other_thread; /* slots are the core's, which has two threads */
};

/*
 * The shares, brought to 1 where the parts claim more than there is. Where
 * micro-ops are larger or smaller than slots, Arm's formula makes slots of
 * them: those that are not empty, shared out as op_retired is of op_spec
 * (kernel pmu-events, arm64/sbsa.json). Returns the slots.
 */
double topdown_slot_shares(const struct topdown_slots *c,
			   double share[TOPDOWN_SHARES]);

/*
 * The terms of a share's metric row, in this order (den first): counts of one
 * kind, summed over its CPUs.
 */
struct topdown_counts {
	double cycles;  /* CORE_ACTIVE_CYCLE */
	double retired; /* RETIRE_UOP */
	double stall;   /* MAP_STALL_NONRECOVERY, else MAP_STALL (M4:
			   less MAP_REWIND) */
	double rewind;  /* MAP_RECOVERY, else MAP_REWIND: in cycles */
	double mapped;  /* MAP_UOP, else the sum of the three kinds */
	double bubble;  /* MAP_DISPATCH_BUBBLE_SLOT, else MAP_DISPATCH_BUBBLE */
	bool bubble_slots; /* bubble counts slots, not cycles (M4 and later) */
	double latency;    /* MAP_DISPATCH_BUBBLE, cycles; NAN: not counted */
	unsigned width;    /* micro-ops mapped per cycle; 0: unknown */
};

/*
 * The shares, 0 to 1; useful, discarded, delivery, processing and what is not
 * accounted for sum to 1. All
 * NAN where the width is unknown or there were no cycles. Returns the slots
 * they are shares of (cycles x width), the weight to combine kinds by.
 */
double topdown_shares(const struct topdown_counts *c,
		      double share[TOPDOWN_SHARES]);

#endif
