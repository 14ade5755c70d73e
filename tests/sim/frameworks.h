/* A simulated Mac through the frameworks' functions, for tests of them. */
#ifndef TESTS_SIM_FRAMEWORKS_H
#define TESTS_SIM_FRAMEWORKS_H

#include "sim/machine_state.h"

#include <stdint.h>

#define START 1000000000000LL
#define MS 1000000LL

static const struct kperf_api *api;
static const struct host_api *host;

static inline void
start(const char *spec)
{
	boot(spec);
	api = sim_kperf();
	host = sim_host();
}

static inline void
at_ms(int64_t ms)
{
	host->clock.step(host->clock.self, START + ms * MS);
}

static inline int
config_all(uint64_t word)
{
	uint64_t words[8];

	for (int i = 0; i < 8; i++)
		words[i] = word;
	return api->kpc_set_config(2, words);
}

/* Force, words, counting: the order that is right everywhere. */
static inline void
full_mode(uint64_t word)
{
	OK(api->kpc_force_all_ctrs_set(1));
	OK(config_all(word));
	OK(api->kpc_set_counting(3));
}

#endif
