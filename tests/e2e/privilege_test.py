"""Two processes: who holds what, and what a hostile caller cannot do.

As root the caller is SUDO_UID; without root KTOP_SEPARATE=always splits ktop
all the same, and what needs two users is skipped.
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import time

from tap import KTOP, Run, finish, ok, same

UID = 64999  # nobody's
ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
ENV = dict(os.environ, KTOP_SEPARATE="always")
if ROOT:
    ENV.update(SUDO_UID=str(UID), SUDO_GID=str(UID))
    ENV.pop("KTOP_SEPARATE")
STEP = "m1,clock=step"


def status(pid):
    with open("/proc/%d/status" % pid) as f:
        return dict(line.rstrip("\n").split(":\t", 1) for line in f
                    if ":\t" in line)


def children(pid):
    with open("/proc/%d/task/%d/children" % (pid, pid)) as f:
        return [int(x) for x in f.read().split()]


def start(*args, **how):
    p = subprocess.Popen([KTOP] + list(args), stdin=subprocess.DEVNULL,
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                         env=ENV, **how)
    end = time.monotonic() + 10
    while time.monotonic() < end and not children(p.pid):
        time.sleep(0.01)
    time.sleep(0.4)
    return p, children(p.pid)


def processes(args, kind):
    p, screens = start(*args, "-d", "100ms")
    same(len(screens), 1, "%s: two processes" % kind)
    who = {"server": status(p.pid), "screen": status(screens[0])}
    for name, s in who.items():
        same(s["NoNewPrivs"] if name == "server" or ROOT else "1", "1",
             "%s: the %s gains nothing by exec" % (kind, name))
        if not ROOT:
            continue
        same(set(s["Uid"].split()) | set(s["Gid"].split()), {str(UID)},
             "%s: the %s is the caller, all four ids" % (kind, name))
        same(s["Groups"].split(), [str(UID)], "  and in no other group")
    if ROOT:
        s = who["screen"]
        same({int(s[c], 16) for c in ("CapInh", "CapPrm", "CapEff",
                                      "CapAmb")}, {0},
             "%s: the screen side has no capability" % kind)
        perfmon, admin = 1 << 38, 1 << 21
        has = int(who["server"]["CapPrm"], 16)
        ok(has in ((0,) if kind != "perf" else (0, perfmon, admin)),
           "%s: the server has one at most" % kind, hex(has))
    same(who["server"]["Seccomp"], "2", "%s: the server is filtered" % kind)
    files = {os.readlink("/proc/%d/fd/%s" % (p.pid, fd)).split(":")[0]
             for fd in os.listdir("/proc/%d/fd" % p.pid)} if ROOT else set()
    ok(not any(f.endswith(".csv") for f in files),
       "%s: the recording is not the server's" % kind, files)
    p.send_signal(signal.SIGTERM)
    p.communicate(timeout=20)
    same(p.returncode, 128 + signal.SIGTERM, "%s: ends as one" % kind)


OPEN = re.compile(r'^(\d+) +open(?:at)?\((?:AT_FDCWD, )?"([^"]*)", '
                  r'([A-Z_|]+).*= (\d+)')


def traced():
    """From strace: what the first process opens after the fork."""
    if not ROOT or shutil.which("strace") is None:
        print("# strace: not checked (no strace, or not root)")
        return
    subprocess.run(["strace", "-f", "-o", "trace", "-e",
                    "trace=open,openat,execve,clone,clone3,fork,vfork,"
                    "socket,connect,setuid,capset,seccomp,prctl", KTOP,
                    "--csv", "traced.csv", "-d", "100ms", "-n", "3",
                    "--preset", "branch"],
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, env=ENV, timeout=60)
    lines = open("trace").read().splitlines()
    first = lines[0].split()[0]
    fork = next(i for i, x in enumerate(lines)
                if x.startswith(first + " ") and ("clone" in x or
                                                  "fork" in x))
    later = [OPEN.match(x) for x in lines[fork:]
             if x.startswith(first + " ")]
    later = [m for m in later if m]
    written = [m[2] for m in later if m[3].split("|")[0] != "O_RDONLY"]
    same([w for w in written if w != "/dev/null"], [],
         "the server opens nothing for writing")
    named = [m[2] for m in later if not re.match(
        r"/(sys|proc|dev/null$|usr/lib|lib|etc/ld\.so)", m[2])]
    same(named, [], "nor anything but the system's own")
    same([x for x in lines[fork + 1:] if x.startswith(first + " ") and
          re.search(r"(execve|clone3?|v?fork|socket|connect)\(", x)], [],
         "and starts nothing")
    dropped = [i for i, x in enumerate(lines) if "setuid(%d" % UID in x and
               not x.startswith(first + " ")]
    ok(dropped != [] and not any(
        OPEN.match(x) for x in lines[fork:dropped[0]]
        if not x.startswith(first + " ")),
       "the screen side opens nothing before it is the caller")
    ok(all("O_RDONLY" in x or UID == os.stat("traced.csv").st_uid
           for x in lines if "traced.csv" in x), "whose the recording is")


def hostile():
    """Names that a caller could give to root's ktop."""
    if not ROOT:
        print("# hostile names: not checked (not root)")
        return
    os.chmod(".", 0o755)
    os.mkdir("mine")
    os.chown("mine", UID, UID)
    os.mkdir("roots")
    os.chmod("roots", 0o755)
    with open("roots/file", "w") as f:
        f.write("precious\n")
    os.chmod("roots/file", 0o644)
    os.mkfifo("roots/fifo")
    os.chmod("roots/fifo", 0o600)
    os.symlink(os.path.abspath("roots/file"), "mine/link")
    os.symlink(os.path.abspath("roots/new"), "mine/dangling")
    os.symlink(os.path.abspath("roots"), "mine/dir")
    os.symlink("mine/loop", "mine/loop")
    os.mkfifo("mine/fifo")
    os.mkdir("shadow")
    os.chmod("shadow", 0o700)
    before = {}
    for top, _, names in os.walk("roots"):
        for n in names:
            s = os.lstat(os.path.join(top, n))
            before[n] = (s.st_size, s.st_mtime_ns, s.st_mode)
    names = ["roots/file", "roots/new", "roots/fifo", "mine/link",
             "mine/dangling", "mine/dir/new", "mine/dir/file", "mine/loop",
             "mine/../roots/new", "./mine/./../roots/file", "shadow/x",
             "/etc/ktop-was-here", "/etc/shadow", "/dev/sda", "/dev/mem",
             "/dev/kmsg", "/dev/port", "/proc/sysrq-trigger",
             "/proc/self/mem", "/proc/1/mem", "/proc/sys/kernel/core_pattern",
             "/sys/kernel/uevent_helper", "/proc/1/fd/1",
             "x" * 255 + "/y", "mine/" + "y" * 256, "z" * 4096,
             "/" * 3000 + "etc/ktop-was-here", "roots/new\n",
             "\x1b]0;title\x07", "roots/\xff\xfe"]
    for name in names:
        for force in ((), ("--force",)):
            r = Run("--sim", STEP, "--csv", name, "-n", "1", *force, env=ENV)
            where = repr(name if len(name) < 40 else name[:37] + "...")
            made = name if name[0] not in "/rms." and \
                os.path.lexists(name) else None
            if made is not None:
                same(os.lstat(made).st_uid, UID, "%s is the caller's" % where)
                os.unlink(made)
            elif r.code == 0:
                ok(False, "%s: refused" % where, r.err)
    after = {}
    for top, _, found in os.walk("roots"):
        for n in found:
            s = os.lstat(os.path.join(top, n))
            after[n] = (s.st_size, s.st_mtime_ns, s.st_mode)
    same(after, before, "%d hostile names: what is root's is untouched"
         % len(names))
    ok(not os.path.exists("/etc/ktop-was-here"), "also in /etc")
    for option in ("--theme", "--kperf", "--root"):
        r = Run("--sim", STEP, option, "shadow/secret", "-b", "-n", "1",
                env=ENV) if option != "--kperf" else \
            Run("--kperf", "mine/x.so", "--kperfdata", "mine/x.so", "-b",
                "-n", "1", env=ENV)
        ok("precious" not in r.out + r.err, "%s reads nothing of root's"
           % option)
    r = Run("--sim", "m1,clock=step,state=roots/state", "-b", "-n", "1",
            env=ENV)
    ok(r.code != 0 and not os.path.exists("roots/state"),
       "nor is a simulated kernel written there", r.err)
    r = Run("doctor", "--sim", "m1,clock=step,state=roots/state", env=ENV)
    ok(not os.path.exists("roots/state"), "by doctor neither", r.err)
    r = Run("doctor", "--sim", STEP, "--tape", "roots/tape", env=ENV)
    ok(not os.path.exists("roots/tape"), "and no tape", r.err)
    # A word that looks like a command that keeps root.
    r = Run("--sim", STEP, "-n", "1", "--csv", "doctor", env=ENV,
            cwd="mine")
    same((r.code, os.stat("mine/doctor").st_uid), (0, UID),
         "a file called doctor opens no door")


