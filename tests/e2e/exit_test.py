"""Exit codes, signals, and what is said on the way out."""
import fcntl
import os
import signal
import subprocess
import termios
import time

from jobs import Job
from live import held_by, is_clean, until
from live import state as kernel
from tap import KTOP, PROC, Run, finish, ok, same, skip

STEP = ",clock=step"
LONG = bool(os.environ.get("KTOP_LONG"))


def lines(path):
    try:
        with open(path) as f:
            return f.read().count("\n")
    except OSError:
        return 0


def code(name, want, *args, **kw):
    r = Run(*args, **kw)
    same(r.code, want, name)
    if want != 0:
        ok(r.err.startswith("ktop: ") and r.err.endswith("\n"),
           "  with a sentence", r.err)
    return r


ok(max(map(len, Run("--help", "all").out.splitlines())) < 80,
   "help fits 80 columns")
p = subprocess.Popen([KTOP, "--sim", "m1,state=shared", "-d", "100ms", "--csv",
                      os.devnull], stdin=subprocess.DEVNULL)
held_by("shared", p.pid)
r = code("a second ktop runs beside the first", 0, "--sim", "m1,state=shared",
         "-d", "100ms", "-b", "-n", "3")
ok(r.out.count("no events  sample") == 3 and " stale" not in r.out,
   "  in IPC mode, with cycles", r.out)
ok(r.err.startswith("ktop: ") and r.err.count("\n") == 1, "  and says why",
   r.err)
p.send_signal(signal.SIGTERM)
p.wait(timeout=90)
r = code("a third, after it, counts all", 0, "--sim", "m1,state=shared",
         "-d", "100ms", "-b", "-n", "1")
ok("basic" in r.out and r.err == "", "  in full", r.out + r.err)

for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    state = "state-%d" % number
    p = subprocess.Popen([KTOP, "--sim", "m1,state=" + state, "-d", "100ms",
                          "--csv", "sig-%d.csv" % number],
                         stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                         stderr=subprocess.PIPE,
                         preexec_fn=lambda: signal.signal(
                             signal.SIGHUP, signal.SIG_DFL))
    until(lambda: lines("sig-%d.csv" % number) > 8)
    busy = kernel(state)
    p.send_signal(number)
    err = p.communicate(timeout=90)[1].decode()
    name = signal.Signals(number).name
    same(p.returncode, 128 + number, "%s ends with 128+n" % name)
    same(err, "", "  quietly")
    text = open("sig-%d.csv" % number).read()
    ok(text.count("\n") > 8 and text.endswith("\n"),
       "  with a whole recording")
    ok(busy["force"] == "1" and is_clean(kernel(state)),
       "  and the counters given back", (busy, kernel(state)))

p = subprocess.Popen([KTOP, "--sim", "m1" + STEP, "--csv", "-"],
                     stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                     stderr=subprocess.PIPE)
p.stdout.readline()
p.stdout.close()
p.stdout = None
err = p.communicate(timeout=90)[1].decode()
same((p.returncode, err), (0, ""), "a reader that leaves ends ktop quietly")

