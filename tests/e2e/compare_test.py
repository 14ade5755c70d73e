"""ktop compare: what differs is told from what is noise."""
import csv
import functools
import io
import json
import os
import random
import re

from tap import Run, finish, ok, same


LONG = bool(os.environ.get("KTOP_LONG"))


def record(name, spec, *args):
    r = Run("--sim", spec + ",clock=step", "--csv", name, "--force", *args)
    same(r.code, 0, "recording " + spec)


def compare(a, b, *args):
    r = Run("compare", a, b, "--csv", "-", *args)
    if r.code != 0:
        ok(False, "compare %s %s" % (a, b), r.err)
    return [x for x in csv.DictReader(io.StringIO(r.out))]


@functools.lru_cache(maxsize=None)
def parts(source):
    """Its rows as the text before the instructions, they, and that after."""
    with open(source) as r:  # nothing in it is quoted
        names, *rows = [line.split(",") for line in r]
    cpu, cycles, at = map(names.index, ("cpu", "cycles", "instructions"))
    return ",".join(names), [
        (",".join(x[:at]) + ",", {"cpu": x[cpu], "cycles": x[cycles],
                                  "instructions": x[at]},
         "," + ",".join(x[at + 1:])) for x in rows]


def change(source, target, f, seed=1):
    """Another recording whose instructions are f of the first's."""
    rng = random.Random(seed)
    names, rows = parts(source)
    with open(target, "w") as w:
        w.write(names)
        w.writelines(before + (str(int(f(x, rng))) if x["instructions"] else "")
                     + after for before, x, after in rows)


record("a.csv", "m1,seed=1", "-n", "900")
rows = compare("a.csv", "a.csv")
ok(len(rows) > 100, "a recording compared with itself has all its rows")
same({x["outcome"] for x in rows} - {"within noise", "too few samples", "not judged"}, set(),
     "nothing differs by more than noise")
same({x["difference"] for x in rows}, {"0"}, "and nothing differs")

change("a.csv", "more.csv", lambda x, r: 1.5 * int(x["instructions"]))
rows = compare("a.csv", "more.csv")
ipc = [x for x in rows if x["metric"] == "ipc" and x["outcome"] !=
       "too few samples"]
big = [x for x in ipc if x["row"] in ("machine", "cluster", "kind")]
ok(big and all(x["outcome"] == "differs" for x in big),
   "half as many instructions again differ", big)
same(Run("compare", "a.csv", "more.csv").out.splitlines()[2],
     "The machine's IPC is 50.0% higher in B: more than noise.",
     "which is said first")
ok(re.fullmatch(r"The machine's IPC shows no difference in B; up to \d\.\d% may be "
                r"missed\.", Run("compare", "a.csv", "a.csv").out.splitlines()[2]),
   "and how large one may be missed where there is none")
ok(all(abs(float(x["difference_pct"]) - 50) < 0.01 for x in ipc),
   "as 50 percent more", ipc[:2])
ok(all(x["outcome"] != "differs" for x in rows
       if x["metric"] == "branch_mpki"), "what did not change does not")


def judged_of(rows):
    return [x for x in rows if x["p"] != ""]


def adjusted(rows):
    """Benjamini and Hochberg, over all rows that are judged."""
    p = sorted((float(x["p"]), i) for i, x in enumerate(rows))
    out = [1.0] * len(p)
    least = 1.0
    for rank in range(len(p), 0, -1):
        least = min(least, p[rank - 1][0] * len(p) / rank)
        out[p[rank - 1][1]] = least
    return out


judged = judged_of(rows)
ok(len(judged) > 50 and all(
    abs(float(x["p_adjusted"]) - q) <= 1e-6 + 1e-4 * q and
    (x["outcome"] == "differs") == (float(x["p_adjusted"]) <= 0.01)
    for x, q in zip(judged, adjusted(judged))),
   "p is adjusted by all rows of the table, and the outcome is by that",
   judged[:3])
ok(all(float(x["p"]) <= float(x["p_adjusted"]) for x in judged) and
   any(float(x["p"]) < float(x["p_adjusted"]) for x in judged),
   "which only ever raises it")
