"""Runs a command and ends it, with all it started, when it takes too long.

    within.py SECONDS COMMAND [ARG...]

Exit status: the command's own, 128 + N where signal N ended it, 124 where it
ran out of time. macOS has no timeout(1)."""
import os
import signal
import subprocess
import sys


def own_group():
    """A group of its own, in the same session: one of an orphaned group cannot
    be stopped by ^Z, and some tests do that. What nohup or a shell's & had
    ignored would be ignored by all that the tests start."""
    os.setpgrp()
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)


def main():
    limit, command = float(sys.argv[1]), sys.argv[2:]
    child = subprocess.Popen(command, preexec_fn=own_group)

    def end(number, *_):
        try:
            os.killpg(child.pid, number)
        except ProcessLookupError:
            pass

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda n, _: end(n))
    late = False
    for seconds, number in ((limit, signal.SIGTERM), (20, signal.SIGKILL)):
        try:
            child.wait(seconds)
            break
        except subprocess.TimeoutExpired:
            late = True
            end(number)
    status = child.wait()
    end(signal.SIGKILL)  # what it left behind
    if late:
        return 124
    return 128 - status if status < 0 else status


if __name__ == "__main__":
    sys.exit(main())
