"""Recordings that survive: kill -9, failing writes, deletion, going on.

KTOP_KILLS is how many processes are killed (32; 100 with KTOP_LONG=1).
"""
import csv
import os
import random
import re
import shutil
import signal
import subprocess
import time

from live import VTRUN, Screen, so_far, until
from tap import KTOP, PROC, Run, finish, ok, same, shim_of, skip

LONG = bool(os.environ.get("KTOP_LONG"))
KILLS = int(os.environ.get("KTOP_KILLS", "100" if LONG else "32"))
SEEDS = 24 if LONG else 8
STEP = "m1,seed=1,clock=step"
HEADER = Run("--sim", STEP, "--csv", "-", "-n", "1").out.split("\n")[0]
FIELDS = HEADER.count(",")
SOME_FRAMES = 40000  # bytes of more than five


def whole(text, name, torn_end=False):
    """Every row is whole and frames rise; what is wrong, or nothing."""
    lines = text.split("\n")
    last = lines.pop()
    if last != "" and not torn_end:
        return "%s ends in %r" % (name, last[:40])
    if lines and lines[0] != HEADER:
        return "%s begins with %r" % (name, lines[0][:40])
    before = -1
    for i, line in enumerate(lines[1:]):
        if line.count(",") != FIELDS or not line.startswith("ktop/2,"):
            return "%s:%d is torn: %r" % (name, i + 2, line[:60])
        frame = int(line.split(",")[3])
        if frame < before:
            return "%s:%d goes back" % (name, i + 2)
        before = frame
    return ""


def frames(text):
    """{frame: its core rows}, of whole rows"""
    out = {}
    for line in text.split("\n")[1:-1]:
        part = line.split(",", 4)
        if part[1] == "cpu":
            out[int(part[3])] = out.get(int(part[3]), 0) + 1
    return out


random.seed(5)
bad, short, most = [], 0, 0
for i in range(KILLS):
    if os.path.exists("killed.csv"):
        os.unlink("killed.csv")
    p = subprocess.Popen([KTOP, "--sim", STEP, "--csv", "killed.csv"],
                         stdin=subprocess.DEVNULL)
    # In the midst of a start, or of frames, however busy the machine is.
    if i % 4 == 3:
        until(lambda: os.path.exists("killed.csv") and
              os.path.getsize("killed.csv") > SOME_FRAMES)
    time.sleep(random.uniform(0.003, 0.022))
    p.kill()
    p.wait()
    text = (open("killed.csv").read() if os.path.exists("killed.csv")
            else "")
    wrong = whole(text, "killed.csv", True)
    got = frames(text)
    if wrong:
        bad.append(wrong)
    if any(n != 8 for n in list(got.values())[:-1]) or \
            sorted(got) != list(range(len(got))):
        bad.append("a frame before the last is not whole")
    short += text != "" and not text.endswith("\n")
    most = max(most, len(got))
same(bad, [], "kill -9 costs at most the frame in flight (%d kills, up to "
     "%d frames, %d torn ends)" % (KILLS, most, short))
ok(most > 5, "and they were killed while they recorded")

r = Run("--sim", STEP, "--csv", "killed.csv", "--append", "-n", "2")
same(r.code, 0, "the last of them is gone on with")
ok(whole(open("killed.csv").read().rsplit("ktop/2,", 16)[0], "x") == "",
   "and what was there is whole")

# Every write on the recording may fail or be short.
shim = shim_of("short_writes")
bad, lost_runs = [], 0
for seed in range(1, SEEDS + 1 if shim else 1):
    name = os.path.abspath("short-%d.csv" % seed)
    r = Run("--sim", STEP, "--csv", name, "-n", "60",
            env=dict(os.environ, LD_PRELOAD=shim, KTOP_BAD_FILE=name,
                     KTOP_BAD_SEED=str(seed)))
    text = open(name).read()
    wrong = whole(text, name)
    got = frames(text)
    lost = sum(int(x["note"].split()[0]) for x in
               csv.DictReader(text.splitlines()) if x["row"] == "lost")
    if wrong:
        bad.append(wrong)
    if any(got[n] != 8 for n in sorted(got)[:-1]):
        bad.append("seed %d: half a frame" % seed)
    after = 59 - max(got)
    if len(got) + lost + after != 60 or (r.code != 0) != (len(got) < 60):
        bad.append("seed %d: %d written, %d said lost, %d after, code %d" %
                   (seed, len(got), lost, after, r.code))
    lost_runs += len(got) < 60
if shim:
    same(bad, [], "short and failing writes tear no row, and what is lost is "
         "counted (%d runs, %d with losses)" % (SEEDS, lost_runs))
else:
    skip("short writes", "no compiler, not Linux, or a sanitizer")


def strace(what, name):
    """A run with faults of the kernel's own on writes to the recording."""
    if os.path.exists(name):
        os.unlink(name)
    return subprocess.run(
        ["strace", "-qq", "-o", "/dev/null", "-P", os.path.abspath(name),
         "-e", "trace=write,ftruncate", "-e", "inject=write:" + what,
         KTOP, "--sim", STEP, "--csv", name, "-n", "20"],
        # a leak sanitizer cannot work under strace
        env=dict(os.environ, ASAN_OPTIONS="detect_leaks=0"),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, timeout=60)


