"""Screens through a terminal in memory, against tests/data/screens/terminal.

GOLDEN_UPDATE=1 writes them again; look at what changed before keeping it.
"""
import os
import re
import string
import subprocess
from concurrent.futures import ThreadPoolExecutor

from tap import KTOP, Run, finish, ok, skip

HERE = os.path.dirname(os.path.abspath(__file__))
GOLDEN = os.path.join(HERE, "..", "data", "screens", "terminal")
UPDATE = os.environ.get("GOLDEN_UPDATE") == "1"
VTRUN = os.environ.get("VTRUN", "")
JOBS = []  # (name, what to do): most of it is waiting, so some at a time
SPEC = "%s,seed=1,clock=step"


def play(actions, args, size="80x24", term=None, env=(), code=0):
    """Runs ktop on a terminal; the failure's text, or nothing."""
    command = [VTRUN, "-s", size, "-t", "60"]
    for name in ("TZ=UTC", "KTOP_THEME") + tuple(env):
        command += ["-e", name]
    if term:
        command += ["-T", term]
    command += actions + ["--", KTOP] + args
    p = subprocess.run(command, stdin=subprocess.DEVNULL, timeout=120,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if p.returncode == code:
        return ""
    return "status %d\n%s" % (p.returncode, p.stderr.decode())


def looks(cells):
    """vtrun's runs of cells as a picture, a letter for each way to look, since
    the text stands in the other golden; its first line, the picture, letters."""
    head, *lines = cells.splitlines()
    runs = [re.match(r" *(\d+) +(\d+) \|(.*)\| (fg=.*)", x).groups()
            for x in lines]
    letter = dict(zip(sorted({x[3] for x in runs}),
                      string.ascii_letters + string.digits))
    rows = {}
    for row, col, text, look in runs:
        rows[int(row)] = rows.get(int(row), "").ljust(int(col)) + \
            letter[look] * len(text)
    return "\n".join([head] + [rows.get(i, "") for i in
                               range(max(rows, default=-1) + 1)] +
                     ["%s %s" % (letter[x], x) for x in letter]) + "\n"


def difference(base, name, kind):
    """Lines that differ from the golden, or nothing."""
    got = open("%s.%s" % (base, kind)).read()
    if kind == "cells":
        got = looks(got)
    # How often the terminal was still busy is the test machine's affair.
    got = re.sub(r"\d+ refreshes skipped +", "N refreshes skipped", got)
    # Nor how long the help is that of one key more.
    got = re.sub(r"   page \d+ of \d+",
                 lambda m: re.sub(r"\d", "#", m.group(0)), got)
    path = os.path.join(GOLDEN, "%s.%s" % (name, kind))
    if UPDATE:
        os.makedirs(GOLDEN, exist_ok=True)
        open(path, "w").write(got)
    if not os.path.exists(path):
        return "no golden %s.%s" % (name, kind)
    want = open(path).read()
    if got == want:
        return ""
    a, b = want.split("\n"), got.split("\n")
    out = ["%s.%s: %d lines, %d wanted" % (name, kind, len(b), len(a))]
    for i, (x, y) in enumerate(zip(a, b)):
        if x != y:
            out += ["%d want %s" % (i, x), "%d got  %s" % (i, y)]
    return "\n".join(out)


def shot(name, args, keys=(), cells=False, wait="ENDED", golden=None,
         close=(), **how):
    """One screen: what the golden of that name shows, and a clean way out.
    Where the screen is too small to say that it ended, silence has to do:
    then a slow machine gets a second chance."""
    kinds = ["txt"] + (["cells"] if cells else [])
    base = "screen-%d" % len(JOBS)

    def run():
        for quiet in (40, 400) if wait == "ENDED" else (40, 400, 2000):
            script = (["wait:" + wait] if wait else []) + \
                ["stable:%d" % quiet] + list(keys) + \
                ["dump:" + base] + list(close) + \
                ["key:q", "exit:0", "given-back"]
            wrong = play(script, args, **how) or "\n".join(
                x for x in (difference(base, golden or name, k)
                            for k in kinds) if x)
            if not wrong or UPDATE:
                break
        return wrong
    JOBS.append(("screen " + name, run))


def check(name, *play_args, **how):
    JOBS.append((name, lambda: play(*play_args, **how)))


def held(machine, *more, frames=70):
    return ["--sim", SPEC % machine, "-n", str(frames), "--hold"] + list(more)


def machines():
    for machine in ("m1", "m3ultra", "m5max", "m5ultra", "m6"):
        for size in ("80x24", "120x40", "200x60", "20x5"):
            shot("%s-%s" % (machine, size), held(machine), size=size,
                 cells=(machine, size) in (("m1", "80x24"),
                                           ("m5max", "120x40"),
                                           ("m6", "120x40")),
                 wait="quit" if size == "20x5" else "ENDED")


def terminals():
    """What a terminal lacks changes looks, never what is said."""
    small = held("m1")
    shot("true colour", small, cells=True, golden="m1-true",
         env=["COLORTERM=truecolor"])
    shot("tmux", small, term="tmux-256color", golden="m1-80x24")
    shot("linux console", small, term="linux", cells=True,
         golden="m1-linux")
    shot("vt100", small, term="vt100", cells=True, golden="m1-vt100")
    shot("no colour", small, cells=True, golden="m1-mono",
         env=["NO_COLOR=1"])
    shot("LANG=C", small, golden="m1-ascii", env=["LANG=C"])
    shot("ASCII by choice", small + ["--glyphs", "ascii"], golden="m1-ascii")
    for theme in ("light", "mono", "high-contrast", "okabe-ito"):
        path = os.path.join(HERE, "..", "..", "themes", theme + ".theme")
        shot("theme " + theme, small + ["--theme", path], golden="m1-80x24")
    # What ktop itself takes is measured over real seconds.
    shot("the cost of a stepped machine is its own",
         held("m3ultra"), ["sleep:1100", "key:^L"], size="200x60",
         golden="m3ultra-200x60")


def modes():
    wide = {"size": "120x40"}
    shot("m1-topdown", held("m1", "-p", "topdown"), **wide)
    shot("m1-branch", held("m1", "-p", "branch"), **wide)
    shot("m5max-topdown", held("m5max", "-p", "2"), **wide)
    shot("m6-topdown", held("m6", "-p", "2"), **wide)
    shot("m1-ipc", held("m1", "--ipc"), **wide)
    shot("m1-rotate", held("m1", "--rotate", "basic,topdown"), **wide)
    shot("m1-rotate-80x24", held("m1", "--rotate", "basic,topdown"))
    shot("m1-help", held("m1"), ["key:?", "wait:Find out"], **wide)
    shot("m1-help-small", held("m1"), ["key:?", "wait:Find out"])
    shot("m1-help-columns", held("m1"), ["key:?", "wait:Find out", "key:tab",
                                         "wait:Columns on this"])
    for size in ("80x24", "120x40"):
        shot("m1-slept-" + size, held("m1,fault=sleep@40s-3640s"),
             ["key:H", "wait:slept 60 min", "stable:40"], size=size)
    for size in ("80x24", "120x40"):
        shot("m2max-processes-" + size, held("m2max", "--view", "processes"),
             ["key:l", "wait:worst IPC|↑IPC", "stable:40"], size=size,
             cells=size == "80x24")
    shot("m1-without-root", held("m1,euid=501"), **wide)
    shot("vm-processes", held("vm", "--view", "processes"))
    shot("m1-presets", held("m1"), ["key:0", "wait:what to count"], **wide)
    for size in ("80x24", "120x40"):
        shot("m1-sort-" + size, held("m1"),
             ["key:s", "wait:sort by", "key:down", "key:enter",
              "gone:sort by", "key:s", "wait:▸ ↓ IPC", "key:down",
              "stable:100"], size=size)
    # A set of its own: one that the last event of the list does not fit into.
    for size in ("80x24", "120x40"):
        shot("m1-picker-" + size, held("m1"),
             ["key:e", "wait:none: 8 of 8 counters free", "text:+",
              "wait:0 of 8 counters free", "key:end", "wait:ST_UNIT_UOP",
              "key:up", "wait:. !  ST_NT_UOP", "key:up",
              "key:up", "wait:= swaps it in", "stable:100"],
             close=["key:^C", "gone:choose events"], size=size)
    tab = ["key:tab", "gone:clusters"]  # processes
    for view, sign in (("cores", "wait:g group"), ("charts", "gone:sort:"),
                       ("power", "wait:^┌─ rails"),
                       ("bottlenecks", "wait:^┌─ lost issue slots"),
                       ("events", "wait:refreshes skipped"),
                       ("detail", "wait:the whole machine")):
        tab = tab + ["key:tab", sign]
        shot("m1-view-" + view, held("m1"), tab, **wide)
    shot("m1-paused", held("m1"), ["key:space", "wait:PAUSED"], **wide)
    shot("m1-scrubbed", held("m1"), ["key:space", "wait:PAUSED", "key:left",
                                     "wait:PAUSED -0:01"], **wide)


def letters():
    """A process has a name of wide letters, which is cut in one at 80x24."""
    who = held("m2max", "--view", "processes")
    worst = ["key:l", "wait:worst IPC|↑IPC", "stable:40"]
    # By curses, and without it.
    for term in ("vt100", "vt220"):
        shot("wide letters on a " + term, who + ["--glyphs=braille"], worst,
             term=term, golden="m2max-processes-80x24")
    shot("m2max-processes-ascii", who, ["key:l", "wait:worst IPC|.IPC",
                                        "stable:40"], env=["LC_ALL=C"])


def replays():
    for size in ("80x24", "120x40"):
        shot("m1-replay-" + size, ["--replay", "rec.csv"],
             ["key:space", "wait:stopped", "key:end", "wait:59/59", "key:left",
              "wait:58/59", "stable:40"], size=size, wait="REPLAY")


def trouble():
    shot("steal", ["--sim", SPEC % "m1,fault=steal@3s", "-n", "5", "--hold"],
         size="120x40")
    shot("off", ["--sim", SPEC % "m2max,fault=off:P1@3s", "-n", "6",
                 "--hold"], size="120x40")
    shot("stale", ["--sim", SPEC % "m2max,fault=off:E@3s", "-n", "6",
                   "--hold"], size="120x40")
    shot("vm", held("vm", frames=5))
    shot("intel", held("intel", frames=5), size="120x40")
    shot("taken", ["--sim", SPEC % "m1,fault=taken@0s", "-n", "5", "--hold"])
    shot("refused", ["--sim", SPEC % "m1,fault=refuse:INST_ALL@0s", "-n",
                     "5", "--hold"])


def sizes():
    """Whatever sizes came before, a screen is what its size makes it."""
    steps = []
    for size in ("20x5", "200x60", "1x1", "40x10", "80x24"):
        steps += ["resize:" + size, "stable:40"]
    shot("80x24 after other sizes", held("m1"), steps, size="120x40",
         golden="m1-80x24")
    for size in ("20x5", "10x3", "1x1", "500x3", "20x200"):
        check("%s is survived" % size,
              ["wait:[[:graph:]]", "stable:40", "alive", "key:q", "exit:0",
               "given-back"],
              held("m5max"), size=size)


def power():
    """Rails, clocks and memory, and what a machine does not publish of it."""
    for machine, size in (("m1", "60x15"), ("m1", "80x24"), ("m1", "120x40"),
                          ("m3ultra", "120x40"), ("m5max", "160x45"),
                          ("m6", "120x40"), ("m5max", "300x100")):
        shot("power-%s-%s" % (machine, size),
             held(machine + ",power=os", "--view", "power"), size=size,
             cells=(machine, size) == ("m1", "120x40"))
    for fault in ("nototal", "falls", "frozen", "never", "denied", "throttle"):
        shot("power-" + fault,
             held("m1,power=%s" % fault, "--view", "power"), size="120x40")
    shot("power-none", held("m1", "--view", "power"), size="80x24")
    shot("power in ASCII", held("m1,power=os", "--view", "power"), size="120x40",
         golden="power-ascii", env=["LANG=C"])
    shot("power without colour", held("m1,power=os", "--view", "power"), cells=True,
         size="120x40", golden="power-mono", env=["NO_COLOR=1"])


if VTRUN:
    Run("--sim", SPEC % "m1", "--csv", "rec.csv", "-n", "60")
    machines()
    terminals()
    modes()
    letters()
    replays()
    trouble()
    sizes()
    power()
    with ThreadPoolExecutor(1 if UPDATE else 3) as pool:
        for (name, _), wrong in zip(JOBS, pool.map(lambda j: j[1](), JOBS)):
            ok(not wrong, name, wrong)
else:
    skip("screens", "no VTRUN")
finish()
