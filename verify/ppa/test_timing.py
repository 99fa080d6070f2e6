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

from netlists import buffers, cells, clock_search, recipe, timing
from netlists.constraints import BODY, Constraints
from netlists.sta import Path, Point, run
from toolbox.errors import CheckError, UserError
from toolbox.manifest import Manifest

CELLS = cells.load()
LIBERTY = CELLS.library.path

# A tile's ports around a clock gate whose enable comes late: behind the middle of the clock.
GATED = """
module gate(input clk_i, input en_i, output clk_o);
  wire en_q, opens;
  INVX1 n (.A(clk_i), .Y(opens));
  LATCH l (.CLK(opens), .D(en_i), .Q(en_q));
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


# Gates of 0.1 ns and 2 ns more for each pF that they drive, whatever the slew.
LINEAR = """
library (linear) {{
  time_unit : "1ns"; capacitive_load_unit (1, pf); nom_voltage : 1;
  default_cell_leakage_power : 1; delay_model : table_lookup;
  {thresholds}
  lu_table_template (load) {{ variable_1 : total_output_net_capacitance; index_1 ("0, 1"); }}
  cell (BUF) {{ area : 1;
    pin (A) {{ direction : input; capacitance : 0.01; }}
    pin (Y) {{ direction : output; function : "A";
      timing () {{ related_pin : "A"; timing_sense : positive_unate; {tables} }} }} }}
  cell (DFF) {{ area : 1; ff (IQ, IQN) {{ next_state : "D"; clocked_on : "CLK"; }}
    pin (CLK) {{ direction : input; clock : true; capacitance : 0.002; }}
    pin (D) {{ direction : input; capacitance : 0.002; {checks} }}
    pin (Q) {{ direction : output; function : "IQ";
      timing () {{ related_pin : "CLK"; timing_type : rising_edge;
        timing_sense : non_unate; {tables} }} }} }}
}}
""".format(
    checks=" ".join(f'timing () {{ related_pin : "CLK"; timing_type : {check}_rising; rise_constraint (scalar) '
                    '{ values ("0"); } fall_constraint (scalar) { values ("0"); } }' for check in ("setup", "hold")),
    thresholds=" ".join(f"{name}_{edge} : {value};" for edge in ("rise", "fall") for name, value in (
        ("input_threshold_pct", 50), ("output_threshold_pct", 50),
        ("slew_lower_threshold_pct", 20), ("slew_upper_threshold_pct", 80))),
    tables=" ".join(f'cell_{edge} (load) {{ values ("0.1, 2.1"); }} '
                    f'{edge}_transition (scalar) {{ values ("0.1"); }}' for edge in ("rise", "fall")))

LINEAR_CELLS = """
name = "linear"
[library]
liberty = "{liberty}"
node_nm = 180
[synthesis]
driving_cell = "BUF"
load_pF = 0.01
gate = "BUF"
[timing]
clock_ns = 4
uncertainty_ns = 0
input_delay = 0.2
output_delay = 0.2
clock_slew_ns = 0.1
[wires]
pF_per_fanout = {wire}
"""

# Two gates between registers; the first of them drives three inputs.
TWO_GATES = """
module gates_tile(clk_i, rst_ni, dense_i, out_ready_i, out_valid_o, cycles_o);
  input clk_i, rst_ni, dense_i, out_ready_i;
  output out_valid_o, cycles_o;
  wire first_q, one, two;
  DFF first (.CLK(clk_i), .D(dense_i), .Q(first_q));
  BUF gate_one (.A(first_q), .Y(one));
  BUF gate_two (.A(one), .Y(two));
  DFF last (.CLK(clk_i), .D(two), .Q(out_valid_o));
  DFF side (.CLK(clk_i), .D(one), .Q(cycles_o));
  DFF side_2 (.CLK(clk_i), .D(one));
endmodule
"""


# A register that the clock reaches through one buffer, in front of one that it reaches through two.
TREE = """
module gates_tile(clk_i, rst_ni, dense_i, out_ready_i, out_valid_o, cycles_o);
  input clk_i, rst_ni, dense_i, out_ready_i;
  output out_valid_o, cycles_o;
  wire early, late, latest, first_q, last_q, there, back;
  BUF clock_one (.A(clk_i), .Y(early));
  BUF clock_two (.A(clk_i), .Y(late));
  BUF clock_three (.A(late), .Y(latest));
  DFF first (.CLK(early), .D(back), .Q(first_q));
  BUF gate (.A(first_q), .Y(there));
  DFF last (.CLK(latest), .D(there), .Q(last_q));
  BUF gate_back (.A(last_q), .Y(back));
  BUF gate_out (.A(last_q), .Y(out_valid_o));
  DFF from_port (.CLK(latest), .D(dense_i), .Q(cycles_o));
