"""Neighbours: what other tools do to the counters while ktop has them, each
seen, said once with a remedy, survived, got over; and nothing of theirs undone
(faults_test.py: within a frame). On recordings and on the screen."""
import ctypes
import fcntl
import os
import shutil
import signal
import subprocess
import sys
import time

from live import (SO, VTRUN, Screen, held_by, so_far, start, state, until,
                  words, words_of)
from tap import KTOP, Run, finish, ok, rows_of, same

FAST = ("-d", "50ms")
# The kernel of macOS 26.4 and before, and the one of 26.5 and later, which lets
# all have force, and acts on words when counting starts. A word of theirs.
KERNELS = {"older": ("m1", 8, 0x2008c), "newer": ("m6", 12, 0x20021)}
# What a row may say on a machine that has other things to do.
CALM = {"", "idle", "late", "stale", "catchup"}
REMEDY = "ktop reacquires them when that tool stops, or when you choose a preset"


class Kernel:
    """The one that the tests are on just now."""
    name, mac, cpus, theirs = "", "", 0, 0

    def use(self, name):
        self.name = name
        self.mac, self.cpus, self.theirs = KERNELS[name]
        self.newer = name == "newer"
        self.well = " live .* SIM *$"  # and no badge besides

    def spec(self, state_file):
        return "%s,seed=1,state=%s" % (self.mac, self.file(state_file))

    def file(self, name):
        return name + "-" + self.name


on = Kernel()


class Clock(ctypes.Structure):
    _fields_ = [("self", ctypes.c_void_p), ("stepped", ctypes.c_bool),
                ("now", ctypes.c_void_p), ("step", ctypes.c_void_p)]


class Host(ctypes.Structure):  # kperf/host.h
    _fields_ = [("version", ctypes.c_uint32), ("simulated", ctypes.c_bool),
                ("text", ctypes.c_char_p), ("clock", Clock),
                ("sysctl", ctypes.CFUNCTYPE(
                    ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p,
                    ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t))]


class Neighbour:
    """Another root process on the kernel of a state file, by the library."""

    def __init__(self, name):
        copy = os.path.abspath(on.file(name) + ".so")
        shutil.copy(SO, copy)  # a library has one kernel
        os.environ["KTOP_SIM"] = on.spec(name)
        self.so = ctypes.CDLL(copy)
        self.so.kpc_get_counting()
        self.host = Host.in_dll(self.so, "ktop_host")
        del os.environ["KTOP_SIM"]

    def words(self, values):
        return self.so.kpc_set_config(2, (ctypes.c_uint64 * 32)(*values))

    def sysctl(self, name, kind, values):
        data = (kind * len(values))(*values)
        return self.host.sysctl(name, None, None, data, ctypes.sizeof(data))

    # What it may do, each with 0 when the kernel lets it.
    def take(self):
        return (self.so.kpc_set_counting(0) or self.words([on.theirs] * 8) or
                self.so.kpc_set_counting(3))

    def one_word(self):
        row = (ctypes.c_uint64 * 32)()
        self.so.kpc_get_config(2, row)
        row[2] = on.theirs
        return self.words(row)

    def one_and_start(self):
        return self.one_word() or self.so.kpc_set_counting(3)

    def stop(self):
        return self.so.kpc_set_counting(0)

    def fixed_only(self):
        return self.so.kpc_set_counting(1)

    def ask_for_force(self):
        """Refused, or said yes to, which changes nothing."""
        return ((self.so.kpc_force_all_ctrs_set(1) == 0) != on.newer or
                (self.so.kpc_force_all_ctrs_set(0) == 0) != on.newer)

    def sample(self):
        return (self.sysctl(b"kpc.period", ctypes.c_uint64,
                            [2] + [1000000] * 10) or
                self.sysctl(b"kpc.actionid", ctypes.c_uint32,
                            [2, 0] + [1] * 10) or
                self.so.kpc_set_thread_counting(3))

    def no_sample(self):
        return self.so.kpc_set_thread_counting(0)


