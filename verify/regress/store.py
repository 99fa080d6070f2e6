# SPDX-License-Identifier: Apache-2.0
"""Results of finished runs, each kept before the next run starts."""

import dataclasses

from toolbox.answers import Answers

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
    """The results in a folder. Later ones replace earlier ones of the same key."""

    def __init__(self, folder):
        self._answers = Answers(folder)

    def get(self, key):
        """The last result of a key, or None."""
        answer = self._answers.get(key)
        return Result(**answer) if answer is not None else None

    def add(self, result):
        """Keeps a result for good."""
        self._answers.put(result.key, dataclasses.asdict(result))

    def forget_error(self, key):
        """Errors are tried again; what a check said stands."""
        result = self.get(key)
        if result is not None and result.status == ERROR:
            self._answers.forget(key)
