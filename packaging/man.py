#!/usr/bin/env python3
"""Manual pages from the commands' own description: man.py PROGRAM FOLDER writes tresor.1, tresor-keychain-get.1, …"""
import json
import pathlib
import subprocess
import sys


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


def write(command, path, folder):
    (folder / ("-".join(path) + ".1")).write_text(page(command, path))
    for sub in command.get("subcommands", []):
        if sub["commandName"] != "help":
            write(sub, path + [sub["commandName"]], folder)


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    described = json.loads(subprocess.check_output([program, "--experimental-dump-help"]))
    write(described["command"], ["tresor"], folder)


main()
