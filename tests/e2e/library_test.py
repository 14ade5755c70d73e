"""A library that the caller names: it is refused, or finds no right at all.

Its constructor writes down the rights of the process that loads it. Every
command that may load one is started as sudo starts it, by every way that names
a library, with perf_event_paranoid as Linux (2) and as Debian has it (3).
"""
import os
import shutil
import struct
import subprocess
from concurrent.futures import ThreadPoolExecutor

from tap import KTOP, PROC, finish, for_all, ok, same, skip

UID = 64999  # nobody's
HERE = os.getcwd()
SOURCE = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((constructor)) static void
look(void)
{
	FILE *to = fopen(getenv("LOOK"), "a");
	FILE *f = fopen("/proc/self/status", "r");
	char line[256];

	while (to && f && fgets(line, sizeof line, f))
		if (strncmp(line, "Cap", 3) == 0)
			fprintf(to, "%.6s%s", line, line + 7);
	if (to)
		fprintf(to, "euid %u\n", (unsigned)geteuid());
	if (to)
		fclose(to);
}
"""
COMMANDS = (
    ["-b", "-n", "1", "-d", "50ms"],
    ["--csv", "-", "-n", "1", "-d", "50ms"],
    ["topology"],
    ["doctor"],
    ["doctor", "--repair"],
    ["stat", "--", "true"],
    ["--csv", "/dev/null", "--", "true"],
    ["-n", "1", "-d", "50ms", "--", "true"],
    ["--list-events"],
    ["--list-sources"],
    ["--source", "kperf", "-b", "-n", "1", "-d", "50ms"],
    ["--source", "kperf", "doctor"],
)


def build():
    """One that the caller made, one that root did, at the same paths."""
    with open("look.c", "w") as f:
        f.write(SOURCE)
    r = None
    for cc in (os.environ.get("CC", "cc"), "gcc", "clang"):
        r = subprocess.run(cc.split() + ["-shared", "-fPIC", "-o", "roots.so",
                                         "look.c"], stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT)
        if r.returncode == 0:
            break
    ok(r.returncode == 0, "a library that looks at its rights", r.stdout)
    os.chmod("roots.so", 0o755)
    os.mkdir("mine")
    shutil.copy("roots.so", "mine/lib.so")
    os.makedirs("home/.config/ktop")
    os.makedirs("config/ktop")
    for path in ("config/ktop/ktoprc", "home/.config/ktop/ktoprc"):
        with open(path, "w") as f:
            f.write("kperf = %s/mine/lib.so\nkperfdata = %s/mine/lib.so\n"
                    % (HERE, HERE))
        os.chown(path, UID, UID)
    for path in ("mine", "mine/lib.so"):
        os.chown(path, UID, UID)


def read_looks(path):
    """What the constructor found: a dictionary for each of its runs."""
    runs = []
    if not os.path.exists(path):
        return runs
    for line in open(path):
        if line.startswith("CapInh"):
            runs.append({})
        key, value = line.split()
        runs[-1][key] = int(value, 10 if key == "euid" else 16)
    os.unlink(path)
    return runs


def inside(level):
    """Another perf_event_paranoid, in a namespace of its own; None: as it is."""
    return ["unshare", "-m", "sh", "-c", "mount --bind paranoid%d "
            "/proc/sys/kernel/perf_event_paranoid && exec \"$@\"" % level,
            "-"] if level else []


def start_all(ktop, more, env, level=None, **how):
    """Every command at once: of each its looks and what it printed."""
    def one(i):
        path = os.path.join(HERE, "seen", str(i))
        r = subprocess.run(inside(level) + [ktop] + more + COMMANDS[i],
                           env=dict(env, LOOK=path), timeout=120,
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, **how)
        return COMMANDS[i], read_looks(path), r.stdout
    with ThreadPoolExecutor(len(COMMANDS)) as pool:
        return list(pool.map(one, range(len(COMMANDS))))


def wrong(done, uid, sets):
    """Commands whose library held a right, or was somebody else."""
    return [(command, runs) for command, runs, _ in done
            if any(r["euid"] != uid or any(r[s] for s in sets) for r in runs)]


def loaded(done):
    return [command for command, runs, _ in done if runs]


ALL = ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")


def of_sudo(level):
    """Named by an option it finds nothing; by another way it is not loaded."""
    mine = os.path.join(HERE, "mine/lib.so")
    named = ["--kperf", mine, "--kperfdata", mine]
    sudo = dict(os.environ, SUDO_UID=str(UID), SUDO_GID=str(UID),
                HOME=os.path.join(HERE, "home"))
    ways = (("by its option", named, {}),
            ("by KTOP_KPERF", [], {"KTOP_KPERF": mine,
                                   "KTOP_KPERFDATA": mine}),
            ("by a ktoprc of the caller's", [],
             {"XDG_CONFIG_HOME": HERE + "/config"}),
            ("by --config", ["--config", HERE + "/config/ktop/ktoprc"], {}))
    for way, more, env in ways:
        done = start_all(KTOP, more, dict(sudo, **env), level)
        same(wrong(done, UID, ALL), [],
             "perf_event_paranoid %d, %s: no right, and the caller" %
             (level, way))
        if way == "by its option":
            same(loaded(done), list(COMMANDS), "  where it is loaded")
            continue
        same(loaded(done), [], "  for it is not loaded")
        if "KTOP_KPERF" not in env:
            same([x for x in done if b"root ignores kperf and kperfdata" not in
                  x[2]], [], "  and that is said")


def of_root():
    """Without sudo root may stay root; its library finds no capability."""
    env = dict(os.environ, HOME=HERE)
    for variable in ("SUDO_UID", "SUDO_GID"):
        env.pop(variable, None)
    for name, want in (("roots.so", list(COMMANDS)), ("mine/lib.so", [])):
        path = os.path.join(HERE, name)
        done = start_all(KTOP, ["--kperf", path, "--kperfdata", path], env)
        same(wrong(done, 0, ALL), [], "root, %s: without a capability" % name)
        same(loaded(done), want, "  or not at all")
    done = start_all(KTOP, ["--config", HERE + "/config/ktop/ktoprc"],
                     dict(env, KTOP_KPERF=HERE + "/roots.so"))
    same(loaded(done), [], "root: not by another's ktoprc, nor by KTOP_KPERF")


def with_file_capability():
    """setcap cap_perfmon=ep ktop, started by a user."""
    ktop = for_all()
    try:
        # VFS_CAP_REVISION_2 with the effective bit; CAP_PERFMON is 38.
        os.setxattr(ktop, "security.capability",
                    struct.pack("<IIIII", 0x02000001, 0, 0, 1 << 6, 0))
        user = {"user": UID, "group": UID, "extra_groups": []}
        subprocess.run([ktop, "--version"], stdout=subprocess.DEVNULL, **user)
    except OSError as why:
        skip("a ktop with a capability of its own", why)
        return
    env = dict(os.environ, HOME=os.path.join(HERE, "home"))
    for variable in ("SUDO_UID", "SUDO_GID"):
        env.pop(variable, None)

    for name in ("roots.so", "mine/lib.so"):
        path = os.path.join(HERE, name)
        for more, extra in ((["--kperf", path, "--kperfdata", path], {}),
                            ([], {"KTOP_KPERF": path})):
            done = start_all(ktop, more, dict(env, **extra), **user)
            # The bounding set is not its to change.
            same(wrong(done, UID, [x for x in ALL if x != "CapBnd"]), [],
                 "a ktop with a capability of its own, %s by %s: none" %
                 (name, "variable" if extra else "option"))
            same(loaded(done), list(COMMANDS) if name == "roots.so" and
                 not extra else [], "  or not loaded at all")


def main():
    if not PROC or os.geteuid() != 0:
        skip("libraries that the caller names", "no /proc, or not root")
        finish()
    os.chmod(".", 0o755)
    build()
    for level in (2, 3):
        with open("paranoid%d" % level, "w") as f:
            f.write("%d\n" % level)
        os.chmod("paranoid%d" % level, 0o644)
    os.mkdir("seen")
    os.chmod("seen", 0o777)
    if not shutil.which("unshare") or \
            subprocess.run(inside(3) + ["true"]).returncode:
        skip("as sudo starts it", "no mount namespace")
    else:
        for level in (2, 3):
            of_sudo(level)
    of_root()
    with_file_capability()
    finish()


main()
