/*
 * Programs of known behaviour, work=PROGRAM, against docs/SIMULATION.md: this
 * file works out grains, counts and lost slots by the book, in its own way.
 */
#include "sim/book.h"
#include "sim/world.h"

#include <math.h>
#include <stdio.h>

#include "sim/program.h"

#define GRAIN 250000000
#define GRAINS 960
#define ONE 1048576 /* 2^20 */

/* The table of the page; in phases the first four take turns. */
static const struct {
	const char *name;
	struct book_phase is;
} programs[] = {
	{ "compute", { 90, { 860, 40, 60, 10, 0, 0, 30 } } },
	{ "memory", { 90, { 30, 850, 50, 10, 0, 0, 60 } } },
	{ "branchy", { 90, { 60, 60, 130, 10, 0, 690, 50 } } },
	{ "frontend", { 90, { 80, 40, 60, 10, 760, 0, 50 } } },
	{ "kernel", { 90, { 80, 90, 110, 10, 0, 0, 710 } } },
	{ "mixed", { 90, { 35, 425, 10, 0, 205, 295, 30 } } },
	{ "idle", { 0, { 200, 150, 300, 10, 0, 0, 340 } } },
	{ "phases", { 0, { 0 } } },
};

enum { COMPUTE, MEMORY, BRANCHY, STARVED, KERNEL, MIXED, IDLE, PHASES };
enum { NPROGRAMS = PHASES + 1, COUNTED = MIXED + 1 }; /* idle: nothing */

static const struct book_phase *
program_in(unsigned program, unsigned g)
{
	return &programs[program == PHASES ? (g / 80 + 2) % 4 : program].is;
}

static struct world *
world_of(const char *machine, unsigned program, unsigned seed)
{
	char text[96];

	snprintf(text, sizeof(text), "%s,clock=step,seed=%u,work=%s", machine,
		 seed, programs[program].name);
	return world_new(text);
}

/* Shares and the frequency's step of one grain, by the book. */
static unsigned
grain_of(unsigned seed, unsigned cpu, unsigned program, unsigned g, int *share)
{
	const struct book_phase *p = program_in(program, g);
	int busy;

	book_grain(p, p, 8, book_noise(seed, 512 + cpu, g),
		   book_noise(seed, 4608 + cpu, g), share, &busy);
	return busy < 10 ? 0 : busy < 350 ? 1 : busy < 750 ? 2 : 3;
}

UNIT(grains)
{
	static const char *const machines[] = { "m1", "m6", "intel", "vm" };

	for (unsigned i = 0; i < 4 * NPROGRAMS; i++) {
		unsigned program = i / 4, seed = 1 + i;
		struct world *w = world_of(machines[i % 4], program, seed);
		for (unsigned cpu = 0; cpu < w->k.ncpus; cpu++) {
			const struct work_cpu *c = &w->k.work.cpu[cpu];
			const struct sim_kind *q = &w->k.m->kind[c->kind];
			assert_int_equal(c->grains, GRAINS);
			for (unsigned g = 0; g < GRAINS; g++) {
				int share[WORK_ACTIVITIES];
				unsigned step =
					grain_of(seed, cpu, program, g, share);
				assert_int_equal(c->mix[g].mhz, q->mhz[step]);
				for (int a = 0; a < WORK_ACTIVITIES; a++)
					assert_int_equal(c->mix[g].share[a],
							 share[a]);
			}
		}
	}
}

/* Other CPUs do what they do without the key, to the grain. */
UNIT(neighbours)
{
	struct world *w = world_new("m2max,clock=step,seed=4,work=P0:memory,"
				    "work=cpu9:idle,work=P0:frontend");
	struct world *drawn = world_new("m2max,clock=step,seed=4");
	int share[WORK_ACTIVITIES];

	for (unsigned cpu = 0; cpu < w->k.ncpus; cpu++) {
		const struct work_cpu *c = &w->k.work.cpu[cpu];
		if ((cpu >= 4 && cpu < 8) || cpu == 9) {
			grain_of(4, cpu, cpu == 9 ? IDLE : STARVED, 77, share);
			for (int a = 0; a < WORK_ACTIVITIES; a++)
				assert_int_equal(c->mix[77].share[a], share[a]);
		} else {
			assert_memory_equal(c, &drawn->k.work.cpu[cpu],
					    sizeof(*c));
		}
	}
}

