"""Rows of a recording against the simulated machine's formulas."""
from tap import ok

S = 10 ** 9
FIXED = (("cycles", "FIXED_CYCLES"), ("instructions", "FIXED_INSTRUCTIONS"))


def slots(row):
    return [(row["e%d" % i], row["c%d" % i]) for i in range(1, 11)
            if row["e%d" % i] != ""]


def compare(mac, rows, modes, name):
    """Each CPU read once a second. A row of several seconds covers every read
    since the last row that came; a CPU that is off does not answer, and
    nobody does at the seconds in mac.unread."""
    wrong, checked = [], 0
    since = {}
    for row in rows:
        cpu, t = int(row["cpu"]), (int(row["sample"]) + 1) * S
        if row["row"] != "cpu":
            continue
        before = since.get(cpu, t - S)
        if row["cycles"] == "":
            since[cpu] = before
            continue
        since.pop(cpu, None)
        answers = sum(mac.online(cpu, x) and x // S not in mac.unread
                      for x in range(before + S, t + 1, S))
        want = {c: mac.count(cpu, e, t, answers) - mac.count(cpu, e, before)
                for c, e in FIXED}
        for event, count in slots(row):
            want[event] = (mac.count(cpu, event, t, answers, modes) -
                           mac.count(cpu, event, before, 0, modes))
        got = dict(slots(row), cycles=row["cycles"],
                   instructions=row["instructions"])
        for key in want:
            checked += 1
            if got[key] != str(want[key]):
                wrong.append((row["sample"], cpu, key, got[key], want[key]))
        if float(row["interval_s"]) * S != t - before:
            wrong.append((row["sample"], cpu, row["interval_s"]))
    ok(not wrong and checked > 0, "%s: %d counts are exact" % (name, checked),
       "\n".join(map(str, wrong)))
