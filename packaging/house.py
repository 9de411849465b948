#!/usr/bin/env python3
"""Draws the house as Sources/LAYERS.txt has it: docs/house.svg, and the table of docs/ARCHITECTURE.md between its marks.

    packaging/house.py            writes both
    packaging/house.py --check    says what is stale, and exits with 1; a test runs it

Wings stand on those that they may use: the ground below, the command on top. A wing within another is a room of it. At the right
stands which other wings a wing does use, by the imports that LAYERS.txt grants. The same text always gives the same picture.
"""
import html
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PICTURE, PAGE = "docs/house.svg", "docs/ARCHITECTURE.md"
BEGIN, END = "<!-- wings, by packaging/house.py -->", "<!-- end of wings -->"
WIDTH, MARGIN, LINE, PAD = 960, 16, 17, 10
# The heart is drawn in another colour.
HEART = "Vault"
IS_C = re.compile(r"C[A-Z]")


class Wing:
    def __init__(self, folder, sentence):
        self.folder, self.sentence, self.targets, self.uses = folder, sentence, [], set()

    @property
    def top(self):
        return self.folder.split("/")[0]


def read():
    """The wings in their order, from the ground up."""
    wings, home = [], {}
    with open(f"{ROOT}/Sources/LAYERS.txt", encoding="utf-8") as file:
        for line in file.read().split("\n"):
            if line.startswith("["):
                wings.append(Wing(*re.match(r"\[([^\]]+)\] (.*)", line).groups()))
            elif ":" in line and not line.startswith("#"):
                name, rest = line.split(":", 1)
                home[name] = wings[-1]
                wings[-1].targets.append(name)
                wings[-1].uses |= {home[other].top for other in rest.split("|")[0].split()} - {wings[-1].top}
    return wings


def floors(wings):
    """Wings by their first folder, from the ground up."""
    found = {}
    for wing in wings:
        found.setdefault(wing.top, []).append(wing)
    return found


def words(wing):
    """What stands in a room: the targets, those in C in one word."""
    names = [name for name in wing.targets if not IS_C.match(name)]
    return names + (["C modules"] if len(names) < len(wing.targets) else [])


def lines(names, width):
    """Names in lines of at most so many characters."""
    found = [""]
    for name in names:
        if found[-1] and len(found[-1]) + len(name) + 3 > width:
            found.append("")
        found[-1] += ("   " if found[-1] else "") + name
    return found


def text(x, y, content, kind):
    return f'<text x="{x}" y="{y}" class="{kind}">{html.escape(content)}</text>'


def box(x, y, width, height, kind):
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" class="{kind}"/>'


def floor(name, wings, y):
    """A floor's parts, and its height."""
    main, rooms = [wing for wing in wings if wing.folder == name], [wing for wing in wings if wing.folder != name]
    inner, parts, at = WIDTH - 2 * MARGIN, [], y + PAD + 12
    sentence = main[0].sentence if main else "what people open: each app is a wing of its own"
    parts.append(text(MARGIN + PAD, at, name, "name"))
    parts.append(text(MARGIN + PAD + 100, at, sentence, "sentence"))
    uses = [other for other in floors(read()) if any(other in wing.uses for wing in wings)]
    if uses:
        parts.append(text(WIDTH - MARGIN - PAD, at, "uses " + ", ".join(uses), "uses"))
    at += 8
    for wing in main:
        for line in lines(words(wing), 112):
            at += LINE
            parts.append(text(MARGIN + PAD + 100, at, line, "target"))
    if rooms:
        count, top = len(rooms), at + PAD
        width = (inner - PAD * (count + 1)) // count if not main else inner - 100 - 2 * PAD
        deepest = top
        for number, room in enumerate(rooms):
            x = MARGIN + PAD + (number * (width + PAD) if not main else 100)
            down, parts_of_room = top + 18, []
            parts_of_room.append(text(x + PAD, down, room.folder.split("/")[1], "room"))
            if main:
                parts_of_room.append(text(x + PAD + 60, down, room.sentence, "sentence"))
            for line in lines(words(room), width // 8 if not main else 100):
                down += LINE
                parts_of_room.append(text(x + PAD, down, line, "target"))
            deepest = max(deepest, down + PAD)
            parts += [(x, top, width)] + parts_of_room
        parts = [box(*part, deepest - top, "room-box") if isinstance(part, tuple) else part for part in parts]
        at = deepest
    height = at + PAD - y
    return [box(MARGIN, y, inner, height, "heart" if name == HEART else "floor")] + parts, height


STYLE = """
  svg { background: #ffffff } text { font: 13px ui-sans-serif, system-ui, "DejaVu Sans", sans-serif; fill: #1c2430 }
  .name { font-weight: 700; font-size: 15px } .room { font-weight: 700 } .sentence { fill: #4a5565 }
  .uses { fill: #4a5565; font-size: 11px; text-anchor: end } .target { font: 12px ui-monospace, "DejaVu Sans Mono", monospace }
  .floor { fill: #eef2f6; stroke: #b6c2cf } .room-box { fill: #ffffff; stroke: #b6c2cf } .heart { fill: #fdeee2; stroke: #d9894a }
"""


def picture(wings):
    drawn, y = [], MARGIN
    for name, inside in reversed(floors(wings).items()):
        parts, height = floor(name, inside, y)
        drawn += parts
        y += height + PAD
    height = y - PAD + MARGIN
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
            'aria-label="The wings of the house: each stands on those that it may use">')
    return "\n".join([head, f"<style>{STYLE}</style>", f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>', *drawn, "</svg>\n"])


def table(wings):
    rows = ["| wing | what it is | targets |", "| --- | --- | --- |"]
    for wing in reversed(wings):
        folder = f"[{wing.folder}](../Sources/{wing.folder if '/' not in wing.folder else wing.top}/README.md)"
        names = [f"`{name}`" for name in wing.targets if not IS_C.match(name)]
        names += ["C modules"] if len(names) < len(wing.targets) else []
        rows.append(f"| {folder} | {wing.sentence} | {', '.join(names)} |")
    return "\n".join(rows)


def main():
    wings = read()
    with open(f"{ROOT}/{PAGE}", encoding="utf-8") as file:
        page = file.read()
    if page.count(BEGIN) != 1 or page.count(END) != 1:
        raise SystemExit(f"{PAGE} wants one line '{BEGIN}' and one '{END}'")
    before, rest = page.split(BEGIN)
    wanted = {PAGE: before + BEGIN + "\n" + table(wings) + "\n" + END + rest.split(END)[1], PICTURE: picture(wings)}
    stale = []
    for path, content in wanted.items():
        try:
            with open(f"{ROOT}/{path}", encoding="utf-8") as file:
                is_stale = file.read() != content
        except FileNotFoundError:
            is_stale = True
        if not is_stale:
            continue
        stale.append(path)
        if "--check" not in sys.argv:
            with open(f"{ROOT}/{path}", "w", encoding="utf-8") as file:
                file.write(content)
    if "--check" in sys.argv and stale:
        raise SystemExit(f"not as Sources/LAYERS.txt has it: {', '.join(stale)}; 'make house' draws them anew")


if __name__ == "__main__":
    main()
