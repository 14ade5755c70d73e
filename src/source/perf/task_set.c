#include "source/perf/task_set.h"

#include "source/perf/denied.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A thread that lost more than both shared its counters. */
static const uint64_t lost_least_ns = 100000;
enum { LOST_OF = 100 };

uint64_t
task_set_files(const struct task_plan *plan, unsigned n)
{
	uint64_t parts = 0;

	for (unsigned p = 0; p < plan->nparts; p++)
		parts += (plan->absent >> p & 1) == 0;
	return parts * n * FIXED_COUNT;
}

/* ---- opening ---- */

static void
fill_attr(struct perf_event_attr *attr, const struct task_plan *plan,
	  unsigned part, unsigned which, bool follow)
{
	group_attr(attr, plan->port, &plan->part[part].code[which], which == 0);
	attr->exclude_kernel = plan->user_only;
	/* Processes that it makes have rows of their own: only threads. */
#ifdef PERF_ATTR_SIZE_VER7
	attr->inherit = attr->inherit_thread = follow && !plan->no_threads;
#else
	(void)follow;
#endif
}

static int
open_one(struct task_plan *plan, unsigned part, unsigned which, bool follow,
	 int32_t tid, int leader)
{
	const struct perf_ops *ops = plan->port->ops;
	struct perf_event_attr attr;
	int fd;

	fill_attr(&attr, plan, part, which, follow);
	fd = ops->open_task(ops->self, &attr, tid, leader);
	if (fd < 0 && errno == E2BIG && attr.size < sizeof attr &&
	    attr.size >= PERF_ATTR_SIZE_VER0) {
		plan->port->attr_size = attr.size;
		fill_attr(&attr, plan, part, which, follow);
		fd = ops->open_task(ops->self, &attr, tid, leader);
	}
	if (fd < 0 && errno == EINVAL && attr.inherit) {
		plan->no_threads = true;
		fill_attr(&attr, plan, part, which, follow);
		fd = ops->open_task(ops->self, &attr, tid, leader);
		plan->no_threads = fd >= 0;
	}
	return fd;
}

static void
close_task(struct task *k, const struct task_plan *plan)
{
	const struct perf_ops *ops = plan->port->ops;

	for (unsigned p = 0; p < plan->nparts; p++)
		for (unsigned i = FIXED_COUNT; i-- > 0;) {
			if (k->fd[p][i] >= 0)
				ops->close(ops->self, k->fd[p][i]);
			k->fd[p][i] = -1;
		}
}

/* 0, or the errno: none of this part is open then. */
static int
open_part(struct task *k, struct task_plan *plan, unsigned part, bool follow)
{
	const struct perf_ops *ops = plan->port->ops;
	int code = 0;

	for (unsigned i = 0; i < FIXED_COUNT && code == 0; i++) {
		k->fd[part][i] = open_one(plan, part, i, follow, k->tid,
					  i == 0 ? -1 : k->fd[part][0]);
		if (k->fd[part][i] < 0)
			code = errno;
	}
	if (code == 0 &&
	    ops->ioctl(ops->self, k->fd[part][0], PERF_EVENT_IOC_ENABLE) != 0)
		code = errno;
	for (unsigned i = FIXED_COUNT; code != 0 && i-- > 0;) {
		if (k->fd[part][i] >= 0)
			ops->close(ops->self, k->fd[part][i]);
		k->fd[part][i] = -1;
	}
	return code;
}

/* 0, or the errno: a part that is absent is none, if another counts. */
static int
open_task(struct task *k, struct task_plan *plan, int32_t tid, bool follow)
{
	unsigned open = 0;
	int absent = 0;

	memset(k, 0, sizeof *k);
	memset(k->fd, -1, sizeof k->fd);
	k->tid = tid;
	for (unsigned p = 0; p < plan->nparts; p++) {
		int code = (plan->absent >> p & 1) == 0
				   ? open_part(k, plan, p, follow)
				   : ENOENT;

		if (code == 0) {
			open++;
		} else if (denied_is_absent(code)) {
			absent = code;
			plan->absent |= UINT32_C(1) << p;
		} else {
			close_task(k, plan);
			return code;
		}
	}
	return open > 0 ? 0 : absent;
}

static bool
make_room(struct task_set *t, unsigned n)
{
	struct task *more;

	if (n <= t->room)
		return true;
	more = realloc(t->task, n * sizeof *more);
	if (more == NULL)
		return false;
	t->task = more;
	t->room = n;
	return true;
}

static int
open_all(struct task_set *t, struct task_plan *plan, const int32_t *tid,
	 unsigned n, bool follow)
{
	int code = ESRCH;

	for (unsigned i = 0; i < n; i++) {
		code = open_task(&t->task[t->n], plan, tid[i], follow);
		if (code == 0)
			t->n++;
		else if (code != ESRCH) /* one that ended is no loss */
			break;
	}
	if (code != 0 && code != ESRCH)
		return code;
	return t->n > 0 ? 0 : ESRCH;
}

static void
count_files(struct task_set *t, const struct task_plan *plan)
{
	t->files = 0;
	for (unsigned i = 0; i < t->n; i++)
		for (unsigned p = 0; p < plan->nparts; p++)
			t->files += t->task[i].fd[p][0] >= 0 ? FIXED_COUNT : 0;
}

