/*
 * How often two series of the same process are called different, and how often
 * a difference is found. Seeds are fixed: each rate is the same number every
 * time. KTOP_LONG=1: 3,000 pairs of each length; KTOP_RATES=1 prints the rates.
 */
#include "model/stat.h"

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FRAMES_MAX = 1200 };

struct process {
	const char *name;
	enum { NORMAL, SPIKES, FADING, DWELLING, LINE, WALK } kind;
	/* FADING: the factor; DWELLING: mean samples in a state; LINE: the
	   deviation of its rise; WALK: of a step */
	double of;
	double most[3]; /* false alarms, percent, at each length */
};

static const unsigned lengths[] = { 300, 600, 1200 };

static const struct process processes[] = {
	{ "independent", NORMAL, 0, { 2, 2, 2 } },
	{ "spikes", SPIKES, 0, { 2, 2, 2 } },
	{ "AR(1) 0.5", FADING, 0.5, { 2, 2, 2 } },
	{ "AR(1) 0.9", FADING, 0.9, { 2, 2, 2 } },
	{ "two states, dwell 10", DWELLING, 10, { 2, 2, 2 } },
	{ "two states, dwell 40", DWELLING, 40, { 4, 2.5, 2.5 } },
	{ "drift, 1 deviation", LINE, 1, { 5, 5, 5 } },
	{ "drift, 2 deviations", LINE, 2, { 5, 5, 5 } },
	{ "drift, 5 deviations", LINE, 5, { 5, 5, 5 } },
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
	double rise = p->kind == LINE ? p->of * normal(seed) : 0;
	double x = normal(seed) / sqrt(1 - (p->kind == FADING) * p->of * p->of);
	double walked = 0;

	if (p->kind == DWELLING)
		x = uniform(seed) < 0.5;
	for (unsigned i = 0; i < n; i++) {
		v[i] = x + rise * i / n + walked;
		if (p->kind == FADING)
			x = p->of * x + normal(seed);
		else if (p->kind == DWELLING)
			x = uniform(seed) < 1 / p->of ? 1 - x : x;
		else
			x = normal(seed);
		if (p->kind == SPIKES && uniform(seed) < 0.01)
			v[i] += 20;
		if (p->kind == WALK)
			walked += p->of * normal(seed);
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

/* Of so many pairs, the second one higher by `shift`: called different, %. */
static double
called(const struct process *p, unsigned n, double shift, unsigned pairs)
{
	static double v[2][FRAMES_MAX], one[FRAMES_MAX];
	unsigned differ = 0, drift = 0;
	uint64_t seed = ((uint64_t)(p - processes) << 32) + n;

	for (unsigned i = 0; i < n; i++)
		one[i] = 1;
	for (unsigned k = 0; k < pairs; k++) {
		struct blocks_series s[2];
		struct difference d;

		for (unsigned side = 0; side < 2; side++) {
			draw(p, v[side], n, &seed);
			for (unsigned i = 0; i < n; i++)
				v[side][i] += side * shift;
			s[side] = (struct blocks_series){
				v[side], one, n, sum_of(v[side], n) / n
			};
		}
		bool steady = blocks_difference(&s[0], &s[1], 0.99, &d);

		differ += steady && d.p <= 0.01;
		drift += !steady && d.p <= 0.01;
	}
	if (getenv("KTOP_RATES") != NULL)
		printf("%-22s n %4u shift %4.2f: differ %5.1f%%, drift "
		       "%5.1f%%\n",
		       p->name, n, shift, 100.0 * differ / pairs,
		       100.0 * drift / pairs);
	return 100.0 * differ / pairs;
}

static bool
is_long(void)
{
	return getenv("KTOP_LONG") != NULL;
}

UNIT(alike_is_called_so)
{
	for (unsigned p = 0; p < PROCESSES; p++)
		for (unsigned i = is_long() ? 0 : p % 3; i < 3;
		     i += is_long() ? 1 : 3) {
			const struct process *of = &processes[p];
			double share = called(of, lengths[i], 0,
					      is_long() ? 3000 : 600);

			if (share > of->most[i])
				fail_msg("%s: %.1f%% at %u samples", of->name,
					 share, lengths[i]);
		}
}

/* Half a standard deviation: 5 % where samples spread by 10 %. */
UNIT(different_is_called_so)
{
	unsigned pairs = is_long() ? 3000 : 600;

	assert_true(called(&processes[0], 600, 0.5, pairs) >= 95);
	assert_true(called(&processes[2], 600, 0.5 / sqrt(0.75), pairs) >= 85);
}

/* A known limit of the gate, so that the documents stay true. */
UNIT(a_random_walk_is_seen_in_part)
{
	const struct process walk = { "random walk", WALK, 0.1, { 0 } };
	double share;

	share = called(&walk, 600, 0, is_long() ? 3000 : 600);
	assert_true(share > 8 && share < 20);
}

/*
 * Half of the frames are nearly idle and of another ratio: the interval is that
 * of the sums' difference, in its middle, though the mean of the frames' own
 * ratios is far from it.
 */
UNIT(the_interval_is_of_the_printed_difference)
{
	enum { N = 400 };
	static double num[2][N], den[2][N];
	struct blocks_series s[2];
	struct difference d;
	uint64_t seed = 9;
	double of_frames[2] = { 0, 0 };

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
		s[side] =
			(struct blocks_series){ num[side], den[side], N,
						sum_of(num[side], N) /
							sum_of(den[side], N) };
	}
	(void)blocks_difference(&s[0], &s[1], 0.99, &d);
	assert_true(d.value == s[1].ratio - s[0].ratio);
	assert_true(fabs(d.value + 0.2) < 0.01);
	assert_true(d.high < -0.19 && d.low > -0.21);
	assert_true(fabs((d.low + d.high) / 2 - d.value) < 1e-12);
	assert_true(of_frames[1] - of_frames[0] > 0.5); /* would have lied */
}

/* Against Welch's test of the blocks' means, written out. */
UNIT(blocks_are_judged_by_welch)
{
	enum { N = 305 }; /* not a multiple of 6 */
	double num[2][N], den[2][N], block[2][BLOCKS] = { { 0 } };
	struct blocks_series s[2];
	struct estimate e[2];
	struct difference d, want;
	uint64_t seed = 5;

	for (int side = 0; side < 2; side++) {
		for (int i = 0; i < N; i++) {
			den[side][i] = 1 + 9 * uniform(&seed);
			num[side][i] = den[side][i] * (2 + normal(&seed));
		}
		double whole = sum_of(den[side], N);
		double ratio = sum_of(num[side], N) / whole;

		for (unsigned k = 0; k < BLOCKS; k++) {
			unsigned at = N * k / BLOCKS;
			unsigned n = N * (k + 1) / BLOCKS - at;

			block[side][k] = (sum_of(num[side] + at, n) -
					  ratio * sum_of(den[side] + at, n)) /
					 n / (whole / (double)N);
		}
		s[side] = (struct blocks_series){ num[side], den[side], N,
						  ratio };
		student_mean(block[side], BLOCKS, &e[side]);
		e[side].value = ratio;
	}
	student_difference(&e[0], &e[1], 0.99, &want);
	(void)blocks_difference(&s[0], &s[1], 0.99, &d);
	assert_true(fabs(d.value - want.value) < 1e-12);
	assert_true(fabs(d.low - want.low) < 1e-9 &&
		    fabs(d.high - want.high) < 1e-9);
	assert_true(fabs(d.p - want.p) < 1e-9 && d.df >= 5 && d.df <= 10);
}

UNIT(a_series_that_does_not_move_is_known)
{
	enum { N = 300 };
	double v[N];
	struct blocks_series s = { v, v, N, 1 }, other = { v, v, N, 1 };
	struct difference d;

	for (int i = 0; i < N; i++)
		v[i] = 1;
	assert_true(blocks_difference(&s, &other, 0.99, &d));
	assert_true(d.p >= 1);
}
