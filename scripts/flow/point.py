# SPDX-License-Identifier: Apache-2.0
"""One point of scripts/ppa: a configuration at a clock, through the whole flow."""

import dataclasses
import pathlib

from netlists import clock_search
from toolbox import tools

from . import area_table, measure, power, report


@dataclasses.dataclass(frozen=True)
class Point:
    """What a user asked for."""

    config: str
    cells: object            # cells.Cells
    clock_ns: float          # to be met, or else to start with
    trace: pathlib.Path
    find_clock: bool         # the fastest
    relax: bool              # to the fastest that is met, when clock_ns is not
    area_only: bool

    def measure(self, runner, say):
        """Measures what is not in the store yet; tells say() lines of the report. Returns the
        measurement, None of areas alone."""
        emitted = measure.designs(self.config)
        clock_ns = self.clock_ns
        if self.find_clock:
            tiles, clock_ns, tries = measure.find_clock(emitted, self.cells, clock_ns, runner)
            say(clock_search.lines(tries))
        else:
            tiles = measure.areas(emitted, self.cells, clock_ns, runner)
        tile, dense = tiles[measure.TILE], tiles.get(measure.DENSE)
        say(area_table.lines(tile.design, tile.area, dense and dense.area, self.cells, clock_ns))
        if self.area_only:
            return None
        if not self.find_clock:
            measure.timings(tiles, clock_ns, runner)
        if self.relax:
            clock_ns = measure.met_clock(tiles, clock_ns, runner)
        for one in tiles.values():
            one.timing.check(one.design.name)
        measurement = measure.powers(tiles, self.cells, clock_ns, self.trace, runner)
        folder = report.write(measurement)
        say([*report.lines(measurement), f"all of it: {folder}"])
        return measurement

    def shard(self, store):
        """The same in a process of its own, which leaves its results in the store alone."""
        tools.PPA = store
        self.measure(tools.Runner(), lambda lines: None)
