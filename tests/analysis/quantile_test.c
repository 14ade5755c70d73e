/* Quantiles: what sorting would give, without sorting. */
#include "analysis/analysis.h"

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
of_sorted(const double *v, unsigned n, double q)
{
	double sorted[MOST], at = q * (n - 1);
	unsigned low = (unsigned)at;

	memcpy(sorted, v, n * sizeof *v);
	qsort(sorted, n, sizeof *sorted, by_value);
	if (low + 1 >= n)
		return sorted[n - 1];
	return sorted[low] + (at - low) * (sorted[low + 1] - sorted[low]);
}

UNIT(as_if_sorted)
{
	static const double q[] = { 0, 0.05, 0.5, 0.95, 1 };
	uint32_t seed = 1;

	for (unsigned round = 0; round < 2000; round++) {
		unsigned n = 1 + round % MOST;
		double v[MOST];

		for (unsigned i = 0; i < n; i++) {
			seed = seed * 1664525u + 1013904223u;
			/* Few values, so that many are alike. */
			v[i] = (seed >> 16) % (1 + round % 50);
		}
		for (unsigned k = 0; k < sizeof q / sizeof *q; k++) {
			double want = of_sorted(v, n, q[k]);

			assert_true(digest_quantile(v, n, q[k]) == want);
		}
	}
	assert_true(isnan(digest_quantile(NULL, 0, 0.5)));
}
