#include "model/stat.h"

#include <math.h>
#include <stdlib.h>

#define CONFIDENCE 0.95
#define BAND 0.01        /* a smaller relative difference does not matter */
#define FENCE 1.5        /* Tukey's factor of the interquartile range */
#define FENCE_EXACT 1e-3 /* of the median, if the range is 0 */

static int
compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
quantile_sorted(const double *sorted, unsigned n, double at)
{
	double x = at * (n - 1);
	unsigned i = (unsigned)x;

	if (i + 1 >= n)
		return sorted[n - 1];
	return sorted[i] + (x - i) * (sorted[i + 1] - sorted[i]);
}

static unsigned
count_outliers(const double *v, unsigned n, double *work)
{
	unsigned out = 0;

	if (n < STAT_FENCE_RUNS)
		return 0;
	for (unsigned i = 0; i < n; i++)
		work[i] = v[i];
	qsort(work, n, sizeof *work, compare_doubles);
	double low = quantile_sorted(work, n, 0.25),
	       high = quantile_sorted(work, n, 0.75);
	double reach = FENCE * (high - low);

	/* If the range is 0, any other count would be an outlier. */
	if (!(reach > 0))
		reach = FENCE_EXACT * fabs(quantile_sorted(work, n, 0.5));
	for (unsigned i = 0; i < n; i++)
		out += v[i] < low - reach || v[i] > high + reach;
	return out;
}

void
stat_describe(const double *v, unsigned n, double *work,
	      struct stat_series *out)
{
	double sum = 0;

	*out = (struct stat_series){ n, NAN, NAN, NAN, NAN, NAN, 0 };
	for (unsigned i = 0; i < n; i++)
		sum += v[i];
	if (n == 0 || isnan(sum))
		return;
	out->mean = sum / n;
	out->min = out->max = v[0];
	for (unsigned i = 1; i < n; i++) {
		out->min = fmin(out->min, v[i]);
		out->max = fmax(out->max, v[i]);
	}
	if (n > 1) {
		struct estimate e;

		student_mean(v, n, &e);
		out->s = sqrt(e.variance * n);
		out->half = student_bound(CONFIDENCE, e.df) * sqrt(e.variance);
	}
	out->outliers = count_outliers(v, n, work);
}

void
stat_describe_ratio(const double *above, const double *below, unsigned n,
		    double *work, struct stat_series *out)
{
	double *ratio = work + n, top = 0, bottom = 0;

	for (unsigned i = 0; i < n; i++) {
		top += above[i];
		bottom += below[i];
		ratio[i] = below[i] > 0 ? above[i] / below[i] : (double)NAN;
	}
	stat_describe(ratio, n, work, out);
	if (!isnan(out->mean))
		out->mean = top / bottom;
}

/* Mean of ln v, or of ln (v / over). False: a value is not positive. */
static bool
mean_of_logs(const double *v, const double *over, unsigned n,
	     struct estimate *out)
{
	double sum = 0, squares = 0;

	for (unsigned i = 0; i < n; i++) {
		if (!(v[i] > 0) || (over != NULL && !(over[i] > 0)))
			return false;
		sum += log(v[i] / (over != NULL ? over[i] : 1));
	}
	out->value = sum / n;
	for (unsigned i = 0; i < n; i++) {
		double d =
			log(v[i] / (over != NULL ? over[i] : 1)) - out->value;

		squares += d * d;
	}
	out->df = n - 1.0;
	out->variance = n > 1 ? squares / (n - 1.0) / n : (double)NAN;
	return n > 0;
}

static enum stat_outcome
change_outcome(const struct stat_change *c)
{
	if (c->low > 1 + BAND)
		return STAT_MORE;
	if (c->high < 1 - BAND)
		return STAT_LESS;
	return c->low >= 1 - BAND && c->high <= 1 + BAND ? STAT_SAME
							 : STAT_UNCLEAR;
}

static const struct stat_change no_change = { .ratio = NAN,
					      .low = NAN,
					      .high = NAN,
					      .se = NAN,
					      .df = NAN,
					      .outcome = STAT_UNKNOWN };

