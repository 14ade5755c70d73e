"""Marks from outside: ktop mark, SIGUSR1, and who may not."""
import csv
import datetime
import errno
import json
import os
import resource
import signal
import stat
import subprocess
import time

from live import so_far, until
from tap import KTOP, Run, finish, ok, same

STATE = os.path.abspath("marks-state")
ENV = dict(os.environ, XDG_STATE_HOME=STATE, HOME=STATE)
FOLDER = os.path.join(STATE, "ktop")


def start(name, *more):
    p = subprocess.Popen([KTOP, "--sim", "m1", "-d", "50ms", "--csv", name] +
                         list(more), stdin=subprocess.DEVNULL,
                         stderr=subprocess.PIPE, env=ENV)
    until(lambda: os.path.exists(name) and
          open(name).read().count("\n") > 20)
    return p


def notes(name):
    return [x["note"] for x in so_far(name) if x["row"] == "marker"]


def mark(*words, env=ENV):
    return Run("mark", *words, env=env)


r = mark("nobody")
ok(r.code == 1 and "no ktop of this user is recording; start one with "
   "--csv FILE or key c" in r.err, "without a ktop there is no mark", r.err)
p = start("m.csv")
run = os.path.join(FOLDER, "%d.run" % p.pid)
same(stat.S_IMODE(os.stat(run).st_mode), 0o600, "its file is the user's own")
same(stat.S_IMODE(os.stat(FOLDER).st_mode), 0o700, "and so is the folder")
same(mark("after", "the", "patch").code, 0, "a mark of several words")
mark('=1+2, "quoted"\x1b[31m\x07 \u00e9')
mark("x" * 300)
bytes_ = subprocess.run([KTOP, "mark", b"a\xffb"], env=ENV)
same(bytes_.returncode, 0, "bytes that are no text")
p.send_signal(signal.SIGUSR1)
until(lambda: len(notes("m.csv")) == 5)
got = notes("m.csv")
same(got[0], "after the patch", "the text is the note")
same(got[1], '\'=1+2, "quoted"[31m \u00e9',
     "without control characters, and no formula in a spreadsheet")
same(got[2], "x" * 119, "of a bounded length")
same(got[3], "a\ufffdb", "and always text")
same(got[4], "mark 5", "SIGUSR1 alone is numbered, as --mark counts")
ok(all(None not in x and None not in x.values() for x in so_far("m.csv")),
   "the rows are whole")
same(mark("").code, 2, "an empty mark is usage")


def no_file_grows():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


r = Run("mark", "x", env=ENV, preexec_fn=no_file_grows)
ok(r.code == 1 and "cannot write %s/" % FOLDER in r.err and
   os.strerror(errno.EFBIG) in r.err and
   not [x for x in os.listdir(FOLDER) if x.endswith(".new")],
   "a text that cannot be written is no mark that waits", r.err)
many = [subprocess.Popen([KTOP, "mark", "n%d" % i], env=ENV)
        for i in range(8)]
same([x.wait(timeout=90) for x in many], [0] * 8, "several at once")
same(sorted(notes("m.csv")[5:]), ["n%d" % i for i in range(8)],
     "and none gets lost")

# A file that another could write is not believed.
os.chmod(FOLDER, 0o700)
text = os.path.join(FOLDER, "%d.mark" % p.pid)
open(text, "w").write("not mine")
os.chmod(text, 0o666)
p.send_signal(signal.SIGUSR1)
until(lambda: len(notes("m.csv")) == 14)
same(notes("m.csv")[13], "mark 14", "a text that others may write is not read")
os.symlink("/etc/hostname", text)
p.send_signal(signal.SIGUSR1)
until(lambda: len(notes("m.csv")) == 15)
same(notes("m.csv")[14], "mark 15", "nor is a link followed")

# Another process that only looks like one is left alone.
q = subprocess.Popen(["sleep", "60"])
open(os.path.join(FOLDER, "%d.run" % q.pid), "w").write("ktop %d\n" % q.pid)
same(mark("real").code, 0, "a stale file is no ktop")
same(q.poll(), None, "and its process lives on")
ok(not os.path.exists(os.path.join(FOLDER, "%d.run" % q.pid)),
   "the stale file is cleared away")
