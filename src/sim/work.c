#include "sim/program.h"

#include <stdlib.h>
#include <string.h>

#include "sim/work.h"

/* busy: hundredths of the time; mix: thousandths of the busy time. */
struct work_phase {
	int busy;
	const int *mix;
};

enum state {
	STATE_COMPUTE,
	STATE_MEMORY,
	STATE_BRANCHY,
	STATE_VECTOR,
	STATE_KERNEL,
	STATE_LIGHT,
	STATE_IDLE,
	STATES
};

/* Thousandths of the busy time, by activity. */
/* clang-format off */
static const int mixes[STATES][WORK_ACTIVITIES] = {
	[STATE_COMPUTE] = { 860,  40,  60,  10, 0, 0,  30 },
	[STATE_MEMORY]  = {  30, 850,  50,  10, 0, 0,  60 },
	[STATE_BRANCHY] = { 120,  60, 720,  10, 0, 0,  90 },
	[STATE_VECTOR]  = {  60, 110,  20, 780, 0, 0,  30 },
	[STATE_KERNEL]  = {  80,  90, 110,  10, 0, 0, 710 },
	[STATE_LIGHT]   = { 200, 150, 300,  10, 0, 0, 340 },
	[STATE_IDLE]    = { 200, 150, 300,  10, 0, 0, 340 }
};

/* Odds of states in hundredths, by job. */
static const int odds[3][STATES] = {
	{ 30, 18, 16, 12,  8,  8,  8 },
	{ 10,  8, 10,  4,  8, 28, 32 },
	{ 14, 10, 12,  2, 14, 33, 15 }
};

/* Busy time of states in hundredths: minimum, number of values. */
static const int levels[STATES][2] = {
	{ 70, 31 }, { 60, 41 }, { 60, 41 }, { 70, 31 }, { 40, 51 }, { 5, 26 },
	{ 0, 1 }
};
/* clang-format on */

uint64_t
work_draw(uint64_t seed, uint64_t a, uint64_t b, uint64_t c)
{
	const uint64_t in[] = { seed, a, b, c };
	uint64_t x = 0;

	for (unsigned i = 0; i < 4; i++) {
		x = (x ^ in[i]) + 0x9e3779b97f4a7c15ull;
		x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
		x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
		x ^= x >> 31;
	}
	return x;
}

static struct work_phase
phase_draw(uint64_t r, const int *odd)
{
	int ticket = (int)(r % 100), s = 0;
	struct work_phase p;

	while (ticket >= odd[s])
		ticket -= odd[s++];
	p.busy = levels[s][0] + (int)((r >> 8) % (uint64_t)levels[s][1]);
	p.mix = mixes[s];
	return p;
}

/* Noise, -1000 to 1000: drawn every 8 grains, linear between draws. */
struct noise {
	uint64_t seed, who;
	int last, next;
};

static int
noise_draw(const struct noise *n, unsigned at)
{
	return (int)(work_draw(n->seed, 3, n->who, at) % 2001) - 1000;
}

/* Call it with ascending grains only. */
static int
noise(struct noise *n, unsigned grain)
{
	unsigned at = grain / 8, part = grain % 8;

	if (part == 0) {
		n->last = at == 0 ? noise_draw(n, at) : n->next;
		n->next = noise_draw(n, at + 1);
	}
	return n->last + (n->next - n->last) * (int)part / 8;
}

/* Moves up to 5 % of the busy time between the main activity and another. */
static void
shift_mix(int *permille, int n)
{
	int main = 0;

	for (int a = 1; a < WORK_ACTIVITIES; a++)
		if (permille[a] > permille[main])
			main = a;
	int other = main == WORK_COMPUTE ? WORK_MEMORY : WORK_COMPUTE;
	int moved = n / 20;
	if (moved > permille[main])
		moved = permille[main];
	if (moved < -permille[other])
		moved = -permille[other];
	permille[main] -= moved;
	permille[other] += moved;
}

static unsigned
clock_step(int busy_permille)
{
	return busy_permille < 10    ? 0
	       : busy_permille < 350 ? 1
	       : busy_permille < 750 ? 2
				     : 3;
}

static void
mix_fill(struct work_mix *out, const struct sim_kind *kind,
	 struct work_phase from, struct work_phase to, int part, int whole,
	 int n1, int n2)
{
	int permille[WORK_ACTIVITIES];
	int busy =
		(from.busy * 10 * (whole - part) + to.busy * 10 * part) / whole;
	unsigned used = 0;

	busy += busy * n1 / 16000;
	if (busy > 1000)
		busy = 1000;
	for (int a = 0; a < WORK_ACTIVITIES; a++)
		permille[a] =
			(from.mix[a] * (whole - part) + to.mix[a] * part) /
			whole;
	shift_mix(permille, n2);
	for (int a = 0; a < WORK_ACTIVITIES; a++) {
		out->share[a] = (uint16_t)(WORK_SHARE * busy / 1000 *
					   permille[a] / 1000);
		used += out->share[a];
	}
	if (used < WORK_SHARE)
		out->share[WORK_KERNEL]++;
	out->mhz = (uint16_t)kind->mhz[clock_step(busy)];
}

