"""Thieves, sleeping clusters, full disks and crashes."""
import os
import resource
import signal
import subprocess
import time

from live import children, until
from tap import (KTOP, PROC, Run, finish, ok, record, rows_of, same, sim_state,
                 skip)


def cell(rows, column):
    """{(frame, cpu): value}"""
    return {(int(x["sample"]), int(x["cpu"])): x[column] for x in rows
            if x["row"] == "cpu"}


rows = record("--sim", "m1,seed=1,clock=step,fault=steal@3s-6s", "-n", "10")
quality, ev, fixed = (cell(rows, c) for c in ("quality", "ev_cycles",
                                              "cycles"))
# Frame n is read at n + 1 seconds.
stolen = {f for f, c in quality if "taken-over" in quality[f, c].split(";")}
ok(stolen >= {3, 4} and stolen <= {2, 3, 4, 5, 6},
   "a theft is flagged within one frame and no longer than it lasts", stolen)
ok(all(ev[f, c] == "" for f, c in ev if f in stolen),
   "what a thief counted is not shown as ours")
ok(all(fixed[k] != "" for k in fixed), "cycles go on")
ok(all(ev[f, c] != "" for f, c in ev if f >= 8), "and it recovers by itself")

FAR = "m2max,seed=1,clock=step,fault=off:P1@5000s"
OFF = "m2max,seed=1,clock=step,fault=off:%s@3s-6s"
P1 = set(range(8, 12))
calm = record("--sim", FAR, "-n", "12")
rows = record("--sim", OFF % "P1", "-n", "12")
for column in ("cycles", "instructions", "c1"):
    a, b = cell(calm, column), cell(rows, column)
    same({k for k in a if k[1] not in P1 and a[k] != b[k]}, set(),
         "the other cores lose and gain no %s" % column)
    ok(all(int(b[f, c] or -1) >= 0 for f in range(8, 12) for c in P1),
       "and those of P1 count again afterwards")
quality = cell(rows, "quality")
ok(all("off" in quality[f, c].split(";") for f in (3, 4) for c in P1),
   "P1 reads off", quality)
ok(not any("off" in quality[k].split(";") for k in quality
           if k[1] not in P1), "nobody else does")
ok(all(cell(rows, "cycles")[f, c] == "" for f in (3, 4) for c in P1),
   "off is empty, not 0")

rows = record("--sim", OFF % "E", "-n", "12")
quality, got = cell(rows, "quality"), cell(rows, "cycles")
stale = {k for k in quality if "stale" in quality[k].split(";")}
ok(len(stale) > 0 and all(got[k] == "" for k in stale),
   "rows the kernel withholds are stale and empty", sorted(stale))
ok(not any(got[4, c] != "" for c in range(4)),
   "no E core counts while it is off")
base = cell(calm, "cycles")
for c in range(4, 12):
    a = sum(int(base[f, c]) for f in range(12))
    b = sum(int(got[f, c] or 0) for f in range(12))
    if a != b:
        ok(False, "cpu%d: withheld counts arrive with the next row" % c,
           [a, b])
ok(True, "withheld counts arrive with the next row that comes")


def limit():
    resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))


p = subprocess.run([KTOP, "--sim", "m1,clock=step", "--csv", "limit.csv",
                    "-n", "50"], stdin=subprocess.DEVNULL,
                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                   preexec_fn=limit, timeout=120)
err = p.stderr.decode()
same(p.returncode, 1, "a recording that hits a limit is a failure")
ok(err.count("cannot write") == 1 and "samples were lost" in err,
   "said once, with the loss", err)
text = open("limit.csv").read()
ok(text.endswith("\n") and len({x.count(",") for x in text.split("\n")
                                if x != ""}) == 1, "no row is torn")

