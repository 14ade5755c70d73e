"""What is promised of the end, of what is held, and of late ticks."""
import fcntl
import os
import pty
import re
import resource
import select
import signal
import struct
import subprocess
import termios
import time

from jobs import Job
from live import (NO_LOOK, VTRUN, Screen, children, open_files, state,
                  until)
from tap import KTOP, PROC, finish, ok, same, skip

UID = 64999  # nobody's
ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
TWO = dict(os.environ, KTOP_SEPARATE="always")
SUDO = dict(os.environ, SUDO_UID=str(UID), SUDO_GID=str(UID))
CLEAR = b"\x1b[?1049h"
FAR = 5000  # a descriptor beyond any table


def letter(pid):
    """Of a process's state; Z: it has ended, or is nobody."""
    try:
        with open("/proc/%d/stat" % pid) as f:
            return f.read().rsplit(")", 1)[1].split()[0]
    except OSError:
        return "Z"


def recording(name, env, **how):
    p = subprocess.Popen([KTOP, "--sim", "m1", "-d", "100ms", "--csv",
                          name + ".csv"], stdin=subprocess.DEVNULL,
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                         env=env, **how)
    until(lambda: os.path.exists(name + ".csv") and
          os.path.getsize(name + ".csv") > 2000)
    return p


def ended(p, number, name):
    p.send_signal(number)
    p.communicate(timeout=90)
    same(p.returncode, 128 + number, name)


def inherited():
    """Whatever the caller left open is closed in the server."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    number = FAR if hard > FAR else hard - 1
    resource.setrlimit(resource.RLIMIT_NOFILE, (number + 1, hard))
    with open("secret", "w") as f:
        for fd in (50, number):
            os.dup2(f.fileno(), fd, inheritable=True)
    p = recording("inherited", SUDO if ROOT else TWO, close_fds=False)
    for fd in (50, number):
        os.close(fd)
    held = open_files(p.pid)
    if held is None:
        skip("what the server holds", NO_LOOK)
    else:
        same([x for x in held.items() if "secret" in x[1]], [],
             "the server holds nothing of what its caller had open")
        ok(max(held) < 20, "  by any number", held)
    ended(p, signal.SIGTERM, "  and ends as it is told")


def core():
    """No memory of the server's is left in a file."""
    if not ROOT:
        skip("core files", "not root")
        return

    def dumps():
        hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
        resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))

    p = recording("core", SUDO, preexec_fn=dumps)
    with open("/proc/%d/limits" % p.pid) as f:
        line = next(x for x in f if x.startswith("Max core file size"))
    same(line.split()[4:6], ["0", "0"], "the server leaves no core file")
    ended(p, signal.SIGTERM, "  and ends as it is told")


def killed_screen():
    """kill -9 of the screen side: the server writes what it could not."""
    j = Job("--sim", "m1", "-d", "100ms", env={"KTOP_SEPARATE": "always"})
    ok(j.sees("IPC"), "on a terminal of its own", j.seen)
    screen = children(j.pid)
    ok(CLEAR in j.seen and len(screen) == 1, "  on the other screen")
    os.kill(screen[0], signal.SIGKILL)
    j.ended()
    j.rest(0.1)
    same(j.status, -signal.SIGKILL, "kill -9 of the screen side is seen")
    same(j.terminal(), [], "  with the terminal put back")
    tail = j.seen[j.seen.rfind(b"\x1b[?1049l") - 60:]
    ok(b"\x18\x1b[0m" in tail and b"\x1b[?25h" in tail,
       "  by the server's own words", tail)
    j.close()


def killed_stat():
    """kill -9 of the server: the command of stat and its report stay."""
    os.mkfifo("gate")
    with open("stat.out", "wb") as out:
        p = subprocess.Popen([KTOP, "--sim", "m1", "stat", "--", "sh", "-c",
                              "echo $$ >child; read line <gate"],
                             stdin=subprocess.DEVNULL, stdout=out,
                             stderr=subprocess.STDOUT, env=TWO)
    until(lambda: os.path.exists("child") and os.path.getsize("child") > 1)
    with open("child") as f:
        child = int(f.read())
    screen = children(p.pid)
    p.kill()
    p.wait(timeout=90)
    same((len(screen), [letter(x) == "Z" for x in screen + [child]]),
         (1, [False, False]),
         "kill -9 of the server: stat's command and the screen side stay")
    with open("gate", "w") as gate:
        gate.write("go\n")
    ok(until(lambda: letter(child) == letter(screen[0]) == "Z"),
       "  until the command ends")
    with open("stat.out") as f:
        text = f.read()
    ok(re.search("1 run.*\n +elapsed ", text, re.S), "  and its time is told",
       text)


def continued():
    """SIGSTOP from elsewhere, and what a shell makes of the terminal."""
    j = Job("--sim", "m1", "-d", "100ms")
    ok(j.sees("IPC"), "one process on a terminal", j.seen)
    raw = termios.tcgetattr(j.near)
    os.kill(j.pid, signal.SIGSTOP)
    j.wait(lambda: j.stops == 1)
    termios.tcsetattr(j.near, termios.TCSANOW, j.before)
    before = j.seen.count(CLEAR)
    j.fg()
    j.wait(lambda: j.seen.count(CLEAR) > before and
           termios.tcgetattr(j.near)[3] == raw[3])
    ok(j.seen.count(CLEAR) > before,
       "continued after a SIGSTOP: the other screen is asked for again")
    same(termios.tcgetattr(j.near)[3], raw[3], "  and keys come one by one")
    j.key("q")
    same(j.ended(), 0, "  q leaves")
    j.close()


