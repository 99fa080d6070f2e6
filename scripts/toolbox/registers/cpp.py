# SPDX-License-Identifier: Apache-2.0
"""The headers for C++: sim/accelerator/registers.hpp and descriptor_fields.hpp."""

import textwrap

from . import descriptors
from . import map as registers

_HEAD = """\
// SPDX-License-Identifier: Apache-2.0
// {text}
// Written by scripts/toolbox/registers; do not edit.
#pragma once

namespace td::sim {{
"""
_END = "\n}  // namespace td::sim\n"


def constants(values):
    """A line that defines numbers: {name: value}."""
    defined = ", ".join(f"{name} = {value}" for name, value in values.items())
    return f"inline constexpr unsigned {defined};"


def comment(text):
    """Lines of a comment."""
    return textwrap.wrap(text, 100, initial_indent="// ", subsequent_indent="// ")


def _lines(fields):
    for field in fields:
        yield from comment(field.text)
        yield f"inline constexpr Field {field.name}{{{field.word}, {field.bit}, {field.bits}}};"


def descriptor_fields():
    """The text of sim/accelerator/descriptor_fields.hpp."""
    described = descriptors.read()
    lines = [_HEAD.format(
        text="Where the fields of the accelerator's descriptors are, in words of 32 bits."),
        "struct Field {",
        "  unsigned word;  // the first, in the descriptor, the walk or the level",
        "  unsigned bit;   // the lowest of it, in its word",
        "  unsigned bits;  // up to 64",
        "};", "",
        *comment(described.texts["common"]),
        "namespace descriptor {", *_lines(described.head), "}  // namespace descriptor", ""]
    for name, (number, size, text, fields) in described.kinds.items():
        lines += [*comment(text), f"namespace {name} {{",
                  constants({"kind": number, "bytes": size}), *_lines(fields),
                  f"}}  // namespace {name}", ""]
    a_word, b_word = described.walk_words
    lines += [*comment(described.texts["walk"]), "namespace walk {",
              constants({"a_word": a_word, "b_word": b_word}),
              constants({"levels": descriptors.LEVELS, "level_word": described.level_word,
                         "level_words": described.level[-1].word + 1}),
              *_lines(described.walk), "", "namespace level {", *_lines(described.level),
              "}  // namespace level", "}  // namespace walk"]
    return "\n".join(lines) + "\n" + _END


def _in_columns(items):
    """The lines that end a list of items of equal length, as clang-format puts them."""
    most = (100 - 4) // len(items[0] + ", ")
    lines = -(-len(items) // most)
    each = -(-len(items) // lines)
    rows = [", ".join(items[at:at + each]) for at in range(0, len(items), each)]
    return ["    " + row for row in (",\n    ".join(rows) + "};").split("\n    ")]


def register_offsets():
    """The text of sim/accelerator/registers.hpp."""
    described = registers.read()
    lines = [_HEAD.format(text="Where the accelerator's registers are, and their fields."),
             "namespace registers {", "", "struct Field {",
             "  unsigned offset;  // of the register", "  unsigned bit;     // the lowest",
             "  unsigned bits;", "};", "",
             "// Bytes that they take on the bus.",
             f"inline constexpr unsigned bytes = {1 << described.address_bits};",
             "// What can be read.",
             "inline constexpr unsigned offsets[] = {",
             *_in_columns([f"{offset:#05x}" for one in described.registers
                           for offset in one.words.values()]), ""]
    for one in described.registers:
        lines += comment(one.text)
        lines += [f"inline constexpr unsigned {name.lower()} = {offset:#05x};"
                  for name, offset in one.words.items()]
        if one.access == "constant":
            lines.append(f"inline constexpr unsigned {one.port}_value = {one.value:#x};")
        for field in one.fields:
            lines += comment(field.text)
            lines.append(f"inline constexpr Field {one.port}_{field.name}"
                         f"{{{one.offset:#05x}, {field.bit}, {field.bits}}};")
    lines += ["", "// Values of error_code."]
    for error in described.errors:
        lines += comment(error.text)
        lines.append(f"inline constexpr unsigned error_{error.name} = {error.code};")
    return "\n".join([*lines, "", "}  // namespace registers"]) + "\n" + _END
