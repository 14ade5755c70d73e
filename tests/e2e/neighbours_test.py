"""Neighbours: what other tools do to the counters while ktop has them, each
seen, said once with a remedy, survived, got over; and nothing of theirs undone
(faults_test.py: within a frame). On recordings and on the screen."""
import csv
import ctypes
import os
import shutil
import signal
import subprocess
import sys

from live import (SO, VTRUN, Screen, held_by, start, state, until, words,
                  words_of)
from tap import KTOP, Run, finish, ok, rows_of, same

FAST = ("-d", "50ms")
SPEC = "m1,seed=1,state=%s"
THEIRS = 0x2008c
# What a row may say on a machine that has other things to do.
CALM = {"", "idle", "late", "stale", "catchup"}
REMEDY = "ktop takes them back when that tool stops, or when you pick a preset"


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
        copy = os.path.abspath(name + ".so")
        shutil.copy(SO, copy)  # a library has one kernel
        os.environ["KTOP_SIM"] = SPEC % name
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
        return (self.so.kpc_set_counting(0) or self.words([THEIRS] * 8) or
                self.so.kpc_set_counting(3))

    def one_word(self):
        row = (ctypes.c_uint64 * 32)()
        self.so.kpc_get_config(2, row)
        row[2] = THEIRS
        return self.words(row)

    def stop(self):
        return self.so.kpc_set_counting(0)

    def fixed_only(self):
        return self.so.kpc_set_counting(1)

    def ask_for_force(self):
        return (self.so.kpc_force_all_ctrs_set(1) == 0 or
                self.so.kpc_force_all_ctrs_set(0) == 0)

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
    try:
        with open(path) as f:
            rows = list(csv.DictReader(f))
    except OSError:
        return []
    out = []
    for x in rows:
        if x["row"] == "core" and x["core"] == "0":
            out.append(set())
        if x["row"] == "core" and out and x["quality"] is not None:
            out[-1] |= set(x["quality"].split(";")) - CALM
    return out[:-1]


def is_now(path, word):
    return until(lambda: frames(path)[-1:] == [word])


# name, what it does, how it leaves (None: need not), is it seen, does it go
# on until they leave
CASES = (
    ("takes the counters", "take", "stop", True, True),
    ("writes one word", "one_word", "stop", True, True),
    ("stops all counting", "stop", None, True, False),
    ("counts the fixed pair only", "fixed_only", None, True, False),
    ("asks for force", "ask_for_force", None, False, False),
    ("samples by periods, actions and threads", "sample", "no_sample", False,
     False),
)


def recorded(thief):
    for i, (name, act, leave, seen, lasts) in enumerate(CASES):
        path = "nb-%d.csv" % i
        ktop = start("--sim", SPEC % "nb", *FAST, "--csv", path)
        held_by("nb", ktop.pid)
        mine = words("nb")
        ok(is_now(path, set()), "ktop counts; then another tool " + name)
        before = len(frames(path))
        same(getattr(thief, act)(), 0, "  the kernel lets it")
        if seen:
            ok(until(lambda: any("stolen" in x for x in frames(path)[before:])),
               "  it is seen")
        if lasts:
            ok(is_now(path, {"stolen"}) and words("nb") != mine,
               "  and not fought over")
            same(getattr(thief, leave)(), 0, "  it leaves")
        ok(is_now(path, set()) and words("nb") == mine,
           "  ktop counts what it did before")
        if not seen:
            ok(not any("stolen" in x for x in frames(path)),
               "  nothing was flagged")
        ktop.send_signal(signal.SIGTERM)
        err = ktop.communicate(timeout=90)[1].decode()
        same(ktop.returncode, 143, "  it ends as ever")
        same((err.count("another tool has reprogrammed"), err.count(REMEDY),
              err.count("\n")), (1, 1, 1) if seen else (0, 0, 0),
             "  one line on standard error, with the remedy" if seen
             else "  nothing is said")
        s = state("nb")
        same((s["force"], s["counting"]), ("0", "0"), "  and gives back")
        if act == "sample":
            same(s.get("thread_counting"), "3",
                 "  but for what the other one set")
            getattr(thief, leave)()