endmodule
"""
# No wire has a load.
SPEF = """*SPEF "IEEE 1481-1998"
*DESIGN "gates_tile"
*DATE "-"
*VENDOR "-"
*PROGRAM "-"
*VERSION "-"
*DESIGN_FLOW "-"
*DIVIDER /
*DELIMITER :
*BUS_DELIMITER [ ]
*T_UNIT 1 NS
*C_UNIT 1 PF
*R_UNIT 1 OHM
*L_UNIT 1 HENRY
"""


def linear(folder, wire):
    """LINEAR's cells with so much wire for each input, pF."""
    (folder / "linear.lib").write_text(LINEAR)
    description = folder / f"{wire}.toml"
    description.write_text(LINEAR_CELLS.format(liberty=folder / "linear.lib", wire=wire))
    return cells.load(description)


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
            f"{elaboration}synth -noabc -top tiny_tile\ndfflibmap -liberty {LIBERTY}\n"
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
        # The synchroniser's first register and the intake's open_q take a constant 1; the load registers
        # of the moves that tell what is ready, which nothing reads, a 0.
        self.assertEqual(self.timing.constants, 2 + 3)

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
        self.assertLess(worst, 1.2)  # of gates that ABC did not size for wires
        self.assertLess(worst, timing.steepest(self.slews, 1)[0][0])


class Wires(unittest.TestCase):
    """The wire that power charges is in timing and in buffering, too."""

    def setUp(self):
        self.folder = scratch()

    def path(self, wire):
        """From first to last."""
        netlist = self.folder / "gates.v"
        netlist.write_text(TWO_GATES)
        result = timing.analyse([netlist], "gates_tile", names(), linear(self.folder, wire), 4,
                                self.folder)
        (path,) = (bound.path for bound in result.bounds if len(bound.path.points) == 3)
        return path

    def test_each_gate_is_slower_by_the_wire_that_it_drives(self):
        bare, wired = self.path(0), self.path(0.03)
        self.assertEqual([point.cell for point in bare.points], ["DFF", "BUF", "BUF"])
        # 0.1 ns and 2 ns/pF times the inputs driven: a BUF; a BUF and two DFF; a DFF.
        for point, load in zip(bare.points, (0.01, 0.01 + 0.014, 0.01 + 0.014 + 0.002), strict=True):
            position = bare.points.index(point) + 1
            self.assertAlmostEqual(point.arrival, 0.1 * position + 2 * load, places=6)
        # 2 ns/pF times 0.03 pF for each of one, three and one inputs.
        more = [after.arrival - before.arrival
                for before, after in zip(bare.points, wired.points, strict=True)]
        for found, expected in zip(more, (0.06, 0.24, 0.30), strict=True):
            self.assertAlmostEqual(found, expected, places=6)

    def test_buffers_are_put_in_for_wires(self):
        def count(wire):
            module = {"ports": {"en_i": {"direction": "input", "bits": [2]}}, "netnames": {},
                      "cells": {f"q{i}": {"type": "DFF", "connections": {"D": [2], "Q": [3 + i]}}
                                for i in range(60)}}
            return buffers.insert({"top": module}, "top", linear(self.folder, wire))
        # 60 inputs of 0.002 pF are less than 16 of BUF's 0.01 pF; with 0.01 pF of wire they are more.
        self.assertEqual(count(0), {})
        self.assertEqual(count(0.01), {"top": 4})


class Gated(unittest.TestCase):
    def setUp(self):
        self.folder = scratch()
        self.netlist = self.folder / "gated.v"
        self.netlist.write_text(GATED)

    def analyse(self, clock_ns):
        return timing.analyse([self.netlist], "gated_tile", names(), CELLS, clock_ns,
                              self.folder)

    def test_the_enable_of_a_clock_gate_has_the_whole_period(self):
        result = self.analyse(4)
        enable = result.bounds[0]
        self.assertEqual((enable.path.start, enable.path.end), ("first_q", "gate.clk_o"))
        self.assertEqual(enable.path.group, "**clock_gating_default**")
        self.assertEqual([point.cell for point in enable.path.points[-2:]], ["XOR2X1", "LATCH"])
        self.assertEqual(enable.fraction, 1)
        fastest = self.analyse(result.fastest_ns)
        self.assertAlmostEqual(fastest.setup_slack, 0, places=3)
        self.assertGreater(enable.path.points[-1].arrival, result.fastest_ns / 2)

    def test_a_missing_cell_is_no_success(self):
        self.netlist.write_text(GATED.replace("XOR2X1", "XOR9X9"))
        with self.assertRaises(CheckError):
            self.analyse(4)

    def test_a_missing_program_is_named(self):
        with self.assertRaises(UserError) as caught:
            run([], "tile", LIBERTY, "none.sdc", {}, 0.1, self.folder, sta="no-such-sta",
                opens=1)
        self.assertIn("no-such-sta", str(caught.exception))


