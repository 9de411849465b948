#!/usr/bin/env python3
"""Lives with the Debian packages on a bare Debian 12: installs, plays the tour, upgrades, removes. Needs root and a network.

    packaging/deb_story.py [--base FOLDER] TREE

TREE is laid out for /usr (packaging/tree.py). debootstrap makes a Debian of the few packages that every other one counts on; with
--base it is kept in FOLDER, for another run. Inside there is no Swift and no compiler, and what is told about the
programs is done by an ordinary user. The version before is made of the same files, but for the name of Swift's runtime,
so that an upgrade takes one away. Prints each step; ends with 1 where one is not as it has to be, and with 0 and the
reason where debootstrap, root or the network is missing.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True

import deb
import origin

BEFORE = "0.0.9~before-1"
PASSCODE = "grey cats sleep"
MARK = "TRESOR_DEB_STORY"
STAYS = "/var/lib/tresor stays"


def mirror():
    """Where this machine's apt fetches Debian 12 from."""
    places = [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))]
    text = "\n".join(place.read_text(errors="replace") for place in places if place.is_file())
    found = re.search(r"^(?:URIs:|deb(?: \[[^]]*\])?) +(\S+/debian)/?(?:\s|$)", text, re.M)
    return found[1] if found else "http://deb.debian.org/debian"


