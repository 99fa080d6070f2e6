# SPDX-License-Identifier: Apache-2.0
"""Energy of a tile beside its dense counterpart's, for the same passes of the same trace.

Every figure is there twice: "zero_delay", where each net moves at most once a clock, and
"with_glitches", where what a block's cells spend on moving nets is multiplied by the block's glitch
factor (glitch.py). Leakage and the clock tree have no glitches."""

from toolbox.errors import CheckError

from netlists.rtlil import block_of

COLUMNS = ("zero_delay", "with_glitches")
ALL = "all"
COUNTS = ("clocks", "cycles", "dense_rows", "zero_free_cycles")


def _block_uw(block, factors):
    """Power of a block's instances in µW. factors: block -> {group: factor}, groups of the others
    being 1."""
    name = block["block"]
    own = factors.get(name) or factors.get(block_of(name), {})
    total = 0.0
    for group in ("sequential", "combinational", "clock_tree"):
        power = block["power_uW"][group]
        factor = own.get(group, 1.0)
        total += (power["internal"] + power["switching"]) * factor + power["leakage"]
    return total


def _columns(factors):
    return {"zero_delay": {}, "with_glitches": factors}.items()


def _op(op, clock_ns, factors):
    """Power in µW and energy of all counted clocks in pJ, by column."""
    result = {name: op[name] for name in COUNTS}
    result |= {"useful_macs": op["effectual_macs"], "power_uW": {}, "energy_pJ": {},
               "blocks_uW": {}}
    for column, used in _columns(factors):
        blocks = {}
        for block in op["blocks"]:
            name = block_of(block["block"])
            blocks[name] = blocks.get(name, 0.0) + _block_uw(block, used)
        power = sum(blocks.values())
        result["power_uW"][column] = power
        result["energy_pJ"][column] = power * clock_ns / 1000 * op["clocks"]
        result["blocks_uW"][column] = blocks
    return result


def _sum(ops, clock_ns):
    """All operations one after the other."""
    result = {name: sum(op[name] for op in ops) for name in COUNTS}
    clocks = result["clocks"]
    result |= {"useful_macs": sum(op["useful_macs"] for op in ops),
               "power_uW": {}, "energy_pJ": {}, "blocks_uW": {}}
    for column in COLUMNS:
        energy = sum(op["energy_pJ"][column] for op in ops)
        result["energy_pJ"][column] = energy
        result["power_uW"][column] = energy * 1000 / clock_ns / clocks
        names = {name for op in ops for name in op["blocks_uW"][column]}
        result["blocks_uW"][column] = {
            name: sum(op["blocks_uW"][column].get(name, 0.0) * op["clocks"] for op in ops) / clocks
            for name in sorted(names)}
    return result


def of(power, factors):
    """Operation, and ALL -> COUNTS, useful_macs (both operands not zero), power_uW and blocks_uW
    (mean while it works) and energy_pJ, by column. power: a power.Power."""
    clock_ns = power.result["conditions"]["clock_ns"]
    ops = {name: _op(op, clock_ns, factors) for name, op in power.ops.items()}
    return ops | {ALL: _sum(list(ops.values()), clock_ns)}


def compare(tile, dense):
    """Operation, and ALL -> ratios of a tile to its dense counterpart on the same passes, by column:
    speed_up, data_speed_up (the part of it that the data's zeros gain) and by column power_ratio, efficiency (energy of the dense tile over the tile's) and
    pJ per useful MAC of both. tile, dense: what of() returned."""
    result = {}
    for name, ours in tile.items():
        other = dense[name]
        if ours["useful_macs"] != other["useful_macs"]:
            raise CheckError(f"{name}: {ours['useful_macs']} useful MACs, and {other['useful_macs']} "
                             "of the dense tile: not the same passes")
        result[name] = {
            "speed_up": other["clocks"] / ours["clocks"], "data_speed_up": _data_speed_up(ours),
            "power_ratio": _each(ours["power_uW"], other["power_uW"]),
            "efficiency": _each(other["energy_pJ"], ours["energy_pJ"]),
            "pJ_per_useful_mac": _per_mac(ours), "dense_pJ_per_useful_mac": _per_mac(other)}
    return result


def _data_speed_up(op):
    """A tile that drops nothing does not drop either what was filled in."""
    return 1.0 if op["cycles"] == op["dense_rows"] else op["zero_free_cycles"] / op["cycles"]


def _each(above, below):
    return {column: above[column] / below[column] for column in COLUMNS}


def _per_mac(op):
    return {column: op["energy_pJ"][column] / max(1, op["useful_macs"]) for column in COLUMNS}
