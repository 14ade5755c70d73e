#include "monitor/inner.h"

#include <math.h>
#include <stdlib.h>

unsigned
sums_fitting(size_t bytes, size_t each, unsigned least, unsigned most)
{
	size_t n = bytes / each;

	return n > most ? most : n < least ? least : (unsigned)n;
}

bool
sums_make(struct sums *r, unsigned ncpus, unsigned nscopes)
{
	r->ncpus = ncpus;
	r->row0 = ncpus <= HISTORY_RUN_CPUS ? 0 : ncpus;
	r->nrows = nscopes - r->row0;
	r->nparts = sums_fitting(
		HISTORY_RUN_BYTES, sizeof *r->row * r->nrows, HISTORY_PARTS_MIN,
		HISTORY_BUCKETS * 3 / 2); /* a bucket has one part for each of
					     its event sets */
	r->bucket = calloc(HISTORY_BUCKETS, sizeof *r->bucket);
	r->part = calloc(r->nparts, sizeof *r->part);
	r->row = calloc((size_t)r->nparts * r->nrows, sizeof *r->row);
	r->silent_ns = calloc(nscopes, sizeof *r->silent_ns);
	r->dot = calloc(nscopes, sizeof *r->dot);
	return r->bucket != NULL && r->part != NULL && r->row != NULL &&
	       r->silent_ns != NULL && r->dot != NULL;
}

void
sums_free(struct sums *r)
{
	free(r->bucket);
	free(r->part);
	free(r->row);
	free(r->silent_ns);
	free(r->dot);
}

struct span *
sums_row(const struct sums *r, unsigned part, unsigned scope)
{
	return &r->row[(size_t)part * r->nrows + scope - r->row0];
}

static unsigned
sums_find_part(const struct sums *r, const struct bucket *b, unsigned set)
{
	unsigned p = b->part;

	while (p != 0 && r->part[p - 1].set != set)
		p = r->part[p - 1].next;
	return p;
}

/* Needs a free part, unless the bucket has a part of this set. */
static unsigned
sums_take_part(struct sums *r, struct bucket *b, unsigned set)
{
	unsigned p = sums_find_part(r, b, set);

	if (p != 0)
		return p - 1;
	if (r->nfree > 0) {
		p = r->free - 1;
		r->free = r->part[p].next;
		r->nfree--;
	} else {
		p = r->used++;
	}
	r->part[p] = (struct part){ set, b->part };
	b->part = p + 1;
	for (unsigned i = 0; i < r->nrows; i++)
		span_clear(sums_row(r, p, r->row0 + i));
	return p;
}

static void
sums_join_parts(struct sums *r, unsigned to, unsigned from)
{
	for (unsigned i = 0; i < r->nrows; i++)
		span_add(sums_row(r, to, r->row0 + i),
			 sums_row(r, from, r->row0 + i));
	r->part[from].next = r->free;
	r->free = from + 1;
	r->nfree++;
}

static void
sums_join_buckets(struct sums *r, struct bucket *a, const struct bucket *b)
{
	if (a->frames == 0 || b->frames == 0) {
		*a = a->frames == 0 ? *b : *a;
		return;
	}
	a->frames += b->frames;
	a->from_s = fmin(a->from_s, b->from_s);
	a->to_s = fmax(a->to_s, b->to_s);
	for (unsigned p = b->part, next; p != 0; p = next) {
		unsigned same = sums_find_part(r, a, r->part[p - 1].set);

		next = r->part[p - 1].next;
		if (same != 0) {
			sums_join_parts(r, same - 1, p - 1);
		} else {
			r->part[p - 1].next = a->part;
			a->part = p;
		}
	}
}

static void
sums_merge_buckets(struct sums *r)
{
	static const struct bucket none;
	unsigned n = (r->n + 1) / 2;

	for (unsigned i = 0; i < n; i++) {
		struct bucket first = r->bucket[2 * i];

		if (2 * i + 1 < r->n)
			sums_join_buckets(r, &first, &r->bucket[2 * i + 1]);
		r->bucket[i] = first;
	}
	for (unsigned i = n; i < r->n; i++)
		r->bucket[i] = none;
	r->n = n;
	r->length_s *= 2;
}

/* The first bucket length is 15 s divided by a power of two, at most an
 * interval, so that doubling leads to 15 s, 30 s, 1 min, 2 min. */
static void
sums_start(struct sums *r, const struct frame *f)
{
	static const double round_s = 15, least_s = 1e-3;

	r->base_s = f->elapsed_s - f->interval_s;
	r->length_s = round_s;
	while (r->length_s > f->interval_s && r->length_s > least_s)
		r->length_s /= 2;
}

/* The bucket of a frame; NULL: the frame is before the run, or was added
 * already. */
static struct bucket *
sums_bucket_for(struct sums *r, const struct frame *f)
{
	double middle_s = f->elapsed_s - f->interval_s / 2 - r->base_s;

	if (!(middle_s >= 0))
		return NULL;
	while (middle_s >= r->length_s * (double)HISTORY_BUCKETS)
		sums_merge_buckets(r);
	unsigned i = (unsigned)(middle_s / r->length_s);
	struct bucket *b = &r->bucket[i];

	if (b->frames > 0 && f->elapsed_s <= b->to_s)
		return NULL;
	if (r->n <= i)
		r->n = i + 1;
	return b;
}

/* A CPU's time is the time that its counts cover. A group's time is that of the
 * frame, and of earlier frames without counts that these counts cover. */
static void
sums_add_row(struct sums *r, struct span *to, const struct span *s,
	     unsigned scope, double wall_ns)
{
	double *silent_ns = &r->silent_ns[scope];

	if (s->ncpus > 0)
		span_add(to, s);
	if (s->n > 0 && s->ncpus > 0)
		to->wall_ns +=
			(scope < r->ncpus ? s->cpu_ns : wall_ns + *silent_ns) -
			s->wall_ns;
	if (s->n > 0 || s->n_off == s->ncpus)
		*silent_ns = 0;
	else
		*silent_ns += wall_ns;
}

void
sums_add(struct sums *r, const struct frame *f, unsigned set)
{
	struct bucket *b;

	if ((f->quality & QUALITY_GAP) != 0 || !(f->interval_s > 0))
		return;
	if (!(r->length_s > 0))
		sums_start(r, f);
	while (r->used == r->nparts && r->nfree == 0 && r->n > 1)
		sums_merge_buckets(r);
	if ((b = sums_bucket_for(r, f)) == NULL)
		return;
	unsigned part = sums_take_part(r, b, set);

	if (b->frames++ == 0)
		b->from_s = f->elapsed_s - f->interval_s;
	b->to_s = f->elapsed_s;
	for (unsigned s = r->row0; s < r->row0 + r->nrows; s++)
		sums_add_row(r, sums_row(r, part, s), &f->span[s], s,
			     f->interval_s * 1e9);
}
