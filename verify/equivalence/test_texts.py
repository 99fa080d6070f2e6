#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/equivalence --against: what is the same is proved so, whatever registers are called, and
what is not is found. usage: test_texts.py TDGEN"""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TDGEN = sys.argv.pop()


def against(folder):
    """(exit status, module -> verdict, errors)"""
    ran = subprocess.run([ROOT / "scripts/equivalence", "--against", folder], text=True,
                         capture_output=True, check=False)
    lines = [re.split(r"  +", line) for line in ran.stdout.splitlines()[1:-1]]
    return ran.returncode, {line[0]: line[-1] for line in lines}, ran.stderr


class Texts(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        subprocess.run([TDGEN, "--config", "tiny", "--out", self.folder], check=True,
                       stdout=subprocess.DEVNULL)

    def change(self, block, *changes):
        """Of the earlier text."""
        path = self.folder / f"td1_{block}.v"
        text = path.read_text(encoding="utf-8")
        for was, now in changes:
            self.assertIn(was, text)
            text = text.replace(was, now)
        path.write_text(text, encoding="utf-8")

    def test_equal_modules_are_proved_so(self):
        self.change("sequencer", ("finals_q", "ends_q"), ("~held_q", "!held_q"))
        self.change("skid", ("td1_skid", "td1_buffer"))
        self.change("array", ("td1_skid", "td1_buffer"))
        (self.folder / "td1_skid.v").rename(self.folder / "td1_buffer.v")
        status, verdicts, errors = against(self.folder)
        self.assertEqual((status, errors), (0, ""))
        gone = verdicts.popitem()
        self.assertIn("only in the earlier text: buffer", gone)
        changed = {name: said for name, said in verdicts.items() if said != "same text"}
        self.assertEqual(changed, {"sequencer": "proved", "skid": "in what is around it",
                                   "top": "proved"})

    def test_selects_by_a_number_are_compared(self):
        self.change("skid", ("ready_q ? in_data_i : skid_q", "both[ready_q*WIDTH+:WIDTH]"),
                    ("  wire leaves", "  wire [2*WIDTH-1:0] both = {in_data_i, skid_q};\n  wire leaves"))
        self.assertEqual(against(self.folder)[1]["skid"], "proved")
        self.change("skid", ("{in_data_i, skid_q}", "{skid_q, in_data_i}"))
        verdict = against(self.folder)[1]["skid"]
        self.assertTrue(verdict.startswith("in clock"), verdict)

    def test_a_difference_is_found(self):
        self.change("skid", ("(in_valid_i & ready_q)", "(in_valid_i & ready_q & in_data_i[0])"))
        status, verdicts, _ = against(self.folder)
        self.assertEqual(status, 1)
        self.assertTrue(verdicts["skid"].startswith("in clock"), verdicts["skid"])
        self.assertEqual(verdicts["pe"], "same text")

    def test_other_folders_are_refused(self):
        (self.folder / "tiny.toml").unlink()
        status, _, errors = against(self.folder)
        self.assertEqual(status, 2)
        self.assertEqual(errors.count("\n"), 1)
        self.assertIn(f"--against = {self.folder}", errors)


if __name__ == "__main__":
    unittest.main()