ok(all(float(x["low"]) <= float(x["difference"]) <= float(x["high"]) and
       abs((float(x["low"]) + float(x["high"])) / 2 - float(x["difference"])) <=
       1e-4 * (float(x["high"]) - float(x["low"])) +
       1e-5 * abs(float(x["difference"])) for x in judged),
   "each interval is of the difference that is printed", judged[:3])
ok(all(5 <= float(x["df"]) <= 10.001 for x in judged), "5 to 10 degrees")

change("a.csv", "flat.csv", lambda x, r: 1000000 + int(x["cycles"]))
change("flat.csv", "flat2.csv", lambda x, r: int(x["instructions"]) *
       (1.03 + r.gauss(0, 0.001)))
rows = compare("flat.csv", "flat2.csv")
ok(any(x["metric"] == "ipc" and x["outcome"] == "differs" for x in rows),
   "3 percent of something steady differ")
rows = compare("flat.csv", "flat2.csv", "--at-least", "5%")
same({x["outcome"] for x in rows if x["metric"] == "ipc"} - {"too few samples"},
     {"under --at-least"}, "but not where 5% are asked for")
ok("Differences under 5% of A" in
   Run("compare", "flat.csv", "flat2.csv", "--at-least=5").out, "which is said")
for pair in (("flat2.csv", "flat.csv"), ("more.csv", "a.csv")):
    rows = compare(*pair, "--at-least", "5%")
    got = {x["outcome"] for x in rows if x["metric"] == "ipc" and
           float(x["difference"]) < 0} - {"too few samples"}
    same(got, {"differs" if pair[0] == "more.csv" else "under --at-least"},
         "a fall is judged by its size, not by its sign: %s, %s" % pair)
same(Run("compare", "a.csv", "a.csv", "--at-least", "much").code, 2,
     "a floor is a percentage")

# White noise of the same mean.
loud = 0
total = 0
record("middle.csv", "m1,seed=1", "-n", "450")
change("middle.csv", "flat450.csv", lambda x, r: 1000000 + int(x["cycles"]))
for seed in range(40 if LONG else 13):
    change("flat450.csv", "x.csv", lambda x, r: int(x["instructions"]) *
           (1 + r.gauss(0, 0.1)), 2 * seed)
    change("flat450.csv", "y.csv", lambda x, r: int(x["instructions"]) *
           (1 + r.gauss(0, 0.1)), 2 * seed + 1)
    for x in compare("x.csv", "y.csv"):
        if x["metric"] == "ipc" and x["row"] == "cpu" and \
                x["outcome"] != "too few samples":
            total += 1
            loud += x["outcome"] == "differs"
ok(total >= 100 and loud <= 0.02 * total,
   "noise differs in %d of %d comparisons" % (loud, total))


# A value that wanders slowly has few independent frames.
def wander(x, r):
    state = wander.state.setdefault((x["cpu"], id(r)), [0.0])
    state[0] = 0.9 * state[0] + r.gauss(0, 0.03)
    return int(x["instructions"]) * (1 + state[0])


loud = total = 0
needs = []
for seed in range(20 if LONG else 4):
    wander.state = {}
    change("flat450.csv", "x.csv", wander, 100 + seed)
    wander.state = {}
    change("flat450.csv", "y.csv", wander, 200 + seed)
    for part in ("150", "450"):
        for x in compare("x.csv", "y.csv", "--to", part):
            if x["metric"] != "ipc" or x["row"] != "cpu":
                continue
            total += 1
            loud += x["outcome"] == "differs"
            if part == "150":
                needs.append((x["outcome"], x["needs"]))
ok(total > 30 and loud <= 0.02 * total,
   "what wanders differs in %d of %d" % (loud, total))
same(set(needs), {("too few samples", "300")}, "150 frames are too few of anything")


def instructions(rise, more):
    """A line, with noise: the recordings have 450 frames of 8 cores."""
    at = {}

    def f(x, r):
        at[x["cpu"]] = at.get(x["cpu"], 0) + 1
        return int(x["instructions"]) * (more + rise * at[x["cpu"]] / 450 +
                                         r.gauss(0, 0.02))
    return f


