# SPDX-License-Identifier: Apache-2.0
"""Liberty files as synthesis knows them: what tdliberty reads of one, kept in Python."""

import dataclasses
import gzip
import json
import pathlib
import zlib

from toolbox import tools
from toolbox.errors import UserError

_COMPRESSED = b"\x1f\x8b"


@dataclasses.dataclass(frozen=True)
class LibraryCell:
    """A cell. Area in the library's unit, µm² in all that we know."""

    name: str
    area: float
    kind: str              # flip_flop, latch, buffer, nand2 or other
    opens: int | None      # the enable at which a latch is open; None: no latch, or not that simple
    capacitance_pf: dict   # of each input
    functions: dict        # of each output that has one, in postfix notation


@dataclasses.dataclass(frozen=True)
class Library:
    """A liberty file. path: what tools read, the file itself or a copy without unused
    cells, with areas and with wires."""

    name: str
    path: pathlib.Path
    source: pathlib.Path
    corner: str
    digest: str
    cells: dict


def _plain(path, folder):
    """Path of the text: the file's own or, for one compressed by gzip, of a copy in folder."""
    try:
        data = path.read_bytes()
        if data[:2] != _COMPRESSED:
            return path
        text = gzip.decompress(data).decode("utf-8", errors="replace")
    except (OSError, EOFError, zlib.error) as error:
        raise UserError(path, "file", getattr(error, "strerror", None) or error,
                        "a readable liberty file") from error
    copy = tools.make_folder(folder) / f"{tools.digest(text)}.lib"
    tools.write(copy, text)
    return copy


def library_name(path, folder):
    """The name that a liberty file gives its library."""
    plain = _plain(pathlib.Path(path), folder)
    return tools.answer(tools.TDLIBERTY, "--liberty", plain, "--name").strip()


def read(path, dont_use, folder, wire_pf=0, areas=None):
    """Reads a liberty file, plain or compressed by gzip. Tools that cannot leave the cells alone
    that match `dont_use`, and take areas and wires from a library, are given a copy in folder, without
    these cells, with these areas (cell -> µm²) and with wire_pf for each input that a net drives. Throws
    UserError: not liberty, no cells, no flip-flop, latches only, no tables, an area of no cell."""
    path = pathlib.Path(path)
    used = _plain(path, folder)
    options = [f"--dont-use={pattern}" for pattern in dont_use] + [f"--wire-pF={wire_pf:.9g}"]
    for name, area in (areas or {}).items():
        options += ["--area", name, f"{area:.9g}"]
    copied = dont_use or wire_pf or areas
    if copied:
        cut = tools.make_folder(folder) / f"{tools.unique()}.tmp"
        options.append(f"--copy={cut}")
    facts = json.loads(tools.answer(tools.TDLIBERTY, "--liberty", used, *options))
    if copied:
        used = cut.replace(folder / f"{tools.digest(_text(cut))}.lib")
    cells = {cell["name"]: LibraryCell(cell["name"], cell["area"], cell["kind"], cell["opens"],
                                       cell["inputs_pF"], cell["functions"]) for cell in facts["cells"]}
    return Library(facts["library"], used, path, facts["corner"], tools.digest(_text(used)), cells)


def _text(path):
    return path.read_bytes().decode("utf-8", errors="replace")
