/* Counts over a time, of a CPU, a group of CPUs or a process: they add up. */
#ifndef MODEL_SPAN_H
#define MODEL_SPAN_H

#include "model/quality.h"
#include "model/metric.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum {                             /* counts that cannot be true */
       SPAN_IMPOSSIBLE_COUNTS = 1, /* all that the CPU's counters say */
       SPAN_IMPOSSIBLE_CLOCK = 2   /* its cycles against its busy time */
};

/* Busy time is of clocks finer than the system's ticks; no term_source. */
#define SPAN_BUSY_FINE (UINT32_C(1) << 31)

/* Above this a clock is no clock. */
#define SPAN_GHZ_MAX 12.0

/* With less of their interval counted, rows of an event change are marked. */
#define SPAN_SWAP_COVERAGE 0.95

/*
 * Sums over intervals and over CPUs: divide them last. Coverage, busy_pct and
 * rates are no sums: make them of a span, and never add them up. Neither are
 * the bits below: span_add joins them. n_ok and the other numbers of CPUs are
 * those of one interval; over many they count CPUs times intervals.
 */
struct span {
	union {
		uint64_t count[TERM_COUNTS]; /* by term_source */
		struct {
			uint64_t slot[EVENTSET_MAX];
			uint64_t cycles, instructions;
			/* The same over exactly the time of the slots. */
			uint64_t pair_cycles, pair_instructions;
		};
	};
	/* Of cpu_ns, the time that each was not counted for. */
	float missed_ns[TERM_COUNTS];
	double cpu_ns;               /* awake CPU time that the counts cover */
	double event_ns;             /* of it the slots counted, on the mean */
	double busy_ns, busy_cpu_ns; /* busy; of the cpu_ns where it is known */
	/* Of CPUs whose busy time is known, whether they delivered or not. */
	double seen_ns, seen_busy_ns;
	/* Of whole cores, where threads share them. */
	double core_instructions, core_cycles;
	/* The row's own time: of CPUs side by side their mean. A rate is a
	   count over it. Without counts: the frame's. */
	double wall_ns;

	/* Numbers of CPUs. */
	unsigned ncpus;
	unsigned n;    /* of them, with counts */
	unsigned n_ok; /* of them, with cycles */
	unsigned n_off, n_stale, n_idle, n_denied, n_skipped;
	unsigned n_told; /* it is known what they can count */
	uint16_t nslots; /* events of the set */
	bool alone;      /* some have cycles without instructions */

	uint32_t quality; /* QUALITY_*: OR */
	uint32_t doubt;   /* SPAN_DOUBT_*: OR */
	/* 1 << term_source, SPAN_BUSY_FINE, that ... */
	uint32_t have_all, have_any;     /* each of the n, or some, counted */
	uint32_t cannot_all, cannot_any; /* none of those told of, or some,
					    cannot count */
	uint32_t held;                   /* others hold, on some */
	uint32_t zero;                   /* counts nothing, on some */
};

enum row_state {
	ROW_GOOD,
	ROW_FIRST, /* good, but there was nothing to subtract */
	ROW_RESET, /* second of two that agree: the new baseline */
	ROW_OFF,
	ROW_STALE,
	ROW_NONE,    /* this CPU has no counters at all */
	ROW_SKIPPED, /* idle, so it was left asleep */
	ROW_DENIED
};

void span_clear(struct span *s);

/*
 * One CPU's: cpu_ns is its interval, and have_any, counts and times are set as
 * far as known. cannot: what it cannot count, if that is told.
 */
void span_judge(struct span *s, enum row_state state, bool told,
		uint32_t cannot);

/* cpu_ns is known. */
void span_set_busy(struct span *s, double busy_ns);

/* Later, or of another CPU. */
void span_add(struct span *to, const struct span *part);

/*
 * The row of a frame is complete: its own time and quality, and which counts
 * cover all of it. extra: quality of the frame that concerns every row.
 */
void span_close(struct span *s, uint32_t extra, double frame_ns);

/* CPU time that it was counted for. */
static inline double
span_ns(const struct span *s, unsigned source)
{
	return s->cpu_ns - (double)s->missed_ns[source];
}

/* 1 << term_source that no CPU of the row can count, as far as is known. */
static inline uint32_t
span_cannot(const struct span *s)
{
	return s->n_told > 0 ? s->cannot_all : 0;
}

/* Did all CPUs that delivered count all of these? */
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

/* False: cycles and instructions mean nothing. */
static inline bool
span_has_fixed(const struct span *s)
{
	return s->n_ok > 0 && !s->alone;
}

/* Cycles, if not instructions: events may have taken their counter. */
static inline bool
span_has_cycles(const struct span *s)
{
	return s->n_ok > 0;
}

/* The same of a CPU that is not judged yet, as recordings have it. */
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

/* Seconds of the row's time that the slots counted. */
static inline double
span_event_s(const struct span *s)
{
	return s->n > 0 ? s->event_ns / s->n * 1e-9 : 0;
}

/* Part of the interval that the slots counted; NAN without slots. */
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

/* Summed over CPUs; NAN: unknown of some. */
static inline double
span_busy_ns(const struct span *s)
{
	return span_has(s, 1u << TERM_BUSY_NS) ? s->busy_ns : NAN;
}

/*
 * Systems count busy time in ticks, a hundred a second: those of less than 250
 * ms are noise. An interval of 250 ms that is a little short is none the less
 * one.
 */
static inline bool
span_busy_rough(const struct span *s)
{
	return s->seen_ns > 0 && s->wall_ns > 0 && s->wall_ns < 0.245e9 &&
	       !span_has(s, SPAN_BUSY_FINE);
}

#endif
