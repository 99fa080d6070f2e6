#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of the proofs: those about tiny pass, a planted fault is refuted by the proof that it
should be, and what refutes it is seen again in the wave."""

import pathlib
import re
import shutil
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "verify")]

from formal import designs, library  # noqa: E402
from formal.planted import FAULTS  # noqa: E402
from formal.proof import ALWAYS, REFUTED, SAT, STEP, Proof  # noqa: E402
from toolbox.errors import UserError  # noqa: E402

CONFIG = "tiny"
BLOCKS = ("scheduler", "interconnect", "staging", "row", "column", "intake")


# Fails in the first clock, without registers; and in the second, as a register says.
PLAIN = """\
module proof (input wire clk, input wire [1:0] a, output wire ok);
  assign ok = a != 2'd2;
endmodule
"""
CLOCKED = """\
module proof (input wire clk, input wire [1:0] a, output wire ok);
  reg [1:0] q;
  always @(posedge clk) q <= a;
  assign ok = q != 2'd2;
endmodule
"""


def last_values(wave, name):
    """Values that a signal has at the end of a wave, in each scope where it is."""
    codes, values = set(), {}
    for line in wave.read_text(encoding="utf-8").splitlines():
        words = line.split()
        if line.startswith("$var") and words[4] == name:
            codes.add(words[3])
        elif line[:1] in ("0", "1", "x", "z"):
            values[line[1:]] = line[0]
    return {values.get(code) for code in codes}


class Proofs(unittest.TestCase):
    """Of tiny, sound and with faults in a copy."""

    @classmethod
    def setUpClass(cls):
        cls.design = designs.emit(CONFIG)

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.rtl = pathlib.Path(temporary.name)

    def test_sound(self):
        found = library.verdicts(library.proofs(self.design, BLOCKS))
        self.assertGreater(len(found), 15)
        for one in found:
            self.assertTrue(one.proved, one.proof.name)

    def plant(self, block, pattern, replacement):
        for file in self.design.rtl.glob("*.v"):
            shutil.copy(file, self.rtl)
        path = self.rtl / f"{CONFIG}_{block}.v"
        faulty, count = re.subn(pattern, replacement, path.read_text(encoding="utf-8"))
        self.assertEqual(count, 1, pattern)
        path.write_text(faulty, encoding="utf-8")

    def test_faults(self):
        for name, block, pattern, replacement, signals in FAULTS:
            with self.subTest(name):
                self.plant(block, pattern, replacement)
                listed = library.proofs(designs.at(self.rtl, CONFIG), {block})
                found = library.verdicts([one for one in listed if one.signal in signals])
                self.assertEqual({one.proof.signal for one in found}, signals)
                for one in found:
                    self.assertEqual(one.verdict, REFUTED, one.proof.name)
                    self.assertEqual(last_values(one.wave, one.proof.signal), {"0"})

    def test_replay(self):
        for text in (PLAIN, CLOCKED):
            for method in (SAT, STEP, ALWAYS):
                with self.subTest(method.text, text=text):
                    proof = Proof("row", "fails", "ok", self.design, "full", method, text, ())
                    [found] = library.verdicts([proof])
                    self.assertEqual(found.verdict, REFUTED)
                    self.assertEqual(last_values(found.wave, "ok"), {"0"})

    def test_every_property_can_fail(self):
        can_fail = {(block, signal) for _, block, _, _, signals in FAULTS for signal in signals}
        for proof in library.proofs(self.design, BLOCKS):
            # In a row these two follow from the scheduler, whose own proofs fail.
            if (proof.block, proof.signal) not in {("row", "ok_once"), ("row", "ok_row_0")}:
                self.assertIn((proof.block, proof.signal), can_fail)

    def test_missing_verilog(self):
        with self.assertRaisesRegex(UserError, "tiny_scheduler.v"):
            library.verdicts(library.proofs(designs.at(self.rtl, CONFIG), {"scheduler"}))


if __name__ == "__main__":
    unittest.main(verbosity=2)
