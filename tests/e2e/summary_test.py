"""ktop summary against python's own sums of the same recording."""
import csv
import io
import json
import math
import os
import re

from tap import Run, finish, ok, rows_of, same

LONG = bool(os.environ.get("KTOP_LONG"))


def record(name, spec, *args):
    r = Run("--sim", spec + ",clock=step", "--csv", name, "--force", *args)
    same(r.code, 0, "recording " + spec)
    with open(name) as f:
        return [x for x in csv.DictReader(f)]


def summary(*args):
    r = Run("summary", *args, "--csv", "-")
    if r.code != 0:
        ok(False, "summary %s" % (args,), r.err)
    return {(x["row"], x["name"], x["metric"]): x
            for x in csv.DictReader(io.StringIO(r.out))}


def near(got, want):
    return got != "" and abs(float(got) - want) <= 1e-6 * max(abs(want), 1e-9)


def quantile(values, q):
    v = sorted(values)
    at = q * (len(v) - 1)
    low = int(at)
    high = min(low + 1, len(v) - 1)
    return v[low] + (at - low) * (v[high] - v[low])


rows = record("a.csv", "m2max,seed=3,fault=off:P1@20s-31s", "-n", "90",
              "--rotate", "basic,branch")
cores = [x for x in rows if x["row"] == "cpu"]
got = summary("a.csv")
wrong = []


def count(sel, column):
    return sum(int(x[column]) for x in sel if x[column] != "")


def slot(x, event):
    for i in range(1, 11):
        if x["e%d" % i] == event:
            return x["c%d" % i]
    return ""


clusters = sorted({x["cluster"] for x in cores})
groups = [("cluster", c, [x for x in cores if x["cluster"] == c])
          for c in clusters]
groups += [("cpu", "cpu " + n, [x for x in cores if x["cpu"] == n])
           for n in sorted({x["cpu"] for x in cores})]
groups.append(("machine", "all", cores))
for level, name, sel in groups:
    ipc = got[level, name, "ipc"]
    if not near(ipc["whole"], count(sel, "instructions") /
                count(sel, "cycles")):
        wrong.append((level, name, "ipc", ipc["whole"]))
    if count(sel, "cycles") != int(ipc["cycles"]):
        wrong.append((level, name, "cycles"))
    for metric, event in (("branch_mpki", "BRANCH_MISPRED_NONSPEC"),
                          ("l1d_ld_mpki", "L1D_CACHE_MISS_LD_NONSPEC")):
        # In every set that has both: misses per 1000 instructions.
        both = [x for x in sel if slot(x, event) != "" and
                x["ev_instructions"] != ""]
        inst = count(both, "ev_instructions")
        if inst == 0:
            continue
        want = 1000 * sum(int(slot(x, event)) for x in both) / inst
        if not near(got[level, name, metric]["whole"], want):
            wrong.append((level, name, metric, want,
                          got[level, name, metric]["whole"]))
same(wrong, [], "the whole of each row is its counts summed, then divided")
wrong = []
for n in sorted({x["cpu"] for x in cores}):
    sel = [x for x in cores if x["cpu"] == n]
    for metric in ("ipc", "ghz", "branch_mpki", "user_pct"):
        v = [float(x[metric]) for x in sel if x[metric] != ""]
        line = got.get(("cpu", "cpu " + n, metric))
        if line is None:
            if v:
                wrong.append((n, metric))
            continue
        if int(line["samples"]) != len(v):
            wrong.append((n, metric, line["samples"], len(v)))
        for p, q in (("p5", .05), ("p50", .5), ("p95", .95)):
            if v and not math.isclose(float(line[p]), quantile(v, q),
                                      rel_tol=1e-6):
                wrong.append((n, metric, p, line[p], quantile(v, q)))
same(wrong, [], "percentiles are those of the frames' own values")
wrong = []
for n in sorted({x["cpu"] for x in cores}):
    sel = [x for x in cores if x["cpu"] == n]
    line = got["cpu", "cpu " + n, "ipc"]
    want = sum(float(x["interval_s"]) for x in sel if x["cycles"] != "")
    if not near(line["measured_s"], want):
        wrong.append((n, line["measured_s"], want))
    off = sum("off" in x["quality"].split(";") for x in sel)
    if ("off %d s" % off in line["quality"]) != (off > 0):
        wrong.append((n, line["quality"], off))
