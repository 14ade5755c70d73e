"""Recordings: shape, numbers, columns that never change."""
import csv
import os
import re
import subprocess

from tap import KTOP, Run, finish, ok, record, rows_of, same

r = Run("--sim", "m1,seed=1,clock=step", "--csv", "-", "-n", "5")
same(r.code, 0, "five frames of the simulated M1 end with 0")
lines = r.out.split("\n")
same(lines.pop(), "", "the last row is whole")
same(len(lines), 1 + 5 * 8, "a header and 8 rows a frame")
same({len(x) for x in csv.reader(lines)}, {lines[0].count(",") + 1},
     "every row has as many fields as the header")
ok('"' not in r.out, "nothing needs quotes here, numbers least of all")
ok(all(re.fullmatch(r"[a-z0-9_]+", c) for c in lines[0].split(",")),
   "column names are plain words")
listed = [x.split("\t")[0] for x in Run("--list-columns").out.splitlines()[1:]]
same(lines[0].split(","), listed, "the header is what --list-columns lists")

rows = rows_of(r.out)
same([x["sample"] for x in rows], [str(i // 8) for i in range(40)],
     "frames are numbered from 0")
same([x["cpu"] for x in rows[:8]], [str(i) for i in range(8)],
     "a frame has every CPU in order")
same({x["interval_s"] for x in rows}, {"1.0"}, "each covers one interval exactly")
same([x["elapsed_s"] for x in rows[::8]], ["1.0", "2.0", "3.0", "4.0", "5.0"],
     "elapsed time runs on")
same({x["schema"] for x in rows}, {"ktop/2"}, "every row names its schema")
same({x["source"] for x in rows}, {"sim"}, "and that it is simulated")
same({x["run"] for x in rows}, {rows[0]["run"]}, "and the run")
ok(all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", x["time"])
       for x in rows), "time is ISO 8601 with milliseconds")

checked = 0
for x in rows:
    if x["ipc"] == "" or int(x["cycles"]) == 0:
        continue
    want = int(x["instructions"]) / int(x["cycles"])
    if abs(float(x["ipc"]) - want) > 1e-8 * max(want, 1):
        ok(False, "ipc is instructions / cycles of its row", x)
    checked += 1
ok(checked >= 20, "ipc is instructions / cycles in %d rows" % checked)
ok(any(x["ev_cycles"] not in ("", "0") for x in rows),
   "the slots count cycles in their own domain")
for i in range(1, 11):
    if any((x["e%d" % i] == "") != (x["c%d" % i] == "") for x in rows):
        ok(False, "slot %d has a name and a count, or neither" % i)
ok(True, "slots have names and counts together")

again = Run("--sim", "m1,seed=1,clock=step", "--csv", "-", "-n", "5")
same(again.out, r.out, "the same seed gives the same bytes")

rotated = record("--sim", "m1,seed=1,clock=step", "-n", "6", "--rotate",
                 "basic,branch,l1d")
cores = [x for x in rotated if x["row"] == "cpu"]
swaps = [x for x in rotated if x["row"] == "event-change"]
same([x["preset"] for x in cores[::8]],
     ["basic", "branch", "l1d", "basic", "branch", "l1d"],
     "sets take turns on the tick")
same([x["note"] for x in swaps[:2]],
     ["basic to branch", "branch to l1d"], "a swap is a row of its own")
ok(all(list(x) == listed and None not in x.values() for x in rotated),
   "a swap does not change the columns")
same({x["interval_s"] for x in cores}, {"1.0"}, "and costs no time")
same([x["quality"] for x in cores if "event-change" in x["quality"]], [],
     "nor is a row in trouble whose events were counted all the time")
slow = [x for x in record("--sim", "m1,clock=step,fault=slow:20ms@2.5s-4.5s",
                          "-n", "8", "--rotate", "basic,branch")
        if x["row"] == "cpu"]
same({"event-change" in x["quality"].split(";") for x in slow
      if x["coverage"] != "" and float(x["coverage"]) < 0.95}, {True},
     "one is where they missed more than a twentieth of it")
same({"event-change" in x["quality"].split(";") for x in slow
      if x["coverage"] != "" and float(x["coverage"]) >= 0.95}, {False},
     "and only there")
totals = [sum(int(x["cycles"]) for x in cores if x["cpu"] == str(c))
          for c in range(8)]
plain = [sum(int(x["cycles"]) for x in
             record("--sim", "m1,seed=1,clock=step", "-n", "6", "--ipc")
             if x["cpu"] == str(c)) for c in range(8)]
ok(all(abs(a - b) <= 0.01 * max(a, b, 1e8) for a, b in zip(totals, plain)),
   "fixed counts run on through swaps", [totals, plain])

# A reader that guesses types by the first rows sees 1, and rounds 0.6 to it.
reals = [x.split("\t")[0] for x in Run("--list-columns").out.splitlines()
         if x.split("\t")[1] == "real"]
ok(len(reals) > 40 and {"coverage", "interval_s", "ipc"} <= set(reals),
   "columns of real numbers are told", reals)
same(sorted({(c, x[c]) for x in rotated + slow + rows for c in reals
             if x.get(c, "") != "" and not re.fullmatch(r"-?\d+\.\d+", x[c])})[:5],
     [], "and each of their numbers has a point, by which it is known")
ok(any(x["coverage"] == "1.0" for x in rotated), "also when it is whole")

ipc = record("--sim", "m1,clock=step", "--ipc", "-n", "2")
same({(x["preset"], x["domain"], x["e1"], x["c1"], x["ev_cycles"])
      for x in ipc}, {("", "", "", "", "")}, "IPC mode has empty slots")
ok(all(x["cycles"] != "" for x in ipc), "and the fixed pair")

every = record("--sim", "m3ultra,clock=step", "-n", "1", "--csv-rows",
               "cpu,cluster,kind,machine")
same([sum(x["row"] == k for x in every)
      for k in ("cpu", "cluster", "kind", "machine")], [32, 6, 2, 1],
     "rows of every level")
whole = [x for x in every if x["row"] == "machine"][0]
same(int(whole["cycles"]),
     sum(int(x["cycles"]) for x in every if x["row"] == "cpu"),
     "the machine's row is the sum of its cores")
same((whole["n_cpus"], whole["n_ok"]), ("32", "32"), "and says how many")
same({x["die"] for x in every if x["row"] == "cluster"}, {"0", "1"},
     "clusters name their die")

woken = record("--sim", "m1,clock=step,os=15.5,fault=off:P@5s-9s", "-n", "14",
               "--csv-rows", "cpu,cluster,machine")
apart = []
mixed = 0
for g in (x for x in woken if x["row"] != "cpu" and x["cycles"]):
    cpus = [x for x in woken if (x["row"], x["sample"]) == ("cpu", g["sample"])
            and x["cycles"] and g["cluster"] in ("", x["cluster"])]
    own = [float(x["interval_s"]) for x in cpus]
    busy = sum(t * float(x["busy_pct"]) for t, x in zip(own, cpus)) / sum(own)
    mixed += len(set(own)) > 1
    interval = float(g["interval_s"])
    for column, want in (
            ("interval_s", sum(own) / len(own)),
            ("busy_pct", busy),
            ("gips", int(g["instructions"]) / interval / 1e9),
            ("ghz", int(g["cycles"]) * 100 / busy / interval / len(own) / 1e9)):
        if abs(float(g[column]) - want) > 1e-7 * want:
            apart.append((g["sample"], g["row"], column, g[column], want))
ok(mixed > 0, "CPUs of a group catch up while others do not")
same(apart, [], "a group's time, busy share, rate and clock agree with its counts")

six = record("--sim", "m6,clock=step", "-n", "1", "--csv-rows",
             "cpu,cluster,kind,machine")
same([(x["kind"], x["level"], x["n_cpus"]) for x in six if x["row"] == "kind"],
     [("Super", "0", "2"), ("Performance", "1", "4"), ("Efficiency", "2", "6")],
     "three kinds of core, the fastest first, with their levels")
same([(x["cluster"], x["level"]) for x in six if x["row"] == "cluster"],
     [("E", "2"), ("S", "0"), ("P", "1")], "their clusters by CPU")

first = Run("--sim", "m1,clock=step", "--csv", "file.csv", "-n", "1")
same(first.code, 0, "a recording alone needs no terminal")
before = open("file.csv").read()
second = Run("--sim", "m1,clock=step", "--csv", "file.csv", "-n", "2")
same(second.code, 1, "an existing file is refused")
ok("--force" in second.err, "with the remedy", second.err)
same(open("file.csv").read(), before, "and left alone")
third = Run("--sim", "m1,clock=step", "--csv", "file.csv", "-n", "2",
            "--force")
same((third.code, len(open("file.csv").readlines())), (0, 17),
     "--force replaces it")
if os.path.exists("/dev/full"):
    full = Run("--sim", "m1,clock=step", "--csv", "/dev/full", "-n", "2")
    same(full.code, 1, "a full disk is a failure")
    same(full.err.count("\n"), 1, "said in one line")
    ok("free some space" in full.err and "lost" not in full.err,
       "before anything was recorded nothing is lost")
    out = subprocess.run([KTOP, "--sim", "m1,clock=step", "-b", "-n", "3"],
                         stdout=open("/dev/full", "w"),
                         stderr=subprocess.PIPE, text=True)
    ok("standard output: 3 samples were lost" in out.stderr,
       "standard output has its name, not -")
reader, writer = os.pipe()
os.close(reader)
out = subprocess.run([KTOP, "--sim", "m1,clock=step", "--csv", "-", "-n", "3"],
                     stdout=writer, stderr=subprocess.PIPE, text=True)
os.close(writer)
ok("free some space" not in out.stderr, "a closed pipe needs no space",
   out.stderr)



locale = Run("--sim", "m1,seed=1,clock=step", "--csv", "-", "-n", "5",
             env=dict(os.environ, LC_ALL="de_DE.UTF-8"))
same(locale.out, r.out, "the locale changes no number")
finish()
