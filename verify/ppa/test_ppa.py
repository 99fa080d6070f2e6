#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of scripts/ppa: areas add up, killed runs go on, wrong input is said in one line."""

import contextlib
import dataclasses
import gzip
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from flow import __main__ as program, glitch  # noqa: E402
from netlists import cells, liberty, recipe, rtlil, synthesis  # noqa: E402
from toolbox import design, errors, tools  # noqa: E402

CONFIG = """\
name = "{name}"
[tile]
lanes = 2
rows = 1
columns = 1
[tile.interconnect]
depth = 2
[tile.numerics]
format = "bf16"
[tile.counters]
width = 8
"""

LIBERTY = """\
library ({name}) {{
  nom_voltage : 1; default_input_pin_cap : 0.01; default_cell_leakage_power : 1;
  cell (BUF) {{ area : 2; pin(A) {{ direction : input; capacitance : 0.01; }}
    pin(Y) {{ direction : output; function : "A"; timing() {{ cell_rise(t) {{ values("1"); }} }} }} }}
  cell (NAND2) {{ area : 3; pin(A) {{ direction : input; }} pin(B) {{ direction : input; }}
    pin(Y) {{ direction : output; function : "(!(A B))"; }} }}
  {last}
}}
"""
FLIP_FLOP = """cell (DFF) { area : 9; ff (IQ, IQN) { next_state : "D"; clocked_on : "CLK"; }
  pin (CLK) { direction : input; } pin (D) { direction : input; } }"""
LATCH = """cell (LATCH) { area : 5; latch (IQ, IQN) { data_in : "D"; enable : "CLK"; }
  pin (CLK) { direction : input; } pin (D) { direction : input; } }"""

# scripts/ppa with a store of its own.
CHILD = """\
import pathlib, sys
sys.path.insert(0, sys.argv.pop(1))
from flow import __main__ as program
from toolbox import tools
tools.PPA = pathlib.Path(sys.argv.pop(1))
sys.exit(program.main())
"""

# Synthesis as scripts/ppa has it done, by shards, of what takes least time.
SWEEP = """\
import pathlib, sys
sys.path.insert(0, sys.argv[1])
from netlists import cells, synthesis
from toolbox import design, tools
tools.PPA = pathlib.Path(sys.argv[2])
SLOW = ("multiplier", "adder", "adder_tree", "pe", "array", "tile", "counters", "interconnect", "sequencer",
        "scheduler", "output")
for result in synthesis.synthesise([design.emit(pathlib.Path(path)) for path in sys.argv[3:]],
                                   cells.load(), 30.0, tools.Runner(),
                                   lambda name: name not in SLOW):
    print(result.design.name, sum(module.area for module in result.modules.values()))
"""


class Folder(unittest.TestCase):
    """A store of its own for each test."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.addCleanup(setattr, tools, "PPA", tools.PPA)
        tools.PPA = self.folder / "ppa"

    def processes(self):
        """Those in this test's folder."""
        found = []
        for link in pathlib.Path("/proc").glob("[0-9]*/cwd"):
            with contextlib.suppress(OSError):
                if link.resolve().is_relative_to(self.folder):
                    found.append((link.parent / "cmdline").read_text().replace("\0", " "))
        return found

    def config(self, name="small"):
        path = self.folder / f"{name}.toml"
        path.write_text(CONFIG.format(name=name))
        return path

    def refused(self, text, call, *arguments):
        with self.assertRaises(errors.UserError) as caught:
            call(*arguments)
        message = str(caught.exception)
        self.assertIn(text, message)
        self.assertIn(" is illegal; legal: ", message)
        self.assertNotIn("\n", message)


class All(unittest.TestCase):
    def test_each_tile_that_drops_pairs_once(self):
        def tile(name):
            return design.emit(name).parameters["tile"]

        taken = program._sparse_presets()
        self.assertIn("paper_bf16", taken)          # and not an accelerator of such tiles
        tiles = [tile(name) for name in taken]
        for at, one in enumerate(tiles):
            self.assertNotIn(one, tiles[:at])
        for path in (ROOT / "presets").glob("*.toml"):
            one = tile(path.stem)
            self.assertEqual(one in tiles, one["scheduling"] not in ("dense", "zero_gated"), path.stem)


