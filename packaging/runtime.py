#!/usr/bin/env python3
"""Puts built programs and the part of Swift's runtime that they share into a folder that can be installed.

    packaging/runtime.py FOLDER RUNTIME PROGRAM…

FOLDER/bin gets the programs without their debug symbols, FOLDER/debug the symbols, FOLDER/RUNTIME each library of the
toolchain that one of the programs needs, stripped, with its functions bound as it is loaded
(docs/decisions/0038-one-runtime-for-all-programs.md). Files that lay there before are replaced one at a time, so that a
program that runs keeps its own. Ends with 1 where a program looks for its runtime anywhere else.
"""

import json
import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path

# elf(5): the dynamic section's tags.
DT_NULL, DT_NEEDED, DT_FLAGS_1 = 0, 1, 0x6FFFFFFB
DF_1_NOW = 1
PT_DYNAMIC = 2


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def toolchain_libraries():
    """The folder of the compiler's own libraries."""
    return Path(json.loads(output("swiftc", "-print-target-info"))["paths"]["runtimeLibraryPaths"][0])


def dynamic(file, tag):
    """The values of one tag of a file's dynamic section; none in a static program."""
    lines = output("objdump", "-p", str(file)).splitlines()
    return [line.split()[1] for line in lines if line.split()[:1] == [tag]]


def closure(programs, folder):
    """Each library of `folder` that one of the programs needs, or that such a library needs, by its name."""
    found, waiting = {}, list(programs)
    while waiting:
        for name in dynamic(waiting.pop(), "NEEDED"):
            library = folder / name
            if name not in found and library.exists():
                found[name] = library
                waiting.append(library)
    return found


def bind_at_start(file):
    """Has the loader look up every function as the library is loaded, not at its first call: that would spill vector
    registers, and keys with them, to the stack. The toolchain's libraries are linked without `-z now`; their dynamic
    section has room for one more tag."""
    data = bytearray(file.read_bytes())
    if data[:6] != b"\x7fELF\x02\x01":
        sys.exit(f"{file}: not an ELF file of 64 bits, little endian")
    (table,) = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    for header in range(table, table + size * count, size):
        kind, _, offset, _, _, length = struct.unpack_from("<IIQQQQ", data, header)
        if kind == PT_DYNAMIC:
            break
    else:
        sys.exit(f"{file}: no dynamic section")
    tags = [struct.unpack_from("<QQ", data, place) for place in range(offset, offset + length, 16)]
    names = [tag for tag, _ in tags]
    end = names.index(DT_NULL)
    if DT_FLAGS_1 in names[:end]:
        place, value = names.index(DT_FLAGS_1), tags[names.index(DT_FLAGS_1)][1] | DF_1_NOW
    elif end + 1 < len(tags):
        place, value = end, DF_1_NOW
    else:
        sys.exit(f"{file}: no room for one more tag in its dynamic section")
    struct.pack_into("<QQ", data, offset + place * 16, DT_FLAGS_1, value)
    file.write_bytes(data)


def replace(source, target, change):
    """Puts a changed copy in the place of `target` at once: one that runs keeps its file."""
    new = target.with_name(target.name + ".new")
    shutil.copyfile(source, new)
    change(new)
    new.chmod(0o755)
    os.replace(new, target)


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    folder, runtime, programs = Path(sys.argv[1]), sys.argv[2], [Path(program) for program in sys.argv[3:]]
    toolchain = toolchain_libraries()
    for program in programs:
        places = dynamic(program, "RUNPATH")
        if closure([program], toolchain) and places != [f"$ORIGIN/../{runtime}"]:
            sys.exit(f"{program} looks for Swift's runtime in {places or 'no folder'}, not in $ORIGIN/../{runtime}")
    for place in ("bin", "debug", runtime):
        (folder / place).mkdir(parents=True, exist_ok=True)

    for program in programs:
        symbols = folder / "debug" / f"{program.name}.debug"
        output("objcopy", "--only-keep-debug", "--compress-debug-sections", str(program), str(symbols))

        def stripped(copy, symbols=symbols):
            output("strip", str(copy))
            output("objcopy", f"--add-gnu-debuglink={symbols}", str(copy))

        replace(program, folder / "bin" / program.name, stripped)

    def bound(copy):
        output("strip", str(copy))
        bind_at_start(copy)

    shared = closure(programs, toolchain)
    for library in shared.values():
        replace(library, folder / runtime / library.name, bound)
    for former in (folder / runtime).iterdir():
        if former.name not in shared:
            former.unlink()


main()
