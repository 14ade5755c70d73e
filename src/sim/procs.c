/* Gives the cores' work to processes, grain by grain of each CPU's own time. */
#include "sim/inside.h"

#include <string.h>

#include "sim/procs.h"

#define MS INT64_C(1000000)
#define ZOMBIE_NS (250 * MS)
#define PIDS 100

static bool
job_exists(const struct sim_kernel *k, unsigned slot)
{
	unsigned kind = (slot - 1) / SIM_KIND_SLOTS;

	return kind < k->m->nkinds &&
	       (slot - 1) % SIM_KIND_SLOTS < sim_machine_kind_cpus(k->m, kind);
}

static bool
program_exists(const struct sim_kernel *k, unsigned program)
{
	for (unsigned cpu = 0; cpu < k->ncpus; cpu++)
		if (program != SIM_PROGRAM_IDLE &&
		    k->s->program[cpu] == program)
			return true;
	return false;
}

static bool
slot_exists(const struct sim_kernel *k, unsigned slot)
{
	_Static_assert(SIM_SLOT_PROGRAM + SIM_PROGRAMS - 1 == SIM_SLOTS,
		       "a slot for each program but the drawn");
	return slot == 0 ||
	       (slot < SIM_SLOT_PROGRAM
			? job_exists(k, slot)
			: program_exists(k, 1 + slot - SIM_SLOT_PROGRAM));
}

static bool
sim_slot_is_job(unsigned slot)
{
	return slot > 0 && slot < SIM_SLOT_PROGRAM;
}

static void
life_begin(const struct sim_kernel *k, unsigned slot, struct sim_life *life,
	   int64_t at)
{
	uint64_t draw = work_draw(k->s->seed, 6, slot, life->k);

	life->born_ns = at;
	/* ends_ns is rarely a whole second, as readings are at whole
	 * seconds. */
	life->ends_ns = sim_slot_is_job(slot) && slot % 3 == 2
				? at + (int64_t)(20000 + draw % 200000) * MS
				: SIM_NEVER;
	life->gone_ns = SIM_NEVER;
	life->pid =
		slot == 0 ? 0 : (int32_t)(PIDS + slot * PIDS + life->k % 90);
}

unsigned
sim_slot_of(int32_t pid)
{
	unsigned slot = pid < 2 * PIDS ? 0 : (unsigned)pid / PIDS - 1;

	return slot < SIM_SLOTS && (slot > 0 || pid == 0) ? slot : SIM_SLOTS;
}

static void
sim_slots_boot(struct sim_kernel *k)
{
	for (unsigned i = 0; i < SIM_SLOTS; i++) {
		struct sim_slot *s = &k->s->procs.slot[i];

		s->there = slot_exists(k, i);
		if (s->there)
			life_begin(k, i, &s->now,
				   i == 0 ? 1000000 : SIM_START_NS);
	}
}

static struct sim_count
count_between(const struct sim_count *from, const struct sim_count *to)
{
	return (struct sim_count){
		.cycles = to->cycles - from->cycles,
		.instructions = to->instructions - from->instructions,
		.user_ns = to->user_ns - from->user_ns,
		.kernel_ns = to->kernel_ns - from->kernel_ns,
		.energy_nj = to->energy_nj - from->energy_nj,
	};
}

void
sim_slot_life(const struct sim_slot *s, struct sim_count out[SIM_MAX_KINDS])
{
	for (unsigned q = 0; q < SIM_MAX_KINDS; q++)
		out[q] = count_between(&s->base[q], &s->all[q]);
}

static void
sim_slot_turn(struct sim_kernel *k, unsigned slot, int64_t at)
{
	struct sim_slot *s = &k->s->procs.slot[slot];
	uint64_t draw = work_draw(k->s->seed, 6, slot, s->now.k);
	bool reuse = sim_fault_at(k, SIM_FAULT_REUSE, at) != NULL;

	s->before = s->now;
	s->before.gone_ns = at;
	if (!reuse && sim_fault_at(k, SIM_FAULT_NOZOMBIE, at) == NULL)
		s->before.gone_ns += (int64_t)((draw >> 32) % 8) * ZOMBIE_NS;
	sim_slot_life(s, s->dead);
	memcpy(s->base, s->all, sizeof s->base);
	memset(s->thread, 0, sizeof s->thread);
	s->now.k++;
	life_begin(k, slot, &s->now, at);
	if (reuse)
		s->now.pid = s->before.pid;
}

