# SPDX-License-Identifier: Apache-2.0
"""Blocks of the tiny tile in cells of osu018, placed by tdplace and routed by qrouter."""

import re

from netlists import placement, synthesis
from toolbox import design, tools

BLOCKS = ("multiplier", "row", "pe")
LEF_PF = 0.00012     # of a µm of wire alone, by LEF's layers 2 and 3: what qrouter counts with

# Cells and nets get plain names: DEF, SPEF and SPICE each have other characters that mean something.
_FLATTEN = """\
{read}
hierarchy -top {block}
flatten
splitnets
rename -hide
rename -enumerate -pattern n%
write_json netlist.json
"""

# qrouter's layers, the way of their wires, and the pitch of these in DEF's units of 10 nm. Pins of
# osu018's cells lie half a pitch from the corners of sites.
_LAYERS = (("metal1", "Y", 100), ("metal2", "X", 80), ("metal3", "Y", 100), ("metal4", "X", 80),
           ("metal5", "Y", 100), ("metal6", "X", 160))

_PIN = r"(?P<head>- (?P<name>\S+) \+ NET .* \+ LAYER (?P<layer>\S+) .* \+ PLACED )\( (?P<x>\S+) (?P<y>\S+) \) N ;\n"

_ROUTE = """\
verbose 1
read_lef {lef}
catch {{layers 6}}
via stack 1
vdd vdd
gnd gnd
read_def tracks.def
qrouter::standard_route routed.def false
quit
"""


def _with_tracks(text):
    """A DEF with tracks, and ports on them; those that nobody reads are left out."""
    corners = re.search(r"DIEAREA \( (\S+) (\S+) \) \( (\S+) (\S+) \)", text).groups()
    left, low, right, high = map(int, corners)
    lines = ""
    for layer, axis, pitch in _LAYERS:
        begin, end = (left, right) if axis == "X" else (low, high)
        half = 40 if axis == "X" else 50
        first = -(-(begin - half) // pitch) * pitch + half
        lines += f"TRACKS {axis} {first} DO {(end - first) // pitch + 1} STEP {pitch} LAYER {layer} ;\n"

    def on_track(pin):
        x, y = int(pin["x"]), int(pin["y"])
        if pin["layer"] == "metal2":
            x, y = x // 80 * 80 + 40, -250 if y <= 0 else y // 100 * 100 + 50
        else:
            x, y = -280 if x <= 0 else x // 80 * 80 + 40, y // 100 * 100 + 50
        return f"{pin['head']}( {x} {y} ) N ;\n"

    # qrouter knows pins by their nets: it would route over one that is on none.
    joined = set(re.findall(r"\( PIN (\S+) \)", text))
    pins = [on_track(pin) for pin in re.finditer(_PIN, text) if pin["name"] in joined]
    text = re.sub(r"\nPINS .*?END PINS\n", f"\nPINS {len(pins)} ;\n{''.join(pins)}END PINS\n", text, flags=re.S)
    return re.sub(r"(DIEAREA .*\n)", r"\1" + lines, text)


def _below(name, sources):
    """A module and all that are in it."""
    return {name}.union(*(_below(child, sources) for child in sources[name].children))


def _flat(block, cells, folder, runner):
    """Leaves netlist.json, of one module."""
    top = design.emit("tiny")
    wanted = _below(block, synthesis.elaborate(top, runner))
    (found,) = synthesis.synthesise([top], cells, cells.timing.clock_ns, runner, wanted.__contains__)
    read = "\n".join(f"read_json {module.json}" for module in found.modules.values())
    tools.write(folder / "flatten.ys", _FLATTEN.format(read=read, block=block))
    runner.run(["yosys", "-q", "flatten.ys"], folder / "flatten.txt", folder)


def route(block, seed, cells, folder, runner):
    """Leaves placed.*, routed.def, and route.txt, which is what qrouter said. cells: osu018's."""
    _flat(block, cells, folder, runner)
    words = placement.options(cells, netlist="netlist.json", top=block, clock="clk_i",
                              wire_pF_per_um=LEF_PF, seed=seed, out="placed")
    runner.run([str(tools.TDPLACE), *words], folder / "place.txt", folder)
    tools.write(folder / "tracks.def", _with_tracks((folder / "placed.def").read_text()))
    tools.write(folder / "route.cfg", _ROUTE.format(lef=cells.placement.lef))
    runner.run(["qrouter", "-nog", "-s", "route.cfg"], folder / "route.txt", folder)


def unrouted(folder):
    """How many nets qrouter gave up, or found without a place to begin."""
    said = (folder / "route.txt").read_text()
    final = re.search(r"^Final: (?:No failed routes!|Failed net routes: (\d+))", said, re.M)
    return int(final[1] or 0) + said.count("has no taps")
