#!/usr/bin/env python3
"""Writes every vector under this folder, from the formats as specs/ describes them.

It shares no code with the programs, on purpose: what both agree on was written twice. Nothing is random: keys, nonces and
identifiers follow from names, so that two runs write the same bytes. Needs the package `cryptography`.

    python3 vectors/generate.py            writes the files
    python3 vectors/generate.py --check    writes nothing; fails when a file differs, is missing or is not ours
"""

import sys
from pathlib import Path

sys.dont_write_bytecode = True

from generator import (  # noqa: E402
    apps, bodies, cloud, codes, device, diary, imports, items, keychains, keys, members, notes, passwords, profiles,
    programs, protocols, records, widgets, zones)
from generator.core import files  # noqa: E402

HERE = Path(__file__).resolve().parent


def main():
    for module in (device, items, keychains, keys, profiles, protocols, zones, records, members, notes, bodies,
                   passwords, apps, codes, widgets, programs, imports, diary, cloud):
        module.make_all()
    found = {str(path.relative_to(HERE)): path for path in HERE.glob("*/*.txt")}
    if "--check" in sys.argv[1:]:
        return check(found)
    for path, content in files.items():
        (HERE / path).parent.mkdir(exist_ok=True)
        (HERE / path).write_text(content)
    for path in sorted(set(found) - set(files)):
        print(f"not generated: {path}")
    print(f"{len(files)} vectors written")
    return 0


def check(found):
    wrong = sorted(set(found) ^ set(files))
    wrong += [path for path in files if path in found and found[path].read_text() != files[path]]
    for path in wrong:
        print(f"differs: {path}")
    if not wrong:
        print(f"{len(files)} vectors are as generated")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