static void
job_run(struct work_mix *out, const struct sim_machine *m, uint64_t seed,
	unsigned kind, unsigned job)
{
	unsigned n = sim_machine_kind_cpus(m, kind);
	const int *odd = odds[m->kind[kind].class == SIM_CLASS_SLOW ? 2
			      : job < (n + 1) / 2                   ? 0
								    : 1];
	uint64_t who = kind * 64u + job;
	struct noise one = { .seed = seed, .who = who };
	struct noise two = { .seed = seed, .who = who + 4096 };
	struct work_phase now = phase_draw(work_draw(seed, 1, who, 0), odd);
	unsigned g = 0;

	for (uint64_t i = 1; g < WORK_GRAINS; i++) {
		uint64_t r = work_draw(seed, 1, who, i);
		struct work_phase next = phase_draw(r, odd);
		unsigned len = 8 + (unsigned)((r >> 32) % 73);
		for (unsigned k = 0; k < len && g < WORK_GRAINS; k++, g++)
			mix_fill(&out[g], &m->kind[kind], now, next,
				 k < 8 ? (int)k + 1 : 8, 8, noise(&one, g),
				 noise(&two, g));
		now = next;
	}
}

/* Number of places by which jobs have moved between CPUs, for each grain. */
static void
turns_run(uint8_t *out, uint64_t seed, unsigned kind, unsigned n)
{
	unsigned g = 0, turn = 0;

	for (uint64_t i = 0; g < WORK_GRAINS; i++) {
		uint64_t r = work_draw(seed, 2, kind, i);
		unsigned len = 48 + (unsigned)((r >> 32) % 73);
		for (unsigned k = 0; k < len && g < WORK_GRAINS; k++, g++)
			out[g] = (uint8_t)turn;
		if (n > 1)
			turn = (turn + 1 + (unsigned)(r % (n - 1))) % n;
	}
}

static uint64_t
part_cycles(const struct work_mix *x, int a, int64_t ns)
{
	return (uint64_t)x->share[a] * x->mhz * (uint64_t)ns /
	       (WORK_SHARE * 1000u);
}

static void
sums_run(struct work_cpu *c)
{
	for (unsigned g = 0; g < c->grains; g++) {
		const struct work_mix *x = &c->mix[g];
		c->user[g + 1] = c->user[g];
		for (int a = 0; a < WORK_ACTIVITIES; a++) {
			c->cycles[g + 1][a] = c->cycles[g][a] +
					      part_cycles(x, a, WORK_GRAIN_NS);
			if (a != WORK_KERNEL)
				c->user[g + 1] += x->share[a];
		}
		c->kernel[g + 1] = c->kernel[g] + x->share[WORK_KERNEL];
	}
}

/* A phase lasts 20 s; the first starts with the simulation, at 1000 s. */
#define PHASE_GRAINS 80u
#define PHASE_FIRST 50u
#define BLEND_GRAINS 8u

/* clang-format off */
static const struct {
	const char *name;
	int busy; /* hundredths */
	int mix[WORK_ACTIVITIES]; /* thousandths of the busy time */
} programs[SIM_PROGRAMS] = {
	[SIM_PROGRAM_DRAWN]   = { "drawn",    0, { 0 } },
	[SIM_PROGRAM_COMPUTE] = { "compute", 90, { 860,  40,  60, 10,   0,   0,  30 } },
	[SIM_PROGRAM_MEMORY]  = { "memory",  90, {  30, 850,  50, 10,   0,   0,  60 } },
	[SIM_PROGRAM_BRANCHY] = { "branchy", 90, {  60,  60, 130, 10,   0, 690,  50 } },
	[SIM_PROGRAM_FRONTEND] = { "frontend", 90, {  80,  40,  60, 10, 760,   0,  50 } },
	[SIM_PROGRAM_KERNEL]  = { "kernel",  90, {  80,  90, 110, 10,   0,   0, 710 } },
	[SIM_PROGRAM_MIXED]   = { "mixed",   90, {  35, 425,  10,  0, 205, 295,  30 } },
	[SIM_PROGRAM_IDLE]    = { "idle",     0, { 200, 150, 300, 10,   0,   0, 340 } },
	[SIM_PROGRAM_PHASES]  = { "phases",   0, { 0 } },
	[SIM_PROGRAM_BLEND]   = { "blend",   90, { 0 } }
};
/* clang-format on */

static const enum sim_program phases[] = { SIM_PROGRAM_COMPUTE,
					   SIM_PROGRAM_MEMORY,
					   SIM_PROGRAM_BRANCHY,
					   SIM_PROGRAM_FRONTEND };

#define PHASES (sizeof phases / sizeof *phases)

const char *
sim_program_name(unsigned program)
{
	return program < SIM_PROGRAMS ? programs[program].name : NULL;
}

bool
sim_program_find(const char *name, enum sim_program *out)
{
	for (unsigned i = 0; i < SIM_PROGRAMS; i++)
		if (strcmp(programs[i].name, name) == 0) {
			*out = (enum sim_program)i;
			return true;
		}
	return false;
}

/* Draws a mix: 0 to 50 % kernel mode, the rest in shares of squares of nearly
 * normal numbers (Dirichlet distribution with 0.5). */
static void
blend_mix(int *mix, uint64_t seed, uint64_t who, unsigned phase)
{
	uint64_t square[WORK_KERNEL], sum = 0;
	int left = 1000;

	mix[WORK_KERNEL] = (int)(work_draw(seed, 13, who, phase) % 501);
	for (unsigned a = 0; a < WORK_KERNEL; a++) {
		uint64_t r = work_draw(seed, 14, who * 8 + a, phase);
		int64_t n = -186;

		for (unsigned i = 0; i < 12; i++, r >>= 5)
			n += (int64_t)(r & 31);
		square[a] = (uint64_t)(n * n);
		sum += square[a];
	}
	for (unsigned a = WORK_KERNEL; a > WORK_COMPUTE; a--) {
		if (a < WORK_KERNEL)
			mix[a] = (int)((uint64_t)(1000 - mix[WORK_KERNEL]) *
				       square[a] / (sum > 0 ? sum : 1));
		left -= mix[a];
	}
	mix[WORK_COMPUTE] = left;
}

