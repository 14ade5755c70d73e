"""kill -9 of the counter server alone, while its screen shows what is traced."""
import os
import signal

from live import VTRUN, Screen, children, is_clean, state, until
from tap import KTOP, PROC, Run, finish, ok, same, skip

LEFT = ("ktrace_pid", "ktrace_state", "sampling", "thread_counting", "force")


def is_gone(pid):
    """Also one that nobody has waited for."""
    try:
        with open("/proc/%d/stat" % pid) as f:
            return f.read().rsplit(")", 1)[1].split()[0] in "ZX"
    except OSError:
        return True


def left(mac):
    s = state(mac)
    return [s.get(x) for x in LEFT]


def traced(mac):
    """In a shell that neither writes to the terminal nor reads from it, and
    lives until it is told: what is left there can be looked at."""
    os.mkfifo("over")
    with open("shell", "w") as f:
        f.write("#!/bin/sh\n'%s' \"$@\"\necho $? >status\nread -r _ <over\n" %
                KTOP)
    os.chmod("shell", 0o755)
    s = Screen("--sim", "m1,state=" + mac, "-d", "100ms", "--csv",
               mac + ".csv", "--processes", size="120x40",
               program=os.path.abspath("shell"),
               env=("KTOP_SEPARATE=always",))
    s.do("wait:live", "key:P", "wait:kernel_task", "text:v",
         "wait:Instruments cannot", "text:y", "wait:traced [0-9.]+%")
    return s


def main():
    mac = "mac"
    s = traced(mac)
    server = int(state(mac).get("force_pid", "0"))
    screen = children(server)
    if not ok(len(screen) == 1 and left(mac) == [str(server), "1", "1", "3",
                                                 "1"],
              "two processes, which trace", (screen, state(mac))):
        s.end("kill")
        finish()
    os.kill(server, signal.SIGKILL)
    ok(until(lambda: is_gone(screen[0])), "killed the server: the screen ends")
    ok(s.do("wait:doctor --repair", "given-back"),
       "  the terminal is as it was, with the remedy on it")
    ok("ktop: the counter server has ended" in s.text,
       "  and it is said what became of it", s.text)
    with open("over", "w") as f:
        f.write("\n")
    same(s.end("exit:0"), "", "  nothing else holds it")
    same(open("status").read(), "137\n", "  and the status is the signal's")
    # The filter of the server on Linux lets it start no guard.
    same(left(mac), ["0", "1", "1", "3", "0"],
         "the kernel is traced for somebody who is dead")
    rows = open(mac + ".csv").read()
    r = Run("summary", mac + ".csv")
    ok(r.code == 0 and rows.endswith("\n") and ",process," in rows,
       "the recording is whole", r.err)
    r = Run("--sim", "m1,state=" + mac, "-d", "100ms", "-b", "-n", "1")
    same((r.code, left(mac)), (0, ["0"] * 5), "the next ktop ends that")
    r = Run("doctor", "--repair", "--sim", "m1,state=" + mac)
    s = state(mac)
    s["counting"] = s.get("counting", "").replace("4", "0")  # not ours
    ok(r.code == 0 and is_clean(s), "and doctor --repair the rest", r.out)
    finish()


if not PROC or VTRUN == "":
    skip("a server that is killed", "no VTRUN, or no /proc")
    finish()
else:
    main()
