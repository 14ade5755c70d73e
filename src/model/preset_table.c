#include "model/metric.h"

#include <stddef.h>

/* `order` decides which event gets which counter, not which events are counted.
 */
/* clang-format off */
const struct preset preset_table[] = {
	{ "basic", "basic", '1', "How well are the cores used, and what is the bottleneck?",
	  { "ipc", "core_ipc", "ghz", "gips", "branch_mpki", "branch_any_mpki", "l1d_ld_mpki", "l1d_fill_mpki", "llc_mpki",
	    "stall_pct", "frontend_stall_pct", "user_pct", "l1i_mpki", "user_ipc", "ctx_per_s", "migr_per_s", "fault_per_s",
	    "l2_mpki" },
	  { "CORE_ACTIVE_CYCLE", "INST_ALL", "BRANCH_MISPRED_NONSPEC", "L1D_CACHE_MISS_LD_NONSPEC",
	    "L1I_CACHE_MISS_DEMAND", "MAP_REWIND", "MAP_DISPATCH_BUBBLE_SLOT", "MAP_STALL", "MAP_STALL_NONRECOVERY",
	    "MAP_DISPATCH_BUBBLE" },
	  { "ipc", "SLOT_TOTAL", "MAP_STALL_NONRECOVERY|SLOT_PROCESSING|SLOT_PROCESSING_REST|MAP_STALL",
	    "MAP_DISPATCH_BUBBLE_SLOT|SLOT_DELIVERY|SLOT_DELIVERY_REST|MAP_DISPATCH_BUBBLE", "SLOT_MISCOUNTED", "branch_mpki", "branch_any_mpki",
	    "l1d_ld_mpki", "l1d_fill_mpki", "SLOT_TOTAL+SLOT_USEFUL", "SLOT_DISCARDED|SLOT_DISPATCHED|SLOT_REST", "llc_mpki",
	    "SLOT_RECOVERY", "SLOT_CLEARED", "l2_mpki", "l1i_mpki", "frontend_stall_pct",
	    "MAP_REWIND" } },

	{ "topdown", "topdown", '2', "Which bottleneck loses the issue slots?",
	  { "ipc", "ghz", "gips", "retiring_pct", "bad_spec_pct", "frontend_pct", "backend_pct", "frontend_stall_pct",
	    "frontend_bandwidth_pct", "frontend_l1i_pct", "frontend_itlb_pct", "uops_per_cycle", "stall_pct", "rewind_pct",
	    "recovery_pct", "core_ipc", "empty_slots", "blocked_slots", "unaccounted_pct", "other_thread_pct", "smt_contention_pct",
	    "user_pct", "branch_mpki" },
	  { "RETIRE_UOP", "CORE_ACTIVE_CYCLE", "MAP_STALL", "MAP_STALL_NONRECOVERY", "MAP_REWIND", "MAP_RECOVERY",
	    "MAP_UOP", "MAP_INT_UOP", "MAP_LDST_UOP", "MAP_SIMD_UOP", "MAP_DISPATCH_BUBBLE_SLOT", "MAP_DISPATCH_BUBBLE",
	    "MAP_DISPATCH_BUBBLE_IC", "MAP_DISPATCH_BUBBLE_ITLB" }, { NULL } },

	{ "branch", "branch", '3', "How many branches are mispredicted, at what cost?",
	  { "ipc", "ghz", "gips", "branch_mpki", "branch_miss_pct", "branch_pct", "branch_cond_miss_pct",
	    "branch_cond_mpki", "branch_taken_pct", "fetch_restart_mpki", "user_ipc", "rewind_pct", "frontend_stall_pct",
	    "flush_other_mpki", "flush_other_pmc", "branch_any_mpki", "branch_any_miss_pct", "user_pct", "kernel_ipc" },
	  { "INST_ALL", "INST_BRANCH", "BRANCH_MISPRED_NONSPEC", "INST_BRANCH_COND", "BRANCH_COND_MISPRED_NONSPEC",
	    "INST_BRANCH_TAKEN", "CORE_ACTIVE_CYCLE", "FETCH_RESTART", "MAP_REWIND", "MAP_DISPATCH_BUBBLE",
	    "FLUSH_RESTART_OTHER_NONSPEC" }, { NULL } },

	{ "l1d", "l1d", '4', "Do loads and stores hit the L1 data cache?",
	  { "ipc", "ghz", "gips", "l1d_ld_mpki", "l1d_st_mpki", "l1d_ld_miss_pct", "stall_pct", "user_ipc", "user_pct",
	    "l1d_st_miss_pct", "l1d_wb_per_s", "l1d_ret_miss_pct", "l1d_fill_mpki", "l1d_fill_pct", "l2_mpki" },
	  { "CORE_ACTIVE_CYCLE", "MAP_STALL", "INST_ALL", "L1D_CACHE_MISS_LD_NONSPEC", "L1D_CACHE_MISS_ST_NONSPEC",
	    "MAP_STALL_NONRECOVERY", "MAP_REWIND", "MAP_DISPATCH_BUBBLE_SLOT", "L1D_CACHE_MISS_LD", "LD_UNIT_UOP",
	    "L1D_CACHE_MISS_ST", "L1D_CACHE_WRITEBACK", "ST_UNIT_UOP" },
	  { "ipc", "l1d_ld_mpki", "l1d_ret_miss_pct", "l1d_fill_mpki", "l1d_fill_pct", "l2_mpki", "l1d_st_mpki",
	    "l1d_ld_miss_pct", "stall_pct", "MAP_DISPATCH_BUBBLE_SLOT", "MAP_REWIND" } },

	{ "dtlb", "dtlb", '5', "Are data-TLB misses the bottleneck?",
	  { "ipc", "ghz", "gips", "l1dtlb_mpki", "l2tlb_d_mpki", "walk_d_mpki", "l1dtlb_miss_pct", "l1dtlb_fill_mpki",
	    "walk_d_per_s", "user_ipc", "user_pct", "kernel_ipc" },
	  { "INST_ALL", "L1D_TLB_MISS_NONSPEC", "L1D_TLB_ACCESS", "L1D_TLB_MISS", "L1D_TLB_FILL", "L2_TLB_MISS_DATA",
	    "MMU_TABLE_WALK_DATA", "CORE_ACTIVE_CYCLE" }, { NULL } },

	{ "frontend", "front", '6', "Are instruction fetches the bottleneck?",
	  { "ipc", "ghz", "gips", "l1i_mpki", "l1itlb_mpki", "l2tlb_i_mpki", "walk_i_mpki", "fetch_restart_mpki",
	    "l1itlb_fill_mpki", "user_ipc", "user_pct", "kernel_ipc" },
	  { "INST_ALL", "L1I_CACHE_MISS_DEMAND", "L1I_TLB_MISS_DEMAND", "L1I_TLB_FILL", "L2_TLB_MISS_INSTRUCTION",
	    "MMU_TABLE_WALK_INSTRUCTION", "FETCH_RESTART", "CORE_ACTIVE_CYCLE" }, { NULL } },

	{ "stalls", "stalls", '7', "What do stalled cycles wait for?",
	  { "ipc", "ghz", "gips", "stall_pct", "stall_dispatch_pct", "load_wait_pct", "load_block_pct", "rewind_pct",
	    "sched_empty_pct", "uops_per_cycle", "frontend_stall_pct", "flush_other_pmc", "user_pct" },
	  { "RETIRE_UOP", "FLUSH_RESTART_OTHER_NONSPEC", "CORE_ACTIVE_CYCLE", "MAP_STALL", "MAP_STALL_NONRECOVERY",
	    "MAP_STALL_DISPATCH", "MAP_REWIND", "MAP_DISPATCH_BUBBLE", "SCHEDULE_EMPTY", "LDST_UNIT_OLD_L1D_CACHE_MISS",
	    "LDST_UNIT_WAITING_OLD_L1D_CACHE_MISS" }, { NULL } },

	{ "mix", "mix", '8', "Which kinds of instructions run?",
	  { "ipc", "ghz", "gips", "simd_uop_pct", "simd_ld_ratio", "simd_st_ratio", "simd_alu_pct", "int_ld_pct",
	    "branch_pct", "int_uop_pct", "ldst_uop_pct", "map_per_cycle", "ld_uop_pct", "user_pct", "kernel_ipc" },
	  { "INST_ALL", "INST_SIMD_LD", "INST_SIMD_ST", "INST_INT_LD", "INST_BRANCH", "INST_SIMD_ALU",
	    "CORE_ACTIVE_CYCLE", "MAP_INT_UOP", "MAP_LDST_UOP", "MAP_SIMD_UOP", "LD_UNIT_UOP", "MAP_UOP" }, { NULL } },

	{ "ldst", "ldst", '9', "Are loads and stores aligned, in order and not stalled?",
	  { "ipc", "ghz", "gips", "line_split_pkls", "page_split_pkls", "mem_order_pkls", "load_wait_pct", "ld_per_cycle",
	    "l1d_wb_per_s", "st_per_cycle", "line_split_pct", "page_split_pct", "user_pct" },
	  { "ST_MEM_ORDER_VIOL_LD_NONSPEC", "ST_MEMORY_ORDER_VIOLATION_NONSPEC", "LDST_X64_UOP", "LDST_XPG_UOP",
	    "LD_UNIT_UOP", "ST_UNIT_UOP", "L1D_CACHE_WRITEBACK", "INST_LDST", "LDST_UNIT_OLD_L1D_CACHE_MISS",
	    "CORE_ACTIVE_CYCLE" }, { NULL } },

	{ "branchkind", "brkind", 0, "Which kind of branch is mispredicted?",
	  { "ipc", "ghz", "gips", "branch_cond_mpki", "branch_indir_mpki", "branch_ret_mpki", "branch_call_mpki",
	    "branch_indir_miss_pct", "fetch_restart_mpki", "user_ipc", "user_pct", "kernel_ipc" },
	  { "INST_ALL", "BRANCH_COND_MISPRED_NONSPEC", "BRANCH_INDIR_MISPRED_NONSPEC", "BRANCH_RET_INDIR_MISPRED_NONSPEC",
	    "BRANCH_CALL_INDIR_MISPRED_NONSPEC", "INST_BRANCH_INDIR", "CORE_ACTIVE_CYCLE", "FETCH_RESTART" }, { NULL } },

	{ "sync", "sync", 0, "How much do locks, barriers and atomics cost?",
	  { "ipc", "ghz", "gips", "atomic_fail_pct", "atomic_mpki", "barrier_mpki", "irq_pending_pct", "nt_ld_mpki",
	    "nt_st_mpki", "user_ipc", "user_pct", "kernel_ipc" },
	  { "INST_ALL", "INST_BARRIER", "ATOMIC_OR_EXCLUSIVE_SUCC", "ATOMIC_OR_EXCLUSIVE_FAIL", "INTERRUPT_PENDING",
	    "LD_NT_UOP", "ST_NT_UOP", "CORE_ACTIVE_CYCLE" }, { NULL } },

	{ "ldsrc", "ldsrc", 0, "Where are loads served that miss the L1 cache?",
	  { "ipc", "ghz", "gips", "ldsrc_memsys_mpki", "ldsrc_ll_mpki", "ldsrc_pl2_mpki", "ldsrc_peer_mpki",
	    "ldsrc_other_mpki", "ldsrc_memsys_pct", "pl2_miss_pct", "ldsrc_memsys_die_mpki", "ldsrc_other_die_mpki",
	    "llc_mpki", "l2_mpki", "dram_fill_mpki", "l2_miss_pct", "llc_miss_pct" },
	  { "LD_SRC_PL2_CACHE_NONSPEC", "LD_SRC_LL_CACHE_NONSPEC", "LD_SRC_MEMSYS_NONSPEC",
	    "LD_SRC_CORE_SAMECLUSTER_NONSPEC", "LD_SRC_OTHERCLUSTER_NONSPEC", "INST_ALL", "PL2_CACHE_ACCESS",
	    "PL2_CACHE_MISS" }, { NULL } },

	{ "sme", "sme", 0, "Is the matrix engine used, and does it stall?",
	  { "ipc", "ghz", "gips", "sme_alu_mpki", "sme_entries_per_s", "sme_wait_pct", "sme_scalarfp_mpki", "sme_ld_mpki",
	    "sme_st_mpki", "user_pct", "kernel_ipc" },
	  { "INST_ALL", "INST_SME_ENGINE_ALU", "INST_SME_ENGINE_SCALARFP", "INST_SME_ENGINE_LD", "INST_SME_ENGINE_ST",
	    "SME_ENGINE_SM_ENABLE", "SCHEDULE_WAITING_SME_ENGINE_REG_DATA", "CORE_ACTIVE_CYCLE" }, { NULL } },

	{ "os", "os", 0, "How many context switches, migrations and page faults are there?",
	  { "ipc", "ghz", "gips", "ctx_per_s", "migr_per_s", "fault_per_s" }, { NULL }, { NULL } },
};
/* clang-format on */

const unsigned preset_count = sizeof preset_table / sizeof preset_table[0];
