#include "pmu/table.h"

/* clang-format off */
static const struct pmu_event events_m3[] = {
	APPLE_FIXED,
	EV(ATOMIC_OR_EXCLUSIVE_FAIL, 0x5b4, ANY),
	EV(ATOMIC_OR_EXCLUSIVE_SUCC, 0x5b3, ANY),
	EV(BRANCH_CALL_INDIR_MISPRED_NONSPEC, 0xca, C5_7),
	EV(BRANCH_COND_MISPRED_NONSPEC, 0xc5, C5_7),
	EV(BRANCH_INDIR_MISPRED_NONSPEC, 0xc6, C5_7),
	EV(BRANCH_MISPRED_NONSPEC, 0xcb, C5_7),
	EV(BRANCH_RET_INDIR_MISPRED_NONSPEC, 0xc8, C5_7),
	EV(CORE_ACTIVE_CYCLE, 0x02, ANY),
	EV(DECODE_UOP, 0x186, ANY),
	EV(FETCH_RESTART, 0x1de, ANY),
	EV(FLUSH_RESTART_OTHER_NONSPEC, 0x84, ANY),
	EV(INST_ALL, 0x8c, C7),
	EV(INST_BARRIER, 0x9c, C5_7),
	EV(INST_BRANCH, 0x8d, C5_7),
	EV(INST_BRANCH_CALL, 0x8e, C5_7),
	EV_NARROW(INST_BRANCH_COND, 0x94, C5_7),
	EV(INST_BRANCH_INDIR, 0x93, C5_7),
	EV(INST_BRANCH_RET, 0x8f, C5_7),
	EV(INST_BRANCH_TAKEN, 0x90, C5_7),
	EV(INST_INT_ALU, 0x97, C7),
	EV(INST_INT_LD, 0x95, C5_7),
	EV(INST_INT_ST, 0x96, C7),
	EV(INST_LDST, 0x9b, C7),
	EV(INST_SIMD_ALU, 0x9a, C7),
	EV(INST_SIMD_ALU_VEC, 0x9f, C7),
	EV(INST_SIMD_LD, 0x98, C5_7),
	EV(INST_SIMD_ST, 0x99, C5_7),
	EV(INTERRUPT_PENDING, 0x26c, ANY),
	EV(L1D_CACHE_MISS_LD, 0x5a3, ANY),
	EV(L1D_CACHE_MISS_LD_NONSPEC, 0xbf, C5_7),
	EV(L1D_CACHE_MISS_ST, 0x5a2, ANY),
	EV(L1D_CACHE_MISS_ST_NONSPEC, 0xc0, C5_7),
	EV(L1D_CACHE_WRITEBACK, 0x5a8, ANY),
	EV(L1D_TLB_ACCESS, 0x5a0, ANY),
	EV(L1D_TLB_FILL, 0x405, ANY),
	EV(L1D_TLB_MISS, 0x5a1, ANY),
	EV(L1D_TLB_MISS_NONSPEC, 0xc1, C5_7),
	EV(L1I_CACHE_MISS_DEMAND, 0x1db, ANY),
	EV(L1I_TLB_FILL, 0x404, ANY),
	EV(L1I_TLB_MISS_DEMAND, 0x1d4, ANY),
	EV(L2_TLB_MISS_DATA, 0x40b, ANY),
	EV(L2_TLB_MISS_INSTRUCTION, 0x40a, ANY),
	EV(LDST_UNIT_OLD_L1D_CACHE_MISS, 0x290, ANY),
	EV(LDST_UNIT_WAITING_OLD_L1D_CACHE_MISS, 0x291, ANY),
	EV(LDST_X64_UOP, 0x5b1, ANY),
	EV(LDST_XPG_UOP, 0x5b2, ANY),
	EV(LD_NT_UOP, 0x5e6, ANY),
	EV(LD_UNIT_UOP, 0x5a6, ANY),
	EV(MAP_DISPATCH_BUBBLE, 0x1d6, ANY),
	EV(MAP_DISPATCH_BUBBLE_IC, 0x182, ANY),
	EV(MAP_DISPATCH_BUBBLE_ITLB, 0x183, ANY),
	EV(MAP_INT_UOP, 0x27c, ANY),
	EV(MAP_LDST_UOP, 0x27d, ANY),
	EV(MAP_REWIND, 0x275, ANY),
	EV(MAP_SIMD_UOP, 0x27e, ANY),
	EV(MAP_STALL, 0x276, ANY),
	EV(MAP_STALL_DISPATCH, 0x270, ANY),
	EV(MAP_UOP, 0x269, ANY),
	EV(MMU_TABLE_WALK_DATA, 0x408, ANY),
	EV(MMU_TABLE_WALK_INSTRUCTION, 0x407, ANY),
	EV(MMU_VIRTUAL_MEMORY_FAULT_NONSPEC, 0x40d, ANY),
	EV(RETIRE_UOP, 0x01, C7),
	EV(SCHEDULE_EMPTY, 0x351, ANY),
	EV(SCHEDULE_UOP_ANY, 0x283, ANY),
	EV(ST_MEMORY_ORDER_VIOLATION_NONSPEC, 0xc4, C5_7),
	EV(ST_MEM_ORDER_VIOL_LD_NONSPEC, 0xc4, C5_7),
	EV(ST_NT_UOP, 0x5e5, ANY),
	EV(ST_UNIT_UOP, 0x5a7, ANY),
};

