#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# chip.sh TDGEN: a chip with several tiles. Two configurations share the modules of hw/, and another
# generation of those has other names, so that all are elaborated together.
set -euo pipefail
tdgen=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
for config in tiny pe_two_sided "$root/verify/configs/dense_pe.toml"; do
  "$tdgen" --config "$config" --out "$folder/td1" >/dev/null
done
# What the next generation will be: other modules, here with another constant in one of them.
mkdir "$folder/td2"
"$tdgen" --config tiny --out "$folder/tmp" >/dev/null
for file in "$folder"/tmp/*.v; do
  name=$(basename "$file" | sed 's/^td1_/td2_/; s/^tiny_/tiny2_/')
  sed 's/\btd1_/td2_/g; s/\btiny_tile\b/tiny2_tile/; s/7fc00000/ffc00000/' "$file" >"$folder/td2/$name"
done
tops="tiny_tile pe_two_sided_tile dense_pe_tile tiny2_tile"
{
  echo 'module chip;'
  for top in $tops; do echo "  $top u_$top ();"; done
  echo endmodule
} >"$folder/chip.v"

files=("$folder"/td1/*.v "$folder"/td2/*.v "$folder/chip.v")
verilator --lint-only -Wall -Wno-PINMISSING --top-module chip "${files[@]}"
iverilog -t null -s chip "${files[@]}"
yosys -q -p "read_verilog ${files[*]}; hierarchy -check -top chip"
echo "$(echo "$tops" | wc -w) tiles of two generations in one chip: ${#files[@]} files"
# Without another name the second generation would clash with the first.
cp "$folder/td2/td2_pe.v" "$folder/clash.v"
sed -i 's/\btd2_/td1_/g' "$folder/clash.v"
if iverilog -t null -s chip "${files[@]}" "$folder/clash.v" 2>/dev/null; then
  echo "two modules of one name are not refused"
  exit 1
fi
