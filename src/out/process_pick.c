#include "out/process_pick.h"

#include <math.h>

#include "model/process_totals.h"

double
process_cpu_ns(const struct process_row *r)
{
	return (r->known & PROCESS_HAS_TIMES) != 0
		       ? (double)r->d.user_ns + (double)r->d.system_ns
		       : -1;
}

/* Rows stand in the order of their pids, which decides between equals. */
static bool
is_less(const void *of, unsigned a, unsigned b)
{
	const struct process_table *t = of;
	double x = process_cpu_ns(&t->row[a]), y = process_cpu_ns(&t->row[b]);

	return x < y || (!(y < x) && a > b);
}

bool
process_pick_init(struct process_pick *p, unsigned room)
{
	*p = (struct process_pick){ .nothers = 0 };
	return top_init(&p->top, room, is_less);
}

void
process_pick_free(struct process_pick *p)
{
	top_free(&p->top);
	*p = (struct process_pick){ .nothers = 0 };
}

enum { SEEN = 6 }; /* PROCESS_HAS_... bits */

/* Sums of rows, and how many of them know what. */
struct tell {
	struct process_totals sum;
	unsigned n[SEEN], scaled, gap;
};

static void
count(struct tell *c, const struct process_row *r)
{
	process_totals_add(&c->sum, &r->d, r->known);
	for (unsigned i = 0; i < SEEN; i++)
		c->n[i] += r->known >> i & 1;
	c->scaled += (r->flags & PROCESS_SCALED) != 0;
	c->gap += (r->flags & PROCESS_GAP) != 0;
}

static unsigned
knowing(const struct tell *c, uint32_t bit)
{
	unsigned i = 0;

	while ((bit >> i & 1) == 0)
		i++;
	return c->n[i];
}

/* A part of a sum stands only where all that made the sum have it. */
static uint32_t
known_of(const struct tell *c)
{
	static const struct {
		uint32_t part, whole;
	} need[] = { { PROCESS_HAS_PARTS, PROCESS_HAS_COUNTS },
		     { PROCESS_HAS_PART_TIMES, PROCESS_HAS_TIMES },
		     { PROCESS_HAS_PART_ENERGY, PROCESS_HAS_ENERGY } };
	uint32_t known = 0;

	for (unsigned i = 0; i < SEEN; i++)
		known |= c->n[i] > 0 ? 1u << i : 0;
	for (unsigned i = 0; i < sizeof need / sizeof *need; i++)
		if (knowing(c, need[i].part) < knowing(c, need[i].whole))
			known &= ~need[i].part;
	return known;
}

/* Counts of some and times of all are not of the same processes. */
static void
finish(struct process_pick *p, const struct process_table *t,
       const struct tell *c)
{
	struct process_row *o = &p->others;

	o->d = c->sum;
	o->known = known_of(c);
	if ((o->known & PROCESS_HAS_COUNTS) != 0 &&
	    knowing(c, PROCESS_HAS_COUNTS) < knowing(c, PROCESS_HAS_TIMES))
		o->flags |= PROCESS_PARTIAL;
	o->flags |= c->scaled > 0 ? PROCESS_SCALED : 0;
	o->flags |= c->gap > 0 ? PROCESS_GAP : 0;
	process_metrics_of(o, &t->cores, t->parts.n);
	if ((o->flags & PROCESS_PARTIAL) != 0)
		o->value[PROCESS_GHZ] = o->value[PROCESS_NJ] = NAN;
}

/* All less those that were picked. */
static struct tell
others_of(const struct tell *all, const struct tell *picked)
{
	struct tell c = { .scaled = all->scaled - picked->scaled,
			  .gap = all->gap - picked->gap };

	process_totals_since(&picked->sum, &all->sum, UINT32_MAX, &c.sum);
	for (unsigned i = 0; i < SEEN; i++)
		c.n[i] = all->n[i] - picked->n[i];
	return c;
}

