"""ktop's tables of Linux events and formulas against the vendors' own lists.

KTOP_VENDORS names folders (with a colon between them) that hold any of: a
checkout of intel/perfmon, the kernel's tools/perf/pmu-events/arch, Arm's data
(ARM-software/data). Without it there is nothing to compare with.
"""
import glob
import json
import os
import re

from tap import finish, ok, skip, table

FOLDERS = [f for f in os.environ.get("KTOP_VENDORS", "").split(":") if f]
CHECKED = set()

# Where each family's events are listed: ends of paths.
FILES = {
    "golden-cove": ["SPR/events/*_core.json", "EMR/events/*_core.json",
                    "ADL/events/*goldencove_core.json", "x86/sapphirerapids/*"],
    "redwood-cove": ["MTL/events/*redwoodcove_core.json",
                     "GNR/events/*_core.json", "x86/graniterapids/*"],
    "lion-cove": ["LNL/events/*lioncove_core.json",
                  "ARL/events/*lioncove_core.json",
                  "PTL/events/*cougarcove_core.json"],
    "ice-lake": ["ICX/events/*_core.json", "ICL/events/*_core.json",
                 "TGL/events/*_core.json", "x86/icelakex/*"],
    "skylake": ["SKX/events/*_core.json", "SKL/events/*_core.json",
                "CLX/events/*_core.json", "x86/skylakex/*"],
    "gracemont": ["ADL/events/*gracemont_core.json", "x86/alderlaken/*"],
    "crestmont": ["MTL/events/*crestmont_core.json", "SRF/events/*_core.json",
                  "GRR/events/*_core.json", "x86/sierraforest/*"],
    "skymont": ["LNL/events/*skymont_core.json",
                "ARL/events/*skymont_core.json"],
    "darkmont": ["PTL/events/*darkmont_core.json", "CWF/events/*_core.json"],
    "intel": ["HSW/events/*_core.json", "NVL/events/*_core.json"],
    "zen1": ["x86/amdzen1/*"], "zen2": ["x86/amdzen2/*"],
    "zen3": ["x86/amdzen3/*"], "zen4": ["x86/amdzen4/*"],
    "zen5": ["x86/amdzen5/*"], "zen6": ["x86/amdzen6/*"],
    "pmuv3": ["pmu/common_armv9.json", "arm64/common-and-microarch.json"],
    "neoverse-n3": ["pmu/neoverse-n3.json", "arm/neoverse-n3/*"],
    "neoverse-v3": ["pmu/neoverse-v3.json", "arm/neoverse-v3/*"],
}
for arm in ("neoverse-n2", "neoverse-n2-r0p3", "neoverse-v1", "neoverse-v2",
            "ampereone"):
    FILES[arm] = FILES["pmuv3"]

