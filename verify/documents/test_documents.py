#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The judges of the documents see what they are for: each finds its fault, and nothing else."""

import pathlib
import sys
import tempfile
import unittest
import unittest.mock

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "verify")]

from documents import ages, commands, figures, glossary, links, stamp  # noqa: E402
from documents.markdown import Document  # noqa: E402
from toolbox.errors import CheckError, UserError  # noqa: E402


def page(text):
    return Document("docs/page.md", text)


class Links(unittest.TestCase):
    def faults(self, text):
        return [fault.split(": ", 1)[1] for fault in links.faults(page(text))]

    def test_good_ones(self):
        self.assertEqual(self.faults("# One two\n[a](#one-two) [b](../README.md#results) "
                                     "[c](scale.md) [d](https://example.org/x) `verify/unit` "
                                     "`gen/NAME.cpp`"), [])

    def test_dead_ones(self):
        self.assertEqual(self.faults("[a](none.md)"), ["link = none.md: no such file"])
        self.assertEqual(self.faults("[a](../README.md#none)"),
                         ["link = ../README.md#none: no such heading"])
        self.assertEqual(self.faults("# One\n[a](#two)"), ["link = #two: no such heading"])
        self.assertEqual(self.faults("[a](scale.\nmd)"), ["link = scale. md: cut by white space"])
        self.assertEqual(self.faults("`sim/none.hpp`"), ["path = sim/none.hpp: no such file"])

    def test_code_blocks_have_no_links(self):
        self.assertEqual(self.faults("```\n[a](none.md)\n# two\n```\n"), [])


class Commands(unittest.TestCase):
    def faults(self, text):
        with unittest.mock.patch.object(commands, "_help", lambda *call: self.texts[call]):
            return [fault.split(": ", 1)[1] for fault in commands.faults(page(text))]

    def setUp(self):
        self.texts = {("scripts/test", ""): "--quick --list",
                      ("scripts/tdsim", ""): "  run   simulate",
                      ("scripts/tdsim", "run"): "  --config TEXT", ("scripts/demo", ""): None}

    def test_good_ones(self):
        self.assertEqual(self.faults("`scripts/test --quick` `scripts/tdsim run T\n--config X`\n"
                                     "```\n$ scripts/test --list | head --lines 3\n```\n"), [])

    def test_bad_ones(self):
        self.assertEqual(self.faults("`scripts/none --x`"),
                         ["command = scripts/none: no such file"])
        for text in ("`scripts/test --slow`", "```\nscripts/test --slow\n```\n",
                     "| `scripts/test [--quick\\|--slow]` |"):
            self.assertIn("--slow is not in its --help", "".join(self.faults(text)))
        self.assertEqual(self.faults("`scripts/tdsim run --con`"),
                         ["command = scripts/tdsim run --con: --con is not in its --help"])
        self.assertEqual(self.faults("`scripts/demo --x`"),
                         ["command = scripts/demo  --help: it failed"])


class Figures(unittest.TestCase):
    TABLE = ("<!-- figures\nspeed-up; area: scripts/x {name}\n-->\n"
             "| name | speed-up: a, b | area, um2 | note |\n|---|---|---|---|\n"
             "| `one` | 2.24, 2.16 | 1,234 | 7 |\n| paper | 9 | 9 | 9 |\n\n"
             "| other | speed-up |\n|---|---|\n| `two` | 9 |\n")

    def faults(self, text, **outputs):
        stored = {command.replace("_", " "): unittest.mock.Mock(lines=lines)
                  for command, lines in outputs.items()}
        stored = {f"scripts/{command}": output for command, output in stored.items()}
        return [fault.split(": ", 1)[1] for fault in figures.faults(page(text), stored)]

    def test_blocks(self):
        lines = ["a 1", "b 2", "c 3", "d 4"]
        for text in ("a 1\nb 2\nc 3\nd 4", "…\nb 2\n…\nd 4", "a 1\n…", "…\nd 4"):
            self.assertEqual(self.faults(f"```\n$ scripts/x\n{text}\n```\n", x=lines), [])
        for text, bad in (("a 1\nb 3\n…", "b 3"), ("a 1\nc 3\n…", "c 3"), ("b 2\n…", "b 2"),
                          ("…\nc 3", "(and no more): d 4"), ("…\nd 4\n…\na 1", "a 1")):
            self.assertEqual(self.faults(f"```\n$ scripts/x\n{text}\n```\n", x=lines),
                             [f"scripts/x: does not print: {bad}"])
        self.assertEqual(self.faults("```\n$ scripts/y\n```\n", x=lines),
                         ["no stored output of: scripts/y"])

    def test_rates_may_differ(self):
        text = "```\n$ scripts/x\n9 clocks, 2 kilocycles per CPU second\n```\n"
        self.assertEqual(self.faults(text, x=["9 clocks, 75 kilocycles per CPU second"]), [])
        self.assertEqual(len(self.faults(text, x=["8 clocks, 2 kilocycles per CPU second"])), 1)

    def test_tables(self):
        good = ["total 8 2.24", "2.16", "area 1234 +1"]
        self.assertEqual(self.faults(self.TABLE, x_one=good), [])
        for lines, bad in ((["2.24 2.17 1234"], "2.16"), (["2.16 2.24 1234"], "2.16"),
                           (["2.24 2.16 12345"], "1234"), ([], "2.24")):
            self.assertEqual(self.faults(self.TABLE, x_one=lines),
                             [f"speed-up; area of one: {bad} is not what was printed by: "
                              "scripts/x one"])
        self.assertEqual(self.faults(self.TABLE), ["no stored output of: scripts/x one"])
        self.assertEqual(self.faults(self.TABLE.replace("`", "")),
                         ["a table with figures has no row to judge"])

    def test_columns_with_commas(self):
        table = ("<!-- figures\nclocks, a and b; rest: scripts/x\n-->\n"
                 "| name | clocks, a and b |\n|---|---|\n| `one` | 7, 8 |\n")
        self.assertEqual(self.faults(table, x=["7 8"]), [])
        self.assertEqual(len(self.faults(table, x=["7 9"])), 1)

    def test_stored_outputs_are_renewed(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name) / "quick"
            folder.mkdir()
            path = folder / "x.txt"
            path.write_text("$ echo new; cat mine\n# taken at 0123abc, 2026-11-24\nold\n")
            with unittest.mock.patch.object(figures, "OUTPUTS", folder.parent), \
                    unittest.mock.patch.object(figures.tools, "ROOT", folder.parent), \
                    unittest.mock.patch.object(stamp, "now", lambda: stamp.Stamp("4567def+", "2027-01-02")):
                outputs = figures.stored()
                documents = [page("Save this as `mine`.\n\n```toml\nsaved\n```\n")]
                self.assertEqual(list(figures.renew(documents, outputs, ["nightly"], False)), [])
                self.assertEqual(list(figures.renew(documents, outputs, ["quick"], False)),
                                 ["quick/x.txt: echo new; cat mine: prints something else"])
                self.assertEqual(list(figures.renew(documents, outputs, ["quick"], True)), [])
                self.assertEqual(path.read_text(), "$ echo new; cat mine\n"
                                 "# taken at 4567def+, 2027-01-02\nnew\nsaved\n")
                path.write_text("$ false | cat\n# taken at 0123abc, 2026-11-24\n")
                self.assertRaises(CheckError, list,
                                  figures.renew([], figures.stored(), ["quick"], False))
                path.write_text("$ echo new\nnew\n")
                self.assertRaises(UserError, figures.stored)
                path.unlink()
                self.assertRaises(CheckError, figures.stored)


