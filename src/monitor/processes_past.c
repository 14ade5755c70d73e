#include "monitor/processes_past.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

bool
processes_past_init(struct processes_past *past)
{
	*past = (struct processes_past){ .entry = calloc(PROCESSES_PAST,
							 sizeof *past->entry) };
	return past->entry != NULL;
}

void
processes_past_done(struct processes_past *past)
{
	free(past->entry);
	*past = (struct processes_past){ .entry = NULL };
}

void
processes_past_clear(struct processes_past *past)
{
	for (unsigned i = 0; past->any && i < PROCESSES_PAST; i++)
		past->entry[i].kept = false;
	past->any = false;
}

/* ---- which rows ---- */

static bool
is_pinned(const struct process_row *row, const int32_t *pin, unsigned npins)
{
	for (unsigned i = 0; i < npins; i++)
		if (row->pid == pin[i])
			return true;
	return false;
}

/* Where it stands among those that want to be kept. */
static double
weight(const struct process_row *row, const int32_t *pin, unsigned npins)
{
	double cpu = (double)row->d.user_ns + (double)row->d.system_ns;

	if (is_pinned(row, pin, npins))
		return INFINITY;
	if ((row->known & PROCESS_HAS_TIMES) != 0)
		return cpu;
	return (row->known & PROCESS_HAS_COUNTS) != 0 ? (double)row->d.cycles
						      : -1;
}

/* A frame has no more rows than a reading, and as many that ended. */
enum { CHOICES = 2 * PROCESS_ROWS_MAX + 64 };

/* The heaviest rows; a heap whose first is the one that goes first. */
struct choice {
	unsigned n;
	unsigned row[PROCESSES_KEPT];
	double weight[PROCESSES_KEPT];
};

/* Of two that weigh the same the later one. */
static bool
goes_before(const struct choice *c, unsigned a, unsigned b)
{
	return c->weight[a] < c->weight[b] ||
	       (c->weight[a] <= c->weight[b] && c->row[a] > c->row[b]);
}

static void
swap(struct choice *c, unsigned a, unsigned b)
{
	unsigned row = c->row[a];
	double w = c->weight[a];

	c->row[a] = c->row[b];
	c->weight[a] = c->weight[b];
	c->row[b] = row;
	c->weight[b] = w;
}

static void
sink(struct choice *c, unsigned at)
{
	for (;;) {
		unsigned least = at;

		for (unsigned i = 2 * at + 1; i <= 2 * at + 2 && i < c->n; i++)
			if (goes_before(c, i, least))
				least = i;
		if (least == at)
			return;
		swap(c, at, least);
		at = least;
	}
}

/* Rows come in the table's order. */
static void
choose(struct choice *c, unsigned row, double w)
{
	if (c->n < PROCESSES_KEPT) {
		c->row[c->n] = row;
		c->weight[c->n] = w;
		if (++c->n == PROCESSES_KEPT)
			for (unsigned i = c->n / 2; i-- > 0;)
				sink(c, i);
	} else if (w > c->weight[0]) {
		c->row[0] = row;
		c->weight[0] = w;
		sink(c, 0);
	}
}

/* Back in the table's order. */
static void
put_in_order(struct choice *c, unsigned nrows)
{
	uint64_t chosen[CHOICES / 64] = { 0 };
	unsigned n = 0;

	if (c->n < PROCESSES_KEPT)
		return;
	for (unsigned i = 0; i < c->n; i++)
		chosen[c->row[i] / 64] |= (uint64_t)1 << c->row[i] % 64;
	for (unsigned i = 0; i * 64 < nrows; i++)
		for (uint64_t bits = chosen[i]; bits != 0; bits &= bits - 1)
			c->row[n++] = i * 64 + (unsigned)__builtin_ctzll(bits);
}

/* ---- frames ---- */

/* Frames without processes leave no entry, and others grow too old. */
static void
drop_until(struct processes_past *past, uint64_t seq)
{
	uint64_t n = seq - past->last;

	for (uint64_t i = 0; i < n && i < PROCESSES_PAST; i++)
		past->entry[(seq - i) % PROCESSES_PAST].kept = false;
}

/* What is of the frame alone: no threads, no notice, no traced counts. */
static void
fill(struct processes_entry *e, const struct process_table *t,
     const struct choice *c)
{
	e->table = *t;
	e->table.n = c->n;
	e->table.row = e->row;
	e->table.nthreads = 0;
	e->table.thread = NULL;
	e->table.opened = -1;
	e->table.command = NULL;
	e->table.notice = "";
	e->table.traced = NULL;
	for (unsigned i = 0; i < c->n; i++) {
		const struct process_row *from = &t->row[c->row[i]];

		e->row[i] = *from;
		snprintf(e->name[i], sizeof e->name[i], "%s", from->name);
		snprintf(e->user[i], sizeof e->user[i], "%s", from->user);
		e->row[i].name = e->name[i];
		e->row[i].user = e->user[i];
	}
}

void
processes_past_push(struct processes_past *past, const struct process_table *t,
		    uint64_t seq, const int32_t *pin, unsigned npins)
{
	struct processes_entry *e = &past->entry[seq % PROCESSES_PAST];
	struct choice c = { .n = 0 };

	if (past->any && seq <= past->last) /* another run */
		processes_past_clear(past);
	if (past->any)
		drop_until(past, seq);
	else
		past->first = seq;
	past->any = true;
	past->last = seq;
	for (unsigned i = 0; i < t->n && i < CHOICES; i++)
		choose(&c, i, weight(&t->row[i], pin, npins));
	put_in_order(&c, t->n);
	past->command = t->command;
	e->seq = seq;
	e->kept = true;
	fill(e, t, &c);
}

struct processes_entry *
processes_past_at(const struct processes_past *past, uint64_t seq)
{
	struct processes_entry *e = &past->entry[seq % PROCESSES_PAST];

	return past->any && e->kept && e->seq == seq ? e : NULL;
}

const struct process_table *
processes_past_table(const struct processes_past *past, uint64_t seq)
{
	struct processes_entry *e = processes_past_at(past, seq);

	if (e == NULL)
		return NULL;
	e->table.command = past->command;
	return &e->table;
}
