#!/usr/bin/env python3
"""Lets each storage call of each program fail, one at a time, and looks what the commands say and what is there: `make faults`.

For each operation (an item added, a note edited, a passcode changed …), each program that has a part in it, and each call that
reads or writes a file: strace(1) lets the first such call fail, then the second, until none of that number is made. After each
failure the operation's exit code is compared with what is there: right then, and once more after every program was killed with
SIGKILL and started again.

    no file    the call was about a pipe or a socket
    done       0, and it is there
    refused    an error, and it is not there
    killed     the enclave's filter of calls ended it at this call; the device starts, and all else is there
    unsure     an error that says that it is not known, whatever is there
    LIES       0, and it is not there; or an error that says "nothing was changed", and it is
    LOST       something else reads as it did not before, or the device does not start any more
    CODE       an error that is none of storage (74, 73), try again (75), damage (8), or of a program that could not start (69)
    CRASH      a program ended by itself

    packaging/faults.py PROGRAMS [--only TEXT] [--error EIO] [--most N] [--markdown FILE]

Exits with 1 where a cell is in capitals. Needs root, and strace.
"""
import argparse
import collections
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from damage import Home, copied, hear_signals, png  # noqa: E402

CALLS = ["openat", "pread64", "pwrite64", "write", "fsync", "fdatasync", "ftruncate", "fallocate", "lseek",
         "rename,renameat,renameat2", "unlink,unlinkat", "mkdir,mkdirat", "newfstatat,fstat,statx"]
ERRORS = {"EIO": {74, 73, 75, 8, 69}, "ENOSPC": {73, 74, 75, 8, 69}, "EMFILE": {74, 73, 75, 8, 69}}
BAD = ("LIES", "LOST", "CODE", "CRASH")
PASSPHRASE, PASSWORD = b"quince\n", b"a blue door\n"


class Faults(Home):
    """A home whose programs lie in a folder of their own, so that all of them are known."""

    def processes(self):
        """Process ids by the name of the program."""
        found = {}
        for process in filter(str.isdigit, os.listdir("/proc")):
            try:
                path = os.readlink(f"/proc/{process}/exe")
            except OSError:
                continue
            if path.startswith(self.programs + "/"):
                found.setdefault(os.path.basename(path), []).append(int(process))
        return found

    def residents(self):
        """The process ids of all programs but the command."""
        return [process for name, processes in self.processes().items() if name != "tresor" for process in processes]

    def kill(self):
        residents = self.residents()
        for process in residents:
            try:
                os.kill(process, signal.SIGKILL)
            except OSError:
                pass
        deadline = time.time() + 10
        while set(residents) & set(self.residents()) and time.time() < deadline:
            time.sleep(0.005)

    def start(self, opens=()):
        code, _, said = self.run("up", "--detach")
        if code:
            return f"up: {code} {said}"
        if all(self.run("unlock", text=passcode)[0] for passcode in CODES):
            return "no passcode opens the device"
        for arguments, text in opens:
            code, _, said = self.run(*arguments, text=text)
            if code:
                return f"{arguments}: {code} {said}"
        return None


CODES = [b"meadow larks 4711\n", b"amber tides 1174\n"]


class Operation:
    """One thing that a person does: `do` says how, `holds` whether it is there, `undo` makes the next round possible."""

    def __init__(self, name, programs, do, holds, before=None, opens=(), lasts=True):
        self.name, self.programs, self.do, self.holds, self.before, self.opens = name, programs, do, holds, before, opens
        # Whether it is there after a start as well.
        self.lasts = lasts


