/* Runs of commands: what their values come to, and whether two differ. */
#ifndef MODEL_STAT_H
#define MODEL_STAT_H

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	STAT_CLAIM_RUNS = 5, /* with fewer no difference is claimed */
	STAT_FENCE_RUNS = 8, /* with fewer there are no outliers */
	STAT_COMMANDS = 16
};

/* Values of independent runs. */
struct stat_series {
	unsigned n;
	double mean, min, max; /* NAN: unknown, of one run at least */
	double s;              /* their deviation; NAN: of one run */
	double half;           /* the mean's 95 % interval: mean -+ half */
	unsigned outliers;     /* counted, and never left out */
};

/* work: room for n. */
void stat_describe(const double *v, unsigned n, double *work,
		   struct stat_series *out);

/*
 * Of a ratio: `mean` is the sum over the sum, all else is of the runs' own
 * ratios. work: room for 2 n.
 */
void stat_describe_ratio(const double *above, const double *below, unsigned n,
			 double *work, struct stat_series *out);

enum stat_verdict {
	STAT_UNKNOWN, /* not all runs have the value, or it is 0 */
	STAT_FEW,     /* too few runs for a claim */
	STAT_UNCLEAR, /* the interval has 1, or parts of the dead band, in it */
	STAT_SAME,    /* all of it is within the dead band */
	STAT_MORE,    /* B is more, by over 1 % */
	STAT_LESS
};

/* B over A. */
struct stat_change {
	double ratio;     /* of the geometric means; NAN: unknown */
	double low, high; /* 95 %; NAN: none */
	double se, df;    /* of the ratio's logarithm */
	bool paired;
	enum stat_verdict verdict;
};

/*
 * Welch's t of the logarithms, or where run i of A and of B are neighbours in
 * time (by_turns) the t of their differences. A difference is claimed where the
 * 95 % interval leaves 1 -+ 1 %.
 */
void stat_compare(const double *a, unsigned na, const double *b, unsigned nb,
		  bool by_turns, struct stat_change *out);

/*
 * The geometric mean of the ratios of n pairs of programs, for these programs:
 * the interval is of their runs alone. As clear as the least clear of them.
 */
void stat_mean_change(const struct stat_change *pair, unsigned n,
		      struct stat_change *out);

/*
 * Who runs when: [rounds * commands], in each round each command once, in an
 * order that is drawn. So none is more than twice in a row.
 */
void stat_order(uint64_t seed, unsigned commands, unsigned rounds,
		unsigned *order);

/* What of two commands the sentence is made of. */
struct stat_pair {
	const char *a, *b; /* how they are called */
	struct stat_change elapsed, cpu, cycles, instructions;
};

/* "B takes 1.22 times as long as A, for the same number of instructions: ..."
 */
void stat_say(struct buf *to, const struct stat_pair *p);

#endif
