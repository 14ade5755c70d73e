"""Keys that answer where they can do nothing, and words that are not cut."""
import os
import re
import time

from live import Screen, until
from tap import Run, finish, ok, same, table

RECORDED = "events cannot be changed"
# ktop mark is to find the ktops of this test alone.
os.environ["HOME"] = os.path.abspath(".")

Run("--sim", "m1,seed=1,clock=step", "--csv", "rec.csv", "-n", "60")


def replay(*args, **how):
    return Screen("--replay", "rec.csv", *args, **how)


# The first frame stands for ten seconds, for a machine with other things to do.
SLOW = ("--speed", "0.1")

# The end of a recording: nothing ends ktop but q.
for key in ("i", "e", "1"):
    s = replay(*SLOW)
    ok(s.do("wait:frame 0/59", "key:End", "wait:frame 59/59", "key:" + key,
            "wait:" + RECORDED, "alive"),
       "%s at the end of a recording says why not" % key, s.p.stderr)
    same(s.end("key:left", "wait:frame 58/59", "key:q", "exit:0",
               "given-back"), "", "and one goes on from there (%s)" % key)

s = replay(*SLOW)
ok(s.do("wait:frame 0/59", "key:space", "wait:stopped", "key:i",
        "wait:" + RECORDED, "key:esc", "wait:frame 0/59 stopped", "text:0R",
        "wait:" + RECORDED, "key:esc", "wait:frame 0/59 stopped"),
   "i and R leave a stopped recording where it is", s.p.stderr)
same(s.end("key:End", "wait:59/59", "key:^Z", "stopped", "fg",
           "wait:frame 59/59", "key:left", "wait:frame 58/59",
           "sleep:300", "wait:frame 58/59 stopped", "key:q", "exit:0",
           "given-back"),
     "", "^Z at the end of a recording comes back to it")


def moment(*actions):
    """The frame that is shown after these, or none, and when."""
    s.do(*actions)
    got = re.search(r"frame (\d+)/59", s.text)
    return int(got.group(1)) if got else -1, time.monotonic()


s = replay()
frame, t0 = moment("wait:frame [0-9]+/59")
t1 = moment("key:^Z", "stopped")[1]
t2 = moment("sleep:4500")[1]
again, t3 = moment("fg", "wait:frame [0-9]+/59", "sleep:600")
# The first one may have been about to be the next.
ok(0 <= frame <= again <= frame + (t1 - t0) + (t3 - t2) + 1,
   "time spent stopped is not made up for", (frame, again, t1 - t0, t3 - t2))
s.end("key:q", "exit:0")
s = replay("--speed", "1000", "-n", "5", "--hold")
same(s.do("wait:ENDED", "key:^Z", "stopped", "fg", "wait:ENDED", "alive",
          "key:i", "wait:no more frames come") and
     s.end("key:q", "exit:0", "given-back"), "", "nor does a held one end")
for view in "overview", "processes":
    s = Screen("--sim", "m1,clock=step", "-n", "3", "--hold", "--view", view)
    same(s.do("wait:ENDED", "key:c", "wait:no more frames come; q leaves") and
         s.end("key:q", "exit:0", "given-back"), "",
         "c says that a held simulation has nothing to record: " + view)
s = replay(*SLOW)
ok(s.do("wait:frame 0/59", "key:space", "wait:stopped", "key:e",
        "wait:" + RECORDED, "key:+", "wait:its own intervals", "key:i",
        "wait:" + RECORDED, "key:-", "wait:its own intervals", "key:0",
        "wait:" + RECORDED, "gone:no event of it", "key:esc"),
   "nor do e i + - 0 fall silent")
s.end("key:q", "exit:0")

# What it covers, of what there is; --from counts the same way.
s = replay(*SLOW)
ok(s.do("wait:^ 0:01/1:00 frame 0/59", "key:End", "wait:1:00/1:00 frame 59/59",
        "text::10s\\n", "wait:0:10/1:00 frame 9/59", "text::0s\\n",
        "wait:frame 0/59", "text::1:00\\n", "wait:frame 59/59"),
   "a minute of recording is 1:00", s.p.stderr)
s.end("key:q", "exit:0")

# Recording a recording, twice from the same moment.
s = replay(*SLOW, size="100x30")
ok(s.do("wait:frame 0/59", "key:c", "wait:recording to", "key:End",
        "wait:59/59", "key:i", "wait:" + RECORDED, "alive", "wait:REC"),
   "a recording of a recording goes on at its end", s.p.stderr)
ok(s.do("key:c", "wait:recorded", "key:home", "wait:frame 0/59", "key:space",
        "wait:stopped", "key:c", "wait:recording to ktop-20260101-000001",
        "key:c", "wait:recorded", "key:c",
        "wait:recording to ktop-20260101-000001-[23].csv", "gone:exists"),
   "a second one of the same moment has a name of its own", s.text)
s.end("key:c", "wait:recorded", "key:q", "exit:0")

# Marks are of a recording.
SIM = ("--sim", "m1,seed=1")
s = Screen(*SIM)
ok(s.do("wait:IPC", "key:m", "wait:mark 1; its name", "key:enter",
        "wait:mark 1 is in the charts only: nothing is recorded; c starts"),
   "m without a recording says so", s.p.stderr)
first = s.do("key:c", "wait:REC", "key:m", "wait:mark 1; its name",
             "key:enter", "wait:^ mark 1 ", "text:m2q", "wait:mark 2; its name: 2q_",
             "key:esc", "wait:^ mark 2 ", "key:c", "wait:recorded", "gone:REC")
