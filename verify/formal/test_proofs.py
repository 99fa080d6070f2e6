#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of the proofs: those about tiny pass, an injected fault is refuted by the proof that it
should be, and what refutes it is seen again in the wave. With --all: by every fault that should."""

import pathlib
import shutil
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "verify")]

from formal import designs, library  # noqa: E402
from formal.proof import ALWAYS, REFUTED, SAT, STEP, Proof  # noqa: E402
from injected import catalogue  # noqa: E402
from toolbox.errors import UserError  # noqa: E402

WHOLE = "--all" in sys.argv[1:]
CONFIG = "tiny"
BLOCKS = ("scheduler", "interconnect", "staging", "window", "row", "intake")
FAULTS = [fault for fault in catalogue.faults() if CONFIG in fault.proofs]


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


def name_of(proof):
    """As the catalogue names it."""
    return f"{proof.block} {proof.signal}"


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

    def test_faults(self):
        for fault, names in catalogue.refuting(FAULTS, CONFIG, WHOLE):
            with self.subTest(fault.name):
                for file in self.design.emitted.files:
                    shutil.copy(file, self.rtl)
                fault.inject(self.design.manifest, self.rtl)
                listed = [one for one in library.proofs(designs.at(self.rtl, CONFIG))
                          if name_of(one) in names]
                refuted = [one for one in library.verdicts(listed) if one.verdict == REFUTED]
                self.assertEqual({name_of(one.proof) for one in refuted}, names)
                for one in refuted:
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
        can_fail = {name for fault in FAULTS for name in fault.proofs[CONFIG]}
        for proof in library.proofs(self.design, BLOCKS):
            self.assertIn(name_of(proof), can_fail)

    def test_missing_verilog(self):
        with self.assertRaisesRegex(UserError, "td1_scheduler.v"):
            library.verdicts(library.proofs(designs.at(self.rtl, CONFIG), {"scheduler"}))


if __name__ == "__main__":
    unittest.main(argv=[word for word in sys.argv if word != "--all"], verbosity=2)
