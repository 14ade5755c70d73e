"""Every way to die at every stage, and what the simulated kernel says after.

A run is one way at one stage: start, program, run, swap or close. Calls are
slow (3 ms each), so that a stage lasts long enough to be met. By default each
way is taken once, and the stages, and one process or two, take turns; KTOP_LONG=1
takes each with one and with two, DIE=all at every stage.
"""
import concurrent.futures
import ctypes
import fcntl
import os
import random
import resource
import signal
import socket
import subprocess
import termios
import time

from live import children, is_clean, state
from tap import KTOP, PROC, Run, finish, ok, skip

STAGES = ("start", "program", "run", "swap", "close")
LIMIT_S = 60
FATAL = ("SEGV", "ABRT", "BUS", "FPE", "ILL", "SYS", "TRAP")
OTHER = ("INT", "TERM", "HUP", "QUIT", "ALRM", "USR2", "XCPU", "VTALRM",
         "PROF", "PIPE", "IO", "PWR", "STKFLT", "RTMIN", "RTMAX")
HARMLESS = OTHER[4:]
CRASHES = ("abort", "segv", "fpe", "bus", "stack", "trap", "exit")
HERE = os.path.dirname(os.path.abspath(__file__))
SHIM = os.path.abspath("die_shim.so")
SPEC = "m1,state=%s,fault=slow:3ms@0s"


def tell(pid, name):
    try:
        os.kill(pid, getattr(signal, "SIG" + name))
    except ProcessLookupError:
        pass


def is_alive(pid):
    try:
        with open("/proc/%d/stat" % pid) as f:
            return f.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


class Life:
    """One ktop, from its start to the state it leaves."""

    def __init__(self, name, split, **how):
        self.state = name + ".state"
        self.err = open(name + ".err", "wb")
        env = dict(os.environ)
        env.pop("KTOP_SEPARATE", None)
        if split:
            env["KTOP_SEPARATE"] = "always"
        env.update(how.pop("more_env", {}))
        how.setdefault("stdout", subprocess.DEVNULL)
        how.setdefault("stdin", subprocess.DEVNULL)
        args = how.pop("args", ["--csv", name + ".csv"])
        self.p = subprocess.Popen(
            [KTOP, "--sim", SPEC % self.state, "-d", "100ms", "--rotate",
             "basic,branch"] + args, stderr=self.err, env=env,
            start_new_session=True, **how)
        self.split = split

    def first(self):
        return self.p.pid

    def screen(self):
        """The process without rights; the only one where there is one."""
        end = time.monotonic() + LIMIT_S
        while self.split and self.p.poll() is None:
            found = children(self.p.pid)
            if found:
                return found[0]
            if time.monotonic() > end:
                break
            time.sleep(0.002)
        return self.p.pid

    def until(self, what):
        end = time.monotonic() + LIMIT_S
        while time.monotonic() < end and self.p.poll() is None:
            if os.path.exists(self.state) and what(state(self.state)):
                return
            time.sleep(0.002)

    def reach(self, stage, dice):
        if stage == "start":
            time.sleep(dice.uniform(0.001, 0.04))
            return
        if stage == "program":
            self.until(lambda s: s.get("force") == "1")
            time.sleep(dice.uniform(0, 0.02))
            return
        self.until(lambda s: s.get("counting") == "3")
        if stage == "run":
            time.sleep(0.12)
        elif stage == "swap":
            time.sleep(dice.uniform(0.1, 0.4))
        else:
            time.sleep(0.1)
            tell(self.screen(), "TERM")
            time.sleep(dice.uniform(0, 0.03))

    def end(self):
        """True when every process of it has ended by itself."""
        end = time.monotonic() + LIMIT_S
        left = children(self.p.pid)
        while time.monotonic() < end:
            done = self.p.poll() is not None
            if done and not any(is_alive(p) for p in left):
                self.err.close()
                return True
            left = left or children(self.p.pid)
            time.sleep(0.005)
        for pid in left + [self.p.pid]:
            tell(pid, "KILL")
        self.p.wait()
        return False


def steps(*what):
    """Signals to the first process, the screen's or their group, as in
    "screen STOP", and seconds in between."""
    def way(life, _):
        screen = any("screen" in str(x) for x in what) and life.screen()
        for x in what:
            who, _, name = str(x).partition(" ")
            if not name:
                time.sleep(x)
            elif who == "group":
                try:
                    os.killpg(life.first(), getattr(signal, "SIG" + name))
                except ProcessLookupError:
                    pass
            else:
                tell(screen if who == "screen" else life.first(), name)
    return way


def steal(pid):
    """A socket of another process, or None."""
    try:
        for fd in os.listdir("/proc/%d/fd" % pid):
            if os.readlink("/proc/%d/fd/%s" % (pid, fd)).startswith("socket"):
                fd = ctypes.CDLL(None).syscall(
                    438, os.pidfd_open(pid), int(fd), 0)  # pidfd_getfd
                return socket.socket(fileno=fd) if fd >= 0 else None
    except OSError:
        pass
    return None


