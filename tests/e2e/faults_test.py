"""What goes wrong, and what must stay right: no count lost, none invented."""
import os
import re

import simulated
from counts import S, compare, slots
from tap import Run, finish, ok, rows_of, same


LONG = bool(os.environ.get("KTOP_LONG"))


def play(machine, fault, frames, *more, keys=""):
    spec = "%s,seed=1,clock=step%s%s" % (machine, keys, "".join(
        ",fault=" + x for x in fault.split()))
    r = Run("--sim", spec, "--csv", "-", "-n", str(frames), *more)
    rows = [x for x in rows_of(r.out) if x["row"] == "cpu"]
    mac = simulated.Mac(machine, 1, 2 * frames)
    for row in rows:
        if any(row[c].startswith("-") for c in row):
            ok(False, "%s: nothing is negative" % fault, row)
    return mac, rows, r


def words(row):
    return set(row["quality"].split(";")) - {"", "idle"}


def at(rows, second, cpu):
    """The row of a CPU, `second` s after the start."""
    for x in rows:
        if int(x["sample"]) + 1 == second and int(x["cpu"]) == cpu:
            return x
    raise KeyError((second, cpu))


def shows(rows, cpus, want, name):
    """want: {second: words}; no other words anywhere, empty is never 0."""
    wrong = []
    for x in rows:
        t, cpu = int(x["sample"]) + 1, int(x["cpu"])
        expect = want.get(t, set()) if cpu in cpus else set()
        if words(x) != expect:
            wrong.append((t, cpu, x["quality"], expect))
        if expect & {"off", "stale"}:
            for column in ("cycles", "instructions", "ipc", "c1", "ev_cycles",
                           "event_s"):
                if x[column] != "":
                    wrong.append((t, cpu, column, x[column]))
    ok(not wrong, name, "\n".join(map(str, wrong)))


OFF, STALE, UP = {"off"}, {"stale"}, {"catchup"}
E, P0, P1 = set(range(4)), set(range(4, 8)), set(range(8, 12))


def clusters_off():
    """A cluster at the end of the buffer: its own rows do not come. One at
    the front: its rows are old, and as many at the end are cut off. Where
    the framework copies what it had, these look old as well."""
    window = {3: OFF, 4: OFF, 5: OFF, 6: UP}
    for what, cpus, late in (("P1", P1, set()), ("E", E, P1),
                             ("P0", P0, P1), ("P", P0 | P1, set()),
                             ("cpu11", {11}, set()), ("cpu2", {2}, {11})):
        # A quick run copies rows for a cluster in the front and one behind.
        for keys in ("", ",rows=copied")[:2 if LONG or what in "E P1" else 1]:
            silent = OFF if keys else STALE
            cut = {3: silent, 4: silent, 5: silent, 6: UP}
            mac, rows, _ = play("m2max", "off:%s@3s-6s" % what, 12, keys=keys)
            mac.off = [(cpus, 3 * S, 6 * S)]
            name = "off:" + what + keys
            compare(mac, rows, "u", name)
            shows([x for x in rows if int(x["cpu"]) not in late], cpus,
                  window, "%s: they are off, and no other is" % name)
            shows([x for x in rows if int(x["cpu"]) in late], late, cut,
                  "%s: rows that are withheld are not 0" % name)
    _, rows, _ = play("m2max", "off:P0@0s-60s", 4)
    shows([x for x in rows if int(x["cpu"]) not in P1], P0,
          dict.fromkeys(range(1, 5), OFF), "off from the start")
    shows([x for x in rows if int(x["cpu"]) in P1], P1,
          dict.fromkeys(range(1, 5), STALE),
          "  cores that work are not called off")
    mac, rows, _ = play("m5max", "off:S@2s-4s off:P0@3s-5s", 8)
    mac.off = [(set(range(12, 18)), 2 * S, 4 * S),
               (set(range(6)), 3 * S, 5 * S)]
    compare(mac, rows, "u", "two clusters off in turn")
    mac, rows, r = play("m2max", "off:P1@3s-6s", 8, "--csv-rows",
                        "cpu,cluster,machine")
    groups = [x for x in rows_of(r.out) if x["row"] != "cpu"]
    same([x["n_ok"] for x in groups if x["cluster"] == "P1"],
         ["4", "4", "0", "0", "0", "4", "4", "4"],
         "a cluster says how many of its CPUs came")
    same([x["n_ok"] for x in groups if x["row"] == "machine"],
         ["12", "12", "8", "8", "8", "12", "12", "12"],
         "and so does the machine")


