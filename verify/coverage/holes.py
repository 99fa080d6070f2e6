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
LIST = "what"


@dataclasses.dataclass
class Reason:
    """An entry of the file: why points are out of reach. what: patterns of their texts."""

    configuration: str
    block: str
    kind: str
    what: list
    reason: str

    def __post_init__(self):
        self.unused = set(self.what)

    def explains(self, point, text):
        """Whether it is about this point; remembers the patterns that are."""
        if (point.block, point.kind) != (self.block, self.kind) or \
                not fnmatch.fnmatchcase(point.configuration, self.configuration):
            return False
        found = {pattern for pattern in self.what if _matches(text, pattern)}
        self.unused -= found
        return bool(found)


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
        if not isinstance(entry, dict) or not _well_formed(entry):
            raise UserError(path, "hole", entry,
                            f"the keys {', '.join(KEYS)}, all texts; of {LIST} a list")
        if entry["kind"] not in code.KINDS:
            raise UserError(path, "kind", entry["kind"], f"one of {', '.join(code.KINDS)}")
    return [Reason(**entry) for entry in entries]


def _well_formed(entry):
    what = entry.get(LIST)
    return set(entry) == set(KEYS) and isinstance(what, list) and what != [] and \
        all(isinstance(text, str) and text
            for text in [*what, *(entry[key] for key in KEYS if key != LIST)])


def explain(counts, reasons):
    """Holes and their reasons (None: there is none), by point; patterns without one are refused."""
    explained = {}
    for point in sorted(point for point, count in counts.items() if count == 0):
        text = point.text()
        found = next((reason for reason in reasons if reason.explains(point, text)), None)
        explained[point] = found.reason if found else None
    for reason in reasons:
        for pattern in sorted(reason.unused):
            raise CheckError(f"{FILE.name}: {reason.configuration} {reason.block} {reason.kind} "
                             f"\"{pattern}\": explains no hole; remove it")
    return explained
