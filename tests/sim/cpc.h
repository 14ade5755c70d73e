/*
 * For the vectors of the kernel from macOS 26.5 on, numbered as in our notes on
 * its sources. Profile X unless said: M5 Max, three counters reserved. S is the
 * configurable columns of a reading of all CPUs.
 */
#ifndef TESTS_SIM_CPC_H
#define TESTS_SIM_CPC_H

#include "sim/world.h"

#define X "m5max,os=26.6,clock=step"
#define CPUS 18
#define A 0x8u
#define B 0x21u
#define USER 0x20000u

static uint64_t last[CPUS * 10], now[CPUS * 10];

static inline void
look(struct world *w)
{
	memcpy(last, now, sizeof(last));
	rows(w, &w->b, 3, now);
}

static inline uint64_t
slot(unsigned cpu, unsigned i)
{
	return now[cpu * 10 + 2 + i];
}

/* The sum over all CPUs of one configurable column. */
static inline uint64_t
column(unsigned i)
{
	uint64_t sum = 0;

	for (unsigned c = 0; c < CPUS; c++)
		sum += slot(c, i);
	return sum;
}

static inline void
all_zero(struct world *w)
{
	look(w);
	for (unsigned c = 0; c < CPUS; c++)
		for (unsigned i = 0; i < 8; i++)
			assert_int_equal(slot(c, i), 0);
}

static inline void
stands_at_zero(struct world *w)
{
	all_zero(w);
	wait_ms(w, 1000);
	all_zero(w);
}

/* From where it was a second ago. */
static inline void
goes_on(struct world *w)
{
	uint64_t before;

	look(w);
	before = column(0);
	assert_true(before > 0);
	wait_ms(w, 1000);
	look(w);
	assert_true(column(0) > before);
}

static inline void
from_zero(struct world *w)
{
	all_zero(w);
	wait_ms(w, 1000);
	look(w);
	assert_true(column(0) > 0);
}

static inline void
words_are(struct world *w, uint64_t word, unsigned n)
{
	uint64_t got[8] = { 0 };

	assert_int_equal(config_get(w, &w->b, 2, got, 8), 0);
	for (unsigned i = 0; i < n; i++)
		assert_int_equal(got[i], word);
}

static inline int
config_words(struct world *w, const struct sim_caller *who, uint64_t word)
{
	return config_fill(w, who, 2, word, 8);
}

static inline int
count_on(struct world *w, const struct sim_caller *who, uint32_t classes)
{
	return set32(w, who, "kpc.counting", classes);
}

/* "run W" */
static inline struct world *
run(const char *spec, uint64_t word)
{
	struct world *w = world_new(spec);

	memset(now, 0, sizeof(now));
	assert_int_equal(force(w, &w->a, 1), 0);
	assert_int_equal(config_words(w, &w->a, word), 0);
	assert_int_equal(count_on(w, &w->a, 3), 0);
	wait_ms(w, 1000);
	return w;
}

static inline int
periods(struct world *w, uint32_t class, unsigned n, uint64_t period,
	uint64_t one)
{
	uint64_t in[12] = { class };

	for (unsigned i = 1; i <= n; i++)
		in[i] = period;
	if (one != 0)
		in[3] = one;
	return sim_kernel_sysctl(&w->k, &w->a, "kpc.period", NULL, NULL, in,
				 (1 + n) * sizeof(*in));
}

#endif
