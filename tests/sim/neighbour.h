/* Another root process on the simulated kernel, call by call. */
#ifndef TESTS_SIM_NEIGHBOUR_H
#define TESTS_SIM_NEIGHBOUR_H

#include "kperf/abi.h"
#include "sim/inside.h"

static const struct sim_caller neighbour = {
	.pid = 4242, .born = 7, .task = 4242, .thread = 4242
};

static inline int
neighbour_set(const char *name, const void *fresh, size_t size)
{
	struct sim_kernel *k = sim_lock();
	int code =
		sim_kernel_sysctl(k, &neighbour, name, NULL, NULL, fresh, size);

	sim_unlock();
	return code;
}

static inline int
neighbour_set32(const char *name, uint32_t value)
{
	return neighbour_set(name, &value, sizeof(value));
}

/*
 * Writes words of the database's first plain event: all of them, or only the
 * one that stands at `place`, over the words that are there.
 */
static inline int
neighbour_words(int place)
{
	uint64_t in[1 + SIM_PMCS] = { KPC_CLASS_CONFIGURABLE_MASK };
	struct sim_kernel *k = sim_lock();
	unsigned n = sim_config_count(k, KPC_CLASS_CONFIGURABLE_MASK);
	uint64_t number = 0;

	for (unsigned i = 0; i < k->pmu->nevents && number == 0; i++)
		if (k->pmu->events[i].fixed < 0)
			number = k->pmu->events[i].number;
	for (unsigned i = 0, at = 0; i < SIM_PMCS; i++)
		if (sim_config_mask(k) >> i & 1)
			in[1 + at++] = k->s->kpc.word[i];
	for (unsigned i = 0; i < n; i++)
		if (place < 0 || i == (unsigned)place % n)
			in[1 + i] = number | KPC_CONFIG_EL0_64;
	sim_unlock();
	return neighbour_set("kpc.config", in, (1 + n) * sizeof(*in));
}

/* Stops, writes, counts: as a tool does that wants the counters. */
static inline int
neighbour_takes(void)
{
	int code = neighbour_set32("kpc.counting", 0);

	if (code == 0)
		code = neighbour_words(-1);
	return code != 0 ? code : neighbour_set32("kpc.counting", 3);
}

/* Periods, actions and the counters of threads, which ktop has no use for. */
static inline int
neighbour_samples(uint64_t seed)
{
	uint64_t period[1 + SIM_ROW_MAX] = { KPC_CLASS_CONFIGURABLE_MASK };
	uint32_t action[2 + SIM_ROW_MAX] = { KPC_CLASS_CONFIGURABLE_MASK };

	for (unsigned i = 1; i < SIM_ROW_MAX; i++)
		period[i] = 1000000 + seed + i;
	for (unsigned i = 2; i < SIM_ROW_MAX; i++)
		action[i] = 1;
	int code = neighbour_set("kpc.period", period, sizeof(period));
	if (code == 0)
		code = neighbour_set("kpc.actionid", action, sizeof(action));
	return code != 0 ? code
			 : neighbour_set32("kpc.thread_counting", seed & 3);
}

#endif
