/* The functions of kperf and kperfdata, as two structs of pointers: on a Mac to
 * the frameworks' functions (load.c), in the simulator to its own. kperf's int
 * results are 0 or a failure, which may be -1 or the errno; errno is set if a
 * system call failed. "Root": without root the call fails with EPERM. Every kpc
 * sysctl fails with EBUSY while another kernel client owns the counters. */
#ifndef KPERF_API_H
#define KPERF_API_H

#include "kperf/abi.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kperf_api {
	/* Returns the length as snprintf, or a negative number. No root. */
	int (*kpc_cpu_string)(char *buf, size_t size);
	/* Returns enum kpc_pmu_version (kpc.pmu_version, root). */
	uint32_t (*kpc_pmu_version)(void);

	/* Returns the running classes, 0 on error (kpc.counting, root). */
	uint32_t (*kpc_get_counting)(void);
	/* Sets the running classes of the machine, which outlast the process;
	 * 0: stop. Root. */
	int (*kpc_set_counting)(uint32_t classes);
	/* A bit above the classes means failure (kpc.thread_counting, root). */
	uint32_t (*kpc_get_thread_counting)(void);
	/* Sets classes for all threads of the machine. Root. */
	int (*kpc_set_thread_counting)(uint32_t classes);
	/* Returns the number of config words, 0 on error (kpc.config_count, no
	 * root). */
	uint32_t (*kpc_get_config_count)(uint32_t classes);
	/* Returns counters per row, 0 on error (kpc.counter_count, no root). */
	uint32_t (*kpc_get_counter_count)(uint32_t classes);
	/* Copies kpc_get_config_count words (kpc.config, root). */
	int (*kpc_get_config)(uint32_t classes, uint64_t *config);
	/* Takes kpc_get_config_count words. If that number is 0 (ARM, fixed
	 * class only), do not call: the result is -1 without errno. Root. */
	int (*kpc_set_config)(uint32_t classes, uint64_t *config);
	/* Copies the counters of this CPU and its id. all_cpus: copies hw.ncpu
	 * rows, one per CPU, even on error (kpc.counters, root). */
	int (*kpc_get_cpu_counters)(bool all_cpus, uint32_t classes,
				    int *current_cpu, uint64_t *buf);
	/* tid must be 0 (this thread); count: elements of buf. Root. */
	int (*kpc_get_thread_counters)(uint32_t tid, uint32_t count,
				       uint64_t *buf);
	/* 1 takes the power manager's counters, 0 releases them. Root. */
	int (*kpc_force_all_ctrs_set)(int value);
	int (*kpc_force_all_ctrs_get)(int *value);

	/* Sampling (kperf.*); kperf_reset and _set calls need root and
	 * ownership of ktrace. */
	int (*kperf_action_count_set)(uint32_t count);
	int (*kperf_action_count_get)(uint32_t *count);
	int (*kperf_action_samplers_set)(uint32_t action, uint32_t samplers);
	int (*kperf_action_samplers_get)(uint32_t action, uint32_t *samplers);
	/* port: name of a task's Mach port; -1: no filter. */
	int (*kperf_action_filter_set_by_task)(uint32_t action, int32_t port);
	int (*kperf_action_filter_set_by_pid)(uint32_t action, int32_t pid);
	int (*kperf_timer_count_set)(uint32_t count);
	int (*kperf_timer_count_get)(uint32_t *count);
	int (*kperf_timer_period_set)(uint32_t timer, uint64_t ticks);
	int (*kperf_timer_period_get)(uint32_t timer, uint64_t *ticks);
	int (*kperf_timer_action_set)(uint32_t timer, uint32_t action);
	int (*kperf_timer_action_get)(uint32_t timer, uint32_t *action);
	int (*kperf_timer_pet_set)(uint32_t timer);
	int (*kperf_timer_pet_get)(uint32_t *timer);
	int (*kperf_sample_set)(uint32_t enabled);
	int (*kperf_sample_get)(uint32_t *enabled);
	int (*kperf_reset)(void);
	uint64_t (*kperf_ns_to_ticks)(uint64_t ns);
	uint64_t (*kperf_ticks_to_ns)(uint64_t ticks);
	uint64_t (*kperf_tick_frequency)(void); /* Hz */
};

