"""Events chosen while ktop runs have columns, and so do they in a replay."""
import os
import re

from live import VTRUN, Screen
from tap import Run, finish, ok, rows_of, same

if not VTRUN:
    finish()

WIDE = "160x45"


def pick(s, *names):
    """Adds these to what is counted; False when the screen says otherwise."""
    if not s.do("text:e", "wait:none: ", "text:+", "gone:none: "):
        return False
    for name in names:
        if not s.do("text:/" + name, "wait:1 of [0-9]* events", "text: ",
                    "sleep:100", "key:esc", "sleep:150"):
            return False
    return s.do("key:enter", "gone:choose events")


os.makedirs("home/ktop", exist_ok=True)
open("home/ktop/ktoprc", "w").write(
    "[preset none]\nkey = 5\nevents = LD_UNIT_UOP\n")
os.environ["XDG_CONFIG_HOME"] = os.path.abspath("home")

s = Screen("--sim", "m1,seed=1", "--delay=200ms", "--csv", "chosen.csv",
           size=WIDE)
ok(s.do("wait:live", "key:5", "wait:1 of 8 counters"), "a small set", s.text)
ok(pick(s, "L1D_TLB_FILL") and
   s.do("wait:2 of 8 counters", "wait:DTLBfl/s",
        "wait:│ P +4-7 .*[0-9][kM] "),
   "an event that is picked gets a column", s.text)
row = re.search(r"^│ *P +4-7 .*$", s.text, re.M)
ok(row and re.search(r"\d[kM] ", row.group(0)), "with its rate in it",
   row and row.group(0))
ok(pick(s, "FETCH_RESTART") and
   s.do("wait:3 of 8 counters", "wait:refet/s"),
   "so does the next", s.text)
ok("DTLBfl/s" in s.text, "and the first one keeps it", s.text)
ok(s.do("text:?/L1D_TLB_FILL: ", "key:enter",
        "wait:DTLBfl/s +L1D_TLB_FILL: ", "key:esc", "key:esc",
        "gone:L1D_TLB_FILL: "), "the help says which event it is", s.text)
ok(s.do("key:1", "wait:8 of 8", "gone:DTLBfl/s") and
   "ld/s" not in s.text, "other sets are without them", s.text)
s.do("text:0", "wait:R rotate", "key:end", "key:enter", "wait:3 of 8 counters")
# On a smaller screen what is of other sets has room until the first frame only.
ok(s.do("resize:200x64", "key:D", "wait:the whole machine", "wait:FETCH_RESTART +[0-9.]+[kM]? */s"),
   "the detail view has the rates", s.text)
ok(s.do("key:1", "wait:8 of 8", "wait:L1I MPKI",
        "wait:FETCH_RESTART.* s old"),
   "and their last value when another set is counted", s.text)
ok(s.do("key:O", "wait:clusters", "text: ", "wait:PAUSED", *["key:,"] * 2,
        "sleep:300"), "far back in time", s.text)
ok(s.do("text: ", "wait:live"), "and forth", s.text)
same(s.end("text:q", "exit:0", "given-back"), "", "it leaves well")

# They are there for as long as the set is counted, a few frames: gone to one.
rows = [x for x in rows_of(open("chosen.csv").read()) if x["row"] == "cpu"]
both = [int(x["sample"]) for x in rows
        if {"L1D_TLB_FILL", "FETCH_RESTART"} <=
        {x["e%d" % i] for i in range(1, 11) if x["c%d" % i] != ""}]
of = int(rows[-1]["sample"])
s = Screen("--replay", "chosen.csv", size=WIDE)
ok(both and s.do("wait:sample [0-9]+/%d" % of, "text: ", "wait:stopped",
                 "key:home", "wait:sample 0/%d stopped" % of,
                 *["key:right"] * both[0],
                 "wait:sample %d/%d stopped" % (both[0], of),
                 "wait:DTLBfl/s", "wait:refet/s"),
   "a replay has the columns of sets in its midst", s.text)
same(s.end("text:q", "exit:0", "given-back"), "", "it leaves well")
text = Run("-b", "--replay", "chosen.csv").out
ok("DTLBfl/s" in text and "refet/s" in text,
   "as batch text does", text[-2000:])

# Each has its rate, whatever metrics it makes, on small screens and large ones.
SET = "L1D_TLB_ACCESS,BRANCH_MISPRED_NONSPEC,INST_ALL,CORE_ACTIVE_CYCLE"
for size in "80x24", "120x40":
    s = Screen("--sim", "m1,seed=1", "--delay=200ms", "--events", SET,
               size=size)
    ok(s.do("wait:live", "wait:busy% .*DTLBac/s +brmiss/s +inst/s"),
       size + " has a rate of each event that was chosen", s.text)
    ok("uIPC" in s.text or size == "80x24", "then metrics", s.text)
    ok(s.do("text:?/l1d_tlb_access: ", "key:enter",
            "wait:DTLBac/s +L1D_TLB_ACCESS: "),
       "the help explains its title", s.text)
    same(s.end("key:esc", "key:esc", "gone:Esc close", "text:q", "exit:0", "given-back"), "",
         "it leaves well")

# A recording of presets that took turns keeps its columns.
Run("--sim", "m1,seed=1,clock=step", "-b", "-n", "30", "--rotate",
    "basic,branch,l1d", "--csv", "turns.csv")
s = Screen("--replay", "turns.csv", "--speed", "0.1", size=WIDE)
ok(s.do("wait:sample [0-9]+/29", "text: ", "wait:stopped", "text::15s\\n",
        "wait:sample 14/29", "wait:00:00:15", "wait:ROTATE",
        "wait:rotating: basic, branch, l1d"),
   "a replay knows that they took turns", s.text)


def titles(text):
    return [re.findall(r"[A-Za-z0-9%~/-]+", line.split("IPC, ")[0])
            for line in text.splitlines() if re.search(r"IPC 0", line)]


first = titles(s.text)
seen = [first]
for i in range(4):
    s.do("key:left", "wait:sample %d/29" % (13 - i), "wait:00:00:%d" % (14 - i))
    seen.append(titles(s.text))
ok(first and all(t == first for t in seen), "and the columns stay", seen)
ok(re.search(r"now +\d+s", s.text), "with their ages below", s.text)
same(s.end("text:q", "exit:0", "given-back"), "", "it leaves well")
finish()