def frames(path):
    """[set of words of the frame's cores], of the frames that are whole."""
    out = []
    for x in so_far(path):
        if x["row"] == "cpu" and x["core"] == "0":
            out.append(set())
        if x["row"] == "cpu" and out:
            out[-1] |= set(x["quality"].split(";")) - CALM
    return out[:-1]


def is_now(path, word):
    return until(lambda: frames(path)[-1:] == [word])


def cases():
    """name, what it does, how it leaves (None: need not), is it seen, does it
    go on until they leave"""
    return (
        ("takes the counters", "take", "stop", True, True),
        # Words that nobody starts act on nothing from macOS 26.5 on.
        ("writes one word", "one_word", "stop", not on.newer, not on.newer),
        ("writes one and starts", "one_and_start", "stop", True, True),
        ("stops all counting", "stop", None, True, False),
        ("counts the fixed pair only", "fixed_only", None, True, False),
        ("asks for force", "ask_for_force", None, False, False),
        ("samples by periods, actions and threads", "sample", "no_sample",
         False, False))


def recorded(thief):
    nb = on.file("nb")
    for i, (name, act, leave, seen, lasts) in enumerate(cases()):
        path = "%s-%d.csv" % (nb, i)
        ktop = start("--sim", on.spec("nb"), *FAST, "--csv", path)
        held_by(nb, ktop.pid)
        mine = words(nb)
        ok(is_now(path, set()), "ktop counts; then another tool " + name)
        before = len(frames(path))
        same(getattr(thief, act)(), 0, "  the kernel lets it")
        if seen:
            ok(until(lambda: any("taken-over" in x for x in frames(path)[before:])),
               "  it is seen")
        if lasts:
            ok(is_now(path, {"taken-over"}) and words(nb) != mine,
               "  and not fought over")
            same(getattr(thief, leave)(), 0, "  it leaves")
        ok(is_now(path, set()) and words(nb) == mine,
           "  ktop counts what it did before")
        if not seen:
            ok(not any("taken-over" in x for x in frames(path)),
               "  nothing was flagged")
        ktop.send_signal(signal.SIGTERM)
        err = ktop.communicate(timeout=90)[1].decode()
        same(ktop.returncode, 143, "  it ends as ever")
        same((err.count("another tool has reprogrammed"), err.count(REMEDY),
              err.count("\n")), (1, 1, 1) if seen else (0, 0, 0),
             "  one line on standard error, with the remedy" if seen
             else "  nothing is said")
        s = state(nb)
        same((s["force"], s["counting"]), ("0", "0"), "  and gives back")
        if act == "sample":
            same(s.get("thread_counting"), "3",
                 "  but for what the other one set")
            getattr(thief, leave)()


