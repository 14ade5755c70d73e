"""Time that is not as it should be: sleep, clocks that are set, calls that are
slow, a ktop that is stopped, a terminal that nobody reads, CPUs that go and
come. Gaps are gaps, totals are the kernel's, nothing spikes or is negative."""
import csv
import io
import os
import signal
import subprocess
import sys
import time

import simulated
from counts import S, compare
from live import VTRUN, Screen, so_far, start, until
from tap import Run, finish, ok, rows_of, same, skip


def sane(rows, name, mhz=5000, stepped=True):
    """What no machine can do, whatever befell it; and no time is lost. By a
    real clock ktop may be held up between a row and its time: then the whole
    run must be right."""
    bad, before, covered, cycles = [], {}, {}, {}
    for x in rows:
        if x["row"] != "cpu":
            continue
        if any(x[c].startswith("-") for c in x):
            bad.append(("negative", x))
        # Over ticks of 10 ms: in a short frame GHz is a rough guess.
        if (stepped and x["ghz"] and float(x["interval_s"]) > 0.5 and
                float(x["ghz"]) > mhz / 1000 * 1.1):
            bad.append(("GHz", x["sample"], x["cpu"], x["ghz"]))
        if x["ipc"] and float(x["ipc"]) > 8:
            bad.append(("IPC", x["sample"], x["cpu"], x["ipc"]))
        for share in ("busy_pct", "stall_pct", "user_pct"):
            if x[share] and float(x[share]) > 100.0001:
                bad.append((share, x["sample"], x["cpu"], x[share]))
        if x["cycles"] == "":
            continue
        seconds = float(x["interval_s"])
        # A read costs 2000 cycles.
        if stepped and int(x["cycles"]) > seconds * mhz * 1e6 + 200000:
            bad.append(("cycles", x["sample"], x["cpu"], x["cycles"], seconds))
        cycles[x["cpu"]] = cycles.get(x["cpu"], 0) + int(x["cycles"])
        covered[x["cpu"]] = covered.get(x["cpu"], 0) + seconds
        if float(x["elapsed_s"]) < before.get(x["cpu"], 0):
            bad.append(("elapsed", x["sample"], x["elapsed_s"]))
        before[x["cpu"]] = float(x["elapsed_s"])
    for cpu, n in cycles.items():
        if n > (covered[cpu] + 0.5) * mhz * 1e6:
            bad.append(("cycles of the run", cpu, n, covered[cpu]))
    ok(not bad and before, "%s: nothing is negative, nothing spikes" % name,
       "\n".join(str(b)[:300] for b in bad))
    return covered, before


def totals(rows, column):
    out = {}
    for x in rows:
        if x["row"] == "cpu" and x[column]:
            out[x["cpu"]] = out.get(x["cpu"], 0) + int(x[column])
    return out


def summed(text, rows, name):
    """ktop summary has the same totals as the rows."""
    with open("sum.csv", "w") as f:
        f.write(text)
    got = list(csv.DictReader(io.StringIO(
        Run("summary", "sum.csv", "--csv", "-").out)))
    all_ = [x for x in got if x["row"] == "machine"][:1]
    same([(x["cycles"], x["instructions"]) for x in all_],
         [tuple(str(sum(totals(rows, c).values()))
                for c in ("cycles", "instructions"))],
         "%s: the summary has the same totals" % name)


def play(machine, frames, faults, *more):
    spec = ",".join(["%s,seed=1,clock=step" % machine] +
                    ["fault=" + x for x in faults])
    r = Run("--sim", spec, "--csv", "-", "-n", str(frames), *more)
    return r, [x for x in rows_of(r.out) if x["row"] == "cpu"]


# name, machine, faults, seconds that are gaps, CPUs off: (cpus, from, to)
STEPPED = (
    ("a night's sleep", "m1", ["sleep@3500ms-30000s"], {4}, []),
    ("naps", "m1", ["sleep@%ds-%ds" % (t, t + 9) for t in (2, 3, 5, 11)],
     {2, 3, 5, 11}, []),
    ("the wall clock is set forward", "m1", ["wall:+60m@4500ms"], set(), []),
    ("the wall clock is set back", "m1", ["wall:-60m@4500ms"], set(), []),
    ("to and fro, about a sleep", "m1",
     ["wall:-20m@3s-9s", "wall:+1s@4s-5s", "sleep@4500ms-500s"], {5}, []),
    ("a cluster powers down over a sleep", "m2max",
     ["off:P1@3s-12s", "sleep@6500ms-900s"], {7}, [(range(8, 12), 3, 12)]),
    ("CPUs go off and come back in turn", "m1",
     ["off:cpu%d@%ds-%ds" % (c, 2 + c, 4 + c) for c in (7, 5, 6)], set(),
     [([c], 2 + c, 4 + c) for c in (7, 5, 6)]),
)


