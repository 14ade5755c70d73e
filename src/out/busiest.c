#include "out/busiest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/process_rest.h"

static bool
top_init(struct top *t, unsigned room)
{
	*t = (struct top){ .room = room };
	t->row = room > 0 ? calloc(room, sizeof *t->row) : NULL;
	return room == 0 || t->row != NULL;
}

static double
process_cpu_time(const struct process_row *r)
{
	return (r->known & PROCESS_HAS_TIMES) != 0
		       ? (double)r->d.user_ns + (double)r->d.system_ns
		       : -1;
}

bool
process_pick_init(struct process_pick *p, unsigned room)
{
	*p = (struct process_pick){ .nothers = 0 };
	return top_init(&p->top, room);
}

void
process_pick_free(struct process_pick *p)
{
	free(p->top.row);
	*p = (struct process_pick){ .nothers = 0 };
}

void
process_pick_choose(struct process_pick *p, const struct process_table *t,
		    double interval_s)
{
	struct process_row *o = &p->others;
	uint32_t partial = 0; /* flags of a recording's (other processes) row */

	p->top.n = p->nothers = 0;
	for (unsigned i = 0; i < t->n; i++) {
		const struct process_row *r = &t->row[i];

		p->picked[i] = false;
		if (r->pid == PROCESS_OTHERS_PID) {
			partial = r->flags & PROCESS_PARTIAL;
			p->nothers += r->threads;
		} else {
			p->nothers++;
			top_offer(&p->top, i, process_cpu_time(r));
		}
	}
	for (unsigned i = 0; i < p->top.n; i++)
		p->picked[p->top.row[i].index] = true;
	p->nothers -= p->top.n;
	process_own_of(t->row, t->n, p->picked, o);
	o->name = PROCESS_OTHERS_NAME;
	o->interval_s = interval_s;
	o->threads = p->nothers;
	o->flags |= partial;
	span_clear(&p->events);
	for (unsigned i = 0; i < t->n; i++) {
		if (p->picked[i] || t->row[i].events == NULL)
			continue;
		span_add(&p->events, t->row[i].events);
		o->events = &p->events;
	}
	process_metrics_of(o, &t->cores, t->parts.n);
	/* Counts and times cover different processes. */
	if ((o->flags & PROCESS_PARTIAL) != 0)
		o->value[PROCESS_GHZ] = NAN;
}

enum { HALF_LIFE_S = 30 };

bool
process_sums_init(struct process_sums *s, unsigned top)
{
	*s = (struct process_sums){ .frames = 0 };
	s->sum = calloc(PROCESS_SUMS_MAX, sizeof *s->sum);
	return top_init(&s->top, top) && s->sum != NULL;
}

void
process_sums_free(struct process_sums *s)
{
	free(s->top.row);
	free(s->sum);
	*s = (struct process_sums){ .frames = 0 };
}

static unsigned
process_sums_place(const struct process_sums *s, const struct process_row *r)
{
	unsigned low = 0, high = s->n;

	while (low < high) {
		unsigned mid = low + (high - low) / 2;
		const struct process_sum *p = &s->sum[mid];

		if (p->pid < r->pid ||
		    (p->pid == r->pid && p->start < r->start))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Keeps processes of this frame and the frame before. */
static void
process_sums_drop_gone(struct process_sums *s)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->n; i++)
		if (s->sum[i].seen + 1 >= s->frames)
			s->sum[n++] = s->sum[i];
	s->n = n;
}

static struct process_sum *
process_sums_find(struct process_sums *s, const struct process_row *r)
{
	unsigned at = process_sums_place(s, r);

	if (at < s->n && s->sum[at].pid == r->pid &&
	    s->sum[at].start == r->start)
		return &s->sum[at];
	if (s->n == PROCESS_SUMS_MAX)
		process_sums_drop_gone(s);
	if (s->n == PROCESS_SUMS_MAX)
		return NULL;
	at = process_sums_place(s, r);
	memmove(&s->sum[at + 1], &s->sum[at], (s->n++ - at) * sizeof *s->sum);
	s->sum[at] = (struct process_sum){ .pid = r->pid, .start = r->start };
	return &s->sum[at];
}

static void
process_sum_add_row(struct process_sum *to, const struct process_row *r)
{
	process_totals_add(&to->d, &r->d, r->known);
	to->known |= r->known;
	if ((r->known & PROCESS_HAS_TIMES) != 0)
		to->weight += (double)(r->d.user_ns + r->d.system_ns);
}

void
process_sums_add(struct process_sums *s, const struct process_table *t,
		 double seconds)
{
	double stays = exp2(-seconds / (double)HALF_LIFE_S);

	s->frames++;
	s->now = 0;
	for (unsigned i = 0; i < s->n; i++)
		s->sum[i].weight *= stays;
	for (unsigned i = 0; i < t->n; i++) {
		const struct process_row *r = &t->row[i];
		struct process_sum *sum = NULL;

		process_sum_add_row(&s->all, r);
		if (r->pid != PROCESS_OTHERS_PID)
			sum = process_sums_find(s, r);
		s->now += r->pid == PROCESS_OTHERS_PID ? r->threads : 1;
		if (sum == NULL)
			continue;
		process_sum_add_row(sum, r);
		sum->seen = s->frames;
		sum->row = i;
	}
	s->top.n = 0;
	for (unsigned i = 0; i < s->n; i++) {
		unsigned row = s->sum[i].row;

		/* Of a reused pid only the last row is the new process. */
		if (s->sum[i].seen == s->frames &&
		    (row + 1 == t->n || t->row[row + 1].pid != t->row[row].pid))
			top_offer(&s->top, i, s->sum[i].weight);
	}
}
