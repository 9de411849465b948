#!/usr/bin/env python3
"""Writes the list of words from which `tresor generate --words` draws, as Swift.

    packaging/word_list.py FILE

FILE is the large word list of the Electronic Frontier Foundation for dice: 7,776 lines, each five digits and a word. Debian's package
diceware has it as `wordlists/wordlist_en_eff.txt`. The same file always gives the same text.
"""

import re
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "Sources/Apps/Keychain/PasswordMaking/Words"
COUNT, WIDTH, BREAK = 7776, 112, "m"
# A hyphen may stand between words, and so is in none. The list has `yoyo` beside `yo-yo`.
WITHOUT_HYPHEN = {"drop-down": "dropdown", "felt-tip": "felttip", "t-shirt": "tshirt", "yo-yo": "yolk"}
HEADER = """\
// Word list of the Electronic Frontier Foundation (eff.org/dice), CC BY 3.0 US, changed.
// Made by packaging/word_list.py. See WordList.

/// The words from {first} to {last}, each behind a space or a line break.
enum {name} {{
    static let text = \"\"\"
"""


def words(path):
    lines = Path(path).read_text(encoding="ascii").split("\n")
    found = [match[1] for match in (re.fullmatch(r"[1-6]{5}\t([a-z-]+)", line) for line in lines) if match]
    found = sorted(WITHOUT_HYPHEN.get(word, word) for word in found)
    if len(set(found)) != COUNT:
        sys.exit(f"{path}: {len(set(found))} words, and not {COUNT}")
    for word, following in zip(found, found[1:]):
        if following.startswith(word) or not re.fullmatch("[a-z]{3,9}", word):
            sys.exit(f"{path}: {word} is not as words have to be")
    return found


def write(name, part):
    lines, line = [], ""
    for word in part:
        if line and len(line) + 1 + len(word) > WIDTH:
            lines.append(line)
            line = ""
        line = f"{line} {word}" if line else word
    lines.append(line)
    text = HEADER.format(name=name, first=part[0], last=part[-1])
    text += "".join(f"        {line}\n" for line in lines) + '        """\n}\n'
    (FOLDER / f"{name}.swift").write_text(text, encoding="ascii")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    found = words(sys.argv[1])
    write("WordsFromA", [word for word in found if word < BREAK])
    write("WordsFromM", [word for word in found if word >= BREAK])


main()
