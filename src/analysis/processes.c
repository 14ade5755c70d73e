#include "analysis/analysis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/columns.h"
#include "model/process.h"

enum { ROOM_AT_FIRST = 256, FEW_CYCLES = 1000000 };

static struct digest_process
process_named(const char *name)
{
	struct digest_process p = { .pid = -1 };

	(void)strncat(p.name, name, sizeof p.name - 1);
	return p;
}

struct digest_processes *
digest_processes_new(struct err *e)
{
	struct digest_processes *p = calloc(1, sizeof *p);

	if (p == NULL)
		return err_null(e, ERR_FAIL, "out of memory for a summary");
	p->others = process_named(PROCESS_OTHERS_NAME);
	p->rest = process_named(PROCESS_REST_NAME);
	return p;
}

void
digest_processes_free(struct digest_processes *p)
{
	if (p == NULL)
		return;
	free(p->row);
	free(p->slot);
	free(p);
}

static unsigned
slot_of(const struct digest_processes *p, const struct digest_process *key)
{
	uint64_t x = key->start * 0x9e3779b97f4a7c15u ^
		     (uint64_t)(uint32_t)key->pid * 0xff51afd7ed558ccdu;
	unsigned at = (unsigned)(x >> 32 ^ x) & (p->slots - 1);

	for (; p->slot[at] != 0; at = (at + 1) & (p->slots - 1)) {
		const struct digest_process *row = &p->row[p->slot[at] - 1];

		if (row->pid == key->pid && row->start == key->start)
			break;
	}
	return at;
}

static bool
processes_grow(struct digest_processes *p, struct err *e)
{
	unsigned room = p->room == 0 ? ROOM_AT_FIRST : 2 * p->room;
	struct digest_process *row = realloc(p->row, room * sizeof *row);
	unsigned *slot = calloc(2 * (size_t)room, sizeof *slot);

	if (row != NULL)
		p->row = row;
	if (row == NULL || slot == NULL) {
		free(slot);
		return err_set(e, ERR_FAIL, "out of memory for a summary");
	}
	free(p->slot);
	p->slot = slot;
	p->slots = 2 * room;
	p->room = room;
	for (unsigned i = 0; i < p->n; i++)
		p->slot[slot_of(p, &p->row[i])] = i + 1;
	return true;
}

/* Finds or adds the process's row; when full, the row (other processes). NULL
 * and *e: no memory. */
static struct digest_process *
row_for(struct digest_processes *p, const struct process_read *r, struct err *e)
{
	const struct digest_process key = { .pid = r->pid, .start = r->start };

	if (p->n == p->room && p->n < DIGEST_PROCESSES_MAX &&
	    !processes_grow(p, e))
		return NULL;
	unsigned at = slot_of(p, &key);

	if (p->slot[at] != 0)
		return &p->row[p->slot[at] - 1];
	if (p->n == DIGEST_PROCESSES_MAX) {
		p->has_others = true;
		return &p->others;
	}
	p->row[p->n] = key;
	p->slot[at] = ++p->n;
	return &p->row[p->n - 1];
}

static void
digest_process_add(struct digest_process *to, const struct process_read *r,
		   int64_t interval_ns)
{
	process_totals_add(&to->d, &r->total, r->known);
	to->known |= r->known;
	to->unsplit |= process_lacks(r->known);
	to->flags |= r->flags;
	to->frames++;
	to->denied += r->access == PROCESS_DENIED;
	to->interval_s +=
		(double)(r->interval_ns > 0 ? r->interval_ns : interval_ns) *
		1e-9;
}

/* Adds the cores' counts minus those of all processes; sums may wrap around.
 * Kinds of core are not kept apart. */
