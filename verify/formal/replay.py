# SPDX-License-Identifier: Apache-2.0
"""Counterexamples, simulated again: Icarus starts in the state that the solver found, applies its
inputs, and must see the property fail. Its wave has every signal under the name of the source."""

_BENCH = """\
`timescale 1ns / 1ns
module replay;
{declarations}
  proof proof ({connections});
  initial begin
    $dumpfile("{wave}");
    $dumpvars(0, replay);
{state}
{clocks}
    $display("{signal}=%b", proof.{signal});
    $finish;
  end
endmodule
"""


def _read(path):
    """Signal -> bits at each time of a solver's VCD."""
    names, now, times = {}, {}, []
    for line in path.read_text(encoding="utf-8").splitlines():
        words = line.split()
        if line.startswith("$var"):
            names[words[3]] = words[4].lstrip("\\")
        elif line.startswith("#"):
            now = dict(now)
            times.append(now)
        elif line.startswith("b"):
            now[names.get(words[1])] = words[0][1:]
        elif line[:1] in ("0", "1"):
            now[names.get(line[1:])] = line[0]
    return times


def solver_clocks(path):
    """Signal -> bits in each clock, of the signals that matter. The last time is the end."""
    return _read(path)[:-1]


def _literal(bits):
    return f"{len(bits)}'b{bits}"


def bench(proof, clocks, names, output):
    """Verilog of a module `replay` that prints SIGNAL=0 where the counterexample holds. clocks:
    what the solver found; names: inputs and registers of the module `proof`; output: the wave it
    writes. What the solver has no value for does not matter."""
    inputs = [name for name in names["inputs"] if name != "clk" and name in clocks[0]]
    state = [f"    proof.{name} = {_literal(clocks[0][name])};" for name in names["registers"]
             if name in clocks[0]]
    steps = []
    for index, signals in enumerate(clocks):
        steps += [f"    {name} = {_literal(signals[name])};" for name in inputs]
        steps.append("    #5;")
        if index + 1 < len(clocks):
            steps.append("    clk = 1'b1; #5; clk = 1'b0;")
    declared = [f"  reg [{len(clocks[0][name]) - 1}:0] {name};" for name in inputs]
    return _BENCH.format(
        declarations="\n".join(["  reg clk = 1'b0;", *declared]),
        connections=", ".join(f".{name}({name})" for name in ["clk", *inputs]
                              if name in names["inputs"]),
        state="\n".join(state), clocks="\n".join(steps), wave=output, signal=proof.signal)
