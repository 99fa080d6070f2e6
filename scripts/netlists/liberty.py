# SPDX-License-Identifier: Apache-2.0
"""The little that synthesis must know of a liberty file: cells, areas, kinds and pins."""

import dataclasses
import fnmatch
import gzip
import pathlib
import re
import zlib

from toolbox.errors import UserError
from toolbox.tools import digest, make_folder, writing

_TOKEN = re.compile(r'/\*.*?\*/|"(?:[^"\\]|\\.)*"|[{}]', re.DOTALL)
_CELL = re.compile(r'(?<!\w)cell\s*\(\s*"?([^")\s]+)"?\s*\)\s*$')
_PIN = re.compile(r'(?<!\w)pin\s*\(\s*"?([^")\s]+)"?\s*\)\s*\{')
_LIBRARY = re.compile(r'(?<!\w)library\s*\(\s*"?([^")\s]+)"?\s*\)')
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def _attribute(name, text):
    found = re.search(rf'(?<!\w){name}\s*:\s*"?([^";\n]*)"?', text)
    return found[1].strip() if found else None


@dataclasses.dataclass(frozen=True)
class LibraryCell:
    """A cell. Area in the library's unit, µm² in all that we know."""

    name: str
    area: float
    flip_flop: bool
    latch: bool
    capacitance_pf: dict   # of each input
    functions: dict        # of each output that has one, as the file writes it

    def is_buffer(self):
        """One input, one output that repeats it."""
        inputs = list(self.capacitance_pf)
        return (len(inputs) == 1 and not self.flip_flop and not self.latch
                and [re.sub(r"[\s()]", "", text) for text in self.functions.values()] == inputs)

    def is_nand2(self):
        """Two inputs, one output that is zero when both are one."""
        inputs = list(self.capacitance_pf)
        if len(inputs) != 2 or len(self.functions) != 1 or self.flip_flop or self.latch:
            return False
        text = re.sub(r"[\s()]", "", next(iter(self.functions.values())))
        a, b = inputs
        plain = next(iter(self.functions.values())).replace(" ", "")
        if text in (f"!{a}|!{b}", f"!{b}|!{a}", f"!{a}+!{b}", f"!{b}+!{a}"):
            return True
        return re.fullmatch(r"\(*!\(+" + f"({a}[&*]?{b}|{b}[&*]?{a})" + r"\)+", plain) is not None


@dataclasses.dataclass(frozen=True)
class Library:
    """A liberty file. path: what tools read, the file itself or a copy without unused cells."""

    name: str
    path: pathlib.Path
    source: pathlib.Path
    corner: str
    digest: str
    cells: dict


def _cell(name, text, path):
    pins = list(_PIN.finditer(text))
    capacitances, functions = {}, {}
    for index, pin in enumerate(pins):
        body = text[pin.end():pins[index + 1].start() if index + 1 < len(pins) else len(text)]
        direction = _attribute("direction", body)
        if direction == "input":
            capacitances[pin[1]] = float(_attribute("capacitance", body) or 0)
        elif direction == "output" and _attribute("function", body):
            functions[pin[1]] = _attribute("function", body)
    head = text[:pins[0].start()] if pins else text
    try:
        area = float(_attribute("area", head) or _attribute("area", text) or 0)
    except ValueError:
        raise UserError(path, f"cell {name}: area", _attribute("area", text), "a number") from None
    is_latch = bool(re.search(r"(?<!\w)(latch|statetable)\s*\(", text))
    is_flip_flop = bool(re.search(r"(?<!\w)ff\s*\(", text))
    return LibraryCell(name, area, is_flip_flop, is_latch, capacitances, functions)


def _groups(text, path):
    """(name, first, last) of each cell's text, its braces included."""
    depth, cells, cell = 0, [], None
    previous = 0
    for token in _TOKEN.finditer(text):
        if token[0] == "{":
            # Cells stand in the library, no deeper.
            header = _CELL.search(text, max(previous, token.start() - 200), token.start())
            if depth == 1 and header:
                cell = (header[1], header.start())
            depth += 1
        elif token[0] == "}":
            depth -= 1
            if depth == 1 and cell:
                cells.append((*cell, token.end()))
                cell = None
        if token[0] in "{}":
            previous = token.end()
    if depth != 0:
        raise UserError(path, "braces", f"{depth} left open", "a whole liberty file")
    return cells


def _read(path):
    try:
        data = pathlib.Path(path).read_bytes()
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
        return data.decode("utf-8", errors="replace")
    except (OSError, EOFError, zlib.error) as error:
        raise UserError(path, "file", getattr(error, "strerror", None) or error,
                        "a readable liberty file") from error


def library_name(path):
    """The name that a liberty file gives its library."""
    found = _LIBRARY.search(_read(path))
    if not found:
        raise UserError(path, "library", "(absent)", "a liberty file: library (NAME) { … }")
    return found[1]


def read(path, dont_use, folder):
    """Reads a liberty file, plain or compressed by gzip. Tools that cannot leave the cells alone
    that match `dont_use` are given a copy without them, in folder. Throws UserError: not liberty,
    no cells, no flip-flop, latches only, no tables."""
    path = pathlib.Path(path)
    text = _read(path)
    name = library_name(path)
    groups = _groups(text, path)
    cells, kept, position = {}, [], 0
    for cell, first, last in groups:
        if any(fnmatch.fnmatchcase(cell, pattern) for pattern in dont_use):
            kept.append(text[position:first])
            position = last
        else:
            cells[cell] = _cell(cell, _COMMENT.sub(" ", text[first:last]), path)
    kept.append(text[position:])
    _check(cells, text, path)
    used = "".join(kept)
    identity = digest(used)
    copy = path
    if used != text or path.read_bytes()[:2] == b"\x1f\x8b":
        copy = make_folder(folder) / f"{identity}.lib"
        if not copy.exists():
            temporary = copy.with_suffix(".tmp")
            with writing(copy):
                temporary.write_text(used, encoding="utf-8")
                temporary.replace(copy)
    head = text[:groups[0][1]]
    corner = _attribute("default_operating_conditions", head) or "nominal"
    return Library(name, copy, path, corner, identity, cells)


def _check(cells, text, path):
    if not cells:
        raise UserError(path, "cells", "none", "a liberty file with cells that may be used")
    if not any(cell.flip_flop for cell in cells.values()):
        latches = sum(cell.latch for cell in cells.values())
        raise UserError(path, "flip-flops", f"none ({latches} latches)",
                        "a library with a flip-flop: the design is clocked at edges")
    if not re.search(r"(?<!\w)cell_rise\s*\(", text):
        raise UserError(path, "timing tables", "none", "a library with cell_rise and cell_fall")
