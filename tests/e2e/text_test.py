"""Batch text and the lists."""
import re

from tap import Run, finish, ok, rows_of, same

r = Run("--sim", "m1,seed=1,clock=step", "-b", "-n", "3")
same(r.code, 0, "-b ends with 0")
ok("\033" not in r.out, "without escape codes")
frames = r.out.strip("\n").split("\n\n")
same(len(frames), 3, "a table a frame")
for i, frame in enumerate(frames):
    lines = frame.split("\n")
    same(len(lines), 3 + 1 + 2 + 8,
         "frame %d: heads, a sentence, all, clusters, cores" % i)
    ok(lines[0].startswith("ktop  Apple M1 (sim)  basic  sample %d" % i),
       "  says what and which", lines[0])
    ok(re.fullmatch(r"No bottleneck( flagged)?[;:] .*|Nothing flagged; .*|\d of 8 cores: unknown .*|! .*", lines[1]),
       "  has the first line", lines[1])
    ok(lines[2].split()[:8] == ["ROW", "KIND", "BOTTLENECK", "BUSY%", "GHz~",
                                "IPC", "Gi/s", "lost%"],
       "  with a header", lines[2])
    same([x.split()[0] for x in lines[3:]],
         ["all", "E", "P"] + ["cpu%d" % c for c in range(8)], "  row by row")

def cores(*args):
    """The CPUs of each frame, as the rows of cores have them."""
    r = Run("--sim", "m1,seed=1,clock=step", "-b", "-n", "3", *args)
    same(r.code, 0, "-b %s" % (args,))
    return [[x.split() for x in f.split("\n")[3:] if x.startswith("cpu")]
            for f in r.out.strip("\n").split("\n\n")], r.out


plain, _ = cores()
got, text = cores("--filter", "P")
same([[x[0] for x in f] for f in got], [["cpu%d" % i for i in range(4, 8)]] * 3,
     "--filter chooses the cores of -b")
ok("\nall " in text and "\nE " in text, "  the groups stay", text[:600])
got, _ = cores("--sort", "busy")
same([[x[0] for x in f] for f in got],
     [[x[0] for x in sorted(f, key=lambda x: -float(x[3]))] for f in plain],
     "--sort orders them, again in each frame")
got, _ = cores("--filter", "busy>=50")
same([[x[0] for x in f] for f in got],
     [[x[0] for x in f if float(x[3]) >= 50] for f in plain],
     "--filter by a value too")
got, _ = cores("--reverse")
same([[x[0] for x in f] for f in got],
     [["cpu%d" % i for i in range(7, -1, -1)]] * 3, "and --reverse")
# What is said of each row, whatever is counted, is the recording's bottleneck.
for more in (["-p", "basic"], ["-p", "dtlb"], ["--ipc"],
             ["--events", "INST_ALL,L1D_CACHE_MISS_LD"]):
    args = ["--sim", "m1,seed=2,clock=step,work=memory", "-n", "4"] + more
    want = [(x["cpu"], x["bottleneck"] or "-",
             x["lost_pct"] and float(x["lost_pct"]))
            for x in rows_of(Run(*args, "--csv", "-").out) if x["row"] == "cpu"]
    lines = [x.split() for x in Run(*args, "-b").out.splitlines()]
    at = [x for x in lines if x[:1] == ["ROW"]][0].index("lost%")
    got = [(x[0][3:], x[2].rstrip("!"), x[at]) for x in lines
           if x and x[0].startswith("cpu")]
    same(got, [(c, v, "%.1f" % i if i != "" else
                "idle" if v == "idle" else "--") for c, v, i in want],
         "bottleneck and lost stand in every table: %s" % more[0:2])
r = Run("--sim", "m6,clock=step,chip=new", "-b", "-n", "1", "-p", "topdown")
head, line = [x.split() for x in r.out.splitlines()[2:4]]
same([line[head.index(x) - 1] for x in ("retire", "bad-sp", "stall")][:2],
     ["n/a", "n/a"], "shares of slots are not guessed")

r = Run("--sim", "m2max,clock=step,fault=off:P1@2s-5s", "-b", "-n", "4")
last = r.out.strip("\n").split("\n\n")[3].split("\n")
ok(all(x.endswith(" off") for x in last if x.split()[1] == "P1"),
   "cores of a cluster that is off say off", "\n".join(last))
ok(not any(x.endswith(" off") for x in last if x.split()[1] in ("E", "P0")
           and x.startswith("cpu")), "the others do not", "\n".join(last))

want = {
    "m1": ["E\tE\ta14\t0-3\t4", "P\tP\ta14\t4-7\t4"],
    "m1max": ["E\tE\ta14\t0-1\t2", "P0\tP\ta14\t2-5\t4",
              "P1\tP\ta14\t6-9\t4"],
    "m5max": ["P0\tP\tas5-1\t0-5\t6", "P1\tP\tas5-1\t6-11\t6",
              "S\tS\tas5-1\t12-17\t6"],
    "m5ultra": ["P0\tP\tas5-1\t0-5\t6", "P1\tP\tas5-1\t6-11\t6",
                "S0\tS\tas5-1\t12-17\t6", "P2\tP\tas5-1\t18-23\t6",
                "P3\tP\tas5-1\t24-29\t6", "S1\tS\tas5-1\t30-35\t6"],
    "m6": ["E\tE\tas9\t0-5\t6", "S\tS\tas9\t6-7\t2",
           "P\tP\tas9\t8-11\t4"],
}
names = [x.split("\t") for x in Run("--list-machines").out.splitlines()[1:]]
for name, model, cpus, clusters in names:
    r = Run("topology", "--sim", name)
    lines = r.out.splitlines()
    ok(r.code == 0 and
       lines[0] == "# label\tkind\tpmu\tcpus\tphysical_cores",
       "topology of %s" % name, r.err)
    rows = [x.split("\t") for x in lines[1:]]
    ok(len(rows) == int(clusters) and all(len(x) == 5 for x in rows),
       "  has a row of five fields for each cluster", r.out)
    seen = []
    for x in rows:
        for part in x[3].split(","):
            first, _, end = part.partition("-")
            seen += range(int(first), int(end or first) + 1)
    same(sorted(seen), list(range(int(cpus))), "  and every CPU once")
    same(len({x[0] for x in rows}), len(rows), "  under names that differ")
    if name in want:
        same(lines[1:], want[name], "  as the real machine has them")

finish()
