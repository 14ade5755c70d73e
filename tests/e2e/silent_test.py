"""A counter server that does not answer, and a screen side that does not read.

The server is stopped, as the kernel may hold it up: the screen says so in a
line, its keys work, q leaves with the terminal as it was, and the counters
are put back when the server goes on.
"""
import os
import signal
import subprocess
import time

from jobs import Job
from live import Screen, VTRUN, children, is_clean, start, state, until
from tap import KTOP, PROC, Run, finish, ok, same, skip

LONG = bool(os.environ.get("KTOP_LONG"))
ENV = dict(os.environ, KTOP_SEPARATE="always")
SAYS = "has not answered for"


def record(name, machine="m1"):
    p = start("--sim", "%s,state=%s" % (machine, name), "-d", "100ms",
              "--csv", name + ".csv", env=ENV,
              stderr=open(name + ".err", "w"))
    until(lambda: os.path.exists(name) and
          state(name).get("counting") == "3" and lines(name) > 9)
    return p


def lines(name):
    """Of the recording; the first is its header."""
    try:
        return open(name + ".csv").read().count("\n")
    except OSError:
        return 0


def said(name):
    return open(name + ".err").read()


def ended(p, name):
    p.wait(timeout=90)
    return said(name)


def recording():
    """Batch text: said once, and the frames go on."""
    p = record("rec")
    same(state("rec").get("counting"), "3", "a recording runs")
    p.send_signal(signal.SIGSTOP)
    ok(until(lambda: SAYS in said("rec")), "its server is silent")
    before = lines("rec")
    p.send_signal(signal.SIGCONT)
    ok(until(lambda: lines("rec") > before + 8),
       "frames go on when the server does")
    p.send_signal(signal.SIGTERM)
    err = ended(p, "rec")
    same(p.returncode, 128 + signal.SIGTERM, "it ends as ever")
    same(err.count(SAYS), 1, "that the server was silent is said once")
    rows = [x.split(",") for x in open("rec.csv").read().split("\n")[1:-1]]
    longest = max(float(x[6]) for x in rows if x[1] == "cpu" and x[6])
    ok(longest > 0.9, "the first covers the time between", longest)
    ok(is_clean(state("rec")), "and the counters are put back", state("rec"))


def left_while_silent():
    p = record("left")
    screen = children(p.pid)[0]
    p.send_signal(signal.SIGSTOP)
    os.kill(screen, signal.SIGTERM)
    ok(until(lambda: children(p.pid) == [] or
             open("/proc/%d/stat" % screen).read().split()[2] == "Z"),
       "the screen side leaves a server that does not answer")
    same(state("left").get("force"), "1", "  with the counters still held")
    p.send_signal(signal.SIGCONT)
    err = ended(p, "left")
    ok("kill -CONT continues it" in err, "  and says what will be", err)
    same(p.returncode, 128 + signal.SIGTERM, "  the status is the screen's")
    ok(is_clean(state("left")), "  and they are put back when it goes on",
       state("left"))


def on_a_terminal():
    if VTRUN == "":
        skip("silent servers on a screen", "no VTRUN")
        return
    # A shell with job control would take the terminal when its job stops.
    with open("hidden", "w") as f:
        f.write("#!/bin/sh\n'%s' \"$@\"\nexit $?\n" % KTOP)
    os.chmod("hidden", 0o755)
    os.environ["KTOP_SEPARATE"] = "always"
    s = Screen("--sim", "m1,state=term", "-d", "500ms", size="100x30",
               program=os.path.abspath("hidden"))
    del os.environ["KTOP_SEPARATE"]
    ok(s.do("wait:IPC", "wait:q quit"), "a screen in two processes")
    server = int(state("term").get("force_pid", "0"))
    os.kill(server, signal.SIGSTOP)
    ok(s.do("wait:" + SAYS), "a silent server is said on the screen", s.text)
    ok(s.do("text:?", "wait:Columns"), "keys work meanwhile")
    ok(s.do("text:?", "gone:Columns"), "and again")
    os.kill(server, signal.SIGCONT)
    ok(s.do("gone:" + SAYS), "it goes away when the server goes on", s.text)
    os.kill(server, signal.SIGSTOP)
    ok(s.do("wait:" + SAYS), "a second time")
    ok(s.do("text:q", "wait:kill -CONT continues"), "q leaves it", s.text)
    os.kill(server, signal.SIGCONT)
    same(s.end("exit:1", "given-back"), "", "q leaves, says so, and gives the terminal back")
    ok(until(lambda: is_clean(state("term"))), "with the counters",
       state("term"))


