"""Recordings of schemas ktop/1 and ktop/2 that are kept: summary, compare and replay still
find in each what was added up from its raw counts without ktop.

What an output is called and where it stands is asked in the five functions
below and nowhere else. They follow it; the numbers in tests/data/recordings
never change.
"""
import collections
import csv
import io
import json
import os
import re

from tap import Run, finish, ok, same

KEPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data",
                    "recordings")
with open(os.path.join(KEPT, "expected.json"), encoding="utf-8") as f:
    EXPECTED = json.load(f)
# Those of ktop/2 are ones of ktop/1, recorded again: they have the same numbers.
AGAIN = [x for x in EXPECTED if os.path.exists(os.path.join(KEPT, x + "_2.csv"))]
EXPECTED.update({x + "_2": EXPECTED[x] for x in AGAIN})
# Metric in summary and compare: the event of it and 1000 instructions.
MPKI = {"branch_mpki": "BRANCH_MISPRED_NONSPEC",
        "l1d_ld_mpki": "L1D_CACHE_MISS_LD_NONSPEC",
        "l1d_st_mpki": "L1D_CACHE_MISS_ST_NONSPEC",
        "l2tlb_d_mpki": "L2_TLB_MISS_DATA",
        "l1i_mpki": "L1I_CACHE_MISS_DEMAND"}


# ---- the outputs as they are today ----------------------------------------

def row_name(words):
    """Of 'cluster P0 (Performance)', 'cpu 3', 'machine'; None: a kind."""
    found = re.match(r"(?:(machine)|cluster (\S+)|cpu (\d+))\b", words)
    if not found:
        return None
    return found[1] and "all" or found[2] or "cpu" + found[3]


def sections(text):
    """{row: {metric: the numbers after it, as they are written}}"""
    rows, here = {}, {}
    for line in text.splitlines():
        words = line.split()
        if line[:1] not in ("", " "):
            name = row_name(line)
            here = rows.setdefault(name, {}) if name else {}
        elif len(words) > 2 and re.match(r"-?\d", words[1]):
            here[words[0]] = words[1:]
    return rows


def summary_of(text):
    """What its head counts, and of processes {who: (frames, s, 10^9)}"""
    head = re.search(r"(?m)^(\d+) samples? in .*; (\d+) markers?, (\d+) event "
                     r"changes?, (\d+) lost interval", text)
    processes, column = {}, None
    for line in text.splitlines():
        if line.split()[:1] == ["PID"]:
            column = {w: line.index(w) + len(w) for w in
                      ("PID", "samples", "CPU s", "Ginst") if w in line}
            name = line.index("PROCESS")
        elif column and line[:6].strip(" -0123456789") == "" and line[name:]:
            cell = {w: line[:at].split()[-1] for w, at in column.items()}
            who = (cell["PID"] + " " if cell["PID"] != "-" else "") + line[name:]
            processes[who] = (cell["samples"], cell["CPU s"],
                              cell.get("Ginst", "-"))
    return [int(x) for x in head.groups()] if head else None, processes


def batch_of(text):
    """[(frame, time, {row: (busy %, IPC)})]"""
    frames, column = [], {}
    for line in text.splitlines():
        head = re.match(r"ktop  .*  sample (\d+)  (\S+)  ", line)
        if head:
            frames.append((int(head[1]), head[2], {}))
        elif line.startswith("ROW "):
            column = {w: line.index(w) + len(w) for w in ("BUSY%", "IPC")}
        elif frames and re.match(r"(all|CPU|[A-Z]\d*|cpu\d+) ", line):
            frames[-1][2][line.split()[0]] = tuple(
                line[:column[w]].split()[-1].lstrip("*~")
                for w in ("BUSY%", "IPC"))
    return frames


def counts_of(text):
    """Of a recording written anew: frames, {row: sums of counts}, marks"""
    frames, sums, marks, last = 0, {}, [], None
    for row in csv.DictReader(io.StringIO(text, newline="")):
        if row["row"] == "marker":
            marks.append(row["note"])
        if row["row"] != "cpu":
            continue
        frames += row["sample"] != last
        last = row["sample"]
        for name in "all", row["cluster"], "cpu" + row["cpu"]:
            of = sums.setdefault(name, collections.Counter())
            for what in ("cycles", "instructions"):
                if row[what]:
                    of[what] += int(row[what])
            for i in range(1, 11):
                if row["c%d" % i] and not name.startswith("cpu"):
                    of[row["e%d" % i]] += int(row["c%d" % i])
    return frames, sums, marks


# ---- what they must say ----------------------------------------------------

def shows(text, value):
    """Whether this number, as far as it is written, is the value."""
    if value is None:
        return not re.match(r"-?\d", text)
    if not re.match(r"[+-]?\d", text):
        return False
    digits = len(text.partition(".")[2])
    return abs(float(text) - value) <= 0.5001 * 10 ** -digits


