#!/usr/bin/env python3
"""What a tree of installed files is made of, as SPDX 2.3 in JSON.

    packaging/sbom.py TREE

The list has our programs with their SHA-256, the libraries that Package.swift names, what these bring along, Swift's runtime,
and each package of the system that a program loads libraries of, in the version that lies here. Same files, same bytes.
"""

import hashlib
import json
import re
import sys
from datetime import datetime, timezone
from pathlib import Path

sys.dont_write_bytecode = True

import needed
import origin

# What is inside of swift-crypto, and is a work of others.
INSIDE = {"swift-crypto": [("boringssl", "https://boringssl.googlesource.com/boringssl", "Apache-2.0"),
                           ("xkcp", "https://github.com/XKCP/XKCP", "CC0-1.0")]}
SWIFT = "Apache-2.0 WITH Swift-exception"
LICENCES = {"swift-argument-parser": SWIFT}


def identifier(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def part(name, version, address, licence, locator=None):
    made = {"SPDXID": identifier(name), "name": name, "versionInfo": version, "downloadLocation": address,
            "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": licence,
            "copyrightText": "NOASSERTION", "supplier": "NOASSERTION"}
    if locator:
        made["externalRefs"] = [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                 "referenceLocator": locator}]
    return made


def relation(one, kind, other):
    return {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}


def pinned(parts, relations):
    for name, address, version, commit in origin.pins():
        place = f"git+{address}@{commit or version}"
        locator = f"pkg:swift/{address.removeprefix('https://')}@{version}"
        parts.append(part(name, version, place, LICENCES.get(name, "Apache-2.0"), locator))
        relations.append(relation("SPDXRef-tresor", "STATIC_LINK", identifier(name)))
        for inner, source, licence in INSIDE.get(name, []):
            parts.append(part(inner, inside_version(inner) or f"as in {name} {version}", source, licence))
            relations.append(relation(identifier(name), "CONTAINS", identifier(inner)))


def inside_version(name):
    """swift-crypto's manifest says which commit of BoringSSL it has."""
    manifest = origin.ROOT / ".build/checkouts/swift-crypto/Package.swift"
    if name != "boringssl" or not manifest.exists():
        return None
    found = re.search(r"BoringSSL Commit: ([0-9a-f]{40})", manifest.read_text(encoding="utf-8"))
    return found and found[1]


def sha1(path):
    return hashlib.sha1(path.read_bytes(), usedforsecurity=False).hexdigest()


def describe(tree):
    programs = sorted(path for path in Path(tree).rglob("*") if path.is_file() and not path.is_symlink()
                      and path.read_bytes()[:4] == b"\x7fELF")
    version, commit = origin.version(), origin.commit() or "unknown"
    digests = {str(path.relative_to(tree)): hashlib.sha256(path.read_bytes()).hexdigest() for path in programs}
    whole = hashlib.sha256("\n".join(f"{name} {digest}" for name, digest in digests.items()).encode()).hexdigest()
    parts, relations = [part("tresor", version, "NOASSERTION", "Apache-2.0")], []
    parts[0]["sourceInfo"] = f"built from commit {commit}"
    relations.append(relation("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-tresor"))
    pinned(parts, relations)
    runtimes = {found[1] for name in digests if (found := re.search(r"lib/tresor/swift-([0-9.]+)/", name))}
    for runtime in sorted(runtimes):
        parts.append(part("swift-runtime", runtime, "https://www.swift.org/download/", SWIFT,
                          f"pkg:github/swiftlang/swift@swift-{runtime}-RELEASE"))
        relations.append(relation("SPDXRef-tresor", "CONTAINS", "SPDXRef-swift-runtime"))
    for name, installed in needed.packages(programs).items():
        parts.append(part(name, installed, "NOASSERTION", "NOASSERTION", f"pkg:deb/debian/{name}@{installed}"))
        relations.append(relation("SPDXRef-tresor", "DYNAMIC_LINK", identifier(name)))
    files = [{"SPDXID": identifier("file-" + name), "fileName": "./" + name,
              "checksums": [{"algorithm": "SHA1", "checksumValue": sha1(Path(tree) / name)},
                            {"algorithm": "SHA256", "checksumValue": digest}],
              "licenseConcluded": "NOASSERTION", "copyrightText": "NOASSERTION"} for name, digest in digests.items()]
    # SPDX 2.3, 7.9: over the files' SHA-1 in order.
    codes = "".join(sorted(file["checksums"][0]["checksumValue"] for file in files))
    parts[0] |= {"filesAnalyzed": True, "packageVerificationCode": {
        "packageVerificationCodeValue": hashlib.sha1(codes.encode(), usedforsecurity=False).hexdigest()}}
    relations += [relation("SPDXRef-tresor", "CONTAINS", file["SPDXID"]) for file in files]
    made = datetime.fromtimestamp(origin.epoch(), timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
            "name": f"tresor-{version}", "documentNamespace": f"https://spdx.org/spdxdocs/tresor-{version}-{whole[:32]}",
            "creationInfo": {"created": made, "creators": ["Tool: packaging/sbom.py"]},
            "packages": parts, "files": files, "relationships": relations}


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(json.dumps(describe(Path(sys.argv[1])), indent=1))