# One falls and one rises by as much as they differ: that is no other program.
for rise, more, want in ((0.2, 1, "drifts"), (0, 1.1, "differs"),
                         (0.02, 1.1, "differs")):
    change("flat450.csv", "x.csv", instructions(-rise, 1), 1)
    change("flat450.csv", "y.csv", instructions(rise, more), 2)
    rows = [x for x in compare("x.csv", "y.csv") if x["metric"] == "ipc" and
            x["row"] != "cpu"]
    same({x["outcome"] for x in rows}, {want},
         "falls and rises by %g, at %g: %s" % (rise, more, want))
    text = Run("compare", "x.csv", "y.csv", "--all").out
    same("drifts; compare several runs" in text, want == "drifts", "in words")
    ok(want != "drifts" or all(x["p"] == "" for x in rows), "without a p")

# Half of the frames nearly idle, and better there: the difference is of the
# sums, as is the interval around it.
with open("a.csv") as r:
    all_rows = list(csv.DictReader(r))
for name, idle, busy in (("idle1.csv", 0.5, 2.0), ("idle2.csv", 2.0, 1.9)):
    rng = random.Random(name)
    with open(name, "w", newline="") as w:
        to = csv.DictWriter(w, all_rows[0].keys(), lineterminator="\n")
        to.writeheader()
        for x in all_rows:
            if x["row"] != "cpu":
                continue
            few = int(x["sample"]) % 2 == 1
            x["cycles"] = "3000000" if few else "2000000000"
            x["instructions"] = str(int(int(x["cycles"]) * (
                idle if few else busy) * (1 + rng.gauss(0, 0.01))))
            to.writerow(x)
for x in compare("idle1.csv", "idle2.csv"):
    if x["metric"] == "ipc" and x["row"] == "machine":
        ok(abs(float(x["difference"]) + 0.0975) < 0.01 and
           float(x["low"]) < float(x["difference"]) < float(x["high"]) < 0 and
           x["outcome"] == "differs",
           "idle frames weigh as little in the interval as in the sums", x)

# More frames than are kept one by one are added up in pairs.
record("long.csv", "m1,seed=1", "-n", "2500")
x = [x for x in compare("long.csv", "long.csv") if x["metric"] == "ipc"][0]
ok(1000 < int(x["n_a"]) < 2500 and x["difference"] == "0",
   "long recordings are judged by sums of several frames", x)

# ---- several runs of each --------------------------------------------------
names = ["run%d.csv" % i for i in range(7)]
for i, name in enumerate(names):
    record(name, "m1,seed=%d" % (20 + i), "-n", "30")
A, B = names[:3], names[3:]


def welch(a, b):
    def var(v):
        m = sum(v) / len(v)
        return sum((x - m) ** 2 for x in v) / (len(v) - 1) / len(v)
    va, vb = var(a), var(b)
    return (sum(b) / len(b) - sum(a) / len(a),
            (va + vb) ** 2 / (va ** 2 / (len(a) - 1) + vb ** 2 / (len(b) - 1)))


def whole(name):
    r = Run("summary", name, "--csv", "-")
    return {(x["row"], x["name"], x["metric"]): float(x["whole"])
            for x in csv.DictReader(io.StringIO(r.out)) if x["whole"] != ""}


rows = compare(*A, "--", *B)
same({x["units"] for x in rows}, {"runs"}, "runs are the units")
one = {n: whole(n) for n in names}
bad = []
for x in judged_of(rows):
    key = x["row"], x["name"], x["metric"]
    want, df = welch([one[n][key] for n in A if key in one[n]],
                     [one[n][key] for n in B if key in one[n]])
    if abs(float(x["difference"]) - want) > 1e-4 * max(1, abs(want)) or \
            abs(float(x["df"]) - df) > 1e-2 * df:
        bad.append((x, want, df))
ok(judged_of(rows) and not bad, "with Welch's test of the runs' values",
   bad[:2])
same({x["outcome"] for x in rows} - {"within noise", "too few runs", "not judged"}, set(),
     "runs of one program differ from each other")
