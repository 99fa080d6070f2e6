#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a trace of layers that no carried trace has; their operands are drawn.

usage: layer_trace.py large|short|kinds FILE
large   conv3_2 of VGG-16 for an image of 112x112: keeps 16 tiles busy for more than 100,000 clocks
short   1x1 convolutions of few channels: passes of few rows, as in an accelerator whose scratchpads
        cut streams into chunks
kinds   a small layer of every kind: kernels, strides, groups, dilation, linear, a product of two
        activations
A share of A and GO are zeros; all other elements have a normal distribution."""

import array
import dataclasses
import itertools
import json
import math
import random
import struct
import sys


@dataclasses.dataclass
class _Conv:
    name: str
    images: int
    channels: int
    filters: int
    size: tuple
    kernel: int
    zeros: float = 0.5
    stride: int = 1
    dilation: int = 1
    groups: int = 1

    @property
    def padding(self):
        return self.dilation * (self.kernel // 2)

    def shapes(self):
        out = [(size + 2 * self.padding - self.dilation * (self.kernel - 1) - 1) // self.stride + 1
               for size in self.size]
        return {"A": (self.images, self.channels, *self.size),
                "W": (self.filters, self.channels // self.groups, self.kernel, self.kernel),
                "GO": (self.images, self.filters, *out)}

    def info(self):
        return {"snapshot": "drawn", "name": self.name, "type": "conv2d",
                "stride": [self.stride] * 2, "padding": [self.padding] * 2,
                "dilation": [self.dilation] * 2, "groups": self.groups}


@dataclasses.dataclass
class _Linear:
    name: str
    samples: int
    channels: int
    filters: int
    zeros: float = 0.5

    def shapes(self):
        return {"A": (self.samples, self.channels), "W": (self.filters, self.channels),
                "GO": (self.samples, self.filters)}

    def info(self):
        return {"snapshot": "drawn", "name": self.name, "type": "linear"}


_LAYERS = {
    "large": [_Conv("conv3_2", 1, 256, 256, (28, 28), 3)],
    "short": [_Conv(f"conv{channels}x{filters}.zeros{round(10 * zeros)}", 1, channels, filters,
                    (8, 8), 1, zeros)
              for (channels, filters), zeros in itertools.product(((8, 8), (16, 16), (8, 32)),
                                                                  (0.2, 0.5, 0.8))],
    "kinds": [_Conv("conv1x1", 2, 64, 48, (14, 14), 1),
              _Conv("conv3x3", 1, 32, 32, (14, 14), 3),
              _Conv("conv5x5", 1, 16, 32, (11, 11), 5),
              _Conv("first", 2, 3, 32, (16, 16), 3),
              _Conv("strided", 2, 32, 64, (15, 15), 3, stride=2),
              _Conv("strided1x1", 2, 64, 64, (14, 14), 1, stride=2),
              _Conv("grouped", 2, 64, 64, (8, 8), 3, groups=4),
              _Conv("dilated", 1, 32, 32, (12, 12), 3, dilation=2),
              _Conv("matmul", 1, 8 * 32, 8 * 20, (20, 1), 1, groups=8),
              _Linear("linear", 64, 128, 96)]}


def _bits(draw, shape, zeros):
    """Little-endian bfloat16: the upper halves of binary32."""
    values = array.array("f", (0.0 if draw.random() < zeros else draw.gauss(0, 1)
                               for _ in range(math.prod(shape))))
    words = array.array("I", values.tobytes())
    halves = array.array("H", (word >> 16 for word in words))
    if sys.byteorder == "big":
        halves.byteswap()
    return halves.tobytes()


def _trace(layers):
    """The file's bytes."""
    draw = random.Random(1)
    header, data, infos = {}, b"", []
    for layer in layers:
        for operand, shape in layer.shapes().items():
            bits = _bits(draw, shape, 0 if operand == "W" else layer.zeros)
            header[f"drawn/{layer.name}/{operand}"] = {
                "dtype": "BF16", "shape": shape, "data_offsets": [len(data), len(data) + len(bits)]}
            data += bits
        infos.append(layer.info())
    snapshot = {"epoch": None, "step": None, "loss": None, "test_accuracy": None}
    header["__metadata__"] = {"format": "tensordash-trace-1", "model": "drawn",
                              "dataset": "none", "framework": "none", "layers": json.dumps(infos),
                              "snapshots": json.dumps({"drawn": snapshot})}
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def main():
    """Writes the file."""
    if len(sys.argv) != 3 or sys.argv[1] not in _LAYERS:
        sys.exit(__doc__)
    with open(sys.argv[2], "wb") as file:
        file.write(_trace(_LAYERS[sys.argv[1]]))


if __name__ == "__main__":
    main()
