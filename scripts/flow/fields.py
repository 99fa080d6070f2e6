# SPDX-License-Identifier: Apache-2.0
"""The dictionary of ppa.json: every field, its unit and what it says."""

import re

# Words in capitals stand for any key: TILE is tile, sparse path off, zero-gated or dense; OP an
# operation or all; COLUMN zero_delay or with_glitches; GROUP sequential, combinational, clock_tree or all.
FIELDS = (
    ("format", "", "kind and version of this document"),
    ("name", "", "of the configuration"),
    ("configuration", "", "its hash, as in manifest and Verilog"),
    ("parameters.…", "", "the configuration, as in its TOML file"),
    ("stage", "", "pre-layout: no placement, wires by fan-out"),
    ("clock_ns", "ns", "clock of all tiles"),
    ("library", "", "name of the standard cells"),
    ("library_hash", "", "of the liberty file"),
    ("corner", "", "process, voltage and temperature that the cells are of"),
    ("node_nm", "nm", "feature size of the cells"),
    ("trace", "", "file of the operands"),
    ("trace_hash", "", "of its contents"),
    ("passes", "passes", "drawn from each operation, at most"),
    ("versions.TOOL", "", "version of each tool"),
    ("tiles.TILE.name", "", "of the design"),
    ("tiles.TILE.configuration", "", "its hash"),
    ("tiles.TILE.area.unit", "", "of the areas below: um2"),
    ("tiles.TILE.area.total", "µm²", "of all cells"),
    ("tiles.TILE.area.gate_equivalents", "gates", "the same in two-input NANDs"),
    ("tiles.TILE.area.gate", "", "the cell that is one gate"),
    ("tiles.TILE.area.gate_um2", "µm²", "its area"),
    ("tiles.TILE.area.cells.CELL", "cells", "how many of each"),
    ("tiles.TILE.area.blocks[].module", "", "of a kind of instances"),
    ("tiles.TILE.area.blocks[].parent", "", "the block that they are in"),
    ("tiles.TILE.area.blocks[].instances", "", "how many"),
    ("tiles.TILE.area.blocks[].each", "µm²", "area of one, without its submodules"),
    ("tiles.TILE.area.blocks[].total", "µm²", "area of all of them"),
    ("tiles.TILE.area.blocks[].gate_equivalents", "gates", "the same in two-input NANDs"),
    ("tiles.TILE.timing.clock_ns", "ns", "the clock that was constrained"),
    ("tiles.TILE.timing.fastest_clock_ns", "ns", "the clock at which the setup slack would be 0"),
    ("tiles.TILE.timing.setup_slack_ns", "ns", "of the slowest path"),
    ("tiles.TILE.timing.hold_slack_ns", "ns", "of the fastest path, before a clock tree"),
    ("tiles.TILE.timing.end_points", "", "constrained ends of paths"),
    ("tiles.TILE.timing.constant_end_points", "", "ends that never change"),
    ("tiles.TILE.timing.loops.LOOP.what", "", "the loop, in words"),
    ("tiles.TILE.timing.loops.LOOP.PATH", "", "its slowest path: fields as of paths[]"),
    ("tiles.TILE.timing.loops.LOOP.by_block[].PATH", "", "as of paths[].by_block[]"),
    ("tiles.TILE.timing.paths[].block", "", "block in which the path begins"),
    ("tiles.TILE.timing.paths[].from", "", "instance or port"),
    ("tiles.TILE.timing.paths[].to", "", "instance or port"),
    ("tiles.TILE.timing.paths[].period_ns", "ns", "the shortest clock that the path allows"),
    ("tiles.TILE.timing.paths[].gates", "gates", "in a row"),
    ("tiles.TILE.timing.paths[].periods", "clocks", "that the path may take"),
    ("tiles.TILE.timing.paths[].slack_ns", "ns", "of the path"),
    ("tiles.TILE.timing.paths[].by_block[].block", "", "part of the path"),
    ("tiles.TILE.timing.paths[].by_block[].delay_ns", "ns", "of that part"),
    ("tiles.TILE.timing.paths[].by_block[].gates", "gates", "of that part"),
    ("tiles.TILE.netlist.FILE", "", "the netlist, as JSON and as Verilog"),
    ("tiles.TILE.glitches.BLOCK.clocks", "clocks", "simulated with delays"),
    ("tiles.TILE.glitches.BLOCK.toggles_zero_delay", "toggles", "of nets, at most one a clock"),
    ("tiles.TILE.glitches.BLOCK.toggles", "toggles", "with glitches"),
    ("tiles.TILE.glitches.BLOCK.power_factors.GROUP", "",
     "internal and switching power with glitches over that without"),
    ("tiles.TILE.power[].op", "", "fwd, dgrad or wgrad"),
    ("tiles.TILE.power[].passes", "passes", "replayed"),
    ("tiles.TILE.power[].clocks", "clocks", "counted, of a tile at work"),
    ("tiles.TILE.power[].cycles", "cycles", "steps of the tile"),
    ("tiles.TILE.power[].dense_rows", "rows", "of the passes: cycles of the dense tile"),
    ("tiles.TILE.power[].zero_free_cycles", "cycles",
     "steps of TensorDash had the tensors no zeros"),
    ("tiles.TILE.power[].outputs_compared", "outputs", "with the reference model"),
    ("tiles.TILE.power[].mismatches", "outputs", "that differed"),
    ("tiles.TILE.power[].dense_macs", "MACs", "pairs of the passes"),
    ("tiles.TILE.power[].effectual_macs", "MACs", "pairs of which neither operand is zero"),
    ("tiles.TILE.power[].multiplied_macs", "MACs", "pairs that met in a multiplier"),
    ("tiles.TILE.power[].toggles_per_clock", "toggles", "of nets, without glitches"),
    ("tiles.TILE.power[].power_uW.GROUP.KIND", "µW",
     "internal, switching, leakage and total power, without glitches"),
    ("tiles.TILE.power[].energy_pJ.PER", "pJ", "in a clock, or for a MAC of each kind"),
    ("tiles.TILE.power[].blocks[].FIELD", "", "block, its instances, gates and toggles per clock"),
    ("tiles.TILE.power[].blocks[].power_uW.GROUP.KIND", "µW", "power of its instances"),
    ("tiles.TILE.power[].layers[].FIELD", "",
     "snapshot, layer, side_b_tensor, zero_share, passes, dense_rows, zero_free_cycles, cycles"),
    ("tiles.TILE.energy.OP.clocks", "clocks", "counted"),
    ("tiles.TILE.energy.OP.cycles", "cycles", "steps of the tile"),
    ("tiles.TILE.energy.OP.dense_rows", "rows", "of the passes"),
    ("tiles.TILE.energy.OP.zero_free_cycles", "cycles", "as above"),
    ("tiles.TILE.energy.OP.useful_macs", "MACs", "effectual_macs"),
    ("tiles.TILE.energy.OP.power_uW.COLUMN", "µW", "mean power of the working tile"),
    ("tiles.TILE.energy.OP.energy_pJ.COLUMN", "pJ", "of all counted clocks"),
    ("tiles.TILE.energy.OP.blocks_uW.COLUMN.BLOCK", "µW", "mean power of each block"),
    ("ratios.TILE.OP.speed_up", "", "clocks of the dense tile over the tile's: the total"),
    ("ratios.TILE.OP.data_speed_up", "", "the part of it that the data's zeros gain"),
    ("ratios.TILE.OP.power_ratio.COLUMN", "", "power over that of the dense tile"),
    ("ratios.TILE.OP.efficiency.COLUMN", "", "energy of the dense tile over the tile's"),
    ("ratios.TILE.OP.pJ_per_useful_mac.COLUMN", "pJ", "energy for an effectual pair"),
    ("ratios.TILE.OP.dense_pJ_per_useful_mac.COLUMN", "pJ", "the same of the dense tile"),
    ("over_zero_gated.OP.FIELD", "", "the same ratios, over the zero-gated dense tile"),
    ("over_zero_gated.OP.FIELD.COLUMN", "", "of those that have columns"),
    ("overhead", "", "area over that of the dense tile"),
    ("additions.WHAT.um2", "µm²", "area that the dense tile does not have"),
    ("additions.WHAT.percent_of_dense", "%", "of the dense tile's area"),
    ("paper.…", "", "what arXiv:2009.00748 says of its tile"),
)


def _expression(name):
    """Names of keys may hold anything but the dots and brackets between them."""
    text = re.escape(name).replace("\\…", ".+").replace("…", ".+")
    return re.compile(re.sub(r"[A-Z]{2,}", r"[^.\\[]+", text) + "$")


def paths(value, path=""):
    """Path of every value in a document, as the table writes them."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from paths(inner, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for inner in value:
            yield from paths(inner, f"{path}[]")
    else:
        yield path


def unexplained(document):
    """(paths that no field explains, fields that no path has)."""
    found = set(paths(document))
    explained = {name: {path for path in found if _expression(name).match(path)}
                 for name, _, _ in FIELDS}
    return (sorted(found.difference(*explained.values())),
            [name for name, meant in explained.items() if not meant])


def lines():
    """The dictionary as Markdown."""
    return ["| field | unit | meaning |", "|---|---|---|",
            *(f"| `{name}` | {unit} | {meaning} |" for name, unit, meaning in FIELDS)]
