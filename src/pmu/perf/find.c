/* Which table is whose, and what every machine has. */
#include "pmu/perf/table.h"
#include "pmu/table.h"

#include <string.h>

enum { /* ids of linux/perf_event.h */
       HW_BRANCHES = 4,
       HW_BRANCH_MISSES = 5,
       SW_CONTEXT_SWITCHES = 3,
       SW_MIGRATIONS = 4,
       SW_PAGE_FAULTS = 2,
       FAMILY_CORE = 6,
       FAMILY_ZEN = 0x17,
       FAMILY_HYGON = 0x18,
       FAMILY_ZEN3 = 0x19,
       FAMILY_ZEN5 = 0x1a
};

/* clang-format off */
static const struct linux_event generic[] = {
	{ .name = "BRANCH_ANY", .native = "branch-instructions", .how = LINUX_GENERIC, .config = HW_BRANCHES,
	  .text = "what this PMU's driver calls branches" },
	{ .name = "BRANCH_MISPRED_ANY", .native = "branch-misses", .how = LINUX_GENERIC, .config = HW_BRANCH_MISSES,
	  .text = "what this PMU's driver calls branch misses" },
};
const struct linux_pmu linux_generic = {
	.name = "generic", .counters = 4, .events = generic, .nevents = COUNT(generic),
};

static const struct linux_event software[] = {
	{ .name = "SW_CONTEXT_SWITCHES", .native = "context-switches", .how = LINUX_SOFTWARE, .config = SW_CONTEXT_SWITCHES,
	  .free = true, .text = "context switches on this CPU" },
	{ .name = "SW_MIGRATIONS", .native = "cpu-migrations", .how = LINUX_SOFTWARE, .config = SW_MIGRATIONS,
	  .free = true, .text = "threads that came here from another CPU" },
	{ .name = "SW_PAGE_FAULTS", .native = "page-faults", .how = LINUX_SOFTWARE, .config = SW_PAGE_FAULTS,
	  .free = true, .text = "page faults, minor and major" },
};
const struct linux_pmu linux_software = {
	.name = "software", .events = software, .nevents = COUNT(software),
};

static const struct linux_pmu *const tables[] = {
	&linux_golden_cove, &linux_lion_cove, &linux_ice_lake, &linux_skylake, &linux_gracemont, &linux_crestmont,
	&linux_skymont, &linux_darkmont,
	&linux_intel_unknown, &linux_zen1, &linux_zen2, &linux_zen3, &linux_zen4, &linux_zen5, &linux_arm,
	&linux_neoverse_n2, &linux_neoverse_v1,
	&linux_apple_m1, &linux_apple_m2, &linux_apple_unknown, &linux_generic,
};

/* Family 6 models (arch/x86/include/asm/intel-family.h). */
static const struct { unsigned model; const struct linux_pmu *pmu; } big[] = {
	{ 0x4e, &linux_skylake }, { 0x5e, &linux_skylake }, { 0x55, &linux_skylake }, { 0x8e, &linux_skylake },
	{ 0x9e, &linux_skylake }, { 0xa5, &linux_skylake }, { 0xa6, &linux_skylake },
	{ 0x7d, &linux_ice_lake }, { 0x7e, &linux_ice_lake }, { 0x6a, &linux_ice_lake }, { 0x6c, &linux_ice_lake },
	{ 0x8c, &linux_ice_lake }, { 0x8d, &linux_ice_lake }, { 0xa7, &linux_ice_lake },
	{ 0x8f, &linux_golden_cove }, { 0xcf, &linux_golden_cove }, { 0xad, &linux_golden_cove },
	{ 0xae, &linux_golden_cove },
	/* Those of the hybrids' models that have P cores only. */
	{ 0x97, &linux_golden_cove }, { 0x9a, &linux_golden_cove }, { 0xb7, &linux_golden_cove },
	{ 0xba, &linux_golden_cove }, { 0xbf, &linux_golden_cove },
	{ 0xbe, &linux_gracemont }, { 0xaf, &linux_crestmont }, { 0xb6, &linux_crestmont }, { 0xdd, &linux_darkmont },
}, core[] = {
	/* Lunar Lake, Arrow Lake, Panther Lake (Cougar Cove). */
	{ 0xbd, &linux_lion_cove }, { 0xc5, &linux_lion_cove }, { 0xc6, &linux_lion_cove }, { 0xcc, &linux_lion_cove },
}, atom[] = {
	{ 0x97, &linux_gracemont }, { 0x9a, &linux_gracemont }, { 0xb7, &linux_gracemont }, { 0xba, &linux_gracemont },
	{ 0xbf, &linux_gracemont }, { 0xbe, &linux_gracemont },
	{ 0xaa, &linux_crestmont }, { 0xac, &linux_crestmont }, { 0xb5, &linux_crestmont },
	{ 0xbd, &linux_skymont }, { 0xc5, &linux_skymont }, { 0xc6, &linux_skymont }, { 0xcc, &linux_darkmont },
};
/* clang-format on */

