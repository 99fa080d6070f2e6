# SPDX-License-Identifier: Apache-2.0
"""docs/registers.md: registers and descriptors for readers."""

from . import descriptors
from . import map as registers

_HEAD = """\
# Registers and descriptors of the accelerator

Written by `scripts/toolbox/registers` from `hw/accelerator/registers.toml` and `descriptors.toml`;
do not edit. The same numbers are in `hw/accelerator/tensordash.h` for C, and the registers in
`hw/accelerator/tensordash.rdl` for tools that read SystemRDL 2.0 (models for UVM, other headers).

## Registers

Behind AXI4-Lite, 32 bits each; one of 64 bits is two, the low half at the lower offset. A write of
less than 32 bits, of what can only be read, of an offset without register, or of what is refused
now, is answered with SLVERR and changes nothing. While a 64-bit counter counts, read its high half
before and after the low one, until both are equal.

| Access | What it means |
|---|---|
| constant, read | can only be read |
| store | keeps what is written |
| clear | reads what the hardware says; a 1 clears a bit |
| command | a write does something; reads 0 |

A job is started so: INTERRUPT_ENABLE and the window once; then JOB_ADDRESS, then JOB_DESCRIPTORS,
which queues it. Up to four jobs wait while one runs. After the interrupt, clear INTERRUPT first,
then read JOBS_DONE: no job is missed.

"""
_BETWEEN = """
## Errors

An error stops its job: the engines start nothing more on the bus, take in what they asked for,
and are reset; jobs that wait are dropped. Then the interrupt comes, and ERROR_CODE,
ERROR_DESCRIPTOR and ERROR_JOB say what happened. No job is taken before CONTROL.clear_error or a
soft reset. An engine that works on several descriptors may mean another of them: ERROR_DESCRIPTOR
has the first.

A memory that no longer answers, or takes no address, would hold up such a stop for ever, as it
would a soft reset: STATUS.resetting stays set. STOP_TIMEOUT ends it, also when it is written only
then: the engines are reset all the same, what they offered on the bus is withdrawn, and
STATUS.timed_out is set. What the bus still owed would be taken for answers to later jobs. So a host
that finds timed_out set resets what is behind the bus, too, so that nothing late comes from there;
then it writes CONTROL.soft_reset once more, since something may have come before, waits until
STATUS.busy is 0, and clears timed_out.

| Code | Name | Why |
|---|---|---|
"""
_DESCRIPTORS = """
## Descriptors

They lie behind each other in memory from a multiple of 64 on, in words of 32 bits, little endian.
A load or store has 64 bytes, a compute 256. Fields that are not named must be 0. One that waits for
more descriptors of a kind than stand before it in its job is an error.
"""


def _table(fields, place):
    rows = ["", f"| {place} | Bits | Name | What it says |", "|---|---|---|---|"]
    return [*rows, *(f"| {at} | {bits} | `{name}` | {text} |" for at, bits, name, text in fields)]


def _registers(described):
    yield "| Offset | Name | Bits | Access | What it says |"
    yield "|---|---|---|---|---|"
    for one in described.registers:
        yield f"| {one.offset:#05x} | {one.name} | {one.bits} | {one.access} | {one.text} |"
    for one in described.registers:
        if one.fields:
            yield f"\n### {one.name}"
            yield from ["", "| Bits | Name | What it says |", "|---|---|---|"]
            for field in one.fields:
                bits = f"{field.bit + field.bits - 1}:{field.bit}" if field.bits > 1 else field.bit
                yield f"| {bits} | `{field.name}` | {field.text} |"


def _fields(fields):
    return _table(((f"{field.word}.{field.bit}", field.bits, field.name, field.text)
                   for field in fields), "Word.bit")


def _descriptors():
    described = descriptors.read()
    yield f"\n### All\n\n{described.texts['common']}"
    yield from _fields(described.head)
    for name, (number, size, text, fields) in described.kinds.items():
        yield f"\n### {name.capitalize()}\n\nKind {number}, {size} bytes. {text}"
        yield from _fields(fields)
    first, second = described.walk_words
    yield (f"\n### Walk\n\nSide A's begins at word {first} of a compute, side B's at word "
           f"{second}. {described.texts['walk']}")
    yield from _fields(described.walk)
    words = described.level[-1].word + 1
    yield (f"\nLevel l, of 0 to {descriptors.LEVELS - 1}, begins at word {described.level_word} + "
           f"{words} l of the walk. Its steps include the return of all levels below it.")
    yield from _fields(described.level)


def text():
    """The text of the document."""
    described = registers.read()
    errors = (f"| {error.code} | {error.name} | {error.text} |" for error in described.errors)
    return _HEAD + "\n".join(_registers(described)) + "\n" + _BETWEEN + "\n".join(errors) + "\n" + \
        _DESCRIPTORS + "\n".join(_descriptors()) + "\n"
