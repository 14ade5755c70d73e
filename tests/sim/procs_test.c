/* The process table against the cores: whose work it was, to the unit. */
#include "sim/table.h"

#include <stdio.h>

#include "sim/inside.h"

static void
all_is_given(const struct world *w, bool nobody)
{
	for (unsigned kind = 0; kind < w->k.m->nkinds; kind++) {
		struct sums cores, slots;
		cores_sum(w, kind, &cores);
		slots_sum(w, kind, nobody, &slots);
		sums_are(&slots, &cores);
	}
}

static void
look(struct world *w, int64_t at_ns)
{
	sim_kernel_step(&w->k, at_ns);
	sim_kernel_enter(&w->k);
	sim_procs_advance(&w->k);
}

/* Every machine, three seeds, looked at now and then, with its own nap. */
UNIT(sums)
{
	for (const struct sim_machine *m = sim_machines; m->name != NULL; m++)
		for (unsigned seed = 1; seed <= 3; seed++) {
			char text[64];
			snprintf(text, sizeof(text), "%s,clock=step,seed=%u",
				 m->name, seed);
			struct world *w = world_new(text);
			int64_t at = SIM_START_NS;
			for (uint64_t i = 0; at < SIM_START_NS + 60000000000;
			     i++) {
				at += (int64_t)(work_draw(9, seed, i, 0) %
						3000000000);
				look(w, at);
				all_is_given(w, false);
			}
		}
}

/* Two tables of one machine, asked for at other moments, are the same. */
UNIT(whenever)
{
	static const char *const specs[] = {
		"m1,clock=step",
		"m2max,clock=step,seed=3",
		"m2max,clock=step,fault=off:P1@5s-9s,fault=off:P1@11s-17s",
		"m6,clock=step,fault=storm:100@30s-90s,fault=reuse@60s",
		"m4,clock=step,work=P:memory,work=cpu1:phases,rest=1",
		"m1,clock=step,fault=sleep@20s-50s,fault=nozombie@0s",
	};
	int64_t last = SIM_START_NS +
		       (getenv("KTOP_LONG") ? 3600 : 140) * INT64_C(1000000000);

	for (unsigned i = 0; i < sizeof(specs) / sizeof(*specs); i++) {
		struct world *often = world_new(specs[i]);
		struct world *seldom = world_new(specs[i]);
		for (int64_t at = SIM_START_NS; at < last; at += 100000000)
			look(often, at);
		for (int64_t at = SIM_START_NS; at < last; at += 7000000000)
			look(seldom, at);
		look(often, last);
		look(seldom, last);
		assert_memory_equal(&often->state.procs, &seldom->state.procs,
				    sizeof(often->state.procs));
		all_is_given(seldom, true);
	}
}

/* What reading costs is the kernel's, so the sum is that of the counters. */
UNIT(reads)
{
	struct world *w = world_new("m1,clock=step");
	uint64_t row[SIM_BUFFER_LEN], cycles = 0, instructions = 0;
	struct sums p, e;

	wait_ms(w, 1234);
	for (int i = 0; i < 3; i++)
		rows(w, &w->a, 1, row);
	for (unsigned cpu = 0; cpu < 8; cpu++) {
		cycles += row[2 * cpu];
		instructions += row[2 * cpu + 1];
	}
	sim_procs_advance(&w->k);
	for (unsigned cpu = 0; cpu < 8; cpu++) {
		struct sums before = { 0 };
		done_add(w, cpu, SIM_START_NS, &before, 1);
		cycles -= before.cycles;
		instructions -= before.instructions;
	}
	slots_sum(w, 0, false, &p);
	slots_sum(w, 1, false, &e);
	assert_int_equal(p.cycles + e.cycles, cycles);
	assert_int_equal(p.instructions + e.instructions, instructions);
}

#define MINUTES_7 INT64_C(420000000000)

/* One grain after the other, by the page. */
static unsigned
book_owner(const struct world *w, unsigned cpu, uint64_t grain)
{
	const struct work_cpu *c = &w->k.work.cpu[cpu];
	const struct work_mix *x = &c->mix[grain % 1024];
	unsigned busy = 0, job = c->job[grain % 1024];

	for (int a = 0; a < WORK_ACTIVITIES; a++)
		busy += x->share[a];
	if (busy < 41)
		return 0;
	unsigned r = work_draw(1, 5, 64 * c->kind + job, grain) % 16;
	return r < 12   ? 1 + 32 * c->kind + job
	       : r < 15 ? 1 + (7 * job + 3) % 4
			: 0;
}

/* What a slot has of a CPU since its process began, for seven minutes. */
static void
book_cpu(const struct world *w, unsigned cpu, unsigned slot, int64_t born,
	 struct sums *to)
{
	const int64_t grain = 250000000;

	for (int64_t at = SIM_START_NS; at < SIM_START_NS + MINUTES_7;
	     at += grain) {
		if (at + grain <= born ||
		    book_owner(w, cpu, (uint64_t)(at / grain)) != slot)
			continue;
		done_add(w, cpu, at > born ? at : born, to, -1);
		done_add(w, cpu, at + grain, to, 1);
	}
}