def lead(near, tell, orders):
    """A session with ktop and another process in one group, not an orphan:
    its terminal stops who sets it from behind."""
    os.setsid()
    fcntl.ioctl(near, termios.TIOCSCTTY, 0)
    job = os.fork()
    if job == 0:
        os.setpgid(0, 0)
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTTOU])
        os.tcsetpgrp(near, os.getpid())
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTTOU])
        for fd in range(3):
            os.dup2(near, fd)
        os.execve(KTOP, [KTOP, "--sim", "m1", "-d", "2s"],
                  dict(TWO, TERM="xterm-256color"))
    other = os.fork()
    if other == 0:
        os.setpgid(0, job)
        time.sleep(600)
        os._exit(0)
    os.write(tell, b"%d\n" % job)
    os.read(orders, 1)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    os.tcsetpgrp(near, os.getpid())
    os.write(tell, b"taken\n")
    os.read(orders, 1)
    os.kill(other, signal.SIGKILL)


def lost_server():
    """kill -9 of the server when the terminal is somebody else's again."""
    far, near = pty.openpty()
    fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    before = termios.tcgetattr(near)
    told, tell = os.pipe()
    orders, order = os.pipe()
    leader = os.fork()
    if leader == 0:
        try:
            lead(near, tell, orders)
        finally:
            os._exit(0)
    seen = b""

    def sees(what, limit_s=60):
        nonlocal seen
        end = time.monotonic() + limit_s
        while not what() and time.monotonic() < end:
            if select.select([far], [], [], 0.02)[0]:
                seen += os.read(far, 65536)
        return what()

    server = int(os.read(told, 20))
    ok(sees(lambda: b"IPC" in seen), "two processes on a terminal", seen)
    screen = children(server)[0]
    os.write(order, b"t")
    os.read(told, 20)
    os.kill(server, signal.SIGKILL)
    ok(sees(lambda: letter(screen) == "Z"),
       "a server killed in the background: the screen side ends, and is not "
       "stopped", letter(screen))
    ok(sees(lambda: termios.tcgetattr(near) == before and
            seen.rfind(b"\x1b[?1049l") > seen.rfind(CLEAR)),
       "  with the terminal put back", seen[-300:])
    if letter(screen) != "Z":
        os.kill(screen, signal.SIGKILL)
    os.write(order, b"e")
    os.waitpid(leader, 0)
    for fd in (far, near, told, tell, orders, order):
        os.close(fd)


def hung_up():
    """Under nohup neither process is ended by SIGHUP, by whichever it came."""
    def nohup():
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    p = recording("hung", TWO, preexec_fn=nohup)
    os.kill(p.pid, signal.SIGHUP)
    for screen in children(p.pid):
        os.kill(screen, signal.SIGHUP)
    before = os.path.getsize("hung.csv")
    ok(until(lambda: os.path.getsize("hung.csv") > before + 2000),
       "under nohup SIGHUP ends nothing")
    ended(p, signal.SIGTERM, "  and SIGTERM does")
    p = recording("hung-2", TWO)
    ended(p, signal.SIGHUP, "without it SIGHUP of the server ends both")


def missed():
    """Deadlines that were stepped over are told, in the events view."""
    if VTRUN == "":
        skip("missed ticks", "no VTRUN")
        return
    s = Screen("--sim", "m1", "-d", "100ms", size="120x40")
    s.do("wait:IPC", "key:E", "wait:missed")
    before = re.findall(r", (\d+) missed", s.text)
    same(len(before), 1, "missed ticks are told")
    s.do("sig:STOP", "stopped", "sleep:750", "fg")

    def told():
        s.do("wait:missed")
        now = re.findall(r"(\d+) late, (\d+) missed", s.text)
        return now and int(now[0][0]) >= 1 and \
            int(now[0][1]) >= int(before[0]) + 5

    ok(until(told),
       "stopped for seven ticks: they are counted", s.text)
    same(s.end("key:q", "exit"), "", "  and it goes on")


def hangs():
    """A rescue that waits for what never comes; it is looked at later."""
    p = subprocess.Popen([KTOP, "--sim", "m1,state=hang", "-d", "30s", "--csv",
                          "hang.csv"], stdin=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL)
    until(lambda: os.path.exists("hang") and
          state("hang").get("counting") == "3")
    lock = open("hang", "r+")
    fcntl.lockf(lock, fcntl.LOCK_EX)
    p.send_signal(signal.SIGSEGV)
    return p, lock


def patience(p, lock):
    until(lambda: p.poll() is not None)
    if p.poll() is None:
        p.kill()
    p.wait()
    lock.close()
    same(p.returncode, -signal.SIGSEGV,
         "a rescue that hangs is left: the fault ends the process")


def main():
    if not PROC:
        skip("holes", "Linux only: looks into /proc")
        finish()
    if ROOT:
        os.chmod(".", 0o777)
    hanging = hangs()
    inherited()
    core()
    killed_screen()
    killed_stat()
    continued()
    lost_server()
    hung_up()
    missed()
    patience(*hanging)
    finish()


main()