/* Cycles of each activity to a moment since boot, grain by grain. */
static void
cycles_to(const struct world *w, unsigned cpu, unsigned program, int64_t t,
	  uint64_t *cycles)
{
	const struct sim_kind *q = &w->k.m->kind[w->k.work.cpu[cpu].kind];
	int share[WORK_ACTIVITIES];

	memset(cycles, 0, WORK_ACTIVITIES * sizeof(*cycles));
	for (int64_t at = 0; at < t; at += GRAIN) {
		uint64_t ns = (uint64_t)(t - at < GRAIN ? t - at : GRAIN);
		unsigned g = (unsigned)(at / GRAIN % GRAINS);
		uint64_t mhz = q->mhz[grain_of((unsigned)w->spec.seed, cpu,
					       program, g, share)];
		for (int a = 0; a < WORK_ACTIVITIES; a++)
			cycles[a] += (uint64_t)share[a] * mhz * ns / 4096000;
	}
}

/* What differs between the chips of a kind, by the book. */
struct chip {
	uint64_t uops, miss, bubbles;
};

static struct chip
book_chip(uint64_t seed, unsigned kind, bool slow, bool wide)
{
	uint64_t r = book_draw(seed, 241, kind, 0);

	if (wide)
		return (struct chip){ 880 + r % 321,
				      slow ? 4 + (r >> 16) % 27
					   : 5 + (r >> 16) % 31,
				      15 + (r >> 32) % 66 };
	return (struct chip){ 950 + r % 171,
			      slow ? 7 + (r >> 16) % 9 : 9 + (r >> 16) % 14,
			      15 + (r >> 32) % 66 };
}

/* What a thousand cycles come to, and where the rest of the slots goes. */
static const unsigned ipc[SIM_CLASS_COUNT][WORK_ACTIVITIES] = {
	[SIM_CLASS_FAST] = { 4200, 430, 2300, 3600, 1400, 1500, 1350 },
	[SIM_CLASS_MID] = { 3500, 400, 1900, 2900, 1150, 1250, 1100 },
	[SIM_CLASS_SLOW] = { 1850, 330, 950, 1250, 620, 1000, 720 },
	[SIM_CLASS_INTEL] = { 2600, 380, 1400, 2300, 900, 1000, 900 },
};
static const unsigned lost[2][WORK_ACTIVITIES] = {
	{ 430, 860, 260, 560, 150, 130, 430 }, /* back end */
	{ 60, 25, 330, 20, 60, 690, 70 },      /* bad speculation */
};

enum base {
	CYCLES,
	INST,
	MISS,
	UOP,
	STALL,
	BUBBLE,
	REWIND,
	MAPPED,
	GONE,
	DELIVERY,
	BACK
};

/* Events whose rows of work.c are told here once more. */
static const struct {
	const char *name;
	enum base of;
	unsigned ppm[WORK_ACTIVITIES];
} events[] = {
#define ALIKE                                                                 \
	{                                                                     \
		1000000, 1000000, 1000000, 1000000, 1000000, 1000000, 1000000 \
	}
	{ "CORE_ACTIVE_CYCLE", CYCLES, ALIKE },
	{ "INST_ALL", INST, ALIKE },
	{ "MAP_STALL_NONRECOVERY", STALL, ALIKE },
	{ "MAP_DISPATCH_BUBBLE", BUBBLE, ALIKE },
	{ "MAP_REWIND", REWIND, ALIKE },
	{ "MAP_RECOVERY", REWIND, ALIKE },
	{ "MAP_UOP", MAPPED, ALIKE },
	{ "MAP_DISPATCH_BUBBLE_SLOT", DELIVERY, ALIKE },
	{ "L1I_CACHE_MISS_DEMAND",
	  INST,
	  { 250, 300, 4200, 80, 24000, 1200, 9000 } },
	{ "L1D_CACHE_MISS_LD_NONSPEC",
	  INST,
	  { 2100, 40000, 4800, 7600, 3000, 3400, 7600 } },
	{ "BRANCH_MISPRED_NONSPEC", MISS, ALIKE },
	{ "BRANCH_COND_MISPRED_NONSPEC",
	  MISS,
	  { 780000, 800000, 740000, 830000, 720000, 780000, 710000 } },
	{ "slots.retiring", UOP, ALIKE },
	{ "slots.bad-spec", GONE, ALIKE },
	{ "slots.frontend", DELIVERY, ALIKE },
	{ "slots.backend", BACK, ALIKE },
	{ "FETCH_RESTART",
	  INST,
	  { 1500, 1200, 8000, 400, 26000, 21000, 9000 } },
	{ "MAP_DISPATCH_BUBBLE_IC",
	  BUBBLE,
	  { 150000, 200000, 350000, 100000, 550000, 120000, 500000 } },
};

