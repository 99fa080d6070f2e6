# SPDX-License-Identifier: Apache-2.0
"""What GTKWave shows of a design: a save file and its translation tables. Each replay with a wave
puts a copy beside it, with the wave's name for @STEM@."""

import pathlib

# Name of the tile in verify/tile/bench.cpp, around its top.
_TILE = "tile"
_NUMBERS = pathlib.Path(__file__).resolve().with_name("wave_numbers.py")

# Formats of a trace, and what else a line with @ can say.
_HEX, _DECIMAL, _BINARY = 0x22, 0x24, 0x28
_TABLE, _PROGRAM = 0x2000, 0x4000
_BEGIN, _CLOSED, _END = 0x800200, 0xc00200, 0x1000200

_HEADER = """\
[*] {name}: window, choices, outputs. Beside a wave of scripts/replay.
[dumpfile] "@STEM@.fst"
[savefile] "@STEM@.gtkw"
[size] 1600 1000
[pos] -1 -1
*-14.000000 0 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1
[sst_width] 200
[signals_width] 240
"""


class _View:
    """Lines of a save file."""

    def __init__(self, manifest):
        self.manifest = manifest
        self.lines = []

    def begin(self, name, closed=False):
        self.lines += [f"@{_CLOSED if closed else _BEGIN:x}", f"-{name}"]

    def end(self, name):
        self.lines += [f"@{_END:x}", f"-{name}"]

    def port(self, name, form=_BINARY):
        """A port of the top."""
        self.lines += [f"@{form:x}", _ranged(f"{_TILE}.{self.manifest.top}.{name}",
                                             self.manifest.ports[name][1])]

    def probe(self, probe, label, form=_BINARY, **indices):
        """A register or wire inside."""
        self._labelled(label, form, self._probe(probe, indices))

    def part(self, probe, label, low, count, **indices):
        """Some bits of one."""
        self._part(label, _BINARY, *self._probe(probe, indices), low, count)

    def choice(self, probe, label, table, **indices):
        """One that is one-hot, by a table."""
        number, file = table
        self._labelled(label, _BINARY | _TABLE, self._probe(probe, indices), f"^{number} {file}")

    def number(self, port, label, low, count):
        """Some bits of a port, as the number that they are."""
        self._part(label, _HEX | _PROGRAM, f"{_TILE}.{self.manifest.top}.{port}",
                   self.manifest.ports[port][1], low, count, f"^>1 {_NUMBERS}")

    def _probe(self, probe, indices):
        return (f"{_TILE}.{self.manifest.top}.{self.manifest.probe(probe, **indices)}",
                self.manifest.probes()[probe][2])

    def _labelled(self, label, form, signal, *filters):
        self.lines += [f"@{form:x}", *filters, f"+{{{label}}} {_ranged(*signal)}"]

    def _part(self, label, form, path, bits, low, count, *filters):
        # GTKWave counts the bits of a part from the highest.
        whole = _ranged(path, bits)
        highest = bits - low - count
        parts = " ".join(f"({bit}){whole}" for bit in range(highest, highest + count))
        self.lines += [f"@{form:x}", *filters, f"#{{{label}}} {parts}"]


def _ranged(path, bits):
    """What GTKWave calls a signal; one of a single bit has no range, declared with one or not."""
    return path if bits == 1 else f"{path}[{bits - 1}:0]"


def _ports(view):
    view.begin("ports")
    for port in ("clk_i", "rst_ni", "dense_i"):
        view.port(port)
    for side in "ab":
        view.port(f"{side}_valid_i", _DECIMAL)
        view.port(f"{side}_ready_o", _DECIMAL)
    for port in ("a_e5m2_i", "b_e5m2_i", "b_last_i", "b_last_of_output_i"):
        if port in view.manifest.ports:
            view.port(port)
    view.end("ports")


def _steps(view):
    view.begin("steps")
    for probe in ("enable", "step", "final_step"):
        view.probe(probe, probe)
    if not view.manifest.is_dense:
        for probe in ("dense", "a_present", "b_present", "eligible"):
            view.probe(probe, probe)
        view.choice("advance", "advance", (2, "@STEM@.advance.txt"))
    view.end("steps")


def _window(view, probe, slots, **indices):
    view.begin("window", closed=True)
    for slot in slots:
        view.probe(probe, f"slot {slot}", _HEX, slot=slot, **indices)
    view.end("window")


def _tile_row(view, row, slots, lanes):
    name = f"tile row {row}"
    view.begin(name, closed=row > 0)
    _window(view, "row_slot", slots, row=row)
    view.begin("effectual")
    for slot in slots:
        view.part("effectual", f"slot {slot}", slot * lanes, lanes, row=row)
    view.end("effectual")
    view.begin("choice (step, offset)")
    for lane in range(lanes):
        view.choice("choice", f"lane {lane}", (1, "@STEM@.options.txt"), row=row, lane=lane)
    view.end("choice (step, offset)")
    view.end(name)


def _column(view, column, slots):
    name = f"column {column}"
    view.begin(name, closed=True)
    _window(view, "column_slot", slots, column=column)
    view.end(name)


def _outputs(view):
    """... and the counters."""
    manifest = view.manifest
    rows, columns = manifest.parameter("tile.rows"), manifest.parameter("tile.columns")
    bits = manifest.ports["out_data_o"][1] // (rows * columns)
    view.begin("outputs")
    for port in ("out_valid_o", "out_ready_i", "out_nonfinite_o"):
        view.port(port)
    for row in range(rows):
        for column in range(columns):
            low = (row * columns + column) * bits
            view.number("out_data_o", f"output {row}, {column}", low, bits)
    view.end("outputs")
    view.begin("counters")
    for port in ("cycles_o", "stalls_o", "skipped_o"):
        view.port(port, _DECIMAL)
    view.end("counters")


def save_file(manifest):
    """Text of the save file."""
    view = _View(manifest)
    _ports(view)
    _steps(view)
    if manifest.is_dense:
        _outputs(view)
    else:
        rows, columns, lanes, depth = (manifest.parameter(f"tile.{size}") for size in (
            "rows", "columns", "lanes", "interconnect.depth"))
        _tile_row(view, 0, range(depth), lanes)
        _outputs(view)
        for row in range(1, rows):
            _tile_row(view, row, range(depth), lanes)
        for column in range(columns):
            _column(view, column, range(depth))
    return _HEADER.format(name=manifest.name) + "\n".join(view.lines) + "\n"


def _table(none, names):
    """A line for no bit, and for each bit of a one-hot value: the value, and what to show."""
    lines = [(0, none), *((1 << bit, name) for bit, name in enumerate(names))]
    return "".join(f"{value:0{len(names)}b} {name}\n" for value, name in lines)


def files(manifest):
    """Name -> text of each file."""
    result = {"view.gtkw": save_file(manifest)}
    if not manifest.is_dense:
        depth = manifest.parameter("tile.interconnect.depth")
        result["view.options.txt"] = _table("idle", [f"({step}, {offset})"
                                                     for step, offset in manifest.json["options"]])
        result["view.advance.txt"] = _table("none", [f"{rows} row{'s' if rows > 1 else ''}"
                                                     for rows in range(1, depth + 1)])
    return result
