#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What scripts/tdgen, scripts/tdsim and scripts/replay answer before any build is what the programs
# say: their help is kept in scripts/toolbox/help, and mistakes are refused in their words.
# Usage: help.sh [--write]   (--write keeps today's help)
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
for name in tdsim tdjob tdgen; do
  "$root/scripts/$name" --version >/dev/null || exit 1
done
tdsim=$root/build/tdsim tdjob=$root/build/tdjob tdgen=$root/build/tdgen  # built by these
tdreplay=$("$root/scripts/replay" --config tiny --build-only) || exit 1
help=$root/scripts/toolbox/help
subcommands() { "$1" --help | sed '1,/^Subcommands:/d' | grep -o '^  [a-z]*' | tr -d ' '; }
mapfile -t pages < <(subcommands "$tdsim")
mapfile -t job_pages < <(subcommands "$tdjob")
if [ "${1:-}" = --write ]; then
  "$tdreplay" --help >"$help/tdreplay.txt"
  "$tdgen" --help >"$help/tdgen.txt"
  "$tdgen" diagram --help >"$help/tdgen-diagram.txt"
  "$tdsim" --help >"$help/tdsim.txt"
  for page in "${pages[@]}"; do "$tdsim" "$page" --help >"$help/tdsim-$page.txt"; done
  "$tdjob" --help >"$help/tdjob.txt"
  for page in "${job_pages[@]}"; do "$tdjob" "$page" --help >"$help/tdjob-$page.txt"; done
  exit
fi
. "$root/verify/commands/cli_checks.sh"

# same PROGRAM SCRIPT… -- ARGUMENT…: both say the same, and end so. Only scripts know where in the
# checkout there are files of a kind.
same() {
  local program=$1 script=() was same
  shift
  while [ "$1" != -- ]; do script+=("$1"); shift; done
  shift
  execute "$program" "$@"
  was=$status
  mv out.txt out.program
  mv err.txt err.program
  execute "${script[@]}" "$@"
  [ "$status" = "$was" ] && cmp out.txt out.program &&
    cmp <(sed "s#, such as those in $root/.*##" err.txt) err.program
  same=$?
  judge "$(basename "$program") $*: scripts/ as build/ (help.sh --write keeps today's help)" $same
}

sim() { same "$tdsim" "$root/scripts/tdsim" -- "$@"; }
job() { same "$tdjob" "$root/scripts/tdjob" -- "$@"; }
gen() { same "$tdgen" "$root/scripts/tdgen" -- "$@"; }
replay() { same "$tdreplay" "$root/scripts/replay" --config tiny -- "$@"; }

cp "$root/verify/traces/plain.safetensors" run/t
sim --help
[ "$(cd "$help" && ls tdsim-*.txt)" = "$(printf 'tdsim-%s.txt\n' "${pages[@]}" | sort)" ]
judge "every subcommand's help is kept" $?
for page in "${pages[@]}"; do
  sim "$page" --help
  sim "$page" -h
  sim "$page"
  sim "$page" --bogus
done
sim
sim nonesuch
sim --bogus
sim run t --config tiny --bogus
sim run t --config=tiny --bogus=4
sim run t extra --config tiny
sim run t --config
sim run t -x --config tiny
sim run t
sim run t --config nope
sim run t --config /
sim run nofile --config tiny
sim pass nofile --config tiny --json x
sim run --bogus --help
sim synth --network nope --sparsity half --config tiny
sim synth --network alexnet --sparsity nope --config tiny
sim synth extra --network alexnet --sparsity half --config tiny
sim synth --network nope --sparsity half --config tiny --compute-only --latency 20 results
sim compare nofile t
sim compare t
job --help
[ "$(cd "$help" && ls tdjob-*.txt)" = "$(printf 'tdjob-%s.txt\n' "${job_pages[@]}" | sort)" ]
judge "every subcommand's help of tdjob is kept" $?
for page in "${job_pages[@]}"; do
  job "$page" --help
  job "$page"
  job "$page" --bogus
done
job
job nonesuch
job run nofile
job compare nofile
job plan nofile
job compare --set a=1 nofile
job compare --set a=1 b=2 nofile
job case nofolder nofile
gen --help
gen diagram --help
gen --config
gen --config nope --out x
gen --bogus
gen diagram --out x
gen diagram --config nope --out x
gen --explain nope
replay
replay --bogus
replay --random 5 --bogus
replay --random 5 extra
replay --trace nofile
replay --trace
replay --record
execute "$tdreplay" --help
tail -n "$(wc -l <"$help/tdreplay.txt")" <(cd run && "$root/scripts/replay" --help) | cmp - out.txt
judge "scripts/replay --help ends with tdreplay's" $?
finish
