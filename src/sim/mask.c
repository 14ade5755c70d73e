#include "sim/inside.h"

#include <errno.h>
#include <string.h>

#include "base/bits.h"
#include "kperf/abi.h"

bool
sim_arm(const struct sim_kernel *k)
{
	return k->m->pmu == 2;
}

uint64_t
sim_ticks(const struct sim_kernel *k, uint64_t ns)
{
	return k->m->cputype == 7 ? ns : ns / 125 * 3 + ns % 125 * 3 / 125;
}

bool
sim_cpc(const struct sim_kernel *k)
{
	return k->m->pmu == 2 && k->s->os >= SIM_OS(26, 5);
}

uint32_t
sim_all_pmcs(const struct sim_kernel *k)
{
	return (1u << k->m->nconfig) - 1;
}

uint32_t
sim_config_mask(const struct sim_kernel *k)
{
	const struct sim_state *s = k->s;

	return sim_all_pmcs(k) & (s->kpc.force || !s->has_pm ? ~0u : ~s->pm);
}

uint32_t
sim_power_mask(const struct sim_kernel *k)
{
	const struct sim_state *s = k->s;

	return s->kpc.force || !s->has_pm || s->pm_custom
		       ? 0
		       : s->pm & sim_all_pmcs(k);
}

unsigned
sim_raw_words(const struct sim_kernel *k)
{
	return sim_cpc(k) ? k->s->raw_words : 11;
}

unsigned
sim_config_count(const struct sim_kernel *k, uint32_t classes)
{
	unsigned n = 0;

	if (classes & KPC_CLASS_FIXED_MASK && !sim_arm(k))
		n += 1;
	if (classes & KPC_CLASS_CONFIGURABLE_MASK)
		n += bits_count(sim_config_mask(k));
	if (classes & KPC_CLASS_POWER_MASK)
		n += bits_count(sim_power_mask(k));
	if (classes & KPC_CLASS_RAWPMU_MASK && sim_arm(k) &&
	    (k->s->kpc.force || !k->s->has_pm))
		n += sim_raw_words(k);
	return n;
}

unsigned
sim_counter_count(const struct sim_kernel *k, uint32_t classes)
{
	unsigned n = 0;

	if (classes & KPC_CLASS_FIXED_MASK)
		n += k->m->nfixed;
	if (classes & KPC_CLASS_CONFIGURABLE_MASK)
		n += bits_count(sim_config_mask(k));
	if (classes & KPC_CLASS_POWER_MASK)
		n += bits_count(sim_power_mask(k));
	return n;
}

uint32_t
sim_classes(const struct sim_kernel *k)
{
	return KPC_CLASS_FIXED_MASK | KPC_CLASS_CONFIGURABLE_MASK |
	       (sim_arm(k) ? KPC_CLASS_RAWPMU_MASK : 0);
}

/* As kpc_common.c: a class runs if all its visible counters are enabled. */
uint32_t
sim_counting(const struct sim_kernel *k)
{
	const struct sim_state *s = k->s;
	uint32_t config = sim_config_mask(k), power = sim_power_mask(k);
	uint32_t run = s->kpc.run_classes & KPC_CLASS_FIXED_MASK;

	if ((s->kpc.run_classes & KPC_CLASS_CONFIGURABLE_MASK) == 0)
		return run;
	if ((s->kpc.run_mask & config) == config)
		run |= KPC_CLASS_CONFIGURABLE_MASK;
	if (power != 0 && (s->kpc.run_mask & power) == power)
		run |= KPC_CLASS_POWER_MASK;
	return run;
}

/* PMCs after idle or power-down: all if a set is applied, else none. */
uint32_t
sim_cpc_enabled(const struct sim_kernel *k)
{
	return k->s->kpc.applied ? sim_all_pmcs(k) : 0;
}

struct sim_holder
sim_holder_of(const struct sim_caller *who)
{
	return (struct sim_holder){ .pid = who->pid,
				    .born = who->born,
				    .task = who->task };
}

bool
sim_holds(const struct sim_holder *h, const struct sim_caller *who)
{
	return h->pid == who->pid && h->born == who->born &&
	       h->task == who->task;
}

int
sim_req_out(struct sim_req *r, const void *from, size_t size)
{
	if (r->old != NULL) {
		if (r->old_size - r->old_at < size)
			return ENOMEM;
		memcpy(r->old + r->old_at, from, size);
	}
	r->old_at += size;
	return 0;
}

int
sim_req_in(struct sim_req *r, void *to, size_t size)
{
	if (r->fresh == NULL)
		return 0;
	if (r->fresh_size - r->fresh_at < size)
		return EINVAL;
	memcpy(to, r->fresh + r->fresh_at, size);
	r->fresh_at += size;
	return 0;
}

int
sim_req_int(struct sim_req *r, int32_t old, int32_t *fresh, bool *set)
{
	int64_t wide;
	int code = sim_req_out(r, &old, sizeof old);

	*set = false;
	if (code != 0 || r->fresh == NULL)
		return code;
	if (r->fresh_size == sizeof wide) {
		if ((code = sim_req_in(r, &wide, sizeof wide)) != 0)
			return code;
		if (wide < INT32_MIN || wide > INT32_MAX)
			return ERANGE;
		*fresh = (int32_t)wide;
	} else if ((code = sim_req_in(r, fresh, sizeof *fresh)) != 0) {
		return code;
	}
	*set = true;
	return 0;
}