# What the vendors call that which ktop calls so.
NAMES = {
    "INST_BRANCH": "BR_INST_RETIRED.ALL_BRANCHES|ex_ret_brn",
    "BRANCH_MISPRED_NONSPEC": "BR_MISP_RETIRED.ALL_BRANCHES|ex_ret_brn_misp",
    "INST_BRANCH_TAKEN": "ex_ret_brn_tkn",
    "LLC_MISS": "LONGEST_LAT_CACHE.MISS",
    "LLC_REF": "LONGEST_LAT_CACHE.REFERENCE",
    "L1D_CACHE_MISS_LD_NONSPEC": "MEM_LOAD(_UOPS)?_RETIRED.L1_MISS",
    "INST_LOAD": "MEM_(INST|UOPS)_RETIRED.ALL_LOADS",
    "L2_MISS": "L2_RQSTS.MISS|L2_RQSTS.ALL_DEMAND_MISS|L2_REQUEST.MISS|"
               "MEM_LOAD_UOPS_RETIRED.L2_MISS|"
               "l2_cache_req_stat.ic_dc_miss_in_l2",
    "L2_REF": "L2_RQSTS.(REFERENCES|ALL_DEMAND_REFERENCES)|"
              "l2_request_g1.all_no_prefetch|l2_request_g1.no_pf_all",
    "L2_MISS_CODE": "L2_RQSTS.CODE_RD_MISS",
    "LOAD_BEYOND_L2": "MEM_LOAD_UOPS_RETIRED.(L3_HIT|DRAM_HIT)",
    "L2_TLB_MISS_DATA": "DTLB_LOAD_MISSES.WALK_COMPLETED|"
                        "ls_l1_d_tlb_miss.(all_l2_miss|l2_miss_all)|"
                        "l2_dtlb_misses",
    "L2_TLB_MISS_INSTRUCTION": "ITLB_MISSES.WALK_COMPLETED|"
                               "bp_l1_tlb_miss_l2_(tlb_)?miss(.all)?",
    "L1D_TLB_FILL": "ls_l1_d_tlb_miss.all",
    "L1I_TLB_HIT_L2": "bp_l1_tlb_miss_l2_(tlb_)?hit",
    "MAP_DISPATCH_BUBBLE_IC": "ICACHE_DATA.STALLS|ICACHE_16B.IFDATA_STALL",
    "L1I_CACHE_MISS_DEMAND": "ICACHE.MISSES|ic_fw32_miss|"
                             "ic_tag_hit_miss.instruction_cache_miss",
    "L1I_ACCESS": "ICACHE.ACCESSES|ic_fw32|"
                  "ic_tag_hit_miss.all_instruction_cache_accesses",
    "CORE_CYCLE_PART": "CPU_CLK_UNHALTED.DISTRIBUTED",
    "CORE_CYCLE_ANY": "CPU_CLK_UNHALTED.THREAD_P_ANY",
    "L1D_FILL": "ls_any_fills_from_sys.all|l1_data_cache_fills_all|"
                "l2_cache_accesses_from_dc_misses",
    "DRAM_FILL": "ls_any_fills_from_sys.(all_dram_io|dram_io_all)|"
                 "l1_data_cache_fills_from_memory",
    "L1D_ACCESS": "ls_dispatch.all|ls_dc_accesses|all_data_cache_accesses",
    "SLOT_USEFUL": "TOPDOWN_RETIRING.ALL.*|UOPS_RETIRED.RETIRE_SLOTS|"
                   "ex_ret_ops",
    "SLOT_DISCARDED": "TOPDOWN_BAD_SPECULATION.ALL.*",
    "SLOT_DELIVERY": "TOPDOWN_FE_BOUND.ALL.*|IDQ_UOPS_NOT_DELIVERED.CORE|"
                     "de_no_dispatch_per_slot.no_ops_from_frontend",
    "SLOT_PROCESSING": "TOPDOWN_BE_BOUND.ALL.*|"
                       "de_no_dispatch_per_slot.backend_stalls",
    "SLOT_DISPATCHED": "UOPS_ISSUED.ANY|de_src_op_disp.all",
    "SLOT_SMT": "de_no_dispatch_per_slot.smt_contention",
    "SLOT_RECOVERY": "INT_MISC.UOP_DROPPING|STALL_FRONTEND_FLUSH|BR_MIS_PRED",
    "SLOT_RECOVERY_BACK": "INT_MISC.RECOVERY_CYCLES",
    "SLOT_CLEARED": "INT_MISC.CLEARS_COUNT",
}

# Of every Intel core, whether its list has them or not.
ARCHITECTURAL = ("INST_BRANCH", "BRANCH_MISPRED_NONSPEC", "LLC_MISS",
                 "LLC_REF")