def library():
    """A library that the caller could have made is not loaded."""
    so = os.environ.get("KTOP_SIM_SO", "")
    if not ROOT or not os.path.exists(so):
        print("# libraries: not checked (no KTOP_SIM_SO, or not root)")
        return
    shutil.copy(so, "mine/lib.so")
    os.chown("mine/lib.so", UID, UID)
    # Off a Mac it is a simulation: loaded with the caller's rights alone.
    processes(("--kperf", "mine/lib.so", "--kperfdata", "mine/lib.so",
               "--csv", "mine/lib.csv"), "library")
    r = Run("-b", "-n", "1", env=dict(ENV, KTOP_KPERF="mine/lib.so",
                                      KTOP_KPERFDATA="mine/lib.so"))
    ok("simulated" not in r.out and "mine/lib.so" not in r.out + r.err,
       "and one out of the environment is not loaded", r.out + r.err)


def same_results():
    alone = dict(os.environ)
    alone.pop("SUDO_UID", None)
    args = ("--sim", "m2max,seed=3,clock=step,fault=off:P1@2s-4s", "-n", "8",
            "--rotate", "overview,branch", "--csv", "-")
    same(Run(*args, env=ENV).out, Run(*args, env=alone).out,
         "two processes record what one does")


def told():
    """The server dies: the screen side says so, at once, and ends."""
    p, _ = start("--sim", "m1,state=told", "-d", "30s", "--csv", "told.csv")
    began = time.monotonic()
    p.kill()
    err = p.communicate(timeout=20)[1].decode()
    ok("counter server" in err and "repair" in err and
       time.monotonic() - began < 5, "a killed server is said at once", err)
    r = Run("repair", "--sim", "m1,state=told", env=ENV)
    ok(r.code == 0 and "found:" in r.out and "now:" in r.out,
       "ktop repair shows what it left, and puts it right", r.out + r.err)
    r = Run("repair", "--sim", "m1,state=told", env=ENV)
    ok("nothing is left" in r.out, "once", r.out)


def main():
    if sys.platform != "linux":
        print("# two processes: looks into /proc, not checked here")
        finish()
    if ROOT:
        os.chmod(".", 0o755)
        os.chown(".", UID, UID)
    processes(("--sim", "m1", "--csv", "sim.csv"), "sim")
    processes(("--csv", "perf.csv"), "perf")
    if ROOT:
        os.chown(".", 0, 0)
        os.chmod(".", 0o777)
    traced()
    same_results()
    told()
    hostile()
    library()
    finish()


main()
