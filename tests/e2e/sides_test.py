"""Either of the two processes dies: the other one leaves, terminal and all.

Live and replaying; as root by the environment that sudo sets, as somebody who
may use sudo without a password by a real sudo.
"""
import os
import shutil
import signal
import subprocess
import time

from jobs import Job
from live import children, comm
from tap import KTOP, PROC, Run, finish, for_all, ok, same, skip

LIMIT_S = 60
SUDO = shutil.which("sudo")

if not PROC:
    skip("either side dies", "no /proc")
    finish()


def alive(pid):
    try:
        with open("/proc/%d/stat" % pid) as f:
            return f.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def sides(pid):
    """The two processes of ktop below pid, the first one first."""
    found, next_ones = [], [pid]
    while next_ones:
        at = next_ones.pop(0)
        if comm(at) == "ktop":
            found.append(at)
        next_ones += children(at)
    return found


def gone(pids):
    end = time.monotonic() + LIMIT_S
    while any(alive(p) for p in pids) and time.monotonic() < end:
        time.sleep(0.02)
    return [p for p in pids if alive(p)]


def dies(how, args, side, number, env, program):
    name = "%s: %s, %s side" % (how, signal.Signals(number).name, side)
    real = os.path.basename(program[0]) == "sudo"
    j = Job(*program[1:], *args, env=env, program=program[0],
            stay=True)
    ok(j.sees("IPC"), name + ": both are up", j.seen[-300:])
    pids = sides(j.pid)
    if not same(len(pids), 2, "  they are two"):
        j.close()
        return
    victim = pids[0] if side == "first" else pids[1]
    if real:
        # the shell's own kill: a small system has no other
        subprocess.run([SUDO, "-n", "sh", "-c",
                        "kill -%d %d" % (number, victim)])
    else:
        os.kill(victim, number)
    ok(j.ended(LIMIT_S) not in (0, None), "  it ends, and not well", j.status)
    same(gone(pids), [], "  nobody is left")
    j.rest(0.2)
    bad = j.terminal()
    if real and side == "first" and number == signal.SIGKILL:
        # sudo's own terminal goes with its command: nothing can be written.
        bad = [x for x in bad if x == "settings"]
    same(bad, [], "  the terminal is as it was")
    j.close()


def all_of(how, env, *program):
    for args, what in ((("--sim", "m1", "-d", "50ms"), "live"),
                       (("--replay", os.path.abspath("r.csv"), "--speed",
                         "0.1"), "replay")):
        for side in ("first", "screen"):
            for number in (signal.SIGKILL, signal.SIGSEGV):
                dies(how + ", " + what, args, side, number, env, program)


Run("--sim", "m1,clock=step", "-n", "50", "--csv", "r.csv")
os.chmod("r.csv", 0o644)
all_of("two processes", {"KTOP_SEPARATE": "always"}, KTOP)
if os.geteuid() == 0:
    os.mkdir("all")
    os.symlink(for_all(), "all/ktop")
    all_of("sudo's environment", {"SUDO_UID": "65534", "SUDO_GID": "65534"},
           os.path.abspath("all/ktop"))
elif SUDO and subprocess.run([SUDO, "-n", "true"], stdin=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL).returncode == 0:
    all_of("sudo", {}, SUDO, "-n", KTOP)
else:
    skip("real sudo", "root, or a password is asked for")
finish()