for i, name in enumerate(names):
    change(name, "x%d.csv" % i, lambda x, r: (
        3000000 if i < 3 else 3300000) + (i % 3) * 1000)
rows = compare("x0.csv", "x1.csv", "x2.csv", "--", "x3.csv", "x4.csv",
               "x5.csv")
ok(all(x["outcome"] == "differs" and
       abs(float(x["difference_pct"]) - 10) < 0.1
       for x in rows if x["metric"] == "gips" and x["row"] == "machine"),
   "what all runs of one side have differs",
   [x for x in rows if x["metric"] == "gips"][:1])
text = Run("compare", *A, "--", *B)
ok("A3: run2.csv" in text.out and "B1: run3.csv" in text.out and
   "means of the runs' values" in text.out.replace("\n", " ") and
   "two runs, not two programs" not in text.out, "in words", text.out[:600])
for what, want in (
        ((*A, *B), "takes two recordings, or several runs of each"),
        ((A[0], "--", *B), "give two or more of each"),
        ((*A, "--", B[0]), "give two or more of each"),
        ((*A, "--", A[0], B[0]), "'run0.csv' is given twice")):
    r = Run("compare", *what)
    ok(r.code == 2 and want in r.err, "compare %s is refused" % " ".join(what),
       r.err)
same(Run("compare", "--", "run0.csv", "run1.csv").code, 0,
     "a -- before both is none between them")
same(Run("compare", "run0.csv", "--", "run1.csv").code, 0, "one of each is")

# ---- what rows were said to do ---------------------------------------------
def said(rows):
    return {(x["row"], x["name"], x["metric"]): x for x in rows
            if x["metric"].startswith("bottleneck_") or x["metric"] == "lost_pct"}


for name, work in (("w1", "memory"), ("w2", "phases"), ("w3", "compute")):
    record(name + ".csv", "m1,seed=3,work=" + work, "-n", "40")
    one[name + ".csv"] = whole(name + ".csv")
def cycles(name):
    return sum(int(x["cycles"] or 0) for x in csv.DictReader(open(name))
               if x["row"] == "cpu")


rows = said(compare("w1.csv", "w2.csv"))
wrong = [(k, x) for k, x in rows.items() if k[2] != "lost_pct" and
         (float(x["a"]), float(x["b"])) != (one["w1.csv"][k],
                                            one["w2.csv"][k])]
ok(len(rows) == (8 + 2 + 2) * len({k[2] for k in rows}) + 1 and not wrong,
   "how much of its time each row did what is as of the summaries", wrong[:3])
x = rows["cluster", "P", "bottleneck_memory"]
ok(float(x["a"]) > 95 and 10 < float(x["b"]) <= 50 and
   abs(float(x["difference"]) - (float(x["b"]) - float(x["a"]))) < 1e-6,
   "and its shift in points", x)
x = rows["machine", "all", "lost_pct"]
ok(abs(float(x["a"]) * cycles("w1.csv") - 1e11 *
       one["w1.csv"]["machine", "all", "lost_cycles"]) < 1e-3 * cycles("w1.csv"),
   "with the share of the cycles that is lost", x)
same({(x["outcome"], x["p"], x["p_adjusted"], x["low"], x["difference_pct"])
      for x in rows.values()}, {("not judged", "", "", "", "")},
     "nothing is claimed of it")
x = said(compare("w1.csv", "w2.csv", "--", "w3.csv", "run0.csv"))["cluster", "P", "bottleneck_memory"]
ok(abs(float(x["a"]) - (one["w1.csv"]["cluster", "P", "bottleneck_memory"] +
                        one["w2.csv"]["cluster", "P", "bottleneck_memory"]) / 2) < 1e-5
   and x["n_a"] == "2", "of several runs it is their mean", x)
# A word that one run of a side never has counts as 0 there, on either side.
x = said(compare("w3.csv", "run0.csv", "--", "w1.csv", "w2.csv"))
for side, runs in (("a", ("w3.csv", "run0.csv")), ("b", ("w1.csv", "w2.csv"))):
    for word in ("bottleneck_memory", "bottleneck_none"):
        k = ("cluster", "P", word)
        want = sum(one.setdefault(n, whole(n)).get(k, 0) for n in runs) / 2
        ok(abs(float(x[k][side]) - want) < 1e-5 and x[k]["n_" + side] == "2",
           "%s of %s is the mean of both runs" % (word, side), (want, x[k]))
