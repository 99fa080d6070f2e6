#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# build.sh CONFIG VARIANT PROGRAM: builds one program of a design; prints its path.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../../scripts/toolbox/common.sh"
# Accelerators are built with the programs.
if [ "$3" = tdaccel ]; then
  build_main "tdaccel_$1"
  echo "$build/verify/accelerator/tdaccel_$1"
  exit
fi
build_design "$1" "$2" "$3"
echo "$design/$3"
