/* Lightweight PET on a kernel of the test's own, and its samples. */
#ifndef TESTS_SIM_SAMPLING_H
#define TESTS_SIM_SAMPLING_H

#include "sim/inside.h"
#include "sim/tracing.h"

#define MS 1000000LL

enum { TI_DATA = 0x25010004, GEN = 0x25000000 };

/* The order of calls of programs in the field, at a period. */
static inline void
set_up(struct world *w, uint32_t samplers, int32_t pid, uint64_t period)
{
	const struct sim_caller *a = &w->a;
	uint64_t pair[2] = { 1, samplers };

#define PAIR(name, value)                                                     \
	(pair[1] = (uint64_t)(value),                                         \
	 assert_int_equal(sim_kernel_sysctl(&w->k, a, name, NULL, NULL, pair, \
					    sizeof(pair)),                    \
			  0))
	OK(set32(w, a, "kperf.action.count", 32));
	OK(set32(w, a, "kperf.timer.count", 8));
	PAIR("kperf.action.samplers", samplers);
	PAIR("kperf.action.filter_by_pid", pid);
	PAIR("kperf.timer.action", 1);
	PAIR("kperf.timer.period", period * 3 / 125);
	OK(set32(w, a, "kperf.timer.pet_timer", 1));
	OK(set32(w, a, "kperf.lightweight_pet", 1));
	OK(kd_op(w, a, REMOVE));
	OK(kd_value(w, a, SETBUF, 0));
	OK(kd_op(w, a, SETUP));
}

static inline void
count_threads_of(struct world *w, uint64_t word)
{
	OK(force(w, &w->a, 1));
	OK(config_fill(w, &w->a, 2, word, 8));
	OK(set32(w, &w->a, "kpc.counting", 3));
	OK(set32(w, &w->a, "kpc.thread_counting", 3));
}

static inline void
count_threads(struct world *w)
{
	count_threads_of(w, 0x20002);
}

/* Not where slices begin, or ticks would find all CPUs idle. */
static inline void
go(struct world *w)
{
	wait_ms(w, 3);
	OK(kd_value(w, &w->a, ENABLE, 1));
	OK(set32(w, &w->a, "kperf.sampling", 1));
}

#define MOST 100000

struct tape {
	struct sim_record r[MOST];
	size_t n;
};

/* An empty one of three: it is the test's until three more are asked for. */
static inline struct tape *
tape_new(void)
{
	static struct tape tapes[3];
	static unsigned n;
	struct tape *t = &tapes[n++ % 3];

	memset(t, 0, sizeof(*t));
	return t;
}

/* One more sample of a thread: the first two counters of it. */
struct sample {
	uint64_t thread, cycles, instructions, pmc;
	uint64_t ticks;
	uint32_t cpu;
};

static inline bool
sample_at(const struct tape *t, size_t *at, struct sample *out)
{
	for (; *at + 2 < t->n; ++*at) {
		const struct sim_record *r = &t->r[*at];
		if (r->debugid != (DATA_THREAD | 1))
			continue;
		assert_int_equal(r[1].debugid, DATA_THREAD);
		assert_int_equal(r[2].debugid, DATA_THREAD | 2);
		assert_int_equal(r[2].thread, r[0].thread);
		*out = (struct sample){ r->thread, r->arg[0],    r->arg[1],
					r->arg[2], r->timestamp, r->cpu };
		*at += 3;
		return true;
	}
	return false;
}

#endif
