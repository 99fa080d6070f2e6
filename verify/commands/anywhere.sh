#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every command of scripts/ from a folder outside of the checkout: files are the user's, and programs
# are found. Commands of minutes show that they find the user's file, by refusing what is in it.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
printf 'name = "bad"\n[tile]\nlanes = 65\n' >bad.toml
printf 'name = "mine"\n[tile]\nlanes = 4\nrows = 2\ncolumns = 2\n[accelerator]\nsram.bank_bytes = 32768\n' >mine.toml
printf '[[run]]\nconfig = "tiny"\noptions = "--random 20 --rows 6"\n' >suite.toml

failed=0
declare -A seen
# try STATUS TEXT COMMAND…: exit status, and a text that it prints.
try() {
  local status=$1 text=$2 got
  shift 2
  seen[$1]=1
  "$root/scripts/$1" "${@:2}" >out.txt 2>&1
  got=$?
  if [ "$got" = "$status" ] && grep -qF -- "$text" out.txt; then
    echo "pass: $*"
  else
    echo "FAIL: $*: status $got, not $status, or nothing of '$text':"
    tail -n 5 out.txt
    failed=1
  fi
}
refused='bad.toml: tile.lanes = 65'

try 0 'total' regress --suite suite.toml --fresh
try 0 'points: data speed-up' tdsim sweep --network alexnet --sparsity half --config mine.toml --batch 1 \
  --out swept
try 0 'all of it: swept/table.csv' tdsim sweep --network alexnet --sparsity half --config mine.toml \
  --batch 1 --out swept
try 0 'speed-up' tdsim run "$root/verify/traces/plain.safetensors" --config mine.toml --layer conv1 \
  --json result.json
try 0 'page.html: 1 result,' report result.json --out page.html
printf 'name = "mine"\nhardware = ["dense"]\n[graph]\nkind = "training"\nprofile = "result.json"\n' >job.toml
try 0 'as it is' tdjob compare job.toml
try 2 'bad.toml: tile' tdjob run bad.toml
try 0 'hash' tdgen --explain mine.toml
try 2 "$refused" tdgen --config bad.toml --out rtl
try 2 "$refused" replay --config bad.toml --random 20
try 2 "$refused" ppa --config bad.toml
try 2 "$refused" mutate --proofs bad.toml
try 2 "$refused" prove --config bad.toml
try 2 "$refused" judge testfloat --config bad.toml f32_mul
try 2 "$refused" fpga --config bad.toml
try 0 'setup' setup --dry-run
for command in analyse bench capture.py coverage demo equivalence evidence measure \
  explore fresh judge lint release route scale-test surroundings system-figures test train; do
  try 0 'usage' "$command" --help
done

for path in "$root"/scripts/*; do
  name=$(basename "$path")
  if [ -x "$path" ] && [ -f "$path" ] && [ -z "${seen[$name]:-}" ]; then
    echo "FAIL: $name: not tried; a new command needs a line here"
    failed=1
  fi
done
exit $failed
