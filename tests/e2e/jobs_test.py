"""Job control by a real shell: ^Z, bg, fg, &, timeout, and nobody at all.

A screen in the background is a stopped job that holds nothing and can be
ended; fg brings it back. Where no shell could continue it, ^Z does not stop.
"""
import fcntl
import os
import pty
import select
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time

from live import children, comm, is_clean, state, until
from tap import KTOP, PROC, finish, ok, skip

PROMPT = b"PR$ "
NOBODY = b"no shell to return to"
SPLITS = [("one process", {}), ("two", {"KTOP_SEPARATE": "always"})]
if os.geteuid() == 0:
    SPLITS.append(("sudo", {"SUDO_UID": "65534", "SUDO_GID": "65534",
                            "SUDO_USER": "nobody"}))


class Terminal:
    """A session of its own on a terminal; what it shows, and its keys."""

    def __init__(self, argv, env):
        self.far, near = pty.openpty()
        fcntl.ioctl(near, termios.TIOCSWINSZ,
                    struct.pack("HHHH", 40, 120, 0, 0))

        def lead():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
            for number in (signal.SIGINT, signal.SIGPIPE):
                signal.signal(number, signal.SIG_DFL)
        self.p = subprocess.Popen(
            argv, stdin=near, stdout=near, stderr=near, preexec_fn=lead,
            env=dict(os.environ, TERM="xterm-256color", KTOP=KTOP,
                     PS1=PROMPT.decode(), HISTFILE="/dev/null", **env))
        os.close(near)
        self.seen = b""

    def until(self, what, limit_s=60):
        end = time.monotonic() + limit_s
        while not what():
            if time.monotonic() > end:
                return False
            if select.select([self.far], [], [], 0.01)[0]:
                try:
                    self.seen += os.read(self.far, 65536)
                except OSError:
                    time.sleep(0.01)
        return True

    def rest(self, seconds):
        self.until(lambda: False, seconds)

    def says(self, keys, text, limit_s=60):
        """Does what was typed bring this?"""
        self.rest(0)  # what was written before is no answer
        at = len(self.seen)
        os.write(self.far, keys.encode())
        # Typed lines are echoed: it comes after them.
        return self.until(lambda: text in self.seen[at + len(keys):], limit_s)

    def jobs(self):
        """Those that live: a shell may take its time with the others."""
        return [x for x in children(self.p.pid)
                if comm(x) == "ktop" and mode(x) != "Z"]

    def close(self):
        for pid in everybody(self.p.pid):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.p.wait()
        os.close(self.far)


def mode(pid):
    try:
        with open("/proc/%d/stat" % pid) as f:
            return f.read().rsplit(")", 1)[1].split()[0]
    except OSError:
        return "-"


def everybody(pid):
    found = [pid]
    for child in children(pid):
        found += everybody(child)
    return found


def all_stopped(pids):
    return len(pids) > 0 and all(mode(x) == "T" for pid in pids
                                 for x in everybody(pid))


def held(path):
    return os.path.exists(path) and state(path).get("counting") == "3"


def idle(path):
    """Nobody counts there, or nobody ever has."""
    return not os.path.exists(path) or is_clean(state(path))


def shell(env):
    argv = ["bash", "--norc", "-i"] if shutil.which("bash") else ["sh", "-i"]
    t = Terminal(argv, env)
    t.until(lambda: PROMPT in t.seen)
    return t


def background_and_back(name, env, path):
    t = shell(env)
    ok(t.says("\"$KTOP\" --sim m1,state=%s -d 100ms\n" % path, b"IPC"),
       "a screen as a shell's job (%s)" % name, t.seen[-500:])
    t.rest(0.2)
    ok(t.says("\x1a", PROMPT), "  ^Z: the shell's prompt")
    job = t.jobs()
    ok(t.until(lambda: all_stopped(job)) and idle(path),
       "  all of it stopped, nothing held", [mode(x) for x in job])
    t.says("bg\n", PROMPT)
    t.rest(0.3)
    ok(t.until(lambda: all_stopped(job)) and idle(path),
       "  bg: stopped again, nothing held", [mode(x) for x in job])
    ok(t.says("fg\n", b"IPC"), "  fg draws")
    ok(until(lambda: held(path)), "  and counts", state(path))
    t.rest(0.2)
    ok(t.says("q", PROMPT), "  q leaves")
    ok(idle(path), "  with the counters as they were", state(path))
    t.close()


