/* Every derived number ktop knows is one row of this table. */
#ifndef MODEL_METRIC_H
#define MODEL_METRIC_H

#include "model/event.h"
#include "model/topology.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Pseudo events that a term may name besides the catalog's: the fixed pair (all
 * modes), and times in ns.
 */
#define METRIC_FIXED_CYCLES "FIXED_CYCLES"
#define METRIC_FIXED_INSTRUCTIONS "FIXED_INSTRUCTIONS"
#define METRIC_BUSY_NS "BUSY_NS" /* the OS's busy time of the CPUs */
#define METRIC_WALL_NS                                                         \
	"WALL_NS"                  /* awake time of the interval, once per row \
				    */
#define METRIC_CPU_NS "CPU_NS"     /* awake time x CPUs that delivered */
#define METRIC_EVENT_NS "EVENT_NS" /* time the slots counted, once per row */
/* Needs nothing, adds nothing: the last alternative of what may be missing. */
#define METRIC_NOTHING "NOTHING"
/*
 * Cycles of a whole core, where threads share it: its threads' counts add up to
 * them, or each thread counts all of them.
 */
#define METRIC_CORE_CYCLES "CORE_CYCLE_PART"
#define METRIC_CORE_CYCLES_ANY "CORE_CYCLE_ANY"

enum { METRIC_TERMS = 8 };

/*
 * Machines differ: "NEW|OLD" means the first that the database has, and every
 * alternative may be a sum, as in "MAP_UOP|MAP_INT_UOP+MAP_LDST_UOP". A metric
 * stays one row whatever the family.
 */
struct term {
	const char *event; /* NULL ends the list */
	double weight;
};

enum metric_unit {
	UNIT_RATIO, /* per cycle, per instruction ... */
	UNIT_GHZ,
	UNIT_GIPS, /* 10^9 instructions per wall second */
	UNIT_PCT,  /* 0 to 100 */
	UNIT_MPKI, /* per 1000 instructions */
	UNIT_PER_MCYCLE,
	UNIT_PER_S,
	UNIT_PER_KLDST, /* per 1000 retired loads and stores */
	UNIT_WATTS,     /* this and the next: of energy and memory traffic */
	UNIT_NJ,
	UNIT_GBS
};
extern const char *const metric_unit_name[];

/*
 * A ratio, scale * sum(num) / sum(den) of counts summed over the row's CPUs
 * first. Where a ratio cannot say it, `share` picks one of the top-down shares
 * (model/topdown.h), evaluated per kind and combined by slots.
 */
struct metric {
	const char *name;  /* CSV column, [a-z0-9_]; never renamed */
	const char *label; /* column title, at most 7 cells */
	const char *text;  /* one sentence: what it says and when it is bad */
	enum metric_unit unit;
	int decimals;
	double good, bad; /* colour runs from good to bad, either way up; equal:
			     neither */
	double scale;
	struct term num[METRIC_TERMS], den[METRIC_TERMS];
	int share;       /* 0: a ratio; else enum topdown_share + 1 */
	bool user_only;  /* meaningful only where the slots count user mode */
	bool not_user;   /* about 0 where the slots count user mode only */
	bool approx;     /* always shown as approximate (GHz) */
	const char *see; /* preset that explains a bad value, or NULL */
	bool clamp;      /* a share whose two counts are not read at once: at
			    most `scale` */
	bool optional;   /* other machines' own: not missed where the database
			    lacks its events */
	bool core;       /* num / den of whole cores, not of threads */
	bool whole;    /* not of events that count less than their name says */
	bool one_time; /* a difference: not of counts of different times */
	bool rider; /* shown where others count its events; takes no counter */
	bool of_width; /* good and bad are for a core eight wide: see mark.h */
	bool judged;   /* of no counts: monitor/bottlenecks.h writes it */
	bool event;    /* the plain rate of num[0], an event chosen by name */
};

extern const struct metric metric_table[];
extern const unsigned metric_count;
/* Room for the table and the user's own; as bits. */
enum { METRIC_MAX = 192, METRIC_WORDS = METRIC_MAX / 64 };

/* Index in the table, or -1. */
int metric_find(const char *name);

/*
 * Whether c has all events of the metric (one of each "A|B"); if not, *missing
 * (may be NULL) is the first it lacks.
 */
bool metric_possible(const struct metric *m, const struct catalog *c,
		     const char **missing);

/* The rate of an event that the set has, or had to leave out? */
bool metric_of_set(const struct metric *m, const struct eventset *set);

/* 1 << slot of each of the set's events that it is made of. */
uint32_t metric_slots(const struct metric *m, const struct eventset *set);