/* Results are of enum kpep_error, sizes in bytes. No root, no kpc calls. */
struct kperfdata_api {
	/* name: a CPU string, a database ("a14"), or NULL for this CPU. */
	int (*kpep_db_create)(const char *name, struct kpep_db **db);
	void (*kpep_db_free)(struct kpep_db *db);
	/* Returns the marketing name, "Apple A14/M1", not "a14". */
	int (*kpep_db_name)(struct kpep_db *db, const char **name);
	int (*kpep_db_aliases_count)(struct kpep_db *db, size_t *count);
	int (*kpep_db_aliases)(struct kpep_db *db, const char **buf,
			       size_t size);
	/* classes: 1 fixed, 2 configurable, 4 power; 2|4: configurable without
	 * power. */
	int (*kpep_db_counters_count)(struct kpep_db *db, uint8_t classes,
				      size_t *count);
	int (*kpep_db_events_count)(struct kpep_db *db, size_t *count);
	/* Copies pointers to all events, also fixed ones, sorted by number and
	 * umask. */
	int (*kpep_db_events)(struct kpep_db *db, struct kpep_event **buf,
			      size_t size);
	/* Searches aliases, then names. Not found: *event is NULL. */
	int (*kpep_db_event)(struct kpep_db *db, const char *name,
			     struct kpep_event **event);

	int (*kpep_event_name)(struct kpep_event *event, const char **text);
	/* *text may be NULL. */
	int (*kpep_event_alias)(struct kpep_event *event, const char **text);
	int (*kpep_event_description)(struct kpep_event *event,
				      const char **text);

	/* Free a config before its database. */
	int (*kpep_config_create)(struct kpep_db *db,
				  struct kpep_config **config);
	void (*kpep_config_free)(struct kpep_config *config);
	/* Call once, before adding events; changes only the config. */
	int (*kpep_config_force_counters)(struct kpep_config *config);
	/* Gives the event its lowest free counter and moves no other event: add
	 * events with few counters first. *event may become its fallback. flag
	 * 0: all modes, else user mode. *err (may be NULL): bits of the earlier
	 * events in conflict. */
	int (*kpep_config_add_event)(struct kpep_config *config,
				     struct kpep_event **event, uint32_t flag,
				     uint32_t *err);
	int (*kpep_config_remove_event)(struct kpep_config *config,
					size_t index);
	int (*kpep_config_events_count)(struct kpep_config *config,
					size_t *count);
	int (*kpep_config_events)(struct kpep_config *config,
				  struct kpep_event **buf, size_t size);
	int (*kpep_config_kpc_classes)(struct kpep_config *config,
				       uint32_t *classes);
	int (*kpep_config_kpc_count)(struct kpep_config *config, size_t *count);
	int (*kpep_config_kpc)(struct kpep_config *config, uint64_t *buf,
			       size_t size);
	/* Returns the index of each event in a row of counters, in the order of
	 * adding. */
	int (*kpep_config_kpc_map)(struct kpep_config *config, size_t *buf,
				   size_t size);
};

/* System calls for sampling processes; an int result is 0, or -1 and errno. */
struct kperf_system {
	/* As sysctlbyname(3): "kperf.lightweight_pet", "ktrace.owning_pid". */
	int (*sysctl)(const char *name, void *old, size_t *old_size,
		      const void *fresh, size_t fresh_size);
	/* sysctl {CTL_KERN, KERN_KDEBUG, op, value}; `at` is input or output.
	 * *size: bytes of `at`; on return bytes, of KERN_KDREADTR records.
	 * Needs root and ownership of ktrace. */
	int (*kdebug)(int op, int value, void *at, size_t *size);
	bool (*kdebug_is_enabled)(uint32_t debugid);
};

#define KPERF_NSYMBOLS 34
#define KPERFDATA_NSYMBOLS 23

static_assert(sizeof(struct kperf_api) == KPERF_NSYMBOLS * sizeof(void *),
	      "kperf_api is its symbols and nothing else");
static_assert(sizeof(struct kperfdata_api) ==
		      KPERFDATA_NSYMBOLS * sizeof(void *),
	      "kperfdata_api is its symbols and nothing else");

#ifdef __cplusplus
}
#endif

#include "kperf/symbols.h" /* for the loader; not installed */

#endif