same(wrong, [], "seconds measured, and what was off in them")
ok(any("off" in x["quality"] for x in got.values()),
   "some of it was off indeed")

# ---- its rows join with the recording's --------------------------------
keys = ("row", "cluster", "kind", "level", "core", "cpu")
record("join.csv", "m3ultra", "-n", "30", "--csv-rows",
       "cpu,cluster,kind,machine")
there = {tuple(x[k] for k in keys) for x in csv.DictReader(open("join.csv"))}
joined = {tuple(x[k] for k in keys) for x in summary("join.csv").values()}
same(joined, there, "each row has cluster, level, core and cpu as they are "
     "recorded")
same(len(joined), 32 + 6 + 2 + 1, "  and they are all different")
same(list(summary("join.csv").values())[0]["level"], "",
     "  the machine has none")

# ---- sets that take turns are no trouble -------------------------------
record("turns.csv", "m1,seed=2", "-n", "20", "--rotate", "basic,branch")
same({x["quality"] for x in summary("turns.csv").values()
      if x["row"] != "cpu" and "event-change" in x["quality"]}, set(),
     "sets that take turns are to be relied on")
# As it was written before: every row of a swap has the word.
with open("turns.csv") as f:
    turns = list(csv.DictReader(f))
with open("old.csv", "w") as f:
    w = csv.DictWriter(f, turns[0], lineterminator="\n")
    w.writeheader()
    for x in turns:
        q = [y for y in x["quality"].split(";") if y] + ["swap"]
        w.writerow(dict(x, quality=";".join(q)))
same({x["quality"] for x in summary("old.csv").values()
      if "event-change" in x["quality"]}, set(), "also in older recordings")

# ---- what is caught up is not counted twice ----------------------------
record("p.csv", "m1,fault=off:P@4s-8s", "-n", "14", "-d", "1s")
busy = summary("p.csv")
same({(x["row"], x["name"]): x["measured_s"] for x in busy.values()
      if x["metric"] == "ipc"},
     {(x["row"], x["name"]): "14" for x in busy.values()
      if x["metric"] == "ipc"}, "no row is longer than its recording")


def core_busy(kind):
    """Of the cores' own rows: busy seconds, and seconds."""
    sel = [x for x in csv.DictReader(open("p.csv")) if x["row"] == "cpu" and
           x["busy_pct"] != "" and kind in ("all", x["kind"])]
    return (sum(float(x["busy_pct"]) / 100 * float(x["interval_s"])
                for x in sel), sum(float(x["interval_s"]) for x in sel))


for row, name in (("machine", "all"), ("kind", "Performance"),
                  ("kind", "Efficiency")):
    b, s = core_busy(name)
    ok(near(busy[row, name, "ipc"]["busy_pct"], 100 * b / s),
       "%s: busy as its cores were" % name,
       (busy[row, name, "ipc"]["busy_pct"], 100 * b / s))
same([x["coverage_pct"] for x in busy.values()
      if float(x["coverage_pct"]) > 100.001], [], "nothing covers over 100 %")
long = record("q.csv", "m2max", "-n", "200", "-d", "1s")
same({x["measured_s"] for x in summary("q.csv").values()}, {"200"},
     "nor where the system parks clusters")
ok(any("off" in x["quality"] for x in long), "  as it did")
# A core whose counters stand still, though its time is known all along.
lines = open("p.csv").read().split("\n")
head = lines[0].split(",")
for i, x in enumerate(lines):
    cells = x.split(",")
    if cells[1:2] == ["cpu"] and "off" in cells[head.index("quality")]:
        cells[head.index("busy_pct")] = "100"
        lines[i] = ",".join(cells)
open("s.csv", "w").write("\n".join(lines))
same({k: x["busy_pct"] for k, x in summary("s.csv").items()},
     {k: x["busy_pct"] for k, x in busy.items()},
     "busy time that is caught up replaces what was known before")