def operations(work):
    notes = [(("notes", "unlock"), PASSPHRASE)]
    diary = [(("diary", "sign-in"), PASSWORD)]
    core = ["tresord", "tresor-enclave"]

    def item(home, name):
        code, out, _ = home.run("keychain", "get", "--service", name)
        return out if code == 0 else None

    def titles(home):
        return home.run("notes", "list")[1].decode()

    yield Operation("keychain add", core, lambda home, n: home.run("keychain", "add", "--service", f"s{n}", text=f"v{n}".encode()),
                    lambda home, n: item(home, f"s{n}") == f"v{n}".encode())
    yield Operation("keychain update", core, lambda home, n: home.run("keychain", "update", "--service", "changed", text=f"u{n}".encode()),
                    lambda home, n: item(home, "changed") == f"u{n}".encode())
    yield Operation("keychain delete", core, lambda home, n: home.run("keychain", "delete", "--service", f"d{n}"),
                    lambda home, n: item(home, f"d{n}") is None,
                    lambda home, n: home.must("keychain", "add", "--service", f"d{n}", text=b"x"))
    yield Operation("notes new", ["tresor-notes"], lambda home, n: home.run("notes", "new", text=f"# Title {n}.\n\nwords\n".encode()),
                    lambda home, n: f"Title {n}." in titles(home))
    edited = {}

    def make(home, n):
        edited[n] = home.must("notes", "new", text=b"# Edited\n\nfirst\n")

    yield Operation("notes edit", ["tresor-notes"], lambda home, n: home.run("notes", "edit", edited[n], text=f"# Edited {n}.\n".encode()),
                    lambda home, n: f"Edited {n}." in titles(home), make)
    yield Operation("notes attach", ["tresor-notes", "tresor"], lambda home, n: home.run("notes", "attach", edited[n], work + "/one.png"),
                    lambda home, n: home.run("notes", "extract", edited[n], "one.png")[1] == png(1), make)
    yield Operation("notes lock", ["tresor-notes", "tresord"], lambda home, n: home.run("notes", "lock", edited[n]),
                    lambda home, n: '"locked" : true' in home.run("notes", "show", edited[n], "--json")[1].decode(), make, notes)
    yield Operation("notes delete", ["tresor-notes"], lambda home, n: home.run("notes", "delete", edited[n]),
                    lambda home, n: edited[n][:8] not in titles(home), make)
    yield Operation("diary add", ["tresor-diary", "tresor"],
                    lambda home, n: home.run("diary", "add", "--photo", work + "/one.png", text=f"Entry {n}.\n".encode()),
                    lambda home, n: f"Entry {n}." in home.run("diary", "list")[1].decode(), None, diary)
    # Which of the two holds; a wrong one beside it is counted, and the right one forgives it.
    def passcode(home, number):
        home.run("lock")
        holds = home.run("unlock", text=CODES[number])[0] == 0
        if not holds:
            home.run("unlock", text=CODES[1 - number])
        return holds

    target = {}

    def change(home, n):
        present = 0 if passcode(home, 0) else 1
        target[n] = 1 - present

    yield Operation("passcode change", core,
                    lambda home, n: home.run("passcode", "change", text=CODES[1 - target[n]] + CODES[target[n]] * 2),
                    lambda home, n: passcode(home, target[n]), change)
    yield Operation("unlock", core, lambda home, n: home.run("unlock", text=CODES[target["now"]]),
                    lambda home, n: item(home, "kept 0") is not None,
                    lambda home, n: (target.update(now=0 if passcode(home, 0) else 1), home.run("lock")), lasts=False)
    yield Operation("settings", core, lambda home, n: home.run("settings", "device", "--idle-lock", str(600 + n)),
                    lambda home, n: str(600 + n) in home.run("settings")[1].decode())


def probe(home, operation, program, calls, error, number, tag):
    """One failure.

    - Returns: the verdict, and why; None where no such call was made.
    """
    if operation.before:
        operation.before(home, tag)
    log = f"{home.folder}.strace"
    strace = ["strace", "-f", "-o", log, "-y", "-e", f"trace={calls}", "-e", f"inject={calls}:error={error}:when={number}"]
    if program == "tresor":
        # The command itself, with all threads that it has.
        plain = home.run
        home.run = lambda *arguments, text=b"": run_under(home, strace, arguments, text)
        outcome = operation.do(home, tag)
        home.run = plain
    else:
        targets = home.processes().get(program, [])
        if not targets:
            raise SystemExit(f"{program} does not run")
        tracer = subprocess.Popen([*strace, *[word for target in targets for word in ("-p", str(target))]], stderr=subprocess.PIPE)
        for _ in targets:
            tracer.stderr.readline()
        outcome = operation.do(home, tag)
        tracer.send_signal(signal.SIGINT)
        tracer.wait()
        tracer.stderr.close()
    with open(log, encoding="utf-8", errors="replace") as file:
        text = file.read()
    injected = [line for line in text.split("\n") if "(INJECTED)" in line]
    if not injected:
        return None
    # Of pipes, sockets and the linker's look for libraries nothing is stored.
    if all(re.search(r"\(\d+<(pipe|socket|anon_inode):?", line) for line in injected):
        return "no file", ""
    alive = home.processes()
    code, _, said = outcome
    if code == 127 and "shared" in said:
        return "refused", "by the linker"
    if code in (-1, 1) or code > 128:
        return "CRASH", f"{code} {said}"
    # A program that ended is started again by the next request; that it was there is what the log says.
    is_crash = "+++ killed by SIG" in text and "SIGKILL" not in text
    if is_crash and "SIGSYS" in text:
        # What strace puts in a call's place the enclave's filter does not know: it is killed at this step.
        home.kill()
        failure = home.start(operation.opens)
        return ("LOST", failure) if failure else ("killed", "")
    if is_crash:
        return "CRASH", text.strip().split("\n")[-1]
    if code and code not in ERRORS[error]:
        return "CODE", f"{code} {said}"
    now = operation.holds(home, tag) if alive else None
    home.kill()
    failure = home.start(operation.opens)
    if failure:
        return "LOST", failure
    later = operation.holds(home, tag) if operation.lasts else now
    if code == 0:
        return ("done", "") if now is not False and later else ("LIES", f"0, but {now}, {later}")
    if "then this failed" in said and now is not False and later:
        return "done", "and said so"
    if "not known" in said or "whether this was changed is known at the next start" in said or "whether what you asked for was done" in said:
        return "unsure", ""
    if now or later:
        return ("LIES" if "nothing was changed" in said else "CODE"), f"{code} {said.strip()}: there now {now}, later {later}"
    return "refused", str(code)


