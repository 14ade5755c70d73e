#include "sim/inside.h"

#include <errno.h>
#include <string.h>

#include "kperf/abi.h"

enum { KERNEL = SIM_TRACED_JOBS };
enum { PROGRAM = KERNEL + SIM_MAX_CPUS };
enum { IDLE = PROGRAM + SIM_MAX_CPUS };

void
sim_traced_idle(unsigned cpu, struct sim_traced *out)
{
	*out = (struct sim_traced){ .at = IDLE + cpu,
				    .thread = SIM_IDLE_THREAD + cpu,
				    .idle = true };
}

void
sim_traced_thread(const struct sim_kernel *k, unsigned slot, unsigned thread,
		  struct sim_traced *out)
{
	const struct sim_life *life = &k->s->procs.slot[slot].now;
	bool job = slot > 0 && slot < SIM_SLOT_PROGRAM;

	*out = (struct sim_traced){
		.at = job         ? slot * SIM_PROC_THREADS + thread
		      : slot == 0 ? KERNEL + thread
				  : PROGRAM + thread,
		.thread = sim_thread_id(slot, life->k, thread),
		.pid = life->pid,
		.user = slot != 0,
	};
}

void
sim_traced_owner(const struct sim_kernel *k, unsigned cpu, int64_t own_ns,
		 int64_t at_ns, struct sim_traced *out)
{
	uint64_t grain = (uint64_t)(own_ns / WORK_GRAIN_NS);
	unsigned slot = sim_procs_owner(k, cpu, grain, at_ns);
	bool job = slot > 0 && slot < SIM_SLOT_PROGRAM;

	if (slot == SIM_SLOT_NOBODY)
		sim_traced_idle(cpu, out);
	else
		sim_traced_thread(
			k, slot,
			job ? sim_procs_thread(k, cpu, slot, grain, at_ns)
			    : cpu,
			out);
}

void
sim_traced_until(const struct sim_kernel *k, unsigned cpu, int64_t own_ns,
		 int64_t at_ns, struct sim_traced *out)
{
	bool boundary = own_ns % WORK_GRAIN_NS == 0;

	sim_traced_owner(k, cpu, boundary ? own_ns - 1 : own_ns, at_ns, out);
}

static bool
row_value_counted(const struct sim_kernel *k, unsigned i)
{
	uint32_t classes = k->s->threads.kept, pmcs = 0;

	if (i < 3)
		return classes & KPC_CLASS_FIXED_MASK;
	if (classes & KPC_CLASS_CONFIGURABLE_MASK)
		pmcs |= sim_config_mask(k);
	if (classes & KPC_CLASS_POWER_MASK)
		pmcs |= sim_power_mask(k);
	return pmcs >> (i - 3) & 1;
}

void
sim_traced_switch(struct sim_kernel *k, unsigned cpu, unsigned at,
		  int64_t at_ns)
{
	struct sim_pet *p = &k->s->pet;
	struct sim_counted *t = &p->thread[at];
	uint64_t row[SIM_ROW_MAX];

	sim_counts_row(k, cpu, at_ns, row);
	for (unsigned i = 0; i < SIM_ROW_MAX; i++) {
		if (t->has && row_value_counted(k, i))
			t->value[i] +=
				p->pending[cpu][i] + row[i] - p->ref[cpu][i];
		p->pending[cpu][i] = 0;
		p->ref[cpu][i] = row[i];
	}
}

void
sim_traced_give(struct sim_kernel *k, unsigned at)
{
	struct sim_counted *t = &k->s->pet.thread[at];

	t->has = true;
	memset(t->value, 0, sizeof t->value);
}

unsigned
sim_traced_values(const struct sim_kernel *k, unsigned at, uint64_t out[32])
{
	const struct sim_counted *t = &k->s->pet.thread[at];
	unsigned n = 0, nfixed = k->m->pmu == 2 ? 2 : 3;

	memset(out, 0, 32 * sizeof *out);
	/* kperf_kpc.c: without a buffer, all values are 0 */
	if (!t->has)
		return k->m->pmu == 2 ? 11 : 32;
	for (unsigned i = 0; i < SIM_ROW_MAX; i++)
		if (row_value_counted(k, i) && (i >= 3 || i < nfixed))
			out[n++] = t->value[i];
	return n;
}

static bool
thread_by_id(const struct sim_kernel *k, uint64_t id, struct sim_traced *out)
{
	unsigned slot = (unsigned)((id - 1) / 64 % 128);
	unsigned thread = (unsigned)((id - 1) % 64);

	bool program = slot >= SIM_SLOT_PROGRAM;

	if (id == 0 || slot >= SIM_SLOTS || !k->s->procs.slot[slot].there)
		return false;
	if (thread >= (slot == 0 || program ? k->ncpus : SIM_PROC_THREADS))
		return false;
	if (program && k->s->program[thread] != 1 + slot - SIM_SLOT_PROGRAM)
		return false;
	sim_traced_thread(k, slot, thread, out);
	return out->thread == id;
}

static void
buffer_update(struct sim_kernel *k, unsigned at)
{
	int64_t now = k->s->time.now_ns;

	for (unsigned cpu = 0; cpu < k->ncpus; cpu++) {
		struct sim_traced t;

		if (!sim_online(k, cpu, now))
			continue;
		sim_traced_until(k, cpu, now - sim_off_ns(k, cpu, now), now,
				 &t);
		if (t.at == at)
			sim_traced_switch(k, cpu, at, now);
	}
}

int
sim_traced_own(struct sim_req *r)
{
	struct sim_kernel *k = r->k;
	struct sim_traced t;
	uint64_t row[32];
	uint32_t tid = 0;
	int code = sim_req_in(r, &tid, sizeof tid);

	if (code != 0)
		return code;
	if (tid != 0 || !thread_by_id(k, r->who->table_thread, &t) ||
	    !k->s->pet.thread[t.at].has)
		return EINVAL;
	if (k->s->threads.classes != 0)
		buffer_update(k, t.at);
	unsigned n = sim_traced_values(k, t.at, row);
	if (n == 0 || (r->old != NULL && r->old_size < n * sizeof *row))
		return EINVAL;
	return sim_req_out(r, row, n * sizeof *row);
}

void
sim_traced_save(struct sim_kernel *k)
{
	struct sim_pet *p = &k->s->pet;
	uint64_t row[SIM_ROW_MAX];

	for (unsigned cpu = 0; cpu < k->ncpus; cpu++) {
		sim_counts_row(k, cpu, k->s->time.now_ns, row);
		for (unsigned i = 0; i < SIM_ROW_MAX; i++)
			p->pending[cpu][i] += row[i] - p->ref[cpu][i];
	}
}

void
sim_traced_resume(struct sim_kernel *k)
{
	for (unsigned cpu = 0; cpu < k->ncpus; cpu++)
		sim_counts_row(k, cpu, k->s->time.now_ns, k->s->pet.ref[cpu]);
}
