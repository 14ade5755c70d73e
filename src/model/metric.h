/* Metrics, presets, terms of metrics, and placement of events. */
#ifndef MODEL_METRIC_H
#define MODEL_METRIC_H

#include "model/event.h"
#include "model/topology.h"

#include <stdbool.h>
#include <stdint.h>

/* Names in terms that are not events: fixed counters (all modes), and times in
 * ns. */
#define METRIC_FIXED_CYCLES "FIXED_CYCLES"
#define METRIC_FIXED_INSTRUCTIONS "FIXED_INSTRUCTIONS"
#define METRIC_BUSY_NS \
	"BUSY_NS" /* busy time of the CPUs, as the OS reports it */
#define METRIC_WALL_NS "WALL_NS" /* time awake, not summed over CPUs */
#define METRIC_CPU_NS "CPU_NS"   /* time awake, summed over CPUs with counts */
#define METRIC_EVENT_NS \
	"EVENT_NS" /* time that events were counted, not summed over CPUs */
/* Last alternative of a term: the term is 0 if the others are not counted. */
#define METRIC_NOTHING "NOTHING"
/* Cycles of a core with several threads: the sum of its threads' counts, or
 * (ANY) the largest of them. */
#define METRIC_CORE_CYCLES "CORE_CYCLE_PART"
#define METRIC_CORE_CYCLES_ANY "CORE_CYCLE_ANY"

enum { METRIC_TERMS = 8 };

/* An event, or alternatives of which the first available one is used. An
 * alternative may be a sum: "MAP_UOP|MAP_INT_UOP+MAP_LDST_UOP". */
struct term {
	const char *event; /* NULL: end of the terms */
	double weight;
};

enum metric_unit {
	UNIT_RATIO,
	UNIT_GHZ,
	UNIT_GIPS, /* 10^9 instructions per second */
	UNIT_PCT,
	UNIT_MPKI, /* per 1000 instructions */
	UNIT_PER_MCYCLE,
	UNIT_PER_S,
	UNIT_PER_KLDST, /* per 1000 retired loads and stores */
	UNIT_WATTS,
	UNIT_NJ,
	UNIT_GBS
};
extern const char *const metric_unit_name[];

/* The value is scale * sum(num) / sum(den), from counts summed over CPUs; if
 * `share` is set, a top-down share (model/topdown.h). The machine's share is
 * the mean over the kinds of core, weighted by issue slots. */
struct metric {
	const char *name;  /* CSV column [a-z0-9_]; never changes */
	const char *label; /* title, at most 7 cells */
	const char *text;
	enum metric_unit unit;
	int decimals;
	double good, bad; /* normal and bad value; equal: none */
	double scale;
	struct term num[METRIC_TERMS], den[METRIC_TERMS];
	int share;      /* 0: ratio; else enum topdown_share + 1 */
	bool user_only; /* needs events that count only user mode */
	bool not_user;  /* no value from events that count only user mode, as it
			   is about 0 there */
	bool approx;
	const char *see;
	bool clamp;    /* limited to `scale`, as its counts may cover different
			  times */
	bool optional; /* not reported as missing: many machines lack it */
	bool core;     /* per core, not per thread */
	bool whole;    /* has no value if an event is narrow */
	bool one_time; /* subtracts counts that must cover the same time */
	bool rider;    /* gets no counter in presets; displayed if other metrics
			  count its events */
	bool of_width; /* good and bad are for a core of width 8 */
	bool judged;   /* calculated from bottlenecks, not from counts */
	bool event;    /* is the rate of the event num[0] */
};

extern const struct metric metric_table[];
extern const unsigned metric_count;
/* METRIC_MAX includes metrics that the user defines. */
enum { METRIC_MAX = 192, METRIC_WORDS = METRIC_MAX / 64 };

/* Index in metric_table; -1: none. */
int metric_find(const char *name);

/* Does c have the events of all terms (of alternatives, one)? Sets *missing to
 * a term that c lacks, or NULL; missing may be NULL. */
bool metric_possible(const struct metric *m, const struct catalog *c,
		     const char **missing);

