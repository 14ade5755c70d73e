/* The two structs of function pointers and their tables of names. */
#include "kperf/api.h"

#include <string.h>
#include <cmocka.h>

/* Each symbol fills its own place, and together they fill all. */
static void
check_table(const struct kperf_symbol *table, size_t n, const char *prefix1,
	    const char *prefix2)
{
	for (size_t i = 0; i < n; i++) {
		const char *name = table[i].name;

		assert_int_equal(table[i].offset, i * sizeof(void *));
		assert_true(strncmp(name, prefix1, strlen(prefix1)) == 0 ||
			    strncmp(name, prefix2, strlen(prefix2)) == 0);
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(name, table[j].name);
	}
}

UNIT(test_tables_cover_the_structs)
{
	check_table(kperf_symbols, KPERF_NSYMBOLS, "kpc_", "kperf_");
	check_table(kperfdata_symbols, KPERFDATA_NSYMBOLS, "kpep_db_", "kpep_");
}

static bool
has(const struct kperf_symbol *table, size_t n, const char *name, size_t offset)
{
	for (size_t i = 0; i < n; i++) {
		if (strcmp(table[i].name, name) == 0)
			return table[i].offset == offset;
	}
	return false;
}

/* The names that a program written for the frameworks asks for. */
UNIT(test_every_name)
{
#define KPERF(s)                                           \
	assert_true(has(kperf_symbols, KPERF_NSYMBOLS, #s, \
			offsetof(struct kperf_api, s)))
#define DATA(s)                                                    \
	assert_true(has(kperfdata_symbols, KPERFDATA_NSYMBOLS, #s, \
			offsetof(struct kperfdata_api, s)))
	KPERF(kpc_cpu_string);
	KPERF(kpc_pmu_version);
	KPERF(kpc_get_counting);
	KPERF(kpc_set_counting);
	KPERF(kpc_get_thread_counting);
	KPERF(kpc_set_thread_counting);
	KPERF(kpc_get_config_count);
	KPERF(kpc_get_counter_count);
	KPERF(kpc_get_config);
	KPERF(kpc_set_config);
	KPERF(kpc_get_cpu_counters);
	KPERF(kpc_get_thread_counters);
	KPERF(kpc_force_all_ctrs_set);
	KPERF(kpc_force_all_ctrs_get);
	KPERF(kperf_action_count_set);
	KPERF(kperf_action_count_get);
	KPERF(kperf_action_samplers_set);
	KPERF(kperf_action_samplers_get);
	KPERF(kperf_action_filter_set_by_task);
	KPERF(kperf_action_filter_set_by_pid);
	KPERF(kperf_timer_count_set);
	KPERF(kperf_timer_count_get);
	KPERF(kperf_timer_period_set);
	KPERF(kperf_timer_period_get);
	KPERF(kperf_timer_action_set);
	KPERF(kperf_timer_action_get);
	KPERF(kperf_timer_pet_set);
	KPERF(kperf_timer_pet_get);
	KPERF(kperf_sample_set);
	KPERF(kperf_sample_get);
	KPERF(kperf_reset);
	KPERF(kperf_ns_to_ticks);
	KPERF(kperf_ticks_to_ns);
	KPERF(kperf_tick_frequency);
	DATA(kpep_db_create);
	DATA(kpep_db_free);
	DATA(kpep_db_name);
	DATA(kpep_db_aliases_count);
	DATA(kpep_db_aliases);
	DATA(kpep_db_counters_count);
	DATA(kpep_db_events_count);
	DATA(kpep_db_events);
	DATA(kpep_db_event);
	DATA(kpep_event_name);
	DATA(kpep_event_alias);
	DATA(kpep_event_description);
	DATA(kpep_config_create);
	DATA(kpep_config_free);
	DATA(kpep_config_force_counters);
	DATA(kpep_config_add_event);
	DATA(kpep_config_remove_event);
	DATA(kpep_config_events_count);
	DATA(kpep_config_events);
	DATA(kpep_config_kpc_classes);
	DATA(kpep_config_kpc_count);
	DATA(kpep_config_kpc);
	DATA(kpep_config_kpc_map);
}
