# SPDX-License-Identifier: Apache-2.0
"""Faults in netlists and RTL, each of which a check must find."""

import json
import random
import re

from toolbox.errors import CheckError

# Block -> (file, pattern, replacement) in the emitted Verilog, at its first match.
RTL = {
    "multiplier": ("fp", r"guard & \(rest \| fraction\[0\]\)\};\n      mul_round",
                   r"guard & rest};\n      mul_round"),
    "adder": ("fp", r"\{27'd0, s\[61\]\};", "28'd0;"),
    "to_bf16": ("fp", r"x\[15\] & \(x\[16\]", "x[15] | (x[16]"),
    "skid": ("skid", r"ready_q & ~in_valid_i", "ready_q & in_valid_i"),
    "reset": ("reset", r"\{release_q\[0\], 1'b1\}", "{~release_q[0], 1'b1}"),
    "intake": ("intake", r"assign waiting_o = [^;]*;", "assign waiting_o = 1'b0;"),
    "staging": ("staging", r"stay_i\[0\]", "stay_i[1]"),
    "scheduler": ("scheduler", r"\(~reach_l1 \+ (\d+)'d1\)", r"(~reach_l1 + \1'd2)"),
    "interconnect": ("interconnect", r"select_l0_i\[1\]", "select_l0_i[0]"),
    "row": ("row", r"assign clear_o = \{~", "assign clear_o = {"),
    "column": ("column", r"eligible_i\[0\] & ", ""),
    "sequencer": ("sequencer", r"held_q <= ~arrives_final", "held_q <= arrives_final"),
    "counters": ("counters", r"cycles_q(\}?) \+", r"cycles_q\1 -"),
    "pe": ("pe", r"~fresh_i", "fresh_i"),
    "tile": ("tile", r"clear_r0 & clear_r1", "clear_r0 | clear_r1"),
}
# Blocks that have a fault of a pipe inside them.
PIPE = ("pipe", r"if \(en_i\) value_q <= x_i;", "value_q <= x_i;")
WITH_PIPES = ("interconnect", "sequencer", "pe")


def rtl(blocks):
    """change(file, text) for netlists.rtl(): the faults of these blocks, or of a pipe."""
    faults = [PIPE] if blocks == WITH_PIPES else [RTL[block] for block in blocks]

    def change(file, text):
        for name, pattern, replacement in faults:
            if file.endswith(f"_{name}.v"):
                text, count = re.subn(pattern, replacement, text, count=1)
                if count != 1:
                    raise CheckError(f"{file}: {pattern}: nothing to plant a fault in")
        return text

    return change


def _others(library, kind):
    """Cells with the same pins and another function."""
    cell = library.cells.get(kind)
    if cell is None or cell.flip_flop or cell.latch:
        return []
    return [name for name, other in sorted(library.cells.items())
            if set(other.capacitance_pf) == set(cell.capacitance_pf)
            and set(other.functions) == set(cell.functions) and not other.flip_flop
            and not other.latch and other.functions != cell.functions]


def netlist(text, module, library, seed):
    """The netlist with one gate's type changed, and what was done. Where there are only flip-flops,
    one has its clear and its set exchanged."""
    draws = random.Random(seed)
    modules = json.loads(text)
    cells = modules["modules"][module]["cells"]
    choices = [name for name, cell in sorted(cells.items()) if _others(library, cell["type"])]
    if choices:
        name = draws.choice(choices)
        kind = draws.choice(_others(library, cells[name]["type"]))
        what = f"{cells[name]['type']} → {kind}"
        cells[name]["type"] = kind
    else:
        name, pins = next((name, cell["connections"]) for name, cell in sorted(cells.items())
                          if {"R", "S"} <= set(cell["connections"]))
        pins["R"], pins["S"] = pins["S"], pins["R"]
        what = "R and S exchanged"
    return json.dumps(modules), f"{name}: {what}"
