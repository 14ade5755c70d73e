/* Lasting changes of a cluster's IPC. */
#include "analysis/analysis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	TREND_MAX = 2048, /* entries; when full, pairs of entries are merged */
	BATCH_FRAMES = 8, /* fewest frames in a batch */
	BATCHES_MIN = 6,
	SIDE_BATCHES = 2, /* fewest batches before and after a change */
	POINTS_MAX = 64   /* most changes of one cluster */
};
static const double batch_s =
	5; /* shortest batch: neighbouring frames correlate */
static const double sure =
	5; /* threshold of a change, in standard deviations of the noise */
static const double least =
	0.05; /* threshold of a change, as a part of the IPC before */
static const double awake =
	0.05; /* below this part of its average cycles a cluster rests */

/* cycles[i] and instructions[i] are sums of the entries before entry i. */
struct trend {
	unsigned n;
	double end_s[TREND_MAX];
	double cycles[TREND_MAX + 1], instructions[TREND_MAX + 1];
};

struct trends {
	uint64_t frames, stride; /* stride: frames of one entry */
	struct trend of[];
};

bool
changes_init(struct digest *d)
{
	if (d->keep != DIGEST_VALUES)
		return true;
	d->trends =
		calloc(1, sizeof *d->trends + d->topology->nclusters *
						      sizeof d->trends->of[0]);
	if (d->trends != NULL)
		d->trends->stride = 1;
	return d->trends != NULL;
}

static void
trend_halve(struct trend *t)
{
	t->n /= 2;
	for (unsigned i = 0; i < t->n; i++) {
		t->end_s[i] = t->end_s[2 * i + 1];
		t->cycles[i + 1] = t->cycles[2 * i + 2];
		t->instructions[i + 1] = t->instructions[2 * i + 2];
	}
}

void
changes_add(struct digest *d, const struct frame *f, double end_s)
{
	struct trends *x = d->trends;
	bool new;

	if (x == NULL)
		return;
	new = x->frames++ % x->stride == 0;
	if (new && x->of[0].n == TREND_MAX) {
		for (unsigned i = 0; i < d->topology->nclusters; i++)
			trend_halve(&x->of[i]);
		x->stride *= 2;
	}
	for (unsigned i = 0; i < d->topology->nclusters; i++) {
		const struct span *s = &f->span[d->topology->ncpus + i];
		struct trend *t = &x->of[i];

		if (new) {
			t->cycles[t->n + 1] = t->cycles[t->n];
			t->instructions[t->n + 1] = t->instructions[t->n];
			t->n++;
		}
		t->end_s[t->n - 1] = end_s;
		if (!span_had_fixed(s))
			continue;
		t->cycles[t->n] += (double)s->cycles;
		t->instructions[t->n] += (double)s->instructions;
	}
}

struct seek {
	const struct trend *t;
	unsigned batch;
	double noise; /* standard deviation of a batch's IPC */
	double sure;  /* threshold for a change, in units of noise */
	unsigned point[POINTS_MAX], n; /* the first entry after each change */
};

static double
trend_cycles(const struct trend *t, unsigned from, unsigned to)
{
	return t->cycles[to] - t->cycles[from];
}

static double
trend_ipc(const struct trend *t, unsigned from, unsigned to)
{
	return (t->instructions[to] - t->instructions[from]) /
	       trend_cycles(t, from, to);
}

static bool
trend_is_awake(const struct trend *t, unsigned from, unsigned to)
{
	return trend_cycles(t, from, to) / (to - from) >
	       awake * t->cycles[t->n] / t->n;
}

/* Difference of the IPC before and after `at`, in standard deviations of the
 * noise; 0: too small, or the cluster rested. */
static double
trend_change_at(const struct seek *s, unsigned from, unsigned at, unsigned to)
{
	double a, b;

	if (!trend_is_awake(s->t, from, at) || !trend_is_awake(s->t, at, to))
		return 0;
	a = trend_ipc(s->t, from, at);
	b = trend_ipc(s->t, at, to);
	if (!(fabs(b - a) >= least * a))
		return 0;
	return fabs(b - a) / (s->noise * sqrt((double)s->batch / (at - from) +
					      (double)s->batch / (to - at)));
}

/* Estimates the noise from the differences of neighbouring batches; their lower
 * quartile ignores real changes. False: too few batches. */
static bool
seek_find_noise(struct seek *s)
{
	double step[TREND_MAX], last = NAN;
	unsigned n = 0;

	for (unsigned i = 0; i + s->batch <= s->t->n; i += s->batch) {
		double ipc;

		if (!trend_is_awake(s->t, i, i + s->batch))
			continue;
		ipc = trend_ipc(s->t, i, i + s->batch);
		if (!isnan(last))
			step[n++] = fabs(ipc - last);
		last = ipc;
	}
	if (n + 1 < BATCHES_MIN)
		return false;
	/* Lower quartile of |x - y|, for x and y of a standard normal
	 * distribution. */
	s->noise = digest_quantile(step, n, 0.25) / (0.3186 * sqrt(2));
	s->sure = sure * (1 + 8.0 / (n + 1)); /* fewer batches: less certain */
	s->noise = fmax(s->noise, 0.001 * trend_ipc(s->t, 0, s->t->n));
	return true;
}