# ---- bottlenecks: time in each, and what is lost --------------------------
def spent(rows, begin=0.0, end=1e9):
    """Of the recording's own columns: % of time by word, cycles lost."""
    out, before = {}, {}
    for x in rows:
        key = x["row"], x["cluster"], x["kind"], x["cpu"]
        at = float(x["elapsed_s"])
        part, before[key] = at - before.get(key, 0.0), at
        if not begin < at <= end:
            continue
        time = out.setdefault(key, {})
        # Its events judge nothing, or it is the machine, which has none.
        word = x["bottleneck"] or (x["row"] != "machine" and "unknown")
        if word:
            time[word] = time.get(word, 0) + part
    for key, time in out.items():
        whole = sum(time.values())
        for word in time:
            time[word] *= 100 / whole
        time["lost"] = sum(
            int(x["lost_cycles"]) / 1e9 for x in rows
            if x["row"] == "cpu" and x["lost_cycles"] != "" and
            begin < float(x["elapsed_s"]) <= end and
            all(k in ("", y) for k, y in zip(
                key[1:], (x["cluster"], x["kind"], x["cpu"]))))
    return out


def said(rows):
    out = {}
    for x in rows.values():
        if x["metric"].startswith(("bottleneck_", "lost_cycles")) and \
                x["whole"] not in ("", "0"):
            word = x["metric"].replace("bottleneck_", "").replace("_cycles", "")
            out.setdefault((x["row"], x["cluster"], x["kind"] if x["row"] != "machine"
                            else "", x["cpu"]), {})[word] = float(x["whole"])
    return out


def agree(got, want):
    """Words that differ in any row."""
    return [(k, got.get(k, {}).get(w, 0), want[k].get(w, 0), w)
            for k in want for w in set(want[k]) | set(got.get(k, {}))
            if abs(got.get(k, {}).get(w, 0) - want[k].get(w, 0)) > 1e-4]


done = record("v.csv", "m2max,seed=4,work=phases,fault=off:P1@9s-15s", "-n",
              "60", "-d", "1s", "--rotate", "basic,topdown", "--csv-rows",
              "cpu,cluster,kind,machine")
done = [x for x in done if x["row"] in ("cpu", "cluster", "kind", "machine")]
found = summary("v.csv")
same(agree(said(found), spent(done)), [],
     "time in each bottleneck, and what is lost, are the recording's")
same(len(said(found)), 12 + 3 + 2 + 1, "  of every row")
words = {w for x in said(found).values() for w in x}
ok({"off", "memory", "none", "bad-spec", "lost"} <= words, "  of many kinds",
   words)
same({round(sum(float(x["whole"]) for x in found.values()
                if x["metric"].startswith("bottleneck_") and
                (x["row"], x["name"]) == row), 6)
      for row in {(x["row"], x["name"]) for x in found.values()}
      if row[0] != "machine"}, {100.0},
     "  which is all the time there is")
same(agree(said(summary("v.csv", "--from", "12", "--to", "31")),
           spent(done, 12, 31)), [],
     "a part of it is judged by what was before, as it was recorded")
with open("nov.csv", "w") as f:
    w = csv.DictWriter(f, [x for x in done[0] if x not in
                           ("lost_pct", "lost_cycles",
                            "bottleneck")], extrasaction="ignore",
                       lineterminator="\n")
    w.writeheader()
    w.writerows(done)
same(said(summary("nov.csv")), said(found),
     "recordings without the columns are judged from their counts")
text = Run("summary", "v.csv").out
ok(re.search(r"\ncpu 8 \(Performance\).*\n(.*\n)?  bottleneck: .*off \d+\.\d%"
             r".* of its time; [0-9.]+ x 10\^9 cycles lost\n", text),
   "as text too", text[:900])


def answer(name, sim, *how):
    """The sentence before the numbers."""
    record(name, sim, "-n", "20", "-d", "1s", *how)
    return Run("summary", name).out.splitlines()[3]


for sim, want in (
        ("m1,work=P:memory", r"P lost \d+\.\d% of the machine's cycles; it is "
                             r"memory bound 100% of its time\."),
        ("m4max,work=compute,work=cpu9:memory",
         r"cpu 9 lost \d\.\d% of .*; it is memory bound 100% of its time\."),
        # A fifth of one core's slots: the screen flags nothing, either.
        ("m4max,work=compute,work=cpu9:branchy",
         r"No bottleneck flagged; \d+\.\d% of the machine's cycles were lost\."),
        ("m1,work=compute", r"No bottleneck flagged; \d+\.\d% of the machine's "
                            r"cycles were lost\."),
        ("m1,work=kernel", r"No bottleneck flagged; P is mostly in the "
                           r"kernel\.")):
    said_first = answer("first.csv", sim)
    ok(re.fullmatch(want, said_first), "one sentence first: " + sim, said_first)

