/*
 * The workload against its description in docs/SIMULATION.md: this file draws
 * the same schedule and adds it up grain by grain, in its own way.
 */
#include "sim/book.h"
#include "sim/world.h"

#include <stdio.h>

#include "pmu/pmu.h"

#define GRAIN 250000000ull

static const struct work_physics usual = { 1060, 10, 50 };

UNIT(draws)
{
	for (uint64_t i = 0; i < 100; i++)
		assert_int_equal(work_draw(1, i, 2 * i, 7),
				 book_draw(1, i, 2 * i, 7));
	/* splitmix64's first number from 0, as published */
	assert_int_equal(book_mix(0x9e3779b97f4a7c15ull),
			 0xe220a8397b1dcdafull);
}

/* Adds the grains up to t one by one; products of 128 bits in two halves. */
static uint64_t
slow_cycles(const struct work_cpu *c, int activity, uint64_t t)
{
	uint64_t sum = 0;

	for (uint64_t at = 0; at < t; at += GRAIN) {
		const struct work_mix *x = &c->mix[at / GRAIN % WORK_GRAINS];
		uint64_t ns = t - at < GRAIN ? t - at : GRAIN;
		sum += ns * x->mhz * x->share[activity] / 4096000;
	}
	return sum;
}

UNIT(closed_form)
{
	static const uint64_t times[] = { 0,
					  1,
					  GRAIN - 1,
					  GRAIN,
					  GRAIN + 1,
					  1000 * GRAIN + 12345,
					  1024 * GRAIN,
					  1024 * GRAIN + 7,
					  4123456789012 };
	struct work w;
	struct work_done d;

	assert_true(work_init(&w, sim_machine_find("m1"), 5, NULL, NULL));
	for (unsigned cpu = 0; cpu < w.ncpus; cpu++)
		for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
			work_until(&w, cpu, (int64_t)times[i], &d);
			for (int a = 0; a < WORK_ACTIVITIES; a++)
				assert_int_equal(
					d.cycles[a],
					slow_cycles(&w.cpu[cpu], a, times[i]));
			assert_int_equal(d.user_ns + d.kernel_ns + d.idle_ns,
					 times[i]);
		}
	work_free(&w);
}

/*
 * Job 0 of kind 0 (half of its jobs are heavy), the first two phases, drawn
 * here by the book: length, state, level, ramp, noise, shares.
 */
static struct book_phase
book_phase(uint64_t r)
{
	static const int odds[] = { 30, 48, 64, 76, 84, 92, 100 };
	static const int level[][2] = { { 70, 31 }, { 60, 41 }, { 60, 41 },
					{ 70, 31 }, { 40, 51 }, { 5, 26 },
					{ 0, 1 } };
	static const int mix[][WORK_ACTIVITIES] = {
		{ 860, 40, 60, 10, 0, 0, 30 },
		{ 30, 850, 50, 10, 0, 0, 60 },
		{ 120, 60, 720, 10, 0, 0, 90 },
		{ 60, 110, 20, 780, 0, 0, 30 },
		{ 80, 90, 110, 10, 0, 0, 710 },
		{ 200, 150, 300, 10, 0, 0, 340 },
		{ 200, 150, 300, 10, 0, 0, 340 },
	};
	struct book_phase p;
	int s = 0;

	while ((int)(r % 100) >= odds[s])
		s++;
	p.busy = level[s][0] + (int)((r >> 8) % (uint64_t)level[s][1]);
	memcpy(p.mix, mix[s], sizeof(p.mix));
	return p;
}

static void
by_the_book(uint64_t seed)
{
	static const unsigned mhz[] = { 600, 1956, 2988, 3204 };
	struct work w;
	struct book_phase now = book_phase(book_draw(seed, 1, 0, 0)), next;
	unsigned g = 0;
	unsigned first = 48 + (unsigned)((book_draw(seed, 2, 0, 0) >> 32) % 73);

	assert_true(work_init(&w, sim_machine_find("m1"), seed, NULL, NULL));
	/* job 0 is on the first P core (cpu 4) until the jobs move once */
	unsigned turn = 1 + (unsigned)(book_draw(seed, 2, 0, 0) % 3);
	for (uint64_t i = 1; g < first + 48; i++) {
		uint64_t r = book_draw(seed, 1, 0, i);
		unsigned len = 8 + (unsigned)((r >> 32) % 73);
		next = book_phase(r);
		for (unsigned k = 0; k < len && g < first + 48; k++, g++) {
			const struct work_mix *x =
				&w.cpu[g < first ? 4 : 8 - turn].mix[g];
			int share[WORK_ACTIVITIES], busy;
			book_grain(&now, &next, k < 8 ? (int)k + 1 : 8,
				   book_noise(seed, 0, g),
				   book_noise(seed, 4096, g), share, &busy);
			for (int a = 0; a < WORK_ACTIVITIES; a++)
				assert_int_equal(x->share[a], share[a]);
			assert_int_equal(x->mhz, mhz[busy < 10    ? 0
						     : busy < 350 ? 1
						     : busy < 750 ? 2
								  : 3]);
		}
		now = next;
	}
	work_free(&w);
}

