#include "model/metric.h"
#include "model/topdown.h"

#include <stddef.h>

/* clang-format off */

#define C    { "CORE_ACTIVE_CYCLE", 1 }
#define I    { "INST_ALL", 1 }
#define STALL "MAP_STALL_NONRECOVERY|MAP_STALL"
#define MAPPED "MAP_UOP|MAP_INT_UOP+MAP_LDST_UOP+MAP_SIMD_UOP"

/* Per 1000 instructions, in the events' modes. */
#define MPKI(event) .unit = UNIT_MPKI, .scale = 1000, .num = { { event, 1 } }, .den = { I }
/* % of cycles, in the events' modes. */
#define CYCLES(event) .unit = UNIT_PCT, .scale = 100, .num = { { event, 1 } }, .den = { C }
/* % of another event. */
#define SHARE(event, of) .unit = UNIT_PCT, .scale = 100, .num = { { event, 1 } }, .den = { { of, 1 } }
#define KLDST(event) .unit = UNIT_PER_KLDST, .scale = 1000, .num = { { event, 1 } }, .den = { { "INST_LDST", 1 } }
#define PER_S(event) .unit = UNIT_PER_S, .scale = 1e9, .num = { { event, 1 } }, .den = { { METRIC_WALL_NS, 1 } }
#define OPTIONAL .optional = true
/* In the order of struct topdown_counts; SLOT_ events count issue slots. */
#define TOPDOWN(which) .unit = UNIT_PCT, .scale = 100, .share = TOPDOWN_##which + 1, .den = { C }, \
	.num = { TOPDOWN_TERMS }
#define TOPDOWN_AND(which, event) .unit = UNIT_PCT, .scale = 100, .share = TOPDOWN_##which + 1, .den = { C }, \
	.num = { TOPDOWN_TERMS, { event, 1 } }
#define TOPDOWN_TERMS \
	{ "SLOT_USEFUL|RETIRE_UOP", 1 }, { "SLOT_PROCESSING+SLOT_CLEARED|SLOT_PROCESSING|SLOT_PROCESSING_REST|" STALL, 1 }, \
	{ "SLOT_DISCARDED|SLOT_DISPATCHED|SLOT_SPECULATED|SLOT_REST|MAP_RECOVERY|MAP_REWIND", 1 }, \
	{ "SLOT_TOTAL|SLOT_SPECULATED+SLOT_STALLED|" MAPPED, 1 }, \
	{ "SLOT_DELIVERY|SLOT_DELIVERY_REST|MAP_DISPATCH_BUBBLE_SLOT|MAP_DISPATCH_BUBBLE", 1 }, \
	{ "SLOT_RECOVERY|SLOT_RECOVERY_SHARED|SLOT_RECOVERY_BACK|" METRIC_NOTHING, 1 }, \
	{ "SLOT_MISCOUNTED|" METRIC_NOTHING, 1 }

const char *const metric_unit_name[] = {
	[UNIT_RATIO] = "ratio",
	[UNIT_GHZ] = "GHz",
	[UNIT_GIPS] = "10^9/s",
	[UNIT_PCT] = "%",
	[UNIT_MPKI] = "per 1000 instructions",
	[UNIT_PER_MCYCLE] = "per 10^6 cycles",
	[UNIT_PER_S] = "per second",
	[UNIT_PER_KLDST] = "per 1000 loads and stores",
	[UNIT_WATTS] = "W",
	[UNIT_NJ] = "nJ",
	[UNIT_GBS] = "GB/s",
};

/* Rows are in the order of columns in files: add rows at the end. Misses are
 * bad if they cost as many cycles as the work, at 10 (L1D), 15 (branch) or 30
 * (table walk) cycles each. Top-down shares are bad where Apple calls them
 * noteworthy. */
