"""ktop stat: what a command counted, run by run, and one against another."""
import csv
import io
import json
import os
import re
import signal
import statistics
import subprocess
import sys

from jobs import Job
from live import so_far, until
from tap import KTOP, PROC, Run, finish, ok, rows_of, same, sim_state, skip


def stat_rows(*args):
    """A run of stat, and its rows, which --csv has too."""
    r = Run("stat", "--csv", "rows.csv", "--force", *args)
    return r, rows_of(open("rows.csv").read())


def of(table, row, metric, command="A"):
    return [x for x in table if x["row"] == row and x["metric"] == metric and
            x["command"] == command and x["part"] == ""]


# ---- counts and times that are known: those of docs/SIMULATION.md ----
def worked(seconds, part=""):
    """Cycles of a command of so many seconds on an M1, of its P and E cores."""
    turns, rest = divmod(round(1000 * seconds), 160)
    e_ms = 10 * turns + max(0, rest - 150)
    return ((1000 * seconds - e_ms) * 3204e3 if part != "E" else 0) + (
        e_ms * 2064e3 if part != "P" else 0)


LONGER = "echo >>runs; sleep 0.$(($(wc -l <runs) * 2))"  # from run to run
_, known = stat_rows("-r", "3", "-I", "100", "--sim", "m1,clock=step", "--",
                     "sh", "-c", LONGER)
by = {}
for x in known:
    by.setdefault((x["row"], x["metric"], x["part"]), []).append(x)
looks = list(zip(*(by["interval", x, ""] for x in
                   ("elapsed", "counted_cpu_time", "cycles"))))
apart = [(a["time_s"], a["value"], b["value"], c["value"])
         for a, b, c in looks for end in (float(a["time_s"]),)
         for length in (float(a["value"]),)
         if float(b["value"]) != length or length % 1 or end % 1 or
         float(c["value"]) != worked(end) - worked(end - length)]
ok(len(looks) >= 3 and not apart,
   "a look of -I has the time, CPU time and cycles of one clock", apart)
took = [float(x["value"]) for x in by["run", "elapsed", ""]]
same([[float(x["value"]) for x in by["run", "cycles", p]]
      for p in ("", "P", "E")],
     [[worked(t, p) for t in took] for p in ("", "P", "E")],
     "each run has the cycles of its seconds, and of its parts")
mean = by["mean", "elapsed", ""][0]
half = 4.30265273 * statistics.stdev(took) / 3 ** 0.5
ok(len(set(took)) > 1 and
   all(abs(float(mean[name]) - want) < 1e-6 for name, want in (
       ("value", sum(took) / 3), ("low", sum(took) / 3 - half),
       ("high", sum(took) / 3 + half), ("min", min(took)),
       ("max", max(took)))), "three runs, their mean and its interval", mean)

# ---- how it ends ----
_, table = stat_rows("--", "true")
for metric in ("cycles", "instructions"):
    x = of(table, "run", metric)[0]
    ok(float(x["value"]) > 0 if x["value"] != "" else x["why"] != "",
       metric + " are counted, or it says why not", x)
used = [of(table, "run", x)[0] for x in ("user", "system", "cpu_time")]
ok(all("exec" in x["why"] for x in used[:2]) if used[0]["value"] == "" else
   sum(float(x["value"]) for x in used[:2]) <= 1.06 * float(used[2]["value"]),
   "user and system are not more than the CPU time, or left out", used)
# ---- as rows ----
_, table = stat_rows("-r", "2", "--", "sh", "-c", ": 'a,b' \"c\"", "--vs", "true")
text = open("rows.csv").read()
same(text.splitlines().count(text.splitlines()[0]), 1, "one header")
ok(len({len(x) for x in csv.reader(io.StringIO(text))}) == 1,
   "as many fields in every line")
same({(x["command"], x["words"]) for x in table},
     {("A", "sh -c : 'a,b' \"c\""), ("B", "true")}, "quoted as RFC 4180 has it")
names = {c: [(x["row"], x["metric"]) for x in table if x["command"] == c and
             x["row"] != "versus"] for c in "AB"}
