/* What a row's cycles go to, in one word with its evidence. */
#ifndef MODEL_BOTTLENECK_H
#define MODEL_BOTTLENECK_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Name; word in files and tables (at most 8 cells); its letter, where a cell is
 * all there is; what is said of a row; preset that shows more ("": none); a
 * sentence for the help.
 */
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

/* Index of the word, or -1. */
int bottleneck_find(const char *word);

/* Is something lost to a cause that has a name? */
static inline bool
bottleneck_is_cause(enum bottleneck_word w)
{
	return w >= BOTTLENECK_MEMORY;
}

/* Are cycles lost to it, with or without a cause? */
static inline bool
bottleneck_loses(enum bottleneck_word w)
{
	return bottleneck_is_cause(w) || w == BOTTLENECK_KERNEL;
}

enum bottleneck_basis { /* what a share is of */
			BOTTLENECK_OF_NOTHING,
			BOTTLENECK_OF_SLOTS,
			BOTTLENECK_OF_CYCLES,
			BOTTLENECK_ESTIMATE /* of cycles: misses times a usual
					       cost */
};

enum slot_share {
	SHARE_RETIRING,
	SHARE_BAD_SPEC,
	SHARE_FRONTEND,
	SHARE_BACKEND,
	SHARE_COUNT
};

struct share_range {             /* 0 to 1 */
	float low, middle, high; /* middle: the likeliest; NAN: none is */
};

struct shares {
	struct share_range of[SHARE_COUNT];
	bool open; /* they add up to less than 1: another thread has the rest */
};

/* Of one row in one frame. */
struct bottleneck {
	uint8_t word; /* enum bottleneck_word */
	/*
	 * Where the word is unknown, the likeliest one by what was counted:
	 * shown with ~, never flagged. BOTTLENECK_UNKNOWN: none.
	 */
	uint8_t estimate;
	uint8_t basis;    /* enum bottleneck_basis */
	bool cannot;      /* the events in force judge no row: shown as - */
	bool flagged;     /* enough of the machine's cycles are lost to it */
	int8_t see;       /* preset that tells more, or would tell; -1: none */
	int16_t evidence; /* metric whose value is the evidence; -1: none */
	float share;      /* lost to the cause, 0 to 1; NAN: unknown */
	float age_s; /* of the share, or of what else the word rests on; 0: now
		      */
	float evidence_value;
	/*
	 * Of BOTTLENECK_UNKNOWN: the IPC that it has fallen far below, and how
	 * long ago that was; 0: it has not, and ipc_before means nothing.
	 */
	float ipc_before, before_s;
	/*
	 * 10^9 cycles a second whose slots are lost, of groups the sum of their
	 * cores'; NAN where it is not known. `shared`: lost to the row's own
	 * cause, % of the slots in use of the machine.
	 */
	double impact, shared;
	/*
	 * Lost issue slots, % of the slots in use of the machine; of groups the
	 * sum of their cores'. NAN: unknown. lost_about: estimated.
	 */
	double lost_pct;
	bool lost_about;
	/* Where its slots go; NAN where the events do not tell. */
	struct shares slots;
};

/* Of a row that only its word is known of. */
struct bottleneck bottleneck_word_only(enum bottleneck_word word);

/*
 * The row that the first line is of: a cause is flagged by the counts of the
 * last 3 to 5 seconds, or it has slowed (is.before_s > 0: then the word is
 * unknown). The last judgement stays where later events judge nothing: by is
 * the preset of those events, is.age_s how long ago it was made.
 */
struct headline {
	unsigned scope; /* of the frame; nscopes: no row */
	struct bottleneck is;
	float since_s; /* so long the row has had this word */
	int8_t by;     /* -1: the events in force */
};

/* ---- what a row is judged by: model/shares.h ---- */

enum bottleneck_measure {
	MEASURE_USEFUL, /* % of slots by the vendor's formula; as the next 3 */
	MEASURE_PROCESSING,
	MEASURE_DISCARDED,
	MEASURE_DELIVERY,
	MEASURE_STALL,  /* % of cycles, as the next */
	MEASURE_STARVE, /* no micro-operation came */
	MEASURE_BRANCH, /* mispredicted, per 1000 instructions; as the next */
	MEASURE_BRANCH_ANY,
	/* Evidence that the back end waits for memory. */
	MEASURE_L1D_LOAD,
	MEASURE_L1D_FILL,
	MEASURE_LLC,
	MEASURE_DRAM,
	MEASURE_MEMSYS,
	MEASURE_LOAD_WAIT,
	/* Those above are shown first where columns are few. */
	MEASURE_L1I,
	MEASURE_L1ITLB,
	MEASURE_USER,        /* % of the cycles in user mode */
	MEASURE_USER_IPC,    /* of the modes that the events count */
	MEASURE_IPC,         /* of all modes */
	MEASURE_UOPS,        /* retired, a cycle */
	MEASURE_EMPTY_SLOTS, /* of the front end, a cycle; as the next */
	MEASURE_BLOCKED_SLOTS,
	MEASURE_REWIND, /* % of cycles, as the next */
	MEASURE_RECOVERY,
	MEASURE_COUNT
};

/* The metric of each measure, by name. */
extern const char *const bottleneck_measure_metric[MEASURE_COUNT];

/* Where cycles are lost, worst first: never a core and its cluster for one
 * cause. */

struct frame;

enum { BOTTLENECK_LOSSES = 5 }; /* as many as a person looks at */

struct bottleneck_loss {
	unsigned scope; /* a cluster, or a CPU */
	double lost;    /* 10^9 cycles a second */
};

/*
 * Clusters where two or more CPUs share the bottleneck, then the CPUs that none
 * of those speaks for, by cycles lost, if a tenth or so; at most max. How many.
 * Rows with an unknown cause are among them by all that they lose. With `loud`
 * only flagged ones. 0 where the frame has no bottlenecks.
 */
unsigned bottleneck_losses(const struct frame *f, bool loud,
			   struct bottleneck_loss *out, unsigned max);

/* The row that the headline is of; nscopes: none. */
unsigned bottleneck_worst(const struct frame *f);

#endif
