# SPDX-License-Identifier: Apache-2.0
"""Area of a synthesised design: rolled up from modules, and compared with Yosys' own sum."""

import collections
import dataclasses
import fractions
import json
import re

from toolbox import tools
from toolbox.errors import CheckError

from netlists import recipe, rtlil

CHECKED = "checked"


@dataclasses.dataclass(frozen=True)
class Block:
    """All instances of a kind of module in a kind of module. total: their own µm², clock gates
    included, other children apart."""

    instances: int
    total: fractions.Fraction

    @property
    def each(self):
        """µm² of one instance; where parameters differ, the mean."""
        return self.total / self.instances

    def __add__(self, other):
        return Block(self.instances + other.instances, self.total + other.total)


@dataclasses.dataclass(frozen=True)
class Area:
    """Area of a design in µm²: blocks by (module, parent module), and the sum."""

    blocks: dict
    total: fractions.Fraction
    cells: dict   # library cell -> how many


def _own_area(synthesis, module):
    gates = module.children.get(recipe.GATE, 0)
    return module.area + (gates * synthesis.modules[recipe.GATE].area if gates else 0)


def roll_up(synthesis):
    """Area by block. The clock gate is part of the blocks that it stands in."""
    counts = synthesis.counts()
    total = sum(module.area * counts[name] for name, module in synthesis.modules.items())
    cells = collections.Counter()
    blocks = {}

    def add(name, parent, instances):
        place = (rtlil.block_of(name), rtlil.block_of(parent))
        block = Block(instances, instances * _own_area(synthesis, synthesis.modules[name]))
        blocks[place] = blocks[place] + block if place in blocks else block

    add(synthesis.top, "", 1)
    for name, module in synthesis.modules.items():
        for cell, number in module.cells.items():
            cells[cell] += number * counts[name]
        for child, number in module.children.items():
            if child != recipe.GATE:
                add(child, name, number * counts[name])
    return Area(blocks, total, dict(cells))


def _read_stat(path, library):
    """Area and library cells of Yosys' last, whole sum."""
    text = path.read_text(encoding="utf-8")
    found = re.findall(r"Chip area for (?:top )?module '[^']*': ([0-9.]+)", text)
    last = text.rsplit("Number of cells:", 1)[-1]
    cells = {name: int(number) for name, number in re.findall(r"(?m)^ +(\S+) +(\d+)$", last)
             if name in library.cells}
    return fractions.Fraction(found[-1]) if found else None, cells


def check(synthesis, area, runner, netlist=None):
    """Compares with `stat` of all netlists joined, or of a netlist.Netlist: cells exactly, area to
    the digits that Yosys prints. Done once for a set of netlists. Throws CheckError."""
    cells = synthesis.cells
    jsons, top = ([netlist.json], synthesis.design.top) if netlist else \
        (synthesis.jsons, synthesis.top)
    script = recipe.joined_script(jsons, top, cells)
    key = tools.digest(*([netlist.key] if netlist else
                         [module.key for module in synthesis.modules.values()]), recipe.JOINED)
    folder = tools.make_folder(tools.PPA / CHECKED)
    seen = folder / f"{key}.json"
    with tools.lock(folder / key):  # points of a sweep have netlists in common
        if not seen.exists():
            work = tools.make_folder(folder / f"{key}.work")
            tools.write(work / "joined.ys", script)
            runner.run(["yosys", "-q", "joined.ys"], work / "log.txt", work)
            total, counts = _read_stat(work / "joined.stat", cells.library)
            tools.write(seen, json.dumps({"area": str(total), "cells": counts}, indent=1))
            tools.remove(work)
    stored = json.loads(seen.read_text(encoding="utf-8"))
    _compare(synthesis.design.name, area, fractions.Fraction(stored["area"]), stored["cells"])


def _compare(name, area, total, counts):
    different = {cell for cell in {*counts, *area.cells}
                 if counts.get(cell, 0) != area.cells.get(cell, 0)}
    if different:
        cell = min(different)
        raise CheckError(f"{name}: {area.cells.get(cell, 0)} {cell} by modules, "
                         f"{counts.get(cell, 0)} by Yosys' stat of the whole netlist")
    # Yosys adds binary fractions and prints six decimals; cells, compared above, are exact.
    if abs(area.total - total) > max(fractions.Fraction(1, 10**6), total / 10**12):
        raise CheckError(f"{name}: area {float(area.total):.6f} µm² by modules, "
                         f"{float(total):.6f} µm² by Yosys' stat of the whole netlist")


def as_dict(area, cells):
    """For ppa.json: areas in µm² and gate equivalents."""
    gate = fractions.Fraction(str(cells.gate_area))
    return {
        "unit": "um2", "total": float(area.total), "gate_equivalents": float(area.total / gate),
        "gate": cells.gate, "gate_um2": float(gate), "cells": area.cells,
        "blocks": [{"module": module, "parent": parent, "instances": block.instances,
                    "each": float(block.each), "total": float(block.total),
                    "gate_equivalents": float(block.total / gate)}
                   for (module, parent), block in area.blocks.items()],
    }
