#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/train: what it writes, that it goes on to the same bits, and what it refuses."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]

import numpy  # noqa: E402

SCHEMA = json.loads((pathlib.Path(__file__).parent / "result.schema.json").read_text())


class Train(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.keep = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.keep.name)
        random = numpy.random.default_rng(1)
        labels = numpy.arange(72) % 2
        # Bright above or below, so that a few steps learn it.
        images = random.integers(0, 90, (72, 1, 8, 8), dtype="uint8")
        for image, label in zip(images, labels):
            image[0, 4 * label:4 * label + 4] += 120
        cls.data = cls.folder / "data.npz"
        numpy.savez(cls.data, train_images=images[:48], train_labels=labels[:48], test_images=images[48:],
                    test_labels=labels[48:])

    @classmethod
    def tearDownClass(cls):
        cls.keep.cleanup()

    def train(self, *options, status=0):
        """The program's result and output; its error where it refuses."""
        out = self.folder / "out.json"
        out.unlink(missing_ok=True)
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "scripts"), "OMP_NUM_THREADS": "1"}
        done = subprocess.run(["/usr/bin/python3", "-B", "-m", "training", "--network", "resnet", "--data", self.data,
                               "--batch", "16", "--out", out, *options], capture_output=True, text=True, check=False,
                              env=environment, cwd=self.folder)
        self.assertEqual(done.returncode, status, done.stderr)
        if status:
            self.assertFalse(out.exists())
            self.assertEqual((done.stdout, done.stderr.count("\n")), ("", 1))
            return done.stderr
        self.assertEqual(done.stderr, "")
        return json.loads(out.read_text()), done.stdout

    def text(self, words, *options, status=0):
        """A decoder that reads such a text, for one epoch."""
        path = self.folder / "text.txt"
        path.write_text(words)
        return self.train("--network", "gpt_relu2_top", "--data", str(path), "--batch", "4", "--lr", "0.003", *options,
                          status=status)

    @staticmethod
    def course(result):
        """What training came to, without how long it took."""
        return [{key: value for key, value in epoch.items() if key != "cpu_seconds"} for epoch in result["history"]]

    def test_result(self):
        from jsonschema import validate

        courses = []
        for arithmetic, config in (("tile", "paper_bf16"), ("fused", "fused_bf16"), ("torch", None)):
            result, said = self.train("--arithmetic", arithmetic, "--epochs", "2", "--lr", "0.05")
            validate(result, SCHEMA)
            self.assertEqual(result["config"] and result["config"]["name"], config)
            self.assertIn("epoch 2: loss", said)
            self.assertLess(result["history"][1]["loss"], result["history"][0]["loss"])
            courses.append(self.course(result))
        for course in courses[1:]:
            self.assertNotEqual(course, courses[0])  # each arithmetic rounds otherwise
            self.assertAlmostEqual(course[0]["loss"], courses[0][0]["loss"], delta=0.05)

    def test_a_decoder_of_text(self):
        """Products of activations are the tile's, too; a result counts characters, not windows."""
        words = "one two three four " * 60
        ours, _ = self.text(words, "--arithmetic", "tile", "--config", "paper_fp8")
        theirs, _ = self.text(words, "--arithmetic", "torch")
        self.assertNotEqual(self.course(ours), self.course(theirs))
        self.assertAlmostEqual(ours["history"][0]["loss"], theirs["history"][0]["loss"], delta=0.05)
        self.assertEqual(ours["test_accuracy"] * ours["test_images"] * 64 % 1, 0)
        for text, said in (("too short", "9 characters, 6 different ones; legal: 897 or more"),
                           ("".join(map(chr, range(32, 32 + 300))) * 4, "300 different ones; legal:")):
            self.assertIn(said, self.text(text, "--arithmetic", "torch", status=2))

    def test_threads_and_checkpoint(self):
        options = ("--arithmetic", "tile", "--epochs", "2", "--prune", "0.5", "--prune-step", "1")
        whole, _ = self.train(*options)
        threads, _ = self.train(*options, "--threads", "2")
        self.assertEqual(self.course(whole), self.course(threads))
        point = self.folder / "point"
        stopped = subprocess.run(
            ["/usr/bin/python3", "-B", "-c", STOPPED, "--network", "resnet", "--data", self.data, "--batch", "16",
             "--out", "x.json", "--checkpoint", point, *options], capture_output=True, text=True, check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT / "scripts"), "OMP_NUM_THREADS": "1"}, cwd=self.folder)
        self.assertEqual((stopped.returncode, stopped.stdout.count("epoch")), (130, 0))
        again, said = self.train(*options, "--checkpoint", point)
        self.assertEqual(said.count("epoch"), 1)
        self.assertEqual(self.course(whole), self.course(again))
        error = self.train(*options, "--seed", "2", "--checkpoint", point, status=2)
        self.assertIn("a new file, or the checkpoint of a run with the same arguments", error)

    def stored(self, name, **fields):
        """A result, written by hand."""
        path = self.folder / name
        path.write_text(json.dumps({
            "schema": "tensordash-training-1", "network": "plain", "dataset": "x", "arithmetic": "torch",
            "config": None, "seed": 1, "epochs": 2, "batch": 16, "learning_rate": 0.02, "prune": 0.0,
            "train_images": 48, "test_images": 24, "test_accuracy": 0.5, "cpu_seconds": 3.0,
            "history": [{"test_accuracy": 0.5}, {"test_accuracy": 0.475}], **fields}))
        return path

    def table(self, *paths):
        return subprocess.run(["/usr/bin/python3", "-B", "-m", "training", "--table", *paths], capture_output=True,
                              text=True, check=False, env={**os.environ, "PYTHONPATH": str(ROOT / "scripts")})

    def test_table(self):
        tile = {"arithmetic": "tile", "config": {"name": "tiny", "hash": "0" * 16, "sum": "tree"}}
        pruned = {"prune": 0.9, "history": [{"test_accuracy": 0.5}]}
        paths = [self.stored("a", **tile, seed=1, test_accuracy=0.45), self.stored("b", seed=1),
                 self.stored("c", **tile, seed=2, test_accuracy=0.75), self.stored("d", seed=2, test_accuracy=0.6),
                 self.stored("e", seed=3, **pruned), self.stored("g", seed=3, **tile, **pruned, test_accuracy=0.4)]
        done = self.table(*paths)
        rows = [re.split("  +", line) for line in done.stdout.splitlines()[2:]]
        # Of -5 and 15: 12.706 * sqrt(200) / sqrt(2). Of these and -10: 4.303 * sqrt(175) / sqrt(3).
        self.assertEqual(rows, [
            ["plain", "torch", "-", "50.0", "60.0", "-", "55.0", "10.0", "-2.5", "-", "-", "3"],
            ["plain", "tile", "tiny", "45.0", "75.0", "-", "60.0", "30.0", "-2.5", "+5.0", "127.1", "3"],
            ["plain, 90% pruned", "torch", "-", "-", "-", "50.0", "50.0", "0.0", "-", "-", "-", "3"],
            ["plain, 90% pruned", "tile", "tiny", "-", "-", "40.0", "40.0", "0.0", "-", "-10.0", "-", "3"],
            ["all", "tile", "tiny", *"------", "+0.0", "32.9", "-"]])
        for fields, words in (({"epochs": 3}, "f: epochs = 3 is illegal; legal: 2, as in "),
                              ({"schema": "x"}, "f: schema = x is illegal"),
                              ({}, "f: seed = 1 is illegal; legal: each seed once")):
            done = self.table(*paths, self.stored("f", **fields))
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(words, done.stderr)

    def test_refusals(self):
        tile = ("--arithmetic", "tile")
        (self.folder / "torn").write_text("x")
        for options, words in (
                ((*tile, "--config", "fused_bf16"), "fused_bf16: tile.numerics.sum = fused is illegal"),
                ((*tile, "--config", "pe_two_sided"), "tile.scheduling = two_sided is illegal; legal: one_sided"),
                ((*tile, "--config", "none"), "command line: --config = none is illegal; legal: a TOML file"),
                (("--arithmetic", "torch", "--config", "tiny"), "legal: none with --arithmetic torch"),
                ((*tile, "--train-images", "49"), "--train-images = 49 is illegal; legal: 1..48"),
                ((*tile, "--train-images", "8"), "--batch = 16 is illegal; legal: 1..8"),
                ((*tile, "--prune", "0.5", "--prune-step", "3"), "--prune-step = 3 is illegal; legal: 0..2"),
                ((*tile, "--epochs", "0"), "--epochs: 0 is outside 1..1000"),
                ((*tile, "--checkpoint", self.folder / "torn"), "legal: a checkpoint of scripts/train"),
                ((*tile, "--out", "/nowhere/x"), "--out = /nowhere/x is illegal"),
                ((*tile, "--network", "plain", "--lr", "10"), "legal: a smaller one: the loss is")):
            with self.subTest(words):
                self.assertIn(words, self.train(*options, status=2))


# The program, interrupted when its first epoch has been written.
STOPPED = """
import runpy, sys
from training import session
save = session.Session._save
def stop(self):
    save(self)
    raise KeyboardInterrupt
session.Session._save = stop
sys.argv[0] = "train"
runpy.run_module("training", run_name="__main__")
"""


if __name__ == "__main__":
    unittest.main()
