# SPDX-License-Identifier: Apache-2.0
"""Answers kept by the digest of all that they depend on, one JSON file each."""

import json
import pathlib

from . import tools


class Answers:
    """The answers in a folder, which any number of processes may read and add to."""

    def __init__(self, folder):
        self._folder = tools.make_folder(folder)

    def get(self, key):
        """The answer of a key, or None: also when an interruption tore its file."""
        try:
            return json.loads(self._path(key).read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            return None

    def put(self, key, answer):
        """Keeps the answer of a key, and returns it."""
        tools.write(self._path(key), json.dumps(answer))
        return answer

    def forget(self, key):
        """As if it had never been asked."""
        self._path(key).unlink(missing_ok=True)

    def _path(self, key):
        return pathlib.Path(self._folder) / f"{key}.json"
