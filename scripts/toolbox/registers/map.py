# SPDX-License-Identifier: Apache-2.0
"""Reads hw/accelerator/registers.toml: registers of 32 bits, those of 64 as two."""

import dataclasses
import tomllib

from .. import tools
from ..errors import UserError

PATH = tools.ROOT / "hw" / "accelerator" / "registers.toml"
ACCESS = ("constant", "read", "store", "clear", "command")


@dataclasses.dataclass(frozen=True)
class Field:
    """Bits of a register. access: where it is not the register's."""

    name: str
    bit: int
    bits: int
    text: str
    access: str | None = None

    @property
    def mask(self):
        """Its bits in the register."""
        return ((1 << self.bits) - 1) << self.bit


@dataclasses.dataclass(frozen=True)
class Register:
    """A register, of 32 or 64 bits. value: of a constant; refused: when a write is, or None."""

    name: str
    offset: int
    access: str
    text: str
    bits: int = 32
    address: bool = False
    value: int = 0
    refused: str | None = None
    fields: tuple = ()

    @property
    def port(self):
        """Its name in Verilog."""
        return self.name.lower()

    @property
    def used(self):
        """Bits that it has: those up to its last field."""
        return max((field.bit + field.bits for field in self.fields), default=self.bits)

    @property
    def words(self):
        """Name -> offset of its registers of 32 bits."""
        if self.bits == 32:
            return {self.name: self.offset}
        return {f"{self.name}_LOW": self.offset, f"{self.name}_HIGH": self.offset + 4}


@dataclasses.dataclass(frozen=True)
class Error:
    """A reason to stop a job."""

    code: int
    name: str
    text: str


@dataclasses.dataclass(frozen=True)
class Map:
    """All registers, in the order of their offsets."""

    version: int
    address_bits: int
    registers: tuple
    errors: tuple

    def of(self, *access):
        """Registers with an access of these."""
        return [register for register in self.registers if register.access in access]

    @property
    def refusals(self):
        """Names of what a write can be refused for."""
        return list(dict.fromkeys(one.refused for one in self.registers if one.refused))


def _check(register, before, limit):
    if register.access not in ACCESS:
        raise UserError(PATH, f"{register.name}.access", register.access, ", ".join(ACCESS))
    size = register.bits // 8
    legal = f"a multiple of {size} in {before}..{limit - size}"
    end = register.offset + size
    if register.offset % size or register.offset < before or end > limit:
        raise UserError(PATH, f"{register.name}.offset", hex(register.offset), legal)
    taken = 0
    for field in register.fields:
        if taken & field.mask or field.mask >= 1 << register.bits:
            raise UserError(PATH, f"{register.name}.{field.name}", field.bit, "bits of its own")
        if field.access not in (None, *ACCESS):
            raise UserError(PATH, f"{register.name}.{field.name}", field.access, ", ".join(ACCESS))
        taken |= field.mask


def read():
    """What the file describes."""
    with open(PATH, "rb") as file:
        described = tomllib.load(file)
    registers, before = [], 0
    for entry in described["register"]:
        fields = tuple(Field(**field) for field in entry.pop("fields", ()))
        register = Register(**entry, fields=fields)
        _check(register, before, 1 << described["address_bits"])
        before = register.offset + register.bits // 8
        registers.append(register)
    errors = tuple(Error(**error) for error in described["error"])
    if [error.code for error in errors] != list(range(len(errors))):
        raise UserError(PATH, "error.code", [error.code for error in errors], "0, 1, 2 ...")
    return Map(described["version"], described["address_bits"], tuple(registers), errors)
