#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Record the operands of real training steps of any PyTorch model as a TensorDash trace.

In a training script, around one normal step:

    with capture(model, "step.safetensors"):
        loss = criterion(model(images), labels)
        loss.backward()
        optimizer.step()

Several steps in one file:

    with TraceWriter("run.safetensors", model="mine") as trace:
        ...
        with trace.snapshot(model, "early", step=20) as facts:
            facts["loss"] = one_step()
        facts["test_accuracy"] = evaluate()

Every nn.Conv2d and nn.Linear gives the tensors A (input), W (weight before the update) and GO (output
gradient, as backward computed it: nothing is rescaled). Of A and GO the first `images` entries of
dimension 0 are kept. With results=True also what PyTorch makes of these tensors, in binary32: O (A times W,
without bias), GA (gradient of A; where the layer needs it) and GW (of W, from the images kept).
As a program, this file trains one of the example networks: see --help.
"""

import json
import math
import os
import re
import sys
from contextlib import contextmanager

if __name__ == "__main__":
    # The example networks are small: a second thread costs more than it brings. Read when torch is loaded.
    os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
    from training.options import prepare

    prepare()

try:
    import torch
    from torch import nn
except ImportError as error:
    raise ImportError(f"{error}, in {sys.executable}; Debian's package python3-torch is for /usr/bin/python3") from error

# Name in the file, PyTorch type, integer type of the same width (numpy has no bfloat16).
DTYPES = {"bf16": ("BF16", torch.bfloat16, torch.int16, "<i2"), "fp32": ("F32", torch.float32, torch.int32, "<i4")}
DTYPE, IMAGES = "bf16", 4  # unless told otherwise
TRACED = (nn.Conv2d, nn.Linear)  # layers that are recorded
NAME = "letters, digits, '_', '.', '-'"  # what a snapshot's name is of


def is_name(text):
    """Whether a snapshot may be called so."""
    return re.fullmatch(r"[A-Za-z0-9_.-]+", text) is not None


class CaptureError(Exception):
    """A mistake of the user's: one line that names the file or field, its value and what is legal."""


