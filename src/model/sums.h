/* Counts of a row's CPUs added up: before anything is divided. */
#ifndef MODEL_SUMS_H
#define MODEL_SUMS_H

#include "model/delta.h"
#include "model/frame.h"

/* One row in one frame. A core's is its delta's. */
struct sums {
	unsigned ncpus; /* of the row */
	unsigned n;     /* of them, with counts in this frame */
	unsigned n_ok;  /* of them, with fixed counts */
	unsigned n_off, n_stale, n_idle;
	uint32_t quality;    /* of the members, OR */
	uint32_t have_all;   /* 1 << term_source that each of the n has */
	uint32_t have_any;   /* ... that some has */
	uint32_t cannot_all; /* slots that no member supports */
	uint64_t count[TERM_INSTRUCTIONS + 1];
	double ns[TERM_INSTRUCTIONS + 1]; /* CPU time each was counted */
	double cpu_ns, busy_ns, event_ns; /* of the n */
	double seen_ns, seen_busy_ns;     /* CPUs whose busy time is known */
	double mean_n; /* of many frames: CPUs at a time, for `n`; else 0 */
};

void sums_clear(struct sums *s);

/* A CPU's counts, whatever it has of them. */
void sums_add_delta(struct sums *s, const struct delta *d);

/* All of a smaller row. */
void sums_add(struct sums *s, const struct sums *part);

/*
 * The row as views see it. extra: quality of the frame that concerns every
 * row. interval_s: the frame's, for rows without counts of their own.
 */
void sums_tally(const struct sums *s, unsigned nslots, uint32_t extra,
		double interval_s, struct tally *out);

#endif
