/* A table: common events of every Arm PMUv3. Only events in the PMU's events/
 * folder (from PMCEID) are opened, since the PMU accepts any number.
 * Instructions take one of the six counters besides cycles. */
#include "pmu/perf/table.h"
#include "pmu/table.h"

/* clang-format off */
#define COMMON \
	{ .name = "INST_BRANCH", .native = "@br_retired", .text = "branches retired" }, \
	{ .name = "BRANCH_MISPRED_NONSPEC", .native = "@br_mis_pred_retired", .text = "retired branches mispredicted" }, \
	/* For cores that cannot count retired mispredictions alone. */ \
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
	{ .name = "MAP_STALL", .native = "@stall_backend", .text = "cycles nothing issued because the back end took nothing" }
/* Counts are in slots only if the PMU reports slots per cycle (caps/slots). */
#define SLOTS(spec) \
	{ .name = "MAP_UOP", .alias = spec, .native = "@op_spec", .text = "micro-operations executed, wrong paths too" }, \
	{ .name = "SLOT_TOTAL", .how = LINUX_CYCLES_TIMES, .config = 0, .text = "issue slots: the cycles times the PMU's slots" }, \
	{ .name = "SLOT_USEFUL", .alias = "RETIRE_UOP", .native = "@op_retired", .text = "micro-operations retired" }, \
	{ .name = "SLOT_PROCESSING", .native = "@stall_slot_backend", .text = "slots empty because of the back end" }
#define DELIVERY \
	{ .name = "SLOT_DELIVERY", .native = "@stall_slot_frontend", .text = "slots empty because of the front end" }
#define RECOVERY(called, slots, what) \
	{ .name = called, .native = "@br_mis_pred", .config = 4 * (slots), .text = "the slots of four cycles after each misprediction, which " what }

/* Formulas: pmu-events/arch/arm64, sbsa.json and the folders named below. */
static const struct linux_event common[] = { COMMON, SLOTS("SLOT_SPECULATED"), DELIVERY };
/* arm/neoverse-n2-v2: a quarter of the recovery is front-end bound. */
#define SHARED(slots) \
	COMMON, SLOTS("SLOT_SPECULATED"), DELIVERY, \
	RECOVERY("SLOT_RECOVERY_SHARED", slots, "the stalls of both ends count")
static const struct linux_event neoverse_n2_r0p3[] = { SHARED(5) };
static const struct linux_event neoverse_v2[] = { SHARED(8) };
/* Before r0p3 stall_slot_frontend counts one slot too many each cycle. */
static const struct linux_event neoverse_n2[] = {
	SHARED(5),
	{ .name = "SLOT_MISCOUNTED", .how = LINUX_CYCLES_TIMES, .config = 1,
	  .text = "one a cycle: slots that stall_slot_frontend counts too many" },
};
/* arm/neoverse-v3, -n3; kernels have no name for event 0x8162. */
#define FLUSH(slots) \
	COMMON, SLOTS("SLOT_SPECULATED"), DELIVERY, \
	{ .name = "SLOT_RECOVERY", .native = "event=0x8162", .config = slots, \
	  .text = "the slots of cycles that recover from a flush, which stall_slot_frontend counts" }
static const struct linux_event neoverse_v3[] = { FLUSH(10) };
static const struct linux_event neoverse_n3[] = { FLUSH(5) };
/* arm/neoverse-v1. */
static const struct linux_event neoverse_v1[] = {
	COMMON, SLOTS("SLOT_SPECULATED"), DELIVERY, RECOVERY("SLOT_RECOVERY", 8, "stall_slot_frontend counts"),
};
/* ampere/ampereone: slots are operations; the remainder is front-end bound. */
static const struct linux_event ampereone[] = {
	COMMON, SLOTS("SLOT_DISPATCHED"),
	{ .name = "SLOT_DELIVERY_REST", .how = LINUX_NOTHING, .text = "not counted: what useful, discarded and processing leave" },
};

#define PMUV3(title, table) \
	{ .name = title, .cycles = "event=0x11", .instructions = "event=0x08", .counters = 5, .no_fixed = true, \
	  .events = table, .nevents = COUNT(table) }

const struct linux_pmu linux_arm = PMUV3("pmuv3", common);
const struct linux_pmu linux_neoverse_n2 = PMUV3("neoverse-n2", neoverse_n2);
const struct linux_pmu linux_neoverse_n2_r0p3 = PMUV3("neoverse-n2-r0p3", neoverse_n2_r0p3);
const struct linux_pmu linux_neoverse_v2 = PMUV3("neoverse-v2", neoverse_v2);
const struct linux_pmu linux_neoverse_v3 = PMUV3("neoverse-v3", neoverse_v3);
const struct linux_pmu linux_neoverse_n3 = PMUV3("neoverse-n3", neoverse_n3);
const struct linux_pmu linux_ampereone = PMUV3("ampereone", ampereone);
const struct linux_pmu linux_neoverse_v1 = PMUV3("neoverse-v1", neoverse_v1);

/* Apple silicon: events and counters are those of macOS (m1.c, m2.c). Driver
 * and ktop use the lowest free counter first (apple_m1_cpu_pmu.c). */
#define APPLE(title, db) \
	{ .name = title, .cycles = "event=0x02", .instructions = "event=0x8c", .counters = 8, .apple = true, .apple_db = db }

const struct linux_pmu linux_apple_m1 = APPLE("apple-m1", "a14");
const struct linux_pmu linux_apple_m2 = APPLE("apple-m2", "a15");
/* The kernel has no driver for M3 and later; other drivers name two events. */
const struct linux_pmu linux_apple_unknown = {
	.name = "apple", .cycles = "@cycles", .instructions = "@instructions", .counters = 4,
};
/* clang-format on */
