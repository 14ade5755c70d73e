/* What is said of runs: values as the system has them, and ratios of two. */
#ifndef STAT_VALUE_H
#define STAT_VALUE_H

#include "model/stat.h"
#include "stat/run.h"

/*
 * Constant; name in files; label in the report; unit. What is measured; a run
 * has each once, and of the last four also for each part.
 */
/* clang-format off */
#define VALUE_TABLE(ROW) \
	ROW(VALUE_ELAPSED, "elapsed", "elapsed", "s") \
	ROW(VALUE_USER, "user", "user", "s") \
	ROW(VALUE_SYSTEM, "system", "system", "s") \
	ROW(VALUE_FAULTS, "page_faults", "page faults", "count") \
	ROW(VALUE_MAJOR, "major_faults", "from disk", "count") \
	ROW(VALUE_SWITCHES, "context_switches", "switches", "count") \
	ROW(VALUE_PREEMPTED, "involuntary_switches", "preempted", "count") \
	ROW(VALUE_RSS, "max_rss", "max RSS", "bytes") \
	ROW(VALUE_COUNTED, "counted_cpu_time", "counted", "s") \
	ROW(VALUE_CPU, "cpu_time", "CPU time", "s") \
	ROW(VALUE_CYCLES, "cycles", "cycles", "count") \
	ROW(VALUE_INSTRUCTIONS, "instructions", "instructions", "count") \
	ROW(VALUE_ENERGY, "energy_estimate", "energy (est.)", "J")

/* The same, then what is divided by what, and a factor. */
#define RATIO_TABLE(ROW) \
	ROW(RATIO_IPC, "ipc", "IPC", "1", VALUE_INSTRUCTIONS, VALUE_CYCLES, 1) \
	ROW(RATIO_GHZ, "ghz", "clock", "GHz", VALUE_CYCLES, VALUE_COUNTED, 1e-9) \
	ROW(RATIO_CPUS, "cpus_used", "CPUs used", "1", VALUE_CPU, VALUE_ELAPSED, 1) \
	ROW(RATIO_NJ, "nj_per_instruction", "nJ an instruction", "nJ", VALUE_ENERGY, VALUE_INSTRUCTIONS, 1e9)
/* clang-format on */

#define VALUE_CONSTANT(constant, ...) constant,
enum {
	VALUE_TABLE(VALUE_CONSTANT) VALUE_PARTED =
		VALUE_CPU, /* from here on of parts, too */
	VALUE_COUNT = VALUE_ENERGY + 1,
	VALUE_OF_PARTS = VALUE_COUNT - VALUE_PARTED,
	VALUE_OF_PART_0 = VALUE_COUNT, /* the first of the first part */
	VALUE_EVENT = VALUE_OF_PART_0 + VALUE_OF_PARTS * PROCESS_PARTS,
	VALUES = VALUE_EVENT + COUNTER_EVENTS
};
enum { RATIO_TABLE(VALUE_CONSTANT) RATIOS };
#undef VALUE_CONSTANT

struct value_texts {
	const char *name, *label, *unit;
};
extern const struct value_texts value_texts[VALUE_COUNT];

struct ratio_texts {
	struct value_texts texts;
	unsigned above, below; /* values */
	double factor;
};
extern const struct ratio_texts ratio_table[RATIOS];

/* Where the value of a part is; value: VALUE_PARTED or above. */
static inline unsigned
value_of_part(unsigned value, unsigned part)
{
	return VALUE_OF_PART_0 + VALUE_OF_PARTS * part + value - VALUE_PARTED;
}

extern const char value_times_why[];

/* All runs of one command. */
struct value_set {
	unsigned n, room;
	double *v;    /* [VALUES * room]: the runs of a value are neighbours */
	double *work; /* [2 * room] */
	bool times_exceed; /* user and system are unknown: value_times_why */
};

bool value_set_init(struct value_set *s, unsigned room);
void value_set_free(struct value_set *s);

/* Adds a run; there is room. `c` says how it was counted. */
void value_set_add(struct value_set *s, const struct counter *c,
		   const struct stat_run *run);

static inline const double *
value_runs(const struct value_set *s, unsigned value)
{
	return s->v + (size_t)value * s->room;
}

void value_describe(const struct value_set *s, unsigned value,
		    struct stat_series *out);

/* part -1: the whole. What has too few cycles for it is unknown. */
void value_describe_ratio(const struct value_set *s, unsigned ratio, int part,
			  struct stat_series *out);

/* Of a value, or with VALUES + ratio of a ratio of the whole. */
void value_compare(const struct value_set *a, const struct value_set *b,
		   unsigned value, bool by_turns, struct stat_change *out);

#endif