int
task_set_open(struct task_set *t, struct task_plan *plan, const int32_t *tid,
	      unsigned n, bool follow, uint64_t files)
{
	int code;

	t->n = t->failed = t->files = 0;
	t->late = false;
	t->flags = 0;
	t->ran_ns = 0;
	memset(&t->total, 0, sizeof t->total);
	if (task_set_files(plan, n) > files)
		return EMFILE;
	if (!make_room(t, n))
		return ENOMEM;
	group_rights(plan->port, true);
	code = open_all(t, plan, tid, n, follow);
	group_rights(plan->port, false);
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
has_task(const struct task_set *t, int32_t tid)
{
	for (unsigned i = 0; i < t->n; i++)
		if (t->task[i].tid == tid)
			return true;
	return false;
}

int
task_set_renew(struct task_set *t, struct task_plan *plan, const int32_t *tid,
	       unsigned n, uint64_t files)
{
	int code = 0;

	for (unsigned i = t->n; i-- > 0;)
		if (!is_among(t->task[i].tid, tid, n)) {
			close_task(&t->task[i], plan);
			t->task[i] = t->task[--t->n];
		}
	if (task_set_files(plan, n) > files)
		code = EMFILE;
	else if (!make_room(t, n))
		code = ENOMEM;
	group_rights(plan->port, true);
	for (unsigned i = 0; i < n && code == 0; i++)
		if (!has_task(t, tid[i])) {
			code = open_all(t, plan, &tid[i], 1, false);
			code = code == ESRCH ? 0 : code;
		}
	group_rights(plan->port, false);
	count_files(t, plan);
	return code;
}

void
task_set_close(struct task_set *t, const struct task_plan *plan)
{
	for (unsigned i = 0; i < t->n; i++)
		close_task(&t->task[i], plan);
	t->n = t->files = 0;
}

void
task_set_free(struct task_set *t)
{
	free(t->task);
	memset(t, 0, sizeof *t);
}

int
task_plan_try(struct task_plan *plan, int32_t tid)
{
	struct task k;
	int code;

	plan->absent = 0;
	plan->user_only = false;
	group_rights(plan->port, true);
	code = open_task(&k, plan, tid, true);
	if (code == EACCES) {
		plan->user_only = true;
		plan->absent = 0;
		code = open_task(&k, plan, tid, true);
	}
	group_rights(plan->port, false);
	if (code == 0)
		close_task(&k, plan);
	return code;
}

/* ---- reading ---- */

static bool
read_part(struct task *k, const struct task_plan *plan, unsigned part)
{
	const struct perf_ops *ops = plan->port->ops;
	struct {
		uint64_t nr, enabled, running;
		struct {
			uint64_t value, id;
		} event[FIXED_COUNT];
	} v;
	ssize_t n;

	do
		n = ops->read(ops->self, k->fd[part][0], &v, sizeof v);
	while (n < 0 && errno == EINTR);
	/* ECHILD: a thread's group is being made, or goes. */
	if (n < (ssize_t)sizeof v || v.nr != FIXED_COUNT)
		return false;
	k->now[part].enabled = v.enabled;
	k->now[part].running = v.running;
	for (unsigned i = 0; i < FIXED_COUNT; i++)
		k->now[part].value[i] = v.event[i].value;
	return true;
}

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

/* The longest that any group was enabled: the thread's time on CPUs. */
static uint64_t
enabled_of(const struct task *k, const struct task_plan *plan)
{
	uint64_t most = 0;

	for (unsigned p = 0; p < plan->nparts; p++) {
		uint64_t ns = grown(k->now[p].enabled, k->last[p].enabled);

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
		if (k->fd[p][0] < 0)
			continue;
		n++;
		waited += grown(grown(k->now[p].enabled, k->last[p].enabled),
				grown(k->now[p].running, k->last[p].running));
	}
	return n > 0 ? grown(waited, (n - 1) * enabled) : 0;
}

static double
factor_of(const struct task *k, const struct task_plan *plan, uint64_t enabled,
	  uint32_t *flags)
{
	uint64_t lost = lost_of(k, plan, enabled);

	if (lost < lost_least_ns || lost <= enabled / LOST_OF)
		return 1;
	if (plan->absent != 0 || lost >= enabled) {
		*flags |= PROCESS_PARTIAL;
		return 1;
	}
	*flags |= PROCESS_SCALED;
	return (double)enabled / (double)(enabled - lost);
}

static void
add_task(struct task_set *t, const struct task_plan *plan, struct task *k)
{
	uint64_t enabled = enabled_of(k, plan);
	double factor = factor_of(k, plan, enabled, &t->flags);

	for (unsigned p = 0; p < plan->nparts; p++) {
		const struct task_count *now = &k->now[p], *last = &k->last[p];
		struct process_part *part = &t->total.part[p];
		uint64_t n[FIXED_COUNT];

		for (unsigned i = 0; i < FIXED_COUNT; i++)
			n[i] = times(grown(now->value[i], last->value[i]),
				     factor);
		part->cycles += n[FIXED_CYCLES];
		part->instructions += n[FIXED_INSTRUCTIONS];
		part->cpu_ns +=
			times(grown(now->running, last->running), factor);
		t->total.cycles += n[FIXED_CYCLES];
		t->total.instructions += n[FIXED_INSTRUCTIONS];
		k->last[p] = *now;
	}
	t->ran_ns += enabled;
}

bool
task_set_read(struct task_set *t, const struct task_plan *plan)
{
	t->late = false;
	t->ran_ns = 0;
	t->flags = plan->absent != 0 ? PROCESS_PARTIAL : 0;
	for (unsigned i = 0; i < t->n; i++)
		for (unsigned p = 0; p < plan->nparts; p++)
			if (t->task[i].fd[p][0] >= 0 &&
			    !read_part(&t->task[i], plan, p))
				t->late = true;
	t->failed = t->late ? t->failed + 1 : 0;
	if (t->late)
		return false;
	for (unsigned i = 0; i < t->n; i++)
		add_task(t, plan, &t->task[i]);
	return true;
}
