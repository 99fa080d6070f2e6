#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of what scripts/judge makes of the judges' output."""

import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "verify")]

from judge.tally import Tally  # noqa: E402
from toolbox.errors import CheckError  # noqa: E402

PASSED = ("multiplier: 1000 vectors checked, all equal\nadder: 1000 vectors checked, all equal\n"
          "to_bf16: 1000 vectors checked, all equal\n")


def shown(tally):
    """Text and verdict of each block."""
    return {cell.block: (cell.text, cell.passed) for cell in tally.cells()}


class TallyTest(unittest.TestCase):
    def test_vectors_add_up(self):
        tally = Tally()
        tally.judged("one", PASSED, 0)
        tally.judged("two", PASSED + "multiplier: 1 vectors checked, all equal\n"
                     "multiplier: 4294967296 pairs of 16 bits checked, all equal\n", 0)
        tally.testfloat("f32_add", "f32_add: 51 vectors, 0 failures\n", 0)
        self.assertEqual(shown(tally), {
            "multiplier": ("2,001 by two oracles, 4,294,967,296 bf16 pairs (all)", True),
            "adder": ("2,000 by two oracles, 51 by hand", True),
            "to_bf16": ("2,000 by two oracles", True)})

    def test_a_cell_that_fails_is_named(self):
        tally = Tally()
        tally.judged("one", PASSED, 0)
        tally.judged("two", PASSED.splitlines()[0] + "\n", 1)
        self.assertEqual(shown(tally)["multiplier"], ("2,000 by two oracles", True))
        self.assertEqual(shown(tally)["adder"], ("failed: two", False))
        self.assertEqual(shown(tally)["to_bf16"], ("failed: two", False))

    def test_all_pairs_that_fail_are_the_multipliers(self):
        tally = Tally()
        tally.judged("one", PASSED, 1)
        self.assertEqual(shown(tally)["multiplier"], ("failed: one", False))
        self.assertTrue(shown(tally)["adder"][1])

    def test_all_pairs_that_were_demanded_must_be_there(self):
        tally = Tally()
        tally.judged("one", PASSED + "multiplier: 4294967295 pairs of 16 bits checked, all equal\n", 0)
        tally.demand_all_pairs()
        self.assertEqual(shown(tally)["multiplier"], ("failed: all bf16 pairs", False))

    def test_vectors_by_hand_that_fail(self):
        for output, status in (("f32_mul: 50 vectors, 2 failures\n", 1),
                               ("f32_mul: 50 vectors, 2 failures\n", 0),
                               ("f32_mul: 50 vectors, 0 failures\n", 1)):
            tally = Tally()
            tally.judged("one", PASSED, 0)
            tally.testfloat("f32_mul", output, status)
            self.assertEqual(shown(tally)["multiplier"], ("failed: f32_mul", False))

    def test_nothing_is_no_evidence(self):
        with self.assertRaisesRegex(CheckError, "multiplier: nothing was checked"):
            Tally().cells()
        tally = Tally()
        tally.judged("one", PASSED.replace("1000", "0"), 0)
        with self.assertRaisesRegex(CheckError, "nothing was checked"):
            tally.cells()

    def test_a_judge_that_was_silent_did_not_pass(self):
        tally = Tally()
        tally.judged("one", "", 0)
        self.assertFalse(any(passed for _, passed in shown(tally).values()))

    def test_what_is_not_understood_is_an_error(self):
        with self.assertRaisesRegex(CheckError, "one: the judge said: adder: fine"):
            Tally().judged("one", "adder: fine\n", 0)
        with self.assertRaisesRegex(CheckError, "f32_add"):
            Tally().testfloat("f32_add", "f32_mul: 50 vectors, 0 failures\n", 0)
        with self.assertRaisesRegex(CheckError, "f32_add"):
            Tally().testfloat("f32_add", "", 1)


if __name__ == "__main__":
    unittest.main()
