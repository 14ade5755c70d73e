/* Top-down shares of issue slots, with Apple's names. */
#ifndef MODEL_TOPDOWN_H
#define MODEL_TOPDOWN_H

#include <stdbool.h>

/* struct metric.share is one of these plus 1. */
enum topdown_share {
	TOPDOWN_USEFUL,
	TOPDOWN_DISCARDED,    /* discarded work, and recovery from discarding */
	TOPDOWN_DELIVERY,     /* slots left empty by the front end */
	TOPDOWN_PROCESSING,   /* slots not accepted by the back end */
	TOPDOWN_BANDWIDTH,    /* delivery in cycles with some micro-ops */
	TOPDOWN_UNACCOUNTED,  /* remainder, if all four shares are counted */
	TOPDOWN_OTHER_THREAD, /* remainder, if the other thread uses it */
	TOPDOWN_SHARES
};

enum topdown_discards {
	TOPDOWN_COUNTED,    /* slots lost to bad speculation */
	TOPDOWN_DISPATCHED, /* micro-ops dispatched, minus retired */
	TOPDOWN_SPECULATED, /* Arm: micro-ops executed */
	TOPDOWN_REST        /* no term: remainder of the other shares */
};

/* Which end of the pipeline includes recovery in its empty slots. */
enum topdown_corrects {
	TOPDOWN_RECOVERY,        /* front end */
	TOPDOWN_RECOVERY_SHARED, /* a quarter is in the front end, the rest in
				    the back end */
	TOPDOWN_RECOVERY_BACK,   /* back end */
	TOPDOWN_RIGHT            /* none */
};

struct topdown_slots {
	double slots, useful, discarded, delivery, processing, correction;
	double miscounted; /* slots in `delivery` that were not empty */
	double latency; /* share of cycles without a micro-op; NAN: unknown */
	enum topdown_discards discards;
	enum topdown_corrects corrects;
	/* At most one is true: this share is the remainder of the others. */
	bool delivery_rest, processing_rest;
	bool other_thread; /* another thread uses slots of the core */
};

/* Shares that add up to more than 1 are reduced to a sum of 1.
 * TOPDOWN_SPECULATED: Arm's formula splits slots that are not empty by
 * op_retired / op_spec (pmu-events, arm64/sbsa.json). Returns c->slots. */
double topdown_slot_shares(const struct topdown_slots *c,
			   double share[TOPDOWN_SHARES]);

struct topdown_counts {
	double cycles;  /* CORE_ACTIVE_CYCLE */
	double retired; /* RETIRE_UOP */
	double stall;   /* MAP_STALL_NONRECOVERY, else MAP_STALL */
	double rewind;  /* MAP_RECOVERY, else MAP_REWIND: cycles */
	double mapped;  /* MAP_UOP, else the sum of three events */
	double bubble;  /* MAP_DISPATCH_BUBBLE_SLOT, else MAP_DISPATCH_BUBBLE */
	bool bubble_slots; /* bubble is in slots (M4 and later) */
	double latency;    /* MAP_DISPATCH_BUBBLE; NAN: unknown */
	unsigned width;    /* micro-ops per cycle; 0: unknown */
};

/* The shares useful, discarded, delivery, processing and unaccounted add up
 * to 1. NAN: the width is unknown, or there are no cycles. Returns the number
 * of slots, cycles x width. */
double topdown_shares(const struct topdown_counts *c,
		      double share[TOPDOWN_SHARES]);

#endif