text = Run("compare", "w1.csv", "w2.csv", "--all").out
ok(re.search(r"\n  bottleneck_memory +100\.0 +\d+\.\d +-\d+\.\d  % of time\n", text) and
   "bottleneck_frontend" not in text and "rows are not tested" in
   text.replace("\n", " "), "as text, without words that were never said", text)
record("mem.csv", "m4,work=P:memory", "-n", "30")
record("bad.csv", "m4,work=P:branchy", "-n", "30")
lines = Run("compare", "mem.csv", "bad.csv").out.splitlines()
first = [lines[2], " ".join(lines[3:5]), lines[5]]
ok(re.fullmatch(r"The machine's IPC is \d+\.\d% higher in B; the samples are too few "
                r"to tell it from noise\.", first[0]), "one sentence first", first)
ok(re.fullmatch(r"P carries (9\d%|all) of the difference: its IPC rose from \S+ to \S+, "
                r"and stall_pct fell from \S+ to \S+\.", first[1]),
   "which cluster it is, and what moved with it", first)
same(first[2], "P is memory bound 100% of its time in A, and loses slots to "
               "bad speculation 100% of it in B.", "and what each does now, where that is another")

# ---- what is not the same measurement --------------------------------------
record("branch.csv", "m1,seed=1", "-n", "40", "--preset", "branch")
record("macos14.csv", "m1,seed=1,os=14", "-n", "40")
rows = compare("a.csv", "branch.csv")
ok(any(x["outcome"] == "not compared" and x["why"] == "only A has it" and
       x["metric"] == "l1d_ld_mpki" for x in rows),
   "metrics of one alone are not compared")
ok(any(x["outcome"] == "not compared" and x["why"] == "only B has it"
       for x in rows), "on either side")
rows = compare("a.csv", "macos14.csv")
why = {x["why"] for x in rows if x["metric"] == "branch_mpki"}
ok("its events count other modes" in why,
   "nor are counts of user mode with those of all modes", why)
ok(all(x["why"] == "" for x in rows if x["metric"] == "ipc"),
   "the fixed pair counts all modes in both")

text = Run("compare", "a.csv", "more.csv", "--all")
same(text.code, 0, "as text")
flow = text.out.replace("\n", " ")
for word in ("six equal parts", "99%", "differs", "cluster P",
             "within noise", "Benjamini-Hochberg", "compares two runs, not two "
             "programs", "% may be missed"):
    ok(word in flow, "it says " + word)
ok(all(len(x) < 80 for x in text.out.split("\n\n")[0].splitlines()),
   "in lines of 79 columns")
same(Run("compare", "a.csv", "more.csv", "--all").out, text.out,
     "the same each time")
line = json.loads(Run("compare", "a.csv", "more.csv", "--json",
                      "-").out.splitlines()[0])
ok({"a", "b", "low", "high", "outcome", "p_adjusted"} <= set(line), "as JSON lines", line)
same(Run("compare", "a.csv").code, 2, "two files are needed")
same(Run("compare", "a.csv", "a.csv", "--csv", "-", "--json", "-").code, 2,
     "and one form")
# Columns are as wide as their contents: names and rates of events are long.
for seed in ("1", "2"):
    same(Run("--sim", "m1,clock=step,seed=" + seed, "-n", "8", "--events",
             "L1D_CACHE_MISS_LD_NONSPEC,MAP_DISPATCH_BUBBLE,INST_ALL",
             "--csv", "wide%s.csv" % seed).code, 0, "events with long names")
lines = Run("compare", "wide1.csv", "wide2.csv", "--all").out.splitlines()
heads = [l for l in lines if l.startswith("  metric ")]
same(len(set(heads)), 1, "all tables have the same columns")
ends = [re.search(head, heads[0]).end()
        for head in (r" A\b", r" B\b(?! -)", r" B - A", r" low", r" high", r" p")]
