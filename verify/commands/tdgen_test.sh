#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Command lines of tdgen and tdreplay, good and bad: exit status, messages, and files left behind.
# Usage: tdgen_test.sh TDGEN [TDREPLAY]
set -u

if [ $# -lt 1 ] || [ ! -x "$1" ]; then
  echo "usage: tdgen_test.sh TDGEN [TDREPLAY]" >&2
  exit 2
fi
tdgen=$(realpath "$1")
tdreplay=${2:+$(realpath "$2")}
traces=$(realpath "$(dirname "$0")/../traces")

. "$(dirname "$(realpath "$0")")/cli_checks.sh"

# What is refused.
refuse "no arguments" "--config" "$tdgen"
refuse "unknown option" "--bogus" "$tdgen" --bogus
refuse "argument too many" "extra" "$tdgen" --config tiny --hash extra
refuse "option without value" "--config" "$tdgen" --config
refuse "option twice" "--config" "$tdgen" --config tiny --config tiny --hash
refuse "no folder given" "--out" "$tdgen" --config tiny
refuse "unknown preset" "no_such_preset" "$tdgen" --config no_such_preset --hash
refuse "unknown preset: the known ones are listed" "paper_bf16" "$tdgen" --config nope --hash
refuse "missing file" "missing.toml" "$tdgen" --config missing.toml --out d
refuse "file below a file" "/dev/null/x.toml" "$tdgen" --config /dev/null/x.toml --out d
refuse "folder as configuration" "/" "$tdgen" --config / --out d
refuse "unknown subject" "nonsense" "$tdgen" --explain nonsense
long_name=$(printf 'a%.0s' {1..5000})
refuse "name too long for a file" "aaaa" "$tdgen" --config "$long_name" --hash
refuse "subject too long for a file" "aaaa" "$tdgen" --explain "$long_name"

configuration empty.toml
: >run/empty.toml
refuse "empty configuration" "empty.toml" "$tdgen" --config empty.toml --out d
configuration syntax.toml 'name = "x"' '[tile' 'lanes = 4'
refuse "TOML syntax" "syntax.toml: line 2" "$tdgen" --config syntax.toml --out d
configuration binary.toml $'\xff\xfe\x01'
refuse "not a text" "binary.toml: line 1" "$tdgen" --config binary.toml --out d
configuration range.toml 'name = "x"' '[tile]' 'lanes = 65'
configuration old.toml 'name = "old"' '[interconnect]' 'depth = 3'
refuse "table of an earlier version" \
  "old.toml: interconnect.depth = 3 has moved; legal: write it as tile.interconnect.depth" \
  "$tdgen" --config old.toml --hash
refuse "value out of range" "range.toml: tile.lanes = 65 is illegal; legal: 2..64" \
  "$tdgen" --config range.toml --out d
configuration unknown.toml 'name = "x"' '[tile]' 'lane = 4'
refuse "unknown key" "unknown.toml: tile.lane = 4" "$tdgen" --config unknown.toml --hash
configuration nameless.toml '[tile]' 'lanes = 4'
refuse "no name" "nameless.toml: name" "$tdgen" --explain nameless.toml

# Places that cannot be written. Below a regular file not even root can.
: >run/file
refuse "folder below a file" "file/below" "$tdgen" --config tiny --out file/below
refuse "file as folder" "file" "$tdgen" --config tiny --out file
refuse "folder in /proc" "/proc" "$tdgen" --config tiny --out /proc/tensordash

# Room that runs out in the middle: a design that was there stays whole. The limit is below the
# largest file and above the smallest.
mkdir run/short
refuse "no room for a file" "short/" bash -c 'short_of_room 8 "$@"' x "$tdgen" --config tiny --out short
accept "a design before the next lacks room" "tiny" "$tdgen" --config tiny --out short
sed 's/lanes = .*/lanes = 8/' run/short/tiny.toml | sed '/levels/d' >run/wider.toml
refuse "no room for the next design" "short/" \
  bash -c 'short_of_room 8 "$@"' x "$tdgen" --config wider.toml --out short
mkdir full
if mount -t tmpfs -o size=64k tensordash full 2>/dev/null; then
  ln -s ../full run/full
  execute "$tdgen" --config paper_bf16 --out full
  [ "$status" = 2 ] && [ "$(wc -l <err.txt)" = 1 ] && grep -qF "full/" err.txt &&
    [ -z "$(ls -A full)" ]
  judge "full disk (exit status $status)" $?
  umount full
  rm run/full
else
  skip "full disk: a tmpfs cannot be mounted here (only a file-size limit was tried)"
fi
if [ -w /dev/full ]; then
  "$tdgen" --config tiny --hash >/dev/full 2>err.txt
  [ $? = 2 ] && [ "$(wc -l <err.txt)" = 1 ]
  judge "a hash that cannot be printed" $?
else
  skip "printing to a full disk: there is no /dev/full"
fi
no_temporaries
judge "no temporary file is left after failures" $?
rm -rf run && mkdir run

# What is explained.
accept "--help" "--explain" "$tdgen" --help
accept "--version" "tdgen " "$tdgen" --version
grep -qxE 'tdgen [0-9]+\.[0-9]+\.[0-9]+' out.txt
judge "--version is a version" $?
accept "--list" "presets" "$tdgen" --list
for name in tiny paper_fp32 paper_bf16 wide4_bf16 deep4_fp32 pe_two_sided step_first \
  lookahead_first wide4 deep4 tile.lanes tile.interconnect.levels tile.counters.wrap; do
  grep -qE "^  $name +[^ ]" out.txt
  judge "--list has $name" $?
done
accept "--explain parameter" "tile.lanes: " "$tdgen" --explain tile.lanes
grep -qF "legal: 2..64 multipliers" out.txt && grep -qxF "default: 16" out.txt
judge "--explain parameter: range and default" $?
accept "--explain pattern" "places (0,0) (1,-2) (1,-7)" "$tdgen" --explain wide4
grep -qF "[0, 4, 8, 12] [1, 5, 9, 13] [2, 6, 10, 14] [3, 7, 11, 15]" out.txt
judge "--explain pattern: levels" $?
accept "--schema" "https://json-schema.org/draft/2020-12/schema" "$tdgen" --schema
python3 -c 'import json, sys; json.load(sys.stdin)' <out.txt
judge "--schema is JSON" $?
accept "--hash" " tiny" "$tdgen" --config tiny --hash
hash=$(cut -d ' ' -f 1 out.txt)
grep -qxE '[0-9a-f]{16} tiny' out.txt
judge "--hash is a hash and a name" $?
accept "--explain preset" "hash $hash" "$tdgen" --explain tiny
configuration mine.toml 'name = "mine"' '[tile]' 'lanes = 3'
configuration machine.toml 'name = "tiny"' '[tile]' 'lanes = 4' 'rows = 2' 'columns = 2' \
  '[accelerator]' 'tiles = 3' 'sram.banks = 8'
accept "--hash of the same tile elsewhere" "$hash tiny" "$tdgen" --config machine.toml --hash
accept "emitted in one accelerator" " files in " "$tdgen" --config tiny --out here
accept "emitted in another" " files in " "$tdgen" --config machine.toml --out there
sed -i "s|/there/|/here/|" run/there/*.f
diff -r run/here run/there >/dev/null
judge "an accelerator changes no file of a tile" $?
accept "--explain file" "lanes = 3" "$tdgen" --explain mine.toml

# What is drawn.
refuse "diagram without a configuration" "--config" "$tdgen" diagram --out d
refuse "diagram without a folder" "--out" "$tdgen" diagram --config tiny
refuse "diagram of an unknown preset" "no_such" "$tdgen" diagram --config no_such --out d
refuse "diagram: unknown option" "--bogus" "$tdgen" diagram --config tiny --out d --bogus
refuse "diagram: argument too many" "extra" "$tdgen" diagram --config tiny --out d extra
refuse "diagram: lane that is not there" "--lane = 4 is illegal; legal: 0..3 (tile.lanes - 1)" \
  "$tdgen" diagram --config tiny --out d --lane 4
refuse "diagram: lane below 0" "--lane" "$tdgen" diagram --config tiny --out d --lane -1
refuse "diagram: seed that is no number" "--seed" "$tdgen" diagram --config tiny --out d --seed x
refuse "diagram without Graphviz" "dot: No such file or directory; diagrams need the package" \
  env PATH=/nowhere "$tdgen" diagram --config tiny --out d
: >run/file
refuse "diagram below a file" "file/d" "$tdgen" diagram --config tiny --out file/d
accept "diagram" "d/tiny_lane.svg" "$tdgen" diagram --config tiny --out d
[ "$(ls run/d)" = "$(printf 'tiny_%s.svg\n' lane pe step tile)" ]
judge "diagram: four pictures" $?
accept "diagram again, of another lane and window" "" \
  "$tdgen" diagram --config tiny --out e --lane 0 --seed 9
cmp -s run/d/tiny_tile.svg run/e/tiny_tile.svg && ! cmp -s run/d/tiny_lane.svg run/e/tiny_lane.svg &&
  ! cmp -s run/d/tiny_step.svg run/e/tiny_step.svg
judge "diagram: lane and window change their pictures, and only theirs" $?
accept "diagram of a dense tile" "d/dense_bf16_tile.svg" \
  "$tdgen" diagram --config dense_bf16 --out d
[ "$(ls run/d | grep -c dense)" = 3 ] && ! ls run/d | grep -qE 'dense.*_(lane|step)'
judge "diagram: a dense tile has no interconnect and no scheduler" $?
rm -rf run && mkdir run

# What is written.
accept "--out" "$hash" "$tdgen" --config tiny --out made/for/me
folder=run/made/for/me
[ -s $folder/tiny.f ] && xargs ls <$folder/tiny.f >/dev/null &&
  [ "$(find $folder -name '*.v' | wc -l)" = "$(wc -l <$folder/tiny.f)" ] &&
  [ -s $folder/tiny.json ] && [ -s $folder/tiny.core ]
judge "--out writes the files of the file list, and what goes with them" $?
accept "the written configuration is the same one" "$hash tiny" \
  "$tdgen" --config made/for/me/tiny.toml --hash
touch -d 2001-01-01 $folder/*
echo "// edited" >>$folder/td1_pe.v
before=$(cksum $folder/*.v | grep -v td1_pe.v)
accept "--out again" "$hash" "$tdgen" --config tiny --out made/for/me
[ "$(find $folder -type f -newermt 2001-01-02 -printf '%f')" = td1_pe.v ]
judge "only what differs is written again, the rest keeps its time stamp" $?
[ "$before" = "$(cksum $folder/*.v | grep -v td1_pe.v)" ] && ! grep -q edited $folder/td1_pe.v
judge "what differed is as it should be" $?
accept "--out into a folder that is named as the preset" "$hash" "$tdgen" --config tiny --out tiny
accept "... and again" "$hash" "$tdgen" --config tiny --out tiny
echo "nonsense = 1" >run/paper_bf16
accept "--list where a file is named as a preset" "presets" "$tdgen" --list
no_temporaries
judge "no temporary file is left" $?
rm -rf run && mkdir run

if [ -n "$tdreplay" ]; then
  trace=$traces/plain.safetensors
  refuse "tdreplay without a source" "--trace" "$tdreplay"
  refuse "tdreplay: unknown option" "--bogus" "$tdreplay" --bogus
  refuse "tdreplay: no such trace" "missing.safetensors" "$tdreplay" --trace missing.safetensors
  refuse "tdreplay: folder as trace" "/" "$tdreplay" --trace /
  refuse "tdreplay: no passes" "--random" "$tdreplay" --random 0
  refuse "tdreplay: passes that are no number" "--random" "$tdreplay" --random many
  refuse "tdreplay: zeros out of range" "--zeros" "$tdreplay" --random 1 --zeros 1.5
  refuse "tdreplay: stall out of range" "--stall" "$tdreplay" --random 1 --stall 1
  refuse "tdreplay: seed that is no number" "--seed" "$tdreplay" --random 1 --seed x
  refuse "tdreplay: two sources" "--trace" "$tdreplay" --random 1 --trace x
  refuse "tdreplay: option of random operands alone" "--zeros" "$tdreplay" --trace x --zeros 0.5
  : >run/file
  refuse "tdreplay: wave that cannot be written" "file/x.fst" \
    "$tdreplay" --random 1 --wave file/x.fst
  accept "tdreplay: random operands" " 0 mismatches" "$tdreplay" --random 3 --seed 7
  once=$(grep -o 'output hash [0-9a-f]*' out.txt)
  accept "tdreplay: the same seed" "${once:-no output hash}" "$tdreplay" --random 3 --seed 7
  if [ -s "$trace" ]; then
    refuse "tdreplay: unknown layer" "nope" "$tdreplay" --trace "$trace" --layer nope
    refuse "tdreplay: unknown snapshot" "nope" "$tdreplay" --trace "$trace" --snapshot nope
    refuse "tdreplay: unknown operation" "mul" "$tdreplay" --trace "$trace" --op mul
    refuse "tdreplay: contradicting passes" "--full" "$tdreplay" --trace "$trace" --full --passes 3
    for bytes in 0 4 1000 -1; do
      head -c "$bytes" "$trace" >run/cut.safetensors
      refuse "tdreplay: trace cut at $bytes" "cut.safetensors" "$tdreplay" --trace cut.safetensors
    done
    accept "tdreplay: one pass of each layer" " 0 mismatches" \
      "$tdreplay" --trace "$trace" --passes 1
  else
    skip "tdreplay on a trace: $trace is missing"
  fi
fi

finish
