#include "source/perf/state.h"

#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>

enum {
	OF_A_PROCESS = 2, /* descriptors kept open per process */
	/* Rows reserved for processes that ran or had a row. */
	FOR_THE_BUSY = PROCESS_ROWS_MAX / 8,
	MORE_PROCESSES = 256,
	NAMES_NS = 20000000, /* most time for user names per reading */
	KTHREADD = 2         /* parent of kernel threads */
};

static const uint64_t MOST_S = INT64_MAX / 1000000000 / 2;

static bool
codes_equal(const struct perf_code *a, const struct perf_code *b)
{
	return a->type == b->type && a->config == b->config &&
	       a->config1 == b->config1 && a->config2 == b->config2;
}

static unsigned
plan_find_part(const struct perf_source *s, const struct task_plan *plan,
	       const struct perf_kind *k)
{
	unsigned p = 0;

	while (p < plan->nparts &&
	       !codes_equal(&s->catalog.kind[plan->part[p].kind].cycles,
			    &k->cycles))
		p++;
	return p;
}

static void
parts_add_label(struct process_parts *parts, unsigned p, const char *letter,
		int kind)
{
	char *label = parts->label[p];
	size_t size = sizeof parts->label[p], len = strlen(label);

	parts->kind[p] = len == 0 ? kind : -1;
	snprintf(label + len, size - len, "%s%s", len == 0 ? "" : "+", letter);
}

static void
processes_plan_parts(struct perf_source *s)
{
	struct task_plan *plan = &s->processes.plan;
	struct process_parts *parts = &s->processes.parts;

	memset(parts, 0, sizeof *parts);
	memset(plan, 0, sizeof *plan);
	plan->port = &s->port;
	for (unsigned i = 0; i < s->catalog.nkinds; i++) {
		const struct perf_kind *k = &s->catalog.kind[i];
		unsigned p = plan_find_part(s, plan, k);

		/* Later kinds without a PMU are not counted. */
		if (p == PROCESS_PARTS || (i > 0 && !k->counts))
			continue;
		if (p == plan->nparts) {
			plan->nparts++;
			plan->part[p].kind = i;
			perf_traced_plan_fixed(s, &plan->part[p]);
		}
		parts_add_label(parts, p, s->topology->kind[i].letter, (int)i);
	}
	parts->n = plan->nparts > 1 ? plan->nparts : 0;
}

void
perf_processes_open(struct perf_source *s)
{
	struct perf_processes *p = &s->processes;

	memset(p, 0, sizeof *p);
	s->source.info.processes = proc_list_open(&p->list, s->root);
	processes_plan_parts(s);
}

void
perf_processes_close(struct perf_source *s)
{
	struct perf_processes *p = &s->processes;
	const struct perf_ops *ops = s->port.ops;

	perf_tracks_close(s);
	proc_list_close(&p->list);
	if (p->limit_before != 0 && ops->limit_back != NULL)
		ops->limit_back(ops->self, p->limit_before);
	p->limit_before = 0;
}

void
perf_processes_take_over(struct perf_source *s, struct perf_source *old)
{
	struct perf_processes *p = &old->processes;

	/* The PMUs may differ, so all tracks are opened again. */
	perf_tracks_close(old);
	proc_list_close(&s->processes.list);
	s->processes = *p;
	memset(p, 0, sizeof *p);
	processes_plan_parts(s);
}

static void
row_fill_counts(const struct perf_processes *p, const struct proc_entry *e,
		struct process_read *row)
{
	const struct track *k;

	if (e->group < 0)
		return;
	k = &p->track[e->group];
	row->total = k->set.total;
	row->counting = k->counting;
	row->flags |= k->set.flags;
	if (k->set.not_counting)
		row->access = PROCESS_IN_USE;
	else
		row->known |=
			PROCESS_HAS_COUNTS |
			(p->plan.nparts > 1
				 ? PROCESS_HAS_PARTS | PROCESS_HAS_PART_TIMES
				 : 0);
	if (k->set.late)
		row->flags |= PROCESS_KEPT;
}

