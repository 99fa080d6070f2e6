#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Every test is in one tier, and scripts/test --list tells of all of them."""

import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from toolbox import tests, tools  # noqa: E402


class Tiers(unittest.TestCase):
    """Of the build folder that this test is in, and of a small one."""

    def test_each_test_has_one(self):
        found = tests.found(tools.BUILD)
        self.assertGreater(len(found), 50)
        for test in found:
            self.assertEqual(len(test.labels), 1, test.name)
            self.assertIn(test.labels[0], tests.TIERS, test.name)
        self.assertEqual({test.labels[0] for test in found}, set(tests.TIERS))
        self.assertEqual(len(tests.lines(found)), len(found))

    def test_what_is_listed(self):
        with tempfile.TemporaryDirectory() as folder:
            build = pathlib.Path(folder)
            times = build / "Testing" / "Temporary"
            times.mkdir(parents=True)
            (times / "CTestCostData.txt").write_text("b 3 2.25\nc 0 0\n---\n")
            (build / "CTestTestfile.cmake").write_text("".join(
                f"add_test({name} true)\nset_tests_properties({name} PROPERTIES LABELS {tier})\n"
                for name, tier in (("a", "whole"), ("c", "quick"), ("b", "quick"))))
            self.assertEqual([line.split() for line in tests.lines(tests.found(build))],
                             [["quick", "2.2", "s", "b"], ["quick", "-", "s", "c"],
                              ["whole", "-", "s", "a"]])


if __name__ == "__main__":
    unittest.main()
