/* A long run's buckets as dots: sums over sums, by the code of frames. */
#include "monitor/longrun_state.h"

#include <math.h>
#include <string.h>

static const uint32_t busy_bit = 1u << TERM_BUSY_NS;
static const uint32_t slot_bits = (1u << EVENTSET_MAX) - 1;

/* Frames end where they end: less than this is no time. */
static const double instant_s = 1e-6;

/* What is read, and of which sets. */
struct query {
	const struct longrun *l;
	const struct bound *base; /* the set whose slots the sums have */
	bool fixed;               /* made of the fixed pair: every set has it */
	uint64_t sets;            /* 1 << set that counts the metric */
	unsigned from, to;        /* buckets of the dot */
};

/* A row of a dot before it is derived. */
struct dot {
	struct sums s;
	double wall_ns, busy_cpu_ns, core_work, core_cycles;
};

/* binding */

static bool
bind_set(const struct longrun *l, const struct metric *m, unsigned set,
	 struct bound *out)
{
	const struct longrun_set *from = &l->set[set];
	struct eventset events = { .len = from->len };
	enum value_state why;

	for (unsigned i = 0; i < from->len; i++)
		events.slot[i].event = from->event[i];
	return bound_make(out, m, 0, &events, l->catalog, from->domain, &why);
}

static void
query_bind(struct query *q, const struct longrun *l, const struct metric *m)
{
	*q = (struct query){ .l = l };
	q->fixed = bind_set(l, m, 0, &l->bound[0]);
	if (q->fixed) {
		q->base = &l->bound[0];
		return;
	}
	for (unsigned i = 1; i < l->nsets; i++)
		if (bind_set(l, m, i, &l->bound[i]))
			q->sets |= (uint64_t)1 << i;
}

static bool
same_parts(const struct bound_part *a, const struct bound_part *b, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (a[i].term != b[i].term || (a[i].source != b[i].source &&
					       (a[i].source >= EVENTSET_MAX ||
						b[i].source >= EVENTSET_MAX)))
			return false;
	return true;
}

/* Are they the same events, be it on other slots? Then counts add up. */
static bool
alike(const struct bound *a, const struct bound *b)
{
	return a->nnum == b->nnum && a->nden == b->nden &&
	       memcmp(a->choice, b->choice, sizeof a->choice) == 0 &&
	       same_parts(a->num, b->num, a->nnum) &&
	       same_parts(a->den, b->den, a->nden);
}

static bool
asked(const struct query *q, unsigned set)
{
	return q->fixed || (q->sets >> set & 1) != 0;
}

/* summing up */

static void
add_source(struct sums *to, unsigned at, const struct sums *s, unsigned from)
{
	to->count[at] += s->count[from];
	to->ns[at] += s->ns[from];
}

/* The row's slots as they are numbered in the base. */
static uint32_t
renumber(const struct bound *to, const struct bound *from, uint32_t bits)
{
	uint32_t out = bits & ~slot_bits;

	for (unsigned i = 0; i < to->nnum; i++)
		if (to->num[i].source < EVENTSET_MAX &&
		    (bits & 1u << from->num[i].source) != 0)
			out |= 1u << to->num[i].source;
	for (unsigned i = 0; i < to->nden; i++)
		if (to->den[i].source < EVENTSET_MAX &&
		    (bits & 1u << from->den[i].source) != 0)
			out |= 1u << to->den[i].source;
	return out;
}

static void
add_slots(struct sums *to, const struct sums *s, const struct bound *base,
	  const struct bound *own)
{
	uint32_t done = 0;

	for (unsigned i = 0; i < base->nnum + base->nden; i++) {
		bool num = i < base->nnum;
		unsigned k = num ? i : i - base->nnum;
		unsigned at = num ? base->num[k].source : base->den[k].source;
		unsigned from = num ? own->num[k].source : own->den[k].source;

		if (at >= EVENTSET_MAX || (done & 1u << at) != 0)
			continue;
		done |= 1u << at;
		add_source(to, at, s, from);
	}
}

static void
add_row(struct dot *d, const struct longrun_row *r, const struct bound *base,
	const struct bound *own)
{
	const struct sums *s = &r->s;
	struct sums *to = &d->s;

	to->ncpus += s->ncpus;
	to->n_off += s->n_off;
	to->n_stale += s->n_stale;
	to->n_idle += s->n_idle;
	to->doubt |= s->doubt;
	to->quality |= s->quality;
	if (s->n == 0)
		return;
	to->n += s->n;
	to->n_ok += s->n_ok;
	to->have_all &= renumber(base, own, s->have_all) | busy_bit;
	to->have_any |= renumber(base, own, s->have_any);
	to->cpu_ns += s->cpu_ns;
	to->event_ns += s->event_ns;
	to->busy_ns += s->busy_ns;
	add_source(to, TERM_CYCLES, s, TERM_CYCLES);
	add_source(to, TERM_INSTRUCTIONS, s, TERM_INSTRUCTIONS);
	add_source(to, TERM_SLOT_CYCLES, s, TERM_SLOT_CYCLES);
	add_source(to, TERM_SLOT_INSTRUCTIONS, s, TERM_SLOT_INSTRUCTIONS);
	add_slots(to, s, base, own);
	d->wall_ns += r->wall_ns;
	d->busy_cpu_ns += r->busy_cpu_ns;
	d->core_work += r->core_work;
	d->core_cycles += r->core_cycles;
}

