"""--processes: what processes did adds up to what the cores did."""
import os
import subprocess
import sys

from live import Screen
from tap import Run, finish, ok, record, same, samples_of

LONG = bool(os.environ.get("KTOP_LONG"))


def rows(spec, *more):
    """Rows of a simulated Mac, which nothing but the spec decides."""
    return record("--sim", spec + ",clock=step", "--processes=4096",
                  "--csv-rows", "cpu,kind,machine", *more)


def number(row, column):
    return int(row[column] or 0)


def total(rows, kinds, column):
    return sum(number(r, column) for r in rows if r["row"] in kinds)


WHO = ("process", "other-processes", "unattributed")


def misses(rows):
    """Where the rows of processes are not what the cores counted."""
    for f in samples_of(rows):
        if any("delayed" in r["quality"] for r in f):
            continue
        for column in ("cycles", "instructions"):
            if total(f, WHO, column) != total(f, ("cpu",), column):
                yield f[0]["sample"], column
        fast = [r for r in f if r["row"] == "kind"][:1]
        for column in ("cycles", "instructions"):
            if fast and total(f, WHO, "p" + column) != number(fast[0], column):
                yield f[0]["sample"], "p" + column


def late(rows):
    """A cluster that goes off keeps its last counts for later: less than the
    processes have, then the rest is unknown, and never less than nothing."""
    for f in samples_of(rows):
        rest = [r for r in f if r["row"] == "unattributed"][0]
        most = [total(f, ("process", "other-processes"), c) > total(f, ("cpu",), c)
                for c in ("cycles", "instructions")]
        if any(most) and (rest["cycles"], rest["instructions"],
                          "delayed" in rest["quality"]) != ("", "", True) or \
                any(rest[c].startswith("-") for c in rest):
            yield f[0]["sample"], rest["cycles"], rest["quality"]


MACHINES = [("m1", "6"), ("m2max,procs=300", "5")]
if LONG:
    MACHINES += [("m3ultra,seed=2", "40"), ("m5max,fault=reuse@1s", "40"),
                 ("m2max,rest=1", "60"), ("m4max,fault=off:P1@5s-9s", "20")]
for spec, n in MACHINES:
    r = rows(spec, "-n", n)
    same(len(samples_of(r)), int(n), spec + ": frames")
    same(list(misses(r))[:5], [], spec + ": to the unit what the cores counted")
    same(list(late(r)), [], "  what is missing is said")
# Ticks of the clock are rounded: that is no process that begins again.
r = rows("m1", "-n", "40", "-d", "100ms")
same([x["process"] for x in r if "restarted" in x["quality"]], [],
     "ten frames a second: nobody restarts")
same(list(misses(r)), [], "  and the sums are the same")
r = rows("m1", "-n", "3")
same({x["row"] for x in r}, {"cpu", "kind", "machine", "unattributed", "process"} |
     ({"other-processes"} & {x["row"] for x in r}), "rows of a frame")
same([total(f, ("unattributed",), "cycles") for f in samples_of(r)], [0, 0, 0],
     "nothing remains where every process is seen")
r = rows("m1,rest=1", "-n", "3")
ok(all(total(f, ("unattributed",), "cycles") > 0 for f in samples_of(r)),
   "what no process has is a row")

# They come and go: all that one did in its first frame is its own; it ends
# with one row, which has numbers only where a zombie gave them.
def lives(rows):
    found = {}
    for r in rows:
        if r["row"] == "process":
            found.setdefault((r["pid"], r["start"]), []).append(r)
    return found


def odd_lives(found, last):
    for who, r in found.items():
        at = [int(x["sample"]) for x in r]
        if at != list(range(at[0], at[-1] + 1)):
            yield who, "is away for a while"
        if at[0] > 0 and r[0]["quality"] != "born":
            yield who, "begins as " + r[0]["quality"]
        if [x["state"] for x in r[:-1]].count("ended") or \
                (r[-1]["state"] == "ended") != (at[-1] < last):
            yield who, "does not end with the row that says so"
        if r[-1]["state"] == "ended" and \
                (r[-1]["quality"] == "partial") != (r[-1]["cycles"] == ""):
            yield who, "ends as " + r[-1]["quality"]
        if any(x[c].startswith("-") for x in r for c in
               ("cycles", "instructions", "pcycles", "user_ns", "cpu_pct")):
            yield who, "has less than nothing"


N = "150"
LIVES = [("m1", False), ("m1,fault=nozombie@1s", True)]
if LONG:
    LIVES += [("m1,fault=reuse@1s", None)]
for spec, partial in LIVES:
    r = rows(spec, "-n", N)
    found = lives(r)
    ended = [x[-1] for x in found.values() if x[-1]["state"] == "ended"]
    same(list(odd_lives(found, int(N) - 1))[:5], [], spec + ": born, and ended")
    ok(ended and (partial is None or any(x["quality"] == "" for x in ended) !=
                  partial), "  some did", [x["quality"] for x in ended])
    same(list(misses(r))[:5], [], "  what was not seen of them is in the rest")
    if partial is None:
        ok(len({pid for pid, _ in found}) < len(found), "  a pid comes back")

# Whoever asks how often: what each has done is the same.
def done(n, delay):
    found = lives(rows("m2max", "-n", str(n), "-d", delay))
    return {who: [sum(number(x, c) for x in r) for c in
                  ("cycles", "instructions", "pcycles", "energy_nj")]
            for who, r in found.items() if r[-1]["state"] != "ended" and
            who[0] != "0"}  # the readings themselves are the kernel's work


