# SPDX-License-Identifier: Apache-2.0
"""The table of areas: a design beside its dense counterpart, and where each percent sits."""

import fractions

from toolbox import text_table

_HEADER = ("block", "instances", "each", "total", "gates", "dense", "difference")
_UNITS = ("", "", "um2", "um2", "", "um2", "% of dense")


def _number(value):
    return f"{float(value):,.0f}"


def _row(name, block, dense, gate_area, dense_total):
    total = block.total if block else 0
    other = dense.total if dense else 0
    shown = block or dense
    return [name, str(block.instances) if block else "-", _number(shown.each) if block else "-",
            _number(total) if block else "-", _number(total / gate_area) if block else "-",
            _number(other) if dense else "-", f"{float((total - other) / dense_total * 100):+.2f}"]


def block_title(place, places):
    """Of a (module, parent module): without the parent where no other of places is that module."""
    module, parent = place
    alone = sum(module == other for other, _ in places) == 1
    return module if alone else f"{module} of {parent}"


def lines(design, area, dense, cells, clock_ns):
    """Lines of the table. dense: area of the counterpart; None leaves its columns out."""
    gate = fractions.Fraction(str(cells.gate_area))
    title = (f"area of {design.name} ({design.hash}) at {clock_ns:g} ns: {cells.library.name}, "
             f"{cells.library.corner}, pre-layout; a gate is {cells.gate}, {float(gate):g} um2")
    other = dense or area
    sizes = {}
    for place, block in [*area.blocks.items(), *other.blocks.items()]:
        sizes[place] = max(sizes.get(place, 0), block.total)
    places = sorted(sizes, key=lambda place: (-sizes[place], place))
    rows = [list(_HEADER), list(_UNITS)]
    for place in places:
        rows.append(_row(block_title(place, places), area.blocks.get(place), other.blocks.get(place),
                         gate, other.total))
    rows.append(["total", "", "", _number(area.total), _number(area.total / gate),
                 _number(other.total), f"{float((area.total / other.total - 1) * 100):+.2f}"])
    if dense is None:
        rows = [row[:5] for row in rows]
    result = [title, *text_table.lines(rows)]
    if cells.clock_gate is None:
        result.append("no clock gates: the library is not described with one; registers with an "
                      "enable recirculate through multiplexers")
    return result