wide = [l for l in lines if re.match(r"  \S+_per_s ", l)]
ok(any(" l1d_cache_miss_ld_nonspec_per_s " in l for l in wide), "long names",
   wide)
same([l for l in wide for at in ends
      if l[at - 1] == " " or l[at] != " "], [],
     "and each number ends below its head")

# ---- two parts of one recording, and the rows that matter ------------------
record("steps.csv", "m1,work=compute,work=P:phases", "-n", "60")
cut = ("--mark", "start..20s", "--vs", "20s..40s")
r = Run("compare", "steps.csv", *cut)
lines = r.out.splitlines()
ok(lines[:2] == ["A: steps.csv, start..20s: Apple M1 (sim), 20 samples in 20 s",
                 "B: steps.csv, 20s..40s: Apple M1 (sim), 20 samples in 20 s"],
   "the sides are parts of the file", lines[:2] + [r.err])
ok(" ".join(lines[3:5]).startswith("P carries ") and
   "its IPC fell from" in " ".join(lines[3:5]), "the cluster that slowed", lines[3:5])
for name, part in (("first.csv", ("--to", "20")), ("second.csv", ("--from", "20", "--to", "40"))):
    same(Run("--replay", "steps.csv", *part, "--csv", name).code, 0, "cut out " + name)
got = [x for x in csv.DictReader(io.StringIO(
    Run("compare", "steps.csv", *cut, "--csv", "-").out))]
want = {(x["row"], x["name"], x["metric"]): x["difference"]
        for x in compare("first.csv", "second.csv") if not x["metric"].startswith("bottleneck")
        and x["metric"] != "lost_pct"}
ok(len(want) > 100 and not [k for k, v in want.items() if v != {
    (x["row"], x["name"], x["metric"]): x["difference"] for x in got}.get(k)],
   "they differ as two recordings of those parts do")


# Two clusters whose IPC stays: what changed is who has the cycles.
def cycles_of(high):
    def f(x):
        mhz = high if int(x["cpu"]) < 4 else 1000
        x["cycles"] = str(mhz * 1000000)
        x["instructions"] = str(mhz * (500000 if int(x["cpu"]) < 4 else 4000000))
    return f


with open("steps.csv") as steps:
    all_rows = list(csv.DictReader(steps))
for name, f in (("even.csv", cycles_of(1000)), ("slow.csv", cycles_of(3000))):
    with open(name, "w", newline="") as w:
        to = csv.DictWriter(w, all_rows[0].keys(), lineterminator="\n")
        to.writeheader()
        for x in all_rows:
            if x["row"] == "cpu":
                f(x)
                to.writerow(x)
same(Run("compare", "even.csv", "slow.csv").out.splitlines()[3],
     "P carries 62% of the difference: its part of the cycles fell from 50% to 25%.",
     "a share of the cycles that changed is said")


def table(r):
    at = [i for i, x in enumerate(r.out.splitlines()) if x.startswith("row ")]
    return r.out.splitlines()[at[0] + 1:][:10] if at else []


rows = table(r)
ok(len(rows) == 10 and re.match(r"cluster P +ipc ", rows[0]) and
   "The 10 largest changes of " in r.out, "ten rows, the largest change first", rows)
ok(all(x.endswith("  too few samples") for x in rows) and
   "at least 300 samples of each are needed" in r.out, "what few frames cannot tell", r.out)
ok(not any(x.startswith(("cluster E", "kind")) for x in rows),
   "what did not change is none of them", rows)
one = table(Run("compare", "steps.csv", *cut, "--rows", "machine"))
effects = [bool(re.match(r"machine +(gips|\S+_w|\S+_gbs|nj_\S+) ", x)) for x in one]
ok(len(one) == 10 and not any(effects),
   "energy, traffic and instructions per second come after the causes", one)
ok(all(x.startswith("cpu ") for x in
       table(Run("compare", "steps.csv", *cut, "--rows", "cpu"))), "--rows cpu")
