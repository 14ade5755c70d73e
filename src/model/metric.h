/* Metrics, presets, terms of metrics, and placement of events. */
#ifndef MODEL_METRIC_H
#define MODEL_METRIC_H

#include "model/event.h"
#include "model/topology.h"

#include <stdbool.h>
#include <stdint.h>

/* Pseudo events for terms: fixed counters (all modes), times in ns. */
#define METRIC_FIXED_CYCLES "FIXED_CYCLES"
#define METRIC_FIXED_INSTRUCTIONS "FIXED_INSTRUCTIONS"
#define METRIC_BUSY_NS "BUSY_NS" /* busy time of the CPUs, by the OS */
#define METRIC_WALL_NS "WALL_NS" /* time awake, not summed over CPUs */
#define METRIC_CPU_NS "CPU_NS"   /* time awake, summed over CPUs with counts */
#define METRIC_EVENT_NS \
	"EVENT_NS" /* time that events were counted, not summed over CPUs */
/* The last alternative of a term: it adds 0 if no event exists. */
#define METRIC_NOTHING "NOTHING"
/* Cycles of a core with several threads: the sum of its threads' counts, or
 * (ANY) the largest of them. */
#define METRIC_CORE_CYCLES "CORE_CYCLE_PART"
#define METRIC_CORE_CYCLES_ANY "CORE_CYCLE_ANY"

enum { METRIC_TERMS = 8 };

/* Of alternatives "NEW|OLD" the first one in the database is used. It may be a
 * sum: "MAP_UOP|MAP_INT_UOP+MAP_LDST_UOP". */
struct term {
	const char *event; /* NULL ends */
	double weight;
};

enum metric_unit {
	UNIT_RATIO, /* per cycle, per instruction ... */
	UNIT_GHZ,
	UNIT_GIPS, /* 10^9 instructions per second */
	UNIT_PCT,  /* 0 to 100 */
	UNIT_MPKI, /* per 1000 instructions */
	UNIT_PER_MCYCLE,
	UNIT_PER_S,
	UNIT_PER_KLDST, /* per 1000 retired loads and stores */
	UNIT_WATTS,     /* up to UNIT_GBS: energy and memory traffic */
	UNIT_NJ,
	UNIT_GBS
};
extern const char *const metric_unit_name[];

/* The value is scale * sum(num) / sum(den), from counts summed over CPUs. If
 * `share` is set, it is a top-down share (model/topdown.h), the mean over the
 * kinds, weighted by issue slots. */
struct metric {
	const char *name;  /* CSV column [a-z0-9_]; never changes */
	const char *label; /* title, at most 7 cells */
	const char *text;  /* one sentence: meaning, and when it is bad */
	enum metric_unit unit;
	int decimals;
	double good, bad; /* normal and bad value; equal: none */
	double scale;
	struct term num[METRIC_TERMS], den[METRIC_TERMS];
	int share;       /* 0: ratio; else enum topdown_share + 1 */
	bool user_only;  /* has a value only if events count user mode */
	bool not_user;   /* is about 0 in user mode */
	bool approx;     /* approximate (GHz) */
	const char *see; /* preset with details, or NULL */
	bool clamp;    /* limited to `scale`, as its counts may cover different
			  times */
	bool optional; /* not reported as missing: many machines lack it */
	bool core;     /* per core, not per thread */
	bool whole;    /* has no value from narrow events */
	bool one_time; /* subtracts counts, which must cover the same time */
	bool rider;    /* gets no counter in presets; displayed if other metrics
			  count its events */
	bool of_width; /* good and bad are for a core of width 8 */
	bool judged; /* calculated by monitor/bottlenecks.h, not from counts */
	bool event;  /* is the rate of the event num[0] */
};

extern const struct metric metric_table[];
extern const unsigned metric_count;
/* METRIC_MAX includes the user's metrics. */
enum { METRIC_MAX = 192, METRIC_WORDS = METRIC_MAX / 64 };

/* Index in metric_table; -1: none. */
int metric_find(const char *name);

/* Does c have all events (of "A|B", one)? Unless missing is NULL, sets *missing
 * to the first term that c lacks, or NULL. */
bool metric_possible(const struct metric *m, const struct catalog *c,
		     const char **missing);

