"""Replay: a recording gives its frames again, whatever happened to it."""
import csv
import io
import os
import random
import re
import subprocess
import sys
import time

from live import VTRUN, Screen
from resident import CAN, most
from tap import KTOP, Run, finish, ok, rows_of, same, skip

LEVELS = "cpu,cluster,kind,machine"
LONG = bool(os.environ.get("KTOP_LONG"))


def without_run(text):
    """Everything of a recording but the id drawn for each."""
    return re.sub(r"(?m)^(ktop/2,[a-z-]+,)r[0-9a-f]{16},", r"\1R,", text)


def record(spec, *args):
    r = Run("--sim", spec + ",clock=step", "--csv", "-", *args)
    if r.code != 0:
        ok(False, "recording " + spec, r.err)
    return r.out


def keep(text, name="x.csv"):
    with open(name, "w", newline="") as f:
        f.write(text)
    return name


def replay(*args):
    return Run("--replay", *args, "--csv", "-", "--csv-rows", LEVELS)


# ---- equal frames: all columns of all rows but `run`, byte for byte -------
# Counts and times are copied; every rate is derived again from them. busy_pct
# has nine digits, which give back the ratio of ticks that it was, so that even
# what depends on it comes out to the last digit.

MACHINES = [x.split("\t")[0] for x in
            Run("--list-machines").out.splitlines()[1:]]
FAULTS = ["", "off:P1@2s-5s", "off:E@2s-5s", "steal@2s-4s", "busy@2s-4s",
          "taken@1s-3s", "eperm@2s-4s", "off:E@3s", "sleep@2s-4s",
          "slow:20ms@2s-4s"]
PRESETS = ["basic", "topdown", "branch", "l1d", "dtlb", "frontend",
           "stalls", "mix", "ldst", "branchkind", "sync", "ldsrc", "sme"]
rng = random.Random(5)
bad = done = parsed = 0
seen = set()
MANY = 120 if LONG else 44
for seed in range(MANY):
    machine = MACHINES[seed % len(MACHINES)]
    fault = FAULTS[seed % len(FAULTS)]
    spec = "%s,seed=%d" % (machine, seed) + \
        (",fault=" + fault if fault else "")
    args = ["-n", str(rng.randint(1, 9)), "--csv-rows", LEVELS,
            "-d", rng.choice(["1s", "1s", "250ms", "33ms", "1.7s", "10s"])]
    if rng.random() < 0.2:
        args.append("--ipc")
    elif rng.random() < 0.5:
        args += ["--rotate", ",".join(rng.sample(PRESETS,
                                                 rng.randint(2, 5)))]
    else:
        args += ["--preset", rng.choice(PRESETS)]
    live = Run("--sim", spec + ",clock=step", "--csv", "-", *args)
    if live.out.count("\n") < 2:
        continue  # refused at the start, so there is nothing to replay
    back = replay(keep(live.out))
    done += 1
    if done % 6 == 0:  # every line through libcsv's parser, none split plainly
        text = "".join(",".join('"%s"' % c for c in x) + "\n"
                       for x in csv.reader(live.out.splitlines()))
        parsed += without_run(replay(keep(text)).out) == without_run(live.out)
    for row in csv.DictReader(live.out.splitlines()):
        seen.update(row["quality"].split(";"))
    if back.code != 0 or without_run(back.out) != without_run(live.out):
        bad += 1
        if bad < 4:
            pairs = zip(without_run(live.out).split("\n"),
                        without_run(back.out).split("\n"))
            ok(False, "equal frames: %s %s" % (spec, args),
               back.err + "\n".join("%s\n%s" % p for p in pairs
                                    if p[0] != p[1])[:2000])
