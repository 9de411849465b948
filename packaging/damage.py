#!/usr/bin/env python3
"""Damages a home in one place at a time, and looks what every command says of it: the table of `make damage`.

A home with every kind of object is made once. For each row of each database and each file, a copy of it is damaged alone: one bit,
cut in half, emptied, gone, a folder in its place, swapped with another of its kind; and each page of each database is overwritten.
Then all objects are read one by one, listed, searched, exported, shown on a screen, and looked at by `doctor --data`. A cell is

    whole      every object reads as before; what is damaged was made good, or is made anew
    named      objects of one owner (an item, a note, an entry) read no more, each that lists or exports says so with 8, and
               all others read as before, and stand on the screen
    SILENT     something reads no more, or is missing, and a list, an export, a screen or the look does not say so
    WRONG      something reads as what it never was
    OTHERS     objects of several owners read no more, though the damage hit one
    CRASH      a program ended, or did not answer
    told       of a page: what it held is named, or the start refuses with 8 and says to repair; nothing reads wrong

    packaging/damage.py PROGRAMS [--only TEXT] [--every N] [--markdown FILE]

Exits with 1 where a cell is in capitals.
"""
import argparse
import collections
import contextlib
import fcntl
import hashlib
import json
import os
import pty
import random
import re
import select
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import termios
import time
import zlib

PATIENCE = 60
NOTES = {1: "head", 2: "text", 3: "lock", 4: "passphrase", 5: "attachment", 6: "version", 7: "history", 8: "settings",
         9: "origin", 10: "import key", 11: "source", 128: "draft", 129: "tries"}
DIARY = {1: "head", 2: "text", 3: "settings", 4: "template", 128: "timeline"}
BAD = ("SILENT", "WRONG", "OTHERS", "CRASH")


def hear_signals():
    """Takes back what whoever started this has blocked or ignored: strace would inherit it, and hear no interrupt that ends it."""
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


def copied(programs, work):
    """A copy of programs in a folder of their own, which no build replaces meanwhile: with the runtime that they look for beside it."""
    bin = os.path.realpath(programs)
    shutil.copytree(bin, f"{work}/bin")
    runtime = os.path.join(os.path.dirname(bin), "lib")
    if os.path.isdir(runtime):
        shutil.copytree(runtime, f"{work}/lib")
    return f"{work}/bin"


def png(seed):
    """A picture of 48 by 32 noisy points."""
    noise = random.Random(seed)
    rows = b"".join(b"\0" + bytes(noise.randrange(256) for _ in range(48 * 3)) for _ in range(32))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 48, 32, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


