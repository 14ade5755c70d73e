"""What a person adds (presets, events by name) is everywhere."""
import csv

from tap import Run, finish, ok, rows_of, same

RC = """[preset mine]
events = INST_ALL, INST_BRANCH
text = how many branches are there
[preset mine2]
key = 9
metrics = branch_pct
"""
with open("rc", "w") as f:
    f.write(RC)
OWN = ("--config", "rc")
SIM = ("--sim", "m1,seed=1,clock=step")


def table(*args):
    return [x.split("\t") for x in Run(*args).out.splitlines()]


# ---- lists ----
got = {x[0]: x for x in table(*OWN, "--list-presets")}
same(got["mine"][3:], ["", "INST_ALL,INST_BRANCH", "own"],
     "--list-presets has an own set of events")
same(got["mine2"][1:], ["9", "own preset", "branch_pct", "", "own"],
     "and one of metrics")
same(got["basic"][5], "ktop", "a built-in one is said to be one")
ok("mine" not in {x[0] for x in table("--list-presets")},
   "without the config file they are not there")

# ---- what the machine calls an event ----
head, *events = table("--list-events", "--chip", "a14")
same(head[5], "native", "--list-events ends in the machine's own word")
same({len(x) for x in events}, {6}, "on every row")
same([x[5] for x in events if x[0] == "INST_ALL"], ["0x8c"],
     "on a Mac that is the number")

# ---- batch ----
r = Run(*SIM, "-b", "-n", "2", "--events",
        "BRANCH_MISPRED_NONSPEC,INST_ALL,CORE_ACTIVE_CYCLE,INST_BRANCH")
heads = [x.split() for x in r.out.splitlines() if x.startswith("ROW")]
same(heads[0][2:], ["BOTTLENECK", "BUSY%", "GHz~", "IPC", "Gi/s", "lost%",
                    "uIPC", "usr%", "br", "br%", "branch%", "kIPC", "QUALITY"],
     "-b has each metric that the events of --events make")
r = Run(*SIM, "-b", "-n", "1", "--events",
        "FETCH_RESTART,BRANCH_MISPRED_NONSPEC,INST_ALL,LD_UNIT_UOP")
same(r.out.splitlines()[2].split()[8:],
     ["br", "refetch", "ld/s", "QUALITY"],
     "then the rate of what no metric tells of")
r = Run(*SIM, "-b", "-n", "2", "--events", "INST_BRANCH,L1D_TLB_FILL",
        "--csv", "c.csv")
same(r.out.splitlines()[2].split()[8:], ["branch/s", "DTLBfl/s", "QUALITY"],
     "alone each is a rate with a short title")
with open("c.csv") as f:
    named = [x["e1"] + x["e2"] for x in csv.DictReader(f)]
ok(set(named) == {"L1D_TLB_FILLINST_BRANCH"},
   "a recording has their full names", set(named))
r = Run(*SIM, "-b", "-n", "2", "--events", "INST_BRANCH,BRANCH_MISPRED_NONSPEC",
        "--csv", "a.csv")
heads = [x.split() for x in r.out.splitlines() if x.startswith("ROW")]
same(heads[0][8:10], ["br%", "QUALITY"], "two that make one metric are this one")
with open("a.csv") as f:
    recorded = [x for x in csv.DictReader(f) if x["row"] == "cpu"]
r = Run(*SIM, "-b", "-n", "2", "--events", "INST_BRANCH,FETCH_RESTART",
        "--csv", "d.csv")
said = [x.split() for x in r.out.splitlines() if x.startswith("cpu")]
with open("d.csv") as f:
    counts = [x for x in csv.DictReader(f) if x["row"] == "cpu"]


def count(row, name):
    return next(int(row["c" + k[1:]]) for k in row
                if k[0] == "e" and k[1:].isdigit() and row[k] == name)


same(len(said), len(counts), "a row of each CPU and frame")
ok(all(abs(int(x[8].lstrip("~")) - count(y, "INST_BRANCH") / float(y["event_s"])) < 1
       for x, y in zip(said, counts) if x[8].lstrip("~").isdigit()),
   "it is the count over the time it was counted")
