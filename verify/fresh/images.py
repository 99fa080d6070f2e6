#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""images.py FILE: a few random images as scripts/capture.py and scripts/train read them."""

import sys

import numpy

random = numpy.random.default_rng(1)
numpy.savez(sys.argv[1], **{
    f"{part}_{name}": random.integers(limit, size=(count, *shape), dtype=numpy.uint8)
    for part, count in (("train", 128), ("test", 64))
    for name, limit, shape in (("images", 256, (1, 28, 28)), ("labels", 10, ()))})
