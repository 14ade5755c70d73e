#include "pmu/perf/table.h"
#include "pmu/table.h"

#include <limits.h>
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

/* CPUs of a table. The first row whose non-zero fields match is used. */
struct family {
	const char *pmu;         /* the PMU's folder; "armv8*" is a prefix */
	const char *pmu_name;    /* prefix of caps/pmu_name; NULL: any */
	enum linux_vendor vendor; /* LINUX_VENDOR_OTHER: any */
	unsigned family, first, last; /* x86; 0: any */
	uint32_t midr; /* Arm implementer and part; 0: any */
	bool revision; /* `midr` and later revisions match */
	const struct linux_pmu *table;
};
#define MIDR_PART 0xff00fff0u

/* Family 6 models (arch/x86/include/asm/intel-family.h). */
#define INTEL(model, name) \
	{ "cpu", .vendor = LINUX_VENDOR_INTEL, .family = FAMILY_CORE, .first = model, .last = model, .table = &linux_##name }
#define HYBRID(part, model, name) \
	{ "cpu_" part, .family = FAMILY_CORE, .first = model, .last = model, .table = &linux_##name }
#define AMD(number, from, to, name) \
	{ "cpu", .vendor = LINUX_VENDOR_AMD, .family = number, .first = from, .last = to, .table = &linux_##name }
#define ARM_REVISION(part, name) \
	{ "armv8*", .midr = part, .revision = true, .table = &linux_##name }, \
	{ "armv9*", .midr = part, .revision = true, .table = &linux_##name }
#define ARM(part, name) \
	{ "armv8*", .midr = part, .table = &linux_##name }, \
	{ "armv9*", .midr = part, .table = &linux_##name }

static const struct family families[] = {
	INTEL(0x8f, golden_cove), INTEL(0xcf, golden_cove),
	INTEL(0x97, golden_cove), INTEL(0x9a, golden_cove), INTEL(0xb7, golden_cove), INTEL(0xba, golden_cove),
	INTEL(0xbf, golden_cove),
	HYBRID("core", 0x97, golden_cove), HYBRID("core", 0x9a, golden_cove), HYBRID("core", 0xb7, golden_cove),
	HYBRID("core", 0xba, golden_cove), HYBRID("core", 0xbf, golden_cove),
	/* Redwood Cove: Meteor Lake, Arrow Lake-U. */
	HYBRID("core", 0xaa, redwood_cove), HYBRID("core", 0xac, redwood_cove), HYBRID("core", 0xb5, redwood_cove),
	INTEL(0xad, redwood_cove), INTEL(0xae, redwood_cove), /* Granite Rapids */
	/* Lunar, Arrow, Panther and Wildcat Lake (Cougar Cove). */
	HYBRID("core", 0xbd, lion_cove), HYBRID("core", 0xc5, lion_cove), HYBRID("core", 0xc6, lion_cove),
	HYBRID("core", 0xcc, lion_cove), HYBRID("core", 0xd5, lion_cove), HYBRID("core", 0xe5, lion_cove),
	INTEL(0x7d, ice_lake), INTEL(0x7e, ice_lake), INTEL(0x6a, ice_lake), INTEL(0x6c, ice_lake),
	INTEL(0x8c, ice_lake), INTEL(0x8d, ice_lake), INTEL(0xa7, ice_lake),
	INTEL(0x4e, skylake), INTEL(0x5e, skylake), INTEL(0x55, skylake), INTEL(0x8e, skylake), INTEL(0x9e, skylake),
	INTEL(0xa5, skylake), INTEL(0xa6, skylake),
	INTEL(0xbe, gracemont), HYBRID("atom", 0x97, gracemont), HYBRID("atom", 0x9a, gracemont),
	HYBRID("atom", 0xb7, gracemont), HYBRID("atom", 0xba, gracemont), HYBRID("atom", 0xbf, gracemont),
	HYBRID("atom", 0xbe, gracemont),
	INTEL(0xaf, crestmont), INTEL(0xb6, crestmont), HYBRID("atom", 0xaa, crestmont), HYBRID("atom", 0xac, crestmont),
	HYBRID("atom", 0xb5, crestmont),
	{ "cpu_lowpower", .table = &linux_crestmont }, /* Arrow Lake-H, next to Skymont */
	HYBRID("atom", 0xbd, skymont), HYBRID("atom", 0xc5, skymont), HYBRID("atom", 0xc6, skymont),
	INTEL(0xdd, darkmont), HYBRID("atom", 0xcc, darkmont), HYBRID("atom", 0xd5, darkmont),
	HYBRID("atom", 0xe5, darkmont),
	/* Zen 4 is in Zen 3's family; Zen 6 has the models of Zen 5's family
	 * that Zen 5 lacks. */
	AMD(FAMILY_ZEN, 0, 0x2f, zen1), AMD(FAMILY_HYGON, 0, 0, zen1),
	AMD(FAMILY_ZEN, 0x30, UINT_MAX, zen2),
	AMD(FAMILY_ZEN3, 0, 0x0f, zen3), AMD(FAMILY_ZEN3, 0x20, 0x5f, zen3), AMD(FAMILY_ZEN3, 0xb0, UINT_MAX, zen3),
	AMD(FAMILY_ZEN3, 0x10, 0x1f, zen4), AMD(FAMILY_ZEN3, 0x60, 0xaf, zen4),
	AMD(FAMILY_ZEN5, 0, 0x4f, zen5), AMD(FAMILY_ZEN5, 0x60, 0x7f, zen5), AMD(FAMILY_ZEN5, 0x50, UINT_MAX, zen6),
	/* Arm cores with their own events or formulas. */
	ARM_REVISION(0x4100d493, neoverse_n2_r0p3), ARM(0x4100d490, neoverse_n2),
	ARM(0x6d00d490, neoverse_n2), /* Cobalt 100 is an N2 r0p0 */
	ARM(0x4100d400, neoverse_v1), ARM(0x4100d4f0, neoverse_v2),
	ARM(0x4100d840, neoverse_v3), ARM(0x4100d830, neoverse_v3), /* V3AE */
	ARM(0x4100d8e0, neoverse_n3),
	ARM(0xc000ac30, ampereone), ARM(0xc000ac40, ampereone), ARM(0xc000ac50, ampereone),
	{ "apple_icestorm*", .table = &linux_apple_m1 }, { "apple_firestorm*", .table = &linux_apple_m1 },
	{ "apple_blizzard*", .table = &linux_apple_m2 }, { "apple_avalanche*", .table = &linux_apple_m2 },
	/* For unknown CPUs: rows by the kernel's name of the PMU. */
	{ "cpu_core", "lunarlake", .table = &linux_lion_cove }, { "cpu_core", "arrowlake", .table = &linux_lion_cove },
	{ "cpu_core", "pantherlake", .table = &linux_lion_cove },
	{ "cpu_core", "alderlake", .table = &linux_golden_cove }, { "cpu_core", "meteorlake", .table = &linux_redwood_cove },
	{ "cpu_core", .table = &linux_intel_core },
	{ "cpu_atom", "alderlake", .table = &linux_gracemont }, { "cpu_atom", "meteorlake", .table = &linux_crestmont },
	{ "cpu_atom", "lunarlake", .table = &linux_skymont }, { "cpu_atom", "arrowlake", .table = &linux_skymont },
	{ "cpu_atom", "pantherlake", .table = &linux_darkmont }, { "cpu_atom", .table = &linux_intel_atom },
	{ "cpu", .vendor = LINUX_VENDOR_INTEL, .table = &linux_intel_unknown },
	{ "armv8*", .table = &linux_arm }, { "armv9*", .table = &linux_arm },
	{ "apple_*", .table = &linux_apple_unknown },
	{ "*", .table = &linux_generic },
};
/* clang-format on */

/* A star at the end makes the pattern a prefix. */
static bool
matches_pattern(const char *s, const char *pattern)
{
	size_t n = strcspn(pattern, "*");

	return strncmp(s, pattern, n) == 0 && (pattern[n] == '*' || s[n] == 0);
}

/* Returns variant and revision: r1p2 is 0x12. */
static uint32_t
midr_revision(uint32_t midr)
{
	return (midr >> 16 & 0xf0) | (midr & 0xf);
}

static bool
row_matches(const struct family *k, const struct linux_cpu *cpu)
{
	if (!matches_pattern(cpu->pmu, k->pmu))
		return false;
	if (k->pmu_name != NULL &&
	    strncmp(cpu->pmu_name, k->pmu_name, strlen(k->pmu_name)) != 0)
		return false;
	if (k->vendor != LINUX_VENDOR_OTHER && k->vendor != cpu->vendor)
		return false;
	if (k->family != 0 && k->family != cpu->family)
		return false;
	if (k->last != 0 && (cpu->model < k->first || cpu->model > k->last))
		return false;
	return k->midr == 0 ||
	       ((k->midr & MIDR_PART) == (cpu->midr & MIDR_PART) &&
		(!k->revision ||
		 midr_revision(k->midr) <= midr_revision(cpu->midr)));
}

const struct linux_pmu *
linux_pmu_find(const struct linux_cpu *cpu)
{
	unsigned i = 0;

	while (!row_matches(&families[i], cpu))
		i++;
	return families[i].table;
}

const struct linux_pmu *
linux_pmu_at(unsigned i)
{
	for (unsigned k = 0; k < COUNT(families); k++) {
		unsigned first = 0;

		while (families[first].table != families[k].table)
			first++;
		if (first == k && i-- == 0)
			return families[k].table;
	}
	return NULL;
}
