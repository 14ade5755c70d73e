/* Counts of a CPU, group or process over a time. */
#ifndef MODEL_SPAN_H
#define MODEL_SPAN_H

#include "model/quality.h"
#include "model/metric.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum {                             /* why counts are impossible */
       SPAN_IMPOSSIBLE_COUNTS = 1, /* all counters of the CPU are wrong */
       SPAN_IMPOSSIBLE_CLOCK = 2   /* cycles do not match the busy time */
};

/* Bit of have_any, not a term_source: busy time is finer than OS ticks. */
#define SPAN_BUSY_FINE (UINT32_C(1) << 31)

/* Higher clocks, in GHz, are impossible. */
#define SPAN_GHZ_MAX 12.0

/* After an event change, rows with less coverage are marked. */
#define SPAN_SWAP_COVERAGE 0.95

/* Sums over intervals and CPUs. Coverage, busy_pct and rates are not sums but
 * quotients, calculated last. span_add also merges the bit fields. n_ok etc.
 * are numbers of CPUs times intervals. */
struct span {
	union {
		uint64_t count[TERM_COUNTS]; /* by term_source */
		struct {
			uint64_t slot[EVENTSET_MAX];
			uint64_t cycles, instructions;
			/* Fixed counts over the events' time. */
			uint64_t pair_cycles, pair_instructions;
		};
	};
	/* The part of cpu_ns that was not counted. */
	float missed_ns[TERM_COUNTS];
	double cpu_ns;               /* awake time of CPUs with counts */
	double event_ns;             /* mean counting time of the events */
	double busy_ns, busy_cpu_ns; /* busy time, and the cpu_ns it covers */
	/* Time of CPUs with known busy time, with or without counts. */
	double seen_ns, seen_busy_ns;
	/* Counts of whole cores with several threads. */
	double core_instructions, core_cycles;
	/* Divisor of rates: mean time of parallel CPUs; without counts, the
	 * frame's time. */
	double wall_ns;

	/* Numbers of CPUs: */
	unsigned ncpus;
	unsigned n;    /* with counts */
	unsigned n_ok; /* with cycles */
	unsigned n_off, n_stale, n_idle, n_denied, n_skipped;
	unsigned n_known; /* whose cannot_ bits are known */
	uint16_t nslots;  /* number of events in the set */
	bool alone;       /* some CPUs have cycles but no instructions */

	uint32_t quality; /* OR of QUALITY_ */
	uint32_t doubt;   /* OR of SPAN_IMPOSSIBLE_ */
	/* Bits 1 << term_source, and SPAN_BUSY_FINE: */
	uint32_t have_all, have_any; /* counted by all CPUs, by some */
	uint32_t cannot_all,
		cannot_any; /* all, or some, of n_known CPUs cannot count it */
	uint32_t held;      /* counter in use on some CPU */
	uint32_t zero;      /* counts nothing on some CPU */
};

enum row_state {
	ROW_GOOD,
	ROW_FIRST, /* valid, but there is no baseline */
	ROW_RESET, /* second rejected row that agrees with the first: becomes
		      the baseline */
	ROW_OFF,
	ROW_STALE,
	ROW_NONE,    /* no counters on this CPU */
	ROW_SKIPPED, /* not read, as the CPU was idle */
	ROW_DENIED
};

void span_clear(struct span *s);

/* Sets a CPU's quality from cpu_ns, have_any, counts and times. known: the
 * source reported `cannot`. */
void span_judge(struct span *s, enum row_state state, bool known,
		uint32_t cannot);

/* Sets the busy time; cpu_ns must be set before. */
void span_set_busy(struct span *s, double busy_ns);

/* Adds the counts of another time or CPU. */
void span_add(struct span *to, const struct span *part);

/* Completes a frame's row: time and quality. extra: flags of all rows. */
void span_close(struct span *s, uint32_t extra, double frame_ns);

/* CPU time in which the term_source was counted. */
static inline double
span_ns(const struct span *s, unsigned source)
{
	return s->cpu_ns - (double)s->missed_ns[source];
}

/* Bits that no known CPU of the row can count. */
static inline uint32_t
span_cannot(const struct span *s)
{
	return s->n_known > 0 ? s->cannot_all : 0;
}

/* Did all CPUs with counts count these terms? */
static inline bool
span_has(const struct span *s, uint32_t bits)
{
	return s->n > 0 && (s->have_all & bits) == bits;
}

static inline bool
span_has_slot(const struct span *s, unsigned slot)
{
	return span_has(s, 1u << slot);
}

static inline bool
span_has_pair(const struct span *s)
{
	return span_has(s,
			1u << TERM_SLOT_CYCLES | 1u << TERM_SLOT_INSTRUCTIONS);
}

/* False: cycles and instructions are invalid. */
static inline bool
span_has_fixed(const struct span *s)
{
	return s->n_ok > 0 && !s->alone;
}

/* Are cycles valid? Instructions may not be: an event may use their counter. */
static inline bool
span_has_cycles(const struct span *s)
{
	return s->n_ok > 0;
}

/* Were fixed counts read? For spans before span_judge, as in replays. */
static inline bool
span_had_fixed(const struct span *s)
{
	const uint32_t fixed = 1u << TERM_CYCLES | 1u << TERM_INSTRUCTIONS;

	return (s->have_any & fixed) == fixed;
}

static inline bool
span_had_cycles(const struct span *s)
{
	return (s->have_any & 1u << TERM_CYCLES) != 0;
}

static inline double
span_interval_s(const struct span *s)
{
	return s->wall_ns * 1e-9;
}

/* Seconds in which events were counted. */
static inline double
span_event_s(const struct span *s)
{
	return s->n > 0 ? s->event_ns / s->n * 1e-9 : 0;
}

/* NAN: no events. */
static inline double
span_coverage(const struct span *s)
{
	return s->nslots > 0 && s->n > 0 && s->wall_ns > 0
		       ? fmin(span_event_s(s) / span_interval_s(s), 1)
		       : NAN;
}

/* NAN: unknown. */
static inline double
span_busy_pct(const struct span *s)
{
	return s->seen_ns > 0 ? 100 * s->seen_busy_ns / s->seen_ns : NAN;
}

/* Sum over CPUs; NAN: unknown for some. */
static inline double
span_busy_ns(const struct span *s)
{
	return span_has(s, 1u << TERM_BUSY_NS) ? s->busy_ns : NAN;
}

/* Ticks of 10 ms are too coarse for a row of less than 250 ms, minus a
 * tolerance: its busy time is noise. */
static inline bool
span_busy_rough(const struct span *s)
{
	return s->seen_ns > 0 && s->wall_ns > 0 && s->wall_ns < 0.245e9 &&
	       !span_has(s, SPAN_BUSY_FINE);
}

#endif
