/* Sampling while threads are not counted, and after they were. */
#include "sim/sampling.h"

/* All CPUs compute; each has one thread of its own, and the kernel's. */
#define M "m1,os=15.5,clock=step,work=compute"

enum { CPUS = 8 };

struct seen {
	uint64_t value, total;
	unsigned n;
};

static uint64_t
total(struct world *w, unsigned cpu)
{
	uint64_t n = 0;

	assert_true(sim_kernel_total(&w->k, cpu, "FIXED_CYCLES", false,
				     w->state.time.awake_ns, &n));
	return n;
}

/* Samples of this very moment, of threads that count; how many do not. */
static unsigned
look(struct world *w, struct tape *t, struct seen first[CPUS],
     struct seen last[CPUS])
{
	struct sample s;
	unsigned without = 0;
	size_t at = 0;

	wait_ms(w, 10);
	t->n = kd_read(w, &w->a, t->r, MOST);
	while (sample_at(t, &at, &s)) {
		without += s.cycles == 0 && s.thread < 64;
		if (s.cycles == 0 ||
		    s.ticks != (uint64_t)w->state.time.awake_ns * 3 / 125)
			continue;
		last[s.cpu] = (struct seen){ s.cycles, total(w, s.cpu),
					     last[s.cpu].n + 1 };
		if (last[s.cpu].n == 1)
			first[s.cpu] = last[s.cpu];
	}
	return without;
}

/*
 * Whatever a CPU counted since its last switch goes to who is sampled next:
 * without thread counting there are no switches, so that is all of it.
 */
UNIT(nobody_switches)
{
	struct seen first[CPUS], last[CPUS];
	struct tape *t = tape_new();
	unsigned without = 0;

	for (unsigned counts = 0; counts < 2; counts++) {
		struct world *w = world_new(M);
		unsigned all = 0;

		memset(first, 0, sizeof(first));
		memset(last, 0, sizeof(last));
		count_threads(w);
		set_up(w, 0x10, -1, 10 * MS);
		OK(kd_only(w, &w->a, DATA_THREAD));
		wait_ms(w, 600);
		go(w);
		if (!counts)
			OK(set32(w, &w->a, "kpc.thread_counting", 0));
		for (unsigned i = 0; i < 300; i++)
			without += look(w, t, first, last);
		for (unsigned c = 0; c < CPUS; c++) {
			assert_true(last[c].n > 100);
			all += last[c].value - first[c].value ==
			       last[c].total - first[c].total;
		}
		assert_true(counts ? all < CPUS : all == CPUS);
	}
	assert_true(without > 0);
}

/* The first count after counting went on again has all that was between. */
UNIT(a_jump_at_first)
{
	struct seen first[CPUS], last[CPUS], again[CPUS], later[CPUS];
	struct world *w = world_new(M);
	struct tape *t = tape_new();
	unsigned jumps = 0;

	memset(first, 0, sizeof(first));
	memset(last, 0, sizeof(last));
	memset(again, 0, sizeof(again));
	memset(later, 0, sizeof(later));
	count_threads(w);
	set_up(w, 0x10, -1, 10 * MS);
	OK(kd_only(w, &w->a, DATA_THREAD));
	wait_ms(w, 600);
	go(w);
	for (unsigned i = 0; i < 20; i++)
		(void)look(w, t, first, last);
	OK(set32(w, &w->a, "kperf.sampling", 0));
	OK(set32(w, &w->a, "kpc.thread_counting", 0));
	wait_ms(w, 5000);
	OK(set32(w, &w->a, "kpc.thread_counting", 3));
	OK(set32(w, &w->a, "kperf.sampling", 1));
	for (unsigned i = 0; i < 20; i++)
		(void)look(w, t, again, later);
	for (unsigned c = 0; c < CPUS; c++)
		if (last[c].n > 0 && again[c].n > 0)
			jumps += again[c].value - last[c].value >
				 (again[c].total - last[c].total) / 2;
	assert_true(jumps > 0);
}
