#include "stat/linux/task.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options/user.h"
#include "source/perf/state.h"
#include "source/source.h"

#define ALL_OF_IT 0.99 /* running / enabled that needs no scaling */

const uint64_t counter_rss_bytes = 1024;

enum {
	WHAT_TIME,
	WHAT_CYCLES,
	WHAT_INSTRUCTIONS,
	WHAT_EVENT,
	WHATS = WHAT_EVENT + COUNTER_EVENTS,
	KINDS = PROCESS_PARTS,
	THREADS_MAX = 4096
};

/* As read(2) of a perf event returns it. */
struct task_count {
	uint64_t count, enabled, running;
};

struct task_fd {
	int fd;
	unsigned char what, kind;
	struct task_count before; /* values when counting began */
};

struct task_values {
	struct task_value v[WHATS][KINDS];
};

struct task_counter {
	struct counter counter;
	struct group_port port;
	struct topology *topology;
	struct perf_catalog catalog;
	const struct event *event[COUNTER_EVENTS];
	unsigned nkinds;
	unsigned kind[KINDS]; /* indices in catalog.kind of kinds with a PMU */
	bool hardware, user_only;
	bool nothing;
	int32_t pid;
	unsigned n, room;
	struct task_fd *fd;
};

static const struct perf_code task_clock = { .type = PERF_TYPE_SOFTWARE,
					     .config =
						     PERF_COUNT_SW_TASK_CLOCK };

/* at_exec: count from the task's exec on, with all children. Only hardware
 * events and the task clock can be limited to user mode. */
static int
open_event(struct task_counter *c, const struct perf_code *code, int32_t task,
	   int leader, bool at_exec)
{
	bool user_only = c->user_only && (code == &task_clock ||
					  code->type != PERF_TYPE_SOFTWARE);
	const struct group_target target = { .cpu = -1,
					     .tid = task,
					     .user_only = user_only,
					     .tree = true,
					     .at_exec = at_exec };

	return group_open_event(&c->port, code, &target, leader);
}

static bool
task_keep(struct task_counter *c, int fd, unsigned what, unsigned kind)
{
	if (fd < 0)
		return false;
	if (c->n == c->room) {
		unsigned room = c->room > 0 ? 2 * c->room : 32;
		struct task_fd *more = realloc(c->fd, room * sizeof *more);

		if (more == NULL) {
			c->port.ops->close(c->port.ops->self, fd);
			errno = ENOMEM;
			return false;
		}
		c->fd = more;
		c->room = room;
	}
	c->fd[c->n++] = (struct task_fd){ .fd = fd,
					  .what = (unsigned char)what,
					  .kind = (unsigned char)kind };
	return true;
}

/* If the leader's group cannot take the event, the event is alone. */
static void
open_member(struct task_counter *c, const struct perf_code *code, int32_t task,
	    int leader, bool at_exec, unsigned what, unsigned kind)
{
	int fd = open_event(c, code, task, leader, at_exec);

	if (fd < 0 && leader >= 0)
		fd = open_event(c, code, task, -1, at_exec);
	(void)task_keep(c, fd, what, kind);
}

static void
task_explain(struct task_counter *c, const char *why)
{
	if (c->counter.why[0] == '\0')
		snprintf(
			c->counter.why, sizeof c->counter.why,
			"Cycles and instructions are not counted of every run: %s",
			why);
}

static const struct perf_event_code *
task_code(const struct task_counter *c, unsigned event, unsigned kind)
{
	return perf_catalog_code(&c->catalog, c->event[event], c->kind[kind]);
}

static void
open_user_event(struct task_counter *c, unsigned i, unsigned kind, int32_t task,
		int leader, bool at_exec)
{
	const struct perf_event_code *code = task_code(c, i, kind);
	bool software = code->how == LINUX_SOFTWARE;

	/* Software events are the same on each kind of core. */
	if (!code->known || (software && kind > 0) ||
	    code->how == LINUX_CYCLES_TIMES || code->how == LINUX_NOTHING ||
	    code->how == LINUX_SLOTS_SUM)
		return;
	if (code->leader || code->summed || software)
		leader = -1;
	open_member(c, &code->code, task, leader, at_exec, WHAT_EVENT + i,
		    kind);
	if (code->summed)
		open_member(c, &code->more, task, -1, at_exec, WHAT_EVENT + i,
			    kind);
}