/* Each base of an activity as the page has it. */
static uint64_t
base_of(const struct sim_kind *q, struct chip c, enum base of, int a)
{
	uint64_t inst = (uint64_t)ipc[q->class][a] * ONE / 1000;
	uint64_t uop = inst * c.uops / 1000, rest = ONE - uop / q->width;
	uint64_t gone = rest * lost[1][a] / 1000;
	uint64_t stall = rest * lost[0][a] / 1000;
	uint64_t front = rest - gone - stall;

	switch (of) {
	case CYCLES:
		return ONE;
	case INST:
		return inst;
	case MISS:
		return gone / c.miss;
	case UOP:
		return uop;
	case STALL:
		return stall;
	case BUBBLE:
		return front * c.bubbles / 100;
	case REWIND:
		return gone / 2;
	case MAPPED:
		return uop + gone / 2 * q->width;
	case GONE:
		return gone * q->width;
	case DELIVERY:
		return front * q->width;
	case BACK:
		return stall * q->width;
	}
	return 0;
}

static void
counts_at(const struct world *w, unsigned cpu, int64_t t,
	  const uint64_t *cycles)
{
	unsigned kind = w->k.work.cpu[cpu].kind;
	const struct sim_kind *q = &w->k.m->kind[kind];
	struct chip c = book_chip(w->spec.seed, kind,
				  q->class == SIM_CLASS_SLOW, w->spec.wide);
	uint64_t got;

	for (unsigned i = 0; i < sizeof(events) / sizeof(*events); i++) {
		uint64_t user = 0, kernel = 0;
		for (int a = 0; a < WORK_ACTIVITIES; a++) {
			uint64_t rate = base_of(q, c, events[i].of, a) *
					events[i].ppm[a] / 1000000;
			uint64_t n = cycles[a] / ONE * rate +
				     cycles[a] % ONE * rate / ONE;
			*(a < 6 ? &user : &kernel) += n;
		}
		if (!sim_kernel_total(&w->k, cpu, events[i].name, true, t,
				      &got))
			continue; /* not in this chip's database */
		assert_int_equal(got, user);
		assert_true(sim_kernel_total(&w->k, cpu, events[i].name, false,
					     t, &got));
		assert_int_equal(got, user + kernel);
	}
}

/* Within the first second, in the second phase, after all grains have been. */
UNIT(counts)
{
	static const int64_t after[] = { 123456789, 27000000001, 300000000000 };

	for (unsigned program = 0; program < NPROGRAMS; program++)
		for (unsigned i = 0; i < 9; i++) {
			struct world *w = world_of(i % 3 == 0   ? "m1"
						   : i % 3 == 1 ? "m6"
								: "m5max",
						   program, 5 + i);
			int64_t t = SIM_START_NS + after[i / 3];
			for (unsigned cpu = 1; cpu < w->k.ncpus;
			     cpu += w->k.ncpus - 2) {
				uint64_t cycles[WORK_ACTIVITIES];
				cycles_to(w, cpu, program, t, cycles);
				counts_at(w, cpu, t, cycles);
			}
		}
}

enum { USEFUL, PROCESSING, DISCARDED, DELIVERED, SHARES };

/* From least to most, in percent of the slots. */
struct range {
	double least, most;
};

/* Slots of a cycle of each activity, by the simulator's own rates. */
static void
slots_of(const struct sim_kind *q, unsigned uops,
	 double slots[WORK_KERNEL][SHARES])
{
	static const char *const names[] = { "slots.retiring", "slots.backend",
					     "slots.bad-spec",
					     "slots.frontend" };
	const struct work_physics by = { uops, 12, 50 };

	for (int i = 0; i < SHARES; i++) {
		struct work_rate r;
		assert_true(work_rate_of(q, &by, names[i], false, &r));
		for (int a = 0; a < WORK_KERNEL; a++)
			slots[a][i] = r.q20[a] / (double)q->width / ONE;
	}
}

