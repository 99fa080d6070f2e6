#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Technologies, energies of synthesis and gating on the command line of tdsim.
# Usage: tdsim_energy_test.sh TDSIM
set -u

if [ $# -ne 1 ] || [ ! -x "$1" ]; then
  echo "usage: tdsim_energy_test.sh TDSIM" >&2
  exit 2
fi
tdsim=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
. "$here/cli_checks.sh"
plain=$here/../traces/plain.safetensors
run=("$tdsim" run "$plain" --config paper_bf16)

# Technologies.
built_in=$here/../../constraints/paper_65nm.toml
sed -e 's/^name = .*/name = "mine"/' "$built_in" >run/mine.toml
sed '/^pJ_per_bit/s/value = 8/value = 0/' "$built_in" >run/none.toml
sed '/^pJ_per_bit/d' "$built_in" >run/missing.toml
cp "$here/../../presets/dense_bf16.toml" run/dense.toml
for technology in nowhere_3nm missing/file.toml; do
  refuse "technology $technology" "a TOML file, or one of cacti_45nm, paper_65nm" \
    "${run[@]}" --technology $technology --json r.json --csv r.csv
done
refuse "technology without a name" "--technology: no name" "${run[@]}" --technology ""
refuse "bad figure" "none.toml: dram.pJ_per_bit = " \
  "${run[@]}" --technology none.toml --json r.json --csv r.csv
refuse "missing figure" "missing.toml: dram.pJ_per_bit = (absent)" \
  "${run[@]}" --technology missing.toml --json r.json
refuse "synth: bad figure" "none.toml: dram.pJ_per_bit = " \
  "$tdsim" synth --config tiny --network alexnet --sparsity half --technology none.toml
refuse "configuration as technology" "dense.toml: " "${run[@]}" --technology dense.toml
sed '/^\[sram\]/a banks = { value = 4, source = "x" }' "$built_in" >run/old.toml
refuse "a size in a technology" \
  "old.toml: sram.banks = { source = 'x', value = 4 } has moved; legal: write it as \
accelerator.sram.banks of the configuration" "${run[@]}" --technology old.toml
refuse "JSON over the technology" "mine.toml" "${run[@]}" --technology mine.toml --json ./mine.toml

# Memories of a table.
cacti=$here/../../constraints/cacti_45nm.toml
sed 's/node_nm = 45/node_nm = 28/' "$cacti" >run/no_node.toml
sed '/^MHz/s/value = 388/value = 500/' "$cacti" >run/fast.toml
{ cat "$cacti"; sed -n '/^\[sram\]/,/^$/p' "$built_in"; } >run/both.toml
{ cat "$here/../../presets/tiny.toml"; printf '[accelerator.sram]\nbank_bytes = 3000\n'; } \
  >run/size.toml
refuse "a node that the table lacks" \
  "no_node.toml: memories.node_nm = 28 is illegal; legal: one of 32, 45, 65, 90" \
  "${run[@]}" --technology no_node.toml --json r.json
refuse "a clock faster than a memory's cycle" "fast.toml: clock.MHz = 500 is illegal; legal: 1..388, " \
  "${run[@]}" --technology fast.toml --json r.json
refuse "the same by option" "clock.MHz = 389 is illegal; legal: 1..388, " \
  "${run[@]}" --technology cacti_45nm --clock 389
refuse "figures beside a table" "both.toml: sram = " "${run[@]}" --technology both.toml
refuse "a size that the table lacks" "accelerator.sram.bank_bytes = 3000 is illegal; legal: one of 1024" \
  "$tdsim" run "$plain" --config size.toml --technology cacti_45nm --json r.json
refuse "memories: the same" "accelerator.sram.bank_bytes = 3000" "$tdsim" memories --config size.toml
refuse "memories of a technology without" "legal: a technology with [memories]" \
  "$tdsim" memories --config tiny --technology paper_65nm
refuse "no such memories" "--memories = 45 is illegal; legal: NODE/DEVICE/PORT" \
  "${run[@]}" --technology cacti_45nm --memories 45
accept "memories in every node" "90 itrs-lstp " "$tdsim" memories --config tiny
[ "$(grep -cE '^(90|65|45|32) itrs-(hp|lop|lstp) ' out.txt)" = 12 ] &&
  [ "$(grep -c 'cacti_45nm$' out.txt)" = 1 ]
judge "each once, the technology's marked" $?
table=("$tdsim" run "$plain" --config paper_bf16 --layer conv2 --op fwd --technology cacti_45nm)
accept "memories of the technology" "memories of cacti_sram, 45 nm, itrs-lop, ports of 256 bits" \
  "${table[@]}" --json cacti.json
accept "an access of several clocks is noted" \
  "an access of sram takes 2 clocks (2.0635 ns at 500 MHz)" \
  "${table[@]}" --memories 90/itrs-hp/256 --clock 500 \
  --json other.json
accept "compare two kinds of memories" "technology.memories" "$tdsim" compare cacti.json other.json
/usr/bin/python3 - run/cacti.json run/other.json <<'PY'
import json, math, sys
for name, mhz, sram, line in ((sys.argv[1], 388, 3.0307, 0.01656), (sys.argv[2], 500, 84.2758, 0.44223)):
    result = json.load(open(name))
    assert result["technology"]["clock_MHz"] == mhz
    mW = 16 * 12 * sram + 16 * (4 + 4) * 3 * line
    for one in result["operations"]:
        for kind in ("dense_", ""):
            wanted = mW * one[f"{kind}memory_cycles"] * 1000 / mhz
            assert math.isclose(one[f"{kind}leakage_energy_pJ"], wanted, rel_tol=1e-12)
        assert 0 < one["leakage_energy_pJ"] <= one["dense_leakage_energy_pJ"]
    assert result["operations"]
PY
judge "all memories leak as long as each kind of hardware works" $?

# Energies of synthesis.
# synthesis FILE CONFIGURATION SPARSE [CLOCK]: a synthesis result of the configuration, of which
# steps alone take energy: 600.25 pJ of the dense tile, SPARSE times that of TensorDash, and, if that
# is not 1, 0.5504 times what TensorDash takes with its sparse path off and 0.75 of a zero-gated tile.
synthesis() {
  local hash
  hash=$("$tdsim" run "$plain" --config "$2" --layer conv2 --op fwd |
    sed -n 's/^configuration .* (\([0-9a-f]\{16\}\)): .*/\1/p')
  /usr/bin/python3 - "$2" "$hash" "$3" "${4:-500}" >"run/$1" <<'PY'
import json, sys
name, configuration, sparse, clock = sys.argv[1], sys.argv[2], *map(float, sys.argv[3:])
parts = dict.fromkeys(("step", "row", "choice", "pair", "sum", "output", "add"), 0)
costs = {"dense": 1, "sparse": sparse, "gated": sparse if sparse == 1 else 0.5504 * sparse,
         "zero_gated": sparse if sparse == 1 else 0.75}
print(json.dumps({"format": "tensordash-synthesis-4", "name": name, "configuration": configuration,
                  "clock_MHz": clock, "library": "cells", "corner": "typical", "trace": "plain",
                  "dense_step_pJ": 600.25,
                  "components": {way: parts | {"step": cost} for way, cost in costs.items()}}))
PY
}
synthesis tile.json paper_bf16 1.25
synthesis met.json paper_bf16 1.25 142.857143
synthesis dense.json dense_bf16 1
synthesis not_dense.json dense_bf16 1.25
synthesis rests.json zero_gated_bf16 1
sed 's/tensordash-synthesis-4/tensordash-synthesis-3/' run/tile.json >run/older.json
refuse "synthesis without a name" "--synthesis: no name" "${run[@]}" --synthesis ""
# energies NAME NEEDLE SYNTHESIS: refused.
energies() { refuse "$1" "$2" "${run[@]}" --json r.json --csv r.csv --synthesis "$3"; }
energies "synthesis of another configuration" "dense.json: configuration = " dense.json
energies "a synthesis in the form of before" \
  "older.json: format = \"tensordash-synthesis-3\" is illegal; legal: tensordash-synthesis-4" older.json
energies "no such synthesis" "absent.json: cannot be read: No such file" absent.json
energies "a technology as synthesis" "mine.toml: synthesis = " mine.toml
refuse "a dense tile beside another" "not_dense.json: components = " \
  "$tdsim" run "$plain" --config dense_bf16 --synthesis not_dense.json
accept "a synthesis at a clock that is not the technology's" \
  "compute energy from met.json (cells, typical, 142.857143 MHz, operands of plain)" \
  "${run[@]}" --op fwd --synthesis met.json
refuse "CSV over the synthesis" "tile.json" "${run[@]}" --synthesis tile.json --csv ./tile.json
accept "a dense tile's synthesis" "compute energy from dense.json (cells, " \
  "$tdsim" run "$plain" --config dense_bf16 --synthesis dense.json
accept "a zero-gated tile's synthesis" "compute energy from rests.json (cells, " \
  "$tdsim" run "$plain" --config zero_gated_bf16 --op fwd --synthesis rests.json
# What drops nothing is one of the dense tiles, beside the other.
for kind in dense zero_gated; do
  accept "$kind tiles" "together" \
    "$tdsim" run "$plain" --config ${kind}_bf16 --op fwd --json $kind.json
  /usr/bin/python3 - $kind run/$kind.json <<'PY'
import json, sys
operations = json.load(open(sys.argv[2]))["operations"]
for one in operations:
    assert one["compute_energy_pJ"] == one[f"{sys.argv[1]}_compute_energy_pJ"]
    assert one["dense_compute_energy_pJ"] != one["zero_gated_compute_energy_pJ"]
assert operations
PY
  judge "$kind tiles take what $kind hardware takes" $?
done

# Technology, energies and gating; at 45 % of zeros, where 1 - share of the steps take as much as all
# of them with the sparse path off, the operations of this trace part ways.
accept "built-in technology" \
  "compute energy from constants of paper_65nm, components of paper_bf16 in " \
  "${run[@]}" --technology paper_65nm --json built_in.json
accept "the technology when none is named" "technology paper_65nm" "${run[@]}" --json default.json
cmp -s run/built_in.json run/default.json
judge "paper_65nm is the default" $?
gated=("${run[@]}" --tiles 4 --technology mine.toml --gate --synthesis tile.json)
accept "technology of a file, energies of synthesis, gating" \
  "compute energy from tile.json (cells, typical, 500 MHz, operands of plain)" \
  "${gated[@]}" --threads 1 --json gated.json --csv gated.csv
grep -qE '^[1-9][0-9]* of [0-9]+ operations gated: \+[1-9][0-9]* cycles, ' out.txt
judge "what gating did is printed" $?
cp out.txt gated.txt
accept "gating, with other threads" "gated" \
  "${gated[@]}" --threads 3 --json gated3.json --csv gated3.csv
cmp -s run/gated.json run/gated3.json && cmp -s run/gated.csv run/gated3.csv &&
  cmp -s gated.txt out.txt
judge "gating: the same bytes whatever the number of threads" $?
accept "gating of the last snapshot" "late" "${gated[@]}" --snapshot late --json late.json
accept "no gating" "together" "${run[@]}" --tiles 4 --technology mine.toml --synthesis tile.json \
  --json ungated.json
/usr/bin/python3 - run/gated.json run/ungated.json run/late.json <<'PY'
import json, math, sys
gated, ungated, late = (json.load(open(name)) for name in sys.argv[1:])
assert gated["gate"] and not ungated["gate"]
fnv1a = 0xcbf29ce484222325
for byte in open("run/mine.toml", "rb").read():
    fnv1a = (fnv1a ^ byte) * 0x100000001b3 % 2**64
assert gated["technology"] == {"name": "mine", "hash": f"{fnv1a:016x}", "clock_MHz": 500, "memories": "",
                               "compute_energy": "tile.json (cells, typical, 500 MHz, operands of plain)",
                               "dense_step_pJ": 600.25, "gating_zero_share": 0.45}
first_operand = {"fwd": "activations", "dgrad": "gradients", "wgrad": "activations"}
parts = ("tiles", "scratchpad", "sram", "dram", "leakage", "surroundings")
before, kinds, shown = {}, set(), {}
for one, other in zip(gated["operations"], ungated["operations"], strict=True):
    key = one["layer"], one["op"]
    shares = {side: one[f"{side}_counted_zeros"] / one[f"{side}_counted_elements"]
              for side in ("first", "second")}
    own = {side: one[f"{side}_tensor_zeros"] / one[f"{side}_tensor_elements"]
           for side in ("first", "second")}
    side = "first" if shares["first"] > shares["second"] else "second"
    assert (one["side_b_tensor"] == first_operand[one["op"]]) == (side == "first")
    assert one["side_b_counted_zeros_ratio"] == shares[side]
    assert one["side_b_tensor_zeros_ratio"] == own[side]
    tensor = one["snapshot"], one["layer"], one["side_b_tensor"]
    assert shown.setdefault(tensor, own[side]) == own[side], tensor  # in every operation
    assert one["gated"] == (key in before and before[key][side] < 0.45), key
    before[key] = own
    kinds.add((one["snapshot"], one["gated"]))
    assert not other["gated"] and other["ungated_cycles"] == other["cycles"]
    assert one["ungated_cycles"] == other["cycles"] <= other["dense_cycles"]
    assert (one["ungated_compute_energy_pJ"] == other["compute_energy_pJ"]
            == other["ungated_compute_energy_pJ"])
    if one["gated"]:
        assert one["cycles"] == one["dense_cycles"]
        assert one["memory_cycles"] == one["dense_memory_cycles"]
        assert one["energy_pJ"] != one["dense_energy_pJ"]
    else:
        assert one == other
    for operation in (one, other):
        dense = operation["all_passes_rows"] * 600.25
        mine = dense * 0.688 if operation["gated"] else operation["all_tiles_cycles"] * 750.3125
        assert math.isclose(operation["dense_compute_energy_pJ"], dense, rel_tol=1e-15)
        assert math.isclose(operation["compute_energy_pJ"], mine, rel_tol=1e-15)
        rests = operation["zero_gated_compute_energy_pJ"]
        assert math.isclose(rests, 0.75 * dense, rel_tol=1e-15)
        # From memory to memory each step takes the same; zero-gated tiles have the dense plan.
        steps = 600.25 * operation["dense_all_tiles_steps"]
        drops = operation["plan_drops"]
        assert not (drops and operation["gated"])
        own = operation["all_tiles_steps"] * (750.3125 if drops else 0.688 * 600.25)
        for hardware, wanted in (("dense_", steps), ("zero_gated_", 0.75 * steps), ("", own)):
            assert math.isclose(operation[hardware + "tiles_energy_pJ"], wanted, rel_tol=1e-12)
            energies = [operation[f"{hardware}{part}_energy_pJ"] for part in parts]
            assert math.isclose(sum(energies), operation[hardware + "energy_pJ"], rel_tol=1e-15)
        for part in parts[1:]:
            assert operation[f"zero_gated_{part}_energy_pJ"] == operation[f"dense_{part}_energy_pJ"]
assert kinds == {("early", False), ("late", False), ("late", True)}, kinds
# Where a tensor lies decides where its bursts are cut: a few clocks differ, nothing else.
clocks = {"memory_cycles", "over_bound_ratio"}
clocks |= {f"dense_{name}" for name in clocks} | {f"{name}_memory_speedup_ratio" for name in ("data", "total")}
clocks.add("zero_free_memory_cycles")
# What stands around the tiles takes energy in each of them.
clocks |= {f"{hardware}{name}energy_pJ" for hardware in ("dense_", "zero_gated_", "")
           for name in ("surroundings_", "")}
clocks |= {f"total_system_efficiency_{over}ratio" for over in ("", "over_zero_gated_")}
parts = {name for name in late["operations"][0] if "memory_" in name and name.endswith("_cycles")}
parts -= clocks
for one, other in zip(late["operations"], [one for one in gated["operations"]
                                           if one["snapshot"] == "late"], strict=True):
    assert {name for name in one if one[name] != other[name]} <= clocks | parts
    assert all(math.isclose(one[name], other[name], rel_tol=0.01) for name in clocks)
PY
judge "gating, energies and the scheduled operand follow from the counted zeros" $?
refuse "synth has no snapshots to gate by" "--gate" \
  "$tdsim" synth --config tiny --network alexnet --sparsity half --gate
accept "gating says where it cannot" "--gate: no snapshot before early: nothing is gated there" \
  "${run[@]}" --gate --snapshot early
accept "dense tiles are never gated" " operations gated: +0 cycles, +0.000 uJ" \
  "$tdsim" run "$plain" --config dense_bf16 --gate --technology mine.toml
grep -qE '^0 of [0-9]+ operations gated' out.txt
judge "dense tiles: none of the operations is gated" $?
ratio="the tile's energies are those of paper_bf16, measured; scripts/ppa measures this configuration's"
accept "another tile's components" "$ratio" "$tdsim" run "$plain" --config deep6_bf16 --op fwd
sed 's/^name = .*/name = "renamed"/' "$here/../../presets/paper_fp32.toml" >run/renamed.toml
# own NAME CONFIGURATION SOURCE [OPTION...]: energies come from there, and nothing is said of others.
own() {
  accept "$1" "compute energy from $3" "$tdsim" run "$plain" --op fwd --config "$2" "${@:4}"
  ! grep -qF "energies are those of" out.txt
  judge "$1: no note" $?
}
own "a preset's own components" paper_fp32 "constants of paper_65nm, components of paper_fp32 in "
own "its components under another name" renamed.toml \
  "constants of paper_65nm, components of paper_fp32 in "
own "those of a dense tile" dense_bf16 "constants of paper_65nm, components of paper_bf16 in "
synthesis tiny.json tiny 1.25
own "its own synthesis" tiny tiny.json --synthesis tiny.json
accept "compare gated with ungated" "gate " "$tdsim" compare gated.json ungated.json
! grep -qE '^(technology|configuration)\.' out.txt
judge "compare: only the gate differs" $?
sed '/^MHz/s/value = 500/value = 250/' run/mine.toml >run/slower.toml
accept "a technology of the same name" "together" \
  "${run[@]}" --tiles 4 --technology slower.toml --json slower.json
accept "compare two technologies of one name" "technology.hash" \
  "$tdsim" compare ungated.json slower.json
accept "compare two technologies" "technology.name" "$tdsim" compare built_in.json ungated.json

# Accelerators: what is in the configuration, and what --tiles says instead.
{
  cat "$here/../../presets/tiny.toml"
  printf '[accelerator]\ntiles = 3\n'
} >run/three.toml
sed '$a sram.banks = 8' run/three.toml >run/banks.toml
small=("$tdsim" run "$plain" --op fwd)
accept "tiles of the configuration" "3 tiles of 2x2" "${small[@]}" --config three.toml --json three.json
accept "tiles of the option" "3 tiles of 2x2" "${small[@]}" --config tiny --tiles 3 --json option.json
cmp -s run/three.json run/option.json
judge "the same result either way" $?
accept "the option instead of the configuration" " 1 tile of 2x2" \
  "${small[@]}" --config three.toml --tiles 1
accept "other memories" "3 tiles of 2x2" "${small[@]}" --config banks.toml --json banks.json
accept "compare two accelerators" "accelerator.sram.banks" \
  "$tdsim" compare three.json banks.json
! grep -q '^configuration\.' out.txt && grep -q '^accelerator.hash ' out.txt
judge "the tile is the same, the accelerator is not" $?
no_temporaries
judge "no temporary file is left" $?

finish
