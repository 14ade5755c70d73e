/*
 * Samples record by record: their lengths, idle threads, filters, who is
 * sampled when, what stays.
 */
#include "sim/sampling.h"
#include "sim/inside.h"

#define M "m1,os=15.5,clock=step"

static void
count_classes(struct world *w, uint32_t classes)
{
	OK(force(w, &w->a, 1));
	if (classes == 2)
		OK(config_fill(w, &w->a, 2, 0x20002, 8));
	OK(set32(w, &w->a, "kpc.counting", classes));
	OK(set32(w, &w->a, "kpc.thread_counting", classes));
}

/* How many records a sample has, of threads that count, by its last one. */
UNIT(lengths)
{
	static const struct {
		const char *spec;
		uint32_t classes;
		unsigned records; /* 1: it begins, and nothing ends it */
	} rows[] = {
		{ M, 3, 3 },                          /* ten: 1, 0, 2 */
		{ M, 2, 2 },                          /* eight: 1, 2 */
		{ M, 1, 1 },                          /* two: 1 */
		{ "intel,os=15.5,clock=step", 3, 2 }, /* seven: 1, 2 */
	};

	for (unsigned i = 0; i < 4; i++) {
		struct world *w = world_new(rows[i].spec);
		struct tape *t = tape_new();
		unsigned n = 0;

		count_classes(w, rows[i].classes);
		set_up(w, 0x10, -1, 10 * MS);
		OK(kd_only(w, &w->a, DATA_THREAD));
		wait_ms(w, 600); /* everybody has a buffer */
		go(w);
		wait_ms(w, 300);
		t->n = kd_read(w, &w->a, t->r, MOST);
		for (size_t j = 0; j + 8 < t->n; j++) {
			const struct sim_record *r = &t->r[j];
			unsigned len = 1;

			if (r->debugid != (DATA_THREAD | 1) || r->arg[0] == 0)
				continue;
			while (r[len].cpu == r->cpu &&
			       (r[len].debugid & 1) == 0)
				len++;
			assert_int_equal(len, rows[i].records);
			assert_true(len == 1 ||
				    r[len - 1].debugid == (DATA_THREAD | 2));
			n++;
		}
		assert_true(n > 10);
	}
}

/* Of an idle thread: that it is one; without TH_INFO, zeros. */
UNIT(idle_threads)
{
	for (uint32_t samplers = 0x10; samplers <= 0x11; samplers++) {
		struct world *w = world_new(M);
		struct tape *t = tape_new();
		unsigned n = 0;

		count_threads(w);
		set_up(w, samplers, -1, 10 * MS);
		wait_ms(w, 600);
		go(w);
		wait_ms(w, 300);
		t->n = kd_read(w, &w->a, t->r, MOST);
		for (size_t j = 0; j + 4 < t->n; j++) {
			const struct sim_record *r = &t->r[j];

			if (r->debugid != (GEN | 1) ||
			    r->thread < SIM_IDLE_THREAD)
				continue;
			n++;
			if (samplers == 0x11) {
				assert_int_equal(r[1].debugid, GEN | 2);
				assert_int_equal(r[1].arg[1], 1);
				continue;
			}
			assert_int_equal(r[1].debugid, DATA_THREAD | 1);
			assert_int_equal(r[3].debugid, DATA_THREAD | 2);
			for (unsigned k = 0; k < 4; k++)
				assert_int_equal(r[1].arg[k] | r[2].arg[k] |
							 r[3].arg[k],
						 0);
			assert_int_equal(r[4].debugid, GEN | 2);
		}
		assert_true(n > 5);
	}
}

/* Who was filtered out was not sampled: without the filter it is at once. */
UNIT(filtered_out)
{
	struct world *w = world_new(M);
	struct tape *t = tape_new();
	uint64_t pair[2] = { 1, (uint64_t)-1 };
	unsigned others = 0;

	count_threads(w);
	set_up(w, 0x11, 99999, 10 * MS);
	go(w);
	wait_ms(w, 300);
	t->n = kd_read(w, &w->a, t->r, MOST);
	for (size_t i = 0; i < t->n; i++)
		assert_true(t->r[i].debugid >> 16 != TI_DATA >> 16);
	OK(sim_kernel_sysctl(&w->k, &w->a, "kperf.action.filter_by_pid", NULL,
			     NULL, pair, sizeof(pair)));
	wait_ms(w, 30);
	t->n = kd_read(w, &w->a, t->r, MOST);
	for (size_t i = 0; i < t->n; i++)
		others += t->r[i].debugid == TI_DATA;
	assert_true(others > 0);
}

/*
 * The only CPU with work: all of a grain, then the first quarter of each slice
 * of the next.
 */
static void
on_and_off(struct world *w, uint64_t grain)
{
	struct work_cpu *c = w->k.work.cpu;

	for (unsigned cpu = 0; cpu < w->k.ncpus; cpu++)
		for (unsigned g = 0; g < WORK_GRAINS; g++)
			memset(c[cpu].mix[g].share, 0,
			       sizeof(c[cpu].mix[g].share));
	c->mix[grain % c->grains].share[WORK_COMPUTE] = WORK_SHARE;
	c->mix[(grain + 1) % c->grains].share[WORK_COMPUTE] = WORK_SHARE / 4;
}

