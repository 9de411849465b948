#!/usr/bin/env python3
"""Eight people at once for ten minutes, with locks and kills, and a look whether anything is missing: `make soak`.

Each of eight clients adds, changes, reads and removes items, notes and entries of its own, by the commands, and knows what it was
told: what was acknowledged is there, what was refused is not, and of what was cut off by a lock or a kill either is right until it
is read again. In the first half every program is killed with SIGKILL now and then, and started again; locks come throughout. In
the second half the memory of each program is looked at, every few seconds.

    packaging/soak.py PROGRAMS [--minutes 10] [--clients 8] [--seed N]

Exits with 1 where something is missing or wrong, or where a program's memory at the end is more than a tenth, and more than 8 MiB,
above what it was when the second half began.
"""
import argparse
import collections
import os
import random
import shutil
import statistics
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from damage import copied  # noqa: E402
from faults import PASSWORD, Faults  # noqa: E402

CODE = b"meadow larks 4711\n"
# Not known, wrong passcode, usage, a crash: none of these is right here.
RIGHT = {0, 3, 5, 7, 69, 73, 74, 75}


class Client(threading.Thread):
    def __init__(self, home, number, seed, end):
        super().__init__()
        self.home, self.number, self.end = home, number, end
        self.dice = random.Random(seed * 100 + number)
        self.known = {}  # key -> set of values that are right
        self.notes, self.counts, self.wrong, self.serial = {}, collections.Counter(), [], 0

    def ask(self, key, value, *arguments, text=b""):
        """What is done, and what that means for what is there."""
        before = self.known.get(key, {None})
        code, out, said = self.home.run(*arguments, text=text)
        self.counts[f"{arguments[0]} {arguments[1]}: {code}"] += 1
        if code == 0:
            self.known[key] = {value}
        elif code == 3:
            if None not in before:
                self.wrong.append(f"{key} is gone, and not {before!r:.120}")
            self.known[key] = {None}
        elif "nothing was changed" in said:
            pass
        else:
            self.known[key] = before | {value}
        if code not in RIGHT:
            self.wrong.append(f"{arguments}: {code} {said.strip()[:200]}")
        return code, out

    def look(self, key, *arguments):
        code, out, said = self.home.run(*arguments)
        self.counts[f"{arguments[0]} {arguments[1]}: {code}"] += 1
        if code in (0, 3):
            value = out if code == 0 else None
            if value not in self.known.get(key, {None}):
                self.wrong.append(f"{key} is {value!r:.60}, and not {self.known.get(key)!r:.120}")
            self.known[key] = {value}
        elif code not in RIGHT:
            self.wrong.append(f"{arguments}: {code} {said.strip()[:200]}")

    def run(self):
        while time.time() < self.end:
            self.serial += 1
            kind, slot = self.dice.choice(["item", "item", "note", "note", "entry"]), self.dice.randrange(12)
            name, value = f"c{self.number} s{slot}", f"value {self.number}.{self.serial}".encode()
            if kind == "item":
                self.item(name, value)
            elif kind == "note":
                self.note(slot, value)
            else:
                self.ask(("entry", self.serial), True, "diary", "add", text=f"Entry {self.number}.{self.serial}.\n".encode())

    def item(self, name, value):
        key, is_there = ("item", name), self.known.get(("item", name), {None}) != {None}
        act = self.dice.choice(["write", "write", "read", "remove"])
        if act == "read":
            self.look(key, "keychain", "get", "--service", name)
        elif act == "remove" and is_there:
            self.ask(key, None, "keychain", "delete", "--service", name)
        elif is_there:
            self.ask(key, value, "keychain", "update", "--service", name, text=value)
        else:
            self.ask(key, value, "keychain", "add", "--service", name, text=value)

    def note(self, slot, value):
        if slot not in self.notes:
            code, out = self.ask(("new", self.serial), True, "notes", "new", text=value + b"\n")
            if code == 0:
                self.notes[slot] = out.decode().strip()
                self.known["note", self.notes[slot]] = {value + b"\n"}
            return
        made = self.notes[slot]
        if self.dice.random() < 0.5:
            self.look(("note", made), "notes", "show", made)
        else:
            self.ask(("note", made), value + b"\n", "notes", "edit", made, text=value + b"\n")


