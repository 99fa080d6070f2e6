#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of scripts/capture.py as a library: traces are read back and compared with what autograd says."""

import contextlib
import copy
import io
import os
import sys
import unittest

sys.dont_write_bytecode = True

from trace_reader import Folder, layer_output, read

import numpy
import torch
from torch import nn
from torch.nn import functional

from capture import CaptureError, TraceWriter, capture


class Library(Folder):
    def check_layer(self, tensors, prefix, layer, module, a, go):
        """A and W reproduce the layer's output, GO is autograd's."""
        a_read, w_read, go_read = (tensors[f"{prefix}/{role}"] for role in ("A", "W", "GO"))
        torch.testing.assert_close(a_read, a, rtol=0, atol=0)
        torch.testing.assert_close(w_read, module.weight.detach(), rtol=0, atol=0)
        torch.testing.assert_close(layer_output(layer, a_read, w_read, module.bias), module(a))
        torch.testing.assert_close(go_read, go)
        self.assertTrue(go_read.any())

    def test_whole_step(self):
        """In-place ReLUs after and before layers, an optimizer's step inside, a batch larger than the slice."""
        model = nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), nn.ReLU(inplace=True), nn.Conv2d(8, 6, 3, padding=2, dilation=2,
                              groups=2, bias=False), nn.ReLU(inplace=True), nn.Flatten(), nn.Linear(6 * 4 * 4, 5))
        before, x, y = copy.deepcopy(model), torch.randn(6, 3, 8, 8), torch.randint(5, (6,))
        optimizer = torch.optim.SGD(model.parameters(), 0.5)
        with capture(model, self.path, "only", "fp32", images=4, step=3, dataset="noise") as facts:
            loss = functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            facts["loss"] = loss.item()
        self.assertFalse(torch.equal(before[0].weight, model[0].weight))
        tensors, metadata = read(self.path)
        # The same step without anything in place, every layer's input and output kept.
        ins, outs, value = [], [], x
        for module in before:
            ins.append(value)
            value = functional.relu(value) if isinstance(module, nn.ReLU) else module(value)
            outs.append(value)
        index = [0, 2, 5]
        grads = torch.autograd.grad(functional.cross_entropy(value, y), [outs[i] for i in index])
        self.assertEqual([layer["name"] for layer in metadata["layers"]], ["0", "2", "5"])
        for i, go, layer in zip(index, grads, metadata["layers"]):
            self.check_layer(tensors, f"only/{i}", layer, before[i], ins[i][:4], go[:4])
        self.assertEqual([layer["needs_input_grad"] for layer in metadata["layers"]], [False, True, True])
        self.assertEqual(metadata["layers"][1], {"snapshot": "only", "name": "2", "type": "conv2d", "stride": [1, 1],
                         "padding": [2, 2], "dilation": [2, 2], "groups": 2, "needs_input_grad": True})
        self.assertEqual(metadata["layers"][2], {"snapshot": "only", "name": "5", "type": "linear",
                                                 "needs_input_grad": True})
        self.assertEqual(metadata["snapshots"], {"only": {"epoch": None, "step": 3, "loss": loss.item(),
                                                          "test_accuracy": None}})
        self.assertEqual((metadata["format"], metadata["dataset"], metadata["images"]),
                         ("tensordash-trace-1", "noise", "4"))
        self.assertFalse(any(module._forward_hooks for module in model))

    def test_results(self):
        """O, GA and GW belong to the tensors as they are stored, of the images kept."""
        model = nn.Sequential(nn.Conv2d(4, 6, 3, 2, 1, groups=2), nn.ReLU(), nn.Flatten(), nn.Linear(24, 5))
        with capture(model, self.path, images=2, results=True):
            model(torch.randn(3, 4, 4, 4)).pow(2).sum().backward()
        tensors, metadata = read(self.path)
        roles = ("A", "W", "GO", "O", "GA", "GW")
        self.assertEqual(set(tensors), {f"step/{layer}/{role}" for layer in (0, 3) for role in roles} - {"step/0/GA"})
        for layer in metadata["layers"]:
            stored = {role: tensors.get(f"step/{layer['name']}/{role}") for role in roles}
            a, w = stored["A"].requires_grad_(), stored["W"].requires_grad_()
            output = layer_output(layer, a, w)
            output.backward(stored["GO"])
            expected = {"O": output.detach(), "GW": w.grad, "GA": a.grad}
            for role in expected if layer["needs_input_grad"] else ("O", "GW"):
                torch.testing.assert_close(stored[role], expected[role])

    def test_input_changed_in_place(self):
        """A is what the layer saw, also when its input is overwritten before backward."""
        layer, x = nn.Linear(4, 3), torch.randn(2, 4)
        seen = x.clone()
        layer.weight.requires_grad_(False)  # so that autograd allows the change: only the bias learns
        with capture(layer, self.path, dtype="fp32"):
            output = layer(x)
            x.zero_()
            output.sum().backward()
        self.assertTrue(torch.equal(read(self.path)[0]["step/model/A"], seen))

    def test_gradient_before_in_place(self):
        """GO is the output gradient as it left the layer, though a view of it is changed afterwards."""
        for linear in (False, True):
            with self.subTest(linear=linear):
                layer = nn.Linear(4, 3) if linear else nn.Conv2d(2, 3, 1)
                x = torch.randn(2, 5, 4) if linear else torch.randn(2, 2, 3, 3)
                output = layer(x).detach().requires_grad_()
                torch.cat([output[:, :1] * 0.25, output[:, 1:]], 1).relu().pow(2).sum().backward()
                with capture(layer, self.path, dtype="fp32"):
                    traced = layer(x)
                    traced[:, :1].mul_(0.25)
                    traced.relu_().pow(2).sum().backward()
                go = read(self.path)[0]["step/model/GO"]
                torch.testing.assert_close(go, output.grad.reshape(go.shape))
                self.assertTrue((output.grad == 0).any() and output.grad.any())

    def test_leading_dimensions(self):
        for shape, kept in (((4,), 1), ((3, 4), 2), ((3, 5, 4), 10), ((3, 5, 2, 4), 20)):
            with self.subTest(shape=shape):
                layer, x = nn.Linear(4, 3), torch.randn(shape)
                with capture(layer, self.path, dtype="fp32", images=2):
                    layer(x).relu_().sum().backward()
                output = layer(x).reshape(-1, 3)
                tensors, metadata = read(self.path)
                self.check_layer(tensors, "step/model", metadata["layers"][0], layer,
                                 x.reshape(-1, 4)[:kept], (output > 0).float()[:kept])

    def test_called_twice(self):
        class Twice(nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = nn.Linear(4, 4)

            def forward(self, x):
                return self.layer(self.layer(x).relu_() * 3)

        model, x = Twice(), torch.randn(2, 4)
        first = model.layer(x)
        middle = first.relu() * 3
        last = model.layer(middle)
        grads = torch.autograd.grad(last.sin().sum(), [first, last])
        with capture(model, self.path, dtype="fp32"):
            model(x).sin().sum().backward()
        tensors, metadata = read(self.path)
        self.assertEqual([layer["name"] for layer in metadata["layers"]], ["layer", "layer#2"])
        for name, a, go, layer in zip(("layer", "layer#2"), (x, middle), grads, metadata["layers"]):
            self.check_layer(tensors, f"step/{name}", layer, model.layer, a.detach(), go)

    def test_bf16(self):
        """Nearest even, checked on the bits: ties both ways, just above a tie, a carry, subnormals, signs."""
        bits = [0x3F808000, 0x3F818000, 0x3F808001, 0x3FFF8000, 0x00008001, 0x80008000, 0x80000000, 0x42280000]
        rounded = [0x3F80, 0x3F82, 0x3F81, 0x4000, 0x0001, 0x8000, 0x8000, 0x4228]
        layer, x = nn.Linear(8, 1), torch.from_numpy(numpy.array([bits], "<u4").view("<f4"))
        with capture(layer, self.path):
            layer(x).sum().backward()
        tensors, metadata = read(self.path)
        self.assertEqual((tensors["step/model/A"].numpy().view("<u4") >> 16).tolist(), [rounded])
        self.assertEqual(metadata["dtype"], "bf16, rounded to nearest even")

    def test_padding(self):
        cases = (("same", (3, 5), [1, 2]), ("valid", (3, 5), [0, 0]), ((1, 0), (2, 2), [1, 0]))
        for padding, kernel, expected in cases:
            layer = nn.Conv2d(2, 2, kernel, padding=padding)
            x = torch.randn(1, 2, 7, 7)
            with capture(layer, self.path, dtype="fp32"):
                layer(x).sum().backward()
            tensors, metadata = read(self.path)
            self.assertEqual(metadata["layers"][0]["padding"], expected)
            self.check_layer(tensors, "step/model", metadata["layers"][0], layer, x,
                             torch.ones_like(layer(x)))

    def test_refused(self):
        refused = ((nn.ReLU(), {}, "nothing is captured: 1 ReLU: no products were seen; legal: "),
                   (nn.Conv2d(1, 1, 1), {"dtype": "fp16"}, "dtype = 'fp16'"),
                   (nn.Conv2d(1, 1, 1), {"images": 0}, "images = 0"),
                   (nn.Conv2d(1, 1, 1), {"snapshot": "a/b"}, "snapshot = 'a/b'"))
        for layer, options, text in refused:
            with self.subTest(text=text), self.assertRaisesRegex(CaptureError, text):
                with capture(layer, self.path, **options):
                    layer(torch.randn(1, 1, 4, 4, requires_grad=True)).sum().backward()
        with self.assertRaises(RuntimeError), capture(nn.Linear(1, 1), self.path):
            raise RuntimeError("the step failed")
        layer = nn.Linear(1, 1)
        with self.assertRaises(RuntimeError), TraceWriter(self.path) as trace:
            with trace.snapshot(layer):
                layer(torch.ones(1, 1)).sum().backward()
            raise RuntimeError("a later step failed")
        self.assertEqual(os.listdir(self.folder), [])

    def test_facts(self):
        """Tensors of one number are numbers, and nothing that the user says is the format's."""
        layer = nn.Linear(1, 1)
        with capture(layer, self.path, metadata={"format": "mine", "note": "kept"}) as facts:
            layer(torch.ones(1, 1)).sum().backward()
            facts.update(loss=torch.tensor(0.5), accuracy=torch.tensor(float("nan")), step=numpy.int64(3))
        _, metadata = read(self.path)
        self.assertEqual((metadata["format"], metadata["note"]), ("tensordash-trace-1", "kept"))
        self.assertEqual(metadata["snapshots"]["step"], {"epoch": None, "step": 3, "loss": 0.5, "test_accuracy": None,
                                                         "accuracy": None})
        for value in (torch.ones(2), {1}):
            with self.assertRaisesRegex(CaptureError, "snapshot step: loss = "), capture(layer, self.path) as facts:
                layer(torch.ones(1, 1)).sum().backward()
                facts["loss"] = value

    def test_nothing(self):
        """What was there is said with the reason for each, and in one line."""
        class Network(nn.Module):
            def __init__(self):
                super().__init__()
                self.scale, self.embed = nn.Parameter(torch.ones(1)), nn.Embedding(5, 4)
                self.head, self.frozen = nn.Linear(4, 2), nn.Linear(4, 4)
                self.frozen.requires_grad_(False)

            def forward(self, x):
                with torch.no_grad():
                    x = self.frozen(self.embed(x))
                return x * self.scale

        network = Network()
        with contextlib.redirect_stderr(io.StringIO()) as notes, self.assertRaises(CaptureError) as caught, \
                capture(network, self.path):
            network(torch.zeros(3, 2, dtype=torch.long)).sum().backward()
        self.assertEqual(str(caught.exception), "snapshot step: nothing is captured: frozen (addmm): its output got "
                         "no gradient; embed (embedding): rows are looked up, nothing is multiplied; legal: forward "
                         "and backward of a product of matrices or a convolution inside the block")
        self.assertEqual((notes.getvalue(), os.listdir(self.folder)), ("", []))

    def test_snapshots_and_skipped_layers(self):
        model = nn.ModuleDict({"frozen": nn.Linear(2, 2), "used": nn.Linear(2, 2), "idle": nn.Linear(2, 2)})
        model["frozen"].requires_grad_(False)
        with contextlib.redirect_stderr(io.StringIO()) as notes, TraceWriter(self.path) as trace:
            for name in "ab":
                with trace.snapshot(model, name) as facts:
                    model["used"](model["frozen"](torch.ones(1, 2))).sum().backward()
                facts["test_accuracy"] = 0.5
        self.assertEqual(notes.getvalue().splitlines(),
                         [f"capture: {name}: {text}" for name in "ab" for text in
                          ("66.6 % of the step's MACs are captured, 8 of 12",
                           "not captured: frozen (addmm, 33.3 %): its output got no gradient",
                           "idle was not called")])
        tensors, metadata = read(self.path)
        self.assertEqual([(layer["snapshot"], layer["name"]) for layer in metadata["layers"]],
                         [("a", "used"), ("b", "used")])
        self.assertEqual(metadata["snapshots"]["b"]["test_accuracy"], 0.5)


if __name__ == "__main__":
    unittest.main()
