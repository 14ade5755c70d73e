/* The bottleneck of a row, with its evidence. */
#ifndef MODEL_BOTTLENECK_H
#define MODEL_BOTTLENECK_H

#include <stdbool.h>
#include <stdint.h>

/* Name; word in files and tables (at most 8 cells); letter; phrase in
 * sentences; preset with details (or ""); help sentence. */
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
			BOTTLENECK_ESTIMATE /* % of cycles: misses times a
					       typical cost */
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
	bool open; /* sum below 1: the core's other thread uses the rest */
};

struct bottleneck {
	uint8_t word; /* enum bottleneck_word */
	/* If `word` is unknown: the most likely one, shown with ~, never
	 * flagged; or BOTTLENECK_UNKNOWN. */
	uint8_t estimate;
	uint8_t basis;    /* enum bottleneck_basis */
	bool cannot;      /* these events cannot judge any row: shown as - */
	bool flagged;     /* the machine loses enough cycles to this cause */
	int8_t see;       /* preset with details; -1: none */
	int16_t evidence; /* metric that is the evidence; -1: none */
	float share;      /* lost to the cause, 0 to 1; NAN: unknown */
	float age_s;      /* age of the evidence; 0: this interval */
	float evidence_value;
	/* For BOTTLENECK_UNKNOWN: the IPC before a sharp fall, and how long ago
	 * it fell; before_s 0: no fall. */
	float ipc_before, before_s;
	/* Lost 10^9 cycles per second, groups: sum of cores, NAN: unknown.
	 * shared: lost to the row's cause, % of the machine's used slots. */
	double impact, shared;
	/* Lost slots, % of the machine's used slots; groups: sum of cores; NAN:
	 * unknown. lost_about: estimated. */
	double lost_pct;
	bool lost_about;
	/* NAN: not counted. */
	struct shares slots;
};

/* For a row that has only the word, as in a recording. */
struct bottleneck bottleneck_word_only(enum bottleneck_word word);

/* The headline's row: flagged by the counts of the last 3 to 5 seconds, or
 * slowed (is.before_s > 0, word unknown). Kept while later event sets cannot
 * judge: by is the preset that judged it, is.age_s its age. */
struct headline {
	unsigned scope; /* nscopes: none */
	struct bottleneck is;
	float since_s;  /* duration of this word */
	int8_t by;      /* preset that judged it; -1: the current events */
	float window_s; /* time that is.share covers; 0: this interval, as the
			   row's own word */
};

/* ---- measures that judge a row: model/shares.h ---- */

enum bottleneck_measure {
	MEASURE_USEFUL, /* vendor's formula, % of slots; as the next 3 */
	MEASURE_PROCESSING,
	MEASURE_DISCARDED,
	MEASURE_DELIVERY,
	MEASURE_STALL,  /* % of cycles, as the next */
	MEASURE_STARVE, /* no micro-operation arrived */
	MEASURE_BRANCH, /* mispredicted, MPKI; as the next */
	MEASURE_BRANCH_ANY,
	/* Evidence of memory bound. */
	MEASURE_L1D_LOAD,
	MEASURE_L1D_FILL,
	MEASURE_LLC,
	MEASURE_DRAM,
	MEASURE_MEMSYS,
	MEASURE_LOAD_WAIT,
	/* Preferred where there are few counters: the measures above. */
	MEASURE_L1I,
	MEASURE_L1ITLB,
	MEASURE_USER,        /* % of cycles */
	MEASURE_USER_IPC,    /* in the events' modes */
	MEASURE_IPC,         /* all modes */
	MEASURE_UOPS,        /* retired per cycle */
	MEASURE_EMPTY_SLOTS, /* front end, per cycle; as the next */
	MEASURE_BLOCKED_SLOTS,
	MEASURE_REWIND, /* % of cycles, as the next */
	MEASURE_RECOVERY,
	MEASURE_COUNT
};

/* By metric name. */
extern const char *const bottleneck_measure_metric[MEASURE_COUNT];

/* Rows by lost cycles, largest first; never a core and its cluster for the same
 * cause. */

struct frame;

enum { BOTTLENECK_LOSSES = 5 };

struct bottleneck_loss {
	unsigned scope; /* a cluster, or a CPU */
	double lost;    /* 10^9 cycles per second */
};

/*
 * Clusters of which two or more CPUs share the bottleneck, then other CPUs, by
 * lost cycles, from about a tenth; at most max. Returns the number; 0: no
 * bottlenecks. loud: flagged only.
 */
unsigned bottleneck_losses(const struct frame *f, bool loud,
			   struct bottleneck_loss *out, unsigned max);

/* nscopes: none. */
unsigned bottleneck_worst(const struct frame *f);

#endif
