#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a trace of layers that no carried trace has; their operands are drawn.

usage: layer_trace.py large|short FILE
large   conv3_2 of VGG-16 for an image of 112x112: keeps 16 tiles busy for more than 100,000 clocks
short   1x1 convolutions of few channels: passes of few rows, as in an accelerator whose scratchpads
        cut streams into chunks
A share of A and GO are zeros; all other elements have a normal distribution."""

import array
import itertools
import json
import random
import struct
import sys

# Name, images, channels, filters, size, kernel, share of zeros
_LAYERS = {
    "large": [("conv3_2", 1, 256, 256, 28, 3, 0.5)],
    "short": [(f"conv{channels}x{filters}.zeros{round(10 * zeros)}", 1, channels, filters, 8, 1,
               zeros)
              for (channels, filters), zeros in itertools.product(((8, 8), (16, 16), (8, 32)),
                                                                  (0.2, 0.5, 0.8))]}


def _bits(draw, shape, zeros):
    """Little-endian bfloat16: the upper halves of binary32."""
    count = shape[0] * shape[1] * shape[2] * shape[3]
    values = array.array("f", (0.0 if draw.random() < zeros else draw.gauss(0, 1)
                               for _ in range(count)))
    words = array.array("I", values.tobytes())
    halves = array.array("H", (word >> 16 for word in words))
    if sys.byteorder == "big":
        halves.byteswap()
    return halves.tobytes()


def _trace(layers):
    """The file's bytes."""
    draw = random.Random(1)
    header, data, infos = {}, b"", []
    for name, images, channels, filters, size, kernel, zeros in layers:
        shapes = {"A": ((images, channels, size, size), zeros),
                  "W": ((filters, channels, kernel, kernel), 0),
                  "GO": ((images, filters, size, size), zeros)}
        for operand, (shape, share) in shapes.items():
            bits = _bits(draw, shape, share)
            header[f"drawn/{name}/{operand}"] = {
                "dtype": "BF16", "shape": shape, "data_offsets": [len(data), len(data) + len(bits)]}
            data += bits
        infos.append({"snapshot": "drawn", "name": name, "type": "conv2d", "stride": [1, 1],
                      "padding": [kernel // 2] * 2, "dilation": [1, 1], "groups": 1})
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
