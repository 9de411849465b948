"""What packages, archives and lists of parts say of the source: version, date, commit, changes, pinned libraries."""

import json
import os
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def text(path):
    return (ROOT / path).read_text(encoding="utf-8")


def git(*command):
    said = subprocess.run(["git", "-C", str(ROOT), *command], capture_output=True, text=True)
    return said.stdout.strip() if said.returncode == 0 else None


def version():
    return re.search(r'text = "([^"]+)"', text("Sources/Vault/StoreTables/Version.swift"))[1]


def commit():
    return git("rev-parse", "HEAD")


def epoch():
    """Seconds since 1970 that every file gets for its time: SOURCE_DATE_EPOCH, else the commit's."""
    value = os.environ.get("SOURCE_DATE_EPOCH") or git("log", "-1", "--format=%ct")
    if not value:
        raise SystemExit("Neither SOURCE_DATE_EPOCH is set nor is there a commit whose date could be taken")
    return int(value)


def pins():
    """The packages that are linked in: name, address and version, as Package.swift says; the commit where SwiftPM has
    written it down."""
    commits = {}
    for place in ("Package.resolved", ".build/workspace-state.json"):
        try:
            found = json.loads(text(place))
        except (FileNotFoundError, ValueError):
            continue
        for pin in found.get("pins") or found.get("object", {}).get("dependencies", []):
            state = pin.get("state", {}).get("checkoutState") or pin.get("state", {})
            name = pin.get("identity") or pin.get("packageRef", {}).get("identity")
            commits.setdefault((name, state.get("version")), state.get("revision"))
    found = re.findall(r'\.package\(url: "([^"]+)", exact: "([^"]+)"\)', text("Package.swift"))
    names = [(address.rstrip("/").split("/")[-1].removesuffix(".git"), address, exact) for address, exact in found]
    return [(name, address, exact, commits.get((name.lower(), exact))) for name, address, exact in names]


def changes():
    """Releases of CHANGELOG.md, the newest first: a heading, and what is said under it, a line for each change."""
    releases = []
    for line in text("CHANGELOG.md").splitlines():
        if line.startswith("## "):
            releases.append((line[3:].strip(), []))
        elif releases and line.startswith("- "):
            releases[-1][1].append(line[2:].strip())
        elif releases and line.startswith("  ") and releases[-1][1]:
            releases[-1][1][-1] += " " + line.strip()
    return releases
