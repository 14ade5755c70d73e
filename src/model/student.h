/* Student's t, and verdicts on many rows at once. */
#ifndef MODEL_STUDENT_H
#define MODEL_STUDENT_H

#include <stdbool.h>

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

#endif
