# SPDX-License-Identifier: Apache-2.0
"""hw/accelerator/tensordash.rdl: the registers in SystemRDL 2.0, of which other tools make models for
verification, documents and headers."""

from . import map as registers

_HEAD = """\
// SPDX-License-Identifier: 0BSD
// Registers of the TensorDash accelerator, in SystemRDL 2.0. ADDRESS_WIDTH is the emitted design's; a
// write of address bits beyond it is refused. Written by scripts/toolbox/registers; do not edit.
addrmap tensordash #(longint unsigned ADDRESS_WIDTH = 40) {
  name = "TensorDash accelerator";

"""
# What software and hardware do with a field; what is kept is 0 after a reset.
_ACCESS = {
    "constant": "sw = r; hw = na;",
    "read": "sw = r; hw = w;",
    "store": "sw = rw; hw = r; reset = 0;",
    "clear": "sw = rw; hw = r; hwset; onwrite = woclr; reset = 0;",
    "command": "sw = w; hw = r;",
}


def _desc(text):
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'desc = "{escaped}";'


def _errors(described):
    (code,) = (one.fields[0] for one in described.registers if one.name == "ERROR_CODE")
    yield "  enum error_code_e {"
    for error in described.errors:  # in capitals: a name may be a word of the language
        yield f"    {error.name.upper()} = {code.bits}'d{error.code} {{ {_desc(error.text)} }};"
    yield "  };"


def _fields(register, high):
    """Fields of 32 bits of a register: `high` ones of 64, or the low ones."""
    access = _ACCESS[register.access]
    for one in register.fields:
        encode = " encode = error_code_e;" if register.name == "ERROR_CODE" else ""
        yield (f"    field {{ {_desc(one.text)} {_ACCESS[one.access] if one.access else access}{encode} }} "
               f"{one.name}[{one.bit + one.bits - 1}:{one.bit}];")
    if not register.fields:
        top = "ADDRESS_WIDTH - 33" if register.address and high else "31"
        reset = f" reset = {register.value:#x};" if register.access == "constant" else ""
        yield f"    field {{ {access}{reset} }} value[{top}:0];"


def _registers(described):
    for register in described:
        for name, offset in register.words.items():
            yield f"  reg {{\n    {_desc(register.text)}"
            yield from _fields(register, name.endswith("_HIGH"))
            yield f"  }} {name} @ {offset:#05x};"


def text():
    """The text of the file."""
    described = registers.read()
    lines = [*_errors(described), *_registers(described.registers)]
    return _HEAD + "\n".join(lines) + "\n};\n"