def wholes(want):
    """{row: {metric: what it is over all frames}}; idle rows have nothing"""
    out = {}
    for row, of in want["sum"].items():
        out[row] = {}
        if any(rows[row][1] is not None for _, _, rows in want["frame"]):
            out[row]["ipc"] = of["instructions"] / of["cycles"]
        for metric, event in MPKI.items():
            if event in of:
                out[row][metric] = 1000 * of[event][0] / of[event][1]
    return out


def wrong_wholes(text, wanted, place):
    """(how many numbers, those that are not as wanted)"""
    found, bad, n = sections(text), [], 0
    for row, metrics in wanted.items():
        for metric, value in metrics.items():
            n += 1
            numbers = found.get(row, {}).get(metric, [])
            if len(numbers) <= place or not shows(numbers[place], value):
                bad.append("%s %s: %s, not %.5f" %
                           (row, metric, numbers[:place + 1], value))
    return n, bad


def files_of(name):
    """It and its further segments, in order."""
    first = os.path.join(KEPT, name + ".csv")
    more = sorted(x for x in os.listdir(KEPT)
                  if re.match(name + r"\.\d+\.csv$", x))
    return [first] + [os.path.join(KEPT, x) for x in more]


def partner(name):
    """Another recording of such a machine, where there is one."""
    machine = name.split("-")[0] + "-"
    return next((x for x in EXPECTED if x.startswith(machine) and x != name and
                 len(files_of(x)) == 1), name)


same((len(EXPECTED), sorted({x.split(".")[0] for x in os.listdir(KEPT)
                             if x.endswith(".csv")})),
     (25, sorted(EXPECTED)), "twenty recordings are kept, and five of ktop/2")
for name in AGAIN:
    first = [open(os.path.join(KEPT, x + ".csv")).read().split("\n", 2)[1][:7]
             for x in (name, name + "_2")]
    texts = [Run("--replay", os.path.join(KEPT, x + ".csv"), "-b", *more).out
             for x in (name, name + "_2") for more in ((), ("--processes=9",))]
    ok(first == ["ktop/1,", "ktop/2,"] and texts[:2] == texts[2:] and texts[0],
       name + ": its frames are the same from both schemas", first)
checked = collections.Counter()
for name, want in EXPECTED.items():
    files = files_of(name)
    torn = name.endswith("-torn")

    r = Run("summary", *files)
    head, processes = summary_of(r.out)
    same((r.code, head),
         (0, [want[x] for x in ("frames", "marks", "changes", "losses")]),
         name + ": summary's frames, marks, changes and losses")
    n, bad = wrong_wholes(r.out, wholes(want), 0)
    checked["summary"] += n
    for who, of in want.get("process", {}).items():
        if "user_ns" not in of:
            continue  # (unattributed)
        seconds = (of["user_ns"] + of["system_ns"]) * 1e-9
        counts = of.get("instructions")
        shown = processes.get({"others": "(other processes)"}.get(who, who), ["-"] * 3)
        checked["processes"] += 1
        if not shows(shown[0], of["frames"]) or not shows(shown[1], seconds) \
                or not shows(shown[2], counts and counts * 1e-9):
            bad.append("%s: %s, not %s" % (who, shown, of))
    ok(not bad, name + ": summary's values", bad)

    if len(files) == 1:  # compare takes several files for several runs
        other = partner(name)
        r = Run("compare", files[0], files_of(other)[0], "--all")
        sides, bad = [wholes(EXPECTED[x]) for x in (name, other)], []
        for place, side in enumerate(sides):
            both = {row: {k: v for k, v in side[row].items()
                          if k in sides[1 - place].get(row, {})}
                    for row in side}
            n, wrong = wrong_wholes(r.out, both, place)
            checked["compare"] += n
            bad += wrong
        ok(r.code == 0 and not bad, name + ": compare's values", bad or r.err)

    r = Run("--replay", *files, "-b")
    frames, bad = batch_of(r.out), []
    same([f[:2] for f in frames], [tuple(f[:2]) for f in want["frame"]],
         name + ": replay's frames and their times")
    ok(r.code == 0 and ("is incomplete and ignored" in r.err) == torn,
       name + ": replay says what is cut off, and nothing else is", r.err)
    for frame, (number, _, rows) in zip(frames, want["frame"]):
        for row, (busy, ipc) in rows.items():
            checked["replay"] += 1
            got = frame[2].get(row, ("", ""))
            if not shows(got[1], ipc) or \
                    busy is not None and not shows(got[0], busy):
                bad.append("frame %d %s: %s, not %s %s" % (number, row, got,
                                                           busy, ipc))
    ok(not bad, name + ": replay's busy time and IPC", bad)

    r = Run("--replay", *files, "--csv", "-", "--csv-rows", "cpu")
    n, sums, marks = counts_of(r.out)
    exact = {row: {k: v if isinstance(v, int) else v[0]
                   for k, v in of.items()}
             for row, of in want["sum"].items()}
    checked["counts"] += sum(len(of) for of in exact.values())
    same((r.code, n, {row: dict(of) for row, of in sums.items()}, marks),
         (0, want["frames"], exact, want.get("texts", [])),
         name + ": recorded anew, every count to the unit")

ok(min(checked.values()) > 15 and len(checked) == 5,
   "values of each output were checked", checked)
finish()
