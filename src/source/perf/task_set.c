#include "source/perf/state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A thread that lost more than both shared its counters. */
static const uint64_t lost_least_ns = 100000;
enum { LOST_OF = 100 };

static bool
is_absent(const struct task_plan *plan, unsigned part)
{
	return (plan->absent >> part & 1) != 0;
}

uint64_t
task_set_files(const struct task_plan *plan, unsigned n)
{
	uint64_t files = 0;

	for (unsigned p = 0; p < plan->nparts; p++)
		if (!is_absent(plan, p))
			files += plan->part[p].group.len;
	return files * n;
}

uint32_t
task_plan_slots(const struct task_plan *plan)
{
	uint32_t slots = plan->traced ? ~plan->off : 0;

	for (unsigned p = 0; p < plan->nparts; p++)
		if (!is_absent(plan, p))
			slots &= plan->part[p].slots;
	return slots;
}

/* ---- opening ---- */

/* The parts of thread i. */
static struct task *
task_of(const struct task_set *t, const struct task_plan *plan, unsigned i)
{
	return &t->task[(size_t)i * plan->nparts];
}

static void
close_task(struct task *k, const struct task_plan *plan)
{
	for (unsigned p = 0; p < plan->nparts; p++)
		group_close(&k[p].group, plan->port);
}

/* 0, or the errno; what of the part's slots is refused stands in its group. */
static int
open_part(struct task *k, struct task_plan *plan, unsigned part, int32_t tid,
	  bool follow)
{
	const struct group_target target = { .cpu = -1,
					     .tid = tid,
					     .follow = follow,
					     .user_only = plan->user_only };
	int code = ENOENT;

	memset(k, 0, sizeof *k);
	k->tid = tid;
	if (is_absent(plan, part))
		return code;
	code = group_open_thread(&k->group, plan->port, &plan->part[part].group,
				 &target);
	if (denied_is_absent(code))
		plan->absent |= UINT32_C(1) << part;
	return code;
}

/* 0, or the errno: a part that is absent is none, if another counts. */
static int
open_task(struct task *k, struct task_plan *plan, int32_t tid, bool follow)
{
	unsigned open = 0;
	int absent = 0;

	for (unsigned p = 0; p < plan->nparts; p++) {
		int code = open_part(&k[p], plan, p, tid, follow);
		bool none = code != 0 && is_absent(plan, p);

		absent = none ? code : absent;
		open += code == 0;
		/* All count what the plan has: what it lacks is not 0. */
		for (unsigned w = 0; code == 0 && w < GROUP_WHATS; w++)
			code = k[p].group.refused[w];
		if (code == 0 || none)
			continue;
		for (unsigned q = 0; q <= p; q++)
			group_close(&k[q].group, plan->port);
		return code;
	}
	return open > 0 ? 0 : absent;
}

static bool
make_room(struct task_set *t, const struct task_plan *plan, unsigned n)
{
	struct task *task;

	if (n <= t->room)
		return true;
	task = realloc(t->task, (size_t)n * plan->nparts * sizeof *task);
	if (task == NULL)
		return false;
	t->task = task;
	t->room = n;
	return true;
}

static int
open_all(struct task_set *t, struct task_plan *plan, const int32_t *tid,
	 unsigned n, bool follow)
{
	int code = ESRCH;

	for (unsigned i = 0; i < n; i++) {
		code = open_task(task_of(t, plan, t->n), plan, tid[i], follow);
		if (code == 0)
			t->n++;
		else if (code != ESRCH) /* one that ended is no loss */
			return code;
	}
	return t->n > 0 ? 0 : ESRCH;
}

static void
count_files(struct task_set *t, const struct task_plan *plan)
{
	t->files = 0;
	for (unsigned i = 0; i < t->n * plan->nparts; i++)
		t->files += t->task[i].group.len;
}

int
task_set_open(struct task_set *t, struct task_plan *plan, const int32_t *tid,
	      unsigned n, bool follow, uint64_t files)
{
	int code;

	t->n = t->failed = t->files = 0;
	t->late = t->starved = false;
	t->flags = 0;
	t->ran_ns = 0;
	memset(&t->total, 0, sizeof t->total);
	memset(&t->counts, 0, sizeof t->counts);
	if (task_set_files(plan, n) > files)
		return EMFILE;
	if (!make_room(t, plan, n))
		return ENOMEM;
	code = open_all(t, plan, tid, n, follow);
	if (code != 0)
		task_set_close(t, plan);
	count_files(t, plan);
	return code;
}

