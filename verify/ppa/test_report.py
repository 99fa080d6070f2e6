#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of scripts/ppa from the configuration to the report, on the tiny tile; build/tdgen,
build/tdgate and build/tdpower must be there."""

import contextlib
import dataclasses
import functools
import io
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import types
import unittest
import unittest.mock

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from flow import __main__ as command  # noqa: E402
from flow import area, energy, fields, glitch, placed, power, vcd  # noqa: E402
from netlists import cells, rtlil, synthesis  # noqa: E402
from toolbox import design, errors, tools  # noqa: E402

# A run in a process of its own, which can be killed.
CHILD = """\
import pathlib, sys
sys.path.insert(0, sys.argv[1])
from flow import __main__ as command, power
from toolbox import tools
tools.PPA, power.PASSES = pathlib.Path(sys.argv[2]), int(sys.argv[3])
sys.argv = ["ppa", *sys.argv[4:]]
sys.exit(command.main())
"""
PASSES = 256


class Counting(tools.Runner):
    """Knows all runners, which count the tools and shards that they start."""

    runners = []

    def __init__(self, *arguments):
        super().__init__(*arguments)
        Counting.runners.append(self)


def run(*arguments):
    """(exit status, output, errors, tools and shards started) of scripts/ppa in this process."""
    out, err = io.StringIO(), io.StringIO()
    Counting.runners = []
    sys.argv = ["ppa", *arguments]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = command.main()
    return status, out.getvalue(), err.getvalue(), sum(runner.calls for runner in Counting.runners)


class Tiny(unittest.TestCase):
    """The tiny tile once: killed, gone on with, and again."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        for module, name, value in ((tools, "PPA", pathlib.Path(folder.name)),
                                    (tools, "Runner", Counting), (power, "PASSES", PASSES), (glitch, "WINDOWS", 8)):
            cls.addClassCleanup(setattr, module, name, getattr(module, name))
            setattr(module, name, value)
        cls.arguments = ["--config", "tiny", "--clock", "40"]
        cls.kill_after("power")
        cls.kept = {path: path.stat().st_mtime_ns for kind in ("modules", "timing")
                    for path in (tools.PPA / kind).iterdir()}
        cls.status, cls.output, cls.errors, cls.started = run(*cls.arguments)
        cls.folder = next((tools.PPA / "results").glob("tiny-*/plain"))
        cls.document = json.loads((cls.folder / "ppa.json").read_text())

    @classmethod
    def kill_after(cls, kind):
        """Starts a run, and kills it when its first result of the kind is being worked on."""
        child = subprocess.Popen([sys.executable, "-B", "-c", CHILD, ROOT / "scripts", tools.PPA,
                                  str(PASSES), *cls.arguments], stdout=subprocess.DEVNULL)
        while child.poll() is None and not list((tools.PPA / kind).glob("*")):
            time.sleep(0.02)
        child.send_signal(signal.SIGKILL)
        child.wait()
        # Its shards are told, and remove what they were at: a moment later, on a machine that is busy.
        while any(pathlib.Path("/proc", left.name.split(".")[-2]).exists()
                  for left in tools.PPA.glob("*/*.tmp")):
            time.sleep(0.02)

    def test_a_killed_run_goes_on(self):
        self.assertEqual((self.status, self.errors), (0, ""))
        self.assertGreater(len(self.kept), 10)
        for path, changed in self.kept.items():
            self.assertEqual(path.stat().st_mtime_ns, changed)
        self.assertEqual(list(tools.PPA.glob("*/*.tmp")), [])
        # Power of three runs, and the glitches: nothing that was done before.
        self.assertGreater(self.started, 3)

    def test_a_second_run_starts_no_tool(self):
        status, output, errors, started = run(*self.arguments)
        self.assertEqual((status, output, errors, started), (0, self.output, "", 0))

    def test_areas_add_up(self):
        """Of what the run synthesised, by Yosys' own count."""
        runner = Counting()
        tile = design.emit("tiny")
        results = synthesis.synthesise([tile, design.baseline(tile, "dense")], cells.load(), 40.0, runner)
        self.assertEqual(runner.calls, 0)  # all is there
        for result in results:
            rolled = area.roll_up(result)
            self.assertEqual(rolled.total, sum(block.total for block in rolled.blocks.values()))
            area.check(result, rolled, runner)
        # A wrong count, and a wrong area of the right cells, are both seen.
        result = results[0]
        modules = dict(result.modules)
        wrong = dict(modules["tile"].children, pe=3)
        modules["tile"] = dataclasses.replace(modules["tile"], children=wrong)
        with self.assertRaisesRegex(errors.CheckError, "by Yosys' stat"):
            area.check(result, area.roll_up(dataclasses.replace(result, modules=modules)), runner)
        rolled = area.roll_up(result)
        with self.assertRaisesRegex(errors.CheckError, "area .* by Yosys' stat"):
            area.check(result, dataclasses.replace(rolled, total=rolled.total + 1), runner)
        # What dense and TensorDash have in common is one result.
        self.assertEqual(results[0].modules["skid"].key, results[1].modules["skid"].key)
        self.check_netlists(result)
        self.check_wires(result)
        self.check_clock_gates(result)

    def check_netlists(self, result):
        """The files are the design: each module once, nothing but library cells and modules."""
        names = []
        for path in result.jsons:
            modules = json.loads(path.read_text())["modules"]
            names += modules
            for module in modules.values():
                for cell in module["cells"].values():
                    self.assertTrue(cell["type"] in result.cells.library.cells
                                    or cell["type"] in result.modules)
        self.assertEqual(sorted(names), sorted(result.modules))

    def check_wires(self, result):
        """ABC sized each module's gates with the wires that timing sees."""
        seen = [text for module in result.modules.values() for text in
                (log.read_text() for log in module.folder.glob("*.abc")) if "WireLoad" in text]
        self.assertGreater(len(seen), 20)
        for text in seen:
            self.assertIn('WireLoad = "td_fanout"', text)

    def check_clock_gates(self, result):
        """One gate for each enable, never two: and registers behind them."""
        gated = 0
        for name, module in result.modules.items():
            netlist = json.loads(module.json.read_text())["modules"][name]
            enables = [tuple(cell["connections"]["en_i"]) for cell in netlist["cells"].values()
                       if cell["type"] == "clock_gate"]
            self.assertEqual(len(enables), len(set(enables)), name)
            clocks = {tuple(cell["connections"]["clk_o"]) for cell in netlist["cells"].values()
                      if cell["type"] == "clock_gate"}
            gated += sum(tuple(cell["connections"].get("CLK", ())) in clocks
                         for cell in netlist["cells"].values())
        self.assertGreater(gated, 100)

    def test_a_trace_counts_by_its_contents(self):
        copy = tools.PPA / "plain.safetensors"
        shutil.copy(power.TRACE, copy)
        status, _, errors, started = run(*self.arguments, "--trace", str(copy))
        self.assertEqual((status, errors, started), (0, "", 0))

    def test_files(self):
        names = {path.name for path in self.folder.iterdir()}
        self.assertEqual(names, {"ppa.json"} | {
            f"{name}.{suffix}" for name in ("tiny", "dense_tiny", "zero_gated_tiny")
            for suffix in ("json", "v", "sdc")})
        self.assertIn("create_clock", (self.folder / "tiny.sdc").read_text())

    def test_document(self):
        document = self.document
        self.assertEqual(document["format"], "tensordash-ppa-3")
        self.assertEqual(document["stage"], "pre-layout")
        self.assertEqual(document["clock_ns"], 40)
        for key in ("configuration", "library", "corner", "trace", "trace_hash", "versions"):
            self.assertTrue(document[key], key)
        self.assertEqual(set(document["tiles"]), {"tile", "sparse path off", "zero-gated", "dense"})
        for name, tile in document["tiles"].items():
            self.assertGreater(tile["area"]["total"], 0)
            self.assertGreaterEqual(tile["timing"]["setup_slack_ns"], 0)
            self.assertEqual([op["mismatches"] for op in tile["power"]], [0, 0, 0], name)
            for op in tile["power"]:
                self.assertGreater(op["outputs_compared"], 0)
            for op in (*(op["op"] for op in tile["power"]), "all"):
                found = tile["energy"][op]
                self.assertGreater(found["energy_pJ"]["zero_delay"], 0)
                self.assertGreater(found["energy_pJ"]["with_glitches"],
                                   found["energy_pJ"]["zero_delay"])
                self.assertAlmostEqual(sum(found["blocks_uW"]["zero_delay"].values()),
                                       found["power_uW"]["zero_delay"], delta=1e-6 *
                                       found["power_uW"]["zero_delay"])
        self.assertGreater(document["overhead"], 1)
        self.assertEqual(document["ratios"]["dense"]["all"]["efficiency"]["zero_delay"], 1)
        # Lanes rest beside zeros, with the sparse path off as well as without one.
        for name in ("sparse path off", "zero-gated"):
            found = document["ratios"][name]["all"]
            # A tile with windows takes a few clocks more to fill them.
            self.assertAlmostEqual(found["speed_up"], 1, delta=0.01 if name != "zero-gated" else 0)
            self.assertGreater(found["efficiency"]["zero_delay"], 1)
        gain = document["ratios"]["zero-gated"]["all"]["efficiency"]["with_glitches"]
        self.assertAlmostEqual(document["over_zero_gated"]["all"]["efficiency"]["with_glitches"] * gain,
                               document["ratios"]["tile"]["all"]["efficiency"]["with_glitches"])
        self.assertGreater(document["ratios"]["tile"]["all"]["speed_up"], 1.5)
        more = document["additions"]
        self.assertAlmostEqual(more["all"]["percent_of_dense"], 100 * (document["overhead"] - 1))

    def test_every_field_is_explained(self):
        self.assertEqual(fields.unexplained(self.document), ([], []))
        page = (ROOT / "docs" / "area-and-power.md").read_text(encoding="utf-8")
        self.assertIn("\n".join(["", *fields.lines(), ""]), page)

    def test_zero_delay_power_is_tdgates(self):
        for tile in self.document["tiles"].values():
            for op in tile["power"]:
                self.assertAlmostEqual(tile["energy"][op["op"]]["power_uW"]["zero_delay"],
                                       op["power_uW"]["all"]["total"],
                                       delta=1e-6 * op["power_uW"]["all"]["total"])

    def test_glitches(self):
        glitches = self.document["tiles"]["tile"]["glitches"]
        self.assertLessEqual({"multiplier", "adder", "interconnect", "staging"},
                             {rtlil.block_of(name) for name in glitches})
        for name, block in glitches.items():
            self.assertGreater(block["clocks"], 50, name)
            self.assertGreater(block["toggles_zero_delay"], 1000, name)
            self.assertGreaterEqual(block["toggles"], block["toggles_zero_delay"], name)
            for factor in block["power_factors"].values():
                # Where short pulses end in a cell, as in a register, nothing is added.
                self.assertGreaterEqual(factor, 1 - 1e-9, name)
        self.assertGreater(glitches["multiplier"]["power_factors"]["combinational"], 1.5)

    def test_report(self):
        for text in ("pre-layout", "osu018_stdcells", "paper, 65 nm", "accumulation loop",
                     "scheduler loop", "tiny, sparse path off", "as the paper counts",
                     "plain.safetensors", "tdgate", "OpenSTA", "Icarus"):
            self.assertIn(text, self.output)

    def test_a_clock_that_cannot_be_met(self):
        """On the netlists of the slower one: no other ones meet it, and they take their time."""
        slow = functools.partial(lambda make, designs, cells, _, **rest: make(
            designs, cells, 40.0, **rest), synthesis.synthesise)
        with unittest.mock.patch.object(synthesis, "synthesise", slow):
            status, output, errors, _ = run("--config", "tiny", "--clock", "8")
        self.assertEqual(status, 1)
        self.assertIn("cannot be met", errors)
        self.assertEqual(errors.count("\n"), 1)
        self.assertIn("area of tiny", output)

    def test_mistakes(self):
        for arguments, said in (
                (["--trace", "/absent.safetensors"], "/absent.safetensors: file = "),
                (["--trace", str(ROOT / "README.md")], "README.md"),
                (["--liberty", "/absent.lib"], "/absent.lib"),
                (["--liberty", str(ROOT / "README.md")], "legal: a liberty file"),
                (["--find-clock"], "not allowed with")):
            status, _, errors, _ = run(*self.arguments, *arguments)
            self.assertEqual(status, 2, errors)
            self.assertIn(said, errors)
            self.assertEqual(errors.count("\n"), 1, errors)


