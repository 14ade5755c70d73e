#include "monitor/process_tracker.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "model/process.h"

bool
tracker_grow(struct process_tracker *l, unsigned n)
{
	unsigned room = n + n / 2 + 16;

	if (n <= l->room)
		return true;
	struct tracked_process *now = realloc(l->now, room * sizeof *now);

	if (now != NULL)
		l->now = now;
	struct tracked_process *before =
		realloc(l->before, room * sizeof *before);

	if (before != NULL)
		l->before = before;
	uint16_t *order = realloc(l->order, room * sizeof *order);

	if (order != NULL)
		l->order = order;
	struct process_row *row =
		realloc(l->row, (2 * (size_t)room + 1) * sizeof *row);

	if (row != NULL)
		l->row = row;
	if (now == NULL || before == NULL || order == NULL || row == NULL)
		return false;
	l->room = room;
	return true;
}

void
tracker_free(struct process_tracker *l)
{
	free(l->now);
	free(l->before);
	free(l->order);
	free(l->row);
	*l = (struct process_tracker){ 0 };
}

void
tracker_forget(struct process_tracker *l)
{
	for (unsigned i = 0; i < l->n; i++)
		l->now[i].based = false;
}

static int
identity_compare(const struct process_read *a, const struct process_read *b)
{
	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return 0;
}

static bool
identity_precedes(const struct process_read *read, unsigned a, unsigned b)
{
	int order = identity_compare(&read[a], &read[b]);

	return order < 0 || (order == 0 && a < b);
}

/* Shell sort, as qsort may allocate. */
static void
tracker_sort_reading(struct process_tracker *l, const struct process_read *read,
		     unsigned n)
{
	static const unsigned gaps[] = {
		1577, 701, 301, 132, 57, 23, 10, 4, 1
	};

	bool sorted = true;

	for (unsigned i = 0; i < n; i++) {
		l->order[i] = (uint16_t)i;
		sorted &=
			i == 0 || identity_compare(&read[i - 1], &read[i]) <= 0;
	}
	for (unsigned g = 0; !sorted && g < sizeof gaps / sizeof *gaps; g++)
		for (unsigned i = gaps[g]; i < n; i++) {
			uint16_t it = l->order[i];
			unsigned at = i;

			for (; at >= gaps[g] &&
			       identity_precedes(read, it,
						 l->order[at - gaps[g]]);
			     at -= gaps[g])
				l->order[at] = l->order[at - gaps[g]];
			l->order[at] = it;
		}
}

/* Compares the strings, too: bytes after their NUL may differ. */
static bool
has_same_names(const struct process_read *a, const struct process_read *b)
{
	return (memcmp(a->name, b->name, sizeof a->name) == 0 &&
		memcmp(a->user, b->user, sizeof a->user) == 0) ||
	       (strncmp(a->name, b->name, sizeof a->name) == 0 &&
		strncmp(a->user, b->user, sizeof a->user) == 0);
}

/* The texts come from other processes: clean them once, when they change. */
static void
tracked_clean_names(struct tracked_process *one, const struct process_read *r,
		    const struct tracked_process *b)
{
	if (b != NULL && has_same_names(r, &b->read)) {
		memcpy(one->name, b->name, sizeof one->name);
		memcpy(one->user, b->user, sizeof one->user);
		return;
	}
	utf8_plain(one->name, sizeof one->name, r->name,
		   strnlen(r->name, sizeof r->name - 1));
	utf8_plain(one->user, sizeof one->user, r->user,
		   strnlen(r->user, sizeof r->user - 1));
}

static void
tracked_set_base(struct tracked_process *one, const struct process_read *r,
		 int64_t awake_ns)
{
	one->based = true;
	one->awake_ns = awake_ns;
	one->known = r->known;
	one->counting = r->counting;
	one->base = r->total;
}

static void
process_row_begin(struct process_row *row, const struct tracked_process *one)
{
	const struct process_read *r = &one->read;

	*row = (struct process_row){
		.pid = r->pid,
		.parent = r->parent,
		.start = r->start,
		.started_ns = r->started_ns,
		.uid = r->uid,
		.threads = r->threads,
		.thread = r->thread,
		.state = r->state,
		.access = r->access,
		.name = one->name,
		.user = one->user,
	};
}

static bool
counts_were_not_read(const struct tracked_process *b,
		     const struct process_read *r)
{
	if ((r->flags & PROCESS_KEPT) != 0)
		return true;
	return b->based && r->access == PROCESS_COUNTED &&
	       b->counting == r->counting &&
	       (b->known & ~r->known & PROCESS_HAS_COUNTS) != 0;
}

static void
tracked_keep_base(struct tracked_process *one, const struct tracked_process *b)
{
	one->based = b->based;
	one->awake_ns = b->awake_ns;
	one->known = b->known;
	one->counting = b->counting;
	one->base = b->base;
}

/* A process whose first counts come with the next reading is marked as new, not
 * as uncounted. */
static void
process_row_mark_new(struct process_row *row, const struct process_read *r)
{
	bool waits = (r->known & ~row->known & PROCESS_HAS_COUNTS) != 0;

	if (row->access == PROCESS_COUNTED && waits)
		row->access = PROCESS_NEW;
}

