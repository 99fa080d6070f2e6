#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The accelerator's model beside PyTorch: a captured training step with PyTorch's own results, and what is injected
into the accelerator's is found."""

import json
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

PROGRAM = sys.argv.pop(1) if __name__ == "__main__" else None  # results_check


def network():
    """Stride, padding, dilation and groups, and as many filters as channels."""
    torch.manual_seed(3)
    return nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 8, 3, stride=2, padding=1), nn.ReLU(),
                         nn.Conv2d(8, 12, 3, padding=2, dilation=2, groups=4), nn.ReLU(), nn.Flatten(),
                         nn.Linear(12 * 25, 10))


class Products(nn.Module):
    """What is no Conv2d and no Linear: attention, a recurrent layer, one dimension, a transposed convolution."""

    def __init__(self):
        super().__init__()
        self.line, self.up = nn.Conv1d(4, 6, 3, padding=1, groups=2), nn.ConvTranspose2d(3, 4, 3, 2, 1, 1)
        self.attention, self.memory = nn.MultiheadAttention(6, 2, batch_first=True), nn.LSTM(6, 5, batch_first=True)

    def forward(self, x):
        x = torch.relu(self.up(x)).flatten(2)[:, :, :7]  # [N, 4, 7]
        x = torch.relu(self.line(x)).transpose(1, 2)  # [N, 7, 6]
        return self.memory(self.attention(x, x, x)[0])[0]


def capture_products(path):
    """A step of that network, with PyTorch's results."""
    torch.manual_seed(4)
    model = Products()
    with TraceWriter(path, images=2, results=True) as trace:
        with trace.snapshot(model):
            model(torch.randn(3, 3, 4, 4)).pow(2).sum().backward()


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

    def check(self, *injected, path=None):
        """Which operations have results beyond their bounds; and all there are."""
        result = subprocess.run([PROGRAM, path or self.path, *injected], capture_output=True, text=True, check=False)
        lines = [line.split() for line in result.stdout.splitlines()[:-1]]
        wrong = {f"{line[0]} {line[1]}" for line in lines if int(line[4]) > 0}
        self.assertEqual((result.returncode, result.stderr), (1 if wrong else 0, ""))
        return wrong, {f"{line[0]} {line[1]}" for line in lines}

    def test_within_bounds(self):
        wrong, operations = self.check()
        self.assertEqual(wrong, set())
        every = {f"{layer} {op}" for layer in (0, 2, 4, 7) for op in ("fwd", "dgrad", "wgrad")}
        self.assertEqual(operations, every - {"0 dgrad"})  # the network's input needs no gradient

    def test_other_operators(self):
        """Every product of such a network, as it stands in the trace: attention's two are three operations each."""
        path = os.path.join(self.folder.name, "products.safetensors")
        capture_products(path)
        wrong, operations = self.check(path=path)
        self.assertEqual(wrong, set())
        layers = ("up.transposed", "line", "attention.in_proj_weight", "attention.matmul", "attention.matmul#2",
                  "attention.out_proj", "memory.weight_ih_l0", "memory.weight_hh_l0", "memory.weight_hh_l0#2")
        every = {f"{layer} {op}" for layer in layers for op in ("fwd", "dgrad", "wgrad")}
        self.assertEqual(operations, every - {"up.transposed fwd", "memory.weight_hh_l0 dgrad"})
        self.assertLessEqual({"line fwd", "up.transposed dgrad"}, self.check("kernel", path=path)[0])
        self.mix_heads(path, "step/attention.matmul/W")
        self.assertEqual(self.check(path=path)[0], {"attention.matmul fwd", "attention.matmul dgrad"})

    @staticmethod
    def mix_heads(path, name):
        """Each half of this tensor in the place of the other: heads meet the keys of other samples."""
        with open(path, "r+b") as file:
            size = int.from_bytes(file.read(8), "little")
            first, last = json.loads(file.read(size))[name]["data_offsets"]
            file.seek(8 + size + first)
            values, half = file.read(last - first), (last - first) // 2
            file.seek(8 + size + first)
            file.write(values[half:] + values[:half])

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
