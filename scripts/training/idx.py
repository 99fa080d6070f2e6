# SPDX-License-Identifier: Apache-2.0
"""Folders in MNIST's form: four files of bytes behind a header, compressed by gzip."""

import gzip
import os
import zlib

import numpy

from tracing.files import CaptureError

# Array -> its file and its number of dimensions.
FILES = {"train_images": ("train-images-idx3-ubyte.gz", 3), "train_labels": ("train-labels-idx1-ubyte.gz", 1),
         "test_images": ("t10k-images-idx3-ubyte.gz", 3), "test_labels": ("t10k-labels-idx1-ubyte.gz", 1)}
# Folders of Debian -> what is in them, and whose it is.
PACKAGES = {"/usr/share/datasets/fashion-mnist": {
    "text": "Fashion-MNIST (Debian package dataset-fashion-mnist), its own split: 60000 train, 10000 test",
    "licence": "MIT, Copyright 2017 Zalando SE"}}


def is_folder(path):
    return os.path.exists(os.path.join(path, FILES["train_images"][0]))


def _read(path, dimensions):
    """A header of big-endian words: 8 (bytes) and the number of dimensions, then each size."""
    try:
        with gzip.open(path) as file:
            content = file.read()
    except (OSError, EOFError, zlib.error):
        content = b""
    sizes = numpy.frombuffer(content[4:4 + 4 * dimensions], ">u4").astype(int)
    body = content[4 + 4 * dimensions:]
    if content[:4] != bytes((0, 0, 8, dimensions)) or len(sizes) != dimensions or len(body) != sizes.prod():
        raise CaptureError(f"{path}: is not a gzip of bytes in {dimensions} dimensions as MNIST has them")
    return numpy.frombuffer(body, "uint8").reshape(sizes)


def load(root):
    """The arrays, images with their one channel, and what is known of the folder."""
    data = {key: _read(os.path.join(root, name), dimensions) for key, (name, dimensions) in FILES.items()}
    for part in ("train", "test"):
        images, labels = data[part + "_images"], data[part + "_labels"]
        if not 0 < len(images) == len(labels):
            raise CaptureError(f"{root}: {part} labels = {len(labels)} must be as many as images, {len(images)}")
        data[part + "_images"], data[part + "_labels"] = images[:, None], labels.astype(numpy.int64)
    if data["train_images"].shape[1:] != data["test_images"].shape[1:]:
        raise CaptureError(f"{root}: test images = {data['test_images'].shape[2:]} must have the size of train images")
    known = PACKAGES.get(os.path.abspath(root), {"text": os.path.basename(os.path.abspath(root))})
    return {**data, **known, "path": root}
