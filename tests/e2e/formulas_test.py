"""Every metric of every preset, computed again from the counts of its row, by
its own formula here and by the one that --list-metrics prints.
"""
import re

from tap import Run, finish, ok, record

C, I = "CORE_ACTIVE_CYCLE", "INST_ALL"
LDST = ("LD_UNIT_UOP", "ST_UNIT_UOP")
# Before M3 no event counts all that is mapped.
MAPPED = (("MAP_UOP",), ("MAP_INT_UOP", "MAP_LDST_UOP", "MAP_SIMD_UOP"))
STALL = (("MAP_STALL_NONRECOVERY",), ("MAP_STALL",))
# There MAP_STALL counts recovery, too; macOS 26 has an event without it.
WITH_RECOVERY = ("m4,os=15.5", "m4max,os=15.5", "neo,os=15.5")
ATOMIC = ("ATOMIC_OR_EXCLUSIVE_SUCC", "ATOMIC_OR_EXCLUSIVE_FAIL")
SOURCES = tuple("LD_SRC_%s_NONSPEC" % x for x in
                ("PL2_CACHE", "LL_CACHE", "MEMSYS", "CORE_SAMECLUSTER",
                 "OTHERCLUSTER"))
VIOLATION = (("ST_MEM_ORDER_VIOL_LD_NONSPEC",),
             ("ST_MEMORY_ORDER_VIOLATION_NONSPEC",))

