#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The programs' command lines, and what the scripts say to a user's mistakes.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
tdreplay=$("$root/scripts/replay" --config tiny --build-only)
"$root/verify/commands/tdgen_test.sh" "$root/build/tdgen" "$tdreplay"

checked=0
# refuse NEEDLE COMMAND…: exit status 2 and one line on stderr that contains NEEDLE.
refuse() {
  local needle=$1 status=0 error
  shift
  error=$("$@" 2>&1 >/dev/null) || status=$?
  if [ $status -ne 2 ] || [ "$(wc -l <<<"$error")" -ne 1 ] || ! grep -qF -- "$needle" <<<"$error"; then
    echo "$*: status $status, stderr: $error"
    exit 1
  fi
  checked=$((checked + 1))
}
refuse "--config is missing" "$root/scripts/replay" --random 10
refuse "nonesuch" "$root/scripts/replay" --config nonesuch --random 10
refuse "no such option" "$root/scripts/setup" --nonesuch
refuse "no such option" "$root/scripts/demo" --nonesuch
refuse "no such option" "$root/scripts/test" --nonesuch
refuse "1..99" "$root/scripts/bench" --rounds 0
refuse "no such option" "$root/scripts/analyse" fuzz --nonesuch
refuse "1..9999" "$root/scripts/analyse" fuzz --minutes 0
refuse "target = nonesuch" "$root/scripts/analyse" fuzz nonesuch
refuse "no such option" "$root/scripts/analyse" --nonesuch
refuse "subject = nonesuch is illegal; legal: tests, threads, tidy" "$root/scripts/analyse" nonesuch
refuse "standard output" bash -c "'$tdreplay' --random 3 >/dev/full"
waves=$(mktemp -d)
refuse "no room" bash -c "ulimit -f 8; '$tdreplay' --random 400 --wave '$waves/w.fst'"
[ -z "$(ls -A "$waves")" ] || { echo "left behind: $(ls -A "$waves")"; exit 1; }
rmdir "$waves"
# A machine without the tools: a path on which only the shell's own programs are.
bare=$(mktemp -d)
trap 'rm -rf "$bare"' EXIT
for tool in bash dirname basename nproc mkdir; do ln -s "$(command -v $tool)" "$bare/$tool"; done
refuse "cmake: not found; run scripts/setup replay" env PATH="$bare" "$root/scripts/replay" --config tiny --random 9
refuse "clang++: not found; run scripts/setup analyse" env PATH="$bare" "$root/scripts/analyse" fuzz
refuse "clang++: not found; run scripts/setup analyse" env PATH="$bare" "$root/scripts/analyse"
refuse "apt-get: not found" env PATH="$bare" bash "$root/scripts/setup"
echo "scripts: $checked checks passed"