class Home:
    """A home and its device; ended with what it has started."""

    def __init__(self, programs, folder):
        self.programs, self.folder = programs, folder

    def run(self, *arguments, text=b""):
        """The exit code, what was printed and what was said."""
        environment = {"TRESOR_HOME": self.folder, "PATH": "/usr/bin:/bin"}
        process = subprocess.Popen([self.programs + "/tresor", *arguments], env=environment, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            out, said = process.communicate(text, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return -1, b"", "no answer"
        return process.returncode, out, said.decode(errors="replace")

    def screen(self, *arguments, keys=()):
        """What a screen of 160 by 60 has shown when its owner leaves it, and the exit code.

        keys: what to wait for, and what is typed then.
        """
        child, terminal = pty.fork()
        if child == 0:
            os.execve(self.programs + "/tresor", ["tresor", *arguments],
                      {"TRESOR_HOME": self.folder, "PATH": "/usr/bin:/bin", "TERM": "xterm-256color", "LANG": "C.UTF-8"})
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 160, 0, 0))
        shown, waiting, end, quiet = b"", list(keys), time.time() + PATIENCE, 0
        # What leaves a list, what leaves a question, and what leaves all else.
        leaving = [b"q", b"\x03", b"\x1b", b"q"]
        try:
            while time.time() < end:
                if not select.select([terminal], [], [], 0.4)[0]:
                    # Nothing more is drawn: all that was to come is there, or what is waited for does not come.
                    quiet += 1
                    if (not waiting or quiet > 8) and leaving:
                        os.write(terminal, leaving.pop(0))
                    continue
                shown += os.read(terminal, 1 << 16)
                if waiting and waiting[0][0] in shown:
                    os.write(terminal, waiting.pop(0)[1])
        except OSError:
            # Its end closes the terminal.
            pass
        os.close(terminal)
        if time.time() >= end:
            os.kill(child, signal.SIGKILL)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return code, re.sub(rb"\x1b(\[[0-9;?]*[ -/]*[@-~]|\][^\x07]*\x07|[@-Z\\\\-_=>])", b"\n", shown), ""

    def must(self, *arguments, text=b""):
        code, out, said = self.run(*arguments, text=text)
        if code:
            raise SystemExit(f"{arguments}: {code} {said}")
        return out.decode().strip()

    def end(self):
        """By the command, and what is left by the file that it runs and the home that it serves."""
        self.run("down")
        for process in filter(str.isdigit, os.listdir("/proc")):
            try:
                if not os.readlink(f"/proc/{process}/exe").startswith(self.programs + "/"):
                    continue
                with open(f"/proc/{process}/environ", "rb") as file:
                    if f"TRESOR_HOME={self.folder}".encode() in file.read().split(b"\0"):
                        os.kill(int(process), signal.SIGKILL)
            except OSError:
                pass


class Objects:
    """What a person has put there: how each is read, and whose it is."""

    def __init__(self):
        # name -> (store, owner, arguments)
        self.readings = {}
        # owner -> words by which a list or an export may name it
        self.names = collections.defaultdict(set)

    def add(self, store, owner, *arguments):
        self.readings[" ".join(arguments)] = (store, owner, arguments)
        self.names[owner].add(owner)


def fill(home, work):
    """Makes every kind of object."""
    objects = Objects()
    home.must("up", "--detach")
    for number in range(4):
        service = f"service {number}"
        home.must("keychain", "add", "--service", service, text=f"secret {number}".encode())
        objects.add("keychain", service, "keychain", "get", "--service", service)
    with open(work + "/logins.csv", "w", encoding="utf-8") as file:
        file.write("name,url,username,password,note\n")
        for number in range(3):
            file.write(f"site {number},https://host{number}.example,anna,word {number},\n")
    home.must("keychain", "import", work + "/logins.csv")
    for number in range(3):
        objects.add("keychain", f"host{number}.example", "keychain", "get", "--server", f"host{number}.example", "--account", "anna")
    for name, data in [("one.png", png(1)), ("two.png", png(2)), ("three.png", png(3)), ("a.bin", bytes(range(256)) * 40),
                       ("b.bin", bytes(reversed(range(256))) * 40)]:
        with open(f"{work}/{name}", "wb") as file:
            file.write(data)

    def note(text, *files):
        made = home.must("notes", "new", text=text.encode())
        objects.add("notes", made, "notes", "show", made)
        objects.names[made].add(text.split("\n")[0].lstrip("# "))
        for file in files:
            attached = home.must("notes", "attach", made, f"{work}/{file}")
            objects.add("notes", made, "notes", "extract", made, attached)
        return made

    note("# Plain one\n\nwords of one\n")
    note("# Plain two\n\nwords of two\n")
    changed = note("# Changed\n\nfirst\n")
    for word in ["second", "third"]:
        home.must("notes", "edit", changed, text=f"# Changed\n\n{word}\n".encode())
    for number in (1, 2):
        objects.add("notes", changed, "notes", "show", changed, "--at", str(number))
    note("# With files\n\nwords\n", "a.bin", "one.png")
    note("# With another\n\nwords\n", "b.bin")
    home.must("notes", "passphrase", "set", text=b"quince\nquince\n")
    for title in ("Shut one", "Shut two"):
        locked = note(f"# {title}\n\nsealed words of {title}\n", *(["two.png"] if title == "Shut two" else []))
        home.must("notes", "lock", locked)
    home.must("diary", "register", text=b"a blue door\na blue door\n")
    home.must("diary", "sign-in", text=b"a blue door\n")
    for number in range(4):
        files = [["--photo", work + "/one.png"], [], ["--photo", work + "/three.png"], []][number]
        made = home.must("diary", "add", *files, text=f"Entry number {number}\n".encode())
        objects.add("diary", made, "diary", "show", made)
        objects.names[made].add(f"Entry number {number}")
        for media in json.loads(home.must("diary", "show", made, "--json")).get("media", []) if files else []:
            objects.add("diary", made, "diary", "extract", made, media["id"])
    # What is made at a second start, and small pictures, are there as well.
    home.must("notes", "list")
    home.end()
    return objects