static void
add_late_rest(struct digest_process *rest, const struct process_reading *r,
	      const struct digest_cores *cores)
{
	const uint32_t lacks =
		(PROCESS_HAS_COUNTS | PROCESS_HAS_PARTS) & ~r->rest.known;
	struct process_totals own = { .cycles = 0 };

	rest->unsplit |= lacks & PROCESS_HAS_PARTS;
	if ((lacks & PROCESS_HAS_COUNTS) == 0)
		return;
	if (!span_has_fixed(cores->span)) {
		rest->unsplit |= PROCESS_HAS_COUNTS;
		return;
	}
	for (unsigned i = 0; i < r->n; i++)
		process_totals_add(&own, &r->row[i].total,
				   r->row[i].known & PROCESS_HAS_COUNTS);
	rest->known |= PROCESS_HAS_COUNTS;
	rest->d.cycles += cores->span->cycles - own.cycles;
	rest->d.instructions += cores->span->instructions - own.instructions;
}

/* Index of an event, added if new; DIGEST_EVENTS: no space left. */
static unsigned
event_number(struct digest_processes *p, const char *name)
{
	unsigned i = 0;

	while (i < p->nevents && strcmp(p->event[i], name) != 0)
		i++;
	if (i == p->nevents && i < DIGEST_EVENTS) {
		(void)strncat(p->event[i], name, EVENT_NAME_SIZE - 1);
		p->nevents++;
	}
	p->left_out_events += i == DIGEST_EVENTS;
	return i;
}

struct counted {
	const struct process_traced *in; /* NULL: no process was counted */
	unsigned number[EVENTSET_MAX];
	int work;        /* slot of the instructions event; -1: none */
	bool same_modes; /* instructions of processes are counted in the modes
			    of the events */
};

static struct counted
begin_counted(struct digest_processes *p, const struct process_reading *r,
	      const struct digest_cores *cores)
{
	const struct process_traced *t = &r->traced;
	struct counted c = { .work = -1,
			     .same_modes = r->domain == cores->domain };

	if (t->state != PROCESS_TRACING_ON || t->slots == 0)
		return c;
	c.in = t;
	p->cores.counted_cycles +=
		span_has_fixed(cores->span) ? cores->span->cycles : 0;
	for (unsigned i = 0; i < cores->set->len; i++) {
		const char *name = cores->set->slot[i].event->name;

		c.number[i] = DIGEST_EVENTS;
		if ((t->slots >> i & 1) == 0)
			continue;
		unsigned at = event_number(p, name);

		c.number[i] = at;
		if (strcmp(name, COLUMN_INSTRUCTIONS_EVENT) == 0)
			c.work = (int)i;
		if (at == DIGEST_EVENTS)
			continue;
		if (!span_has_fixed(cores->span) ||
		    !span_has_slot(cores->span, i))
			p->unknown_events |= UINT32_C(1) << at;
		p->cores.event[at].count += cores->span->slot[i];
	}
	return c;
}

static void
add_counted(struct digest_process *to, const struct process_read *r,
	    const struct counted *c, const struct digest_cores *cores)
{
	if (c->in == NULL)
		return;
	const struct process_counts *had =
		process_traced_find(c->in, r->pid, 0);

	if ((r->known & PROCESS_HAS_COUNTS) != 0)
		to->counted_cycles += r->total.cycles;
	if (had == NULL)
		return;
	to->event_cycles += had->cycles;
	uint64_t work = c->work >= 0    ? had->slot[c->work]
			: c->same_modes ? had->instructions
					: 0;

	for (unsigned i = 0; i < cores->set->len; i++) {
		if (c->number[i] == DIGEST_EVENTS)
			continue;
		to->event[c->number[i]].count += had->slot[i];
		to->event[c->number[i]].instructions += work;
	}
}

bool
digest_processes_add(struct digest_processes *p,
		     const struct process_reading *r,
		     const struct digest_cores *cores, int64_t interval_ns,
		     struct err *e)
{
	const struct counted counted = begin_counted(p, r, cores);

