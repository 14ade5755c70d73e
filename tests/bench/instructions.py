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

# What stands in for Apple's kernel and frameworks; a real one's work is not ours.
SIMULATED = "src/sim/"
ALL, KERNEL, OWN = "main", "simulated", "own"
# Row of the table, function whose instructions and callees' it is.
SCREEN = (
    ("a frame in all", ALL),
    ("of it the simulated kernel", KERNEL),
    ("ktop's own work", OWN),
    ("reading the counters (simulated)", "kperf_rows_read"),
    ("reading the processes (simulated)", "kperf_processes_read"),
    ("from the reading to a frame", "monitor_feed"),
    ("from the processes to a table", "monitor_feed_processes"),
    ("drawing", "picture_draw"),
    ("of it the cores", "panel_cores_draw"),
    ("of it the clusters", "panel_clusters_draw"),
    ("of it the chart", "panel_chart_draw"),
    ("of it where cycles are lost", "panel_bottlenecks_draw"),
    ("of it the header", "panel_header_draw"),
    ("of it the past's values", "history_read"),
    ("sending what changed", "tty_show"),
)
# Processes go to a recording; their screen draws a few of them only.
PROCESSES = (
    ("a recorded frame in all", ALL),
    ("of it the simulated kernel", KERNEL),
    ("ktop's own work", OWN),
    ("reading the processes (simulated)", "kperf_processes_read"),
    ("from their reading to a table", "monitor_feed_processes"),
    ("their rows in the recording", "csv_write_processes"),
)


def screen(machine, size, frames):
    return ["-t", "600", "-s", size, "exit:0"], [
        "--sim", machine + ",seed=1,clock=step", "-n", str(frames)]


def recording(machine, procs, frames):
    return None, ["--sim", "%s,seed=1,clock=step,procs=%d" % (machine, procs),
                  "--processes", "--csv", "-", "-n", str(frames)]


# Title, parts, how it is run, frames of the two runs, and the cases.
TABLES = (
    ("instructions", SCREEN, screen, (100, 300),
     (("m1, 120x40", "m1", "120x40"), ("m3ultra, 200x60", "m3ultra", "200x60"))),
    ("instructions", PROCESSES, recording, (20, 60),
     (("500 processes", "m1", 500), ("2000 processes", "m1", 2000))),
)


def entered(path, folder):
    """Instructions of all calls from elsewhere into a folder's functions."""
    names, here, there, call, count = {}, "", "", False, 0
    with open(path, encoding="utf-8") as f:
        for line in f:
            key, _, value = line.rstrip("\n").partition("=")
            if key in ("fl", "fi", "fe", "cfi", "cfl"):
                number, _, name = value.partition(" ")
                name = names[number] = name or names[number]
                if key == "fl":
                    here = there = name
                elif key in ("cfi", "cfl"):
                    there = name
            elif key == "calls":
                call = True
            elif call:
                if folder in there and folder not in here:
                    count += int(line.split()[1])
                call, there = False, here
    return count


def inclusive(ktop, vtrun, run, folder):
    """Instructions by function with its callees, of one run."""
    terminal, words = run
    out = os.path.join(folder, "callgrind")
    subprocess.run(
        ([vtrun] + terminal + ["--"] if terminal else []) +
        ["valgrind", "-q", "--tool=callgrind",
         "--callgrind-out-file=" + out, ktop] + words,
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
    found[KERNEL] = entered(out, SIMULATED)
    found[OWN] = found[ALL] - found[KERNEL]
    return found


def measure(ktop, vtrun, table, case):
    _, parts, run, (short, long), _ = table
    with tempfile.TemporaryDirectory() as folder:
        a = inclusive(ktop, vtrun, run(*case[1:], short), folder)
        b = inclusive(ktop, vtrun, run(*case[1:], long), folder)
    return [(b.get(f, 0) - a.get(f, 0)) // (long - short) for _, f in parts]


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


def over(limit, cases, parts, measured):
    bad = 0
    for i, (name, _) in enumerate(parts):
        for c, m in enumerate(measured):
            most = limit.get(name, [0] * len(cases))[c] * 11 // 10
            if m[i] > most:
                bad += 1
                print("not ok %s, %s: %d instructions a frame, more than a "
                      "tenth over the table" % (cases[c][0], name, m[i]))
    return bad


def main():
    ktop, vtrun = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    if not shutil.which("callgrind_annotate"):
        print("instructions-check: SKIPPED: valgrind is not installed")
        return 0
    bad, check = 0, "--check" in sys.argv
    limit = known(sys.argv[sys.argv.index("--check") + 1]) if check else {}
    for table in TABLES:
        title, parts, _, _, cases = table
        measured = [measure(ktop, vtrun, table, c) for c in cases]
        print("\n| %s | %s |" % (title, " | ".join(c[0] for c in cases)))
        print("|---" * (1 + len(cases)) + "|")
        for i, (name, _) in enumerate(parts):
            print("| %s | %s |" % (name, " | ".join(
                "{:,}".format(m[i]) for m in measured)))
        bad += over(limit, cases, parts, measured) if check else 0
    if check and not bad:
        print("ok no part is more than a tenth over the table")
    return 1 if bad else 0


sys.exit(main())