class Flow(Folder):
    def synthesise(self, designs, standard_cells=None):
        runner = tools.Runner()
        results = synthesis.synthesise(designs, standard_cells or cells.load(), 30.0, runner=runner)
        return results, runner

    def sweep(self, store):
        """A sweep of two configurations, as a process."""
        configs = [self.folder / f"{name}.toml" for name in ("small", "other")]
        return subprocess.Popen([sys.executable, "-B", "-c", SWEEP, ROOT / "scripts", store, *configs],
                                cwd=self.folder, text=True, stdout=subprocess.PIPE)

    @staticmethod
    def results(store):
        """The bytes of all netlists and summaries."""
        return {file.relative_to(store): file.read_bytes() for kind in ("modules", "netlists")
                for file in sorted((store / kind).glob("*/*.json"))}

    def test_killed_sweep_goes_on(self):
        """What was finished is not done again, and all bytes are those of an uninterrupted run."""
        self.config()
        (self.folder / "other.toml").write_text(
            self.config("other").read_text().replace("width = 8", "width = 9"))
        killed, whole = self.folder / "killed", self.folder / "whole"
        store = killed / synthesis.MODULES
        def finished():
            return [path for path in store.glob("*") if path.suffix != ".tmp"]
        child = self.sweep(killed)
        while child.poll() is None and len(finished()) < 2:
            time.sleep(0.02)
        child.send_signal(signal.SIGKILL)
        child.communicate()
        for _ in range(1200):
            if not self.processes():
                break
            time.sleep(0.05)
        self.assertEqual(self.processes(), [])
        before = {path: path.stat().st_mtime_ns for path in finished()}
        outputs = []
        for place in (killed, whole):
            again = self.sweep(place)
            outputs.append(again.communicate()[0])
            self.assertEqual(again.returncode, 0)
        self.assertEqual(*outputs)
        self.assertIn("small", outputs[0])
        self.assertIn("other", outputs[0])
        self.assertTrue(2 <= len(before) < len(finished()), "it was killed in the middle")
        for path, changed in before.items():
            self.assertEqual(path.stat().st_mtime_ns, changed)
        self.assertEqual(list(store.glob("*.tmp")), [])
        self.assertEqual(self.results(killed), self.results(whole))
        self.assertGreater(len(self.results(whole)), 10)

    def test_failed_tool_names_its_log(self):
        broken = cells.load()
        broken = dataclasses.replace(broken, driving_cell="NONE", library=dataclasses.replace(
            broken.library, path=self.folder / "absent.lib"))
        with self.assertRaisesRegex(errors.CheckError, "yosys: ERROR.*all of its output: .*synthesise.txt"):
            self.synthesise([design.emit(self.config())], broken)

    def skid(self, mappings):
        """One small module, by these scripts of ABC, in this process: shards have their own."""
        with unittest.mock.patch.dict(os.environ, TD_SHARD="here"), \
                unittest.mock.patch.object(recipe, "MAPPINGS", mappings):
            (result,) = synthesis.synthesise([design.emit(self.config())], cells.load(), 30.0,
                                             tools.Runner(), lambda name: name == "skid")
        return result.modules["skid"]

    def test_a_mapping_that_abc_refuses_is_left_out(self):
        area = recipe.MAPPINGS["area"]
        module = self.skid({"refused": "no_such_command", "area": area})
        self.assertEqual(module.mapping, "area")
        self.assertEqual(module.area, self.skid({"area": area}).area)

    def test_a_module_that_no_mapping_suits_is_an_error(self):
        with self.assertRaisesRegex(errors.CheckError,
                                    "module skid: ABC refuses every mapping: refused, other; "):
            self.skid({"refused": "no_such_command", "other": "no_such_command"})

    def test_unwritable_store(self):
        (self.folder / "file").write_text("")
        tools.PPA = self.folder / "file" / "ppa"
        self.refused("ppa", self.synthesise, [design.emit(self.config())])

    def test_missing_tool(self):
        self.addCleanup(os.environ.__setitem__, "PATH", os.environ["PATH"])
        os.environ["PATH"] = str(self.folder)
        self.refused("run scripts/setup", self.synthesise, [])


class Killed(Folder):
    """A command that is killed leaves no process behind."""

    # Starts a process of its own when it is given that script.
    TOOL = """#!/bin/sh
case "$*" in *{script}*) sleep 300 & echo >{started}; wait;; *) exec {yosys} "$@";; esac
"""

    def kill(self, script, number):
        """Kills scripts/ppa with a signal as soon as a tool runs that script."""
        started = self.folder / "started"
        tool = self.folder / "bin" / "yosys"
        tool.parent.mkdir(exist_ok=True)
        tool.write_text(self.TOOL.format(script=script, started=started, yosys=tools.find("yosys")))
        tool.chmod(0o755)
        child = subprocess.Popen(
            [sys.executable, "-B", "-c", CHILD, ROOT / "scripts", self.folder / "ppa", "--config",
             self.config(), "--area-only"], cwd=self.folder, stderr=subprocess.DEVNULL,
            env=os.environ | {"PATH": f"{tool.parent}:{os.environ['PATH']}"})
        while child.poll() is None and not started.exists():
            time.sleep(0.02)
        self.assertIsNone(child.poll(), "it ended before it was killed")
        child.send_signal(number)
        child.wait()
        for _ in range(1200):
            left = self.processes()
            if not left:
                break
            time.sleep(0.05)
        self.assertEqual(left, [])
        started.unlink()

    def test_tools_of_the_command_end_with_it(self):
        for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
            with self.subTest(number.name):
                self.kill("elaborate.ys", number)

    def test_tools_of_shards_end_with_it(self):
        for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
            with self.subTest(number.name):
                self.kill("synthesise.ys", number)


