"""CPUs that come on line, or are new, while ktop runs: a recorded machine whose
files change as a kernel changes them (--root), on screen and in every output."""
import json
import os
import platform
import signal
import subprocess

from live import Screen, so_far as rows, start, until
from tap import Run, finish, ok, same, skip, unpack_tree

if platform.system() != "Linux":
    skip("CPUs that come and go", "Linux only")
    finish()

TREE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data",
                    "sysfs", "alderlake-12900k.tree")


def write(path, text):
    """In place: the kernel's files keep their inode."""
    with open(path, "r+" if os.path.exists(path) else "w") as f:
        f.write(text)
        f.truncate()


class Machine:
    def __init__(self, root, count=24):
        self.root, self.count, self.beat = root, count, 0
        unpack_tree(TREE, root)
        self.cpus = root + "/sys/devices/system/cpu/"
        self.stat(off=set())

    def stat(self, off):
        self.beat += 1
        text = "cpu  0 0 0 0\n"
        for i in range(self.count):
            if i not in off:
                text += "cpu%d %d 0 0 %d 0 0 0 0 0 0\n" % (
                    i, self.beat * (i + 1), self.beat * (99 - i))
        write(self.root + "/proc/stat", text)

    def take_20(self):
        write(self.cpus + "online", "0-19,21-23\n")
        write(self.cpus + "cpu20/online", "0\n")
        write(self.root + "/sys/devices/cpu_atom/cpus", "16-19,21-23\n")
        os.rename(self.cpus + "cpu20/topology", self.cpus + "kept")
        self.stat(off={20})

    def give_20(self):
        os.rename(self.cpus + "kept", self.cpus + "cpu20/topology")
        write(self.root + "/sys/devices/cpu_atom/cpus", "16-23\n")
        write(self.cpus + "cpu20/online", "1\n")
        write(self.cpus + "online", "0-23\n")
        self.stat(off=set())


def frames_of(path):
    return len({r["sample"] for r in rows(path)})


def has_20(path):
    """CPU 20 is an efficiency core in it, and was busy."""
    return any(r["cpu"] == "20" and r["kind"] == "Efficiency" and
               r["busy_pct"] for r in rows(path))


def leave(p, name):
    p.send_signal(signal.SIGTERM)
    err = p.communicate(timeout=90)[1].decode()
    same(p.returncode, 128 + signal.SIGTERM, name)
    return err


# ---- every output at once, of one run ----

m = Machine("tree")
m.take_20()
p = start("--root", "tree", "-d", "0.1", "--csv", "n.csv", "--csv-rows",
          "cpu,cluster,kind,machine", "--json", "n.json", "--openmetrics",
          "n.prom")
ok(until(lambda: m.stat(off={20}) or frames_of("n.csv") > 3 and
         'cpu="0",cluster="' in open("n.prom").read()),
   "it records, and the page has what is known")
before = open("n.prom").read()
m.give_20()
ok(until(lambda: m.stat(off=set()) or
         'cpu="20",cluster="E"' in open("n.prom").read()),
   "the OpenMetrics page has the CPU under its kind")
ok(until(lambda: m.stat(off=set()) or has_20("n.csv")),
   "its busy time is measured afterwards")
err = leave(p, "it ends as ever")
ok("1 CPU came online" in err, "and says what happened", err)
same(err.count("--root"), 1, "what was said before is not said again")
ok('cpu="20"' not in before,
   "of the CPU off line the page before knew nothing")

all_rows = rows("n.csv")
same(sum(r["schema"] == "schema" for r in all_rows), 0, "one header")
same(len({r["run"] for r in all_rows}), 1, "one run")
machine = [r for r in all_rows if r["row"] == "machine"]
count = len(machine)
same([int(r["sample"]) for r in machine], list(range(count)),
     "no frame missing")
times = [float(r["elapsed_s"]) for r in machine]
ok(all(a < b for a, b in zip(times, times[1:])), "time goes on")
mine = [r for r in all_rows if r["row"] == "cpu" and r["cpu"] == "20"]
same(len(mine), count, "the CPU has a row in every frame")
places = []
for r in mine:
    if places[-1:] != [(r["kind"], r["cluster"])]:
        places.append((r["kind"], r["cluster"]))
