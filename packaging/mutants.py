#!/usr/bin/env python3
"""Proves that tests can fail: breaks the programs on purpose, one small break at a time, and runs the test that must notice.

A mutant is a file Tests/Mutants/NAME.patch:

    test: StoryTests.LockCauseStories        what `swift test --filter` takes
    why: an idle lock tells no holder        what this breaks, for whom
    diff --git a/Sources/... b/Sources/...   one small break

Each is applied to a copy of the tree, built, and its test is run. It is caught where that test is red. Anything else is a
failure: a test that stays green, that is not found, that is red without the mutant, a patch that does not apply or build.

Many are woven into one build and switched on one at a time (weave.py). Those that cannot be, and a few that are asked for by
name, share a build where none can reach the test of another: their targets are not among those which that test is made of, nor
in a program that it starts. Where a shared build fails, each is built alone.

    packaging/mutants.py FOLDER [NAME ...]           FOLDER keeps the copy and its build; NAMEs run alone
    packaging/mutants.py ... --tests EXPRESSION      those alone whose test is called so
    packaging/mutants.py ... --workers COUNT         how many woven mutants are tried at once; as many as there are processors
    packaging/mutants.py --here [NAME ...]           in this tree and its build, which must have no changes in Sources
    packaging/mutants.py ... --markdown FILE         writes the table, too
    packaging/mutants.py ... --known FILE            leaves out those that FILE says are caught, and adds what is found
    packaging/mutants.py ... --green                 takes the tests for green without a mutant: a whole run has just shown it.
                                                     Of woven mutants it has not, and they are tried without any at first

A whole run takes some hours. With --known it may be cut short and go on another day: a mutant is left out as long as its patch is
the same.
"""
import argparse
import collections
import hashlib
import json
import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from weave import Loom, switch

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MUTANTS = os.path.join(ROOT, "Tests", "Mutants")
# The enclave as it is shipped: without a runtime that keeps what it frees.
ENCLAVES = os.path.join(ROOT, ".build-enclave", "release")
# As the Makefile builds tests: C is optimised, or most of their time goes into scrypt.
DEBUG = ["--build-tests", "-Xcc", "-O2"]
STATIC = ["-c", "release", "--static-swift-stdlib", "-Xswiftc", "-static-executable"]
PROGRAMS = ["tresor", "tresord", "tresor-notes", "tresor-diary", "tresor-widgets", "tresor-thumb", "tresor-print", "tresor-draw",
            "tresor-pages", "tresor-caller-testing", "tresor-integrity-testing", "tresor-enclave"]
WITH_CLOCK = {"tresord": "tresord-testing", "tresor-notes": "tresor-notes-testing", "tresor-diary": "tresor-diary-testing",
              "tresor-widgets": "tresor-widgets-testing", "tresor-enclave": "tresor-enclave-testing"}
# A test that waits for what the mutant has taken away is red as well, and so is one that the mutant makes crash.
PATIENCE = 600
# As many as this are worth a build of all.
MANY = 12
# Tests that read Sources find patches there that are switched off. Of VectorTests those of pages do, and no suite of vectors.
READS_SOURCES = re.compile(r"VectorTests(?!\.\w*Vectors\b)|HouseRulesTests")
RESULTS = {"red": "caught", "crashed": "caught, by a crash", "without end": "caught, by no end", "green": "SURVIVED",
           "not found": "test not found"}


def wings():
    """The folders of Sources that hold targets, as LAYERS.txt has them; the inner of two comes first."""
    with open(os.path.join(ROOT, "Sources", "LAYERS.txt"), encoding="utf-8") as file:
        return sorted(re.findall(r"^\[([^\]]+)\]", file.read(), re.M), key=len, reverse=True)


def target_of(path):
    """The target that a file below Sources belongs to."""
    for wing in wings():
        if path.startswith(wing + "/"):
            return path[len(wing) + 1:].split("/")[0]
    raise SystemExit(f"Sources/{path} lies in no wing of LAYERS.txt")