/*
 * The cause that a program is of: from its mark on, and ten points before the
 * other two; of compute none reaches its mark.
 */
static void
cause_of(const double *pct, unsigned program)
{
	static const unsigned causes[] = { [MEMORY] = PROCESSING,
					   [BRANCHY] = DISCARDED,
					   [STARVED] = DELIVERED,
					   [KERNEL] = SHARES,
					   [MIXED] = PROCESSING };
	static const double mark[] = { 100, 35, 20, 35 };

	if (program == KERNEL)
		return;
	for (unsigned i = PROCESSING; i < SHARES; i++)
		if (program == COMPUTE)
			assert_true(pct[i] < mark[i]);
		else if (i == causes[program])
			assert_true(pct[i] >= mark[i] && pct[USEFUL] < 50);
		else
			assert_true(pct[i] + 10 <= pct[causes[program]]);
}

/* All grains of a program on a CPU of this kind. */
static void
ranges_of(const struct sim_kind *q, unsigned uops, unsigned cpu,
	  unsigned program, struct range r[SHARES])
{
	double slots[WORK_KERNEL][SHARES];

	slots_of(q, uops, slots);
	for (unsigned g = 0; g < GRAINS; g++) {
		double pct[SHARES] = { 0 }, all = 0, sum = 0;
		int share[WORK_ACTIVITIES];
		grain_of(3, cpu, program, g, share);
		for (int a = 0; a < WORK_KERNEL; a++)
			all += share[a];
		for (int i = 0; i < SHARES; i++) {
			for (int a = 0; a < WORK_KERNEL; a++)
				pct[i] += 100 * share[a] * slots[a][i] / all;
			sum += pct[i];
			r[i].least = fmin(r[i].least, pct[i]);
			r[i].most = fmax(r[i].most, pct[i]);
		}
		assert_true(sum > 99.99 && sum < 100.01);
		cause_of(pct, program);
	}
}

/* The page's row of a program: "| 42-54 / 31-35 / 28-39 / 61-67 | ..." */
static void
page_row(const char *name, struct range r[SIM_CLASS_COUNT][SHARES])
{
	FILE *fp = fopen("docs/SIMULATION.md", "r");
	char line[1024], start[32];
	bool table = false;

	assert_non_null(fp);
	snprintf(start, sizeof(start), "| %s |", name);
	do {
		assert_non_null(fgets(line, sizeof(line), fp));
		table = table || strncmp(line, "| % of the slots", 16) == 0;
	} while (!table || strncmp(line, start, strlen(start)) != 0);
	fclose(fp);
	char *cell = line + strlen(start);
	for (int i = 0; i < SHARES; i++) {
		for (int c = 0; c < SIM_CLASS_COUNT; c++) {
			r[c][i].least = strtod(cell, &cell);
			assert_int_equal(*cell++, '-');
			r[c][i].most = strtod(cell, &cell);
			cell += strspn(cell, " /");
		}
		assert_int_equal(*cell++, '|');
	}
}

/* What each loses of its slots is what the page says, to the percent. */
static void
lost_slots_of(unsigned program)
{
	static const char *const class[] = { "fast", "mid", "slow", "Intel" };
	static const char *const share[] = { "useful", "processing",
					     "discarded", "delivery" };
	struct range got[SIM_CLASS_COUNT][SHARES],
		page[SIM_CLASS_COUNT][SHARES];

	for (int i = 0; i < SIM_CLASS_COUNT * SHARES; i++)
		got[i / SHARES][i % SHARES] = (struct range){ 100, 0 };
	for (const struct sim_machine *m = sim_machines; m->name; m++)
		for (unsigned kind = 0; kind < m->nkinds; kind++)
			for (unsigned uops = 950; uops <= 1120; uops += 170)
				ranges_of(&m->kind[kind], uops, kind, program,
					  got[m->kind[kind].class]);
	page_row(programs[program].name, page);
	for (int i = 0; i < SIM_CLASS_COUNT * SHARES; i++) {
		const struct range *g = &got[i / SHARES][i % SHARES];
		const struct range *p = &page[i / SHARES][i % SHARES];
		printf("%s %s %s: %.3f-%.3f\n", programs[program].name,
		       class[i / SHARES], share[i % SHARES], g -> least,
		       g -> most);
		assert_true(g->least >= p->least && g->least < p->least + 1);
		assert_true(g->most <= p->most && g->most > p->most - 1);
	}
}

