# SPDX-License-Identifier: Apache-2.0
# Sourced by tests of command lines: a folder to work in, and checks that count themselves.

work=$(mktemp -d)
trap 'umount "$work/full" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir run
passed=0 failed=0 skipped=0

# judge NAME STATUS: counts one check, and shows what the last command said if it failed.
judge() {
  if [ "$2" = 0 ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "cli: FAILED: $1"
    [ -s out.txt ] && head -n 3 out.txt | sed 's/^/  stdout: /'
    [ -s err.txt ] && head -n 6 err.txt | cut -c 1-300 | sed 's/^/  stderr: /'
  fi
}

skip() {
  skipped=$((skipped + 1))
  echo "cli: SKIPPED: $1"
}

# Runs a command in run/; its exit status is in $status.
execute() {
  (cd run && exec "$@") >out.txt 2>err.txt </dev/null
  status=$?
}

# Every file below run/ with its bytes.
contents() { find run -type f -exec cksum {} + | sort; find run -type d | sort; }

# refuse NAME NEEDLE COMMAND...: exit status 2, one line on stderr that contains NEEDLE, nothing on
# stdout, and nothing changed in run/.
refuse() {
  local name=$1 needle=$2 before
  shift 2
  before=$(contents)
  execute "$@"
  [ "$status" = 2 ] && [ "$(wc -l <err.txt)" = 1 ] && grep -qF -- "$needle" err.txt &&
    [ ! -s out.txt ] && [ "$(contents)" = "$before" ]
  judge "$name (exit status $status)" $?
}

# accept NAME NEEDLE COMMAND...: exit status 0, stdout contains NEEDLE, stderr is empty.
accept() {
  local name=$1 needle=$2
  shift 2
  execute "$@"
  [ "$status" = 0 ] && grep -qF -- "$needle" out.txt && [ ! -s err.txt ]
  judge "$name (exit status $status)" $?
}

# configuration NAME LINE...: a file run/NAME.
configuration() {
  local file=run/$1
  shift
  printf '%s\n' "$@" >"$file"
}

no_temporaries() { [ -z "$(find "$work" -name '*.tmp')" ]; }

# Runs a command that may write files of so many blocks of 1024 bytes. Nor is there room for the lines
# that scripts/analyse counts.
short_of_room() {
  LLVM_PROFILE_FILE=/dev/null bash -c 'trap "" XFSZ; ulimit -f "$1"; shift; exec "$@"' short "$@"
}
export -f short_of_room

# finish: what was counted, as the exit status of the test.
finish() {
  [ "$skipped" = 0 ] || echo "cli: $skipped checks SKIPPED"
  if [ "$failed" != 0 ] || [ "$passed" = 0 ]; then
    echo "cli: $failed checks failed, $passed passed"
    exit 1
  fi
  echo "cli: $passed checks passed"
}
