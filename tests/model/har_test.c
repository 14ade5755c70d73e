/*
 * How often two series of the same process are called different. Seeds are
 * fixed: each rate is the same number every time, and far enough from its limit
 * that another generator would pass as well. KTOP_RATES=1
 * prints them, and those of 1200 frames.
 */
#include "model/har.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FRAMES_MAX = 1200 };

struct process {
	const char *name;
	enum { NORMAL, SKEWED, FADING, DWELLING } kind;
	double of;    /* FADING: the factor; DWELLING: mean frames in a state */
	double noise; /* on top */
};

static const struct process processes[] = {
	{ "independent", NORMAL, 0, 0 },
	{ "independent, skewed", SKEWED, 0, 0 },
	{ "AR(1) 0.5", FADING, 0.5, 0 },
	{ "AR(1) 0.8", FADING, 0.8, 0 },
	{ "AR(1) 0.95", FADING, 0.95, 0 },
	{ "two states, dwell 10", DWELLING, 10, 0 },
	{ "two states, dwell 40", DWELLING, 40, 0 },
	{ "two states, dwell 40, noise", DWELLING, 40, 0.3 },
};
enum { PROCESSES = sizeof processes / sizeof *processes };

static double
uniform(uint64_t *seed)
{
	uint64_t x = *seed += 0x9e3779b97f4a7c15u; /* splitmix64 */

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	x ^= x >> 31;
	return ((double)(x >> 11) + 0.5) / 9007199254740992.0;
}

static double
normal(uint64_t *seed)
{
	double r = sqrt(-2 * log(uniform(seed)));

	return r * cos(2 * acos(-1) * uniform(seed));
}

/* Begins in the process's own distribution: nothing has to settle. */
static void
draw(const struct process *p, double *v, unsigned n, uint64_t *seed)
{
	double x = normal(seed) / sqrt(1 - (p->kind == FADING) * p->of * p->of);

	if (p->kind == DWELLING)
		x = uniform(seed) < 0.5;
	for (unsigned i = 0; i < n; i++) {
		v[i] = x + (p->noise > 0 ? p->noise * normal(seed) : 0);
		if (p->kind == FADING)
			x = p->of * x + normal(seed);
		else if (p->kind == DWELLING)
			x = uniform(seed) < 1 / p->of ? 1 - x : x;
		else
			x = normal(seed);
		if (p->kind == SKEWED)
			v[i] = exp(v[i]);
	}
}

static double
sum_of(const double *v, unsigned n)
{
	double sum = 0;

	for (unsigned i = 0; i < n; i++)
		sum += v[i];
	return sum;
}

struct rates {
	unsigned pairs, judged, called;
};

/* A rate that is only bounded far from its limit needs fewer. */
static unsigned
pairs(void)
{
	return getenv("KTOP_LONG") != NULL ? 1000 : 300;
}

/* Pairs of this process, the second one higher by `shift`. */
static struct rates
rates_of(const struct process *p, unsigned n, double shift, unsigned npairs)
{
	static double v[2][FRAMES_MAX], z[2][FRAMES_MAX], one[FRAMES_MAX];
	struct rates r = { .pairs = npairs };
	uint64_t seed = ((uint64_t)(p - processes) << 32) + n;

	for (unsigned i = 0; i < n; i++)
		one[i] = 1;
	for (unsigned k = 0; k < r.pairs; k++) {
		struct har_series s[2];
		struct har h;

		for (unsigned side = 0; side < 2; side++) {
			draw(p, v[side], n, &seed);
			for (unsigned i = 0; i < n; i++)
				v[side][i] += side * shift;
			s[side] = (struct har_series){ v[side], one, n,
						       sum_of(v[side], n) / n,
						       z[side] };
		}
		har_difference(&s[0], &s[1], 0.99, &h);
		r.judged += h.enough;
		r.called += h.enough && h.of.p <= 0.01;
	}
	if (getenv("KTOP_RATES") != NULL)
		printf("%-26s n %4u shift %4.2f judged %5.1f%% called "
		       "%5.1f%% of all, %5.1f%% of the judged\n",
		       p->name, n, shift, 100.0 * r.judged / r.pairs,
		       100.0 * r.called / r.pairs,
		       r.judged > 0 ? 100.0 * r.called / r.judged : 0);
	return r;
}

/*
 * Of all pairs at most 2 % are called different, and of those that are judged
 * too, wherever the length is one at which most are. (Of the few that are
 * judged at a length that does not suffice, more are wrong: two short series
 * that each sat in one state look like two programs, and nothing in them says
 * otherwise.)
 */
static void
alike_is_called_so(void **state)
{
	static const unsigned length[] = { 120, 240, 300, 600, 1200 };
	unsigned n = getenv("KTOP_RATES") != NULL ? 5 : 4;
	/* All with KTOP_LONG=1, else one length of each, by turns. */
	unsigned step = n == 5 || getenv("KTOP_LONG") != NULL ? 1 : n;

	(void)state;
	for (unsigned p = 0; p < PROCESSES; p++)
		for (unsigned i = p % step; i < n; i += step) {
			struct rates r =
				rates_of(&processes[p], length[i], 0, 1000);

			if (r.called > 0.02 * r.pairs)
				fail_msg("%s: %u of %u at %u frames",
					 processes[p].name, r.called, r.pairs,
					 length[i]);
			if (r.judged > 0.75 * r.pairs &&
			    r.called > 0.02 * r.judged)
				fail_msg("%s: %u of the %u judged at %u frames",
					 processes[p].name, r.called, r.judged,
					 length[i]);
		}
}