def ended_in_the_midst(thief):
    """Whoever came later keeps what it has set."""
    for act, leave in (("take", "stop"), ("one_word", "stop"),
                       ("fixed_only", "stop"), ("sample", "no_sample")):
        ktop = start("--sim", SPEC % "nb", *FAST, "--csv", os.devnull)
        held_by("nb", ktop.pid)
        ktop.send_signal(signal.SIGSTOP)  # so that ktop cannot act first
        same(getattr(thief, act)(), 0, "another tool: " + act)
        theirs = state("nb")
        ktop.send_signal(signal.SIGTERM)
        ktop.send_signal(signal.SIGCONT)
        ktop.communicate(timeout=90)
        now = state("nb")
        same(now["force"], "0", "  ktop ends and lets go")
        if act != "sample":
            # With force gone the power manager's class shows as well.
            same((int(now["counting"]) & 3),
                 (int(theirs["counting"]) & 3), "  they go on counting")
        if act in ("take", "one_word"):
            same(words("nb"), words_of(theirs), "  with their words")
        same(now["thread_counting"], theirs["thread_counting"],
             "  and their threads' counters")
        getattr(thief, leave)()


def outages():
    """The kernel's other client, and a macOS that refuses the set."""
    for fault, code, said in (
            ("busy@0s", 4, "quit Instruments and try again"),
            ("eperm@0s", 3, "start ktop with sudo")):
        r = Run("--sim", "m1,clock=step,fault=" + fault, "--csv", "-", "-n",
                "2")
        ok((r.code, r.out) == (code, "") and said in r.err and
           r.err.count("\n") == 1, "%s: ends with the remedy" % fault, r.err)
    for fault, said in (("busy@2s-4s", "quit Instruments and try again"),
                        ("eperm@2s-4s", "start ktop with sudo")):
        r = Run("--sim", "m1,clock=step,fault=" + fault, "--csv", "-", "-n",
                "6")
        rows = [x for x in rows_of(r.out) if x["core"] == "0"]
        same((r.code, [x["quality"].replace("idle", "").strip(";")
                       for x in rows]),
             (0, ["", "stale", "stale", "catchup", "", ""]),
             "%s: a hole, and the next row has the counts" % fault)
        ok(said in r.err and r.err.count("\n") == 1, "  one line", r.err)
    # A macOS update: its list has lost an event.
    r = Run("--sim", "m1,clock=step,fault=refuse:INST_ALL@2s,"
            "fault=steal@2500ms-3500ms", "--csv", "-", "-n", "8")
    same([("stolen" in x["quality"], x["c1"] == "") for x in rows_of(r.out)
          if x["core"] == "0"],
         [(False, False)] * 2 + [(True, True)] * 2 + [(False, False)] * 4,
         "refused when it is taken back: the others count again")
    ok(r.err.count("another tool has reprogrammed") == 1 and
       r.err.count("macOS refuses INST_ALL;") == 1,
       "  and both are said, once each", r.err)


def three():
    """Three ktops; the one in the middle leaves, then the one that holds."""
    a = start("--sim", SPEC % "three", *FAST, "--csv", "three-a.csv")
    held_by("three", a.pid)
    mine = words("three")
    b = start("--sim", SPEC % "three", *FAST, "--csv", "three-b.csv")
    c = start("--sim", SPEC % "three", *FAST, "--ipc", "--csv", "three-c.csv")
    ok(until(lambda: len(frames("three-b.csv")) > 3 and
             len(frames("three-c.csv")) > 3), "three ktops record")
    b.send_signal(signal.SIGTERM)
    err = b.communicate(timeout=90)[1].decode()
    ok("another program holds the counters" in err and "quit it" in err and
       err.count("\n") == 1, "the second said who is in the way", err)
    n = len(frames("three-a.csv"))
    ok(until(lambda: len(frames("three-a.csv")) > n + 5) and
       words("three") == mine and
       state("three")["force_pid"] == str(a.pid),
       "its end costs the first nothing")
    a.send_signal(signal.SIGTERM)
    a.communicate(timeout=90)
    s = state("three")
    same((s["force"], s["counting"], set(words("three"))),
         ("0", "0", {"0x0"}), "the first gives back what it had")
    n = len(frames("three-c.csv"))
    ok(until(lambda: len(frames("three-c.csv")) > n + 5),
       "the third goes on")
    c.send_signal(signal.SIGTERM)
    same(c.communicate(timeout=90)[1], b"", "and never had a complaint")
    same(state("three"), s, "nor touched anything")
    ok(not any(set.union(set(), *frames("three-%s.csv" % x))
               for x in "abc"), "not one row of the three was in doubt")


