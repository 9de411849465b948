#!/usr/bin/env python3
"""Runs the tests of a finished debug build in parts, two at a time, since many stories wait for programs.

    packaging/tests.py TESTS [FILTER]

TESTS is the bundle that `swift build --build-tests` makes; with FILTER, a regular expression, only tests whose names it
matches are run, in one part: `^KeychainStoreTests\.`, `LockCauseStories`. Prints what failed and each part's last line, and leaves each
part's whole output in `tests-PART.log` beside the bundle. Ends with 1 where a part failed or ran no test.
"""

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

STORIES, FIRST = r"^StoryTests\.", r"^StoryTests\.[A-F]"
# Each test is in one part: what the first takes, the second leaves, and the third leaves all stories.
PARTS = {
    "first-stories": ["--filter", FIRST],
    "other-stories": ["--filter", STORIES, "--skip", FIRST],
    "units": ["--skip", STORIES],
}
AT_ONCE = 2
# Tests start as one, so that their beginnings say nothing; and what passed is in the log.
QUIET = re.compile(r"^(\S* )?[◇✔➜] ")


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


def main():
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    parts = {"some": ["--filter", sys.argv[2]]} if len(sys.argv) == 3 else PARTS
    # Whoever ends this ends what it started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    bundle, waiting, running, good = Path(sys.argv[1]).resolve(), list(parts.items()), [], True
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


main()