same(names["A"], names["B"], "the same rows for every command")
runs = [float(x["value"]) for x in of(table, "run", "elapsed")]
mean = of(table, "mean", "elapsed")[0]
ok(len(runs) == 2 and abs(sum(runs) / 2 - float(mean["value"])) <
   1e-6 * runs[0], "a mean is that of its runs")
half = 12.7062 * abs(runs[0] - runs[1]) / 2
ok(abs(float(mean["high"]) - float(mean["value"]) - half) < 1e-4 * half + 1e-9,
   "with the interval of Student's t", mean)
ok("<not" not in text, "what is not counted is an empty field")
same({x["outcome"] for x in table if x["row"] == "versus" and
      x["metric"] == "elapsed"}, {"too few runs"}, "no claim of few runs")
comma = dict(os.environ, LC_ALL="de_DE.UTF-8", LANG="de_DE.UTF-8")
r = Run("stat", "-r", "2", "--csv", "two.csv", "--json", "two.json", "-o",
        "two.txt", "--", "true", env=comma)
table = rows_of(open("two.csv").read())
ok(r.err == "" and float(of(table, "run", "elapsed")[0]["value"]) > 0 and
   "elapsed" in open("two.txt").read(),
   "a locale changes nothing, -o leaves standard error alone", r.err)
lines = [json.loads(x) for x in open("two.json")]
same([(x["metric"], x["value"]) for x in lines],
     [(x["metric"], float(x["value"]) if x["value"] else None) for x in table],
     "--json has the same rows, each line one")

# ---- progress, where nothing of the command's comes between ----
if hasattr(os, "openpty"):
    near, far = os.openpty()
    env = dict(os.environ, TERM="xterm")
    with open("out", "w") as out:
        code = subprocess.run([KTOP, "stat", "-r", "2", "-w", "1", "-o",
                               "pro.txt", "--", "echo", "x"], stderr=far,
                              stdin=subprocess.DEVNULL, stdout=out,
                              env=env).returncode
        quiet = subprocess.run([KTOP, "stat", "-q", "-r", "2", "-o", "/dev/null",
                                "--force", "--", "true"], stderr=far,
                               stdin=subprocess.DEVNULL, stdout=out,
                               env=env).returncode
        subprocess.run([KTOP, "stat", "-r", "auto", "--sim", "m1,clock=step",
                        "-o", "/dev/null", "--force", "--", "echo", "auto"],
                       stderr=far, stdin=subprocess.DEVNULL, stdout=out,
                       env=env)
    os.close(far)
    said = b""
    try:
        while True:
            said += os.read(near, 4096)
    except OSError:
        pass
    ok(code == 0 and b"warm-up: echo x" in said and
       b"\r\x1b[K[%s] run 1 of 2: echo x" % (20 * b" ") in said and
       re.search(rb"\[={10} {10}\] run 2 of 2(, \d+ s left)?: ", said) and
       said.endswith(b"\r\x1b[K"),
       "a line says which run it is, and goes in the end", said)
    ok(quiet == 0 and b"true" not in said, "not with -q", said)
    ok(b"[%s] run 1, at most 30 s left: echo auto" % (20 * b" ") in said and
       re.search(rb"\[=+ +\] run 10, at most \d+ s left: echo auto", said),
       "and of -r auto how long it lasts at most", said)

# ---- by turns ----
SAY = ("sh", "-c", "printf A"), ("sh", "-c", "printf B")


def order(*args):
    return Run("stat", "-q", "-r", "4", *args, "--", *SAY[0], "--vs",
               *SAY[1]).out


one = order("--seed", "5")
same(order("--seed", "5"), one, "an order can be had again by its seed")
ok(one.count("A") == 4 and one.count("B") == 4 and "AAA" not in one and
   "BBB" not in one, "it is balanced", one)
ok(len({order("--seed", str(s)) for s in range(1, 5)}) > 1,
   "and drawn: not always the same")
