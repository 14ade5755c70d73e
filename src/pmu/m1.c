/* M1 and A14. */
#include "pmu/table.h"

/* clang-format off */
static const struct pmu_event events_m1[] = {
	FIXED(0, "FIXED_CYCLES", "Cycles", NULL,
	      "core clock cycles, fixed counter 0"),
	FIXED(1, "FIXED_INSTRUCTIONS", "Instructions", "INST_ALL",
	      "instructions retired, fixed counter 1"),
	EV("ATOMIC_OR_EXCLUSIVE_FAIL", 0xb4, ANY, "atomics/exclusives lost to contention"),
	EV("ATOMIC_OR_EXCLUSIVE_SUCC", 0xb3, ANY, "atomics/exclusives that succeeded"),
	EV("BRANCH_CALL_INDIR_MISPRED_NONSPEC", 0xca, C5_7, "retired indirect calls mispredicted"),
	EV("BRANCH_COND_MISPRED_NONSPEC", 0xc5, C5_7, "retired conditional branches mispredicted"),
	EV("BRANCH_INDIR_MISPRED_NONSPEC", 0xc6, C5_7,
	   "retired indirect branches (calls, returns too) mispredicted"),
	EV("BRANCH_MISPRED_NONSPEC", 0xcb, C5_7, "retired branches of any kind mispredicted"),
	EV("BRANCH_RET_INDIR_MISPRED_NONSPEC", 0xc8, C5_7, "retired returns mispredicted"),
	EV("CORE_ACTIVE_CYCLE", 0x02, ANY, "core clock cycles while not asleep"),
	EV("FETCH_RESTART", 0xde, ANY, "fetch unit restarts, mispredictions excluded"),
	EV("FLUSH_RESTART_OTHER_NONSPEC", 0x84, ANY,
	   "pipeline flushes not from branches or memory order"),
	EV("INST_ALL", 0x8c, C7, "instructions retired"),
	EV("INST_BARRIER", 0x9c, C5_7, "data barriers retired"),
	EV("INST_BRANCH", 0x8d, C5_7, "branches retired (calls and returns too)"),
	EV("INST_BRANCH_CALL", 0x8e, C5_7, "calls retired"),
	EV("INST_BRANCH_COND", 0x94, C5_7, "conditional branches retired (before M4 only B.cond)"),
	EV("INST_BRANCH_INDIR", 0x93, C5_7, "indirect branches retired"),
	EV("INST_BRANCH_RET", 0x8f, C5_7, "returns retired"),
	EV("INST_BRANCH_TAKEN", 0x90, C5_7, "taken branches retired"),
	EV("INST_INT_ALU", 0x97, C7,
	   "integer instructions retired that are no branch, load or store"),
	EV("INST_INT_LD", 0x95, C5_7, "integer loads retired"),
	EV("INST_INT_ST", 0x96, C7, "integer stores retired (no DC ZVA)"),
	EV("INST_LDST", 0x9b, C7, "loads and stores retired (no DC ZVA)"),
	EV("INST_SIMD_ALU", 0x9a, C7, "SIMD/FP compute instructions retired"),
	EV("INST_SIMD_LD", 0x98, C5_7, "SIMD/FP loads retired"),
	EV("INST_SIMD_ST", 0x99, C5_7, "SIMD/FP stores retired"),
	EV("INTERRUPT_PENDING", 0x6c, ANY, "cycles with an interrupt held off by masking"),
	EV("L1D_CACHE_MISS_LD", 0xa3, ANY, "load misses in L1D, speculative ones too"),
	EV("L1D_CACHE_MISS_LD_NONSPEC", 0xbf, C5_7, "retired loads that missed L1D"),
	EV("L1D_CACHE_MISS_ST", 0xa2, ANY, "store misses in L1D, speculative ones too"),
	EV("L1D_CACHE_MISS_ST_NONSPEC", 0xc0, C5_7, "retired stores that missed L1D"),
	EV("L1D_CACHE_WRITEBACK", 0xa8, ANY, "dirty lines written back from L1D"),
	EV("L1D_TLB_ACCESS", 0xa0, ANY, "lookups in the L1 data TLB"),
	EV("L1D_TLB_FILL", 0x05, ANY, "fills of the L1 data TLB"),
	EV("L1D_TLB_MISS", 0xa1, ANY, "misses in the L1 data TLB, speculative ones too"),
	EV("L1D_TLB_MISS_NONSPEC", 0xc1, C5_7, "retired accesses that missed the L1 data TLB"),
	EV("L1I_CACHE_MISS_DEMAND", 0xdb, ANY, "demand fetch misses that fill an L1I line"),
	EV("L1I_TLB_FILL", 0x04, ANY, "fills of the L1 instruction TLB"),
	EV("L1I_TLB_MISS_DEMAND", 0xd4, ANY, "demand fetch misses in the L1 instruction TLB"),
	EV("L2_TLB_MISS_DATA", 0x0b, ANY, "data misses in the L2 TLB"),
	EV("L2_TLB_MISS_INSTRUCTION", 0x0a, ANY, "fetch misses in the L2 TLB"),
	EV("LDST_X64_UOP", 0xb1, ANY, "accesses that cross a 64-byte line"),
	EV("LDST_XPG_UOP", 0xb2, ANY, "accesses that cross a 16 KiB page"),
	EV("LD_NT_UOP", 0xe6, ANY, "non-temporal load uops"),
	EV("LD_UNIT_UOP", 0xa6, ANY, "uops through the load unit"),
	EV("MAP_DISPATCH_BUBBLE", 0xd6, ANY, "cycles the map unit got no uop while not stalled"),
	EV("MAP_INT_UOP", 0x7c, ANY, "integer uops mapped"),
	EV("MAP_LDST_UOP", 0x7d, ANY, "load/store uops mapped"),
	EV("MAP_REWIND", 0x75, ANY, "cycles map is blocked rewinding after a flush"),
	EV("MAP_SIMD_UOP", 0x7e, ANY, "SIMD/FP uops mapped"),
	EV("MAP_STALL", 0x76, ANY, "cycles the map unit is stalled"),
	EV("MAP_STALL_DISPATCH", 0x70, ANY, "of these: from dispatch back-pressure"),
	EV("MMU_TABLE_WALK_DATA", 0x08, ANY, "table-walk requests for data"),
	EV("MMU_TABLE_WALK_INSTRUCTION", 0x07, ANY, "table-walk requests for fetch"),
	EV("MMU_VIRTUAL_MEMORY_FAULT_NONSPEC", 0x0d, ANY,
	   "retired accesses that faulted in the MMU"),
	EV("RETIRE_UOP", 0x01, C7, "uops retired"),
	EV("SCHEDULE_EMPTY", 0x51, ANY, "cycles the schedulers hold no uop"),
	EV("SCHEDULE_UOP", 0x52, ANY, "uops issued by the schedulers"),
	EV("ST_MEMORY_ORDER_VIOLATION_NONSPEC", 0xc4, C5_7,
	   "retired stores that broke memory order"),
	EV("ST_MEM_ORDER_VIOL_LD_NONSPEC", 0xc4, C5_7,
	   "retired stores that broke memory order with a load"),
	EV("ST_NT_UOP", 0xe5, ANY, "non-temporal store uops"),
	EV("ST_UNIT_UOP", 0xa7, ANY, "uops through the store unit"),
};

