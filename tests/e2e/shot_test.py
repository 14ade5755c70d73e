"""Key A: the screen as it is, as text and as a picture in its colours."""
import os
import re
import xml.etree.ElementTree

from live import Screen
from tap import Run, finish, folder_of_callers, for_all, ok, same, skip

THEMES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..",
                      "themes")
SVG = "{http://www.w3.org/2000/svg}"
CELL_W, CELL_H, BASELINE = 8, 16, 12
os.environ["HOME"] = os.path.abspath(".")
TRUE = ("COLORTERM=truecolor",)
HELD = ("--sim", "m1,seed=1,clock=step", "-n", "70", "--hold")
NAME = "ktop-20260101-000110"


def picture(path):
    """{(row, column): (sign, colour, ground, bold)}, ground of the whole"""
    root = xml.etree.ElementTree.parse(path).getroot()
    grounds, cells, shape, whole = {}, {}, None, None
    for at in root:
        if at.tag == SVG + "rect" and whole is None:
            whole = at.get("fill")
        elif at.tag == SVG + "rect":
            y, x = int(at.get("y")) // CELL_H, int(at.get("x")) // CELL_W
            for i in range(int(at.get("width")) // CELL_W):
                grounds[y, x + i] = at.get("fill")
        elif at.tag == SVG + "path":
            shape = at.get("fill")
        elif at.tag == SVG + "text":
            y = (int(at.get("y")) - BASELINE) // CELL_H
            x = int(at.get("x")) // CELL_W
            assert int(at.get("textLength")) == len(at.text) * CELL_W, at.text
            fill = at.get("fill")
            for i, sign in enumerate(at.text):
                if sign != " ":
                    cells[y, x + i] = (sign, shape if fill == "none" else fill,
                                       grounds.get((y, x + i), "-"),
                                       at.get("font-weight") == "bold")
    return cells, whole


def screen(path):
    """The same of what a terminal shows."""
    cells = {}
    for line in open(path, encoding="utf-8").read().splitlines()[1:]:
        m = re.match(r" *(\d+) +(\d+) \|(.*)\| fg=(\S+) bg=(\S+) (\S+)$", line)
        for i, sign in enumerate(m.group(3)):
            if sign != " ":
                cells[int(m.group(1)), int(m.group(2)) + i] = (
                    sign, m.group(4), m.group(5), "bold" in m.group(6))
    return cells


def check(what, saved, dump):
    got, ground = picture(saved + ".svg")
    # A ground that the theme paints is that of the whole picture.
    want = {at: x[:2] + ("-" if x[2] == ground else x[2],) + x[3:]
            for at, x in screen(dump + ".cells").items()}
    own = set(x[1] for at, x in got.items()
              if at in want and want[at][1] == "-")
    ok(len(own) <= 1, what + ": one colour is the terminal's own", own)
    shown = {at: (x[0], "-" if x[1] in own and want.get(at, x)[1] == "-"
                  else x[1], x[2], x[3]) for at, x in got.items()}
    wrong = [(at, shown.get(at), want.get(at)) for at in set(want) | set(got)
             if shown.get(at) != want.get(at)]
    ok(not wrong and len(want) > 500, what + ": the picture shows the cells of "
       "the screen, in its colours", "\n".join(map(str, sorted(wrong)[:9])))
    same(open(saved + ".txt").read(), open(dump + ".txt").read(),
         what + ": the text is the screen's")


for size, theme in (("80x24", "default"), ("120x40", "default"),
                    ("120x40", "light")):
    folder = os.path.abspath("%s-%s" % (size, theme))
    os.mkdir(folder)
    os.chdir(folder)
    s = Screen(*HELD, "--theme", os.path.join(THEMES, theme + ".theme"),
               size=size, env=TRUE)
    ok(s.do("wait:ENDED", "stable:40"), "the screen stands", s.p.stderr)
    before = "shot-%s-1" % s.id
    ok(s.do("key:A", "wait:screen saved in"), "A answers", s.text)
    last = "".join(x.strip() for x in s.text.splitlines()[-4:])
    ok((folder + "/" + NAME + ".svg").replace(" ", "") in last.replace(" ", ""),
       "and says the whole path", s.text)
    check(size + " " + theme, NAME, before)
    if theme == "light":
        # The same moment again: another name, nothing is replaced.
        one = os.stat(NAME + ".svg")
        ok(s.do("key:A", "wait:-2.svg", "key:A", "wait:-3.svg"), "again", s.text)
        same(sorted(x for x in os.listdir(".") if x.startswith("ktop")),
             sorted(NAME + x + e for x in ("", "-2", "-3")
                    for e in (".svg", ".txt")), "each has a name of its own")
        same(os.stat(NAME + ".svg")[:9], one[:9], "the first is left alone")
        open(NAME + "-4.txt", "w").write("mine")
        ok(s.do("key:A", "wait:-5.svg"), "also where one of both is there",
           s.text)
        same(open(NAME + "-4.txt").read(), "mine", "which is left alone, too")
    same(s.end("key:q", "exit:0", "given-back"), "", "it ends")
    os.chdir("..")

# Keys that wait do not keep a signal waiting, and each finds its number soon.
os.mkdir("many")
os.chdir("many")
s = Screen(*HELD)
s.do("wait:ENDED")
same(s.end("text:" + "A" * 900, "sig:TERM", "exit:143", "given-back"), "",
     "a signal behind 900 keys ends it")
made = len([x for x in os.listdir(".") if x.endswith(".svg")])
ok(made < 900, "before the last of them", made)
s = Screen(*HELD)
ok(s.do("wait:ENDED", "text:" + "A" * 1005, "wait:-1%03d.svg" % (5 + made)),
   "more than a thousand of one moment", s.text)
same(s.end("key:q", "exit:0", "given-back"), "", "it ends")
os.chdir("..")

# In a replay, with its help open.
Run("--sim", "m1,seed=1,clock=step", "--csv", "r.csv", "-n", "5")
s = Screen("--replay", "r.csv", "--speed", "0.1", env=TRUE)
ok(s.do("wait:frame 0/4", "key:space", "wait:stopped", "stable:40"), "a replay")
before = "shot-%s-1" % s.id
ok(s.do("key:A", "wait:screen saved in"), "A answers in it", s.text)
check("a replay", [x for x in sorted(os.listdir(".")) if re.match(
    r"ktop-.*\.svg$", x)][0][:-4], before)
s.end("key:q", "exit:0")

# Where sudo was asked the files are its caller's, or there are none.
if os.geteuid() == 0:
    program = for_all()
    os.environ.update(SUDO_UID="64999", SUDO_GID="64999")
    folder_of_callers("callers")
    os.mkdir("roots")
    for place in ("callers", "roots"):
        os.chdir(place)
        s = Screen(*HELD, program=program)
        ok(s.do("wait:ENDED", "key:A", "wait:screen saved in"
                if place == "callers" else "wait:screen not saved in"),
           "in a folder of %s the answer is right" % place, s.text)
        said = " ".join(x.strip() for x in s.text.splitlines()[-4:])
        ok(place == "callers" or re.search(r"roots: *Permission denied; start "
           r"ktop in a folder that you can write to", said), "and whole", said)
        s.end("key:q", "exit:0")
        made = [x for x in os.listdir(".") if x.startswith("ktop")]
        same([(x[-4:], os.stat(x).st_uid) for x in sorted(made)],
             [(".svg", 64999), (".txt", 64999)] if place == "callers" else [],
             "and so are the files")
        os.chdir("..")
    os.chdir("roots")
    s = Screen("--sim", "m1,seed=1", "-d", "100ms", program=program)
    s.do("wait:IPC", "key:c", "wait:cannot create ktop-")
    said = " ".join(x.strip() for x in s.text.splitlines()[-4:])
    ok(re.search(r"csv: *Permission denied; start ktop *in a folder that you "
                 r"can write to", said), "a recording has the same answer",
       said)
    s.end("key:q", "exit:0")
    os.chdir("..")
else:
    skip("files are those of sudo's caller", "needs root")
finish()
