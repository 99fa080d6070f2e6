#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""One training step: its results have the bits that a replay of its operands through the RTL gives, and lie within
the bound of double precision."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "verify")]

import torch  # noqa: E402
from torch import nn  # noqa: E402
from torch.nn import functional  # noqa: E402

from capture import TraceWriter  # noqa: E402
from training import tile  # noqa: E402

LIBRARY, HASH, *CONFIGS = sys.argv[1:]
del sys.argv[1:]
ROLES = ("O", "GA", "GW")  # of the three operations
OPERANDS = (("A", "W"), ("GO", "W"), ("A", "GO"))


def network():
    """Stride, padding, dilation, groups and biases; ReLUs for zeros."""
    torch.manual_seed(3)
    return nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 8, 3, stride=2, padding=1), nn.ReLU(),
                         nn.Conv2d(8, 12, 3, padding=2, dilation=2, groups=4), nn.ReLU(), nn.Flatten(),
                         nn.Linear(12 * 25, 10))


def batch():
    """Three images and their labels."""
    generator = torch.Generator().manual_seed(4)
    return torch.randn(3, 3, 9, 9, generator=generator), torch.tensor([1, 2, 3])


def step(model):
    """Forward and backward of the batch."""
    images, labels = batch()
    model.zero_grad()
    functional.cross_entropy(model(images), labels).backward()


def recorded(model, operator):
    """Lets the model compute with the operator; two dicts to which each operation adds (layer, role): its operands,
    and its result. Layers are told by the shapes of their weights."""
    names = {tuple(module.weight.shape): name for name, module in model.named_modules()
             if isinstance(module, (nn.Conv2d, nn.Linear))}
    operands, results, run = {}, {}, operator.run

    def record(operation, layer, first, second, shape):
        result = run(operation, layer, first, second, shape)
        name = names[tuple(layer.w[:2] if layer.linear else layer.w)]
        for role, value in zip(OPERANDS[operation], (first, second)):
            operands[name, role] = value.detach().clone()
        results[name, ROLES[operation]] = result.clone()
        return result

    operator.run = record
    tile.use(model, operator)
    return operands, results


def said(*command):
    """What a command prints."""
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True, check=True).stdout


def output_hash(text):
    """The hash in what a program says."""
    return re.search(r"output hash ([0-9a-f]{16})", text).group(1)


class Step(unittest.TestCase):
    """A step in the arithmetic of each configuration."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.trace = os.path.join(folder.name, "step.safetensors")

    def train(self, config, flipped=0):
        """Writes the trace of a step beside its own results, with so many bits of them flipped."""
        model, operator = network(), tile.Tile(LIBRARY, config)
        self.addCleanup(operator.close)
        operands, results = recorded(model, operator)
        step(model)
        with TraceWriter(self.trace, dtype="fp32", images=3) as trace:
            # The same step by PyTorch, whose operators are seen, describes the layers.
            like = network()
            with trace.snapshot(like):
                step(like)
            for (layer, role), value in operands.items():
                shape, _, dtype = trace.tensors[f"step/{layer}/{role}"]
                self.assertEqual((shape, dtype), (list(value.shape), "fp32"))
                trace.tensors[f"step/{layer}/{role}"] = (shape, value.numpy().tobytes(), dtype)
            for (layer, role), result in results.items():
                bits = result.numpy().view("<u4").ravel()
                bits[:flipped] ^= 0x10000  # the lowest bit of a result in bf16
                flipped = 0
                trace.tensors[f"step/{layer}/{role}"] = (list(result.shape), bits.tobytes(), "fp32")
        self.assertEqual(len(results), 11)  # the first layer's input needs no gradient

    def test_bits_of_the_rtl(self):
        self.assertTrue(CONFIGS)
        for config in CONFIGS:
            with self.subTest(config):
                replay = said(ROOT / "verify/regress/build.sh", config, "fast", "tdreplay").strip()
                self.train(config)
                ours = output_hash(said(HASH, config, self.trace))
                self.assertEqual(ours, output_hash(said(replay, "--trace", self.trace, "--full")))
                self.train(config, flipped=1)
                self.assertNotEqual(ours, output_hash(said(HASH, config, self.trace)))

    def test_products_of_activations(self):
        """In binary32 they are PyTorch's but for the order of sums; so are the gradients of both factors."""
        operator = tile.Tile(LIBRARY, "paper_fp32")
        self.addCleanup(operator.close)
        generator = torch.Generator().manual_seed(5)
        factors = [torch.randn(2, 3, *shape, generator=generator) for shape in ((5, 7), (7, 4), (5, 4))]
        found = []
        for multiply in (operator.matmul, torch.matmul):
            first, second = (value.clone().requires_grad_() for value in factors[:2])
            product = multiply(first, second)
            product.backward(factors[2])
            found.append((product.detach(), first.grad, second.grad))
        for ours, theirs in zip(*found):
            self.assertEqual(ours.shape, theirs.shape)
            torch.testing.assert_close(ours, theirs, rtol=1e-5, atol=1e-5)

    def test_within_the_bound(self):
        """Each row, level of the tree and accumulator rounds at most once; fused sums cut, too."""
        for config in ("paper_bf16", "fused_bf16", "paper_fp32"):
            with self.subTest(config):
                model, operator = network(), tile.Tile(LIBRARY, config)
                self.addCleanup(operator.close)
                dtype = torch.float32 if config == "paper_fp32" else torch.bfloat16
                self.assertGreater(self.beyond(model, operator, dtype, 0.0), 1000)
                self.assertEqual(self.beyond(model, operator, dtype, 1.0), 0)

    def beyond(self, model, operator, dtype, share):
        """How many results are off by more than this share of the bound."""
        found = 0
        run = operator.run

        def compare(operation, layer, first, second, shape):
            result = run(operation, layer, first, second, shape)
            first, second = (value.detach().to(dtype).double() for value in (first, second))
            exact, most = (product(operation, layer, shape, x, y)
                           for x, y in ((first, second), (first.abs(), second.abs())))
            nonlocal found
            found += int(((result.double() - exact).abs() > share * (3 * rows(operation, layer) + 16) * 2**-24 * most)
                         .sum())
            return result

        operator.run = compare
        step(tile.use(model, operator))
        operator.run = run
        return found


def rows(operation, layer):
    """Rows of an output's stream, of 16 lanes."""
    if operation == 2:
        images, *size = layer.go
        return -(-images // 16) if layer.linear else images * -(-size[1] * size[2] // 16)
    reduced = layer.w[1] if operation == 0 else layer.w[0] // max(layer.groups, 1)
    return -(-reduced // 16) * (1 if layer.linear else layer.w[2] * layer.w[3])


@torch.enable_grad()
def product(operation, layer, shape, first, second):
    """PyTorch's result of an operation."""
    a = first if operation != 1 else torch.zeros(shape, dtype=first.dtype)
    w = second if operation != 2 else torch.zeros(shape, dtype=first.dtype)
    a, w = a.requires_grad_(), w.requires_grad_()
    if layer.linear:
        output = functional.linear(a, w)
    else:
        output = functional.conv2d(a, w, None, *map(tuple, (layer.stride, layer.padding, layer.dilation)), layer.groups)
    if operation == 0:
        return output.detach()
    return torch.autograd.grad(output, a if operation == 1 else w, first if operation == 1 else second)[0]


if __name__ == "__main__":
    unittest.main()
