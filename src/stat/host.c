#include "stat/stat.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim.h"
#include "source/kperf/host.h"

/* macOS has no sum for the processes that a command starts, so each of them is
 * read at intervals. Work after a process's last reading is lost. */
enum { PIDS = 131072, LIST_MAX = 8192 }; /* pids of macOS are below 100000 */

struct known {
	uint32_t look;
	bool ours;
};

struct seen {
	int32_t pid;
	struct host_usage last;
};

struct tree {
	const struct host_api *host;
	int32_t root;
	uint32_t look;
	struct known known[PIDS];
	int32_t list[LIST_MAX];
	unsigned n, room;
	struct seen *seen;
};

/* NULL: the host cannot list processes, or out of memory. */
static struct tree *
tree_new(const struct host_api *host, int32_t root)
{
	struct tree *t;

	if (host->proc_list == NULL || host->proc_short == NULL)
		return NULL;
	t = calloc(1, sizeof *t);
	if (t == NULL)
		return NULL;
	t->host = host;
	t->root = root;
	return t;
}

static void
tree_free(struct tree *t)
{
	if (t != NULL)
		free(t->seen);
	free(t);
}

static bool
tree_has(const struct tree *t, int32_t pid)
{
	return pid == t->root || (pid > 0 && pid < PIDS && t->known[pid].ours);
}

static struct seen *
tree_find_seen(struct tree *t, int32_t pid, uint64_t start)
{
	for (unsigned i = t->n; i-- > 0;)
		if (t->seen[i].pid == pid &&
		    t->seen[i].last.start_abstime == start)
			return &t->seen[i];
	if (t->n == t->room) {
		unsigned room = t->room > 0 ? 2 * t->room : 64;
		struct seen *more = realloc(t->seen, room * sizeof *more);

		if (more == NULL)
			return NULL;
		t->seen = more;
		t->room = room;
	}
	t->seen[t->n].pid = pid;
	return &t->seen[t->n++];
}

static void
tree_note(struct tree *t, int32_t pid)
{
	struct host_usage now = { .flavor = 0 };
	struct seen *s;

	if (t->host->proc_usage(pid, &now) != 0)
		return;
	s = tree_find_seen(t, pid, now.start_abstime);
	if (s != NULL)
		s->last = now;
}

static void
tree_look(struct tree *t)
{
	int n = t->host->proc_list(t->list, LIST_MAX);

	t->look++;
	/* The list is newest first: visit parents before children. */
	for (int i = n; i-- > 0;) {
		int32_t pid = t->list[i];
		struct host_proc p = { .ppid = -1 };

		if (pid <= 0 || pid >= PIDS || pid == t->root)
			continue;
		/* Look at the parent only once: an orphan gets another one. */
		if (t->known[pid].look + 1 != t->look || t->look == 1)
			t->known[pid].ours =
				t->host->proc_short(pid, &p) == 0 &&
				tree_has(t, p.ppid);
		t->known[pid].look = t->look;
		if (t->known[pid].ours)
			tree_note(t, pid);
	}
}

/* Adds the totals of all processes seen to *sum; returns their number. t may be
 * NULL. */
static unsigned
tree_sum(const struct tree *t, struct host_usage *sum)
{
	for (unsigned i = 0; t != NULL && i < t->n; i++) {
		const struct host_usage *u = &t->seen[i].last;

		sum->user_time += u->user_time;
		sum->system_time += u->system_time;
		sum->instructions += u->instructions;
		sum->cycles += u->cycles;
		sum->user_ptime += u->user_ptime;
		sum->system_ptime += u->system_ptime;
		sum->pinstructions += u->pinstructions;
		sum->pcycles += u->pcycles;
		sum->energy_nj += u->energy_nj;
		sum->penergy_nj += u->penergy_nj;
	}
	return t != NULL ? t->n : 0;
}

enum { LOOK_NS = 20 * 1000 * 1000 };
enum { FLAVOR_P = 6 }; /* RUSAGE_INFO_V6 has the part on the first kind */

