#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A wave has signals in it and covers the clocks that were asked for; a wave that cannot be written
# is refused.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
tdreplay=$("$root/scripts/replay" --config tiny --build-only)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"$tdreplay" --random 20 --wave "$folder/tiny.fst" --wave-from 50 >"$folder/report"
clocks=$(grep -o '[0-9]* clocks' "$folder/report" | cut -d' ' -f1)
/usr/bin/python3 - "$folder/tiny.fst" "$clocks" <<'PYTHON'
import struct, sys
path, clocks = sys.argv[1], int(sys.argv[2])
with open(path, "rb") as file:
    header = file.read(97)
# The header block of FST: type 0, length, first and last time, a double, memory, scopes, aliases
# included, variables.
kind, _, first, last = struct.unpack(">BQQQ", header[:25])
scopes, variables = struct.unpack(">QQ", header[41:57])
period = 10_000  # ps
print(f"{path}: {scopes} scopes, {variables} variables, {first}..{last} ps of {clocks} clocks")
assert kind == 0 and scopes > 10 and variables > 300
assert 49 * period <= first <= 51 * period and (clocks - 2) * period <= last <= clocks * period
PYTHON

status=0
"$tdreplay" --random 20 --wave "$folder/no/such/folder.fst" >/dev/null 2>"$folder/error" || status=$?
[ $status -eq 2 ] && [ "$(wc -l <"$folder/error")" -eq 1 ] ||
  { cat "$folder/error"; echo "status $status instead of 2 and one line"; exit 1; }