static void
row_fill_common(const struct perf_processes *p, const struct proc_entry *e,
		struct process_read *row)
{
	memset(row, 0, sizeof *row);
	row->pid = e->pid;
	row->parent = e->line.parent;
	row->uid = e->uid;
	row->start = e->line.start;
	row->started_awake_ns = e->started_awake_ns;
	row->state = e->line.state;
	row->access = e->access;
	memcpy(row->name, e->line.name, sizeof row->name);
	row_fill_counts(p, e, row);
	row->total.user_ns = e->user_ns;
	row->total.system_ns = e->system_ns;
	row->known |= PROCESS_HAS_TIMES;
	if (e->missed)
		row->flags |= PROCESS_KEPT;
}

static void
row_fill_process(const struct perf_processes *p, const struct proc_entry *e,
		 struct process_read *row)
{
	uint64_t tick = p->list.tick_ns;

	row_fill_common(p, e, row);
	row->threads = e->line.threads;
	if (p->boot_wall_s > 0 && p->boot_wall_s < MOST_S &&
	    e->line.start < MOST_S * 1000000000 / tick)
		row->started_ns = (int64_t)(p->boot_wall_s * 1000000000 +
					    e->line.start * tick);
	/* Not all threads were counted, or not from the start. */
	if (e->group >= 0 &&
	    (p->track[e->group].leaves_out || (e->looks == 1 && e->moved)))
		row->flags |= PROCESS_PARTIAL;
	if (e->unreadable) {
		row->access = PROCESS_UNREADABLE;
		row->known = 0;
	}
	/* The last counts of an ended process are known, its times are not. */
	if (e->gone) {
		row->flags |= PROCESS_PARTIAL;
		row->known &= ~(uint32_t)PROCESS_HAS_TIMES;
	}
}

static void
reading_fill_threads(const struct perf_processes *p,
		     const struct proc_entry *whole,
		     struct process_reading *out)
{
	out->command = p->command;
	for (unsigned i = 0; i < p->threads.n; i++) {
		const struct proc_entry *e = &p->threads.entry[i];
		struct process_read *row = &out->thread[out->nthreads];

		if (e->gone || out->nthreads == PROCESS_THREADS_MAX)
			continue;
		out->nthreads++;
		row_fill_common(p, e, row);
		row->pid = whole->pid;
		row->parent = whole->line.parent;
		row->uid = whole->uid;
		row->thread = (uint64_t)e->pid;
	}
}

/* A process that had a row, or that ran, gets any free row; others leave
 * FOR_THE_BUSY rows free. left: rows not reserved for later entries. */
static bool
entry_gets_row(const struct proc_entry *e, unsigned left)
{
	if (e->gone)
		return e->shown && e->group >= 0 && left > 0;
	return left > (e->shown || e->moved ? 0U : (unsigned)FOR_THE_BUSY);
}

static void
reading_fill_rows(struct perf_source *s, struct process_reading *out)
{
	struct perf_processes *p = &s->processes;
	unsigned old = 0;

	for (unsigned i = 0; i < p->list.n; i++)
		old += p->list.entry[i].shown;
	for (unsigned i = 0; i < p->list.n; i++) {
		struct proc_entry *e = &p->list.entry[i];
		unsigned left = PROCESS_ROWS_MAX - out->n;

		/* Reserves rows for later entries that had one. */
		old -= e->shown;
		left = left > old ? left - old : 0;
		if (!entry_gets_row(e, left)) {
			out->left_out += !e->gone;
			continue;
		}
		row_fill_process(p, e, &out->row[out->n++]);
		e->shown = e->line.state != PROCESS_ENDED;
	}
}

/* Returns "" if unknown. ask: look up a new uid, perhaps by the network. */
static const char *
user_names_find(struct user_names *u, uint32_t uid, bool ask)
{
	struct passwd pw, *found = NULL;
	char text[4096];
	unsigned at;

	for (unsigned i = 0; i < u->n; i++)
		if (u->user[i].uid == uid)
			return u->user[i].name;
	if (!ask)
		return "";
	/* A failed lookup is not repeated until its entry is replaced. */
	(void)getpwuid_r(uid, &pw, text, sizeof text, &found);
	at = u->n < USER_NAMES_MAX ? u->n++ : u->oldest++ % USER_NAMES_MAX;
	u->user[at].uid = uid;
	snprintf(u->user[at].name, sizeof u->user[at].name, "%s",
		 found != NULL ? pw.pw_name : "");
	return u->user[at].name;
}

