"""Memory does not grow with frames, swaps or a screen that is drawn."""
import os
import subprocess
import sys

from live import VTRUN
from resident import CAN, at_lines
from tap import KTOP, finish, ok, same, skip

# Runs a program and leaves its status and the most that it took: on a terminal,
# which hides it from us.
KEEP = """import subprocess, sys, time
sys.path.insert(0, sys.argv[1])
sys.argv[1:2] = []
from resident import resident
p, most = subprocess.Popen(sys.argv[2:]), 0
while p.poll() is None:
    most = max(most, resident(p.pid))
    time.sleep(0.02)
open(sys.argv[1], "w").write("%d %d" % (p.returncode, most))
sys.exit(p.returncode)
"""
HERE = os.path.dirname(os.path.abspath(__file__))
LONG = bool(os.environ.get("KTOP_LONG"))  # as many as a day may bring


def screen(frames, *more):
    """KiB on a terminal; a small one, for its speed."""
    if os.path.exists("peak"):
        os.unlink("peak")
    subprocess.run(
        [VTRUN, "-s", "100x30", "-t", "300", "--", sys.executable, "-c", KEEP,
         HERE, os.path.abspath("peak"), KTOP, "-n", str(frames)] +
        list(more or ("--sim", "m1,clock=step")), stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL)
    code, size = map(int, open("peak").read().split())
    return size if code == 0 else -1


if not CAN:
    skip("memory", "no /proc, and no ps")
    finish()


def compare(few, many, name):
    ok(0 < few and 0 < many <= few + 256, name, "%d KiB, then %d" % (few, many))


def frames(name, few, many, ncpus, *args):
    """The same run after few frames, and after many."""
    compare(*at_lines((few * ncpus, many * ncpus), *args), name)


many = 100 if LONG else 10
frames("%d times the frames, the same memory" % many, 2000, 2000 * many, 8,
       "--sim", "m1,clock=step", "--csv", "-")
frames("and through swaps of events", 500, 4000 if LONG else 1200, 18, "--sim",
       "m5max,clock=step", "--csv", "-", "--rotate", "basic,branch,l1d")
frames("and as text", 300, 2500 if LONG else 900, 40, "--sim",
       "m3ultra,clock=step,fault=off:P1@3s-6s", "-b")
if VTRUN and LONG:
    # The history behind the chart fills first, and the sums of the run.
    compare(screen(8000), screen(20000), "and with the screen")
elif VTRUN:
    skip("and with the screen", "takes longer: KTOP_LONG=1")


def machine(root, n):
    """A Linux machine of n CPUs, as files."""
    for name, text in (
            ("sys/devices/system/cpu/online", "0-%d\n" % (n - 1)),
            ("sys/bus/event_source/devices/cpu/type", "4\n"),
            ("proc/cpuinfo", "processor\t: 0\nvendor_id\t: AuthenticAMD\n"
             "cpu family\t: 26\nmodel\t\t: 2\nmodel name\t: AMD EPYC\n"),
            ("proc/stat", "cpu  0 0 0 0\n" + "".join(
                "cpu%d 1 0 0 1 0 0 0 0 0 0\n" % i for i in range(n)))):
        path = os.path.join(root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as f:
            f.write(text)


if VTRUN and LONG and sys.platform.startswith("linux"):
    machine("many", 1024)
    size = screen(3700, "--root", "many", "-d", "0.01", "--force")
    ok(0 < size < 64 * 1024, "1024 CPUs and an hour of frames: below 64 MB",
       "%d KiB" % size)

# Built with the sanitizers it says what it has not freed.
checked = os.environ.get("KTOP_SAN", "")
if checked and os.path.exists(checked):
    for args in (("-n", "50"), ("-n", "20", "--rotate", "basic,branch"),
                 ("-n", "5", "--ipc"), ("-n", "5", "-p", "topdown")):
        r = subprocess.run([checked, "--sim", "m1,clock=step", "--csv",
                            os.devnull] + list(args), stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        same((r.returncode, r.stderr), (0, b""),
             "nothing is left over: " + " ".join(args))
finish()
