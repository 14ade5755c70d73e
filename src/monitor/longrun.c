#include "monitor/longrun.h"

#include <math.h>
#include <stdlib.h>

#include "base/plural.h"

static const uint32_t busy_bit = 1u << TERM_BUSY_NS;

static struct span *
row_of(const struct longrun *l, unsigned part, unsigned scope)
{
	return &l->row[(size_t)part * l->nrows + scope - l->row0];
}

/*
 * The first length is 15 s halved so often that no frame is left between two
 * buckets' ends: doubled it is 15 s, 30 s, 1 min, 2 min again.
 */
static const double length_round_s = 15;
static const double length_min_s = 1e-3;

struct longrun *
longrun_new(const struct topology *t, const struct catalog *catalog,
	    struct err *e)
{
	struct longrun *l = calloc(1, sizeof *l);
	size_t row = sizeof(struct span), parts;

	if (l == NULL)
		goto failed;
	l->topology = t;
	l->catalog = catalog;
	l->nscopes = t->ncpus + t->nclusters + t->nkinds + 1;
	l->row0 = t->ncpus <= LONGRUN_CPUS ? 0 : t->ncpus;
	l->nrows = l->nscopes - l->row0;
	parts = LONGRUN_BYTES / (row * l->nrows);
	if (parts > LONGRUN_PARTS_MAX)
		parts = LONGRUN_PARTS_MAX;
	if (parts < LONGRUN_PARTS_MIN)
		parts = LONGRUN_PARTS_MIN;
	l->nparts = (unsigned)parts;
	l->nsets = 1;
	l->bucket = calloc(LONGRUN_BUCKETS, sizeof *l->bucket);
	l->part = calloc(parts, sizeof *l->part);
	l->set = calloc(LONGRUN_SETS, sizeof *l->set);
	l->split = calloc(l->nscopes, sizeof *l->split);
	l->bound = calloc(LONGRUN_SETS, sizeof *l->bound);
	l->silent_ns = calloc(l->nscopes, sizeof *l->silent_ns);
	l->kinds = calloc(t->nkinds + 1, sizeof *l->kinds);
	l->row = calloc(parts * l->nrows, row);
	if (l->row != NULL && l->bucket != NULL && l->part != NULL &&
	    l->set != NULL && l->split != NULL && l->bound != NULL &&
	    l->kinds != NULL && l->silent_ns != NULL)
		return l;
failed:
	longrun_free(l);
	return err_null(e, ERR_FAIL, "out of memory for the whole run of %u %s",
			t->ncpus, plural(t->ncpus, "CPU", "CPUs"));
}

void
longrun_free(struct longrun *l)
{
	if (l == NULL)
		return;
	free(l->bucket);
	free(l->part);
	free(l->row);
	free(l->set);
	free(l->split);
	free(l->bound);
	free(l->kinds);
	free(l->silent_ns);
	free(l);
}

/* ---- sets ---- */

static unsigned
set_number(struct longrun *l, const struct frame *f)
{
	if (f->set->len == 0)
		return 0;
	for (unsigned i = l->nsets; i-- > 1;)
		if (l->set[i].domain == f->domain &&
		    eventset_same_events(&l->set[i].events, f->set))
			return i;
	if (l->nsets == LONGRUN_SETS)
		return 0;
	l->set[l->nsets] = (struct longrun_set){ *f->set, f->domain };
	return l->nsets++;
}

/* ---- rows ---- */

static void
join_rows(struct longrun *l, unsigned to, unsigned from)
{
	struct span *sum = row_of(l, to, l->row0);
	const struct span *row = row_of(l, from, l->row0);

	for (unsigned i = 0; i < l->nrows; i++)
		span_add(&sum[i], &row[i]);
}

/* ---- parts ---- */

static void
give_part(struct longrun *l, unsigned part)
{
	l->part[part].next = l->free;
	l->free = part + 1;
	l->nfree++;
}

