#!/usr/bin/env python3
"""Manual pages from the commands' own description: man.py PROGRAM FOLDER writes tresor.1, tresor-keychain-get.1, …

Programs that nobody types have a page that says what they are for.
"""
import json
import pathlib
import subprocess
import sys

BESIDE = {
    "tresord": "the daemon that keeps the keychain; 'tresor up' starts it",
    "tresor-enclave": "the process that holds the keys; tresord starts it",
    "tresor-notes": "keeps notes in a store of its own; 'tresor notes' starts it",
    "tresor-diary": "keeps the diary in a store of its own; 'tresor diary' starts it",
    "tresor-widgets": "keeps what widgets show; 'tresor widget' starts it",
    "tresor-thumb": "makes a small picture of one image, in a sandbox",
    "tresor-print": "makes a book of the diary's pages, in a sandbox",
    "tresor-draw": "draws widgets as pictures, in a sandbox",
    "tresor-pages": "shows widgets on a page of this machine; 'tresor widget serve' starts it",
}


def escape(text):
    return text.replace("\\", "\\\\").replace("-", "\\-").replace("\n", "\n.br\n")


def option_name(argument):
    if argument["kind"] == "positional":
        return argument.get("valueName", "value").upper()
    names = ", ".join(("--" if n["kind"] == "long" else "-") + n["name"] for n in argument.get("names", []))
    return names + (" " + argument.get("valueName", "value").upper() if argument["kind"] == "option" else "")


def page(command, path):
    title = "-".join(path)
    lines = [f'.TH "{title.upper()}" 1 "" "Tresor" "Tresor"', ".SH NAME"]
    lines.append(f"{escape(title)} \\- {escape(command.get('abstract', ''))}")
    arguments = [a for a in command.get("arguments", []) if a.get("shouldDisplay", True)]
    usage = " ".join(f"[{option_name(a)}]" for a in arguments)
    lines += [".SH SYNOPSIS", f".B {escape(' '.join(path))}", escape(usage)]
    if command.get("discussion"):
        lines += [".SH DESCRIPTION", escape(command["discussion"])]
    if arguments:
        lines.append(".SH OPTIONS")
        for argument in arguments:
            lines += [".TP", f".B {escape(option_name(argument))}", escape(argument.get("abstract", ""))]
    # Former spellings go on working, and have pages; nobody is sent there.
    commands = [c for c in command.get("subcommands", []) if c["commandName"] != "help" and c.get("shouldDisplay", True)]
    if commands:
        lines.append(".SH COMMANDS")
        for sub in commands:
            lines += [".TP", f".B {escape(sub['commandName'])}", escape(sub.get("abstract", ""))]
    return "\n".join(lines) + "\n"


def page_beside(name):
    return "\n".join([f'.TH "{name.upper()}" 1 "" "Tresor" "Tresor"', ".SH NAME",
                      f"{escape(name)} \\- {escape(BESIDE[name])}", ".SH SYNOPSIS", f".B {escape(name)}",
                      ".SH DESCRIPTION", "Other programs of Tresor start it. There is nothing to type.",
                      ".SH SEE ALSO", ".BR tresor (1)"]) + "\n"


def write(command, path, folder):
    (folder / ("-".join(path) + ".1")).write_text(page(command, path))
    for sub in command.get("subcommands", []):
        if sub["commandName"] != "help":
            write(sub, path + [sub["commandName"]], folder)


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    described = json.loads(subprocess.check_output([program, "--experimental-dump-help"]))
    write(described["command"], ["tresor"], folder)
    for name in BESIDE:
        # A command that is called as a program is has told more.
        if not (folder / f"{name}.1").exists():
            (folder / f"{name}.1").write_text(page_beside(name))


main()
