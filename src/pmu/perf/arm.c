/*
 * ARM's common events: a table for every PMUv3 (Cortex, Neoverse and others).
 * The PMU takes any number, so only what its events/ list is ever opened; the
 * kernel fills that list from PMCEID. Six counters besides that of the cycles,
 * of which the instructions take one.
 */
#include "pmu/perf/table.h"
#include "pmu/table.h"

/* clang-format off */
#define COMMON \
	{ .name = "INST_BRANCH", .native = "@br_retired", .text = "branches retired" }, \
	{ .name = "BRANCH_MISPRED_NONSPEC", .native = "@br_mis_pred_retired", .text = "retired branches mispredicted" }, \
	/* Where no event counts retired ones alone. */ \
	{ .name = "BRANCH_MISPRED_ANY", .native = "@br_mis_pred", .unless = "@br_mis_pred_retired", .text = "branches mispredicted or not predicted, wrong paths too" }, \
	{ .name = "BRANCH_ANY", .native = "@br_pred", .unless = "@br_mis_pred_retired", .text = "predictable branches, wrong paths too" }, \
	{ .name = "L1D_FILL", .native = "@l1d_cache_refill", .text = "L1D refills, for loads and stores, wrong paths too: no retired misses" }, \
	{ .name = "L1D_ACCESS", .native = "@l1d_cache", .text = "L1D accesses, wrong paths too" }, \
	{ .name = "L1I_CACHE_MISS_DEMAND", .native = "@l1i_cache_refill", .text = "L1I refills, prefetches too on some cores" }, \
	{ .name = "L1I_TLB_FILL", .alias = "L1I_TLB_MISS_DEMAND", .native = "@l1i_tlb_refill", .text = "L1 instruction TLB refills" }, \
	{ .name = "L1D_TLB_FILL", .alias = "L1D_TLB_MISS", .native = "@l1d_tlb_refill", .text = "L1 data TLB refills, wrong paths too" }, \
	{ .name = "L1D_TLB_ACCESS", .native = "@l1d_tlb", .text = "L1 data TLB look-ups, wrong paths too" }, \
	{ .name = "L2_MISS", .native = "@l2d_cache_refill", .text = "L2 refills, of data and, where it is unified, code" }, \
	{ .name = "L2_REF", .native = "@l2d_cache", .text = "L2 accesses" }, \
	{ .name = "LLC_MISS", .native = "@ll_cache_miss_rd", .text = "reads that missed the last-level cache" }, \
	{ .name = "LLC_REF", .native = "@ll_cache_rd", .text = "reads of the last-level cache" }, \
	{ .name = "L2_TLB_MISS_DATA", .alias = "MMU_TABLE_WALK_DATA", .native = "@dtlb_walk", .text = "data TLB misses that caused a table walk" }, \
	{ .name = "L2_TLB_MISS_INSTRUCTION", .alias = "MMU_TABLE_WALK_INSTRUCTION", .native = "@itlb_walk", \
	  .text = "instruction TLB misses that caused a table walk" }, \
	{ .name = "MAP_DISPATCH_BUBBLE", .native = "@stall_frontend", .text = "cycles nothing issued because the front end brought nothing" }, \
	{ .name = "MAP_STALL", .native = "@stall_backend", .text = "cycles nothing issued because the back end took nothing" }, \
	{ .name = "MAP_UOP", .alias = "SLOT_SPECULATED", .native = "@op_spec", .text = "micro-operations executed, wrong paths too" }, \
	/* In slots only where the PMU says how many there are (caps/slots). */ \
	{ .name = "SLOT_TOTAL", .how = LINUX_CYCLES_TIMES, .config = 0, .text = "issue slots: the cycles times the PMU's slots" }, \
	{ .name = "SLOT_USEFUL", .alias = "RETIRE_UOP", .native = "@op_retired", .text = "micro-operations retired" }, \
	{ .name = "SLOT_DELIVERY", .native = "@stall_slot_frontend", .text = "slots empty because of the front end" }, \
	{ .name = "SLOT_PROCESSING", .native = "@stall_slot_backend", .text = "slots empty because of the back end" }

static const struct linux_event common[] = { COMMON };
/*
 * Each cycle counts once too often as an empty slot of the front end, where the
 * PMU says that there are five (kernel pmu-events, neoverse-n2-v2/metrics.json).
 */
static const struct linux_event neoverse_n2[] = {
	COMMON,
	{ .name = "SLOT_MISCOUNTED", .how = LINUX_CYCLES_TIMES, .config = 1, .slots = 5,
	  .text = "one a cycle: slots that stall_slot_frontend counts too many" },
};
/* Four cycles of eight slots after a wrong guess: neoverse-v1/metrics.json. */
static const struct linux_event neoverse_v1[] = {
	COMMON,
	{ .name = "SLOT_RECOVERY", .native = "@br_mis_pred", .config = 4 * 8,
	  .text = "the slots of four cycles after each wrong guess, which stall_slot_frontend counts" },
};

#define PMUV3(title, table) \
	{ .name = title, .cycles = "event=0x11", .instructions = "event=0x08", .counters = 5, \
	  .events = table, .nevents = COUNT(table) }

const struct linux_pmu linux_arm = PMUV3("pmuv3", common);
const struct linux_pmu linux_neoverse_n2 = PMUV3("neoverse-n2", neoverse_n2);
const struct linux_pmu linux_neoverse_v1 = PMUV3("neoverse-v1", neoverse_v1);

/*
 * Apple's: numbers, names and counters of the events are those of the Mac's
 * databases (m1.c, m2.c); the driver places them by the same rule as ktop,
 * lowest free counter first (apple_m1_cpu_pmu.c).
 */
#define APPLE(title, db) \
	{ .name = title, .cycles = "event=0x02", .instructions = "event=0x8c", .counters = 8, .apple = true, .apple_db = db }

const struct linux_pmu linux_apple_m1 = APPLE("apple-m1", "a14");
const struct linux_pmu linux_apple_m2 = APPLE("apple-m2", "a15");
/* M3 and later: no driver in the kernel yet; one out of it names two events. */
const struct linux_pmu linux_apple_unknown = {
	.name = "apple", .cycles = "@cycles", .instructions = "@instructions", .counters = 4,
};
/* clang-format on */
