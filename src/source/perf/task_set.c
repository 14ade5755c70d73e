#include "source/perf/state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A thread whose lost time exceeds both limits shared counters. */
static const uint64_t lost_least_ns = 100000;
enum { LOST_OF = 100 };

static bool
part_is_absent(const struct task_plan *plan, unsigned part)
{
	return (plan->absent >> part & 1) != 0;
}

uint64_t
task_set_files(const struct task_plan *plan, unsigned n)
{
	uint64_t files = 0;

	for (unsigned p = 0; p < plan->nparts; p++)
		if (!part_is_absent(plan, p))
			files += plan->part[p].group.len;
	return files * n;
}

uint32_t
task_plan_slots(const struct task_plan *plan)
{
	uint32_t slots = plan->traced ? ~plan->off : 0;

	for (unsigned p = 0; p < plan->nparts; p++)
		if (!part_is_absent(plan, p))
			slots &= plan->part[p].slots;
	return slots;
}

static struct task *
task_set_at(const struct task_set *t, const struct task_plan *plan, unsigned i)
{
	return &t->task[(size_t)i * plan->nparts];
}

static void
task_close_groups(struct task *k, const struct task_plan *plan)
{
	for (unsigned p = 0; p < plan->nparts; p++)
		group_close(&k[p].group, plan->port);
}

static int
task_open_part(struct task *k, struct task_plan *plan, unsigned part,
	       int32_t tid, bool follow)
{
	const struct group_target target = { .cpu = -1,
					     .tid = tid,
					     .follow = follow,
					     .user_only = plan->user_only };
	int code = ENOENT;

	memset(k, 0, sizeof *k);
	k->tid = tid;
	if (part_is_absent(plan, part))
		return code;
	code = group_open_thread(&k->group, plan->port, &plan->part[part].group,
				 &target);
	if (errno_means_no_pmu(code))
		plan->absent |= UINT32_C(1) << part;
	return code;
}

