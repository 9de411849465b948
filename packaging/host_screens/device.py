"""A device of its own with one secret on it, by the program's own commands."""
import json
import os
import pathlib
import re
import signal

from processes import Failed

SNIPPETS = pathlib.Path(__file__).resolve().parent.parent / "hosts"
PASSCODE = "hosts of one evening\n"


class Device:
    """The programs beside `program`, on a home in the session's folder."""

    def __init__(self, session, program):
        self._session = session
        self.program = program
        session.environment["TRESOR_HOME"] = str(session.make("device", 0o700))

    def _run(self, *arguments, **options):
        return self._session.run(self.program, *arguments, **options)

    def start(self):
        self._run("up", "--detach")

    def prepare(self, title):
        """Sets a passcode and writes a pinned note of this title, and one that is not pinned."""
        self.start()
        self._run("passcode", "set", text=PASSCODE + PASSCODE)
        # A backslash, or Markdown would take it for a tag of HTML.
        self._run("notes", "new", "--pinned", text="# " + title.replace("<", "\\<") + "\n\nText below.\n")
        self._run("notes", "new", text="# Shopping\n\n- [x] bread\n- [ ] tea\n")

    def lock(self):
        self._run("lock")

    def unlock(self):
        self._run("unlock", text=PASSCODE)

    def kill(self):
        """As a power cut would."""
        os.kill(json.loads(self._run("status", "--json"))["daemonProcess"], signal.SIGKILL)

    def end(self):
        """By the command, and if it cannot, by the daemon's id."""
        status = self._run("status", "--json", check=False)
        self._run("down", check=False)
        try:
            os.kill(json.loads(status)["daemonProcess"], signal.SIGKILL)
        except (ValueError, ProcessLookupError):
            pass

    def snippet(self, host, *kinds):
        """What a host gets into its configuration: what `widget install` prints, else the file that it prints."""
        try:
            return self._run("widget", "install", host, *kinds).decode()
        except Failed:
            return expand(next(SNIPPETS.glob(f"{host}.*")).read_text(), self.program, kinds)


def identifier(kind):
    """A kind where dots would mean something, as in CSS."""
    return re.sub(r"[^A-Za-z0-9]", "-", kind)


def expand(text, program, kinds):
    """What lies between @EACH and @END stands once for every kind; elsewhere the first is meant."""

    def fill(text, kind):
        return text.replace("@KIND@", kind).replace("@ID@", identifier(kind))

    def repeat(found):
        return "".join(fill(found[1], kind) for kind in kinds)

    text = fill(re.sub(r"@EACH\n(.*?)@END\n", repeat, text, flags=re.S), kinds[0])
    return text.replace("@KINDS@", " ".join(kinds)).replace("@TRESOR@", str(program))
