#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# lint.sh TDGEN CONFIG [--accelerator]: the emitted Verilog of the tile, or the accelerator, is clean for
# Verilator, with its assertions and without, and Icarus and Yosys read it without a switch, by its
# file list, from any folder.
set -euo pipefail
tdgen=$1 config=$2 accelerator=${3:-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

read -r _ name < <("$tdgen" --config "$config" --hash)
"$tdgen" --config "$config" --out "$folder" ${accelerator:+"$accelerator"} >/dev/null
top=${name}_tile
[ -z "$accelerator" ] || top=${name}_accelerator
mapfile -t files <"$folder/$name.f"

verilator --lint-only -Wall --top-module "$top" -f "$folder/$name.f"
verilator --lint-only -Wall --assert --top-module "$top" -f "$folder/$name.f" \
  -f "$folder/${name}_assert.f"
iverilog -Wall -Wno-timescale -t null -s "$top" -f "$folder/$name.f" 2>&1 | tee "$folder/icarus.txt"
[ ! -s "$folder/icarus.txt" ] || { echo "$config: Icarus complains"; exit 1; }
# After `proc` and `opt` a latch, a multiple driver or an undriven wire would show in `check`.
yosys -q -p "read_verilog ${files[*]}; hierarchy -check -top $top; proc; opt_clean; check -assert
  select -assert-none t:\$dlatch t:\$adlatch"
echo "$config: Verilator, Icarus and Yosys read ${#files[@]} files without complaint"
