"""Exit codes, signals, and what is said on the way out."""
import os
import signal
import subprocess
import time

from tap import KTOP, Run, finish, ok, same

STEP = ",clock=step"


def code(name, want, *args, **kw):
    r = Run(*args, **kw)
    same(r.code, want, name)
    if want != 0:
        ok(r.err.startswith("ktop: ") and r.err.endswith("\n"),
           "  with a sentence", r.err)
    return r


code("--help is fine", 0, "--help")
code("--version is fine", 0, "--version")
ok(max(map(len, Run("--help").out.splitlines())) < 80, "help fits 80 columns")
code("an unknown option is usage", 2, "--unheard-of")
r = code("a near miss is usage", 2, "--prset", "branch")
ok("--preset" in r.err, "  and names the nearest", r.err)
code("an unknown preset is usage", 2, "--preset", "nonsense")
code("an unknown machine is usage", 2, "--sim", "m99", "--csv", "-")
code("no terminal and no -b is usage", 2, "--sim", "m1")
code("no permission is 3", 3, "--sim", "m1,euid=501" + STEP, "-b", "-n", "1")
code("--require-pmu in a VM is 5", 5, "--sim", "vm" + STEP, "-b", "-n", "1",
     "--require-pmu")
r = code("a VM without it shows what there is", 0, "--sim", "vm" + STEP, "-b",
         "-n", "1")
ok("cpu0" in r.out, "  its CPUs", r.out)
r = code("counters of another kernel client are 4", 4, "--sim",
         "m1,fault=busy@0s" + STEP, "-b", "-n", "1")
r = code("counters of another task leave IPC", 0, "--sim",
         "m1,fault=taken@0s" + STEP, "-b", "-n", "2")
ok("IPC mode" in r.out, "  and the table says so", r.out)
ok(r.err != "", "  and why", r.err)

p = subprocess.Popen([KTOP, "--sim", "m1,state=shared", "-d", "100ms", "--csv",
                      os.devnull], stdin=subprocess.DEVNULL)
time.sleep(0.5)
r = code("a second ktop runs beside the first", 0, "--sim", "m1,state=shared",
         "-d", "100ms", "-b", "-n", "3")
ok(r.out.count("IPC mode") == 3 and " stale" not in r.out,
   "  in IPC mode, with cycles", r.out)
ok(r.err.startswith("ktop: ") and r.err.count("\n") == 1, "  and says why",
   r.err)
p.send_signal(signal.SIGTERM)
p.wait(timeout=20)
r = code("a third, after it, counts all", 0, "--sim", "m1,state=shared",
         "-d", "100ms", "-b", "-n", "1")
ok("overview" in r.out and r.err == "", "  in full", r.out + r.err)

for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    state = "state-%d" % number
    p = subprocess.Popen([KTOP, "--sim", "m1,state=" + state, "-d", "100ms",
                          "--csv", "sig-%d.csv" % number],
                         stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                         stderr=subprocess.PIPE,
                         preexec_fn=lambda: signal.signal(
                             signal.SIGHUP, signal.SIG_DFL))
    time.sleep(0.6)
    busy = Run("sim-state", state).out
    p.send_signal(number)
    err = p.communicate(timeout=20)[1].decode()
    name = signal.Signals(number).name
    same(p.returncode, 128 + number, "%s ends with 128+n" % name)
    same(err, "", "  quietly")
    text = open("sig-%d.csv" % number).read()
    ok(text.count("\n") > 8 and text.endswith("\n"),
       "  with a whole recording")
    ok("1" in busy and busy != Run("sim-state", state).out,
       "  and the counters given back", busy)

p = subprocess.Popen([KTOP, "--sim", "m1" + STEP, "--csv", "-"],
                     stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                     stderr=subprocess.PIPE)
p.stdout.readline()
p.stdout.close()
p.stdout = None
err = p.communicate(timeout=20)[1].decode()
same((p.returncode, err), (0, ""), "a reader that leaves ends ktop quietly")

p = subprocess.Popen([KTOP, "--sim", "m1" + STEP, "--csv", "-", "-n", "200"],
                     stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
time.sleep(0.5)
text = p.communicate(timeout=20)[0].decode()
same((p.returncode, text.count("\n")), (0, 1601),
     "a slow reader loses nothing of a stepped clock")

p = subprocess.Popen([KTOP, "--sim", "m1", "-d", "100ms", "--csv", "-"],
                     stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
time.sleep(0.45)
p.send_signal(signal.SIGUSR1)
time.sleep(0.3)
p.send_signal(signal.SIGTERM)
text = p.communicate(timeout=20)[0].decode()
ok("ktop/1,mark," in text and "mark 1" in text, "SIGUSR1 writes a mark")

r = Run("--sim", "m1", "-d", "100ms", "-b", "-n", "1",
        env=dict(os.environ, KTOP_SIM="vm"))
ok("Apple M1" in r.out, "--sim wins over KTOP_SIM", r.out)
finish()
