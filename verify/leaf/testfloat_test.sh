#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/judge testfloat on the vectors by hand, on wrong ones, on none, and on lines that are no vectors.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
testfloat=$here/testfloat.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

checked=0
# expect STATUS NEEDLE COMMAND…: the exit status, and a line of the output that contains NEEDLE.
expect() {
  local expected=$1 needle=$2 status=0
  shift 2
  "$@" >out.txt 2>&1 || status=$?
  if [ $status -ne "$expected" ] || ! grep -qF -- "$needle" out.txt; then
    echo "$*: status $status instead of $expected, or no \"$needle\":"
    cat out.txt
    exit 1
  fi
  checked=$((checked + 1))
}
# refuse NEEDLE COMMAND…: exit status 2 and that line alone.
refuse() {
  expect 2 "$@"
  [ "$(wc -l <out.txt)" -eq 1 ] || { echo "more than one line:"; cat out.txt; exit 1; }
}

for function in f32_mul f32_add; do
  vectors=$here/vectors/$function.txt
  count=$(wc -l <"$vectors")
  expect 0 "$function: $count vectors, 0 failures" "$testfloat" $function "$vectors"
  # Every vector is looked at: with all results wrong, all fail, and the first ten are shown.
  awk '{ $3 = ($3 == "3F800000") ? "3F800001" : "3F800000"; print }' "$vectors" >wrong.txt
  expect 1 "$function: $count vectors, $count failures" "$testfloat" $function wrong.txt
  [ "$(grep -c ': line ' out.txt)" -eq 10 ]
  # One wrong bit in the last vector is found, through a pipe too.
  sed '1 s/ 3F800000 0/ 3F800001 0/; 1 s/ 40000000 00/ 40000001 00/' "$vectors" | tac >last.txt
  expect 1 "last.txt: line $count: a 0x3f800000 b 0x3f800000" "$testfloat" $function last.txt
  expect 1 "$function: $count vectors, 1 failures" "$testfloat" $function - <last.txt
  # Flags are read, not compared; operands alone are judged by MPFR.
  sed 's/ ..$/ 1f/' "$vectors" >flags.txt
  expect 0 "$count vectors, 0 failures" "$testfloat" $function flags.txt
  cut -d ' ' -f 1,2 "$vectors" >bare.txt
  expect 0 "$count vectors with results of MPFR, 0 failures" "$testfloat" $function bare.txt
  # What is written is read again, and the seed decides what is written.
  "$testfloat" --write $function --vectors 200000 >written.txt
  expect 0 "$function: 200000 vectors, 0 failures" "$testfloat" $function written.txt
  cmp written.txt <("$testfloat" --write $function --vectors 200000 --seed 1)
  expect 1 "differ" cmp written.txt <("$testfloat" --write $function --vectors 200000 --seed 2)
done

expect 0 "f32_add: 51 vectors, 0 failures" \
  "$testfloat" --config paper_bf16 f32_add "$here/vectors/f32_add.txt"
expect 1 "nothing was checked" "$testfloat" f32_mul /dev/null
printf '3F800000 3F800000 3F800000 00\n3F800000 3F8000 3F800000 00\n' >short.txt
refuse "short.txt: line 2: operand b = 3F8000 is illegal; legal: 8" "$testfloat" f32_mul short.txt
refuse "standard input: line 2: operand b" "$testfloat" f32_mul <short.txt
refuse "missing.txt: file" "$testfloat" f32_mul missing.txt
refuse "read = failed" "$testfloat" f32_mul "$folder"
refuse "function = f64_mul is illegal" "$testfloat" f64_mul short.txt
refuse "function = f32_div is illegal" "$testfloat" --write f32_div
refuse "function is missing" "$testfloat"
refuse "--vectors = -1 is illegal" "$testfloat" --write f32_mul --vectors -1
refuse "--seed: only with --write" "$testfloat" --seed 1 f32_mul short.txt
refuse "no such option" "$testfloat" --nonesuch
refuse "--vectors = 0 is illegal" "$here/../../scripts/judge" --vectors 0
refuse "needs fp32 operands" "$testfloat" --config paper_bf16 f32_mul short.txt
if [ -w /dev/full ]; then
  refuse "standard output: write" bash -c "'$testfloat' --write f32_mul --vectors 1000 >/dev/full"
fi
echo "testfloat: $checked checks passed"
