# SPDX-License-Identifier: Apache-2.0
"""A design placed and routed in an iCE40 by nextpnr: its logic cells, and its clock."""

import dataclasses
import json
import re

from netlists import store
from toolbox import tools
from toolbox.errors import CheckError

from . import synthesis

TOOL = "nextpnr-ice40"
HARNESS = "harness"

# A device has fewer pins than a tile has ports. Inputs come from a chain of registers and outputs go
# into another, so that every path begins and ends in one.
_HARNESS = """\
module {harness} (input clk_i, input rst_ni, input in_i, input load_i, output out_o);
  reg [{inputs}-1:0] in_q;
  reg [{outputs}-1:0] out_q;
  wire [{outputs}-1:0] out;
  assign out_o = out_q[0];
  always @(posedge clk_i) begin
    in_q <= {{in_q, in_i}};
    out_q <= load_i ? out : out_q >> 1;
  end
  {top} u_design (.clk_i(clk_i), .rst_ni(rst_ni){connections});
endmodule
"""


@dataclasses.dataclass(frozen=True)
class Routed:
    """With one seed."""

    cells: int         # logic cells, those of the harness too
    available: int     # ... that the device has
    clock_mhz: float   # or None: it has too few


def _harness(top, ports):
    """(Verilog, its registers)"""
    at, connections = {"input": 0, "output": 0}, ""
    for name, (direction, bits) in ports.items():
        if name in ("clk_i", "rst_ni"):
            continue
        vector = "in_q" if direction == "input" else "out"
        connections += f",\n    .{name}({vector}[{at[direction]}+:{bits}])"
        at[direction] += bits
    text = _HARNESS.format(harness=HARNESS, top=top, inputs=at["input"], outputs=at["output"],
                           connections=connections)
    return text, at["input"] + at["output"]


def _packed(folder):
    """(logic cells that it takes, that there are), as far as nextpnr came."""
    log = (folder / "log.txt").read_text(encoding="utf-8")
    found = re.search(r"ICESTORM_LC: +(\d+)/ *(\d+)", log)
    return tuple(map(int, found.groups())) if found else (0, 0)


def _route(netlist, device, seed, runner):
    command = [TOOL, *device.route, "--json", f"../{netlist.name}/{synthesis.NETLIST}", "--seed", str(seed),
               "--freq", "100", "--timing-allow-fail", "--pcf-allow-unconstrained", "--report", "report.json"]

    def work(folder):
        status = runner.status(command, folder / "log.txt", folder)
        cells, available = _packed(folder)
        if status != 0 and cells <= available:
            raise CheckError(f"{TOOL}: ended with status {status}; all of its output: {folder / 'log.txt'}")

    folder = store.into(synthesis.FOLDER, tools.digest(tools.version(TOOL, "--version"), *command), work)
    cells, available = _packed(folder)
    if cells > available:
        return Routed(cells, available, None)
    [clock] = json.loads((folder / "report.json").read_text(encoding="utf-8"))["fmax"].values()
    return Routed(cells, available, clock["achieved"])


def of(design, ports, family, device, seeds, runner):
    """(registers at the design's ports, a Routed of each seed). ports: as synthesis.ports() has them."""
    harness, registers = _harness(design.top, ports)
    command = family.synthesis.replace(" -noflatten", "")
    netlist = synthesis.run({**synthesis.texts(design), f"{HARNESS}.v": harness}, HARNESS, command, runner,
                            netlist=True)
    return registers, [_route(netlist, device, seed, runner) for seed in seeds]
