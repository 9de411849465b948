#!/usr/bin/env python3
"""Somebody who types while the device locks, at a terminal that this program is.

typist.py PROGRAMS KIND ROUNDS SEED, with TRESOR_HOME set. One line of JSON for each round: what was typed before the
screen was erased, what was kept, whether the screen said that something was not, and how long after the lock command's
start the screen was erased, in milliseconds.

KIND is note (an open note that is there), new (a note that is new), locked (a locked note with its session open),
diary (a new entry, the device locks) or diary-own (a new entry, another client locks the diary).
"""
import fcntl, json, os, pty, random, re, select, signal, struct, subprocess, sys, termios, time

PROGRAMS, KIND, ROUNDS, SEED = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
PASSCODE, PHRASE = "1234\n", "a blue door"
ENVIRONMENT = {
    "TRESOR_HOME": os.environ["TRESOR_HOME"], "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "xterm-256color",
    "SWIFT_BACKTRACE": "enable=no",
}
ERASED = b"\x1b[2J"


def run(*arguments, given=""):
    done = subprocess.run(
        [PROGRAMS + "/tresor", *arguments], input=given.encode(), capture_output=True, env=ENVIRONMENT, timeout=60)
    if done.returncode:
        raise SystemExit(f"{arguments}: {done.returncode} {done.stderr.decode()}")
    return done.stdout.decode()


class Terminal:
    """A terminal of 80 by 24; `output` is everything that came."""

    def __init__(self, *arguments):
        self.process, self.master = pty.fork()
        if self.process == 0:
            os.execve(PROGRAMS + "/tresor", ["tresor", *arguments], ENVIRONMENT)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.output = b""

    def read(self, until):
        """Reads what comes until then; at least what is there now."""
        while True:
            ready, _, _ = select.select([self.master], [], [], max(0, until - time.monotonic()))
            if not ready:
                return
            try:
                more = os.read(self.master, 65536)
            except OSError:
                return
            if not more:
                return
            self.output += more

    def wait(self, words, seconds=15):
        end = time.monotonic() + seconds
        # Words are drawn one beside the other, but each with its own style.
        while words.encode() not in self.output:
            if time.monotonic() > end:
                raise SystemExit(f"no '{words}' in {self.output[-3000:]!r}")
            self.read(time.monotonic() + 0.02)

    def press(self, keys):
        os.write(self.master, keys.encode())

    def end(self):
        os.kill(self.process, signal.SIGTERM)
        end = time.monotonic() + 10
        while time.monotonic() < end:
            self.read(time.monotonic() + 0.02)
            if os.waitpid(self.process, os.WNOHANG)[0]:
                break
        os.close(self.master)


def listed(*arguments):
    return {entry["id"] for entry in json.loads(run(*arguments, "--json") or "[]")}


def open_editor():
    """A terminal with an editor in it, and what finds the text afterwards."""
    if KIND.startswith("diary"):
        terminal = Terminal("diary")
        terminal.wait("Password:")
        terminal.press(PHRASE + "\r")
        terminal.wait("? help")
        terminal.press("n")
        terminal.wait("New entry")
        return terminal, None
    if KIND == "new":
        before = listed("notes", "list")
        terminal = Terminal("notes")
        terminal.wait("? help")
        terminal.press("n")
        terminal.wait("Esc save")
        return terminal, before
    if KIND == "locked":
        run("notes", "unlock", given="pass\n")
    note = run("notes", "new", given="#\n").strip()
    if KIND == "locked":
        run("notes", "lock", note)
    terminal = Terminal("notes", "edit", note)
    terminal.wait("Esc save")
    return terminal, note


def read_note(key):
    if KIND == "locked":
        run("notes", "unlock", given="pass\n")
    if KIND == "new":
        made = listed("notes", "list") - key
        return run("notes", "show", made.pop()).rstrip("\n") if made else ""
    return run("notes", "show", key).rstrip("\n").removesuffix("#")


def read_draft():
    run("diary", "sign-in", given=PHRASE + "\n")
    drafts = sorted(listed("diary", "list", "--drafts"))
    texts = []
    for draft in drafts:
        shown = json.loads(run("diary", "show", draft, "--json"))
        texts.append(shown["text"].rstrip("\n"))
        run("diary", "delete", draft)
    run("diary", "lock")
    return texts


def play(chance):
    terminal, key = open_editor()
    words = "".join(chance.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(40))
    speed = chance.choice([0, 0.0005, 0.003, 0.02, 0.08])
    start = len(terminal.output)
    begin = time.monotonic()
    lock_at = begin + chance.uniform(0, 40 * speed + 0.06)
    lock, typed, erased, asked = None, 0, None, None
    while erased is None and time.monotonic() < begin + 20:
        now = time.monotonic()
        if lock is None and now >= lock_at:
            asked = time.monotonic()
            command = ["diary", "lock"] if KIND == "diary-own" else ["lock"]
            lock = subprocess.Popen(
                [PROGRAMS + "/tresor", *command], env=ENVIRONMENT, stdout=subprocess.DEVNULL)
        terminal.read(0)
        if ERASED in terminal.output[start:]:
            erased = time.monotonic()
        elif typed < 40 and now >= begin + typed * speed:
            terminal.press(words[typed])
            typed += 1
        else:
            terminal.read(min(now + 0.002, begin + max(typed, 1) * speed) if typed < 40 else now + 0.002)
    if lock is None or lock.wait():
        raise SystemExit("the lock failed")
    terminal.wait("locked.")
    if KIND != "diary-own":
        run("unlock", given=PASSCODE)
    terminal.read(time.monotonic() + 0.3)
    not_kept = b"NOT kept" in terminal.output
    if KIND.startswith("diary"):
        terminal.press(PHRASE + "\r")
        terminal.wait("? help" if typed == 0 else "Tab field" if not not_kept else "? help")
        terminal.read(time.monotonic() + (2.5 if not_kept else 0.1))
    elif not_kept:
        terminal.read(time.monotonic() + 2.5)
    terminal.end()
    texts = read_draft() if KIND.startswith("diary") else [read_note(key)]
    return {
        "typed": words[:typed], "kept": texts, "notKept": not_kept, "speed": speed,
        "erasedAfter": round((erased - asked) * 1000, 1) if erased else None,
    }


def main():
    chance = random.Random(SEED)
    if KIND == "locked":
        run("notes", "passphrase", "set", given="pass\npass\n")
    for _ in range(ROUNDS):
        print(json.dumps(play(chance)), flush=True)


main()
