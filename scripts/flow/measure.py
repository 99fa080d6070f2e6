# SPDX-License-Identifier: Apache-2.0
"""A configuration and its dense counterpart through the whole flow, side by side."""

from __future__ import annotations

import dataclasses
import math
import pathlib

from netlists import clock_search, netlist, synthesis, timing
from toolbox import design

from . import area, energy, glitch, power

TILE, OFF, DENSE, ZERO_GATED = "tile", "sparse path off", "dense", "zero-gated"


@dataclasses.dataclass
class Measured:
    """One tile, or one way of using it. power and energies are None until they are measured."""

    design: object               # design.Design
    netlist: netlist.Netlist
    area: area.Area
    timing: timing.Timing = None
    power: power.Power = None
    glitches: dict = None        # block -> glitch.Block; see glitch.py
    energies: dict = None        # see energy.of


@dataclasses.dataclass
class Measurement:
    """The tiles by TILE, OFF, ZERO_GATED and DENSE; a baseline is all there is of itself."""

    cells: object                # cells.Cells
    clock_ns: float
    trace: pathlib.Path
    tiles: dict

    @property
    def tile(self):
        """The configuration that was asked for."""
        return self.tiles[TILE]

    @property
    def dense(self):
        """Its dense counterpart, or itself."""
        return self.tiles.get(DENSE, self.tile)


def designs(config):
    """Name -> design.Design."""
    tile = design.emit(config)
    if tile.is_dense:
        return {TILE: tile}
    return {TILE: tile, ZERO_GATED: design.baseline(tile, "zero_gated"),
            DENSE: design.baseline(tile, "dense")}


def areas(emitted, cells, clock_ns, runner):
    """Synthesises; name -> Measured with areas, each checked against Yosys' own sum."""
    netlists = netlist.join(
        synthesis.synthesise(list(emitted.values()), cells, clock_ns, runner=runner), runner)
    tiles = {}
    for name, joined in zip(emitted, netlists):
        rolled = area.roll_up(joined.synthesis)
        area.check(joined.synthesis, rolled, runner, joined)
        tiles[name] = Measured(joined.design, joined, rolled)
    return tiles


def timings(tiles, clock_ns, runner):
    """Adds the timing of each tile."""
    found = timing.of([tile.netlist for tile in tiles.values()], clock_ns, runner)
    for tile, result in zip(tiles.values(), found):
        tile.timing = result


def find_clock(emitted, cells, start_ns, runner):
    """Searches the fastest clock; returns the Measured tiles at the one that all meet, that clock,
    and the tries of the search. Each try is kept: a search that was killed goes on."""
    kept = {}

    def attempt(target_ns):
        kept[target_ns] = tiles = areas(emitted, cells, target_ns, runner)
        timings(tiles, target_ns, runner)
        return {tile.design.name: tile.timing.fastest_ns for tile in tiles.values()}

    tries = clock_search.search(attempt, start_ns)
    tiles = kept[clock_search.best(tries).target_ns]
    return tiles, met_clock(tiles, 0.0, runner), tries


def met_clock(tiles, clock_ns, runner):
    """clock_ns if all tiles meet it, else the fastest clock that their netlists meet, at which they
    are timed again."""
    fastest_ns = max(tile.timing.fastest_ns for tile in tiles.values())
    if fastest_ns <= clock_ns:
        return clock_ns
    # Picoseconds, and one or two more: no slack is negative by rounding.
    clock_ns = (math.floor(fastest_ns * 1000) + 2) / 1000
    timings(tiles, clock_ns, runner)
    return clock_ns


def powers(tiles, cells, clock_ns, trace, runner):
    """Adds activity, power and energy to the tiles; returns the Measurement."""
    runs = {name: (tile, False, glitch.blocks(tile.netlist.synthesis)) for name, tile in tiles.items()}
    if DENSE in tiles:
        tiles = {TILE: tiles[TILE], OFF: dataclasses.replace(tiles[TILE]), **tiles}
        runs[OFF] = (tiles[OFF], True, ())
    found = power.measure([(tile.netlist, tile.timing, dense_mode, records)
                           for tile, dense_mode, records in runs.values()], trace, runner)
    for name, result in zip(runs, found):
        tiles[name].power = result
    measured = {name: tile for name, tile in tiles.items() if name != OFF}
    for tile, glitches in zip(measured.values(), glitch.measure(
            [(tile.netlist, tile.timing, tile.power) for tile in measured.values()], runner)):
        tile.glitches = glitches
    for name, tile in tiles.items():
        if name == OFF:
            tile.glitches = tiles[TILE].glitches
        tile.energies = energy.of(tile.power, glitch.factors(tile.glitches))
    return Measurement(cells, clock_ns, trace, tiles)