if PROC and shutil.which("strace") and subprocess.run(
        ["strace", "-qq", "-o", "/dev/null", "true"],
        stderr=subprocess.DEVNULL).returncode == 0:
    for error in ("EIO", "ENOSPC", "EDQUOT", "EINTR"):
        bad = []
        for when in ("2", "3", "2..5", "2+2", "3+3", "20"):
            p = strace("error=%s:when=%s" % (error, when), "fault.csv")
            text = open("fault.csv").read()
            wrong = whole(text, "fault.csv")
            if wrong or any(n != 8 for n in frames(text).values()):
                bad.append("when=%s: %s" % (when, wrong))
            if error == "EINTR" and (p.returncode != 0 or
                                     len(frames(text)) != 20):
                bad.append("when=%s: EINTR costs a frame" % when)
            if error != "EINTR" and when == "2..5" and (
                    p.stderr.count(b"cannot write") != 1 or
                    "4 samples lost" not in text):
                bad.append("when=%s: %r" % (when, p.stderr))
        same(bad, [], "%s on any write tears no row" % error)
    p = strace("error=EIO:when=1", "fault.csv")
    ok(p.returncode == 1 and b"cannot write" in p.stderr,
       "a header that cannot be written is a failure", p.stderr)
else:
    skip("a kernel that refuses writes", "no strace that may trace, or no /proc")