def outages():
    """The kernel refuses to read for a while."""
    everyone = set(range(8))
    for kind, word in (("busy", "EBUSY"), ("eperm", "sudo")):
        mac, rows, r = play("m1", "%s@3s-6s" % kind, 10)
        same(r.code, 0, "%s for a while is no reason to end" % kind)
        mac.unread = (3, 4, 5)
        compare(mac, rows, "u", kind)
        shows(rows, everyone, {3: STALE, 4: STALE, 5: STALE, 6: UP},
              "%s: no row came, none is off" % kind)
        ok(all(x["busy_pct"] != "" for x in rows),
           "%s: busy time goes on" % kind)
        ok(r.err.count("\n") == 1 and word in r.err,
           "%s: said once" % kind, r.err)


def theft():
    mac, rows, r = play("m1", "steal@3s-6s", 12)
    shows(rows, set(range(8)), {t: {"taken-over"} for t in (3, 4, 5, 6)},
          "a theft is flagged within one frame")
    stolen = [x for x in rows if "taken-over" in x["quality"]]
    ok(all(x[c] == "" for x in stolen for c in
           ("c1", "c8", "ev_cycles", "ev_instructions", "branch_mpki",
            "event_s")) and all(x["cycles"] != "" for x in stolen),
       "its counts are not shown as ours; the fixed pair goes on")
    for x in stolen:  # fixed counts only, for these rows
        for i in range(1, 11):
            x["e%d" % i] = ""
    compare(mac, rows, "u", "steal")
    same(r.err.count("another tool has reprogrammed"), 1, "said once")
    mac, rows, r = play("m1", "steal@3s-4s steal@6s-7s", 10)
    same([int(x["sample"]) + 1 for x in rows[::8] if "taken-over" in
          x["quality"]], [3, 4, 6, 7], "and so is the next one")


def turns_without_some():
    """A preset that nothing can be counted of has no turn, also as the first;
    each is named once."""
    with open("turns", "w") as f:
        f.write("[preset atom]\nevents = ATOMIC_OR_EXCLUSIVE_SUCC, "
                "ATOMIC_OR_EXCLUSIVE_FAIL\n")
    fault = ("refuse:ATOMIC_OR_EXCLUSIVE_SUCC@0s "
             "refuse:ATOMIC_OR_EXCLUSIVE_FAIL@0s")
    refused = "macOS refuses every event of preset atom; the other presets rotate"
    none = "preset os: database as9 has none of the events it needs"
    for turns, want, said in (
            ("atom,branch", ["branch"] * 4, [refused]),
            ("os,branch", ["branch"] * 4, [none]),
            ("branch,os,l1d", ["branch", "l1d"] * 2, [none]),
            ("os,atom,l1d,branch", ["l1d", "branch"] * 2, [none, refused]),
            ("atom,os", [""] * 4, ["macOS refuses all 2 events"]),
            ("os,atom", [""] * 4, ["macOS refuses all 2 events"])):
        _, rows, r = play("m6", fault, 4, "--config", "turns", "--rotate",
                          turns)
        same((r.code, [x["preset"] for x in rows if x["cpu"] == "0"]),
             (0, want), "--rotate %s: those that can be counted" % turns)
        ok(r.err.count("\n") == len(said) and all(x in r.err for x in said),
           "  and the others are named, once", r.err)