n = 60 if LONG else 3
often, seldom = done(70 * n, "100ms"), done(n, "7s")
same({k: v for k, v in seldom.items() if often.get(k) != v}, {},
     "ten looks a second and one in seven seconds tell the same")
ok(len(seldom) > 50, "  of all", len(seldom))

# A count that is late is no loss: sums over ten seconds are the same.
r = rows("m1,fault=lag:10ms@0s", "-n", "95", "-d", "105ms")
same((list(misses(r)), list(late(r))), ([], []), "late counts")
ok(any("delayed" in x["quality"] for x in r), "  are said")
off = total(r, ("process", "other-processes"), "cycles") / \
    total(r, ("cpu",), "cycles")
ok(abs(off - 1) < 0.005, "  and made good", off)

# Asleep for a minute: times are of the time awake.
r = [x for x in rows("m1,fault=sleep@2s-62s", "-n", "6") if
     x["row"] in ("process", "unattributed")]
same({x["quality"] for x in r}, {"", "gap"}, "a minute of sleep is said")
ok(max(float(x["cpu_pct"] or 0) for x in r) < 300, "  no spike", r)

# What a machine does not count is empty, with the word why; times are there.
for spec, empty, full, word in (
        ("vm", ("cycles", "ipc", "pcycles", "energy_nj"), ("cpu_pct",),
         "no counters"),
        ("m1,os=12.6", ("pcycles", "p_share_pct", "energy_nj"),
         ("cycles", "user_ns"), ""),
        ("intel", ("pcycles", "p_share_pct", "energy_nj"),
         ("cycles", "user_ns"), "")):
    r = [x for x in rows(spec, "-n", "3") if x["row"] == "process"]
    same([{x[c] for x in r} for c in empty], [{""}] * len(empty),
         spec + ": no " + " ".join(empty))
    ok(all(x[c] != "" for x in r for c in full) and
       {x["quality"] for x in r} == {word}, "  but " + " ".join(full))

# CPU time in ticks of 125/3 ns, or of 1: as much as the cores were busy.
for spec in ("m1", "intel"):
    r = samples_of(rows(spec, "-n", "5"))[-1]
    busy = sum(float(x["busy_pct"]) for x in r if x["row"] == "cpu")
    used = sum(float(x["cpu_pct"] or 0) for x in r if x["row"] in WHO[:2])
    ok(abs(used - busy) < 0.05 * busy, spec + ": CPU time", (used, busy))

# Names are those of others: nothing that acts on a terminal or a file.
text = Run("--sim", "m3ultra,clock=step", "--processes=4096", "--csv", "-", "-n",
           "1").out
ok(not [c for c in text if ord(c) < 32 and c != "\n" or 0x7f <= ord(c) < 0xa0 or
        0x202a <= ord(c) <= 0x202e or 0x2066 <= ord(c) <= 0x2069],
   "names without control characters")

denied = rows("m1,fault=denied:500@0s", "-n", "3")
same(list(misses(denied)), [], "the cycles of one that is denied are in it")
same({x["quality"] for x in denied if x["pid"] == "500"}, {"denied"},
     "  and its row has none")
ok(all(total(f, ("unattributed",), "cycles") > 0 for f in samples_of(denied)), "  but they are")

# Those with numbers are as many as asked for; the others are one row.
r = record("--sim", "m1,clock=step", "--processes=3", "-n", "2")
same([len([x for x in f if x["row"] == "process"]) for f in samples_of(r)], [3, 3],
     "the busiest alone")
same(list(misses(r)), [], "  and all others as one")
same({x["row"] for x in record("--sim", "m1,clock=step", "-n", "1")}, {"cpu"},
     "none where nobody asks")

# A notice is one line, however often its numbers change.
r = Run("--sim", "m1,clock=step,euid=501", "--processes=1", "--csv", "-", "-n",
        "150")
same(r.err.count("processes are denied"), 1, "a notice is told once")

# Behind the counter server they are the same, also for who is not root.
def sides(spec, split):
    r = Run("--sim", spec + ",clock=step", "--processes=4096", "--csv", "-", "-n",
            "5", env=dict(os.environ, KTOP_SEPARATE=split))
    return r.code, [line.split(",", 3)[3] for line in r.out.splitlines()]


for spec in ("m5max,procs=300", "m1,euid=501,fault=vanish@2s-4s"):
    one, two = sides(spec, "no"), sides(spec, "always")
    ok(one[0] == 0 and len(one[1]) > 100, spec + ": is recorded", one[0])
    same(two, one, "  by two processes as by one")

# What is open says what it was started as, and stays when it ends.
if sys.platform == "linux":
    it = subprocess.Popen(["sleep", "3600"])
    s = Screen("-d", "200ms", "--view", "processes", "--filter",
               "pid=%d" % it.pid, size="120x40")
    ok(s.do("wait:1 of", "key:down", "key:enter",
            "wait:command +sleep .*3600"), "what it was started as")
    it.kill()
    it.wait()
    same(s.end("wait:sleep ended at [0-9:]+", "wait:ended +[0-9:]+, [0-9]+ s ago",
               "wait:command +sleep .*3600", "key:esc", "key:esc",
               "gone:sleep ended", "key:q",
               # 3 where the CPUs' counters want rights, or a container's leave
               "exit:%d" % Run("-b", "-n", "1", "-d", "100ms").code), "",
         "  when it ended; until it is closed")
finish()
