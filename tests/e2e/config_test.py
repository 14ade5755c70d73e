"""The config file, the event picker and the mouse, through a terminal."""
import os
import pwd
import re
import subprocess

from live import VTRUN, on_terminal
from tap import KTOP, finish, ok, same, table

home = os.path.join(os.getcwd(), "config-home")
path = os.path.join(home, "ktop", "ktoprc")
env = dict(os.environ, XDG_CONFIG_HOME=home)
for name in ("KTOP_SIM", "KTOP_THEME"):
    env.pop(name, None)


def run(*args):
    return subprocess.run([KTOP] + list(args), env=env, timeout=90,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True)


def play(text, actions, *args):
    p = on_terminal(["-s", "120x40"], actions, args, env=env)
    ok(p.returncode == 0, text, p.stderr)


def write(text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    open(path, "w").write(text)


write("# mine\ndelay = 200ms\n\n[preset mine]\nkey = 5\nevents = INST_BRANCH, "
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

play("an own preset has its key, and columns",
     ["wait:q quit", "key:5", "wait:3 of 8 counters", "wait:br%", "key:q",
      "exit:0", "given-back"], "--sim", "m1,seed=1")
play("the picker searches, refuses with the reason, counts and keeps",
     ["wait:q quit", "key:5", "wait:3 of 8 counters", "key:e",
      "wait:none: 8 of 8 counters free; c takes the 3 events counted now",
      "text:m", "wait:press / first", "text:c", "wait:5 of 8 counters free",
      "text:/MISS_LD_NON", "wait:1 of [0-9]* events", "text: ",
      "wait:s swaps it in for BRANCH_MISPRED_NONSPEC", "wait:all need counters 5,6,7",
      "text:s", "gone:all need", "wait:5 of 8 counters free", "text:c",
      "wait:none: 8 of 8", "text:c", "key:esc", "stable:50",
      "text:/L1D_TLB_FILL", "wait:1 of [0-9]* events", "text: ",
      "wait:4 of 8 counters free", "key:tab", "text:fills", "key:up", "key:up",
      "wait:key 2", "key:enter", "wait:fills saved", "wait:2 fills", "key:1",
      "wait:8 of 8", "key:2", "wait:4 of 8 counters", "key:q", "exit:0",
      "given-back"], "--sim", "m1,seed=1")
ok(open(path).read().endswith(
    "\n[preset fills]\nkey = 2\nevents = INST_BRANCH, BRANCH_MISPRED_NONSPEC,"
    " INST_ALL, L1D_TLB_FILL\n"), "the preset stands in the file",
   open(path).read())
play("what macOS did refuse is known from then on",
     ["wait:q quit", "key:5", "wait:3 of 8 counters", "key:e",
      "wait:choose events", "text:c/L1D_TLB_FILL", "wait:1 of [0-9]* events",
      "text: ", "wait:4 of 8 counters free", "key:enter", "gone:choose events",
      "wait:refuses L1D_TLB_FILL", "key:e", "wait:choose events",
      "text:/L1D_TLB_FILL", "wait:x  L1D_TLB_FILL  *refused",
      "wait:would be refused: this system", "key:esc",
      "stable:50", "key:esc", "gone:choose events", "key:q", "exit:0"],
     "--sim", "m1,seed=1,fault=refuse:L1D_TLB_FILL@0s")
play("W saves what was chosen, and it is so the next time",
     ["wait:q quit", "key:+", "wait:500 ms", "key:3", "wait:branch%",
      "key:C", "key:s", "wait:sort by", "key:down", "key:enter",
      "gone:sort by", "wait:sort: IPC", "key:W",
      "wait:saved in", "key:q", "exit:0"], "--sim", "m1,seed=1")
text = open(path).read()
for line in ("delay = 500ms", "preset = branch", "theme = auto",
             "view = cores", "sort = ipc"):
    ok("\n%s\n" % line in text.split("\n[")[0] + "\n", "saved: " + line, text)
play("the saved view comes back", ["wait:500 ms", "wait:sort: IPC", "key:q",
                                   "exit:0"], "--sim", "m1,seed=1")

for text, says in (("nix = 1\n", ":1:1: unknown option 'nix'"),
                   ("\ndelay = x\n", ":2:9: --delay 'x'"),
                   ("[preset a]\nevents = A\n[preset a]\n",
                    ":3:9: there is already a preset 'a'")):
    write(text)
    p = run("-b", "-n", "1", "--sim", "m1,clock=step")
    ok(p.returncode == 2 and path + says in p.stderr,
       "a mistake names file and place: " + says, p.stderr)
ok(run("--help").returncode == 0, "help is there all the same")

# Metrics of one's own are gone: told, and what is left works.
write("sort = mine\n[metric mine]\nformula = INST_ALL / FIXED_CYCLES\n"
      "[preset here]\nmetrics = ipc, mine\nevents = INST_BRANCH\n")
p = run("-b", "-n", "1", "--sim", "m1,clock=step", "-p", "here")
ok(p.returncode == 0 and path + ":2:2: own metrics were removed: use [preset "
   "NAME]" in p.stderr and "branch" in p.stdout and p.stderr.count("\n") == 1,
   "own metrics are told, and ktop starts", p.stderr)
play("  and on the screen", ["wait:own metrics were removed", "key:q",
                             "exit:0"], "--sim", "m1,seed=1")

# What hides and sorts rows can be wrong: told, and left out.
for text, says in (("filter = foo<1\n", ":1: --filter 'foo<1': no column"),
                   ("\nfilter = ipc<x\n", ":2: --filter 'ipc<x': a number"),
                   ("\npin = 4,!\n", ":2: --pin '!' is neither"),
                   ("sort = nix\n", ":1:8: unknown column 'nix'"),
                   ("tape = x\n", ":1:1: tape was removed: paste the report"
                    " of ktop doctor"),
                   ("filter = %s\n" % ("P0," * 20), ":1: --filter 'P0,")):
    write(text)
    p = run("-b", "-n", "1", "--sim", "m1,clock=step")
    ok(p.returncode == 0 and "left out: " + path + says in p.stderr and
       "P   " in p.stdout and p.stderr.count("\n") == 1,
       "what cannot be used is told with its place: " + text.strip()[:20],
       p.stderr)
    play("  and on the screen", ["wait:q quit", "wait:8 of 8", "key:q",
                                 "exit:0"], "--sim", "m1,seed=1")
    option, value = text.strip().split(" = ")
    p = run("--" + option, value, "-b", "-n", "1", "--sim", "m1,clock=step")
    ok(p.returncode == 2, "  on the command line it is a mistake", p.stderr)
write("filter = foo<1\nsort = nonsense\npin = zork\n")
play("three of them are told to the end of the last", [
    "wait:lists", "key:q", "exit:0"], "--sim", "m1,seed=1")
write("filter = foo<1\n")
p = run("-b", "-n", "1", "--sim", "m1,clock=step", "--filter", "P0")
same((p.returncode, p.stderr), (0, ""), "--filter takes the file's place")
write("filter = P\n")
play("W saves a filter by a column of this machine",
     ["wait:q quit", "text:P", "wait:IPC E", "text:/",
      "text:ipce<99", "wait:/ipce<99_", "key:enter",
      "key:down", "text:*", "wait:p +[0-9]+ (ana|root)", "key:W",
      "wait:saved", "wait:pinned", "key:q", "exit:0"], "--sim", "m1,seed=1")
ok("filter = ipce<99\n" in open(path).read() and
   "view = processes" in open(path).read(), "  with its view",
   open(path).read())
play("  which it starts with", ["wait:filter: ipce<99", "key:q", "exit:0"],
     "--sim", "m1,seed=1")
write("filter = P\nview = processes\n")
before = open(path).read()
play("nothing acts behind a list", [
    "wait:q quit", "text:s", "wait:sort by", "text:W", "wait:Esc closes this",
    "text:g", "text:e", "text:/", "key:esc", "gone:sort by", "text:0",
    "wait:what to count", "text:W", "key:esc", "gone:what to count",
    "text:?", "wait:Tab next part", "text:C", "key:esc", "wait:Enter threads",
    "text:q", "exit:0"], "--sim", "m1,seed=1")
same(open(path).read(), before, "  and nothing is saved from there")
play("a filter that means nothing stays in its line, and Esc drops it",
     ["wait:q quit", "text:/", "wait:/P_", "text: foo<1", "key:enter",
      "wait:no column has that name", "key:esc", "gone:foo", "text:/",
      "wait:/P_", "key:^U", "wait:/_", "text:root", "key:enter",
      "wait:filter: root ", "key:q", "exit:0"], "--sim", "m1,seed=1")

write("delay = 500ms\n")
play("where only IPC is counted W keeps that, and what i is to count", [
    "wait:q quit", "text:i", "wait:IPC mode", "text:2", "wait:counts topdown",
    "text:W", "wait:saved in .*: theme, interval, IPC only, view", "key:q",
    "exit:0"], "--sim", "m1,seed=1")
ok("ipc = yes\n" in open(path).read() and
   "preset = topdown\n" in open(path).read(), "  in the file",
   open(path).read())
p = run("-b", "-n", "1", "--sim", "m1,clock=step")
ok("IPC mode" in p.stdout, "  which the next start heeds", p.stdout)
for option in "--rotate=branch,l1d", "--events=INST_BRANCH":
    p = run("-b", "-n", "1", "--sim", "m1,clock=step", option)
    ok(p.returncode == 0 and "IPC mode" not in p.stdout,
       "  and which gives way to " + option, p.stdout + p.stderr)
play("and where all is counted, that", [
    "wait:q quit", "text:i", "wait:counters are taken", "text:W",
    "wait:saved in .*: theme, interval, preset, view", "key:q", "exit:0"],
     "--sim", "m1,seed=1")
ok("ipc" not in open(path).read(), "  in the file", open(path).read())

# What the command line takes back stands in the file all the same.
for kept, drop in (("rotate = branch,l1d", "--no-rotate"),
                   ("events = INST_BRANCH", "--no-events"),
                   ("rotate = branch,l1d", "--rotate=l1d,branch")):
    write(kept + "\n")
    play("W with i and %s next to a file's %s" % (drop, kept), [
        "wait:q quit", "text:i", "wait:IPC mode", "text:W",
        "wait:saved in .*: theme, interval, view", "key:q", "exit:0"],
         "--sim", "m1,seed=1", drop)
    text = open(path).read()
    ok(kept + "\n" in text and "ipc" not in text, "  keeps what is there", text)
    p = run("-b", "-n", "1", "--sim", "m1,clock=step")
    same((p.returncode, p.stderr), (0, ""), "  and the next start takes it")

write("[preset m]\nlabel = much too long\n[preset mine]\nevents = INST_BRANCH, INST_ALL\n")
p = run("-b", "-n", "1", "--sim", "m1,clock=step", "-p", "mine")
ok(p.returncode == 2 and path + ":2:9: a label is" in p.stderr and
   p.stderr.count("\n") == 1,
   "a preset of a file with a mistake: the mistake is said", p.stderr)

write("batch = yes\nframes = 2\nsim = m1,clock=step\ncsv = -\n")
p = run("--no-csv", "--no-frames", "-n", "1")
ok(p.returncode == 0 and "IPC" in p.stdout and "schema" not in p.stdout,
   "--no-csv takes back what the file says", p.stdout[:200] + p.stderr)

# Every option, by the table that ktop prints, there and back.
SAMPLE = {"speed": "2", "csv-rows": "core,kind", "csv-rotate": "5M",
          "preset": "branch", "rotate": "branch,l1d", "source": "sim",
          "color": "never", "glyphs": "ascii", "view": "chart",
          "sort": "busy", "group": "die", "delay": "250ms", "frames": "7",
          "at-least": "2%", "processes": "9", "runs": "3", "warmups": "1",
          "seed": "7", "interval": "50"}
NOT_KEPT = {"config"}
write("")
count, other = 0, os.path.join(home, "other")
for name, _, arg, *_ in table("options"):
    word = SAMPLE.get(name, "some/text") if arg else "yes"
    line = ["--%s=%s" % (name, word)] if arg else ["--" + name]
    if name in NOT_KEPT or (not arg and
                            run("--config", path, "--no-" + name,
                                "--write-config").returncode != 0):
        continue
    first = run(*(line + ["--write-config"])).stdout
    open(other, "w").write(first)
    again = run("--config", other, "--write-config").stdout
    count += 1
    if first != again or "\n%s = %s\n" % (name, word) not in first:
        same(again, first, "--%s comes back from the file" % name)
ok(count > 30, "every option is written and read back", str(count))
os.remove(path)
ok(run("--config", path, "--list-presets").returncode == 2,
   "a file that was asked for has to be there")

if os.geteuid() == 0:
    # As under sudo: the file is the caller's, and so are the rights.
    caller = pwd.getpwnam("nobody")
    env.update(SUDO_UID=str(caller.pw_uid), SUDO_GID=str(caller.pw_gid))
    write("delay = 200ms\n")
    for name in (home, os.path.dirname(path), path):
        os.chown(name, caller.pw_uid, caller.pw_gid)
    os.chmod(path, 0o600)
    ok("\ndelay = 200ms\n" in run("--write-config").stdout,
       "under sudo the caller's own file is read")
    secret = os.path.join(home, "secret")
    open(secret, "w").write("root's words\n")
    os.chmod(secret, 0o600)
    p = run("--config", secret, "--write-config")
    ok(p.returncode == 3 and "Permission denied" in p.stderr and
       "words" not in p.stdout + p.stderr,
       "and no file that the caller may not read", p.stderr)
    play("W under sudo", ["wait:q quit", "key:+", "wait:500 ms", "key:W",
                          "wait:saved in", "key:q", "exit:0"],
         "--sim", "m1,seed=1")
    info = os.stat(path)
    same((info.st_uid, info.st_gid), (caller.pw_uid, caller.pw_gid),
         "what W saves is the caller's")
    ok("delay = 500ms" in open(path).read(), "and has what was chosen")
    os.remove(path)
    os.symlink(secret, path)
    same(run("-b", "-n", "1", "--sim", "m1,clock=step").returncode, 3,
         "a link to root's file is refused as the file would be")
    os.remove(path)
    env.pop("XDG_CONFIG_HOME")
    ok(caller.pw_dir + "/.config/ktop/ktoprc" in run("--write-config").stdout,
       "without XDG_CONFIG_HOME it is the caller's home, not root's")
    for name in ("SUDO_UID", "SUDO_GID"):
        env.pop(name)
    env["XDG_CONFIG_HOME"] = home

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
p = on_terminal([], ["wait:q quit", "sig:SEGV", "exit:139", "given-back"],
                ["--sim", "m1", "--mouse"], env=env)
ok(p.returncode in (0, 139), "a crash gives the mouse back too", p.stderr)
finish()
