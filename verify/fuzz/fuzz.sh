#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/analyse fuzz: fuzzes the readers of files that may say anything.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../../scripts/toolbox/common.sh"
command_name=analyse

targets=()
for file in "$root"/verify/fuzz/targets/fuzz_*.cpp; do
  name=$(basename "$file" .cpp)
  targets+=("${name#fuzz_}")
done

usage() {
  cat <<TXT
usage: scripts/analyse fuzz [--minutes M] [TARGET…]
       scripts/analyse fuzz --merge [TARGET…]
Runs libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer on each TARGET for M minutes
(default 10), as many targets at once as there are cores (TD_JOBS=N: N at once). Starts from
verify/fuzz/corpus; new inputs go to build/fuzz/found, those that crash to build/fuzz/crashes.
  --merge   run nothing: take into verify/fuzz/corpus those new inputs that reach new code
Targets: ${targets[*]} (all by default)
TXT
}

minutes=10 merge=false chosen=()
while [ $# -gt 0 ]; do
  case "$1" in
    --minutes)
      [[ ${2:-} =~ ^[1-9][0-9]{0,3}$ ]] || fail 2 "--minutes = ${2:-} is illegal; legal: 1..9999"
      minutes=$2
      shift ;;
    --merge) merge=true ;;
    -h | --help) usage; exit 0 ;;
    -*) fail 2 "$1: no such option; see scripts/analyse fuzz --help" ;;
    *)
      [[ " ${targets[*]} " == *" $1 "* ]] ||
        fail 2 "target = $1 is illegal; legal: ${targets[*]}"
      chosen+=("$1") ;;
  esac
  shift
done
[ ${#chosen[@]} -gt 0 ] || chosen=("${targets[@]}")

needs
require clang++
folder=$build/fuzz
make_folder "$folder"
make_folder "$folder/crashes"
exec 9>"$folder/.lock"
flock -n 9 || fail 2 "$folder: scripts/analyse fuzz runs there already; legal: one at a time"
empty='extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }'
clang++ -fsanitize=fuzzer,address,undefined -x c++ - -o "$folder/probe" <<<"$empty" 2>/dev/null ||
  fail 2 "clang++: cannot link libFuzzer and the sanitizers; run scripts/setup analyse"
build_analysis analysis "${chosen[@]/#/fuzz_}"
programs=$build/analysis/verify/fuzz

# Deep recursion shows on a small stack; inputs need not be long for it then.
ulimit -s 1024
export UBSAN_OPTIONS=print_stacktrace=1
# Lines are counted by scripts/analyse only.
export LLVM_PROFILE_FILE=/dev/null

# fuzz_target TARGET ARGUMENT…: libFuzzer's program, its output in a log.
fuzz_target() {
  local target=$1 found=$folder/found/$1
  shift
  mkdir -p "$found"
  exec "$programs/fuzz_$target" -timeout=10 -rss_limit_mb=2048 -max_len=8192 \
    -artifact_prefix="$folder/crashes/$target-" -print_final_stats=1 "$@" >"$folder/$target.log" 2>&1
}

if $merge; then
  for target in "${chosen[@]}"; do
    corpus=$root/verify/fuzz/corpus/$target
    (fuzz_target "$target" -set_cover_merge=1 -use_counters=0 "$corpus" "$folder/found/$target") ||
      fail 1 "$target: merging failed; all of its output: $folder/$target.log"
    echo "fuzz: $target: $(find "$corpus" -type f | wc -l) inputs, $(du -sb "$corpus" | cut -f1) bytes"
  done
  exit 0
fi

running=()
trap '[ ${#running[@]} -eq 0 ] || kill "${running[@]}" 2>/dev/null || true' EXIT
trap 'exit 143' TERM
for target in "${chosen[@]}"; do
  while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n || true; done
  echo "fuzz: $target: $minutes min, output in $folder/$target.log"
  dictionary=()
  [ ! -f "$root/verify/fuzz/dictionaries/$target.dict" ] || dictionary=("-dict=$root/verify/fuzz/dictionaries/$target.dict")
  fuzz_target "$target" "${dictionary[@]}" -max_total_time=$((60 * minutes)) \
    "$folder/found/$target" "$root/verify/fuzz/corpus/$target" 9>&- &
  running+=($!)
done

# report TARGET STATUS: one line; fails for a crash or when nothing was run.
report() {
  local log=$folder/$1.log executions coverage points input
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  coverage=$(grep -o 'cov: [0-9]*' "$log" | tail -n 1 | cut -d' ' -f2)
  points=$(sed -n 's/.*PC tables (\([0-9]*\) PCs).*/\1/p' "$log")
  input=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
  printf 'fuzz: %s: %s executions, coverage %s of %s edges, ' \
    "$1" "${executions:-0}" "${coverage:-0}" "${points:-0}"
  if [ "$2" -eq 0 ] && [ "${executions:-0}" -gt 0 ]; then
    echo "0 crashes"
    return 0
  fi
  echo "FAILED (status $2): $(grep -m 1 -E 'what\(\):|runtime error:|SUMMARY|ERROR' "$log" || true)"
  echo "fuzz: again: $programs/fuzz_$1 ${input:-(no input was written; see $log)}"
  return 1
}

failed=0
for i in "${!chosen[@]}"; do
  status=0
  wait "${running[$i]}" || status=$?
  report "${chosen[$i]}" $status || failed=1
done
running=()
exit $failed
