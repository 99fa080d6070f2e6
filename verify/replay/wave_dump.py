# SPDX-License-Identifier: Apache-2.0
"""A value change dump of a replay, and what a save file of GTKWave names in it."""

import re


class Dump:
    """ranges: path of every variable -> its width; times: of the first and the last change."""

    def __init__(self, text):
        head, _, self._changes = text.partition("$enddefinitions $end\n")
        self.ranges, self._codes, scope = {}, {}, []
        for line in head.splitlines():
            words = line.split()
            if words[:1] == ["$scope"]:
                scope.append(words[2])
            elif words[:1] == ["$upscope"]:
                scope.pop()
            elif words[:1] == ["$var"]:
                span = words[5] if words[5] != "$end" else ""
                path = ".".join([*scope, words[4]]) + span
                self.ranges[path], self._codes[path] = int(words[2]), words[3]
        stamps = re.findall(r"^#(\d+)$", self._changes, re.M)
        self.times = int(stamps[0]), int(stamps[-1])

    def clocks(self, paths, period):
        """Clock -> {path: value}, as its rising edge finds them; those without unknown bits."""
        codes = {self._codes[path]: path for path in paths}
        values, result, clock = {}, {}, 1
        for line in self._changes.splitlines():
            if line.startswith("#"):
                while int(line[1:]) >= (clock - 1) * period:
                    result[clock] = dict(values)
                    clock += 1
                continue
            bits, _, code = line[1:].partition(" ") if line[0] == "b" else (line[0], "", line[1:])
            if code in codes and set(bits) <= {"0", "1"}:
                values[codes[code]] = int(bits, 2)
        return {clock: seen for clock, seen in result.items() if len(seen) == len(codes)}


class Trace:
    """A line of a save file: label, the paths it is made of, their bits from the highest (or None
    for all of the one path), and its table or program."""

    def __init__(self, groups, line, filters):
        self.groups, self.filters = tuple(groups), filters
        found = re.match(r"(?:([+#])\{(.*?)\} )?(.*)", line)
        self.label = found[2] or found[3]
        if found[1] == "#":
            parts = re.findall(r"\((\d+)\)(\S+)", found[3])
            self.paths = sorted({path for _, path in parts})
            self.bits = [int(bit) for bit, _ in parts]
        else:
            self.paths, self.bits = [found[3]], None

    def value(self, seen, width):
        """Of a clock: the bits that it shows, of a path of some width."""
        whole = seen[self.paths[0]]
        if self.bits is None:
            return whole
        value = 0
        for bit in self.bits:
            value = value << 1 | whole >> (width - 1 - bit) & 1
        return value


def traces(text):
    """All of a save file."""
    result, groups, filters = [], [], {}
    for line in text.splitlines():
        if line.startswith("@"):
            flags, filters = int(line[1:], 16), {}
        elif line.startswith("-"):
            if flags & 0x800000:
                groups.append(line[1:])
            elif flags & 0x1000000:
                assert groups.pop() == line[1:], line
        elif line.startswith("^"):
            kind, _, path = line.partition(" ")
            filters[kind[1:].rstrip("0123456789")] = path
        elif not line.startswith(("[", "*")):
            result.append(Trace(groups, line, filters))
    assert not groups, groups
    return result
