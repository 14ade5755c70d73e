"""Terminals: what they answer, names without an entry, signs and colours."""
import os
import re
import subprocess

from live import on_terminal
from tap import finish, ok, same

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
home = os.path.join(os.getcwd(), "terminal-home")
own = os.path.join(home, "ktop", "themes")
env = dict(os.environ, XDG_CONFIG_HOME=home)
for name in ("KTOP_SIM", "KTOP_THEME", "LC_ALL", "LC_CTYPE"):
    env.pop(name, None)
os.makedirs(own)
for name in ("light", "dark"):
    with open(os.path.join(ROOT, "themes", name + ".theme")) as f:
        text = f.read()
    with open(os.path.join(own, name + ".theme"), "w") as f:
        f.write(text)
HELD = ["--sim", "m1max,seed=1,clock=step", "-n", "30", "--hold"]


def play(text, options, actions, args=HELD, code=0):
    """One run; false when it went wrong, which is told."""
    p = on_terminal(["-s", "120x40"] + options, actions, args, env=env)
    ok(p.returncode == code, text, p.stderr[:3000])
    return p.returncode == code


def seen(text, name, *options, actions=()):
    """What a run shows once it has ended, as (header, text, cells)."""
    if not play(text, list(options), ["wait:ENDED"] + list(actions) +
                ["dump:" + name, "key:q", "exit:0", "given-back"]):
        return "", "", ""
    with open(name + ".cells") as f:
        cells = f.read()
    with open(name + ".txt") as f:
        return cells.split("\n")[0], f.read(), cells


def ink(cells, what):
    """The colours and attributes of the first run that has that text."""
    m = re.search(r"\|[^|\n]*%s[^|\n]*\| (fg=\S+ bg=\S+ \S+)" % what, cells)
    return m.group(1) if m else "no " + what


TRUE = ("-e", "COLORTERM=truecolor")

# A ground that is answered in time, and none.
def answered(text, what, right, *options):
    """ktop waits 100 ms for an answer; on a busy machine it may take longer."""
    for _ in range(20):
        cells = seen(text, "answered", *options, *TRUE)[2]
        if right(cells):
            break
    ok(right(cells), what, cells[:500])


answered("white", "a white terminal gets the theme light",
         lambda cells: " bg=#ffffff" in cells, "-g", "ffffff")
answered("black", "a dark terminal gets the theme dark",
         lambda cells: ink(cells, "clusters") == "fg=#ffffff bg=- bold",
         "-g", "101418")
for depth, options in (("24 bits", TRUE), ("256 colours", ()),
                       ("8 colours", ("-T", "xterm"))):
    head, text, cells = seen("no answer, " + depth, "none", *options)
    table = cells[cells.find("clusters"):]
    same([ink(cells, "clusters"), ink(table, r"\d\.\d\d ?")],
         ["fg=- bg=- bold"] * 2, "unknown ground, %s: titles and IPC are in "
         "the terminal's own colour" % depth)
head, text, cells = seen("COLORFGBG", "none", "-e", "COLORFGBG=0;15", *TRUE)
ok(" bg=#ffffff" in cells, "without an answer COLORFGBG tells", cells[:500])
answered("answered and COLORFGBG", "the answer is nearer than COLORFGBG",
         lambda cells: " bg=#ffffff" not in cells, "-g", "000000",
         "-e", "COLORFGBG=0;15")

# Late: no digit of it chooses a preset, no letter opens anything.
for pieces in ([], ["answer:5"], ["answer:2", "answer:9"], ["answer:27"]):
    if play("late answer " + " ".join(pieces), ["-g", "ffffff", "-A"],
            ["wait:ENDED", "stable:50", "dump:before"] + pieces +
            ["answer", "stable:50", "dump:after", "key:?",
             "wait:Columns here", "key:q", "exit:0", "given-back"]):
        same(open("after.cells").read(), open("before.cells").read(),
             "a late answer is no key: " + " ".join(pieces))
# A key that comes while the answer is awaited counts, and once.
for name, options in (("none", []), ("an answer", ["-g", "ffffff"]),
                      ("a late one", ["-g", "ffffff", "-A"])):
    play("q before the first screen, with " + name, options,
         ["text:q", "exit:0", "given-back"], ["--sim", "m1,seed=1"])
    play("two keys before it, with " + name, options,
         ["text:Cw", "wait:saved in", "key:q", "exit:0", "given-back"],
         ["--sim", "m1,seed=1"])
    with open(os.path.join(home, "ktop", "ktoprc")) as f:
        ok("view = cores\n" in f.read(), "  in their order")
    os.remove(os.path.join(home, "ktop", "ktoprc"))
# Pasted text is no keys, but where text is typed; its other keys are dropped.
LONG = "q\\n" * 150
play("pasted text", [], [
    "wait:ENDED", "stable:50", "dump:before",
    "text:\\e[200~qCA/W\\x03\\x1a\\e[B" + LONG + "\\e[201~", "stable:50",
    "dump:after", "text:/\\e[200~P0\\nq\\x1bC\\e[201~", "wait:/P0q",
    "key:esc", "gone:P0q", "key:?", "wait:Columns here", "key:q", "exit:0",
    "given-back"])
same(open("after.cells").read(), open("before.cells").read(),
     "  changes nothing")
# w saves what somebody chose, not what was found out.
play("W with a guessed theme", ["-g", "ffffff"],
     ["wait:q quit", "key:w", "wait:saved in", "key:q", "exit:0"],
     ["--sim", "m1,seed=1"])
with open(os.path.join(home, "ktop", "ktoprc")) as f:
    ok("theme = auto\n" in f.read(), "the guess is not saved")
head, text, cells = seen("the next terminal is dark", "next", "-g", "000000",
                         *TRUE)
ok(" bg=#ffffff" not in cells, "it gets its own theme", cells[:500])
os.remove(os.path.join(home, "ktop", "ktoprc"))

# Names that are known to be compatible, where their entries are missing.
for term in ("xterm-kitty", "xterm-ghostty", "alacritty-x", "foot-x", "wezterm-x"):
    if play(term, ["-T", term, "-e", "COLORTERM"],
            ["wait:ENDED", "dump:" + term, "key:q", "exit:0", "given-back"],
            ["--sim", "m1,seed=1,clock=step", "-n", "2", "--hold"]):
        with open(term + ".txt") as f:
            text = f.read()
        known = subprocess.run(["infocmp", term], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL).returncode == 0
        ok(known or "unknown terminal \"%s\"; it is drawn as xterm-256color"
           % term in "\n".join(text.splitlines()[1:5]),
           term + " is drawn, and the header says so for a while", text)
        with open(term + ".cells") as f:
            ok("fg=#" in f.read(), term + " has 24-bit colours")
# Terminal.app from macOS 26 on.
for version, all_colors in (("455.1", False), ("466", True)):
    head, text, cells = seen("Terminal.app " + version, "apple",
                             "-e", "TERM_PROGRAM=Apple_Terminal",
                             "-e", "TERM_PROGRAM_VERSION=" + version)
    same("fg=#" in cells, all_colors, "24-bit colours in Terminal.app " + version)

# A locale that is not there, as macOS makes them; and one that is not UTF-8.
head, text, cells = seen("LANG=en_NL.UTF-8", "locale", "-e", "LANG=en_NL.UTF-8")
ok("┌─ clusters" in text, "lines and blocks in spite of LANG=en_NL.UTF-8", text)
finish()
