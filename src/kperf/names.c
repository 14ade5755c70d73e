#include "kperf/inside.h"

#include <stddef.h>
#include <string.h>

/* clang-format off */
enum {
	M1 = 1 << KPS_CHIP_M1, M3 = 1 << KPS_CHIP_M3, M4 = 1 << KPS_CHIP_M4,
	M5_UP = 1 << KPS_CHIP_M5,
	M4_UP = M4 | M5_UP,
	M3_UP = M3 | M4_UP,
	M2_UP = 1 << KPS_CHIP_M2 | M3_UP,
	ALL = M1 | M2_UP
};

#define NAME(name, unit, chips, event) { name, event, NULL, chips, KPS_UNIT_##unit }
#define RENAMED(name, unit, chips, event, event_m1) { name, event, event_m1, chips, KPS_UNIT_##unit }

static const struct kperf_name kperf_names[] = {
	NAME("ArmBrMisPred", BRANCH_MISSES, M4_UP, "ARM_BR_MIS_PRED"),
	NAME("ArmBrPred", COUNTS, M4_UP, "ARM_BR_PRED"),
	NAME("ArmL1DCache", COUNTS, M4_UP, "ARM_L1D_CACHE"),
	NAME("ArmL1DCacheLmissRd", COUNTS, M4_UP, "ARM_L1D_CACHE_LMISS_RD"),
	NAME("ArmL1DCacheRd", COUNTS, M4_UP, "ARM_L1D_CACHE_RD"),
	NAME("ArmL1DCacheRefill", COUNTS, M4_UP, "ARM_L1D_CACHE_REFILL"),
	NAME("ArmL1ICache", COUNTS, M5_UP, "ARM_L1I_CACHE"),
	NAME("ArmMemAccess", COUNTS, M5_UP, "ARM_MEM_ACCESS"),
	NAME("ArmMemAccessChecked", COUNTS, M5_UP, "ARM_MEM_ACCESS_CHECKED"),
	NAME("ArmMemAccessCheckedRd", COUNTS, M5_UP, "ARM_MEM_ACCESS_CHECKED_RD"),
	NAME("ArmMemAccessCheckedWr", COUNTS, M5_UP, "ARM_MEM_ACCESS_CHECKED_WR"),
	NAME("ArmMemAccessRd", COUNTS, M5_UP, "ARM_MEM_ACCESS_RD"),
	NAME("ArmMemAccessWr", COUNTS, M5_UP, "ARM_MEM_ACCESS_WR"),
	NAME("ArmStall", COUNTS, M4_UP, "ARM_STALL"),
	NAME("ArmStallBackend", COUNTS, M4_UP, "ARM_STALL_BACKEND"),
	NAME("ArmStallFrontend", COUNTS, M4_UP, "ARM_STALL_FRONTEND"),
	NAME("ArmStallSlot", COUNTS, M4_UP, "ARM_STALL_SLOT"),
	NAME("ArmStallSlotBackend", COUNTS, M4_UP, "ARM_STALL_SLOT_BACKEND"),
	NAME("ArmStallSlotFrontend", COUNTS, M4_UP, "ARM_STALL_SLOT_FRONTEND"),
	NAME("AtomicOrExclusiveFail", COUNTS, ALL, "ATOMIC_OR_EXCLUSIVE_FAIL"),
	NAME("AtomicOrExclusiveSucc", COUNTS, ALL, "ATOMIC_OR_EXCLUSIVE_SUCC"),
	NAME("BranchBrIndirMispredNonspec", BRANCH_MISSES, M5_UP, "BRANCH_BR_INDIR_MISPRED_NONSPEC"),
	NAME("BranchCallIndirMispredNonspec", BRANCH_MISSES, ALL, "BRANCH_CALL_INDIR_MISPRED_NONSPEC"),
	NAME("BranchCondMispredNonspec", BRANCH_MISSES, ALL, "BRANCH_COND_MISPRED_NONSPEC"),
	NAME("BranchIndirMispredNonspec", BRANCH_MISSES, ALL, "BRANCH_INDIR_MISPRED_NONSPEC"),
	NAME("BranchMispredNonspec", BRANCH_MISSES, ALL, "BRANCH_MISPRED_NONSPEC"),
	NAME("BranchRetIndirMispredNonspec", BRANCH_MISSES, ALL, "BRANCH_RET_INDIR_MISPRED_NONSPEC"),
	NAME("CoreActiveCycle", CYCLES, ALL, "CORE_ACTIVE_CYCLE"),
	NAME("CoreWaitingSmeEngineCycle", COUNTS, M5_UP, "CORE_WAITING_SME_ENGINE_CYCLE"),
	NAME("DecodeUop", COUNTS, M4_UP, "DECODE_UOP"),
	NAME("FetchRestart", COUNTS, ALL, "FETCH_RESTART"),
	NAME("FixedCycles", CYCLES, ALL, "FIXED_CYCLES"),
	NAME("FixedInstructions", INSTRUCTIONS, ALL, "FIXED_INSTRUCTIONS"),
	NAME("FlushRestartOtherNonspec", COUNTS, ALL, "FLUSH_RESTART_OTHER_NONSPEC"),
	NAME("InstAll", INSTRUCTIONS, ALL, "INST_ALL"),
	NAME("InstBarrier", INSTRUCTIONS, ALL, "INST_BARRIER"),
	NAME("InstBranch", INSTRUCTIONS, ALL, "INST_BRANCH"),
	NAME("InstBranchCall", INSTRUCTIONS, ALL, "INST_BRANCH_CALL"),
	NAME("InstBranchCallIndir", INSTRUCTIONS, M5_UP, "INST_BRANCH_CALL_INDIR"),
	NAME("InstBranchCond", INSTRUCTIONS, M4_UP, "INST_BRANCH_COND"),
	NAME("InstBranchIndir", INSTRUCTIONS, ALL, "INST_BRANCH_INDIR"),
	NAME("InstBranchRet", INSTRUCTIONS, ALL, "INST_BRANCH_RET"),
	NAME("InstBranchTaken", INSTRUCTIONS, ALL, "INST_BRANCH_TAKEN"),
	NAME("InstIntAlu", INSTRUCTIONS, ALL, "INST_INT_ALU"),
	NAME("InstIntLd", INSTRUCTIONS, ALL, "INST_INT_LD"),
	NAME("InstIntSt", INSTRUCTIONS, ALL, "INST_INT_ST"),
	NAME("InstLdst", INSTRUCTIONS, ALL, "INST_LDST"),
	NAME("InstMicrocoded", INSTRUCTIONS, M5_UP, "INST_MICROCODED"),
	NAME("InstSimdAlu", INSTRUCTIONS, ALL, "INST_SIMD_ALU"),
	NAME("InstSimdAluVec", INSTRUCTIONS, M2_UP, "INST_SIMD_ALU_VEC"),
	NAME("InstSimdLd", INSTRUCTIONS, ALL, "INST_SIMD_LD"),
	NAME("InstSimdSt", INSTRUCTIONS, ALL, "INST_SIMD_ST"),
	NAME("InstSmeEngineAlu", INSTRUCTIONS, M4_UP, "INST_SME_ENGINE_ALU"),
	NAME("InstSmeEngineLd", INSTRUCTIONS, M4_UP, "INST_SME_ENGINE_LD"),
	NAME("InstSmeEnginePackingFused", INSTRUCTIONS, M4_UP, "INST_SME_ENGINE_PACKING_FUSED"),
	NAME("InstSmeEngineScalarfp", INSTRUCTIONS, M4_UP, "INST_SME_ENGINE_SCALARFP"),
	NAME("InstSmeEngineSt", INSTRUCTIONS, M4_UP, "INST_SME_ENGINE_ST"),
	NAME("InterruptPending", COUNTS, ALL, "INTERRUPT_PENDING"),
	NAME("L1DCacheMissLd", CACHE_MISSES, ALL, "L1D_CACHE_MISS_LD"),
	NAME("L1DCacheMissLdNonspec", CACHE_MISSES, ALL, "L1D_CACHE_MISS_LD_NONSPEC"),
	NAME("L1DCacheMissSt", CACHE_MISSES, ALL, "L1D_CACHE_MISS_ST"),
	NAME("L1DCacheMissStNonspec", CACHE_MISSES, ALL, "L1D_CACHE_MISS_ST_NONSPEC"),
	NAME("L1DCacheWriteback", COUNTS, ALL, "L1D_CACHE_WRITEBACK"),
	NAME("L1DTlbAccess", COUNTS, ALL, "L1D_TLB_ACCESS"),
	NAME("L1DTlbFill", COUNTS, ALL, "L1D_TLB_FILL"),
	NAME("L1DTlbMiss", TLB_MISSES, ALL, "L1D_TLB_MISS"),
	NAME("L1DTlbMissNonspec", TLB_MISSES, ALL, "L1D_TLB_MISS_NONSPEC"),
	NAME("L1ICacheMissDemand", CACHE_MISSES, ALL, "L1I_CACHE_MISS_DEMAND"),
	NAME("L1ITlbFill", COUNTS, ALL, "L1I_TLB_FILL"),
	NAME("L1ITlbMissDemand", TLB_MISSES, ALL, "L1I_TLB_MISS_DEMAND"),
	NAME("L2TlbMissData", TLB_MISSES, ALL, "L2_TLB_MISS_DATA"),
	NAME("L2TlbMissInstruction", TLB_MISSES, ALL, "L2_TLB_MISS_INSTRUCTION"),
	NAME("LdBlockedBySmeLdst", COUNTS, M4_UP, "LD_BLOCKED_BY_SME_LDST"),
	NAME("LdNtUop", UOPS, ALL, "LD_NT_UOP"),
	NAME("LdSmeNormalUop", UOPS, M4_UP, "LD_SME_NORMAL_UOP"),
	NAME("LdSmeNtUop", UOPS, M4_UP, "LD_SME_NT_UOP"),
	NAME("LdSrcCoreSameclusterNonspec", COUNTS, M5_UP, "LD_SRC_CORE_SAMECLUSTER_NONSPEC"),
	NAME("LdSrcLlCacheNonspec", COUNTS, M5_UP, "LD_SRC_LL_CACHE_NONSPEC"),
	NAME("LdSrcMemsysNonspec", COUNTS, M5_UP, "LD_SRC_MEMSYS_NONSPEC"),
	NAME("LdSrcMemsysOtherdieNonspec", COUNTS, M5_UP, "LD_SRC_MEMSYS_OTHERDIE_NONSPEC"),
	NAME("LdSrcOtherclusterNonspec", COUNTS, M5_UP, "LD_SRC_OTHERCLUSTER_NONSPEC"),
	NAME("LdSrcOtherclusterOtherdieNonspec", COUNTS, M5_UP, "LD_SRC_OTHERCLUSTER_OTHERDIE_NONSPEC"),
	NAME("LdSrcPl2CacheNonspec", COUNTS, M5_UP, "LD_SRC_PL2_CACHE_NONSPEC"),
	NAME("LdSrcStoreNonspec", COUNTS, M5_UP, "LD_SRC_STORE_NONSPEC"),
	NAME("LdUnitUop", UOPS, ALL, "LD_UNIT_UOP"),
	NAME("LdUnitWaitingYoungL1DCacheMiss", COUNTS, M4_UP, "LD_UNIT_WAITING_YOUNG_L1D_CACHE_MISS"),
	NAME("LdstMemAccessCheckedX2K", COUNTS, M5_UP, "LDST_MEM_ACCESS_CHECKED_X2K"),
	NAME("LdstOldestMteTagCheckCycle", COUNTS, M5_UP, "LDST_OLDEST_MTE_TAG_CHECK_CYCLE"),
	NAME("LdstSmePredInactive", UOPS, M4_UP, "LDST_SME_PRED_INACTIVE"),
	NAME("LdstSmeXpgUop", UOPS, M4_UP, "LDST_SME_XPG_UOP"),
	NAME("LdstUnitOldL1DCacheMiss", COUNTS, M3_UP, "LDST_UNIT_OLD_L1D_CACHE_MISS"),
	NAME("LdstUnitWaitingOldL1DCacheMiss", COUNTS, M3_UP, "LDST_UNIT_WAITING_OLD_L1D_CACHE_MISS"),
	NAME("LdstUnitWaitingSmeEngineInstQueueFull", COUNTS, M4_UP,
	     "LDST_UNIT_WAITING_SME_ENGINE_INST_QUEUE_FULL"),
	NAME("LdstUnitWaitingSmeEngineMemData", COUNTS, M4_UP, "LDST_UNIT_WAITING_SME_ENGINE_MEM_DATA"),
	NAME("LdstX64Uop", UOPS, ALL, "LDST_X64_UOP"),
	NAME("LdstXpgUop", UOPS, ALL, "LDST_XPG_UOP"),
	NAME("MapDispatchBubble", COUNTS, ALL, "MAP_DISPATCH_BUBBLE"),
	NAME("MapDispatchBubbleIc", COUNTS, M3_UP, "MAP_DISPATCH_BUBBLE_IC"),
	NAME("MapDispatchBubbleItlb", COUNTS, M3_UP, "MAP_DISPATCH_BUBBLE_ITLB"),
	NAME("MapDispatchBubbleSlot", COUNTS, M4_UP, "MAP_DISPATCH_BUBBLE_SLOT"),
	NAME("MapDispatchBubbleTakenbrSlot", COUNTS, M5_UP, "MAP_DISPATCH_BUBBLE_TAKENBR_SLOT"),
	NAME("MapIntSmeUop", UOPS, M4_UP, "MAP_INT_SME_UOP"),
	NAME("MapIntUop", UOPS, ALL, "MAP_INT_UOP"),
	NAME("MapLdstUop", UOPS, ALL, "MAP_LDST_UOP"),
	NAME("MapRecovery", COUNTS, M4_UP, "MAP_RECOVERY"),
	NAME("MapRewind", COUNTS, ALL, "MAP_REWIND"),
	NAME("MapSimdUop", UOPS, ALL, "MAP_SIMD_UOP"),
	NAME("MapStall", COUNTS, ALL, "MAP_STALL"),
	NAME("MapStallDispatch", COUNTS, ALL, "MAP_STALL_DISPATCH"),
	NAME("MapStallNonrecovery", COUNTS, M4_UP, "MAP_STALL_NONRECOVERY"),
	NAME("MapUop", UOPS, M3_UP, "MAP_UOP"),
	NAME("MmuTableWalkData", COUNTS, ALL, "MMU_TABLE_WALK_DATA"),
	NAME("MmuTableWalkInstruction", COUNTS, ALL, "MMU_TABLE_WALK_INSTRUCTION"),
	NAME("Pl2CacheAccess", COUNTS, M5_UP, "PL2_CACHE_ACCESS"),
	NAME("Pl2CacheAccessInstruction", COUNTS, M5_UP, "PL2_CACHE_ACCESS_INSTRUCTION"),
	NAME("Pl2CacheAccessLd", COUNTS, M5_UP, "PL2_CACHE_ACCESS_LD"),
	NAME("Pl2CacheAccessMmu", COUNTS, M5_UP, "PL2_CACHE_ACCESS_MMU"),
	NAME("Pl2CacheAccessSt", COUNTS, M5_UP, "PL2_CACHE_ACCESS_ST"),
	NAME("Pl2CacheMiss", COUNTS, M5_UP, "PL2_CACHE_MISS"),
	NAME("Pl2CacheMissInstruction", COUNTS, M5_UP, "PL2_CACHE_MISS_INSTRUCTION"),
	NAME("Pl2CacheMissLd", COUNTS, M5_UP, "PL2_CACHE_MISS_LD"),
	NAME("Pl2CacheMissMmu", COUNTS, M5_UP, "PL2_CACHE_MISS_MMU"),
	NAME("Pl2CacheMissSt", COUNTS, M5_UP, "PL2_CACHE_MISS_ST"),
	NAME("RetireUop", UOPS, ALL, "RETIRE_UOP"),
	NAME("ScheduleEmpty", COUNTS, ALL, "SCHEDULE_EMPTY"),
	RENAMED("ScheduleUop", UOPS, M1 | M3_UP, "SCHEDULE_UOP_ANY", "SCHEDULE_UOP"),
	NAME("ScheduleWaitingSmeEngineRegData", COUNTS, M4_UP, "SCHEDULE_WAITING_SME_ENGINE_REG_DATA"),
	NAME("SmeEngineSmEnable", COUNTS, M4_UP, "SME_ENGINE_SM_ENABLE"),
	NAME("SmeEngineSmZaEnable", COUNTS, M4_UP, "SME_ENGINE_SM_ZA_ENABLE"),
	NAME("SmeEngineZaEnabledSmDisabled", COUNTS, M4_UP, "SME_ENGINE_ZA_ENABLED_SM_DISABLED"),
	NAME("StBarrierBlockedBySmeLdst", COUNTS, M4_UP, "ST_BARRIER_BLOCKED_BY_SME_LDST"),
	NAME("StMemOrderViolLdNonspec", COUNTS, ALL, "ST_MEM_ORDER_VIOL_LD_NONSPEC"),
	NAME("StNtUop", UOPS, ALL, "ST_NT_UOP"),
	NAME("StSmeNormalUop", UOPS, M4_UP, "ST_SME_NORMAL_UOP"),
	NAME("StSmeNtUop", UOPS, M4_UP, "ST_SME_NT_UOP"),
	NAME("StUnitUop", UOPS, ALL, "ST_UNIT_UOP"),
};
/* clang-format on */