same(places, [("Unknown", "off"), ("Efficiency", "E")], "first off, then E")
ok(all("off" in r["quality"].split(";") for r in mine
       if r["kind"] == "Unknown"),
   "off line is said")
gaps = [int(r["sample"]) for r in machine if "gap" in r["quality"]]
same(len(gaps), 1, "the frame between is a gap")
ok(all(int(r["n_cpus"]) == 24 for r in machine), "all 24 CPUs are counted in")
e = [r for r in all_rows if r["row"] == "cluster" and r["cluster"] == "E"]
same(sorted({int(r["n_cpus"]) for r in e}), [7, 8], "the cluster grew")

lines = [json.loads(x) for x in open("n.json")]
same([(x["sample"], x["row"], x["cpu"], x["kind"]) for x in lines],
     [(int(r["sample"]), r["row"], int(r["cpu"]) if r["cpu"] else None,
       r["kind"] or None) for r in all_rows], "JSON has the same rows")
page = open("n.prom").read()
old = [x for x in before.splitlines() if 'cpu="0"' in x and "_total" in x]
new = {x.rsplit(" ", 1)[0]: float(x.rsplit(" ", 1)[1])
       for x in page.splitlines() if 'cpu="0"' in x and "_total" in x}
ok(old and all(new.get(x.rsplit(" ", 1)[0], -1) >=
               float(x.rsplit(" ", 1)[1]) for x in old),
   "no counter goes backwards")

r = Run("--replay", "n.csv", "-b")
same((r.code, r.out.count("ktop  ")), (0, count),
     "the recording is whole")
r = Run("summary", "n.csv")
same(r.code, 0, "and can be summed up", )

# ---- new altogether ----

m = Machine("added")
write(m.cpus + "present", "0-21\n")
write(m.cpus + "online", "0-21\n")
write(m.root + "/sys/devices/cpu_atom/cpus", "16-21\n")
p = start("--root", "added", "-d", "0.1", "--csv", "a.csv")
ok(until(lambda: frames_of("a.csv") > 2), "a smaller machine")
write(m.root + "/sys/devices/cpu_atom/cpus", "16-23\n")
write(m.cpus + "present", "0-23\n")
write(m.cpus + "online", "0-23\n")
ok(until(lambda: sum(r["cpu"] == "23" for r in rows("a.csv")) > 5),
   "and then a larger one")
leave(p, "it ends as ever")
counts = {}
for r in rows("a.csv"):
    counts[int(r["sample"])] = counts.get(int(r["sample"]), 0) + 1
same(sorted(set(counts.values())), [22, 24], "two rows more from then on")
count = {22: 0, 24: 0}
for n in counts.values():
    count[n] += 1
r = Run("--replay", "a.csv", "-b")
same((r.code, r.err), (0, ""), "a replay has nothing to complain of")
same(r.out.count("\ncpu23 "), count[24],
     "and shows the new CPUs from their first row on")
r = Run("--replay", "a.csv", "--csv", "again.csv")
same((r.code, [(x["sample"], x["cpu"], x["kind"], x["busy_pct"])
               for x in rows("again.csv")]),
     (0, [(x["sample"], x["cpu"], x["kind"], x["busy_pct"])
          for x in rows("a.csv")]), "recorded again it is the same")
r = Run("summary", "a.csv")
ok(r.code == 0 and "cpu 23 (Efficiency)" in r.out, "they are summed up",
   r.out[:300])
same(Run("compare", "a.csv", "a.csv").code, 0, "and compared")
r = Run("--replay", "n.csv", "-b")
same(r.out.count("\noff "), sum(1 for x in mine if x["kind"] == "Unknown"),
     "one that was off line is in its cluster when it is known")
s = Screen("--replay", "a.csv", size="120x44")
ok(s.do("wait:16P.8E", "key:space"), "the screen has them at once", s.text)
same(s.end("text:q", "exit:0", "given-back"), "", "q quits")

# ---- a machine that cannot be read; its source is in the other process ----

