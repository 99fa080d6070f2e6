#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# judge.sh CONFIG: the floating point cells of a configuration against the processor and MPFR.
# TD_LEAF_VECTORS: vectors per cell (1 million). TD_LEAF_EXHAUSTIVE=1: of bf16 factors all pairs, as always of fp8 ones.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../../scripts/toolbox/common.sh"
build_design "$1" rtl tdleaf
"$design/tdleaf" --vectors "${TD_LEAF_VECTORS:-1000000}"
pairs=
case $(sed -n 's/.*"tile.numerics.format": "\(.*\)".*/\1/p' "$design"/../rtl/*.json) in
  bf16) pairs=--sweep; [ "${TD_LEAF_EXHAUSTIVE:-0}" != 1 ] || pairs=--exhaustive ;;
  fp8) pairs=--exhaustive ;;
esac
[ -z "$pairs" ] || "$design/tdleaf" --cell multiplier --vectors 1 $pairs --jobs "$jobs"
