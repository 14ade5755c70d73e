"""The OpenMetrics page: well-formed, atomic, and the sums of the recording."""
import csv
import os
import re
import signal
import subprocess
import time

from tap import KTOP, Run, finish, ok, same

SPEC = "m3ultra,seed=2,clock=step"
r = Run("--sim", SPEC, "--openmetrics", "om.prom", "--csv", "om.csv", "-n",
        "30", "--rotate", "basic,branch,topdown")
same(r.code, 0, "a page and a recording at once")
text = open("om.prom").read()
ok(text.endswith("\n# EOF\n"), "it ends as it must")

NAME = r"[a-z][a-z0-9_]*"
LABEL = r'%s="(?:[^"\\\n]|\\["\\n])*"' % NAME
SAMPLE = re.compile(r"(%s)(?:\{(%s(?:,%s)*)\})? (-?[0-9.]+)" %
                    (NAME, LABEL, LABEL))
types, helps, seen, samples, bad, family = {}, set(), set(), {}, [], None
for line in text.split("\n")[:-2]:
    if line.startswith("# "):
        word, name, rest = line[2:].split(" ", 2)
        if word == "HELP":
            if name in helps:
                bad.append("twice: " + line)
            helps.add(name)
            family = name
        elif word == "TYPE":
            types[name] = rest
        elif word != "UNIT" or not name.endswith("_" + rest):
            bad.append(line)
        if name != family:
            bad.append("out of turn: " + line)
        continue
    m = SAMPLE.fullmatch(line)
    if not m or m.group(1) != family or (m.group(1), m.group(2)) in samples:
        bad.append(line)
        continue
    if (types[family] == "counter") != family.endswith("_total"):
        bad.append("type of " + line)
    samples[m.group(1), m.group(2)] = m.group(3)
same(bad[:5], [], "every line is one of a family's, and no sample is twice")
metrics = {x.split("\t")[0].split()[0] for x in
           Run("--list-columns").out.splitlines()[1:]}
gauges = {re.sub("^ktop_(cpu|cluster)_", "", n) for n, t in types.items()
          if t == "gauge" and re.match("ktop_(cpu|cluster)_", n)}
ok(len(gauges) > 10, "there are metrics in it", gauges)
Run("--sim", SPEC, "--openmetrics", "dtlb.prom", "-n", "5", "-p", "dtlb",
    "--csv", "dtlb.csv")
gauges |= set(re.findall(r"# TYPE ktop_cpu_(\w+) gauge",
                         open("dtlb.prom").read()))
ok("l2tlb_d_mpki" in gauges, "also one with a single letter", gauges)
same(gauges - metrics, set(), "each has the name of the recording's column")
same(gauges & {"lost_pct", "bottleneck"}, {"lost_pct", "bottleneck"},
     "what is lost, and to what, is there")
same(set(types), helps, "each family has its type and its help")
ok(all('source="sim"' in (labels or 'source="sim"')
       for _, labels in samples), "simulated rows say so")


def of(name, **want):
    parts = ['%s="%s"' % x for x in want.items()]
    return sum(float(v) for (n, labels), v in samples.items() if n == name and
               all(p in labels.split(",") for p in parts))


rows = [x for x in csv.DictReader(open("om.csv")) if x["row"] == "cpu"]
for cpu in ("0", "17"):
    same(of("ktop_cpu_cycles_total", cpu=cpu),
         sum(int(x["cycles"] or 0) for x in rows if x["cpu"] == cpu),
         "cycles of cpu%s are those of the recording" % cpu)
same(of("ktop_cluster_instructions_total", cluster="P1"),
     sum(int(x["instructions"] or 0) for x in rows if x["cluster"] == "P1"),
     "instructions of a cluster too")
for event in ("BRANCH_MISPRED_NONSPEC", "RETIRE_UOP"):
    same(of("ktop_cpu_events_total", event=event),
         sum(int(x["c%d" % i] or 0) for x in rows for i in range(1, 11)
             if x["e%d" % i] == event),
         "and %s, through the sets that took turns" % event)

# A state set: every word of every row, and one of them is the recording's.
words = {}
for (name, labels), value in samples.items():
    if name in ("ktop_cpu_bottleneck", "ktop_cluster_bottleneck"):
        where = dict(re.findall(r'(%s)="([^"]*)"' % NAME, labels))
        row = where.get("cpu", where["cluster"])
        words.setdefault(row, {})[where[name]] = value
same(sorted(words), sorted({x["cpu"] for x in rows} |
                           {x["cluster"] for x in rows}),
     "CPUs and clusters have a state set each")
same({tuple(sorted(w.values())) for w in words.values()},
     {("0",) * 9 + ("1",)}, "  one state of ten is on")
last = {x["cpu"]: x["bottleneck"] for x in rows[-32:]}
same({r: [k for k, v in words[r].items() if v == "1"] for r in last},
     {r: [v] for r, v in last.items()}, "  the recording's bottleneck")
for row in "4", "31":
    lost = sum(int(x["lost_cycles"]) for x in rows
                     if x["cpu"] == row and x["lost_cycles"])
    ok(abs(of("ktop_cpu_lost_cycles_total", cpu=row) - lost) <= 1e-6 * lost,
       "  cpu%s lost as many cycles to them" % row)
ok(of("ktop_cluster_lost_cycles_total") > 0, "  clusters have lost some, too")
same(types["ktop_cpu_bottleneck"], "gauge",
     "  under a type that node_exporter's collector knows")
ok(of("ktop_cpu_event_seconds_total", event="RETIRE_UOP", cpu="4") <
   of("ktop_cpu_event_seconds_total", event="INST_ALL", cpu="4"),
   "with the time that each was counted")

r = Run("--sim", SPEC, "--openmetrics", "-", "-n", "1")
same(r.code, 2, "- is usage: there is nothing to replace")
open("letter", "w").write("Dear Sir\n")
r = Run("--sim", SPEC, "--openmetrics", "letter", "-n", "1")
ok(r.code == 1 and open("letter").read() == "Dear Sir\n",
   "what is not ktop's is kept", r.err)
r = Run("--sim", SPEC, "--openmetrics", "none/om.prom", "-n", "1")
ok(r.code == 1 and "none/om.prom" in r.err, "a missing folder is said", r.err)

# A reader at any moment finds a whole page.
p = subprocess.Popen([KTOP, "--sim", SPEC, "--openmetrics", "live.prom"],
                     stdin=subprocess.DEVNULL)
whole, pages, end = True, set(), time.monotonic() + 60
while len(pages) < 10 and time.monotonic() < end:
    try:
        page = open("live.prom").read()
    except FileNotFoundError:
        continue
    whole = whole and page.endswith("# EOF\n")
    pages.add(hash(page))
p.send_signal(signal.SIGTERM)
p.wait(timeout=90)
ok(whole and len(pages) == 10, "a reader finds whole pages only, %d of them" %
   len(pages))
same([x for x in os.listdir(".") if x.startswith("live.prom.")], [],
     "and nothing temporary is left")
finish()
