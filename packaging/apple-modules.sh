#!/bin/bash
# Builds the modules Security, LocalAuthentication and CoreFoundation for code that is not to be touched, and a toolset
# that hands them to `swift build` (docs/decisions/0017-apples-module-names.md says why they are not of our package).
#
#   packaging/apple-modules.sh BUILD PREFIX [TREE]
#
# BUILD is the folder of a finished release build (.build/release): C objects and other packages are taken from there.
# With TREE, a folder that stands for `/`, all lies below it; the toolset says where it is to be used.
# Our own targets are compiled once more, each as a module of another name: so nothing here can be mistaken for a module
# of the program that uses it, Tresor's SDK included.
set -euo pipefail

[ $# = 2 ] || [ $# = 3 ] || { echo "usage: $0 BUILD PREFIX [TREE]" >&2; exit 64; }
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
used=$(realpath -ms "$2")/lib/tresor
installed=${3:+$(realpath -ms "$3")}$used
work=$build/apple-modules
rm -rf "$work"
mkdir -p "$work/modules" "$work/objects" "$work/packages"

# What a program's compiler reads. These are resilient, so that it needs nothing of what they are made of.
seen=" TresorCoreFoundation TresorLocalAuthentication TresorSecurity TresorTesting"
seen+=" Tresor Wire Protection Secrets "

# Sources/LAYERS.txt has a line `[folder] sentence` for each wing, and `target: ours | from outside` for each target.
declare -A imports folder visited
while IFS=: read -r name rest; do
  if [[ $name == \[* ]]; then
    wing=${name#[}
    wing=${wing%%]*}
  else
    imports[$name]=${rest%%|*}
    folder[$name]=$root/Sources/$wing/$name
  fi
done < <(grep -v -e '^#' -e '^$' "$root/Sources/LAYERS.txt")

# What a target needs and it itself, in the order of compilation.
order=()
visit() {
  [ -z "${visited[$1]:-}" ] || return 0
  visited[$1]=yes
  local needed
  for needed in ${imports[$1]}; do visit "$needed"; done
  order+=("$1")
}

is_c() { [[ $1 == C[A-Z]* ]]; }

module_name() {
  case $1 in
    TresorCoreFoundation | TresorLocalAuthentication | TresorSecurity) echo "${1#Tresor}" ;;
    TresorTesting) echo "$1" ;;
    *) echo "Tresor$1" ;;
  esac
}

compile() {
  local name=$1 module options=() sources
  module=$(module_name "$name")
  [[ $seen != *" $name "* ]] || options+=(-enable-library-evolution)
  [ "$name" != TresorTesting ] || options+=(-module-link-name TresorTesting)
  mapfile -t sources < <(find "${folder[$name]}" -name '*.swift')
  echo "Compiling $module"
  swiftc "${flags[@]}" "${options[@]}" -module-name "$module" -emit-module -emit-module-path \
    "$work/modules/$module.swiftmodule" -emit-object -o "$work/objects/$module.o" "${sources[@]}" \
    >"$work/$module.log" 2>&1 || { cat "$work/$module.log" >&2; exit 1; }
}

# C objects and other packages, one object for each module: a module is linked whole or not at all, since what it
# conforms to is looked for only while the program runs.
collect_packages() {
  local folder name objects
  for folder in "$build"/*.build; do
    name=$(basename "$folder" .build)
    # Of ours only those in C; without the two that replace `free` in a whole program.
    [ -z "${imports[${name//_/-}]+x}" ] || is_c "$name" || continue
    [[ $name != CZeroing* && $name != *Tests && $name != *-tool ]] || continue
    mapfile -t objects < <(find "$folder" -name '*.o')
    [ ${#objects[@]} -gt 0 ] || continue
    ld -r -o "$work/packages/$name.o" "${objects[@]}"
    # What a module asks the linker for is asked again where the library is linked.
    objcopy --remove-section .swift1_autolink_entries "$work/packages/$name.o"
  done
  ar rcs "$work/packages.a" "$work"/packages/*.o
}

# link LIBRARY FLAGS… -- TARGETS…: what comes from the archive stays hidden inside, so that a program may have its own.
link() {
  local library=$1 name inputs=()
  shift
  while [ "$1" != -- ]; do inputs+=("$1"); shift; done
  shift
  for name in "$@"; do is_c "$name" || inputs+=("$work/objects/$(module_name "$name").o"); done
  echo "Linking $library"
  swiftc -emit-library -o "$work/$library" "${inputs[@]}" "$work/packages.a" -L "$work" \
    -Xlinker --exclude-libs -Xlinker ALL -Xlinker --no-undefined -Xlinker --strip-debug \
    -Xlinker -z -Xlinker now -Xlinker -z -Xlinker relro -Xlinker -soname -Xlinker "$library" \
    -Xlinker --as-needed -Xlinker -lsqlite3 -Xlinker -lstdc++
}

visit TresorSecurity
security=("${order[@]}")
visit TresorTesting
testing=("${order[@]:${#security[@]}}")

flags=(
  -parse-as-library -whole-module-optimization -O -swift-version 6 -enable-experimental-feature Lifetimes
  -package-name tresor -module-cache-path "$work/cache" -I "$work/modules" -I "$build/Modules"
  # Else each module has a hash that depends on the folder.
  -Xfrontend -disable-incremental-llvm-codegen
)
for feature in MemberImportVisibility ExistentialAny InternalImportsByDefault NonisolatedNonsendingByDefault; do
  flags+=(-enable-upcoming-feature "$feature")
done
while read -r map; do flags+=(-Xcc "-fmodule-map-file=$map"); done < <(
  find "$build"/*.build "$root"/Sources/Ground/C* -maxdepth 1 -name module.modulemap
  find "$root"/.build/checkouts/*/Sources -mindepth 2 -maxdepth 3 -name module.modulemap
)
for name in "${order[@]}"; do
  module=$(module_name "$name")
  [ "$module" = "$name" ] || is_c "$name" || flags+=(-module-alias "$name=$module")
done

for name in "${order[@]}"; do is_c "$name" || compile "$name"; done
collect_packages
link libTresorSecurity.so -- "${security[@]}"
link libTresorTesting.so -lTresorSecurity -Xlinker -rpath -Xlinker '$ORIGIN' -- "${testing[@]}"

rm -rf "$installed/swift"
install -d "$installed/swift"
install -m 644 "$work"/lib*.so "$installed/"
for name in $seen; do
  install -m 644 "$work/modules/$(module_name "$name")".swift{module,doc} "$installed/swift/"
done
sed "s|@LIB@|$used|g" "$root/packaging/tresor-toolset.json" >"$installed/tresor-toolset.json"
echo "Toolset: $installed/tresor-toolset.json"
