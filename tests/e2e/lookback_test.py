"""Looking back while the view is frozen, and what the list of cores can."""
import csv
import re

from live import VTRUN, Screen, until
from tap import Run, finish, ok, same

PERIOD = "--delay=100ms"
BACK = 7


def cores(text):
    """{cpu: (IPC, busy%)} of the rows of cores, as on the screen."""
    row = re.compile(r"^ *p? *(\d+) [EP]\d? .*? .?(\d+\.\d\d|-) [^ \d]\S* +~?(\d+) ",
                     re.M)
    return {int(c): (ipc, busy) for c, ipc, busy in row.findall(text)}


def words(text):
    """{cpu: bottleneck} of the same rows."""
    row = re.compile(r"^ *p? *(\d+) [EP]\d? +([a-z-]+) ", re.M)
    return {int(c): w for c, w in row.findall(text)}


def recorded_words(path):
    frames = {}
    for r in csv.DictReader(open(path)):
        if r["row"] == "cpu":
            word = r["bottleneck"]
            frames.setdefault(int(r["sample"]), {})[int(r["cpu"])] = word
    return [frames[i] for i in sorted(frames)]


def recorded(path):
    """[{cpu: (IPC, busy%)}] of each frame, as the screen would say it."""
    frames = {}
    for r in csv.DictReader(open(path)):
        if r["row"] != "cpu" or r["busy_pct"] is None:
            continue
        ipc = "%.2f" % float(r["ipc"]) if r["ipc"] and \
            r["bottleneck"] not in ("idle", "off") else "-"
        frames.setdefault(int(r["sample"]), {})[int(r["cpu"])] = (
            ipc, "%.0f" % float(r["busy_pct"] or 0))
    return [frames[i] for i in sorted(frames)]


def like(a, b):
    """The same but for the last digit: halves are rounded in two ways."""
    def near(x, y, by):
        if x == "-" or y == "-":
            return x == y
        return abs(float(x) - float(y)) <= by
    return set(a) == set(b) and all(
        near(a[c][0], b[c][0], 0.011) and near(a[c][1], b[c][1], 1.01)
        for c in a)


if not VTRUN:
    finish()
s = Screen("--sim", "m1,seed=5", PERIOD, "--csv", "out.csv")
ok(s.do("wait:live"), "a screen, recorded")
ok(until(lambda: len(recorded("out.csv")) > 8), "for a while")
s.do("key:2", "wait:2 topdown", "wait:retire")
n = len(recorded("out.csv"))
ok(until(lambda: len(recorded("out.csv")) > n + BACK + 3) and
   s.do("text: ", "wait:PAUSED"), "the view is frozen")
now = cores(s.text)
same(len(now), 8, "all cores are read from the screen")
s.do(*["key:left"] * BACK + ["wait:PAUSED -", "stable:100"])
then, said = cores(s.text), words(s.text)
head = s.text.split("\n")[0]
ok(re.search(r"PAUSED -\d+:\d\d", head), "the first line says how far back", head)
s.do("key:left")
s.do(*["key:,"] * 3 + ["wait: oldest ", "stable:100"])
first, oldest = cores(s.text), s.text
s.do("text:.....", "gone:PAUSED -", "stable:100")
again = cores(s.text)
ok("-0:" not in s.text.split("\n")[0], "and forth again to the pause")
s.do("key:home", "wait:PAUSED -", "stable:100")
ok(like(cores(s.text), first), "Home is the oldest frame", s.text)
ok(" oldest " in s.text.split("\n")[0], "which the first line says",
   s.text.split("\n")[0])
s.do("key:right", "gone: oldest ", "stable:100")
ok("PAUSED -" in s.text.split("\n")[0], "the second is not the newest")
ok(" oldest " not in s.text.split("\n")[0], "nor the oldest")
ok(s.do("key:end", "gone:PAUSED -") and like(cores(s.text), now),
   "End is that of the pause", s.text)
