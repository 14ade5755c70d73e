"""A recording while a command runs (ktop --csv FILE -- CMD), and ktop -- CMD, which
is that or ktop stat."""
import csv
import os
import signal
import subprocess
import sys
import time

from live import until
from tap import KTOP, PROC, Run, finish, ok, same

M1 = ("--sim", "m1", "-d", "100ms")


def sh(script, *args, **kw):
    """With a recording, as which it is not stat."""
    if "--csv" not in args:
        args += ("--force", "--csv", "any.csv")
    return Run(*M1, *args, "--", "sh", "-c", script, **kw)


r = sh("sleep 0.5", "--csv", "total.csv")
rows = [x for x in csv.DictReader(open("total.csv")) if x["row"] == "cpu"]
for cluster in ("E", "P"):
    want = (sum(int(x["cycles"]) for x in rows if x["cluster"] == cluster),
            sum(int(x["instructions"]) for x in rows
                if x["cluster"] == cluster))
    line = [x.split() for x in r.err.splitlines()
            if x.split()[:1] == [cluster]][0]
    same((int(line[-2]), int(line[-1])), want,
         "totals of %s are those of the recording" % cluster)
ok("command's" in r.err and "CPU time" in r.err, "and whose they are", r.err)
# The command ends between two ticks: what is left is a frame of its own time.
for interval, least in (("10s", 1), ("200ms", 3)):
    sh("sleep 0.5", "--csv", interval + ".csv", "-d", interval)
    cpu0 = [x for x in csv.DictReader(open(interval + ".csv"))
            if x["row"] == "cpu" and x["cpu"] == "0"]
    seconds = [float(x["interval_s"]) for x in cpu0]
    ok(len(cpu0) >= least and sum(seconds) >= 0.49 and
       int(cpu0[-1]["cycles"]) > 0 and seconds[-1] < 9,
       "-d %s: the last frame ends with the command" % interval, seconds)
# From the third second on nothing is counted: busy goes on, the clock does not.
lost = Run("--ipc", "--csv", "lost.csv", "--sim", "m1,clock=step,fault=busy@3s", "--",
           "sleep", "0.5")
line = [x.split() for x in lost.err.splitlines() if x.split()[:1] == ["P"]][0]
ok(line[-3] != "-" and float(line[-4]) > 2,
   "the clock is of the time that was counted", lost.err)


def table(text, head):
    """Rows below the line that begins with `head`, by their first word."""
    lines = text.splitlines()
    at = [i for i, x in enumerate(lines) if x.split()[:1] == [head[0]] and
          head[1] in x.split()]
    if not at:
        return {}
    names = lines[at[0]].split()[1:]
    rows = {}
    for line in lines[at[0] + 1:]:
        words = line.split()
        if len(words) != len(names) + 1:
            break
        rows[words[0]] = dict(zip(names, words[1:]))
    return rows


metrics = table(r.err, ("cluster", "br"))
same(sorted(metrics), ["E", "P", "all"],
     "the preset's metrics stand there as on the screen")
for cluster in ("E", "P"):
    rows_of = [x for x in rows if x["cluster"] == cluster]
    total = {}
    for x in rows_of:
        for i in range(1, 11):
            if x["e%d" % i] and x["c%d" % i]:
                total[x["e%d" % i]] = total.get(x["e%d" % i], 0) + \
                    int(x["c%d" % i])
    for label, event in (("br", "BRANCH_MISPRED_NONSPEC"),
                         ("L1D-ld", "L1D_CACHE_MISS_LD_NONSPEC")):
        want = 1000 * total[event] / total["INST_ALL"]
        ok(abs(float(metrics[cluster][label]) - want) <= 0.051,
           "%s of %s is of the whole run's counts" % (label, cluster),
           "%s, not %f" % (metrics[cluster][label], want))
r = sh("sleep 0.3", "--events", "INST_BRANCH", "--sim", "m1,os=14.0")
line = [x.split() for x in r.err.splitlines()
        if x.split()[:1] == ["INST_BRANCH"]]
ok(len(line) == 2 and all(0 < float(x[4]) < 1000 for x in line),
   "per 1000 instructions also where they are counted by the pair alone",
   r.err)
# fstat, as not every system has a folder of descriptors
OPEN = [sys.executable, "-c", """import os
for fd in range(3, 1024):
    try:
        os.fstat(fd)
        print(fd)
    except OSError:
        pass"""]
given = os.dup2(1, 100)
ok(b"100" in subprocess.run(OPEN, stdout=subprocess.PIPE,
                            pass_fds=[given]).stdout.split(),
   "a descriptor that is open is found")
same(Run(*M1, "--csv", "open.csv", "--", *OPEN).out, "",
     "no descriptor is left open")

p = subprocess.Popen([KTOP, *M1, "--csv", "up.csv", "--force", "--", "sh", "-c",
                      "trap 'echo term; exit 9' TERM; touch up;"
                      "while :; do sleep 0.05; done"],
                     stdout=subprocess.PIPE, stderr=subprocess.PIPE)
until(lambda: os.path.exists("up"))
p.send_signal(signal.SIGTERM)
out, err = p.communicate(timeout=90)
same((p.returncode, out), (9, b"term\n"), "SIGTERM is passed on")

# As from a terminal: the whole group gets it, ktop waits for the command.
p = subprocess.Popen([KTOP, *M1, "--csv", "up.csv", "--force", "--", "sh", "-c",
                      "trap 'sleep 0.3; echo int; exit 5' INT; touch up2;"
                      "while :; do sleep 0.05; done"], start_new_session=True,
                     stdout=subprocess.PIPE, stderr=subprocess.PIPE)
until(lambda: os.path.exists("up2"))
os.killpg(p.pid, signal.SIGINT)
out, err = p.communicate(timeout=90)
same((p.returncode, out), (5, b"int\n"), "^C is the command's")
ok(b"whole machine" in err, "and the totals still come", err)

if os.geteuid() == 0 and PROC:
    sudo = dict(os.environ, SUDO_UID="65534", SUDO_GID="65534",
                SUDO_USER="nobody", HOME="/nowhere", USER="other")
    os.chmod(".", 0o777)
    r = sh("id -u; id -g; echo $USER:$SUDO_UID:$HOME", "--csv", "his.csv",
           env=sudo)
    uid, gid, rest = (r.out.split("\n") + ["", "", ""])[:3]
    same((uid, gid), ("65534", "65534"), "under sudo it runs as the caller")
    ok(rest.startswith("nobody::/non"), "in the caller's environment", r.out)
    r = sh("touch by-caller; grep -E '^(Uid|Cap(Eff|Prm))' /proc/self/status",
           "--csv", "his2.csv", env=sudo)
    ok("\t0\t" not in r.out and "CapEff:\t0000000000000000" in r.out,
       "with nothing left of root", r.out)
finish()