void
process_pick_take(struct process_pick *p, const struct process_table *t,
		  double interval_s)
{
	struct tell all = { .scaled = 0 }, picked = { .scaled = 0 };

	top_begin(&p->top, t);
	p->nothers = 0;
	p->others = (struct process_row){ .pid = PROCESS_OTHERS_PID,
					  .parent = -1,
					  .name = PROCESS_OTHERS_NAME,
					  .user = "",
					  .interval_s = interval_s };
	for (unsigned i = 0; i < t->n; i++) {
		const struct process_row *r = &t->row[i];

		count(&all, r);
		if (r->pid == PROCESS_OTHERS_PID) { /* of a recording */
			p->others.flags |= r->flags & PROCESS_PARTIAL;
			p->nothers += r->threads;
		} else {
			p->nothers++;
			top_offer(&p->top, i);
		}
	}
	top_sort(&p->top);
	for (unsigned i = 0; i < p->top.n; i++)
		count(&picked, &t->row[p->top.index[i]]);
	p->nothers -= p->top.n;
	p->others.threads = p->nothers;
	const struct tell others = others_of(&all, &picked);

	finish(p, t, &others);
}

/* ---- events ---- */

/* Without it none has any, which is so in most runs: nobody is looked for. */
static bool
has_events(const struct process_table *t)
{
	const struct process_traced *it = t->traced;

	return it != NULL && it->state == PROCESS_TRACING_ON && it->slots != 0;
}

static const struct process_counts *
counts_of(const struct process_table *t, const struct process_row *row)
{
	const struct process_counts *c =
		has_events(t) ? process_traced_find(t->traced, row->pid, 0)
			      : NULL;

	/* Without cycles it was not seen: a 0 of its events says nothing. */
	return c != NULL && c->cycles > 0 ? c : NULL;
}

void
process_events_of(const struct process_table *t, const struct process_row *row,
		  struct process_events *out)
{
	const struct process_counts *c = counts_of(t, row);

	*out = (struct process_events){ .known = c != NULL };
	if (c == NULL)
		return;
	out->slots = t->traced->slots;
	out->counts = *c;
}

/* False and nothing: it would be less than that. */
static bool
take_off(uint64_t *from, uint64_t part)
{
	bool enough = *from >= part;

	*from = enough ? *from - part : 0;
	return enough;
}

static void
rest_of(const struct frame *f, const struct process_counts *all,
	struct process_events *rest)
{
	const struct span *cores = &f->span[frame_scope_all(f)];
	struct process_counts *c = &rest->counts;

	c->cycles = cores->cycles;
	c->instructions = cores->instructions;
	rest->known = span_has_fixed(cores) &&
		      take_off(&c->cycles, all->cycles) &&
		      take_off(&c->instructions, all->instructions);
	for (unsigned i = 0; i < f->set->len; i++) {
		c->slot[i] = cores->slot[i];
		if (span_has_slot(cores, i) &&
		    (f->processes->traced->slots >> i & 1) != 0 &&
		    take_off(&c->slot[i], all->slot[i]))
			rest->slots |= UINT32_C(1) << i;
	}
}

void
process_pick_events(const struct process_pick *p, const struct frame *f,
		    struct process_events *others, struct process_events *rest)
{
	const struct process_table *t = f->processes;
	struct process_counts all = { .pid = -1 };
	unsigned n = 0;

	*others = *rest = (struct process_events){ .slots = 0 };
	for (unsigned i = 0; i < t->n && has_events(t); i++) {
		const struct process_counts *c = counts_of(t, &t->row[i]);

		if (c == NULL)
			continue;
		n++;
		process_counts_add(&all, c);
	}
	if (n == 0) /* as when it has just begun: no part of the counts */
		return;
	rest_of(f, &all, rest);
	others->counts = all;
	for (unsigned i = 0; i < p->top.n; i++) {
		const struct process_counts *one =
			counts_of(t, &t->row[p->top.index[i]]);
		struct process_counts *c = &others->counts;

		if (one == NULL)
			continue;
		n--;
		c->cycles -= one->cycles;
		c->instructions -= one->instructions;
		for (unsigned k = 0; k < EVENTSET_MAX; k++)
			c->slot[k] -= one->slot[k];
	}
	others->known = n > 0;
	others->slots = n > 0 ? t->traced->slots : 0;
}