ok(any(x[8].isdigit() for x in said), "  of which there are some")
r = Run(*OWN, *SIM, "-b", "-n", "1", "-p", "mine2")
ok(" branch%" in r.out.splitlines()[2], "an own preset shows its metric",
   r.out.splitlines()[2])
r = Run(*OWN, *SIM, "-b", "-n", "1", "-p", "mine")
same(r.out.splitlines()[2].split()[8:10], ["branch%", "QUALITY"],
     "one that names events shows what they make")
r = Run(*OWN, *SIM, "-b", "-n", "1", "-p", "branch")
ok("/s" not in r.out.splitlines()[2].replace("Gi/s", ""),
   "which no other set has", r.out.splitlines()[2])

# ---- summary and compare of recordings ----
Run(*SIM, "--csv", "b.csv", "-n", "20", "-p", "branch")
with open("b.csv") as f:
    cores = [x for x in csv.DictReader(f) if x["row"] == "cpu"]


def total(name):
    return sum(int(x["c%d" % i]) for x in cores for i in range(1, 11)
               if x["e%d" % i] == name and x["c%d" % i])


out = {(x["row"], x["metric"]): x for x in
       rows_of(Run("summary", "a.csv", "--csv", "-").out)}
want = sum(int(x["c1"]) for x in recorded) / 2  # two frames of a second
ok(abs(float(out["machine", "inst_branch_per_s"]["whole"]) - want) < 1e-3 * want,
   "summary has the rates of events chosen by name", want)
out = {(x["row"], x["metric"]): x for x in
       rows_of(Run("compare", "a.csv", "b.csv", "--csv", "-").out)}
same(out["machine", "branch_mispred_nonspec_per_s"]["why"], "only A has it",
     "compare says which side has them")


# ---- other processors ----
def as_perf(target, model):
    with open("b.csv") as r, open(target, "w", newline="") as w:
        all_rows = csv.DictReader(r)
        to = csv.DictWriter(w, all_rows.fieldnames, lineterminator="\n")
        to.writeheader()
        for x in all_rows:
            if x["row"] == "cpu":
                x.update(source="perf", chip="cpu", model=model,
                         core=str(int(x["cpu"]) // 2))
                to.writerow(x)


as_perf("one.csv", "One CPU")
as_perf("two.csv", "Two CPU")
out = {(x["row"], x["metric"]): x for x in
       rows_of(Run("compare", "one.csv", "two.csv", "--csv", "-").out)}
same(out["machine", "branch_mpki"]["why"],
     "other processors: the same name may be another event",
     "compare marks what other hardware may count otherwise")
same(out["machine", "ipc"]["why"], "", "  the fixed pair is the same everywhere")
ok("\n* other processors" in Run("compare", "one.csv", "two.csv").out,
   "  in words too")
out = {(x["row"], x["metric"]): x for x in
       rows_of(Run("compare", "one.csv", "one.csv", "--csv", "-").out)}
same(out["machine", "branch_mpki"]["why"], "", "one processor is itself")

# ---- cores of two threads in a recording ----
# The cycles of the thread that ran longer are not those of its core: without an
# event that counts these there is no IPC of a core.
out = {(x["row"], x["metric"]): x for x in
       rows_of(Run("summary", "one.csv", "--csv", "-").out)}
ok(("machine", "ipc") in out and ("machine", "core_ipc") not in out,
   "a core's IPC is not made up from its threads' cycles", sorted(out))

# ---- a recording without cycles: nothing is made up ----
with open("one.csv") as r, open("soft.csv", "w", newline="") as w:
    all_rows = csv.DictReader(r)
    to = csv.DictWriter(w, all_rows.fieldnames, lineterminator="\n")
    to.writeheader()
    for x in all_rows:
        for k in ("cycles", "instructions", "ipc", "ghz", "gips"):
            x[k] = ""
        to.writerow(x)
r = Run("summary", "soft.csv")
ok("nan" not in r.out.lower() and " 0 s measured" not in r.out and
   "cycles not measured" in r.out, "summary says that cycles were not measured",
   r.out)
r = Run("--replay", "soft.csv", "-b")
ok("nan" not in r.out.lower() and r.code == 0, "nor does a replay", r.err)
finish()