/* Who has the first CPU in a grain; 0: nobody. */
static uint64_t
thread_of(const struct world *w, uint64_t grain)
{
	struct sim_traced t;

	sim_traced_owner(&w->k, 0, (int64_t)grain * WORK_GRAIN_NS,
			 w->state.time.awake_ns, &t);
	return t.idle ? 0 : t.thread;
}

/* The first grain that has a thread, and another one behind it. */
static uint64_t
grain_with_two(const struct world *w, int64_t own)
{
	uint64_t g = (uint64_t)(own / WORK_GRAIN_NS) + 1;

	while (thread_of(w, g) == 0 || thread_of(w, g + 1) == 0 ||
	       thread_of(w, g) == thread_of(w, g + 1))
		g++;
	return g;
}

enum who { FIRST, SECOND, IDLE, NOBODY };

struct when {
	uint64_t us; /* since sampling is on */
	enum who who;
};

static void
who_when(const char *spec, const struct when *expect)
{
	struct world *w = world_new(spec);
	struct tape *t = tape_new();
	int64_t off, begin;
	uint64_t grain, who[3];

	set_up(w, 0x11, -1, 20 * MS);
	off = sim_off_ns(&w->k, 0, w->state.time.awake_ns);
	grain = grain_with_two(w, w->state.time.awake_ns - off);
	on_and_off(w, grain);
	who[FIRST] = thread_of(w, grain);
	who[SECOND] = thread_of(w, grain + 1);
	who[IDLE] = SIM_IDLE_THREAD;
	begin = (int64_t)(grain + 1) * WORK_GRAIN_NS + off - 52 * MS;
	sim_kernel_step(&w->k, begin - 3 * MS);
	go(w);
	assert_int_equal(w->state.time.awake_ns, begin);
	wait_ms(w, 100);
	t->n = kd_read(w, &w->a, t->r, MOST);
	for (size_t i = 0; i < t->n; i++) {
		const struct sim_record *r = &t->r[i];

		if (r->debugid != (GEN | 1))
			continue;
		assert_int_not_equal(expect->who, NOBODY);
		assert_int_equal(r->timestamp,
				 (uint64_t)begin * 3 / 125 + expect->us * 24);
		assert_int_equal(r->thread, who[expect->who]);
		assert_int_equal(r->cpu, 0);
		expect++;
	}
	assert_int_equal(expect->who, NOBODY);
}

/*
 * A thread is on for 52 ms: at ticks it is sampled, and never where its slices
 * begin, since in generation 0 all count as sampled. Another one is on at 52,
 * 62, 72 and so on, for 2.5 ms each: it is sampled as it comes, but not twice
 * in a generation. Before 15.4 a tick that finds all CPUs idle is none, and no
 * generation begins with it.
 */
UNIT(to_the_tick)
{
	static const struct when by_time[] = {
		{ 20000, FIRST },  { 40000, FIRST },  { 52000, SECOND },
		{ 54500, IDLE },   { 62000, SECOND }, { 64500, IDLE },
		{ 82000, SECOND }, { 84500, IDLE },   { 0, NOBODY },
	};
	static const struct when by_count[] = {
		{ 20000, FIRST }, { 40000, FIRST }, { 52000, SECOND },
		{ 54500, IDLE },  { 0, NOBODY },
	};

	who_when(M, by_time);
	who_when("m1,os=26.1,clock=step,seed=4", by_time);
	who_when("m2max,os=15.4,clock=step,seed=2", by_time);
	who_when("m1,os=15.3,clock=step", by_count);
	who_when("m1,os=13.6,clock=step,seed=3", by_count);
}

/* A program that ends as many do: sampling off, and tracing its own still. */
UNIT(left_behind)
{
	struct world *w = world_new(M);
	uint64_t pair[2] = { 1, 0 };
	size_t size = sizeof(pair);

	count_threads(w);
	set_up(w, 0x10, -1, 10 * MS);
	go(w);
	wait_ms(w, 50);
	OK(kd_value(w, &w->a, ENABLE, 0));
	OK(kd_op(w, &w->a, REMOVE));
	OK(set32(w, &w->a, "kperf.sampling", 0));
	sim_kernel_exit(&w->k, &w->a);
	assert_int_equal(value32(w, &w->user, "ktrace.owning_pid"), 100);
	assert_int_equal(value32(w, &w->user, "ktrace.active_mask"), 2);
	assert_int_equal(value32(w, &w->b, "kperf.sampling"), 0);
	OK(sim_kernel_sysctl(&w->k, &w->b, "kperf.action.samplers", pair, &size,
			     pair, sizeof(pair)));
	assert_int_equal(pair[1], 0x10);
	/* Whoever comes next is let in, and what it finds is its own to reset.
	 */
	OK(set32(w, &w->b, "kperf.reset", 1));
	assert_int_equal(value32(w, &w->user, "ktrace.owning_pid"), 0);
	assert_int_equal(value32(w, &w->user, "ktrace.active_mask"), 0);
}