def protocol(what, to_server):
    """Somebody else's words on the socket between the two."""
    def way(life, dice):
        screen = life.screen()
        s = steal(screen if to_server else life.first())
        if s is None:
            tell(screen, "TERM")
            return
        with s:
            if what == "shut":
                s.shutdown(socket.SHUT_RDWR)
            else:
                s.send(dice.randbytes(what))
        time.sleep(0.3)
        if what != "shut" and what < 8 and to_server:
            tell(screen, "KILL")
        else:
            tell(screen, "TERM")
    return way


def command_killed(life, _):
    for pid in children(life.screen()):
        tell(pid, "KILL")
    time.sleep(0.1)
    tell(life.screen(), "TERM")


def stopped_by_key(how):
    """^Z on the terminal, and what comes after it."""
    def way(life, _):
        screen = life.screen()
        os.write(life.master, b"\x1a")
        time.sleep(0.3)
        if how == "close":
            os.close(life.master)
            del life.master
            time.sleep(0.2)
        elif how == "kill":
            tell(screen, "KILL")
        try:
            os.killpg(life.first(), signal.SIGCONT)
        except ProcessLookupError:
            pass
        time.sleep(0.2)
        tell(life.first(), "TERM")
    return way


def by_itself(life, _):
    """It has its own reason and time; TERM is for one that does not come."""
    end = time.monotonic() + 1.5
    while life.p.poll() is None and time.monotonic() < end:
        time.sleep(0.01)
    tell(life.screen(), "TERM")


def limit(what, value):
    """Both processes run into a limit, and are ended after a while."""
    def way(life, dice):
        screen = life.screen()
        for pid in {life.first(), screen}:
            try:
                resource.prlimit(pid, getattr(resource, "RLIMIT_" + what),
                                 (value, value))
            except (OSError, ValueError):
                pass
        time.sleep(dice.uniform(0.1, 0.3))
        tell(screen, "TERM")
    return way


def reader_gone(life, _):
    life.p.stdout.close()
    time.sleep(0.3)
    tell(life.screen(), "TERM")


def master_closed(life, _):
    os.close(life.master)
    del life.master


def typed(keys):
    def way(life, _):
        os.write(life.master, keys)
        time.sleep(0.2)
        tell(life.screen(), "TERM")
    return way


def in_terminal(name, split, before=None, **how):
    master, slave = os.openpty()

    def own():
        if before is not None:
            before()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    # Others start theirs at the same time: the environment stays as it is.
    life = Life(name, split, args=[], stdin=slave, stdout=slave,
                preexec_fn=own, more_env={"TERM": "xterm"}, **how)
    os.close(slave)
    life.master = master
    return life


def limited(what, value):
    def start(name, split):
        return Life(name, split, preexec_fn=lambda: resource.setrlimit(
            getattr(resource, "RLIMIT_" + what), (value, value)))
    return start


def closed(fd):
    return lambda name, split: Life(name, split,
                                    preexec_fn=lambda: os.close(fd))


def shimmed(**env):
    env["LD_PRELOAD"] = SHIM
    return lambda name, split: Life(name, split, more_env=env)


def around(*command):
    return lambda name, split: Life(
        name, split, args=["--csv", name + ".csv", "--"] + list(command))


def unheard(name, split):
    """As nohup has it."""
    return in_terminal(name, split,
                       before=lambda: signal.signal(signal.SIGHUP,
                                                    signal.SIG_IGN))


def to_pipe(name, split):
    return Life(name, split, args=["--csv", "-"], stdout=subprocess.PIPE)


def to_full(name, split):
    return Life(name, split, args=["--csv", "/dev/full"])


