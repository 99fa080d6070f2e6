# SPDX-License-Identifier: Apache-2.0
"""Timing of a synthesised tile: the fastest clock, what bounds it, and what would help."""

import dataclasses
import functools
import pathlib
import re

from toolbox import schema
from toolbox.errors import CheckError
from toolbox.tools import digest, version, write

from . import sta, store
from .constraints import Constraints

_SLOWER = "a slower clock"
_TILE = ("tile", _SLOWER)
_REPEATER = ("repeaters", _SLOWER)   # of a placed netlist


def _legal(*paths):
    return ", ".join(f"{path} is {schema.legal(path)}" for path in paths)


@functools.lru_cache(maxsize=None)
def blocks():
    """What instances are, by their names in the manifest, and what makes them faster."""
    def more(register):
        return "more registers: " + _legal(f"tile.pipeline.{register}")

    # Measured with the default cells, four rows: step_first and wide4 within 0.2 ns of each other,
    # lookahead_first 1.2 ns slower. The number of levels alone does not tell.
    pattern = ("another tile.interconnect.pattern (step_first or wide4), fewer rows or a smaller "
               f"depth, {more('scheduler')}")
    tree = _legal("tile.pipeline.tree")
    adders = f"{more('adder')}, {tree}"
    depth = f"fewer rows: {_legal('tile.interconnect.depth')}, {more('scheduler')}"
    return {
        "multiplier": ("multiplier", more("multiplier")),
        "sum_tree": ("adder of the tree", adders),
        "fused_sum": ("fused sum", f"{more('multiplier')}, {adders}"),
        "merge_tree": ("adder that merges accumulators", adders),
        "accumulate_adder": ("accumulator's adder", "more partial accumulators: "
                             + _legal("tile.numerics.accumulators")
                             + ", and up to 4 each gives its adder one more register"),
        "pe": ("PE", tree),
        "row_interconnect": ("operand multiplexers", more("interconnect")),
        "pe_interconnect": ("operand multiplexers", more("interconnect")),
        "row_staging": ("staging buffer", depth),
        "column_staging": ("staging buffer", depth),
        "scheduler": ("scheduler", pattern),
        "row": ("tile row", pattern),
        "column": ("tile column", _SLOWER),
        "row_line": ("operand registers", _SLOWER),
        "column_line": ("operand registers", _SLOWER),
        "intake": ("intake", depth),
        "sequencer": ("sequencer", _SLOWER),
        "live": ("registers that rest", _SLOWER),
        "output": ("output buffer", _SLOWER),
        "counters": ("counters", "narrower counters: " + _legal("tile.counters.width")),
        "reset": ("reset", _SLOWER),
    }


SLEWS = "slews.txt"
LOOPS = {
    "accumulation": "from an accumulator through its adder and back, cut by the adder's registers",
    "scheduler": "from what the tile rows hold, through the schedulers of all rows, to the rows "
                 "that leave and what loads then",
}


class Names:
    """Which block of a tile a pin belongs to, by a manifest.Manifest. A path is the manifest's,
    whether a module is flattened or not."""

    def __init__(self, manifest):
        self.groups = _groups(manifest)
        found = {name: manifest.pattern(name) for name in blocks() if manifest.has_instance(name)}
        # What stands inside of others first.
        inner = sorted(found, key=lambda name: -found[name].count("."))
        self._blocks = [(re.compile(re.escape(found[name]).replace(r"\*", r"\[\d+\]") + r"\."),
                         blocks()[name]) for name in inner]

    def block(self, pin):
        """(what it is, what helps) for the block that a pin belongs to."""
        if pin.startswith("repeater_"):
            return _REPEATER
        return next((block for pattern, block in self._blocks if pattern.match(pin)), _TILE)


def _groups(manifest):
    """The loops that no pipeline register can cut: from and to registers, or through pins."""
    accumulators = (manifest.probe_pattern("accumulator"), manifest.pattern("pe") + ".result_o",
                    manifest.pattern("accumulate_adder") + ".")
    groups = {"accumulation": (accumulators, accumulators, ())}
    if not manifest.is_dense:
        groups["scheduler"] = ((), (), (manifest.probe_pattern("clear"),))
    return groups