def begun_behind(name, env, path):
    t = shell(env)
    line = "\"$KTOP\" --sim m1,state=%s -d 100ms &\n" % path
    for number in ("TERM", "HUP", "INT"):
        t.says(line, PROMPT)
        ok(t.until(lambda: all_stopped(t.jobs())) and
           not os.path.exists(path),
           "& (%s): stopped before it has opened anything" % name,
           [mode(x) for x in t.jobs()])
        t.says("kill -%s %%%%; kill -CONT %%%%\n" % number, PROMPT)
        ok(t.until(lambda: t.jobs() == []), "  kill -%s ends it" % number,
           [mode(x) for x in t.jobs()])
    t.says(line, PROMPT)
    t.until(lambda: all_stopped(t.jobs()))
    # The shell has to know, too, and of no other job.
    t.until(lambda: t.says("jobs\n", b"topped", 1))
    ok(t.says("fg\n", b"IPC"), "  fg draws", t.seen[-1500:])
    ok(until(lambda: held(path)), "  and counts",
       [(x, mode(x)) for job in t.jobs() for x in everybody(job)])
    t.rest(0.2)
    ok(t.says("q", PROMPT) and idle(path), "  q leaves, all put back",
       t.seen[-500:])
    t.close()


def redirected(name, env, path):
    t = shell(env)
    os.write(t.far, ("\"$KTOP\" --sim m1,state=%s -d 100ms --csv %s.csv "
                     "</dev/null >/dev/null 2>&1\n" % (path, path)).encode())
    t.until(lambda: held(path))
    ok(t.says("\x1a", PROMPT), "^Z of a redirected recording (%s): "
       "the shell's prompt" % name)
    job = t.jobs()
    ok(t.until(lambda: all_stopped(job)) and idle(path),
       "  all of it stopped, nothing held", [mode(x) for x in job])
    t.says("bg\n", PROMPT)
    ok(until(lambda: held(path)), "  bg: it counts again")
    os.write(t.far, b"fg\n")  # ^C is the job's once it is in front
    t.until(lambda: os.tcgetpgrp(t.far) in job)
    ok(t.says("\x03", PROMPT) and idle(path), "  fg, ^C: ended, put back")
    if name == "two":
        alone(t, path)
    t.close()


def alone(t, path):
    """Whatever stops the screen side alone: SIGCONT of it is enough."""
    t.says("\"$KTOP\" --sim m1,state=%s -d 100ms --csv %s.2.csv "
           "</dev/null >/dev/null 2>&1 &\n" % (path, path), PROMPT)
    t.until(lambda: held(path))
    screen = children(t.jobs()[0])[0]
    for number in (signal.SIGSTOP, signal.SIGTSTP):
        os.kill(screen, number)
        ok(until(lambda: mode(screen) == "T" and idle(path)),
           "  %s of the screen side alone: nothing held" % number.name)
        time.sleep(0.2)
        os.kill(screen, signal.SIGCONT)
        ok(until(lambda: held(path)), "  its SIGCONT is enough")


def in_a_script(name, env, path):
    """The job is the script; a shell sees it stop only as a whole."""
    if name == "sudo":
        return  # whose screen side may not stop a script of root's
    t = shell(env)
    t.says("sh -c '\"$KTOP\" --sim m1,state=%s -d 100ms; echo rc $?'\n" % path,
           b"IPC")
    t.rest(0.2)
    ok(t.says("\x1a", PROMPT), "^Z inside a script (%s): the prompt" % name)
    ok(t.says("fg\n", b"IPC"), "  fg draws")
    t.rest(0.2)
    ok(t.says("q", b"rc 0") and idle(path), "  q leaves, all put back")
    t.close()