static void
set_difference(const struct difference *d, struct stat_change *out)
{
	out->low = exp(d->low);
	out->high = exp(d->high);
	out->se = d->se;
	out->df = d->df;
	out->outcome = change_outcome(out);
}

void
stat_compare(const double *a, unsigned na, const double *b, unsigned nb,
	     bool by_turns, struct stat_change *out)
{
	struct estimate of_a, of_b;
	struct difference d;

	*out = no_change;
	if (!mean_of_logs(a, NULL, na, &of_a) ||
	    !mean_of_logs(b, NULL, nb, &of_b))
		return;
	out->ratio = exp(of_b.value - of_a.value);
	out->outcome = STAT_FEW;
	if (na < STAT_CLAIM_RUNS || nb < STAT_CLAIM_RUNS)
		return;
	student_difference(&of_a, &of_b, CONFIDENCE, &d);
	out->paired = by_turns && na == nb;
	if (out->paired) {
		/* The mean of the logarithms is compared with exactly 0. */
		const struct estimate one = { 0, 0, INFINITY };

		(void)mean_of_logs(b, a, na, &of_b);
		student_difference(&one, &of_b, CONFIDENCE, &d);
	}
	set_difference(&d, out);
}

void
stat_mean_change(const struct stat_change *pair, unsigned n,
		 struct stat_change *out)
{
	const struct estimate one = { 0, 0, INFINITY };
	struct estimate mean = { 0, 0, INFINITY };
	enum stat_outcome least = STAT_SAME;
	double all = 0, shares = 0;
	struct difference d;

	*out = no_change;
	for (unsigned i = 0; i < n; i++) {
		if (pair[i].outcome < least)
			least = pair[i].outcome;
		mean.value += log(pair[i].ratio) / n;
		all += pair[i].se * pair[i].se;
	}
	if (n == 0 || least == STAT_UNKNOWN)
		return;
	out->ratio = exp(mean.value);
	out->outcome = STAT_FEW;
	if (least == STAT_FEW)
		return;
	/* Welch-Satterthwaite. */
	for (unsigned i = 0; i < n && all > 0; i++) {
		double share = pair[i].se * pair[i].se / all;

		shares += share * share / pair[i].df;
	}
	mean.variance = all / n / n;
	if (shares > 0)
		mean.df = 1 / shares;
	student_difference(&one, &mean, CONFIDENCE, &d);
	set_difference(&d, out);
}

/* SplitMix64 (Steele, Lea, Flood). */
static uint64_t
random_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

void
stat_order(uint64_t seed, unsigned commands, unsigned rounds, unsigned *order)
{
	for (unsigned r = 0; r < rounds; r++) {
		unsigned *at = order + r * commands;

		for (unsigned i = 0; i < commands; i++)
			at[i] = i;
		for (unsigned i = commands; i > 1; i--) {
			unsigned k = (unsigned)(random_next(&seed) % i);
			unsigned was = at[i - 1];

			at[i - 1] = at[k];
			at[k] = was;
		}
	}
}

static void
write_time(struct buf *to, const struct stat_pair *p)
{
	switch (p->elapsed.outcome) {
	case STAT_MORE:
	case STAT_LESS:
		buf_printf(to, "%s takes ", p->b);
		buf_decimal(to, p->elapsed.ratio, 3);
		buf_printf(to, " times as long as %s", p->a);
		return;
	case STAT_SAME:
		buf_printf(to, "%s takes as long as %s, within 1 %%", p->b,
			   p->a);
		return;
	case STAT_UNCLEAR:
		buf_printf(
			to,
			"No difference in time beyond 1 %% is shown between %s and %s",
			p->a, p->b);
		return;
	case STAT_FEW:
	case STAT_UNKNOWN:
		break;
	}
}

static void
write_instructions(struct buf *to, const struct stat_pair *p)
{
	enum stat_outcome v = p->instructions.outcome;
	bool differs = p->elapsed.outcome == STAT_MORE ||
		       p->elapsed.outcome == STAT_LESS;

	if (v == STAT_SAME && differs) {
		buf_str(to, ", for the same number of instructions");
	} else if (v == STAT_MORE || v == STAT_LESS) {
		if (!differs)
			buf_printf(to, "; %s", p->b);
		buf_str(to, differs ? ", with " : " executes ");
		buf_decimal(to, p->instructions.ratio, 3);
		buf_str(to, " times the instructions");
	}
}

