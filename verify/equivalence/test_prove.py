# SPDX-License-Identifier: Apache-2.0
"""What a proof says that does not end in its time: nothing, instead of stopping the command."""

import pathlib
import sys
import tempfile
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).parents[1]),
                str(pathlib.Path(__file__).parents[2] / "scripts")]

from equivalence import prove  # noqa: E402
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


if __name__ == "__main__":
    unittest.main()
