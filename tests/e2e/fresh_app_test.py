"""Starts that are refused, output that is lost, and words that are wrong."""
import csv
import os
import pwd
import re
import signal
import subprocess

from live import until
from tap import KTOP, Run, finish, for_all, ok, record, same

STEP = ("--sim", "m1,seed=1,clock=step")
FULL = os.path.exists("/dev/full")


def sh(line, env=None):
    return subprocess.run(["sh", "-c", line.replace("ktop", "'%s'" % KTOP, 1)],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True,
                          timeout=120, env=env)


def refused(name, want, says, *args):
    """The exit status, one sentence, and what it has to say."""
    r = Run(*args)
    same(r.code, want, name)
    ok(re.search(says, r.err) and r.err.count("\n") == 1, "  it says " + says,
       r.err)
    return r


Run(*STEP, "--csv", "a.csv", "-n", "60")

# ---- lost output ----
for command in ("--help", "--version", "--write-config", 
                "--list-presets", "--list-metrics",
                "--list-columns", "--list-machines", "--list-sources",
                "--list-events --sim m1", "topology --sim m1",
                "doctor --sim m1", "doctor", "summary a.csv",
                "summary a.csv --json -", "compare a.csv a.csv"):
    for to in (">/dev/full", ">&-"):
        if to == ">/dev/full" and not FULL:
            continue
        r = sh("ktop %s %s" % (command, to))
        ok(r.returncode == 1 and "cannot write standard output" in r.stderr,
           "lost output is a failure: %s %s" % (command, to),
           "%d %s" % (r.returncode, r.stderr))
r = sh("ktop --sim m1,clock=step -b -n 1 >&-")
ok(r.returncode == 1 and "standard output is closed" in r.stderr,
   "as is batch text that nobody can get", r.stderr)
r = sh("ktop --sim m1,clock=step --csv quiet.csv -n 1 >&- 2>&-")
same((r.returncode, len(open("quiet.csv").read().splitlines())), (0, 9),
     "a recording beside closed descriptors is whole")

# ---- a run that goes on behind another ----
for i in range(3):
    Run(*STEP, "-n", "3", "--csv", "more.csv", "--json", "more.json",
        "--append")
rows = list(csv.DictReader(open("more.csv")))
same(len({x["run"] for x in rows}), 3, "each has a run of its own")
same(len({(x["run"], x["sample"], x["cpu"]) for x in rows}), len(rows),
     "no frame comes twice")
again = {x["run"] for x in record(*STEP, "-n", "1")}
ok(again == {rows[0]["run"]}, "the first is the one of a new file", again)
shapes = [("m1,seed=1",), ("m1,seed=2",), ("m2max,seed=1",),
          ("m1,seed=1,fault=sleep@1s-2s",), ("m1,seed=1", "-d", "100ms"),
          ("m1,seed=1", "--ipc"), ("m1,seed=1", "-p", "branch"),
          ("m1,seed=1", "--rotate", "branch,l1d")]
ids = []
for i, (spec, *more) in enumerate(shapes + [("m1,seed=1", "-n", "2")]):
    rows = record("--sim", spec + ",clock=step", "-n", "1", *more)
    ids.append(rows[0]["run"])
    with open("shape%d.csv" % i, "w") as f:
        w = csv.DictWriter(f, rows[0], lineterminator="\n")
        w.writeheader()
        w.writerows(rows)
same(len(set(ids)), len(shapes),
     "another machine, seed, time or set is another run, a longer one is not")
ids += [record("--replay", "shape%d.csv" % i)[0]["run"]
        for i in range(len(shapes))]
same(len(set(ids)), 2 * len(shapes), "so is each that is recorded again")
for x in range(2):
    Run(*STEP, "-n", "3", "--csv", "same%d.csv" % x, "--append")
    Run(*STEP, "-n", "3", "--csv", "same%d.csv" % x, "--append")
ok(open("same0.csv").read() == open("same1.csv").read(),
   "and all of it is the same each time")

# ---- the config file ----
conf = os.path.abspath("ktoprc")


def config(text, *args):
    with open(conf, "w") as f:
        f.write(text)
    return Run("--config", conf, *args)


manual = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..",
                      "docs", "ktop.1")
example = re.search(r"\.Bd -literal -offset indent\n(delay = .*?)\.Ed",
                    open(manual).read(), re.S).group(1)
for machine in ("m1", "m2max", "m3", "m4", "m5"):
    r = config(example, "--sim", machine + ",clock=step", "-b", "-n", "1",
               "-p", "mine")
    head = [x for x in r.out.splitlines() if "QUALITY" in x]
    head = head[0].split() if head else []
    same((r.code, r.err), (0, ""), "the manual's example works on " + machine)
    ok(len(head) == len(set(head)), "  each column has its own title", head)
    ok("  n/a" not in r.out and
       all("--" not in x.split()[-2:] for x in r.out.splitlines()[2:]),
       "  and is counted", r.out)

# ---- too few frames ----
Run("--sim", "m1,seed=2,clock=step", "--csv", "b.csv", "-n", "60")
r = Run("compare", "a.csv", "b.csv", "--all")
few = re.findall(r"too few samples: at least (\d+) of each are needed", r.out)
ok(few and r.out.count("too few samples") == len(few) and
   all(int(x) >= 120 for x in few), "it is said how many are needed", r.out)
rows = list(csv.DictReader(Run("compare", "a.csv", "b.csv", "--csv",
                               "-").out.splitlines()))
ok(all((x["needs"] != "") == (x["outcome"] == "too few samples") for x in rows),
   "in rows too")

# ---- exit statuses, and what is said ----
if os.geteuid() == 0:
    open("shut", "w").close()
    os.chmod("shut", 0)
    who = pwd.getpwnam("nobody")

    def down():
        os.setgid(who.pw_gid)
        os.setuid(who.pw_uid)

    r = subprocess.run([for_all(), "--config", os.path.abspath("shut"),
                        "--list-machines"],
                       preexec_fn=down, stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       universal_newlines=True, timeout=60)
    ok(r.returncode == 3 and "Permission denied" in r.stderr,
       "a config file without permission",
       "%d %s" % (r.returncode, r.stderr))
else:
    open("shut", "w").close()
    os.chmod("shut", 0)
    refused("a config file without permission", 3, "denied", "--config",
            "shut", "--list-machines")


def text_of(path):
    return open(path).read() if os.path.exists(path) else ""


p = subprocess.Popen([KTOP, "--sim", "m1", "-d", "50ms", "--csv", "m.csv"],
                     stdin=subprocess.DEVNULL)
until(lambda: "\nktop/2,cpu," in text_of("m.csv"))
for i in range(2):
    p.send_signal(signal.SIGUSR1)
    until(lambda: "mark %d" % (i + 1) in text_of("m.csv"))
p.send_signal(signal.SIGINT)
p.wait(timeout=90)
refused("  or are others", 2, "no marker 'a'; it has 2 markers: 1 'mark 1', "
        "2 'mark 2'", "summary", "m.csv", "--mark", "a..b")
finish()
