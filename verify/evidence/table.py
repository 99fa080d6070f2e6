# SPDX-License-Identifier: Apache-2.0
"""The table: a status for each block, then what was counted, beside the command that shows it."""

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
            raise CheckError(f"{path.stem}: hw, presets, base, gen or sim have changed since; run {command}")
        parts.append((command, cells))
    if not parts:
        raise CheckError(f"{evidence.FOLDER}: nothing was shown yet; run scripts/evidence --run")
    return parts


def failures(parts):
    """One line for each cell that failed."""
    return [f"{cell.block}, {cell.column}: {cell.text} ({command})"
            for command, cells in parts for cell in cells if not cell.passed]


def _of(parts, block, column):
    """[(command, cell)] of a block, in one column."""
    return [(command, cell) for command, cells in parts for cell in cells
            if (cell.block, cell.column) == (block, column)]


def _status(parts, block):
    """(status, the columns that have something) of a block."""
    shown = [column for column in evidence.COLUMNS if _of(parts, block, column)]
    failed = [column for column in shown
              if not all(cell.passed for _, cell in _of(parts, block, column))]
    if failed:
        return f"**failed**: {', '.join(failed)}", shown
    return ("passed" if shown else "nothing shown"), shown


def _details(parts, marks, block):
    for column in evidence.COLUMNS:
        said = [f"{'' if cell.passed else '**failed** '}{cell.text} ({marks[command]})"
                for command, cell in _of(parts, block, column)]
        if said:
            yield f"- {column}: {'; '.join(said)}"


def lines(parts):
    """Markdown: a status for each block, then what was counted."""
    marks = {command: chr(ord("a") + index) for index, (command, _) in enumerate(parts)}
    table, details = ["| block | status | shown by |", "|---|---|---|"], []
    for block in evidence.BLOCKS:
        status, shown = _status(parts, block)
        name = f"[{block}](#{block})" if shown else block
        table.append(f"| {name} | {status} | {', '.join(shown) or '–'} |")
        if shown:
            details += [f"### {block}", "", *_details(parts, marks, block), ""]
    legend = [f"({mark}) `{command}`" for command, mark in marks.items()]
    return [*table, "", "Printed by: " + ", ".join(legend) + ".", "", *details[:-1]]
