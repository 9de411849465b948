#!/usr/bin/env python3
"""How Tresor grows old: what commands take with 1,000, 10,000 and 50,000 notes and items: `make growth`.

Notes are Markdown files of 700 bytes, imported; items are logins of a CSV file, imported. For each count a home of its own is
filled, and each line is done three times where it can be repeated: the table has the medians. What a line takes for one object at
the largest count is compared with the smallest: "each" is that ratio.

    packaging/growth.py PROGRAMS [--counts 1000,10000,50000] [--markdown FILE]
"""
import argparse
import os
import random
import shutil
import statistics
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from damage import copied  # noqa: E402
from faults import Faults  # noqa: E402
from soak import CODE, memory  # noqa: E402

WORDS = "river meadow copper lantern orchard winter harbour violet thunder basket mirror candle forest saddle garden".split()


def note(dice, number):
    """Markdown of about 700 bytes."""
    lines, length = [f"# Note {number}", ""], 0
    while length < 650:
        lines.append(" ".join(dice.choice(WORDS) for _ in range(12)))
        length += len(lines[-1]) + 1
    return "\n".join(lines) + "\n"


def fill(work, count):
    """A folder of notes, a hundred in each inner folder, and a table of logins."""
    dice, notes = random.Random(count), f"{work}/notes-{count}"
    for number in range(count):
        folder = f"{notes}/{number // 100}"
        os.makedirs(folder, exist_ok=True)
        with open(f"{folder}/{number}.md", "w", encoding="utf-8") as file:
            file.write(note(dice, number))
    items = f"{work}/items-{count}.csv"
    with open(items, "w", encoding="utf-8") as file:
        file.write("name,url,username,password,note\n")
        for number in range(count):
            file.write(f"site {number},https://host{number}.example,anna,word {number} {dice.random()},\n")
    return notes, items


class Lines:
    """Seconds of each line, and megabytes, for one count."""

    def __init__(self, home):
        self.home, self.found = home, {}

    def time(self, name, *arguments, times=3, before=(), right=(0,)):
        """Milliseconds precise; the output of the last time. before: commands that are not measured."""
        took, out = [], b""
        for _ in range(times):
            for command, text in before:
                self.home.must(*command, text=text)
            begin = time.monotonic()
            code, out, said = self.home.run(*arguments)
            took.append(time.monotonic() - begin)
            if code not in right:
                raise SystemExit(f"{arguments}: {code} {said}")
        self.found[name] = statistics.median(took)
        return out


def measure(programs, work, count):
    notes, items = fill(work, count)
    home = Faults(programs, f"{work}/home-{count}")
    lines = Lines(home)
    try:
        home.must("up", "--detach")
        home.must("passcode", "set", text=CODE * 2)
        lines.time("keychain import", "keychain", "import", items, times=1)
        lines.time("notes import", "notes", "import", "markdown", notes, times=1)
        shown = lines.time("notes list", "notes", "list").decode().splitlines()
        if len(shown) < count:
            raise SystemExit(f"notes list shows {len(shown)} of {count}")
        lines.time("keychain list --json", "keychain", "list", "--json")
        lines.time("keychain get, by server and account", "keychain", "get", "--server", "host7.example", "--account", "anna",
                   times=15)
        lines.time("get, by name", "get", "host7.example", times=15)
        lines.time("get, by name but for capitals", "get", "HOST7.EXAMPLE")
        lines.time("first search after a lock", "notes", "search", "violet", "thunder", right=(0, 8),
                   before=[(("lock",), b""), (("unlock",), CODE)])
        # Until all is indexed.
        for _ in range(100):
            if home.run("notes", "search", "violet", "thunder")[0] == 0:
                break
            time.sleep(0.2)
        lines.time("notes search", "notes", "search", "violet", "thunder")
        lines.time("keychain health", "keychain", "health")
        for number in range(3):
            lines.time("notes export", "notes", "export", f"{work}/export-{count}-{number}", times=1)
        lines.time("doctor --data", "doctor", "--data", times=1)
        time.sleep(1)
        for name, megabytes in sorted(memory(home).items()):
            lines.found[f"{name}, MiB"] = megabytes
        lines.time("down", "down", times=1)
    finally:
        home.end()
        shutil.rmtree(f"{work}/home-{count}", ignore_errors=True)
    return lines.found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs")
    parser.add_argument("--counts", default="1000,10000,50000")
    parser.add_argument("--markdown")
    chosen = parser.parse_args()
    counts = [int(count) for count in chosen.counts.split(",")]
    work = tempfile.mkdtemp(prefix="tresor-growth-")
    programs = copied(chosen.programs, work)
    try:
        found = [measure(programs, work, count) for count in counts]
    finally:
        shutil.rmtree(work, ignore_errors=True)
    table = ["| seconds | " + " | ".join(f"{count:,}" for count in counts) + " | each |", "| --- |" + " --- |" * (len(counts) + 1)]
    for name in found[-1]:
        cells = [f"{one[name]:.0f}" if name.endswith("MiB") else f"{one[name]:.{2 if one[name] >= 0.1 else 4}f}" for one in found]
        each = found[-1][name] / found[0][name] * counts[0] / counts[-1]
        table.append(f"| {name} | " + " | ".join(cells) + (" | |" if name.endswith("MiB") else f" | {each:.2f} |"))
    print("\n".join(table))
    if chosen.markdown:
        with open(chosen.markdown, "w", encoding="utf-8") as file:
            file.write("\n".join(table) + "\n")


if __name__ == "__main__":
    main()
