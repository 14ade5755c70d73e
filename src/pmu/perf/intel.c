/* A table: events of Intel cores on Linux. Codes: the kernel's pmu-events. */
#include "pmu/perf/table.h"
#include "pmu/table.h"

/* clang-format off */
#define C0_3 0xfu

#define BRANCHES \
	{ .name = "INST_BRANCH", .native = "event=0xc4", .text = "branches retired" }, \
	{ .name = "BRANCH_MISPRED_NONSPEC", .native = "event=0xc5", .text = "retired branches of any kind mispredicted" }
#define LLC \
	{ .name = "LLC_MISS", .native = "event=0x2e,umask=0x41", \
	  .text = "misses of the last-level cache by this core (L3; L2 on cores that have no L3), wrong paths too" }, \
	{ .name = "LLC_REF", .native = "event=0x2e,umask=0x4f", .text = "requests of this core to the last-level cache (L3; L2 on cores that have no L3)" }
#define LOADS(ctr, miss) \
	{ .name = "L1D_CACHE_MISS_LD_NONSPEC", .native = miss, .counters = ctr, \
	  .text = "retired loads that missed L1D; not those that met a fill on its way already (fill buffer)" }, \
	{ .name = "INST_LOAD", .native = "event=0xd0,umask=0x81", .counters = ctr, .text = "loads retired" }
#define L2_BIG \
	{ .name = "L2_MISS", .native = "event=0x24,umask=0x3f", .counters = C0_3, .text = "requests of any kind that missed L2" }, \
	{ .name = "L2_REF", .native = "event=0x24,umask=0xff", .counters = C0_3, .text = "requests of any kind to L2" }, \
	{ .name = "L2_MISS_CODE", .native = "event=0x24,umask=0x24", .counters = C0_3, .text = "fetches that missed L2" }
#define L2_DEMAND \
	{ .name = "L2_MISS", .native = "event=0x24,umask=0x27", .counters = C0_3, .text = "demand requests that missed L2: no prefetches" }, \
	{ .name = "L2_REF", .native = "event=0x24,umask=0xe7", .counters = C0_3, .text = "demand requests to L2: no prefetches" }, \
	{ .name = "L2_MISS_CODE", .native = "event=0x24,umask=0x24", .counters = C0_3, .text = "fetches that missed L2" }
#define WALKS(data, code, ctr) \
	{ .name = "L2_TLB_MISS_DATA", .alias = "MMU_TABLE_WALK_DATA", .native = data, .counters = ctr, \
	  .text = "table walks that loads caused (stores do not count), wrong paths too" }, \
	{ .name = "L2_TLB_MISS_INSTRUCTION", .alias = "MMU_TABLE_WALK_INSTRUCTION", .native = code, .counters = ctr, \
	  .text = "table walks that fetches caused, wrong paths too" }
/* Topdown events need the slots event as group leader. On all but the newest
 * cores bad speculation is the remainder (intel/perfmon, *_metrics). */
#define SLOTS_FIXED \
	{ .name = "SLOT_TOTAL", .native = "@slots", .free = true, .leader = true, .text = "issue slots of this thread" }, \
	{ .name = "SLOT_USEFUL", .native = "@topdown-retiring", .free = true, .led = true, .text = "slots whose micro-op retired" }, \
	{ .name = "SLOT_DELIVERY", .native = "@topdown-fe-bound", .free = true, .led = true, .text = "slots the front end left empty" }, \
	{ .name = "SLOT_PROCESSING", .native = "@topdown-be-bound", .free = true, .led = true, .text = "slots the back end could not take" }
#define DISCARDED_FIXED \
	{ .name = "SLOT_DISCARDED", .native = "@topdown-bad-spec", .free = true, .led = true, .text = "slots lost to bad speculation" }
#define DISCARDED_REST \
	{ .name = "SLOT_REST", .how = LINUX_NOTHING, .text = "not counted: what the other three leave" }
/* INT_MISC.UOP_DROPPING; cores with DROPS_NOTHING drop no micro-ops. */
#define SLOTS_DROPPED(code) \
	{ .name = "SLOT_RECOVERY", .native = code, \
	  .text = "slots whose micro-ops were dropped after a misprediction, which the front end's count" }
#define DROPS_NOTHING \
	{ .name = "SLOT_RECOVERY", .how = LINUX_NOTHING, .text = "not counted: this core's front end has none of them" }
/* Codes, not names: Meteor Lake kernels give the names Gracemont's codes. */
#define SLOTS_COUNTED(width, useful, delivery, processing) \
	{ .name = "SLOT_TOTAL", .how = LINUX_CYCLES_TIMES, .config = width, .text = "issue slots: the cycles times the core's width" }, \
	{ .name = "SLOT_USEFUL", .native = useful, .text = "slots whose micro-op retired" }, \
	{ .name = "SLOT_DELIVERY", .native = delivery, .text = "slots the front end left empty" }, \
	{ .name = "SLOT_PROCESSING", .native = processing, .text = "slots the back end could not take" }, \
	DROPS_NOTHING