def _json_number(value):
    """JSON has no NaN or Infinity: a loss that diverged is recorded as unknown."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


class TraceWriter:
    """Collects snapshots in memory; close(), or leaving the `with` block without an exception, writes the file."""

    def __init__(self, path, dtype=DTYPE, images=IMAGES, model=None, dataset=None, metadata=None, results=False):
        self.path = os.fspath(path)
        folder = os.path.dirname(self.path) or "."
        if dtype not in DTYPES:
            raise CaptureError(f"dtype = {dtype!r} is not one of {', '.join(DTYPES)}")
        if images < 1:
            raise CaptureError(f"images = {images} is outside 1..batch size")
        # Asked now, so that nobody trains for an hour and then cannot write.
        if os.path.isdir(self.path):
            raise CaptureError(f"{self.path}: is a folder, the trace must be a file")
        if not os.path.isdir(folder) or not os.access(folder, os.W_OK | os.X_OK):
            raise CaptureError(f"{self.path}: its folder must exist and be writable")
        self.dtype, self.images, self.results = dtype, images, results
        self.model, self.dataset, self.metadata = model, dataset, dict(metadata or {})
        self.snapshots = {}  # name -> facts
        self.layers = []  # as in the file's metadata, in forward order
        self.tensors = {}  # "<snapshot>/<layer>/<A|W|GO|O|GA|GW>" -> (shape, bytes, dtype)

    @contextmanager
    def snapshot(self, model, name="step", **facts):
        """Record the training step inside the block. Yields its facts (epoch, step, loss, test_accuracy, ...),
        which may be filled in until the file is written."""
        if not is_name(name) or name in self.snapshots:
            raise CaptureError(f"snapshot = {name!r} must be {NAME}, and not taken yet")
        with _hooks(model, self.images) as calls:
            facts = {"epoch": None, "step": None, "loss": None, "test_accuracy": None, **facts}
            yield facts
        self._add(name, calls, model)
        self.snapshots[name] = facts

    def _add(self, snapshot, calls, model):
        traced = [call for call in calls if call["GO"] is not None]
        if not traced:
            raise CaptureError(f"snapshot {snapshot}: nothing is captured: {_seen(model, calls)}; legal: forward and "
                               "backward of a Conv2d or Linear inside the block")
        left_out = _left_out(model)
        if left_out:
            _note(f"{snapshot}: not captured, neither Conv2d nor Linear: {', '.join(left_out)}")
        for call in calls:
            if call["GO"] is None:
                _note(f"{snapshot}: layer {call['name']} is skipped: {call['why']}")
        for call in traced:
            self.layers.append({"snapshot": snapshot, "name": call["name"], **call["layer"]})
            # PyTorch rounds to bfloat16 to nearest, ties to even.
            operands = {role: call[role].to(DTYPES[self.dtype][1]) for role in ("A", "W", "GO")}
            for role, value in operands.items():
                self._store(f"{snapshot}/{call['name']}/{role}", value, self.dtype)
            for role, value in (_results(call["layer"], **operands) if self.results else {}).items():
                self._store(f"{snapshot}/{call['name']}/{role}", value, "fp32")

    def _store(self, name, value, dtype):
        _, torch_type, int_type, numpy_type = DTYPES[dtype]
        value = value.to(torch_type).contiguous()
        raw = value.view(int_type).numpy().astype(numpy_type, copy=False).tobytes()
        self.tensors[name] = (list(value.shape), raw, dtype)

    def close(self):
        """Write the file under a temporary name, then rename it: a reader never sees half a trace."""
        if not self.snapshots:
            raise CaptureError(f"{self.path}: no snapshot was taken")
        snapshots = {name: {key: _json_number(value) for key, value in facts.items()}
                     for name, facts in self.snapshots.items()}
        rounding = ", rounded to nearest even" if self.dtype == "bf16" else ""
        metadata = {
            "format": "tensordash-trace-1", "layers": json.dumps(self.layers),
            "snapshots": json.dumps(snapshots), "model": self.model or "", "dataset": self.dataset or "",
            "framework": f"pytorch {torch.__version__}", "dtype": self.dtype + rounding,
            "images": str(self.images), **self.metadata,
        }
        header, offset = {"__metadata__": metadata}, 0
        for name, (shape, raw, dtype) in self.tensors.items():
            header[name] = {"dtype": DTYPES[dtype][0], "shape": shape,
                            "data_offsets": [offset, offset + len(raw)]}
            offset += len(raw)
        text = json.dumps(header).encode()
        text += b" " * (-len(text) % 8)  # so that the data start at a multiple of 8 bytes
        temporary = f"{self.path}.{os.getpid()}.tmp"
        try:
            with open(temporary, "wb") as file:
                file.write(len(text).to_bytes(8, "little") + text)
                for _, raw, _ in self.tensors.values():
                    file.write(raw)
            os.replace(temporary, self.path)
        except OSError as error:
            raise CaptureError(f"{self.path}: cannot be written: {error.strerror}") from None
        finally:
            if os.path.exists(temporary):
                os.unlink(temporary)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        if kind is None:
            self.close()


@contextmanager
def capture(model, path, snapshot="step", dtype=DTYPE, images=IMAGES, dataset=None, metadata=None, results=False,
            **facts):
    """One training step into one file: TraceWriter with a single snapshot."""
    with TraceWriter(path, dtype, images, type(model).__name__, dataset, metadata, results) as trace:
        with trace.snapshot(model, snapshot, **facts) as facts:
            yield facts


def _note(text):
    print(f"capture: {text}", file=sys.stderr)


def _left_out(model):
    """Modules that multiply, having weights of two dimensions or more, and whose operands are in no trace."""
    return [f"{name or 'model'} ({type(module).__name__})" for name, module in model.named_modules()
            if not isinstance(module, TRACED)
            and any(weight.dim() > 1 for weight in module.parameters(recurse=False))]


def _seen(model, calls):
    """What there is in a model of which nothing is captured: types of modules, and why none was."""
    why = {call["name"]: call["why"] for call in calls}
    found = {}  # (type, why) -> names
    for name, module in model.named_modules():
        if list(module.parameters(recurse=False)) or not list(module.children()):
            reason = why.get(name or "model", "neither Conv2d nor Linear")
            found.setdefault((type(module).__name__, reason), []).append(name or "model")
    return "; ".join(f"{len(names)} {kind} ({', '.join(names[:3])}{', ...' if len(names) > 3 else ''}): {reason}"
                     for (kind, reason), names in found.items()) or "it has no modules"


@contextmanager
def _hooks(model, images):
    """Forward hooks on every convolution and linear layer; yields the list of calls, in forward order."""
    layers = [(name or "model", module) for name, module in model.named_modules()
              if isinstance(module, TRACED)]
    calls, handles, count = [], [], {}

    def hook_for(name, module, facts):
        def hook(_, inputs, output):
            count[name] = count.get(name, 0) + 1
            call = {"name": name if count[name] == 1 else f"{name}#{count[name]}", "GO": None,
                    "why": "its output got no gradient"}
            calls.append(call)
            if output.grad_fn is None:
                return None
            call["layer"] = {**facts, "needs_input_grad": inputs[0].requires_grad}
            # Copies, taken now: an in-place ReLU or the optimizer's step may change both later.
            call["A"] = _slice(inputs[0], module, images)
            call["W"] = module.weight.detach().to("cpu", torch.float32, copy=True)
            # A tensor's hook stays with the value it was registered on, also when the network then changes the
            # tensor in place. Not so for a view (what a linear layer returns for three dimensions): changed in
            # place, it gets a new history without the hook. So the network goes on with a copy of a view.
            if output._is_view():
                output = output.clone()

            def backward(gradient):
                gradient = _slice(gradient, module, images)
                call["GO"] = gradient if call["GO"] is None else call["GO"] + gradient

            handles.append(output.register_hook(backward))
            return output
        return hook

    try:
        for name, module in layers:
            handles.append(module.register_forward_hook(hook_for(name, module, _facts(name, module))))
        yield calls
    finally:
        for handle in handles:
            handle.remove()
    calls += [{"name": name, "GO": None, "why": "it was not called"} for name, _ in layers if name not in count]


def _slice(tensor, module, images):
    """Copy of the first images: [N, C, H, W] for a convolution, [N, C] for a linear layer."""
    tensor = tensor.detach()
    if tensor.dim() == (3 if isinstance(module, nn.Conv2d) else 1):
        tensor = tensor.unsqueeze(0)  # an input without a batch
    tensor = tensor[:images].to("cpu", torch.float32, copy=True)
    return tensor if isinstance(module, nn.Conv2d) else tensor.reshape(-1, tensor.shape[-1])


def _results(layer, A, W, GO):
    """What PyTorch makes of the operands, in double precision: the three results of training."""
    a, w = (value.double().requires_grad_() for value in (A, W))
    if layer["type"] == "linear":
        output = nn.functional.linear(a, w)
    else:
        output = nn.functional.conv2d(a, w, None, layer["stride"], layer["padding"], layer["dilation"], layer["groups"])
    ga, gw = torch.autograd.grad(output, (a, w), GO.double())
    return {"O": output.detach(), **({"GA": ga} if layer["needs_input_grad"] else {}), "GW": gw}


def _facts(name, module):
    """What the trace says about a layer besides its tensors."""
    if module.weight.is_complex():
        raise CaptureError(f"layer {name}: dtype = {module.weight.dtype} must be real")
    if isinstance(module, nn.Linear):
        return {"type": "linear"}
    if module.padding_mode != "zeros":
        raise CaptureError(f"layer {name}: padding_mode = {module.padding_mode!r} must be 'zeros'")
    padding = module.padding
    if padding == "valid":
        padding = (0, 0)
    elif padding == "same":
        total = [d * (k - 1) for d, k in zip(module.dilation, module.kernel_size)]
        if any(t % 2 for t in total):
            raise CaptureError(f"layer {name}: padding = 'same' adds {total[0]}x{total[1]} zeros, "
                               "which must be even numbers (as many on either side)")
        padding = [t // 2 for t in total]
    return {"type": "conv2d", "stride": list(module.stride), "padding": list(padding),
            "dilation": list(module.dilation), "groups": module.groups}


if __name__ == "__main__":
    from training.examples import main

    sys.exit(main())
