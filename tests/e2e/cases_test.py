"""The cases of tests/data/cases: what is run or typed, and what comes of it.

Each file has a folder of its own, which is $XDG_CONFIG_HOME too, and its cases
are run one after the other; "{}" in a line is that folder. Words are quoted as
for sh. A case begins with "- NAME"; of its steps all have to hold:

  write FILE TEXT    \\n in it ends a line
  run ARG...         ktop; then, of this run:
  code N             its status (0 where nothing is said)
  out, err TEXT      is in its output; "!out TEXT": is not; "out~ REGEX"
  lines N            of standard error
  text FILE, same FILE
                     the indented lines below are written to it; are all of it
  shell LINE         for what a run cannot: $KTOP is ktop, $TESTS this folder's
                     parent; as a run
  screen [OPTION...] -- ARG...
                     ktop on a terminal; the indented lines below are vtrun's
                     actions; as a run. "terminal": of another program
  keys N             of the last screen: key:X that were pressed, but q; six
                     at most
  file FILE TEXT     is in it; also "!file" and "file~"
"""
import glob
import os
import re
import shlex
import subprocess
from concurrent.futures import ThreadPoolExecutor

from live import VTRUN
from tap import KTOP, finish, ok, skip

HERE = os.path.dirname(os.path.abspath(__file__))


class Case:
    def __init__(self, folder, name):
        self.folder, self.name = folder, name
        self.out = self.err = ""
        self.code = self.told = 0
        self.wrong = []
        self.has_screen = False

    def start(self, argv, line):
        self.settle()
        p = subprocess.run(
            argv, cwd=self.folder, stdin=subprocess.DEVNULL, timeout=300,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=dict(os.environ, XDG_CONFIG_HOME=self.folder, KTOP=KTOP,
                     TESTS=os.path.dirname(HERE)))
        self.out, self.err = p.stdout.decode(), p.stderr.decode()
        self.code, self.told, self.line = p.returncode, 0, line

    def settle(self):
        """A status that nothing was said about is 0."""
        if self.code != self.told:
            self.wrong.append("%s: ends with %d\n%s%s" % (
                self.line, self.code, self.out[-900:], self.err[-2000:]))
        self.code = self.told = 0

    def screen(self, program, line, actions):
        self.has_screen = True
        self.keys = [a for a in shlex.split(actions)
                     if a.startswith("key:") and a != "key:q"]
        if VTRUN:
            before, after = line.split("-- ", 1)
            self.start([VTRUN, "-t", "60"] + shlex.split(before) +
                       shlex.split(actions) + ["--"] + program +
                       shlex.split(after), line)

    def has(self, word, text, rest):
        plain = rest.replace("\\n", "\n").replace("\\t", "\t")
        found = re.search(rest, text, re.M) if word.endswith("~") else \
            plain in text
        if bool(found) == word.startswith("!"):
            self.wrong.append("%s %s\nbut there is\n%s" % (word, rest,
                                                          text[-2000:]))

    def step(self, word, rest, below):
        kind = word.strip("!~")
        below = re.sub("(?m)^  ", "", below)
        if kind == "write":
            name, _, text = rest.partition(" ")
            path = os.path.join(self.folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as f:
                f.write(text.replace("\\n", "\n"))
        elif kind == "text":
            with open(os.path.join(self.folder, rest), "w") as f:
                f.write(below)
        elif kind == "same":
            with open(os.path.join(self.folder, rest)) as f:
                got = f.read()
            if got != below:
                self.wrong.append("%s is\n%snot\n%s" % (rest, got, below))
        elif kind == "run":
            self.start([KTOP] + shlex.split(rest), rest)
        elif kind == "shell":
            self.start(["sh", "-c", rest], rest)
        elif kind == "code":
            self.told = int(rest)
        elif kind in ("out", "err"):
            self.has(word, self.out if kind == "out" else self.err, rest)
        elif kind == "lines":
            if self.err.count("\n") != int(rest):
                self.wrong.append("not %s lines:\n%s" % (rest, self.err))
        elif kind == "keys":
            if len(self.keys) != int(rest) or int(rest) > 6:
                self.wrong.append("%d keys: %s" % (len(self.keys),
                                                   " ".join(self.keys)))
        elif kind == "file":
            name, _, text = rest.partition(" ")
            with open(os.path.join(self.folder, name)) as f:
                self.has(word, f.read(), text)
        else:
            self.wrong.append("no step %s" % word)


def cases_of(path):
    """[(name, [(word, rest, actions)])] of a file."""
    cases = []
    for line in open(path):
        line = line.rstrip("\n")
        if line.startswith("- "):
            cases.append((line[2:], []))
        elif line.startswith(" "):
            word, rest, actions = cases[-1][1][-1]
            cases[-1][1][-1] = word, rest, actions + line + "\n"
        elif line and line[0] != "#":
            word, _, rest = line.partition(" ")
            cases[-1][1].append((word, rest, ""))
    return cases


def play(path):
    name = os.path.basename(path)[:-len(".txt")]
    folder = os.path.abspath(name)
    os.mkdir(folder)
    done = []
    for title, steps in cases_of(path):
        case = Case(folder, name + ": " + title)
        for word, rest, actions in steps:
            rest, actions = (x.replace("{}", folder) for x in (rest, actions))
            try:
                if word in ("screen", "terminal"):
                    case.screen([KTOP] * (word == "screen"), rest, actions)
                else:
                    case.step(word, rest, actions)
            except (OSError, ValueError, subprocess.TimeoutExpired) as e:
                case.wrong.append("%s %s: %s" % (word, rest, e))
        case.settle()
        done.append(case)
    return done


paths = sorted(glob.glob(os.path.join(HERE, "..", "data", "cases", "*.txt")))
with ThreadPoolExecutor(4) as pool:
    for done in pool.map(play, paths):
        for case in done:
            if case.has_screen and not VTRUN:
                skip(case.name, "no VTRUN")
            else:
                ok(not case.wrong, case.name, "\n".join(case.wrong))
ok(len(paths) > 1, "there are cases")
finish()