def timed_out(name, env, path):
    """timeout without a job-control shell puts it in the background."""
    if shutil.which("timeout") is None:
        skip("timeout in a script ends it (%s)" % name, "no timeout")
        return
    t = shell(env)
    ok(t.says("sh -c 'timeout 1 \"$KTOP\" --sim m1,state=%s -d 100ms; "
              "echo rc $?'\n" % path, b"rc 124"),
       "timeout in a script ends it (%s)" % name, t.seen[-500:])
    ok(idle(path), "  with nothing held")
    t.close()


def ended_behind(name, env, path):
    """TERM of a stopped one: put away without the terminal."""
    t = shell(env)
    t.says("\"$KTOP\" --sim m1,state=%s -d 100ms\n" % path, b"IPC")
    t.rest(0.2)
    t.says("\x1a", PROMPT)
    at = len(t.seen)
    t.says("kill %%\n", PROMPT)
    ok(t.until(lambda: t.jobs() == []), "TERM of a stopped screen (%s): "
       "it ends" % name, [mode(x) for x in t.jobs()])
    ok(b"\x1b[?1049h" not in t.seen[at:], "  and draws nothing",
       t.seen[at:])
    t.close()


def nobody(name, env, path):
    """ktop leads the session, as in a terminal that starts nothing else."""
    t = Terminal([KTOP, "--sim", "m1,state=" + path, "-d", "100ms"], env)
    t.until(lambda: b"IPC" in t.seen)
    t.rest(0.2)
    ok(t.says("\x1a", NOBODY), "^Z without a shell (%s): said" % name)
    ok(not any(mode(x) == "T" for x in everybody(t.p.pid)) and
       until(lambda: held(path)), "  it goes on, and counts")
    os.write(t.far, b"q")
    ok(t.until(lambda: t.p.poll() is not None) and t.p.returncode == 0,
       "  q leaves")
    ok(idle(path), "  with the counters as they were")
    t.close()


def nobody_in_front():
    """A screen that can neither wait nor show itself says so."""
    t = Terminal([sys.executable, "-c", """
import os, signal, sys, time
os.set_blocking(0, True)
pid = os.fork()
if pid == 0:
    os.setpgid(0, 0)
    parent = os.getpid()
    if os.fork() == 0:
        while os.getppid() == parent:  # once it is gone: an orphaned group
            time.sleep(0.01)
        os.execv(sys.argv[1], sys.argv[1:])
    os._exit(0)
os.waitpid(pid, 0)
time.sleep(100)
""", KTOP, "--sim", "m1,state=front", "-d", "100ms"], {})
    ok(t.until(lambda: b"belongs to another job" in t.seen),
       "in the background, and orphaned: an error", t.seen)
    ok(not os.path.exists("front"), "  and nothing was opened")
    t.close()


WAYS = (background_and_back, begun_behind, redirected, in_a_script, timed_out,
        ended_behind, nobody)


def one(name):
    for way in WAYS:
        way(name, dict(SPLITS)[name],
            "%s-%s" % (way.__name__, name.split()[0]))
    finish()


def main():
    if not PROC:
        skip("job control", "Linux only: looks into /proc")
        finish()
    os.chmod(".", 0o777)  # the caller of sudo writes here
    # Most of it is waiting.
    running = [subprocess.Popen([sys.executable, __file__, KTOP, name],
                                stdout=subprocess.PIPE) for name, _ in SPLITS]
    nobody_in_front()
    for p in running:
        lines = p.communicate()[0].decode().splitlines()
        for line in lines:
            if line.startswith(("ok ", "not ok ")):
                ok(line.startswith("ok "), line.split(" - ", 1)[1])
            elif not line.startswith("1.."):
                print(line)
        ok(lines != [] and lines[-1].startswith("1.."), "  to the end",
           "\n".join(lines[-3:]))
    finish()


if len(sys.argv) > 2:
    one(sys.argv[2])
else:
    main()
