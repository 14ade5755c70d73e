#include "monitor/longrun.h"

#include <math.h>
#include <stdlib.h>

#include "base/plural.h"

static const uint32_t busy_bit = 1u << TERM_BUSY_NS;

static struct sums_run *
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
	size_t row = sizeof(struct sums_run), parts;

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
	struct sums_run *sum = row_of(l, to, l->row0);
	const struct sums_run *row = row_of(l, from, l->row0);

	for (unsigned i = 0; i < l->nrows; i++)
		sums_run_join(&sum[i], &row[i]);
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
		sums_run_clear(row_of(l, p, l->row0 + i));
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
whole(const struct sums *s, unsigned nslots)
{
	uint32_t can = ((1u << nslots) - 1) & ~sums_cannot(s);

	return s->n == 0 || (s->have_all & can) == can;
}

static bool
all_whole(const struct longrun *l, const struct frame *f,
	  const struct sums *sums)
{
	for (unsigned i = 0; i < l->topology->ncpus; i++)
		if (!whole(&sums[i], f->set->len))
			return false;
	return true;
}

/*
 * part: of the frame's sums, all, or those of some CPUs, which then have their
 * share of a group's time. A CPU's time is its counts' own.
 */
static void
add_sums(struct longrun *l, unsigned to, const struct sums *part,
	 const struct sums *all, double wall_ns)
{
	for (unsigned s = l->row0; s < l->nscopes; s++) {
		const struct sums *p = &part[s];
		double row_ns = 0, busy_cpu_ns = 0;

		if (p->ncpus == 0)
			continue;
		if (p->n > 0) {
			row_ns = s < l->topology->ncpus
					 ? p->cpu_ns
					 : (wall_ns + l->silent_ns[s]) * p->n /
						   all[s].n;
			if ((p->have_all & busy_bit) != 0)
				busy_cpu_ns = p->cpu_ns;
		}
		sums_run_add(row_of(l, to, s), p, row_ns, busy_cpu_ns);
	}
}

/* The CPUs that counted all slots, or those that did not. */
static void
split(struct longrun *l, const struct frame *f, const struct sums *sums,
      bool is_whole)
{
	unsigned row[SCOPE_ALL + 1];

	for (unsigned i = 0; i < l->nscopes; i++)
		sums_clear(&l->split[i]);
	for (unsigned i = 0; i < l->topology->ncpus; i++) {
		if (whole(&sums[i], f->set->len) != is_whole)
			continue;
		scope_rows(l->topology, i, row);
		for (unsigned k = SCOPE_CORE; k <= SCOPE_ALL; k++)
			sums_add(&l->split[row[k]], &sums[i]);
	}
}

/* Rows of which no counts came: those of the next frame are of this, too. */
static void
note_silence(struct longrun *l, const struct sums *sums, double wall_ns)
{
	for (unsigned s = l->row0; s < l->nscopes; s++) {
		if (sums[s].n > 0 || sums[s].n_off == sums[s].ncpus)
			l->silent_ns[s] = 0;
		else
			l->silent_ns[s] += wall_ns;
	}
}

static void
add_core(struct longrun *l, unsigned part, unsigned scope,
	 const struct bound_core *c)
{
	struct sums_run *r = row_of(l, part, scope);

	r->core_work += (double)c->work;
	r->core_cycles += (double)c->cycles;
}

/* Each core is a row's with its first thread; a thread shows its core. */
static void
add_cores(struct longrun *l, unsigned part, const struct bound_core *core)
{
	const struct topology *t = l->topology;

	for (unsigned i = 0; l->row0 == 0 && i < t->ncpus; i++)
		if (core[t->cpu[i].core].known)
			add_core(l, part, i, &core[t->cpu[i].core]);
	for (unsigned i = 0; i < t->ncores; i++) {
		unsigned row[SCOPE_ALL + 1];

		if (!core[i].known || core[i].first >= t->ncpus)
			continue;
		scope_rows(t, core[i].first, row);
		for (unsigned k = SCOPE_CLUSTER; k <= SCOPE_ALL; k++)
			add_core(l, part, row[k], &core[i]);
	}
}

void
longrun_take(struct longrun *l, const struct frame *f, const struct sums *sums,
	     const struct bound_core *cores)
{
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
	if (all_whole(l, f, sums)) {
		add_sums(l, part, sums, sums, wall_ns);
	} else {
		split(l, f, sums, true);
		add_sums(l, part, l->split, sums, wall_ns);
		split(l, f, sums, false);
		add_sums(l, take_part(l, b, 0), l->split, sums, wall_ns);
	}
	note_silence(l, sums, wall_ns);
	if (cores != NULL)
		add_cores(l, part, cores);
}

bool
longrun_total(const struct longrun *l, unsigned scope,
	      const struct event *event, struct sums *out, uint64_t *events)
{
	sums_clear(out);
	*events = 0;
	if (scope < l->row0 || scope >= l->nscopes)
		return false;
	for (unsigned i = 0; i < l->n; i++)
		for (unsigned p = l->bucket[i].part; p != 0;
		     p = l->part[p - 1].next) {
			const struct longrun_set *set =
				&l->set[l->part[p - 1].set];
			const struct sums_run *r = row_of(l, p - 1, scope);

			sums_add(out, &r->s);
			for (unsigned k = 0; k < set->events.len; k++)
				if (set->events.slot[k].event == event)
					*events += r->s.count[k];
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

static void
add_to_dot(struct sums_run *d, const struct sums_run *r,
	   const struct bound *base, const struct bound *own)
{
	bound_add(base, &d->s, own, &r->s);
	if (r->s.n == 0)
		return;
	d->wall_ns += r->wall_ns;
	d->busy_cpu_ns += r->busy_cpu_ns;
	d->core_work += r->core_work;
	d->core_cycles += r->core_cycles;
}

static void
collect(const struct query *q, unsigned scope, struct sums_run *out)
{
	const struct longrun *l = q->l;

	sums_run_clear(out);
	for (unsigned i = q->from; i < q->to; i++)
		for (unsigned p = l->bucket[i].part; p != 0;
		     p = l->part[p - 1].next) {
			unsigned set = l->part[p - 1].set;
			const struct bound *own =
				q->fixed ? q->base : &l->bound[set];

			if (asked(q, set) && bound_alike(q->base, own))
				add_to_dot(out, row_of(l, p - 1, scope),
					   q->base, own);
		}
	sums_run_finish(out);
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

/* The next smaller rows that have all of it, as a row. */
static bool
collect_able(const struct query *q, unsigned scope, struct sums *out)
{
	const struct longrun *l = q->l;
	uint32_t need = q->base->need;
	struct sums_run d;

	sums_clear(out);
	for (unsigned i = l->row0; i < l->nscopes; i++) {
		if (!inside(l->topology, i, scope))
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
collect_row(const struct query *q, unsigned scope, struct sums_run *out)
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
	struct sums_run d;

	for (unsigned k = 0; k < t->nkinds; k++) {
		if (!collect_row(q, t->ncpus + t->nclusters + k, &d))
			sums_clear(&d.s);
		q->l->kinds[k] = d.s;
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
	struct sums_run d;

	if ((!q->fixed && (q->base = base_of(q)) == NULL) ||
	    !collect_row(q, scope, &d))
		return NAN;
	if (q->base->metric->core)
		return d.core_cycles > 0 ? q->base->metric->scale *
						   d.core_work / d.core_cycles
					 : NAN;
	if (q->base->metric->share != 0 && who.level == SCOPE_ALL)
		collect_kinds(q);
	return bound_value(q->base, &d.s, &who, &ignore, &marks);
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
