/* Metrics tied to the slots of the set in force, once per change of the set. */
#ifndef MODEL_BOUND_H
#define MODEL_BOUND_H

#include "model/frame.h"
#include "model/span.h"
#include "model/metric.h"
#include "model/topology.h"

#include <stddef.h>

enum { BOUND_PARTS = METRIC_TERMS + TERM_SUM_MAX };

/* From less than these a value is marked. */
#define BOUND_FEW_EVENTS 100.0
#define BOUND_FEW_INSTRUCTIONS 1e6
#define BOUND_FEW_BUSY_NS 1e8 /* ten of the 10 ms that systems count it in */

/* A source of counts and what it weighs in which term. */
struct bound_part {
	unsigned source, term; /* enum term_source; index of the term */
	double weight;
	/* The fixed pair's that a dead event's count is like; 0: none. */
	unsigned stand_in;
};

struct bound {
	const struct metric *metric;
	unsigned index; /* of the metric in the monitor */
	uint32_t need;  /* 1 << term_source */
	unsigned nnum, nden;
	struct bound_part num[BOUND_PARTS], den[BOUND_PARTS];
	bool rate;       /* divides by time */
	bool hardware;   /* needs counters of the CPU, not the kernel's only */
	bool few_of_num; /* its numerator counts events that may be few */
	bool unlike;     /* kinds count different things for it */
	bool other_thread; /* slots that are left went to the other thread */
	uint8_t choice[METRIC_TERMS]; /* of "A|B|C" in num: 1 is B */
	/*
	 * 1 << slot of what it divides by that the fixed pair may stand in for
	 * where the slot counts nothing; other_modes: it then counts more modes
	 * than the slots do, and the value has its mark.
	 */
	uint32_t may_stand_in;
	bool other_modes;
};

/*
 * Ties m to the set. False when an event of it is not in the set: *why is then
 * VALUE_NOT_COUNTED or VALUE_UNSUPPORTED. catalog may be NULL.
 */
bool bound_make(struct bound *b, const struct metric *m, unsigned index,
		const struct eventset *set, const struct catalog *catalog,
		enum domain domain, enum value_state *why);

/* All metrics tied to a set. */
struct bounds {
	unsigned n;
	struct bound bound[METRIC_MAX];   /* [n] that the set counts */
	enum value_state why[METRIC_MAX]; /* of the others, by their index */
};

void bounds_make(struct bounds *b, const struct metric *const *metric,
		 unsigned nmetrics, const struct eventset *set,
		 const struct catalog *catalog, enum domain domain);

/* The CPUs a row consists of, for metrics that only some of them can count. */
struct members {
	const struct topology *topology;
	const struct span *cpus;  /* [ncpus]; NULL: only the sums are known */
	const struct span *kinds; /* [nkinds], of whole kinds */
	enum scope_level level;
	unsigned index;
	bool no_stand_in; /* dead events have none: see struct bound */
};

/*
 * The same metric of two sets: is it made of the same events, be they on other
 * slots? Then sums of one can be added to those of the other, as this numbers
 * them.
 */
bool bound_same_events(const struct bound *a, const struct bound *b);
void bound_add(const struct bound *base, struct span *to,
	       const struct bound *own, const struct span *s);

/* Is the metric made of what SPAN_DOUBT_* says cannot be true? */
bool bound_is_impossible(const struct bound *b, uint32_t doubt);

/*
 * The metric of one row; NAN and why where there is none. *marks: VALUE_SCALED
 * and the others of frame.h.
 */
double bound_value(const struct bound *b, const struct span *s,
		   const struct members *who, enum value_state *state,
		   unsigned *marks);

#endif
