#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Help and mistakes are answered before any build: in a checkout without build/, on a path without
# compilers and packages, every command answers, and build/ is still not there.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/verify/commands/cli_checks.sh"

mkdir -p checkout/sim checkout/verify bare
cp -r "$root/scripts" checkout
cp -r "$root/presets" checkout
cp -r "$root/sim/networks" checkout/sim
for folder in "$root"/verify/*/; do
  [ "$(basename "$folder")" = traces ] || cp -r "$folder" checkout/verify
done
# Packages of Python are not there either; capture.py, which is a library too, needs them.
for package in numpy snakemake jsonschema; do
  echo "raise ImportError('$package: not installed')" >"checkout/verify/$package.py"
done
for tool in bash basename cat dirname env id mkdir nproc paste python3 sort; do
  ln -s "$(command -v $tool)" "bare/$tool"
done
early() { echo env PATH="$work/bare" PYTHONDONTWRITEBYTECODE=1 "$work/checkout/scripts/$1"; }

: >run/file
for path in "$root"/scripts/*; do
  [ -f "$path" ] && [ -x "$path" ] || continue
  name=$(basename "$path")
  accept "$name --help" "sage: " $(early "$name") --help
  refuse "$name --nonesuch" "" $(early "$name") --nonesuch
done
preset="--config = nope is illegal; legal: a TOML file, or a preset: accel_paper_bf16, "
missing="nofile: cannot be read: No such file or directory; legal: a readable"
scenario="$missing scenario (TOML), such as those in $work/checkout/sim/system/scenarios"
trace="$missing trace (safetensors), such as those in $work/checkout/verify/traces"
for carried in 'sim/system/scenarios/*.toml' 'verify/traces/*.safetensors'; do
  compgen -G "$root/$carried" >/dev/null
  judge "$carried, where messages say" $?
done
tdsim=$(early tdsim)
for page in run synth compare fields memories explore sweep; do
  accept "tdsim $page" "sage: " $tdsim $page --help
done
tdjob=$(early tdjob)
for page in run compare plan case; do
  accept "tdjob $page" "sage: " $tdjob $page --help
done
for page in run compare plan; do
  refuse "tdjob $page" "$scenario" $tdjob $page nofile
done
refuse "tdjob" "give a subcommand: run, compare, plan or case" $tdjob
for page in run "pass --json file"; do
  refuse "tdsim $page: trace" "$trace" $tdsim $page nofile --config tiny
done
refuse "tdsim run: configuration" "$preset" $tdsim run file --config nope
refuse "tdsim run: no value" "tdsim: --config: 1 required TEXT missing" $tdsim run file --config
refuse "tdsim compare" "$missing result of tdsim" $tdsim compare file nofile
refuse "tdsim synth: network" "one of alexnet, " \
  $tdsim synth --network nope --sparsity half --config tiny
refuse "tdsim synth: sparsity" "one of " \
  $tdsim synth --network alexnet --sparsity nope --config tiny
refuse "tdsim sweep" "$preset" \
  $tdsim sweep --network alexnet --sparsity half --config nope --out swept
refuse "tdsim sweep: network" "one of alexnet, " \
  $tdsim sweep --network nope --sparsity half --config tiny --out swept
refuse "tdsim sweep: sparsity" "--sparsity = nope is illegal; legal: a TOML file, or one of " \
  $tdsim sweep --network alexnet --sparsity nope --config tiny --out swept
refuse "replay: configuration" "$preset" $(early replay) --config nope --random 5
refuse "replay: option" "expected: --bogus" $(early replay) --config tiny --random 5 --bogus
refuse "replay: trace" "$trace" $(early replay) --config tiny --trace nofile
refuse "replay: no source" "give --trace FILE or --random PASSES" $(early replay) --config tiny
refuse "ppa: configuration" "$preset" $(early ppa) --config nope --trace file
refuse "explore: space" "nofile: cannot be read: " $(early explore) nofile
refuse "explore: points" "--confirm = 0" $(early explore) file --confirm 0
refuse "ppa: clock" "--clock = x" $(early ppa) --config tiny --clock x
refuse "ppa: trace" "such as those in $work/checkout/verify/traces" \
  $(early ppa) --config tiny --trace nofile
refuse "prove: configuration" "$preset" $(early prove) --config nope
refuse "prove: value" "--jobs = 0" $(early prove) --jobs 0
refuse "equivalence: configuration" "$preset" $(early equivalence) --config nope
refuse "mutate: configuration" "$preset" $(early mutate) --proofs nope
refuse "regress: suite" "nofile: suite" $(early regress) --suite nofile
refuse "coverage: file" "nofile: not found" $(early coverage) nofile
refuse "judge: value" "--vectors = x" $(early judge) --vectors x
refuse "setup: command" "command = nope" $(early setup) nope
[ ! -e checkout/build ]
judge "nothing was built" $?

# What comes after: the tools are asked for, and named with what installs them.
refuse "replay: no tool" "cmake: not found; run scripts/setup replay" \
  $(early replay) --config tiny --random 5
finish