# While it runs: the file goes, the recording does not.
p = subprocess.Popen([KTOP, "--sim", "m1", "-d", "50ms", "--csv", "gone.csv"],
                     stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
end = time.monotonic() + 60
while time.monotonic() < end and not (os.path.exists("gone.csv") and
                                      len(open("gone.csv").read()) > 4000):
    time.sleep(0.02)
os.unlink("gone.csv")
while time.monotonic() < end and not (os.path.exists("gone.csv") and
                                      len(open("gone.csv").read()) > 8000):
    time.sleep(0.02)
p.send_signal(signal.SIGTERM)
err = p.communicate(timeout=90)[1].decode()
text = open("gone.csv").read()
same(whole(text, "gone.csv"), "", "a deleted recording goes on in a new file")
ok(err.count("was deleted") == 1 and " lost," in text,
   "said once, with the loss in a row", err)

# The rows of one recording are of one machine.
for how in ("--csv", "--json"):
    Run("--sim", STEP, how, "ours", "--force", "-n", "2")
    text = open("ours").read()
    r = Run("--sim", "m3,clock=step", how, "ours", "--append", "-n", "2")
    ok(r.code == 6 and "Apple M1 (sim)" in r.err and "Apple M3 (sim)" in r.err and
       open("ours").read() == text,
       "another machine is refused, by both models' names: " + how, r.err)

# Emptied while it runs, a file of its own and one of the shell's.
for name, to in (("cut.csv", None), ("-", open("out.csv", "w"))):
    p = subprocess.Popen([KTOP, "--sim", "m1", "-d", "50ms", "--csv", name],
                         stdin=subprocess.DEVNULL, stdout=to,
                         stderr=subprocess.PIPE)
    name = "out.csv" if to else name
    ok(until(lambda: len(so_far(name)) > 24), "%s is written" % name)
    os.truncate(name, 0)
    ok(until(lambda: len(so_far(name)) > 8), "and goes on when it was emptied")
    p.send_signal(signal.SIGTERM)
    err = p.communicate(timeout=90)[1].decode()
    text = open(name).read()
    same(whole(text, name), "", "with a header and whole rows")
    ok(err.count("was truncated") == 1 and " lost," in text,
       "said once, with the loss in a row", err)

# A pipe whose reader stalls: what the same run keeps in a file comes, too.
def stalled(name, n, *more):
    p = subprocess.Popen([KTOP, "--sim", "m1", "-d", "20ms", "--csv", "-",
                          "--json", name, *more], stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    ok(until(lambda: os.path.exists(name) and
             '"sample":%d,' % (n - 1) in open(name).read()),
       "nobody reads the pipe for %d samples" % n)
    return p


p = stalled("all.json", 60, "-n", "60")
text = p.communicate(timeout=90)[0].decode()
same((p.returncode, whole(text, "pipe"), sorted(frames(text))),
     (0, "", list(range(60))), "and then has all of them")
p = stalled("some.json", 40)
p.send_signal(signal.SIGTERM)
p.wait(timeout=90)
text, err = (x.decode() for x in p.communicate())
said = re.search(r"standard output: (\d+) samples were lost", err)
taken = open("some.json").read().count('"cpu":0,')
same(said and int(said[1]) + list(frames(text).values()).count(8), taken,
     "one that is never read is said to have lost what waited")

# Two writers of one recording: the second is refused, the first goes on.
p = subprocess.Popen([KTOP, "--sim", "m1", "-d", "50ms", "--csv", "one.csv"],
                     stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
ok(until(lambda: len(so_far("one.csv")) > 8), "while a recording runs")
for how in ("--append", "--force"):
    r = Run("--sim", STEP, "--csv", "one.csv", how, "-n", "2")
    ok(r.code == 1 and "(pid %d)" % p.pid in r.err,
       "%s on its file is refused, and names its ktop" % how, r.err)
with open("beside.csv", "w") as f:
    f.write("kept\n")
r = Run("--sim", STEP, "--csv", "beside.csv", "--json", "one.csv", "--force")
same((r.code, open("beside.csv").read()), (1, "kept\n"),
     "nor is another output emptied for nothing")
there = len(so_far("one.csv"))
ok(until(lambda: len(so_far("one.csv")) > there), "which goes on")
p.send_signal(signal.SIGTERM)
p.communicate(timeout=90)
text = open("one.csv").read()
same((whole(text, "one.csv"), sorted(frames(text))),
     ("", list(range(len(frames(text))))), "and has every frame")
r = Run("--sim", STEP, "--csv", "one.csv", "--append", "-n", "2")
same(r.code, 0, "its file is free when it has ended")

if VTRUN:
    s = Screen("--sim", "m1", "-d", "100ms", "--csv", "screen.csv")
    ok(until(lambda: os.path.exists("screen.csv")), "on the screen")
    s.do("wait:quit")
    while not os.path.isdir("screen.csv"):
        try:
            os.unlink("screen.csv")
            os.mkdir("screen.csv")
        except FileExistsError:
            pass  # ktop had made a new one in between
    ok(s.do("wait:was deleted"),
       "a recording that cannot go on is said there")
    ok(s.do("sleep:300") and "live" in s.text, "and the display goes on")
    os.rmdir("screen.csv")
    ok(until(lambda: os.path.exists("screen.csv") and
             " lost," in open("screen.csv").read()),
       "until writing works again, with the loss in a row")
    same(s.end("text:q", "exit:1"), "", "which is a failure in the end")

r = Run("--sim", STEP, "--csv", "seg.csv", "--csv-rotate", "20K", "-n", "30")
names = ["seg.csv"] + sorted(x for x in os.listdir(".")
                             if x.startswith("seg.") and x != "seg.csv")
ok(r.code == 0 and len(names) > 3, "--csv-rotate starts segments", names)
bad = [w for w in (whole(open(n).read(), n) for n in names) if w]
same(bad, [], "each with its header and whole rows")
got = [f for n in names for f in frames(open(n).read())]
same(got, list(range(30)), "frame numbers go on through them")
same(len({line.split(",")[2] for n in names
          for line in open(n).read().split("\n")[1:-1]}), 1,
     "and it is one run")
same([n for n in names if os.path.getsize(n) > 20 * 1024], [],
     "none is larger than asked for")
for cmd in (("summary",), ("-b", "--replay")):
    r = Run(*cmd, *names)
    ok(r.code == 0 and "missing" not in r.err, "all of them: %s" % cmd[0], r.err)
    r = Run(*cmd, names[0], *names[2:])
    ok(r.code == 0 and re.search(
        r"\d samples from number \d+ on are missing before %s: give all segments"
        % names[2], r.err), "  a segment that is left out is said", r.err)
# By time, and with an interval that does not divide it.
for interval, firsts in (("1s", [0, 10, 20, 30]), ("3s", [0, 4, 8, 12])):
    Run("--sim", STEP, "--csv", "time.csv", "--force", "-d", interval,
        "--csv-rotate", "10s", "-n", str(firsts[-1] + 2))
    timed = ["time.csv"] + ["time.%04d.csv" % i for i in (1, 2, 3)]
    parts = [frames(open(n).read()) for n in timed]
    same(([min(x) for x in parts], [w for w in
          (whole(open(n).read(), n) for n in timed) if w]), (firsts, []),
         "--csv-rotate 10s, every %s: segments begin at these frames" %
         interval)
    for n in timed:
        os.unlink(n)
r = Run("--sim", STEP, "--csv", "seg.csv", "--csv-rotate", "20K", "-n", "1",
        "--append")
same((r.code, [n for n in os.listdir(".") if n.startswith("seg.")
               and n not in names]), (0, []),
     "--append goes on in the last segment")
for bad in ("20", "K", "0K", "1x", "-1s", "0s", "99999999T"):
    r = Run("--sim", STEP, "--csv", "x.csv", "--csv-rotate", bad, "-n", "1")
    ok(r.code == 2 and "--csv-rotate" in r.err,
       "--csv-rotate %s is usage" % bad, r.err)
for args in (("--csv", "-", "--csv-rotate", "1M"),
             ("--csv", "-", "--json", "-"), ("--csv", "a", "--json", "a"),
             ("--append", "--force", "--csv", "a"), ("-b", "--json", "-")):
    r = Run("--sim", STEP, "-n", "1", *args)
    ok(r.code == 2 and r.err.count("\n") == 1,
       "%s is usage" % " ".join(args), r.err)
finish()
