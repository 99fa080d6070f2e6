#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of scripts/flow: constraints, timing and buffers, on the tiny tile.

usage: test_timing.py TDGEN
"""

import functools
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from netlists import buffers, cells, recipe, timing
from netlists.constraints import BODY, Constraints
from netlists.sta import Path, Point, run
from toolbox.errors import CheckError, UserError
from toolbox.manifest import Manifest

CELLS = cells.load()
LIBERTY = CELLS.library.path

# A tile's ports around a clock gate whose enable comes late: half a period is what it has.
GATED = """
module gate(input clk_i, input en_i, output clk_o);
  wire en_q;
  DFFNEGX1 n (.CLK(clk_i), .D(en_i), .Q(en_q));
  AND2X2 a (.A(clk_i), .B(en_q), .Y(clk_o));
endmodule
module gated_tile(clk_i, rst_ni, dense_i, out_ready_i, out_valid_o, cycles_o);
  input clk_i, rst_ni, dense_i, out_ready_i;
  output out_valid_o, cycles_o;
  wire first_q, gated, d0, d1, d2, d3, d4;
  DFFSR first (.CLK(clk_i), .D(dense_i), .R(rst_ni), .S(1'b1), .Q(first_q));
  XOR2X1 x0 (.A(first_q), .B(first_q), .Y(d0));
  XOR2X1 x1 (.A(first_q), .B(d0), .Y(d1));
  XOR2X1 x2 (.A(first_q), .B(d1), .Y(d2));
  XOR2X1 x3 (.A(first_q), .B(d2), .Y(d3));
  XOR2X1 x4 (.A(first_q), .B(d3), .Y(d4));
  gate gate (.clk_i(clk_i), .en_i(d4), .clk_o(gated));
  DFFPOSX1 last (.CLK(gated), .D(out_ready_i), .Q(out_valid_o));
  DFFPOSX1 other (.CLK(clk_i), .D(first_q), .Q(cycles_o));
endmodule
"""


def scratch():
    folder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    return pathlib.Path(folder.name)


@functools.cache
def tiny():
    """Folder of the tiny design."""
    folder = scratch()
    subprocess.run([sys.argv[1], "--config", "tiny", "--out", folder], check=True,
                   stdout=subprocess.DEVNULL)
    return folder


def names():
    """Of its blocks."""
    return timing.Names(Manifest(tiny() / "tiny.json"))


class Tiny(unittest.TestCase):
    """The tiny tile, synthesised once."""

    @classmethod
    def setUpClass(cls):
        cls.folder = scratch()
        files = (tiny() / "tiny.f").read_text().split()
        elaboration = recipe.elaboration(files, "tiny_tile", "td1")
        (cls.folder / "abc.constr").write_text("set_driving_cell BUFX4\nset_load 30\n")
        cls.netlist, cls.json = cls.folder / "tiny.v", cls.folder / "tiny.json"
        (cls.folder / "synthesise.ys").write_text(
            f"{elaboration}synth -top tiny_tile\ndfflibmap -liberty {LIBERTY}\n"
            f"abc -liberty {LIBERTY} -constr abc.constr\nopt_clean\n"
            f"rename -enumerate -pattern g% */c:$*\n"
            f"write_verilog -noattr -noexpr -simple-lhs {cls.netlist}\nwrite_json {cls.json}\n")
        subprocess.run(["yosys", "-q", "synthesise.ys"], cwd=cls.folder, check=True)
        cls.slews = cls.folder / "slews.txt"
        cls.timing = cls.analyse(20, slews=cls.slews)

    @classmethod
    def analyse(cls, clock_ns, **extra):
        return timing.analyse([cls.netlist], "tiny_tile", names(), CELLS, clock_ns, cls.folder, **extra)

    def test_every_path_has_a_constraint(self):
        self.assertGreater(self.timing.endpoints, 1000)
        # The synchroniser's first register and the intake's open_q take a constant 1.
        self.assertEqual(self.timing.constants, 2)

    def test_a_missing_constraint_is_reported(self):
        body = BODY.read_text()
        for constraint, missing in [(" dense_i", "dense_i"), (" stalls_o*", "stalls_o"),
                                    (" b_last_i*", "b_last_i")]:
            with self.subTest(missing):
                self.assertIn(constraint, body)
                with self.assertRaises(CheckError) as caught:
                    self.analyse(20, body=body.replace(constraint, ""))
                self.assertIn("a path without a constraint", str(caught.exception))
                self.assertIn(missing, str(caught.exception))

    def test_a_missing_clock_is_reported(self):
        lines = BODY.read_text().splitlines()
        body = "\n".join(line for line in lines if not line.startswith("create_clock")) + "\n"
        with self.assertRaises(CheckError):
            self.analyse(20, body=body)

    def test_the_fastest_clock_is_met_and_a_faster_one_is_not(self):
        fastest = self.timing.fastest_ns
        self.assertAlmostEqual(self.analyse(fastest).setup_slack, 0, places=3)
        with self.assertRaises(CheckError) as caught:
            self.analyse(0.8 * fastest).check("tiny.toml")
        message = str(caught.exception)
        self.assertEqual(len(message.splitlines()), 1)
        self.assertTrue(message.startswith("tiny.toml: a clock of "), message)
        for part in ("cannot be met", "what helps", f"or a clock of {fastest:.2f} ns or slower"):
            self.assertIn(part, message)

    def test_both_loops_are_reported(self):
        self.assertEqual(set(self.timing.loops), {"accumulation", "scheduler"})
        loop = self.timing.loops["accumulation"]
        self.assertEqual(loop.block, "accumulator's adder")
        self.assertIn("tile.numerics.accumulators", loop.remedy)
        self.assertIn("scheduler", [step.block for step in self.timing.loops["scheduler"].steps])
        for bound in self.timing.loops.values():
            self.assertLessEqual(bound.period, self.timing.fastest_ns)
            self.assertEqual(bound.path.gates, sum(step.gates for step in bound.steps))

    def test_every_cell_input_has_a_slew(self):
        modules = json.loads(self.json.read_text())["modules"]
        outputs = {"Y", "Q", "YC", "YS"}
        expected = {
            (name, cell, pin)
            for name, module in modules.items() for cell, entry in module["cells"].items()
            if entry["type"] not in modules for pin in entry["connections"] if pin not in outputs}
        lines = [line.split() for line in self.slews.read_text().splitlines()]
        found = {(module.replace("\\", ""), instance, pin) for module, instance, pin, _ in lines}
        self.assertEqual(len(lines), len(found))
        self.assertEqual(found, {(module.replace("\\", ""), cell, pin)
                                 for module, cell, pin in expected})
        for _, _, pin, slew in lines:
            self.assertGreaterEqual(float(slew), 0)
            if pin == "CLK":
                self.assertEqual(float(slew), CELLS.timing.clock_slew_ns)
        self.assertGreater(timing.steepest(self.slews, 1)[0][0], 0.1)

    def test_buffers_make_slews_short(self):
        netlist = json.loads(self.json.read_text())
        modules = {name: module for name, module in netlist["modules"].items()
                   if name not in CELLS.library.cells}
        counts = buffers.insert(modules, "tiny_tile", CELLS)
        self.assertGreater(counts["tiny_tile"], 0)
        buffered = self.folder / "buffered.json"
        buffered.write_text(json.dumps(netlist | {"modules": modules}))
        subprocess.run(["yosys", "-q", "-p", f"read_json {buffered}; write_verilog -noattr -noexpr "
                        f"-simple-lhs {self.folder}/buffered.v"], check=True)
        slews = self.folder / "buffered.txt"
        timing.analyse([self.folder / "buffered.v"], "tiny_tile", names(), CELLS, 20,
                       self.folder, slews=slews)
        worst = timing.steepest(slews, 1)[0][0]
        self.assertLess(worst, 1.0)
        self.assertLess(worst, timing.steepest(self.slews, 1)[0][0])


class Gated(unittest.TestCase):
    def setUp(self):
        self.folder = scratch()
        self.netlist = self.folder / "gated.v"
        self.netlist.write_text(GATED)

    def analyse(self, clock_ns):
        return timing.analyse([self.netlist], "gated_tile", names(), CELLS, clock_ns,
                              self.folder)

    def test_the_enable_of_a_clock_gate_has_half_a_period(self):
        result = self.analyse(4)
        enable = [bound for bound in result.bounds if bound.path.end.endswith("en_q")]
        self.assertEqual([bound.fraction for bound in enable], [0.5])
        self.assertEqual(result.bounds[0], enable[0])
        self.assertIn("in half a period", enable[0].text())
        self.assertIn("**clock_gating_default**", [bound.path.group for bound in result.bounds])
        self.assertAlmostEqual(self.analyse(result.fastest_ns).setup_slack, 0, places=3)

    def test_a_missing_cell_is_no_success(self):
        self.netlist.write_text(GATED.replace("XOR2X1", "XOR9X9"))
        with self.assertRaises(CheckError):
            self.analyse(4)

    def test_a_missing_program_is_named(self):
        with self.assertRaises(UserError) as caught:
            run([], "tile", LIBERTY, "none.sdc", {}, 0.1, self.folder, sta="no-such-sta")
        self.assertIn("no-such-sta", str(caught.exception))


class Search(unittest.TestCase):
    @staticmethod
    def result(fastest):
        return timing.Timing(fastest, fastest, 0, 0, 1, 0, [], {})

    def test_ends_when_nothing_is_gained(self):
        reached = {10: 8.0, 8.0: 7.0, 7.0: 7.3}
        best, target, tried = timing.find_clock(lambda ns: self.result(reached[ns]), 10)
        self.assertEqual((best.fastest_ns, target), (7.0, 8.0))
        self.assertEqual([attempt.fastest_ns for attempt in tried], [8.0, 7.0, 7.3])

    def test_one_attempt_is_enough_when_the_target_is_reached(self):
        tried = timing.find_clock(lambda ns: self.result(5.0), 5.0)[2]
        self.assertEqual(len(tried), 1)

    def test_ports_take_their_share(self):
        path = Path("clk", False, -1.0, 9.0, "^", "^", "a_rows_i[0]", "u_tile.u_intake.open_q",
                    True, False, (Point("a_rows_i[0]", "port", 2.0, 0.1, 1),
                                  Point("u_tile.u_intake.g1.Y", "X", 9.0, 0.1, 1)))
        bound = timing._bound(path, Constraints.of(CELLS, 8), names())
        self.assertEqual([step.block for step in bound.steps], ["input", "intake"])
        self.assertAlmostEqual(bound.period, 8 + 1 / 0.8)


class Trees(unittest.TestCase):
    LOADS = {("BUF", "A"): 1.0, ("BUF", "Y"): None, ("INV", "A"): 1.0, ("INV", "Y"): None,
             ("DFF", "CLK"): 1.0, ("DFF", "D"): 1.0, ("DFF", "Q"): None}

    def setUp(self):
        self.trees = buffers.Buffers("BUF", "A", "Y", 1.0, 4.0)
        cells = {f"sink{i}": self.cell("INV", {"A": 3}, {"Y": 100 + i}) for i in range(30)}
        cells |= {f"dff{i}": self.cell("DFF", {"CLK": 2, "D": 3}, {"Q": 200 + i}) for i in range(9)}
        self.leaf = {"ports": {"clk_i": {"direction": "input", "bits": [2]},
                               "en_i": {"direction": "input", "bits": [3]}},
                     "cells": cells, "netnames": {"clk_i": {"bits": [2]}, "en_i": {"bits": [3]}}}

    @staticmethod
    def cell(kind, inputs, outputs):
        return {"type": kind, "connections": {pin: [bit] for pin, bit in (inputs | outputs).items()}}

    def load(self, kind, pin):
        return self.LOADS[kind, pin]

    def test_nothing_drives_more_than_the_limit(self):
        count = self.trees.insert("leaf", self.leaf, self.load)
        loads, driver = {}, {}
        for cell in self.leaf["cells"].values():
            for pin, (bit,) in cell["connections"].items():
                if self.LOADS[cell["type"], pin] is not None:
                    loads[bit] = loads.get(bit, 0) + 1
                elif cell["type"] == "BUF":
                    driver[bit] = cell["connections"]["A"][0]
        self.assertEqual(count, len(driver))
        self.assertEqual(loads.pop(2), 9)  # the clock waits for its tree
        self.assertLessEqual(max(loads.values()), 4)
        for name, cell in self.leaf["cells"].items():
            bit = cell["connections"].get("D", cell["connections"]["A"] if "A" in cell["connections"] else None)
            bit = bit[0]
            while bit in driver:
                bit = driver[bit]
            self.assertEqual(bit, 3, name)
        self.assertEqual(self.trees.ports["leaf"]["en_i", 0], 1.0)

    def test_what_stands_above_sees_one_buffer(self):
        self.trees.insert("leaf", self.leaf, self.load)
        top = {"ports": {"en_i": {"direction": "input", "bits": [3]}}, "netnames": {},
               "cells": {f"leaf{i}": {"type": "leaf", "connections": {"en_i": [3], "clk_i": [2]}}
                         for i in range(3)}}
        self.assertEqual(self.trees.insert("top", top, self.load), 0)
        self.assertEqual(self.trees.ports["top"]["en_i", 0], 3.0)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("test_timing.py: usage: test_timing.py TDGEN")
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
