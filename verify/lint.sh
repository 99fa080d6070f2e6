#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# lint.sh TDGEN CONFIG: the emitted Verilog is clean for Verilator, and Yosys and Icarus read it.
set -euo pipefail
tdgen=$1 config=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

read -r _ name < <("$tdgen" --config "$config" --hash)
"$tdgen" --config "$config" --out "$folder" >/dev/null
cd "$folder"
mapfile -t files <"$name.f"

for define in '' -DTD_FUNCTIONAL; do
  verilator --lint-only -Wall $define --top-module "${name}_tile" "${files[@]}"
done
iverilog -g2012 -Wall -Wno-timescale -t null -s "${name}_tile" "${files[@]}" 2>&1 | tee icarus.txt
[ ! -s icarus.txt ] || { echo "$config: Icarus complains"; exit 1; }
# After `proc` and `opt` a latch, a multiple driver or an undriven wire would show in `check`.
yosys -q -p "read_verilog -sv ${files[*]}; hierarchy -check -top ${name}_tile; proc; opt_clean; check -assert; select -assert-none t:\$dlatch t:\$adlatch"
echo "$config: Verilator, Icarus and Yosys read ${#files[@]} files without complaint"
