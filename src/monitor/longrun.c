#include "monitor/longrun_state.h"

#include "base/plural.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t busy_bit = 1u << TERM_BUSY_NS;

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
	size_t row = sizeof *l->row, parts;

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
	l->row = calloc(parts * l->nrows, row);
	l->set = calloc(LONGRUN_SETS, sizeof *l->set);
	l->split = calloc(l->nscopes, sizeof *l->split);
	l->bound = calloc(LONGRUN_SETS, sizeof *l->bound);
	l->silent_ns = calloc(l->nscopes, sizeof *l->silent_ns);
	l->kinds = calloc(t->nkinds + 1, sizeof *l->kinds);
	if (l->bucket != NULL && l->part != NULL && l->row != NULL &&
	    l->set != NULL && l->split != NULL && l->bound != NULL &&
	    l->kinds != NULL && l->silent_ns != NULL)
		return l;
failed:
	longrun_free(l);
	(void)err_set(e, ERR_FAIL, "out of memory for the whole run of %u %s",
		      t->ncpus, plural(t->ncpus, "CPU", "CPUs"));
	return NULL;
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

/* sets */

static bool
same_set(const struct longrun_set *a, const struct frame *f)
{
	if (a->len != f->set->len || a->domain != f->domain)
		return false;
	for (unsigned i = 0; i < a->len; i++)
		if (a->event[i] != f->set->slot[i].event)
			return false;
	return true;
}

static unsigned
set_number(struct longrun *l, const struct frame *f)
{
	if (f->set->len == 0)
		return 0;
	for (unsigned i = l->nsets; i-- > 1;)
		if (same_set(&l->set[i], f))
			return i;
	if (l->nsets == LONGRUN_SETS)
		return 0;
	struct longrun_set *s = &l->set[l->nsets];

	s->len = f->set->len;
	s->domain = f->domain;
	for (unsigned i = 0; i < s->len; i++)
		s->event[i] = f->set->slot[i].event;
	return l->nsets++;
}

/* rows */

static void
clear_part(struct longrun *l, unsigned part)
{
	struct longrun_row *r = &l->row[(size_t)part * l->nrows];

	for (unsigned i = 0; i < l->nrows; i++) {
		sums_clear(&r[i].s);
		r[i].wall_ns = r[i].busy_cpu_ns = 0;
		r[i].core_work = r[i].core_cycles = 0;
	}
}

/* s may not know its busy time, which is then NAN. */
static void
add_row(struct longrun_row *to, const struct sums *s, double wall_ns,
	double busy_cpu_ns)
{
	double busy_ns = to->s.busy_ns;

	sums_add(&to->s, s);
	to->wall_ns += wall_ns;
	to->busy_cpu_ns += busy_cpu_ns;
	to->s.busy_ns = busy_ns + (busy_cpu_ns > 0 ? s->busy_ns : 0);
	if (to->busy_cpu_ns > 0)
		to->s.have_all |= busy_bit;
}

static void
join_rows(struct longrun *l, unsigned to, unsigned from)
{
	for (unsigned i = 0; i < l->nrows; i++) {
		struct longrun_row *a = longrun_row(l, to, l->row0 + i);
		struct longrun_row *b = longrun_row(l, from, l->row0 + i);

		add_row(a, &b->s, b->wall_ns, b->busy_cpu_ns);
		a->core_work += b->core_work;
		a->core_cycles += b->core_cycles;
	}
}

/* parts */

static unsigned
room_for_parts(const struct longrun *l)
{
	return l->nparts - l->used + l->nfree;
}

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
	clear_part(l, p);
	return p;
}

/* buckets */

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

/* From here on the memory of the process is what it will be for ever. */
static void
touch_all(struct longrun *l)
{
	for (unsigned p = l->used; p < l->nparts; p++)
		clear_part(l, p);
	l->touched = true;
}

static void
merge(struct longrun *l)
{
	static const struct longrun_bucket none;
	unsigned n = (l->n + 1) / 2;

	if (!l->touched)
		touch_all(l);
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

/* taking */

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

/* part: of the frame's sums, all or some. A CPU's time is its counts' own. */
static void
add_sums(struct longrun *l, unsigned to, const struct sums *part,
	 double wall_ns)
{
	for (unsigned s = l->row0; s < l->nscopes; s++) {
		const struct sums *p = &part[s];
		double row_ns = 0, busy_cpu_ns = 0;

		if (p->ncpus == 0)
			continue;
		if (p->n > 0) {
			row_ns = s < l->topology->ncpus
					 ? p->cpu_ns
					 : wall_ns + l->silent_ns[s];
			if ((p->have_all & busy_bit) != 0)
				busy_cpu_ns = p->cpu_ns;
		}
		add_row(longrun_row(l, to, s), p, row_ns, busy_cpu_ns);
	}
}

/* The CPUs that counted all slots, or those that did not. */
static void
split(struct longrun *l, const struct frame *f, const struct sums *sums,
      bool is_whole)
{
	const struct topology *t = l->topology;
	struct sums *cluster = l->split + t->ncpus;
	struct sums *kind = cluster + t->nclusters, *all = kind + t->nkinds;

	for (unsigned i = 0; i < l->nscopes; i++)
		sums_clear(&l->split[i]);
	for (unsigned i = 0; i < t->ncpus; i++) {
		if (whole(&sums[i], f->set->len) != is_whole)
			continue;
		l->split[i] = sums[i];
		sums_add(&cluster[t->cpu[i].cluster], &sums[i]);
		sums_add(&kind[t->cpu[i].kind], &sums[i]);
		sums_add(all, &sums[i]);
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
	struct longrun_row *r = longrun_row(l, part, scope);

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
		const struct topology_cpu *c;

		if (!core[i].known || core[i].first >= t->ncpus)
			continue;
		c = &t->cpu[core[i].first];
		add_core(l, part, t->ncpus + c->cluster, &core[i]);
		add_core(l, part, t->ncpus + t->nclusters + c->kind, &core[i]);
		add_core(l, part, l->nscopes - 1, &core[i]);
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
	while (room_for_parts(l) < 2 && l->n > 1)
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
		add_sums(l, part, sums, wall_ns);
	} else {
		split(l, f, sums, true);
		add_sums(l, part, l->split, wall_ns);
		split(l, f, sums, false);
		add_sums(l, take_part(l, b, 0), l->split, wall_ns);
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
			const struct longrun_row *r =
				longrun_row(l, p - 1, scope);

			sums_add(out, &r->s);
			for (unsigned k = 0; k < set->len; k++)
				if (set->event[k] == event)
					*events += r->s.count[k];
		}
	return true;
}