/* Programs have equal phases on all CPUs; blends differ. */
static void
program_run(struct work_cpu *c, const struct sim_kind *kind, uint64_t seed,
	    unsigned cpu, enum sim_program program)
{
	_Static_assert(SIM_PROGRAM_GRAINS % (PHASE_GRAINS * PHASES) == 0 &&
			       SIM_PROGRAM_GRAINS % BLEND_GRAINS == 0,
		       "the phases come round with the grains");
	/* For drawn jobs, `who` is below 256. */
	uint64_t who = 512 + cpu;
	struct noise one = { .seed = seed, .who = who };
	struct noise two = { .seed = seed, .who = who + 4096 };
	int blended[WORK_ACTIVITIES];

	c->program = (uint8_t)program;
	c->grains = SIM_PROGRAM_GRAINS;
	for (unsigned g = 0; g < c->grains; g++) {
		enum sim_program now = program;
		struct work_phase p;

		if (program == SIM_PROGRAM_PHASES)
			now = phases[(g / PHASE_GRAINS + PHASES -
				      PHASE_FIRST % PHASES) %
				     PHASES];
		if (program == SIM_PROGRAM_BLEND && g % BLEND_GRAINS == 0)
			blend_mix(blended, seed, who, g / BLEND_GRAINS);
		p = (struct work_phase){ programs[now].busy,
					 program == SIM_PROGRAM_BLEND
						 ? blended
						 : programs[now].mix };
		mix_fill(&c->mix[g], kind, p, p, 1, 1, noise(&one, g),
			 noise(&two, g));
	}
	sums_run(c);
}

static void
kind_run(struct work *w, const struct sim_machine *m, uint64_t seed,
	 unsigned kind, struct work_mix *jobs)
{
	unsigned n = sim_machine_kind_cpus(m, kind), place = 0;
	uint8_t turns[WORK_GRAINS];

	for (unsigned j = 0; j < n; j++)
		job_run(jobs + (size_t)j * WORK_GRAINS, m, seed, kind, j);
	turns_run(turns, seed, kind, n);
	for (unsigned cpu = 0; cpu < w->ncpus; cpu++) {
		struct work_cpu *c = &w->cpu[cpu];
		if (m->cluster[sim_machine_cluster(m, cpu)].kind != kind)
			continue;
		c->kind = kind;
		c->grains = WORK_GRAINS;
		for (unsigned g = 0; g < WORK_GRAINS; g++) {
			c->job[g] = (uint8_t)((place + turns[g]) % n);
			c->mix[g] = jobs[(size_t)c->job[g] * WORK_GRAINS + g];
		}
		sums_run(c);
		place++;
	}
}

bool
work_init(struct work *w, const struct sim_machine *m, uint64_t seed,
	  const uint8_t *program, struct err *e)
{
	w->ncpus = sim_machine_ncpus(m);
	w->cpu = calloc(w->ncpus, sizeof *w->cpu);
	struct work_mix *jobs =
		calloc((size_t)w->ncpus * WORK_GRAINS, sizeof *jobs);
	if (w->cpu == NULL || jobs == NULL) {
		free(jobs);
		work_free(w);
		return err_set(e, ERR_FAIL,
			       "out of memory for the simulated work");
	}
	for (unsigned k = 0; k < m->nkinds; k++)
		kind_run(w, m, seed, k, jobs);
	free(jobs);
	for (unsigned cpu = 0; program != NULL && cpu < w->ncpus; cpu++) {
		struct work_cpu *c = &w->cpu[cpu];
		if (program[cpu] != SIM_PROGRAM_DRAWN)
			program_run(c, &m->kind[c->kind], seed, cpu,
				    (enum sim_program)program[cpu]);
	}
	return true;
}

void
work_free(struct work *w)
{
	free(w->cpu);
	w->cpu = NULL;
	w->ncpus = 0;
}

/* floor((shares * GRAIN + now * part) / SHARE), without a product that
 * overflows after 52 days. */
static uint64_t
shares_ns(uint64_t shares, uint64_t now, int64_t part)
{
	return shares / WORK_SHARE * WORK_GRAIN_NS +
	       (shares % WORK_SHARE * WORK_GRAIN_NS + now * (uint64_t)part) /
		       WORK_SHARE;
}

void
work_until(const struct work *w, unsigned cpu, int64_t ns,
	   struct work_done *out)
{
	const struct work_cpu *c = &w->cpu[cpu];
	uint64_t grain = (uint64_t)(ns / WORK_GRAIN_NS);
	int64_t part = ns % WORK_GRAIN_NS;
	uint64_t periods = grain / c->grains;
	unsigned g = (unsigned)(grain % c->grains);
	const struct work_mix *x = &c->mix[g];
	uint64_t user = periods * c->user[c->grains] + c->user[g];
	uint64_t kernel = periods * c->kernel[c->grains] + c->kernel[g];
	uint64_t user_now = 0;

	for (int a = 0; a < WORK_ACTIVITIES; a++) {
		out->cycles[a] = periods * c->cycles[c->grains][a] +
				 c->cycles[g][a] + part_cycles(x, a, part);
		if (a != WORK_KERNEL)
			user_now += x->share[a];
	}
	out->user_ns = shares_ns(user, user_now, part);
	out->kernel_ns = shares_ns(kernel, x->share[WORK_KERNEL], part);
	out->idle_ns = (uint64_t)ns - out->user_ns - out->kernel_ns;
}

