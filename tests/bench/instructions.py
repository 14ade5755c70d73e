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
SIMULATED = ("src/sim/", "many_cpus.c")
ALL, KERNEL, OWN = "main", "simulated", "own"
# Row of the table, function whose instructions and callees' it is.
SCREEN = (
    ("a frame", ALL),
    ("the simulated kernel (included)", KERNEL),
    ("ktop's own work", OWN),
    ("reading the counters (simulated)", "kperf_rows_read"),
    ("reading the processes (simulated)", "kperf_processes_read"),
    ("making the frame", "monitor_feed"),
    ("making the table of processes", "monitor_feed_processes"),
    ("drawing", "picture_draw"),
    ("drawing: cores", "panel_cores_draw"),
    ("drawing: clusters", "panel_clusters_draw"),
    ("drawing: chart", "panel_chart_draw"),
    ("drawing: lost issue slots", "panel_bottlenecks_draw"),
    ("drawing: header", "panel_header_draw"),
    ("drawing: values of the history", "history_read"),
    ("sending changed cells", "tty_show"),
)
# Processes go to a recording; their screen draws a few of them only.
PROCESSES = (
    ("a recorded frame", ALL),
    ("the simulated kernel (included)", KERNEL),
    ("ktop's own work", OWN),
    ("reading the processes (simulated)", "kperf_processes_read"),
    ("making the table of processes", "monitor_feed_processes"),
    ("writing the rows", "rows_write_frame"),
)
# A Linux machine that is not there (many_cpus.c); without a kernel nothing
# counts, and its ticks stand still.
COUNTED = (
    ("a sample", ALL),
    ("the simulated kernel (included)", KERNEL),
    ("ktop's own work", OWN),
    ("reading", "perf_read"),
    ("making the frame", "monitor_feed"),
    ("drawing", "picture_draw"),
)


def screen(_, machine, size, frames):
    return ["-t", "600", "-s", size, "exit:0"], [
        "--sim", machine + ",seed=1,clock=step", "-n", str(frames)]


