#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Suites, random configurations and kept results of scripts/regress."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "verify")]

from regress import configurations, plan, report, store, suite  # noqa: E402
from toolbox import schema, tools  # noqa: E402
from toolbox.errors import TimeLimit, UserError  # noqa: E402


class Limits(unittest.TestCase):
    """A program may use so much of a processor; what else runs here makes no difference."""

    def status(self, command):
        with tempfile.TemporaryDirectory() as folder:
            return tools.Runner().status(["sh", "-c", command], pathlib.Path(folder) / "log.txt",
                                         folder, 1)

    def test_a_busy_program_is_ended(self):
        with self.assertRaisesRegex(TimeLimit, "sh: not done after 1 s"):
            self.status("while :; do :; done")

    def test_the_limit_is_the_processors(self):
        # It is set once the program runs, which therefore waits.
        self.assertEqual(self.status('sleep 1; test "$(ulimit -t)" = 1'), 0)

    def test_a_program_that_waits_is_not(self):
        self.assertEqual(self.status("sleep 1.5; exit 3"), 3)


class SuiteFiles(unittest.TestCase):
    """What is a suite, and what is refused."""

    REFUSED = (
        ("", "run = (absent)"),
        ("runs = 1", "runs = 1"),
        ("[[run]]\nprogram = 'tdreplay'", "run.config = (absent)"),
        ("[[run]]\nconfig = 'no_such'", "run.config = no_such"),
        ("[[run]]\nconfig = 7", "run.config = 7"),
        ("[[run]]\nconfig = []", "run.config = []"),
        ("[[run]]\nconfig = 'tiny'\nprogram = 'rm'", "run.program = rm"),
        ("[[run]]\nconfig = 'tiny'\nseeds = 0", "run.seeds = 0"),
        ("[[run]]\nconfig = 'tiny'\nseeds = true", "run.seeds = True"),
        ("[[run]]\nconfig = 'tiny'\noption = ''", "run.option = "),
        ("[[run]]\nconfig = 'tiny'\noptions = '--seed 3'", "run.options = --seed"),
        ("[[run]]\nconfig = 'tiny'\noptions = '--wave=x'", "run.options = --wave=x"),
        ("[[run]]\nconfig = 'tiny'\noptions = '\"'", "run.options = \""),
        ("[random]\nconfigurations = 3", "random.options = (absent)"),
        ("[random]\noptions = 'x'", "random.configurations = (absent)"),
        ("[random]\noptions = 'x'\nconfigurations = 1\nlargest = 1", "random.largest = 1"),
        ("run = 3", "run = 3"),
        ("random = 3", "random = 3"),
        ("[[run]", "suite = "),
    )

    def test_refused(self):
        """File, field and value are named."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "s.toml"
            for text, expected in self.REFUSED:
                path.write_text(text, encoding="utf-8")
                with self.subTest(text), self.assertRaises(UserError) as refused:
                    suite.load(path)
                self.assertIn(f"{path}: {expected}", str(refused.exception))
            with self.assertRaises(UserError):
                suite.load(f"{folder}/absent.toml")

    def test_ours(self):
        """The suites here can be read; nightly has every preset and enough random ones."""
        smoke, nightly = suite.load("smoke"), suite.load("nightly")
        self.assertEqual({run.program for run in smoke.runs}, {"tdreplay", "tdleaf"})
        configs = {pathlib.Path(run.config).stem for run in nightly.runs}
        tiles = [file for file in suite.PRESETS.glob("*.toml") if not file.stem.startswith("accel_")]
        for file in (*tiles, *(ROOT / "verify/configs").glob("*.toml")):
            self.assertIn(file.stem, configs)
        self.assertGreaterEqual(nightly.random.configurations, 200)


class RandomConfigurations(unittest.TestCase):
    """Drawn configurations are legal, different, small, and leave no value out."""

    def test_legal(self):
        drawn = configurations.draw(7, 300, 32)
        self.assertEqual(drawn, configurations.draw(7, 300, 32))
        self.assertNotEqual(drawn, configurations.draw(8, 300, 32))
        hashes = set()
        with tempfile.TemporaryDirectory() as folder:
            for name, text in drawn.items():
                path = pathlib.Path(folder) / f"{name}.toml"
                path.write_text(text, encoding="utf-8")
                done = subprocess.run([tools.TDGEN, "--config", path, "--hash"],
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)
                digest, known = done.stdout.split()
                hashes.add(digest)
                self.assertEqual(known, name)
        self.assertEqual(len(hashes), 300)
        for name in drawn:
            rows, columns, lanes = map(int, re.match(r"r(\d+)c(\d+)l(\d+)d", name).groups())
            self.assertLessEqual(rows * columns * lanes, 32)
        everything = "".join(drawn.values())
        for path in ("scheduling", "interconnect.depth", "numerics.accumulators", "numerics.output",
                     "numerics.format", "pipeline.interconnect", "pipeline.multiplier",
                     "pipeline.adder", "pipeline.tree", "counters.wrap"):
            for value in schema.values(f"tile.{path}"):
                self.assertIn(f"\n{path.rpartition('.')[2]} = {json.dumps(value)}", everything)
        for value in (*map(json.dumps, schema.patterns()), "[[0, 0], ["):
            self.assertIn(f"\npattern = {value}", everything)
        self.assertGreater(everything.count("levels = "), 30)


class Results(unittest.TestCase):
    """What is kept survives an interruption; what it depends on is in its key."""

    def test_torn_file(self):
        with tempfile.TemporaryDirectory() as folder:
            first, second = (store.Result(key, "passed", 1.0) for key in "ab")
            kept = store.Store(pathlib.Path(folder))
            kept.add(first)
            (pathlib.Path(folder) / "b.json").write_text('{"key": "b", "sta', encoding="utf-8")
            self.assertIsNone(kept.get("b"))
            kept.add(second)
            kept = store.Store(pathlib.Path(folder))
            self.assertEqual([kept.get("a"), kept.get("b")], [first, second])

    def test_errors_are_forgotten(self):
        with tempfile.TemporaryDirectory() as folder:
            kept = store.Store(pathlib.Path(folder))
            for status in (store.PASSED, store.FAILED, store.ERROR):
                kept.add(store.Result(status, status, 1.0))
                kept.forget_error(status)
            self.assertEqual([kept.get(status) is None for status in
                              (store.PASSED, store.FAILED, store.ERROR)], [False, False, True])

    def test_keys(self):
        """Another seed, program, Verilog or option is another result; a run listed twice is two."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "s.toml"

            def keys(seed, options="--random 5", made_of="1"):
                path.write_text(f"[[run]]\nconfig = 'tiny'\noptions = '{options}'\n" * 2,
                                encoding="utf-8")
                (pathlib.Path(folder) / "library").write_text(made_of, encoding="utf-8")
                plan._digest.cache_clear()
                tools.file_digest.cache_clear()
                work = plan.make(suite.load(path), seed, pathlib.Path(folder))
                return [task.key for task in work[0].tasks if task.program == "tdreplay"]

            sources = plan.MADE_OF["tdreplay"]
            plan.MADE_OF["tdreplay"] = (f"{folder}/library",)
            self.addCleanup(plan.MADE_OF.__setitem__, "tdreplay", sources)
            base = keys(1)
            self.assertEqual(len(set(base)), 2)
            self.assertEqual(base, keys(1))
            design = plan._design
            plan._design = lambda *arguments, **options: plan.dataclasses.replace(
                design(*arguments, **options), rtl="another")
            self.addCleanup(setattr, plan, "_design", design)
            others = [keys(1)]
            plan._design = design
            others += [keys(2), keys(1, "--random 6"), keys(1, made_of="2")]
            for other in others:
                self.assertTrue(set(base).isdisjoint(other))

    def test_nothing_is_not_a_pass(self):
        self.assertFalse(report.Count().complete)


if __name__ == "__main__":
    unittest.main()
