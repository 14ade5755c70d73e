"""Does to a tree what one section of docs/ADDING.md says.

    apply.py SECTION	in the root of the tree

A section's edits are the paragraphs that end in a colon and name a place, each
with the indented lines below it:

    At the end of `TABLE` in `FILE`:	  before the brace that closes it, a row
					  that ends the list stays its last,
					  and so does a list of rows;
					  or of a macro that is a list
    After `TEXT` in `FILE`:		  behind the only line with it
    Behind `TEXT` in `FILE`:		  in that line
    A new file `FILE`:
    A new file `FILE`, as `EXAMPLE`.	  a copy of it, without lines below

Prints what was done. A recipe is at most a row, a file, and a name that both
need (a constant, a field, a declaration), and of a raw field the line that
measures it and the one that reads it back; more is an error: then the
architecture is wrong.
"""
import os
import re
import sys

LIMIT = {"row": 1, "file": 1, "name": 1, "line": 2}
LAST = re.compile(r"\s*(NULL,?|\{ *(0|NULL|\.\w+ = NULL) *\},?|\w+_COUNT,?|"
                  r"[A-Z]+_TABLE\(\w+\))$")


def fail(text):
    print("  # docs/ADDING.md: " + text)
    sys.exit(1)


def section(name):
    text = open("docs/ADDING.md").read()
    found = re.search(r"^## %s\n(.*?)(?=^## |\Z)" % re.escape(name), text,
                      re.M | re.S)
    return found.group(1) if found else fail("no section '%s'" % name)


def paragraphs(text):
    """(prose in one line, the indented lines below it)"""
    parts = re.split(r"\n\n+(?=\S)", text.strip("\n"))
    for part in parts:
        prose, _, code = part.partition("\n\n")
        code = "".join((x[4:] if x.strip() else "") + "\n"
                       for x in code.rstrip("\n").split("\n")) if code else ""
        if prose.startswith("    "):
            fail("lines without a place: " + prose)
        yield " ".join(prose.split()), code


def only(lines, match, what, path):
    found = [i for i, x in enumerate(lines) if match(x)]
    if len(found) != 1:
        fail("%s is in %d lines of %s, not in one" % (what, len(found), path))
    return found[0]


def indented(code):
    return ["\t" + x if x.strip() else x for x in code.splitlines(True)]


def at_end_of_macro(lines, top, code):
    end = next(i for i in range(top, len(lines))
               if not lines[i].endswith("\\\n"))
    code = re.sub(r" ?\\$", "", code, flags=re.M)
    lines[end] = lines[end].rstrip("\n") + " \\\n"
    lines[end + 1:end + 1] = [x.rstrip("\n") + " \\\n" for x in
                              indented(code)[:-1]] + indented(code)[-1:]


def at_end(lines, table, code, path):
    macro = [i for i, x in enumerate(lines)
             if x.startswith("#define %s(" % table) and x.endswith("\\\n")]
    if macro:
        return at_end_of_macro(lines, macro[0], code)
    opens = table + " {" if " " in table else table + "[] = {"
    top = only(lines, lambda x: opens in re.sub(r"\[\w+\]", "[]", x), table,
               path)
    end = next(i for i in range(top, len(lines)) if lines[i].startswith("}"))
    while LAST.match(lines[end - 1]):
        end -= 1
    if not re.search(r"[,{]\s*(/\*.*\*/)?\s*$", lines[end - 1]):
        lines[end - 1] = lines[end - 1].rstrip("\n") + ",\n"
    lines[end:end] = indented(code)
    return None


def edit(how, anchor, path, code):
    lines = open(path).read().splitlines(True)
    if how == "At the end of":
        at_end(lines, anchor, code, path)
    else:
        at = only(lines, lambda x: anchor in x, "'%s'" % anchor, path)
        if how == "After":
            margin = re.match(r"\s*", lines[at]).group(0)
            lines[at + 1:at + 1] = [margin + x for x in
                                    code.splitlines(True)]
        else:
            lines[at] = lines[at].replace(anchor, anchor + code.rstrip("\n"), 1)
    open(path, "w").write("".join(lines))


def new_file(path, text):
    if os.path.exists(path):
        fail(path + " is there already")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    open(path, "w").write(text)


def apply(name):
    done = dict.fromkeys(LIMIT, 0)
    for prose, code in paragraphs(section(name)):
        place = re.search(r"(At the end of|[Aa]fter|[Bb]ehind) `(.*?)` in "
                          r"`(\S+)`:$", prose)
        made = re.search(r"A new file `(\S+)`(:|, as `(\S+)`\.)$", prose)
        if place:
            how, anchor, path = place.groups()
            kind = ("name" if prose.startswith("Its name") else
                    "line" if prose.startswith("The line") else "row")
            edit(how.capitalize(), anchor, path, code)
        elif made:
            path, _, example = made.groups()
            kind = "file"
            new_file(path, open(example).read() if example else code)
        elif code:
            fail("'%s' has lines that no place is named for" % prose[-60:])
        else:
            continue
        done[kind] += 1
        print("  # %s: %s" % (kind, path))
    if not sum(done.values()):
        fail("the section '%s' adds nothing" % name)
    for kind, n in done.items():
        if n > LIMIT[kind]:
            fail("%d times a %s: one is enough" % (n, kind))


apply(sys.argv[1])
