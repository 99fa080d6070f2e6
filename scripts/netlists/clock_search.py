# SPDX-License-Identifier: Apache-2.0
"""Search for the fastest clock: a tile synthesised for less time than it can have comes out faster,
up to a point; how much faster is known only by trying."""

import dataclasses

STEP = 0.1      # of what the last try that gained was asked for: how much less the next one is
GAIN = 0.002    # of it: what a try must gain at least
FAILURES = 3    # tries in a row that gain nothing, after which the search ends


@dataclasses.dataclass(frozen=True)
class Try:
    """A clock that was asked for and the fastest that each tile came out with; ns."""

    target_ns: float
    fastest_ns: dict   # name of the tile -> ns

    @property
    def common_ns(self):
        """The fastest clock that all tiles meet."""
        return max(self.fastest_ns.values())


def _gains(tries, one):
    """Whether a try makes a tile faster, or all tiles together, than those before it."""
    def better(values, value):
        return value < min(values) * (1 - GAIN)
    return not tries or better([old.common_ns for old in tries], one.common_ns) or any(
        better([old.fastest_ns[name] for old in tries], value)
        for name, value in one.fastest_ns.items())


def search(attempt, start_ns):
    """All tries, in order. attempt(target_ns) synthesises all tiles for that target and returns name
    -> the fastest clock that came out, in ns.

    Around the last try that gained, these are asked for: STEP less than it was asked for, half way
    to what came out of it (who asks for far too much gets less), and half of STEP less. FAILURES in
    a row that gain nothing end the search."""
    tries, target, failures = [], start_ns, 0
    while failures < FAILURES:
        one = Try(target, attempt(target))
        if _gains(tries, one):
            middle, failures = one, 0
        else:
            failures += 1
        tries.append(one)
        target = _next(middle, failures)
    return tries


def _next(middle, failures):
    """What to ask for after so many tries around the middle."""
    asked = min(middle.target_ns, middle.common_ns)
    return round((asked * (1 - STEP), (asked + middle.common_ns) / 2, asked * (1 - STEP / 2),
                  asked)[failures], 3)


def best(tries):
    """The try with the fastest common clock, the first of equals."""
    return min(tries, key=lambda one: one.common_ns)


def lines(tries):
    """A table for a terminal's reader, and the fastest clock of each tile."""
    names = list(tries[0].fastest_ns)
    rows = [f"asked for {one.target_ns:.3f} ns: " + ", ".join(
        f"{name} {one.fastest_ns[name]:.3f} ns" for name in names) for one in tries]
    fastest = ", ".join(f"{name} {min(one.fastest_ns[name] for one in tries):.3f} ns"
                        for name in names)
    return [*rows, f"fastest clock of each: {fastest}; of all: {best(tries).common_ns:.3f} ns"]
