"""--processes: what processes did adds up to what the cores did."""
import os

from tap import Run, finish, ok, record, same

LONG = bool(os.environ.get("KTOP_LONG"))


def rows(spec, *more):
    """Rows of a simulated Mac, which nothing but the spec decides."""
    return record("--sim", spec + ",clock=step", "--processes=4096",
                  "--csv-rows", "core,kind,all", *more)


def number(row, column):
    return int(row[column] or 0)


def total(rows, kinds, column):
    return sum(number(r, column) for r in rows if r["row"] in kinds)


WHO = ("process", "others", "rest")


def frames(rows):
    found = {}
    for r in rows:
        found.setdefault(r["frame"], []).append(r)
    return list(found.values())


def misses(rows):
    """Where the rows of processes are not what the cores counted."""
    for f in frames(rows):
        for column in ("cycles", "instructions"):
            if total(f, WHO, column) != total(f, ("core",), column):
                yield f[0]["frame"], column
        fast = [r for r in f if r["row"] == "kind"][:1]
        for column in ("cycles", "instructions"):
            if fast and total(f, WHO, "p" + column) != number(fast[0], column):
                yield f[0]["frame"], "p" + column


def late(rows):
    """A cluster that goes off keeps its last counts for later: less than the
    processes have, which the rest says."""
    for f in frames(rows):
        rest = [r for r in f if r["row"] == "rest"][0]
        if 200 * number(rest, "cycles") < -total(f, ("core",), "cycles") and \
                "skew" not in rest["quality"]:
            yield f[0]["frame"], rest["cycles"]


MACHINES = [("m1", "6"), ("m2max,procs=500", "9"), ("m1,fault=nozombie@1s", "30")]
if LONG:
    MACHINES += [("m3ultra,seed=2", "40"), ("m5max,fault=reuse@1s", "40"),
                 ("m2max,rest=1", "60"), ("m4max,fault=off:P1@5s-9s", "20")]
for spec, n in MACHINES:
    r = rows(spec, "-n", n)
    same(len(frames(r)), int(n), spec + ": frames")
    same(list(misses(r))[:5], [], spec + ": to the unit what the cores counted")
    same(list(late(r)), [], "  what is missing is said")
# Ticks of the clock are rounded: that is no process that begins again.
r = rows("m1", "-n", "40", "-d", "100ms")
same([x["process"] for x in r if "restarted" in x["quality"]], [],
     "ten frames a second: nobody restarts")
same(list(misses(r)), [], "  and the sums are the same")
r = rows("m1", "-n", "3")
same({x["row"] for x in r}, {"core", "kind", "all", "rest", "process"} |
     ({"others"} & {x["row"] for x in r}), "rows of a frame")
same([total(f, ("rest",), "cycles") for f in frames(r)], [0, 0, 0],
     "nothing remains where every process is seen")
r = rows("m1,rest=1", "-n", "3")
ok(all(total(f, ("rest",), "cycles") > 0 for f in frames(r)),
   "what no process has is a row")

denied = rows("m1,fault=denied:500@0s", "-n", "3")
same(list(misses(denied)), [], "the cycles of one that is denied are in it")
same({x["quality"] for x in denied if x["pid"] == "500"}, {"denied"},
     "  and its row has none")
ok(all(total(f, ("rest",), "cycles") > 0 for f in frames(denied)), "  but they are")

# Those with numbers are as many as asked for; the others are one row.
r = record("--sim", "m1,clock=step", "--processes=3", "-n", "2")
same([len([x for x in f if x["row"] == "process"]) for f in frames(r)], [3, 3],
     "the busiest alone")
same(list(misses(r)), [], "  and all others as one")
same({x["row"] for x in record("--sim", "m1,clock=step", "-n", "1")}, {"core"},
     "none where nobody asks")

# Each way to have none: a sentence, a status.
r = Run("--sim", "m1,clock=step", "--csv", "bare.csv", "-n", "2")
r = Run("--replay", "bare.csv", "-b", "--processes")
ok(r.code == 2 and "recording has no processes" in r.err,
   "a recording without them", r.err)
r = Run("--sim", "m1,clock=step", "-b", "--processes=0")
ok(r.code == 2 and "from 1 to" in r.err, "not none of them", r.err)
finish()
