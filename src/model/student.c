#include "model/student.h"

#include <math.h>

/* With more the normal distribution is nearer than the digits below. */
static const double many = 1e7;

/* Lentz's way through the continued fraction (A and S 26.5.8). */
static double
beta_fraction(double x, double a, double b)
{
	const double tiny = 1e-300;
	double c = 1, d = 1 - (a + b) * x / (a + 1), f;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	f = d;
	for (int m = 1; m < 500; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x /
			     ((a + 2 * m) * (a + 2 * m + 1));

		d = 1 + even * d;
		c = 1 + even / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		f *= c * d;
		d = 1 + odd * d;
		c = 1 + odd / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		f *= c * d;
		if (fabs(c * d - 1) < 1e-15)
			break;
	}
	return f;
}

/* I_x(a, b); y is 1 - x, given since it may be too small to subtract. */
static double
beta_share(double x, double y, double a, double b)
{
	double front;

	if (x <= 0)
		return 0;
	if (y <= 0)
		return 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) +
		    b * log(y));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(x, a, b) / a;
	return 1 - front * beta_fraction(y, b, a) / b;
}

double
student_tails(double t, double df)
{
	double square = t * t;

	if (isnan(t) || !(df > 0))
		return NAN;
	if (isinf(square))
		return 0;
	if (df > many)
		return erfc(fabs(t) / sqrt(2));
	return beta_share(df / (df + square), square / (df + square), df / 2,
			  0.5);
}

double
student_bound(double confidence, double df)
{
	double outside = 1 - confidence, low = 0, high = 1;

	if (!(df > 0) || !(confidence > 0) || !(confidence < 1))
		return NAN;
	while (student_tails(high, df) > outside && high < 1e300)
		high *= 2;
	for (int i = 0; i < 200 && high - low > 1e-14 * high; i++) {
		double middle = (low + high) / 2;

		if (student_tails(middle, df) > outside)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

void
student_difference(const struct estimate *a, const struct estimate *b,
		   double confidence, struct difference *out)
{
	double va = a->variance, vb = b->variance, both = va + vb;

	*out = (struct difference){ .value = b->value - a->value,
				    .se = sqrt(both) };
	if (isnan(both)) {
		out->low = out->high = out->df = out->p = NAN;
		return;
	}
	if (!(both > 0)) {
		out->low = out->high = out->value;
		out->df = INFINITY;
		out->p = out->value < 0 || out->value > 0 ? 0 : 1;
		return;
	}
	/* By the shares of the two, whose squares cannot vanish. */
	double sa = va / both, sb = vb / both;

	out->df = 1 / (sa * sa / a->df + sb * sb / b->df);
	out->p = student_tails(out->value / out->se, out->df);
	double half = student_bound(confidence, out->df) * out->se;

	out->low = out->value - half;
	out->high = out->value + half;
}

void
student_mean(const double *v, unsigned n, struct estimate *out)
{
	double sum = 0, squares = 0;

	for (unsigned i = 0; i < n; i++)
		sum += v[i];
	out->value = sum / n;
	for (unsigned i = 0; i < n; i++)
		squares += (v[i] - out->value) * (v[i] - out->value);
	out->df = n - 1.0;
	out->variance = squares / (n - 1.0) / n;
}

/* Shellsort: qsort has no way to tell the order which values it is of. */
static void
sort_by(const double *p, unsigned *at, unsigned n)
{
	for (unsigned gap = n / 2; gap > 0; gap /= 2)
		for (unsigned i = gap; i < n; i++)
			for (unsigned k = i;
			     k >= gap && p[at[k]] < p[at[k - gap]]; k -= gap) {
				unsigned swap = at[k];

				at[k] = at[k - gap];
				at[k - gap] = swap;
			}
}

void
student_adjust(double *p, unsigned n, unsigned *work)
{
	unsigned m = 0;
	double least = 1;

	for (unsigned i = 0; i < n; i++)
		if (!isnan(p[i]))
			work[m++] = i;
	sort_by(p, work, m);
	/* From the largest down: none may end under a smaller one. */
	for (unsigned rank = m; rank > 0; rank--) {
		double *here = &p[work[rank - 1]];

		least = fmin(least, *here * m / rank);
		*here = least;
	}
}