names = set(x for x in os.listdir(".") if re.match(r"ktop-\d+-\d+\.csv", x))
ok(first, "the first mark of a recording is mark 1", s.text)
r = Run("mark", "outside")
ok(r.code == 1 and "recording" in r.err,
   "where the recording is over, ktop mark says so", r.err)
ok(s.do("sleep:1100", "key:m", "key:enter", "wait:nothing is recorded",
        "key:c", "wait:REC", "key:m", "wait:mark 1; its name", "key:enter",
        "wait:^ mark 1 "), "and of the next one, too")
same(s.end("key:c", "wait:recorded", "key:q", "exit:0"), "", "it ends")

# Where q is typed, the last line does not say that it quits.
s = Screen(*SIM)
ok(s.do("wait:q quit", "key:e", "wait:choose events", "gone:q quit",
        "wait:^ Enter count  Esc close  space choose") and
   s.do("key:tab", "wait:keep as", "gone:q quit", "key:esc", "gone:keep as",
        "key:esc", "wait:q quit", "key:d", "wait:interval", "gone:q quit", "key:esc",
        "wait:q quit"), "the picker's keys are in the last line", s.text)
s.end("key:q", "exit:0")

# What is saved where, whole, also where the path is long.
folder = os.path.join(os.path.abspath("."), "a-folder-of-a-long-name",
                      "and-another-in-it")
os.makedirs(folder)
os.environ["XDG_CONFIG_HOME"] = folder
for size in ("80x24", "100x30"):
    s = Screen(*SIM, size=size)
    ok(s.do("wait:IPC", "key:H", "wait:M metric", "key:W",
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
for name in ("history", "chart"):
    same(Run("--view", name, "--version").code, 0, "--view " + name)

# Keys that come together count each.
s = Screen(*SIM, "-d", "500ms")
ok(s.do("wait:500 ms", "text:++", "wait: 2.0 s ", "text:---", "wait:200 ms"),
   "two + at once are two steps, and three - three", s.text)
s.end("key:q", "exit:0")

# Short frames, gone back in.
s = Screen("--sim", "m1,seed=1,clock=step", "-d", "200ms", "-n", "20",
           "--hold", size="120x40")
ok(s.do("wait:ENDED", "key:space", "wait:PAUSED", "key:left",
        "key:left", "wait:PAUSED -0:00.4"), "two short frames back are a part of a second",
   s.p.stderr)
s.end("key:q", "exit:0")

# All keys, each once.
keys = [tuple(x) for x in table("keys")]
for key in ("n", "N", ":", "space", "<", ">"):
    ok(any(k == key and text.startswith("in a replay") for k, text in keys),
       "there is a key %s of a replay" % key)
ok(any(text.startswith("in the picker") for k, text in keys),
   "and those of the picker")
same(sorted(keys), sorted(set(keys)), "no row is there twice")
plain = [k for k, text in keys if not text.startswith("in ")]
same(sorted(plain), sorted(set(plain)), "nor a key")
ok(not any("this page" in text for k, text in keys), "none is of a page")
ok(not any(re.search(r"\bsets?\b(?! of events)", text) for k, text in keys),
   "presets are called presets", keys)
# ---- keys that moved ------------------------------------------------------
s = Screen("--sim", "m1,seed=1,fault=steal@1s", "-d", "200ms", size="120x40")
# The thief comes back within half a second: again, until one frame is whole.
ok(s.do("wait:STOLEN") and until(
    lambda: s.do("key:1", "sleep:300") and "OK 8/8" in s.text.split("\n")[0]) and
   "sim FULL" in s.text and "STOLEN" not in s.text,
   "the key of the preset in force takes stolen counters back", s.text)
ok(s.do("text:0", "wait:R rotate", "text:R", "wait:ROTATE", "gone:what to count",
        "text:0R", "gone:ROTATE"), "R in the list of presets rotates", s.text)
s.end("key:q", "exit:0", "given-back")

# ---- keys that had no answer ----------------------------------------------
# The worst row is always the same one: P waits for memory.
s = Screen("--sim", "m1,seed=1,work=P:memory", "-d", "200ms", "--csv",
           "left.csv", size="120x40")
ok(s.do("wait:▸ P .* 4 caches ", "text: ", "wait:PAUSED",
        "wait:▸ P .* 4 caches "), "the overview says where most is lost",
   s.text)
ok(s.do("key:enter", "gone:where cycles", "wait:^┌─ cluster P "),
   "Enter in the overview opens where most is lost", s.text)
ok(s.do("key:enter", "wait:Enter again counts l1d"),
   "and there says what tables more", s.text)
ok(s.do("key:enter", "wait:counted from now on: l1d; Space"),
   "which it counts when pressed again", s.text)
ok(s.do("text: ", "wait:LIVE"), "and it goes on", s.text)
ok(s.do("key:esc", "wait:where cycles"), "Esc goes back", s.text)
ok(s.do("text: ", "wait:PAUSED", "text:5",
        "wait:counted from now on: dtlb; Space", "text: ", "wait:LIVE",
        "gone:counted from now on"),
   "paused, a preset's key says what is counted from now on", s.p.stderr)
ok(s.end("key:q", "wait:ktop: left.csv: [0-9]+ frames? recorded", "exit:0",
         "given-back") == "",
   "leaving tables the recording's file and frames", s.p.stderr)
finish()
