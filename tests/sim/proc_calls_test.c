/* What the simulated kernel answers of processes: who, since when, how much. */
#include "sim/table.h"

#include <stdio.h>

#include "sim/inside.h"

#define SECOND INT64_C(1000000000)

static struct table now;

static void
look(struct world *w, int64_t since_start_ns)
{
	sim_kernel_step(&w->k, SIM_START_NS + since_start_ns);
	table_read(w, &w->a, &now);
}

static const struct seen *
of(int32_t pid)
{
	const struct seen *s = table_find(&now, pid);

	if (s == NULL)
		fail_msg("no process %d", (int)pid);
	return s;
}

/* Newest first, the kernel behind all that live, zombies at the end. */
UNIT(list)
{
	struct world *w = world_new("m1,clock=step,procs=2000");
	static int32_t few[100], all[PROCS_MAX];
	int n, living = 0;

	wait_ms(w, 300000);
	sim_proc_list(&w->k, few, 100, &n);
	assert_int_equal(n, 100);
	sim_proc_list(&w->k, all, PROCS_MAX, &n);
	assert_memory_equal(few, all, sizeof(few));
	look(w, 300 * SECOND);
	assert_int_equal(now.n, n);
	while (now.row[living].pid != 0)
		living++;
	assert_int_equal(living + 1, 2000);
	for (int i = 1; i <= 8; i++)
		assert_true(now.row[i - 1].u.start_abstime >=
			    now.row[i].u.start_abstime);
	for (unsigned i = 0; i < now.n; i++) {
		const struct seen *s = &now.row[i];
		assert_int_equal(s->code, 0);
		assert_true(i <= (unsigned)living
				    ? s->u.exit_abstime == 0 && s->p.status != 5
				    : s->u.exit_abstime > 0 &&
					      s->p.status == 5);
		assert_true(table_find(&now, s->pid) == s);
		if (s->pid != 0)
			assert_non_null(table_find(&now, s->p.ppid));
	}
	w = world_new("m1,clock=step,procs=1");
	look(w, 0);
	assert_int_equal(now.n, 1 + 8 + 1);
	w = world_new("m1,clock=step");
	look(w, 0);
	assert_int_equal(now.n, 60);
}

/* When the first one ends, since the start. */
static int64_t
first_end(const struct world *w, unsigned *slot)
{
	int64_t best = INT64_MAX;

	for (unsigned i = 0; i < SIM_SLOTS; i++) {
		const struct sim_slot *s = &w->state.procs.slot[i];
		if (s->there && s->now.ends_ns < best) {
			best = s->now.ends_ns;
			*slot = i;
		}
	}
	return best - SIM_START_NS;
}

UNIT(life)
{
	struct world *w = world_new("m1,clock=step,seed=2");
	unsigned s = 0, quarters;
	int64_t end = first_end(w, &s);
	int32_t old = (int32_t)(100 + 100 * s), next = old + 1;

	quarters = (unsigned)(work_draw(2, 6, s, 0) >> 32) % 8;
	assert_true(quarters > 0); /* else this says nothing */
	look(w, end - 1000000);
	struct seen last = *of(old);
	assert_null(table_find(&now, next));
	look(w, end);
	assert_true(of(old)->u.cycles >= last.u.cycles);
	assert_int_equal(of(old)->u.start_abstime, last.u.start_abstime);
	assert_int_equal(of(old)->u.exit_abstime,
			 (uint64_t)(SIM_START_NS + end) * 3 / 125);
	assert_int_equal(of(next)->u.cycles, 0);
	assert_int_equal(of(next)->u.start_abstime, of(old)->u.exit_abstime);
	last = *of(old);
	/* its last counts stand until it is gone */
	look(w, end + (int64_t)quarters * SECOND / 4 - 1);
	assert_memory_equal(&of(old)->u, &last.u, sizeof(last.u));
	char path[64];
	uint64_t id;
	int n;
	assert_int_equal(sim_proc_path(&w->k, old, path, 64), ESRCH);
	assert_int_equal(sim_thread_list(&w->k, &w->a, old, &id, 1, &n), ESRCH);
	look(w, end + (int64_t)quarters * SECOND / 4);
	assert_null(table_find(&now, old));
	assert_int_equal(sim_proc_usage(&w->k, &w->a, old, &last.u), ESRCH);
}

