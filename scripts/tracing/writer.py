# SPDX-License-Identifier: Apache-2.0
"""The file: snapshots of training steps, and what is said of them. capture.py says how it is used."""

import json
import math
import os
import re
import sys
from collections import Counter
from contextlib import contextmanager

import torch
from torch import nn

from toolbox.progress import Progress

from . import gather, layers
from .files import CaptureError, check, replacing
from .step import Step

# Name in the file, PyTorch type, integer type of the same width (numpy has no bfloat16).
DTYPES = {"bf16": ("BF16", torch.bfloat16, torch.int16, "<i2"), "fp32": ("F32", torch.float32, torch.int32, "<i4")}
DTYPE, IMAGES = "bf16", 4  # unless told otherwise
MOST_NAMED = 8  # lines of what is not captured; the header has all
NAME = "letters, digits, '_', '.', '-'"  # what a snapshot's name is of


def is_name(text):
    """Whether a snapshot may be called so."""
    return re.fullmatch(r"[A-Za-z0-9_.-]+", text) is not None


def _fact(snapshot, name, value):
    """What is said of a snapshot, as JSON takes it, which has no NaN or Infinity: a loss that diverged is unknown."""
    try:
        if hasattr(value, "item"):
            value = value.item()  # a tensor of one number
        if isinstance(value, float) and not math.isfinite(value):
            return None
        json.dumps(value)
    except (TypeError, ValueError):
        raise CaptureError(f"snapshot {snapshot}: {name} = {value!r:.60} must be a number or a text") from None
    return value


class TraceWriter:
    """Collects snapshots in memory; close(), or leaving the `with` block without an exception, writes the file."""

    def __init__(self, path, dtype=DTYPE, images=IMAGES, model=None, dataset=None, metadata=None, results=False):
        self.path = os.fspath(path)
        if dtype not in DTYPES:
            raise CaptureError(f"dtype = {dtype!r} is not one of {', '.join(DTYPES)}")
        if images < 1:
            raise CaptureError(f"images = {images} is outside 1..batch size")
        check(self.path, "the trace")
        self.dtype, self.images, self.results = dtype, images, results
        self.model, self.dataset, self.metadata = model, dataset, dict(metadata or {})
        self.snapshots, self.coverage = {}, {}  # name -> facts
        self.layers = []  # as in the file's metadata, in forward order
        self.tensors = {}  # "<snapshot>/<layer>/<A|W|GO|O|GA|GW>" -> (shape, bytes, dtype)

    @contextmanager
    def snapshot(self, model, name="step", **facts):
        """Record the training step inside the block. Yields its facts (epoch, step, loss, test_accuracy, ...),
        which may be filled in until the file is written."""
        if not is_name(name) or name in self.snapshots:
            raise CaptureError(f"snapshot = {name!r} must be {NAME}, and not taken yet")
        progress = Progress("products seen")
        with Step(model, self.images, progress.set).watch() as step:
            facts = {"epoch": None, "step": None, "loss": None, "test_accuracy": None, **facts}
            yield facts
        progress.finish()
        self._add(name, model, step)
        self.snapshots[name] = facts

    def _add(self, snapshot, model, step):
        calls = gather.merged(gather.once(step.calls, step.counts))
        facts = gather.coverage(calls, step.counts)
        captured = [call for call in calls if call.GO is not None]
        if not captured:
            raise CaptureError(f"snapshot {snapshot}: nothing is captured: {_seen(model, facts)}; legal: forward and "
                               "backward of a product of matrices or a convolution inside the block")
        gather.number(captured)
        self.coverage[snapshot] = facts
        _say(snapshot, facts, _unused(model, step.names.used))
        for call in captured:
            layer, operands = layers.layer(call.product, call.A, call.W, call.GO, call.needs_input_grad,
                                           call.needs_weight_grad)
            name = f"{call.name}.transposed" if layer.get("operator", "").startswith("conv_transpose") else call.name
            self.layers.append({"snapshot": snapshot, "name": name, **layer})
            # PyTorch rounds to bfloat16 to nearest, ties to even.
            operands = {role: value.to(DTYPES[self.dtype][1]) for role, value in operands.items()}
            for role, value in operands.items():
                self._store(f"{snapshot}/{name}/{role}", value, self.dtype)
            for role, value in (_results(layer, **operands) if self.results else {}).items():
                self._store(f"{snapshot}/{name}/{role}", value, "fp32")

    def _store(self, name, value, dtype):
        _, torch_type, int_type, numpy_type = DTYPES[dtype]
        value = value.to(torch_type).contiguous()
        raw = value.view(int_type).numpy().astype(numpy_type, copy=False).tobytes()
        self.tensors[name] = (list(value.shape), raw, dtype)

    def close(self):
        """Write the file under a temporary name, then rename it: a reader never sees half a trace."""
        if not self.snapshots:
            raise CaptureError(f"{self.path}: no snapshot was taken")
        snapshots = {name: {key: _fact(name, key, value) for key, value in facts.items()}
                     for name, facts in self.snapshots.items()}
        rounding = ", rounded to nearest even" if self.dtype == "bf16" else ""
        metadata = {
            **self.metadata, "format": "tensordash-trace-1", "layers": json.dumps(self.layers),
            "snapshots": json.dumps(snapshots), "coverage": json.dumps(self.coverage),
            "model": self.model or "", "dataset": self.dataset or "",
            "framework": f"pytorch {torch.__version__}", "dtype": self.dtype + rounding,
            "images": str(self.images),
        }
        header, offset = {"__metadata__": metadata}, 0
        for name, (shape, raw, dtype) in self.tensors.items():
            header[name] = {"dtype": DTYPES[dtype][0], "shape": shape,
                            "data_offsets": [offset, offset + len(raw)]}
            offset += len(raw)
        text = json.dumps(header).encode()
        text += b" " * (-len(text) % 8)  # so that the data start at a multiple of 8 bytes
        with replacing(self.path) as temporary, open(temporary, "wb") as file:
            file.write(len(text).to_bytes(8, "little") + text)
            for _, raw, _ in self.tensors.values():
                file.write(raw)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        if kind is None:
            self.close()


