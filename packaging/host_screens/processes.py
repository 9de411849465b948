"""Programs that this run starts, and ends by their ids."""
import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

NOBODY = 65534


class Failed(Exception):
    """A check that did not hold, or a program that did not start."""


def wait(what, condition, seconds=10.0, pause=0.02):
    """The first true answer of `condition`."""
    end = time.monotonic() + seconds
    while True:
        answer = condition()
        if answer:
            return answer
        if time.monotonic() > end:
            raise Failed(f"waited {seconds:g} s in vain for {what}")
        time.sleep(pause)


class Session:
    """A folder, a runtime directory and an environment of its own, and the programs in it."""

    def __init__(self, keeps_folder=False):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tresor-hosts-"))
        self.folder.chmod(0o711)
        self._keeps_folder = keeps_folder
        self._running = []
        # As on a session's: in memory, where pictures of what is shown may lie.
        memory = pathlib.Path("/dev/shm")
        self.runtime = (
            pathlib.Path(tempfile.mkdtemp(prefix="tresor-hosts-", dir=memory))
            if os.access(memory, os.W_OK)
            else self.make("runtime", 0o700)
        )
        home = self.make("home", 0o700)
        self.environment = {
            "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
            "HOME": str(home),
            "LANG": "C.UTF-8",
            "SHELL": "/bin/sh",
            "XDG_CONFIG_HOME": str(home / ".config"),
            "XDG_RUNTIME_DIR": str(self.runtime),
            "SWIFT_BACKTRACE": "enable=no",
        }

    def make(self, name, mode=0o755, owner=None):
        folder = self.folder / name
        folder.mkdir()
        folder.chmod(mode)
        if owner is not None and os.getuid() == 0:
            os.chown(folder, owner, owner)
        return folder

    def write(self, name, text, mode=0o644):
        path = self.folder / name
        path.write_text(text)
        path.chmod(mode)
        return path

    def start(self, name, *command, environment=None, **options):
        """Starts a program in a group of its own; its output goes to NAME.log."""
        with open(self.folder / f"{name}.log", "ab") as log:
            process = subprocess.Popen(
                [str(part) for part in command],
                env={**self.environment, **(environment or {})},
                stdin=subprocess.DEVNULL,
                stdout=options.get("stdout", log),
                stderr=log,
                start_new_session=True,
                pass_fds=options.get("pass_fds", ()),
                cwd="/",
            )
        self._running.append((name, process))
        return process

    def stop(self, process, seconds=5.0):
        """Asks a program to end, then makes it."""
        self._running = [(name, other) for name, other in self._running if other is not process]
        if process.poll() is None:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(seconds)
        if process.poll() is None:
            process.kill()
        process.wait()

    def kill(self, process):
        process.kill()
        self.stop(process)

    def run(self, *command, environment=None, text=None, check=True):
        """Runs a program to its end; what it printed."""
        ended = subprocess.run(
            [str(part) for part in command],
            env={**self.environment, **(environment or {})},
            input=None if text is None else text.encode(),
            stdin=subprocess.DEVNULL if text is None else None,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            timeout=60,
        )
        if check and ended.returncode != 0:
            raise Failed(f"{' '.join(map(str, command))}: code {ended.returncode}: {ended.stderr.decode().strip()}")
        return ended.stdout

    def log(self, name):
        with contextlib.suppress(FileNotFoundError):
            return (self.folder / f"{name}.log").read_text(errors="replace")
        return ""

    def streams(self, shells=False):
        """Processes of `widget stream` in this session, by their environment; also shells that start them."""
        mark = f"XDG_RUNTIME_DIR={self.runtime}".encode()
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            with contextlib.suppress(OSError):
                arguments = (entry / "cmdline").read_bytes().split(b"\0")
                is_one = b"stream" in arguments or shells and b"widget stream" in b" ".join(arguments)
                if is_one and mark in (entry / "environ").read_bytes().split(b"\0"):
                    found.append(int(entry.name))
        return found

    def end(self):
        for _, process in reversed(self._running):
            self.stop(process)
        for process in self.streams(shells=True):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        if not self._keeps_folder:
            shutil.rmtree(self.folder, ignore_errors=True)
            shutil.rmtree(self.runtime, ignore_errors=True)