UNIT(schedule)
{
	for (uint64_t seed = 1; seed < 20; seed++)
		by_the_book(seed);
}

/* Every machine, every seed: totals never fall, idle cores stay idle. */
UNIT(sane_cores)
{
	for (const struct sim_machine *m = sim_machines; m->name; m++) {
		struct work w;
		assert_true(work_init(&w, m, 3, NULL, NULL));
		for (unsigned cpu = 0; cpu < w.ncpus; cpu++)
			for (unsigned g = 0; g < WORK_GRAINS; g++) {
				const struct work_mix *x = &w.cpu[cpu].mix[g];
				unsigned used = 0;
				for (int a = 0; a < WORK_ACTIVITIES; a++)
					used += x->share[a];
				assert_true(used >= 1 && used <= WORK_SHARE);
				/* one share of an idle core: < 10^6 a second */
				if (used == 1)
					assert_true(x->mhz * 1000000u /
							    WORK_SHARE <
						    1000000);
			}
		work_free(&w);
	}
}

/* Sub-events never exceed their parents, nor their sums. */
UNIT(plausible)
{
	static const char *const part_of[][6] = {
		/* the sum of the others is at most the first */
		{ "FIXED_CYCLES", "MAP_STALL", "MAP_DISPATCH_BUBBLE",
		  "MAP_REWIND" },
		{ "FIXED_CYCLES", "MAP_STALL_NONRECOVERY", "MAP_RECOVERY",
		  "MAP_DISPATCH_BUBBLE" },
		{ "INST_ALL", "INST_BRANCH", "INST_LDST", "INST_INT_ALU",
		  "INST_SIMD_ALU" },
		{ "INST_LDST", "INST_INT_LD", "INST_INT_ST", "INST_SIMD_LD",
		  "INST_SIMD_ST" },
		{ "INST_BRANCH", "INST_BRANCH_COND", "INST_BRANCH_INDIR" },
		{ "INST_BRANCH", "INST_BRANCH_TAKEN" },
		{ "INST_BRANCH", "BRANCH_MISPRED_NONSPEC" },
		{ "BRANCH_MISPRED_NONSPEC", "BRANCH_COND_MISPRED_NONSPEC",
		  "BRANCH_INDIR_MISPRED_NONSPEC" },
		{ "BRANCH_INDIR_MISPRED_NONSPEC",
		  "BRANCH_CALL_INDIR_MISPRED_NONSPEC",
		  "BRANCH_RET_INDIR_MISPRED_NONSPEC",
		  "BRANCH_BR_INDIR_MISPRED_NONSPEC" },
		{ "LD_UNIT_UOP", "INST_INT_LD", "INST_SIMD_LD" },
		{ "LD_UNIT_UOP", "L1D_CACHE_MISS_LD" },
		{ "ST_UNIT_UOP", "L1D_CACHE_MISS_ST" },
		{ "L1D_CACHE_MISS_LD", "L1D_CACHE_MISS_LD_NONSPEC" },
		{ "L1D_CACHE_MISS_LD_NONSPEC", "LD_SRC_PL2_CACHE_NONSPEC",
		  "LD_SRC_LL_CACHE_NONSPEC", "LD_SRC_MEMSYS_NONSPEC",
		  "LD_SRC_CORE_SAMECLUSTER_NONSPEC" },
		{ "L1D_TLB_ACCESS", "LD_UNIT_UOP", "ST_UNIT_UOP" },
		{ "L1D_TLB_ACCESS", "L1D_TLB_MISS" },
		{ "L1D_TLB_MISS", "L2_TLB_MISS_DATA" },
		{ "MAP_STALL", "MAP_STALL_DISPATCH" },
		{ "MAP_DISPATCH_BUBBLE", "MAP_DISPATCH_BUBBLE_IC",
		  "MAP_DISPATCH_BUBBLE_ITLB" },
		{ "MAP_UOP", "RETIRE_UOP" },
		{ "MAP_UOP", "MAP_INT_UOP", "MAP_LDST_UOP", "MAP_SIMD_UOP" },
		{ "PL2_CACHE_ACCESS", "PL2_CACHE_MISS" },
		{ "ARM_STALL_SLOT", "ARM_STALL_SLOT_BACKEND",
		  "ARM_STALL_SLOT_FRONTEND" },
	};

	for (const struct sim_machine *m = sim_machines; m->name; m++)
		for (unsigned kind = 0; kind < m->nkinds; kind++)
			for (size_t i = 0;
			     i < sizeof(part_of) / sizeof(*part_of); i++) {
				struct work_rate all, part;
				uint64_t sum[WORK_ACTIVITIES] = { 0 };
				assert_true(work_rate_of(&m->kind[kind], &usual,
							 part_of[i][0], false,
							 &all));
				for (int p = 1; p < 6 && part_of[i][p]; p++) {
					assert_true(work_rate_of(
						&m->kind[kind], &usual,
						part_of[i][p], false, &part));
					for (int a = 0; a < WORK_ACTIVITIES;
					     a++)
						sum[a] += part.q20[a];
				}
				/* 4: every product is cut by itself */
				for (int a = 0; a < WORK_ACTIVITIES; a++)
					assert_true(sum[a] <= all.q20[a] + 4u);
			}
}

