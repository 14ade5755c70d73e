"""A reading that takes the time itself makes its frame late, and only it."""
from tap import Run, finish, ok, record, rows_of, same

rows = record("--sim", "m1,seed=1,clock=step,fault=slow:700ms@3s-5s", "-n", "6")
late = {x["sample"] for x in rows if "late" in x["quality"].split(";")}
long = {x["sample"] for x in rows if float(x["interval_s"] or 0) > 1.5}
ok(late, "calls of 700 ms make a tick of a second late")
same(late, long, "the frame that took longer, and no other")
rows = record("--sim", "m1,seed=1,clock=step,fault=slow:50ms@3s-5s", "-n", "6")
same([x["sample"] for x in rows if "late" in x["quality"].split(";")], [],
     "calls of 50 ms do not")

# Six calls of a reading take the time: late is half an interval, at each interval.
for interval, calls, frames in (("1s", 1000, "6"), ("100ms", 100, "60")):
    for share, want in ((0.08, False), (0.09, True)):
        rows = record("--sim", "m1,seed=1,clock=step,fault=slow:%gms@3s-5s" %
                      (share * calls), "-d", interval, "-n", frames)
        late = [x for x in rows if "late" in x["quality"].split(";")]
        longest = max(float(x["interval_s"] or 0) for x in rows)
        ok(bool(late) == want and
           abs(longest - (1 + 6 * share) * calls / 1000) < 1e-6,
           "every %s: %g ms behind are%s late" %
           (interval, 600 * share * calls / 100, "" if want else " not"),
           (longest, late[:1]))

# Without a screen the first frame is a whole interval, too.
first = [float(x["interval_s"]) for x in
         rows_of(Run("--sim", "m1", "--csv", "-", "-n", "2", "-d",
                     "400ms").out) if x["cpu"] == "0"]
ok(first[0] > 0.39, "the first frame of a recording is a whole interval",
   first)
finish()
