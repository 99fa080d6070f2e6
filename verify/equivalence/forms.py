# SPDX-License-Identifier: Apache-2.0
"""Both forms of a module in simple gates: the RTL as Yosys elaborates it, and its netlist."""

import json
import re

from netlists import recipe

from . import cut

# No optimisation that could hide a difference.
_GATES = ("techmap; dfflegalize -cell $_DFF_P_ x -cell $_DFF_N_ x -cell $_DFF_PN?_ x -cell $_DLATCH_N_ x; "
          "opt_clean")
# Arithmetic becomes gates as in synthesis, which leaves proofs something to hold on to.
GATES = f"alumacc; {_GATES}"
# A product is what synthesis makes of it, which is for product.py to prove.
PRODUCTS = f"wreduce t:$mul; opt_clean; techmap -map {recipe.MULTIPLIERS} t:$mul; opt_clean; "
_GOLD = f"read_rtlil gold.il; hierarchy -check -top {{name}}; {PRODUCTS}"
# Forms between RTL and netlist: additions one by one, in the RTL and where synthesis is about to
# gather them into sums of many terms; and such sums.
_FRONT = recipe.FRONT.replace("\n", "; ").replace(recipe.MULTIPLIERS.name, str(
    recipe.MULTIPLIERS)).split("alumacc; ", 1)[0]
_BETWEEN = {"plain": _GATES, "reduced": _FRONT + _GATES, "gathered": _FRONT + GATES}
# Library cells by their liberty functions.
_GATE = ("read_liberty -ignore_miss_func {liberty}; read_json netlist.json; hierarchy -top {name}; "
         "flatten; opt_clean; write_json gate.json")

_PORT = re.compile(r"(?m)^  wire .*?(input|output) \d+ \\(\S+)$")

# What the clock gate must do: the enable that the low phase ends with decides on the high phase.
GATE_RTL = f"""\
module {recipe.GATE} (input clk_i, input en_i, output clk_o);
  reg enable_q;
  always @* if (!clk_i) enable_q = en_i;
  assign clk_o = clk_i & enable_q;
endmodule
"""


def child_ports(module, sources):
    """Module -> port -> direction, of those inside a rtlil.Module."""
    return {child: {name: direction for direction, name in _PORT.findall(sources[child].stub)}
            for child in module.children}


def _run(runner, folder, log, script):
    runner.run(["yosys", "-q", "-p", script], folder / log, folder)


def _read(folder, file, name, ports):
    modules = json.loads((folder / file).read_text(encoding="utf-8"))["modules"]
    return cut.read(modules[name], ports)


def gold(folder, name, source, ports, runner):
    """The RTL of a module, its RTLIL being `source`."""
    (folder / "gold.il").write_text(source, encoding="utf-8")
    _run(runner, folder, "gold.txt", f"{_GOLD.format(name=name)}{GATES}; write_json gold.json")
    return _read(folder, "gold.json", name, ports)


def between(folder, name, ports, runner):
    """Form -> the RTL that gold() has left, on its way to the netlist."""
    result = {}
    for form, passes in _BETWEEN.items():
        _run(runner, folder, f"{form}.txt",
             f"{_GOLD.format(name=name)}{passes}; write_json {form}.json")
        result[form] = _read(folder, f"{form}.json", name, ports)
    return result


def gate(folder, name, netlist, liberty, ports, runner):
    """A netlist in library cells, as JSON."""
    (folder / "netlist.json").write_text(netlist, encoding="utf-8")
    _run(runner, folder, "gate.txt", _GATE.format(name=name, liberty=liberty))
    return _read(folder, "gate.json", name, ports)


def clock_gate(folder, runner):
    """The clock gate's specification."""
    (folder / "gold.v").write_text(GATE_RTL, encoding="utf-8")
    _run(runner, folder, "gold.txt", f"read_verilog gold.v; proc; {GATES}; write_json gold.json")
    return _read(folder, "gold.json", recipe.GATE, {})