UNIT(lost_slots)
{
	for (unsigned program = 0; program < COUNTED; program++)
		lost_slots_of(program);
}

/* Thousandths of a blend in one of its phases of 2 s, by the book. */
static void
book_blend(uint64_t seed, unsigned cpu, unsigned phase, int *mix)
{
	int64_t square[6], sum = 0, user = 1000, left = 1000;

	mix[WORK_KERNEL] = (int)(book_draw(seed, 13, 512 + cpu, phase) % 501);
	user -= mix[WORK_KERNEL];
	left -= mix[WORK_KERNEL];
	for (unsigned a = 0; a < 6; a++) {
		uint64_t r = book_draw(seed, 14, 8 * (512 + cpu) + a, phase);
		int64_t n = 0;
		for (int i = 0; i < 12; i++)
			n += (int64_t)(r >> 5 * i & 31);
		square[a] = (n - 186) * (n - 186);
		sum += square[a];
	}
	for (unsigned a = 1; a < 6; a++) {
		mix[a] = (int)(user * square[a] / sum);
		left -= mix[a];
	}
	mix[0] = (int)left;
}

UNIT(blends)
{
	struct world *w = world_new("m3ultra,clock=step,seed=6,work=blend");
	unsigned main[6] = { 0 }, seen[6] = { 0 };

	for (unsigned cpu = 0; cpu < w->k.ncpus; cpu++)
		for (unsigned g = 0; g < GRAINS; g++) {
			const struct work_mix *x = &w->k.work.cpu[cpu].mix[g];
			struct book_phase p = { 90, { 0 } };
			int share[WORK_ACTIVITIES], busy;
			book_blend(6, cpu, g / 8, p.mix);
			book_grain(&p, &p, 8, book_noise(6, 512 + cpu, g),
				   book_noise(6, 4608 + cpu, g), share, &busy);
			for (int a = 0; a < WORK_ACTIVITIES; a++)
				assert_int_equal(x->share[a], share[a]);
			assert_true(p.mix[WORK_KERNEL] <= 500);
			for (int a = 0; a < 6; a++) {
				main[a] += p.mix[a] > 500;
				seen[a] += p.mix[a] > 50;
			}
		}
	/* Of a Dirichlet distribution of 0.5 over six, with the kernel beside,
	   each is most of it in some grains, and little in more than half. */
	for (int a = 0; a < 6; a++) {
		assert_true(main[a] > GRAINS * w->k.ncpus / 50);
		assert_true(seen[a] > GRAINS * w->k.ncpus / 3);
		assert_true(seen[a] < GRAINS * w->k.ncpus * 2 / 3);
	}
}

/* Counts of many chips, wide ones too, to the unit. */
UNIT(physics)
{
	static const char *const machines[] = { "m1", "m4", "m5max", "intel" };
	unsigned costs[2] = { 0 };

	for (unsigned i = 0; i < 80; i++) {
		bool wide = i % 2 != 0;
		char text[96];
		snprintf(text, sizeof text,
			 "%s,clock=step,seed=%u,work=blend,physics=%s",
			 machines[i / 2 % 4], i, wide ? "wide" : "drawn");
		struct world *w = world_new(text);
		for (unsigned cpu = 0; cpu < w->k.ncpus; cpu++) {
			unsigned k = w->k.work.cpu[cpu].kind;
			bool slow = w->k.m->kind[k].class == SIM_CLASS_SLOW;
			struct chip c = book_chip(i, k, slow, wide);
			struct work_done d;
			assert_in_range(c.uops, wide ? 880 : 950,
					wide ? 1200 : 1120);
			assert_in_range(c.miss,
					slow   ? wide ? 4 : 7
					: wide ? 5
					       : 9,
					slow   ? wide ? 30 : 15
					: wide ? 35
					       : 22);
			assert_in_range(c.bubbles, 15, 80);
			costs[wide] |= 1u << c.miss % 32;
			work_until(&w->k.work, cpu, SIM_START_NS, &d);
			counts_at(w, cpu, SIM_START_NS, d.cycles);
		}
	}
	/* Forty seeds of two kinds have nearly all costs. */
	assert_true(__builtin_popcount(costs[false]) > 12);
	assert_true(__builtin_popcount(costs[true]) > 20);
}
