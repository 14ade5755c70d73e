"""Events of processes in recordings: nothing is made up, nothing is lost."""
import collections
import json
import os
import re
import signal
import subprocess

from tap import KTOP, Run, finish, ok, rows_of, same, samples_of, sim_state

SPEC = "m1,clock=step"
SLOTS = range(1, 11)
TAKEN = "kernel tracing is on"


def record(spec, *more, frames=40):
    return Run("--sim", spec, "--csv", "-", "-n", str(frames), *more)


def events_of(row):
    return {row["e%d" % i]: int(row["c%d" % i]) for i in SLOTS
            if row["c%d" % i] != ""}


def added_up(rows):
    total = collections.Counter()
    for row in rows:
        total.update(events_of(row))
    return total


def seen(row):
    return int(row["event_cycles"] or 0)


# All rows and what is left are what the cores counted, to the unit.
for spec, n in ((SPEC, 5), (SPEC, 4096), ("m2max,clock=step,seed=3", 24)):
    r = record(spec, "--processes=%d" % n, "--trace-processes")
    same(r.code, 0, "%s, %d rows: traced" % (spec, n))
    ok(TAKEN in r.err, "  and said", r.err)
    frames = samples_of(rows_of(r.out))
    bad, whole = [], 0
    for frame in frames:
        cores = [x for x in frame if x["row"] == "cpu"]
        rows = [x for x in frame if x["row"] in ("process", "other-processes")]
        rest = [x for x in frame if x["row"] == "unattributed"]
        want, got = added_up(cores), added_up(rows)
        for event, left in [i for x in rest for i in events_of(x).items()]:
            whole += 1
            if got[event] + left != want[event]:
                bad.append((frame[0]["sample"], event, got[event], left,
                            want[event]))
        for x in rest:
            if x["event_cycles"] != "" and \
                    sum(map(seen, rows + rest)) != \
                    sum(int(c["cycles"] or 0) for c in cores):
                bad.append((frame[0]["sample"], "cycles"))
    same(bad[:3], [], "  with the rest they are the cores' counts")
    ok(whole > 3 * len(frames), "  in most frames", whole)
    rows = [x for f in frames for x in f
            if x["row"] in ("process", "other-processes", "unattributed")]
    total = added_up(x for f in frames for x in f if x["row"] == "cpu")
    part = added_up(x for x in rows if x["row"] != "unattributed")
    ok(all(0.75 * total[e] < part[e] <= total[e] for e in total
           if total[e] > 10**6), "  most of them are some process's",
       [(e, part[e], total[e]) for e in total])

# A process that runs all the time: what was seen of it is what it did, but for
# the last moments of each thread. The simulated system tells that exactly.
own = collections.defaultdict(lambda: [0, 0, 0, 0, 0])
frames = samples_of(rows_of(record(SPEC, "--processes=4096",
                                  "--trace-processes", frames=60).out))
for frame in frames:
    for x in frame:
        if x["row"] == "process" and x["cycles"] != "":
            had = own[x["pid"], x["start"]]
            for i, column in enumerate(("cycles", "instructions",
                                        "event_cycles",
                                        "event_instructions")):
                had[i] += int(x[column] or 0)
            had[4] += 1
busy = {k: v for k, v in own.items()
        if v[4] == len(frames) and v[0] > 3 * 10**9 * len(frames) / 10}
# Threads of the kernel itself are in no sample.
kernel = [busy.pop(k) for k in list(busy) if k[0] == "0"]
ok(not any(v[2] or v[3] for v in kernel), "nothing is said of the kernel's own")
ok(len(busy) >= 2, "some run all the time", busy)
for column, what in ((0, "cycles"), (1, "instructions")):
    off = {k: v[column + 2] / v[column] for k, v in busy.items()
           if not 0.93 <= v[column + 2] / v[column] <= 1.07}
    same(off, {}, "  their %s were seen with their events" % what)

# As any row: a replay has them, and records them again.
with open("first.csv", "w") as f:
    f.write(record(SPEC, "--processes=6", "--trace-processes", frames=8).out)
again = Run("--replay", "first.csv", "--processes=6", "--csv", "-")
same([dict(x, run="") for x in rows_of(again.out)],
     [dict(x, run="") for x in rows_of(open("first.csv").read())],
     "a replay records the same again")

# In batch text their rates stand in the columns that the cores have.
live = Run("--sim", SPEC, "-b", "-n", "8", "--processes=6",
           "--trace-processes").out
played = Run("--replay", "first.csv", "-b", "--processes=6").out
heads = [l for l in live.splitlines() if l.lstrip().startswith("PID ")]
ok("L1D-ld" in heads[-1] and "  br " in heads[-1], "batch text has rates",
   heads[-1])
same(played, live, "  a replay has the same")
one = [l.split() for l in live.splitlines() if l.endswith("  spindump")][-1]
x = [x for x in rows_of(open("first.csv").read())
     if x["process"] == "spindump" and x["event_cycles"]][-1]
had = events_of(x)
want = 1000 * had["BRANCH_MISPRED_NONSPEC"] / had["INST_ALL"]
same(one[heads[-1].replace("IPC P", "IPCP")
         .replace("IPC E", "IPCE").split().index("br")], "%.1f" % want,
     "  made of counts of the same modes")

# A summary adds up the same, and what the cores counted is somewhere.
rows = rows_of(open("first.csv").read())
want = collections.defaultdict(collections.Counter)
for x in rows:
    if x["row"] in ("process", "other-processes"):
        want[x["row"], x["pid"]].update(events_of(x))
