#include "sim/work.h"

#include <string.h>

/* What a rule takes its parts of. */
enum base {
	OF_CYCLE,
	OF_INST,        /* instructions retired */
	OF_UOP,         /* micro-operations retired */
	OF_MAPPED,      /* micro-operations mapped: with the discarded ones */
	OF_STALL,       /* cycles the map unit is stalled */
	OF_BUBBLE,      /* cycles it gets nothing */
	OF_REWIND,      /* cycles it rewinds */
	OF_DELIVERY,    /* slots empty for want of micro-operations */
	OF_STALL_SLOT,  /* slots in which nothing was mapped, */
	OF_STALL_BACK,  /* because of the back end, */
	OF_STALL_FRONT, /* or of the front end */
	BASES
};

/* Instructions per 1000 cycles. */
/* clang-format off */
static const unsigned ipc[SIM_CLASS_COUNT][WORK_ACTIVITIES] = {
	[SIM_CLASS_FAST]  = { 4200, 430, 2300, 3600, 1350 },
	[SIM_CLASS_MID]   = { 3300, 400, 1900, 2900, 1100 },
	[SIM_CLASS_SLOW]  = { 1450, 330,  950, 1250,  720 },
	[SIM_CLASS_INTEL] = { 2600, 380, 1400, 2300,  900 }
};

/*
 * Where the cycles go in which no full width retires, in thousandths; what is
 * left is narrow delivery.
 */
static const unsigned lost[WORK_ACTIVITIES][3] = {
	/* stall, bubble, discarded */
	{ 420,  90,  60 },
	{ 860,  40,  25 },
	{ 260, 210, 330 },
	{ 560,  60,  20 },
	{ 430, 330,  70 }
};

/*
 * Millionths of the base while computing, waiting for memory, branching,
 * in vector code, in the kernel. A name that ends in * is a prefix.
 */
