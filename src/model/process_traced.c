#include "model/process_traced.h"

#include <stddef.h>
#include <string.h>

void
process_traced_clear(struct process_traced *t)
{
	memset(t, 0, offsetof(struct process_traced, row));
	t->why[0] = '\0';
}

void
process_traced_copy(struct process_traced *to,
		    const struct process_traced *from)
{
	memcpy(to, from, offsetof(struct process_traced, row));
	memcpy(to->row, from->row, from->n * sizeof *from->row);
	memcpy(to->thread, from->thread, from->nthreads * sizeof *from->thread);
	memcpy(to->why, from->why, sizeof to->why);
}

void
process_counts_add(struct process_counts *to, const struct process_counts *c)
{
	to->cycles += c->cycles;
	to->instructions += c->instructions;
	for (unsigned i = 0; i < EVENTSET_MAX; i++)
		to->slot[i] += c->slot[i];
}

static bool
comes_before(const struct process_counts *a, const struct process_counts *b)
{
	return a->pid < b->pid || (a->pid == b->pid && a->thread < b->thread);
}

/* Few, and in every tick: in place, without a call for memory. */
static void
sort(struct process_counts *row, unsigned n)
{
	static const unsigned gaps[] = { 132, 57, 23, 10, 4, 1 };

	for (unsigned g = 0; g < sizeof gaps / sizeof *gaps; g++)
		for (unsigned i = gaps[g]; i < n; i++) {
			struct process_counts it = row[i];
			unsigned at = i;

			for (; at >= gaps[g] &&
			       comes_before(&it, &row[at - gaps[g]]);
			     at -= gaps[g])
				row[at] = row[at - gaps[g]];
			row[at] = it;
		}
}

void
process_traced_sort(struct process_traced *t)
{
	sort(t->row, t->n);
	sort(t->thread, t->nthreads);
}

const struct process_counts *
process_traced_find(const struct process_traced *t, int32_t pid,
		    uint64_t thread)
{
	const struct process_counts *row = thread != 0 ? t->thread : t->row;
	const struct process_counts want = { .pid = pid, .thread = thread };
	unsigned least = 0, n = thread != 0 ? t->nthreads : t->n;

	while (least < n) {
		unsigned middle = least + (n - least) / 2;

		if (!comes_before(&row[middle], &want) &&
		    !comes_before(&want, &row[middle]))
			return &row[middle];
		if (comes_before(&row[middle], &want))
			least = middle + 1;
		else
			n = middle;
	}
	return NULL;
}