/* The four shares of top-down, by Apple's M1 formula, add up to one. */
UNIT(top_down)
{
	for (const struct sim_machine *m = sim_machines; m->name; m++)
		for (unsigned kind = 0; kind < m->nkinds; kind++) {
			const struct sim_kind *q = &m->kind[kind];
			struct work_rate up, map, stall, bubble, rewind, slot;
			work_rate_of(q, &usual, "RETIRE_UOP", false, &up);
			work_rate_of(q, &usual, "MAP_UOP", false, &map);
			work_rate_of(q, &usual, "MAP_STALL", false, &stall);
			work_rate_of(q, &usual, "MAP_DISPATCH_BUBBLE", false,
				     &bubble);
			work_rate_of(q, &usual, "MAP_REWIND", false, &rewind);
			work_rate_of(q, &usual, "MAP_DISPATCH_BUBBLE_SLOT",
				     false, &slot);
			for (int a = 0; a < WORK_ACTIVITIES; a++) {
				double bw = q->width, c = 1 << 20;
				double useful = up.q20[a] / (c * bw);
				double processing = stall.q20[a] / c;
				double discarded = (rewind.q20[a] * bw +
						    map.q20[a] - up.q20[a]) /
						   (c * bw);
				double delivery = slot.q20[a] / (c * bw);
				assert_true(useful > 0 && useful < 0.7);
				assert_true(discarded >= 0);
				assert_true(bubble.q20[a] / c <= delivery);
				double sum = useful + processing + discarded +
					     delivery;
				assert_true(sum > 0.9999 && sum < 1.0001);
			}
		}
}

/* No event of an Apple database is left to the rule for unknown ones. */
UNIT(every_event_has_a_rule)
{
	const struct sim_kind *kind = &sim_machines[0].kind[0];
	const struct pmu *p;
	struct work_rate r;

	for (unsigned i = 0; (p = pmu_at(i)) != NULL; i++)
		for (unsigned e = 0; !p->intel && e < p->nevents; e++)
			if (!work_rate_of(kind, &usual, p->events[e].name,
					  false, &r))
				fail_msg("no rule for %s", p->events[e].name);
}

/* Raw counters equal the formula: rate times cycles per activity. */
UNIT(counters_follow)
{
	struct world *w = world_new("m1,clock=step,seed=9");
	static const char *const event[] = { "INST_ALL", "INST_BRANCH" };
	uint64_t words[8] = { 0x8c, 0x8d }, t0[128], t1[128];

	OK(force(w, &w->a, 1));
	OK(config_set(w, &w->a, 2, words, 8));
	OK(set32(w, &w->a, "kpc.counting", 3));
	rows(w, &w->a, 3, t0);
	wait_ms(w, 7777);
	rows(w, &w->a, 3, t1);
	for (unsigned c = 0; c < 8; c++) {
		struct work_done a, b;
		uint64_t want, cycles = 0;
		work_until(&w->k.work, c, SIM_START_NS, &a);
		work_until(&w->k.work, c, SIM_START_NS + 7777000000, &b);
		for (int i = 0; i < WORK_ACTIVITIES; i++)
			cycles += b.cycles[i] - a.cycles[i];
		assert_int_equal(t1[c * 10] - t0[c * 10], cycles + 2000);
		for (unsigned e = 0; e < 2; e++) {
			uint64_t before, after;
			assert_true(sim_kernel_total(&w->k, c, event[e], true,
						     SIM_START_NS, &before));
			assert_true(sim_kernel_total(&w->k, c, event[e], true,
						     SIM_START_NS + 7777000000,
						     &after));
			struct work_rate r;
			work_rate_of(&w->k.m->kind[c < 4 ? 1 : 0], &usual,
				     event[e], false, &r);
			want = 0;
			for (int i = 0; i < WORK_KERNEL; i++) /* user mode */
				want += (uint64_t)((long double)b.cycles[i] *
						   r.q20[i] / 1048576) -
					(uint64_t)((long double)a.cycles[i] *
						   r.q20[i] / 1048576);
			assert_int_equal(after - before, want);
			assert_int_equal(
				t1[c * 10 + 2 + e] - t0[c * 10 + 2 + e], want);
		}
	}
}