	p->frames++;
	p->seconds += (double)interval_ns * 1e-9;
	p->domains |= 1u << r->domain;
	p->parts = r->parts;
	if (r->has_rest) {
		digest_process_add(&p->rest, &r->rest, interval_ns);
		if ((r->rest.flags & PROCESS_SKEW) != 0)
			add_late_rest(&p->rest, r, cores);
	}
	p->has_rest = p->has_rest || r->has_rest;
	for (unsigned i = 0; i < r->n; i++) {
		const struct process_read *one = &r->row[i];
		bool many = one->pid == PROCESS_OTHERS_PID;
		struct digest_process *to =
			many ? &p->others : row_for(p, one, e);

		if (to == NULL)
			return false;
		p->has_others = p->has_others || many;
		digest_process_add(to, one, interval_ns);
		add_counted(to, one, &counted, cores);
		if (to == &p->others)
			continue;
		memcpy(to->name, one->name, sizeof to->name);
		memcpy(to->user, one->user, sizeof to->user);
	}
	return true;
}

static uint64_t
cpu_ns(const struct digest_process *p)
{
	return p->d.user_ns + p->d.system_ns;
}

static double
rate_over(uint64_t above, uint64_t below)
{
	return (int64_t)above >= 0 && (int64_t)below > 0
		       ? (double)above / (double)below
		       : NAN;
}

static double
counts_giga(uint64_t n)
{
	return (double)(int64_t)n * 1e-9;
}

static double
process_part_ipc(const struct process_part *part)
{
	return (int64_t)part->cycles < FEW_CYCLES
		       ? (double)NAN
		       : rate_over(part->instructions, part->cycles);
}

double
digest_process_number(const struct digest_process *p, enum digest_number n)
{
	const struct process_totals *d = &p->d;
	uint64_t times = 0;

	for (unsigned i = 0; i < PROCESS_PARTS; i++)
		times += d->part[i].cpu_ns;
	const struct {
		uint32_t needs;
		double value;
	} number[DIGEST_NUMBERS] = {
		[DIGEST_CPU_S] = { PROCESS_HAS_TIMES, counts_giga(cpu_ns(p)) },
		[DIGEST_P_SHARE] = { PROCESS_HAS_PART_TIMES,
				     100 * rate_over(d->part[0].cpu_ns,
						     times) },
		[DIGEST_GCYCLES] = { PROCESS_HAS_COUNTS,
				     counts_giga(d->cycles) },
		[DIGEST_GINSTRUCTIONS] = { PROCESS_HAS_COUNTS,
					   counts_giga(d->instructions) },
		[DIGEST_IPC] = { PROCESS_HAS_COUNTS,
				 rate_over(d->instructions, d->cycles) },
		[DIGEST_IPC_P] = { PROCESS_HAS_PARTS,
				   process_part_ipc(&d->part[0]) },
		[DIGEST_IPC_OTHER] = { PROCESS_HAS_PARTS,
				       process_part_ipc(&d->part[1]) },
		[DIGEST_JOULES] = { PROCESS_HAS_ENERGY,
				    counts_giga(d->energy_nj) },
	};

	return (p->known & number[n].needs) != 0 ? number[n].value : NAN;
}

double
digest_process_events(const struct digest_processes *in,
		      const struct digest_process *p, unsigned event)
{
	const struct digest_counted *c = &p->event[event];
	bool known = p != &in->rest ? p->event_cycles > 0
				    : (in->unknown_events >> event & 1) == 0 &&
					      (int64_t)c->count >= 0;

	return known ? (double)c->count : NAN;
}

double
digest_process_rate(const struct digest_process *p, unsigned event)
{
	const struct digest_counted *c = &p->event[event];

	return 1000 * rate_over(c->count, c->instructions);
}

double
digest_process_part(const struct digest_processes *in,
		    const struct digest_process *p, unsigned event)
{
	double all = (double)in->cores.event[event].count;

	return (in->unknown_events >> event & 1) == 0 && all > 0
		       ? digest_process_events(in, p, event) / all
		       : NAN;
}

