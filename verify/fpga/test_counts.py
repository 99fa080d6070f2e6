#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of what scripts/fpga counts, places and routes, on blocks whose sizes are plain."""

import collections
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from fabric import families, route, synthesis  # noqa: E402
from toolbox import tools  # noqa: E402
from toolbox.errors import CheckError  # noqa: E402

FAMILIES = families.known()
RUNNER = tools.Runner()

# Stands for a design, with the sizes of a block.
Block = collections.namedtuple("Block", "top files")


def block(path, connections, ports, **parameters):
    """A block of hw/ under a top that sets its parameters. ports: of the top beside clock and reset, as Verilog
    declares them."""
    folder = tools.make_folder(tools.BUILD / "fpga")
    module = pathlib.Path(path).stem
    sizes = ", ".join(f".{name}({value})" for name, value in parameters.items())
    pins = ", ".join(f".{pin}({pin})" for pin in connections)
    top = folder / "block_top.v"
    tools.write(top, f"module block_top (input clk_i, rst_ni, {', '.join(ports)});\n"
                f"  {module} #({sizes}) u ({pins});\nendmodule\n")
    return Block("block_top", [ROOT / "hw" / path, top])


def counts(family, design):
    """(resources, cells) of a block in a family."""
    folder = synthesis.run(synthesis.texts(design), design.top, family.synthesis, RUNNER)
    cells = synthesis.cells(folder)
    return family.counts(cells), cells


def multiplier():
    return block("fp/td1_multiplier.v", ["clk_i", "en_i", "a_i", "b_i", "y_o"],
                 ["input [0:0] en_i", "input [15:0] a_i, b_i", "output [31:0] y_o"],
                 WIDTH=16, EXP=8, REGISTERS=0)


def memory():
    """64 kbit in two parts that are written apart."""
    return block("memory/td1_ram.v",
                 ["clk_i", "write_en_i", "write_word_i", "write_data_i", "read_en_i", "read_word_i",
                  "read_data_o"],
                 ["input read_en_i", "input [1:0] write_en_i", "input [21:0] write_word_i",
                  "input [31:0] write_data_i", "input [10:0] read_word_i", "output [31:0] read_data_o"],
                 WORDS=2048, WIDTH=32, PARTS=2)


def registers(behind=3):
    """Registers of eight bits, each with an enable."""
    return block("common/td1_pipe.v", ["clk_i", "en_i", "x_i", "y_o"],
                 [f"input [{behind}:0] en_i", "input [7:0] x_i", "output [7:0] y_o"],
                 WIDTH=8, REGISTERS=behind)


class Blocks(unittest.TestCase):
    """Every resource is used for what it is there for."""

    def test_multiplier(self):
        with_multipliers = [family for family in FAMILIES.values() if family.devices[0].has["DSP"] > 0]
        self.assertEqual(len(with_multipliers), 3)
        for family in with_multipliers:
            with self.subTest(family=family.key):
                self.assertEqual(counts(family, multiplier())[0]["DSP"], 1)

    def test_memory(self):
        # Each part is 2048 words of 16 bits: one of 36 kbit, two of 18 or eight of 4.
        wanted = {"7series": 2, "ecp5": 4, "ice40hx": 16, "ice40up": 16}
        for family in FAMILIES.values():
            with self.subTest(family=family.key):
                found, _ = counts(family, memory())
                # ... and nothing beside them.
                self.assertEqual(found, {"LUT": 0, "FF": 0, "DSP": 0, "RAM": wanted[family.key]})

    def test_enables(self):
        for family in FAMILIES.values():
            with self.subTest(family=family.key):
                found, cells = counts(family, registers())
                self.assertEqual((found["FF"], found["LUT"]), (24, 0))  # no multiplexer before any
                self.assertEqual(sum(cells.values()), 24)


class Families(unittest.TestCase):
    """What a device holds."""

    family = families.Family("f", "F", "", {"LUT": {"L": 1, "C": 2}, "FF": {"R": 1}, "DSP": {}, "RAM": {},
                                            "free": ["W"]},
                             (families.Device("small", {"LUT": 10, "FF": 10, "DSP": 0, "RAM": 1}, None),
                              families.Device("large", {"LUT": 20, "FF": 20, "DSP": 1, "RAM": 1}, None)))

    def test_counts(self):
        found = self.family.counts({"L": 3, "C": 2, "R": 5, "W": 9})
        self.assertEqual(found, {"LUT": 7, "FF": 5, "DSP": 0, "RAM": 0})

    def test_strange_cell(self):
        with self.assertRaisesRegex(CheckError, "F: X: not in"):
            self.family.counts({"X": 1})

    def test_smallest(self):
        for lut, dsp, wanted in ((10, 0, "small"), (11, 0, "large"), (1, 1, "large"), (21, 0, None), (1, 2, None)):
            found = self.family.smallest({"LUT": lut, "FF": 1, "DSP": dsp, "RAM": 0})
            self.assertEqual(found and found.name, wanted)

    def test_fullest(self):
        small = self.family.devices[0]
        self.assertEqual(small.fullest({"LUT": 5, "FF": 8, "DSP": 0, "RAM": 0}), (0.8, "FF"))
        self.assertEqual(small.fullest({"LUT": 5, "FF": 8, "DSP": 1, "RAM": 0}), (float("inf"), "DSP"))

    def test_devices_grow(self):
        for family in FAMILIES.values():
            sizes = [device.has["LUT"] for device in family.devices]
            self.assertEqual(sizes, sorted(sizes), family.key)


class Routed(unittest.TestCase):
    """Place and route."""

    family = FAMILIES["ice40hx"]

    def of(self, design):
        folder = synthesis.run(synthesis.texts(design), design.top, self.family.synthesis, RUNNER)
        return route.of(design, synthesis.ports(folder, design.top), self.family, self.family.devices[0],
                        [1, 2], RUNNER)

    def test_registers(self):
        at_ports, found = self.of(registers())
        self.assertEqual(at_ports, 4 + 8 + 8)
        for one in found:
            # nextpnr adds constants.
            self.assertTrue(24 + 20 <= one.cells <= 24 + 20 + 4 and one.available == 1280, one)
            self.assertTrue(100 < one.clock_mhz < 700, one)
        self.assertEqual(found, self.of(registers())[1])

    def test_too_large(self):
        at_ports, found = self.of(registers(200))
        for one in found:
            self.assertTrue(0 <= one.cells - 200 * 8 - at_ports <= 4 and one.clock_mhz is None, one)


if __name__ == "__main__":
    unittest.main()
