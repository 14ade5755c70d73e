"""Two processes: who holds what. (What a hostile caller tries: hostile_test.py)

As root the caller is SUDO_UID; without root KTOP_SEPARATE=always splits ktop
all the same, and what needs two users is skipped.
"""
import os
import re
import shutil
import signal
import subprocess

import live
from live import NO_LOOK, children, open_files, until
from tap import KTOP, PROC, Run, finish, ok, same, sim_state, skip

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


def start(*args, **how):
    p = live.start(*args, env=ENV, **how)
    until(lambda: children(p.pid) and os.path.exists(args[-1]) and
          os.path.getsize(args[-1]) > 0 and
          status(p.pid).get("Seccomp") == "2")
    return p, children(p.pid)


# Of SYS_ADMIN and PERFMON; Docker gives neither.
BOUND = (1 << 21 | 1 << 38) & (int(status(os.getpid())["CapBnd"], 16)
                               if PROC and ROOT else 0)


def capabilities(kind, who):
    """Of both sides, all five sets, and the one that bounds them."""
    s = who["screen"]
    same({int(s[c], 16) for c in ("CapInh", "CapPrm", "CapEff", "CapAmb",
                                  "CapBnd")}, {0},
         "%s: the screen side has no capability, nor a way to one" % kind)
    s = who["server"]
    level = open("/proc/sys/kernel/perf_event_paranoid").read() \
        if os.path.exists("/proc/sys/kernel/perf_event_paranoid") else "2"
    one = BOUND & (1 << 21 if int(level) >= 3 else 1 << 38)
    want = one if kind == "perf" else 0
    same([int(s[c], 16) for c in ("CapPrm", "CapInh", "CapAmb", "CapBnd")],
         [want, 0, 0, want],
         "%s: the server has %s" % (kind, "one" if want else "none"))
    same(int(s["CapEff"], 16), 0, "%s: in effect around its opens alone" % kind)


def processes(args, kind):
    p, screens = start("-d", "100ms", *args)
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
        capabilities(kind, who)
    same(who["server"]["Seccomp"], "2", "%s: the server is filtered" % kind)
    if ROOT and open_files(p.pid) is None:
        skip("%s: what the two hold" % kind, NO_LOOK)
    elif ROOT:
        held = {x.split(":")[0] for x in open_files(p.pid).values()}
        ok(held <= {"/dev/null", "socket", "pipe", "anon_inode",
                    "/proc/stat"} or kind == "perf" and
           all(re.match(r"/(proc|sys|dev/null$)|socket|pipe|anon_inode", x)
               for x in held),
           "%s: the server holds nothing of the person's" % kind, held)
        # Folders are open for a moment, on the way to a file.
        ok(until(lambda: sorted(
            x.split(":")[0] for fd, x in open_files(screens[0]).items()
            if fd > 2) in
            (["socket"], sorted(["socket", os.path.abspath(args[-1])]))),
           "%s: the screen side a socket and its recording" % kind,
           open_files(screens[0]))
    p.send_signal(signal.SIGTERM)
    p.communicate(timeout=90)
    same(p.returncode, 128 + signal.SIGTERM, "%s: ends as one" % kind)


OPEN = re.compile(r'^(\d+) +open(?:at)?\((?:AT_FDCWD, )?"([^"]*)", '
                  r'([A-Z_|]+).*= (\d+)')