told = [x for x in json.loads("[%s]" % ",".join(Run(
    "summary", "--json", "-", "first.csv").out.splitlines()))
        if x.get("unit") == "events"]
got = {(x["row"], str(x["pid"] if x["row"] == "process" else ""),
        x["metric"]): x["whole"] for x in told if x["row"] != "unattributed"}
same({k: v for k, v in got.items() if v},
     {k + (e,): n for k, v in want.items() for e, n in v.items() if n},
     "a summary has the sums of each process")
counted = {x["sample"] for x in rows if x["event_cycles"]}
cores = added_up(x for x in rows
                 if x["row"] == "cpu" and x["sample"] in counted)
part = collections.Counter()
for x in told:
    part[x["metric"]] += x["whole"]
same(part, cores, "  with the rest they are those of the cores")
text = Run("summary", "first.csv").out
ok(re.search(r"^events of processes, seen with [89]\d\.\d%", text, re.M) and
   re.search(r"^  L1D_CACHE_MISS_LD_NONSPEC +\d+\.\d% .*\(\d+\) \d+\.\d "
             r".*of no process$", text, re.M), "  and says who has most", text)

# Two of them, by name: the rate over a whole run, as the summary's counts say.
with open("second.csv", "w") as f:
    f.write(record(SPEC, "--processes=6", "--trace-processes",
                   frames=14).out)


def whole_rate(path, name, event):
    had = added_up(x for x in rows_of(open(path).read())
                   if x["row"] == "process" and x["process"] == name)
    return 1000 * had[event] / had["INST_ALL"]


EVENT = "L1D_CACHE_MISS_LD_NONSPEC"
r = Run("compare", "first.csv", "second.csv", "--csv", "-")
one = [x for x in rows_of(r.out) if x["metric"] == EVENT and
       x["name"] == "spindump"]
same([(x["row"], "%.4f" % float(x["a"]), "%.4f" % float(x["b"])) for x in one],
     [("process", "%.4f" % whole_rate("first.csv", "spindump", EVENT),
       "%.4f" % whole_rate("second.csv", "spindump", EVENT))],
     "compare has the rates of processes by name")
text = Run("compare", "first.csv", "second.csv", "--all").out
ok(re.search("^  %s\n +[0-9.]+ +[0-9.]+ +[-+0-9.]+%%  " % EVENT, text, re.M),
   "  and prints them", text[-3000:])

# Nobody gets it unasked, and who asks for what is not there is told.
r = record(SPEC, "--processes", frames=4)
ok(TAKEN not in r.err and
   not any(x["event_cycles"] or (x["row"] != "cpu" and x["e1"])
           for x in rows_of(r.out)), "without the option nothing is traced")
r = Run("--sim", SPEC, "-b", "-n", "1", "--trace-processes")
same(r.code, 2, "without processes it has nothing to do")
ok("add --processes" in r.err, "  which is said", r.err)
r = Run("--replay", "first.csv", "-b", "--processes", "--trace-processes")
same(r.code, 2, "a recording is not traced")
with open("asks.rc", "w") as f:
    f.write("trace-processes = yes\n")
for args in (("--sim", SPEC, "-b", "-n", "1"), ("--replay", "first.csv", "-b")):
    r = Run("--config", "asks.rc", *args)
    same((r.code, TAKEN in r.err), (0, False),
         "that the config file asks for it is no hindrance: " + args[0])
r = Run("--config", "asks.rc", "--sim", SPEC, "-b", "-n", "1", "--processes")
ok(TAKEN in r.err, "  and is heeded where it can be", r.err)
r = record("m1,fault=ktrace:77@0s", "--processes=3", "--trace-processes",
           "-d", "100ms", frames=3)
same(r.code, 0, "where another tool traces, the rest is recorded")
ok("another tool traces the kernel" in r.err, "  and it is named", r.err)
ok(not any(x["event_cycles"] for x in rows_of(r.out)), "  without events")
r = record("m1,clock=step", "--ipc", "--processes=3", "--trace-processes",
           frames=3)
same(r.code, 0, "without the cores' events there are none of processes")
ok("needs the counters" in r.err, "  which is said", r.err)


# What was taken is given back, however it ends.
def state(name):
    lines = sim_state(name).splitlines()
    return {l for l in lines if l.split(" ")[0] in
            ("ktrace_pid", "ktrace_state", "sampling", "thread_counting")}


FREE = {"ktrace_pid 0", "ktrace_state 0", "sampling 0", "thread_counting 0"}
spec = "m1,state=" + os.path.abspath("ended")
r = record(spec, "--processes=3", "--trace-processes", "-d", "50ms", frames=3)
same(r.code, 0, "a run that ends by itself")
same(state("ended"), FREE, "  lets go of tracing")
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    name = os.path.abspath("by-%d" % number)
    p = subprocess.Popen([KTOP, "--sim", "m1,state=" + name, "--csv", "-",
                          "--processes=3", "--trace-processes", "-d", "50ms"],
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, text=True)
    for line in p.stdout:
        if ",other-processes," in line:
            break
    taken = state(name)
    p.send_signal(number)
    p.stdout.read()
    same(p.wait(), 128 + number, "one that ends by signal %d" % number)
    ok("sampling 1" in taken, "  had traced", taken)
    same(state(name), FREE, "  lets go of tracing")
finish()
