/* Counts of a CPU, group or process over a time. */
#ifndef MODEL_SPAN_H
#define MODEL_SPAN_H

#include "model/quality.h"
#include "model/metric.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	SPAN_IMPOSSIBLE_COUNTS = 1, /* all counters of the CPU are wrong */
	SPAN_IMPOSSIBLE_CLOCK = 2   /* cycles do not match the busy time */
};

/* A bit of have_any beside the term_source bits: the busy time is finer than
 * ticks of the system. */
#define SPAN_BUSY_FINE (UINT32_C(1) << 31)

/* GHz; higher clocks are impossible. */
#define SPAN_GHZ_MAX 12.0

/* After an event change, rows with less coverage have QUALITY_SWAP. */
#define SPAN_SWAP_COVERAGE 0.95

/* A span may be a sum over CPUs and intervals. Numbers of CPUs such as n_ok
 * then count a CPU once per interval. */
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
	/* Part of cpu_ns in which the term was not counted. */
	float missed_ns[TERM_COUNTS];
	double cpu_ns;   /* awake time of CPUs with counts */
	double event_ns; /* mean counting time of events, summed over CPUs */
	double busy_ns, busy_cpu_ns; /* busy time, and the cpu_ns it covers */
	/* As busy_cpu_ns and busy_ns, but includes CPUs without counts. */
	double seen_ns, seen_busy_ns;
	/* Of whole cores with several threads. */
	double core_instructions, core_cycles;
	/* Divisor of rates: mean cpu_ns of the CPUs; without counts, the
	 * frame's time. */
	double wall_ns;

	/* Numbers of CPUs: */
	unsigned ncpus;
	unsigned n;    /* with counts */
	unsigned n_ok; /* with cycles */
	unsigned n_off, n_stale, n_idle, n_denied, n_skipped;
	unsigned n_known; /* for which the cannot_ bits are known */
	uint16_t nslots;
	bool alone; /* some CPUs have cycles, but no instructions */

	uint32_t quality;
	uint32_t doubt;
	/* Bits 1 << term_source, and SPAN_BUSY_FINE. */
	uint32_t have_all, have_any; /* counted by all CPUs, by some CPUs */
	/* All, or some, of the n_known CPUs cannot count the term. */
	uint32_t cannot_all, cannot_any;
	uint32_t held; /* the counter is in use on some CPU */
	uint32_t zero; /* the event counts nothing on some CPU */
};

enum row_state {
	ROW_GOOD,
	ROW_FIRST, /* valid, but the CPU has no baseline */
	ROW_RESET, /* second consecutive rejected row, a plausible progress of
		      the first: becomes the baseline */
	ROW_OFF,
	ROW_STALE,
	ROW_NONE,
	ROW_SKIPPED,
	ROW_DENIED
};

void span_clear(struct span *s);

/* Completes the span of one CPU. known: the `cannot` bits are known. */
void span_judge(struct span *s, enum row_state state, bool known,
		uint32_t cannot);

/* cpu_ns must be set before. */
void span_set_busy(struct span *s, double busy_ns);

void span_add(struct span *to, const struct span *part);

/* Sets time and quality of a frame's row. extra: flags of all rows. */
void span_close(struct span *s, uint32_t extra, double frame_ns);

static inline double
span_ns(const struct span *s, unsigned source)
{
	return s->cpu_ns - (double)s->missed_ns[source];
}

/* Bits that none of the n_known CPUs can count. */
static inline uint32_t
span_cannot(const struct span *s)
{
	return s->n_known > 0 ? s->cannot_all : 0;
}

/* Did all CPUs with counts count these bits? */
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

static inline bool
span_has_fixed(const struct span *s)
{
	return s->n_ok > 0 && !s->alone;
}

/* If an event uses the counter of instructions, only the cycles are valid. */
static inline bool
span_has_cycles(const struct span *s)
{
	return s->n_ok > 0;
}

/* For spans before span_judge, as in replays: were both fixed counters read? */
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

/* NAN: unknown for some CPU. */
static inline double
span_busy_ns(const struct span *s)
{
	return span_has(s, 1u << TERM_BUSY_NS) ? s->busy_ns : NAN;
}

/* Ticks of 10 ms are too coarse for the busy time of a row of under 250 ms
 * (with a tolerance). */
static inline bool
span_busy_rough(const struct span *s)
{
	return s->seen_ns > 0 && s->wall_ns > 0 && s->wall_ns < 0.245e9 &&
	       !span_has(s, SPAN_BUSY_FINE);
}

#endif