def refusals():
    """What macOS refuses is left out, and named; the others count."""
    mac, rows, r = play("m1", "refuse:L1I_CACHE_MISS_DEMAND@0s", 6)
    places = {(e, count == "") for x in rows for e, count in slots(x)}
    ok(("L1I_CACHE_MISS_DEMAND", True) in places and
       ("L1I_CACHE_MISS_DEMAND", False) not in places,
       "a refused event has a place, and no count", places)
    for x in rows:  # the others
        for i in range(1, 11):
            if x["e%d" % i] == "L1I_CACHE_MISS_DEMAND":
                x["e%d" % i] = ""
    compare(mac, rows, "u", "one event refused")
    same({(x["preset"], x["l1i_mpki"], x["branch_mpki"] == "") for x in rows
          if "idle" not in x["quality"]}, {("basic", "", False)},
         "a refused event is left out, the others count")
    same(r.err, "ktop: macOS refuses L1I_CACHE_MISS_DEMAND; the metrics that need "
         "it are omitted\n", "and is named, once")
    _, rows, r = play("m1", "refuse:0x8c@0s", 3)
    same({(x["preset"], x["ipc"] == "") for x in rows
          if "idle" not in x["quality"]}, {("basic", False)},
         "by number as well")
    ok("macOS refuses INST_ALL;" in r.err, "  with its name", r.err)
    _, rows, r = play("m1", "refuse:INST_ALL@0s refuse:CORE_ACTIVE_CYCLE@0s "
                      "refuse:INST_BRANCH@0s", 3, "-p", "branch")
    name = "(INST_ALL|CORE_ACTIVE_CYCLE|INST_BRANCH)"
    ok(re.search("macOS refuses %s, (?!\\1)%s and 1 more; the metrics that need "
                 "them are omitted\n" % (name, name), r.err),
       "all are found at once", r.err)
    mac, rows, r = play("m1", "refuse:INST_BRANCH@0s", 6, "--rotate",
                        "basic,branch")
    same((r.code, {x["preset"] for x in rows}), (0, {"basic", "branch"}),
         "a preset without one of its events takes its turn")
    ok("macOS refuses INST_BRANCH;" in r.err, "and says what it lacks", r.err)
    mac, rows, r = play("m1", "refuse:*@0s", 3)
    compare(mac, rows, "u", "all refused")
    same((r.code, {x["preset"] for x in rows}), (0, {""}),
         "where all are refused the fixed counters only count")
    ok("macOS refuses all 8 events of this set (database a14); cycles and "
       "instructions still count (fixed counters only). Please send `sudo ktop doctor`"
       in r.err and r.err.count("\n") == 1, "  said once", r.err)
    mac, rows, r = play("m1", "refuse:*@500ms", 6, "--rotate", "basic,branch")
    same((r.code, {x["preset"] for x in rows}), (0, {"basic"}),
         "a swap that is refused leaves the old set running")
    turns_without_some()
    for code, fault, word in ((3, "eperm@0s", "sudo"), (4, "busy@0s",
                                                         "EBUSY")):
        _, rows, r = play("m1", fault, 3)
        same((r.code, rows), (code, []), "%s ends with %d" % (fault, code))
        ok(r.err.count("\n") == 1 and word in r.err, "in one line", r.err)
    _, rows, r = play("m1", "taken@0s", 3)
    same((r.code, {x["preset"] for x in rows}), (0, {""}),
         "taken counters leave the fixed counters only")
    ok("EACCES" in r.err and "quit Instruments" in r.err, "with the remedy", r.err)
    calm = Run("--sim", "m1,seed=1,clock=step", "--csv", "-", "-n", "6")
    _, _, r = play("m1", "taken@3s-5s", 6)
    calm, r = ([dict(x, run="") for x in rows_of(y.out)] for y in (calm, r))
    same(r, calm, "who has the counters does not lose them")
    r = Run("--sim", "vm,clock=step", "--csv", "-", "-n", "2")
    rows = rows_of(r.out)
    same((r.code, {(x["cycles"], x["ipc"], x["quality"]) for x in rows}),
         (0, {("", "", "")}), "without kpc there is busy time only")
    ok(all(x["busy_pct"] != "" for x in rows) and "has no counters" in r.err,
       "and it says why", r.err)
    r = Run("--sim", "vm,clock=step", "--csv", "-", "-n", "2",
            "--require-pmu")
    same((r.code, r.out), (5, ""), "--require-pmu makes that an error")