static unsigned
sim_slot_other(const struct sim_kernel *k, unsigned job)
{
	return 1 + (7 * job + 3) % sim_machine_kind_cpus(k->m, 0);
}

/* Number of jobs before this job whose grains the slot may get */
static unsigned
count_lenders(const struct sim_kernel *k, unsigned slot, unsigned kind,
	      unsigned job)
{
	unsigned n = 0;

	for (unsigned q = 0; q <= kind; q++) {
		unsigned jobs =
			q == kind ? job : sim_machine_kind_cpus(k->m, q);
		for (unsigned j = 0; j < jobs; j++)
			n += sim_slot_other(k, j) == slot;
	}
	return n;
}

/* The job's index among the slot's sources; 0: the slot's own job. */
static unsigned
sim_slot_source(const struct sim_kernel *k, unsigned slot, unsigned kind,
		unsigned job)
{
	return slot == 1 + SIM_KIND_SLOTS * kind + job
		       ? 0
		       : 1 + count_lenders(k, slot, kind, job);
}

void
sim_slots_prepare(struct sim_kernel *k)
{
	unsigned last = k->m->nkinds - 1;

	for (unsigned i = 1; i < SIM_SLOT_PROGRAM; i++)
		k->table.sources[i] =
			(uint8_t)(1 + count_lenders(k, i, last,
						    sim_machine_kind_cpus(
							    k->m, last)));
}

void
sim_slots_list(struct sim_kernel *k)
{
	k->table.nslots = 0;
	for (unsigned i = 0; i < SIM_SLOTS; i++)
		if (k->s->procs.slot[i].there)
			k->table.there[k->table.nslots++] = (uint8_t)i;
}

/* Even after the last thread has ended, each source has a thread. */
unsigned
sim_slot_threads(const struct sim_kernel *k, unsigned slot)
{
	unsigned n = k->table.sources[slot] + 1 + slot % 2;

	if (!sim_slot_is_job(slot))
		return 0;
	return n < SIM_PROC_THREADS ? n : SIM_PROC_THREADS;
}

bool
sim_thread_ended(const struct sim_kernel *k, unsigned slot, unsigned thread,
		 int64_t at)
{
	return thread + 1 == sim_slot_threads(k, slot) &&
	       at >= k->s->procs.slot[slot].now.born_ns + SIM_THREAD_NS;
}

uint64_t
sim_thread_id(unsigned slot, uint32_t life, unsigned thread)
{
	return 64 * (128 * (uint64_t)life + slot) + 1 + thread;
}

uint32_t
sim_slot_uid(unsigned slot)
{
	return slot == 0 || (sim_slot_is_job(slot) && slot % 4 == 0) ? 0 : 501;
}

static const char *const names[] = {
	"compiler",
	"WindowServer",
	"mds_stores",
	"linker",
	"Safari Web Content",
	"node",
	"a) R 1 (x",
	"python3.12",
	"com.example.background.renderer",
	"動画 変換ツール", /* the kernel cuts this name inside a character */
	"coreaudiod",
	"bird",
	"Terminal",
	"Xcode",
	"clang",
	"git",
	"cargo",
	"rustc",
	"ffmpeg",
	"postgres",
	"Music",
	"launchservicesd",
	"spindump",
	"photoanalysisd",
};

const char *
sim_life_name(const struct sim_kernel *k, unsigned slot,
	      const struct sim_life *life, int64_t at)
{
	const unsigned n = sizeof names / sizeof *names;

	if (slot == 0)
		return "kernel_task";
	if (!sim_slot_is_job(slot))
		return sim_program_name(1 + slot - SIM_SLOT_PROGRAM);
	if (slot % 5 == 1 && at < life->born_ns + SIM_EXEC_NS)
		return "zsh";
	return names[work_draw(k->s->seed, 9, slot, life->k) % n];
}

bool
sim_slot_zombie(const struct sim_slot *s, int64_t at)
{
	return s->now.k > 0 && at < s->before.gone_ns;
}

/* Longer than a caller takes to read all rows of a list. */
#define PASS_NS 5000000

/* Energy in pJ per cycle, by clock step. */
/* clang-format off */
static const unsigned energy[SIM_CLASS_COUNT][SIM_STEPS] = {
	[SIM_CLASS_FAST] = { 250, 420, 650, 980 },
	[SIM_CLASS_MID]  = { 150, 240, 360, 520 },
	[SIM_CLASS_SLOW] = { 40, 55, 70, 84 },
};
/* clang-format on */