# What the vendors' formulas say of which ktop's rows are made.
FORMULAS = [
    ("golden-cove", "*/metrics/*", "Frontend_Bound",
     "- INT_MISC.UOP_DROPPING", ["SPR", "ADL", "EMR"]),
    ("golden-cove", "*/metrics/*", "Bad_Speculation", r"max\( ?1 - \(",
     ["SPR", "ADL", "EMR"]),
    ("redwood-cove", "*/metrics/*", "Frontend_Bound",
     "- INT_MISC.UOP_DROPPING", ["MTL", "GNR"]),
    ("lion-cove", "*/metrics/*", "Frontend_Bound",
     r"^((?!UOP_DROPPING).)*$", ["LNL", "ARL"]),
    ("ice-lake", "*/metrics/*", "Backend_Bound",
     r"\( ?5 ?\) \* INT_MISC.CLEARS_COUNT", ["ICX", "ICL"]),
    ("ice-lake", "*/metrics/*", "Frontend_Bound", "- INT_MISC.UOP_DROPPING",
     ["ICX", "ICL"]),
    ("skylake", "*/metrics/*", "Bad_Speculation",
     r"UOPS_ISSUED.ANY - \( ?UOPS_RETIRED.RETIRE_SLOTS ?\) \+ \( ?{width} ?\)"
     r".*INT_MISC.RECOVERY_CYCLES", ["SKX", "SKL", "CLX"]),
    ("gracemont", "x86/*/*", "tma_bad_speculation",
     r"\({width} \* CPU_CLK_UNHALTED.CORE - \(", ["alderlaken"]),
    ("crestmont", "*/metrics/*", "Bad_Speculation",
     r"TOPDOWN_BAD_SPECULATION.ALL_P / \( \( {width} ?\)", ["SRF", "GRR"]),
] + [
    (zen, "x86/*/*", metric, regex, ["amd" + zen])
    for zen in ("zen4", "zen5", "zen6") for metric, regex in (
        ("total_dispatch_slots", r"^{width} \* ls_not_halted_cyc"),
        ("bad_speculation", "de_src_op_disp.all - ex_ret_ops"),
        ("smt_contention", "de_no_dispatch_per_slot.smt_contention"))
] + [
    (n2, "arm/*/*", metric, regex, ["neoverse-n2-v2"])
    for n2 in ("neoverse-n2", "neoverse-n2-r0p3", "neoverse-v2")
    for metric, regex in (
        ("frontend_bound", r"STALL_SLOT_FRONTEND\) if .*0x410fd493.* else "
         r"\(STALL_SLOT_FRONTEND - CPU_CYCLES.* - \(BR_MIS_PRED / CPU_CYC"),
        ("backend_bound", r"- \(\(BR_MIS_PRED \* 3\) / CPU_CYCLES"),
        ("bad_speculation", r"\+ \(\(BR_MIS_PRED \* 4\) / CPU_CYCLES"))
] + [
    ("neoverse-v1", "arm/*/*", "frontend_bound",
     r"CPU_CYCLES \* 8\)\) - \(\(BR_MIS_PRED \* 4\)", ["neoverse-v1"]),
    ("neoverse-v3", "arm/*/*", "frontend_bound",
     r"STALL_SLOT_FRONTEND / \(10 .* - STALL_FRONTEND_FLUSH / CPU_CYCLES",
     ["neoverse-v3"]),
    ("neoverse-n3", "arm/*/*", "frontend_bound",
     r"STALL_SLOT_FRONTEND / \(5 .* - STALL_FRONTEND_FLUSH / CPU_CYCLES",
     ["neoverse-n3"]),
    ("ampereone", "ampere/*/*", "frontend_bound", r"^100 - \(retired_",
     ["ampereone", "ampereonex"]),
]


def paths(pattern):
    return sorted(p for f in FOLDERS for p in glob.glob(
        os.path.join(f, "**", pattern), recursive=True)
        if p.endswith(".json"))


def load(path):
    with open(path, encoding="utf-8") as f:
        whole = json.load(f)
    CHECKED.add(path)
    if isinstance(whole, dict):
        whole = next((whole[k] for k in ("Events", "Metrics", "events")
                      if k in whole), [])
    return [e for e in whole if isinstance(e, dict)]


def number(text):
    try:
        return int(str(text).split(",")[0], 0)
    except ValueError:
        return 0


def code_of(event):
    """(event, umask, cmask, edge, any) of a vendor's event."""
    if "code" in event:
        return (event["code"], 0, 0, 0, 0)
    return (number(event.get("EventCode", "")),
            number(event.get("UMask", 0)) |
            number(event.get("UMaskExt", 0)) << 8,
            number(event.get("CounterMask", 0)),
            number(event.get("EdgeDetect", 0)),
            number(event.get("AnyThread", 0)))