static void
reading_fill_users(struct perf_source *s, const struct stamp *began,
		   struct process_reading *out)
{
	struct user_names *u = &s->processes.users;
	struct stamp now = *began;

	for (unsigned i = 0; i < out->n; i++) {
		struct process_read *row = &out->row[i];
		/* The uids of another machine have no names here. */
		bool ask = s->root == NULL &&
			   now.awake_ns - began->awake_ns < NAMES_NS;
		const char *name = user_names_find(u, row->uid, ask);

		memcpy(row->user, name, strlen(name) + 1);
		if (i == 0 || row->uid != out->row[i - 1].uid)
			clock_now(s->source.info.clock, &now);
	}
}

/* Kernel threads are hidden with hidepid and in containers. */
static bool
list_sees_all(const struct proc_list *l)
{
	const struct proc_entry *e = proc_list_find(l, KTHREADD);

	return e != NULL && e->line.kernel;
}

static void
reading_reset(struct process_reading *out)
{
	out->n = out->nthreads = out->left_out = 0;
	memset(&out->parts, 0, sizeof out->parts);
	out->domain = DOMAIN_NONE;
	out->recorded = out->has_rest = false;
	out->notice[0] = '\0';
	out->command.pid = -1;
}

static void
processes_count(struct perf_source *s, const struct process_request *w,
		const struct stamp *now, struct process_reading *out)
{
	struct perf_processes *p = &s->processes;
	const struct proc_entry *open;

	perf_traced_read(s, w, &out->traced);
	perf_tracks_choose(s, w, now->awake_ns);
	open = perf_tracks_threads(s, w, now);
	if (open != NULL)
		reading_fill_threads(p, open, out);
	perf_traced_finish(s, &out->traced);
	if (p->why != PROCESS_COUNTED)
		return;
	out->domain = p->plan.user_only ? DOMAIN_USER : DOMAIN_ALL;
	out->parts = p->parts;
	if (p->no_files > 0)
		snprintf(
			out->notice, sizeof out->notice,
			"counters for %u of %u processes (descriptor limit %" PRIu64
			"; raise it with ulimit -Hn)",
			p->wanted - p->no_files, p->list.n, p->limit);
}

/* Busy ns of all CPUs since the last call; UINT64_MAX: unknown. */
static uint64_t
cpus_busy_since(struct perf_source *s)
{
	struct perf_processes *p = &s->processes;
	uint64_t before = p->busy;

	p->busy = s->stat.busy;
	if (before == 0 || p->busy < before)
		return UINT64_MAX;
	return (p->busy - before) * p->list.tick_ns;
}

bool
perf_processes_read(struct source *base, const struct process_request *w,
		    struct process_reading *out, struct err *e)
{
	struct perf_source *s = perf_of(base);
	struct perf_processes *p = &s->processes;
	struct stamp began, now;
	uint64_t room;
	unsigned n;

	if (!base->info.processes)
		return err_set(
			e, ERR_FAIL,
			"cannot list processes: /proc is empty; mount it");
	clock_now(base->info.clock, &began);
	reading_reset(out);
	room = perf_tracks_file_budget(
		s, p->files + OF_A_PROCESS *
				      (uint64_t)(p->list.n + MORE_PROCESSES));
	p->list.keep = (unsigned)(room - (room < p->files ? room : p->files));
	if (!proc_list_look(&p->list, &began, cpus_busy_since(s), e))
		return false;
	perf_tracks_read(s, began.awake_ns);
	clock_now(base->info.clock, &out->stamp);
	n = p->list.n < PROCESS_ROWS_MAX ? p->list.n : PROCESS_ROWS_MAX;
	if (!process_reading_grow(out, n))
		return err_set(e, ERR_FAIL, "processes: out of memory");
	processes_count(s, w, &out->stamp, out);
	out->started = UINT64_MAX;
	proc_stat_since_boot(&s->stat, &out->started, &p->boot_wall_s);
	reading_fill_rows(s, out);
	/* Without permission, other users' processes are not counted. */
	out->everything = list_sees_all(&p->list) && out->left_out == 0 &&
			  out->domain != DOMAIN_USER;
	perf_tracks_drop_gone(s);
	clock_now(base->info.clock, &now);
	reading_fill_users(s, &now, out);
	out->cost_ns = now.awake_ns - began.awake_ns;
	return true;
}
