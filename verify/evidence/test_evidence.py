#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of the store of evidence and of the table that is made of it."""

import pathlib
import sys
import tempfile
import unittest
import unittest.mock

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "verify")]

from documents import stamp  # noqa: E402
from evidence import __main__ as command, table  # noqa: E402
from toolbox import evidence  # noqa: E402
from toolbox.errors import CheckError, UserError  # noqa: E402


class Blocks(unittest.TestCase):
    """What there is evidence of."""

    def test_all_modules_of_a_tile(self):
        files = [path for folder in ("fp", "tile") for path in (ROOT / "hw" / folder).glob("*.v")]
        modules = {path.stem.partition("_")[2] for path in files}
        self.assertGreater(len(modules), 20)
        self.assertEqual(modules - set(evidence.BLOCKS), set())


class Table(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        patch = unittest.mock.patch.object(evidence, "FOLDER", self.folder)
        patch.start()
        self.addCleanup(patch.stop)

    def record(self, part="proofs", text="5 of 5", passed=True):
        evidence.record(part, f"scripts/{part}", [evidence.Cell("skid", "proof", text, passed)])

    def test_a_cell_stands_beside_its_command(self):
        self.record()
        self.record("again", "3 more")
        lines = table.lines(table.collect())
        self.assertIn("| [skid](#skid) | passed | proof |", lines)
        self.assertIn("| pipe | nothing shown | – |", lines)
        self.assertIn("Printed by: (a) `scripts/again`, (b) `scripts/proofs`.", lines)
        self.assertEqual(lines[-3:], ["### skid", "", "- proof: 3 more (a); 5 of 5 (b)"])

    def test_a_failure_shows(self):
        self.record(text="4 of 5", passed=False)
        parts = table.collect()
        self.assertIn("| [skid](#skid) | **failed**: proof | proof |", table.lines(parts))
        self.assertIn("- proof: **failed** 4 of 5 (a)", table.lines(parts))
        self.assertEqual(table.failures(parts), ["skid, proof: 4 of 5 (scripts/proofs)"])

    def test_nothing_is_no_evidence(self):
        self.assertRaises(CheckError, table.collect)
        self.assertRaises(CheckError, evidence.record, "proofs", "scripts/proofs", [])
        self.assertRaises(ValueError, evidence.Cell, "skids", "proof", "", True)

    def test_evidence_of_other_sources_is_refused(self):
        with unittest.mock.patch.object(evidence, "sources", lambda: "another"):
            self.record()
        with self.assertRaisesRegex(CheckError, "proofs: .* run scripts/proofs"):
            table.collect()

    def test_bad_files_are_named(self):
        for text in ("", "{}", "[1]", '{"command": "", "sources": "", "cells": [{"block": 1}]}'):
            (self.folder / "bad.json").write_text(text)
            with self.assertRaisesRegex(UserError, "bad.json: evidence = .* legal: "):
                table.collect()

    def test_the_page_takes_the_table_at_its_marks(self):
        page = self.folder / "verification.md"
        with unittest.mock.patch.object(command, "PAGE", page), \
                unittest.mock.patch.object(stamp, "now", lambda: stamp.Stamp("0123abc", "2026-11-24")):
            page.write_text(f"before\n{command.BEGIN}\nold\n{command.END}\nafter\n")
            command._put(["new"])
            self.assertEqual(page.read_text(),
                             f"before\n{command.BEGIN}\n\nTaken at 0123abc, 2026-11-24\n\nnew\n"
                             f"{command.END}\nafter\n")
            page.write_text("no marks\n")
            self.assertRaises(CheckError, command._put, ["new"])


    def test_where_nothing_was_run_the_page_is_shown(self):
        said = []
        with unittest.mock.patch.object(command, "print_lines", said.extend), \
                unittest.mock.patch.object(sys, "argv", ["evidence"]):
            self.assertTrue(command._evidence())
            self.assertTrue(any(line.startswith("Nothing was run in this checkout") for line in said))
            self.assertTrue(any(line.startswith(command.TAKEN) for line in said))
            self.assertIn("| [multiplier](#multiplier) | passed", "\n".join(said))
            self.assertTrue(any("docs/explore.md: scripts/tdsim explore" in line for line in said))
            said.clear()
            self.record(text="4 of 5", passed=False)
            self.assertFalse(command._evidence())
            self.assertFalse(any(line.startswith("Nothing was run") for line in said))


if __name__ == "__main__":
    unittest.main()