SWEEPS = {
    "keychain": [["keychain", "list"]],
    "notes": [["notes", "list"], ["notes", "search", "words"]],
    "diary": [["diary", "list"], ["diary", "search", "number"]],
}


SCREENS = {
    "keychain": (["keychain", "browse"], []),
    "notes": (["notes"], []),
    "diary": (["diary"], [(b"Password", b"a blue door\n")]),
}


def read(home, objects, store, work):
    """What every reading gives, and what lists, searches, exports and the look say."""
    start = home.run("up", "--detach")
    seen = {}
    if start[0]:
        return start, seen, {}, {}
    if store == "notes":
        home.run("notes", "unlock", text=b"quince\n")
    if store == "diary":
        home.run("diary", "sign-in", text=b"a blue door\n")
    for name, (of, _, arguments) in objects.readings.items():
        if of == store:
            code, out, said = home.run(*arguments)
            seen[name] = (code, hashlib.sha256(out).hexdigest() if code == 0 else said)
    sweeps = {" ".join(sweep): home.run(*sweep) for sweep in SWEEPS[store]}
    out = tempfile.mkdtemp(dir=work)
    exports = {}
    if store == "notes":
        sweeps["notes export"] = home.run("notes", "export", out + "/notes")
    if store == "diary":
        sweeps["diary export"] = home.run("diary", "export", "--format", "markdown", out + "/diary")
    if store == "keychain":
        code, text, said = home.run("keychain", "export", out + "/items.csv")
        sweeps["keychain export"] = (code, text, said)
    for folder, _, files in os.walk(out):
        for file in files:
            path = os.path.join(folder, file)
            with open(path, "rb") as opened:
                exports[os.path.relpath(path, out)] = opened.read()
    shutil.rmtree(out)
    sweeps["doctor --data"] = home.run("doctor", "--data")
    # Last: the diary is locked behind its screen.
    sweeps["screen"] = home.screen(*SCREENS[store][0], keys=SCREENS[store][1])
    return start, seen, sweeps, exports


