#!/usr/bin/env python3
"""The recording at the top of README.md: docs/recording.txt, and docs/recording-light.svg and -dark.svg drawn from it.

    packaging/recording.py               draws the pictures
    packaging/recording.py --check       says whether they are stale, and exits with 1; a test runs it
    packaging/recording.py --run FOLDER  first runs each line that begins with "$ " with the programs of FOLDER, in a home of its own,
                                         and writes anew what it prints
    packaging/recording.py --docs FOLDER, with any of them: the text and the pictures there, and not those of docs

A line of the text is a command ("$ …"), what it prints, or a remark ("# …"). Where a command would ask, what is typed stands behind
" <<< " and is not shown. Lines appear one after the other; whatever shows no animations shows all of them.
"""
import html
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DOCS = sys.argv[sys.argv.index("--docs") + 1] if "--docs" in sys.argv else f"{ROOT}/docs"
TEXT = f"{DOCS}/recording.txt"
COLOURS = {
    "light": {"back": "#ffffff", "edge": "#c9d1d9", "out": "#24292f", "command": "#0550ae", "remark": "#57606a", "shut": "#a40e26"},
    "dark": {"back": "#0d1117", "edge": "#30363d", "out": "#c9d1d9", "command": "#79c0ff", "remark": "#8b949e", "shut": "#ff7b72"},
}
LINE, CHARACTER, PAD = 19, 8.1, 16


def kind(line):
    if line.startswith("$ "):
        return "command"
    if line.startswith("# "):
        return "remark"
    return "shut" if line.startswith("tresor: ") else "out"


def picture(lines, colours):
    width = int(max(len(line) for line in lines) * CHARACTER) + 2 * PAD
    height = len(lines) * LINE + 2 * PAD
    rules = [f".{name} {{ fill: {colours[name]} }}" for name in ("out", "command", "remark", "shut")]
    drawn, seconds = [], 0.4
    for number, line in enumerate(lines):
        if kind(line) in ("command", "remark"):
            seconds += 1.1
        drawn.append(f'<text x="{PAD}" y="{PAD + 14 + number * LINE}" class="{kind(line)}" '
                     f'style="animation-duration: {seconds:.1f}s">{html.escape(line)}</text>')
        seconds += 0.12
    return f"""<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" viewBox="0 0 {width} {height}" width="{width}" role="img" aria-label="A terminal: {html.escape(lines[0], quote=True)}">
<style>
text {{ font: 13.5px ui-monospace, "DejaVu Sans Mono", Menlo, monospace; white-space: pre; animation: later 1s steps(1) }}
@keyframes later {{ 0%, 99.9% {{ opacity: 0 }} 100% {{ opacity: 1 }} }}
@media (prefers-reduced-motion) {{ text {{ animation: none }} }}
{chr(10).join(rules)}
</style>
<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8" fill="{colours["back"]}" stroke="{colours["edge"]}"/>
{chr(10).join(drawn)}
</svg>
"""


def read():
    with open(TEXT, encoding="utf-8") as file:
        return file.read().rstrip("\n").split("\n")


def run(programs):
    """Runs the commands of the text, and writes what they print in the place of what stood there."""
    work = tempfile.mkdtemp(prefix="tresor-recording-")
    own = work + "/programs"
    shutil.copytree(os.path.realpath(programs), own, ignore=shutil.ignore_patterns("*.d", "clock"))
    environment = {"TRESOR_HOME": work + "/home", "PATH": f"{own}:/usr/bin:/bin", "LANG": "C.UTF-8", "COLUMNS": "100"}
    shell = lambda command: subprocess.run(["/bin/sh", "-c", command], env=environment, capture_output=True, check=False)
    shell("tresor up --detach")
    shell("printf 'grey cats sleep\\ngrey cats sleep\\n' | tresor passcode set")
    try:
        lines = []
        for line in read():
            if kind(line) == "remark":
                lines.append(line)
            elif kind(line) == "command":
                lines.append(line)
                command, _, typed = line[2:].partition(" <<< ")
                done = shell(f"printf '{typed}' | {command}" if typed else command)
                lines += (done.stdout + done.stderr).decode().rstrip("\n").split("\n") if done.stdout + done.stderr else []
    finally:
        shell("tresor down")
        shutil.rmtree(work, ignore_errors=True)
    with open(TEXT, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def main():
    if "--run" in sys.argv:
        run(sys.argv[sys.argv.index("--run") + 1])
    lines = [line.partition(" <<< ")[0] if kind(line) == "command" else line for line in read()]
    stale = []
    for name, colours in COLOURS.items():
        path, wanted = f"{DOCS}/recording-{name}.svg", picture(lines, colours)
        try:
            with open(path, encoding="utf-8") as file:
                is_stale = file.read() != wanted
        except FileNotFoundError:
            is_stale = True
        if is_stale and "--check" not in sys.argv:
            with open(path, "w", encoding="utf-8") as file:
                file.write(wanted)
        elif is_stale:
            stale.append(f"docs/recording-{name}.svg")
    if stale:
        raise SystemExit(f"not as docs/recording.txt has it: {', '.join(stale)}; 'make recording' draws them anew")


if __name__ == "__main__":
    main()
