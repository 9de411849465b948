#!/usr/bin/env python3
"""Cuts the power at any moment, again and again, and looks whether what was acknowledged is there: `make powercuts`.

While a person works (items, notes, files, a diary, settings, a passcode), strace(1) records each write, sync, rename and removal of
every program. From that the disk is built again as it may be after a cut at some moment:

    ordered    all that was written before the moment, in its order
    unordered  what was synced before the moment; of what was not, each write or none of it, and of each folder's changes the first few,
               as far as its own sync does not say more: a name lasts only after a sync of its folder
    failed     as unordered, of a record in which syncs failed now and then: what such a sync should have brought to the disk never gets there

Then the device is started on it. Right is: it starts; all that was acknowledged before the moment reads as it was acknowledged; what was
under way is there or not, whole; and a look at everything finds nothing damaged.

    packaging/powercuts.py PROGRAMS [--states 300] [--seed N]

Exits with 1 where a state is not right. Needs root, and strace.
"""
import argparse
import collections
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from damage import copied, hear_signals, png  # noqa: E402
from faults import PASSPHRASE, PASSWORD, Faults  # noqa: E402

CALLS = "openat,creat,pwrite64,write,ftruncate,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,rmdir,link,linkat,fallocate"
CODES = (b"meadow larks 4711\n", b"amber tides 1174\n")
LINE = re.compile(r"^(\d+) +(\d+\.\d+) (\w+)\((.*)\) += (-?\d+)(.*)$")
UNFINISHED = re.compile(r"^(\d+) +(\d+\.\d+) (\w+)\((.*) <unfinished \.\.\.>$")
RESUMED = re.compile(r"^(\d+) +\d+\.\d+ <\.\.\. (\w+) resumed>(.*)$")


class Disk:
    """Files and folders: what is on the disk, and what was done since and may be on it."""

    class File:
        def __init__(self, content=b""):
            self.safe, self.since = content, []

        def take(self, change):
            self.since.append(change)

        def sync(self, worked):
            if worked:
                self.safe = apply(self.safe, self.since)
            # What a failed sync should have brought to the disk is taken for clean, and is never written.
            self.since = []

    class Folder:
        def __init__(self):
            self.safe, self.since = {}, []

    def __init__(self, root, folder):
        self.root = root
        self.files, self.folders = {}, {}
        for base, folders, files in os.walk(folder):
            place = os.path.normpath(os.path.join(root, os.path.relpath(base, folder)))
            entry = self.folders[place] = self.Folder()
            for name in folders:
                entry.safe[name] = os.path.join(place, name)
            for name in files:
                with open(os.path.join(base, name), "rb") as file:
                    entry.safe[name] = self.File(file.read())
                self.files[os.path.join(place, name)] = entry.safe[name]

    def change(self, path, to):
        folder, name = os.path.split(path)
        self.folders[folder].since.append([(name, to)])

    def play(self, event):
        _, call, arguments, worked = event
        if call in ("fsync", "fdatasync"):
            (path,) = arguments
            if path in self.files:
                self.files[path].sync(worked)
            elif path in self.folders and worked:
                folder = self.folders[path]
                for changes in folder.since:
                    folder.safe.update(changes)
                folder.since = []
            return
        if not worked:
            return
        if call == "create":
            path, cut = arguments
            if path not in self.files:
                self.files[path] = self.File()
                self.change(path, self.files[path])
            elif cut:
                self.files[path].take(("cut", 0))
        elif call == "write" and arguments[0] in self.files:
            self.files[arguments[0]].take(("write", arguments[1], arguments[2]))
        elif call == "cut" and arguments[0] in self.files:
            self.files[arguments[0]].take(("cut", arguments[1]))
        elif call == "rename":
            old, new = arguments
            if old in self.files:
                file = self.files.pop(old)
                self.files[new] = file
                if os.path.dirname(old) == os.path.dirname(new):
                    self.folders[os.path.dirname(old)].since.append([(os.path.basename(old), None), (os.path.basename(new), file)])
                else:
                    self.change(new, file)
                    self.change(old, None)
            elif old in self.folders:
                raise SystemExit(f"a folder is renamed: {old}")
        elif call == "unlink":
            if self.files.pop(arguments[0], None):
                self.change(arguments[0], None)
            elif arguments[0] in self.folders:
                self.change(arguments[0], None)
        elif call == "mkdir":
            self.folders[arguments[0]] = self.Folder()
            self.change(arguments[0], arguments[0])

    def build(self, into, model, dice):
        """Writes what may be left."""
        def folder(place, path):
            os.mkdir(path)
            entry = self.folders[place]
            names = dict(entry.safe)
            for changes in entry.since[: len(entry.since) if model == "ordered" else dice.randint(0, len(entry.since))]:
                names.update(changes)
            for name, what in names.items():
                at = os.path.join(path, name)
                if isinstance(what, str):
                    folder(what, at)
                elif what is not None:
                    since = what.since if model == "ordered" else [change for change in what.since if dice.random() < 0.5]
                    with open(at, "wb") as file:
                        file.write(apply(what.safe, since))
                    os.chmod(at, 0o600)
            os.chmod(path, 0o700)
        folder(self.root, into)