/* Neither a total, nor a P part, nor what is left of them ever falls. */
static void
never_back(const struct host_usage *was, const struct host_usage *is)
{
	uint64_t rest_was = was->user_time + was->system_time -
			    was->user_ptime - was->system_ptime;
	uint64_t rest_is = is->user_time + is->system_time - is->user_ptime -
			   is->system_ptime;

	assert_true(is->cycles >= was->cycles && is->pcycles >= was->pcycles);
	assert_true(is->cycles - is->pcycles >= was->cycles - was->pcycles);
	assert_true(is->instructions - is->pinstructions >=
		    was->instructions - was->pinstructions);
	assert_true(is->pinstructions >= was->pinstructions);
	assert_true(is->user_time >= was->user_time);
	assert_true(is->system_time >= was->system_time);
	assert_true(is->user_ptime >= was->user_ptime);
	assert_true(is->system_ptime >= was->system_ptime);
	assert_true(rest_is >= rest_was);
	assert_true(is->penergy_nj >= was->penergy_nj);
	assert_true(is->energy_nj - is->penergy_nj >=
		    was->energy_nj - was->penergy_nj);
}

UNIT(monotone)
{
	static const char *const specs[] = { "m1,clock=step",
					     "m6,clock=step,seed=2",
					     "intel,clock=step" };
	static struct table was;

	for (unsigned m = 0; m < 3; m++) {
		struct world *w = world_new(specs[m]);
		for (int64_t i = 0; i < 300; i++) {
			look(w, i * 333000111);
			for (unsigned r = 0; i > 0 && r < now.n; r++) {
				const struct seen *s = &now.row[r];
				const struct seen *old =
					table_find(&was, s->pid);
				if (old != NULL &&
				    old->u.start_abstime == s->u.start_abstime)
					never_back(&old->u, &s->u);
			}
			memcpy(&was, &now,
			       offsetof(struct table, row) +
				       now.n * sizeof(*now.row));
		}
	}
}

/* Exec: another name and uuid, counts and birth go on. */
UNIT(exec)
{
	struct world *w = world_new("m1,clock=step");

	/* slot 1 is that of the first P job */
	look(w, 3 * SECOND - 1);
	struct seen before = *of(200);
	assert_string_equal(before.p.name, "zsh");
	look(w, 3 * SECOND);
	assert_string_not_equal(of(200)->p.name, "zsh");
	assert_memory_not_equal(of(200)->u.uuid, before.u.uuid, 16);
	assert_int_equal(of(200)->u.start_abstime, before.u.start_abstime);
	assert_true(of(200)->u.cycles >= before.u.cycles &&
		    of(200)->u.cycles < before.u.cycles + 100);
}

/* Short names are cut at 15 bytes, paths hold the whole one. */
UNIT(names)
{
	struct world *w = world_new("m5ultra,clock=step,seed=5");
	char path[192], small[8];
	bool cut = false;

	look(w, 300 * SECOND);
	assert_string_equal(of(0)->p.name, "kernel_task");
	assert_string_equal(of(1)->p.name, "launchd");
	for (unsigned i = 0; i < now.n; i++) {
		const struct seen *s = &now.row[i];
		assert_in_range(strlen(s->p.name), 1, 15);
		int code = sim_proc_path(&w->k, s->pid, path, sizeof(path));
		if (s->pid == 0 || s->p.status == 5) {
			assert_int_equal(code, ESRCH);
			continue;
		}
		assert_int_equal(code, 0);
		const char *whole = strrchr(path, '/') + 1;
		assert_memory_equal(whole, s->p.name, strlen(s->p.name));
		cut = cut || strlen(whole) > 15;
		assert_int_equal(sim_proc_path(&w->k, s->pid, small, 8),
				 ENOMEM);
	}
	assert_true(cut);
	assert_int_equal(sim_proc_path(&w->k, 99999, path, 64), ESRCH);
}

