#include "source/perf/task_set.h"

#include "source/perf/denied.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A thread that lost more than both shared its counters. */
static const uint64_t lost_least_ns = 100000;
enum { LOST_OF = 100 };

static unsigned
members(const struct task_plan *plan, unsigned part)
{
	return plan->traced ? plan->part[part].events.group.len : FIXED_COUNT;
}

static unsigned
what_of(const struct task_plan *plan, unsigned part, unsigned i)
{
	return plan->traced ? plan->part[part].events.group.member[i].what : i;
}

uint64_t
task_set_files(const struct task_plan *plan, unsigned n)
{
	uint64_t files = 0;

	for (unsigned p = 0; p < plan->nparts; p++)
		if ((plan->absent >> p & 1) == 0)
			files += members(plan, p);
	return files * n;
}

uint32_t
task_plan_slots(const struct task_plan *plan)
{
	uint32_t slots = plan->traced ? ~plan->off : 0;

	for (unsigned p = 0; p < plan->nparts; p++)
		if ((plan->absent >> p & 1) == 0)
			slots &= plan->part[p].events.slots;
	return slots;
}

/* ---- opening ---- */

static void
fill_attr(struct perf_event_attr *attr, const struct task_plan *plan,
	  unsigned part, unsigned which, bool follow)
{
	const struct group_plan *g = &plan->part[part].events.group;
	const struct perf_code *code = plan->traced
					       ? &g->member[which].code
					       : &plan->part[part].code[which];

	group_attr(attr, plan->port, code, which == 0);
	attr->exclude_kernel =
		plan->user_only ||
		(plan->traced && g->member[which].exclude_kernel);
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

/* Of a thread, with what it counts besides the pair; NULL: nothing. */
struct opening {
	struct task *k;
	struct task_more *more;
	unsigned part;
};

static int *
fd_of(const struct opening *o, unsigned i)
{
	return i < FIXED_COUNT ? &o->k->fd[o->part][i]
			       : &o->more->fd[o->part][i];
}

/* Siblings first: a group without its leader falls apart. */
static void
close_part(const struct opening *o, const struct perf_ops *ops)
{
	unsigned n = o->more != NULL ? GROUP_MAX : FIXED_COUNT;

	for (unsigned i = n; i-- > 0;) {
		int *fd = fd_of(o, i);

		if (*fd >= 0)
			ops->close(ops->self, *fd);
		*fd = -1;
	}
}

static struct task_more *
more_of(const struct task_set *t, unsigned i)
{
	return t->more != NULL ? &t->more[i] : NULL;
}

static void
close_task(struct task *k, struct task_more *more, const struct task_plan *plan)
{
	for (unsigned p = 0; p < plan->nparts; p++) {
		const struct opening o = { k, more, p };

		close_part(&o, plan->port->ops);
	}
}

/* What the kernel refuses of a slot alone is not counted from then on. */
static bool
is_refusal(int code)
{
	return code == EINVAL || code == E2BIG || denied_is_absent(code);
}

/*
 * 0, or the errno: none of this part is open then. *slot: the one that it is
 * about; or EVENTSET_MAX.
 */
static int
open_part(const struct opening *o, struct task_plan *plan, bool follow,
	  unsigned *slot)
{
	const struct perf_ops *ops = plan->port->ops;
	unsigned n = members(plan, o->part);
	int code = 0;

	*slot = EVENTSET_MAX;
	for (unsigned i = 0; i < n && code == 0; i++) {
		int *fd = fd_of(o, i);

		*fd = open_one(plan, o->part, i, follow, o->k->tid,
			       i == 0 ? -1 : *fd_of(o, 0));
		if (*fd >= 0)
			continue;
		code = errno;
		if (what_of(plan, o->part, i) >= GROUP_SLOT)
			*slot = what_of(plan, o->part, i) - GROUP_SLOT;
	}
	if (code == 0 &&
	    ops->ioctl(ops->self, *fd_of(o, 0), PERF_EVENT_IOC_ENABLE) != 0)
		code = errno;
	if (code != 0)
		close_part(o, ops);
	return code;
}

/* A slot counts on every kind of core, or on none. */
static void
leave_out(struct task_plan *plan, unsigned slot)
{
	plan->off |= UINT32_C(1) << slot;
	for (unsigned p = 0; p < plan->nparts; p++) {
		struct group_plan *g = &plan->part[p].events.group;
		unsigned n = 0;

		for (unsigned i = 0; i < g->len; i++)
			if (g->member[i].what != GROUP_SLOT + slot)
				g->member[n++] = g->member[i];
		g->len = n;
	}
}

/*
 * 0, or the errno: a part that is absent is none, if another counts. *slot as
 * above.
 */
static int
open_task(struct task *k, struct task_more *more, struct task_plan *plan,
	  int32_t tid, bool follow, unsigned *slot)
{
	unsigned open = 0;
	int absent = 0;

	memset(k, 0, sizeof *k);
	memset(k->fd, -1, sizeof k->fd);
	if (more != NULL) {
		memset(more, 0, sizeof *more);
		memset(more->fd, -1, sizeof more->fd);
	}
	k->tid = tid;
	for (unsigned p = 0; p < plan->nparts; p++) {
		const struct opening o = { k, more, p };
		int code = ENOENT;

		*slot = EVENTSET_MAX;
		if ((plan->absent >> p & 1) == 0)
			code = open_part(&o, plan, follow, slot);
		if (code == 0) {
			open++;
		} else if (denied_is_absent(code) && *slot == EVENTSET_MAX) {
			absent = code;
			plan->absent |= UINT32_C(1) << p;
		} else {
			close_task(k, more, plan);
			return code;
		}
	}
	return open > 0 ? 0 : absent;
}

static bool
room_for_tasks(struct task_set *t, unsigned n)
{
	struct task *task;

	if (n <= t->room)
		return true;
	task = realloc(t->task, n * sizeof *task);
	if (task == NULL)
		return false;
	t->task = task;
	t->room = n;
	return true;
}

static bool
room_for_more(struct task_set *t, unsigned n)
{
	struct task_more *more;

	if (n <= t->more_room)
		return true;
	more = realloc(t->more, n * sizeof *more);
	if (more == NULL)
		return false;
	t->more = more;
	t->more_room = n;
	return true;
}

/* What nothing is open in any more is of no use where the pair is all. */
static bool
make_room(struct task_set *t, const struct task_plan *plan, unsigned n)
{
	if (!plan->traced && t->n == 0) {
		free(t->more);
		t->more = NULL;
		t->more_room = 0;
	}
	return room_for_tasks(t, n) && (!plan->traced || room_for_more(t, n));
}

static int
open_all(struct task_set *t, struct task_plan *plan, const int32_t *tid,
	 unsigned n, bool follow)
{
	unsigned slot;
	int code = ESRCH;

	for (unsigned i = 0; i < n; i++) {
		code = open_task(&t->task[t->n], more_of(t, t->n), plan, tid[i],
				 follow, &slot);
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
			t->files +=
				t->task[i].fd[p][0] >= 0 ? members(plan, p) : 0;
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
			close_task(&t->task[i], more_of(t, i), plan);
			t->task[i] = t->task[--t->n];
			if (t->more != NULL)
				t->more[i] = t->more[t->n];
		}
	if (task_set_files(plan, n) > files)
		code = EMFILE;
	else if (!make_room(t, plan, n))
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
		close_task(&t->task[i], more_of(t, i), plan);
	t->n = t->files = 0;
}

void
task_set_free(struct task_set *t)
{
	free(t->task);
	free(t->more);
	memset(t, 0, sizeof *t);
}

/* Slots that are refused are left out, one after the other. */
static int
try_slots(struct task_plan *plan, int32_t tid)
{
	struct task k;
	struct task_more more;
	unsigned slot;
	int code;

	plan->absent = 0;
	do {
		code = open_task(&k, &more, plan, tid, true, &slot);
		if (code == 0)
			close_task(&k, &more, plan);
		else if (slot < EVENTSET_MAX && is_refusal(code))
			leave_out(plan, slot);
	} while (code != 0 && slot < EVENTSET_MAX && is_refusal(code));
	return code;
}

int
task_plan_try(struct task_plan *plan, int32_t tid)
{
	int code;

	plan->user_only = false;
	group_rights(plan->port, true);
	code = try_slots(plan, tid);
	if (code == EACCES) {
		plan->user_only = true;
		code = try_slots(plan, tid);
	}
	group_rights(plan->port, false);
	return code;
}

/* ---- reading ---- */

static void
take_value(struct task *k, struct task_more *more, unsigned part, unsigned what,
	   uint64_t value)
{
	if (what < FIXED_COUNT)
		k->now[part].value[what] += value;
	else if (more != NULL)
		more->now[part][what - GROUP_SLOT] += value;
}

static bool
read_part(struct task *k, struct task_more *more, const struct task_plan *plan,
	  unsigned part)
{
	const struct perf_ops *ops = plan->port->ops;
	unsigned len = members(plan, part);
	struct {
		uint64_t nr, enabled, running;
		struct {
			uint64_t value, id;
		} event[GROUP_MAX];
	} v;
	ssize_t n;

	do
		n = ops->read(ops->self, k->fd[part][0], &v, sizeof v);
	while (n < 0 && errno == EINTR);
	/* ECHILD: a thread's group is being made, or goes. */
	if (n < (ssize_t)((3 + 2 * len) * sizeof(uint64_t)) || v.nr != len)
		return false;
	k->now[part] = (struct task_count){ v.enabled, v.running, { 0 } };
	if (more != NULL)
		memset(more->now[part], 0, sizeof more->now[part]);
	for (unsigned i = 0; i < len; i++)
		take_value(k, more, part, what_of(plan, part, i),
			   v.event[i].value);
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

/* As they are, for what is divided by one another. */
static void
add_counts(struct task_counts *c, const struct task_plan *plan,
	   const struct task *k, struct task_more *more, unsigned part)
{
	const struct task_events *events = &plan->part[part].events;
	const struct task_count *now = &k->now[part], *last = &k->last[part];
	uint64_t cycles =
		grown(now->value[FIXED_CYCLES], last->value[FIXED_CYCLES]);

	c->cycles += cycles;
	c->instructions += grown(now->value[FIXED_INSTRUCTIONS],
				 last->value[FIXED_INSTRUCTIONS]);
	for (unsigned i = 0; i < EVENTSET_MAX; i++) {
		c->slot[i] += cycles * events->cycles[i] +
			      grown(more->now[part][i], more->last[part][i]) *
				      events->factor[i];
		more->last[part][i] = more->now[part][i];
	}
}

static void
add_part(struct task_set *t, struct task *k, unsigned p, double factor)
{
	const struct task_count *now = &k->now[p], *last = &k->last[p];
	struct process_part *part = &t->total.part[p];
	uint64_t n[FIXED_COUNT];

	for (unsigned i = 0; i < FIXED_COUNT; i++)
		n[i] = times(grown(now->value[i], last->value[i]), factor);
	part->cycles += n[FIXED_CYCLES];
	part->instructions += n[FIXED_INSTRUCTIONS];
	part->cpu_ns += times(grown(now->running, last->running), factor);
	t->total.cycles += n[FIXED_CYCLES];
	t->total.instructions += n[FIXED_INSTRUCTIONS];
}

static void
add_task(struct task_set *t, const struct task_plan *plan, struct task *k,
	 struct task_more *more)
{
	uint64_t enabled = enabled_of(k, plan);
	double factor = factor_of(k, plan, enabled, &t->flags);

	t->counts.ran_ns += enabled;
	t->counts.lost_ns += lost_of(k, plan, enabled);
	for (unsigned p = 0; p < plan->nparts; p++) {
		add_part(t, k, p, factor);
		if (plan->traced)
			add_counts(&t->counts, plan, k, more, p);
		k->last[p] = k->now[p];
	}
	t->ran_ns += enabled;
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
	for (unsigned i = 0; i < t->n; i++)
		for (unsigned p = 0; p < plan->nparts; p++)
			if (t->task[i].fd[p][0] >= 0 &&
			    !read_part(&t->task[i], more_of(t, i), plan, p))
				t->late = true;
	t->failed = t->late ? t->failed + 1 : 0;
	if (t->late)
		return false;
	for (unsigned i = 0; i < t->n; i++)
		add_task(t, plan, &t->task[i], more_of(t, i));
	if (t->ran_ns > 0) /* what slept stays as it is */
		t->starved = is_starved(t->ran_ns,
					t->counts.lost_ns - before.lost_ns);
	return true;
}
