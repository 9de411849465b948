"""Widgets on real hosts, on screens that nobody sees: what they show unlocked, locked and when the daemon is gone.

    python3 packaging/host_screens PROGRAM [--shots FOLDER] [--only HOST,HOST] [--kinds KIND,KIND]
        [--patience FACTOR] [--keep]

PROGRAM is tresor, with its other programs beside it. Hosts that are not installed are left out. Prints a line for
each check, "ok HOST CHECK [N ms]", "fail HOST CHECK: WHY" or "skip HOST: WHY"; ends with 0 if all hold, 1 if not,
64 for wrong usage, 77 if no host is installed. Everything is private to the run: device, bus, runtime directory,
displays; all of it is ended by its process id.
"""
import argparse
import os
import pathlib
import signal
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import hosts  # noqa: E402
from evening import Evening, Report, compare  # noqa: E402
from processes import Failed  # noqa: E402

# What a note is called, and what of that is looked for: a short name for the pictures; then one of another length that
# tries to be markup of every host.
SECRETS = (("Gate code 4711", "code 4711"), ("Ringo <i> & #S #{session_name} %{F#f00}red", "Ringo"))
KINDS = "notes.pinned,notes.recent,notes.checklists,device.lock"


def main():
    parser = argparse.ArgumentParser(prog="host_screens", description=__doc__.split("\n")[0])
    parser.add_argument("program", type=pathlib.Path, help="tresor")
    parser.add_argument("--shots", type=pathlib.Path, help="a folder for pictures")
    parser.add_argument("--only", default="", help="names of hosts")
    parser.add_argument("--kinds", default=KINDS, help="widgets; the first shows a pinned note's title")
    parser.add_argument("--patience", type=float, default=1, help="by how much more time hosts may take; 1")
    parser.add_argument("--keep", action="store_true", help="keep the folder of logs")
    try:
        options = parser.parse_args()
    except SystemExit as end:
        sys.exit(64 if end.code else 0)
    program = options.program.resolve()
    if not os.access(program, os.X_OK):
        parser.exit(64, f"{program} is no program\n")
    # Whoever starts this may have signals blocked, and hosts would inherit that: i3bar and tmux would never hear that a
    # stream of theirs has died.
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    # So that what was started is ended.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    report, chosen = Report(), []
    for host in hosts.ALL:
        if options.only and host.name not in options.only.split(","):
            continue
        if host.missing():
            report.skip(host.name, f"{', '.join(host.missing())} not installed")
        else:
            chosen.append(host)
    if not chosen:
        sys.exit(77)
    if options.shots:
        options.shots.mkdir(parents=True, exist_ok=True)
    seen = []
    for turn, secret in enumerate(SECRETS):
        shots = options.shots if turn == 0 else None
        evening = Evening(program, chosen, options.kinds.split(","), report, shots, options)
        try:
            seen.append(evening.run(*secret))
        except Failed as failure:
            report.check(False, "run", str(turn + 1), failure)
    if len(seen) == len(SECRETS):
        compare(report, *seen)
    sys.exit(1 if report.failed else 0)


main()
