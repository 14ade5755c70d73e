"""A terminal that nobody reads stops neither sampling nor recording."""
import csv
import re
import subprocess

from live import VTRUN, Screen
from tap import KTOP, finish, ok, same, skip

PERIOD_S = 0.05


def frames(path):
    """(frame, elapsed) of every frame, once."""
    with open(path) as f:
        return [(int(x["frame"]), float(x["elapsed_s"]), x["row"])
                for x in csv.DictReader(f)
                if x["row"] != "core" or x["cpu"] == "0"]


def blocked():
    ktop = Screen("--sim", "m3ultra,seed=1", "-d", "50ms", "--csv",
                  "slow.csv", size="200x60")
    ok(ktop.do("wait:sim FULL", "block", "sleep:2000", "unblock",
               "sleep:200") and "sim FULL" in ktop.text,
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
    same([n for n, _, _ in rows], list(range(len(rows))),
         "no frame is missing")
    ok(len(rows) >= 35, "%d frames went on" % len(rows))
    same({kind for _, _, kind in rows}, {"core"}, "none was lost or marked")
    late = [b - a for (_, a, _), (_, b, _) in zip(rows, rows[1:])
            if b - a > 10 * PERIOD_S]
    ok(not late, "none waited for the terminal", late)


def from_the_start():
    """Nobody ever reads: it still records, and still ends."""
    p = subprocess.run(
        [VTRUN, "-B", "-s", "200x60", "sleep:1000", "alive", "sig:TERM",
         "exit:143", "--", KTOP, "--sim", "m3ultra,seed=1", "-d", "50ms",
         "--csv", "never.csv"], stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    same((p.returncode, p.stderr.decode()[:300]), (143, ""),
         "where nobody ever reads, SIGTERM ends it all the same")
    ok(len(frames("never.csv")) >= 10, "after recording")


def few_bytes():
    """What a tick may send: at most five of them fall into the time."""
    p = subprocess.run(
        [VTRUN, "-s", "120x40", "wait:sim FULL", "sleep:1500", "mark",
         "sleep:4100", "bytes:5500", "kill", "--", KTOP, "--sim",
         "m1,seed=1", "-d", "1"], stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    same((p.returncode, p.stderr.decode()[:200]), (0, ""),
         "a tick of eight busy cores sends at most 1100 bytes")


if VTRUN:
    few_bytes()
    blocked()
    from_the_start()
else:
    skip("slow terminals", "no VTRUN")
finish()
