"""Themes on a terminal: the list of key T, the ground, mistakes."""
import os
import re
import shutil
import subprocess

from live import on_terminal
from tap import finish, for_all, ok, same

KTOP = for_all()  # alone in its folder: no themes but the test's

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
home = os.path.join(os.getcwd(), "theme-home")
own = os.path.join(home, "ktop", "themes")
env = dict(os.environ, XDG_CONFIG_HOME=home)
for name in ("KTOP_SIM", "KTOP_THEME", "COLORFGBG", "NO_COLOR"):
    env.pop(name, None)
os.makedirs(own)
for name in ("light", "nord", "mono"):
    with open(os.path.join(ROOT, "themes", name + ".theme")) as f:
        text = f.read()
    with open(os.path.join(own, name + ".theme"), "w") as f:
        f.write(text)
with open(os.path.join(own, "broken.theme"), "w") as f:
    f.write("name = Broken\n[colors]\nred = reddish\n")


def play(text, actions, *args, term="xterm-256color", color="truecolor"):
    p = on_terminal(
        ["-s", "120x40", "-e", "TERM=" + term, "-e", "COLORTERM=" + color],
        ["wait:q quit", "wait:P  4-7"] + actions +
        ["key:q", "exit:0", "given-back"],
        ("--sim", "m1,seed=1") + args, KTOP, env=env)
    ok(p.returncode == 0, text, p.stderr)


def grounds(name):
    """The grounds of a dump, and how many cells each has."""
    seen = {}
    with open(name + ".cells") as f:
        for run in re.finditer(r"\|(.*)\| fg=\S+ bg=(\S+)", f.read()):
            seen[run.group(2)] = seen.get(run.group(2), 0) + len(run.group(1))
    return seen


play("T tries the next theme, and its list shows what was in force",
     ["key:T", "wait:Light, for light terminals", "dump:light",
      "wait:. [*] default", "text:T", "wait:Nord, for dark", "dump:nord",
      "key:esc", "gone:themes", "dump:back"],
     "--theme", "default")
seen = grounds("light")
ok("-" not in seen and seen.get("#ffffff", 0) > 3000,
   "a theme that paints its ground paints all of it", seen)
ok(grounds("nord").get("#2e3440", 0) > 3000, "the next one too",
   grounds("nord"))
seen = grounds("back")
ok("#ffffff" not in seen and "#2e3440" not in seen,
   "Esc: all is as it was before T", seen)
play("the list says what is wrong in a file, and where; the screen stays",
     ["key:T", "key:end", "wait:e:3: a", "wait:not .reddish", "dump:broken", "key:up",
      "wait:Mono", "key:enter", "gone:themes"], "--theme", "light")
ok(grounds("broken").get("#2e3440", 0) > 3000,
   "the theme from before goes on", grounds("broken"))
play("W in the list saves what is tried",
     ["key:T", "wait:Light", "text:w", "wait:saved in"], "--theme",
     "default", "-d", "100ms")
with open(os.path.join(home, "ktop", "ktoprc")) as f:
    ok("theme = light\n" in f.read(), "the config file has it")
p = subprocess.run([KTOP, "--theme", "broken", "--sim", "m1"], env=env,
                   timeout=90, stdin=subprocess.DEVNULL,
                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                   universal_newlines=True)
same(p.returncode, 2, "without a terminal there is no screen to theme")
p = on_terminal([], ["exit:2"], ["--theme", "broken", "--sim", "m1"], KTOP,
                env=env)
same(p.returncode, 2, "a theme with a mistake is refused at the start")

# One in the config file is no reason not to start: it may be of another machine.
for name, why in (("gone", "gone"), ("broken", "reddish")):
    with open(os.path.join(home, "ktop", "ktoprc"), "w") as f:
        f.write("theme = %s\n" % name)
    play("a config file's theme that cannot be had (%s): the screen starts" %
         name, ["wait:left out: .*ktoprc:1", "wait:" + why, "dump:" + name])
os.unlink(os.path.join(home, "ktop", "ktoprc"))
play("the default without a config file", ["dump:none"])
same([set(grounds("gone")), set(grounds("broken"))],
     [set(grounds("none"))] * 2, "in the default theme")

# A tree that was moved finds its themes from anywhere, through a link too.
for folder in ("moved/bin", "moved/share/ktop/themes", "links"):
    os.makedirs(folder)
shutil.copy(KTOP, "moved/bin/ktop")
os.symlink("../moved/bin/ktop", "links/ktop")
with open("moved/share/ktop/themes/zebra.theme", "w") as f:
    f.write("name = Zebra\n")
for program in ("moved/bin/ktop", "links/ktop"):
    p = on_terminal(["-s", "120x40"],
                    ["wait:q quit", "key:T", "wait:zebra", "key:esc",
                     "gone:Esc back", "key:q", "exit:0"],
                    ["--sim", "m1,seed=1", "--theme", "zebra"],
                    os.path.abspath(program), env=env, cwd="/")
    ok(p.returncode == 0, "themes in ../share/ktop/themes of " + program,
       p.stderr)

# Every depth: the selected row and the first line keep their own ink.
for term, color in (("xterm-256color", ""), ("xterm-16color", ""),
                    ("linux", ""), ("vt100", "")):
    play("the list on %s" % term,
         ["key:T", "wait:Light, for light terminals", "key:enter",
          "gone:themes"], "--theme", "default", term=term, color=color)
finish()