def recording(_, machine, procs, frames):
    return None, ["--sim", "%s,seed=1,clock=step,procs=%d" % (machine, procs),
                  "--processes", "--csv", "-", "-n", str(frames)]


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def machine(root, n):
    """Zen 5: 64 CPUs to a socket, 8 to a level 3."""
    cpus, pmu = root + "/sys/devices/system/cpu", "/sys/bus/event_source/devices"
    write(cpus + "/online", "0-%d\n" % (n - 1))
    for i in range(n):
        cpu, first = "%s/cpu%d/" % (cpus, i), i // 8 * 8
        for name, text in (("topology/core_cpus_list", i),
                           ("topology/physical_package_id", i // 64),
                           ("topology/die_id", 0),
                           ("cache/index3/level", 3),
                           ("cache/index3/shared_cpu_list",
                            "%d-%d" % (first, first + 7))):
            write(cpu + name, "%s\n" % text)
    for name, text in (("type", "4"), ("format/event", "config:0-7,32-35"),
                       ("format/umask", "config:8-15")):
        write("%s%s/cpu/%s" % (root, pmu, name), text + "\n")
    write(root + "/proc/cpuinfo", "processor\t: 0\nvendor_id\t: AuthenticAMD\n"
          "cpu family\t: 26\nmodel\t\t: 2\nmodel name\t: AMD EPYC\n")
    write(root + "/proc/stat", "cpu  0 0 0 0\n" + "".join(
        "cpu%d 18446744 1234 5678901 987654321 3456 0 12 0 0 0\n" % i
        for i in range(n)))


SHIM = "many_cpus.so"
# Longer than a tick takes there: late ones look different. Where the machine
# has other things to do the next one is tried.
DELAYS = ["0.2", "1.5"]


def made(folder, n):
    """The machine's folder, which is made; and its kernel."""
    root, shim = "%s/%d" % (folder, n), os.path.join(folder, SHIM)
    if not os.path.exists(root):
        machine(root, n)
    if not os.path.exists(shim):
        subprocess.run(os.environ.get("CC", "cc").split() + [
            "-O2", "-g", "-shared", "-fPIC", "-o", shim, os.path.join(
                os.path.dirname(os.path.abspath(__file__)), "many_cpus.c"),
            "-ldl"], check=True)
    return root, shim


def counted(folder, n, kernel, frames):
    root, shim = made(folder, n)
    more = ["-e", "LD_PRELOAD=" + shim, "-e", "MANY_ROOT=" + root,
            "-e", "MANY_CPUS=%d" % n, "-e", "KTOP_SEPARATE=no"] if kernel else []
    return ["-t", "600", "-s", "120x40"] + more + ["exit:0"], [
        "-d", DELAYS[0], "--force", "-n", str(frames)] + (
            [] if kernel else ["--root", root])


# Title, parts, how it is run, frames of the two runs, and the cases.
TABLES = (
    ("instructions", SCREEN, screen, (100, 300),
     (("m1, 120x40", "m1", "120x40"), ("m3ultra, 200x60", "m3ultra", "200x60"))),
    ("instructions", PROCESSES, recording, (20, 60),
     (("500 processes", "m1", 500), ("2000 processes", "m1", 2000))),
) + ((
    ("instructions", COUNTED, counted, (5, 15),
     (("8 CPUs", 8, True), ("1024 CPUs", 1024, True),
      ("8, no counters", 8, False), ("1024, no counters", 1024, False))),
) if sys.platform.startswith("linux") else ())


def entered(path, folders):
    """Instructions of all calls from elsewhere into the folders' functions."""
    def inside(name):
        return any(f in name for f in folders)

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
                if inside(there) and not inside(here):
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
        a = inclusive(ktop, vtrun, run(folder, *case[1:], short), folder)
        b = inclusive(ktop, vtrun, run(folder, *case[1:], long), folder)
    return [(b.get(f, 0) - a.get(f, 0)) // (long - short) for _, f in parts]


def known(path):
    """The tables' numbers in the file: first row, row -> one a case."""
    rows, inside, first = {}, False, ""
    with open(path, encoding="utf-8") as f:
        for line in f:
            cell = [c.strip() for c in line.strip().strip("|").split("|")]
            if line.startswith("|") and cell[0] == "instructions":
                inside, first = True, ""
            elif not line.startswith("|"):
                inside = False
            elif inside and cell[1][:1].isdigit():
                first = first or cell[0]
                rows[first, cell[0]] = [int(c.replace(",", "")) for c in cell[1:]]
    return rows


def over(limit, cases, parts, measured):
    """A sentence for each part that is."""
    bad = []
    for i, (name, _) in enumerate(parts):
        for c, m in enumerate(measured):
            most = limit.get((parts[0][0], name),
                             [0] * len(cases))[c] * 11 // 10
            if m[i] > most:
                bad.append("not ok %s, %s: %d instructions a frame, more than "
                           "a tenth over the table" % (cases[c][0], name, m[i]))
    return bad


def main():
    ktop, vtrun = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    if not shutil.which("callgrind_annotate"):
        print("instructions-check: SKIPPED: valgrind is not installed")
        return 0
    bad, check = [], "--check" in sys.argv
    limit = known(sys.argv[sys.argv.index("--check") + 1]) if check else {}
    for table in TABLES:
        title, parts, _, _, cases = table
        measured = [measure(ktop, vtrun, table, c) for c in cases]
        while (check and table[2] == counted and len(DELAYS) > 1 and
               over(limit, cases, parts, measured)):
            DELAYS.pop(0)
            measured = [measure(ktop, vtrun, table, c) for c in cases]
        print("\n| %s | %s |" % (title, " | ".join(c[0] for c in cases)))
        print("|---" * (1 + len(cases)) + "|")
        for i, (name, _) in enumerate(parts):
            print("| %s | %s |" % (name, " | ".join(
                "{:,}".format(m[i]) for m in measured)))
        bad += over(limit, cases, parts, measured) if check else []
        bad += ["not ok %s: %s never ran; is that its name?" % (name, f)
                for i, (name, f) in enumerate(parts)
                if f.isidentifier() and not any(m[i] for m in measured)]
    print("\n".join(bad))
    if check and not bad:
        print("ok no part is more than a tenth over the table")
    return 1 if bad else 0


def program():
    """As a program; other measurements here use its machines."""
    sys.exit(main())


if __name__ == "__main__":
    program()
