/*
 * Read off the state: which counters a caller sees, which of them run, and who
 * holds something. Nothing here changes anything.
 */
#include "base/bits.h"
#include "kperf/abi.h"
#include "sim/inside.h"

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

/* kpc_common.c: a class runs if all that is visible of it was enabled. */
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

/* What counts after idle or power-down is the set, whatever kpc.counting. */
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
