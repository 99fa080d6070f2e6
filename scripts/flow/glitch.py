# SPDX-License-Identifier: Apache-2.0
"""Glitches of leaf blocks: Icarus with OpenSTA's delays, on operands that tdgate recorded.

A block is simulated alone, its cells' delays from an SDF file, its inputs changing together behind
each clock edge: glitches of the blocks in front of it are not passed on. Its operands are those of
all its instances, a few clocks of each that is drawn. All changes of each net are
counted, and those that are left when the clock ends. Both counts go through tdgate's own
power code (tdpower); the ratio of what internal and switching power come to is the block's factor."""

import dataclasses
import json
import pathlib
import re

from toolbox import tools
from toolbox.errors import CheckError

from netlists import recipe, sta, store

from . import vcd

SHARE = 0.02       # of the area, that the instances of a block must have for one of them to be simulated
WINDOWS = 60       # stretches of clocks, spread over what was recorded: over all operations
GROUPS = ("sequential", "combinational")

_SDF = """\
read_liberty {liberty}
read_verilog {verilog}
link_design {block}
set_cmd_units -time ns -capacitance pF
set_driving_cell -lib_cell {driving_cell} [all_inputs]
set_load {load} [all_outputs]
write_sdf -no_timestamp -divider . block.sdf
puts finished
exit
"""

# Nets of one bit each: Icarus works out a whole vector whenever one of its bits moves.
_SPLIT = """\
read_json {json}
select {modules}
splitnets -ports
write_verilog -noattr -noexpr -simple-lhs -selected block.v
"""

_BENCH = """\
`timescale 1ns/1ps
module bench;
  reg clk = 1'b0;
  reg [{last_bit}:0] vectors [0:{last}];
  reg [{last_bit}:0] in;
  integer i;
  {block} dut ({ports});
  initial begin
    $sdf_annotate("annotated.sdf", dut);
    $readmemh("vectors.hex", vectors);
    in = vectors[0];
    $dumpfile("block.vcd");
    $dumpvars(0, dut);
    #{period};
    for (i = 0; i <= {last}; i = i + 1) begin
      clk = 1'b1;
      #{arrival} in = vectors[i];
      #{high} clk = 1'b0;
      #{half};
    end
    $finish;
  end
endmodule
"""


@dataclasses.dataclass(frozen=True)
class Block:
    """What was counted in one instance, and the factors that power is multiplied by."""

    name: str
    clocks: int
    settled: int           # changes of nets from the end of a clock to the end of the next
    changes: int           # all changes
    factors: dict          # of GROUPS -> at least about 1

    def as_dict(self):
        """For ppa.json."""
        return {"clocks": self.clocks, "toggles_zero_delay": self.settled, "toggles": self.changes,
                "power_factors": self.factors}


def blocks(synthesis):
    """Names of the leaf blocks that matter."""
    counts = synthesis.counts()
    total = sum(module.area * counts[name] for name, module in synthesis.modules.items())
    return tuple(name for name, module in synthesis.modules.items()
                 if name not in (synthesis.top, recipe.GATE) and set(module.children) <= {recipe.GATE}
                 and module.area * counts[name] >= SHARE * total)


def factors(glitches):
    """Block -> {group: factor}, of what measure() returned for one design."""
    return {name: block.factors for name, block in glitches.items()}


def _rewritten(sdf, gates):
    """SDF that Icarus reads: no wires, one value, no conditions; clock gates (instances) without
    delay, since the clock is ideal. Also the paths of each kind of cell."""
    sdf = re.sub(r"(?m)^ \((?:VOLTAGE|PROCESS|TEMPERATURE) .*\n", "", sdf.rstrip().removesuffix(")"))
    head, *entries = re.split(r"(?m)^ (?=\(CELL$)", sdf)
    kept, paths = [head], {}
    for entry in entries:
        instance = re.search(r"\(INSTANCE ?([^)]*)\)", entry)[1]
        cell = re.search(r'\(CELLTYPE "([^"]*)"\)', entry)[1]
        entry = re.sub(r"(?ms)^  \(TIMINGCHECK\n.*?^  \)\n", "", entry)
        entry = re.sub(r"\(COND .*?(\(IOPATH .*\))\)", r"\1", entry)
        entry = re.sub(r"\(([-0-9.]*)::([-0-9.]+)\)", r"(\2:\2:\2)", entry)
        entry = re.sub(r"\(IOPATH \((?:pos|neg)edge (\w+)\)", r"(IOPATH \1", entry)
        found = re.findall(r"\(IOPATH (\w+) (\w+) ", entry)
        paths.setdefault(cell, set()).update(found)
        if found and instance.rpartition(".")[0] not in gates:
            kept.append(entry)
    if len(kept) == 1:
        raise CheckError("OpenSTA wrote no delays")
    return " ".join(kept) + ")\n", paths