@dataclasses.dataclass(frozen=True)
class Step:
    """Part of a path within one block; ns."""

    block: str
    delay: float
    gates: int


@dataclasses.dataclass(frozen=True)
class Bound:
    """A path and the shortest period that it allows; ns."""

    path: sta.Path
    period: float
    fraction: float   # of the period that the path may take
    steps: tuple      # Step, in order
    block: str        # where most of the delay is
    remedy: str

    def text(self):
        """One line for the reader."""
        way = ", ".join(f"{step.block} {step.delay:.2f} ns in {step.gates} gates"
                        for step in self.steps if step.gates)
        return (f"{self.path.start} to {self.path.end}: {self.period:.2f} ns, "
                f"{self.path.gates} gates ({way})")


@dataclasses.dataclass
class Timing:
    """Timing of a tile at one clock, before layout or placed; ns."""

    clock_ns: float
    fastest_ns: float         # shortest period that every path of this netlist meets
    setup_slack: float        # recovery and clock gating included
    hold_slack: float         # at an ideal clock; None of a placed tile, which has that with its tree
    endpoints: int
    constants: int
    bounds: list              # Bound, the worst of each kind of path, the slowest first
    loops: dict               # name -> Bound, of GROUPS that the tile has
    clock_tree: sta.ClockTree = None   # of a placed tile; all else is at an ideal clock
    folder: pathlib.Path = None   # of the files that were left, where they are kept
    key: str = ""                 # ... by this hash

    def met(self):
        """The clock is met."""
        return self.setup_slack >= 0

    def check(self, title):
        """Raises CheckError where the clock is not met, with the worst path and what helps."""
        if self.met():
            return
        worst = min(self.bounds, key=lambda bound: bound.path.slack)
        raise CheckError(
            f"{title}: a clock of {self.clock_ns:g} ns cannot be met: the slack is "
            f"{self.setup_slack:.2f} ns, on the path from {worst.text()}; what helps: "
            f"{worst.remedy}; or a clock of {self.fastest_ns:.2f} ns or slower")

    def json(self):
        """As it stands in the result."""
        return {
            "clock_ns": self.clock_ns,
            "fastest_clock_ns": self.fastest_ns,
            "setup_slack_ns": self.setup_slack,
            "hold_slack_ns": self.hold_slack,
            "end_points": self.endpoints,
            "constant_end_points": self.constants,
            "loops": {name: {"what": LOOPS[name]} | _bound_json(bound)
                      for name, bound in self.loops.items()},
            "paths": [_bound_json(bound) for bound in self.bounds],
        }


def _bound_json(bound):
    return {
        "block": bound.block, "from": bound.path.start, "to": bound.path.end,
        "period_ns": bound.period, "gates": bound.path.gates,
        "periods": bound.fraction, "slack_ns": bound.path.slack,
        "by_block": [{"block": step.block, "delay_ns": step.delay, "gates": step.gates}
                     for step in bound.steps],
    }


def _steps(path, names):
    """Delay and gates of a path, block after block; the delay up to the first output, which is
    the register's or the neighbour's, belongs to the first block."""
    steps, before = [], 0.0
    for i, point in enumerate(path.points):
        name = names.block(point.pin)[0] if point.cell != "port" else "input"
        if i == 0:
            before = point.arrival
        if not steps or steps[-1].block != name:
            steps.append(Step(name, 0.0, 0))
        last = steps[-1]
        steps[-1] = Step(name, last.delay + point.arrival - before, last.gates + (i > 0))
        before = point.arrival
    return tuple(steps)


def _bound(path, constraints, names):
    # The neighbours' shares move with the period; delays do not.
    fraction = 1.0
    if path.from_port:
        fraction -= constraints.input_share
    if path.to_port:
        fraction -= constraints.output_share
    steps = _steps(path, names)
    share = {}
    for step in steps:
        share[step.block] = share.get(step.block, 0.0) + step.delay
    block = max(share, key=share.get)
    return Bound(path, constraints.clock_ns - path.slack / fraction, fraction, steps, block,
                 dict(blocks().values()).get(block, _SLOWER))