#define DISCARDED_COUNTED \
	{ .name = "SLOT_DISCARDED", .native = "event=0x73", .text = "slots lost to bad speculation" }
/* The counts of all threads of a core add up to the core's cycles. */
#define CORE_CYCLES \
	{ .name = "CORE_CYCLE_PART", .native = "event=0xec,umask=0x02", .smt = LINUX_SMT_ONLY, \
	  .text = "cycles of the core, shared out among its threads that run" }
#define FETCH_STALLS(code) \
	{ .name = "MAP_DISPATCH_BUBBLE_IC", .native = code, .counters = C0_3, \
	  .text = "cycles a fetch waits for an L1 instruction cache miss" }
#define FETCH_MISSES \
	{ .name = "L1I_CACHE_MISS_DEMAND", .native = "event=0x80,umask=0x02", .text = "fetches that missed L1I" }, \
	{ .name = "L1I_ACCESS", .native = "event=0x80,umask=0x03", .text = "fetches from L1I" }

#define COVE \
	BRANCHES, LLC, LOADS(C0_3, "event=0xd1,umask=0x08"), L2_BIG, \
	WALKS("event=0x12,umask=0x0e", "event=0x11,umask=0x0e", C0_3), \
	FETCH_STALLS("event=0x80,umask=0x04"), SLOTS_FIXED
static const struct linux_event golden_cove[] = {
	COVE, CORE_CYCLES, DISCARDED_REST, SLOTS_DROPPED("event=0xad,umask=0x10"),
};
/* Bad speculation is counted, as on Crestmont, the E core beside this core. */
static const struct linux_event redwood_cove[] = {
	COVE, CORE_CYCLES, DISCARDED_FIXED, SLOTS_DROPPED("event=0xad,umask=0x10"),
};
static const struct linux_event lion_cove[] = { COVE, DISCARDED_FIXED, DROPS_NOTHING };
static const struct linux_event ice_lake[] = {
	BRANCHES, LLC, LOADS(C0_3, "event=0xd1,umask=0x08"), L2_DEMAND,
	WALKS("event=0x08,umask=0x0e", "event=0x85,umask=0x0e", C0_3),
	FETCH_STALLS("event=0x80,umask=0x04"), SLOTS_FIXED, CORE_CYCLES,
	DISCARDED_REST, SLOTS_DROPPED("event=0x0d,umask=0x10"),
	{ .name = "SLOT_CLEARED", .native = "event=0x0d,umask=0x01,edge=1,cmask=1", .config = 5,
	  .text = "the slots of a cycle after each pipeline clear, which no other event counts as the back end's" },
};
/* With two threads per core these events need five counters, one too many. */
#define ALONE(called, ...) { .name = called, .smt = LINUX_SMT_NEVER, __VA_ARGS__ }
static const struct linux_event skylake[] = {
	BRANCHES, LLC, LOADS(C0_3, "event=0xd1,umask=0x08"), L2_BIG,
	WALKS("event=0x08,umask=0x0e", "event=0x85,umask=0x0e", C0_3),
	FETCH_STALLS("event=0x80,umask=0x04"),
	ALONE("SLOT_TOTAL", .how = LINUX_CYCLES_TIMES, .config = 4, .text = "issue slots: the cycles times four"),
	ALONE("SLOT_USEFUL", .native = "event=0xc2,umask=0x02", .text = "slots whose micro-op retired"),
	ALONE("SLOT_DISPATCHED", .native = "event=0x0e,umask=0x01", .text = "micro-ops issued, wrong paths too"),
	ALONE("SLOT_DELIVERY", .native = "event=0x9c,umask=0x01", .text = "slots the front end left empty"),
	ALONE("SLOT_RECOVERY_BACK", .native = "event=0x0d,umask=0x01", .config = 4,
	      .text = "the slots of cycles in which the allocator recovers from a pipeline clear"),
	ALONE("SLOT_PROCESSING_REST", .how = LINUX_NOTHING, .text = "not counted: what the others leave"),
	{ .name = "CORE_CYCLE_ANY", .native = "event=0x3c,any=1", .smt = LINUX_SMT_ONLY,
	  .text = "cycles in which any thread of the core ran" },
};
static const struct linux_event gracemont[] = {
	BRANCHES, LLC, FETCH_MISSES, LOADS(0, "event=0xd1,umask=0x08"),
	{ .name = "L2_MISS", .native = "event=0xd1,umask=0x10", .text = "retired loads that missed L2" },
	{ .name = "LOAD_BEYOND_L2", .native = "event=0xd1,umask=0x04", .plus = "event=0xd1,umask=0x80",
	  .text = "retired loads that hit L3, and those that memory answered" },
	WALKS("event=0x08,umask=0x0e", "event=0x85,umask=0x0e", 0),
	SLOTS_COUNTED(5, "event=0xc2", "event=0x71", "event=0x74"), DISCARDED_REST,
};
static const struct linux_event crestmont[] = {
	BRANCHES, LLC, FETCH_MISSES, LOADS(0, "event=0xd1,umask=0x40"),
	{ .name = "L2_MISS", .native = "event=0xd1,umask=0x80", .text = "retired loads that missed L2" },
	WALKS("event=0x08,umask=0x0e", "event=0x85,umask=0x0e", 0),
	SLOTS_COUNTED(6, "event=0x72", "event=0x71", "event=0x74"), DISCARDED_COUNTED,
};
static const struct linux_event skymont[] = {
	BRANCHES, LLC, FETCH_MISSES, LOADS(0, "event=0xd1,umask=0x40"),
	{ .name = "L2_MISS", .native = "event=0x24,umask=0x01", .text = "requests of any kind that missed L2" },
	WALKS("event=0x08,umask=0x0e", "event=0x85,umask=0x0e", 0),
	SLOTS_COUNTED(8, "event=0xc2,umask=0x02", "event=0x9c,umask=0x01", "event=0xa4,umask=0x02"), DISCARDED_COUNTED,
};
/* L2_MISS counts loads only: the event of all L2 misses needs a nine-bit umask,
 * which some kernels reject. */
