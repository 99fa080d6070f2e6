# SPDX-License-Identifier: Apache-2.0
"""Placements of a netlist, not routed: their wires, and the timing with these."""

import dataclasses
import json
import pathlib

from toolbox import tools
from toolbox.errors import UserError

from . import constraints, store, timing

PLACED = "placed"
_TIMING = "timing.json"


@dataclasses.dataclass(frozen=True)
class Placed:
    """One placement."""

    key: str
    wires: dict              # as tdplace writes it
    loads: pathlib.Path      # of its nets, likewise
    setup_slack: float       # ns
    fastest_ns: float        # shortest period that every path meets
    worst: str               # the path that sets it, a line for the reader
    clock_tree: timing.sta.ClockTree   # all else is at an ideal clock

    @property
    def wire_m(self):
        """Length of all wires, m."""
        return self.wires["wire_um"] / 1e6

    @property
    def um_a_sink(self):
        """Mean length of wire for each pin that a net drives."""
        return self.wires["wire_um"] / self.wires["sinks"]

    @property
    def repeaters_percent(self):
        """Area of repeaters, in % of that of the cells placed."""
        return 100 * self.wires["repeaters_um2"] / self.wires["cells_um2"]

    @property
    def clock_percent(self):
        """Area of the clock tree's buffers, likewise."""
        return 100 * self.wires["clock_buffers_um2"] / self.wires["cells_um2"]

    @property
    def area(self):
        """Of cells, repeaters and clock buffers, um²."""
        return sum(self.wires[what] for what in ("cells_um2", "repeaters_um2", "clock_buffers_um2"))


def options(cells, **others):
    """Words of tdplace's command line: what the cells' description says; others, as out="placed",
    come behind it or take its place."""
    rules = cells.placement
    said = {"liberty": cells.library.path, "row-um": rules.row_um, "site-um": rules.site_um,
            "port-um": rules.port_um, "wire-pF-per-um": rules.wire_pf_per_um, "wire-ohm-per-um": rules.wire_ohm_per_um,
            "repeater": rules.repeater, "repeater-pF": rules.repeater_pf,
            "clock-buffer": cells.power.clock_buffer, "clock-buffer-pF": rules.clock_buffer_pf,
            "input-delay": cells.timing.input_delay, "output-delay": cells.timing.output_delay,
            "utilisation": rules.utilisation}
    if rules.lef:
        said["lef"] = rules.lef
    said.update((name.replace("_", "-"), value) for name, value in others.items())
    return [word for name, value in said.items() for word in (f"--{name}", str(value))]


def check(cells):
    """Refuses cells whose description does not say how to place them."""
    for table in ("placement", "power", "timing"):
        if getattr(cells, table) is None:
            raise UserError(cells.file, table, "(absent)",
                            f"a description with a [{table}] table, by --cells; see constraints/cells")


class _Job:
    """A netlist.Netlist with a seed."""

    def __init__(self, netlist, clock_ns, seed):
        self.netlist, self.clock_ns, self.seed = netlist, clock_ns, seed
        cells = netlist.synthesis.cells
        self.key = tools.digest(
            tools.file_digest(tools.TDPLACE), tools.version("sta", "-version"), netlist.key,
            cells.library.digest, *([tools.file_digest(cells.placement.lef)] if cells.placement.lef else []),
            repr((cells.placement, cells.power, cells.timing, clock_ns, seed)),
            constraints.Constraints.of(cells, clock_ns).sdc("placed"),
            *(pathlib.Path(path).read_text(encoding="utf-8")
              for path in (__file__, timing.__file__, timing.sta.__file__, timing.sta.SCRIPT, timing.sta.CLOCK_TREE)))

    def work(self, folder, runner):
        """Leaves placed.json, placed.loads and timing.json; netlist and wires of a tile would be half a
        GB."""
        cells = self.netlist.synthesis.cells
        top = self.netlist.design.top
        runner.run([str(tools.TDPLACE), *options(cells, netlist=self.netlist.json, top=top,
                                                 clock="clk_i", seed=self.seed, out="placed")],
                   folder / "place.txt", folder)
        names = timing.Names(self.netlist.design.manifest)
        found = timing.analyse([folder / "placed.v"], top, names, cells, self.clock_ns, folder,
                               runner=runner, tied=self.netlist.tied, spef=folder / "placed.spef")
        tools.write(folder / _TIMING, json.dumps({
            "setup_slack": found.setup_slack, "fastest_ns": found.fastest_ns,
            "worst": found.bounds[0].text(),
            "clock_tree": dataclasses.asdict(found.clock_tree)}, indent=1) + "\n")
        for name in ("placed.v", "placed.def", "placed.spef", timing.sta.RESULT):
            (folder / name).unlink()

    def result(self, folder):
        """The Placed that the work left."""
        wires = json.loads((folder / "placed.json").read_text(encoding="utf-8"))
        timed = json.loads((folder / _TIMING).read_text(encoding="utf-8"))
        tree = timing.sta.ClockTree(**timed.pop("clock_tree"))
        return Placed(self.key, wires, folder / "placed.loads", clock_tree=tree, **timed)


def of(netlists, clock_ns, seeds, runner):
    """Placements of each of several netlists with each seed, kept by content: a list of lists."""
    jobs = [[_Job(netlist, clock_ns, seed) for seed in seeds] for netlist in netlists]
    folders = store.run(PLACED, [job for group in jobs for job in group], runner, "placements")
    return [[job.result(folders[job.key]) for job in group] for group in jobs]