/* Allow-list in xnu cpc_arm64_events.c (macOS 15.4) for chips of the family. */
static const uint16_t allowed_m3[] = {
	0x01, 0x02, 0x84, 0x8c, 0x8d, 0x8e, 0x8f, 0x90, 0x93, 0x94,
	0x95, 0x96, 0x97, 0x98, 0x99, 0x9a, 0x9b, 0x9c, 0xbf, 0xc0,
	0xc1, 0xc4, 0xc5, 0xc6, 0xc8, 0xca, 0xcb, 0x182, 0x183, 0x1d4,
	0x1d6, 0x1db, 0x1de, 0x269, 0x26c, 0x270, 0x275, 0x276, 0x27c, 0x27d,
	0x27e, 0x404, 0x405, 0x407, 0x408, 0x40a, 0x40b, 0x40d, 0x5a0, 0x5a1,
	0x5a2, 0x5a3, 0x5a6, 0x5a7, 0x5a8, 0x5b1, 0x5b2, 0x5b3, 0x5b4, 0x5e5,
	0x5e6,
};

#define M3 \
	APPLE_COUNTERS, \
	.generation = "M3", .counter_bits = 63, .event_bits = 16, \
	.events = events_m3, .nevents = COUNT(events_m3), \
	.allowed = allowed_m3, .nallowed = COUNT(allowed_m3)

const struct pmu pmu_m3[] = {
	{
		.db = "a16", .marketing = "Apple A16",
		.cpu = { "cpu_100000c_2_8765edea" }, /* A16 */
		.map_width_p = 8, .map_width_e = 4,
		M3
	},
	{
		.db = "as1", .marketing = "Apple silicon",
		.cpu = { "cpu_100000c_2_fa33415e" }, /* M3 */
		.map_width_p = 9, .map_width_e = 5,
		M3
	},
	{
		.db = "as2", .marketing = "Apple silicon",
		.cpu = { "cpu_100000c_2_2876f5b5" }, /* A17 Pro */
		.map_width_p = 9, .map_width_e = 5,
		M3
	},
	{
		.db = "as3", .marketing = "Apple silicon",
		.cpu = {
			"cpu_100000c_2_5f4dea93", /* M3 Pro */
			"cpu_100000c_2_72015832", /* M3 Max, M3 Ultra */
		},
		.map_width_p = 9, .map_width_e = 5,
		M3
	},
	{ .db = NULL },
};
/* clang-format on */
