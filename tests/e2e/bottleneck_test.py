"""Bottlenecks: simulated programs of a known nature have their word, definite or
estimated, on every machine and kind of core, and it changes when they do."""
import collections
import csv
import io
import os
import re

from tap import Run, finish, ok, same

LONG = bool(os.environ.get("KTOP_LONG"))
MACHINES = ("m1", "m4max", "m5max", "m6") if not LONG else (
    "m1", "m1max", "m2max", "m3", "m3ultra", "m4", "m4max", "m5", "m5max",
    "m5ultra", "m6", "neo")
WORD = {"compute": "none", "memory": "memory", "branchy": "bad-spec",
        "frontend": "frontend", "kernel": "kernel", "mixed": "backend",
        "idle": "idle"}
SETTLED, FRAMES = 4, 34


def bottlenecks(spec, *args):
    """{CPU: (its kind, its words from the first frame on)}."""
    r = Run("--sim", spec, "--csv", "-", *args)
    found = collections.OrderedDict()
    for row in csv.DictReader(io.StringIO(r.out)):
        if row["row"] == "cpu":
            word = row["bottleneck"]
            if word == "unknown":  # the likeliest, where there is one
                word = row["bottleneck_est"] or word
            found.setdefault(row["cpu"], (row["kind"], []))[1].append(word)
    return found


def shares(spec, wanted, *args):
    """Kinds of which less than 95 of 100 settled frames have a wanted word."""
    told, right = collections.Counter(), collections.Counter()
    wrong = collections.Counter()
    for kind, words in bottlenecks(spec, *args).values():
        for word in words[SETTLED:]:
            if word == "off":
                continue
            told[kind] += 1
            right[kind] += word in wanted
            wrong[kind, word] += word not in wanted
    if not told:
        return ["no rows"]
    return [(k, right[k] / told[k], +wrong) for k in told
            if right[k] < 0.95 * told[k]]


for machine in MACHINES:
    bad = []
    for nature, word in WORD.items():
        spec = "%s,clock=step,work=%s" % (machine, nature)
        n = ("-n", str(FRAMES))
        # The set of the start tells them all.
        for x in shares(spec, (word,), *n):
            bad.append((nature, "basic", x))
        # Slots alone do not tell whether loads are what the back end waits for.
        for x in shares(spec, (word, "backend") if nature in (
                "memory",) else (word,), *n, "-p", "topdown"):
            bad.append((nature, "topdown", x))
        # In turns one uses what the other counted.
        for x in shares(spec, (word,), *n, "--rotate", "basic,topdown,l1d"):
            bad.append((nature, "in turns", x))
    same(bad, [], machine + ": programs are called by their nature")

# ---- a word changes when the program does, and not more often ------------
for machine in MACHINES:
    bad = []
    for nature in WORD:
        for cpu, (kind, words) in bottlenecks(
                "%s,clock=step,work=%s" % (machine, nature),
                "-n", "60" if LONG else "40").items():
            said = [w for w in words if w != "off"]
            flips = sum(a != b for a, b in zip(said, said[1:]))
            if flips > 0:
                bad.append((nature, cpu, kind, words))
    same(bad, [], machine + ": what stays as it is keeps its word")
    bad = []
    for cpu, (kind, words) in bottlenecks(
            machine + ",clock=step,work=phases", "-n", "84").items():
        if "off" in words:
            continue  # a cluster that naps lags behind
        said = [w for i, w in enumerate(words) if i == 0 or w != words[i - 1]]
        if said != ["none", "memory", "bad-spec", "frontend", "none"]:
            bad.append((cpu, kind, said))
    same(bad, [], machine + ": each phase has its word, once")

# ---- one core among others -------------------------------------------------
for machine, cpu in (("m1", "cpu5"), ("m3ultra", "cpu8"), ("m6", "cpu9")):
    found = bottlenecks("%s,seed=2,clock=step,work=compute,work=%s:memory"
                     % (machine, cpu), "-n", "12")
    same(sorted(c for c, (_, words) in found.items() if words[-1] == "memory"),
         [cpu[3:]], "%s: %s alone is memory bound" % (machine, cpu))

# ---- slower for a reason that nobody counts --------------------------------
SPEC = "m1max,seed=3,clock=step,work=P1:phases,work=P0:compute,work=E:idle"
SLOW = re.compile(r"^(\S+) slowed from ([0-9.]+) to ([0-9.]+) IPC [0-9]+ s ago; "
                  r"cause unknown with these events\.", re.M)
text = Run("--sim", SPEC, "-b", "-n", "70", "-p", "ldst", "--csv",
           "slow.csv").out
slow = SLOW.findall(text)
ok(len(slow) >= 15 and {where for where, _, _ in slow} == {"P1"} and
   all(float(now) < 0.75 * float(then) for _, then, now in slow),
   "a cluster that becomes slow says how fast it was", slow)
said = ["slow" if SLOW.search(f) else "not" for f in text.split("\n\n") if f]
flips = sum(a != b for a, b in zip(said, said[1:]))
ok(flips <= 4, "and does not flicker: its program changed thrice", said)
same(SLOW.findall(Run("--replay", "slow.csv", "-b").out), slow,
     "its recording says the same")

# ---- the first line and the row it names -------------------------------------
CAUSE = {"memory bound": "memory", "back-end bound": "backend",
         "bad speculation": "bad-spec", "front-end bound": "frontend"}
NAMES = re.compile(r"^! (?:cpu )?([A-Z0-9]+(?:(?:, | and )[A-Z0-9]+)*)(?: is| are|:) "
                   r"(%s)([^.;]*)" % "|".join(CAUSE), re.M)
for machine in ("m1", "m5max", "m3ultra"):
    text = Run("--sim", machine + ",clock=step", "-b", "-n", "120").out
    now = then = 0
    bad = []
    for frame in text.split("\n\n"):
        for names, cause, rest in NAMES.findall(frame):
            cpu = "! cpu " in frame
            for name in re.split(", | and ", names):
                row = re.search("^%s%s .*" % ("cpu" if cpu else "", name),
                                frame, re.M)[0]
                word = row[frame[frame.index("\nROW"):].index("BOTTLENECK") - 1:]
                word = word.split()[0].rstrip("!")
                same_word = word == CAUSE[cause]
                now += same_word
                then += not same_word
                if same_word == (" in the last " in rest):
                    bad.append((name, word, cause, rest))
    same(bad[:9], [], machine + ": a share of earlier intervals says so")
    ok(now > 50, machine + ": most first lines have the row's own word", now)
    print("# %s: %d of this interval, %d of the last seconds"
          % (machine, now, then))

# ---- clusters with the same word are named together ------------------------
text = Run("--sim", "m2max,seed=3,clock=step,work=memory", "-b", "-n", "40").out
same(len(re.findall(r"^! E, P0 and P1 are memory bound: ", text, re.M)) > 20, True,
     "clusters with the same word are named together")
finish()
