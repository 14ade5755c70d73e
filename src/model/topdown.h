/* The four top-down shares of issue slots, with Apple's names. */
#ifndef MODEL_TOPDOWN_H
#define MODEL_TOPDOWN_H

#include <stdbool.h>

/* struct metric.share is one of these constants plus 1. */
enum topdown_share {
	TOPDOWN_USEFUL,
	TOPDOWN_DISCARDED,    /* discarded work, and recovery from it */
	TOPDOWN_DELIVERY,     /* slots left empty by the front end */
	TOPDOWN_PROCESSING,   /* slots not accepted by the back end */
	TOPDOWN_BANDWIDTH,    /* delivery in cycles with some micro-ops */
	TOPDOWN_UNACCOUNTED,  /* remainder of four measured parts */
	TOPDOWN_OTHER_THREAD, /* the remainder, used by the other thread */
	TOPDOWN_SHARES
};

/* Meaning of the "discarded" term on machines that count slots. */
enum topdown_discards {
	TOPDOWN_COUNTED,    /* slots lost to bad speculation */
	TOPDOWN_DISPATCHED, /* micro-ops dispatched, minus retired */
	TOPDOWN_SPECULATED, /* Arm: micro-ops executed */
	TOPDOWN_REST        /* no term: remainder of the other shares */
};

/* The end of the pipeline whose empty slots include recovery. */
enum topdown_corrects {
	TOPDOWN_RECOVERY,        /* front end */
	TOPDOWN_RECOVERY_SHARED, /* a quarter in the front end, the rest in the
				    back end */
	TOPDOWN_RECOVERY_BACK,   /* back end */
	TOPDOWN_RIGHT            /* none */
};

/* Terms on machines that count slots: x86, newer Arm. */
struct topdown_slots {
	double slots, useful, discarded, delivery, processing, correction;
	double miscounted; /* slots of `delivery` that are not empty */
	double latency; /* share of cycles without a micro-op; NAN: unknown */
	enum topdown_discards discards;
	enum topdown_corrects corrects;
	/* At most one is set: the share is the remainder of the others. */
	bool delivery_rest, processing_rest;
	bool other_thread; /* two threads share the core's slots */
};

/* The sum is cut to 1. TOPDOWN_SPECULATED: Arm's formula splits non-empty slots
 * by op_retired / op_spec (pmu-events, arm64/sbsa.json). Returns c->slots. */
double topdown_slot_shares(const struct topdown_slots *c,
			   double share[TOPDOWN_SHARES]);

/* Terms of a top-down metric, cycles first, summed over CPUs of one kind. */
struct topdown_counts {
	double cycles;     /* CORE_ACTIVE_CYCLE */
	double retired;    /* RETIRE_UOP */
	double stall;      /* MAP_STALL_NONRECOVERY, else MAP_STALL (M4: minus
			      MAP_REWIND) */
	double rewind;     /* MAP_RECOVERY, else MAP_REWIND: cycles */
	double mapped;     /* MAP_UOP, else the sum of three events */
	double bubble;     /* MAP_DISPATCH_BUBBLE_SLOT, else _BUBBLE */
	bool bubble_slots; /* bubble is in slots (M4 on) */
	double latency;    /* MAP_DISPATCH_BUBBLE, cycles; NAN: unknown */
	unsigned width;    /* micro-ops per cycle; 0: unknown */
};

/*
 * Shares are 0 to 1; useful, discarded, delivery, processing and unaccounted
 * add up to 1. NAN: unknown width or no cycles. Returns the number of slots,
 * cycles x width.
 */
double topdown_shares(const struct topdown_counts *c,
		      double share[TOPDOWN_SHARES]);

#endif