class Designs(Folder):
    def test_baselines_of_a_preset_are_presets(self):
        for scheduling in ("dense", "zero_gated"):
            for tile in ("paper_bf16", "deep4_bf16", "wide4_bf16"):
                self.assertEqual(design.baseline(design.emit(tile), scheduling),
                                 design.emit(f"{scheduling}_bf16"))

    def test_other_baselines_are_named_after_their_tile(self):
        for tile, name in (("tiny", "dense_tiny"), ("fused_bf16", "dense_fused_bf16")):
            found = design.baseline(design.emit(tile), "dense")
            self.assertEqual((found.name, found.is_dense), (name, True))

    def test_wrong_configuration_is_said_by_tdgen(self):
        path = self.folder / "wrong.toml"
        path.write_text('name = "wrong"\n[tile]\nlanes = 0\n')
        self.refused("tile.lanes = 0", design.emit, path)

    def test_equal_modules_of_two_designs_are_equal_texts(self):
        # Of the tile that figures are of. Others may have the same cells in another order: `proc` optimises before
        # names are given anew.
        tile = design.emit("paper_bf16")
        one, two = (synthesis.elaborate(one, tools.Runner())
                    for one in (tile, design.baseline(tile, "dense")))
        for name in ("adder", "multiplier", "skid"):
            self.assertEqual(one[name], two[name])
        for name in ("pe", "sequencer"):  # lanes of the dense tile do not rest
            self.assertNotEqual(one[name], two[name])

    def test_modules_do_not_depend_on_the_names_of_designs(self):
        def text(name):
            leaf = f"$paramod\\td1_leaf\\W=s32'{name[0] == 'o':b}01"
            return (f"module {leaf}\n  parameter \\W 1\n"
                    f"  wire width 2 $0_\n  wire input 1 \\d_i\n"
                    f"  cell $not $1_\n    connect \\A \\d_i\n"
                    f"    connect \\Y $0_ [0]\n  end\nend\n"
                    f"module $paramod$0123\\td1_leaf\n  parameter \\W 0\nend\n"
                    f"module \\{name}_tile\n  wire input 1 \\d_i\n"
                    f"  cell {leaf} \\u_leaf\n    connect \\d_i \\d_i\n  end\nend\n")

        def block(module):
            return module.split("_")[-1]
        one, two = rtlil.modules(text("one"), block), rtlil.modules(text("two"), block)
        self.assertEqual(one, two)
        # Numbered by their parameters, whatever they are called.
        self.assertEqual([one[name].parameters for name in ("leaf", "leaf__2")], [{"W": 0}, {"W": 1}])
        self.assertEqual(one["tile"].children, ("leaf__2",))
        self.assertIn("cell \\leaf__2 \\u_leaf", one["tile"].source(one))
        self.assertIn("attribute \\blackbox 1\nmodule \\leaf__2\n  wire input 1 \\d_i\nend",
                      one["tile"].source(one))
        self.assertIn("connect \\Y $0_ [0]", one["leaf__2"].text)


