"""Starts that are refused, output that is lost, and words that are wrong."""
import csv
import gzip
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

# ---- outputs of a start that fails ----
refused("an output that cannot be", 1, "cannot create /nonexist/x",
        *STEP, "-n", "1", "--csv", "n.csv", "--json", "/nonexist/x")
ok(not os.path.exists("n.csv"), "  leaves none of the others")
same(Run(*STEP, "-n", "1", "--csv", "n.csv").code, 0,
     "  so that the next try goes")
refused("the same where the counters are refused", 3, "root", "--sim",
        "m1,euid=501,clock=step", "-b", "-n", "1", "--csv", "d.csv", "--json",
        "d.json", "--openmetrics", "d.prom")
same([x for x in os.listdir(".") if x.startswith("d.")], [],
     "  nothing is left of it")
r = Run(*STEP, "--csv", "r.csv", "--", "./no-such-command")
same((r.code, os.path.exists("r.csv")), (127, False),
     "nor of a command that is not there")
before = open("a.csv").read()
for how in ("--force", "--append"):
    Run(*STEP, "-n", "1", how, "--csv", "a.csv", "--json", "/nonexist/x")
    Run("--sim", "m1,euid=501,clock=step", "-n", "1", how, "--csv", "a.csv")
ok(open("a.csv").read() == before, "a refused start empties no file")
open("old.csv", "w").write("mine\n")
refused("what exists stays", 1, "old.csv exists", *STEP, "-n", "1", "--csv",
        "new.csv", "--json", "old.csv")
same((open("old.csv").read(), os.path.exists("new.csv")), ("mine\n", False),
     "  and so does the rest")
os.mkdir("folder")
os.symlink("folder", "way")
os.link("old.csv", "hard.csv")
os.symlink("old.csv", "soft.csv")
for one, other in (("q.csv", "./q.csv"), ("folder/q.csv", "way/q.csv"),
                   ("old.csv", "hard.csv"), ("old.csv", "soft.csv")):
    for kind in ("--json", "--openmetrics"):
        r = refused("%s is one file with %s" % (kind, other), 2,
                    "are one file|both want", *STEP, "-n", "1", "--force",
                    "--csv", one, kind, other)
same([os.path.exists(x) for x in ("q.csv", "folder/q.csv")], [False] * 2,
     "  and none is made")
same(open("old.csv").read(), "mine\n", "  and none is emptied")
same(Run(*STEP, "-n", "1", "--csv", "/dev/null", "--openmetrics", "o.prom",
         "--json", "j.json").code, 0, "three outputs are fine")
for how in ("--force", "--append"):
    refused("a recording does not go into itself (%s)" % how, 2,
            "is the recording that --replay reads", "--replay", "a.csv",
            "--csv", "./a.csv", how)
refused("nor does its summary", 2, "is the recording that is read", "summary",
        "a.csv", "--csv", "./a.csv", "--force")
ok(open("a.csv").read() == before, "  it is as it was")

# ---- a run that goes on behind another ----
for i in range(3):
    Run(*STEP, "-n", "3", "--csv", "more.csv", "--json", "more.json",
        "--append")
