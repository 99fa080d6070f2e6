# SPDX-License-Identifier: Apache-2.0
"""What came out: a table by block, the survivors, and a file for other programs."""

import dataclasses
import json

from toolbox import evidence, tools

from . import bench
from .designs import FOLDER
from .sampling import BLOCKS

GOAL = 95.0  # per cent of the faults that change anything


@dataclasses.dataclass(frozen=True)
class Result:
    """One fault and how it ended. equivalent: how it was proved to change nothing, or ""."""

    mutant: object
    end: str
    run: str
    said: str
    equivalent: str

    @property
    def killed(self):
        """Whether anything noticed."""
        return self.end != bench.ALIVE

    @property
    def survives(self):
        """Alive, and not proved to change nothing."""
        return not self.killed and not self.equivalent


@dataclasses.dataclass(frozen=True)
class Count:
    """Faults of one block, or of all."""

    mutants: int
    killed: int
    equivalent: int

    @property
    def survivors(self):
        """Neither killed nor equivalent."""
        return self.mutants - self.killed - self.equivalent

    @property
    def score(self):
        """Killed of those that change anything, in per cent; 100 if none does."""
        left = self.mutants - self.equivalent
        return 100.0 * self.killed / left if left else 100.0


def count(results):
    """Of some results."""
    return Count(len(results), sum(one.killed for one in results),
                 sum(bool(one.equivalent) for one in results))


def _by_block(results):
    return {block: chosen for block in BLOCKS
            if (chosen := [one for one in results if one.mutant.block == block])}


def _row(name, counted):
    return (f"{name:14}{counted.mutants:8}{counted.killed:8}{counted.equivalent:12}"
            f"{counted.survivors:11}{counted.score:8.1f} %")


def lines(results):
    """The report as text."""
    text = [f"{'block':14}{'mutants':>8}{'killed':>8}{'equivalent':>12}{'survivors':>11}"
            f"{'score':>10}"]
    text += [_row(block, count(chosen)) for block, chosen in _by_block(results).items()]
    total = count(results)
    text.append(_row("all", total))
    ends = [sum(one.end == end for one in results) for end in (bench.CRASHED, bench.HUNG)]
    text.append(f"of those killed: {ends[0]} ended the simulation itself, {ends[1]} did not end")
    for one in results:
        if one.survives:
            text.append(f"survivor {one.mutant.key[:8]}: {place(one.mutant)}: "
                        f"{one.mutant.described()}")
    met = "met" if total.score >= GOAL else "missed"
    text.append(f"score: {total.score:.1f} % (goal {GOAL:.0f} %, {met})")
    return text


def place(mutant):
    """Where a fault is."""
    return f"{mutant.block}, {mutant.file}:{mutant.line}"


def cells(results):
    """One for each block; the goal is one for all of them together."""
    met = count(results).score >= GOAL
    found = []
    for block, chosen in _by_block(results).items():
        counted = count(chosen)
        text = f"{counted.killed} of {counted.mutants - counted.equivalent} killed"
        if counted.equivalent:
            text += f", {counted.equivalent} equivalent"
        found.append(evidence.Cell(block, "mutants", text, met))
    return found


def write(results, seed):
    """All results as JSON; returns the file."""
    listed = [{"id": one.mutant.key[:8], "block": one.mutant.block,
               "configuration": one.mutant.design.name, "file": one.mutant.file,
               "line": one.mutant.line, "fault": one.mutant.described(), "end": one.end,
               "run": one.run, "said": one.said, "equivalent": one.equivalent}
              for one in results]
    path = tools.make_folder(FOLDER) / "report.json"
    tools.write(path, json.dumps({"seed": seed, "sources": evidence.sources(),
                                  "mutants": listed}, indent=1) + "\n")
    return path
