"""--label: columns that name a host or a build, in every row of a recording."""
import csv
import json

from tap import Run, finish, ok, same

SIM = ["--sim", "m1,clock=step", "-n", "3", "--processes=2"]


def rows(name):
    with open(name, newline="") as f:
        return list(csv.DictReader(f))


def labels(row):
    return {k: v for k, v in row.items() if k.startswith("label_")}


odd = 'a "q" \\ b'
for name in ("a", "b"):
    r = Run(*SIM, "--csv", name + ".csv", "--json", name + ".json",
            "--label", "host=" + name, "--label", "build=" + odd,
            "--label", "sum==1+1")
    same([r.code, r.err], [0, ""], "a recording with labels")
    want = {"label_host": name, "label_build": odd, "label_sum": "'=1+1"}
    got = rows(name + ".csv")
    ok(len(got) > 24 and all(labels(x) == want for x in got),
       "every row of CSV has them", got and labels(got[0]))
    want["label_sum"] = "=1+1"
    lines = [json.loads(x) for x in open(name + ".json")]
    ok(len(lines) == len(got) and all(labels(x) == want for x in lines),
       "and every line of JSON", lines and labels(lines[0]))

r = Run("summary", "a.csv")
same([r.code, r.err], [0, ""], "summary reads it, and says nothing of them")
plain = Run(*SIM, "--csv", "plain.csv")
same(Run("summary", "a.csv").out.split("\n")[1:],
     Run("summary", "plain.csv").out.split("\n")[1:],
     "it has the numbers of one without")
r = Run("compare", "a.csv", "b.csv")
same([r.code, r.err], [0, ""], "compare reads it")
r = Run("--replay", "a.csv", "-b")
same([r.code, r.err], [0, ""], "and so does a replay")

r = Run(*SIM, "--csv", "a.csv", "--append", "--label", "host=a,build=" + odd,
        "--label", "sum==1+1")
ok(r.code == 0 and len(rows("a.csv")) == 2 * len(rows("b.csv")),
   "the same labels go on with it", r.err)
r = Run(*SIM, "--csv", "a.csv", "--append", "--label", "host=a")
ok(r.code == 6 and "columns" in r.err, "others do not", r.err)

r = Run("--label", "a=1", "--label", "b=2", "--label", "a=3", "--write-config")
ok("\nlabel = b=2,a=3\n" in r.out, "the config file has them all, each once",
   r.out)
open("ktoprc", "w").write("label = host=x\n")
Run(*SIM, "--config", "ktoprc", "--label", "run=2", "--csv", "c.csv")
same(labels(rows("c.csv")[0]), {"label_host": "x", "label_run": "2"},
     "those of the command line come behind those of the file")
Run(*SIM, "--config", "ktoprc", "--no-label", "--csv", "d.csv")
same(labels(rows("d.csv")[0]), {}, "--no-label takes them back")
for bad in ("host", "host=", "=x", "Host=x", "1a=x", "a b=x", "a=1,", "",
            "a=" + "x" * 125, "a" * 25 + "=x"):
    r = Run("--label", bad, "--write-config")
    ok(r.code == 2 and "is not KEY=VALUE" in r.err, "refused: %.20r" % bad,
       r.err)
r = Run("--label", ",".join("k%d=1" % i for i in range(9)), "--write-config")
ok(r.code == 2 and "at most 8" in r.err, "and more than eight", r.err)
finish()
