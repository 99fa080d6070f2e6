# SPDX-License-Identifier: Apache-2.0
"""Configurations, good and bad, made from the schema of configurations."""

import dataclasses
import json

NAME = 'name = "t"\n'
# What must stand beside a value that is legal with it alone.
BESIDE = {("tile.scheduling", "two_sided"): "tile.rows = 1\ntile.columns = 1\n"}
OTHER_TYPES = ('"1"', '""', "[]", "[1]", "{}", "1.5", "nan", "1979-05-27")


@dataclasses.dataclass(frozen=True)
class Case:
    """A file; path: the parameter or table that it is about."""

    path: str
    text: str


def tables(schema, prefix=""):
    """Path of each table, the file's own being empty."""
    found = [prefix.rstrip(".")]
    for key, value in schema["properties"].items():
        if "properties" in value:
            found += tables(value, f"{prefix}{key}.")
    return found


def _numbers(value):
    least, most = value["minimum"], value["maximum"]
    return [least, most, value["default"], least - 1, most + 1, -least - 1, most + 2**32, 2**62]


def _values(path, value):
    """TOML values of a parameter, legal and other."""
    if path == "name":
        return [json.dumps(text) for text in (
            "a", "a" * 32, "t_9", "", "a" * 33, "A", "9a", "_a", "a-b", "a\n", "a b", "\u00e4")]
    if value.get("type") == "integer":
        return [*map(str, _numbers(value)), "true"]
    if value.get("type") == "boolean":
        return ["true", "false", "0", "1"]
    if "enum" in value:
        return [*map(json.dumps, value["enum"]), *(json.dumps(one + "x") for one in value["enum"]),
                *(json.dumps(one.upper()) for one in value["enum"]), "0", "true"]
    return []


def _pattern(value):
    """Named patterns, and lists of options around every bound."""
    names, options = value["oneOf"]
    yield from map(json.dumps, names["enum"])
    yield from map(json.dumps, (names["enum"][0] + "x", "own"))
    step, offset = options["items"]["prefixItems"]
    steps = [step["minimum"], step["maximum"], step["minimum"] - 1, step["maximum"] + 1]
    offsets = [offset["minimum"], offset["maximum"], offset["minimum"] - 1, offset["maximum"] + 1]
    yield from (f"[[0, 0], [{one}, 0]]" for one in steps)
    yield from (f"[[0, 0], [1, {one}]]" for one in offsets)
    most = options["maxItems"]
    for count in (1, most, most + 1):
        yield json.dumps([[0, 0]] + [[1 + i // 32, i % 32] for i in range(count - 1)])
    yield from ("[[1, 0]]", "[[0, 1]]", "[[0, 0], [0, 0]]", "[[0, 0], [1, 1], [1, 1]]",
                "[[0, 0], [1]]", "[[0, 0], [1, 0, 0]]", "[[0, 0], 1]", "[[0, 0], [[1, 0]]]",
                '[[0, 0], ["1", 0]]', "[[0, 0], [true, 0]]", "[[0, false]]")


def _levels(value):
    lanes = value["maxItems"]
    last = value["items"]["items"]["maximum"]
    single = [[lane] for lane in range(lanes)]
    yield json.dumps(single)
    for spoilt in (single + [[last + 1]], single[:-1] + [[-1]], single[:-1] + [[last, last]],
                   single + [[]], single[:-1] + [["1"]], single[:-1] + [last],
                   single[:-1] + [[last, True]]):
        yield json.dumps(spoilt)


def _widest(path, value):
    """As deep and wide as the schema has it, so that it is the schema that tells."""
    wide = "tile.interconnect.depth = 8\ntile.lanes = 64\n"
    values = _pattern(value) if path == "tile.interconnect.pattern" else _levels(value)
    return [Case(path, f"{NAME}{wide}{path} = {one}\n") for one in values]


def make(schema, parameters):
    """All of them. parameters: path -> its part of the schema."""
    cases = [Case("", ""), Case("", NAME)]
    for path, value in parameters.items():
        start = "" if path == "name" else NAME
        if path in ("tile.interconnect.pattern", "tile.interconnect.levels"):
            cases += _widest(path, value)
        for one in (*_values(path, value), *OTHER_TYPES):
            beside = BESIDE.get((path, one.strip('"')), "")
            cases.append(Case(path, f"{start}{beside}{path} = {one}\n"))
    for table in tables(schema):
        for line in ("unknown = 1", "Name = 1", '"" = 1', '"tile.lanes" = 4', "unknown = {}"):
            header = f"[{table}]\n" if table else ""
            cases.append(Case(table, f"{NAME}{header}{line}\n"))
        if table:
            cases += [Case(table, f"{NAME}{table} = {one}\n") for one in ("4", '"x"', "[]", "{}")]
            cases.append(Case(table, f"{NAME}[[{table}]]\n"))
    return cases