same(parsed, done // 6, "with all fields quoted they come to the same")
ok(bad == 0 and done >= 0.75 * MANY,
   "%d recordings of random machines, sets and faults replay byte for byte"
   % done, bad)
ok({"idle", "off", "stale", "catchup", "taken-over", "event-change",
     "gap"} <= seen,
   "and there was trouble of every kind in them", seen)

# ---- bottlenecks, which rest on the frames before -----------------------------
# From the first frame of a run on they are those that were recorded, and so is
# what is lost: judged again from the counts.
NATURES = ["compute", "memory", "branchy", "frontend", "kernel", "mixed", "idle",
           "phases", ""]
bad = []
words = set()
rng = random.Random(7)
for i in range(60 if LONG else 15):
    spec = "%s,seed=%d" % (["m1", "m2max", "m4max", "m5max", "m6"][i % 5], i)
    nature = NATURES[i % len(NATURES)]
    args = ["-n", "80" if LONG or i % 5 == 0 else "25", "--csv-rows", LEVELS,
            "--rotate", ",".join(rng.sample(PRESETS, 2) + ["basic"])]
    live = record(spec + (",work=" + nature if nature else ""), *args)
    for was, now in zip(rows_of(live), rows_of(replay(keep(live)).out)):
        words.add(was["bottleneck"])
        if (was["bottleneck"], was["lost_cycles"]) != (now["bottleneck"], now["lost_cycles"]):
            bad.append([spec, nature, was["sample"], was["row"], was["cpu"],
                        was["bottleneck"], now["bottleneck"]])
same(bad[:5], [], "bottlenecks and what is lost are judged again as recorded")
ok({"none", "memory", "bad-spec", "frontend", "kernel", "mixed", "idle",
    "unknown", "off"} <= words, "and there was every word among them", words)


def bottlenecks(text):
    return [(x["row"], x["cpu"], x["bottleneck"], x["lost_cycles"])
            for x in rows_of(text) if x["row"] in LEVELS.split(",")]


for work in ("memory", "compute"):
    Run("--sim", "m1,clock=step,work=" + work, "--csv", "two.csv", "--append",
        "-n", "12", "--csv-rows", LEVELS, "--rotate", "basic,topdown")
two = open("two.csv").read()
ok(bottlenecks(replay("two.csv").out) == bottlenecks(two),
   "nothing of one run is said of the next")
old = io.StringIO()
judged = rows_of(two)
w = csv.DictWriter(old, [x for x in judged[0] if x not in
                         ("lost_pct", "lost_cycles",
                          "bottleneck")], extrasaction="ignore",
                   lineterminator="\n")
w.writeheader()
w.writerows(judged)
ok(bottlenecks(replay(keep(old.getvalue())).out) == bottlenecks(two),
   "recordings without the two columns gain them")
named = two.replace(",none,", ",mixed,")
ok(bottlenecks(replay(keep(named)).out) == bottlenecks(two),
   "the counts are judged, not the words that stand there")

real = Run("--sim", "m1,seed=4", "--csv", "-", "-n", "5", "-d", "40ms",
           "--csv-rows", LEVELS)
same(without_run(replay(keep(real.out)).out), without_run(real.out),
     "so does one of a running clock")

# The machine that this runs on, where ktop knows it; its counters may be few.
if sys.platform.startswith("linux"):
    for args in ([], ["--rotate", "basic,branch"], ["--ipc"]):
        real = Run("--csv", "-", "-n", "4", "-d", "50ms", "--csv-rows",
                   LEVELS, *args)
        if real.code != 0:
            skip("a recording of this machine" +
                 "".join(" " + x for x in args), "ktop cannot count here")
            continue
        same(without_run(replay(keep(real.out)).out),
             without_run(real.out), "so does one of this machine" +
             "".join(" " + x for x in args))

# ---- the rest is told what was recorded --------------------------------
text = record("m1,seed=1", "-n", "5")
name = keep(text)
same(Run("--replay", name, "-b").out, Run("--replay", name, "-b").out,
     "-b gives the same bytes every time")
ok("ipc" in Run("--replay", name, "-b").out.lower(), "and it is a table")
same(Run("--replay", name, "-b", "-n", "2").code, 0, "-n stops a replay")
turns = ["--sim", "m1,seed=1,clock=step", "-n", "40", "--rotate",
         "basic,branch"]
live = Run("-b", *turns).out
same(len(re.findall(r"(?m)^ktop .*\bevent-change\b", live)), 39,
     "a rotation changes the events before each frame but the first")
ok(Run("--replay", keep(Run("--csv", "-", *turns).out, "turns.csv"),
       "-b").out == live, "  as its replay says, too")
same({x["source"] for x in csv.DictReader(replay(name).out.splitlines())},
     {"sim"}, "a simulation stays one when it is recorded again")
p = subprocess.run([KTOP, "--replay", "-", "--csv", "-", "--csv-rows",
                    LEVELS], input=text.encode(), stdout=subprocess.PIPE)
same(without_run(p.stdout.decode()), without_run(replay(name).out),
     "- replays standard input")

marked = text.replace("\n", "\n", 1).split("\n")
cells = marked[16].split(",")  # the last row of frame 1
cells = [""] * len(cells)
cells[0:6] = marked[16].split(",")[0:6]
cells[1] = "marker"
cells[24] = '"=now, ""then"""'
marked.insert(17, ",".join(cells))
back = replay(keep("\n".join(marked)))
notes = [x["note"] for x in csv.DictReader(back.out.splitlines())
         if x["row"] == "marker"]
same(notes, ['\'=now, "then"'], "marks are passed on, in their place",)

# ---- a part ----
def part_of(recording, *args):
    """The lines of a part, and those that a replay of it gives."""
    r = Run("--replay", keep(recording, "whole.csv"), *args, "--csv", "-",
            "--csv-rows", LEVELS)
    return without_run(r.out).split("\n")


def lines_of(recording, begin_s, end_s):
    rows = without_run(recording).split("\n")
    at = rows[0].split(",").index("elapsed_s")
    return rows[:1] + [x for x in rows[1:-1] if begin_s <
                       float(x.split(",")[at]) <= end_s] + [""]


long = record("m1,seed=6", "-n", "24", "-d", "250ms", "--csv-rows", LEVELS)
ok(len(lines_of(long, 1, 2)) > 20, "there is a part")
ok(part_of(long, "--from", "1", "--to", "2") == lines_of(long, 1, 2),
   "--from and --to: a replay writes only the part, as it was recorded")
ok(part_of(long, "--from", "5.5") == lines_of(long, 5.5, 6), "  to the end")
p = subprocess.run([KTOP, "--replay", "-", "--to", "0.5", "--csv", "-",
                    "--csv-rows", LEVELS], input=long.encode(),
                   stdout=subprocess.PIPE)
ok(without_run(p.stdout.decode()).split("\n") == lines_of(long, 0, 0.5),
   "  of standard input")
noted = long.split("\n")
for at, mark in ((20, "b"), (9, "a")):  # behind the frame of 0.5 s and before
    row = [i for i, x in enumerate(noted) if i > 0 and x and
           float(x.split(",")[noted[0].split(",").index("elapsed_s")]) ==
           at / 4][-1]
    cells = noted[row].split(",")[:6] + [""] * (len(noted[0].split(",")) - 6)
    cells[1], cells[24] = "marker", mark
    noted.insert(row + 1, ",".join(cells))
noted = "\n".join(noted)
got = part_of(noted, "--mark", "a..b")
ok([x for x in got if ",marker," not in x] == lines_of(long, 9 / 4, 5),
   "--mark: from one to the other")
for args, word in ((("--mark", "a..z"), "no marker 'z'"),
                   (("--from", "9"), "no sample in this part"),
                   (("--from", "x"), "--from 'x'")):
    r = Run("--replay", "whole.csv", *args, "--csv", "-")
    ok(r.code == 2 and r.out.count("\n") <= 1 and word in r.err, "  " + " ".join(args),
       r.err)
if VTRUN:
    s = Screen("--replay", keep(noted, "noted.csv"), "--mark", "a..b")
    ok(s.do("wait:sample 9/19", "key:end", "wait:sample 19/19", "key:home",
            "wait:sample 9/19"), "  on the screen there is only the part", s.text)
    s.end("key:q", "exit:0")

# ---- segments --------------------------------------------------------------
lines = text.split("\n")
head = lines[0]
keep("\n".join(lines[:17]) + "\n", "seg-1.csv")
keep("\n".join([head] + lines[17:]), "seg-2.csv")
same(without_run(Run("--replay", "seg-1.csv", "seg-2.csv", "--csv", "-").out),
     without_run(text), "segments are one recording")
same(without_run(Run("--replay", "seg-2.csv", "seg-1.csv", "--csv",
                     "-").out), without_run(text),
     "in the order of time, however a shell sorts them")
order = list(range(head.count(",") + 1))
random.Random(1).shuffle(order)
shuffled = "\n".join(",".join(x.split(",")[i] for i in order)
                     for x in lines if x) + "\n"
same(without_run(Run("--replay", keep(shuffled), "--csv", "-").out),
     without_run(text), "columns go by their names, not their places")
crlf = Run("--replay", keep(text.replace("\n", "\r\n")), "--csv", "-")
same((without_run(crlf.out), crlf.err), (without_run(text), ""),
     "lines may end in CR LF")
quoted = "\n".join(",".join('"%s"' % c for c in x.split(","))
                   for x in lines if x) + "\n"
same(without_run(Run("--replay", keep(quoted), "--csv", "-").out),
     without_run(text), "all fields may be quoted")
exported = re.sub(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)\.000Z", r"\1 \2+00",
                  text)
