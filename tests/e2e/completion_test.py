"""Completion in real shells, on a terminal: Tab is typed, then Enter, and what
the shell then runs tells what it made of the words."""
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import time

from tap import KTOP, Run, finish, ok, same, skip, table

LIMIT = 60
top = os.getcwd()
os.mkdir("bin")
os.mkdir("folder of mine")
open("recording of mine.csv", "w").close()
# The shell's ktop completes as the real one, and else prints its words.
with open("bin/ktop", "w") as f:
    f.write("#!/bin/sh\n[ \"$1\" != --completion ] || exec '%s' \"$@\"\n"
            "printf '<%%s>' \"$@\"\necho '<end>'\n" % KTOP)
os.chmod("bin/ktop", 0o755)
environment = dict(os.environ, PATH=top + "/bin:" + os.environ["PATH"],
                   HOME=top, TERM="xterm", XDG_CONFIG_HOME=top + "/config",
                   XDG_DATA_HOME=top + "/data", HISTFILE="", LC_ALL="C.UTF-8")
environment.pop("KTOP_SIM", None)

SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"],
             ". ./ktop.bash"),
    "bash, as of macOS": (["bash", "--norc", "--noprofile", "-i"],
                          "enable -n compopt; . ./ktop.bash"),
    # As installed: found by its name when it is first wanted.
    "zsh": (["zsh", "-f", "-i"],
            "mkdir site && cp ktop.zsh site/_ktop && fpath=($PWD/site $fpath)"
            " && autoload -Uz compinit && compinit -u -D"),
    "zsh, by eval": (["zsh", "-f", "-i"],
                     "autoload -Uz compinit && compinit -u -D &&"
                     " eval \"$(<ktop.zsh)\""),
    "fish": (["fish", "--no-config", "-i"], "source ./ktop.fish"),
}


class Shell:
    def __init__(self, argv):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execvpe(argv[0], argv, environment)
        self.seen = ""

    def read(self, until):
        """What comes up to a match of the expression, or None in a minute."""
        end = time.monotonic() + LIMIT
        while True:
            found = re.search(until, self.seen)
            if found:
                self.seen = self.seen[found.end():]
                return found
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.fd], [], [], left)[0]:
                return None
            try:
                self.seen += os.read(self.fd, 4096).decode("utf-8", "replace")
            except OSError:
                return None

    def run(self, typed):
        """The words with which ktop is run when that and Enter are typed."""
        os.write(self.fd, typed.encode() + b"\r")
        found = self.read(r"((?:<[^<>\r\n]*>)+)<end>")
        return re.findall("<([^<>]*)>", found.group(1)) if found else self.seen

    def end(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.fd)


OLD = "bash" if shutil.which("bash") and b"version 3." in subprocess.run(
    ["bash", "--version"], stdout=subprocess.PIPE).stdout else None
TYPED = [
    ("--presets\b\t branch", ["--preset", "branch"], "an option"),
    ("docto\t", ["doctor"], "a command"),
    ("doctor --rep\t", ["doctor", "--repair"], "an option of a command"),
    ("--preset topd\t", ["--preset", "topdown"], "a preset"),
    ("--preset=topd\t", ["--preset=topdown"], "a value behind ="),
    ("-p topd\t", ["-p", "topdown"], "a value behind a letter"),
    ("--theme gruv\t", ["--theme", "gruvbox"], "a theme"),
    ("--view bott\t", ["--view", "bottlenecks"], "a view"),
    ("--sim m3u\t", ["--sim", "m3ultra"], "a simulated machine"),
    ("--sim m1 -- --\b\b", ["--sim", "m1", "--"], "words without Tab"),
    ("--rotate branch,topd\t", ["--rotate", "branch,topdown"],
     "the last of a list"),
    ("stat --sim m1 --events L1D_TLB_A\t",
     ["stat", "--sim", "m1", "--events", "L1D_TLB_ACCESS"], "an event"),
    ("summary rec\t", ["summary", "recording of mine.csv"], "a file"),
    ("--csv=rec\t", ["--csv=recording of mine.csv"], "a file behind ="),
    ("--root fold\t", ["--root", "folder of mine/"], "a folder"),
    ("stat -- uniq-of-kto\t x", ["stat", "--", "uniq-of-ktop", "x"],
     "a command to count"),
    ("stat -- ls --vs cat rec\t",
     ["stat", "--", "ls", "--vs", "cat", "recording of mine.csv"],
     "a file of the second command"),
]
with open("bin/uniq-of-ktop", "w") as f:
    f.write("#!/bin/sh\n")
os.chmod("bin/uniq-of-ktop", 0o755)

for name, (argv, load) in sorted(SHELLS.items()):
    if not shutil.which(argv[0]):
        skip("completion in %s" % name, "%s is not installed" % name)
        continue
    r = Run("--completion", argv[0])
    open("ktop." + argv[0], "w").write(r.out)
    r = subprocess.run([argv[0], "-n", "ktop." + argv[0]],
                       stderr=subprocess.PIPE)
    ok(r.returncode == 0, "%s takes the script" % name, r.stderr.decode())
    shell = Shell(argv)
    os.write(shell.fd, (load + "; echo load''ed\r").encode())
    if ok(shell.read("loaded"), "%s loads it" % name, shell.seen):
        for typed, want, what in TYPED:
            got = shell.run("ktop " + typed)
            # Enter takes the slash away in zsh; older bash has none.
            if argv[0] == "zsh" or name in ("bash, as of macOS", OLD):
                want = [x.rstrip("/") for x in want]
            same(got, want, "%s: %s" % (name, what))
        # Two Tabs list all of them.
        os.write(shell.fd, b"ktop --sim m\t\t")
        ok(shell.read("m3ultra"), "%s: Tab Tab lists the machines" % name,
           shell.seen)
    shell.end()


def words(*typed):
    out = Run("--completion", "words", "--", "ktop", *typed).out
    return [x.split("\t")[0] for x in out.splitlines()]


options = ["--" + x[0] for x in table("options")]
same(sorted(set(words("--") + words("stat", "--") + words("summary", "--") +
                words("compare", "--") + words("doctor", "--") +
                words("--replay", "x", "--"))), sorted(options),
     "every option is offered somewhere, and no other")
same(words(""), [x[0] for x in table("commands")], "and every command")
same(words("--speed", "") + words("mark", "") + words("--bogus", ""), [],
     "nothing is offered where nothing is known")
same(words("stat", "-ra"), ["-rauto"], "a value joined to its letter")
for shell in ("bash", "zsh", "fish"):
    same(words("--completion", shell[:2]), [shell], "the shell " + shell)
r = Run("--completion", "csh")
ok(r.code == 2 and "unknown shell 'csh'" in r.err, "another shell is refused",
   r.err)
finish()
