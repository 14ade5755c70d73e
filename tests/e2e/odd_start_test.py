"""Starts that are out of the ordinary: little stack, a vast terminal, outputs
that nobody reads, and ways other than sudo of becoming root."""
import os
import pwd
import resource
import socket
import subprocess

from jobs import Job
from tap import Run, finish, for_all, ok, same, skip

ONE = ("--sim", "m1,clock=step", "-n", "1")
# Arguments and environment lie on the stack, too: the person's may be many.
FEW = {x: os.environ[x] for x in ("HOME", "PATH", "XDG_CONFIG_HOME",
                                  "XDG_STATE_HOME") if x in os.environ}


def little_stack():
    resource.setrlimit(resource.RLIMIT_STACK, (96 << 10, 96 << 10))


r = Run(*ONE, "-b", preexec_fn=little_stack, env=FEW)
same((r.code, r.err), (0, ""), "96 KB of stack are enough")
with open("rc", "w") as f:
    f.write("[preset own]\nevents = INST_ALL, INST_BRANCH\n")
r = Run("--config", "rc", *ONE, "-b", preexec_fn=little_stack, env=FEW)
same((r.code, r.err), (0, ""), "  with a config file, too")

s = socket.socket(socket.AF_UNIX)
s.bind("socket")
os.mkfifo("fifo")
for name, fifo in (("fifo", True), ("socket", False)):
    r = Run(*ONE, "--csv", name)
    ok(r.code == 1 and ("FIFO" in r.err) == fifo and name in r.err,
       "%s that nobody reads is called what it is" % name, r.err)
s.close()

for size in ((40, 65535), (65535, 120)):
    j = Job("--sim", "m1", "-d", "100ms", size=size)
    ok(j.sees("IPC") and b"not known" not in j.seen,
       "a terminal of %d by %d" % (size[1], size[0]), j.seen[-200:])
    j.key("q")
    same(j.ended(), 0, "  and q leaves it")
    j.close()

# ---- doas, pkexec, run0 --------------------------------------------------
bare = {k: v for k, v in os.environ.items()
        if not k.startswith(("SUDO_", "DOAS_", "PKEXEC_"))}
if os.geteuid() == 0:
    who = pwd.getpwuid(65534)
    program = for_all()
    os.mkdir("theirs")
    os.chown("theirs", who.pw_uid, who.pw_gid)

    def as_root(**env):
        return subprocess.run(
            [program, *ONE, "--force", "--csv", "theirs/x.csv"],
            env=dict(bare, **env), stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=120)

    for env in ({"DOAS_USER": who.pw_name}, {"PKEXEC_UID": "65534"}):
        name = list(env)[0]
        r = as_root(**env)
        same((r.returncode, r.stderr), (0, ""), name + " says who called")
        st = os.stat("theirs/x.csv")
        same((st.st_uid, st.st_gid), (who.pw_uid, who.pw_gid),
             "  and the recording is theirs")
        os.remove("theirs/x.csv")
    for env in ({"DOAS_USER": "no-such-user"}, {"PKEXEC_UID": "x"},
                {"PKEXEC_UID": "4294967294"}):
        r = as_root(**env)
        name, value = list(env.items())[0]
        ok(r.returncode == 3 and "%s=%s" % (name, value) in r.stderr,
           "%s=%s is refused" % (name, value), r.stderr)
    r = as_root(DOAS_USER="root")
    same(r.returncode, 0, "root by doas is root")
    same(os.stat("theirs/x.csv").st_uid, 0, "  and stays it")
    os.remove("theirs/x.csv")
    # run0 begins with nothing of the caller's, and says who that is.
    fresh = {"HOME": pwd.getpwuid(0).pw_dir, "USER": "root", "LOGNAME": "root",
             "SHELL": "/bin/sh", "PATH": os.environ["PATH"], "TERM": "xterm",
             "INVOCATION_ID": "0" * 32, "SHELL_PROMPT_PREFIX": "# ",
             "XDG_SESSION_CLASS": "user-early-light",
             "SUDO_USER": who.pw_name, "SUDO_UID": str(who.pw_uid),
             "SUDO_GID": str(who.pw_gid)}
    for env, owner in ((fresh, who.pw_uid),
                       (dict(fresh, SUDO_USER="root", SUDO_UID="0",
                             SUDO_GID="0"), 0)):
        r = subprocess.run([program, *ONE, "--force", "--csv",
                            "theirs/x.csv"], env=env, capture_output=True,
                           stdin=subprocess.DEVNULL, text=True, timeout=120)
        same((r.returncode, r.stderr), (0, ""), "run0 by %s" %
             env["SUDO_USER"])
        same(os.stat("theirs/x.csv").st_uid, owner,
             "  and the recording is the caller's")
        os.remove("theirs/x.csv")
else:
    skip("doas, pkexec and run0", "not root")
finish()
