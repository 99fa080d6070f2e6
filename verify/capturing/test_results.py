#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The accelerator's model beside PyTorch: a captured training step with PyTorch's own results, and what is injected
into the accelerator's is found."""

import os
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts")
sys.path.insert(0, SCRIPTS)

import torch
from torch import nn

from capture import TraceWriter

PROGRAM = sys.argv.pop(1)  # results_check


def network():
    """Stride, padding, dilation and groups, and as many filters as channels."""
    torch.manual_seed(3)
    return nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 8, 3, stride=2, padding=1), nn.ReLU(),
                         nn.Conv2d(8, 12, 3, padding=2, dilation=2, groups=4), nn.ReLU(), nn.Flatten(),
                         nn.Linear(12 * 25, 10))


class Results(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = os.path.join(cls.folder.name, "step.safetensors")
        model = network()
        with TraceWriter(cls.path, images=3, results=True) as trace:
            with trace.snapshot(model):
                loss = nn.functional.cross_entropy(model(torch.randn(4, 3, 9, 9)), torch.tensor([1, 2, 3, 4]))
                loss.backward()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def check(self, *injected):
        """Which operations have results beyond their bounds; and all there are."""
        result = subprocess.run([PROGRAM, self.path, *injected], capture_output=True, text=True, check=False)
        lines = [line.split() for line in result.stdout.splitlines()[:-1]]
        wrong = {f"{line[0]} {line[1]}" for line in lines if int(line[4]) > 0}
        self.assertEqual((result.returncode, result.stderr), (1 if wrong else 0, ""))
        return wrong, {f"{line[0]} {line[1]}" for line in lines}

    def test_within_bounds(self):
        wrong, operations = self.check()
        self.assertEqual(wrong, set())
        every = {f"{layer} {op}" for layer in (0, 2, 4, 7) for op in ("fwd", "dgrad", "wgrad")}
        self.assertEqual(operations, every - {"0 dgrad"})  # the network's input needs no gradient

    def test_wrong_stride(self):
        self.assertLessEqual({"0 fwd", "0 wgrad", "2 fwd", "2 dgrad", "2 wgrad", "4 fwd", "4 dgrad", "4 wgrad"},
                             self.check("stride")[0])

    def test_flipped_kernel(self):
        self.assertEqual(self.check("kernel")[0], {"0 fwd", "2 fwd", "2 dgrad", "4 fwd", "4 dgrad"})

    def test_transposed_weights(self):
        self.assertEqual(self.check("weights")[0], {"2 fwd", "2 dgrad"})  # as many filters as channels

    def test_nothing_to_compare(self):
        path = os.path.join(self.folder.name, "plain.safetensors")
        model = network()
        with TraceWriter(path, images=3) as trace:
            with trace.snapshot(model):
                model(torch.randn(4, 3, 9, 9)).sum().backward()
        result = subprocess.run([PROGRAM, path], capture_output=True, text=True, check=False)
        self.assertEqual((result.returncode, result.stdout), (1, "0 results, 0 beyond their bounds\n"))


if __name__ == "__main__":
    unittest.main()
