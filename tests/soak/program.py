"""The whole program for a while: ktop on a stepped clock, frame after frame
down a pipe, with faults. Memory and descriptors stay flat, no deadline drifts,
and the counts of all frames add up to what one long frame counts. (The year
itself is year.c, in one process.)  program.py KTOP [MACHINE...]

A reading costs the CPU that answers 2000 cycles and 900 instructions
(docs/SIMULATION.md), so the sums may differ by that times the readings, the
same number for both: anything else is a lost or invented count.
"""
import os
import random
import subprocess
import sys
import time

KTOP = os.path.abspath(sys.argv[1])
MACHINES = sys.argv[2:] or ["m1", "m2max", "m6"]
YEAR = 365 * 86400
SECONDS = float(os.environ.get("SOAK_SECONDS", "60"))
SEED = os.environ.get("SOAK_SEED", time.strftime("%Y%m%d"))
READ_CYCLES, READ_INSTRUCTIONS = 2000, 900
SLACK_KB = 256
ENV = dict(os.environ)
if os.environ.get("SOAK_SEPARATE"):
    ENV["KTOP_SEPARATE"] = "always"


def faults(machine, dice, seconds):
    """Sixteen at most, in the first nine tenths, one after the other."""
    kinds = ["steal", "busy", "taken", "eperm", "slow:1us", "sleep",
             "dead:INST_ALL", "dead:CORE_ACTIVE_CYCLE"]
    if machine == "m2max":
        kinds.append("off:P1")
    out, at = [], 10
    for _ in range(12):
        at += dice.randrange(1, max(2, int(seconds * 0.9) // 16))
        length = dice.randrange(2, 60)
        out.append("fault=%s@%ds-%ds" % (dice.choice(kinds), at, at + length))
        at += length + 5
    return out if at < seconds * 0.95 else []


def children(pid):
    try:
        with open("/proc/%d/task/%d/children" % (pid, pid)) as f:
            return [int(x) for x in f.read().split()]
    except OSError:
        return []


def size(pid):
    """(private kB, descriptors)"""
    try:
        with open("/proc/%d/status" % pid) as f:
            kb = next(int(x.split()[1]) for x in f
                      if x.startswith("RssAnon:"))
        return kb, len(os.listdir("/proc/%d/fd" % pid))
    except (OSError, StopIteration):
        return None


class Sums:
    def __init__(self):
        self.cycles, self.instructions = {}, {}
        self.frames, self.last, self.elapsed = 0, -1, 0.0
        self.columns, self.upto = None, -1  # no further than is needed

    def take(self, line):
        x = line.split(",", self.upto)
        if self.columns is None:
            self.columns = [x.index(c) for c in (
                "row", "frame", "elapsed_s", "core", "cycles",
                "instructions")]
            self.cpu = x.index("cpu")
            self.upto = x.index("instructions") + 1
            return
        row, frame, elapsed, _, cycles, instructions = (
            x[i] for i in self.columns)
        if row != "core":
            return
        cpu = x[self.cpu]
        if cycles:
            self.cycles[cpu] = self.cycles.get(cpu, 0) + int(cycles)
        if instructions:
            self.instructions[cpu] = (self.instructions.get(cpu, 0) +
                                      int(instructions))
        if int(frame) != self.last:
            self.last = int(frame)
            self.frames += 1
            self.elapsed = float(elapsed)


def run(spec, period, frames, watch):
    p = subprocess.Popen([KTOP, "--sim", spec, "-d", "%ds" % period, "-n",
                          str(frames), "--csv", "-"],
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, env=ENV, text=True,
                         bufsize=1 << 20)
    sums, seen, began = Sums(), [], time.monotonic()
    next_look = began
    for line in p.stdout:
        sums.take(line)
        if watch and time.monotonic() > next_look:
            next_look += max(SECONDS / 50, 0.1)
            seen.append([size(x) for x in [p.pid] + children(p.pid)])
    p.wait()
    return p.returncode, sums, seen, time.monotonic() - began


def speed(machine):
    """Frames a second, as read here."""
    took = run("%s,seed=1,clock=step" % machine, 1, 3000, False)[3]
    return 3000 / took


def flat(seen, what):
    """Nothing grows after the first third."""
    rows = [[x[what] for x in s] for s in seen if None not in s]
    rows = [r for r in rows if len(r) == max(map(len, rows))]
    third = len(rows) // 3
    if third < 2:
        return True, "too short to say"
    early = [max(r[i] for r in rows[:third]) for i in range(len(rows[0]))]
    late = [max(r[i] for r in rows[-third:]) for i in range(len(rows[0]))]
    grown = [b - a for a, b in zip(early, late)]
    return all(g <= (SLACK_KB if what == 0 else 0) for g in grown), \
        "%s -> %s" % (early, late)


def soak(machine):
    dice = random.Random("%s %s" % (SEED, machine))
    frames = min(YEAR, int(speed(machine) * SECONDS * 0.9))
    spec = ",".join(["%s,seed=%d,clock=step" % (machine,
                                                dice.randrange(1000))] +
                    faults(machine, dice, frames))
    code, sums, seen, took = run(spec, 1, frames, True)
    whole = run(spec, frames, 1, False)[1]
    bad = []
    if code != 0:
        bad.append("exit code %d" % code)
    if sums.frames > frames or sums.last != sums.frames - 1:
        bad.append("frames: %d, last %d" % (sums.frames, sums.last))
    # Every frame is a second after the one before, but for system sleep.
    off = sums.elapsed - round(sums.elapsed)
    if abs(off) > 1e-6:
        bad.append("deadlines drifted by %r s" % off)
    if not whole.cycles or set(whole.cycles) != set(sums.cycles):
        bad.append("one long frame counts on %s, the year on %s" %
                   (sorted(whole.cycles), sorted(sums.cycles)))
    for cpu in whole.cycles:
        d = sums.cycles.get(cpu, 0) - whole.cycles[cpu]
        k, rest = divmod(d, READ_CYCLES)
        di = sums.instructions.get(cpu, 0) - whole.instructions[cpu]
        if rest or not 0 <= k <= frames or di != k * READ_INSTRUCTIONS:
            bad.append("cpu%s: cycles differ by %d, instructions by %d" %
                       (cpu, d, di))
    memory, kb = flat(seen, 0)
    descriptors, fds = flat(seen, 1)
    if not memory:
        bad.append("memory grew: kB %s" % kb)
    if not descriptors:
        bad.append("descriptors grew: %s" % fds)
    print("%s soak: %s, %d frames (%.2f%% of a year) in %.0f s, %d faults; the "
          "sums of %d CPUs; kB %s, descriptors %s" %
          ("not ok" if bad else "ok", machine, sums.frames,
           100 * sums.frames / YEAR, took, spec.count("fault="),
           len(whole.cycles), kb, fds))
    for line in bad[:10] + (["with --sim " + spec] if bad else []):
        print("  # " + line)
    sys.stdout.flush()
    return not bad


sys.exit(0 if all([soak(m) for m in MACHINES]) else 1)
