# SPDX-License-Identifier: Apache-2.0
"""Answers kept by the digest of all that they depend on, so that a rerun need not ask again."""

import json

from toolbox import tools

from .designs import FOLDER


class Store:
    """One kind of answers, one JSON file for each."""

    def __init__(self, kind):
        self._folder = tools.make_folder(FOLDER / kind)

    def get(self, *parts):
        """The answer for these parts, or None."""
        path = self._folder / f"{tools.digest(*parts)}.json"
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None

    def put(self, answer, *parts):
        """Keeps the answer for these parts, and returns it."""
        tools.write(self._folder / f"{tools.digest(*parts)}.json", json.dumps(answer))
        return answer