same(order("--blocks"), "AAAABBBB", "--blocks: one after the other")
rss = [x for x in stat_rows("--", "true")[1] if x["metric"] == "max_rss"]
ok(rss and all("at most ktop's own" in x["why"] for x in rss),
   "the memory of a command that needs less than ktop is not known", rss)
r = Run("stat", "--", sys.executable, "-c", "x = [0] * 4000000")
ok(re.search(r"max RSS [3-9]\d\.\d+ MB", r.err), "of one that needs more it is",
   r.err)
gate = ("stat", "-r", "5", "--fail-above")
# A busy machine may hold up the short one for as long as the long one takes,
# and nothing is shown then: rightly, so that it is asked again.
for sleep in ("0.05", "0.2", "1", "4"):
    r = Run(*gate, "50%:elapsed", "--", "true", "--vs", "sleep", sleep)
    if r.code != 0:
        break
ok("B against A" in r.err and "B uses more" in r.err and
   r.err.startswith("B takes "), "the first line says which takes longer",
   r.err)
seed = r.err.split("(seed ")[1].split(")")[0]
ok(int(seed) > 0, "the seed of a drawn order is said", r.err)
ok(r.code == 1 and "--fail-above 50%:elapsed" in r.err,
   "a gate that is not passed", r.err)
if sys.platform == "linux":
    faults = ("stat", "-r", "5", "-e", "SW_PAGE_FAULTS")
    r = Run(*faults, "--fail-above", "100%:SW_PAGE_FAULTS", "--", "true",
            "--vs", sys.executable, "-c", "x = bytearray(9000000)")
    if "SW_PAGE_FAULTS: not counted" in r.err and (
            os.geteuid() != 0 or
            re.search(r"\nsoftware events: (?!ok)", Run("doctor").out)):
        skip("events are compared, and a gate", "perf_event_paranoid, or a "
             "container that refuses all counting")
    else:
        ok(r.code == 1 and "SW_PAGE_FAULTS of A" in r.err and
           re.search(r"SW_PAGE_FAULTS\s+[\d.]+ x .* B uses more", r.err),
           "events are compared, and a gate", r.err)
# ---- ^C, and what commands do to their descriptors ----
p = subprocess.Popen([KTOP, "stat", "--", "sh", "-c",
                      "trap 'echo int; exit 5' INT; touch up;"
                      "while :; do sleep 0.05; done"], start_new_session=True,
                     stdout=subprocess.PIPE, stderr=subprocess.PIPE)
until(lambda: os.path.exists("up"))
os.killpg(p.pid, signal.SIGINT)
out, err = p.communicate(timeout=90)
# From kill(1) it may reach the command twice (ktop(1)); a terminal's does not.
ok(p.returncode == 130 and out in (b"int\n", b"int\nint\n"),
   "^C: the command gets it, 130", (p.returncode, out))
ok(b"Interrupted" in err and b"elapsed" in err, "and the report comes", err)
p = subprocess.Popen([KTOP, "stat", "-r", "9", "--", "sh", "-c",
                      "echo >>ran; test $(wc -l <ran) -lt 3 && exit 0;"
                      ": >up3; exec sleep 60"], start_new_session=True,
                     stdin=subprocess.DEVNULL,
                     stdout=subprocess.PIPE, stderr=subprocess.PIPE)
until(lambda: os.path.exists("up3"))
os.killpg(p.pid, signal.SIGINT)
out, err = p.communicate(timeout=90)
ok(p.returncode == 130 and b"2 runs" in err and
   b"interrupted run is not included" in err, "of several, the whole ones stand", err)
p = subprocess.Popen([KTOP, "stat", "-r", "9", "--setup", "echo set up",
                      "--cleanup", "echo cleaned up", "--", "sh", "-c",
                      ": >up4; exec sleep 60"], start_new_session=True,
                     stdin=subprocess.DEVNULL,
                     stdout=subprocess.PIPE, stderr=subprocess.PIPE)