void
sim_procs_boot(struct sim_kernel *k, unsigned want, bool rest)
{
	struct sim_procs *p = &k->s->procs;

	memset(p, 0, sizeof *p);
	p->want = want;
	p->rest = rest;
	p->done_ns = SIM_START_NS;
	for (unsigned cpu = 0; cpu < k->ncpus; cpu++)
		p->local_ns[cpu] = SIM_START_NS;
	sim_slots_boot(k);
}

unsigned
sim_procs_energy(enum sim_class class, unsigned step)
{
	return energy[class][step];
}

unsigned
sim_procs_level(const struct sim_kernel *k, unsigned kind)
{
	return kind == 0 || strcmp(k->m->kind[kind].letter, "P") == 0 ? 0 : 1;
}

static void
done_until(const struct sim_kernel *k, unsigned cpu, int64_t ns,
	   struct sim_count *out)
{
	unsigned kind = k->work.cpu[cpu].kind;
	const struct work_rate *c = &k->rates.cycles[kind];
	const struct work_rate *i = &k->rates.inst[kind];
	struct work_done d;

	work_until(&k->work, cpu, ns, &d);
	out->cycles = work_user(&d, c) + work_kernel(&d, c);
	out->instructions = work_user(&d, i) + work_kernel(&d, i);
	out->user_ns = d.user_ns;
	out->kernel_ns = d.kernel_ns;
}

static bool
storm_has(const struct sim_kernel *k, uint64_t who, uint64_t grain, int64_t at)
{
	const struct sim_fault *f = sim_fault_at(k, SIM_FAULT_STORM, at);

	return f != NULL &&
	       work_draw(k->s->seed, 8, who, grain) % 200 < (uint64_t)f->arg;
}

unsigned
sim_procs_owner(const struct sim_kernel *k, unsigned cpu, uint64_t grain,
		int64_t at)
{
	const struct work_cpu *c = &k->work.cpu[cpu];
	unsigned g = (unsigned)(grain % c->grains), busy = 0;
	unsigned job = c->job[g], own = 1 + SIM_KIND_SLOTS * c->kind + job;
	uint64_t who = 64u * c->kind + job;

	for (int a = 0; a < WORK_ACTIVITIES; a++)
		busy += c->mix[g].share[a];
	if (busy * 100 < WORK_SHARE)
		return k->s->procs.rest ? SIM_SLOT_NOBODY : 0;
	if (c->program != 0) {
		who = 512 + cpu;
		own = SIM_SLOT_PROGRAM + c->program - 1;
	}
	unsigned draw = work_draw(k->s->seed, 5, who, grain) % 16;
	if (draw < 12 || (c->program != 0 && draw < 15))
		return own;
	if (draw < 15)
		return sim_slot_other(k, job);
	return k->s->procs.rest || storm_has(k, who, grain, at)
		       ? SIM_SLOT_NOBODY
		       : 0;
}

/* The jobs of a slot's sources run at the same time and have different threads,
 * so that no thread is on two CPUs. */
unsigned
sim_procs_thread(const struct sim_kernel *k, unsigned cpu, unsigned slot,
		 uint64_t grain, int64_t at)
{
	const struct work_cpu *c = &k->work.cpu[cpu];
	unsigned n = sim_slot_threads(k, slot);
	unsigned source =
		sim_slot_source(k, slot, c->kind, c->job[grain % c->grains]);

	if (sim_thread_ended(k, slot, n - 1, at))
		n--;
	return (unsigned)(work_draw(k->s->seed, 7, slot, grain) % n + source) %
	       n;
}

static void
count_add(struct sim_count *to, const struct sim_count *d)
{
	to->cycles += d->cycles;
	to->instructions += d->instructions;
	to->user_ns += d->user_ns;
	to->kernel_ns += d->kernel_ns;
	to->energy_pj += d->energy_pj;
	to->energy_nj += d->energy_nj + to->energy_pj / 1000;
	to->energy_pj %= 1000;
}

static void
give_grain(struct sim_kernel *k, unsigned cpu, uint64_t grain, int64_t at,
	   const struct sim_count *d)
{
	struct sim_procs *p = &k->s->procs;
	unsigned kind = k->work.cpu[cpu].kind;
	unsigned slot = sim_procs_owner(k, cpu, grain, at);

	count_add(&p->slot[slot].all[kind], d);
	if (slot == SIM_SLOT_NOBODY)
		return;
	struct sim_count *thread =
		slot == 0 ? &p->kernel_thread[cpu]
		: slot >= SIM_SLOT_PROGRAM
			? &p->program_thread[cpu]
			: p->slot[slot].thread[sim_procs_thread(k, cpu, slot,
								grain, at)];
	if (slot > 0 && slot < SIM_SLOT_PROGRAM)
		thread += sim_procs_level(k, kind);
	count_add(thread, d);
}

