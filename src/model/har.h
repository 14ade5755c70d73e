/* How sure the mean or ratio of a series is whose values follow each other. */
#ifndef MODEL_HAR_H
#define MODEL_HAR_H

#include "model/student.h"

#include <stdbool.h>

/*
 * "Heteroskedasticity and autocorrelation robust", by equal-weighted cosines:
 *
 *	R     = sum(num) / sum(den)                the ratio that is printed
 *	z_i   = (num_i - R den_i) / mean(den)      what frame i does to it
 *	L_j   = sqrt(2/n) sum_i z_i cos(pi j (i - 1/2) / n),   j = 1 .. B
 *	omega = mean(L_j^2)                        the long-run variance
 *	var(R) = omega / n, of B = 8 degrees of freedom
 *
 * Each L_j sees another slow wave in the series: values that are like their
 * neighbours make them larger, as they make R less sure. With 8 of them, t
 * quantiles of 8 degrees of freedom say how sure. There are no blocks to choose
 * and nothing is drawn.
 *
 * Eben Lazarus, Daniel J. Lewis, James H. Stock, Mark W. Watson: HAR inference:
 * recommendations for practice, Journal of Business and Economic Statistics 36
 * (2018) 541-559.
 */
enum {
	HAR_COSINES = 8,
	HAR_FRAMES_MIN = 120, /* fewer: eight waves do not tell */
	HAR_TIMES_MIN = 30    /* and so many times the autocorrelation time */
};

struct har_series {
	const double *num, *den; /* [n]; den >= 0, and its sum above 0 */
	unsigned n;
	double ratio; /* R, given since more may be known of it than these */
	double *z;    /* room for n, filled with the z_i */
};

/* R and its variance, which is NAN where n is under HAR_COSINES or so. */
void har_estimate(const struct har_series *s, struct estimate *out);

struct har {
	struct difference of; /* b - a */
	double time;  /* frames that say as much as one independent one */
	double needs; /* frames on each side that are enough, as far as known */
	bool enough;  /* both sides have them */
};

/* For two series, each by itself, as Welch does. */
void har_difference(const struct har_series *a, const struct har_series *b,
		    double confidence, struct har *out);

#endif