enum base {
	OF_CYCLE,
	OF_INST,
	OF_MISS,
	OF_UOP,
	OF_MAPPED, /* uops mapped, including discarded ones */
	OF_STALL,
	OF_BUBBLE, /* map cycles without input */
	OF_REWIND,
	OF_GONE,        /* slots discarded or rewound */
	OF_DELIVERY,    /* slots without uops from the front end */
	OF_STALL_SLOT,  /* slots without a mapped uop */
	OF_STALL_BACK,  /* OF_STALL_SLOT due to the back end */
	OF_STALL_FRONT, /* OF_STALL_SLOT due to the front end */
	BASES
};

/* Instructions per 1000 cycles, by activity. */
/* clang-format off */
static const unsigned ipc[SIM_CLASS_COUNT][WORK_ACTIVITIES] = {
	[SIM_CLASS_FAST]  = { 4200, 430, 2300, 3600, 1400, 1500, 1350 },
	[SIM_CLASS_MID]   = { 3500, 400, 1900, 2900, 1150, 1250, 1100 },
	[SIM_CLASS_SLOW]  = { 1850, 330,  950, 1250,  620, 1000,  720 },
	[SIM_CLASS_INTEL] = { 2600, 380, 1400, 2300,  900, 1000,  900 }
};

/* Lost slots in thousandths; the front end has the rest. */
static const unsigned lost[WORK_ACTIVITIES][2] = {
	/* back end, bad speculation */
	{ 430, 60 }, { 860, 25 }, { 260, 330 }, { 560, 20 },
	{ 150, 60 }, { 130, 690 }, { 430, 70 }
};