def run_under(home, strace, arguments, text):
    environment = {"TRESOR_HOME": home.folder, "PATH": "/usr/bin:/bin"}
    process = subprocess.run([*strace, home.programs + "/tresor", *arguments], env=environment, input=text, capture_output=True,
                             timeout=60, check=False)
    return process.returncode, process.stdout, process.stderr.decode(errors="replace")


def whole(home):
    """What must read the same whatever failed."""
    said = []
    for number in range(3):
        said.append(home.run("keychain", "get", "--service", f"kept {number}")[:2])
    said.append(home.run("notes", "search", "keepsake")[:2])
    return said


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs")
    parser.add_argument("--only", default="", help="operations, programs or calls with this text in them")
    parser.add_argument("--error", default="EIO", choices=sorted(ERRORS))
    parser.add_argument("--most", type=int, default=60, help="the highest number of a call that is tried")
    parser.add_argument("--markdown")
    chosen = parser.parse_args()
    hear_signals()
    work = tempfile.mkdtemp(prefix="tresor-faults-")
    programs = copied(chosen.programs, work)
    with open(work + "/one.png", "wb") as file:
        file.write(png(1))
    home = Faults(programs, work + "/home")
    home.must("up", "--detach")
    for number in range(3):
        home.must("keychain", "add", "--service", f"kept {number}", text=f"kept value {number}".encode())
    home.must("keychain", "add", "--service", "changed", text=b"old")
    home.must("notes", "new", text=b"# Kept\n\nkeepsake\n")
    home.must("notes", "passphrase", "set", text=PASSPHRASE * 2)
    home.must("diary", "register", text=PASSWORD * 2)
    home.must("passcode", "set", text=CODES[0] * 2)
    before = whole(home)
    table, count, bad, tag = collections.defaultdict(collections.Counter), 0, 0, 0
    for operation in operations(work):
        failure = home.start(operation.opens)
        if failure:
            raise SystemExit(failure)
        for program in operation.programs:
            for calls in CALLS:
                line = f"{operation.name} | {program} | {calls}"
                if chosen.only not in line:
                    continue
                number = 0
                while number < chosen.most:
                    number, tag = number + 1, tag + 1
                    found = probe(home, operation, program, calls, chosen.error, number, tag)
                    if not found:
                        break
                    verdict, why = found
                    if verdict == "CRASH":
                        home.kill()
                        home.start(operation.opens)
                    if whole(home) != before:
                        verdict, why = "LOST", f"{whole(home)}"
                    table[line][verdict] += 1
                    count += 1
                    if verdict in BAD:
                        bad += 1
                        print(f"{line} {number}: {verdict}: {why[:300]}", flush=True)
    home.kill()
    lines = ["| operation | program | call | failures |", "| --- | --- | --- | --- |"]
    for line, verdicts in table.items():
        lines.append(f"| {line} | " + ", ".join(f"{number} {verdict}" for verdict, number in sorted(verdicts.items())) + " |")
    print("\n".join(lines))
    print(f"{count} calls failed, one at a time; {bad} of them not right")
    if chosen.markdown:
        with open(chosen.markdown, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    shutil.rmtree(work)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