/*
 * What a row's sums over many frames need besides those of one: how many CPUs
 * delivered on the mean, and the busy time of those that did not say.
 */
static void
finish(struct dot *d)
{
	struct sums *s = &d->s;

	if (d->wall_ns > 0)
		s->mean_n = s->cpu_ns / d->wall_ns;
	s->have_all &= ~busy_bit;
	if (d->busy_cpu_ns > 0) {
		s->have_all |= busy_bit;
		s->have_any |= busy_bit;
		s->busy_ns *= s->cpu_ns / d->busy_cpu_ns;
	}
}

static void
collect(const struct query *q, unsigned scope, struct dot *out)
{
	const struct longrun *l = q->l;

	*out = (struct dot){ .wall_ns = 0 };
	sums_clear(&out->s);
	for (unsigned i = q->from; i < q->to; i++)
		for (unsigned p = l->bucket[i].part; p != 0;
		     p = l->part[p - 1].next) {
			unsigned set = l->part[p - 1].set;
			const struct bound *own =
				q->fixed ? q->base : &l->bound[set];

			if (asked(q, set) && alike(q->base, own))
				add_row(out, longrun_row(l, p - 1, scope),
					q->base, own);
		}
	finish(out);
}

/* rows of which only some members count it */

static bool
inside(const struct longrun *l, unsigned part, unsigned scope)
{
	const struct topology *t = l->topology;
	unsigned clusters = t->ncpus, kinds = clusters + t->nclusters;

	if (scope == l->nscopes - 1)
		return part >= clusters && part < kinds;
	if (scope >= kinds)
		return part >= clusters && part < kinds &&
		       t->cluster[part - clusters].kind == scope - kinds;
	return scope >= clusters && part < clusters &&
	       t->cpu[part].cluster == scope - clusters;
}

/* The next smaller rows that have all of it, as a row. */
static bool
collect_able(const struct query *q, unsigned scope, struct sums *out)
{
	const struct longrun *l = q->l;
	uint32_t need = q->base->need;
	struct dot d;

	sums_clear(out);
	for (unsigned i = l->row0; i < l->nscopes; i++) {
		if (!inside(l, i, scope))
			continue;
		collect(q, i, &d);
		if (d.s.n == 0 || (d.s.have_all & need) != need ||
		    bound_doubtful(q->base, d.s.doubt))
			continue;
		double mean_n = out->mean_n + d.s.mean_n;

		sums_add(out, &d.s);
		out->mean_n = mean_n;
	}
	return out->n > 0;
}

/* False where there are no sums that have all the metric needs. */
static bool
collect_row(const struct query *q, unsigned scope, struct dot *out)
{
	uint32_t need = q->base->need;

	collect(q, scope, out);
	if (out->s.n == 0 || (out->s.have_any & need) != need)
		return false;
	return ((out->s.have_all & need) == need &&
		!bound_doubtful(q->base, out->s.doubt)) ||
	       collect_able(q, scope, &out->s);
}

/* deriving */

static void
collect_kinds(const struct query *q)
{
	const struct topology *t = q->l->topology;
	struct dot d;

	for (unsigned k = 0; k < t->nkinds; k++) {
		if (!collect_row(q, t->ncpus + t->nclusters + k, &d))
			sums_clear(&d.s);
		q->l->kinds[k] = d.s;
	}
}

static struct members
members_of(const struct longrun *l, unsigned scope)
{
	const struct topology *t = l->topology;
	struct members who = { .topology = t,
			       .kinds = l->kinds,
			       .level = SCOPE_CORE,
			       .index = scope,
			       .no_stand_in = true };

	if (scope < t->ncpus)
		return who;
	who.level = SCOPE_CLUSTER;
	who.index -= t->ncpus;
	if (who.index < t->nclusters)
		return who;
	who.level = SCOPE_KIND;
	who.index -= t->nclusters;
	if (who.index < t->nkinds)
		return who;
	who.level = SCOPE_ALL;
	who.index = 0;
	return who;
}

/* The first set of the dot that counts it says what is added up. */
static const struct bound *
base_of(const struct query *q)
{
	const struct longrun *l = q->l;

	for (unsigned i = q->from; i < q->to; i++)
		for (unsigned p = l->bucket[i].part; p != 0;
		     p = l->part[p - 1].next)
			if (asked(q, l->part[p - 1].set))
				return &l->bound[l->part[p - 1].set];
	return NULL;
}

