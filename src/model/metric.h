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
#define METRIC_BUSY_NS "BUSY_NS" /* OS busy time of the CPUs */
#define METRIC_WALL_NS "WALL_NS" /* awake interval, not summed over CPUs */
#define METRIC_CPU_NS "CPU_NS"   /* awake time x CPUs with counts */
#define METRIC_EVENT_NS \
	"EVENT_NS" /* counting time of the slots, not summed over CPUs */
/* Adds 0 without an event: the last alternative of a term. */
#define METRIC_NOTHING "NOTHING"
/* Events for the cycles of a whole core with several threads: either the sum of
 * the threads' counts, or the count of any thread. */
#define METRIC_CORE_CYCLES "CORE_CYCLE_PART"
#define METRIC_CORE_CYCLES_ANY "CORE_CYCLE_ANY"

enum { METRIC_TERMS = 8 };

/* Of the alternatives "NEW|OLD" the first that the database has is used. An
 * alternative may be a sum: "MAP_UOP|MAP_INT_UOP+MAP_LDST_UOP". */
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
	UNIT_WATTS,     /* energy and memory traffic; so are the next */
	UNIT_NJ,
	UNIT_GBS
};
extern const char *const metric_unit_name[];

/* scale * sum(num) / sum(den), from counts summed over CPUs. If `share` is set:
 * a top-down share (model/topdown.h) of each kind, combined by slots. */
struct metric {
	const char *name;  /* CSV column [a-z0-9_]; never changes */
	const char *label; /* title, at most 7 cells */
	const char *text;  /* one sentence: meaning, and when it is bad */
	enum metric_unit unit;
	int decimals;
	double good, bad; /* colour range; equal: none */
	double scale;
	struct term num[METRIC_TERMS], den[METRIC_TERMS];
	int share;       /* 0: ratio; else enum topdown_share + 1 */
	bool user_only;  /* has a value only if slots count user mode */
	bool not_user;   /* about 0 in user mode */
	bool approx;     /* approximate (GHz) */
	const char *see; /* preset that explains it, or NULL */
	bool clamp;      /* counts may be of different times: cut to `scale` */
	bool optional; /* of other machines' events: not reported as missing */
	bool core;     /* per core, not per thread */
	bool whole;    /* has no value from narrow events */
	bool one_time; /* a difference: its counts must cover the same time */
	bool rider; /* takes no counter itself; displayed if other metrics count
		       its events */
	bool of_width; /* good and bad are for a core of width 8 (mark.h) */
	bool judged; /* calculated by monitor/bottlenecks.h, not from counts */
	bool event;  /* the rate of the event num[0] */
};

extern const struct metric metric_table[];
extern const unsigned metric_count;
/* The table and the user's metrics. */
enum { METRIC_MAX = 192, METRIC_WORDS = METRIC_MAX / 64 };

/* Or -1. */
int metric_find(const char *name);

/* Has c all events (of "A|B", one)? *missing (may be NULL): the first event
 * that it lacks. */
bool metric_possible(const struct metric *m, const struct catalog *c,
		     const char **missing);

/* Is it the rate of an event that the set has, or that was dropped? */
bool metric_of_set(const struct metric *m, const struct eventset *set);

/* Bits of the set's slots that the metric uses. */
uint32_t metric_slots(const struct metric *m, const struct eventset *set);

/* Does the set have an event of the first term? If so, and no CPU supports the
 * metric, it was refused. False for metrics of only some domains. */
bool metric_refused(const struct metric *m, const struct eventset *set);

/* Writes "1000 x BRANCH_MISPRED_NONSPEC / INST_ALL" with the events of c into
 * buf, and returns buf. */
const char *metric_formula(const struct metric *m, const struct catalog *c,
			   char *buf, unsigned size);

enum { PRESET_METRICS = 24, PRESET_KEEP = 20 };

/* A question, which metrics answer, in order of importance. */
struct preset {
	const char *name;
	const char *label;                   /* at most 8 cells */
	char key;                            /* '1' to '9', or 0 */
	const char *text;                    /* the question */
	const char *metrics[PRESET_METRICS]; /* NULL ends */
	/* Events placed first when several could take a counter, so that
	 * counters match those of other tools. May be empty. */
	const char *order[16];
	/* If counters are few, these are counted first: metrics, or terms that
	 * show a bottleneck. NULL ends; may be empty. */
	const char *keep[PRESET_KEEP + 1];
};
extern const struct preset preset_table[];
extern const unsigned preset_count;
int preset_find(const char *name);

/* Puts the metrics' events into the set, `keep` first, as far as they fit;
 * drops others with a reason. A metric is counted completely or not at all. In
 * user mode not_user metrics come last. False: not one event fits. */
bool preset_derive(const struct preset *p, const struct catalog *c,
		   enum domain domain, struct eventset *out, struct err *e);

/* Events of a user's preset. */
struct preset_own {
	const char *const *event; /* placed first */
	unsigned nevents;
};

/* As preset_derive, with all metrics, in the given order. */
bool preset_derive_own(const struct preset *p, const struct preset_own *own,
		       const struct catalog *c, struct eventset *out,
		       struct err *e);

/* ---- terms: "NEW|OLD+OTHER" ---- */

enum { TERM_SUM_MAX = 4 }; /* names in an alternative */

/* Source of a count: slot or pseudo event. */
enum term_source {
	TERM_SLOT, /* + index of the slot */
	TERM_CYCLES = EVENTSET_MAX,
	TERM_INSTRUCTIONS,
	/* Fixed counters over the slots' time, which is shorter than the frame
	 * after an event change. */
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

/* The names of one alternative; borrowed. */
struct term_names {
	unsigned n;
	const char *at[TERM_SUM_MAX];
	unsigned len[TERM_SUM_MAX];
};

/* Moves *text after the next alternative; false: none. */
bool term_next(const char **text, struct term_names *out);

/* Or -1. */
int term_pseudo(const char *name, unsigned len);

/* Events of an alternative; n 0: it has only pseudo events. */
struct term_events {
	unsigned n;
	const struct event *event[TERM_SUM_MAX];
};

/* Finds the first alternative of which c (may be NULL) has all events. */
bool term_resolve(const char *text, const struct catalog *c,
		  struct term_events *out);

/* ---- placement: pure ---- */

/* Places n events on distinct counters of c->config_counters: events with the
 * fewest possible counters first (ties: as given), each on its lowest free one,
 * as kpep_config_add_event does (docs/ARCHITECTURE.md, "Placement"). out->slot:
 * by counter, without fixed events. False: *e has the events and counters in
 * conflict. */
bool slots_place(const struct catalog *c, const struct event *const *event,
		 unsigned n, struct eventset *out, struct err *e);

/* Would slots_place succeed? */
bool slots_fit(const struct catalog *c, const struct event *const *event,
	       unsigned n);

#endif
