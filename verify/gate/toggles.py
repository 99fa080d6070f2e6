#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Toggles of every pin of synthesised blocks, ours beside Icarus Verilog's: they must be equal.

usage: toggles.py TDGEN TDTOGGLES [BLOCK ...]   (all blocks of the list below)

The cells that Icarus simulates are what Yosys makes of the liberty file, so that our reader of
liberty is compared as well. Icarus writes the values at the end of each time step (VCD): changes
between these are what a simulator without delays counts.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

LIBERTY = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib"
HERE = pathlib.Path(__file__).resolve().parent
MULTIPLIER = str(HERE.parents[1] / "hw" / "fp" / "td1_multiplier.v")
RESET_CLOCKS = 4  # as in tdtoggles: not counted

# The longest first: (name, preset or None, sources: None for the preset's, top, parameters, clocks)
BLOCKS = [
    ("tile", "tiny", None, "tiny_tile", {}, 30),
    ("mac16", None, [str(HERE / "mac16.v")], "mac16", {}, 500),
    ("multiplier", None, [MULTIPLIER], "td1_multiplier", {"WIDTH": 32, "EXP": 8}, 200),
    ("pipelined multiplier", None, [MULTIPLIER], "td1_multiplier",
     {"WIDTH": 32, "EXP": 8, "REGISTERS": 2}, 200),
]


