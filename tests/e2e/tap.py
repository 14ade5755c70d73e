"""What the end-to-end tests share: running ktop, reading its CSV, TAP lines."""
import csv
import io
import os
import shutil
import subprocess
import sys

KTOP = sys.argv[1]
SIM_STATE = os.environ.get("SIM_STATE", os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "../../build/sim-state"))
TABLES = os.environ.get("TABLES", os.path.join(
    os.path.dirname(SIM_STATE), "tables"))
PROC = os.path.exists("/proc/self/task")  # where processes can be looked at
_state = {"count": 0, "bad": 0}


def ok(truth, name, more=""):
    _state["count"] += 1
    if not truth:
        _state["bad"] += 1
    print("%s %d - %s" % ("ok" if truth else "not ok", _state["count"], name))
    if not truth and more != "":
        for line in str(more).splitlines()[:20]:
            print("  # " + line)
    sys.stdout.flush()
    return truth


def same(got, want, name):
    return ok(got == want, name, "got  %r\nwant %r" % (got, want))


def skip(name, why):
    """What cannot be tested on this machine is said, not passed over."""
    _state["count"] += 1
    print("ok %d - %s # SKIP %s" % (_state["count"], name, why))
    sys.stdout.flush()


def finish():
    print("1..%d" % _state["count"])
    sys.exit(1 if _state["bad"] else 0)


def for_all(folder="."):
    """A ktop that every user can reach; the checkout may be in a closed home."""
    path = os.path.abspath(os.path.join(folder, "ktop-for-all"))
    os.chmod(folder, 0o755)
    shutil.copy(KTOP, path)
    os.chmod(path, 0o755)
    return path


def folder_of_callers(path):
    """A new folder that the caller of sudo, if there is one, can write to."""
    os.mkdir(path)
    if os.geteuid() == 0 and "SUDO_UID" in os.environ:
        os.chown(path, int(os.environ["SUDO_UID"]), -1)


class Run:
    def __init__(self, *args, timeout=120, **kw):
        p = subprocess.run([KTOP] + list(args), stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           timeout=timeout, **kw)
        self.code = p.returncode
        self.out = p.stdout.decode()
        self.err = p.stderr.decode()


def sim_state(path):
    """The simulated kernel in a file, a line each; "" where it has none yet."""
    return subprocess.run([SIM_STATE, path], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout.decode()


def table(what):
    """ktop's options, commands or keys (tests/tables.c), as lists of fields."""
    out = subprocess.check_output([TABLES, what], universal_newlines=True)
    return [line.split("\t") for line in out.splitlines()]


def rows_of(text):
    """Rows as dictionaries; the header is checked by those who care."""
    return list(csv.DictReader(io.StringIO(text)))


def samples_of(rows):
    """The rows of each sample, in their order."""
    found = {}
    for r in rows:
        found.setdefault(r["sample"], []).append(r)
    return list(found.values())


def unpack_tree(tree, root):
    """A machine of tests/data/sysfs, for --root."""
    with open(tree) as lines:
        for line in lines:
            kind, path, text = line.rstrip("\n").split("\t", 2)
            full = os.path.join(root, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            if kind == "L":
                os.symlink(text, full)
                continue
            with open(full, "w") as f:
                f.write(text.encode().decode("unicode_escape"))


def shim_of(name):
    """NAME.c of this folder, to be loaded before a ktop; None where it cannot
    be: no Linux, no compiler, or a sanitizer that wants to be the first."""
    cc = os.environ.get("CC", "cc").split()
    shim = os.path.abspath(name + ".so")
    if not sys.platform.startswith("linux") or shutil.which(cc[0]) is None:
        return None
    done = subprocess.run(cc + ["-shared", "-fPIC", "-o", shim, os.path.join(
        os.path.dirname(os.path.abspath(__file__)), name + ".c"), "-ldl"])
    loads = done.returncode == 0 and subprocess.run(
        [KTOP, "--version"], env=dict(os.environ, LD_PRELOAD=shim),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
    return shim if loads else None


def json_differs(rows, lines):
    """What of the lines of JSON is not as the rows of CSV have it."""
    types = {x.split("\t")[0]: x.split("\t")[1] for x in
             Run("--list-columns").out.splitlines()[1:]}
    bad = []
    for row, line in zip(rows, lines):
        if list(row) != list(line):
            bad.append("other names")
        for name, text in row.items():
            v = line[name]
            if name == "quality":
                fine = v == [w for w in text.split(";") if w]
            elif text == "":
                fine = v is None
            elif types[name] in ("text", "time"):
                fine = v == text
            elif types[name] == "integer":
                fine = isinstance(v, int) and str(v) == text
            else:
                fine = float(text) == v
            if not fine:
                bad.append("%s: %r is %r" % (name, text, v))
    return bad


def record(*args):
    return rows_of(Run("--csv", "-", *args).out)
