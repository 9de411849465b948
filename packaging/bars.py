#!/usr/bin/env python3
"""What a person waits for at a terminal, with 10,000 items, notes and entries of a diary: `make bars`.

    get by name     beside `keychain get` by the whole key, in turn; the ratio of the medians
    completion      what the shell asks for behind `tresor get host77`; and the same when an item has just changed
    first paint     from the start of the program until a title of its list is on the screen, of 80 × 24
    a key to paint  from the key that goes down by one line until the last byte of what it has drawn

The table has medians, the 95th percentile, and what we want. First paint is each time that of a program started anew; tresord and

    packaging/bars.py PROGRAMS [--count 10000] [--times 20] [--markdown FILE]
"""
import argparse
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from damage import copied  # noqa: E402
from faults import PASSWORD, Faults  # noqa: E402
from growth import fill  # noqa: E402
from soak import CODE  # noqa: E402

DOWN = b"\x1b[B"
# Nothing more is drawn for this key: seconds without a byte.
REST = 0.05
PATIENCE = 20


class Screen:
    """A program on a terminal of its own, from its start to the key that leaves it."""

    def __init__(self, home, *arguments):
        self.began = time.monotonic()
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
            os.execve(home.programs + "/tresor", ["tresor", *arguments],
                      {"TRESOR_HOME": home.folder, "PATH": "/usr/bin:/bin", "TERM": "xterm-256color", "LANG": "C.UTF-8"})
        self.shown = b""

    def bytes(self, patience):
        """What comes next, or nothing."""
        if not select.select([self.terminal], [], [], patience)[0]:
            return b""
        try:
            return os.read(self.terminal, 1 << 16)
        except OSError:
            return b""

    def painted(self, expected):
        """Seconds until what is looked for is on the screen."""
        while not re.search(expected, self.shown):
            more = self.bytes(PATIENCE)
            if not more:
                self.leave()
                raise SystemExit(f"{expected} is not on the screen: {self.shown[-2000:]!r}")
            self.shown += more
        return time.monotonic() - self.began

    def rest(self):
        while self.bytes(0.3):
            pass

    def press(self, key):
        """Seconds until the last byte of what a key has drawn."""
        begin = time.monotonic()
        os.write(self.terminal, key)
        last, patience = None, PATIENCE
        while self.bytes(patience):
            last, patience = time.monotonic(), REST
        if last is None:
            raise SystemExit("a key has drawn nothing")
        return last - begin

    def leave(self):
        for key in (b"q", b"\x03"):
            try:
                os.write(self.terminal, key)
            except OSError:
                break
            end = time.monotonic() + 2
            while time.monotonic() < end:
                if os.waitpid(self.child, os.WNOHANG)[0]:
                    os.close(self.terminal)
                    return
                self.bytes(0.02)
        os.kill(self.child, signal.SIGKILL)
        os.waitpid(self.child, 0)
        os.close(self.terminal)


def took(home, *arguments):
    begin = time.monotonic()
    home.must(*arguments)
    return time.monotonic() - begin


def completion(home, words):
    """Seconds until bash has what it offers, by the script that the package installs, and what it offers."""
    script = home.must("--generate-completion-script", "bash")
    path = f"{home.folder}-completion.bash"
    with open(path, "w", encoding="utf-8") as file:
        file.write(script)
    line = f"""
        shopt -s extglob
        source {path}
        COMP_WORDS=({words}); COMP_CWORD={len(words.split()) - 1}; COMP_LINE='{words}'; COMP_POINT={len(words)}; COMP_TYPE=9
        begin=${{EPOCHREALTIME/./}}
        _tresor tresor "${{COMP_WORDS[COMP_CWORD]}}" "${{COMP_WORDS[COMP_CWORD-1]}}" 2>/dev/null
        echo "$((${{EPOCHREALTIME/./}} - begin)) ${{COMPREPLY[*]}}"
    """
    environment = {"TRESOR_HOME": home.folder, "PATH": home.programs + ":/usr/bin:/bin"}
    said = subprocess.run(["bash", "--norc", "-c", line], env=environment, capture_output=True, text=True, check=True).stdout
    microseconds, _, offers = said.strip().partition(" ")
    return int(microseconds) / 1e6, offers