def run(*command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def synthesise(tdgen, block, folder):
    """Writes net.json, net.v and cells.v."""
    _, preset, sources, top, parameters, _ = block
    if preset is not None:
        run(tdgen, "--config", preset, "--out", ".", folder=folder)
        sources = (folder / f"{preset}.f").read_text().split()
    values = "".join(f"chparam -set {name} {value} {top}; " for name, value in parameters.items())
    run("yosys", "-q", "-p",
        f"read_verilog {' '.join(sources)}; {values}synth -top {top}; "
        f"dfflibmap -liberty {LIBERTY}; abc -liberty {LIBERTY}; opt_clean; "
        "write_verilog -noattr -noexpr -norename net.v; write_json net.json; "
        f"design -reset; read_liberty {LIBERTY}; write_verilog -noattr raw_cells.v", folder=folder)
    # States start at 0, once the time step is over in which the clock gets its first value. Those
    # with asynchronous pins are reset.
    cells = (folder / "raw_cells.v").read_text()
    cells, count = re.subn(r"(  always @\((?:pos|neg)edge CLK\)\n    (\w+) <= )",
                           r"  initial #1 \2 = 1'b0;\n\1", cells)
    assert count >= 2, "no flip-flops among the cells"
    (folder / "cells.v").write_text(cells)


def inputs_of(netlist, top):
    """Names and widths of the input ports but the clock, in the order of the netlist."""
    ports = json.loads(netlist.read_text())["modules"][top]["ports"]
    return [(name, len(port["bits"])) for name, port in ports.items()
            if port["direction"] == "input" and name != "clk_i"]


def write_bench(folder, top, clocks):
    inputs = inputs_of(folder / "net.json", top)
    width = sum(bits for _, bits in inputs)
    steps = RESET_CLOCKS + clocks
    ports, high = [], width
    for name, bits in inputs:
        ports.append(f".{name}(in[{high - 1}:{high - bits}])")
        high -= bits
    (folder / "bench.v").write_text(f"""`timescale 1ns/1ns
module bench;
  reg clk = 1'b1;
  reg [{width - 1}:0] vectors [0:{steps - 1}];
  reg [{width - 1}:0] in;
  integer i;
  {top} dut (.clk_i(clk), {", ".join(ports)});
  initial begin
    $readmemb("vectors", vectors);
    in = vectors[0];
    $dumpfile("bench.vcd");
    $dumpvars(0, dut);
    #1;
    for (i = 1; i < {steps}; i = i + 1) begin
      #1 clk = 1'b0;
      #1 clk = 1'b1;
      in <= vectors[i];  // after all flip-flops, those of gated clocks too, have loaded
    end
    #1 $finish;
  end
endmodule
""")
    return 2 * steps - 1  # time of the last settled state


def settled_time(clock):
    return 2 * clock + 1


class Signal:
    """What a signal did in the counted clocks."""

    def __init__(self):
        self.value = "x"
        self.toggles = 0
        self.changes = []  # (time, value), the last value before the counted time first
        self.unknown = False

    def change(self, time, value):
        if value == self.value:
            return  # Icarus also writes what changed and came back within the time step
        if time > settled_time(RESET_CLOCKS - 1):
            self.toggles += 1
            self.unknown |= value not in "01" or self.value not in "01"
            self.changes.append((time, value))
        else:
            self.changes = [(time, value)]
        self.value = value

    def ones(self, clocks):
        """Settled states that are one; the mean with those of the low clock if it moves there."""
        high = low = 0
        end = settled_time(RESET_CLOCKS + clocks - 1) + 1
        following = [time for time, _ in self.changes[1:]] + [end]
        for (time, value), until in zip(self.changes, following):
            if value == "1":
                time = max(time, settled_time(RESET_CLOCKS) - 1)
                high += until // 2 - time // 2  # odd times
                low += (until + 1) // 2 - (time + 1) // 2
        moved = any(time % 2 == 0 for time in following[:-1])
        return (high + low) // 2 if moved else high


def read_vcd(path):
    """Signals by path and pin."""
    signals, names, scope = {}, {}, []
    time = 0
    with open(path) as file:
        for line in file:
            if line[0] in "01xz":
                signal = signals.get(line[1:-1])
                if signal is not None:
                    signal.change(time, line[0])
            elif line[0] == "#":
                time = int(line[1:])
            elif line.startswith("$scope"):
                scope.append(line.split()[2].lstrip("\\"))
            elif line.startswith("$upscope"):
                scope.pop()
            elif line.startswith("$var"):
                _, _, width, code, name = line.split()[:5]
                if width == "1" and not re.fullmatch(r"_\d+_", name):  # a cell's own
                    signals.setdefault(code, Signal())
                    names["/".join(scope[2:]) + " " + name.lstrip("\\")] = code
    return signals, names


def compare(block, folder):
    """Differences, and what was compared."""
    clocks = block[5]
    signals, names = read_vcd(folder / "bench.vcd")
    cached = {}
    bad, pins, total, moving = [], 0, 0, set()
    for line in (folder / "toggles").read_text().splitlines():
        path, pin, toggles, ones = line.rsplit(" ", 3)
        code = names.get(f"{path} {pin}")
        if code is None:
            bad.append(f"{path}.{pin}: not in Icarus's")
            continue
        signal = signals[code]
        if code not in cached:
            cached[code] = signal.ones(clocks)
        pins += 1
        total += int(toggles)
        if signal.toggles > 0:
            moving.add(code)
        theirs = (signal.toggles, cached[code])
        if signal.unknown or theirs != (int(toggles), int(ones)):
            bad.append(f"{path}.{pin}: {toggles} toggles, {ones} ones; Icarus {theirs[0]}, "
                       f"{theirs[1]}{', unknown values' if signal.unknown else ''}")
    return bad, pins, total, len(moving), len(cached)


def check(tdgen, tdtoggles, block):
    name, _, _, top, _, clocks = block
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        synthesise(tdgen, block, folder)
        reset = [word for port, _ in inputs_of(folder / "net.json", top) if port == "rst_ni"
                 for word in ("--reset", port)]
        run(tdtoggles, "--liberty", LIBERTY, "--netlist", "net.json", "--top", top, "--clock",
            "clk_i", "--clocks", str(clocks), "--vectors", "vectors", "--toggles", "toggles",
            *reset, folder=folder)
        write_bench(folder, top, clocks)
        run("iverilog", "-g2005", "-o", "bench.vvp", "bench.v", "net.v", "cells.v", folder=folder)
        run("vvp", "-n", "bench.vvp", folder=folder)
        bad, pins, total, moving, nets = compare(block, folder)
    lines = [f"{name}: {pins} pins of {nets} nets, {moving} of them moving, {total} toggles in "
             f"{clocks} clocks: {len(bad)} differ"] + bad[:10]
    # Most of a block must move, or equal zeros are all that was seen.
    return not bad and pins > 1000 and moving > 0.5 * nets, lines


def main():
    tdgen, tdtoggles = (str(pathlib.Path(argument).resolve()) for argument in sys.argv[1:3])
    blocks = [block for block in BLOCKS if not sys.argv[3:] or block[0] in sys.argv[3:]]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda block: check(tdgen, tdtoggles, block), blocks))
    for _, lines in results:
        print("\n".join(lines))
    sys.exit(0 if all(passed for passed, _ in results) else 1)


if __name__ == "__main__":
    main()