def stepped():
    for name, machine, faults, gaps, off in STEPPED:
        frames = 20
        r, rows = play(machine, frames, faults)
        same(r.code, 0, name)
        # m2max powers its last cluster down by itself, but for this.
        calm = play(machine, frames, ["off:P1@9000s"] * (machine == "m2max"))[1]
        covered, _ = sane(rows, name, 3600)
        same({round(x, 6) for x in covered.values()}, {float(frames)},
             "  every awake second is covered, once")
        same({int(x["sample"]) + 1 for x in rows
              if "gap" in x["quality"].split(";")}, gaps, "  gaps are gaps")
        mac = simulated.Mac(machine, 1, 2 * frames)
        mac.off = [(set(c), a * S, b * S) for c, a, b in off]
        if not any(x.startswith("off:cpu") for x in faults):
            compare(mac, rows, "u", "  " + name)
        on = {str(c) for c in range(len(mac.kind_of))} - \
            {str(c) for cpus, _, _ in off for c in cpus}
        if not off or machine == "m2max":
            same({c: x for c, x in totals(rows, "cycles").items() if c in on},
                 {c: x for c, x in totals(calm, "cycles").items() if c in on},
                 "  others count as if nothing had been")
        elapsed = [float(x["elapsed_s"]) for x in rows if x["cpu"] == "0"]
        ok(elapsed == sorted(elapsed) and len(set(elapsed)) == frames,
           "  elapsed time only goes on, whatever the wall clock does")
        summed(r.out, rows, "  " + name)


