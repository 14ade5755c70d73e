"""300 CPUs: each reading interrupts them all, so they are not read too often."""
import os
import platform

from live import Screen
from tap import Run, finish, ok, rows_of, same, skip

if platform.system() != "Linux":
    skip("300 CPUs", "Linux only: other systems have no such machines")
    finish()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)


def machine(root, n):
    write(root + "/sys/devices/system/cpu/online", "0-%d\n" % (n - 1))
    write(root + "/sys/bus/event_source/devices/cpu/type", "4\n")
    write(root + "/proc/cpuinfo", "processor\t: 0\nvendor_id\t: AuthenticAMD\n"
          "cpu family\t: 26\nmodel\t\t: 2\nmodel name\t: AMD EPYC\n")
    write(root + "/proc/stat", "cpu  0 0 0 0\n" + "".join(
        "cpu%d 1 0 0 1 0 0 0 0 0 0\n" % i for i in range(n)))


machine("many", 300)
machine("enough", 256)
r = Run("--root", "many", "-b", "-n", "1", "-d", "0.4")
same(r.code, 2, "an interval under half a second is refused")
ok("300 CPUs" in r.err and "--force" in r.err and "500ms" in r.err,
   "with the reason and what to do", r.err)
same(r.out, "", "and nothing else is done")
r = Run("--root", "many", "--csv", "-", "-n", "1", "-d", "0.4", "--force")
same((r.code, len(rows_of(r.out))), (0, 300), "--force insists")
same(Run("--root", "many", "-b", "-n", "1", "-d", "0.5").code, 0,
     "half a second is fine")
same(Run("--root", "enough", "-b", "-n", "1", "-d", "0.1").code, 0,
     "as is any interval for 256 CPUs")

s = Screen("--root", "many", "-d", "0.5", size="120x30")
ok(s.do("wait:500 ms", "text:-", "wait:or --force"), "keys do not get there, too",
   s.text)
ok("500 ms" in s.text, "the interval stays", s.text)
same(s.end("text:q", "exit:0", "given-back"), "", "q quits")

finish()