def apply(content, changes):
    content = bytearray(content)
    for change in changes:
        if change[0] == "cut":
            content = content[: change[1]] + bytes(max(0, change[1] - len(content)))
        else:
            _, offset, data = change
            if len(content) < offset:
                content += bytes(offset - len(content))
            content[offset:offset + len(data)] = data
    return bytes(content)


def unquote(text):
    """What strace's -xx has written, as bytes."""
    return bytes.fromhex(text.replace("\\x", ""))


def parse(log, root):
    """The events that concern files below a folder: time, what, arguments, whether it worked."""
    events, waiting, places = [], {}, {}
    descriptor = r"(-?\d+|AT_FDCWD)(?:<((?:\\x[0-9a-f]{2})*)>(?:\(deleted\))?)?"
    string = r'"((?:\\x[0-9a-f]{2})*)"'

    def path(folder, name):
        name = unquote(name).decode()
        return os.path.normpath(os.path.join(unquote(folder or "").decode(), name))

    with open(log, encoding="ascii", errors="replace") as file:
        for line in file:
            line = line.rstrip("\n")
            found = UNFINISHED.match(line)
            if found:
                waiting[found[1], found[3]] = (found[2], found[4])
                continue
            found = RESUMED.match(line)
            if found and (found[1], found[2]) in waiting:
                time_, start = waiting.pop((found[1], found[2]))
                line = f"{found[1]} {time_} {found[2]}({start}{found[3]}"
            found = LINE.match(line)
            if not found:
                continue
            _, at, call, text, result, _ = found.groups()
            result, worked = int(result), int(result) >= 0
            event = None
            if call in ("openat", "creat"):
                match = re.match(descriptor + ", " + string + ", ([A-Z_|]+)", text)
                if match and "O_CREAT" in match[4]:
                    event = ("create", (path(match[2], match[3]), "O_TRUNC" in match[4]))
                elif match and "O_TRUNC" in match[4]:
                    event = ("cut", (path(match[2], match[3]), 0))
                if match and worked:
                    places[path(match[2], match[3])] = 0
            elif call in ("fsync", "fdatasync"):
                match = re.match(descriptor, text)
                if match and match[2]:
                    event = (call, (unquote(match[2]).decode(),))
            elif call == "pwrite64":
                match = re.match(descriptor + ", " + string + r", \d+, (\d+)", text)
                if match and match[2]:
                    data = unquote(match[3])[: max(0, result)]
                    event = ("write", (unquote(match[2]).decode(), int(match[4]), data))
            elif call == "write":
                match = re.match(descriptor + ", " + string, text)
                if match and match[2]:
                    name = unquote(match[2]).decode()
                    if name.startswith(root + "/"):
                        data = unquote(match[3])[: max(0, result)]
                        event = ("write", (name, places.get(name, 0), data))
                        places[name] = places.get(name, 0) + len(data)
            elif call in ("ftruncate", "fallocate"):
                match = re.match(descriptor + r", (.*)$", text)
                if match and match[2] and call == "ftruncate":
                    event = ("cut", (unquote(match[2]).decode(), int(match[3])))
            elif call.startswith("rename"):
                both = re.findall(r"(?:(?:-?\d+|AT_FDCWD)<((?:\\x[0-9a-f]{2})*)>, )?" + string, text)
                if len(both) == 2:
                    event = ("rename", tuple(path(*one) for one in both))
            elif call in ("unlink", "unlinkat", "rmdir", "mkdir", "mkdirat"):
                match = re.search(r"(?:(?:-?\d+|AT_FDCWD)<((?:\\x[0-9a-f]{2})*)>, )?" + string, text)
                event = ("mkdir" if call.startswith("mkdir") else "unlink", (path(match[1], match[2]),))
            elif call in ("link", "linkat"):
                raise SystemExit(f"a link is made, which is not played: {line[:200]}")
            if event and (event[1][0] == root or event[1][0].startswith(root + "/")):
                events.append((float(at), *event, worked))
    return sorted(events, key=lambda event: event[0])