static bool
is_among(int32_t one, const int32_t *tid, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (tid[i] == one)
			return true;
	return false;
}

static bool
has_task(const struct task_set *t, const struct task_plan *plan, int32_t tid)
{
	for (unsigned i = 0; i < t->n; i++)
		if (task_of(t, plan, i)->tid == tid)
			return true;
	return false;
}

int
task_set_renew(struct task_set *t, struct task_plan *plan, const int32_t *tid,
	       unsigned n, uint64_t files)
{
	int code = 0;

	for (unsigned i = t->n; i-- > 0;) {
		struct task *k = task_of(t, plan, i);

		if (is_among(k->tid, tid, n))
			continue;
		close_task(k, plan);
		memmove(k, task_of(t, plan, --t->n), plan->nparts * sizeof *k);
	}
	if (task_set_files(plan, n) > files)
		code = EMFILE;
	else if (!make_room(t, plan, n))
		code = ENOMEM;
	for (unsigned i = 0; i < n && code == 0; i++)
		if (!has_task(t, plan, tid[i])) {
			code = open_all(t, plan, &tid[i], 1, false);
			code = code == ESRCH ? 0 : code;
		}
	count_files(t, plan);
	return code;
}

void
task_set_close(struct task_set *t, const struct task_plan *plan)
{
	for (unsigned i = 0; i < t->n; i++)
		close_task(task_of(t, plan, i), plan);
	t->n = t->files = 0;
}

void
task_set_free(struct task_set *t)
{
	free(t->task);
	memset(t, 0, sizeof *t);
}

/* A slot counts on every kind of core, or on none. */
static void
leave_out(struct task_plan *plan, unsigned slot)
{
	plan->off |= UINT32_C(1) << slot;
	for (unsigned p = 0; p < plan->nparts; p++) {
		struct group_plan *g = &plan->part[p].group;
		unsigned n = 0;

		for (unsigned i = 0; i < g->len; i++)
			if (g->member[i].what != GROUP_SLOT + slot)
				g->member[n++] = g->member[i];
		g->len = n;
	}
}

/* Of each part alone: slots that are refused are left out of all. */
static int
try_parts(struct task_plan *plan, int32_t tid)
{
	unsigned open = 0;
	int absent = 0;

	plan->absent = 0;
	for (unsigned p = 0; p < plan->nparts; p++) {
		struct task k;
		int code = open_part(&k, plan, p, tid, true);

		if (code == 0)
			code = k.group.refused[FIXED_INSTRUCTIONS];
		for (unsigned i = 0; code == 0 && i < EVENTSET_MAX; i++)
			if (k.group.refused[GROUP_SLOT + i] != 0)
				leave_out(plan, i);
		group_close(&k.group, plan->port);
		if (denied_is_absent(code)) {
			absent = code;
			plan->absent |= UINT32_C(1) << p;
		} else if (code != 0) {
			return code;
		} else {
			open++;
		}
	}
	return open > 0 ? 0 : absent;
}

int
task_plan_try(struct task_plan *plan, int32_t tid)
{
	int code;

	plan->user_only = false;
	code = try_parts(plan, tid);
	if (code != EACCES)
		return code;
	plan->user_only = true;
	return try_parts(plan, tid);
}

/* ---- reading ---- */

static uint64_t
grown(uint64_t now, uint64_t last)
{
	return now > last ? now - last : 0;
}

static uint64_t
times(uint64_t n, double factor)
{
	return factor == 1 ? n : (uint64_t)((double)n * factor + 0.5);
}

/* What grew of a member since it was taken. */
static struct group_count
since(const struct task *k, unsigned what)
{
	const struct group_count *now = &k->group.last[what];
	const struct group_count *last = &k->taken[what];

	return (struct group_count){ grown(now->count, last->count),
				     grown(now->enabled, last->enabled),
				     grown(now->running, last->running) };
}

