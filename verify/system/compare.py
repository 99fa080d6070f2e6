# SPDX-License-Identifier: Apache-2.0
"""tdjob's answers beside the reference data's, field by field."""

import csv
import dataclasses
import json
import math
import pathlib
import subprocess
import tempfile
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
REFERENCE = HERE / "reference"


@dataclasses.dataclass
class Entry:
    """A file, or one section of it, and what is expected of it."""

    folder: str
    file: str
    expected: dict
    section: str = ""
    ignored: list = dataclasses.field(default_factory=list)

    def __str__(self):
        return f"{self.folder}/{self.file}" + (f" {self.section}" if self.section else "")


@dataclasses.dataclass
class Result:
    """What was compared. worst: the largest deviation, as a share of what is tolerated."""

    cases: int = 0
    values: int = 0
    worst: float = 0.0
    faults: list = dataclasses.field(default_factory=list)


def entries():
    """All of fields.toml."""
    with open(HERE / "fields.toml", "rb") as file:
        return [Entry(**one) for one in tomllib.load(file)["cases"]]


def _number(text):
    """A cell as JSON would have it; an empty one is null."""
    if not text:
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def load(path, section=""):
    """The cases of a file, as a list of dictionaries."""
    if path.suffix == ".csv":
        with open(path, newline="", encoding="utf-8") as file:
            return [{key: _number(text) for key, text in row.items()}
                    for row in csv.DictReader(file)]
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in text.splitlines() if line]
    root = json.loads(text)
    return root[section] if section else root if isinstance(root, list) else [root]


def strip(value, names):
    """A case without what is expected of it, however deep."""
    if isinstance(value, dict):
        return {key: strip(one, names) for key, one in value.items() if key not in names}
    return [strip(one, names) for one in value] if isinstance(value, list) else value


def store(path, cases, section=""):
    """Writes cases in the form of the file that they are of."""
    if path.suffix == ".csv":
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, cases[0], lineterminator="\n")
            writer.writeheader()
            writer.writerows(cases)
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(one) + "\n" for one in cases), encoding="utf-8")
    else:
        path.write_text(json.dumps({section: cases} if section else cases), encoding="utf-8")


def _apart(ours, wanted, tolerance):
    """How far two values are apart, as a share of what is tolerated; infinite where that is none."""
    numbers = all(isinstance(one, (int, float)) and not isinstance(one, bool)
                  for one in (ours, wanted))
    if tolerance == "exact" or not numbers:
        return 0.0 if type(ours) is type(wanted) and ours == wanted else math.inf
    (kind, bound), = tolerance.items()
    bound = bound * abs(wanted) if kind == "relative" else bound
    apart = abs(ours - wanted)
    return apart / bound if bound else math.inf if apart else 0.0


def _compare(where, ours, wanted, tolerance, result):
    """One expected value, which may have parts."""
    if isinstance(wanted, (dict, list)):
        keys = wanted if isinstance(wanted, dict) else range(len(wanted))
        # An object may hold more than was recorded: other models, say.
        size = isinstance(wanted, list) and len(ours) != len(wanted)
        if type(ours) is not type(wanted) or size:
            result.faults.append(f"{where}: {ours!r}, not of the form of {wanted!r}")
            return
        for key in keys:
            if isinstance(wanted, dict) and key not in ours:
                result.faults.append(f"{where}.{key}: is missing")
                continue
            _compare(f"{where}.{key}", ours[key], wanted[key], tolerance, result)
        return
    result.values += 1
    apart = _apart(ours, wanted, tolerance)
    result.worst = max(result.worst, apart)
    if not apart <= 1:
        result.faults.append(f"{where}: {ours!r}, expected {wanted!r} within {tolerance}")


def _walk(where, ours, wanted, expected, result):
    """Looks for expected fields in a case; all others must be as they were read."""
    if isinstance(wanted, dict) and isinstance(ours, dict):
        for key, value in wanted.items():
            inside = f"{where}.{key}"
            if key not in ours:
                result.faults.append(f"{inside}: is missing")
            elif key in expected:
                _compare(inside, ours[key], value, expected[key], result)
            else:
                _walk(inside, ours[key], value, expected, result)
    elif isinstance(wanted, list) and isinstance(ours, list) and len(wanted) == len(ours):
        for index, value in enumerate(wanted):
            _walk(f"{where}[{index}]", ours[index], value, expected, result)
    elif ours != wanted:
        result.faults.append(f"{where}: {ours!r}, read as {wanted!r}")


def compare(lines, cases, expected):
    """tdjob's lines beside the cases of a file, in the same order."""
    result = Result(cases=len(cases))
    if len(lines) != len(cases):
        result.faults.append(f"{len(lines)} lines for {len(cases)} cases")
        return result
    for number, (ours, wanted) in enumerate(zip(lines, cases)):
        _walk(f"case {number}", ours, wanted, expected, result)
    return result


def answers(tdjob, folder, path):
    """The lines of tdjob case. Raises CalledProcessError."""
    done = subprocess.run([tdjob, "case", folder, path], check=True, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def judge(tdjob, entry, reference=REFERENCE):
    """Runs tdjob on a copy of the file from which all that is expected was taken, so that it cannot
    be handed back."""
    cases = strip(load(reference / entry.folder / entry.file, entry.section), entry.ignored)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / entry.file
        store(path, strip(cases, entry.expected), entry.section)
        lines = answers(tdjob, reference / entry.folder, path)
    return compare(lines, cases, entry.expected)
