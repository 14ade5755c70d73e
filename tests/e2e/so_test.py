"""The simulated frameworks as a library: for other programs, and for ktop."""
import os
import shutil
import subprocess

import simulated
from live import SO, state
from tap import KTOP, Run, finish, ok, rows_of, same, skip

HERE = os.path.dirname(os.path.abspath(__file__))


def copied(mode=0o755):
    """As root ktop loads only what nobody else could have written."""
    shutil.copy(SO, "libkperf-sim.so")
    os.chmod("libkperf-sim.so", mode)
    return os.path.abspath("libkperf-sim.so")


def env(spec):
    return dict(os.environ, KTOP_SIM=spec)


def build():
    for cc in (os.environ.get("CC", "cc"), "gcc", "clang"):
        r = subprocess.run(
            cc.split() + ["-std=gnu11", "-Wall", "-o", "foreign",
                          os.path.join(HERE, "foreign.c"), "-ldl"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if r.returncode == 0:
            return ok(r.stdout == b"", "somebody else's program compiles",
                      r.stdout.decode())
    return ok(False, "somebody else's program compiles", r.stdout.decode())


def foreign(so, spec):
    p = subprocess.run(["./foreign", so, so], env=env(spec), timeout=90,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    lines = p.stdout.decode().splitlines()
    return p.returncode, dict(x.split(" ", 1) for x in lines), \
        p.stderr.decode()


def counts(so):
    """A thread that counts itself computes on the fastest kind."""
    for machine, database in (("m1", "a14"), ("m2max", "a15"),
                              ("m5max", "as5-1")):
        code, got, err = foreign(so, machine + ",state=so-" + machine)
        if not ok((code, err) == (0, ""), "it runs on %s" % machine, err):
            continue
        same((got["database"], got["classes"], got["counters"]),
             (database, "3", "10"), "  and finds its counters")
        fast = simulated.Kind(simulated.MACHINES[machine][0][0], 1, 0)
        least, most = (int(got[x]) * fast.mhz[3] // 1000
                       for x in ("least_ns", "most_ns"))
        cycles = int(got["FIXED_CYCLES"])
        ok(least <= cycles <= most, "  counts the cycles of its time",
           (least, cycles, most))
        for event in ("FIXED_INSTRUCTIONS", "INST_BRANCH",
                      "BRANCH_MISPRED_NONSPEC"):
            rate = fast.rate(event, False)[0]
            ok(abs(int(got[event]) - cycles * rate / 2 ** 20) <
               0.01 * int(got[event]) + 2, "  and %s in proportion" % event,
               (got[event], cycles, rate))
        after = state("so-" + machine)
        same((after["force"], after["counting"], after["thread_counting"]),
             ("0", "0", "0"), "  and gives all back")
    same(foreign(so, "m1,euid=501")[0], 1, "without root it is refused")
    same(foreign(so, "vm")[0], 1, "where there is no kpc as well")


def ktop(so):
    """ktop on the library shows what ktop shows with --sim."""
    for spec in ("m1,seed=3,clock=step", "m5max,clock=step",
                 "m2max,clock=step,fault=off:E@3s-6s",
                 "m1,clock=step,fault=steal@2s-4s"):
        a = Run("--sim", spec, "--csv", "-", "-n", "8")
        b = Run("--kperf", so, "--kperfdata", so, "--csv", "-", "-n", "8",
                env=env(spec))
        same((b.code, b.err), (a.code, a.err), "%s: ktop runs" % spec)
        x, y = rows_of(a.out), rows_of(b.out)
        ok(len(x) > 0 and len(x) == len(y), "  with as many rows")
        skip = {"run", "source"}
        bad = [(p["sample"], p["cpu"], k, p[k], q[k])
               for p, q in zip(x, y) for k in p
               if k not in skip and p[k] != q[k]]
        ok(not bad, "  and the same recording", "\n".join(map(str, bad[:9])))
        same({q["source"] for q in y}, {"sim"}, "  that says it is simulated")
    same(Run("--kperf", so, "--csv", "-", "-n", "1",
             env=env("m1,clock=step")).code != 0, True,
         "half of the pair is not enough off a Mac")
    r = Run("--kperf", "/nowhere/kperf.so", "--kperfdata", so, "-b", "-n",
            "1", env=env("m1"))
    ok(r.code != 0 and "/nowhere/kperf.so" in r.err, "a path that is wrong "
       "is named", r.err)
    r = Run("--kperf", KTOP, "--kperfdata", so, "-b", "-n", "1",
            env=env("m1"))
    ok(r.code != 0 and r.err.count("\n") == 1, "so is what is no library",
       r.err)
    if os.geteuid() != 0:
        return
    so = copied(0o777)
    r = Run("--kperf", so, "--kperfdata", so, "-b", "-n", "1", env=env("m1"))
    same((r.code, "chmod go-w" in r.err), (3, True),
         "as root a library that others may write to is refused")
    os.chown(so, 12345, 12345)
    os.chmod(so, 0o755)
    r = Run("--kperf", so, "--kperfdata", so, "-b", "-n", "1", env=env("m1"))
    same((r.code, "belongs to user 12345" in r.err), (3, True),
         "so is one that is not root's")
    copied()
    r = Run("-b", "-n", "1", "-d", "100ms",
            env=dict(os.environ, KTOP_KPERF=so, KTOP_KPERFDATA=so))
    ok("simulated" not in r.out, "and the environment names none", r.out)


if SO and os.path.exists(SO):
    library = copied()
    if build():
        counts(library)
    ktop(library)
else:
    skip("the simulated frameworks", "no KTOP_SIM_SO")
finish()
