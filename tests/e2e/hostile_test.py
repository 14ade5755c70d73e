"""What a caller of sudo could try with names: no file of root's is written,
made, read out or waited for that the caller could not have.

Every option that names a file, in every odd way, by the two processes and by
the two commands that stay one; each name with a few of the options in turn, and
with KTOP_LONG=1 with all. As root only; the caller is SUDO_UID.
"""
import json
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
import time

from tap import KTOP, Run, finish, ok, same, skip

UID = 64999  # nobody's
ROOTS_HOME = os.path.expanduser("~root")
SECRET = "precious-7c1f"
STEP = "m1,clock=step"
ENV = dict(os.environ, SUDO_UID=str(UID), SUDO_GID=str(UID),
           XDG_STATE_HOME=os.path.abspath("mine/state"),
           XDG_CONFIG_HOME=os.path.abspath("mine/config"),
           HOME=os.path.abspath("mine"))
ENV.pop("KTOP_SEPARATE", None)
LIMIT_S = 60
TURNS = 1 if os.environ.get("KTOP_LONG") else 3

# How each option is given a file that it writes; the command goes on in {}.
WRITERS = {
    "--csv": ["--sim", STEP, "-n", "1", "--csv", "{}"],
    "--csv --force": ["--sim", STEP, "-n", "1", "--force", "--csv", "{}"],
    "--csv --append": ["--sim", STEP, "-n", "1", "--append", "--csv", "{}"],
    "--json": ["--sim", STEP, "-n", "1", "--json", "{}"],
    "--json --force": ["--sim", STEP, "-n", "1", "--force", "--json", "{}"],
    "--openmetrics": ["--sim", STEP, "-n", "1", "--openmetrics", "{}"],
    "state=": ["--sim", STEP + ",state={}", "-b", "-n", "1"],
}
# And a file that it reads.
READERS = {
    "--theme": ["--sim", STEP, "--theme", "{}", "-b", "-n", "1"],
    "--config": ["--sim", STEP, "--config", "{}", "-b", "-n", "1"],
    "doctor --config": ["doctor", "--sim", STEP, "--config", "{}"],
    "doctor --theme": ["doctor", "--sim", STEP, "--theme", "{}"],
    "repair --config": ["doctor", "--repair", "--sim", STEP, "--config",
                        "{}"],
    "--write-config": ["--config", "{}", "--write-config"],
    "--replay": ["--replay", "{}", "-b"],
    "summary": ["summary", "{}"],
    "compare": ["compare", "{}", "{}"],
    "--root": ["--root", "{}", "-b", "-n", "1"],
    "doctor state=": ["doctor", "--sim", STEP + ",state={}"],
}