UNIT(permission)
{
	struct world *w = world_new(
		"m1,clock=step,fault=eperm@5s-6s,fault=denied:300@8s");
	unsigned mine = 0, others = 0;
	struct host_usage u;
	uint64_t id;
	int n;

	for (unsigned part = 0; part < 2; part++) {
		/* 501, then root that is taken for 501 */
		sim_kernel_step(&w->k, SIM_START_NS + part * 5 * SECOND);
		table_read(w, part == 0 ? &w->user : &w->a, &now);
		for (unsigned i = 0; i < now.n; i++) {
			const struct seen *s = &now.row[i];
			assert_int_equal(s->code, s->p.uid == 0 ? EPERM : 0);
			assert_true(s->p.name[0] != '\0');
			mine += s->p.uid == 501;
			others += s->p.uid == 0;
		}
	}
	assert_true(mine > 30 && others > 30);
	assert_int_equal(of(0)->p.uid, 0);
	assert_int_equal(sim_thread_list(&w->k, &w->user, 0, &id, 1, &n),
			 EPERM);
	look(w, 7 * SECOND);
	assert_int_equal(of(300)->code, 0);
	look(w, 8 * SECOND);
	assert_int_equal(of(300)->code, EPERM);
	assert_int_equal(of(200)->code, 0);
	assert_int_equal(sim_proc_usage(&w->k, &w->a, 99999, &u), ESRCH);
}

/* Which parts there are, by machine and version of macOS. */
UNIT(flavors)
{
	struct world *w = world_new("m1,clock=step,os=12.6");
	struct host_thread t;
	uint64_t id;
	int n;

	look(w, 20 * SECOND);
	const struct host_usage *u = &of(200)->u;
	assert_int_equal(u->flavor, 4);
	assert_true(u->cycles > 0 && u->instructions > 0);
	assert_true(u->pcycles == 0 && u->user_ptime == 0 && u->energy_nj == 0);
	OK(sim_thread_list(&w->k, &w->a, 200, &id, 1, &n));
	assert_int_equal(sim_thread_counts(&w->k, &w->a, 200, id, &t), EINVAL);
	w = world_new("m1,clock=step,fault=oldos@10s-20s");
	look(w, 5 * SECOND);
	assert_int_equal(of(200)->u.flavor, 6);
	assert_true(of(200)->u.energy_nj > of(200)->u.penergy_nj ||
		    of(200)->u.cycles == of(200)->u.pcycles);
	look(w, 15 * SECOND);
	assert_int_equal(of(200)->u.flavor, 4);
	assert_int_equal(of(200)->u.pcycles, 0);
	look(w, 20 * SECOND);
	assert_int_equal(of(200)->u.flavor, 6);
	w = world_new("intel,clock=step");
	look(w, 20 * SECOND);
	u = &of(200)->u;
	assert_true(u->cycles > 0 && u->pcycles == 0 && u->energy_nj == 0);
	/* a nanosecond is a tick */
	const struct sim_count *c = w->state.procs.slot[1].all;
	assert_int_equal(u->user_time, c->user_ns);
	assert_int_equal(u->start_abstime, SIM_START_NS);
	w = world_new("vm,clock=step");
	look(w, 20 * SECOND);
	u = &of(200)->u;
	assert_true(u->cycles == 0 && u->instructions == 0);
	assert_int_equal(u->user_time,
			 w->state.procs.slot[1].all[0].user_ns * 3 / 125);
	assert_true(u->user_time > 24000000);
}

/* Threads that live and those that ended are the process, by level. */
static void
threads_are(struct world *w, const struct seen *s, uint64_t *ended)
{
	struct sim_count all[2] = { 0 };
	uint64_t id[64], runs = 0;
	struct host_thread t;
	int n;

	OK(sim_thread_list(&w->k, &w->a, s->pid, id, 64, &n));
	for (int i = 0; i < n; i++) {
		OK(sim_thread_counts(&w->k, &w->a, s->pid, id[i], &t));
		assert_int_equal(t.id, id[i]);
		assert_int_equal(t.levels, w->k.m->nkinds > 1 ? 2 : 1);
		runs += t.running;
		for (unsigned l = 0; l < t.levels; l++) {
			all[l].cycles += t.level[l].cycles;
			all[l].instructions += t.level[l].instructions;
		}
	}
	assert_true(runs <= w->k.ncpus);
	assert_int_equal(sim_thread_counts(&w->k, &w->a, s->pid, id[0] - 1, &t),
			 ESRCH);
	*ended = s->u.cycles - all[0].cycles - all[1].cycles;
	if (*ended == 0) {
		assert_int_equal(all[0].instructions + all[1].instructions,
				 s->u.instructions);
		if (w->k.m->nkinds > 1)
			assert_int_equal(all[0].cycles, s->u.pcycles);
	}
}