def open_all(home):
    home.run("up", "--detach")
    for _ in range(100):
        if home.run("unlock", text=CODE)[0] == 0:
            break
        time.sleep(0.1)
    home.run("diary", "sign-in", text=PASSWORD)


def memory(home):
    """MiB of each program that are its own."""
    found = {}
    for name, processes in home.processes().items():
        total = 0
        for process in processes:
            try:
                with open(f"/proc/{process}/status", encoding="ascii") as file:
                    total += sum(int(line.split()[1]) for line in file if line.startswith(("RssAnon", "VmSwap")))
            except (OSError, ValueError):
                pass
        if name.startswith("tresor") and name != "tresor":
            found[name] = total / 1024
    return found


def compare(home, clients):
    """What is there at the end, beside what each client knows."""
    wrong, count = [], 0
    entries = home.run("diary", "list")[1].decode()
    for client in clients:
        for key, values in client.known.items():
            count += 1
            if key[0] == "item":
                code, out, _ = home.run("keychain", "get", "--service", key[1])
                value = out if code == 0 else None
            elif key[0] == "note":
                code, out, _ = home.run("notes", "show", key[1])
                value = out if code == 0 else None
            elif key[0] == "entry":
                value = True if f"Entry {client.number}.{key[1]}." in entries else None
            else:
                continue
            if value not in values:
                wrong.append(f"client {client.number}: {key} is {value!r:.60}, and not {values!r:.120}")
    return count, wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    work = tempfile.mkdtemp(prefix="tresor-soak-")
    programs = copied(chosen.programs, work)
    home = Faults(programs, work + "/home")
    home.must("up", "--detach")
    home.must("passcode", "set", text=CODE * 2)
    home.must("diary", "register", text=PASSWORD * 2)
    home.must("diary", "sign-in", text=PASSWORD)
    begun = time.time()
    half, end = begun + chosen.minutes * 30, begun + chosen.minutes * 60
    clients = [Client(home, number, chosen.seed, end) for number in range(chosen.clients)]
    for client in clients:
        client.start()
    dice, locks, kills, samples = random.Random(chosen.seed), 0, 0, collections.defaultdict(list)
    while time.time() < end:
        time.sleep(dice.uniform(2, 8))
        if time.time() < half and dice.random() < 0.4:
            home.kill()
            kills += 1
        elif home.run("lock")[0] == 0:
            locks += 1
            time.sleep(0.5)
        open_all(home)
        if time.time() > half:
            for name, size in memory(home).items():
                samples[name].append(size)
    for client in clients:
        client.join()
    open_all(home)
    count, wrong = compare(home, clients)
    for client in clients:
        wrong += client.wrong
    code, out, said = home.run("doctor", "--data")
    if code:
        wrong.append(f"doctor --data: {code} {out.decode()} {said}")
    home.kill()
    counts = sum((client.counts for client in clients), collections.Counter())
    print(f"{sum(counts.values())} commands of {len(clients)} clients, {locks} locks, {kills} kills; {count} objects compared")
    for line, number in sorted(counts.items()):
        print(f"    {line:<24} {number}")
    print("| program | MiB as the second half began | at the end | most |\n| --- | --- | --- | --- |")
    for name, sizes in sorted(samples.items()):
        part = max(1, len(sizes) // 4)
        first, last = statistics.median(sizes[:part]), statistics.median(sizes[-part:])
        print(f"| {name} | {first:.1f} | {last:.1f} | {max(sizes):.1f} |")
        if last > first * 1.1 and last > first + 8:
            wrong.append(f"the memory of {name} has grown from {first:.1f} to {last:.1f} MiB")
    for line in wrong[:40]:
        print(line)
    print(f"{len(wrong)} not right")
    shutil.rmtree(work)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
