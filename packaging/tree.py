#!/usr/bin/env python3
"""Lays finished programs out as they are installed, below a folder that stands for `/`.

    packaging/tree.py RUN RUNTIME PREFIX TREE

RUN is what packaging/runtime.py has filled (with `man` and catalogues), RUNTIME the runtime's folder in it, such as
`lib/tresor/swift-6.3.1`. TREE/PREFIX gets programs, runtime, pages, completions, units, desktop entries and icons; paths
inside of them are those of PREFIX, so that TREE may be installed, packed or thrown away. Modes do not depend on the umask.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAMS = ["tresor", "tresord", "tresor-enclave", "tresor-notes", "tresor-diary", "tresor-widgets", "tresor-thumb",
            "tresor-print", "tresor-draw", "tresor-pages"]
COMPLETIONS = {"bash": "share/bash-completion/completions/tresor", "zsh": "share/zsh/site-functions/_tresor",
               "fish": "share/fish/vendor_completions.d/tresor.fish"}
UNITS = {"tresord.socket": "share/systemd/user", "tresord.service": "share/systemd/user", "tresor-doctor.service": "share/systemd/user",
         "tresor-doctor.timer": "share/systemd/user", "tresord-system.service": "lib/systemd/system"}
ICONS = "share/icons/hicolor/scalable/apps"


class Tree:
    def __init__(self, tree, prefix):
        self.prefix = prefix
        self.top = Path(tree + prefix)

    def place(self, path):
        """A path in the tree, with folders before it."""
        target = self.top / path
        target.parent.mkdir(parents=True, exist_ok=True)
        return target

    def copy(self, source, path, mode=0o644):
        shutil.copyfile(source, self.place(path))
        (self.top / path).chmod(mode)

    def write(self, text, path):
        self.place(path).write_text(text, encoding="utf-8")
        (self.top / path).chmod(0o644)

    def fill(self, template, path):
        """A file in which @BIN@ stands for the folder of the programs."""
        self.write(template.read_text(encoding="utf-8").replace("@BIN@", self.prefix + "/bin"), path)


def lay_out(run, runtime, prefix, tree):
    laid = Tree(tree, prefix)
    for name in PROGRAMS:
        laid.copy(run / "bin" / name, "bin/" + name, 0o755)
    for library in sorted((run / runtime).iterdir()):
        laid.copy(library, f"{runtime}/{library.name}", 0o755)
    for page in sorted((run / "man").glob("*.1")):
        laid.copy(page, "share/man/man1/" + page.name)
    for catalogue in sorted((run / "share/locale").glob("*/LC_MESSAGES/tresor.mo")):
        laid.copy(catalogue, str(catalogue.relative_to(run)))
    for shell, path in COMPLETIONS.items():
        command = [run / "bin/tresor", "--generate-completion-script", shell]
        laid.write(subprocess.run(command, check=True, capture_output=True, text=True).stdout, path)
    for name, folder in UNITS.items():
        laid.fill(HERE / name, f"{folder}/{name}")
    link = laid.place("share/systemd/user/timers.target.wants/tresor-doctor.timer")
    link.symlink_to("../tresor-doctor.timer")
    for entry in sorted((HERE / "desktop").glob("*.desktop")):
        laid.fill(entry, "share/applications/" + entry.name)
    for icon in sorted((HERE / "desktop").glob("*.svg")):
        laid.copy(icon, f"{ICONS}/{icon.name}")


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    run, runtime, prefix, tree = Path(sys.argv[1]), sys.argv[2], os.path.abspath(sys.argv[3]), sys.argv[4]
    os.umask(0o022)
    shutil.rmtree(tree, ignore_errors=True)
    lay_out(run, runtime, prefix, os.path.normpath(tree))


main()