/* xnu cpc_arm64_events.c, macOS 15.4; the same for all chips of the family. */
static const uint16_t allowed_m1[] = {
	0x01, 0x02, 0x04, 0x05, 0x07, 0x08, 0x0a, 0x0b, 0x0d, 0x52,
	0x6c, 0x70, 0x75, 0x76, 0x7c, 0x7d, 0x7e, 0x84, 0x8c, 0x8d,
	0x8e, 0x8f, 0x90, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99,
	0x9a, 0x9b, 0x9c, 0xa0, 0xa1, 0xa2, 0xa3, 0xa6, 0xa7, 0xa8,
	0xb1, 0xb2, 0xb3, 0xb4, 0xbf, 0xc0, 0xc1, 0xc4, 0xc5, 0xc6,
	0xc8, 0xca, 0xcb, 0xd4, 0xd6, 0xdb, 0xde, 0xe5, 0xe6,
};

#define M1 \
	APPLE_COUNTERS, \
	.generation = "M1", .counter_bits = 47, .event_bits = 8, \
	.exact_topdown = true, \
	.events = events_m1, .nevents = COUNT(events_m1), \
	.allowed = allowed_m1, .nallowed = COUNT(allowed_m1)

const struct pmu pmu_m1[] = {
	{
		.db = "a14", .marketing = "Apple A14/M1",
		.chip = {
			{ "cpu_100000c_2_1b588bb3", 0x1b588bb3, "Firestorm/Icestorm", "A14, M1, M1 Pro, M1 Max, M1 Ultra" },
		},
		.map_width_p = 8, .map_width_e = 4,
		M1
	},
	{ .db = NULL },
};
/* clang-format on */
