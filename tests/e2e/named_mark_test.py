"""A mark by key has the time of the key, and the name that is typed then."""
import csv
import os
import re

from live import Screen, on_terminal, so_far, until
from tap import Run, finish, ok, same

os.environ["HOME"] = os.path.abspath(".")


def rows(name, kind):
    return [x for x in csv.DictReader(open(name)) if x["row"] == kind]


def frames():
    """How many have been recorded so far."""
    return int(so_far("n.csv")[-1]["sample"]) + 1 if so_far("n.csv") else 0


s = Screen("--sim", "m1,seed=1", "-d", "100ms", "--csv", "n.csv", size="120x40")
s.do("wait:REC", "wait:IPC")
until(lambda: frames() > 2)
ok(s.do("key:m", "wait:name of marker 1 .*: _",
        "text:index v2 q3?", "wait:name of marker 1 .*: index v2 q3\\?_"),
   "a name is typed", s.p.stderr)
typed = frames()
until(lambda: frames() > typed + 4)
ok(s.do("key:enter", "wait:^ mark 1 named index v2 q3\\?",
        "wait:1 index v2 q3\\?"),
   "what is typed is its name, and no command", s.p.stderr)
ok("basic" in s.text.splitlines()[2] and "live" in s.text, "none was obeyed",
   s.text)
ok(s.do("key:m", "wait:name of marker 2 ", "text:never", "key:esc",
        "wait:^ mark 2 "), "Esc leaves it plain", s.text)
ok(s.do("key:m", "wait:name of marker 3 ", "text:cut short"), "a third one")
same(s.end("sig:TERM", "exit:143"), "",
     "is cut short by a signal")
marks = rows("n.csv", "marker")
same([x["note"] for x in marks], ["index v2 q3?", "mark 2", "mark 3"],
     "each is one row, the last one plain")
cores = {x["sample"]: x for x in rows("n.csv", "cpu")}
made = float(marks[0]["elapsed_s"])
ok(int(marks[0]["sample"]) >= typed + 4 and
   made < float(cores[str(typed)]["elapsed_s"]),
   "its time is that of the key, before the typing", (made, marks[0], typed))
after = [x for x in cores.values() if float(x["elapsed_s"]) > made]

# Found again: by its time, not by the place of its row.
r = Run("summary", "n.csv", "--mark", "index v2 q3?..")
same(re.search(r"(\d+) samples", r.out).group(1), str(len(after)),
     "a summary from it on has the frames from the key on")
same(Run("summary", "n.csv", "--mark", "1..").out, r.out,
     "its number says the same")
r = Run("summary", "n.csv", "--mark", "nothing..")
ok(r.code == 2 and "1 'index v2 q3?', 2 'mark 2'" in r.err,
   "and a wrong one is told those that there are", r.err)
at = len(cores) - len(after)
s = Screen("--replay", "n.csv", "--speed", "0.1", size="120x40")
ok(s.do("wait:sample 0/", "key:n", "wait:mark 1: index v2 q3\\?",
        "key:esc", "wait:sample %d/" % (at - 1), "key:right", "key:right",
        "wait:1 index v2 q3\\?"), "in a replay n finds it there", s.text)
ok(s.do("key:n", "wait:mark 2 "), "and then the next")
same(s.end("key:q", "exit:0", "given-back"), "", "it ends")

# All keys are typed at once: as a rule before there is a sample to mark.
p = on_terminal(["-o", "early"], ["key:m", "text:deploy", "key:enter", "key:q",
                                  "exit:0"],
                ["--sim", "m1,seed=1", "--csv", "early.csv"])
ok(p.returncode == 0 and
   ("named deploy is not saved: ktop ended before the first sample"
    in open("early.txt").read() or rows("early.csv", "marker")),
   "a marker before the first sample is saved, or ktop says that it is not",
   p.stderr)
finish()
