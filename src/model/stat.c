#include "model/stat.h"

#include <math.h>
#include <stdlib.h>

#include "model/student.h"

#define CONFIDENCE 0.95
#define BAND 0.01        /* differences up to here do not matter */
#define FENCE 1.5        /* Tukey: so many times the middle half's width */
#define FENCE_EXACT 1e-3 /* of the median, where that width is 0 */

/* ---- one command ---- */

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Linear between neighbours, as R's type 7. */
static double
quantile(const double *sorted, unsigned n, double at)
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
	qsort(work, n, sizeof *work, by_value);
	double low = quantile(work, n, 0.25), high = quantile(work, n, 0.75);
	double reach = FENCE * (high - low);

	/* Instructions repeat exactly: then any other value would be one. */
	if (!(reach > 0))
		reach = FENCE_EXACT * fabs(quantile(work, n, 0.5));
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

/* ---- two ---- */

/* Of ln v, or of ln (v / over); false: there is no logarithm. */
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

static enum stat_verdict
verdict_of(const struct stat_change *c)
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
					      .verdict = STAT_UNKNOWN };

static void
note_difference(const struct difference *d, struct stat_change *out)
{
	out->low = exp(d->low);
	out->high = exp(d->high);
	out->se = d->se;
	out->df = d->df;
	out->verdict = verdict_of(out);
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
	out->verdict = STAT_FEW;
	if (na < STAT_CLAIM_RUNS || nb < STAT_CLAIM_RUNS)
		return;
	student_difference(&of_a, &of_b, CONFIDENCE, &d);
	out->paired = by_turns && na == nb;
	if (out->paired) {
		/* Against 1, which is known. */
		const struct estimate one = { 0, 0, INFINITY };

		(void)mean_of_logs(b, a, na, &of_b);
		student_difference(&one, &of_b, CONFIDENCE, &d);
	}
	note_difference(&d, out);
}

void
stat_mean_change(const struct stat_change *pair, unsigned n,
		 struct stat_change *out)
{
	const struct estimate one = { 0, 0, INFINITY };
	struct estimate mean = { 0, 0, INFINITY };
	enum stat_verdict least = STAT_SAME;
	double all = 0, shares = 0;
	struct difference d;

	*out = no_change;
	for (unsigned i = 0; i < n; i++) {
		if (pair[i].verdict < least)
			least = pair[i].verdict;
		mean.value += log(pair[i].ratio) / n;
		all += pair[i].se * pair[i].se;
	}
	if (n == 0 || least == STAT_UNKNOWN)
		return;
	out->ratio = exp(mean.value);
	out->verdict = STAT_FEW;
	if (least == STAT_FEW)
		return;
	/* Welch and Satterthwaite's, of as many as there are. */
	for (unsigned i = 0; i < n && all > 0; i++) {
		double share = pair[i].se * pair[i].se / all;

		shares += share * share / pair[i].df;
	}
	mean.variance = all / n / n;
	if (shares > 0)
		mean.df = 1 / shares;
	student_difference(&one, &mean, CONFIDENCE, &d);
	note_difference(&d, out);
}

/* ---- the order ---- */

/* Steele, Lea and Flood's SplitMix64. */
static uint64_t
draw(uint64_t *state)
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
			unsigned k = (unsigned)(draw(&seed) % i);
			unsigned was = at[i - 1];

			at[i - 1] = at[k];
			at[k] = was;
		}
	}
}

/* ---- in words ---- */

static void
say_time(struct buf *to, const struct stat_pair *p)
{
	switch (p->elapsed.verdict) {
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
say_instructions(struct buf *to, const struct stat_pair *p)
{
	enum stat_verdict v = p->instructions.verdict;
	bool differs = p->elapsed.verdict == STAT_MORE ||
		       p->elapsed.verdict == STAT_LESS;

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

/* Only what the counts leave: the same work took more cycles, or more time. */
static const char *
reason_of(const struct stat_pair *p)
{
	enum stat_verdict more = p->elapsed.verdict;
	bool longer = more == STAT_MORE;

	if (p->instructions.verdict != STAT_SAME ||
	    (more != STAT_MORE && more != STAT_LESS))
		return "";
	if (p->cycles.verdict == more)
		return longer ? ": it waits more" : ": it waits less";
	if (p->cycles.verdict != STAT_SAME)
		return "";
	if (p->cpu.verdict == more)
		return longer ? ": its cores ran slower"
			      : ": its cores ran faster";
	if (p->cpu.verdict == STAT_SAME)
		return longer ? ": it is off the cores for longer"
			      : ": it is off the cores for less time";
	return "";
}

void
stat_say(struct buf *to, const struct stat_pair *p)
{
	if (p->elapsed.verdict == STAT_UNKNOWN)
		return;
	if (p->elapsed.verdict == STAT_FEW) {
		buf_printf(
			to,
			"Nothing is claimed of fewer than %d runs of each; -r %d makes them.",
			STAT_CLAIM_RUNS, STAT_CLAIM_RUNS);
		return;
	}
	say_time(to, p);
	say_instructions(to, p);
	buf_str(to, reason_of(p));
	buf_char(to, '.');
}
