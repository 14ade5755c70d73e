#include "sim/inside.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/machine.h"
#include "sim/sim.h"

#define ARM64 0x0100000cu
#define ARM64E 2u
#define APPLE                                                       \
	.cputype = ARM64, .cpusubtype = ARM64E, .smt = 1, .pmu = 2, \
	.nfixed = 2, .nconfig = 8

/* The M5's letters, names and widths are from field reports (hwloc PR 839). */
/* clang-format off */
#define M1_P { "Performance", "P", SIM_CLASS_FAST, 8, { 600, 1956, 2988, 3204 }, 192, 128, 12288 }
#define M1_E { "Efficiency", "E", SIM_CLASS_SLOW, 4, { 600, 1332, 1704, 2064 }, 128, 64, 4096 }
#define M2_P { "Performance", "P", SIM_CLASS_FAST, 8, { 660, 2208, 3144, 3504 }, 192, 128, 16384 }
#define M2_E { "Efficiency", "E", SIM_CLASS_SLOW, 4, { 600, 1472, 2004, 2424 }, 128, 64, 4096 }
#define M3_P { "Performance", "P", SIM_CLASS_FAST, 9, { 744, 2424, 3564, 4056 }, 192, 128, 16384 }
#define M3_E { "Efficiency", "E", SIM_CLASS_SLOW, 5, { 744, 1584, 2208, 2748 }, 128, 64, 4096 }
#define M4_P { "Performance", "P", SIM_CLASS_FAST, 10, { 816, 2568, 3912, 4464 }, 192, 128, 16384 }
#define M4_E { "Efficiency", "E", SIM_CLASS_SLOW, 5, { 816, 1656, 2376, 2892 }, 128, 64, 4096 }
#define M5_S { "Super", "P", SIM_CLASS_FAST, 10, { 1308, 2892, 4152, 4608 }, 192, 128, 16384 }
#define M5_P { "Performance", "M", SIM_CLASS_MID, 10, { 1344, 2304, 3480, 4380 }, 128, 96, 8192 }
#define M5_E { "Efficiency", "E", SIM_CLASS_SLOW, 5, { 972, 1740, 2484, 3048 }, 128, 64, 6144 }

