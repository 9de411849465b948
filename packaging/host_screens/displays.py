"""Two screens that nobody sees: sway's without an output, and Xvfb's."""
import os
import time

from pictures import FrameBuffer, from_ppm
from processes import NOBODY, wait

SWAY = """
output HEADLESS-1 resolution 1280x440 position 0 0
output * background #1e1e2e solid_color
default_border none
xwayland disable
"""


class Sway:
    """sway with a headless output; as nobody where this runs as root, which sway refuses."""

    width, height = 1280, 440

    def __init__(self, session, more=""):
        self._session = session
        folder = session.make("sway", 0o700, owner=NOBODY)
        configuration = session.write("sway.conf", SWAY + more)
        demote = (
            ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"] if os.getuid() == 0 else []
        )
        environment = {
            "XDG_RUNTIME_DIR": str(folder),
            "HOME": str(folder),
            "WLR_BACKENDS": "headless",
            "WLR_RENDERER": "pixman",
            "WLR_LIBINPUT_NO_DEVICES": "1",
            "SWAYSOCK": str(folder / "ipc.sock"),
        }
        session.start("sway", *demote, "sway", "-c", configuration, environment=environment)
        wait("sway", lambda: (folder / "wayland-1").exists() and (folder / "ipc.sock").exists())
        session.environment["WAYLAND_DISPLAY"] = str(folder / "wayland-1")
        session.environment["SWAYSOCK"] = str(folder / "ipc.sock")
        wait("sway's output", lambda: session.run("swaymsg", "-t", "get_outputs", check=False).find(b"HEADLESS-1") >= 0)

    def picture(self, x, y, width, height):
        return from_ppm(
            self._session.run("grim", "-t", "ppm", "-g", f"{x},{y} {width}x{height}", "-")
        )

    def raw(self, x, y, width, height):
        return self.picture(x, y, width, height).pixels


class Xvfb:
    """An X server on a number that it finds itself."""

    width, height = 1280, 480

    def __init__(self, session):
        folder = session.make("xvfb", 0o700)
        reader, writer = os.pipe()
        screen = f"{self.width}x{self.height}x24"
        session.start(
            "xvfb", "Xvfb", "-displayfd", writer, "-screen", "0", screen, "-fbdir", folder, "-nocursor", "-nolisten",
            "tcp", pass_fds=[writer],
        )
        number = b""
        end = time.monotonic() + 10
        os.set_blocking(reader, False)
        while not number.endswith(b"\n") and time.monotonic() < end:
            try:
                number += os.read(reader, 16)
            except BlockingIOError:
                time.sleep(0.01)
        os.close(reader)
        os.close(writer)
        session.environment["DISPLAY"] = ":" + number.decode().strip()
        self._buffer = FrameBuffer(folder / "Xvfb_screen0")

    def picture(self, *part):
        return self._buffer.picture(*part)

    def raw(self, *part):
        return self._buffer.raw(*part)
