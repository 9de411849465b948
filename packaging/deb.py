#!/usr/bin/env python3
"""Makes Debian packages of a tree that packaging/tree.py has laid out for /usr.

    packaging/deb.py [--version VERSION] TREE DEBUG OUT
    packaging/deb.py --check [TREE DEBUG]

OUT gets tresor, tresor-dev where the tree has modules, and tresor-dbgsym where DEBUG has symbols. The same files make the
same bytes: order, owners, modes and times are fixed, the latter by SOURCE_DATE_EPOCH or the commit's date. A file that
tells the folder of the sources is refused. --check makes all of it twice, from two folders with other modes, times and
order, and compares; without a tree, from a small one that is made up for it, whose packages it looks into as well.
"""

import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from datetime import datetime, timezone
from pathlib import Path

sys.dont_write_bytecode = True

import needed
import origin

HERE = Path(__file__).resolve().parent
MAINTAINER = os.environ.get("DEBMAINTAINER", "The Tresor maintainers <tresor@localhost>")
DEV = re.compile(r"usr/lib/tresor/(swift/|lib[^/]+\.so$|tresor-toolset\.json$)")
# What the programs use where it is there: certificates that the system trusts, letters for drawn widgets and printed
# pages, pictures in the diary's screens, the desktop's lock. From Debian 13 on, old names of time zones, such as US/Pacific,
# are a package of their own: an entry that has one counts as UTC without it. Debian 12 has them in tzdata, which there, and
# nowhere else, provides tzdata-bookworm.
RECOMMENDS = "ca-certificates, dbus, fonts-dejavu-core, tzdata-legacy | tzdata-bookworm"
SUGGESTS = "fprintd, pinentry-gnome3 | pinentry-qt, tresor-dev"
ABOUT = """\
Passwords, keys, certificates, notes and a diary on the disk are sealed by keys that a process of its own holds, and that
a lock wipes. Each item opens only in the states of the device that its class allows. Programs read what is theirs,
widgets hide what a lock hides."""