# What a run of a test has started is known by it.
RUN = "TRESOR_MUTANTS_RUN"


def end_all(run, stage):
    """Ends what a test has left behind: another test would find it in its way.

    Our own programs start each other with an environment of their own, and are known by where they lie.
    """
    mark = f"{RUN}={run}".encode()
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{process}/environ", "rb") as file:
                is_marked = mark in file.read().split(b"\0")
            if is_marked or os.readlink(f"/proc/{process}/exe").startswith(stage + "/"):
                os.kill(int(process), signal.SIGKILL)
        except OSError:
            pass


class Mutant:
    """The test, the reason and the diff of a patch."""

    def __init__(self, name):
        self.name = name
        with open(os.path.join(MUTANTS, name + ".patch"), encoding="utf-8") as file:
            lines = file.read().split("\n")
        head = dict(line.split(": ", 1) for line in lines[:2] if ": " in line)
        if "test" not in head or "why" not in head:
            raise SystemExit(f"{name}.patch: its first two lines are 'test: FILTER' and 'why: SENTENCE'")
        self.test, self.why = head["test"].strip(), head["why"].strip()
        self.diff = "\n".join(lines[2:])
        self.changed = {target_of(path) for path in re.findall(r"^\+\+\+ b/Sources/(.+)$", self.diff, re.M)}
        self.tested = {part.split(".")[0] for part in self.test.split("|")}
        self.result, self.seconds = None, 0.0
        self.digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()

    def apply(self, tree, *options):
        """Whether the patch could be applied, or with -R be taken back."""
        command = ["git", "apply", "--whitespace=nowarn", "-p1", *options]
        return subprocess.run(command, cwd=tree, input=self.diff.encode(), stderr=subprocess.DEVNULL).returncode == 0


class Package:
    """Which targets a test is made of, those of the programs that it starts included."""

    def __init__(self, tree):
        described = subprocess.run(["swift", "package", "dump-package"], cwd=tree, check=True, capture_output=True)
        package = json.loads(described.stdout)
        self.name = package["name"]
        self.targets = {target["name"]: target for target in package["targets"]}
        self.needs = {name: {(entry.get("byName") or entry.get("target") or [""])[0] for entry in target["dependencies"]}
                      for name, target in self.targets.items()}
        started = {name for name, target in self.targets.items() if target["type"] == "executable"}
        self.starters = set()
        for name, target in self.targets.items():
            if target["type"] != "test":
                continue
            found = started if name == "StoryTests" else started & self.words(tree, target.get("path") or "Tests/" + name)
            if found:
                self.starters.add(name)
            self.needs[name] |= found

    @staticmethod
    def words(tree, folder):
        """What the files that know where programs lie name there."""
        words = set()
        for path, _, files in os.walk(os.path.join(tree, folder)):
            for name in files:
                if name.endswith(".swift"):
                    with open(os.path.join(path, name), encoding="utf-8") as file:
                        text = file.read()
                    if "TRESOR_TEST_PROGRAMS" in text or ".build/debug" in text:
                        words |= set(re.findall(r'/([a-z]+(?:-[a-z]+)*)"', text))
        return words

    def closure(self, names):
        found, waiting = set(), list(names)
        while waiting:
            name = waiting.pop()
            if name in found or name not in self.targets:
                continue
            found.add(name)
            waiting += self.needs[name]
        return found

    def groups(self, mutants):
        """Mutants of which none reaches the test of another."""
        groups = []
        for mutant in mutants:
            reach = self.closure(mutant.tested)
            for group in groups:
                if all(not (other.changed & reach) and not (mutant.changed & others) for other, others in group):
                    group.append((mutant, reach))
                    break
            else:
                groups.append([(mutant, reach)])
        return [[mutant for mutant, _ in group] for group in groups]


