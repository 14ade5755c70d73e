#include "model/stat.h"

#include <cmocka.h>
#include <math.h>

static void
near(double got, double want)
{
	if (!(fabs(got - want) <= 1e-9 * fmax(1, fabs(want))))
		fail_msg("%.15g instead of %.15g", got, want);
}

/* With 1, 2 and 4 degrees of freedom the distribution can be written out. */
UNIT(tails_are_those_of_closed_forms)
{
	for (double t = 0; t < 50; t = 1.5 * t + 0.01) {
		double four = t / sqrt(4 + t * t);

		near(student_tails(t, 1), 1 - 2 * atan(t) / acos(-1));
		near(student_tails(t, 2), 1 - t / sqrt(2 + t * t));
		near(student_tails(-t, 4),
		     1 - four * (1.5 - 0.5 * four * four));
		near(student_tails(t, INFINITY), erfc(t / sqrt(2)));
	}
	near(student_tails(1e200, 3), 0);
	assert_true(isnan(student_tails(NAN, 3)));
	assert_true(isnan(student_tails(1, 0)));
}

/* Far out a difference from 1 would be 0. */
UNIT(small_tails_keep_their_digits)
{
	double p = student_tails(1e6, 8);

	assert_true(p > 0 && p < 1e-40);
	near(student_tails(1e6, 2) / 1e-12, 1);
}

/* Printed tables, to their digits. */
UNIT(bounds_are_those_of_the_tables)
{
	static const struct {
		double confidence, df, t;
	} row[] = {
		{ 0.99, 8, 3.3554 },  { 0.99, 16, 2.9208 },
		{ 0.95, 8, 2.3060 },  { 0.95, 1, 12.7062 },
		{ 0.99, 1, 63.6567 }, { 0.99, 30, 2.7500 },
		{ 0.9, 2, 2.9200 },
	};

	for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
		double t = student_bound(row[i].confidence, row[i].df);

		assert_true(fabs(t - row[i].t) < 5e-5);
		near(student_tails(t, row[i].df), 1 - row[i].confidence);
	}
	assert_true(isnan(student_bound(1, 8)));
	assert_true(isnan(student_bound(0.99, 0)));
}

UNIT(welch_and_satterthwaite)
{
	const double a[] = { 27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1 };
	const double b[] = { 27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0 };
	struct estimate x, y;
	struct difference d;

	student_mean(a, 8, &x);
	student_mean(b, 8, &y);
	near(x.value, 20.375);
	near(y.value, 23.5);
	student_difference(&x, &y, 0.99, &d);
	/* Worked by hand from the two sums of squares, 93.115 and 30.06. */
	near(x.variance, 93.115 / 7 / 8);
	near(y.variance, 30.06 / 7 / 8);
	double va = x.variance, vb = y.variance;

	near(d.df, (va + vb) * (va + vb) / (va * va / 7 + vb * vb / 7));
	near(d.se, sqrt(va + vb));
	near(d.high - d.value, student_bound(0.99, d.df) * d.se);
	near(d.value - d.low, d.high - d.value);
	near(d.p, student_tails(3.125 / d.se, d.df));
}

UNIT(without_variance_a_difference_is_sure)
{
	struct estimate a = { 1, 0, 8 }, b = { 2, 0, 8 }, c = { 2, NAN, 8 };
	struct difference d;

	student_difference(&a, &b, 0.99, &d);
	near(d.p, 0);
	near(d.low, 1);
	student_difference(&a, &a, 0.99, &d);
	near(d.p, 1);
	near(d.value, 0);
	student_difference(&a, &c, 0.99, &d);
	assert_true(isnan(d.p) && isnan(d.low) && isnan(d.high));
	/* One that is sure takes nothing from the other's. */
	b.variance = 0.25;
	student_difference(&a, &b, 0.99, &d);
	near(d.df, 8);
	near(d.se, 0.5);
}

/* The example of the paper's own table: 15 rows, of which 4 stand at 5 %. */
UNIT(benjamini_and_hochberg)
{
	double p[] = { 0.0278, 0.0001, 0.4262, 0.0004, NAN,    0.0019,
		       0.0095, 0.0201, 1.0000, 0.0298, 0.0344, 0.0459,
		       0.3240, 0.5719, 0.6528, 0.7590 };
	enum { N = sizeof p / sizeof *p };
	unsigned work[N], stand = 0;

	student_adjust(p, N, work);
	for (unsigned i = 0; i < N; i++)
		stand += p[i] <= 0.05;
	assert_int_equal(stand, 4);
	near(p[1], 0.0015);
	near(p[3], 0.003);
	near(p[5], 0.0095);
	near(p[6], 0.035625);
	assert_true(isnan(p[4]));
	near(p[8], 1);
	/* A larger p that is adjusted less takes its smaller one along. */
	double q[] = { 0.04, 0.041, 0.9 };

	student_adjust(q, 3, work);
	near(q[0], 0.0615);
	near(q[1], 0.0615);
	student_adjust(q, 0, work);
}