class Diligence:
    """What a person does, and what is to be there at each moment."""

    def __init__(self, home, work):
        self.home, self.work = home, work
        # (begun, acknowledged or None for refused, key, value)
        self.done = []

    def note(self, key, value, *arguments, text=b""):
        begun = time.time()
        code, out, said = self.home.run(*arguments, text=text)
        known = "done" if code == 0 else ("unsure" if "not known" in said else "refused")
        self.done.append((begun, time.time(), known, key, value))
        return out.decode().strip() if code == 0 else None

    def work_on(self, rounds):
        for number in range(rounds):
            self.note(f"item added {number}", b"value", "keychain", "add", "--service", f"added {number}", text=b"value")
            self.note("item changed", f"value {number}".encode(), "keychain", "update", "--service", "changed", text=f"value {number}".encode())
            self.note(f"item removed {number}", None, "keychain", "delete", "--service", f"removed {number}")
            made = self.note(f"note {number}", "first", "notes", "new", text=f"# Note {number}.\n\nfirst\n".encode())
            if made:
                self.note(f"note {number}", "second", "notes", "edit", made, text=f"# Note {number}.\n\nsecond\n".encode())
                self.note(f"file {number}", png(1), "notes", "attach", made, self.work + "/one.png")
            self.note(f"entry {number}", True, "diary", "add", "--photo", self.work + "/one.png", text=f"Entry {number}.\n".encode())
            self.note("idle lock", str(600 + number), "settings", "device", "--idle-lock", str(600 + number))
            if number % 3 == 2:
                change = number // 3 % 2
                self.note("passcode", CODES[1 - change], "passcode", "change", text=CODES[change] + CODES[1 - change] * 2)

    def allowed(self, moment):
        """For each key the values that are right after a cut at a moment."""
        values = collections.defaultdict(lambda: [NEVER])
        for begun, answered, known, key, value in self.done:
            if begun > moment:
                break
            if answered < moment and known == "done":
                values[key] = [value]
            elif answered >= moment or known == "unsure":
                values[key] = values[key] + [value]
        return values


NEVER = object()


def read(home, rounds):
    """What is there, by the same keys; and what is wrong."""
    found, wrong = {}, []
    code, _, said = home.run("up", "--detach")
    if code:
        return found, [f"up: {code} {said}"]
    for passcode in CODES:
        if home.run("unlock", text=passcode)[0] == 0:
            found["passcode"] = passcode
            break
    else:
        return found, ["no passcode opens the device"]
    code, _, said = home.run("diary", "sign-in", text=PASSWORD)
    if code:
        wrong.append(f"diary sign-in: {code} {said}")
    for number in range(rounds):
        for key, service in ((f"item added {number}", f"added {number}"), (f"item removed {number}", f"removed {number}")):
            code, out, _ = home.run("keychain", "get", "--service", service)
            found[key] = out if code == 0 else None
    found["item changed"] = home.run("keychain", "get", "--service", "changed")[1]
    folder = tempfile.mkdtemp()
    code, _, said = home.run("notes", "export", folder + "/notes")
    if code:
        wrong.append(f"notes export: {code} {said}")
    for name in filter(lambda name: name.endswith(".md"), os.listdir(folder + "/notes") if os.path.isdir(folder + "/notes") else []):
        with open(f"{folder}/notes/{name}", encoding="utf-8") as file:
            text = file.read()
        number = re.search(r"^# Note (\d+)\.$", text, re.MULTILINE)
        if not number:
            continue
        found[f"note {number[1]}"] = "second" if "second" in text else "first"
        picture = re.search(r"\(<?(attachments/[^)>]*)>?\)", text)
        if picture:
            with open(f"{folder}/notes/{picture[1].replace('%20', ' ')}", "rb") as file:
                found[f"file {number[1]}"] = file.read()
    shutil.rmtree(folder, ignore_errors=True)
    entries = home.run("diary", "list")[1].decode()
    for number in range(rounds):
        found[f"entry {number}"] = True if f"Entry {number}." in entries else None
    settings = re.search(r"\b6\d\d\b", home.run("settings")[1].decode())
    found["idle lock"] = settings and settings[0]
    code, out, said = home.run("doctor", "--data")
    if code:
        wrong.append(f"doctor --data: {code} {out.decode()} {said}")
    return found, wrong


