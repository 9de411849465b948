"""Whether packages are the same bytes from two folders, and, of a small tree that is made up, what stands in them."""

import gzip
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import deb
import origin
import sbom

RUNTIME = "usr/lib/tresor/swift-9.9.9"
LIBRARY = RUNTIME + "/libswiftCore.so"
# Each line of it has to be in the package; `true` is a program that any system has.
MADE_UP = {
    "usr/bin/tresor": "true", "usr/bin/tresord": "true", LIBRARY: "true",
    "usr/lib/tresor/swift/Security.swiftmodule": b"module", "usr/lib/tresor/tresor-toolset.json": b"{}",
    "usr/share/man/man1/tresor.1": b".TH TRESOR 1\n", "usr/share/systemd/user/tresord.service": b"[Unit]\n",
    "usr/share/zsh/site-functions/_tresor": b"#compdef tresor\n",
}


def make_up(folder):
    tree = folder / "tree"
    for name, content in MADE_UP.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_bytes(Path(shutil.which("true")).read_bytes() if content == "true" else content)
        (tree / name).chmod(0o755 if content == "true" else 0o644)
    (tree / "usr/share/systemd/user/timers.target.wants").mkdir()
    (tree / "usr/share/systemd/user/timers.target.wants/tresor-doctor.timer").symlink_to("../tresor-doctor.timer")
    (folder / "debug").mkdir()
    shutil.copyfile(shutil.which("true"), folder / "debug/true.debug")
    return tree, folder / "debug"


def other_copy(source, target):
    """The same files, made in the other order, with other times and modes."""
    for path in sorted(source.rglob("*"), reverse=True):
        copy = target / path.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        if path.is_symlink():
            copy.symlink_to(os.readlink(path))
        elif path.is_file():
            shutil.copyfile(path, copy)
            copy.chmod(0o600)
            os.utime(copy, (1, 1))


class Findings(list):
    def expect(self, is_so, what):
        if not is_so:
            self.append(what)