static void
too_few_are_not_judged(void **state)
{
	(void)state;
	assert_int_equal(
		rates_of(&processes[0], HAR_FRAMES_MIN - 1, 0, pairs()).judged,
		0);
	/* Nor what lasts too long for its length. */
	assert_true(rates_of(&processes[3], 120, 0, pairs()).judged <
		    pairs() / 30);
	assert_true(rates_of(&processes[4], 300, 0, 1000).judged < 1000 / 100);
	/* What does not is. */
	assert_true(rates_of(&processes[0], 120, 0, pairs()).judged >
		    (double)pairs() * 0.98);
	assert_true(rates_of(&processes[2], 180, 0, pairs()).judged >
		    (double)pairs() * 0.98);
	assert_true(rates_of(&processes[3], 600, 0, pairs()).judged >
		    (double)pairs() * 0.98);
}

/* Half a standard deviation at 600 frames. */
static void
different_is_called_so(void **state)
{
	(void)state;
	assert_true(rates_of(&processes[0], 600, 0.5, pairs()).called >
		    0.99 * (double)pairs());
	assert_true(rates_of(&processes[2], 600, 0.5 / sqrt(1 - 0.25), pairs())
			    .called > 0.9 * (double)pairs());
	assert_true(rates_of(&processes[3], 600, 0.5 / sqrt(1 - 0.64), 1000)
			    .called > 0.45 * 1000);
}

/* Written out for one series, term by term. */
static void
the_formula_is_the_one_of_the_paper(void **state)
{
	enum { N = 150 };
	double num[N], den[N], z[N], omega = 0, ratio, mean;
	struct har_series s = { num, den, N, 0, z };
	struct estimate e;
	uint64_t seed = 5;

	(void)state;
	for (int i = 0; i < N; i++) {
		den[i] = 1 + 9 * uniform(&seed);
		num[i] = den[i] * (2 + normal(&seed));
	}
	ratio = sum_of(num, N) / sum_of(den, N);
	mean = sum_of(den, N) / (double)N;
	for (int j = 1; j <= 8; j++) {
		double l = 0;

		for (int i = 1; i <= N; i++)
			l += (num[i - 1] - ratio * den[i - 1]) / mean *
			     cos(acos(-1) * j * (i - 0.5) / (double)N);
		l *= sqrt(2.0 / (double)N);
		omega += l * l / 8;
	}
	s.ratio = ratio;
	har_estimate(&s, &e);
	assert_true(e.value == ratio);
	assert_true(fabs(e.variance - omega / (double)N) < 1e-12 * omega);
	assert_true(e.df == 8);
}

/*
 * Half of the frames are nearly idle and of another ratio: the interval is that
 * of the sums' difference, in its middle, though the mean of the frames' own
 * ratios is far from it.
 */
static void
the_interval_is_of_the_printed_difference(void **state)
{
	enum { N = 400 };
	static double num[2][N], den[2][N], z[2][N];
	struct har_series s[2];
	struct har h;
	uint64_t seed = 9;
	double of_frames[2] = { 0, 0 };

	(void)state;
	for (int side = 0; side < 2; side++) {
		for (int i = 0; i < N; i++) {
			bool idle = i % 2 == 1;
			double ratio = idle ? 0.5 + 1.5 * side : 2 - 0.2 * side;

			den[side][i] = idle ? 1 : 1000;
			num[side][i] =
				den[side][i] * (ratio + 0.01 * normal(&seed));
			of_frames[side] +=
				num[side][i] / den[side][i] / (double)N;
		}
		s[side] = (struct har_series){ num[side], den[side], N,
					       sum_of(num[side], N) /
						       sum_of(den[side], N),
					       z[side] };
	}
	har_difference(&s[0], &s[1], 0.99, &h);
	assert_true(h.enough);
	assert_true(h.of.value == s[1].ratio - s[0].ratio);
	assert_true(fabs(h.of.value + 0.2) < 0.01);
	assert_true(h.of.high < -0.19 && h.of.low > -0.21);
	assert_true(fabs((h.of.low + h.of.high) / 2 - h.of.value) < 1e-12);
	assert_true(of_frames[1] - of_frames[0] > 0.5); /* would have lied */
}

static void
a_series_that_does_not_move_is_known(void **state)
{
	enum { N = 200 };
	double v[N], one[N], za[N], zb[N];
	struct har_series a = { v, one, N, 1, za }, b = { v, one, N, 1, zb };
	struct har h;

	(void)state;
	for (int i = 0; i < N; i++)
		v[i] = one[i] = 1;
	har_difference(&a, &b, 0.99, &h);
	assert_true(h.enough && h.of.p >= 1);
	assert_true(h.time >= 1 && h.time <= 1);
	b.n = 10;
	har_difference(&a, &b, 0.99, &h);
	assert_true(!h.enough && isnan(h.of.p));
	assert_true(h.needs >= 120 && h.needs <= 120);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(alike_is_called_so),
		cmocka_unit_test(too_few_are_not_judged),
		cmocka_unit_test(different_is_called_so),
		cmocka_unit_test(the_formula_is_the_one_of_the_paper),
		cmocka_unit_test(the_interval_is_of_the_printed_difference),
		cmocka_unit_test(a_series_that_does_not_move_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