def foreign():
    """A program of somebody else on the same kernel."""
    here = os.path.dirname(os.path.abspath(__file__))
    subprocess.run((os.environ.get("CC") or "cc").split() +
                   ["-std=gnu11", "-o", "sampler",
                    os.path.join(here, "foreign.c"), "-ldl"], check=True)
    shutil.copy(SO, "foreign.so")
    so = os.path.abspath("foreign.so")

    def run():
        return subprocess.run(
            ["./sampler", so, so], timeout=90, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(os.environ, KTOP_SIM=SPEC % "foreign"))

    ktop = start("--sim", SPEC % "foreign", *FAST, "--csv", "foreign.csv")
    held_by("foreign", ktop.pid)
    mine = state("foreign")
    r = run()
    ok(r.returncode == 1 and b"kpc_force_all_ctrs_set" in r.stderr,
       "somebody else's sampler cannot have them while ktop does", r.stderr)
    same(state("foreign"), mine, "and changes nothing")
    ktop.send_signal(signal.SIGTERM)
    ktop.communicate(timeout=90)
    ok(not any(frames("foreign.csv")),
       "no row was in doubt")
    ipc = start("--sim", SPEC % "foreign", *FAST, "--ipc", "--csv", "ipc.csv")
    until(lambda: len(frames("ipc.csv")) > 2)
    r = run()
    same((r.returncode, r.stderr), (0, b""), "beside ktop --ipc it runs")
    theirs = state("foreign")
    n = len(frames("ipc.csv"))
    ok(until(lambda: len(frames("ipc.csv")) > n + 3), "  and ktop goes on")
    ipc.send_signal(signal.SIGTERM)
    same(ipc.communicate(timeout=90)[1], b"", "  without a word")
    same(state("foreign"), theirs, "  and leaves the kernel as it was left")
    ok(not any(frames("ipc.csv")),
       "  with every row in order")


def screens(thief):
    ktop = Screen("--sim", SPEC % "nb", *FAST)
    ok(ktop.do("wait:sim FULL", "wait:OK 8/8"), "on the screen: ktop counts")
    mine = words("nb")
    for name, act, leave, seen, lasts in CASES:
        same(getattr(thief, act)(), 0, "another tool " + name)
        if lasts:
            ok(ktop.do("wait:STOLEN", "wait:another tool has reprogrammed"),
               "  is seen, and said", ktop.text)
            same(ktop.text.count("another tool has reprogrammed"), 1,
                 "  in one line")
            getattr(thief, leave)()
        ok(ktop.do("gone:STOLEN", "wait:OK 8/8") and words("nb") == mine,
           "  and it is over")
    thief.no_sample()
    thief.take()
    ok(ktop.do("wait:STOLEN", "key:2", "gone:STOLEN", "wait:OK 8/8"),
       "a preset takes them back from one that stays")
    thief.take()
    ok(ktop.do("wait:STOLEN", "key:i", "wait:sim IPC") and
       words("nb") == [hex(THEIRS)] * 8 and
       int(state("nb")["counting"]) & 3 == 3,
       "i leaves them to it, as it set them", state("nb"))
    thief.stop()
    ok(ktop.do("key:i", "wait:sim FULL", "wait:OK 8/8"),
       "and i takes them when it has left")
    same(ktop.end("key:q", "exit:0", "given-back"), "", "it leaves cleanly")
    same(state("nb")["force"], "0", "and lets go")
    for fault, said in (("busy@1s-3s", "another client in the kernel"),
                        ("eperm@1s-3s", "to root only")):
        ktop = Screen("--sim", "m1,seed=1,fault=" + fault, *FAST)
        ok(ktop.do("wait:sim FULL", "wait:" + said) and
           ktop.text.count(said) == 1, "%s: one line" % fault, ktop.text)
        ok(ktop.do("gone:" + said, "wait:sim FULL", "wait:OK 8/8"),
           "  gone when it is over", ktop.text)
        same(ktop.end("key:q", "exit:0", "given-back"), "", "  and left")
    ktop = Screen("--sim", "m1,seed=1,fault=refuse:INST_BRANCH@0s", *FAST,
                  "-p", "l1d")
    ok(ktop.do("wait:sim FULL", "wait:OK 8/8", "key:3",
               "wait:macOS refuses INST_BRANCH;", "wait:PARTIAL 8/8") and
       "sim FULL" in ktop.text, "a refused event: said, and the badge is not "
       "green", ktop.text)
    same(ktop.end("key:q", "exit:0", "given-back"), "", "  and left")
    ktop = Screen("--sim", "m1,seed=1,fault=dead:INST_ALL@0s", *FAST)
    ok(ktop.do("wait:INST_ALL counts nothing here", "wait:PARTIAL 8/8") and
       "n/a" in ktop.text, "an event that counts nothing: said, and the badge "
       "is not green", ktop.text)
    same(ktop.end("key:q", "exit:0", "given-back"), "", "  and left")


if len(sys.argv) > 2:  # a part alone
    globals()[sys.argv[2]](*([Neighbour("nb")] if sys.argv[2] in (
        "recorded", "screens", "ended_in_the_midst") else []))
    finish()
outages()
three()
if SO:
    other = Neighbour("nb")
    recorded(other)
    ended_in_the_midst(other)
    foreign()
    if VTRUN:
        screens(other)
finish()