def said(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout.strip()


class Package:
    """What goes into one package: files, links and its control fields."""

    def __init__(self, name, version, fields, about):
        self.name, self.version, self.about = name, version, about
        self.files, self.links, self.scripts = {}, {}, {}
        self.fields = fields

    def add(self, path, content, mode=0o644):
        self.files[path] = (content, mode)

    def document(self, changelog):
        folder = f"usr/share/doc/{self.name}"
        self.add(f"{folder}/copyright", (HERE / "debian/copyright").read_bytes())
        self.add(f"{folder}/changelog.Debian.gz", gzip.compress(changelog.encode(), 9, mtime=0))

    def size(self):
        """KiB, as Debian's policy 5.6.20 counts: each file rounded up, one for each folder and link."""
        folders = {str(folder) for path in [*self.files, *self.links] for folder in Path(path).parents}
        return len(folders) + len(self.links) + sum(-(-len(content) // 1024) for content, _ in self.files.values())

    def control(self):
        lines = [f"Package: {self.name}", f"Version: {self.version}", f"Architecture: {architecture()}",
                 f"Maintainer: {MAINTAINER}", f"Installed-Size: {self.size()}"]
        lines += [f"{key}: {value}" for key, value in self.fields.items() if value]
        summary, _, more = self.about.partition("\n")
        lines.append(f"Description: {summary}")
        lines += [" " + line for line in textwrap.wrap(" ".join(more.split()), 78)]
        return "\n".join(lines) + "\n"

    def build(self, out, epoch):
        """Writes the files in a folder of their own, and has dpkg-deb pack it."""
        with tempfile.TemporaryDirectory(prefix="tresor-deb-") as folder:
            top = Path(folder) / self.name
            for path, (content, mode) in sorted(self.files.items()):
                write(top / path, content, mode)
            for path, target in sorted(self.links.items()):
                (top / path).parent.mkdir(parents=True, exist_ok=True)
                (top / path).symlink_to(target)
            sums = [f"{hashlib.md5(content, usedforsecurity=False).hexdigest()}  {path}\n"
                    for path, (content, _) in sorted(self.files.items())]
            write(top / "DEBIAN/md5sums", "".join(sums).encode(), 0o644)
            write(top / "DEBIAN/control", self.control().encode(), 0o644)
            for name, (content, mode) in self.scripts.items():
                write(top / "DEBIAN" / name, content, mode)
            for path in [*top.rglob("*"), top]:
                if path.is_dir() and not path.is_symlink():
                    path.chmod(0o755)
                os.utime(path, (epoch, epoch), follow_symlinks=False)
            file = out / f"{self.name}_{self.version}_{architecture()}.deb"
            said("dpkg-deb", "--root-owner-group", "--uniform-compression", "-Zxz", "-z6", "--threads-max=1",
                 "--build", str(top), str(file), env={**os.environ, "SOURCE_DATE_EPOCH": str(epoch), "LC_ALL": "C"})
            return file


def write(path, content, mode):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(mode)


def architecture():
    return said("dpkg", "--print-architecture")


def changelog(version, epoch):
    """deb-changelog(5) from CHANGELOG.md. Only the newest release has a date of its own."""
    when = datetime.fromtimestamp(epoch, timezone.utc).strftime("%a, %d %b %Y %H:%M:%S +0000")
    entries = []
    for heading, lines in origin.changes()[:1]:
        told = [textwrap.fill(line, 78, initial_indent="  * ", subsequent_indent="    ", break_long_words=False,
                              break_on_hyphens=False) for line in lines]
        entries.append(f"tresor ({version}) unstable; urgency=medium\n\n" + "\n".join(told or [f"  * {heading}"])
                       + f"\n\n -- {MAINTAINER}  {when}\n")
    return "\n".join(entries)


def read_tree(tree):
    """Files with what is in them, and links, by their paths below the tree."""
    files, links = {}, {}
    for path in sorted(tree.rglob("*")):
        name = str(path.relative_to(tree))
        if path.is_symlink():
            links[name] = os.readlink(path)
        elif path.is_file():
            files[name] = path.read_bytes()
    return files, links


def refuse_paths(files, folder):
    """The folder of the sources is nobody's business, and another one would make other bytes."""
    telling = sorted(name for name, content in files.items() if folder.encode() + b"/" in content)
    if telling:
        raise SystemExit(f"{len(telling)} files name the folder {folder}: {', '.join(telling)}")


def mode_of(path):
    return 0o755 if path.startswith(("usr/bin/", "usr/lib/tresor/swift-")) else 0o644


def make(tree, debug, out, version=None, folder=str(origin.ROOT)):
    """Makes the packages, and returns their files."""
    tree, out = Path(tree), Path(out)
    version, epoch = version or origin.version() + "-1", origin.epoch()
    files, links = read_tree(tree)
    runtimes = sorted({name.split("/")[3] for name in files if name.startswith("usr/lib/tresor/swift-")})
    if "usr/bin/tresor" not in files or len(runtimes) != 1:
        raise SystemExit(f"{tree}: not laid out for /usr, or with {len(runtimes)} runtimes of Swift")
    refuse_paths(files, folder)
    out.mkdir(parents=True, exist_ok=True)
    packages = [main_package(tree, files, links, runtimes[0], version)]
    modules = {name: content for name, content in files.items() if DEV.match(name)}
    if modules:
        packages.append(dev_package(tree, modules, runtimes[0], version))
    symbols = sorted(Path(debug).glob("*.debug"))
    if symbols:
        packages.append(symbols_package(symbols, version))
    history = changelog(version, epoch)
    for package in packages:
        package.document(history)
    return [package.build(out, epoch) for package in packages]


def main_package(tree, files, links, runtime, version):
    programs = [name for name in files if mode_of(name) == 0o755]
    private = {Path(name).name for name in programs if "/swift-" in name}
    depends = needed.depends([tree / name for name in programs], private)
    depends += ["debconf (>= 0.5) | debconf-2.0", "pinentry-curses | pinentry", "tzdata"]
    package = Package("tresor", version, {
        "Depends": ", ".join(sorted(depends)), "Recommends": RECOMMENDS, "Suggests": SUGGESTS, "Section": "utils",
        "Priority": "optional"}, "keychain, notes, diary and widgets, sealed by an enclave process\n" + ABOUT)
    for name, content in files.items():
        if DEV.match(name):
            continue
        if name.startswith("usr/share/man/"):
            name, content = name + ".gz", gzip.compress(content, 9, mtime=0)
        # Where Debian's zsh looks for what packages bring.
        name = name.replace("usr/share/zsh/site-functions/", "usr/share/zsh/vendor-completions/")
        package.add(name, content, mode_of(name))
    package.add("usr/share/doc/tresor/NOTICE", (origin.ROOT / "NOTICE").read_bytes())
    package.links = links
    for name in ("preinst", "postinst", "prerm", "postrm"):
        script = (HERE / "debian" / name).read_text(encoding="utf-8").replace("@RUNTIME@", runtime)
        package.scripts[name] = (script.encode(), 0o755)
    package.scripts["templates"] = ((HERE / "debian/templates").read_bytes(), 0o644)
    return package


def dev_package(tree, modules, runtime, version):
    libraries = [tree / name for name in modules if name.endswith(".so")]
    # Swift's own libraries come with the compiler, which Debian 12 does not have: any toolchain of the version will do.
    swift = {name for library in libraries for name in needed.needed_names(library) if not needed.find_library(name)}
    ours = {library.name for library in libraries}
    depends = needed.depends_without(libraries, swift | ours) + [f"tresor (= {version})"]
    package = Package("tresor-dev", version, {
        "Depends": ", ".join(sorted(depends)), "Section": "libdevel", "Priority": "optional"},
        "Swift modules under Apple's names for the keychain\n"
        "Modules Security, LocalAuthentication and CoreFoundation, and a toolset that hands them to 'swift build': code "
        f"written for Apple's keychain compiles unchanged. They fit the compiler of {runtime.replace('-', ' ').title()}.")
    for name, content in modules.items():
        package.add(name, content)
    return package


def symbols_package(symbols, version):
    package = Package("tresor-dbgsym", version, {
        "Depends": f"tresor (= {version})", "Section": "debug", "Priority": "optional",
        "Auto-Built-Package": "debug-symbols"}, "debug symbols for tresor\nFor gdb and for reports of crashes.")
    identities = []
    for file in symbols:
        found = re.search(r"Build ID: ([0-9a-f]{6,})", said("readelf", "-n", str(file)))
        if not found:
            raise SystemExit(f"{file}: no build ID, by which a debugger would look for it")
        identities.append(found[1])
        package.add(f"usr/lib/debug/.build-id/{found[1][:2]}/{found[1][2:]}.debug", file.read_bytes())
    package.fields["Build-Ids"] = " ".join(sorted(identities))
    return package


def main():
    arguments, version = sys.argv[1:], None
    os.umask(0o022)
    if arguments[:1] == ["--check"]:
        import deb_check
        return deb_check.check(*arguments[1:])
    if arguments[:1] == ["--version"]:
        version, arguments = arguments[1], arguments[2:]
    if len(arguments) != 3:
        sys.exit(__doc__)
    for file in make(*arguments, version=version):
        print(f"{file}: {file.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
