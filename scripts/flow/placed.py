# SPDX-License-Identifier: Apache-2.0
"""Tiles placed, not routed: wires, repeaters, clock and its tree, over several seeds; power of the first."""

import collections
import statistics

from netlists import placement, recipe, rtlil
from toolbox import text_table

from . import area_table, energy, glitch, measure, power

_LEAST_SHOWN = 0.005   # of the dense tile's wire: what has less in all tiles is among others

_NOTE = """\
Placed, not routed: cells stand in rows, without most buffers of before layout; wires are Steiner trees
between them, cut by repeaters where they are long. Slack and fastest clock are at an ideal clock, less its uncertainty. The clock's tree is buffers
between its port, its gates and the registers, as many in front of each register; areas are with them.
Each figure is the median of the seeds, with least and greatest; a ratio is of the medians. Power is of the
first seed: wires, repeaters and clock tree, slews and glitches' factors of before layout."""


def _spread(values, digits):
    middle, least, most = (f"{value:.{digits}f}" for value in
                           (statistics.median(values), min(values), max(values)))
    return middle if least == most else f"{middle} ({least}..{most})"


def _row(tile, placed, dense):
    def median(field, of=placed):
        return statistics.median(field(one) for one in of)

    fields = [(lambda one: one.wire_m, 2), (lambda one: one.um_a_sink, 1),
              (lambda one: one.repeaters_percent, 1), (lambda one: one.setup_slack, 2),
              (lambda one: one.fastest_ns, 2)]
    row = [tile.design.name, f"{placed[0].wires['cells']:,}", f"{median(lambda one: one.area):,.0f}"]
    row += [_spread([field(one) for one in placed], digits) for field, digits in fields]
    ratios = (lambda one: one.area, lambda one: one.wire_m, lambda one: one.fastest_ns)
    return row + [f"{median(field) / median(field, dense):.3f}" for field in ratios]


def _clock_lines(tiles, placed):
    fields = [(lambda one: one.wires["clock_buffers"], 0), (lambda one: one.clock_percent, 2),
              (lambda one: one.wires["clock_wire_um"] / 1e6, 2), (lambda one: one.wires["clock_pF"], 0),
              (lambda one: one.wires["clock_levels"], 0), (lambda one: one.clock_tree.most, 2),
              (lambda one: one.clock_tree.skew, 2), (lambda one: one.clock_tree.setup_slack, 2),
              (lambda one: one.clock_tree.hold_slack, 2)]
    rows = [["clock tree", "buffers", "area", "wire", "load", "cells", "latest", "skew", "setup", "hold"],
            ["", "", "% of cells", "m", "pF", "in a row", "ns", "ns", "slack, ns", "slack, ns"]]
    rows += [[tiles[name].design.name, *(_spread([field(one) for one in placed[name]], digits)
                                         for field, digits in fields)] for name in reversed(tiles)]
    return text_table.lines(rows)


def _wire_of_blocks(top, placed):
    """(module, parent module) -> m of wire of the nets that it drives, the median of placements. top: a
    design's, which is called the tile in all. Clock gates count together."""
    def block(module):
        return "tile" if module == top else rtlil.block_of(module)

    sums = [collections.Counter() for _ in placed]
    for lengths, one in zip(sums, placed, strict=True):
        for wire in one.wires["wires"]:
            parent = "" if wire["module"] == recipe.GATE else block(wire["parent"])
            lengths[block(wire["module"]), parent] += wire["wire_um"] / 1e6
    return {place: statistics.median(lengths[place] for lengths in sums) for place in set().union(*sums)}


def _wire_lines(tiles, placed, dense):
    wires = {name: _wire_of_blocks(tiles[name].design.top, placed[name]) for name in reversed(tiles)}
    total = statistics.median(one.wire_m for one in dense)
    places = set().union(*wires.values())
    shown = [place for place in places if max(of.get(place, 0) for of in wires.values()) > _LEAST_SHOWN * total]
    shown.sort(key=lambda place: (-max(of.get(place, 0) for of in wires.values()), place))
    rows = [["wire of nets driven by", *(tiles[name].design.name for name in wires), "difference"],
            ["", *("m" for _ in wires), "% of dense"]]

    def add(title, lengths):
        rows.append([title, *(f"{length:.2f}" for length in lengths),
                     f"{100 * (lengths[-1] - lengths[0]) / total:+.2f}"])

    for place in shown:
        add(area_table.block_title(place, places) if place[0] else "input ports",
            [of.get(place, 0) for of in wires.values()])
    add("others", [sum(length for place, length in of.items() if place not in shown) for of in wires.values()])
    return text_table.lines(rows)


def _energies(measurement, placed, runner):
    """Of each tile with the wires of its first placement, by name: what energy.of() returns."""
    tiles = measurement.tiles
    found = power.measure([(tile.netlist, tile.timing, name == measure.OFF, (),
                            placed[measure.TILE if name == measure.OFF else name][0])
                           for name, tile in tiles.items()], measurement.trace, runner)
    return {name: energy.of(one, glitch.factors(tiles[name].glitches))
            for name, one in zip(tiles, found)}


def _power_lines(measurement, placed, runner):
    energies = _energies(measurement, placed, runner)
    dense = energies.get(measure.DENSE, energies[measure.TILE])
    rows = [["configuration", "power", "over", "with", "over", "speed-up", "effi-", "with"],
            ["", "mW", "dense", "glitches", "dense", "total", "ciency", "glitches"]]
    for name in reversed(energies):
        ratios = energy.compare(energies[name], dense)[energy.ALL]
        title = measurement.tiles[name].design.name
        row = [title + ", sparse path off" * (name == measure.OFF)]
        for column in energy.COLUMNS:
            row += [f"{energies[name][energy.ALL]['power_uW'][column] / 1000:.1f}",
                    f"{ratios['power_ratio'][column]:.3f}"]
        row.append(f"{ratios['speed_up']:.2f}")
        rows.append(row + [f"{ratios['efficiency'][column]:.2f}" for column in energy.COLUMNS])
    return text_table.lines(rows)


def lines(point, seeds, runner):
    """Places a configuration and its dense counterparts; lines for a terminal. point: a point.Point,
    at its own clock whether that is met or not."""
    cells, clock_ns = point.cells, point.clock_ns
    placement.check(cells)
    tiles = measure.areas(measure.designs(point.config), cells, clock_ns, runner)
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
              *text_table.lines(rows), "", *_clock_lines(tiles, placed), "", *_wire_lines(tiles, placed, dense), ""]
    if not point.area_only:
        measure.timings(tiles, clock_ns, runner)
        measurement = measure.powers(tiles, cells, clock_ns, point.trace, runner)
        result += [*_power_lines(measurement, placed, runner), ""]
    for name, one in placed.items():
        slowest = max(one, key=lambda placement: placement.fastest_ns)
        result.append(f"slowest path of {tiles[name].design.name}: {slowest.worst}")
    return result + ["", _NOTE]
