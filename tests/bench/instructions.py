"""Instructions of a frame, part by part: a count, so that a busy machine does
not matter. python3 tests/bench/instructions.py KTOP VTRUN [--check FILE]
Two runs of different length under valgrind's callgrind, of a simulated Mac on
its stepped clock; what they differ by is divided by the frames that they differ
by, so that start and end are not in it. Prints the table; --check compares it
with the one in FILE (docs/PERFORMANCE.md): more than a tenth over it fails."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

SHORT, LONG = 100, 300
CASES = (("m1, 120x40", "m1", "120x40"),
         ("m3ultra, 200x60", "m3ultra", "200x60"))
# Row of the table, function whose instructions and callees' it is.
PARTS = (
    ("a frame in all", "main"),
    ("reading the counters (simulated)", "kperf_rows_read"),
    ("from the reading to a frame", "monitor_feed"),
    ("drawing", "picture_draw"),
    ("of it the cores", "panel_cores_draw"),
    ("of it the clusters", "panel_clusters_draw"),
    ("of it the chart", "panel_chart_draw"),
    ("of it where cycles are lost", "panel_bottlenecks_draw"),
    ("of it the header", "panel_header_draw"),
    ("of it the past's values", "history_read"),
    ("sending what changed", "tty_show"),
)
TITLE = "| instructions | " + " | ".join(c[0] for c in CASES) + " |"


def inclusive(ktop, vtrun, machine, size, frames, folder):
    """Instructions by function with its callees, of one run."""
    out = os.path.join(folder, "callgrind")
    subprocess.run(
        [vtrun, "-t", "600", "-s", size, "exit:0", "--", "valgrind", "-q",
         "--tool=callgrind", "--callgrind-out-file=" + out, ktop, "--sim",
         machine + ",seed=1,clock=step", "-n", str(frames)],
        check=True, stdout=subprocess.DEVNULL)
    text = subprocess.run(
        ["callgrind_annotate", "--inclusive=yes", "--threshold=100", out],
        check=True, stdout=subprocess.PIPE, text=True).stdout
    found = {}
    for line in text.splitlines():
        m = re.match(r"\s*([\d,]+) \(.*\)\s+\S+:(\w+)( |$)", line)
        if m:
            count = int(m.group(1).replace(",", ""))
            found[m.group(2)] = max(count, found.get(m.group(2), 0))
    return found


def measure(ktop, vtrun, machine, size):
    with tempfile.TemporaryDirectory() as folder:
        a = inclusive(ktop, vtrun, machine, size, SHORT, folder)
        b = inclusive(ktop, vtrun, machine, size, LONG, folder)
    return [(b.get(f, 0) - a.get(f, 0)) // (LONG - SHORT) for _, f in PARTS]


def known(path):
    """The table's numbers in the file: row -> one a case; {}: there is none."""
    rows, inside = {}, False
    with open(path, encoding="utf-8") as f:
        for line in f:
            cell = [c.strip() for c in line.strip().strip("|").split("|")]
            if line.startswith("|") and cell[0] == "instructions":
                inside = True
            elif not line.startswith("|"):
                inside = False
            elif inside and cell[1][:1].isdigit():
                rows[cell[0]] = [int(c.replace(",", "")) for c in cell[1:]]
    return rows


def main():
    ktop, vtrun = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    if not shutil.which("callgrind_annotate"):
        print("instructions-check: SKIPPED: valgrind is not installed")
        return 0
    all_parts = [measure(ktop, vtrun, m, size) for _, m, size in CASES]
    print(TITLE)
    print("|---" * (1 + len(CASES)) + "|")
    for i, (name, _) in enumerate(PARTS):
        print("| %s | %s |" % (name, " | ".join(
            "{:,}".format(p[i]) for p in all_parts)))
    if "--check" not in sys.argv:
        return 0
    limit, bad = known(sys.argv[sys.argv.index("--check") + 1]), 0
    for i, (name, _) in enumerate(PARTS):
        for c, p in zip(range(len(CASES)), all_parts):
            most = limit.get(name, [0] * len(CASES))[c] * 11 // 10
            if p[i] > most:
                bad += 1
                print("not ok %s, %s: %d instructions a frame, more than a "
                      "tenth over the table" % (CASES[c][0], name, p[i]))
    if not bad:
        print("ok no part is more than a tenth over the table")
    return 1 if bad else 0


sys.exit(main())
