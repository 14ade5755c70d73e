"""Several programs on one simulated kernel: who holds what, who gives back."""
import signal
import subprocess
import sys

from live import SO, VTRUN, Screen, Thief, held_by, start, state, words
from tap import Run, finish, ok, same

SPEC = "m1,seed=1,state=%s"
FAST = ("-d", "100ms")


def alone(path):
    s = state(path)
    return s["force"] == s["force_pid"] == s["counting"] == "0" and \
        set(words(path)) == {"0x0"}


def batch():
    """Without a screen the second goes on with what it can have."""
    first = start("--sim", SPEC % "two-batch", *FAST, "--csv",
                  "two-first.csv")
    ok(held_by("two-batch", first.pid), "the first ktop holds the counters")
    mine = words("two-batch")
    second = Run("--sim", SPEC % "two-batch", *FAST, "-n", "3", "--csv", "-")
    same(second.code, 0, "the second runs")
    ok(second.err.startswith("ktop: another program holds the counters") and
       "EACCES" in second.err and second.err.count("\n") == 1,
       "and says who is in the way, once", second.err)
    rows = second.out.splitlines()
    ok(len(rows) == 25 and all(x.split(",")[20] == "" and
                               x.split(",")[26] != "" for x in rows[1:]),
       "it counts cycles and no events", rows[:2])
    same((words("two-batch"), state("two-batch")["force_pid"]),
         (mine, str(first.pid)), "and leaves the first one's set-up alone")
    first.send_signal(signal.SIGTERM)
    first.communicate(timeout=90)
    ok(alone("two-batch"), "after both the kernel is as before",
       state("two-batch"))
    text = open("two-first.csv").read()
    ok("stolen" not in text, "the first never lost anything")


def screens():
    """With one: i takes the counters when the first is gone."""
    first = start("--sim", SPEC % "two-two", *FAST, "--csv", "two-f.csv")
    held_by("two-two", first.pid)
    second = Screen("--sim", SPEC % "two-two", *FAST)
    ok(second.do("wait:another program holds the counters",
                 "wait:sim IPC"), "the second shows IPC and why")
    ok(second.do("key:i", "wait:EACCES") and "sim IPC" in second.text,
       "key i does not help while the first holds them")
    first.send_signal(signal.SIGINT)
    first.communicate(timeout=90)
    ok(second.do("key:i", "wait:sim FULL", "wait:L1D-ld"),
       "when it has left, key i takes them")
    same(state("two-two")["force"], "1", "really")
    ok(second.do("key:i", "wait:sim IPC") and alone("two-two"),
       "and releases them", state("two-two"))
    ok(second.do("key:i", "wait:sim FULL"), "and takes them again")
    same(second.end("key:q", "exit:0", "given-back"), "",
         "it leaves the terminal as it was")
    ok(alone("two-two"), "and the kernel", state("two-two"))


def killed():
    """Whom SIGKILL ends cleans nothing up: force is the kernel's to take."""
    first = start("--sim", SPEC % "two-kill", *FAST, "--csv", "two-k.csv")
    held_by("two-kill", first.pid)
    theirs = words("two-kill")
    first.kill()
    first.communicate(timeout=90)
    found = state("two-kill")
    same((found["force"], found["counting"] != "0", words("two-kill")),
         ("0", True, theirs), "after SIGKILL force is free, the rest stays")
    later = start("--sim", SPEC % "two-kill", *FAST, "-p", "branch", "--csv",
                  "two-later.csv", "-n", "5")
    err = later.communicate(timeout=90)[1].decode()
    same((later.returncode, err), (0, ""), "the next ktop copes")
    rows = [x.split(",") for x in open("two-later.csv").read().splitlines()[1:]]
    ok(len(rows) == 40 and all(x[20] == "branch" and x[22] in ("", "idle")
                               and x[31] != "" for x in rows),
       "and counts events of its own", rows[:2])
    same(state("two-kill"), found, "and leaves the kernel as it found it")


def stolen():
    """A thief that comes by the frameworks."""
    spec = SPEC % "two-thief"
    ktop = Screen("--sim", spec, *FAST)
    ok(ktop.do("wait:sim FULL", "wait:OK 8/8"), "ktop holds the counters")
    mine = words("two-thief")
    thief = Thief(spec)
    same(thief.steal(0x2008c), 0, "the thief writes its own words")
    ok(ktop.do("wait:STOLEN", "wait:another tool has reprogrammed"),
       "and is noticed")
    same(words("two-thief"), ["0x2008c"] * 8, "ktop does not fight for them")
    same(thief.stop(), 0, "the thief stops counting")
    ok(ktop.do("gone:STOLEN", "wait:OK 8/8") and words("two-thief") == mine,
       "and ktop recovers by itself", words("two-thief"))
    thief.steal(0x200bf)
    ok(ktop.do("wait:STOLEN") and ktop.do("key:1", "gone:STOLEN",
                                          "wait:OK 8/8"),
       "where it stays, a preset takes them back")
    same(words("two-thief"), mine, "really")
    thief.steal(0x200cb)
    ok(ktop.do("wait:STOLEN"), "the thief comes once more")
    same(ktop.end("key:q", "exit:0", "given-back"), "", "and ktop leaves")
    same((state("two-thief")["force"], words("two-thief"),
          state("two-thief")["counting"] != "0"), ("0", ["0x200cb"] * 8, True),
         "without touching what is the thief's by now")


if len(sys.argv) > 2:  # a part alone
    globals()[sys.argv[2]]()
    finish()
batch()
killed()
if VTRUN:
    screens()
    if SO:
        stolen()
finish()
