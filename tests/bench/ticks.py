"""CPU time of a tick of the whole screen, where there is little to show and
where there is much. python3 tests/bench/ticks.py KTOP TICKCOST [RUNS [SECONDS]]
Each is run on a terminal of its own at one tick a second, several runs in turns,
so that what else the machine does falls on all of them; prints medians, how
many times the tick of the few the tick of the many is, and when the first
picture of the many stood. The machines are those of instructions.py: their
simulated kernels' work is in it."""
import os
import re
import statistics
import subprocess
import sys
import tempfile

import instructions

FIGURES = ("cpu_us", "first_ms")
WARMUP_S = 4


def processes(ktop, _, n):
    # Their own screen: the first one reads them where somebody stands out.
    return [ktop, "--sim", "m1,procs=%d" % n, "--view", "processes"]


def counted(ktop, folder, n):
    root, shim = instructions.made(folder, n)
    return ["env", "LD_PRELOAD=" + shim, "MANY_ROOT=" + root,
            "MANY_CPUS=%d" % n, "KTOP_SEPARATE=no", ktop, "--force"]


def uncounted(ktop, folder, n):
    root, _ = instructions.made(folder, n)
    return [ktop, "--force", "--root", root]


# Name, few and many of them, how it is run, what is wanted of the ratio.
CASES = [("processes", 60, 2000, processes, 4)] + ([
    ("CPUs", 8, 1024, counted, 10),
    ("CPUs, no counters", 8, 1024, uncounted, 10),
] if sys.platform.startswith("linux") else [])


def run(tickcost, words, seconds):
    """The figures of one run; what was not measured is left out."""
    line = subprocess.run(
        [tickcost, "-s", "120x40", "-n", str(seconds), "-i", "1",
         "-w", str(WARMUP_S)] + words,
        check=True, stdout=subprocess.PIPE, text=True).stdout
    return {k: float(v) for k, v in re.findall(r"(\w+)=([\d.]+)", line)}


def main():
    ktop, tickcost = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    seconds = int(sys.argv[4]) if len(sys.argv) > 4 else 20
    got = {}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(runs):
            for name, few, many, words, _ in CASES:
                for n in (few, many):
                    one = run(tickcost, words(ktop, folder, n), seconds)
                    for f in FIGURES:
                        got.setdefault((name, n, f), []).append(
                            one.get(f, float("nan")))
    print("| CPU time of a sample, us | few | many | times | target "
          "| first screen with many, ms |\n|---|---|---|---|---|---|")
    for name, few, many, _, wanted in CASES:
        a, b, first = (statistics.median(got[name, n, f]) for n, f in (
            (few, "cpu_us"), (many, "cpu_us"), (many, "first_ms")))
        print("| %d and %d %s | %.0f | %.0f | %.1f | %d | %.0f |" % (
            few, many, name, a, b, b / a, wanted, first))


main()