enum { NAMES = sizeof kperf_names / sizeof kperf_names[0] };

static const struct {
	const char *database;
	enum kps_chip chip;
} chips[] = {
	{ "a14", KPS_CHIP_M1 },   { "a15", KPS_CHIP_M2 },
	{ "a16", KPS_CHIP_M3 },   { "as1", KPS_CHIP_M3 },
	{ "as2", KPS_CHIP_M3 },   { "as3", KPS_CHIP_M3 },
	{ "as4", KPS_CHIP_M4 },   { "as4-1", KPS_CHIP_M4 },
	{ "as4-2", KPS_CHIP_M4 }, { "as5", KPS_CHIP_M5 },
	{ "as5-1", KPS_CHIP_M5 }, { "as5-2", KPS_CHIP_M5 },
};

enum kps_chip
kps_chip_of(const char *database)
{
	for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++)
		if (database != NULL &&
		    strcmp(database, chips[i].database) == 0)
			return chips[i].chip;
	return KPS_CHIP_UNKNOWN;
}

const char *
kps_chip_name(enum kps_chip chip)
{
	switch (chip) {
	case KPS_CHIP_M1:
		return "M1";
	case KPS_CHIP_M2:
		return "M2";
	case KPS_CHIP_M3:
		return "M3";
	case KPS_CHIP_M4:
		return "M4";
	case KPS_CHIP_M5:
		return "M5";
	case KPS_CHIP_UNKNOWN:
		break;
	}
	return "unknown";
}

static const struct kperf_name *
kperf_name_find(const char *name)
{
	for (unsigned i = 0; name != NULL && i < NAMES; i++)
		if (strcmp(kperf_names[i].name, name) == 0)
			return &kperf_names[i];
	return NULL;
}

const struct kperf_name *
kperf_name_of(const char *event)
{
	for (unsigned i = 0; i < NAMES; i++) {
		const struct kperf_name *n = &kperf_names[i];

		if (strcmp(n->event, event) == 0 ||
		    (n->event_m1 != NULL && strcmp(n->event_m1, event) == 0))
			return n;
	}
	return NULL;
}

const char *
kps_name_at(unsigned i)
{
	return i < NAMES ? kperf_names[i].name : NULL;
}

const char *
kps_name_on(const char *name, enum kps_chip chip)
{
	const struct kperf_name *n = kperf_name_find(name);

	if (n == NULL || (n->chips >> chip & 1) == 0)
		return NULL;
	return chip == KPS_CHIP_M1 && n->event_m1 != NULL ? n->event_m1
							  : n->event;
}

enum kps_unit
kps_name_unit(const char *name)
{
	const struct kperf_name *n = kperf_name_find(name);

	return n != NULL ? n->unit : KPS_UNIT_COUNTS;
}
