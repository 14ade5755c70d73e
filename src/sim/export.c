/*
 * The shared library: the frameworks' 57 symbols under their own names, and
 * ktop_host. KTOP_SIM says which machine; it is booted when the library is
 * loaded, since the host's struct has to be right before its first call.
 */
#include "sim/inside.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

/*
 * Functions of the frameworks besides the 57 that ktop knows: programs of other
 * people look for them. Prototypes as in xnu's tests of the counters.
 */

#define EXPORT __attribute__((visibility("default")))

enum { CTL_HW = 6, HW_NCPU = 3 };

/* Which databases kpep_db_createx is to look at. */
#define ONLY_PUBLIC 1u
#define ONLY_INTERNAL 2u

EXPORT int kpc_set_period(uint32_t classes, uint64_t *period);
EXPORT int kpc_get_period(uint32_t classes, uint64_t *period);
EXPORT int kpc_set_actionid(uint32_t classes, uint32_t *action);
EXPORT int kpc_get_actionid(uint32_t classes, uint32_t *action);
EXPORT uint64_t *kpc_counterbuf_alloc(void);
EXPORT void kpc_counterbuf_free(uint64_t *buf);
EXPORT int kpep_db_createx(const char *name, uint32_t flags,
			   struct kpep_db **db);
EXPORT int kpep_config_add_event_trigger(struct kpep_config *config,
					 struct kpep_event **event,
					 uint32_t flag, uint64_t period,
					 uint32_t *err);
EXPORT int kpep_config_kpc_periods(struct kpep_config *config, uint64_t *buf,
				   size_t size);
EXPORT int kpep_config_apply(struct kpep_config *config);
EXPORT int sysctl(int *mib, unsigned n, void *old, size_t *old_size,
		  void *fresh, size_t fresh_size);
EXPORT int sysctlbyname(const char *name, void *old, size_t *old_size,
			void *fresh, size_t fresh_size);
EXPORT bool kdebug_is_enabled(uint32_t debugid);

static int
result(int code)
{
	errno = code != 0 ? code : errno;
	return code == 0 ? 0 : sim_spec_now()->lib_errno ? code : -1;
}

static int
answered(int code)
{
	errno = code != 0 ? code : errno;
	return code == 0 ? 0 : -1;
}

/* For programs that ask the system itself. */
int
sysctl(int *mib, unsigned n, void *old, size_t *old_size, void *fresh,
       size_t fresh_size)
{
	if (n == 2 && mib[0] == CTL_HW && mib[1] == HW_NCPU)
		return sysctlbyname("hw.ncpu", old, old_size, fresh,
				    fresh_size);
	return answered(sim_sysctl_mib(mib, n, old, old_size, fresh));
}

int
sysctlbyname(const char *name, void *old, size_t *old_size, void *fresh,
	     size_t fresh_size)
{
	return answered(sim_sysctl(name, old, old_size, fresh, fresh_size));
}

/* libSystem's, by its filter too. */
bool
kdebug_is_enabled(uint32_t debugid)
{
	const struct kperf_system *s = sim_host()->system;

	return s != NULL && s->kdebug_is_enabled(debugid);
}

/* {classes, one value a counter} */
static int
set_values(const char *name, uint32_t classes, const void *value, size_t each)
{
	size_t n = sim_kperf()->kpc_get_counter_count(classes) * each;
	uint64_t in[1 + KPC_MAX_COUNTERS] = { classes };

	if (n > sizeof in - sizeof in[0])
		return result(EINVAL);
	memcpy(in + 1, value, n);
	return result(sim_sysctl(name, NULL, NULL, in, sizeof in[0] + n));
}

static int
get_values(const char *name, uint32_t classes, void *value, size_t each)
{
	size_t n = sim_kperf()->kpc_get_counter_count(classes) * each;
	uint64_t arg = classes;

	return result(sim_sysctl(name, value, &n, &arg, sizeof arg));
}

int
kpc_set_period(uint32_t classes, uint64_t *period)
{
	return set_values("kpc.period", classes, period, sizeof *period);
}

int
kpc_get_period(uint32_t classes, uint64_t *period)
{
	return get_values("kpc.period", classes, period, sizeof *period);
}

int
kpc_set_actionid(uint32_t classes, uint32_t *action)
{
	return set_values("kpc.actionid", classes, action, sizeof *action);
}

int
kpc_get_actionid(uint32_t classes, uint32_t *action)
{
	return get_values("kpc.actionid", classes, action, sizeof *action);
}

/* Room for the rows of all CPUs, whatever the classes. */
uint64_t *
kpc_counterbuf_alloc(void)
{
	return calloc(SIM_BUFFER_LEN, sizeof(uint64_t));
}

void
kpc_counterbuf_free(uint64_t *buf)
{
	free(buf);
}

/* There are public databases only. */
int
kpep_db_createx(const char *name, uint32_t flags, struct kpep_db **db)
{
	if ((flags & ONLY_PUBLIC) != 0 && (flags & ONLY_INTERNAL) != 0)
		return KPEP_INVALID_ARGUMENT;
	if ((flags & ONLY_INTERNAL) != 0)
		return KPEP_DB_NOT_FOUND;
	return sim_kperfdata()->kpep_db_create(name, db);
}

int
kpep_config_add_event_trigger(struct kpep_config *config,
			      struct kpep_event **event, uint32_t flag,
			      uint64_t period, uint32_t *err)
{
	int code = sim_kperfdata()->kpep_config_add_event(config, event, flag,
							  err);

	if (code == KPEP_OK)
		config->kpc_periods[config->event_map[config->event_count -
						      1]] = period;
	return code;
}

/* A word each counter of the classes, in their order. */
int
kpep_config_kpc_periods(struct kpep_config *config, uint64_t *buf, size_t size)
{
	uint32_t mask = 0;
	size_t n = 0;

	if (config == NULL || buf == NULL)
		return KPEP_INVALID_ARGUMENT;
	if (config->classes & KPC_CLASS_FIXED_MASK)
		mask |= config->db->fixed_counter_bits;
	if (config->classes & KPC_CLASS_CONFIGURABLE_MASK)
		mask |= config->db->config_counter_bits &
			~(config->forced ? 0 : config->db->power_counter_bits);
	for (unsigned i = 0; i < 32; i++) {
		if ((mask >> i & 1) == 0)
			continue;
		if ((n + 1) * sizeof *buf > size)
			return KPEP_BUFFER_TOO_SMALL;
		buf[n++] = config->kpc_periods[i];
	}
	return KPEP_OK;
}

/* Force, words, periods; counting is the caller's to start. */
int
kpep_config_apply(struct kpep_config *config)
{
	uint64_t word[KPC_MAX_COUNTERS] = { 0 };
	uint64_t period[KPC_MAX_COUNTERS] = { 0 };
	const struct kperf_api *k = sim_kperf();
	int code;

	if (config == NULL)
		return KPEP_INVALID_ARGUMENT;
	code = sim_kperfdata()->kpep_config_kpc(config, word, sizeof word);
	if (code == KPEP_OK)
		code = kpep_config_kpc_periods(config, period, sizeof period);
	if (code != KPEP_OK)
		return code;
	if (config->forced && k->kpc_force_all_ctrs_set(1) != 0)
		return KPEP_ERRNO;
	if ((config->classes & KPC_CLASS_CONFIGURABLE_MASK) != 0 &&
	    k->kpc_set_config(KPC_CLASS_CONFIGURABLE_MASK, word) != 0)
		return KPEP_ERRNO;
	return kpc_set_period(config->classes, period) == 0 ? KPEP_OK
							    : KPEP_ERRNO;
}
