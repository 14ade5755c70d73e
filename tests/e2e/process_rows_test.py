"""Rows of processes: sums to the unit, names of any kind, replays, summaries."""
import collections
import csv
import glob
import json
import os
import re
import sqlite3

from tap import Run, finish, json_differs, ok, rows_of, same, samples_of

SPEC = "m1,clock=step"
KINDS = ("process", "other-processes", "unattributed")


def number(row, column):
    return int(row[column] or 0)


def total(rows, column):
    return sum(number(r, column) for r in rows)


def split(frame):
    return ([r for r in frame if r["row"] == "cpu"],
            [r for r in frame if r["row"] in KINDS])


# However many rows are asked for, they are what the cores did.
for spec, n in ((SPEC, 5), (SPEC, 4096), ("m2max,clock=step,seed=3", 24),
                ("intel,clock=step", 7)):
    r = Run("--sim", spec, "--processes=%d" % n, "--csv", "-", "-n", "12")
    frames = samples_of(rows_of(r.out))
    bad = []
    for frame in frames:
        cores, rows = split(frame)
        fast = [c for c in cores if c["level"] == "0"]
        for column, part in (("cycles", "pcycles"),
                             ("instructions", "pinstructions")):
            if total(cores, column) != total(rows, column):
                bad.append("%s: %d of %d" % (column, total(rows, column),
                                             total(cores, column)))
            if spec[:5] != "intel" and \
                    total(fast, column) != total(rows, part):
                bad.append("%s: %d of %d" % (part, total(rows, part),
                                             total(fast, column)))
        if any(number(r, c) for r in rows if r["row"] == "unattributed"
               for c in ("cycles", "instructions")):
            bad.append("a rest where there is none")
    same(len(frames), 12, "%s, %d rows: all frames" % (spec, n))
    same(bad[:5], [], "  their sums are those of the cores, of each kind too")
    same({len(split(f)[1]) <= n + 2 for f in frames}, {True},
         "  no more rows than asked for")
    same({[x["row"] for x in f][-1] for f in frames}, {"other-processes"},
         "  the others end the frame")
    busy = [[number(x, "user_ns") + number(x, "system_ns")
             for x in f if x["row"] == "process"] for f in frames]
    ok(all(b == sorted(b, reverse=True) for b in busy),
       "  the busiest first", busy[0])

# Names are whatever programs call themselves.
r = Run("--sim", SPEC, "--processes=4096", "--csv", "-", "-n", "2")
rows = [x for x in rows_of(r.out) if x["row"] == "process"]
ok(all(c.isprintable() for x in rows for c in x["process"]),
   "nothing in a name acts")
ok(any(not x["process"].isascii() for x in rows),
   "names of any kind are there", {x["process"] for x in rows})
ok(all(int(x["pid"]) >= 0 and x["start"] != "" and x["user"] != ""
       for x in rows), "each has its identity and its user")
same(len({(x["sample"], x["pid"], x["start"]) for x in rows}), len(rows),
     "no identity is twice in a frame")
ok(all(x["busy_pct"] == "" and x["e1"] == "" and x["bottleneck"] == ""
       for x in rows), "what is of cores alone is empty")

# Machines that tell less leave fields empty: never 0 for what nobody counted.
P = ("pcycles", "pinstructions", "ptime_ns", "other_ns", "penergy_nj",
     "p_share_pct")
for spec, empty, there in (
        ("vm", P + ("cycles", "instructions", "ipc", "ghz", "energy_nj"),
         ("user_ns", "cpu_pct")),
        ("m1,os=12.6", P + ("energy_nj",), ("cycles", "ipc", "user_ns")),
        ("intel", P + ("energy_nj",), ("cycles", "ipc", "user_ns")),
        ("m5max", (), P[:4] + ("p_share_pct", "energy_nj", "cycles", "ipc"))):
    r = Run("--sim", spec + ",clock=step", "--processes=3", "--csv", "-",
            "-n", "3")
    rows = [x for x in rows_of(r.out) if x["row"] == "process"]
    ok(len(rows) > 3, "%s: there are processes" % spec, r.err)
    same([c for c in empty if any(x[c] for x in rows)], [],
         "  what it does not tell is empty")
    same([c for c in there if not all(x[c] for x in rows)], [],
         "  what it tells is there")
    same({"no counters" in x["quality"] for x in rows}, {spec == "vm"},
         "  the word for it")