const struct sim_machine sim_machines[] = {
	{
		.name = "m1", .model = "MacBookAir10,1", .brand = "Apple M1",
		.kernel = "RELEASE_ARM64_T8103", .db = "a14", APPLE,
		.cpufamily = 0x1b588bb3,
		.nkinds = 2, .kind = { M1_P, M1_E },
		.nclusters = 2, .cluster = { { 1, 4, 0 }, { 0, 4, 0 } },
	},
	{
		.name = "m1max", .model = "MacBookPro18,2",
		.brand = "Apple M1 Max", .kernel = "RELEASE_ARM64_T6000",
		.db = "a14", APPLE, .cpufamily = 0x1b588bb3,
		.nkinds = 2, .kind = { M1_P, M1_E },
		.nclusters = 3,
		.cluster = { { 1, 2, 0 }, { 0, 4, 0 }, { 0, 4, 0 } },
	},
	{
		.name = "m2max", .model = "Mac14,6", .brand = "Apple M2 Max",
		.kernel = "RELEASE_ARM64_T6020", .db = "a15", APPLE,
		.cpufamily = 0xda33d83d, .power_down = true,
		.nkinds = 2, .kind = { M2_P, M2_E },
		.nclusters = 3,
		.cluster = { { 1, 4, 0 }, { 0, 4, 0 }, { 0, 4, 0 } },
	},
	{
		.name = "m3", .model = "Mac15,3", .brand = "Apple M3",
		.kernel = "RELEASE_ARM64_T8122", .db = "as1", APPLE,
		.cpufamily = 0xfa33415e,
		.nkinds = 2, .kind = { M3_P, M3_E },
		.nclusters = 2, .cluster = { { 1, 4, 0 }, { 0, 4, 0 } },
	},
	{
		.name = "m3ultra", .model = "Mac15,14",
		.brand = "Apple M3 Ultra", .kernel = "RELEASE_ARM64_T6031",
		.db = "as3", APPLE, .cpufamily = 0x72015832,
		.nkinds = 2, .kind = { M3_P, M3_E },
		.nclusters = 6,
		.cluster = { { 1, 4, 0 }, { 0, 6, 0 }, { 0, 6, 0 },
		    { 1, 4, 1 }, { 0, 6, 1 }, { 0, 6, 1 } },
	},
	{
		.name = "m4", .model = "Mac16,1", .brand = "Apple M4",
		.kernel = "RELEASE_ARM64_T8132", .db = "as4", APPLE,
		.cpufamily = 0x6f5129ac,
		.nkinds = 2, .kind = { M4_P, M4_E },
		.nclusters = 2, .cluster = { { 1, 6, 0 }, { 0, 4, 0 } },
	},
	{
		.name = "m4max", .model = "Mac16,5", .brand = "Apple M4 Max",
		.kernel = "RELEASE_ARM64_T6041", .db = "as4-1", APPLE,
		.cpufamily = 0x17d5b93a,
		.nkinds = 2, .kind = { M4_P, M4_E },
		.nclusters = 3,
		.cluster = { { 1, 4, 0 }, { 0, 6, 0 }, { 0, 6, 0 } },
	},
	{
		.name = "m5", .model = "Mac17,2", .brand = "Apple M5",
		.kernel = "RELEASE_ARM64_T8142", .db = "as5", APPLE,
		.cpufamily = 0x1d5a87e8,
		.nkinds = 2, .kind = { M5_S, M5_E },
		.nclusters = 2, .cluster = { { 1, 6, 0 }, { 0, 4, 0 } },
	},
	{
		.name = "m5max", .model = "Mac17,6", .brand = "Apple M5 Max",
		.kernel = "RELEASE_ARM64_T6050", .db = "as5-1", APPLE,
		.cpufamily = 0xf76c5b1a,
		.nkinds = 2, .kind = { M5_S, M5_P },
		.nclusters = 3,
		.cluster = { { 1, 6, 0 }, { 1, 6, 0 }, { 0, 6, 0 } },
	},
	{
		/* Kinds as in the M5 Max; clocks and caches are assumed. */
		.name = "m5ultra", .model = "Mac17,15",
		.brand = "Apple M5 Ultra",
		.kernel = "RELEASE_ARM64_T6050", .db = "as5-1", APPLE,
		.cpufamily = 0xf76c5b1a, .os = 2700,
		.nkinds = 2, .kind = { M5_S, M5_P },
		.nclusters = 6,
		.cluster = { { 1, 6, 0 }, { 1, 6, 0 }, { 0, 6, 0 },
		    { 1, 6, 1 }, { 1, 6, 1 }, { 0, 6, 1 } },
	},
	{
		/* Three kinds. Clocks and caches are unknown; the M5's are used. */
		.name = "m6", .model = "Mac18,5", .brand = "Apple M6",
		.kernel = "RELEASE_ARM64_T8152", .db = "as9", APPLE,
		.cpufamily = 0x6d0ccb0c, .os = 2700,
		.nkinds = 3, .kind = { M5_S, M5_P, M5_E },
		.nclusters = 3,
		.cluster = { { 2, 6, 0 }, { 0, 2, 0 }, { 1, 4, 0 } },
	},
	{
		/* MacBook Neo, with the chip of a phone. */
		.name = "neo", .model = "Mac17,5", .brand = "Apple A18 Pro",
		.kernel = "RELEASE_ARM64_T8140", .db = "as4-2", APPLE,
		.cpufamily = 0x75d4acb9,
		.nkinds = 2, .kind = { M4_P, M4_E },
		.nclusters = 2, .cluster = { { 1, 4, 0 }, { 0, 2, 0 } },
	},
	{
		/* CPUID 0xA has version 4, for which kpc reports 0. */
		.name = "intel", .model = "iMac17,1",
		.brand = "Intel(R) Core(TM) i7-6700K CPU @ 4.00GHz",
		.kernel = "RELEASE_X86_64", .db = "skylake",
		.cputype = 7, .cpusubtype = 8, .cpufamily = 0x37fc219f,
		.intel_model = 94, .smt = 2, .pmu = 4, .nfixed = 3,
		.nconfig = 4,
		.nkinds = 1,
		.kind = { { "Standard", "", SIM_CLASS_INTEL, 4,
		    { 800, 2400, 4000, 4200 }, 32, 32, 256 } },
		.nclusters = 1, .cluster = { { 0, 8, 0 } },
	},
	{
		.name = "vm", .model = "VirtualMac2,1",
		.brand = "Apple M1 (Virtual)", .kernel = "RELEASE_ARM64_VMAPPLE",
		.db = "", .cputype = ARM64, .cpusubtype = ARM64E,
		.cpufamily = 0x1b588bb3, .smt = 1, .virtual_machine = true,
		.nkinds = 1,
		.kind = { { "Standard", "", SIM_CLASS_FAST, 8,
		    { 600, 1956, 2988, 3204 }, 192, 128, 12288 } },
		.nclusters = 1, .cluster = { { 0, 4, 0 } },
	},
	{ .name = NULL }
};

/* clang-format on */

const char *
sim_machine_name(unsigned i)
{
	enum { COUNT = sizeof sim_machines / sizeof *sim_machines };

	return i < COUNT ? sim_machines[i].name : NULL;
}

const struct sim_machine *
sim_machine_find(const char *name)
{
	for (const struct sim_machine *m = sim_machines; m->name != NULL; m++)
		if (strcmp(m->name, name) == 0)
			return m;
	return NULL;
}