def crashes(number, who):
    """One process, or one of two, gets a fault; what is said and left."""
    name = "%s of %s" % (number.name, who)
    state = "crash-%s-%d" % (who.split()[-1], number)
    p = subprocess.Popen([KTOP, "--sim", "m1,state=" + state, "-d", "100ms",
                          "--csv", state + ".csv"], stdin=subprocess.DEVNULL,
                         stderr=subprocess.PIPE, env=dict(
                             os.environ, KTOP_SEPARATE="always" if
                             who != "ktop" else "no"))
    held = until(lambda: "counting 3" in
                 sim_state(state).split("\n"))
    victim = p.pid
    if who == "the screen":
        victim = children(p.pid)[0]
    time.sleep(0.15)
    os.kill(victim, number)
    err = p.communicate(timeout=90)[1].decode()
    if who == "the server":  # the screen side's end is the end of both
        same(p.returncode, -number, "%s: a crash is still one" % name)
        ok("counter server, sim" in err, "  it says which process", err)
    else:
        same(p.returncode, -number, "%s: a crash is still one" % name)
    ok("ktop %s (" % VERSION in err and "sim, a14" in err and
       "crashed" in err,
       "  which ktop, source and chip", err)
    ok(err.count("[0x") >= 2, "  and where", err)
    after = sim_state(state).split("\n")
    ok(held and "counting 0" in after and
       "force 0" in after, "  with the counters given back", held)


VERSION = Run("--version").out.split()[1]
for signum in (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE,
               signal.SIGTRAP):
    for process in ("ktop", "the server", "the screen"):
        if process == "ktop" or PROC:
            crashes(signum, process)
        else:
            skip("signal %d in %s" % (signum, process),
                 "Linux only: found in /proc")

VTRUN = os.environ.get("VTRUN", "")
for split in ("no", "always") if VTRUN else ():
    for signum in ("SEGV", "ABRT", "BUS", "FPE"):
        r = subprocess.run([VTRUN, "-s", "80x24", "-e",
                            "KTOP_SEPARATE=" + split, "wait:IPC",
                            "wait:q quit", "sig:" + signum, "exit",
                            "given-back", "wait:crashed", "--", KTOP, "--sim",
                            "m1,state=t-%s-%s" % (split, signum)],
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, timeout=300)
        number = getattr(signal, "SIG" + signum)
        ok(r.returncode == 128 + number, "SIG%s on a terminal (%s): it is "
           "given back, and then told what was wrong" %
           (signum, "two processes" if split == "always" else "one"),
           r.stderr.decode())

p = subprocess.Popen([KTOP, "--sim", "m1,state=stop-state", "-d", "100ms",
                      "--csv", "stop.csv"], stdin=subprocess.DEVNULL,
                     stderr=subprocess.PIPE,
                     # A group whose parent is elsewhere: others cannot stop.
                     preexec_fn=os.setpgrp)


def held():
    return "force 1" in sim_state("stop-state").split("\n")


until(held)
p.send_signal(signal.SIGTSTP)
ok(until(lambda: not held()), "a stopped ktop holds nothing",
   sim_state("stop-state"))
p.send_signal(signal.SIGCONT)
ok(until(held), "and takes the counters again",
   sim_state("stop-state"))
# The row that covers the stop is written by the first frame after it.
until(lambda: "gap" in open("stop.csv").read())
p.send_signal(signal.SIGTERM)
p.communicate(timeout=90)
same(p.returncode, 128 + signal.SIGTERM, "and ends as ever")
gaps = [x for x in rows_of(open("stop.csv").read())
        if "gap" in x["quality"].split(";")]
ok(len(gaps) > 0, "with the gap in the recording")

if os.geteuid() == 0:
    os.mkdir("open")
    os.chmod("open", 0o777)
    os.chmod(".", 0o755)
    env = dict(os.environ, SUDO_UID="12345", SUDO_GID="12345")
    r = Run("--sim", "m1,clock=step", "--csv", "open/user.csv", "-n", "1",
            env=env)
    same((r.code, os.stat("open/user.csv").st_uid), (0, 12345),
         "under sudo a recording is its caller's")
    r = Run("--sim", "m1,clock=step", "--csv", "root.csv", "-n", "1",
            env=env)
    same(r.code, 3, "who may not write where the caller could not")
finish()