PER_1000_INSTRUCTIONS = {
    "branch_mpki": "BRANCH_MISPRED_NONSPEC",
    "branch_cond_mpki": "BRANCH_COND_MISPRED_NONSPEC",
    "branch_indir_mpki": "BRANCH_INDIR_MISPRED_NONSPEC",
    "branch_ret_mpki": "BRANCH_RET_INDIR_MISPRED_NONSPEC",
    "branch_call_mpki": "BRANCH_CALL_INDIR_MISPRED_NONSPEC",
    "fetch_restart_mpki": "FETCH_RESTART",
    "flush_other_mpki": "FLUSH_RESTART_OTHER_NONSPEC",
    "l1d_ld_mpki": "L1D_CACHE_MISS_LD_NONSPEC",
    "l1d_st_mpki": "L1D_CACHE_MISS_ST_NONSPEC",
    "l1dtlb_mpki": "L1D_TLB_MISS_NONSPEC",
    "l1dtlb_fill_mpki": "L1D_TLB_FILL",
    "l2tlb_d_mpki": "L2_TLB_MISS_DATA",
    "walk_d_mpki": "MMU_TABLE_WALK_DATA",
    "l1i_mpki": "L1I_CACHE_MISS_DEMAND",
    "l1itlb_mpki": "L1I_TLB_MISS_DEMAND",
    "l1itlb_fill_mpki": "L1I_TLB_FILL",
    "l2tlb_i_mpki": "L2_TLB_MISS_INSTRUCTION",
    "walk_i_mpki": "MMU_TABLE_WALK_INSTRUCTION",
    "barrier_mpki": "INST_BARRIER",
    "nt_ld_mpki": "LD_NT_UOP",
    "nt_st_mpki": "ST_NT_UOP",
    "ldsrc_memsys_mpki": "LD_SRC_MEMSYS_NONSPEC",
    "ldsrc_ll_mpki": "LD_SRC_LL_CACHE_NONSPEC",
    "ldsrc_pl2_mpki": "LD_SRC_PL2_CACHE_NONSPEC",
    "ldsrc_peer_mpki": "LD_SRC_CORE_SAMECLUSTER_NONSPEC",
    "ldsrc_other_mpki": "LD_SRC_OTHERCLUSTER_NONSPEC",
    "sme_alu_mpki": "INST_SME_ENGINE_ALU",
    "sme_scalarfp_mpki": "INST_SME_ENGINE_SCALARFP",
    "sme_ld_mpki": "INST_SME_ENGINE_LD",
    "sme_st_mpki": "INST_SME_ENGINE_ST",
}
PERCENT_OF_CYCLES = {
    "rewind_pct": "MAP_REWIND",
    "recovery_pct": "MAP_RECOVERY",
    "stall_dispatch_pct": "MAP_STALL_DISPATCH",
    "frontend_stall_pct": "MAP_DISPATCH_BUBBLE",
    "frontend_l1i_pct": "MAP_DISPATCH_BUBBLE_IC",
    "frontend_itlb_pct": "MAP_DISPATCH_BUBBLE_ITLB",
    "sched_empty_pct": "SCHEDULE_EMPTY",
    "load_wait_pct": "LDST_UNIT_OLD_L1D_CACHE_MISS",
    "load_block_pct": "LDST_UNIT_WAITING_OLD_L1D_CACHE_MISS",
    "sme_wait_pct": "SCHEDULE_WAITING_SME_ENGINE_REG_DATA",
}
# name: factor, events above the line, events below it
OTHERS = {
    "user_ipc": (1, I, C),
    "branch_miss_pct": (100, "BRANCH_MISPRED_NONSPEC", "INST_BRANCH"),
    "branch_pct": (100, "INST_BRANCH", I),
    "branch_taken_pct": (100, "INST_BRANCH_TAKEN", "INST_BRANCH"),
    "branch_cond_miss_pct": (100, "BRANCH_COND_MISPRED_NONSPEC",
                             "INST_BRANCH_COND"),
    "branch_indir_miss_pct": (100, "BRANCH_INDIR_MISPRED_NONSPEC",
                              "INST_BRANCH_INDIR"),
    "flush_other_pmc": (1e6, "FLUSH_RESTART_OTHER_NONSPEC", C),
    "l1d_ld_miss_pct": (100, "L1D_CACHE_MISS_LD", "LD_UNIT_UOP"),
    "l1d_st_miss_pct": (100, "L1D_CACHE_MISS_ST", "ST_UNIT_UOP"),
    "l1dtlb_miss_pct": (100, "L1D_TLB_MISS", "L1D_TLB_ACCESS"),
    "stall_pct": (100, STALL, C),
    "uops_per_cycle": (1, "RETIRE_UOP", C),
    "simd_uop_pct": (100, "MAP_SIMD_UOP", MAPPED),
    "int_uop_pct": (100, "MAP_INT_UOP", MAPPED),
    "ldst_uop_pct": (100, "MAP_LDST_UOP", MAPPED),
    "ld_uop_pct": (100, "LD_UNIT_UOP", MAPPED),
    "map_per_cycle": (1, MAPPED, C),
    "simd_ld_ratio": (1, "INST_SIMD_LD", "INST_SIMD_ALU"),
    "simd_st_ratio": (1, "INST_SIMD_ST", "INST_SIMD_ALU"),
    "simd_alu_pct": (100, "INST_SIMD_ALU", I),
    "int_ld_pct": (100, "INST_INT_LD", I),
    "line_split_pkls": (1000, "LDST_X64_UOP", "INST_LDST"),
    "page_split_pkls": (1000, "LDST_XPG_UOP", "INST_LDST"),
    "mem_order_pkls": (1000, VIOLATION, "INST_LDST"),
    "ld_per_cycle": (1, "LD_UNIT_UOP", C),
    "st_per_cycle": (1, "ST_UNIT_UOP", C),
    "line_split_pct": (100, "LDST_X64_UOP", (LDST,)),
    "page_split_pct": (100, "LDST_XPG_UOP", (LDST,)),
    "atomic_fail_pct": (100, ATOMIC[1], (ATOMIC,)),
    "atomic_mpki": (1000, (ATOMIC,), I),
    "ldsrc_memsys_pct": (100, "LD_SRC_MEMSYS_NONSPEC", (SOURCES,)),
    "pl2_miss_pct": (100, "PL2_CACHE_MISS", "PL2_CACHE_ACCESS"),
}
PER_SECOND = {"l1d_wb_per_s": "L1D_CACHE_WRITEBACK",
              "sme_entries_per_s": "SME_ENGINE_SM_ENABLE",
              "walk_d_per_s": "MMU_TABLE_WALK_DATA"}
for table, factor, below in ((PER_1000_INSTRUCTIONS, 1000, I),
                             (PERCENT_OF_CYCLES, 100, C)):
    OTHERS.update((k, (factor, v, below)) for k, v in table.items())

# Micro-operations mapped a cycle, by kind; None where nobody knows.
WIDTHS = {"m1": (8, 4), "m2max": (8, 4), "m3": (9, 5), "m4max": (10, 5),
          "m5": (10, None), "m5max": (10, None)}
WIDTHS.update((m, (10, 5)) for m in WITH_RECOVERY)
SHARES = ["retiring_pct", "bad_spec_pct", "frontend_pct", "backend_pct"]
REST = "unaccounted_pct"