def check_complete(problems, title):
    """Raises CheckError where the constraints have a hole, with what is not covered."""
    if problems:
        message, objects = problems[0]
        more = f" and {len(problems) - 1} more problems" if len(problems) > 1 else ""
        named = ", ".join(objects[:8]) + (", …" if len(objects) > 8 else "")
        raise CheckError(f"{title}: a path without a constraint: {message.rstrip('.')}: {named}{more}")


def analyse(netlists, top, names, cells, clock_ns, folder, slews=None, body=None, runner=None,
            tied=(), spef=None):
    """Timing of a tile. netlists: Verilog files with each module once; names: Names; clock_ns: None
    for the one in the cells' description; folder: takes TOP.sdc, complete in itself, and working files; slews:
    file for the slew of every cell input, once for each module, `MODULE INSTANCE PIN SLEW_NS`;
    body: other constraints than constraints/tile.sdc; tied: outputs that are constants; spef: wires
    of the one netlist. Raises CheckError where a path has no constraint."""
    constraints = Constraints.of(cells, clock_ns)
    sdc = pathlib.Path(folder) / f"{top}.sdc"
    write(sdc, _sdc(top, constraints, body))
    report = sta.run(netlists, top, cells.library.path, sdc, names.groups, constraints.clock_slew_ns,
                     folder, slews, runner=runner, tied=tied, spef=spef, opens=cells.latch_opens)
    return _evaluate(report, top, names, constraints)


def _sdc(top, constraints, body=None):
    return constraints.sdc(f"Timing constraints of {top}.", body)


def _evaluate(report, top, names, constraints):
    check_complete(report.problems, f"{top}.sdc")
    setup = [_bound(path, constraints, names) for path in report.paths if not path.hold]
    if not setup:
        raise CheckError(f"{top}: no path was found: nothing was checked")
    setup.sort(key=lambda bound: -bound.period)
    loops = {}
    for bound in setup:
        if bound.path.group in LOOPS:
            loops.setdefault(bound.path.group, bound)
    return Timing(
        clock_ns=constraints.clock_ns,
        fastest_ns=setup[0].period,
        setup_slack=min(bound.path.slack for bound in setup),
        hold_slack=min((path.slack for path in report.paths if path.hold), default=None),
        endpoints=report.endpoints, constants=report.constants, bounds=setup, loops=loops,
        clock_tree=report.clock_tree)


class _Job:
    """Timing of a netlist.Netlist."""

    def __init__(self, netlist, clock_ns):
        self.netlist = netlist
        self.names = Names(netlist.design.manifest)
        self.constraints = Constraints.of(netlist.synthesis.cells, clock_ns)
        self.key = digest(version("sta", "-version"), netlist.key, netlist.synthesis.cells.library.digest,
                          _sdc(netlist.design.top, self.constraints), repr(self.names.groups),
                          sta.SCRIPT.read_text(encoding="utf-8"))

    def work(self, folder, runner):
        """Leaves TOP.sdc, slews.txt and what sta.read() takes."""
        analyse([self.netlist.verilog], self.netlist.design.top, self.names,
                self.netlist.synthesis.cells, self.constraints.clock_ns, folder,
                slews=folder / SLEWS, runner=runner, tied=self.netlist.tied)

    def result(self, folder):
        """The Timing that the work left."""
        timing = _evaluate(sta.read(folder), self.netlist.design.top, self.names,
                           self.constraints)
        return dataclasses.replace(timing, folder=folder, key=self.key)


def of(netlists, clock_ns, runner):
    """Timing of each of several netlists, kept by content; with the folder that holds TOP.sdc and
    slews.txt."""
    jobs = [_Job(netlist, clock_ns) for netlist in netlists]
    folders = store.run("timing", jobs, runner, "timing analyses")
    return [job.result(folders[job.key]) for job in jobs]


def steepest(slews, count=5):
    """The slowest inputs of a slews file: [(ns, module, instance, pin)], for what buffering missed."""
    lines = (line.split() for line in pathlib.Path(slews).read_text().splitlines())
    rows = ((float(slew), module, instance, pin) for module, instance, pin, slew in lines)
    return sorted(rows, reverse=True)[:count]
