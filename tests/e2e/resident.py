"""How much memory a program has while it runs.

What wait4 tells of a child begins with what its parent had, which is Python's:
more than all that ktop takes.
"""
import os
import subprocess

from tap import KTOP


def resident(pid):
    """KiB, page by page where the kernel can; 0: it has ended."""
    if os.path.exists("/proc/self/smaps_rollup"):
        try:
            with open("/proc/%d/smaps_rollup" % pid) as f:
                return sum(int(x.split()[1]) for x in f
                           if x.startswith(("Rss:", "Swap:")))
        except OSError:
            return 0  # and a small Linux has no ps
    out = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)],
                         stdout=subprocess.PIPE).stdout.split()
    return int(out[0]) if out else 0


CAN = resident(os.getpid()) > 0  # neither /proc nor a ps: it cannot


def _start(args):
    return subprocess.Popen([KTOP] + list(args), stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, bufsize=0)


def at_lines(lines, *args):
    """[KiB], each when so many lines had been read of its endless output: it
    is ahead by what a pipe holds."""
    p, read, found = _start(args), 0, []
    for want in lines:
        got = b"."
        while read < want and got:
            got = p.stdout.read(1 << 16)
            read += got.count(b"\n")
        found.append(resident(p.pid) if read >= want else 0)
    p.kill()
    p.communicate()
    return found


def most(*args):
    """The most of a run, by its output as it comes; -1: it failed."""
    p, found = _start(args), 0
    while p.stdout.read(1 << 16):
        found = max(found, resident(p.pid))
    return found if p.wait() == 0 else -1