def walls():
    """The wall clock is what it is; nothing else follows it."""
    _, calm = play("m1", 10, [])
    for set_to, seconds in (("+60m", 3600), ("-60m", -3600)):
        _, rows = play("m1", 10, ["wall:%s@4500ms-8500ms" % set_to])
        for column in ("elapsed_s", "interval_s", "cycles", "quality", "c1",
                       "ipc"):
            if [x[column] for x in rows] != [x[column] for x in calm]:
                ok(False, "set by %s: %s does not follow" % (set_to, column))
        stamps = [x["time"] for x in rows if x["cpu"] == "0"]
        hours = [int(x[11:13]) for x in stamps]
        want = (seconds // 3600) % 24
        same(hours, [0] * 4 + [want] * 4 + [0] * 2,
             "set by %s: the rows say so" % set_to)


FAR = r"""
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int
clock_gettime(clockid_t id, struct timespec *t)
{
	int result = (int)syscall(SYS_clock_gettime, id, t);

	if (id == CLOCK_REALTIME)
		t->tv_sec += 300 * 31556952L;
	return result;
}
"""


def far():
    """A wall clock that nobody can have meant is said, in both ways to run."""
    with open("far.c", "w") as f:
        f.write(FAR)
    if sys.platform != "linux" or subprocess.run(
            ["cc", "-shared", "-fPIC", "-o", "far.so", "far.c"]).returncode:
        skip("a wall clock 300 years on", "not Linux, or no cc")
        return
    for separate in ("", "always"):
        env = dict(os.environ, LD_PRELOAD=os.path.abspath("far.so"),
                   KTOP_SEPARATE=separate)
        r = Run("--sim", "m1", "--csv", "-", "-n", "2", "-d", "50ms", env=env)
        ok((r.code, r.out) == (1, "") and r.err.count("\n") == 1 and
           "clock is past March 2189" in r.err and "set the clock" in r.err,
           "a wall clock 300 years on, KTOP_SEPARATE=%s" % separate,
           r.err + r.out[:200])
        r = Run("--version", env=env)
        same((r.code, r.err), (0, ""), "  but only where counters are opened")


def slow():
    """A reading that takes half an interval more makes its frame late; its
    rates are over the time that really passed."""
    r, rows = play("m1", 16, ["slow:250ms@3s-7s"])
    covered, elapsed = sane(rows, "slow calls", 3300)
    one = [x for x in rows if x["cpu"] == "0"]
    late = [x["quality"].split(";")[0] == "late" for x in one]
    long_ = [x["interval_s"] != "" and float(x["interval_s"]) >= 1.5
             for x in one]
    ok(any(late) and late == long_,
       "late is what covers half an interval more, and nothing else",
       [(x["interval_s"], x["quality"]) for x in one])
    same({c: round(x, 6) for c, x in covered.items()},
         {c: round(x, 6) for c, x in elapsed.items()},
         "no time is lost or counted twice")
    on_grid = [float(x["elapsed_s"]) % 1 for x in one[-4:]]
    same(on_grid, [0.0] * 4, "and the deadlines are back on their grid")
    summed(r.out, rows, "slow calls")


def last(path):
    return [x for x in so_far(path)
            if x["row"] == "cpu" and x["cpu"] == "4"][:-1]


def stopped():
    """SIGSTOP is not seen coming: one long frame, and all its counts."""
    ktop = start("--sim", "m1,seed=1", "-d", "100ms", "--csv", "stop.csv")
    ok(until(lambda: len(last("stop.csv")) > 3), "ktop records")
    for pause in (0.5, 1.2):
        n = len(last("stop.csv"))
        ktop.send_signal(signal.SIGSTOP)
        time.sleep(pause)
        ktop.send_signal(signal.SIGCONT)
        ok(until(lambda: len(last("stop.csv")) > n + 3), "stopped, and on")
        rows = last("stop.csv")[n - 1:]
        said = [set(x["quality"].split(";")) & {"late", "gap"} for x in rows]
        long_ = [i for i, x in enumerate(rows)
                 if x["interval_s"] and float(x["interval_s"]) > pause * 0.9]
        # Stopped between two readings of its clocks it is a gap; amid the
        # CPUs, the next frame is the late one.
        ok(any(said) and (long_ or {"gap"} in said) and
           all(any(said[i:i + 2]) for i in long_),
           "%.1f s are one frame, and it says so" % pause,
           [(x["interval_s"], x["quality"]) for x in rows])
    ktop.send_signal(signal.SIGTERM)
    same(ktop.communicate(timeout=90)[1], b"", "it ends without a word")
    with open("stop.csv") as f:
        text = f.read()
    rows = rows_of(text)
    covered, elapsed = sane(rows, "stopped", 3300, False)
    ok(all(abs(covered[c] - elapsed[c]) < 1e-6 for c in covered),
       "no time is lost or counted twice", (covered, elapsed))
    summed(text, rows, "stopped")


def screen():
    """A sleep, a clock that is set and a stop while nobody reads the tty."""
    ktop = Screen("--sim", "m1,seed=1,fault=sleep@1s-2s,fault=wall:-60m@1500ms",
                  "-d", "50ms", "--csv", "tty.csv", size="120x40")
    ktop.do("wait:live", "block")
    ok(until(lambda: len([x for x in last("tty.csv")
                          if float(x["elapsed_s"]) > 2]) > 20),
       "sampling goes on while nobody reads")
    ok(ktop.do("sig:STOP", "stopped", "sleep:400", "fg") and
       (n := len(last("tty.csv"))) and
       until(lambda: len(last("tty.csv")) > n + 5), "  also after a stop")
    ok(ktop.do("unblock", "wait:live"), "the screen goes on after all of it",
       ktop.text)
    same(ktop.end("key:q", "exit:0", "given-back"), "", "and is given back")
    with open("tty.csv") as f:
        text = f.read()
    rows = rows_of(text)
    covered, elapsed = sane(rows, "a blocked terminal", 3300, False)
    ok(all(abs(elapsed[c] - 1 - covered[c]) < 0.01 for c in covered),
       "all but the sleep is covered, once", (covered, elapsed))
    same(len([x for x in rows if x["cpu"] == "0" and
              "gap" in x["quality"].split(";") and
              float(x["elapsed_s"]) > 1.9]) >= 1, True, "the sleep is a gap")
    summed(text, rows, "a blocked terminal")


if len(sys.argv) > 2:  # a part alone
    globals()[sys.argv[2]]()
    finish()
stepped()
walls()
far()
slow()
stopped()
if VTRUN:
    screen()
finish()