# Without the option nothing is another than it was.
r = Run("--sim", SPEC, "--csv", "old.csv", "--json", "old.json", "-n", "3")
head = open("old.csv").readline()
for first, then in (([], ["--processes"]), (["--processes"], [])):
    Run("--sim", "m1,clock=step", "--csv", "more.csv", "--force", "-n", "1", *first)
    r = Run("--sim", "m1,clock=step", "--csv", "more.csv", "--append", "-n", "1", *then)
    rows = rows_of(open("more.csv").read())
    same((r.code, r.err, [x["run"] for x in rows if x["row"] == "process"] == []),
         (0, "", False), "appended with %s to one with %s" % (then, first))
    same({x["run"] == rows[0]["run"] for x in rows if x["pid"]}, {first != []},
         "  and processes are where they were asked for")
ok(head == open("more.csv").readline(),
   "recordings without processes have the same columns")
r = Run("--replay", "old.csv", "-b", "--processes")
ok(r.code != 0 and "has no processes" in r.err and r.out == "",
   "and a replay says so", r.err)

# JSON lines have the same.
Run("--sim", SPEC, "--processes=4", "--csv", "js.csv", "--json", "js.json",
    "-n", "6")
with open("js.csv") as f, open("js.json") as g:
    bad = json_differs(csv.DictReader(f), (json.loads(x) for x in g))
same(bad[:5], [], "JSON lines have the values of the CSV")

# A replay shows what there was, and records the same again.
live = Run("--sim", SPEC, "--processes=5", "-n", "30", "--csv", "run.csv")
same(live.code, 0, "a recording")
text = Run("--sim", SPEC, "--processes=5", "-n", "30", "-b")
again = Run("--replay", "run.csv", "--processes=5", "-b")
same(again.out, text.out, "its replay is the live run, line by line")


def without_run(name):
    with open(name) as f:
        return [[x for i, x in enumerate(r) if i != 2] for r in csv.reader(f)]


r = Run("--replay", "run.csv", "--csv", "cores.csv")
ok(r.code == 0 and "process" not in {
    x["row"] for x in csv.DictReader(open("cores.csv"))} and
   r.err == "ktop: the processes of the recording are not recorded again; "
   "add --processes to keep them\n", "without them it says so", r.err)
r = Run("--replay", "run.csv", "--processes=5", "--csv", "again.csv")
same(r.err, "", "with them it says nothing")
same(without_run("again.csv") == without_run("run.csv"), True,
     "recorded again it is the same")
Run("--sim", SPEC, "--processes=5", "-n", "30", "--csv", "seg.csv",
    "--csv-rotate", "64K")
parts = sorted(glob.glob("seg*.csv"))
ok(len(parts) > 2, "in several files", parts)
again = Run("--replay", *parts[::-1], "--processes=5", "-b")
same(again.out, text.out, "they are one recording, in any order")

# In trouble as well: late counts, cores that sleep, pids that come back.
for fault in ("lag:10ms@2s-9s", "off:P@3s-6s", "reuse@3s", "vanish@3s-6s"):
    spec = "%s,fault=%s" % (SPEC, fault)
    Run("--sim", spec, "--processes=6", "-n", "12", "--csv", "bad.csv",
        "--force")
    live = Run("--sim", spec, "--processes=6", "-n", "12", "-b")
    same(Run("--replay", "bad.csv", "--processes=6", "-b").out, live.out,
         "%s: a replay is the live run" % fault)
    frames = samples_of(rows_of(open("bad.csv").read()))
    over = [total(split(f)[1], "cycles") - total(split(f)[0], "cycles")
            for f in frames]
    late = [any("delayed" in x["quality"] for x in f) for f in frames]
    same([n for n, skew in zip(over, late) if n and not skew], [],
         "  and sums stay exact, or say that the rest is unknown")
    ok(all(not x[c].startswith("-") for f in frames for x in f
           for c in ("cycles", "instructions", "user_ns", "pcycles")),
       "  nothing is ever negative")
    # What came late in one frame was missing in another, if not in the last.
    rest = [x for x in rows_of(Run("summary", "bad.csv", "--csv", "-").out)
            if x["row"] == "unattributed"][0]
    less = [sum(total(split(f)[0], c) -
                sum(number(x, c) for x in split(f)[1] if x["row"] != "unattributed")
                for f in frames) for c in ("cycles", "instructions")]
    same([rest["cycles"], rest["instructions"]],
         [str(x) if min(less) >= 0 else "" for x in less],
         "  in all the rest has what no process has")

# A frame of fewer rows: what has no row any more is one of the others.
r = Run("--replay", "run.csv", "--processes=2", "--csv", "-")
same([total(split(f)[1], "cycles") for f in samples_of(rows_of(r.out))],
     [total(split(f)[0], "cycles") for f in samples_of(rows_of(r.out))],
     "fewer rows of a recording: its sums stay")

