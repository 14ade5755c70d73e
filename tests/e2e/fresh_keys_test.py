"""Keys that answer where they can do nothing, and words that are not cut."""
import os
import re
import time

from live import Screen, until
from tap import Run, finish, ok, same, table

# ktop mark is to find the ktops of this test alone.
os.environ["HOME"] = os.path.abspath(".")

Run("--sim", "m1,seed=1,clock=step", "--csv", "rec.csv", "-n", "60")


def moment(*actions):
    """The frame that is shown after these, or none, and when."""
    s.do(*actions)
    got = re.search(r"sample (\d+)/59", s.text)
    return int(got.group(1)) if got else -1, time.monotonic()


s = Screen("--replay", "rec.csv")
frame, t0 = moment("wait:sample [0-9]+/59")
t1 = moment("key:^Z", "stopped")[1]
t2 = moment("sleep:4500")[1]
again, t3 = moment("fg", "wait:sample [0-9]+/59", "sleep:600")
# The first one may have been about to be the next.
ok(0 <= frame <= again <= frame + (t1 - t0) + (t3 - t2) + 1,
   "time spent stopped is not made up for", (frame, again, t1 - t0, t3 - t2))
s.end("key:q", "exit:0")
# Marks are of a recording.
SIM = ("--sim", "m1,seed=1")
s = Screen(*SIM)
ok(s.do("wait:IPC", "key:m", "wait:name of marker 1 ", "key:enter",
        "wait:mark 1 is not saved: no recording is running; c starts"),
   "m without a recording says so", s.p.stderr)
first = s.do("key:c", "wait:REC", "key:m", "wait:name of marker 1 ",
             "key:enter", "wait:^ mark 1 ", "text:m2q", "wait:name of marker 2 .*: 2q_",
             "key:esc", "wait:^ mark 2 ", "key:c", "wait:recorded", "gone:REC")
names = set(x for x in os.listdir(".") if re.match(r"ktop-\d+-\d+\.csv", x))
ok(first, "the first mark of a recording is mark 1", s.text)
r = Run("mark", "outside")
ok(r.code == 1 and "recording" in r.err,
   "where the recording is over, ktop mark says so", r.err)
ok(s.do("sleep:1100", "key:m", "key:enter", "wait:no recording is running",
        "key:c", "wait:REC", "key:m", "wait:name of marker 1 ", "key:enter",
        "wait:^ mark 1 "), "and of the next one, too")
same(s.end("key:c", "wait:recorded", "key:q", "exit:0"), "", "it ends")

# What is saved where, whole, also where the path is long.
folder = os.path.join(os.path.abspath("."), "a-folder-of-a-long-name",
                      "and-another-in-it")
os.makedirs(folder)
os.environ["XDG_CONFIG_HOME"] = folder
for size in ("80x24", "100x30"):
    s = Screen(*SIM, size=size)
    ok(s.do("wait:IPC", "key:H", "wait:M metric", "key:w",
            "wait:saved in", "wait:group and pin"), "W answers at " + size)
    shown = "".join(x.strip() for x in s.text.splitlines()[-4:])
    ok(folder.replace(" ", "") + "/ktop/ktoprc" in shown,
       "W says the whole path at " + size, s.text)
    s.end("key:q", "exit:0")
ok("view = history" in open(folder + "/ktop/ktoprc").read(),
   "the view is saved by the name that the screen has")
s = Screen(*SIM)
ok(s.do("wait:M metric"), "and read by it")
s.end("key:q", "exit:0")
del os.environ["XDG_CONFIG_HOME"]
# All keys, each once.
keys = [tuple(x) for x in table("keys")]
for key in ("n", "N", ":", "space", "<", ">"):
    ok(any(k == key and text.startswith("in a replay") for k, text in keys),
       "there is a key %s of a replay" % key)
ok(any(text.startswith("in the event picker") for k, text in keys),
   "and those of the picker")
same(sorted(keys), sorted(set(keys)), "no row is there twice")
plain = [k for k, text in keys if not text.startswith("in ")]
same(sorted(plain), sorted(set(plain)), "nor a key")
ok(not any("this page" in text for k, text in keys), "none is of a page")
ok(not any(re.search(r"\bsets?\b(?! of events| a marker)", text) for k, text in keys),
   "presets are called presets", keys)
# ---- keys that moved ------------------------------------------------------
s = Screen("--sim", "m1,seed=1,fault=steal@1s", "-d", "200ms", size="120x40")
# The thief comes back within half a second: again, until one frame is whole.
ok(s.do("wait:TAKEN OVER") and until(
    lambda: s.do("key:1", "sleep:300") and re.search(r" live .* SIM *$", s.text.split("\n")[0])),
   "the key of the preset in force takes stolen counters back", s.text)
s.end("key:q", "exit:0", "given-back")

finish()
