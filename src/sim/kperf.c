#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "kperf/tape/tape.h"
#include "sim/instance.h"
#include "sim/tape.h"
#include "sim/sim.h"

/*
 * The 34 functions are what the framework is on a Mac: sysctls with a little
 * around them. How it hands on an errno is not known, so both ways exist.
 */

static int
result(int code)
{
	if (code == 0)
		return 0;
	errno = code;
	return sim_spec_now()->lib_errno ? code : -1;
}

static int
set_u32(const char *name, uint32_t value)
{
	return result(sim_sysctl(name, NULL, NULL, &value, sizeof(value)));
}

static int
get_u32(const char *name, uint32_t *value)
{
	size_t size = sizeof(*value);

	/* NULL is as in the system call: asked, and thrown away. */
	return result(
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

	return result(sim_sysctl(name, NULL, NULL, pair, sizeof(pair)));
}

static int
get_pair(const char *name, uint64_t id, uint64_t *value)
{
	uint64_t pair[2] = { id, 0 };
	size_t size = sizeof(pair);
	int code = sim_sysctl(name, pair, &size, pair, sizeof(pair));

	if (code == 0 && value != NULL)
		*value = pair[1];
	return result(code);
}

static int
get_pair_u32(const char *name, uint64_t id, uint32_t *value)
{
	uint64_t wide;
	int code = get_pair(name, id, &wide);

	if (code == 0 && value != NULL)
		*value = (uint32_t)wide;
	return code;
}

static int
cpu_string(char *buf, size_t size)
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

static uint32_t
pmu_version(void)
{
	return get_or("kpc.pmu_version", 0);
}

static uint32_t
get_counting(void)
{
	return get_or("kpc.counting", 0);
}

static int
set_counting(uint32_t classes)
{
	return set_u32("kpc.counting", classes);
}

static uint32_t
get_thread_counting(void)
{
	return get_or("kpc.thread_counting", UINT32_MAX);
}

static int
set_thread_counting(uint32_t classes)
{
	return set_u32("kpc.thread_counting", classes);
}

static uint32_t
count_of(const char *name, uint32_t classes)
{
	uint32_t n;
	size_t size = sizeof(n);
	int code = sim_sysctl(name, &n, &size, &classes, sizeof(classes));

	return result(code) == 0 ? n : 0;
}

static uint32_t
get_config_count(uint32_t classes)
{
	return count_of("kpc.config_count", classes);
}

static uint32_t
get_counter_count(uint32_t classes)
{
	return count_of("kpc.counter_count", classes);
}

static int
get_config(uint32_t classes, uint64_t *config)
{
	uint64_t arg = classes;
	size_t size = get_config_count(classes) * sizeof(*config);

	return result(
		sim_sysctl("kpc.config", config, &size, &arg, sizeof(arg)));
}

/* Without words the framework fails by itself and sets no errno. */
static int
set_config(uint32_t classes, uint64_t *config)
{
	uint64_t words[1 + 1 + SIM_PMCS + SIM_RAW_WORDS] = { classes };
	size_t n = get_config_count(classes);

	if (n == 0 || n >= sizeof(words) / sizeof(*words))
		return -1;
	memcpy(words + 1, config, n * sizeof(*config));
	return result(sim_sysctl("kpc.config", NULL, NULL, words,
				 (n + 1) * sizeof(*words)));
}

/*
 * Two ways to hand the rows on: only what the kernel gave, or all of the
 * framework's own buffer, which remembers, even on an error.
 */
static int
get_cpu_counters(bool all_cpus, uint32_t classes, int *current_cpu,
		 uint64_t *buf)
{
	uint32_t arg = classes | (all_cpus ? KPC_ALL_CPUS : 0), n = 0;
	struct sim_kernel *k = sim_lock();

	if (k == NULL)
		return result(ENOENT);
	struct sim_caller who = sim_caller_now();
	size_t size = sizeof(n);
	(void)sim_kernel_sysctl(k, &who, "kpc.counter_count", &n, &size,
				&classes, sizeof(classes));
	size_t words = (all_cpus ? k->ncpus : 1u) * (size_t)n;
	uint64_t *kept = k->lib_buffer;
	size = (1 + words) * sizeof(*kept);
	int code = sim_kernel_sysctl(k, &who, "kpc.counters", kept, &size, &arg,
				     sizeof(arg));
	if (buf == NULL)
		words = 0; /* nothing to hand on to */
	else if (sim_spec_now()->rows_copied)
		memcpy(buf, kept + 1, words * sizeof(*buf));
	else if (code == 0)
		memcpy(buf, kept + 1, size - sizeof(*buf));
	if (code == 0 && current_cpu != NULL)
		*current_cpu = (int)kept[0];
	sim_unlock();
	return result(code);
}

static int
get_thread_counters(uint32_t tid, uint32_t count, uint64_t *buf)
{
	size_t size = (size_t)count * sizeof(*buf);

	return result(sim_sysctl("kpc.thread_counters", buf, &size, &tid,
				 sizeof(tid)));
}

static int
force_all_ctrs_set(int value)
{
	return set_u32("kpc.force_all_ctrs", (uint32_t)value);
}

static int
force_all_ctrs_get(int *value)
{
	uint32_t got;
	int code = get_u32("kpc.force_all_ctrs", &got);

	if (code == 0 && value != NULL)
		*value = (int)got;
	return code;
}

static int
action_count_set(uint32_t count)
{
	return set_u32("kperf.action.count", count);
}

static int
action_count_get(uint32_t *count)
{
	return get_u32("kperf.action.count", count);
}

static int
action_samplers_set(uint32_t action, uint32_t samplers)
{
	return set_pair("kperf.action.samplers", action, samplers);
}

static int
action_samplers_get(uint32_t action, uint32_t *samplers)
{
	return get_pair_u32("kperf.action.samplers", action, samplers);
}

static int
action_filter_set_by_task(uint32_t action, int32_t port)
{
	return set_pair("kperf.action.filter_by_task", action, (uint64_t)port);
}

static int
action_filter_set_by_pid(uint32_t action, int32_t pid)
{
	return set_pair("kperf.action.filter_by_pid", action, (uint64_t)pid);
}

static int
timer_count_set(uint32_t count)
{
	return set_u32("kperf.timer.count", count);
}

static int
timer_count_get(uint32_t *count)
{
	return get_u32("kperf.timer.count", count);
}

static int
timer_period_set(uint32_t timer, uint64_t ticks)
{
	return set_pair("kperf.timer.period", timer, ticks);
}

static int
timer_period_get(uint32_t timer, uint64_t *ticks)
{
	return get_pair("kperf.timer.period", timer, ticks);
}

static int
timer_action_set(uint32_t timer, uint32_t action)
{
	return set_pair("kperf.timer.action", timer, action);
}

static int
timer_action_get(uint32_t timer, uint32_t *action)
{
	return get_pair_u32("kperf.timer.action", timer, action);
}

static int
timer_pet_set(uint32_t timer)
{
	return set_u32("kperf.timer.pet_timer", timer);
}

static int
timer_pet_get(uint32_t *timer)
{
	return get_u32("kperf.timer.pet_timer", timer);
}

static int
sample_set(uint32_t enabled)
{
	return set_u32("kperf.sampling", enabled);
}

static int
sample_get(uint32_t *enabled)
{
	return get_u32("kperf.sampling", enabled);
}

static int
reset(void)
{
	return set_u32("kperf.reset", 1);
}

static bool
intel(void)
{
	const struct sim_machine *m = sim_spec_now()->machine;

	return m != NULL && m->cputype == 7;
}

/* The timebase is 125/3 on Apple silicon: 24 MHz. Whole parts first. */
static uint64_t
ns_to_ticks(uint64_t ns)
{
	return intel() ? ns : ns / 125 * 3 + ns % 125 * 3 / 125;
}

static uint64_t
ticks_to_ns(uint64_t ticks)
{
	return intel() ? ticks : ticks / 3 * 125 + ticks % 3 * 125 / 3;
}

static uint64_t
tick_frequency(void)
{
	return intel() ? 1000000000 : 24000000;
}

const struct kperf_api *
sim_kperf(void)
{
	static const struct kperf_api api = {
		.kpc_cpu_string = cpu_string,
		.kpc_pmu_version = pmu_version,
		.kpc_get_counting = get_counting,
		.kpc_set_counting = set_counting,
		.kpc_get_thread_counting = get_thread_counting,
		.kpc_set_thread_counting = set_thread_counting,
		.kpc_get_config_count = get_config_count,
		.kpc_get_counter_count = get_counter_count,
		.kpc_get_config = get_config,
		.kpc_set_config = set_config,
		.kpc_get_cpu_counters = get_cpu_counters,
		.kpc_get_thread_counters = get_thread_counters,
		.kpc_force_all_ctrs_set = force_all_ctrs_set,
		.kpc_force_all_ctrs_get = force_all_ctrs_get,
		.kperf_action_count_set = action_count_set,
		.kperf_action_count_get = action_count_get,
		.kperf_action_samplers_set = action_samplers_set,
		.kperf_action_samplers_get = action_samplers_get,
		.kperf_action_filter_set_by_task = action_filter_set_by_task,
		.kperf_action_filter_set_by_pid = action_filter_set_by_pid,
		.kperf_timer_count_set = timer_count_set,
		.kperf_timer_count_get = timer_count_get,
		.kperf_timer_period_set = timer_period_set,
		.kperf_timer_period_get = timer_period_get,
		.kperf_timer_action_set = timer_action_set,
		.kperf_timer_action_get = timer_action_get,
		.kperf_timer_pet_set = timer_pet_set,
		.kperf_timer_pet_get = timer_pet_get,
		.kperf_sample_set = sample_set,
		.kperf_sample_get = sample_get,
		.kperf_reset = reset,
		.kperf_ns_to_ticks = ns_to_ticks,
		.kperf_ticks_to_ns = ticks_to_ns,
		.kperf_tick_frequency = tick_frequency
	};

	return sim_tape_now() != NULL ? &tape_kperf : &api;
}
