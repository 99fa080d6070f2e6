#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# judge.sh CONFIG: the floating point cells of a configuration against the processor and MPFR.
# TD_LEAF_VECTORS: vectors per cell (1 million). TD_LEAF_EXHAUSTIVE=1: of bf16 factors all pairs.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../../scripts/toolbox/common.sh"
build_design "$1" rtl tdleaf
"$design/tdleaf" --vectors "${TD_LEAF_VECTORS:-1000000}"
if grep -q '"tile.numerics.format": "bf16"' "$design"/../rtl/*.json; then
  pairs=--sweep
  [ "${TD_LEAF_EXHAUSTIVE:-0}" != 1 ] || pairs=--exhaustive
  "$design/tdleaf" --cell multiplier --vectors 1 $pairs --jobs "$jobs"
fi
