"""One run: a secret on a device, hosts that show it, a lock, an unlock, the death of the daemon."""
import hashlib
import json
import os
import signal
import subprocess
import threading
import time

import displays
import hosts
import lockers
from device import Device
from processes import Failed, Session, wait

# How many milliseconds a host may go on showing what it showed: after a lock, after the daemon's death, and after a
# lock that the stream did not live to see (hosts start it anew within a second or two, or show an error).
LIMITS = {"locked": 250, "killed": 1000, "orphaned": 3000}
# Hosts that draw at a pace of their own may take so much longer at a lock; so may those with a stream for each widget,
# until the last of them is there again and says that the device is locked.
PACE = {"conky": 250, "tmux": 1000, "waybar": 250, "i3blocks": 250}


class Report:
    """Prints a line for each check."""

    def __init__(self):
        self.failed = 0

    def ok(self, host, check, milliseconds=None):
        print("ok", host, check, *([] if milliseconds is None else ["%d..%d ms" % milliseconds]), flush=True)

    def skip(self, host, why):
        print(f"skip {host}: {why}", flush=True)

    def check(self, holds, host, check, why, milliseconds=None):
        if holds:
            self.ok(host, check, milliseconds)
        else:
            self.failed += 1
            print(f"fail {host} {check}: {why}", flush=True)


class Watch:
    """Looks at a host again and again, and tells when it last changed."""

    def __init__(self, host):
        self._host, self._looks, self._ends, self._failure = host, [], threading.Event(), None
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self):
        try:
            while not self._ends.is_set():
                began = time.monotonic()
                digest = hashlib.sha256(self._host.look()).digest()
                self._looks.append((began, time.monotonic(), digest))
                time.sleep(0.005)
        except Failed as error:
            self._failure = error

    def end(self, start):
        """Between which milliseconds from `start` on the host came to show what it shows now.

        A look takes time (grim's a tenth of a second): the change is after the beginning of the last look that did not
        see it, and before the end of the first that did.
        """
        self._ends.set()
        self._thread.join()
        if self._failure:
            raise self._failure
        after, before = start, self._looks[-1][1]
        for began, ended, digest in reversed(self._looks):
            if digest != self._looks[-1][2]:
                after = began
                break
            before = ended
        return tuple(max(0, round((moment - start) * 1000)) for moment in (after, before))


