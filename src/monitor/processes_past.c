#include "monitor/processes_past.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool
processes_past_init(struct processes_past *past)
{
	*past = (struct processes_past){ .moment = NULL };
	past->moment = calloc(PROCESSES_PAST, sizeof *past->moment);
	return past->moment != NULL;
}

void
processes_past_done(struct processes_past *past)
{
	free(past->moment);
	past->moment = NULL;
}

void
processes_past_clear(struct processes_past *past)
{
	for (unsigned i = 0; past->any && i < PROCESSES_PAST; i++)
		past->moment[i].kept = false;
	past->any = false;
}

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

struct choice {
	unsigned n;
	unsigned row[PROCESSES_KEPT];
	double weight[PROCESSES_KEPT]; /* heaviest first */
};

static void
choose(struct choice *c, unsigned row, double w)
{
	unsigned at = c->n;

	if (c->n == PROCESSES_KEPT) {
		if (w <= c->weight[c->n - 1])
			return;
		at--;
	} else {
		c->n++;
	}
	for (; at > 0 && c->weight[at - 1] < w; at--) {
		c->weight[at] = c->weight[at - 1];
		c->row[at] = c->row[at - 1];
	}
	c->weight[at] = w;
	c->row[at] = row;
}

/* Back in the table's order. */
static void
put_in_order(struct choice *c)
{
	for (unsigned i = 1; i < c->n; i++)
		for (unsigned k = i; k > 0 && c->row[k - 1] > c->row[k]; k--) {
			unsigned row = c->row[k];

			c->row[k] = c->row[k - 1];
			c->row[k - 1] = row;
		}
}

static void
keep_rows(struct processes_moment *m, const struct process_table *t,
	  const struct choice *c)
{
	for (unsigned i = 0; i < c->n; i++) {
		m->row[i] = t->row[c->row[i]];
		memcpy(m->name[i], m->row[i].name, strlen(m->row[i].name) + 1);
		memcpy(m->user[i], m->row[i].user, strlen(m->row[i].user) + 1);
		m->row[i].name = m->name[i];
		m->row[i].user = m->user[i];
	}
}

void
processes_past_push(struct processes_past *past, const struct process_table *t,
		    uint64_t seq, const int32_t *pin, unsigned npins)
{
	struct processes_moment *m = &past->moment[seq % PROCESSES_PAST];
	struct choice c = { .n = 0 };

	if (past->any && seq <= past->last) /* another run */
		processes_past_clear(past);
	if (!past->any)
		past->first = seq;
	past->any = true;
	past->last = seq;
	for (unsigned i = 0; i < t->n; i++)
		choose(&c, i, weight(&t->row[i], pin, npins));
	put_in_order(&c);
	m->kept = true;
	m->seq = seq;
	m->table = *t;
	m->table.n = c.n;
	m->table.row = m->row;
	m->table.nthreads = 0;
	m->table.thread = NULL;
	m->table.opened = -1;
	m->table.notice = "";
	m->table.traced = NULL;
	keep_rows(m, t, &c);
}

const struct processes_moment *
processes_past_at(const struct processes_past *past, uint64_t seq)
{
	const struct processes_moment *m = &past->moment[seq % PROCESSES_PAST];

	return past->any && m->kept && m->seq == seq ? m : NULL;
}
