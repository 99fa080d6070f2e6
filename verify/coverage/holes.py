# SPDX-License-Identifier: Apache-2.0
"""Why lines and toggles of the Verilog are never covered: verify/coverage/holes.toml."""

import dataclasses
import fnmatch
import pathlib
import tomllib

from toolbox.errors import CheckError, UserError

from . import code

FILE = pathlib.Path(__file__).parent / "holes.toml"
KEYS = ("configuration", "block", "kind", "what", "reason")


@dataclasses.dataclass
class Reason:
    """An entry of the file: patterns of points, and why these are out of reach."""

    configuration: str
    block: str
    kind: str
    what: str
    reason: str
    used: int = 0

    def explains(self, point, text):
        """Whether it is about this point."""
        return (point.block == self.block and point.kind == self.kind
                and fnmatch.fnmatchcase(point.configuration, self.configuration)
                and _matches(text, self.what))


def _matches(text, pattern):
    # Brackets are bits, not sets of characters.
    return fnmatch.fnmatchcase(text, pattern.replace("[", "[[]"))


def load(path=FILE):
    """All entries."""
    try:
        with open(path, "rb") as file:
            entries = tomllib.load(file).get("hole", [])
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise UserError(path, "file", f"({error})", "a TOML file of [[hole]] entries") from error
    for entry in entries:
        if not isinstance(entry, dict) or set(entry) - set(KEYS) or \
                not all(isinstance(entry.get(key), str) and entry[key] for key in KEYS):
            raise UserError(path, "hole", entry, f"the keys {', '.join(KEYS)}, all texts")
        if entry["kind"] not in code.KINDS:
            raise UserError(path, "kind", entry["kind"], f"one of {', '.join(code.KINDS)}")
    return [Reason(**entry) for entry in entries]


def explain(counts, reasons):
    """Holes and their reasons (None: there is none), by point; entries without a hole are refused."""
    explained = {}
    for point in sorted(point for point, count in counts.items() if count == 0):
        text = point.text()
        found = next((reason for reason in reasons if reason.explains(point, text)), None)
        if found:
            found.used += 1
        explained[point] = found.reason if found else None
    for reason in reasons:
        if not reason.used:
            raise CheckError(f"{FILE.name}: {reason.configuration} {reason.block} {reason.kind} "
                             f"\"{reason.what}\": explains no hole; remove it")
    return explained
