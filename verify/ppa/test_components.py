#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of the fits of what parts of a tile's energy cost, on numbers made by hand, and of what fits
know of blocks."""

import pathlib
import random
import sys
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from flow import components, energy_fit, fit, power  # noqa: E402
from netlists import recipe  # noqa: E402
from toolbox import design  # noqa: E402

COSTS = dict(zip(components.PARTS, (11.0, 3.0, 5.0, 7.0, 13.0, 17.0, 32.0)))


def samples(costs, count=12, seed=1, dense=False):
    """Of energies that these costs give exactly; dense: as many rows as steps."""
    draw = random.Random(seed)
    found = []
    for at in range(count):
        steps, share = draw.uniform(100, 900), draw.uniform(0.02, 0.9)
        counts = (steps, steps if dense else steps * draw.uniform(1, 3), steps * draw.uniform(share, 1),
                  steps * share, steps * (1 - (1 - share) ** 16), steps * draw.uniform(0.01, 0.2),
                  steps * components.adds(share, 16))
        pJ = sum(number * costs[part] for part, number in zip(components.PARTS, counts))
        found.append(components.Sample(f"trace{at % 3}", "fwd", counts, pJ))
    return found


class Fit(unittest.TestCase):
    """What went in comes out."""

    def near(self, found, expected):
        for part in components.PARTS:
            self.assertAlmostEqual(found[part], expected[part], places=6, msg=part)

    def test_every_part(self):
        self.near(components.fit(samples(COSTS)), COSTS)

    def test_a_part_of_no_cost(self):
        for part in components.PARTS[1:]:
            expected = COSTS | {part: 0.0}
            self.near(components.fit(samples(expected)), expected)

    def test_less_than_nothing_is_nothing(self):
        found = components.fit(samples(COSTS | {"choice": -2.0}))
        self.assertEqual(found["choice"], 0)
        self.assertGreaterEqual(min(found.values()), 0)

    def test_rows_of_the_dense_tile_are_its_steps(self):
        found = components.fit(samples(COSTS, dense=True))
        self.near(found, COSTS | {"step": 14.0, "row": 0.0})

    def test_error(self):
        found = samples(COSTS)
        for name, error in components.errors(found, components.fit(found)).items():
            self.assertAlmostEqual(error, 0, places=6, msg=name)
        self.assertEqual(set(components.errors(found, COSTS)),
                         {f"trace{at}{op}" for at in range(3) for op in ("", " fwd")})
        for part in components.PARTS:  # without it, every trace is said to take less
            for error in components.errors(found, COSTS | {part: 0.0}).values():
                self.assertLess(error, -0.1, part)
        dearer = {part: 2 * pJ for part, pJ in COSTS.items()}
        self.assertAlmostEqual(components.error_percent(found, dearer), 100)

    def test_ratios_to_a_dense_step(self):
        dense = {part: pJ / 2 for part, pJ in COSTS.items()}
        result = components.fit_all({"dense": samples(dense), "sparse": samples(COSTS, seed=2),
                                     "gated": samples(COSTS | {"sum": 1.0}, seed=3)}, 16)
        # The tree has 15 adders.
        self.assertAlmostEqual(result["dense_step_pJ"], (11 + 3 + 5 + 7 + 13 + 32 * 15 / 16) / 2)
        for way, costs in (("dense", dense), ("sparse", COSTS), ("gated", COSTS | {"sum": 1.0})):
            for part in components.PARTS:
                self.assertAlmostEqual(result["components"][way][part] * 34.5, costs[part], places=5)
        self.assertIn("sparse", "\n".join(components.lines(
            result | {"name": "x"})))


class Sizes(unittest.TestCase):
    """Energies over tiles of several depths and options."""

    COSTS = {"step": {"1": 5.0, "depth": 7.0}, "row": {"1": 2.0, "depth": 4.0},
             "choice": {"1": 6.0, "options": 1.0}, "pair": {"1": 9.0},
             "sum": {"1": 11.0, "depth": 3.0}, "output": {"1": 13.0}, "add": {"1": 15.0}}

    def tiles(self, costs):
        for seed, (depth, options) in enumerate(((2, 4), (2, 8), (3, 4), (3, 8), (5, 6))):
            sizes = {"lanes": 16, "depth": depth, "options": options}
            yield energy_fit.Tile(f"tile{seed}", sizes, tuple(
                samples(energy_fit.costs_of(costs, sizes), seed=seed)))

    def near(self, found, expected):
        for part, terms in expected.items():
            for term, pJ in terms.items():
                self.assertAlmostEqual(found[part][term], pJ, places=5, msg=f"{part} {term}")

    def test_what_went_in_comes_out(self):
        self.near(energy_fit.fit(list(self.tiles(self.COSTS))), self.COSTS)

    def test_a_tile_that_is_left_out(self):
        """It has no error where costs are such sums, and one where its own are dearer."""
        tiles = list(self.tiles(self.COSTS))
        found = energy_fit.document(tiles, tiles[0].samples)
        self.assertEqual(found["sizes"]["depth"], [2, 5])
        self.assertLess(found["left_out_error"]["max_percent"], 1e-6)
        self.assertEqual(found["left_out_error"]["samples"], 15)  # five tiles, three traces
        dearer = energy_fit.Tile("tile", tiles[2].sizes, tuple(
            components.Sample(one.trace, one.op, one.counts, 1.1 * one.pJ) for one in tiles[2].samples))
        found = energy_fit.document(tiles[:2] + [dearer] + tiles[3:], tiles[0].samples)
        self.assertGreater(found["left_out_error"]["max_percent"], 5)
        self.assertGreater(found["left_out_error"]["max_percent"], found["error"]["max_percent"])

    def test_blocks_of_a_tile_are_known(self):
        """A new module of the tile needs a formula for its area."""
        known = {f"td1_{module}" for module, _ in fit.FEATURES} | {recipe.GATE}
        for config in ("wide4_bf16", "paper_fp8"):
            folder = design.emit(config).folder
            emitted = {path.stem for path in folder.glob("td1_*.v")}
            self.assertGreater(len(emitted), 15)
            flattened = {f"td1_{module}" for module in recipe.FLATTENED}
            self.assertEqual(emitted - flattened - known, set())


class Counts(unittest.TestCase):
    """Of a layer of which half was drawn."""

    WHOLE = {"all_passes_rows": 40, "useful_macs": 64, "effectual_multiplier_cycles": 192}

    def test_by_hand(self):
        tile = {"rows": 2, "columns": 2, "lanes": 4}
        layer = {"dense_rows": 20, "cycles": 10, "passes": 3}
        # 32 pairs and 96 choices on 16 multipliers; a fifth of the lanes of ten steps.
        counts = components.layer_counts(layer, self.WHOLE, tile)
        # Two adders have two lanes below, one four.
        adders = 10 * (2 * (1 - 0.8 ** 2) + (1 - 0.8 ** 4)) / 4
        for number, expected in zip(counts, (10, 20, 6, 2, 10 * (1 - 0.8 ** 4), 3, adders),
                                    strict=True):
            self.assertAlmostEqual(number, expected)

    def test_nothing_drawn(self):
        layer = {"dense_rows": 0, "cycles": 0, "passes": 0}
        self.assertEqual(components.layer_counts(layer, self.WHOLE | {"all_passes_rows": 0},
                                                 {"rows": 1, "columns": 1, "lanes": 2}), (0,) * 7)

    def test_traces(self):
        self.assertIn("plain", [path.stem for path in power.carried_traces()])


if __name__ == "__main__":
    unittest.main()