def ways():
    """(name, how it starts, what happens, does SIGKILL meet who counts)"""
    for s in FATAL + OTHER:
        harmless = None if s in HARMLESS else False
        yield "first " + s, Life, steps("first " + s), harmless
        yield "screen " + s, Life, steps("screen " + s), harmless
    yield "screen KILL", Life, steps("screen KILL"), "alone"
    yield "first KILL", Life, steps("first KILL"), True
    yield "both KILL", Life, steps("first KILL", "screen KILL"), True
    for s in ("INT", "QUIT", "HUP", "TERM"):
        yield "group " + s, Life, steps("group " + s), False
    yield "STOP CONT TERM", Life, \
        steps("screen STOP", .15, "screen CONT", .15, "screen TERM"), False
    yield "STOP KILL", Life, steps("screen STOP", .15, "screen KILL"), "alone"
    yield "server STOP, screen KILL, CONT", Life, \
        steps("first STOP", .05, "screen KILL", .05, "first CONT"), "alone"
    yield "TSTP CONT TERM", Life, \
        steps("first TSTP", .3, "first CONT", .2, "first TERM"), False
    yield "both STOP CONT TERM", Life, \
        steps("group STOP", .2, "group CONT", .2, "first TERM"), False
    # Longer than the screen side's patience; then it goes on and ends.
    yield "server held up", Life, \
        steps("first STOP", 1.5, "first CONT", .2, "first TERM"), False
    yield "left while held up", Life, \
        steps("first STOP", .05, "screen TERM", .4, "first CONT"), False
    for n in (3, 8, 64, 5000):
        yield "%d odd bytes to the server" % n, Life, protocol(n, True), \
            "alone" if n < 8 else False
        yield "%d odd bytes to the screen" % n, Life, protocol(n, False), False
    yield "socket shut", Life, protocol("shut", True), False
    yield "no such command", around("/no/such"), by_itself, False
    yield "no command at all", around("/"), by_itself, False
    yield "command ends", around("true"), by_itself, False
    yield "command killed", around("sleep", "60"), command_killed, False
    yield "command's ktop killed", around("sleep", "3"), \
        steps("screen KILL"), "alone"
    yield "memory ends", Life, limit("AS", 1 << 20), False
    yield "descriptors end", Life, limit("NOFILE", 0), False
    yield "disk quota ends", Life, limit("FSIZE", 0), False
    yield "processor time ends", Life, limit("CPU", 0), True
    yield "disk full", to_full, steps("screen TERM"), False
    yield "reader gone", to_pipe, reader_gone, False
    yield "terminal closed", in_terminal, master_closed, False
    yield "q", in_terminal, typed(b"q"), False
    yield "^C", in_terminal, typed(b"\x03"), False
    yield "^\\", in_terminal, typed(b"\x1c"), False
    for how in ("fg", "kill", "close"):
        yield "^Z " + how, in_terminal, stopped_by_key(how), "alone"
    yield "terminal closed, nohup", unheard, master_closed, None
    yield "screen KILL in a terminal", in_terminal, \
        steps("screen KILL"), "alone"
    for n in (3, 5, 7, 8, 9, 10):
        yield "%d descriptors" % n, limited("NOFILE", n), \
            steps("screen TERM"), False
    for n in (4, 8, 12, 20):
        yield "%d MB" % n, limited("AS", n << 20), steps("screen TERM"), False
    if os.path.exists(SHIM):
        for n in (1, 30, 100, 150, 200, 250, 300, 400, 600):
            yield "no memory from call %d on" % n, \
                shimmed(DIE_MEMORY=str(n)), by_itself, False
        for how in CRASHES:
            for who in ("first", "screen"):
                for at in ("1", "6"):
                    yield "%s %s at %s" % (who, how, at), \
                        shimmed(DIE_HOW=how, DIE_WHO=who, DIE_AT=at), \
                        by_itself, how == "exit" and (
                            True if who == "first" else "alone")
    for fd in (0, 1, 2):
        yield "descriptor %d closed" % fd, closed(fd), \
            steps("screen TERM"), False


def one(job):
    number, (name, begin, die, killed), stage, split = job
    label = "%s, %s, %s" % (name, stage, "two" if split else "one")
    dice = random.Random(number)
    life = begin("life-%d-%d" % (number, split), split)
    life.reach(stage, dice)
    die(life, dice)
    if killed is None:  # nobody has to die of it
        time.sleep(0.2)
        tell(life.first(), "TERM")
    ended = life.end()
    if hasattr(life, "master"):
        os.close(life.master)
    after = state(life.state) if os.path.exists(life.state) else {}
    if after == {}:
        return ended, label, ""  # died before the kernel was whole
    # SIGKILL of the process that counts: the next start has to repair.
    if (killed is True or (killed == "alone" and not split)) and \
            not is_clean(after):
        r = Run("doctor", "--repair", "--sim", SPEC % life.state)
        after = state(life.state)
        after["repair"] = r.out + r.err
    err = open(life.err.name).read()
    return ended and is_clean(after), label, "%s\nended %s\n%s" % (
        after, ended, err)


def main():
    # A shell ignores both for what it runs in the background; one that comes
    # before ktop has a handler would then be lost.
    for number in (signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-w", "-o", SHIM,
                    os.path.join(HERE, "die_shim.c"), "-ldl"],
                   stderr=subprocess.DEVNULL, check=False)
    every = os.environ.get("DIE") == "all"
    longer = every or bool(os.environ.get("KTOP_LONG"))
    jobs, n = [], 0
    for i, way in enumerate(ways()):
        for k, stage in enumerate(STAGES):
            for split in (True, False):
                if not longer and split != (i // 2 % 2 == 0):
                    met = False
                elif way[2] is by_itself:  # in its own time
                    met = k == 0
                else:
                    met = every or k == i % len(STAGES) or (
                        longer and split and k == (i + 2) % len(STAGES))
                if met:
                    jobs.append((n, way, stage, split))
                n += 1
    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        results = list(pool.map(one, jobs))
    bad = [(label, more) for fine, label, more in results if not fine]
    for label, more in bad:
        ok(False, "nothing is left: " + label, more)
    names = len(list(ways()))
    ok(names >= 40, "there are %d ways to die" % names)
    ok(not bad, "after %d deaths the kernel is as it was" % len(jobs))
    finish()


if not PROC:
    skip("deaths", "Linux only: looks for processes in /proc")
    finish()
else:
    main()