def run(args, name):
    """None when it did not end."""
    try:
        return Run(*[a.replace("{}", name) for a in args], env=ENV,
                   timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        return None
    except (ValueError, UnicodeDecodeError):  # a NUL; odd bytes
        return None


def snapshot(top):
    """{path: what it is}, to the nanosecond."""
    found = {}
    for folder, folders, names in os.walk(top):
        for n in names + folders:
            path = os.path.join(folder, n)
            s = os.lstat(path)
            body = open(path, "rb").read() if n != "fifo" and \
                not os.path.isdir(path) and not os.path.islink(path) else b""
            found[path] = (s.st_mode, s.st_uid, s.st_size, s.st_mtime_ns
                           if not os.path.isdir(path) else 0, s.st_nlink,
                           body)
    return found


def listed():
    """Names in /etc and root's home that are ktop's, or as those it was given;
    whoever else uses the computer may make others."""
    return sorted(os.path.join(top, n) for top in ("/etc", ROOTS_HOME)
                  for n in os.listdir(top)
                  if "ktop" in n or "passwd" in n or "shadow" in n)


def make_world():
    os.chmod(".", 0o755)
    for folder, mode, who in (("mine", 0o755, UID), ("mine/state", 0o700, UID),
                              ("mine/config", 0o700, UID),
                              ("roots", 0o755, 0), ("shadow", 0o700, 0),
                              ("sticky", 0o1777, 0)):
        os.mkdir(folder)
        os.chown(folder, who, who)
        os.chmod(folder, mode)
    for name, mode in (("roots/file", 0o644), ("roots/secret", 0o600),
                       ("shadow/secret", 0o644), ("sticky/roots", 0o600),
                       ("sticky/readable", 0o644)):
        with open(name, "w") as f:
            f.write(SECRET + "\n")
        os.chmod(name, mode)
    os.mkfifo("roots/fifo")
    os.chmod("roots/fifo", 0o600)
    for name, to in (("link", "roots/file"), ("secretlink", "roots/secret"),
                     ("dangling", "roots/new"), ("dir", "roots"),
                     ("etc", "/etc"), ("up", "..")):
        os.symlink(to if to[0] in "/." else os.path.abspath(to),
                   "mine/" + name)
    os.symlink("loop", "mine/loop")
    os.mkfifo("mine/fifo")
    os.chown("mine/fifo", UID, UID)
    # As the kernel allows where protected_hardlinks is off.
    os.link("roots/secret", "mine/hard")
    os.link("roots/file", "mine/hardfile")
    os.link("roots/secret", "sticky/hard")


NAMES = ["roots/file", "roots/new", "roots/fifo", "roots", "roots/",
         "mine/link", "mine/dangling", "mine/dir/new", "mine/dir/file",
         "mine/loop", "mine/loop/x", "mine/../roots/new", "mine/up/roots/new",
         "./mine/./../roots/file", "shadow/x", "shadow/secret", "mine/hard",
         "mine/hardfile", "sticky/roots", "sticky/hard",
         "/etc/ktop-was-here", "mine/etc/ktop-was-here", "/etc/shadow",
         "/etc/passwd", ROOTS_HOME + "/.ktop-was-here", "/dev/sda", "/dev/mem",
         "/dev/kmsg", "/dev/port", "/dev/console", "/proc/sysrq-trigger",
         "/proc/self/mem", "/proc/1/mem", "/proc/1/root/etc/ktop-was-here",
         "/proc/self/fd/3", "/proc/self/fd/4", "/dev/fd/5",
         "/proc/self/task/1/mem", "/proc/sys/kernel/core_pattern",
         "/sys/kernel/uevent_helper", "/sys/power/state", "/proc/1/fd/1",
         "x" * 255 + "/y", "mine/" + "y" * 256, "z" * 4096,
         "/" * 3000 + "etc/ktop-was-here", "roots/new\n", "roots/..",
         "roots/\x1b]0;title\x07", "roots/%s%n%n", "roots/;touch roots/new",
         "roots/$(touch roots/new)", "~root/new", "roots/\udcff\udcfe"]


def writers():
    before = snapshot("roots"), snapshot("shadow"), snapshot("sticky")
    etc = listed()
    core = open("/proc/sys/kernel/core_pattern").read()
    hung, told = [], []
    jobs = [(option, args, name)
            for i, (option, args) in enumerate(WRITERS.items())
            for k, name in enumerate(NAMES) if (i + k) % TURNS == 0]
    with ThreadPoolExecutor(3) as pool:
        results = list(pool.map(lambda j: run(j[1], j[2]), jobs))
    for (option, _, name), r in zip(jobs, results):
        if r is None and name.isprintable() and len(name) < 200:
            hung.append((option, name))
        elif r is not None and SECRET in r.out + r.err:
            told.append((option, name))
    same(hung, [], "%d names for %d options: nothing waits" %
         (len(NAMES), len(WRITERS)))
    same(told, [], "nor tells what stands in root's files")
    same((snapshot("roots"), snapshot("shadow"), snapshot("sticky")), before,
         "what is root's is as it was, to the nanosecond")
    same(listed(), etc, "also in /etc and root's home")
    same(open("/proc/sys/kernel/core_pattern").read(), core, "and in /proc")


def readers():
    secrets = ["roots/secret", "shadow/secret", "mine/secretlink", "mine/hard",
               "sticky/roots", "mine/dir/secret", "/etc/shadow",
               "/proc/1/environ", "mine/loop", "mine/fifo", "roots/fifo",
               "roots", "/dev/mem", "/dev/zero"]
    shadow = (open("/etc/shadow").read().split("\n")[0]
              if os.path.exists("/etc/shadow") else "") or SECRET
    hung, told = [], []
    for option, args in READERS.items():
        for k, name in enumerate(secrets):
            if (list(READERS).index(option) + k) % TURNS != 0:
                continue
            if name == "mine/fifo" and option in ("--replay", "summary",
                                                  "compare", "export"):
                continue  # the caller's own pipe may be replayed
            r = run(args, name)
            if r is None:
                hung.append((option, name))
            elif SECRET in r.out + r.err or shadow in r.out + r.err:
                told.append((option, name))
    same(told, [], "%d options that read: none shows what the caller may not "
         "read" % len(READERS))
    same(hung, [], "nor waits")


def state_files():
    """Marks, the note of a run and the config are written in the state
    folders: links there lead nowhere that the caller could not go."""
    before = snapshot("roots")
    for place in ("ktop", "ktop/marks"):
        for to in ("roots", "roots/file", "roots/new"):
            for base in ("state", "config"):
                path = "mine/%s/%s" % (base, place)
                if os.path.lexists(path) and not os.path.isdir(path):
                    os.unlink(path)
                if os.path.lexists(path) or not os.path.isdir(
                        os.path.dirname(path)):
                    continue
                os.symlink(os.path.abspath(to), path)
            Run("--sim", "m1", "-d", "100ms", "-n", "2", "--csv",
                "mine/s.csv", "--force", env=ENV)
            Run("mark", "hello", env=ENV)
            for base in ("state", "config"):
                path = "mine/%s/%s" % (base, place)
                if os.path.islink(path):
                    os.unlink(path)
    same(snapshot("roots"), before, "links in the state folders lead nowhere")


def race():
    """A name that is a file when it is looked at, and a link after that."""
    before = snapshot("roots")
    stop = threading.Event()
    path, spare = "mine/race.csv", "mine/race.link"

    def swap():
        os.symlink(os.path.abspath("roots/file"), spare)
        while not stop.is_set():
            for name in (spare, path):
                try:
                    if name == spare:
                        os.replace(spare, path)
                        os.symlink(os.path.abspath("roots/new"), spare)
                    else:
                        os.unlink(path)
                except OSError:
                    pass

    t = threading.Thread(target=swap)
    t.start()
    try:
        for i in range(40):
            option = ("--csv", "--json", "--openmetrics")[i % 3]
            force = ["--force"] if i % 2 and option != "--openmetrics" else []
            Run("--sim", STEP, "-n", "3", option, path, *force, env=ENV)
    finally:
        stop.set()
        t.join()
    same(snapshot("roots"), before,
         "40 runs against a name that changes: root's files are as they were")


def others():
    r = Run("--sim", STEP, "-n", "1", "--csv", "doctor", env=ENV, cwd="mine")
    same((r.code, os.stat("mine/doctor").st_uid), (0, UID),
         "a file called doctor opens no door")
    Run("--sim", STEP, "-n", "1", "--csv", "roots/new", "doctor", env=ENV)
    Run("--sim", STEP, "-n", "1", "--csv", "roots/new", "--", "doctor",
        env=ENV)
    ok(not os.path.exists("roots/new"), "nor does the word", "")
    # An open file of root's that was left to it.
    with open("roots/file", "a") as f:
        p = subprocess.run([KTOP, "--sim", STEP, "-n", "1", "--force", "--csv",
                            "/proc/self/fd/%d" % f.fileno()], env=ENV,
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, pass_fds=[f.fileno()],
                           timeout=LIMIT_S)
    same(open("roots/file").read(), SECRET + "\n",
         "an open file of root's is not opened again by its number")
    ok(p.returncode != 0, "  but refused", p.stderr)
    r = Run("--sim", STEP, "-n", "1", "--json", "mine/ok.json", env=ENV)
    same((r.code, os.stat("mine/ok.json").st_uid), (0, UID),
         "what the caller may write is written, and the caller's")
    json.loads(open("mine/ok.json").readline())
    r = Run("--sim", STEP, "-n", "1", "--csv", "sticky/own.csv", env=ENV)
    same((r.code, os.stat("sticky/own.csv").st_uid), (0, UID),
         "also beside root's in a sticky folder")


def main():
    if sys.platform != "linux" or os.geteuid() != 0:
        skip("hostile names", "as root on Linux only")
        finish()
    began = time.monotonic()
    make_world()
    writers()
    readers()
    state_files()
    race()
    others()
    print("# %.0f s" % (time.monotonic() - began))
    finish()


main()