def traced():
    """From strace: what the first process opens after the fork."""
    if not ROOT or shutil.which("strace") is None:
        skip("what is opened after the fork", "no strace, or not root")
        return
    subprocess.run(["strace", "-f", "-o", "trace", "-e",
                    "trace=open,openat,execve,clone,clone3,fork,vfork,"
                    "socket,connect,setuid,capset,seccomp,prctl", KTOP,
                    "--csv", "traced.csv", "-d", "100ms", "-n", "3",
                    "--preset", "branch"],
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, env=ENV, timeout=60)
    # A fork that a signal came upon is begun again: no second one.
    lines = [x for x in open("trace").read().splitlines()
             if "ERESTARTNOINTR" not in x]
    first = lines[0].split()[0]
    fork = next(i for i, x in enumerate(lines)
                if re.match(first + r" +(clone3?|v?fork)\(", x))
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
    pmu = [m[2] for m in later if m[2].startswith(("/sys", "/proc"))]
    ok(all(re.match(r"/(sys/(devices|bus/event_source)|proc/?$|proc/(stat|cpuinfo|"
                    r"loadavg|uptime|[0-9]+/|self/(status|uid_map)|sys/kernel/(perf_event_paranoid|"
                    r"nmi_watchdog|osrelease|randomize_va_space)))", x)
           for x in pmu), "of /sys and /proc only what says of counters and processes",
       sorted(set(pmu)))
    dropped = [i for i, x in enumerate(lines) if "setuid(%d" % UID in x and
               not x.startswith(first + " ")]
    early = [OPEN.match(x) for x in lines[fork:dropped[0]]
             if not x.startswith(first + " ")] if dropped else [None]
    early = [m[2] if m else "?" for m in early if m or not dropped]
    same([x for x in early if not re.match(
        r"/etc/(nsswitch.conf|passwd|group|ld\.so\.cache|host.conf)$|"
        r"/(usr/)?lib.*\.so(\.\d+)*$|/(var/)?run/(nscd|systemd/userdb)|/$",
        x)], [],
         "before it is the caller, the screen side opens only the system's "
         "lists of users and groups")
    ok(all("O_RDONLY" in x or UID == os.stat("traced.csv").st_uid
           for x in lines if "traced.csv" in x), "whose the recording is")


def whole_commands():
    """doctor is one process, also to repair: the caller's, with a capability."""
    if not ROOT or shutil.which("strace") is None:
        skip("doctor and its rights", "no strace, or not root")
        return
    for command in (["doctor"], ["doctor", "--repair"]):
        subprocess.run(["strace", "-f", "-o", "doctor", "-e",
                        "trace=setuid,setgid,setgroups,capset,execve,prctl",
                        KTOP] + command, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       env=ENV, timeout=60)
        trace = open("doctor").read()
        ok("setuid(%d)" % UID in trace and "setgid(%d)" % UID in trace and
           trace.count("execve(") == 1,
           "%s becomes the caller and starts nothing" % " ".join(command),
           trace)
        if not BOUND:
            skip("  with one capability", "there is none to have")
            continue
        caps = re.findall(r"permitted=([^,]*), inheritable=([^}]*)}\) = 0",
                          trace)
        ok(caps and caps[0][0] in ("1<<CAP_PERFMON", "1<<CAP_SYS_ADMIN") and
           caps[0][1] == "0", "  with one capability", trace)


def with_groups():
    """A caller in two groups, in a passwd and group of their own."""
    inside = ["unshare", "-m", "sh", "-c",
              "mount --bind passwd /etc/passwd && "
              "mount --bind group /etc/group && exec \"$@\"", "-"]
    for name, line in (("passwd", "ktoptest:x:%d:%d::/:/bin/sh"),
                       ("group", "ktopgrp:x:%d:ktoptest")):
        shutil.copy("/etc/" + name, name)
        with open(name, "a") as f:
            f.write(line % ((UID, UID) if name == "passwd" else
                            (UID - 7,)) + "\n")
    if not ROOT or shutil.which("unshare") is None or subprocess.run(
            inside + ["true"], stderr=subprocess.DEVNULL).returncode:
        skip("a caller in two groups", "not root, or no mount namespace")
        return
    os.mkdir("ours")
    os.chown("ours", 0, UID - 7)
    os.chmod("ours", 0o775)
    p = subprocess.Popen(inside + [KTOP, "--sim", "m1", "-d", "100ms",
                                   "--csv", "ours/run.csv"],
                         stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                         env=ENV)
    until(lambda: os.path.exists("ours/run.csv"))
    screens = children(p.pid)
    same(len(screens), 1, "a caller in two groups: it runs")
    for pid, groups in (((screens or [p.pid])[0], [UID - 7, UID]),
                        (p.pid, [UID])):
        same(sorted(int(x) for x in status(pid)["Groups"].split()), groups,
             "  %s" % ("the screen side is in both" if len(groups) > 1 else
                       "the server in the first"))
    p.send_signal(signal.SIGTERM)
    err = p.communicate(timeout=90)[1].decode()
    same((p.returncode, err), (128 + signal.SIGTERM, ""), "  and ends")
    ok(os.path.exists("ours/run.csv") and
       os.stat("ours/run.csv").st_uid == UID,
       "  a file that only the second group may write is written")
    r = subprocess.run(inside + [KTOP, "--sim", STEP, "-d", "100ms", "-n",
                                 "1", "--csv", "ours/id.csv", "--", "id",
                                 "-G"], stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       env=ENV)
    same(sorted(map(int, r.stdout.split())), [UID - 7, UID],
         "  a command of ktop run has both")


