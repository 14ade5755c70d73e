#include "monitor/processes.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/top.h"
#include "base/utf8.h"
#include "model/process_rest.h"
#include "model/process.h"
#include "monitor/process_tracker.h"

struct entry {
	uint64_t next; /* seq + 1; 0: empty */
	struct process_table table;
	struct process_row row[PROCESSES_KEPT];
	char name[PROCESSES_KEPT][PROCESS_NAME_SIZE];
	char user[PROCESSES_KEPT][PROCESS_USER_SIZE];
};

struct past {
	struct entry *entry; /* [PROCESSES_PAST]; NULL: no history */
	bool any;
	uint64_t first, last; /* seq */
	const struct process_command *command;
};

static void
processes_clear_past(struct past *past)
{
	for (unsigned i = 0; past->any && i < PROCESSES_PAST; i++)
		past->entry[i].next = 0;
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

static double
process_keep_weight(const struct process_row *row, const int32_t *pin,
		    unsigned npins)
{
	double cpu = (double)row->d.user_ns + (double)row->d.system_ns;

	if (is_pinned(row, pin, npins))
		return INFINITY;
	if ((row->known & PROCESS_HAS_TIMES) != 0)
		return cpu;
	return (row->known & PROCESS_HAS_COUNTS) != 0 ? (double)row->d.cycles
						      : -1;
}

/* Returns the number of indices in out, which are in ascending order. */
static unsigned
processes_choose_kept(const struct process_table *t, const int32_t *pin,
		      unsigned npins, unsigned out[PROCESSES_KEPT])
{
	struct top_row row[PROCESSES_KEPT];
	struct top heaviest = { .room = PROCESSES_KEPT, .row = row };

	for (unsigned i = 0; i < t->n; i++)
		top_offer(&heaviest, i,
			  process_keep_weight(&t->row[i], pin, npins));
	for (unsigned i = 0; i < heaviest.n; i++) {
		unsigned at = i;

		for (; at > 0 && out[at - 1] > row[i].index; at--)
			out[at] = out[at - 1];
		out[at] = row[i].index;
	}
	return heaviest.n;
}

/* Copies no threads, notice or traced counts, which only the last frame has. */
static void
past_entry_fill(struct entry *e, const struct process_table *t,
		const int32_t *pin, unsigned npins)
{
	unsigned at[PROCESSES_KEPT];

	e->table = *t;
	e->table.n = processes_choose_kept(t, pin, npins, at);
	e->table.row = e->row;
	e->table.nthreads = 0;
	e->table.thread = NULL;
	e->table.opened = -1;
	e->table.command = NULL;
	e->table.notice = "";
	e->table.traced = NULL;
	for (unsigned i = 0; i < e->table.n; i++) {
		const struct process_row *from = &t->row[at[i]];

		e->row[i] = *from;
		e->row[i].events = NULL;
		snprintf(e->name[i], sizeof e->name[i], "%s", from->name);
		snprintf(e->user[i], sizeof e->user[i], "%s", from->user);
		e->row[i].name = e->name[i];
		e->row[i].user = e->user[i];
	}
}

static void
processes_push_past(struct past *past, const struct process_table *t,
		    uint64_t seq, const int32_t *pin, unsigned npins)
{
	struct entry *e = &past->entry[seq % PROCESSES_PAST];

	if (past->any && seq <= past->last)
		processes_clear_past(past);
	if (!past->any)
		past->first = seq;
	past->any = true;
	past->last = seq;
	past->command = t->command;
	e->next = seq + 1;
	past_entry_fill(e, t, pin, npins);
}

static struct entry *
processes_past_entry(const struct past *past, uint64_t seq)
{
	if (!past->any || past->last - seq >= PROCESSES_PAST)
		return NULL;
	struct entry *e = &past->entry[seq % PROCESSES_PAST];

	return e->next == seq + 1 ? e : NULL;
}

struct processes {
	const struct topology *topology;
	struct process_tracker all, threads;
	struct past past;
	struct process_table table;
	bool based;
	int64_t awake_ns; /* time of the last reading */
	bool seq_known;   /* The last reading belonged to the frame `seq`. */
	uint64_t seq;
	uint64_t started; /* forks since boot, at the last reading */
	int32_t opened;   /* the process whose threads were read; -1: none */
	uint64_t opened_at;
	bool threads_whole;
	int32_t pin[PROCESSES_KEPT];
	unsigned npins;
	struct process_command reported,
		command; /* reported: as read. command: its text has no control
			    characters. */
	unsigned unjudged;
	char notice[sizeof((struct process_reading *)NULL)->notice];
	struct process_traced traced;
	unsigned nevents;
	struct span events[PROCESS_TRACED_MAX + PROCESS_TRACED_THREADS + 1];
};

struct processes *
processes_new(const struct topology *t, bool past, struct err *e)
{
	struct processes *p = calloc(1, sizeof *p);

	if (p != NULL && past)
		p->past.entry = calloc(PROCESSES_PAST, sizeof *p->past.entry);
	if (p == NULL || (past && p->past.entry == NULL)) {
		free(p);
		return err_null(e, ERR_FAIL, "out of memory for processes");
	}
	p->topology = t;
	p->opened = p->reported.pid = p->command.pid = -1;
	return p;
}

void
processes_free(struct processes *p)
{
	if (p == NULL)
		return;
	tracker_free(&p->all);
	tracker_free(&p->threads);
	free(p->past.entry);
	free(p);
}

void
processes_gap(struct processes *p)
{
	p->based = false;
	tracker_forget(&p->all);
	tracker_forget(&p->threads);
}

void
processes_clear(struct processes *p)
{
	processes_gap(p);
	p->all.n = p->threads.n = 0;
	p->opened = -1;
	processes_clear_past(&p->past);
}

void
processes_keep(struct processes *p, const struct process_request *w)
{
	p->npins = 0;
	if (w->opened >= 0)
		p->pin[p->npins++] = w->opened;
	for (unsigned i = 0; i < w->npins && p->npins < PROCESSES_KEPT; i++)
		p->pin[p->npins++] = w->pin[i];
}

/* The counts of a reading can be compared with the cores' only if both cover
 * the same interval. A baseline has no frame, so the lengths of the intervals
 * are compared instead. */
static bool
reading_is_of_frame(const struct processes *p, const struct process_reading *r,
		    const struct frame *f)
{
	double s = (double)(r->stamp.awake_ns - p->awake_ns) * 1e-9;

	if (r->recorded)
		return true;
	if (!p->based)
		return false;
	if (p->seq_known)
		return f->seq == p->seq + 1;
	return fabs(s - f->interval_s) < f->interval_s / 2;
}

static struct tracker_reading
tracker_reading_of(const struct processes *p, const struct process_reading *r,
		   const struct frame *f)
{
	struct tracker_reading look = {
		.based = p->based,
		.before_ns = p->awake_ns,
		.awake_ns = r->stamp.awake_ns,
		.recorded = r->recorded,
		.complete = r->left_out == 0,
	};

	look.catches_up =
		f != NULL && p->based && !reading_is_of_frame(p, r, f);
	if (p->based)
		look.interval_s = (double)(look.awake_ns - p->awake_ns) * 1e-9;
	if (f != NULL && (!p->based || r->recorded))
		look.interval_s = f->interval_s;
	if (f != NULL && (f->quality & QUALITY_GAP) != 0)
		look.flags = PROCESS_GAP;
	return look;
}

static void
process_rows_evaluate(struct process_row *row, unsigned n,
		      const struct process_row *cores, unsigned parts)
{
	const struct process_row *like = NULL;

	for (; n > 0; n--, row++) {
		if (like != NULL && row->still && row->known == like->known &&
		    row->interval_s == like->interval_s) {
			memcpy(row->value, like->value, sizeof row->value);
			continue;
		}
		process_metrics_of(row, cores, parts);
		if (row->still)
			like = row;
	}
}

/* Adds a row for ended or unlisted threads: the process minus its listed
 * threads. A new thread has an unknown part of the difference, so the function
 * then adds no row. */
static void
row_add_ended_threads(struct processes *p, const struct process_row *whole,
		      unsigned ended, bool full)
{
	struct process_tracker *l = &p->threads;
	struct process_row *more = &l->row[l->nrows];
	struct process_totals sum = { 0 };
	uint32_t known = whole->known;

	if (ended == 0 && !full)
		return;
	for (unsigned i = 0; i < l->nrows; i++) {
		if (l->row[i].state == PROCESS_ENDED && l->row[i].known == 0)
			continue;
		known &= l->row[i].known;
		process_totals_add(&sum, &l->row[i].d, l->row[i].known);
	}
	known &= ~process_totals_fell(&sum, &whole->d, known);
	if (known == 0)
		return;
	*more = *whole;
	more->thread = 0;
	more->name = full ? "(other threads)" : "(ended threads)";
	more->user = "";
	more->state = full ? PROCESS_STATE_UNKNOWN : PROCESS_ENDED;
	more->flags = whole->flags & (PROCESS_GAP | PROCESS_SCALED);
	more->known = known;
	process_totals_since(&sum, &whole->d, known, &more->d);
	l->nrows++;
}

static void
drop_threads(struct processes *p)
{
	p->threads.n = p->threads.nrows = 0;
	p->opened = -1;
}

static void
take_threads(struct processes *p, const struct process_reading *r,
	     const struct tracker_reading *of, const struct process_row *cores)
{
	struct tracker_reading look = *of;
	unsigned n = r->nthreads < PROCESS_THREADS_MAX ? r->nthreads
						       : PROCESS_THREADS_MAX;
	bool full = n == PROCESS_THREADS_MAX;

	if (n == 0 || !tracker_grow(&p->threads, n)) {
		drop_threads(p);
		return;
	}
	if (p->opened != r->thread[0].pid ||
	    p->opened_at != r->thread[0].start) {
		drop_threads(p);
		look.based = false;
	}
	p->opened = r->thread[0].pid;
	p->opened_at = r->thread[0].start;
	look.born = look.ended = 0;
	look.whole_before = p->threads_whole;
	look.complete = !full;
	p->threads_whole = !full;
	tracker_take(&p->threads, r->thread, n, &look);
	const struct process_row *whole =
		process_find(p->all.row, p->all.nrows, p->opened, p->opened_at);

	if (whole != NULL && !r->recorded)
		row_add_ended_threads(p, whole, look.ended, full);
	process_rows_evaluate(p->threads.row, p->threads.nrows, cores,
			      r->parts.n);
}

static const struct span *
span_of_counts(struct processes *p, const struct process_counts *c, double ns)
{
	struct span *s = &p->events[p->nevents++];

	*s = (struct span){ .cycles = c->cycles,
			    .instructions = c->instructions,
			    .pair_cycles = c->cycles,
			    .pair_instructions = c->instructions,
			    .cpu_ns = ns,
			    .event_ns = ns,
			    .wall_ns = ns,
			    .ncpus = 1,
			    .n = 1,
			    .n_ok = 1,
			    .have_all = p->traced.slots | 1u << TERM_CYCLES |
					1u << TERM_INSTRUCTIONS |
					1u << TERM_SLOT_CYCLES |
					1u << TERM_SLOT_INSTRUCTIONS };
	memcpy(s->slot, c->slot, sizeof c->slot);
	s->have_any = s->have_all;
	return s;
}

static void
tracker_set_events(struct processes *p, const struct process_tracker *l,
		   bool threads, const struct process_traced *t, double ns)
{
	const unsigned room = sizeof p->events / sizeof *p->events - 1;

	for (unsigned i = 0; i < l->nrows && p->nevents < room; i++) {
		struct process_row *row = &l->row[i];
		const struct process_counts *c =
			process_traced_find(t, row->pid, row->thread);
		bool one = (row->thread != 0) == threads;

		/* Without cycles the process was not traced: its events are not
		 * 0, but unknown. */
		if (one && c != NULL && c->cycles > 0)
			row->events = span_of_counts(p, c, ns);
	}
}

/* The cores' counts minus all rows; unknown if that would be negative. */
static void
processes_set_rest_events(struct processes *p, const struct frame *f)
{
	const struct span *cores = &f->span[frame_scope_all(f)];
	struct span all, *rest = &p->events[p->nevents];
	uint32_t had = cores->have_all & p->traced.slots;

	if (p->nevents == 0)
		return;
	span_clear(&all);
	for (unsigned i = 0; i < p->all.nrows; i++)
		if (p->all.row[i].events != NULL)
			span_add(&all, p->all.row[i].events);
	*rest = *cores;
	rest->have_all = 0;
	if (span_has_fixed(cores))
		had |= 1u << TERM_CYCLES | 1u << TERM_INSTRUCTIONS;
	for (unsigned i = 0; i < TERM_COUNTS; i++) {
		rest->count[i] -= all.count[i];
		if ((had >> i & 1) != 0 && all.count[i] <= cores->count[i])
			rest->have_all |= 1u << i;
	}
	p->table.rest.events = rest;
}

static void
processes_take_events(struct processes *p, const struct process_traced *t,
		      const struct frame *f)
{
	memcpy(&p->traced, t, offsetof(struct process_traced, row));
	p->table.traced = &p->traced;
	p->nevents = 0;
	if (t->state != PROCESS_TRACING_ON || t->slots == 0)
		return;
	tracker_set_events(p, &p->all, false, t, f->interval_s * 1e9);
	processes_set_rest_events(p, f);
	tracker_set_events(p, &p->threads, true, t, f->interval_s * 1e9);
}

/* NULL: the cores' counts cover another interval or domain, or are unknown. */
static const struct process_row *
cores_to_compare(struct processes *p, const struct process_reading *r,
		 const struct frame *f, bool same)
{
	struct process_table *t = &p->table;

	process_cores_of(f, &r->parts, &t->cores);
	if (same && r->domain == DOMAIN_ALL &&
	    (t->cores.known & PROCESS_HAS_COUNTS) != 0)
		return &t->cores;
	t->cores.known = 0;
	process_metrics_of(&t->cores, NULL, r->parts.n);
	return NULL;
}

static void
processes_take_recorded_rest(struct process_table *t,
			     const struct process_read *r,
			     const struct frame *f,
			     const struct process_row *cores)
{
	t->has_rest = true;
	t->rest = (struct process_row){
		.pid = -1,
		.parent = -1,
		.name = PROCESS_REST_NAME,
		.user = "",
		.flags = r->flags,
		.known = r->known,
		.d = r->total,
		.interval_s = r->interval_ns > 0 ? (double)r->interval_ns * 1e-9
						 : f->interval_s,
	};
	process_rest_metrics(&t->rest, cores, t->parts.n);
}

/* Shares need cores' counts that are complete and not below the processes' sum,
 * with a tolerance of 0.5 %. */
static bool
cores_counted_all(const struct process_row *cores,
		  const struct process_row *own)
{
	if (cores == NULL ||
	    (cores->flags & (PROCESS_PARTIAL | PROCESS_CATCHUP)) != 0)
		return false;
	return own->d.cycles <= cores->d.cycles + cores->d.cycles / 200;
}

static void
processes_sum_up(struct processes *p, const struct process_reading *r,
		 const struct frame *f, const struct process_row *cores)
{
	struct process_table *t = &p->table;

	process_own_of(p->all.row, p->all.nrows, NULL, &t->own);
	t->own.interval_s = f->interval_s;
	t->has_rest = false;
	if (r->recorded && r->has_rest)
		processes_take_recorded_rest(t, &r->rest, f, cores);
	else if (r->everything && !r->recorded && cores != NULL)
		t->has_rest =
			process_rest_of(cores, &t->own, t->parts.n, &t->rest);
}

static uint64_t
started_since(const struct processes *p, const struct process_reading *r)
{
	if (r->recorded)
		return r->started;
	if (!p->based || r->started == UINT64_MAX || p->started == UINT64_MAX ||
	    r->started < p->started)
		return UINT64_MAX;
	return r->started - p->started;
}

enum { HOLD = 3 };

/* A flag stays while the row is slow by limits that are eased by this factor.
 */
static const double loud_until = 0.7;

static void
tracked_hold_flag(struct tracked_process *one, bool slow, bool near)
{
	bool changes = slow != one->flagged;

	one->times = changes ? one->times + 1 : 0;
	if (one->times >= HOLD || (one->flagged && !near)) {
		one->flagged = !one->flagged;
		one->times = 0;
	}
}

/* Without counts of the cores the flag stays for at most two frames. */
static void
tracked_judge(struct processes *p, struct tracked_process *one,
	      const struct process_row *row, const struct process_row *cores)
{
	const struct process_parts *parts = &p->table.parts;

	if (cores != NULL) {
		tracked_hold_flag(
			one, process_is_slow(row, cores, parts, p->topology, 1),
			one->flagged &&
				process_is_slow(row, cores, parts, p->topology,
						loud_until));
	} else if (p->unjudged >= HOLD || isnan(row->value[PROCESS_IPC])) {
		one->flagged = false;
		one->times = 0;
	}
}

/* all->row has the order of all->now, but also has rows of ended processes,
 * which all->now lacks. */
static void
processes_flag_rows(struct processes *p, const struct process_row *cores)
{
	struct process_tracker *all = &p->all;
	unsigned at = 0;

	p->unjudged = cores != NULL ? 0 : p->unjudged + 1;
	for (unsigned i = 0; i < all->nrows; i++) {
		struct process_row *row = &all->row[i];

		if (row->pid == PROCESS_OTHERS_PID ||
		    (row->known & PROCESS_HAS_COUNTS) == 0)
			continue;
		while (at < all->n && (all->now[at].read.pid != row->pid ||
				       all->now[at].read.start != row->start))
			at++;
		if (at == all->n)
			return;
		tracked_judge(p, &all->now[at], row, cores);
		row->flagged = all->now[at].flagged;
	}
}

static void
processes_take_command(struct processes *p,
		       const struct process_command *reported)
{
	struct process_command *c = &p->command;

	p->table.command = c;
	c->pid = reported->pid;
	c->start = reported->start;
	if (strcmp(reported->text, p->reported.text) != 0)
		utf8_plain(c->text, sizeof c->text, reported->text,
			   strlen(reported->text));
	p->reported = *reported;
}

static void
process_table_fill(struct processes *p, const struct process_reading *r,
		   const struct frame *f, const struct tracker_reading *look)
{
	struct process_table *t = &p->table;

	t->parts = r->parts;
	t->domain = r->domain;
	t->everything = r->everything;
	t->capacity_pct = 100.0 * p->topology->ncpus;
	t->started = started_since(p, r);
	t->born =
		r->recorded && r->started != UINT64_MAX ? r->born : look->born;
	t->ended = look->ended;
	t->cost_ns = r->cost_ns;
	memcpy(p->notice, r->notice, sizeof p->notice);
	p->notice[sizeof p->notice - 1] = '\0';
	t->notice = p->notice;
	processes_take_command(p, &r->command);
	const struct process_row *cores =
		cores_to_compare(p, r, f, reading_is_of_frame(p, r, f));

	processes_sum_up(p, r, f, cores);
	if (!cores_counted_all(cores, &t->own))
		cores = NULL;
	process_metrics_of(&t->own, cores, t->parts.n);
	process_rows_evaluate(p->all.row, p->all.nrows, cores, t->parts.n);
	processes_flag_rows(p, cores);
	take_threads(p, r, look, cores);
	processes_take_events(p, &r->traced, f);
	t->n = p->all.nrows;
	t->row = p->all.row;
	t->nthreads = p->threads.nrows;
	t->thread = p->threads.row;
	t->opened = p->opened;
	t->opened_at = p->opened_at;
}

const struct process_table *
processes_feed(struct processes *p, const struct process_reading *r,
	       const struct frame *f)
{
	struct tracker_reading look = tracker_reading_of(p, r, f);
	const struct process_table *t = NULL;

	if (!tracker_grow(&p->all, r->n))
		return NULL;
	tracker_take(&p->all, r->row, r->n, &look);
	if (f != NULL) {
		process_table_fill(p, r, f, &look);
		t = &p->table;
		if (p->past.entry != NULL)
			processes_push_past(&p->past, t, f->seq, p->pin,
					    p->npins);
	} else {
		take_threads(p, r, &look, NULL);
	}
	p->based = true;
	p->awake_ns = r->stamp.awake_ns;
	p->started = r->started;
	p->seq_known = f != NULL;
	p->seq = f != NULL ? f->seq : 0;
	return t;
}

static const struct process_row *
process_row_near(const struct entry *e, unsigned *at, int32_t pid,
		 uint64_t start)
{
	for (unsigned k = 0; k < e->table.n; k++) {
		unsigned i = (*at + k) % e->table.n;

		if (e->row[i].pid == pid && e->row[i].start == start) {
			*at = i;
			return &e->row[i];
		}
	}
	return NULL;
}

unsigned
processes_past(const struct processes *p, int32_t pid, uint64_t start,
	       enum process_metric metric, unsigned n, float *out)
{
	const struct past *past = &p->past;
	unsigned at = 0;

	if (!past->any)
		return 0;
	if (n > PROCESSES_PAST)
		n = PROCESSES_PAST;
	if (n > past->last - past->first + 1)
		n = (unsigned)(past->last - past->first + 1);
	for (unsigned i = 0; i < n; i++) {
		const struct entry *e =
			processes_past_entry(past, past->last - (n - 1 - i));
		const struct process_row *row =
			e != NULL ? process_row_near(e, &at, pid, start) : NULL;

		out[i] = row != NULL && (row->flags & PROCESS_GAP) == 0
				 ? (float)row->value[metric]
				 : NAN;
	}
	return n;
}

const struct process_table *
processes_at(const struct processes *p, uint64_t seq)
{
	struct entry *e = processes_past_entry(&p->past, seq);

	if (e == NULL)
		return NULL;
	e->table.command = p->past.command;
	return &e->table;
}
