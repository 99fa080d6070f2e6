# SPDX-License-Identifier: Apache-2.0
"""Lines, branches and toggles of the Verilog: reads what Verilator counts."""

import collections
import dataclasses
import pathlib
import re

from toolbox.errors import UserError

LEGAL = "a coverage file of Verilator"
KINDS = ("line", "branch", "toggle")


@dataclasses.dataclass(frozen=True, order=True)
class Point:
    """What is counted. what: a signal's bit, or how a branch goes. Instances share it."""

    configuration: str
    block: str
    kind: str
    file: str
    line: int
    column: int
    what: str

    def where(self):
        """FILE:LINE."""
        return f"{pathlib.Path(self.file).name}:{self.line}"

    def text(self):
        """The signal, or the line in the Verilog and how its branch goes."""
        if self.kind == "toggle":
            return self.what
        lines = pathlib.Path(self.file).read_text(encoding="utf-8").splitlines()
        branch = f" ({self.what})" if self.kind == "branch" else ""
        return f"{lines[self.line - 1].strip()}{branch}"


def _fields(path, line):
    found = re.fullmatch(r"C '(.*)' (\d+)", line)
    fields = dict(part.split("\x02", 1) for part in found[1].split("\x01") if "\x02" in part) \
        if found else {}
    if not {"f", "l", "n", "page", "o"} <= fields.keys():
        raise UserError(path, "line", repr(line[:60]), LEGAL)
    return fields, int(found[2])


def load(path, configuration, block_of):
    """Counts of one run, a Counter by Point; instances of a module added up. block_of: says which
    block a module is."""
    try:
        lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise UserError(path, "file", f"({error})", LEGAL) from error
    if not lines or not lines[0].startswith("# SystemC::Coverage"):
        raise UserError(path, "first line", repr(lines[:1]), LEGAL)
    counts = collections.Counter()
    for line in lines[1:]:
        fields, count = _fields(path, line)
        kind, module = fields["page"].removeprefix("v_").split("/", 1)
        block = block_of(module.split("__")[0])
        point = Point(configuration, block, kind, fields["f"], int(fields["l"]), int(fields["n"]),
                      fields["o"])
        # Counter.update() would drop what was never hit.
        counts[point] = counts[point] + count
    return counts


def add(total, run):
    """Adds a run's counts to the total, points that were never hit included."""
    for point, count in run.items():
        total[point] = total[point] + count