static uint64_t
grain_energy(const struct sim_kernel *k, unsigned cpu, uint64_t grain,
	     uint64_t cycles)
{
	const struct work_cpu *c = &k->work.cpu[cpu];
	const struct sim_kind *kind = &k->m->kind[c->kind];
	unsigned step = 0;

	while (step + 1 < SIM_STEPS &&
	       kind->mhz[step] != c->mix[grain % c->grains].mhz)
		step++;
	return cycles * sim_procs_energy(kind->class, step);
}

static void
cpu_advance(struct sim_kernel *k, unsigned cpu, int64_t to, int64_t at)
{
	int64_t *local = &k->s->procs.local_ns[cpu];
	struct sim_count from = { 0 }, until = { 0 }, d;

	if (*local < to)
		done_until(k, cpu, *local, &from);
	for (; *local < to; from = until) {
		uint64_t grain = (uint64_t)(*local / WORK_GRAIN_NS);
		int64_t end = (int64_t)(grain + 1) * WORK_GRAIN_NS;

		*local = end < to ? end : to;
		done_until(k, cpu, *local, &until);
		d = count_between(&from, &until);
		d.energy_pj = grain_energy(k, cpu, grain, d.cycles);
		give_grain(k, cpu, grain, at, &d);
		k->table.steps++;
	}
}

static int64_t
next_edge(const struct sim_kernel *k, int64_t to)
{
	int64_t after = k->s->procs.done_ns, best = to;

	for (unsigned i = 0; i < k->table.nslots; i++) {
		const struct sim_slot *s = &k->s->procs.slot[k->table.there[i]];

		if (!sim_slot_is_job(k->table.there[i]))
			continue;
		sim_earliest(&best, s->now.ends_ns, after);
		sim_earliest(&best, s->now.born_ns + SIM_THREAD_NS, after);
	}
	for (const struct sim_fault *f = NULL;
	     (f = sim_fault_next(k, SIM_FAULT_STORM, f)) != NULL;) {
		sim_earliest(&best, f->from_ns, after);
		sim_earliest(&best, f->to_ns, after);
	}
	return best;
}

static void
turn_slots(struct sim_kernel *k, int64_t at)
{
	for (unsigned i = 0; i < k->table.nslots; i++) {
		unsigned slot = k->table.there[i];

		if (!sim_slot_is_job(slot) ||
		    k->s->procs.slot[slot].now.ends_ns > at)
			continue;
		sim_slot_turn(k, slot, at);
		if (k->watch != NULL)
			k->watch->turned(k, slot, at);
	}
}

/* counted false: assigns the work to no process. */
static void
advance_to(struct sim_kernel *k, int64_t to, bool counted)
{
	struct sim_procs *p = &k->s->procs;

	while (p->done_ns < to) {
		int64_t edge = next_edge(k, to);

		if (k->watch != NULL)
			k->watch->until(k, edge);
		for (unsigned cpu = 0; cpu < k->ncpus; cpu++) {
			int64_t own = edge - sim_off_ns(k, cpu, edge);
			if (counted)
				cpu_advance(k, cpu, own, p->done_ns);
			p->local_ns[cpu] = own;
		}
		p->done_ns = edge;
		turn_slots(k, edge);
	}
}

bool
sim_procs_fresh(const struct sim_kernel *k)
{
	const struct sim_state *s = k->s;

	return !s->step && s->procs.asked &&
	       s->time.now_ns - s->procs.done_ns < PASS_NS;
}

void
sim_procs_advance(struct sim_kernel *k)
{
	const struct sim_fault *lag = sim_fault_now(k, SIM_FAULT_LAG);
	int64_t to = k->s->time.now_ns;

	k->s->procs.asked = true;
	/* Offset by a third of the lag, as readings are at whole seconds. */
	if (lag != NULL && lag->arg > 0)
		to -= (to - lag->from_ns + lag->arg / 3) % lag->arg;
	if (lag != NULL && to < lag->from_ns)
		to = lag->from_ns;
	advance_to(k, to, true);
}

void
sim_procs_flush(struct sim_kernel *k)
{
	advance_to(k, k->s->time.now_ns, k->s->procs.asked);
}
