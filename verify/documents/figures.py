# SPDX-License-Identifier: Apache-2.0
"""Figures in the documents are those that commands print.

outputs/TIER/*.txt hold what a command printed: the command behind '$ ' in the first line, when it ran
behind '# ' in the second, then its output. Documents are compared with these, and these with the command: quick ones in every run,
nightly ones at night. Those of tier tutorial run one after the other on its random network, whose
numbers may be another processor's; those of tier measured are times, or take hours. Both wait until
somebody asks; scripts/evidence says how old they are.

A code block that begins with '$ COMMAND' shows lines of its output, and '…' for lines left out. Above
a table, '<!-- figures' has lines 'COLUMN; COLUMN: COMMAND {COLUMN}': the numbers of these columns, in
rows that begin with code, stand in the command's output in this order.
"""

import pathlib
import re
import subprocess
import tempfile

from documents import stamp
from toolbox import tools
from toolbox.errors import CheckError

OUTPUTS = pathlib.Path(__file__).resolve().parent / "outputs"
LEFT_OUT = "…"
_VARIES = re.compile(r"\d+ (?=kilocycles per CPU second)|(?<=all )\d+(?= packages)")
_NUMBER = re.compile(r"(?<![\w.])-?\+?\d[\d,]*(?:\.\d+)?(?![\w.]*\w)")
_PROGRAM = re.compile(r"^(?=(?:scripts|build)/)")
_BUILT = re.compile(r"build/\S*?(\w+)(?= )")
_READ = ("constraints", "docs", "scripts", "sim", "verify")
TIERS = ("quick", "nightly", "tutorial", "measured")


def plain(line):
    """Without what differs from run to run."""
    return _VARIES.sub("", line).rstrip()


class Output:
    """A stored output."""

    def __init__(self, path):
        self.path, self.tier = path, path.parent.name
        first, second, *self.lines = path.read_text(encoding="utf-8").splitlines()
        self.command, self.taken = first.removeprefix("$ "), stamp.read(path, second)

    def write(self, lines):
        text = [f"$ {self.command}", stamp.now().line(), *lines]
        tools.write(self.path, "\n".join(text) + "\n")


def stored():
    """{command: output}"""
    outputs = [Output(path) for path in sorted(OUTPUTS.glob("*/*.txt"))]
    if not outputs:
        raise CheckError(f"{OUTPUTS}: no stored outputs")
    return {output.command: output for output in outputs}


def shown(expected, output):
    """The first line of a document that the output does not have there; None if all is shown."""
    expected, output = [plain(line) for line in expected], [plain(line) for line in output]
    place, gap = 0, False
    for line in expected:
        if line == LEFT_OUT:
            gap = True
            continue
        rest = output[place:] if gap else output[place:place + 1]
        if line not in rest:
            return line
        place, gap = place + rest.index(line) + 1, False
    return None if gap or place == len(output) else f"(and no more): {output[place]}"


def numbers(text):
    return [number.replace(",", "").lstrip("+") for number in _NUMBER.findall(text)]


def in_order(wanted, text):
    """The first number that the text does not have behind those before it; None if it has all."""
    found = iter(numbers(text))
    return next((number for number in wanted if number not in found), None)


def _row_faults(rules, row, outputs):
    """Of one row: a rule gives columns the outputs of its commands, one after the other."""
    cells = {name.replace("`", ""): cell.replace("`", "") for name, cell in row.items()}
    texts = {}
    for columns, command in rules:
        for name, cell in cells.items():
            command = command.replace("{%s}" % name, cell)
        texts.setdefault(columns, []).append(command)
    for columns, commands in texts.items():
        named = columns.split("; ")
        wanted = [number for name, cell in cells.items()
                  if name in named or re.split("[:,]", name)[0] in named for number in numbers(cell)]
        if not wanted:
            continue
        missing = [command for command in commands if command not in outputs]
        if missing:
            yield f"no stored output of: {missing[0]}"
            continue
        name = next(iter(cells.values()))
        lines = [line for command in commands for line in outputs[command].lines]
        number = in_order(wanted, "\n".join(lines))
        if number:
            yield f"{columns} of {name}: {number} is not what was printed by: {commands[0]}"


def faults(document, outputs):
    for command, lines in document.outputs():
        if command not in outputs:
            yield f"{document.path}: no stored output of: {command}"
            continue
        line = shown(lines, outputs[command].lines)
        if line is not None:
            yield f"{document.path}: {command}: does not print: {line}"
    for rules, rows in document.tables():
        judged = [row for row in rows if next(iter(row.values())).startswith("`")]
        if not judged:
            yield f"{document.path}: a table with figures has no row to judge"
        for row in judged:
            yield from (f"{document.path}: {fault}" for fault in _row_faults(rules, row, outputs))


def _printed(command, folder, text=None):
    """What a command prints that reads a text, in a folder that reads like the top one, so that nothing
    is written there."""
    done = subprocess.run(["bash", "-o", "pipefail", "-c", _PROGRAM.sub(f"{tools.ROOT}/", command)],
                          cwd=folder, check=False, capture_output=True, text=True, input=text)
    if done.returncode != 0:
        raise CheckError(f"{command}: exit status {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def _run(command, folder, printed):
    """Its lines. `printed`: what stands in front of a first pipe, and what it printed: once for all
    commands that have it. Builds must not hear of the folder, since they keep the paths of their
    sources."""
    first, _, others = command.partition(" | ")
    if first not in printed:
        if built := _BUILT.match(command):
            subprocess.run([tools.ROOT / "scripts/toolbox/prepare.sh", "test", built[1]], check=True)
        printed[first] = _printed(first, folder)
    text = _printed(others, folder, printed[first]) if others else printed[first]
    return text.replace(f"{tools.ROOT}/", "").splitlines()


def renew(documents, outputs, tiers, write):
    """Runs the commands of these tiers; yields what differs from what is stored, or stores it."""
    with tempfile.TemporaryDirectory() as name:
        folder, printed = pathlib.Path(name), {}
        for part in _READ:
            (folder / part).symlink_to(tools.ROOT / part)
        for document in documents:
            for file, text in document.saved_files().items():
                (folder / file).write_text(text, encoding="utf-8")
        for output in outputs.values():
            if output.tier not in tiers:
                continue
            lines = _run(output.command, folder, printed)
            if write:
                output.write(lines)
            elif [plain(line) for line in lines] != [plain(line) for line in output.lines]:
                path = output.path.relative_to(tools.ROOT)
                yield f"{path}: {output.command}: prints something else"