static bool
starts(const char *s, const char *with)
{
	return strncmp(s, with, strlen(with)) == 0;
}

static const struct linux_pmu *
atom_of(const struct linux_cpu *cpu)
{
	for (size_t i = 0; cpu->family == FAMILY_CORE && i < COUNT(atom); i++)
		if (atom[i].model == cpu->model)
			return atom[i].pmu;
	if (starts(cpu->pmu_name, "alderlake"))
		return &linux_gracemont;
	if (starts(cpu->pmu_name, "meteorlake"))
		return &linux_crestmont;
	if (starts(cpu->pmu_name, "lunarlake") ||
	    starts(cpu->pmu_name, "arrowlake"))
		return &linux_skymont;
	if (starts(cpu->pmu_name, "pantherlake"))
		return &linux_darkmont;
	return &linux_intel_unknown;
}

static const struct linux_pmu *
core_of(const struct linux_cpu *cpu)
{
	for (size_t i = 0; cpu->family == FAMILY_CORE && i < COUNT(core); i++)
		if (core[i].model == cpu->model)
			return core[i].pmu;
	return starts(cpu->pmu_name, "lunarlake") ||
			       starts(cpu->pmu_name, "arrowlake") ||
			       starts(cpu->pmu_name, "pantherlake")
		       ? &linux_lion_cove
		       : &linux_golden_cove;
}

/* Of Arm's own cores those whose counts need a word. */
static const struct linux_pmu *
arm_of(const struct linux_cpu *cpu)
{
	enum { ARM_LTD = 0x41, NEOVERSE_V1 = 0xd40, NEOVERSE_N2 = 0xd49 };
	uint32_t part = cpu->midr >> 4 & 0xfff;

	if (cpu->midr >> 24 == ARM_LTD && part == NEOVERSE_N2)
		return &linux_neoverse_n2;
	if (cpu->midr >> 24 == ARM_LTD && part == NEOVERSE_V1)
		return &linux_neoverse_v1;
	return &linux_arm;
}

static const struct linux_pmu *
intel_of(const struct linux_cpu *cpu)
{
	for (size_t i = 0; cpu->family == FAMILY_CORE && i < COUNT(big); i++)
		if (big[i].model == cpu->model)
			return big[i].pmu;
	return &linux_intel_unknown;
}

/* Zen 4 came in the middle of Zen 3's family; Zen 6 shares Zen 5's. */
static const struct linux_pmu *
amd_of(const struct linux_cpu *cpu)
{
	unsigned m = cpu->model;

	switch (cpu->family) {
	case FAMILY_ZEN:
		return m >= 0x30 ? &linux_zen2 : &linux_zen1;
	case FAMILY_HYGON:
		return &linux_zen1;
	case FAMILY_ZEN3:
		return (m >= 0x10 && m <= 0x1f) || (m >= 0x60 && m <= 0xaf)
			       ? &linux_zen4
			       : &linux_zen3;
	case FAMILY_ZEN5:
		return m < 0x50 || (m >= 0x60 && m <= 0x7f) ? &linux_zen5
							    : &linux_generic;
	}
	return &linux_generic;
}

const struct linux_pmu *
linux_pmu_find(const struct linux_cpu *cpu)
{
	const char *p = cpu->pmu;

	if (strcmp(p, "cpu_core") == 0)
		return core_of(cpu);
	if (strcmp(p, "cpu_atom") == 0)
		return atom_of(cpu);
	if (strcmp(p, "cpu_lowpower") == 0)
		return &linux_crestmont; /* beside Skymont, Arrow Lake-H */
	if (starts(p, "apple_icestorm") || starts(p, "apple_firestorm"))
		return &linux_apple_m1;
	if (starts(p, "apple_blizzard") || starts(p, "apple_avalanche"))
		return &linux_apple_m2;
	if (starts(p, "apple_"))
		return &linux_apple_unknown;
	if (starts(p, "armv8") || starts(p, "armv9"))
		return arm_of(cpu);
	if (strcmp(p, "cpu") != 0)
		return &linux_generic;
	if (cpu->vendor == LINUX_VENDOR_INTEL)
		return intel_of(cpu);
	return cpu->vendor == LINUX_VENDOR_AMD ? amd_of(cpu) : &linux_generic;
}

const struct linux_pmu *
linux_pmu_at(unsigned i)
{
	return i < COUNT(tables) ? tables[i] : NULL;
}