class Table:
    def __init__(self):
        self.lines = ["| what | median | 95th percentile | we want |", "| --- | --- | --- | --- |"]

    def add(self, name, seconds, wanted):
        seconds = sorted(seconds)
        high = seconds[min(len(seconds) - 1, int(len(seconds) * 0.95))]
        self.lines.append(f"| {name} | {statistics.median(seconds) * 1000:.1f} ms | {high * 1000:.1f} ms | {wanted} |")
        print(self.lines[-1], flush=True)


def screens(home, table, times):
    for name, expected in (("notes", rb"Note \d"), ("browse", rb"host\d|site \d"), ("diary", rb"diary is locked")):
        paints, opened, keys = [], [], []
        for _ in range(times):
            screen = Screen(home, name)
            paints.append(screen.painted(expected))
            screen.rest()
            if name == "diary":
                screen.began = time.monotonic()
                os.write(screen.terminal, PASSWORD.strip() + b"\r")
                opened.append(screen.painted(rb"Day \d"))
                screen.rest()
            keys += [screen.press(DOWN) for _ in range(5)]
            screen.leave()
        table.add(f"{name}: first paint", paints, "150 ms")
        if opened:
            table.add(f"{name}: list behind its password, which scrypt stretches", opened, "")
        table.add(f"{name}: a key to paint", keys, "20 ms")


def measure(home, work, count, times):
    notes, items = fill(work, count)
    with open(f"{work}/journal.txt", "w", encoding="utf-8") as file:
        for number in range(count):
            file.write(f"[{1995 + number // 336}-{number // 28 % 12 + 1:02}-{number % 28 + 1:02} 09:00] Day {number}.\nA walk by the river.\n\n")
    home.must("up", "--detach")
    home.must("passcode", "set", text=CODE * 2)
    home.must("diary", "register", text=PASSWORD * 2)
    home.must("diary", "sign-in", text=PASSWORD)
    home.must("keychain", "import", items)
    home.must("notes", "import", "markdown", notes)
    home.must("diary", "import", "jrnl", f"{work}/journal.txt")
    # Until the words of all of them are indexed.
    time.sleep(count / 1000)
    table = Table()
    host = f"host{count * 7 // 9}.example"
    key = ("keychain", "get", "--server", host, "--account", "anna")
    named, whole = [], []
    for _ in range(times * 2):
        named.append(took(home, "get", host))
        whole.append(took(home, *key))
    ratio = statistics.median(named) / statistics.median(whole)
    table.add("keychain get, by the whole key", whole, "")
    table.add(f"get, by name: {ratio:.2f} × of it", named, "1.5 ×")
    # tresord looks through all items for the first, and holds their names until one changes.
    first = []
    for _ in range(times):
        home.must("edit", host, "--comment", f"change {len(first)}")
        first.append(completion(home, "tresor get host77"))
    done = [completion(home, "tresor get host77") for _ in range(times)]
    fitting = sum(str(number).startswith("77") for number in range(count))
    for name, seen in (("completion", done), ("completion, the first after a change", first)):
        offered = min(len(offers.split()) for _, offers in seen)
        table.add(f"{name}: {offered} of {fitting} names offered", [seconds for seconds, _ in seen], "60 ms" if seen is done else "")
    screens(home, table, times)
    return table.lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs")
    parser.add_argument("--count", type=int, default=10000)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--markdown")
    chosen = parser.parse_args()
    work = tempfile.mkdtemp(prefix="tresor-bars-")
    home = Faults(copied(chosen.programs, work), f"{work}/home")
    try:
        lines = measure(home, work, chosen.count, chosen.times)
    finally:
        home.end()
        shutil.rmtree(work, ignore_errors=True)
    if chosen.markdown:
        with open(chosen.markdown, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
