"""Whatever was sent in pieces shows what a screen drawn from nothing shows (^L).

On each terminal random keys go through a stopped recording, where no time
passes; after each the screen is kept, drawn from nothing, and kept again: cell by cell
with its colours. KTOP_LONG=1 drives each for longer.
"""
import os
import random
import re
import subprocess

from live import VTRUN
from tap import KTOP, Run, finish, ok, skip

KEYS = 40 if os.environ.get("KTOP_LONG") else 12
TRIES = 4
STEPS = ["right"] * 12 + ["left"] * 3 + ["pgdn", "home", "end"]
OTHER = ["tab", "S-tab", "?", "esc", "esc", "0", "down", "up", "s", "M", "z", "P", "l"]
SIZES = ["120x40", "80x24", "200x60", "41x13", "100x30"]
TERMINALS = [  # name, TERM, environment, machine
    ("xterm-256color", "xterm-256color", [], "m1"),
    ("16 million colours", "xterm-256color", ["COLORTERM=truecolor"], "m1max"),
    ("xterm-direct", "xterm-direct", [], "m1"),
    ("tmux-256color", "tmux-256color", [], "m3ultra"),
    ("screen", "screen", [], "m1"),
    ("linux", "linux", [], "m1"),
    ("vt100", "vt100", [], "m1"),
    ("vt220", "vt220", [], "m1"),
    ("xterm without colours", "xterm", ["NO_COLOR=1"], "m2max"),
    ("no UTF-8", "xterm-256color", ["LC_ALL=C"], "m1"),
    ("a light theme", "xterm-256color", ["KTOP_THEME=light"], "m1"),
    ("a painted theme", "xterm-256color", ["KTOP_THEME=./painted.theme"], "m5max"),
    ("wide letters", "xterm-256color", [], "wide"),
]
# Processes with names of wide letters, which come and go.
WIDE = ["m1,seed=4", "--processes=12"]
AMONG = ["l", "l", "down", "up", "pgdn", "home", "*", "enter", "esc", "?", "esc"]
PAINTED = "name = Painted\n[colors]\ninkwell = #202830 : 236 : black\nsnow = #f0f0f0 : 255 : white\n[style]\nscreen = snow on inkwell\n"


def script(seed, name, patience):
    """Actions, and the pairs of screens that must be equal."""
    r = random.Random(seed)
    size = r.choice(SIZES)
    resizes = TERMINALS[seed][1] != "vt100"  # has the rows it was made with
    actions, pairs = ["wait:sample 0/", "key:space", "wait:stopped"], []
    wide = TERMINALS[seed][3] == "wide"
    if wide:
        size = "80x24"
        actions.append("wait:画")
    for i in range(KEYS):
        if resizes and r.randrange(12) == 0:
            actions.append("resize:" + r.choice(SIZES))
        for _ in range(r.choice([1, 1, 1, 3])):
            actions.append("key:" + r.choice(
                STEPS if i % 2 else AMONG if wide else OTHER))
        base = "%s-%d" % (name, i)
        # Long enough for a lone ESC, and for a machine with other things to do.
        actions += ["stable:%d" % (150 * patience), "dump:%s-a" % base,
                    "key:^L", "stable:%d" % (50 * patience),
                    "dump:%s-b" % base]
        pairs.append(base)
    actions += ["key:esc", "sleep:%d" % (200 * patience)] * 3
    return size, actions + ["key:q", "exit:0", "given-back"], pairs


def cells(path):
    with open(path + ".cells") as f:
        lines = f.read().split("\n")
    # A cursor that cannot be seen may be anywhere, one that can may not.
    lines[0] = re.sub(r"cursor \d+,\d+ hidden", "cursor hidden", lines[0])
    return lines


def differ(a, b):
    """Lines that are in one only, but for what ktop costs: that goes on, and
    the last row, where messages come and go by the clock."""
    last = "%3d " % (int(re.match(r"size \d+x(\d+)", b[0]).group(1)) - 1)
    lines = ["- " + x for x in a if x not in b] + \
        ["+ " + x for x in b if x not in a]
    moving = {x[2:6] for x in lines if "of a core" in x} | {last}
    return [x for x in lines if x[2:6] not in moving]


def known(term):
    return subprocess.run(["infocmp", term], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL).returncode == 0


def drive(number, label, term, env, machine, patience=1):
    name = "r%d" % number
    size, actions, pairs = script(number, name, patience)
    with open(name + ".script", "w") as f:
        f.write("\n".join(actions) + "\n")
    options = ["-s", size, "-T", term, "-f", name + ".script"]
    for e in env:
        options += ["-e", e]
    for pair in pairs:
        for end in ("-a.cells", "-b.cells"):
            if os.path.exists(pair + end):
                os.remove(pair + end)
    return subprocess.Popen(
        [VTRUN] + options + ["--", KTOP, "--replay", machine + ".csv"] +
        (["--view", "processes"] if machine == "wide" else []),
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE), pairs


def differences(pairs):
    found = {}
    for pair in pairs:
        if os.path.exists(pair + "-b.cells"):
            lines = differ(cells(pair + "-a"), cells(pair + "-b"))
            if lines:
                found[pair] = lines
    return found


def tell(number, row, p, pairs):
    err = p.communicate()[1].decode()
    bad = differences(pairs)
    for i in range(1, TRIES):
        if p.returncode == 0 and not bad:
            break
        # Again, and slower: on a busy machine a key may come too late.
        p, pairs = drive(number, *row, patience=2 ** i)
        err = p.communicate()[1].decode()
        again = differences(pairs)
        bad = {pair: bad[pair] for pair in bad if pair in again}
    ok(p.returncode == 0, "%s: a run of random keys" % row[0], err)
    ok(not bad, "%s: %d screens are what a new one is" % (row[0], len(pairs)),
       "\n".join(pair + ":\n" + "\n".join(bad[pair]) for pair in bad))


def dumb():
    p = subprocess.run([VTRUN, "-T", "dumb", "-r", "dumb.raw", "wait:^all",
                        "sig:TERM", "exit:143", "--", KTOP, "--sim", "m1",
                        "-d", "100ms"], stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    raw = open("dumb.raw", "rb").read()
    ok(p.returncode == 143 and b"\033" not in raw,
       "TERM=dumb cannot move the cursor and gets lines", p.stderr.decode())


if VTRUN:
    running = []
    with open("painted.theme", "w") as f:
        f.write(PAINTED)
    for machine in {row[3] for row in TERMINALS}:
        spec, *more = WIDE if machine == "wide" else [machine + ",seed=1"]
        Run("--sim", spec + ",clock=step", *more, "--csv",
            machine + ".csv", "-n", "200")
    for number, row in enumerate(TERMINALS):
        if not known(row[1]):
            skip("%s: the same screen" % row[0], "no terminfo entry")
            continue
        running.append((number, row) + drive(number, *row))
        if len(running) == 4:
            tell(*running.pop(0))
    for row in running:
        tell(*row)
    dumb()
else:
    skip("screens drawn from nothing", "no VTRUN")
finish()
