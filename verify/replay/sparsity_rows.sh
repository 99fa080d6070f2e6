#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# sparsity_rows.sh ROWS LANES: the paper's tile with other numbers of rows and lanes on random streams
# from 0 to 95 % zeros; the replay compares every cycle with the model.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/rows.toml" <<TOML
name = "rows_$1_lanes_$2"
[tile]
lanes = $2
rows = $1
columns = 1
TOML
tdreplay=$("$root/verify/regress/build.sh" "$folder/rows.toml" fast tdreplay)
for zeros in 0 0.2 0.5 0.8 0.95; do
  "$tdreplay" --random 100 --rows 200 --streams 1 --zeros $zeros >"$folder/report" ||
    { cat "$folder/report"; exit 1; }
  echo "$1 rows of $2 lanes, zeros $zeros: $(grep '^total' "$folder/report")"
done