static const struct rule {
	const char *event;
	enum base of;
	uint32_t ppm[WORK_ACTIVITIES];
} rules[] = {
	{ "FIXED_CYCLES", OF_CYCLE, { 1000000, 1000000, 1000000, 1000000, 1000000 } },
	{ "CORE_ACTIVE_CYCLE", OF_CYCLE, { 1000000, 1000000, 1000000, 1000000, 1000000 } },
	{ "FIXED_INSTRUCTIONS", OF_INST, { 1000000, 1000000, 1000000, 1000000, 1000000 } },
	{ "INST_ALL", OF_INST, { 1000000, 1000000, 1000000, 1000000, 1000000 } },

	{ "INST_BRANCH", OF_INST, { 130000, 90000, 220000, 40000, 190000 } },
	{ "INST_BRANCH_TAKEN", OF_INST, { 78000, 54000, 120000, 28000, 115000 } },
	{ "INST_BRANCH_COND", OF_INST, { 95000, 70000, 160000, 33000, 130000 } },
	{ "INST_BRANCH_CALL", OF_INST, { 9000, 5000, 18000, 2000, 20000 } },
	{ "INST_BRANCH_CALL_INDIR", OF_INST, { 1500, 800, 6000, 300, 5000 } },
	{ "INST_BRANCH_RET", OF_INST, { 9000, 5000, 18000, 2000, 20000 } },
	{ "INST_BRANCH_INDIR", OF_INST, { 12000, 7000, 30000, 3000, 28000 } },
	{ "BRANCH_MISPRED_NONSPEC", OF_INST, { 900, 1500, 9500, 300, 4200 } },
	{ "BRANCH_COND_MISPRED_NONSPEC", OF_INST, { 700, 1200, 7000, 250, 3000 } },
	{ "BRANCH_INDIR_MISPRED_NONSPEC", OF_INST, { 180, 250, 2300, 40, 1100 } },
	{ "BRANCH_CALL_INDIR_MISPRED_NONSPEC", OF_INST, { 60, 90, 900, 15, 420 } },
	{ "BRANCH_RET_INDIR_MISPRED_NONSPEC", OF_INST, { 50, 60, 500, 10, 260 } },
	{ "BRANCH_BR_INDIR_MISPRED_NONSPEC", OF_INST, { 70, 100, 900, 15, 420 } },
	{ "ARM_BR_PRED", OF_INST, { 145000, 105000, 270000, 44000, 220000 } },
	{ "ARM_BR_MIS_PRED", OF_INST, { 1100, 1900, 12000, 360, 5200 } },

	{ "INST_INT_ALU", OF_INST, { 500000, 380000, 410000, 150000, 380000 } },
	{ "INST_LDST", OF_INST, { 300000, 480000, 340000, 360000, 400000 } },
	{ "INST_INT_LD", OF_INST, { 190000, 300000, 220000, 40000, 240000 } },
	{ "INST_INT_ST", OF_INST, { 80000, 130000, 100000, 20000, 150000 } },
	{ "INST_SIMD_LD", OF_INST, { 15000, 25000, 5000, 200000, 4000 } },
	{ "INST_SIMD_ST", OF_INST, { 8000, 15000, 3000, 90000, 3000 } },
	{ "INST_SIMD_ALU", OF_INST, { 40000, 15000, 5000, 420000, 1000 } },
	{ "INST_SIMD_ALU_VEC", OF_INST, { 25000, 8000, 2000, 390000, 500 } },
	{ "INST_BARRIER", OF_INST, { 40, 60, 80, 10, 2500 } },
	{ "INST_MICROCODED", OF_INST, { 200, 300, 400, 100, 3000 } },
	{ "ATOMIC_OR_EXCLUSIVE_SUCC", OF_INST, { 400, 600, 900, 50, 5200 } },
	{ "ATOMIC_OR_EXCLUSIVE_FAIL", OF_INST, { 4, 9, 15, 1, 160 } },

	{ "LD_UNIT_UOP", OF_INST, { 225000, 350000, 250000, 250000, 260000 } },
	{ "ST_UNIT_UOP", OF_INST, { 95000, 155000, 110000, 115000, 165000 } },
	{ "L1D_CACHE_MISS_LD", OF_INST, { 2600, 46000, 6500, 9000, 9500 } },
	{ "L1D_CACHE_MISS_LD_NONSPEC", OF_INST, { 2100, 40000, 4800, 7600, 7600 } },
	{ "L1D_CACHE_MISS_ST", OF_INST, { 700, 11000, 1600, 3600, 2600 } },
	{ "L1D_CACHE_MISS_ST_NONSPEC", OF_INST, { 600, 9500, 1300, 3200, 2200 } },
	{ "L1D_CACHE_WRITEBACK", OF_INST, { 900, 17000, 1900, 5200, 3400 } },
	{ "LDST_X64_UOP", OF_INST, { 900, 2200, 1100, 5200, 800 } },
	{ "LDST_XPG_UOP", OF_INST, { 12, 40, 15, 70, 10 } },
	{ "LD_NT_UOP", OF_INST, { 30, 400, 20, 900, 60 } },
	{ "ST_NT_UOP", OF_INST, { 50, 500, 20, 1200, 200 } },
	{ "ST_MEMORY_ORDER_VIOLATION_NONSPEC", OF_INST, { 8, 30, 20, 4, 40 } },
	{ "ST_MEM_ORDER_VIOL_LD_NONSPEC", OF_INST, { 8, 30, 20, 4, 40 } },
	{ "ARM_MEM_ACCESS", OF_INST, { 320000, 505000, 360000, 365000, 425000 } },
	{ "ARM_MEM_ACCESS_RD", OF_INST, { 225000, 350000, 250000, 250000, 260000 } },
	{ "ARM_MEM_ACCESS_WR", OF_INST, { 95000, 155000, 110000, 115000, 165000 } },
	{ "ARM_MEM_ACCESS_CHECKED*", OF_INST, { 0, 0, 0, 0, 0 } },
	{ "ARM_L1D_CACHE", OF_INST, { 320000, 505000, 360000, 365000, 425000 } },
	{ "ARM_L1D_CACHE_RD", OF_INST, { 225000, 350000, 250000, 250000, 260000 } },
	{ "ARM_L1D_CACHE_REFILL", OF_INST, { 3300, 57000, 8100, 12600, 12100 } },
	{ "ARM_L1D_CACHE_LMISS_RD", OF_INST, { 2000, 38000, 5000, 7400, 7500 } },
	{ "LDST_MEM_ACCESS_CHECKED_X2K", OF_INST, { 0, 0, 0, 0, 0 } },
	{ "LDST_OLDEST_MTE_TAG_CHECK_CYCLE", OF_CYCLE, { 0, 0, 0, 0, 0 } },

	{ "L1D_TLB_ACCESS", OF_INST, { 330000, 520000, 370000, 375000, 430000 } },
	{ "L1D_TLB_MISS", OF_INST, { 500, 14000, 1500, 1600, 5200 } },
	{ "L1D_TLB_MISS_NONSPEC", OF_INST, { 380, 11500, 1100, 1300, 4200 } },
	{ "L1D_TLB_FILL", OF_INST, { 450, 13000, 1350, 1450, 4800 } },
	{ "L2_TLB_MISS_DATA", OF_INST, { 25, 2600, 110, 130, 620 } },
	{ "MMU_TABLE_WALK_DATA", OF_INST, { 30, 2900, 130, 150, 700 } },
	{ "MMU_VIRTUAL_MEMORY_FAULT_NONSPEC", OF_INST, { 1, 4, 2, 1, 20 } },
	{ "L1I_CACHE_MISS_DEMAND", OF_INST, { 250, 300, 4200, 80, 9000 } },
	{ "ARM_L1I_CACHE", OF_INST, { 160000, 140000, 240000, 130000, 260000 } },
	{ "L1I_TLB_MISS_DEMAND", OF_INST, { 40, 50, 600, 12, 1500 } },
	{ "L1I_TLB_FILL", OF_INST, { 35, 45, 520, 10, 1300 } },
	{ "L2_TLB_MISS_INSTRUCTION", OF_INST, { 3, 4, 60, 1, 210 } },
	{ "MMU_TABLE_WALK_INSTRUCTION", OF_INST, { 4, 5, 70, 2, 240 } },
	{ "FETCH_RESTART", OF_INST, { 1500, 1200, 8000, 400, 9000 } },
	{ "FLUSH_RESTART_OTHER_NONSPEC", OF_INST, { 30, 45, 60, 10, 700 } },
	{ "INTERRUPT_PENDING", OF_CYCLE, { 0, 0, 0, 0, 900 } },

	{ "RETIRE_UOP", OF_UOP, { 1000000, 1000000, 1000000, 1000000, 1000000 } },
	{ "MAP_UOP", OF_MAPPED, { 1000000, 1000000, 1000000, 1000000, 1000000 } },
	{ "DECODE_UOP", OF_MAPPED, { 1010000, 1010000, 1020000, 1005000, 1020000 } },
	{ "SCHEDULE_UOP", OF_MAPPED, { 960000, 970000, 950000, 980000, 950000 } },
	{ "MAP_INT_UOP", OF_MAPPED, { 650000, 480000, 620000, 240000, 560000 } },
	{ "MAP_LDST_UOP", OF_MAPPED, { 300000, 490000, 360000, 340000, 430000 } },
	{ "MAP_SIMD_UOP", OF_MAPPED, { 50000, 30000, 20000, 420000, 10000 } },
	{ "MAP_STALL", OF_STALL, { 1000000, 1000000, 1000000, 1000000, 1000000 } },
	{ "MAP_STALL_NONRECOVERY", OF_STALL, { 1000000, 1000000, 1000000, 1000000, 1000000 } },
	{ "MAP_STALL_DISPATCH", OF_STALL, { 700000, 900000, 600000, 800000, 600000 } },
	{ "MAP_REWIND", OF_REWIND, { 1000000, 1000000, 1000000, 1000000, 1000000 } },
	{ "MAP_RECOVERY", OF_REWIND, { 1000000, 1000000, 1000000, 1000000, 1000000 } },
	{ "MAP_DISPATCH_BUBBLE", OF_BUBBLE, { 1000000, 1000000, 1000000, 1000000, 1000000 } },
	{ "MAP_DISPATCH_BUBBLE_IC", OF_BUBBLE, { 150000, 200000, 350000, 100000, 500000 } },
	{ "MAP_DISPATCH_BUBBLE_ITLB", OF_BUBBLE, { 20000, 30000, 60000, 10000, 90000 } },
	{ "MAP_DISPATCH_BUBBLE_SLOT", OF_DELIVERY, { 1000000, 1000000, 1000000, 1000000, 1000000 } },
	{ "MAP_DISPATCH_BUBBLE_TAKENBR_SLOT", OF_DELIVERY, { 120000, 60000, 200000, 40000, 150000 } },
	{ "SCHEDULE_EMPTY", OF_CYCLE, { 20000, 60000, 90000, 20000, 80000 } },
	{ "SCHEDULE_UOP_ANY", OF_CYCLE, { 780000, 250000, 620000, 760000, 480000 } },
	{ "LDST_UNIT_OLD_L1D_CACHE_MISS", OF_STALL, { 350000, 850000, 400000, 450000, 500000 } },
	{ "LDST_UNIT_WAITING_OLD_L1D_CACHE_MISS", OF_STALL, { 280000, 780000, 320000, 360000, 420000 } },
	{ "LD_UNIT_WAITING_YOUNG_L1D_CACHE_MISS", OF_STALL, { 50000, 60000, 70000, 60000, 60000 } },
	{ "ARM_STALL_BACKEND", OF_STALL, { 800000, 900000, 700000, 800000, 700000 } },
	{ "ARM_STALL_FRONTEND", OF_BUBBLE, { 900000, 900000, 900000, 900000, 900000 } },
	{ "ARM_STALL", OF_STALL, { 850000, 920000, 800000, 850000, 800000 } },
	{ "ARM_STALL_SLOT_BACKEND", OF_STALL_BACK, { 1000000, 1000000, 1000000, 1000000, 1000000 } },
	{ "ARM_STALL_SLOT_FRONTEND", OF_STALL_FRONT, { 1000000, 1000000, 1000000, 1000000, 1000000 } },
	{ "ARM_STALL_SLOT", OF_STALL_SLOT, { 1000000, 1000000, 1000000, 1000000, 1000000 } },

	{ "PL2_CACHE_ACCESS", OF_INST, { 3700, 61820, 12820, 13260, 22700 } },
	{ "PL2_CACHE_ACCESS_LD", OF_INST, { 2700, 47000, 6700, 9300, 9800 } },
	{ "PL2_CACHE_ACCESS_ST", OF_INST, { 700, 11200, 1600, 3700, 2700 } },
	{ "PL2_CACHE_ACCESS_INSTRUCTION", OF_INST, { 260, 320, 4300, 90, 9200 } },
	{ "PL2_CACHE_ACCESS_MMU", OF_INST, { 40, 3300, 220, 170, 1000 } },
	{ "PL2_CACHE_MISS", OF_INST, { 410, 27130, 1085, 2125, 2240 } },
	{ "PL2_CACHE_MISS_LD", OF_INST, { 300, 21000, 700, 1500, 1300 } },
	{ "PL2_CACHE_MISS_ST", OF_INST, { 90, 5200, 170, 600, 380 } },
	{ "PL2_CACHE_MISS_INSTRUCTION", OF_INST, { 15, 30, 190, 5, 450 } },
	{ "PL2_CACHE_MISS_MMU", OF_INST, { 5, 900, 25, 20, 110 } },
	{ "LD_SRC_PL2_CACHE_NONSPEC", OF_INST, { 1700, 19000, 3900, 5900, 6000 } },
	{ "LD_SRC_LL_CACHE_NONSPEC", OF_INST, { 220, 9000, 500, 900, 900 } },
	{ "LD_SRC_MEMSYS_NONSPEC", OF_INST, { 100, 10500, 180, 600, 350 } },
	{ "LD_SRC_CORE_SAMECLUSTER_NONSPEC", OF_INST, { 40, 500, 120, 90, 200 } },
	{ "LD_SRC_OTHERCLUSTER_NONSPEC", OF_INST, { 20, 400, 60, 50, 100 } },
	{ "LD_SRC_STORE_NONSPEC", OF_INST, { 12000, 9000, 15000, 6000, 18000 } },
	{ "LD_SRC_*", OF_INST, { 0, 0, 0, 0, 0 } }, /* other dies */

	{ "INST_SME_ENGINE_ALU", OF_INST, { 0, 0, 0, 12000, 0 } },
	{ "INST_SME_ENGINE_LD", OF_INST, { 0, 0, 0, 5000, 0 } },
	{ "INST_SME_ENGINE_ST", OF_INST, { 0, 0, 0, 3000, 0 } },
	{ "INST_SME_ENGINE_SCALARFP", OF_INST, { 0, 0, 0, 500, 0 } },
	{ "INST_SME_ENGINE_PACKING_FUSED", OF_INST, { 0, 0, 0, 4000, 0 } },
	{ "MAP_INT_SME_UOP", OF_INST, { 0, 0, 0, 8000, 0 } },
	{ "CORE_WAITING_SME_ENGINE_CYCLE", OF_STALL, { 0, 0, 0, 60000, 0 } },
	{ "SCHEDULE_WAITING_SME_ENGINE_REG_DATA", OF_STALL, { 0, 0, 0, 20000, 0 } },
	{ "LDST_UNIT_WAITING_SME_ENGINE_INST_QUEUE_FULL", OF_STALL, { 0, 0, 0, 30000, 0 } },
	{ "LDST_UNIT_WAITING_SME_ENGINE_MEM_DATA", OF_STALL, { 0, 0, 0, 15000, 0 } },
	{ "SME_ENGINE_SM_ENABLE", OF_CYCLE, { 0, 0, 0, 60, 0 } },
	{ "SME_ENGINE_SM_ZA_ENABLE", OF_CYCLE, { 0, 0, 0, 40, 0 } },
	{ "SME_ENGINE_ZA_ENABLED_SM_DISABLED", OF_CYCLE, { 0, 0, 0, 500, 0 } },
	{ "LD_SME_NORMAL_UOP", OF_INST, { 0, 0, 0, 4800, 0 } },
	{ "LD_SME_NT_UOP", OF_INST, { 0, 0, 0, 300, 0 } },
	{ "ST_SME_NORMAL_UOP", OF_INST, { 0, 0, 0, 2900, 0 } },
	{ "ST_SME_NT_UOP", OF_INST, { 0, 0, 0, 200, 0 } },
	{ "LDST_SME_XPG_UOP", OF_INST, { 0, 0, 0, 20, 0 } },
	{ "LDST_SME_PRED_INACTIVE", OF_INST, { 0, 0, 0, 30, 0 } },
	{ "LD_SME_MEM_ORDER_VIOL_LD_NONSPEC", OF_INST, { 0, 0, 0, 3, 0 } },
	{ "ST_SME_MEM_ORDER_VIOL_LD_NONSPEC", OF_INST, { 0, 0, 0, 2, 0 } },
	{ "LD_BLOCKED_BY_SME_LDST", OF_INST, { 0, 0, 0, 10, 0 } },
	{ "ST_BARRIER_BLOCKED_BY_SME_LDST", OF_INST, { 0, 0, 0, 5, 0 } },

	/* Intel: what has a plain meaning; the rest by the rule for all. */
	{ "INST_RETIRED.*", OF_INST, { 1000000, 1000000, 1000000, 1000000, 1000000 } },
	{ "CPU_CLK_UNHALTED.*", OF_CYCLE, { 1000000, 1000000, 1000000, 1000000, 1000000 } },
	{ "BR_INST_RETIRED.ALL*", OF_INST, { 130000, 90000, 220000, 40000, 190000 } },
	{ "BR_MISP_RETIRED.ALL*", OF_INST, { 900, 1500, 9500, 300, 4200 } },
	{ "MEM_LOAD_RETIRED.L1_MISS", OF_INST, { 2100, 40000, 4800, 7600, 7600 } }
};
/* clang-format on */

