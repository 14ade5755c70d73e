/* The shared library exports the frameworks' functions and ktop_host. The
 * machine of KTOP_SIM boots at load time, as ktop_host must be valid before the
 * first call. */
#include "sim/inside.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim.h"

extern SIM_EXPORT struct host_api ktop_host;
struct host_api ktop_host;

__attribute__((constructor)) static void
boot_from_environment(void)
{
	const char *spec = getenv("KTOP_SIM");
	struct err e;

	if (!sim_start(spec != NULL ? spec : "m1,clock=real", &e))
		err_print("simulator: %s", e.text);
	ktop_host = *sim_host();
}

__attribute__((destructor)) static void
stop_simulation(void)
{
	sim_stop();
}

/* Functions that ktop does not use, for other programs. The prototypes are from
 * xnu's counter tests. */
enum { CTL_HW = 6, HW_NCPU = 3 };

#define ONLY_PUBLIC 1u
#define ONLY_INTERNAL 2u

SIM_EXPORT int kpc_set_period(uint32_t classes, uint64_t *period);
SIM_EXPORT int kpc_get_period(uint32_t classes, uint64_t *period);
SIM_EXPORT int kpc_set_actionid(uint32_t classes, uint32_t *action);
SIM_EXPORT int kpc_get_actionid(uint32_t classes, uint32_t *action);
SIM_EXPORT uint64_t *kpc_counterbuf_alloc(void);
SIM_EXPORT void kpc_counterbuf_free(uint64_t *buf);
SIM_EXPORT int kpep_db_createx(const char *name, uint32_t flags,
			       struct kpep_db **db);
SIM_EXPORT int kpep_config_add_event_trigger(struct kpep_config *config,
					     struct kpep_event **event,
					     uint32_t flag, uint64_t period,
					     uint32_t *err);
SIM_EXPORT int kpep_config_kpc_periods(struct kpep_config *config,
				       uint64_t *buf, size_t size);
SIM_EXPORT int kpep_config_apply(struct kpep_config *config);
SIM_EXPORT int sysctl(int *mib, unsigned n, void *old, size_t *old_size,
		      void *fresh, size_t fresh_size);
SIM_EXPORT int sysctlbyname(const char *name, void *old, size_t *old_size,
			    void *fresh, size_t fresh_size);
SIM_EXPORT bool kdebug_is_enabled(uint32_t debugid);

int
sysctl(int *mib, unsigned n, void *old, size_t *old_size, void *fresh,
       size_t fresh_size)
{
	if (n == 2 && mib[0] == CTL_HW && mib[1] == HW_NCPU)
		return sysctlbyname("hw.ncpu", old, old_size, fresh,
				    fresh_size);
	return sim_system_result(sim_sysctl_mib(mib, n, old, old_size, fresh));
}

int
sysctlbyname(const char *name, void *old, size_t *old_size, void *fresh,
	     size_t fresh_size)
{
	return sim_system_result(
		sim_sysctl(name, old, old_size, fresh, fresh_size));
}

bool
kdebug_is_enabled(uint32_t debugid)
{
	const struct kperf_system *s = sim_host()->system;

	return s != NULL && s->kdebug_is_enabled(debugid);
}

static int
write_counter_values(const char *name, uint32_t classes, const void *value,
		     size_t each)
{
	size_t n = sim_kperf()->kpc_get_counter_count(classes) * each;
	uint64_t in[1 + KPC_MAX_COUNTERS] = { classes };

	if (n > sizeof in - sizeof in[0])
		return sim_library_result(EINVAL);
	memcpy(in + 1, value, n);
	return sim_library_result(
		sim_sysctl(name, NULL, NULL, in, sizeof in[0] + n));
}

static int
read_counter_values(const char *name, uint32_t classes, void *value,
		    size_t each)
{
	size_t n = sim_kperf()->kpc_get_counter_count(classes) * each;
	uint64_t arg = classes;

	return sim_library_result(
		sim_sysctl(name, value, &n, &arg, sizeof arg));
}

/* clang-format off */
#define VALUES(call, how, type, node) \
int \
call(uint32_t classes, type *value) \
{ \
	return how(node, classes, value, sizeof *value); \
}

VALUES(kpc_set_period, write_counter_values, uint64_t, "kpc.period")
VALUES(kpc_get_period, read_counter_values, uint64_t, "kpc.period")
VALUES(kpc_set_actionid, write_counter_values, uint32_t, "kpc.actionid")
VALUES(kpc_get_actionid, read_counter_values, uint32_t, "kpc.actionid")
/* clang-format on */

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

/* All simulated databases are public. */
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

/* The caller must start counting. */
int
kpep_config_apply(struct kpep_config *config)
{
	uint64_t word[KPC_MAX_COUNTERS] = { 0 };
	uint64_t period[KPC_MAX_COUNTERS] = { 0 };
	const struct kperf_api *k = sim_kperf();

	if (config == NULL)
		return KPEP_INVALID_ARGUMENT;
	int code = sim_kperfdata()->kpep_config_kpc(config, word, sizeof word);
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
