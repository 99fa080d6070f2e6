#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A placement of tdplace, routed: the multiplier of the tiny tile, as scripts/route does it. What is found
of it must be right, and a net that is cut in two must be seen."""

import pathlib
import re
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "verify")]

from netlists import cells  # noqa: E402
from placement import lvs, routed  # noqa: E402
from toolbox import tools  # noqa: E402

SEED = 2             # of 1..4, 1 and 4 leave a net in two pieces, and qrouter does not notice: netgen does


def cut(text):
    """A routed DEF without the second half of its longest wire."""
    nets = re.findall(r"^- \S+\n.*? ;$", text[text.index("\nNETS"):], re.M | re.S)
    longest = max(nets, key=len)
    parts = longest.split("NEW ")
    return text.replace(longest, "NEW ".join(parts[:len(parts) // 2]).rstrip() + " ;")


class Routed(unittest.TestCase):
    """One placement, routed once."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.found = routed.measure("multiplier", SEED, cls.folder, tools.Runner())
        print(cls.found)

    def test_it_is_as_was_said(self):
        self.assertEqual(self.found.failures(), [])
        self.assertGreater(self.found.timed, 1000)
        # Wires are a part of what the latest signal takes.
        wires = self.found.routed_ns - self.found.bare_ns
        self.assertAlmostEqual(self.found.placed_ns - self.found.bare_ns, wires, delta=0.25 * wires)

    def test_a_net_in_two_pieces_is_seen(self):
        (self.folder / "cut.def").write_text(cut((self.folder / "routed.def").read_text()))
        said = lvs.verdict("multiplier", cells.load(), self.folder, tools.Runner(), "cut.def")
        self.assertNotEqual(said, routed.MATCH)


if __name__ == "__main__":
    unittest.main()
