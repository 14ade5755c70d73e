"""Leaving, and stopping, while the kernel refuses to give the counters back."""
import csv
import os
import signal
import subprocess
import time

from live import children
from tap import KTOP, finish, ok, same

REFUSED = "could not be given back"


def start(spec, *more, split=False, **env):
    env = dict(os.environ, **env)
    if split:
        env["KTOP_SEPARATE"] = "always"
    return subprocess.Popen([KTOP, "--sim", spec, *more],
                            env=env, stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, text=True)


def counting(state):
    out = subprocess.run([KTOP, "sim-state", state], capture_output=True,
                         text=True).stdout
    return dict(x.split(None, 1) for x in out.splitlines()
                if " " in x)["counting"]


def state_file(name):
    if os.path.exists(name):
        os.unlink(name)
    return name


for split in (False, True):
    which = "two processes" if split else "one process"
    for fault in ("busy", "eperm"):
        f = state_file("end")
        p = start("m1,state=%s,fault=%s@500ms-90s" % (f, fault), "-b", "-d",
                  "200ms", "-n", "6", split=split)
        err = p.communicate()[1]
        same(p.returncode, 1, "%s: leaving in %s is a failure" %
             (which, fault))
        ok(REFUSED in err and "doctor --repair" in err,
           "  which is said, with the remedy", err)
        ok(counting(f) != "0", "  and so: they count on")
    f = state_file("term")
    p = start("m1,state=%s,fault=busy@500ms-90s" % f, "-b", "-d", "200ms",
              split=split)
    time.sleep(1.2)
    p.send_signal(signal.SIGTERM)
    err = p.communicate()[1]
    same(p.returncode, 128 + signal.SIGTERM, which + ": SIGTERM in it")
    ok(REFUSED in err, "  is said, too", err)
    f = state_file("short")
    p = start("m1,state=%s,fault=busy@500ms-1100ms" % f, "-b", "-d", "200ms",
              "-n", "4", split=split)
    err = p.communicate()[1]
    same((p.returncode, counting(f)), (0, "0"),
         which + ": one that ends a moment later does not matter")

f = state_file("killed")
p = start("m1,state=%s,fault=busy@500ms-90s" % f, "-b", "-d", "200ms",
          split=True)
time.sleep(1.2)
for pid in children(p.pid):
    os.kill(pid, signal.SIGKILL)
err = p.communicate()[1]
same(p.returncode, -signal.SIGKILL, "the screen side killed in it")
ok("the counters and" not in err and REFUSED in err,
   "  does not say that the counters are put back", err)

# A stop in it: what was counted before is counted after it.
for split in (False, True):
    f = state_file("stop")
    p = start("m1,state=%s,fault=busy@1s-3s" % f, "-d", "200ms", "--csv",
              "stop%d.csv" % split, split=split)
    time.sleep(1.6)
    who = children(p.pid)[0] if split else p.pid
    os.kill(who, signal.SIGTSTP)
    time.sleep(0.5)
    for pid in {who, p.pid}:
        os.kill(pid, signal.SIGCONT)
    time.sleep(3)
    p.send_signal(signal.SIGTERM)
    p.communicate()
    rows = list(csv.DictReader(open("stop%d.csv" % split)))
    ok(rows[-1]["preset"] == "overview" and rows[-1]["c1"] != "",
       "%s: a stop in an outage loses no events after it" %
       ("two processes" if split else "one process"),
       str({k: rows[-1][k] for k in ("elapsed_s", "quality", "preset")}))
finish()
