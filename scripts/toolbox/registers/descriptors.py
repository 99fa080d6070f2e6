# SPDX-License-Identifier: Apache-2.0
"""Reads hw/accelerator/descriptors.toml: the fields of every kind of descriptor."""

import dataclasses
import tomllib

from .. import tools
from ..errors import UserError

PATH = tools.ROOT / "hw" / "accelerator" / "descriptors.toml"
KINDS = ("load", "compute", "store")  # by their numbers: 1, 2, 3
LEVELS = 6


@dataclasses.dataclass(frozen=True)
class Field:
    """A field: its lowest bit stands in bit `bit` of the word `word` of 32 bits."""

    name: str
    word: int
    bit: int
    bits: int
    text: str

    @property
    def places(self):
        """The bits that it takes, counted from the beginning."""
        begin = 32 * self.word + self.bit
        return range(begin, begin + self.bits)


@dataclasses.dataclass(frozen=True)
class Descriptors:
    """Fields of the head, of each kind, of a walk and of a level of it."""

    head: tuple
    kinds: dict  # name: (number, bytes, text, fields)
    walk_words: tuple  # where the walks of side A and of side B begin
    walk: tuple
    level_word: int  # in the walk
    level: tuple
    texts: dict


def _fields(table, section):
    found = []
    for entry in table:
        word, _, bit = entry["at"].partition(".")
        field = Field(entry["name"], int(word), int(bit), entry["bits"], entry["text"])
        if field.bit + field.bits > (64 if field.bit == 0 else 32):
            raise UserError(PATH, f"{section}.{field.name}", f"{field.bits} bits at {entry['at']}",
                            "a field within a word, or two whole words")
        found.append(field)
    return tuple(found)


def _apart(section, fields, size):
    """Fields that overlap, or lie outside of so many bytes, are a mistake."""
    taken = set()
    for field in fields:
        if taken & set(field.places) or field.places.stop > 8 * size:
            raise UserError(PATH, f"{section}.{field.name}", f"{field.word}.{field.bit}",
                            f"bits of their own within {size} bytes")
        taken |= set(field.places)


def read():
    """What the file describes."""
    with open(PATH, "rb") as file:
        described = tomllib.load(file)
    head = _fields(described["common"]["fields"], "common")
    kinds = {}
    for name in KINDS:
        kind = described[name]
        fields = _fields(kind["fields"], name)
        _apart(name, head + fields, kind["bytes"])
        kinds[name] = (kind["kind"], kind["bytes"], kind["text"], fields)
    walk = described["walk"]
    fields, level = _fields(walk["fields"], "walk"), _fields(walk["level"], "walk.level")
    level_word = walk["level_word"]
    levels = Field("levels", level_word, 0, 32 * LEVELS * (level[-1].word + 1), "")
    words = max(field.places.stop for field in (*fields, levels)) // 32
    _apart("walk", (*fields, levels), 4 * words)
    begins = [*walk["words"], kinds["compute"][1] // 4]
    if any(end - begin < words for begin, end in zip(begins, begins[1:])):
        raise UserError(PATH, "walk.words", walk["words"], f"walks of {words} words, apart")
    texts = {name: described[name]["text"] for name in ("common", *KINDS, "walk")}
    return Descriptors(head, kinds, tuple(walk["words"]), fields, level_word, level, texts)
