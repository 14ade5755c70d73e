#include "out/process_sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/process_totals.h"

enum { SLOTS = 4 * PROCESS_ROWS_MAX, HALF_LIFE_S = 30 };

static bool
is_less(const void *of, unsigned a, unsigned b)
{
	const struct process_sum *x = (const struct process_sum *)of + a;
	const struct process_sum *y = (const struct process_sum *)of + b;

	return x->weight < y->weight ||
	       (!(y->weight < x->weight) && x->row > y->row);
}

bool
process_sums_init(struct process_sums *s, unsigned top)
{
	*s = (struct process_sums){ .frames = 0 };
	s->sum = calloc(PROCESS_SUMS_MAX, sizeof *s->sum);
	s->slot = calloc(SLOTS, sizeof *s->slot);
	return top_init(&s->top, top, is_less) && s->sum != NULL &&
	       s->slot != NULL;
}

void
process_sums_free(struct process_sums *s)
{
	top_free(&s->top);
	free(s->sum);
	free(s->slot);
	*s = (struct process_sums){ .frames = 0 };
}

/* Where it is, or is to be. */
static unsigned
slot_of(const struct process_sums *s, int32_t pid, uint64_t start)
{
	uint64_t x = start * 0x9e3779b97f4a7c15u ^
		     (uint64_t)(uint32_t)pid * 0xff51afd7ed558ccdu;
	unsigned at = (unsigned)(x >> 40) % SLOTS;

	while (s->slot[at] != 0) {
		const struct process_sum *p = &s->sum[s->slot[at] - 1];

		if (p->pid == pid && p->start == start)
			break;
		at = (at + 1) % SLOTS;
	}
	return at;
}

/* Those of this frame and of the one before stay. */
static void
forget_gone(struct process_sums *s)
{
	unsigned n = 0;

	memset(s->slot, 0, SLOTS * sizeof *s->slot);
	for (unsigned i = 0; i < s->n; i++)
		if (s->sum[i].seen + 1 >= s->frames)
			s->sum[n++] = s->sum[i];
	s->n = n;
	for (unsigned i = 0; i < n; i++)
		s->slot[slot_of(s, s->sum[i].pid, s->sum[i].start)] =
			(uint16_t)(i + 1);
}

/* NULL: there is no room. */
static struct process_sum *
sum_of(struct process_sums *s, const struct process_row *r)
{
	unsigned at = slot_of(s, r->pid, r->start);

	if (s->slot[at] != 0)
		return &s->sum[s->slot[at] - 1];
	if (s->n == PROCESS_SUMS_MAX)
		forget_gone(s);
	if (s->n == PROCESS_SUMS_MAX)
		return NULL;
	at = slot_of(s, r->pid, r->start);
	s->sum[s->n] = (struct process_sum){ .pid = r->pid, .start = r->start };
	s->slot[at] = (uint16_t)++s->n;
	return &s->sum[s->n - 1];
}

static void
add(struct process_sum *to, const struct process_row *r)
{
	process_totals_add(&to->d, &r->d, r->known);
	to->known |= r->known;
	if ((r->known & PROCESS_HAS_TIMES) != 0)
		to->weight += (double)(r->d.user_ns + r->d.system_ns);
}

/* In a frame one that ended may stand next to one that got its pid. */
static bool
is_last_of_pid(const struct process_table *t, unsigned row)
{
	return row + 1 == t->n || t->row[row + 1].pid != t->row[row].pid;
}

static void
choose(struct process_sums *s, const struct process_table *t)
{
	top_begin(&s->top, s->sum);
	for (unsigned i = 0; i < s->n; i++)
		if (s->sum[i].seen == s->frames &&
		    is_last_of_pid(t, s->sum[i].row))
			top_offer(&s->top, i);
	top_sort(&s->top);
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

		add(&s->all, r);
		if (r->pid != PROCESS_OTHERS_PID)
			sum = sum_of(s, r);
		s->now += r->pid == PROCESS_OTHERS_PID ? r->threads : 1;
		if (sum == NULL)
			continue;
		add(sum, r);
		sum->seen = s->frames;
		sum->row = i;
	}
	choose(s, t);
}