q.kill()
q.wait()
p.send_signal(signal.SIGTERM)
p.wait(timeout=90)
same(os.listdir(FOLDER), [], "nothing stays behind")

# ---- a mark has its own time, not that of the frame before it -------------
def wall():
    """How far the clock on the wall is ahead of the one that nobody sets."""
    return time.time() - time.monotonic()


as_before = wall()
p = subprocess.Popen([KTOP, "--sim", "m1", "-d", "2s", "--csv", "t.csv"],
                     stdin=subprocess.DEVNULL, env=ENV)
until(lambda: os.path.exists("t.csv") and open("t.csv").read().count("\n") > 8)
spans = []
for i in range(3):
    before = time.time()
    same(mark("t%d" % i).code, 0, "a mark between two frames")
    spans.append((before, time.time()))
p.send_signal(signal.SIGTERM)
p.wait(timeout=90)


def seconds(text):
    t = datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ")
    return t.replace(tzinfo=datetime.timezone.utc).timestamp()


rows = list(csv.DictReader(open("t.csv")))
marks = [x for x in rows if x["row"] == "marker"]
same([x["note"] for x in marks], ["t0", "t1", "t2"], "all of them")
set_by = abs(wall() - as_before)  # meanwhile, by whoever keeps it right
ok(all(a - 0.002 - set_by <= seconds(x["time"]) <= b + set_by
       for x, (a, b) in zip(marks, spans)), "each has the time it was made at",
   [(seconds(x["time"]), s) for x, s in zip(marks, spans)])
frame = {x["sample"]: x for x in rows if x["row"] == "cpu"}
late = [(seconds(x["time"]) - seconds(frame[x["sample"]]["time"]),
         float(x["elapsed_s"]) - float(frame[x["sample"]]["elapsed_s"]))
        for x in marks]
ok(all(b > 0 and abs(a - b) < 0.1 + set_by for a, b in late),
   "and elapsed_s too, behind the frame that it names", late)
back = Run("--replay", "t.csv", "--csv", "-")
again = [x for x in csv.DictReader(back.out.splitlines())
         if x["row"] == "marker"]
same([(x["time"], x["elapsed_s"], x["sample"]) for x in again],
     [(x["time"], x["elapsed_s"], x["sample"]) for x in marks],
     "which a replay keeps")

# ---- what a spreadsheet would evaluate comes back as it was ---------------
words = ["=1+1", "+2", "-3", "@x", "'=4", "''@", "'plain'", "5"]
lines = open("t.csv").read().split("\n")
at = max(i for i, x in enumerate(lines) if ",t2," in x)
old = [lines[at].replace(",t2,", ',"%s",' % x) for x in words[:4]]
open("f.csv", "w").write("\n".join(lines[:at] + old + [""]))
r = Run("--replay", "f.csv", "--csv", "g.csv", "--json", "g.json")
same(notes("g.csv")[2:], ["'" + x for x in words[:4]],
     "what an older ktop wrote is read as it is, and made safe")
same([json.loads(x)["note"] for x in open("g.json")
      if '"row":"marker"' in x][2:], words[:4], "not in JSON, where it is text")
new = [lines[at].replace(",t2,", "," + x + ",") for x in
       ["'=1+1", "'+2", "'-3", "'@x", "''=4", "'''@", "'plain'", "5"]]
open("f.csv", "w").write("\n".join(lines[:at] + new + [""]))
r = Run("--replay", "f.csv", "--csv", "h.csv", "--json", "h.json")
same([json.loads(x)["note"] for x in open("h.json")
      if '"row":"marker"' in x][2:], words, "one apostrophe is taken off")
same(notes("h.csv")[2:], [x["note"] for x in csv.DictReader(open("f.csv"))
                          if x["row"] == "marker"][2:], "and comes back")
p = start("k.csv")
p.kill()
p.wait()
same(mark("late").code, 1, "a killed one takes no marks")
finish()
