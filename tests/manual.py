"""The manual pages have what the program's tables have: `make manual` adds what
they lack, in the words of the table's row; a person may write more there.

    manual.py KTOP TABLES [--check]

Prints each line that it adds. With --check it writes nothing, and its status is
1 where something is missing.
"""
import difflib
import os
import re
import subprocess
import sys

root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


def page_of(name):
    with open(os.path.join(root, name), encoding="utf-8") as f:
        return f.read()


def table(what):
    """The rows of a table of tests/tables.c, as lists of fields."""
    out = subprocess.check_output([os.path.abspath(sys.argv[2]), what],
                                  universal_newlines=True)
    return [line.split("\t") for line in out.splitlines()]


def rows_in(path):
    """Name and words of each row of a list in C that no option prints."""
    return re.findall(r'\tROW\(\w+, "([^"]+)".*?"((?:[^"\\]|\\.)+)"',
                      page_of(path))


def roff(text):
    text = text.replace("\\", "\\e")
    return "\\&" + text if text[:1] in (".", "'") else text


def word(text):
    """An argument of a macro, taken as it is."""
    text = '\\&' + text.replace("\\", "\\e").replace('"', "\\(dq")
    return '"%s"' % text if " " in text else text


def add_items(page, heading, items):
    """Those of (mark, item) whose mark no .It line of the list has, each
    behind the one before it, or at the list's end."""
    at = page.index(heading)
    end = page.index("\n.El", at) + 1
    for mark, item in items:
        found = re.search(mark, page[at:end], re.M)
        if not found:
            page = page[:end] + item + page[end:]
            end += len(item)
    return page


def options():
    for long, letter, arg, initial, text in table("options"):
        item = ".It " + ("Fl %s , " % letter if letter else "")
        item += "Fl Fl " + long + (" Ar " + arg if arg else "")
        item += "\n" + roff(text) + ".\n"
        if initial:
            item += "The default is %s.\n" % initial
        yield r"^\.It .*Fl Fl %s( |$)" % re.escape(long), item


def commands():
    for name, args, text in table("commands"):
        yield (r"^\.It Cm %s( |$)" % re.escape(name),
               ".It Cm %s%s\n%s.\n" % (name, " Ar " + args if args else "",
                                      roff(text)))


def all_keys():
    """A list for each place, one line for each key; a text "in PLACE: ..." has
    the place."""
    lists = {}
    for keys, text in table("keys"):
        place = re.match(r"(in [^:]*): (.*)", text)
        where, text = place.groups() if place else ("on the screen", text)
        lists.setdefault(where, []).append('.It Ic %s Ta "%s"' % (
            word(keys), roff(text).replace('"', "\\(dq")))
    return "".join('.Ss Keys %s\n.Bl -column "a-z 0-9 - _" "what it does"\n%s\n.El\n'
                   % (where, "\n".join(rows)) for where, rows in lists.items())


def ktop_1(_, page):
    page = add_items(page, ".Sh OPTIONS", options())
    page = add_items(page, ".Sh COMMANDS", commands())
    begin = page.index("\n", page.index('.\\" keys')) + 1
    end = page.index('.\\" end of keys')
    return page[:begin] + all_keys() + page[end:]


def set_items(page, heading, rows):
    """An item for each row, in their order, beginning with the row's text."""
    at = page.index("\n.Bl ", page.index(heading))
    for name, text in rows:
        mark = "\n.It Li %s\n" % name
        end = page.index("\n.El", at)
        if mark not in page[at:end]:
            new = re.compile(r"\n\.(It|El)").search(page, at).start()
            page = page[:new] + mark + "." + page[new:]
        at = page.index(mark, at) + len(mark)
        page = page[:at] + roff(text) + "." + page[page.index("\n", at):]
        at = page.index("\n", at)
    return page


def ktop_csv_5(ktop, page):
    out = subprocess.check_output([ktop, "--list-columns"],
                                  universal_newlines=True)
    rows = [x.split("\t") for x in out.splitlines()[1:]]
    rows = [(x[0], x[3]) for x in rows
            if not re.match(r"[ec]([2-9]|10)$", x[0])]
    names = [x[0] for x in rows]
    pid, ipc = names.index("pid"), names.index("ipc")
    page = set_items(page, ".Ss Columns", rows[:pid])
    page = set_items(page, ".Ss Processes", rows[pid:ipc])
    page = set_items(page, ".Ss Metrics", rows[ipc:])
    return add_items(page, ".Ss Quality", [
        (r"^\.It %s$" % name, ".It %s\n%s\n" % (name, roff(text)))
        for name, text in rows_in("src/model/quality.h")])


def ktop_theme_5(_, page):
    """A role's words are those of its row."""
    items = "".join(".It Cm %s\n%s\n" % (name, roff(text)) for name, text in
                    rows_in("src/ui/draw/role.h")
                    if name != "heat")
    begin = page.index("\n", page.index(".Bl", page.index("The roles:"))) + 1
    page = page[:begin] + items + page[page.index(".El", begin):]
    ships = re.search(r"^ships\n(.*?)^and\n\.Cm (\S+) \.\n", page,
                      re.M | re.S)
    there = re.findall(r"[a-z0-9-]{3,}", ships.group(1)) + [ships.group(2)]
    for name in sorted(os.listdir(os.path.join(root, "themes"))):
        name = name.replace(".theme", "")
        if name not in there:
            end = ships.end(1)
            page = page[:end - 1] + " , " + name + page[end - 1:]
    return page


def simulation(ktop, page):
    """The table of machines; what is peculiar to one a person writes."""
    out = subprocess.check_output([ktop, "--list-machines"],
                                  universal_newlines=True)
    rows = [x.split("\t") for x in out.splitlines()[1:]]
    begin = page.index("| name | brand |")
    for name, brand, _, _ in rows:
        end = page.index("\n\n", begin) + 1
        if "\n| %s |" % name in page[begin:end]:
            continue
        out = subprocess.check_output([ktop, "topology", "--sim", name],
                                      universal_newlines=True)
        clusters = [x.split("\t") for x in out.splitlines()[1:]]
        line = "| %s | %s | %s | %s |\n" % (
            name, brand, clusters[0][2],
            ", ".join("%s %s" % (x[0], x[3]) for x in clusters))
        page = page[:end] + line + page[end:]
    return page


PAGES = [("docs/ktop.1", ktop_1), ("docs/ktop-csv.5", ktop_csv_5),
         ("docs/ktop-theme.5", ktop_theme_5),
         ("docs/SIMULATION.md", simulation)]


def main():
    ktop, check = os.path.abspath(sys.argv[1]), "--check" in sys.argv[3:]
    lacking = False
    for name, complete in PAGES:
        was = page_of(name)
        now = complete(ktop, was)
        for line in difflib.unified_diff(was.splitlines(), now.splitlines(),
                                         name, name, lineterm="", n=1):
            print(line)
        lacking = lacking or now != was
        if now != was and not check:
            with open(os.path.join(root, name), "w", encoding="utf-8") as f:
                f.write(now)
    sys.exit(1 if check and lacking else 0)


main()
