#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/inside.h"

static int
text_node(struct sim_req *r, const char *text)
{
	if (r->fresh != NULL)
		return EPERM;
	return sim_req_out(r, text, strlen(text) + 1);
}

static int
int_node(struct sim_req *r, uint32_t value)
{
	if (r->fresh != NULL)
		return EPERM;
	return sim_req_out(r, &value, sizeof value);
}

static int
wide_node(struct sim_req *r, uint64_t value)
{
	if (r->fresh != NULL)
		return EPERM;
	return sim_req_out(r, &value, sizeof value);
}

static unsigned
darwin_major(uint32_t os)
{
	/* 26.x is Darwin 25, and there is no Darwin 26. */
	return os >= SIM_OS(27, 0)   ? os / 100
	       : os >= SIM_OS(26, 0) ? os / 100 - 1
				     : os / 100 + 9;
}

static bool
text_of(const struct sim_kernel *k, const char *name, char *out, size_t size)
{
	uint32_t os = k->s->os;
	unsigned darwin = darwin_major(os), minor = os % 100;

	if (strcmp(name, "hw.model") == 0)
		snprintf(out, size, "%s", k->m->model);
	else if (strcmp(name, "hw.machine") == 0)
		snprintf(out, size, "%s",
			 k->m->cputype == 7 ? "x86_64" : "arm64");
	else if (strcmp(name, "machdep.cpu.brand_string") == 0)
		snprintf(out, size, "%s", k->m->brand);
	else if (strcmp(name, "kern.ostype") == 0)
		snprintf(out, size, "Darwin");
	else if (strcmp(name, "kern.osrelease") == 0)
		snprintf(out, size, "%u.%u.0", darwin, minor);
	else if (strcmp(name, "kern.osproductversion") == 0)
		snprintf(out, size, "%u.%u", os / 100, minor);
	else if (strcmp(name, "kern.osversion") == 0)
		snprintf(out, size, "%u%c74", darwin, 'A' + (int)minor);
	else if (strcmp(name, "kern.version") == 0)
		snprintf(
			out, size,
			"Darwin Kernel Version %u.%u.0 (simulated): root:xnu/%s",
			darwin, minor, k->m->kernel);
	else
		return false;
	return true;
}

/* CPUs of a level that are there; power-down does not show (XNU). */
static int
level_node(struct sim_req *r, const char *name)
{
	const struct sim_kernel *k = r->k;
	char *end;
	unsigned long level = strtoul(name, &end, 10);

	if (end == name || *end != '.' || k->s->os < SIM_OS(12, 0) ||
	    level >= k->m->nkinds)
		return ENOENT;
	const struct sim_kind *kind = &k->m->kind[level];
	unsigned cpus = sim_machine_kind_cpus(k->m, (unsigned)level), i = 0;
	name = end + 1;
	if (strcmp(name, "name") == 0)
		return k->s->os < SIM_OS(13, 0) ? ENOENT
						: text_node(r, kind->name);
	if (strncmp(name, "logicalcpu", 10) == 0 &&
	    (name[10] == '\0' || strcmp(name + 10, "_max") == 0))
		return int_node(r, cpus);
	if (strncmp(name, "physicalcpu", 11) == 0 &&
	    (name[11] == '\0' || strcmp(name + 11, "_max") == 0))
		return int_node(r, cpus / k->m->smt);
	if (strcmp(name, "l1icachesize") == 0)
		return int_node(r, kind->l1i_kib << 10);
	if (strcmp(name, "l1dcachesize") == 0)
		return int_node(r, kind->l1d_kib << 10);
	if (strcmp(name, "l2cachesize") == 0)
		return int_node(r, kind->l2_kib << 10);
	if (strcmp(name, "l3cachesize") == 0 || strcmp(name, "cpusperl3") == 0)
		return EINVAL;
	if (strcmp(name, "cpusperl2") != 0)
		return ENOENT;
	/* of the first cluster of that kind, as XNU does it */
	while (k->m->cluster[i].kind != level)
		i++;
	return int_node(r, k->m->cluster[i].ncpus);
}

static int
hw_node(struct sim_req *r, const char *name)
{
	const struct sim_kernel *k = r->k;
	static const char *const logical[] = { "ncpu", "logicalcpu",
					       "logicalcpu_max", "activecpu",
					       NULL };

	if (strncmp(name, "perflevel", 9) == 0)
		return level_node(r, name + 9);
	for (unsigned i = 0; logical[i] != NULL; i++)
		if (strcmp(name, logical[i]) == 0)
			return int_node(r, k->ncpus);
	if (strcmp(name, "physicalcpu") == 0 ||
	    strcmp(name, "physicalcpu_max") == 0)
		return int_node(r, k->ncpus / k->m->smt);
	if (strcmp(name, "nperflevels") == 0 && k->s->os >= SIM_OS(12, 0))
		return int_node(r, k->m->nkinds);
	if (strcmp(name, "packages") == 0)
		return int_node(r, 1);
	if (strcmp(name, "cputype") == 0)
		return int_node(r, k->m->cputype);
	if (strcmp(name, "cpusubtype") == 0)
		return int_node(r, k->cpusubtype);
	if (strcmp(name, "cpufamily") == 0)
		return int_node(r, k->cpufamily);
	if (strcmp(name, "memsize") == 0)
		return wide_node(r, 16ull << 30);
	if (strcmp(name, "cachelinesize") == 0)
		return wide_node(r, k->m->cputype == 7 ? 64 : 128);
	if (strcmp(name, "tbfrequency") == 0)
		return wide_node(r, k->m->cputype == 7 ? 1000000000 : 24000000);
	return ENOENT;
}

/* Nodes that come with CPU counters (bsd/kern/kern_cpc.c, monotonic.c). */
static int
counter_node(struct sim_req *r, const char *name)
{
	const struct sim_kernel *k = r->k;

	if (k->m->pmu == 0)
		return ENOENT;
	if (strcmp(name, "kern.cpc.secure") == 0 && k->s->os >= SIM_OS(14, 0))
		return int_node(r, k->m->cputype != 7);
	if (strcmp(name, "kern.monotonic.supported") == 0)
		return int_node(r, 1);
	if (strcmp(name, "kern.monotonic.pmis") == 0 ||
	    strcmp(name, "kern.monotonic.retrograde_updates") == 0)
		return wide_node(r, 0);
	return ENOENT;
}

int
sim_hw(struct sim_req *r, const char *name)
{
	const struct sim_kernel *k = r->k;
	char text[128];

	if (text_of(k, name, text, sizeof text))
		return text_node(r, text);
	if (strncmp(name, "hw.", 3) == 0)
		return hw_node(r, name + 3);
	if (strncmp(name, "kern.cpc.", 9) == 0 ||
	    strncmp(name, "kern.monotonic.", 15) == 0)
		return counter_node(r, name);
	if (strcmp(name, "kern.hv_vmm_present") == 0)
		return int_node(r, k->m->virtual_machine);
	if (strcmp(name, "sysctl.proc_translated") == 0)
		return k->m->cputype == 7 ? ENOENT : int_node(r, 0);
	if (strcmp(name, "machdep.cpu.model") == 0 && k->m->intel_model != 0)
		return int_node(r, k->m->intel_model);
	return ENOENT;
}