# What could not be judged is said as the live program says it.
live = Run("--sim", "m1,clock=step", "--ipc", "-b", "-n", "1").out
for sim in ("m1", "m1,work=memory"):
    same(answer("ipc.csv", sim, "--ipc"), live.splitlines()[1],
         "without events no cause can be named: " + sim)
    ok("cycles lost" not in Run("summary", "ipc.csv").out, "  and no loss")
live = Run("--sim", "m1,clock=step", "-p", "dtlb", "-b", "-n", "20").out
few = answer("l1d.csv", "m1", "-p", "dtlb")
ok(re.sub(r"^\d", "N", few) in re.sub(r"\n\d", "\nN", live),
   "nor with events that cannot tell", few)
ok("cycles lost" not in Run("summary", "l1d.csv").out, "  and no loss")

text = Run("summary", "a.csv")
same((text.code, text.err), (0, ""), "as text")
for word in ("cluster P1 (Performance)", "cpu 3", "unreliable: ",
             "off 11 s", "ipc", "p95", "90 samples in 90 s"):
    ok(word in text.out, "it says " + word, text.out[:1500])
record("one.csv", "m1", "-n", "1", "-d", "1s")
one = Run("summary", "one.csv").out
ok("1 sample in 1 s; 0 markers, 0 event changes, 0 lost intervals\n" in one,
   "one sample is no plural", one[:300])
rows_json = [json.loads(x) for x in
             Run("summary", "a.csv", "--json", "-").out.splitlines()]
same(len(rows_json), len(got), "as JSON lines, with the same rows")
same({(x["row"], x["name"], x["metric"]): str(x["samples"])
      for x in rows_json}, {k: v["samples"] for k, v in got.items()},
     "and the same numbers")

# ---- a part of it ------------------------------------------------------
cell = summary("a.csv").get(("machine", "all", "lost_pct"))
ok(cell and cell["whole"] == "" and cell["p50"] != "",
   "what is lost has a value in each frame, and none in their sums", cell)
part = summary("a.csv", "--from", "10", "--to", "20")
same(summary("a.csv", "--from", "0:10", "--to", "0:00:20"), part,
     "minutes and hours go by colons, too")
for args, want in ((("--from", "10", "--to", "20"), "10 samples in 10 s"),
                   (("--from", "85"), "5 samples in 5 s"),
                   (("--to", "7"), "7 samples in 7 s")):
    text = Run("summary", "a.csv", *args).out
    ok(text.splitlines()[1].startswith(want + ";"), "a part says: " + want,
       text[:300])
sel = [x for x in cores if 10 < float(x["elapsed_s"]) <= 20]
same(part["machine", "all", "ipc"]["samples"], "10", "--from and --to: ten frames")
ok(near(part["machine", "all", "ipc"]["whole"],
        count(sel, "instructions") / count(sel, "cycles")), "of that time")
date = summary("a.csv", "--from", cores[0]["time"].replace(":01.", ":10."),
               "--to", cores[0]["time"].replace(":01.", ":20."))
same(date["machine", "all", "ipc"]["whole"], part["machine", "all", "ipc"]["whole"],
     "by the clock on the wall just as well")
lines = open("a.csv").read().split("\n")
head = lines[0].split(",")


def mark(after, text):
    last = max(i for i, x in enumerate(lines) if x.split(",")[3:4] == [after])
    cells = [""] * len(head)
    cells[:6] = lines[last].split(",")[:6]
    cells[1] = "marker"
    cells[head.index("note")] = text
    lines.insert(last + 1, ",".join(cells))


mark("9", "begin")
mark("19", "done")
open("m.csv", "w").write("\n".join(lines))
for how in ("begin..done", "1..2", "begin..2"):
    same(summary("m.csv", "--mark", how)["machine", "all", "ipc"]["whole"],
         part["machine", "all", "ipc"]["whole"], "from mark to mark: " + how)
same(summary("a.csv", "--mark", "10s..20s")["machine", "all", "ipc"]["whole"],
     part["machine", "all", "ipc"]["whole"], "from time to time")
same(summary("m.csv", "--mark", "0:10..done")["machine", "all", "ipc"]["whole"],
     part["machine", "all", "ipc"]["whole"], "from a time to a mark")
same(summary("m.csv", "--mark", "start..done", "--from", "10")
     ["machine", "all", "ipc"]["whole"],
     part["machine", "all", "ipc"]["whole"], "from the start, and --from holds too")