/* Seven minutes of an M1, every process recounted from the cores' work. */
UNIT(by_the_book)
{
	struct world *w = world_new("m1,clock=step");
	struct table *t = calloc(1, sizeof(*t));
	int64_t born[SIM_SLOTS], ends[SIM_SLOTS];
	unsigned life[SIM_SLOTS] = { 0 }, turned = 0;

	assert_non_null(t);
	look(w, SIM_START_NS + MINUTES_7);
	table_read(w, &w->a, t);
	for (unsigned s = 0; s < SIM_SLOTS; s++) {
		struct sums want = { 0 };
		uint64_t p_cycles = 0;
		if (!w->state.procs.slot[s].there)
			continue;
		born[s] = SIM_START_NS;
		ends[s] = INT64_MAX;
		for (; s % 3 == 2; born[s] = ends[s], life[s]++) {
			uint64_t d = work_draw(1, 6, s, life[s]) % 200000;
			ends[s] = born[s] + (int64_t)(20000 + d) * 1000000;
			if (ends[s] > SIM_START_NS + MINUTES_7)
				break;
		}
		turned += life[s];
		for (unsigned cpu = 0; cpu < 8; cpu++) {
			uint64_t before = want.cycles;
			book_cpu(w, cpu, s, born[s], &want);
			if (cpu >= 4)
				p_cycles += want.cycles - before;
		}
		const struct seen *row = table_find(
			t,
			s == 0 ? 0 : (int32_t)(100 + 100 * s + life[s] % 90));
		assert_non_null(row);
		assert_int_equal(row->u.cycles, want.cycles);
		assert_int_equal(row->u.instructions, want.instructions);
		assert_int_equal(row->u.pcycles, p_cycles);
		if (s > 0)
			assert_int_equal(row->u.start_abstime,
					 (uint64_t)born[s] * 3 / 125);
	}
	assert_true(turned > 5);
	free(t);
}

/* A process of its own has what a program of known behaviour does. */
UNIT(programs)
{
	struct world *w = world_new("m2max,clock=step,work=P1:memory");
	struct table *t = calloc(1, sizeof(*t));
	uint64_t on_p1 = 0;

	assert_non_null(t);
	look(w, SIM_START_NS + 60000000000);
	table_read(w, &w->a, t);
	for (unsigned cpu = 8; cpu < 12; cpu++) {
		struct sums s = { 0 };
		int64_t now = w->state.time.now_ns;
		done_add(w, cpu, now - sim_off_ns(&w->k, cpu, now), &s, 1);
		done_add(w, cpu, SIM_START_NS, &s, -1);
		on_p1 += s.cycles;
	}
	for (unsigned i = 0; i < t->n; i++)
		if (strcmp(t->row[i].p.name, "memory") == 0) {
			const struct host_usage *u = &t->row[i].u;
			assert_true(u->cycles > on_p1 / 100 * 90);
			assert_true(u->cycles < on_p1);
			assert_int_equal(u->pcycles, u->cycles);
			on_p1 = 0;
		}
	assert_int_equal(on_p1, 0);
	free(t);
}

/* What is powered down does nothing, for nobody. */
UNIT(off)
{
	struct world *w = world_new("m2max,clock=step,work=P1:memory,"
				    "fault=off:P1@5s-9s");
	const struct sim_slot *s = &w->state.procs.slot[SIM_SLOT_PROGRAM + 1];

	look(w, SIM_START_NS + 5000000000);
	struct sim_count before = s->all[0];
	assert_true(before.cycles > 0);
	for (int64_t ms = 5100; ms <= 9000; ms += 300) {
		look(w, SIM_START_NS + ms * 1000000);
		assert_memory_equal(&s->all[0], &before, sizeof(before));
		all_is_given(w, false);
	}
	look(w, SIM_START_NS + 9300000000);
	assert_true(s->all[0].cycles > before.cycles);
	all_is_given(w, false);
}

static void
join(struct world *w, const char *text)
{
	struct sim_fault f;
	struct err e;

	if (!sim_fault_parse(w->k.m, text, &f, &e) ||
	    !sim_kernel_fault(&w->k, &f, &e))
		fail_msg("%s: %s", text, e.text);
}

/* Times off are forgotten when a fault joins; the work before them is not. */
UNIT(joined)
{
	struct world *w = world_new("m1,clock=step,fault=off:P@2s-4s");
	struct world *late = world_new("m1,clock=step,fault=off:P@2s-4s");
	struct sums from[2], to[2], sum;

	look(w, SIM_START_NS + 1000000000);
	for (unsigned i = 0; i < 2; i++) {
		struct world *it = i == 0 ? w : late;
		sim_kernel_step(&it->k, SIM_START_NS + 5000000000);
		join(it, "storm:9@1s");
		assert_int_equal(it->k.power.off_len[7], 0);
	}
	look(w, SIM_START_NS + 500000000000);
	all_is_given(w, true);
	/* nobody had asked: what was before is nobody's */
	for (unsigned q = 0; q < 2; q++) {
		cores_sum(late, q, &from[q]);
		slots_sum(late, q, true, &sum);
		assert_int_equal(sum.cycles, 0);
	}
	look(late, SIM_START_NS + 500000000000);
	for (unsigned q = 0; q < 2; q++) {
		cores_sum(late, q, &to[q]);
		slots_sum(late, q, true, &sum);
		assert_int_equal(sum.cycles, to[q].cycles - from[q].cycles);
	}
	for (unsigned i = 0; i < SIM_SLOTS; i++)
		assert_memory_equal(&late->state.procs.slot[i].now,
				    &w->state.procs.slot[i].now,
				    sizeof(struct sim_life));
}

/* A step is a grain, or a part of one; nothing is done twice. */
UNIT(cost)
{
	struct world *w = world_new("m1,clock=step,procs=2000");
	struct host_usage u;

	look(w, SIM_START_NS + 100000000000);
	uint64_t steps = w->k.table.steps;
	/* 400 grains of 8 CPUs, and two parts for each birth and end */
	assert_in_range(steps, 3200, 3200 + 8 * 40);
	for (int i = 0; i < 100; i++)
		OK(sim_proc_usage(&w->k, &w->a, 200, &u));
	assert_int_equal(w->k.table.steps, steps);
}
