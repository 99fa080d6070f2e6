#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Injected faults in the control must be refuted; --all: not only the quick ones.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../../scripts/toolbox/common.sh"

require yosys berkeley-abc iverilog vvp
build_main tdgen
python_program formal.control_faults "$@"
