#!/usr/bin/env python3
"""Writes the rules of sites for passwords, by which `tresor generate --for HOST` makes them, as Swift.

    packaging/password_rules.py FILE SOURCE DATE

FILE is the list of Apple's project password-manager-resources, either as that has it (`quirks/password-rules.json`), or as Firefox
does: Debian's package firefox-esr has that in `browser/omni.ja`, an archive, as `defaults/settings/main/password-rules.json`. SOURCE
and DATE stand in what is written: where FILE is from, and its day. The same file always gives the same text.
"""

import json
import re
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "Sources/Apps/Keychain/PasswordMaking/Sites"
WIDTH, BREAK, MARGIN = 106, "k", "        "
HEADER = """\
// Apple's password rules of sites (github.com/apple/password-manager-resources, MIT),
// as in {source},
// of {date}. Made by packaging/password_rules.py. See SiteRules.

/// The sites from {first} to {last}, one in a line: its host, a space, its rules.
enum {name} {{
    static let text = ##\"\"\"
"""


def entries(path):
    """Hosts with their rules, in order."""
    content = json.loads(Path(path).read_text(encoding="utf-8"))
    if isinstance(content.get("data"), list):
        content = {entry["Domain"]: {"password-rules": entry["password-rules"]} for entry in content["data"]}
    rules = {}
    for host, entry in sorted(content.items()):
        if set(entry) != {"password-rules"} or not re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)+", host):
            sys.exit(f"{path}: {host}: {entry}")
        # Apple's own parser passes over characters that are not ASCII's, and ours refuses them.
        rules[host] = "".join(character for character in entry["password-rules"] if " " <= character <= "~")
    return rules


def lines(text):
    """A line of the literal, or several with the sign for a line that goes on."""
    while len(text) > WIDTH:
        end = text.rfind(" ", 0, WIDTH) + 1 or WIDTH
        yield text[:end] + "\\##"
        text = text[end:]
    yield text


def write(name, part, source, date):
    hosts = list(part)
    text = HEADER.format(name=name, first=hosts[0], last=hosts[-1], source=source, date=date)
    for host in hosts:
        text += "".join(f"{MARGIN}{line}\n" for line in lines(f"{host} {part[host]}"))
    (FOLDER / f"{name}.swift").write_text(text + f'{MARGIN}"""##\n}}\n', encoding="ascii")


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    rules = entries(sys.argv[1])
    write("SiteRulesFromA", {host: rules[host] for host in rules if host < BREAK}, *sys.argv[2:])
    write("SiteRulesFromK", {host: rules[host] for host in rules if host >= BREAK}, *sys.argv[2:])


main()
