/* The bottleneck of a row, with its evidence. */
#ifndef MODEL_BOTTLENECK_H
#define MODEL_BOTTLENECK_H

#include <stdbool.h>
#include <stdint.h>

/* Columns: constant; word in files and tables (at most 8 cells); letter;
 * predicate for sentences; preset with details, "": none; help sentence. */
/* clang-format off */
#define BOTTLENECKS(ROW) \
	ROW(BOTTLENECK_UNKNOWN, "unknown", "?", "has an unknown bottleneck", "", "The current events cannot show the cause.") \
	ROW(BOTTLENECK_OFF, "off", "o", "is off", "", "The CPU is powered down or offline.") \
	ROW(BOTTLENECK_IDLE, "idle", "i", "is idle", "", "Under 5 % busy.") \
	ROW(BOTTLENECK_KERNEL, "kernel", "K", "is mostly in the kernel", "os", "Less than half of the cycles are in user mode.") \
	ROW(BOTTLENECK_NONE, "none", ".", "has no bottleneck", "", "At least half of the issue slots retire, or no cause reaches its threshold.") \
	ROW(BOTTLENECK_MEMORY, "memory", "M", "is memory bound", "l1d", "Issue slots stay empty because loads miss the caches or stall.") \
	ROW(BOTTLENECK_BACKEND, "backend", "B", "is back-end bound", "l1d", "Issue slots stay empty because data or execution units are not ready.") \
	ROW(BOTTLENECK_FRONTEND, "frontend", "F", "is front-end bound", "frontend", "Issue slots stay empty because instructions do not arrive in time.") \
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

int bottleneck_find(const char *word);

static inline bool
bottleneck_is_cause(enum bottleneck_word w)
{
	return w >= BOTTLENECK_MEMORY;
}

static inline bool
bottleneck_loses(enum bottleneck_word w)
{
	return bottleneck_is_cause(w) || w == BOTTLENECK_KERNEL;
}

enum bottleneck_basis {
	BOTTLENECK_OF_NOTHING,
	BOTTLENECK_OF_SLOTS,
	BOTTLENECK_OF_CYCLES,
	BOTTLENECK_ESTIMATE /* share of slots, estimated */
};

enum slot_share {
	SHARE_RETIRING,
	SHARE_BAD_SPEC,
	SHARE_FRONTEND,
	SHARE_BACKEND,
	SHARE_COUNT
};

struct share_range {
	/* Limits of a share, 0 to 1. middle is the most likely value; NAN:
	 * unknown. */
	float low, middle, high;
};

struct shares {
	struct share_range of[SHARE_COUNT];
	bool open; /* with SMT: the shares may add up to less than 1, as the
		      core's other thread uses the remaining slots */
};

struct bottleneck {
	uint8_t word;
	/* If `word` is BOTTLENECK_UNKNOWN: the most likely word. Otherwise, or
	 * if no word is most likely: BOTTLENECK_UNKNOWN. */
	uint8_t estimate;
	uint8_t basis;
	bool cannot; /* the events cannot show the row's bottleneck */
	bool flagged;
	int8_t see;       /* index of the preset to use next; -1: none */
	int16_t evidence; /* metric that shows the cause; -1: none */
	float share; /* slots (BOTTLENECK_OF_CYCLES: cycles) lost to the cause,
			0 to 1; NAN: unknown */
	float age_s; /* age in seconds of the oldest counts used */
	float evidence_value;
	/* Only in struct headline, if the IPC dropped for an unknown cause: the
	 * IPC before the drop, and the seconds since the drop. before_s is 0
	 * without a drop. */
	float ipc_before, before_s;
	/* impact: lost cycles, 10^9 per second. shared: slots lost to the cause
	 * (kernel, mixed: all lost slots), % of the machine's used slots. NAN:
	 * unknown. */
	double impact, shared;
	/* All lost slots, % of the machine's used slots; of a group, the sum
	 * over its CPUs; NAN: unknown. lost_about: lost_pct is an estimate. */
	double lost_pct;
	bool lost_about;
	struct shares slots;
};

struct bottleneck bottleneck_word_only(enum bottleneck_word word);

/* The row that the headline names, because slots were lost to a cause in the
 * last 5 seconds or because the IPC of a cluster dropped (is.before_s > 0). A
 * row with a cause stays while later events cannot show bottlenecks. */
struct headline {
	unsigned scope; /* index of the row; nscopes: no row */
	struct bottleneck is;
	float since_s; /* seconds since the cause began */
	int8_t by; /* index of the preset that showed the cause earlier; -1: the
		      current events, or no preset */
	float window_s; /* seconds that is.share covers; 0: this interval */
};

enum bottleneck_measure {
	/* Top-down shares, % of issue slots, up to MEASURE_DELIVERY. */
	MEASURE_USEFUL,
	MEASURE_PROCESSING,
	MEASURE_DISCARDED,
	MEASURE_DELIVERY,
	MEASURE_STALL,  /* % of cycles */
	MEASURE_STARVE, /* % of cycles in which no micro-operation arrived */
	MEASURE_BRANCH, /* mispredicted retired branches, MPKI */
	MEASURE_BRANCH_ANY, /* mispredicted branches, wrong paths too, MPKI */
	/* Evidence of memory bound, up to MEASURE_LOAD_WAIT. */
	MEASURE_L1D_LOAD,
	MEASURE_L1D_FILL,
	MEASURE_LLC,
	MEASURE_DRAM,
	MEASURE_MEMSYS,
	MEASURE_LOAD_WAIT,
	/* ui/view/columns.c treats all measures above as evidence. */
	MEASURE_L1I,
	MEASURE_L1ITLB,
	MEASURE_USER,
	MEASURE_USER_IPC,
	MEASURE_IPC,
	MEASURE_UOPS,
	MEASURE_EMPTY_SLOTS,   /* per cycle, left empty by the front end */
	MEASURE_BLOCKED_SLOTS, /* per cycle, blocked by the back end */
	MEASURE_REWIND,        /* % of cycles */
	MEASURE_RECOVERY,      /* % of cycles */
	MEASURE_COUNT
};

extern const char *const bottleneck_measure_metric[MEASURE_COUNT];

struct frame;

enum { BOTTLENECK_LOSSES = 5 };

struct bottleneck_loss {
	unsigned scope;
	double lost; /* % of the machine's issue slots in use (unhalted cycles
			times width) */
};

/* Lists at most max rows, largest loss first: a cluster if several of its CPUs
 * have the same cause, otherwise CPUs. loud: only flagged rows. Returns the
 * number of rows. */
unsigned bottleneck_losses(const struct frame *f, bool loud,
			   struct bottleneck_loss *out, unsigned max);

/* Returns the row that the headline names; nscopes: none. */
unsigned bottleneck_worst(const struct frame *f);

#endif
