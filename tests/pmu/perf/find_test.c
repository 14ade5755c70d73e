/* Which family a CPU belongs to on Linux, and what the families' tables say. */
#include "pmu/perf/table.h"

#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define INTEL LINUX_VENDOR_INTEL
#define AMD LINUX_VENDOR_AMD
#define OTHER LINUX_VENDOR_OTHER

/* clang-format off */
static const struct {
	struct linux_cpu cpu;
	const char *name;
} families[] = {
	{ { "cpu_core", "alderlake_hybrid", INTEL, 6, 0x97, 0 }, "golden-cove" },
	{ { "cpu_core", "lunarlake_hybrid", INTEL, 6, 0xbd, 0 }, "lion-cove" },
	{ { "cpu_core", "arrowlake_h_hybrid", INTEL, 6, 0xc5, 0 }, "lion-cove" },
	{ { "cpu_core", "meteorlake_hybrid", INTEL, 6, 0xaa, 0 }, "redwood-cove" },
	{ { "cpu_core", "meteorlake_hybrid", OTHER, 0, 0, 0 }, "redwood-cove" },
	{ { "cpu_core", "pantherlake_hybrid", INTEL, 6, 0xd5, 0 }, "lion-cove" },
	{ { "cpu_atom", "pantherlake_hybrid", INTEL, 6, 0xe5, 0 }, "darkmont" },
	{ { "cpu_core", "pantherlake_hybrid", OTHER, 0, 0, 0 }, "lion-cove" },
	{ { "cpu_atom", "pantherlake_hybrid", INTEL, 6, 0xcc, 0 }, "darkmont" },
	{ { "cpu", "", INTEL, 6, 0xdd, 0 }, "darkmont" }, /* Clearwater Forest */
	{ { "armv8_pmuv3_0", "", OTHER, 0, 0, 0x410fd490 }, "neoverse-n2" },
	{ { "armv8_pmuv3_0", "", OTHER, 0, 0, 0x410fd492 }, "neoverse-n2" },
	{ { "armv8_pmuv3_0", "", OTHER, 0, 0, 0x410fd493 }, "neoverse-n2-r0p3" },
	{ { "armv8_pmuv3_0", "", OTHER, 0, 0, 0x411fd490 }, "neoverse-n2-r0p3" },
	{ { "armv8_pmuv3_0", "", OTHER, 0, 0, 0x410fd841 }, "neoverse-v3" },
	{ { "armv8_pmuv3_0", "", OTHER, 0, 0, 0x410fd830 }, "neoverse-v3" },
	{ { "armv8_pmuv3_0", "", OTHER, 0, 0, 0x410fd8e1 }, "neoverse-n3" },
	{ { "armv8_pmuv3_0", "", OTHER, 0, 0, 0x411fd403 }, "neoverse-v1" },
	{ { "armv8_pmuv3_0", "", OTHER, 0, 0, 0x411fd401 }, "neoverse-v1" },
	{ { "armv8_pmuv3_0", "", OTHER, 0, 0, 0x410fd4f0 }, "neoverse-v2" },
	{ { "armv8_pmuv3_0", "", OTHER, 0, 0, 0x6d0fd490 }, "neoverse-n2" }, /* Cobalt 100 */
	{ { "armv8_pmuv3_0", "", OTHER, 0, 0, 0xc00fac30 }, "ampereone" },
	/* A P core that nobody knows (Nova Lake): the architectural events. */
	{ { "cpu_core", "novalake_hybrid", INTEL, 18, 0x01, 0 }, "intel-core" },
	{ { "cpu_core", "", OTHER, 0, 0, 0 }, "intel-core" },
	{ { "armv8_pmuv3_0", "", OTHER, 0, 0, 0x410fd0c1 }, "pmuv3" }, /* N1 */
	{ { "armv8_pmuv3_0", "", OTHER, 0, 0, 0x510fd490 }, "pmuv3" },
	{ { "cpu_atom", "alderlake_hybrid", INTEL, 6, 0x97, 0 }, "gracemont" },
	{ { "cpu_atom", "alderlake_hybrid", INTEL, 6, 0xb7, 0 }, "gracemont" },
	{ { "cpu_atom", "meteorlake_hybrid", INTEL, 6, 0xaa, 0 }, "crestmont" },
	{ { "cpu_atom", "lunarlake_hybrid", INTEL, 6, 0xbd, 0 }, "skymont" },
	{ { "cpu_atom", "arrowlake_h_hybrid", INTEL, 6, 0xc5, 0 }, "skymont" },
	{ { "cpu_atom", "meteorlake_hybrid", INTEL, 6, 0xb5, 0 }, "crestmont" },
	{ { "cpu_lowpower", "arrowlake_h_hybrid", INTEL, 6, 0xc5, 0 }, "crestmont" },
	/* Without /proc the PMU's own word; without any the architectural ones. */
	{ { "cpu_atom", "alderlake_hybrid", OTHER, 0, 0, 0 }, "gracemont" },
	{ { "cpu_atom", "meteorlake_hybrid", OTHER, 0, 0, 0 }, "crestmont" },
	{ { "cpu_atom", "lunarlake_hybrid", OTHER, 0, 0, 0 }, "skymont" },
	{ { "cpu_atom", "", OTHER, 0, 0, 0 }, "intel-atom" },
	{ { "cpu", "skylake", INTEL, 6, 0x5e, 0 }, "skylake" },
	{ { "cpu", "icelake", INTEL, 6, 0x6a, 0 }, "ice-lake" },
	{ { "cpu", "sapphire_rapids", INTEL, 6, 0x8f, 0 }, "golden-cove" },
	{ { "cpu", "sapphire_rapids", INTEL, 6, 0xcf, 0 }, "golden-cove" },
	{ { "cpu", "granite_rapids", INTEL, 6, 0xad, 0 }, "redwood-cove" },
	{ { "cpu", "", INTEL, 6, 0x97, 0 }, "golden-cove" }, /* i3-12100: no E cores */
	{ { "cpu", "gracemont", INTEL, 6, 0xbe, 0 }, "gracemont" },
	{ { "cpu", "crestmont", INTEL, 6, 0xaf, 0 }, "crestmont" },
	{ { "cpu", "", INTEL, 6, 0x3c, 0 }, "intel" }, /* Haswell */
	{ { "cpu", "", INTEL, 15, 0x97, 0 }, "intel" },
	{ { "cpu", "", AMD, 0x17, 0x01, 0 }, "zen1" },
	{ { "cpu", "", AMD, 0x17, 0x18, 0 }, "zen1" },
	{ { "cpu", "", AMD, 0x18, 0x01, 0 }, "zen1" }, /* Hygon */
	{ { "cpu", "", AMD, 0x17, 0x31, 0 }, "zen2" },
	{ { "cpu", "", AMD, 0x17, 0x71, 0 }, "zen2" },
	{ { "cpu", "", AMD, 0x19, 0x01, 0 }, "zen3" },
	{ { "cpu", "", AMD, 0x19, 0x21, 0 }, "zen3" },
	{ { "cpu", "", AMD, 0x19, 0x50, 0 }, "zen3" },
	{ { "cpu", "", AMD, 0x19, 0x11, 0 }, "zen4" },
	{ { "cpu", "", AMD, 0x19, 0x61, 0 }, "zen4" },
	{ { "cpu", "", AMD, 0x19, 0x78, 0 }, "zen4" },
	{ { "cpu", "", AMD, 0x19, 0x90, 0 }, "zen4" }, /* MI300A */
	{ { "cpu", "", AMD, 0x19, 0xa0, 0 }, "zen4" },
	{ { "cpu", "", AMD, 0x1a, 0x02, 0 }, "zen5" },
	{ { "cpu", "", AMD, 0x1a, 0x24, 0 }, "zen5" },
	{ { "cpu", "", AMD, 0x1a, 0x44, 0 }, "zen5" },
	{ { "cpu", "", AMD, 0x1a, 0x70, 0 }, "zen5" },
	{ { "cpu", "", AMD, 0x1a, 0x50, 0 }, "zen6" },
	{ { "cpu", "", AMD, 0x1a, 0x80, 0 }, "zen6" },
	{ { "cpu", "", AMD, 0x1a, 0x90, 0 }, "zen6" },
	{ { "cpu", "", AMD, 0x15, 0x02, 0 }, "generic" },
	{ { "cpu", "", OTHER, 0, 0, 0 }, "generic" },
	{ { "armv8_pmuv3", "", OTHER, 0, 0, 0 }, "pmuv3" },
	{ { "armv8_pmuv3_1", "", OTHER, 0, 0, 0 }, "pmuv3" },
	{ { "armv8_cortex_a53", "", OTHER, 0, 0, 0 }, "pmuv3" },
	{ { "armv8_neoverse_v2", "", OTHER, 0, 0, 0 }, "pmuv3" },
	{ { "armv9_cortex_x4", "", OTHER, 0, 0, 0 }, "pmuv3" },
	{ { "armv7_cortex_a15", "", OTHER, 0, 0, 0 }, "generic" },
	{ { "apple_icestorm_pmu", "", OTHER, 0, 0, 0 }, "apple-m1" },
	{ { "apple_firestorm_pmu", "", OTHER, 0, 0, 0 }, "apple-m1" },
	{ { "apple_blizzard_pmu", "", OTHER, 0, 0, 0 }, "apple-m2" },
	{ { "apple_avalanche_pmu", "", OTHER, 0, 0, 0 }, "apple-m2" },
	{ { "apple_sotra_m_pmu", "", OTHER, 0, 0, 0 }, "apple" },
	{ { "cpum_cf", "", OTHER, 0, 0, 0 }, "generic" },
};