bool metric_of_set(const struct metric *m, const struct eventset *set);

uint32_t metric_slots(const struct metric *m, const struct eventset *set);

/* Does the set have an event of m's first term? If so, and if no CPU supports
 * m, the system refused the event. False for metrics of one mode and for
 * optional top-down shares. */
bool metric_refused(const struct metric *m, const struct eventset *set);

/* Writes "1000 x BRANCH_MISPRED_NONSPEC / INST_ALL" with the events of c into
 * buf, and returns buf. */
const char *metric_formula(const struct metric *m, const struct catalog *c,
			   char *buf, unsigned size);

enum { PRESET_METRICS = 24, PRESET_KEEP = 20 };

struct preset {
	const char *name;
	const char *label; /* at most 8 cells */
	char key;          /* '1' to '9'; 0: none */
	const char *text;
	const char *metrics[PRESET_METRICS];
	/* Events are placed in this order, so that they get the same counters
	 * as in other tools; other events follow. NULL ends; may be empty. */
	const char *order[16];
	/* Metrics and terms whose events get counters first. NULL ends; may be
	 * empty. */
	const char *keep[PRESET_KEEP + 1];
};
extern const struct preset preset_table[];
extern const unsigned preset_count;
int preset_find(const char *name);

/* Puts the events of the metrics into the set, those of `keep` first, as far as
 * counters suffice; lists the others as dropped, with reasons. A metric gets
 * all its events or none. If events count only user mode, not_user metrics come
 * last. False and *e: no event fits. */
bool preset_derive(const struct preset *p, const struct catalog *c,
		   enum domain domain, struct eventset *out, struct err *e);

struct preset_own {
	/* [nevents]; these events get counters before those of metrics. */
	const char *const *event;
	unsigned nevents;
};

/* As preset_derive, but with riders, and not_user metrics keep their place. */
bool preset_derive_own(const struct preset *p, const struct preset_own *own,
		       const struct catalog *c, struct eventset *out,
		       struct err *e);

/* ---- terms: "NEW|OLD+OTHER" ---- */

enum { TERM_SUM_MAX = 4 }; /* most events in an alternative */

enum term_source {
	TERM_SLOT, /* plus the event's index in the set */
	TERM_CYCLES = EVENTSET_MAX,
	TERM_INSTRUCTIONS,
	/* Fixed counters over the events' time, which is shorter than the
	 * interval after an event change. */
	TERM_SLOT_CYCLES,
	TERM_SLOT_INSTRUCTIONS,
	TERM_COUNTS, /* smaller values are counts */
	TERM_BUSY_NS = TERM_COUNTS,
	TERM_WALL_NS,
	TERM_CPU_NS,
	TERM_EVENT_NS,
	TERM_NOTHING,
	TERM_SOURCES
};

/* The names in one alternative point into the term's text and have no NUL. */
struct term_names {
	unsigned n;
	const char *at[TERM_SUM_MAX];
	unsigned len[TERM_SUM_MAX];
};

/* Reads an alternative and moves *text after it; false: none left. */
bool term_next(const char **text, struct term_names *out);

/* The enum term_source of a pseudo event; -1: not one. */
int term_pseudo(const char *name, unsigned len);

/* n 0: the alternative has only pseudo events. */
struct term_events {
	unsigned n;
	const struct event *event[TERM_SUM_MAX];
};

/* Finds the first alternative of which c (may be NULL) has all events. False:
 * none. */
bool term_resolve(const char *text, const struct catalog *c,
		  struct term_events *out);

/* ---- placement ---- */

/* Places n events on distinct counters of c->config_counters: events with the
 * fewest possible counters first (ties in the given order), each on its lowest
 * free counter, as kpep_config_add_event does (docs/ARCHITECTURE.md,
 * "Placement"). out->slot is sorted by counter, without fixed events. False and
 * *e: events conflict, are too many, or one is given twice. */
bool slots_place(const struct catalog *c, const struct event *const *event,
		 unsigned n, struct eventset *out, struct err *e);

bool slots_fit(const struct catalog *c, const struct event *const *event,
	       unsigned n);

#endif
