"""Keys in, screen out: what each of them does to a screen that stands."""
import os
import re

from live import VTRUN, Screen, until
from tap import Run, finish, ok, record, same, skip

if not VTRUN:
    skip("keys on a screen", "no libvterm")
    finish()
os.environ["HOME"] = os.path.abspath(".")
Run("--sim", "m1,seed=3,clock=step", "--csv", "k.csv", "--processes", "-n", "200")
cores = [x for x in record("--replay", "k.csv") if x["row"] == "cpu"]
LAST = {int(x["cpu"]): x for x in cores if x["sample"] == "199"}


def rows(s):
    """The CPUs of the list, in its order."""
    return [int(m.group(1)) for m in
            (re.search(r"[|│] [^0-9]{0,3}(\d+) [EP] ", x)
             for x in s.text.splitlines()) if m]


def numbers(s, column):
    """Of the table of processes."""
    lines = s.text.splitlines()
    head = [x for x in lines if "IPC" in x and " pid" in x][0]
    end = head.index(column) + len(column)
    got = []
    for line in lines[lines.index(head) + 1:]:
        m = re.search(r"([0-9.]+)$", line[:end])
        if not m or not re.search(r"^[|│ ]+[^0-9]{0,4}\d+ ", line):
            break
        got.append(float(m.group(1)))
    return got


s = Screen("--replay", "k.csv", size="120x40")
ok(s.do("wait:sample 0/199", "key:space", "wait:stopped", "key:End", "wait:sample 199/199", "key:C",
        "wait:8 of 8"), "the last frame of a recording", s.text)
by = {"up": sorted(LAST), "ipc": sorted(LAST, key=lambda c: float(LAST[c]["ipc"]))}
same(rows(s), by["up"], "cores in order of their numbers")
ok(s.do("key:r", "wait:sort: cpu↓") and rows(s) == by["up"][::-1],
   "r: the other way", rows(s))
ok(s.do("key:r", "key:s", "wait:sort by", "key:down", "key:down", "key:up",
        "key:down", "key:up", "key:enter", "gone:sort by", "wait:sort: IPC"),
   "s chooses by arrows", s.text)
ok("sort: IPC" in s.text and rows(s) == by["ipc"][::-1] and s.do("key:s", "wait:sort by", "key:up", "key:enter",
                   "gone:sort by", "wait:sort: cpu"), "  up to the first again",
   s.text)
ok(s.do("key:s", "wait:sort by", "text:I", "key:esc", "gone:sort by",
        "wait:sort: cpu") and rows(s) == by["up"],
   "Esc leaves the order as it was", s.text)

for typed, want in (("2-5", [2, 3, 4, 5]), ("0,7", [0, 7]), ("E", [0, 1, 2, 3]),
                    ("7-7", [7]), ("ipc>=0 3-4", [3, 4])):
    ok(s.do("key:/", "wait:/", "key:^U", "text:" + typed, "key:enter",
            "wait:filter: %s   %d of 8" % (typed, len(want))) and rows(s) == want,
       "/%s leaves %s" % (typed, want), s.text)
ok(s.do("key:esc", "gone:filter: ") and rows(s) == by["up"], "Esc leaves all", s.text)

# The next metric in the chart, until it comes round.
ok(s.do("key:H", "gone:─ cores ", "wait:M metric"), "H", s.text)


def title(s):
    return [x for x in s.text.splitlines() if "M metric" in x][0]


titles = [title(s)]
while len(titles) < 60 and titles[0] not in titles[1:]:
    ok(s.do("key:M") and until(lambda: s.do() and title(s) != titles[-1], 20),
       "M changes the metric", titles[-1])
    titles.append(title(s))
ok(3 < len(titles) < 60 and len(set(titles)) == len(titles) - 1,
   "M: each metric once, and round (%d)" % (len(titles) - 1), titles)

# A minute back and forth, and not beyond the ends.
for key, want in (("<", 139), ("<", 79), (">", 139), ("<", 79), ("<", 19),
                  ("<", 0), (">", 60)):
    ok(s.do("key:" + key, "wait:sample %d/199" % want), "%s: frame %d" % (key, want),
       s.text)

# A theme is tried and left.
def colours(s):
    return [x.split("|")[-1] for x in
            open("shot-%s-%d.cells" % (s.id, s.count)).read().splitlines()[1:]]


s.do("key:O", "wait:─ clusters ─", "stable:300")
before = colours(s)
ok(s.do("key:T", "wait:themes", "key:down", "key:down") and
   until(lambda: s.do() and colours(s)[-5:] != before[-5:]),
   "a theme is tried at once", s.text)
ok(s.do("key:esc", "gone:themes") and
   until(lambda: s.do() and colours(s) == before, 20),
   "Esc leaves the theme of before",
   [x for x in zip(colours(s), before) if x[0] != x[1]][:3])
ok(s.do("key:P", "wait:processes", "key:l", "wait:sort: worst IPC"),
   "processes, worst first", s.text)
ipc = numbers(s, "IPC")
ok(len(ipc) > 3 and ipc == sorted(ipc), "in order of IPC", s.text)
ok(s.do("key:l", "wait:sort: CPU%↓") and len(numbers(s, "CPU%")) > 3 and
   numbers(s, "CPU%") == sorted(numbers(s, "CPU%"))[::-1], "l: by CPU again", s.text)
ok(s.do("key:r", "wait:sort: CPU%↑") and numbers(s, "CPU%") == sorted(numbers(s, "CPU%")),
   "r: the other way", s.text)
same(s.end("key:q", "exit:0", "given-back"), "", "it ends")
finish()
