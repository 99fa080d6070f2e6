#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every C++ file is as clang-format writes it; Verilog has lines of at most 100 columns.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
mapfile -t files < <(find base gen sim verify -name '*.cpp' -o -name '*.hpp')
[ ${#files[@]} -gt 0 ]
clang-format --dry-run -Werror "${files[@]}"
mapfile -t verilog < <(find hw -name '*.v' -o -name '*.sv')
[ ${#verilog[@]} -gt 0 ]
if grep -nE '^.{101}' "${verilog[@]}"; then
  echo "format: these lines have more than 100 columns" >&2
  exit 1
fi
echo "$((${#files[@]} + ${#verilog[@]})) files are formatted"
