# SPDX-License-Identifier: Apache-2.0
"""Results of finished runs, one line of JSON each, on the disk before the next run starts."""

import dataclasses
import json
import os
import threading

from toolbox import tools

PASSED, FAILED, ERROR = "passed", "failed", "error"


@dataclasses.dataclass(frozen=True)
class Result:
    """What a run ended with. key: everything that it depends on."""

    key: str
    status: str  # passed; failed: a check said so; error: it did not get as far as that
    seconds: float
    passes: int = 0  # compared, by a replay
    message: str = ""  # of what did not pass: one line
    wave: str = ""  # of a replay that failed; relative to the repository's root


class Store:
    """The results in a file. Later ones replace earlier ones of the same key."""

    def __init__(self, path):
        self._lock = threading.Lock()
        self._results = {}
        with tools.writing(path):
            self._file = open(path, "ab+")
            self._file.seek(0)
            lines = self._file.read().split(b"\n")
        # A line that an interruption tore is no result, and must not spoil the next one.
        for line in lines:
            self._read(line)
        if lines[-1]:
            self._append(b"\n")

    def close(self):
        """No more results."""
        self._file.close()

    def get(self, key):
        """The last result of a key, or None."""
        return self._results.get(key)

    def add(self, result):
        """Keeps a result for good."""
        with self._lock:
            self._append(json.dumps(dataclasses.asdict(result)).encode() + b"\n")
            self._results[result.key] = result

    def _read(self, line):
        try:
            result = Result(**json.loads(line))
        except (ValueError, TypeError):
            return
        self._results[result.key] = result

    def _append(self, data):
        with tools.writing(self._file.name):
            self._file.write(data)
            self._file.flush()
            os.fsync(self._file.fileno())
