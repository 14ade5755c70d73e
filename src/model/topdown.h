/* Top-down shares of issue slots, Apple's four. */
#ifndef MODEL_TOPDOWN_H
#define MODEL_TOPDOWN_H

#include <stdbool.h>

/* struct metric.share is one of these constants plus 1. */
enum topdown_share {
	TOPDOWN_USEFUL,
	TOPDOWN_DISCARDED,    /* discarded, and recovery */
	TOPDOWN_DELIVERY,     /* front end delivered nothing */
	TOPDOWN_PROCESSING,   /* back end accepted nothing */
	TOPDOWN_BANDWIDTH,    /* delivery without whole empty cycles */
	TOPDOWN_UNACCOUNTED,  /* remainder of four measured parts */
	TOPDOWN_OTHER_THREAD, /* remainder, by the other thread */
	TOPDOWN_SHARES
};

/* The "discarded" term of machines that count slots. */
enum topdown_discards {
	TOPDOWN_COUNTED,    /* slots lost to bad speculation */
	TOPDOWN_DISPATCHED, /* micro-ops dispatched, minus retired */
	TOPDOWN_SPECULATED, /* Arm: micro-ops executed */
	TOPDOWN_REST        /* remainder of the others */
};

/* The end whose empty slots include recovery. */
enum topdown_corrects {
	TOPDOWN_RECOVERY,        /* front end */
	TOPDOWN_RECOVERY_SHARED, /* a quarter in the front end, the rest in the
				    back end */
	TOPDOWN_RECOVERY_BACK,   /* back end */
	TOPDOWN_RIGHT            /* none */
};

/* For events that count slots: x86, newer Arm. */
struct topdown_slots {
	double slots, useful, discarded, delivery, processing, correction;
	double miscounted; /* slots of `delivery` that are not empty */
	double latency;    /* cycles without a micro-op, of all; NAN */
	enum topdown_discards discards;
	enum topdown_corrects corrects;
	/* Shares computed as the remainder; at most one. */
	bool delivery_rest, processing_rest;
	bool other_thread; /* the core's slots, two threads */
};

/* Cut to 1. If micro-ops are no slots, Arm's formula splits non-empty slots as
 * op_retired of op_spec (pmu-events, arm64/sbsa.json). Returns slots. */
double topdown_slot_shares(const struct topdown_slots *c,
			   double share[TOPDOWN_SHARES]);

/* Terms of a share's metric row, den first: one kind, summed over CPUs. */
struct topdown_counts {
	double cycles;     /* CORE_ACTIVE_CYCLE */
	double retired;    /* RETIRE_UOP */
	double stall;      /* MAP_STALL_NONRECOVERY, else MAP_STALL (M4: -
			      MAP_REWIND) */
	double rewind;     /* MAP_RECOVERY, else MAP_REWIND: cycles */
	double mapped;     /* MAP_UOP, else sum of three */
	double bubble;     /* MAP_DISPATCH_BUBBLE_SLOT, else _BUBBLE */
	bool bubble_slots; /* bubble in slots (M4 on) */
	double latency;    /* MAP_DISPATCH_BUBBLE, cycles; NAN */
	unsigned width;    /* micro-ops per cycle; 0: unknown */
};

/*
 * 0 to 1; retiring, discarded, delivery, processing and unaccounted add up to
 * 1. NAN: unknown width or no cycles. Returns slots (cycles x width), the
 * weight of kinds.
 */
double topdown_shares(const struct topdown_counts *c,
		      double share[TOPDOWN_SHARES]);

#endif
