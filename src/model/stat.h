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

enum stat_outcome {
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
	enum stat_outcome outcome;
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
void stat_write_sentence(struct buf *to, const struct stat_pair *p);

/* ---- Student's t, and outcomes on many rows at once ---- */

/*
 * The chance that |T| of df degrees of freedom is at least |t|: the regularized
 * incomplete beta function of df / (df + t^2) with df / 2 and 1/2 (Abramowitz
 * and Stegun 26.5.27, 26.7.1). df need not be whole. NAN for NAN, and df <= 0.
 */
double student_tails(double t, double df);

/*
 * The t that |T| stays under with this confidence, 0.99 say: the quantile at
 * (1 + confidence) / 2. NAN where there is none.
 */
double student_bound(double confidence, double df);

struct estimate {
	double value;
	double variance; /* of the value; NAN: not known */
	double df;       /* independent squares the variance was made of */
};

/* b - a, where 0 is in doubt. */
struct difference {
	double value, low, high; /* the interval at `confidence` around value */
	double se, df;           /* Welch and Satterthwaite's */
	double p; /* of a value as far from 0, if there is none */
};

/*
 * Welch's test: se^2 = va + vb, df = (va + vb)^2 / (va^2 / dfa + vb^2 / dfb).
 * Two estimates without any variance differ surely or not at all.
 */
void student_difference(const struct estimate *a, const struct estimate *b,
			double confidence, struct difference *out);

/*
 * The mean of values that have nothing to do with each other, as those of
 * several runs; n at least 2.
 */
void student_mean(const double *v, unsigned n, struct estimate *out);

/*
 * Benjamini and Hochberg (1995): replaces each p by the smallest share of false
 * ones, among all rows called different, at which this row would be called so.
 * That holds for rows that are independent, or rise and fall together. A row
 * with NAN is none. work: room for n.
 */
void student_adjust(double *p, unsigned n, unsigned *work);

/* How sure a difference of two ratios is, by blocks of the samples in time. */

/*
 * The influence of a sample on R = sum(num) / sum(den) is (num - R den) /
 * mean(den). Its means over 6 equal blocks are nearly independent even where
 * neighbouring samples are not, so that Welch's t test of the blocks needs no
 * estimate of how long samples stay alike. Rates: tests/model/blocks_test.c.
 */
enum {
	BLOCKS = 6,
	BLOCKS_SAMPLES_MIN = 300 /* with fewer, neighbouring blocks are alike */
};

struct blocks_series {
	const double *num, *den; /* [n]; den >= 0, and its sum above 0 */
	unsigned n;              /* at least BLOCKS */
	double ratio; /* R, given since more may be known of it than these */
};

/*
 * b - a into *out. False where a side drifts by about as much: a straight line
 * explains how its blocks differ, and nothing in two recordings tells such a
 * drift from a difference.
 */
bool blocks_difference(const struct blocks_series *a,
		       const struct blocks_series *b, double confidence,
		       struct difference *out);

#endif
