#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# judge.sh CONFIG: judges the cells of a configuration's fused sum, every row of a small format.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../../../scripts/toolbox/common.sh"
build_design "$1" rtl tdfused
"$design/tdfused"
