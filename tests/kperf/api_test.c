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

/* The names that a program written for the frameworks asks for. */
static const char names[] =
	"kpc_cpu_string kpc_pmu_version kpc_get_counting "
	"kpc_set_counting kpc_get_thread_counting "
	"kpc_set_thread_counting kpc_get_config_count "
	"kpc_get_counter_count kpc_get_config kpc_set_config "
	"kpc_get_cpu_counters kpc_get_thread_counters "
	"kpc_force_all_ctrs_set kpc_force_all_ctrs_get "
	"kperf_action_count_set kperf_action_count_get "
	"kperf_action_samplers_set kperf_action_samplers_get "
	"kperf_action_filter_set_by_task "
	"kperf_action_filter_set_by_pid kperf_timer_count_set "
	"kperf_timer_count_get kperf_timer_period_set "
	"kperf_timer_period_get kperf_timer_action_set "
	"kperf_timer_action_get kperf_timer_pet_set "
	"kperf_timer_pet_get kperf_sample_set kperf_sample_get "
	"kperf_reset kperf_ns_to_ticks kperf_ticks_to_ns "
	"kperf_tick_frequency kpep_db_create kpep_db_free kpep_db_name "
	"kpep_db_aliases_count kpep_db_aliases kpep_db_counters_count "
	"kpep_db_events_count kpep_db_events kpep_db_event "
	"kpep_event_name kpep_event_alias kpep_event_description "
	"kpep_config_create kpep_config_free "
	"kpep_config_force_counters kpep_config_add_event "
	"kpep_config_remove_event kpep_config_events_count "
	"kpep_config_events kpep_config_kpc_classes "
	"kpep_config_kpc_count kpep_config_kpc kpep_config_kpc_map ";

UNIT(test_every_name)
{
	char all[sizeof names] = "";

	for (size_t i = 0; i < KPERF_NSYMBOLS; i++)
		strcat(strcat(all, kperf_symbols[i].name), " ");
	for (size_t i = 0; i < KPERFDATA_NSYMBOLS; i++)
		strcat(strcat(all, kperfdata_symbols[i].name), " ");
	assert_string_equal(all, names);
}