UNIT(threads)
{
	static const char *const specs[] = { "m1,clock=step",
					     "m5max,clock=step",
					     "intel,clock=step",
					     "m2max,clock=step,work=P0:mixed" };
	unsigned with_ended = 0;
	uint64_t ended;

	for (unsigned m = 0; m < 4; m++) {
		struct world *w = world_new(specs[m]);
		uint64_t row[SIM_BUFFER_LEN];
		rows(w, &w->a, 1, row);
		/* all threads are there for the first ten seconds */
		look(w, 10 * SECOND - 1);
		for (unsigned i = 0; i < now.n; i++) {
			threads_are(w, &now.row[i], &ended);
			assert_int_equal(ended, 0);
		}
		look(w, 19 * SECOND);
		for (unsigned i = 0; i < now.n; i++) {
			threads_are(w, &now.row[i], &ended);
			with_ended += ended != 0;
		}
	}
	assert_true(with_ended > 8);
}

static uint64_t
thread_ns(const struct sim_slot *s, unsigned thread)
{
	const struct sim_count *l = s->thread[thread];

	return l[0].user_ns + l[0].kernel_ns + l[1].user_ns + l[1].kernel_ns;
}

/* None is on two CPUs at a time, and some are on both kinds of them. */
static void
one_cpu_of(const struct sim_machine *m)
{
	static struct sim_slot was[SIM_SLOT_PROGRAM];
	unsigned moved = 0, both = 0;
	char text[64];

	/* With a nap CPUs are in different grains. */
	snprintf(text, sizeof(text), "%s,clock=step,fault=off:cpu0@9m",
		 m->name);
	struct world *w = world_new(text);
	memset(was, 0, sizeof(was));
	for (int64_t i = 0; i < 80; i++) {
		const struct sim_slot *is = w->state.procs.slot;
		look(w, i * SECOND / 4);
		for (unsigned s = 1; s < SIM_SLOT_PROGRAM; s++) {
			for (unsigned t = 0; t < SIM_PROC_THREADS; t++) {
				uint64_t d = thread_ns(&is[s], t) -
					     thread_ns(&was[s], t);
				assert_true(d <= 250000000 ||
					    is[s].now.k != was[s].now.k);
				moved += d > 0;
			}
			both += is[s].thread[0][0].cycles > 0 &&
				is[s].thread[0][1].cycles > 0;
		}
		memcpy(was, is, sizeof(was));
	}
	assert_true(moved > 100);
	assert_true(both > 50 || m->nkinds == 1);
}

UNIT(one_cpu)
{
	for (const struct sim_machine *m = sim_machines; m->name != NULL; m++)
		one_cpu_of(m);
}

/* Counts of an instant that was, until the next one comes. */
UNIT(lag)
{
	struct world *w = world_new("m1,clock=step,fault=lag:300ms@2s-4s");
	struct world *free_of_it = world_new("m1,clock=step");
	struct host_usage u;

	for (int64_t ms = 0; ms <= 4200; ms += 100) {
		int64_t seen = ms < 2000 || ms >= 4000
				       ? ms
				       : 1900 + (ms - 1900) / 300 * 300;
		if (ms >= 2000 && seen < 2000)
			seen = 2000;
		look(w, ms * 1000000);
		sim_kernel_step(&free_of_it->k, SIM_START_NS + seen * 1000000);
		OK(sim_proc_usage(&free_of_it->k, &w->a, 200, &u));
		assert_memory_equal(&of(200)->u, &u, sizeof(u));
	}
}

UNIT(reuse)
{
	struct world *w = world_new("m1,clock=step,fault=reuse@0s");
	unsigned s = 0;
	int64_t end = first_end(w, &s);
	int32_t pid = (int32_t)(100 + 100 * s);
	uint64_t start, id, later;
	int n;

	look(w, end - 1);
	start = of(pid)->u.start_abstime;
	assert_true(of(pid)->u.cycles > 0);
	OK(sim_thread_list(&w->k, &w->a, pid, &id, 1, &n));
	look(w, end);
	assert_true(of(pid)->u.start_abstime > start);
	assert_int_equal(of(pid)->u.cycles, 0);
	OK(sim_thread_list(&w->k, &w->a, pid, &later, 1, &n));
	assert_true(id != later);
	for (unsigned i = 0; i < now.n; i++)
		assert_true(now.row[i].p.status != 5);
}

