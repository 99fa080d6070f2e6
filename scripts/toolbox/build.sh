# SPDX-License-Identifier: Apache-2.0
# Sourced by common.sh: how programs and designs are built. Scripts may run at once, builds may not.

# follow WHAT LOG: keeps what comes from a pipe in LOG, and shows on one line of the terminal how many
# of Ninja's steps are done. (The Ninja of Debian 12 cannot tell the time left, and fills the screen.)
follow() {
  local line start=$SECONDS seconds text
  trap '' INT  # what writes into the pipe ends first
  printf '\r\033[K%s: %s' "$command_name" "$1" >&2
  while IFS= read -r line; do
    printf '%s\n' "$line"
    if [[ $line =~ ^\[([1-9][0-9]*)/([0-9]+)\] ]]; then
      seconds=$((SECONDS - start))
      text=$(steps "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" $((seconds > 0 ? seconds : 1)))
      printf '\r\033[K%s: %s: %s' "$command_name" "$1" "$text" >&2
    fi
  done >"$2"
  clear_line
}

# steps DONE TOTAL SECONDS: done of total, rate and time left.
steps() { echo "$1/$2 steps, $(($1 * 60 / $3))/min, $((($2 - $1) * $3 / $1)) s left"; }

# quietly WHAT LOG COMMAND…: keeps the output in a file, shows its end only when the command fails;
# meanwhile a terminal shows WHAT it does. The command ends with this shell, however that ends.
quietly() {
  local what=$1 log=$2 status=0
  shift 2
  if ! { : >"$log"; } 2>/dev/null; then
    fail 2 "$log: cannot be written; legal: a writable disk with room"
  fi
  if [ -t 2 ]; then
    setpriv --pdeathsig TERM "$@" 2>&1 | follow "$what" "$log" || status=$?
  else
    setpriv --pdeathsig TERM "$@" >"$log" 2>&1 || status=$?
  fi
  [ $status -ne 0 ] || return 0
  if grep -q 'No space left on device' "$log"; then
    fail 2 "$(dirname "$log"): no space left on its disk"
  fi
  tail -n 30 "$log" >&2
  fail 1 "$1 failed; all of its output: $log"
}

# take_turn DESCRIPTOR: waits for another build there to end.
take_turn() {
  flock -n "$1" && return
  [ ! -t 2 ] || echo "$command_name: waiting for another build to end" >&2
  flock "$1"
}

# build_main TARGET…: programs and libraries. The target build.ninja is the list of tests, too.
build_main() {
  require cmake ninja c++ verilator_bin
  make_folder "$build"
  exec 9>"$build/.lock"
  take_turn 9
  [ -f "$build/build.ninja" ] ||
    quietly "configuring" "$build/configure.log" cmake --preset release -S "$root"
  quietly "building programs" "$build/build.log" ninja -C "$build" -j "$jobs" "$@"
  flock -u 9
}

# build_analysis PRESET TARGET…: what a preset of clang builds, in build/PRESET.
build_analysis() {
  local preset=$1 folder=$build/$1
  shift
  require clang++ cmake ninja
  make_folder "$folder"
  exec 7>"$folder/.lock"
  take_turn 7
  [ -f "$folder/build.ninja" ] ||
    quietly "configuring $preset" "$folder/configure.log" cmake --preset "$preset" -S "$root"
  quietly "building $preset" "$folder/build.log" ninja -C "$folder" -j "$jobs" "$@"
  flock -u 7
}

# design_targets VARIANT PROGRAM: targets of the main build that a program of a design is made with, as
# verify/tile/CMakeLists.txt links it.
design_targets() {
  case "$2" in
    tdreplay) echo td_bench verilated_sc ;;
    tdbare) echo td_bench verilated_cc ;;
    tdleaf | tdfused) echo td_leaf verilated_cc ;;
    *) fail 2 "program = $2 is illegal; legal: tdreplay, tdbare, tdleaf or tdfused" ;;
  esac
  [[ $1/$2 != @(fast|coverage)/tdreplay ]] || echo tdprelude
}

# build_design CONFIG VARIANT PROGRAM [SIZE=VALUE…]: emits, verilates and compiles, with all that it
# needs of the main build; sets $design to its folder. VARIANT is rtl; functional for operators in C;
# fast for a short build without waves; or coverage for the same that counts lines and toggles. Others
# than these two are compiled by clang++, whose code for them is a quarter faster.
build_design() {
  local config=$1 variant=$2 program=$3 targets identity hash design_name
  shift 3
  targets=$(design_targets "$variant" "$program") || exit $?
  build_main tdgen $targets
  identity=$("$build/tdgen" --config "$config" --hash) || exit $?
  read -r hash design_name <<<"$identity"
  design=$build/designs/$hash
  make_folder "$design"
  exec 8>"$design/.lock"
  take_turn 8
  "$build/tdgen" --config "$config" --out "$design/rtl" >/dev/null || exit $?
  python_check toolbox.manifest "$design/rtl/$design_name.json" "$@"
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
    quietly "configuring $design_name" "$folder/configure.log" cmake -G Ninja \
      -S "$root/verify/tile" -B "$folder" \
      -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Release \
      -DTD_DESIGN="$design/rtl" -DTD_NAME="$design_name" -DTD_SIZES="$sizes" \
      -DTD_BUILD="$build" -DTD_FUNCTIONAL=$functional -DTD_FAST=$fast \
      -DTD_COVERAGE=$coverage
  quietly "building $design_name" "$folder/build.log" ninja -C "$folder" -j "$jobs" "$program"
  flock -u 8
  design=$folder
}
