# SPDX-License-Identifier: Apache-2.0
"""A row of the table of figures, and what computes it."""

import dataclasses
import json
import pathlib
import subprocess
import tempfile

from toolbox import tools
from toolbox.errors import CheckError

from system import compare

SCENARIOS = tools.ROOT / "sim" / "system" / "scenarios"

# What a figure is compared with, by how its source begins.
KINDS = {
    "third-party data": ("recorded", "authors'", "the authors'", "generator's output", "published runs",
                         "notes on the data", "configuration that the authors ran", "rules"),
    "formula": ("formula", "paper, a bound", "perfect order", "same model", "the changed step"),
    "headline": ("paper", "recalled", "shape of the paper", "the authors"),
    "own rule": ("direction", "fitted", "least of the objective"),
}


@dataclasses.dataclass
class Row:
    """One figure. theirs: the paper's value, the recorded one, or a formula's; source says which.
    tolerance: of |ours - theirs| / |theirs|; None where theirs is orientation only. missing: what
    ours would need. at_most: theirs is a bound."""

    system: str
    figure: str
    theirs: float | None
    source: str
    ours: float | None = None
    tolerance: float | None = None
    missing: str = ""
    at_most: bool = False

    def difference(self):
        """Relative, or absolute where theirs is 0; None where one is missing."""
        if self.theirs is None or self.ours is None:
            return None
        return abs(self.ours - self.theirs) / (abs(self.theirs) or 1)

    def kind(self):
        """Of KINDS: the one with the longest beginning of the source."""
        fits = {start: kind for kind, starts in KINDS.items() for start in starts
                if self.source.startswith(start)}
        if not fits:
            raise CheckError(f"{self.system}, {self.figure}: source = {self.source} is of no kind")
        return fits[max(fits, key=len)]

    def _agrees(self):
        return self.ours <= self.theirs if self.at_most else self.difference() <= self.tolerance

    def status(self):
        """within, by construction (ours cannot be otherwise), differs, shape (nothing is claimed) or
        missing."""
        if self.ours is None:
            return "missing"
        if not self.at_most and (self.tolerance is None or self.theirs is None):
            return "shape"
        if not self._agrees():
            return "differs"
        return "by construction" if self.kind() == "own rule" else "within"


class Job:
    """Runs tdjob. reference: the folders of the carried cases."""

    def __init__(self, tdjob):
        self._tdjob = tdjob
        self.reference = compare.REFERENCE

    def entry_rows(self, system, figure, folder, file, section="", source="recorded cases"):
        """A row for each expected field of a carried file: the worst case of each."""
        for entry in compare.entries():
            if (entry.folder, entry.file, entry.section) != (folder, file, section):
                continue
            for field, tolerance in entry.expected.items():
                one = dataclasses.replace(entry, expected={field: tolerance}, ignored=[
                    *entry.ignored, *(name for name in entry.expected if name != field)])
                yield self._worst(system, figure, one, source)

    def _worst(self, system, figure, entry, source):
        """How many of the values of one field are as expected: none missing is the claim."""
        result = compare.judge(self._tdjob, entry)
        right = result.values - len(result.faults)
        (field, tolerance), = entry.expected.items()
        text = (tolerance if isinstance(tolerance, str)
                else " ".join(f"{kind} {bound:.1g}" for kind, bound in tolerance.items()))
        return Row(system, f"{figure}: {field}, values equal ({text})", float(result.values), source,
                   float(right), 0.0)

    def ask(self, folder, file, cases, section=""):
        """tdjob's lines for cases of our own, in the form of a carried file."""
        with tempfile.TemporaryDirectory() as name:
            path = pathlib.Path(name) / file
            compare.store(path, cases, section)
            return self._lines("case", self.reference / folder, path)

    def answers(self, folder, file):
        """tdjob's lines for a carried file."""
        return self._lines("case", self.reference / folder, self.reference / folder / file)

    def plan(self, scenario, **settings):
        """What tdjob plan answers to a scenario of the repository, by name; settings are of TABLE_KEY."""
        changes = [text for key, value in settings.items()
                   for text in ("--set", f"{key.replace('_', '.', 1)}={value}")]
        (answer,) = self._lines("plan", SCENARIOS / scenario, "--json", *changes)
        return answer

    def seconds(self, scenario):
        """The time of each row of tdjob compare."""
        return [line["seconds"] for line in self._lines("compare", SCENARIOS / scenario, "--json")]

    def _lines(self, *arguments):
        done = subprocess.run([self._tdjob, *arguments], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise CheckError(f"tdjob: {done.stderr.strip()}")
        return [json.loads(line) for line in done.stdout.splitlines()]
