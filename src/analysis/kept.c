/* Kept values of frames, and quantiles. */
#include "analysis/analysis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/bound.h"

enum { KEPT_BYTES = 64 << 20 };

/* Denominators of the metrics of an event set; nden 0: unknown. */
struct digest_bound {
	struct bound bound[METRIC_MAX];
	struct eventset set;
	enum domain domain;
	bool any_set;
};

bool
kept_init(struct digest *d)
{
	size_t frame_bytes =
		(size_t)d->nrows * d->nmetrics *
		(d->keep == DIGEST_SERIES ? 2 * sizeof(double) : sizeof(float));

	d->stride = 1;
	d->kept_max = DIGEST_KEPT_MAX;
	while (d->kept_max > DIGEST_KEPT_MIN &&
	       d->kept_max * frame_bytes > KEPT_BYTES)
		d->kept_max /= 2;
	if (d->keep == DIGEST_SERIES)
		d->bound = calloc(1, sizeof *d->bound);
	return d->keep != DIGEST_SERIES || d->bound != NULL;
}

void
kept_free(struct digest *d)
{
	for (size_t i = 0;
	     d->cell != NULL && i < (size_t)d->nrows * d->nmetrics; i++) {
		free(d->cell[i].kept);
		free(d->cell[i].num);
	}
	free(d->bound);
}

static void
kept_halve(struct digest *d)
{
	unsigned half = d->kept_max / 2;

	for (size_t i = 0; i < (size_t)d->nrows * d->nmetrics; i++) {
		struct digest_cell *c = &d->cell[i];

		for (unsigned k = 0; c->kept != NULL && k < d->kept_max; k++)
			c->kept[k] = k < half ? c->kept[2 * k] : NAN;
		if (c->num == NULL)
			continue;
		for (unsigned k = 0; k < half; k++) {
			c->num[k] = c->num[2 * k] + c->num[2 * k + 1];
			c->den[k] = c->den[2 * k] + c->den[2 * k + 1];
		}
		memset(c->num + half, 0, half * sizeof *c->num);
		memset(c->den + half, 0, half * sizeof *c->den);
	}
	d->kept = half;
	d->stride *= 2;
}

static bool
cell_make_room(const struct digest *d, struct digest_cell *c)
{
	if (c->kept != NULL || c->num != NULL)
		return true;
	if (d->keep == DIGEST_SERIES) {
		c->num = calloc((size_t)d->kept_max * 2, sizeof *c->num);
		c->den = c->num != NULL ? c->num + d->kept_max : NULL;
		return c->num != NULL;
	}
	c->kept = malloc(d->kept_max * sizeof *c->kept);
	for (unsigned i = 0; c->kept != NULL && i < d->kept_max; i++)
		c->kept[i] = NAN;
	return c->kept != NULL;
}

static void
kept_bind(struct digest *d, const struct frame *f)
{
	struct digest_bound *x = d->bound;
	enum value_state why;

	if (x->any_set && x->domain == f->domain &&
	    eventset_same_events(&x->set, f->set))
		return;
	x->set = *f->set;
	x->domain = f->domain;
	x->any_set = true;
	for (unsigned m = 0; m < f->nmetrics; m++)
		if (!bound_make(&x->bound[m], d->metric[m], m, f->set,
				d->source->info.catalog, f->domain, &why))
			x->bound[m].nden = 0;
}

static double
span_count_of_term(const struct span *t, unsigned source)
{
	switch (source) {
	case TERM_CYCLES:
		return (double)t->cycles;
	case TERM_INSTRUCTIONS:
		return (double)t->instructions;
	case TERM_BUSY_NS:
		return span_busy_ns(t);
	case TERM_WALL_NS:
		return span_interval_s(t) * 1e9;
	case TERM_CPU_NS:
		return t->cpu_ns;
	case TERM_EVENT_NS:
		return span_event_s(t) * 1e9;
	}
	return (double)t->slot[source];
}

static double
kept_divisor(const struct bound *b, const struct metric *m,
	     const struct span *t, double value)
{
	double sum = 0;

	if (m->core) /* a metric of the busiest threads */
		return value > 0 ? (double)t->instructions / value : 0;
	for (unsigned i = 0; i < b->nden; i++)
		sum += b->den[i].weight *
		       span_count_of_term(t, b->den[i].source);
	if (sum > 0)
		return sum;
	return span_event_s(t) > 0 ? span_event_s(t) : span_interval_s(t);
}

bool
kept_begin(struct digest *d, const struct frame *f)
{
	bool new = d->keep != DIGEST_NO_FRAMES && d->frames % d->stride == 0;

	if (d->keep == DIGEST_SERIES)
		kept_bind(d, f);
	if (new && d->kept == d->kept_max)
		kept_halve(d);
	d->kept += new;
	return new || d->keep == DIGEST_SERIES;
}

bool
kept_add(struct digest *d, const struct frame *f, unsigned row, unsigned metric)
{
	double v = frame_value(f, row, metric);
	double by = d->keep == DIGEST_SERIES
			    ? kept_divisor(&d->bound->bound[metric],
					   d->metric[metric], &f->span[row], v)
			    : 0;

	return kept_add_value(d, digest_at(d, row, metric), v, by);
}

bool
kept_add_value(struct digest *d, struct digest_cell *c, double v, double by)
{
	if (!cell_make_room(d, c))
		return false;
	if (d->keep == DIGEST_VALUES) {
		c->kept[d->kept - 1] = (float)v;
		return true;
	}
	c->num[d->kept - 1] += v * by;
	c->den[d->kept - 1] += by;
	return true;
}

unsigned
digest_values(const struct digest *d, unsigned row, unsigned metric,
	      double *out)
{
	const struct digest_cell *c = digest_at(d, row, metric);
	unsigned n = 0;

	for (unsigned i = 0; c->kept != NULL && i < d->kept; i++)
		if (!isnan(c->kept[i]))
			out[n++] = (double)c->kept[i];
	return n;
}

unsigned
digest_series(const struct digest *d, unsigned row, unsigned metric,
	      double *num, double *den)
{
	const struct digest_cell *c = digest_at(d, row, metric);
	unsigned n = 0;

	for (unsigned i = 0; c->num != NULL && i < d->kept; i++) {
		if (!(c->den[i] > 0))
			continue;
		num[n] = c->num[i];
		den[n++] = c->den[i];
	}
	return n;
}

/* Hoare's selection: v[k] becomes the value that sorting would put there, with
 * smaller ones before it. */
static void
select_rank(double *v, unsigned n, unsigned k)
{
	unsigned low = 0, high = n - 1;

	while (low < high) {
		double pivot = v[low + (high - low) / 2];
		unsigned i = low, j = high;

		for (;; i++, j--) {
			while (v[i] < pivot)
				i++;
			while (pivot < v[j])
				j--;
			if (i >= j)
				break;
			double x = v[i];

			v[i] = v[j];
			v[j] = x;
		}
		/* v[..j] <= pivot <= v[j + 1..] */
		if (k <= j)
			high = j;
		else
			low = j + 1;
	}
}

double
digest_quantile(double *v, unsigned n, double q)
{
	if (n == 0)
		return NAN;
	double at = q * (n - 1);
	unsigned low = (unsigned)at;

	if (low + 1 >= n)
		low = n - 1;
	select_rank(v, n, low);
	if (low + 1 == n)
		return v[low];
	double next = v[low + 1];

	for (unsigned i = low + 2; i < n; i++)
		next = v[i] < next ? v[i] : next;
	return v[low] + (at - low) * (next - v[low]);
}
