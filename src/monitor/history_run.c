/* History of the whole run: a dot's value is derived from the sums of its
 * buckets. */
#include "monitor/inner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* tolerance for the rounded times of frames */
static const double instant_s = 1e-6;

struct dot {
	const struct history *h;
	struct column *column;
	const struct bound *base; /* NULL: not counted */
	bool fixed; /* the metric needs only fixed counters, which every set has
		     */
	unsigned from, to; /* buckets */
};

static const struct bound *
run_part_bound(const struct dot *d, unsigned part)
{
	return d->fixed ? d->base
			: history_bound(d->h, d->column,
					d->h->run.part[part].set);
}

/* The first part that counts the metric defines which slots are summed. */
static bool
dot_find_base(struct dot *d)
{
	const struct sums *r = &d->h->run;

	for (unsigned i = d->from; !d->fixed && i < d->to; i++)
		for (unsigned p = r->bucket[i].part; p != 0;
		     p = r->part[p - 1].next)
			if ((d->base = run_part_bound(d, p - 1)) != NULL)
				return true;
	return d->fixed;
}

static struct dot
dot_make(const struct history *h, const struct metric *m)
{
	struct dot d = { .h = h, .column = history_column(h, m) };

	d.base = history_bound(h, d.column, 0);
	d.fixed = d.base != NULL;
	return d;
}

static void
dot_sum_row(const struct dot *d, unsigned scope, struct span *out)
{
	const uint32_t busy = 1u << TERM_BUSY_NS;
	const struct sums *r = &d->h->run;

	span_clear(out);
	for (unsigned i = d->from; i < d->to; i++)
		for (unsigned p = r->bucket[i].part; p != 0;
		     p = r->part[p - 1].next) {
			const struct bound *own = run_part_bound(d, p - 1);

			if (own != NULL && bound_same_events(d->base, own))
				bound_add(d->base, out, own,
					  sums_row(r, p - 1, scope));
		}
	/* Assume that CPUs with unknown busy time are as busy as the others. */
	out->have_all &= ~busy;
	if (!(out->busy_cpu_ns > 0))
		return;
	out->have_all |= busy;
	out->have_any |= busy;
	out->busy_ns *= out->cpu_ns / out->busy_cpu_ns;
}

static double
dot_value(struct dot *d, unsigned scope)
{
	const struct history *h = d->h;
	const struct sums *r = &h->run;
	struct members who = history_members(h, r->dot, scope);
	enum value_state ignore;
	unsigned marks;
	struct span sum;

	if (!dot_find_base(d))
		return NAN;
	who.no_stand_in = true;
	if (r->row0 > 0)
		who.cpus = NULL;
	dot_sum_row(d, scope, &sum);
	if (!span_has(&sum, d->base->need) ||
	    bound_is_impossible(d->base, sum.doubt) ||
	    (d->base->metric->share != 0 && who.level == SCOPE_ALL))
		for (unsigned i = r->row0; i < h->nscopes; i++)
			dot_sum_row(d, i, &r->dot[i]);
	return bound_value(d->base, &sum, &who, &ignore, &marks);
}

bool
history_run_begin(const struct history *h, double *begin_s, double *bucket_s)
{
	*begin_s = h->run.base_s;
	*bucket_s = h->run.length_s;
	return h->run.n > 0;
}

static bool
bucket_ends_before(const struct sums *r, unsigned i, double until_s)
{
	return r->bucket[i].frames > 0 &&
	       r->bucket[i].to_s <= until_s + instant_s;
}

static unsigned
count_buckets_until(const struct sums *r, double until_s)
{
	unsigned n = r->n;

	while (n > 0 && !bucket_ends_before(r, n - 1, until_s))
		n--;
	return n;
}

bool
history_run_plan(const struct history *h, double until_s, double span_s,
		 unsigned dots, struct history_plan *out)
{
	double length_s = h->run.length_s;
	unsigned n = count_buckets_until(&h->run, until_s), want = n;

	if (n == 0 || dots == 0)
		return false;
	if (span_s > 0 && span_s / length_s < (double)HISTORY_BUCKETS)
		want = (unsigned)ceil(span_s / length_s);
	if (want == 0)
		want = 1;
	out->per = want <= dots ? 1 : (want + dots - 1) / dots;
	out->repeat = want < dots ? dots / want : 1;
	unsigned last = (n - 1) / out->per, most = dots / out->repeat;

	out->n = last + 1 < most ? last + 1 : most;
	out->room = out->n;
	if (span_s > 0) {
		out->room = (want + out->per - 1) / out->per;
		if (out->room > most)
			out->room = most;
		if (out->n > out->room)
			out->n = out->room;
	}
	out->first = (last + 1 - out->n) * out->per;
	out->dot_s = length_s * out->per / out->repeat;
	out->until_s = until_s;
	return true;
}

/* Some buckets are empty if frames are longer than buckets. Returns the
 * neighbouring bucket whose frames cover the middle of the dot, or r->n: a gap.
 */
static unsigned
bucket_covering(const struct sums *r, double until_s, unsigned from,
		unsigned to)
{
	double middle_s = r->base_s + (from + to) * 0.5 * r->length_s;
	unsigned i = to;

	while (i < r->n && r->bucket[i].frames == 0)
		i++;
	if (i < r->n && bucket_ends_before(r, i, until_s) &&
	    r->bucket[i].from_s <= middle_s)
		return i;
	for (i = from; i > 0 && r->bucket[i - 1].frames == 0;)
		i--;
	return i > 0 && r->bucket[i - 1].to_s >= middle_s ? i - 1 : r->n;
}

static void
dot_choose_buckets(struct dot *d, const struct history_plan *plan, unsigned at)
{
	const struct sums *r = &d->h->run;
	unsigned i;

	d->from = plan->first + at * plan->per;
	d->to = d->from + plan->per < r->n ? d->from + plan->per : r->n;
	while (d->to > d->from && r->bucket[d->to - 1].frames > 0 &&
	       !bucket_ends_before(r, d->to - 1, plan->until_s))
		d->to--;
	for (i = d->from; i < d->to; i++)
		if (r->bucket[i].frames > 0)
			return;
	i = bucket_covering(r, plan->until_s, d->from, d->to);
	d->from = i;
	d->to = i < r->n ? i + 1 : i;
}

void
history_run_read(const struct history *h, const struct history_plan *plan,
		 const struct metric *m, unsigned scope, float *out)
{
	struct dot d = dot_make(h, m);

	for (unsigned i = 0; i < plan->n; i++) {
		out[i] = NAN;
		if (scope < h->run.row0 || scope >= h->nscopes)
			continue;
		dot_choose_buckets(&d, plan, i);
		out[i] = (float)dot_value(&d, scope);
	}
}

bool
history_run_has(const struct history *h, double until_s, const struct metric *m)
{
	struct dot d = dot_make(h, m);

	d.to = count_buckets_until(&h->run, until_s);
	return d.to > 0 && dot_find_base(&d);
}

bool
history_run_sum(const struct history *h, const struct metric *m, unsigned scope,
		struct span *out)
{
	struct dot d = dot_make(h, m);

	d.to = h->run.n;
	if (scope < h->run.row0 || scope >= h->nscopes || !dot_find_base(&d))
		return false;
	dot_sum_row(&d, scope, out);
	return true;
}