class Story:
    def __init__(self, folder, base):
        self.root = folder / "debian"
        self.failed = 0
        if not (base / "etc/debian_version").exists():
            print(f"debootstrap from {mirror()}", flush=True)
            made = subprocess.run(["debootstrap", "--variant=minbase", "bookworm", base, mirror()], text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if made.returncode:
                shutil.rmtree(base, ignore_errors=True)
                print(f"Left out: debootstrap ended with {made.returncode}: {made.stdout.splitlines()[-1:]}")
                sys.exit(0)
        subprocess.run(["cp", "-a", "--reflink=auto", base, self.root], check=True)
        # debootstrap has made the devices that programs need; this machine's own stay out.
        for kind, place in (("proc", "proc"), ("tmpfs", "tmp")):
            subprocess.run(["mount", "-t", kind, kind, self.root / place], check=True)
        shutil.copyfile("/etc/resolv.conf", self.root / "etc/resolv.conf")
        for line in subprocess.run(["apt-config", "dump"], capture_output=True, text=True).stdout.splitlines():
            if re.match(r"Acquire::https?::Proxy ", line):
                with open(self.root / "etc/apt/apt.conf.d/90proxy", "a", encoding="utf-8") as file:
                    file.write(line + "\n")
        self.root_does("useradd --create-home --shell /bin/sh anna")

    def run(self, command, user=None, typed=""):
        """A line of shell inside: what it printed, and its exit code."""
        start = ["setpriv", "--reuid=anna", "--regid=anna", "--clear-groups"] if user else []
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive",
                       "HOME": f"/home/{user}" if user else "/root", "USER": user or "root"}
        environment |= {name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")}
        # What Debian grants an ordinary user.
        done = subprocess.run(["prlimit", "--memlock=8388608", "chroot", self.root, *start, "/bin/sh", "-c", command],
                              input=typed, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.stdout, done.returncode

    def expect(self, is_so, what, said=""):
        print(("  well: " if is_so else "  WRONG: ") + what, flush=True)
        if not is_so:
            self.failed += 1
            print("\n".join("    | " + line for line in said.splitlines()[-30:]))

    def root_does(self, command):
        said, code = self.run(command)
        if code:
            sys.exit(f"{command}: exit {code}\n{said}")
        return said

    def anna(self, command, wanted="", typed="", code=0, shows=0):
        """What anna types, what she has to see, and how many lines of it we want to."""
        said, ended = self.run("cd && " + command, "anna", typed)
        self.expect(ended == code and wanted in said, f"anna: {command}", f"exit {ended}\n{said}")
        for line in said.splitlines()[:shows]:
            print("    | " + line)
        return said

    def ours(self):
        """Files of the programs, wherever they lie; homes, data and what dpkg and apt remember are others'."""
        said = self.root_does("find / -xdev \\( -path /proc -o -path /tmp -o -path /home -o -path /var \\) -prune -o "
                              "-name '*tresor*' -print")
        return said.split()


def earlier(tree, folder):
    """The same files, as if an earlier Swift had built them: its runtime has another name of the same length."""
    copy = folder / "earlier"
    shutil.copytree(tree, copy, symlinks=True)
    [runtime] = (copy / "usr/lib/tresor").glob("swift-*")
    name = runtime.name[:-1] + ("0" if runtime.name[-1] != "0" else "1")
    for program in (copy / "usr/bin").iterdir():
        program.write_bytes(program.read_bytes().replace(runtime.name.encode(), name.encode()))
    runtime.rename(runtime.with_name(name))
    return copy, name, runtime.name


def install_and_live(story, package):
    packages = len(story.root_does("dpkg-query -W").splitlines())
    said, code = story.run(f"apt-get -q update && apt-get -q -y install --no-install-recommends /tmp/{package}")
    story.expect(code == 0, f"apt installs {package}", said)
    more = len(story.root_does("dpkg-query -W").splitlines()) - packages - 1
    size = re.search(r"After this operation, (.*) of additional", said)
    print(f"    | {more} packages beside it; {size[1] if size else '?'} in all")
    story.expect(story.run("command -v swift swiftc gcc clang")[1] != 0, "no compiler is there")
    story.anna("tresor --version", origin.version(), shows=1)
    story.anna("tresor tour", "The device of this tour is gone", shows=100)
    story.anna("tresor up --detach", "run; the device is unlocked", shows=1)
    story.anna("tresor keychain add --service mail.example --account anna", typed="correct horse")
    story.anna("tresor passcode set", "passcode set", typed=f"{PASSCODE}\n{PASSCODE}\n")
    story.anna("tresor notes new", typed="# Garden\n\nprune the pear\n")
    story.anna("tresor diary register", typed="a blue door\na blue door\n")
    story.anna("tresor doctor --data", shows=12)
    story.anna("tresor admin where", "'sudo apt remove tresor'", shows=7)
    story.anna("tresor uninstall", "sudo apt purge tresor", code=64)
    story.anna("man -w tresor 2>/dev/null || ls /usr/share/man/man1/tresor.1.gz", "tresor.1")


def modules(story, package):
    """The package for programmers, whose paths have to be those of where it lies."""
    said, code = story.run(f"apt-get -q -y install --no-install-recommends /tmp/{package}")
    story.expect(code == 0, f"apt installs {package}", said)
    said, code = story.run("sed -n 's/.*\"-I\", \"\\([^\"]*\\)\".*/\\1/p' /usr/lib/tresor/tresor-toolset.json | xargs ls")
    story.expect(code == 0 and "Security.swiftmodule" in said, "its toolset names the folder of the modules", said)


def upgrade(story, package, former, runtime):
    said, code = story.run(f"apt-get -q -y install --no-install-recommends /tmp/{package}")
    story.expect(code == 0 and "Unpacking tresor" in said, f"apt upgrades to {package}", said)
    there = story.root_does("ls -A /usr/lib/tresor").split()
    story.expect(set(there) >= {former, runtime}, f"programs run, so both runtimes are there: {there}")
    story.anna("tresor keychain get --service mail.example", "correct horse")
    story.anna("tresor lock", "locked")
    story.anna("tresor notes list", code=5)
    story.anna("tresor unlock", "unlocked", typed=PASSCODE + "\n")
    story.anna("tresor notes list", "Garden", shows=1)
    running = story.root_does("for each in /proc/[0-9]*; do readlink $each/exe; done || true")
    story.expect("tresor-notes (deleted)" in running, "the program of notes has started anew from its old file", running)
    story.anna("tresor down", "has ended")
    story.anna("tresor up --detach", "before first unlock", shows=1)
    story.anna("tresor unlock", "unlocked", typed=PASSCODE + "\n")
    story.anna("tresor keychain get --service mail.example", "correct horse")
    story.anna("tresor notes search pear", "Garden")
    story.anna("tresor doctor --data")
    said, code = story.run(f"apt-get -q -y install --reinstall /tmp/{package}")
    there = story.root_does("ls -A /usr/lib/tresor").split()
    story.expect(code == 0 and former not in there and runtime in there, f"the next one removes it: {there}", said)
    story.anna("tresor keychain get --service mail.example", "correct horse")


def purge(story, package):
    story.root_does("install -d -m 700 /var/lib/tresor && echo secret > /var/lib/tresor/key")
    said, code = story.run("apt-get -q -y purge tresor")
    story.expect(code == 0 and STAYS in said, "a purge without a terminal says that data stay", said)
    story.expect(story.run("cat /var/lib/tresor/key")[0] == "secret\n", "and they are there")
    story.expect(story.ours() == [], "nothing of the programs is left", "\n".join(story.ours()))
    story.expect("keychain.sqlite" in story.run("find /home/anna/.local -name 'keychain.sqlite'")[0], "anna's home stays")
    story.root_does(f"apt-get -q -y install --no-install-recommends /tmp/{package}")
    story.root_does("echo tresor tresor/remove-machine-keychain boolean true | debconf-set-selections")
    said, code = story.run("apt-get -q -y purge tresor")
    story.expect(code == 0 and story.run("test -e /var/lib/tresor")[1] == 1, "who answered yes has no data", said)
    story.root_does(f"apt-get -q -y install --no-install-recommends /tmp/{package}")
    story.run("kill -9 $(cat /proc/[0-9]*/stat | sed -n 's/^\\([0-9]*\\) (tresor.*/\\1/p')")
    story.anna("tresor up --detach", "before first unlock")
    story.anna("tresor unlock", "unlocked", typed=PASSCODE + "\n")
    story.anna("tresor notes search pear", "Garden")
    story.anna("tresor down", "has ended")


def obstacle():
    if os.geteuid() != 0:
        return "it needs root"
    for program in ("debootstrap", "unshare", "dpkg-deb"):
        if not shutil.which(program):
            return f"{program} is missing"
    return None


def main():
    arguments, base = sys.argv[1:], None
    if arguments[:1] == ["--base"]:
        base, arguments = Path(arguments[1]).resolve(), arguments[2:]
    if len(arguments) != 1:
        sys.exit(__doc__)
    if reason := obstacle():
        print(f"Left out: {reason}")
        return
    if MARK not in os.environ:
        # Mounts and processes of its own, which end with it.
        os.environ[MARK] = "inside"
        os.execvp("unshare", ["unshare", "--mount", "--pid", "--fork", "--kill-child", sys.executable, *sys.argv])
    tree = Path(arguments[0]).resolve()
    with tempfile.TemporaryDirectory(prefix="tresor-deb-story-", ignore_cleanup_errors=True) as folder:
        folder = Path(folder)
        story = Story(folder, base or folder / "base")
        try:
            before, former, runtime = earlier(tree, folder)
            old, new = [deb.make(made, folder / "none", folder / "out", version)
                        for made, version in ((before, BEFORE), (tree, None))]
            for package in old + new:
                shutil.copy(package, story.root / "tmp")
            install_and_live(story, old[0].name)
            upgrade(story, new[0].name, former, runtime)
            if new[1:]:
                modules(story, new[1].name)
            purge(story, new[0].name)
        finally:
            for place in ("proc", "tmp"):
                subprocess.run(["umount", "--lazy", story.root / place], check=True)
    if story.failed:
        sys.exit(f"{story.failed} steps were not as they have to be")
    print("All is as it has to be.")


main()