static int
open_task(struct task_counter *c, int32_t task, bool at_exec)
{
	if (!task_keep(c, open_event(c, &task_clock, task, -1, at_exec),
		       WHAT_TIME, 0))
		return errno;
	for (unsigned k = 0; k < c->nkinds; k++) {
		const struct perf_kind *kind = &c->catalog.kind[c->kind[k]];
		int leader = -1;

		if (c->hardware)
			leader =
				open_event(c, &kind->cycles, task, -1, at_exec);
		if (c->hardware && leader < 0)
			task_explain(c, strerror(errno));
		if (task_keep(c, leader, WHAT_CYCLES, k))
			open_member(c, &kind->instructions, task, leader,
				    at_exec, WHAT_INSTRUCTIONS, k);
		for (unsigned i = 0; i < c->counter.nevents; i++)
			open_user_event(c, i, k, task, leader, at_exec);
	}
	return 0;
}

static void
detach(struct counter *counter)
{
	struct task_counter *c = (struct task_counter *)counter;

	/* In reverse order: a group's leader was opened first and is closed
	 * last. */
	while (c->n > 0)
		c->port.ops->close(c->port.ops->self, c->fd[--c->n].fd);
}

static int
open_threads(struct task_counter *c, int32_t pid)
{
	char path[64];
	int error = ESRCH;
	struct dirent *d;
	DIR *dir;

	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	dir = opendir(path);
	if (dir == NULL)
		return ESRCH;
	for (unsigned n = 0; n < THREADS_MAX && (d = readdir(dir)) != NULL;) {
		int32_t task = (int32_t)strtol(d->d_name, NULL, 10);

		if (task <= 0)
			continue;
		int code = open_task(c, task, false);

		/* The thread may have ended meanwhile. */
		if (code != 0 && code != ESRCH) {
			error = code;
			break;
		}
		n += code == 0;
		error = n > 0 ? 0 : error;
	}
	(void)closedir(dir);
	for (unsigned i = 0; error == 0 && i < c->n; i++)
		c->port.ops->ioctl(c->port.ops->self, c->fd[i].fd,
				   PERF_EVENT_IOC_ENABLE);
	return error;
}

static bool
attach(struct counter *counter, int32_t pid, bool at_exec, struct err *e)
{
	struct task_counter *c = (struct task_counter *)counter;
	int code;

	c->pid = pid;
	code = at_exec ? open_task(c, pid, true) : open_threads(c, pid);
	/* A command's times are known even without counts. */
	if (code == 0 || at_exec)
		return true;
	detach(counter);
	if (c->nothing && code != ESRCH)
		return err_set(e, ERR_PERM, "process %d cannot be counted: %s",
			       (int)pid, counter->why);
	return counter_refused(pid, code, e);
}

/* A zombie has ended, even if its parent has not waited for it yet. */
static bool
task_has_ended(const struct task_counter *c)
{
	char path[64], text[512];
	const char *state;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)c->pid);
	if (!sysfs_text(NULL, path, text, sizeof text))
		return true;
	state = strrchr(text, ')');
	return state != NULL && state[1] == ' ' &&
	       (state[2] == 'Z' || state[2] == 'X');
}

static bool
task_read_fd(const struct task_counter *c, int fd, struct task_count *out)
{
	return c->port.ops->read(c->port.ops->self, fd, out, sizeof *out) ==
	       (ssize_t)sizeof *out;
}

static void
begin(struct counter *counter)
{
	struct task_counter *c = (struct task_counter *)counter;

	for (unsigned i = 0; i < c->n; i++)
		if (!task_read_fd(c, c->fd[i].fd, &c->fd[i].before))
			c->fd[i].before = (struct task_count){ 0 };
}

