"""ktop topology on copies of Linux machines: every row, and what is no copy."""
import glob
import os
import subprocess
import sys

from tap import KTOP, Run, finish, ok, same, skip, unpack_tree

if sys.platform != "linux":
    skip("recorded machines", "--root is for Linux only")
    finish()
DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                    "..", "data", "sysfs")


trees = sorted(glob.glob(os.path.join(DATA, "*.tree")))
ok(len(trees) >= 40, "the machines are there", DATA)
# The unit tests read them all; so does this with KTOP_LONG=1.
for tree in trees[::1 if os.environ.get("KTOP_LONG") else 8]:
    name = os.path.basename(tree)[:-len(".tree")]
    unpack_tree(tree, name)
    r = Run("topology", "--root", name)
    with open(os.path.join(DATA, name + ".expect.tsv")) as f:
        same((r.code, r.out, r.err), (0, f.read(), ""), name)

same(Run("topology", "--root=" + name + "/").code, 0, "a slash at the end")
os.mkdir("empty")
open("file", "w").close()
for root, why in (("missing", "No such file"), ("file", "not a folder"),
                  ("empty", "cpu/online"), (name + "/sys", "cpu/online")):
    r = Run("topology", "--root", root)
    ok(r.code == 1 and r.out == "" and r.err.count("\n") == 1 and
       root in r.err and why in r.err, "no machine in %s" % root, r.err)
for args in (["--root"], ["--root", ""]):
    r = Run("topology", *args)
    ok(r.code == 2 and "--root" in r.err, "%s is wrong use" % args, r.err)

os.makedirs("pipe/sys/devices/system/cpu")
os.mkfifo("pipe/sys/devices/system/cpu/online")
r = Run("topology", "--root", "pipe", timeout=90)
ok(r.code == 1 and "cpu/online" in r.err, "a pipe is not waited for", r.err)
with open("pipe/list", "w") as f:
    f.write("0-1000000000\n")
os.rename("pipe/list", "pipe/sys/devices/system/cpu/online")
r = Run("topology", "--root", "pipe", timeout=90)
ok(r.code == 1 and "0-1000000000" in r.err, "a milliard CPUs", r.err)

with open("/dev/full", "w") as full:
    p = subprocess.run([KTOP, "topology", "--root", name], stdout=full,
                       stderr=subprocess.PIPE)
ok(p.returncode == 1 and b"No space" in p.stderr, "a full disk is told",
   p.stderr)
finish()