p = subprocess.Popen([KTOP, "--sim", "m1" + STEP, "--csv", "-", "-n", "200"],
                     stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
time.sleep(0.5)
text = p.communicate(timeout=90)[0].decode()
same((p.returncode, text.count("\n")), (0, 1601),
     "a slow reader loses nothing of a stepped clock")



# Whatever ends ktop, what waits for a slow reader is written: the last frame is
# whole. A narrow pipe (Linux) takes a part of it only.
def narrow(*args):
    p = subprocess.Popen([KTOP, *args, "--csv", "-"], stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         bufsize=0)
    if hasattr(fcntl, "F_SETPIPE_SZ"):
        fcntl.fcntl(p.stdout, fcntl.F_SETPIPE_SZ, 4096)
    return p


def read_slowly(p):
    text = b""
    while part := os.read(p.stdout.fileno(), 4096):
        text += part
        time.sleep(0.005)
    p.stderr.read()
    p.wait(timeout=90)
    return text.decode()


refuses = ["--sim", "m3ultra,fault=eperm@2s-4s" + STEP, "-n", "9", "-d", "250ms"]
text = read_slowly(narrow(*refuses))
same((text.count("\n"), text[-1:]), (Run(*refuses, "--csv", "-").out.count("\n"),
                                     "\n"),
     "a slow reader loses nothing where giving back fails")

p = narrow("--sim", "m3ultra", "-d", "50ms")
text = (p.stdout.readline() + p.stdout.readline()).decode()
p.send_signal(signal.SIGTERM)
text += read_slowly(p)
same((p.returncode, text[-1:]), (128 + signal.SIGTERM, "\n"),
     "nor the rest of a frame by SIGTERM")

p = subprocess.Popen([KTOP, "--sim", "m1", "-d", "100ms", "--csv", "-"],
                     stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
text = b"".join(p.stdout.readline() for _ in range(9))
p.send_signal(signal.SIGUSR1)
while b"mark 1" not in text and (line := p.stdout.readline()):
    text += line
p.send_signal(signal.SIGTERM)
text = (text + p.communicate(timeout=90)[0]).decode()
ok("ktop/2,marker," in text and "mark 1" in text, "SIGUSR1 writes a mark")

# ---- a terminal that takes nothing --------------------------------------
def block(how, split):
    """A ktop where nobody reads, or output is stopped (^S)."""
    j = Job("--sim", "m1", "-d", "50ms", env={"KTOP_SEPARATE": split})
    j.sees("IPC")
    j.rest(0.3)
    if how == "stopped":
        termios.tcflow(j.near, termios.TCOOFF)
    return j


def leave(j, how, what, name):
    if what == "q":
        j.key("q")
    else:
        os.kill(j.pid, signal.SIGSEGV)
    same(j.ended(read=False), 0 if what == "q" else -signal.SIGSEGV,
         name + ": ends")
    if how == "stopped":
        termios.tcflow(j.near, termios.TCOON)
    j.wait(lambda: j.terminal() == [])
    same(j.terminal(), [], "  and the terminal is as it was, once it goes on")
    j.close()


if PROC:
    CASES = [(how, split, what) for how in ("stopped", "unread")
             for split in ("no", "always") for what in ("q", "a fault")]
    if not LONG:  # each word with each other one
        CASES = [CASES[0], CASES[3], CASES[5], CASES[6]]
    stuck = [(block(how, split), how, what, "%s, %s, %s" % (what, how, split))
             for how, split, what in CASES]
    # Enough for all buffers on the way to be full.
    stuck[0][0].rest(3.5, read=False)
    for case in stuck:
        leave(*case)
else:
    skip("a terminal that takes nothing", "Linux only: Job needs /proc")


# ---- names in what is said ----------------------------------------------
EVIL = "/nox/\x1b[31mr\x1b]0;pwn\x07\n\u009bSECOND\x7f"
SAYS = {
    "--csv": ["--sim", "m1", "--csv", EVIL],
    "--json": ["--sim", "m1", "--json", EVIL],
    "--openmetrics": ["--sim", "m1", "--openmetrics", EVIL],
    "--config": ["--config", EVIL, "--sim", "m1", "-b"],
    "--replay": ["--replay", EVIL, "-b"],
    "--root": ["--root", EVIL, "-b", "-n", "1"],
    "--kperf": ["--kperf", EVIL, "-b", "-n", "1"],
    "--sim": ["--sim", EVIL, "-b", "-n", "1"],
    "state=": ["--sim", "m1,state=" + EVIL, "-b", "-n", "1"],
    "--events": ["--sim", "m1" + STEP, "--events", EVIL, "-b", "-n", "1"],
    "--preset": ["--sim", "m1" + STEP, "--preset", EVIL, "-b", "-n", "1"],
    "summary": ["summary", EVIL],
    "compare": ["compare", EVIL, EVIL],
    "an option": ["--" + EVIL],
    "a word": [EVIL],
    "config: a value": ["--config", "evil-value", "--sim", "m1", "-b"],
    "config: a name": ["--config", "evil-name", "--sim", "m1", "-b"],
    "a command": ["--sim", "m1", "--", EVIL],
}
for name, text in (("value", "delay = \x1b]0;pwn\x07\n"),
                   ("name", "\x1b]0;pwn\x07\u009b = 1\n")):
    with open("evil-" + name, "w") as f:
        f.write(text)
raw, lines, silent = [], [], []
for name, args in SAYS.items():
    for split in ("no", "always"):
        r = Run(*args, env=dict(os.environ, KTOP_SEPARATE=split))
        said = r.err
        if any(ord(c) < 32 and c != "\n" or 127 <= ord(c) < 160
               for c in said + r.out):
            raw.append((name, said))
        if said.count("\n") != 1:
            lines.append((name, said))
        if "\\x1b" not in said:
            silent.append((name, said))
same(raw, [], "no byte of a name reaches the terminal as a command")
same(lines, [], "  a sentence is one line")
same(silent, [], "  and what stood there can be seen")
if PROC:
    j = Job("--sim", "m1", "--theme", EVIL)
    j.ended()
    same(b"\\x1b]0;pwn\\x07\\n\\xc2\\x9b" in j.seen, True,
         "of a theme as well, which only a screen opens")
    same([x for x in (b"\x1b]0", b"\x07", b"\xc2\x9b") if x in j.seen], [],
         "  and nothing else of it")
    j.close()
else:
    skip("odd bytes of a theme", "Linux only: Job needs /proc")
# ---- who called sudo ----------------------------------------------------
if os.geteuid() == 0:
    for uid, gid in (("65534", None), (None, "65534"), ("65534", "abc"),
                     ("-1", "1"), ("4294967295", "1"), ("4294967296", "1"),
                     (" 65534x", "1")):
        env = {k: v for k, v in os.environ.items()
               if not k.startswith("SUDO_")}
        env.update({k: v for k, v in (("SUDO_UID", uid), ("SUDO_GID", gid))
                    if v is not None})
        r = Run("--sim", "m1" + STEP, "-b", "-n", "1", env=env)
        same((r.code, r.out), (3, ""), "SUDO_UID=%s SUDO_GID=%s: ktop does "
             "not go on as root" % (uid, gid))
        ok("SUDO_UID" in r.err, "  and says so", r.err)

# ---- a device that neither takes nor gives ------------------------------
FAR = "/dev/ptmx"
for args in (["--sim", "m1" + STEP, "-n", "1", "--json", FAR],
             ["--sim", "m1" + STEP, "-n", "1", "--force", "--csv", FAR],
             ["--replay", FAR, "-b"], ["summary", FAR],
             ["summary", FAR, "--csv", "-"], ["compare", FAR, FAR],
             ["export", "--sql", FAR, "--force"],
             ["--kperf", FAR, "-b", "-n", "1"]) \
        if os.path.exists(FAR) else ():
    try:
        r = Run(*args, timeout=90)
        ok(r.code not in (0, -9), " ".join(args) + ": refused", r.err)
    except subprocess.TimeoutExpired:
        ok(False, " ".join(args) + ": waits for ever")

finish()