/* Processes without CPU time come last. */
static int
digest_by_cpu(const void *a, const void *b)
{
	const struct digest_process *x = a, *y = b;
	int known_x = (x->known & PROCESS_HAS_TIMES) != 0;
	int known_y = (y->known & PROCESS_HAS_TIMES) != 0;

	if (known_x != known_y)
		return known_y - known_x;
	if (cpu_ns(x) != cpu_ns(y))
		return cpu_ns(x) < cpu_ns(y) ? 1 : -1;
	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void
finish_rest(struct digest_process *rest)
{
	rest->known &= ~rest->unsplit;
	if ((int64_t)rest->d.cycles < 0 || (int64_t)rest->d.instructions < 0)
		rest->known &=
			~(uint32_t)(PROCESS_HAS_COUNTS | PROCESS_HAS_PARTS);
	if ((rest->known & PROCESS_HAS_COUNTS) != 0)
		rest->flags &= ~(uint32_t)PROCESS_SKEW;
}

static void
join_counted(struct digest_process *to, const struct digest_process *from)
{
	to->counted_cycles += from->counted_cycles;
	to->event_cycles += from->event_cycles;
	for (unsigned i = 0; i < DIGEST_EVENTS; i++) {
		to->event[i].count += from->event[i].count;
		to->event[i].instructions += from->event[i].instructions;
	}
}

/* Sets the events of p->rest: cores minus processes in two's complement, as
 * delayed counts can make them negative. */
static void
leave_counted(struct digest_processes *p)
{
	struct digest_process all = p->others;

	for (unsigned i = 0; i < p->n; i++)
		join_counted(&all, &p->row[i]);
	p->cores.event_cycles = all.event_cycles;
	for (unsigned i = 0; i < p->nevents; i++)
		p->rest.event[i].count =
			p->cores.event[i].count - all.event[i].count;
}

void
digest_processes_finish(struct digest_processes *p)
{
	leave_counted(p);
	for (unsigned i = 0; i < p->n; i++)
		p->row[i].known &= ~p->row[i].unsplit;
	p->others.known &= ~p->others.unsplit;
	finish_rest(&p->rest);
	free(p->slot); /* qsort moves the rows */
	p->slot = NULL;
	p->slots = p->room = 0;
	if (p->n > 0)
		qsort(p->row, p->n, sizeof *p->row, digest_by_cpu);
}

static int
digest_by_name(const void *a, const void *b)
{
	const struct digest_process *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order != 0 ? order : digest_by_cpu(a, b);
}

static void
process_merge(struct digest_process *to, const struct digest_process *from)
{
	process_totals_add(&to->d, &from->d, from->known);
	to->known |= from->known;
	to->unsplit |= from->unsplit;
	to->known &= ~to->unsplit;
	to->flags |= from->flags;
	to->frames += from->frames;
	to->denied += from->denied;
	to->interval_s += from->interval_s;
	join_counted(to, from);
}

void
digest_processes_by_name(struct digest_processes *p)
{
	unsigned n = 0;

	if (p->n == 0)
		return;
	qsort(p->row, p->n, sizeof *p->row, digest_by_name);
	for (unsigned i = 0; i < p->n; i++) {
		struct digest_process *to = &p->row[n > 0 ? n - 1 : 0];

		if (n > 0 && strcmp(to->name, p->row[i].name) == 0) {
			process_merge(to, &p->row[i]);
			continue;
		}
		p->row[n] = p->row[i];
		p->row[n].pid = -1;
		p->row[n++].start = 0;
	}
	p->n = n;
}

static int
is_named(const void *name, const void *p)
{
	return strcmp(name, ((const struct digest_process *)p)->name);
}

const struct digest_process *
digest_process_named(const struct digest_processes *p, const char *name)
{
	return p->n == 0
		       ? NULL
		       : bsearch(name, p->row, p->n, sizeof *p->row, is_named);
}
