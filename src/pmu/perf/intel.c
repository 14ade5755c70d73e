/* Intel's cores as Linux counts them: tables. Codes: the kernel's pmu-events.
 */
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
/* Metric events need the slots event as leader of their group. */
#define SLOTS_FIXED \
	{ .name = "SLOT_TOTAL", .native = "@slots", .free = true, .leader = true, .text = "issue slots of this thread" }, \
	{ .name = "SLOT_USEFUL", .native = "@topdown-retiring", .free = true, .led = true, .text = "slots whose micro-op retired" }, \
	{ .name = "SLOT_DISCARDED", .native = "@topdown-bad-spec", .free = true, .led = true, .text = "slots lost to wrong guesses" }, \
	{ .name = "SLOT_DELIVERY", .native = "@topdown-fe-bound", .free = true, .led = true, .text = "slots the front end left empty" }, \
	{ .name = "SLOT_PROCESSING", .native = "@topdown-be-bound", .free = true, .led = true, .text = "slots the back end could not take" }
/* intel/perfmon, adl and mtl metrics: INT_MISC.UOP_DROPPING; cores beside those drop none. */
#define SLOTS_DROPPED \
	{ .name = "SLOT_RECOVERY", .native = "event=0xad,umask=0x10", \
	  .text = "slots whose micro-ops were dropped after a wrong guess, which the front end's count" }
#define DROPS_NOTHING \
	{ .name = "SLOT_RECOVERY", .how = LINUX_NOTHING, .text = "not counted: this core's front end has none of them" }
/* By number: the alias of Meteor Lake's kernels is that of Gracemont. */
#define SLOTS_COUNTED(width, useful, discarded, delivery, processing) \
	{ .name = "SLOT_TOTAL", .how = LINUX_CYCLES_TIMES, .config = width, .text = "issue slots: the cycles times the core's width" }, \
	{ .name = "SLOT_USEFUL", .native = useful, .text = "slots whose micro-op retired" }, \
	{ .name = "SLOT_DISCARDED", .native = discarded, .text = "slots lost to wrong guesses" }, \
	{ .name = "SLOT_DELIVERY", .native = delivery, .text = "slots the front end left empty" }, \
	{ .name = "SLOT_PROCESSING", .native = processing, .text = "slots the back end could not take" }, \
	DROPS_NOTHING
/* Threads' counts of it add up to the core's cycles. */
#define CORE_CYCLES \
	{ .name = "CORE_CYCLE_PART", .native = "event=0xec,umask=0x02", .smt = LINUX_SMT_ONLY, \
	  .text = "cycles of the core, shared out among its threads that run" }
#define FETCH_STALLS(code) \
	{ .name = "MAP_DISPATCH_BUBBLE_IC", .native = code, .counters = C0_3, \
	  .text = "cycles a fetch waits for an L1 instruction cache miss" }
#define FETCH_MISSES \
	{ .name = "L1I_CACHE_MISS_DEMAND", .native = "event=0x80,umask=0x02", .text = "fetches that missed L1I" }, \
	{ .name = "L1I_ACCESS", .native = "event=0x80,umask=0x03", .text = "fetches from L1I" }

