"""No signal is lost: one comes at a random moment, and ktop ends by it.

Alone, as two processes, as two of which the second takes long to become the
caller of sudo, and around a command: to ktop, or to both. KTOP_LONG=1: a thousand times.
"""
import concurrent.futures
import os
import random
import signal
import subprocess
import time

from tap import KTOP, finish, for_all, ok, same, shim_of, skip

TIMES = 1000 if os.environ.get("KTOP_LONG") == "1" else 60
LIMIT_S = 120
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)
SEED = int(os.environ.get("SEED", "20"))
SIM = ["--sim", "m1", "-d", "50ms", "--csv", "-"]

for number in SIGNALS:  # a background job of a shell ignores some of them
    signal.signal(number, signal.SIG_DFL)


def ways():
    alone = {k: v for k, v in os.environ.items()
             if not k.startswith(("SUDO_", "KTOP_SEPARATE"))}
    found = {"alone": ([KTOP] + SIM, alone, SIGNALS),
             "two": ([KTOP] + SIM, dict(alone, KTOP_SEPARATE="always"),
                     SIGNALS),
             "stat": ([KTOP, "stat", "--sim", "m1", "--", "sleep", "1000"],
                      alone, SIGNALS),
             "group": ([KTOP, "stat", "--sim", "m1", "--", "sleep", "1000"],
                       alone, SIGNALS)}
    shim = shim_of("slow_names")
    if os.geteuid() == 0 and shim is not None:
        found["sudo"] = ([for_all()] + SIM, dict(
            alone, SUDO_UID="65534", SUDO_GID="65534", LD_PRELOAD=shim,
            SLOW_MS="60"), SIGNALS)
    else:
        skip("as two users", "not root, or no compiler")
    return found


def start(way, out=subprocess.DEVNULL):
    args, env, _ = way
    return subprocess.Popen(args, env=env, stdin=subprocess.DEVNULL,
                            stdout=out,
                            stderr=subprocess.DEVNULL,
                            start_new_session=True)


def left_behind(pid):
    """Is anything of the session alive? What is dying may take a moment."""
    end = time.monotonic() + LIMIT_S
    while time.monotonic() < end:
        try:
            os.killpg(pid, 0)
        except ProcessLookupError:
            return False
        time.sleep(0.01)
    return True


def once(name, way, after_s, number):
    p = start(way)
    time.sleep(after_s)
    if name == "group":
        os.killpg(p.pid, number)
    else:
        p.send_signal(number)
    try:
        code = p.wait(LIMIT_S)
        wrong = code not in (-number, 128 + number) or left_behind(p.pid)
    except subprocess.TimeoutExpired:
        code, wrong = "none", True
    if wrong:
        try:
            os.killpg(p.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        p.wait()
        return "%s: %s after %.4f s: %s" % (
            name, signal.Signals(number).name, after_s, code)
    return None


def first_row_s(way):
    """How long such a start takes here and now."""
    begin = time.monotonic()
    p = start(way, subprocess.PIPE)
    if way[0][1] != "stat":
        p.stdout.readline()
        p.stdout.readline()
    else:
        time.sleep(0.2)
    took = time.monotonic() - begin
    p.send_signal(signal.SIGTERM)
    p.stdout.read()
    p.wait(LIMIT_S)
    p.stdout.close()
    return took


dice = random.Random(SEED)
all_ways = ways()
took = {name: first_row_s(way) for name, way in all_ways.items()}
plan = []
for i in range(TIMES):
    name = list(all_ways)[i % len(all_ways)]
    plan.append((name, all_ways[name], dice.uniform(0, 1.5 * took[name]),
                 dice.choice(all_ways[name][2])))
with concurrent.futures.ThreadPoolExecutor(4) as pool:
    lost = [x for x in pool.map(lambda a: once(*a), plan) if x]
same(lost, [], "%d signals at random moments, SEED=%d: ktop ends by each"
     % (TIMES, SEED))
ok(TIMES == len(plan), "  and as many were sent")

# A replay that waits for a writer: of a pipe, or of a FIFO.
half = subprocess.run([KTOP, "--sim", "m1,clock=step", "-n", "3", "--csv",
                       "-"], capture_output=True, check=True).stdout
if os.path.exists("waiting.fifo"):
    os.unlink("waiting.fifo")
os.mkfifo("waiting.fifo")


def waits(number, name, given):
    p = subprocess.Popen([KTOP, "--replay", name, "--csv", "-"],
                         stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE)
    p.stdin.write(given)
    p.stdin.flush()
    if given:
        p.stdout.readline()
    else:
        time.sleep(0.3)
    p.send_signal(number)
    try:
        code = p.wait(LIMIT_S)
    except subprocess.TimeoutExpired:
        p.kill()
        code = "none"
    rows = p.stdout.read()
    says = p.stderr.read()
    for f in p.stdin, p.stdout, p.stderr:
        f.close()
    ok(code in (-number, 128 + number) and rows[-1:] in (b"", b"\n") and
       b"nterrupted" not in says, "%s ends a replay that waits for %s%s" % (
           signal.Signals(number).name, "more of " if given else "",
           "a pipe" if name == "-" else "a FIFO's writer"),
       (code, rows[-80:], says))


for number in SIGNALS:
    waits(number, "-", b"")
    waits(number, "-", half)
    waits(number, "waiting.fifo", b"")
finish()
