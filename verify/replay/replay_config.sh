#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# replay_config.sh CONFIG: one configuration through random and traced operands, with random stalls
# on every port, resets, mode switches and special values; functional coverage of all these runs
# together must be complete.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../../scripts/toolbox/common.sh"
config=$1
build_design "$config" fast tdreplay
tdreplay=$design/tdreplay
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT

# run NAME OPTION…: replays; keeps the report.
run() {
  local name=$1
  shift
  if ! "$tdreplay" "$@" >"$results/$name" 2>&1; then
    cat "$results/$name"
    echo "$config: failed: tdreplay $*"
    exit 1
  fi
  printf '%s: %-9s %s\n' "$config" "$name" "$(tail -n 1 "$results/$name")"
}

# cover NAME OPTION…: the same, counted.
cover() { run "$@" --coverage-file "$results/$1.json"; }

# The part of a report that stalls must not change.
behaviour() { grep -o 'output hash [0-9a-f]*' "$results/$1"; grep '^total' "$results/$1"; }

# same NAME NAME: equal bits and equal cycles.
same() {
  [ "$(behaviour "$1")" = "$(behaviour "$2")" ] || { echo "$config: $1 and $2 differ"; exit 1; }
}

# Served at full rate, the testbench also demands that the tile never waits.
cover full-rate --random 800 --rows 20 --specials 0.01
cover stalled --random 800 --rows 20 --specials 0.01 --stall 0.4
same full-rate stalled
cover single --random 2000 --rows 1 --streams 1 --specials 0.05
cover single-stalled --random 2000 --rows 1 --streams 1 --specials 0.05 --stall 0.5
same single single-stalled
cover modes --random 1500 --rows 17 --specials 0.01 --dense 0.3 --stall 0.3
# What every lane gets, in dense mode too.
run lanes --random 100 --specials 0.01 --dense 0.3 --stall 0.2 --lanes
# Long waits, in which window and pipeline run dry or fill, and resets in all of it.
cover paused --random 5000 --rows 1 --streams 1 --stall 0.3 --pause 0.05 --resets 80
cover resets --random 4000 --rows 6 --streams 2 --stall 0.2 --pause 0.03 --dense 0.3 --resets 200
cover zeros-0 --random 200 --zeros 0
cover zeros-95 --random 500 --zeros 0.95 --rows 40
"$root/scripts/coverage" --check "$results"/*.json ||
  { echo "$config: coverage has holes"; exit 1; }
for trace in "$root"/verify/traces/*.safetensors; do
  name=$(basename "$trace" .safetensors)
  run "$name" --trace "$trace" --passes 4 --stall 0.2
  # Every pass's cycles are those of the whole-network simulation, too.
  passes=$(grep -m 1 '^total' "$results/$name" | grep -o '[0-9]*/' | tr -d /)
  grep -q "^cycles compared with tdsim's in $passes passes" "$results/$name" ||
    { cat "$results/$name"; echo "$config: $name: not all passes were simulated"; exit 1; }
done