def look_into(files, found):
    """What has to be true of packages of the tree that was made up."""
    packages = {file.name.split("_")[0]: file for file in files}
    found.expect(sorted(packages) == ["tresor", "tresor-dbgsym", "tresor-dev"], f"packages are {sorted(packages)}")
    main = packages["tresor"]
    fields = dict(line.split(": ", 1) for line in deb.said("dpkg-deb", "-f", str(main)).splitlines() if ": " in line)
    found.expect(fields["Version"] == origin.version() + "-1", "the version is not that of the programs")
    for part in ("libc6 (>= ", "tzdata", "pinentry-curses | pinentry", "debconf"):
        found.expect(part in fields["Depends"], f"no {part} in Depends: {fields['Depends']}")
    for part in ("ca-certificates", "tzdata-legacy | tzdata-bookworm"):
        found.expect(part in fields["Recommends"], f"no {part} in Recommends: {fields['Recommends']}")
    with tempfile.TemporaryDirectory() as folder:
        deb.said("dpkg-deb", "-e", str(main), folder)
        sums = dict(reversed(line.split("  ")) for line in (Path(folder) / "md5sums").read_text().splitlines())
        found.expect('!= "swift-9.9.9"' in (Path(folder) / "preinst").read_text(), "preinst knows another runtime")
    data = subprocess.run(["dpkg-deb", "--fsys-tarfile", str(main)], check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        for entry in tar:
            found.expect((entry.uid, entry.gid, entry.mtime) == (0, 0, origin.epoch()), f"{entry.name}: owner or time")
            wanted = 0o755 if entry.isdir() or "/bin/" in entry.name or entry.name[2:] == LIBRARY else 0o644
            found.expect(entry.issym() or entry.mode == wanted, f"{entry.name}: mode {entry.mode:o}")
        names = tar.getnames()
        log = gzip.decompress(tar.extractfile("./usr/share/doc/tresor/changelog.Debian.gz").read()).decode()
    found.expect(log.startswith(f"tresor ({fields['Version']}) ") and "\n -- " in log, "changelog.Debian.gz")
    found.expect(set(sums) == {name[2:] for name in names if not name.endswith("/") and name[2:] in sums}
                 and "usr/bin/tresor" in sums, "md5sums names other files")
    for name in ("usr/share/man/man1/tresor.1.gz", "usr/share/zsh/vendor-completions/_tresor",
                 "usr/share/systemd/user/timers.target.wants/tresor-doctor.timer"):
        found.expect("./" + name in names, f"{name} is not there")
    found.expect(not any("swiftmodule" in name for name in names), "modules are in the package for all")


def look_at_parts(tree, found):
    """Whether the list of parts is whole, and the same each time."""
    lists = [json.dumps(sbom.describe(tree), indent=1) for _ in range(2)]
    found.expect(lists[0] == lists[1], "two lists of parts differ")
    parts = {part["name"]: part["versionInfo"] for part in json.loads(lists[0])["packages"]}
    for name, _, version, _ in origin.pins():
        found.expect(parts.get(name) == version, f"{name} {version} is not in the list of parts")
    found.expect(parts.get("swift-runtime") == "9.9.9" and "libc6" in parts, f"parts are {parts}")
    found.expect(len(origin.pins()) > 3, "Package.swift's libraries were not found")


def refuses(tree, debug, folder, found):
    (tree / "usr/share/note").write_text(f"built in {folder}/src\n")
    try:
        deb.make(tree, debug, folder / "refused", folder=str(folder))
        found.append("a file that tells the folder of the sources was packed")
    except SystemExit as refused:
        found.expect("usr/share/note" in str(refused), f"{refused}")


def installs_and_removes(tree, folder, found):
    """`make install` over an earlier one, and `make uninstall`: what is of others stays, what is ours goes."""
    there = folder / "there"
    foreign = {"usr/bin/other": b"#!/bin/sh\n", "usr/lib/tresor/swift-0.0.1/of-somebody.so": b"library"}
    for name, content in foreign.items():
        deb.write(there / name, content, 0o755)
    command = [sys.executable, str(deb.HERE / "install.py"), "--destination", str(there)]
    subprocess.run([*command, str(tree), "/usr"], check=True)
    deb.write(tree / "usr/bin/tresor", b"of the next version", 0o755)
    (tree / "usr/share/man/man1/tresor.1").unlink()
    subprocess.run([*command, str(tree), "/usr"], check=True)
    found.expect((there / "usr/bin/tresor").read_bytes() == b"of the next version", "a program was not replaced")
    found.expect(not (there / "usr/share/man").exists(), "a page that the next version does not have was left")
    found.expect((there / LIBRARY).stat().st_mode & 0o777 == 0o755, "a library has another mode")
    subprocess.run([*command, "--uninstall", "/usr"], check=True)
    left = {str(path.relative_to(there)) for path in there.rglob("*") if path.is_symlink() or path.is_file()}
    found.expect(left == set(foreign), f"after an uninstall there is {sorted(left)}")


def check(*given):
    found = Findings()
    # Of both builds, whatever is committed in between.
    os.environ.setdefault("SOURCE_DATE_EPOCH", str(origin.epoch()) if given else "1700000000")
    with tempfile.TemporaryDirectory(prefix="tresor-deb-check-") as made:
        made = Path(made)
        tree, debug = (Path(given[0]), Path(given[1])) if given else make_up(made)
        other_copy(tree, made / "elsewhere/tree")
        other_copy(debug, made / "elsewhere/debug")
        files = deb.make(tree, debug, made / "one")
        os.environ["TZ"] = "Asia/Tokyo"
        os.umask(0o077)
        again = deb.make(made / "elsewhere/tree", made / "elsewhere/debug", made / "other")
        for one, other in zip(files, again, strict=True):
            found.expect(one.read_bytes() == other.read_bytes(), f"{one.name} has other bytes from another folder")
            if given:
                print(f"{one.name}: {one.stat().st_size} bytes, {deb.hashlib.sha256(one.read_bytes()).hexdigest()}")
        if not given:
            look_into(files, found)
            look_at_parts(tree, found)
            refuses(tree, debug, made, found)
            installs_and_removes(tree, made, found)
    if found:
        sys.exit("\n".join(found))
