"""Running ktops and terminals step by step, for the tests with several."""
import csv
import ctypes
import io
import os
import shutil
import subprocess
import time

from tap import KTOP, sim_state

VTRUN = os.environ.get("VTRUN", "")
SO = os.environ.get("KTOP_SIM_SO", "")
LIMIT_S = 60
NO_LOOK = "needs CAP_SYS_PTRACE"  # to look into other users' processes
BOTH = 3  # fixed and configurable counters


def until(what, limit_s=LIMIT_S):
    """Polls until it is true; False when that takes too long."""
    end = time.monotonic() + limit_s
    while not what():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def so_far(path):
    """Rows of a recording that is being written: those that are whole."""
    try:
        with open(path) as f:
            return list(csv.DictReader(io.StringIO(
                f.read().rpartition("\n")[0])))
    except OSError:
        return []


def start(*args, **how):
    return subprocess.Popen([KTOP] + list(args), stdin=subprocess.DEVNULL,
                            **dict({"stdout": subprocess.DEVNULL,
                                    "stderr": subprocess.PIPE}, **how))


def state(path):
    """{name: value} of the simulated kernel in a file."""
    return dict(line.split(" ", 1)
                for line in sim_state(path).splitlines()
                if " " in line)


def words_of(s):
    return [v for k, v in sorted(s.items()) if k.startswith("config_")]


def words(path):
    return words_of(state(path))


def is_clean(s):
    """A state in which nobody counts, and no word was left."""
    return (s.get("force") == "0" and s.get("counting") == "0" and
            s.get("thread_counting") == "0" and
            all(v == "0x0" for v in words_of(s)))


def open_files(pid):
    """{descriptor: what it is} of a process; None where that is another's, and
    Docker, for one, gives root no right to look."""
    folder, found = "/proc/%d/fd" % pid, {}
    try:
        for fd in os.listdir(folder):
            try:
                found[int(fd)] = os.readlink(os.path.join(folder, fd))
            except FileNotFoundError:
                pass  # closed since it was listed
    except PermissionError:
        return None
    return found


def comm(pid):
    try:
        with open("/proc/%d/comm" % pid) as f:
            return f.read().strip()
    except OSError:
        return ""


def parent(pid):
    try:
        with open("/proc/%s/stat" % pid) as f:
            return int(f.read().rsplit(")", 1)[1].split()[1])
    except OSError:
        return 0


def children(pid):
    try:
        with open("/proc/%d/task/%d/children" % (pid, pid)) as f:
            return [int(x) for x in f.read().split()]
    except OSError:
        if os.path.exists("/proc/self/task/%d/children" % os.getpid()):
            return []
        # A kernel without CONFIG_PROC_CHILDREN.
        return sorted(int(x) for x in os.listdir("/proc")
                      if x.isdigit() and parent(x) == pid)


def held_by(path, pid):
    return until(lambda: os.path.exists(path) and
                 state(path).get("force_pid") == str(pid) and
                 state(path).get("counting") == "3")


def on_terminal(options, actions, args=(), program=KTOP, **how):
    """vtrun, ended: a ktop on a terminal of its own, with these actions."""
    return subprocess.run(
        [VTRUN, "-t", "60"] + list(options) + list(actions) +
        ["--", program] + list(args), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300,
        universal_newlines=True, **how)


class Screen:
    """A ktop on a terminal that takes one action after the other."""
    made = 0

    def __init__(self, *args, size="80x24", program=KTOP, env=()):
        Screen.made += 1
        self.id = "%d-%d" % (os.getpid(), Screen.made)
        self.pipe = os.path.abspath("vtrun-" + self.id)
        os.mkfifo(self.pipe)
        self.p = subprocess.Popen(
            [VTRUN, "-s", size, "-e", "TZ=UTC"] +
            [x for name in env for x in ("-e", name)] +
            ["-f", self.pipe, "--", program] + list(args), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.to = open(self.pipe, "w")
        self.count = 0
        self.text = self.err = ""

    def do(self, *actions):
        """False when one of them fails; why is printed."""
        self.count += 1
        mark = "shot-%s-%d" % (self.id, self.count)
        self.text = ""
        try:
            for action in actions + ("dump:" + mark,):
                self.to.write(action + "\n")
            self.to.flush()
        except BrokenPipeError:
            return False
        until(lambda: os.path.exists(mark + ".cells") or
              self.p.poll() is not None, LIMIT_S * (len(actions) + 1))
        if os.path.exists(mark + ".cells"):
            self.text = open(mark + ".txt").read()
        else:
            print("# " + self.ending().split("\n---- and its cells")[0]
                  .replace("\n", "\n# "))
        return self.text != ""

    def ending(self):
        """What vtrun says when it ends."""
        if not self.err:
            self.err = self.p.communicate(timeout=300)[1].decode()
        return self.err

    def end(self, *actions):
        """The failure's text, or nothing when it went well."""
        try:
            for action in actions:
                self.to.write(action + "\n")
            self.to.close()
        except BrokenPipeError:
            pass
        err = self.ending()
        return err if self.p.returncode != 0 else ""


class Thief:
    """Another program that uses the frameworks on the same kernel."""

    made = 0

    def __init__(self, spec):
        Thief.made += 1
        copy = os.path.abspath("thief-%d.so" % Thief.made)
        shutil.copy(SO, copy)  # a library has one kernel
        os.environ["KTOP_SIM"] = spec
        self.so = ctypes.CDLL(copy)
        del os.environ["KTOP_SIM"]

    def steal(self, word):
        row = (ctypes.c_uint64 * 32)(*([word] * 8))
        return (self.so.kpc_set_counting(0) or
                self.so.kpc_set_config(2, row) or
                self.so.kpc_set_counting(BOTH))

    def stop(self):
        return self.so.kpc_set_counting(0)
