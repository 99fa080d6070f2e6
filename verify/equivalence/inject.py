# SPDX-License-Identifier: Apache-2.0
"""Faults in netlists and RTL, each of which a check must find."""

import json
import random

from injected import catalogue

_CLOCKED = ("flip_flop", "latch")


def rounds(blocks):
    """The catalogue's faults that netlists of these blocks must show, in groups that do not meet in
    one netlist."""
    groups = []
    for fault in catalogue.faults():
        if not set(fault.netlist) & set(blocks):
            continue
        for group in groups:
            if not any(set(fault.netlist) & set(other.netlist) for other in group):
                group.append(fault)
                break
        else:
            groups.append([fault])
    return groups


def _others(library, kind):
    """Cells with the same pins and another function."""
    cell = library.cells.get(kind)
    if cell is None or cell.kind in _CLOCKED:
        return []
    return [name for name, other in sorted(library.cells.items())
            if set(other.capacitance_pf) == set(cell.capacitance_pf)
            and set(other.functions) == set(cell.functions) and other.kind not in _CLOCKED
            and other.functions != cell.functions]


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
