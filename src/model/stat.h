/* Statistics of runs of commands. */
#ifndef MODEL_STAT_H
#define MODEL_STAT_H

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	STAT_CLAIM_RUNS = 5, /* fewer runs: STAT_FEW */
	STAT_FENCE_RUNS = 8,
	STAT_COMMANDS = 16
};

struct stat_series {
	unsigned n;
	double mean, min, max; /* NAN: unknown in some run */
	double s;              /* standard deviation; NAN: one run */
	double half;           /* the 95 % interval is mean -+ half */
	unsigned outliers;     /* included in the mean */
};

/* work has space for n values. */
void stat_describe(const double *v, unsigned n, double *work,
		   struct stat_series *out);

/* out->mean is the ratio of the sums; the other fields describe the runs'
 * ratios. work has space for 2 n values. */
void stat_describe_ratio(const double *above, const double *below, unsigned n,
			 double *work, struct stat_series *out);

enum stat_outcome {
	STAT_UNKNOWN, /* a run has no value, or 0 */
	STAT_FEW,
	STAT_UNCLEAR, /* the 95 % interval includes 0.99 or 1.01 */
	STAT_SAME,    /* the 95 % interval is within 0.99 to 1.01 */
	STAT_MORE,    /* B has more, by over 1 % */
	STAT_LESS
};

struct stat_change {
	double ratio;     /* of geometric means, B / A; NAN: unknown */
	double low, high; /* 95 % interval of the ratio; NAN: none */
	double se, df; /* standard error and degrees of freedom of ln ratio */
	bool paired;
	enum stat_outcome outcome;
};

/* Welch's t test of logarithms. by_turns: run i of A and run i of B are a pair,
 * so a t test of their differences is used. STAT_MORE and STAT_LESS: the 95 %
 * interval is outside 1 -+ 1 %. */
void stat_compare(const double *a, unsigned na, const double *b, unsigned nb,
		  bool by_turns, struct stat_change *out);

/* Geometric mean of the ratios of n pairs. outcome: STAT_UNKNOWN or STAT_FEW if
 * a pair has it, else from the mean's 95 % interval. */
void stat_mean_change(const struct stat_change *pair, unsigned n,
		      struct stat_change *out);

/* order: [rounds * commands]. Each round has each command once, in random
 * order. */
void stat_order(uint64_t seed, unsigned commands, unsigned rounds,
		unsigned *order);

struct stat_pair {
	const char *a, *b;
	struct stat_change elapsed, cpu, cycles, instructions;
};

void stat_write_sentence(struct buf *to, const struct stat_pair *p);

/* ---- Student's t, multiple tests ---- */

/* P(|T| >= |t|) for df degrees of freedom, which need not be whole (Abramowitz
 * and Stegun 26.5.27, 26.7.1). NAN: t is NAN, or df <= 0. */
double student_tails(double t, double df);

/* Quantile of |T| for a confidence such as 0.99. NAN: none. */
double student_bound(double confidence, double df);

struct estimate {
	double value;
	double variance; /* NAN: unknown */
	double df;       /* degrees of freedom of the variance */
};

/* The difference b - a. */
struct difference {
	double value, low, high; /* interval at `confidence` */
	double se, df;           /* Welch-Satterthwaite */
	double p; /* probability of at least this difference by chance */
};

/* Welch's test: se^2 = va + vb, df = (va + vb)^2 / (va^2 / dfa + vb^2 / dfb).
 * If se is 0, p is 0 or 1. */
void student_difference(const struct estimate *a, const struct estimate *b,
			double confidence, struct difference *out);

void student_mean(const double *v, unsigned n, struct estimate *out);

/* Benjamini and Hochberg (1995) for independent or positively correlated tests:
 * replaces each p by the lowest false discovery rate at which its test is
 * significant. NAN is left out. work has space for n indices. */
void student_adjust(double *p, unsigned n, unsigned *work);

/* ---- difference of two ratios, by blocks in time ---- */

/* A sample's influence on R = sum(num) / sum(den) is (num - R den) / mean(den).
 * Means of 6 equal blocks are nearly independent although samples in sequence
 * correlate, so Welch's t applies. Error rates: tests/model/blocks_test.c. */
enum {
	BLOCKS = 6,
	BLOCKS_SAMPLES_MIN = 300 /* with fewer, blocks correlate */
};

struct blocks_series {
	const double *num, *den; /* [n]; den >= 0, sum > 0 */
	unsigned n;              /* at least BLOCKS */
	double ratio;            /* R, which may be of more samples */
};

/* *out is b - a. False: a drift within a side may cause the difference. */
bool blocks_difference(const struct blocks_series *a,
		       const struct blocks_series *b, double confidence,
		       struct difference *out);

#endif
