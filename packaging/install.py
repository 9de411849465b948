#!/usr/bin/env python3
"""Installs a tree that packaging/tree.py has laid out, and removes again exactly what it installed.

    packaging/install.py [--destination FOLDER] TREE PREFIX
    packaging/install.py [--destination FOLDER] --uninstall PREFIX

FOLDER stands for `/`. What was installed is in PREFIX/lib/tresor/installed.txt: a line for each file and, with a slash at
its end, each folder that was not there before. Files are replaced one at a time, so that a program that runs keeps its own;
one that is the same is left alone. What an earlier installation had and this one does not is removed, but for the Swift
runtime of programs that run still: they start anew with it (docs/decisions/0038-one-runtime-for-all-programs.md).
"""

import filecmp
import os
import re
import shutil
import sys
from pathlib import Path

LIST = "lib/tresor/installed.txt"
RUNTIME = re.compile(r"lib/tresor/swift-[^/]+")
OURS = re.compile(r"tresor($|-)|tresord$")


def read_list(top):
    """What an earlier installation left: files, and folders of its own."""
    try:
        lines = (top / LIST).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return set(), set()
    if any(line.startswith("/") or ".." in line.split("/") for line in lines):
        sys.exit(f"{top / LIST} names what is not below {top}: nothing is removed")
    return ({line for line in lines if line and not line.endswith("/")},
            {line[:-1] for line in lines if line.endswith("/")})


def runs_from(folder):
    """Whether one of our programs has loaded code from the folder, or does not let us see it."""
    for process in Path("/proc").iterdir():
        if not process.name.isdigit():
            continue
        try:
            if not OURS.match((process / "comm").read_text().strip()):
                continue
            if f"{folder}/" in (process / "maps").read_text(errors="replace"):
                return True
        except PermissionError:
            return True
        except OSError:
            continue
    return False


def remove(top, files, folders):
    for path in sorted(files):
        try:
            (top / path).unlink()
        except FileNotFoundError:
            pass
    # The deepest first. Those with something of others in them stay.
    for path in sorted(folders, key=lambda path: path.count("/"), reverse=True):
        try:
            (top / path).rmdir()
        except OSError:
            pass


def put(source, target):
    """One file or link in the place of what is there, at once; the same is left alone."""
    if source.is_symlink():
        if target.is_symlink() and os.readlink(target) == os.readlink(source):
            return
    elif target.is_file() and not target.is_symlink() and filecmp.cmp(source, target, shallow=False):
        target.chmod(source.stat().st_mode & 0o777)
        return
    new = target.with_name(target.name + ".new")
    new.unlink(missing_ok=True)
    shutil.copy(source, new, follow_symlinks=False)
    os.replace(new, target)


def install(tree, destination, prefix):
    source, top = Path(tree + prefix), Path(destination + prefix)
    if not source.is_dir():
        sys.exit(f"{source} is no folder: was the tree laid out for {prefix}?")
    former, folders = read_list(top)
    files = {str(path.relative_to(source)) for path in source.rglob("*") if path.is_symlink() or not path.is_dir()}
    for path in sorted(files | {LIST}):
        missing = [folder for folder in Path(path).parents if folder.name and not (top / folder).is_dir()]
        for folder in reversed(missing):
            (top / folder).mkdir(parents=True, mode=0o755)
            folders.add(str(folder))
    # Before the files, so that a list names whatever there may be after a failure.
    kept, gone = {LIST}, set()
    for path in former - files - {LIST}:
        runtime = RUNTIME.match(path)
        (kept if runtime and runs_from(f"{prefix}/{runtime[0]}") else gone).add(path)
    write_list(top, files | kept | gone, folders)
    for path in sorted(files):
        put(source / path, top / path)
    remove(top, gone, folders)
    write_list(top, files | kept, {path for path in folders if (top / path).is_dir()})


def write_list(top, files, folders):
    lines = sorted(files) + sorted(path + "/" for path in folders)
    new = top / (LIST + ".new")
    new.write_text("\n".join(lines) + "\n", encoding="utf-8")
    new.chmod(0o644)
    os.replace(new, top / LIST)


def uninstall(destination, prefix):
    top = Path(destination + prefix)
    files, folders = read_list(top)
    if not files:
        sys.exit(f"{top / LIST} is not there: nothing was installed below {top}, or by a version that kept no list")
    remove(top, files, folders)


def main():
    arguments, destination = sys.argv[1:], ""
    if arguments[:1] == ["--destination"]:
        destination, arguments = arguments[1].rstrip("/"), arguments[2:]
    if len(arguments) != 2:
        sys.exit(__doc__)
    os.umask(0o022)
    tree, prefix = arguments[0].rstrip("/"), os.path.abspath(arguments[1])
    if tree == "--uninstall":
        uninstall(destination, prefix)
    else:
        install(tree, destination, prefix)


main()
