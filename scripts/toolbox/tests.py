# SPDX-License-Identifier: Apache-2.0
"""The tests that there are: scripts/test --list."""

import dataclasses
import json
import pathlib
import subprocess
import sys

from .program import print_lines, run

TIERS = ("quick", "whole", "nightly")


@dataclasses.dataclass(frozen=True)
class Test:
    """One test of CTest's. seconds: the mean of its runs, or None before the first."""

    name: str
    labels: tuple
    seconds: float | None


def _times(build):
    path = build / "Testing" / "Temporary" / "CTestCostData.txt"
    if not path.exists():
        return {}
    lines = (line.split() for line in path.read_text(encoding="utf-8").splitlines())
    return {words[0]: float(words[2]) for words in lines if len(words) == 3 and words[1] != "0"}


def _labels(test):
    return tuple(label for one in test.get("properties", []) if one["name"] == "LABELS"
                 for label in one["value"])


def found(build):
    """All tests of a build folder."""
    done = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"],
                          stdout=subprocess.PIPE, text=True, check=True)
    times = _times(pathlib.Path(build))
    return [Test(test["name"], _labels(test), times.get(test["name"]))
            for test in json.loads(done.stdout)["tests"]]


def lines(tests):
    """A line for each, by tier, the longest first."""
    def order(test):
        return TIERS.index(test.labels[0]), -(test.seconds or 0), test.name
    return [f"{test.labels[0]:8} {'-' if test.seconds is None else f'{test.seconds:.1f}':>7} s  "
            f"{test.name}" for test in sorted(tests, key=order)]


if __name__ == "__main__":
    sys.exit(run("test", lambda: print_lines(lines(found(sys.argv[1])))))