static unsigned
part_of(const struct longrun *l, const struct longrun_bucket *b, unsigned set)
{
	unsigned p = b->part;

	while (p != 0 && l->part[p - 1].set != set)
		p = l->part[p - 1].next;
	return p;
}

/* There is room: see longrun_take. */
static unsigned
take_part(struct longrun *l, struct longrun_bucket *b, unsigned set)
{
	unsigned p = part_of(l, b, set);

	if (p != 0)
		return p - 1;
	if (l->nfree > 0) {
		p = l->free - 1;
		l->free = l->part[p].next;
		l->nfree--;
	} else {
		p = l->used++;
	}
	l->part[p] = (struct longrun_part){ set, b->part };
	b->part = p + 1;
	for (unsigned i = 0; i < l->nrows; i++)
		span_clear(row_of(l, p, l->row0 + i));
	return p;
}

/* ---- buckets ---- */

static void
join_buckets(struct longrun *l, struct longrun_bucket *a,
	     const struct longrun_bucket *b)
{
	if (b->frames == 0)
		return;
	if (a->frames == 0) {
		*a = *b;
		return;
	}
	a->frames += b->frames;
	a->from_s = fmin(a->from_s, b->from_s);
	a->to_s = fmax(a->to_s, b->to_s);
	for (unsigned p = b->part, next; p != 0; p = next) {
		unsigned same = part_of(l, a, l->part[p - 1].set);

		next = l->part[p - 1].next;
		if (same != 0) {
			join_rows(l, same - 1, p - 1);
			give_part(l, p - 1);
		} else {
			l->part[p - 1].next = a->part;
			a->part = p;
		}
	}
}

static void
merge(struct longrun *l)
{
	static const struct longrun_bucket none;
	unsigned n = (l->n + 1) / 2;

	for (unsigned i = 0; i < n; i++) {
		struct longrun_bucket first = l->bucket[2 * i];

		if (2 * i + 1 < l->n)
			join_buckets(l, &first, &l->bucket[2 * i + 1]);
		l->bucket[i] = first;
	}
	for (unsigned i = n; i < l->n; i++)
		l->bucket[i] = none;
	l->n = n;
	l->length_s *= 2;
}

static void
start(struct longrun *l, const struct frame *f)
{
	l->started = true;
	l->base_s = f->elapsed_s - f->interval_s;
	l->length_s = length_round_s;
	while (l->length_s > f->interval_s && l->length_s > length_min_s)
		l->length_s /= 2;
}

/* NULL: the frame is before the run, or was taken already. */
static struct longrun_bucket *
bucket_of(struct longrun *l, const struct frame *f)
{
	double middle_s = f->elapsed_s - f->interval_s / 2 - l->base_s;

	if (!(middle_s >= 0))
		return NULL;
	while (middle_s >= l->length_s * (double)LONGRUN_BUCKETS)
		merge(l);
	unsigned i = (unsigned)(middle_s / l->length_s);
	struct longrun_bucket *b = &l->bucket[i];

	if (b->frames > 0 && f->elapsed_s <= b->to_s)
		return NULL;
	if (l->n <= i)
		l->n = i + 1;
	return b;
}

/* ---- taking ---- */

/* Did it count every slot that it can? Rows without counts: nothing is lost. */
static bool
whole(const struct span *s, unsigned nslots)
{
	uint32_t can = ((1u << nslots) - 1) & ~span_cannot(s);

	return s->n == 0 || (s->have_all & can) == can;
}

static bool
all_whole(const struct longrun *l, const struct frame *f)
{
	for (unsigned i = 0; i < l->topology->ncpus; i++)
		if (!whole(&f->span[i], f->set->len))
			return false;
	return true;
}

/*
 * part: of the frame's sums, all, or those of some CPUs, which then have their
 * share of a group's time. A CPU's time is its counts' own.
 */
