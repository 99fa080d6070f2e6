# SPDX-License-Identifier: Apache-2.0
"""Standard cells: a liberty file, and what constraints/cells says of it that liberty does not."""

import dataclasses
import fnmatch
import pathlib
import tomllib

from toolbox import tools
from toolbox.errors import UserError

from . import liberty

FOLDER = tools.ROOT / "constraints" / "cells"
DEFAULT = "osu018"
LIBRARIES = "libraries"


@dataclasses.dataclass(frozen=True)
class ClockGate:
    """Cells of a clock gate: a latch that is open while the clock is low, then an AND. Pins by their use."""

    minimum_bits: int       # registers with one enable, fewer are not gated
    setup_ns: float         # in front of its AND's clock, which is in front of that of the registers
    latch: dict             # cell, enable, data, output
    inverter: dict | None   # cell, input, output: of the clock, for a latch that is open at a high enable
    and_gate: dict          # cell, a, b, output


@dataclasses.dataclass(frozen=True)
class Timing:
    """Clock and surroundings. Times in ns; delays as shares of the clock."""

    clock_ns: float
    uncertainty_ns: float
    input_delay: float
    output_delay: float
    clock_slew_ns: float


@dataclasses.dataclass(frozen=True)
class ClockTree:
    """What power needs beside liberty's tables."""

    clock_buffer: str
    clock_buffer_fanout: int


@dataclasses.dataclass(frozen=True)
class Placement:
    """Rows and wires of placed cells."""

    lef: str | None          # file that says where pins are; None: in the middle of their cells
    row_um: float            # height of a row
    site_um: float           # cells begin at multiples of it
    port_um: float           # ports are so far apart, at least
    wire_pf_per_um: float
    wire_ohm_per_um: float
    repeater: str            # cell
    repeater_pf: float       # that it drives at most
    clock_buffer_pf: float   # likewise, of power.clock_buffer
    utilisation: float       # of the core by cells, without repeaters and clock buffers


@dataclasses.dataclass(frozen=True)
class Cells:
    """Standard cells. None: not described, and not derived from liberty."""

    name: str
    file: str                   # the description, or the liberty file
    library: liberty.Library
    node_nm: int | None
    driving_cell: str
    load_pf: float              # of every output
    gate: str                   # the gate of gate equivalents
    clock_gate: ClockGate | None
    timing: Timing | None
    wire_pf: float              # of a net for each input that it drives, in timing and power
    placement: Placement | None
    power: ClockTree | None

    @property
    def gate_area(self):
        """µm² of one gate equivalent."""
        return self.library.cells[self.gate].area

    @property
    def latch_opens(self):
        """The enable at which latches of clock gates are open."""
        return self.library.cells[self.clock_gate.latch["cell"]].opens if self.clock_gate else 1

    def warnings(self):
        """Lines that every report of these cells must say."""
        if "nangate" in self.library.name.lower() or "nangate" in str(self.library.source).lower():
            return [f"{self.library.name}: the Nangate licence forbids publishing comparisons; "
                    "keep these figures to yourself"]
        return []


