"""ktop stat --inject: a library in the command reads its threads' counters."""
import csv
import io
import os
import signal
import subprocess
import sys

import simulated
from live import SO, children, comm, is_clean, start, state, until
from tap import KTOP, Run, finish, ok, same, skip

HERE = os.path.dirname(os.path.abspath(__file__))
EVENTS = "INST_ALL,BRANCH_MISPRED_NONSPEC,CORE_ACTIVE_CYCLE"
FAST = simulated.Kind(simulated.MACHINES["m1"][0][0])
TMP = os.path.abspath("tmp")


def build(name, *flags):
    for cc in (os.environ.get("CC", "cc"), "gcc", "clang"):
        r = subprocess.run(
            cc.split() + ["-std=gnu11", "-Wall", "-o", name,
                          os.path.join(HERE, "own_threads.c"), "-lpthread"] +
            list(flags), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if r.returncode == 0:
            return True
    return False


class Counted:
    """A run on a simulated Mac of its own, and the rows that it comes to."""
    made = 0

    def __init__(self, *args, spec="m1", more=(), cmd="./own"):
        Counted.made += 1
        self.state = "mac-%d" % Counted.made
        self.r = Run("--sim", "%s,state=%s" % (spec, self.state), "stat",
                     "--inject", "-e", EVENTS, "-x", ";", *more, "--", cmd,
                     *args, env=dict(os.environ, TMPDIR=TMP))
        lines = [x for x in self.r.err.splitlines() if ";" in x]
        self.rows = list(csv.DictReader(io.StringIO("\n".join(lines)),
                                        delimiter=";"))

    def of(self, row, metric, command="A"):
        for x in self.rows:
            if (x["row"], x["metric"], x["command"], x["part"]) == \
                    (row, metric, command, ""):
                return x
        return {"value": "", "why": "there is no such row", "modes": ""}

    def n(self, row, metric, command="A"):
        return int(float(self.of(row, metric, command)["value"] or -1))

    def threads(self):
        return tuple(self.n("injected", x) for x in
                     ("programs_with_library", "processes_forked",
                      "threads_begun", "threads_ended", "threads_refused"))


def whole(c, name, threads):
    """All threads were seen: bounds by time, and exact among themselves."""
    if not ok(c.r.code == 0, name, c.r.err):
        return
    same(c.threads(), threads, "  each thread begins and ends")
    cycles = c.n("injected", "cycles")
    least = int(c.r.out.splitlines()[0]) * FAST.mhz[3] // 1000
    elapsed = float(c.of("run", "elapsed")["value"]) * 1e9 + 1e6
    most = threads[2] * elapsed * FAST.mhz[3] / 1000
    ok(least <= cycles <= most, "  cycles of their time",
       (least, cycles, most))
    same(c.n("run", "CORE_ACTIVE_CYCLE"), cycles,
         "  a simulated thread is in user mode: all its cycles")
    same(c.n("run", "INST_ALL"), c.n("injected", "instructions"),
         "  all its instructions")
    rate = FAST.rate("BRANCH_MISPRED_NONSPEC", False)[0]
    want = cycles * rate / 2 ** 20
    ok(abs(c.n("run", "BRANCH_MISPRED_NONSPEC") - want) <=
       2 * threads[2] + 2e-6 * want, "  the events of these cycles",
       (c.n("run", "BRANCH_MISPRED_NONSPEC"), want))
    same(c.of("run", "INST_ALL")["modes"], "user", "  of user mode")
    ok(is_clean(state(c.state)), "  and all is given back",
       state(c.state))


def lost(c, name, begun, ended, code=0):
    """What could not be seen is said, and nothing is made of the rest."""
    same(c.r.code, code, name)
    same(c.threads()[2:], (begun, ended, 0), "  says how many were seen")
    x = c.of("run", "INST_ALL")
    ok(x["value"] == "" and "not seen to its end" in x["why"],
       "  and no count stands for all", x)
    same(c.n("injected", "INST_ALL"), c.n("injected", "instructions"),
         "  what the others counted is there")
    ok(is_clean(state(c.state)), "  and all is given back",
       state(c.state))


def refused(r, code, word, name):
    ok(r.code == code and word in r.err and r.err.count("\n") == 1 and
       r.out == "", name, (r.code, r.err, r.out))


def counts():
    whole(Counted("3", "8"), "three threads and the first",
          (1, 0, 4, 4, 0))
    whole(Counted("24", "2"), "more of them", (1, 0, 25, 25, 0))
    whole(Counted("1", "5", "fork"), "a fork", (1, 1, 3, 3, 0))
    lost(Counted("1", "2", "kill"), "killed", 2, 1, 137)
    lost(Counted("1", "2", "_exit"), "_exit", 2, 1)
    lost(Counted("1", "2", "leave"), "a thread that is left behind", 3, 2)
    c = Counted("0", "40")
    library, system = c.n("injected", "cycles"), c.n("run", "cycles")
    # The system's account begins before and ends after, and has a part of
    # its time on slow cores (docs/SIMULATION.md).
    ok(40e6 * FAST.mhz[3] / 1000 <= library <= 1.07 * system,
       "one thread: it agrees with the system's account",
       (library, system))


def dying():
    """Killed in the midst of it: threads' counters go as all others do."""
    for number, clean in ((signal.SIGSEGV, True), (signal.SIGKILL, False)):
        mac = "mac-dying-%d" % number
        p = start("--sim", "m1,state=" + mac, "stat", "-q", "--inject", "-e",
                  EVENTS, "--", "sleep", "60", stderr=subprocess.DEVNULL,
                  env=dict(os.environ, TMPDIR=TMP))
        # A copy of ktop that is not yet the command would hold its files.
        if not ok(until(lambda: os.path.exists(mac) and
                        [comm(x) for x in children(p.pid)] == ["sleep"] and
                        state(mac).get("thread_counting") == "3"),
                  "ktop, before it is killed"):
            continue
        command = children(p.pid)[0]
        p.send_signal(number)
        p.wait()
        same((state(mac)["force"], is_clean(state(mac))), ("0", clean),
             "  after signal %d" % number)
        same(len(os.listdir(TMP)), 1, "  what it leaves is one file")
        if clean:
            Counted("0", "1")
            same(os.listdir(TMP), [], "  the next one removes it")
        else:
            r = Run("--sim", "m1,state=" + mac, "doctor", "--repair",
                    env=dict(os.environ, TMPDIR=TMP))
            same(state(mac)["thread_counting"], "0", "  doctor --repair")
            ok(os.listdir(TMP) == [] and "removed: 1 file that ktop stat "
               "--inject left in " + TMP in r.out, "  with its file", r.out)
        os.kill(command, signal.SIGKILL)


def compared():
    c = Counted("1", "2", more=("-r", "2"), cmd="./own")
    same([x["value"] != "" for x in c.rows if x["row"] == "run" and
          x["metric"] == "INST_ALL"], [True, True], "each run has its own")
    r = Run("--sim", "m1,state=mac-vs", "stat", "--inject", "-e", EVENTS,
            "--", "./own", "1", "2", "--vs", "./own", "1", "2", "kill")
    ok("Events of A, by a library in it (user mode): 2 threads of 1 program,"
       " each from its beginning to its end" in r.err and
       "2 threads of 1 program, 1 not to the end" in r.err and
       "Nothing is scaled up" in r.err and
       r.err.startswith("ktop: a library is loaded into the command"),
       "in words, before and after", r.err)
    rate = [float(x.split()[-4]) for x in r.err.splitlines()
            if x.endswith(" per 1000 instructions")]
    want = 1000 * FAST.rate("BRANCH_MISPRED_NONSPEC", False)[0] / \
        FAST.rate("INST_ALL", False)[0]
    ok(len(rate) == 3 and abs(rate[1] - want) < 0.006,
       "events in relation to instructions of their own modes", (rate, want))
    same(os.listdir(TMP), [], "no file is left")


def limits():
    if build("still", "-static"):
        refused(Counted("0", "1", cmd="./still").r, 2, "linked statically",
                "a static program is refused before it starts")
    else:
        skip("a static program", "no static C library")
    os.chmod("own", 0o4755)
    refused(Counted("0", "1").r, 2, "set-uid", "a set-uid one, too")
    os.chmod("own", 0o755)
    refused(Counted("0", "1", spec="m1,euid=501").r, 3, "root only",
            "without root's rights")
    refused(Run("--sim", "m1", "stat", "--inject", "-e", EVENTS, "--", "true"),
            2, "state=FILE", "a simulation that cannot be shared")
    refused(Run("stat", "--inject", "--", "true"), 2, "-e A,B,...",
            "without events")
    refused(Run("stat", "--inject", "-e", "INST_ALL", "-p", "1"), 2, "--pid",
            "of a process that runs")
    refused(Run("stat", "--inject", "-e", "INST_ALL", "--", "true"), 2,
            "for macOS", "not on Linux")


if sys.platform != "linux":
    skip("a library in a command", "tried on a simulated Mac on Linux only")
elif not SO or not os.path.exists(SO):
    skip("a library in a command", "no KTOP_SIM_SO")
elif ok(build("own"), "a program with threads compiles"):
    os.mkdir(TMP)
    counts()
    dying()
    compared()
    limits()
finish()