static void
add_spans(struct longrun *l, unsigned to, const struct span *part,
	  const struct span *all, double wall_ns)
{
	for (unsigned s = l->row0; s < l->nscopes; s++) {
		struct span p = part[s];

		if (p.ncpus == 0)
			continue;
		if (p.n > 0)
			p.wall_ns = s < l->topology->ncpus
					    ? p.cpu_ns
					    : (wall_ns + l->silent_ns[s]) *
						      p.n / all[s].n;
		span_add(row_of(l, to, s), &p);
	}
}

/* The CPUs that counted all slots, or those that did not. */
static void
split(struct longrun *l, const struct frame *f, bool is_whole)
{
	unsigned row[SCOPE_ALL + 1];

	for (unsigned i = 0; i < l->nscopes; i++)
		span_clear(&l->split[i]);
	for (unsigned i = 0; i < l->topology->ncpus; i++) {
		if (whole(&f->span[i], f->set->len) != is_whole)
			continue;
		scope_rows(l->topology, i, row);
		for (unsigned k = SCOPE_CORE; k <= SCOPE_ALL; k++)
			span_add(&l->split[row[k]], &f->span[i]);
	}
	/* Each core once, where its threads show all of it. */
	for (unsigned i = 0; i < l->nscopes; i++) {
		const struct span *s = &f->span[i];

		l->split[i].core_instructions =
			is_whole ? s->core_instructions : 0;
		l->split[i].core_cycles = is_whole ? s->core_cycles : 0;
	}
}

/* Rows of which no counts came: those of the next frame are of this, too. */
static void
note_silence(struct longrun *l, const struct span *span, double wall_ns)
{
	for (unsigned s = l->row0; s < l->nscopes; s++) {
		if (span[s].n > 0 || span[s].n_off == span[s].ncpus)
			l->silent_ns[s] = 0;
		else
			l->silent_ns[s] += wall_ns;
	}
}

void
longrun_take(struct longrun *l, const struct frame *f)
{
	const struct span *span = f->span;
	struct longrun_bucket *b;

	if ((f->quality & QUALITY_GAP) != 0 || !(f->interval_s > 0))
		return;
	if (!l->started)
		start(l, f);
	while (l->nparts - l->used + l->nfree < 2 && l->n > 1)
		merge(l);
	if ((b = bucket_of(l, f)) == NULL)
		return;
	double from_s = f->elapsed_s - f->interval_s;
	double wall_ns = f->interval_s * 1e9;
	unsigned set = set_number(l, f), part = take_part(l, b, set);

	if (b->frames++ == 0)
		b->from_s = from_s;
	b->to_s = f->elapsed_s;
	if (all_whole(l, f)) {
		add_spans(l, part, span, span, wall_ns);
	} else {
		split(l, f, true);
		add_spans(l, part, l->split, span, wall_ns);
		split(l, f, false);
		add_spans(l, take_part(l, b, 0), l->split, span, wall_ns);
	}
	note_silence(l, span, wall_ns);
}

bool
longrun_total(const struct longrun *l, unsigned scope,
	      const struct event *event, struct span *out, uint64_t *events)
{
	span_clear(out);
	*events = 0;
	if (scope < l->row0 || scope >= l->nscopes)
		return false;
	for (unsigned i = 0; i < l->n; i++)
		for (unsigned p = l->bucket[i].part; p != 0;
		     p = l->part[p - 1].next) {
			const struct longrun_set *set =
				&l->set[l->part[p - 1].set];
			const struct span *r = row_of(l, p - 1, scope);

			span_add(out, r);
			for (unsigned k = 0; k < set->events.len; k++)
				if (set->events.slot[k].event == event)
					*events += r->count[k];
		}
	return true;
}

/* ---- read as dots: sums over sums, by the code of frames ---- */

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

/* binding */

static bool
bind_set(const struct longrun *l, const struct metric *m, unsigned set,
	 struct bound *out)
{
	enum value_state why;

