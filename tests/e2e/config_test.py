"""The config file, the event picker and the mouse, through a terminal."""
import os
import subprocess

from tap import KTOP, finish, ok, same

VTRUN = os.environ.get("VTRUN", "")
home = os.path.join(os.getcwd(), "config-home")
path = os.path.join(home, "ktop", "ktoprc")
env = dict(os.environ, XDG_CONFIG_HOME=home)
for name in ("KTOP_SIM", "KTOP_THEME"):
    env.pop(name, None)


def run(*args):
    return subprocess.run([KTOP] + list(args), env=env, timeout=20,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True)


def play(text, actions, *args):
    p = subprocess.run([VTRUN, "-s", "120x40", "-t", "10"] + actions +
                       ["--", KTOP] + list(args), env=env, timeout=60,
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, universal_newlines=True)
    ok(p.returncode == 0, text, p.stderr)


def write(text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    open(path, "w").write(text)


write("# mine\ndelay = 200ms\n\n[metric brpct]\nlabel = wrong%\n"
      "formula = 100 * BRANCH_MISPRED_NONSPEC / INST_BRANCH\n\n"
      "[preset mine]\nkey = 5\nevents = INST_BRANCH, "
      "BRANCH_MISPRED_NONSPEC, INST_ALL\n")
p = run("--write-config", "-n", "7")
ok("\ndelay = 200ms\n" in p.stdout and "\nframes = 7\n" in p.stdout and
   p.stdout.endswith("INST_ALL\n"),
   "--write-config has the file's values, the line's and the sections",
   p.stdout)
write(p.stdout)
same(run("--write-config").stdout, p.stdout,
     "what it writes is read back to the same")
write(p.stdout.replace("frames = 7", "# frames"))

play("an own preset has its key, an own metric its column",
     ["wait:q quit", "key:5", "wait:3 of 8 counters", "wait:wrong%", "key:q",
      "exit:0", "given-back"], "--sim", "m1,seed=1")
play("the picker searches, refuses with the reason, counts and keeps",
     ["wait:q quit", "key:5", "wait:3 of 8 counters", "key:e",
      "wait:choose events", "text:MISS_LD_NON", "wait:1 of [0-9]* events",
      "text: ", "wait:all need counters 5,6,7", "key:esc", "sleep:100",
      "text:L1D_TLB_FILL", "wait:1 of [0-9]* events", "text: ",
      "wait:4 of 8 counters", "key:tab", "text:fills", "key:up", "key:up",
      "wait:key 2", "key:enter", "wait:fills saved", "wait:2 fills", "key:1",
      "wait:8 of 8", "key:2", "wait:4 of 8 counters", "key:q", "exit:0",
      "given-back"], "--sim", "m1,seed=1")
ok(open(path).read().endswith(
    "\n[preset fills]\nkey = 2\nevents = INST_BRANCH, BRANCH_MISPRED_NONSPEC,"
    " INST_ALL, L1D_TLB_FILL\n"), "the preset stands in the file",
   open(path).read())
play("W saves what was chosen, and it is so the next time",
     ["wait:q quit", "key:+", "wait:500 ms", "key:3", "sleep:400",
      "key:tab", "key:s", "stable:50", "key:W",
      "wait:saved in", "key:q", "exit:0"], "--sim", "m1,seed=1")
text = open(path).read()
for line in ("delay = 500ms", "preset = branch", "theme = default",
             "view = cores", "sort = ipc"):
    ok("\n%s\n" % line in text.split("\n[")[0] + "\n", "saved: " + line, text)
play("the saved view comes back", ["wait:500 ms", "wait:sort: IPC", "key:q",
                                   "exit:0"], "--sim", "m1,seed=1")

for text, says in (("nix = 1\n", ":1: unknown option 'nix'"),
                   ("\ndelay = x\n", ":2: --delay 'x'"),
                   ("[metric a]\nformula = A /\n", ":2:14: ")):
    write(text)
    p = run("-b", "-n", "1", "--sim", "m1,clock=step")
    ok(p.returncode == 2 and path + says in p.stderr,
       "a mistake names file and place: " + says, p.stderr)
ok(run("--help").returncode == 0, "help is there all the same")
os.remove(path)
ok(run("--config", path, "--list-presets").returncode == 2,
   "a file that was asked for has to be there")

play("a click selects, the wheel scrolls, and the mouse is given back",
     ["wait:q quit", "wait:cores", "stable:100", "mouse:6,14", "stable:50",
      "dump:clicked", "key:q", "exit:0", "given-back"],
     "--sim", "m1,seed=1,clock=step", "--mouse", "-n", "3", "--hold",
     "--theme", "default")
head = open("clicked.cells").readline()
ok("modes=1000,1006" in head, "SGR reports are asked for", head)
play("without the option the mouse is the terminal's",
     ["wait:q quit", "dump:plain", "key:q", "exit:0"],
     "--sim", "m1,seed=1,clock=step", "-n", "3", "--hold")
ok("mouse=0" in open("plain.cells").readline(), "no report is asked for")
p = subprocess.run([VTRUN, "-t", "10", "wait:q quit", "sig:SEGV", "exit:139",
                    "given-back", "--", KTOP, "--sim", "m1", "--mouse"],
                   env=env, timeout=60, stdin=subprocess.DEVNULL,
                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                   universal_newlines=True)
ok(p.returncode in (0, 139), "a crash gives the mouse back too", p.stderr)
finish()