static const struct linux_event darkmont[] = {
	BRANCHES, LLC, FETCH_MISSES, LOADS(0, "event=0xd1,umask=0x40"),
	{ .name = "L2_MISS", .native = "event=0xd1,umask=0x80", .text = "retired loads that missed L2" },
	WALKS("event=0x08,umask=0x0e", "event=0x85,umask=0x0e", 0),
	SLOTS_COUNTED(8, "event=0xc2,umask=0x02", "event=0x9c,umask=0x01", "event=0xa4,umask=0x02"), DISCARDED_COUNTED,
};
/* Architectural events have the same number on every core. */
static const struct linux_event architectural[] = { BRANCHES, LLC };
/* Cores without a table also get the events that the kernel names. */
static const struct linux_event architectural_core[] = { BRANCHES, LLC, SLOTS_FIXED, DISCARDED_FIXED };
static const struct linux_event architectural_atom[] = {
	BRANCHES, LLC,
	{ .name = "SLOT_TOTAL", .how = LINUX_SLOTS_SUM, .text = "issue slots: all four shares of them" },
	{ .name = "SLOT_USEFUL", .native = "@topdown-retiring", .text = "slots whose micro-op retired" },
	{ .name = "SLOT_DISCARDED", .native = "@topdown-bad-spec", .text = "slots lost to bad speculation" },
	{ .name = "SLOT_DELIVERY", .native = "@topdown-fe-bound", .text = "slots the front end left empty" },
	{ .name = "SLOT_PROCESSING", .native = "@topdown-be-bound", .text = "slots the back end could not take" },
};

#define INTEL(table, n, title) \
	{ .name = title, .cycles = "event=0x3c", .instructions = "event=0xc0", .counters = n, \
	  .events = table, .nevents = COUNT(table) }

const struct linux_pmu linux_golden_cove = INTEL(golden_cove, 8, "golden-cove");
const struct linux_pmu linux_redwood_cove = INTEL(redwood_cove, 8, "redwood-cove");
const struct linux_pmu linux_lion_cove = INTEL(lion_cove, 10, "lion-cove");
const struct linux_pmu linux_ice_lake = INTEL(ice_lake, 8, "ice-lake");
/* With SMT a thread has four of the eight counters. */
const struct linux_pmu linux_skylake = INTEL(skylake, 4, "skylake");
const struct linux_pmu linux_gracemont = INTEL(gracemont, 6, "gracemont");
const struct linux_pmu linux_crestmont = INTEL(crestmont, 8, "crestmont");
const struct linux_pmu linux_skymont = INTEL(skymont, 8, "skymont");
const struct linux_pmu linux_darkmont = INTEL(darkmont, 8, "darkmont");
const struct linux_pmu linux_intel_unknown = INTEL(architectural, 4, "intel");
/* Cores without a table: the fewest counters of any P core or E core. */
const struct linux_pmu linux_intel_core = INTEL(architectural_core, 8, "intel-core");
const struct linux_pmu linux_intel_atom = INTEL(architectural_atom, 6, "intel-atom");
/* clang-format on */
