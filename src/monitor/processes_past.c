#include "monitor/processes_past.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "monitor/processes_packed.h"

/* Rows with nothing in them are what the first frame of a group is like. */
struct processes_work {
	struct processes_rows zero, now;
	struct processes_rows first; /* of the group that grows, from: */
	uint8_t first_bytes[PROCESSES_PACKED_ROOM];
	uint8_t bytes[PROCESSES_PACKED_ROOM];
	/* Of what is read: */
	bool any;
	uint64_t group; /* whose first frame `read_first` is */
	struct processes_rows read_first, read;
	uint8_t read_first_bytes[PROCESSES_PACKED_ROOM];
	uint8_t read_bytes[PROCESSES_PACKED_ROOM];
	struct process_row row[PROCESSES_KEPT];
	struct process_table table;
	const struct process_command *command; /* of the last frame */
};

bool
processes_past_init(struct processes_past *past)
{
	*past = (struct processes_past){ .entry = NULL };
	past->entry = calloc(PROCESSES_PAST, sizeof *past->entry);
	past->work = calloc(1, sizeof *past->work);
	if (past->entry != NULL && past->work != NULL &&
	    blobs_init(&past->blobs,
		       (size_t)(PROCESSES_PAST + PROCESSES_GROUPS) *
			       PROCESSES_PACKED_ROOM,
		       PROCESSES_PAST + PROCESSES_GROUPS))
		return true;
	processes_past_done(past);
	return false;
}

void
processes_past_done(struct processes_past *past)
{
	free(past->entry);
	free(past->work);
	blobs_done(&past->blobs);
	*past = (struct processes_past){ .entry = NULL };
}

void
processes_past_clear(struct processes_past *past)
{
	for (unsigned i = 0; past->any && i < PROCESSES_PAST; i++)
		past->entry[i].kept = false;
	past->any = false;
	past->ngroups = past->members = 0;
	if (past->work != NULL)
		past->work->any = false;
	blobs_clear(&past->blobs);
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

/* ---- frames and their groups ---- */

static struct processes_group *
group_of(struct processes_past *past, uint64_t number)
{
	return &past->group[number % PROCESSES_GROUPS];
}

/* A group's first frame stays as long as another of it does. */
static void
drop(struct processes_past *past, struct processes_entry *e)
{
	struct processes_group *g = group_of(past, e->group);

	if (!e->kept)
		return;
	e->kept = false;
	blobs_drop(&past->blobs, e->blob);
	if (--g->left > 0)
		return;
	blobs_drop(&past->blobs, g->blob);
	if (e->group + 1 == past->ngroups)
		past->members = PROCESSES_GROUP;
}

/* Frames without processes leave no entry, and others grow too old. */
static void
drop_until(struct processes_past *past, uint64_t seq)
{
	uint64_t n = seq - past->last;

	for (uint64_t i = 0; i < n && i < PROCESSES_PAST; i++)
		drop(past, &past->entry[(seq - i) % PROCESSES_PAST]);
}

/* No room, which cannot be: the frame is not kept. */
static void
keep(struct processes_past *past, struct processes_entry *e)
{
	struct processes_work *w = past->work;
	bool first = past->ngroups == 0 || past->members == PROCESSES_GROUP;
	uint8_t *to = first ? w->first_bytes : w->bytes;
	size_t len =
		processes_rows_pack(&w->now, first ? &w->zero : &w->first, to);
	uint32_t blob = blobs_put(&past->blobs, to, len);

	if (blob == 0)
		return;
	if (first) {
		processes_rows_unpack(to, &w->zero, &w->first);
		past->members = 0;
		*group_of(past, past->ngroups++) =
			(struct processes_group){ .blob = blob };
	}
	e->blob = first ? 0 : blob;
	e->group = past->ngroups - 1;
	group_of(past, e->group)->left++;
	past->members++;
	e->kept = true;
}

static void
fill(struct processes_entry *e, const struct process_table *t,
     const struct choice *c)
{
	e->n = c->n;
	for (unsigned i = 0; i < c->n; i++) {
		const struct process_row *row = &t->row[c->row[i]];
		bool shown = (row->flags & PROCESS_GAP) == 0;

		e->pid[i] = row->pid;
		e->start[i] = row->start;
		for (unsigned k = 0; k < PROCESS_METRICS; k++)
			e->value[i][k] = (float)row->value[k];
		for (unsigned k = 0; !shown && k < PROCESS_METRICS; k++)
			e->value[i][k] = NAN;
	}
}

void
processes_past_push(struct processes_past *past, const struct process_table *t,
		    bool whole, uint64_t seq, const int32_t *pin,
		    unsigned npins)
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
	e->seq = seq;
	fill(e, t, &c);
	processes_rows_of(&past->work->now, t, whole, c.row, c.n);
	past->work->command = t->command;
	keep(past, e);
}

const struct processes_entry *
processes_past_at(const struct processes_past *past, uint64_t seq)
{
	const struct processes_entry *e = &past->entry[seq % PROCESSES_PAST];

	return past->any && e->kept && e->seq == seq ? e : NULL;
}

/* ---- reading ---- */

const struct process_table *
processes_past_table(const struct processes_past *past, uint64_t seq)
{
	const struct processes_entry *e = processes_past_at(past, seq);
	struct processes_work *w = past->work;
	const struct processes_rows *r = &w->read_first;

	if (e == NULL)
		return NULL;
	if (!w->any || w->group != e->group) {
		blobs_get_all(&past->blobs,
			      past->group[e->group % PROCESSES_GROUPS].blob,
			      w->read_first_bytes, sizeof w->read_first_bytes);
		processes_rows_unpack(w->read_first_bytes, &w->zero,
				      &w->read_first);
		w->any = true;
		w->group = e->group;
	}
	if (e->blob != 0) {
		blobs_get_all(&past->blobs, e->blob, w->read_bytes,
			      sizeof w->read_bytes);
		processes_rows_unpack(w->read_bytes, &w->read_first, &w->read);
		r = &w->read;
	}
	processes_rows_table(r, w->row, &w->table);
	w->table.command = w->command;
	return &w->table;
}
