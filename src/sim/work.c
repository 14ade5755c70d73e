#include "sim/work.h"

#include <stdlib.h>

#include "sim/nature.h"

/* States a job can be in; the first ones are named like their activity. */
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

/* Shares of the busy time, in thousandths. */
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

/* How often each state is drawn, in hundredths, by the job's place. */
static const int odds[3][STATES] = {
	{ 30, 18, 16, 12,  8,  8,  8 },	/* the first half of a kind's jobs */
	{ 10,  8, 10,  4,  8, 28, 32 },	/* the others */
	{ 14, 10, 12,  2, 14, 33, 15 }	/* slow cores: the background */
};

/* Busy time of a state: least and span, in hundredths. */
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

/* Smooth noise in -1000..1000: drawn every 8 grains, straight between. */
struct noise {
	uint64_t seed, who;
	int last, next;
};

static int
noise_draw(const struct noise *n, unsigned at)
{
	return (int)(work_draw(n->seed, 3, n->who, at) % 2001) - 1000;
}

/* For each grain in its turn. */
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

/* Moves up to 5 % of the time between the main activity and another one. */
static void
stir(int *permille, int n)
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

/* One grain: between two phases, `part` of `whole` on the way. */
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
	stir(permille, n2);
	for (int a = 0; a < WORK_ACTIVITIES; a++) {
		out->share[a] = (uint16_t)(WORK_SHARE * busy / 1000 *
					   permille[a] / 1000);
		used += out->share[a];
	}
	/* Even an idle core takes its timer interrupts. */
	if (used < WORK_SHARE)
		out->share[WORK_KERNEL]++;
	out->mhz = (uint16_t)kind->mhz[clock_step(busy)];
}

/* All phases of one job, in the grains' order. */
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

/* Jobs wander: by how many places, in the grains' order. */
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

/* A CPU whose program has a nature; all of a nature are in step. */
static void
nature_run(struct work_cpu *c, const struct sim_kind *kind, uint64_t seed,
	   unsigned cpu, enum sim_nature nature)
{
	/* Drawn jobs have numbers below 256. */
	uint64_t who = 512 + cpu;
	struct noise one = { .seed = seed, .who = who };
	struct noise two = { .seed = seed, .who = who + 4096 };

	c->nature = (uint8_t)nature;
	c->grains = SIM_NATURE_GRAINS;
	for (unsigned g = 0; g < c->grains; g++) {
		struct work_phase p = sim_nature_phase(nature, g);
		mix_fill(&c->mix[g], kind, p, p, 1, 1, noise(&one, g),
			 noise(&two, g));
	}
	sums_run(c);
}

/* Gives every CPU of a kind the grains of the job that is with it then. */
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
	  const uint8_t *nature, struct err *e)
{
	w->ncpus = sim_machine_ncpus(m);
	w->cpu = calloc(w->ncpus, sizeof *w->cpu);
	struct work_mix *jobs =
		calloc((size_t)w->ncpus * WORK_GRAINS, sizeof *jobs);
	if (w->cpu == NULL || jobs == NULL) {
		free(jobs);
		work_free(w);
		return err_set(e, ERR_FAIL, "no memory for the simulated work");
	}
	for (unsigned k = 0; k < m->nkinds; k++)
		kind_run(w, m, seed, k, jobs);
	free(jobs);
	for (unsigned cpu = 0; nature != NULL && cpu < w->ncpus; cpu++) {
		struct work_cpu *c = &w->cpu[cpu];
		if (nature[cpu] != SIM_NATURE_DRAWN)
			nature_run(c, &m->kind[c->kind], seed, cpu,
				   (enum sim_nature)nature[cpu]);
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

/*
 * floor((shares * GRAIN + now * part) / SHARE) in an order that does not
 * overflow: the first product alone does after 52 days of work.
 */
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