static void
process_row_subtract(struct process_row *row, const struct tracked_process *b,
		     const struct process_read *r,
		     const struct tracker_reading *look)
{
	uint32_t known = b->known & r->known;

	if (b->counting != r->counting)
		known &= ~(uint32_t)PROCESS_HAS_COUNTED;
	bool moved = memcmp(&b->base, &r->total, sizeof b->base) != 0;
	uint32_t fell = 0;

	if (moved)
		fell = process_totals_fell(&b->base, &r->total, known);

	/* The system may lower its estimate of energy; counts never decrease.
	 */
	known &= ~(fell & (PROCESS_HAS_ENERGY | PROCESS_HAS_PART_ENERGY));
	if ((fell &
	     ~(uint32_t)(PROCESS_HAS_ENERGY | PROCESS_HAS_PART_ENERGY)) != 0) {
		row->flags |= PROCESS_RESTARTED;
		known = 0;
	}
	row->known = known;
	if (moved)
		process_totals_since(&b->base, &r->total, known, &row->d);
	row->still = !moved;
	row->interval_s = (double)(look->awake_ns - b->awake_ns) * 1e-9;
	if (known != 0 && (look->catches_up || b->awake_ns < look->before_ns))
		row->flags |= PROCESS_CATCHUP;
	process_row_mark_new(row, r);
}

static void
process_row_take_first(struct process_row *row, const struct process_read *r,
		       struct tracker_reading *look)
{
	bool since =
		look->whole_before || r->started_awake_ns > look->before_ns;
	bool born = look->based && since && (r->flags & PROCESS_KEPT) == 0;

	if (born) {
		row->flags |= PROCESS_BORN;
		row->known = r->known;
		/*
		 * Linux counts from this reading on, not from the start of the
		 * process.
		 */
		if ((r->flags & PROCESS_PARTIAL) != 0)
			row->known &= ~(uint32_t)PROCESS_HAS_COUNTED;
		process_totals_add(&row->d, &r->total, row->known);
		process_row_mark_new(row, r);
		look->born++;
	}
	if (row->access == PROCESS_COUNTED && !born)
		row->access = PROCESS_NEW;
}

static void
process_row_take_recorded(struct process_row *row, const struct process_read *r,
			  struct tracker_reading *look)
{
	row->known = r->known;
	process_totals_add(&row->d, &r->total, r->known);
	if (r->interval_ns > 0)
		row->interval_s = (double)r->interval_ns * 1e-9;
	look->born += (r->flags & PROCESS_BORN) != 0;
	look->ended += r->state == PROCESS_ENDED;
}

/* b: the process in the previous reading, or NULL. */
static void
tracker_take_process(struct process_tracker *l, const struct process_read *r,
		     const struct tracked_process *b,
		     struct tracker_reading *look)
{
	struct tracked_process *one = &l->now[l->n++];
	struct process_row *row = &l->row[l->nrows];

	one->read = *r;
	one->ended = r->state == PROCESS_ENDED;
	one->based = false;
	one->flagged = b != NULL && b->flagged;
	one->times = b != NULL ? b->times : 0;
	tracked_clean_names(one, r, b);
	process_row_begin(row, one);
	row->flags = r->flags | look->flags;
	row->interval_s = look->interval_s;
	if (look->recorded) {
		process_row_take_recorded(row, r, look);
	} else if (b != NULL && counts_were_not_read(b, r)) {
		tracked_keep_base(one, b);
		row->flags |= PROCESS_KEPT;
	} else {
		if (b != NULL && b->based)
			process_row_subtract(row, b, r, look);
		else
			process_row_take_first(row, r, look);
		if ((r->flags & PROCESS_KEPT) == 0)
			tracked_set_base(one, r, look->awake_ns);
	}
	/* A zombie is shown once, and only if it was seen alive. */
	if (one->ended && !look->recorded) {
		bool seen = b != NULL ? !b->ended
				      : (row->flags & PROCESS_BORN) != 0;

		look->ended += seen;
		l->nrows += seen;
		return;
	}
	l->nrows++;
}

static void
tracker_take_ended(struct process_tracker *l, const struct tracked_process *b,
		   struct tracker_reading *look)
{
	if (look->recorded || !look->complete || !look->based || b->ended)
		return;
	struct process_row *row = &l->row[l->nrows++];

	process_row_begin(row, b);
	row->state = PROCESS_ENDED;
	row->flags = PROCESS_PARTIAL | look->flags;
	row->interval_s = look->interval_s;
	look->ended++;
}

void
tracker_take(struct process_tracker *l, const struct process_read *read,
	     unsigned n, struct tracker_reading *look)
{
	struct tracked_process *other = l->before;
	const struct process_read *last = NULL;
	unsigned at = 0;

	l->before = l->now;
	l->now = other;
	l->nbefore = l->n;
	l->n = l->nrows = 0;
	tracker_sort_reading(l, read, n);
	for (unsigned i = 0; i < n; i++) {
		const struct process_read *r = &read[l->order[i]];
		const struct tracked_process *b = NULL;

		if (last != NULL && identity_compare(last, r) == 0)
			continue;
		last = r;
		while (at < l->nbefore &&
		       identity_compare(&l->before[at].read, r) < 0)
			tracker_take_ended(l, &l->before[at++], look);
		if (at < l->nbefore &&
		    identity_compare(&l->before[at].read, r) == 0)
			b = &l->before[at++];
		tracker_take_process(l, r, b, look);
	}
	while (at < l->nbefore)
		tracker_take_ended(l, &l->before[at++], look);
}