UNIT(nozombie)
{
	struct world *w = world_new("m1,clock=step,fault=nozombie@0s");
	unsigned s = 0;
	int64_t end = first_end(w, &s);

	look(w, end - 1);
	assert_int_equal(of((int32_t)(100 + 100 * s))->code, 0);
	look(w, end);
	assert_null(table_find(&now, (int32_t)(100 + 100 * s)));
	assert_int_equal(of((int32_t)(101 + 100 * s))->u.cycles, 0);
}

UNIT(vanish)
{
	struct world *w = world_new("m1,clock=step,fault=vanish@5s-6s");

	for (int s = 4; s <= 6; s++) {
		look(w, s * SECOND);
		for (unsigned i = 0; i < now.n; i++)
			assert_int_equal(now.row[i].code,
					 s == 5 && i % 3 == 2 ? ESRCH : 0);
	}
}

/* Part of the work is in nobody's counts; all else is as it was. */
UNIT(storm)
{
	struct world *w = world_new("m1,clock=step,fault=storm:100@10s-20s");
	struct world *still = world_new("m1,clock=step");
	const struct sim_slot *none = &w->state.procs.slot[SIM_SLOT_NOBODY];

	look(w, 10 * SECOND);
	assert_int_equal(none->all[0].cycles, 0);
	look(w, 20 * SECOND);
	struct sim_count lost = none->all[0];
	assert_true(lost.cycles > 0);
	look(w, 60 * SECOND);
	assert_memory_equal(&none->all[0], &lost, sizeof(lost));
	lost.cycles += none->all[1].cycles;
	struct seen kernel = *of(0);
	struct seen job = *of(200);
	look(still, 60 * SECOND);
	assert_int_equal(of(0)->u.cycles, kernel.u.cycles + lost.cycles);
	assert_memory_equal(&of(200)->u, &job.u, sizeof(job.u));
}

static void
tell(void *self, struct stamp *out)
{
	memset(out, 0, sizeof(*out));
	out->awake_ns = *(int64_t *)self;
}

/* While time goes by itself, the rows of a list are of one moment. */
UNIT(one_moment)
{
	struct world *w = world_new("m1");
	int64_t at = w->state.time.origin_ns + 20 * SECOND;
	const struct clock real = { .now = tell, .self = &at };
	struct host_usage u, later;
	int32_t pid;
	int n;

	w->k.real = &real;
	sim_proc_list(&w->k, &pid, 1, &n);
	OK(sim_proc_usage(&w->k, &w->a, 200, &u));
	assert_true(u.user_time > 24000000);
	at += 4999999;
	OK(sim_proc_usage(&w->k, &w->a, 200, &later));
	assert_memory_equal(&later, &u, sizeof(u));
	at += 1;
	OK(sim_proc_usage(&w->k, &w->a, 200, &later));
	assert_true(later.user_time >= u.user_time);
	assert_int_equal(w->state.procs.done_ns,
			 SIM_START_NS + at - w->state.time.origin_ns);
	at += 1000;
	sim_proc_list(&w->k, &pid, 1, &n);
	assert_int_equal(w->state.procs.done_ns,
			 SIM_START_NS + at - w->state.time.origin_ns);
}

/* One second of a whole list, as root: that of the cores, by kind. */
UNIT(one_second)
{
	struct world *w = world_new("m1,clock=step");
	struct sums a[2], b[2];
	uint64_t p[2] = { 0 }, all[2] = { 0 }, inst[2] = { 0 };

	for (unsigned i = 0; i < 2; i++) {
		uint64_t row[SIM_BUFFER_LEN];
		sim_kernel_step(&w->k, SIM_START_NS + (5 + i) * SECOND);
		rows(w, &w->a, 1, row);
		look(w, (5 + (int64_t)i) * SECOND);
		for (unsigned q = 0; q < 2; q++)
			cores_sum(w, q, i == 0 ? &a[q] : &b[q]);
		for (unsigned r = 0; r < now.n; r++) {
			all[i] += now.row[r].u.cycles;
			p[i] += now.row[r].u.pcycles;
			inst[i] += now.row[r].u.instructions;
		}
	}
	assert_int_equal(p[1] - p[0], b[0].cycles - a[0].cycles);
	assert_int_equal(all[1] - p[1] - all[0] + p[0],
			 b[1].cycles - a[1].cycles);
	assert_int_equal(inst[1] - inst[0],
			 b[0].instructions - a[0].instructions +
				 b[1].instructions - a[1].instructions);
}