/* Micro-operations per instruction, in hundredths. */
#define UOPS_PCT 106u
#define ONE (1u << 20)

/* The bases of one activity, per cycle, times 2^20. */
static void
bases_of(const struct sim_kind *kind, unsigned a, uint32_t *q20)
{
	const unsigned *l = lost[a];
	uint32_t inst = (uint32_t)((uint64_t)ipc[kind->class][a] * ONE / 1000);
	uint32_t uop = (uint32_t)((uint64_t)inst * UOPS_PCT / 100);
	uint64_t rest = ONE - uop / kind->width;

	q20[OF_CYCLE] = ONE;
	q20[OF_INST] = inst;
	q20[OF_UOP] = uop;
	q20[OF_STALL] = (uint32_t)(rest * l[0] / 1000);
	q20[OF_BUBBLE] = (uint32_t)(rest * l[1] / 1000);
	q20[OF_REWIND] = (uint32_t)(rest * l[2] / 2000);
	q20[OF_MAPPED] = uop + q20[OF_REWIND] * kind->width;
	q20[OF_DELIVERY] =
		(uint32_t)(rest * (1000 - l[0] - l[2]) / 1000) * kind->width;
	q20[OF_STALL_BACK] = q20[OF_STALL] * kind->width;
	q20[OF_STALL_SLOT] = ONE * kind->width - q20[OF_MAPPED];
	q20[OF_STALL_FRONT] = q20[OF_STALL_SLOT] - q20[OF_STALL_BACK];
}

static const struct rule *
rule_find(const char *event)
{
	for (unsigned i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
		const char *name = rules[i].event;
		size_t len = strlen(name);
		if (name[len - 1] == '*' ? strncmp(name, event, len - 1) == 0
					 : strcmp(name, event) == 0)
			return &rules[i];
	}
	return NULL;
}

bool
work_rate_known(const char *event)
{
	return rule_find(event) != NULL;
}

bool
work_rate_of(const struct sim_kind *kind, const char *event, bool recovery,
	     struct work_rate *out)
{
	static const struct rule other = { "",
					   OF_INST,
					   { 1000, 1000, 1000, 1000, 1000 } };
	const struct rule *rule = rule_find(event), *r = rule;

	if (r == NULL)
		r = &other;
	for (unsigned a = 0; a < WORK_ACTIVITIES; a++) {
		uint32_t q20[BASES];
		bases_of(kind, a, q20);
		out->q20[a] =
			(uint32_t)((uint64_t)q20[r->of] * r->ppm[a] / 1000000);
		if (recovery && strcmp(r->event, "MAP_STALL") == 0)
			out->q20[a] += q20[OF_REWIND];
	}
	return rule != NULL;
}
