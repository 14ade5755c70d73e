"""Every example of ktop-csv(5) that can be run here."""
import csv
import os
import re
import shutil
import sqlite3
import subprocess

from tap import Run, finish, ok, same, skip

HERE = os.path.dirname(os.path.abspath(__file__))
Run("--sim", "m1,seed=1,clock=step", "--csv", "run.csv", "-n", "30",
    "--rotate", "basic,branch", "--force")
rows = [x for x in csv.DictReader(open("run.csv")) if x["row"] == "cpu"]
want = {}
for c in ("E", "P"):
    mine = [x for x in rows if x["cluster"] == c and x["cycles"]]
    want[c] = (sum(int(x["instructions"]) for x in mine) /
               sum(int(x["cycles"]) for x in mine))


def near(a, b):
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b))


page = open(os.path.join(HERE, "..", "..", "docs", "ktop-csv.5")).read()
examples = {}
for title, body in re.findall(r"^\.Ss (With \S+)\n.*?^\.Bd [^\n]*\n(.*?)^\.Ed",
                              page, re.M | re.S):
    examples[title[5:]] = body.replace("\\e", "\\").replace("\\&", "")
ok(set(examples) >= {"awk", "sqlite", "pandas", "gnuplot", "DuckDB"},
   "the manual has an example for each program", sorted(examples))
sql = examples["sqlite"]
create = re.search(r"^CREATE TABLE ktop \((.*?)\);", sql, re.M | re.S)
types = dict(x.split() for x in create.group(1).split(","))
names = {"text": "TEXT", "time": "TIMESTAMP", "integer": "BIGINT",
         "real": "DOUBLE"}
listed = {x.split("\t")[0]: names[x.split("\t")[1]] for x in
          Run("--list-columns").out.splitlines()[1:]}
same({x: listed.get(x) for x in types}, types,
     "the CREATE TABLE of the manual has columns, with their types")

# Every value, as other programs see it, against the text in the file.
Run("--sim", "m2max,seed=7,clock=step,fault=off:P1@3s-6s", "--csv", "all.csv",
    "-n", "12", "--rotate", "basic,l1d", "--csv-rows",
    "cpu,cluster,kind,machine")
text = open("all.csv").read().splitlines()
names, rest = text[0].split(","), [x.split(",") for x in text[1:]]
fields = list(csv.reader(text))
ok(fields[0] == names and fields[1:] == rest,
   "Python's csv module reads every value as it stands there")
kinds = [listed[x] for x in names]


def agrees(kind, text, v):
    if text == "" or v is None:
        return text == "" and (v is None or v != v)
    if kind == "BIGINT":
        return int(v) == int(text)
    if kind == "DOUBLE":  # sqlite's own conversion is off by a last bit
        return abs(float(v) - float(text)) <= 1e-15 * abs(float(text))
    return v == text


def all_agree(table):
    return len(table) == len(rest) and all(
        agrees(k, t, v) for have, want in zip(table, rest)
        for k, t, v in zip(kinds, want, have))


db = sqlite3.connect(":memory:")
db.execute("CREATE TABLE ktop (%s)" % ", ".join(
    '"%s" %s' % (n, listed[n]) for n in names))
db.executemany("insert into ktop values (%s)" % ",".join(
    "nullif(?, '')" for _ in names), fields[1:])
ok(all_agree(db.execute("select * from ktop").fetchall()),
   "sqlite reads every value as ktop wrote it")
p = subprocess.run(["awk", "-F,", "{ for (i = 1; i < NF; i++) printf \"%s,\", "
                    "$i; print $NF }", "all.csv"], stdout=subprocess.PIPE,
                   universal_newlines=True)