def judge(found, allowed):
    wrong = []
    for key, values in allowed.items():
        value = found.get(key)
        if value not in [None if one is NEVER else one for one in values] and not (key in ("passcode", "idle lock", "item changed") and NEVER in values):
            if key.startswith("item removed") and NEVER in values and value == b"x":
                continue
            wrong.append(f"{key}: {value!r:.60}, and not {values!r:.80}")
    for key, value in found.items():
        if key not in allowed and value is not None and not key.startswith(("item removed", "item changed", "passcode", "idle")):
            wrong.append(f"{key} is there before it was made: {value!r:.60}")
    return wrong


def record(programs, work, name, rounds, injection=()):
    home = Faults(programs, f"{work}/{name}")
    home.must("up", "--detach")
    home.must("passcode", "set", text=CODES[0] * 2)
    home.must("keychain", "add", "--service", "changed", text=b"value")
    for number in range(rounds):
        home.must("keychain", "add", "--service", f"removed {number}", text=b"x")
    home.must("notes", "new", text=b"# Kept\n\nkept\n")
    home.must("notes", "passphrase", "set", text=PASSPHRASE * 2)
    home.must("diary", "register", text=PASSWORD * 2)
    home.must("diary", "sign-in", text=PASSWORD)
    home.must("notes", "list")
    time.sleep(1)
    before = f"{work}/{name}.before"
    shutil.copytree(home.folder, before, ignore=lambda folder, names: [n for n in names if not os.path.isfile(f"{folder}/{n}") and not os.path.isdir(f"{folder}/{n}")])
    log = f"{work}/{name}.log"
    targets = [argument for process in sum(home.processes().values(), []) for argument in ("-p", str(process))]
    tracer = subprocess.Popen(["strace", "-f", "-ttt", "-y", "-xx", "-s", "2000000", "-o", log, "-e", f"trace={CALLS}", *injection, *targets],
                              stderr=subprocess.PIPE)
    for _ in range(len(targets) // 2):
        tracer.stderr.readline()
    person = Diligence(home, work)
    person.work_on(rounds)
    tracer.send_signal(signal.SIGINT)
    tracer.wait()
    home.kill()
    return before, parse(log, home.folder), person, home.folder


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs")
    parser.add_argument("--states", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="leaves what was built of states that are not right")
    chosen = parser.parse_args()
    hear_signals()
    work = tempfile.mkdtemp(prefix="tresor-powercuts-")
    programs = copied(chosen.programs, work)
    with open(work + "/one.png", "wb") as file:
        file.write(png(1))
    dice = random.Random(chosen.seed)
    plain = record(programs, work, "plain", chosen.rounds)
    failing = record(programs, work, "failing", chosen.rounds, ["-e", "inject=fdatasync,fsync:error=EIO:when=9+11"])
    for name, recorded in (("plain", plain), ("failing", failing)):
        known = collections.Counter(done[2] for done in recorded[2].done)
        print(f"{name}: {len(recorded[1])} events, {dict(known)}", flush=True)
    bad, counts = 0, collections.Counter()
    for number in range(chosen.states):
        model = ("ordered", "unordered", "unordered", "failed")[number % 4]
        before, events, person, root = failing if model == "failed" else plain
        cut = dice.randrange(len(events))
        disk = Disk(root, before)
        for event in events[:cut]:
            disk.play(event)
        folder = f"{work}/state-{number}"
        disk.build(folder, model, dice)
        home = Faults(programs, folder)
        found, wrong = read(home, chosen.rounds)
        home.kill()
        if not wrong:
            wrong = judge(found, person.allowed(events[cut][0]))
        counts[model] += 1
        if wrong:
            bad += 1
            print(f"{number}, {model}, before event {cut} ({events[cut][1]} {events[cut][2][0]}): {'; '.join(wrong)[:600]}", flush=True)
        if not wrong or not chosen.keep:
            shutil.rmtree(folder, ignore_errors=True)
    print(f"{sum(counts.values())} cuts ({', '.join(f'{n} {model}' for model, n in counts.items())}): {bad} not right")
    if not chosen.keep:
        shutil.rmtree(work)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
