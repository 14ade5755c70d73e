"""Key A: the screen as it is, as text."""
import os
import re

from live import Screen
from tap import Run, finish, folder_of_callers, for_all, ok, same, skip

os.environ["HOME"] = os.path.abspath(".")
HELD = ("--sim", "m1,seed=1,clock=step", "-n", "70", "--hold")
NAME = "ktop-20260101-000110"


def check(what, saved, dump):
    same(open(saved + ".txt").read(), open(dump + ".txt").read(),
         what + ": the text is the screen's")


for size in ("80x24", "120x40"):
    folder = os.path.abspath(size)
    os.mkdir(folder)
    os.chdir(folder)
    s = Screen(*HELD, size=size)
    ok(s.do("wait:ENDED", "stable:40"), "the screen stands", s.p.stderr)
    before = "shot-%s-1" % s.id
    ok(s.do("key:A", "wait:screen saved in"), "A answers", s.text)
    last = "".join(x.strip() for x in s.text.splitlines()[-4:])
    ok((folder + "/" + NAME + ".txt").replace(" ", "") in last.replace(" ", ""),
       "and says the whole path", s.text)
    check(size, NAME, before)
    if size == "120x40":
        # The same moment again: another name, nothing is replaced.
        one = os.stat(NAME + ".txt")
        ok(s.do("key:A", "wait:-2.txt", "key:A", "wait:-3.txt"), "again", s.text)
        same(sorted(x for x in os.listdir(".") if x.startswith("ktop")),
             sorted(NAME + x + ".txt" for x in ("", "-2", "-3")),
             "each has a name of its own")
        same(os.stat(NAME + ".txt")[:9], one[:9], "the first is left alone")
        open(NAME + "-4.txt", "w").write("mine")
        ok(s.do("key:A", "wait:-5.txt"), "also where one is there",
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
made = len([x for x in os.listdir(".") if x.startswith("ktop")])
ok(made < 900, "before the last of them", made)
s = Screen(*HELD)
ok(s.do("wait:ENDED", "text:" + "A" * 1005, "wait:-1%03d.txt" % (5 + made)),
   "more than a thousand of one moment", s.text)
same(s.end("key:q", "exit:0", "given-back"), "", "it ends")
os.chdir("..")

# In a replay, with its help open.
Run("--sim", "m1,seed=1,clock=step", "--csv", "r.csv", "-n", "5")
s = Screen("--replay", "r.csv", "--speed", "0.1")
ok(s.do("wait:sample 0/4", "key:space", "wait:stopped", "stable:40"), "a replay")
before = "shot-%s-1" % s.id
ok(s.do("key:A", "wait:screen saved in"), "A answers in it", s.text)
check("a replay", [x for x in sorted(os.listdir(".")) if re.match(
    r"ktop-.*\.txt$", x)][0][:-4], before)
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
             [(".txt", 64999)] if place == "callers" else [],
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