static const struct linux_event golden_cove[] = {
	BRANCHES, LLC, LOADS(C0_3, "event=0xd1,umask=0x08"), L2_BIG,
	WALKS("event=0x12,umask=0x0e", "event=0x11,umask=0x0e", C0_3),
	FETCH_STALLS("event=0x80,umask=0x04"), SLOTS_FIXED, SLOTS_DROPPED, CORE_CYCLES,
};
static const struct linux_event lion_cove[] = {
	BRANCHES, LLC, LOADS(C0_3, "event=0xd1,umask=0x08"), L2_BIG,
	WALKS("event=0x12,umask=0x0e", "event=0x11,umask=0x0e", C0_3),
	FETCH_STALLS("event=0x80,umask=0x04"), SLOTS_FIXED, DROPS_NOTHING, CORE_CYCLES,
};
static const struct linux_event ice_lake[] = {
	BRANCHES, LLC, LOADS(C0_3, "event=0xd1,umask=0x08"), L2_DEMAND,
	WALKS("event=0x08,umask=0x0e", "event=0x85,umask=0x0e", C0_3),
	FETCH_STALLS("event=0x80,umask=0x04"), SLOTS_FIXED, CORE_CYCLES,
};
static const struct linux_event skylake[] = {
	BRANCHES, LLC, LOADS(C0_3, "event=0xd1,umask=0x08"), L2_BIG,
	WALKS("event=0x08,umask=0x0e", "event=0x85,umask=0x0e", C0_3),
	FETCH_STALLS("event=0x80,umask=0x04"),
	{ .name = "CORE_CYCLE_ANY", .native = "event=0x3c,any=1", .smt = LINUX_SMT_ONLY,
	  .text = "cycles in which any thread of the core ran" },
};
static const struct linux_event gracemont[] = {
	BRANCHES, LLC, FETCH_MISSES, LOADS(0, "event=0xd1,umask=0x08"),
	{ .name = "L2_MISS", .native = "event=0xd1,umask=0x10", .text = "retired loads that missed L2" },
	{ .name = "LOAD_BEYOND_L2", .native = "event=0xd1,umask=0x04", .plus = "event=0xd1,umask=0x80",
	  .text = "retired loads that hit L3, and those that memory answered" },
	WALKS("event=0x08,umask=0x0e", "event=0x85,umask=0x0e", 0),
	SLOTS_COUNTED(5, "event=0xc2", "event=0x73", "event=0x71", "event=0x74"),
};
static const struct linux_event crestmont[] = {
	BRANCHES, LLC, FETCH_MISSES, LOADS(0, "event=0xd1,umask=0x40"),
	{ .name = "L2_MISS", .native = "event=0xd1,umask=0x80", .text = "retired loads that missed L2" },
	WALKS("event=0x08,umask=0x0e", "event=0x85,umask=0x0e", 0),
	SLOTS_COUNTED(6, "event=0x72", "event=0x73", "event=0x71", "event=0x74"),
};
static const struct linux_event skymont[] = {
	BRANCHES, LLC, FETCH_MISSES, LOADS(0, "event=0xd1,umask=0x40"),
	{ .name = "L2_MISS", .native = "event=0x24,umask=0x01", .text = "requests of any kind that missed L2" },
	WALKS("event=0x08,umask=0x0e", "event=0x85,umask=0x0e", 0),
	SLOTS_COUNTED(8, "event=0xc2,umask=0x02", "event=0x73", "event=0x9c,umask=0x01", "event=0xa4,umask=0x02"),
};
/* As Skymont, without what the kernel's list for it does not have. */
static const struct linux_event darkmont[] = {
	BRANCHES, LLC,
	{ .name = "INST_LOAD", .native = "event=0xd0,umask=0x81", .text = "loads retired" },
	SLOTS_COUNTED(8, "event=0xc2,umask=0x02", "event=0x73", "event=0x9c,umask=0x01", "event=0xa4,umask=0x02"),
};
/* These are architectural: the same number on every core. */
static const struct linux_event architectural[] = { BRANCHES, LLC };

#define INTEL(table, n, title) \
	{ .name = title, .cycles = "event=0x3c", .instructions = "event=0xc0", .counters = n, \
	  .events = table, .nevents = COUNT(table) }

const struct linux_pmu linux_golden_cove = INTEL(golden_cove, 8, "golden-cove");
const struct linux_pmu linux_lion_cove = INTEL(lion_cove, 10, "lion-cove");
const struct linux_pmu linux_ice_lake = INTEL(ice_lake, 8, "ice-lake");
/* With SMT on a thread has half of eight. */
const struct linux_pmu linux_skylake = INTEL(skylake, 4, "skylake");
const struct linux_pmu linux_gracemont = INTEL(gracemont, 6, "gracemont");
const struct linux_pmu linux_crestmont = INTEL(crestmont, 8, "crestmont");
const struct linux_pmu linux_skymont = INTEL(skymont, 8, "skymont");
const struct linux_pmu linux_darkmont = INTEL(darkmont, 8, "darkmont");
const struct linux_pmu linux_intel_unknown = INTEL(architectural, 4, "intel");
/* clang-format on */
