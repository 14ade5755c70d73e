"""Every output has the same bottleneck for the same row and sample."""
import collections
import csv
import io
import json
import re

from live import VTRUN, Screen
from tap import Run, finish, ok, rows_of, same, skip

SPEC = "m2max,seed=4,clock=step,work=phases,fault=off:P1@5s-7s"
N = 12


def cell(x):
    """A row of a recording as the screen and -b have it."""
    return x["bottleneck_est"] and "~" + x["bottleneck_est"] or \
        x["bottleneck"] or "-"


def name(x):
    return "cpu" + x["cpu"] if x["row"] == "cpu" else x["cluster"]


def batch(text):
    """Of each frame {row: word}."""
    return [{x.split()[0]: x[12:].split()[0].rstrip("!") for x in f.split("\n")[3:]}
            for f in text.strip("\n").split("\n\n")]


for preset in ("basic", "topdown", "l1d", "branch"):
    how = ["--sim", SPEC, "-n", str(N), "-p", preset]
    file = preset + ".csv"
    Run(*how, "--csv", file, "--openmetrics", "page.prom", "--csv-rows",
        "cpu,cluster")
    rows = [x for x in rows_of(open(file).read()) if x["row"] in ("cpu", "cluster")]
    want = [{name(x): cell(x) for x in rows if x["sample"] == str(i)}
            for i in range(N)]
    ok(all(len(f) == 12 + 3 for f in want), preset + ": recorded", want)
    for what, got in (("-b", Run(*how, "-b").out),
                      ("-b of a replay", Run("--replay", file, "-b").out)):
        same([{k: f.get(k) for k in w} for f, w in zip(batch(got), want)], want,
             "  " + what)
    lines = [json.loads(x) for x in Run(*how, "--json", "-", "--csv-rows",
                                        "cpu,cluster").out.splitlines()]
    same([(x["bottleneck"] or "", x["bottleneck_est"] or "", x["lost_pct"])
          for x in lines if x["row"] in ("cpu", "cluster")],
         [(x["bottleneck"], x["bottleneck_est"],
           float(x["lost_pct"]) if x["lost_pct"] else None) for x in rows], "  JSON")
    on = {}
    for labels in re.findall(r"^ktop_(?:cpu|cluster)_bottleneck\{(.*)\} 1$",
                             open("page.prom").read(), re.M):
        at = dict(re.findall(r'(\w+)="([^"]*)"', labels))
        on["cpu" + at["cpu"] if "cpu" in at else at["cluster"]] = \
            at.get("ktop_cpu_bottleneck") or at.get("ktop_cluster_bottleneck")
    same(on, {name(x): x["bottleneck"] for x in rows[-15:] if x["bottleneck"]},
         "  the last page of OpenMetrics")
    times = collections.defaultdict(lambda: collections.Counter())
    for x in rows:
        times[x["cpu"]][x["bottleneck"] or "unknown"] += 100 / N
    whole = {(x["cpu"], x["metric"][11:]): float(x["whole"]) for x in csv.DictReader(
        io.StringIO(Run("summary", file, "--csv", "-").out))
        if x["row"] == "cpu" and x["metric"].startswith("bottleneck_")}
    same({k for k, v in whole.items() if abs(v - times[k[0]][k[1]]) > 1e-4}, set(),
         "  summary: the time with each")
    both = [x for x in csv.DictReader(io.StringIO(
        Run("compare", file, file, "--all", "--csv", "-").out))
        if x["row"] == "cpu" and x["metric"].startswith("bottleneck_")]
    same({(x["name"], x["metric"]) for x in both if abs(
        float(x["a"]) - whole[x["name"][3:].strip(), x["metric"][11:]]) > 1e-4 or
        x["a"] != x["b"]}, set(), "  compare: the same")
    ok(both, "  which has them", both)
    if not VTRUN:
        skip("  the screen", "no vtrun")
        continue
    s = Screen(*how, "--hold", size="120x40")
    s.do("wait:ENDED")
    on = dict(re.findall(r"^│[ ▸]*(\d+) [EP]\d? +([~a-z-]+) ", s.text, re.M))
    same(on, {k[3:]: v for k, v in want[-1].items() if k.startswith("cpu")},
         "  the screen")
    s.end("key:q", "exit:0", "given-back")
finish()
