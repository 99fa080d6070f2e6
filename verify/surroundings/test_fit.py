#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of the fit of what stands around the tiles, on samples made by hand."""

import pathlib
import random
import sys
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "verify")]

from surroundings import fit, measure  # noqa: E402

# Group -> pJ in a clock without a job, in one with a job, and of each byte.
IDLE = dict(zip(measure.GROUPS, (2.0, 3.0, 5.0, 7.0, 11.0, 13.0)))
CLOCK = dict(zip(measure.GROUPS, (17.0, 19.0, 23.0, 29.0, 31.0, 37.0)))
EACH = {"filled": 0.5, "transposed": 0.25, "loaded": 0.75, "stored": 1.5, "passed": 0.125, "collected": 2.0}


def samples(each, count=12):
    """Of energies that these costs give exactly, an idle one first."""
    draw = random.Random(1)
    found = [measure.Sample("idle", {"clocks": 50}, {group: 50 * pJ for group, pJ in IDLE.items()})]
    for at in range(count):
        counts = {"busy": draw.randrange(100, 900)}
        counts["clocks"] = counts["busy"] + draw.randrange(10, 400)
        pJ = {}
        for group, (_, bytes_of) in fit.EVENTS.items():
            counts |= {key: draw.randrange(200, 9000) for key in bytes_of.values()}
            pJ[group] = (CLOCK[group] * counts["busy"] + IDLE[group] * (counts["clocks"] - counts["busy"])
                         + sum(each[cost] * counts[key] for cost, key in bytes_of.items()))
        found.append(measure.Sample(f"layer{at}", counts, pJ))
    return found


class Fit(unittest.TestCase):
    """What went in comes out, of a system that has such costs, and of no other."""

    def near(self, found, each):
        self.assertEqual(set(found), set(measure.GROUPS))
        for group, one in found.items():
            self.assertAlmostEqual(one.clock, CLOCK[group], places=6, msg=group)
            self.assertEqual(set(one.each), set(fit.EVENTS[group][1]), group)
            for cost, pJ in one.each.items():
                self.assertAlmostEqual(pJ, each[cost], places=6, msg=cost)

    def test_every_cost(self):
        made = samples(EACH)
        found = fit.fit(made)
        self.near(found, EACH)
        errors, whole = fit.whole_errors(made, found)
        self.assertEqual(list(errors), [one.name for one in made[1:]])
        for error in (*errors.values(), whole, *(one.error for one in found.values()),
                      *(one.most for one in found.values())):
            self.assertAlmostEqual(error, 0, places=6)

    def test_bytes_of_no_cost(self):
        for cost in EACH:
            expected = EACH | {cost: 0.0}
            self.near(fit.fit(samples(expected)), expected)

    def test_less_than_nothing_is_nothing(self):
        for cost in EACH:
            found = fit.fit(samples(EACH | {cost: -0.01}))
            group = next(group for group, (_, costs) in fit.EVENTS.items() if cost in costs)
            self.assertEqual(found[group].each[cost], 0, cost)
            self.assertGreaterEqual(min(found[group].clock, *found[group].each.values()), 0)
            self.assertGreater(found[group].most, 0.01)

    def test_another_system(self):
        """One operation that takes a fifth more is no system of such costs, and the errors say so."""
        for group in measure.GROUPS:
            made = samples(EACH)
            made[4].pJ[group] *= 1.2
            found = fit.fit(made)
            cost = (CLOCK[group], *(EACH[one] for one in found[group].each))
            said = (found[group].clock, *found[group].each.values())
            self.assertGreater(max(abs(a / b - 1) for a, b in zip(said, cost)), 0.005, group)
            self.assertGreater(found[group].most, 5, group)
            self.assertGreater(abs(found[group].error), 0.01, group)
            self.assertGreater(max(map(abs, fit.whole_errors(made, found)[0].values())), 0.1, group)

    def test_relative_errors_count(self):
        """1 pJ in each of 100 clocks, 2 in each of 1000: (1 + 1/2) / (1 + 1/4), not nearly 2."""
        made = samples(EACH, 2)
        for one, (busy, pJ) in zip(made[1:], ((100, 100), (1000, 2000))):
            one.counts.update(busy=busy, clocks=busy)
            one.pJ[measure.OTHERS] = pJ
        self.assertAlmostEqual(fit.fit(made)[measure.OTHERS].clock, 1.2)

    def test_over_a_dense_step(self):
        """Rows of 4 lanes are of 8 or 16 bytes; 5 tiles of 3 rows have 15."""
        fitted = fit.fit(samples(EACH))
        for name, row_bytes in (("bf16", 8), ("fp32", 16)):
            parameters = {"tile": {"lanes": 4, "rows": 3, "numerics": {"format": name}},
                          "accelerator": {"tiles": 5}}
            found = fit.costs(fitted, parameters, 100)
            expected = {
                "clock": CLOCK[measure.OTHERS],
                "clock_of_row_byte": sum(CLOCK[one] for one in ("fills", "load", "store")) / row_bytes,
                "clock_of_tile_line": sum(CLOCK[one] for one in ("scratchpads", "collectors")) / 15,
                **EACH}
            self.assertEqual(set(found), set(expected))
            for cost, pJ in expected.items():
                self.assertAlmostEqual(found[cost], pJ / 100, places=8, msg=cost)


if __name__ == "__main__":
    unittest.main()
