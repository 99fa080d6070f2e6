#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every C++ file is as clang-format writes it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
mapfile -t files < <(find gen sim verify -name '*.cpp' -o -name '*.hpp')
[ ${#files[@]} -gt 0 ]
clang-format --dry-run -Werror "${files[@]}"
echo "${#files[@]} files are formatted"