def total(counts, what):
    """The first alternative that is counted in full, or None."""
    for names in ((what,),) if isinstance(what, str) else what:
        if all(n in counts for n in names):
            return sum(counts[n] for n in names)
    return None


def expected(row, counts):
    """{metric: value} of all that the row's counts allow."""
    out = {}
    seconds = float(row["interval_s"])
    cycles, work = int(row["cycles"]), int(row["instructions"])
    out["ipc"], out["gips"] = work / cycles, work / 1e9 / seconds
    for name, (factor, above, below) in OTHERS.items():
        a, b = total(counts, above), total(counts, below)
        if a is not None and b:
            out[name] = factor * a / b
    for name, event in PER_SECOND.items():
        if event in counts:
            out[name] = counts[event] / seconds
    if C in counts:  # the slots count user mode here
        out["user_pct"] = min(100, 100 * counts[C] / cycles)
    if C in counts and I in counts and cycles > counts[C]:
        out["kernel_ipc"] = (work - counts[I]) / (cycles - counts[C])
    return out


def arm_slots(counts):
    """Arm's events count slots: no width is needed (kernel, sbsa.json)."""
    slots = counts["MAP_UOP"] + counts["ARM_STALL_SLOT"]
    full = (1 - (counts["ARM_STALL_SLOT_FRONTEND"] +
                 counts["ARM_STALL_SLOT_BACKEND"]) / slots)
    useful = full * counts["RETIRE_UOP"] / counts["MAP_UOP"]
    parts = [useful, full - useful, counts["ARM_STALL_SLOT_FRONTEND"] / slots,
             counts["ARM_STALL_SLOT_BACKEND"] / slots]
    out = {n: 100 * p for n, p in zip(SHARES, parts)}
    out[REST] = 0
    return out


def topdown(row, counts, widths):
    """Apple's four words, by the chip's own events; {} where unknown."""
    if counts.get("ARM_STALL_SLOT"):
        return arm_slots(counts)
    width = widths[int(row["level"])]
    have = {k: total(counts, v) for k, v in
            (("c", C), ("retired", "RETIRE_UOP"), ("stall", STALL),
             ("mapped", MAPPED))}
    if width is None or None in have.values() or not have["c"]:
        return {}
    slots = have["c"] * width
    by_slots = "MAP_DISPATCH_BUBBLE_SLOT" in counts
    rewind = counts["MAP_RECOVERY" if by_slots else "MAP_REWIND"]
    useful = have["retired"] / slots
    processing = have["stall"] / have["c"]
    discarded = max(0, rewind * width + have["mapped"] -
                    have["retired"]) / slots
    if by_slots:
        delivery = counts["MAP_DISPATCH_BUBBLE_SLOT"] / slots
        parts = [useful, discarded, delivery, processing]
        every = max(1, sum(parts))
        out = {n: 100 * p / every for n, p in zip(SHARES, parts)}
        out[REST] = 100 * max(0, 1 - sum(parts))
        return out
    over = max(0, counts["MAP_DISPATCH_BUBBLE"] / have["c"] + discarded +
               processing + useful - 1)
    delivery = 1 - useful - max(0, processing + discarded - over)
    out = {SHARES[0]: 100 * useful, SHARES[2]: 100 * delivery, REST: 0}
    if over == 0:
        out.update({SHARES[1]: 100 * discarded, SHARES[3]: 100 * processing})
    return out


LISTED = {x.split("\t")[0]: x.split("\t")[3]
          for x in Run("--list-metrics").out.splitlines()[1:]}


def summed(text, counts):
    """A side of a formula as it is printed, or None: not all is counted."""
    out = 0
    for sign, term in re.findall(r"(^|[-+] )([^ ]+)", text.strip("()")):
        value = total(counts, tuple(tuple(x.split("+"))
                                    for x in term.split("|")))
        if value is None:
            return None
        out += -value if sign == "- " else value
    return out


def printed(name, row, counts):
    """What --list-metrics says that a metric is; None: in words, or unknown."""
    above, _, below = LISTED[name].rpartition(" / ")
    known = dict(counts, FIXED_CYCLES=int(row["cycles"]),
                 FIXED_INSTRUCTIONS=int(row["instructions"]),
                 WALL_NS=1e9 * float(row["interval_s"]))
    factor, _, above = above.rpartition(" x ")
    if not below or " " in factor:
        return None
    a, b = summed(above, known), summed(below, known)
    value = None if a is None or not b else float(factor or 1) * a / b
    return min(100, value) if name == "user_pct" and value else value