def code_of_ours(native):
    terms = dict(t.split("=") for t in native.split(","))
    return tuple(number(terms.get(t, 0))
                 for t in ("event", "umask", "cmask", "edge", "any"))


def name_of(event):
    return event.get("EventName") or event.get("ArchStdEvent") or \
        event.get("name") or ""


def names_of_code(code, by_code):
    """The vendor's names of it, or of the masks that make it up together."""
    if code in by_code:
        return by_code[code]
    parts = [c for c in by_code if c[0] == code[0] and c[2:] == code[2:] and
             c[1] != 0 and c[1] & ~code[1] == 0]
    bits = 0
    for c in parts:
        bits |= c[1]
    return [None] if len(parts) > 1 and bits == code[1] else []


def check_list(family, rows, group, files):
    """No code may mean something else; the newest lists have each of them."""
    events = [e for f in files for e in load(f)]
    names = {name_of(e).upper() for e in events}
    by_code, wrong = {}, []
    for e in events:
        if "EventCode" in e or "code" in e:
            by_code.setdefault(code_of(e), []).append(name_of(e))
    if not by_code:
        return
    for name, native in rows:
        if native.startswith("@"):
            found = [None] if native[1:].upper() in names else []
        else:
            found = names_of_code(code_of_ours(native), by_code)
        absent = found == []
        if (absent and not group.endswith(".json")) or \
                (absent and name in ARCHITECTURAL):
            print("# %s does not list %s %s" % (short(group), name, native))
        elif not any(f is None or re.match("(%s)$" % NAMES[name], f)
                     for f in found):
            wrong.append("%s %s: %s" % (name, native, found))
    ok(not wrong, "%s: events are those of %s" % (family, short(group)),
       "\n".join(wrong))


def check_events(family, rows):
    """A list is a file, or a folder of the kernel's."""
    groups = {}
    for pattern in FILES[family]:
        for p in paths(pattern):
            one = os.path.dirname(p) if "/arch/" in p else p
            groups.setdefault(one, []).append(p)
    if not groups:
        skip("%s: events" % family, "no list of them in KTOP_VENDORS")
    for group, files in sorted(groups.items()):
        check_list(family, rows, group, files)


def short(path):
    return "/".join(path.split("/")[-3:])


def text_of(metric):
    """A formula with the names of its events in place of letters."""
    if "Formula" not in metric:
        return metric.get("MetricExpr", "")
    alias = {e["Alias"]: e["Name"] for e in metric.get("Events", [])}
    return re.sub(r"\b[a-z]\b", lambda m: alias.get(m.group(), m.group()),
                  metric["Formula"])


def check_formula(family, pattern, metric, regex, parts, width):
    files = [p for p in paths(pattern)
             if any("/%s/" % part in p for part in parts)]
    texts = [(p, text_of(m)) for p in files for m in load(p)
             if metric in (m.get("MetricName"), m.get("ArchStdEvent"),
                           m.get("LegacyName"))
             and ("Formula" in m or "MetricExpr" in m)]
    if not texts:
        skip("%s: %s" % (family, metric), "no formula of it in KTOP_VENDORS")
    for path, text in texts:
        ok(re.search(regex.replace("{width}", str(width)), text),
           "%s: %s is as in %s" % (family, metric, short(path)), text)


if not FOLDERS:
    skip("tables of Linux events", "KTOP_VENDORS names no folder of "
         "vendors' lists")
    finish()

TABLE = {}
WIDTH = {}
for family, name, native, plus, config in table("events"):
    TABLE.setdefault(family, []).extend(
        (name, n) for n in (native, plus) if n)
    if name == "SLOT_TOTAL":
        WIDTH[family] = config

for family in FILES:
    rows = [(n, c) for n, c in TABLE[family]
            if c.startswith("event=") or (
                c.startswith("@") and family in ("pmuv3",))]
    check_events(family, rows)
for formula in FORMULAS:
    check_formula(*formula, width=WIDTH.get(formula[0], "?"))
print("# checked against %d files:" % len(CHECKED))
for p in sorted(CHECKED):
    print("#   " + short(p))
finish()