struct host_counter {
	struct counter counter;
	const struct host_api *host;
	bool started; /* close_host must stop the simulation */
	int32_t pid;
	struct host_usage base;
	struct tree *tree; /* NULL: children are not counted */
	uint32_t numer, denom;
};

/* Names the first kind of core, and all other kinds together. */
static void
host_name_parts(struct host_counter *c)
{
	const struct host_api *host = c->host;
	uint64_t levels = host_number_or(host, "hw.nperflevels", 1);
	struct process_parts *p = &c->counter.parts;
	char name[32];

	if (levels < 2)
		return;
	if (!host_text(host, "hw.perflevel0.name", name, sizeof name))
		name[0] = 'P';
	p->n = 2;
	snprintf(p->label[0], sizeof p->label[0], "%c", name[0]);
	p->kind[0] = 0;
	p->kind[1] = levels == 2 ? 1 : -1;
	if (levels == 2 &&
	    host_text(host, "hw.perflevel1.name", name, sizeof name))
		snprintf(p->label[1], sizeof p->label[1], "%c", name[0]);
	else
		snprintf(p->label[1], sizeof p->label[1], "not %c",
			 p->label[0][0]);
}

static uint64_t
host_ticks_ns(const struct host_counter *c, uint64_t ticks)
{
	return (uint64_t)((double)ticks * c->numer / c->denom + 0.5);
}

static uint64_t
counts_grown(uint64_t now, uint64_t base)
{
	return now > base ? now - base : 0;
}

static void
host_find_parts(const struct host_counter *c, const struct host_usage *u,
		struct counter_reading *out)
{
	const struct host_usage *b = &c->base;
	struct process_totals *t = &out->total;
	struct process_part *p = &t->part[0], *rest = &t->part[1];

	out->known |= PROCESS_HAS_PARTS | PROCESS_HAS_PART_TIMES |
		      PROCESS_HAS_PART_ENERGY;
	*p = (struct process_part){
		.cycles = counts_grown(u->pcycles, b->pcycles),
		.instructions =
			counts_grown(u->pinstructions, b->pinstructions),
		.cpu_ns = host_ticks_ns(
			c, counts_grown(u->user_ptime + u->system_ptime,
					b->user_ptime + b->system_ptime)),
		.energy_nj = counts_grown(u->penergy_nj, b->penergy_nj),
	};
	*rest = (struct process_part){
		.cycles = counts_grown(t->cycles, p->cycles),
		.instructions = counts_grown(t->instructions, p->instructions),
		.cpu_ns = counts_grown(t->user_ns + t->system_ns, p->cpu_ns),
		.energy_nj = counts_grown(t->energy_nj, p->energy_nj),
	};
}

static bool
read_usage(struct counter *counter, struct counter_reading *out)
{
	struct host_counter *c = (struct host_counter *)counter;
	const struct host_usage *b = &c->base;
	struct host_usage u = { .flavor = 0 };

	*out = (struct counter_reading){ .cpu_s = NAN };
	if (c->host->proc_usage(c->pid, &u) != 0) {
		/* ktop may not read the usage of a set-user-ID program such as
		 * sudo. */
		if (errno == EPERM)
			snprintf(
				counter->why, sizeof counter->why,
				"Cycles and instructions are not counted of every run: the command became another user's");
		return false;
	}
	/* The pid was reused by another process. */
	if (u.start_abstime != b->start_abstime)
		return false;
	out->ended = u.exit_abstime != 0;
	counter->others = tree_sum(c->tree, &u);
	out->known = PROCESS_HAS_TIMES;
	out->total.user_ns =
		host_ticks_ns(c, counts_grown(u.user_time, b->user_time));
	out->total.system_ns =
		host_ticks_ns(c, counts_grown(u.system_time, b->system_time));
	out->cpu_s = 1e-9 * (double)(out->total.user_ns + out->total.system_ns);
	/* A virtual machine counts no cycles. */
	if (u.cycles == 0) {
		if (u.user_time > 0)
			snprintf(
				counter->why, sizeof counter->why,
				"Cycles and instructions are not counted: this Mac has no counters of processes, as virtual machines");
		return true;
	}
	out->known |= PROCESS_HAS_COUNTS;
	out->total.cycles = counts_grown(u.cycles, b->cycles);
	out->total.instructions = counts_grown(u.instructions, b->instructions);
	if (u.flavor < FLAVOR_P)
		return true;
	/* Intel Macs report no energy per process, and have one kind of core.
	 */
	if (u.energy_nj > 0) {
		out->known |= PROCESS_HAS_ENERGY;
		out->total.energy_nj = counts_grown(u.energy_nj, b->energy_nj);
	}
	if (c->counter.parts.n > 1)
		host_find_parts(c, &u, out);
	return true;
}

