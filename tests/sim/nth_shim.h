/*
 * The frameworks with one call that fails, the n-th, or some in a row: wrap(),
 * and fail_nth() a run that uses `kpc` and `kpep` in the place of the real
 * ones.
 */
#ifndef TESTS_SIM_NTH_SHIM_H
#define TESTS_SIM_NTH_SHIM_H

#include "sim/calls.h"

#include <errno.h>

static struct {
	unsigned calls, fail_at; /* fail_at 0: never */
	unsigned more;           /* calls behind it that fail, too */
	int code;
	const char *failed;
} shim;

/* Is it this call's turn? */
static inline bool
turn(const char *name)
{
	shim.calls++;
	if (shim.fail_at == 0 || shim.calls < shim.fail_at ||
	    shim.calls > shim.fail_at + shim.more)
		return false;
	shim.failed = name;
	errno = shim.code;
	return true;
}

/* The functions that are called at all, each with its failure. */
/* clang-format off */
#define KPC_CALLS(X) \
	X(int, kpc_cpu_string, (char *b, size_t n), (b, n), -1) \
	X(uint32_t, kpc_pmu_version, (void), (), 0) \
	X(uint32_t, kpc_get_counting, (void), (), 0) \
	X(int, kpc_set_counting, (uint32_t c), (c), -1) \
	X(uint32_t, kpc_get_thread_counting, (void), (), UINT32_MAX) \
	X(int, kpc_set_thread_counting, (uint32_t c), (c), -1) \
	X(uint32_t, kpc_get_config_count, (uint32_t c), (c), 0) \
	X(uint32_t, kpc_get_counter_count, (uint32_t c), (c), 0) \
	X(int, kpc_get_config, (uint32_t c, uint64_t *w), (c, w), -1) \
	X(int, kpc_set_config, (uint32_t c, uint64_t *w), (c, w), -1) \
	X(int, kpc_get_cpu_counters, \
	  (bool a, uint32_t c, int *i, uint64_t *b), (a, c, i, b), -1) \
	X(int, kpc_get_thread_counters, \
	  (uint32_t t, uint32_t n, uint64_t *b), (t, n, b), -1) \
	X(int, kpc_force_all_ctrs_set, (int v), (v), -1) \
	X(int, kpc_force_all_ctrs_get, (int *v), (v), -1)

#define KPEP_CALLS(X) \
	X(int, kpep_db_create, (const char *n, struct kpep_db **d), (n, d), 7) \
	X(int, kpep_db_name, (struct kpep_db *d, const char **n), (d, n), 1) \
	X(int, kpep_db_aliases_count, (struct kpep_db *d, size_t *n), \
	  (d, n), 1) \
	X(int, kpep_db_counters_count, \
	  (struct kpep_db *d, uint8_t c, size_t *n), (d, c, n), 1) \
	X(int, kpep_db_events_count, (struct kpep_db *d, size_t *n), \
	  (d, n), 1) \
	X(int, kpep_db_events, \
	  (struct kpep_db *d, struct kpep_event **b, size_t n), (d, b, n), 4) \
	X(int, kpep_event_name, (struct kpep_event *v, const char **t), \
	  (v, t), 1) \
	X(int, kpep_event_alias, (struct kpep_event *v, const char **t), \
	  (v, t), 1) \
	X(int, kpep_event_description, (struct kpep_event *v, const char **t), \
	  (v, t), 1) \
	X(int, kpep_config_create, \
	  (struct kpep_db *d, struct kpep_config **c), (d, c), 2) \
	X(int, kpep_config_force_counters, (struct kpep_config *c), (c), 1) \
	X(int, kpep_config_add_event, \
	  (struct kpep_config *c, struct kpep_event **v, uint32_t f, \
	   uint32_t *r), (c, v, f, r), 12) \
	X(int, kpep_config_kpc_classes, \
	  (struct kpep_config *c, uint32_t *n), (c, n), 1) \
	X(int, kpep_config_kpc_count, (struct kpep_config *c, size_t *n), \
	  (c, n), 1) \
	X(int, kpep_config_kpc, \
	  (struct kpep_config *c, uint64_t *b, size_t n), (c, b, n), 4) \
	X(int, kpep_config_kpc_map, \
	  (struct kpep_config *c, size_t *b, size_t n), (c, b, n), 15)

#define KPC_SHIM(type, name, params, args, failure) \
	static type shim_##name params \
	{ \
		if (turn(#name)) \
			return failure; \
		return sim_kperf()->name args; \
	}
#define KPEP_SHIM(type, name, params, args, failure) \
	static type shim_##name params \
	{ \
		if (turn(#name)) \
			return failure; \
		return sim_kperfdata()->name args; \
	}
/* clang-format on */

KPC_CALLS(KPC_SHIM)
KPEP_CALLS(KPEP_SHIM)

static inline void
wrap(void)
{
	kpc = *sim_kperf();
	kpep = *sim_kperfdata();
#define KPC_SET(type, name, params, args, failure) kpc.name = shim_##name;
#define KPEP_SET(type, name, params, args, failure) kpep.name = shim_##name;
	KPC_CALLS(KPC_SET)
	KPEP_CALLS(KPEP_SET)
}

/*
 * The run with its n-th call failing; shim.failed is that call afterwards, or
 * NULL. Whatever the run says, the machine must be as it was.
 */
static inline bool
fail_nth(const char *spec, unsigned n, int code, bool (*run)(void))
{
	struct machine_state before, after;

	look(&before);
	shim.calls = 0;
	shim.fail_at = n;
	shim.code = code;
	shim.failed = NULL;
	bool ok = run();
	look(&after);
	if (memcmp(&before, &after, sizeof(before)) != 0)
		fail_msg("%s: call %u, %s, failed with %d: force %d to %d, "
			 "counting %u to %u, threads %u to %u, word %#llx to "
			 "%#llx",
			 spec, n, shim.failed, code, before.force, after.force,
			 before.counting, after.counting, before.threads,
			 after.threads, (unsigned long long)before.word[0],
			 (unsigned long long)after.word[0]);
	return ok;
}

#endif
