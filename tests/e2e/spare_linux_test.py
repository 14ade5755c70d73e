"""What is counted where there is no PMU, or too little of anything (Linux).

The first part takes a machine without one, as most virtual machines are.
"""
import json
import os
import subprocess
import sys

from tap import KTOP, Run, finish, for_all, ok, same, skip

if not sys.platform.startswith("linux"):
    skip("machines without counters", "Linux only")
    finish()
    sys.exit(0)

B = ("-b", "-n", "1", "-d", "0.2")
probe = Run(*B)
bare = Run("--require-pmu", *B)
if bare.code == 5 and "ctx/s" in probe.out:
    ok("showing" not in bare.err and bare.err.count("\n") == 1,
       "--require-pmu promises nothing that it does not show", bare.err)
    for args in (("-p", "branch"), ("-p", "dtlb"), ("--ipc",), ()):
        r = Run(*B, *args)
        what = " ".join(args) or "the default"
        same(r.code, 0, "%s without a PMU" % what)
        ok("no hardware counters" in r.err, "  says so", r.err)
        ok(all(x in r.out for x in ("ctx/s", "migr/s", "fault/s")),
           "  and counts what the kernel counts", r.out)
        ok("has none of" not in r.err, "  without a word of a database",
           r.err)
    r = Run("--csv", "u.csv", "-n", "1", "-d", "0.2", "--user")
    rows = open("u.csv").read().split("\n")
    at = rows[0].split(",").index("domain")
    same({x.split(",")[at] for x in rows[1:] if x}, {"all"},
         "events of the kernel are of no user mode")
    for i in range(20):
        Run("--openmetrics", "page.prom", "-n", "1", "-d", "0.2")
        page = open("page.prom").read()
        # Who is held up between counters and times does not know how busy.
        if "ktop_cpu_busy_seconds_total{" in page:
            break
    ok("cycles_total" not in page and "instructions_total" not in page and
       "ktop_cpu_busy_seconds_total{" in page,
       "a page has no totals that nobody counted", page[:2000])
    p = subprocess.run(["sh", "-c", 'ulimit -n 9; exec "$@"', "x", KTOP, *B],
                       stdin=subprocess.DEVNULL, capture_output=True,
                       text=True, close_fds=True)
    ok(p.returncode == 0 and "cycles and instructions only" not in p.stderr,
       "too few files for all: no pair is promised", p.stderr)
else:
    skip("what is said without a PMU", "there is one, or no right to ask")

if bare.code == 3 or "software events are refused" in probe.err:
    skip("events of the kernel by name", "no right to count here")
else:
    for words, title in (("software/config=3/", "ctx/s"),
                         ("SW_MIGRATIONS", "migr/s")):
        r = Run(*B, "--events", words)
        heads = [x for x in r.out.splitlines() if x.startswith("ROW ")]
        ok(r.code == 0 and len(heads) == 1 and title in heads[0] or
           bare.code != 5, "--events %s" % words, r.out + r.err)
    for words in ("SW_MIGRATIONS,SW_MIGRATIONS", "software/config=99/",
                  "context-switches,software/config=3/",
                  "SW_CONTEXT_SWITCHES,software/config=3/"):
        r = Run(*B, "--events", words)
        ok(r.code == 2 and "--events" in r.err, "--events %s is 2" % words,
           "%d: %s" % (r.code, r.err))

# ---- without the right to count ----

plain = for_all() if os.geteuid() == 0 else KTOP


def nobody(*args):
    return subprocess.run([plain, *args], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=120,
                          user=65534 if os.geteuid() == 0 else None)


if nobody(*B).returncode == 0:
    skip("no permission is 3", "everybody may count here")
else:
    for args in (B, B + ("--require-pmu",), B + ("--ipc",),
                 ("--csv", "/dev/null", "-n", "1", "-d", "0.2")):
        r = nobody(*args)
        ok(r.returncode == 3 and r.stderr.count("\n") == 1,
           "no permission is 3, and why: " + " ".join(args[-2:]),
           "%d: %s" % (r.returncode, r.stderr))
    ok("busy" in nobody(*B).stdout, "  busy time is shown all the same")
    r = nobody("-d", "0.2", "--", "sh", "-c", "exit 7")
    ok(r.returncode == 7 and r.stderr.count("not counted: ") == 1 and
       "cycles  " not in r.stderr, "  a command's report says it once",
       r.stderr)

# ---- two recordings of one run ----

Run("-n", "2", "-d", "0.2", "--csv", "a.csv", "--json", "a.json")
rows = open("a.csv").read().split("\n")
at = rows[0].split(",").index("run")
ids = {x.split(",")[at] for x in rows[1:] if x}
ids |= {json.loads(x)["run"] for x in open("a.json") if x.strip()}
same(len(ids), 1, "CSV and JSON of one run have its one id")

# ---- another's config ----

if os.geteuid() == 0:
    os.makedirs("home/.config/ktop")
    open("home/.config/ktop/ktoprc", "w").write("delay = 5s\n")
    env = dict(os.environ, HOME=os.path.abspath("home"))
    env.pop("XDG_CONFIG_HOME", None)
    for name, mode, code in (("home/.config", 0o700, 0),
                             ("home/.config", 0o755, 3)):
        os.chmod(name, mode)
        os.chmod("home/.config/ktop/ktoprc", 0o600)
        p = subprocess.run([for_all(), *B, "--sim", "m1,clock=step"], env=env,
                           user=65534, group=65534, extra_groups=[],
                           stdin=subprocess.DEVNULL, capture_output=True,
                           text=True)
        same(p.returncode, code, "a config %s" % (
            "in a folder that is closed to the caller is left alone"
            if code == 0 else "that is there and unreadable is an error"))
        ok("ktoprc" in p.stderr and p.stderr.count("\n") == 1,
           "  which is one line", p.stderr)
finish()
