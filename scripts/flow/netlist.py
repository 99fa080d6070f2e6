# SPDX-License-Identifier: Apache-2.0
"""The netlist of a whole design: its modules joined, nets that drive too much buffered."""

import dataclasses
import fractions
import json
import pathlib
import re

from . import buffers, store, synthesis, tools

NETLISTS = "netlists"

_WRITE = """\
read_json netlist.json
write_verilog -noattr -noexpr -simple-lhs netlist.v
"""


@dataclasses.dataclass(frozen=True)
class Netlist:
    """A design in library cells. folder: netlist.json and netlist.v, the same in both."""

    synthesis: synthesis.Synthesis   # areas and cells with the buffers
    key: str
    folder: pathlib.Path

    @property
    def design(self):
        """The design.Design that it implements."""
        return self.synthesis.design

    @property
    def json(self):
        """As Yosys' write_json has it; the top is called design.top."""
        return self.folder / "netlist.json"

    @property
    def verilog(self):
        """As OpenSTA reads it."""
        return self.folder / "netlist.v"


def _plain_names(module):
    """Verilog has other names than JSON for what Yosys named itself; so such cells are counted."""
    module["cells"] = {name if re.fullmatch(r"\w+", name) else f"g{index}": cell
                       for index, (name, cell) in enumerate(module["cells"].items())}


class _Job:
    def __init__(self, result):
        self.result = result
        self.size = 0
        self.key = tools.digest(synthesis.versions(), result.design.top, result.cells.driving_cell,
                                pathlib.Path(buffers.__file__).read_text(encoding="utf-8"),
                                pathlib.Path(__file__).read_text(encoding="utf-8"),
                                *(module.key for module in result.modules.values()))

    def work(self, folder, runner):
        """Writes netlist.json, netlist.v and buffers.json."""
        modules = {}
        for name, result in self.result.modules.items():
            module = json.loads(result.json.read_text(encoding="utf-8"))["modules"][name]
            _plain_names(module)
            modules[name] = module
        counts = buffers.insert(modules, self.result.top, self.result.cells)
        modules[self.result.design.top] = modules.pop(self.result.top)
        (folder / "netlist.json").write_text(json.dumps({"modules": modules}), encoding="utf-8")
        (folder / "buffers.json").write_text(json.dumps(counts, indent=1), encoding="utf-8")
        (folder / "write.ys").write_text(_WRITE, encoding="utf-8")
        runner.run(["yosys", "-q", "write.ys"], folder / "log.txt", folder)


def _with_buffers(result, counts):
    """The synthesis with its buffers counted in the modules where they stand."""
    cell = result.cells.driving_cell
    area = fractions.Fraction(str(result.cells.library.cells[cell].area))
    modules = dict(result.modules)
    for name, count in counts.items():
        module = modules[name]
        modules[name] = dataclasses.replace(
            module, area=module.area + count * area,
            cells=module.cells | {cell: module.cells.get(cell, 0) + count})
    return dataclasses.replace(result, modules=modules)


def join(results, runner):
    """The Netlist of each synthesis.Synthesis, kept by content."""
    jobs = [_Job(result) for result in results]
    folders = store.run(NETLISTS, jobs, runner, "netlists")
    netlists = []
    for result, job in zip(results, jobs):
        counts = json.loads((folders[job.key] / "buffers.json").read_text(encoding="utf-8"))
        netlists.append(Netlist(_with_buffers(result, counts), job.key, folders[job.key]))
    return netlists