class Figures(unittest.TestCase):
    def test_dumped_changes(self):
        header = ("$timescale 1ps $end\n$scope module bench $end\n$scope module dut $end\n"
                  "$scope module g0 $end\n$var wire 1 ! Y $end\n$upscope $end\n$upscope $end\n"
                  "$upscope $end\n$enddefinitions $end\n")
        # Clocks end at 20, 30, 40, 50: two changes that stay, a pulse, and one that is not known.
        dump = "#0\n0!\n#12\n1!\n#22\n0!\n#33\n1!\n#34\n0!\n#35\n1!\n#36\n0!\n#42\n1!\n#45\nx!\n#50\n"
        with tempfile.NamedTemporaryFile("w", suffix=".vcd") as file:
            file.write(header + dump)
            file.flush()
            net = vcd.read(file.name, 10, 4)["g0", "Y"]
        self.assertEqual((net.settled, net.changes, net.ones), (1, 6, 0))

    def test_sdf_for_icarus(self):
        sdf = ('(DELAYFILE\n (SDFVERSION "3.0")\n (VOLTAGE 1.800::1.800)\n (CELL\n'
               '  (CELLTYPE "block")\n  (INSTANCE)\n  (DELAY\n   (ABSOLUTE\n'
               '    (INTERCONNECT a g0.A (0.1::0.1))\n   )\n  )\n )\n (CELL\n  (CELLTYPE "AND2")\n'
               '  (INSTANCE g0)\n  (DELAY\n   (ABSOLUTE\n    (IOPATH A Y (0.083::0.084) (0.065::0.066))\n'
               "    (COND B==1'b1 (IOPATH B Y (0.1::0.2) (0.1::0.2)))\n   )\n  )\n )\n (CELL\n"
               '  (CELLTYPE "AND2")\n  (INSTANCE gate.g1)\n  (DELAY\n   (ABSOLUTE\n'
               '    (IOPATH A Y (0.1::0.1) (0.1::0.1))\n   )\n  )\n )\n)\n')
        text, paths = glitch._rewritten(sdf, {"gate"})
        self.assertEqual(paths, {"block": set(), "AND2": {("A", "Y"), ("B", "Y")}})
        self.assertIn("(IOPATH A Y (0.084:0.084:0.084) (0.066:0.066:0.066))", text)
        self.assertIn("(IOPATH B Y (0.2:0.2:0.2) (0.2:0.2:0.2))\n", text)
        for absent in ("INTERCONNECT", "VOLTAGE", "COND", "gate.g1", "::"):
            self.assertNotIn(absent, text)
        self.assertEqual(text.count("("), text.count(")"))

    def test_factors_spare_leakage_and_the_clock_tree(self):
        power_of = {group: {"internal": 1.0, "switching": 2.0, "leakage": 4.0}
                    for group in ("sequential", "combinational", "clock_tree")}
        block = {"block": "adder__2", "power_uW": power_of}
        self.assertEqual(energy._block_uw(block, {}), 21)
        self.assertEqual(energy._block_uw(block, {"adder": {"sequential": 1.0,
                                                            "combinational": 3.0}}), 27)
        self.assertEqual(energy._block_uw(block, {"pe": {"combinational": 3.0}}), 21)

    def test_wire_by_block(self):
        def tile(top, *seeds):
            """Placements in each of which modules drive so many m."""
            return (types.SimpleNamespace(design=types.SimpleNamespace(name=top, top=top)),
                    [types.SimpleNamespace(wire_m=sum(lengths.values()), wires={"wires": [
                        {"module": module, "parent": parent, "wire_um": 1e6 * length}
                        for (module, parent), length in lengths.items()]}) for lengths in seeds])

        variant = f"pe{rtlil.VARIANT}1"
        found = {"tile": tile("mine", {("pe", "mine"): 60, (variant, "mine"): 5, ("clock_gate", "pe"): 2,
                                       ("clock_gate", "mine"): 1, ("mux", "row"): 30, ("mux", "mine"): 20,
                                       ("", ""): 10, ("reset", "mine"): .1}),
                 "dense": tile("other", {("pe", "other"): 50}, {("pe", "other"): 90},
                               {("pe", "other"): 99, ("", ""): 1})}
        lines = placed._wire_lines({name: one for name, (one, _) in found.items()},
                                   {name: many for name, (_, many) in found.items()}, found["dense"][1])
        self.assertEqual([line.split() for line in lines], [
            ["wire", "of", "nets", "driven", "by", "other", "mine", "difference"], ["m", "m", "%", "of", "dense"],
            ["pe", "90.00", "65.00", "-27.78"], ["mux", "of", "row", "0.00", "30.00", "+33.33"],
            ["mux", "of", "tile", "0.00", "20.00", "+22.22"], ["input", "ports", "0.00", "10.00", "+11.11"],
            ["clock_gate", "0.00", "3.00", "+3.33"], ["others", "0.00", "0.10", "+0.11"]])


if __name__ == "__main__":
    os.environ.setdefault("TD_JOBS", "2")
    unittest.main()