def halt(ktop, path):
    """Stops it, and not with the simulated kernel's lock in its hands."""
    while True:
        ktop.send_signal(signal.SIGSTOP)
        os.waitpid(ktop.pid, os.WUNTRACED)
        with open(path, "r+b") as f:
            try:
                fcntl.lockf(f, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except OSError:
                ktop.send_signal(signal.SIGCONT)
        time.sleep(0.01)


def ended_in_the_midst(thief):
    """Whoever came later keeps what it has set."""
    nb = on.file("nb")
    for act, leave in (("take", "stop"), ("one_and_start", "stop"),
                       ("fixed_only", "stop"), ("sample", "no_sample")):
        ktop = start("--sim", on.spec("nb"), *FAST, "--csv", os.devnull)
        held_by(nb, ktop.pid)
        halt(ktop, nb)  # so that ktop cannot act first
        same(getattr(thief, act)(), 0, "another tool: " + act)
        theirs = state(nb)
        ktop.send_signal(signal.SIGTERM)
        ktop.send_signal(signal.SIGCONT)
        ktop.communicate(timeout=90)
        now = state(nb)
        same(now["force"], "0", "  ktop ends and lets go")
        if act != "sample":
            # With force gone the power manager's class shows as well.
            same((int(now["counting"]) & 3),
                 (int(theirs["counting"]) & 3), "  they go on counting")
        if act in ("take", "one_and_start"):
            same(words(nb), words_of(theirs), "  with their words")
        same(now["thread_counting"], theirs["thread_counting"],
             "  and their threads' counters")
        getattr(thief, leave)()


def started_again(thief):
    """Stopped and started with ktop's own words, between two readings."""
    nb, path = on.file("nb"), on.file("again") + ".csv"
    ktop = start("--sim", on.spec("nb"), *FAST, "--csv", path)
    held_by(nb, ktop.pid)
    mine = words(nb)
    ok(is_now(path, set()), "ktop counts; then another tool stops, and starts")
    before = len(frames(path))
    halt(ktop, nb)  # so that no reading is in the midst of it
    same(thief.stop() or thief.so.kpc_set_counting(3), 0,
         "  the kernel lets it")
    ktop.send_signal(signal.SIGCONT)
    if on.newer:
        ok(until(lambda: {"taken-over"} in frames(path)[before:]), "  it is seen")
    ok(until(lambda: len(frames(path)) > before + 5) and is_now(path, set()) and
       words(nb) == mine, "  and ktop counts what it did before")
    ktop.send_signal(signal.SIGTERM)
    err = ktop.communicate(timeout=90)[1].decode()
    same((err.count("started them again; the event counts"),
          err.count("\n")), (1, 1) if on.newer else (0, 0),
         "  one line" if on.newer else "  nothing is lost or said")
    s = state(nb)
    same((s["force"], s["counting"]), ("0", "0"), "  and gives back")


def outages():
    """The kernel's other client, and a macOS that refuses the set."""
    for fault, code, said in (
            ("busy@0s", 4, "quit Instruments and try again"),
            ("eperm@0s", 3, "start ktop with sudo"))[on.newer:]:
        r = Run("--sim", on.mac + ",clock=step,fault=" + fault,
                "--csv", "-", "-n", "2")
        ok((r.code, r.out) == (code, "") and said in r.err and
           r.err.count("\n") == 1, "%s: ends with the remedy" % fault, r.err)
    for fault, said in (("busy@2s-4s", "quit Instruments and try again"),
                        ("eperm@2s-4s", "start ktop with sudo"))[on.newer:]:
        r = Run("--sim", on.mac + ",clock=step,fault=" + fault,
                "--csv", "-", "-n", "6")
        rows = [x for x in rows_of(r.out) if x["core"] == "0"]
        same((r.code, [x["quality"].replace("idle", "").strip(";")
                       for x in rows]),
             (0, ["", "stale", "stale", "catchup", "", ""]),
             "%s: a hole, and the next row has the counts" % fault)
        ok(said in r.err and r.err.count("\n") == 1, "  one line", r.err)
    # A macOS update: its list has lost an event.
    r = Run("--sim", on.mac + ",clock=step,fault=refuse:INST_ALL@2s,"
            "fault=steal@2500ms-3500ms", "--csv", "-", "-n", "8")
    same([("taken-over" in x["quality"], not any(x["c%d" % i] for i in range(1, 6)))
          for x in rows_of(r.out) if x["core"] == "0"],
         [(False, False)] * 2 + [(True, True)] * 2 + [(False, False)] * 4,
         "refused when it is taken back: the others count again")
    ok(r.err.count("another tool has reprogrammed") == 1 and
       r.err.count("macOS refuses INST_ALL;") == 1,
       "  and both are said, once each", r.err)


def three():
    """Three ktops; the one in the middle leaves, then the one that holds."""
    at, csvs = on.file("three"), [on.file(x) + ".csv" for x in "abc"]
    a = start("--sim", on.spec("three"), *FAST, "--csv", csvs[0])
    held_by(at, a.pid)
    mine = words(at)
    b = start("--sim", on.spec("three"), *FAST, "--csv", csvs[1])
    c = start("--sim", on.spec("three"), *FAST, "--ipc", "--csv", csvs[2])
    ok(until(lambda: len(frames(csvs[1])) > 3 and
             len(frames(csvs[2])) > 3), "three ktops record")
    b.send_signal(signal.SIGTERM)
    err = b.communicate(timeout=90)[1].decode()
    ok("counters are in use by another program" in err and "quit Instruments" in err and
       err.count("\n") == 1, "the second said who is in the way", err)
    n = len(frames(csvs[0]))
    ok(until(lambda: len(frames(csvs[0])) > n + 5) and
       words(at) == mine and
       state(at)["force_pid"] == str(a.pid),
       "its end costs the first nothing")
    a.send_signal(signal.SIGTERM)
    a.communicate(timeout=90)
    s = state(at)
    same((s["force"], s["counting"]), ("0", "0"),
         "the first gives back what it had")
    ok(on.newer or set(words_of(s)) == {"0x0"}, "and its words", s)
    n = len(frames(csvs[2]))
    ok(until(lambda: len(frames(csvs[2])) > n + 5),
       "the third goes on")
    c.send_signal(signal.SIGTERM)
    same(c.communicate(timeout=90)[1], b"", "and never had a complaint")
    same(state(at), s, "nor touched anything")
    ok(not any(set.union(set(), *frames(x)) for x in csvs),
       "not one row of the three was in doubt")


def foreign():
    """A program of somebody else on the same kernel."""
    here = os.path.dirname(os.path.abspath(__file__))
    subprocess.run((os.environ.get("CC") or "cc").split() +
                   ["-std=gnu11", "-o", "sampler",
                    os.path.join(here, "foreign.c"), "-ldl"], check=True)
    at = on.file("foreign")
    so = os.path.abspath(at + ".so")
    shutil.copy(SO, so)

    def run():
        return subprocess.run(
            ["./sampler", so, so], timeout=90, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(os.environ, KTOP_SIM=on.spec("foreign")))

    ktop = start("--sim", on.spec("foreign"), *FAST, "--csv", at + ".csv")
    held_by(at, ktop.pid)
    mine = state(at)
    r = run()
    if on.newer:
        same((r.returncode, r.stderr), (0, b""),
             "somebody else's sampler has them while it runs")
        ok(until(lambda: any("taken-over" in x for x in frames(at + ".csv"))) and
           is_now(at + ".csv", set()) and words(at) == words_of(mine),
           "ktop says so, and has them again")
    else:
        ok(r.returncode == 1 and b"kpc_force_all_ctrs_set" in r.stderr,
           "somebody else's sampler cannot have them while ktop does",
           r.stderr)
        same(state(at), mine, "and changes nothing")
        ok(not any(frames(at + ".csv")), "no row was in doubt")
    ktop.send_signal(signal.SIGTERM)
    ktop.communicate(timeout=90)
    s = state(at)
    same((s["force"], s["counting"]), ("0", "0"), "ktop gives them back")
    ipc = start("--sim", on.spec("foreign"), *FAST, "--ipc", "--csv",
                at + "-ipc.csv")
    until(lambda: len(frames(at + "-ipc.csv")) > 2)
    r = run()
    same((r.returncode, r.stderr), (0, b""), "beside ktop --ipc it runs")
    theirs = state(at)
    n = len(frames(at + "-ipc.csv"))
    ok(until(lambda: len(frames(at + "-ipc.csv")) > n + 3),
       "  and ktop continues")
    ipc.send_signal(signal.SIGTERM)
    same(ipc.communicate(timeout=90)[1], b"", "  without a word")
    same(state(at), theirs, "  and leaves the kernel as it was left")
    ok(not any(frames(at + "-ipc.csv")),
       "  with every row in order")


def screens(thief):
    nb = on.file("nb")
    ktop = Screen("--sim", on.spec("nb"), *FAST)
    ok(ktop.do("wait:" + on.well),
       "on the screen: ktop counts")
    mine = words(nb)
    for name, act, leave, seen, lasts in cases():
        same(getattr(thief, act)(), 0, "another tool " + name)
        if lasts:
            ok(ktop.do("wait:TAKEN OVER", "wait:another tool has reprogrammed"),
               "  is seen, and said", ktop.text)
            same(ktop.text.count("another tool has reprogrammed"), 1,
                 "  in one line")
            getattr(thief, leave)()
        # The screen may not know of it yet.
        ok(until(lambda: words(nb) == mine) and
           ktop.do("gone:TAKEN OVER", "wait:" + on.well) and words(nb) == mine,
           "  and it is over", "%s\n%s" % (words(nb), ktop.text))
    thief.no_sample()
    thief.take()
    ok(ktop.do("wait:TAKEN OVER", "key:2", "gone:TAKEN OVER", "wait:" + on.well),
       "a preset takes them back from one that stays")
    thief.take()
    ok(ktop.do("wait:TAKEN OVER", "key:i", "wait: FIXED") and
       words(nb) == [hex(on.theirs)] * 8 and
       int(state(nb)["counting"]) & 3 == 3,
       "i leaves them to it, as it set them", state(nb))
    thief.stop()
    ok(ktop.do("key:i", "wait:" + on.well),
       "and i takes them when it has left")
    same(ktop.end("key:q", "exit:0", "given-back"), "", "it leaves cleanly")
    same(state(nb)["force"], "0", "and lets go")
    for fault, said in (("busy@1s-3s", "counters are in use by the kernel"),
                        ("eperm@1s-3s", "only root may use the counters"))[on.newer:]:
        ktop = Screen("--sim", on.mac + ",seed=1,fault=" + fault, *FAST)
        ok(ktop.do("wait:live", "wait:" + said) and
           ktop.text.count(said) == 1, "%s: one line" % fault, ktop.text)
        ok(ktop.do("gone:" + said, "wait:" + on.well),
           "  gone when it is over", ktop.text)
        same(ktop.end("key:q", "exit:0", "given-back"), "", "  and left")
    ktop = Screen("--sim", on.mac + ",seed=1,fault=refuse:INST_BRANCH@0s",
                  *FAST, "-p", "l1d")
    ok(ktop.do("wait:" + on.well, "key:3",
               "wait:macOS refuses INST_BRANCH;", "wait: PARTIAL") and
       " FIXED" not in ktop.text, "a refused event: said, and the badge is not "
       "green", ktop.text)
    same(ktop.end("key:q", "exit:0", "given-back"), "", "  and left")
    ktop = Screen("--sim", on.mac + ",seed=1,fault=refuse:*@0s", *FAST)
    ok(ktop.do("wait:fixed only: macOS refuses all", "wait:live") and
       ktop.text.count("macOS refuses") == 1 and
       ktop.text.count("sudo ktop doctor") == 1,
       "all events refused: IPC mode, said once", ktop.text)
    ok(ktop.do("key:0", "wait:what to count") and
       ktop.text.count("macOS refuses every event of it") >= 10 and
       "machine doing useful work" not in ktop.text,
       "  the presets are marked", ktop.text)
    same(ktop.end("key:q", "exit:0", "given-back"), "", "  and left")
    # Some of the presets: what is refused is known when it was tried.
    ktop = Screen("--sim", on.mac + ",seed=1" + "".join(
        ",fault=refuse:%s@0s" % x for x in (
            "ATOMIC_OR_EXCLUSIVE_FAIL", "ATOMIC_OR_EXCLUSIVE_SUCC")), *FAST)
    ok(ktop.do("wait:live", "key:0", "wait:what to count") and
       "refuses every" not in ktop.text, "none is marked for nothing",
       ktop.text)
    same(ktop.end("key:q", "exit:0", "given-back"), "", "  and left")
    ktop = Screen("--sim", on.mac + ",seed=1,fault=dead:INST_ALL@0s", *FAST)
    ok(ktop.do("wait:INST_ALL counts nothing here", "wait:n/a",
               "wait: PARTIAL"), "an event that counts nothing: said, and the badge "
       "is not green", ktop.text)
    same(ktop.end("key:q", "exit:0", "given-back"), "", "  and left")


for kernel in sorted(KERNELS, reverse=True):
    on.use(kernel)
    print("# " + kernel)
    other = Neighbour("nb") if SO else None
    for part in (outages, three, recorded, started_again,
                 ended_in_the_midst, foreign, screens):
        if sys.argv[2:] not in ([], [part.__name__]):  # one alone
            continue
        if part in (outages, three):
            part()
        elif SO and (VTRUN or part != screens):
            part(*([] if part == foreign else [other]))
finish()
