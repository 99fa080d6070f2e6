# SPDX-License-Identifier: Apache-2.0
"""What tests of traces share: a reader of their own, a layer's output from its tensors, and a folder to write into."""

import json
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts")
sys.path.insert(0, SCRIPTS)

try:
    import numpy
    import torch
    from torch.nn import functional
except ImportError as error:
    sys.exit(f"trace_reader.py: {error.name} is missing: install python3-torch and python3-numpy")


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
