"""Prints what a screen reader finds in every program on this bus: one line for each name, description and text."""
import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402


def walk(accessible):
    if accessible is None:
        return
    accessible.clear_cache()
    for words in (accessible.get_name(), accessible.get_description(), text(accessible)):
        if words:
            print(words)
    for index in range(accessible.get_child_count()):
        walk(accessible.get_child_at_index(index))


def text(accessible):
    interface = accessible.get_text_iface()
    return interface and Atspi.Text.get_text(interface, 0, Atspi.Text.get_character_count(interface))


Atspi.init()
walk(Atspi.get_desktop(0))