rows = list(csv.DictReader(open("more.csv")))
same(len({x["run"] for x in rows}), 3, "each has a run of its own")
same(len({(x["run"], x["frame"], x["cpu"]) for x in rows}), len(rows),
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


BATCH = STEP + ("-b", "-n", "1")
r = config("[preset a]\n\nevents = INST_ALL, BAR\n", *BATCH)
ok(r.code == 2 and conf + ":3:20: unknown event 'BAR'" in r.err,
   "an event that is none, not only when the preset is asked for", r.err)
r = config("[preset a]\nevents = INST_ALL, INST_BRNCH\n", *BATCH)
ok(r.code == 2 and ":2:20: unknown event 'INST_BRNCH'; did you mean "
   "'INST_BRANCH'?" in r.err, "  with the nearest that is", r.err)
r = config("[preset a]\nevents = INST_ALL, SW_PAGE_FAULTS\n", *BATCH)
ok(r.code == 0 and r.err.count("\n") == 1 and
   ":2:20: this machine has no event SW_PAGE_FAULTS" in r.err,
   "an event of another machine is told", r.err)
r = config("[preset a]\nevents = FOO\n", "--list-presets")
ok(r.code == 0 and "unknown event 'FOO'" in r.err,
   "a list is there all the same", r.err)
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
r = config("[preset mine]\nmetrics = branch_miss_pct, l1d_ld_mpki\n", *BATCH,
           "-p", "mine")
ok(r.code == 0 and "preset mine has no counter left for" in r.err and
   "l1d_ld_mpki" in r.err, "what finds no counter is told", r.err)
r = config("[preset mine]\nkey = 5\nevents = INST_BRANCH\n", *BATCH, "-p", "5")
ok(" mine" in r.out and "dtlb" not in r.out,
   "-p takes the preset that the key has", r.out[:300])
r = config("[preset mine]\nkey = 5\nevents = INST_BRANCH\n", *BATCH, "--rotate",
           "5,4")
ok(" mine" in r.out, "  as does --rotate", r.out[:300])

# ---- rows ----
refused("a filter without its number", 2, "a number goes behind < or >", *BATCH,
        "--filter", "ipc<")
refused("a sort by what processes have not", 2, "processes have no such", *BATCH,
        "--view", "processes", "--sort", "td_useful_pct")
refused("a sort by what only processes have", 2, "add --view processes", *BATCH,
        "--sort", "watts")
refused("a filter of no column", 2, "no column has that name", *BATCH,
        "--filter", "foo>1")
refused("a filter that is too long", 2, "longer than", *BATCH, "--filter",
        "ipc<1 " * 20)
same(Run(*BATCH, "--filter", "ipc<1 busy%>=50 P,4-7 branch_mpki>0").err, "",
     "what / takes is right")
r = refused("a CPU that is not there is told", 0, "--pin: .* has no CPU 99",
            *BATCH, "--pin", "99,P")
r = refused("as is a cluster", 0, "has no cluster CCX7", *BATCH, "--pin",
            "4,CCX7")
refused("a word that is no CPU", 2, "--pin 'foo' is neither", *BATCH, "--pin",
        "4,foo")
same(Run(*BATCH, "--pin", "4,E").err, "", "what is there is right")

# ---- too few frames ----
Run("--sim", "m1,seed=2,clock=step", "--csv", "b.csv", "-n", "60")
r = Run("compare", "a.csv", "b.csv")
few = re.findall(r"too few frames: at least (\d+) of each are needed", r.out)
ok(few and r.out.count("too few frames") == len(few) and
   all(int(x) >= 120 for x in few), "it is said how many are needed", r.out)
rows = list(csv.DictReader(Run("compare", "a.csv", "b.csv", "--csv",
                               "-").out.splitlines()))
ok(all((x["needs"] != "") == (x["verdict"] == "too few frames") for x in rows),
   "in rows too")

# ---- exit statuses, and what is said ----
refused("a recording that is not there", 6, "recording none.csv: No such",
        "summary", "none.csv")
refused("the same of --replay", 6, "recording none.csv: No such", "--replay",
        "none.csv", "-b")
refused("a folder", 6, "is a folder", "--replay", "folder", "-b")
refused("a library that is not there", 5, "cannot load .*nonexist.*No such",
        "--kperf", "/nonexist", "-b", "-n", "1")
refused("a tape", 2, "--tape was removed: paste the report of ktop doctor",
        "doctor", "--sim", "m1", "--tape", "file")
refused("a config file that is not there", 2, "config .*none: No such",
        "--config", "none", "-b")
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
open("noise", "wb").write(bytes(range(256)) * 16)
refused("bytes that are no text", 6, "noise is no recording", "summary",
        "noise")
open("head.csv", "w").write(before.splitlines()[0] + "\n")
refused("a head alone", 6, r"head\.csv has no whole frame.*record again",
        "summary", "head.csv")
with gzip.open("a.csv.gz", "wb") as f:
    f.write(before.encode())
refused("a compressed one", 6, r"gzip -dc FILE \| ktop .*summary -", "summary",
        "a.csv.gz")
refused("an empty command", 2, "-- needs a command", *STEP, "--", "")
refused("a part between marks that are not", 2, "no mark 'a', nor any other",
        "summary", "a.csv", "--mark", "a..b")


def text_of(path):
    return open(path).read() if os.path.exists(path) else ""


p = subprocess.Popen([KTOP, "--sim", "m1", "-d", "50ms", "--csv", "m.csv"],
                     stdin=subprocess.DEVNULL)
until(lambda: "\nktop/1,core," in text_of("m.csv"))
for i in range(2):
    p.send_signal(signal.SIGUSR1)
    until(lambda: "mark %d" % (i + 1) in text_of("m.csv"))
p.send_signal(signal.SIGINT)
p.wait(timeout=90)
refused("  or are others", 2, "no mark 'a'; it has 2 marks: 1 'mark 1', "
        "2 'mark 2'", "summary", "m.csv", "--mark", "a..b")
refused("--no-NAME with an argument", 2, "--no-batch takes no argument",
        "--no-batch=1")
refused("--no-NAME of what is unknown", 2, "unknown option '--no-bathc'; did "
        "you mean '--no-batch'", "--no-bathc")
r = Run("--sim", "m1", "-d", "50ms", "--", "sleep", "0.3")
ok("GHz~" in r.err and "~GHz" not in r.err, "run heads its columns as others",
   r.err)
finish()
