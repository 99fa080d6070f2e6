# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts: where things are, what a user reads of them, and programs in Python.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$root/build
jobs=${TD_JOBS:-$(nproc)}
command_name=$(basename "$0")  # of the command, in all that it says

# fail STATUS MESSAGE: one line, and out.
fail() {
  echo "$command_name: $2" >&2
  exit "$1"
}

# clear_line: takes away what is on a terminal's line.
clear_line() { [ ! -t 2 ] || printf '\r\033[K' >&2; }

# interrupted: what Ctrl-C leads to, once what runs in the foreground has ended.
interrupted() {
  trap '' INT
  clear_line
  fail 130 "interrupted"
}
trap interrupted INT

# make_folder FOLDER: for the files that a build writes.
make_folder() {
  mkdir -p "$1" 2>/dev/null && [ -w "$1" ] ||
    fail 2 "$1: cannot be written; legal: a checkout on a writable disk with room"
}

# needs [COMMAND]: installs the packages of a command, by default this, where there are packages.
needs() {
  local status=0
  command -v dpkg-query >/dev/null || return 0
  trap : INT  # setup says it
  "$root/scripts/setup" "${1:-$command_name}" >/dev/null || status=$?
  trap interrupted INT
  [ $status -eq 0 ] || exit $status
}

# require TOOL…: names what scripts/setup has yet to install.
require() {
  local tool
  for tool in "$@"; do
    command -v "$tool" >/dev/null || fail 2 "$tool: not found; run scripts/setup $command_name"
  done
}

# python_program PACKAGE ARGUMENT…: becomes a program in Python of scripts/ or verify/.
python_program() {
  [ -x /usr/bin/python3 ] || needs release  # which needs Python alone
  require python3
  exec env PYTHONPATH="$root/scripts:$root/verify" PYTHONDONTWRITEBYTECODE=1 \
    /usr/bin/python3 -m "$@"
}

# python_command PACKAGE TARGETS ARGUMENT…: ... of one that calls prepare() once it knows that its
# arguments are good; this then installs what this command needs, and builds these programs.
python_command() {
  local package=$1
  export TD_PREPARE="$command_name $2"
  shift 2
  python_program "$package" "$@"
}

# python_check MODULE ARGUMENT…: runs a check in Python; out if it fails, with its status and message.
python_check() {
  (python_program "$@") || exit $?
}

. "$root/scripts/toolbox/build.sh"
