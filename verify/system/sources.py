# SPDX-License-Identifier: Apache-2.0
"""Whether a source of sim/system has a value that tdjob is expected to compute."""

import json
import re

from system.compare import REFERENCE, entries, load

# Fewer digits are found by chance: 0.25, 1024, 86400.
FEWEST_DIGITS = 5
_NUMBER = re.compile(r"(?<![\w.])\d[\d']*(?:\.\d+)?(?:[eE][+-]?\d+)?")


def digits(text):
    """The significant digits of a number as it is written."""
    mantissa = re.split("[eE]", text.replace("'", ""))[0]
    return mantissa.replace(".", "").strip("0")


def _values(value, names, wanted=False):
    """The numbers below fields of these names."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _values(one, names, wanted or key in names)
    elif isinstance(value, list):
        for one in value:
            yield from _values(one, names, wanted)
    elif wanted and isinstance(value, (int, float)) and not isinstance(value, bool):
        yield value


def expected_digits():
    """Digits of every expected value of fields.toml that are not there by chance."""
    found = set()
    for entry in entries():
        cases = load(REFERENCE / entry.folder / entry.file, entry.section)
        for value in _values(cases, entry.expected):
            text = digits(json.dumps(value))
            if len(text) >= FEWEST_DIGITS:
                found.add(text)
    return found


def faults(sources, expected):
    """Lines about numbers in {path: text} that are expected values, whole or cut."""
    for path, text in sorted(sources.items()):
        for match in _NUMBER.finditer(text):
            written = digits(match.group())
            if len(written) < FEWEST_DIGITS:
                continue
            if written in expected or any(one.startswith(written) for one in expected):
                yield f"{path}: {match.group()} is an expected value of verify/system/fields.toml"
