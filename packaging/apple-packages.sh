#!/bin/bash
# Five packages written for Apple's keychain, and the book's program: builds them with the toolset and runs their own
# tests against a device of this run. Prints a table; fails where fewer pass than here stands.
#
#   packaging/apple-packages.sh PROGRAMS TOOLSET
#
# PROGRAMS is the folder of tresor, tresord and tresor-enclave. The packages come from github.com, or from
# APPLE_PACKAGES_FROM, which has them as owner/name; FOLDER keeps what was built, PACKAGES="Valet Book" takes only some.
set -euo pipefail

[ $# = 2 ] || { echo "usage: $0 PROGRAMS TOOLSET" >&2; exit 64; }
root=$(cd "$(dirname "$0")/.." && pwd)
programs=$(cd "$1" && pwd)
toolset=$(realpath "$2")
from=${APPLE_PACKAGES_FROM:-https://github.com}
mkdir -p "${FOLDER:=$root/.build-run/apple-packages}"
folder=$(cd "$FOLDER" && pwd)

export TRESOR_HOME
TRESOR_HOME=$(mktemp -d)
trap '"$programs/tresor" down >/dev/null 2>&1 || true; rm -rf "$TRESOR_HOME"' EXIT
"$programs/tresor" up --detach >/dev/null

# fetch OWNER/NAME TAG COMMIT: a tag can be moved, so the commit decides.
fetch() {
  cd "$folder"
  rm -rf "${1##*/}"
  git -c advice.detachedHead=false clone --quiet --depth 1 --branch "$2" "$from/$1" "${1##*/}"
  cd "${1##*/}"
  [ "$(git rev-parse HEAD)" = "$3" ] || { echo "$1: tag $2 is not commit $3" >&2; exit 65; }
}

# A manifest gets a target for the tests that the package has, and that only its Xcode project runs.
add_tests() {
  local file
  for file in Package*.swift; do
    python3 - "$file" "$1" <<'PYTHON'
import pathlib, re, sys
file = pathlib.Path(sys.argv[1])
text, count = re.subn(r",?\s*\]\s*\)\s*$", ",\n        " + sys.argv[2] + "\n    ]\n)\n", file.read_text())
assert count == 1
file.write_text(text)
PYTHON
  done
}

# Bundle.main finds its identifier in an Info.plist beside the program.
bundle() {
  mkdir -p .build/debug
  printf '%s\n' '<?xml version="1.0" encoding="UTF-8"?>' \
    "<plist version=\"1.0\"><dict><key>CFBundleIdentifier</key><string>$1</string></dict></plist>" \
    >.build/debug/Info.plist
}

has_groups() { "$programs/tresor" app --help | grep -q '^  allow '; }

# allow GROUPS…: the owner lets the tests into groups that are not their own, where programs have groups.
allow() {
  local group program
  has_groups || return 0
  program=$(realpath .build/debug/*PackageTests.xctest)
  for group in "$@"; do
    "$programs/tresor" app allow "$program" --group "$group" <<<"$passcode" >/dev/null
  done
}

build() {
  swift build --build-tests --toolset "$toolset" >"$folder/$1.build.log" 2>&1 || {
    grep -E 'error:' "$folder/$1.build.log" | sort -u | head -20 >&2
    echo "$1 does not build: $folder/$1.build.log" >&2
    failed=yes
    return 1
  }
}

# run NAME LEAST CHANGES: each test in a process of its own, since one that crashes would take the rest along.
run() {
  local test program passed=0 missed=() list
  program=$(echo .build/debug/*PackageTests.xctest)
  mapfile -t list < <(swift test list --skip-build --toolset "$toolset" 2>/dev/null | grep /)
  : >"$folder/$1.test.log"
  for test in "${list[@]}"; do
    if { timeout 120 "$program" "$test"; } >>"$folder/$1.test.log" 2>&1; then
      passed=$((passed + 1))
    else
      missed+=("${test##*/}")
    fi
  done
  rows+=("| $1 | $passed of ${#list[@]} | $2 | $3 | ${missed[*]:-} |")
  [ "$passed" -ge "$2" ] || failed=yes
}

keychain_swift() {
  fetch evgenyneu/keychain-swift 24.0.0 5e1b02b6a9dac2a759a1d5dbc175c86bd192a608
  build keychain-swift || return 0
  run keychain-swift 35 none
}

SwiftKeychainWrapper() {
  fetch jrendel/SwiftKeychainWrapper 4.0.1 185a3165346a03767101c4f62e9a545a0fe0530f
  build SwiftKeychainWrapper || return 0
  run SwiftKeychainWrapper 30 none
}

SimpleKeychain() {
  fetch auth0/SimpleKeychain 1.3.0 776c4a6db74d5c6c143974be91c383680d468630
  # Foundation on Linux has no NSError without a domain.
  sed -i 's/NSError()/NSError(domain: "", code: 0)/' SimpleKeychainTests/SimpleKeychainErrorSpec.swift
  build SimpleKeychain || return 0
  bundle com.auth0.SimpleKeychainTests
  run SimpleKeychain 94 "one test line; Info.plist"
}

KeychainAccess() {
  fetch kishikawakatsumi/KeychainAccess v4.2.2 84e546727d66f1adc5439debad16270d0fdd04e7
  # Shared web credentials are for iOS alone, and so are their tests.
  add_tests '.testTarget(name: "KeychainAccessTests", dependencies: ["KeychainAccess"], path: "Lib/KeychainAccessTests",
            exclude: ["Info.plist", "SharedCredentialTests.swift"])'
  build KeychainAccess || return 0
  bundle com.kishikawakatsumi.KeychainAccess.TestHost
  allow 27AEDK3C9F.com.kishikawakatsumi.KeychainAccess.TestHost 27AEDK3C9F.shared
  run KeychainAccess 36 "test target; Info.plist"
}

Valet() {
  fetch square/Valet 5.1.0 246baf6be3f9e3ff116dc05251a08f69dd7c7b9d
  grep -rl '@objc' Sources | xargs sed -i -E '/^ *@objc(\([^)]*\))?$/d; s/@objc(\([^)]*\))? //'
  # The tests name their groups for each of Apple's systems, and have no answer for another.
  sed -i -E -e 's/#elseif os\(macOS\)$/#elseif os(macOS) || os(Linux)/' \
    -e 's/"9XUJ7M53NG", nonEmptyGroup: "valet.test"/"group", nonEmptyGroup: "valet.test"/' \
    Tests/ValetIntegrationTests/ValetIntegrationTests.swift
  add_tests '.testTarget(name: "ValetTests", dependencies: ["Valet"], path: "Tests",
            exclude: ["Info.plist", "ValetObjectiveCBridgeTests"])'
  build Valet || return 0
  run Valet 135 "@objc removed; test target; the tests' groups on Linux"
  # With an identifier the tests take themselves for signed: they share groups then, and ask for the owner, who is not
  # here. Eleven fail by that, one of them by what the others leave behind.
  has_groups || return 0
  bundle com.squareup.ValetTests
  local group=9XUJ7M53NG.com.squareup.Valet-macOS-Test-Host-App
  allow $group ${group}2 group.valet.test
  run Valet-signed 124 "the same; Info.plist"
}

Book() {
  rm -rf "$folder/Book"
  cp -r "$root/Tests/SDK/AppleApi/Book" "$folder/"
  cd "$folder/Book"
  build Book || return 0
  local said tests=failed
  said=$(printf 'first\nsecond\n' | .build/debug/Book)
  [ "$said" = "$(printf 'PhotoDiary: first\nPhotoDiary: second')" ] || { echo "Book: $said" >&2; failed=yes; }
  # These start a device in memory: what they link decides, and no variable.
  if swift test --skip-build --toolset "$toolset" >"$folder/Book.test.log" 2>&1; then tests=passed; else failed=yes; fi
  rows+=("| Book | the program says: ${said//$'\n'/, }; its tests in memory $tests | | none | |")
}

failed=
rows=()
passcode="grey cats sleep"
# Items of one class need a passcode to be there at all.
printf '%s\n%s\n' "$passcode" "$passcode" | "$programs/tresor" passcode set >/dev/null
for package in ${PACKAGES:-Book keychain_swift SwiftKeychainWrapper SimpleKeychain KeychainAccess Valet}; do
  "$package"
done
printf '%s\n' "| package | pass | at least | changed | fail |" "| --- | --- | --- | --- | --- |" "${rows[@]}"
[ -z "$failed" ]