/* The longest that any group was enabled: the thread's time on CPUs. */
static uint64_t
enabled_of(const struct task *k, const struct task_plan *plan)
{
	uint64_t most = 0;

	for (unsigned p = 0; p < plan->nparts; p++) {
		uint64_t ns = since(&k[p], FIXED_CYCLES).enabled;

		most = ns > most ? ns : most;
	}
	return most;
}

/*
 * A group waits while its thread is on another kind of core: of n groups, n - 1
 * at any time. What they waited beyond that is lost to all, since others had
 * the counters. Each group's times are of one moment; what passes between
 * the readings of two makes this less, never more.
 */
static uint64_t
lost_of(const struct task *k, const struct task_plan *plan, uint64_t enabled)
{
	uint64_t waited = 0;
	unsigned n = 0;

	for (unsigned p = 0; p < plan->nparts; p++) {
		const struct group_count c = since(&k[p], FIXED_CYCLES);

		if (!k[p].group.open)
			continue;
		n++;
		waited += grown(c.enabled, c.running);
	}
	return n > 0 ? grown(waited, (n - 1) * enabled) : 0;
}

static double
factor_of(const struct task_plan *plan, uint64_t lost, uint64_t enabled,
	  uint32_t *flags)
{
	if (lost < lost_least_ns || lost <= enabled / LOST_OF)
		return 1;
	if (plan->absent != 0 || lost >= enabled) {
		*flags |= PROCESS_PARTIAL;
		return 1;
	}
	*flags |= PROCESS_SCALED;
	return (double)enabled / (double)(enabled - lost);
}

/* As they are, for what is divided by one another. */
static void
add_counts(struct task_counts *c, const struct task_part *part,
	   const struct task *k)
{
	uint64_t cycles = since(k, FIXED_CYCLES).count;

	c->cycles += cycles;
	c->instructions += since(k, FIXED_INSTRUCTIONS).count;
	for (unsigned i = 0; i < EVENTSET_MAX; i++)
		c->slot[i] += cycles * part->cycles[i] +
			      since(k, GROUP_SLOT + i).count * part->factor[i];
}

static void
add_total(struct process_totals *total, unsigned p, const struct task *k,
	  double factor)
{
	const struct group_count c = since(k, FIXED_CYCLES);
	struct process_part *part = &total->part[p];
	uint64_t cycles = times(c.count, factor);
	uint64_t instructions =
		times(since(k, FIXED_INSTRUCTIONS).count, factor);

	part->cycles += cycles;
	part->instructions += instructions;
	part->cpu_ns += times(c.running, factor);
	total->cycles += cycles;
	total->instructions += instructions;
}

static void
add_task(struct task_set *t, const struct task_plan *plan, struct task *k)
{
	uint64_t enabled = enabled_of(k, plan);
	uint64_t lost = lost_of(k, plan, enabled);
	double factor = factor_of(plan, lost, enabled, &t->flags);

	t->counts.ran_ns += enabled;
	t->counts.lost_ns += lost;
	t->ran_ns += enabled;
	for (unsigned p = 0; p < plan->nparts; p++) {
		add_total(&t->total, p, &k[p], factor);
		add_counts(&t->counts, &plan->part[p], &k[p]);
		memcpy(k[p].taken, k[p].group.last, sizeof k[p].taken);
	}
}

/* From less than a hundredth nobody can tell the rest. */
static bool
is_starved(uint64_t ran, uint64_t lost)
{
	return lost >= lost_least_ns && lost > ran - ran / LOST_OF;
}

bool
task_set_read(struct task_set *t, const struct task_plan *plan)
{
	const struct task_counts before = t->counts;

	t->late = false;
	t->ran_ns = 0;
	t->flags = plan->absent != 0 ? PROCESS_PARTIAL : 0;
	/* ECHILD: a thread's group is being made, or goes. */
	for (unsigned i = 0; i < t->n * plan->nparts; i++)
		if (t->task[i].group.open &&
		    group_read(&t->task[i].group, plan->port) != GROUP_READ)
			t->late = true;
	t->failed = t->late ? t->failed + 1 : 0;
	if (t->late)
		return false;
	for (unsigned i = 0; i < t->n; i++)
		add_task(t, plan, task_of(t, plan, i));
	if (t->ran_ns > 0) /* what slept stays as it is */
		t->starved = is_starved(t->ran_ns,
					t->counts.lost_ns - before.lost_ns);
	return true;
}
