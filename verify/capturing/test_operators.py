#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Operators that capture.py sees: every product of a step, with autograd's own results, and every MAC counted.

Of each model the products of the trace, made here from its tensors, must give what PyTorch's layers gave; and the
MACs of the step are those worked out by hand in a comment."""

import contextlib
import io
import json
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True

from trace_reader import layer_output, read

import torch
from torch import nn
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

from capture import CaptureError, capture


class Operators(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "step.safetensors")
        torch.manual_seed(5)

    def step(self, model, run, images=100, **options):
        """Captures run(); returns tensors by name without the snapshot, layers by name, coverage and notes."""
        with contextlib.redirect_stderr(io.StringIO()) as notes:
            with capture(model, self.path, dtype="fp32", images=images, **options):
                run()
        tensors, metadata = read(self.path)
        tensors = {name[len("step/"):]: value for name, value in tensors.items()}
        layers = {layer["name"]: layer for layer in metadata["layers"]}
        coverage = json.loads(metadata["coverage"])["step"]
        for name, layer in layers.items():
            a, w, go = (tensors[f"{name}/{role}"] for role in ("A", "W", "GO"))
            self.assertEqual(layer_output(layer, a, w).shape, go.shape)
        return tensors, layers, coverage, notes.getvalue().splitlines()

    def products(self, tensors, layer):
        """Forward product and both gradients of a layer, from its tensors."""
        a, w, go = (tensors[f"{layer['name']}/{role}"] for role in ("A", "W", "GO"))
        a, w = a.requires_grad_(), w.requires_grad_()
        output = layer_output(layer, a, w)
        return (output.detach(), *torch.autograd.grad(output, (a, w), go))

    def assert_whole(self, coverage, macs):
        """All is captured, and counted twice alike: from operators seen, and from layers."""
        self.assertEqual((coverage["macs"], coverage["captured_macs"]), (macs, macs))
        self.assertEqual([entry for entry in coverage["not_captured"] if entry["macs"] != 0], [])

    def test_calls_without_modules(self):
        """Functional calls and operators of matrices: each is the linear layer or the product that it computes."""
        x, w, v = torch.randn(2, 3, 4, requires_grad=True), torch.randn(5, 4, requires_grad=True), torch.randn(2, 4, 6)
        batch = torch.randn(2, 3, 6, requires_grad=True)
        cases = (
            ("linear", lambda: functional.linear(x, w), 30 * 4), ("matmul", lambda: x @ w.t(), 30 * 4),
            ("einsum", lambda: torch.einsum("bnc,kc->bnk", x, w), 30 * 4),
            ("addmm", lambda: torch.addmm(torch.ones(5), x[0], w.t()), 15 * 4),
            ("bmm", lambda: torch.bmm(x, v), 36 * 4), ("batched matmul", lambda: torch.matmul(x, v), 36 * 4),
            ("baddbmm", lambda: torch.baddbmm(batch, x, v), 36 * 4),
            ("batched einsum", lambda: torch.einsum("bnc,bck->bnk", x, v), 36 * 4),
        )
        for name, call, once in cases:
            with self.subTest(name=name):
                out = call().detach()
                go = torch.randn(out.shape)
                wanted = torch.autograd.grad(call(), x, go)[0]
                needs_w = out.shape[-1] == 5
                tensors, layers, coverage, _ = self.step(nn.Identity(), lambda: call().backward(go))
                self.assert_whole(coverage, once * (3 if needs_w else 2))
                (layer,) = layers.values()
                self.assertEqual(layer.get("omits"), None if needs_w else ["wgrad"])
                output, ga, _ = self.products(tensors, layer)
                if layer["type"] == "linear":
                    rows = out.reshape(-1, out.shape[-1])
                    gradient = (wanted if name != "addmm" else wanted[0]).reshape(-1, 4)
                else:  # [1, B*K, N, 1]
                    rows = (out - batch.detach() if name == "baddbmm" else out).transpose(1, 2).reshape(1, -1, 3, 1)
                    gradient = wanted.transpose(1, 2).reshape(1, -1, 3, 1)
                torch.testing.assert_close(output, rows - 1 if name == "addmm" else rows)
                torch.testing.assert_close(ga, gradient)

    def test_weights_first(self):
        """W x has the roles of x W: the parameter is W."""
        w, x = nn.Parameter(torch.randn(5, 4)), torch.randn(4, 3, requires_grad=True)

        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.w = w

            def forward(self, x):
                return self.w @ x

        go = torch.randn(5, 3)
        model = Model()
        tensors, layers, coverage, _ = self.step(model, lambda: model(x).backward(go))
        self.assertEqual(list(layers), ["w"])
        self.assert_whole(coverage, 3 * 60)
        output, ga, gw = self.products(tensors, layers["w"])
        torch.testing.assert_close(output.t(), (w @ x).detach())
        torch.testing.assert_close(gw, w.grad)
        torch.testing.assert_close(ga.t(), x.grad)

    def convolution(self, module, shape, macs, **expected):
        """One convolution that learns alone: weights' and input's gradients are those of its products."""
        x = torch.randn(shape, requires_grad=True)
        go = torch.randn(module(x).shape)
        tensors, layers, coverage, _ = self.step(module, lambda: module(x).backward(go))
        self.assert_whole(coverage, 3 * macs)
        (layer,) = layers.values()
        self.assertLessEqual(expected.items(), layer.items())
        output, ga, gw = self.products(tensors, layer)
        torch.testing.assert_close(gw.reshape(module.weight.shape), module.weight.grad)
        return layer, output, ga, x, (module(x) - module.bias.reshape(1, -1, *[1] * (len(shape) - 2))).detach()

    def test_conv1d(self):
        module = nn.Conv1d(4, 6, 3, stride=2, padding=1, dilation=2, groups=2)
        # 2 images, 6 filters, (9 + 2 - 4 - 1)/2 + 1 = 4 positions, 2 channels of 3 taps.
        _, output, ga, x, out = self.convolution(module, (2, 4, 9), 2 * 6 * 4 * 6, operator="conv1d", stride=[1, 2],
                                                 padding=[0, 1], dilation=[1, 2], groups=2)
        torch.testing.assert_close(output.squeeze(2), out)
        torch.testing.assert_close(ga.squeeze(2), x.grad)

    def test_conv3d(self):
        """Images along the depth; the parts of the input's gradient add up to it."""
        module = nn.Conv3d(4, 6, (3, 2, 3), stride=(2, 1, 2), padding=(1, 0, 1), dilation=(2, 1, 1), groups=2)
        # 2 images, 6 filters, (9 + 2 - 4 - 1)/2 + 1 = 4 by 4 by 3 positions, 2 channels of 18 taps.
        _, output, ga, x, out = self.convolution(module, (2, 4, 9, 5, 5), 2 * 6 * 48 * 36, operator="conv3d",
                                                 stride=[1, 2], padding=[0, 1], dilation=[1, 1], groups=2)
        torch.testing.assert_close(output.reshape(2, 4, 6, 4, 3).transpose(1, 2), out)
        padded = torch.zeros(2, 4, 11, 5, 5)
        for position in range(4):
            for tap in range(3):
                padded[:, :, 2 * position + 2 * tap] += ga.reshape(2, 4, 4, 3, 5, 5)[:, position, :, tap]
        torch.testing.assert_close(padded[:, :, 1:-1], x.grad)

    def test_odd_padding(self):
        """PyTorch pads by itself where both sides differ, or with other than zeros: then A is the padded input."""
        module = nn.Conv2d(2, 3, 2, padding="same")
        self.convolution(module, (1, 2, 5, 5), 3 * 25 * 8)
        module = nn.Conv2d(2, 3, 3, padding=1, padding_mode="reflect")
        self.convolution(module, (1, 2, 5, 5), 3 * 25 * 18, padding=[0, 0])

    def test_transposed(self):
        """It is the convolution whose dgrad it is; the first layer of a step has no `fwd` then."""
        for dimensions, kind in ((1, nn.ConvTranspose1d), (2, nn.ConvTranspose2d)):
            module = kind(4, 6, 3, stride=2, padding=1, output_padding=1, groups=2)
            shape = (2, 4, 5, 5)[:2 + dimensions]
            # Every input meets 3 taps a dimension of 3 filters of its group.
            layer, output, ga, x, out = self.convolution(module, shape, 2 * 4 * 5 ** dimensions * 3 * 3 ** dimensions,
                                                         operator=f"conv_transpose{dimensions}d")
            self.assertEqual(layer["name"], "model.transposed")
            torch.testing.assert_close(output.reshape(x.shape), x.grad)
            torch.testing.assert_close(ga.reshape(out.shape), out)
        module = nn.ConvTranspose3d(4, 6, 2, stride=2, groups=2)
        # Taps along the depth meet no two results: the parts lie side by side.
        _, output, ga, x, out = self.convolution(module, (2, 4, 3, 3, 3), 2 * 4 * 27 * 3 * 8,
                                                 operator="conv_transpose3d")
        torch.testing.assert_close(output.reshape(2, 3, 4, 3, 3).transpose(1, 2), x.grad)
        torch.testing.assert_close(ga.reshape(2, 3, 6, 2, 6, 6).permute(0, 2, 1, 3, 4, 5).flatten(2, 3), out)
        module = nn.ConvTranspose2d(2, 2, 2)
        _, layers, coverage, _ = self.step(module, lambda: module(torch.randn(1, 2, 3, 3)).sum().backward())
        self.assertEqual(layers["model.transposed"]["omits"], ["fwd"])
        self.assert_whole(coverage, 2 * 2 * 9 * 2 * 4)

    def test_transposed_with_more_padding_than_a_stride(self):
        """Its output is larger than that of which the convolution gives its input."""
        model = nn.Sequential(nn.ConvTranspose2d(3, 4, 3, stride=1, dilation=3, output_padding=2), nn.Conv2d(4, 2, 1))
        _, layers, coverage, notes = self.step(model, lambda: model(torch.randn(2, 3, 8, 8)).sum().backward())
        self.assertEqual(list(layers), ["1"])
        forward_and_wgrad = 2 * (2 * 3 * 64 * 4 * 9)
        self.assertEqual(coverage["macs"] - coverage["captured_macs"], forward_and_wgrad)
        self.assertIn("its output_padding is a stride or more", notes[-1])

    def test_attention(self):
        """Both products of activations, with three operations each; out_proj, which its module does not call."""
        module = nn.MultiheadAttention(8, 2, batch_first=True)
        x = torch.randn(3, 5, 8, requires_grad=True)
        tensors, layers, coverage, notes = self.step(module, lambda: module(x, x, x)[0].pow(2).sum().backward())
        self.assertEqual(list(layers), ["in_proj_weight", "matmul", "matmul#2", "out_proj"])
        # 15 rows of 8 by 24 and by 8; 2 heads of 3 samples, 5 by 5 by 4, twice.
        self.assert_whole(coverage, 3 * (15 * 8 * 24 + 15 * 8 * 8 + 2 * 6 * 5 * 5 * 4))
        self.assertEqual(notes, [])
        scores = self.products(tensors, layers["matmul"])[0].reshape(6, 5, 5).transpose(1, 2)
        probabilities = tensors["matmul#2/A"].detach().reshape(6, 5, 5).transpose(1, 2)
        torch.testing.assert_close(scores.softmax(-1), probabilities)
        values = self.products(tensors, layers["matmul#2"])[0].reshape(3, 2, 4, 5).permute(3, 0, 1, 2).reshape(15, 8)
        torch.testing.assert_close(values, tensors["out_proj/A"])
        # The gradients of the scores' factors and of the values are what in_proj's result gets.
        _, gq, gk = self.products(tensors, layers["matmul"])
        _, _, gv = self.products(tensors, layers["matmul#2"])
        rows = [gq.reshape(3, 2, 4, 5).permute(3, 0, 1, 2) / 2, gk.reshape(3, 2, 5, 4).permute(2, 0, 1, 3),
                gv.reshape(3, 2, 4, 5).permute(3, 0, 1, 2)]
        torch.testing.assert_close(torch.cat([row.reshape(15, 8) for row in rows], 1), tensors["in_proj_weight/GO"])

    def test_scaled_dot_product_attention(self):
        attention = getattr(functional, "scaled_dot_product_attention", None) or functional._scaled_dot_product_attention
        q, k, v = (torch.randn(2, 3, 4, requires_grad=True) for _ in range(3))

        def run():
            result = attention(q, k, v)
            (result[0] if isinstance(result, tuple) else result).sum().backward()
        _, layers, coverage, _ = self.step(nn.Identity(), run)
        self.assertEqual(len(layers), 2)
        self.assert_whole(coverage, 3 * 2 * 2 * 3 * 3 * 4)

    def test_recurrent(self):
        """Steps of one layer in time are rows of one layer; the first has no gradient of its input, which is 0."""
        for kind, gates in ((nn.LSTM, 4), (nn.GRU, 3)):
            module = kind(5, 6)
            x = torch.randn(7, 3, 5, requires_grad=True)
            tensors, layers, coverage, _ = self.step(module, lambda: module(x)[0].pow(2).sum().backward())
            self.assertEqual(list(layers), ["weight_ih_l0", "weight_hh_l0", "weight_hh_l0#2"])
            self.assertEqual([list(tensors[f"{name}/A"].shape) for name in layers], [[21, 5], [3, 6], [18, 6]])
            macs = gates * 6 * (3 * 21 * 5 + 3 * 21 * 6 - 3 * 6)
            self.assert_whole(coverage, macs)
            _, ga, gw = self.products(tensors, layers["weight_ih_l0"])
            torch.testing.assert_close(ga.reshape(x.shape), x.grad)
            torch.testing.assert_close(gw, module.weight_ih_l0.grad)
            both = [self.products(tensors, layers[name])[2] for name in ("weight_hh_l0", "weight_hh_l0#2")]
            torch.testing.assert_close(sum(both), module.weight_hh_l0.grad)
            self.assertFalse(tensors["weight_hh_l0/A"].any())
            module.zero_grad()

    def test_tied_weights(self):
        class Tied(nn.Module):
            def __init__(self):
                super().__init__()
                self.embed, self.head = nn.Embedding(9, 4), nn.Linear(4, 9, bias=False)
                self.head.weight = self.embed.weight

            def forward(self, x):
                x = self.embed(x)
                return self.head(x) + functional.linear(x, self.embed.weight)

        model = Tied()
        tensors, layers, coverage, notes = self.step(
            model, lambda: model(torch.tensor([[1, 2, 3]])).pow(2).sum().backward())
        self.assertEqual(list(layers), ["head", "embed"])
        torch.testing.assert_close(tensors["head/W"], tensors["embed/W"])
        self.assert_whole(coverage, 2 * 3 * 3 * 4 * 9)
        self.assertEqual(notes, ["capture: step: not captured: embed (embedding): rows are looked up, nothing is "
                                 "multiplied"])

    def test_checkpoint(self):
        """What is computed again counts once, with the gradient; both ways of checkpointing, and the same layers as
        without."""
        model = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 4), nn.Linear(4, 2))
        x = torch.randn(3, 4, requires_grad=True)

        def run(reentrant):
            def step():
                inner = model[:3](x) if reentrant is None else checkpoint(model[:3], x, use_reentrant=reentrant)
                model[3](inner).pow(2).sum().backward()
            return self.step(model, step)
        plain, layers, coverage, notes = run(None)
        self.assert_whole(coverage, 3 * 3 * (24 + 24 + 8))
        self.assertEqual((notes, coverage["recomputed_macs"]), ([], 0))
        for reentrant in (True, False):
            with self.subTest(reentrant=reentrant):
                tensors, again, coverage, notes = run(reentrant)
                self.assertEqual(list(again.items()), list(layers.items()))
                for name, value in tensors.items():
                    torch.testing.assert_close(value, plain[name], rtol=0, atol=0)
                self.assert_whole(coverage, 3 * 3 * (24 + 24 + 8))
                self.assertEqual(coverage["recomputed_macs"], 3 * 48)
                self.assertIn("again: they count once", notes[0])

    def test_lazy(self):
        model = nn.Sequential(nn.LazyConv2d(3, 3), nn.Flatten(), nn.LazyLinear(2))
        _, layers, coverage, notes = self.step(model, lambda: model(torch.randn(2, 2, 4, 4)).sum().backward())
        self.assertEqual((list(layers), notes), (["0", "2"], []))
        self.assert_whole(coverage, 2 * 2 * 3 * 4 * 18 + 3 * 2 * 12 * 2)

    def test_autocast(self):
        """The operands that were multiplied, in bfloat16, under the names of the parameters they were cast from."""
        model = nn.Sequential(nn.Conv2d(1, 2, 3), nn.Flatten(), nn.Linear(8, 4), nn.MultiheadAttention(4, 1))

        def run():
            with torch.autocast("cpu", torch.bfloat16):
                x = model[2](model[1](model[0](torch.randn(2, 1, 4, 4))))
                model[3](x, x, x)[0].float().pow(2).sum().backward()
        tensors, layers, coverage, _ = self.step(model, run)
        self.assertEqual(list(layers), ["0", "2", *(f"3.in_proj_weight{part}" for part in ("", "#2", "#3")), "3.matmul",
                                        "3.matmul#2", "3.out_proj"])
        self.assertEqual(coverage["captured_macs"], coverage["macs"])
        for value in tensors.values():
            torch.testing.assert_close(value, value.bfloat16().float(), rtol=0, atol=0)

    def test_accumulation(self):
        """Two batches of one step are two calls of each layer."""
        model = nn.Linear(4, 2)

        def run():
            for _ in range(2):
                model(torch.randn(3, 4)).sum().backward()
        _, layers, coverage, _ = self.step(model, run)
        self.assertEqual(list(layers), ["model", "model#2"])
        self.assert_whole(coverage, 2 * 2 * 24)

    def test_images(self):
        """Of rows, heads and images those of the first samples are kept; the share is that of the whole step."""
        module = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True, dropout=0.0)
        x = torch.randn(4, 5, 8)
        tensors, layers, coverage, _ = self.step(module, lambda: module(x).pow(2).sum().backward(), images=1)
        self.assertEqual(list(tensors["linear1/A"].shape), [5, 8])
        self.assertEqual(list(tensors["self_attn.matmul/A"].shape), [1, 8, 5, 1])
        self.assertEqual(list(tensors["self_attn.matmul/W"].shape), [10, 4, 1, 1])
        self.assertEqual(coverage["captured_macs"], coverage["macs"])
        self.assertEqual(coverage["macs"], 20 * (2 * 8 * 24 + 3 * (64 + 256) + 3 * 2 * 8 * 5))

    def test_images_of_keywords(self):
        """The batch is that of the model, not of what it calls first; its forward method is its own again."""
        class Model(nn.Module):
            """A layer of more rows than there are images."""

            def __init__(self):
                super().__init__()
                self.rows = nn.Linear(4, 3)

            def forward(self, *, images):
                return self.rows(images.reshape(-1, 4))

        model = Model()
        tensors, *_ = self.step(model, lambda: model(images=torch.randn(6, 5, 4)).sum().backward(), images=2)
        self.assertEqual(list(tensors["rows/A"].shape), [10, 4])
        self.assertNotIn("forward", vars(model))

    def test_what_is_not_captured(self):
        """Complex numbers, frozen layers, a function's own backward pass and vectors are named, with their MACs."""
        class Twice(torch.autograd.Function):
            @staticmethod
            def forward(context, x, w):
                context.save_for_backward(x, w)
                return x @ w

            @staticmethod
            def backward(context, gradient):
                x, w = context.saved_tensors
                return gradient @ w.t(), x.t() @ gradient

        last, vector = nn.Linear(4, 3), torch.randn(3, requires_grad=True)
        waves = torch.randn(2, 3, 2, dtype=torch.complex64, requires_grad=True)
        w = torch.randn(4, 4, requires_grad=True)
        model = nn.ModuleList([last])

        def run():
            x = (torch.randn(2, 1, 3, dtype=torch.complex64) @ waves).abs().reshape(1, 4)
            ((last(Twice.apply(x, w)) @ vector).sum()).backward()
        _, layers, coverage, notes = self.step(model, run)
        self.assertEqual(list(layers), ["0"])
        named = {entry["operator"]: entry["macs"] for entry in coverage["not_captured"]}
        # Two batches of complex numbers, 3 by 2, twice. Forward of the function: 16; its backward: 32. Three of
        # a vector, whose backward pass multiplies numbers, not matrices.
        self.assertEqual(named["bmm"], 2 * 2 * 3 * 2)
        self.assertEqual(named["mm"], 16)
        self.assertEqual(named["mv"], 3)
        self.assertEqual(coverage["captured_macs"], 36)
        self.assertEqual(coverage["macs"], 36 + sum(named.values()))
        self.assertGreaterEqual(named["backward"], 32)
        self.assertIn("complex", " ".join(notes))
        self.assertRegex(notes[0], r"capture: step: \d\d\.\d % of the step's MACs are captured")

    def test_nothing_uncounted_looks_whole(self):
        x, y = torch.randn(2, 3, 4), torch.randn(2, 3, 4)
        model = nn.Linear(4, 3)
        _, _, coverage, notes = self.step(model, lambda: (model(x).sum() + torch.cdist(x, y).sum()).backward())
        self.assertEqual([entry["macs"] for entry in coverage["not_captured"]], [None])
        self.assertIn("at most 100.0 % of the step's MACs", notes[0])

    def test_step_that_fails(self):
        """Nothing of the capture is left in the model or in PyTorch."""
        model, engine = nn.Linear(4, 3), torch.autograd.Variable._execution_engine
        with self.assertRaises(CaptureError), capture(model, self.path):
            pass
        with self.assertRaises(ValueError), capture(model, self.path):
            raise ValueError("the step failed")
        self.assertIs(torch.autograd.Variable._execution_engine, engine)
        self.assertFalse(model._forward_hooks or model._forward_pre_hooks)


if __name__ == "__main__":
    unittest.main()
