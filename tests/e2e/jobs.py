"""A ktop as a job of a shell: its terminal goes to the job that owns it."""
import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time

from tap import KTOP

SHELLS = (signal.SIGTTOU, signal.SIGTTIN, signal.SIGTSTP, signal.SIGINT,
          signal.SIGQUIT)


class Job:
    """The leader of a session takes its terminal back when its job stops."""

    def __init__(self, *args, env=None, program=KTOP, stay=False,
                 size=(40, 120)):
        self.far, self.near = pty.openpty()
        fcntl.ioctl(self.far, termios.TIOCSWINSZ,
                    struct.pack("HHHH", *size, 0, 0))
        self.before = termios.tcgetattr(self.near)
        self.seen = b""
        self.status = self.leader = None
        self.stops = 0
        self.stay = stay  # the leader, whose end would hang up
        told, tell = os.pipe()
        orders, order = os.pipe()
        self.leader = os.fork()
        if self.leader == 0:
            try:
                self._lead([program] + list(args), env or {}, tell, orders)
            finally:
                os._exit(0)
        os.close(tell)
        os.close(orders)
        self.told, self.order = told, order
        self.words = b""
        self.wait(lambda: False, 0.01)
        while not self.words.startswith(b"P"):
            self.wait(lambda: False, 0.01)
        self.pid = int(self.words.split()[1])

    def _lead(self, argv, env, tell, orders):
        os.setsid()
        fcntl.ioctl(self.near, termios.TIOCSCTTY, 0)
        for s in SHELLS:
            signal.signal(s, signal.SIG_IGN)
        os.set_blocking(orders, False)
        pid = os.fork()
        if pid == 0:
            os.setpgid(0, 0)
            os.tcsetpgrp(self.near, os.getpid())
            for s in SHELLS + (signal.SIGPIPE, signal.SIGXFSZ):
                signal.signal(s, signal.SIG_DFL)
            for fd in range(3):
                os.dup2(self.near, fd)
            os.closerange(3, 64)
            os.execve(argv[0], argv, dict(os.environ, TERM="xterm-256color",
                                          **env))
        os.write(tell, b"P %d\n" % pid)
        while True:
            got, status = os.waitpid(pid, os.WUNTRACED | os.WNOHANG)
            if got == 0:
                time.sleep(0.005)
                try:
                    if os.read(orders, 1):
                        os.tcsetpgrp(self.near, pid)
                        os.killpg(pid, signal.SIGCONT)
                except BlockingIOError:
                    pass
            elif os.WIFSTOPPED(status):
                os.tcsetpgrp(self.near, os.getpid())
                os.write(tell, b"S\n")
            else:
                os.write(tell, b"E %d\n" % os.waitstatus_to_exitcode(status))
                while self.stay:
                    time.sleep(1)
                time.sleep(0.1)
                return

    def wait(self, what, limit_s=60, read=True):
        """Until it is true, or the job has ended; read: what it writes."""
        end = time.monotonic() + limit_s
        while not what() and time.monotonic() < end:
            ready = select.select([self.told] + [self.far] * read, [], [],
                                  0.01)[0]
            if self.told in ready:
                got = os.read(self.told, 4096)
                self.words += got
                self.stops = self.words.count(b"S\n")
                if b"E " in self.words:
                    self.status = int(self.words.split(b"E ")[1].split()[0])
                elif got == b"":
                    time.sleep(0.01)
            if self.far in ready:
                try:
                    self.seen += os.read(self.far, 65536)
                except OSError:
                    read = False
        return what()

    def sees(self, text, limit_s=60):
        return self.wait(lambda: text.encode() in self.seen, limit_s)

    def rest(self, seconds, read=True):
        self.wait(lambda: False, seconds, read)

    def key(self, k):
        os.write(self.far, k.encode())

    def fg(self):
        os.write(self.order, b"f")

    def ended(self, limit_s=60, read=True):
        self.wait(lambda: self.status is not None, limit_s, read)
        # What it wrote last may come after the word of its end.
        while read and select.select([self.far], [], [], 0)[0]:
            try:
                self.seen += os.read(self.far, 65536)
            except OSError:
                break
        return self.status

    def terminal(self):
        """What is not as it was found."""
        bad = []
        if termios.tcgetattr(self.near) != self.before:
            bad.append("settings")
        for name, on, off in (("the other screen", b"\x1b[?1049h",
                               b"\x1b[?1049l"),
                              ("a hidden cursor", b"\x1b[?25l", b"\x1b[?25h"),
                              ("mouse reports", b"\x1b[?1000h",
                               b"\x1b[?1000l")):
            if self.seen.rfind(on) > self.seen.rfind(off):
                bad.append(name)
        return bad

    def close(self):
        for pid in (self.pid, self.leader):
            if self.status is None or pid == self.leader:
                try:
                    os.kill(pid, signal.SIGKILL)
                except OSError:
                    pass
        os.waitpid(self.leader, 0)
        for fd in (self.far, self.near, self.told, self.order):
            os.close(fd)
