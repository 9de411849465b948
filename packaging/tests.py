#!/usr/bin/env python3
r"""Runs the tests of a finished debug build in parts, two at a time, since many stories wait for programs.

    packaging/tests.py [--soak] TESTS [FILTER]

TESTS is the bundle that `swift build --build-tests` makes; with FILTER, a regular expression, only tests whose names it
matches are run, in one part: `^KeychainStoreTests\.`, `LockCauseStories`. Prints what failed and each part's last line, and leaves each
part's whole output in `tests-PART.log` beside the bundle. Ends with 1 where a part failed or ran no test.

With --soak, tests do as often as they can what they do a few times otherwise (`TRESOR_SOAK`, Tests/Support/Thoroughness), and
without FILTER only the suites in which that makes a difference are run.
"""

import os
import re
import signal
import string
import subprocess
import sys
import time
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent / "Tests"
STORIES = r"^StoryTests\."
# Stories go by the first letters of their suites, so that parts take about as long; the longest begin.
LETTERS = ["K-N", "DH-J", "A-CE-G", "O-R", "S-Z"]
PARTS = {f"stories-{letters}": ["--filter", f"{STORIES}[{letters}]"] for letters in LETTERS[:3]}
PARTS["units"] = ["--skip", STORIES]
PARTS |= {f"stories-{letters}": ["--filter", f"{STORIES}[{letters}]"] for letters in LETTERS[3:]}
AT_ONCE = 2
# Tests start as one, so that their beginnings say nothing; and what passed is in the log.
QUIET = re.compile(r"^(\S* )?[◇✔➜] ")
# A type that stands at the beginning of a line.
TYPE = re.compile(r"^(?:@\w+(?:\(.*\))? )*(?:(?:public|package|private|fileprivate|final) )*"
                  r"(?:struct|class|enum|actor|extension) (\w+)", re.M)


class Part:
    def __init__(self, name, options, bundle):
        self.name, self.log, self.began = name, bundle.with_name(f"tests-{name}.log"), time.monotonic()
        command = [bundle, "--testing-library", "swift-testing", *options]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)

    def told(self):
        """Prints what failed, and says whether all was well."""
        lines = self.log.read_text(errors="replace").splitlines()
        for line in lines:
            if line.strip() and not QUIET.match(line):
                print(line)
        last = next((line for line in reversed(lines) if "Test run with" in line), "")
        print(f"{self.name}, {time.monotonic() - self.began:.0f} s, exit {self.process.returncode}: {last}", flush=True)
        return self.process.returncode == 0 and re.search(r"Test run with [1-9]", last) is not None


def pieces():
    """The types of all tests: target, name and text of each."""
    for path in sorted(TESTS.rglob("*.swift")):
        parts = path.relative_to(TESTS).parts
        if parts[0] in ("Support", "Programs"):
            continue
        # Wings hold targets; those of the apps lie one deeper.
        target, text = parts[2 if parts[0] == "Apps" else 1], path.read_text(encoding="utf-8")
        starts = list(TYPE.finditer(text))
        if "Thoroughness." in text[:starts[0].start() if starts else None]:
            sys.exit(f"{path} asks for a count outside of a type, where no suite is known")
        for start, end in zip(starts, [start.start() for start in starts[1:]] + [None]):
            yield target, start[1], text[start.start():end]


def soaked():
    """The suites whose counts are others with TRESOR_SOAK, themselves or by a type without tests of its own."""
    types, words, suites = list(pieces()), {"Thoroughness"}, set()
    while True:
        known = re.compile(rf"\b(?:{'|'.join(sorted(words))})\b")
        found = [(target, name, text) for target, name, text in types if known.search(text) and name not in words]
        suites |= {(target, name) for target, name, text in found if "@Test" in text}
        more = {name for _, name, text in found if "@Test" not in text}
        if not more:
            return sorted(suites)
        words |= more


def soak_parts():
    """These suites in parts: the stories as ever, and all others."""
    parts, suites = {}, soaked()
    chosen = {f"stories-{letters}": [(target, name) for target, name in suites
                                     if target == "StoryTests" and re.match(f"[{letters}]", name)] for letters in LETTERS}
    chosen["units"] = [(target, name) for target, name in suites if target != "StoryTests"]
    for part, members in chosen.items():
        if members:
            names = "|".join(rf"{target}\.{name}" for target, name in members)
            parts["soak-" + part] = ["--filter", f"^({names})/"]
    return parts


def chosen_parts(soaks, arguments):
    if len(arguments) == 2:
        return {"some": ["--filter", arguments[1]]}
    for letter in string.ascii_uppercase:
        if sum(re.match(f"[{letters}]", letter) is not None for letters in LETTERS) != 1:
            sys.exit(f"stories with {letter} are in no part, or in two")
    return soak_parts() if soaks else PARTS


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--soak"]
    soaks = len(arguments) < len(sys.argv) - 1
    if not 1 <= len(arguments) <= 2:
        sys.exit(__doc__)
    if soaks:
        os.environ["TRESOR_SOAK"] = "1"
    parts = chosen_parts(soaks, arguments)
    # Whoever ends this ends what it started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    bundle, waiting, running, good = Path(arguments[0]).resolve(), list(parts.items()), [], True
    try:
        while waiting or running:
            while waiting and len(running) < AT_ONCE:
                running.append(Part(*waiting.pop(0), bundle))
            ended = [part for part in running if part.process.poll() is not None]
            running = [part for part in running if part not in ended]
            for part in ended:
                good = part.told() and good
            time.sleep(0.2)
    finally:
        for part in running:
            part.process.terminate()
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
