/* M1 and A14. */
#include "pmu/table.h"

/* clang-format off */
static const struct pmu_event events_m1[] = {
	APPLE_FIXED,
	EV(ATOMIC_OR_EXCLUSIVE_FAIL, 0xb4, ANY),
	EV(ATOMIC_OR_EXCLUSIVE_SUCC, 0xb3, ANY),
	EV(BRANCH_CALL_INDIR_MISPRED_NONSPEC, 0xca, C5_7),
	EV(BRANCH_COND_MISPRED_NONSPEC, 0xc5, C5_7),
	EV(BRANCH_INDIR_MISPRED_NONSPEC, 0xc6, C5_7),
	EV(BRANCH_MISPRED_NONSPEC, 0xcb, C5_7),
	EV(BRANCH_RET_INDIR_MISPRED_NONSPEC, 0xc8, C5_7),
	EV(CORE_ACTIVE_CYCLE, 0x02, ANY),
	EV(FETCH_RESTART, 0xde, ANY),
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
	EV(INST_SIMD_LD, 0x98, C5_7),
	EV(INST_SIMD_ST, 0x99, C5_7),
	EV(INTERRUPT_PENDING, 0x6c, ANY),
	EV(L1D_CACHE_MISS_LD, 0xa3, ANY),
	EV(L1D_CACHE_MISS_LD_NONSPEC, 0xbf, C5_7),
	EV(L1D_CACHE_MISS_ST, 0xa2, ANY),
	EV(L1D_CACHE_MISS_ST_NONSPEC, 0xc0, C5_7),
	EV(L1D_CACHE_WRITEBACK, 0xa8, ANY),
	EV(L1D_TLB_ACCESS, 0xa0, ANY),
	EV(L1D_TLB_FILL, 0x05, ANY),
	EV(L1D_TLB_MISS, 0xa1, ANY),
	EV(L1D_TLB_MISS_NONSPEC, 0xc1, C5_7),
	EV(L1I_CACHE_MISS_DEMAND, 0xdb, ANY),
	EV(L1I_TLB_FILL, 0x04, ANY),
	EV(L1I_TLB_MISS_DEMAND, 0xd4, ANY),
	EV(L2_TLB_MISS_DATA, 0x0b, ANY),
	EV(L2_TLB_MISS_INSTRUCTION, 0x0a, ANY),
	EV(LDST_X64_UOP, 0xb1, ANY),
	EV(LDST_XPG_UOP, 0xb2, ANY),
	EV(LD_NT_UOP, 0xe6, ANY),
	EV(LD_UNIT_UOP, 0xa6, ANY),
	EV(MAP_DISPATCH_BUBBLE, 0xd6, ANY),
	EV(MAP_INT_UOP, 0x7c, ANY),
	EV(MAP_LDST_UOP, 0x7d, ANY),
	EV(MAP_REWIND, 0x75, ANY),
	EV(MAP_SIMD_UOP, 0x7e, ANY),
	EV(MAP_STALL, 0x76, ANY),
	EV(MAP_STALL_DISPATCH, 0x70, ANY),
	EV(MMU_TABLE_WALK_DATA, 0x08, ANY),
	EV(MMU_TABLE_WALK_INSTRUCTION, 0x07, ANY),
	EV(MMU_VIRTUAL_MEMORY_FAULT_NONSPEC, 0x0d, ANY),
	EV(RETIRE_UOP, 0x01, C7),
	EV(SCHEDULE_EMPTY, 0x51, ANY),
	EV(SCHEDULE_UOP, 0x52, ANY),
	EV(ST_MEMORY_ORDER_VIOLATION_NONSPEC, 0xc4, C5_7),
	EV(ST_MEM_ORDER_VIOL_LD_NONSPEC, 0xc4, C5_7),
	EV(ST_NT_UOP, 0xe5, ANY),
	EV(ST_UNIT_UOP, 0xa7, ANY),
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
