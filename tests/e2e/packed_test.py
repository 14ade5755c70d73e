"""Compressed recordings: killed, gone on with, read back as the plain file is."""
import os
import random
import shutil
import subprocess
import time

from live import until
from tap import KTOP, Run, finish, ok, same, skip

STEP = "m1,seed=1,clock=step"
r = Run("--sim", STEP, "--csv", "x.csv.gz", "-n", "1")
ok(r.code != 0 and "x.csv.zst" in r.err and not os.path.exists("x.csv.gz"),
   "another compressor's name gets a sentence and no file", r.err)
r = Run("--sim", STEP, "--csv", "a.csv.zst", "-n", "120")
if "without zstd" in r.err:
    ok(r.code != 0 and not os.path.exists("a.csv.zst"),
       "built without zstd its name gets a sentence and no file", r.err)
    open("a.csv.zst", "wb").write(b"\x28\xb5\x2f\xfd\x00\x58")
    r = Run("summary", "a.csv.zst")
    ok(r.code != 0 and "without zstd" in r.err, "and so does reading", r.err)
    skip("compressed recordings", "this ktop was built without zstd")
    finish()
same(r.code, 0, "a recording is compressed by its name")
Run("--sim", STEP, "--csv", "a.csv", "-n", "120")
ok(os.path.getsize("a.csv.zst") * 4 < os.path.getsize("a.csv"),
   "to less than a quarter")
if shutil.which("zstd"):
    same(subprocess.run(["zstd", "-dc", "a.csv.zst"],
                        stdout=subprocess.PIPE).stdout,
         open("a.csv", "rb").read(), "zstd unpacks it to the plain file")
else:
    skip("zstd unpacks it to the plain file", "there is no zstd here")


def said(*args, **kw):
    r = Run(*args, **kw)
    return r.code, (r.out + r.err).replace("a.csv.zst", "a.csv")


for what in (["summary"], ["compare", "a.csv"], ["--replay"]):
    more = ["-b"] if what[0] == "--replay" else []
    same(said(*what, "a.csv.zst", *more), said(*what, "a.csv", *more),
         "%s reads it as it reads the plain file" % what[0])
same(said("summary", "a.csv.zst", "--from", "20", "--to", "50"),
     said("summary", "a.csv", "--from", "20", "--to", "50"), "a part as well")
with open("a.csv.zst", "rb") as packed, open("a.csv", "rb") as plain:
    a, b = (subprocess.run([KTOP, "summary", "-"], stdin=f,
                           stdout=subprocess.PIPE).stdout
            for f in (packed, plain))
same(a, b, "standard input as well")
r = Run("summary", "a.csv", "a.csv.zst")
ok(r.code != 0 and r.err.count("\n") == 1 and "a second time" in r.err and
   "a.csv.zst:2: " in r.err, "both together are one too many", r.err)
whole = open("a.csv.zst", "rb").read()
open("bad.csv.zst", "wb").write(whole[:9000] + b"\xff" * 40 + whole[9040:])
r = Run("summary", "bad.csv.zst")
ok(r.code != 0 and "bad.csv.zst" in r.err and r.err.count("\n") == 1,
   "damage in its midst is one sentence", r.err)

# Cut within a block: the frames after it were there once.
open("cut.csv.zst", "wb").write(whole[:9000])
for what in (("summary", "cut.csv.zst"), ("--replay", "cut.csv.zst", "-b"),
             ("compare", "a.csv.zst", "cut.csv.zst")):
    r = Run(*what)
    ok(r.code == 0 and
       "cut off: what came after these frames is missing" in r.err,
       "%s says that the end is missing" % what[0], r.err)
# Cut so early that there is no frame: the sentence says where, and not that
# its recording ended.
head = 5 + (not whole[4] >> 5 & 1) + (0, 1, 2, 4)[whole[4] & 3] + \
    (whole[4] >> 5 & 1, 2, 4, 8)[whole[4] >> 6]
first = head + 3 + (int.from_bytes(whole[head:head + 3], "little") >> 3)
for n, where in ((4, " is cut off before its first line: "),
                 (first - 1, " is cut off before its first line: "),
                 (first + 40, " is cut off within the first; ")):
    open("cut.csv.zst", "wb").write(whole[:n])
    for what in ("summary", "cut.csv.zst"), ("--replay", "cut.csv.zst", "-b"):
        r = Run(*what)
        ok(r.code != 0 and where in r.err and r.err.count("\n") == 1 and
           r.err.endswith("; copy it again, or record again\n"),
           "%s of its first %d bytes says so" % (what[0], n), r.err)
open("cut.csv.zst", "wb").write(whole[:first])
r = Run("summary", "cut.csv.zst")
ok("its recording ended before the first; record again" in r.err,
   "ended behind its head, it may have been killed there", r.err)
# Killed after a frame it lacks the empty last block alone.
open("cut.csv.zst", "wb").write(whole[:-3])
r = Run("summary", "cut.csv.zst")
ok("has no end: it is still being written, its run was killed, or" in r.err
   and "120 frames" in r.out, "an open end is told as such", r.err)
same(Run("summary", "a.csv.zst").err, "", "a whole file gets no notice")

random.seed(3)
bad, most = [], 0
for i in range(4):
    if os.path.exists("k.csv.zst"):
        os.unlink("k.csv.zst")
    p = subprocess.Popen([KTOP, "--sim", STEP, "--csv", "k.csv.zst"],
                         stdin=subprocess.DEVNULL)
    until(lambda: os.path.exists("k.csv.zst") and
          os.path.getsize("k.csv.zst") > 8000)
    time.sleep(random.uniform(0, 0.01))
    p.kill()
    p.wait()
    if i % 2: # a write that the machine's end cut short
        os.truncate("k.csv.zst", os.path.getsize("k.csv.zst") -
                    random.randrange(1, 400))
    r = Run("summary", "k.csv.zst")
    n = int(r.out.split("\n")[1].split()[0]) if r.code == 0 else 0
    a = Run("--sim", STEP, "--csv", "k.csv.zst", "--append", "-n", "3")
    r = Run("summary", "k.csv.zst")
    if r.err:
        bad.append("gone on with to its end: %s" % r.err)
    m = int(r.out.split("\n")[1].split()[0]) if r.code == 0 else 0
    if a.code != 0 or n == 0 or not n + 2 <= m <= n + 3:
        bad.append("%d frames, then %d: %s" % (n, m, a.err + r.err))
    most = max(most, n)
same(bad, [], "killed, it is read and gone on with (up to %d frames)" % most)

Run("export", "--sql", "schema.sql", "a.csv.zst", "it's.csv.zst")
schema = open("schema.sql").read()
ok("(first, in a shell, zstd -d of 'it''s.csv.zst'" in schema,
   "export says how sqlite gets an odd name")
if shutil.which("sqlite3") and shutil.which("zstd"):
    take = [line[5:] for line in schema.split("\n") if ".import" in line][0]
    got = subprocess.run(
        ["sqlite3", ":memory:"], stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        input=".read schema.sql\n.mode csv\n%s\n"
        "INSERT INTO ktop SELECT * FROM ktop_typed;\n"
        "SELECT count(*) FROM ktop;\n" % take, universal_newlines=True).stdout
    same(got.strip(), str(120 * 8), "and it takes the rows")
else:
    skip("sqlite takes the rows", "there is no sqlite3 or no zstd here")
finish()
