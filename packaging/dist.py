#!/usr/bin/env python3
"""Makes an archive for systems without Debian's packages, with checksums, a list of parts and a signature.

    packaging/dist.py [--sign KEY] TREE OUT

TREE is laid out for /usr/local. OUT gets tresor-VERSION-MACHINE.tar.xz, its list of parts (SPDX), and SHA256SUMS over both and over Debian
packages that lie there. The archive holds the tree and install.py, which installs and removes it. The same files make
the same bytes; only a signature is another one each time. KEY is the file of an SSH key, private or public with an
agent, or what gpg knows a key by; the key is never read by us.
"""

import hashlib
import io
import json
import os
import platform
import subprocess
import sys
import tarfile
from pathlib import Path

sys.dont_write_bytecode = True

import deb
import origin
import sbom

HERE = Path(__file__).resolve().parent
README = """\
Tresor {version}, with programs for {machine} and the C libraries of Debian 12.

    sudo python3 install.py tree {prefix}
    sudo python3 install.py --uninstall {prefix}

The second line removes exactly what the first has installed. Data lie in the homes of users and stay.
What the programs need of the system: {needs}.
"""
PREFIX = "/usr/local"


def entry(name, epoch, mode=0o644):
    made = tarfile.TarInfo(name)
    made.mtime, made.mode, made.uname, made.gname = epoch, mode, "root", "root"
    return made


def pack(tree, top, documents, target, epoch):
    """Everything below one folder, in the order of names."""
    with tarfile.open(target, "w:xz", format=tarfile.GNU_FORMAT, preset=6) as tar:
        made = entry(top, epoch, 0o755)
        made.type = tarfile.DIRTYPE
        tar.addfile(made)
        for name, content in sorted(documents.items()):
            made = entry(f"{top}/{name}", epoch, 0o755 if name.endswith(".py") else 0o644)
            made.size = len(content)
            tar.addfile(made, io.BytesIO(content))
        for path in [tree, *sorted(tree.rglob("*"))]:
            made = entry(os.path.normpath(f"{top}/tree/{path.relative_to(tree)}"), epoch)
            if path.is_symlink():
                made.type, made.linkname, made.mode = tarfile.SYMTYPE, os.readlink(path), 0o777
                tar.addfile(made)
            elif path.is_dir():
                made.type, made.mode = tarfile.DIRTYPE, 0o755
                tar.addfile(made)
            else:
                content = path.read_bytes()
                is_run = "/bin/" in made.name or "/lib/tresor/swift-" in made.name
                made.size, made.mode = len(content), 0o755 if is_run else 0o644
                tar.addfile(made, io.BytesIO(content))


def sign(sums, key):
    """Signs the checksums; without a key says that nobody has."""
    for former in (sums.with_name(sums.name + ".sig"), sums.with_name(sums.name + ".asc")):
        former.unlink(missing_ok=True)
    if not key:
        print(f"Not signed: no key was given. SIGN_KEY=key signs {sums.name}.")
    elif os.path.isfile(key):
        subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-f", key, "-n", "tresor-release", str(sums)], check=True)
        print(f"{sums}.sig: signed with {key}; ssh-keygen -Y verify -n tresor-release checks it")
    else:
        signed = sums.with_name(sums.name + ".asc")
        subprocess.run(["gpg", "--batch", "--yes", "--local-user", key, "--armor", "--output", str(signed),
                        "--detach-sign", str(sums)], check=True)
        print(f"{signed}: signed with {key}; gpg --verify checks it")


def main():
    arguments, key = sys.argv[1:], None
    if arguments[:1] == ["--sign"]:
        key, arguments = arguments[1], arguments[2:]
    if len(arguments) != 2:
        sys.exit(__doc__)
    tree, out = Path(arguments[0]), Path(arguments[1])
    if not (tree / PREFIX[1:] / "bin/tresor").is_file():
        sys.exit(f"{tree}: not laid out for {PREFIX}")
    files, _ = deb.read_tree(tree)
    deb.refuse_paths(files, str(origin.ROOT))
    parts = sbom.describe(tree)
    name = f"tresor-{origin.version()}-{platform.machine()}"
    needs = ", ".join(each["name"] for each in parts["packages"] if "pkg:deb/" in json.dumps(each))
    out.mkdir(parents=True, exist_ok=True)
    listed = out / f"{name}.spdx.json"
    listed.write_text(json.dumps(parts, indent=1) + "\n", encoding="utf-8")
    documents = {path: (origin.ROOT / path).read_bytes() for path in ("LICENSE", "NOTICE", "CHANGELOG.md", "README.md")}
    documents["install.py"] = (HERE / "install.py").read_bytes()
    documents["INSTALL"] = README.format(version=origin.version(), machine=platform.machine(), prefix=PREFIX,
                                         needs=needs).encode()
    documents[listed.name] = listed.read_bytes()
    pack(tree, name, documents, out / f"{name}.tar.xz", origin.epoch())
    sums = out / "SHA256SUMS"
    summed = [out / f"{name}.tar.xz", listed, *sorted(out.glob("*.deb"))]
    sums.write_text("".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in summed))
    for file in summed:
        print(f"{file}: {file.stat().st_size / 1e6:.1f} MB")
    sign(sums, key)


if __name__ == "__main__":
    main()