/*
 * Has the set an event of it? Then a metric that no CPU supports was thought to
 * be countable, and refused. Not of those that only some domains have.
 */
bool metric_refused(const struct metric *m, const struct eventset *set);

/* "1000 x BRANCH_MISPRED_NONSPEC / INST_ALL" with the live names; into buf. */
const char *metric_formula(const struct metric *m, const struct catalog *c,
			   char *buf, unsigned size);

enum { PRESET_METRICS = 24, PRESET_KEEP = 20 };

/* A question a person asks, answered by metrics in order of importance. */
struct preset {
	const char *name;
	const char *label; /* at most 8 cells, for narrow bars */
	char key;          /* '1' ... '9', or 0 */
	const char *text;  /* the question it answers */
	const char *metrics[PRESET_METRICS]; /* names, NULL ends */
	/*
	 * Events in the order they are placed where several could take the same
	 * counter; others follow. It changes no set, only who sits where, so
	 * that the counters are those other tools choose. May be empty.
	 */
	const char *order[16];
	/*
	 * What is counted first where counters are few: metrics of its own, or
	 * terms whose events a bottleneck is judged by, each where the database
	 * has it. NULL ends. May be empty.
	 */
	const char *keep[PRESET_KEEP + 1];
};
extern const struct preset preset_table[];
extern const unsigned preset_count;
int preset_find(const char *name);

/*
 * The events of the preset's metrics, those of `keep` before the others, taken
 * in order while they fit (an event whose set would not fit is dropped with the
 * reason, and the metrics that need it are then not counted). False only when
 * not one event fits: the machine has nothing the preset needs. A metric is
 * taken whole or not at all: half of a ratio would waste a counter. Where the
 * slots count user mode only, metrics that are about 0 there are taken last.
 */
bool preset_derive(const struct preset *p, const struct catalog *c,
		   enum domain domain, struct eventset *out, struct err *e);

/* What a person's own preset may name besides its metrics. */
struct preset_own {
	const char *const *event; /* these first */
	unsigned nevents;
};

/* The same, with all metrics counted, in the order they were given. */
bool preset_derive_own(const struct preset *p, const struct preset_own *own,
		       const struct catalog *c, struct eventset *out,
		       struct err *e);

/* The little language of a metric's terms: "NEW|OLD+OTHER". */

enum { TERM_SUM_MAX = 4 }; /* names in one alternative */

/* Where a term's count comes from: a slot, or one of the pseudo events. */
enum term_source {
	TERM_SLOT, /* + index of the slot */
	TERM_CYCLES = EVENTSET_MAX,
	TERM_INSTRUCTIONS,
	/* The fixed pair over exactly the time of the slots: after a swap that
	   is less than the frame. */
	TERM_SLOT_CYCLES,
	TERM_SLOT_INSTRUCTIONS,
	TERM_COUNTS, /* sources that are counts; times follow */
	TERM_BUSY_NS = TERM_COUNTS,
	TERM_WALL_NS,
	TERM_CPU_NS,
	TERM_EVENT_NS,
	TERM_NOTHING,
	TERM_SOURCES
};

/* Names of one alternative, borrowed from the term's text. */
struct term_names {
	unsigned n;
	const char *at[TERM_SUM_MAX];
	unsigned len[TERM_SUM_MAX];
};

/* Takes the next alternative off *text; false when none is left. */
bool term_next(const char **text, struct term_names *out);

/* enum term_source of a pseudo event, or -1. */
int term_pseudo(const char *name, unsigned len);

/* The events of a term on a machine; n is 0 where it names times only. */
struct term_events {
	unsigned n;
	const struct event *event[TERM_SUM_MAX];
};

/* The first alternative of which c (may be NULL) has every event. */
bool term_resolve(const char *text, const struct catalog *c,
		  struct term_events *out);

/* Which event goes on which counter: pure placement, no machine touched. */

/*
 * Places the n events on distinct counters of c->config_counters, the most
 * constrained first (ties: as given), each on its lowest free counter: the
 * rule of kpep_config_add_event, so that the framework places them alike
 * (docs/ARCHITECTURE.md, "Placement"). Writes out->slot ordered by counter.
 * Fixed events are skipped: they need no slot. False when they do not fit;
 * the sentence names the events and the counters they compete for.
 */
bool slots_place(const struct catalog *c, const struct event *const *event,
		 unsigned n, struct eventset *out, struct err *e);

/* As above without an error text: does the set fit? */
bool slots_fit(const struct catalog *c, const struct event *const *event,
	       unsigned n);

#endif