/* Absent parts are not an error if another part counts. */
static int
task_open_groups(struct task *k, struct task_plan *plan, int32_t tid,
		 bool follow)
{
	unsigned open = 0;
	int absent = 0;

	for (unsigned p = 0; p < plan->nparts; p++) {
		int code = task_open_part(&k[p], plan, p, tid, follow);
		bool none = code != 0 && part_is_absent(plan, p);

		absent = none ? code : absent;
		open += code == 0;
		/* A missing member would read as 0. */
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
task_set_grow(struct task_set *t, const struct task_plan *plan, unsigned n)
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
task_set_open_tasks(struct task_set *t, struct task_plan *plan,
		    const int32_t *tid, unsigned n, bool follow)
{
	int code = ESRCH;

	for (unsigned i = 0; i < n; i++) {
		code = task_open_groups(task_set_at(t, plan, t->n), plan,
					tid[i], follow);
		if (code == 0)
			t->n++;
		else if (code != ESRCH)
			return code;
	}
	return t->n > 0 ? 0 : ESRCH;
}

static void
task_set_count_files(struct task_set *t, const struct task_plan *plan)
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
	t->late = t->not_counting = false;
	t->flags = 0;
	t->ran_ns = 0;
	memset(&t->total, 0, sizeof t->total);
	memset(&t->counts, 0, sizeof t->counts);
	if (task_set_files(plan, n) > files)
		return EMFILE;
	if (!task_set_grow(t, plan, n))
		return ENOMEM;
	code = task_set_open_tasks(t, plan, tid, n, follow);
	if (code != 0)
		task_set_close(t, plan);
	task_set_count_files(t, plan);
	return code;
}

static bool
tids_contain(int32_t one, const int32_t *tid, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (tid[i] == one)
			return true;
	return false;
}

static bool
task_set_has(const struct task_set *t, const struct task_plan *plan,
	     int32_t tid)
{
	for (unsigned i = 0; i < t->n; i++)
		if (task_set_at(t, plan, i)->tid == tid)
			return true;
	return false;
}

int
task_set_renew(struct task_set *t, struct task_plan *plan, const int32_t *tid,
	       unsigned n, uint64_t files)
{
	int code = 0;

	for (unsigned i = t->n; i-- > 0;) {
		struct task *k = task_set_at(t, plan, i);

		if (tids_contain(k->tid, tid, n))
			continue;
		task_close_groups(k, plan);
		memmove(k, task_set_at(t, plan, --t->n),
			plan->nparts * sizeof *k);
	}
	if (task_set_files(plan, n) > files)
		code = EMFILE;
	else if (!task_set_grow(t, plan, n))
		code = ENOMEM;
	for (unsigned i = 0; i < n && code == 0; i++)
		if (!task_set_has(t, plan, tid[i])) {
			code = task_set_open_tasks(t, plan, &tid[i], 1, false);
			code = code == ESRCH ? 0 : code;
		}
	task_set_count_files(t, plan);
	return code;
}

void
task_set_close(struct task_set *t, const struct task_plan *plan)
{
	for (unsigned i = 0; i < t->n; i++)
		task_close_groups(task_set_at(t, plan, i), plan);
	t->n = t->files = 0;
}

void
task_set_free(struct task_set *t)
{
	free(t->task);
	memset(t, 0, sizeof *t);
}

static void
task_plan_drop_slot(struct task_plan *plan, unsigned slot)
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

/* Drops events that a part refuses from all parts. */
static int
task_plan_try_parts(struct task_plan *plan, int32_t tid)
{
	unsigned open = 0;
	int absent = 0;

	plan->absent = 0;
	for (unsigned p = 0; p < plan->nparts; p++) {
		struct task k;
		int code = task_open_part(&k, plan, p, tid, true);

		if (code == 0)
			code = k.group.refused[FIXED_INSTRUCTIONS];
		for (unsigned i = 0; code == 0 && i < EVENTSET_MAX; i++)
			if (k.group.refused[GROUP_SLOT + i] != 0)
				task_plan_drop_slot(plan, i);
		group_close(&k.group, plan->port);
		if (errno_means_no_pmu(code)) {
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
	code = task_plan_try_parts(plan, tid);
	if (code != EACCES)
		return code;
	plan->user_only = true;
	return task_plan_try_parts(plan, tid);
}

static uint64_t
count_grown(uint64_t now, uint64_t last)
{
	return now > last ? now - last : 0;
}

static uint64_t
scale_count(uint64_t n, double factor)
{
	return factor == 1 ? n : (uint64_t)((double)n * factor + 0.5);
}

static struct group_count
task_count_since(const struct task *k, unsigned what)
{
	const struct group_count *now = &k->group.last[what];
	const struct group_count *last = &k->taken[what];

	return (struct group_count){ count_grown(now->count, last->count),
				     count_grown(now->enabled, last->enabled),
				     count_grown(now->running, last->running) };
}

/* The thread's CPU time since the last reading. */
static uint64_t
task_enabled_ns(const struct task *k, const struct task_plan *plan)
{
	uint64_t most = 0;

	for (unsigned p = 0; p < plan->nparts; p++) {
		uint64_t ns = task_count_since(&k[p], FIXED_CYCLES).enabled;

		most = ns > most ? ns : most;
	}
	return most;
}

/* A thread has n groups, one per part. While one counts, the others wait; more
 * waiting is time lost to other programs. As groups are read one after the
 * other, the result may be too small, never too large. */
static uint64_t
task_lost_ns(const struct task *k, const struct task_plan *plan,
	     uint64_t enabled)
{
	uint64_t waited = 0;
	unsigned n = 0;

	for (unsigned p = 0; p < plan->nparts; p++) {
		const struct group_count c =
			task_count_since(&k[p], FIXED_CYCLES);

		if (!k[p].group.open)
			continue;
		n++;
		waited += count_grown(c.enabled, c.running);
	}
	return n > 0 ? count_grown(waited, (n - 1) * enabled) : 0;
}

static double
task_scale_factor(const struct task_plan *plan, uint64_t lost, uint64_t enabled,
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

/* Not scaled, as metrics are ratios of these counts. */
static void
task_counts_add(struct task_counts *c, const struct task_part *part,
		const struct task *k)
{
	uint64_t cycles = task_count_since(k, FIXED_CYCLES).count;

	c->cycles += cycles;
	c->instructions += task_count_since(k, FIXED_INSTRUCTIONS).count;
	for (unsigned i = 0; i < EVENTSET_MAX; i++)
		c->slot[i] += cycles * part->cycles[i] +
			      task_count_since(k, GROUP_SLOT + i).count *
				      part->factor[i];
}

static void
task_totals_add(struct process_totals *total, unsigned p, const struct task *k,
		double factor)
{
	const struct group_count c = task_count_since(k, FIXED_CYCLES);
	struct process_part *part = &total->part[p];
	uint64_t cycles = scale_count(c.count, factor);
	uint64_t instructions = scale_count(
		task_count_since(k, FIXED_INSTRUCTIONS).count, factor);

	part->cycles += cycles;
	part->instructions += instructions;
	part->cpu_ns += scale_count(c.running, factor);
	total->cycles += cycles;
	total->instructions += instructions;
}

static void
task_set_add_task(struct task_set *t, const struct task_plan *plan,
		  struct task *k)
{
	uint64_t enabled = task_enabled_ns(k, plan);
	uint64_t lost = task_lost_ns(k, plan, enabled);
	double factor = task_scale_factor(plan, lost, enabled, &t->flags);

	t->counts.ran_ns += enabled;
	t->counts.lost_ns += lost;
	t->ran_ns += enabled;
	for (unsigned p = 0; p < plan->nparts; p++) {
		task_totals_add(&t->total, p, &k[p], factor);
		task_counts_add(&t->counts, &plan->part[p], &k[p]);
		memcpy(k[p].taken, k[p].group.last, sizeof k[p].taken);
	}
}

/* Counts from less than 1 % of the time cannot be scaled up. */
static bool
time_is_all_lost(uint64_t ran, uint64_t lost)
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
	/* ECHILD: the kernel sets up or tears down the thread's group. */
	for (unsigned i = 0; i < t->n * plan->nparts; i++)
		if (t->task[i].group.open &&
		    group_read(&t->task[i].group, plan->port) != GROUP_READ)
			t->late = true;
	t->failed = t->late ? t->failed + 1 : 0;
	if (t->late)
		return false;
	for (unsigned i = 0; i < t->n; i++)
		task_set_add_task(t, plan, task_set_at(t, plan, i));
	if (t->ran_ns > 0) /* a process that slept keeps its state */
		t->not_counting = time_is_all_lost(
			t->ran_ns, t->counts.lost_ns - before.lost_ns);
	return true;
}
