#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# sizes.sh TDGEN SIZE…: one emitted design serves several sizes. Overridden on the command lines of
# Verilator and Yosys to each SIZE, such as 3x2, it is the design that tdgen emits for that size; a
# size out of range is refused by name.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../../scripts/toolbox/common.sh"
tdgen=$1
shift
[ $# -gt 0 ] || fail 2 "SIZE is missing"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$tdgen" --config tiny --out "$folder/tiny" >/dev/null
mapfile -t files <"$folder/tiny/tiny.f"

# What a design does: every bit, flag and cycle, stalls and modes among them.
behaviour() {
  "$design/tdreplay" --random 400 --specials 0.01 --dense 0.2 --stall 0.3 >"$folder/report" ||
    { cat "$folder/report"; exit 1; }
  grep -o '^total.*\|[0-9]* clocks, .* output hash [0-9a-f]*' "$folder/report"
}

# elaborated OUT FOLDER COMMAND: what Yosys makes of the tile in the folder, flat, in no order.
elaborated() {
  (cd "$2" && yosys -q -p "read_verilog *.v; hierarchy -check -top tiny_tile $3; proc; flatten
    opt_clean; setattr -unset src *; setattr -unset src */*; setattr -mod -unset src *
    write_rtlil $1")
  # The top's own parameters and name are told apart, and flip-flops are numbered in the order of
  # the names of their modules, in which these parameters stand.
  sed -i '/^  parameter /d; /^attribute .hdlname /d; s/\(\$procdff\)\$[0-9]*$/\1/' "$1"
  sort -o "$1" "$1"
}

for size; do
  rows=${size%x*} columns=${size#*x}
  sed "s/^rows = .*/rows = $rows/; s/^columns = .*/columns = $columns/" "$folder/tiny/tiny.toml" \
    >"$folder/$size.toml"
  "$tdgen" --config "$folder/$size.toml" --out "$folder/$size" >/dev/null

  build_design tiny fast tdreplay "ROWS=$rows" "COLUMNS=$columns"
  overridden=$(behaviour)
  build_design "$folder/$size.toml" fast tdreplay
  generated=$(behaviour)
  [ "$overridden" = "$generated" ] ||
    { printf '%s differs:\n%s\n%s\n' "$size" "$overridden" "$generated"; exit 1; }
  printf '%s, overridden as generated:\n%s\n' "$size" "$generated"

  elaborated "$folder/overridden.il" "$folder/tiny" "-chparam ROWS $rows -chparam COLUMNS $columns"
  elaborated "$folder/generated.il" "$folder/$size" ""
  cmp "$folder/overridden.il" "$folder/generated.il"
  echo "$size: equal for Yosys, $(grep -c '^ *cell' "$folder/generated.il") cells"
done

# refused MESSAGE COMMAND…: the command fails, and says so.
refused() {
  local message=$1
  shift
  if "$@" >"$folder/log" 2>&1; then
    echo "not refused: $*"
    exit 1
  fi
  grep -q "$message" "$folder/log" || { cat "$folder/log"; exit 1; }
  echo "$message: $1"
}
for wrong in ROWS=0:ROWS_must_be_1_to_16 ROWS=17:ROWS_must_be_1_to_16 \
  COLUMNS=0:COLUMNS_must_be_1_to_16 COLUMNS=17:COLUMNS_must_be_1_to_16 \
  COUNTER_WIDTH=7:COUNTER_WIDTH_must_be_8_to_64 COUNTER_WIDTH=65:COUNTER_WIDTH_must_be_8_to_64; do
  override=${wrong%:*} message=${wrong#*:}
  refused "$message" verilator --lint-only --top-module tiny_tile "-G$override" "${files[@]}"
  refused "$message" iverilog -t null -s tiny_tile "-Ptiny_tile.$override" "${files[@]}"
  refused "$message" yosys -q -p "read_verilog ${files[*]}
    hierarchy -check -top tiny_tile -chparam ${override/=/ }"
done
