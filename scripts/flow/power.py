# SPDX-License-Identifier: Apache-2.0
"""Power of netlists while they work on a trace's operands: runs of tdgate, kept by content."""

import dataclasses
import json
import pathlib

from toolbox import tools
from toolbox.errors import CheckError, UserError

from netlists import store

TRACE = tools.ROOT / "verify" / "traces" / "plain.safetensors"
FORMAT = "tensordash-gate-2"
PASSES = 8192    # drawn for each operation


@dataclasses.dataclass(frozen=True)
class Power:
    """What tdgate found for one netlist. Figures are of zero delay."""

    folder: pathlib.Path
    key: str
    result: dict      # of FORMAT; see sim/gate/replay/gate_json.cpp

    @property
    def ops(self):
        """Name of the operation -> its part of the result."""
        return {op["op"]: op for op in self.result["ops"]}


def carried_traces():
    """Those in verify/traces, the default first."""
    return sorted(TRACE.parent.glob("*.safetensors"), key=lambda path: (path != TRACE, path))


def trace_file(argument):
    """The trace that was asked for, or the default; throws UserError."""
    path = pathlib.Path(argument) if argument is not None else TRACE
    tools.file_digest(path, f"a trace as scripts/capture.py writes it, such as those in {TRACE.parent}")
    return path.resolve()


class _Job:
    def __init__(self, netlist, timing, trace, dense_mode, records, placed=None):
        self.netlist, self.timing, self.trace, self.placed = netlist, timing, trace, placed
        self.dense_mode, self.records = dense_mode, records
        self.options = self._options()  # of this process: a shard has constants of its own
        configuration = (netlist.design.folder / f"{netlist.design.name}.toml")
        self.key = tools.digest(
            netlist.key, timing.key, netlist.synthesis.cells.library.digest, configuration.read_text(),
            tools.file_digest(tools.TDGATE), tools.file_digest(trace), *self.options,
            *([placed.key] if placed else []))

    def _options(self):
        cells = self.netlist.synthesis.cells
        # Buffers that timing did not see, of the clock and placed ones, have the slew that the clock has.
        options = ["--clock-ns", f"{self.timing.clock_ns:.9g}", "--passes", str(PASSES),
                   "--slew-ns", f"{cells.timing.clock_slew_ns:g}", "--wire-pF-per-fanout", f"{cells.wire_pf:g}",
                   "--clock-buffer", cells.power.clock_buffer,
                   "--clock-buffer-fanout", str(cells.power.clock_buffer_fanout)]
        for block in self.records:
            options += ["--record", block, f"{block}.hex"]
        return options + (["--dense-mode"] if self.dense_mode else [])

    def work(self, folder, runner):
        """Leaves power.json, and BLOCK.hex of each block that is recorded."""
        design = self.netlist.design
        runner.run([str(tools.TDGATE), "--config", design.folder / f"{design.name}.toml",
                    "--liberty", self.netlist.synthesis.cells.library.path,
                    "--netlist", self.netlist.json, "--trace", self.trace,
                    "--slews", self.timing.folder / "slews.txt", "--json", "power.json",
                    *(["--loads", self.placed.loads] if self.placed else []), *self.options], folder / "log.txt", folder)

    def result(self, folder):
        """The Power that the work left; a reference model that was not compared is an error."""
        result = json.loads((folder / "power.json").read_text(encoding="utf-8"))
        if result["format"] != FORMAT:
            raise CheckError(f"power.json: format = {result['format']} is illegal; legal: {FORMAT}")
        for op in result["ops"]:
            if op["mismatches"] != 0 or op["outputs_compared"] == 0:
                raise CheckError(f"{self.netlist.design.name}: {op['op']}: {op['mismatches']} of "
                                 f"{op['outputs_compared']} outputs differ from the reference model")
        return Power(folder, self.key, result)


def measure(runs, trace, runner):
    """Power of several runs, at once. A run is a netlist.Netlist, its Timing, whether it is told to
    drop nothing, names of blocks whose inputs are recorded, and a placement.Placed, if it is placed."""
    for netlist, *_ in runs:
        if netlist.synthesis.cells.power is None:
            raise UserError(netlist.synthesis.cells.file, "power", "(absent)",
                            "a description with a [power] table, by --cells; see constraints/cells")
    jobs = [_Job(netlist, timing, trace, *others) for netlist, timing, *others in runs]
    folders = store.run("power", jobs, runner, "replays of the netlists")
    return [job.result(folders[job.key]) for job in jobs]
