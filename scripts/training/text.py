# SPDX-License-Identifier: Apache-2.0
"""A text file as a data set: windows of characters, each with the characters that follow."""

import os

import numpy

from tracing.files import CaptureError

MOST = 256  # different characters


def load(path, window):
    """Arrays as examples.load() has them; the last seventh of the text is the test."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except FileNotFoundError:
        raise CaptureError(f"--data {path}: no such file; it must be a text in UTF-8") from None
    except (OSError, ValueError) as error:
        raise CaptureError(f"--data {path}: {getattr(error, 'strerror', None) or 'is not UTF-8'}; it must be a text in "
                           "UTF-8") from None
    characters = sorted(set(text))
    windows = (len(text) - 1) // window
    if windows < 14 or len(characters) > MOST:
        raise CaptureError(f"--data {path}: {len(text)} characters, {len(characters)} different ones; legal: "
                           f"{14 * window + 1} or more, at most {MOST} different ones")
    codes = numpy.searchsorted(numpy.array(characters), numpy.array(list(text))).astype("int64")
    first = windows - windows // 7
    read = codes[:windows * window].reshape(windows, window)
    follow = codes[1:windows * window + 1].reshape(windows, window)
    return {"train_images": read[:first], "train_labels": follow[:first], "test_images": read[first:],
            "test_labels": follow[first:], "characters": len(characters), "path": path,
            "text": f"{os.path.basename(path)}, {windows} windows of {window} characters, the last seventh is the test"}