/* The most significant change, at least `side` from the ends; 0: none. */
static unsigned
seek_most_apart(const struct seek *s, unsigned from, unsigned to, unsigned side)
{
	unsigned best = 0;
	double most = s->sure;

	for (unsigned at = from + side; at + side <= to; at++) {
		double z = trend_change_at(s, from, at, to);

		if (z > most) {
			most = z;
			best = at;
		}
	}
	return best;
}

static void
seek_split(struct seek *s, unsigned from, unsigned to)
{
	unsigned best = seek_most_apart(s, from, to, SIDE_BATCHES * s->batch);

	if (best == 0)
		return;
	seek_split(s, from, best);
	if (s->n < POINTS_MAX)
		s->point[s->n++] = best;
	seek_split(s, best, to);
}

static unsigned
stretch_begin(const struct seek *s, unsigned i)
{
	return i > 0 ? s->point[i - 1] : 0;
}

static unsigned
stretch_end(const struct seek *s, unsigned i)
{
	return i + 1 < s->n ? s->point[i + 1] : s->t->n;
}

static void
seek_move_points(struct seek *s)
{
	for (unsigned i = 0; i < s->n; i++) {
		unsigned at = seek_most_apart(s, stretch_begin(s, i),
					      stretch_end(s, i), s->batch);

		if (at != 0)
			s->point[i] = at;
	}
}

static void
seek_drop_unsure(struct seek *s)
{
	for (;;) {
		unsigned weakest = s->n;
		double z = s->sure;

		for (unsigned i = 0; i < s->n; i++) {
			double v = trend_change_at(
				s, i > 0 ? s->point[i - 1] : 0, s->point[i],
				i + 1 < s->n ? s->point[i + 1] : s->t->n);

			if (v < z) {
				z = v;
				weakest = i;
			}
		}
		if (weakest == s->n)
			return;
		memmove(&s->point[weakest], &s->point[weakest + 1],
			(s->n - weakest - 1) * sizeof s->point[0]);
		s->n--;
	}
}

static void
changes_keep_largest(struct change *out, unsigned *n, const struct change *c)
{
	unsigned at = *n;

	while (at > 0 && out[at - 1].size < c->size)
		at--;
	if (at == CHANGES_MAX)
		return;
	if (*n < CHANGES_MAX)
		++*n;
	memmove(&out[at + 1], &out[at], (*n - at - 1) * sizeof *out);
	out[at] = *c;
}

static int
changes_by_time(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	if (x->at_s < y->at_s || y->at_s < x->at_s)
		return x->at_s < y->at_s ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

static void
changes_take_points(const struct seek *s, unsigned row, double part,
		    struct change *out, unsigned *n)
{
	for (unsigned i = 0; i < s->n; i++) {
		unsigned from = stretch_begin(s, i), at = s->point[i];
		unsigned to = stretch_end(s, i);
		struct change c = {
			.row = row,
			.at_s = s->t->end_s[at - 1],
			.until_s = s->t->end_s[to - 1],
			.lasts = to == s->t->n,
			.before = trend_ipc(s->t, from, at),
			.after = trend_ipc(s->t, at, to),
		};

		c.size = fabs(log(c.after / c.before)) * part;
		changes_keep_largest(out, n, &c);
	}
}

int
changes_find(const struct digest *d, struct change out[CHANGES_MAX])
{
	double all = 0;
	unsigned n = 0;
	bool any = false;

	for (unsigned i = 0; i < d->topology->nclusters; i++)
		all += d->trends->of[i].cycles[d->trends->of[i].n];
	for (unsigned i = 0; i < d->topology->nclusters; i++) {
		struct seek s = { .t = &d->trends->of[i] };
		double entry_s;

		if (s.t->n == 0 || !(s.t->cycles[s.t->n] > 0))
			continue;
		entry_s = d->length_s / s.t->n;
		s.batch = (BATCH_FRAMES + (unsigned)d->trends->stride - 1) /
			  (unsigned)d->trends->stride;
		while (s.batch * entry_s < batch_s && s.batch < s.t->n)
			s.batch++;
		if (!seek_find_noise(&s))
			continue;
		any = true;
		seek_split(&s, 0, s.t->n);
		seek_move_points(&s);
		seek_move_points(&s);
		seek_drop_unsure(&s);
		changes_take_points(&s, d->topology->ncpus + i,
				    s.t->cycles[s.t->n] / all, out, &n);
	}
	qsort(out, n, sizeof *out, changes_by_time);
	return any ? (int)n : -1;
}