m = Machine("half")
m.take_20()
p = start("--root", "half", "-d", "0.1", "--csv", "half.csv",
          env=dict(os.environ, KTOP_SEPARATE="always"))
ok(until(lambda: frames_of("half.csv") > 2), "it records")
os.rename(m.cpus + "online", m.cpus + "kept-online")
m.root_online = m.cpus + "kept-online"
os.rename(m.cpus + "kept", m.cpus + "cpu20/topology")
write(m.root + "/sys/devices/cpu_atom/cpus", "16-23\n")
write(m.cpus + "cpu20/online", "1\n")
write(m.root_online, "0-23\n")
told = os.read(p.stderr.fileno(), 4096).decode()
while "tries again" not in told:
    more = os.read(p.stderr.fileno(), 4096).decode()
    told += more
    if more == "":
        break
os.rename(m.cpus + "kept-online", m.cpus + "online")
ok(until(lambda: m.stat(off=set()) or has_20("half.csv")),
   "it is read when it can be")
err = told + leave(p, "a failure is no end")
ok("tries again in 1 s" in err, "it is said", err)
ok("the CPUs changed; ktop has read their list again" in err, "and that it went well later", err)
half = rows("half.csv")
same(sorted({int(r["sample"]) for r in half}),
     list(range(frames_of("half.csv"))), "no frame is missing")
same([r["kind"] for r in half if r["cpu"] == "20"][-1], "Efficiency",
     "the CPU has its place")

# ---- text and screen ----

m = Machine("text")
m.take_20()
p = start("--root", "text", "-d", "0.1", "-b", "-n", "10",
          stdout=subprocess.PIPE)
told = p.stdout.readline()
m.give_20()
p.communicate(timeout=90)
same((p.returncode, told != b""), (0, True), "batch text goes on")

# Two processes: the source is in the other one.
m = Machine("two")
m.take_20()
p = start("--root", "two", "-d", "0.1", "--csv", "two.csv",
          env=dict(os.environ, KTOP_SEPARATE="always"))
ok(until(lambda: frames_of("two.csv") > 3), "a counter server")
m.give_20()
ok(until(lambda: m.stat(off=set()) or has_20("two.csv")),
   "opens the source again, too")
leave(p, "and ends as ever")
same([r["kind"] for r in rows("two.csv") if r["cpu"] == "20"][-1],
     "Efficiency", "with the CPU in its place")

# Under sudo the server gave root up for the tree, and does not try twice.
if os.geteuid() == 0:
    m = Machine("sudo")
    m.take_20()
    p = start("--root", "sudo", "-d", "0.1", "-b", "-n", "15",
              stdout=subprocess.PIPE,
              env=dict(os.environ, SUDO_UID="65534", SUDO_GID="65534"))
    told = p.stdout.readline()
    m.give_20()
    err = p.communicate(timeout=90)[1].decode()
    same((p.returncode, told != b""), (0, True), "and under sudo")
    ok("read again" in err and "system calls" not in err,
       "without a word too many", err)

m = Machine("screen")
m.take_20()
s = Screen("--root", "screen", "-d", "0.2", size="120x44")
ok(s.do("wait:16P.7E.1"), "the screen counts it as none of the kinds", s.text)
m.give_20()
ok(s.do("wait:16P.8E"), "and then as an E", s.text)
ok(s.do("text:e", "wait:choose events", "key:esc", "gone:choose events"),
   "the list of events is of the machine as it is", s.text)
m = Machine("screen2")
same(s.end("text:q", "exit:0", "given-back"), "", "q quits")

# While the picture stands still the machine on it stays as it was.
m.take_20()
s = Screen("--root", "screen2", "-d", "0.2", size="120x44")
ok(s.do("wait:16P.7E.1", "key:space", "wait:PAUSED"), "paused", s.text)
m.give_20()
ok(s.do("sleep:600") and "7E+1" in s.text, "nothing moves", s.text)
ok(s.do("key:space", "wait:16P.8E"), "until it goes on", s.text)
same(s.end("text:q", "exit:0", "given-back"), "", "q quits")

finish()
