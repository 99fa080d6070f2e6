#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The floating point cells on TestFloat's vectors, and vectors of ours in its format.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../../scripts/toolbox/common.sh"

usage() {
  cat <<TXT
usage: testfloat_gen FUNCTION | scripts/judge testfloat [--config CONFIG] FUNCTION [FILE]
       scripts/judge testfloat --write FUNCTION [--vectors N] [--seed S]
Judges a verilated cell on vectors in the text format of Berkeley TestFloat, from FILE or standard
input: f32_mul the multiplier of a configuration with fp32 operands, f32_add the adder of any. Flags
are read but not compared, and any NaN stands for the cells' own. Without results (testfloat_gen
f32 2), MPFR says what they must be. Exit status 1: a failure, or no vectors at all.
  --config CONFIG   a TOML file, or a preset (default paper_fp32)
  --write FUNCTION  print directed and random vectors instead, with results and flags of MPFR;
                    underflow is detected after rounding
  --vectors N       how many to write (default 1000000)
  --seed S          which random ones (default 1)
TXT
}

# legal_function NAME: the functions there are.
legal_function() {
  [[ $1 =~ ^f32_(mul|add)$ ]] || fail 2 "function = $1 is illegal; legal: f32_mul or f32_add"
}

config=paper_fp32 write='' written=() names=()
while [ $# -gt 0 ]; do
  case "$1" in
    --config | --write | --vectors | --seed)
      [ $# -ge 2 ] || fail 2 "$1: a value is missing; see scripts/judge testfloat --help"
      case "$1" in
        --config) config=$2 ;;
        --write) write=$2 ;;
        *)
          [[ $2 =~ ^[0-9]{1,18}$ ]] || fail 2 "$1 = $2 is illegal; legal: 0..999999999999999999"
          written+=("$1" "$2") ;;
      esac
      shift ;;
    -h | --help) usage; exit 0 ;;
    -?*) fail 2 "$1: no such option; see scripts/judge testfloat --help" ;;
    *) names+=("$1") ;;
  esac
  shift
done
if [ -n "$write" ]; then
  legal_function "$write"
  [ ${#names[@]} -eq 0 ] || fail 2 "${names[0]}: --write takes no file; see scripts/judge testfloat --help"
  arguments=(--write "$write" ${written[@]+"${written[@]}"})
else
  [ ${#written[@]} -eq 0 ] || fail 2 "${written[0]}: only with --write"
  [ ${#names[@]} -ge 1 ] || fail 2 "function is missing; legal: f32_mul or f32_add"
  [ ${#names[@]} -le 2 ] || fail 2 "${names[2]}: an argument too many; see scripts/judge testfloat --help"
  legal_function "${names[0]}"
  arguments=(--testfloat "${names[0]}" "${names[1]:--}")
fi

needs judge
build_design "$config" rtl tdleaf
exec "$design/tdleaf" "${arguments[@]}"
