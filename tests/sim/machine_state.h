/* A look at the simulated counters, and what another tool may leave there. */
#ifndef TESTS_SIM_MACHINE_STATE_H
#define TESTS_SIM_MACHINE_STATE_H

#include "sim/inside.h"
#include "sim/sim.h"

#include <cmocka.h>
#include <string.h>

struct machine_state { /* what must be as before */
	int force;
	uint32_t counting, threads, nwords;
	uint64_t word[KPC_MAX_COUNTERS];
};

/* A machine of that spec, in the place of any before it. */
static inline void
boot(const char *spec)
{
	struct err e;

	sim_stop();
	if (!sim_start(spec, &e))
		fail_msg("%s: %s", spec, e.text);
}

static inline void
look(struct machine_state *s)
{
	const struct kperf_api *k = sim_kperf();

	memset(s, 0, sizeof(*s));
	OK(k->kpc_force_all_ctrs_get(&s->force));
	s->counting = k->kpc_get_counting();
	s->threads = k->kpc_get_thread_counting();
	s->nwords = k->kpc_get_config_count(2);
	OK(k->kpc_get_config(2, s->word));
	/* From macOS 26.5 on words that nothing counts are no state. */
	if (sim_spec_now()->os >= SIM_OS(26, 5) && (s->counting & 2) == 0)
		memset(s->word, 0, sizeof(s->word));
}

static inline void
assert_as_before(const struct machine_state *before)
{
	struct machine_state now;

	look(&now);
	assert_int_equal(now.force, before->force);
	assert_int_equal(now.counting, before->counting);
	assert_int_equal(now.threads, before->threads);
	assert_memory_equal(&now, before, sizeof(now));
}

/* What another tool may have left: words, and counters that run. */
static inline void
leave_traces(uint32_t counting, uint32_t threads, uint64_t number)
{
	const struct kperf_api *k = sim_kperf();
	uint64_t word[KPC_MAX_COUNTERS] = { 0 };

	OK(k->kpc_force_all_ctrs_set(1));
	uint32_t n = k->kpc_get_config_count(2);
	for (uint32_t i = 0; i < n; i++)
		word[i] = number;
	OK(k->kpc_set_config(2, word));
	OK(k->kpc_set_counting(counting));
	OK(k->kpc_set_thread_counting(threads));
	OK(k->kpc_force_all_ctrs_set(0));
	if (counting != 0)
		OK(k->kpc_set_counting(counting));
}

#endif
