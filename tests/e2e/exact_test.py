"""Every count of a recording against the formulas of docs/SIMULATION.md."""
import os

import simulated
from counts import S, compare, slots
from tap import finish, ok, record, same

LONG = bool(os.environ.get("KTOP_LONG"))


def busy(mac, rows, name):
    """busy_pct from ticks of 10 ms, ghz as cycles over busy time."""
    wrong, checked = [], 0
    for row in rows:
        cpu, t = int(row["cpu"]), (int(row["sample"]) + 1) * S
        if row["quality"] != "" or row["busy_pct"] == "":
            continue
        u, k, idle = (b - a for a, b in zip(mac.cycles(cpu, t - S)[1],
                                            mac.cycles(cpu, t)[1]))
        want = 100 * (u + k) / (u + k + idle)
        checked += 1
        if abs(float(row["busy_pct"]) - want) > 1e-6 * max(want, 1):
            wrong.append((row["sample"], cpu, row["busy_pct"], want))
        if row["ghz"] == "":
            continue
        want = int(row["cycles"]) / S / (want / 100)
        if abs(float(row["ghz"]) - want) > 1e-6 * want:
            wrong.append((row["sample"], cpu, row["ghz"], want))
    ok(not wrong and checked > 0, "%s: busy%% and GHz of %d rows" %
       (name, checked), "\n".join(map(str, wrong)))


def sums(rows, name):
    """Clusters, kinds and the machine are the sums of their CPUs that came."""
    wrong, checked = [], 0
    cores = [x for x in rows if x["row"] == "cpu"]
    for row in rows:
        if row["row"] == "cpu":
            continue
        mine = [x for x in cores if x["sample"] == row["sample"] and
                (row["row"] == "machine" or x[row["row"]] == row[row["row"]])]
        came = [x for x in mine if x["cycles"] != ""]
        if (int(row["n_cpus"]), int(row["n_ok"])) != (len(mine), len(came)):
            wrong.append((row["sample"], row["row"], row["n_cpus"],
                          row["n_ok"], len(mine), len(came)))
        keys = ["cycles", "instructions", "ev_cycles", "ev_instructions"]
        keys += ["c%d" % i for i in range(1, 11)]
        for key in keys:
            have = [int(x[key]) for x in came if x[key] != ""]
            want = str(sum(have)) if have else ""
            checked += 1
            if row[key] != want:
                wrong.append((row["sample"], row["row"], key, row[key], want))
        if row["ipc"] != "" and came:
            want = (sum(int(x["instructions"]) for x in came) /
                    sum(int(x["cycles"]) for x in came))
            if abs(float(row["ipc"]) - want) > 1e-8 * want:
                wrong.append((row["sample"], row["row"], "ipc", row["ipc"]))
    ok(not wrong and checked > 0, "%s: %d sums of groups" % (name, checked),
       "\n".join(map(str, wrong)))


def run(machine, seed, frames, *more, work=None, keys=""):
    mac = simulated.Mac(machine, seed, frames, work)
    spec = "%s,seed=%d,clock=step%s" % (machine, seed, keys)
    rows = record("--sim", spec, "-n", str(frames), *more)
    name = " ".join([spec] + [x for x in more if x != "--csv-rows"])
    return mac, rows, name


same([simulated.draw(0, 0, 0, 0) != 0, simulated.cut(-7, 2)], [True, -3],
     "the formulas' own arithmetic")
ALL = ("--csv-rows", "cpu,cluster,kind,machine")
FRAMES = 30 if LONG else 10
for machine, seed in (("m1", 7), ("m5ultra", 3), ("m6", 5), ("m5max", 20),
                      ("m1", 1), ("m5max", 1), ("neo", 2))[:7 if LONG else 3]:
    mac, rows, name = run(machine, seed, FRAMES, *ALL)
    same(len([x for x in rows if x["row"] == "cpu"]),
         FRAMES * len(mac.kind_of), "%s: a row a CPU a frame" % name)
    compare(mac, [x for x in rows if x["row"] == "cpu"], "u", name)
    busy(mac, [x for x in rows if x["row"] == "cpu"], name)
    sums(rows, name)

# Programs of a known nature, one each, next to cores that do drawn work.
work = dict(enumerate(("phases", *simulated.NATURES)))
mac, rows, name = run("m6", 6, 25, "-p", "frontend", work=work,
                      keys="".join(",work=cpu%d:%s" % x for x in work.items()))
compare(mac, rows, "u", name)
busy(mac, rows, name)

# IPC mode reads the fixed pair only; the reads cost the same.
for machine, seed in (("m1", 3), ("m5max", 4)):
    mac, rows, name = run(machine, seed, 12, "--ipc")
    compare(mac, rows, "u", name)
    ok(not any(slots(x) for x in rows), "%s: no slots" % name)

# A macOS that counts all modes: the reads' own cost is in the slots too.
mac, rows, name = run("m1", 2, 12, keys=",os=14.1")
same({x["domain"] for x in rows}, {"all"}, "%s: domain" % name)
compare(mac, rows, "uk", name)

# A cluster that naps: nothing is lost, and no other core is touched.
for seed in (1, 5)[:2 if LONG else 1]:
    mac, rows, name = run("m2max", seed, 60, *ALL)
    mac.nap(60)
    start, end = mac.off[0][1] // S, mac.off[0][2] // S
    core = [x for x in rows if x["row"] == "cpu"]
    compare(mac, core, "u", name)
    busy(mac, core, name)
    sums(rows, name)
    off = {(int(x["cpu"]), int(x["sample"]) + 1) for x in core
           if "off" in x["quality"].split(";")}
    ok({(c, t) for c in (8, 9, 10, 11) for t in range(start, end)} <= off,
       "%s: P1 is off from %d to %d s" % (name, start, end), sorted(off))
    same({c for c, _ in off}, {8, 9, 10, 11}, "%s: and no other" % name)

# Every preset of every generation counts what the page says.
for machine in ("m1", "m3", "m4max", "m5") if LONG else ("m4max",):
    mac = simulated.Mac(machine, 1, 3)
    for preset in ("topdown", "branch", "l1d", "dtlb", "frontend", "stalls",
                   "mix", "ldst", "branchkind", "sync", "ldsrc", "sme"):
        rows = record("--sim", machine + ",seed=1,clock=step", "-n", "3",
                      "-p", preset)
        if not any(slots(x) for x in rows):
            continue
        compare(mac, rows, "u", "%s %s" % (machine, preset))
finish()