same(summary("m.csv", "--mark", "done..end")["machine", "all", "ipc"]["samples"],
     "70", "to the end")
r = Run("summary", "a.csv", "--mark", "10..20")
ok(r.code == 2 and "no marker '10'" in r.err, "a bare number is a mark's", r.err)
same(said(summary("m.csv", "--mark", "1..2")), said(part),
     "bottlenecks of that part, too")
same(summary("m.csv", "--mark", "done..")["machine", "all", "ipc"]["samples"],
     "70", "and to the end")
text = open("m.csv").read()
open("named.csv", "w").write(text.replace("begin", "20s").replace("done", "start"))
same(summary("named.csv", "--mark", "20s..start")["machine", "all", "ipc"]["whole"],
     part["machine", "all", "ipc"]["whole"], "a mark's name goes before a time")
r = Run("summary", "m.csv", "--mark", "begin..nowhere")
ok(r.code == 2 and "nowhere" in r.err, "no such mark", r.err)
r = Run("summary", "a.csv", "--from", "yesterday")
ok(r.code == 2 and "yesterday" in r.err, "no such time", r.err)
r = Run("summary", "a.csv", "--from", "1h")
ok(r.code == 2 and "no sample in this part" in r.err, "nothing in that part", r.err)
same(Run("summary").code, 2, "a file is needed")
same(Run("summary", "nowhere.csv").code, 6, "that is there")


# Rates of events: names and numbers of any length have room in their columns.
Run("--sim", "m1,clock=step", "--csv", "rates.csv", "-n", "9",
    "--events", "INST_ALL,BRANCH_MISPRED_NONSPEC,ATOMIC_OR_EXCLUSIVE_FAIL")
block = Run("summary", "rates.csv").out.split("\nmachine: ")[1].split("\n\n")[0]
table = block.split("\n  metric ")[1].split("\n")
lines = [x for x in table[1:] if x.strip()]
end = len("  metric ") + len(table[0])
ok(any("branch_mispred_nonspec_per_s " in x for x in lines) and
   all(x[:end][-1].isdigit() and x[end:end + 1] == " " and
       len(x[:end].split()) == 6 for x in lines), "they stand in line", block)
of = {x["metric"]: x["whole"] for x in rows_of(
    Run("summary", "rates.csv", "--csv", "-").out) if x["row"] == "machine"}
said = {x.split()[0]: float(x.split()[1]) * (1e6 if "10^6 per" in x else 1)
        for x in lines if "_per_s " in x}
ok(len(said) > 1 and
   all(abs(float(of[m]) - v) < 501 for m, v in said.items()),
   "and are those of the rows", (said, of))
# ---- when it changed --------------------------------------------------------
def changed(spec, n):
    r = Run("--sim", spec + ",clock=step", "--csv", "change.csv", "--force", "-n", str(n))
    same(r.code, 0, "recording " + spec)
    return [x for x in Run("summary", "change.csv").out.splitlines()[:12]
            if re.match(r"At \S+ s |No cluster's IPC changed", x)]


got = changed("m1,work=compute,work=P:phases", 60)
ok(len(got) == 2 and
   re.fullmatch(r"At 20 s P's IPC fell from 3\.\d\d to 0\.\d\d \(-8\d%\), for 20 s\.", got[0]) and
   re.fullmatch(r"At 40 s P's IPC rose from 0\.\d\d to 1\.\d\d \(\+\d+%\), to the end\.", got[1]),
   "when IPC changed for long, where and by how much", got)
same(len(changed("m1,work=P:phases", 700)), 5, "the five largest of many")
r = Run("summary", "change.csv", "--json", "-").out.splitlines()[-15:]
r = [json.loads(x) for x in r]
same([x["metric"] for x in r],
     ["ipc_change_at", "ipc_change_from", "ipc_change_to"] * 5, "as rows, too")
ok(all((x["row"], x["name"]) == ("cluster", "P") for x in r) and
   all(a["whole"] % 20 == 0 and b["whole"] != c["whole"]
       for a, b, c in zip(r[::3], r[1::3], r[2::3])), "with when, from and to what", r)
