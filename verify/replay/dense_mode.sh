#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# dense_mode.sh SPARSE DENSE: a TensorDash tile in dense mode gives the bits and the cycles of the
# dense tile, on random operands with special values, with and without stalls.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
sparse=$("$root/verify/regress/build.sh" "$1" fast tdreplay)
dense=$("$root/verify/regress/build.sh" "$2" fast tdreplay)

# The output hash covers every bit and flag; the total's line, the cycles.
behaviour() {
  local report
  report=$("$@") || { echo "$report"; exit 1; }
  grep -o 'output hash [0-9a-f]*' <<<"$report"
  grep '^total' <<<"$report"
}
for stall in 0 0.3; do
  options=(--random 200 --rows 30 --specials 0.01 --stall "$stall")
  in_mode=$(behaviour "$sparse" "${options[@]}" --dense 1)
  baseline=$(behaviour "$dense" "${options[@]}" --dense 1)
  [ "$in_mode" = "$baseline" ] || { printf 'differ:\n%s\n%s\n' "$in_mode" "$baseline"; exit 1; }
  printf 'stall %s, both:\n%s\n' "$stall" "$in_mode"
done