def near(text, want):
    return abs(float(text) - want) <= 2e-8 * abs(want) + 1e-9


def check(row, widths, names, with_recovery):
    """Faults of a row, and how many values were right."""
    if row["cycles"] == "" or row["quality"] != "":
        return [], 0
    counts = {row["e%d" % i]: int(row["c%d" % i]) for i in range(1, 11)
              if row["e%d" % i] != ""}
    if with_recovery and "MAP_STALL" in counts:
        counts["MAP_STALL"] -= counts.get("MAP_REWIND", 0)
    want = expected(row, counts)
    bad = [(row["cpu"], name, want[name], LISTED[name], as_printed)
           for name in want for as_printed in (printed(name, row, counts),)
           if as_printed is None or not near(as_printed, want[name])]
    want.update(topdown(row, counts, widths))
    for name in names:
        # Where the parts claim too much, two of them share the cut.
        if name in (SHARES[1], SHARES[3]) and name not in want:
            continue
        if row[name] != "" and (name not in want or
                                not near(row[name], want[name])):
            bad.append((row["cpu"], name, row[name], want.get(name)))
        if row[name] == "" and name in want:
            bad.append((row["cpu"], name, "missing", want[name]))
    shares = [float(row[x]) for x in SHARES + [REST] if row[x] != ""]
    if shares and abs(sum(shares) - 100) > 1e-6:
        bad.append((row["cpu"], "shares", shares))
    return bad, len([n for n in names if row[n] != ""])


for machine, widths in sorted(WIDTHS.items()):
    seen = set()
    for preset in ("basic", "topdown", "branch", "l1d", "dtlb", "frontend",
                   "stalls", "mix", "ldst", "branchkind", "sync", "ldsrc",
                   "sme"):
        rows = record("--sim", machine + ",seed=1,clock=step", "-n", "6",
                      "-p", preset)
        names = [n for n in rows[0] if n in OTHERS or n in PER_SECOND or
                 n in ("ipc", "gips", "user_pct", "kernel_ipc", REST) or
                 n in SHARES]
        bad, right = [], 0
        for row in rows:
            faults, n = check(row, widths, names, machine in WITH_RECOVERY)
            bad += faults
            right += n
            seen.update(x for x in names if row[x] != "")
        if right > 0:
            ok(not bad, "%s %s: %d values follow from their row" %
               (machine, preset, right), "\n".join(map(str, bad)))
    ok(len(seen) >= 45, "%s: %d metrics were seen" % (machine, len(seen)),
       sorted(seen))

# The same work, counted by the events of two versions of macOS.
for machine in WITH_RECOVERY:
    old, new = (record("--sim", "%s,os=%s,clock=step,work=P:branchy" %
                       (machine.split(",")[0], version), "-n", "4",
                       "-p", "topdown", "--csv-rows", "cpu,kind,machine")
                for version in ("15.5", "26.4"))
    apart = [(a["sample"], a["row"], a["cpu"], n, a[n], b[n])
             for a, b in zip(old, new) for n in SHARES + ["stall_pct"]
             if a[n] and abs(float(a[n]) - float(b[n])) > 0.01]
    ok(not apart and all(a["stall_pct"] for a in old if a["row"] == "machine"),
       "%s: recovery is counted once on macOS 15, too" % machine, apart)

# In user mode hardly anything is pending: the share says nothing then.
user = record("--sim", "m1,clock=step", "-n", "3", "-p", "sync")
ok(all(x["irq_pending_pct"] == "" for x in user),
   "no interrupts pending where only user mode is counted")
every = [x for x in record("--sim", "m1,clock=step,os=14.1", "-n", "3", "-p",
                           "sync") if x["quality"] == ""]
ok(len(every) > 0 and all(
    near(x["irq_pending_pct"], 100 * int(x["c%d" % i]) / int(x["ev_cycles"]))
    for x in every for i in range(1, 9)
    if x["e%d" % i] == "INTERRUPT_PENDING") and
   all(x["user_pct"] == x["user_ipc"] == "" for x in every),
   "where all modes are, they are shown, and no user share is")
finish()