/* The vendors' codes (kernel: pmu-events, arm_pmuv3.h), family by family. */
static const struct { const char *family, *event, *native; } codes[] = {
	{ "golden-cove", "L1D_CACHE_MISS_LD_NONSPEC", "event=0xd1,umask=0x08" },
	{ "golden-cove", "INST_LOAD", "event=0xd0,umask=0x81" },
	{ "golden-cove", "L2_MISS", "event=0x24,umask=0x3f" },
	{ "golden-cove", "L2_REF", "event=0x24,umask=0xff" },
	{ "golden-cove", "L2_MISS_CODE", "event=0x24,umask=0x24" },
	{ "golden-cove", "LLC_MISS", "event=0x2e,umask=0x41" },
	{ "golden-cove", "LLC_REF", "event=0x2e,umask=0x4f" },
	{ "golden-cove", "MAP_DISPATCH_BUBBLE_IC", "event=0x80,umask=0x04" },
	{ "golden-cove", "L2_TLB_MISS_DATA", "event=0x12,umask=0x0e" },
	{ "golden-cove", "L2_TLB_MISS_INSTRUCTION", "event=0x11,umask=0x0e" },
	{ "golden-cove", "SLOT_RECOVERY", "event=0xad,umask=0x10" },
	{ "lion-cove", "SLOT_RECOVERY", NULL },
	{ "lion-cove", "CORE_CYCLE_PART", NULL },
	{ "ice-lake", "L2_MISS", "event=0x24,umask=0x27" },
	{ "ice-lake", "L2_REF", "event=0x24,umask=0xe7" },
	{ "gracemont", "L1D_CACHE_MISS_LD_NONSPEC", "event=0xd1,umask=0x08" },
	{ "gracemont", "L2_MISS", "event=0xd1,umask=0x10" },
	{ "golden-cove", "CORE_CYCLE_PART", "event=0xec,umask=0x02" },
	{ "ice-lake", "CORE_CYCLE_PART", "event=0xec,umask=0x02" },
	{ "skylake", "CORE_CYCLE_ANY", "event=0x3c,any=1" },
	{ "golden-cove", "SLOT_DISCARDED", NULL },
	{ "redwood-cove", "SLOT_RECOVERY", "event=0xad,umask=0x10" },
	{ "ice-lake", "SLOT_RECOVERY", "event=0x0d,umask=0x10" },
	{ "ice-lake", "SLOT_CLEARED", "event=0x0d,umask=0x01,edge=1,cmask=1" },
	{ "skylake", "SLOT_DELIVERY", "event=0x9c,umask=0x01" },
	{ "skylake", "SLOT_RECOVERY_BACK", "event=0x0d,umask=0x01" },
	{ "gracemont", "SLOT_DISCARDED", NULL },
	{ "darkmont", "L1D_CACHE_MISS_LD_NONSPEC", "event=0xd1,umask=0x40" },
	{ "darkmont", "L2_MISS", "event=0xd1,umask=0x80" },
	{ "darkmont", "L1I_CACHE_MISS_DEMAND", "event=0x80,umask=0x02" },
	{ "darkmont", "SLOT_PROCESSING", "event=0xa4,umask=0x02" },
	{ "gracemont", "L1I_CACHE_MISS_DEMAND", "event=0x80,umask=0x02" },
	{ "gracemont", "L1I_ACCESS", "event=0x80,umask=0x03" },
	{ "gracemont", "L2_TLB_MISS_DATA", "event=0x08,umask=0x0e" },
	{ "gracemont", "L2_TLB_MISS_INSTRUCTION", "event=0x85,umask=0x0e" },
	{ "crestmont", "L1D_CACHE_MISS_LD_NONSPEC", "event=0xd1,umask=0x40" },
	{ "crestmont", "L2_MISS", "event=0xd1,umask=0x80" },
	{ "skymont", "L1D_CACHE_MISS_LD_NONSPEC", "event=0xd1,umask=0x40" },
	{ "skymont", "L2_MISS", "event=0x24,umask=0x01" },
	{ "gracemont", "SLOT_USEFUL", "event=0xc2" },
	{ "crestmont", "SLOT_USEFUL", "event=0x72" },
	{ "crestmont", "SLOT_DELIVERY", "event=0x71" },
	{ "crestmont", "SLOT_DISCARDED", "event=0x73" },
	{ "crestmont", "SLOT_PROCESSING", "event=0x74" },
	{ "skymont", "SLOT_USEFUL", "event=0xc2,umask=0x02" },
	{ "skymont", "SLOT_DELIVERY", "event=0x9c,umask=0x01" },
	{ "skymont", "SLOT_PROCESSING", "event=0xa4,umask=0x02" },
	{ "skylake", "L2_TLB_MISS_DATA", "event=0x08,umask=0x0e" },
	{ "zen2", "L1D_FILL", "event=0x60,umask=0xc8" },
	{ "zen2", "L1D_ACCESS", "event=0x40" },
	{ "zen2", "L1I_CACHE_MISS_DEMAND", "event=0x81" },
	{ "zen2", "L1I_ACCESS", "event=0x80" },
	{ "zen2", "L2_TLB_MISS_INSTRUCTION", "event=0x85,umask=0xff" },
	{ "zen2", "DRAM_FILL", NULL },
	{ "zen3", "L1D_FILL", "event=0x44,umask=0xff" },
	{ "zen3", "DRAM_FILL", "event=0x44,umask=0x48" },
	{ "zen3", "L1D_ACCESS", "event=0x29,umask=0x07" },
	{ "zen3", "L2_TLB_MISS_INSTRUCTION", "event=0x85,umask=0xff" },
	{ "zen3", "L2_REF", "event=0x60,umask=0xf9" },
	{ "zen3", "SLOT_DELIVERY", NULL },
	{ "zen4", "L2_TLB_MISS_INSTRUCTION", "event=0x85,umask=0x0f" },
	{ "zen4", "L1I_CACHE_MISS_DEMAND", "event=0x18e,umask=0x18" },
	{ "zen4", "L1I_ACCESS", "event=0x18e,umask=0x1f" },
	{ "zen4", "L1I_TLB_HIT_L2", "event=0x84" },
	{ "zen4", "L2_TLB_MISS_DATA", "event=0x45,umask=0xf0" },
	{ "zen4", "L1D_TLB_FILL", "event=0x45,umask=0xff" },
	{ "zen4", "SLOT_DELIVERY", "event=0x1a0,umask=0x01" },
	{ "zen4", "SLOT_PROCESSING", "event=0x1a0,umask=0x1e" },
	{ "zen4", "SLOT_SMT", "event=0x1a0,umask=0x60" },
	{ "zen4", "SLOT_USEFUL", "event=0xc1" },
	{ "zen4", "SLOT_DISPATCHED", "event=0xaa,umask=0x07" },
	{ "zen4", "L2_MISS", "event=0x64,umask=0x09" },
	{ "zen5", "L2_REF", "event=0x60,umask=0xf1" },
	{ "zen6", "L2_REF", "event=0x60,umask=0xf1" },
	{ "zen6", "SLOT_DELIVERY", "event=0x1a0,umask=0x01" },
	{ "zen6", "L1I_CACHE_MISS_DEMAND", NULL },
	{ "pmuv3", "BRANCH_MISPRED_NONSPEC", "@br_mis_pred_retired" },
	{ "pmuv3", "BRANCH_MISPRED_ANY", "@br_mis_pred" },
	{ "pmuv3", "L2_TLB_MISS_DATA", "@dtlb_walk" },
	{ "pmuv3", "LLC_MISS", "@ll_cache_miss_rd" },
	{ "pmuv3", "SLOT_DELIVERY", "@stall_slot_frontend" },
};

