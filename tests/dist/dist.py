#!/usr/bin/env python3
"""Packs the sources, the same bytes each time.

    dist.py VERSION OUT.tar.gz

Packs the working copies of the files that git tracks; without git (in an
unpacked tarball) all files except build results. Files are sorted, without owner,
with modes 644 and 755 and one date: SOURCE_DATE_EPOCH, else the last commit's,
else that of the newest file.
"""
import gzip
import os
import subprocess
import sys
import tarfile
import tempfile

BUILT = {"build", "ktop", "__pycache__", ".git"}


def git(*args):
    # In a container the folder often belongs to another user; git would refuse it.
    with tempfile.NamedTemporaryFile("w", suffix=".gitconfig") as config:
        config.write("[safe]\n\tdirectory = *\n")
        config.flush()
        return subprocess.run(
            ["git", *args], check=True, stdout=subprocess.PIPE,
            env=dict(os.environ, GIT_CONFIG_GLOBAL=config.name)
        ).stdout.decode()


def tracked():
    files = git("ls-files", "-z").split("\0")
    dirty = git("status", "--porcelain", "--untracked-files=no").splitlines()
    if dirty:
        print("dist: with %d changed files that are not committed" % len(dirty),
              file=sys.stderr)
    return [f for f in files if f]


def present():
    found = []
    for at, folders, names in os.walk("."):
        folders[:] = [f for f in folders if f not in BUILT]
        found += [os.path.relpath(os.path.join(at, n), ".") for n in names
                  if n not in BUILT and not n.endswith((".o", ".pyc"))]
    return found


def date(files, with_git):
    if os.environ.get("SOURCE_DATE_EPOCH"):
        return int(os.environ["SOURCE_DATE_EPOCH"])
    if with_git:
        return int(git("log", "-1", "--format=%ct"))
    return int(max(os.stat(f).st_mtime for f in files))


def add(tar, top, name, when):
    info = tar.gettarinfo(name, top + "/" + name)
    if not info.isreg():
        sys.exit("dist: %s is not a plain file" % name)
    info.mode = 0o755 if info.mode & 0o100 else 0o644
    info.uid = info.gid = 0
    info.uname = info.gname = ""
    info.mtime = when
    with open(name, "rb") as data:
        tar.addfile(info, data)


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: dist.py VERSION OUT.tar.gz")
    version, out = sys.argv[1:]
    with_git = os.path.exists(".git")
    files = sorted(tracked() if with_git else present())
    missing = [f for f in files if not os.path.exists(f)]
    if missing:
        sys.exit("dist: git tracks %s, which is not there; restore it, or "
                 "commit that it is gone" % missing[0])
    when = date(files, with_git)
    folder = os.path.dirname(out)
    if folder:
        os.makedirs(folder, exist_ok=True)
    with open(out + ".new", "wb") as raw:
        # the gzip header has neither a name nor the current time
        with gzip.GzipFile(filename="", mode="wb", fileobj=raw,
                           compresslevel=9, mtime=when) as packed:
            with tarfile.open(fileobj=packed, mode="w",
                              format=tarfile.USTAR_FORMAT) as tar:
                for name in files:
                    add(tar, "ktop-" + version, name, when)
    os.replace(out + ".new", out)
    print("%s: %d files, %d KB" % (out, len(files),
                                   os.path.getsize(out) // 1024))


main()