/* Millionths of the base, by activity: compute, memory, branchy, vector, fetch, guess, kernel. A name that ends in * matches prefixes. */
static const struct rule {
	const char *event;
	enum base of;
	uint32_t ppm[WORK_ACTIVITIES];
} rules[] = {
	{ "FIXED_CYCLES", OF_CYCLE, { 1000000, 1000000, 1000000, 1000000, 1000000, 1000000, 1000000 } },
	{ "CORE_ACTIVE_CYCLE", OF_CYCLE, { 1000000, 1000000, 1000000, 1000000, 1000000, 1000000, 1000000 } },
	{ "FIXED_INSTRUCTIONS", OF_INST, { 1000000, 1000000, 1000000, 1000000, 1000000, 1000000, 1000000 } },
	{ "INST_ALL", OF_INST, { 1000000, 1000000, 1000000, 1000000, 1000000, 1000000, 1000000 } },

	{ "INST_BRANCH", OF_INST, { 130000, 90000, 220000, 40000, 150000, 230000, 190000 } },
	{ "INST_BRANCH_TAKEN", OF_INST, { 78000, 54000, 120000, 28000, 95000, 125000, 115000 } },
	{ "INST_BRANCH_COND", OF_INST, { 95000, 70000, 160000, 33000, 105000, 170000, 130000 } },
	{ "INST_BRANCH_CALL", OF_INST, { 9000, 5000, 18000, 2000, 12000, 17000, 20000 } },
	{ "INST_BRANCH_CALL_INDIR", OF_INST, { 1500, 800, 6000, 300, 2500, 6500, 5000 } },
	{ "INST_BRANCH_RET", OF_INST, { 9000, 5000, 18000, 2000, 12000, 17000, 20000 } },
	{ "INST_BRANCH_INDIR", OF_INST, { 12000, 7000, 30000, 3000, 17000, 32000, 28000 } },
	{ "BRANCH_MISPRED_NONSPEC", OF_MISS, { 1000000, 1000000, 1000000, 1000000, 1000000, 1000000, 1000000 } },
	{ "BRANCH_COND_MISPRED_NONSPEC", OF_MISS, { 780000, 800000, 740000, 830000, 720000, 780000, 710000 } },
	{ "BRANCH_INDIR_MISPRED_NONSPEC", OF_MISS, { 200000, 170000, 240000, 130000, 250000, 210000, 260000 } },
	{ "BRANCH_CALL_INDIR_MISPRED_NONSPEC", OF_MISS, { 67000, 60000, 95000, 50000, 83000, 80000, 100000 } },
	{ "BRANCH_RET_INDIR_MISPRED_NONSPEC", OF_MISS, { 55000, 40000, 53000, 33000, 50000, 36000, 60000 } },
	{ "BRANCH_BR_INDIR_MISPRED_NONSPEC", OF_MISS, { 78000, 70000, 92000, 47000, 100000, 88000, 100000 } },
	{ "ARM_BR_PRED", OF_INST, { 145000, 105000, 270000, 44000, 170000, 330000, 220000 } },
	{ "ARM_BR_MIS_PRED", OF_MISS, { 1220000, 1270000, 1260000, 1200000, 1220000, 1360000, 1240000 } },

	{ "INST_INT_ALU", OF_INST, { 500000, 380000, 410000, 150000, 485000, 420000, 380000 } },
	{ "INST_LDST", OF_INST, { 300000, 480000, 340000, 360000, 310000, 310000, 400000 } },
	{ "INST_INT_LD", OF_INST, { 190000, 300000, 220000, 40000, 195000, 205000, 240000 } },
	{ "INST_INT_ST", OF_INST, { 80000, 130000, 100000, 20000, 85000, 88000, 150000 } },
	{ "INST_SIMD_LD", OF_INST, { 15000, 25000, 5000, 200000, 12000, 5000, 4000 } },
	{ "INST_SIMD_ST", OF_INST, { 8000, 15000, 3000, 90000, 6000, 3000, 3000 } },
	{ "INST_SIMD_ALU", OF_INST, { 40000, 15000, 5000, 420000, 30000, 5000, 1000 } },
	{ "INST_SIMD_ALU_VEC", OF_INST, { 25000, 8000, 2000, 390000, 18000, 2000, 500 } },
	{ "INST_BARRIER", OF_INST, { 40, 60, 80, 10, 60, 70, 2500 } },
	{ "INST_MICROCODED", OF_INST, { 200, 300, 400, 100, 300, 350, 3000 } },
	{ "ATOMIC_OR_EXCLUSIVE_SUCC", OF_INST, { 400, 600, 900, 50, 500, 700, 5200 } },
	{ "ATOMIC_OR_EXCLUSIVE_FAIL", OF_INST, { 4, 9, 15, 1, 6, 11, 160 } },

	{ "LD_UNIT_UOP", OF_INST, { 225000, 350000, 250000, 250000, 230000, 240000, 260000 } },
	{ "ST_UNIT_UOP", OF_INST, { 95000, 155000, 110000, 115000, 100000, 102000, 165000 } },
	{ "L1D_CACHE_MISS_LD", OF_INST, { 2600, 46000, 6500, 9000, 3700, 5200, 9500 } },
	{ "L1D_CACHE_MISS_LD_NONSPEC", OF_INST, { 2100, 40000, 4800, 7600, 3000, 3400, 7600 } },
	{ "L1D_CACHE_MISS_ST", OF_INST, { 700, 11000, 1600, 3600, 1000, 1300, 2600 } },
	{ "L1D_CACHE_MISS_ST_NONSPEC", OF_INST, { 600, 9500, 1300, 3200, 850, 1000, 2200 } },
	{ "L1D_CACHE_WRITEBACK", OF_INST, { 900, 17000, 1900, 5200, 1300, 1500, 3400 } },
	{ "LDST_X64_UOP", OF_INST, { 900, 2200, 1100, 5200, 950, 1000, 800 } },
	{ "LDST_XPG_UOP", OF_INST, { 12, 40, 15, 70, 13, 14, 10 } },
	{ "LD_NT_UOP", OF_INST, { 30, 400, 20, 900, 25, 20, 60 } },
	{ "ST_NT_UOP", OF_INST, { 50, 500, 20, 1200, 40, 20, 200 } },
	{ "ST_MEMORY_ORDER_VIOLATION_NONSPEC", OF_INST, { 8, 30, 20, 4, 12, 18, 40 } },
	{ "ST_MEM_ORDER_VIOL_LD_NONSPEC", OF_INST, { 8, 30, 20, 4, 12, 18, 40 } },
	{ "ARM_MEM_ACCESS", OF_INST, { 320000, 505000, 360000, 365000, 330000, 342000, 425000 } },
	{ "ARM_MEM_ACCESS_RD", OF_INST, { 225000, 350000, 250000, 250000, 230000, 240000, 260000 } },
	{ "ARM_MEM_ACCESS_WR", OF_INST, { 95000, 155000, 110000, 115000, 100000, 102000, 165000 } },
	{ "ARM_MEM_ACCESS_CHECKED*", OF_INST, { 0, 0, 0, 0, 0, 0, 0 } },
	{ "ARM_L1D_CACHE", OF_INST, { 320000, 505000, 360000, 365000, 330000, 342000, 425000 } },
	{ "ARM_L1D_CACHE_RD", OF_INST, { 225000, 350000, 250000, 250000, 230000, 240000, 260000 } },
	{ "ARM_L1D_CACHE_REFILL", OF_INST, { 3300, 57000, 8100, 12600, 4700, 6500, 12100 } },
	{ "ARM_L1D_CACHE_LMISS_RD", OF_INST, { 2000, 38000, 5000, 7400, 2900, 3600, 7500 } },
	{ "LDST_MEM_ACCESS_CHECKED_X2K", OF_INST, { 0, 0, 0, 0, 0, 0, 0 } },
	{ "LDST_OLDEST_MTE_TAG_CHECK_CYCLE", OF_CYCLE, { 0, 0, 0, 0, 0, 0, 0 } },

	{ "L1D_TLB_ACCESS", OF_INST, { 330000, 520000, 370000, 375000, 340000, 350000, 430000 } },
	{ "L1D_TLB_MISS", OF_INST, { 500, 14000, 1500, 1600, 900, 1100, 5200 } },
	{ "L1D_TLB_MISS_NONSPEC", OF_INST, { 380, 11500, 1100, 1300, 700, 800, 4200 } },
	{ "L1D_TLB_FILL", OF_INST, { 450, 13000, 1350, 1450, 820, 1000, 4800 } },
	{ "L2_TLB_MISS_DATA", OF_INST, { 25, 2600, 110, 130, 60, 80, 620 } },
	{ "MMU_TABLE_WALK_DATA", OF_INST, { 30, 2900, 130, 150, 70, 95, 700 } },
	{ "MMU_VIRTUAL_MEMORY_FAULT_NONSPEC", OF_INST, { 1, 4, 2, 1, 2, 2, 20 } },
	{ "L1I_CACHE_MISS_DEMAND", OF_INST, { 250, 300, 4200, 80, 24000, 1200, 9000 } },
	{ "ARM_L1I_CACHE", OF_INST, { 160000, 140000, 240000, 130000, 300000, 290000, 260000 } },
	{ "L1I_TLB_MISS_DEMAND", OF_INST, { 40, 50, 600, 12, 3600, 150, 1500 } },
	{ "L1I_TLB_FILL", OF_INST, { 35, 45, 520, 10, 3200, 130, 1300 } },
	{ "L2_TLB_MISS_INSTRUCTION", OF_INST, { 3, 4, 60, 1, 400, 14, 210 } },
	{ "MMU_TABLE_WALK_INSTRUCTION", OF_INST, { 4, 5, 70, 2, 460, 17, 240 } },
	{ "FETCH_RESTART", OF_INST, { 1500, 1200, 8000, 400, 26000, 21000, 9000 } },
	{ "FLUSH_RESTART_OTHER_NONSPEC", OF_INST, { 30, 45, 60, 10, 40, 50, 700 } },
	{ "INTERRUPT_PENDING", OF_CYCLE, { 0, 0, 0, 0, 0, 0, 900 } },

	/* Not in databases: the true use of slots. */
	{ "slots.retiring", OF_UOP, { 1000000, 1000000, 1000000, 1000000, 1000000, 1000000, 1000000 } },
	{ "slots.bad-spec", OF_GONE, { 1000000, 1000000, 1000000, 1000000, 1000000, 1000000, 1000000 } },
	{ "slots.frontend", OF_DELIVERY, { 1000000, 1000000, 1000000, 1000000, 1000000, 1000000, 1000000 } },
	{ "slots.backend", OF_STALL_BACK, { 1000000, 1000000, 1000000, 1000000, 1000000, 1000000, 1000000 } },

	{ "RETIRE_UOP", OF_UOP, { 1000000, 1000000, 1000000, 1000000, 1000000, 1000000, 1000000 } },
	{ "MAP_UOP", OF_MAPPED, { 1000000, 1000000, 1000000, 1000000, 1000000, 1000000, 1000000 } },
	{ "DECODE_UOP", OF_MAPPED, { 1010000, 1010000, 1020000, 1005000, 1010000, 1030000, 1020000 } },
	{ "SCHEDULE_UOP", OF_MAPPED, { 960000, 970000, 950000, 980000, 960000, 940000, 950000 } },
	{ "MAP_INT_UOP", OF_MAPPED, { 650000, 480000, 620000, 240000, 650000, 645000, 560000 } },
	{ "MAP_LDST_UOP", OF_MAPPED, { 300000, 490000, 360000, 340000, 310000, 340000, 430000 } },
	{ "MAP_SIMD_UOP", OF_MAPPED, { 50000, 30000, 20000, 420000, 40000, 15000, 10000 } },
	{ "MAP_STALL", OF_STALL, { 1000000, 1000000, 1000000, 1000000, 1000000, 1000000, 1000000 } },
	{ "MAP_STALL_NONRECOVERY", OF_STALL, { 1000000, 1000000, 1000000, 1000000, 1000000, 1000000, 1000000 } },
	{ "MAP_STALL_DISPATCH", OF_STALL, { 700000, 900000, 600000, 800000, 600000, 550000, 600000 } },
	{ "MAP_REWIND", OF_REWIND, { 1000000, 1000000, 1000000, 1000000, 1000000, 1000000, 1000000 } },
	{ "MAP_RECOVERY", OF_REWIND, { 1000000, 1000000, 1000000, 1000000, 1000000, 1000000, 1000000 } },
	{ "MAP_DISPATCH_BUBBLE", OF_BUBBLE, { 1000000, 1000000, 1000000, 1000000, 1000000, 1000000, 1000000 } },
	{ "MAP_DISPATCH_BUBBLE_IC", OF_BUBBLE, { 150000, 200000, 350000, 100000, 550000, 120000, 500000 } },
	{ "MAP_DISPATCH_BUBBLE_ITLB", OF_BUBBLE, { 20000, 30000, 60000, 10000, 120000, 20000, 90000 } },
	{ "MAP_DISPATCH_BUBBLE_SLOT", OF_DELIVERY, { 1000000, 1000000, 1000000, 1000000, 1000000, 1000000, 1000000 } },
	{ "MAP_DISPATCH_BUBBLE_TAKENBR_SLOT", OF_DELIVERY, { 120000, 60000, 200000, 40000, 180000, 220000, 150000 } },
	{ "SCHEDULE_EMPTY", OF_CYCLE, { 20000, 60000, 90000, 20000, 300000, 150000, 80000 } },
	{ "SCHEDULE_UOP_ANY", OF_CYCLE, { 780000, 250000, 620000, 760000, 480000, 560000, 480000 } },
	{ "LDST_UNIT_OLD_L1D_CACHE_MISS", OF_STALL, { 350000, 850000, 400000, 450000, 300000, 380000, 500000 } },
	{ "LDST_UNIT_WAITING_OLD_L1D_CACHE_MISS", OF_STALL, { 280000, 780000, 320000, 360000, 240000, 300000, 420000 } },
	{ "LD_UNIT_WAITING_YOUNG_L1D_CACHE_MISS", OF_STALL, { 50000, 60000, 70000, 60000, 50000, 70000, 60000 } },
	{ "ARM_STALL_BACKEND", OF_STALL, { 800000, 900000, 700000, 800000, 700000, 680000, 700000 } },
	{ "ARM_STALL_FRONTEND", OF_BUBBLE, { 900000, 900000, 900000, 900000, 900000, 900000, 900000 } },
	{ "ARM_STALL", OF_STALL, { 850000, 920000, 800000, 850000, 800000, 780000, 800000 } },
	{ "ARM_STALL_SLOT_BACKEND", OF_STALL_BACK, { 1000000, 1000000, 1000000, 1000000, 1000000, 1000000, 1000000 } },
	{ "ARM_STALL_SLOT_FRONTEND", OF_STALL_FRONT, { 1000000, 1000000, 1000000, 1000000, 1000000, 1000000, 1000000 } },
	{ "ARM_STALL_SLOT", OF_STALL_SLOT, { 1000000, 1000000, 1000000, 1000000, 1000000, 1000000, 1000000 } },

	{ "PL2_CACHE_ACCESS", OF_INST, { 3700, 61820, 12820, 13260, 29950, 8120, 22700 } },
	{ "PL2_CACHE_ACCESS_LD", OF_INST, { 2700, 47000, 6700, 9300, 3800, 5400, 9800 } },
	{ "PL2_CACHE_ACCESS_ST", OF_INST, { 700, 11200, 1600, 3700, 1050, 1320, 2700 } },
	{ "PL2_CACHE_ACCESS_INSTRUCTION", OF_INST, { 260, 320, 4300, 90, 24500, 1230, 9200 } },
	{ "PL2_CACHE_ACCESS_MMU", OF_INST, { 40, 3300, 220, 170, 600, 170, 1000 } },
	{ "PL2_CACHE_MISS", OF_INST, { 410, 27130, 1085, 2125, 1760, 758, 2240 } },
	{ "PL2_CACHE_MISS_LD", OF_INST, { 300, 21000, 700, 1500, 400, 540, 1300 } },
	{ "PL2_CACHE_MISS_ST", OF_INST, { 90, 5200, 170, 600, 130, 140, 380 } },
	{ "PL2_CACHE_MISS_INSTRUCTION", OF_INST, { 15, 30, 190, 5, 1200, 60, 450 } },
	{ "PL2_CACHE_MISS_MMU", OF_INST, { 5, 900, 25, 20, 30, 18, 110 } },
	{ "LD_SRC_PL2_CACHE_NONSPEC", OF_INST, { 1700, 19000, 3900, 5900, 2400, 2800, 6000 } },
	{ "LD_SRC_LL_CACHE_NONSPEC", OF_INST, { 220, 9000, 500, 900, 330, 350, 900 } },
	{ "LD_SRC_MEMSYS_NONSPEC", OF_INST, { 100, 10500, 180, 600, 130, 130, 350 } },
	{ "LD_SRC_CORE_SAMECLUSTER_NONSPEC", OF_INST, { 40, 500, 120, 90, 60, 70, 200 } },
	{ "LD_SRC_OTHERCLUSTER_NONSPEC", OF_INST, { 20, 400, 60, 50, 30, 40, 100 } },
	{ "LD_SRC_STORE_NONSPEC", OF_INST, { 12000, 9000, 15000, 6000, 13000, 15000, 18000 } },
	{ "LD_SRC_*", OF_INST, { 0, 0, 0, 0, 0, 0, 0 } },

	{ "INST_SME_ENGINE_ALU", OF_INST, { 0, 0, 0, 12000, 0, 0, 0 } },
	{ "INST_SME_ENGINE_LD", OF_INST, { 0, 0, 0, 5000, 0, 0, 0 } },
	{ "INST_SME_ENGINE_ST", OF_INST, { 0, 0, 0, 3000, 0, 0, 0 } },
	{ "INST_SME_ENGINE_SCALARFP", OF_INST, { 0, 0, 0, 500, 0, 0, 0 } },
	{ "INST_SME_ENGINE_PACKING_FUSED", OF_INST, { 0, 0, 0, 4000, 0, 0, 0 } },
	{ "MAP_INT_SME_UOP", OF_INST, { 0, 0, 0, 8000, 0, 0, 0 } },
	{ "CORE_WAITING_SME_ENGINE_CYCLE", OF_STALL, { 0, 0, 0, 60000, 0, 0, 0 } },
	{ "SCHEDULE_WAITING_SME_ENGINE_REG_DATA", OF_STALL, { 0, 0, 0, 20000, 0, 0, 0 } },
	{ "LDST_UNIT_WAITING_SME_ENGINE_INST_QUEUE_FULL", OF_STALL, { 0, 0, 0, 30000, 0, 0, 0 } },
	{ "LDST_UNIT_WAITING_SME_ENGINE_MEM_DATA", OF_STALL, { 0, 0, 0, 15000, 0, 0, 0 } },
	{ "SME_ENGINE_SM_ENABLE", OF_CYCLE, { 0, 0, 0, 60, 0, 0, 0 } },
	{ "SME_ENGINE_SM_ZA_ENABLE", OF_CYCLE, { 0, 0, 0, 40, 0, 0, 0 } },
	{ "SME_ENGINE_ZA_ENABLED_SM_DISABLED", OF_CYCLE, { 0, 0, 0, 500, 0, 0, 0 } },
	{ "LD_SME_NORMAL_UOP", OF_INST, { 0, 0, 0, 4800, 0, 0, 0 } },
	{ "LD_SME_NT_UOP", OF_INST, { 0, 0, 0, 300, 0, 0, 0 } },
	{ "ST_SME_NORMAL_UOP", OF_INST, { 0, 0, 0, 2900, 0, 0, 0 } },
	{ "ST_SME_NT_UOP", OF_INST, { 0, 0, 0, 200, 0, 0, 0 } },
	{ "LDST_SME_XPG_UOP", OF_INST, { 0, 0, 0, 20, 0, 0, 0 } },
	{ "LDST_SME_PRED_INACTIVE", OF_INST, { 0, 0, 0, 30, 0, 0, 0 } },
	{ "LD_SME_MEM_ORDER_VIOL_LD_NONSPEC", OF_INST, { 0, 0, 0, 3, 0, 0, 0 } },
	{ "ST_SME_MEM_ORDER_VIOL_LD_NONSPEC", OF_INST, { 0, 0, 0, 2, 0, 0, 0 } },
	{ "LD_BLOCKED_BY_SME_LDST", OF_INST, { 0, 0, 0, 10, 0, 0, 0 } },
	{ "ST_BARRIER_BLOCKED_BY_SME_LDST", OF_INST, { 0, 0, 0, 5, 0, 0, 0 } },

	/* Other events of Intel have the rule of unknown events. */
	{ "INST_RETIRED.*", OF_INST, { 1000000, 1000000, 1000000, 1000000, 1000000, 1000000, 1000000 } },
	{ "CPU_CLK_UNHALTED.*", OF_CYCLE, { 1000000, 1000000, 1000000, 1000000, 1000000, 1000000, 1000000 } },
	{ "BR_INST_RETIRED.ALL*", OF_INST, { 130000, 90000, 220000, 40000, 150000, 230000, 190000 } },
	{ "BR_MISP_RETIRED.ALL*", OF_MISS, { 1000000, 1000000, 1000000, 1000000, 1000000, 1000000, 1000000 } },
	{ "MEM_LOAD_RETIRED.L1_MISS", OF_INST, { 2100, 40000, 4800, 7600, 3000, 3400, 7600 } }
};
/* clang-format on */

