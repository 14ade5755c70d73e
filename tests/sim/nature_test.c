/*
 * Programs of a known nature, work=NATURE, against docs/SIMULATION.md: this
 * file works out grains, counts and lost slots by the book, in its own way.
 */
#include "sim/book.h"
#include "sim/world.h"

#include <math.h>
#include <stdio.h>

#include "sim/nature.h"

#define GRAIN 250000000
#define GRAINS 960
#define ONE 1048576 /* 2^20 */

/* The table of the page; in phases the first four take turns. */
static const struct {
	const char *name;
	struct book_phase is;
} natures[] = {
	{ "compute", { 90, { 860, 40, 60, 10, 0, 0, 30 } } },
	{ "memory", { 90, { 30, 850, 50, 10, 0, 0, 60 } } },
	{ "branchy", { 90, { 60, 60, 130, 10, 0, 690, 50 } } },
	{ "starved", { 90, { 80, 40, 60, 10, 760, 0, 50 } } },
	{ "kernel", { 90, { 80, 90, 110, 10, 0, 0, 710 } } },
	{ "mixed", { 90, { 35, 405, 10, 0, 215, 305, 30 } } },
	{ "idle", { 0, { 200, 150, 300, 10, 0, 0, 340 } } },
	{ "phases", { 0, { 0 } } },
};

enum { COMPUTE, MEMORY, BRANCHY, STARVED, KERNEL, MIXED, IDLE, PHASES };
enum { NNATURES = PHASES + 1, COUNTED = MIXED + 1 }; /* idle: nothing */

static const struct book_phase *
nature_in(unsigned nature, unsigned g)
{
	return &natures[nature == PHASES ? (g / 80 + 2) % 4 : nature].is;
}

static struct world *
world_of(const char *machine, unsigned nature, unsigned seed)
{
	char text[96];

	snprintf(text, sizeof(text), "%s,clock=step,seed=%u,work=%s", machine,
		 seed, natures[nature].name);
	return world_new(text);
}

/* Shares and the frequency's step of one grain, by the book. */
static unsigned
grain_of(unsigned seed, unsigned cpu, unsigned nature, unsigned g, int *share)
{
	const struct book_phase *p = nature_in(nature, g);
	int busy;

	book_grain(p, p, 8, book_noise(seed, 512 + cpu, g),
		   book_noise(seed, 4608 + cpu, g), share, &busy);
	return busy < 10 ? 0 : busy < 350 ? 1 : busy < 750 ? 2 : 3;
}