class _Table:
    """A TOML table that knows where it stands, for messages."""

    def __init__(self, file, path, values):
        self.file, self.path, self.values = file, path, values

    def _name(self, key):
        return f"{self.path}.{key}" if self.path else key

    def check(self, known):
        for key in self.values:
            if key not in known:
                raise UserError(self.file, self._name(key), self.values[key],
                                f"one of {', '.join(known)}")

    def refuse(self, key, legal):
        raise UserError(self.file, self._name(key), self.values.get(key, "(absent)"), legal)

    def text(self, key, default=None):
        value = self.values.get(key, default)
        if not isinstance(value, str) or not value:
            self.refuse(key, "a text")
        return value

    def number(self, key, least, most):
        value = self.values.get(key)
        if isinstance(value, bool) or not isinstance(value, (int, float)) \
                or not least <= value <= most:
            self.refuse(key, f"a number {least:g}..{most:g}")
        return value

    def whole(self, key, least, most):
        value = self.number(key, least, most)
        if not isinstance(value, int):
            self.refuse(key, f"a whole number {least}..{most}")
        return value

    def texts(self, key):
        value = self.values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self.refuse(key, "a list of cells' names")
        return value

    def table(self, key, known):
        value = self.values.get(key, {})
        if not isinstance(value, dict):
            self.refuse(key, "a table")
        table = _Table(self.file, self._name(key), value)
        table.check(known)
        return table

    def areas(self, key):
        """Cell -> µm²."""
        table = self.table(key, self.values.get(key, {}))
        return {name: table.number(name, 0.001, 1e6) for name in table.values}

    def cell(self, key, library):
        if self.text(key) not in library.cells:
            self.refuse(key, f"a cell of {library.source} that is not in dont_use")
        return self.values[key]

    def buffer(self, key, library):
        if library.cells[self.cell(key, library)].kind != "buffer":
            self.refuse(key, f"a buffer of {library.source}")
        return self.values[key]

    def path_of(self, key):
        """Of a file that is there, from wherever a tool looks."""
        path = pathlib.Path(self.text(key))
        if not path.is_file():
            self.refuse(key, "a file that exists")
        return str(path.resolve())


_SECTIONS = {
    "library": ("liberty", "matches", "node_nm"),
    "synthesis": ("driving_cell", "load_pF", "gate", "dont_use", "areas"),
    "clock_gate": ("minimum_bits", "setup_ns", "latch", "inverter", "and"),
    "timing": ("clock_ns", "uncertainty_ns", "input_delay", "output_delay", "clock_slew_ns"),
    "wires": ("pF_per_fanout",),
    "placement": ("lef", "row_um", "site_um", "port_um", "wire_pF_per_um", "wire_ohm_per_um", "repeater",
                  "repeater_pF", "clock_buffer_pF", "utilisation"),
    "power": ("clock_buffer", "clock_buffer_fanout"),
}


def _read_toml(path):
    try:
        return tomllib.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(path, "file", getattr(error, "strerror", None) or error,
                        "a readable TOML file") from error
    except tomllib.TOMLDecodeError as error:
        raise UserError(path, "TOML", f"\"{error}\"", "a description as constraints/cells/"
                        f"{DEFAULT}.toml is") from error


def _pins(gate, key, names, library):
    """The pins of one of a clock gate's cells, each checked against liberty."""
    table = gate.table(key, ("cell", *names))
    cell = library.cells[table.cell("cell", library)]
    for name in names:
        pins = cell.functions if name == "output" else cell.capacitance_pf
        if table.text(name) not in pins:
            table.refuse(name, f"a pin of {cell.name}: {', '.join(pins)}")
    return dict(table.values)


def _clock_gate(root, library):
    if "clock_gate" not in root.values:
        return None
    gate = root.table("clock_gate", _SECTIONS["clock_gate"])
    latch = _pins(gate, "latch", ("enable", "data", "output"), library)
    opens = library.cells[latch["cell"]].opens
    if opens is None:
        gate.refuse("latch", "a latch with one enable")
    if ("inverter" in gate.values) != (opens == 1):
        gate.refuse("inverter", f"one for a latch that is open at a high enable, and for no other: "
                    f"{latch['cell']} opens at {opens}")
    inverter = _pins(gate, "inverter", ("input", "output"), library) if opens == 1 else None
    return ClockGate(gate.whole("minimum_bits", 1, 1 << 20), gate.number("setup_ns", 0, 1e3), latch, inverter,
                     _pins(gate, "and", ("a", "b", "output"), library))


def _timing(root):
    if "timing" not in root.values:
        return None
    table = root.table("timing", _SECTIONS["timing"])
    return Timing(table.number("clock_ns", 0.001, 1e6), table.number("uncertainty_ns", 0, 1e6),
                  table.number("input_delay", 0, 0.9), table.number("output_delay", 0, 0.9),
                  table.number("clock_slew_ns", 0, 1e3))