def library():
    """A library that the caller could have made is not loaded."""
    so = os.environ.get("KTOP_SIM_SO", "")
    if not ROOT or not os.path.exists(so):
        skip("libraries of the caller's", "no KTOP_SIM_SO, or not root")
        return
    os.makedirs("mine", exist_ok=True)
    os.chown("mine", UID, UID)
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
            "--rotate", "basic,branch", "--csv", "-")
    same(Run(*args, env=ENV).out, Run(*args, env=alone).out,
         "two processes record what one does")


def told():
    """The server dies: the screen side says so, at once, and ends."""
    p, _ = start("--sim", "m1,state=told", "-d", "10m", "--csv", "told.csv")
    live.until(lambda: live.state("told").get("counting") == "3")
    p.kill()
    # The screen side's end is that of the pipe: long before the next tick.
    err = p.communicate(timeout=90)[1].decode()
    ok("counter server" in err and "repair" in err,
       "a killed server is said at once", err)
    left = sim_state("told")
    ok("force 0" in left and "counting 7" in left and "0x2" in left,
       "force is taken back, counting and words stay", left)
    r = Run("--sim", "m1,state=told", "-d", "100ms", "-b", "-n", "2", env=ENV)
    ok(r.code == 0 and "basic" in r.out and "no events  sample" not in r.out,
       "the next ktop counts all the same", r.out + r.err)
    same(sim_state("told"), left, "and leaves it as it was found")
    p, _ = start("--sim", "m1,state=told", "-d", "100ms", "--csv", "t2.csv")
    live.until(lambda: live.state("told").get("counting") == "3")
    held = sim_state("told")
    r = Run("doctor", "--repair", "--sim", "m1,state=told", env=ENV)
    ok(r.code == 4 and "counters are in use" in r.err and
       sim_state("told") == held,
       "what a program that runs has set is not repaired", r.out + r.err)
    p.send_signal(signal.SIGTERM)
    p.communicate(timeout=90)
    r = Run("doctor", "--repair", "--sim", "m1,state=told", env=ENV)
    ok(r.code == 0 and "found:" in r.out and "now:" in r.out,
       "ktop doctor --repair shows what is left, and puts it right",
       r.out + r.err)
    Run("--sim", "m1,state=whole", "-d", "100ms", "-b", "-n", "2", env=ENV)
    same(live.state("told").get("counting"), live.state("whole")["counting"],
         "  counting is as after a run that ended by itself")
    same([x.split(": ")[1] for x in r.out.split("now:")[-1].splitlines()
          if "classes that count" in x], ["0"],
         "  and so says the library itself")
    r = Run("doctor", "--repair", "--sim", "m1,state=told", env=ENV)
    ok("nothing is left" in r.out, "once", r.out)
    r = Run("repair", "--sim", "m1,state=told", env=ENV)
    same((r.code, "there is no ktop repair: use ktop doctor --repair" in r.err),
         (2, True), "ktop repair says what is used instead")
    r = Run("--repair", "--sim", "m1")
    same(r.code, 2, "--repair alone is usage")


def main():
    if not PROC:
        skip("two processes", "Linux only: looks into /proc")
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
    library()
    with_groups()
    whole_commands()
    finish()


main()
