"""Every option in the config file and back; whose file it is. See cases_test.py."""
import os
import pwd
import subprocess

from live import on_terminal
from tap import KTOP, finish, ok, same, table

home = os.path.join(os.getcwd(), "config-home")
path = os.path.join(home, "ktop", "ktoprc")
env = dict(os.environ, XDG_CONFIG_HOME=home)
for name in ("KTOP_SIM", "KTOP_THEME"):
    env.pop(name, None)


def run(*args):
    return subprocess.run([KTOP] + list(args), env=env, timeout=90,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True)


def play(text, actions, *args):
    p = on_terminal(["-s", "120x40"], actions, args, env=env)
    ok(p.returncode == 0, text, p.stderr)


def write(text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    open(path, "w").write(text)


# Every option, by the table that ktop prints, there and back.
SAMPLE = {"speed": "2", "csv-rows": "cpu,kind", "csv-rotate": "5M",
          "preset": "branch", "rotate": "branch,l1d", "source": "sim",
          "color": "never", "glyphs": "ascii", "view": "chart",
          "sort": "busy", "group": "die", "delay": "250ms", "samples": "7",
          "at-least": "2%", "processes": "9", "runs": "3", "warmups": "1",
          "seed": "7", "interval": "50",
          "label": "host=a,build=b", "rows": "cpu",
          "parameter": "x=1,2"}
NOT_KEPT = {"config"}
write("")
count, other = 0, os.path.join(home, "other")
for name, _, arg, *_ in table("options"):
    word = SAMPLE.get(name, "some/text") if arg else "yes"
    line = ["--%s=%s" % (name, word)] if arg else ["--" + name]
    if name in NOT_KEPT or (not arg and
                            run("--config", path, "--no-" + name,
                                "--write-config").returncode != 0):
        continue
    first = run(*(line + ["--write-config"])).stdout
    open(other, "w").write(first)
    again = run("--config", other, "--write-config").stdout
    count += 1
    if first != again or "\n%s = %s\n" % (name, word) not in first:
        same(again, first, "--%s comes back from the file" % name)
ok(count > 30, "every option is written and read back", str(count))
os.remove(path)
if os.geteuid() == 0:
    # As under sudo: the file is the caller's, and so are the rights.
    caller = pwd.getpwnam("nobody")
    env.update(SUDO_UID=str(caller.pw_uid), SUDO_GID=str(caller.pw_gid))
    write("delay = 200ms\n")
    for name in (home, os.path.dirname(path), path):
        os.chown(name, caller.pw_uid, caller.pw_gid)
    os.chmod(path, 0o600)
    ok("\ndelay = 200ms\n" in run("--write-config").stdout,
       "under sudo the caller's own file is read")
    secret = os.path.join(home, "secret")
    open(secret, "w").write("root's words\n")
    os.chmod(secret, 0o600)
    p = run("--config", secret, "--write-config")
    ok(p.returncode == 3 and "Permission denied" in p.stderr and
       "words" not in p.stdout + p.stderr,
       "and no file that the caller may not read", p.stderr)
    play("w under sudo", ["wait:q quit", "key:+", "wait:500 ms", "key:w",
                          "wait:saved in", "key:q", "exit:0"],
         "--sim", "m1,seed=1")
    info = os.stat(path)
    same((info.st_uid, info.st_gid), (caller.pw_uid, caller.pw_gid),
         "what w saves is the caller's")
    ok("delay = 500ms" in open(path).read(), "and has what was chosen")
    os.remove(path)
    os.symlink(secret, path)
    same(run("-b", "-n", "1", "--sim", "m1,clock=step").returncode, 3,
         "a link to root's file is refused as the file would be")
    os.remove(path)
    env.pop("XDG_CONFIG_HOME")
    ok(caller.pw_dir + "/.config/ktop/ktoprc" in run("--write-config").stdout,
       "without XDG_CONFIG_HOME it is the caller's home, not root's")
    for name in ("SUDO_UID", "SUDO_GID"):
        env.pop(name)
    env["XDG_CONFIG_HOME"] = home

finish()
