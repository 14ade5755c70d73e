#include "app/bootstrap.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static uint64_t
draw(uint64_t *state)
{
	uint64_t x = *state += 0x9e3779b97f4a7c15u; /* splitmix64 */

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

static double
mean(const double *v, unsigned n)
{
	double sum = 0;

	for (unsigned i = 0; i < n; i++)
		sum += v[i];
	return sum / n;
}

/*
 * Autocorrelations are added up to the first that could be chance (under two
 * standard errors); twice their sum and one is the number of values that say
 * as much as a single independent one.
 */
unsigned
bootstrap_block(const double *v, unsigned n)
{
	double m = mean(v, n), all = 0, time = 1;
	unsigned least = (unsigned)ceil(cbrt(n));

	for (unsigned i = 0; i < n; i++)
		all += (v[i] - m) * (v[i] - m);
	for (unsigned lag = 1; all > 0 && lag < n / 4; lag++) {
		double sum = 0;

		for (unsigned i = 0; i + lag < n; i++)
			sum += (v[i] - m) * (v[i + lag] - m);
		if (sum / all < 2 / sqrt(n))
			break;
		time += 2 * sum / all;
	}
	if (time > n)
		time = n;
	unsigned block = (unsigned)ceil(time);

	return block > least ? block : least;
}

/* sum[i]: of the first i values, so that a block's sum is one subtraction. */
static double *
running_sums(const double *v, unsigned n)
{
	double *sum = malloc((n + 1) * sizeof *sum);

	if (sum == NULL)
		return NULL;
	sum[0] = 0;
	for (unsigned i = 0; i < n; i++)
		sum[i + 1] = sum[i] + v[i];
	return sum;
}

/*
 * The mean of n values in blocks from anywhere; blocks go around the end, so
 * that all values are drawn equally often.
 */
static double
resampled(const double *sum, unsigned n, unsigned block, uint64_t *state)
{
	double all = 0;

	for (unsigned left = n; left > 0;) {
		unsigned len = block < left ? block : left;
		unsigned from = (unsigned)(draw(state) % n), to = from + len;

		if (to <= n)
			all += sum[to] - sum[from];
		else
			all += sum[n] - sum[from] + sum[to - n];
		left -= len;
	}
	return all / n;
}

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void
rounds(const double *a, unsigned na, const double *b, unsigned nb,
       struct bootstrap *out)
{
	double d[BOOTSTRAP_ROUNDS];
	uint64_t state = 1;

	for (unsigned i = 0; i < BOOTSTRAP_ROUNDS; i++)
		d[i] = resampled(b, nb, out->block_b, &state) -
		       resampled(a, na, out->block_a, &state);
	qsort(d, BOOTSTRAP_ROUNDS, sizeof *d, by_value);
	/* Of 999, the 5th from each end leave half a percent outside. */
	out->low = d[4];
	out->high = d[BOOTSTRAP_ROUNDS - 5];
}

/* The blocks may grow with the series: it is the least that can do. */
static unsigned
needs(unsigned block_a, unsigned block_b)
{
	unsigned longer = block_a > block_b ? block_a : block_b;
	unsigned n = BOOTSTRAP_BLOCKS_MIN * longer;

	return n > BOOTSTRAP_ENOUGH_MIN ? n : BOOTSTRAP_ENOUGH_MIN;
}

void
bootstrap_difference(const double *a, unsigned na, const double *b, unsigned nb,
		     struct bootstrap *out)
{
	*out = (struct bootstrap){ .needs = BOOTSTRAP_ENOUGH_MIN };
	if (na < BOOTSTRAP_BLOCKS_MIN || nb < BOOTSTRAP_BLOCKS_MIN)
		return;
	out->block_a = bootstrap_block(a, na);
	out->block_b = bootstrap_block(b, nb);
	out->needs = needs(out->block_a, out->block_b);
	if (na / out->block_a < BOOTSTRAP_BLOCKS_MIN ||
	    nb / out->block_b < BOOTSTRAP_BLOCKS_MIN)
		return;
	double *sa = running_sums(a, na), *sb = running_sums(b, nb);

	if (sa != NULL && sb != NULL) {
		out->enough = true;
		out->difference = mean(b, nb) - mean(a, na);
		rounds(sa, na, sb, nb, out);
	}
	free(sa);
	free(sb);
}
