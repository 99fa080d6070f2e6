# SPDX-License-Identifier: Apache-2.0
"""Files that are whole or not there."""

import os
from contextlib import contextmanager


class CaptureError(Exception):
    """A mistake of the user's: one line that names the file or field, its value and what is legal."""


def check(path, what):
    """Refuses a path that nothing can be written to, before anybody trains for an hour."""
    folder = os.path.dirname(path) or "."
    if os.path.isdir(path):
        raise CaptureError(f"{path}: is a folder, {what} must be a file")
    if not os.path.isdir(folder) or not os.access(folder, os.W_OK | os.X_OK):
        raise CaptureError(f"{path}: its folder must exist and be writable")


@contextmanager
def replacing(path):
    """A temporary name; what is written there takes the path's place at the end, unless there is an exception."""
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        yield temporary
        os.replace(temporary, path)
    except OSError as error:
        raise CaptureError(f"{path}: cannot be written: {error.strerror}") from None
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)
