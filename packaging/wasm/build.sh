#!/bin/bash
# Compiles the widget kit for browsers: Embedded Swift, one WebAssembly module that imports nothing, and the page that
# shows it (docs/widgets/browser).
#
#   packaging/wasm/build.sh OUT       builds into the folder OUT
#   packaging/wasm/build.sh --check   says whether the tools are there
#
# All tools are the Swift toolchain's own: Debian's wasm-ld 14 cannot read the toolchain's Unicode tables.
set -euo pipefail

[ $# = 1 ] || { echo "usage: $0 OUT | --check" >&2; exit 64; }
root=$(cd "$(dirname "$0")/../.." && pwd)
missing() {
  echo "$1 is needed to compile widgets for browsers; it is part of the toolchains from swift.org" >&2
  exit 69
}
command -v swiftc >/dev/null || missing swiftc
resources=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
tools=$(cd "$resources/../../bin" && pwd)
tables=$resources/embedded/wasm32-unknown-none-wasm/libswiftUnicodeDataTables.a
for tool in clang wasm-ld; do [ -x "$tools/$tool" ] || missing "$tool"; done
[ -f "$tables" ] || missing libswiftUnicodeDataTables.a
[ "$1" != --check ] || exit 0

mkdir -p "$1"
out=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
triple=wasm32-unknown-none-wasm
# Paths of this machine stay out of the module, so that it is the same wherever it is built.
flags=(
  -target $triple -Osize -wmo -parse-as-library -swift-version 6 -package-name tresor -warnings-as-errors
  -enable-experimental-feature Embedded -enable-experimental-feature Lifetimes -strict-memory-safety
  -Xfrontend -disable-stack-protector -Xfrontend -disable-incremental-llvm-codegen
  -file-prefix-map "$root=." -module-cache-path "$work/cache" -I "$work"
)
for feature in MemberImportVisibility ExistentialAny InternalImportsByDefault NonisolatedNonsendingByDefault; do
  flags+=(-enable-upcoming-feature "$feature")
done

# compile MODULE FILES…
compile() {
  local name=$1
  shift
  swiftc "${flags[@]}" -module-name "$name" -emit-module -emit-module-path "$work/$name.swiftmodule" \
    -c -o "$work/$name.o" "$@"
}

# Sorted, for the same module on every file system.
sources() { find "$1/" -name '*.swift' | LC_ALL=C sort; }

compile Protection "$root"/Sources/Vault/Protection/{LockState,ProtectionClass}.swift
mapfile -t kit < <(sources "$root/Sources/Apps/Widgets/Widgets")
compile Widgets "${kit[@]}"
mapfile -t widget < <(sources "$root/packaging/wasm/BrowserWidget")
compile BrowserWidget "${widget[@]}"
compile Module "$root/packaging/wasm/Module.swift"
"$tools/clang" --target=$triple -Os -std=c17 -Wall -Wextra -Werror -ffreestanding -fno-delete-null-pointer-checks \
  -mbulk-memory -c -o "$work/runtime.o" "$root/packaging/wasm/runtime.c"

# The stack lies first: to run out of it is a trap, and reaches no data.
"$tools/wasm-ld" --no-entry --gc-sections --strip-all --stack-first -z stack-size=131072 --fatal-warnings \
  --export=tresor_resolve --export=tresor_render -o "$out/widget.wasm" "$work"/*.o "$tables"

install -m 644 "$root"/docs/widgets/browser/{index.html,page.css,page.mjs,widget.mjs} "$out/"
# The renderer's own stylesheet as a file, said by a program of this machine that has nothing else of the renderer.
echo 'enum HTMLRenderer {}; print(HTMLRenderer.stylesheet, terminator: "")' >"$work/main.swift"
swiftc -Onone -module-cache-path "$work/native" -o "$work/stylesheet" \
  "$work/main.swift" "$root/Sources/Apps/Widgets/Widgets/Render/HTMLStylesheet.swift"
"$work/stylesheet" >"$out/widgets.css"