same(p.stdout.splitlines(), text, "awk too")
PANDAS = """
import pandas as pd, sys
t = pd.read_csv("all.csv", dtype={c: "Int64" for c in sys.argv[1:]},
                float_precision="round_trip", keep_default_na=False,
                na_values={c: [""] for c in
                           pd.read_csv("all.csv", nrows=0).columns})
for row in t.itertuples(index=False):
    print("\\x1f".join("" if pd.isna(v) else repr(float(v))
                      if isinstance(v, float) else str(v) for v in row))
"""
for python in ("python3", "/usr/bin/python3"):
    if shutil.which(python) and subprocess.run(
            [python, "-c", "import pandas"], stderr=subprocess.DEVNULL
    ).returncode == 0:
        p = subprocess.run([python, "-c", PANDAS] +
                           [n for n, k in zip(names, kinds) if k == "BIGINT"],
                           stdout=subprocess.PIPE, universal_newlines=True)
        table = [[v or None for v in x.split("\x1f")]
                 for x in p.stdout.splitlines()]
        ok(all_agree(table), "and pandas")
        break
else:
    skip("pandas reads it", "no pandas")

# The manual's own examples.
lost = {}
for x in csv.DictReader(open("all.csv")):
    if x["row"] == "cpu" and x["lost_cycles"] not in ("", "0"):
        key = x["cluster"], x["bottleneck"]
        lost[key] = lost.get(key, 0) + int(x["lost_cycles"])
got = db.execute(re.search(r"SELECT cluster, bottleneck.*?;", page,
                           re.S).group(0)).fetchall()
ok(len(got) > 3 and all(near(x[2], lost[x[:2]]) for x in got) and
   [x[:2] for x in got] == sorted(lost, key=lost.get, reverse=True),
   "its example of what was lost, and to what, is right", [got, lost])


def example(name, command):
    p = subprocess.run(command, input=examples[name], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, universal_newlines=True)
    ok(p.returncode == 0 and p.stderr == "", "the example for %s runs" % name,
       p.stderr)
    return p.stdout


def check(name, text):
    got = dict(re.findall(r"^\W*(E|P)\W+([0-9.]+)", text, re.M))
    ok(set(got) == set(want) and
       all(abs(float(got[c]) - want[c]) < 1e-3 for c in want),
       "  and says what it should", [text, want])


for awk in ("awk", "gawk", "mawk"):
    if shutil.which(awk):
        text = examples["awk"].replace("\nawk ", "\n%s " % awk)
        if text.startswith("awk "):
            text = awk + text[3:]
        examples[awk] = text
        check(awk, example(awk, ["sh"]))
if not shutil.which("sqlite3"):
    skip("the example for sqlite", "no sqlite3")
else:
    if os.path.exists("run.db"):
        os.unlink("run.db")
    check("sqlite", example("sqlite", ["sh"]))
for python in ("python3", "/usr/bin/python3"):
    if shutil.which(python) and subprocess.run(
            [python, "-c", "import pandas"], stderr=subprocess.DEVNULL
    ).returncode == 0:
        check("pandas", example("pandas", [python, "-"]))
        break
else:
    skip("the example for pandas", "no pandas")
if not shutil.which("gnuplot"):
    skip("the example for gnuplot", "no gnuplot")
else:
    example("gnuplot", ["sh"])
    ok(os.path.getsize("ipc.png") > 1000 if os.path.exists("ipc.png")
       else False, "  and there is a picture")
if not shutil.which("duckdb"):
    skip("the example for DuckDB", "no duckdb")
else:
    check("DuckDB", example("DuckDB", ["sh"]))
    Run("--sim", "m1,clock=step", "--csv", "run.csv", "--force", "-n", "5",
        "--processes")
    used = {}
    for x in csv.DictReader(open("run.csv")):
        if x["row"] == "process":
            used[x["process"]] = (used.get(x["process"], 0) +
                                  int(x["user_ns"] or 0) +
                                  int(x["system_ns"] or 0))
    example_of = re.search(r"^duckdb -c \"select process,.*?\"$", page,
                           re.M | re.S).group(0)
    p = subprocess.run(["sh"], input=example_of.replace("-c", "-csv -c", 1),
                       stdout=subprocess.PIPE, universal_newlines=True)
    got = list(csv.DictReader(p.stdout.splitlines()))
    ok([x["process"] for x in got[:3]] ==
       sorted(used, key=used.get, reverse=True)[:3] and
       all(near(float(x["cpu_s"]), used[x["process"]] / 1e9) for x in got),
       "  and that of processes", [got, used])
finish()
