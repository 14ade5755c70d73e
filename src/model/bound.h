/* Finds the counts that each metric needs, once per event set. */
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

/* A count that is part of a term, with its weight. */
struct bound_part {
	unsigned source, term; /* enum term_source; index of the term */
	double weight;
	/* The fixed counter that may replace an event of count 0; 0: none. */
	unsigned stand_in;
};

struct bound {
	const struct metric *metric;
	unsigned index; /* index of the metric in the monitor */
	uint32_t need;  /* bits: 1 << term_source of each part */
	unsigned nnum, nden;
	struct bound_part num[BOUND_PARTS], den[BOUND_PARTS];
	bool rate;         /* divides by a time */
	bool hardware;     /* needs CPU counters, not only kernel counts */
	bool few_of_num;   /* a small numerator is unreliable */
	bool unlike;       /* kinds of core count different things */
	bool other_thread; /* the other thread uses the remaining slots */
	uint8_t choice[METRIC_TERMS]; /* alternative in use, by num term */
	/* Bits of denominator events that a fixed counter may replace if they
	 * count nothing. other_modes: the fixed counter counts more modes, so
	 * the value is marked VALUE_MODES. */
	uint32_t may_stand_in;
	bool other_modes;
};

/* Binds m to the events of set. False: m has no value with this set; *why is
 * VALUE_NOT_COUNTED or VALUE_UNSUPPORTED. catalog may be NULL. */
bool bound_make(struct bound *b, const struct metric *m, unsigned index,
		const struct eventset *set, const struct catalog *catalog,
		enum domain domain, enum value_state *why);

struct bounds {
	unsigned n;
	struct bound bound[METRIC_MAX];   /* [n]: metrics that the set counts */
	enum value_state why[METRIC_MAX]; /* by metric: why not counted */
};

void bounds_make(struct bounds *b, const struct metric *const *metric,
		 unsigned nmetrics, const struct eventset *set,
		 const struct catalog *catalog, enum domain domain);

/* The CPUs of a row, for metrics that only some of them count. */
struct members {
	const struct topology *topology;
	const struct span *cpus;  /* [ncpus]; NULL: only sums are known */
	const struct span *kinds; /* [nkinds], all CPUs of each kind */
	enum scope_level level;
	unsigned index;
	bool no_stand_in; /* fixed counters must not replace events */
};

/* Do a and b use the same events, perhaps in another order? If so, bound_add
 * adds s, with its events in the order of base. */
bool bound_same_events(const struct bound *a, const struct bound *b);
void bound_add(const struct bound *base, struct span *to,
	       const struct bound *own, const struct span *s);

/* Does b use counts that are impossible by these SPAN_IMPOSSIBLE_ bits? */
bool bound_is_impossible(const struct bound *b, uint32_t doubt);

/* NAN: no value, for the reason *state. *marks: VALUE_SCALED etc. (frame.h). */
double bound_value(const struct bound *b, const struct span *s,
		   const struct members *who, enum value_state *state,
		   unsigned *marks);

#endif
