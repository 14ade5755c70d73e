/* Names of the frameworks' functions and offsets of their struct members. */
#ifndef KPERF_SYMBOLS_H
#define KPERF_SYMBOLS_H

#include "kperf/api.h"

struct kperf_symbol {
	const char *name;
	size_t offset;
};

/* clang-format off */
#define KPERF_SYMBOLS(ROW) \
	ROW(kpc_cpu_string) ROW(kpc_pmu_version) ROW(kpc_get_counting) \
	ROW(kpc_set_counting) ROW(kpc_get_thread_counting) \
	ROW(kpc_set_thread_counting) ROW(kpc_get_config_count) \
	ROW(kpc_get_counter_count) ROW(kpc_get_config) ROW(kpc_set_config) \
	ROW(kpc_get_cpu_counters) ROW(kpc_get_thread_counters) \
	ROW(kpc_force_all_ctrs_set) ROW(kpc_force_all_ctrs_get) \
	ROW(kperf_action_count_set) ROW(kperf_action_count_get) \
	ROW(kperf_action_samplers_set) ROW(kperf_action_samplers_get) \
	ROW(kperf_action_filter_set_by_task) \
	ROW(kperf_action_filter_set_by_pid) ROW(kperf_timer_count_set) \
	ROW(kperf_timer_count_get) ROW(kperf_timer_period_set) \
	ROW(kperf_timer_period_get) ROW(kperf_timer_action_set) \
	ROW(kperf_timer_action_get) ROW(kperf_timer_pet_set) \
	ROW(kperf_timer_pet_get) ROW(kperf_sample_set) ROW(kperf_sample_get) \
	ROW(kperf_reset) ROW(kperf_ns_to_ticks) ROW(kperf_ticks_to_ns) \
	ROW(kperf_tick_frequency)
#define KPERFDATA_SYMBOLS(ROW) \
	ROW(kpep_db_create) ROW(kpep_db_free) ROW(kpep_db_name) \
	ROW(kpep_db_aliases_count) ROW(kpep_db_aliases) \
	ROW(kpep_db_counters_count) ROW(kpep_db_events_count) \
	ROW(kpep_db_events) ROW(kpep_db_event) ROW(kpep_event_name) \
	ROW(kpep_event_alias) ROW(kpep_event_description) \
	ROW(kpep_config_create) ROW(kpep_config_free) \
	ROW(kpep_config_force_counters) ROW(kpep_config_add_event) \
	ROW(kpep_config_remove_event) ROW(kpep_config_events_count) \
	ROW(kpep_config_events) ROW(kpep_config_kpc_classes) \
	ROW(kpep_config_kpc_count) ROW(kpep_config_kpc) \
	ROW(kpep_config_kpc_map)
/* clang-format on */

extern const struct kperf_symbol kperf_symbols[KPERF_NSYMBOLS];
extern const struct kperf_symbol kperfdata_symbols[KPERFDATA_NSYMBOLS];

#endif
