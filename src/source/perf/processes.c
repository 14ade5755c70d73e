#include "source/perf/processes.h"

#include "source/perf/denied.h"
#include "source/perf/state.h"

#include <errno.h>
#include <string.h>

enum {
	SPARE = 64,       /* files for whatever else is opened */
	OF_A_PROCESS = 2, /* that are kept */
	/* Rows of a reading that are for those that run, where it is full. */
	FOR_THE_BUSY = PROCESS_ROWS_MAX / 8,
	RECORDED_FILES = 256,
	MORE_PROCESSES = 256, /* that may have come since the last look */
	NAMES_NS = 20000000,  /* for the names of users, of one reading */
	KTHREADD = 2          /* the parent of the kernel's threads */
};

static const uint64_t MOST_S = INT64_MAX / 1000000000 / 2;

void
perf_processes_open(struct perf_source *s)
{
	struct perf_processes *p = &s->processes;

	memset(p, 0, sizeof(*p));
	p->users.foreign = s->root != NULL;
	s->source.info.processes = proc_list_open(&p->list, s->root);
}

void
perf_processes_close(struct perf_source *s)
{
	proc_list_close(&s->processes.list);
}

/* ---- files ---- */

/* Files that may be open for processes; raises the limit for `want`. */
static uint64_t
files_for(struct perf_source *s, uint64_t want)
{
	struct perf_processes *p = &s->processes;
	const struct perf_ops *ops = s->port.ops;
	uint64_t others, spare = SPARE;

	if (ops == NULL)
		return RECORDED_FILES;
	others = s->used + (s->counts ? perf_files(s) : 0);
	if (p->limit == 0 ||
	    (!p->at_most && p->limit < others + want + spare)) {
		p->limit = ops->limit(ops->self, others + want + spare);
		p->at_most = p->limit < others + want + spare;
	}
	if (spare > p->limit / 4)
		spare = p->limit / 4;
	return p->limit > others + spare ? p->limit - others - spare : 0;
}

/* ---- rows ---- */

static void
fill_times(const struct perf_processes *p, const struct proc_entry *e,
	   struct process_read *row)
{
	uint64_t tick = p->list.tick_ns;

	row->start = e->line.start;
	row->started_awake_ns = e->started_awake_ns;
	if (p->boot_wall_s > 0 && p->boot_wall_s < MOST_S &&
	    e->line.start < MOST_S * 1000000000 / tick)
		row->started_ns = (int64_t)(p->boot_wall_s * 1000000000 +
					    e->line.start * tick);
	row->total.user_ns = e->user_ns;
	row->total.system_ns = e->system_ns;
	row->known = PROCESS_HAS_TIMES;
}

/* Why nothing is counted of it. */
static enum process_access
why_uncounted(const struct perf_source *s)
{
	if (s->port.ops == NULL || denied_is_absent(s->hardware))
		return PROCESS_NO_COUNTERS;
	return s->hardware == EACCES || s->hardware == EPERM
		       ? PROCESS_DENIED
		       : PROCESS_NOT_TRACKED;
}

static void
fill_row(const struct perf_source *s, const struct proc_entry *e,
	 struct process_read *row)
{
	memset(row, 0, sizeof(*row));
	row->pid = e->pid;
	row->parent = e->line.parent;
	row->uid = e->uid;
	row->threads = e->line.threads;
	row->state = e->line.state;
	row->access = why_uncounted(s);
	memcpy(row->name, e->line.name, sizeof(row->name));
	fill_times(&s->processes, e, row);
	if (e->unreadable) {
		row->access = PROCESS_UNREADABLE;
		row->known = 0;
	}
	if (e->missed)
		row->flags |= PROCESS_KEPT;
	/* What it did since the last look went with it. */
	if (e->gone)
		row->flags |= PROCESS_PARTIAL;
}

/* One that had a row goes on to have one; else those that run come first. */
static bool
has_row(const struct proc_entry *e, unsigned left)
{
	if (e->gone)
		return e->shown && left > 0;
	return left > (e->shown || e->moved ? 0U : (unsigned)FOR_THE_BUSY);
}

static void
fill_rows(struct perf_source *s, struct process_reading *out)
{
	struct perf_processes *p = &s->processes;
	unsigned old = 0;

	for (unsigned i = 0; i < p->list.n; i++)
		old += p->list.entry[i].shown;
	for (unsigned i = 0; i < p->list.n; i++) {
		struct proc_entry *e = &p->list.entry[i];
		unsigned left = PROCESS_ROWS_MAX - out->n;

		/* Those that have one yet to come keep theirs. */
		old -= e->shown;
		left = left > old ? left - old : 0;
		if (!has_row(e, left)) {
			out->left_out += !e->gone;
			continue;
		}
		fill_row(s, e, &out->row[out->n++]);
		/* The end of what was seen to have ended is no news. */
		e->shown = e->line.state != PROCESS_ENDED;
	}
}

/* Whoever answers for users may be far away: the others wait for a later look.
 */
static void
fill_users(struct perf_source *s, const struct stamp *began,
	   struct process_reading *out)
{
	struct user_names *u = &s->processes.users;
	struct stamp now = *began;

	for (unsigned i = 0; i < out->n; i++) {
		struct process_read *row = &out->row[i];
		const char *name = user_names_of(
			u, row->uid, now.awake_ns - began->awake_ns < NAMES_NS);

		memcpy(row->user, name, strlen(name) + 1);
		/* The first of a user asks. */
		if (i == 0 || row->uid != out->row[i - 1].uid)
			clock_now(s->source.info.clock, &now);
	}
}

/* ---- the reading ---- */

/*
 * The kernel's own threads are in every list but those that hide the processes
 * of others, or know only a container's.
 */
static bool
sees_all(const struct proc_list *l)
{
	const struct proc_entry *e = proc_list_find(l, KTHREADD);

	return e != NULL && e->line.kernel;
}

static void
begin(struct process_reading *out)
{
	out->n = out->nthreads = out->left_out = 0;
	out->parts.n = 0;
	out->domain = DOMAIN_NONE;
	out->recorded = out->has_rest = false;
	out->notice[0] = '\0';
}

bool
perf_processes_read(struct source *base, const struct process_wish *w,
		    struct process_reading *out, struct err *e)
{
	struct perf_source *s = perf_of(base);
	struct perf_processes *p = &s->processes;
	struct stamp began, now;
	unsigned n;

	(void)w;
	if (!base->info.processes)
		return err_set(
			e, ERR_FAIL,
			"no processes are listed below /proc: is it mounted?");
	clock_now(base->info.clock, &began);
	begin(out);
	p->list.keep = (unsigned)files_for(
		s, OF_A_PROCESS * (uint64_t)(p->list.n + MORE_PROCESSES));
	if (!proc_list_look(&p->list, &began, e))
		return false;
	clock_now(base->info.clock, &out->stamp);
	n = p->list.n < PROCESS_ROWS_MAX ? p->list.n : PROCESS_ROWS_MAX;
	if (!process_reading_grow(out, n))
		return err_set(e, ERR_FAIL, "processes: out of memory");
	out->started = UINT64_MAX;
	proc_stat_since_boot(&s->stat, &out->started, &p->boot_wall_s);
	out->everything = sees_all(&p->list);
	fill_rows(s, out);
	clock_now(base->info.clock, &now);
	fill_users(s, &now, out);
	out->cost_ns = now.awake_ns - began.awake_ns;
	return true;
}
