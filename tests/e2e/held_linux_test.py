"""Whose the counters are is the exit code: 4 where others have them (Linux).

The kernel's answers are held_counters.c's, so that it needs no processor with
counters, nor any right.
"""
import os
import re

from tap import Run, finish, ok, same, shim_of, skip

SHIM = shim_of("held_counters")


def run(how, *args):
    return Run("-b", "-n", "2", "-d", "0.1", *args,
               env=dict(os.environ, LD_PRELOAD=SHIM, HELD_AS=how,
                        KTOP_SEPARATE="no"))


def rows(r):
    """The cells, without the time of day, which may have any digits."""
    return [cell for line in r.out.splitlines()
            if re.match("all |CPU |cpu[0-9]", line) for cell in line.split()]


if SHIM is None:
    skip("counters of others", "not Linux, no compiler, or a sanitizer")
    finish()

for args in ((), ("--require-pmu",), ("--ipc",), ("--ipc", "--require-pmu")):
    r = run("free", *args)
    same(r.code, 0, "counters that are free: 0 " + " ".join(args))
    ok("1.50" in rows(r) and "in-use" not in rows(r), "  and IPC is there", r.out)
for args in (("--ipc",), ("--require-pmu",), ("--ipc", "--require-pmu")):
    r = run("held", *args)
    same(r.code, 4, "none of them ever counts: 4 " + " ".join(args))
    ok("in-use" in rows(r) and "1.50" not in rows(r), "  the rows say in-use",
       r.out)
    ok("ktop: all counters were in use by other programs" in r.err and
       "--mux" in r.err, "  and why, and what to do", r.err)
for args in (("--require-pmu",), ("--ipc", "--require-pmu")):
    r = run("busy", *args)
    same((r.code, r.out), (4, ""), "opening them is refused: 4 " +
         " ".join(args))
    ok("EBUSY" in r.err and "quit it" in r.err and r.err.count("\n") == 1,
       "  and why, in one line", r.err)
for how in ("held", "busy"):
    r = run(how)
    same(r.code, 0, how + ": events of the kernel's own are counts: 0")
    ok("ctx/s" in r.out, "  they are there", r.out)
finish()
