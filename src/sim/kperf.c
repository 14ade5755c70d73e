#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sim/inside.h"
#include "sim/sim.h"

/* Functions of the kperf framework: wrappers of sysctls. How they return an
 * errno is unknown, so lib=minus1 and lib=errno simulate both ways. */
#define DECLARE(m) SIM_EXPORT __typeof__(*((struct kperf_api *)0)->m) m;
KPERF_SYMBOLS(DECLARE)

static int
set_u32(const char *name, uint32_t value)
{
	return sim_library_result(
		sim_sysctl(name, NULL, NULL, &value, sizeof value));
}

static int
get_u32(const char *name, uint32_t *value)
{
	size_t size = sizeof *value;

	return sim_library_result(
		sim_sysctl(name, value, value != NULL ? &size : NULL, NULL, 0));
}

static uint32_t
get_or(const char *name, uint32_t otherwise)
{
	uint32_t value;

	return get_u32(name, &value) == 0 ? value : otherwise;
}

static int
set_pair(const char *name, uint64_t id, uint64_t value)
{
	uint64_t pair[2] = { id, value };

	return sim_library_result(
		sim_sysctl(name, NULL, NULL, pair, sizeof pair));
}

static int
get_pair(const char *name, uint64_t id, uint64_t *value)
{
	uint64_t pair[2] = { id, 0 };
	size_t size = sizeof pair;
	int code = sim_sysctl(name, pair, &size, pair, sizeof pair);

	*value = pair[1];
	return sim_library_result(code);
}

/* clang-format off */
#define SET(call, type, node) \
int \
call(type value) \
{ \
	return set_u32(node, (uint32_t)value); \
}
#define GET(call, type, node) \
int \
call(type *value) \
{ \
	return get_u32(node, (void *)value); \
}
#define SET_OF(call, type, node) \
int \
call(uint32_t id, type value) \
{ \
	return set_pair(node, id, (uint64_t)value); \
}
#define GET_OF(call, type, node) \
int \
call(uint32_t id, type *value) \
{ \
	uint64_t wide; \
	int code = get_pair(node, id, &wide); \
	if (code == 0 && value != NULL) \
		*value = (type)wide; \
	return code; \
}

SET(kpc_set_counting, uint32_t, "kpc.counting")
SET(kpc_set_thread_counting, uint32_t, "kpc.thread_counting")
SET(kpc_force_all_ctrs_set, int, "kpc.force_all_ctrs")
GET(kpc_force_all_ctrs_get, int, "kpc.force_all_ctrs")
SET(kperf_action_count_set, uint32_t, "kperf.action.count")
GET(kperf_action_count_get, uint32_t, "kperf.action.count")
SET_OF(kperf_action_samplers_set, uint32_t, "kperf.action.samplers")
GET_OF(kperf_action_samplers_get, uint32_t, "kperf.action.samplers")
SET_OF(kperf_action_filter_set_by_task, int32_t, "kperf.action.filter_by_task")
SET_OF(kperf_action_filter_set_by_pid, int32_t, "kperf.action.filter_by_pid")
SET(kperf_timer_count_set, uint32_t, "kperf.timer.count")
GET(kperf_timer_count_get, uint32_t, "kperf.timer.count")
SET_OF(kperf_timer_period_set, uint64_t, "kperf.timer.period")
GET_OF(kperf_timer_period_get, uint64_t, "kperf.timer.period")
SET_OF(kperf_timer_action_set, uint32_t, "kperf.timer.action")
GET_OF(kperf_timer_action_get, uint32_t, "kperf.timer.action")
SET(kperf_timer_pet_set, uint32_t, "kperf.timer.pet_timer")
GET(kperf_timer_pet_get, uint32_t, "kperf.timer.pet_timer")
SET(kperf_sample_set, uint32_t, "kperf.sampling")
GET(kperf_sample_get, uint32_t, "kperf.sampling")
/* clang-format on */

int
kpc_cpu_string(char *buf, size_t size)
{
	uint32_t type = get_or("hw.cputype", 0);
	uint32_t subtype = get_or("hw.cpusubtype", 0);
	uint32_t family = get_or("hw.cpufamily", 0), model;

	if (buf == NULL || size == 0 || type == 0)
		return -1;
	if (get_u32("machdep.cpu.model", &model) == 0)
		return snprintf(buf, size, "cpu_%x_%x_%x_%x", type, subtype,
				family, model);
	return snprintf(buf, size, "cpu_%x_%x_%x", type, subtype, family);
}