class Evening:
    def __init__(self, program, chosen, kinds, report, shots, options):
        self._report, self._shots, self._kinds = report, shots, kinds
        self._patience = options.patience
        self._session = Session(options.keep)
        if options.keep:
            print(f"note: logs are in {self._session.folder}", flush=True)
        self._device = Device(self._session, program)
        self._chosen = chosen

    def run(self, title, marker):
        """What each host showed in each state, with a note of this title, by which the marker is known."""
        self._title, self._marker, self._seen = title, marker, {}
        try:
            return self._run()
        finally:
            try:
                self._device.end()
            finally:
                self._session.end()

    def _run(self):
        self._device.prepare(self._title)
        self._check_stream()
        self._start()
        self._hide("locked", self._device.lock)
        self._lock_screens()
        self._show("unlocked-again")
        self._hide("killed", self._device.kill)
        self._device.start()
        self._show("daemon-again")
        self._hide("orphaned", self._orphan)
        self._end_hosts()
        return self._seen

    def _start(self):
        screens = {}
        names = {host.display for host in self._chosen}
        self._start_bus()
        if "sway" in names:
            more = hosts.Swaybar.configuration(self._device, self._kinds) if hosts.Swaybar in self._chosen else ""
            screens["sway"] = displays.Sway(self._session, more)
        if "xvfb" in names:
            screens["xvfb"] = displays.Xvfb(self._session)
        self._screens = screens
        self._hosts = [host(self._session, self._device, self._kinds, screens) for host in self._chosen]
        for host in self._hosts:
            host.start()
        for host in self._hosts:
            self._settle(host)
            shown = self._reads(host, self._title)
            self._report.check(shown is not False, host.name, "unlocked", f"{self._title!r} is not in {host.words()!r}")
            self._report.check(not host.obeys(), host.name, "markup", "it took the title for markup")
        self._take("unlocked")

    def _check_stream(self):
        """What holds for every host's stream, and is best seen without a host."""
        command = (self._device.program, "widget", "stream", "--host", "waybar", self._kinds[0])
        self._device.end()
        early = self._session.start("early", *command)
        time.sleep(1)
        self._report.check(early.poll() is None, "stream", "waits", "it ends where the daemon is not there yet")
        self._session.stop(early)
        self._device.start()
        self._device.unlock()
        stream = self._session.start("stream", *command, stdout=subprocess.PIPE)
        threading.Timer(15, stream.kill).start()
        tooltips = (json.loads(line)["tooltip"] for line in stream.stdout if self._marker.encode() in line)
        # GTK 3 tells screen readers the first tooltip of a widget for as long as it lives.
        tooltip = next(tooltips, None)
        holds = tooltip is not None and self._marker not in tooltip
        self._report.check(holds, "stream", "tooltip", f"{tooltip!r} holds the secret, or nothing was shown at all")
        self._session.stop(stream)

    @staticmethod
    def _reads(host, text):
        """Whether a text can be read there; nil where there is nothing but pixels."""
        words = host.words()
        return None if words is None else text in words

    def _start_bus(self):
        address = self._session.folder / "bus"
        self._session.start(
            "bus", "dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address=unix:path={address}"
        )
        wait("the bus", address.exists)
        self._session.environment["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={address}"

    def _settle(self, host, seconds=15.0):
        """Waits until a host shows something, the title if it can be read, and the same for a second."""
        end, last, since = time.monotonic() + seconds, None, time.monotonic()
        while time.monotonic() < end:
            now = host.look()
            if now != last or len(set(now)) < 4:
                last, since = now, time.monotonic()
            elif time.monotonic() - since > 1 and self._reads(host, self._title) is not False:
                return
            time.sleep(0.05)

    def _take(self, state):
        for host in self._hosts:
            self._seen.setdefault(host.name, {})[state] = host.look()
            if state not in ("unlocked", "locked"):
                continue
            if self._shots and host.display:
                (self._shots / f"{host.name}-{state}.png").write_bytes(host.picture().png())
            elif self._shots:
                (self._shots / f"{host.name}-{state}.txt").write_text(host.words().strip() + "\n")

    def _hide(self, state, act):
        """Does something by which every host has to hide, and tells how long each took."""
        watches = {host: Watch(host) for host in self._hosts}
        time.sleep(0.5)
        act()
        start = time.monotonic()
        time.sleep(LIMITS[state] / 1000 + 2)
        took = {host: watch.end(start) for host, watch in watches.items()}
        self._take(state)
        for host in self._hosts:
            limit = self._patience * (LIMITS[state] + (PACE.get(host.name, 0) if state == "locked" else 0))
            changed = self._seen[host.name][state] != self._seen[host.name]["unlocked"]
            readable = self._reads(host, self._marker)
            why = f"changed: {changed}, readable: {readable}, after {took[host][0]}..{took[host][1]} ms of {limit:.0f}"
            holds = changed and not readable and took[host][0] <= limit
            self._report.check(holds, host.name, state, why, took[host])
            says = self._reads(host, "ocked")
            self._report.check(says is not False, host.name, state + "-words", "it does not say that it is locked")
        self._check_files(state)

    def _check_files(self, state):
        """No file of the run holds the secret: not the hosts' logs, not pictures' text, not the device's store."""
        marker = self._marker.encode()
        found = [
            str(path.relative_to(self._session.folder))
            for path in self._session.folder.rglob("*")
            if path.is_file() and marker in path.read_bytes()
        ]
        self._report.check(not found, "files", state, ", ".join(found))

    def _lock_screens(self):
        for locker in lockers.ALL:
            if locker.missing() or "sway" not in self._screens:
                self._report.skip(locker.name, "not installed, or no sway")
                continue
            bars = [host.part for host in self._hosts if isinstance(host.display, displays.Sway)]
            shown, covers = locker(self._session, self._device, self._kinds, self._screens["sway"]).run(bars)
            self._report.check(covers, locker.name, "covers", "a bar is seen beside it")
            self._report.check(len(set(shown.pixels)) > 16, locker.name, "picture", "no picture is on it")
            self._seen[locker.name] = {"locked": shown.pixels}
            if self._shots:
                middle = shown.crop(320, 70, 640, 300)
                (self._shots / f"{locker.name}-locked.png").write_bytes(middle.png())

    def _show(self, check):
        """Unlocks, upon which every host shows again."""
        self._device.unlock()
        for host in self._hosts:
            hidden = self._seen[host.name]["locked"]
            try:
                wait("it", lambda: host.look() != hidden and self._reads(host, self._title) is not False)
                self._report.ok(host.name, check)
            except Failed:
                self._report.check(False, host.name, check, "it does not show again what it did")

    def _orphan(self):
        """Kills the streams, as running out of memory would, and locks."""
        for process in self._session.streams():
            os.kill(process, signal.SIGKILL)
        self._device.lock()

    def _end_hosts(self):
        """Kills the hosts, so that they cannot end their streams themselves."""
        for host in self._hosts:
            host.kill()
        end = time.monotonic() + 3
        while self._session.streams(shells=True) and time.monotonic() < end:
            time.sleep(0.05)
        left = len(self._session.streams(shells=True))
        self._report.check(left == 0, "streams", "ended", f"{left} outlive their hosts")


def compare(report, first, second):
    """Two runs with different secrets: the same pixels when hidden, different ones when not."""
    for host, states in first.items():
        for state, pixels in states.items():
            other = second.get(host, {}).get(state)
            if state == "unlocked":
                report.check(pixels != other, host, "unlocked-differs", "both secrets look the same")
            else:
                report.check(pixels == other, host, f"{state}-same", "what is hidden depends on the secret")
