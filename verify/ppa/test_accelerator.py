#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of scripts/ppa --accelerator: memories of the table, whose block a path is, the verdict."""

import pathlib
import subprocess
import sys
import types
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from flow import accelerator  # noqa: E402
from toolbox import errors  # noqa: E402

UNIT = "u_accelerator.u_compute.u_tiles.g_tile[0].u_unit."


def bound(start, end, period):
    """What timing.Bound has that the table needs."""
    return types.SimpleNamespace(period=period, fraction=1.0,
                                 path=types.SimpleNamespace(start=start, end=end, gates=3))


class Memories(unittest.TestCase):
    """Areas of CACTI's table."""

    def test_one_macro(self):
        self.assertEqual(accelerator.macro(32768, 64), (32768, 1, 0.11194))

    def test_banks(self):
        self.assertEqual(accelerator.macro(16 * 1048576, 256)[:2], (262144, 64))

    def test_no_such_port(self):
        self.assertIsNone(accelerator.macro(32768, 65))

    def test_sum(self):
        lines = accelerator.memory_lines({(4096, 64): 3, (64, 65): 2})
        self.assertTrue(any(line.split()[-1] == "0.336" for line in lines))
        self.assertTrue(any(line.split() == ["64x65", "2", "64", "65", "-", "-", "-"]
                            for line in lines))


class Timing(unittest.TestCase):
    """The slowest paths."""

    def lines(self, *bounds, clock=5.0):
        return accelerator.timing_lines(types.SimpleNamespace(bounds=bounds, clock_ns=clock))

    def test_kept(self):
        tile = bound(UNIT + "u_tile.a", UNIT + "u_tile.b", 7.0)
        self.assertEqual(self.lines(tile, bound("u_accelerator.u_load.a", "m_axi_x_o", 6.0))[-1],
                         "the tile's clock is kept")

    def test_not_kept(self):
        """A path that leaves the tile is not the tile's."""
        tile = bound(UNIT + "u_tile.a", UNIT + "u_tile.b", 7.0)
        out = bound(UNIT + "u_tile.a", UNIT + "g_scratchpad[1].u_scratchpad.b", 7.1)
        self.assertEqual(self.lines(out, tile)[-1],
                         "the tile's clock is not kept by tile to scratchpad")

    def test_clock_asked_for(self):
        """The tile may be faster than need be, and so may the others."""
        tile = bound(UNIT + "u_tile.a", UNIT + "u_tile.b", 6.8)
        load = bound("u_accelerator.u_load.a", "u_accelerator.u_load.b", 6.9)
        self.assertEqual(self.lines(tile, load, clock=7.0)[-1], "the tile's clock is kept")
        self.assertEqual(self.lines(tile, load, clock=6.8)[-1],
                         "the tile's clock is not kept by load")

    def test_control_first(self):
        """A slot of control is no compute engine."""
        tile = bound(UNIT + "u_tile.a", UNIT + "u_tile.b", 7.0)
        slot = bound("u_accelerator.u_control.u_dispatch.u_compute.a",
                     "u_accelerator.u_control.u_jobs.b", 8.0)
        self.assertEqual(self.lines(tile, slot)[-1], "the tile's clock is not kept by control")

    def test_no_tile(self):
        with self.assertRaises(errors.CheckError):
            self.lines(bound("u_accelerator.u_load.a", "u_accelerator.u_load.b", 6.0))


class CommandLine(unittest.TestCase):
    """What cannot stand beside --accelerator."""

    def test_refused(self):
        done = subprocess.run([ROOT / "scripts" / "ppa", "--config", "accel_tiny", "--accelerator",
                               "--energies"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--accelerator", done.stderr)
        self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main()