static bool
attach(struct counter *counter, int32_t pid, bool at_exec, struct err *e)
{
	struct host_counter *c = (struct host_counter *)counter;

	c->pid = pid;
	counter->others = 0;
	/* Simulated processes are not ktop's children. */
	if (at_exec && !c->host->simulated)
		c->tree = tree_new(c->host, pid);
	if (c->host->proc_usage(pid, &c->base) == 0) {
		/* Before macOS 13, counts of kinds of core are unknown. */
		if (c->base.flavor < FLAVOR_P)
			counter->parts.n = 0;
		counter->before_user_s =
			1e-9 * (double)host_ticks_ns(c, c->base.user_time);
		counter->before_system_s =
			1e-9 * (double)host_ticks_ns(c, c->base.system_time);
		return true;
	}
	return counter_refused(pid, errno, e);
}

static void
begin(struct counter *counter)
{
	struct host_counter *c = (struct host_counter *)counter;
	struct host_usage u = { .flavor = 0 };

	if (c->host->proc_usage(c->pid, &u) == 0 &&
	    u.start_abstime == c->base.start_abstime)
		c->base = u;
}

static void
detach(struct counter *counter)
{
	struct host_counter *c = (struct host_counter *)counter;

	tree_free(c->tree);
	c->tree = NULL;
}

static void
tree_read_each(struct counter *counter)
{
	struct host_counter *c = (struct host_counter *)counter;

	if (c->tree != NULL)
		tree_look(c->tree);
}

static void
close_host(struct counter *counter)
{
	struct host_counter *c = (struct host_counter *)counter;

	detach(counter);
	if (c->started)
		sim_stop();
	free(c);
}

static const struct counter_ops host_ops = {
	.attach = attach,
	.begin = begin,
	.read = read_usage,
	.detach = detach,
	.close = close_host,
	.look = tree_read_each,
};

struct counter *
counter_host_open(const struct host_api *host, struct err *e)
{
	struct host_counter *c;

	if (host->proc_usage == NULL)
		return counter_none_open(
			"this machine has no counters of single processes", e);
	c = calloc(1, sizeof *c);
	if (c == NULL)
		return err_null(e, ERR_FAIL, "out of memory");
	c->host = host;
	c->numer = c->denom = 1;
	c->counter.ops = &host_ops;
	c->counter.clock = &host->clock;
	c->counter.domain = DOMAIN_ALL;
	c->counter.simulated = host->simulated;
	c->counter.look_ns = host->simulated ? 0 : LOOK_NS;
	c->counter.text = host->text;
	if (host->timebase != NULL)
		host->timebase(&c->numer, &c->denom);
	host_name_parts(c);
	return &c->counter;
}

struct counter *
counter_sim_open(const struct options *o, struct err *e)
{
	bool ours = !sim_is_on();

	if (ours && !sim_start(o->source.sim, e))
		return NULL;
	struct counter *c = counter_host_open(sim_host(), e);

	if (c == NULL && ours)
		sim_stop();
	else if (c != NULL && c->ops == &host_ops)
		((struct host_counter *)c)->started = ours;
	return c;
}