ok(exported != text, "DuckDB writes times in a way of its own")
same(without_run(Run("--replay", keep(exported), "--csv", "-").out),
     without_run(text), "  which is read")
for name, other in (("semicolons", ";"), ("tabs", "\t")):
    path = keep(text.replace(",", other))
    r = Run("summary", path)
    ok(r.code == 6 and path + ":1: " in r.err and name in r.err and
       "commas" in r.err, "columns separated by %s are told" % name, r.err)
short = "\n".join(",".join(x.split(",")[:50]) for x in lines if x) + "\n"
same(without_run(Run("--replay", keep(short), "--csv", "-").out),
     without_run(text), "an old recording gains metrics")

# ---- what is not known, is passed over with a notice --------------------
more = "\n".join(x + (",new_metric" if i == 0 else ",1.5")
                 for i, x in enumerate(lines) if x) + "\n"
r = Run("--replay", keep(more), "--csv", "-")
same((r.code, without_run(r.out)), (0, without_run(text)),
     "an unknown column is passed over")
ok("new_metric" in r.err, "and named", r.err)
r = Run("--replay", keep(text.replace(",idle,", ",idle;warm,")), "--csv", "-")
same((r.code, without_run(r.out)), (0, without_run(text)),
     "an unknown word of quality is passed over")