def copy(tree, kept=()):
    """The files that git knows, or would add, without a file that is the same there already: its time stays, and its build with it."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, check=True, capture_output=True)
    wanted = {path for path in listed.stdout.decode().split("\0") if path and os.path.isfile(os.path.join(ROOT, path))}
    for folder, folders, files in os.walk(tree):
        folders[:] = [name for name in folders if name not in (".build", ".git")]
        for name in files:
            path = os.path.relpath(os.path.join(folder, name), tree)
            if path not in wanted and path not in kept and path != "Package.resolved":
                os.remove(os.path.join(tree, path))
    for path in wanted.difference(kept):
        source, target = os.path.join(ROOT, path), os.path.join(tree, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(source, "rb") as file:
            content = file.read()
        if os.path.exists(target):
            with open(target, "rb") as file:
                if file.read() == content:
                    continue
        with open(target, "wb") as file:
            file.write(content)
        shutil.copymode(source, target)


class Workshop:
    """A tree, its build, and the folder where the programs are laid out as the tests want them."""

    def __init__(self, tree, stage):
        self.tree, self.stage, self.enclaves = tree, stage, ENCLAVES
        self.package = Package(tree)
        self.has_static_enclave = False
        self.running, self.is_ending = None, False
        # As 'swift test --skip-build' starts it, without its ten seconds of planning.
        self.debug = os.path.realpath(os.path.join(tree, ".build", "debug"))
        self.bundle = os.path.join(self.debug, self.package.name + "PackageTests.xctest")

    def compile(self, *what):
        """None, or all that the compiler had to say."""
        built = subprocess.run(["swift", "build", *what], cwd=self.tree, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT)
        return built.stdout.decode(errors="replace") if built.returncode else None

    def build(self, tested, changed=()):
        """None, or the first error. Tests that start no program need none linked."""
        starts = bool(self.package.starters & set(tested))
        what = DEBUG if starts else [*DEBUG[1:], "--product", self.package.name + "PackageTests"]
        if (output := self.compile(*what)) is not None:
            said = re.findall(r"error: .*", output)
            return said[0] if said else "no reason was given"
        if starts:
            self.lay_out(set(changed))
        return None

    def lay_out(self, changed, place=os.link):
        """The static enclave, where nothing that it is made of was changed: a build of it takes minutes."""
        self.has_static_enclave = not changed & self.package.closure(["tresor-enclave", "tresor-enclave-testing"])
        shutil.rmtree(self.stage, ignore_errors=True)
        os.makedirs(os.path.join(self.stage, "clock"))
        for name in PROGRAMS:
            folder = self.enclaves if name == "tresor-enclave" and self.has_static_enclave else self.debug
            place(os.path.join(folder, name), os.path.join(self.stage, name))
            place(os.path.join(folder, WITH_CLOCK.get(name, name)), os.path.join(self.stage, "clock", name))
        # Tests of languages are left out where there are none.
        catalogues = os.path.join(self.tree, "packaging", "catalogues.py")
        subprocess.run([sys.executable, catalogues, "--compile", os.path.join(self.stage, "locale")], check=True)
        os.symlink("../locale", os.path.join(self.stage, "clock", "locale"))

    def run(self, test, patience=PATIENCE, events=None):
        """What became of a test: 'green', 'red', 'crashed', 'without end' or 'not found'.

        events: where a line for each thing that happens is written to.
        """
        environment = dict(os.environ, TRESOR_PYTHON="/usr/bin/python3", TRESOR_TEST_PROGRAMS=self.stage)
        environment.setdefault("TRESOR_EXHAUST", "2")
        if self.has_static_enclave:
            environment["TRESOR_MEMORY_TESTS"] = "required"
        environment[RUN] = secrets.token_hex(8)
        if self.is_ending:
            return "not found"
        # No pipe: what a test that crashed has started would hold it, and it would never end.
        with tempfile.TemporaryFile() as log:
            started = subprocess.Popen(
                [self.bundle, "--testing-library", "swift-testing", "--filter", test,
                 *(["--event-stream-output-path", events, "--event-stream-version", "0"] if events else [])],
                cwd=self.tree, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
            self.running = started
            try:
                started.wait(timeout=patience)
            except subprocess.TimeoutExpired:
                os.killpg(started.pid, signal.SIGKILL)
                started.wait()
                return "without end"
            finally:
                end_all(environment[RUN], self.stage)
            log.seek(0)
            output = log.read().decode(errors="replace")
        count = re.search(r"Test run with ([1-9]\d*) tests?", output)
        if started.returncode:
            if count:
                return "red"
            return "crashed" if "Fatal error" in output or started.returncode < 0 else "not found"
        skipped = len(re.findall(r"^. (?:Test|Suite) .* skipped", output, re.M))
        passed = len(re.findall(r"^. Test (?!run with ).* passed", output, re.M))
        return "green" if count and (passed or not skipped) else "not found"

    def end(self):
        """Ends a test that is under way, where the whole run is stopped, and begins no other."""
        self.is_ending = True
        if self.running and self.running.poll() is None:
            os.killpg(self.running.pid, signal.SIGKILL)
        end_all("", self.stage)

    def run_all(self, tests):
        """The same of many: all at once, and then those alone that have a red test; all of them where that cannot be told."""
        if len(tests) < 2:
            return {test: self.run(test) for test in tests}
        with tempfile.TemporaryDirectory() as folder:
            events = os.path.join(folder, "events")
            became = self.run("|".join(tests), PATIENCE * len(tests), events)
            red = set()
            if became == "red":
                with open(events, encoding="utf-8") as file:
                    for event in map(json.loads, file):
                        if event["payload"].get("kind") == "issueRecorded":
                            red.add(event["payload"].get("testID", ""))
        is_known = became == "green" or (red and "" not in red)
        doubtful = [test for test in tests if not is_known or any(re.search(test, name) for name in red)]
        if doubtful:
            print(f"red or unclear without a mutant, and tried alone: {', '.join(doubtful)}", flush=True)
        return dict.fromkeys(tests, "green") | {test: self.run(test) for test in doubtful}

    def try_group(self, group, baseline):
        """Sets what became of each mutant of a group."""
        applied = []
        try:
            for mutant in group:
                if baseline.get(mutant.test) != "green":
                    mutant.result = f"its test is {baseline.get(mutant.test)} without it"
                elif not mutant.apply(self.tree):
                    mutant.result = "does not apply"
                else:
                    applied.append(mutant)
            began = time.monotonic()
            failure = self.build({target for mutant in applied for target in mutant.tested},
                                 {target for mutant in applied for target in mutant.changed}) if applied else None
            for mutant in applied if failure is None else []:
                became = self.run(mutant.test)
                mutant.result = RESULTS[became]
                mutant.seconds = time.monotonic() - began
                began = time.monotonic()
        finally:
            for mutant in reversed(applied):
                if not mutant.apply(self.tree, "-R"):
                    raise SystemExit(f"{mutant.name} could not be taken back; 'git diff Sources' shows what is left")
        if failure is not None and len(applied) == 1:
            applied[0].result = f"does not build: {failure}"
        elif failure is not None:
            for mutant in applied:
                self.try_group([mutant], baseline)


class Bench(Workshop):
    """A copy of the woven tests and programs, in which one mutant at a time is switched on."""

    def __init__(self, shop, number):
        super().__init__(shop.tree, f"{shop.stage}-{number}")
        self.enclaves = shop.enclaves
        self.lay_out(set(), shutil.copy2)
        # Beside the one it is a copy of: it finds what else it needs there.
        self.bundle = shutil.copy2(shop.bundle, f"{shop.bundle[:-7]}-{number}.xctest")
        self.programs = [os.path.join(folder, name) for folder, _, names in os.walk(self.stage) for name in names]

    def turn_on(self, number):
        for attempt in range(50):
            try:
                return switch([self.bundle, *self.programs], number)
            except OSError:
                # A program that was killed is still ending.
                if attempt == 49:
                    raise
                time.sleep(0.2)

    def try_woven(self, mutant, number):
        """Sets what became of a mutant. One that takes too long is caught where its test ends without it, beside the same load."""
        began = time.monotonic()
        try:
            self.turn_on(number)
            became = self.run(mutant.test)
            if became == "without end":
                self.turn_on(0)
                if self.run(mutant.test) != "green":
                    became = "not found"
            mutant.result = RESULTS[became]
        except OSError as error:
            mutant.result = f"could not be tried: {error}"
        mutant.seconds = time.monotonic() - began


class Weaving:
    """All mutants that can be woven, in one build."""

    def __init__(self, folder, mutants):
        reading = [mutant for mutant in mutants if READS_SOURCES.search(mutant.test)]
        tree = os.path.join(folder, "tree")
        self.loom = Loom(ROOT, tree, mutants, dict.fromkeys(reading, "its test reads Sources"))
        prepare(tree, self.loom.paths)
        self.loom.weave()
        self.shop = Workshop(tree, os.path.join(folder, "stage"))
        self.shop.enclaves = os.path.join(folder, "enclave", "release")

    def build(self):
        static = [*STATIC, "--scratch-path", os.path.dirname(self.shop.enclaves), "--product"]
        kinds = [DEBUG, [*static, "tresor-enclave"], [*static, "tresor-enclave-testing"]]
        for what in kinds:
            self.loom.weave()
            while (output := self.shop.compile(*what)) is not None:
                if not self.loom.blame(output):
                    said = sorted(set(re.findall(r"^/.*error: .*", output, re.M))) or [output[-2000:]]
                    raise SystemExit("the woven tree does not build:\n" + "\n".join(said))
                self.loom.weave()
        self.shop.lay_out(set())

    def run(self, mutants, workers, report):
        """Tries those that are woven, a few at once, and returns what became of each test without a mutant.

        Stories run one after the other, and without a mutant they take half an hour: those of other tests are tried meanwhile.
        """
        # Tests that read Sources are looked at in a plain build: this one shows nothing of them.
        tests = {mutant.test for mutant in mutants if not READS_SOURCES.search(mutant.test)}
        stories = {test for test in tests if test.startswith("StoryTests")}
        baseline = self.shop.run_all(sorted(tests - stories))
        waiting = collections.deque(sorted((mutant for mutant in self.loom.woven if mutant in mutants),
                                           key=lambda mutant: mutant.test in stories))
        are_seen = threading.Event()

        def work(bench):
            # The first of them does it: as much runs at once as afterwards.
            if bench is benches[0]:
                try:
                    baseline.update(self.shop.run_all(sorted(stories)))
                finally:
                    are_seen.set()
            while waiting:
                try:
                    mutant = waiting.popleft()
                except IndexError:
                    return
                if mutant.test in stories:
                    are_seen.wait()
                if baseline.get(mutant.test) != "green":
                    mutant.result = f"its test is {baseline.get(mutant.test)} without it"
                else:
                    bench.try_woven(mutant, self.loom.numbers[mutant])
                report(mutant)

        benches = [Bench(self.shop, number) for number in range(1, workers + 1)]
        threads = [threading.Thread(target=work, args=[bench], daemon=True) for bench in benches]
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        except BaseException:
            waiting.clear()
            for shop in [self.shop, *benches]:
                shop.end()
            raise
        return baseline

    def run_alone(self, mutant, baseline):
        """Builds one that could not be woven: its files have no other mutant meanwhile."""
        self.loom.unweave(mutant)
        self.shop.try_group([mutant], baseline)
        self.loom.weave()


def markdown(mutants):
    rows = [f"| {mutant.name} | {mutant.why} | `{mutant.test.replace('|', chr(92) + '|')}` | {mutant.result} |" for mutant in mutants]
    return "\n".join(["| mutant | what it breaks | test | |", "| --- | --- | --- | --- |", *rows]) + "\n"


class Known:
    """Which mutants were caught on another day: lines of a file, each the digest of a patch, its name and its result."""

    def __init__(self, path):
        self.path, self.lines = path, {}
        if path and os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                for line in file:
                    digest, name, result = line.rstrip("\n").split("\t")
                    self.lines[digest] = (name, result)

    def result(self, mutant):
        return self.lines.get(mutant.digest, (None, None))[1]

    def add(self, mutant):
        if self.path and mutant.result.startswith("caught"):
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(f"{mutant.digest}\t{mutant.name}\t{mutant.result}\n")


def prepare(tree, kept=()):
    os.makedirs(tree, exist_ok=True)
    copy(tree, kept)
    # git apply looks for a repository above, and would leave out what lies outside of it.
    if not os.path.isdir(os.path.join(tree, ".git")):
        subprocess.run(["git", "init", "-q"], cwd=tree, check=True)


def workshop(folder):
    if folder is None:
        if subprocess.run(["git", "diff", "--quiet", "HEAD", "--", "Sources"], cwd=ROOT).returncode:
            raise SystemExit("Sources has changes; commit them first")
        return Workshop(ROOT, os.path.join(ROOT, ".build-mutants", "stage"))
    tree = os.path.join(folder, "plain")
    prepare(tree)
    return Workshop(tree, os.path.join(folder, "stage-plain"))


def main(options):
    names = sorted(name[:-6] for name in os.listdir(MUTANTS) if name.endswith(".patch"))
    mutants = [Mutant(name) for name in options.names or names]
    known = Known(options.known)
    for mutant in mutants:
        mutant.result = known.result(mutant)
    left = [mutant for mutant in mutants if mutant.result is None and re.search(options.tests, mutant.test)]
    print(f"{len(left)} of {len(mutants)} are tried", flush=True)
    lock = threading.Lock()

    def report(mutant):
        with lock:
            known.add(mutant)
            print(f"{mutant.name:44} {mutant.result:28} {mutant.seconds:5.0f} s  {mutant.why}", flush=True)

    if options.folder and len(left) >= MANY:
        # All of them: the next run finds the same build.
        weaving = Weaving(options.folder, mutants)
        weaving.build()
        baseline = weaving.run(left, options.workers, report)
        for mutant in weaving.loom.left_out:
            if mutant in left and not READS_SOURCES.search(mutant.test):
                weaving.run_alone(mutant, baseline)
                report(mutant)
        left = [mutant for mutant in left if mutant.result is None]
    if left:
        shop = workshop(options.folder)
        subprocess.run(["make", "enclave"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        if failure := shop.build({target for mutant in left for target in mutant.tested}):
            raise SystemExit(f"the tree does not build without a mutant: {failure}")
        tests = sorted({mutant.test for mutant in left})
        baseline = dict.fromkeys(tests, "green") if options.green else shop.run_all(tests)
        for group in shop.package.groups(left):
            shop.try_group(group, baseline)
            for mutant in group:
                report(mutant)
    mutants = [mutant for mutant in mutants if mutant.result is not None]
    caught = sum(mutant.result.startswith("caught") for mutant in mutants)
    print(f"{caught} of {len(mutants)} mutants caught")
    if options.markdown:
        with open(options.markdown, "w", encoding="utf-8") as file:
            file.write(markdown(mutants))
    return 0 if caught == len(mutants) else 1


if __name__ == "__main__":
    # An end by a signal takes the mutant back, too.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(1))
    arguments = sys.argv[1:]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--here", action="store_true")
    parser.add_argument("--markdown")
    parser.add_argument("--known")
    parser.add_argument("--green", action="store_true")
    parser.add_argument("--tests", default="")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("names", nargs="*")
    options = parser.parse_args(arguments)
    if not options.here and not options.names:
        parser.error("a folder is needed, or --here")
    options.folder = None if options.here else os.path.abspath(options.names.pop(0))
    sys.exit(main(options))