static const struct { const char *family; unsigned width, counters; } shapes[] = {
	{ "golden-cove", 0, 8 }, { "gracemont", 5, 6 }, { "crestmont", 6, 8 }, { "skymont", 8, 8 },
	{ "skylake", 0, 4 }, { "zen4", 6, 4 }, { "zen5", 8, 4 }, { "zen6", 8, 4 }, { "pmuv3", 0, 5 },
};
/* clang-format on */

UNIT(each_cpu_has_its_family)
{
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
		const struct linux_cpu *c = &families[i].cpu;
		const char *got = linux_pmu_find(c)->name;

		if (strcmp(got, families[i].name) != 0)
			fail_msg("%s %s %#x/%#x: %s, not %s", c->pmu,
				 c->pmu_name, c->family, c->model, got,
				 families[i].name);
	}
}

static const struct linux_pmu *
family(const char *name)
{
	const struct linux_pmu *p;

	for (unsigned i = 0; (p = linux_pmu_at(i)) != NULL; i++)
		if (strcmp(p->name, name) == 0)
			return p;
	fail_msg("no family %s", name);
	return NULL;
}

static const struct linux_event *
event(const struct linux_pmu *p, const char *name)
{
	for (unsigned i = 0; i < p->nevents; i++)
		if (strcmp(p->events[i].name, name) == 0)
			return &p->events[i];
	return NULL;
}