# Killed in the midst of its last frame.
with open("run.csv") as f:
    lines = f.readlines()
last = max(i for i, x in enumerate(lines) if ",process," in x)
with open("cut.csv", "w") as f:
    f.writelines(lines[:last])
r = Run("--replay", "cut.csv", "--processes=5", "-b")
same(r.code, 0, "one that ends in the midst of a frame is replayed")
same(r.out.count("\nROW"), 29, "without that frame")

# A summary: per identity, exact.
rows = rows_of(open("run.csv").read())
want = collections.defaultdict(lambda: [0, 0, 0])
for x in rows:
    if x["row"] in KINDS:
        key = (x["row"], x["pid"], x["start"])
        want[key][0] += number(x, "cycles")
        want[key][1] += number(x, "instructions")
        want[key][2] += 1
got = {}
for x in rows_of(Run("summary", "run.csv", "--csv", "-").out):
    if x["row"] in KINDS:
        got[x["row"], x["pid"], x["start"]] = [
            number(x, "cycles"), number(x, "instructions"), int(x["samples"])]
same(got, dict(want), "a summary has the sums of each process")
lines = [json.loads(x) for x in
         Run("summary", "run.csv", "--json", "-").out.splitlines()]
same({x["pid"] for x in lines if x["row"] == "cpu"}, {None},
     "as JSON too; cores have no pid")
text = Run("summary", "run.csv").out
ok("\nprocesses: " in text and "(other processes)" in text and "(unattributed)" in text,
   "as text it has a table of them", text[-1500:])
pairs = [(int(x["pid"]), x["start"]) for x in rows if x["row"] == "process"]
ok("\nprocesses: %d have rows in 30 samples" % len(set(pairs)) in text,
   "two lives of a pid are two", text[-1500:])
most = max((x for x in want if x[0] == "process"),
           key=lambda k: sum(number(x, "user_ns") + number(x, "system_ns")
                             for x in rows
                             if (x["row"], x["pid"], x["start"]) == k))
ok(re.search(r"^The busiest process was .* \(%s\): \d+%% of one CPU at IPC"
             % most[1], text, re.M), "it names the busiest", text[:500])
wide = Run("summary", "run.csv", "--processes=3").out
same(len(wide.split("\nprocesses: ")[1].splitlines()), 2 + 3 + 3,
     "as many rows as asked for")

# A column has cells, not bytes: of a wide letter two, and never half of it.
table = text.split("\nprocesses: ")[1].splitlines()[2:-1]
with open("run.csv") as f, open("letters.csv", "w") as g:
    g.write(f.read().replace(",ana,", ",中国用户者,").replace(",root,", ",re\u0301my,"))
r = Run("summary", "letters.csv")
shown = r.out.split("\nprocesses: ")[1].splitlines()[2:-1]
moved = [x.replace(" ana      ", " 中国用户 ").replace(" root     ", " re\u0301my     ") for x in table]
ok("中国用户" in r.out and "re\u0301my" in r.out, "users of any letters are in it", r.out[-1500:])
same(shown, moved, "and all else stands where it stood")
old = Run("summary", "old.csv").out
ok("\nprocesses:" not in old, "a recording without them has no such table")

# Two runs, by name: what their rows come to, and no claim.
Run("--sim", "m1,clock=step,seed=2", "--processes=5", "-n", "30", "--csv",
    "two.csv")
by_name, last = [{}, {}], {}
for side, name in enumerate(("run.csv", "two.csv")):
    for x in rows_of(open(name).read()):
        if x["row"] == "process":
            ns = number(x, "user_ns") + number(x, "system_ns")
            last[side, x["pid"], x["start"]] = x["process"]
            by_name[side].setdefault((x["pid"], x["start"]), []).append(ns)
got = {x["name"]: x for x in rows_of(
    Run("compare", "run.csv", "two.csv", "--csv", "-").out)
    if x["row"] == "process" and x["metric"] == "cpu_pct"}
for side, column in enumerate("ab"):
    want_pct = collections.Counter()
    for (pid, start), ns in by_name[side].items():
        want_pct[last[side, pid, start]] += sum(ns) / 30e7
    ok(want_pct and all(abs(float(got[n][column]) - v) < 1e-6
                        for n, v in want_pct.items()) and
       sum(1 for x in got.values() if x[column] != "") == len(want_pct),
       "a comparison by name: side %s" % column, [want_pct, got])
same({x["outcome"] for x in got.values()}, {"not judged"}, "  it claims nothing")
r = Run("compare", "run.csv", "two.csv", "--rows", "process")
ok("\nprocesses, by name: the 10 with" in r.out and
   "not tested for significance" in r.out, "  as text, too", r.out[-2000:])