/* Is m the rate of an event that the set has or has dropped? */
bool metric_of_set(const struct metric *m, const struct eventset *set);

/* Bits of the set's events that the metric uses. */
uint32_t metric_slots(const struct metric *m, const struct eventset *set);

/* Does the set have an event of the first term? If so, and no CPU supports the
 * metric, the event was refused. False for metrics of only some modes. */
bool metric_refused(const struct metric *m, const struct eventset *set);

/* Writes "1000 x BRANCH_MISPRED_NONSPEC / INST_ALL" with the events of c into
 * buf, and returns buf. */
const char *metric_formula(const struct metric *m, const struct catalog *c,
			   char *buf, unsigned size);

enum { PRESET_METRICS = 24, PRESET_KEEP = 20 };

/* A question, with metrics that answer it. */
struct preset {
	const char *name;
	const char *label;                   /* at most 8 cells */
	char key;                            /* '1' to '9'; 0: none */
	const char *text;                    /* the question */
	const char *metrics[PRESET_METRICS]; /* NULL ends */
	/* Order in which events are placed, so that they get the same counters
	 * as in other tools; other events follow. May be empty. */
	const char *order[16];
	/* Metrics, and terms that show a bottleneck, that get counters first if
	 * there are few. NULL ends; may be empty. */
	const char *keep[PRESET_KEEP + 1];
};
extern const struct preset preset_table[];
extern const unsigned preset_count;
int preset_find(const char *name);

/* Puts the metrics' events into the set, `keep` first, as far as they fit;
 * drops other events with a reason. A metric is counted completely or not at
 * all. In user mode not_user metrics come last. False: no event fits. */
bool preset_derive(const struct preset *p, const struct catalog *c,
		   enum domain domain, struct eventset *out, struct err *e);

/* Events of a user's preset. */
struct preset_own {
	const char *const *event; /* [nevents], get counters first */
	unsigned nevents;
};

/* As preset_derive, but includes riders and keeps the order of metrics. */
bool preset_derive_own(const struct preset *p, const struct preset_own *own,
		       const struct catalog *c, struct eventset *out,
		       struct err *e);

/* ---- terms: "NEW|OLD+OTHER" ---- */

enum { TERM_SUM_MAX = 4 }; /* names in an alternative */

/* Source of a count: an event of the set, or a pseudo event. */
enum term_source {
	TERM_SLOT, /* plus the event's index */
	TERM_CYCLES = EVENTSET_MAX,
	TERM_INSTRUCTIONS,
	/* Fixed counters over the events' time, which is shorter than the
	 * interval after an event change. */
	TERM_SLOT_CYCLES,
	TERM_SLOT_INSTRUCTIONS,
	TERM_COUNTS, /* counts end here; times follow */
	TERM_BUSY_NS = TERM_COUNTS,
	TERM_WALL_NS,
	TERM_CPU_NS,
	TERM_EVENT_NS,
	TERM_NOTHING,
	TERM_SOURCES
};

/* Names in one alternative; borrowed. */
struct term_names {
	unsigned n;
	const char *at[TERM_SUM_MAX];
	unsigned len[TERM_SUM_MAX];
};

/* Reads an alternative and moves *text after it; false: none left. */
bool term_next(const char **text, struct term_names *out);

/* The enum term_source of a pseudo event; -1: not one. */
int term_pseudo(const char *name, unsigned len);

/* Events of an alternative; n 0: it has only pseudo events. */
struct term_events {
	unsigned n;
	const struct event *event[TERM_SUM_MAX];
};

/* Finds the first alternative of which c (may be NULL) has all events. */
bool term_resolve(const char *text, const struct catalog *c,
		  struct term_events *out);

/* ---- placement ---- */

/* Places n events on distinct counters of c->config_counters: events with the
 * fewest possible counters first (ties in the given order), each on its lowest
 * free counter, as kpep_config_add_event does (docs/ARCHITECTURE.md,
 * "Placement"). out->slot is sorted by counter, without fixed events. False: *e
 * names the events and counters in conflict. */
bool slots_place(const struct catalog *c, const struct event *const *event,
		 unsigned n, struct eventset *out, struct err *e);

bool slots_fit(const struct catalog *c, const struct event *const *event,
	       unsigned n);

#endif
