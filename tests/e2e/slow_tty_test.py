"""A terminal that nobody reads stops neither sampling nor recording."""
import re
import subprocess

from live import VTRUN, Screen, on_terminal, so_far, until
from tap import KTOP, Run, finish, ok, same, skip

def frames(path):
    """(frame, row) of every frame, once."""
    return [(int(x["sample"]), x["row"]) for x in so_far(path)
            if x["row"] not in ("cpu", "power") or x["cpu"] == "0"]


def more(path, n):
    """Waits for n frames more."""
    before = len(frames(path))
    return until(lambda: len(frames(path)) >= before + n)


def blocked():
    ktop = Screen("--sim", "m3ultra,seed=1", "-d", "50ms", "--csv",
                  "slow.csv", size="200x60")
    ktop.do("wait:live", "block")
    ok(more("slow.csv", 35), "frames go on while nobody reads")
    ok(ktop.do("unblock", "stable:20") and " live " in ktop.text,
       "a blocked terminal goes on when it is read again", ktop.text)
    skipped = None
    for _ in range(10):  # one of the views tells all
        skipped = re.search(r"(\d+) refreshes skipped", ktop.text)
        if skipped or not ktop.do("key:tab", "stable:20"):
            break
    ok(skipped and int(skipped.group(1)) >= 5,
       "refreshes that found no room are counted", ktop.text)
    same(ktop.end("key:q", "exit:0", "given-back"), "",
         "and the terminal is given back")
    rows = frames("slow.csv")
    same([n for n, _ in rows], list(range(len(rows))),
         "no frame is missing")
    same({kind for _, kind in rows}, {"cpu"}, "none was lost or marked")


def catches_up():
    """Nothing moves any more, so that no later frame makes it good."""
    Run("--sim", "m3ultra,seed=1,clock=step", "--csv", "still.csv", "-n", "30")
    ktop = Screen("--replay", "still.csv", size="80x24")
    ok(ktop.do("wait:sample 0/", "key:space", "wait:stopped", "block",
               "resize:200x60", *["key:^L", "sleep:50"] * 15, "key:tab",
               "sleep:50") and
       ktop.do("unblock", "stable:200"), "keys while nobody reads", ktop.text)
    late = ktop.text
    ok(ktop.do("key:^L", "stable:200"), "the screen is drawn from nothing")
    # The last line tells the time, and the header what ktop costs.
    same([x for x in late.split("\n")[2:-2]],
         [x for x in ktop.text.split("\n")[2:-2]],
         "what found no room is shown when there is room again")
    same(ktop.end("key:q", "exit:0", "given-back"), "", "and it leaves")


def from_the_start():
    """Nobody ever reads: it still records, and still ends."""
    p = subprocess.Popen(
        [VTRUN, "-B", "-s", "200x60", "-f", "/dev/stdin", "--", KTOP, "--sim",
         "m3ultra,seed=1", "-d", "50ms", "--csv", "never.csv"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE)
    ok(more("never.csv", 20), "where nobody ever reads it records")
    err = p.communicate(b"alive\nsig:TERM\nexit:143\n")[1].decode()
    same((p.returncode, err[:300]), (143, ""),
         "and SIGTERM ends it all the same")


def few_bytes():
    """Bytes of a sample: a longer run less a shorter one, on the stepped clock."""
    def sent(n):
        r = on_terminal(["-s", "120x40"], ["exit:0", "bytes"],
                        ["--sim", "m1,seed=1,clock=step", "-n", str(n)])
        return int((r.stdout.split() or [0])[0])
    each = (sent(25) - sent(5)) / 20
    ok(1000 < each <= 4000, "a sample sends at most 4000 bytes", each)


if VTRUN:
    few_bytes()
    blocked()
    catches_up()
    from_the_start()
else:
    skip("slow terminals", "no VTRUN")
finish()