#define ONE (1u << 20)

static const struct rule *
rule_find(const char *event)
{
	for (unsigned i = 0; i < sizeof rules / sizeof *rules; i++) {
		const char *name = rules[i].event;
		size_t len = strlen(name);
		if (name[len - 1] == '*' ? strncmp(name, event, len - 1) == 0
					 : strcmp(name, event) == 0)
			return &rules[i];
	}
	return NULL;
}

void
work_physics_draw(struct work_physics *p, uint64_t seed, unsigned kind,
		  bool slow, bool wide)
{
	/* { minimum, number of values }: published pipelines, physics=wide. */
	static const unsigned uops[2][2] = { { 950, 171 }, { 880, 321 } };
	static const unsigned miss[2][2][2] = { { { 9, 14 }, { 5, 31 } },
						{ { 7, 9 }, { 4, 27 } } };
	uint64_t r = work_draw(seed, 241, kind, 0);

	p->uops = uops[wide][0] + (unsigned)(r % uops[wide][1]);
	p->miss = miss[slow][wide][0] +
		  (unsigned)((r >> 16) % miss[slow][wide][1]);
	p->bubbles = 15 + (unsigned)((r >> 32) % 66);
}

static void
fill_bases(const struct sim_kind *kind, const struct work_physics *by,
	   unsigned a, uint32_t *q20)
{
	unsigned as = a == WORK_STEADY ? WORK_GUESS : a;
	uint32_t inst = (uint32_t)((uint64_t)ipc[kind->class][as] * ONE / 1000);
	uint32_t uop = (uint32_t)((uint64_t)inst * by->uops / 1000);
	uint32_t rest = ONE - uop / kind->width;
	uint32_t gone = rest * lost[as][1] / 1000;
	uint32_t stall = rest * lost[as][0] / 1000;
	uint32_t front = rest - gone - stall;

	q20[OF_CYCLE] = ONE;
	q20[OF_INST] = inst;
	q20[OF_MISS] = gone / by->miss;
	q20[OF_UOP] = uop;
	q20[OF_STALL] = stall;
	q20[OF_BUBBLE] = front * by->bubbles / 100;
	/* Half of the lost slots are discarded uops, half are rewind slots. */
	q20[OF_REWIND] = gone / 2;
	q20[OF_MAPPED] = uop + q20[OF_REWIND] * kind->width;
	q20[OF_GONE] = gone * kind->width;
	q20[OF_DELIVERY] = front * kind->width;
	q20[OF_STALL_BACK] = stall * kind->width;
	if (a == WORK_STEADY) { /* the same work in less time */
		q20[OF_CYCLE] -= gone;
		q20[OF_MISS] = q20[OF_REWIND] = q20[OF_GONE] = 0;
		q20[OF_MAPPED] = uop;
	}
	q20[OF_STALL_SLOT] = q20[OF_CYCLE] * kind->width - q20[OF_MAPPED];
	q20[OF_STALL_FRONT] = q20[OF_STALL_SLOT] - q20[OF_STALL_BACK];
}

bool
work_rate_known(const char *event)
{
	return rule_find(event) != NULL;
}

bool
work_rate_of(const struct sim_kind *kind, const struct work_physics *by,
	     const char *event, bool recovery, struct work_rate *out)
{
	static const struct rule other = {
		"", OF_INST, { 1000, 1000, 1000, 1000, 1000, 1000, 1000 }
	};
	const struct rule *rule = rule_find(event), *r = rule;

	if (r == NULL)
		r = &other;
	for (unsigned a = 0; a <= WORK_STEADY; a++) {
		uint32_t q20[BASES],
			ppm = r->ppm[a < WORK_STEADY ? a : WORK_GUESS];

		fill_bases(kind, by, a, q20);
		out->q20[a] = (uint32_t)((uint64_t)q20[r->of] * ppm / 1000000);
		if (recovery && strcmp(r->event, "MAP_STALL") == 0)
			out->q20[a] += q20[OF_REWIND];
	}
	return rule != NULL;
}