UNIT(each_family_has_its_codes)
{
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		const struct linux_event *e =
			event(family(codes[i].family), codes[i].event);
		const char *got = e != NULL ? e->native : NULL;

		if ((got == NULL) != (codes[i].native == NULL) ||
		    (got != NULL && strcmp(got, codes[i].native) != 0))
			fail_msg("%s %s: %s", codes[i].family, codes[i].event,
				 got != NULL ? got : "(none)");
	}
}

UNIT(each_family_has_its_width_and_counters)
{
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		const struct linux_pmu *p = family(shapes[i].family);
		const struct linux_event *e = event(p, "SLOT_TOTAL");

		assert_int_equal(p->counters, shapes[i].counters);
		if (shapes[i].width != 0) {
			assert_non_null(e);
			assert_int_equal(e->how, LINUX_CYCLES_TIMES);
			assert_int_equal(e->config, shapes[i].width);
		}
	}
}

/* Twice one name in a table would be one column of two events. */
UNIT(tables_name_each_event_once)
{
	const struct linux_pmu *p;

	for (unsigned i = 0; (p = linux_pmu_at(i)) != NULL; i++)
		for (unsigned k = 0; k < p->nevents; k++)
			for (unsigned j = 0; j < k; j++)
				if (strcmp(p->events[j].name,
					   p->events[k].name) == 0)
					fail_msg("%s: %s twice", p->name,
						 p->events[k].name);
}
