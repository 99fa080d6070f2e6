#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/fresh knows every command that a new user is told to type, and says which of them fail."""

import pathlib
import sys
import tempfile
import unittest
import unittest.mock

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "verify")]

from documents.markdown import Document  # noqa: E402
from fresh import listed, run  # noqa: E402
from toolbox.errors import CheckError  # noqa: E402


class Listed(unittest.TestCase):
    README = Document("README.md", "`scripts/a` makes it.\n\n| task | command |\n|---|---|\n"
                      "| one | `scripts/b`, `scripts/c X` |\n| two | |\n\n"
                      "```\n$ scripts/d --x\nscripts: said\n…\n```\n")
    TUTORIAL = Document("docs/tutorial.md", "`scripts/e` and `scripts/f --y\nZ`\n"
                        "```\n/usr/bin/python3 g.py\n```\n")
    SHOWN = ["scripts/b", "scripts/c X", "scripts/d --x", "scripts/f --y Z", "/usr/bin/python3 g.py"]

    def test_what_the_documents_show(self):
        self.assertEqual(listed.shown([self.README, self.TUTORIAL]), {*self.SHOWN})

    def test_each_once(self):
        there = [listed.Command(name, name) for name in self.SHOWN]
        listed.check([self.README, self.TUTORIAL], there)
        for wrong, text in ((there[1:], "scripts/b: stands in a document, not"),
                            ([*there, listed.Command("scripts/h", "")], "scripts/h: stands in commands"),
                            ([*there, there[0]], "scripts/b: twice")):
            with self.assertRaisesRegex(CheckError, text):
                listed.check([self.README, self.TUTORIAL], wrong)
        self.assertRaises(CheckError, listed.check, [], [])

    def test_ours_are_complete(self):
        commands, files = listed.checked()
        self.assertGreater(len(commands), 30)
        self.assertIn("train.py", files)


class Run(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def runs(self, names=("README.md",)):
        return run.Runs(self.folder / "runs", names, {"saved.py": "text"})

    def test_each_has_an_empty_build_folder(self):
        runs = self.runs()
        for line in ("mkdir build && touch build/x left", "test ! -e build && test -e left && test -e saved.py"):
            self.assertEqual(runs.of(line).status, 0, runs.log(line).read_text())

    def test_a_failure_is_red(self):
        runs = self.runs()
        for line, status in (("exit 3", 3), ("exit 4 | cat", 4), ("kill -9 $$", -9)):
            self.assertEqual(runs.of(line).status, status)

    def test_what_passed_is_kept_until_a_file_changes(self):
        again = "echo >>../count; wc -l <../count"
        for names, lines in ((("README.md",), 1), (("README.md",), 1), (("README.md", "LICENSE"), 2)):
            self.runs(names).of(again)
            self.assertEqual(len((self.folder / "runs" / "count").read_text()), lines)

    def test_what_failed_is_run_again(self):
        for lines in (1, 2):
            self.runs().of("echo >>../count; false")
            self.assertEqual(len((self.folder / "runs" / "count").read_text()), lines)

    def test_costs(self):
        cost = self.runs().of("/usr/bin/python3 -c 'x = b\"x\" * 10**8; sum(range(3 * 10**6))'")
        self.assertGreater(cost.memory, 90)
        self.assertGreater(cost.cpu, 0.01)
        self.assertGreaterEqual(cost.wall, cost.cpu / 2)


if __name__ == "__main__":
    unittest.main()
