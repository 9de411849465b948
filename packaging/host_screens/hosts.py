"""Hosts as a user would set them up, each from the lines that `tresor widget install` prints."""
import json
import pathlib
import shutil
import subprocess
import threading

from device import identifier
from processes import wait

READER = pathlib.Path(__file__).with_name("accessibility.py")

WAYBAR = """{
  "layer": "top", "position": "top", "height": 38, "spacing": 0,
  "include": ["%s"],
  "modules-left": ["sway/workspaces", "clock"], "modules-right": [%s],
  "clock": {"format": "{:%%A, %%e %%B  %%H:%%M}"}
}
"""
WAYBAR_STYLE = """
* { font-family: "DejaVu Sans"; font-size: 14px; border: none; min-height: 0; }
window#waybar { background: #16161e; color: #f2f2f7; }
#workspaces button { padding: 0 12px; color: #f2f2f7; background: rgba(120, 120, 200, 0.35); border-radius: 9px; }
#workspaces { margin: 5px 8px; }
#clock { color: #c8c8dc; margin: 0 10px; }
"""
I3 = """# i3 config file (v4)
font pango:DejaVu Sans 10
default_border none
"""
POLYBAR = """
[bar/main]
width = 100%
height = 30
background = #16161e
foreground = #f2f2f7
padding-right = 2
font-0 = DejaVu Sans:size=10;2
font-1 = Noto Color Emoji:scale=10;2
modules-right = tresor
enable-ipc = false
"""


class Host:
    """One host on a screen; what of the screen is its."""

    needs = ()
    display = None
    part = None
    compared = None

    def __init__(self, session, device, kinds, displays):
        self.session, self.device, self.kinds = session, device, kinds
        self.display = displays.get(self.display)

    @classmethod
    def missing(cls):
        return [name for name in cls.needs if shutil.which(name) is None]

    def start(self):
        raise NotImplementedError

    def kill(self):
        self.session.kill(self.process)

    def look(self):
        """What is compared: bytes that are the same if the host shows the same."""
        return self.display.raw(*(self.compared or self.part))

    def picture(self):
        return self.display.picture(*self.part)

    def words(self):
        """What can be read of it without eyes; nil where there is nothing but pixels."""
        return None

    def obeys(self):
        """Whether what is red in the secret's markup is red on the screen."""
        return False


class Waybar(Host):
    name, needs, display = "waybar", ("sway", "swaymsg", "waybar", "grim", "dbus-daemon"), "sway"
    part = (0, 0, 1280, 38)
    # Without the clock.
    compared = (400, 0, 880, 38)

    def start(self):
        names = ", ".join(f'"custom/tresor-{identifier(kind)}"' for kind in self.kinds)
        modules = self.session.write("waybar-tresor.jsonc", self.device.snippet("waybar", *self.kinds))
        configuration = self.session.write("waybar.json", WAYBAR % (modules, names))
        style = self.session.write("waybar.css", WAYBAR_STYLE + self.device.snippet("waybar-style", *self.kinds))
        self.process = self.session.start("waybar", "waybar", "-c", configuration, "-s", style)

    def words(self):
        return self.session.run("/usr/bin/python3", READER).decode()


class Swaybar(Host):
    name, needs, display = "swaybar", ("sway", "swaymsg", "swaybar", "grim"), "sway"
    part = (0, 416, 1280, 24)
    compared = (400, 416, 880, 24)

    @staticmethod
    def configuration(device, kinds):
        """sway would start the bar as itself, who may not be the device's user."""
        return device.snippet("swaybar", *kinds).replace("bar {\n", "bar {\n    swaybar_command true\n", 1)

    def start(self):
        self.process = self.session.start("swaybar", "swaybar", "-b", "bar-0")


class I3bar(Host):
    name, needs, display = "i3bar", ("Xvfb", "i3", "i3bar"), "xvfb"
    part = (0, 456, 1280, 24)

    def start(self):
        configuration = self.session.write("i3.conf", I3 + self.device.snippet("i3bar", *self.kinds))
        self.process = self.session.start("i3", "i3", "-c", configuration)


class Polybar(Host):
    name, needs, display = "polybar", ("Xvfb", "polybar"), "xvfb"
    part = (0, 0, 1280, 30)

    def start(self):
        text = POLYBAR + self.device.snippet("polybar", *self.kinds)
        self.process = self.session.start(
            "polybar", "polybar", "-c", self.session.write("polybar.ini", text), "main"
        )

    def obeys(self):
        pixels = self.picture().pixels
        return (255, 0, 0) in zip(pixels[0::3], pixels[1::3], pixels[2::3])


class Conky(Host):
    name, needs, display = "conky", ("Xvfb", "conky"), "xvfb"
    part = (912, 43, 349, 338)

    def start(self):
        text = self.device.snippet("conky", *self.kinds[:2])
        self.process = self.session.start("conky", "conky", "-c", self.session.write("conky.conf", text))


class Tmux(Host):
    """A tmux in a tmux: only a client draws the status line, and the outer one tells what it drew."""

    name, needs = "tmux", ("tmux",)

    def start(self):
        configuration = self.session.write("tmux.conf", self.device.snippet("tmux", *self.kinds))
        self.process = self._serve("tmux", configuration)
        self.terminal = self._serve("terminal", "/dev/null")
        self._ask("tmux", "new-session", "-d", "-s", "main", "-n", "shell", "exec sleep 1000")
        client = f"exec env -u TMUX tmux -S {self._socket('tmux')} attach-session"
        self._ask("terminal", "new-session", "-d", "-x", "150", "-y", "4", client)

    def _socket(self, name):
        return self.session.folder / f"{name}.sock"

    def _serve(self, name, configuration):
        """-D keeps a server in the foreground, so that it is a child like the others."""
        process = self.session.start(name, "tmux", "-D", "-S", self._socket(name), "-f", configuration)
        wait(name, self._socket(name).exists)
        return process

    def _ask(self, name, *command):
        return self.session.run("tmux", "-S", self._socket(name), *command)

    def look(self):
        return self._ask("terminal", "capture-pane", "-p")

    def words(self):
        return self._ask("terminal", "capture-pane", "-p", "-S", "-").decode()

    def kill(self):
        self.session.kill(self.process)
        self.session.kill(self.terminal)


class I3blocks(Host):
    """What it prints for a bar; kept in memory, since files must not hold it."""

    name, needs = "i3blocks", ("i3blocks",)

    def start(self):
        configuration = self.session.write("i3blocks.conf", self.device.snippet("i3blocks", *self.kinds))
        self.process = self.session.start("i3blocks", "i3blocks", "-c", configuration, stdout=subprocess.PIPE)
        self._line = b""
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self._line = line.strip().strip(b",")

    def look(self):
        return self._line

    def words(self):
        try:
            return "  ".join(block.get("full_text", "") for block in json.loads(self._line))
        except (ValueError, AttributeError):
            return ""


ALL = (Waybar, Swaybar, I3bar, Polybar, Conky, Tmux, I3blocks)