class Liberties(Folder):
    def file(self, last, name="own"):
        path = self.folder / "own.lib"
        path.write_text(LIBERTY.format(name=name, last=last))
        return path

    def test_wrong_files(self):
        self.refused("flip-flops = none, only latches", cells.load, None, self.file(LATCH))
        self.refused("flip-flops = none is illegal", cells.load, None, self.file(""))
        self.refused("No such file", cells.load, None, self.folder / "absent.lib")
        path = self.folder / "text.lib"
        for text, said in (("hello", "line 1 = hello"), ("", "file = (empty or unreadable)"),
                           ("library (x) { cell (A) {", "line 1 = end of file"),
                           ("library (x) { nom_voltage : 1; }", "cells = none")):
            path.write_text(text)
            self.refused(said, cells.load, None, path)
        path.write_text(LIBERTY.format(name="x", last=FLIP_FLOP).replace("cell_rise", "rise"))
        self.refused("timing tables = none", cells.load, None, path)
        path.write_bytes(b"\x1f\x8bnot gzip")
        self.refused("file = ", cells.load, None, path)

    def test_derived(self):
        derived = cells.load(None, self.file(FLIP_FLOP))
        self.assertEqual((derived.driving_cell, derived.gate, derived.load_pf, derived.gate_area),
                         ("BUF", "NAND2", 0.04, 3.0))
        self.assertEqual(derived.library.corner, "0_1_0")
        self.assertIsNone(derived.clock_gate)
        self.assertEqual(derived.warnings(), [])
        nangate = cells.load(None, self.file(FLIP_FLOP, "NangateOpenCellLibrary"))
        self.assertIn("forbids publishing", nangate.warnings()[0])

    def test_areas(self):
        path = self.file(FLIP_FLOP + LATCH)
        library = liberty.read(path, [], self.folder, areas={"LATCH": 7.5})
        self.assertEqual((library.cells["LATCH"].area, library.cells["DFF"].area), (7.5, 9))
        self.assertEqual(library.path.read_text(), path.read_text().replace("area : 5;", "area : 7.5;"))

    def test_unused_cells_and_compression(self):
        path = self.folder / "own.lib.gz"
        path.write_bytes(gzip.compress(LIBERTY.format(name="own", last=FLIP_FLOP + LATCH).encode()))
        library = liberty.read(path, ["LA*"], self.folder)
        self.assertEqual(sorted(library.cells), ["BUF", "DFF", "NAND2"])
        self.assertNotIn("LATCH", library.path.read_text())
        self.assertIn("NAND2", library.path.read_text())
        self.assertEqual([file.name for file in self.folder.glob("*.tmp")], [])
        # By its name, what describes a library is found; what it calls unused is never looked at.
        odd = 'cell (sky130_fd_sc_hd__dly_1) { area : none; }'
        path.write_bytes(gzip.compress(
            LIBERTY.format(name="sky130_fd_sc_hd__tt", last=FLIP_FLOP + odd).encode()))
        self.refused("synthesis.driving_cell = sky130_fd_sc_hd__buf_4", cells.load, None, path)

    def test_descriptions(self):
        osu018 = (cells.FOLDER / "osu018.toml").read_text()
        path = self.folder / "own.toml"
        for old, new, said in (
                ('"BUFX4"', '"NONE"', "synthesis.driving_cell = NONE"),
                ('data = "D"', 'data = "Z"', "clock_gate.latch.data = Z"),
                ("LATCH = 56", "LATCH = 0", "synthesis.areas.LATCH = 0"),
                ('cell = "LATCH"', 'cell = "DFFPOSX1"', "clock_gate.latch = "),
                ('inverter = {', '# {', "clock_gate.inverter = (absent)"),
                ("LATCH = 56", "LATSCH = 56", "area = LATSCH"),
                ("clock_ns = 7.0", "clock_ns = -1", "timing.clock_ns = -1"),
                ("minimum_bits = 4", "minimum_bits = true", "clock_gate.minimum_bits = True"),
                ("[power]", "[powers]", "powers"), ("name = ", "name ", "TOML"),
                ('repeater = "BUFX4"', 'repeater = "NAND2X1"', "placement.repeater = NAND2X1"),
                ('clock_buffer = "CLKBUF1"', 'clock_buffer = "AND2X2"', "power.clock_buffer = AND2X2"),
                ("utilisation = 0.85", "utilisation = 1", "placement.utilisation = 1"),
                ("osu018_stdcells.lef", "absent.lef", "placement.lef = "),
                ("osu018_stdcells.lib", "absent.lib", "run scripts/setup")):
            self.assertIn(old, osu018)
            path.write_text(osu018.replace(old, new, 1))
            self.refused(said, cells.load, path)
        self.refused("give it with --liberty", cells.load, "sky130hd")
        self.refused("own", cells.load, "osu018", self.file(FLIP_FLOP))


class Glitches(unittest.TestCase):
    def test_a_clock_gate_is_on_the_clock_but_for_its_enable(self):
        gate = {"ports": {"clk_i": {"bits": [2]}, "en_i": {"bits": [3]}, "clk_o": {"bits": [4]}},
                "cells": {"invert": {"connections": {"A": [2], "Y": [5]}},
                          "enable": {"connections": {"CLK": [5], "D": [3], "Q": [6]}},
                          "gate": {"connections": {"A": [2], "B": [6], "Y": [4]}}}}
        self.assertEqual(glitch._clocks_of(gate), {2, 4, 5})

    def test_states_start_at_zero(self):
        for always, state in (("@(posedge CLK)\n    s <= D;", "s"), ("@*\n    if (CLK) s = D;", "s")):
            text = glitch._cells(f"module X(CLK, D, Q);\n  always {always}\nendmodule\n", {})
            self.assertIn(f"  initial {state} = 1'b0;\n  always {always}", text)


class CommandLine(unittest.TestCase):
    def test_one_line_and_status(self):
        for arguments in ([], ["--config"], ["--config", "tiny", "--clock", "x"],
                          ["--config", "/absent.toml"], ["--wrong"],
                          ["--config", "tiny", "--liberty", "/dev/null"]):
            done = subprocess.run([ROOT / "scripts" / "ppa", *arguments], capture_output=True,
                                  text=True, check=False)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main()
