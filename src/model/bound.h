/* Binds metrics to the counts of an event set, and calculates their values. */
#ifndef MODEL_BOUND_H
#define MODEL_BOUND_H

#include "model/frame.h"
#include "model/span.h"
#include "model/metric.h"
#include "model/topology.h"

#include <stddef.h>

enum { BOUND_PARTS = METRIC_TERMS + TERM_SUM_MAX };

/* A value from fewer events, or less time, is marked VALUE_FEW. */
#define BOUND_FEW_EVENTS 100.0
#define BOUND_FEW_INSTRUCTIONS 1e6
#define BOUND_FEW_BUSY_NS 1e8 /* ten OS ticks of 10 ms */

struct bound_part {
	/* enum term_source, and index of the term in the metric. */
	unsigned source, term;
	double weight;
	/* enum term_source of the fixed counter that may replace this event if
	 * it counts nothing; 0: none. */
	unsigned stand_in;
};

struct bound {
	const struct metric *metric;
	unsigned index;
	uint32_t need; /* bits: 1 << term_source of each part */
	unsigned nnum, nden;
	struct bound_part num[BOUND_PARTS], den[BOUND_PARTS];
	bool rate;       /* the denominator has WALL_NS, CPU_NS or EVENT_NS */
	bool hardware;   /* needs counters of the CPU, not only counts of the
			    kernel */
	bool few_of_num; /* the numerator has events of the set */
	bool unlike;     /* kinds of core count different things */
	bool other_thread;
	uint8_t choice[METRIC_TERMS]; /* index of the alternative in use, by
					 numerator term */
	/* Bits of denominator events that a fixed counter may replace if they
	 * count nothing. other_modes: the events do not count all modes, as
	 * fixed counters do. */
	uint32_t may_stand_in;
	bool other_modes;
};

/* Binds m to the events of set. catalog may be NULL. False: m has no value with
 * this set; *why is VALUE_NOT_COUNTED or VALUE_UNSUPPORTED. */
bool bound_make(struct bound *b, const struct metric *m, unsigned index,
		const struct eventset *set, const struct catalog *catalog,
		enum domain domain, enum value_state *why);

struct bounds {
	unsigned n;
	struct bound bound[METRIC_MAX];
	enum value_state why[METRIC_MAX];
};

void bounds_make(struct bounds *b, const struct metric *const *metric,
		 unsigned nmetrics, const struct eventset *set,
		 const struct catalog *catalog, enum domain domain);

struct members {
	const struct topology *topology;
	const struct span *cpus;  /* [ncpus]; NULL: only sums are known */
	const struct span *kinds; /* [nkinds], sums over CPUs */
	enum scope_level level;
	unsigned index;
	bool no_stand_in;
};

/* bound_same_events: do two bindings of one metric use the same events, perhaps
 * in other slots? bound_add: adds s, which has the slots of `own`, to `to`,
 * which has those of `base`; requires the same events. */
bool bound_same_events(const struct bound *a, const struct bound *b);
void bound_add(const struct bound *base, struct span *to,
	       const struct bound *own, const struct span *s);

bool bound_is_impossible(const struct bound *b, uint32_t doubt);

/* NAN: no value, for the reason *state. *marks: VALUE_SCALED etc. */
double bound_value(const struct bound *b, const struct span *s,
		   const struct members *who, enum value_state *state,
		   unsigned *marks);

#endif