ok("warm" in r.err, "and named", r.err)

# ---- cut off -----------------------------------------------------------
whole = without_run(text).split("\n")
wrong = []
for cut in list(range(len(head) + 1, len(text), 397)) + [len(text) - 1]:
    r = Run("--replay", keep(text[:cut]), "--csv", "-")
    frames = text[:cut].count("\n") - 1
    want = whole[:1 + frames // 8 * 8]
    # The last row may lack nothing but its line end.
    if text[cut] == "\n" and (frames + 1) % 8 == 0:
        want = whole[:1 + (frames + 1) // 8 * 8]
    got = without_run(r.out).split("\n")[:-1]
    tail = text[:cut].rsplit("\n", 1)[1]
    if frames == 8 and tail and tail.count(",") < 4:
        # Cut before its frame, a row may be one more of the first.
        if r.code != 6:
            wrong.append([cut, r.code, r.err])
    elif len(want) == 1:
        # Cut between two rows it looks like a smaller machine's.
        if r.code != 6 and text[cut - 1] != "\n" and text[cut] != "\n":
            wrong.append([cut, r.code, r.err])
    elif r.code != 0 or got != want:
        wrong.append([cut, r.code, r.err, len(got), len(want)])
same(wrong, [], "cut anywhere, a file gives all frames that are whole")
r = Run("--replay", keep(text[:-200]), "--csv", "-")
ok("is incomplete and ignored" in r.err, "with a notice", r.err)

# ---- killed ----------------------------------------------------------------
wrong = []
for i in range(25 if LONG else 8):
    p = subprocess.Popen([KTOP, "--sim", "m1,seed=%d" % i, "-d", "2ms",
                          "--csv", "k.csv", "--force"],
                         stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(0.05 + rng.random() * 0.1)
    p.kill()
    p.wait()
    data = open("k.csv").read() if os.path.exists("k.csv") else ""
    r = Run("--replay", "k.csv", "--csv", "-")
    want = data.count("\n") - (data.count("\n") - 1) % 8
    if data.count("\n") < 9:
        if r.code not in (1, 6):
            wrong.append([i, r.code, r.err])
    elif r.code != 0 or r.out.count("\n") != want:
        wrong.append([i, r.code, r.err, r.out.count("\n"), want])
same(wrong, [], "killed at random moments, it gives all frames but the last")

# ---- damage: file, line, column, exit 6 ------------------------------------
def damaged(name, change, want):
    r = Run("--replay", keep(change, "bad.csv"), "--csv", "-")
    ok(r.code == 6 and re.search(want, r.err), name, [r.code, r.err])


rows = [x.split(",") for x in lines if x]


def with_cell(line, column, value):
    out = [list(x) for x in rows]
    out[line - 1][rows[0].index(column)] = value
    return "\n".join(",".join(x) for x in out) + "\n"


damaged("letters in a count", with_cell(12, "cycles", "12x4"),
        r"bad\.csv:12: column 31 \(cycles\): '12x4'")
r = Run("--replay", "bad.csv", "--csv", "-", "--skip-damaged")
had, got = (without_run(x).splitlines() for x in ("\n".join(lines), r.out))
ok(r.code == 0 and len(got) == len(had) and got[11].split(",")[29] == "" and
   "stale" in got[11], "--skip-damaged leaves such a row out", [r.err, got[11]])
share = rows[0].index("lost_pct")  # of what the machine did


def but_share(line):
    return [c for i, c in enumerate(line.split(",")) if i != share]


same([i for i, x in enumerate(had) if but_share(x) != but_share(got[i])], [11],
     "  and that one alone")
ok(re.search(r"1 damaged row is skipped, the first: bad\.csv:12: column 31 "
             r".*; 1 sample lacks rows", r.err), "  which is said", r.err)
several = list(lines)
for i in (11, 20, 21, 38):
    several[i] = several[i].replace(",cpu,", ",cpu,x", 1).replace("-", "_")
several[30] = several[30].replace(",cpu,", ',"cpu,')
r = Run("summary", keep("\n".join(several), "bad.csv"), "--skip-damaged")
ok(r.code == 0 and "5 damaged rows are skipped, the first: bad.csv:12:" in
   r.err, "  of several how many, and the first", r.err)
same(Run("--replay", "bad.csv", "-b", "--skip-damaged").err.count("skipped"),
     2, "  in batch mode when it is met, and at the end")
one_open = list(lines)
one_open[14] = one_open[14].replace(",cpu,", ',"cpu,')
damaged("a quote that is not closed", "\n".join(one_open),
        r"bad\.csv:15: .*quote")
damaged("a negative count", with_cell(9, "c1", "-5"),
        r"bad\.csv:9: column 36 \(c1\): '-5'")
damaged("a count beyond 64 bits",
        with_cell(9, "instructions", "18446744073709551616"),
        r"bad\.csv:9: column 32")
damaged("a time that is none", with_cell(20, "time", "noon"),
        r"bad\.csv:20: column 5 \(time\): 'noon'")
damaged("seconds that are none", with_cell(20, "interval_s", "nan"),
        r"bad\.csv:20: column 7")
damaged("a schema of tomorrow", with_cell(2, "schema", "ktop/3"),
        r"bad\.csv:2: column 1 \(schema\): 'ktop/3'.*reads ktop/1 and ktop/2")
damaged("a row with too few fields", "\n".join(
    lines[:9] + [lines[9][:300]] + lines[10:]), r"bad\.csv:10: column \d+")
damaged("a row with too many", "\n".join(
    lines[:9] + [lines[9] + ",1"] + lines[10:]), r"bad\.csv:10: column \d+")
damaged("a core without a number", with_cell(5, "cpu", ""), r"bad\.csv:5:")
damaged("an empty file", "", r"bad\.csv is empty")
damaged("a header alone", head + "\n", r"no complete sample")
damaged("another table", "a,b\n1,2\n", r"bad\.csv:1: .*schema")
damaged("a column that is missing", re.sub(",cycles,", ",cycels,", text, 1),
        r"bad\.csv:1: .*'cycles'")
damaged("the same column twice",
        re.sub(",cycles,", ",cpu,", text, 1), r"bad\.csv:1: column 31")
damaged("another machine's row", with_cell(20, "cpu", "77"), r"cpu 77")
with open("bad.csv", "wb") as f:
    f.write(b"\x1f\x8b\x08\0\0\0")
r = Run("--replay", "bad.csv", "-b")
ok(r.code == 6 and "gzip" in r.err, "a compressed file, with the remedy",
   r.err)
same(Run("--replay", "nowhere.csv", "-b").code, 6, "no such file")
same(Run("--replay", ".", "-b").code, 6, "a folder")
same(Run("--replay", name, "--sim", "m1", "-b").code, 2,
     "--replay and --sim exclude each other")

other = keep(record("m3", "-n", "2"), "other.csv")
for cmd in (("-b", "--replay"), ("summary",)):
    r = Run(*cmd, keep(record("m1", "-n", "2"), "ours.csv"), other)
    ok(r.code == 6 and "Apple M1 (sim)" in r.err and "Apple M3 (sim)" in r.err,
       "%s of two machines is refused, by both models' names" % cmd[0], r.err)

# ---- control bytes never reach the terminal --------------------------------
evil = "\x1b]0;x\x07\x9b2J\u009b2J\u202eM1\x7f"
hurt = text.replace("Apple M1", evil).replace(",E,", ",E\x1b[2J,")
for args in (["-b"], ["--csv", "-"]):
    r = Run("--replay", keep(hurt), *args)
    ok(r.code == 0 and not re.search(r"[\x00-\x08\x0b-\x1f\x7f\x80-\x9f\u202e]",
                                     r.out + r.err),
       "no control bytes with " + args[0], repr(r.out[:300]))
r = Run("--replay", keep(with_cell(3, "cycles", evil)), "-b")
ok(r.code == 6 and "\x1b" not in r.err and "\u009b" not in r.err,
   "nor in the message about them", repr(r.err))

# ---- the person's rights ---------------------------------------------------
if os.geteuid() == 0:
    secret = keep(text, "secret.csv")
    os.chmod(secret, 0o600)
    os.chmod(".", 0o755)
    user = dict(os.environ, SUDO_UID="65534", SUDO_GID="65534")
    for cmd in (["--replay", secret, "-b"], ["summary", secret],
                ["compare", secret, secret]):
        r = Run(*cmd, env=user)
        ok(r.code in (1, 3) and "denied" in r.err,
           "under sudo %s opens what the user may open" % cmd[0], r.err)

# ---- memory does not grow with the file --------------------------------
def memory(frames):
    Run("--sim", "m1,clock=step", "--csv", "long.csv", "--force", "-n",
        str(frames))
    return most("--replay", "long.csv", "-b")


if CAN:
    small, large = (memory(n) for n in (500, 12000 if LONG else 4000))
    ok(0 < small and 0 < large < small + 400,
       "replaying many times as much takes no more memory", [small, large])
    os.unlink("long.csv")
else:
    skip("replaying many times as much takes no more memory",
         "no /proc, and no ps")
finish()
