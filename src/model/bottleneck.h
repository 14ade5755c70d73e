/* The bottleneck of a row, with its evidence. */
#ifndef MODEL_BOTTLENECK_H
#define MODEL_BOTTLENECK_H

#include <stdbool.h>
#include <stdint.h>

/* Constant; word in files and tables (at most 8 cells); letter; phrase for
 * sentences; preset with details, or ""; help sentence. */
/* clang-format off */
#define BOTTLENECKS(ROW) \
	ROW(BOTTLENECK_UNKNOWN, "unknown", "?", "has an unknown bottleneck", "", "The events in force do not show the cause.") \
	ROW(BOTTLENECK_OFF, "off", "o", "is off", "", "The CPU is powered down or offline.") \
	ROW(BOTTLENECK_IDLE, "idle", "i", "is idle", "", "Under 5 % busy.") \
	ROW(BOTTLENECK_KERNEL, "kernel", "K", "is mostly in the kernel", "os", "Less than half of the cycles are in user mode.") \
	ROW(BOTTLENECK_NONE, "none", ".", "has no bottleneck", "", "Half of the issue slots retire, or no cause reaches its mark.") \
	ROW(BOTTLENECK_MEMORY, "memory", "M", "is memory bound", "l1d", "Back-end bound by loads that miss or stall.") \
	ROW(BOTTLENECK_BACKEND, "backend", "B", "is back-end bound", "l1d", "Issue slots wait for data or execution units.") \
	ROW(BOTTLENECK_FRONTEND, "frontend", "F", "is front-end bound", "frontend", "Issue slots are empty: instructions are not delivered in time.") \
	ROW(BOTTLENECK_BAD_SPEC, "bad-spec", "S", "loses slots to bad speculation", "branch", "Work is discarded after branch mispredictions.") \
	ROW(BOTTLENECK_MIXED, "mixed", "x", "is bound by no single cause", "topdown", "Most slots are lost, and no cause leads by 10 points.")
/* clang-format on */

#define BOTTLENECK_NAME(name, ...) name,
enum bottleneck_word { BOTTLENECKS(BOTTLENECK_NAME) BOTTLENECK_COUNT };
#undef BOTTLENECK_NAME

struct bottleneck_texts {
	const char *word, *letter, *said, *see, *text;
};
extern const struct bottleneck_texts bottleneck_words[BOTTLENECK_COUNT];

/* Index or -1. */
int bottleneck_find(const char *word);

/* Is the bottleneck a loss with a known cause? */
static inline bool
bottleneck_is_cause(enum bottleneck_word w)
{
	return w >= BOTTLENECK_MEMORY;
}

/* Are slots lost, with or without a known cause? */
static inline bool
bottleneck_loses(enum bottleneck_word w)
{
	return bottleneck_is_cause(w) || w == BOTTLENECK_KERNEL;
}

enum bottleneck_basis { /* unit of the share */
			BOTTLENECK_OF_NOTHING,
			BOTTLENECK_OF_SLOTS,
			BOTTLENECK_OF_CYCLES,
			BOTTLENECK_ESTIMATE /* % of slots, estimated */
};

enum slot_share {
	SHARE_RETIRING,
	SHARE_BAD_SPEC,
	SHARE_FRONTEND,
	SHARE_BACKEND,
	SHARE_COUNT
};

struct share_range {             /* 0 to 1 */
	float low, middle, high; /* middle: most likely, or NAN */
};

struct shares {
	struct share_range of[SHARE_COUNT];
	bool open; /* the sum may be below 1: the core's other thread uses the
		      rest */
};

struct bottleneck {
	uint8_t word; /* enum bottleneck_word */
	/* The most likely word if `word` is unknown, displayed with ~ and never
	 * flagged; otherwise BOTTLENECK_UNKNOWN. */
	uint8_t estimate;
	uint8_t basis;    /* enum bottleneck_basis */
	bool cannot;      /* these events show no bottleneck: displayed as - */
	bool flagged;     /* its cause costs enough cycles to be highlighted */
	int8_t see;       /* preset with details; -1: none */
	int16_t evidence; /* metric that is the evidence; -1: none */
	float share;      /* lost to the cause, 0 to 1; NAN: unknown */
	float age_s;      /* age of the evidence; 0: this interval */
	float evidence_value;
	/* For BOTTLENECK_UNKNOWN: the IPC before it dropped sharply, and the
	 * seconds since then; before_s 0: no drop. */
	float ipc_before, before_s;
	/* impact: 10^9 lost cycles per second; shared: slots lost to the row's
	 * cause, % of the machine's used slots. NAN: unknown. */
	double impact, shared;
	/* Lost slots, % of the machine's used slots; of a group, the sum of its
	 * cores; NAN: unknown. lost_about: it is an estimate. */
	double lost_pct;
	bool lost_about;
	/* NAN: not counted. */
	struct shares slots;
};

/* A bottleneck of which only the word is known, as in a recording. */
struct bottleneck bottleneck_word_only(enum bottleneck_word word);

/* The row of the headline: flagged by the counts of the last 5 seconds, or a
 * cluster whose IPC dropped (is.before_s > 0). It stays while later event sets
 * show no bottleneck: `by` is the preset that showed it, is.age_s its age. */
struct headline {
	unsigned scope; /* nscopes: none */
	struct bottleneck is;
	float since_s;  /* duration of this word */
	int8_t by;      /* preset that showed it; -1: the current events */
	float window_s; /* seconds that is.share covers; 0: this interval */
};

/* ---- measured values from which a bottleneck follows: model/shares.h ---- */

enum bottleneck_measure {
	MEASURE_USEFUL, /* % of slots, vendor's formula; so are the next 3 */
	MEASURE_PROCESSING,
	MEASURE_DISCARDED,
	MEASURE_DELIVERY,
	MEASURE_STALL,  /* % of cycles; so is the next */
	MEASURE_STARVE, /* cycles in which no micro-operation arrived */
	MEASURE_BRANCH, /* mispredicted branches, MPKI; so is the next */
	MEASURE_BRANCH_ANY,
	/* Evidence of memory bound. */
	MEASURE_L1D_LOAD,
	MEASURE_L1D_FILL,
	MEASURE_LLC,
	MEASURE_DRAM,
	MEASURE_MEMSYS,
	MEASURE_LOAD_WAIT,
	/* The measures above take precedence as columns of the screen. */
	MEASURE_L1I,
	MEASURE_L1ITLB,
	MEASURE_USER,        /* % of cycles */
	MEASURE_USER_IPC,    /* in the modes of the events */
	MEASURE_IPC,         /* all modes */
	MEASURE_UOPS,        /* retired per cycle */
	MEASURE_EMPTY_SLOTS, /* of the front end, per cycle */
	MEASURE_BLOCKED_SLOTS,
	MEASURE_REWIND, /* % of cycles; so is the next */
	MEASURE_RECOVERY,
	MEASURE_COUNT
};

/* The name of each measure's metric. */
extern const char *const bottleneck_measure_metric[MEASURE_COUNT];

struct frame;

enum { BOTTLENECK_LOSSES = 5 };

struct bottleneck_loss {
	unsigned scope; /* a cluster, or a CPU */
	double lost;    /* % of the machine's used slots */
};

/* Lists rows by lost slots, largest first, at most max: clusters in which
 * several CPUs have the same cause, and other CPUs. Returns the number; 0: no
 * bottlenecks. loud: flagged rows only. */
unsigned bottleneck_losses(const struct frame *f, bool loud,
			   struct bottleneck_loss *out, unsigned max);

/* The row of the headline; nscopes: none. */
unsigned bottleneck_worst(const struct frame *f);

#endif