got = [x for x in rows_of(Run("compare", "--csv", "-", "run.csv", "two.csv",
                              "--", "again.csv", "js.csv").out)
       if x["row"] == "process" and x["metric"] == "cpu_pct"]
means = {}
for side, ns in enumerate(by_name):
    for (pid, start), v in ns.items():
        means.setdefault(last[side, pid, start], {}).setdefault(side, []).append(
            sum(v) / 30e7)
ok({x["units"] for x in got} == {"runs"} and all(
    int(x["n_a"]) == len(means.get(x["name"], {})) and
    (x["name"] not in means or
     abs(float(x["a"]) - sum(map(sum, means[x["name"]].values())) /
         len(means[x["name"]])) < 1e-6) for x in got),
   "  of several runs the means of theirs", [means, got])
ok("processes, by name" not in Run("compare", "old.csv", "run.csv", "--rows", "process").out,
   "  not where one side has none")

# Another user's: a name and nothing else; nobody knows what is missing.
r = Run("--sim", SPEC + ",euid=501", "--processes=4096", "--csv", "-", "-n",
        "3")
same(r.code, 0, "without root one's own are recorded")
rows = [x for x in rows_of(r.out) if x["row"] != "cpu"]
same({x["row"] for x in rows}, {"process", "other-processes"}, "  without a rest")
mine = [x for x in rows if x["uid"] == "501"]
theirs = [x for x in rows if x["uid"] == "0"]
ok(mine and all(x["cycles"] and x["quality"] == "" for x in mine),
   "  with their counts")
ok(theirs and all(x["process"] and x["pid"] and x["quality"] == "denied" and
                  not any(x[c] for c in P + ("cycles", "instructions", "ipc",
                                             "user_ns", "cpu_pct"))
                  for x in theirs), "  those of others are denied")

# A page has counters: of each that is busy, what its rows come to.
Run("--sim", SPEC, "--processes=4096", "-n", "20", "--csv", "page.csv",
    "--openmetrics", "page.prom")
sums, last = collections.Counter(), {}
for x in rows_of(open("page.csv").read()):
    if x["row"] == "process":
        sums[x["pid"], x["start"]] += number(x, "cycles")
        last[x["pid"]] = x["start"], x["process"]
page = re.findall(r'ktop_process_cycles_total{pid="(\d+)",process="([^"]*)"'
                  r'.*} (\d+)', open("page.prom").read())
ok(len(page) > 20, "a page has processes", page)
same([x for x in page if int(x[2]) != sums[x[0], last[x[0]][0]] or
      x[1] != last[x[0]][1]], [], "  each with the sum of its rows")
same(len({x[0] for x in page}), len(page), "  each once")
with open("page.prom") as f:
    same(int(re.search(r"ktop_processes_cycles_total{.*} (\d+)",
                       f.read()).group(1)), sum(sums.values()),
         "  and all together")

# A database has them, too.
db = sqlite3.connect(":memory:")
with open("run.csv") as f:
    fields = list(csv.reader(f))
columns = [x.split("\t")[:2]
           for x in Run("--list-columns").out.splitlines()[1:]]
same([x[0] for x in columns], fields[0],
     "the list of columns is that of the recording")
TYPES = {"integer": "BIGINT", "real": "DOUBLE", "time": "TIMESTAMP",
         "text": "TEXT"}
db.execute("create table ktop (%s)" % ",".join(
    '"%s" %s' % (name, TYPES[kind]) for name, kind in columns))
db.executemany("insert into ktop values (%s)" % ",".join("?" * len(columns)),
               [[x or None for x in row] for row in fields[1:]])
got = {(row, "" if pid is None else str(pid), "" if at is None else str(at)):
       [cycles, work, n] for row, pid, at, cycles, work, n in db.execute(
           "select row, pid, start, sum(cycles), sum(instructions), count(*) "
           "from ktop where row in ('process', 'other-processes', 'unattributed') "
           "group by row, pid, start")}
same(got, dict(want), "  and the sums of each are those of its rows")
page = open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..",
                         "..", "docs", "ktop-csv.5")).read()
query = re.search(r"select process, sum.*?limit 10", page, re.S).group(0)
top = db.execute(re.sub(r"read_csv\(.*?\)", "ktop", query)).fetchall()
cpu = [x[1] for x in top]
ok(1 < len(top) <= 10 and cpu == sorted(cpu, reverse=True) and
   all(x[2] is None or 0 <= x[2] < 8 for x in top),
   "  the manual's example runs", top)
finish()
