#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Injected faults must turn replays of the preset tiny red.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../../scripts/toolbox/common.sh"

build_main tdgen $(design_targets fast tdreplay)
python_program faults
