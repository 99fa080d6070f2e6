#!/usr/bin/env python3
# SPDX-License-Identifier: 0BSD
"""What a tile makes of the rows in two files, in the form in which axis_tile_tb.v reads the rows and prints the
outputs. This is the section Numerics of docs/integration.md, and needs nothing but Python and the manifest."""

import argparse
import json
import struct
import sys
from ctypes import c_float  # rounds to binary32, to nearest even


class Mistake(Exception):
    def __init__(self, file, field, value, legal):
        super().__init__(f"{file}: {field} = {value} is illegal; legal: {legal}")


class Tile:
    def __init__(self, path):
        try:
            manifest = json.loads(text(path))
            value = manifest["parameters"]
        except (ValueError, KeyError, TypeError):
            raise Mistake(path, "file", "no manifest", "the JSON that tdgen writes beside the Verilog") from None
        if value["tile.numerics.sum"] != "tree":
            raise Mistake(path, "tile.numerics.sum", value["tile.numerics.sum"], "tree")
        self.lanes, self.accumulators = value["tile.lanes"], value["tile.numerics.accumulators"]
        self.two_sided, self.options = value["tile.scheduling"] == "two_sided", manifest["options"]
        # A dense tile has neither.
        self.depth, self.levels = value.get("tile.interconnect.depth"), value.get("tile.interconnect.levels")
        self.format, self.width = manifest["operand"]["format"], manifest["operand"]["bits"]
        self.fraction_bits, self.result = manifest["operand"]["fraction_bits"], manifest["result"]

    def number(self, bits):
        """The operand's value."""
        if self.format == "fp16":
            return struct.unpack("<e", struct.pack("<H", bits))[0]
        return struct.unpack("<f", struct.pack("<I", bits << (32 - self.width)))[0]

    def is_nonfinite(self, bits):
        magnitude, infinity = (1 << (self.width - 1)) - 1, (1 << (self.width - 1)) - (1 << self.fraction_bits)
        return bits & magnitude >= infinity

    def result_bits(self, value):
        """A sum as it leaves the tile."""
        bits = struct.unpack("<I", struct.pack("<f", value))[0] if value == value else 0x7FC00000
        if self.result["format"] == "bf16" and value == value:
            bits += 0x7FFF + (bits >> 16 & 1)  # to nearest even
        return bits >> (32 - self.result["bits"])

    def lines(self, digits):
        """A row of a file -> for each tile row or column its lanes' operands."""
        row, mask = int(digits, 16), (1 << self.width) - 1
        if 4 * len(digits) % (self.lanes * self.width) != 0:
            raise ValueError
        elements = [row >> i * self.width & mask for i in range(4 * len(digits) // self.width)]
        return [elements[i:i + self.lanes] for i in range(0, len(elements), self.lanes)]

    def choices(self, pending, first, end):
        """Of a tile row: lane -> the pair (its row and lane) that it takes, which is pending no more."""
        taken = {}
        for level in self.levels:
            for lane in level:
                for step, offset in self.options:
                    pair = (first + step, (lane + offset) % self.lanes)
                    if pair[0] < end and pair in pending:
                        taken[lane] = pair
                        pending.remove(pair)
                        break
        return taken

    def steps(self, a, b, dense):
        """Of a stream: in each step, the choices of each tile row."""
        first, end, every = 0, len(a), range(self.lanes)
        if dense or not self.levels:
            return [[{lane: (row, lane) for lane in every}] * len(b[0]) for row in range(end)]
        pending = [{(row, lane) for row in range(end) for lane in every
                    if self.number(b[row][r][lane]) != 0 and not (self.two_sided and self.number(a[row][0][lane]) == 0)}
                   for r in range(len(b[0]))]
        steps = []
        while first < end:
            steps.append([self.choices(one, first, end) for one in pending])
            first = min([row for one in pending for row, _ in one] + [first + self.depth, end])
        return steps

    def output(self, streams, dense):
        """Bits of the outputs and their nonfinite bits, tile row by tile row."""
        columns, rows = len(streams[0][0][0]), len(streams[0][1][0])
        sums = {(r, c): [0.0] * self.accumulators for r in range(rows) for c in range(columns)}
        turn = 0
        for a, b in streams:
            for step in self.steps(a, b, dense):
                for (r, c), partial in sums.items():
                    products = [0.0] * self.lanes
                    for lane, (row, source) in step[r].items():
                        products[lane] = c_float(self.number(a[row][c][source]) * self.number(b[row][r][source])).value
                    partial[turn] = c_float(partial[turn] + tree(products)).value
                turn = (turn + 1) % self.accumulators
        inputs = {(r, c): [bits for a, b in streams for row in range(len(a)) for bits in a[row][c] + b[row][r]]
                  for r, c in sums}
        return ([self.result_bits(tree(partial)) for partial in sums.values()],
                [any(map(self.is_nonfinite, inputs[pe])) for pe in sums])


def tree(values):
    """Neighbours first; an odd one out passes on."""
    while len(values) > 1:
        pairs = [c_float(x + y).value for x, y in zip(values[::2], values[1::2])]
        values = pairs + values[2 * len(pairs):]
    return values[0]


def packed(values, bits):
    """As Verilog prints it: the first in the low bits."""
    digits = (len(values) * bits + 3) // 4
    return f"{sum(int(value) << i * bits for i, value in enumerate(values)):0{digits}x}"


def text(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeError) as error:
        raise Mistake(path, "file", getattr(error, "strerror", "no text"), "a readable file") from None


def rows(path, parsed):
    """What `parsed` makes of every line."""
    result = []
    for number, line in enumerate(text(path).splitlines(), 1):
        try:
            result += [] if line.startswith("//") else [parsed(line.strip())]
        except (ValueError, IndexError):
            raise Mistake(path, f"line {number}", line[:40], "a row as axis_tile_tb.v reads it") from None
    return result


def main():
    parser = argparse.ArgumentParser(description="Prints what a tile makes of the rows in two files, as they are for "
                                                 "docs/integration/axis_tile_tb.v.")
    parser.add_argument("manifest", help="the design's JSON file")
    parser.add_argument("a", help="rows of side A, which say how many columns there are")
    parser.add_argument("b", help="rows of side B, which say how many tile rows there are")
    parser.add_argument("--dense", action="store_true", help="drop nothing")
    arguments = parser.parse_args()
    tile = Tile(arguments.manifest)
    a_rows = rows(arguments.a, tile.lines)
    b_rows = rows(arguments.b, lambda line: (tile.lines(line[:-1]), "0123".index(line[-1])))
    if len(a_rows) != len(b_rows):
        raise Mistake(arguments.b, "rows", len(b_rows), f"{len(a_rows)}, as in {arguments.a}")
    streams, first = [], 0
    for end, (_, flags) in enumerate(b_rows, 1):
        if flags & 1:
            streams.append((a_rows[first:end], [row for row, _ in b_rows[first:end]]))
            first = end
        if flags == 3:
            outputs, nonfinite = tile.output(streams, arguments.dense)
            print("output", packed(outputs, tile.result["bits"]), packed(nonfinite, 1))
            streams = []


if __name__ == "__main__":
    try:
        main()
    except Mistake as mistake:
        print(f"expected.py: {mistake}", file=sys.stderr)
        sys.exit(2)