r = Run("compare", "steps.csv", *cut, "--rows", "cluster", "--all")
ok("\ncluster P\n" in r.out and "\ncluster E\n" in r.out and "machine\n" not in r.out,
   "--rows cluster --all: all rows of clusters", r.out)
r = Run("compare", "steps.csv", *cut, "--rows", "machine", "--json", "-")
same({json.loads(x)["row"] for x in r.out.splitlines()}, {"machine"}, "as rows, too")
for args, word in ((("steps.csv", "--vs", "1..2"), "two parts of one recording"),
                   (("steps.csv", "a.csv", *cut), "two parts of one recording"),
                   (("-", *cut), "impossible with a pipe"),
                   (("steps.csv", "--mark", "start..20s", "--vs", "x..end"), "no marker 'x'"),
                   (("a.csv", "a.csv", "--rows", "thread"), "rows")):
    r = Run("compare", *args)
    ok(r.code == 2 and word in r.err, "refused: " + " ".join(args), r.err)
same(Run("--sim", "m1,clock=step", "-n", "5", "--processes", "--csv", "p.csv").code, 0,
     "a recording with processes")
ok("processes, by name" in Run("compare", "p.csv", "p.csv", "--rows", "process").out and
   "processes, by name" not in Run("compare", "p.csv", "p.csv").out,
   "--rows process: the table of them")

ok("\nrow " not in Run("compare", "p.csv", "p.csv").out, "what did not change is no change")
few = Run("compare", "a.csv", "a.csv", "--from", "1", "--to", "4", "--all")
ok(few.code == 0 and "too few samples: at least 300 of each" in few.out and
   "raised for" not in few.out, "few frames say so, and nothing of p")
ok(re.search(r"A: a\.csv: Apple M1 \(sim\), 3 samples", few.out),
   "--from and --to are for both", few.out[:300])
# Energy for the same instructions: claimed as all else is.
def scaled(source, target, factor):
    with open(source) as r:
        rows = list(csv.reader(r))
    at = [rows[0].index(x) for x in ("power_w", "nj_per_instruction")]
    for x in rows[1:]:
        for i in at:
            if x[i]:
                x[i] = repr(float(x[i]) * factor)
    with open(target, "w") as w:
        csv.writer(w, lineterminator="\n").writerows(rows)


def energy_said(*args):
    return [x for x in Run("compare", *args).out.splitlines()
            if "energy for the same" in x]


record("e.csv", "m1,seed=5,power=os,work=mixed", "-n", "900")
scaled("e.csv", "less.csv", 0.88)
same(energy_said("e.csv", "less.csv"),
     ["The CPUs' energy for the same instructions is 12.0% lower in B: more "
      "than noise."], "12 % less energy")
x = [x for x in compare("e.csv", "less.csv") if x["row"] == "cluster" and
     x["metric"] == "nj_per_instruction"]
same([(k["outcome"], k["unit"]) for k in x], [("differs", "nJ")] * 2,
     "of each cluster, too")
ok(re.fullmatch(r"The CPUs' energy for the same instructions shows no "
                r"difference in B; up to \d+\.\d% may be missed\.",
                "".join(energy_said("e.csv", "e.csv"))), "none with itself",
   energy_said("e.csv", "e.csv"))
record("e.csv", "m1,seed=5,power=os,work=mixed", "-n", "60")
scaled("e.csv", "less.csv", 0.88)
same(energy_said("e.csv", "less.csv"),
     ["The CPUs' energy for the same instructions is 12.0% lower in B; the samples "
      "are too few to tell it from noise."], "too few to claim it")
same(energy_said("a.csv", "a.csv"), [], "without energy nothing is said of it")
for i in "1", "2", "3":
    record("r%s.csv" % i, "m1,power=os,seed=" + i, "-n", "40")
    scaled("r%s.csv" % i, "t%s.csv" % i, 0.999)
R = ["r%s.csv" % i for i in "123"]
ok("noise" not in energy_said(*R, "--", *[x.replace("r", "t", 1) for x in R])[0]
   and "shows no difference" in
   energy_said(*R, "--", *[x.replace("r", "t", 1) for x in R])[0],
   "runs that differ more among themselves claim nothing")
finish()
