#include "sim/slots.h"

#include <string.h>

#include "sim/inside.h"

#define MS INT64_C(1000000)
#define ZOMBIE_NS (250 * MS)
#define PIDS 100 /* of each slot */

static bool
job_exists(const struct sim_kernel *k, unsigned slot)
{
	unsigned kind = (slot - 1) / SIM_KIND_SLOTS;

	return kind < k->m->nkinds &&
	       (slot - 1) % SIM_KIND_SLOTS < sim_machine_kind_cpus(k->m, kind);
}

static bool
nature_exists(const struct sim_kernel *k, unsigned nature)
{
	for (unsigned cpu = 0; cpu < k->ncpus; cpu++)
		if (nature != SIM_NATURE_IDLE && k->s->nature[cpu] == nature)
			return true;
	return false;
}

static bool
slot_exists(const struct sim_kernel *k, unsigned slot)
{
	_Static_assert(SIM_SLOT_NATURE + SIM_NATURES - 1 == SIM_SLOTS,
		       "a slot for each nature but the drawn");
	return slot == 0 ||
	       (slot < SIM_SLOT_NATURE
			? job_exists(k, slot)
			: nature_exists(k, 1 + slot - SIM_SLOT_NATURE));
}

bool
sim_slot_is_job(unsigned slot)
{
	return slot > 0 && slot < SIM_SLOT_NATURE;
}

static void
life_begin(const struct sim_kernel *k, unsigned slot, struct sim_life *life,
	   int64_t at)
{
	uint64_t draw = work_draw(k->s->seed, 6, slot, life->k);

	life->born_ns = at;
	/* Not in whole seconds: people's intervals are. */
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

void
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

void
sim_slot_life(const struct sim_slot *s, struct sim_count out[SIM_MAX_KINDS])
{
	for (unsigned q = 0; q < SIM_MAX_KINDS; q++) {
		const struct sim_count *all = &s->all[q], *base = &s->base[q];

		out[q] = (struct sim_count){
			.cycles = all->cycles - base->cycles,
			.instructions = all->instructions - base->instructions,
			.user_ns = all->user_ns - base->user_ns,
			.kernel_ns = all->kernel_ns - base->kernel_ns,
			.energy_nj = all->energy_nj - base->energy_nj,
		};
	}
}

void
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

unsigned
sim_slot_other(const struct sim_kernel *k, unsigned job)
{
	return 1 + (7 * job + 3) % sim_machine_kind_cpus(k->m, 0);
}

/* Jobs lend to a slot one after the other: up to this one, how many. */
static unsigned
lenders(const struct sim_kernel *k, unsigned slot, unsigned kind, unsigned job)
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

unsigned
sim_slot_source(const struct sim_kernel *k, unsigned slot, unsigned kind,
		unsigned job)
{
	return slot == 1 + SIM_KIND_SLOTS * kind + job
		       ? 0
		       : 1 + lenders(k, slot, kind, job);
}

void
sim_slots_prepare(struct sim_kernel *k)
{
	unsigned last = k->m->nkinds - 1;

	for (unsigned i = 1; i < SIM_SLOT_NATURE; i++)
		k->table.sources[i] =
			(uint8_t)(1 +
				  lenders(k, i, last,
					  sim_machine_kind_cpus(k->m, last)));
}

void
sim_slots_list(struct sim_kernel *k)
{
	k->table.nslots = 0;
	for (unsigned i = 0; i < SIM_SLOTS; i++)
		if (k->s->procs.slot[i].there)
			k->table.there[k->table.nslots++] = (uint8_t)i;
}

/* One for each source at least, also when the last has ended. */
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

/* As a person's machine has them; what is hard to show is among them. */
static const char *const names[] = {
	"compiler",
	"WindowServer",
	"mds_stores",
	"linker",
	"Safari Web Content",
	"node",
	"a) R 1 (x",
	"python3.12",
	"com.example.background.renderer", /* 31 bytes */
	"動画 変換ツール",                 /* cut in the middle of a sign */
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
		return sim_nature_name(1 + slot - SIM_SLOT_NATURE);
	if (slot % 5 == 1 && at < life->born_ns + SIM_EXEC_NS)
		return "zsh";
	return names[work_draw(k->s->seed, 9, slot, life->k) % n];
}

bool
sim_slot_zombie(const struct sim_slot *s, int64_t at)
{
	return s->now.k > 0 && at < s->before.gone_ns;
}
