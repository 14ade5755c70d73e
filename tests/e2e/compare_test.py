"""ktop compare: what differs stands out, what is noise does not."""
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


record("a.csv", "m1,seed=1", "-n", "400")
rows = compare("a.csv", "a.csv")
ok(len(rows) > 100, "a recording compared with itself has all its rows")
same({x["verdict"] for x in rows} - {"within noise", "too few frames"}, set(),
     "nothing stands out of it")
same({x["difference"] for x in rows}, {"0"}, "and nothing differs")

change("a.csv", "more.csv", lambda x, r: 1.5 * int(x["instructions"]))
rows = compare("a.csv", "more.csv")
ipc = [x for x in rows if x["metric"] == "ipc" and x["verdict"] !=
       "too few frames"]
big = [x for x in ipc if x["row"] in ("all", "cluster", "kind")]
ok(big and all(x["verdict"] == "stands out" for x in big),
   "half as many instructions again stand out", big)
ok(all(abs(float(x["difference_pct"]) - 50) < 0.01 for x in ipc),
   "as 50 percent more", ipc[:2])
ok(all(x["verdict"] != "stands out" for x in rows
       if x["metric"] == "branch_mpki"), "what did not change does not")

# White noise of the same mean: about one row in a hundred by chance.
loud = 0
total = 0
change("a.csv", "flat.csv", lambda x, r: 1000000 + int(x["cycles"]))
for seed in range(20 if LONG else 13):
    change("flat.csv", "x.csv", lambda x, r: int(x["instructions"]) *
           (1 + r.gauss(0, 0.1)), 2 * seed)
    change("flat.csv", "y.csv", lambda x, r: int(x["instructions"]) *
           (1 + r.gauss(0, 0.1)), 2 * seed + 1)
    for x in compare("x.csv", "y.csv"):
        if x["metric"] == "ipc" and x["row"] == "core" and \
                x["verdict"] != "too few frames":
            total += 1
            loud += x["verdict"] == "stands out"
ok(total >= 100 and loud <= 0.06 * total,
   "noise stands out in %d of %d comparisons" % (loud, total))

# A value that drifts slowly has few independent frames: long blocks.
def drift(x, r):
    state = drift.state.setdefault((x["cpu"], id(r)), [0.0])
    state[0] = 0.9 * state[0] + r.gauss(0, 0.03)
    return int(x["instructions"]) * (1 + state[0])


loud = total = 0
blocks = []
for seed in range(20 if LONG else 8):
    drift.state = {}
    change("flat.csv", "x.csv", drift, 100 + seed)
    drift.state = {}
    change("flat.csv", "y.csv", drift, 200 + seed)
    for x in compare("x.csv", "y.csv"):
        if x["metric"] == "ipc" and x["row"] == "core" and \
                x["verdict"] != "too few frames":
            total += 1
            loud += x["verdict"] == "stands out"
            blocks.append(int(x["block_a"]))
ok(total > 20 and loud <= 0.1 * total,
   "a drift stands out in %d of %d only" % (loud, total))
ok(sorted(blocks)[len(blocks) // 2] > 8, "its blocks are longer",
   sorted(blocks))

# ---- what is not the same measurement --------------------------------------
record("branch.csv", "m1,seed=1", "-n", "40", "--preset", "branch")
record("macos14.csv", "m1,seed=1,os=14", "-n", "40")
rows = compare("a.csv", "branch.csv")
ok(any(x["verdict"] == "not compared" and x["why"] == "only A has it" and
       x["metric"] == "l1d_ld_mpki" for x in rows),
   "metrics of one alone are not compared")
ok(any(x["verdict"] == "not compared" and x["why"] == "only B has it"
       for x in rows), "on either side")
rows = compare("a.csv", "macos14.csv")
why = {x["why"] for x in rows if x["metric"] == "branch_mpki"}
ok("its events count other modes" in why,
   "nor are counts of user mode with those of all modes", why)
ok(all(x["why"] == "" for x in rows if x["metric"] == "ipc"),
   "the fixed pair counts all modes in both")

text = Run("compare", "a.csv", "more.csv")
same(text.code, 0, "as text")
for word in ("block bootstrap", "99%", "stands out", "cluster P",
             "within noise", "blocks"):
    ok(word in text.out, "it says " + word)
same(Run("compare", "a.csv", "more.csv").out, text.out,
     "the same each time")
line = json.loads(Run("compare", "a.csv", "more.csv", "--json",
                      "-").out.splitlines()[0])
ok({"a", "b", "low", "high", "verdict"} <= set(line), "as JSON lines", line)
same(Run("compare", "a.csv").code, 2, "two files are needed")
same(Run("compare", "a.csv", "a.csv", "--csv", "-", "--json", "-").code, 2,
     "and one form")
few = Run("compare", "a.csv", "a.csv", "--from", "1", "--to", "4")
ok(few.code == 0 and "too few frames" in few.out, "few frames say so")
ok(re.search(r"A: a\.csv: Apple M1 \(sim\), 3 frames", few.out),
   "--from and --to are for both", few.out[:300])
finish()
