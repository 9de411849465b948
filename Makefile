# make run    install what is missing, build, start the device of this user
# make test   install what is missing, build, run every test; TESTS=LockCauseStories for some
# make wasm   compile the widget kit for browsers, with the page that shows it
# make deb    Debian packages; make dist  an archive for other systems
# make hosts  install bars and a screen locker, and look at widgets on them, on screens that nobody sees
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help run test enclave bench lint fuzz damage faults powercuts soak growth bars hosts wasm house catalogues recording install uninstall tree clean deps release stage programs man apple-packages mutants deb dist

PREFIX ?= $(HOME)/.local
DEBIAN := libsqlite3-dev libcmark-gfm-dev libcmark-gfm-extensions-dev libvips-dev zlib1g-dev libzip-dev libqrencode-dev libexpat1-dev libpango1.0-dev libcairo2-dev libjpeg62-turbo-dev libmicrohttpd-dev \
  tzdata fonts-dejavu-core poppler-utils qpdf tmux python3 \
  python3-cryptography openssl ca-certificates libsystemd-dev libfido2-dev fprintd python3-dbusmock dbus-daemon dbus-bin \
  gettext git binutils pinentry-curses strace gdb gcc
STATIC := --static-swift-stdlib -Xswiftc -static-executable
# Programs do not tell the folder that they were built in: two builds in two folders are the same bytes. The last two leave out the hash of a
# module's code, and the names of the compiler's cache of C modules; both depend on the folder, and nobody reads them.
MAPPED := -Xcc -ffile-prefix-map=$(CURDIR)=. -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xswiftc -prefix-serialized-debugging-options \
  -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen -Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs
