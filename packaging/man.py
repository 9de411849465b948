#!/usr/bin/env python3
"""Manual pages from the commands' own description: man.py PROGRAM FOLDER writes tresor.1, tresor-keychain-get.1, …

Programs that nobody types have a page that says what they are for.

EXAMPLES come from examples.txt beside this file, which a story runs.
"""
import json
import pathlib
import re
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


FILES = [
    ("~/.local/share/tresor", "keychain, notes, diary and settings; $XDG_DATA_HOME/tresor where that is set"),
    ("~/.local/state/tresor/enclave", "the enclave's; $XDG_STATE_HOME/tresor/enclave where that is set"),
    ("$XDG_RUNTIME_DIR/tresor/tresord.sock", "the socket of the daemon"),
]
ENVIRONMENT = [
    ("TRESOR_HOME", "an absolute path: data, state and sockets lie there, and nowhere else"),
    ("XDG_DATA_HOME, XDG_STATE_HOME, XDG_RUNTIME_DIR", "where they lie without it"),
    ("VISUAL, EDITOR", "the program of 'tresor notes edit --editor'"),
    ("LANG, TZ", "the diary's language, and the time zone of new entries"),
    ("COLUMNS", "the width of lists and messages at a terminal; else that of the window"),
]
CODES = [
    (0, "done"), (3, "not found"), (4, "duplicate, or several have the name"), (5, "locked"),
    (6, "authentication failed"), (7, "not permitted"), (8, "damaged"), (64, "usage"), (69, "unavailable"),
    (73, "cannot write"), (74, "storage failed"), (75, "no answer"),
]
LINES = [line[2:] if line.startswith("- ") else line
         for line in (pathlib.Path(__file__).parent / "examples.txt").read_text().splitlines()
         if line and not line.startswith("#")]


def examples(path):
    """Those of a command or of what is below it; else those of the nearest group above that has some."""
    for length in range(len(path), 0, -1):
        words = " ".join(path[:length])
        found = [line for line in LINES if re.search(re.escape(words) + r"( |$)", line)]
        if found:
            return found[:8]
    return []


def escape(text):
    return text.replace("\\", "\\\\").replace("-", "\\-").replace("\n", "\n.br\n")


# On the page of the whole program, and on those that somebody who wants to be rid of it opens.
UNINSTALL = """\
A Debian package goes with 'apt remove tresor' or 'apt purge tresor'; what 'make install' has put there, with
'make uninstall' in the folder of the sources, with the same PREFIX; an archive, with 'install.py --uninstall PREFIX'. Say
'tresor down' before. 'tresor admin where' says which of them it is.

Keychain, notes and diary stay, whatever removes the programs: they go with the folders of data and state above, which
nobody but their owner deletes."""


def option_name(argument):
    if argument["kind"] == "positional":
        return argument.get("valueName", "value").upper()
    names = ", ".join(("--" if n["kind"] == "long" else "-") + n["name"] for n in argument.get("names", []))
    return names + (" " + argument.get("valueName", "value").upper() if argument["kind"] == "option" else "")


def listed(title, entries):
    lines = [f".SH {title}"]
    for name, text in entries:
        lines += [".TP", f".B {escape(str(name))}", escape(text)]
    return lines


def see_also(path, commands):
    pages = ["-".join(path[:-1])] if len(path) > 1 else ["tresord"]
    pages += ["-".join(path + [c["commandName"]]) for c in commands]
    return [".SH SEE ALSO", ",\n".join(f".BR {escape(page)} (1)" for page in pages)]


def page(command, path, everywhere):
    title = "-".join(path)
    lines = [f'.TH "{title.upper()}" 1 "" "Tresor" "Tresor"', ".SH NAME"]
    lines.append(f"{escape(title)} \\- {escape(command.get('abstract', ''))}")
    # Also those that --help leaves out, and --help-hidden has; without a word about them they are for programs.
    arguments = [a for a in command.get("arguments", []) if a.get("shouldDisplay", True) or a.get("abstract")]
    names = {option_name(a) for a in arguments}
    arguments += [a for a in everywhere if option_name(a) not in names]
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
    shown = examples(path)
    if shown:
        lines += [".SH EXAMPLES", ".nf"] + [f"$ {escape(line)}" for line in shown] + [".fi"]
    lines += listed("FILES", FILES)
    if path in (["tresor"], ["tresor", "admin"], ["tresor", "admin", "where"]):
        lines += [".SH UNINSTALLING", "\n.PP\n".join(escape(text.replace("\n", " ")) for text in UNINSTALL.split("\n\n"))]
    lines += listed("ENVIRONMENT", ENVIRONMENT) + listed("EXIT STATUS", CODES)
    lines += see_also(path, commands)
    return "\n".join(lines) + "\n"


def page_beside(name):
    return "\n".join([f'.TH "{name.upper()}" 1 "" "Tresor" "Tresor"', ".SH NAME",
                      f"{escape(name)} \\- {escape(BESIDE[name])}", ".SH SYNOPSIS", f".B {escape(name)}",
                      ".SH DESCRIPTION", "Other programs of Tresor start it. There is nothing to type."]
                     + listed("FILES", FILES) + listed("ENVIRONMENT", ENVIRONMENT[:2])
                     + [".SH SEE ALSO", ".BR tresor (1)"]) + "\n"


def write(command, path, folder, everywhere):
    (folder / ("-".join(path) + ".1")).write_text(page(command, path, everywhere))
    for sub in command.get("subcommands", []):
        if sub["commandName"] != "help":
            write(sub, path + [sub["commandName"]], folder, everywhere)


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    described = json.loads(subprocess.check_output([program, "--experimental-dump-help"]))
    # The program's own options belong to every command.
    everywhere = [a for a in described["command"].get("arguments", [])
                  if a["kind"] != "positional" and option_name(a) not in ("--version", "-h, --help")]
    write(described["command"], ["tresor"], folder, everywhere)
    for name in BESIDE:
        # A command that is called as a program is has told more.
        if not (folder / f"{name}.1").exists():
            (folder / f"{name}.1").write_text(page_beside(name))


main()