static double
derive_row(struct query *q, unsigned scope)
{
	struct members who = members_of(q->l, scope);
	enum value_state ignore;
	unsigned marks;
	struct dot d;

	if (!collect_row(q, scope, &d))
		return NAN;
	if (q->base->metric->core)
		return d.core_cycles > 0 ? q->base->metric->scale *
						   d.core_work / d.core_cycles
					 : NAN;
	if (q->base->metric->share != 0 && who.level == SCOPE_ALL)
		collect_kinds(q);
	return bound_value(q->base, &d.s, &who, &ignore, &marks);
}

/* As bound.c's of_each: the CPUs' own values, summed or their mean. */
static double
derive_each(struct query *q, unsigned scope)
{
	const struct topology *t = q->l->topology;
	double sum = 0;
	unsigned n = 0;

	for (unsigned i = 0; i < t->ncpus; i++) {
		unsigned cluster = t->ncpus + t->cpu[i].cluster;
		unsigned kind = t->ncpus + t->nclusters + t->cpu[i].kind;

		if (scope != cluster && scope != kind &&
		    scope != q->l->nscopes - 1)
			continue;
		double own = derive_row(q, i);

		if (!isnan(own)) {
			sum += own;
			n++;
		}
	}
	return n == 0 ? NAN : q->base->mean ? sum / n : sum;
}

static double
derive(struct query *q, unsigned scope)
{
	const struct longrun *l = q->l;

	if (!q->fixed && (q->base = base_of(q)) == NULL)
		return NAN;
	if (q->base->per_cpu && l->row0 == 0 && scope >= l->topology->ncpus)
		return derive_each(q, scope);
	return derive_row(q, scope);
}

/* dots */

bool
longrun_begin(const struct longrun *l, double *begin_s, double *bucket_s)
{
	*begin_s = l->base_s;
	*bucket_s = l->length_s;
	return l->n > 0;
}

/* Is there nothing in the bucket that came later? */
static bool
until(const struct longrun *l, unsigned i, double until_s)
{
	return l->bucket[i].frames > 0 &&
	       l->bucket[i].to_s <= until_s + instant_s;
}

/* Buckets up to then, the last of which has frames. */
static unsigned
buckets_until(const struct longrun *l, double until_s)
{
	unsigned n = l->n;

	while (n > 0 && !until(l, n - 1, until_s))
		n--;
	return n;
}

bool
longrun_plan(const struct longrun *l, double until_s, double span_s,
	     unsigned dots, struct longrun_plan *out)
{
	unsigned n = buckets_until(l, until_s), want = n;

	if (n == 0 || dots == 0)
		return false;
	if (span_s > 0 && span_s / l->length_s < (double)LONGRUN_BUCKETS)
		want = (unsigned)ceil(span_s / l->length_s);
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
	out->dot_s = l->length_s * out->per / out->repeat;
	out->until_s = until_s;
	return true;
}

/*
 * Where frames are longer than buckets some have none: whose time is the dot's
 * middle in, the next one's or the one before's? n: nobody's, a gap.
 */
static unsigned
covering(const struct longrun *l, const struct longrun_plan *plan,
	 unsigned from, unsigned to)
{
	double middle_s = l->base_s + (from + to) * 0.5 * l->length_s;
	unsigned i = to;

	while (i < l->n && l->bucket[i].frames == 0)
		i++;
	if (i < l->n && until(l, i, plan->until_s) &&
	    l->bucket[i].from_s <= middle_s)
		return i;
	for (i = from; i > 0 && l->bucket[i - 1].frames == 0;)
		i--;
	return i > 0 && l->bucket[i - 1].to_s >= middle_s ? i - 1 : l->n;
}

static void
choose_buckets(struct query *q, const struct longrun_plan *plan, unsigned dot)
{
	const struct longrun *l = q->l;
	bool any = false;

	q->from = plan->first + dot * plan->per;
	q->to = q->from + plan->per;
	if (q->to > l->n)
		q->to = l->n;
	while (q->to > q->from && l->bucket[q->to - 1].frames > 0 &&
	       !until(l, q->to - 1, plan->until_s))
		q->to--;
	for (unsigned i = q->from; i < q->to; i++)
		any = any || l->bucket[i].frames > 0;
	if (any)
		return;
	unsigned i = covering(l, plan, q->from, q->to);

	q->from = i;
	q->to = i < l->n ? i + 1 : i;
}

void
longrun_read(const struct longrun *l, const struct longrun_plan *plan,
	     const struct metric *m, unsigned scope, float *out)
{
	struct query q;

	query_bind(&q, l, m);
	for (unsigned i = 0; i < plan->n; i++) {
		out[i] = NAN;
		if (scope < l->row0 || scope >= l->nscopes)
			continue;
		choose_buckets(&q, plan, i);
		out[i] = (float)derive(&q, scope);
	}
}

bool
longrun_has(const struct longrun *l, double until_s, const struct metric *m)
{
	struct query q;

	query_bind(&q, l, m);
	q.to = buckets_until(l, until_s);
	return q.to > 0 && (q.fixed || base_of(&q) != NULL);
}
