/*
 * The shared library: the frameworks' 57 symbols under their own names, and
 * ktop_host. KTOP_SIM says which machine; it is booted when the library is
 * loaded, since the host's struct has to be right before its first call.
 */
#include <stdlib.h>

#include "sim/sim.h"

#define EXPORT __attribute__((visibility("default")))

extern EXPORT struct host_api ktop_host;
struct host_api ktop_host;

__attribute__((constructor)) static void
boot(void)
{
	const char *spec = getenv("KTOP_SIM");
	struct err e;

	if (!sim_start(spec != NULL ? spec : "m1,clock=real", &e))
		err_print("simulator: %s", e.text);
	ktop_host = *sim_host();
}

__attribute__((destructor)) static void
unload(void)
{
	sim_stop();
}

/* Each is declared, for the compiler's sake, and hands its call on. */
#define KPERF(type, name, params, args)        \
	EXPORT type name params;               \
	type name params                       \
	{                                      \
		return sim_kperf()->name args; \
	}
#define KPEP(type, name, params, args)             \
	EXPORT type name params;                   \
	type name params                           \
	{                                          \
		return sim_kperfdata()->name args; \
	}
#define KPEP_VOID(name, params, args)       \
	EXPORT void name params;            \
	void name params                    \
	{                                   \
		sim_kperfdata()->name args; \
	}

/* clang-format off */
KPERF(int, kpc_cpu_string, (char *buf, size_t size), (buf, size))
KPERF(uint32_t, kpc_pmu_version, (void), ())
KPERF(uint32_t, kpc_get_counting, (void), ())
KPERF(int, kpc_set_counting, (uint32_t classes), (classes))
KPERF(uint32_t, kpc_get_thread_counting, (void), ())
KPERF(int, kpc_set_thread_counting, (uint32_t classes), (classes))
KPERF(uint32_t, kpc_get_config_count, (uint32_t classes), (classes))
KPERF(uint32_t, kpc_get_counter_count, (uint32_t classes), (classes))
KPERF(int, kpc_get_config, (uint32_t classes, uint64_t *config), (classes, config))
KPERF(int, kpc_set_config, (uint32_t classes, uint64_t *config), (classes, config))
KPERF(int, kpc_get_cpu_counters, (bool all, uint32_t classes, int *cpu, uint64_t *buf), (all, classes, cpu, buf))
KPERF(int, kpc_get_thread_counters, (uint32_t tid, uint32_t count, uint64_t *buf), (tid, count, buf))
KPERF(int, kpc_force_all_ctrs_set, (int value), (value))
KPERF(int, kpc_force_all_ctrs_get, (int *value), (value))
KPERF(int, kperf_action_count_set, (uint32_t count), (count))
KPERF(int, kperf_action_count_get, (uint32_t *count), (count))
KPERF(int, kperf_action_samplers_set, (uint32_t action, uint32_t samplers), (action, samplers))
KPERF(int, kperf_action_samplers_get, (uint32_t action, uint32_t *samplers), (action, samplers))
KPERF(int, kperf_action_filter_set_by_task, (uint32_t action, int32_t port), (action, port))
KPERF(int, kperf_action_filter_set_by_pid, (uint32_t action, int32_t pid), (action, pid))
KPERF(int, kperf_timer_count_set, (uint32_t count), (count))
KPERF(int, kperf_timer_count_get, (uint32_t *count), (count))
KPERF(int, kperf_timer_period_set, (uint32_t timer, uint64_t ticks), (timer, ticks))
KPERF(int, kperf_timer_period_get, (uint32_t timer, uint64_t *ticks), (timer, ticks))
KPERF(int, kperf_timer_action_set, (uint32_t timer, uint32_t action), (timer, action))
KPERF(int, kperf_timer_action_get, (uint32_t timer, uint32_t *action), (timer, action))
KPERF(int, kperf_timer_pet_set, (uint32_t timer), (timer))
KPERF(int, kperf_timer_pet_get, (uint32_t *timer), (timer))
KPERF(int, kperf_sample_set, (uint32_t enabled), (enabled))
KPERF(int, kperf_sample_get, (uint32_t *enabled), (enabled))
KPERF(int, kperf_reset, (void), ())
KPERF(uint64_t, kperf_ns_to_ticks, (uint64_t ns), (ns))
KPERF(uint64_t, kperf_ticks_to_ns, (uint64_t ticks), (ticks))
KPERF(uint64_t, kperf_tick_frequency, (void), ())

KPEP(int, kpep_db_create, (const char *name, struct kpep_db **db), (name, db))
KPEP_VOID(kpep_db_free, (struct kpep_db *db), (db))
KPEP(int, kpep_db_name, (struct kpep_db *db, const char **name), (db, name))
KPEP(int, kpep_db_aliases_count, (struct kpep_db *db, size_t *count), (db, count))
KPEP(int, kpep_db_aliases, (struct kpep_db *db, const char **buf, size_t size), (db, buf, size))
KPEP(int, kpep_db_counters_count, (struct kpep_db *db, uint8_t classes, size_t *count), (db, classes, count))
KPEP(int, kpep_db_events_count, (struct kpep_db *db, size_t *count), (db, count))
KPEP(int, kpep_db_events, (struct kpep_db *db, struct kpep_event **buf, size_t size), (db, buf, size))
KPEP(int, kpep_db_event, (struct kpep_db *db, const char *name, struct kpep_event **event), (db, name, event))
KPEP(int, kpep_event_name, (struct kpep_event *event, const char **text), (event, text))
KPEP(int, kpep_event_alias, (struct kpep_event *event, const char **text), (event, text))
KPEP(int, kpep_event_description, (struct kpep_event *event, const char **text), (event, text))
KPEP(int, kpep_config_create, (struct kpep_db *db, struct kpep_config **config), (db, config))
KPEP_VOID(kpep_config_free, (struct kpep_config *config), (config))
KPEP(int, kpep_config_force_counters, (struct kpep_config *config), (config))
KPEP(int, kpep_config_add_event, (struct kpep_config *config, struct kpep_event **event, uint32_t flag, uint32_t *err), (config, event, flag, err))
KPEP(int, kpep_config_remove_event, (struct kpep_config *config, size_t index), (config, index))
KPEP(int, kpep_config_events_count, (struct kpep_config *config, size_t *count), (config, count))
KPEP(int, kpep_config_events, (struct kpep_config *config, struct kpep_event **buf, size_t size), (config, buf, size))
KPEP(int, kpep_config_kpc_classes, (struct kpep_config *config, uint32_t *classes), (config, classes))
KPEP(int, kpep_config_kpc_count, (struct kpep_config *config, size_t *count), (config, count))
KPEP(int, kpep_config_kpc, (struct kpep_config *config, uint64_t *buf, size_t size), (config, buf, size))
KPEP(int, kpep_config_kpc_map, (struct kpep_config *config, size_t *buf, size_t size), (config, buf, size))
/* clang-format on */