class Judge:
    def __init__(self, objects, whole):
        self.objects, self.whole = objects, whole

    def stands(self, owner, screen):
        return any(name.encode() in screen for name in self.objects.names[owner])

    def shown(self, store):
        """Owners of what stood on the screen before anything was damaged."""
        owners = {owner for of, owner, _ in self.objects.readings.values() if of == store}
        return {owner for owner in owners if self.stands(owner, self.whole[store][2]["screen"][1])}

    def cell(self, store, found, isPage):
        start, seen, sweeps, exports = found
        if start[0]:
            return ("told", start[2].split("\n")[0]) if isPage and start[0] == 8 else (
                "named" if start[0] == 8 else "CRASH", f"up: {start[0]} {start[2]}")
        _, before, _, kept = self.whole[store]
        changed = {name for name, value in seen.items() if value != before[name]}
        for name, (code, _, said) in sweeps.items():
            if code in (-1, 1) or code > 128 or "went away" in said:
                return "CRASH", f"{name}: {code} {said}"
        for name in changed:
            code, said = seen[name]
            if code == 0:
                return "WRONG", name
            if code in (-1, 1) or code > 128 or "went away" in said:
                return "CRASH", f"{name}: {code} {said}"
        wrong = [name for name, content in exports.items() if name in kept and kept[name] != content]
        lost = [name for name in kept if name not in exports]
        owners = {self.objects.readings[name][1] for name in changed}
        codes = {name: code for name, (code, _, _) in sweeps.items()}
        screen = sweeps["screen"][1]
        missing = {owner for owner in self.shown(store) if not self.stands(owner, screen)}
        if missing and not isPage and (b"damaged" not in screen.lower() or not missing <= owners):
            return "SILENT", f"on the screen {sorted(missing)} are missing, changed {sorted(owners)}: {screen[-2000:]}"
        if not changed and not lost and not wrong:
            odd = {name: code for name, code in codes.items() if code not in (0, 8)}
            return ("whole", "told" if codes["doctor --data"] == 8 else "") if not odd else ("SILENT", str(odd))
        # An export answers for what it writes; the look answers for all.
        quiet = [name for name in codes if codes[name] == 0 and ("doctor" in name or ("export" in name and (lost or wrong)))]
        if quiet:
            return "SILENT", f"{quiet} say 0; changed {sorted(changed)}, not exported {lost}, otherwise {wrong}"
        if isPage:
            return "told", f"{len(owners)} hit"
        if len(owners) > 1:
            return "OTHERS", str(sorted(owners))
        return "named", ", ".join(sorted(owners))


def flip(data):
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1:]


def database(folder, store):
    return f"{folder}/{store}/{store}.sqlite"


def rows(folder, store):
    """Each row that a person's objects hang on: table, id, kind, and the column that is damaged."""
    with contextlib.closing(sqlite3.connect(database(folder, store))) as db:
        if store == "keychain":
            items = [row for (row,) in db.execute("SELECT id FROM item WHERE tombstone = 0")]
            return [("item", row, "item's " + column, column)
                    for column in ("metadata", "secret", "metadata_key", "row_key") for row in items]
        kinds = NOTES if store == "notes" else DIARY
        records = db.execute("SELECT id, type FROM record WHERE tombstone = 0").fetchall()
        return [("record", row, f"{store}: {kinds.get(kind, kind)}'s {column}", column)
                for column in ("sealed", "wrapped_key") for row, kind in records]


