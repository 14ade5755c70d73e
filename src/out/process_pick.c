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