ENCLAVE := swift build -c release --scratch-path .build-enclave $(STATIC) $(MAPPED)
# The other programs share one copy of Swift's runtime. Its folder has the version's name: a program that runs through an update starts anew
# with the runtime it was built for.
RUNTIME = lib/tresor/swift-$(shell swiftc --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p')
# Functions nobody calls are dropped one by one, and relocations are packed (glibc 2.36).
RELEASE = swift build -c release $(MAPPED) --disable-local-rpath -Xswiftc -no-toolchain-stdlib-rpath -Xlinker '-rpath=$$ORIGIN/../$(RUNTIME)' \
  -Xswiftc -Xfrontend -Xswiftc -function-sections -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs
# C is optimised in debug builds, too: else most of the time of tests goes into scrypt.
DEBUG := swift build --build-tests -Xcc -O2
PROGRAMS := tresor tresord tresor-notes tresor-diary tresor-widgets tresor-thumb tresor-print tresor-draw tresor-pages
BUILT := $(addprefix .build/release/,$(PROGRAMS)) .build-enclave/release/tresor-enclave
RUN := .build-run/bin

help:
	@grep '^# make' Makefile | cut -c3-

deps:
	@command -v swift >/dev/null || { echo "A Swift 6.3 toolchain is needed: see swift.org/install" >&2; exit 69; }
	@# From Debian 13 on, old names of time zones are a package of their own, which Debian 12 does not have.
	@missing=; zones=$$(apt-cache show tzdata-legacy >/dev/null 2>&1 && echo tzdata-legacy); \
	for package in $(DEBIAN) $$zones; do dpkg -s $$package >/dev/null 2>&1 || missing="$$missing $$package"; done; \
	if [ -n "$$missing" ]; then \
	  echo "Installing Debian packages:$$missing"; \
	  if [ "$$(id -u)" = 0 ]; then as=; else as=sudo; fi; \
	  $$as apt-get update -q && $$as apt-get install -y -q $$missing; \
	fi

# The enclave is built on its own and fully static: no loader, so nothing can be preloaded into it.
release: deps
	$(ENCLAVE) --product tresor-enclave
	$(RELEASE)
	/usr/bin/python3 packaging/runtime.py .build-run $(RUNTIME) $(BUILT)
	/usr/bin/python3 packaging/catalogues.py --compile .build-run/share/locale
	@[ ! -e .build-run/$(RUNTIME)/lib_FoundationICU.so ] || { echo "A program needs Foundation, and so ICU: see docs/decisions/0039-sqlite-without-foundation.md" >&2; exit 1; }

run: release
	$(RUN)/tresor up $(if $(DETACH),--detach)

# Debug programs around the real, static enclave, and its build with a test clock.
stage: deps enclave
	$(DEBUG)
	rm -rf .build-stage && mkdir -p .build-stage/clock
	cp .build/debug/tresor .build/debug/tresord .build/debug/tresor-notes .build/debug/tresor-diary .build/debug/tresor-widgets \
	  .build/debug/tresor-thumb .build/debug/tresor-print .build/debug/tresor-draw .build/debug/tresor-pages .build/debug/tresor-caller-testing .build/debug/tresor-integrity-testing \
	  .build-enclave/release/tresor-enclave .build-stage/
	cp .build/debug/tresor .build/debug/tresor-thumb .build/debug/tresor-print .build/debug/tresor-draw .build/debug/tresor-pages .build-stage/clock/
	cp .build/debug/tresord-testing .build-stage/clock/tresord
	cp .build/debug/tresor-notes-testing .build-stage/clock/tresor-notes
	cp .build/debug/tresor-diary-testing .build-stage/clock/tresor-diary
	cp .build/debug/tresor-widgets-testing .build-stage/clock/tresor-widgets
	cp .build-enclave/release/tresor-enclave-testing .build-stage/clock/tresor-enclave
	/usr/bin/python3 packaging/catalogues.py --compile .build-stage/locale
	ln -s ../locale .build-stage/clock/locale

# The enclave as it is shipped, and its build with a test clock.
enclave:
	$(ENCLAVE) --product tresor-enclave
	$(ENCLAVE) --product tresor-enclave-testing

TESTED = TRESOR_PYTHON=/usr/bin/python3 TRESOR_TEST_PROGRAMS=$(CURDIR)/.build-stage TRESOR_MEMORY_TESTS=required \
  /usr/bin/python3 packaging/tests.py $(1) .build/debug/tresorPackageTests.xctest $(if $(TESTS),'$(TESTS)')

test: stage
	$(call TESTED)

# Twenty million inputs, more than half of them frames, the rest keybags and rows; a seeded generator, so that a failure can be repeated.
fuzz: deps
	$(RELEASE) --product tresor-fuzz
	/usr/bin/python3 packaging/runtime.py .build-fuzz $(RUNTIME) .build/release/tresor-fuzz
	.build-fuzz/bin/tresor-fuzz $(or $(COUNT),20000000) vectors $(or $(SEED),-) $(TARGETS)

# With programs and a runtime of its own: unlike them it needs Foundation.
bench: release
	/usr/bin/python3 packaging/runtime.py .build-bench $(RUNTIME) $(BUILT) .build/release/tresor-bench
	.build-bench/bin/tresor-bench $(SIZES)
	@if [ -n "$(PEERS)" ] && [ -x "$(PEERS)/secret-service/run-gkr.sh" ]; then "$(PEERS)/secret-service/run-gkr.sh"; \
	else echo "Peers are measured beside this table where PEERS names a folder with their scripts."; fi

HOSTS := waybar sway swaylock grim i3-wm i3blocks polybar conky-std xvfb tmux dbus-daemon at-spi2-core \
  gir1.2-atspi-2.0 python3-gi fonts-dejavu-core fonts-noto-color-emoji

# Release programs: a lock has every stream start anew, and the pictures are taken against a clock.
hosts: release
	@missing=; for package in $(HOSTS); do dpkg -s $$package >/dev/null 2>&1 || missing="$$missing $$package"; done; \
	if [ -n "$$missing" ]; then if [ "$$(id -u)" = 0 ]; then as=; else as=sudo; fi; \
	$$as apt-get update -q && $$as apt-get install -y -q --no-install-recommends $$missing; fi
	/usr/bin/python3 packaging/host_screens $(RUN)/tresor --shots docs/hosts

# Breaks the programs on purpose, one patch of Tests/Mutants at a time, and runs the test that must notice; some hours. NAMES="one another" or TESTS=NotesTests for some,
# HERE=1 in this tree and its build, TABLE=file.md for the result as a table, KNOWN=file to go on another day.
mutants: deps
	/usr/bin/python3 packaging/mutants.py $(if $(TABLE),--markdown $(TABLE)) $(if $(KNOWN),--known $(KNOWN)) $(if $(TESTS),--tests "$(TESTS)") $(if $(HERE),--here,.build-mutants) $(NAMES)

# Damages a home in one place at a time, each row, file and page, and looks what every command says of it; a quarter of an hour.
# ONLY=text for some lines of the table, EVERY=10 for a tenth of it, TABLE=file.md for the table as a file.
damage: release
	/usr/bin/python3 packaging/damage.py $(RUN) $(if $(ONLY),--only "$(ONLY)") $(if $(EVERY),--every $(EVERY)) $(if $(TABLE),--markdown $(TABLE))

# Lets each storage call of each program fail, one at a time, and looks what is said and what is there; an hour. ONLY=text for some of
# them, ERROR=ENOSPC for another failure, TABLE=file.md for the table as a file. Needs root.
faults: release
	/usr/bin/python3 packaging/faults.py $(RUN) $(if $(ONLY),--only "$(ONLY)") $(if $(ERROR),--error $(ERROR)) $(if $(TABLE),--markdown $(TABLE))

# Cuts the power at 300 moments, as recorded writes have it, and starts on what may be left; ten minutes. STATES=30 for fewer. Needs root.
powercuts: release
	/usr/bin/python3 packaging/powercuts.py $(RUN) $(if $(STATES),--states $(STATES)) $(if $(SEED),--seed $(SEED))

# Tests do at length what they do a few times otherwise: kills at every step, mutated inputs, random moments; half an hour and more. Then eight
# clients at once, with locks and kills, and a look whether anything is missing. Before an issue is called done.
# TESTS=StormStories for some tests, MINUTES=1 for less than ten.
soak: stage release
	$(call TESTED,--soak)
	/usr/bin/python3 packaging/soak.py $(RUN) $(if $(MINUTES),--minutes $(MINUTES)) $(if $(SEED),--seed $(SEED))

# What commands take with 1,000, 10,000 and 50,000 notes and items; ten minutes. COUNTS=1000,5000 for others, TABLE=file.md for a file.
growth: release
	/usr/bin/python3 packaging/growth.py $(RUN) $(if $(COUNTS),--counts $(COUNTS)) $(if $(TABLE),--markdown $(TABLE))

# What a person waits for at a terminal with 10,000 items, notes and entries: names, completion, first paint, keys; five minutes. COUNT=1000 for
# others, TABLE=file.md for a file.
bars: release
	/usr/bin/python3 packaging/bars.py $(RUN) $(if $(COUNT),--count $(COUNT)) $(if $(TABLE),--markdown $(TABLE))

wasm:
	packaging/wasm/build.sh .build-wasm
	@echo "python3 -m http.server --bind 127.0.0.1 --directory .build-wasm 8080"

# Draws docs/house.svg and the table of docs/ARCHITECTURE.md from Sources/LAYERS.txt.
house:
	/usr/bin/python3 packaging/house.py

# Gathers the sentences of the sources, and brings the catalogues of locale/ in step with them; then they want translating.
catalogues:
	/usr/bin/python3 packaging/catalogues.py
	/usr/bin/python3 packaging/catalogues.py --check

# Draws the recording of README.md from docs/recording.txt, after running its commands anew.
recording: release
	/usr/bin/python3 packaging/recording.py --run $(RUN)

lint:
	swift format lint --strict --recursive Sources Tests Benchmarks packaging Package.swift

# What is installed, below a folder that stands for `/`, with the paths of PREFIX inside.
tree: release man
	/usr/bin/python3 packaging/tree.py .build-run $(RUNTIME) $(PREFIX) .build-run/tree
	packaging/apple-modules.sh .build/release $(PREFIX) .build-run/tree

# DESTDIR=folder for a folder that stands for `/`.
install: tree
	/usr/bin/python3 packaging/install.py --destination "$(DESTDIR)" .build-run/tree $(PREFIX)

# Exactly what `make install` has put there.
uninstall:
	/usr/bin/python3 packaging/install.py --destination "$(DESTDIR)" --uninstall $(PREFIX)

# Debian packages in .build-deb: tresor, tresor-dev and the debug symbols.
deb:
	$(MAKE) tree PREFIX=/usr
	/usr/bin/python3 packaging/deb.py .build-run/tree .build-run/debug .build-deb

# An archive for other systems in .build-dist, to be unpacked and installed below /usr/local, with checksums and what it is made of (SPDX).
# SIGN_KEY=key signs the checksums: an SSH key where it is a file, else a name for gpg.
dist:
	$(MAKE) tree PREFIX=/usr/local
	/usr/bin/python3 packaging/dist.py $(if $(SIGN_KEY),--sign "$(SIGN_KEY)") .build-run/tree .build-dist

# Runs the tests of five packages that were written for Apple's keychain; fetches them from GitHub.
apple-packages: release
	packaging/apple-modules.sh .build/release .build-run/apple
	packaging/apple-packages.sh $(RUN) .build-run/apple/lib/tresor/tresor-toolset.json

# Manual pages from the commands' own help.
man: release
	rm -rf .build-run/man && mkdir -p .build-run/man
	python3 packaging/man.py $(RUN)/tresor .build-run/man

clean:
	rm -rf .build .build-enclave .build-run .build-fuzz .build-stage .build-wasm .build-mutants .build-deb .build-dist
