"""JSON lines beside CSV: the same rows, names and values."""
import csv
import json

from tap import Run, finish, json_differs, ok, same

SPEC = "m2max,seed=4,clock=step"
r = Run("--sim", SPEC, "--csv", "js.csv", "--json", "js.json", "--csv-rows",
        "cpu,cluster,kind,machine", "-n", "40", "--rotate", "basic,l1d")
same(r.code, 0, "both at once")
rows = list(csv.DictReader(open("js.csv")))
lines = [json.loads(x) for x in open("js.json")]
same(len(lines), len(rows), "an object for each row")
bad = json_differs(rows, lines)
same(bad[:5], [], "every value is the recording's; null where it is empty")
same({x["bottleneck"] is None for x in lines if x["row"] == "event-change"}, {True},
     "no bottleneck of what is no row of a machine")
ok({"idle", "off", "memory"} <= {x["bottleneck"] for x in lines} and
   all(x["bottleneck"] or "catchup" in x["quality"] for x in lines
       if x["row"] not in ("event-change", "machine")), "a word of the others")
ok(any(x["quality"] for x in lines) and
   any(x["row"] == "event-change" for x in lines), "troubles and swaps among them")
alone = Run("--sim", SPEC, "--json", "-", "-n", "2", "--csv-rows", "cpu")
same([json.loads(x)["sample"] for x in alone.out.splitlines()],
     [0] * 12 + [1] * 12, "--json - needs no terminal")
with open("js.json", "a") as f:
    f.write('{"schema":"kt')
r = Run("--sim", SPEC, "--json", "js.json", "--append", "-n", "1")
ok(r.code == 0 and "13 bytes" in r.err, "--append repairs a torn line",
   r.err)
same(len([json.loads(x) for x in open("js.json")]), len(lines) + 12,
     "and goes on")
r = Run("--sim", SPEC, "--json", "js.csv", "--append", "-n", "1")
ok(r.code == 6 and "append" in r.err, "but not in another format", r.err)
r = Run("--sim", SPEC, "--json", "js.json", "-n", "1")
ok(r.code == 1 and "--force" in r.err, "an existing file is kept", r.err)
finish()