got = Run("summary", "change.csv", "--from", "1:30", "--to", "4:00").out
ok("At 100 s P's IPC fell from " in got, "times are as --from has them", got[:600])
same(changed("m1,work=P:phases", 12), [], "nothing is said of a few frames")
# Calm ones: always the same work, or another mixture every 2 s on each CPU.
seeds = 60 if LONG else 12
alarms = {}
for work in ("compute", "branchy", "blend"):
    for n in (120, 400):
        alarms[work, n] = [x for seed in range(seeds) for x in
                           changed("m1,work=%s,seed=%d" % (work, seed), n)
                           if x.startswith("At")]
same([k for k, x in alarms.items() if k[0] != "blend" and x], [],
     "steady work does not change")
ok(sum(map(len, alarms.values())) <= 0.02 * 6 * seeds,
   "wandering work seldom does", alarms)
# Energy and traffic: what was published, times its span, and no more.
def power_of(rows_, cluster, value, span):
    return sum(float(x[value]) * float(x[span]) for x in rows_
               if x["row"] == "power" and x["cluster"] == cluster and x[value])


for spec in ("m1,seed=3,power=os", "m5max,seed=2,power=2s,os=27"):
    rows = record("p.csv", spec, "-n", "40")
    got = summary("p.csv")
    clusters = sorted({x["cluster"] for x in rows
                       if x["row"] == "power" and x["cluster"]})
    wrong = []
    for row, name, cluster in [("machine", "all", "")] + \
            [("cluster", c, c) for c in clusters]:
        energy = power_of(rows, cluster, "power_w", "power_span_s")
        span = sum(float(x["power_span_s"]) for x in rows
                   if x["row"] == "power" and x["cluster"] == cluster
                   and x["power_w"])
        # Spans without a known number of instructions have no part in it.
        known = [x for x in rows if x["row"] == "power" and
                 x["cluster"] == cluster and x["nj_per_instruction"]]
        joules = [float(x["power_w"]) * float(x["power_span_s"])
                  for x in known]
        nj = sum(joules) / sum(j / float(x["nj_per_instruction"])
                               for j, x in zip(joules, known))
        for metric, want in ("energy_j", energy), ("power_w", energy / span), \
                ("energy_span_s", span), ("nj_per_instruction", nj):
            if not near(got[row, name, metric]["whole"], want):
                wrong.append((name, metric, want,
                              got[row, name, metric]["whole"]))
    for metric, value in ("dram_j", "dram_w"), ("gpu_j", "gpu_w"), \
            ("dram_gb", "dram_gbs"):
        want = power_of(rows, "", value, value + "_span_s")
        if not near(got["machine", "all", metric]["whole"], want):
            wrong.append((metric, want,
                          got["machine", "all", metric]["whole"]))
    same(wrong, [], "sums of energy and traffic, " + spec)
share = float(summary("p.csv")["machine", "all", "dram_gbs"]["whole"])
ok(("machine", "all", "dram_ceiling_pct") not in summary("p.csv"),
   "no share of a bandwidth that is unknown", share)
record("p.csv", "m1,seed=3,power=os", "-n", "20")
got = summary("p.csv")
ok(near(got["machine", "all", "dram_ceiling_pct"]["whole"],
        float(got["machine", "all", "dram_gbs"]["whole"]) / 68 * 100),
   "the share of the M1's 68 GB/s")
ok(not any(x[2] in ("energy_j", "power_w") for x in summary("a.csv")),
   "a recording without energy has none")
text = Run("summary", "p.csv").out
ok(re.search(r"energy: [\d.]+ J in 20 s, memory [\d.]+ J in 20 s", text) and
   re.search(r"memory traffic: [\d.]+ GB in 20 s, .*: [\d.]+% of 68 GB/s",
             text), "as text", text)
record("p.csv", "m1,seed=3,power=os+throttle", "-n", "20")
got = summary("p.csv")
hot = float(got["machine", "all", "throttled_s"]["whole"])
same(hot, float(sum(x["row"] == "power" and x["cluster"] == "" and
                    x["throttled"] == "1"
                    for x in csv.DictReader(open("p.csv")))),
     "seconds throttled are those of the samples")
ok(0 < hot < 20, "some of them", hot)
# Half an hour's energy is none of its last minutes.
record("p.csv", "m5ultra,seed=3,power=30min,os=27", "-n", "40", "-d", "60s")
ok(("machine", "all", "energy_j") in summary("p.csv"), "half an hour's energy")
ok(("machine", "all", "energy_j") not in summary("p.csv", "--from", "1500s"),
   "a span that began before the part is left out")
finish()