class Ages(unittest.TestCase):
    """Of what no test runs again."""

    def output(self, tier, since):
        taken = unittest.mock.Mock(commit="0123abc", date="2026-11-24")
        taken.commits_since.return_value = since
        return unittest.mock.Mock(tier=tier, taken=taken, command=f"scripts/{tier} {since}")

    def test_the_stale_ones_come_first(self):
        outputs = [self.output("measured", 0), self.output("measured", 7), self.output("quick", 9),
                   self.output("tutorial", None)]
        shows = page(f"```\n$ {outputs[1].command}\n1\n```\n")
        self.assertEqual(ages.lines([shows], {output.command: output for output in outputs}), [
            "2026-11-24  0123abc    unknown  no document: scripts/tutorial None",
            "2026-11-24  0123abc          7  docs/page.md: scripts/measured 7",
            "2026-11-24  0123abc          0  no document: scripts/measured 0"])

    @unittest.skipUnless((ROOT / ".git").exists(), "an archive has no commits")
    def test_a_commit_counts_what_came_behind_it(self):
        first = stamp._git("rev-list", "--max-parents=0", "HEAD").stdout.split()[0]
        self.assertGreater(stamp.Stamp(first, "").commits_since("scripts/tdsim run"), 0)
        self.assertIsNone(stamp.Stamp("0" * 40, "").commits_since("scripts/tdsim run"))


class Words(unittest.TestCase):
    GLOSSARY = ("| term | meaning | not this | except in |\n|---|---|---|---|\n"
                "| option | an entry | `place`, `the spot` | `hw/`, `a.cpp` |\n"
                "| lane | a lane | | |\n")

    def faults(self, **texts):
        texts = {path.replace("__", "/") + ".cpp": text for path, text in texts.items()}
        return list(glossary.faults(glossary.rules(self.GLOSSARY), texts))

    def test_words_are_found(self):
        self.assertEqual(self.faults(sim__x="one\ntwo Place_q"),
                         ["sim/x.cpp:2: place: the glossary says option"])
        self.assertEqual(len(self.faults(sim__x="kPLACE2 g_place the_spot the\n spot")), 3)
        self.assertEqual(self.faults(sim__x="places replace placed spot"), [])

    def test_exceptions(self):
        self.assertEqual(self.faults(hw__x="place", a="place"), [])

    def test_a_table_without_words_is_an_error(self):
        self.assertRaises(CheckError, glossary.rules, "| a | b | | |\n")

    def test_what_is_searched(self):
        for path in ("README.md", "scripts/demo", ".ci/run", "hw/tile/td1_pe.v"):
            self.assertTrue(glossary.is_searched(path), path)
        for path in (glossary.GLOSSARY, "verify/fuzz/corpus/a.toml", "verify/traces/a.safetensors"):
            self.assertFalse(glossary.is_searched(path), path)
        self.assertGreater(len(glossary.files()), 500)


if __name__ == "__main__":
    unittest.main()
