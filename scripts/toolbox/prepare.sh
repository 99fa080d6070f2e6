#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# prepare.sh COMMAND [TARGET…]: installs what a command needs, and builds programs; prepare() in
# program.py calls it.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
command_name=$1
shift
needs
[ $# -eq 0 ] || build_main "$@"
