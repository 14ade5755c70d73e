/* Looks at the process table of a simulated kernel, for tests. */
#ifndef TESTS_SIM_TABLE_H
#define TESTS_SIM_TABLE_H

#include "sim/inside.h"
#include "sim/world.h"

#define PROCS_MAX 4096

/* What a kind of core counted since the start, reads' cost and all. */
struct sums {
	uint64_t cycles, instructions, ns, energy_nj;
};

static inline void
sums_are(const struct sums *got, const struct sums *want)
{
	assert_int_equal(got->cycles, want->cycles);
	assert_int_equal(got->instructions, want->instructions);
	assert_int_equal(got->ns, want->ns);
}

static inline void
done_add(const struct world *w, unsigned cpu, int64_t own_ns, struct sums *to,
	 int sign)
{
	const struct sim_kernel *k = &w->k;
	const struct work_cpu *c = &k->work.cpu[cpu];
	const struct work_rate *r = &k->rates.cycles[c->kind];
	const struct work_rate *i = &k->rates.inst[c->kind];
	struct work_done d;
	uint64_t f = sign < 0 ? UINT64_MAX : 1; /* minus one, modulo 2^64 */

	work_until(&k->work, cpu, own_ns, &d);
	to->cycles += f * (work_user(&d, r) + work_kernel(&d, r));
	to->instructions += f * (work_user(&d, i) + work_kernel(&d, i));
	to->ns += f * (d.user_ns + d.kernel_ns);
}

/* Of the cores themselves, from the start to now. */
static inline void
cores_sum(const struct world *w, unsigned kind, struct sums *out)
{
	const struct sim_kernel *k = &w->k;

	memset(out, 0, sizeof(*out));
	for (unsigned cpu = 0; cpu < k->ncpus; cpu++) {
		int64_t now = k->s->time.now_ns;
		if (k->work.cpu[cpu].kind != kind)
			continue;
		done_add(w, cpu, now - sim_off_ns(k, cpu, now), out, 1);
		done_add(w, cpu, SIM_START_NS, out, -1);
		out->cycles += k->s->kpc.answers[cpu] * SIM_READ_CYCLES;
		out->instructions +=
			k->s->kpc.answers[cpu] * SIM_READ_INSTRUCTIONS;
	}
}

/* Of all processes that ever were; nobody: and of what is in none. */
static inline void
slots_sum(const struct world *w, unsigned kind, bool nobody, struct sums *out)
{
	const struct sim_kernel *k = &w->k;

	memset(out, 0, sizeof(*out));
	for (unsigned s = 0; s < SIM_SLOTS + (nobody ? 1u : 0u); s++) {
		const struct sim_count *c = &k->s->procs.slot[s].all[kind];
		out->cycles += c->cycles;
		out->instructions += c->instructions;
		out->ns += c->user_ns + c->kernel_ns;
		out->energy_nj += c->energy_nj;
	}
	for (unsigned cpu = 0; cpu < k->ncpus; cpu++)
		if (k->work.cpu[cpu].kind == kind) {
			out->cycles += k->s->kpc.answers[cpu] * SIM_READ_CYCLES;
			out->instructions +=
				k->s->kpc.answers[cpu] * SIM_READ_INSTRUCTIONS;
		}
}

/* A process as it is read, one way or another. */
struct seen {
	int32_t pid;
	int code; /* of proc_usage */
	struct host_usage u;
	struct host_proc p;
};

struct table {
	unsigned n;
	struct seen row[PROCS_MAX];
};

static inline void
table_read(struct world *w, const struct sim_caller *who, struct table *t)
{
	static int32_t pid[PROCS_MAX];
	int n;

	sim_proc_list(&w->k, pid, PROCS_MAX, &n);
	memset(t, 0, sizeof(*t));
	for (int i = 0; i < n; i++) {
		struct seen *s = &t->row[t->n++];
		s->pid = pid[i];
		s->code = sim_proc_usage(&w->k, who, pid[i], &s->u);
		OK(sim_proc_short(&w->k, who, pid[i], &s->p));
		assert_int_equal(s->p.pid, pid[i]);
	}
}

static inline const struct seen *
table_find(const struct table *t, int32_t pid)
{
	for (unsigned i = 0; i < t->n; i++)
		if (t->row[i].pid == pid)
			return &t->row[i];
	return NULL;
}

#endif
