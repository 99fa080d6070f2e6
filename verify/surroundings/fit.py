# SPDX-License-Identifier: Apache-2.0
"""What an event around the tiles costs: least squares over the operations of all layers, one group of
blocks after the other; relative errors count, and nothing costs less than nothing."""

import dataclasses
import itertools

from . import measure

# Group -> its cost of a clock, and costs of bytes with the counts that they belong to.
EVENTS = {"fills": ("clock_of_row_byte", {"filled": "operands_read", "transposed": "transposed"}),
          "load": ("clock_of_row_byte", {"loaded": "off_chip_read"}),
          "store": ("clock_of_row_byte", {"stored": "off_chip_written"}),
          "scratchpads": ("clock_of_tile_line", {"passed": "scratchpads_read"}),
          "collectors": ("clock_of_tile_line", {"collected": "results_written"}),
          measure.OTHERS: ("clock", {})}


@dataclasses.dataclass(frozen=True)
class Fit:
    """pJ in a clock and of each byte, of one group; and its errors in %: of all, of an operation."""

    clock: float
    each: dict
    error: float
    most: float


def _busy(samples):
    """(counts, group -> pJ while a job was under way) of each run"""
    idle, *runs = samples
    for run in runs:
        rest = run.counts["clocks"] - run.counts["busy"]
        yield run.counts, {group: pJ - idle.pJ[group] / idle.counts["clocks"] * rest
                           for group, pJ in run.pJ.items()}


def _solve(matrix, numpy):
    """The best costs of columns that are not negative, a clock's among them."""
    best = None
    others = range(1, matrix.shape[1])
    for used in ([0, *some] for count in range(matrix.shape[1])
                 for some in itertools.combinations(others, count)):
        solved, *_ = numpy.linalg.lstsq(matrix[:, used], numpy.ones(len(matrix)), rcond=None)
        error = float(numpy.square(matrix[:, used] @ solved - 1).sum())
        if min(solved) >= 0 and (best is None or error < best[0]):
            best = error, dict(zip(used, map(float, solved)))
    return best[1]


def fit(samples):
    """Group -> Fit."""
    import numpy  # here: --help needs Python alone

    found = {}
    for group, (_, costs) in EVENTS.items():
        counts = [[one["busy"], *(one[key] for key in costs.values())]
                  for one, _ in _busy(samples)]
        energies = [pJ[group] for _, pJ in _busy(samples)]
        matrix = numpy.array(counts, dtype=float) / numpy.array(energies)[:, None]
        solved = _solve(matrix, numpy)
        cost = [solved.get(at, 0.0) for at in range(matrix.shape[1])]
        said = [sum(a * b for a, b in zip(row, cost)) for row in counts]
        found[group] = Fit(cost[0], dict(zip(costs, cost[1:])), 100 * (sum(said) / sum(energies) - 1),
                           max(abs(100 * (a / b - 1)) for a, b in zip(said, energies)))
    return found


def whole_errors(samples, found):
    """Operation -> error in % of all groups together; and of their sum."""
    errors, said_all, pJ_all = {}, 0.0, 0.0
    for run, (counts, pJ) in zip(samples[1:], _busy(samples)):
        said = sum(one.clock * counts["busy"]
                   + sum(one.each[cost] * counts[key]
                         for cost, key in EVENTS[group][1].items())
                   for group, one in found.items())
        errors[run.name] = 100 * (said / sum(pJ.values()) - 1)
        said_all += said
        pJ_all += sum(pJ.values())
    return errors, 100 * (said_all / pJ_all - 1)


def costs(found, parameters, dense_step_pJ):
    """What tdsim takes: each cost over a dense step; of clocks, for each byte of a row and each row of
    tiles' PEs that the measured accelerator has."""
    tile = parameters["tile"]
    row_bytes = tile["lanes"] * (4 if tile["numerics"]["format"] == "fp32" else 2)
    lines = parameters["accelerator"]["tiles"] * tile["rows"]
    share = {"clock": 1, "clock_of_row_byte": row_bytes, "clock_of_tile_line": lines}
    result = dict.fromkeys(share, 0.0)
    for group, one in found.items():
        name = EVENTS[group][0]
        result[name] += one.clock / share[name] / dense_step_pJ
        result |= {cost: pJ / dense_step_pJ for cost, pJ in one.each.items()}
    return result
