"""Leaving, and stopping, while the kernel refuses to give the counters back."""
import os
import signal
import subprocess
import time

from live import children, so_far, until
from tap import KTOP, PROC, finish, ok, same, sim_state, skip

REFUSED = "restore the counters"


def start(spec, *more, split=False, **env):
    env = dict(os.environ, **env)
    if split:
        env["KTOP_SEPARATE"] = "always"
    return subprocess.Popen([KTOP, "--sim", spec, *more],
                            env=env, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def in_outage(name, split):
    """A ktop whose kernel refuses to be read. Where the machine was so slow
    that it was refused from the start, a later refusal."""
    for ms in (500, 5000, 20000):
        p = start("m1,state=%s,fault=busy@%dms-120s" % (state_file(name), ms),
                  "-b", "-d", "200ms", split=split)
        for line in p.stdout:
            if " stale" in line:
                return p
        p.communicate()
    return p


def counting(state):
    return dict(x.split(None, 1) for x in sim_state(state).splitlines()
                if " " in x)["counting"]


def state_file(name):
    if os.path.exists(name):
        os.unlink(name)
    return name


def which(split):
    return "two processes" if split else "one process"


# All at once: each waits more than it works. By a clock that is stepped the
# refusal comes after the first readings, however slow the machine.
ends = [(split, fault, state_file("end-%s-%d" % (fault, split)))
        for split in (False, True) for fault in ("busy", "eperm")]
ends = [x + (start("m1,clock=step,state=%s,fault=%s@500ms-90s" %
                   (x[2], x[1]), "-b", "-d", "200ms", "-n", "6",
                   split=x[0]),) for x in ends]
shorts = [(split, state_file("short-%d" % split)) for split in (False, True)]
shorts = [x + (start("m1,state=%s,fault=busy@500ms-1100ms" % x[1], "-b", "-d",
                     "200ms", "-n", "4", split=x[0]),) for x in shorts]
for split in (False, True):
    p = in_outage("term-%d" % split, split)
    p.send_signal(signal.SIGTERM)
    err = p.communicate()[1]
    same(p.returncode, 128 + signal.SIGTERM, which(split) +
         ": SIGTERM in it")
    ok(REFUSED in err, "  is said, too", err)
for split, fault, f, p in ends:
    err = p.communicate()[1]
    same(p.returncode, 1, "%s: leaving in %s is a failure" %
         (which(split), fault))
    ok(REFUSED in err and "doctor --repair" in err,
       "  which is said, with the remedy", err)
    ok(counting(f) != "0", "  and so: they count on")
for split, f, p in shorts:
    out = p.communicate()[0]
    for ms in (5000, 20000):
        if " stale" in out:
            break
        p = start("m1,state=%s,fault=busy@%dms-%dms" %
                  (state_file(f), ms, ms + 600), "-b", "-d", "200ms", "-n",
                  str(ms // 200 + 2), split=split)
        out = p.communicate()[0]
    same((" stale" in out, p.returncode, counting(f)), (True, 0, "0"),
         which(split) + ": one that ends a moment later does not matter")

if PROC:
    p = in_outage("killed", True)
    for pid in children(p.pid):
        os.kill(pid, signal.SIGKILL)
    err = p.communicate()[1]
    same(p.returncode, -signal.SIGKILL, "the screen side killed in it")
    ok("the counters and" not in err and REFUSED in err,
       "  does not say that the counters are put back", err)
else:
    skip("the screen side in an outage", "no /proc to find it in")

# A stop in it: what was counted before is counted after it.
def rows(split):
    return so_far("stop%d.csv" % split)


def stale(split):
    """The last frame whose rows did not come."""
    return max([int(x["sample"]) for x in rows(split)
                if "stale" in x["quality"]], default=-1)


def stop(split, s):
    path = state_file("stop%d.csv" % split)
    return start("m1,state=%s,fault=busy@%ds-%ds" %
                 (state_file("stop-%d" % split), s, s + 2), "-d", "200ms",
                 "--csv", path, split=split)


stops = [(split, stop(split, 1)) for split in (False, True)[:1 + PROC]]
for i, (split, p) in enumerate(stops):
    until(lambda: stale(split) >= 0 or p.poll() is not None)
    if p.poll() is not None:  # a slow machine: refused from the start
        p.communicate()
        p = stop(split, 10)
        stops[i] = (split, p)
    ok(until(lambda: stale(split) >= 0), "an outage")
    who = children(p.pid)[0] if split else p.pid
    os.kill(who, signal.SIGTSTP)
    time.sleep(0.5)
    for pid in {who, p.pid}:
        os.kill(pid, signal.SIGCONT)
for split, p in stops:
    ok(until(lambda: any(x["preset"] == "basic" and x["c1"] != "" and
                         int(x["sample"]) > stale(split) + 1
                         for x in rows(split))),
       "%s: a stop in an outage loses no events after it" % which(split),
       rows(split)[-1:])
    p.send_signal(signal.SIGTERM)
    p.communicate()
finish()
