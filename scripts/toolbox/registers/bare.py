# SPDX-License-Identifier: Apache-2.0
"""hw/accelerator/tensordash.h: registers and descriptors for a driver in C, without a system."""

import textwrap

from . import descriptors
from . import map as registers

_HEAD = """\
/* SPDX-License-Identifier: 0BSD
 * Registers and descriptors of the TensorDash accelerator, for C99 and later. Offsets are in bytes;
 * a field is the bits MASK of its register or word, from bit SHIFT on.
 * Written by scripts/toolbox/registers; do not edit. */
#ifndef TENSORDASH_H
#define TENSORDASH_H

#include <stdint.h>
"""
_END = """
/* A counter of 64 bits, whose offset is that of its LOW, while it counts. */
static inline uint64_t td1_counter(const volatile uint32_t *registers, uint32_t offset) {
  uint32_t high, low, again;
  do {
    high = registers[offset / 4 + 1];
    low = registers[offset / 4];
    again = registers[offset / 4 + 1];
  } while (high != again);
  return ((uint64_t)high << 32) | low;
}

#endif
"""


def _comment(text):
    return textwrap.wrap(f"{text} */", 100, initial_indent="/* ", subsequent_indent=" * ")


def _define(name, value):
    return f"#define TD1_{name} {value}"


def _registers():
    described = registers.read()
    yield _define("MAP_VERSION", f"{described.version}u")
    for one in described.registers:
        yield ""
        yield from _comment(one.text)
        for name, offset in one.words.items():
            yield _define(name, f"{offset:#05x}u")
        for field in one.fields:
            yield from _comment(field.text)
            name = f"{one.name}_{field.name.upper()}"
            yield _define(f"{name}_SHIFT", field.bit)
            yield _define(f"{name}_MASK", f"{field.mask:#010x}u")
    yield ""
    yield "/* Values of ERROR_CODE. */"
    for error in described.errors:
        yield from _comment(error.text)
        yield _define(f"ERROR_{error.name.upper()}", f"{error.code}u")


def _fields(prefix, fields):
    for field in fields:
        yield from _comment(field.text)
        name = f"{prefix}_{field.name.upper()}"
        yield _define(f"{name}_WORD", field.word)
        yield _define(f"{name}_SHIFT", field.bit)
        # Of two words the mask would say nothing.
        if field.bits <= 32:
            yield _define(f"{name}_MASK", f"{((1 << field.bits) - 1) << field.bit:#010x}u")


def _descriptors():
    described = descriptors.read()
    yield ""
    yield from _comment(described.texts["common"])
    yield from _fields("DESCRIPTOR", described.head)
    for name, (number, size, text, fields) in described.kinds.items():
        yield ""
        yield from _comment(text)
        yield _define(f"{name.upper()}_KIND", f"{number}u")
        yield _define(f"{name.upper()}_BYTES", f"{size}u")
        yield from _fields(name.upper(), fields)
    yield ""
    yield from _comment(described.texts["walk"])
    yield _define("WALK_A_WORD", described.walk_words[0])
    yield _define("WALK_B_WORD", described.walk_words[1])
    yield _define("WALK_LEVELS", descriptors.LEVELS)
    yield _define("WALK_LEVEL_WORD", described.level_word)
    yield _define("WALK_LEVEL_WORDS", described.level[-1].word + 1)
    yield from _fields("WALK", described.walk)
    yield from _fields("WALK_LEVEL", described.level)


def text():
    """The text of the header."""
    return "\n".join([_HEAD, *_registers(), *_descriptors()]) + "\n" + _END