def damage_row(folder, store, table, row, column, how):
    """Whether there was something to damage."""
    with contextlib.closing(sqlite3.connect(database(folder, store))) as db, db:
        (value,) = db.execute(f"SELECT {column} FROM {table} WHERE id = ?", (row,)).fetchone()
        if value is None:
            return False
        if how == "row gone":
            db.execute(f"DELETE FROM {table} WHERE id = ?", (row,))
        elif how == "swapped":
            same = "kind" if table == "item" else "type"
            other = db.execute(f"SELECT id, {column} FROM {table} WHERE id <> ? AND {column} IS NOT NULL AND {same} = "
                               f"(SELECT {same} FROM {table} WHERE id = ?)", (row, row)).fetchone()
            if not other:
                return False
            # One object alone is damaged: it has what is another's.
            db.execute(f"UPDATE {table} SET {column} = ? WHERE id = ?", (other[1], row))
        else:
            new = {"bit": flip(value), "cut": value[:len(value) // 2], "empty": b""}[how]
            db.execute(f"UPDATE {table} SET {column} = ? WHERE id = ?", (new, row))
    return True


def files(folder):
    for store in ("notes", "diary"):
        for base, _, names in os.walk(f"{folder}/{store}/assets"):
            for name in sorted(names):
                yield store, os.path.relpath(os.path.join(base, name), folder)


def damage_file(folder, path, how):
    path = os.path.join(folder, path)
    with open(path, "rb") as file:
        data = file.read()
    if how == "gone" or how == "a folder":
        os.remove(path)
        if how == "a folder":
            os.mkdir(path)
        return True
    if how == "swapped":
        others = sorted(name for name in os.listdir(os.path.dirname(path))
                        if name != os.path.basename(path) and os.path.isfile(os.path.join(os.path.dirname(path), name)))
        if not others:
            return False
        with open(os.path.join(os.path.dirname(path), others[0]), "rb") as file:
            data = file.read()
    new = {"bit": flip(data), "cut": data[:len(data) // 2], "empty": b"", "swapped": data}[how]
    with open(path, "wb") as file:
        file.write(new)
    return True


def cells(folder):
    """Every damage: its line and column in the table, its store, and what does it."""
    for store in ("keychain", "notes", "diary"):
        for table, row, kind, column in rows(folder, store):
            for how in ("bit", "cut", "empty", "swapped"):
                yield kind, how, store, (lambda at, s=store, t=table, r=row, c=column, h=how: damage_row(at, s, t, r, c, h))
        for table, row, kind, column in rows(folder, store):
            if column in ("metadata", "sealed"):
                yield kind.rsplit("'s", 1)[0], "row gone", store, (
                    lambda at, s=store, t=table, r=row, c=column: damage_row(at, s, t, r, c, "row gone"))
    for store, path in files(folder):
        for how in ("bit", "cut", "empty", "gone", "a folder", "swapped"):
            yield f"{store}: file", how, store, (lambda at, p=path, h=how: damage_file(at, p, h))
    for store in ("keychain", "notes", "diary"):
        count = os.path.getsize(database(folder, store)) // 4096
        for page in range(count):
            yield f"{store}: page", "overwritten", store, (lambda at, s=store, p=page: overwrite(database(at, s), p))


def overwrite(path, page):
    with open(path, "r+b") as file:
        file.seek(page * 4096)
        file.write(random.Random(page).randbytes(4096))
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs")
    parser.add_argument("--only", default="", help="lines of the table with this text in them")
    parser.add_argument("--every", type=int, default=1, help="only every so many-th cell")
    parser.add_argument("--markdown")
    chosen = parser.parse_args()
    programs = os.path.realpath(chosen.programs)
    work = tempfile.mkdtemp(prefix="tresor-damage-")
    original = work + "/original"
    objects = fill(Home(programs, original), work)
    whole = {}
    for store in ("keychain", "notes", "diary"):
        home = Home(programs, original)
        whole[store] = read(home, objects, store, work)
        home.end()
        bad = [name for name, (code, text) in whole[store][1].items() if code]
        if bad:
            raise SystemExit(f"{store} cannot be read before anything is damaged: {[(n, whole[store][1][n]) for n in bad]}")
    judge = Judge(objects, whole)
    for store in SCREENS:
        if len(judge.shown(store)) < 4:
            raise SystemExit(f"the screen of {store} shows too little: {whole[store][2]['screen'][1]}")
    table, count, worst = collections.defaultdict(collections.Counter), 0, []
    for number, (line, how, store, damage) in enumerate(cells(original)):
        if number % chosen.every or chosen.only not in line:
            continue
        copy = f"{work}/copy-{number}"
        shutil.copytree(original, copy)
        if not damage(copy):
            shutil.rmtree(copy)
            continue
        home = Home(programs, copy)
        verdict, why = judge.cell(store, read(home, objects, store, work), line.endswith("page"))
        home.end()
        # A program that ends a moment later removes its socket itself.
        shutil.rmtree(copy, ignore_errors=True)
        table[line, how][verdict] += 1
        count += 1
        if verdict in BAD:
            worst.append((line, how, verdict, why))
            print(f"{number}: {line}, {how}: {verdict}: {why[:400]}", flush=True)
    lines = ["| what | damage | cells | verdicts |", "| --- | --- | --- | --- |"]
    for (line, how), verdicts in sorted(table.items()):
        words = ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items()))
        lines.append(f"| {line} | {how} | {sum(verdicts.values())} | {words} |")
    print("\n".join(lines))
    print(f"{count} cells, {len(worst)} of them wrong")
    if chosen.markdown:
        with open(chosen.markdown, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    shutil.rmtree(work)
    return 1 if worst else 0


if __name__ == "__main__":
    sys.exit(main())