until(lambda: os.path.exists("up4"))
os.killpg(p.pid, signal.SIGINT)
out, err = p.communicate(timeout=90)
same((p.returncode, out), (130, b"set up\ncleaned up\n"),
     "--cleanup is done also after ^C")


def told(number, *args, env={}):
    """A command's words and ktop's status; ktop alone is sent a signal."""
    up = "up-%d-%d" % (number, len(args))
    p = subprocess.Popen([KTOP, *args, "--", "sh", "-c",
                          "trap 'echo told; exit 9' %d; touch %s; i=0;"
                          "while test $i -lt 200; do sleep 0.05; i=$((i+1));"
                          "done" % (number, up)],
                         env=dict(os.environ, **env),
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    until(lambda: os.path.exists(up))
    os.unlink(up)
    p.send_signal(number)
    out = p.communicate(timeout=90)[0]
    return p.returncode, out


TWO = {"KTOP_SEPARATE": "always"}
for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
    name = signal.Signals(number).name + " to ktop alone is handed on"
    same(told(number, "stat"), (128 + number, b"told\n"), name)
    same(told(number, "stat", "--sim", "m1", env=TWO),
         (128 + number, b"told\n"), name + ", of two processes")
    same(told(number, "--sim", "m1", "-n", "9999", "-d", "100ms", "--force",
              "--csv", "told.csv"), (9, b"told\n"), name + ", recording")
COUNT = """import os, signal, time
times = []
signal.signal(signal.SIGINT, lambda *_: times.append(1))
print("is up", flush=True)
while not times:
    time.sleep(0.01)
time.sleep(0.3)
print("times", len(times), flush=True)"""
for name, env in (("one process", {}), ("two", TWO)):
    job = Job("stat", "--sim", "m1", "--", sys.executable, "-c", COUNT,
              env=env)
    job.sees("is up")
    job.key("\x03")
    same((job.ended(), b"times 1\r" in job.seen), (130, True),
         "^C of a terminal reaches the command once: ktop is %s" % name)
    job.close()
r = Run("stat", "--", "sh", "-c", "exec 2>&-; exit 6")
ok(r.code == 6 and "elapsed" in r.err, "a command that closes stderr", r.err)
r = Run("stat", "-o", "daemon.txt", "--", "sh", "-c",
        "sleep 30 >/dev/null 2>&1 & echo $! >daemon")
os.kill(int(open("daemon").read()), signal.SIGKILL)
ok(r.code == 0 and "took" in open("daemon.txt").read(),
   "one that leaves a daemon: stat ends with its own child")
r = Run("stat", "--", "sh", "-c", 'printf "%s " "$@"', "x", "-r", "--csv")
same(r.out, "-r --csv ", "the command's options are its own")

if os.geteuid() == 0 and PROC:
    sudo = dict(os.environ, SUDO_UID="65534", SUDO_GID="65534",
                SUDO_USER="nobody", HOME="/nowhere", USER="other")
    os.chmod(".", 0o777)
    r = Run("stat", "-o", "as.txt", "--prepare", "id -u >as.id", "--", "sh",
            "-c", "id -u; grep -E '^(Uid|CapEff)' /proc/self/status", env=sudo)
    ok(r.code == 0 and r.out.startswith("65534\n") and "\t0\t" not in r.out and
       "CapEff:\t0000000000000000" in r.out and
       open("as.id").read() == "65534\n",
       "under sudo it runs as the caller, with nothing left of root",
       r.out + r.err)
    same(os.stat("as.txt").st_uid, 65534, "and so is the report's file")
    open("roots.txt", "w").close()
    os.chmod("roots.txt", 0o600)
    r = Run("stat", "--input", "roots.txt", "--", "true", env=sudo)
    ok(r.code == 1 and "ermission" in r.err,
       "--input reads no file that the caller could not", r.err)

# ---- over a simulated Mac ----
M1 = ("stat", "--sim", "m1")
_, table = stat_rows(*M1[1:], "--", "sleep", "0.05")
value = {x["metric"]: float(x["value"]) for x in table if x["row"] == "mean" and
         x["part"] == "" and x["value"] != ""}
ok(value["instructions"] > 0 and value["energy_estimate"] > 0 and
   abs(value["ipc"] - value["instructions"] / value["cycles"]) < 1e-6 and
   {x["simulated"] for x in table} == {"yes"},
   "cycles, instructions and energy of the command itself", value)
parts = [float(x["value"]) for x in table if x["row"] == "mean" and
         x["metric"] == "cycles" and x["part"] != ""]
ok(len(parts) == 2 and abs(sum(parts) - value["cycles"]) < 1e-6 * sum(parts),
   "and their parts by kind of core", parts)
r = Run(*M1, "--", "sleep", "0.05")
ok("on P cores" in r.err and "SIMULATED" in r.err and "IPC" in r.err and
   "nJ an instruction" in r.err, "in the report, too", r.err)
r = Run("stat", "--sim", "m1,os=12.6", "--", "sleep", "0.02")
ok("cores" not in r.err and "IPC" in r.err and "(est.)" not in r.err,
   "before macOS 13 there are no parts, and no energy", r.err)
r = Run("stat", "--sim", "vm", "--", "sleep", "0.02")
ok("IPC" not in r.err and "not counted" in r.err,
   "in a virtual machine nothing is counted, and it says so", r.err)
# A busy machine may miss some looks: then a longer run has more of them.
for sleep in ("0.15", "0.6", "2.4", "9.6"):
    _, table = stat_rows(*M1[1:], "-I", "20", "--", "sleep", sleep)
    looks = [float(x["value"]) for x in of(table, "interval", "instructions")]
    if len(looks) >= 3:
        break
end = float(of(table, "run", "instructions")[0]["value"])
# Cut to six digits all of them would end with two zeros.
ok(end > 1e7 and not all(x % 100 == 0 for x in looks + [end]),
   "counts have all their digits", (looks, end))
ok(len(looks) >= 3 and 0 < sum(looks) <= end,
   "-I: differences of looks, together at most the whole", (looks, end))

# ---- and the machine during the runs ----
STEP = ("stat", "--sim", "m1,clock=step")


def machine(table, metric, part="", command="A"):
    return [float(x["value"]) for x in table if x["row"] == "machine" and
            (x["metric"], x["part"], x["command"]) == (metric, part, command)
            and x["value"] != ""]


_, table = stat_rows(*STEP[1:], "-r", "2", "-w", "1", "--", "true", "--vs",
                     "sleep", "0.02")
for c in "AB":
    all_cycles = machine(table, "cycles", "", c)
    same(sum(machine(table, "cycles", "E", c) + machine(table, "cycles", "P",
                                                        c)),
         all_cycles[0], "the machine of %s is the sum of its clusters" % c)
    br = machine(table, "BRANCH_MISPRED_NONSPEC", "P", c)[0]
    per = machine(table, "branch_mpki", "P", c)[0]
    inst = machine(table, "INST_ALL", "P", c)[0]
    ok(abs(per - 1000 * br / inst) < 1e-3 * per,
       "its metrics are sums over sums", (per, br, inst))
    own = sum(float(x["value"]) for x in of(table, "run", "cycles", c))
    ok(0 < own < all_cycles[0], "a command's cycles are a part of them",
       (own, all_cycles))
_, table = stat_rows(*STEP[1:], "--", "true")
Run("--sim", "m1,clock=step", "--csv", "one.csv", "--csv-rows", "cluster",
    "-n", "1")
for x in rows_of(open("one.csv").read()):
    if x["row"] == "cluster":
        # It is read once more, before: 2000 cycles and 900 instructions a core.
        same((machine(table, "cycles", x["cluster"])[0] - int(x["cycles"]),
              machine(table, "instructions", x["cluster"])[0] -
              int(x["instructions"])), (8000, 3600),
             "%s: what a recording of the same second has" % x["cluster"])
own = float(of(table, "run", "cycles")[0]["value"])
share = 100 * own / machine(table, "cycles")[0]
r = Run(*STEP, "--", "true")
ok("(preset basic, events in user mode only): "
   "%.0f %% of its cycles were the command's; "
   "most belongs to other programs" % share in r.err and "usr%" in r.err,
   "which part is said, and that it is the smaller one", r.err)
r = Run(*STEP, "--", "true", "--vs", "true")
ok(re.search(r"% of its cycles were A's, \d+ % B's", r.err) and
   re.search(r"\n  A +\d.*\n  B +\d", r.err),
   "of two commands each has a line", r.err)
_, table = stat_rows(*STEP[1:], "-r", "5", "--", "true", "--vs", "sleep", "0.01",
                     "--and", "true", "--vs", "sleep", "0.01")
pairs = {(x["command"], x["against"]): float(x["value"]) for x in table
         if x["row"] == "versus" and x["metric"] == "elapsed"}
mean = [x for x in table if x["row"] == "geomean" and x["metric"] == "elapsed"]
ok(set(pairs) == {("B", "A"), ("D", "C")} and len(mean) == 1 and
   abs(float(mean[0]["value"]) ** 2 - pairs["B", "A"] * pairs["D", "C"]) < 1e-6
   and mean[0]["n"] == "2", "--and: pairs, and their geometric mean", mean)
part = {(x["metric"], x["part"]): float(x["value"]) for x in table
        if x["row"] == "mean" and x["command"] == "A" and x["value"] != ""}
ok(abs(part["ghz", "P"] - part["cycles", "P"] / part["cpu_time", "P"] / 1e9)
   < 1e-6, "the clock of each kind of core", part)
r = Run(*STEP, "-e", "INST_BRANCH", "--", "true")
ok(r.code == 0 and "(events of -e, in user mode only)" in r.err and
   re.search(r"\n  INST_BRANCH +user +P ", r.err),
   "events that were chosen are the machine's on a Mac", r.err)
r = Run(*STEP, "-e", "INST_BRANCH", "--", "true", "--vs", "true")
ok(re.search(r"\n  INST_BRANCH +user +A .*\n  INST_BRANCH +user +B ", r.err),
   "those of two commands stand one below the other", r.err)
r = Run(*STEP, "--preset", "branch", "--", "true")
ok("(preset branch, events in user mode only)" in r.err, "or another preset", r.err)
r = Run(*STEP, "-e", "INST_BRANCH", "--", "true")
ok("a command's own are not counted on a Mac yet: -p PID -e EVENTS" in r.err,
   "a Mac says that a command's own events are not counted, and what is", r.err)
r = Run("stat", "--sim", "m1,euid=501", "--", "true")
ok(r.code == 0 and "IPC" in r.err and
   len(re.findall("The machine during the runs is not counted: .*sudo", r.err)) == 1,
   "without the right it is not, and one line says what it takes", r.err)
r = Run("stat", "--sim", "m1,euid=501", "-e", "INST_BRANCH", "--", "echo", "no")
ok(r.code == 3 and r.out == "" and "for the whole machine" in r.err and
   "sudo" in r.err, "chosen events are refused then, not left out", r.err)
with open("events.conf", "w") as f:
    f.write("events = INST_BRANCH\n")
r = Run("stat", "--config", "events.conf", "--sim", "m1,euid=501", "--", "true")
ok(r.code == 0 and "machine during the runs is not counted" in r.err,
   "those of the config file are for the screen", r.err)
r = Run(*STEP, "-e", "INST_BRANCHES", "--", "echo", "no")
ok(r.code == 2 and r.out == "" and "INST_BRANCH" in r.err,
   "and what is no event", r.err)


def forced():
    return "\nforce 1\n" in sim_state("kernel")


p = subprocess.Popen([KTOP, "stat", "--sim", "m1,state=kernel", "-o", "k.txt",
                      "--", "sleep", "60"], preexec_fn=lambda: os.setpgid(0, 0))
ok(until(forced), "the machine's counters are taken")
p.send_signal(signal.SIGTSTP)
ok(until(lambda: not forced()), "^Z gives the machine's counters back")
p.send_signal(signal.SIGCONT)
until(forced)
p.send_signal(signal.SIGTERM)
same((p.wait(timeout=90), forced()), (143, False),
     "fg takes them again, and the end gives them back")
ok("The machine during the runs (preset" in open("k.txt").read(),
   "what was counted so far is in the report")
so = os.environ.get("KTOP_SIM_SO")
if so:
    r = Run("stat", "--source", "kperf", "--kperf", so, "--kperfdata", so, "--",
            "sleep", "0.1", env=dict(os.environ, KTOP_SEPARATE="always"))
    ok(r.code == 0 and re.search(
        r"The machine during the runs \(preset basic, events in user mode only\): "
        r"\d+ % of its "
        r"CPU time was the command's", r.err) and "usr%" in r.err,
       "by the server of two processes as by one", r.err)
# Less than a tick of the system's clock: cycles, and a busy time of "-". On a
# busy machine "true" takes longer at times.
busy = []


def a_busy_time_is_unknown():
    r = Run("stat", "--sim", "m1", "--", "true")
    busy.extend(re.findall(r"^  (?:E|P|all) +(\S+) .* \d{6,} +\d+$", r.err,
                           re.M))
    return "-" in busy


ok(until(a_busy_time_is_unknown) and "0.000" not in busy,
   "a busy time under a clock tick is unknown, not 0 beside cycles", busy)
r = Run(*STEP, "--null", "--", "true")
ok(r.code == 0 and "elapsed" in r.err and "cycles  " not in r.err and
   "machine" not in r.err, "--null: nothing but times", r.err)
# ---- events of a process that runs: by tracing the kernel ----
def owner():
    """Who traces the simulated kernel."""
    return re.search(r"ktrace_pid (\d+)", sim_state("traced"))


# Tracing starts after counting, and ends after it, on a busy machine long after
# it: both are the less, the longer both last.
for lasts_s in (0.5, 3, 12):
    if os.path.exists("tr.csv"):
        os.unlink("tr.csv")
    k = subprocess.Popen([KTOP, "stat", "--sim", "m1,state=traced", "-d",
                          "100ms", "-p", "500", "-e", "INST_BRANCH,INST_ALL",
                          "-I", "10", "--csv", "tr.csv"],
                         stderr=subprocess.PIPE)
    until(lambda: os.path.exists("tr.csv") and
          float(([0] + [x["time_s"] for x in so_far("tr.csv") if
                        x["row"] == "interval"])[-1]) > lasts_s)
    held = owner()
    k.send_signal(signal.SIGINT)
    err = k.communicate(timeout=90)[1].decode()
    table = rows_of(open("tr.csv").read())
    traced = {x["metric"]: float(x["value"]) for x in table
              if x["row"] == "traced"}
    own = float(of(table, "run", "cycles")[0]["value"])
    if 0.3 * own < traced["cycles"] <= 1.01 * own:
        break
ok(k.returncode == 130 and 0.3 * own < traced["cycles"] <= 1.01 * own and
   0 < traced["INST_BRANCH"] < traced["INST_ALL"] <= traced["instructions"] and
   {x["modes"] for x in table if x["row"] == "traced"} == {"all", "user"},
   "-p -e: of samples of the process, which have most of its cycles",
   (traced, own))
ok("cannot trace the kernel meanwhile" in err and held is not None and
   held.group(1) == str(k.pid) and owner().group(1) == "0",
   "that the kernel is traced is said, and it is given back", (err, held))
r = Run(*M1, "-p", "99999")
same((r.code, "process 99999 does not exist" in r.err), (1, True), "-p of no process")
here = os.path.dirname(os.path.abspath(__file__))
make = ["make", "-s", "-f", here + "/../../docs/examples/regression.mk",
        "KTOP='%s'" % KTOP, "RUNS=5", "OLD=stat-old", "NEW=stat-new"]


def build(name, text):
    with open(name, "w") as f:
        f.write("#!/bin/sh\n" + text + "\n")
    os.chmod(name, 0o755)


build("stat-old", "exit 0")
mac = dict(os.environ, KTOP_SIM="m1", PATH="." + os.pathsep +
           os.environ["PATH"])
for sleep in ("0.05", "0.2", "1", "4"):  # as above
    build("stat-new", "sleep " + sleep)
    p = subprocess.run(make, env=mac, stderr=subprocess.PIPE)
    if p.returncode != 0:
        break
ok(p.returncode != 0 and b"more than --fail-above 1%:instructions" in p.stderr,
   "the example fails where a build needs more instructions", p.stderr)

# ---- a process that runs ----
def looks(name):
    """A process, and ktop that has seen some of it, or will not."""
    p = subprocess.Popen(["sleep", "600"])
    k = subprocess.Popen([KTOP, "stat", "-I", "10", "-p", str(p.pid), "-o", name])
    until(lambda: k.poll() is not None or os.path.exists(name) and
          open(name).read().count("\n") > 2)
    return p, k


p, k = looks("p.txt")
if k.poll() == 3 and re.search(r"\nsoftware events: (?!ok)",
                              Run("doctor").out):
    p.kill()
    p.wait()
    skip("-p", "a container that refuses all counting")
    finish()
p.kill()
p.wait()
same(k.wait(timeout=90), 0, "-p ends when the process does")
ok("was counted for" in open("p.txt").read(), "and says what it did until then")
p, k = looks("q.txt")
k.send_signal(signal.SIGINT)
same(k.wait(timeout=90), 130, "^C ends the look")
same(p.poll(), None, "and leaves the process alone")
p.kill()
p.wait()
# ---- energy and memory traffic of the machine ----
# By docs/SIMULATION.md from the machine's cycles meanwhile, which are of all
# runs: J a cycle, and W of the four CPUs that are on.
ENERGY = {"P": (900e-12, 0.040), "E": (150e-12, 0.008)}
r, table = stat_rows("-r", "3", "--markdown", "t.md", "--sim",
                     "m1,clock=step,power=os,seed=3", "--", "sleep", "3")
joules = [float(x["value"]) for x in of(table, "run", "machine_energy")]
want = sum(float(x["value"]) * ENERGY[x["part"]][0] +
           3 * 3 * 4 * ENERGY[x["part"]][1] for x in table
           if x["row"] == "machine" and x["metric"] == "cycles" and x["part"])
# Energy is read before and after the counters: its spans are longer by moments.
ok(len(joules) == 3 and -0.003 < sum(joules) / want - 1 < 0.03,
   "the machine's energy is that of its cycles", (joules, want))
ok(all(float(x["value"]) > 1e9 for x in of(table, "run", "machine_traffic")),
   "with bytes of memory traffic")
ok(re.search(r"machine's energy +[\d.]+ J .*\n   memory traffic +[\d.]+ GB",
             r.err) and "include all programs, not only the command" in
   r.err, "in the report, and whose they are", r.err)
ok("machine's energy" in open("t.md").readline(), "and in the Markdown table")
r, table = stat_rows("--sim", "m5max,clock=step,power=2s", "--", "sleep", "3")
x = of(table, "run", "machine_energy")[0]
same((x["value"], x["why"]),
     ("", "the times that the machine publishes do not cover the run"),
     "spans that do not cover the run are not its energy")
ok(re.search(r"machine's energy +- ", r.err), "and a dash in the report", r.err)
r, table = stat_rows("--sim", "neo,clock=step,power=os", "--", "sleep", "2")
same(of(table, "mean", "machine_energy")[0]["why"],
     "this macOS publishes no energy of the CPU", "what lacks, and why")
# Readings before and after a run cover it, however short.
r, table = stat_rows("-r", "2", "--sim", "m1,clock=step,power=os", "--", "sleep",
                     "0.3")
ok(all(0.3 < float(x["value"]) < 40
       for x in of(table, "run", "machine_energy")),
   "a run shorter than a second", of(table, "run", "machine_energy"))
r, table = stat_rows("--sim", "vm", "--", "sleep", "0.02")
ok("machine's" not in r.err, "a machine without says nothing of it", r.err)
finish()