UNIT(grains)
{
	static const char *const machines[] = { "m1", "m6", "intel", "vm" };

	for (unsigned i = 0; i < 4 * NNATURES; i++) {
		unsigned nature = i / 4, seed = 1 + i;
		struct world *w = world_of(machines[i % 4], nature, seed);
		for (unsigned cpu = 0; cpu < w->k.ncpus; cpu++) {
			const struct work_cpu *c = &w->k.work.cpu[cpu];
			const struct sim_kind *q = &w->k.m->kind[c->kind];
			assert_int_equal(c->grains, GRAINS);
			for (unsigned g = 0; g < GRAINS; g++) {
				int share[WORK_ACTIVITIES];
				unsigned step =
					grain_of(seed, cpu, nature, g, share);
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
				    "work=cpu9:idle,work=P0:starved");
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
cycles_to(const struct world *w, unsigned cpu, unsigned nature, int64_t t,
	  uint64_t *cycles)
{
	const struct sim_kind *q = &w->k.m->kind[w->k.work.cpu[cpu].kind];
	int share[WORK_ACTIVITIES];

	memset(cycles, 0, WORK_ACTIVITIES * sizeof(*cycles));
	for (int64_t at = 0; at < t; at += GRAIN) {
		uint64_t ns = (uint64_t)(t - at < GRAIN ? t - at : GRAIN);
		unsigned g = (unsigned)(at / GRAIN % GRAINS);
		uint64_t mhz = q->mhz[grain_of((unsigned)w->spec.seed, cpu,
					       nature, g, share)];
		for (int a = 0; a < WORK_ACTIVITIES; a++)
			cycles[a] += (uint64_t)share[a] * mhz * ns / 4096000;
	}
}

/* What a thousand cycles come to, and where the rest of the slots goes. */
static const unsigned ipc[SIM_CLASS_COUNT][WORK_ACTIVITIES] = {
	[SIM_CLASS_FAST] = { 4200, 430, 2300, 3600, 1400, 1500, 1350 },
	[SIM_CLASS_MID] = { 3300, 400, 1900, 2900, 1150, 1250, 1100 },
	[SIM_CLASS_SLOW] = { 1450, 330, 950, 1250, 620, 680, 720 },
	[SIM_CLASS_INTEL] = { 2600, 380, 1400, 2300, 900, 1000, 900 },
};
static const unsigned lost[3][WORK_ACTIVITIES] = {
	{ 420, 860, 260, 560, 150, 130, 430 }, /* stalled */
	{ 90, 40, 210, 60, 480, 90, 330 },     /* bubble */
	{ 60, 25, 330, 20, 60, 690, 70 },      /* discarded */
};

enum base { CYCLES, INST, STALL, BUBBLE, REWIND, MAPPED, DELIVERY };

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
	{ "BRANCH_MISPRED_NONSPEC",
	  INST,
	  { 900, 1500, 9500, 300, 1800, 25000, 4200 } },
	{ "FETCH_RESTART",
	  INST,
	  { 1500, 1200, 8000, 400, 26000, 21000, 9000 } },
	{ "MAP_DISPATCH_BUBBLE_IC",
	  BUBBLE,
	  { 150000, 200000, 350000, 100000, 550000, 120000, 500000 } },
};

static uint64_t
base_of(const struct sim_kind *q, enum base of, int a)
{
	uint64_t inst = (uint64_t)ipc[q->class][a] * ONE / 1000;
	uint64_t uop = inst * 106 / 100, rest = ONE - uop / q->width;
	uint64_t rewind = rest * lost[2][a] / 2000;

	switch (of) {
	case CYCLES:
		return ONE;
	case INST:
		return inst;
	case STALL:
		return rest * lost[0][a] / 1000;
	case BUBBLE:
		return rest * lost[1][a] / 1000;
	case REWIND:
		return rewind;
	case MAPPED:
		return uop + rewind * q->width;
	case DELIVERY:
		return rest * (1000 - lost[0][a] - lost[2][a]) / 1000 *
		       q->width;
	}
	return 0;
}

static void
counts_at(const struct world *w, unsigned cpu, unsigned nature, int64_t t)
{
	const struct sim_kind *q = &w->k.m->kind[w->k.work.cpu[cpu].kind];
	uint64_t cycles[WORK_ACTIVITIES], got;

	cycles_to(w, cpu, nature, t, cycles);
	for (unsigned i = 0; i < sizeof(events) / sizeof(*events); i++) {
		uint64_t user = 0, kernel = 0;
		for (int a = 0; a < WORK_ACTIVITIES; a++) {
			uint64_t rate = base_of(q, events[i].of, a) *
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

	for (unsigned nature = 0; nature < NNATURES; nature++)
		for (unsigned i = 0; i < 9; i++) {
			struct world *w = world_of(i % 3 == 0   ? "m1"
						   : i % 3 == 1 ? "m6"
								: "m5max",
						   nature, 5 + i);
			unsigned last = w->k.ncpus - 1;
			counts_at(w, 1, nature, SIM_START_NS + after[i / 3]);
			counts_at(w, last, nature, SIM_START_NS + after[i / 3]);
		}
}

enum { USEFUL, PROCESSING, DISCARDED, DELIVERED, SHARES };

/* From least to most, in percent of the slots. */
struct range {
	double least, most;
};

/* Slots of a cycle of each activity, by the simulator's own rates. */
static void
slots_of(const struct sim_kind *q, double slots[WORK_KERNEL][SHARES])
{
	struct work_rate up, map, stall, rewind, slot;

	work_rate_of(q, NULL, "RETIRE_UOP", false, &up);
	work_rate_of(q, NULL, "MAP_UOP", false, &map);
	work_rate_of(q, NULL, "MAP_STALL", false, &stall);
	work_rate_of(q, NULL, "MAP_REWIND", false, &rewind);
	work_rate_of(q, NULL, "MAP_DISPATCH_BUBBLE_SLOT", false, &slot);
	for (int a = 0; a < WORK_KERNEL; a++) {
		double *s = slots[a], width = q->width;
		s[USEFUL] = up.q20[a] / width / ONE;
		s[PROCESSING] = (double)stall.q20[a] / ONE;
		s[DISCARDED] =
			(rewind.q20[a] + map.q20[a] / width) / ONE - s[USEFUL];
		s[DELIVERED] = slot.q20[a] / width / ONE;
	}
}

/*
 * Measured by what is much of it, in percent of the slots, the cause that a
 * nature is named after is first by far; in mixed the three are alike.
 */
static void
cause_of(const double *pct, unsigned nature)
{
	const double over[] = { pct[PROCESSING] / 40, pct[DISCARDED] / 20,
				pct[DELIVERED] / 25 };
	double least = fmin(over[0], fmin(over[1], over[2]));
	double most = fmax(over[0], fmax(over[1], over[2]));

	if (nature == MIXED)
		assert_true(least > 0.85 && most < 1.2 * least);
	if (nature < MEMORY || nature > STARVED)
		return;
	for (unsigned i = 0; i < 3; i++)
		if (i == nature - MEMORY)
			assert_true(over[i] > 1.7 && over[i] == most);
		else
			assert_true(over[i] < most / 2);
}

/* All grains of a nature on a CPU of this kind. */
static void
ranges_of(const struct sim_kind *q, unsigned cpu, unsigned nature,
	  struct range r[SHARES])
{
	double slots[WORK_KERNEL][SHARES];

	slots_of(q, slots);
	for (unsigned g = 0; g < GRAINS; g++) {
		double pct[SHARES] = { 0 }, all = 0, sum = 0;
		int share[WORK_ACTIVITIES];
		grain_of(3, cpu, nature, g, share);
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
		cause_of(pct, nature);
	}
}

/* The page's row of a nature: "| 42-54 / 31-35 / 28-39 / 61-67 | ..." */
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
lost_slots_of(unsigned nature)
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
			ranges_of(&m->kind[kind], kind, nature,
				  got[m->kind[kind].class]);
	page_row(natures[nature].name, page);
	for (int i = 0; i < SIM_CLASS_COUNT * SHARES; i++) {
		const struct range *g = &got[i / SHARES][i % SHARES];
		const struct range *p = &page[i / SHARES][i % SHARES];
		printf("%s %s %s: %.3f-%.3f\n", natures[nature].name,
		       class[i / SHARES], share[i % SHARES], g -> least,
		       g -> most);
		assert_true(g->least >= p->least && g->least < p->least + 1);
		assert_true(g->most <= p->most && g->most > p->most - 1);
	}
}

UNIT(lost_slots)
{
	for (unsigned nature = 0; nature < COUNTED; nature++)
		lost_slots_of(nature);
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

/* What a kind's chip has of them, by the book. */
struct chip {
	uint64_t uops, miss, bubbles;
};

static struct chip
book_chip(uint64_t seed, unsigned kind, bool slow)
{
	uint64_t r = book_draw(seed, 15, kind, 0);

	return (struct chip){ 950 + r % 171,
			      slow ? 7 + (r >> 8) % 9 : 9 + (r >> 8) % 14,
			      15 + (r >> 16) % 66 };
}

/* Each base of an activity as the page has it. */
static uint64_t
drawn_base(const struct sim_kind *q, struct chip c, enum base of, int a)
{
	static const unsigned wrong[] = { 900,  1500,  9500, 300,
					  1800, 25000, 4200 };
	uint64_t inst = (uint64_t)ipc[q->class][a] * ONE / 1000;
	uint64_t uop = inst * c.uops / 1000, rest = ONE - uop / q->width;
	uint64_t gone = inst * wrong[a] / 1000000 * c.miss;

	gone = gone < rest * 9 / 10 ? gone : rest * 9 / 10;
	uint64_t stall = (rest - gone) * lost[0][a] / (1000 - lost[2][a]);
	uint64_t front = rest - gone - stall;

	switch (of) {
	case CYCLES:
		return ONE;
	case INST:
		return inst;
	case STALL:
		return stall;
	case BUBBLE:
		return front * c.bubbles / 100;
	case REWIND:
		return gone / 2;
	case MAPPED:
		return uop + gone / 2 * q->width;
	case DELIVERY:
		return front * q->width;
	}
	return 0;
}

/* Counts of a machine whose physics are drawn, to the unit. */
UNIT(drawn_physics)
{
	static const char *const machines[] = { "m1", "m4", "m5max", "neo" };
	unsigned costs = 0;

	for (unsigned i = 0; i < 40; i++) {
		char text[96];
		snprintf(text, sizeof text,
			 "%s,clock=step,seed=%u,work=blend,physics=drawn",
			 machines[i % 4], i);
		struct world *w = world_new(text);
		for (unsigned k = 0; k < w->k.m->nkinds; k++) {
			const struct sim_kind *q = &w->k.m->kind[k];
			bool slow = q->class == SIM_CLASS_SLOW;
			struct chip c = book_chip(i, k, slow);
			assert_in_range(c.uops, 950, 1120);
			assert_in_range(c.miss, slow ? 7 : 9, slow ? 15 : 22);
			assert_in_range(c.bubbles, 15, 80);
			costs |= 1u << c.miss;
		}
		for (unsigned cpu = 0; cpu < w->k.ncpus; cpu++) {
			unsigned k = w->k.work.cpu[cpu].kind;
			const struct sim_kind *q = &w->k.m->kind[k];
			struct chip c =
				book_chip(i, k, q->class == SIM_CLASS_SLOW);
			struct work_done d;
			work_until(&w->k.work, cpu, SIM_START_NS, &d);
			for (unsigned e = 0;
			     e < sizeof(events) / sizeof(*events); e++) {
				uint64_t want = 0, got;
				if (!sim_kernel_total(&w->k, cpu,
						      events[e].name, true,
						      SIM_START_NS, &got))
					continue;
				for (int a = 0; a < WORK_KERNEL; a++)
					want += work_scale(
						d.cycles[a],
						(uint32_t)(drawn_base(
								   q, c,
								   events[e].of,
								   a) *
							   events[e].ppm[a] /
							   1000000));
				assert_int_equal(got, want);
			}
		}
	}
	/* Forty seeds of three or so kinds have many costs. */
	assert_true(costs > 1u << 20);
}