def _note(text):
    print(f"capture: {text}", file=sys.stderr)


def _loss(entry):
    """What nobody has counted before all others."""
    return math.inf if entry["macs"] is None else entry["macs"]


def _say(snapshot, facts, unused):
    """What of the step is not in the trace, in lines on stderr; nothing where all of it is."""
    lost = [entry for entry in facts["not_captured"] if entry["macs"] != 0]
    if lost:
        _note(f"{snapshot}: {gather.share_text(facts)} are captured, {facts['captured_macs']:,} of {facts['macs']:,}")
    for entry in sorted(facts["not_captured"], key=_loss, reverse=True)[:MOST_NAMED]:
        share = "" if not entry["macs"] else f", {100 * entry['macs'] / facts['macs']:.1f} %"
        _note(f"{snapshot}: not captured: {entry['name']} ({entry['operator']}{share}): {entry['why']}")
    if len(facts["not_captured"]) > MOST_NAMED:
        _note(f"{snapshot}: not captured: {len(facts['not_captured']) - MOST_NAMED} more, named in the trace's header")
    if facts["recomputed_macs"]:
        _note(f"{snapshot}: checkpoints computed {facts['recomputed_macs']:,} MACs of the forward pass again: "
              "they count once")
    for name in unused:
        _note(f"{snapshot}: {name} was not called")


def _unused(model, used):
    """Modules that were not called, with weights of two dimensions or more that nothing was multiplied by."""
    def has_unused(path, module):
        return any(f"{path}.{name}".lstrip(".") not in used
                   and (isinstance(weight, nn.parameter.UninitializedParameter) or weight.dim() > 1)
                   for name, weight in module.named_parameters(recurse=False))
    return [path or "model" for path, module in model.named_modules() if path not in used and has_unused(path, module)]


def _seen(model, facts):
    """What there is in a step of which nothing is captured, and why."""
    found = [f"{entry['name']} ({entry['operator']}): {entry['why']}" for entry in facts["not_captured"]]
    kinds = Counter(type(module).__name__ for module in model.modules())
    return "; ".join(found) or f"{', '.join(f'{count} {kind}' for kind, count in kinds.items())}: no products were seen"


def _results(layer, A, W, GO):
    """What PyTorch makes of the operands, in double precision: the three results of training."""
    a, w = (value.double().requires_grad_() for value in (A, W))
    if layer["type"] == "linear":
        output = nn.functional.linear(a, w)
    else:
        output = nn.functional.conv2d(a, w, None, layer["stride"], layer["padding"], layer["dilation"], layer["groups"])
    ga, gw = torch.autograd.grad(output, (a, w), GO.double())
    omitted = [*layer.get("omits", []), *([] if layer["needs_input_grad"] else ["dgrad"])]
    results = {"fwd": ("O", output.detach()), "dgrad": ("GA", ga), "wgrad": ("GW", gw)}
    return dict(result for operation, result in results.items() if operation not in omitted)
