# SPDX-License-Identifier: Apache-2.0
"""Tiles placed, not routed: wires, repeaters and clock, over several seeds."""

import statistics

from netlists import placement
from toolbox import text_table

from . import measure

_NOTE = """\
Placed, not routed: cells stand in rows, wires are Steiner trees between them, cut by repeaters where they
are long. The clock is ideal, and its nets are not placed. Each figure is the median of the seeds, with
least and greatest; a ratio is of the medians."""


def _spread(values, digits):
    middle, least, most = (f"{value:.{digits}f}" for value in
                           (statistics.median(values), min(values), max(values)))
    return middle if least == most else f"{middle} ({least}..{most})"


def _row(tile, placed, dense):
    def median(field, of=placed):
        return statistics.median(field(one) for one in of)

    def area(one):
        return one.wires["cells_um2"] + one.wires["repeaters_um2"]

    fields = [(lambda one: one.wire_m, 2), (lambda one: one.um_a_sink, 1),
              (lambda one: one.repeaters_percent, 1), (lambda one: one.setup_slack, 2),
              (lambda one: one.fastest_ns, 2)]
    row = [tile.design.name, f"{placed[0].wires['cells']:,}", f"{median(area):,.0f}"]
    row += [_spread([field(one) for one in placed], digits) for field, digits in fields]
    ratios = (area, lambda one: one.wire_m, lambda one: one.fastest_ns)
    return row + [f"{median(field) / median(field, dense):.3f}" for field in ratios]


def lines(config, cells, clock_ns, seeds, runner):
    """Places a configuration and its dense counterparts; lines for a terminal."""
    placement.check(cells)
    tiles = measure.areas(measure.designs(config), cells, clock_ns, runner)
    found = placement.of([tile.netlist for tile in tiles.values()], clock_ns, seeds, runner)
    placed = dict(zip(tiles, found))
    dense = placed.get(measure.DENSE, placed[measure.TILE])
    tile = tiles[measure.TILE]
    rows = [["configuration", "cells", "area", "wire", "a sink", "repeaters", "slack", "fastest",
             "area,", "wire,", "clock"],
            ["", "", "um2", "m", "um", "% of area", "ns", "clock, ns", "over", "dense", ""]]
    rows += [_row(tiles[name], placed[name], dense) for name in reversed(tiles)]
    result = [f"{tile.design.name} ({tile.design.hash}), placed, not routed: {cells.library.name}, "
              f"{cells.library.corner}, {clock_ns:g} ns; seeds {seeds[0]}..{seeds[-1]}",
              *text_table.lines(rows), ""]
    for name, one in placed.items():
        worst = min(one, key=lambda placement: placement.setup_slack)
        result.append(f"worst path of {tiles[name].design.name}: {worst.worst}")
    return result + ["", _NOTE]