def under_a_shell():
    """Its job stops: the shell has the terminal, and gets it whole."""
    if VTRUN == "":
        return
    r = subprocess.run([VTRUN, "-s", "80x24", "-e", "KTOP_SEPARATE=always",
                        "wait:live", "wait:q quit", "sig:STOP", "stopped",
                        "sleep:1500", "given-back", "fg", "wait:live",
                        "wait:q quit", "sleep:300", "gone:" + SAYS, "key:q",
                        "exit:0", "given-back", "--", KTOP, "--sim",
                        "m1,state=shell", "-d", "200ms"],
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE)
    same(r.returncode, 0, "a stopped server under a shell with job control: "
         "the terminal is the shell's, and fg goes on")
    if r.returncode:
        print(r.stderr.decode())
    ok(is_clean(state("shell")), "  and all is put back", state("shell"))


def taken_terminal():
    """The same, and the shell takes its terminal back at once."""
    for period, silent_s in (("200ms", 2), ("1s", 4))[:2 if LONG else 1]:
        path = "taken-" + period
        j = Job("--sim", "m1,state=" + path, "-d", period,
                env={"KTOP_SEPARATE": "always"})
        ok(j.sees("IPC"), "a job of a shell (%s)" % period)
        j.rest(0.3)
        os.kill(j.pid, signal.SIGSTOP)
        ok(j.wait(lambda: j.stops > 0), "  its server stops")
        j.rest(silent_s)
        same(j.status, None, "  the screen side lives on")
        ok(b"crashed" not in j.seen, "  and says nothing of a crash",
           j.seen[-2000:].decode(errors="replace"))
        same(j.terminal(), [], "  the terminal is the shell's")
        drawn = len(j.seen)
        j.fg()
        ok(j.wait(lambda: b"IPC" in j.seen[drawn:]), "  fg goes on")
        j.key("q")
        same(j.ended(), 0, "  q leaves")
        same(j.terminal(), [], "  with the terminal as it was")
        ok(is_clean(state(path)), "  and the counters", state(path))
        j.close()


def killed_at_first():
    """kill -9 of the server while it programs: what is to be done is said."""
    told = []
    for delay in (0.05, 0.15, 0.3, 0.4, 0.5, 0.6) if LONG else (0.05, 0.3, 0.5):
        path = "first-%d" % (1000 * delay)
        p = subprocess.Popen([KTOP, "--sim", "m1,state=%s,fault=slow:20ms@0s"
                              % path, "-d", "200ms", "--csv", path + ".csv"],
                             stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=open(path + ".err", "w"), env=ENV)
        until(lambda: os.path.exists(path) and children(p.pid))
        time.sleep(delay)
        screen = children(p.pid)
        p.kill()
        p.wait(timeout=90)
        until(lambda: not any(os.path.exists("/proc/%d/exe" % x)
                              for x in screen))
        until(lambda: os.path.getsize(path + ".err") > 0)
        told.append(said(path))
    same([x for x in told if "doctor --repair" not in x], [],
         "a server killed while it starts: the remedy is named")
    same([x for x in told if "memory" in x], [], "  and nothing else blamed")


def stopped_reader():
    """A screen side that is stopped in mid-answer holds nobody up."""
    p = record("reader", "m1max")
    screen = children(p.pid)[0]
    os.kill(screen, signal.SIGSTOP)
    ok(until(lambda: state("reader").get("force") == "0"),
       "a stopped screen side: nothing is held", state("reader"))
    os.kill(screen, signal.SIGCONT)
    ok(until(lambda: state("reader").get("force") == "1"),
       "and all is taken again", state("reader"))
    os.kill(screen, signal.SIGSTOP)
    time.sleep(0.2)
    os.kill(screen, signal.SIGKILL)
    p.wait(timeout=90)
    same(p.returncode, -signal.SIGKILL, "stopped and killed: as it ended")
    ok(is_clean(state("reader")), "all is put back", state("reader"))


def main():
    if not PROC:
        skip("silent servers", "Linux only: looks into /proc")
        finish()
    recording()
    left_while_silent()
    on_a_terminal()
    under_a_shell()
    taken_terminal()
    killed_at_first()
    stopped_reader()
    finish()


main()
