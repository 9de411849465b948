"""Programs that lock the screen, with a picture of ours."""
import shutil
import time


class Swaylock:
    name, needs = "swaylock", ("sway", "swaylock", "grim")

    def __init__(self, session, device, kinds, display):
        self._session, self._device, self._kinds, self._display = session, device, kinds, display

    @classmethod
    def missing(cls):
        return [name for name in cls.needs if shutil.which(name) is None]

    def run(self, bars):
        """Unlocks the device, locks by the script as a user would; the screen, and whether it covers the bars."""
        self._device.unlock()
        script = self._session.write("swaylock.sh", self._device.snippet("swaylock", *self._kinds), 0o755)
        process = self._session.start("swaylock", script)
        end, last = time.monotonic() + 10, None
        try:
            while time.monotonic() < end:
                shown = self._display.picture(0, 0, self._display.width, self._display.height)
                covers = all(is_plain(shown.crop(*bar)) for bar in bars)
                if covers and shown == last:
                    break
                last = shown
                time.sleep(0.3)
            return shown, covers
        finally:
            self._session.stop(process)


def is_plain(picture):
    """Whether it is all of one colour."""
    return picture.pixels == picture.pixels[:3] * (picture.width * picture.height)


ALL = (Swaylock,)
