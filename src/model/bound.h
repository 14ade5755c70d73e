/* Binds metrics to the slots of the current event set, once per set. */
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
#define BOUND_FEW_BUSY_NS 1e8 /* ten ticks of 10 ms */

/* A count with its weight in a term. */
struct bound_part {
	unsigned source, term; /* enum term_source; index of the term */
	double weight;
	/* The fixed counter that may replace a zero event; 0: none. */
	unsigned stand_in;
};

struct bound {
	const struct metric *metric;
	unsigned index; /* index of the metric in the monitor */
	uint32_t need;  /* 1 << term_source */
	unsigned nnum, nden;
	struct bound_part num[BOUND_PARTS], den[BOUND_PARTS];
	bool rate;       /* per time */
	bool hardware;   /* needs CPU counters, not only kernel counts */
	bool few_of_num; /* a small numerator is unreliable */
	bool unlike; /* kinds of core count different things under this name */
	bool other_thread; /* slots left belong to the other thread */
	uint8_t choice[METRIC_TERMS]; /* chosen alternative of each num term */
	/* Bits of denominator slots that a fixed counter may replace if they
	 * count nothing. other_modes: the fixed counter counts more modes, so
	 * the value is marked VALUE_MODES. */
	uint32_t may_stand_in;
	bool other_modes;
};

/* Binds m to the slots of set. False and *why (VALUE_NOT_COUNTED,
 * VALUE_UNSUPPORTED): the set lacks an event. catalog may be NULL. */
bool bound_make(struct bound *b, const struct metric *m, unsigned index,
		const struct eventset *set, const struct catalog *catalog,
		enum domain domain, enum value_state *why);

struct bounds {
	unsigned n;
	struct bound bound[METRIC_MAX];   /* [n]: metrics that the set counts */
	enum value_state why[METRIC_MAX]; /* reasons of the others, by metric */
};

void bounds_make(struct bounds *b, const struct metric *const *metric,
		 unsigned nmetrics, const struct eventset *set,
		 const struct catalog *catalog, enum domain domain);

/* The CPUs of a row, for metrics that only some of them count. */
struct members {
	const struct topology *topology;
	const struct span *cpus;  /* [ncpus]; NULL: only sums are known */
	const struct span *kinds; /* [nkinds], of whole kinds */
	enum scope_level level;
	unsigned index;
	bool no_stand_in; /* fixed counters must not replace events */
};

/* Do a and b use the same events, perhaps in other slots? If so, bound_add adds
 * s, with its slots numbered as in base. */
bool bound_same_events(const struct bound *a, const struct bound *b);
void bound_add(const struct bound *base, struct span *to,
	       const struct bound *own, const struct span *s);

/* Does the metric use counts marked SPAN_IMPOSSIBLE_? */
bool bound_is_impossible(const struct bound *b, uint32_t doubt);

/* NAN: no value, for the reason *state. *marks: VALUE_SCALED etc. (frame.h). */
double bound_value(const struct bound *b, const struct span *s,
		   const struct members *who, enum value_state *state,
		   unsigned *marks);

#endif