def without(rows, event):
    """Rows for compare(), but for a slot that counts nothing."""
    for x in rows:
        for i in range(1, 11):
            if x["e%d" % i] == event:
                x["e%d" % i] = ""
    return rows


def of_fixed(x, metric, event, scale, fixed, off=1e-8):
    """Is it the event's count over the fixed counter's?"""
    count = dict(slots(x)).get(event, "")
    if x[metric] == "" or count == "":
        return x[metric] == count == ""
    want = scale * int(count) / int(x[fixed])
    return abs(float(x[metric]) - want) <= off * want


def dead():
    """What is taken and counts nothing is no 0; the others stay exact."""
    said = "ktop: event %s counts nothing here, though programs run;"
    mac, rows, r = play("m1", "dead:INST_ALL@0s", 6)
    busy = [x for x in rows if "idle" not in x["quality"]]
    same({(e, c == "") for x in busy for e, c in slots(x) if e == "INST_ALL"},
         {("INST_ALL", True)}, "an event that counts nothing has no count")
    same({(x["user_ipc"], x["kernel_ipc"]) for x in busy}, {("", "")},
         "and no mode's IPC is made of it")
    ok(all(of_fixed(x, "branch_mpki", "BRANCH_MISPRED_NONSPEC",
                    1000, "instructions") for x in busy),
       "rates are of the instructions of all modes")
    same({x["note"] for x in busy}, {"counts nothing: INST_ALL"},
         "  and the note of each row says so")
    ok(all(x["ipc"] and x["stall_pct"] and x["user_pct"] for x in busy),
       "what does not need it is there")
    compare(mac, without(rows, "INST_ALL"), "u", "one event dead")
    same((r.err.count(said % "INST_ALL"), r.err.count("\n")), (1, 1),
         "it is said, once")
    mac, rows, r = play("m1", "dead:CORE_ACTIVE_CYCLE@2s-5s", 9)
    one = [x for x in rows if x["cpu"] == "4"]
    same([int(x["sample"]) + 1 for x in one
          if x["note"] == "counts nothing: CORE_ACTIVE_CYCLE" and
          of_fixed(x, "stall_pct", "MAP_STALL", 100, "cycles")],
         [3, 4, 5], "one that stops, and counts again")
    same({x["note"] for x in one},
         {"", "counts nothing: CORE_ACTIVE_CYCLE"}, "  with no other note")
    for x in rows:
        if 3 <= int(x["sample"]) + 1 <= 5:
            without([x], "CORE_ACTIVE_CYCLE")
    compare(mac, rows, "u", "dead for a while")
    same(r.err.count(said % "CORE_ACTIVE_CYCLE"), 1, "said once as well")
    mac, rows, r = play("m1", "dead:INST_ALL@0s", 8, "--rotate",
                        "basic,branch")
    same(r.err.count(said % "INST_ALL"), 1, "and in sets that take turns")
    ok(all(of_fixed(x, "branch_mpki", "BRANCH_MISPRED_NONSPEC", 1000,
                    "instructions", 1e-3) for x in rows
           if x["branch_mpki"] != ""),
       "  of all modes there, too")
    mac, rows, r = play("m1", "dead:INST_ALL@0s", 12, "--events", "INST_ALL")
    same(r.err.count(said % "INST_ALL"), 1, "where nothing else is counted")
    same({c for x in rows if "idle" not in x["quality"]
          for e, c in slots(x)}, {""}, "  it is no 0 either")
    mac, rows, r = play("m1", "dead:L2_TLB_MISS_DATA@0s", 6, "--preset",
                        "dtlb")
    same(r.err, "", "a rare event may well be 0: nothing is said")
    ok(any(x["l2tlb_d_mpki"] != "" for x in rows), "  and its 0 is a number")