ok(s.do("key:?", "wait:help", "key:end", "key:home", "wait:page 1 of",
        "key:esc", "gone:page 1 of") and
   "PAUSED -" not in s.text.split("\n")[0],
   "what lies over the screen has its own Home")
wrong = s.end("key:q", "exit:0", "given-back")
same(wrong, "", "it leaves well")
frames = recorded("out.csv")
at = [i for i, f in enumerate(frames) if like(now, f)]
ok(at, "the frozen frame is in the recording", now)
if at:
    ok(any(like(then, frames[i - BACK]) for i in at if i >= BACK),
       "%d frames back is that frame, IPC and busy%%" % BACK, then)
    spoken = recorded_words("out.csv")
    ok(len(said) == 8 and any(said == spoken[i - BACK] for i in at if i >= BACK),
       "with the bottlenecks of then", said)
same(again, now, "the frame of the pause comes back")
ok(like(first, frames[0]) or like(first, frames[1]),
   "and a minute back ends at the first", "%s\n%s" % (first, oldest))
ok("1 basic" in oldest and "stall" in oldest,
   "with the set that was in force then")

# A mark belongs to the moment that is shown, also of keys not drawn yet.
s = Screen("--sim", "m1,seed=5", PERIOD, "--csv", "marked.csv")
ok(s.do("wait:live") and until(lambda: len(recorded("marked.csv")) > BACK + 3)
   and s.do("key:m", "key:enter", "wait:^ mark 1 ", "text: ", "wait:PAUSED"),
   "a mark of now, and the view is frozen", s.text)
s.do(*["key:left"] * BACK + ["key:m", "wait:name of marker 2 ", "text:slow",
                             "key:enter", "wait:mark 2 named slow"])
then = cores(s.text)
ok(s.do("key:H", "wait:2 slow│"), "it is drawn there", s.text)
same(s.end("key:q", "exit:0", "given-back"), "", "it leaves well")
rows = list(csv.DictReader(open("marked.csv")))
marks = [r for r in rows if r["row"] == "marker"]
ends = [r["elapsed_s"] for r in rows if r["row"] == "cpu" and r["cpu"] == "0"]
same([r["note"] for r in marks], ["mark 1", "slow"], "both are recorded")
ok(marks[1]["elapsed_s"] in ends, "the second with the time of a frame", marks)
at = ends.index(marks[1]["elapsed_s"])
ok(like(then, recorded("marked.csv")[at]), "of the one that was shown", then)
ok(at + BACK <= int(marks[1]["sample"]), "which was far back", (at, marks))
ok("%d samples" % (len(ends) - at - 1) in
   Run("summary", "marked.csv", "--mark", "2..").out, "a summary begins there")
s = Screen("--replay", "marked.csv", "--speed", "0.1")
ok(s.do("wait:sample 0/", "text:n", "wait:mark 2: slow", "key:esc",
        "wait:sample %d/" % at, "text:n", "wait:^ mark 1 "),
   "and a replay goes there, by the same numbers", s.text)
s.end("key:q", "exit:0")

# The mouse: presets and views by what is written of them.
s = Screen("--sim", "m1,seed=1", "--mouse", size="200x60")
ok(s.do("wait:live", "mouse:12,2", "wait:retire", "wait:C cores"),
   "a click on a preset counts it")
views = s.text.split("\n")[1]
ok(s.do("mouse:%d,1" % views.index("C cores"), "gone:clusters"),
   "a click on a view goes there")
last = s.text.split("\n")[59]
ok(s.do("mouse:%d,59" % last.index("space pause"), "wait:PAUSED"),
   "and on a key does what it does")
last = s.text.split("\n")[59]
ok("space resume" in last, "which says how to go on", last)
same(s.end("mouse:%d,59" % last.index("q quit"), "exit:0", "given-back"), "",
     "also the last one")
finish()
