"""Counts that cannot be true are told where no screen shows them: once."""
import csv
import re

from tap import Run, finish, ok, same

SAYS = "are impossible"
r = Run("--sim", "m1,seed=1,clock=step", "--csv", "fine.csv", "-n", "6")
same((r.code, r.err), (0, ""), "nothing is said of counts that may be")
with open("fine.csv") as f:
    rows = list(csv.reader(f))
head = rows[0]
where = {name: i for i, name in enumerate(head)}
for row in rows[1:]:
    # Twenty instructions a cycle, of two CPUs, from the third frame on.
    if row[where["cpu"]] in ("1", "6") and int(row[where["sample"]]) >= 2:
        row[where["instructions"]] = str(20 * int(row[where["cycles"]]))
with open("lies.csv", "w") as f:
    csv.writer(f, lineterminator="\n").writerows(rows)

for name, args in (("batch text", ["-b"]), ("a recording", ["--csv", "-"]),
                   ("JSON lines", ["--json", "-"])):
    r = Run("--replay", "lies.csv", *args)
    same(r.code, 0, "%s of it ends as ever" % name)
    same(r.err.count(SAYS), 1, "that they are not is said once: " + name)
    ok(r.err.count("\n") == 1 and r.err.startswith("ktop: ") and
       re.search("[12] of 8 CPUs", r.err) and "virtual" in r.err and
       "on the host" in r.err and r.err.endswith("the report of ktop doctor\n"), "in one line: what, why, what next", r.err)
r = Run("--replay", "fine.csv", "-b")
same(r.err, "", "and nothing of the recording as it was")
r = Run("--replay", "lies.csv", "-b", "-n", "1")
same(r.err, "", "nor before such a frame comes")
with open("one.csv", "w") as f:
    csv.writer(f, lineterminator="\n").writerows(
        [head] + [x for x in csv.reader(open("lies.csv"))
                  if x[where["cpu"]] == "6"])
ok("the counts of 1 of 1 CPU are" in Run("--replay", "one.csv", "-b").err,
   "one CPU is no plural")
finish()
