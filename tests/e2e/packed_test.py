"""Compressed recordings: pipes write and read them; ktop alone refuses them."""
import os
import shutil
import subprocess

from tap import KTOP, Run, finish, ok, same, skip

STEP = "m1,seed=1,clock=step"
for args, pipe in (("--csv x.csv.zst", ": | zstd > x.csv.zst"),
                   ("--json x.json.gz", ": | gzip > x.json.gz")):
    r = Run("--sim", STEP, *args.split(), "-n", "1")
    ok(r.code == 2 and pipe in r.err and r.err.count("\n") == 1 and
       not os.path.exists(args.split()[1]),
       "%s is refused with the pipe" % args, r.err)
same(Run("--sim", STEP, "--csv", "a.csv", "-n", "60").code, 0, "a recording")

open("z.csv", "wb").write(b"\x28\xb5\x2f\xfd\x00\x58\n")
for args in ("summary z.csv", "--replay z.csv -b", "compare a.csv z.csv"):
    r = Run(*args.split())
    ok(r.code == 6 and "zstdcat FILE | ktop --replay -, or summary -" in r.err
       and r.err.count("\n") == 1,
       "%s knows zstd by the first bytes" % args, r.err)
r = Run("--sim", STEP, "--csv", "z.csv", "--append", "-n", "1")
ok(r.code == 6 and "zstdcat z.csv > FILE" in r.err and
   os.path.getsize("z.csv") == 7, "--append knows it, too", r.err)

if not shutil.which("zstd"):
    skip("the pipes of the manual", "there is no zstd here")
    finish()


def shell(line):
    p = subprocess.run(line, shell=True, stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       env=dict(os.environ, KTOP=KTOP))
    return p.returncode, p.stdout, p.stderr


same(shell('"$KTOP" --sim %s --csv - -n 60 | zstd -q > r.csv.zst' % STEP),
     (0, b"", b""), "ktop --csv - | zstd writes a compressed recording")
ok(os.path.getsize("r.csv.zst") * 4 < os.path.getsize("a.csv"),
   "of less than a quarter of the size")
for args in ("--replay - -b", "summary -"):
    plain = shell('"$KTOP" %s < a.csv' % args)
    ok(plain[0] == 0 and plain[1] != b"", "%s reads the plain text" % args)
    same(shell('zstdcat r.csv.zst | "$KTOP" ' + args), plain,
         "zstdcat | ktop %s reads the same" % args)
finish()
