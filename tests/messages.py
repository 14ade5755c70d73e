"""Compares the messages of src with tests/data/messages.tsv: each message, a tab, and
the test file that has words of it, or "-" and why none has. --write updates the table:
it keeps the rows that are still true and looks for a test for the others."""
import collections
import pathlib
import re
import sys

TABLE = pathlib.Path("tests/data/messages.tsv")
CALL = re.compile(r"\b(err_set|err_null|err_print|err_prefix|messages_add|"
                  r"ui_show_message|fprintf\s*\(\s*stderr)\b\s*[(,]")
TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|' r"'(?:[^'\\]|\\.)'|/\*.*?\*/|(\s+)|(.)", re.S)
SPEC = re.compile(r"%[-+ #0]*[\d*]*(?:\.[\d*]+)?[hljzt]*[a-zA-Z%]")
UNTESTED = "- no test has its words"
LONGEST = 8  # words of a run that is looked for
MODULES = sorted(p.name for p in pathlib.Path("src").iterdir() if p.is_dir())


def literals(text, at):
    """The string literals of a call's arguments, adjacent ones joined."""
    depth, open_, out = 1, False, []
    for m in TOKEN.finditer(text, at):
        if m[1] is not None:
            out[-1:] = [out[-1] + m[1]] if open_ else [*out[-1:], m[1]]
            open_ = True
        elif m[3]:
            depth += (m[3] in "([{") - (m[3] in ")]}")
            open_ = False
        if not depth:
            break
    return out


def messages():
    """Each message of src, and its file."""
    found = {}
    for path in sorted(pathlib.Path("src").rglob("*.c")):
        text = re.sub(r'\bPRI([duxX])(?:32|64|PTR|MAX)\b', r'"\1"', path.read_text("utf-8"))
        for call in CALL.finditer(text):
            for s in literals(text, call.end()):
                if " " in s and len(SPEC.sub("", s).strip()) >= 12:
                    found.setdefault(s, str(path))
    return found


def words(text):
    return re.findall(r"-*\w(?:[\w'-]*\w)?", text.replace('\\"', '"').replace("\\n", " "))


def runs(message):
    """What a test may look for: four words or more, or all those of a clause."""
    for part in re.split(SPEC.pattern + "|[;:(]", message):
        w = words(part)
        for n in range(4, LONGEST + 1):
            for i in range(len(w) - n + 1):
                yield " ".join(w[i:i + n])
        if 2 <= len(w) < 4 and len(" ".join(w)) >= 10:
            yield " ".join(w)


def distinctive(found):
    """For each message the runs that no other message has; where there are none, all."""
    count = collections.Counter(r for m in found for r in set(runs(m)))
    return {m: {r for r in runs(m) if count[r] == 1} or set(runs(m)) for m in found}


def read_test(path):
    """A file's words; literals of C and Python that follow each other are one."""
    return " " + " ".join(words(re.sub(r'"\s*\n\s*f?"', "", pathlib.Path(path).read_text("utf-8")))) + " "


def longest(text, wanted):
    """How long the longest of the runs is that stands in the text; 0: none does."""
    return max((len(r) for r in wanted if f" {r} " in text), default=0)


def write(found, rows):
    wanted = distinctive(found)
    files = [str(p) for folder in ("data/cases", "data/options", "e2e", *MODULES)
             for p in sorted(pathlib.Path("tests", folder).rglob("*.*"))
             if p.suffix in (".txt", ".tsv", ".sh", ".py", ".c")]
    texts = {p: read_test(p) for p in files}
    lines = []
    for m, src in found.items():
        old = rows.get(m, "")
        if old == UNTESTED or not (old.startswith("- ") or longest(texts.get(old, ""), runs(m))):
            near = [p for p in files if p.split("/")[1] in ("data", "e2e", src.split("/")[1])]
            old = max(near, key=lambda p: longest(texts[p], wanted[m]))
            if not longest(texts[old], wanted[m]):
                old = UNTESTED
        lines.append(f"{m}\t{old}\n")
    TABLE.write_text("".join(sorted(lines)), "utf-8")


def main():
    found = messages()
    rows = dict(r.split("\t") for r in TABLE.read_text("utf-8").splitlines()) if TABLE.exists() else {}
    if sys.argv[1:] == ["--write"]:
        return write(found, rows)
    bad = [f"{src}: no row in {TABLE}: {m}" for m, src in found.items() if m not in rows]
    bad += [f"{TABLE}: no such message in src: {m}" for m in rows if m not in found]
    texts = {}
    for m in found.keys() & rows.keys():
        test = rows[m]
        if test.startswith("- "):
            continue
        if test not in texts:
            texts[test] = read_test(test) if pathlib.Path(test).is_file() else ""
        if not longest(texts[test], runs(m)):
            bad.append(f"{TABLE}: {test or 'no file'} has no words of: {m}")
    print("\n".join(sorted(bad)), end="\n" if bad else "")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