def _cells(text, paths):
    """Yosys' models of the library, with states that start at 0 and the paths of the SDF."""
    text = re.sub(r"(?ms)^(  always @(?:\((?:pos|neg)edge |\*\n    if ).*?(\w+) <?= )",
                  r"  initial \2 = 1'b0;\n\1", text)

    def module(found):
        lines = "".join(f"    ({start} => {end}) = (0, 0);\n"
                        for start, end in sorted(paths.get(found[1], ())))
        return f"{found[0][:-len('endmodule')]}  specify\n{lines}  endspecify\nendmodule" if lines \
            else found[0]

    return "`timescale 1ns/1ps\n" + re.sub(r"(?ms)^module (\w+)\b.*?^endmodule", module, text)


def _vectors(text, windows):
    """(inputs, lines): names and widths in order, and the numbers that are simulated: as many
    stretches of them, each of one instance."""
    heading = re.search(r"(?m)^// inputs (.*)$", text)[1]
    clocks = int(re.search(r"(?m)^// instances \d+, another every (\d+) clocks$", text)[1])
    inputs = [(name, int(width)) for name, width in re.findall(r"(\S+)\[(\d+)\]", heading)]
    lines = [line for line in text.splitlines() if line and not line.startswith("//")]
    stretches = [lines[begin:begin + clocks] for begin in range(0, len(lines), clocks)]
    if len(stretches) > windows:
        stretches = [stretches[index * len(stretches) // windows] for index in range(windows)]
    return inputs, [line for stretch in stretches for line in stretch]


def _bench(block, inputs, count, clock_ns):
    width = sum(bits for _, bits in inputs)
    ports, high = [], width
    for name, bits in inputs:
        high -= bits
        if name == "clk_i":
            ports.append(f".{name}(clk)")
        elif bits == 1:
            ports.append(f".{name}(in[{high}])")
        else:
            ports += [f".\\{name}[{bit}] (in[{high + bit}])" for bit in range(bits)]
    return _BENCH.format(block=block, last=count - 1, last_bit=width - 1, ports=", ".join(ports),
                         period=f"{clock_ns:.6g}", half=f"{clock_ns / 2:.6g}",
                         arrival=f"{clock_ns / 100:.6g}", high=f"{clock_ns * 0.49:.6g}")


class _Job:
    def __init__(self, netlist, timing, power, block):
        self.netlist, self.timing, self.power, self.block = netlist, timing, power, block
        self.windows = WINDOWS  # of this process: a shard has constants of its own
        self.key = tools.digest(
            netlist.key, timing.key, power.key, block, str(self.windows),
            tools.version("sta", "-version"), tools.version("iverilog"), tools.version("yosys"), tools.file_digest(tools.TDPOWER),
            *(pathlib.Path(file).read_text(encoding="utf-8") for file in (__file__, vcd.__file__)))

    def work(self, folder, runner):
        """Leaves summary.json."""
        self._write_cells(folder, runner)
        inputs, lines = _vectors((self.power.folder / f"{self.block}.hex").read_text(), self.windows)
        if len(lines) < 3:
            raise CheckError(f"{self.block}: {len(lines)} clocks were recorded, too few")
        tools.write(folder / "vectors.hex", "\n".join(lines) + "\n")
        tools.write(folder / "bench.v", _bench(self.block, inputs, len(lines), self.timing.clock_ns))
        modules = f"{self.block} {recipe.GATE}" if self._gates() else self.block
        tools.write(folder / "split.ys", _SPLIT.format(json=self.netlist.json, modules=modules))
        runner.run(["yosys", "-q", "split.ys"], folder / "split.txt", folder)
        runner.run(["iverilog", "-g2005", "-gspecify", "-s", "bench", "-o", "block.vvp", "bench.v",
                    "block.v", "cells.v"], folder / "iverilog.txt", folder)
        runner.run(["vvp", "-n", "block.vvp"], folder / "vvp.txt", folder)
        self._weigh(folder, runner, len(lines))

    def _modules(self):
        """The block, and the clock gate where it has one."""
        modules = json.loads(self.netlist.json.read_text(encoding="utf-8"))["modules"]
        return modules[self.block], modules.get(recipe.GATE)

    def _gates(self):
        """Instances of clock gates."""
        return {name for name, cell in self._modules()[0]["cells"].items()
                if cell["type"] == recipe.GATE}

    def _pins(self):
        """(instance's path, pin) of all library cells -> whether it is on the clock."""
        block, gate = self._modules()
        ports = [block["ports"].get("clk_i", {"bits": []})["bits"]]
        ports += [cell["connections"][port] for cell in block["cells"].values()
                  if cell["type"] == recipe.GATE for port in ("clk_i", "clk_o")]
        pins = {}
        for name, cell in block["cells"].items():
            if cell["type"] == recipe.GATE:
                _add_pins(gate, f"{name}/", _clocks_of(gate), pins)
        _add_pins(block, "", {bit for bits in ports for bit in bits}, pins)
        return pins

    def _write_cells(self, folder, runner):
        cells = self.netlist.synthesis.cells
        tools.write(folder / "sdf.tcl", _SDF.format(
            liberty=cells.library.path, verilog=self.netlist.verilog, block=self.block,
            driving_cell=cells.driving_cell, load=f"{cells.load_pf:g}"))
        sta.tcl("sdf.tcl", folder, runner)
        tools.write(folder / "models.ys",
                    f"read_liberty -ignore_miss_func {cells.library.path}\n"
                    "write_verilog -noattr models.v\n")
        runner.run(["yosys", "-q", "models.ys"], folder / "models.txt", folder)
        sdf, paths = _rewritten((folder / "block.sdf").read_text(), self._gates())
        tools.write(folder / "annotated.sdf", sdf)
        tools.write(folder / "cells.v", _cells((folder / "models.v").read_text(), paths))

    def _weigh(self, folder, runner, clocks):
        cells = self.netlist.synthesis.cells
        clock_ps = round(self.timing.clock_ns * 1000)
        seen = vcd.read(folder / "block.vcd", clock_ps, clocks)
        pins = {}
        for key, is_clock in self._pins().items():
            if key in seen:
                pins[key] = net = seen[key]
                # A clock is low again when a clock ends, which is no reason not to count it.
                if is_clock:
                    net.settled = net.changes
        counted = clocks - 1
        for counts in ("settled", "changes"):
            tools.write(folder / f"{counts}.txt", "".join(
                f"{path} {pin} {getattr(net, counts) / counted:.9g} {net.ones / counted:.9g}\n"
                for (path, pin), net in pins.items()))
        runner.run([str(tools.TDPOWER), "--liberty", cells.library.path, "--netlist",
                    self.netlist.json, "--top", self.block, "--clock", "clk_i", "--clock-ns",
                    f"{self.timing.clock_ns:.9g}", "--slews", self.timing.folder / "slews.txt",
                    "--wire-pF-per-fanout", f"{cells.wire_pf:g}",
                    "--activity", "settled.txt", "--activity", "changes.txt"],
                   folder / "power.txt", folder)
        nets = set(pins.values())
        summary = {"clocks": counted, "settled": sum(net.settled for net in nets),
                   "changes": sum(net.changes for net in nets),
                   "factors": _factors((folder / "power.txt").read_text())}
        if summary["settled"] == 0:
            raise CheckError(f"{self.block}: nothing moved in the glitch simulation")
        for file in ("block.vcd", "block.vvp", "block.v", "cells.v", "models.v", "block.sdf"):
            (folder / file).unlink()
        tools.write(folder / "summary.json", json.dumps(summary, indent=1))

    def result(self, folder):
        """The Block that the work left."""
        summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
        return Block(self.block, **summary)


def _clocks_of(gate):
    """Nets of a clock gate that are on the clock: its ports', and what an inverter makes of it."""
    clocks = {bit for port in ("clk_i", "clk_o") for bit in gate["ports"][port]["bits"]}
    for cell in gate["cells"].values():
        bits = [bits[0] for bits in cell["connections"].values()]
        if len(bits) == 2 and clocks & set(bits):
            clocks.update(bits)
    return clocks


def _add_pins(module, prefix, clocks, pins):
    for name, cell in module["cells"].items():
        if cell["type"] != recipe.GATE:
            for pin, bits in cell["connections"].items():
                pins[prefix + name, pin] = bits[0] in clocks


def _factors(text):
    """By group, from tdpower's lines for settled and for all changes."""
    found = [(group, float(internal) + float(switching)) for group, internal, switching, _
             in (line.split() for line in text.splitlines())]
    half = len(found) // 2
    return {group: after / before if before > 0 else 1.0
            for (group, before), (_, after) in zip(found[:half], found[half:]) if group in GROUPS}


def measure(measured, runner):
    """Name -> Block of each of several designs: (netlist.Netlist, Timing, Power with the records of
    blocks())."""
    jobs = [[_Job(*one, block) for block in blocks(one[0].synthesis)] for one in measured]
    folders = store.run("glitches", [job for group in jobs for job in group], runner,
                        "glitch simulations")
    return [{job.block: job.result(folders[job.key]) for job in group} for group in jobs]
