"""The manual pages against the program's own tables."""
import os
import re
import subprocess
import sys

from tap import KTOP, TABLES, Run, finish, ok, same, table

here = os.path.dirname(os.path.abspath(__file__))
docs = os.path.join(here, "..", "..", "docs")
page = open(os.path.join(docs, "ktop.1")).read()

options = {x[0]: x[1:3] for x in table("options")}
said = set(re.findall(r"^\.It (?:Fl \S+ , )?Fl Fl (\S+)", page, re.M))
same(sorted(said), sorted(options),
     "ktop(1) has every option and no other")
for name, (letter, arg) in sorted(options.items()):
    item = re.search(r"^\.It .*Fl Fl %s(?: .*)?$" % re.escape(name), page,
                     re.M)
    text = item.group(0) if item else ""
    ok(("Ar" in text.split()) == (arg != "") and
       (letter == "" or "Fl %s ," % letter in text),
       "--%s is written as the table has it" % name, text)
sorts = re.findall(r"\w+", re.search(
    r"one of their\s+own\s+columns: ([^.]*)\.", page).group(1).replace("\n", " ").replace(" and ", " "))
same([x for x in sorts if Run("--sim", "m1,clock=step", "-b", "-n", "1",
                              "--view", "processes", "--sort", x).code != 0],
     [], "each column of processes that --sort names is one")
r = Run("--sort", "bogus")
ok(len(sorts) > 8 and r.code == 2 and "--sort in ktop(1)" in r.err,
   "and an unknown one is sent there", [sorts, r.err])
commands = [x[0] for x in table("commands")]
for name in commands:
    ok(re.search(r"^\.It Cm %s\b" % re.escape(name), page, re.M),
       "ktop(1) has the command %s" % name)
page = open(os.path.join(docs, "ktop-csv.5")).read()
columns = [x.split("\t")[0] for x in
           Run("--list-columns").out.splitlines()[1:]]
said = re.findall(r"^\.It Li (\S+)", page, re.M)
same([x for x in said if x in columns],
     [x for x in columns if not re.fullmatch(r"[ec]([2-9]|10)", x)],
     "ktop-csv(5) has every column in order")
lacks = subprocess.run([sys.executable, os.path.join(here, "..", "manual.py"),
                        KTOP, TABLES, "--check"], stdout=subprocess.PIPE,
                       universal_newlines=True)
ok(lacks.returncode == 0, "the pages lack nothing of the tables "
   "(make manual adds what they lack)", lacks.stdout)
finish()
