#include "analysis/digest_series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/bound.h"

struct series_cell {
	double *num, *den; /* [room] in one piece; NULL: never had a value */
};

struct digest_series {
	unsigned nrows, nmetrics;
	unsigned room, len; /* entries; the last may not be full */
	unsigned stride, in_last;
	struct series_cell *cell; /* [nrows * nmetrics] */
	/* What the metrics divide by in this set; nden 0: not known. */
	struct bound bound[METRIC_MAX];
	struct eventset set;
	enum domain domain;
	bool any_set;
};

struct digest_series *
digest_series_new(unsigned nrows, unsigned nmetrics, size_t bytes,
		  struct err *e)
{
	struct digest_series *x = calloc(1, sizeof *x);
	size_t cells = (size_t)nrows * nmetrics;

	if (x != NULL)
		x->cell = calloc(cells, sizeof *x->cell);
	if (x == NULL || x->cell == NULL) {
		err_set(e, ERR_FAIL, "out of memory for frame values");
		free(x);
		return NULL;
	}
	x->nrows = nrows;
	x->nmetrics = nmetrics;
	x->stride = 1;
	x->room = DIGEST_KEPT_MAX;
	while (x->room > DIGEST_KEPT_MIN &&
	       x->room * cells * 2 * sizeof(double) > bytes)
		x->room /= 2;
	return x;
}

void
digest_series_free(struct digest_series *x)
{
	for (size_t i = 0; x != NULL && i < (size_t)x->nrows * x->nmetrics; i++)
		free(x->cell[i].num);
	if (x != NULL)
		free(x->cell);
	free(x);
}

static void
bind(struct digest_series *x, const struct digest *d, const struct frame *f)
{
	const struct catalog *c = d->source->info.catalog;
	enum value_state why;

	if (x->any_set && x->domain == f->domain &&
	    eventset_same_events(&x->set, f->set))
		return;
	x->set = *f->set;
	x->domain = f->domain;
	x->any_set = true;
	for (unsigned m = 0; m < x->nmetrics; m++)
		if (!bound_make(&x->bound[m], d->metric[m], m, f->set, c,
				f->domain, &why))
			x->bound[m].nden = 0;
}

static double
count_of(const struct span *t, unsigned source)
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
	return (double)t->slot[source]; /* TERM_SLOT + its index */
}

/* What this value was divided by: the part the frame has in the whole. */
static double
divisor(const struct bound *b, const struct metric *m, const struct span *t,
	double value)
{
	double sum = 0;

	if (m->core) /* of the threads that ran longest, which no row sums */
		return value > 0 ? (double)t->instructions / value : 0;
	for (unsigned i = 0; i < b->nden; i++)
		sum += b->den[i].weight * count_of(t, b->den[i].source);
	if (sum > 0)
		return sum;
	return span_event_s(t) > 0 ? span_event_s(t) : span_interval_s(t);
}

static bool
make_room(struct digest_series *x, struct series_cell *c)
{
	if (c->num != NULL)
		return true;
	c->num = calloc((size_t)x->room * 2, sizeof *c->num);
	c->den = c->num != NULL ? c->num + x->room : NULL;
	return c->num != NULL;
}

/* Two entries become one. */
static void
fold(struct digest_series *x)
{
	for (size_t i = 0; i < (size_t)x->nrows * x->nmetrics; i++) {
		struct series_cell *c = &x->cell[i];

		if (c->num == NULL)
			continue;
		for (unsigned k = 0; k < x->room / 2; k++) {
			c->num[k] = c->num[2 * k] + c->num[2 * k + 1];
			c->den[k] = c->den[2 * k] + c->den[2 * k + 1];
		}
		memset(c->num + x->room / 2, 0, x->room / 2 * sizeof *c->num);
		memset(c->den + x->room / 2, 0, x->room / 2 * sizeof *c->den);
	}
	x->len = x->room / 2;
	x->stride *= 2;
}

/* The entry that this frame is added to. */
static unsigned
entry(struct digest_series *x)
{
	if (x->len > 0 && x->in_last < x->stride) {
		x->in_last++;
		return x->len - 1;
	}
	if (x->len == x->room)
		fold(x);
	x->in_last = 1;
	return x->len++;
}

bool
digest_series_add(struct digest_series *x, const struct digest *d,
		  const struct frame *f, struct err *e)
{
	unsigned at = entry(x);

	bind(x, d, f);
	for (unsigned r = 0; r < x->nrows; r++)
		for (unsigned m = 0; m < x->nmetrics; m++) {
			struct series_cell *c = &x->cell[r * x->nmetrics + m];
			double v = frame_value(f, r, m), by;

			if (isnan(v))
				continue;
			if (!make_room(x, c))
				return err_set(
					e, ERR_FAIL,
					"out of memory for frame values");
			by = divisor(&x->bound[m], d->metric[m], &f->span[r],
				     v);
			c->num[at] += v * by;
			c->den[at] += by;
		}
	return true;
}

unsigned
digest_series_stride(const struct digest_series *x)
{
	return x->stride;
}

unsigned
digest_series_room(const struct digest_series *x)
{
	return x->room;
}

unsigned
digest_series_get(const struct digest_series *x, unsigned row, unsigned metric,
		  double *num, double *den)
{
	const struct series_cell *c = &x->cell[row * x->nmetrics + metric];
	unsigned n = 0;

	for (unsigned i = 0; c->num != NULL && i < x->len; i++) {
		if (!(c->den[i] > 0))
			continue;
		num[n] = c->num[i];
		den[n++] = c->den[i];
	}
	return n;
}