class Search(unittest.TestCase):
    """On tiles whose fastest clock is a function of what was asked for."""

    @staticmethod
    def search(start, **reached):
        """The tries; reached: name -> function."""
        return clock_search.search(lambda target: {name: fastest(target)
                                                   for name, fastest in reached.items()}, start)

    def test_goes_on_until_three_tries_gain_nothing(self):
        # A tile misses what it is asked for by a tenth, and never gets below 5 ns.
        tries = self.search(10, tile=lambda target: max(1.1 * target, 5))
        self.assertEqual(tries[0].target_ns, 10)
        self.assertEqual(clock_search.best(tries).common_ns, 5)
        self.assertEqual(clock_search.best(tries), tries[-4])
        self.assertEqual([one.target_ns for one in tries[:6]],
                         [10, 9, 8.1, 7.29, 6.561, 5.905])

    def test_goes_half_way_back_where_asking_for_more_gives_less(self):
        # The best is 7.0, asked for 6.9: the first is asked for far less, the second for more.
        for start in (4, 8):
            tries = self.search(start, tile=lambda target: 7.0 + 2 * abs(target - 6.9))
            best = clock_search.best(tries)
            self.assertLess(best.common_ns, 7.2)
            failed = tries[tries.index(best) + 1:]
            self.assertEqual([one.target_ns for one in failed], [
                round(best.target_ns * 0.9, 3), round((best.target_ns + best.common_ns) / 2, 3),
                round(best.target_ns * 0.95, 3)])

    def test_a_gain_of_one_tile_counts(self):
        tries = self.search(8, dense=lambda target: max(target, 6), tile=lambda target: 7.5)
        self.assertEqual(clock_search.lines(tries)[-1],
                         "fastest clock of each: dense 6.000 ns, tile 7.500 ns; of all: 7.500 ns")

    def test_what_is_met_is_not_the_end(self):
        # The first target is met: today's start may be far too slow.
        tries = self.search(20, tile=lambda target: max(target, 9))
        self.assertEqual(clock_search.best(tries).common_ns, 9)


class Shares(unittest.TestCase):
    def test_ports_take_their_share(self):
        path = Path("clk", False, -1.0, 9.0, "a_rows_i[0]", "u_tile.g_sparse.u_intake.open_q",
                    True, False, (Point("a_rows_i[0]", "port", 2.0, 0.1, 1),
                                  Point("u_tile.g_sparse.u_intake.g1.Y", "X", 9.0, 0.1, 1)))
        bound = timing._bound(path, Constraints.of(CELLS, 8), names())
        self.assertEqual([step.block for step in bound.steps], ["input", "intake"])
        self.assertAlmostEqual(bound.period, 8 + 1 / 0.8)


class ClockTree(unittest.TestCase):
    """Of a placed netlist."""

    def test_by_hand(self):
        folder = scratch()
        library = linear(folder, 0)
        netlist, spef = folder / "gates_tile.v", folder / "wires.spef"
        netlist.write_text(TREE)
        spef.write_text(SPEF)
        tree = timing.analyse([netlist], "gates_tile", names(), library, 4, folder, spef=spef).clock_tree
        # A buffer takes 0.1 ns and 2 ns for each pF: 0.104 in front of a register, 0.108 of two, 0.12 of a buffer.
        self.assertAlmostEqual(tree.least, 0.104, places=4)
        self.assertAlmostEqual(tree.most, 0.12 + 0.108, places=4)
        # Back, a register drives two buffers: 0.14 and 0.104; there one: 0.12 and 0.104. Ports, which have less, do not
        # count.
        self.assertAlmostEqual(tree.setup_slack, 4 - (tree.most + 0.14 + 0.104 - tree.least), places=4)
        self.assertAlmostEqual(tree.hold_slack, tree.least + 0.12 + 0.104 - tree.most, places=4)


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
