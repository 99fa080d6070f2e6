# SPDX-License-Identifier: Apache-2.0
"""Counts what nets do in a value change dump of a clocked block."""


class Net:
    """One net. settled: changes from the end of a clock to the end of the next; changes: all of
    them; ones: clocks at whose end it is 1."""

    __slots__ = ("value", "last", "settled", "changes", "ones")

    def __init__(self):
        self.value = self.last = "x"
        self.settled = self.changes = self.ones = 0


def _header(file):
    """Code -> Net, and (path, pin) -> Net of the variables below the first module."""
    nets, pins, scope = {}, {}, []
    for line in file:
        words = line.split()
        if not words:
            continue
        if words[0] == "$scope":
            scope.append(words[2].lstrip("\\"))
        elif words[0] == "$upscope":
            scope.pop()
        elif words[0] == "$var" and words[2] == "1":
            net = nets.setdefault(words[3], Net())
            pins["/".join(scope[2:]), words[4].lstrip("\\")] = net
        elif words[0] == "$enddefinitions":
            break
    return nets, pins


def _end_of_clock(nets, moved, counted):
    for code in moved:
        net = nets[code]
        if counted and net.value != net.last and "x" not in (net.value, net.last):
            net.settled += 1
        net.last = net.value


def read(path, clock_ps, clocks):
    """(path of the instance, pin) -> Net, for a bench that raises its clock for the first time
    after one period, and ends `clocks` periods later. The first clock is not counted: it loads what
    registers and inputs are to start with. Times are in picoseconds."""
    with open(path, encoding="ascii", errors="replace") as file:
        nets, pins = _header(file)
        end, index, moved = 2 * clock_ps, 0, set()
        for line in file:
            first = line[0]
            if first in "01xz":
                code = line[1:-1]
                net = nets.get(code)
                if net is None:
                    continue
                if index > 0 and net.value != first and net.value != "x" and first != "x":
                    net.changes += 1
                net.value = first
                moved.add(code)
            elif first == "#":
                while int(line[1:]) >= end and index < clocks:
                    _end_of_clock(nets, moved, index > 0)
                    if index > 0:
                        for net in nets.values():
                            net.ones += net.value == "1"
                    moved.clear()
                    index += 1
                    end += clock_ps
    return pins