unsigned
sim_machine_first(const struct sim_machine *m, unsigned cluster)
{
	unsigned first = 0;

	for (unsigned i = 0; i < cluster; i++)
		first += m->cluster[i].ncpus;
	return first;
}

unsigned
sim_machine_ncpus(const struct sim_machine *m)
{
	return sim_machine_first(m, m->nclusters);
}

unsigned
sim_machine_cluster(const struct sim_machine *m, unsigned cpu)
{
	unsigned cluster = 0;

	while (cpu >= m->cluster[cluster].ncpus)
		cpu -= m->cluster[cluster++].ncpus;
	return cluster;
}

unsigned
sim_machine_kind_cpus(const struct sim_machine *m, unsigned kind)
{
	unsigned n = 0;

	for (unsigned i = 0; i < m->nclusters; i++)
		if (m->cluster[i].kind == kind)
			n += m->cluster[i].ncpus;
	return n;
}

static uint64_t
cluster_mask(const struct sim_machine *m, unsigned cluster)
{
	uint64_t mask = (UINT64_C(1) << m->cluster[cluster].ncpus) - 1;

	return mask << sim_machine_first(m, cluster);
}

uint64_t
sim_machine_cpus_named(const struct sim_machine *m, const char *name)
{
	uint64_t mask = 0;
	unsigned seen[SIM_MAX_KINDS] = { 0 };
	char *end;

	if (strncmp(name, "cpu", 3) == 0 && name[3] != '\0') {
		unsigned long n = strtoul(name + 3, &end, 10);
		if (*end == '\0' && name[3] >= '0' && name[3] <= '9' &&
		    n < sim_machine_ncpus(m))
			mask = UINT64_C(1) << n;
		return mask;
	}
	for (unsigned i = 0; i < m->nclusters; i++) {
		unsigned kind = m->cluster[i].kind;
		char letter = m->kind[kind].name[0], full[16];

		snprintf(full, sizeof full, "%c%u", letter, seen[kind]++);
		if (strcmp(full, name) == 0 ||
		    (name[0] == letter && name[1] == '\0'))
			mask |= cluster_mask(m, i);
	}
	return mask;
}

static int
constant_node(struct sim_req *r, const void *value, size_t size)
{
	return r->fresh != NULL ? EPERM : sim_req_out(r, value, size);
}

static int
int_node(struct sim_req *r, uint32_t value)
{
	return constant_node(r, &value, sizeof value);
}

static int
wide_node(struct sim_req *r, uint64_t value)
{
	return constant_node(r, &value, sizeof value);
}

static unsigned
darwin_major(uint32_t os)
{
	return os >= SIM_OS(27, 0)   ? os / 100
	       : os >= SIM_OS(26, 0) ? os / 100 - 1
				     : os / 100 + 9;
}

static bool
text_value(const struct sim_kernel *k, const char *name, char *out, size_t size)
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
		return k->s->os < SIM_OS(13, 0)
			       ? ENOENT
			       : constant_node(r, kind->name,
					       strlen(kind->name) + 1);
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
	while (k->m->cluster[i].kind != level)
		i++;
	return int_node(r, k->m->cluster[i].ncpus);
}

static int
hw_node(struct sim_req *r, const char *name)
{
	const struct sim_kernel *k = r->k;
	bool intel = k->m->cputype == 7, levels = k->s->os >= SIM_OS(12, 0);
	const struct {
		const char *name;
		uint32_t value;
	} of[] = {
		{ "ncpu", k->ncpus },
		{ "logicalcpu", k->ncpus },
		{ "logicalcpu_max", k->ncpus },
		{ "activecpu", k->ncpus },
		{ "physicalcpu", k->ncpus / k->m->smt },
		{ "physicalcpu_max", k->ncpus / k->m->smt },
		{ levels ? "nperflevels" : "", k->m->nkinds },
		{ "packages", 1 },
		{ "cputype", k->m->cputype },
		{ "cpusubtype", k->cpusubtype },
		{ "cpufamily", k->cpufamily },
	};

	if (strncmp(name, "perflevel", 9) == 0)
		return level_node(r, name + 9);
	for (size_t i = 0; i < sizeof of / sizeof *of; i++)
		if (strcmp(name, of[i].name) == 0 && name[0] != '\0')
			return int_node(r, of[i].value);
	return strcmp(name, "memsize") == 0 ? wide_node(r, 16ull << 30)
	       : strcmp(name, "cachelinesize") == 0
		       ? wide_node(r, intel ? 64 : 128)
	       : strcmp(name, "tbfrequency") == 0
		       ? wide_node(r, intel ? 1000000000 : 24000000)
		       : ENOENT;
}

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

	if (text_value(k, name, text, sizeof text))
		return constant_node(r, text, strlen(text) + 1);
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
