# SPDX-License-Identifier: Apache-2.0
"""The table: a line for each block, a column for each kind of evidence, the commands below."""

import json

from toolbox import evidence
from toolbox.errors import CheckError, UserError

LEGAL = "a file that the verification commands wrote; remove it and run its command again"


def _part(path):
    """(command, sources, cells) of one file."""
    try:
        part = json.loads(path.read_text(encoding="utf-8"))
        return part["command"], part["sources"], [evidence.Cell(**cell) for cell in part["cells"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(path, "evidence", str(error) or type(error).__name__, LEGAL) from error


def collect():
    """[(command, cells)] of all parts. Evidence of other sources than today's is an error."""
    parts = []
    for path in sorted(evidence.FOLDER.glob("*.json")):
        command, sources, cells = _part(path)
        if sources != evidence.sources():
            raise CheckError(f"{path.stem}: hw, gen or sim have changed since; run {command}")
        parts.append((command, cells))
    if not parts:
        raise CheckError(f"{evidence.FOLDER}: nothing was shown yet; run scripts/evidence --run")
    return parts


def failures(parts):
    """One line for each cell that failed."""
    return [f"{cell.block}, {cell.column}: {cell.text} ({command})"
            for command, cells in parts for cell in cells if not cell.passed]


def _text(marks, parts, block, column):
    said = [f"{'' if cell.passed else '**failed** '}{cell.text} ({marks[command]})"
            for command, cells in parts for cell in cells
            if (cell.block, cell.column) == (block, column)]
    return "; ".join(said) or "–"


def lines(parts):
    """Markdown."""
    marks = {command: chr(ord("a") + place) for place, (command, _) in enumerate(parts)}
    rows = [f"| block | {' | '.join(evidence.COLUMNS)} |", "|---" * (len(evidence.COLUMNS) + 1) + "|"]
    for block in evidence.BLOCKS:
        texts = [_text(marks, parts, block, column) for column in evidence.COLUMNS]
        rows.append(f"| {block} | {' | '.join(texts)} |")
    legend = [f"({mark}) `{command}`" for command, mark in marks.items()]
    return [*rows, "", "Printed by: " + ", ".join(legend) + "."]