	return bound_make(out, m, 0, &l->set[set].events, l->catalog,
			  l->set[set].domain, &why);
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
asked(const struct query *q, unsigned set)
{
	return q->fixed || (q->sets >> set & 1) != 0;
}

/* summing up */

/* The busy time of those that did not tell it is as that of those that did. */
static void
finish_busy(struct span *s)
{
	s->have_all &= ~busy_bit;
	if (!(s->busy_cpu_ns > 0))
		return;
	s->have_all |= busy_bit;
	s->have_any |= busy_bit;
	s->busy_ns *= s->cpu_ns / s->busy_cpu_ns;
}

static void
collect(const struct query *q, unsigned scope, struct span *out)
{
	const struct longrun *l = q->l;

	span_clear(out);
	for (unsigned i = q->from; i < q->to; i++)
		for (unsigned p = l->bucket[i].part; p != 0;
		     p = l->part[p - 1].next) {
			unsigned set = l->part[p - 1].set;
			const struct bound *own =
				q->fixed ? q->base : &l->bound[set];

			if (asked(q, set) && bound_alike(q->base, own))
				bound_add(q->base, out, own,
					  row_of(l, p - 1, scope));
		}
	finish_busy(out);
}

/* rows of which only some members count it */

static bool
inside(const struct topology *t, unsigned part, unsigned row)
{
	struct scope p = scope_at(t, part), of = scope_at(t, row);

	if (of.level == SCOPE_CLUSTER)
		return p.level == SCOPE_CORE &&
		       t->cpu[part].cluster == of.index;
	return of.level > SCOPE_CLUSTER && p.level == SCOPE_CLUSTER &&
	       (of.level == SCOPE_ALL || t->cluster[p.index].kind == of.index);
}

/* The next smaller rows that have all of it, as a row in the place of *out. */
static bool
collect_able(const struct query *q, unsigned scope, struct span *out)
{
	const struct longrun *l = q->l;
	uint32_t need = q->base->need;
	const struct span row = *out;
	double cpus = 0;
	struct span d;

	span_clear(out);
	for (unsigned i = l->row0; i < l->nscopes; i++) {
		if (!inside(l->topology, i, scope))
			continue;
		collect(q, i, &d);
		if (!span_has(&d, need) || bound_doubtful(q->base, d.doubt))
			continue;
		cpus += d.cpu_ns / d.wall_ns;
		span_add(out, &d);
	}
	out->wall_ns = out->cpu_ns / cpus;
	out->core_instructions = row.core_instructions;
	out->core_cycles = row.core_cycles;
	return out->n > 0;
}

/* False where there are no sums that have all the metric needs. */
static bool
collect_row(const struct query *q, unsigned scope, struct span *out)
{
	uint32_t need = q->base->need;

	collect(q, scope, out);
	if (out->n == 0 || (out->have_any & need) != need)
		return false;
	return ((out->have_all & need) == need &&
		!bound_doubtful(q->base, out->doubt)) ||
	       collect_able(q, scope, out);
}

/* deriving */

static void
collect_kinds(const struct query *q)
{
	const struct topology *t = q->l->topology;
	struct span d;

	for (unsigned k = 0; k < t->nkinds; k++) {
		if (!collect_row(q, t->ncpus + t->nclusters + k, &d))
			span_clear(&d);
		q->l->kinds[k] = d;
	}
}

static struct members
members_of(const struct longrun *l, unsigned row)
{
	struct scope s = scope_at(l->topology, row);

	return (struct members){ .topology = l->topology,
				 .kinds = l->kinds,
				 .level = s.level,
				 .index = s.index,
				 .no_stand_in = true };
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
derive(struct query *q, unsigned scope)
{
	struct members who = members_of(q->l, scope);
	enum value_state ignore;
	unsigned marks;
	struct span d;

	if ((!q->fixed && (q->base = base_of(q)) == NULL) ||
	    !collect_row(q, scope, &d))
		return NAN;
	if (q->base->metric->share != 0 && who.level == SCOPE_ALL)
		collect_kinds(q);
	return bound_value(q->base, &d, &who, &ignore, &marks);
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
