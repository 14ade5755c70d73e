"""ktop on a terminal in real time, with somebody at the keys: the heap, the
resident memory and the descriptors stay flat, and no frame is missing.
    hour.py KTOP VTRUN [SIM]     SOAK_HOUR_SECONDS (3600) of it
"""
import csv
import os
import random
import struct
import subprocess
import sys
import tempfile
import time

KTOP, VTRUN = (os.path.abspath(x) for x in sys.argv[1:3])
SIM = sys.argv[3] if len(sys.argv) > 3 else "m2max,seed=1"
SECONDS = float(os.environ.get("SOAK_HOUR_SECONDS", "3600"))
HERE = os.path.dirname(os.path.abspath(__file__))
PERIOD_S = 0.25
# What can be pressed for ever; nothing that ends or records.
KEYS = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "tab", "tab", "s", "r",
        "g", "M", "S", "l", "T", "i", "i", "space", "space", "?", "?", "e",
        "esc", "m")


def shim(folder):
    so = os.path.join(folder, "heap.so")
    r = subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", so,
                        os.path.join(HERE, "heap_shim.c")])
    return so if r.returncode == 0 else None


def processes(parent):
    """ktop and its children, below vtrun."""
    out = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink("/proc/%s/exe" % pid) != KTOP:
                continue
            up = int(pid)
            while up > 1 and up != parent:
                with open("/proc/%d/stat" % up) as f:
                    up = int(f.read().rpartition(")")[2].split()[1])
            if up == parent:
                out.append(int(pid))
        except (OSError, ValueError):
            pass
    return sorted(out)


def look(pids, heap):
    """[bytes on the heap, kB resident, descriptors] of all, added up."""
    total = [0, 0, 0]
    for pid in pids:
        try:
            with open("%s.%d" % (heap, pid), "rb") as f:
                total[0] += struct.unpack("qq", f.read(16))[0]
            with open("/proc/%d/status" % pid) as f:
                total[1] += next(int(x.split()[1]) for x in f
                                 if x.startswith("RssAnon:"))
            total[2] += len(os.listdir("/proc/%d/fd" % pid))
        except (OSError, struct.error, StopIteration):
            return None
    return total


def grown(seen, what, slack):
    """The most in the last third against the most in the middle one."""
    third = len(seen) // 3
    if third < 5:
        return False
    return (max(x[what] for x in seen[-third:]) >
            max(x[what] for x in seen[third:-third]) + slack)


def main():
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    heap, pipe = os.path.join(folder, "heap"), os.path.join(folder, "pipe")
    os.mkfifo(pipe)
    so = shim(folder)
    if so is None:
        print("1..0 # SKIP the heap's counter needs cc and glibc")
        return 0
    p = subprocess.Popen(
        [VTRUN, "-s", "120x40", "-t", str(int(SECONDS) + 600), "-e",
         "LD_PRELOAD=" + so, "-e", "HEAP_FILE=" + heap, "-f", pipe, "--",
         KTOP, "--sim", SIM, "-d", "%dms" % (PERIOD_S * 1000), "--csv",
         "hour.csv"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=dict(os.environ, XDG_STATE_HOME=folder, XDG_CONFIG_HOME=folder))
    keys, dice, seen, pressed = open(pipe, "w"), random.Random(1), [], 0
    keys.write("wait:sim\n")
    keys.flush()
    end, pids = time.monotonic() + SECONDS, []
    while time.monotonic() < end and p.poll() is None:
        time.sleep(1)
        pids = processes(p.pid)
        size = look(pids, heap)
        if size is not None and pids:
            seen.append(size)
        keys.write("key:%s\n" % dice.choice(KEYS))
        keys.flush()
        pressed += 1
    for action in ("key:esc", "key:esc", "sig:TERM", "exit:143",
                   "given-back"):
        keys.write(action + "\n")
    keys.close()
    err = p.communicate(timeout=700)[1].decode()
    bad = [] if p.returncode == 143 else ["it ended with %d: %s" % (
        p.returncode, err[:300])]
    with open("hour.csv") as f:
        frames = sorted({int(x["frame"]) for x in csv.DictReader(f)})
    if frames != list(range(len(frames))):
        bad.append("frames are missing")
    # The history is taken at the start and touched as it fills: an hour is
    # enough for that, less is not.
    whole = SECONDS >= 3600
    for what, slack, name in ((0, 65536, "the heap"), (1, 512, "memory"),
                              (2, 0, "descriptors")):
        if (what != 1 or whole) and grown(seen, what, slack):
            bad.append(name + " grew")
    third = len(seen) // 3
    parts = [seen[:third], seen[third:-third], seen[-third:]] if third else []
    print("%s hour: %s, %.0f s on a terminal, %d processes, %d frames, "
          "%d keys; most heap bytes %s, kB %s, descriptors %s by thirds" %
          ("not ok" if bad else "ok", SIM, SECONDS, len(pids), len(frames),
           pressed, *[[max(x[i] for x in part) for part in parts]
                      for i in range(3)]))
    for line in bad:
        print("  # " + line)
    return 1 if bad else 0


sys.exit(main())
