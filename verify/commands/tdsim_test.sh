#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Command lines of tdsim, good and bad: exit status, messages, and files left behind.
# Usage: tdsim_test.sh TDSIM
set -u

if [ $# -ne 1 ] || [ ! -x "$1" ]; then
  echo "usage: tdsim_test.sh TDSIM" >&2
  exit 2
fi
tdsim=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
. "$here/cli_checks.sh"
plain=$here/../traces/plain.safetensors
pruned=$here/../traces/resnet_pruned.safetensors
normalised=$here/../traces/resnet.safetensors
run=("$tdsim" run "$plain" --config paper_bf16)

# The command line itself.
refuse "no subcommand" "run, synth, compare, fields, memories, pass, explore or quantise" "$tdsim"
refuse "two subcommands" "compare" "${run[@]}" compare a b
refuse "unknown subcommand" "walk" "$tdsim" walk
refuse "unknown option" "--bogus" "$tdsim" --bogus
refuse "unknown option of run" "--bogus" "${run[@]}" --bogus
refuse "unknown option of compare" "--json" "$tdsim" compare a b --json c
refuse "run without a trace" "trace" "$tdsim" run --config paper_bf16
refuse "run without a configuration" "--config" "$tdsim" run "$plain"
refuse "argument too many" "extra" "${run[@]}" extra
refuse "option without value" "--tiles" "${run[@]}" --tiles
refuse "option twice" "--tiles" "${run[@]}" --tiles 2 --tiles 3
for tiles in 0 -1 4097 99999999999999999999 x 1.5 ""; do
  refuse "tiles = '$tiles'" "--tiles" "${run[@]}" --tiles "$tiles"
done
for threads in 0 1025 x; do
  refuse "threads = '$threads'" "--threads" "${run[@]}" --threads "$threads"
done
for option in --snapshot --layer --json --csv --perfetto; do
  refuse "$option without a name" "$option: no name" "${run[@]}" $option ""
done
refuse "unknown schedule" "--schedule" "${run[@]}" --schedule third
refuse "unknown operation" "--op" "${run[@]}" --op mul
refuse "unknown objective" "--objective: speed not in {time,energy,product}" \
  "${run[@]}" --objective speed

for latency in 0 10001 x 1.5; do
  refuse "latency = '$latency'" "--latency" "${run[@]}" --latency "$latency"
done

# What is read.
refuse "unknown preset" "no_such_preset" "$tdsim" run "$plain" --config no_such_preset
configuration range.toml 'name = "x"' '[tile]' 'lanes = 65'
refuse "bad configuration" "range.toml: tile.lanes = 65 is illegal; legal: 2..64" \
  "$tdsim" run "$plain" --config range.toml
configuration pair.toml 'name = "pair"' '[tile]' 'lanes = 16' 'rows = 1' 'columns = 1' \
  'scheduling = "two_sided"'
refuse "schedule of two-sided tiles" "--schedule = best is illegal; legal: auto: pair is two_sided" \
  "$tdsim" run "$plain" --config pair.toml --schedule best --json r.json
refuse "no such trace" "missing.safetensors" "$tdsim" run missing.safetensors --config tiny
refuse "folder as trace" "/" "$tdsim" run / --config tiny
refuse "device as trace" "/dev/zero" "$tdsim" run /dev/zero --config tiny
for bytes in 0 4 1000 -1; do
  head -c "$bytes" "$plain" >run/cut.safetensors
  refuse "trace cut at $bytes" "cut.safetensors" "$tdsim" run cut.safetensors --config tiny
done
refuse "unknown layer" "--layer = nope is" "${run[@]}" --layer nope
refuse "unknown snapshot" "--snapshot = nope is" "${run[@]}" --snapshot nope
refuse "a gradient that nobody needs" "--layer, --op = conv1, dgrad is" "${run[@]}" --layer conv1 --op dgrad

# Networks without a trace.
synth=("$tdsim" synth --config tiny --network alexnet --sparsity half)
refuse "synth without a network" "--network" "$tdsim" synth --config tiny --sparsity half
refuse "synth without a sparsity" "--sparsity" "$tdsim" synth --config tiny --network alexnet
refuse "unknown network" "no_such_network" \
  "$tdsim" synth --config tiny --sparsity half --network no_such_network
refuse "unknown sparsity" "no_such_sparsity" \
  "$tdsim" synth --config tiny --network alexnet --sparsity no_such_sparsity
for batch in 0 65537 x; do refuse "batch = $batch" "--batch" "${synth[@]}" --batch $batch; done
for seed in -1 x; do refuse "seed = $seed" "--seed" "${synth[@]}" --seed $seed; done
refuse "synth: unknown layer" "nope" "${synth[@]}" --layer nope
conv='type = "conv2d", kernel = 3'
configuration net.toml 'name = "net"' 'input = [3, 8, 8]' 'layers = [' \
  "{ name = 'c', $conv, in = 3, out = 4, size = 8, needs_input_grad = false }," \
  "{ name = 'd', $conv, in = 4, out = 6, size = 6 }," \
  '{ name = "l", type = "linear", in = 96, out = 10 }]'
configuration half.toml 'A = { zeros = 0.5 }' 'W = { zeros = 0.5 }' 'GO = { zeros = 0.5 }'
configuration bad_half.toml 'A = { zeros = 1.5 }'
net=("$tdsim" synth --config tiny --network net.toml --sparsity half.toml)
refuse "synth: a gradient that nobody needs" "--layer, --op = c, dgrad is" "${net[@]}" --layer c --op dgrad
refuse "synth: unknown snapshot" "--snapshot = nope is" "${net[@]}" --snapshot nope
refuse "synth: a sparsity as network" "half.toml: " \
  "$tdsim" synth --config tiny --network half.toml --sparsity half
refuse "synth: a bad sparsity" "bad_half.toml: A.zeros = 1.5 is illegal; legal: a number of 0..1" \
  "$tdsim" synth --config tiny --network net.toml --sparsity bad_half.toml
# Memories of 64 words: results of two streams take more.
configuration tight.toml 'name = "tight"' '[tile]' 'lanes = 16' 'rows = 2' 'columns = 2' \
  '[tile.numerics]' 'format = "fp32"' '[accelerator]' 'tiles = 1' '[accelerator.sram]' 'banks = 1' \
  'bank_bytes = 512' '[accelerator.scratchpad]' 'bank_bytes = 512'
tight=("$tdsim" synth --config tight.toml --network net.toml --sparsity half.toml --layer l)
refuse "synth: memories that hold no part of a layer" \
  "smallest part of it; --compute-only simulates the tiles without the accelerator" "${tight[@]}"
accept "synth: its tiles alone" "tiles alone" "${tight[@]}" --compute-only
configuration tall.toml 'name = "tall"' 'input = [1, 40000, 1]' 'layers = [' \
  '{ name = "t", type = "conv2d", kernel = 1, in = 1, out = 4, size = [40000, 1] }]'
refuse "synth: a layer beyond what descriptors say" \
  "legal: positions of -32767..32767; --compute-only simulates" \
  "$tdsim" synth --config tight.toml --network tall.toml --sparsity half.toml --op fwd
refuse "synth: CSV over the sparsity" "half.toml" "${net[@]}" --csv half.toml
refuse "synth: JSON over the network" "net.toml" "${net[@]}" --json net.toml

# What cannot be written is refused before anything is simulated. Below a file not even root can.
: >run/file
mkdir run/folder
# Stands for a device: a test must not put one of the machine's at risk.
/usr/bin/python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("run/socket")'
for option in --json --csv --perfetto; do
  refuse "$option into a folder that is not there" "nowhere/r: " "${run[@]}" $option nowhere/r
  refuse "$option is looked at before the layers are" "nowhere/r: " \
    "${run[@]}" --layer nope $option nowhere/r
  refuse "$option below a file" "file/r: " "${run[@]}" $option file/r
  refuse "$option as a folder" "folder: " "${run[@]}" $option folder
  refuse "$option in /proc" "/proc/r: " "${run[@]}" $option /proc/r
  refuse "$option over what is no file" "socket: " "${run[@]}" $option socket
  [ -S run/socket ]
  judge "$option: what is no file is still there" $?
done
refuse "JSON over the CSV" "./folder/../r" "${run[@]}" --json r --csv ./folder/../r
cp "$plain" run/own.safetensors
ln -s own.safetensors run/link
refuse "JSON over the trace" "own.safetensors" \
  "$tdsim" run own.safetensors --config paper_bf16 --json ./own.safetensors
refuse "CSV over the trace, by another name" "link" \
  "$tdsim" run own.safetensors --config paper_bf16 --csv link
refuse "passes over the trace" "a file of its own" \
  "$tdsim" pass own.safetensors --config tiny --json ./own.safetensors
configuration own.toml 'name = "own"'
refuse "JSON over the configuration" "own.toml" \
  "$tdsim" run own.safetensors --config own.toml --json own.toml
rm run/link run/own.safetensors

# Room that runs out: results that were there stay whole.
small=(run "$plain" --config paper_bf16 --layer conv1 --op fwd)
accept "results before the next lack room" "conv1" "$tdsim" "${small[@]}" --json r.json --csv r.csv
refuse "no room for a result" "r.json" \
  bash -c 'short_of_room 8 "$@"' x "${run[@]}" --json r.json --csv r.csv
mkdir full
if mount -t tmpfs -o size=16k tensordash full 2>/dev/null; then
  ln -s ../full run/full
  refuse "full disk" "full/r.json" "${run[@]}" --csv r.csv --json full/r.json
  [ -z "$(ls -A full)" ]
  judge "nothing is left on the full disk" $?
  umount full
  rm run/full
else
  skip "full disk: a tmpfs cannot be mounted here (only a file-size limit was tried)"
fi
if [ -w /dev/full ]; then
  "${run[@]}" --op fwd >/dev/full 2>err.txt
  [ $? = 2 ] && [ "$(wc -l <err.txt)" = 1 ] && grep -qF "standard output" err.txt
  judge "a table that cannot be printed" $?
else
  skip "printing to a full disk: there is no /dev/full"
fi
no_temporaries
judge "no temporary file is left after failures" $?

# Results that are none.
json=run/r.json
refuse "compare nothing" "A" "$tdsim" compare
refuse "compare one" "B" "$tdsim" compare r.json
refuse "compare a missing file" "missing.json" "$tdsim" compare r.json missing.json
refuse "compare a folder" "folder: file = (empty or unreadable)" "$tdsim" compare folder r.json
refuse "compare a device" "/dev/zero: size = more" "$tdsim" compare /dev/zero r.json
refuse "compare an empty file" "file: file = (empty or unreadable)" "$tdsim" compare file r.json
refuse "compare a trace" "plain.safetensors: file = text broken" "$tdsim" compare r.json "$plain"
refuse "compare a CSV" "r.csv: file = text broken" "$tdsim" compare r.json r.csv
head -c 1000 $json >run/cut.json
refuse "compare half a result" "cut.json: file = text broken" "$tdsim" compare r.json cut.json
echo '{"lanes": 4}' >run/other.json
refuse "compare other JSON" "other.json: format is missing" "$tdsim" compare r.json other.json
sed 's/tensordash-result-14/tensordash-result-1/' $json >run/older.json
refuse "compare another format" "format = \"tensordash-result-1\"" \
  "$tdsim" compare r.json older.json
sed 's/"cycles": [0-9]*/"cycles": -1/' $json >run/negative.json
refuse "compare negative cycles" "negative.json: operations[0].cycles = -1" \
  "$tdsim" compare negative.json r.json
sed '/"hash"/d' $json >run/without.json
refuse "compare without a field" "without.json: configuration.hash is missing" \
  "$tdsim" compare without.json r.json
# A fuzzer that starts from refused files finds little.
seeds=$here/../fuzz/corpus
accept "the seeds of the fuzzer are results" "latency_clocks" \
  "$tdsim" compare "$seeds/result/written" "$seeds/result/alone"
cmp "$seeds/result/written" "$seeds/profile/written"
judge "profiles are fuzzed from the same" $?

# What is answered.
accept "--help" "compare" "$tdsim" --help
accept "run --help" "--schedule" "$tdsim" run --help
accept "compare --help" "--json" "$tdsim" compare --help
accept "--version" "tdsim " "$tdsim" --version
grep -qxE 'tdsim [0-9]+\.[0-9]+\.[0-9]+' out.txt
judge "--version is a version" $?

# totals NAME 930872 623664 ARGUMENT...: the last line of the table, of one tile.
totals() {
  local name=$1 dense=$2 cycles=$3
  shift 3
  accept "$name" "together" "$tdsim" run "$@" --tiles 1
  grep -qE "^total +all +[0-9]+ +$dense +$cycles +" out.txt
  judge "$name: $dense dense cycles, $cycles cycles" $?
}
# The tile's own cycles, as the Verilog has them.
totals "plain" 1052216 469629 "$plain" --config paper_bf16
totals "plain, wide4" 1052216 454815 "$plain" --config wide4_bf16
totals "plain, dense" 1052216 1052216 "$plain" --config dense_bf16
totals "pruned" 930872 431600 "$pruned" --config paper_bf16
totals "pruned, wide4" 930872 418952 "$pruned" --config wide4_bf16
totals "pruned, deep4" 930872 394736 "$pruned" --config deep4_bf16
totals "batch-normalised" 930872 623664 "$normalised" --config paper_bf16

accept "all results" "where the multipliers' cycles went" \
  "${run[@]}" --tiles 4 --schedule best --threads 1 --json one.json --csv one.csv
cp out.txt one.txt
[ "$(awk 'length > 120 && !/^(operands|configuration) /' out.txt | wc -l)" = 0 ]
judge "the table is at most 120 wide" $?
accept "again, with other threads" "together" \
  "${run[@]}" --tiles 4 --schedule best --threads 3 --json two.json --csv two.csv
cmp -s run/one.json run/two.json && cmp -s run/one.csv run/two.csv && cmp -s one.txt out.txt
judge "the same bytes whatever the number of threads" $?
accept "compute alone" "tiles alone" \
  "${run[@]}" --tiles 4 --schedule best --compute-only --json alone.json
! grep -qF "from memory to memory" out.txt
judge "compute alone: nothing is said from memory to memory" $?
accept "a slower memory" "from memory to memory, latency 200, 12.5 bytes a clock" \
  "${run[@]}" --tiles 4 --schedule best --latency 200 --bandwidth 12.5 --json slower.json
/usr/bin/python3 - run/one.json run/alone.json run/slower.json <<'PY'
import json, sys
machine, alone, slower = (json.load(open(path)) for path in sys.argv[1:])
assert [one.pop("latency_clocks") for one in (machine, alone, slower)] == [20, None, 200]
assert [one.pop("bandwidth_bytes_in_1000_clocks") for one in (machine, alone, slower)] == \
    [None, None, 12500]
def same(one, other, path=""):
    """Paths at which two values differ."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return {found for key in one for found in same(one[key], other[key], key)}
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return {found for pair in zip(one, other) for found in same(*pair, path)}
    return set() if one == other else {path}
of_machine = same(machine, alone)
everything = alone["operations"] + [alone["totals"]["all"]] + alone["totals"]["by_op"]
assert all(one.get(name) is None for one in everything for name in of_machine)
assert {"memory_cycles", "energy_pJ", "bound_cycles", "dram_read_bytes"} <= of_machine
waited = same(machine, slower)
assert {"memory_cycles", "dense_memory_cycles", "plan_hash", "energy_pJ"} <= waited <= of_machine, waited
for hardware in ("", "dense_"):
    clocks = hardware + "memory_cycles"
    for one, other in zip(machine["operations"], slower["operations"]):
        assert one[hardware + "bound_cycles"] <= one[clocks]
        # The plan for the slower memory may be the better one for this, too.
        assert one[clocks] < other[clocks] or one[hardware + "plan_hash"] != other[hardware + "plan_hash"]
    assert machine["totals"]["all"][clocks] < slower["totals"]["all"][clocks]
PY
judge "compute alone lacks what is of the machine, and a slower memory changes what is of the machine alone" $?
for config in pe_two_sided odd_fp16; do
  accept "no accelerator of $config" "compute alone, no accelerator is built: $config: tile." \
    "$tdsim" run "$plain" --config $config --op fwd
done
accept "no accelerator of three tiles" "paper_bf16: accelerator.tiles = 3 is illegal; legal: a power of two" \
  "${run[@]}" --tiles 3 --op fwd
accept "no accelerator deals streams" "compute alone: the accelerator does not deal streams by best" \
  "${run[@]}" --dealing best --op fwd
/usr/bin/python3 - run/one.json run/one.csv <<'PY'
import csv, json, sys
result = json.load(open(sys.argv[1]))
rows = list(csv.DictReader(open(sys.argv[2], newline="")))
assert len(rows) == len(result["operations"]) > 0
for row, operation in zip(rows, result["operations"]):
    assert row.pop("configuration_hash") == result["configuration"]["hash"]
    assert row.pop("accelerator_hash") == result["accelerator"]["hash"]
    assert row.pop("source_identity") == result["source"]["identity"]
    names = [[f"{n}_{i}" for i in range(3)] if isinstance(v, list) else [n]
             for n, v in operation.items()]
    assert list(row) == [name for one in names for name in one]
    for name, value in operation.items():
        if value is None:
            assert row[name] == ""
        elif isinstance(value, str):
            assert row[name] == value
        elif isinstance(value, list):
            assert [int(row[f"{name}_{i}"]) for i in range(3)] == value, name
        else:
            assert json.loads(row[name]) == value, name
    parts = [v for n, v in operation.items() if n.endswith("_multiplier_cycles")]
    assert len(parts) == 9 and sum(parts) == operation["cycles"] * 4 * 4 * 4 * 16
total = result["totals"]["all"]
assert total["cycles"] == sum(o["cycles"] for o in result["operations"])
assert all(o["cycles"] <= o["dense_cycles"] for o in result["operations"])
PY
judge "JSON and CSV say the same, and the parts add up" $?
accept "the dictionary of fields" "# Fields of results" "$tdsim" fields
cmp -s out.txt "$here/../../docs/results.md"
judge "docs/results.md is what tdsim fields prints" $?
/usr/bin/python3 - run/one.json out.txt <<'PY'
import json, re, sys
result = json.load(open(sys.argv[1]))
fields = re.findall(r"^\| `(.*?)` \| .* \| (.*?) \|$", open(sys.argv[2]).read(), re.M)
assert all(meaning for _, meaning in fields)
names = []
for name, value in result.items():
    if name == "operations":
        names += list(value[0])
    elif isinstance(value, dict):
        names += [f"{name}.{one}" for one in value]
    else:
        names.append(name)
assert [name for name, _ in fields] == names, set(names) ^ {name for name, _ in fields}
PY
judge "every field of the JSON is explained, in its order" $?
accept "selected" "fwd" "${run[@]}" --snapshot late --layer conv2 --op fwd --json few.json
[ "$(grep -c '^   "layer": "conv2"' run/few.json)" = 1 ] && ! grep -q '^early' out.txt
judge "only what is selected" $?
accept "layers by a pattern" "conv" "${run[@]}" --layer 'c*[12]' --json pattern.json
[ "$(grep -c '^   "layer": "conv[12]"' run/pattern.json)" = 10 ]
judge "a pattern selects what it matches" $?
for kind in json csv perfetto; do
  accept "$kind on standard output" "conv2" \
    "${run[@]}" --snapshot late --layer conv2 --op fwd --$kind few.$kind
  "$tdsim" run "$plain" --config paper_bf16 --snapshot late --layer conv2 --op fwd --$kind - |
    cmp -s - run/few.$kind
  judge "--$kind - prints the file and nothing else" $?
done
refuse "both on standard output" "--json, --csv, --perfetto = - and -" "${run[@]}" --json - --csv -
pass=("$tdsim" pass "$plain" --config paper_bf16 --snapshot late)
accept "passes on standard output" '"format": "tensordash-pass-1"' "${pass[@]}" --layer conv2 --json -
refuse "passes without a file" "--json is required" "${pass[@]}"
refuse "passes of no layer" "nope" "${pass[@]}" --layer nope --json p.json
net+=(--batch 2)
accept "synth" "zeros of half.toml, batch 2, seed 1" "${net[@]}" \
  --threads 1 --json first.json --csv first.csv
cp out.txt first.txt
accept "synth, with other threads" "together" "${net[@]}" \
  --threads 3 --json again.json --csv again.csv
cmp -s run/first.json run/again.json && cmp -s run/first.csv run/again.csv &&
  cmp -s first.txt out.txt
judge "synth: the same bytes whatever the number of threads" $?
[ "$(tail -n +2 run/first.csv | wc -l)" = 8 ]
judge "synth: three operations a layer, but for the gradient that nobody needs" $?
accept "synth of another seed" "together" "${net[@]}" --seed 2 --json second.json
accept "seeds differ" "source.identity" "$tdsim" compare first.json second.json
accept "synth --help" "--sparsity" "$tdsim" synth --help
accept "compare" "no difference" "$tdsim" compare one.json two.json
[ "$(awk '/^(early|late) / && $(NF - 4) == "1.000"' out.txt | wc -l)" = \
  "$(tail -n +2 run/one.csv | wc -l)" ]
judge "compare: nothing changes from a run to the same run" $?
accept "compare synth with itself" "no difference" "$tdsim" compare first.json again.json
accept "a run of another configuration" "together" \
  "$tdsim" run "$plain" --config wide4_bf16 --tiles 4 --schedule best --json wide.json
accept "compare two configurations" "configuration.name" "$tdsim" compare one.json wide.json
grep -qE '^configuration\.name +paper_bf16 +wide4_bf16$' out.txt && ! grep -q '^only in' out.txt
judge "compare: the same operations of both configurations" $?
accept "compare with compute alone" "energy of compute, uJ" "$tdsim" compare one.json alone.json
grep -qE '^latency_clocks +20$' out.txt && ! grep -qF "memory to memory" out.txt
judge "compare: what only one of both has is not compared" $?
accept "compare two memories" "clocks, memory to memory" "$tdsim" compare one.json slower.json
accept "compare with fewer" "only in A: early/conv1 fwd wgrad" "$tdsim" compare one.json few.json
accept "compare the other way" "only in B: early/conv1 fwd wgrad" \
  "$tdsim" compare few.json one.json
no_temporaries
judge "no temporary file is left" $?

# How far a run has come is shown on a terminal only; a chroot may have no pseudo-terminals.
if script -qefc true /dev/null >out.txt 2>&1 </dev/null; then
  script -qefc "$(printf '%q ' "${run[@]}" --op fwd)" /dev/null >out.txt 2>&1 </dev/null
  grep -qE '[0-9]+/[0-9]+ dense rows, [0-9]+/s, ([0-9]+ s|-) left' out.txt
  judge "progress on a terminal" $?
else
  skip "progress on a terminal: $(head -n 1 out.txt)"
fi

finish