const struct metric metric_table[] = {
	/* Fixed counters: all modes, on every machine. */
	{ "ipc", "IPC", "Instructions per cycle, user+kernel; low for the kind of core: it mostly waits",
	  .unit = UNIT_RATIO, .decimals = 2, .good = 3, .bad = 0.5, .of_width = true, .scale = 1,
	  .num = { { METRIC_FIXED_INSTRUCTIONS, 1 } }, .den = { { METRIC_FIXED_CYCLES, 1 } }, .see = "topdown" },
	{ "ghz", "GHz~", "Cycles divided by busy time, an approximate clock; low under load: throttled or saving power",
	  .unit = UNIT_GHZ, .decimals = 2, .scale = 1,
	  .num = { { METRIC_FIXED_CYCLES, 1 } }, .den = { { METRIC_BUSY_NS, 1 } }, .approx = true },
	{ "gips", "Gi/s", "Billions of instructions per second",
	  .unit = UNIT_GIPS, .decimals = 1, .scale = 1,
	  .num = { { METRIC_FIXED_INSTRUCTIONS, 1 } }, .den = { { METRIC_WALL_NS, 1 } } },

	/* Event counts are divided by event counts, so that modes match. */
	{ "user_ipc", "uIPC", "Instructions per cycle in user mode; far from IPC: the kernel uses much CPU, at a different IPC",
	  .unit = UNIT_RATIO, .decimals = 2, .good = 3, .bad = 0.5, .of_width = true, .scale = 1,
	  .num = { I }, .den = { C }, .user_only = true, .see = "topdown" },
	{ "user_pct", "usr%", "Share of cycles in user mode; low: system calls, interrupts, page faults",
	  .unit = UNIT_PCT, .decimals = 0, .good = 80, .bad = 30, .scale = 100,
	  .num = { C }, .den = { { METRIC_FIXED_CYCLES, 1 } }, .user_only = true, .rider = true, .clamp = true },

	{ "branch_mpki", "br", "Mispredicted retired branches per 1000 instructions; above 5 they cost more than most cache misses",
	  .decimals = 1, .good = 1, .bad = 8, MPKI("BRANCH_MISPRED_NONSPEC"), .see = "branch" },
	{ "branch_miss_pct", "br%", "Share of branches mispredicted; above 3%: branches on unpredictable data",
	  .decimals = 2, .good = 0.5, .bad = 5, SHARE("BRANCH_MISPRED_NONSPEC", "INST_BRANCH"), .see = "branchkind" },
	{ "branch_pct", "branch%", "Share of instructions that are branches; mispredictions cost more where it is high",
	  .decimals = 0, SHARE("INST_BRANCH", "INST_ALL") },
	{ "branch_taken_pct", "taken%", "Share of branches taken; each one redirects instruction fetch",
	  .decimals = 0, SHARE("INST_BRANCH_TAKEN", "INST_BRANCH") },
	{ "branch_cond_miss_pct", "cond%", "Share of conditional branches mispredicted; above 3%: conditions on unpredictable data",
	  .decimals = 2, .good = 0.5, .bad = 5, SHARE("BRANCH_COND_MISPRED_NONSPEC", "INST_BRANCH_COND"), .whole = true, .see = "branchkind" },
	{ "branch_cond_mpki", "cond", "Mispredicted conditional branches per 1000 instructions; high: conditions and loops on unpredictable data",
	  .decimals = 2, .good = 1, .bad = 8, MPKI("BRANCH_COND_MISPRED_NONSPEC") },
	{ "branch_indir_mpki", "indir", "Mispredicted indirect branches, calls and returns too, per 1000 instructions; high: virtual calls, interpreters",
	  .decimals = 2, .good = 0.3, .bad = 4, MPKI("BRANCH_INDIR_MISPRED_NONSPEC") },
	{ "branch_ret_mpki", "ret", "Mispredicted returns per 1000 instructions; high: very deep calls, or code that switches stacks",
	  .decimals = 2, .good = 0.1, .bad = 2, MPKI("BRANCH_RET_INDIR_MISPRED_NONSPEC") },
	{ "branch_call_mpki", "icall", "Mispredicted indirect calls per 1000 instructions; high: call targets change often",
	  .decimals = 2, .good = 0.1, .bad = 2, MPKI("BRANCH_CALL_INDIR_MISPRED_NONSPEC") },
	{ "branch_indir_miss_pct", "indir%", "Share of indirect branches mispredicted; above 5%: targets are unpredictable",
	  .decimals = 2, .good = 1, .bad = 10, SHARE("BRANCH_INDIR_MISPRED_NONSPEC", "INST_BRANCH_INDIR") },
	{ "fetch_restart_mpki", "refetch", "Restarts of instruction fetch, mispredictions excluded, per 1000 instructions; high: instruction fetch is interrupted often",
	  .decimals = 2, .good = 2, .bad = 20, MPKI("FETCH_RESTART"), .see = "frontend" },
	{ "rewind_pct", "rewind", "Share of cycles in which mapping waits for a rewind after a flush; above 10%: mispredictions are expensive",
	  .decimals = 1, .good = 2, .bad = 15, CYCLES("MAP_REWIND"), .see = "branch" },
	{ "recovery_pct", "recover", "Share of cycles in which mapping recovers from a flush; above 10%: mispredictions are expensive",
	  .decimals = 1, .good = 2, .bad = 15, CYCLES("MAP_RECOVERY"), .see = "branch" },
	{ "flush_other_mpki", "flush", "Flushes from neither branches nor memory order, per 1000 instructions; high: faults, barriers, self-modifying code",
	  .decimals = 3, .good = 0.05, .bad = 1, MPKI("FLUSH_RESTART_OTHER_NONSPEC") },
	{ "flush_other_pmc", "flush/M", "Flushes from neither branches nor memory order, per million cycles; high: faults, barriers, self-modifying code",
	  .unit = UNIT_PER_MCYCLE, .decimals = 1, .good = 50, .bad = 1000, .scale = 1e6,
	  .num = { { "FLUSH_RESTART_OTHER_NONSPEC", 1 } }, .den = { C } },

	{ "l1d_ld_mpki", "L1D-ld", "Retired loads that missed the L1 data cache, per 1000 instructions; above 20: the working set does not fit",
	  .decimals = 1, .good = 4, .bad = 30, MPKI("L1D_CACHE_MISS_LD_NONSPEC"), .see = "l1d" },
	{ "l1d_st_mpki", "L1D-st", "Retired stores that missed the L1 data cache, per 1000 instructions; above 10: much new memory is written",
	  .decimals = 1, .good = 2, .bad = 20, MPKI("L1D_CACHE_MISS_ST_NONSPEC"), .see = "l1d" },
	{ "l1d_ld_miss_pct", "L1D-ld%", "Share of load micro-ops, wrong paths too, that missed the L1 data cache; above 5% is high",
	  .decimals = 1, .good = 1, .bad = 10, SHARE("L1D_CACHE_MISS_LD", "LD_UNIT_UOP") },
	{ "l1d_st_miss_pct", "L1D-st%", "Share of store micro-ops, wrong paths too, that missed the L1 data cache; above 5% is high",
	  .decimals = 1, .good = 1, .bad = 10, SHARE("L1D_CACHE_MISS_ST", "ST_UNIT_UOP") },
	{ "l1d_wb_per_s", "L1D-wb", "Lines written back from the L1 data cache per second; high: written data is evicted soon",
	  .unit = UNIT_PER_S, .decimals = 0, .good = 1e6, .bad = 2e8, .scale = 1e9,
	  .num = { { "L1D_CACHE_WRITEBACK", 1 } }, .den = { { METRIC_WALL_NS, 1 } } },

	{ "l1dtlb_mpki", "L1DTLB", "Retired accesses that missed the L1 data TLB, per 1000 instructions; above 10: accesses are spread over many pages",
	  .decimals = 2, .good = 1, .bad = 15, MPKI("L1D_TLB_MISS_NONSPEC"), .see = "dtlb" },
	{ "l1dtlb_miss_pct", "L1DTLB%", "Share of L1 data TLB look-ups, wrong paths too, that missed; above 3%: accesses are spread over many pages",
	  .decimals = 2, .good = 0.3, .bad = 5, SHARE("L1D_TLB_MISS", "L1D_TLB_ACCESS"), .see = "dtlb" },
	{ "l1dtlb_fill_mpki", "DTLBfil", "Fills of the L1 data TLB per 1000 instructions; close to the misses: the translations are used",
	  .decimals = 2, .good = 1, .bad = 15, MPKI("L1D_TLB_FILL") },
	{ "l2tlb_d_mpki", "L2TLB", "Data accesses that missed the L2 TLB too, per 1000 instructions; above 2: page-table walks dominate",
	  .decimals = 2, .good = 0.3, .bad = 4, MPKI("L2_TLB_MISS_DATA"), .see = "dtlb" },
	{ "walk_d_mpki", "walk-d", "Page-table walks for data per 1000 instructions; above 2: use larger or fewer pages",
	  .decimals = 2, .good = 0.3, .bad = 4, MPKI("MMU_TABLE_WALK_DATA") },
	{ "walk_d_per_s", "walks/s", "Page-table walks for data per second: the load of the walker",
	  .unit = UNIT_PER_S, .decimals = 0, .good = 1e5, .bad = 3e7, .scale = 1e9,
	  .num = { { "MMU_TABLE_WALK_DATA", 1 } }, .den = { { METRIC_WALL_NS, 1 } } },

	{ "l1i_mpki", "L1I", "Instruction fetches that missed the L1 cache, per 1000 instructions; above 10: the code is too large or scattered",
	  .decimals = 1, .good = 1, .bad = 15, MPKI("L1I_CACHE_MISS_DEMAND"), .see = "frontend" },
	{ "l1itlb_mpki", "L1ITLB", "Instruction fetches that missed the L1 TLB, per 1000 instructions; above 2: the code is spread over many pages",
	  .decimals = 2, .good = 0.2, .bad = 4, MPKI("L1I_TLB_MISS_DEMAND"), .see = "frontend" },
	{ "l1itlb_fill_mpki", "ITLBfil", "Fills of the L1 instruction TLB per 1000 instructions; close to the misses: the translations are used",
	  .decimals = 2, .good = 0.2, .bad = 4, MPKI("L1I_TLB_FILL") },
	{ "l2tlb_i_mpki", "L2TLB-i", "Instruction fetches that missed the L2 TLB too, per 1000 instructions; above 0.5: walks delay the front end",
	  .decimals = 2, .good = 0.05, .bad = 1, MPKI("L2_TLB_MISS_INSTRUCTION"), .see = "frontend" },
	{ "walk_i_mpki", "walk-i", "Table walks for instructions per 1000 instructions; above 0.5: walks delay the front end",
	  .decimals = 2, .good = 0.05, .bad = 1, MPKI("MMU_TABLE_WALK_INSTRUCTION") },

	{ "stall_pct", "stall", "Share of cycles in which the back end accepts no micro-op; above 40%: the core waits, often for data",
	  .decimals = 0, .good = 15, .bad = 60, CYCLES(STALL), .see = "stalls" },
	{ "stall_dispatch_pct", "backprs", "Share of cycles stalled because queues or registers are full; high: long latencies",
	  .decimals = 0, .good = 10, .bad = 50, CYCLES("MAP_STALL_DISPATCH") },
	{ "frontend_stall_pct", "fstall", "Share of cycles in which the front end delivers no micro-op while the back end is ready; Apple calls 25% noteworthy",
	  .decimals = 0, .good = 10, .bad = 35, CYCLES("MAP_DISPATCH_BUBBLE"), .see = "frontend" },
	{ "frontend_l1i_pct", "fs-L1I", "Share of cycles without micro-ops because of L1 instruction cache misses; above 10%: the code is too large",
	  .decimals = 1, .good = 2, .bad = 20, CYCLES("MAP_DISPATCH_BUBBLE_IC"), .see = "frontend" },
	{ "frontend_itlb_pct", "fs-ITLB", "Share of cycles without micro-ops because of instruction TLB misses; above 5%: the code is spread over too many pages",
	  .decimals = 1, .good = 1, .bad = 10, CYCLES("MAP_DISPATCH_BUBBLE_ITLB"), .see = "frontend" },
	{ "sched_empty_pct", "empty", "Share of cycles in which the schedulers have no micro-op",
	  .decimals = 0, .good = 10, .bad = 50, CYCLES("SCHEDULE_EMPTY") },
	{ "load_wait_pct", "ldwait", "Share of cycles in which the oldest access waits for an L1 data miss; above 30%: memory bound",
	  .decimals = 0, .good = 10, .bad = 50, CYCLES("LDST_UNIT_OLD_L1D_CACHE_MISS"), .see = "l1d" },
	{ "load_block_pct", "ldblock", "Share of cycles in which the oldest access waits for an L1 data miss and nothing issues; above 20%: latency is not hidden",
	  .decimals = 0, .good = 5, .bad = 40, CYCLES("LDST_UNIT_WAITING_OLD_L1D_CACHE_MISS"), .see = "l1d" },
	{ "uops_per_cycle", "uop/c", "Micro-ops retired per cycle; low: see the top-down shares",
	  .unit = UNIT_RATIO, .decimals = 2, .good = 3.5, .bad = 0.6, .of_width = true, .scale = 1,
	  .num = { { "RETIRE_UOP", 1 } }, .den = { C }, .see = "topdown" },

	/* Top-down: shares of issue slots, calculated for each kind. */
	{ "retiring_pct", "retire", "Share of issue slots whose micro-op retired (retiring)",
	  .decimals = 0, .good = 60, .bad = 15, TOPDOWN(USEFUL) },
	{ "bad_spec_pct", "bad-sp", "Share of issue slots lost to bad speculation: work discarded after branch mispredictions; 10% is noteworthy",
	  .decimals = 0, .good = 5, .bad = 10, TOPDOWN(DISCARDED), .see = "branch" },
	{ "frontend_pct", "front", "Share of issue slots that the front end left empty (front-end bound); 20% is noteworthy",
	  .decimals = 0, .good = 10, .bad = 20, TOPDOWN(DELIVERY), .see = "frontend" },
	{ "backend_pct", "back", "Share of issue slots that the back end could not accept (back-end bound); 40% is noteworthy",
	  .decimals = 0, .good = 20, .bad = 40, TOPDOWN(PROCESSING), .see = "stalls" },
	{ "frontend_bandwidth_pct", "fe-bw", "Share of issue slots left empty in cycles with some micro-ops (front-end bandwidth); 15% is noteworthy",
	  .decimals = 0, .good = 8, .bad = 15, TOPDOWN_AND(BANDWIDTH, "MAP_DISPATCH_BUBBLE"), .see = "frontend" },

	{ "simd_uop_pct", "SIMD%", "Share of mapped micro-ops that are SIMD or floating point",
	  .decimals = 0, SHARE("MAP_SIMD_UOP", MAPPED) },
	{ "int_uop_pct", "int%", "Share of mapped micro-ops that are integer operations",
	  .decimals = 0, SHARE("MAP_INT_UOP", MAPPED) },
	{ "ldst_uop_pct", "ldst%", "Share of mapped micro-ops that load or store; above 50%: more data movement than calculation",
	  .decimals = 0, .good = 40, .bad = 70, SHARE("MAP_LDST_UOP", MAPPED) },
	{ "simd_ld_ratio", "vld/op", "SIMD loads per SIMD operation; above 1: vectors are loaded more than used",
	  .unit = UNIT_RATIO, .decimals = 2, .good = 0.5, .bad = 2, .scale = 1,
	  .num = { { "INST_SIMD_LD", 1 } }, .den = { { "INST_SIMD_ALU", 1 } } },
	{ "simd_st_ratio", "vst/op", "SIMD stores per SIMD operation; above 0.7: vectors are stored more than used",
	  .unit = UNIT_RATIO, .decimals = 2, .good = 0.25, .bad = 1, .scale = 1,
	  .num = { { "INST_SIMD_ST", 1 } }, .den = { { "INST_SIMD_ALU", 1 } } },
	{ "simd_alu_pct", "vop%", "Share of instructions that are SIMD or floating-point operations",
	  .decimals = 0, SHARE("INST_SIMD_ALU", "INST_ALL") },
	{ "int_ld_pct", "intld%", "Share of instructions that load an integer; high: pointer chasing, tables",
	  .decimals = 0, SHARE("INST_INT_LD", "INST_ALL") },
	{ "map_per_cycle", "map/c", "Micro-ops mapped per cycle, wrong paths too; far above micro-ops retired: much work is discarded",
	  .unit = UNIT_RATIO, .decimals = 2, .good = 3.5, .bad = 0.6, .of_width = true, .scale = 1,
	  .num = { { MAPPED, 1 } }, .den = { C } },
	{ "ld_uop_pct", "load%", "Load-unit micro-ops per 100 mapped",
	  .decimals = 0, SHARE("LD_UNIT_UOP", MAPPED) },

	{ "line_split_pkls", "xline", "Accesses that cross a 64-byte line, per 1000 loads and stores; above 20: align the data",
	  .decimals = 2, .good = 2, .bad = 50, KLDST("LDST_X64_UOP") },
	{ "page_split_pkls", "xpage", "Accesses that cross a 16 KiB page, per 1000 loads and stores; above 1: align the data",
	  .decimals = 3, .good = 0.1, .bad = 3, KLDST("LDST_XPG_UOP") },
	{ "mem_order_pkls", "morder", "Flushes because a load passed an older store, per 1000 loads and stores; above 0.5: stored data is read back at once",
	  .decimals = 3, .good = 0.05, .bad = 1, KLDST("ST_MEM_ORDER_VIOL_LD_NONSPEC|ST_MEMORY_ORDER_VIOLATION_NONSPEC") },
	{ "ld_per_cycle", "ld/c", "Load-unit micro-ops per cycle; near the number of load units: these limit",
	  .unit = UNIT_RATIO, .decimals = 2, .good = 1, .bad = 3, .scale = 1,
	  .num = { { "LD_UNIT_UOP", 1 } }, .den = { C } },
	{ "st_per_cycle", "st/c", "Store-unit micro-ops per cycle; near the number of store units: these limit",
	  .unit = UNIT_RATIO, .decimals = 2, .good = 0.7, .bad = 2, .scale = 1,
	  .num = { { "ST_UNIT_UOP", 1 } }, .den = { C } },
	{ "line_split_pct", "xline%", "Share of load and store micro-ops that cross a 64-byte line; above 2%: align the data",
	  .unit = UNIT_PCT, .decimals = 2, .good = 0.2, .bad = 5, .scale = 100,
	  .num = { { "LDST_X64_UOP", 1 } }, .den = { { "LD_UNIT_UOP", 1 }, { "ST_UNIT_UOP", 1 } } },
	{ "page_split_pct", "xpage%", "Share of load and store micro-ops that cross a 16 KiB page; above 0.1%: align the data",
	  .unit = UNIT_PCT, .decimals = 3, .good = 0.01, .bad = 0.3, .scale = 100,
	  .num = { { "LDST_XPG_UOP", 1 } }, .den = { { "LD_UNIT_UOP", 1 }, { "ST_UNIT_UOP", 1 } } },

	{ "atomic_fail_pct", "atfail%", "Share of atomic and exclusive accesses lost to contention; above 5%: threads contend for a cache line",
	  .unit = UNIT_PCT, .decimals = 1, .good = 0.5, .bad = 10, .scale = 100,
	  .num = { { "ATOMIC_OR_EXCLUSIVE_FAIL", 1 } },
	  .den = { { "ATOMIC_OR_EXCLUSIVE_SUCC", 1 }, { "ATOMIC_OR_EXCLUSIVE_FAIL", 1 } } },
	{ "atomic_mpki", "atomic", "Atomic and exclusive accesses per 1000 instructions; above 10: much time in locks and shared counters",
	  .unit = UNIT_MPKI, .decimals = 2, .good = 1, .bad = 20, .scale = 1000,
	  .num = { { "ATOMIC_OR_EXCLUSIVE_SUCC", 1 }, { "ATOMIC_OR_EXCLUSIVE_FAIL", 1 } }, .den = { I } },
	{ "barrier_mpki", "barrier", "Data barriers per 1000 instructions; above 5: memory ordering delays the core",
	  .decimals = 2, .good = 0.5, .bad = 10, MPKI("INST_BARRIER") },
	{ "irq_pending_pct", "irqpend", "Share of cycles with a masked interrupt pending; above 2%: interrupt latency suffers",
	  .decimals = 2, .good = 0.2, .bad = 5, CYCLES("INTERRUPT_PENDING"), .not_user = true },
	{ "nt_ld_mpki", "nt-ld", "Non-temporal load micro-ops per 1000 instructions: streaming reads",
	  .decimals = 2, MPKI("LD_NT_UOP") },
	{ "nt_st_mpki", "nt-st", "Non-temporal store micro-ops per 1000 instructions: streaming writes",
	  .decimals = 2, MPKI("ST_NT_UOP") },

	/* Events of the M5. */
	{ "ldsrc_memsys_mpki", "memsys", "Retired loads served by the memory system per 1000 instructions; above 3: memory latency dominates",
	  .decimals = 2, .good = 0.3, .bad = 5, MPKI("LD_SRC_MEMSYS_NONSPEC") },
	{ "ldsrc_ll_mpki", "LLC", "Retired loads served by the last-level cache per 1000 instructions; above 10: the working set exceeds the L2",
	  .decimals = 2, .good = 1, .bad = 15, MPKI("LD_SRC_LL_CACHE_NONSPEC") },
	{ "ldsrc_pl2_mpki", "L2", "Retired loads served by the cluster's L2 per 1000 instructions; above 20: the working set exceeds the L1",
	  .decimals = 2, .good = 4, .bad = 30, MPKI("LD_SRC_PL2_CACHE_NONSPEC") },
	{ "ldsrc_peer_mpki", "peer", "Retired loads served by a core of the same cluster per 1000 instructions; high: threads share modified lines",
	  .decimals = 2, .good = 0.2, .bad = 4, MPKI("LD_SRC_CORE_SAMECLUSTER_NONSPEC") },
	{ "ldsrc_other_mpki", "xclust", "Retired loads served by another cluster per 1000 instructions; high: place threads that share data in one cluster",
	  .decimals = 2, .good = 0.1, .bad = 2, MPKI("LD_SRC_OTHERCLUSTER_NONSPEC") },
	{ "ldsrc_memsys_pct", "memsys%", "Of the retired loads served outside the L1, the share that came from the memory system; above 30% is high",
	  .unit = UNIT_PCT, .decimals = 0, .good = 5, .bad = 50, .scale = 100,
	  .num = { { "LD_SRC_MEMSYS_NONSPEC", 1 } },
	  .den = { { "LD_SRC_PL2_CACHE_NONSPEC", 1 }, { "LD_SRC_LL_CACHE_NONSPEC", 1 }, { "LD_SRC_MEMSYS_NONSPEC", 1 },
		   { "LD_SRC_CORE_SAMECLUSTER_NONSPEC", 1 }, { "LD_SRC_OTHERCLUSTER_NONSPEC", 1 } } },
	{ "pl2_miss_pct", "L2miss%", "Share of accesses to the cluster's L2 that missed; above 30%: the working set does not fit",
	  .decimals = 0, .good = 5, .bad = 50, SHARE("PL2_CACHE_MISS", "PL2_CACHE_ACCESS") },
	{ "ldsrc_memsys_die_mpki", "xd-mem", "Retired loads served by the other die's memory per 1000 instructions; high: data is on the wrong die",
	  .decimals = 2, .good = 0.1, .bad = 2, MPKI("LD_SRC_MEMSYS_OTHERDIE_NONSPEC") },
	{ "ldsrc_other_die_mpki", "xd-clus", "Retired loads served by a cluster of the other die per 1000 instructions; high: sharing across dies",
	  .decimals = 2, .good = 0.1, .bad = 2, MPKI("LD_SRC_OTHERCLUSTER_OTHERDIE_NONSPEC") },

	/* Events of the M4 and later. */
	{ "sme_alu_mpki", "SMEalu", "Matrix-engine operations per 1000 instructions",
	  .decimals = 1, MPKI("INST_SME_ENGINE_ALU") },
	{ "sme_scalarfp_mpki", "SMEfp", "Scalar floating-point instructions on the matrix engine per 1000 instructions",
	  .decimals = 1, MPKI("INST_SME_ENGINE_SCALARFP") },
	{ "sme_ld_mpki", "SMEld", "Matrix-engine loads per 1000 instructions",
	  .decimals = 1, MPKI("INST_SME_ENGINE_LD") },
	{ "sme_st_mpki", "SMEst", "Matrix-engine stores per 1000 instructions",
	  .decimals = 1, MPKI("INST_SME_ENGINE_ST") },
	{ "sme_wait_pct", "SMEwt%", "Share of cycles in which nothing issues because data of the matrix engine is missing; above 20%: the matrix engine limits",
	  .decimals = 1, .good = 5, .bad = 40, CYCLES("SCHEDULE_WAITING_SME_ENGINE_REG_DATA") },

	/* Metrics of machines other than Macs. */
	{ "core_ipc", "corIPC", "Instructions of all threads of a core per cycle of the core; IPC is of one thread",
	  .unit = UNIT_RATIO, .decimals = 2, .good = 3, .bad = 0.5, .of_width = true, .scale = 1, .num = { { METRIC_FIXED_INSTRUCTIONS, 1 } },
	  .den = { { METRIC_CORE_CYCLES "|" METRIC_CORE_CYCLES_ANY, 1 } }, .core = true, OPTIONAL, .see = "topdown" },
	{ "branch_any_mpki", "br-any", "Mispredicted branches, wrong paths too, per 1000 instructions; for machines that do not count retired ones",
	  .decimals = 1, .good = 1, .bad = 10, MPKI("BRANCH_MISPRED_ANY"), OPTIONAL, .see = "branch" },
	{ "branch_any_miss_pct", "br-any%", "Share of branches, wrong paths too, that were mispredicted; above 3%: branches on unpredictable data",
	  .decimals = 2, .good = 0.5, .bad = 5, SHARE("BRANCH_MISPRED_ANY", "BRANCH_ANY"), OPTIONAL },
	{ "l1d_fill_mpki", "L1D-fil", "Lines filled into the L1 data cache per 1000 instructions; above 20: the working set does not fit",
	  .decimals = 1, .good = 4, .bad = 30, MPKI("L1D_FILL"), OPTIONAL, .see = "l1d" },
	{ "l1d_fill_pct", "L1Dfil%", "Lines filled into the L1 data cache per 100 accesses, wrong paths too; above 5 is high",
	  .decimals = 1, .good = 1, .bad = 10, SHARE("L1D_FILL", "L1D_ACCESS"), OPTIONAL },
	{ "l1d_ret_miss_pct", "L1Dmis%", "Share of retired loads that missed the L1 data cache; above 5% is high",
	  .decimals = 1, .good = 1, .bad = 10, SHARE("L1D_CACHE_MISS_LD_NONSPEC", "INST_LOAD"), OPTIONAL },
	{ "l2_mpki", "L2miss", "Misses of the L2 cache per 1000 instructions; above 5: the working set does not fit",
	  .decimals = 2, .good = 1, .bad = 15, MPKI("L2_MISS"), OPTIONAL, .see = "ldsrc" },
	{ "l2_miss_pct", "L2mis%", "Share of L2 cache requests that missed; above 30%: the working set does not fit",
	  .decimals = 0, .good = 5, .bad = 50, SHARE("L2_MISS", "L2_REF"), OPTIONAL },
	{ "llc_mpki", "LLCmiss", "Misses of the last-level cache per 1000 instructions; above 3: memory latency dominates",
	  .decimals = 2, .good = 0.3, .bad = 5, MPKI("LLC_MISS"), OPTIONAL, .see = "ldsrc" },
	{ "llc_miss_pct", "LLCmis%", "Share of last-level cache requests that missed; above 30%: the working set is in memory",
	  .decimals = 0, .good = 5, .bad = 50, SHARE("LLC_MISS", "LLC_REF"), OPTIONAL },
	{ "dram_fill_mpki", "DRAM", "Lines filled into the L1 data cache from memory per 1000 instructions; above 3: memory latency dominates",
	  .decimals = 2, .good = 0.3, .bad = 5, MPKI("DRAM_FILL"), OPTIONAL },
	{ "ctx_per_s", "ctx/s", "Context switches per second; above 10000 on one CPU: threads wait for each other",
	  .decimals = 0, .good = 1000, .bad = 50000, PER_S("SW_CONTEXT_SWITCHES"), OPTIONAL },
	{ "migr_per_s", "migr/s", "Threads moved to another CPU per second; high: threads lose their caches",
	  .decimals = 0, .good = 50, .bad = 2000, PER_S("SW_MIGRATIONS"), OPTIONAL },
	{ "fault_per_s", "fault/s", "Page faults per second, minor and major; high: much new memory is used",
	  .decimals = 0, .good = 1000, .bad = 100000, PER_S("SW_PAGE_FAULTS"), OPTIONAL },

	{ "kernel_ipc", "kIPC", "Instructions per cycle in the kernel: user+kernel minus user mode; low: it waits for memory or devices",
	  .unit = UNIT_RATIO, .decimals = 2, .good = 2, .bad = 0.3, .of_width = true, .scale = 1,
	  .num = { { METRIC_FIXED_INSTRUCTIONS, 1 }, { "INST_ALL", -1 } },
	  .den = { { METRIC_FIXED_CYCLES, 1 }, { "CORE_ACTIVE_CYCLE", -1 } }, .user_only = true, .rider = true, .one_time = true },
	{ "sme_entries_per_s", "SMEin/s", "Entries into the streaming mode of the matrix engine per second; each one costs time",
	  .decimals = 0, PER_S("SME_ENGINE_SM_ENABLE") },
	{ "unaccounted_pct", "unacc", "Share of issue slots that the events assign to none of the four shares",
	  .decimals = 0, TOPDOWN(UNACCOUNTED) },
	{ "other_thread_pct", "thread2", "Share of the core's issue slots that its other thread used: not lost",
	  .decimals = 0, TOPDOWN_AND(OTHER_THREAD, "SLOT_OTHER_THREAD"), OPTIONAL },
	{ "lost_pct", "lost%", "Lost issue slots as % of the machine's slots in use; of a group the sum of its cores",
	  .unit = UNIT_PCT, .decimals = 1, .scale = 1, .num = { { METRIC_NOTHING, 1 } }, .den = { { METRIC_NOTHING, 1 } }, .judged = true },
	{ "empty_slots", "fe-slot", "Issue slots per cycle that the front end left empty; above a third of the width: front-end bound",
	  .unit = UNIT_RATIO, .decimals = 2, .scale = 1, .den = { C }, OPTIONAL, .see = "frontend",
	  .num = { { "MAP_DISPATCH_BUBBLE_SLOT|SLOT_DELIVERY", 1 }, { "SLOT_MISCOUNTED|" METRIC_NOTHING, -1 } } },
	{ "smt_contention_pct", "SMT", "Share of the core's issue slots lost to its other thread: SMT contention, as AMD's own event counts it",
	  .decimals = 0, SHARE("SLOT_SMT", "SLOT_TOTAL"), OPTIONAL },
	{ "blocked_slots", "be-slot", "Issue slots per cycle that the back end could not accept; above a third of the width: back-end bound",
	  .unit = UNIT_RATIO, .decimals = 2, .scale = 1, .num = { { "SLOT_PROCESSING", 1 } }, .den = { C }, OPTIONAL, .see = "l1d" },
};
/* clang-format on */

const unsigned metric_count = sizeof metric_table / sizeof metric_table[0];
