#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Injected faults in load and store engine must be found.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../../scripts/toolbox/common.sh"

build_main td_dma verilated_cc
python_program faults.engines
