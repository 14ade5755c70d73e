"""Several programs on one simulated kernel: who holds what, who gives back."""
import os
import signal

from live import (SO, VTRUN, Screen, Thief, held_by, so_far, start, state,
                  until, words)
from tap import Run, finish, folder_of_callers, ok, rows_of, same

# The kernel of macOS 26.4 and before, and the newer one, which refuses nobody:
# the Mac, a word of a thief's, and what the second ktop is told.
KERNELS = (("m1", 8, 0x2008c, "EACCES"),
           ("m6", 12, 0x20021, "that is counting"))
FAST = ("-d", "100ms")
WELL = "wait: live .* SIM *$"  # and no badge besides
SPEC, CPUS, THEIRS, SAID = "", 0, 0, ""


def is_newer():
    return CPUS == 12


def alone(path):
    """Words that nothing counts are no set-up from macOS 26.5 on."""
    s = state(path)
    return s["force"] == s["force_pid"] == s["counting"] == "0" and \
        (is_newer() or set(words(path)) == {"0x0"})


def batch():
    """Without a screen the second goes on with what it can have."""
    first = start("--sim", SPEC % "two-batch", *FAST, "--csv",
                  "two-first.csv")
    ok(held_by("two-batch", first.pid), "the first ktop holds the counters")
    mine = words("two-batch")
    second = Run("--sim", SPEC % "two-batch", *FAST, "-n", "3", "--csv", "-")
    same(second.code, 0, "the second runs")
    ok(second.err.startswith("ktop: counters are in use by another program") and
       SAID in second.err and second.err.count("\n") == 1,
       "and says who is in the way, once", second.err)
    rows = [x for x in rows_of(second.out) if x["row"] == "cpu"]
    ok(len(rows) == 3 * CPUS and
       all(x["preset"] == "" and x["cycles"] != "" for x in rows),
       "it counts cycles and no events", rows[:2])
    same((words("two-batch"), state("two-batch")["force_pid"]),
         (mine, str(first.pid)), "and leaves the first one's set-up alone")
    first.send_signal(signal.SIGTERM)
    first.communicate(timeout=90)
    ok(alone("two-batch"), "after both the kernel is as before",
       state("two-batch"))
    text = open("two-first.csv").read()
    ok("taken-over" not in text, "the first never lost anything")


def screens():
    """With one: i takes the counters when the first is gone."""
    first = start("--sim", SPEC % "two-two", *FAST, "--csv", "two-f.csv")
    held_by("two-two", first.pid)
    second = Screen("--sim", SPEC % "two-two", *FAST)
    ok(second.do("wait:counters are in use by another program",
                 "wait: FIXED"), "the second shows IPC and why")
    if not is_newer():
        ok(second.do("key:i", "wait:EACCES") and " FIXED" in second.text,
           "key i does not help while the first holds them")
    first.send_signal(signal.SIGINT)
    first.communicate(timeout=90)
    ok(second.do("key:i", "gone: FIXED", "wait:L1D-ld"),
       "when it has left, key i takes them")
    same(state("two-two")["force"], "1", "really")
    ok(second.do("key:i", "wait: FIXED") and alone("two-two"),
       "and releases them", state("two-two"))
    ok(second.do("key:i", "gone: FIXED"), "and takes them again")
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
    rows = rows_of(open("two-later.csv").read())
    ok(len(rows) == 5 * CPUS and
       all(x["preset"] == "branch" and x["c2"] != "" and
           set(x["quality"].split(";")) <= {"", "idle", "late"}
           for x in rows),
       "and counts events of its own",
       [(x["preset"], x["quality"], x["c2"]) for x in rows])
    same(state("two-kill"), found, "and leaves the kernel as it found it")


def stolen():
    """A thief that comes by the frameworks."""
    spec = SPEC % "two-thief"
    ktop = Screen("--sim", spec, *FAST)
    ok(ktop.do(WELL),
       "ktop holds the counters")
    mine = words("two-thief")
    thief = Thief(spec)
    same(thief.steal(THEIRS), 0, "the thief writes its own words")
    ok(ktop.do("wait:TAKEN OVER", "wait:another tool has reprogrammed"),
       "and is noticed")
    same(words("two-thief"), [hex(THEIRS)] * 8,
         "ktop does not fight for them")
    same(thief.stop(), 0, "the thief stops counting")
    ok(ktop.do("gone:TAKEN OVER", WELL) and
       words("two-thief") == mine, "and ktop recovers by itself",
       words("two-thief"))
    thief.steal(THEIRS + 1)
    ok(ktop.do("wait:TAKEN OVER") and ktop.do("key:1", "gone:TAKEN OVER",
                                          WELL),
       "where it stays, a preset takes them back")
    same(words("two-thief"), mine, "really")
    thief.steal(THEIRS)
    ok(ktop.do("wait:TAKEN OVER"), "the thief comes once more")
    same(ktop.end("key:q", "exit:0", "given-back"), "", "and ktop leaves")
    same((state("two-thief")["force"], words("two-thief"),
          state("two-thief")["counting"] != "0"), (
              "0", [hex(THEIRS)] * 8, True),
         "without touching what is the thief's by now")


def insisted(first_leaves_first):
    """The second is told, and takes them all the same."""
    at = "two-insist-%d" % first_leaves_first
    path = at + ".csv"
    first = start("--sim", SPEC % at, *FAST, "--csv", path)
    held_by(at, first.pid)
    mine = words(at)
    second = Screen("--sim", SPEC % at, *FAST, "-p", "branch")
    ok(second.do("wait:that is counting", "wait: FIXED") and
       words(at) == mine, "told that another program counts")
    ok(second.do("key:i", WELL) and
       words(at) != mine, "i once more takes the counters")
    ok(until(lambda: "taken-over" in open(path).read()), "the first says so")
    if first_leaves_first:
        theirs = words(at)
        first.send_signal(signal.SIGTERM)
        first.communicate(timeout=90)
        ok(second.do(WELL) and words(at) == theirs,
           "it goes, and the second counts on", state(at))
        same(second.end("key:q", "exit:0", "given-back"), "", "  and goes")
    else:
        same(second.end("key:q", "exit:0", "given-back"), "",
             "the second goes")
        ok(until(lambda: so_far(path)[-1]["quality"] in ("", "idle")) and words(at) == mine,
           "  and the first counts again", state(at))
        first.send_signal(signal.SIGTERM)
        first.communicate(timeout=90)
    ok(alone(at), "both have gone, and nothing counts", state(at))


for mac, CPUS, THEIRS, SAID in KERNELS:
    print("# " + mac)
    SPEC = mac + ",seed=1,state=%s"
    folder_of_callers(mac)
    os.chdir(mac)
    batch()
    killed()
    if VTRUN:
        screens()
        if SO:
            stolen()
        if is_newer():
            insisted(True)
            insisted(False)
    os.chdir("..")
finish()
