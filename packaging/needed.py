"""Which packages of the system's programs and libraries of ours need, and from which version on.

dpkg-shlibdeps says it where it is installed; without it the same is read from what dpkg knows: which package a library
belongs to, and the version in which each symbol came (deb-symbols(5), deb-shlibs(5)).
"""

import functools
import os
import platform
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

INFO = Path("/var/lib/dpkg/info")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def is_dynamic(file):
    """Whether a loader loads other files with this one."""
    with open(file, "rb") as opened:
        if opened.read(4) != b"\x7fELF":
            return False
    return bool(needed_names(file))


@functools.cache
def private_header(file):
    return output("objdump", "-p", str(file))


def needed_names(file):
    return re.findall(r"^ +NEEDED +(\S+)", private_header(file), re.M)


@functools.cache
def find_library(name):
    """The file of a library where the system's loader looks first; none for one that only a compiler has."""
    for folder in (f"/usr/lib/{platform.machine()}-linux-gnu", f"/lib/{platform.machine()}-linux-gnu", "/usr/lib",
                   "/lib", "/usr/lib64", "/lib64"):
        if os.path.exists(f"{folder}/{name}"):
            return f"{folder}/{name}"
    return None


@functools.cache
def package_of(library):
    """The package, without its architecture, that a library's file belongs to."""
    for path in dict.fromkeys([library, os.path.realpath(library), "/lib/" + library.split("/lib/", 1)[-1],
                               os.path.realpath(library).removeprefix("/usr")]):
        found = subprocess.run(["dpkg", "-S", path], capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout.split(": ")[0].split(",")[0].split(":")[0]
    raise SystemExit(f"{library} belongs to no package")


def packages(files):
    """Each package of the system that the files need libraries of, with the version that is installed here."""
    libraries = {find_library(name) for file in files if is_dynamic(file) for name in needed_names(file)}
    names = sorted({package_of(library) for library in libraries if library})
    return {name: output("dpkg-query", "-W", "-f", "${db:Status-Abbrev}${Version}\n", name).split()[1]
            for name in names}


def compare(one, other):
    if one == other:
        return 0
    return 1 if subprocess.run(["dpkg", "--compare-versions", one, "gt", other]).returncode == 0 else -1


by_version = functools.cmp_to_key(functools.cache(compare))


def info(package, kind):
    for name in (f"{package}.{kind}", f"{package}:{output('dpkg', '--print-architecture').strip()}.{kind}"):
        if (INFO / name).exists():
            return (INFO / name).read_text()
    return ""


@functools.cache
def symbols(library):
    """What a library's package says of it: symbols with versions, and the package by name."""
    package, known, inside = package_of(library), {}, False
    for line in info(package, "symbols").splitlines():
        if line[:1] not in (" ", "*", "|", ""):
            inside = line.split()[0] == os.path.basename(library)
        elif line.startswith(" ") and inside:
            symbol, version = line.split()[:2]
            known[symbol] = version.removesuffix("~") if version.endswith("-0~") else version
    return package, known


@functools.cache
def shlibs(library):
    """What deb-shlibs(5) says of a library: a dependency with its version."""
    name = re.fullmatch(r"(.+?)(?:\.so\.(.+)|-(\d[^/]*)\.so)", os.path.basename(library))
    for line in info(package_of(library), "shlibs").splitlines():
        words = line.split(None, 2)
        if name and words[:2] == [name[1], name[2] or name[3]]:
            return words[2]
    return package_of(library)


def wanted_symbols(file):
    """Symbols that somebody else has to have, as deb-symbols(5) writes them."""
    for line in output("objdump", "-T", str(file)).splitlines():
        if "*UND*" in line:
            words = line.split("\t")[-1].split()[1:]
            version = words[0].strip("()") if len(words) > 1 else "Base"
            yield f"{words[-1]}@{version}"


def depends_by_dpkg(files, private):
    least, plain = {}, set()
    for file in files:
        names = [find_library(name) for name in needed_names(file) if name not in private]
        wanted = set(wanted_symbols(file))
        for library in filter(None, names):
            package, known = symbols(library)
            if not known:
                plain.add(shlibs(library))
                continue
            used = [known[symbol] for symbol in wanted if symbol in known] or [min(known.values(), key=by_version)]
            least.setdefault(package, set()).update(used)
    found = {f"{package} (>= {max(versions, key=by_version)})" for package, versions in least.items()}
    return found | {each for each in plain if each.split()[0] not in least}


def depends_by_shlibdeps(files, private):
    """Names of libraries of our own, `private`, are found beside the files; the program wants a source package around."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "debian").mkdir()
        (Path(folder) / "debian/control").write_text(
            "Source: tresor\nMaintainer: nobody <nobody@example.org>\n\nPackage: tresor\nArchitecture: any\n")
        beside = {f"-l{Path(file).parent}" for file in files if Path(file).name in private}
        command = ["dpkg-shlibdeps", "-O", "--ignore-missing-info", *sorted(beside), *map(str, files)]
        said = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        if said.returncode:
            raise SystemExit(f"dpkg-shlibdeps: {said.stderr}")
    return {each.strip() for line in said.stdout.splitlines() if line.startswith("shlibs:Depends=")
            for each in line.split("=", 1)[1].split(",")}


def depends(files, private=frozenset(), uses_shlibdeps=None):
    """Dependencies of files that a loader loads, sorted. Libraries that no package of the system has, such as Swift's
    runtime, are named in `private` and looked for beside the files."""
    files = [Path(file).resolve() for file in files if is_dynamic(file)]
    if uses_shlibdeps is None:
        uses_shlibdeps = shutil.which("dpkg-shlibdeps") is not None
    found = (depends_by_shlibdeps if uses_shlibdeps else depends_by_dpkg)(files, private) if files else set()
    # Packed relocations are no symbol, so nobody counts them: glibc reads them from 2.36 on.
    if any("GLIBC_ABI_DT_RELR" in private_header(file) for file in files):
        libc = next((each for each in found if re.match(r"libc6 \(>= ", each)), "libc6 (>= 0)")
        found = found - {libc} | {f"libc6 (>= {max(libc[10:-1], '2.36', key=by_version)})"}
    return sorted(found)


def depends_without(files, others):
    """As `depends`, without libraries that come from elsewhere: read from what dpkg knows, since dpkg-shlibdeps insists
    on finding each."""
    return sorted(depends_by_dpkg([Path(file).resolve() for file in files if is_dynamic(file)], others))
