# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts: where things are, and how they are built.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$root/build
jobs=${TD_JOBS:-$(nproc)}

# fail STATUS MESSAGE: one line, and out.
fail() {
  echo "$(basename "$0"): $2" >&2
  exit "$1"
}

# make_folder FOLDER: for the files that a build writes.
make_folder() {
  mkdir -p "$1" 2>/dev/null && [ -w "$1" ] ||
    fail 2 "$1: cannot be written; legal: a checkout on a writable disk with room"
}

# quietly LOG COMMAND…: keeps the output in a file and shows its end only when the command fails.
quietly() {
  local log=$1
  shift
  if ! { : >"$log"; } 2>/dev/null; then
    fail 2 "$log: cannot be written; legal: a writable disk with room"
  fi
  "$@" >"$log" 2>&1 && return
  if grep -q 'No space left on device' "$log"; then
    fail 2 "$(dirname "$log"): no space left on its disk"
  fi
  tail -n 30 "$log" >&2
  fail 1 "$1 failed; all of its output: $log"
}

# require TOOL…: names what scripts/setup has yet to install.
require() {
  local tool
  for tool in "$@"; do
    command -v "$tool" >/dev/null || fail 2 "$tool: not found; run scripts/setup"
  done
}

# python_program PACKAGE ARGUMENT…: becomes a program in Python of scripts/ or verify/.
python_program() {
  require python3
  exec env PYTHONPATH="$root/scripts:$root/verify" PYTHONDONTWRITEBYTECODE=1 \
    /usr/bin/python3 -m "$@"
}

# python_check MODULE ARGUMENT…: runs a check in Python; out if it fails, with its status and message.
python_check() {
  (python_program "$@") || exit $?
}

# python_help PACKAGE ARGUMENT…: becomes a program's help where that is asked for, before any build.
python_help() {
  local package=$1 argument
  shift
  for argument in "$@"; do
    case "$argument" in
      -h | --help) python_program "$package" --help ;;
    esac
  done
}

# build_main [TARGET…]: programs and libraries; by default what designs are built with. Scripts may
# run at once, builds may not.
build_main() {
  [ $# -gt 0 ] || set -- tdgen td_bench verilated_sc verilated_cc
  require cmake ninja c++ verilator_bin
  make_folder "$build"
  exec 9>"$build/.lock"
  flock 9
  [ -f "$build/build.ninja" ] ||
    quietly "$build/configure.log" cmake --preset release -S "$root"
  quietly "$build/build.log" ninja -C "$build" -j "$jobs" "$@"
  flock -u 9
}

# build_analysis PRESET TARGET…: what a preset of clang builds, in build/PRESET.
build_analysis() {
  local preset=$1 folder=$build/$1
  shift
  command -v clang++ >/dev/null || fail 2 "clang++: not found; run scripts/setup --fuzz"
  require cmake ninja
  make_folder "$folder"
  exec 7>"$folder/.lock"
  flock 7
  [ -f "$folder/build.ninja" ] ||
    quietly "$folder/configure.log" cmake --preset "$preset" -S "$root"
  quietly "$folder/build.log" ninja -C "$folder" -j "$jobs" "$@"
  flock -u 7
}

# build_design CONFIG VARIANT TARGET [SIZE=VALUE…]: emits, verilates and compiles; sets $design to its
# folder. VARIANT is rtl; functional for operators in C; fast for a short build without waves; or
# coverage for the same that counts lines and toggles. These two need the target tdprelude of the main
# build; the others are compiled by clang++, whose code for them is a quarter faster.
build_design() {
  local config=$1 variant=$2 target=$3 identity hash name
  shift 3
  identity=$("$build/tdgen" --config "$config" --hash) || exit $?
  read -r hash name <<<"$identity"
  design=$build/designs/$hash
  make_folder "$design"
  exec 8>"$design/.lock"
  flock 8
  "$build/tdgen" --config "$config" --out "$design/rtl" >/dev/null || exit $?
  python_check toolbox.manifest "$design/rtl/$name.json" "$@"
  local folder sizes compiler=clang++ functional=OFF fast=OFF coverage=OFF
  folder=$design/$variant-bench$(printf -- '-%s' "$@" | tr -d =)
  folder=${folder%-}
  sizes=$(IFS=';'; echo "$*")
  make_folder "$folder"
  [ "$variant" = functional ] && functional=ON
  [ "$variant" = fast ] && fast=ON compiler=c++
  [ "$variant" = coverage ] && fast=ON coverage=ON compiler=c++
  require "$compiler"
  [ -f "$folder/build.ninja" ] ||
    quietly "$folder/configure.log" cmake -G Ninja -S "$root/verify/tile" -B "$folder" \
      -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Release \
      -DTD_DESIGN="$design/rtl" -DTD_NAME="$name" -DTD_SIZES="$sizes" \
      -DTD_BUILD="$build" -DTD_FUNCTIONAL=$functional -DTD_FAST=$fast \
      -DTD_COVERAGE=$coverage
  quietly "$folder/build.log" ninja -C "$folder" -j "$jobs" "$target"
  flock -u 8
  design=$folder
}
