/* A table: events of AMD Zen on Linux. Cycles and instructions take two of six
 * general counters. Codes are those of the kernel's pmu-events. */
#include "pmu/perf/table.h"
#include "pmu/table.h"

/* clang-format off */
#define BRANCHES \
	{ .name = "INST_BRANCH", .native = "event=0xc2", .text = "branches retired" }, \
	{ .name = "BRANCH_MISPRED_NONSPEC", .native = "event=0xc3", .text = "retired branches of any kind mispredicted" }, \
	{ .name = "INST_BRANCH_TAKEN", .native = "event=0xc4", .text = "taken branches retired" }
#define FILLS \
	{ .name = "L1D_FILL", .native = "event=0x44,umask=0xff", \
	  .text = "L1D fills from anywhere, for loads, stores and prefetches: no retired misses" }, \
	{ .name = "DRAM_FILL", .native = "event=0x44,umask=0x48", .text = "L1D fills from memory, near or far" }, \
	{ .name = "L1D_ACCESS", .native = "event=0x29,umask=0x07", .text = "loads and stores dispatched, wrong paths too" }
#define L2(refs) \
	{ .name = "L2_MISS", .native = "event=0x64,umask=0x09", .text = "L1 misses, of code and data, that missed L2" }, \
	{ .name = "L2_REF", .native = refs, .text = "requests to L2" }
#define WALKS(code) \
	{ .name = "L2_TLB_MISS_DATA", .alias = "MMU_TABLE_WALK_DATA", .native = "event=0x45,umask=0xf0", \
	  .text = "data accesses that missed the L2 TLB: table walks, wrong paths too" }, \
	{ .name = "L1D_TLB_FILL", .native = "event=0x45,umask=0xff", .text = "L1 data TLB misses reloaded, from the L2 TLB or a walk" }, \
	{ .name = "L2_TLB_MISS_INSTRUCTION", .alias = "MMU_TABLE_WALK_INSTRUCTION", .native = code, \
	  .text = "fetches that missed the L2 TLB: table walks" }, \
	{ .name = "L1I_TLB_HIT_L2", .native = "event=0x84", .text = "fetches that missed the L1 TLB and hit the L2 TLB" }
#define L1I \
	{ .name = "L1I_CACHE_MISS_DEMAND", .native = "event=0x18e,umask=0x18", .text = "instruction cache misses" }, \
	{ .name = "L1I_ACCESS", .native = "event=0x18e,umask=0x1f", .text = "instruction cache look-ups" }
#define SLOTS(width) \
	{ .name = "SLOT_TOTAL", .how = LINUX_CYCLES_TIMES, .config = width, \
	  .text = "dispatch slots: the cycles times the width; with SMT the other thread's too" }, \
	{ .name = "SLOT_USEFUL", .alias = "RETIRE_UOP", .native = "event=0xc1", .text = "macro-ops retired" }, \
	{ .name = "SLOT_DELIVERY", .native = "event=0x1a0,umask=0x01", .text = "slots empty because the front end brought nothing" }, \
	{ .name = "SLOT_PROCESSING", .native = "event=0x1a0,umask=0x1e", .text = "slots empty because the back end stalled" }, \
	{ .name = "SLOT_SMT", .native = "event=0x1a0,umask=0x60", .text = "slots the other thread of the core had" }, \
	{ .name = "SLOT_DISPATCHED", .native = "event=0xaa,umask=0x07", .text = "macro-ops dispatched, wrong paths too" }, \
	{ .name = "SLOT_OTHER_THREAD", .how = LINUX_NOTHING, .smt = LINUX_SMT_ONLY, \
	  .text = "not counted: what useful, discarded, delivery and processing leave" }

static const struct linux_event zen1[] = { BRANCHES };
static const struct linux_event zen2[] = {
	BRANCHES, L2("event=0x60,umask=0xf9"), WALKS("event=0x85,umask=0xff"),
	{ .name = "L1D_FILL", .native = "event=0x60,umask=0xc8", .text = "L2 requests because of L1D misses: no retired misses" },
	{ .name = "L1D_ACCESS", .native = "event=0x40", .text = "L1D accesses, wrong paths too" },
	{ .name = "L1I_CACHE_MISS_DEMAND", .native = "event=0x81", .text = "instruction cache misses (fetches of 32 bytes)" },
	{ .name = "L1I_ACCESS", .native = "event=0x80", .text = "instruction cache fetches of 32 bytes" },
	{ .name = "MAP_DISPATCH_BUBBLE", .native = "@stalled-cycles-frontend", .text = "cycles the front end brought nothing" },
};
static const struct linux_event zen3[] = {
	BRANCHES, FILLS, L2("event=0x60,umask=0xf9"), WALKS("event=0x85,umask=0xff"), L1I,
	{ .name = "MAP_DISPATCH_BUBBLE", .native = "@stalled-cycles-frontend", .text = "cycles the front end brought nothing" },
};
static const struct linux_event zen4[] = {
	BRANCHES, FILLS, L2("event=0x60,umask=0xf9"), WALKS("event=0x85,umask=0x0f"), L1I, SLOTS(6),
};
static const struct linux_event zen5[] = {
	BRANCHES, FILLS, L2("event=0x60,umask=0xf1"), WALKS("event=0x85,umask=0x0f"), L1I, SLOTS(8),
};
/* Like Zen 5, but without look-ups of the instruction cache (amdzen6). */
static const struct linux_event zen6[] = {
	BRANCHES, FILLS, L2("event=0x60,umask=0xf1"), WALKS("event=0x85,umask=0x0f"), SLOTS(8),
};

#define ZEN(n) \
	{ .name = "zen" #n, .cycles = "event=0x76", .instructions = "event=0xc0", .counters = 4, .no_fixed = true, \
	  .events = zen##n, .nevents = COUNT(zen##n) }

const struct linux_pmu linux_zen1 = ZEN(1);
const struct linux_pmu linux_zen2 = ZEN(2);
const struct linux_pmu linux_zen3 = ZEN(3);
const struct linux_pmu linux_zen4 = ZEN(4);
const struct linux_pmu linux_zen5 = ZEN(5);
const struct linux_pmu linux_zen6 = ZEN(6);
/* clang-format on */
