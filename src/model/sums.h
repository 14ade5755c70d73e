/* Counts of a row's CPUs added up: before anything is divided. */
#ifndef MODEL_SUMS_H
#define MODEL_SUMS_H

#include "model/delta.h"
#include "model/frame.h"

enum {                        /* counts that cannot be true */
       SUMS_DOUBT_COUNTS = 1, /* all that the CPU's counters say */
       SUMS_DOUBT_CLOCK = 2   /* its cycles against its busy time */
};

/* Above this a clock is no clock. */
#define SUMS_GHZ_MAX 12.0

/* One row in one frame. A core's is its delta's. */
struct sums {
	unsigned ncpus; /* of the row */
	unsigned n;     /* of them, with counts in this frame */
	unsigned n_ok;  /* of them, with fixed counts */
	unsigned n_off, n_stale, n_idle, n_denied, n_skipped;
	unsigned n_told;     /* of them, it is known what they can count */
	uint32_t quality;    /* of the members, OR */
	uint32_t have_all;   /* 1 << term_source that each of the n has */
	uint32_t have_any;   /* ... that some has */
	uint32_t doubt;      /* SUMS_DOUBT_*, of the members, OR */
	uint32_t cannot_all; /* 1 << term_source that no member told of can */
	uint32_t cannot_any; /* ... that some cannot */
	uint32_t held;       /* ... whose counter others hold, on some */
	uint32_t dead;       /* ... whose event counts nothing, on some */
	uint64_t count[TERM_COUNTS];
	double ns[TERM_COUNTS];           /* CPU time each was counted */
	double cpu_ns, busy_ns, event_ns; /* of the n */
	double seen_ns, seen_busy_ns; /* of CPUs whose busy share is known */
	double mean_n; /* of many frames: CPUs at a time, for `n`; else 0 */
	/* 1 << term_source that were counted for all of cpu_ns, as far as was
	   looked (sums_note_whole): these are of one time. */
	uint32_t whole;
};

void sums_clear(struct sums *s);

/* 1 << term_source that no CPU of the row can count, as far as is known. */
uint32_t sums_cannot(const struct sums *s);

/* SUMS_DOUBT_* of a CPU's counts. */
uint32_t sums_doubt(const struct delta *d);

/* A CPU's counts, whatever it has of them. */
void sums_add_delta(struct sums *s, const struct delta *d);

/* Looks which counts cover all the time: what is divided then needs not. */
void sums_note_whole(struct sums *s);

/* All of a smaller row. */
void sums_add(struct sums *s, const struct sums *part);

/* A row's sums over many frames, which may not all know its busy time. */
struct sums_run {
	struct sums s;                 /* busy_ns of those that know it */
	double wall_ns;                /* of the frames that the counts span */
	double busy_cpu_ns;            /* of cpu_ns, with a known busy time */
	double core_work, core_cycles; /* of whole cores, see bound_core */
};

void sums_run_clear(struct sums_run *r);

/* busy_cpu_ns 0: their busy time is not known, and may be NAN. */
void sums_run_add(struct sums_run *r, const struct sums *s, double wall_ns,
		  double busy_cpu_ns);
void sums_run_join(struct sums_run *r, const struct sums_run *part);

/*
 * What is needed besides sums of one frame: how many CPUs delivered on the
 * mean, and the busy time of those that did not say.
 */
void sums_run_finish(struct sums_run *r);

/* With less of their interval counted, rows of a swap are marked. */
#define SUMS_SWAP_COVERAGE 0.95

/*
 * The row as views see it. extra: quality of the frame that concerns every
 * row. interval_s: the frame's, for rows without counts of their own.
 */
void sums_tally(const struct sums *s, unsigned nslots, uint32_t extra,
		double interval_s, struct tally *out);

#endif
