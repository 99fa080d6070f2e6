# SPDX-License-Identifier: Apache-2.0
"""The netlist of a whole design: its modules joined, nets that drive too much buffered."""

import dataclasses
import fractions
import json
import pathlib

from toolbox import tools

from . import buffers, store, synthesis

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

    @property
    def tied(self):
        """Names of the tile's outputs that are constants."""
        return json.loads((self.folder / "tied.json").read_text(encoding="utf-8"))


def _plain_names(module):
    """Verilog has other names than JSON for what Yosys named itself: such cells are counted, and such
    nets have no name, lest they hide a register's own."""
    module["cells"] = {f"g{index}" if name.startswith("$") else name: cell
                       for index, (name, cell) in enumerate(module["cells"].items())}
    module["netnames"] = {name: net for name, net in module["netnames"].items()
                          if not net.get("hide_name")}


def _spread_constants(modules, top):
    """An output that a module ties to a constant is that constant in front of what reads it, too:
    timing analysis does not look through the module."""
    done = set()

    def visit(name):
        if name in done or name not in modules:
            return
        done.add(name)
        module, constant = modules[name], {}
        for cell in module["cells"].values():
            visit(cell["type"])
            for port, bits in cell["connections"].items():
                entry = modules.get(cell["type"], {"ports": {}})["ports"].get(port)
                if entry and entry["direction"] == "output":
                    constant.update((net, inside) for net, inside in zip(bits, entry["bits"])
                                    if inside in ("0", "1"))
                    # Nobody is driven by it any more: a net of its own.
                    bits[:] = [f"free {net}" if net in constant else net for net in bits]
        _replace(module, constant)

    visit(top)


def _replace(module, constant):
    nets = [bits for cell in module["cells"].values() for bits in cell["connections"].values()]
    nets += [entry["bits"] for group in ("ports", "netnames") for entry in module[group].values()]
    free = 1 + max((net for bits in nets for net in bits if isinstance(net, int)), default=1)
    for bits in nets:
        for index, net in enumerate(bits):
            if isinstance(net, str) and net.startswith("free "):
                bits[index] = free
                free += 1
            else:
                bits[index] = constant.get(net, net)


def _tied(module):
    """Names of the outputs that are constants."""
    names = []
    for port, entry in module["ports"].items():
        single = len(entry["bits"]) == 1
        names += [port if single else f"{port}[{index}]" for index, net in enumerate(entry["bits"])
                  if entry["direction"] == "output" and net in ("0", "1")]
    return names


class _Job:
    def __init__(self, result):
        self.result = result
        self.key = tools.digest(synthesis.versions(), result.design.top, result.cells.driving_cell,
                                pathlib.Path(buffers.__file__).read_text(encoding="utf-8"),
                                pathlib.Path(__file__).read_text(encoding="utf-8"),
                                *(module.key for module in result.modules.values()))

    def work(self, folder, runner):
        """Writes netlist.json, netlist.v, buffers.json and tied.json."""
        modules = {}
        for name, result in self.result.modules.items():
            module = json.loads(result.json.read_text(encoding="utf-8"))["modules"][name]
            _plain_names(module)
            modules[name] = module
        _spread_constants(modules, self.result.top)
        counts = buffers.insert(modules, self.result.top, self.result.cells)
        modules[self.result.design.top] = modules.pop(self.result.top)
        tied = _tied(modules[self.result.design.top])
        (folder / "tied.json").write_text(json.dumps(tied, indent=1), encoding="utf-8")
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
