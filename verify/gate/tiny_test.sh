#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The smallest tile's netlist, as scripts/ppa makes it, computes the model's bits; a spoilt one is
# found out; mistakes of users are said in one line. TD_LIBERTY: another library than osu018.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../../scripts/toolbox/common.sh"
require yosys berkeley-abc
build_main tdgen tdgate tdliberty
mapped=$(python_check netlists --config tiny ${TD_LIBERTY:+--liberty "$TD_LIBERTY"})
{ read -r netlist && read -r liberty; } <<<"$mapped"
trace=$root/verify/traces/plain.safetensors
passes=64
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT

# run OPTION…: tdgate on the tiny tile, with $liberty, $netlist, $trace and $passes.
run() {
  "$build/tdgate" --config tiny --liberty "$liberty" --netlist "$netlist" --trace "$trace" \
    --passes "$passes" "$@"
}

for carried in "$root"/verify/traces/*.safetensors; do
  trace=$carried passes=256 run
  trace=$carried run --dense-mode
done

# Power and records: the figures are there, and the records have a line for each clock.
passes=640 run --op fwd --clock-ns 10 --clock-buffer BUFX4 --clock-buffer-fanout 16 --json "$results/r.json" \
  --record multiplier "$results/m.hex" --record pe "$results/pe.hex" >"$results/report"
/usr/bin/python3 - "$results" <<'PY'
import json, sys
folder = sys.argv[1]
result = json.load(open(f"{folder}/r.json"))
assert result["format"] == "tensordash-gate-2"
(op,) = result["ops"]
assert op["op"] == "fwd" and op["mismatches"] == 0 and op["outputs_compared"] > 0
assert 0 < op["effectual_macs"] <= op["multiplied_macs"]
assert op["cycles"] < op["clocks"]
power = op["power_uW"]
groups = ("sequential", "combinational", "clock_tree")
assert all(power[group]["total"] > 0 for group in groups), power
total = power["all"]["total"]
assert abs(sum(power[group]["total"] for group in groups) - total) < 1e-6 * total
assert abs(sum(b["power_uW"]["all"]["total"] for b in op["blocks"]) - total) < 1e-6 * total
assert abs(op["energy_pJ"]["per_clock"] - total * 10 / 1000) < 1e-6 * total
per_mac = op["energy_pJ"]["per_effectual_mac"] * op["effectual_macs"]
assert abs(per_mac - op["energy_pJ"]["per_clock"] * op["clocks"]) < 1e-6 * per_mac
for name in ("m", "pe"):
    lines = open(f"{folder}/{name}.hex").read().splitlines()
    comments = [line for line in lines if line.startswith("//")]
    vectors = lines[len(comments):]
    assert len(comments) == 4 and comments[3] == f"// clocks {len(vectors)}" and len(vectors) > 10
    widths = [int(port.split("[")[1][:-1]) for port in comments[2].split()[2:]]
    assert {len(vector) for vector in vectors} == {(sum(widths) + 3) // 4}
    assert len(set(vectors)) > 5
PY

# spoil NAME PYTHON: a copy of the netlist after a change to its modules.
spoil() {
  /usr/bin/python3 - "$netlist" "$results/$1.json" <<PY
import json, sys
netlist = json.load(open(sys.argv[1]))
modules = netlist["modules"]
top = modules["tiny_tile"]
$2
json.dump(netlist, open(sys.argv[2], "w"))
PY
}

# found NAME NEEDLE: the spoilt netlist fails the replay, and stderr says where.
found() {
  local status=0 error
  error=$(netlist=$results/$1.json run --op fwd --json "$results/none.json" 2>&1 >/dev/null) ||
    status=$?
  if [ $status -ne 1 ] || ! grep -qE -- "$2" <<<"$error" || [ -e "$results/none.json" ]; then
    echo "spoilt netlist $1: status $status, stderr: $error"
    exit 1
  fi
}
where='first mismatch: copy [0-9]+, clock [0-9]+: .* fwd pass [0-9]+'
spoil operands 'bits = modules["pe"]["ports"]["a_i"]["bits"]
nets = {bits[9]: bits[10], bits[10]: bits[9]}
for cell in modules["pe"]["cells"].values():
    for pin, wires in cell["connections"].items():
        cell["connections"][pin] = [nets.get(wire, wire) for wire in wires]'
found operands "$where, tile row [0-9] column [0-9]: expected 0x[0-9a-f]{8}, actual 0x"
spoil flags 'bits = top["ports"]["out_nonfinite_o"]["bits"]
bits[0] = "1"'
found flags "$where, tile row 0 column 0: expected nonfinite false, actual true"
spoil advance '(intake,) = [cell for cell in top["cells"].values() if cell["type"] == "intake"]
intake["connections"]["clear_i"][2] = "0"'
found advance "$where: expected [0-9]+ cycles, actual [0-9]+"
spoil mute 'top["ports"]["out_valid_o"]["bits"] = ["0"]'
found mute "$where: the tile stopped answering"
spoil counter 'bits = top["ports"]["skipped_o"]["bits"]
bits[0], bits[1] = bits[1], bits[0]'
found counter 'first mismatch: copy [0-9]+, clock [0-9]+: counter skipped: expected [0-9]+, actual'

checked=0
# refuse NEEDLE OPTION…: exit status 2 and one line on stderr that contains NEEDLE.
refuse() {
  local needle=$1 status=0 error
  shift
  error=$(run "$@" 2>&1 >/dev/null) || status=$?
  if [ $status -ne 2 ] || [ "$(wc -l <<<"$error")" -ne 1 ] || ! grep -qF -- "$needle" <<<"$error"; then
    echo "$*: status $status, stderr: $error"
    exit 1
  fi
  checked=$((checked + 1))
}
refuse '--op' --op nonesuch
refuse '--layer = nonesuch' --layer nonesuch
refuse 'conv1, dgrad' --layer conv1 --op dgrad
liberty=$results/nonesuch.lib refuse 'nonesuch.lib'
netlist=$results/nonesuch.json refuse 'nonesuch.json'
trace=$results/nonesuch refuse 'nonesuch'
refuse 'nonesuch' --slews "$results/nonesuch" --clock-ns 10
refuse 'a cell of the library' --clock-ns 10 --clock-buffer NONE --clock-buffer-fanout 8
refuse '--clock-ns' --wire-pF-per-fanout 0.01
refuse '--clock-buffer-fanout' --clock-ns 10 --clock-buffer BUFX4
refuse '--record = nonesuch' --record nonesuch "$results/n.hex"
refuse "$results/no/m.hex" --record multiplier "$results/no/m.hex"
refuse "$results/no/r.json" --json "$results/no/r.json"
mkdir "$results/empty"
netlist=$results/empty refuse 'a folder without .json files'
spoil port 'top["ports"]["a_rows_i"]["bits"].pop()'
netlist=$results/port.json \
  refuse 'port a_rows_i of tiny_tile = input of 383 bits is illegal; legal: input of 384 bits'
echo "tiny: 5 spoilt netlists were found out, $checked mistakes refused"