uint32_t
kpc_pmu_version(void)
{
	return get_or("kpc.pmu_version", 0);
}

uint32_t
kpc_get_counting(void)
{
	return get_or("kpc.counting", 0);
}

uint32_t
kpc_get_thread_counting(void)
{
	return get_or("kpc.thread_counting", UINT32_MAX);
}

static uint32_t
class_count(const char *name, uint32_t classes)
{
	uint32_t n;
	size_t size = sizeof n;
	int code = sim_sysctl(name, &n, &size, &classes, sizeof classes);

	return sim_library_result(code) == 0 ? n : 0;
}

uint32_t
kpc_get_config_count(uint32_t classes)
{
	return class_count("kpc.config_count", classes);
}

uint32_t
kpc_get_counter_count(uint32_t classes)
{
	return class_count("kpc.counter_count", classes);
}

int
kpc_get_config(uint32_t classes, uint64_t *config)
{
	uint64_t arg = classes;
	size_t size = kpc_get_config_count(classes) * sizeof *config;

	return sim_library_result(
		sim_sysctl("kpc.config", config, &size, &arg, sizeof arg));
}

/* If the classes have no words, returns -1 without writing kpc.config. */
int
kpc_set_config(uint32_t classes, uint64_t *config)
{
	uint64_t words[1 + 1 + SIM_PMCS + SIM_RAW_WORDS] = { classes };
	size_t n = kpc_get_config_count(classes);

	if (n == 0 || n >= sizeof words / sizeof *words)
		return -1;
	memcpy(words + 1, config, n * sizeof *config);
	return sim_library_result(sim_sysctl("kpc.config", NULL, NULL, words,
					     (n + 1) * sizeof *words));
}

/* Copies the rows that the kernel returned. With rows=copied, copies a row per
 * CPU from the framework's buffer, old rows included, even on errors. */
int
kpc_get_cpu_counters(bool all_cpus, uint32_t classes, int *current_cpu,
		     uint64_t *buf)
{
	uint32_t arg = classes | (all_cpus ? KPC_ALL_CPUS : 0), n = 0;
	struct sim_kernel *k = sim_lock();

	if (k == NULL)
		return sim_library_result(ENOENT);
	struct sim_caller who = sim_caller_now();
	size_t size = sizeof n;
	(void)sim_kernel_sysctl(k, &who, "kpc.counter_count", &n, &size,
				&classes, sizeof classes);
	size_t words = (all_cpus ? k->ncpus : 1u) * (size_t)n;
	uint64_t *kept = k->lib_buffer;
	size = (1 + words) * sizeof *kept;
	int code = sim_kernel_sysctl(k, &who, "kpc.counters", kept, &size, &arg,
				     sizeof arg);
	if (buf == NULL)
		words = 0;
	else if (sim_spec_now()->rows_copied)
		memcpy(buf, kept + 1, words * sizeof *buf);
	else if (code == 0)
		memcpy(buf, kept + 1, size - sizeof *buf);
	if (code == 0 && current_cpu != NULL)
		*current_cpu = (int)kept[0];
	sim_unlock();
	return sim_library_result(code);
}

int
kpc_get_thread_counters(uint32_t tid, uint32_t count, uint64_t *buf)
{
	size_t size = (size_t)count * sizeof *buf;

	return sim_library_result(sim_sysctl("kpc.thread_counters", buf, &size,
					     &tid, sizeof tid));
}

int
kperf_reset(void)
{
	return set_u32("kperf.reset", 1);
}

static bool
is_intel(void)
{
	const struct sim_machine *m = sim_spec_now()->machine;

	return m != NULL && m->cputype == 7;
}

/* Apple silicon's tick is 125/3 ns. Divides first to avoid overflow. */
uint64_t
kperf_ns_to_ticks(uint64_t ns)
{
	return is_intel() ? ns : ns / 125 * 3 + ns % 125 * 3 / 125;
}

uint64_t
kperf_ticks_to_ns(uint64_t ticks)
{
	return is_intel() ? ticks : ticks / 3 * 125 + ticks % 3 * 125 / 3;
}

uint64_t
kperf_tick_frequency(void)
{
	return is_intel() ? 1000000000 : 24000000;
}

#define IS(m) .m = m,

const struct kperf_api *
sim_kperf(void)
{
	static const struct kperf_api api = { KPERF_SYMBOLS(IS) };

	return &api;
}
