#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# replay.sh CONFIG: a captured step of a network with attention, a recurrent layer, a Conv1d and a
# transposed convolution, all of it through the Verilog: same bits and cycles as the model.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../../scripts/toolbox/common.sh"
here=$root/verify/capturing
build_design "$1" fast tdreplay
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

PYTHONPATH=$here /usr/bin/python3 -B -c \
  'import sys, test_results; test_results.capture_products(sys.argv[1])' "$folder/products.safetensors"
"$design/tdreplay" --trace "$folder/products.safetensors" --full --stall 0.2 >"$folder/report" ||
  { cat "$folder/report"; exit 1; }
grep -E ' (attention|line|up|memory)' "$folder/report"
tail -n 1 "$folder/report"
for layer in attention.matmul attention.matmul#2; do
  operations=$(grep -c "^step  *$layer  *[fdw]" "$folder/report")
  [ "$operations" = 3 ] || { echo "$layer: $operations of 3 operations were replayed"; exit 1; }
done
