# SPDX-License-Identifier: Apache-2.0
"""What a proof says that does not end in its time: nothing, instead of stopping the command. Registers of
one clock are the same only if they load or are open at the same time."""

import itertools
import pathlib
import sys
import tempfile
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).parents[1]),
                str(pathlib.Path(__file__).parents[2] / "scripts")]

from equivalence import cut, prove  # noqa: E402
from toolbox.tools import Runner  # noqa: E402

# The decision diagram of a multiplier, which never ends.
ENDLESS = "gen -N 16 -m m.blif; read m.blif; strash; collapse"


class Limits(unittest.TestCase):

    def said(self, commands, limit):
        with tempfile.TemporaryDirectory() as folder:
            return prove.said(pathlib.Path(folder), Runner(), "log.txt", commands, limit)

    def test_a_proof_that_does_not_end_says_nothing(self):
        self.assertEqual(self.said(ENDLESS, 1), "")

    def test_one_that_ends_says_what_it_says(self):
        self.assertIn("found", self.said("echo found", 10))


class Clocks(unittest.TestCase):
    """One bit behind `c`, of each kind."""

    @staticmethod
    def read(kind, inverted=False):
        clock = "E" if "LATCH" in kind else "C"
        cells = {"q": {"type": kind, "connections": {clock: [4 if inverted else 2], "D": [3], "Q": [5]}}}
        if inverted:
            cells["i"] = {"type": "$_NOT_", "connections": {"A": [2], "Y": [4]}}
        ports = {name: {"direction": "input", "bits": [net]} for name, net in (("c", 2), ("d", 3))}
        return cut.read({"netnames": {"q": {"bits": [5]}}, "ports": ports, "cells": cells}, {})

    def test_kinds_are_different(self):
        kinds = ("$_DFF_P_", "$_DFF_N_", "$_DLATCH_P_", "$_DLATCH_N_")
        for gold, gate in itertools.product(kinds, kinds):
            if gold == gate:
                cut.pair(self.read(gold), self.read(gate))
            else:
                with self.assertRaises(cut.Different):
                    cut.pair(self.read(gold), self.read(gate))

    def test_a_latch_behind_an_inverter(self):
        cut.pair(self.read("$_DLATCH_N_"), self.read("$_DLATCH_P_", inverted=True))
        with self.assertRaises(cut.Different):
            cut.pair(self.read("$_DLATCH_P_"), self.read("$_DLATCH_P_", inverted=True))


if __name__ == "__main__":
    unittest.main()