def marked():
    """A number that is divided by another mode's count has its mark."""
    spec = ("--sim", "m1,clock=step,seed=7,fault=dead:INST_ALL@0s", "-n", "4")
    text, page = "dead.csv", "dead.page"
    r = Run(*spec, "-b", "--csv", text, "--openmetrics", page)
    marks = re.findall(r"[0-9.]+\^", r.out)
    ok(len(marks) > 30, "in batch", r.out[-400:])
    shown = Run("--replay", text, "-b")
    same(re.findall(r"[0-9.]+\^", shown.out), marks, "in a replay")
    again = Run("--replay", text, "--csv", "-").out.splitlines()
    with open(text) as f:
        rows = f.read().splitlines()
    same([x.split(",")[3:] for x in again],
         [x.split(",")[3:] for x in rows], "recorded again as it was")
    with open(page) as f:
        metrics = set(re.findall(r"^ktop_(\w+)", f.read(), re.M))
    ok("cpu_ipc" in metrics and "cpu_stall_pct" in metrics and
       "cpu_branch_mpki" not in metrics, "a page has no place for a mark",
       metrics)
    r = Run("summary", text)
    ok("stall_pct" in r.out and "branch_mpki" not in r.out,
       "nor has a summary", r.out)
    plain = Run("--sim", "m1,os=14.0,clock=step,seed=7", "-n", "4", "--csv",
                "-")
    dead = Run("--sim", "m1,os=14.0,clock=step,seed=7,fault=dead:INST_ALL@0s",
               "-n", "4", "--csv", "-")
    same([x["branch_mpki"] for x in rows_of(dead.out)],
         [x["branch_mpki"] for x in rows_of(plain.out)],
         "where the slots count all modes the fixed counter is the same")


def alive():
    """Nothing that counts is called dead, however little there is of it."""
    machines = ["m1", "m1max", "m2max", "m3", "m4", "m5", "m6", "m1,os=14.0"]
    presets = ["basic", "topdown", "branch", "frontend"]
    if LONG:
        presets += ["l1d", "dtlb", "stalls", "mix", "ldst", "branchkind",
                    "sync", "ldsrc", "sme", "os"]
    wrong = []
    for machine in machines:
        for preset in presets:
            r = Run("--sim", machine + ",clock=step,seed=5", "--csv", "-",
                    "-n", "60", "-i", "250ms", "-p", preset)
            if "counts nothing" in r.err:
                wrong.append((machine, preset, r.err))
    ok(not wrong, "nothing alive is called dead", wrong)


def times():
    mac, rows, _ = play("m1", "sleep@3s-10s", 8)
    shows(rows, set(range(8)), {3: {"gap"}}, "sleep is a gap")
    same([x["elapsed_s"] for x in rows[::8]],
         ["%d.0" % i for i in (1, 2, 10, 11, 12, 13, 14, 15)],
         "elapsed time runs through it")
    same({x["interval_s"] for x in rows}, {"1.0"}, "the counts' time does not")
    same(rows[16]["time"], "2026-01-01T00:00:10.000Z", "the wall clock does")
    compare(mac, rows, "u", "sleep")
    mac, rows, r = play("m1", "slow:50ms@3s-4s", 8)
    taken = [(float(x["elapsed_s"]), float(x["interval_s"]))
             for x in rows[::8]]
    ok(all(abs(b[0] - a[0] - b[1]) < 1e-9 for a, b in zip(taken, taken[1:]))
       and max(i for _, i in taken) > 1.05,
       "slow calls: rates use the time that really passed", taken)
    start, slow = 0, 0
    for x in rows[::8]:  # read at the end of the interval it says
        t = round(float(x["elapsed_s"]) * S)
        slow += float(x["interval_s"]) > 1.04
        # The first reading that takes long is done once more.
        answers = 2 if slow == 1 and float(x["interval_s"]) > 1.04 else 1
        want = (mac.count(0, "FIXED_CYCLES", t, answers) -
                mac.count(0, "FIXED_CYCLES", start))
        if x["cycles"] != str(want):
            ok(False, "slow calls: exact counts", (x["cycles"], want))
        start = t
    ok(True, "slow calls: exact counts")


clusters_off()
outages()
theft()
refusals()
dead()
marked()
alive()
times()
finish()