static uint64_t
task_grown(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

static void
task_add_all(const struct task_counter *c, struct task_values *values)
{
	for (unsigned i = 0; i < c->n; i++) {
		struct task_value *to =
			&values->v[c->fd[i].what][c->fd[i].kind];
		const struct task_count *before = &c->fd[i].before;
		struct task_count now;

		if (!task_read_fd(c, c->fd[i].fd, &now))
			continue;
		to->open = true;
		to->count += task_grown(now.count, before->count);
		to->enabled += task_grown(now.enabled, before->enabled);
		to->running += task_grown(now.running, before->running);
	}
}

bool
task_sum(const struct task_value *kind, unsigned nkinds, double *count,
	 double *factor)
{
	uint64_t running = 0, enabled = 0;

	*count = 0;
	*factor = 1;
	for (unsigned k = 0; k < nkinds; k++) {
		*count += (double)kind[k].count;
		running += kind[k].running;
		if (kind[k].enabled > enabled)
			enabled = kind[k].enabled;
	}
	if (running == 0)
		return enabled == 0; /* never enabled: the count 0 is right */
	if ((double)running < ALL_OF_IT * (double)enabled)
		*factor = (double)enabled / (double)running;
	*count *= *factor;
	return true;
}

static void
task_find_parts(const struct task_counter *c, const struct task_values *values,
		double factor, struct counter_reading *out)
{
	out->known |= PROCESS_HAS_PARTS | PROCESS_HAS_PART_TIMES;
	for (unsigned k = 0; k < c->nkinds; k++) {
		struct process_part *p = &out->total.part[k];

		p->cycles = (uint64_t)(factor *
				       (double)values->v[WHAT_CYCLES][k].count);
		p->instructions =
			(uint64_t)(factor *
				   (double)values->v[WHAT_INSTRUCTIONS][k]
					   .count);
		p->cpu_ns =
			(uint64_t)(factor *
				   (double)values->v[WHAT_CYCLES][k].running);
	}
}

static void
task_find_pair(struct task_counter *c, const struct task_values *values,
	       struct counter_reading *out)
{
	double cycles, instructions, factor;
	bool all = c->hardware;

	for (unsigned k = 0; k < c->nkinds; k++)
		all = all && values->v[WHAT_CYCLES][k].open &&
		      values->v[WHAT_INSTRUCTIONS][k].open;
	if (!all)
		return;
	if (!task_sum(values->v[WHAT_INSTRUCTIONS], c->nkinds, &instructions,
		      &factor) ||
	    !task_sum(values->v[WHAT_CYCLES], c->nkinds, &cycles, &factor)) {
		task_explain(c, "other programs use the counters all the time");
		return;
	}
	out->known |= PROCESS_HAS_COUNTS;
	out->total.cycles = (uint64_t)cycles;
	out->total.instructions = (uint64_t)instructions;
	if (factor > 1)
		out->flags |= PROCESS_SCALED;
	if (c->nkinds > 1)
		task_find_parts(c, values, factor, out);
}

/* Sums over the kinds of core. NAN: not counted, or unknown on some kind. */
static double
task_find_event(const struct task_counter *c, const struct task_values *values,
		unsigned i, struct counter_reading *out)
{
	struct task_value of[KINDS];
	unsigned n = 0;
	double count, factor;

	for (unsigned k = 0; k < c->nkinds; k++) {
		const struct perf_event_code *code = task_code(c, i, k);
		bool cycles = code->how == LINUX_CYCLES_TIMES;

		if (code->how == LINUX_SOFTWARE && k > 0)
			continue;
		if (!code->known)
			return NAN;
		of[n] = code->how == LINUX_NOTHING || cycles
				? values->v[WHAT_CYCLES][k]
				: values->v[WHAT_EVENT + i][k];
		if (!of[n].open)
			return NAN;
		if (code->how == LINUX_NOTHING)
			of[n].count = 0;
		else if (code->factor != 0)
			of[n].count *= code->factor;
		if (code->summed) {
			of[n].enabled /= 2;
			of[n].running /= 2;
		}
		n++;
	}
	if (n == 0 || !task_sum(of, n, &count, &factor))
		return NAN;
	if (factor > 1)
		out->flags |= PROCESS_SCALED;
	return count;
}

static bool
read_task(struct counter *counter, struct counter_reading *out)
{
	struct task_counter *c = (struct task_counter *)counter;
	struct task_values values = { .v[0][0].open = false };

	*out = (struct counter_reading){ .cpu_s = NAN };
	task_add_all(c, &values);
	if (c->n == 0)
		return false;
	out->ended = task_has_ended(c);
	if (values.v[WHAT_TIME][0].open)
		out->cpu_s = 1e-9 * (double)values.v[WHAT_TIME][0].count;
	task_find_pair(c, &values, out);
	for (unsigned i = 0; i < counter->nevents; i++)
		out->event[i] = task_find_event(c, &values, i, out);
	return true;
}

static void
close_task(struct counter *counter)
{
	struct task_counter *c = (struct task_counter *)counter;

	detach(counter);
	perf_catalog_free(&c->catalog);
	topology_free(c->topology);
	free(c->fd);
	free(c);
}

static const struct counter_ops task_counter_ops = {
	.attach = attach,
	.begin = begin,
	.read = read_task,
	.detach = detach,
	.close = close_task,
};

static void
name_kinds(struct task_counter *c)
{
	struct process_parts *p = &c->counter.parts;

	for (unsigned k = 0; k < c->catalog.nkinds; k++) {
		const struct perf_kind *kind = &c->catalog.kind[k];
		const char *letter = c->topology->kind[k].letter;
		unsigned at = 0;

		while (at < c->nkinds &&
		       c->catalog.kind[c->kind[at]].pmu.type != kind->pmu.type)
			at++;
		if (!kind->counts || at == KINDS)
			continue;
		if (at < c->nkinds) { /* one PMU counts on both kinds */
			size_t n = strlen(p->label[at]);

			snprintf(p->label[at] + n, sizeof p->label[0] - n,
				 "+%s", letter);
			p->kind[at] = -1;
			continue;
		}
		snprintf(p->label[at], sizeof p->label[0], "%s", letter);
		p->kind[at] = (int)k;
		c->kind[c->nkinds++] = k;
	}
	if (c->nkinds == 0) /* sysfs does not list this PMU */
		c->nkinds = 1;
	p->n = c->nkinds > 1 ? c->nkinds : 0;
}

/* Tries to count ktop itself, to learn whether there is a PMU and whether
 * kernel mode may be counted. */
static void
task_try_events(struct task_counter *c, const char *root)
{
	struct counter *to = &c->counter;
	struct err why = { ERR_NONE, "" };
	int fd;

	errno = ENOENT;
	fd = c->catalog.nkinds == 0
		     ? -1
		     : open_event(c, &c->catalog.kind[c->kind[0]].cycles, 0, -1,
				  false);
	if (fd < 0 && errno == EACCES && !c->user_only) {
		c->user_only = true;
		fd = open_event(c, &c->catalog.kind[c->kind[0]].cycles, 0, -1,
				false);
		if (fd >= 0)
			snprintf(
				to->why, sizeof to->why,
				"Work in the kernel is not counted: perf_event_paranoid is 2 or more; set sysctl kernel.perf_event_paranoid=1 to count it");
	}
	if (fd >= 0) {
		c->port.ops->close(c->port.ops->self, fd);
		c->hardware = true;
		to->domain = c->user_only ? DOMAIN_USER : DOMAIN_ALL;
		return;
	}
	(void)permission_explain(root, errno, &why);
	snprintf(to->why, sizeof to->why, "%.*s", source_why_bytes(&why),
		 why.text);
	if (to->why[0] == 'N') /* in counter.why the text follows a colon */
		to->why[0] = 'n';
	/* Software events need no PMU. */
	fd = open_event(c, &task_clock, 0, -1, false);
	if (fd < 0) {
		c->user_only = true;
		fd = open_event(c, &task_clock, 0, -1, false);
	}
	if (fd >= 0)
		c->port.ops->close(c->port.ops->self, fd);
	c->nothing = fd < 0;
}

/* Lists the events of --events, or of a --preset on the command line. */
static bool
task_list_events(const struct task_counter *c, const struct options *o,
		 const struct event *event[EVENTSET_MAX], unsigned *n,
		 struct err *e)
{
	const struct catalog *all = &c->catalog.catalog;
	struct eventset set;

	*n = 0;
	if (o->source.events != NULL)
		return user_find_events(all, o->source.events, event, n, e);
	if (!counter_has_preset(o))
		return true;
	if (!user_preset_derive(&o->user, o->preset, all, c->counter.domain,
				&set, e))
		return false;
	for (; *n < set.len; (*n)++)
		event[*n] = set.slot[*n].event;
	return true;
}

static bool
task_find_events(struct task_counter *c, const struct options *o, struct err *e)
{
	const struct event *event[EVENTSET_MAX];
	unsigned n;

	if (!task_list_events(c, o, event, &n, e))
		return false;
	if (n > COUNTER_EVENTS)
		return err_set(e, ERR_USAGE, "stat counts at most %d events",
			       COUNTER_EVENTS);
	for (unsigned i = 0; i < n; i++) {
		c->event[i] = event[i];
		snprintf(c->counter.event[i], COUNTER_NAME_SIZE, "%s",
			 event[i]->name);
	}
	c->counter.nevents = n;
	return true;
}

struct counter *
counter_task_open_with(const struct options *o, const struct perf_ops *ops,
		       struct err *e)
{
	struct task_counter *c = calloc(1, sizeof *c);
	const struct perf_catalog_options with = { .root = o->source.root,
						   .user_only =
							   o->source.user_only,
						   .events = o->source.events };

	if (c == NULL)
		return err_null(e, ERR_FAIL, "out of memory");
	c->port.ops = ops;
	c->user_only = o->source.user_only;
	c->counter.ops = &task_counter_ops;
	c->counter.clock = clock_system();
	c->counter.tree = true;
	c->topology = topology_linux(o->source.root, e);
	if (c->topology == NULL ||
	    !perf_catalog_build(&c->catalog, c->topology, &with, e)) {
		topology_free(c->topology);
		free(c);
		return NULL;
	}
	name_kinds(c);
	task_try_events(c, o->source.root);
	if (task_find_events(c, o, e))
		return &c->counter;
	close_task(&c->counter);
	return NULL;
}

struct counter *
counter_open(const struct options *o, struct err *e)
{
	struct count_permission rights;

	if (o->source.sim != NULL)
		return counter_sim_open(o, e);
	permission_read(NULL, &rights);
	uint64_t right = permission_capability(&rights);

	if (right != 0)
		perf_ops_system()->rights(NULL, right, true);
	return counter_task_open_with(o, perf_ops_system(), e);
}