static const char *
change_reason(const struct stat_pair *p)
{
	enum stat_outcome more = p->elapsed.outcome;
	bool longer = more == STAT_MORE;

	if (p->instructions.outcome != STAT_SAME ||
	    (more != STAT_MORE && more != STAT_LESS))
		return "";
	if (p->cycles.outcome == more)
		return longer ? ": it waits more" : ": it waits less";
	if (p->cycles.outcome != STAT_SAME)
		return "";
	if (p->cpu.outcome == more)
		return longer ? ": its cores ran slower"
			      : ": its cores ran faster";
	if (p->cpu.outcome == STAT_SAME)
		return longer ? ": it is off the cores for longer"
			      : ": it is off the cores for less time";
	return "";
}

void
stat_write_sentence(struct buf *to, const struct stat_pair *p)
{
	if (p->elapsed.outcome == STAT_UNKNOWN)
		return;
	if (p->elapsed.outcome == STAT_FEW) {
		buf_printf(
			to,
			"Nothing is claimed of fewer than %d runs of each; -r %d makes them.",
			STAT_CLAIM_RUNS, STAT_CLAIM_RUNS);
		return;
	}
	write_time(to, p);
	write_instructions(to, p);
	buf_str(to, change_reason(p));
	buf_char(to, '.');
}

static const double many = 1e7;

/* Lentz's continued fraction (Abramowitz and Stegun 26.5.8). */
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

/* The incomplete beta function I_x(a, b). y is 1 - x without rounding. */
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
	/* The variances are divided first, as their squares could underflow. */
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
	/* From the largest p on, so that the results stay monotonic. */
	for (unsigned rank = m; rank > 0; rank--) {
		double *here = &p[work[rank - 1]];

		least = fmin(least, *here * m / rank);
		*here = least;
	}
}

/* There is a drift if lines explain more than half of the sum of squares of
 * both sides (F(2, 8) > 4: 6 % by chance) and one line rises by 70 % of the
 * difference. */
static const double share_of_lines = 0.5, share_of_rise = 0.7;

struct drift {
	/* Sum of squares, and the part of it that lines explain. */
	double all, lines;
	double rise;
};

static void
means_of_blocks(const struct blocks_series *s, double block[BLOCKS])
{
	double sum = 0;

	for (unsigned i = 0; i < s->n; i++)
		sum += s->den[i];
	for (unsigned k = 0; k < BLOCKS; k++) {
		unsigned from = s->n * k / BLOCKS;
		unsigned to = s->n * (k + 1) / BLOCKS;

		block[k] = 0;
		for (unsigned i = from; i < to; i++)
			block[k] += s->num[i] - s->ratio * s->den[i];
		block[k] /= sum / s->n * (to - from);
	}
}

static void
add_drift_line(struct drift *d, const double block[BLOCKS], double variance)
{
	double along = 0, times = 0;

	for (unsigned k = 0; k < BLOCKS; k++) {
		double time = k - (BLOCKS - 1) / 2.0;

		along += time * block[k];
		times += time * time;
	}
	d->all += variance * (double)(BLOCKS * (BLOCKS - 1));
	d->lines += along * along / times;
	d->rise = fmax(d->rise, fabs(along / times * (double)BLOCKS));
}

bool
blocks_difference(const struct blocks_series *a, const struct blocks_series *b,
		  double confidence, struct difference *out)
{
	const struct blocks_series *side[] = { a, b };
	struct estimate of[2];
	struct drift drift = { 0, 0, 0 };

	for (unsigned i = 0; i < 2; i++) {
		double block[BLOCKS];

		means_of_blocks(side[i], block);
		student_mean(block, BLOCKS, &of[i]);
		of[i].value = side[i]->ratio;
		add_drift_line(&drift, block, of[i].variance);
	}
	student_difference(&of[0], &of[1], confidence, out);
	return drift.lines <= share_of_lines * drift.all ||
	       drift.rise < share_of_rise * fabs(out->value);
}
