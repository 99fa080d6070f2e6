#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# replay_netlist.sh CONFIG [OPTION…]: maps the tile to standard cells and replays passes of every
# carried trace through the netlist, beside the golden model. OPTIONs go to tdgate.
# TD_LIBERTY: another library than osu018.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../../scripts/toolbox/common.sh"
config=$1
shift
liberty=${TD_LIBERTY:-/usr/share/qflow/tech/osu018/osu018_stdcells.lib}
require yosys
[ -r "$liberty" ] || fail 2 "$liberty: not found; run scripts/setup"
build_main tdgen tdgate

identity=$("$build/tdgen" --config "$config" --hash) || exit $?
read -r hash name <<<"$identity"
folder=$build/gate/$hash
netlist=$folder/$(basename "$liberty" .lib).json
make_folder "$folder"
exec 8>"$folder/.lock"
flock 8
"$build/tdgen" --config "$config" --out "$folder/rtl" >/dev/null
mapfile -t verilog <"$folder/rtl/$name.f"
if [ ! -f "$netlist" ] || [ -n "$(find "${verilog[@]}" -newer "$netlist")" ]; then
  quietly "$folder/yosys.log" yosys -p "read_verilog ${verilog[*]}
    synth -top ${name}_tile
    dfflibmap -liberty $liberty
    abc -liberty $liberty
    opt_clean
    write_json $netlist.tmp"
  mv "$netlist.tmp" "$netlist"
fi
flock -u 8
for trace in "$root"/verify/traces/*.safetensors; do
  "$build/tdgate" --config "$config" --liberty "$liberty" --netlist "$netlist" --trace "$trace" "$@"
done
