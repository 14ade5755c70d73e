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

/* Index in bottleneck_words; -1: unknown word. */
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

enum bottleneck_basis { /* unit of bottleneck.share */
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

struct share_range {             /* limits of a share, 0 to 1 */
	float low, middle, high; /* middle: most likely value; NAN: unknown */
};

struct shares {
	struct share_range of[SHARE_COUNT];
	bool open; /* the shares may add up to less than 1, as the core's other
		      thread uses the remaining slots */
};

struct bottleneck {
	uint8_t word; /* enum bottleneck_word */
	/* The most likely word if `word` is BOTTLENECK_UNKNOWN, displayed with
	 * ~ and never flagged; otherwise BOTTLENECK_UNKNOWN. */
	uint8_t estimate;
	uint8_t basis; /* enum bottleneck_basis */
	bool cannot; /* these events cannot show a bottleneck; displayed as - */
	bool flagged;     /* the loss is large enough to highlight the row */
	int8_t see;       /* preset with details; -1: none */
	int16_t evidence; /* metric that shows the cause; -1: none */
	float share;      /* share lost to the cause, 0 to 1; NAN: unknown */
	float age_s;      /* age of the counts; 0: this interval */
	float evidence_value;
	/* If the IPC dropped sharply for an unknown cause: the IPC before the
	 * drop, and the seconds since the drop; before_s 0: no drop. */
	float ipc_before, before_s;
	/* impact: lost cycles, 10^9 per second; shared: slots lost to the row's
	 * cause, % of the machine's used slots. NAN: unknown. */
	double impact, shared;
	/* All lost slots, % of the machine's used slots; for a group, the sum
	 * over its CPUs; NAN: unknown. lost_about: lost_pct is an estimate. */
	double lost_pct;
	bool lost_about;
	/* Shares of the row's issue slots; NAN: not counted. */
	struct shares slots;
};

/* Returns a bottleneck with this word and unknown numbers. */
struct bottleneck bottleneck_word_only(enum bottleneck_word word);

/* The row that the headline names: flagged by the counts of the last 5 seconds,
 * or a cluster whose IPC dropped (is.before_s > 0). If later event sets cannot
 * show bottlenecks, it stays: preset `by` showed it is.age_s ago. */
struct headline {
	unsigned scope; /* row; nscopes: none */
	struct bottleneck is;
	float since_s;  /* seconds since the cause began */
	int8_t by;      /* preset that showed it; -1: the current events */
	float window_s; /* seconds that is.share covers; 0: this interval */
};

/* ---- measured values that determine a bottleneck: model/shares.h ---- */

enum bottleneck_measure {
	/* % of slots by the vendor's formula, up to MEASURE_DELIVERY. */
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
	/* The measures above take precedence as columns of the screen. */
	MEASURE_L1I,
	MEASURE_L1ITLB,
	MEASURE_USER,        /* % of cycles in user mode */
	MEASURE_USER_IPC,    /* IPC in user mode */
	MEASURE_IPC,         /* IPC in user and kernel mode */
	MEASURE_UOPS,        /* micro-ops retired per cycle */
	MEASURE_EMPTY_SLOTS, /* slots left empty by the front end, per cycle */
	MEASURE_BLOCKED_SLOTS, /* slots blocked by the back end, per cycle */
	MEASURE_REWIND,        /* % of cycles */
	MEASURE_RECOVERY,      /* % of cycles */
	MEASURE_COUNT
};

/* Names of the measures' metrics. */
extern const char *const bottleneck_measure_metric[MEASURE_COUNT];

struct frame;

enum { BOTTLENECK_LOSSES = 5 };

struct bottleneck_loss {
	unsigned scope; /* row of a cluster or a CPU */
	double lost;    /* % of the machine's used slots */
};

/* Lists at most max rows, largest loss first: a cluster if several of its CPUs
 * have the same cause, otherwise CPUs. Returns the number of rows. loud:
 * flagged rows only. */
unsigned bottleneck_losses(const struct frame *f, bool loud,
			   struct bottleneck_loss *out, unsigned max);

/* Returns the row of the headline; nscopes: none. */
unsigned bottleneck_worst(const struct frame *f);

#endif