def _wire_pf(root):
    """Timing and power cannot be without."""
    if not {"wires", "timing", "power"} & set(root.values):
        return 0
    return root.table("wires", _SECTIONS["wires"]).number("pF_per_fanout", 0, 1e3)


def _placement(root, library):
    if "placement" not in root.values:
        return None
    table = root.table("placement", _SECTIONS["placement"])
    lef = table.path_of("lef") if "lef" in table.values else None
    return Placement(lef, table.number("row_um", 0.1, 100), table.number("site_um", 0.01, 100),
                     table.number("port_um", 0.01, 100),
                     table.number("wire_pF_per_um", 0, 1), table.number("wire_ohm_per_um", 0, 1000),
                     table.buffer("repeater", library), table.number("repeater_pF", 0.001, 100),
                     table.number("clock_buffer_pF", 0.001, 100), table.number("utilisation", 0.1, 0.98))


def _power(root, library):
    if "power" not in root.values:
        return None
    table = root.table("power", _SECTIONS["power"])
    return ClockTree(table.buffer("clock_buffer", library),
                     table.whole("clock_buffer_fanout", 1, 1 << 20))


def _described(path, liberty_path):
    values = _read_toml(path)
    root = _Table(path, "", values)
    root.check(("name", *_SECTIONS))
    table = root.table("library", _SECTIONS["library"])
    if liberty_path is None:
        if "liberty" not in table.values:
            table.refuse("liberty", "a liberty file; give it with --liberty")
        liberty_path = table.text("liberty")
        if not pathlib.Path(liberty_path).exists():
            table.refuse("liberty", "a file that exists: run scripts/setup, or give --liberty")
    synthesis = root.table("synthesis", _SECTIONS["synthesis"])
    wire_pf = _wire_pf(root)
    library = liberty.read(liberty_path, synthesis.texts("dont_use"), tools.PPA / LIBRARIES, wire_pf,
                           synthesis.areas("areas"))
    if "matches" in table.values and not fnmatch.fnmatchcase(library.name, table.text("matches")):
        raise UserError(liberty_path, "library", library.name,
                        f"{table.text('matches')}, which {path} describes; give --cells for others")
    return Cells(root.text("name"), str(path), library, table.whole("node_nm", 1, 10000),
                 synthesis.cell("driving_cell", library), synthesis.number("load_pF", 0, 1e3),
                 synthesis.cell("gate", library), _clock_gate(root, library), _timing(root),
                 wire_pf, _placement(root, library), _power(root, library))


def _derived(path):
    """Of a library that nobody described: a buffer of middle size, the smallest NAND2, no more."""
    library = liberty.read(path, [], tools.PPA / LIBRARIES)
    buffers, nands = (sorted((cell.area, name) for name, cell in library.cells.items()
                             if cell.kind == kind) for kind in ("buffer", "nand2"))
    for what, field, found in (("buffer", "driving_cell", buffers),
                               ("two-input NAND", "gate", nands)):
        if not found:
            raise UserError(path, what, "none found",
                            f"--cells FILE that names synthesis.{field}; see {FOLDER}")
    driving_cell = buffers[len(buffers) // 2][1]
    load = 4 * next(iter(library.cells[driving_cell].capacitance_pf.values()))
    return Cells(library.name, str(path), library, None, driving_cell, load, nands[0][1], None,
                 None, 0, None, None)


def load(cells=None, liberty_path=None):
    """Standard cells by a description (a TOML file, or a name in constraints/cells), by a liberty
    file, or by both; by neither, osu018. A description is found by the liberty's library name."""
    if cells is not None:
        named = FOLDER / f"{cells}.toml"
        return _described(named if named.exists() else pathlib.Path(cells), liberty_path)
    if liberty_path is None:
        return _described(FOLDER / f"{DEFAULT}.toml", None)
    name = liberty.library_name(liberty_path, tools.PPA / LIBRARIES)
    for path in sorted(FOLDER.glob("*.toml")):
        pattern = _read_toml(path).get("library", {}).get("matches", "")
        if fnmatch.fnmatchcase(name, pattern):
            return _described(path, liberty_path)
    return _derived(pathlib.Path(liberty_path))
