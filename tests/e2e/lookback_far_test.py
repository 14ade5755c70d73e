"""Looking back far: each frame of the history is what was
shown, also with sets of events that came and went. Half a minute: KTOP_LONG=1."""
import os
import re

from live import VTRUN, Screen, until
from tap import finish, ok, same

FRAMES = 250
PERIOD = "50ms"  # the simulated work changes every 250 ms
SWAPS = 4  # of the set, on the way
STEP = 7  # frames from one look to the next


def frames_of(path):
    """[{cpu: IPC, NAN where there is none}]; whole rows only."""
    with open(path) as f:
        lines = f.read().rpartition("\n")[0].split("\n")
    head = lines[0].split(",")
    row, frame, cpu, ipc = (head.index(k) for k in ("row", "sample", "cpu", "ipc"))
    frames = {}
    for line in lines[1:]:
        cell = line.split(",")
        if cell[row] == "cpu":
            frames.setdefault(int(cell[frame]), {})[int(cell[cpu])] = (
                float(cell[ipc] or "nan"))
    return [frames[i] for i in sorted(frames)]


def shown(text):
    """{cpu: IPC} as the screen writes it."""
    row = re.compile(r"^ *(\d+) [EP]\d? .*? .?(\d+\.\d\d|-) [^ \d]", re.M)
    return {int(c): ipc for c, ipc in row.findall(text)}


def is_of(screen, frame):
    """All numbers of the screen are the frame's, as far as digits go."""
    return len(screen) == len(frame) == 8 and all(
        screen[c] == "-" or abs(float(screen[c]) - frame[c]) <= 0.006
        for c in screen)


def size():
    try:
        return os.path.getsize("out.csv")
    except OSError:
        return 0


if not VTRUN or not os.environ.get("KTOP_LONG"):
    finish()
s = Screen("--sim", "m1,seed=7", "-d", PERIOD, "--force", "--csv", "out.csv")
ok(s.do("wait:live") and until(lambda: size() > 100000), "a screen, recorded")
each = size() / max(len(frames_of("out.csv")), 1)
for i in range(SWAPS):
    ok(until(lambda: size() > each * FRAMES * (i + 1) / (SWAPS + 1)),
       "part %d of the frames" % i)
    s.do("key:" + "12"[i % 2])
ok(until(lambda: len(frames_of("out.csv")) > FRAMES), "all of them")
ok(s.do("text: ", "wait:PAUSED", "stable:100"), "the view is frozen")
looks = [shown(s.text)]
for _ in range(2 * FRAMES // STEP):
    s.do(*["key:left"] * STEP + ["stable:60"])
    looks.append(shown(s.text))
    if " oldest " in s.text.split("\n")[0]:
        break
oldest = " oldest " in s.text.split("\n")[0]
same(s.end("key:q", "exit:0", "given-back"), "", "it leaves well")
ok(oldest, "the oldest frame is reached", s.text)
frames = frames_of("out.csv")
found, last, lost = 0, len(frames), []
for n, look in enumerate(looks):
    at = [i for i in range(last) if is_of(look, frames[i])]
    if at:
        found, last = found + 1, at[-1]
    else:
        lost.append((n, look))
same(lost, [], "each look is a frame of the recording, before the one before")
ok(found > FRAMES // STEP // 2, "many of them", found)
ok(is_of(looks[-1], frames[0]) or is_of(looks[-1], frames[1]),
   "down to the first", looks[-1])
finish()
